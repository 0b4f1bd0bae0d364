use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::api::{ConditionStatus, Node, Quantity, ResourceList, Taint, TaintEffect};
use crate::scenario::{ImageSources, MeasuredNumber, MeasuredTime, PoolLabel};
use crate::sim::{
    Behaviour, Cascade, ControlPlane, Distribution, Images, Latencies, NodeSelection, PodSelection, ScenarioEvent,
};

const AGENT: &str = "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent, namespace: ops}, \
                     spec: {selector: {matchLabels: {app: agent}}, template: {metadata: {labels: {app: agent}}, \
                     spec: {containers: [{name: main, image: 'agent:1'}]}}}}";

fn scenario(rest: &str) -> String {
    format!("apiVersion: rollcast.dev/v1alpha1\nkind: Scenario\n{rest}\n")
}

/// A scenario of three nodes `w-1` to `w-3` that run the agent, and what else a test writes.
fn with(rest: &str) -> String {
    scenario(&format!("cluster: {{pools: [{{name: w, count: 3}}]}}\ndaemonSet: {AGENT}\n{rest}"))
}

fn read(text: &str) -> Scenario {
    let (scenario, problems) = read_scenario(text.as_bytes());
    assert_eq!(problems, [], "{text}");
    scenario.unwrap()
}

/// Every problem as `line:column path code`; none of these texts may be played.
fn problems(text: &str) -> Vec<String> {
    let (scenario, problems) = read_scenario(text.as_bytes());
    assert_eq!(scenario, None, "{text}");
    let said = |problem: &Problem| {
        let start = problem.span.start;
        format!("{}:{} {} {}", start.line, start.column, problem.path, problem.kind.code())
    };
    problems.iter().map(said).collect()
}

fn only_problem(text: &str) -> String {
    let all = problems(text);
    assert_eq!(all.len(), 1, "{all:?}");
    all[0].clone()
}

#[test]
fn a_scenario_in_a_few_lines_is_a_cluster_in_which_the_daemon_set_has_long_run() {
    let change = AGENT.replace("agent:1", "agent:2");
    let scenario = read(&with(&format!(
        "change: {change}\nseed: 7\npatience: 1h\ntimings: {{podReadyAfter: {{median: 20s, p95: 45s}}, podGoneAfter: \
         {{least: 1s, most: 3s}}, orphanedPodsGoneAfter: 30s}}\nevents: [{{at: 2m, cordon: {{node: w-2}}}}]"
    )));
    assert_eq!(scenario.daemon_set.to_string(), "ops/agent");
    assert_eq!((scenario.cluster.nodes.len(), scenario.start), (3, Start::Settled));
    let options = &scenario.options;
    assert_eq!((options.seed, options.patience, options.start), (7, Duration::from_hours(1), DEFAULT_START));
    let (median, p95) = (Duration::from_secs(20), Duration::from_secs(45));
    assert_eq!(options.latencies.pod_ready_after, Distribution::LogNormal { median, p95 });
    assert_eq!(scenario.events.len(), 2);
    assert_eq!(scenario.events[0].0, Duration::ZERO);
    assert!(matches!(&scenario.events[0].1, ScenarioEvent::Apply(applied)
        if applied.spec.template.spec().containers[0].image == "agent:2"));
    assert_eq!(scenario.events[1].0, Duration::from_mins(2));
    let summary = scenario.world().run_to_end();
    assert_eq!((summary.eligible, summary.finished), (3, 3));
}

#[test]
fn json_reads_as_well() {
    let text = with("seed: 3");
    let ReadScenario { document, scenario, .. } = read_scenario_with(text.as_bytes(), None, &mut |_, _| unreachable!());
    let json = document.unwrap().to_json().to_string();
    assert_eq!(read(&json), scenario.unwrap());
}

#[test]
fn objects_are_pasted_as_kubectl_prints_them_and_their_pods_are_what_the_play_starts_from() {
    let pod = "{apiVersion: v1, kind: Pod, metadata: {name: agent-x, namespace: ops, labels: {app: agent}, \
               creationTimestamp: '2026-05-01T10:00:00Z', ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, \
               name: agent, uid: u1, controller: true}]}, spec: {nodeName: n1, containers: [{name: main}]}, \
               status: {phase: Running}}";
    let node = "{apiVersion: v1, kind: Node, metadata: {name: n1}}";
    let list = format!("{{apiVersion: v1, kind: List, items: [{node}, {pod}, {AGENT}]}}");
    let text = scenario(&format!("cluster: {{pools: [{{name: w}}], objects: [{list}]}}"));
    let read = read(&text);
    let names: Vec<&str> = read.cluster.nodes.iter().map(|node| node.metadata.name.as_str()).collect();
    assert_eq!((names, read.start), (vec!["w-1", "n1"], Start::Pods));
    assert_eq!(read.cluster.daemon_sets[0].metadata.uid, "u1");
    assert_eq!(read.options.start.to_string(), "2026-05-01T10:00:00Z");
    let early = text.clone() + "startsAt: '2026-04-30T00:00:00Z'\n";
    assert_eq!(only_problem(&early), "4:11 startsAt from-the-future");
}

#[test]
fn several_nodes_in_one_event_are_several_events() {
    let read = read(&with("events: [{at: 1s, nodeUnreachable: {nodes: [w-1, w-3]}}]"));
    let ready = ConditionStatus::Unknown;
    let events: Vec<ScenarioEvent> = read.events.into_iter().map(|(_, event)| event).collect();
    let event = |node| ScenarioEvent::SetNodeReady { node: Text::new(node), ready };
    assert_eq!(events, [event("w-1"), event("w-3")]);
}

#[test]
fn a_node_can_be_named_from_the_time_it_is_there() {
    let node = "{apiVersion: v1, kind: Node, metadata: {name: late}}";
    let event =
        |at: &str| with(&format!("events: [{{at: {at}, cordon: {{node: late}}}}, {{at: 5m, addNode: {node}}}]"));
    assert_eq!(read(&event("6m")).events.len(), 2);
    assert_eq!(only_problem(&event("4m")), "5:27 events[0].cordon unknown-node");
    let twice = with(&format!("events: [{{at: 5m, addNode: {node}}}, {{at: 6m, addNode: {node}}}]"));
    assert!(only_problem(&twice).ends_with("events[1].addNode object-twice"));
    let gone = with("events: [{at: 1m, removeNode: {node: w-1}}, {at: 2m, cordon: {node: w-1}}]");
    assert!(only_problem(&gone).ends_with("events[1].cordon unknown-node"));
}

#[test]
fn an_apply_is_reviewed_as_an_update_of_what_is_there_by_then() {
    let other = AGENT.replace("app: agent}", "app: other}");
    let refused = with(&format!("events: [{{at: 1m, apply: {other}}}]"));
    let all = problems(&refused);
    assert!(all.len() == 1 && all[0].contains("events[0].apply.spec.selector"), "{all:?}");
    let anew = with(&format!("events: [{{at: 1m, deleteDaemonSet: {{}}}}, {{at: 2m, apply: {other}}}]"));
    assert_eq!(read(&anew).events.len(), 2);
    let twice = with("events: [{at: 1m, deleteDaemonSet: {cascade: Orphan}}, {at: 2m, deleteDaemonSet: {}}]");
    assert!(only_problem(&twice).ends_with("events[1].deleteDaemonSet no-daemon-set-then"));
}

#[test]
fn what_the_api_server_would_refuse_is_a_problem_at_its_line() {
    let text = scenario(&format!(
        "cluster: {{pools: [{{name: w}}]}}\ndaemonSet:\n  apiVersion: apps/v1\n  kind: DaemonSet\n  metadata: {{name: a}}\n  \
         spec:\n    selector: {{matchLabels: {{app: agent}}}}\n    template:\n      metadata: {{labels: {{app: other}}}}\n      \
         spec: {{containers: [{{name: m, image: i, imagePullpolicy: Always}}]}}\nchange: {AGENT}"
    ));
    assert_eq!(
        problems(&text),
        [
            "11:18 daemonSet.spec.template.metadata.labels selector-mismatch",
            "12:47 daemonSet.spec.template.spec.containers[0].imagePullpolicy unknown-field",
            "13:9 change other-daemon-set"
        ]
    );
}

#[test]
fn every_problem_shows_in_one_pass_with_path_line_and_column() {
    let text = scenario(
        "cluster:\n  pools:\n  - {name: W, count: 0, allocatable: {cpu: -1, gpu: 1}}\n  - {nmae: x, taints: [{key: a, effect: \
         noschedule}]}\ntimings:\n  podReadyAfter: {least: 5s, most: 2s}\n  podGoneAfter: {median: 9s, p95: 3s}\n  \
         orphanedPodsGoneAfter: 10\nsede: 1\nseed: -1\npatience: -5s\nstart: settled\nevents:\n- at: -2m\n  cordon: \
         {node: w-1}\n- {at: 1m}\n- {at: 1m, cordon: {node: a}, uncordon: {node: a}}\n- {at: 1m, deletePods: {force: \
         maybe}}\n- {at: 1m, cordn: {node: a}}",
    );
    assert_eq!(
        problems(&text),
        [
            "1:1  no-daemon-set",
            "5:12 cluster.pools[0].name node-name",
            "5:22 cluster.pools[0].count number-out-of-range",
            "5:44 cluster.pools[0].allocatable.cpu negative-amount",
            "5:53 cluster.pools[0].allocatable.gpu unknown-resource",
            "6:6 cluster.pools[1].nmae unknown-field",
            "6:6 cluster.pools[1].name missing-key",
            "6:41 cluster.pools[1].taints[0].effect unknown-word",
            "8:18 timings.podReadyAfter impossible-distribution",
            "9:17 timings.podGoneAfter impossible-distribution",
            "10:26 timings.orphanedPodsGoneAfter not-a-duration",
            "11:1 sede unknown-field",
            "12:7 seed number-out-of-range",
            "13:11 patience negative-duration",
            "14:8 start unknown-word",
            "16:7 events[0].at before-start",
            "18:3 events[1] missing-key",
            "19:20 events[2].cordon excludes-another-key",
            "20:24 events[3].deletePods missing-key",
            "20:32 events[3].deletePods.force wrong-type",
            "21:12 events[4].cordn unknown-field",
        ]
    );
    let (_, found) = read_scenario(text.as_bytes());
    let fixes: Vec<&str> =
        found.iter().filter_map(|problem| Some(problem.fix.as_ref()?.replacement.as_str())).collect();
    assert_eq!(fixes, ["NoSchedule", "Settled"]);
}

#[test]
fn what_is_no_scenario_or_one_of_another_version_says_so() {
    assert_eq!(only_problem(AGENT), "1:29 kind not-a-scenario");
    assert_eq!(only_problem("a: 1"), "1:1  not-a-scenario");
    assert_eq!(only_problem("- 1"), "1:1  wrong-type");
    assert_eq!(only_problem(""), "1:1  nothing-to-read");
    assert_eq!(only_problem("kind: Scenario"), "1:1 apiVersion missing-key");
    let text = with("").replace("v1alpha1", "v2");
    assert_eq!(only_problem(&text), "1:13 apiVersion other-version");
    assert_eq!(only_problem(&(with("") + "---\n" + &with(""))), "7:1  second-document");
    let twice = with("").replace("kind: Scenario", "kind: Scenario\ncluster: {pools: [{name: x}]}");
    assert_eq!(only_problem(&twice), "4:1 cluster repeated-key");
}

#[test]
fn a_scenario_needs_one_daemon_set() {
    let cluster = "cluster: {pools: [{name: w}]}";
    assert_eq!(only_problem(&scenario(cluster)), "1:1  no-daemon-set");
    let other = AGENT.replace("name: agent,", "name: other,");
    let both = format!("cluster: {{pools: [{{name: w}}], objects: [{AGENT}, {other}]}}");
    assert_eq!(only_problem(&scenario(&both)), "3:11 cluster several-daemon-sets");
    let chosen = format!("{both}\ndaemonSetRef: {{namespace: ops, name: other}}");
    assert_eq!(read(&scenario(&chosen)).daemon_set.to_string(), "ops/other");
    let changed = format!("{both}\nchange: {other}");
    assert_eq!(read(&scenario(&changed)).daemon_set.to_string(), "ops/other");
    let unknown = format!("{both}\ndaemonSetRef: {{name: other}}");
    assert_eq!(only_problem(&scenario(&unknown)), "4:15 daemonSetRef unknown-daemon-set");
    let twice = format!("cluster: {{pools: [{{name: w}}], objects: [{AGENT}]}}\ndaemonSet: {AGENT}");
    assert_eq!(only_problem(&scenario(&twice)), "4:12 daemonSet object-twice");
    let installed = read(&scenario(&format!("{cluster}\nchange: {AGENT}")));
    assert_eq!((installed.daemon_set.to_string().as_str(), installed.cluster.daemon_sets.len()), ("ops/agent", 0));
    assert_eq!(only_problem(&with("start: Pods")), "5:8 start no-pods");
    let node = "{apiVersion: v1, kind: Node, metadata: {name: a}}";
    assert_eq!(only_problem(&scenario(&format!("{cluster}\ndaemonSet: {node}"))), "4:12 daemonSet other-kind");
}

#[test]
fn more_nodes_than_are_played_are_refused_before_one_is_made() {
    let text = scenario(&format!(
        "cluster: {{pools: [{{name: a, count: 150000}}, {{name: b, count: 150000}}]}}\ndaemonSet: {AGENT}"
    ));
    assert_eq!(only_problem(&text), "3:11 cluster too-many-nodes");
    let twice = scenario(&format!("cluster: {{pools: [{{name: a}}, {{name: a}}]}}\ndaemonSet: {AGENT}"));
    assert_eq!(only_problem(&twice), "3:18 cluster.pools object-twice");
}

#[test]
fn further_files_are_asked_for_by_name() {
    let text = scenario(&format!("cluster: {{files: [nodes.yaml, missing.yaml]}}\ndaemonSet: {AGENT}"));
    let mut asked = Vec::new();
    let ReadScenario { document, scenario, problems } = read_scenario_with(text.as_bytes(), None, &mut |name, _| {
        asked.push(name.clone());
        match name.as_str() {
            "nodes.yaml" => Ok(Snapshot { nodes: NodePool::default().nodes().collect(), ..Snapshot::default() }),
            _ => Err(ScenarioProblem::FilesNotRead),
        }
    });
    assert_eq!((asked.len(), scenario, document.unwrap().files), (2, None, asked));
    let codes: Vec<&str> = problems.iter().map(|problem| problem.kind.code()).collect();
    assert_eq!(codes, ["files-not-read"]);
    assert_eq!(problems[0].path.to_string(), "cluster.files[1]");
}

fn name() -> impl Strategy<Value = Text> {
    "[a-z][a-z0-9]{0,5}".prop_map(Text::from)
}

fn word() -> impl Strategy<Value = Text> {
    // Whatever YAML takes for something else than text.
    prop_oneof![
        "[ -~]{1,8}".prop_map(Text::from),
        Just(Text::new("yes")),
        Just(Text::new("1e3")),
        Just(Text::new("null")),
        Just(Text::new("é\u{2028}:\n"))
    ]
}

fn duration() -> impl Strategy<Value = Duration> {
    prop_oneof![(0..600_u64).prop_map(Duration::from_secs), (0..1_u64 << 40).prop_map(Duration::from_micros)]
}

fn distribution() -> impl Strategy<Value = Distribution> {
    prop_oneof![
        duration().prop_map(Distribution::Constant),
        (duration(), duration())
            .prop_map(|(one, other)| { Distribution::Uniform { least: one.min(other), most: one.max(other) } }),
        (duration(), duration()).prop_map(|(one, other)| {
            let median = one.min(other).max(Duration::from_micros(1));
            Distribution::LogNormal { median, p95: one.max(other).max(median) }
        })
    ]
}

fn resources() -> impl Strategy<Value = ResourceList> {
    let resource = prop_oneof![Just("cpu"), Just("memory"), Just("nvidia.com/gpu"), Just("hugepages-2Mi")];
    let amount = (0..1_i64 << 40).prop_map(Quantity::from_millis);
    proptest::collection::vec((resource.prop_map(Text::new_static), amount), 0..4)
        .prop_map(|pairs| pairs.into_iter().collect())
}

fn taint() -> impl Strategy<Value = Taint> {
    let effect =
        prop_oneof![Just(TaintEffect::NoSchedule), Just(TaintEffect::PreferNoSchedule), Just(TaintEffect::NoExecute)];
    (word(), prop_oneof![Just(Text::default()), word()], effect).prop_map(|(key, value, effect)| Taint {
        key,
        value,
        effect,
    })
}

fn pool() -> impl Strategy<Value = NodePool> {
    let labels = proptest::collection::btree_map(name(), proptest::collection::vec(name(), 1..3), 0..3)
        .prop_map(|labels| labels.into_iter().map(|(key, values)| PoolLabel { key, values }).collect());
    let taints = proptest::collection::vec(taint(), 0..3);
    (name(), 1..4_u32, resources(), labels, taints, any::<bool>(), any::<bool>()).prop_map(
        |(name, count, more, labels, taints, cordoned, not_ready)| {
            let mut allocatable = NodePool::default().allocatable;
            more.iter().for_each(|(resource, amount)| allocatable.set(resource.clone(), amount));
            NodePool { name, count, allocatable, labels, taints, cordoned, not_ready }
        },
    )
}

fn selected() -> impl Strategy<Value = NodeSelection> {
    let names = proptest::option::of(proptest::collection::vec(name(), 1..3));
    names.prop_map(|names| names.map_or(NodeSelection::All, NodeSelection::Named))
}

prop_compose! {
    fn control_plane()(
        (write_latency, watch_delay, scheduling_delay) in (distribution(), distribution(), distribution()),
        (qps, burst, scheduler_pods_per_second) in (any::<u32>(), any::<u32>(), any::<u32>()),
        permille in [0..=1_000_u16, 0..=1_000_u16, 0..=1_000_u16, 0..=1_000_u16],
    ) -> ControlPlane {
        let [too_many_requests_permille, rejected_permille, lost_done_permille, lost_undone_permille] = permille;
        ControlPlane {
            write_latency,
            watch_delay,
            qps,
            burst,
            too_many_requests_permille,
            rejected_permille,
            lost_done_permille,
            lost_undone_permille,
            scheduling_delay,
            scheduler_pods_per_second,
        }
    }
}

prop_compose! {
    fn images()(
        (bytes, registry_bytes_per_second, node_bytes_per_second) in (any::<u64>(), 1..=u64::MAX, 1..=u64::MAX),
        (parallel_pulls, cached_permille) in (proptest::option::of(1..=u32::MAX), 0..=1_000_u16),
    ) -> Images {
        Images { bytes, registry_bytes_per_second, node_bytes_per_second, parallel_pulls, cached_permille }
    }
}

fn event() -> impl Strategy<Value = ScenarioEvent> {
    let pods = || prop_oneof![name().prop_map(PodSelection::Named), name().prop_map(PodSelection::OnNode)];
    let time = || proptest::option::of(distribution());
    prop_oneof![
        prop_oneof![Just(Cascade::Background), Just(Cascade::Foreground), Just(Cascade::Orphan)]
            .prop_map(ScenarioEvent::DeleteDaemonSet),
        name().prop_map(|name| {
            let node = NodePool { name, ..NodePool::default() }.nodes().next();
            ScenarioEvent::AddNode(Box::new(node.unwrap()))
        }),
        name().prop_map(ScenarioEvent::RemoveNode),
        (name(), word(), proptest::option::of(name())).prop_map(|(node, key, value)| ScenarioEvent::SetLabel {
            node,
            key,
            value
        }),
        (name(), taint()).prop_map(|(node, taint)| ScenarioEvent::AddTaint { node, taint }),
        (name(), taint(), any::<bool>()).prop_map(|(node, taint, every)| {
            let effect = if every { TaintEffect::Unset } else { taint.effect };
            ScenarioEvent::RemoveTaint { node, key: taint.key, effect }
        }),
        (name(), any::<bool>())
            .prop_map(|(node, unschedulable)| ScenarioEvent::SetUnschedulable { node, unschedulable }),
        (name(), resources()).prop_map(|(node, allocatable)| ScenarioEvent::SetAllocatable { node, allocatable }),
        (name(), 0..3_u8).prop_map(|(node, ready)| ScenarioEvent::SetNodeReady {
            node,
            ready: match ready {
                0 => ConditionStatus::True,
                1 => ConditionStatus::False,
                _ => ConditionStatus::Unknown,
            }
        }),
        (pods(), any::<bool>()).prop_map(|(pods, force)| ScenarioEvent::DeletePods { pods, force }),
        pods().prop_map(ScenarioEvent::FailPods),
        pods().prop_map(ScenarioEvent::WedgePods),
        (pods(), any::<bool>()).prop_map(|(pods, ready)| ScenarioEvent::SetPodsReady { pods, ready }),
        (selected(), [time(), time(), time(), time()], any::<bool>(), 0..=1_000_u16).prop_map(
            |(nodes, [ready_after, gone_after, fails_after, crashes_after], pulls_fail, permille)| {
                let behaviour = Behaviour { ready_after, gone_after, fails_after, crashes_after, pulls_fail, permille };
                ScenarioEvent::Behave { nodes, behaviour }
            }
        ),
        selected().prop_map(ScenarioEvent::Heal),
        (selected(), duration()).prop_map(|(nodes, lasts)| ScenarioEvent::FailReadiness { nodes, lasts }),
        (name(), duration()).prop_map(|(node, lasts)| ScenarioEvent::RebootNode { node, lasts }),
        (name(), name()).prop_map(|(namespace, name)| ScenarioEvent::RemovePod(ObjectKey { namespace, name })),
        duration().prop_map(|lasts| ScenarioEvent::RestartController { lasts }),
        control_plane().prop_map(ScenarioEvent::SetControlPlane),
        proptest::option::of(0..i64::MAX).prop_map(|to_revision| ScenarioEvent::Undo { to_revision }),
        Just(ScenarioEvent::Restart),
        any::<u32>().prop_map(|at_once| ScenarioEvent::DeleteOutdatedPods { at_once }),
    ]
}

fn ranks() -> impl Strategy<Value = (u32, [u64; 4])> {
    (1..=u32::MAX, any::<[u32; 4]>()).prop_map(|(count, mut ranks)| {
        ranks.sort_unstable();
        (count, ranks.map(|rank| u64::from(rank) + 1))
    })
}

prop_compose! {
    fn measured()(
        (ready, gone) in (proptest::option::of(ranks()), proptest::option::of(ranks())),
        (bytes, rate) in (proptest::option::of(ranks()), proptest::option::of(ranks())),
    ) -> Measured {
        let time = |(count, ranks): (u32, [u64; 4])| {
            let [least, median, p95, most] = ranks.map(Duration::from_micros);
            MeasuredTime { count, least, median, p95, most }
        };
        let number = |(count, [least, median, p95, most]): (u32, [u64; 4])| MeasuredNumber { count, least, median, p95, most };
        Measured {
            pod_ready_after: ready.map(time),
            pod_gone_after: gone.map(time),
            image_bytes: bytes.map(number),
            pull_bytes_per_second: rate.map(number),
        }
    }
}

#[test]
fn what_was_measured_is_taken_where_nothing_else_is_said() {
    let time = "{count: 9, least: 4s, median: 6s, p95: 20s, most: 22s}";
    let number = "{count: 5, least: 1000, median: 2000, p95: 3000, most: 4000}";
    let measured = format!(
        "measured: {{podReadyAfter: {time}, podGoneAfter: {time}, imageBytes: {number}, pullBytesPerSecond: {number}}}\n"
    );
    let scenario = read(&with(&measured));
    let seconds = Duration::from_secs;
    let long_tailed = Distribution::LogNormal { median: seconds(6), p95: seconds(20) };
    let Options { latencies, images, .. } = scenario.options;
    assert_eq!((latencies.pod_ready_after, latencies.pod_gone_after), (long_tailed, long_tailed));
    let of_images = Images { bytes: 2000, node_bytes_per_second: 2000, ..Images::default() };
    assert_eq!(images, Some(of_images));
    assert_eq!(scenario.sources.pod_gone_after, Source::Measured { count: 9 });
    assert_eq!(scenario.sources.images.bytes, Source::Measured { count: 5 });
    assert_eq!(scenario.sources.images.registry_bytes_per_second, Source::Default);

    let said = "timings: {podReadyAfter: 10s}\nimages: {bytes: 7}\ncontrolPlane: {}\n";
    let scenario = read(&with(&(measured + said)));
    assert_eq!(scenario.options.latencies.pod_ready_after, seconds(10).into());
    assert_eq!(scenario.options.images, Some(Images { bytes: 7, ..of_images }));
    let Sources { pod_ready_after, pod_gone_after, orphaned_pods_gone_after, control_plane, images } = scenario.sources;
    assert_eq!(pod_ready_after, Source::File, "said, though it is the default");
    assert_eq!((pod_gone_after, images.bytes), (Source::Measured { count: 9 }, Source::File));
    assert_eq!((orphaned_pods_gone_after, control_plane), (Source::Default, Source::File));
}

#[test]
fn what_cannot_have_been_measured_is_refused() {
    let problem = |time: &str| only_problem(&with(&format!("measured: {{podGoneAfter: {time}}}")));
    let falls = "{count: 3, least: 4s, median: 3s, p95: 5s, most: 6s}";
    assert_eq!(problem(falls), "5:26 measured.podGoneAfter impossible-distribution");
    let of_none = "{count: 0, least: 4s, median: 4s, p95: 5s, most: 6s}";
    assert_eq!(problem(of_none), "5:34 measured.podGoneAfter.count number-out-of-range");
    let halves = "{count: 3, least: 4s, median: 4s, p95: 5s}";
    assert_eq!(problem(halves), "5:27 measured.podGoneAfter.most missing-key");
}

prop_compose! {
    fn document()(
        (name, description) in (word(), word()),
        pools in proptest::collection::vec(pool(), 0..3),
        seed in any::<u64>(),
        (ready, gone, orphaned, patience) in (distribution(), distribution(), duration(), duration()),
        (scheduler, start) in (any::<bool>(), proptest::option::of(Just(Start::Settled))),
        version in proptest::sample::select(&KubernetesVersion::ALL[..]),
        mut events in proptest::collection::vec((duration(), event()), 0..6),
        starts_at in proptest::option::of(0..2_000_000_000_i64),
        (images, control_plane) in (proptest::option::of(images()), control_plane()),
        (measured, is_said) in (measured(), any::<[bool; 4]>()),
    ) -> ScenarioDocument {
        events.sort_by_key(|(at, _)| *at);
        let agent: Value = read_trees(AGENT.as_bytes()).remove(0).tree.unwrap().to_json();
        let latencies =
            Latencies { pod_ready_after: ready, pod_gone_after: gone, orphaned_pods_gone_after: orphaned };
        let mut options = Options { seed, scheduler, version, patience, ..Options::starting_at(DEFAULT_START) };
        let mut sources = Sources::default();
        sources.take(&measured, &mut options);
        let [ready_is_said, others_are_said, images_are_said, control_plane_is_said] = is_said;
        if ready_is_said {
            options.latencies.pod_ready_after = latencies.pod_ready_after;
            sources.pod_ready_after = Source::File;
        }
        if others_are_said {
            options.latencies = Latencies { pod_ready_after: options.latencies.pod_ready_after, ..latencies };
            (sources.pod_gone_after, sources.orphaned_pods_gone_after) = (Source::File, Source::File);
        }
        if let (true, Some(images)) = (images_are_said, images) {
            options.images = Some(images);
            let of_pulls = if images.parallel_pulls.is_some() { Source::File } else { Source::Default };
            sources.images = ImageSources {
                bytes: Source::File,
                registry_bytes_per_second: Source::File,
                node_bytes_per_second: Source::File,
                parallel_pulls: of_pulls,
                cached_permille: Source::File,
            };
        }
        if control_plane_is_said {
            options.control_plane = control_plane;
            sources.control_plane = Source::File;
        }
        ScenarioDocument {
            name,
            description,
            pools,
            daemon_set: Some(agent),
            start,
            starts_at: starts_at.map(Timestamp::from_seconds),
            options,
            sources,
            measured,
            events: events.into_iter().map(|(at, event)| PlannedEvent { at, event, written: None }).collect(),
            ..ScenarioDocument::default()
        }
    }
}

/// What a document is apart from the objects that were written by a person.
fn without_written(mut document: ScenarioDocument) -> ScenarioDocument {
    document.events.iter_mut().for_each(|event| event.written = None);
    document
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_reads_back_the_same(document in document()) {
        let text = document.to_yaml().unwrap();
        // Names are drawn at random: what they contradict is no matter here.
        let read = read_scenario_with(text.as_bytes(), None, &mut |_, _| unreachable!()).document;
        let read = read.unwrap_or_else(|| panic!("{text}"));
        prop_assert_eq!(&without_written(read.clone()), &document, "{}", text);
        prop_assert_eq!(read.to_yaml().unwrap(), text);
    }
}

#[test]
fn a_scenario_written_out_reads_back_the_same() {
    let change = AGENT.replace("agent:1", "agent:2");
    let node = Node::default();
    let late =
        format!("{{apiVersion: v1, kind: Node, metadata: {{name: late}}, spec: {}}}", serde_json::json!(node.spec));
    let before = read(&with(&format!(
        "change: {change}\nevents: [{{at: 3m, addNode: {late}}}, {{at: 90s, behave: {{nodes: [w-2], readyAfter: Never}}}}]"
    )));
    let text = ScenarioDocument::of(&before).to_yaml().unwrap();
    assert_eq!(read(&text), before, "{text}");
}

#[test]
fn what_surrounds_the_cluster_is_read_and_what_is_not_said_is_ideal() {
    let text = with(
        "images: {bytes: 300000000, cachedPermille: 250}\ncontrolPlane: {qps: 20, burst: 30, writeLatency: 20ms}\nevents:\n\
         - {at: 1m, addPod: {apiVersion: v1, kind: Pod, metadata: {name: other}, spec: {nodeName: w-2, containers: [{name: c}]}}}\n\
         - {at: 2m, behave: {crashesAfter: 3s, permille: 100}}\n\
         - {at: 3m, rebootNode: {nodes: [w-1, w-3], lasts: 2m}}\n- {at: 4m, removePod: {name: other}}\n\
         - {at: 5m, undo: {}}\n- {at: 6m, heal: {}}",
    );
    let scenario = read(&text);
    let images = Images { bytes: 300_000_000, cached_permille: 250, ..Images::default() };
    assert_eq!(scenario.options.images, Some(images));
    let write_latency = Distribution::Constant(Duration::from_millis(20));
    let control_plane = ControlPlane { qps: 20, burst: 30, write_latency, ..ControlPlane::default() };
    assert_eq!(scenario.options.control_plane, control_plane);
    assert_eq!(scenario.events.len(), 7);
    let of_all = with("events: [{at: 1s, behave: {permille: 1001}}, {at: 1s, rebootNode: {node: w-1}}]");
    let found = problems(&of_all);
    assert_eq!(found.len(), 2, "{found:?}");
    let nowhere = "{apiVersion: v1, kind: Pod, metadata: {name: other}, spec: {containers: [{name: c}]}}";
    assert_eq!(problems(&with(&format!("events: [{{at: 1s, addPod: {nowhere}}}]"))).len(), 1);
}
