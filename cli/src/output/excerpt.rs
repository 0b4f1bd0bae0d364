use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet};
use rollcast_core::manifest::{Problem, Severity};
use rollcast_core::message::{Language, Words};

/// Lines longer than this are cut around the problem: a minified JSON is one line.
const LONGEST_LINE: usize = 240;

/// A problem with the lines it is about, as compilers print them.
pub fn excerpt(source: &str, text: &str, problem: &Problem, language: Language) -> String {
    let severity = problem.kind.severity();
    let level = match (severity, language) {
        (Severity::Error, Language::English) => Level::ERROR,
        (Severity::Error, Language::Chinese) => Level::ERROR.with_name("错误"),
        (Severity::Warning, Language::English) => Level::WARNING,
        (Severity::Warning, Language::Chinese) => Level::WARNING.with_name("警告"),
        (Severity::Note, Language::English) => Level::NOTE,
        (Severity::Note, Language::Chinese) => Level::NOTE.with_name("说明"),
    };
    let message = problem.kind.words(language);
    let field = problem.path.to_string();
    let title = level.primary_title(message.as_str()).id(problem.kind.code());
    let start = usize::try_from(problem.span.start.offset).unwrap_or(0);
    let end = usize::try_from(problem.span.end.offset).unwrap_or(0);
    let Some(window) = Window::around(text, start, end) else {
        return Renderer::styled().render(&[title.element(Origin::path(source))]);
    };
    let annotation = AnnotationKind::Primary.span(window.span.clone()).label(field.as_str());
    let snippet = Snippet::source(window.text).line_start(window.first_line).path(source).annotation(annotation);
    let mut report: Vec<Group<'_>> = vec![title.element(snippet)];
    let fix_window;
    if let Some(fix) = &problem.fix {
        let (start, end) = (fix.span.start.offset, fix.span.end.offset);
        let replaced = usize::try_from(start).unwrap_or(0)..usize::try_from(end).unwrap_or(0);
        if let Some(found) = Window::around(text, replaced.start, replaced.end) {
            fix_window = found;
            let help = match language {
                Language::English => Level::HELP.secondary_title("write"),
                Language::Chinese => Level::HELP.with_name("提示").secondary_title("改为"),
            };
            let patch = Patch::new(fix_window.span.clone(), fix.replacement.as_str());
            let snippet = Snippet::source(fix_window.text).line_start(fix_window.first_line).path(source).patch(patch);
            report.push(help.element(snippet));
        }
    }
    Renderer::styled().render(&report)
}

/// The line of a span and the one before it: the renderer would otherwise count through the whole text for every problem.
struct Window<'a> {
    text: &'a str,
    first_line: usize,
    span: Range<usize>,
}

impl<'a> Window<'a> {
    fn around(text: &'a str, start: usize, end: usize) -> Option<Self> {
        let end = floor_boundary(text, end.max(start).min(text.len()));
        let start = floor_boundary(text, start.min(end));
        // A span over many lines is shown by its first one.
        let end = text.get(start..end)?.find('\n').map_or(end, |length| start + length);
        let mut from = line_start(text, line_start(text, start).saturating_sub(1));
        let mut to = text.get(end..)?.find('\n').map_or(text.len(), |length| end + length);
        if to - from > 2 * LONGEST_LINE {
            from = floor_boundary(text, start.saturating_sub(LONGEST_LINE / 2)).max(line_start(text, start));
            to = floor_boundary(text, (start + LONGEST_LINE / 2).min(to));
        }
        let first_line = 1 + text.get(..from)?.matches('\n').count();
        Some(Self { text: text.get(from..to)?, first_line, span: start - from..end.min(to) - from })
    }
}

fn line_start(text: &str, offset: usize) -> usize {
    text.get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |line_end| line_end + 1)
}

fn floor_boundary(text: &str, offset: usize) -> usize {
    (0..=offset).rev().find(|offset| text.is_char_boundary(*offset)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(text: &str, start: usize, end: usize) -> (&str, usize, &str) {
        let window = Window::around(text, start, end).unwrap();
        (window.text, window.first_line, &window.text[window.span])
    }

    #[test]
    fn a_problem_is_shown_with_the_line_before_it() {
        let text = "one: 1\ntwo: 2\nthree: 3\nfour: 4\n";
        assert_eq!(window(text, 21, 22), ("two: 2\nthree: 3", 2, "3"));
        assert_eq!(window(text, 0, 3), ("one: 1", 1, "one"));
        assert_eq!(window(text, 7, 10), ("one: 1\ntwo: 2", 1, "two"));
    }

    #[test]
    fn a_span_over_many_lines_is_shown_by_its_first_one() {
        assert_eq!(window("a:\n  b: 1\n  c: 2\n", 5, 16).2, "b: 1");
    }

    #[test]
    fn a_very_long_line_is_cut_around_the_problem() {
        let text = format!("{{{}\"x\": 1{}}}", "a".repeat(10_000), "b".repeat(10_000));
        let start = text.find("\"x\"").unwrap();
        let (shown, line, marked) = window(&text, start, start + 3);
        assert_eq!((shown.len(), line, marked), (LONGEST_LINE, 1, "\"x\""));
    }

    #[test]
    fn a_place_beyond_the_text_is_its_end() {
        assert_eq!(window("a: é", 99, 120), ("a: é", 1, ""));
        assert_eq!(window("", 0, 0), ("", 1, ""));
    }
}
