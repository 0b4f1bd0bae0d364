use super::play::{Play, Sample};
use super::stage::Stage;

/// Something that is answered by playing.
pub trait Question {
    /// The plays that are needed next; absent once the answer is complete.
    fn batch(&self) -> Option<&Batch>;

    /// Takes what came of that batch, in the order of its plays. With fewer samples than it has plays, which is what an
    /// interruption leaves, the question is not asked any further.
    fn take(&mut self, samples: Vec<Sample>);

    /// Plays of earlier batches, and how many there are in all as far as that can be told.
    fn plays(&self) -> (u32, u32);
}

/// Plays that differ in their seed alone. They may be played in any order, on any thread.
#[derive(Clone, Debug)]
pub struct Batch {
    stage: Stage,
    plays: u32,
}

impl Batch {
    pub(super) fn new(stage: Stage, plays: u32) -> Self {
        Self { stage, plays }
    }

    /// How many plays there are; at least one.
    pub fn plays(&self) -> u32 {
        self.plays.max(1)
    }

    /// Plays the one of a number, from 0, to its end.
    pub fn play(&self, number: u32) -> Sample {
        let mut play = self.stage.begin(number);
        while play.run(u32::MAX) {}
        play.sample()
    }

    /// The same in slices of about so many events and decisions, as long as it is to go on; absent when it was not.
    pub fn play_while(&self, number: u32, slice: u32, goes_on: &dyn Fn() -> bool) -> Option<Sample> {
        let mut play = self.stage.begin(number);
        while goes_on() {
            if !play.run(slice) {
                return Some(play.sample());
            }
        }
        None
    }
}

/// How far a question has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Plays that have ended.
    pub done: u32,
    /// Plays in all; of a search it is an estimate from above.
    pub total: u32,
    /// Whether there is more to play.
    pub partial: bool,
}

/// Answers a question in slices, one play after the other.
#[derive(Clone, Debug, Default)]
pub struct Slices {
    samples: Vec<Sample>,
    play: Option<Play>,
}

impl Slices {
    /// Plays on for at most about so many events and decisions.
    pub fn run(&mut self, question: &mut dyn Question, budget: u32) -> Progress {
        if let Some(batch) = question.batch() {
            let number = count(&self.samples);
            let play = self.play.get_or_insert_with(|| batch.stage.begin(number));
            if !play.run(budget) {
                self.samples.push(play.sample());
                self.play = None;
                if count(&self.samples) >= batch.plays() {
                    question.take(std::mem::take(&mut self.samples));
                }
            }
        }
        let (done, total) = question.plays();
        Progress { done: done.saturating_add(count(&self.samples)), total, partial: question.batch().is_some() }
    }

    /// Gives the question what was played so far, and ends it.
    pub fn interrupt(self, question: &mut dyn Question) {
        question.take(self.samples);
    }
}

pub(super) fn count<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}
