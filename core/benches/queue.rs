//! The queue of the simulated world beside the standard library's heap, in the hold model: 130,000 events wait, the
//! first is taken out and another put in, again and again.
#![allow(clippy::unwrap_used, reason = "a benchmark that panics has failed")]

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::time::{Duration, Instant};

use rollcast_core::sim::Queue;
use rollcast_core::time::Timestamp;

const PENDING: u32 = 130_000;
const HOLDS: u32 = 500_000;
const ROUNDS: u32 = 7;

fn main() {
    divan::main();
    if std::env::args().skip(1).all(|argument| argument == "--bench") {
        print_ratios();
    }
}

/// How far ahead events are planned.
#[derive(Clone, Copy)]
enum Ahead {
    /// Anything up to ten seconds, in microseconds.
    Seconds,
    /// Anything up to an hour, in microseconds.
    Hour,
    /// One of twenty whole seconds, so that thousands share a moment.
    Moments,
    /// Mostly a few seconds, one in ten some minutes: start-up times as they are in practice.
    Tail,
}

const AHEAD: [Ahead; 4] = [Ahead::Seconds, Ahead::Hour, Ahead::Moments, Ahead::Tail];

impl fmt::Display for Ahead {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Seconds => "up to 10 s",
            Self::Hour => "up to an hour",
            Self::Moments => "twenty moments",
            Self::Tail => "seconds with a tail",
        })
    }
}

/// Numbers that look random, the same every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, ahead: Ahead) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = i64::try_from(self.0 >> 33).unwrap();
        match ahead {
            Ahead::Seconds => number % 10_000_000,
            Ahead::Hour => number % 3_600_000_000,
            Ahead::Moments => number % 20 * 1_000_000,
            Ahead::Tail if number % 10 == 0 => 60_000_000 + number % 240_000_000,
            Ahead::Tail => 5_000_000 + number % 10_000_000,
        }
    }
}

/// Its time, when it was put in, and which it is.
type Waiting = Reverse<(i64, u64, u32)>;

fn heap(ahead: Ahead) -> (BinaryHeap<Waiting>, Numbers) {
    let mut numbers = Numbers(1);
    let waiting = (0..PENDING).map(|event| Reverse((numbers.next(ahead), u64::from(event), event)));
    (waiting.collect(), numbers)
}

fn hold_heap((mut heap, mut numbers): (BinaryHeap<Waiting>, Numbers), ahead: Ahead) -> u64 {
    let mut sum = 0_u64;
    for sequence in u64::from(PENDING)..u64::from(PENDING + HOLDS) {
        let Reverse((at, _, event)) = heap.pop().unwrap();
        sum = sum.wrapping_mul(31).wrapping_add(event.into());
        heap.push(Reverse((at + numbers.next(ahead), sequence, event)));
    }
    sum
}

fn queue(ahead: Ahead) -> (Queue<u32>, Numbers) {
    let (mut queue, mut numbers) = (Queue::default(), Numbers(1));
    for event in 0..PENDING {
        queue.push(Timestamp::from_micros(numbers.next(ahead)), event);
    }
    (queue, numbers)
}

fn hold_queue((mut queue, mut numbers): (Queue<u32>, Numbers), ahead: Ahead) -> u64 {
    let mut sum = 0_u64;
    for _ in 0..HOLDS {
        let at = queue.next_time().unwrap();
        let event = queue.pop(at).unwrap();
        sum = sum.wrapping_mul(31).wrapping_add(event.into());
        queue.push(Timestamp::from_micros(at.as_micros() + numbers.next(ahead)), event);
    }
    sum
}

#[divan::bench(args = AHEAD)]
fn world_queue(bencher: divan::Bencher<'_, '_>, ahead: Ahead) {
    let bencher = bencher.counter(divan::counter::ItemsCount::new(HOLDS));
    bencher.with_inputs(|| queue(ahead)).bench_local_values(|input| hold_queue(input, ahead));
}

#[divan::bench(args = AHEAD)]
fn binary_heap(bencher: divan::Bencher<'_, '_>, ahead: Ahead) {
    let bencher = bencher.counter(divan::counter::ItemsCount::new(HOLDS));
    bencher.with_inputs(|| heap(ahead)).bench_local_values(|input| hold_heap(input, ahead));
}

/// The same once more, taken in turns, as the ratios that the README states; the order in which events come is the
/// same.
fn print_ratios() {
    println!();
    for ahead in AHEAD {
        let (mut with_queue, mut with_heap) = (Duration::MAX, Duration::MAX);
        for _ in 0..ROUNDS {
            let (queue_time, queue_sum) = timed(queue(ahead), |input| hold_queue(input, ahead));
            let (heap_time, heap_sum) = timed(heap(ahead), |input| hold_heap(input, ahead));
            assert_eq!(queue_sum, heap_sum, "both must yield the same order");
            (with_queue, with_heap) = (with_queue.min(queue_time), with_heap.min(heap_time));
        }
        let ratio = with_heap.as_secs_f64() / with_queue.as_secs_f64();
        let (queue, heap) = (with_queue / HOLDS, with_heap / HOLDS);
        println!("{PENDING} pending, {ahead}: {queue:?} a hold, BinaryHeap {heap:?}, ratio {ratio:.1}");
    }
}

fn timed<T, R>(input: T, work: impl FnOnce(T) -> R) -> (Duration, R) {
    let start = Instant::now();
    let result = work(input);
    (start.elapsed(), result)
}
