//! The incremental engine against the naive restatement of the rules, and that restatement against the recordings.

use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use rollcast_core::KubernetesVersion;
use rollcast_core::controller::Snapshot;
use rollcast_core::time::Timestamp;
use rollcast_tests::cells::all_budgets;
use rollcast_tests::edits::{any_edit, edits};
use rollcast_tests::play::Play;
use rollcast_tests::reference::{self, Memory};
use rollcast_tests::say::say;
use rollcast_tests::several::{self, Several};
use rollcast_tests::subject::{Kind, field};
use rollcast_tests::vectors::{self, VectorFile};
use serde_json::Value;

#[test]
fn the_reference_decides_what_the_real_controller_did() {
    let answer = |_: Kind, line: &Value| {
        let snapshot = Snapshot {
            daemon_sets: vec![field(line, "daemonSet")],
            nodes: field(line, "nodes"),
            pods: field(line, "pods"),
            revisions: field(line, "controllerRevisions"),
        };
        let now = Timestamp::parse(line["now"].as_str().unwrap()).unwrap();
        let verdict = reference::sync(now, &snapshot.daemon_sets[0], &snapshot, &mut Memory::default());
        let mut answer = verdict.to_expect();
        answer["createOnNodes"] = take(&answer["createOnNodes"]);
        answer["deletePods"] = take(&answer["deletePods"]);
        answer
    };
    let is_sync = |file: &VectorFile| file.kind == Some(Kind::Sync);
    let mut failed = 0;
    for file in vectors::files().iter().filter(|file| is_sync(file)) {
        let report = vectors::report(Kind::Sync, file, answer);
        say(&report.to_text());
        failed += report.failed.len();
    }
    assert_eq!(failed, 0);
}

/// What must be taken, then the first of the others.
fn take(choice: &Value) -> Value {
    let list = |field: &str| choice[field].as_array().cloned().unwrap_or_default();
    let must = list("must");
    let others = list("among").into_iter().filter(|name| !must.contains(name));
    let count = usize::try_from(choice["count"].as_u64().unwrap()).unwrap();
    must.iter().cloned().chain(others).take(count).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Fed with single changes, seen late, with answers lost and creations refused, the engine decides in every sync
    /// what the reference says; and whenever nothing of the past holds it back, exactly what an engine without a past
    /// decides from the whole.
    #[test]
    fn the_incremental_engine_decides_what_the_reference_says(
        version in any::<usize>(),
        budget in any::<usize>(),
        edits in edits(any_edit(), 80),
    ) {
        let budgets = all_budgets();
        // Half of them under the newest release.
        let version = KubernetesVersion::ALL.get(version % (2 * KubernetesVersion::ALL.len())).copied().unwrap_or_default();
        let mut play = Play::at(version, budgets[budget % budgets.len()].clone());
        for (number, edit) in edits.iter().enumerate() {
            let afresh = play.has_no_past().then(|| play.decided_afresh());
            let Some(synced) = play.edit(edit) else { continue };
            prop_assert_eq!(synced.decided.disagrees_with(&synced.verdict), None, "edit {} under {}", number, version);
            if let Some(afresh) = afresh {
                prop_assert_eq!(synced.decided, afresh, "edit {}", number);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Three DaemonSets on nodes that come, go and change labels and taints: whichever is synced decides what the
    /// reference says of it, and exactly what an engine that has just started decides; and none is forgotten.
    #[test]
    fn each_of_several_daemon_sets_decides_as_if_it_were_alone(
        version in any::<usize>(),
        strategies in any::<[usize; 3]>(),
        edits in several::edits(60),
    ) {
        let version = KubernetesVersion::ALL.get(version % (2 * KubernetesVersion::ALL.len())).copied().unwrap_or_default();
        let mut several = Several::new(version, strategies);
        for (number, edit) in edits.iter().enumerate() {
            let disagreement = several.edit(edit).err();
            prop_assert_eq!(disagreement, None, "edit {}, {:?}, under {}", number, edit, version);
        }
        prop_assert!(several.syncs > 0);
    }
}
