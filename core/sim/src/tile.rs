use serde::{Deserialize, Serialize};

/// What one node shows: its class towards the DaemonSet at one moment.
///
/// The numbers are part of the packed timeline and never change their meaning; new classes are added at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "u8", from = "u8")]
#[repr(u8)]
pub enum Tile {
    /// The DaemonSet has no business on this node, and no pod there.
    NotEligible = 0,
    /// A pod should run here and there is none.
    Missing = 1,
    /// The newest pod is not bound, because it does not fit.
    Pending = 2,
    /// The old pod runs and is available.
    OldAvailable = 3,
    /// The old pod is there and not available.
    OldUnavailable = 4,
    /// The pod is going and no other exists.
    Terminating = 5,
    /// The new pod runs and is not ready.
    NewStarting = 6,
    /// The new pod is ready, and `minReadySeconds` have not passed.
    NewReady = 7,
    /// The new pod is available.
    NewAvailable = 8,
    /// The old pod is available and a new one is beside it (`maxSurge`).
    Surging = 9,
    /// The pod has failed.
    Failed = 10,
    /// A pod is on a node that should not run it.
    Misscheduled = 11,
    /// There is no such node: not yet, or no longer.
    Gone = 12,
}

impl Tile {
    /// Every class, in the order of its number.
    pub const ALL: [Self; 13] = [
        Self::NotEligible,
        Self::Missing,
        Self::Pending,
        Self::OldAvailable,
        Self::OldUnavailable,
        Self::Terminating,
        Self::NewStarting,
        Self::NewReady,
        Self::NewAvailable,
        Self::Surging,
        Self::Failed,
        Self::Misscheduled,
        Self::Gone,
    ];

    /// The class with a number; [`Tile::Gone`] for a number that none has.
    pub fn from_number(number: u8) -> Self {
        Self::ALL.get(usize::from(number)).copied().unwrap_or(Self::Gone)
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Whether the node should run the pod.
    pub const fn is_eligible(self) -> bool {
        !matches!(self, Self::NotEligible | Self::Misscheduled | Self::Gone)
    }

    /// Whether an eligible node has an available pod that is not on its way out.
    pub const fn is_available(self) -> bool {
        matches!(self, Self::OldAvailable | Self::NewAvailable | Self::Surging)
    }
}

impl From<Tile> for u8 {
    fn from(tile: Tile) -> Self {
        tile.number()
    }
}

impl From<u8> for Tile {
    fn from(number: u8) -> Self {
        Self::from_number(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tile_comes_back_from_its_number() {
        for tile in Tile::ALL {
            assert_eq!(Tile::from_number(tile.number()), tile);
        }
        assert_eq!(Tile::from_number(200), Tile::Gone);
    }
}
