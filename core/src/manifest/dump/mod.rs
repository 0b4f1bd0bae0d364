//! Dumps: what `kubectl get … -o json|yaml` prints, of any size.
//!
//! Fed in pieces; one object is read at a time and handed out, nothing else is kept. Understood are lists (`items`), a
//! bare array, and objects one after the other (JSON lines, YAML documents).

mod item;
mod lines;
mod yaml;

#[cfg(test)]
mod tests;

use super::identity::identify;
use super::yaml::read_tree;
use super::{
    Object, ObjectProblem, PROBLEM_LIMIT, Path, Position, Problem, ProblemKind, Span, TEXT_LIMIT, Tally, TextProblem,
    Tree, TreeValue, TypeIdentity,
};
use crate::api::Text;
use crate::json::{Cursor, JsonError};
use item::{Head, head, read_object};
use lines::{Place, item_end, place_of};
use yaml::{Rewrite, rewrite_item};

/// The largest single object that is read, bytes. The API server stores none above 1.5 MB.
pub const ITEM_LIMIT: usize = 16 << 20;

/// Whether a text is better read as a dump: it is too large to be a document.
pub fn is_dump(length: u64) -> bool {
    length > TEXT_LIMIT
}

/// What a dump held beside the objects that were handed out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dump {
    /// How many objects were handed out.
    pub objects: u64,
    /// How many objects of other kinds were skipped, by kind.
    pub skipped: Tally,
    /// What is wrong; `document` is the number of the item, from 0.
    pub problems: Vec<Problem>,
}

/// Reads a dump piece by piece and hands out its objects.
pub struct DumpReader<F> {
    hand_out: F,
    /// What was given and not yet read.
    buffer: Vec<u8>,
    /// Not to be tried again before the buffer holds so much: half of what is tried is new.
    enough: usize,
    state: State,
    /// Where the unread part starts.
    place: Position,
    /// The number of the next item.
    item: u32,
    /// The type of the list's items, where the list said it before them.
    inherited: Option<(Text, Text)>,
    /// An item of YAML as JSON; kept for its memory.
    scratch: String,
    dump: Dump,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing but white space so far.
    Start,
    /// JSON, between values.
    Json,
    /// In the items of a list, or of a bare array.
    JsonItems { is_first: bool, is_bare: bool },
    /// Behind the items of a list.
    JsonTail { is_first: bool },
    /// YAML, in a document that is not known to be a list.
    Yaml,
    /// In the items of a list, whose dashes stand in this column once it is known.
    YamlItems { column: Option<usize> },
    /// Behind the items of a list.
    YamlTail,
    /// Nothing more can be read.
    Stopped,
}

/// How a step ended.
enum Step {
    /// So many bytes are done with; go on in this state.
    Done(usize, State),
    /// More text is needed.
    Incomplete,
}

impl<F: FnMut(Object)> DumpReader<F> {
    /// A reader that gives each object to `hand_out`, in the order of the dump.
    pub fn new(hand_out: F) -> Self {
        Self {
            hand_out,
            buffer: Vec::new(),
            enough: 0,
            state: State::Start,
            place: Position { offset: 0, line: 1, column: 1 },
            item: 0,
            inherited: None,
            scratch: String::new(),
            dump: Dump::default(),
        }
    }

    /// Takes the next piece, of any size; larger ones (64 KiB and more) cost less.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.state == State::Stopped {
            return;
        }
        if self.buffer.is_empty() {
            let read = self.read(bytes, false);
            self.buffer.extend_from_slice(bytes.get(read..).unwrap_or_default());
            self.wait_for_more();
            return;
        }
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= self.enough {
            let buffer = std::mem::take(&mut self.buffer);
            let read = self.read(&buffer, false);
            self.buffer = buffer;
            self.buffer.drain(..read.min(self.buffer.len()));
            self.wait_for_more();
        }
    }

    /// Reads what is left, and tells what was found.
    pub fn finish(mut self) -> Dump {
        let buffer = std::mem::take(&mut self.buffer);
        self.read(&buffer, true);
        self.dump
    }

    fn wait_for_more(&mut self) {
        self.enough = self.buffer.len().saturating_mul(2).min(ITEM_LIMIT + 1);
        if self.buffer.len() > ITEM_LIMIT {
            let limit = u64::try_from(ITEM_LIMIT).unwrap_or(u64::MAX);
            self.stop(ObjectProblem::ItemTooLarge { limit }.into());
            self.buffer = Vec::new();
        }
    }

    /// Reads as much as is complete; how many bytes that was.
    fn read(&mut self, bytes: &[u8], is_all: bool) -> usize {
        let (text, is_broken) = match std::str::from_utf8(bytes) {
            Ok(text) => (text, false),
            Err(error) => {
                let readable = bytes.get(..error.valid_up_to()).unwrap_or_default();
                (std::str::from_utf8(readable).unwrap_or_default(), is_all || error.error_len().is_some())
            }
        };
        let is_all = is_all && !is_broken;
        let mut read = 0;
        while self.state != State::Stopped {
            let rest = text.get(read..).unwrap_or_default();
            match self.step(rest, is_all) {
                Step::Done(length, state) => {
                    self.place = advance(self.place, rest.get(..length).unwrap_or_default());
                    read += length;
                    if self.state != State::Stopped {
                        self.state = state;
                    }
                    if length == 0 && is_all && rest.is_empty() {
                        break;
                    }
                }
                Step::Incomplete => {
                    if is_broken {
                        self.place = advance(self.place, rest);
                        let utf16 = matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
                        self.stop(ProblemKind::Text(TextProblem::NotUtf8 { utf16 }));
                    } else if is_all {
                        self.end(rest);
                    }
                    break;
                }
            }
        }
        read
    }

    /// The text is at its end in the middle of something, or not.
    fn end(&mut self, rest: &str) {
        let is_between = matches!(self.state, State::Start | State::Json) && rest.trim().is_empty();
        if !is_between {
            self.place = advance(self.place, rest);
            self.stop(ObjectProblem::CutOff.into());
        } else if self.item == 0 && self.state == State::Start {
            self.report(ProblemKind::Text(TextProblem::Nothing), Path::default(), self.place_span());
        }
    }

    fn step(&mut self, text: &str, is_all: bool) -> Step {
        match self.state {
            State::Start => start(text),
            State::Json => self.json(text),
            State::JsonItems { is_first, is_bare } => self.json_item(text, is_first, is_bare),
            State::JsonTail { is_first } => self.json_tail(text, is_first),
            State::Yaml => self.yaml(text, is_all),
            State::YamlItems { column } => self.yaml_item(text, column, is_all),
            State::YamlTail => yaml_tail(text, is_all),
            State::Stopped => Step::Incomplete,
        }
    }

    fn json(&mut self, text: &str) -> Step {
        let mut cursor = Cursor::new(text);
        self.inherited = None;
        match cursor.peek() {
            Ok(b'[') => Step::Done(cursor.offset() + 1, State::JsonItems { is_first: true, is_bare: true }),
            Ok(b'{') => self.json_object(text, cursor.offset(), true, State::Json),
            // Objects one after the other may have commas between them.
            Ok(b',') if self.item > 0 => Step::Done(cursor.offset() + 1, State::Json),
            Ok(_) => self.broken(cursor.offset(), text),
            Err(_) => Step::Incomplete,
        }
    }

    fn json_item(&mut self, text: &str, is_first: bool, is_bare: bool) -> Step {
        let mut cursor = Cursor::new(text);
        match cursor.next_member(is_first, b']') {
            Ok(false) if is_bare => return Step::Done(cursor.offset(), State::Json),
            Ok(false) => return Step::Done(cursor.offset(), State::JsonTail { is_first: false }),
            Ok(true) => {}
            Err(error) => return self.failed(error, cursor.offset(), text),
        }
        let next = State::JsonItems { is_first: false, is_bare };
        match cursor.peek() {
            Ok(b'{') => self.json_object(text, cursor.offset(), false, next),
            Ok(_) => self.json_without_object(text, cursor.offset(), None, next),
            Err(error) => self.failed(error, cursor.offset(), text),
        }
    }

    /// An object that starts at `start`: one to hand out, or the list that holds them.
    fn json_object(&mut self, text: &str, start: usize, may_be_list: bool, next: State) -> Step {
        let object = text.get(start..).unwrap_or_default();
        let Head { api_version, kind, items } = match head(object) {
            Ok(head) => head,
            Err(error) => return self.failed(error, start, text),
        };
        if let (true, Some(items)) = (may_be_list, items) {
            self.inherit(api_version.as_deref(), kind.as_deref());
            return Step::Done(start + items, State::JsonItems { is_first: true, is_bare: false });
        }
        match self.identity(api_version.as_deref(), kind.as_deref()) {
            TypeIdentity::Known(known) => match read_object(known, object) {
                Ok((object, length)) => {
                    self.hand_out(object);
                    return Step::Done(start + length, next);
                }
                Err(JsonError::Incomplete) => return Step::Incomplete,
                Err(JsonError::Broken) => return self.broken(start, text),
                Err(JsonError::Unfit) => {}
            },
            TypeIdentity::Other if kind.is_some() => {
                return self.json_without_object(text, start, kind.as_deref(), next);
            }
            _ => {}
        }
        self.json_without_object(text, start, None, next)
    }

    /// A value that is not handed out: an object of a kind that is not read, or something wrong, of which the reader of
    /// documents knows what.
    fn json_without_object(&mut self, text: &str, start: usize, skipped: Option<&str>, next: State) -> Step {
        let mut cursor = Cursor::new(text.get(start..).unwrap_or_default());
        if let Err(error) = cursor.skip() {
            return self.failed(error, start, text);
        }
        let end = start + cursor.offset();
        match skipped {
            Some(kind) => self.skipped(kind),
            None => self.explain(text.get(start..end).unwrap_or_default(), text.get(..start).unwrap_or_default()),
        }
        Step::Done(end, next)
    }

    /// A member of the list behind its items.
    fn json_tail(&mut self, text: &str, is_first: bool) -> Step {
        let mut cursor = Cursor::new(text);
        let more = cursor.next_member(is_first, b'}').and_then(|more| {
            if more {
                cursor.key()?;
                cursor.skip()?;
            }
            Ok(more)
        });
        match more {
            Ok(true) => Step::Done(cursor.offset(), State::JsonTail { is_first: false }),
            Ok(false) => Step::Done(cursor.offset(), State::Json),
            Err(error) => self.failed(error, cursor.offset(), text),
        }
    }

    fn failed(&mut self, error: JsonError, offset: usize, text: &str) -> Step {
        if error == JsonError::Incomplete { Step::Incomplete } else { self.broken(offset, text) }
    }

    fn broken(&mut self, offset: usize, text: &str) -> Step {
        self.place = advance(self.place, text.get(..offset).unwrap_or_default());
        self.stop(ObjectProblem::BrokenItem.into());
        Step::Done(0, State::Stopped)
    }

    fn yaml(&mut self, text: &str, is_all: bool) -> Step {
        match place_of(text, is_all) {
            Place::Items { end, api_version, kind } => {
                self.inherit(api_version, kind);
                Step::Done(end, State::YamlItems { column: None })
            }
            Place::Document(end) => {
                let document = text.get(..end).unwrap_or_default();
                if !document.trim().is_empty() {
                    self.inherited = None;
                    self.explain(document, "");
                }
                let is_end = is_all && end == text.len();
                Step::Done(end, if is_end { State::Json } else { State::Yaml })
            }
            Place::Incomplete => Step::Incomplete,
        }
    }

    fn yaml_item(&mut self, text: &str, column: Option<usize>, is_all: bool) -> Step {
        let Some((start, found)) = lines::first_line(text, is_all) else {
            return if is_all { Step::Done(text.len(), State::Json) } else { Step::Incomplete };
        };
        let line = text.get(start..).unwrap_or_default();
        let is_item = line.get(found..).is_some_and(|content| content.starts_with("- ") || content.starts_with("-\n"));
        if !is_item || column.is_some_and(|column| column != found) {
            return Step::Done(start, State::YamlTail);
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        let outcome = rewrite_item(line, found, is_all, &mut scratch);
        let step = match outcome {
            Rewrite::Incomplete => Step::Incomplete,
            Rewrite::Done(length) if self.rewritten(&scratch) => {
                Step::Done(start + length, State::YamlItems { column: Some(found) })
            }
            Rewrite::Done(_) | Rewrite::Unfamiliar => match item_end(line, found, is_all) {
                Some(length) => {
                    self.explain(line.get(..length).unwrap_or_default(), text.get(..start).unwrap_or_default());
                    Step::Done(start + length, State::YamlItems { column: Some(found) })
                }
                None => Step::Incomplete,
            },
        };
        self.scratch = scratch;
        step
    }

    /// Takes an item that was rewritten as JSON; whether that went well.
    fn rewritten(&mut self, json: &str) -> bool {
        let Ok(Head { api_version, kind, .. }) = head(json) else { return false };
        match self.identity(api_version.as_deref(), kind.as_deref()) {
            TypeIdentity::Known(known) => match read_object(known, json) {
                Ok((object, _)) => self.hand_out(object),
                Err(_) => return false,
            },
            TypeIdentity::Other if kind.is_some() => self.skipped(kind.as_deref().unwrap_or_default()),
            _ => return false,
        }
        true
    }

    /// Reads an item as a document: slower, with every problem. What stands before it in the unread text is `before`.
    fn explain(&mut self, text: &str, before: &str) {
        let start = advance(self.place, before);
        let (tree, problems) = read_tree(text, start);
        for mut problem in problems {
            problem.document = self.item;
            self.add(problem);
        }
        match tree {
            Some(Tree { value: TreeValue::Sequence(items), .. }) if text.trim_start().starts_with('-') => {
                for item in items {
                    self.explained(item);
                }
            }
            Some(tree) => self.explained(tree),
            None => self.item = self.item.saturating_add(1),
        }
    }

    fn explained(&mut self, tree: Tree) {
        let inherited = self.inherited.clone();
        let inherited = inherited.as_ref().map(|(api_version, kind)| (api_version.as_str(), kind.as_str()));
        let read = super::documents::objects_of(tree, self.item, inherited);
        for (kind, count) in read.skipped.iter() {
            self.dump.skipped.add(kind, count);
        }
        for problem in read.problems {
            self.add(problem);
        }
        for located in read.objects {
            self.dump.objects += 1;
            (self.hand_out)(located.object);
        }
        self.item = self.item.saturating_add(1);
    }

    fn identity(&self, api_version: Option<&str>, kind: Option<&str>) -> TypeIdentity {
        let inherited = self.inherited.as_ref();
        let api_version = api_version.or(inherited.map(|(api_version, _)| api_version.as_str()));
        let kind = kind.or(inherited.map(|(_, kind)| kind.as_str()));
        match (api_version, kind) {
            (Some(api_version), Some(kind)) => identify(api_version, kind),
            _ => TypeIdentity::Other,
        }
    }

    /// What `kind: NodeList` says of its items.
    fn inherit(&mut self, api_version: Option<&str>, kind: Option<&str>) {
        self.inherited = match (api_version, kind.and_then(|kind| kind.strip_suffix("List"))) {
            (Some(api_version), Some(kind)) if !kind.is_empty() => Some((Text::new(api_version), Text::new(kind))),
            _ => None,
        };
    }

    fn hand_out(&mut self, object: Object) {
        self.item = self.item.saturating_add(1);
        self.dump.objects += 1;
        (self.hand_out)(object);
    }

    fn skipped(&mut self, kind: &str) {
        self.item = self.item.saturating_add(1);
        self.dump.skipped.add(kind, 1);
    }

    fn place_span(&self) -> Span {
        Span { start: self.place, end: self.place }
    }

    fn report(&mut self, kind: ProblemKind, path: Path, span: Span) {
        self.add(Problem { kind, document: self.item, path, span, fix: None });
    }

    fn add(&mut self, problem: Problem) {
        if self.dump.problems.len() < usize::try_from(PROBLEM_LIMIT).unwrap_or(usize::MAX) {
            self.dump.problems.push(problem);
        }
    }

    fn stop(&mut self, kind: ProblemKind) {
        self.report(kind, Path::default(), self.place_span());
        self.state = State::Stopped;
    }
}

/// The place behind `text`, which starts at `place`; lines end in a line feed.
fn advance(place: Position, text: &str) -> Position {
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let bytes = text.as_bytes();
    let line_feeds = memchr::memchr_iter(b'\n', bytes).count();
    let last_line = memchr::memrchr(b'\n', bytes).map_or(text, |last| text.get(last + 1..).unwrap_or_default());
    let before = if line_feeds == 0 { place.column } else { 1 };
    Position {
        offset: place.offset.saturating_add(number(text.len())),
        line: place.line.saturating_add(number(line_feeds)),
        column: before.saturating_add(number(last_line.chars().count())),
    }
}

fn start(text: &str) -> Step {
    let behind = text.trim_start_matches(|character: char| character.is_ascii_whitespace() || character == '\u{feff}');
    let skipped = text.len() - behind.len();
    match behind.as_bytes().first() {
        None => Step::Incomplete,
        Some(b'{' | b'[') => Step::Done(skipped, State::Json),
        // White space at the start of a line means something here.
        Some(_) => {
            let line = text.get(..skipped).and_then(|blank| blank.rfind('\n')).map_or(0, |end| end + 1);
            let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
            Step::Done(line.max(mark), State::Yaml)
        }
    }
}

/// Steps over the rest of a list's document.
fn yaml_tail(text: &str, is_all: bool) -> Step {
    match lines::document_end(text, is_all) {
        Some(end) if is_all && end == text.len() => Step::Done(end, State::Json),
        Some(end) => Step::Done(end, State::Yaml),
        None => Step::Incomplete,
    }
}

impl From<ObjectProblem> for ProblemKind {
    fn from(problem: ObjectProblem) -> Self {
        Self::Object(problem)
    }
}
