//! Which parts of a sync are left out once something in it has failed.

use super::{BatchKind, Outcome, Rejection};
use crate::KubernetesVersion;

/// What of one sync has failed so far. Every executor asks this before it starts a batch, and reports the decisions of
/// one that is left out as [`Outcome::Skipped`] (`syncDaemonSet`, `syncNodes`, Kubernetes 1.36).
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about one sync")]
pub struct Failures {
    status_needs_success: bool,
    history: bool,
    create: bool,
    any: bool,
}

impl Failures {
    /// None yet. Before 1.27 the status was not written after any failure.
    pub fn none(version: KubernetesVersion) -> Self {
        Self { status_needs_success: version < KubernetesVersion::V1_27, ..Self::default() }
    }

    /// Whether the decisions of a batch are left out.
    pub const fn leave_out(self, kind: BatchKind) -> bool {
        match kind {
            BatchKind::History | BatchKind::Event => false,
            BatchKind::Create => self.history || self.create,
            BatchKind::Delete => self.history,
            BatchKind::Status => self.history || (self.any && self.status_needs_success),
            BatchKind::CleanUp => self.any,
        }
    }

    /// Takes in what became of a decision of a batch. A pod that is gone already needs not be deleted.
    pub fn note(&mut self, kind: BatchKind, outcome: &Outcome) {
        let harmless = match outcome {
            Outcome::Applied | Outcome::Skipped => true,
            Outcome::Rejected(Rejection::NotFound) => kind == BatchKind::Delete,
            Outcome::Rejected(_) | Outcome::Unknown => false,
        };
        if !harmless && kind != BatchKind::Event {
            self.any = true;
            self.history |= kind == BatchKind::History;
            self.create |= kind == BatchKind::Create;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [BatchKind; 6] = [
        BatchKind::History,
        BatchKind::Create,
        BatchKind::Delete,
        BatchKind::CleanUp,
        BatchKind::Status,
        BatchKind::Event,
    ];

    fn left_out_after(version: KubernetesVersion, kind: BatchKind, outcome: &Outcome) -> Vec<BatchKind> {
        let mut failures = Failures::none(version);
        failures.note(kind, outcome);
        KINDS.into_iter().filter(|kind| failures.leave_out(*kind)).collect()
    }

    #[test]
    fn what_is_left_out_depends_on_what_failed() {
        let refused = Outcome::Rejected(Rejection::Forbidden);
        let after = |kind| left_out_after(KubernetesVersion::V1_36, kind, &refused);
        assert_eq!(
            after(BatchKind::History),
            [BatchKind::Create, BatchKind::Delete, BatchKind::CleanUp, BatchKind::Status]
        );
        assert_eq!(after(BatchKind::Create), [BatchKind::Create, BatchKind::CleanUp]);
        assert_eq!(after(BatchKind::Delete), [BatchKind::CleanUp]);
        assert_eq!(after(BatchKind::Status), [BatchKind::CleanUp]);
        assert_eq!(after(BatchKind::Event), []);
    }

    #[test]
    fn before_1_27_the_status_is_not_written_after_any_failure() {
        let refused = Outcome::Rejected(Rejection::Forbidden);
        let after = |kind| left_out_after(KubernetesVersion::V1_26, kind, &refused);
        assert_eq!(after(BatchKind::Create), [BatchKind::Create, BatchKind::CleanUp, BatchKind::Status]);
        assert_eq!(after(BatchKind::Delete), [BatchKind::CleanUp, BatchKind::Status]);
    }

    #[test]
    fn neither_a_pod_that_is_gone_nor_what_was_left_out_is_a_failure() {
        let version = KubernetesVersion::default();
        assert_eq!(left_out_after(version, BatchKind::Delete, &Outcome::Rejected(Rejection::NotFound)), []);
        assert_eq!(left_out_after(version, BatchKind::Create, &Outcome::Skipped), []);
        assert_eq!(left_out_after(version, BatchKind::Delete, &Outcome::Unknown), [BatchKind::CleanUp]);
    }
}
