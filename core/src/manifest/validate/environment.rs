use super::node::Node;
use super::pod::Pod;
use super::report::Report;
use super::rules::Rule::{Fields, Given, RequiredShape, Set, Shape, With};
use super::rules::{Rules, apply};
use super::syntax::in_lower_case;
use super::{Syntax, ValidationProblem};
use crate::api::Text;

const VALUE_SOURCES: &[&str] = &["fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"];

/// Fields of the pod that a variable may hold.
const VARIABLE_FIELDS: &[&str] = &[
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
];

/// Fields of the pod that a file may hold.
const FILE_FIELDS: &[&str] =
    &["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"];

const RESOURCE_FIELDS: &[&str] = &[
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory",
];

const CPU_DIVISORS: &[&str] = &["1m", "1"];
const BYTE_DIVISORS: &[&str] = &["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"];

/// `ValidateEnv`.
pub(super) const OF_VARIABLE: &Rules = &[
    ("name", RequiredShape(Syntax::EnvironmentVariableName)),
    ("valueFrom", Fields(OF_VALUE_SOURCE)),
    ("", With(validate_value_source)),
];

const OF_VALUE_SOURCE: &Rules = &[
    ("fieldRef", Given(&With(|field, _, report| validate_field_reference(field, Downward::Variable, report)))),
    (
        "resourceFieldRef",
        Given(&With(|resource, _, report| validate_resource_reference(resource, Downward::Variable, report))),
    ),
    ("configMapKeyRef", Fields(OF_KEY)),
    ("secretKeyRef", Fields(OF_KEY)),
    (
        "fileKeyRef",
        Fields(&[
            ("key", RequiredShape(Syntax::EnvironmentVariableName)),
            ("volumeName", RequiredShape(Syntax::DnsLabel)),
            ("path", RequiredShape(Syntax::PathWithoutBacksteps)),
        ]),
    ),
];

const OF_KEY: &Rules = &[("name", Shape(Syntax::DnsSubdomain)), ("key", RequiredShape(Syntax::ConfigMapKey))];

fn validate_value_source(variable: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    let source = variable.field("valueFrom");
    if !source.exists() {
        return;
    }
    let has_any = VALUE_SOURCES.iter().any(|name| source.has(name));
    if has_any && !variable.text("value").is_empty() {
        report.error(&source, ValidationProblem::NotWith { other: "value" });
    } else {
        report.check_one_of(&source, &source.named, VALUE_SOURCES);
    }
}

const OF_ENVIRONMENT_SOURCE: &Rules = &[
    ("prefix", Set(&Shape(Syntax::EnvironmentVariableName))),
    ("configMapRef", Fields(&[("name", RequiredShape(Syntax::NamePrefix))])),
    ("secretRef", Fields(&[("name", RequiredShape(Syntax::NamePrefix))])),
];

/// Checks maps that become variables; which of two is given is asked of the list (`ValidateEnvFrom`).
pub(super) fn validate_environment_sources(sources: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    for source in sources.items() {
        apply(OF_ENVIRONMENT_SOURCE, &source, pod, report);
        report.check_one_of(&source, &sources.named, &["configMapRef", "secretRef"]);
    }
}

/// What a field of the pod becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Downward {
    /// A variable of the container itself.
    Variable,
    /// A file in a volume.
    File,
}

/// Checks which field of the pod is read (`validateObjectFieldSelector`).
pub(super) fn validate_field_reference(reference: &Node<'_>, downward: Downward, report: &mut Report<'_>) {
    let path = reference.field("fieldPath");
    let text = path.as_text();
    if text.is_empty() {
        report.error(&path, ValidationProblem::Required);
        return;
    }
    let supported = match downward {
        Downward::Variable => VARIABLE_FIELDS,
        Downward::File => FILE_FIELDS,
    };
    if reference.text("apiVersion") != "v1" {
        report.error(&path, ValidationProblem::OnlyWith { other: "apiVersion: v1" });
        return;
    }
    let subscript = text.strip_suffix("']").and_then(|text| text.split_once("['")).filter(|(path, _)| !path.is_empty());
    match subscript {
        Some(("metadata.annotations", key)) => report.check_text(reference, &in_lower_case(key), Syntax::LabelKey),
        Some(("metadata.labels", key)) => report.check_text(reference, key, Syntax::LabelKey),
        // A name of long ago.
        None if text == "spec.host" && downward == Downward::Variable => {}
        _ => report.check_word(&path, supported),
    }
}

/// Checks which amount of a container is read (`validateContainerResourceFieldSelector`).
pub(super) fn validate_resource_reference(reference: &Node<'_>, downward: Downward, report: &mut Report<'_>) {
    let (container, resource) = (reference.field("containerName"), reference.field("resource"));
    let name = resource.as_text();
    let is_huge_pages = name.starts_with("requests.hugepages-") || name.starts_with("limits.hugepages-");
    if downward == Downward::File && container.as_text().is_empty() {
        report.error(&container, ValidationProblem::Required);
    } else if name.is_empty() {
        report.error(&resource, ValidationProblem::Required);
    } else if !is_huge_pages {
        report.check_word(&resource, RESOURCE_FIELDS);
    }
    let divisor = reference.field("divisor");
    if divisor.quantity().is_none_or(crate::api::Quantity::is_zero) {
        return;
    }
    let supported = match name {
        "limits.cpu" | "requests.cpu" => CPU_DIVISORS,
        _ if is_huge_pages || RESOURCE_FIELDS.contains(&name) => BYTE_DIVISORS,
        _ => return,
    };
    if !supported.contains(&divisor.as_text()) {
        let value = Text::new(divisor.as_text());
        report.error(&divisor, ValidationProblem::NotSupported { value, supported, meant: None });
    }
}
