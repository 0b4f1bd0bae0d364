use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::manifest::Severity;

/// Everything that a dump holds, read in pieces of `piece` bytes.
fn read(text: &[u8], piece: usize) -> (Vec<Object>, Dump) {
    let mut objects = Vec::new();
    let mut reader = DumpReader::new(|object| objects.push(object));
    text.chunks(piece.max(1)).for_each(|piece| reader.push(piece));
    let dump = reader.finish();
    (objects, dump)
}

fn names(objects: &[Object]) -> Vec<String> {
    objects
        .iter()
        .map(|object| {
            let metadata = match object {
                Object::DaemonSet(object) => &object.metadata,
                Object::Node(object) => &object.metadata,
                Object::Pod(object) => &object.metadata,
                Object::ControllerRevision(object) => &object.metadata,
                Object::PriorityClass(object) => &object.metadata,
                Object::Event(event) => return format!("Event {}", event.reason),
            };
            format!("{} {}", object.kind().name(), metadata.name)
        })
        .collect()
}

fn codes(dump: &Dump) -> Vec<&'static str> {
    dump.problems.iter().map(|problem| problem.kind.code()).collect()
}

fn node(name: &str) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"zone": "a", "n": "1"}},
        "spec": {"podCIDRs": ["10.0.0.0/24"], "taints": [{"key": "k", "effect": "NoSchedule"}]},
        "status": {"allocatable": {"cpu": "4", "memory": "8Gi"}, "images": [{"names": ["a@b", "c"], "sizeBytes": 1}]},
    })
}

fn revision(name: &str) -> Value {
    json!({
        "apiVersion": "apps/v1",
        "data": {"spec": {"template": {"$patch": "replace", "metadata": {"labels": {"kind": "Node"}}}}},
        "kind": "ControllerRevision",
        "metadata": {"name": name},
        "revision": 3,
    })
}

fn list() -> Value {
    json!({
        "apiVersion": "v1",
        "items": [node("a"), revision("r"), {"apiVersion": "v1", "kind": "Secret", "data": {}}, node("b")],
        "kind": "List",
        "metadata": {"resourceVersion": ""},
    })
}

const LIST_NAMES: [&str; 3] = ["Node a", "ControllerRevision r", "Node b"];

#[test]
fn a_list_is_read_item_by_item_in_every_form() {
    let list = list();
    let items = || list["items"].as_array().unwrap().iter().map(Value::to_string);
    let typed = r#"{"kind": "NodeList", "apiVersion": "v1", "metadata": {}, "items": [
        {"metadata": {"name": "a"}}, {"metadata": {"name": "b"}}]}"#;
    for text in [
        list.to_string(),
        serde_json::to_string_pretty(&list).unwrap(),
        format!("\u{feff}\n {list}\n\n"),
        serde_json::to_string(&list["items"]).unwrap(),
        items().collect::<Vec<_>>().join("\n"),
        items().collect::<Vec<_>>().concat(),
        serde_yaml::to_string(&list).unwrap(),
        serde_yaml::to_string(&list).unwrap().replace('\n', "\r\n"),
        format!("# kubectl\n---\n{}---\n", serde_yaml::to_string(&list).unwrap()),
        serde_yaml::to_string(&list["items"]).unwrap(),
        {
            let items = list["items"].as_array().unwrap().iter();
            items.fold(String::new(), |text, item| text + "---\n" + &serde_yaml::to_string(item).unwrap())
        },
    ] {
        for piece in [1, 7, 100, usize::MAX] {
            let (objects, dump) = read(text.as_bytes(), piece);
            assert_eq!(dump.problems, [], "{text}");
            assert_eq!(names(&objects), LIST_NAMES, "{text}");
            assert_eq!((dump.objects, dump.skipped.get("Secret")), (3, Some(1)));
        }
    }
    for text in [
        typed.to_owned(),
        "kind: NodeList\napiVersion: v1\nitems:\n- metadata:\n    name: a\n- metadata: {name: b}\n".to_owned(),
    ] {
        let (objects, dump) = read(text.as_bytes(), 16);
        assert_eq!((names(&objects), codes(&dump)), (vec!["Node a".to_owned(), "Node b".to_owned()], vec![]), "{text}");
    }
}

#[test]
fn a_dump_and_its_document_hold_the_same_objects() {
    for text in [list().to_string(), serde_yaml::to_string(&list()).unwrap()] {
        let documents = crate::manifest::read_documents(text.as_bytes(), crate::KubernetesVersion::default());
        let (objects, _) = read(text.as_bytes(), 64);
        assert_eq!(objects, documents.objects.into_iter().map(|located| located.object).collect::<Vec<_>>());
    }
}

#[test]
fn yaml_of_a_kind_that_kubectl_does_not_print_is_read_as_well() {
    let text = "items:
  - &first
    apiVersion: v1
    kind: Node
    metadata: {name: a}
  - apiVersion: v1
    kind: Node
    metadata:
      name: >-
        b
      annotations:
        long: some text
          that goes on
  # a comment
  - apiVersion: v1
    kind: Node # another
    metadata:
      name: 'c'
      labels:
        octal: \"0644\"
        text: |
          two
          lines
kind: List
apiVersion: v1
";
    for piece in [5, usize::MAX] {
        let (objects, dump) = read(text.as_bytes(), piece);
        assert_eq!(
            (names(&objects), codes(&dump)),
            (vec!["Node a".to_owned(), "Node b".into(), "Node c".into()], vec![])
        );
        let Object::Node(third) = &objects[2] else { panic!("{objects:?}") };
        assert_eq!(third.metadata.labels.get("text").map(Text::as_str), Some("two\nlines\n"));
    }
}

#[test]
fn a_problem_names_its_item_and_line() {
    let mut broken = list();
    broken["items"][1]["revision"] = json!("three");
    for text in [serde_json::to_string_pretty(&broken).unwrap(), serde_yaml::to_string(&broken).unwrap()] {
        for piece in [50, usize::MAX] {
            let (objects, dump) = read(text.as_bytes(), piece);
            assert_eq!(names(&objects), LIST_NAMES, "{text}");
            assert_eq!(codes(&dump), ["wrong-type"]);
            let problem = &dump.problems[0];
            let line = text.lines().position(|line| line.contains("three")).unwrap() + 1;
            assert_eq!((problem.document, problem.span.start.line as usize), (1, line));
            assert_eq!(problem.path.to_string(), "revision");
            let offset = problem.span.start.offset as usize;
            assert!(text[offset..].trim_start_matches('"').starts_with("three"), "{}", &text[offset..]);
        }
    }
}

#[test]
fn what_is_cut_off_or_broken_says_so_and_keeps_what_came_before() {
    let text = serde_json::to_string_pretty(&list()).unwrap();
    let end_of_second = text.find("\"Secret\"").unwrap();
    let (objects, dump) = read(&text.as_bytes()[..end_of_second], 64);
    assert_eq!((objects.len(), codes(&dump)), (2, vec!["cut-off"]));
    let (objects, dump) = read(text.replace("\"Secret\"", "Secret }").as_bytes(), 64);
    assert_eq!((objects.len(), codes(&dump)), (2, vec!["broken-item"]));
    assert_eq!(codes(&read(b"", 1).1), ["nothing-to-read"]);
    assert_eq!(codes(&read(b" \n\n", 1).1), ["nothing-to-read"]);
    assert_eq!(codes(&read(b"[1, {}]", 3).1), ["not-an-object", "missing-type"]);
    assert_eq!(codes(&read(b"{\"a\": \"\xff\"}", 3).1), ["not-utf-8"]);
    assert_eq!(codes(&read(b"\xff\xfe{\0}\0", 100).1), ["not-utf-8"]);
    assert_eq!(codes(&read(b"a: 1\n", 100).1), ["missing-type"]);
}

#[test]
fn bombs_and_noise_end_soon() {
    let noise: Vec<u8> = (0..10_u32 << 20).map(|index| (index.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let letters: Vec<u8> = noise.iter().map(|byte| b' ' + byte % 94).collect();
    for (name, text) in [
        ("noise", noise),
        ("letters", letters),
        ("brackets", vec![b'['; 1 << 20]),
        ("items", ["{\"items\":".repeat(100_000), "[".repeat(100_000)].concat().into_bytes()),
        ("string", ["{\"a\": \"".to_owned(), "x".repeat(20 << 20)].concat().into_bytes()),
        ("lines", ["items:\n- a: 1\n".to_owned(), "  b: 1\n".repeat(1 << 19)].concat().into_bytes()),
        ("dashes", ["items:\n".to_owned(), "- ".repeat(1 << 20)].concat().into_bytes()),
    ] {
        let started = std::time::Instant::now();
        let (_, dump) = read(&text, 1 << 16);
        let took = started.elapsed();
        assert!(dump.problems.iter().any(|problem| problem.kind.severity() == Severity::Error), "{name}");
        println!("{name}: {took:?}, {} problems", dump.problems.len());
        // Each takes well under a second; the rest is for machines that do other work beside.
        assert!(took.as_secs() < 20, "{name} took {took:?}");
    }
}

/// Any JSON object, with keys and texts that YAML has to be careful with.
fn any_value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        "[ -~]{0,12}",
        Just("yes".to_owned()),
        Just("0644".to_owned()),
        Just("1.10".to_owned()),
        Just("a: b #c".to_owned()),
        Just("two\nlines\n".to_owned()),
        Just("- x".to_owned()),
        Just("é😀".to_owned()),
        Just(String::new()),
    ];
    let leaf = prop_oneof![
        text.clone().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(text.clone(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_rewritten_line_by_line_is_what_the_whole_grammar_reads(value in any_value()) {
        let text = serde_yaml::to_string(&json!([{"k": value}])).unwrap();
        let mut json = String::new();
        if let Rewrite::Done(length) = rewrite_item(&text, 0, true, &mut json) {
            prop_assert_eq!(length, text.len());
            let (tree, problems) = read_tree(&text, Position { offset: 0, line: 1, column: 1 });
            prop_assert_eq!(problems, vec![]);
            let rewritten: Value = serde_json::from_str(&json).unwrap();
            prop_assert_eq!(json!([rewritten]), tree.unwrap().to_json(), "{}", text);
        }
    }

    #[test]
    fn the_size_of_the_pieces_does_not_matter(piece in 1usize..400, is_yaml: bool) {
        let list = list();
        let text = if is_yaml { serde_yaml::to_string(&list).unwrap() } else { serde_json::to_string_pretty(&list).unwrap() };
        let (objects, dump) = read(text.as_bytes(), piece);
        prop_assert_eq!((objects, dump), read(text.as_bytes(), usize::MAX));
    }
}
