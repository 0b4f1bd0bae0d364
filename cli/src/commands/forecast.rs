use rollcast_core::forecast::{Condition, Forecasting};
use rollcast_core::message::{Language, Words, nodes};
use rollcast_core::report::{ConditionLine, ForecastReport, forecast_report};

use super::plays;
use crate::arguments::ForecastArguments;
use crate::failure::Failure;
use crate::output::{Cell, Kind, Markdown, Output, Page, Table, Verdict, style};

/// Plays a rollout many times, and says how long it takes and how risky it is.
pub fn run(arguments: &ForecastArguments, output: &mut Output) -> Result<Verdict, Failure> {
    let language = output.language;
    let condition = |text: &String| {
        Condition::parse(text).map_err(|problem| Failure::Condition {
            text: text.clone(),
            at: problem.at,
            error: problem.words(language),
        })
    };
    let conditions: Vec<Condition> = arguments.fail_if.iter().map(condition).collect::<Result<_, _>>()?;
    let Some(subject) = plays::read(&arguments.plays, output)? else { return Ok(Verdict::Findings) };
    let mut question = Forecasting::new(&subject.ground, arguments.seeds);
    let interrupted = plays::ask(&mut question, arguments.plays.threads, language)?;
    let forecast = question.answer();
    let assumptions = subject.assumptions(Some(forecast), language);
    let report = forecast_report(subject.daemon_set, forecast, &conditions, assumptions, language);
    output.comment(
        arguments.plays.output,
        Kind::ForecastReport,
        &report,
        |page| show(page, &report),
        |markdown| write(markdown, &report),
    )?;
    Ok(verdict(&report, interrupted))
}

fn verdict(report: &ForecastReport, interrupted: bool) -> Verdict {
    if interrupted {
        return Verdict::Interrupted;
    }
    let conditions = &report.conditions;
    let numbers = &report.numbers;
    Verdict::findings_if(if conditions.is_empty() {
        numbers.finished < numbers.plays
    } else {
        conditions.iter().any(|condition| condition.holds)
    })
}

fn title(report: &ForecastReport, language: Language) -> String {
    let all = nodes(report.numbers.eligible, language);
    match language {
        Language::English => format!("Forecast for DaemonSet {} on {all}", report.daemon_set),
        Language::Chinese => format!("DaemonSet {} 在 {all}上的预测", report.daemon_set),
    }
}

/// `✓ Finishes after 4 min`, with how it looks.
fn headline(report: &ForecastReport) -> String {
    let mark = if report.numbers.finished < report.numbers.plays || report.numbers.plays == 0 { "✗" } else { "✓" };
    let mut letters = report.headline.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{mark} {first}{}", letters.as_str())
}

fn show(page: &mut Page, report: &ForecastReport) {
    let title = title(report, page.language);
    page.heading(&title);
    page.gap();
    let headline = headline(report);
    page.line(if headline.starts_with('✓') { style::GOOD } else { style::BAD }, &headline);
    if report.numbers.plays > 0 {
        let mut table = Table::new();
        for line in &report.lines {
            table.row([Cell::new(line.name).style(style::FAINT), Cell::new(&line.value)]);
        }
        page.table(&table, 2);
    }
    plays::page::unfinished(page, &report.unfinished, report.numbers.plays);
    if !report.unfinished.is_empty() {
        let text = page.language.say(
            "pod by pod: rollcast plan with the same input, or rollcast diagnose with the scenario",
            "逐个 pod 查看：以同样的输入运行 rollcast plan，或对场景运行 rollcast diagnose",
        );
        let text = text.to_owned();
        page.line(style::FAINT, &format!("  {text}"));
    }
    if !report.conditions.is_empty() {
        page.gap();
        for line in &report.conditions {
            let (style, mark, words) = if line.holds {
                (style::BAD, "✗", page.language.say("holds", "成立"))
            } else {
                (style::GOOD, "✓", page.language.say("does not hold", "不成立"))
            };
            let colon = page.language.say(": ", "：");
            let text = format!("{mark} {}{colon}{words}", line.condition);
            page.line(style, &text);
        }
    }
    plays::page::assumptions(page, &report.assumptions);
}

fn write(markdown: &mut Markdown, report: &ForecastReport) {
    markdown.heading(&title(report, markdown.language));
    markdown.strong(&headline(report));
    let rows: Vec<_> = report.lines.iter().map(|line| ([line.name.to_owned(), line.value.clone()], false)).collect();
    markdown.table(["", ""], &rows);
    plays::markdown::unfinished(markdown, "", &report.unfinished);
    if !report.conditions.is_empty() {
        let [name, holds, does_not] = match markdown.language {
            Language::English => ["Condition", "✗ holds", "✓ does not hold"],
            Language::Chinese => ["条件", "✗ 成立", "✓ 不成立"],
        };
        let row = |line: &ConditionLine| {
            let verdict = if line.holds { holds } else { does_not };
            ([format!("`{}`", line.condition), verdict.to_owned()], line.holds)
        };
        let rows: Vec<_> = report.conditions.iter().map(row).collect();
        markdown.table([name, ""], &rows);
    }
    plays::markdown::assumptions(markdown, &report.assumptions);
}
