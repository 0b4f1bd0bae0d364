//! The parts that forecasts, comparisons and advice share on a terminal.

use rollcast_core::message::{Language, grouped};
use rollcast_core::report::{AssumedLine, PlayAssumptions, UnfinishedLine};

use crate::output::{Cell, Page, Table, style};

/// Why plays did not finish.
pub fn unfinished(page: &mut Page, lines: &[UnfinishedLine], plays: u32) {
    for line in lines {
        page.gap();
        let (some, all) = (grouped(line.plays), grouped(plays));
        let title = match (plays, page.language) {
            (1, _) => line.ending.message.clone(),
            (_, Language::English) => format!("In {some} of {all} plays {}", line.ending.message),
            (_, Language::Chinese) => format!("{all} 次推演中有 {some} 次{}", line.ending.message),
        };
        page.line(style::BAD, &title);
        waits(page, line, "  ");
    }
}

/// What plays waited for.
pub fn waits(page: &mut Page, line: &UnfinishedLine, indent: &str) {
    for wait in &line.waiting_on {
        page.line(style::PLAIN, &format!("{indent}- {}", wait.wait.message));
        if let Some(remedy) = &wait.remedy {
            page.line(style::FAINT, &format!("{indent}  → {remedy}"));
        }
    }
}

/// What the answer rests on.
pub fn assumptions(page: &mut Page, assumptions: &PlayAssumptions) {
    page.gap();
    let mut table = Table::new();
    for (name, value) in assumption_rows(assumptions, page.language) {
        table.row([Cell::new(name).style(style::FAINT), Cell::new(value)]);
    }
    page.table(&table, 0);
}

/// The same as names and values.
pub fn assumption_rows(assumptions: &PlayAssumptions, language: Language) -> Vec<(&'static str, String)> {
    let say = |english: &'static str, chinese: &'static str| match language {
        Language::English => english,
        Language::Chinese => chinese,
    };
    let plays = grouped(assumptions.plays);
    let first = assumptions.first_seed;
    let last = first.wrapping_add(u64::from(assumptions.plays.saturating_sub(1)));
    let seeds = match (assumptions.deterministic, language) {
        (true, Language::English) => "one: nothing is drawn at random, every play is the same".to_owned(),
        (true, Language::Chinese) => "一次：没有随机因素，每次推演都相同".to_owned(),
        (false, Language::English) => format!("{plays}, seeds {first} to {last}"),
        (false, Language::Chinese) => format!("{plays} 次，种子 {first} 至 {last}"),
    };
    let mut rows = vec![
        ("Kubernetes", assumptions.kubernetes.to_owned()),
        (say("Strategy", "策略"), assumptions.strategy.to_string()),
        (say("Start", "起点"), assumptions.start.clone()),
        (say("Plays", "推演"), seeds),
    ];
    rows.extend(assumed_rows(&assumptions.assumed, language));
    rows
}

/// Everything that is assumed; the first line has the name of all.
pub fn assumed_rows(lines: &[AssumedLine], language: Language) -> impl Iterator<Item = (&'static str, String)> {
    let title = match language {
        Language::English => "Assumed",
        Language::Chinese => "假设",
    };
    lines.iter().enumerate().map(move |(position, line)| (if position == 0 { title } else { "" }, line.message.clone()))
}
