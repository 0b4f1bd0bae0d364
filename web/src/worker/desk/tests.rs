use super::*;
use crate::model::{Ending, Mark, OutlookProgress, Tone};
use crate::pack::{packed, unpacked};
use crate::scenario;
use crate::state::{self, Dump, Knobs};

fn input() -> Box<Input> {
    Box::new(Input {
        documents: scenario::documents().map(|text| text.to_string()),
        knobs: Knobs::default(),
        language: state::Language::English,
        dump: None,
        whole: false,
    })
}

/// Works until the desk is empty; the heads of all answers, and the last rollout.
fn finish(desk: &mut Desk) -> (Vec<Reply>, Option<Rollout>) {
    let (mut heads, mut rollout) = (Vec::new(), None);
    while !desk.is_idle() {
        if let Some(Answer { mut head, body }) = desk.work() {
            if let Reply::Rollout(summary) = &*head {
                rollout = Rollout::from_bytes(&body, summary.clone());
            }
            // Many plays are seen in a test of their own.
            if matches!(*head, Reply::Outlook(_)) {
                desk.outlook = None;
            }
            // What the page receives is what was said.
            assert_eq!(unpacked::<Box<Reply>>(&packed(&mut head)).as_ref(), Some(&head));
            heads.push(*head);
        }
    }
    (heads, rollout)
}

/// Works once; what is said then.
fn said(desk: &mut Desk) -> Option<Reply> {
    desk.work().map(|answer| *answer.head)
}

fn computed(input: Box<Input>) -> (Desk, Vec<Reply>, Option<Rollout>) {
    let mut desk = Desk::default();
    desk.accept(1, Request::Compute(input));
    let (heads, rollout) = finish(&mut desk);
    (desk, heads, rollout)
}

/// The names that the timeline gives its numbers to.
fn names(desk: &Desk) -> Vec<String> {
    let played = desk.done.as_ref().unwrap().played.as_ref().unwrap();
    played.timeline.node_names().iter().map(ToString::to_string).collect()
}

fn inspected(desk: &mut Desk, node: u32, at: u32) -> crate::model::Inspection {
    desk.accept(1, Request::Inspect { node, at });
    match finish(desk).0.pop() {
        Some(Reply::Inspection(inspection)) => *inspection,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_built_in_scenario_replaces_every_pod_within_its_budget() {
    let (desk, heads, rollout) = computed(input());
    let Some(Reply::Reviewed(reviewed)) = heads.first() else { panic!("{heads:?}") };
    assert_eq!(reviewed.problems, [const { Vec::new() }; 4]);
    assert_eq!(reviewed.world, ["20s", "40s", "10s", "", "", "", "1.36"]);
    let rollout = rollout.unwrap();
    assert_eq!(rollout.summary.ending, Ending::Finished);
    assert_eq!(rollout.summary.floor, Some(259));
    assert_eq!(rollout.summary.fewest_available, 259);
    assert_eq!(rollout.summary.written, ["10%", "0", "10"].map(String::from));
    let end = rollout.counters(rollout.ends_at());
    assert_eq!((end.desired, end.up_to_date, end.available), (288, 288, 288));
    let fleet = heads.iter().find_map(|head| match head {
        Reply::Fleet(fleet) => Some(fleet),
        _ => None,
    });
    let fleet = fleet.unwrap();
    assert_eq!(fleet.names, names(&desk), "tiles and names go by the same numbers");
    assert_eq!(fleet.initials.matches('T').count(), 3);
}

#[test]
fn a_newer_input_drops_what_is_under_way_and_an_older_one_is_not_heard() {
    let mut desk = Desk::default();
    desk.accept(5, Request::Compute(input()));
    for _ in 0..5 {
        desk.work();
    }
    let mut newer = input();
    newer.documents[2] = "name=n,count=3".into();
    desk.accept(6, Request::Compute(newer));
    desk.accept(5, Request::Compute(input()));
    desk.accept(5, Request::Inspect { node: 0, at: 0 });
    assert_eq!(desk.generation(), 6);
    let (heads, rollout) = finish(&mut desk);
    assert_eq!(rollout.unwrap().timeline.node_count(), 3);
    assert!(!heads.iter().any(|head| matches!(head, Reply::Inspection(_))));
}

#[test]
fn an_inspection_says_why_and_what_comes_next() {
    let (mut desk, _, rollout) = computed(input());
    let rollout = rollout.unwrap();
    let names = names(&desk);
    let number = |name: &str| {
        let found = names.iter().position(|other| other == name);
        u32::try_from(found.unwrap()).unwrap()
    };
    let waiting = inspected(&mut desk, number("node-c-40"), 0);
    assert_eq!(waiting.tone, Tone::Waiting);
    assert!(waiting.explanation.contains("29 of 29"), "{}", waiting.explanation);
    assert!(waiting.next.contains("delete pod in"), "{}", waiting.next);
    assert!(waiting.checks.iter().all(|check| check.mark == Mark::Passed));
    let selector = waiting.checks.iter().find(|check| check.name.contains("kubernetes.io/os")).unwrap();
    let line = selector.place.as_ref().unwrap().line;
    assert!(input().documents[1].lines().nth(line as usize - 1).unwrap().contains("kubernetes.io/os: linux"));

    let excluded = inspected(&mut desk, number("control-plane-1"), 0);
    assert_eq!(excluded.tone, Tone::Neutral);
    assert!(excluded.explanation.contains("node-role.kubernetes.io/control-plane"), "{}", excluded.explanation);
    assert!(excluded.checks.iter().any(|check| check.mark == Mark::Failed));
    assert!(excluded.pods.is_empty());

    let done = inspected(&mut desk, number("node-a-01"), rollout.ends_at());
    assert_eq!((done.tone, done.next.as_str()), (Tone::Good, "nothing"));
}

#[test]
fn a_rollout_that_stops_names_the_reason_and_the_nodes() {
    let mut input = input();
    // The new pod needs more than a node has.
    input.documents[1] =
        input.documents[1].replace("memory: 256Mi}", "memory: 1Ti}").replace("{memory: 512Mi}", "{memory: 1Ti}");
    let (mut desk, _, rollout) = computed(input);
    let rollout = rollout.unwrap();
    let Ending::Stopped { nodes, reason, .. } = &rollout.summary.ending else { panic!("{:?}", rollout.summary.ending) };
    assert_eq!(*nodes, 288);
    assert!(!reason.is_empty());
    let stuck = (0..rollout.timeline.node_count())
        .find(|node| rollout.timeline.state_at(u32::MAX).tile(*node) == rollcast_core::sim::Tile::Pending);
    let inspection = inspected(&mut desk, stuck.unwrap(), rollout.ends_at());
    assert_eq!(inspection.tone, Tone::Bad);
    assert!(inspection.explanation.contains("memory"), "{}", inspection.explanation);
}

#[test]
fn what_cannot_be_shown_says_why() {
    let cases: [(&str, &str, Nothing); 3] = [
        ("", "name=n,count=3", Nothing::NoDaemonSet),
        (&scenario::documents()[0], "", Nothing::NoNodes),
        (
            &scenario::documents()[0],
            "name=a,count=200000\nname=b,count=1",
            Nothing::TooBig { nodes: 200_001, limit: 200_000 },
        ),
    ];
    for (daemon_set, cluster, expected) in cases {
        let mut input = input();
        input.documents = [daemon_set.into(), String::new(), cluster.into(), String::new()];
        let (_, heads, _) = computed(input);
        assert_eq!(heads.last(), Some(&Reply::Nothing(expected)));
    }
    let mut input = input();
    input.documents[1] = input.documents[1].replace("image:", "imagee:");
    assert_eq!(computed(input).1.last(), Some(&Reply::Nothing(Nothing::Refused)));
}

#[test]
fn the_same_is_said_in_chinese_without_playing_again() {
    let mut input = input();
    input.documents[1] += "  surprise: 1\n";
    let (mut desk, ..) = computed(input);
    desk.accept(1, Request::Translate(state::Language::Chinese));
    let Some(Reply::Reviewed(reviewed)) = said(&mut desk) else { panic!("no problems") };
    let [_, change, ..] = reviewed.problems;
    assert!(change.iter().any(|problem| problem.message.chars().any(|character| character > '\u{4e00}')));
}

/// What kubectl prints of so many nodes, each with about two kilobytes beside what is read.
fn dump(nodes: usize) -> String {
    let node = |number: usize| {
        let name = format!("node-{number:04}");
        let filler = "x".repeat(2_000);
        format!(
            r#"{{"apiVersion":"v1","kind":"Node","metadata":{{"name":"{name}","labels":{{"kubernetes.io/os":"linux"}},"annotations":{{"a":"{filler}"}}}},"status":{{"allocatable":{{"cpu":"4","memory":"8Gi","pods":"110"}},"conditions":[{{"type":"Ready","status":"True"}}]}}}}"#
        )
    };
    let items: Vec<String> = (0..nodes).map(node).collect();
    format!(r#"{{"apiVersion":"v1","kind":"List","items":[{}]}}"#, items.join(",\n"))
}

#[test]
fn a_dump_that_is_too_large_for_a_document_is_read_in_pieces_and_once() {
    let mut input = input();
    input.documents[2] = dump(2_500);
    assert!(input.documents[2].len() > 5_000_000);
    let reads = |heads: &[Reply]| {
        heads.iter().filter(|head| matches!(head, Reply::Progress { phase: Phase::Reading, .. })).count()
    };
    let (mut desk, heads, rollout) = computed(input.clone());
    assert!(reads(&heads) > 1, "{}", reads(&heads));
    assert_eq!(rollout.unwrap().counters(0).desired, 2_500);
    input.knobs.max_unavailable = Some("50%".into());
    desk.accept(2, Request::Compute(input));
    let (heads, rollout) = finish(&mut desk);
    assert_eq!((reads(&heads), rollout.unwrap().summary.floor), (0, Some(1_250)));
}

fn cluster_problems(heads: &[Reply]) -> Vec<crate::model::Problem> {
    let reviewed = heads.iter().find_map(|head| match head {
        Reply::Reviewed(reviewed) => Some(reviewed.clone()),
        _ => None,
    });
    let [_, _, cluster, _] = reviewed.unwrap().problems;
    cluster
}

struct Kept(Vec<u8>);

impl Source for Kept {
    fn piece(&self, from: u64, length: u64) -> Option<Vec<u8>> {
        let rest = self.0.get(usize::try_from(from).ok()?..)?;
        Some(rest.iter().copied().take(usize::try_from(length).ok()?).collect())
    }
}

#[test]
fn a_dump_that_came_beside_the_texts_stands_in_for_the_clusters() {
    let mut input = input();
    let text = dump(400);
    input.dump = Some(Dump { number: 1, bytes: text.len() as u64, name: "a".into() });
    let mut desk = Desk::default();
    desk.attach(Rc::new(Kept(text.clone().into_bytes())));
    desk.accept(1, Request::Compute(input.clone()));
    assert_eq!(finish(&mut desk).1.unwrap().counters(0).desired, 400);

    let cut = text.as_bytes()[..text.len() / 2].to_vec();
    input.dump = Some(Dump { number: 2, bytes: cut.len() as u64, name: "b".into() });
    desk.attach(Rc::new(Kept(cut)));
    desk.accept(2, Request::Compute(input));
    let (heads, _) = finish(&mut desk);
    let problems = cluster_problems(&heads);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!((problems[0].from, problems[0].to), (0, 0), "there is no text to jump to");
    assert!(problems[0].line > 100, "and still its line: {problems:?}");
}

#[test]
fn what_is_wrong_in_a_dump_is_told_at_its_line() {
    let mut input = input();
    input.documents[2] = dump(2_500).replacen(r#""cpu":"4""#, r#""cpu":"中文""#, 1);
    let (_, heads, _) = computed(input.clone());
    let problems = cluster_problems(&heads);
    let problem = problems.first().unwrap();
    let line = input.documents[2].lines().nth(problem.line as usize - 1).unwrap();
    assert!(line.contains("中文"), "{problem:?}");
    let text: Vec<u16> = input.documents[2].encode_utf16().collect();
    let marked = String::from_utf16(&text[problem.from as usize..problem.to as usize]).unwrap();
    assert!(marked.contains("中文"), "{marked}");
}

fn small() -> Box<Input> {
    let mut input = input();
    input.documents[2] = "name=n,count=20".into();
    input
}

/// What was told about many plays, one after the other.
fn outlooks(desk: &mut Desk) -> Vec<crate::model::Outlook> {
    let mut told = Vec::new();
    while !desk.is_idle() {
        if let Some(Reply::Outlook(outlook)) = said(desk) {
            told.push(*outlook);
        }
    }
    told
}

#[test]
fn many_plays_say_how_long_and_how_risky_and_set_settings_side_by_side() {
    let mut desk = Desk::default();
    desk.accept(1, Request::Compute(small()));
    let told = outlooks(&mut desk);
    let progress: Vec<u32> = told
        .iter()
        .filter_map(|outlook| match outlook.progress {
            OutlookProgress::Playing { done, .. } => Some(done),
            _ => None,
        })
        .collect();
    assert!(progress.len() > 20 && progress.is_sorted(), "{progress:?}");
    let last = told.last().unwrap();
    assert_eq!(last.progress, OutlookProgress::Done(200 + 9 * 40));
    let own: Vec<_> = last.settings.iter().filter(|setting| setting.own).collect();
    assert_eq!(own.len(), 1);
    assert_eq!(own[0].name, "maxUnavailable 10%");
    assert!(own[0].p50 < own[0].p95, "start-up times are drawn: {own:?}");
    assert_eq!((own[0].fewest_available, own[0].plays, own[0].finished), (18, 200, 200));
    let one = last.settings.iter().find(|setting| setting.name == "maxUnavailable 1").unwrap();
    assert!(one.p50 > own[0].p50);
    assert!(last.forecast.as_ref().unwrap().headline.contains("p95"));
    assert!(last.assumptions.iter().any(|line| line.contains("20 s")), "{:?}", last.assumptions);
}

#[test]
fn plays_give_way_to_questions_and_end_when_the_person_has_seen_enough() {
    let mut desk = Desk::default();
    desk.accept(1, Request::Compute(small()));
    while !matches!(said(&mut desk), Some(Reply::Outlook(_))) {}
    desk.accept(1, Request::Inspect { node: 0, at: 0 });
    assert!(matches!(said(&mut desk), Some(Reply::Inspection(_))));
    for _ in 0..300 {
        desk.work();
    }
    desk.accept(1, Request::Stop);
    let told = outlooks(&mut desk);
    assert_eq!(told.len(), 1, "once more, and that is all");
    assert!(matches!(told[0].progress, OutlookProgress::Stopped(plays) if plays > 0 && plays < 560));
}

#[test]
fn a_newer_input_drops_the_plays_of_the_older() {
    let mut desk = Desk::default();
    desk.accept(1, Request::Compute(small()));
    while !matches!(said(&mut desk), Some(Reply::Outlook(_))) {}
    let mut refused = small();
    refused.documents[1] = refused.documents[1].replace("image:", "imagee:");
    desk.accept(2, Request::Compute(refused));
    assert_eq!(outlooks(&mut desk), []);
}

#[test]
fn a_large_cluster_is_played_fewer_times_and_says_so() {
    let mut input = small();
    input.documents[2] = "name=n,count=40000".into();
    input.knobs.max_unavailable = Some("100%".into());
    let mut desk = Desk::default();
    desk.accept(1, Request::Compute(input));
    let answered = |outlook: &crate::model::Outlook| outlook.forecast.is_some();
    let told = loop {
        if let Some(Reply::Outlook(outlook)) = said(&mut desk)
            && answered(&outlook)
        {
            break outlook;
        }
    };
    assert!(told.few_plays);
    assert!(
        matches!(told.progress, OutlookProgress::Playing { done: 16, total } if total < 100),
        "{:?}",
        told.progress
    );
    desk.accept(1, Request::Stop);
    assert!(outlooks(&mut desk).len() <= 1, "and can be stopped");
}

#[test]
fn a_rollout_that_stops_is_diagnosed_with_a_command_in_both_languages() {
    let mut input = small();
    input.documents[1] =
        input.documents[1].replace("memory: 256Mi}", "memory: 1Ti}").replace("{memory: 512Mi}", "{memory: 1Ti}");
    let (mut desk, _, rollout) = computed(input);
    let diagnosis = rollout.unwrap().summary.diagnosis.unwrap();
    let command = |diagnosis: &crate::model::Diagnosis| {
        diagnosis.findings.iter().flat_map(|finding| &finding.remedies).find_map(|remedy| remedy.command.clone())
    };
    assert!(command(&diagnosis).unwrap().starts_with("kubectl "), "{diagnosis:?}");
    desk.accept(1, Request::Translate(state::Language::Chinese));
    let (heads, _) = finish(&mut desk);
    let chinese = heads.iter().find_map(|head| match head {
        Reply::Words(summary) => summary.diagnosis.clone(),
        _ => None,
    });
    let chinese = chinese.unwrap();
    assert!(chinese.headline.chars().any(|character| character > '\u{4e00}'), "{}", chinese.headline);
    assert_eq!(command(&chinese), command(&diagnosis));
}

#[test]
fn a_scenario_is_taken_apart_played_and_saved_to_a_file_that_plays_the_same() {
    let mut input = input();
    input.knobs.max_unavailable = Some("5%".into());
    input.documents[3] += "images: {bytes: 480000000, registryBytesPerSecond: 1000000000}\nseed: 7\nevents:\n- {at: 1m, nodeUnreachable: {node: node-a-07}}\n- {at: 0s, behave: {readyAfter: Never, permille: 5}}\n";
    let (desk, _, rollout) = computed(input.clone());
    let own = desk.done.as_ref().unwrap().reading.scenario.clone().unwrap();
    let file = crate::file::compose(&input);
    let (read, problems) = rollcast_core::scenario::read_scenario(file.as_bytes());
    assert_eq!(problems, [], "{file}");
    let trace = |scenario: &rollcast_core::scenario::Scenario| {
        let mut world = scenario.world();
        let summary = world.run_to_end();
        rollcast_core::trace::trace_of(&world, &scenario.daemon_set, &scenario.options, &summary)
    };
    let read = read.unwrap();
    assert_eq!(trace(&read), trace(&own));
    let mut world = read.world();
    world.run_to_end();
    let ends_at = world.timeline().at(world.timeline().len() - 1).as_secs();
    assert_eq!(u64::from(rollout.unwrap().ends_at()), ends_at);

    let mut whole = input;
    (whole.documents[3], whole.whole, whole.knobs) = (file, true, Knobs::default());
    let (_, heads, _) = computed(whole.clone());
    let [Reply::TakenApart(documents)] = heads.as_slice() else { panic!("{heads:?}") };
    (whole.documents, whole.whole) = (documents.clone(), false);
    let (desk, ..) = computed(whole);
    assert_eq!(desk.done.as_ref().unwrap().reading.scenario.as_deref(), Some(&read));
}

#[test]
fn a_world_with_errors_is_not_played_and_says_where() {
    let mut input = input();
    input.documents[3] = "timings: {podReadyAfter: soon}\n".into();
    let (_, heads, rollout) = computed(input.clone());
    let Some(Reply::Reviewed(reviewed)) = heads.first() else { panic!("{heads:?}") };
    assert_eq!(reviewed.problems[3][0].line, 1);
    assert_eq!((heads.last(), rollout), (Some(&Reply::Nothing(Nothing::Faulty)), None));
    // A scenario that cannot be taken apart says why in its own lines.
    input.documents[3] = "apiVersion: rollcast.dev/v9\nkind: Scenario\n".into();
    input.whole = true;
    let (_, heads, _) = computed(input);
    let Some(Reply::Reviewed(reviewed)) = heads.first() else { panic!("{heads:?}") };
    assert_eq!((reviewed.problems[3][0].code.as_str(), reviewed.problems[3][0].line), ("other-version", 1));
}

#[test]
fn trouble_in_the_world_is_played_by_the_rules_of_its_release() {
    let mut input = small();
    input.documents[3] = "kubernetesVersion: '1.30'\nevents:\n- {at: 0s, behave: {readyAfter: Never}}\n- {at: 1m, cordon: {node: n-03}}\n".into();
    let (desk, _, rollout) = computed(input);
    let rollout = rollout.unwrap();
    assert_eq!(rollout.happening(60).map(|event| (event.at, event.message.as_str())), Some((60, "node changed n-03")));
    let summary = rollout.summary;
    assert!(matches!(summary.ending, Ending::Stopped { .. }), "{:?}", summary.ending);
    assert!(summary.diagnosis.is_some());
    let reading = &desk.done.as_ref().unwrap().reading;
    assert_eq!(reading.scenario.as_ref().unwrap().options.version.as_str(), "1.30");
}

#[test]
fn a_first_rollout_starts_from_nothing() {
    let mut input = input();
    input.documents[0].clear();
    let rollout = computed(input).2.unwrap();
    assert_eq!(rollout.summary.ending, Ending::Finished);
    assert_eq!(rollout.counters(rollout.ends_at()).up_to_date, 288);
}

#[test]
#[should_panic(expected = "for a test")]
fn a_panic_can_be_asked_for() {
    Desk::default().accept(1, Request::Panic("for a test".into()));
}
