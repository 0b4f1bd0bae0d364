use super::allowance::Allowance;
use super::names::Names;
use super::node::Node;
use super::problem::{Place, Takes};
use super::report::Report;
use super::selector::{validate_copied_label_keys, validate_label_selector};
use super::{Syntax, ValidationProblem};
use crate::api::Text;

const NODE_OPERATORS: &[&str] = &["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"];
const FIELD_OPERATORS: &[&str] = &["In", "NotIn"];
const EFFECTS: &[&str] = &["NoSchedule", "PreferNoSchedule", "NoExecute"];
const SPREAD_POLICIES: &[&str] = &["Honor", "Ignore"];

/// Checks affinities (`validateAffinity`).
pub(super) fn validate_affinity(affinity: &Node<'_>, allowance: &Allowance, report: &mut Report<'_>) {
    let node = affinity.field("nodeAffinity");
    let required = node.field("requiredDuringSchedulingIgnoredDuringExecution");
    if required.exists() {
        let terms = required.field("nodeSelectorTerms");
        report.require(&terms);
        for term in terms.items() {
            validate_node_term(&term, !allowance.bad_values_in_node_affinity, report);
        }
    }
    for preferred in node.field("preferredDuringSchedulingIgnoredDuringExecution").items() {
        validate_weight(&preferred, report);
        // Bad values only make the server warn here.
        validate_node_term(&preferred.field("preference"), false, report);
    }
    for kind in ["podAffinity", "podAntiAffinity"] {
        let affinity = affinity.field(kind);
        for term in affinity.field("requiredDuringSchedulingIgnoredDuringExecution").items() {
            validate_pod_term(&term, allowance, report);
        }
        for preferred in affinity.field("preferredDuringSchedulingIgnoredDuringExecution").items() {
            validate_weight(&preferred, report);
            validate_pod_term(&preferred.field("podAffinityTerm"), allowance, report);
        }
    }
}

fn validate_weight(term: &Node<'_>, report: &mut Report<'_>) {
    let value = term.number("weight").unwrap_or(0);
    if !(1..=100).contains(&value) {
        report.error(&term.field("weight"), ValidationProblem::OutOfRange { value, minimum: 1, maximum: 100 });
    }
}

/// `ValidateNodeSelectorTerm`.
fn validate_node_term(term: &Node<'_>, check_values: bool, report: &mut Report<'_>) {
    for requirement in term.field("matchExpressions").items() {
        let values = requirement.field("values");
        let takes = match (requirement.text("operator"), values.len()) {
            ("In" | "NotIn", 0) => Some(Takes::Some),
            ("Exists" | "DoesNotExist", 1..) => Some(Takes::None),
            ("Gt" | "Lt", count) if count != 1 => Some(Takes::One),
            ("In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt", _) => None,
            _ => {
                report.check_word(&requirement.field("operator"), NODE_OPERATORS);
                None
            }
        };
        if let Some(takes) = takes {
            report.error(&values, ValidationProblem::ValuesOfOperator { takes });
        }
        report.check(&requirement.field("key"), Syntax::LabelKey);
        if check_values {
            for value in values.items() {
                report.check(&value, Syntax::LabelValue);
            }
        }
    }
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

/// `validatePodAffinityTerm`.
fn validate_pod_term(term: &Node<'_>, allowance: &Allowance, report: &mut Report<'_>) {
    for selector in ["labelSelector", "namespaceSelector"] {
        validate_label_selector(&term.field(selector), !allowance.bad_values_in_selectors, report);
    }
    for namespace in term.field("namespaces").items() {
        let text = namespace.as_text();
        if !Syntax::DnsLabel.matches(text) {
            let problem = ValidationProblem::Malformed { value: Text::new(text), syntax: Syntax::DnsLabel };
            report.error_at(&namespace, &term.named.field("namespace"), problem);
        }
    }
    validate_copied_label_keys(term, report);
    report.require_and_check(&term.field("topologyKey"), Syntax::LabelKey);
}

/// Checks tolerations (`ValidateTolerations`).
pub(super) fn validate_tolerations(tolerations: &Node<'_>, allowance: &Allowance, report: &mut Report<'_>) {
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
            "Equal" | "" if !Syntax::LabelValue.matches(value) => {
                let problem = ValidationProblem::Malformed { value: Text::new(value), syntax: Syntax::LabelValue };
                report.error_at(&toleration.field("value"), &operator.named, problem);
            }
            "Exists" if !value.is_empty() => {
                let problem = ValidationProblem::NotWith { other: "operator: Exists" };
                report.error_at(&toleration.field("value"), &operator.named, problem);
            }
            "Equal" | "" | "Exists" => {}
            "Lt" | "Gt" if allowance.comparing_tolerations => {
                report.check(&toleration.field("value"), Syntax::DecimalInteger);
            }
            "Lt" | "Gt" if !allowance.unknown_comparing_tolerations => {
                report.error(&operator, ValidationProblem::NotIn { place: Place::DefaultFeatures });
            }
            _ => report.check_word(&operator, &["Equal", "Exists"]),
        }
        if !effect.as_text().is_empty() {
            report.check_word(&effect, EFFECTS);
        }
    }
}

/// Checks what holds pods back from being placed (`validateSchedulingGates`).
pub(super) fn validate_scheduling_gates(gates: &Node<'_>, report: &mut Report<'_>) {
    let mut names = Names::default();
    for gate in gates.items() {
        let name = gate.text("name");
        report.check_text(&gate, name, Syntax::LabelKey);
        if !names.insert(name) {
            report.error(&gate, ValidationProblem::Duplicate { value: Text::new(name) });
        }
    }
}

/// Checks how pods are spread (`validateTopologySpreadConstraints`).
pub(super) fn validate_topology_spread(constraints: &Node<'_>, allowance: &Allowance, report: &mut Report<'_>) {
    let pair =
        |constraint: &Node<'_>| [constraint.text("topologyKey"), constraint.text("whenUnsatisfiable")].join("\0");
    let mut last_of_pair = Names::default();
    for (index, constraint) in (0..).zip(constraints.items()) {
        last_of_pair.set(&pair(&constraint), index);
    }
    for (index, constraint) in (0..).zip(constraints.items()) {
        let skew = constraint.number("maxSkew").unwrap_or(0);
        if skew < 1 {
            report.error(&constraint.field("maxSkew"), ValidationProblem::BelowMinimum { value: skew, minimum: 1 });
        }
        report.require(&constraint.field("topologyKey"));
        let action = constraint.field("whenUnsatisfiable");
        report.check_word(&action, &["DoNotSchedule", "ScheduleAnyway"]);
        if last_of_pair.get(&pair(&constraint)).is_some_and(|last| last > index) {
            let value = Text::new(constraint.text("topologyKey"));
            let named = constraint.named.field("{topologyKey, whenUnsatisfiable}");
            report.error_at(&constraint, &named, ValidationProblem::Duplicate { value });
        }
        let domains = constraint.field("minDomains");
        report.check_minimum(&domains, 1);
        if domains.exists() && action.as_text() != "DoNotSchedule" {
            report.error(&domains, ValidationProblem::OnlyWith { other: "whenUnsatisfiable: DoNotSchedule" });
        }
        for policy in ["nodeAffinityPolicy", "nodeTaintsPolicy"] {
            let policy = constraint.field(policy);
            if policy.exists() {
                report.check_word(&policy, SPREAD_POLICIES);
            }
        }
        if allowance.conflicting_spread_keys {
            validate_spread_keys_of_old(&constraint, report);
        } else {
            validate_copied_label_keys(&constraint, report);
        }
        if !allowance.bad_spread_selectors {
            validate_label_selector(&constraint.field("labelSelector"), true, report);
        }
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
            report.error(&key, ValidationProblem::Duplicate { value: Text::new(text) });
        }
    }
}
