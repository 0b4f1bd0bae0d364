use serde_json::Value;

use super::node::Node;
use super::pod::Pod;
use super::report::Report;
use super::scheduling::validate_tolerations;
use super::{Syntax, ValidationProblem};
use crate::api::Text;
use crate::json::from_text;

/// The kinds of containers in the order in which the API server visits them.
pub(super) const CONTAINER_LISTS: [&str; 3] = ["initContainers", "containers", "ephemeralContainers"];

pub(super) const APP_ARMOR_PREFIX: &str = "container.apparmor.security.beta.kubernetes.io/";
pub(super) const SECCOMP_CONTAINER_PREFIX: &str = "container.seccomp.security.alpha.kubernetes.io/";
pub(super) const SECCOMP_POD: &str = "seccomp.security.alpha.kubernetes.io/pod";
const MIRROR: &str = "kubernetes.io/config.mirror";
pub(super) const DELETION_COST: &str = "controller.kubernetes.io/pod-deletion-cost";
const TOLERATIONS: &str = "scheduler.alpha.kubernetes.io/tolerations";

/// Calls `visit` for every container of a pod spec.
pub(super) fn visit_containers(spec: &Node<'_>, mut visit: impl FnMut(&Node<'_>)) {
    // One copy of the loops for all callers.
    visit_each(spec, &mut visit);
}

fn visit_each(spec: &Node<'_>, visit: &mut dyn FnMut(&Node<'_>)) {
    for list in CONTAINER_LISTS {
        for container in spec.field(list).items() {
            visit(&container);
        }
    }
}

/// Checks annotations that mean something to Kubernetes (`ValidatePodSpecificAnnotations`).
pub(super) fn validate_pod_annotations(
    annotations: &Node<'_>,
    named: &Node<'_>,
    pod: &Pod<'_>,
    report: &mut Report<'_>,
) {
    for (key, value) in annotations.entries() {
        let text = value.as_text();
        let value = value.renamed(named.named.key(key));
        match key {
            MIRROR if pod.spec.text("nodeName").is_empty() => {
                report.error(&value, ValidationProblem::OnlyWith { other: "spec.nodeName" });
            }
            DELETION_COST if !pod.allowance.bad_deletion_cost && !is_deletion_cost(text) => {
                let problem = ValidationProblem::Malformed { value: Text::new(text), syntax: Syntax::Int32 };
                report.error(&value, problem);
            }
            TOLERATIONS if !text.is_empty() => validate_annotated_tolerations(&value, named, pod, report),
            _ => {}
        }
        if key == SECCOMP_POD || key.starts_with(SECCOMP_CONTAINER_PREFIX) {
            validate_seccomp(&value.renamed(named.named.field(key)), report);
        }
        if let Some(container) = key.strip_prefix(APP_ARMOR_PREFIX) {
            let mut found = false;
            visit_containers(pod.spec, |candidate| found |= candidate.text("name") == container);
            if !found {
                let problem = ValidationProblem::NotFound { value: Text::new(container), among: "containers" };
                report.error(&value, problem);
            }
            report.check(&value, Syntax::AppArmorAnnotation);
        }
    }
}

/// A 32-bit number in its shortest form (`GetDeletionCostFromPodAnnotations`).
pub(super) fn is_deletion_cost(text: &str) -> bool {
    let starts_well = text == "0" || text.starts_with(|first: char| first == '-' || ('1'..='9').contains(&first));
    starts_well && Syntax::Int32.matches(text)
}

fn validate_annotated_tolerations(value: &Node<'_>, named: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    match from_text(value.as_text()) {
        Some(Value::Array(tolerations)) => {
            let tolerations = Value::Array(tolerations);
            let named = named.named.field(TOLERATIONS);
            let annotated = Node { value: &tolerations, at: value.at, named };
            validate_tolerations(&annotated, pod, report);
        }
        Some(Value::Null) => {}
        _ => report.error_at(
            value,
            &named.named,
            ValidationProblem::NotFound { value: Text::new(TOLERATIONS), among: "JSON" },
        ),
    }
}

fn validate_seccomp(profile: &Node<'_>, report: &mut Report<'_>) {
    let Some(path) = profile.as_text().strip_prefix("localhost/") else {
        return report.check(profile, Syntax::SeccompAnnotation);
    };
    let shapes = [Syntax::RelativePath, Syntax::PathWithoutBacksteps];
    if let Some(syntax) = shapes.into_iter().find(|syntax| !syntax.matches(path)) {
        report.error(profile, ValidationProblem::Malformed { value: Text::new(profile.as_text()), syntax });
    }
}

/// Checks that old annotations and the fields that replaced them say the same (`validateSeccompAnnotationsAndFields`,
/// `validateAppArmorAnnotationsAndFieldsMatchOnCreate`).
pub(super) fn validate_annotations_and_fields(annotations: &Node<'_>, spec: &Node<'_>, report: &mut Report<'_>) {
    if annotations.len() == 0 {
        return;
    }
    let annotation = |key: &str| annotations.value.get(key).and_then(Value::as_str);
    let pod_context = spec.field("securityContext");
    let pod_seccomp = pod_context.field("seccompProfile");
    if let Some(annotation) = annotation(SECCOMP_POD).filter(|_| pod_seccomp.exists()) {
        compare_profile(annotation, &pod_seccomp, report);
    }
    let pod_profile = pod_context.field("appArmorProfile");
    let is_windows = spec.field("os").text("name") == "windows";
    visit_containers(spec, |container| {
        let context = container.field("securityContext");
        let name = container.text("name");
        let seccomp = context.field("seccompProfile");
        if let Some(annotation) = annotation(&[SECCOMP_CONTAINER_PREFIX, name].concat()).filter(|_| seccomp.exists()) {
            compare_profile(annotation, &seccomp, report);
        }
        let own = context.field("appArmorProfile");
        let effective = if own.exists() { own } else { pod_profile };
        let annotation = annotation(&[APP_ARMOR_PREFIX, name].concat());
        if let Some(annotation) = annotation.filter(|_| effective.exists() && !is_windows) {
            compare_profile(annotation, &effective.renamed(own.named), report);
        }
    });
}

fn compare_profile(annotation: &str, profile: &Node<'_>, report: &mut Report<'_>) {
    let matches = match profile.text("type") {
        "Unconfined" => annotation == "unconfined",
        "RuntimeDefault" => matches!(annotation, "runtime/default" | "docker/default"),
        "Localhost" => annotation.starts_with("localhost/"),
        // What is no type is reported as such.
        _ => return,
    };
    if !matches {
        report.error_in(profile, "type", ValidationProblem::MustMatch { other: "the annotation" });
    } else if let Some(path) = annotation.strip_prefix("localhost/")
        && profile.text("localhostProfile") != path
    {
        report.error_in(profile, "localhostProfile", ValidationProblem::MustMatch { other: "the annotation" });
    }
}
