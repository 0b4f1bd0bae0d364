use serde::{Deserialize, Serialize};

use crate::{Distribution, Latencies};

/// What becomes of pods while it holds.
///
/// Start-up is decided when a pod is bound, its end when it is deleted; a pull or a restart that is tried again and
/// again asks anew every time, and so succeeds once something better holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Behaviour {
    /// From the containers' start to being ready; absent: never.
    pub ready_after: Option<Distribution>,
    /// From being deleted to being gone; absent: never, the pod is stuck terminating.
    pub gone_after: Option<Distribution>,
    /// From the containers' start to phase `Failed`, as an eviction by the kubelet; absent: never.
    pub fails_after: Option<Distribution>,
    /// From the containers' start to their end, after which the kubelet starts them again, at once and then with
    /// back-off (10 s doubling to 5 min, afresh after more than 10 min); absent: they run on.
    pub crashes_after: Option<Distribution>,
    /// Whether the registry refuses: images that a node lacks cannot be pulled, and those with `imagePullPolicy: Always`
    /// cannot be checked. The kubelet tries again with back-off (10 s doubling to 5 min).
    pub pulls_fail: bool,
    /// Of a thousand pods, how many it holds for, drawn for each; the others start and stop as the latencies say.
    pub permille: u16,
}

/// A thousand of a thousand.
pub(crate) const ALL_PODS: u16 = 1_000;

impl Behaviour {
    /// Pods that start and stop as `latencies` say.
    pub const fn healthy(latencies: &Latencies) -> Self {
        Self {
            ready_after: Some(latencies.pod_ready_after),
            gone_after: Some(latencies.pod_gone_after),
            fails_after: None,
            crashes_after: None,
            pulls_fail: false,
            permille: ALL_PODS,
        }
    }

    /// Pods that never become ready, and stop as `latencies` say.
    pub const fn never_ready(latencies: &Latencies) -> Self {
        Self { ready_after: None, ..Self::healthy(latencies) }
    }

    /// Pods that stay for ever once they are deleted.
    pub const fn never_gone(latencies: &Latencies) -> Self {
        Self { gone_after: None, ..Self::healthy(latencies) }
    }

    /// Pods whose containers end `after` they were started, again and again; ready until then if `latencies` say so.
    pub const fn crash_loop(latencies: &Latencies, after: Distribution) -> Self {
        Self { crashes_after: Some(after), ..Self::healthy(latencies) }
    }

    /// Pods whose images cannot be pulled.
    pub const fn pulls_fail(latencies: &Latencies) -> Self {
        Self { pulls_fail: true, ..Self::healthy(latencies) }
    }

    /// Pods that the kubelet evicts `after` their start.
    pub const fn fails(latencies: &Latencies, after: Distribution) -> Self {
        Self { fails_after: Some(after), ..Self::healthy(latencies) }
    }

    /// Whether nothing is drawn for it.
    pub fn is_constant(&self) -> bool {
        let times = [self.ready_after, self.gone_after, self.fails_after, self.crashes_after];
        let for_all_or_none = self.permille == 0 || self.permille >= ALL_PODS;
        for_all_or_none && times.into_iter().flatten().all(Distribution::is_constant)
    }

    /// The same for some of the pods only, so many of a thousand.
    #[must_use]
    pub const fn for_permille(self, permille: u16) -> Self {
        Self { permille, ..self }
    }
}
