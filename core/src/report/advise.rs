use serde::Serialize;

use super::Said;
use super::assumed::{PlayAssumptions, SettingKind, seconds, setting};
use super::forecast::ForecastNumbers;
use crate::api::ObjectKey;
use crate::forecast::{Advice, Forecast, Found, Setting, Trial, WaitsFor};
use crate::message::{Language, Words, duration, grouped, nodes, seconds_up};

/// What `rollcast advise` answers: the least risky settings that meet a deadline.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdviseReport {
    /// The DaemonSet.
    pub daemon_set: ObjectKey,
    /// The answer in one sentence.
    pub headline: String,
    /// Whether it was stopped before the search had ended.
    pub interrupted: bool,
    /// Whether there is a setting that meets the deadline.
    pub found: bool,
    /// How long after the change, seconds.
    pub within_seconds: u64,
    /// What has to be there by then.
    pub waits_for: Said<WaitsForKind>,
    /// The manifest's own strategy.
    pub own: Option<TrialLine>,
    /// The smallest `maxUnavailable`, and the smallest `maxSurge`.
    pub settings: Vec<SettingAdvice>,
    /// What to write into the manifest: `spec.updateStrategy` as YAML; absent where nothing has to change, or nothing
    /// helps.
    pub write: Option<String>,
    /// What all of it rests on.
    pub assumptions: PlayAssumptions,
}

/// What has to be there in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum WaitsForKind {
    /// Every pod updated and available.
    Rollout,
    /// What Helm 3 waits for.
    Helm3,
}

/// What a search for the smallest limit found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SettingAdvice {
    /// Which limit.
    pub limit: SettingKind,
    /// Whether it is the one to take.
    pub recommended: bool,
    /// What was found, in one sentence.
    pub message: String,
    /// The setting that meets the deadline; where none does, all nodes at once.
    pub trial: Option<TrialLine>,
    /// Whether that one meets it.
    pub meets: bool,
    /// The smallest percentage that gives at least as much.
    pub percent: Option<u32>,
    /// What that percentage comes to, nodes.
    pub percent_nodes: Option<u32>,
    /// One node less, which does not meet it.
    pub below: Option<TrialLine>,
}

/// A setting that was played.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TrialLine {
    /// The setting.
    pub setting: Said<SettingKind>,
    /// Plays that met the deadline.
    pub met: u32,
    /// Plays in all.
    pub plays: u32,
    /// The numbers; absent where plays were stopped at the deadline.
    pub numbers: Option<ForecastNumbers>,
}

/// Tells an advice in the words of a language.
pub fn advise_report(
    daemon_set: ObjectKey,
    advice: &Advice,
    assumptions: PlayAssumptions,
    language: Language,
) -> AdviseReport {
    let recommended = advice.recommended();
    let own_is_enough = advice.own_is_enough();
    let waits_for = match advice.deadline.waits_for() {
        WaitsFor::Rollout => WaitsForKind::Rollout,
        WaitsFor::Helm3 => WaitsForKind::Helm3,
    };
    let settings = [(SettingKind::MaxUnavailable, &advice.max_unavailable), (SettingKind::MaxSurge, &advice.max_surge)];
    let line = |(limit, found): (SettingKind, &Found)| {
        let is_recommended = !own_is_enough && found.answer().is_some() && found.answer() == recommended;
        setting_advice(limit, found, is_recommended, language)
    };
    let unknown = |found: &Found| matches!(found, Found::Unknown);
    let nothing_to_do = advice.own.as_ref().and_then(|own| own.forecast.as_ref()).is_some_and(|own| own.eligible == 0);
    AdviseReport {
        daemon_set,
        headline: headline(advice, language),
        interrupted: !nothing_to_do && (unknown(&advice.max_unavailable) || unknown(&advice.max_surge)),
        found: own_is_enough || recommended.is_some(),
        within_seconds: seconds(advice.deadline.within()),
        waits_for: Said { reason: waits_for, message: advice.deadline.waits_for().words(language) },
        own: advice.own.as_ref().map(|own| trial_line(own, language)),
        settings: settings.map(line).into(),
        write: recommended.filter(|_| !own_is_enough).map(|trial| what_to_write(&trial.setting)),
        assumptions,
    }
}

fn headline(advice: &Advice, language: Language) -> String {
    let within = duration(seconds_up(advice.deadline.within()), language);
    if advice.own_is_enough() {
        return match language {
            Language::English => format!("the manifest's own strategy meets {within} as it is"),
            Language::Chinese => format!("清单自身的策略已满足 {within}"),
        };
    }
    let interrupted = [&advice.max_unavailable, &advice.max_surge].iter().any(|found| matches!(found, Found::Unknown));
    match (advice.recommended(), interrupted, language) {
        (Some(trial), _, Language::English) => format!("{} meets {within}", trial.setting.words(language)),
        (Some(trial), _, Language::Chinese) => format!("{} 可满足 {within}", trial.setting.words(language)),
        (None, true, Language::English) => "the search was not finished".to_owned(),
        (None, true, Language::Chinese) => "搜索尚未完成".to_owned(),
        (None, false, Language::English) => format!("no setting meets {within}"),
        (None, false, Language::Chinese) => format!("没有任何设置能满足 {within}"),
    }
}

fn setting_advice(limit: SettingKind, found: &Found, recommended: bool, language: Language) -> SettingAdvice {
    let nothing = SettingAdvice {
        limit,
        recommended,
        message: String::new(),
        trial: None,
        meets: false,
        percent: None,
        percent_nodes: None,
        below: None,
    };
    match found {
        Found::Unknown => SettingAdvice {
            message: match language {
                Language::English => "not searched to the end".to_owned(),
                Language::Chinese => "搜索未到底".to_owned(),
            },
            ..nothing
        },
        Found::Limit { answer, below, percent } => SettingAdvice {
            message: found_words(answer, below.as_deref(), &percent.words(language), language),
            trial: Some(trial_line(answer, language)),
            meets: true,
            percent: Some(percent.percent),
            percent_nodes: Some(percent.nodes),
            below: below.as_ref().map(|below| trial_line(below, language)),
            ..nothing
        },
        Found::Nothing { at_most, bound } => {
            SettingAdvice { message: bound.words(language), trial: Some(trial_line(at_most, language)), ..nothing }
        }
    }
}

/// `29 nodes, or 10% (29 nodes): finishes after 9 min at p95, 259 of 288 available at worst; 28 is too few (0 of 20)`.
fn found_words(answer: &Trial, below: Option<&Trial>, percent: &str, language: Language) -> String {
    let count = nodes(answer.nodes.unwrap_or_default(), language);
    let default = Forecast::default();
    let forecast = answer.forecast.as_ref().unwrap_or(&default);
    let p95 = duration(seconds_up(forecast.finish.map(|finish| finish.p95).unwrap_or_default()), language);
    let (fewest, all) = (grouped(forecast.fewest_available.worst), grouped(forecast.eligible));
    let spread = match (forecast.deterministic, language) {
        (true, _) => "",
        (false, Language::English) => " (p95)",
        (false, Language::Chinese) => "（p95）",
    };
    let found = match language {
        Language::English => format!(
            "{count}, as a percentage {percent}: finishes after {p95}{spread}, {fewest} of {all} available at worst"
        ),
        Language::Chinese => {
            format!("{count}，写作百分比 {percent}：{p95}后完成{spread}，最差时 {all} 个中 {fewest} 个可用")
        }
    };
    let Some(below) = below else { return found };
    let too_few = grouped(below.nodes.unwrap_or_default());
    let (met, plays) = (grouped(below.met), grouped(below.plays));
    match (below.plays, language) {
        (1, Language::English) => format!("{found}; {too_few} is too few"),
        (1, Language::Chinese) => format!("{found}；{too_few} 则不够"),
        (_, Language::English) => format!("{found}; {too_few} is too few (in time in {met} of {plays} plays)"),
        (_, Language::Chinese) => format!("{found}；{too_few} 则不够（{plays} 次推演中 {met} 次及时）"),
    }
}

fn trial_line(trial: &Trial, language: Language) -> TrialLine {
    TrialLine {
        setting: setting(&trial.setting, language),
        met: trial.met,
        plays: trial.plays,
        numbers: trial.forecast.as_ref().map(ForecastNumbers::from),
    }
}

fn what_to_write(setting: &Setting) -> String {
    let strategy = setting.strategy(&crate::api::UpdateStrategy::default());
    let limits = &strategy.rolling_update;
    format!(
        "updateStrategy:\n  type: RollingUpdate\n  rollingUpdate:\n    maxUnavailable: {}\n    maxSurge: {}\n",
        limits.max_unavailable, limits.max_surge
    )
}
