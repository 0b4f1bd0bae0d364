use super::names::Names;
use super::node::Node;
use super::pod::Pod;
use super::problem::{Place, Takes};
use super::report::Report;
use super::rules::Rule::{
    Each, Fields, Given, Minimum, RangeOrZero, Refused, Required, RequiredShape, Set, When, With, Word,
};
use super::rules::{Is, Rule, Rules, apply};
use super::selector::{validate_copied_label_keys, validate_label_selector, validate_requirements};
use super::{Syntax, ValidationProblem};

const NODE_OPERATORS: &[&str] = &["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"];
const FIELD_OPERATORS: &[&str] = &["In", "NotIn"];

/// `validateAffinity`.
pub(super) const OF_AFFINITY: &Rules = &[
    (
        "nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution",
        Fields(&[
            ("nodeSelectorTerms", Required),
            ("nodeSelectorTerms", Each(&[("", With(validate_required_node_term))])),
        ]),
    ),
    (
        "nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution",
        Each(&[("weight", WEIGHT), ("preference", With(validate_preferred_node_term))]),
    ),
    ("", Fields(OF_AFFINITY_BETWEEN_PODS)),
];

/// What of it is about other pods.
pub(super) const OF_AFFINITY_BETWEEN_PODS: &Rules =
    &[("podAffinity", Fields(OF_POD_AFFINITY)), ("podAntiAffinity", Fields(OF_POD_AFFINITY))];

const OF_POD_AFFINITY: &Rules = &[
    ("requiredDuringSchedulingIgnoredDuringExecution", Each(OF_POD_TERM)),
    (
        "preferredDuringSchedulingIgnoredDuringExecution",
        Each(&[
            ("weight", WEIGHT),
            ("podAffinityTerm", With(|term, pod, report| apply(OF_POD_TERM, term, pod, report))),
        ]),
    ),
];

const WEIGHT: Rule = RangeOrZero(&[1, 100]);

/// `validatePodAffinityTerm`.
const OF_POD_TERM: &Rules = &[
    ("labelSelector", With(validate_term_selector)),
    ("namespaceSelector", With(validate_term_selector)),
    ("", With(validate_namespaces)),
    ("", With(|term, _, report| validate_copied_label_keys(term, report))),
    ("topologyKey", RequiredShape(Syntax::LabelKey)),
];

fn validate_required_node_term(term: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    validate_node_term(term, !pod.allowance.bad_values_in_node_affinity, report);
}

/// Bad values only make the server warn here.
fn validate_preferred_node_term(term: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    validate_node_term(term, false, report);
}

/// `ValidateNodeSelectorTerm`.
fn validate_node_term(term: &Node<'_>, check_values: bool, report: &mut Report<'_>) {
    validate_requirements(&term.field("matchExpressions"), NODE_OPERATORS, check_values, report);
    for requirement in term.field("matchFields").items() {
        let values = requirement.field("values");
        if !FIELD_OPERATORS.contains(&requirement.text("operator")) {
            report.check_word(&requirement.field("operator"), FIELD_OPERATORS);
        } else if values.len() != 1 {
            report.error(&values, ValidationProblem::ValuesOfOperator { takes: Takes::One });
        }
        if requirement.text("key") == "metadata.name" {
            for value in values.items() {
                report.check(&value, Syntax::DnsSubdomain);
            }
        } else {
            report.check_word(&requirement.field("key"), &["metadata.name"]);
        }
    }
}

fn validate_term_selector(selector: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    validate_label_selector(selector, !pod.allowance.bad_values_in_selectors, report);
}

fn validate_namespaces(term: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    for namespace in term.field("namespaces").items() {
        report.check(&namespace.renamed(term.named.field("namespace")), Syntax::DnsLabel);
    }
}

const OF_EFFECT: &Rules = &[("", Set(&Word(&["NoSchedule", "PreferNoSchedule", "NoExecute"])))];

/// Checks tolerations (`ValidateTolerations`).
pub(super) fn validate_tolerations(tolerations: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    for toleration in tolerations.items() {
        let operator = toleration.field("operator");
        let (key, word, value) = (toleration.text("key"), operator.as_text(), toleration.text("value"));
        if key.is_empty() {
            if word != "Exists" {
                report.error(&operator, ValidationProblem::RequiredWith { other: "key: \"\"" });
            }
        } else {
            report.check(&toleration.field("key"), Syntax::LabelKey);
        }
        let effect = toleration.field("effect");
        if toleration.has("tolerationSeconds") && effect.as_text() != "NoExecute" {
            report.error(&effect, ValidationProblem::MustBeWith { word: "NoExecute", other: "tolerationSeconds" });
        }
        match word {
            "Equal" | "" => {
                report.check_text_at(&toleration.field("value"), &operator.named, value, Syntax::LabelValue);
            }
            "Exists" if !value.is_empty() => {
                let problem = ValidationProblem::NotWith { other: "operator: Exists" };
                report.error_at(&toleration.field("value"), &operator.named, problem);
            }
            "Exists" => {}
            "Lt" | "Gt" if pod.allowance.comparing_tolerations => {
                report.check(&toleration.field("value"), Syntax::DecimalInteger);
            }
            "Lt" | "Gt" if !pod.allowance.unknown_comparing_tolerations => {
                report.error(&operator, ValidationProblem::NotIn { place: Place::DefaultFeatures });
            }
            _ => report.check_word(&operator, &["Equal", "Exists"]),
        }
        apply(OF_EFFECT, &effect, pod, report);
    }
}

/// Checks what holds pods back from being placed (`validateSchedulingGates`).
pub(super) fn validate_scheduling_gates(gates: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    let mut names = Names::default();
    for gate in gates.items() {
        let name = gate.text("name");
        report.check_text(&gate, name, Syntax::LabelKey);
        if !names.insert(name) {
            report.duplicate(&gate, name);
        }
    }
}

/// Rules on how pods are spread (`validateTopologySpreadConstraints`).
const OF_SPREAD: &Rules = &[
    ("maxSkew", With(|skew, _, report| report.check_minimum(skew, Some(skew.as_number()), 1))),
    ("topologyKey", Required),
    ("whenUnsatisfiable", Word(&["DoNotSchedule", "ScheduleAnyway"])),
];

/// Those that come behind the comparison of constraints with each other.
const OF_SPREAD_BEHIND: &Rules = &[
    ("minDomains", Minimum(1)),
    (
        "minDomains",
        When(
            &[("minDomains", Is::Given), ("whenUnsatisfiable", Is::NoneOf(&["DoNotSchedule"]))],
            &Refused(&ValidationProblem::OnlyWith { other: "whenUnsatisfiable: DoNotSchedule" }),
        ),
    ),
    ("nodeAffinityPolicy", Given(&Word(SPREAD_POLICIES))),
    ("nodeTaintsPolicy", Given(&Word(SPREAD_POLICIES))),
    ("", With(validate_spread_keys)),
    ("labelSelector", With(validate_spread_selector)),
];

const SPREAD_POLICIES: &[&str] = &["Honor", "Ignore"];

/// Checks how pods are spread.
pub(super) fn validate_topology_spread(constraints: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    let pair =
        |constraint: &Node<'_>| [constraint.text("topologyKey"), constraint.text("whenUnsatisfiable")].join("\0");
    let mut last_of_pair = Names::default();
    for (index, constraint) in (0..).zip(constraints.items()) {
        last_of_pair.set(&pair(&constraint), index);
    }
    for (index, constraint) in (0..).zip(constraints.items()) {
        apply(OF_SPREAD, &constraint, pod, report);
        if last_of_pair.get(&pair(&constraint)).is_some_and(|last| last > index) {
            let named = constraint.named.field("{topologyKey, whenUnsatisfiable}");
            report.duplicate(&constraint.renamed(named), constraint.text("topologyKey"));
        }
        apply(OF_SPREAD_BEHIND, &constraint, pod, report);
    }
}

fn validate_spread_keys(constraint: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    if pod.allowance.conflicting_spread_keys {
        validate_spread_keys_of_old(constraint, report);
    } else {
        validate_copied_label_keys(constraint, report);
    }
}

fn validate_spread_selector(selector: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    if !pod.allowance.bad_spread_selectors {
        validate_label_selector(selector, true, report);
    }
}

/// The rule before keys were merged into the selector (`ValidateMatchLabelKeysInTopologySpread`).
fn validate_spread_keys_of_old(constraint: &Node<'_>, report: &mut Report<'_>) {
    let keys = constraint.field("matchLabelKeys");
    let selector = constraint.field("labelSelector");
    if keys.len() > 0 && !selector.exists() {
        report.error(&keys, ValidationProblem::OnlyWith { other: "labelSelector" });
    }
    for key in keys.items() {
        report.check(&key, Syntax::LabelKey);
        let text = key.as_text();
        let in_labels = selector.field("matchLabels").has(text);
        if in_labels || selector.field("matchExpressions").items().any(|other| other.text("key") == text) {
            report.duplicate(&key, text);
        }
    }
}
