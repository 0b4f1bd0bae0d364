use std::time::Duration;

use super::*;
use crate::scenario::read_scenario;

const AGENT: &str = "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent}, spec: {selector: {matchLabels: \
                     {app: agent}}, template: {metadata: {labels: {app: agent}}, spec: {containers: [{name: main, \
                     image: 'agent:1'}]}}}}";

fn traced(events: &str) -> String {
    let change = AGENT.replace("agent:1", "agent:2");
    let text = format!(
        "apiVersion: rollcast.dev/v1alpha1\nkind: Scenario\ncluster: {{pools: [{{name: w, count: 3}}]}}\nseed: 7\n\
         daemonSet: {AGENT}\nchange: {change}\ntimings: {{podReadyAfter: {{median: 20s, p95: 45s}}}}\nevents: {events}\n"
    );
    let (scenario, problems) = read_scenario(text.as_bytes());
    assert_eq!(problems, []);
    let scenario = scenario.unwrap();
    let mut world = scenario.world();
    let summary = world.run_to_end();
    trace_of(&world, &scenario.daemon_set, &scenario.options, &summary)
}

fn fault(text: &str) -> (u32, TraceProblem) {
    let TraceFault { line, problem } = read_trace(text.as_bytes()).unwrap_err();
    (line, problem)
}

#[test]
fn a_trace_tells_what_was_done_decided_and_seen() {
    let text = traced("[{at: 30s, nodeNotReady: {node: w-3}}, {at: 10m, nodeReady: {node: w-3}}]");
    let trace = read_trace(text.as_bytes()).unwrap();
    assert_eq!((trace.header.daemon_set.to_string().as_str(), trace.header.seed), ("default/agent", 7));
    assert_eq!(trace.header.nodes.len(), 1);
    assert_eq!(trace.header.nodes[0].nodes, ["w-1", "w-2", "w-3"]);
    let done: Vec<(u64, &str)> = trace
        .moments
        .iter()
        .flat_map(|moment| &moment.done)
        .map(|mark| (mark.at / 1_000_000, mark.about.as_str()))
        .collect();
    assert_eq!(done, [(0, "agent"), (30, "w-3"), (600, "w-3")]);
    let first = &trace.moments[0].decided;
    let kinds: Vec<(&str, u32)> = first.iter().map(|decision| (decision.reason.as_str(), decision.count)).collect();
    assert_eq!(kinds, [("NewTemplate", 1), ("OutdatedWithinBudget", 1)]);
    assert_eq!(first[1].because, serde_json::json!({"unavailable": 0, "limit": 1}));
    assert_eq!(trace.end.end, TraceOutcome::Complete);
    assert_eq!((trace.end.eligible, trace.end.finished), (3, 3));
    assert!(trace.moments.iter().any(|moment| moment.counters.terminating == 1));
}

#[test]
fn equal_plays_have_equal_traces_and_others_have_others() {
    let text = traced("[]");
    assert_eq!(hash(text.as_bytes()), hash(traced("[]").as_bytes()));
    let other = traced("[{at: 1s, cordon: {node: w-2}}]");
    assert_ne!(hash(text.as_bytes()), hash(other.as_bytes()));
    assert_eq!(hash(b"").to_string(), "cbf29ce484222325");
    assert_eq!(hash(b"a").to_string(), "af63dc4c8601ec8c");
}

#[test]
fn a_play_that_has_not_ended_leaves_a_whole_trace_that_says_so() {
    let text = format!(
        "apiVersion: rollcast.dev/v1alpha1\nkind: Scenario\ncluster: {{pools: [{{name: w}}]}}\nchange: {AGENT}\n\
         events: [{{at: 1s, removeNode: {{node: w-1}}}}]"
    );
    let scenario = read_scenario(text.as_bytes()).0.unwrap();
    let mut world = scenario.world();
    world.run_until(Duration::from_secs(3));
    // The trace is of what there is, whoever ended it.
    let text = trace_of(&world, &scenario.daemon_set, &scenario.options, &world.summary());
    assert_eq!(read_trace(text.as_bytes()).unwrap().end.end, TraceOutcome::Interrupted);
}

#[test]
fn a_trace_that_is_not_whole_is_told_from_one_that_is() {
    let text = traced("[]");
    let lines = u32::try_from(text.lines().count()).unwrap();
    assert_eq!(fault(""), (1, TraceProblem::NotATrace));
    assert_eq!(fault("hello\n"), (1, TraceProblem::NotATrace));
    assert_eq!(fault("{\"apiVersion\":\"v1\",\"kind\":\"List\"}\n"), (1, TraceProblem::NotATrace));
    let other = text.replace("v1alpha1", "v9");
    assert_eq!(fault(&other), (1, TraceProblem::OtherVersion { written: "rollcast.dev/v9".into() }));
    assert_eq!(read_trace(b"{}\n\xff").unwrap_err().problem, TraceProblem::NotUtf8);
    for cut in [1, 40, text.len() / 2, text.len() - 90, text.len() - 1] {
        let (line, problem) = fault(&text[..cut]);
        assert!(
            problem == TraceProblem::CutShort || (cut == 1 && problem == TraceProblem::NotATrace),
            "{cut}: {problem:?}"
        );
        assert!(line <= lines);
    }
    let whole_lines: Vec<&str> = text.split_inclusive('\n').collect();
    let without_end = whole_lines[..whole_lines.len() - 1].concat();
    assert_eq!(fault(&without_end), (lines - 1, TraceProblem::CutShort));
    let mut without_one = whole_lines.clone();
    without_one.remove(3);
    assert_eq!(
        fault(&without_one.concat()),
        (lines - 1, TraceProblem::MomentsMissing { written: lines - 2, found: lines - 3 })
    );
    let edited = text.replacen("\"ready\":3", "\"ready\":2", 1);
    assert_eq!(fault(&edited), (lines, TraceProblem::HashDiffers));
    let mut swapped = whole_lines.clone();
    swapped.swap(2, 4);
    assert!(matches!(fault(&swapped.concat()).1, TraceProblem::BackInTime));
    assert_eq!(fault(&(text.clone() + "{}\n")), (lines + 1, TraceProblem::BehindTheEnd));
    let unknown = text.replacen("\"counters\"", "\"countres\"", 1);
    assert!(matches!(fault(&unknown), (2, TraceProblem::BadLine { detail }) if detail.contains("countres")));
}
