use std::time::{Duration, Instant};

use serde_json::json;

use super::*;

fn kinds(document: &Document) -> Vec<ProblemKind> {
    document.problems.iter().map(|problem| problem.kind.clone()).collect()
}

fn text<const COUNT: usize>(problems: [TextProblem; COUNT]) -> [ProblemKind; COUNT] {
    problems.map(ProblemKind::Text)
}

fn only(text: &str) -> Document {
    let mut documents = read_trees(text.as_bytes());
    assert_eq!(documents.len(), 1, "{text}");
    documents.remove(0)
}

fn json_of(text: &str) -> serde_json::Value {
    let document = only(text);
    assert_eq!(document.problems, [], "{text}");
    document.tree.unwrap().to_json()
}

#[test]
fn yaml_means_what_it_means_to_go() {
    assert_eq!(
        json_of("a: yes\nb: 0644\nc: 1e3\nd: 12:30:45\ne: ~\nf:\ng: 'no'\nh: 1_000\ni: 2001-01-01\n"),
        json!({"a": true, "b": 420, "c": 1000, "d": "12:30:45", "e": null, "f": null, "g": "no", "h": 1000,
               "i": "2001-01-01"}),
    );
    assert_eq!(
        json_of("a: ! 1\nb: !!str\nc: !foo 5\nd: !!binary aGk=\n"),
        json!({"a": "1", "b": "", "c": "5", "d": "hi"})
    );
    assert_eq!(json_of("1: a\nyes: b\n1.10: c\n"), json!({"1": "a", "true": "b", "1.1": "c"}));
    assert_eq!(
        json_of("a: |\n  x\n  y\nb: >-\n  x\n  y\nc: |+\n  x\n\n"),
        json!({"a": "x\ny\n", "b": "x y", "c": "x\n\n"})
    );
    assert_eq!(json_of("a: |\n  x"), json!({"a": "x"}));
}

#[test]
fn line_ends_and_marks_do_not_matter() {
    let expected = json!({"a": [1, {"b": "c"}]});
    for text in [
        "a:\n- 1\n- b: c\n",
        "a:\r\n- 1\r\n- b: c\r\n",
        "\u{feff}a:\n- 1\n- b: c",
        "---\na:\n- 1\n- b: c\n...\n",
        "%YAML 1.1\n---\na: [1, {b: c}]\n",
        "# c\n\n---\n---\na:\n  - 1\n  - b: c\n---\n",
        "{\"a\": [1, {\"b\": \"c\"}]}",
        "{\n\t\"a\": [1, {\"b\": \"c\"},],\n}\n",
    ] {
        assert_eq!(json_of(text), expected, "{text}");
    }
}

#[test]
fn aliases_and_merge_keys_are_expanded() {
    assert_eq!(
        json_of("x: &x {a: 1, b: 2}\nv: {<<: *x, b: 3}\nz: *x\n"),
        json!({"x": {"a": 1, "b": 2}, "v": {"a": 1, "b": 3}, "z": {"a": 1, "b": 2}}),
    );
    assert_eq!(json_of("<<: [{a: 1}, {a: 2, b: 3}]\n"), json!({"a": 1, "b": 3}), "the first of a list wins");
    assert_eq!(json_of("'<<': 1\n"), json!({"<<": 1}));
    assert_eq!(json_of("&k key: *k\n"), json!({"key": "key"}));
}

#[test]
fn a_merge_behind_a_key_replaces_it_and_is_reported() {
    let document = only("a: 1\n<<: {a: 2}\n");
    assert_eq!(document.tree.as_ref().map(Tree::to_json), Some(json!({"a": 2})));
    assert_eq!(kinds(&document), text([TextProblem::MergeReplaces { key: "a".to_owned() }]));
}

#[test]
fn a_key_given_twice_names_both_lines_and_the_last_counts() {
    let document = only("spec:\n  image: a\n  name: b\n  image: c\n  image: d\n");
    assert_eq!(document.tree.as_ref().map(Tree::to_json), Some(json!({"spec": {"image": "d", "name": "b"}})));
    let key = || "image".to_owned();
    assert_eq!(
        kinds(&document),
        text([
            TextProblem::RepeatedKey { key: key(), first_line: 2, line: 4 },
            TextProblem::RepeatedKey { key: key(), first_line: 4, line: 5 },
        ])
    );
    assert_eq!(document.problems[0].path.to_string(), "spec.image");
    assert_eq!(document.problems[0].span.start, Position { offset: 29, line: 4, column: 3 });
}

#[test]
fn what_json_cannot_hold_is_reported_and_reading_goes_on() {
    let document = only("a: .inf\n~: 1\nb: !!int x\nc: !!binary '*'\n? [1]\n: 2\n<<: 3\nd: 4\n");
    assert_eq!(
        kinds(&document),
        text([
            TextProblem::NotFinite { text: ".inf".to_owned() },
            TextProblem::UnusableKey { found: ValueKind::Null },
            TextProblem::TagMismatch { text: "x".to_owned(), tag: "!!int" },
            TextProblem::NotBase64,
            TextProblem::UnusableKey { found: ValueKind::Sequence },
            TextProblem::MergeOfNoMap,
        ])
    );
    assert_eq!(document.tree.and_then(|tree| tree.get("d").map(Tree::to_json)), Some(json!(4)));
}

#[test]
fn a_syntax_error_ends_its_document_only() {
    let documents = read_trees(b"a: 1\n---\nb: [1\n---\nc: x: y\n---\n\td: 1\n---\ne: 5\n");
    let read: Vec<_> = documents.iter().map(|document| document.tree.as_ref().map(Tree::to_json)).collect();
    assert_eq!(read[0], Some(json!({"a": 1})));
    assert_eq!(read.last(), Some(&Some(json!({"e": 5}))));
    assert_eq!(kinds(&documents[1]), text([TextProblem::Syntax(SyntaxFault::OpenBracket { open: '[' })]));
    assert_eq!(kinds(&documents[2]), text([TextProblem::Syntax(SyntaxFault::ColonInValue)]));
    assert_eq!(documents[2].problems[0].span.start.line, 5);
    assert_eq!(documents[2].problems[0].document, 2);
}

#[test]
fn spans_count_characters_and_bytes() {
    let tree = only("é: \"ü\"\nempty:\nlist:\n- x\n- {y: z}\n").tree.unwrap();
    let span = |path: &Path| tree.find(path).0.span;
    let place = |offset, line, column| Position { offset, line, column };
    assert_eq!(span(&Path::of("é")), Span { start: place(4, 1, 4), end: place(8, 1, 7) });
    assert_eq!(span(&Path::of("empty")), Span { start: place(15, 2, 7), end: place(15, 2, 7) });
    assert_eq!(span(&Path::of("list").index(1)), Span { start: place(28, 5, 3), end: place(34, 5, 9) });
    assert_eq!(tree.span, Span { start: place(0, 1, 1), end: place(34, 5, 9) });
}

#[test]
fn an_unrendered_template_is_one_problem() {
    for text in [
        "image: {{ .Values.image }}\n",
        "a: 1\n{{- if .Values.x }}\nb: 2\n{{- end }}\n---\nc: {{ x }}\n",
        "{{- if .Values.x }}\n---\na: 1\n---\n{{- end }}\n",
        "a:\n  {% for x in y %}\n  - b\n  {% endfor %}\n",
        "# {{ if x }}\nversion: {{$version}}\n",
    ] {
        let documents = read_trees(text.as_bytes());
        let all: Vec<ProblemKind> = documents.iter().flat_map(kinds).collect();
        assert_eq!(all, [ProblemKind::Text(TextProblem::Unrendered)], "{text}");
    }
    assert_eq!(
        json_of("a: '{{ x }}'\nb: x-{{ y }}\nc: |\n  {{ z }}\n"),
        json!({"a": "{{ x }}", "b": "x-{{ y }}", "c": "{{ z }}\n"})
    );
    assert_eq!(kinds(&only("a: { {b: 1}: 2}\n")), text([TextProblem::UnusableKey { found: ValueKind::Mapping }]));
}

#[test]
fn a_text_that_cannot_be_read_is_one_clear_problem() {
    let problems = |bytes: &[u8]| read_trees(bytes).iter().flat_map(kinds).collect::<Vec<_>>();
    assert_eq!(problems(b""), text([TextProblem::Nothing]));
    assert_eq!(problems(b"# only\n---\n"), text([TextProblem::Nothing]));
    assert_eq!(problems(b"a: \xff\n"), text([TextProblem::NotUtf8 { utf16: false }]));
    assert_eq!(problems(b"\xff\xfea\0:\0"), text([TextProblem::NotUtf8 { utf16: true }]));
    assert_eq!(problems(b"a: x\0y\n"), text([TextProblem::ControlCharacter { code: 0 }]));
    assert_eq!(problems(b"&a [*a]\n"), text([TextProblem::AliasInsideItself]));
    assert_eq!(problems(b"a: *b\n"), text([TextProblem::Syntax(SyntaxFault::UnknownAnchor)]));
    assert_eq!(problems(&vec![b'a'; 5 << 20]), text([TextProblem::TooLarge { bytes: 5 << 20, limit: TEXT_LIMIT }]));
}

/// xorshift: noise without a dependency.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_be_bytes()[0]
    })
    .take(length)
    .collect()
}

#[test]
fn bombs_and_noise_end_soon() {
    let laughs = {
        let level = |name: char, of: char| format!("{name}: &{name} [{}]\n", vec![format!("*{of}"); 10].join(", "));
        let first = "a: &a [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        ('b'..='j').zip('a'..).fold(first, |text, (name, of)| text + &level(name, of))
    };
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("aliases", laughs.into_bytes()),
        ("brackets", vec![b'['; 100_000]),
        ("braces", "{a: ".repeat(100_000).into_bytes()),
        ("dashes", "- ".repeat(20_000).into_bytes()),
        ("questions", "? ".repeat(20_000).into_bytes()),
        ("indents", (0..2000).fold(String::new(), |text, depth| text + &" ".repeat(depth) + "a:\n").into_bytes()),
        ("noise", noise(10 << 20)),
        ("letters", noise(4 << 20).iter().map(|byte| b' ' + byte % 94).collect()),
        ("lines", noise(4 << 20).iter().map(|byte| b"ab:- \n\"{}[],"[usize::from(byte % 12)]).collect()),
        ("documents", "a\n---\n".repeat(600_000).into_bytes()),
        ("anchors", (0..100_000).fold(String::new(), |text, index| text + &format!("- &a{index} x\n")).into_bytes()),
        ("merges", format!("a: &a {{b: 1}}\n<<: [{}]\n", vec!["*a"; 100_000].join(", ")).into_bytes()),
    ];
    for (name, bytes) in cases {
        let started = Instant::now();
        let documents = read_trees(&bytes);
        let took = started.elapsed();
        let problems: usize = documents.iter().map(|document| document.problems.len()).sum();
        println!("{name}: {took:?}, {problems} problems");
        assert!(problems > 0 || name == "anchors" || name == "merges", "{name}");
        // Each takes well under a second; the rest is for machines that do other work beside.
        assert!(took < Duration::from_secs(20), "{name} took {took:?}");
    }
}
