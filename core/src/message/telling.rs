use std::fmt::{Display, Write};
use std::time::Duration;

use super::phrase::{amount, duration, grouped, names, nodes, pods, quoted};
use super::{Language, Words, bytes};
use crate::KubernetesVersion;
use crate::api::{IntOrString, ObjectKey, Quantity, Taint, Text};

/// What is told in one language, part by part: first what stands in a sentence's holes, then the sentence.
///
/// A part is text behind the text of those before it. A sentence takes the parts of its holes away and becomes a part
/// itself, so that sentences stand in sentences. Telling a part is one call; a `String` for each on the way, or a
/// `format!` for each sentence in either language, would be most of the code that there is for words.
#[derive(Debug)]
pub struct Telling {
    language: Language,
    text: String,
    /// Where each part begins that stands in no hole yet.
    starts: Vec<usize>,
}

impl Telling {
    /// Nothing has been told.
    #[inline(never)]
    pub const fn new(language: Language) -> Self {
        Self { language, text: String::new(), starts: Vec::new() }
    }

    /// The language that is told in.
    pub const fn language(&self) -> Language {
        self.language
    }

    /// All that was told.
    #[inline(never)]
    pub fn finish(mut self) -> String {
        self.take()
    }

    /// All that was told since the last time.
    pub fn take(&mut self) -> String {
        self.starts.clear();
        std::mem::take(&mut self.text)
    }

    /// Tells a part as it is.
    #[inline(never)]
    pub fn text(&mut self, part: &str) {
        self.starts.push(self.text.len());
        self.text.push_str(part);
    }

    /// Tells what of a text in [`both!`](crate::both!) languages is in this one, without holes.
    pub fn both(&mut self, both: &str) {
        self.text(self.language.of(both));
    }

    /// Tells a part as it shows itself.
    pub fn display(&mut self, part: &dyn Display) {
        self.text("");
        // Writing to a `String` cannot fail.
        let _ = write!(self.text, "{part}");
    }

    /// Lengthens the part that was told last.
    pub fn add(&mut self, more: &str) {
        self.text.push_str(more);
    }

    /// Tells one part after the other as one, with a separator between them, of which [`both!`](crate::both!) languages
    /// are given.
    pub fn list<T>(&mut self, parts: &[T], separator: &str, tell: impl Fn(&T, &mut Self)) {
        let separator = self.language.of(separator);
        self.text("");
        for (position, part) in parts.iter().enumerate() {
            self.add(if position == 0 { "" } else { separator });
            tell(part, self);
            self.merge();
        }
    }

    /// Makes the last part the end of the one before it.
    fn merge(&mut self) {
        self.starts.pop();
    }

    /// Makes the last part the end of the one before it, with a separator between them if that is not empty.
    pub fn join(&mut self, separator: &str) {
        let last = self.starts.pop().unwrap_or_default();
        if self.starts.last().is_some_and(|before| *before < last) {
            self.text.insert_str(last, self.language.of(separator));
        }
    }

    /// Puts so many of the parts told last into the holes of a sentence, [`both!`](crate::both!) of which are given:
    /// `{}` takes the next part, `{1}` the second.
    #[inline(never)]
    pub fn say(&mut self, sentence: &str, holes: usize) {
        let starts = self.starts.split_off(self.starts.len().saturating_sub(holes));
        let from = starts.first().copied().unwrap_or(self.text.len());
        let parts = self.text.split_off(from);
        let mut pieces = self.language.of(sentence).split('{');
        self.text(pieces.next().unwrap_or_default());
        let mut next = 0;
        for piece in pieces {
            let (place, behind) = piece.split_once('}').unwrap_or_default();
            let place: usize = place.parse().unwrap_or_else(|_| {
                next += 1;
                next - 1
            });
            if let Some(start) = starts.get(place) {
                let end = starts.get(place + 1).map_or(parts.len(), |end| end - from);
                self.add(parts.get(start - from..end).unwrap_or_default());
            }
            self.add(behind);
        }
    }
}

/// Tells a sentence, whose two languages stand side by side, with values in its holes: `{}` takes the next value, `{1}`
/// the second. Does not compile unless both texts have a hole for every value, and a value for every hole.
macro_rules! tell {
    ($to:ident, $english:literal, $chinese:literal $(, $value:expr)* $(,)?) => {{
        const HOLES: usize = {
            let values: &[&str] = &[$(stringify!($value)),*];
            assert!($crate::message::fits($english, values.len()), "English: a hole or a value too many");
            assert!($crate::message::fits($chinese, values.len()), "Chinese: a hole or a value too many");
            values.len()
        };
        $($crate::message::Words::tell(&$value, $to);)*
        $to.say($crate::both!($english, $chinese), HOLES);
    }};
}
pub(crate) use tell;

/// A sentence in one of two languages, [`both!`](crate::both!) of which are given, with its parts in its holes: `{}`
/// takes the next part, `{1}` the second.
#[inline(never)]
pub fn said(language: Language, sentence: &str, parts: &[&dyn Display]) -> String {
    let mut to = Telling::new(language);
    for part in parts {
        to.display(part);
    }
    to.say(sentence, parts.len());
    to.finish()
}

impl<T: Words + ?Sized> Words for &T {
    fn tell(&self, to: &mut Telling) {
        (**self).tell(to);
    }
}

impl Words for str {
    fn tell(&self, to: &mut Telling) {
        to.text(self);
    }
}

impl Words for String {
    fn tell(&self, to: &mut Telling) {
        to.text(self);
    }
}

/// Values that are the same in every language.
macro_rules! shown {
    ($($name:ty),+) => {
        $(impl Words for $name {
            // A call at each of the many places where one is told, instead of two.
            #[inline(never)]
            fn tell(&self, to: &mut Telling) {
                to.display(self);
            }
        })+
    };
}
shown!(Text, KubernetesVersion, char, u8, u16, u32, u64, usize, i32, i64, IntOrString, Quantity, ObjectKey, Taint);

/// What of a text in [`both!`](crate::both!) languages is in the one that is told.
pub(super) struct Both(pub &'static str);

impl Words for Both {
    fn tell(&self, to: &mut Telling) {
        to.both(self.0);
    }
}

/// A part that was told before: those told last go into a sentence's first holes.
pub(crate) struct Told;

impl Words for Told {
    fn tell(&self, _: &mut Telling) {}
}

/// Nothing in place of nothing.
impl<T: Words> Words for Option<T> {
    fn tell(&self, to: &mut Telling) {
        match self {
            Some(part) => part.tell(to),
            None => to.text(""),
        }
    }
}

/// What a function tells.
pub(super) struct Part<F>(F);

/// What a function tells, as a value for a hole.
pub(super) fn part<F: Fn(&mut Telling)>(tell: F) -> Part<F> {
    Part(tell)
}

impl<F: Fn(&mut Telling)> Words for Part<F> {
    fn tell(&self, to: &mut Telling) {
        (self.0)(to);
    }
}

/// `3 nodes`.
pub(super) struct Nodes(pub u32);
/// `3 pods`.
pub(super) struct Pods(pub u32);
/// `130,000`.
pub(crate) struct Grouped(pub u32);
/// `3 min 20 s`.
pub(crate) struct Length(pub Duration);
/// `3 min 20 s`, of so many seconds.
pub(super) struct Seconds(pub u64);
/// `a, b and 12 more`, where the number is the whole one.
pub(super) struct Names<'a>(pub &'a [Text], pub u32);
/// `64Mi`, of a resource and a number in the scheduler's units.
pub(super) struct Amount<'a>(pub &'a str, pub i64);
/// `1.5 GiB`.
pub(super) struct Bytes(pub u64);
/// Words in backquotes, one after the other.
pub(super) struct Quoted<'a>(pub &'a [&'a str]);
/// `; did you mean …?`, when there is something that may be meant.
pub(super) struct DidYouMean<'a>(pub Option<&'a str>);
/// What it is that does something, how many these are, and the verb for one and for several: `1 node waits`. A Chinese
/// verb does not change, and stands in the sentence.
pub(super) struct WithVerb<T>(pub T, pub u32, pub [&'static str; 2]);

// The number itself goes into the call, in place of where it is.

impl Words for Nodes {
    fn tell(&self, to: &mut Telling) {
        to.nodes(self.0);
    }
}

impl Words for Pods {
    fn tell(&self, to: &mut Telling) {
        to.pods(self.0);
    }
}

impl Words for Grouped {
    fn tell(&self, to: &mut Telling) {
        to.grouped(self.0);
    }
}

impl Words for Length {
    fn tell(&self, to: &mut Telling) {
        to.length(self.0);
    }
}

impl Words for Seconds {
    fn tell(&self, to: &mut Telling) {
        to.seconds(self.0);
    }
}

impl Words for Names<'_> {
    fn tell(&self, to: &mut Telling) {
        to.names(self.0, self.1);
    }
}

impl Words for Amount<'_> {
    fn tell(&self, to: &mut Telling) {
        to.amount(self.0, self.1);
    }
}

impl Words for Bytes {
    fn tell(&self, to: &mut Telling) {
        to.bytes(self.0);
    }
}

impl Words for Quoted<'_> {
    fn tell(&self, to: &mut Telling) {
        to.quoted(self.0);
    }
}

impl Words for DidYouMean<'_> {
    fn tell(&self, to: &mut Telling) {
        to.did_you_mean(self.0);
    }
}

impl<T: Words> Words for WithVerb<T> {
    fn tell(&self, to: &mut Telling) {
        self.0.tell(to);
        to.verb(self.1, self.2);
    }
}

impl Telling {
    #[inline(never)]
    fn nodes(&mut self, count: u32) {
        self.text(&nodes(count, self.language));
    }

    #[inline(never)]
    fn pods(&mut self, count: u32) {
        self.text(&pods(count, self.language));
    }

    #[inline(never)]
    fn grouped(&mut self, number: u32) {
        self.text(&grouped(number));
    }

    #[inline(never)]
    fn length(&mut self, length: Duration) {
        self.text(&duration(length, self.language));
    }

    #[inline(never)]
    fn seconds(&mut self, seconds: u64) {
        self.length(Duration::from_secs(seconds));
    }

    #[inline(never)]
    fn names(&mut self, all: &[Text], count: u32) {
        self.text(&names(all, count, self.language));
    }

    #[inline(never)]
    fn amount(&mut self, resource: &str, number: i64) {
        self.text(&amount(resource, number));
    }

    #[inline(never)]
    fn bytes(&mut self, number: u64) {
        self.text(&bytes(number));
    }

    #[inline(never)]
    fn quoted(&mut self, words: &[&str]) {
        self.text(&quoted(words, self.language));
    }

    #[inline(never)]
    fn did_you_mean(&mut self, meant: Option<&str>) {
        match meant {
            Some(meant) => tell!(self, "; did you mean `{}`?", "；是否想写 `{}`？", meant),
            None => self.text(""),
        }
    }

    #[inline(never)]
    fn verb(&mut self, count: u32, [one, many]: [&str; 2]) {
        if self.language == Language::English {
            self.add(" ");
            self.add(if count == 1 { one } else { many });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both;

    fn told(language: Language, tell: impl Fn(&mut Telling)) -> String {
        part(tell).words(language)
    }

    #[test]
    fn parts_stand_where_each_language_has_them() {
        let sentence = both!("{0} of {1}", "{1} 的 {0}（{1}）");
        assert_eq!(said(Language::English, sentence, &[&"{1}", &2]), "{1} of 2");
        assert_eq!(said(Language::Chinese, sentence, &[&"a", &"b"]), "b 的 a（b）");
        assert_eq!(told(Language::English, |to| tell!(to, "none", "无")), "none");
    }

    #[test]
    fn a_sentence_stands_in_the_hole_of_another() {
        let inner = |to: &mut Telling| tell!(to, "{} of {} nodes", "{1} 个节点中的 {0} 个", 3_u32, Grouped(130_000));
        let outer = |to: &mut Telling| {
            inner(to);
            tell!(to, "{1}: {0}{2}", "{1}：{0}{2}", Told, 7_i64, None::<Nodes>);
        };
        assert_eq!(told(Language::English, outer), "7: 3 of 130,000 nodes");
        assert_eq!(told(Language::Chinese, outer), "7：130,000 个节点中的 3 个");
    }

    #[test]
    fn a_list_is_one_part() {
        let listed = |to: &mut Telling| {
            to.list(&["a", "b", "c"], both!(", ", "、"), Words::tell);
            tell!(to, "[{}] {}", "[{}] {}", Told, WithVerb(Nodes(1), 1, ["waits", "wait"]));
        };
        assert_eq!(told(Language::English, listed), "[a, b, c] 1 node waits");
        assert_eq!(told(Language::Chinese, listed), "[a、b、c] 1 个节点");
    }

    #[test]
    fn parts_are_joined_behind_what_is_there() {
        let joined = |to: &mut Telling| {
            to.text("");
            for part in ["a", "b"] {
                to.text(part);
                to.join(both!(", ", "，"));
            }
        };
        assert_eq!(told(Language::English, joined), "a, b");
        assert_eq!(told(Language::Chinese, joined), "a，b");
    }
}
