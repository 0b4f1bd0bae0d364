use serde_json::Value;

use super::allowance::Allowance;
use super::metadata::{validate_annotations, validate_changed_metadata, validate_labels, validate_new_metadata};
use super::node::Node;
use super::pod::{Pod, validate_pod_spec};
use super::problem::Place;
use super::report::Report;
use super::rules::Rule::{Minimum, Refused, When, With, Without, Word};
use super::rules::{Is, Rules, apply};
use super::selector::{selector_matches, validate_label_selector};
use super::template::validate_pod_annotations;
use super::{Syntax, ValidationProblem};
use crate::KubernetesVersion;
use crate::json::value_at;

/// Checks a decoded and defaulted DaemonSet (`ValidateDaemonSet`, `ValidateDaemonSetUpdate`, Kubernetes 1.36).
pub(super) fn validate_daemon_set(
    daemon_set: &Node<'_>,
    before: Option<&Value>,
    version: KubernetesVersion,
    report: &mut Report<'_>,
) {
    let allowance = Allowance::of(before, version);
    let (metadata, spec) = (daemon_set.field("metadata"), daemon_set.field("spec"));
    let template = spec.field("template");
    let pod = Pod { spec: &template.field("spec"), volumes: None, allowance: &allowance };
    match before {
        None => validate_new_metadata(&metadata, &pod, report),
        Some(before) => {
            validate_changed_metadata(&metadata, before.get("metadata").unwrap_or(&Value::Null), report);
            let selector = spec.field("selector");
            if value_at(before, "spec.selector").unwrap_or(&Value::Null) != selector.value {
                report.error(&selector, ValidationProblem::Immutable);
            }
        }
    }
    apply(OF_SPEC, &spec, &pod, report);
}

/// `ValidateDaemonSetSpec`.
const OF_SPEC: &Rules = &[
    ("", With(validate_selector)),
    ("template", With(validate_template)),
    ("minReadySeconds", Minimum(0)),
    ("updateStrategy", With(validate_update_strategy)),
    ("revisionHistoryLimit", Minimum(0)),
];

fn validate_selector(spec: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    let selector = spec.field("selector");
    let template = spec.field("template");
    let metadata = template.field("metadata");
    let found_before = report.attempts();
    validate_label_selector(&selector, !pod.allowance.bad_values_in_selectors, report);
    let labels = metadata.field("labels");
    if report.attempts() == found_before && !selector_matches(&selector, &labels) {
        report.error(&labels, ValidationProblem::SelectorMismatch);
    }
    if selector.exists() && !selector.has("matchLabels") && !selector.has("matchExpressions") {
        report.error(&selector, ValidationProblem::EmptySelector);
    }
}

fn validate_template(template: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    let metadata = template.field("metadata");
    // The API server leaves `metadata` out of these paths.
    validate_labels(&metadata.field("labels"), &template.field("labels"), report);
    let named = template.field("annotations");
    validate_annotations(&metadata.field("annotations"), &named, report);
    let spec = pod.spec;
    validate_pod_annotations(&metadata.field("annotations"), &named, pod, report);
    validate_pod_spec(spec, pod.allowance, report);
    super::template::validate_annotations_and_fields(&metadata.field("annotations"), spec, report);
    apply(OF_TEMPLATE_SPEC, spec, pod, report);
}

/// What a DaemonSet asks of the pods of its template beyond what any template asks.
const OF_TEMPLATE_SPEC: &Rules = &[
    (
        "ephemeralContainers",
        When(&[("ephemeralContainers", Is::Filled)], &Refused(&ValidationProblem::NotIn { place: Place::PodTemplate })),
    ),
    ("restartPolicy", Word(&["Always"])),
    ("", Without(&["activeDeadlineSeconds"], Place::DaemonSet)),
];

fn validate_update_strategy(strategy: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    match strategy.text("type") {
        "OnDelete" => {}
        "RollingUpdate" => validate_rolling_update(&strategy.field("rollingUpdate"), report),
        _ => report.check_word_at(&strategy.field("type"), &strategy.named, &["RollingUpdate", "OnDelete"]),
    }
}

fn validate_rolling_update(rolling_update: &Node<'_>, report: &mut Report<'_>) {
    let (unavailable, surge) = (rolling_update.field("maxUnavailable"), rolling_update.field("maxSurge"));
    for count in [&unavailable, &surge] {
        match count.value {
            Value::String(text) => {
                report.check(count, Syntax::Percentage);
                if Syntax::Percentage.matches(text) && amount(count) > 100 {
                    report.error(count, ValidationProblem::AboveHundredPercent);
                }
            }
            _ => report.check_minimum(count, count.value.as_i64(), 0),
        }
    }
    match (amount(&unavailable) != 0, amount(&surge) != 0) {
        (true, true) => {
            let by_default = !report.is_written(&unavailable);
            report.error(&surge, ValidationProblem::SurgeBesideUnavailable { by_default });
        }
        (false, false) => report.error(&unavailable, ValidationProblem::NothingMayChange),
        _ => {}
    }
}

/// The number in a count or percentage, 0 when there is none (`getIntOrPercentValue`).
fn amount(count: &Node<'_>) -> i64 {
    match count.value {
        Value::String(text) => {
            let digits = if Syntax::Percentage.matches(text) { text.trim_end_matches('%') } else { text };
            let is_number =
                !digits.is_empty() && digits.trim_start_matches(['+', '-']).bytes().all(|byte| byte.is_ascii_digit());
            // Too many digits are a very large number.
            digits.parse().unwrap_or(if is_number { i64::MAX } else { 0 })
        }
        value => value.as_i64().unwrap_or(0),
    }
}
