//! Numbers drawn at random, yet the same ones on every run and target.

/// What a number is drawn for. Draws for one purpose never move those for another: with other failure odds, every
/// start-up still takes as long as before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Purpose {
    /// How long a pod takes from its containers' start to being ready.
    Ready = 1,
    /// How long a pod takes from its deletion to being gone.
    Gone = 2,
    /// How long a pod that is going to fail runs before.
    Fails = 3,
    /// How long containers run before they crash.
    Crash = 4,
    /// Whether a pod is one of those for which a behaviour holds.
    Lot = 5,
    /// Whether a node holds an image from the start; counted by image.
    Cached = 6,
    /// How long a write takes.
    Write = 7,
    /// How long the controller takes to see a change.
    Watch = 8,
    /// Whether a write is answered with 429.
    TooManyRequests = 9,
    /// Whether a write fails.
    Fault = 10,
    /// How long the scheduler takes to look at a pod.
    Scheduling = 11,
}

/// A generator without state: every draw is a function of the seed, its purpose, the node and a counter, so that the
/// order in which things happen changes no draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Random {
    seed: u64,
}

impl Random {
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// 64 random bits. `node` is [`hash_of_name`] of the node's name, `n` counts the draws for that purpose and node.
    pub fn bits(self, purpose: Purpose, node: u64, n: u32) -> u64 {
        let key = mixed(self.seed ^ mixed(u64::from(purpose as u8)));
        mixed(mixed(key ^ node).wrapping_add(u64::from(n)))
    }
}

/// A node's name as a number: FNV-1a.
pub(crate) fn hash_of_name(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The finalizer of `SplitMix64`: one changed bit changes about half of the bits.
pub(crate) fn mixed(bits: u64) -> u64 {
    let bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// A number from 0 to 999, all equally likely.
pub(crate) fn permille_of(bits: u64) -> u16 {
    u16::try_from((u128::from(bits) * 1_000) >> 64).unwrap_or_default()
}

/// A number from 0 up to, not including, 1.
#[expect(clippy::cast_precision_loss, reason = "53 bits fit a double exactly")]
pub(crate) fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_depends_on_seed_purpose_node_and_counter_alone() {
        let (node, other) = (hash_of_name("node-1"), hash_of_name("node-2"));
        let random = Random::new(7);
        let bits = random.bits(Purpose::Ready, node, 0);
        assert_eq!(bits, Random::new(7).bits(Purpose::Ready, node, 0));
        assert_ne!(bits, Random::new(8).bits(Purpose::Ready, node, 0));
        assert_ne!(bits, random.bits(Purpose::Gone, node, 0));
        assert_ne!(bits, random.bits(Purpose::Ready, other, 0));
        assert_ne!(bits, random.bits(Purpose::Ready, node, 1));
    }

    #[test]
    fn draws_fill_the_unit_interval_evenly() {
        let random = Random::new(1);
        let draws: Vec<f64> = (0..100_000).map(|n| unit(random.bits(Purpose::Ready, 0, n))).collect();
        for tenth in 0..10 {
            let from = f64::from(tenth) / 10.0;
            let count = draws.iter().filter(|draw| (from..from + 0.1).contains(draw)).count();
            assert!((9_700..10_300).contains(&count), "{count} draws from {from}");
        }
    }
}
