use serde::Serialize;

use super::Said;
use super::assumed::{PlayAssumptions, SettingKind, setting};
use super::forecast::{ForecastNumbers, UnfinishedLine, unfinished_line};
use crate::api::ObjectKey;
use crate::forecast::{Comparison, ComparisonRow};
use crate::message::{Language, grouped};

/// What `rollcast compare` answers: settings side by side.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompareReport {
    /// The DaemonSet.
    pub daemon_set: ObjectKey,
    /// Whether it was stopped before all settings had been played.
    pub interrupted: bool,
    /// One a setting.
    pub rows: Vec<CompareRow>,
    /// What all of it rests on.
    pub assumptions: PlayAssumptions,
}

/// One setting, and how the rollout goes under it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompareRow {
    /// The setting.
    pub setting: Said<SettingKind>,
    /// Whether the manifest has it.
    pub own: bool,
    /// The numbers.
    pub numbers: ForecastNumbers,
    /// Whether some play never finishes.
    pub deadlock: bool,
    /// The same in words; absent where every play finishes.
    pub verdict: Option<String>,
    /// Why plays did not finish, the most frequent first.
    pub unfinished: Vec<UnfinishedLine>,
}

/// Tells a comparison in the words of a language.
pub fn compare_report(
    daemon_set: ObjectKey,
    comparison: &Comparison,
    assumptions: PlayAssumptions,
    language: Language,
) -> CompareReport {
    let planned = usize::try_from(comparison.planned).unwrap_or(usize::MAX);
    let cut = |row: &ComparisonRow| row.forecast.plays < row.forecast.planned;
    CompareReport {
        daemon_set,
        interrupted: comparison.rows.len() < planned || comparison.rows.iter().any(cut),
        rows: comparison.rows.iter().map(|row| compare_row(row, language)).collect(),
        assumptions,
    }
}

fn compare_row(row: &ComparisonRow, language: Language) -> CompareRow {
    let forecast = &row.forecast;
    let missed = forecast.plays.saturating_sub(forecast.finished);
    let verdict = match (missed, forecast.finished, language) {
        (0, ..) => None,
        (_, 0, Language::English) => Some("never finishes".to_owned()),
        (_, 0, Language::Chinese) => Some("永远不会完成".to_owned()),
        (missed, _, Language::English) => {
            Some(format!("does not finish in {} of {} plays", grouped(missed), grouped(forecast.plays)))
        }
        (missed, _, Language::Chinese) => {
            Some(format!("{} 次推演中有 {} 次无法完成", grouped(forecast.plays), grouped(missed)))
        }
    };
    CompareRow {
        setting: setting(&row.setting, language),
        own: row.own,
        numbers: forecast.into(),
        deadlock: missed > 0,
        verdict,
        unfinished: forecast.unfinished.iter().map(|group| unfinished_line(group, language)).collect(),
    }
}
