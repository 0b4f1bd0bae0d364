//! Simulation with faults: a seed draws which kinds of trouble are on, plays a cluster through them, looks after every
//! event whether anything happened that must never happen, heals the cluster, and asks that it converges.

mod cluster;
mod converged;
mod invariants;
mod rest;
mod trouble;

use std::fmt::Write as _;
use std::time::Duration;

use rollcast_core::api::Pod;
use rollcast_core::sim::{Ending, Options, ScenarioEvent, World};
use rollcast_core::time::Timestamp;
use rollcast_core::trace::trace_of;

pub use cluster::{Dice, Setup};
pub use trouble::Kind;

use invariants::Watch;

/// After so long everything is healed.
const TROUBLE: Duration = Duration::from_mins(8);

/// Events and decisions that no play of so few nodes may need: more is a play that never ends.
const MOST_EVENTS: u64 = 100_000;

/// What a seed's play came to.
#[derive(Clone, Debug)]
pub struct Played {
    /// The kinds of trouble that were on.
    pub kinds: Vec<Kind>,
    /// Events and decisions that were played.
    pub events: u64,
    /// Everything that was seen, as one number that is equal on every target.
    pub hash: u64,
}

/// Plays a seed to the end.
///
/// # Errors
/// What happened that must never happen, and the cluster around it.
pub fn play(seed: u64) -> Result<Played, String> {
    let mut run = Run::new(seed);
    match run.play_to_the_end() {
        Ok(()) => Ok(Played { kinds: run.setup.kinds, events: run.events, hash: run.hash.0 }),
        Err(what) => Err(run.describe(&what)),
    }
}

/// The trace of a seed's play through its trouble and, as far as it comes by itself, to its end.
pub fn trace(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let setup = Setup::draw(&mut dice);
    let mut world = setup.world(seed);
    trouble::plan(&mut dice, &setup, &mut world, TROUBLE);
    world.run_until(2 * TROUBLE);
    let options = Options { seed, ..Options::starting_at(Timestamp::default()) };
    trace_of(&world, &setup.daemon_set(1).metadata.key(), &options, &world.summary())
}

/// Plays so many seeds; the hash of everything seen in each, one a line.
pub fn hashes(first: u32, count: u32) -> String {
    let hash = |seed: u32| match play(seed.into()) {
        Ok(played) => format!("{:016x}\n", played.hash),
        Err(what) => format!("{what}\n"),
    };
    (first..first.saturating_add(count)).map(hash).collect()
}

/// A seed's play, as far as it has come.
struct Run {
    seed: u64,
    setup: Setup,
    world: World,
    watch: Watch,
    hash: Hash,
    events: u64,
}

impl Run {
    fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let setup = Setup::draw(&mut dice);
        let mut world = setup.world(seed);
        trouble::plan(&mut dice, &setup, &mut world, TROUBLE);
        Self { seed, watch: Watch::new(&setup.kinds), setup, world, hash: Hash::default(), events: 0 }
    }

    fn play_to_the_end(&mut self) -> Result<(), String> {
        self.play_until(Some(TROUBLE))?;
        // What is planned to last may last longer than the trouble.
        self.world.run_until(TROUBLE);
        trouble::heal(&self.setup, &mut self.world);
        self.play_until(None)?;
        // One wedged pod may hide behind another; each takes a person once.
        for _ in 0..10 * self.setup.nodes.len() {
            // A node that comes back with its pod makes nobody look (Kubernetes 1.33 and later): the next look corrects
            // the status.
            if let Some(daemon_set) = self.world.daemon_set().cloned() {
                drop(self.world.apply(ScenarioEvent::Apply(Box::new(daemon_set))));
            }
            self.play_until(None)?;
            if !trouble::help_out(&self.setup, &mut self.world) {
                break;
            }
        }
        match self.world.summary().ending {
            Some(Ending::Complete) => converged::check(&self.world),
            ending => Err(format!("healed, and not converged: {ending:?}")),
        }
    }

    /// Plays event by event, and looks after each one.
    fn play_until(&mut self, until: Option<Duration>) -> Result<(), String> {
        let Self { setup, world, watch, hash, events, .. } = self;
        while until.is_none_or(|until| world.elapsed() < until) {
            let before = world.now();
            let goes_on = world.run(1).partial;
            if !goes_on || world.now() > before {
                rest::check(setup, world, before)?;
            }
            if !goes_on {
                break;
            }
            *events += 1;
            invariants::look(world, watch.adopts_late)?;
            watch.seen(setup, world, |moment| hash.add(moment))?;
            if *events > MOST_EVENTS {
                return Err("the play never ends".into());
            }
        }
        Ok(())
    }

    /// A failure, the cluster in which it was found, and the last that happened.
    fn describe(&self, what: &str) -> String {
        let Self { seed, setup, world, watch, .. } = self;
        let mut text = format!("seed {seed}: {what}\n  at {:?}\n  {setup}\n", world.elapsed());
        for pod in world.pods() {
            let metadata = &pod.metadata;
            writeln!(
                text,
                "  {} on {:?}: {:?}, ready {}, deleted {}, hash {:?}",
                metadata.name,
                rollcast_core::placement::target_node_of(&pod),
                pod.status.phase,
                pod.is_ready(),
                metadata.deletion_timestamp.is_some(),
                pod.metadata.labels.get(Pod::REVISION_HASH_LABEL),
            )
            .expect("a string takes all");
        }
        for moment in watch.recent.iter().rev() {
            writeln!(text, "  {moment}").expect("a string takes all");
        }
        text + &format!("replay: ROLLCAST_SEED={seed} cargo test --package rollcast-tests --test simulation")
    }
}

/// FNV-1a over everything that was seen.
#[derive(Clone, Copy, Debug)]
pub struct Hash(pub u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    /// Takes in a text.
    pub fn add(&mut self, text: &str) {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
