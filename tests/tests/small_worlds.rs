//! Every small world: up to three nodes, each with its pods in one of 198 states, under each of 18 budgets.
//!
//! The engine is given a world as a snapshot, decides one step, and is held against the naive reference. There are
//! 23,999,400 worlds. Each run takes a million of them, spread evenly; all of them, in a few minutes on two cores:
//!
//! ```sh
//! ROLLCAST_SMALL_WORLDS=all cargo test --release --package rollcast-tests --test small_worlds
//! ```

use std::env;

use rollcast_core::api::{ControllerRevision, DaemonSet, Node, Pod};
use rollcast_core::controller::{Change, Controller, ExpectationsMode, Snapshot};
use rollcast_tests::cells::{self, Cell, NOW};
use rollcast_tests::decided::Decided;
use rollcast_tests::reference::{self, Memory};
use rollcast_tests::say::say;
use rollcast_tests::vectors::in_parallel;

/// Parts that the worlds are dealt out in.
const CHUNKS: u64 = 1_000;
const SAMPLE: u64 = 1_000_000;
/// A prime that does not divide the number of worlds: its multiples visit every world once, far apart.
const STRIDE: u64 = 15_485_863;

/// What worlds are put together from.
struct Parts {
    cells: Vec<Cell>,
    /// Node and pods of each cell, on each of three nodes.
    built: Vec<[(Node, Vec<Pod>); 3]>,
    daemon_sets: Vec<DaemonSet>,
    revisions: Vec<ControllerRevision>,
}

impl Parts {
    fn new() -> Self {
        let cells = cells::all_cells();
        let objects =
            |cell: &Cell| ["a", "b", "c"].map(|name| (cells::node(name, cell.standing), cells::pods(name, cell)));
        let built = cells.iter().map(objects).collect();
        let daemon_sets = cells::all_budgets().into_iter().map(cells::daemon_set).collect();
        Self { cells, built, daemon_sets, revisions: vec![cells::revision("v1", 1), cells::revision("v2", 2)] }
    }

    /// Every multiset of at most three cells, in a fixed order.
    fn multisets(&self) -> Vec<Vec<u16>> {
        let count = u16::try_from(self.cells.len()).expect("198");
        let mut all = vec![Vec::new()];
        for first in 0..count {
            all.push(vec![first]);
            for second in first..count {
                all.push(vec![first, second]);
                all.extend((second..count).map(|third| vec![first, second, third]));
            }
        }
        all
    }

    fn snapshot(&self, multiset: &[u16], budget: usize) -> Snapshot {
        let mut snapshot = Snapshot {
            daemon_sets: vec![self.daemon_sets[budget].clone()],
            revisions: self.revisions.clone(),
            ..Snapshot::default()
        };
        for (place, cell) in multiset.iter().enumerate() {
            let (node, pods) = &self.built[usize::from(*cell)][place];
            snapshot.nodes.push(node.clone());
            snapshot.pods.extend(pods.iter().cloned());
        }
        snapshot
    }
}

/// Where engine and reference disagree.
fn disagreement(snapshot: Snapshot) -> Option<String> {
    let verdict = reference::sync(NOW, &snapshot.daemon_sets[0], &snapshot, &mut Memory::default());
    let mut controller = Controller::new(ExpectationsMode::Observed);
    controller.observe(Change::Reset(Box::new(snapshot)));
    Decided::of(&controller.step(NOW)).disagrees_with(&verdict)
}

#[test]
fn every_small_world_is_decided_as_the_reference_says() {
    let parts = Parts::new();
    let multisets = parts.multisets();
    let worlds = (multisets.len() * parts.daemon_sets.len()) as u64;
    assert_eq!(worlds, 23_999_400);
    let count = if env::var("ROLLCAST_SMALL_WORLDS").as_deref() == Ok("all") { worlds } else { SAMPLE };

    let chunks: Vec<u64> = (0..CHUNKS).collect();
    let failures: Vec<String> = in_parallel(&chunks, |chunk| {
        let range = chunk * count / CHUNKS..(chunk + 1) * count / CHUNKS;
        range
            .filter_map(|number| {
                let world = usize::try_from(number * STRIDE % worlds).expect("a world");
                let (multiset, budget) = (&multisets[world / parts.daemon_sets.len()], world % parts.daemon_sets.len());
                let found = disagreement(parts.snapshot(multiset, budget))?;
                let cells: Vec<_> = multiset.iter().map(|cell| &parts.cells[usize::from(*cell)]).collect();
                Some(format!("{cells:?} under {:?}: {found}", parts.daemon_sets[budget].spec.update_strategy))
            })
            .take(3)
            .collect::<Vec<_>>()
    })
    .into_iter()
    .flatten()
    .collect();
    say(&format!("small worlds: {count} of {worlds}, {} disagreements", failures.len()));
    assert!(failures.is_empty(), "{}", failures[..failures.len().min(5)].join("\n"));
}
