use super::environment::{validate_environment, validate_environment_sources};
use super::mounts::{validate_devices, validate_mounts};
use super::names::Names;
use super::network::{validate_host_port_conflicts, validate_ports};
use super::node::Node;
use super::pod::Pod;
use super::probes::{validate_lifecycle, validate_probes};
use super::problem::Place;
use super::report::Report;
use super::resources::{validate_claims_of, validate_container_resources};
use super::security::validate_container_security;
use super::{Syntax, ValidationProblem};
use crate::api::Text;

const PULL_POLICIES: &[&str] = &["Always", "IfNotPresent", "Never"];
const RESTART_POLICIES: &[&str] = &["Always", "Never", "OnFailure"];
const MOST_RESTART_RULES: usize = 20;
const MOST_EXIT_CODES: usize = 255;

/// Checks the containers that run (`validateContainers`).
pub(super) fn validate_containers(pod: &Pod<'_>, report: &mut Report<'_>) {
    let containers = pod.spec.field("containers");
    if containers.len() == 0 {
        report.error(&containers, ValidationProblem::Required);
        return;
    }
    let mut names = Names::default();
    for container in containers.items() {
        validate_any_container(&container, pod, report);
        if !names.insert(container.text("name")) {
            let problem = ValidationProblem::Duplicate { value: Text::new(container.text("name")) };
            report.error(&container.field("name"), problem);
        }
        validate_lifecycle(&container.field("lifecycle"), pod, report);
        validate_probes(&container, report);
        validate_restart_policy(&container, false, report);
    }
    validate_host_port_conflicts(&mut containers.items(), &containers, report);
}

/// Checks the containers that run before (`validateInitContainers`).
pub(super) fn validate_init_containers(pod: &Pod<'_>, report: &mut Report<'_>) {
    let containers = pod.spec.field("initContainers");
    let regular = pod.spec.field("containers");
    let mut names = Names::of(&regular, "name");
    for container in containers.items() {
        validate_any_container(&container, pod, report);
        validate_restart_policy(&container, true, report);
        let name = container.text("name");
        if !names.insert(name) && !name.is_empty() {
            report.error(&container.field("name"), ValidationProblem::Duplicate { value: Text::new(name) });
        }
        // One runs after the other. Upstream counts each as the first of its list.
        validate_host_port_conflicts(&mut std::iter::once(container), &containers, report);
        if container.text("restartPolicy") == "Always" {
            validate_lifecycle(&container.field("lifecycle"), pod, report);
            validate_probes(&container, report);
            continue;
        }
        for field in ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] {
            if container.has(field) {
                report.error(&container.field(field), ValidationProblem::NotIn { place: Place::InitContainer });
            }
        }
        if !pod.allowance.resize_restarts_init_containers {
            for policy in container.field("resizePolicy").items() {
                if policy.text("restartPolicy") == "RestartContainer" {
                    let problem = ValidationProblem::NotIn { place: Place::InitContainer };
                    report.error(&policy.field("restartPolicy"), problem);
                }
            }
        }
    }
}

/// Fields that a container for debugging may not have.
const NOT_FOR_EPHEMERAL: [&str; 9] = [
    "ports",
    "resources",
    "resizePolicy",
    "restartPolicy",
    "restartPolicyRules",
    "livenessProbe",
    "readinessProbe",
    "startupProbe",
    "lifecycle",
];

/// Checks containers for debugging, which a template may not have at all (`validateEphemeralContainers`).
pub(super) fn validate_ephemeral_containers(pod: &Pod<'_>, report: &mut Report<'_>) {
    let containers = pod.spec.field("ephemeralContainers");
    let (init, regular) = (pod.spec.field("initContainers"), pod.spec.field("containers"));
    let mut others = Names::of(&init, "name");
    others.add(&regular, "name");
    let mut names = Names::of(&init, "name");
    names.add(&regular, "name");
    for container in containers.items() {
        validate_any_container(&container, pod, report);
        let name = container.text("name");
        if !names.insert(name) {
            report.error(&container.field("name"), ValidationProblem::Duplicate { value: Text::new(name) });
        }
        let target = container.text("targetContainerName");
        if !target.is_empty() && !others.contains(target) {
            let problem = ValidationProblem::NotFound { value: Text::new(target), among: "containers" };
            report.error(&container.field("targetContainerName"), problem);
        }
        for field in NOT_FOR_EPHEMERAL {
            // `resources` is always there.
            if container.has(field) && (field != "resources" || container.field(field).len() > 0) {
                report.error(&container.field(field), ValidationProblem::NotIn { place: Place::EphemeralContainer });
            }
        }
        for mount in container.field("volumeMounts").items() {
            for field in ["subPath", "subPathExpr"] {
                if !mount.text(field).is_empty() {
                    report.error(&mount.field(field), ValidationProblem::NotIn { place: Place::EphemeralContainer });
                }
            }
        }
    }
}

/// What all kinds of containers have in common (`validateContainerCommon`).
fn validate_any_container(container: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    report.require_and_check(&container.field("name"), Syntax::DnsLabel);
    report.require(&container.field("image"));
    report.require_word(&container.field("terminationMessagePolicy"), &["File", "FallbackToLogsOnError"]);
    validate_ports(&container.field("ports"), report);
    validate_environment(&container.field("env"), report);
    validate_environment_sources(&container.field("envFrom"), report);
    validate_mounts(container, pod, report);
    validate_devices(container, pod, report);
    report.require_word(&container.field("imagePullPolicy"), PULL_POLICIES);
    let resources = container.field("resources");
    validate_container_resources(&resources, report);
    validate_claims_of(&resources.field("claims"), pod, report);
    validate_resize_policy(&container.field("resizePolicy"), report);
    validate_container_security(&container.field("securityContext"), pod, report);
}

/// How a change of resources reaches a running container; all paths but of repeated ones are those of the list
/// (`validateResizePolicy`).
fn validate_resize_policy(policies: &Node<'_>, report: &mut Report<'_>) {
    let mut resources = Names::default();
    for policy in policies.items() {
        let resource = policy.text("resourceName");
        if !resources.insert(resource) {
            report.error(&policy, ValidationProblem::Duplicate { value: Text::new(resource) });
        }
        let supported: [(&str, &'static [&'static str]); 2] =
            [("resourceName", &["cpu", "memory"]), ("restartPolicy", &["NotRequired", "RestartContainer"])];
        for (field, words) in supported {
            let node = policy.field(field);
            if node.as_text().is_empty() {
                report.error_at(&node, &policies.named, ValidationProblem::Required);
            } else {
                report.check_word_at(&node, &policies.named, words);
            }
        }
    }
}

/// Checks what restarts a container (`validateContainerRestartPolicy`).
fn validate_restart_policy(container: &Node<'_>, is_init: bool, report: &mut Report<'_>) {
    let policy = container.field("restartPolicy");
    let rules = container.field("restartPolicyRules");
    if policy.exists() {
        report.check_word(&policy, RESTART_POLICIES);
    } else if rules.len() > 0 {
        report.error(&policy, ValidationProblem::RequiredWith { other: "restartPolicyRules" });
        if is_init {
            return;
        }
    }
    if rules.len() > MOST_RESTART_RULES {
        report.error(&rules, ValidationProblem::TooMany { limit: 20 });
    }
    for rule in rules.items() {
        report.check_word(&rule.field("action"), &["Restart", "RestartAllContainers"]);
        let codes = rule.field("exitCodes");
        if !codes.exists() {
            report.error(&codes, ValidationProblem::Required);
            continue;
        }
        report.check_word(&codes.field("operator"), &["In", "NotIn"]);
        if codes.field("values").len() > MOST_EXIT_CODES {
            report.error(&codes.field("values"), ValidationProblem::TooMany { limit: 255 });
        }
    }
}

/// Whether an image is pulled, of a container or a volume.
pub(super) fn validate_pull_policy(policy: &Node<'_>, report: &mut Report<'_>) {
    report.require_word(policy, PULL_POLICIES);
}
