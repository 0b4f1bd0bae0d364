//! The three documents become objects and faults.

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{ControllerRevision, DaemonSet, Node, Pod};
use rollcast_core::manifest::{
    self, Documents, Located, Object, Path, PathStep, Review, Severity as CoreSeverity, is_dump, read_documents,
    review_daemon_set,
};
use rollcast_core::message::{Language, Words};
use rollcast_core::scenario::{NodePool, PoolProblem};
use serde_json::Value;

use crate::model::{Problem, Severity};
use crate::protocol::Input;
use crate::state::{DocumentId, Knobs};

/// The page lists no more problems of a document than this; placing each costs a walk through the text.
const PROBLEMS: usize = 200;

/// What stands in the three documents.
#[derive(Debug, Default)]
pub struct Reading {
    /// The DaemonSet as it runs; absent when it does not run yet.
    pub before: Option<Box<DaemonSet>>,
    /// What it becomes, the knobs turned; absent when there is none or it has errors.
    pub after: Option<Box<DaemonSet>>,
    /// The change as written, for places of fields.
    pub written: Option<Box<Located>>,
    /// The document that the change stands in.
    pub written_in: Option<DocumentId>,
    /// The API server would refuse it.
    pub refused: bool,
    pub nodes: Vec<Node>,
    pub pods: Vec<Pod>,
    pub revisions: Vec<ControllerRevision>,
    faults: [Vec<Fault>; 3],
    /// What the API server says to the knobs.
    knob_faults: Vec<manifest::Problem>,
    /// `maxUnavailable`, `maxSurge` and `minReadySeconds` as the change states them.
    pub stated: [String; 3],
}

#[derive(Debug)]
enum Fault {
    Text(Box<manifest::Problem>),
    Pool { problem: PoolProblem, line: u32, from: usize, to: usize },
}

/// Reads all three documents; a cluster that is a dump is left to [`Gathering`](super::dump::Gathering).
pub fn read(input: &Input) -> Reading {
    let [before_text, change_text, cluster_text] = &input.documents;
    let mut reading = Reading::default();
    let before = read_daemon_set(before_text, None);
    let change = read_daemon_set(change_text, before.located.as_ref().and_then(|located| located.reviewed.as_ref()));
    if input.dump.is_none() {
        read_cluster(cluster_text, &mut reading);
    }

    reading.refused = change.refused || (change.located.is_none() && before.refused);
    let (mut located, document) = match (change.located, &before.located) {
        (Some(located), _) => (Some(located), DocumentId::Change),
        // Without a change, what runs stays.
        (None, before) => (before.clone(), DocumentId::DaemonSet),
    };
    reading.before = before.located.as_ref().filter(|_| !before.refused).and_then(daemon_set_of);
    if let Some(located) = &mut located {
        reading.after = daemon_set_of(located);
        reading.stated = stated(located.reviewed.as_ref());
        turn_knobs(&input.knobs, located, &mut reading);
    }
    reading.written = located.map(Box::new);
    reading.written_in = Some(document);
    let [of_before, of_change, _] = &mut reading.faults;
    (*of_before, *of_change) = (before.faults, change.faults);
    reading
}

struct Subject {
    located: Option<Located>,
    refused: bool,
    faults: Vec<Fault>,
}

fn read_daemon_set(text: &str, before: Option<&Value>) -> Subject {
    if text.trim().is_empty() {
        return Subject { located: None, refused: false, faults: Vec::new() };
    }
    let Documents { objects, mut problems, .. } = read_documents(text.as_bytes(), KubernetesVersion::default());
    let mut located = objects.into_iter().find(|located| matches!(located.object, Object::DaemonSet(_)));
    if let (Some(located), Some(before)) = (&mut located, before) {
        // What was reviewed as a creation is an update.
        let review = Review { text, document: located.document, before: Some(before), ..Review::default() };
        let reviewed = review_daemon_set(&located.tree, &review);
        problems
            .extend(reviewed.problems.into_iter().filter(|problem| !problems.contains(problem)).collect::<Vec<_>>());
    }
    let refused = problems.iter().any(|problem| problem.kind.severity() == CoreSeverity::Error);
    Subject { located, refused, faults: problems.into_iter().map(|problem| Fault::Text(Box::new(problem))).collect() }
}

fn daemon_set_of(located: &Located) -> Option<Box<DaemonSet>> {
    match &located.object {
        Object::DaemonSet(daemon_set) => Some(daemon_set.clone()),
        _ => None,
    }
}

/// Fields that knobs stand for, below `spec`.
const KNOB_FIELDS: [&str; 3] = [
    "/spec/updateStrategy/rollingUpdate/maxUnavailable",
    "/spec/updateStrategy/rollingUpdate/maxSurge",
    "/spec/minReadySeconds",
];

fn stated(reviewed: Option<&Value>) -> [String; 3] {
    KNOB_FIELDS.map(|field| match reviewed.and_then(|value| value.pointer(field)) {
        Some(Value::String(text)) => text.clone(),
        Some(number @ Value::Number(_)) => rollcast_core::json::to_text(number),
        // Go leaves a zero out.
        _ if field.ends_with("/minReadySeconds") => "0".to_owned(),
        _ => String::new(),
    })
}

/// Writes the knobs into the change and has the result reviewed like any other text.
fn turn_knobs(knobs: &Knobs, located: &Located, reading: &mut Reading) {
    let turned = [&knobs.max_unavailable, &knobs.max_surge, &knobs.min_ready_seconds];
    let Some(mut json) = located.reviewed.clone().filter(|_| turned.iter().any(|knob| knob.is_some())) else { return };
    for (field, knob) in KNOB_FIELDS.into_iter().zip(turned) {
        let Some(knob) = knob else { continue };
        let value = knob.parse::<i64>().map_or_else(|_| Value::from(knob.as_str()), Value::from);
        set(&mut json, field, value);
    }
    let Documents { objects, problems, .. } =
        read_documents(rollcast_core::json::to_text(&json).as_bytes(), KubernetesVersion::default());
    let errors = problems.into_iter().filter(|problem| problem.kind.severity() == CoreSeverity::Error);
    reading.knob_faults = errors.collect();
    if reading.knob_faults.is_empty() {
        let turned = objects.iter().find_map(daemon_set_of);
        reading.after = turned.or_else(|| reading.after.take());
    }
}

/// Sets a field on a way of objects, making those that are missing.
fn set(json: &mut Value, pointer: &str, value: Value) {
    let mut here = json;
    for step in pointer.split('/').skip(1) {
        if !here.is_object() {
            *here = Value::Object(serde_json::Map::new());
        }
        let Some(object) = here.as_object_mut() else { return };
        here = object.entry(step).or_insert(Value::Null);
    }
    *here = value;
}

fn read_cluster(text: &str, reading: &mut Reading) {
    let [_, _, faults] = &mut reading.faults;
    if is_pools(text) {
        let mut from = 0;
        for (line, content) in (1..).zip(text.split('\n')) {
            let described = content.trim();
            if !described.is_empty() && !described.starts_with('#') {
                match NodePool::parse(described) {
                    Ok(pool) => reading.nodes.extend(pool.nodes()),
                    Err(problem) => faults.push(Fault::Pool { problem, line, from, to: from + content.len() }),
                }
            }
            from += content.len() + 1;
        }
    } else if !text.trim().is_empty() && !is_dump(text.len() as u64) {
        let Documents { objects, problems, .. } = read_documents(text.as_bytes(), KubernetesVersion::default());
        for located in objects {
            reading.take_in(located.object);
        }
        reading.cluster_problems(problems);
    }
}

/// Whether a text describes pools of nodes, a line each: its first line that says something has a `=` before any `:`.
fn is_pools(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| {
        let end = line.find(':').unwrap_or(line.len());
        line.find('=').is_some_and(|equals| equals < end)
    })
}

impl Reading {
    /// Takes an object of the cluster in; of other kinds there is nothing to show.
    pub fn take_in(&mut self, object: Object) {
        match object {
            Object::Node(node) => self.nodes.push(*node),
            Object::Pod(pod) => self.pods.push(*pod),
            Object::ControllerRevision(revision) => self.revisions.push(*revision),
            Object::DaemonSet(_) | Object::PriorityClass(_) => {}
        }
    }

    /// What is wrong with the cluster's text.
    pub fn cluster_problems(&mut self, problems: Vec<manifest::Problem>) {
        let [_, _, faults] = &mut self.faults;
        faults.extend(problems.into_iter().map(|problem| Fault::Text(Box::new(problem))));
    }

    /// Takes the cluster of an earlier reading of the same text.
    pub fn take_cluster(&mut self, other: &mut Self) {
        self.nodes = std::mem::take(&mut other.nodes);
        self.pods = std::mem::take(&mut other.pods);
        self.revisions = std::mem::take(&mut other.revisions);
        let ([_, _, faults], [_, _, others]) = (&mut self.faults, &mut other.faults);
        *faults = std::mem::take(others);
    }

    /// The problems of the three documents, as the editor takes them.
    pub fn problems(&self, input: &Input, language: Language) -> [Vec<Problem>; 3] {
        let mut documents = input.documents.iter();
        self.faults.each_ref().map(|faults| {
            // The text of a dump is not here, and has no places to jump to.
            let text = documents.next().filter(|_| documents.len() > 0 || input.dump.is_none());
            let mut counted = Counted::of(text.map_or("", String::as_str));
            faults.iter().take(PROBLEMS).map(|fault| fault.placed(&mut counted, language)).collect()
        })
    }

    /// What is wrong with the knobs, in the order of [`Knobs`]' fields that are written into the object.
    pub fn knob_problems(&self, language: Language) -> [Option<String>; 3] {
        ["maxUnavailable", "maxSurge", "minReadySeconds"].map(|field| {
            let problem = self.knob_faults.iter().find(|problem| names(&problem.path, field));
            // A problem of the strategy as a whole is shown at its first knob.
            let problem = problem.or_else(|| self.knob_faults.first().filter(|_| field == "maxUnavailable"));
            problem.map(|problem| problem.words(language))
        })
    }
}

fn names(path: &Path, field: &str) -> bool {
    matches!(path.0.last(), Some(PathStep::Field(name)) if name == field)
}

impl Fault {
    fn placed(&self, counted: &mut Counted<'_>, language: Language) -> Problem {
        match self {
            Self::Text(problem) => {
                let span = &problem.span;
                let [from, to] = [span.start, span.end].map(|at| usize::try_from(at.offset).unwrap_or(usize::MAX));
                let from_units = counted.units(from);
                Problem {
                    severity: match problem.kind.severity() {
                        CoreSeverity::Error => Severity::Error,
                        CoreSeverity::Warning => Severity::Warning,
                        CoreSeverity::Note => Severity::Info,
                    },
                    code: problem.kind.code().to_owned(),
                    message: problem.words(language),
                    path: problem.path.to_string(),
                    line: span.start.line,
                    column: span.start.column,
                    from: from_units,
                    to: from_units + counted.units_between(from, to),
                }
            }
            Self::Pool { problem, line, from, to } => {
                let from_units = counted.units(*from);
                Problem {
                    severity: Severity::Error,
                    code: "node-pool".to_owned(),
                    message: problem.words(language),
                    path: String::new(),
                    line: *line,
                    column: 1,
                    from: from_units,
                    to: from_units + counted.units_between(*from, *to),
                }
            }
        }
    }
}

/// A text of which UTF-16 units are counted, as the editor counts: one place after the other costs one walk.
struct Counted<'a> {
    text: &'a str,
    /// The last place that was asked for, in bytes and in units.
    last: (usize, u32),
}

impl<'a> Counted<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, last: (0, 0) }
    }

    /// The units before a byte offset.
    fn units(&mut self, offset: usize) -> u32 {
        let (from, before) = if self.last.0 <= offset { self.last } else { (0, 0) };
        let units = before + self.units_between(from, offset);
        self.last = (offset, units);
        units
    }

    /// The units between two byte offsets, the second at most the text's end.
    fn units_between(&self, from: usize, to: usize) -> u32 {
        let to = to.min(self.text.len());
        let between = self.text.get(from..to).unwrap_or_default();
        u32::try_from(between.encode_utf16().count()).unwrap_or(u32::MAX)
    }
}

/// A byte offset as the editor counts.
pub fn utf16(text: &str, offset: usize) -> u32 {
    Counted::of(text).units(offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAEMON_SET: &str = "\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: default}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      containers: [{name: agent, image: agent:1}]
";

    fn input(documents: [&str; 3]) -> Input {
        Input {
            documents: documents.map(String::from),
            knobs: Knobs::default(),
            language: crate::state::Language::English,
            dump: None,
        }
    }

    #[test]
    fn pools_are_told_from_manifests_by_their_first_line() {
        assert!(is_pools("# three\n\nname=a,count=3,label=zone=a/b"));
        assert!(is_pools("count=3,taint=k=v:NoSchedule"));
        assert!(!is_pools("apiVersion: v1\nkind: List"));
        assert!(!is_pools("metadata: {labels: a=b}"));
        assert!(!is_pools("# nothing"));
    }

    #[test]
    fn a_pool_that_cannot_be_read_is_reported_at_its_line() {
        let input = input([DAEMON_SET, DAEMON_SET, "# 中文\nname=a,count=2\ncount=many\n"]);
        let reading = read(&input);
        assert_eq!(reading.nodes.len(), 2);
        let [.., problems] = reading.problems(&input, Language::English);
        assert_eq!(problems.len(), 1);
        assert_eq!((problems[0].line, problems[0].from, problems[0].to), (3, 20, 30));
    }

    #[test]
    fn without_a_change_what_runs_stays() {
        let reading = read(&input([DAEMON_SET, "", ""]));
        assert_eq!(reading.before, reading.after);
        assert_eq!(reading.written_in, Some(DocumentId::DaemonSet));
        assert!(!reading.refused);
    }

    #[test]
    fn a_change_that_the_api_server_would_refuse_is_refused() {
        let changed = DAEMON_SET.replace("containers:", "containrs:");
        let input = input([DAEMON_SET, &changed, ""]);
        let reading = read(&input);
        assert!(reading.refused);
        let [before, change, _] = reading.problems(&input, Language::English);
        assert!(before.is_empty() && !change.is_empty());
        assert_eq!(change[0].line, 9);
    }

    #[test]
    fn a_knob_is_reviewed_like_a_text() {
        let mut input = input([DAEMON_SET, DAEMON_SET, ""]);
        input.knobs.max_unavailable = Some("25%".into());
        let reading = read(&input);
        let strategy = &reading.after.as_ref().unwrap().spec.update_strategy.rolling_update;
        assert_eq!(serde_json::to_value(&strategy.max_unavailable).unwrap(), Value::from("25%"));
        assert_eq!(reading.knob_problems(Language::English), [None, None, None]);
        assert_eq!(reading.stated, ["1", "0", "0"].map(String::from));

        input.knobs.max_unavailable = Some("many".into());
        let reading = read(&input);
        assert!(reading.knob_problems(Language::Chinese)[0].is_some());
        assert_eq!(reading.after, read(&self::input([DAEMON_SET, DAEMON_SET, ""])).after, "played as written");
    }

    #[test]
    fn an_offset_behind_chinese_counts_as_the_editor_counts() {
        assert_eq!(utf16("中文a", 6), 2);
        assert_eq!(utf16("😀a", 4), 2);
        assert_eq!(utf16("ab", 99), 2);
    }
}
