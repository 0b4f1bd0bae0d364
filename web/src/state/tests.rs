use super::*;
use crate::fixture::{hear, hear_of, hear_rollout, rollout};
use crate::model::{Fleet, LabelKey, OutlookProgress, Reviewed};
use crate::protocol::{Nothing, Phase, Reply};
use crate::words::ZONE_LABEL;

fn state() -> State {
    let mut state =
        State::new(["daemonset", "change", "cluster", "world: 1"].map(Rc::from), Language::English, Theme::System);
    hear(&mut state, Reply::Ready);
    state
}

fn fleet(names: &[&str]) -> Fleet {
    Fleet {
        names: names.iter().map(ToString::to_string).collect(),
        initials: " ".repeat(names.len()),
        labels: vec![LabelKey { key: ZONE_LABEL.into(), values: vec!["a".into()], of_node: vec![0; names.len()] }],
    }
}

/// A page on which a rollout on three nodes has been computed: decisions at 0, 20, 40, … 100, its end at 110.
fn computed() -> State {
    let mut state = state();
    hear(&mut state, Reply::Fleet(fleet(&["a", "b", "c"])));
    hear_rollout(&mut state, rollout(3, 1));
    state
}

fn edit(state: &mut State, text: &str) -> Vec<Effect> {
    reduce(state, Message::Edited(DocumentId::Change, Rc::from(text)))
}

#[test]
fn an_edit_asks_for_a_new_computation_and_answers_to_the_old_one_are_dropped() {
    let mut state = computed();
    let old = state.generation;
    assert_eq!(edit(&mut state, "other"), [Effect::ComputeSoon]);
    assert_ne!(state.generation, old);
    let before = state.clone();
    let reviewed = Reviewed { name: "old".into(), ..Reviewed::default() };
    hear_of(&mut state, old, Reply::Reviewed(reviewed));
    hear_of(&mut state, old, Reply::TakenApart(Default::default()));
    hear_of(&mut state, old, Reply::Fleet(fleet(&["x"])));
    let (summary, _) = rollout(2, 1);
    hear_of(&mut state, old, Reply::Rollout(summary.clone()));
    hear_of(&mut state, old, Reply::Words(summary));
    hear_of(&mut state, old, Reply::Nothing(Nothing::NoNodes));
    hear_of(&mut state, old, Reply::Progress { phase: Phase::Playing, done: 1, total: 2 });
    assert_eq!(state, before);
}

#[test]
fn what_is_no_rollout_is_a_fall() {
    let mut state = computed();
    let (summary, mut body) = rollout(3, 1);
    body.pop();
    assert_eq!(hear_rollout(&mut state, (summary, body)), [Effect::RestartWorker]);
    assert!(state.fall.is_some());
}

#[test]
fn typing_what_stands_there_already_computes_nothing() {
    let mut state = computed();
    let before = state.clone();
    assert_eq!(edit(&mut state, "change"), []);
    assert_eq!(state, before);
}

#[test]
fn typing_stops_the_playing() {
    let mut state = computed();
    assert_eq!(reduce(&mut state, Message::PlayToggled), [Effect::Animate]);
    edit(&mut state, "other");
    assert!(!state.playback.playing);
    assert_eq!(reduce(&mut state, Message::Ticked(16.0)), []);
}

#[test]
fn a_fallen_worker_is_rebuilt_from_the_state() {
    let mut state = computed();
    edit(&mut state, "explosive");
    assert_eq!(reduce(&mut state, Message::WorkerFell(Rc::from("boom"))), [Effect::RestartWorker]);
    assert_eq!(state.work, Work::Starting);
    assert_eq!(state.fall.as_ref().map(|fall| &*fall.text), Some("boom"));
    let effects = hear(&mut state, Reply::Ready);
    assert_eq!(effects, [Effect::Send(state.generation, Request::Compute(Box::new(state.input())))]);
    assert_eq!(state.input().documents[1], "explosive");
}

#[test]
fn a_worker_that_falls_twice_on_the_same_input_is_left_alone_until_the_input_changes() {
    let mut state = computed();
    reduce(&mut state, Message::WorkerFell(Rc::from("boom")));
    hear(&mut state, Reply::Ready);
    assert_eq!(reduce(&mut state, Message::WorkerFell(Rc::from("boom"))), []);
    assert_eq!(state.work, Work::Stopped);
    assert_eq!(edit(&mut state, "harmless"), [Effect::RestartWorker]);
    assert_eq!((state.fall.clone(), state.work.clone()), (None, Work::Starting));
}

#[test]
fn a_worker_that_falls_on_two_inputs_is_restarted_both_times() {
    let mut state = computed();
    reduce(&mut state, Message::WorkerFell(Rc::from("boom")));
    hear(&mut state, Reply::Ready);
    edit(&mut state, "other");
    assert_eq!(reduce(&mut state, Message::WorkerFell(Rc::from("boom"))), [Effect::RestartWorker]);
}

#[test]
fn an_edit_before_the_worker_listens_is_computed_when_it_does() {
    let mut state = State::new(["", "", "", ""].map(Rc::from), Language::English, Theme::System);
    assert_eq!(edit(&mut state, "early"), []);
    let effects = hear(&mut state, Reply::Ready);
    assert!(matches!(&effects[..], [Effect::Send(_, Request::Compute(input))] if input.documents[1] == "early"));
}

#[test]
fn stepping_goes_from_decision_to_decision_and_ends_at_the_end() {
    let mut state = computed();
    let mut seen = Vec::new();
    for _ in 0..7 {
        reduce(&mut state, Message::StepForward);
        seen.push(state.playback.second());
    }
    assert_eq!(seen, [20, 40, 60, 80, 100, 110, 110]);
    seen.clear();
    for _ in 0..7 {
        reduce(&mut state, Message::StepBack);
        seen.push(state.playback.second());
    }
    assert_eq!(seen, [100, 80, 60, 40, 20, 0, 0]);
}

#[test]
fn playing_follows_the_clock_at_the_chosen_speed_and_stops_at_the_end() {
    let mut state = computed();
    reduce(&mut state, Message::SpeedChosen(16));
    reduce(&mut state, Message::PlayToggled);
    assert_eq!(reduce(&mut state, Message::Ticked(125.0)), [Effect::Animate]);
    assert!((state.playback.at - 2.0).abs() < 1e-9);
    // A page that was hidden for a minute does not leap.
    reduce(&mut state, Message::Ticked(60_000.0));
    assert!((state.playback.at - 2.0).abs() < 1e-9);
    for _ in 0..40 {
        reduce(&mut state, Message::Ticked(200.0));
    }
    assert!(!state.playback.playing && state.playback.second() == 110);
    reduce(&mut state, Message::PlayToggled);
    assert_eq!(state.playback.second(), 0, "playing from the end begins again");
}

#[test]
fn scrubbing_stays_inside_the_rollout() {
    let mut state = computed();
    for (wish, second) in [(-5.0, 0), (12.9, 12), (1e12, 110), (f64::NAN, 0)] {
        reduce(&mut state, Message::ScrubbedTo(wish));
        assert_eq!(state.playback.second(), second);
    }
}

#[test]
fn a_chosen_node_is_inspected_at_the_second_that_is_shown() {
    let mut state = computed();
    reduce(&mut state, Message::ScrubbedTo(12.5));
    let effects = reduce(&mut state, Message::NodeChosen(Some(1)));
    assert_eq!(effects, [Effect::Send(state.generation, Request::Inspect { node: 1, at: 12 })]);
    let effects = reduce(&mut state, Message::StepForward);
    assert_eq!(effects, [Effect::Send(state.generation, Request::Inspect { node: 1, at: 20 })]);
}

#[test]
fn the_same_node_stays_chosen_when_the_cluster_around_it_changes() {
    let mut state = computed();
    reduce(&mut state, Message::NodeChosen(Some(2)));
    edit(&mut state, "other");
    hear(&mut state, Reply::Fleet(fleet(&["0", "a", "b", "c"])));
    assert_eq!(state.selected, Some(3));
    assert_eq!(state.rollout, None, "the old rollout does not fit the new cluster");
    edit(&mut state, "third");
    hear(&mut state, Reply::Fleet(fleet(&["a"])));
    assert_eq!(state.selected, None);
}

#[test]
fn zones_are_the_first_grouping_and_a_person_can_have_none() {
    let mut state = computed();
    assert_eq!(state.group_by.as_deref(), Some(ZONE_LABEL));
    reduce(&mut state, Message::GroupingChosen(None));
    hear(&mut state, Reply::Fleet(fleet(&["a", "b", "c"])));
    assert_eq!(state.group_by, None);
}

#[test]
fn a_knob_left_empty_says_what_the_change_says() {
    let mut state = computed();
    assert_eq!(reduce(&mut state, Message::KnobTurned(Knob::MaxUnavailable, Rc::from(" 25% "))), [Effect::ComputeSoon]);
    assert_eq!(state.input().knobs.max_unavailable.as_deref(), Some("25%"));
    reduce(&mut state, Message::KnobTurned(Knob::MaxUnavailable, Rc::from("")));
    assert_eq!(state.input().knobs, Knobs::default());
    assert_eq!(reduce(&mut state, Message::KnobTurned(Knob::ReadyAfter, Rc::from("soon"))), []);
}

#[test]
fn a_knob_of_the_world_edits_its_text_and_shows_it_at_once() {
    let mut state = computed();
    let text: Rc<str> = Rc::from("timings: {podGoneAfter: 5s} # soon gone\n");
    reduce(&mut state, Message::Edited(DocumentId::World, text));
    let turned = reduce(&mut state, Message::KnobTurned(Knob::GoneAfter, Rc::from("7")));
    assert_eq!(turned, [Effect::ComputeSoon]);
    assert_eq!(&*state.document(DocumentId::World).text, "timings: {podGoneAfter: 7s} # soon gone\n");
    assert_eq!(state.world[2], "7s");
    reduce(&mut state, Message::KnobTurned(Knob::Version, Rc::from("1.29")));
    assert!(state.input().documents[3].ends_with("kubernetesVersion: \"1.29\"\n"));
    assert_eq!(state.input().knobs, Knobs::default());
}

const WHOLE: &str = "apiVersion: rollcast.dev/v1alpha1\nkind: Scenario\ncluster: {pools: [{name: w}]}\nseed: 3\n";

#[test]
fn an_opened_scenario_is_taken_apart_into_the_documents_and_resets_what_was_tried() {
    let mut state = computed();
    reduce(&mut state, Message::KnobTurned(Knob::MaxSurge, Rc::from("1")));
    reduce(&mut state, Message::DumpGiven(5_000_000, "a.json".into()));
    assert_eq!(reduce(&mut state, Message::Opened(Rc::from(WHOLE))), [Effect::ComputeSoon]);
    assert!(state.input().whole && state.tab == DocumentId::World);
    let parts = crate::file::take_apart(WHOLE).unwrap();
    assert_eq!(hear(&mut state, Reply::TakenApart(parts)), [Effect::ComputeSoon]);
    let input = state.input();
    assert_eq!(input.documents, ["", "", "{pools: [{name: w}]}\n", "seed: 3\n"]);
    assert_eq!((input.whole, input.dump, input.knobs), (false, None, Knobs::default()));
}

#[test]
fn a_scenario_that_cannot_be_read_stays_whole_until_it_can_or_is_none() {
    let mut state = computed();
    reduce(&mut state, Message::Opened(Rc::from("kind: Scenario\nx: [")));
    reduce(&mut state, Message::Edited(DocumentId::World, Rc::from(WHOLE)));
    assert!(state.whole);
    assert_eq!(reduce(&mut state, Message::SaveAsked), [Effect::Save(WHOLE.into())]);
    reduce(&mut state, Message::Edited(DocumentId::World, Rc::from("seed: 1")));
    assert!(!state.whole);
}

#[test]
fn what_is_no_scenario_or_too_large_changes_nothing_and_says_so() {
    let mut state = computed();
    let before = state.input();
    assert_eq!(reduce(&mut state, Message::Opened(Rc::from("<script>alert(1)</script>"))), []);
    assert_eq!(state.note, Some(Note::NoScenario));
    assert_eq!(reduce(&mut state, Message::TooLarge(10_000_000)), []);
    assert_eq!((state.note, state.input()), (Some(Note::TooLarge(10_000_000)), before));
    reduce(&mut state, Message::NoteDismissed);
    assert_eq!(state.note, None);
}

#[test]
fn a_scenario_is_saved_as_it_is_played() {
    let mut state = computed();
    let [effect] = &reduce(&mut state, Message::SaveAsked)[..] else { panic!("one effect") };
    let Effect::Save(text) = effect else { panic!("{effect:?}") };
    assert!(text.starts_with("apiVersion: rollcast.dev/v1alpha1\nkind: Scenario\nworld: 1\ncluster:\n"), "{text}");
}

#[test]
fn what_a_person_writes_into_a_knob_stays_until_it_is_said() {
    let mut state = computed();
    assert_eq!(reduce(&mut state, Message::KnobWritten(Knob::ReadyAfter, Rc::from("3x"))), []);
    hear(&mut state, Reply::Outlook(Box::new(outlook(1))));
    assert_eq!(state.knob_draft, Some((Knob::ReadyAfter, Rc::from("3x"))));
    assert_eq!(&*state.document(DocumentId::World).text, "world: 1");
    reduce(&mut state, Message::KnobTurned(Knob::ReadyAfter, Rc::from("3x")));
    assert_eq!(state.knob_draft, None, "no number: the knob shows what holds again");
}

#[test]
fn a_dump_stands_in_for_the_clusters_text_until_it_is_removed() {
    let mut state = computed();
    assert_eq!(reduce(&mut state, Message::DumpGiven(50_000_000, "".into())), [Effect::ComputeSoon]);
    assert_eq!(state.input().dump, Some(Dump { number: 1, bytes: 50_000_000, name: String::new() }));
    reduce(&mut state, Message::DumpGiven(50_000_000, "".into()));
    assert_eq!(state.input().dump.map(|dump| dump.number), Some(2), "of the same size, and another one");
    assert_eq!(reduce(&mut state, Message::DumpRemoved), [Effect::ComputeSoon]);
    assert_eq!(state.input().dump, None);
    assert_eq!(state.input().documents[2], "cluster");
}

#[test]
fn another_language_says_the_same_things_again_without_playing_again() {
    let mut state = computed();
    reduce(&mut state, Message::NodeChosen(Some(0)));
    let generation = state.generation;
    let effects = reduce(&mut state, Message::LanguageToggled);
    assert_eq!(
        effects,
        [
            Effect::Remember,
            Effect::Send(generation, Request::Translate(Language::Chinese)),
            Effect::Send(generation, Request::Inspect { node: 0, at: 0 }),
        ]
    );
    assert_eq!(state.generation, generation);
}

#[test]
fn a_place_opens_its_document_and_the_same_place_can_be_asked_for_twice() {
    let mut state = computed();
    let place = Place { document: DocumentId::DaemonSet, line: 3, from: 10, to: 12 };
    reduce(&mut state, Message::PlaceChosen(place.clone()));
    assert_eq!((state.tab, state.pane), (DocumentId::DaemonSet, Pane::Editor));
    let first = state.jump.clone();
    reduce(&mut state, Message::PlaceChosen(place));
    assert_ne!(state.jump, first);
}

#[test]
fn searching_chooses_the_node() {
    let mut state = computed();
    let effects = reduce(&mut state, Message::Searched(Rc::from("b")));
    assert_eq!(state.selected, Some(1));
    assert_eq!(effects.len(), 1);
    reduce(&mut state, Message::Searched(Rc::from("nowhere")));
    assert_eq!(state.selected, Some(1));
}

fn outlook(done: u32) -> Outlook {
    Outlook {
        progress: OutlookProgress::Playing { done, total: 100 },
        few_plays: false,
        forecast: None,
        settings: Vec::new(),
        assumptions: Vec::new(),
    }
}

#[test]
fn plays_fill_up_and_those_of_another_input_or_rollout_are_dropped() {
    let mut state = computed();
    let generation = state.generation;
    hear(&mut state, Reply::Outlook(Box::new(outlook(1))));
    hear(&mut state, Reply::Outlook(Box::new(outlook(2))));
    hear_of(&mut state, generation.wrapping_sub(1), Reply::Outlook(Box::new(outlook(99))));
    assert_eq!(state.outlook.as_deref(), Some(&outlook(2)));
    hear_rollout(&mut state, rollout(3, 1));
    assert_eq!(state.outlook, None);
    hear(&mut state, Reply::Outlook(Box::new(outlook(3))));
    hear(&mut state, Reply::Nothing(Nothing::Refused));
    assert!(state.outlook.is_some(), "what is seen is from before");
    hear(&mut state, Reply::Nothing(Nothing::NoNodes));
    assert_eq!(state.outlook, None);
}

#[test]
fn a_person_who_has_seen_enough_plays_stops_them() {
    let mut state = computed();
    let generation = state.generation;
    assert_eq!(reduce(&mut state, Message::OutlookStopped), [Effect::Send(generation, Request::Stop)]);
}

#[test]
fn asking_why_lets_go_of_the_node_and_shows_the_pane() {
    let mut state = computed();
    reduce(&mut state, Message::NodeChosen(Some(1)));
    assert_eq!(reduce(&mut state, Message::WhyAsked), []);
    assert_eq!((state.selected, state.pane), (None, Pane::Inspector));
}

#[test]
fn a_command_is_copied_and_says_so_until_the_next_rollout() {
    let mut state = computed();
    let command: Rc<str> = Rc::from("kubectl get nodes");
    assert_eq!(reduce(&mut state, Message::CopyAsked(Rc::clone(&command))), [Effect::Copy(Rc::clone(&command))]);
    assert_eq!(state.copied, None);
    reduce(&mut state, Message::Copied(Rc::clone(&command)));
    assert_eq!(state.copied, Some(command));
    hear_rollout(&mut state, rollout(3, 1));
    assert_eq!(state.copied, None);
}

#[test]
fn a_notice_can_be_closed_unless_the_worker_is_gone() {
    let mut state = computed();
    reduce(&mut state, Message::WorkerFell(Rc::from("boom")));
    reduce(&mut state, Message::NoticeDismissed);
    assert!(state.fall_seen);
    reduce(&mut state, Message::WorkerFell(Rc::from("boom")));
    assert!(!state.fall_seen);
    reduce(&mut state, Message::NoticeDismissed);
    assert!(!state.fall_seen);
}

#[test]
fn the_theme_follows_the_system_until_a_person_chooses() {
    let mut state = computed();
    assert!(!state.is_dark());
    reduce(&mut state, Message::SystemThemeSeen { dark: true });
    assert!(state.is_dark());
    assert_eq!(reduce(&mut state, Message::ThemeToggled), [Effect::Remember]);
    assert_eq!(state.theme, Theme::Light);
    reduce(&mut state, Message::SystemThemeSeen { dark: true });
    assert!(!state.is_dark());
}
