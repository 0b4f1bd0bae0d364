use super::metadata::validate_labels;
use super::names::Names;
use super::node::Node;
use super::problem::Takes;
use super::report::Report;
use super::{Syntax, ValidationProblem};

/// The operators of label selectors.
const OPERATORS: &[&str] = &["In", "NotIn", "Exists", "DoesNotExist"];

/// Checks a label selector (`ValidateLabelSelector`). Values are not checked where an object that exists already has
/// bad ones.
pub(super) fn validate_label_selector(selector: &Node<'_>, check_values: bool, report: &mut Report<'_>) {
    let match_labels = selector.field("matchLabels");
    validate_labels(&match_labels, &match_labels, report);
    validate_requirements(&selector.field("matchExpressions"), OPERATORS, check_values, report);
}

/// Checks what is required of labels with one of these operators (`ValidateLabelSelectorRequirement`,
/// `ValidateNodeSelectorRequirement`).
pub(super) fn validate_requirements(
    requirements: &Node<'_>,
    operators: &'static [&'static str],
    check_values: bool,
    report: &mut Report<'_>,
) {
    for requirement in requirements.items() {
        let operator = requirement.field("operator");
        let values = requirement.field("values");
        let (takes, fits) = match operator.as_text() {
            "In" | "NotIn" => (Takes::Some, values.len() > 0),
            "Exists" | "DoesNotExist" => (Takes::None, values.len() == 0),
            _ => (Takes::One, values.len() == 1),
        };
        if !operators.contains(&operator.as_text()) {
            report.check_word(&operator, operators);
        } else if !fits {
            report.error(&values, ValidationProblem::ValuesOfOperator { takes });
        }
        report.check(&requirement.field("key"), Syntax::LabelKey);
        if check_values {
            for value in values.items() {
                report.check(&value, Syntax::LabelValue);
            }
        }
    }
}

/// Whether a well-formed selector matches labels; an absent one matches nothing.
pub(super) fn selector_matches(selector: &Node<'_>, labels: &Node<'_>) -> bool {
    if !selector.exists() {
        return false;
    }
    let label = |key: &str| labels.value.get(key).and_then(serde_json::Value::as_str);
    let all_labels = selector.field("matchLabels").entries().all(|(key, value)| label(key) == Some(value.as_text()));
    all_labels
        && selector.field("matchExpressions").items().all(|requirement| {
            let found = label(requirement.text("key"));
            let listed =
                found.is_some_and(|found| requirement.field("values").items().any(|value| value.as_text() == found));
            match requirement.text("operator") {
                "In" => listed,
                "NotIn" => !listed,
                "Exists" => found.is_some(),
                "DoesNotExist" => found.is_none(),
                _ => false,
            }
        })
}

/// Checks the keys that are copied from the pod into a selector (`ValidateMatchLabelKeysAndMismatchLabelKeys`).
pub(super) fn validate_copied_label_keys(owner: &Node<'_>, report: &mut Report<'_>) {
    let selector = owner.field("labelSelector");
    let (matching, mismatching) = (owner.field("matchLabelKeys"), owner.field("mismatchLabelKeys"));
    for keys in [&matching, &mismatching] {
        if keys.len() > 0 && !selector.exists() {
            report.error(keys, ValidationProblem::OnlyWith { other: "labelSelector" });
            continue;
        }
        for key in keys.items() {
            report.check(&key, Syntax::LabelKey);
        }
    }
    validate_merged_keys(owner, report);
    for key in matching.items() {
        if mismatching.items().any(|other| other.value == key.value) {
            report.duplicate(&key, key.as_text());
        }
    }
}

/// A key that is merged into the selector may be asked for once; the API server counts it as an element of the owner.
fn validate_merged_keys(owner: &Node<'_>, report: &mut Report<'_>) {
    let selector = owner.field("labelSelector");
    let matching = owner.field("matchLabelKeys");
    let mut seen = Names::default();
    for (key, _) in selector.field("matchLabels").entries() {
        seen.insert(key);
    }
    for requirement in selector.field("matchExpressions").items() {
        let key = requirement.text("key");
        let last = (0..matching.len()).rev().find(|position| matching.value.get(*position).is_some_and(|it| it == key));
        if let Some(position) = last.filter(|_| seen.contains(key)) {
            report.duplicate(&requirement.renamed(owner.named.index(position)), key);
        }
        seen.insert(key);
    }
}
