//! Products of 128 bits: powers of ten without a table.

/// `bits` × 2^`exponent`, the highest bit set.
#[derive(Clone, Copy)]
pub(super) struct Wide {
    pub bits: u128,
    pub exponent: i32,
}

/// More than a product of powers may be wrong by, in its last places.
pub(super) const DOUBT: u128 = 1 << 24;

impl Wide {
    /// A number above zero.
    pub fn of(whole: u64) -> Self {
        Self { bits: u128::from(whole), exponent: 0 }.normal()
    }

    fn normal(self) -> Self {
        let shift = self.bits.leading_zeros().min(127);
        Self { bits: self.bits << shift, exponent: self.exponent - i32::try_from(shift).unwrap_or(0) }
    }

    /// The product, rounded down.
    #[inline(never)]
    pub fn times(self, other: Self) -> Self {
        const LOW: u128 = u64::MAX as u128;
        let (high, low) = (self.bits >> 64, self.bits & LOW);
        let (other_high, other_low) = (other.bits >> 64, other.bits & LOW);
        let first = high * other_low + ((low * other_low) >> 64);
        let second = low * other_high + (first & LOW);
        let bits = high * other_high + (first >> 64) + (second >> 64);
        Self { bits, exponent: self.exponent + other.exponent + 128 }.normal()
    }
}

/// A power of ten, wrong by less than [`DOUBT`] in a product with it.
pub(super) fn power_of_ten(exponent: i32) -> Wide {
    // A tenth, rounded down: 0.8 × 2^-3.
    let tenth = Wide { bits: u128::MAX / 5 * 4, exponent: -131 };
    let mut square = if exponent < 0 { tenth } else { Wide::of(10) };
    let mut power = Wide::of(1);
    let mut left = exponent.unsigned_abs();
    while left > 0 {
        if left & 1 == 1 {
            power = power.times(square);
        }
        square = square.times(square);
        left >>= 1;
    }
    power
}
