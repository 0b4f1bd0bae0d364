use predicates::str::contains;
use serde_json::{Value, json};

use crate::{AGENT, Directory, printed};

/// So many nodes, and the agent before and after the change; the second strategy is the changed manifest's.
fn directory(nodes: u32, strategy: &str) -> Directory {
    let nodes = printed(&mut crate::rollcast(["nodes", "--pool", &format!("name=w,count={nodes}")]), 0);
    let changed =
        AGENT.replace("agent:v1", "agent:v2").replace("spec:\n  selector", &format!("spec:\n  {strategy}\n  selector"));
    Directory::with([("nodes.yaml", &nodes), ("v1.yaml", AGENT), ("v2.yaml", &changed)])
}

const INPUT: [&str; 6] = ["-f", "nodes.yaml", "-f", "v1.yaml", "--to", "v2.yaml"];
const ONE_AT_A_TIME: &str = "minReadySeconds: 0";

fn answered(command: &mut assert_cmd::Command, code: i32) -> Value {
    serde_json::from_str(&printed(command.args(["-o", "json"]), code)).unwrap()
}

#[test]
fn a_forecast_is_told_with_everything_it_rests_on() {
    let directory = directory(12, "updateStrategy: {rollingUpdate: {maxUnavailable: 10%}}");
    insta::assert_snapshot!(printed(directory.rollcast(["forecast"]).args(INPUT), 0));
}

#[test]
fn a_forecast_is_told_in_chinese() {
    let directory = directory(12, "updateStrategy: {rollingUpdate: {maxUnavailable: 10%}}");
    insta::assert_snapshot!(printed(directory.rollcast(["forecast", "--lang", "zh"]).args(INPUT), 0));
}

#[test]
fn a_forecast_becomes_a_comment_with_its_conditions() {
    let directory = directory(12, ONE_AT_A_TIME);
    let conditions = ["--fail-if", "p95 > 2m", "--fail-if", "fewestAvailable < 50%"];
    let command = &mut directory.rollcast(["forecast", "-o", "markdown"]);
    insta::assert_snapshot!(printed(command.args(INPUT).args(conditions), 1));
}

#[test]
fn conditions_decide_the_exit_code() {
    let directory = directory(10, ONE_AT_A_TIME);
    let forecast = |condition: &str| {
        let mut command = directory.rollcast(["forecast", "--fail-if", condition]);
        command.args(INPUT);
        command
    };
    printed(&mut forecast("p95 > 150s"), 0);
    printed(&mut forecast("p95 >= 150s"), 1);
    printed(&mut forecast("fewestAvailable < 90%"), 0);
    printed(&mut forecast("fewestAvailable < 91%"), 1);
    // Nothing finishes: later than any time.
    printed(forecast("p95 > 300h").args(["--never-ready", "w-01"]), 1);
    printed(forecast("fewestAvailable < 90%").args(["--never-ready", "w-01"]), 0);
    printed(directory.rollcast(["forecast", "--never-ready", "w-01"]).args(INPUT), 1);
    let said = "cannot read the condition `p95 > ten`, at character 7: `ten` is not a length of time such as";
    forecast("p95 > ten").assert().code(2).stdout("").stderr(contains(said)).stderr(contains("            ^"));
    forecast("p59 > 1m").assert().code(2).stderr(contains("unknown field `p59`"));
}

#[test]
fn the_forecast_is_data_in_the_envelope() {
    let directory = directory(250, ONE_AT_A_TIME);
    let times = ["--ready-after", "20", "--gone-after", "4"];
    let json = answered(directory.rollcast(["forecast"]).args(INPUT).args(times), 0);
    assert_eq!(json["kind"], "ForecastReport");
    let numbers = &json["report"]["numbers"];
    assert_eq!((&numbers["finish"]["p95Seconds"], &numbers["outageSeconds"]), (&6000.into(), &6000.into()));
    assert_eq!((&numbers["fewestAvailable"], &numbers["gapP95Seconds"]), (&249.into(), &24.into()));
    let assumptions = &json["report"]["assumptions"];
    assert_eq!((&assumptions["kubernetes"], &assumptions["deterministic"]), (&"1.36".into(), &true.into()));
    let ready = &assumptions["assumed"][0];
    assert_eq!((&ready["kind"], &ready["source"]), (&"podReady".into(), &"given".into()));
    assert_eq!(ready["time"], json!({"milliseconds": 20_000, "toMilliseconds": 20_000, "drawn": "constant"}));
    assert_eq!(assumptions["assumed"][2]["source"], "default");
}

#[test]
fn settings_are_shown_side_by_side() {
    let directory = directory(20, "updateStrategy: {rollingUpdate: {maxUnavailable: 3}}");
    insta::assert_snapshot!(printed(directory.rollcast(["compare"]).args(INPUT), 0));
}

#[test]
fn settings_become_a_table_in_a_comment_in_chinese() {
    let directory = directory(20, ONE_AT_A_TIME);
    let command = &mut directory.rollcast(["compare", "-o", "markdown", "--lang", "zh"]);
    insta::assert_snapshot!(printed(command.args(INPUT), 0));
}

#[test]
fn an_own_setting_that_never_finishes_is_a_finding() {
    let directory = directory(5, "updateStrategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}");
    let json = answered(directory.rollcast(["compare"]).args(INPUT), 1);
    let rows = json["report"]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 9);
    let own: Vec<_> = rows.iter().filter(|row| row["own"] == true).collect();
    assert_eq!((own.len(), &own[0]["setting"]["reason"]), (1, &"MaxSurge".into()));
    assert_eq!((&own[0]["deadlock"], &own[0]["verdict"]), (&true.into(), &"never finishes".into()));
    assert!(own[0]["unfinished"][0]["waitingOn"][0]["message"].as_str().unwrap().contains("maxSurge"));
}

#[test]
fn advice_names_the_smallest_settings_and_what_to_write() {
    let directory = directory(40, ONE_AT_A_TIME);
    insta::assert_snapshot!(printed(directory.rollcast(["advise", "--deadline", "2m"]).args(INPUT), 0));
}

#[test]
fn advice_says_what_bounds_a_deadline_that_no_setting_meets() {
    let directory = directory(40, "minReadySeconds: 300");
    let command = &mut directory.rollcast(["advise", "--helm-timeout", "5m", "--lang", "zh"]);
    insta::assert_snapshot!(printed(command.args(INPUT), 1));
}

#[test]
fn helm_3_waits_for_less() {
    let directory = directory(15, ONE_AT_A_TIME);
    let times = ["--ready-after", "20", "--gone-after", "5"];
    let own = |arguments: [&str; 4]| {
        let json = answered(directory.rollcast(["advise"]).args(arguments).args(INPUT).args(times), 0);
        json["report"]["own"]["met"].clone()
    };
    // 15 nodes of 25 seconds each: 375 seconds; the last pod is there after 355, and one may be unavailable.
    assert_eq!(own(["--helm-timeout", "300s", "--helm", "4"]), 0);
    assert_eq!(own(["--helm-timeout", "360s", "--helm", "4"]), 0);
    assert_eq!(own(["--helm-timeout", "360s", "--helm", "3"]), 1);
    assert_eq!(own(["--helm-timeout", "375s", "--helm", "4"]), 1);
}

#[test]
fn a_deadline_that_cannot_be_is_refused_before_anything_is_played() {
    let directory = directory(3, ONE_AT_A_TIME);
    for (deadline, said) in [
        ("0s", "a deadline of no time at all cannot be met"),
        ("-5m", "the deadline is over already"),
        ("2001-01-01T00:00:00Z", "the deadline is over already"),
        ("soon", "it is no length of time"),
        ("10", "it is no length of time"),
    ] {
        directory.rollcast(["advise", "--deadline", deadline]).args(INPUT).assert().code(2).stderr(contains(said));
    }
    directory.rollcast(["advise"]).args(INPUT).assert().code(2).stderr(contains("--deadline"));
    let both = ["advise", "--deadline", "5m", "--helm-timeout", "5m"];
    directory.rollcast(both).args(INPUT).assert().code(2);
    let json = answered(directory.rollcast(["advise", "--deadline", "2999-01-01T00:00:00Z"]).args(INPUT), 0);
    assert_eq!(json["report"]["own"]["met"], 1);
}

#[test]
fn a_change_that_the_api_server_would_refuse_is_not_forecast() {
    let directory = directory(3, "selectorr: {}");
    for command in [vec!["forecast"], vec!["compare"], vec!["advise", "--deadline", "5m"]] {
        directory.rollcast([]).args(command).args(INPUT).assert().code(1).stdout("").stderr(contains("selectorr"));
    }
    directory.rollcast(["forecast", "-f", "v1.yaml"]).assert().code(2).stderr(contains("no nodes in the input"));
}

/// Every pod takes another time, and one in many takes long.
const SCENARIO: &str = "\
apiVersion: rollcast.dev/v1alpha1
kind: Scenario
cluster: {pools: [{name: w, count: 60}]}
daemonSet:
  {apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent, namespace: monitoring}, spec: {
    updateStrategy: {rollingUpdate: {maxUnavailable: 3}},
    selector: {matchLabels: {app: agent}}, template: {metadata: {labels: {app: agent}}, spec: {
      containers: [{name: main, image: 'registry.example/agent:v1', resources: {requests: {cpu: 100m, memory: 64Mi}}}]}}}}
change:
  {apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent, namespace: monitoring}, spec: {
    updateStrategy: {rollingUpdate: {maxUnavailable: 3}},
    selector: {matchLabels: {app: agent}}, template: {metadata: {labels: {app: agent}}, spec: {
      containers: [{name: main, image: 'registry.example/agent:v2', resources: {requests: {cpu: 100m, memory: 64Mi}}}]}}}}
seed: 7
timings: {podReadyAfter: {median: 20s, p95: 60s}, podGoneAfter: {least: 2s, most: 10s}}
";

fn scenario() -> Directory {
    Directory::with([("scenario.yaml", SCENARIO)])
}

#[test]
fn a_scenario_is_played_with_many_seeds() {
    insta::assert_snapshot!(printed(&mut scenario().rollcast(["forecast", "-f", "scenario.yaml"]), 0));
}

#[test]
fn the_answer_is_the_same_on_any_number_of_threads() {
    let directory = scenario();
    for command in [vec!["forecast"], vec!["compare"], vec!["advise", "--deadline", "5m"]] {
        let on = |threads: &str| {
            let mut process = directory.rollcast([]);
            process.args(&command).args(["-f", "scenario.yaml", "--seeds", "12", "-o", "json", "--threads", threads]);
            printed(&mut process, 0)
        };
        let alone = on("1");
        assert_eq!(on("2"), alone);
        assert_eq!(on("5"), alone);
    }
    let from = |seed: &str| printed(&mut directory.rollcast(["forecast", "-f", "scenario.yaml", "--seed", seed]), 0);
    assert_ne!(from("1"), from("2"));
}

#[test]
fn a_scenario_with_a_problem_is_not_played() {
    let broken = SCENARIO.replace("median: 20s", "median: soon");
    let directory = Directory::with([("scenario.yaml", &broken)]);
    directory.rollcast(["forecast", "-f", "scenario.yaml"]).assert().code(3).stdout("").stderr(contains("soon"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_what_was_played_until_then() {
    let directory = scenario();
    let interrupted_after = |seconds: u64| {
        let mut process = std::process::Command::new(assert_cmd::cargo::cargo_bin!("rollcast"));
        process.env_clear().current_dir(directory.0.path());
        process.args(["forecast", "-f", "scenario.yaml", "--seeds", "100000", "--threads", "1", "-o", "json"]);
        process.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let process = process.spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_secs(seconds));
        let sent = std::process::Command::new("kill").args(["-INT", &process.id().to_string()]).status().unwrap();
        assert!(sent.success());
        process.wait_with_output().unwrap()
    };
    // On a busy machine it may not listen yet: then it simply ends, and is given longer.
    let outputs = [1, 4, 16].into_iter().map(interrupted_after);
    let output = outputs.into_iter().find(|output| output.status.code() == Some(130)).expect("it listens");
    assert!(String::from_utf8(output.stderr).unwrap().contains("interrupted"));
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["report"]["interrupted"], true);
    assert!(json["report"]["numbers"]["plays"].as_u64().unwrap() < 100_000);
}
