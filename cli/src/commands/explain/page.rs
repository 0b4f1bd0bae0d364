use anstyle::Style;
use rollcast_core::api::{DaemonSet, NodeSelectorRequirement, TaintEffect, Toleration};
use rollcast_core::message::{Language, Words, amount, grouped, nodes};
use rollcast_core::placement::{CheckOutcome, Exclusion, PlacementRules};
use rollcast_core::report::{
    CheckLine, CheckedBy, ExplainReport, NodeGroup, NodeReport, Obstacle, StatusReport, Verdict,
};
use rollcast_core::scheduling::TolerationOrigin;

use crate::output::{Cell, Page, Table, style};

/// Groups that are printed; `-o json` has all of them.
const SHOWN: usize = 25;

/// Lays out the report for people.
///
/// `labels` is the selector of the nodes that were looked at, if not all were.
pub fn show(
    page: &mut Page,
    report: &ExplainReport,
    rules: &PlacementRules,
    daemon_set: &DaemonSet,
    labels: Option<&str>,
) {
    if report.counts.nodes == 0 {
        without_nodes(page, report, rules, daemon_set);
        return;
    }
    if report.nodes.is_empty() {
        headline(page, report, labels);
        for group in report.groups.iter().take(SHOWN) {
            show_group(page, group);
        }
        let more = report.groups.len().saturating_sub(SHOWN);
        if more > 0 {
            page.gap();
            let line = match page.language {
                Language::English => format!("{more} more groups, see -o json"),
                Language::Chinese => format!("另有 {more} 组，见 -o json"),
            };
            page.line(style::FAINT, &line);
        }
    }
    if !report.nodes.is_empty() {
        page.heading(&format!("DaemonSet {}", report.daemon_set));
    }
    for node in &report.nodes {
        show_node(page, node, report);
    }
}

fn headline(page: &mut Page, report: &ExplainReport, labels: Option<&str>) {
    let (desired, all) = (report.counts.desired, nodes(report.counts.nodes, page.language));
    let (name, some) = (&report.daemon_set, grouped(desired));
    // Of a part of the nodes the number is not the one that kubectl shows.
    let line = match (labels, page.language) {
        (None, Language::English) => {
            format!("DaemonSet {name}: {some} of {all} should run it (DESIRED {desired})")
        }
        (None, Language::Chinese) => format!("DaemonSet {name}：{all}中有 {some} 个应运行它（DESIRED {desired}）"),
        (Some(labels), Language::English) => {
            format!("DaemonSet {name}: {some} of {all} with `{labels}` should run it")
        }
        (Some(labels), Language::Chinese) => {
            format!("DaemonSet {name}：带有 `{labels}` 的 {all}中有 {some} 个应运行它")
        }
    };
    page.heading(&line);
    if let Some(status) = &report.status {
        show_status(page, status);
    }
}

/// The numbers as kubectl prints them, and what its `rollout status` would say.
fn show_status(page: &mut Page, status: &StatusReport) {
    let numbers = &status.numbers;
    let mut table = Table::with_header(["DESIRED", "CURRENT", "READY", "UP-TO-DATE", "AVAILABLE", "MISSCHEDULED"]);
    table.row([
        Cell::number(numbers.desired_number_scheduled),
        Cell::number(numbers.current_number_scheduled),
        Cell::number(numbers.number_ready),
        Cell::number(numbers.updated_number_scheduled),
        Cell::number(numbers.number_available),
        Cell::number(numbers.number_misscheduled),
    ]);
    page.table(&table, 0);
    page.line(style::FAINT, &format!("kubectl rollout status: {}", status.rollout_status));
    for wait in &status.waiting_on {
        page.line(style::WARN, &format!("! {}", wait.message));
    }
    if !status.waiting_on.is_empty() {
        let hint = page.language.say("why, and what frees it", "原因及解决办法");
        let line = format!("  {hint}{}rollcast diagnose", page.language.say(": ", "："));
        page.line(style::FAINT, &line);
    }
}

fn symbol(verdict: Verdict) -> (&'static str, Style) {
    match verdict {
        Verdict::Run => ("✓", style::GOOD),
        Verdict::NoRoomToSurge | Verdict::NoRoomForSuccessor | Verdict::NoRoom => ("!", style::WARN),
        Verdict::KeepRunning | Verdict::Exclude => ("✗", style::FAINT),
    }
}

fn show_group(page: &mut Page, group: &NodeGroup) {
    page.gap();
    let (symbol, style) = symbol(group.verdict);
    page.line(style, &format!("{symbol} {}", group.words(page.language)));
    page.line(style::PLAIN, &format!("    {}", group.nodes.words(page.language)));
    for said in &group.obstacles {
        page.line(style::PLAIN, &format!("  - {}", said.message));
        if matches!(said.reason, Obstacle::Excluded(Exclusion::NodeAffinity { .. })) {
            for detail in &group.details {
                page.line(style::PLAIN, &format!("      {detail}"));
            }
        }
    }
    if group.figures_differ {
        let text = page.language.say("values as on the first of these nodes", "数值取自其中第一个节点");
        page.line(style::FAINT, &format!("    ({text})"));
    }
    if let Some(preemption) = &group.preemption {
        page.line(style::FAINT, &format!("    {preemption}"));
    }
    if let Some(tolerations) = &group.tolerations {
        let written = tolerations.iter().map(written).collect::<Vec<_>>().join(", ");
        let text = page.language.say("to run there, tolerate: ", "要在这些节点上运行，请容忍：");
        page.line(style::FAINT, &format!("    {text}[{written}]"));
    }
}

/// A toleration as it is written in a manifest.
fn written(toleration: &Toleration) -> String {
    let mut fields = Vec::new();
    if !toleration.key.is_empty() {
        fields.push(format!("key: {}", toleration.key));
    }
    if !toleration.operator.is_empty() {
        fields.push(format!("operator: {}", toleration.operator));
    }
    if !toleration.value.is_empty() {
        fields.push(format!("value: {}", toleration.value));
    }
    if toleration.effect != TaintEffect::Unset {
        fields.push(format!("effect: {}", toleration.effect.as_str()));
    }
    format!("{{{}}}", fields.join(", "))
}

fn show_node(page: &mut Page, node: &NodeReport, report: &ExplainReport) {
    let (symbol, style) = symbol(node.verdict);
    page.gap();
    page.line(style, &format!("{symbol} {} {}", node.name, node.message));
    let by = |by: CheckedBy| node.checks.iter().filter(move |check| check.by == by).collect::<Vec<_>>();
    let who = [
        (
            CheckedBy::Controller,
            page.language.say("DaemonSet controller: is a pod made?", "DaemonSet 控制器：是否创建 pod？"),
        ),
        (CheckedBy::Scheduler, page.language.say("kube-scheduler: does it fit?", "kube-scheduler：放得下吗？")),
    ]
    .map(|(who, title)| (who, title.to_owned()));
    for (who, title) in who {
        let checks = by(who);
        page.gap();
        page.line(style::STRONG, &title);
        if checks.is_empty() {
            let nothing = page.language.say("nothing is asked of the node", "对节点没有要求");
            page.line(style::FAINT, &format!("  {nothing}"));
        } else {
            page.table(&checks_table(&checks), 2);
        }
    }
    if let Some(message) = &node.scheduler_message {
        page.gap();
        page.line(style::PLAIN, &format!("0/… {message}").replace("0/… 0/", "0/"));
    }
    if !node.pods.is_empty() {
        page.gap();
        let title = page.language.say("Pods of", "此 DaemonSet 的 pod：").to_owned();
        page.line(style::STRONG, &format!("{title} {}", report.daemon_set));
        let mut table = Table::with_header(["NAME", "STATUS", "READY", "REVISION"]);
        for pod in &node.pods {
            let status = if pod.terminating { "Terminating".to_owned() } else { format!("{:?}", pod.phase) };
            let ready = if pod.ready { "1/1" } else { "0/1" };
            let revision = pod.revision.as_deref().unwrap_or("<none>");
            table.row([pod.name.as_str().into(), status.into(), ready.into(), revision.into()]);
        }
        page.table(&table, 2);
    }
}

fn checks_table(checks: &[&CheckLine]) -> Table {
    let mut table = Table::new();
    for check in checks {
        let (symbol, style) = match check.outcome {
            CheckOutcome::Passed => ("✓", style::GOOD),
            CheckOutcome::Failed => ("✗", style::BAD),
            CheckOutcome::Indifferent => ("·", style::FAINT),
        };
        let field = check.field.as_ref().map(ToString::to_string).unwrap_or_default();
        table.row([Cell::new(symbol).style(style), Cell::new(&check.message), Cell::new(field).style(style::FAINT)]);
    }
    table
}

/// Without nodes there is still what the template asks of one.
fn without_nodes(page: &mut Page, report: &ExplainReport, rules: &PlacementRules, daemon_set: &DaemonSet) {
    let title = match page.language {
        Language::English => format!("DaemonSet {}: what it asks of a node", report.daemon_set),
        Language::Chinese => format!("DaemonSet {}：它对节点的要求", report.daemon_set),
    };
    page.heading(&title);
    page.table(&requirements(page, rules, daemon_set), 2);
    page.gap();
    let hint = page.language.say(
        "The input holds no nodes. Add some to see which of them run it:",
        "输入中没有节点。加上节点即可看到哪些会运行它：",
    );
    let hint = hint.to_owned();
    page.line(style::PLAIN, &hint);
    page.line(style::FAINT, "  kubectl get nodes,pods -A -o json | rollcast explain -f agent.yaml -f -");
    page.line(style::FAINT, "  rollcast nodes --pool name=worker,count=3 | rollcast explain -f agent.yaml -f -");
}

/// A requirement of node affinity as it is written: `zone In [a, b]`.
fn requirement(requirement: &NodeSelectorRequirement) -> String {
    let NodeSelectorRequirement { key, operator, values } = requirement;
    let values = if values.is_empty() { String::new() } else { format!(" [{}]", values.join(", ")) };
    format!("{key} {operator}{values}")
}

fn requirements(page: &Page, rules: &PlacementRules, daemon_set: &DaemonSet) -> Table {
    let mut table = Table::new();
    let nothing = || page.language.say("nothing", "无").to_owned();
    let spec = daemon_set.spec.template.spec();
    let selector = rules.requirements().node_selector();
    let labels = selector.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(",");
    table.row(["nodeSelector".into(), if labels.is_empty() { nothing() } else { labels }.into()]);
    match &spec.affinity.node_affinity.required {
        None => table.row(["nodeAffinity".into(), nothing().into()]),
        Some(required) => {
            for (position, term) in required.node_selector_terms.iter().enumerate() {
                let name = if position == 0 { "nodeAffinity" } else { "" };
                let or = if position == 0 { "" } else { page.language.say("or ", "或 ") };
                let asked = term.match_expressions.iter().chain(&term.match_fields).map(requirement);
                let asked = asked.collect::<Vec<_>>().join(page.language.say(" and ", " 且 "));
                table.row([name.into(), format!("{or}{asked}").into()]);
            }
        }
    }
    for (position, entry) in rules.tolerations().iter().enumerate() {
        let name = if position == 0 { "tolerations" } else { "" };
        let automatic = match entry.origin {
            TolerationOrigin::Template(_) => String::new(),
            TolerationOrigin::Automatic { .. } => {
                page.language.say("every DaemonSet pod gets it", "每个 DaemonSet 的 pod 都有").to_owned()
            }
        };
        table.row([name.into(), written(&entry.toleration).into(), Cell::new(automatic).style(style::FAINT)]);
    }
    let requests = rules.demand().requests.iter().filter(|(_, number)| *number > 0);
    let requests = requests.map(|(resource, number)| format!("{resource} {}", amount(resource, number)));
    let requests = requests.collect::<Vec<_>>().join(", ");
    table.row(["requests".into(), if requests.is_empty() { nothing() } else { requests }.into()]);
    let ports = rules
        .demand()
        .host_ports
        .iter()
        .map(|declared| format!("{}/{}", declared.port.host_port, declared.port.protocol));
    let ports = ports.collect::<Vec<_>>().join(", ");
    table.row(["hostPort".into(), if ports.is_empty() { nothing() } else { ports }.into()]);
    if !spec.node_name.is_empty() {
        table.row(["nodeName".into(), spec.node_name.as_str().into()]);
    }
    table
}
