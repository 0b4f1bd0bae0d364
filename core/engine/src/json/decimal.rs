//! Decimal numbers as floating point, rounded to the nearest.
//!
//! The standard library does the same with a table of 10 kB that no compression makes smaller, which is more than the
//! rest of this reader of JSON takes in the page. Here the powers of ten are computed, and few numbers of a manifest
//! have a fraction at all.

use super::wide::{DOUBT, Wide, power_of_ten};

/// The number that is nearest to a decimal one: digits, maybe with a sign, one point and an exponent. Infinite when it
/// is too large; nothing when the text is no such number.
pub fn parse_float(text: &str) -> Option<f64> {
    let (is_negative, rest) = without_sign(text.as_bytes());
    let magnitude = Decimal::parse(rest)?.nearest();
    Some(if is_negative { -magnitude } else { magnitude })
}

/// The fewest digits that read back as a number above zero, and of those the nearest; and the place of the point
/// before them: 0.d₁d₂d₃… × 10^place.
pub fn shortest_digits(value: f64) -> (Vec<u8>, i32) {
    shortest(Decimal::of(value), &|read| read.to_bits() == value.to_bits())
}

/// The same for a number of 32 bits.
pub fn shortest_digits_of_single(value: f32) -> (Vec<u8>, i32) {
    #[expect(clippy::cast_possible_truncation, reason = "read back as a number of 32 bits")]
    let reads_back = |read: f64| (read as f32).to_bits() == value.to_bits();
    shortest(Decimal::of(f64::from(value)), &reads_back)
}

fn shortest(exact: Decimal, reads_back: &dyn Fn(f64) -> bool) -> (Vec<u8>, i32) {
    for count in 1..exact.digits.len() {
        let mut below = Decimal { digits: exact.digits.iter().take(count).copied().collect(), point: exact.point };
        let above = below.next();
        below.trim();
        let is_nearer_above = exact.digits.get(count).is_some_and(|digit| *digit >= 5);
        for candidate in if is_nearer_above { [above, below] } else { [below, above] } {
            if reads_back(candidate.nearest()) {
                return (candidate.digits, candidate.point);
            }
        }
    }
    (exact.digits, exact.point)
}

/// 0.d₁d₂d₃… × 10^`point`, without zeros at either end.
#[derive(Clone, Debug)]
struct Decimal {
    digits: Vec<u8>,
    point: i32,
}

/// Digits behind so many only matter as "something more": no two numbers between neighbours differ later.
const MOST_DIGITS: usize = 800;
/// Exponents beyond these are infinite, or nothing, whatever the digits are.
const LARGEST_POINT: i32 = 310;
const SMALLEST_POINT: i32 = -330;
/// The exponent of the smallest number that has all 53 bits.
const SMALLEST_NORMAL: i32 = -1022;

impl Decimal {
    fn parse(text: &[u8]) -> Option<Self> {
        let mut digits = Vec::new();
        let (mut point, mut behind_point, mut any, mut more) = (0_i32, false, false, false);
        let mut rest = text;
        while let [byte, behind @ ..] = rest {
            match byte {
                b'.' if !behind_point => behind_point = true,
                b'0'..=b'9' => {
                    any = true;
                    if !(digits.is_empty() && *byte == b'0') {
                        if digits.len() < MOST_DIGITS {
                            digits.push(byte - b'0');
                        } else {
                            more |= *byte != b'0';
                        }
                        point = point.saturating_add(i32::from(!behind_point));
                    } else if behind_point {
                        point = point.saturating_sub(1);
                    }
                }
                _ => break,
            }
            rest = behind;
        }
        if !any {
            return None;
        }
        if let [b'e' | b'E', behind @ ..] = rest {
            point = point.saturating_add(exponent(behind)?);
        } else if !rest.is_empty() {
            return None;
        }
        if more {
            digits.push(1);
        }
        let mut decimal = Self { digits, point };
        decimal.trim();
        Some(decimal)
    }

    /// A number above zero, exactly.
    fn of(value: f64) -> Self {
        let bits = value.to_bits();
        let (fraction, biased) = (bits & ((1 << 52) - 1), bits >> 52 & 0x7ff);
        let whole = if biased == 0 { fraction } else { fraction | 1 << 52 };
        let mut exponent = i32::try_from(biased.max(1)).unwrap_or(0) - 1075;
        let digits: Vec<u8> = whole.to_string().bytes().map(|digit| digit - b'0').collect();
        let point = i32::try_from(digits.len()).unwrap_or(0);
        let mut decimal = Self { digits, point };
        decimal.trim();
        while exponent != 0 {
            let count = exponent.clamp(-50, 50);
            if count > 0 {
                decimal.double(count.unsigned_abs());
            } else {
                decimal.halve(count.unsigned_abs());
            }
            exponent -= count;
        }
        decimal
    }

    /// The next larger number of as many digits.
    fn next(&self) -> Self {
        let mut next = self.clone();
        while let Some(digit) = next.digits.pop() {
            if digit < 9 {
                next.digits.push(digit + 1);
                return next;
            }
        }
        Self { digits: vec![1], point: self.point + 1 }
    }

    fn trim(&mut self) {
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
    }

    fn nearest(&self) -> f64 {
        if self.digits.is_empty() || self.point < SMALLEST_POINT {
            return 0.0;
        }
        if self.point > LARGEST_POINT {
            return f64::INFINITY;
        }
        self.nearest_by_powers().unwrap_or_else(|| self.clone().nearest_by_halves())
    }

    /// By a product of 128 bits, unless it is too close to the middle between two neighbours, or has too many digits.
    fn nearest_by_powers(&self) -> Option<f64> {
        let count = self.digits.len();
        if count > 19 {
            return None;
        }
        let whole = self.digits.iter().fold(0_u64, |value, digit| value * 10 + u64::from(*digit));
        let power = power_of_ten(self.point - i32::try_from(count).ok()?);
        let Wide { bits, exponent } = Wide::of(whole).times(power);
        let highest = exponent + 127;
        let kept = 53.min(53 - (SMALLEST_NORMAL - highest));
        let dropped = u32::try_from(128 - kept).ok().filter(|dropped| (75..128).contains(dropped))?;
        let (quotient, rest, half) = (bits >> dropped, bits & ((1 << dropped) - 1), 1_u128 << (dropped - 1));
        if rest.abs_diff(half) < DOUBT {
            return None;
        }
        let mantissa = u64::try_from(quotient).ok()? + u64::from(rest > half);
        Some(scaled(mantissa, exponent + i32::try_from(dropped).ok()?))
    }

    /// By halving and doubling the digits until they are a whole number of 53 bits: exact.
    fn nearest_by_halves(mut self) -> f64 {
        // The value is self × 2^exponent.
        let mut exponent = 0;
        while self.point > 0 {
            // 2^3 < 10: a number of 10^point loses a place for about three halvings.
            let count = (self.point * 3).min(50);
            self.halve(count.unsigned_abs());
            exponent += count;
        }
        while self.point < 0 || self.digits.first().is_some_and(|first| *first < 5) {
            let count = (-self.point * 3).clamp(1, 50);
            self.double(count.unsigned_abs());
            exponent -= count;
        }
        // Now it lies between 1/2 and 1.
        let bits = 53.min(53 - (SMALLEST_NORMAL - (exponent - 1)));
        if bits < 0 {
            return 0.0;
        }
        self.double(bits.unsigned_abs());
        scaled(self.rounded(), exponent - bits)
    }

    fn halve(&mut self, count: u32) {
        let mut digits = Vec::with_capacity(self.digits.len() + 50);
        let mut rest = 0_u64;
        let mut read = self.digits.iter();
        loop {
            let next = read.next();
            if next.is_none() && rest == 0 {
                break;
            }
            rest = rest * 10 + u64::from(next.copied().unwrap_or(0));
            let digit = rest >> count;
            rest &= (1 << count) - 1;
            if digits.is_empty() && digit == 0 {
                self.point -= 1;
            } else {
                digits.push(u8::try_from(digit).unwrap_or(9));
            }
        }
        self.digits = digits;
        self.trim();
    }

    fn double(&mut self, count: u32) {
        let mut carry = 0_u64;
        for digit in self.digits.iter_mut().rev() {
            carry += u64::from(*digit) << count;
            *digit = u8::try_from(carry % 10).unwrap_or(0);
            carry /= 10;
        }
        let mut digits = Vec::new();
        while carry > 0 {
            digits.push(u8::try_from(carry % 10).unwrap_or(0));
            carry /= 10;
            self.point += 1;
        }
        digits.reverse();
        digits.append(&mut self.digits);
        self.digits = digits;
        self.trim();
    }

    /// The nearest whole number, the even one of two.
    fn rounded(&self) -> u64 {
        let places = usize::try_from(self.point).unwrap_or(0);
        let digit = |place| u64::from(self.digits.get(place).copied().unwrap_or(0));
        let whole = (0..places).fold(0_u64, |value, place| value * 10 + digit(place));
        // A point before the first digit leaves zeros between.
        let next = if self.point < 0 { 0 } else { digit(places) };
        let is_half = next == 5 && self.digits.len() == places + 1;
        whole + u64::from(if is_half { whole & 1 == 1 } else { next >= 5 })
    }
}

fn exponent(text: &[u8]) -> Option<i32> {
    let (is_negative, digits) = without_sign(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let step = |value: i32, digit: &u8| value.saturating_mul(10).saturating_add(i32::from(digit - b'0'));
    let magnitude = digits.iter().fold(0, step).min(i32::MAX / 2);
    Some(if is_negative { -magnitude } else { magnitude })
}

/// Whether there is a minus, and what stands behind the sign.
fn without_sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [sign @ (b'-' | b'+'), rest @ ..] => (*sign == b'-', rest),
        rest => (false, rest),
    }
}

/// `mantissa` × 2^`exponent`, which is a number that floating point has, or too large.
fn scaled(mantissa: u64, exponent: i32) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "at most 2^53, or zero")]
    let value = mantissa as f64;
    libm::scalbn(value, exponent)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn scientific((digits, point): (Vec<u8>, i32)) -> String {
        let digits: String = digits.iter().map(|digit| char::from(digit + b'0')).collect();
        let (first, rest) = digits.split_at(1);
        let point_and_rest = if rest.is_empty() { String::new() } else { format!(".{rest}") };
        format!("{first}{point_and_rest}e{}", point - 1)
    }

    #[test]
    fn digits_at_powers_of_two_are_those_of_the_standard_library() {
        for exponent in 0..0x7ff_u64 {
            for bits in [exponent << 52, (exponent << 52) + 1, (exponent << 52).saturating_sub(1)] {
                let value = f64::from_bits(bits.max(1));
                assert_eq!(scientific(shortest_digits(value)), format!("{value:e}"));
            }
        }
    }

    fn agrees(text: &str) {
        let expected: f64 = text.parse().unwrap();
        let found = parse_float(text).unwrap();
        assert_eq!(found.to_bits(), expected.to_bits(), "{text}: {found:e} is not {expected:e}");
        if let Some(decimal) = Decimal::parse(text.trim_start_matches(['-', '+']).as_bytes())
            && !decimal.digits.is_empty()
            && (SMALLEST_POINT..=LARGEST_POINT).contains(&decimal.point)
        {
            assert_eq!(decimal.nearest_by_halves().to_bits(), expected.abs().to_bits(), "{text} by halves");
        }
    }

    proptest! {
        #[test]
        fn every_number_reads_back(bits in any::<u64>()) {
            let value = f64::from_bits(bits);
            if value.is_finite() {
                agrees(&value.to_string());
                agrees(&format!("{value:e}"));
            }
        }

        #[test]
        fn digits_are_those_of_the_standard_library(bits in 1..0x7ff0_0000_0000_0000_u64, single in 1..0x7f80_0000_u32) {
            let value = f64::from_bits(bits);
            prop_assert_eq!(scientific(shortest_digits(value)), format!("{value:e}"));
            let single = f32::from_bits(single);
            prop_assert_eq!(scientific(shortest_digits_of_single(single)), format!("{single:e}"));
        }

        #[test]
        fn short_numbers_have_short_digits(whole in 1..100_000_u32, exponent in -30..30_i32) {
            let value: f64 = format!("{whole}e{exponent}").parse().unwrap();
            prop_assert_eq!(scientific(shortest_digits(value)), format!("{value:e}"));
        }

        #[test]
        fn the_middle_between_neighbours_goes_to_the_even_one(
            mantissa in 1_u128 << 52..1 << 53, shift in 0..70_u32, behind in "(\\.0{0,3}1?)?"
        ) {
            let middle = ((mantissa << 1) + 1) << shift;
            agrees(&format!("{middle}{behind}"));
        }

        #[test]
        fn decimals_of_any_length_are_read_as_the_standard_library_reads_them(
            text in "[-+]?([0-9]{1,40}(\\.[0-9]{0,40})?|\\.[0-9]{1,40})([eE][-+]?[0-9]{1,3})?"
        ) {
            agrees(&text);
        }
    }

    #[test]
    fn the_ends_of_the_range_are_exact() {
        for text in [
            "0",
            "-0.0",
            "0e999",
            "1",
            "5e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "4.9406564584124654e-324",
            "2.2250738585072014e-308",
            "2.2250738585072011e-308",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "1e309",
            "1e-400",
            "1e99999999999999999999",
            "1e-99999999999999999999",
            "9007199254740993",
            "9007199254740992.99999999999999999999999999",
            "9007199254740993.00000000000000000000000001",
            "0.1",
            "0.3",
            "1e22",
            "1e23",
            "8.5e-10",
            "123456789012345678901234567890",
        ] {
            agrees(text);
        }
        let long = format!("0.{}1", "0".repeat(300)) + &"7".repeat(2000);
        agrees(&long);
        agrees("4.4501477170144023e-308");
        agrees(&format!("9007199254740993{}", "0".repeat(100)));
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in ["", "-", ".", "e1", "1e", "1e+", "1.2.3", "1x", "0x1", "--1", "inf", "nan", "1 "] {
            assert_eq!(parse_float(text), None, "{text}");
        }
    }
}
