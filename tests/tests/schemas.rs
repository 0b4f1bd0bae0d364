//! The JSON Schemas of scenarios and traces: they are valid, everything that is written keeps to them, and they say what
//! the readers say, but for the contradictions that [`CONTRADICTIONS`] lists. (Two leniences of the grammars are not tried: a
//! whole number written `1.0`, which is one to a schema only, and a unit variant written as a map, which serde takes.)

#![recursion_limit = "256"]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use jsonschema::Validator;
use rollcast_core::api::Text;
use rollcast_core::controller::Snapshot;
use rollcast_core::manifest::{ScenarioProblem, read_trees};
use rollcast_core::scenario::{SCENARIO_SCHEMA, ScenarioDocument, read_scenario_with};
use rollcast_core::trace::{TRACE_SCHEMA, hash, read_trace, trace_of};
use serde_json::{Value, json};

/// What no schema can say: the code of the problem, and a scenario's lines that have it.
const CONTRADICTIONS: [(&str, &str); 18] = [
    // One value against another.
    ("impossible-distribution", "daemonSet: AGENT\ntimings: {podReadyAfter: {least: 2s, most: 1s}}"),
    ("from-the-future", "change: AGENT\nstartsAt: 2000-01-01T00:00:00Z\ncluster: {objects: [OLD, NODE]}"),
    ("too-many-nodes", "change: AGENT\ncluster: {pools: [{name: v, count: 150000}, {name: w, count: 150000}]}"),
    // A length of time against the longest, and against a microsecond.
    ("duration-out-of-range", "daemonSet: AGENT\npatience: 9000h"),
    ("duration-out-of-range", "daemonSet: AGENT\npatience: 0.0000001s"),
    // A day against the calendar.
    ("not-a-time", "daemonSet: AGENT\nstartsAt: 2026-02-30T00:00:00Z"),
    // A name against the objects that are there by then.
    ("object-twice", "daemonSet: AGENT\ncluster: {pools: [{name: w}, {name: w}]}"),
    ("unknown-node", "daemonSet: AGENT\nevents: [{at: 1s, cordon: {node: x}}]"),
    ("unknown-pod", "daemonSet: AGENT\nevents: [{at: 1s, failPods: {pod: x}}]"),
    ("no-pods", "daemonSet: AGENT\nstart: Pods"),
    ("no-nodes", "daemonSet: AGENT\ncluster: {}"),
    ("no-daemon-set", "seed: 1"),
    ("no-daemon-set-then", "daemonSet: AGENT\nevents: [{at: 1s, deleteDaemonSet: {}}, {at: 2s, restart: {}}]"),
    ("several-daemon-sets", "cluster: {pools: [{name: w}], objects: [AGENT, OTHER]}"),
    ("unknown-daemon-set", "daemonSetRef: {name: x}\ncluster: {pools: [{name: w}], objects: [AGENT]}"),
    ("other-daemon-set", "daemonSet: AGENT\nchange: OTHER"),
    // What other files hold.
    ("file-not-read", "daemonSet: AGENT\ncluster: {pools: [{name: w}], files: [away.yaml]}"),
    // What the API server says to a manifest.
    ("required", "change: {apiVersion: apps/v1, kind: DaemonSet, metadata: {name: x}}"),
];

fn validator(schema: &str) -> (Value, Validator) {
    let schema: Value = serde_json::from_str(schema).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    (schema, validator)
}

fn agent(image: &str) -> Value {
    json!({"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "agent", "namespace": "ops"}, "spec": {
        "selector": {"matchLabels": {"app": "agent"}}, "template": {"metadata": {"labels": {"app": "agent"}},
        "spec": {"containers": [{"name": "main", "image": image}]}}}})
}

/// A scenario with every key that can stand beside the others, and every event.
fn everything() -> Value {
    let time = json!({"count": 9, "least": "1s", "median": "2s", "p95": "3s", "most": "4s"});
    let number = json!({"count": 9, "least": 1, "median": 2, "p95": 3, "most": 4});
    let node = json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "late"}});
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "other"}, "spec": {"nodeName": "w-2",
        "containers": [{"name": "c"}]}});
    let control_plane = json!({"writeLatency": "20ms", "watchDelay": {"least": "0s", "most": "1s"}, "qps": 20, "burst": 30,
        "tooManyRequestsPermille": 1, "rejectedPermille": 2, "lostDonePermille": 3, "lostUndonePermille": 4,
        "schedulingDelay": "5ms", "schedulerPodsPerSecond": 100});
    json!({
        "apiVersion": "rollcast.dev/v1alpha1", "kind": "Scenario", "name": "all", "description": "of it",
        "cluster": {
            "pools": [{"name": "w", "count": 3, "allocatable": {"cpu": "4", "memory": 8_000_000_000_u64}, "labels": {"zone": ["a", "b"], "x/y": "z"},
                "taints": [{"key": "k", "value": "v", "effect": "PreferNoSchedule"}], "cordoned": false, "notReady": false}],
            "objects": [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "pasted"}}],
            "files": ["more.yaml"],
        },
        "daemonSet": agent("agent:1"), "change": agent("agent:2"), "start": "Settled", "startsAt": "2026-01-01T00:00:00Z",
        "seed": 7, "scheduler": true, "kubernetesVersion": "1.36", "patience": "2h",
        "timings": {"podReadyAfter": {"median": "10s", "p95": "40s"}, "podGoneAfter": {"least": "1s", "most": "5s"},
            "orphanedPodsGoneAfter": "1m"},
        "measured": {"podReadyAfter": time, "podGoneAfter": time, "imageBytes": number, "pullBytesPerSecond": number},
        "images": {"bytes": 200, "registryBytesPerSecond": 300, "nodeBytesPerSecond": 100, "parallelPulls": 5,
            "cachedPermille": 10},
        "controlPlane": control_plane,
        "events": [
            {"at": "1s", "apply": agent("agent:3")},
            {"at": "1s", "addNode": node},
            {"at": "1s", "cordon": {"node": "w-1"}},
            {"at": "1s", "uncordon": {"nodes": ["w-1", "w-2"]}},
            {"at": "1s", "nodeNotReady": {"node": "w-1"}},
            {"at": "1s", "nodeUnreachable": {"node": "w-1"}},
            {"at": "1s", "nodeReady": {"node": "w-1"}},
            {"at": "1s", "setLabel": {"node": "w-1", "key": "k", "value": "v"}},
            {"at": "1s", "removeLabel": {"node": "w-1", "key": "k"}},
            {"at": "1s", "addTaint": {"node": "w-1", "key": "k", "value": "v", "effect": "NoSchedule"}},
            {"at": "1s", "removeTaint": {"node": "w-1", "key": "k", "effect": "NoSchedule"}},
            {"at": "1s", "setAllocatable": {"node": "w-1", "allocatable": {"nvidia.com/gpu": 1}}},
            {"at": "1s", "deletePods": {"node": "w-1", "force": true}},
            {"at": "1s", "failPods": {"pod": "agent-x"}},
            {"at": "1s", "wedgePods": {"nodes": ["w-1"]}},
            {"at": "1s", "podsReady": {"node": "w-1"}},
            {"at": "1s", "podsNotReady": {"node": "w-1"}},
            {"at": "1s", "behave": {"node": "w-1", "readyAfter": "Never", "goneAfter": {"least": "1s", "most": "2s"},
                "failsAfter": {"median": "1s", "p95": "2s"}, "crashesAfter": "3s", "pullsFail": true, "permille": 5}},
            {"at": "1s", "heal": {"nodes": ["w-1"]}},
            {"at": "1s", "failReadiness": {"node": "w-1", "lasts": "30s"}},
            {"at": "1s", "rebootNode": {"node": "w-1", "lasts": "30s"}},
            {"at": "1s", "addPod": pod},
            {"at": "1s", "removePod": {"namespace": "default", "name": "other"}},
            {"at": "1s", "restartController": {"lasts": "30s"}},
            {"at": "1s", "setControlPlane": control_plane},
            {"at": "1s", "undo": {"toRevision": 0}},
            {"at": "1s", "restart": {}},
            {"at": "1s", "deleteOutdatedPods": {"atOnce": 2}},
            {"at": "2s", "removeNode": {"node": "w-1"}},
            {"at": "3s", "deleteDaemonSet": {"cascade": "Orphan"}},
        ],
    })
}

/// The same for what excludes what stands there.
fn by_reference() -> Value {
    let mut scenario = everything();
    let root = scenario.as_object_mut().unwrap();
    let daemon_set = root.remove("daemonSet").unwrap();
    root["cluster"]["objects"].as_array_mut().unwrap().push(daemon_set);
    root.insert("daemonSetRef".to_owned(), json!({"namespace": "ops", "name": "agent"}));
    scenario
}

/// What a reader and a schema say to a value.
struct Verdicts {
    /// Codes and places of what the reader reports.
    problems: Vec<(&'static str, String)>,
    is_valid: bool,
}

fn verdicts(validator: &Validator, scenario: &Value) -> Verdicts {
    let read = read_scenario_with(scenario.to_string().as_bytes(), None, &mut |_, _| Ok(Snapshot::default()));
    let problems: Vec<_> =
        read.problems.iter().map(|problem| (problem.kind.code(), problem.path.to_string())).collect();
    assert_eq!(read.scenario.is_some(), problems.is_empty(), "{scenario}");
    Verdicts { problems, is_valid: validator.is_valid(scenario) }
}

/// Every map of a scenario whose keys are the format's own, as the path to it.
fn levels(scenario: &Value) -> Vec<String> {
    levels_without(scenario, &|path, value| {
        let is_kubernetes = value.get("kind").is_some() && !path.is_empty();
        is_kubernetes || path.ends_with("/labels") || path.ends_with("/allocatable")
    })
}

fn levels_without(value: &Value, is_left_out: &dyn Fn(&str, &Value) -> bool) -> Vec<String> {
    fn walk(value: &Value, path: &str, is_left_out: &dyn Fn(&str, &Value) -> bool, levels: &mut Vec<String>) {
        match value {
            _ if is_left_out(path, value) => {}
            Value::Object(map) => {
                levels.push(path.to_owned());
                map.iter().for_each(|(key, value)| walk(value, &format!("{path}/{key}"), is_left_out, levels));
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    walk(item, &format!("{path}/{index}"), is_left_out, levels);
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(value, "", is_left_out, &mut found);
    found
}

/// Every level, as the path to it, in a scenario that holds little else; of the one by reference those that are its own.
fn cases() -> Vec<(Value, String)> {
    let (first, second) = (everything(), by_reference());
    let mut cases: Vec<(Value, String)> = levels(&first).into_iter().map(|level| reduced(&first, &level)).collect();
    cases.extend(["", "/daemonSetRef"].map(|level| (second.clone(), level.to_owned())));
    cases
}

/// A scenario with no more than it takes to play, and what is at a path; an event alone is the first.
fn reduced(scenario: &Value, level: &str) -> (Value, String) {
    let Some(section) = level.split('/').nth(1) else { return (scenario.clone(), level.to_owned()) };
    let mut reduced = scenario.clone();
    let kept = ["apiVersion", "kind", "cluster", "daemonSet", section];
    reduced.as_object_mut().unwrap().retain(|key, _| kept.contains(&key.as_str()));
    let mut steps: Vec<&str> = level.split('/').collect();
    if let (true, Some(event)) = (section == "events", steps.get(2)) {
        let event = scenario["events"][event.parse::<usize>().unwrap()].clone();
        reduced["events"] = json!([event]);
        steps[2] = "0";
    }
    (reduced, steps.join("/"))
}

/// The parts of a schema that may speak about a value: itself, what it refers to, and its alternatives.
fn parts<'s>(schema: &'s Value, part: &'s Value, found: &mut Vec<&'s Value>) {
    found.push(part);
    if let Some(reference) = part["$ref"].as_str() {
        parts(schema, schema.pointer(reference.trim_start_matches('#')).unwrap(), found);
    }
    for key in ["anyOf", "oneOf"] {
        for alternative in part[key].as_array().into_iter().flatten() {
            parts(schema, alternative, found);
        }
    }
}

/// The keys that a schema knows of the map at a path.
fn known_keys(schema: &Value, path: &str) -> BTreeSet<String> {
    let mut here = Vec::new();
    parts(schema, schema, &mut here);
    for step in path.split('/').skip(1) {
        let mut below = Vec::new();
        for part in here {
            let next = if step.parse::<u32>().is_ok() { &part["items"] } else { &part["properties"][step] };
            if !next.is_null() {
                parts(schema, next, &mut below);
            }
        }
        here = below;
    }
    here.iter().filter_map(|part| part["properties"].as_object()).flat_map(|keys| keys.keys().cloned()).collect()
}

fn core_folder(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src").join(below)
}

/// Every word between quotes in the reader's source: among them all keys that it knows.
fn words_of_the_reader() -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for file in std::fs::read_dir(core_folder("scenario/document")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let quoted = text.split('"').map(str::to_owned);
        words.extend(quoted.filter(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric())));
    }
    words
}

/// Values of all kinds: each is tried for each key.
fn values() -> Vec<Value> {
    let texts = [
        "",
        "x",
        "X",
        "-x",
        "w-1",
        "10s",
        "1m30.5s",
        ".5s",
        "1.s",
        "-1s",
        "-0s",
        "0",
        "-0",
        "10",
        "1d",
        "0.0000001s",
        "9000h",
        "Never",
        "Pods",
        "pods",
        "Orphan",
        "NoSchedule",
        "1.36",
        "1.24",
        "2026-01-01T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-01-01",
        "2026-01-01T00:00:00+24:00",
        "Scenario",
        "rollcast.dev/v1alpha1",
        "500m",
        "1e3",
    ];
    let mut values: Vec<Value> = texts.into_iter().map(Value::from).collect();
    values.extend([Value::Null, json!(true), json!(0), json!(1), json!(-1), json!(1.5), json!(1000), json!(1001)]);
    values.extend([json!(200_001), json!(4_294_967_296_u64), json!(9_223_372_036_854_775_808_u64), json!(u64::MAX)]);
    values.extend([
        json!(1e30),
        json!([]),
        json!([""]),
        json!(["w-1"]),
        json!([5]),
        json!([{}]),
        json!({}),
        json!({"x": 1}),
    ]);
    values.extend([
        json!({"least": "1s", "most": "2s"}),
        json!({"least": "2s", "most": "1s"}),
        json!({"least": "1s"}),
        json!({"least": "1s", "p95": "2s"}),
        json!({"median": "1s", "p95": "2s"}),
        json!({"median": "0s", "p95": "2s"}),
        json!({"cpu": "4"}),
        json!({"cpu": "-4"}),
        json!({"cpu": "lots"}),
        json!({"cpu": 1.5}),
        json!({"cpu": null}),
        json!({"gadgets": 1}),
        json!({"nvidia.com/gpu": 1}),
        json!({"zone": ["a", "b"]}),
        json!({"zone": []}),
        json!({"-": "a"}),
        json!({"a/b/c": "a"}),
        json!({"zone": "-"}),
        json!({"node": "w-1"}),
        json!({"nodes": ["w-1"]}),
        json!({"nodes": []}),
        json!({"node": "w-1", "nodes": ["w-1"]}),
        json!({"node": null, "nodes": ["w-1"]}),
        json!({"pod": "agent-x"}),
        json!({"pod": "agent-x", "node": "w-1"}),
        agent("agent:9"),
        json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "new"}}),
        json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "new"}, "spec": {"nodeName": "w-2"}}),
        json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "new"}}),
        json!({"apiVersion": "v1", "kind": "ConfigMap"}),
        json!({"apiVersion": "v1", "kind": "List", "items": []}),
        json!({"apiVersion": "v1", "kind": "List", "items": [agent("agent:9")]}),
    ]);
    values
}

#[test]
fn the_schemas_are_valid_and_what_holds_everything_is_read() {
    let (schema, validator) = validator(SCENARIO_SCHEMA);
    for scenario in [everything(), by_reference()] {
        let errors: Vec<String> = validator.iter_errors(&scenario).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new());
        assert_eq!(verdicts(&validator, &scenario).problems, []);
    }
    // Nothing that the schema knows is left out here, but what excludes something else.
    let root = known_keys(&schema, "");
    let both: BTreeSet<String> = [everything(), by_reference()]
        .iter()
        .flat_map(|it| it.as_object().unwrap().keys().cloned().collect::<Vec<_>>())
        .collect();
    assert_eq!(root, both);
    let events = known_keys(&schema, "/events/0");
    let here = everything();
    let here = here["events"].as_array().unwrap().iter().flat_map(|event| event.as_object().unwrap().keys().cloned());
    assert_eq!(events, here.collect());
    self::validator(TRACE_SCHEMA);
}

#[test]
fn reader_and_schema_know_the_same_keys_everywhere() {
    let (schema, validator) = validator(SCENARIO_SCHEMA);
    let words = words_of_the_reader();
    let mut tried = 0;
    for (scenario, level) in cases() {
        let known = known_keys(&schema, &level);
        assert!(known.is_subset(&words), "{level}: the reader never mentions one of {known:?}");
        let mut crowded = scenario.clone();
        let map = crowded.pointer_mut(&level).unwrap().as_object_mut().unwrap();
        for word in &words {
            map.entry(word).or_insert(true.into());
        }
        let place = level.replace('/', ".");
        let refused: BTreeSet<String> = verdicts(&validator, &crowded)
            .problems
            .iter()
            .filter(|(code, path)| *code == "unknown-field" && is_right_below(path, &place))
            .map(|(_, path)| path.rsplit('.').next().unwrap().to_owned())
            .collect();
        let expected: BTreeSet<String> = words.difference(&known).cloned().collect();
        assert_eq!(refused, expected, "{level}");
        tried += words.len();
    }
    println!("{tried} keys tried");
}

/// Whether a problem's path, in which elements stand in brackets, names a key of the map at a place.
fn is_right_below(path: &str, place: &str) -> bool {
    let plain = path.replace('[', ".").replace(']', "");
    let parent = plain.rsplit_once('.').map_or("", |(parent, _)| parent);
    parent == place.trim_start_matches('.')
}

#[test]
fn reader_and_schema_refuse_the_same_values() {
    let (schema, validator) = validator(SCENARIO_SCHEMA);
    let values = values();
    let (mut accepted, mut refused, mut contradictory) = (0, 0, BTreeSet::new());
    let mut differences = Vec::new();
    for (scenario, level) in cases() {
        for key in known_keys(&schema, &level) {
            for value in values.iter().map(Some).chain([None]) {
                let mut changed = scenario.clone();
                let map = changed.pointer_mut(&level).unwrap().as_object_mut().unwrap();
                match value {
                    Some(value) => drop(map.insert(key.clone(), value.clone())),
                    None => drop(map.remove(&key)),
                }
                let Verdicts { problems, is_valid } = verdicts(&validator, &changed);
                let is_contradiction =
                    |code: &str| CONTRADICTIONS.iter().any(|(known, _)| *known == code && code != "not-a-time");
                let can_be_said = problems.iter().any(|(code, _)| !is_contradiction(code));
                contradictory.extend(problems.iter().map(|(code, _)| *code).filter(|code| is_contradiction(code)));
                if can_be_said == is_valid {
                    differences.push(format!("{level}/{key} = {value:?}: schema {is_valid}, reader {problems:?}"));
                }
                *(if can_be_said { &mut refused } else { &mut accepted }) += 1;
            }
        }
    }
    println!("{accepted} accepted by both, {refused} refused by both");
    println!("contradictions among them: {contradictory:?}");
    assert!(differences.is_empty(), "{} differences\n{}", differences.len(), differences.join("\n"));
    assert!(accepted > 1_000 && refused > 10_000);
}

#[test]
fn what_no_schema_can_say_the_reader_says() {
    let (_, validator) = validator(SCENARIO_SCHEMA);
    let old = agent("agent:0")
        .to_string()
        .replace("\"agent\",\"namespace\"", "\"old\",\"creationTimestamp\":\"2020-01-01T00:00:00Z\",\"namespace\"");
    for (code, lines) in CONTRADICTIONS {
        let lines = lines
            .replace("AGENT", &agent("agent:1").to_string())
            .replace(
                "OTHER",
                &agent("agent:1").to_string().replace("\"agent\",\"namespace\"", "\"other\",\"namespace\""),
            )
            .replace("NODE", r#"{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}}"#)
            .replace("OLD", &old);
        let cluster = if lines.contains("cluster:") { "" } else { "\ncluster: {pools: [{name: w}]}" };
        let text = format!("apiVersion: rollcast.dev/v1alpha1\nkind: Scenario\n{lines}{cluster}\n");
        let tree = read_trees(text.as_bytes()).remove(0).tree.unwrap();
        assert_eq!(errors(&validator, &tree.to_json()), [] as [String; 0], "{text}");
        let mut away = |name: &Text, _| Err(ScenarioProblem::FileNotRead { name: name.clone() });
        let read = read_scenario_with(text.as_bytes(), None, &mut away);
        let codes: Vec<&str> = read.problems.iter().map(|problem| problem.kind.code()).collect();
        assert!(codes.contains(&code) && read.scenario.is_none(), "{code}: {codes:?}\n{text}");
    }
}

fn scenario_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "yaml")).collect()
}

fn errors(validator: &Validator, value: &Value) -> Vec<String> {
    validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

#[test]
fn every_scenario_that_is_kept_or_written_keeps_to_the_schema() {
    let (_, validator) = validator(SCENARIO_SCHEMA);
    let mut texts: Vec<(String, String)> = scenario_files()
        .into_iter()
        .map(|path| (path.display().to_string(), std::fs::read_to_string(path).unwrap()))
        .collect();
    assert!(texts.len() >= 3);
    texts.extend([everything(), by_reference()].map(|scenario| ("everything".to_owned(), scenario.to_string())));
    for (name, text) in texts {
        let tree = read_trees(text.as_bytes()).remove(0).tree.unwrap();
        assert_eq!(errors(&validator, &tree.to_json()), [] as [String; 0], "{name}");
        let read = read_scenario_with(text.as_bytes(), None, &mut |_, _| Ok(Snapshot::default()));
        let (document, scenario) =
            read.document.zip(read.scenario).unwrap_or_else(|| panic!("{name}: {:?}", read.problems));
        for written in [document, ScenarioDocument::of(&scenario)] {
            assert_eq!(errors(&validator, &written.to_json()), [] as [String; 0], "{name}, written again");
            let yaml = written.to_yaml().unwrap();
            let tree = read_trees(yaml.as_bytes()).remove(0).tree.unwrap();
            assert_eq!(errors(&validator, &tree.to_json()), [] as [String; 0], "{name}, written again as YAML");
        }
    }
}

/// Traces of plays: those that are kept, one with every event, and many with every kind of trouble.
fn traces() -> Vec<String> {
    let mut texts: Vec<String> =
        scenario_files().into_iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let mut refused = everything();
    refused["events"] = json!([
        {"at": "1s", "failPods": {"pod": "agent-none"}},
        {"at": "1s", "wedgePods": {"node": "pasted"}},
        {"at": "2s", "undo": {"toRevision": 9}},
        {"at": "3s", "removePod": {"name": "none"}},
    ]);
    texts.extend([everything(), by_reference(), refused].map(|scenario| scenario.to_string()));
    let played = texts.iter().map(|text| {
        let read = read_scenario_with(text.as_bytes(), None, &mut |_, _| Ok(Snapshot::default()));
        let scenario = read.scenario.unwrap();
        let mut world = scenario.world();
        let summary = world.run_to_end();
        trace_of(&world, &scenario.daemon_set, &scenario.options, &summary)
    });
    played.chain((0..100).map(rollcast_tests::swarm::trace)).collect()
}

#[test]
fn every_trace_keeps_to_the_schema() {
    let (_, validator) = validator(TRACE_SCHEMA);
    let mut lines = 0;
    let mut refusals = 0;
    for trace in traces() {
        let read = read_trace(trace.as_bytes()).unwrap();
        refusals += read.end.refused.len();
        for line in trace.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            assert_eq!(errors(&validator, &line), [] as [String; 0], "{line}");
            lines += 1;
        }
    }
    println!("{lines} lines");
    assert!(lines > 5_000 && refusals > 0);
}

/// The lines of a trace, with the numbers at its end as they have to be.
fn whole(lines: &[Value]) -> String {
    let (end, before) = lines.split_last().unwrap();
    let mut text = String::new();
    for line in before {
        writeln!(text, "{line}").unwrap();
    }
    let mut end = end.clone();
    if end["hash"].as_str().is_some_and(|written| written.len() == 16) {
        end["hash"] = hash(text.as_bytes()).to_string().into();
    }
    // The end is known by its first key.
    write!(text, "{{\"end\":{}", end.get("end").unwrap_or(&Value::Null)).unwrap();
    for (key, value) in end.as_object().unwrap().iter().filter(|(key, _)| *key != "end") {
        write!(text, ",{}:{value}", json!(key)).unwrap();
    }
    text.push_str("}\n");
    text
}

/// A trace with every key in it.
fn full_trace() -> Vec<Value> {
    let sight = json!([{"shows": "OldAvailable", "nodes": ["w-1"]}]);
    let counters = json!({"desired": 1, "current": 1, "ready": 1, "upToDate": 1, "available": 1, "misscheduled": 0,
        "oldAvailable": 0, "oldUnavailable": 0, "newAvailable": 1, "newUnavailable": 0, "terminating": 0,
        "maxUnavailable": 1, "maxSurge": 0});
    vec![
        json!({"apiVersion": "rollcast.dev/v1alpha1", "kind": "Trace", "daemonSet": {"namespace": "ops", "name": "agent"},
            "kubernetesVersion": "1.36", "seed": 7, "optionsHash": "0123456789abcdef", "nodes": sight}),
        json!({"at": 0, "done": [{"at": 0, "kind": "Applied", "about": "agent"}], "decided": [{"kind": "DeletePod",
            "reason": "OutdatedWithinBudget", "because": {"limit": 1}, "count": 1, "candidateCount": 1, "nodes": ["w-1"]}],
            "seen": sight, "counters": counters}),
        json!({"end": "Complete", "at": 5, "eligible": 1, "finished": 1, "moments": 1,
            "refused": [{"at": 1, "why": {"NoSuchPod": {"OnNode": "w-9"}}}], "hash": "0123456789abcdef"}),
    ]
}

#[test]
fn reader_and_schema_of_traces_refuse_the_same_lines() {
    let (_, validator) = validator(TRACE_SCHEMA);
    let trace = full_trace();
    read_trace(whole(&trace).as_bytes()).unwrap();
    let mut values = values();
    values.extend(
        ["Complete", "Applied", "CreatePod", "Gone", "Trace", "0123456789abcdef", "NoDaemonSet"].map(Value::from),
    );
    values.extend([json!({"NoSuchNode": "x"}), json!({"NoSuchRevision": -1}), json!({"NoSuchPod": {"Named": "x"}})]);
    values.extend([json!([{"shows": "Gone", "nodes": []}]), json!([{"shows": "Away", "nodes": []}])]);
    let (mut accepted, mut refused) = (0, 0);
    let mut differences = Vec::new();
    for (number, line) in trace.iter().enumerate() {
        for level in levels_of_trace(line) {
            let keys: Vec<String> = line.pointer(&level).unwrap().as_object().unwrap().keys().cloned().collect();
            for key in keys.iter().map(String::as_str).chain(["unknown"]) {
                for value in values.iter().map(Some).chain([None]) {
                    // By them the lines are told apart, and what is said of other lines.
                    if ["/end", "/moments", "/hash"].contains(&format!("{level}/{key}").as_str()) && number == 2 {
                        continue;
                    }
                    let mut changed = trace.clone();
                    let map = changed[number].pointer_mut(&level).unwrap().as_object_mut().unwrap();
                    match value {
                        Some(value) => drop(map.insert(key.to_owned(), value.clone())),
                        None => drop(map.remove(key)),
                    }
                    let is_valid = validator.is_valid(&changed[number]);
                    let read = read_trace(whole(&changed).as_bytes());
                    if read.is_ok() != is_valid {
                        differences
                            .push(format!("line {number} {level}/{key} = {value:?}: {is_valid}, {:?}", read.err()));
                    }
                    *(if is_valid { &mut accepted } else { &mut refused }) += 1;
                }
            }
        }
    }
    println!("{accepted} accepted by both, {refused} refused by both");
    assert!(differences.is_empty(), "{} differences\n{}", differences.len(), differences.join("\n"));
    assert!(accepted > 100 && refused > 1_000);
}

/// Every map of a line but what a reason rests on, which may be anything.
fn levels_of_trace(line: &Value) -> Vec<String> {
    levels_without(line, &|path, _| path.ends_with("/because") || path.ends_with("/why"))
}
