use std::time::Duration;

use rollcast_core::forecast::{Advising, Deadline, DeadlineProblem, WaitsFor};
use rollcast_core::message::{Language, Words, duration, grouped, nodes};
use rollcast_core::report::{AdviseReport, SettingKind, TrialLine, advise_report};
use rollcast_core::scenario::{DurationFault, parse_duration};
use rollcast_core::time::Timestamp;

use super::plays;
use crate::arguments::AdviseArguments;
use crate::clock::now;
use crate::failure::Failure;
use crate::output::{Kind, Markdown, Output, Page, Verdict, style};

/// Searches the least risky settings that meet a deadline.
pub fn run(arguments: &AdviseArguments, output: &mut Output) -> Result<Verdict, Failure> {
    let language = output.language;
    let deadline = deadline(arguments, language)?;
    let Some(subject) = plays::read(&arguments.plays, output)? else { return Ok(Verdict::Findings) };
    let mut question = Advising::new(subject.ground.clone(), deadline, arguments.seeds);
    let interrupted = plays::ask(&mut question, arguments.plays.threads, language)?;
    let advice = question.answer();
    let own = advice.own.as_ref().and_then(|own| own.forecast.as_ref());
    let assumptions = subject.assumptions(own, language);
    let report = advise_report(subject.daemon_set, advice, assumptions, language);
    output.comment(
        arguments.plays.output,
        Kind::AdviseReport,
        &report,
        |page| show(page, &report),
        |markdown| write(markdown, &report),
    )?;
    Ok(if interrupted { Verdict::Interrupted } else { Verdict::findings_if(!report.found) })
}

/// What was asked for: a time after the change, or a moment that lies so far ahead of now.
fn deadline(arguments: &AdviseArguments, language: Language) -> Result<Deadline, Failure> {
    let waits_for = if arguments.helm == Some(3) { WaitsFor::Helm3 } else { WaitsFor::Rollout };
    let (text, moment) = match (&arguments.deadline, &arguments.helm_timeout) {
        (Some(text), _) => (text.as_str(), Timestamp::parse(text)),
        (None, text) => (text.as_deref().unwrap_or_default(), None),
    };
    let or_moment = arguments.deadline.is_some();
    let failure = |error: String| Failure::Deadline { text: text.to_owned(), error, or_moment };
    let within = match moment {
        Some(moment) if moment <= now() => Err(DeadlineProblem::Past),
        Some(moment) => Ok(moment.saturating_since(now())),
        None => match (parse_duration(text), language) {
            (Ok(within), _) => Ok(within),
            (Err(DurationFault::Negative), _) => Err(DeadlineProblem::Past),
            (Err(DurationFault::OutOfRange), Language::English) => {
                return Err(failure("it is longer than a year".to_owned()));
            }
            (Err(DurationFault::OutOfRange), Language::Chinese) => return Err(failure("超过一年".to_owned())),
            (Err(DurationFault::Malformed), Language::English) => {
                return Err(failure("it is no length of time".to_owned()));
            }
            (Err(DurationFault::Malformed), Language::Chinese) => return Err(failure("不是时长".to_owned())),
        },
    };
    let deadline = within.and_then(|within| Deadline::new(within, waits_for));
    deadline.map_err(|problem| failure(problem.words(language)))
}

fn title(report: &AdviseReport, language: Language) -> String {
    let numbers = report.own.as_ref().and_then(|own| own.numbers.as_ref());
    let all = nodes(numbers.map_or(0, |numbers| numbers.eligible), language);
    match language {
        Language::English => format!("Advice for DaemonSet {} on {all}", report.daemon_set),
        Language::Chinese => format!("对 DaemonSet {} 在 {all}上的建议", report.daemon_set),
    }
}

fn headline(report: &AdviseReport) -> String {
    format!("{} {}", if report.found { "✓" } else { "✗" }, report.headline)
}

/// What is looked at, one line each.
fn lines(report: &AdviseReport, language: Language) -> Vec<(String, bool)> {
    let say = |english: &str, chinese: &str| match language {
        Language::English => english.to_owned(),
        Language::Chinese => chinese.to_owned(),
    };
    let colon = say(": ", "：");
    let mut lines = Vec::new();
    if let Some(own) = &report.own {
        lines.push((format!("{}{colon}{}", own.setting.message, own_words(own, language)), false));
    }
    for line in &report.settings {
        let name = match line.limit {
            SettingKind::MaxUnavailable => "maxUnavailable",
            SettingKind::MaxSurge => "maxSurge",
            SettingKind::Own | SettingKind::OnDelete => "",
        };
        let none = if line.meets || line.trial.is_none() { String::new() } else { say("none: ", "无：") };
        lines.push((format!("{name}{colon}{none}{}", line.message), line.recommended));
    }
    lines
}

fn own_words(own: &TrialLine, language: Language) -> String {
    let (met, plays) = (grouped(own.met), grouped(own.plays));
    let finish = own.numbers.as_ref().and_then(|numbers| numbers.finish);
    let p95 = finish.map(|finish| duration(Duration::from_secs(finish.p95_seconds), language));
    let text = match (p95, language) {
        (Some(p95), Language::English) => format!("finishes after {p95}"),
        (Some(p95), Language::Chinese) => format!("{p95}后完成"),
        (None, Language::English) => return "never finishes".to_owned(),
        (None, Language::Chinese) => return "永远不会完成".to_owned(),
    };
    match (own.plays, language) {
        (1, _) => text,
        (_, Language::English) => format!("{text} (p95); in time in {met} of {plays} plays"),
        (_, Language::Chinese) => format!("{text}（p95）；{plays} 次推演中 {met} 次及时"),
    }
}

fn waits_for(report: &AdviseReport, language: Language) -> String {
    let within = duration(Duration::from_secs(report.within_seconds), language);
    match language {
        Language::English => format!("Within {within}: {}", report.waits_for.message),
        Language::Chinese => format!("{within}内：{}", report.waits_for.message),
    }
}

fn show(page: &mut Page, report: &AdviseReport) {
    let title = title(report, page.language);
    page.heading(&title);
    let waits_for = waits_for(report, page.language);
    page.line(style::FAINT, &waits_for);
    page.gap();
    page.line(if report.found { style::GOOD } else { style::BAD }, &headline(report));
    for (line, is_recommended) in lines(report, page.language) {
        page.line(if is_recommended { style::STRONG } else { style::PLAIN }, &format!("  - {line}"));
    }
    if let Some(write) = &report.write {
        page.gap();
        let title = page.language.say("Write under spec:", "写入 spec：").to_owned();
        page.line(style::PLAIN, &title);
        for line in write.lines() {
            page.line(style::PLAIN, &format!("  {line}"));
        }
    }
    plays::page::assumptions(page, &report.assumptions);
}

fn write(markdown: &mut Markdown, report: &AdviseReport) {
    markdown.heading(&title(report, markdown.language));
    markdown.strong(&headline(report));
    markdown.text(&waits_for(report, markdown.language));
    markdown.list(lines(report, markdown.language));
    if let Some(write) = &report.write {
        markdown.yaml(write);
    }
    plays::markdown::assumptions(markdown, &report.assumptions);
}
