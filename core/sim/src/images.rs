//! Images: which nodes hold them, and the registry that serves the others.

use std::time::Duration;

use rollcast_engine::api::{Container, PodPhase, Text};
use rollcast_engine::bitset::Bitset;
use rollcast_engine::time::Timestamp;
use serde::{Deserialize, Serialize};

use crate::line::Line;
use crate::pods::{Pods, Wait, index, number};
use crate::random::{Purpose, Random, hash_of_name, permille_of};
use crate::{RegistryLoad, World};

/// Images, and the registry they are pulled from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Images {
    /// What is pulled for an image that the node does not hold, bytes. All images are taken to be of that size; a pod
    /// with several pulls them one after the other.
    pub bytes: u64,
    /// What the registry serves, bytes a second; pulls under way share it equally.
    pub registry_bytes_per_second: u64,
    /// The most that one pull gets, bytes a second: the node's own connection and disk.
    pub node_bytes_per_second: u64,
    /// How many pulls the registry serves at once, the others wait their turn; absent: any number.
    pub parallel_pulls: Option<u32>,
    /// Of a thousand nodes that are there at the start, how many hold an image already that no pod there runs, drawn
    /// for every node and image.
    pub cached_permille: u16,
}

impl Default for Images {
    /// 200 MB, from a registry with 10 Gbit/s, to nodes with 1 Gbit/s.
    fn default() -> Self {
        Self {
            bytes: 200_000_000,
            registry_bytes_per_second: 1_250_000_000,
            node_bytes_per_second: 125_000_000,
            parallel_pulls: None,
            cached_permille: 0,
        }
    }
}

impl Images {
    /// How long a pull takes that has registry and node to itself.
    pub fn time_alone(&self) -> Duration {
        let rate = u128::from(self.registry_bytes_per_second.min(self.node_bytes_per_second).max(1));
        let micros = u128::from(self.bytes).saturating_mul(1_000_000).div_ceil(rate);
        Duration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX))
    }

    /// Whether nothing is drawn for it.
    pub const fn is_constant(&self) -> bool {
        self.cached_permille == 0 || self.cached_permille >= 1_000
    }
}

/// An image that a pod needs.
#[derive(Clone, Copy, Debug)]
struct Need {
    image: u32,
    /// `imagePullPolicy: Always`: the registry is asked even where the node holds it.
    always: bool,
}

#[derive(Clone, Copy, Debug)]
struct Pull {
    node: u32,
    image: u32,
    /// What every pull must have been served since the start when this one ends.
    ends: u128,
}

/// Which nodes hold which images, and the pulls under way.
///
/// All pulls under way are served at the same rate, so that one number says how much each has got: virtual time. As
/// images are of one size, the first to start is the first to end, whoever comes and goes meanwhile.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pulls {
    names: Vec<Text>,
    /// By image, the nodes that hold it.
    held: Vec<Bitset>,
    /// By image, the nodes that are pulling it, or wait to.
    under_way: Vec<Bitset>,
    /// By make of pods.
    needs: Vec<Vec<Need>>,
    /// Nodes below this number are there from the start.
    first_nodes: u32,

    running: Line<Pull>,
    waiting: Line<(u32, u32)>,
    /// What each pull got that has been under way for ever, in [`SCALE`]ths of a byte, as of `at`.
    served: u128,
    at: Timestamp,
    /// When the next pull ends.
    next: Option<Timestamp>,
    load: RegistryLoad,
}

/// Fractions of a byte in which the service is counted: microseconds, and sixteen bits of rate.
const SCALE: u128 = 1_000_000 << RATE_BITS;
const RATE_BITS: u32 = 16;

impl Pulls {
    pub const fn next_end(&self) -> Option<Timestamp> {
        self.next
    }

    pub const fn load(&self) -> RegistryLoad {
        self.load
    }

    /// The number of an image.
    fn image(&mut self, name: &Text) -> u32 {
        if let Some(known) = self.names.iter().position(|known| known == name) {
            return number(known);
        }
        self.names.push(name.clone());
        self.held.push(Bitset::new());
        self.under_way.push(Bitset::new());
        number(self.names.len() - 1)
    }

    /// Looks up what pods of a make need, unless it is known.
    fn learn(&mut self, pods: &Pods, make: u32) {
        while self.needs.len() <= index(make) {
            let Some(known) = pods.make(number(self.needs.len())) else { return };
            let containers = known.spec.init_containers.iter().chain(&known.spec.containers);
            let mut needs: Vec<Need> = Vec::new();
            for container in containers {
                let (image, always) = (self.image(&container.image), is_always_pulled(container));
                match needs.iter_mut().find(|need| need.image == image) {
                    Some(need) => need.always |= always,
                    None => needs.push(Need { image, always }),
                }
            }
            self.needs.push(needs);
        }
    }

    fn holds(&self, node: u32, image: u32) -> bool {
        self.held.get(index(image)).is_some_and(|nodes| nodes.contains(node))
    }

    fn hold(&mut self, node: u32, image: u32) {
        if let Some(nodes) = self.held.get_mut(index(image)) {
            nodes.insert(node);
        }
    }

    /// What each pull gets, in 2^-16 bytes a second.
    fn rate(&self, images: &Images) -> u128 {
        let of = |bytes: u64| u128::from(bytes.max(1)) << RATE_BITS;
        let pulls = u128::try_from(self.running.len()).unwrap_or(u128::MAX).max(1);
        of(images.node_bytes_per_second).min(of(images.registry_bytes_per_second) / pulls).max(1)
    }

    /// Counts what was served until now.
    fn serve(&mut self, images: &Images, now: Timestamp) {
        let micros = now.saturating_since(self.at).as_micros();
        self.at = now;
        self.served = self.served.saturating_add(self.rate(images).saturating_mul(micros));
    }

    /// Starts pulls as far as the registry takes them, and says when the next one ends.
    fn go_on(&mut self, images: &Images) {
        let limit = images.parallel_pulls.map_or(usize::MAX, |limit| index(limit.max(1)));
        while self.running.len() < limit
            && let Some((node, image)) = self.waiting.pop()
        {
            let ends = self.served.saturating_add(u128::from(images.bytes).saturating_mul(SCALE));
            self.running.push(Pull { node, image, ends });
        }
        let pulls = u64::try_from(self.running.len()).unwrap_or(u64::MAX);
        let now = images.node_bytes_per_second.saturating_mul(pulls).min(images.registry_bytes_per_second);
        self.load.peak_bytes_per_second = self.load.peak_bytes_per_second.max(now);
        self.next = self.running.first().map(|first| {
            let micros = first.ends.saturating_sub(self.served).div_ceil(self.rate(images));
            let micros = i64::try_from(micros).unwrap_or(i64::MAX);
            Timestamp::from_micros(self.at.as_micros().saturating_add(micros))
        });
    }
}

impl World {
    /// From now on it is known which images nodes hold: at first those of the pods that run there.
    pub(crate) fn stock_images(&mut self) {
        let mut pulls = Pulls { at: self.now, first_nodes: number(self.nodes.len()), ..Pulls::default() };
        for (_, pod) in self.pods.iter().filter(|(_, pod)| pod.bound && pod.phase != PodPhase::Pending) {
            pulls.learn(&self.pods, pod.make);
            let needs = pulls.needs.get(index(pod.make)).cloned().unwrap_or_default();
            for need in needs {
                pulls.hold(pod.node, need.image);
            }
        }
        self.pulls = Some(Box::new(pulls));
    }

    /// A pod's images are pulled as far as they are missing, then its containers start.
    pub(crate) fn pull_images(&mut self, slot: u32) {
        if self.pulls.is_none() {
            self.stock_images();
        }
        let behaviour = self.behaviour_of(slot);
        while let Some(image) = self.wanted_image(slot, behaviour.pulls_fail) {
            let Some(node) = self.pods.get(slot).map(|pod| pod.node) else { return };
            if behaviour.pulls_fail {
                self.back_off_pull(slot);
                return;
            }
            if self.options.images.is_some() {
                self.change_pod(slot, |pod| pod.attempt.wait = Wait::ContainerCreating);
                self.request_pull(node, image);
                return;
            }
            // Without a registry that takes its time.
            if let Some(pulls) = &mut self.pulls {
                pulls.hold(node, image);
            }
        }
        self.start_containers(slot, &behaviour);
    }

    /// The first image for which a pod needs the registry: one that its node does not hold, or, where the registry
    /// does not answer, one that is to be checked.
    fn wanted_image(&mut self, slot: u32, registry_fails: bool) -> Option<u32> {
        let Self { pulls, pods, nodes, options, .. } = self;
        let pulls = pulls.as_deref_mut()?;
        let pod = pods.get(slot)?;
        pulls.learn(pods, pod.make);
        let cached = options.images.map_or(0, |images| images.cached_permille);
        let mut place = 0;
        while let Some(&Need { image, always }) = pulls.needs.get(index(pod.make)).and_then(|needs| needs.get(place)) {
            place += 1;
            if always && registry_fails {
                return Some(image);
            }
            if pulls.holds(pod.node, image) {
                continue;
            }
            let name = nodes.get(pod.node).map_or(0, |state| hash_of_name(&state.name));
            let draw = || permille_of(Random::new(options.seed).bits(Purpose::Cached, name, image));
            if cached == 0 || pod.node >= pulls.first_nodes || draw() >= cached {
                return Some(image);
            }
            pulls.hold(pod.node, image);
        }
        None
    }

    /// The name of the image that a pod waits for.
    pub(crate) fn image_waited_for(&self, slot: u32) -> Option<&Text> {
        let pulls = self.pulls.as_deref()?;
        let pod = self.pods.get(slot)?;
        let mut needs = pulls.needs.get(index(pod.make))?.iter();
        let missing = needs.find(|need| need.always || !pulls.holds(pod.node, need.image))?;
        pulls.names.get(index(missing.image))
    }

    fn request_pull(&mut self, node: u32, image: u32) {
        let (Some(pulls), Some(images)) = (&mut self.pulls, &self.options.images) else { return };
        if pulls.under_way.get_mut(index(image)).is_some_and(|nodes| nodes.insert(node)) {
            pulls.serve(images, self.now);
            pulls.waiting.push((node, image));
            pulls.go_on(images);
        }
    }

    /// Ends the pulls that have got everything by now; the pods that waited for them go on.
    pub(crate) fn finish_pulls(&mut self) {
        let mut ended = Vec::new();
        if let (Some(pulls), Some(images)) = (&mut self.pulls, &self.options.images) {
            pulls.serve(images, self.now);
            while let Some(first) = pulls.running.first().copied().filter(|first| first.ends <= pulls.served) {
                pulls.running.pop();
                pulls.hold(first.node, first.image);
                if let Some(nodes) = pulls.under_way.get_mut(index(first.image)) {
                    nodes.remove(first.node);
                }
                pulls.load.total_bytes = pulls.load.total_bytes.saturating_add(images.bytes);
                ended.push(first.node);
            }
            pulls.go_on(images);
        }
        for node in ended {
            for slot in self.slots_on(node, &|pod| pod.is_live() && pod.attempt.wait == Wait::ContainerCreating) {
                self.pull_images(slot);
            }
        }
    }
}

/// `imagePullPolicy`, as the API server fills it in where it is missing: `Always` for a tag `latest` or none at all.
fn is_always_pulled(container: &Container) -> bool {
    let policy = container.image_pull_policy.as_str();
    if !policy.is_empty() {
        return policy == "Always";
    }
    let name = container.image.rsplit('/').next().unwrap_or_default();
    !name.contains('@') && name.split_once(':').is_none_or(|(_, tag)| tag == "latest")
}
