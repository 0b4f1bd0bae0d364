use super::node::Node;
use super::report::Report;
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

/// Checks variables (`ValidateEnv`).
pub(super) fn validate_environment(variables: &Node<'_>, report: &mut Report<'_>) {
    for variable in variables.items() {
        report.require_and_check(&variable.field("name"), Syntax::EnvironmentVariableName);
        let source = variable.field("valueFrom");
        if source.exists() {
            validate_value_source(&variable, &source, report);
        }
    }
}

fn validate_value_source(variable: &Node<'_>, source: &Node<'_>, report: &mut Report<'_>) {
    if source.has("fieldRef") {
        validate_field_reference(&source.field("fieldRef"), Downward::Variable, report);
    }
    if source.has("resourceFieldRef") {
        validate_resource_reference(&source.field("resourceFieldRef"), Downward::Variable, report);
    }
    for reference in ["configMapKeyRef", "secretKeyRef"] {
        if source.has(reference) {
            let reference = source.field(reference);
            report.check(&reference.field("name"), Syntax::DnsSubdomain);
            report.require_and_check(&reference.field("key"), Syntax::ConfigMapKey);
        }
    }
    if source.has("fileKeyRef") {
        let reference = source.field("fileKeyRef");
        report.require_and_check(&reference.field("key"), Syntax::EnvironmentVariableName);
        report.require_and_check(&reference.field("volumeName"), Syntax::DnsLabel);
        report.require_and_check(&reference.field("path"), Syntax::PathWithoutBacksteps);
    }
    let sources = VALUE_SOURCES.iter().filter(|name| source.has(name)).count();
    if sources == 0 {
        report.error(source, ValidationProblem::OneOfRequired { choices: VALUE_SOURCES });
    } else if !variable.text("value").is_empty() {
        report.error(source, ValidationProblem::NotWith { other: "value" });
    } else if sources > 1 {
        report.error(source, ValidationProblem::MoreThanOne);
    }
}

/// Checks maps that become variables; which of two is given is asked of the list (`ValidateEnvFrom`).
pub(super) fn validate_environment_sources(sources: &Node<'_>, report: &mut Report<'_>) {
    const CHOICES: &[&str] = &["configMapRef", "secretRef"];
    for source in sources.items() {
        report.check_if_set(&source.field("prefix"), Syntax::EnvironmentVariableName);
        for choice in CHOICES.iter().filter(|choice| source.has(choice)) {
            let choice = source.field(choice);
            report.require_and_check(&choice.field("name"), Syntax::NamePrefix);
        }
        match CHOICES.iter().filter(|choice| source.has(choice)).count() {
            0 => report.error_at(&source, &sources.named, ValidationProblem::OneOfRequired { choices: CHOICES }),
            1 => {}
            _ => report.error_at(&source, &sources.named, ValidationProblem::MoreThanOne),
        }
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
