//! The rollout many times over, with other luck and under other settings, a slice at a time.

use std::time::Duration;

use rollcast_core::forecast::{Comparing, ComparisonRow, Forecast, Forecasting, Ground, Question, Setting, Slices};
use rollcast_core::message::{Language, Words};
use rollcast_core::report::{NumberLine, assumption_lines, forecast_headline, forecast_lines};
use rollcast_core::scenario::{Scenario, Start};
use rollcast_core::sim::World;

use crate::model::{self, Figure, OutlookProgress};

/// Events and decisions that are played before the clock is looked at again: well under a millisecond.
const BUDGET: u32 = 256;
/// Plays of the scenario as it is, and of each setting beside it, on a small cluster.
const SEEDS: [u32; 2] = [200, 40];
/// Nodes over all plays of a setting that are played within seconds.
const NODES_PLAYED: u32 = 150_000;
/// The same where that would leave too few plays, of the scenario as it is and of each setting beside it.
const NODES_AT_LEAST: [u32; 2] = [650_000, 260_000];
/// Progress is told after so many plays.
const TOLD_EVERY: u32 = 8;
/// No percentile says much with fewer plays.
const FEWEST_SEEDS: u32 = 20;

/// Plays that are being played, and what came of those that were: two questions, one after the other.
pub struct Outlook {
    start: Start,
    few_plays: bool,
    forecasting: Forecasting,
    comparing: Comparing,
    slices: Slices,
    /// Plays of the present question that have ended, and that were told about.
    played: u32,
    told: u32,
    stopped: bool,
}

impl Outlook {
    /// Nothing of the scenario, whose world this is, has been played.
    pub fn new(world: World, scenario: &Scenario) -> Self {
        let nodes = u32::try_from(scenario.cluster.nodes.len()).unwrap_or(u32::MAX).max(1);
        let [least_own, least_beside] = NODES_AT_LEAST.map(|played| (played / nodes).clamp(1, FEWEST_SEEDS));
        let [most_own, most_beside] = SEEDS;
        let affordable = NODES_PLAYED / nodes;
        let (own, beside) = (most_own.min(affordable.max(least_own)), most_beside.min(affordable.max(least_beside)));
        let ground = Ground::of(world, scenario);
        Self {
            few_plays: own < FEWEST_SEEDS && !ground.is_deterministic(),
            forecasting: Forecasting::new(&ground, own),
            comparing: Comparing::new(ground, Setting::usual(), beside),
            start: scenario.start,
            slices: Slices::default(),
            played: 0,
            told: 0,
            stopped: false,
        }
    }

    /// Whether there is more to play.
    pub fn is_partial(&self) -> bool {
        !self.stopped && (self.forecasting.batch().is_some() || self.comparing.batch().is_some())
    }

    fn question(&mut self) -> (&mut Slices, &mut dyn Question) {
        let question: &mut dyn Question =
            if self.forecasting.batch().is_some() { &mut self.forecasting } else { &mut self.comparing };
        (&mut self.slices, question)
    }

    /// Plays a little further; whether there is something to tell.
    pub fn advance(&mut self) -> bool {
        let rows = self.comparing.answer().rows.len();
        let forecast = self.forecasting.batch().is_some();
        let (slices, question) = self.question();
        let progress = slices.run(question, BUDGET);
        // Of the other question, nothing has been played yet.
        let answered = forecast != self.forecasting.batch().is_some();
        self.played = if answered { 0 } else { progress.done };
        let is_due = answered
            || rows != self.comparing.answer().rows.len()
            || self.played >= self.told.saturating_add(if self.few_plays { 1 } else { TOLD_EVERY });
        if is_due {
            self.told = self.played;
        }
        is_due
    }

    /// Plays no further.
    pub fn stop(&mut self) {
        if self.is_partial() {
            let slices = std::mem::take(&mut self.slices);
            let (_, question) = self.question();
            slices.interrupt(question);
            self.stopped = true;
        }
    }

    fn progress(&self) -> OutlookProgress {
        let (forecast, of_forecast) = self.forecasting.plays();
        let (compared, of_compared) = self.comparing.plays();
        let done = forecast.saturating_add(compared);
        if self.is_partial() {
            let done = if self.forecasting.batch().is_some() { 0 } else { forecast }.saturating_add(self.played);
            OutlookProgress::Playing { done, total: of_forecast.saturating_add(of_compared) }
        } else if self.stopped {
            OutlookProgress::Stopped(done)
        } else {
            OutlookProgress::Done(done)
        }
    }

    /// What is known so far, in words.
    pub fn said(&self, language: Language) -> model::Outlook {
        let answer = self.forecasting.answer();
        let is_played = answer.plays > 0;
        let forecast = is_played.then(|| {
            let mut forecast =
                model::Forecast { headline: forecast_headline(answer, language), ..model::Forecast::default() };
            for NumberLine { name, value, .. } in forecast_lines(answer, language) {
                forecast.figures.push(Figure { name: name.to_owned(), value });
            }
            forecast
        });
        let mut settings = Vec::new();
        for row in &self.comparing.answer().rows {
            // What the manifest has was played more often than the settings beside it.
            settings.push(setting(row, if row.own && is_played { answer } else { &row.forecast }, language));
        }
        model::Outlook {
            progress: self.progress(),
            few_plays: self.few_plays,
            forecast,
            settings,
            assumptions: assumption_lines(self.comparing.ground(), self.start, answer.eligible, language),
        }
    }
}

fn setting(row: &ComparisonRow, forecast: &Forecast, language: Language) -> model::Setting {
    let unfinished = forecast.unfinished.first();
    model::Setting {
        name: row.setting.words(language),
        own: row.own,
        p50: forecast.finish.map(|finish| seconds_up(finish.p50)),
        p95: forecast.finish.map(|finish| seconds_up(finish.p95)),
        fewest_available: forecast.fewest_available.worst,
        plays: forecast.plays,
        finished: forecast.finished,
        reason: unfinished.map(|group| {
            group.waiting_on.first().map_or_else(|| group.ending.words(language), |waiting| waiting.words(language))
        }),
    }
}

/// Whole seconds, rounded up.
fn seconds_up(time: Duration) -> u32 {
    let seconds = time.as_secs().saturating_add(u64::from(time.subsec_nanos() > 0));
    u32::try_from(seconds).unwrap_or(u32::MAX)
}
