//! How long, how risky: many plays of the rollout, and settings side by side.

use yew::{Html, classes, html};

use super::{Voice, rich};
use crate::chart::clock;
use crate::model::{Figure, Outlook, OutlookProgress, Setting};
use crate::state::Message;
use crate::words::{self, Word};

/// How far the plays have come, for the title's line.
pub fn progress(outlook: &Outlook, voice: &Voice) -> Html {
    let plays = |plays| html! { <span class="second">{ words::plays(plays, voice.language) }</span> };
    match outlook.progress {
        OutlookProgress::Done(count) => plays(count),
        OutlookProgress::Stopped(count) => {
            html! { <>{ plays(count) }<span class="second">{ voice.say(Word::Stopped) }</span></> }
        }
        OutlookProgress::Playing { done, total } => html! {
            <>
                <progress max={total.to_string()} value={done.to_string()} aria-label={voice.say(Word::Playing)}></progress>
                <button class="small" id="stop" onclick={voice.on(Message::OutlookStopped)}>{ voice.say(Word::Stop) }</button>
            </>
        },
    }
}

/// The answer in one sentence and the settings side by side.
pub fn settings(outlook: &Outlook, voice: &Voice) -> Html {
    let reason = |setting: &Setting| {
        let reason = setting.reason.as_ref()?;
        let name = setting.name.clone();
        Some(html! { <p class="reason"><b>{ name }</b>{ ": " }{ rich(reason) }</p> })
    };
    html! {
        <>
            { outlook.forecast.as_ref().map(|forecast| html! { <p class="headline">{ &forecast.headline }</p> }) }
            if outlook.few_plays {
                <p class="second">{ voice.say(Word::FewPlays) }</p>
            }
            if !outlook.settings.is_empty() {
                <table class="settings">
                    <thead><tr>
                        <th scope="col">{ voice.say(Word::Setting) }</th>
                        { for ["p50", "p95", voice.say(Word::Fewest)].map(|name| html! { <th scope="col">{ name }</th> }) }
                    </tr></thead>
                    <tbody>{ for outlook.settings.iter().map(|setting| row(setting, voice)) }</tbody>
                </table>
            }
            // One reason stands for those of its kind: the first, or that of the setting in force.
            { outlook.settings.iter().filter(|setting| setting.own).chain(&outlook.settings).find_map(reason) }
        </>
    }
}

fn row(setting: &Setting, voice: &Voice) -> Html {
    let cell = |text: String| html! { <td>{ text }</td> };
    let time = |seconds: Option<u32>| cell(seconds.map(clock).unwrap_or_default());
    let missed = setting.plays.saturating_sub(setting.finished);
    html! {
        <tr class={classes!(setting.own.then_some("own"))} aria-current={setting.own.then_some("true")}>
            <th scope="row">{ &setting.name }</th>
            if setting.finished == 0 {
                <td class="never" colspan="2">{ voice.say(Word::NeverFinishes) }</td>
            } else if missed > 0 {
                { time(setting.p50) }
                <td class="never" title={words::unfinished(missed, setting.plays, voice.language)}>
                    { words::odds(setting.finished, setting.plays) }</td>
            } else {
                { time(setting.p50) }{ time(setting.p95) }
            }
            { cell(setting.fewest_available.to_string()) }
        </tr>
    }
}

/// The figures of the scenario as it is, and what they rest on.
pub fn figures(outlook: &Outlook, voice: &Voice) -> Html {
    let Some(forecast) = &outlook.forecast else { return Html::default() };
    html! {
        <>
            <dl class="outlook">
                { for forecast.figures.iter().map(|Figure { name, value }| html! { <><dt>{ name }</dt><dd>{ value }</dd></> }) }
            </dl>
            <details>
                <summary>{ voice.say(Word::Assumptions) }</summary>
                <ul class="second">{ for outlook.assumptions.iter().map(|line| html! { <li>{ line }</li> }) }</ul>
            </details>
        </>
    }
}
