//! What the worker has on its desk: one computation in pieces, and questions about the last one. Pure.

use std::rc::Rc;

use rollcast_core::forecast::Ground;
use rollcast_core::message::Language;
use rollcast_core::placement::PlacementRules;
use rollcast_core::sim::Building;

use super::dump::{Gathering, Source};
use super::inspect::{Subject, inspect};
use super::outlook::Outlook;
use super::play::{Play, Played};
use super::reading::Reading;
use super::survey::Survey;
use crate::file::take_apart;
use crate::model::Rollout;
use crate::protocol::{Input, Nothing, Phase, Reply, Request};

/// Nodes and pods of a world that are built before the clock is looked at again.
const BUILT: u32 = 512;
/// Nodes that are surveyed before the clock is looked at again.
const SURVEYED: usize = 512;
/// More nodes than this are left to the command line.
const LARGEST: usize = 200_000;
/// Progress is told after so many pieces of play, or of a dump.
const TOLD_EVERY: u32 = 32;

/// An answer, and what it announces in bulk.
#[derive(Debug)]
pub struct Answer {
    pub head: Box<Reply>,
    pub body: Vec<u8>,
}

impl Answer {
    /// An answer without a body.
    pub fn plain(head: Reply) -> Self {
        Self { head: Box::new(head), body: Vec::new() }
    }
}

/// The computation under way, what came of the last one, and what is asked about it.
#[derive(Default)]
pub struct Desk {
    generation: u32,
    language: Language,
    job: Option<Box<Job>>,
    done: Option<Box<Job>>,
    /// What the last dump that came is read from.
    source: Option<Rc<dyn Source>>,
    /// Only the last question of each kind counts.
    inspect: Option<(u32, u32)>,
    translate: Option<Translate>,
    /// The rollout has been told; its world is built to be played many times.
    ahead: Option<Box<Building>>,
    /// Plays when nothing else is to be done.
    outlook: Option<Box<Outlook>>,
}

/// A translation says the problems first, then the summary, then what many plays come to.
#[derive(Clone, Copy)]
enum Translate {
    Problems,
    Summary,
    Outlook,
}

/// One computation: what it is of, how far it is, what came of it.
#[derive(Default)]
struct Job {
    input: Input,
    step: Step,
    /// Pieces of the step that are done.
    pieces: u32,
    reading: Reading,
    rules: Option<PlacementRules>,
    played: Option<Played>,
}

/// What is to be done next.
#[derive(Default)]
enum Step {
    #[default]
    Read,
    /// The cluster is a dump that is being read.
    Gather(Box<Gathering>),
    /// Everything has been read.
    Settle,
    /// The problems have been told; the world is to be set up.
    SetUp,
    Build(Box<Building>),
    Survey(Box<Play>, Box<Survey>),
    Play(Box<Play>),
    Done,
}

impl Desk {
    /// A dump has come, for the request that comes with it.
    pub fn attach(&mut self, source: Rc<dyn Source>) {
        self.source = Some(source);
    }

    /// Takes a request in. One of an older generation is dropped, and a computation drops the one under way.
    pub fn accept(&mut self, generation: u32, request: Request) {
        if generation < self.generation {
            return;
        }
        match request {
            Request::Compute(input) => {
                self.generation = generation;
                self.language = input.language.into();
                (self.inspect, self.translate, self.outlook) = (None, None, None);
                self.ahead = None;
                self.job = Some(Box::new(Job { input: *input, ..Job::default() }));
            }
            Request::Inspect { node, at } if generation == self.generation => self.inspect = Some((node, at)),
            Request::Inspect { .. } => {}
            Request::Translate(language) => {
                self.language = language.into();
                self.translate = Some(Translate::Problems);
            }
            Request::Stop => {
                if let Some(outlook) = &mut self.outlook {
                    outlook.stop();
                    // What is known is told once more, and that it is all.
                    self.translate = Some(Translate::Outlook);
                }
            }
            #[expect(clippy::panic, reason = "this is what the request asks for")]
            Request::Panic(text) => panic!("{text}"),
        }
    }

    /// The generation that answers belong to.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Whether nothing is left to do.
    pub fn is_idle(&self) -> bool {
        let looks_ahead = self.ahead.is_some() || self.outlook.as_ref().is_some_and(|outlook| outlook.is_partial());
        self.job.is_none() && self.inspect.is_none() && self.translate.is_none() && !looks_ahead
    }

    /// Does a small piece of work; an answer when one is due.
    pub fn work(&mut self) -> Option<Answer> {
        let Some(mut job) = self.job.take() else {
            let is_asked = self.inspect.is_some() || self.translate.is_some();
            return if is_asked { self.answer() } else { self.look_ahead() };
        };
        let answer = self.advance(&mut job);
        if matches!(job.step, Step::Done) {
            let scenario = job.reading.scenario.as_ref().filter(|_| job.played.is_some());
            self.ahead = scenario.map(|scenario| Box::new(Ground::building(scenario)));
            self.done = Some(job);
        } else {
            self.job = Some(job);
        }
        answer
    }

    /// The next piece of a computation.
    fn advance(&mut self, job: &mut Job) -> Option<Answer> {
        match std::mem::replace(&mut job.step, Step::Done) {
            Step::Read => self.read(job),
            Step::Gather(gathering) => job.gather(gathering),
            Step::Settle => {
                job.reading.settle(&job.input);
                job.step = Step::SetUp;
                Some(Answer::plain(Reply::Reviewed(job.reading.said(&job.input, self.language))))
            }
            Step::SetUp => Some(Answer::plain(job.set_up())),
            Step::Build(building) => {
                job.build(building);
                None
            }
            Step::Survey(play, survey) => job.survey(play, survey),
            Step::Play(play) => job.play(play, self.language),
            Step::Done => None,
        }
    }

    fn read(&mut self, job: &mut Job) -> Option<Answer> {
        let [.., world] = &job.input.documents;
        if let Some(documents) = take_apart(world).filter(|_| job.input.whole) {
            return Some(Answer::plain(Reply::TakenApart(documents)));
        }
        job.reading.read(&job.input);
        job.step = Step::Settle;
        let gathering = Gathering::of(&job.input, self.source.as_ref())?;
        let (input, cluster) = (&job.input, |input: &Input| input.documents.get(2).cloned());
        let is_same = |done: &Job| {
            done.input.dump == input.dump && (input.dump.is_some() || cluster(&done.input) == cluster(input))
        };
        if let Some(mut done) = self.done.take().filter(|done| is_same(done)) {
            // Another knob or another DaemonSet on the same cluster.
            job.reading.take_cluster(&mut done.reading);
        } else {
            job.step = Step::Gather(Box::new(gathering));
        }
        None
    }

    /// Plays the rollout once more, a little.
    fn look_ahead(&mut self) -> Option<Answer> {
        if let Some(mut building) = self.ahead.take() {
            if !building.run(BUILT) {
                self.ahead = Some(building);
                return None;
            }
            let scenario = self.done.as_ref()?.reading.scenario.as_ref()?;
            self.outlook = Some(Box::new(Outlook::new(building.finish(), scenario)));
            return self.outlook();
        }
        self.outlook.as_mut()?.advance().then(|| self.outlook())?
    }

    fn outlook(&self) -> Option<Answer> {
        let outlook = self.outlook.as_ref()?.said(self.language);
        Some(Answer::plain(Reply::Outlook(Box::new(outlook))))
    }

    /// Answers what is asked about the last computation.
    fn answer(&mut self) -> Option<Answer> {
        let language = self.language;
        let next = match self.translate.take() {
            Some(Translate::Outlook) => return self.outlook(),
            Some(Translate::Problems) => Some(Translate::Summary),
            Some(Translate::Summary) => Some(Translate::Outlook),
            None => None,
        };
        self.translate = next;
        let Job { input, reading, rules, played, .. } = self.done.as_deref()?;
        let head = match next {
            Some(Translate::Summary) => Reply::Reviewed(reading.said(input, language)),
            Some(_) => Reply::Words(played.as_ref()?.summary(language)),
            None => {
                let (node, at) = self.inspect.take()?;
                let subject = Subject { input, reading, rules: rules.as_ref()?, played: played.as_ref()? };
                Reply::Inspection(inspect(subject, node, at, language)?)
            }
        };
        Some(Answer::plain(head))
    }
}

impl Job {
    /// Counts a piece; progress is told after some.
    fn tells(&mut self) -> bool {
        self.pieces = self.pieces.wrapping_add(1);
        self.pieces.is_multiple_of(TOLD_EVERY)
    }

    fn gather(&mut self, mut gathering: Box<Gathering>) -> Option<Answer> {
        let Some((done, total)) = gathering.advance(&self.input, &mut self.reading) else {
            gathering.finish(&mut self.reading);
            self.step = Step::Settle;
            return None;
        };
        self.step = Step::Gather(gathering);
        self.tells().then(|| Answer::plain(Reply::Progress { phase: Phase::Reading, done, total }))
    }

    fn set_up(&mut self) -> Reply {
        let reading = &self.reading;
        let nodes = reading.cluster.nodes.len();
        let ready = match (&reading.scenario, &reading.after) {
            _ if reading.refused => Err(Nothing::Refused),
            _ if nodes > LARGEST => Err(Nothing::TooBig { nodes: nodes as u64, limit: LARGEST as u64 }),
            _ if reading.faulty => Err(Nothing::Faulty),
            (Some(scenario), Some(after)) if nodes > 0 => Ok((scenario, after)),
            (Some(_), Some(_)) => Err(Nothing::NoNodes),
            _ => Err(Nothing::NoDaemonSet),
        };
        let (scenario, after) = match ready {
            Ok(ready) => ready,
            Err(nothing) => return Reply::Nothing(nothing),
        };
        self.rules = Some(PlacementRules::of(&after.spec.template, scenario.options.version));
        self.step = Step::Build(Box::new(scenario.building()));
        Reply::Progress { phase: Phase::Placing, done: 0, total: nodes as u64 }
    }

    fn build(&mut self, mut building: Box<Building>) {
        self.step = if building.run(BUILT) {
            let play = Play::new(building.finish());
            self.reading.number_nodes(play.node_names());
            Step::Survey(Box::new(play), Box::default())
        } else {
            Step::Build(building)
        };
    }

    fn survey(&mut self, play: Box<Play>, mut survey: Box<Survey>) -> Option<Answer> {
        for _ in 0..SURVEYED {
            let node = self.reading.node(survey.count());
            let (Some(node), Some(rules)) = (node, &self.rules) else {
                self.step = Step::Play(play);
                return Some(Answer::plain(Reply::Fleet(survey.finish())));
            };
            survey.add(node, rules);
        }
        self.step = Step::Survey(play, survey);
        None
    }

    fn play(&mut self, mut play: Box<Play>, language: Language) -> Option<Answer> {
        let (done, total, more) = play.advance();
        if more {
            self.step = Step::Play(play);
            return self.tells().then(|| Answer::plain(Reply::Progress { phase: Phase::Playing, done, total }));
        }
        let played = play.finish(&self.reading);
        let head = Box::new(Reply::Rollout(played.summary(language)));
        let body = Rollout::to_bytes(&played.timeline);
        self.played = Some(played);
        Some(Answer { head, body })
    }
}

#[cfg(test)]
mod tests;
