//! How long, how risky: many plays of the rollout, and settings side by side.

use yew::Html;

use super::Voice;
use super::element::{Element, element, group};
use crate::chart::clock;
use crate::model::{Figure, Outlook, OutlookProgress, Setting};
use crate::state::Message;
use crate::words::{self, Word};

/// How far the plays have come, in the title's line.
pub fn progress(title: Element, outlook: &Outlook, voice: &Voice) -> Element {
    let played = |title: Element, count| title.with(element("span.second").text(&words::plays(count, voice.language)));
    match outlook.progress {
        OutlookProgress::Done(count) => played(title, count),
        OutlookProgress::Stopped(count) => played(title, count).with(element("span.second").say(Word::Stopped, voice)),
        OutlookProgress::Playing { done, total } => {
            let bar = element("progress").attr("max", &total.to_string()).attr("value", &done.to_string());
            title
                .with(bar.word("aria-label", Word::Playing, voice))
                .with(element("button.small#stop").tells(Message::OutlookStopped, voice).say(Word::Stop, voice))
        }
    }
}

/// The answer in one sentence and the settings side by side.
pub fn settings(outlook: &Outlook, voice: &Voice) -> Html {
    let mut nodes: Vec<Html> = Vec::new();
    if let Some(forecast) = &outlook.forecast {
        nodes.push(element("p.headline").text(&forecast.headline).into());
    }
    if outlook.few_plays {
        nodes.push(element("p.second").say(Word::FewPlays, voice).into());
    }
    if !outlook.settings.is_empty() {
        let names = [voice.say(Word::Setting), "p50", "p95", voice.say(Word::Fewest)];
        let names = names.iter().fold(element("tr"), |row, name| row.with(element("th[scope=col]").text(name)));
        let rows = outlook.settings.iter().fold(element("tbody"), |rows, setting| rows.with(row(setting, voice)));
        nodes.push(element("table.settings").with(element("thead").with(names)).with(rows).into());
    }
    // One reason stands for those of its kind: the first, or that of the setting in force.
    let mut settings = outlook.settings.iter().filter(|setting| setting.own).chain(&outlook.settings);
    if let Some((name, reason)) = settings.find_map(|setting| Some((&setting.name, setting.reason.as_ref()?))) {
        nodes.push(element("p.reason").with(element("b").text(name)).text(": ").rich(reason).into());
    }
    group(nodes)
}

fn row(setting: &Setting, voice: &Voice) -> Element {
    let row = element(if setting.own { "tr.own[aria-current=true]" } else { "tr" });
    let row = row.with(element("th[scope=row]").text(&setting.name));
    let time =
        |row: Element, seconds: Option<u32>| row.with(element("td").text(&seconds.map(clock).unwrap_or_default()));
    let missed = setting.plays.saturating_sub(setting.finished);
    let row = if setting.finished == 0 {
        row.with(element("td.never[colspan=2]").say(Word::NeverFinishes, voice))
    } else if missed > 0 {
        let title = words::unfinished(missed, setting.plays, voice.language);
        let odds = words::odds(setting.finished, setting.plays);
        time(row, setting.p50).with(element("td.never").attr("title", &title).text(&odds))
    } else {
        time(time(row, setting.p50), setting.p95)
    };
    row.with(element("td").figure(&setting.fewest_available))
}

/// The figures of the scenario as it is, and what they rest on.
pub fn figures(outlook: &Outlook, voice: &Voice) -> Html {
    let Some(forecast) = &outlook.forecast else { return Html::default() };
    let list = forecast.figures.iter().fold(element("dl.outlook"), |list, Figure { name, value }| {
        list.with(element("dt").text(name)).with(element("dd").text(value))
    });
    let lines = outlook.assumptions.iter();
    let lines = lines.fold(element("ul.second"), |lines, line| lines.with(element("li").text(line)));
    let details = element("details").with(element("summary").say(Word::Assumptions, voice)).with(lines);
    group(vec![list.into(), details.into()])
}
