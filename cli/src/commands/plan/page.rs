use std::collections::BTreeSet;
use std::time::Duration;

use rollcast_core::message::{Language, Words, duration, grouped, nodes, pods};
use rollcast_core::report::{DecisionLine, FieldChange, PlanOutcome, PlanReport, PlanStart, PlanStep, PlanStrategy};
use rollcast_core::sim::DecisionKind;

use crate::output::{Cell, Page, Table, style};

/// Steps that are printed of a long rollout: so many of the first, and of the last.
const FIRST_STEPS: usize = 8;
const LAST_STEPS: usize = 3;

/// Node names that are printed of one decision.
const NAMES_SHOWN: usize = 4;

/// Changed fields that are printed.
const CHANGES_SHOWN: usize = 30;

/// Characters of a value that are printed.
const VALUE_SHOWN: usize = 60;

/// Lays out the report for people.
pub fn show(page: &mut Page, report: &PlanReport, all_steps: bool) {
    headline(page, report);
    changes(page, report);
    conditions(page, report);
    steps(page, report, all_steps);
    ending(page, report);
}

pub fn headline(page: &mut Page, report: &PlanReport) {
    let all = nodes(report.end.eligible, page.language);
    let line = match (report.start, page.language) {
        (PlanStart::Installation, Language::English) => format!("Installing DaemonSet {} on {all}", report.daemon_set),
        (PlanStart::Installation, Language::Chinese) => format!("在 {all}上安装 DaemonSet {}", report.daemon_set),
        (_, Language::English) => format!("Updating DaemonSet {} on {all}", report.daemon_set),
        (_, Language::Chinese) => format!("在 {all}上更新 DaemonSet {}", report.daemon_set),
    };
    page.heading(&line);
}

pub fn changes(page: &mut Page, report: &PlanReport) {
    if report.start == PlanStart::Installation {
        return;
    }
    page.gap();
    if report.changes.is_empty() {
        let text = page.language.say("Nothing changes in its spec.", "spec 没有变化。").to_owned();
        page.line(style::PLAIN, &text);
        return;
    }
    let (title, note) = if report.template_changes {
        (
            page.language.say("Changes", "变更"),
            page.language.say("the pod template differs, so that pods are replaced", "pod 模板不同，因此会替换 pod"),
        )
    } else {
        (
            page.language.say("Changes", "变更"),
            page.language.say("the pod template stays, so that no pod is replaced", "pod 模板不变，因此不会替换 pod"),
        )
    };
    let colon = page.language.say(": ", "：");
    let title = format!("{title}{colon}{note}");
    page.line(style::STRONG, &title);
    let mut table = Table::new();
    for FieldChange { path, before, after } in report.changes.iter().take(CHANGES_SHOWN) {
        let side = |value: &Option<String>| value.as_deref().map_or("<none>".to_owned(), shortened);
        table.row([Cell::new(path), Cell::new(format!("{} → {}", side(before), side(after)))]);
    }
    page.table(&table, 2);
    let more = report.changes.len().saturating_sub(CHANGES_SHOWN);
    if more > 0 {
        let line = match page.language {
            Language::English => format!("  and {more} more"),
            Language::Chinese => format!("  另有 {more} 处"),
        };
        page.line(style::FAINT, &line);
    }
}

fn shortened(value: &str) -> String {
    if value.is_empty() {
        return "\"\"".to_owned();
    }
    match value.char_indices().nth(VALUE_SHOWN) {
        Some((cut, _)) => format!("{}…", value.get(..cut).unwrap_or(value)),
        None => value.to_owned(),
    }
}

/// What the rollout rests on: the strategy, the start, the times.
fn conditions(page: &mut Page, report: &PlanReport) {
    page.gap();
    let assumed = &report.assumptions;
    let time = |seconds: u64| duration(Duration::from_secs(seconds), page.language);
    let (ready, gone) = (time(assumed.ready_after_seconds), time(assumed.gone_after_seconds));
    let mut times = match page.language {
        Language::English => format!("a pod is ready {ready} after its creation, gone {gone} after its deletion"),
        Language::Chinese => format!("pod 在创建 {ready}后就绪，删除 {gone}后消失"),
    };
    if !assumed.never_ready_nodes.is_empty() {
        let names = rollcast_core::report::NameList::from_iter(&assumed.never_ready_nodes).words(page.language);
        let never = match page.language {
            Language::English => format!("; never ready on {names}"),
            Language::Chinese => format!("；在 {names} 上永不就绪"),
        };
        times.push_str(&never);
    }
    let start = match report.start {
        PlanStart::Pods => page.language.say("the pods in the input", "输入中的 pod"),
        PlanStart::Settled => page.language.say(
            "no pods in the input: an available pod of the present template on every node that should run one",
            "输入中没有 pod：假定每个应运行的节点上都有一个可用的、当前模板的 pod",
        ),
        PlanStart::Installation => {
            page.language.say("no DaemonSet of this name in the input", "输入中没有此名称的 DaemonSet")
        }
    };
    let mut table = Table::new();
    let name = |english, chinese| Cell::new(page.language.say(english, chinese)).style(style::FAINT);
    table.row([name("Kubernetes", "Kubernetes"), Cell::new(assumed.kubernetes.as_str())]);
    table.row([name("Strategy", "策略"), Cell::new(strategy(&report.strategy))]);
    table.row([name("Start", "起点"), Cell::new(start)]);
    table.row([name("Assumed", "假设"), Cell::new(times)]);
    page.table(&table, 0);
}

/// `RollingUpdate, maxUnavailable 10% = 29, maxSurge 0, minReadySeconds 5`.
pub fn strategy(strategy: &PlanStrategy) -> String {
    let resolved = |written: &str, resolved: u32| {
        if written == resolved.to_string() { written.to_owned() } else { format!("{written} = {resolved}") }
    };
    let mut parts = vec![strategy.strategy_type.to_string()];
    if strategy.strategy_type == "RollingUpdate" {
        parts.push(format!("maxUnavailable {}", resolved(&strategy.max_unavailable, strategy.max_unavailable_nodes)));
        parts.push(format!("maxSurge {}", resolved(&strategy.max_surge, strategy.max_surge_nodes)));
    }
    if strategy.min_ready_seconds > 0 {
        parts.push(format!("minReadySeconds {}", strategy.min_ready_seconds));
    }
    parts.join(", ")
}

pub fn steps(page: &mut Page, report: &PlanReport, all_steps: bool) {
    if report.steps.is_empty() {
        return;
    }
    page.gap();
    let mut table = Table::with_header(["AT", "UP-TO-DATE", "AVAILABLE", "PODS", ""]);
    // A reason that was told is not told again: a rollout repeats itself.
    let mut told = BTreeSet::new();
    let count = report.steps.len();
    let skipped = if all_steps || count <= FIRST_STEPS + LAST_STEPS + 1 { 0 } else { count - FIRST_STEPS - LAST_STEPS };
    for (position, step) in report.steps.iter().enumerate() {
        if skipped > 0 && position == FIRST_STEPS {
            let text = match page.language {
                Language::English => format!("… {} more steps (--all-steps)", grouped(count_of(skipped))),
                Language::Chinese => format!("…… 另有 {} 步（--all-steps）", grouped(count_of(skipped))),
            };
            let empty = || Cell::new("");
            table.row([Cell::new("…"), empty(), empty(), empty(), Cell::new(text).style(style::FAINT)]);
        }
        if skipped == 0 || !(FIRST_STEPS..count - LAST_STEPS).contains(&position) {
            step_rows(&mut table, page, step, &mut told);
        }
    }
    page.table(&table, 0);
}

fn step_rows<'a>(table: &mut Table, page: &Page, step: &'a PlanStep, told: &mut BTreeSet<(DecisionKind, &'a str)>) {
    let at = duration(step.at(), page.language);
    for (position, decision) in step.decisions.iter().enumerate() {
        let numbers = if position == 0 {
            let after = &step.after;
            [Cell::new(&at), Cell::number(after.up_to_date), Cell::number(after.available), Cell::number(after.pods)]
        } else {
            [const { "" }; 4].map(Cell::new)
        };
        let [at, up_to_date, available, pods] = numbers;
        table.row([at, up_to_date, available, pods, Cell::new(what(decision, page.language))]);
        if told.insert((decision.kind, &decision.reason.message)) {
            let why = format!("  {}", decision.reason.message);
            let empty = || Cell::new("");
            table.row([empty(), empty(), empty(), empty(), Cell::new(why).style(style::FAINT)]);
        }
    }
}

/// `delete 2 of 12 pods: n1, n2`.
fn what(decision: &DecisionLine, language: Language) -> String {
    let mut list = decision.node_list();
    list.names.truncate(NAMES_SHOWN);
    let names = list.words(language);
    let is_choice = decision.candidate_count > decision.count;
    let text = match (decision.kind, language) {
        (DecisionKind::CreatePod, Language::English) => format!("create {}", pods(decision.count, language)),
        (DecisionKind::CreatePod, Language::Chinese) => format!("创建 {}", pods(decision.count, language)),
        (DecisionKind::DeletePod, Language::English) if is_choice => {
            format!("delete {} of {} pods", grouped(decision.count), grouped(decision.candidate_count))
        }
        (DecisionKind::DeletePod, Language::English) => format!("delete {}", pods(decision.count, language)),
        (DecisionKind::DeletePod, Language::Chinese) if is_choice => {
            format!("从 {} 个候选中删除 {}", grouped(decision.candidate_count), pods(decision.count, language))
        }
        (DecisionKind::DeletePod, Language::Chinese) => format!("删除 {}", pods(decision.count, language)),
        (kind, _) if decision.count > 1 => format!("{} × {}", kind.words(language), grouped(decision.count)),
        (kind, _) => kind.words(language),
    };
    match (names.is_empty(), language) {
        (true, _) => text,
        (false, Language::English) => format!("{text}: {names}"),
        (false, Language::Chinese) => format!("{text}：{names}"),
    }
}

pub fn ending(page: &mut Page, report: &PlanReport) {
    page.gap();
    let end = &report.end;
    let at = duration(Duration::from_secs(end.at_seconds), page.language);
    if report.steps.is_empty() && end.outcome == PlanOutcome::Finishes {
        let text = page.language.say(
            "✓ Nothing to do: every node that should run the pod has an available one of this template",
            "✓ 无需任何操作：每个应运行的节点上都有此模板的可用 pod",
        );
        let text = text.to_owned();
        page.line(style::GOOD, &text);
        return;
    }
    let (style, line) = match (end.outcome, page.language) {
        (PlanOutcome::Finishes, Language::English) => (style::GOOD, format!("✓ Finishes after {at}")),
        (PlanOutcome::Finishes, Language::Chinese) => (style::GOOD, format!("✓ {at}后完成")),
        (PlanOutcome::Stops, Language::English) => (
            style::BAD,
            format!("✗ Never finishes: stops after {at} with {} of {} nodes done", end.finished, end.eligible),
        ),
        (PlanOutcome::Stops, Language::Chinese) => {
            (style::BAD, format!("✗ 永远不会完成：{at}后停住，{} 个节点中完成了 {} 个", end.eligible, end.finished))
        }
        (PlanOutcome::NeverEnds, Language::English) => (
            style::BAD,
            format!(
                "✗ Never finishes: the same things happen again and again, {} of {} nodes done",
                end.finished, end.eligible
            ),
        ),
        (PlanOutcome::NeverEnds, Language::Chinese) => (
            style::BAD,
            format!("✗ 永远不会完成：同样的事不断重复，{} 个节点中完成了 {} 个", end.eligible, end.finished),
        ),
    };
    page.line(style, &line);
    for line in &end.waiting_on {
        page.line(style::PLAIN, &format!("  - {}", line.wait.message));
        if let Some(remedy) = &line.remedy {
            page.line(style::FAINT, &format!("    → {remedy}"));
        }
    }
    for group in &end.without_room {
        let colon = page.language.say(": ", "：");
        let reasons = group.obstacles.iter().map(|said| said.message.as_str()).collect::<Vec<_>>().join("; ");
        page.line(style::PLAIN, &format!("  - Pending{colon}{}{colon}{reasons}", group.nodes.words(page.language)));
    }
    let mut numbers = match page.language {
        Language::English => format!(
            "  fewest available: {} of {}; most pods: {}",
            report.fewest_available, end.eligible, report.most_pods
        ),
        Language::Chinese => {
            format!("  可用最少时：{} / {}；pod 最多时：{}", report.fewest_available, end.eligible, report.most_pods)
        }
    };
    if let Some(gap) = &report.longest_gap {
        let length = duration(Duration::from_secs(gap.seconds), page.language);
        let longest = match (page.language, gap.open) {
            (Language::English, false) => format!("; longest without an available pod: {length} on {}", gap.node),
            (Language::English, true) => format!("; without an available pod to the end: {}", gap.node),
            (Language::Chinese, false) => format!("；最长无可用 pod：{} 上 {length}", gap.node),
            (Language::Chinese, true) => format!("；直到最后都没有可用 pod：{}", gap.node),
        };
        numbers.push_str(&longest);
    }
    page.line(style::PLAIN, &numbers);
}

fn count_of(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
