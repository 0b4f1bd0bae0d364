//! Documents → objects: everything that a person edits is read with every problem and every place.

use serde_json::Value;

use super::decode::{Decoded, Decoding, decode};
use super::identity::identify;
use super::yaml::read_trees;
use super::{
    Document, Entry, Fix, ObjectKind, ObjectProblem, Path, PathStep, Problem, ProblemKind, Review, Reviewed, Severity,
    Span, Tally, Tree, TreeValue, TypeIdentity, ValueKind, review_daemon_set, schema,
};
use crate::KubernetesVersion;
use crate::api::{ControllerRevision, DaemonSet, Event, Node, Pod, PriorityClass, Text};
use crate::json::{Read, read_json};

/// What was read of a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Documents {
    /// Objects in the order of the text; what is in a list stands where the list stands.
    pub objects: Vec<Located>,
    /// How many objects of other kinds were skipped, by kind.
    pub skipped: Tally,
    /// Everything that is wrong, document by document.
    pub problems: Vec<Problem>,
}

/// An object and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Located {
    /// The object; of a DaemonSet, with all defaults filled in.
    pub object: Object,
    /// The DaemonSet as the API server would return it: what an update of it is reviewed against.
    pub reviewed: Option<Value>,
    /// The number of its document in the text, from 0.
    pub document: u32,
    /// What was written.
    pub tree: Tree,
}

/// An object of a kind that is read.
#[derive(Clone, Debug, PartialEq)]
pub enum Object {
    /// A DaemonSet.
    DaemonSet(Box<DaemonSet>),
    /// A node.
    Node(Box<Node>),
    /// A pod.
    Pod(Box<Pod>),
    /// A stored version of a DaemonSet's template.
    ControllerRevision(Box<ControllerRevision>),
    /// A priority class.
    PriorityClass(Box<PriorityClass>),
    /// What a component told about an object.
    Event(Box<Event>),
}

impl Documents {
    /// Whether something in it is refused or cannot be read.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|problem| problem.kind.severity() == Severity::Error)
    }
}

impl Located {
    /// Where a field stands in the text; where it is missing, the nearest thing around it that exists.
    pub fn span_of(&self, path: &Path) -> Span {
        self.tree.find(path).0.span
    }
}

impl Object {
    /// Its kind.
    pub fn kind(&self) -> ObjectKind {
        match self {
            Self::DaemonSet(_) => ObjectKind::DaemonSet,
            Self::Node(_) => ObjectKind::Node,
            Self::Pod(_) => ObjectKind::Pod,
            Self::ControllerRevision(_) => ObjectKind::ControllerRevision,
            Self::PriorityClass(_) => ObjectKind::PriorityClass,
            Self::Event(_) => ObjectKind::Event,
        }
    }

    /// An object of a kind with nothing in it.
    pub(super) fn of(kind: ObjectKind) -> Self {
        match kind {
            ObjectKind::DaemonSet => Self::DaemonSet(Box::default()),
            ObjectKind::Node => Self::Node(Box::default()),
            ObjectKind::Pod => Self::Pod(Box::default()),
            ObjectKind::ControllerRevision => Self::ControllerRevision(Box::default()),
            ObjectKind::PriorityClass => Self::PriorityClass(Box::default()),
            ObjectKind::Event => Self::Event(Box::default()),
        }
    }

    /// What takes in its JSON.
    pub(super) fn reader(&mut self) -> &mut dyn Read {
        match self {
            Self::DaemonSet(object) => object.as_mut(),
            Self::Node(object) => object.as_mut(),
            Self::Pod(object) => object.as_mut(),
            Self::ControllerRevision(object) => object.as_mut(),
            Self::PriorityClass(object) => object.as_mut(),
            Self::Event(object) => object.as_mut(),
        }
    }

    /// The value as an object of ours; else the way to the field that does not fit.
    fn from_json(kind: ObjectKind, json: &Value) -> Result<Self, Path> {
        let mut object = Self::of(kind);
        read_json(json, object.reader()).map_err(|(text, at)| path_at(&text, at))?;
        Ok(object)
    }
}

/// The way to the value that ends at or encloses a byte of a compact JSON text.
fn path_at(text: &str, at: usize) -> Path {
    let mut path = Vec::new();
    let mut rest = text.get(..at).unwrap_or(text);
    let mut last_string = "";
    while let Some(first) = rest.chars().next() {
        let mut length = first.len_utf8();
        match first {
            '{' => path.push(PathStep::Field(Text::default())),
            '[' => path.push(PathStep::Index(0)),
            '}' | ']' => drop(path.pop()),
            ',' => {
                if let Some(PathStep::Index(index)) = path.last_mut() {
                    *index += 1;
                }
            }
            ':' => {
                if let Some(PathStep::Field(field)) = path.last_mut() {
                    *field = Text::new(last_string);
                }
            }
            '"' => {
                let inside = rest.get(1..).unwrap_or_default();
                let mut escaped = false;
                let end = inside.find(|next| {
                    let ends = next == '"' && !escaped;
                    escaped = next == '\\' && !escaped;
                    ends
                });
                let Some(end) = end else { break };
                last_string = inside.get(..end).unwrap_or_default();
                length = end + 2;
            }
            _ => {}
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    Path(path)
}

/// Reads a text that a person wrote, up to [`super::TEXT_LIMIT`]: YAML or JSON, one or many documents, lists.
///
/// A DaemonSet is reviewed as the API server of this release would review its creation with strict field validation.
pub fn read_documents(bytes: &[u8], version: KubernetesVersion) -> Documents {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let mut read = Documents::default();
    for (document, Document { tree, problems }) in (0..).zip(read_trees(bytes)) {
        read.problems.extend(problems);
        if let Some(tree) = tree {
            Reader { text, document, is_dump: false, before: None, version, read: &mut read }.value(tree, None);
        }
    }
    read
}

/// The objects of one value that was read elsewhere, as an item that may leave its type to its list.
pub(super) fn objects_of(tree: Tree, document: u32, inherited: Option<(&str, &str)>) -> Documents {
    let mut read = Documents::default();
    let version = KubernetesVersion::default();
    Reader { text: "", document, is_dump: true, before: None, version, read: &mut read }.value(tree, inherited);
    read
}

/// The objects of a value that stands at `path` of a larger document; a DaemonSet is reviewed by the API server of this
/// release, as an update of `before`.
pub(crate) fn read_object(
    tree: Tree,
    path: &Path,
    text: &str,
    before: Option<&Value>,
    version: KubernetesVersion,
) -> Documents {
    let mut read = Documents::default();
    Reader { text, document: 0, is_dump: false, before, version, read: &mut read }.value(tree, None);
    for problem in &mut read.problems {
        problem.path = Path(path.0.iter().chain(&problem.path.0).cloned().collect());
    }
    read
}

struct Reader<'a> {
    text: &'a str,
    document: u32,
    /// What a cluster printed was accepted by it: only what cannot be read is wrong.
    is_dump: bool,
    /// The DaemonSet that exists.
    before: Option<&'a Value>,
    /// The release of the API server.
    version: KubernetesVersion,
    read: &'a mut Documents,
}

impl Reader<'_> {
    fn report(&mut self, kind: ObjectProblem, path: Path, span: Span, fix: Option<Fix>) {
        let kind = ProblemKind::Object(kind);
        self.read.problems.push(Problem { kind, document: self.document, path, span, fix });
    }

    /// A document or an item; items of a typed list may leave their type to the list.
    fn value(&mut self, tree: Tree, inherited: Option<(&str, &str)>) {
        let root = Path::default;
        match &tree.value {
            TreeValue::Null => return,
            TreeValue::Mapping(_) => {}
            other => {
                let found = value_kind(other);
                self.report(ObjectProblem::NotAnObject { found }, root(), tree.span, None);
                return;
            }
        }
        let text_of = |name| tree.get(name).and_then(Tree::as_str).filter(|text| !text.is_empty());
        let (api_version, kind) = (text_of("apiVersion"), text_of("kind"));
        let api_version = api_version.or(inherited.map(|(api_version, _)| api_version));
        let kind = kind.or(inherited.map(|(_, kind)| kind));
        if api_version.is_none() || kind.is_none() {
            let problem = ObjectProblem::MissingType { api_version: api_version.is_none(), kind: kind.is_none() };
            self.report(problem, root(), head_of(&tree), None);
        }
        let Some(kind) = kind else { return };
        let (api_version, kind) = (Text::new(api_version.unwrap_or_default()), Text::new(kind));
        match identify(&api_version, &kind) {
            TypeIdentity::Known(known) => self.object(known, tree),
            TypeIdentity::WrongVersion { kind: known, removed_in } => {
                let problem = ObjectProblem::WrongVersion { kind: known, written: api_version, removed_in };
                self.report_scalar(problem, &tree, "apiVersion", known.api_version());
                self.object(known, tree);
            }
            TypeIdentity::Misspelt(known) => {
                let problem = ObjectProblem::MisspeltKind { written: kind, meant: known };
                self.report_scalar(problem, &tree, "kind", known.name());
                self.object(known, tree);
            }
            TypeIdentity::Other => match kind.strip_suffix("List") {
                Some(item_kind) if tree.get("items").is_some() => self.list(tree, &api_version, item_kind),
                _ => {
                    if kind == ObjectKind::DaemonSet.name() && !self.is_dump {
                        let span = tree.get("apiVersion").map_or(tree.span, |value| value.span);
                        let problem = ObjectProblem::ForeignDaemonSet { api_version };
                        self.report(problem, Path::default().field("apiVersion"), span, None);
                    }
                    self.read.skipped.add(&kind, 1);
                }
            },
        }
    }

    fn report_scalar(&mut self, kind: ObjectProblem, tree: &Tree, field: &str, replacement: &str) {
        let span = tree.get(field).map_or(tree.span, |value| value.span);
        let fix = Fix { span, replacement: replacement.to_owned() };
        self.report(kind, Path::default().field(field), span, Some(fix));
    }

    fn list(&mut self, tree: Tree, api_version: &str, item_kind: &str) {
        let TreeValue::Mapping(entries) = tree.value else { return };
        let Some(Entry { value: items, .. }) = entries.into_iter().find(|entry| entry.key == "items") else { return };
        match items.value {
            TreeValue::Sequence(items) => {
                // The items of `kind: List` say what they are, those of `kind: NodeList` need not.
                let inherited = (!item_kind.is_empty()).then_some((api_version, item_kind));
                for item in items {
                    self.value(item, inherited);
                }
            }
            TreeValue::Null => {}
            other => {
                let found = value_kind(&other);
                self.report(ObjectProblem::ItemsNotAList { found }, Path::default().field("items"), items.span, None);
            }
        }
    }

    fn object(&mut self, kind: ObjectKind, tree: Tree) {
        let (json, reviewed) = if kind == ObjectKind::DaemonSet && !self.is_dump {
            let (text, document, before, version) = (self.text, self.document, self.before, self.version);
            let review = Review { text, document, before, version, ..Review::default() };
            let Reviewed { json, problems } = review_daemon_set(&tree, &review);
            self.read.problems.extend(problems.into_iter().filter(|problem| !says_type(problem)));
            (json, true)
        } else {
            (self.decoded(kind, &tree), false)
        };
        match Object::from_json(kind, &json) {
            Ok(object) => {
                let reviewed = reviewed.then_some(json);
                self.read.objects.push(Located { object, reviewed, document: self.document, tree });
            }
            Err(path) => {
                let span = tree.find(&path).0.span;
                self.report(ObjectProblem::Unfit, path, span, None);
            }
        }
    }

    /// Nodes, pods and the rest come from a cluster, perhaps one of another release: a field that 1.36 does not know
    /// is no fault there.
    fn decoded(&mut self, kind: ObjectKind, tree: &Tree) -> Value {
        let Some(id) = schema::type_named(kind.name()) else { return tree.to_json() };
        let version = KubernetesVersion::default();
        let Decoded { json, problems } =
            decode(id, tree, Decoding { text: self.text, document: self.document, strict: false, version });
        let is_error = |problem: &Problem| problem.kind.severity() == Severity::Error;
        self.read.problems.extend(problems.into_iter().filter(is_error));
        Value::Object(json)
    }
}

/// Whether a problem is about `apiVersion` or `kind`, which were looked at before.
fn says_type(problem: &Problem) -> bool {
    use super::DecodeProblem::{WrongApiVersion, WrongKind};
    matches!(problem.kind, ProblemKind::Decode(WrongApiVersion { .. } | WrongKind { .. }))
}

fn head_of(tree: &Tree) -> Span {
    match &tree.value {
        TreeValue::Mapping(entries) => entries.first().map_or(tree.span, |entry| entry.key_span),
        _ => tree.span,
    }
}

fn value_kind(value: &TreeValue) -> ValueKind {
    match value {
        TreeValue::Null => ValueKind::Null,
        TreeValue::Bool(_) => ValueKind::Bool,
        TreeValue::Number(_) => ValueKind::Number,
        TreeValue::String(_) => ValueKind::String,
        TreeValue::Sequence(_) => ValueKind::Sequence,
        TreeValue::Mapping(_) => ValueKind::Mapping,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_of_a_compact_text_leads_to_its_field() {
        let text = r#"{"a":"x\"{","spec":{"list":[1,{"b":2},{"c":{"d":"no number"}}]},"z":0}"#;
        let path = |needle: &str| path_at(text, text.find(needle).unwrap() + needle.len()).to_string();
        assert_eq!(path("no number\""), "spec.list[2].c.d");
        assert_eq!(path("[1,{\"b\":2"), "spec.list[1].b");
        assert_eq!(path("\"z\":0"), "z");
        assert_eq!(path("x\\\"{\""), "a");
    }

    const AGENT: &str = "apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: ops}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      containers:
      - {name: agent, image: agent:1}
";

    fn read_documents(bytes: &[u8]) -> Documents {
        super::read_documents(bytes, KubernetesVersion::default())
    }

    fn codes(read: &Documents) -> Vec<&'static str> {
        read.problems.iter().map(|problem| problem.kind.code()).collect()
    }

    fn kinds(read: &Documents) -> Vec<&'static str> {
        read.objects.iter().map(|located| located.object.kind().name()).collect()
    }

    #[test]
    fn objects_are_read_and_other_kinds_are_counted() {
        let text = format!(
            "{AGENT}---\napiVersion: v1\nkind: Service\n---\napiVersion: v1\nkind: Service\n---\n\
             apiVersion: v1\nkind: Node\nmetadata: {{name: a}}\n---\napiVersion: scheduling.k8s.io/v1\n\
             kind: PriorityClass\nmetadata: {{name: high}}\nvalue: 1000\n"
        );
        let read = read_documents(text.as_bytes());
        assert_eq!(read.problems, []);
        assert_eq!(kinds(&read), ["DaemonSet", "Node", "PriorityClass"]);
        assert!(read.skipped.iter().eq([(&Text::new("Service"), 2)]));
        assert_eq!(read.objects.iter().map(|located| located.document).collect::<Vec<_>>(), [0, 3, 4]);
        let Object::DaemonSet(agent) = &read.objects[0].object else { panic!("{:?}", read.objects[0]) };
        assert_eq!(agent.spec.template.spec().containers[0].image, "agent:1");
        let Object::PriorityClass(high) = &read.objects[2].object else { panic!("{:?}", read.objects[2]) };
        assert_eq!(high.value, 1000);
    }

    #[test]
    fn a_field_leads_back_to_its_line() {
        let read = read_documents(AGENT.as_bytes());
        let of_container = |names| Path::of("spec.template.spec.containers").index(0).fields(names);
        assert_eq!(read.objects[0].span_of(&of_container("image")).start.line, 10);
        assert_eq!(read.objects[0].span_of(&of_container("resources.limits")).start.line, 10);
    }

    #[test]
    fn lists_are_expanded_and_typed_lists_say_the_type_of_their_items() {
        let read = read_documents(
            b"apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Node, metadata: {name: a}}\n\
              - {apiVersion: v1, kind: Secret}\n- apiVersion: v1\n  kind: PodList\n  items:\n  - metadata: {name: p}\n",
        );
        assert_eq!((kinds(&read), codes(&read)), (vec!["Node", "Pod"], vec![]));
        assert_eq!(read.skipped.get("Secret"), Some(1));
        let read = read_documents(
            b"{\"apiVersion\": \"v1\", \"kind\": \"NodeList\", \"items\": [{\"metadata\": {\"name\": \"a\"}}]}",
        );
        assert_eq!((kinds(&read), codes(&read)), (vec!["Node"], vec![]));
        assert_eq!(codes(&read_documents(b"apiVersion: v1\nkind: List\nitems: {}\n")), ["items-not-a-list"]);
        assert_eq!(codes(&read_documents(b"apiVersion: v1\nkind: List\nitems: []\n")), Vec::<&str>::new());
        assert_eq!(read_documents(b"apiVersion: v1\nkind: CustomList\n").skipped.get("CustomList"), Some(1));
    }

    #[test]
    fn an_old_group_is_one_problem_with_its_repair_and_the_object_is_read() {
        let read = read_documents(AGENT.replace("apps/v1", "extensions/v1beta1").as_bytes());
        assert_eq!((kinds(&read), codes(&read)), (vec!["DaemonSet"], vec!["wrong-api-version"]));
        let fix = read.problems[0].fix.clone().unwrap();
        assert_eq!((fix.replacement.as_str(), fix.span.start.line, fix.span.start.column), ("apps/v1", 1, 13));
        let read = read_documents(AGENT.replace("kind: DaemonSet", "kind: Daemonset").as_bytes());
        assert_eq!((kinds(&read), codes(&read)), (vec!["DaemonSet"], vec!["misspelt-kind"]));
    }

    #[test]
    fn another_projects_daemon_set_is_skipped_and_said_to_be_one() {
        let read = read_documents(AGENT.replace("apps/v1", "apps.kruise.io/v1alpha1").as_bytes());
        assert_eq!((kinds(&read), codes(&read)), (vec![], vec!["foreign-daemon-set"]));
        assert!(!read.has_errors());
    }

    #[test]
    fn a_document_without_type_is_said_to_be_none() {
        assert_eq!(codes(&read_documents(b"a: 1\n")), ["missing-type"]);
        assert_eq!(codes(&read_documents(b"- 1\n---\nhello\n---\n~\n")), ["not-an-object", "not-an-object"]);
        let read = read_documents(AGENT.replace("apiVersion: apps/v1\n", "").as_bytes());
        assert_eq!((kinds(&read), codes(&read)), (vec!["DaemonSet"], vec!["missing-type"]));
        let read = read_documents(AGENT.replace("kind: DaemonSet\n", "").as_bytes());
        assert_eq!((kinds(&read), codes(&read)), (vec![], vec!["missing-type"]));
    }

    #[test]
    fn every_problem_shows_in_one_pass() {
        let text = AGENT.replace("agent:1}", "agent:1, image: agent:2, imagePullpolicy: Always}")
            + "---\na: [\n---\napiVersion: v1\nkind: Node\nmetadata: {name: 5}\nspec: {unknownToUs: 1}\n---\n"
            + "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nvalue: high\n";
        let read = read_documents(text.as_bytes());
        assert_eq!(codes(&read), ["repeated-key", "unknown-field", "yaml-syntax", "wrong-type", "unfit-value"]);
        assert_eq!(read.problems.iter().map(|problem| problem.document).collect::<Vec<_>>(), [0, 0, 1, 2, 3]);
        let last = &read.problems[4];
        assert_eq!((last.path.to_string().as_str(), last.span.start.line), ("value", 21));
        assert!(read.has_errors());
    }
}
