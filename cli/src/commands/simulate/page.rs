use std::time::Duration;

use rollcast_core::message::{Language, duration};
use rollcast_core::report::{ExpectedTrace, MarkLine, NameList, PlanStart, SimulateReport};

use crate::commands::plan::page as plan;
use crate::commands::plays::page::assumed_rows;
use crate::output::{Cell, Page, Table, style};

/// Events that are printed.
const EVENTS_SHOWN: usize = 12;

/// Lays out the report for people.
pub fn show(page: &mut Page, report: &SimulateReport, all_steps: bool) {
    if !report.name.is_empty() {
        page.line(style::FAINT, &report.name);
    }
    plan::headline(page, &report.plan);
    plan::changes(page, &report.plan);
    conditions(page, report);
    events(page, report);
    plan::steps(page, &report.plan, all_steps);
    if report.interrupted {
        interrupted(page, report);
    } else {
        plan::ending(page, &report.plan);
    }
    if let Some(hash) = &report.trace_hash {
        let line = match page.language {
            Language::English => format!("  trace hash: {hash}"),
            Language::Chinese => format!("  轨迹散列值：{hash}"),
        };
        page.line(style::FAINT, &line);
    }
    if let Some(ExpectedTrace { differs_in_line }) = report.expected {
        let (style, line) = match (differs_in_line, page.language) {
            (None, Language::English) => (style::GOOD, "  ✓ the same as the expected trace".to_owned()),
            (None, Language::Chinese) => (style::GOOD, "  ✓ 与预期的轨迹相同".to_owned()),
            (Some(line), Language::English) => {
                (style::BAD, format!("  ✗ differs from the expected trace from line {line} on"))
            }
            (Some(line), Language::Chinese) => (style::BAD, format!("  ✗ 从第 {line} 行起与预期的轨迹不同")),
        };
        page.line(style, &line);
    }
}

/// What the play rests on.
fn conditions(page: &mut Page, report: &SimulateReport) {
    page.gap();
    let start = match report.plan.start {
        PlanStart::Pods => page.language.say("the pods in the scenario", "场景中的 pod"),
        PlanStart::Settled => page.language.say(
            "an available pod of the present template on every node that should run one",
            "每个应运行的节点上都有一个可用的、当前模板的 pod",
        ),
        PlanStart::Installation => page.language.say("no DaemonSet of this name", "没有此名称的 DaemonSet"),
    };
    let mut table = Table::new();
    let name = |name| Cell::new(name).style(style::FAINT);
    table.row([name("Kubernetes"), Cell::new(report.plan.assumptions.kubernetes.as_str())]);
    table.row([name(page.language.say("Strategy", "策略")), Cell::new(plan::strategy(&report.plan.strategy))]);
    table.row([name(page.language.say("Start", "起点")), Cell::new(start)]);
    table.row([name(page.language.say("Seed", "种子")), Cell::new(report.seed.to_string())]);
    for (title, value) in assumed_rows(&report.assumed, page.language) {
        table.row([name(title), Cell::new(value)]);
    }
    page.table(&table, 0);
}

fn events(page: &mut Page, report: &SimulateReport) {
    let mut table = Table::new();
    // The same thing at the same time is one line, however many nodes it happens to.
    let same = |one: &MarkLine, other: &MarkLine| one.at_seconds == other.at_seconds && one.kind == other.kind;
    let groups: Vec<&[MarkLine]> = report.events.chunk_by(same).collect();
    for (group, event) in groups.iter().take(EVENTS_SHOWN).filter_map(|group| Some((group, group.first()?))) {
        let at = duration(Duration::from_secs(event.at_seconds), page.language);
        let about = group.iter().map(|event| &event.about).collect::<NameList>().words(page.language);
        table.row([Cell::new(at), Cell::new(&event.message), Cell::new(about)]);
    }
    for refused in &report.refused {
        let at = duration(Duration::from_secs(refused.at_seconds), page.language);
        let not_done = page.language.say("could not be done", "未能执行");
        table.row([Cell::new(at), Cell::new(not_done).style(style::BAD), Cell::new(&refused.refusal.message)]);
    }
    if report.events.is_empty() && report.refused.is_empty() {
        return;
    }
    let title = page.language.say("What happens", "发生的事").to_owned();
    page.heading(&title);
    page.table(&table, 2);
    let more = groups.len().saturating_sub(EVENTS_SHOWN);
    if more > 0 {
        let line = match page.language {
            Language::English => format!("  and {more} more"),
            Language::Chinese => format!("  另有 {more} 件"),
        };
        page.line(style::FAINT, &line);
    }
}

fn interrupted(page: &mut Page, report: &SimulateReport) {
    page.gap();
    let end = &report.plan.end;
    let at = duration(Duration::from_secs(end.at_seconds), page.language);
    let line = match page.language {
        Language::English => {
            format!("Interrupted after {at} of the play: {} of {} nodes done", end.finished, end.eligible)
        }
        Language::Chinese => format!("推演到 {at}时中断：{} 个节点中完成了 {} 个", end.eligible, end.finished),
    };
    page.line(style::WARN, &line);
}
