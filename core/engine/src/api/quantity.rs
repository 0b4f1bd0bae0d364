use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::{Text, is_default};
use crate::json::{Cursor, JsonError, Read, deserialize, fields};
use crate::text::same;

/// An amount of a resource, exact to a billionth (`resource.Quantity`).
///
/// Held as a whole number of billionths; the range covers every quantity the API server stores. Packed, because what is
/// aligned to 16 bytes makes lists a sixth longer, and WASM's allocator slower.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(Rust, packed(8))]
pub struct Quantity(i128);

/// The text is not a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("quantities are a number and a suffix such as `100m`, `1.5`, `2Gi` or `1e3`")]
pub struct ParseQuantityError;

const BILLION: i128 = 1_000_000_000;
/// A unit and a thousandth of it, in billionths.
const UNIT: u32 = 1_000_000_000;
const THOUSANDTH: u32 = UNIT / 1000;
/// The API server caps quantities at the largest 64-bit integer.
const LARGEST: i128 = i64::MAX as i128 * BILLION;

impl Quantity {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// So many whole units.
    pub const fn from_units(units: i64) -> Self {
        Self(units as i128 * BILLION)
    }

    /// So many thousandths, the usual measure of cpu.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis as i128 * (BILLION / 1000))
    }

    /// Whole units, rounded up, saturating (`Quantity.Value`).
    pub fn units_rounded_up(self) -> i64 {
        count::<UNIT>(self.0).map_or_else(|| saturate(div_ceil(self.0, UNIT)), u64::cast_signed)
    }

    /// Thousandths, rounded up, saturating (`Quantity.MilliValue`).
    pub fn millis_rounded_up(self) -> i64 {
        count::<THOUSANDTH>(self.0).map_or_else(|| saturate(div_ceil(self.0, THOUSANDTH)), u64::cast_signed)
    }

    /// Billionths.
    pub const fn as_billionths(self) -> i128 {
        self.0
    }

    /// Whether there is nothing.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Whether it is less than nothing.
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// Rounded up to a thousandth, as the API server does with every quantity of a resource list it fills defaults in.
    #[must_use]
    pub fn rounded_up_to_millis(self) -> Self {
        if count::<THOUSANDTH>(self.0).is_some() { self } else { Self(rounded_up(self.0, THOUSANDTH)) }
    }

    /// Rounded up to whole units.
    #[must_use]
    pub fn rounded_up_to_units(self) -> Self {
        Self(rounded_up(self.0, UNIT))
    }

    /// The sum; saturates.
    #[must_use]
    pub fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The difference; saturates.
    #[must_use]
    pub fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// Reads a quantity as `resource.ParseQuantity` does: finer than a billionth rounds away from zero, more than
    /// 2⁶³−1 becomes that.
    pub fn parse(text: &str) -> Result<Self, ParseQuantityError> {
        let (negative, unsigned) = match text.as_bytes().first() {
            Some(b'-') => (true, text.get(1..).unwrap_or_default()),
            Some(b'+') => (false, text.get(1..).unwrap_or_default()),
            _ => (false, text),
        };
        let number_length = unsigned.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
        let (number, suffix) = unsigned.split_at_checked(number_length).ok_or(ParseQuantityError)?;
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if fraction.contains('.') || (whole.is_empty() && fraction.is_empty()) {
            return Err(ParseQuantityError);
        }
        let (binary_exponent, decimal_exponent) = scale_of(suffix)?;
        // value = digits × 10^exponent × 2^binary_exponent, in billionths
        let digits: String = [whole, fraction].concat();
        let digits = digits.trim_start_matches('0');
        let exponent = decimal_exponent - i64::try_from(fraction.len()).map_err(|_| ParseQuantityError)? + 9;
        let magnitude = scaled(digits, exponent, binary_exponent).min(LARGEST);
        Ok(Self(if negative { -magnitude } else { magnitude }))
    }
}

/// Powers of two and ten that a suffix stands for.
fn scale_of(suffix: &str) -> Result<(u32, i64), ParseQuantityError> {
    Ok(match suffix {
        "" => (0, 0),
        "n" => (0, -9),
        "u" => (0, -6),
        "m" => (0, -3),
        "k" => (0, 3),
        "M" => (0, 6),
        "G" => (0, 9),
        "T" => (0, 12),
        "P" => (0, 15),
        "E" => (0, 18),
        "Ki" => (10, 0),
        "Mi" => (20, 0),
        "Gi" => (30, 0),
        "Ti" => (40, 0),
        "Pi" => (50, 0),
        "Ei" => (60, 0),
        _ => {
            let exponent = suffix.strip_prefix(['e', 'E']).ok_or(ParseQuantityError)?;
            let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if unsigned.is_empty() || !unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(ParseQuantityError);
            }
            // Upstream reads the exponent as a 32-bit number; what lies beyond is refused.
            (
                0,
                i64::from(
                    exponent.strip_prefix('+').unwrap_or(exponent).parse::<i32>().map_err(|_| ParseQuantityError)?,
                ),
            )
        }
    })
}

/// `digits` × 10^`exponent` × 2^`binary_exponent`, rounded up, saturating.
fn scaled(digits: &str, exponent: i64, binary_exponent: u32) -> i128 {
    if digits.is_empty() {
        return 0;
    }
    let length = i64::try_from(digits.len()).unwrap_or(i64::MAX);
    if length.saturating_add(exponent) > 30 {
        return LARGEST;
    }
    // Digits behind the billionths only matter as "something more", unless a binary suffix lifts them.
    let kept =
        usize::try_from((length.saturating_add(exponent).saturating_add(20)).clamp(0, length)).unwrap_or(0).min(37);
    let (head, tail) = digits.split_at_checked(kept).unwrap_or((digits, ""));
    let more = tail.bytes().any(|byte| byte != b'0');
    let mut value: i128 = if head.is_empty() { 0 } else { head.parse().unwrap_or(i128::MAX) };
    let mut exponent = exponent + i64::try_from(tail.len()).unwrap_or(i64::MAX);
    let mut more = more;
    let mut shift = binary_exponent;
    while exponent > 0 && value <= LARGEST {
        value = value.saturating_mul(10);
        exponent -= 1;
    }
    while exponent < 0 {
        // Doubling before dividing keeps the digits that a binary suffix brings back.
        while shift > 0 && value < i128::MAX / 4 {
            value *= 2;
            shift -= 1;
        }
        if value == 0 {
            break;
        }
        more |= value % 10 != 0;
        value /= 10;
        exponent += 1;
    }
    for _ in 0..shift {
        value = value.saturating_mul(2);
    }
    value.saturating_add(i128::from(more)).min(LARGEST)
}

fn div_ceil(value: i128, divisor: u32) -> i128 {
    let (quotient, remainder) = divided(value.unsigned_abs(), divisor);
    let quotient = quotient.cast_signed();
    if value < 0 { -quotient } else { quotient + i128::from(remainder != 0) }
}

/// The next multiple of `unit`, saturating.
fn rounded_up(value: i128, unit: u32) -> i128 {
    match divided(value.unsigned_abs(), unit) {
        (_, 0) => value,
        (_, remainder) if value < 0 => value + i128::from(remainder),
        (_, remainder) => value.saturating_add(i128::from(unit - remainder)),
    }
}

/// How many times `UNIT` an amount is, without a division, if it is a whole number of times: so nearly every amount is,
/// and each request of each pod is asked, under WASM too, where a division costs as much as all the rest of it. Absent
/// for amounts below zero, and above 1.2 × 10¹⁵ thousandths or 9.4 × 10¹² units.
///
/// A thousandth is 2⁶ × 5⁶ billionths, a unit 2⁹ × 5⁹. Multiplying by the inverse of an odd number modulo 2⁶⁴ takes its
/// multiples to their quotients, and nothing else to what is at most the largest quotient.
fn count<const UNIT: u32>(value: i128) -> Option<u64> {
    let zeros = UNIT.trailing_zeros();
    let (odd, inverse) = const { odd_and_inverse(UNIT) };
    let shifted = u64::try_from(value >> zeros).ok()?;
    let quotient = shifted.wrapping_mul(inverse);
    (value.trailing_zeros() >= zeros && quotient <= u64::MAX / odd).then_some(quotient)
}

/// The odd part of a number, and its inverse modulo 2⁶⁴.
const fn odd_and_inverse(number: u32) -> (u64, u64) {
    let odd = (number >> number.trailing_zeros()) as u64;
    // Newton's step doubles the bits that are right; an odd number is its own inverse in the lowest three.
    let (mut inverse, mut right) = (odd, 3);
    while right < u64::BITS {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
        right *= 2;
    }
    (odd, inverse)
}

/// Quotient and remainder, 32 bits at a time: WASM divides no more than 64 bits, and most amounts have no more.
#[expect(clippy::cast_possible_truncation, reason = "one digit of a number, and a remainder below a `u32`")]
fn divided(value: u128, divisor: u32) -> (u128, u32) {
    let divisor = u64::from(divisor);
    if let Ok(value) = u64::try_from(value) {
        return ((value / divisor).into(), (value % divisor) as u32);
    }
    let (mut quotient, mut remainder) = (0_u128, 0_u64);
    for shift in [96, 64, 32, 0] {
        let part = remainder << 32 | u64::from((value >> shift) as u32);
        quotient = quotient << 32 | u128::from(part / divisor);
        remainder = part % divisor;
    }
    (quotient, remainder as u32)
}

fn saturate(value: i128) -> i64 {
    i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX })
}

impl fmt::Display for Quantity {
    /// A plain form that reads back the same: whole units (with a binary suffix where it divides evenly), thousandths,
    /// or billionths.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const COARSER: [(i128, &str); 9] = [
            (1000, "u"),
            (1000, "m"),
            (1000, ""),
            (1024, "Ki"),
            (1024, "Mi"),
            (1024, "Gi"),
            (1024, "Ti"),
            (1024, "Pi"),
            (1024, "Ei"),
        ];
        let (mut number, mut unit) = (self.0, "n");
        for (times, coarser) in COARSER {
            if number % times != 0 || (number == 0 && times == 1024) {
                break;
            }
            (number, unit) = (number / times, coarser);
        }
        let sign = if number < 0 { "-" } else { "" };
        write!(formatter, "{sign}{}{unit}", digits(number.unsigned_abs()))
    }
}

/// A number of 128 bits in decimal digits. The standard library's way is a kilobyte and a half of code of its own.
pub fn digits(number: u128) -> String {
    const LOW_DIGITS: u128 = 10_u128.pow(19);
    let parts = [number / LOW_DIGITS, number % LOW_DIGITS];
    let [high, low] = parts.map(|part| u64::try_from(part).unwrap_or(u64::MAX));
    if high == 0 { low.to_string() } else { format!("{high}{low:019}") }
}

impl Serialize for Quantity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Read for Quantity {
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
        // Of a number too, the API server parses the text.
        *self = Self::parse(&cursor.text_or_number()?).map_err(|_| JsonError::Unfit)?;
        Ok(())
    }
}

/// Amounts by resource name, sorted by name (`v1.ResourceList`). Clones in constant time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceList(Option<Arc<[(Text, Quantity)]>>);

// INVARIANT: an empty list is `None`, so that derived equality is that of the lists.

impl ResourceList {
    /// The amount of a resource, if listed.
    pub fn get(&self, resource: &str) -> Option<Quantity> {
        // A handful of names: most are told apart by their lengths.
        let (_, quantity) = self.as_slice().iter().find(|(candidate, _)| same(candidate, resource))?;
        Some(*quantity)
    }

    /// Pairs in ascending order of name.
    pub fn as_slice(&self) -> &[(Text, Quantity)] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Pairs in ascending order of name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Text, Quantity)> {
        self.as_slice().iter().map(|(resource, quantity)| (resource, *quantity))
    }

    /// Sets the amount of a resource.
    pub fn set(&mut self, resource: Text, quantity: Quantity) {
        let mut list = self.as_slice().to_vec();
        put(&mut list, resource, quantity);
        self.0 = Some(list.into());
    }

    /// Adds to the amount of a resource.
    pub fn add(&mut self, resource: &Text, quantity: Quantity) {
        let sum = self.get(resource).unwrap_or_default().saturating_add(quantity);
        self.set(resource.clone(), sum);
    }

    /// Whether nothing is listed.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

/// Sets the amount of a resource in a sorted list.
fn put(list: &mut Vec<(Text, Quantity)>, resource: Text, quantity: Quantity) {
    match list.binary_search_by(|(candidate, _)| candidate.cmp(&resource)) {
        Ok(index) => {
            if let Some(entry) = list.get_mut(index) {
                entry.1 = quantity;
            }
        }
        Err(index) => list.insert(index, (resource, quantity)),
    }
}

impl FromIterator<(Text, Quantity)> for ResourceList {
    fn from_iter<I: IntoIterator<Item = (Text, Quantity)>>(pairs: I) -> Self {
        let mut list = Vec::new();
        for (resource, quantity) in pairs {
            put(&mut list, resource, quantity);
        }
        Self((!list.is_empty()).then(|| list.into()))
    }
}

impl Serialize for ResourceList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl Read for ResourceList {
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
        let mut list = Vec::new();
        cursor.members(&mut |resource, cursor| {
            let mut quantity = Quantity::ZERO;
            cursor.read(&mut quantity)?;
            put(&mut list, Text::new(resource), quantity);
            Ok(())
        })?;
        *self = Self((!list.is_empty()).then(|| list.into()));
        Ok(())
    }
}

deserialize!(Quantity, ResourceList);

/// What a container, or a pod as a whole, asks for and may use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceRequirements {
    /// What the scheduler sets aside.
    #[serde(skip_serializing_if = "is_default")]
    pub requests: ResourceList,
    /// The most that may be used; stands in for a request that is missing.
    #[serde(skip_serializing_if = "is_default")]
    pub limits: ResourceList,
}

fields! {
    ResourceRequirements { requests: "requests", limits: "limits" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn billionths(text: &str) -> i128 {
        Quantity::parse(text).unwrap().as_billionths()
    }

    #[test]
    fn quantities_are_read_exactly() {
        assert_eq!(billionths("100m"), 100_000_000);
        assert_eq!(billionths("0.1"), 100_000_000);
        assert_eq!(billionths("1.5Gi"), 1_610_612_736 * BILLION);
        assert_eq!(billionths("1e3"), 1000 * BILLION);
        assert_eq!(billionths("1E"), 1_000_000_000_000_000_000 * BILLION);
        assert_eq!(billionths("+2"), 2 * BILLION);
        assert_eq!(billionths("-1.5"), -1_500_000_000);
        assert_eq!(billionths(".5"), 500_000_000);
        assert_eq!(billionths("5."), 5 * BILLION);
        assert_eq!(billionths("1n"), 1);
        assert_eq!(billionths("0.0000000001"), 1, "finer than a billionth rounds up");
        assert_eq!(billionths("0.1Ki"), 102_400_000_000);
        assert_eq!(billionths("00000000000000000000000000000000000000000000000000001"), BILLION);
        assert_eq!(billionths("9223372036854775808"), LARGEST);
        assert_eq!(billionths("1e400"), LARGEST);
        assert_eq!(billionths("1e-400"), 1);
        assert_eq!(billionths("0e400"), 0);
    }

    #[test]
    fn whole_thousandths_are_known_without_a_division() {
        let thousandth = i128::from(THOUSANDTH);
        let largest = i128::from(u64::MAX / 15_625) * thousandth;
        let is_in_millis = |value| count::<THOUSANDTH>(value).is_some();
        for whole in [0, 1, 2, 63, 64, 15_625, 123_456_789, 18_446_744_073_709].map(|count| count * thousandth) {
            assert!(is_in_millis(whole), "{whole}");
            for near in [1, 2, 32, 64, 15_625, 500_000, 999_936, 999_999] {
                assert!(!is_in_millis(whole + near), "{whole} + {near}");
            }
        }
        assert!(is_in_millis(largest));
        assert!(!is_in_millis(largest + thousandth), "beyond that it divides");
        assert!(!is_in_millis(-thousandth), "below zero it divides");
        assert_eq!(Quantity(largest + thousandth).rounded_up_to_millis(), Quantity(largest + thousandth));
    }

    #[test]
    fn what_is_no_quantity_is_refused() {
        for text in
            ["", "-", ".", "1.2.3", "1 Gi", "Gi", "1gi", "1e", "1e+", "1K", "0x10", "1_000", "1ee3", "12e99999999999"]
        {
            assert_eq!(Quantity::parse(text), Err(ParseQuantityError), "{text}");
        }
    }

    #[test]
    fn rounding_goes_up() {
        assert_eq!(Quantity::parse("100u").unwrap().millis_rounded_up(), 1);
        assert_eq!(Quantity::parse("0.5").unwrap().units_rounded_up(), 1);
        assert_eq!(Quantity::parse("-0.5").unwrap().units_rounded_up(), 0);
        assert_eq!(Quantity::parse("1500u").unwrap().rounded_up_to_millis(), Quantity::from_millis(2));
        assert_eq!(Quantity::parse("-1500u").unwrap().rounded_up_to_millis(), Quantity::from_millis(-1));
        assert_eq!(Quantity::parse("-2500m").unwrap().rounded_up_to_units(), Quantity::from_units(-2));
    }

    #[test]
    fn amounts_of_more_than_64_bits_are_rounded_as_others_are() {
        for units in [1_i64 << 34, (1 << 34) + 1, 1 << 40, 7 << 50, i64::MAX - 1] {
            for sign in [1, -1] {
                let (whole, bit) = (Quantity::from_units(sign * units), Quantity(1));
                assert_eq!((whole.units_rounded_up(), whole.rounded_up_to_units()), (sign * units, whole));
                assert_eq!(whole.saturating_add(bit).units_rounded_up(), sign * units + 1);
                assert_eq!(whole.saturating_sub(bit).rounded_up_to_units(), whole);
                assert_eq!(
                    whole.saturating_add(bit).rounded_up_to_millis(),
                    whole.saturating_add(Quantity::from_millis(1))
                );
            }
        }
        assert_eq!(Quantity(i128::MAX).rounded_up_to_millis(), Quantity(i128::MAX));
    }

    #[test]
    fn a_written_quantity_reads_back_the_same() {
        for text in ["0", "1", "1500m", "1Gi", "1536Mi", "3n", "7u", "1000", "-2Ki"] {
            let quantity = Quantity::parse(text).unwrap();
            assert_eq!(Quantity::parse(&quantity.to_string()), Ok(quantity), "{text} → {quantity}");
        }
        assert_eq!(Quantity::parse("1536Mi").unwrap().to_string(), "1536Mi");
        assert_eq!(Quantity::from_units(i64::MIN).to_string(), "-8Ei");
    }

    #[test]
    fn every_digit_of_a_sum_beyond_all_quantities_is_written() {
        for billionths in [i128::MAX, i128::MIN, 10_i128.pow(19) + 1, 10_i128.pow(19) - 1] {
            assert_eq!(Quantity(billionths).to_string(), format!("{billionths}n"));
        }
    }
}
