use std::time::Duration;

use rollcast_core::forecast::{Comparing, Setting};
use rollcast_core::message::{Language, Words, duration, grouped, nodes};
use rollcast_core::report::{CompareReport, CompareRow, compare_report};
use rollcast_core::sim::ExtraRequests;

use super::plays;
use crate::arguments::CompareArguments;
use crate::failure::Failure;
use crate::output::{Cell, Kind, Markdown, Output, Page, Table, Verdict, style};

/// Plays a rollout under several settings.
pub fn run(arguments: &CompareArguments, output: &mut Output) -> Result<Verdict, Failure> {
    let language = output.language;
    let Some(subject) = plays::read(&arguments.plays, output)? else { return Ok(Verdict::Findings) };
    let mut question = Comparing::new(subject.ground.clone(), Setting::usual(), arguments.seeds);
    let interrupted = plays::ask(&mut question, arguments.plays.threads, language)?;
    let comparison = question.answer();
    let own = comparison.rows.iter().find(|row| row.own).or(comparison.rows.first());
    let assumptions = subject.assumptions(own.map(|row| &row.forecast), language);
    let report = compare_report(subject.daemon_set, comparison, assumptions, language);
    output.comment(
        arguments.plays.output,
        Kind::CompareReport,
        &report,
        |page| show(page, &report),
        |markdown| write(markdown, &report),
    )?;
    if interrupted {
        return Ok(Verdict::Interrupted);
    }
    Ok(Verdict::findings_if(report.rows.iter().any(|row| row.own && row.deadlock)))
}

fn title(report: &CompareReport, language: Language) -> String {
    let eligible = report.rows.iter().map(|row| row.numbers.eligible).max().unwrap_or_default();
    let all = nodes(eligible, language);
    match language {
        Language::English => format!("Settings for DaemonSet {} on {all}", report.daemon_set),
        Language::Chinese => format!("DaemonSet {} 在 {all}上的各种设置", report.daemon_set),
    }
}

/// The settings that do not always finish, those that wait for the same together, with the first of them:
/// `maxSurge 1, maxSurge 5%: never finishes`.
fn deadlocks(report: &CompareReport, language: Language) -> Vec<(String, &CompareRow)> {
    let rule = |row: &CompareRow| -> Vec<_> {
        let waits = row.unfinished.iter().flat_map(|line| &line.waiting_on);
        waits.map(|wait| std::mem::discriminant(&wait.wait.reason)).collect()
    };
    let alike = |one: &CompareRow, other: &CompareRow| {
        one.setting.reason == other.setting.reason && one.verdict == other.verdict && rule(one) == rule(other)
    };
    let (comma, colon) = match language {
        Language::English => (", ", ": "),
        Language::Chinese => ("、", "："),
    };
    let rows: Vec<&CompareRow> = report.rows.iter().filter(|row| row.deadlock).collect();
    let mut told = Vec::new();
    for group in rows.chunk_by(|one, other| alike(one, other)) {
        let Some(first) = group.first() else { continue };
        let names: Vec<&str> = group.iter().map(|row| row.setting.message.as_str()).collect();
        let verdict = first.verdict.as_deref().unwrap_or_default();
        told.push((format!("{}{colon}{verdict}", names.join(comma)), *first));
    }
    told
}

/// Column names, as kubectl writes its own.
const COLUMNS: [&str; 6] = ["SETTING", "P50", "P95", "FEWEST AVAILABLE", "LONGEST GAP", "EXTRA REQUESTS"];

fn cells(row: &CompareRow, language: Language) -> [String; 6] {
    let numbers = &row.numbers;
    let time = |seconds| duration(Duration::from_secs(seconds), language);
    let (half, most) = match (&numbers.finish, &row.verdict) {
        (Some(finish), None) => (time(finish.p50_seconds), time(finish.p95_seconds)),
        (Some(finish), Some(verdict)) => (time(finish.p50_seconds), format!("{}; {verdict}", time(finish.p95_seconds))),
        (None, verdict) => ("–".to_owned(), verdict.clone().unwrap_or_default()),
    };
    let gap = numbers.longest_gap.as_ref().map_or_else(
        || "–".to_owned(),
        |gap| match (gap.open, language) {
            (false, _) => time(gap.seconds),
            (true, Language::English) => "to the end".to_owned(),
            (true, Language::Chinese) => "直到最后".to_owned(),
        },
    );
    let extra = ExtraRequests {
        pods: numbers.extra_pods,
        cpu_millis: numbers.extra_cpu_millis,
        memory_bytes: numbers.extra_memory_bytes,
    };
    let fewest = format!("{} / {}", grouped(numbers.fewest_available), grouped(numbers.eligible));
    let mark = match (row.own, language) {
        (false, _) => "",
        (true, Language::English) => " (own)",
        (true, Language::Chinese) => "（现有）",
    };
    [format!("{}{mark}", row.setting.message), half, most, fewest, gap, extra.words(language)]
}

fn show(page: &mut Page, report: &CompareReport) {
    let title = title(report, page.language);
    page.heading(&title);
    page.gap();
    let mut table = Table::with_header(COLUMNS);
    for row in &report.rows {
        let style = match (row.own, row.deadlock) {
            (_, true) => style::BAD,
            (true, false) => style::STRONG,
            (false, false) => style::PLAIN,
        };
        table.row(cells(row, page.language).map(|cell| Cell::new(cell).style(style)));
    }
    page.table(&table, 0);
    for (names, row) in deadlocks(report, page.language) {
        page.gap();
        page.line(style::STRONG, &names);
        for line in &row.unfinished {
            plays::page::waits(page, line, "  ");
        }
    }
    plays::page::assumptions(page, &report.assumptions);
}

fn write(markdown: &mut Markdown, report: &CompareReport) {
    markdown.heading(&title(report, markdown.language));
    let names = match markdown.language {
        Language::English => {
            ["Setting", "p50", "p95", "Fewest available", "Longest gap on one node", "Requests beyond the start"]
        }
        Language::Chinese => ["设置", "p50", "p95", "可用最少时", "单个节点最长中断", "超出起点的资源请求"],
    };
    let rows: Vec<_> = report.rows.iter().map(|row| (cells(row, markdown.language), row.own)).collect();
    markdown.table(names, &rows);
    for (names, row) in deadlocks(report, markdown.language) {
        let colon = markdown.language.say(": ", "：").to_owned();
        plays::markdown::unfinished(markdown, &format!("{names}{colon}"), &row.unfinished);
    }
    plays::markdown::assumptions(markdown, &report.assumptions);
}
