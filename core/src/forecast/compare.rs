use super::{Batch, Forecast, Ground, Question, Sample, Setting};

/// Settings side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// In the order in which they were asked for; those that were not played are left out.
    pub rows: Vec<ComparisonRow>,
    /// How many were asked for.
    pub planned: u32,
}

/// One setting, and how the rollout goes under it.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparisonRow {
    /// The setting.
    pub setting: Setting,
    /// Whether the manifest has it.
    pub own: bool,
    /// How the rollout goes.
    pub forecast: Forecast,
}

/// Asks how a rollout goes under several settings.
#[derive(Clone, Debug)]
pub struct Comparing {
    ground: Ground,
    /// The ones to come, the next one last, with whether the manifest has it.
    left: Vec<(Setting, bool)>,
    batch: Option<Batch>,
    plays: u32,
    done: u32,
    interrupted: bool,
    answer: Comparison,
}

impl Comparing {
    /// Plays each setting with the same seeds. The manifest's own comes first where none of them says the same.
    pub fn new(ground: Ground, settings: Vec<Setting>, seeds: u32) -> Self {
        let own = ground.strategy();
        let mut left = Vec::new();
        for setting in settings {
            let is_own = setting.is_own(&own);
            left.push((setting, is_own));
        }
        if !left.iter().any(|(_, is_own)| *is_own) {
            left.insert(0, (Setting::Own, true));
        }
        let planned = super::question::count(&left);
        left.reverse();
        let plays = if ground.is_deterministic() { 1 } else { seeds.max(1) };
        let mut comparing = Self {
            ground,
            left,
            batch: None,
            plays,
            done: 0,
            interrupted: false,
            answer: Comparison { rows: Vec::new(), planned },
        };
        comparing.prepare();
        comparing
    }

    /// What every setting begins with.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// What is known so far.
    pub fn answer(&self) -> &Comparison {
        &self.answer
    }

    fn prepare(&mut self) {
        let next = self.left.last().filter(|_| !self.interrupted);
        self.batch = next.map(|(setting, _)| Batch::new(self.ground.stage(setting), self.plays));
    }
}

impl Question for Comparing {
    fn batch(&self) -> Option<&Batch> {
        self.batch.as_ref()
    }

    fn take(&mut self, samples: Vec<Sample>) {
        let forecast = Forecast::of(&samples, self.plays, self.ground.is_deterministic());
        self.interrupted = forecast.plays < self.plays;
        self.done = self.done.saturating_add(forecast.plays);
        if let Some((setting, own)) = self.left.pop().filter(|_| forecast.plays > 0) {
            self.answer.rows.push(ComparisonRow { setting, own, forecast });
        }
        self.prepare();
    }

    fn plays(&self) -> (u32, u32) {
        (self.done, self.answer.planned.saturating_mul(self.plays))
    }
}
