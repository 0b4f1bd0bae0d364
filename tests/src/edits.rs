//! Random edits of a cluster.

use proptest::collection::vec;
use proptest::prelude::{Strategy, any};
use proptest::{prop_oneof, strategy::Just};

use crate::cells::{Age, Standing, State};
use crate::play::{Edit, Fate};

/// How a node may stand.
pub fn standing() -> impl Strategy<Value = Standing> {
    prop_oneof![4 => Just(Standing::Run), 1 => Just(Standing::Stay), 1 => Just(Standing::Go)]
}

/// What a pod may be made from.
pub fn age() -> impl Strategy<Value = Age> {
    prop_oneof![Just(Age::New), Just(Age::Old)]
}

/// What may become of a pod.
pub fn state() -> impl Strategy<Value = State> {
    prop_oneof![
        1 => Just(State::Unready),
        2 => Just(State::Ready),
        4 => Just(State::Available),
        1 => Just(State::Terminating),
        1 => Just(State::Failed),
    ]
}

/// What may become of the decisions of a sync.
pub fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        6 => Just(Fate::Applied),
        1 => (0..4_u8).prop_map(Fate::CreationsRefused),
        1 => Just(Fate::NoAnswer),
        1 => Just(Fate::Lost),
    ]
}

/// What kubelets, nodes, people and the passing of time do; pods come from the controller alone.
pub fn outside_edit() -> impl Strategy<Value = Edit> {
    let choice = || any::<usize>();
    prop_oneof![
        3 => standing().prop_map(Edit::NodeJoins),
        2 => (choice(), standing()).prop_map(|(choice, standing)| Edit::NodeChanges(choice, standing)),
        1 => choice().prop_map(Edit::NodeLeaves),
        8 => (choice(), state()).prop_map(|(choice, state)| Edit::PodBecomes(choice, state)),
        1 => choice().prop_map(Edit::PodSucceeds),
        2 => choice().prop_map(Edit::PodIsBound),
        4 => choice().prop_map(Edit::PodIsGone),
        3 => (0..4_u8).prop_map(Edit::Template),
        2 => choice().prop_map(Edit::Strategy),
        1 => prop_oneof![Just(0), Just(30)].prop_map(Edit::MinReadySeconds),
        1 => (0..3_u8).prop_map(Edit::HistoryLimit),
        3 => prop_oneof![Just(0), Just(1), Just(30), Just(301), 0..900_u16].prop_map(Edit::SecondsPass),
        10 => (0..20_u8).prop_map(Edit::Observed),
        1 => Just(Edit::Restart),
        12 => fate().prop_map(Edit::Sync),
    ]
}

/// The same, and pods that others made, lost or changed.
pub fn any_edit() -> impl Strategy<Value = Edit> {
    let choice = || any::<usize>();
    prop_oneof![
        20 => outside_edit(),
        1 => choice().prop_map(Edit::PodIsRelabelled),
        1 => (choice(), age()).prop_map(|(choice, age)| Edit::OrphanAppears(choice, age)),
        1 => Just(Edit::Recreated),
    ]
}

/// A few nodes, then edits.
pub fn edits(edit: impl Strategy<Value = Edit>, count: usize) -> impl Strategy<Value = Vec<Edit>> {
    (vec(standing().prop_map(Edit::NodeJoins), 0..7), vec(edit, 1..count))
        .prop_map(|(nodes, edits)| nodes.into_iter().chain([Edit::Observed(20)]).chain(edits).collect())
}
