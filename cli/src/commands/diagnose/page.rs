use std::time::Duration;

use anstyle::Style;
use rollcast_core::diagnose::{Effect, RolloutState};
use rollcast_core::message::{Language, duration, names};
use rollcast_core::report::{DiagnosisReport, FindingReport, RemedyReport};

use super::{Answer, Play};
use crate::output::{Cell, Markdown, Page, Table, style};

/// Findings that are printed; `-o json` has all of them.
const SHOWN: usize = 25;

/// Pods that are named.
const PODS_SHOWN: usize = 4;

/// Lays out the report for people: the answer first.
pub fn show(page: &mut Page, Answer { diagnosis: report, play }: &Answer) {
    page.heading(&format!("DaemonSet {}", report.daemon_set));
    if let Some(play) = play {
        page.line(style::FAINT, &when(play, report.state, page.language));
    }
    let style = match report.state {
        RolloutState::Blocked => style::BAD,
        RolloutState::Progressing { .. } | RolloutState::BeingDeleted => style::WARN,
        RolloutState::Finished => style::GOOD,
    };
    page.line(style, &report.headline);
    numbers(page, report);
    for finding in report.findings.iter().take(SHOWN) {
        show_finding(page, finding);
    }
    let more = report.findings.len().saturating_sub(SHOWN);
    if more > 0 {
        page.gap();
        let line = match page.language {
            Language::English => format!("{more} more findings, see -o json"),
            Language::Chinese => format!("另有 {more} 项，见 -o json"),
        };
        page.line(style::FAINT, &line);
    }
}

/// Which play this is the end of, and how long it lasted.
fn when(play: &Play, state: RolloutState, language: Language) -> String {
    let lasted = duration(Duration::from_secs(play.elapsed_seconds), language);
    let name = &play.scenario;
    let is_finished = state == RolloutState::Finished && !play.interrupted;
    match language {
        Language::English => {
            let of = if name.is_empty() { "the play".to_owned() } else { format!("the play of “{name}”") };
            if play.interrupted {
                format!("{of} was interrupted {lasted} after its start; it stands there as follows")
            } else if is_finished {
                format!("end of {of}, {lasted} after its start: the rollout finished")
            } else if play.still_seconds > 0 {
                let later = duration(Duration::from_secs(play.still_seconds), language);
                format!("end of {of}, {lasted} after its start: the rollout did not finish; looked at {later} later")
            } else {
                format!("end of {of}, {lasted} after its start: the rollout did not finish")
            }
        }
        Language::Chinese => {
            let of = if name.is_empty() { "推演".to_owned() } else { format!("“{name}”的推演") };
            if play.interrupted {
                format!("{of}在开始后 {lasted} 被中断，当时的状况如下")
            } else if is_finished {
                format!("{of}结束，开始后 {lasted}：更新已完成")
            } else if play.still_seconds > 0 {
                let later = duration(Duration::from_secs(play.still_seconds), language);
                format!("{of}结束，开始后 {lasted}：更新未完成；以下是再过 {later} 的状况")
            } else {
                format!("{of}结束，开始后 {lasted}：更新未完成")
            }
        }
    }
}

fn numbers(page: &mut Page, report: &DiagnosisReport) {
    page.gap();
    let status = &report.status;
    let mut table = Table::with_header(["DESIRED", "CURRENT", "READY", "UP-TO-DATE", "AVAILABLE", "MISSCHEDULED"]);
    table.row([
        Cell::number(status.desired_number_scheduled),
        Cell::number(status.current_number_scheduled),
        Cell::number(status.number_ready),
        Cell::number(status.updated_number_scheduled),
        Cell::number(status.number_available),
        Cell::number(status.number_misscheduled),
    ]);
    page.table(&table, 0);
}

fn symbol(effect: Effect) -> (&'static str, Style) {
    match effect {
        Effect::Blocks => ("✗", style::BAD),
        Effect::Delays => ("…", style::WARN),
        Effect::Explains => ("·", style::STRONG),
    }
}

fn show_finding(page: &mut Page, finding: &FindingReport) {
    page.gap();
    let (symbol, style) = symbol(finding.effect);
    page.line(style, &format!("{symbol} {}: {}", finding.id, finding.title));
    page.line(style::PLAIN, &format!("  {}", finding.message));
    if finding.effect != Effect::Explains && !finding.pods.is_empty() {
        let shown: Vec<_> = finding.pods.iter().take(PODS_SHOWN).cloned().collect();
        let pods = names(&shown, finding.nodes.count, page.language);
        let line = match page.language {
            Language::English => format!("  pods: {pods}"),
            Language::Chinese => format!("  pod：{pods}"),
        };
        page.line(style::FAINT, &line);
    }
    finding.remedies.iter().for_each(|remedy| show_remedy(page, remedy));
}

fn show_remedy(page: &mut Page, remedy: &RemedyReport) {
    page.line(style::PLAIN, &format!("  → {}", remedy.message));
    if let Some(command) = &remedy.command {
        page.line(style::STRONG, &format!("    {command}"));
    }
    if let Some(warning) = &remedy.warning {
        page.line(style::WARN, &format!("    ! {warning}"));
    }
}

/// Writes what blocks and delays as a comment on a pull request; what only explains is folded away.
pub fn write(markdown: &mut Markdown, Answer { diagnosis: report, play }: &Answer) {
    markdown.heading(&format!("DaemonSet {}", report.daemon_set));
    markdown.strong(&report.headline);
    if let Some(play) = play {
        let when = when(play, report.state, markdown.language);
        markdown.text(&when);
    }
    markdown.gap();
    let (explaining, acting): (Vec<_>, Vec<_>) =
        report.findings.iter().partition(|finding| finding.effect == Effect::Explains);
    for finding in acting {
        write_finding(markdown, finding);
    }
    if !explaining.is_empty() {
        let title = markdown.language.say("Good to know", "另需了解").to_owned();
        markdown.fold(&title);
        for finding in explaining {
            write_finding(markdown, finding);
        }
        markdown.unfold();
    }
}

fn write_finding(markdown: &mut Markdown, finding: &FindingReport) {
    markdown.item(0, &format!("`{}` {}", finding.id, finding.message));
    for remedy in &finding.remedies {
        markdown.item(1, &remedy.message);
        remedy.command.iter().for_each(|command| markdown.item(2, &format!("`{command}`")));
        remedy.warning.iter().for_each(|warning| markdown.item(2, warning));
    }
}
