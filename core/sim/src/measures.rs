//! What a play cost.

use std::time::Duration;

use rollcast_engine::order::sort_numbers;
use serde::{Deserialize, Serialize};

use crate::World;
use crate::images::Pulls;

/// What a play cost: the numbers that many plays are compared by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measures {
    /// Pods that were available, and not being deleted, at the start.
    pub available_at_start: u32,
    /// Every time that one eligible node was without an available pod, ascending; those that still went on at the end
    /// are among them. One that ended because the node was no longer eligible is not.
    pub gaps: Vec<Duration>,
    /// The sum of the gaps: the outage of all nodes together.
    pub outage: Duration,
    /// What was asked of the nodes at most, beyond what was at the start.
    pub extra: ExtraRequests,
    /// What the image registry served.
    pub registry: RegistryLoad,
    /// Writes that the controller sent to the API server, repeated ones and events included.
    pub api_writes: u64,
}

/// What the DaemonSet's pods asked for at one moment beyond what they asked for at the start, each at its own worst
/// moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtraRequests {
    /// Pods, those being deleted included.
    pub pods: u32,
    /// CPU that pods on nodes request, thousandths.
    pub cpu_millis: u64,
    /// Memory that pods on nodes request, bytes.
    pub memory_bytes: u64,
}

/// What the image registry served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegistryLoad {
    /// The most at one moment, bytes a second.
    pub peak_bytes_per_second: u64,
    /// In all, bytes.
    pub total_bytes: u64,
}

/// What is counted while a world is played; the rest of [`Measures`] is derived from it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meter {
    pub available_at_start: u32,
    /// Closed gaps, microseconds, in the order in which they ended.
    pub gaps: Vec<u64>,
    pub pods_at_start: u32,
    pub requested_at_start: Requested,
    pub requested_at_most: Requested,
    pub api_writes: u64,
}

/// What pods on nodes request together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Requested {
    pub cpu_millis: u64,
    pub memory_bytes: u64,
}

impl Requested {
    /// Adds, or takes away, what one pod requests; modulo 2^64, so that the order does not matter.
    pub const fn count(&mut self, one: Self, is_added: bool) {
        let Self { cpu_millis, memory_bytes } = *self;
        *self = if is_added {
            Self {
                cpu_millis: cpu_millis.wrapping_add(one.cpu_millis),
                memory_bytes: memory_bytes.wrapping_add(one.memory_bytes),
            }
        } else {
            Self {
                cpu_millis: cpu_millis.wrapping_sub(one.cpu_millis),
                memory_bytes: memory_bytes.wrapping_sub(one.memory_bytes),
            }
        };
    }

    /// The most of each.
    pub fn raise_to(&mut self, other: Self) {
        self.cpu_millis = self.cpu_millis.max(other.cpu_millis);
        self.memory_bytes = self.memory_bytes.max(other.memory_bytes);
    }
}

impl World {
    /// What the play has cost so far.
    pub fn measures(&self) -> Measures {
        let meter = &self.meter;
        let mut gaps = meter.gaps.clone();
        for since in self.nodes.iter().filter_map(|state| state.gap_since) {
            gaps.push(u64::try_from(self.now.as_micros().saturating_sub(since.as_micros())).unwrap_or_default());
        }
        gaps.retain(|gap| *gap > 0);
        sort_numbers(&mut gaps);
        let gaps: Vec<Duration> = gaps.into_iter().map(Duration::from_micros).collect();
        Measures {
            available_at_start: meter.available_at_start,
            outage: gaps.iter().fold(Duration::ZERO, |sum, gap| sum.saturating_add(*gap)),
            gaps,
            extra: ExtraRequests {
                pods: self.tally.most_pods.saturating_sub(meter.pods_at_start),
                cpu_millis: meter.requested_at_most.cpu_millis.saturating_sub(meter.requested_at_start.cpu_millis),
                memory_bytes: meter
                    .requested_at_most
                    .memory_bytes
                    .saturating_sub(meter.requested_at_start.memory_bytes),
            },
            registry: self.pulls.as_deref().map_or(RegistryLoad::default(), Pulls::load),
            api_writes: meter.api_writes,
        }
    }

    /// Counts from here.
    pub(crate) fn start_measuring(&mut self) {
        let counters = self.counters();
        self.meter = Meter {
            available_at_start: counters.available_pods(),
            pods_at_start: counters.pods(),
            requested_at_start: self.requested,
            requested_at_most: self.requested,
            ..Meter::default()
        };
    }
}
