//! Simulation with faults: a minute of seeds; an hour by hand.
//!
//! ```sh
//! ROLLCAST_SIMULATION_SECONDS=3600 cargo test --package rollcast-tests --test simulation
//! ROLLCAST_SEED=17 cargo test --package rollcast-tests --test simulation
//! ```

use std::env;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rollcast_tests::say::say;
use rollcast_tests::swarm;

/// Wall-clock seconds that seeds are tried for.
const SECONDS: u64 = 60;
/// No more seeds than were played before: on a faster machine, too, a change is judged by what it changes.
const SEEDS: u64 = 50_000;

#[test]
fn whatever_goes_wrong_nothing_forbidden_happens_and_the_healed_cluster_converges() {
    if let Some(seed) = number("ROLLCAST_SEED") {
        match swarm::play(seed) {
            Ok(played) => say(&format!("seed {seed}: {played:?}")),
            Err(what) => panic!("{what}"),
        }
        return;
    }
    let by_hand = env::var("ROLLCAST_SIMULATION_SECONDS").is_ok();
    let limit = Duration::from_secs(number("ROLLCAST_SIMULATION_SECONDS").unwrap_or(SECONDS));
    let first = number("ROLLCAST_FIRST_SEED").unwrap_or(0);
    let start = Instant::now();
    let (next, played, events) = (AtomicU64::new(first), AtomicU64::new(0), AtomicU64::new(0));
    let failure: Mutex<Option<(u64, String)>> = Mutex::new(None);
    let work = || {
        while start.elapsed() < limit
            && (by_hand || played.load(Ordering::Relaxed) < SEEDS)
            && failure.lock().expect("no panic").is_none()
        {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            match swarm::play(seed) {
                Ok(outcome) => {
                    played.fetch_add(1, Ordering::Relaxed);
                    events.fetch_add(outcome.events, Ordering::Relaxed);
                }
                Err(what) => {
                    let mut failure = failure.lock().expect("no panic");
                    if failure.as_ref().is_none_or(|(known, _)| seed < *known) {
                        *failure = Some((seed, what));
                    }
                }
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let (played, events) = (played.into_inner(), events.into_inner());
    say(&format!("simulation: {played} seeds, {events} events, {} s", start.elapsed().as_secs()));
    if let Some((_, what)) = failure.into_inner().expect("no panic") {
        panic!("{what}");
    }
    assert!(played > 0, "no seed was played");
}

fn number(name: &str) -> Option<u64> {
    let text = env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")))
}
