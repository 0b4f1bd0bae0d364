use std::time::Duration;

use crate::sim::{Distribution, Images, Options};

use super::{Measured, MeasuredNumber, MeasuredTime};

/// Where something that a play rests on comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// Nothing was said about it.
    #[default]
    Default,
    /// The scenario file says so.
    File,
    /// It was asked for: a flag of the command line, a field of the page.
    Given,
    /// It was measured in a cluster.
    Measured {
        /// At how many pods, or pulls of images.
        count: u32,
    },
}

/// Where the parts of a scenario's options come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// How long pods take to be ready.
    pub pod_ready_after: Source,
    /// How long pods take to be gone.
    pub pod_gone_after: Source,
    /// How long pods outlive their node.
    pub orphaned_pods_gone_after: Source,
    /// How fast and reliable API server, client and scheduler are.
    pub control_plane: Source,
    /// Which images are pulled, and from where.
    pub images: ImageSources,
}

/// Where what is known about images comes from; all of it is a default where nothing is pulled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImageSources {
    /// How large they are.
    pub bytes: Source,
    /// What the registry serves.
    pub registry_bytes_per_second: Source,
    /// The most that one pull gets.
    pub node_bytes_per_second: Source,
    /// How many pulls the registry serves at once.
    pub parallel_pulls: Source,
    /// How many nodes hold an image already.
    pub cached_permille: Source,
}

impl Sources {
    /// Lets what was measured take the place of defaults, and says so.
    pub fn take(&mut self, measured: &Measured, options: &mut Options) {
        let Measured { pod_ready_after, pod_gone_after, image_bytes, pull_bytes_per_second } = measured;
        let latencies = &mut options.latencies;
        take_time(pod_ready_after.as_ref(), &mut latencies.pod_ready_after, &mut self.pod_ready_after);
        take_time(pod_gone_after.as_ref(), &mut latencies.pod_gone_after, &mut self.pod_gone_after);
        if image_bytes.is_none() && pull_bytes_per_second.is_none() {
            return;
        }
        let Images { bytes, node_bytes_per_second, .. } = options.images.get_or_insert_default();
        take_number(image_bytes.as_ref(), bytes, &mut self.images.bytes);
        take_number(pull_bytes_per_second.as_ref(), node_bytes_per_second, &mut self.images.node_bytes_per_second);
    }

    /// Marks how long pods take as asked for.
    pub fn give_times(&mut self, options: &mut Options, ready_after: Option<Duration>, gone_after: Option<Duration>) {
        let latencies = &mut options.latencies;
        for (asked, time, source) in [
            (ready_after, &mut latencies.pod_ready_after, &mut self.pod_ready_after),
            (gone_after, &mut latencies.pod_gone_after, &mut self.pod_gone_after),
        ] {
            if let Some(asked) = asked {
                *time = asked.into();
                *source = Source::Given;
            }
        }
    }
}

fn take_time(measured: Option<&MeasuredTime>, time: &mut Distribution, source: &mut Source) {
    if let Some(measured) = measured {
        *time = measured.distribution();
        *source = Source::Measured { count: measured.count };
    }
}

fn take_number(measured: Option<&MeasuredNumber>, number: &mut u64, source: &mut Source) {
    if let Some(measured) = measured {
        *number = measured.median;
        *source = Source::Measured { count: measured.count };
    }
}
