//! Scenarios, traces, conditions and flags that cannot be meant: what is wrong, where, and what to do, in both languages
//! and before anything is played.

use predicates::str::contains;

use crate::{AGENT, CLUSTER, Directory, printed};

/// What plays or reads, each with the flags that it needs.
const COMMANDS: [&[&str]; 6] =
    [&["forecast"], &["compare"], &["advise", "--deadline", "5m"], &["diagnose"], &["simulate"], &["import"]];

const SCENARIO: &str = "\
apiVersion: rollcast.dev/v1alpha1
kind: Scenario
cluster: {pools: [{name: w, count: 3}]}
daemonSet: {apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent}, spec: {selector: {matchLabels: {app: a}},
  template: {metadata: {labels: {app: a}}, spec: {containers: [{name: c, image: 'a:1'}]}}}}
change: {apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent}, spec: {selector: {matchLabels: {app: a}},
  template: {metadata: {labels: {app: a}}, spec: {containers: [{name: c, image: 'a:2'}]}}}}
";

fn directory() -> Directory {
    let changed = AGENT.replace("agent:v1", "agent:v2");
    let two = format!("{AGENT}---\n{}", AGENT.replace("name: agent,", "name: other,"));
    let nodes = printed(&mut crate::rollcast(["nodes", "--pool", "name=w,count=3"]), 0);
    Directory::with([
        ("scenario.yaml", SCENARIO),
        ("v1.yaml", AGENT),
        ("v2.yaml", &changed),
        ("two.yaml", &two),
        ("nodes.yaml", &nodes),
        ("cluster.yaml", CLUSTER),
        ("empty.yaml", ""),
        (
            "malformed.yaml",
            "apiVersion: rollcast.dev/v1alpha1\nkind: Scenario\ncluster: {pools: [{name: w}\nchange: 3\n",
        ),
        ("secret.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n"),
        ("below/scenario.yaml", SCENARIO),
    ])
}

/// How a command ends, and what it says in one of the languages; nothing is printed as an answer.
fn refused(directory: &Directory, command: &[&str], language: &str) -> (i32, String) {
    let assert = directory.rollcast(["--lang", language]).args(command).assert().stdout("");
    let output = assert.get_output();
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(!said.contains("internal error") && !said.contains("panicked"), "{command:?}: {said}");
    (output.status.code().unwrap(), said)
}

/// Asserts how a command is refused, in English and in Chinese.
fn check(directory: &Directory, command: &[&str], code: i32, english: &str, chinese: &str) {
    for (language, expected) in [("en", english), ("zh", chinese)] {
        let (found, said) = refused(directory, command, language);
        assert_eq!(found, code, "{command:?}: {said}");
        assert!(said.contains(expected), "{command:?} says\n{said}and not\n{expected}");
    }
}

#[test]
fn what_cannot_be_read_is_named_by_every_command() {
    let directory = directory();
    std::fs::write(directory.path("binary.yaml"), [0x23, 0xff, 0x00, 0xfe, 0x0a]).unwrap();
    for command in COMMANDS {
        for (file, code, english, chinese) in [
            ("missing.yaml", 3, "`missing.yaml`: no such file or directory", "`missing.yaml`：文件或目录不存在"),
            ("empty.yaml", 3, "nothing but blank lines and comments", "只有空行和注释"),
            ("malformed.yaml", 3, "malformed.yaml:4:7", "malformed.yaml:4:7"),
            ("binary.yaml", 3, "this byte is not UTF-8", "不是 UTF-8"),
        ] {
            check(&directory, &[command, &["-f", file]].concat(), code, english, chinese);
        }
        let (code, said) = refused(&directory, &[command, &["-f", "secret.yaml"]].concat(), "en");
        assert!(code == 2 || code == 3, "{said}");
        assert!(
            said.contains("no DaemonSet in the input, only 1 Secret") || said.contains("this is a `Secret`"),
            "{said}"
        );
    }
}

#[test]
fn a_scenario_stands_alone() {
    let directory = directory();
    let alone = ("a scenario is given by itself", "场景须单独给出");
    for command in COMMANDS.iter().filter(|command| command[0] != "simulate") {
        let (english, chinese) = alone;
        check(&directory, &[command, &["-f", "below"][..]].concat(), 2, english, chinese);
        check(&directory, &[command, &["-f", "scenario.yaml", "-f", "nodes.yaml"][..]].concat(), 2, english, chinese);
    }
    let (english, chinese) = ("`below` is a directory, and a scenario is one file", "`below` 是目录，而场景是一个文件");
    check(&directory, &["simulate", "-f", "below"], 2, english, chinese);
    for command in &COMMANDS[..3] {
        let change = [command, &["-f", "scenario.yaml", "--to", "v2.yaml"][..]].concat();
        check(&directory, &change, 2, "says itself what is changed", "其中已写明变更");
        let other = [command, &["-f", "scenario.yaml", "--daemonset", "other"][..]].concat();
        check(&directory, &other, 2, "there is `default/agent`", "现有 `default/agent`");
        printed(directory.rollcast([]).args(*command).args(["-f", "scenario.yaml", "--daemonset", "agent"]), 0);
    }
}

#[test]
fn a_change_without_the_daemon_set_is_named() {
    let directory = directory();
    for command in COMMANDS.iter().filter(|command| !["simulate", "diagnose"].contains(&command[0])) {
        let to = |file| [command, &["-f", "nodes.yaml", "-f", "v1.yaml", "--to", file][..]].concat();
        check(
            &directory,
            &to("nodes.yaml"),
            2,
            "no DaemonSet in `nodes.yaml`, only 3 Node",
            "`nodes.yaml` 中没有 DaemonSet",
        );
        check(&directory, &to("missing.yaml"), 3, "`missing.yaml`: no such file", "`missing.yaml`：文件或目录不存在");
        let (code, said) = refused(&directory, &to("malformed.yaml"), "en");
        assert!([1, 3].contains(&code) && said.contains("malformed.yaml:4:7"), "{command:?} {code}: {said}");
    }
    let several = ["forecast", "-f", "nodes.yaml", "-f", "two.yaml"];
    check(&directory, &several, 2, "choose one with --daemonset", "用 --daemonset 命名空间/名称 选择一个");
    let other = ["import", "-f", "nodes.yaml", "-f", "v1.yaml", "--to", "v3.yaml"];
    std::fs::write(directory.path("v3.yaml"), AGENT.replace("name: agent,", "name: third,")).unwrap();
    check(&directory, &other, 2, "no DaemonSet `monitoring/agent`", "没有 DaemonSet `monitoring/agent`");
}

#[test]
fn a_scenario_that_contradicts_itself_is_not_played() {
    let directory = directory();
    let daemon_set =
        SCENARIO.split("daemonSet: ").nth(1).unwrap().split("\nchange:").next().unwrap().replace("\n  ", " ");
    let other = daemon_set.replace("name: agent", "name: other");
    let cases = [
        (
            "timings: {podReadyAfter: {median: 20s, p95: 10s}}".to_owned(),
            "`p95` is shorter than `median`",
            "`p95` 比 `median` 短",
        ),
        (
            "timings: {podReadyAfter: {least: 20s, most: 10s}}".to_owned(),
            "`least` is longer than `most`",
            "`least` 比 `most` 长",
        ),
        ("timings: {podReadyAfter: {median: 0s, p95: 10s}}".to_owned(), "no room for a spread", "没有离散可言"),
        ("timings: {podReadyAfter: {median: 1s, most: 10s}}".to_owned(), "exclude each other", "互斥"),
        ("timings: {podGoneAfter: -1s}".to_owned(), "nothing takes less than no time", "时长不能为负"),
        ("timings: {podGoneAfter: 9000h}".to_owned(), "up to 365 days", "最长 365 天"),
        (
            "measured: {podGoneAfter: {count: 2, least: 2s, median: 1s, p95: 3s, most: 3s}}".to_owned(),
            "must not fall",
            "依次不减",
        ),
        ("start: Pods".to_owned(), "no pods of the DaemonSet to start from", "没有可作起点的"),
        ("startsAt: yesterday".to_owned(), "is no time such as", "不是时间"),
        ("daemonSetRef: {name: other}".to_owned(), "exclude each other", "互斥"),
        ("events: [{at: -1s, restart: {}}]".to_owned(), "this lies before the start", "早于开始时刻"),
        ("events: [{at: 1s, cordon: {node: x-1}}]".to_owned(), "there is no node `x-1` then", "此时没有节点 `x-1`"),
        (
            "events: [{at: 1s, removeNode: {node: w-1}}, {at: 2s, cordon: {node: w-1}}]".to_owned(),
            "there is no node `w-1` then\n",
            "此时没有节点 `w-1`\n",
        ),
        ("events: [{at: 1s, failPods: {pod: x}}]".to_owned(), "there is no pod `x`", "没有 pod `x`"),
        (
            "events: [{at: 1s, deleteDaemonSet: {}}, {at: 2s, restart: {}}]".to_owned(),
            "no DaemonSet at this time",
            "此时没有 DaemonSet",
        ),
        (
            format!("events: [{{at: 1s, apply: {other}}}]"),
            "while `default/agent` is played",
            "而推演的是 `default/agent`",
        ),
        ("kubernetesVersion: '1.20'".to_owned(), "unknown word `1.20`", "未知的词 `1.20`"),
        ("seed: -1".to_owned(), "this is no number from 0", "这不是 0 到"),
        ("images: {registryBytesPerSecond: 0}".to_owned(), "this is no number from 1", "这不是 1 到"),
        ("controlPlane: {rejectedPermille: 1001}".to_owned(), "this is no number from 0 to 1000", "这不是 0 到 1000"),
    ];
    for (rest, english, chinese) in &cases {
        std::fs::write(directory.path("broken.yaml"), format!("{SCENARIO}{rest}\n")).unwrap();
        check(&directory, &["simulate", "-f", "broken.yaml"], 3, english, chinese);
        check(&directory, &["simulate", "-f", "broken.yaml"], 3, "broken.yaml:8:", "broken.yaml:8:");
    }
    // Each command that plays a scenario reads it alike.
    for command in &COMMANDS[..5] {
        check(&directory, &[command, &["-f", "broken.yaml"][..]].concat(), 3, "broken.yaml:8:", "broken.yaml:8:");
    }
    let head = SCENARIO.split("cluster:").next().unwrap();
    let change = format!("change: {daemon_set}");
    let whole = [
        (
            "cluster: {pools: [{name: w, count: 3}]}".to_owned(),
            "there is no DaemonSet to play",
            "没有可推演的 DaemonSet",
        ),
        (format!("cluster: {{}}\n{change}"), "there are no nodes to play on", "没有可推演的节点"),
        (
            format!("cluster: {{pools: [{{name: w, count: 2}}, {{name: w, count: 3}}]}}\n{change}"),
            "a node `w-1` already",
            "节点 `w-1` 已存在",
        ),
        (
            format!("cluster: {{pools: [{{name: v, count: 200000}}, {{name: w, count: 200000}}]}}\n{change}"),
            "at most 200,000 are played",
            "最多推演 200,000 个",
        ),
        (
            format!("cluster: {{pools: [{{name: w, count: 99999999999999}}]}}\n{change}"),
            "this is no number from 1 to 200000",
            "这不是 1 到 200000",
        ),
        (
            format!("cluster: {{pools: [{{name: w}}], objects: [{daemon_set}, {other}]}}"),
            "choose one with `daemonSetRef`",
            "请用 `daemonSetRef` 选择一个",
        ),
        (
            format!("cluster: {{pools: [{{name: w}}], files: [away.yaml]}}\n{change}"),
            "`away.yaml` could not be read",
            "无法读取 `away.yaml`",
        ),
    ];
    for (rest, english, chinese) in &whole {
        std::fs::write(directory.path("broken.yaml"), format!("{head}{rest}\n")).unwrap();
        check(&directory, &["forecast", "-f", "broken.yaml"], 3, english, chinese);
    }
    let of_another = SCENARIO.replace("v1alpha1", "v9");
    std::fs::write(directory.path("broken.yaml"), of_another).unwrap();
    check(&directory, &["forecast", "-f", "broken.yaml"], 3, "version `rollcast.dev/v9`", "`rollcast.dev/v9` 版本");
}

#[test]
fn a_trace_is_no_input_and_a_damaged_one_nothing_to_compare_with() {
    let directory = directory();
    let simulate = ["simulate", "-f", "scenario.yaml"];
    printed(directory.rollcast(simulate).args(["--trace", "trace.jsonl"]), 0);
    let trace = std::fs::read_to_string(directory.path("trace.jsonl")).unwrap();
    for command in COMMANDS {
        let (english, chinese) = ("`trace.jsonl` is the trace of a play", "`trace.jsonl` 是推演的轨迹");
        check(&directory, &[command, &["-f", "trace.jsonl"]].concat(), 2, english, chinese);
    }
    let text = printed(directory.rollcast(simulate).args(["--expect", "trace.jsonl"]), 0);
    assert!(text.contains("✓ the same as the expected trace"), "{text}");

    let lines: Vec<&str> = trace.lines().collect();
    let cut = &trace[..trace.len() - 40];
    let without_a_line = [&lines[..2], &lines[3..]].concat().join("\n") + "\n";
    for (name, text, line, english, chinese) in [
        ("other.jsonl", trace.replacen("v1alpha1", "v2", 1), 1, "version `rollcast.dev/v2`", "`rollcast.dev/v2` 版本"),
        ("cut.jsonl", cut.to_owned(), lines.len(), "cut short", "被截断"),
        ("edited.jsonl", trace.replacen("w-1", "w-9", 1), lines.len(), "their hash differs", "散列值不符"),
        ("shorter.jsonl", without_a_line, lines.len() - 1, "should have", "应有"),
        ("agent.yaml", AGENT.to_owned(), 1, "no trace", "不是轨迹"),
    ] {
        std::fs::write(directory.path(name), text).unwrap();
        let command = [&simulate[..], &["--expect", name]].concat();
        check(&directory, &command, 3, english, chinese);
        check(
            &directory,
            &command,
            3,
            &format!("cannot use the trace `{name}`, line {line}:"),
            &format!("第 {line} 行"),
        );
    }
    let (english, chinese) = ("no such file", "文件或目录不存在");
    check(&directory, &[&simulate[..], &["--expect", "away.jsonl"]].concat(), 3, english, chinese);

    let command = &mut directory.rollcast(simulate);
    let text = printed(command.args(["--seed", "5", "--expect", "trace.jsonl"]), 1);
    assert!(text.contains("✗ differs from the expected trace from line 1 on"), "{text}");
}

#[test]
fn conditions_and_deadlines_that_cannot_be_are_refused() {
    let directory = directory();
    for (condition, english, chinese) in [
        ("", "a field is missing", "缺少字段"),
        ("p95 >", "the value is missing", "缺少值"),
        ("p95 > 10m && p50 > 1m", "at character 7", "第 7 个字符处"),
        ("p95 > -10m", "`-10m` is not a length of time", "`-10m` 不是"),
        ("fewestAvailable < 950%", "`950%` is not", "`950%` 不是"),
        ("finishOdds < 99", "`99` is not a percentage", "`99` 不是百分比"),
        ("p96 < 1m", "unknown field `p96`", "未知的字段 `p96`"),
    ] {
        let command = ["forecast", "-f", "scenario.yaml", "--fail-if", condition];
        check(&directory, &command, 2, english, chinese);
    }
    for (deadline, english, chinese) in [
        ("", "it is no length of time", "不是时长"),
        ("9000h", "longer than a year", "超过一年"),
        ("0s", "no time at all", "期限为零"),
        ("2020-01-01T00:00:00Z", "the deadline is over already", "期限已过"),
    ] {
        check(&directory, &["advise", "-f", "scenario.yaml", "--deadline", deadline], 2, english, chinese);
    }
}

#[test]
fn flags_that_contradict_each_other_are_wrong_use() {
    let directory = directory();
    for (command, said) in [
        (&["advise", "-f", "scenario.yaml", "--deadline", "5m", "--helm", "3"][..], "--helm"),
        (&["advise", "-f", "scenario.yaml", "--deadline", "5m", "--helm-timeout", "5m"], "--helm-timeout"),
        (&["advise", "-f", "scenario.yaml"], "--deadline"),
        (&["simulate", "--schema", "trace", "-f", "scenario.yaml"], "--schema"),
        (&["simulate", "--schema", "trace", "--expect", "x"], "--schema"),
        (&["simulate", "-f", "scenario.yaml", "-f", "scenario.yaml"], "multiple times"),
        (&["forecast", "-f", "scenario.yaml", "--seeds", "0"], "0 is not in"),
        (&["forecast", "-f", "scenario.yaml", "--threads", "0"], "0 is not in"),
        (&["forecast", "-f", "scenario.yaml", "--ready-after", "-3"], "invalid value '-3'"),
        (&["forecast", "-f", "scenario.yaml", "--never-ready", "w-9"], "did you mean `w-1`?"),
        (&["diagnose", "-f", "cluster.yaml", "--at", "yesterday"], "cannot read the time `yesterday`"),
    ] {
        directory.rollcast([]).args(command).assert().code(2).stdout("").stderr(contains(said));
    }
    let ignored = ["--at", "2026-01-01T00:00:00Z"];
    let said = contains("`--at` changes nothing");
    directory.rollcast(["diagnose", "-f", "scenario.yaml"]).args(ignored).assert().code(0).stderr(said);
}

#[test]
fn standard_input_is_not_read_for_both_sides_of_a_change() {
    let directory = directory();
    for command in [&["plan"][..], &["forecast"], &["import"]] {
        let change = [command, &["-f", "-", "--to", "-"]].concat();
        check(&directory, &change, 2, "standard input can be read only once", "标准输入只能读取一次");
    }
}

#[test]
fn a_daemon_set_that_does_not_select_its_own_pods_is_not_played() {
    let directory = Directory::with([("agent.yaml", &AGENT.replace("labels: {app: agent}", "labels: {app: other}"))]);
    let nodes = printed(&mut crate::rollcast(["nodes", "--pool", "name=w,count=3"]), 0);
    std::fs::write(directory.path("nodes.yaml"), nodes).unwrap();
    for command in [&["plan"][..], &["forecast"], &["compare"], &["advise", "--deadline", "5m"]] {
        let played = [command, &["-f", "agent.yaml", "-f", "nodes.yaml"]].concat();
        check(&directory, &played, 1, "pods would be made without end", "会无休止地创建 pod");
        let (_, said) = refused(&directory, &played, "en");
        assert!(said.contains("the API server would refuse `agent.yaml`"), "{said}");
    }
}

#[test]
fn a_scenario_beside_a_cluster_is_said_to_be_left_out() {
    let directory = directory();
    let mut plan = directory.rollcast(["plan", "-f", "scenario.yaml", "-f", "v1.yaml", "-f", "nodes.yaml"]);
    plan.assert().code(0).stderr(contains("the scenario in the input is left out"));
}

#[test]
fn a_timeout_of_helm_is_no_moment() {
    let directory = directory();
    let timeout = ["advise", "-f", "v1.yaml", "-f", "nodes.yaml", "--helm-timeout", "2030-01-31T18:00:00Z"];
    check(&directory, &timeout, 2, "help: for example 5m or 1h30m\n", "提示: 例如 5m 或 1h30m\n");
}
