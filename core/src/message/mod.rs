//! Words for people: every reason, problem and wait, in English and Chinese, in one place.
//!
//! Each enum is told by an exhaustive match with both languages side by side, so that a missing translation does not
//! compile. What stands in a sentence is told before it, part by part: [`Telling`].
//! Kubernetes' own words (field names, `NoSchedule`, `DESIRED`, the scheduler's reasons) are never translated.

mod admission;
mod assumption;
mod decision;
mod decode;
mod diagnosis;
mod diagnosis_cause;
mod diagnosis_remedy;
mod forecast;
mod phrase;
mod placement;
mod problem;
mod problem_object;
mod problem_text;
mod remedy;
mod report;
mod scenario;
mod scenario_problem;
mod selector;
mod sim;
mod telling;
mod trace;
mod validation;
mod waiting;

pub use waiting::kubectl_rollout_status;

pub use forecast::bytes;
pub use phrase::{amount, duration, grouped, names, nodes, pods};
pub(crate) use phrase::{fits, seconds_up};
pub use remedy::remedy;
pub(crate) use telling::{Grouped, Length, Told, tell};
pub use telling::{Telling, said};

/// A language that messages exist in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Simplified Chinese.
    Chinese,
}

impl Language {
    /// The one of two texts that is in this language.
    pub const fn say<'a>(self, english: &'a str, chinese: &'a str) -> &'a str {
        match self {
            Self::English => english,
            Self::Chinese => chinese,
        }
    }

    /// What of a text in [`both!`](crate::both!) languages is in this one.
    pub fn of(self, both: &str) -> &str {
        let (english, chinese) = both.split_once('\n').unwrap_or((both, both));
        self.say(english, chinese)
    }
}

/// Something that can be said to a person.
pub trait Words {
    /// Tells one sentence or clause as one part, without markup; no line breaks.
    fn tell(&self, to: &mut Telling);

    /// The same by itself.
    fn words(&self, language: Language) -> String
    where
        Self: Sized,
    {
        let mut to = Telling::new(language);
        self.tell(&mut to);
        to.finish()
    }
}
