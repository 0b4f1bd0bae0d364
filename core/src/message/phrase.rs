use std::time::Duration;

use super::Language;
use crate::api::{Quantity, Text};

/// A text in both languages, which [`Language::of`] tells apart: one text, since a table of two costs the page as much as
/// ten letters.
#[macro_export]
macro_rules! both {
    ($english:literal, $chinese:literal) => {
        concat!($english, "\n", $chinese)
    };
}

/// Whether a text has holes for so many values, and none beside.
pub(crate) const fn fits(text: &str, values: usize) -> bool {
    let mut rest = text.as_bytes();
    let (mut next, mut filled) = (0, 0_u32);
    while let [first, behind @ ..] = rest {
        rest = behind;
        if *first == b'{' {
            match behind {
                [b'}', ..] => {
                    filled |= 1 << next;
                    next += 1;
                }
                [digit @ b'0'..=b'9', b'}', ..] => filled |= 1 << (*digit - b'0'),
                _ => return false,
            }
        }
    }
    filled == (1 << values) - 1
}

/// Words in backquotes, one after the other.
pub(super) fn quoted(words: &[&str], language: Language) -> String {
    let mut text = String::new();
    for (position, word) in words.iter().enumerate() {
        text.extend([if position == 0 { "" } else { language.say(", ", "、") }, "`", word, "`"]);
    }
    text
}

/// `1 node`, `3 nodes`; `3 个节点`.
pub fn nodes(count: u32, language: Language) -> String {
    counted(count, ["node", "nodes"], "个节点", language)
}

/// `1 pod`, `3 pods`; `3 个 pod`.
pub fn pods(count: u32, language: Language) -> String {
    counted(count, ["pod", "pods"], "个 pod", language)
}

fn counted(count: u32, [one, many]: [&str; 2], chinese: &str, language: Language) -> String {
    let english = if count == 1 { one } else { many };
    [&grouped(count), " ", language.say(english, chinese)].concat()
}

/// Hundredths without trailing zeros: `28.8`, `28`.
pub(super) fn decimal(hundredths: u64) -> String {
    let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A number with its thousands set apart: `130,000`.
pub fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The names there are and how many more: `a, b and 12 more`, where `count` is the whole number.
pub fn names(names: &[Text], count: u32, language: Language) -> String {
    let (comma, and) = match language {
        Language::English => (", ", " and "),
        Language::Chinese => ("、", "、"),
    };
    let shown = u32::try_from(names.len()).unwrap_or(u32::MAX);
    let rest = count.saturating_sub(shown);
    let mut text = String::new();
    for (position, name) in (1..).zip(names) {
        if position > 1 {
            text.push_str(if rest == 0 && position == shown { and } else { comma });
        }
        text.push_str(name);
    }
    match (rest, language) {
        (0, _) => {}
        (rest, Language::English) if names.is_empty() => text.push_str(&grouped(rest)),
        (rest, Language::English) => {
            text.extend([" and ", &grouped(rest), " more"]);
        }
        (rest, Language::Chinese) if names.is_empty() => {
            text.extend([&grouped(rest), " 个"]);
        }
        (rest, Language::Chinese) => text.extend([" 及另外 ", &grouped(rest), " 个"]),
    }
    text
}

/// An amount of a resource as a manifest writes it: `500m` of cpu, `64Mi` of memory.
///
/// The number is in the scheduler's units: thousandths of cpu, whole units of anything else.
pub fn amount(resource: &str, number: i64) -> String {
    let quantity = if resource == "cpu" { Quantity::from_millis(number) } else { Quantity::from_units(number) };
    quantity.to_string()
}

/// A length of time in its two largest units: `45 s`, `3 min 20 s`, `2 h 5 min`, `4 d 3 h`. Less than a second is `0 s`.
pub fn duration(duration: Duration, language: Language) -> String {
    let seconds = duration.as_secs();
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    let seconds = seconds % 60;
    let units = match language {
        Language::English => ["d", "h", "min", "s"],
        Language::Chinese => ["天", "小时", "分钟", "秒"],
    };
    let mut parts = [days, hours, minutes, seconds].into_iter().zip(units).skip_while(|(amount, _)| *amount == 0);
    match (parts.next(), parts.next()) {
        (None, _) => format!("0 {}", units[3]),
        (Some((amount, unit)), Some((0, _)) | None) => format!("{amount} {unit}"),
        (Some((amount, unit)), Some((rest, smaller))) => format!("{amount} {unit} {rest} {smaller}"),
    }
}

/// The same length of time in whole seconds, rounded up.
pub(crate) fn seconds_up(time: Duration) -> Duration {
    Duration::from_secs(time.as_secs().saturating_add(u64::from(time.subsec_nanos() > 0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_one_by_one() {
        assert_eq!(quoted(&["a", "b"], Language::English), "`a`, `b`");
        assert_eq!(quoted(&["a", "b"], Language::Chinese), "`a`、`b`");
    }

    #[test]
    fn a_text_fits_when_every_value_has_a_hole_and_every_hole_a_value() {
        assert!(fits("", 0) && fits("a {} b {}", 2) && fits("{1} {0} {1}", 2));
        assert!(!fits("{}", 0) && !fits("a", 1) && !fits("{1}", 2) && !fits("{} {}", 1) && !fits("{", 0));
    }

    #[test]
    fn names_say_how_many_more_there_are() {
        let three: Vec<Text> = ["a", "b", "c"].map(Text::new).to_vec();
        assert_eq!(names(&three, 3, Language::English), "a, b and c");
        assert_eq!(names(&three, 3, Language::Chinese), "a、b、c");
        assert_eq!(names(&three, 1003, Language::English), "a, b, c and 1,000 more");
        assert_eq!(names(&three, 5, Language::Chinese), "a、b、c 及另外 2 个");
        assert_eq!(names(&three[..1], 1, Language::English), "a");
        assert_eq!(names(&[], 4, Language::English), "4");
    }

    #[test]
    fn a_length_of_time_is_told_in_two_units() {
        let english = |seconds| duration(Duration::from_secs(seconds), Language::English);
        assert_eq!(english(0), "0 s");
        assert_eq!(english(59), "59 s");
        assert_eq!(english(200), "3 min 20 s");
        assert_eq!(english(7200), "2 h");
        assert_eq!(english(7500), "2 h 5 min");
        assert_eq!(english(356_400), "4 d 3 h");
        assert_eq!(duration(Duration::from_secs(200), Language::Chinese), "3 分钟 20 秒");
    }

    #[test]
    fn counts_agree_with_their_noun() {
        assert_eq!(nodes(1, Language::English), "1 node");
        assert_eq!(nodes(130_000, Language::English), "130,000 nodes");
        assert_eq!(pods(2, Language::Chinese), "2 个 pod");
    }
}
