//! What the YAML grammar finds → [`Tree`].

use std::rc::Rc;

use super::super::{
    Entry, Path, PathStep, Position, Problem, ProblemKind, Span, Tally, TextProblem, Tree, TreeValue, ValueKind,
};
use super::scalar::{Scalar, ScalarError, ScalarTag, resolve};
use super::{Document, PROBLEM_LIMIT};
use crate::api::Text;
use crate::json::number_text;

/// How deep values may be nested.
pub(super) const DEPTH_LIMIT: u16 = 100;
/// What the tags of YAML itself start with; `!!` for short.
pub(super) const YAML_TAGS: &str = "tag:yaml.org,2002:";

fn problem(kind: TextProblem, path: Path, span: Span) -> Problem {
    Problem { kind: ProblemKind::Text(kind), document: 0, path, span, fix: None }
}

/// The rest of the document cannot be read; the reason is among the problems.
pub(super) struct Unreadable;

/// What stands before a value.
#[derive(Default)]
pub(super) struct Properties {
    /// The number of its anchor; 0 for none.
    pub(super) anchor: u32,
    /// Its tag, in full.
    pub(super) tag: Option<String>,
}

/// Puts the nodes of a document together, which come in the order of the text.
pub(super) struct Builder<'text> {
    text: &'text str,
    base: Position,
    /// Values that are still open, outermost first.
    open: Vec<Open>,
    /// The value of the whole document, once complete.
    root: Option<Tree>,
    /// Values by the number of their anchor; nothing while the value is open.
    anchors: Vec<Option<Rc<Anchored>>>,
    last_anchor: u32,
    budget: AliasBudget,
    pub(super) problems: Vec<Problem>,
}

struct Open {
    content: Content,
    /// First character; the end is known once the value is complete.
    start: Position,
    anchor: u32,
    flow: bool,
}

enum Content {
    Sequence(Vec<Tree>),
    Mapping {
        entries: Vec<Entry>,
        /// Whether `<<` brought each of them; those behind the last here were written.
        merged: Vec<bool>,
        key: PendingKey,
    },
}

/// What the next value of a map belongs to.
enum PendingKey {
    /// The next node is a key.
    Awaited,
    /// The next node is the value of this key.
    Known { text: String, span: Span },
    /// The next node is what `<<` merges.
    Merge(Span),
    /// The next node is the value of a key that cannot be one.
    Unusable,
}

struct Anchored {
    tree: Tree,
    size: Size,
}

/// How many nodes a value has, keys included, and how many levels.
#[derive(Clone, Copy)]
struct Size {
    nodes: u32,
    levels: u16,
}

fn size_of(tree: &Tree) -> Size {
    let mut size = Size { nodes: 1, levels: 0 };
    let mut add = |keys: u32, child: &Tree| {
        let Size { nodes, levels } = size_of(child);
        size.nodes = size.nodes.saturating_add(keys).saturating_add(nodes);
        size.levels = size.levels.max(levels.saturating_add(1));
    };
    match &tree.value {
        TreeValue::Sequence(items) => items.iter().for_each(|item| add(0, item)),
        TreeValue::Mapping(entries) => entries.iter().for_each(|entry| add(1, &entry.value)),
        _ => return size,
    }
    // An empty list or map is a level as well.
    size.levels = size.levels.max(1);
    size
}

/// How much of a document may come from aliases (`decode.go: allowedAliasRatio`): nearly all of a small one, a tenth of
/// a large one.
#[derive(Default)]
struct AliasBudget {
    all: u32,
    from_aliases: u32,
}

impl AliasBudget {
    fn allows(&self) -> bool {
        const LOW: f64 = 400_000.0;
        const HIGH: f64 = 4_000_000.0;
        let (all, from_aliases) = (f64::from(self.all), f64::from(self.from_aliases));
        let ratio = 0.99 - 0.89 * ((all.clamp(LOW, HIGH) - LOW) / (HIGH - LOW));
        self.from_aliases <= 100 || self.all <= 1000 || from_aliases / all <= ratio
    }
}

impl<'text> Builder<'text> {
    pub(super) fn new(text: &'text str, base: Position) -> Self {
        Self {
            text,
            base,
            open: Vec::new(),
            root: None,
            anchors: Vec::new(),
            last_anchor: 0,
            budget: AliasBudget::default(),
            problems: Vec::new(),
        }
    }

    /// The document that is complete, or as far as it could be read; another one may follow.
    pub(super) fn finish(&mut self) -> Document {
        let Self { root, problems, .. } = std::mem::replace(self, Self::new(self.text, self.base));
        Document { tree: root, problems }
    }

    fn report(&mut self, kind: TextProblem, span: Span) {
        if self.has_enough_problems() {
            return;
        }
        let path = self.path();
        self.problems.push(problem(kind, path, span));
    }

    /// Whether there is one more than is shown.
    fn has_enough_problems(&self) -> bool {
        self.problems.len() > usize::try_from(PROBLEM_LIMIT).unwrap_or(usize::MAX)
    }

    /// The way to the node that is read now.
    fn path(&self) -> Path {
        let mut steps = Vec::new();
        for open in &self.open {
            match &open.content {
                Content::Sequence(items) => {
                    steps.push(PathStep::Index(u32::try_from(items.len()).unwrap_or(u32::MAX)));
                }
                Content::Mapping { key: PendingKey::Known { text, .. }, .. } => {
                    steps.push(PathStep::Field(Text::new(text)));
                }
                Content::Mapping { .. } => {}
            }
        }
        Path(steps)
    }

    /// The number of another anchor.
    pub(super) fn new_anchor(&mut self) -> u32 {
        self.last_anchor = self.last_anchor.saturating_add(1);
        self.last_anchor
    }

    /// A list starts.
    pub(super) fn open_list(&mut self, flow: bool, properties: &Properties, span: Span) -> Result<(), Unreadable> {
        self.open(Content::Sequence(Vec::new()), flow, properties, span)
    }

    /// A map starts.
    pub(super) fn open_map(&mut self, flow: bool, properties: &Properties, span: Span) -> Result<(), Unreadable> {
        let content = Content::Mapping { entries: Vec::new(), merged: Vec::new(), key: PendingKey::Awaited };
        self.open(content, flow, properties, span)
    }

    fn open(&mut self, content: Content, flow: bool, properties: &Properties, span: Span) -> Result<(), Unreadable> {
        self.budget.all = self.budget.all.saturating_add(1);
        if self.open.len() >= usize::from(DEPTH_LIMIT) {
            self.report(TextProblem::TooDeep { limit: DEPTH_LIMIT }, span);
            return Err(Unreadable);
        }
        self.open.push(Open { content, start: span.start, anchor: properties.anchor, flow });
        Ok(())
    }

    /// The innermost list or map ends.
    pub(super) fn close(&mut self, span: Span) -> Result<(), Unreadable> {
        let Some(Open { content, start, anchor, flow }) = self.open.pop() else { return Ok(()) };
        let last_end = match &content {
            Content::Sequence(items) => items.last().map(|item| item.span.end),
            Content::Mapping { entries, merged, .. } => {
                let written = entries.iter().enumerate().rev().find(|(place, _)| !is_merged(merged, *place));
                written.map(|(_, entry)| entry.value.span.end)
            }
        };
        // A block has no closing mark: it ends with its last value.
        let end = if flow { span.end } else { last_end.filter(|end| *end > start).unwrap_or(start) };
        let value = match content {
            Content::Sequence(items) => TreeValue::Sequence(items),
            Content::Mapping { mut entries, merged, .. } => {
                self.drop_repeated_keys(&mut entries, &merged);
                TreeValue::Mapping(entries)
            }
        };
        self.complete(Tree { value, span: Span { start, end } }, anchor)
    }

    /// A text, in quotes or `plain`; an absent value is an empty range.
    pub(super) fn scalar(
        &mut self,
        text: &str,
        plain: bool,
        properties: &Properties,
        span: Span,
    ) -> Result<(), Unreadable> {
        self.budget.all = self.budget.all.saturating_add(1);
        // An absent value comes as an empty range just behind its key.
        let absent = span.start == span.end && plain;
        let (text, span) = if absent { ("", self.behind_colon(span)) } else { (text, span) };
        let is_key = self.awaits_key();
        let anchor = properties.anchor;
        let (tag, tag_is_merge) = scalar_tag(properties.tag.as_deref());
        if is_key && text == "<<" && (plain && tag == ScalarTag::Absent || tag_is_merge) {
            self.set_key(PendingKey::Merge(span));
            return Ok(());
        }
        let scalar = resolve(text, plain, tag).unwrap_or_else(|error| {
            let problem = match error {
                ScalarError::TagMismatch => TextProblem::TagMismatch { text: shortened(text), tag: tag_name(tag) },
                ScalarError::Base64 => TextProblem::NotBase64,
            };
            self.report(problem, span);
            Scalar::Null
        });
        if is_key {
            if anchor > 0 {
                let value = scalar.clone().into_value().unwrap_or(TreeValue::Null);
                self.remember(anchor, &Tree { value, span });
            }
            if let Some(text) = scalar.into_key() {
                self.set_key(PendingKey::Known { text, span });
            } else {
                self.report(TextProblem::UnusableKey { found: ValueKind::Null }, span);
                self.set_key(PendingKey::Unusable);
            }
            return Ok(());
        }
        let value = scalar.into_value().unwrap_or_else(|| {
            self.report(TextProblem::NotFinite { text: text.to_owned() }, span);
            TreeValue::Null
        });
        self.complete(Tree { value, span }, anchor)
    }

    /// The value of an anchor stands here as well.
    pub(super) fn alias(&mut self, anchor: u32, span: Span) -> Result<(), Unreadable> {
        self.budget.all = self.budget.all.saturating_add(1);
        let Some(Some(anchored)) = usize::try_from(anchor).ok().and_then(|anchor| self.anchors.get(anchor)).cloned()
        else {
            self.report(TextProblem::AliasInsideItself, span);
            return Err(Unreadable);
        };
        self.budget.all = self.budget.all.saturating_add(anchored.size.nodes);
        self.budget.from_aliases = self.budget.from_aliases.saturating_add(anchored.size.nodes);
        if !self.budget.allows() {
            self.report(TextProblem::TooManyAliases, span);
            return Err(Unreadable);
        }
        if self.open.len() + usize::from(anchored.size.levels) > usize::from(DEPTH_LIMIT) {
            self.report(TextProblem::TooDeep { limit: DEPTH_LIMIT }, span);
            return Err(Unreadable);
        }
        let is_merge =
            matches!(self.open.last(), Some(Open { content: Content::Mapping { key: PendingKey::Merge(_), .. }, .. }));
        if is_merge && !matches!(anchored.tree.value, TreeValue::Mapping(_)) {
            // A list of maps may be merged where it stands, but not through an alias.
            self.report(TextProblem::MergeOfNoMap, span);
            self.set_key(PendingKey::Awaited);
            return Ok(());
        }
        if self.awaits_key() {
            return self.complete(Tree { value: anchored.tree.value.clone(), span }, 0);
        }
        self.complete(anchored.tree.clone(), 0)
    }

    fn awaits_key(&self) -> bool {
        matches!(self.open.last(), Some(Open { content: Content::Mapping { key: PendingKey::Awaited, .. }, .. }))
    }

    fn set_key(&mut self, next: PendingKey) {
        if let Some(Open { content: Content::Mapping { key, .. }, .. }) = self.open.last_mut() {
            *key = next;
        }
    }

    fn remember(&mut self, anchor: u32, tree: &Tree) {
        let anchor = usize::try_from(anchor).unwrap_or(0);
        if anchor == 0 {
            return;
        }
        if self.anchors.len() <= anchor {
            self.anchors.resize(anchor + 1, None);
        }
        if let Some(place) = self.anchors.get_mut(anchor) {
            *place = Some(Rc::new(Anchored { tree: tree.clone(), size: size_of(tree) }));
        }
    }

    /// Puts a complete node where it belongs.
    fn complete(&mut self, tree: Tree, anchor: u32) -> Result<(), Unreadable> {
        self.remember(anchor, &tree);
        let Some(open) = self.open.last_mut() else {
            self.root = Some(tree);
            return Ok(());
        };
        match &mut open.content {
            Content::Sequence(items) => items.push(tree),
            Content::Mapping { entries, merged, key } => match std::mem::replace(key, PendingKey::Awaited) {
                PendingKey::Known { text, span } => entries.push(Entry { key: text, key_span: span, value: tree }),
                PendingKey::Unusable => {}
                PendingKey::Merge(span) => match merged_maps(tree) {
                    Some(mut more) => {
                        merged.resize(entries.len(), false);
                        entries.append(&mut more);
                        merged.resize(entries.len(), true);
                    }
                    None => self.report(TextProblem::MergeOfNoMap, span),
                },
                PendingKey::Awaited => return self.key_from(tree),
            },
        }
        Ok(())
    }

    /// Takes a complete node, other than a scalar written in place, as the key of the innermost map.
    fn key_from(&mut self, tree: Tree) -> Result<(), Unreadable> {
        let span = tree.span;
        let scalar = match tree.value {
            TreeValue::Mapping(_) if self.is_placeholder(span) => {
                self.report(TextProblem::Unrendered, span);
                return Err(Unreadable);
            }
            TreeValue::Mapping(_) => Err(ValueKind::Mapping),
            TreeValue::Sequence(_) => Err(ValueKind::Sequence),
            TreeValue::Null => Err(ValueKind::Null),
            TreeValue::Bool(value) => Ok(value.to_string()),
            TreeValue::Number(number) => Ok(number_text(&number)),
            TreeValue::String(text) => Ok(text),
        };
        match scalar {
            Ok(text) => self.set_key(PendingKey::Known { text, span }),
            Err(found) => {
                self.report(TextProblem::UnusableKey { found }, span);
                self.set_key(PendingKey::Unusable);
            }
        }
        Ok(())
    }

    /// Whether a map stands right inside another's brace: `{{ x }}` is one used as the key of another.
    fn is_placeholder(&self, inner: Span) -> bool {
        let offset = |position: Position| usize::try_from(position.offset.saturating_sub(self.base.offset)).ok();
        let start = offset(inner.start);
        start.and_then(|start| self.text.get(start.checked_sub(1)?..)).is_some_and(|text| text.starts_with("{{"))
    }

    /// An absent value stands behind the colon of its key.
    fn behind_colon(&self, span: Span) -> Span {
        let start = usize::try_from(span.start.offset.saturating_sub(self.base.offset)).unwrap_or(usize::MAX);
        let rest = self.text.get(start..).unwrap_or_default();
        let blanks = rest.bytes().take_while(|byte| *byte == b' ').count();
        if rest.as_bytes().get(blanks) != Some(&b':') {
            return span;
        }
        let distance = u32::try_from(blanks + 1).unwrap_or(0);
        let Position { offset, line, column } = span.start;
        let place = Position { offset: offset.saturating_add(distance), line, column: column.saturating_add(distance) };
        Span { start: place, end: place }
    }

    /// Of equal keys the last is kept, in its place, and each of the others reported.
    ///
    /// A key that `<<` brought may be given again behind it; what `<<` brings replaces a key given before it
    /// (`decode.go: merge` sets keys as it meets them), which is rarely meant.
    fn drop_repeated_keys(&mut self, entries: &mut Vec<Entry>, merged: &[bool]) {
        let mut places = Tally::default();
        // Empty as long as nothing is.
        let mut dropped: Vec<bool> = Vec::new();
        let mut found: Vec<Problem> = Vec::new();
        for (place, later) in entries.iter().enumerate() {
            let earlier = places.set(&later.key, u32::try_from(place).unwrap_or(u32::MAX));
            let Some(earlier) = earlier.and_then(|earlier| usize::try_from(earlier).ok()) else { continue };
            dropped.resize(entries.len(), false);
            if let Some(flag) = dropped.get_mut(earlier) {
                *flag = true;
            }
            let Some(first) = entries.get(earlier).filter(|_| !is_merged(merged, earlier)) else { continue };
            if found.len() > usize::try_from(PROBLEM_LIMIT).unwrap_or(usize::MAX) || self.has_enough_problems() {
                continue;
            }
            let (key, first, span) = (later.key.clone(), first.key_span, later.key_span);
            let path = self.path().field(&key);
            found.push(if is_merged(merged, place) {
                problem(TextProblem::MergeReplaces { key }, path, first)
            } else {
                let (first_line, line) = (first.start.line, span.start.line);
                problem(TextProblem::RepeatedKey { key, first_line, line }, path, span)
            });
        }
        Problem::sort(&mut found);
        self.problems.append(&mut found);
        if !dropped.is_empty() {
            let mut dropped = dropped.into_iter();
            entries.retain(|_| dropped.next() != Some(true));
        }
    }
}

/// Whether `<<` brought the entry at a place.
fn is_merged(merged: &[bool], place: usize) -> bool {
    merged.get(place) == Some(&true)
}

/// The entries that `<<` brings, those that win last; nothing when the value is neither a map nor a list of maps.
fn merged_maps(tree: Tree) -> Option<Vec<Entry>> {
    match tree.value {
        TreeValue::Mapping(entries) => Some(entries),
        TreeValue::Sequence(items) => {
            let mut all = Vec::new();
            for item in items.into_iter().rev() {
                let TreeValue::Mapping(entries) = item.value else { return None };
                all.extend(entries);
            }
            Some(all)
        }
        _ => None,
    }
}

/// What a tag asks of a scalar, and whether it says that `<<` merges.
fn scalar_tag(tag: Option<&str>) -> (ScalarTag, bool) {
    let Some(tag) = tag else { return (ScalarTag::Absent, false) };
    let name = tag.strip_prefix(YAML_TAGS).unwrap_or_default();
    let wanted = match name {
        "binary" => ScalarTag::Binary,
        "bool" => ScalarTag::Bool,
        "int" => ScalarTag::Int,
        "float" => ScalarTag::Float,
        "null" => ScalarTag::Null,
        _ => ScalarTag::Text,
    };
    (wanted, name == "merge")
}

fn tag_name(tag: ScalarTag) -> &'static str {
    match tag {
        ScalarTag::Bool => "!!bool",
        ScalarTag::Int => "!!int",
        ScalarTag::Float => "!!float",
        ScalarTag::Null => "!!null",
        ScalarTag::Binary => "!!binary",
        ScalarTag::Text | ScalarTag::Absent => "!!str",
    }
}

/// The start of a text, as much as a message should quote.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
