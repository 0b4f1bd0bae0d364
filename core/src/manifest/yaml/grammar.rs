//! Tokens of YAML → the values of its documents, by recursive descent.
//!
//! The grammar and its places are those of the parser that comes with the scanner: what that one hands out as events
//! goes right to the builder here, in a fraction of the code.

use std::borrow::Cow;

use granit_parser::{Options, ScalarStyle, Scanner, TokenType};

use super::super::{Path, Position, Problem, ProblemKind, Span, Tally, TextProblem};
use super::build::{Builder, DEPTH_LIMIT, Properties, Unreadable, YAML_TAGS};
use super::places::Places;
use super::source::Source;
use super::syntax::syntax_fault;
use super::{Document, SyntaxFault};

/// Reads every document of `text`, which starts at `base` of the whole; usually there is one.
///
/// What stands behind a syntax error is not read.
pub(super) fn read(text: &str, base: Position) -> Vec<Document> {
    let mut grammar = Grammar {
        scanner: Scanner::with_options(Source::new(text), options()),
        places: Places::new(text, base),
        next: None,
        builder: Builder::new(text, base),
        tags: Vec::new(),
        anchors: Tally::default(),
        may_be_implicit: true,
    };
    let mut documents = Vec::new();
    loop {
        match grammar.document() {
            Ok(true) => documents.push(grammar.builder.finish()),
            Ok(false) => return documents,
            Err(Unreadable) => {
                documents.push(Document { tree: None, ..grammar.builder.finish() });
                return documents;
            }
        }
    }
}

fn options() -> Options {
    let limit = usize::from(DEPTH_LIMIT) + 1;
    granit_parser::options! {
        block_scalar_eof_without_line_feed: true,
        flow_nesting_limit: limit,
        block_nesting_limit: limit,
    }
}

/// What the grammar tells tokens apart by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Directive,
    DocumentStart,
    DocumentEnd,
    StreamEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias,
    Anchor,
    Tag,
    Scalar,
}

/// The kind of a token; nothing for one that means nothing here.
fn kind_of(token: &TokenType<'_>) -> Option<Kind> {
    Some(match token {
        TokenType::VersionDirective(..) | TokenType::TagDirective(..) | TokenType::ReservedDirective(..) => {
            Kind::Directive
        }
        TokenType::DocumentStart => Kind::DocumentStart,
        TokenType::DocumentEnd => Kind::DocumentEnd,
        TokenType::StreamEnd => Kind::StreamEnd,
        TokenType::BlockSequenceStart => Kind::BlockSequenceStart,
        TokenType::BlockMappingStart => Kind::BlockMappingStart,
        TokenType::BlockEnd => Kind::BlockEnd,
        TokenType::FlowSequenceStart => Kind::FlowSequenceStart,
        TokenType::FlowSequenceEnd => Kind::FlowSequenceEnd,
        TokenType::FlowMappingStart => Kind::FlowMappingStart,
        TokenType::FlowMappingEnd => Kind::FlowMappingEnd,
        TokenType::BlockEntry => Kind::BlockEntry,
        TokenType::FlowEntry => Kind::FlowEntry,
        TokenType::Key => Kind::Key,
        TokenType::Value => Kind::Value,
        TokenType::Alias(_) => Kind::Alias,
        TokenType::Anchor(_) => Kind::Anchor,
        TokenType::Tag(..) => Kind::Tag,
        TokenType::Scalar(..) => Kind::Scalar,
        // The start of the stream, and comments where they are tokens.
        _ => return None,
    })
}

#[derive(Clone, Copy)]
struct Next {
    kind: Kind,
    span: Span,
}

type Read<T = ()> = Result<T, Unreadable>;

/// What the nodes of blocks and of brackets may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In brackets: no blocks.
    Flow,
    /// In a block.
    Block,
    /// Where the entries of a list may stand in the column of their key.
    BlockOrEntries,
}

struct Grammar<'text> {
    scanner: Scanner<'text, Source<'text>>,
    places: Places<'text>,
    /// The token that is looked at.
    next: Option<(Next, TokenType<'text>)>,
    builder: Builder<'text>,
    /// What `%TAG` says, of this document.
    tags: Vec<(Cow<'text, str>, Cow<'text, str>)>,
    /// The number of each anchor, of this document.
    anchors: Tally,
    /// Whether a document may start without `---`.
    may_be_implicit: bool,
}

impl Grammar<'_> {
    fn peek(&mut self) -> Read<Next> {
        loop {
            if let Some((next, _)) = &self.next {
                return Ok(*next);
            }
            match self.scanner.next() {
                Some(Ok(token)) => {
                    let (span, token) = token.into_parts();
                    if let Some(kind) = kind_of(&token) {
                        let span = Span { start: self.places.of(&span.start), end: self.places.of(&span.end) };
                        self.next = Some((Next { kind, span }, token));
                    }
                }
                Some(Err(error)) => {
                    let place = self.places.of(error.marker());
                    return Err(self.fail(syntax_fault(error.kind()), place));
                }
                // Nobody looks behind the end of the stream.
                None => return Err(Unreadable),
            }
        }
    }

    /// Steps over the token that was looked at.
    fn skip(&mut self) {
        self.next = None;
    }

    fn fail(&mut self, kind: TextProblem, place: Position) -> Unreadable {
        let span = Span { start: place, end: place };
        let kind = ProblemKind::Text(kind);
        self.builder.problems.push(Problem { kind, document: 0, path: Path::default(), span, fix: None });
        Unreadable
    }

    fn fault(&mut self, fault: SyntaxFault, at: Span) -> Unreadable {
        self.fail(TextProblem::Syntax(fault), at.start)
    }

    /// The next document; whether there is one.
    fn document(&mut self) -> Read<bool> {
        while self.peek()?.kind == Kind::DocumentEnd {
            self.skip();
        }
        self.anchors = Tally::default();
        self.tags.clear();
        let Next { kind, mut span } = self.peek()?;
        if kind == Kind::StreamEnd {
            return Ok(false);
        }
        if !self.may_be_implicit || matches!(kind, Kind::Directive | Kind::DocumentStart) {
            self.directives()?;
            let start = self.peek()?;
            if start.kind != Kind::DocumentStart {
                return Err(self.fault(SyntaxFault::Other, start.span));
            }
            span = start.span;
            self.skip();
        }
        let ends = [Kind::Directive, Kind::DocumentStart, Kind::DocumentEnd, Kind::StreamEnd];
        self.node_unless(&ends, Some(point(span.end)), Place::Block)?;
        let Next { kind, span } = self.peek()?;
        self.may_be_implicit = kind == Kind::DocumentEnd;
        match kind {
            Kind::DocumentEnd => self.skip(),
            Kind::Directive => return Err(self.fault(SyntaxFault::Directive, span)),
            _ => {}
        }
        Ok(true)
    }

    fn directives(&mut self) -> Read {
        let mut has_version = false;
        while self.peek()?.kind == Kind::Directive {
            let Some((Next { span, .. }, token)) = self.next.take() else { break };
            let is_right = match token {
                TokenType::VersionDirective(major, _) => major == 1 && !std::mem::replace(&mut has_version, true),
                TokenType::TagDirective(handle, prefix) => {
                    let is_new = self.tags.iter().all(|(known, _)| *known != handle);
                    self.tags.push((handle, prefix));
                    is_new
                }
                _ => true,
            };
            if !is_right {
                return Err(self.fault(SyntaxFault::Directive, span));
            }
        }
        Ok(())
    }

    /// A node, or nothing where one of these tokens follows; that stands at a place of its own or right before them.
    fn node_unless(&mut self, ends: &[Kind], absent: Option<Span>, place: Place) -> Read {
        let Next { kind, span } = self.peek()?;
        if ends.contains(&kind) { self.nothing(absent.unwrap_or(point(span.start))) } else { self.node(place) }
    }

    fn nothing(&mut self, span: Span) -> Read {
        self.builder.scalar("", true, &Properties::default(), span)
    }

    fn node(&mut self, place: Place) -> Read {
        let mut properties = Properties::default();
        // Where the last of them ends.
        let mut end = None;
        let first = self.peek()?;
        if first.kind == Kind::Alias {
            return self.alias(first.span);
        }
        if matches!(first.kind, Kind::Anchor | Kind::Tag) {
            self.property(&mut properties)?;
            end = Some(first.span.end);
            let second = self.peek()?;
            if matches!(second.kind, Kind::Anchor | Kind::Tag) && second.kind != first.kind {
                self.property(&mut properties)?;
                end = Some(second.span.end);
            }
        }
        let Next { kind, span } = self.peek()?;
        match kind {
            Kind::Scalar => {
                let Some((_, TokenType::Scalar(style, text))) = self.next.take() else { return Err(Unreadable) };
                self.builder.scalar(&text, style == ScalarStyle::Plain, &properties, span)
            }
            Kind::FlowSequenceStart => {
                self.skip();
                self.builder.open_list(true, &properties, span)?;
                self.flow_sequence()
            }
            Kind::FlowMappingStart => {
                self.skip();
                self.builder.open_map(true, &properties, span)?;
                self.flow_mapping()
            }
            Kind::BlockEntry if place == Place::BlockOrEntries => {
                self.builder.open_list(false, &properties, span)?;
                self.entries()
            }
            Kind::BlockSequenceStart if place != Place::Flow => {
                self.skip();
                self.builder.open_list(false, &properties, span)?;
                self.block_sequence()
            }
            Kind::BlockMappingStart if place != Place::Flow => {
                self.skip();
                self.builder.open_map(false, &properties, span)?;
                self.block_mapping()
            }
            _ => match end {
                Some(end) => self.builder.scalar("", true, &properties, point(end)),
                None if place == Place::Flow => Err(self.fault(SyntaxFault::OpenBracket { open: '{' }, span)),
                None => Err(self.fault(SyntaxFault::Indentation, span)),
            },
        }
    }

    fn alias(&mut self, span: Span) -> Read {
        let Some((_, TokenType::Alias(name))) = self.next.take() else { return Err(Unreadable) };
        match self.anchors.get(&name) {
            Some(anchor) => self.builder.alias(anchor, span),
            None => Err(self.fault(SyntaxFault::UnknownAnchor, span)),
        }
    }

    /// Takes an anchor or a tag.
    fn property(&mut self, properties: &mut Properties) -> Read {
        match self.next.take() {
            Some((_, TokenType::Anchor(name))) => {
                properties.anchor = self.builder.new_anchor();
                self.anchors.set(&name, properties.anchor);
            }
            Some((Next { span, .. }, TokenType::Tag(handle, suffix))) => match self.tag_of(&handle, &suffix) {
                Some(tag) => properties.tag = Some(tag),
                None => return Err(self.fault(SyntaxFault::Tag, span)),
            },
            _ => {}
        }
        Ok(())
    }

    /// A tag in full; nothing when its handle was not declared.
    fn tag_of(&self, handle: &str, suffix: &str) -> Option<String> {
        let declared = self.tags.iter().find(|(known, _)| known == handle).map(|(_, prefix)| prefix.as_ref());
        let prefix = match (handle, declared) {
            ("", _) if suffix == "!" => "",
            (_, Some(prefix)) => prefix,
            ("!!", None) => YAML_TAGS,
            _ if handle.len() >= 2 && handle.starts_with('!') && handle.ends_with('!') => return None,
            _ => handle,
        };
        Some([prefix, suffix].concat())
    }

    fn block_sequence(&mut self) -> Read {
        loop {
            let Next { kind, span } = self.peek()?;
            match kind {
                Kind::BlockEnd => {
                    self.skip();
                    return self.builder.close(span);
                }
                Kind::BlockEntry => {
                    self.skip();
                    self.node_unless(&[Kind::BlockEntry, Kind::BlockEnd], Some(span), Place::Block)?;
                }
                _ => return Err(self.fault(SyntaxFault::Indentation, span)),
            }
        }
    }

    /// A list in the column of the key it belongs to, whose end is no token of its own.
    fn entries(&mut self) -> Read {
        loop {
            let Next { kind, span } = self.peek()?;
            if kind != Kind::BlockEntry {
                return self.builder.close(point(span.start));
            }
            self.skip();
            let ends = [Kind::BlockEntry, Kind::Key, Kind::Value, Kind::BlockEnd];
            self.node_unless(&ends, Some(span), Place::Block)?;
        }
    }

    fn block_mapping(&mut self) -> Read {
        loop {
            let Next { kind, span } = self.peek()?;
            match kind {
                Kind::BlockEnd => {
                    self.skip();
                    return self.builder.close(span);
                }
                Kind::Key | Kind::Value => {
                    let ends = [Kind::Key, Kind::Value, Kind::BlockEnd];
                    self.pair(kind, &ends, &ends, true, Place::BlockOrEntries)?;
                }
                _ => return Err(self.fault(SyntaxFault::Indentation, span)),
            }
        }
    }

    /// A key and its value, of which the token looked at is the first; each may be missing.
    ///
    /// A value that is missing behind its colon stands where the colon is, or right before what follows.
    fn pair(&mut self, first: Kind, key_ends: &[Kind], value_ends: &[Kind], at_colon: bool, place: Place) -> Read {
        if first == Kind::Key {
            self.skip();
        }
        self.node_unless(key_ends, None, place)?;
        let Next { kind, span } = self.peek()?;
        if kind != Kind::Value {
            return self.nothing(point(span.start));
        }
        self.skip();
        self.node_unless(value_ends, at_colon.then_some(span), place)
    }

    /// What stands in brackets next, behind the comma that must separate it from what was before; or their end.
    fn next_in_brackets(&mut self, is_first: bool, open: char, end: Kind) -> Read<Next> {
        let next = self.peek()?;
        if is_first || next.kind == end {
            return Ok(next);
        }
        if next.kind != Kind::FlowEntry {
            return Err(self.fault(SyntaxFault::OpenBracket { open }, next.span));
        }
        self.skip();
        self.peek()
    }

    fn flow_mapping(&mut self) -> Read {
        let mut is_first = true;
        loop {
            let Next { kind, span } = self.next_in_brackets(is_first, '{', Kind::FlowMappingEnd)?;
            is_first = false;
            match kind {
                Kind::FlowMappingEnd => {
                    self.skip();
                    return self.builder.close(span);
                }
                Kind::Key | Kind::Value => {
                    let key_ends = [Kind::Value, Kind::FlowEntry, Kind::FlowMappingEnd];
                    let value_ends = [Kind::FlowEntry, Kind::FlowMappingEnd];
                    self.pair(kind, &key_ends, &value_ends, true, Place::Flow)?;
                }
                _ => {
                    self.node(Place::Flow)?;
                    let behind = self.peek()?.span.start;
                    self.nothing(point(behind))?;
                }
            }
        }
    }

    fn flow_sequence(&mut self) -> Read {
        let mut is_first = true;
        loop {
            let Next { kind, span } = self.next_in_brackets(is_first, '[', Kind::FlowSequenceEnd)?;
            is_first = false;
            match kind {
                Kind::FlowSequenceEnd => {
                    self.skip();
                    return self.builder.close(span);
                }
                // A map of one pair without braces.
                Kind::Key => {
                    self.builder.open_map(true, &Properties::default(), span)?;
                    let ends = [Kind::FlowEntry, Kind::FlowSequenceEnd];
                    self.pair(kind, &ends, &ends, false, Place::Flow)?;
                    let behind = self.peek()?.span.start;
                    self.builder.close(point(behind))?;
                }
                _ => self.node(Place::Flow)?,
            }
        }
    }
}

/// A place that nothing takes.
fn point(place: Position) -> Span {
    Span { start: place, end: place }
}

#[cfg(test)]
mod tests {
    use granit_parser::Parser;
    use proptest::prelude::*;

    use super::*;

    const PIECES: [&str; 44] = [
        "a",
        "b: ",
        "c:\n",
        "- ",
        "  ",
        "\n",
        "\n  ",
        "\n    ",
        "{",
        "}",
        "[",
        "]",
        ", ",
        ": ",
        "? ",
        "&x ",
        "*x",
        "!!str ",
        "!t ",
        "! ",
        "!e!x ",
        "\"q\"",
        "'s'",
        "|\n",
        ">\n",
        " # c\n",
        "---\n",
        "--- ",
        "...\n",
        "%TAG !e! tag:e.com:\n",
        "%YAML 1.1\n",
        "%YAML 2.0\n",
        "%FOO bar\n",
        "~",
        "é",
        "1",
        "\t",
        "k: v\n",
        "- a\n",
        "- - b\n",
        "? k\n: v\n",
        "!<tag:yaml.org,2002:str> ",
        "[a: b, ? c : d, : e]",
        "{a, b: , ? , : f}",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn texts_end_where_the_scanners_own_parser_stops(
            pieces in proptest::collection::vec(proptest::sample::select(&PIECES[..]), 1..14)
        ) {
            let text = pieces.concat();
            let (mut documents, mut stop) = (0, None);
            for event in Parser::new_from_str_with_options(&text, options()) {
                match event {
                    Ok((granit_parser::Event::DocumentEnd, _)) => documents += 1,
                    Ok(_) => {}
                    Err(error) => stop = Some((error.marker().line(), error.marker().col() + 1)),
                }
            }
            let read = read(&text, Position { offset: 0, line: 1, column: 1 });
            let unread = read.last().filter(|document| document.tree.is_none());
            let problem = unread.and_then(|document| document.problems.last());
            match problem.map(|problem| (&problem.kind, problem.span.start)) {
                Some((ProblemKind::Text(TextProblem::Syntax(_)), place)) => {
                    prop_assert_eq!(Some((place.line as usize, place.column as usize)), stop, "{:?}", text);
                    prop_assert_eq!(read.len(), documents + 1, "{:?}", text);
                }
                // The builder gives up earlier, as where an alias stands inside of its anchor.
                Some(_) => {}
                None => {
                    prop_assert_eq!(stop, None, "{:?}", text);
                    prop_assert_eq!(read.len(), documents, "{:?}", text);
                }
            }
        }
    }
}
