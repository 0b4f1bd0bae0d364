//! What the worker has on its desk: one computation in pieces, and questions about the last one. Pure.

use rollcast_core::sim::Timeline;

use crate::model::{Problem, Summary};
use crate::protocol::{Input, Nothing, Reply, Request};

/// An answer with what stands behind its head.
#[derive(Debug)]
pub enum Answer {
    Plain(Box<Reply>),
    Problems(Box<[Vec<Problem>; 3]>),
    Rollout(Summary, Box<Timeline>),
}

impl Answer {
    /// An answer without a body.
    pub fn plain(reply: Reply) -> Self {
        Self::Plain(Box::new(reply))
    }

    /// The head to send.
    pub fn head(&self) -> Reply {
        match self {
            Self::Plain(reply) => (**reply).clone(),
            Self::Problems(_) => Reply::Problems,
            Self::Rollout(summary, _) => Reply::Rollout(summary.clone()),
        }
    }
}

/// The computation under way and what came of the last one.
#[derive(Default)]
pub struct Desk {
    generation: u32,
    input: Option<Box<Input>>,
}

impl Desk {
    /// Takes a request in; one of an older generation is dropped.
    pub fn accept(&mut self, generation: u32, request: Request) {
        match request {
            Request::Compute(input) => {
                self.generation = generation;
                self.input = Some(input);
            }
            #[expect(clippy::panic, reason = "this is what the request asks for")]
            Request::Panic(text) => panic!("{text}"),
            _ => {}
        }
    }

    /// Does a small piece of work: an answer when one is due; nothing when the desk is empty.
    pub fn work(&mut self) -> Option<(u32, Option<Answer>)> {
        self.input.take()?;
        Some((self.generation, Some(Answer::plain(Reply::Nothing(Nothing::NoDaemonSet)))))
    }
}
