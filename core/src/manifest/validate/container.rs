use super::environment::{OF_VARIABLE, validate_environment_sources};
use super::mounts::{validate_devices, validate_mounts};
use super::names::Names;
use super::network::{validate_host_port_conflicts, validate_ports};
use super::node::Node;
use super::pod::Pod;
use super::probes::OF_HANDLERS;
use super::problem::Place;
use super::report::Report;
use super::resources::{validate_claims_of, validate_container_resources};
use super::rules::Rule::{
    Each, Fields, MostItems, Refused, Required, RequiredShape, RequiredWord, Set, When, With, Without, Word,
};
use super::rules::{Is, Rule, Rules, apply};
use super::security::OF_CONTAINER_SECURITY;
use super::{Syntax, ValidationProblem};

/// Whether an image is pulled, of a container or a volume.
pub(super) const PULL_POLICIES: &[&str] = &["Always", "IfNotPresent", "Never"];

/// What all kinds of containers have in common (`validateContainerCommon`).
const OF_CONTAINER: &Rules = &[
    ("name", RequiredShape(Syntax::DnsLabel)),
    ("image", Required),
    ("terminationMessagePolicy", RequiredWord(&["File", "FallbackToLogsOnError"])),
    ("ports", With(validate_ports)),
    ("env", Each(OF_VARIABLE)),
    ("envFrom", With(validate_environment_sources)),
    ("", With(validate_mounts)),
    ("", With(validate_devices)),
    ("imagePullPolicy", RequiredWord(PULL_POLICIES)),
    ("resources", With(validate_container_resources)),
    ("resources.claims", With(validate_claims_of)),
    ("resizePolicy", With(validate_resize_policy)),
    ("securityContext", Fields(OF_CONTAINER_SECURITY)),
];

/// Checks the containers that run (`validateContainers`).
pub(super) fn validate_containers(containers: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    if containers.len() == 0 {
        report.error(containers, ValidationProblem::Required);
        return;
    }
    let mut names = Names::default();
    for container in containers.items() {
        apply(OF_CONTAINER, &container, pod, report);
        check_new_name(&container, &mut names, report);
        apply(OF_HANDLERS, &container, pod, report);
        validate_restart_policy(&container, false, pod, report);
    }
    validate_host_port_conflicts(&mut containers.items(), containers, report);
}

/// Checks the containers that run before (`validateInitContainers`).
pub(super) fn validate_init_containers(containers: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    let mut names = Names::of(&pod.spec.field("containers"), "name");
    for container in containers.items() {
        apply(OF_CONTAINER, &container, pod, report);
        validate_restart_policy(&container, true, pod, report);
        if !container.text("name").is_empty() {
            check_new_name(&container, &mut names, report);
        }
        // One runs after the other. Upstream counts each as the first of its list.
        validate_host_port_conflicts(&mut std::iter::once(container), containers, report);
        if container.text("restartPolicy") == "Always" {
            apply(OF_HANDLERS, &container, pod, report);
            continue;
        }
        let handlers = &["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"];
        report.forbid(&container, handlers, Place::InitContainer);
        if !pod.allowance.resize_restarts_init_containers {
            apply(OF_INIT_RESIZED, &container, pod, report);
        }
    }
}

/// What a container that ends before others start may not ask for.
const OF_INIT_RESIZED: &Rules = &[(
    "resizePolicy",
    Each(&[(
        "restartPolicy",
        When(
            &[("restartPolicy", Is::OneOf(&["RestartContainer"]))],
            &Refused(&ValidationProblem::NotIn { place: Place::InitContainer }),
        ),
    )]),
)];

fn check_new_name(container: &Node<'_>, names: &mut Names, report: &mut Report<'_>) {
    let name = container.text("name");
    if !names.insert(name) {
        report.duplicate(&container.field("name"), name);
    }
}

/// What a container for debugging may not have.
const OF_EPHEMERAL: &Rules = &[
    ("", Without(&["ports"], Place::EphemeralContainer)),
    // Always there.
    ("resources", When(&[("resources", Is::Filled)], &NOT_IN_EPHEMERAL)),
    ("", Without(NOT_FOR_EPHEMERAL, Place::EphemeralContainer)),
    ("volumeMounts", Each(&[("subPath", Set(&NOT_IN_EPHEMERAL)), ("subPathExpr", Set(&NOT_IN_EPHEMERAL))])),
];

const NOT_IN_EPHEMERAL: Rule = Refused(&ValidationProblem::NotIn { place: Place::EphemeralContainer });

const NOT_FOR_EPHEMERAL: &[&str] = &[
    "resizePolicy",
    "restartPolicy",
    "restartPolicyRules",
    "livenessProbe",
    "readinessProbe",
    "startupProbe",
    "lifecycle",
];

/// Checks containers for debugging, which a template may not have at all (`validateEphemeralContainers`).
pub(super) fn validate_ephemeral_containers(containers: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    let mut others = Names::default();
    let mut names = Names::default();
    for list in ["initContainers", "containers"] {
        others.add(&pod.spec.field(list), "name");
        names.add(&pod.spec.field(list), "name");
    }
    for container in containers.items() {
        apply(OF_CONTAINER, &container, pod, report);
        check_new_name(&container, &mut names, report);
        let target = container.field("targetContainerName");
        if !target.as_text().is_empty() && !others.contains(target.as_text()) {
            report.not_found(&target, "containers");
        }
        apply(OF_EPHEMERAL, &container, pod, report);
    }
}

/// How a change of resources reaches a running container; all paths but of repeated ones are those of the list
/// (`validateResizePolicy`).
fn validate_resize_policy(policies: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    let mut resources = Names::default();
    for policy in policies.items() {
        let resource = policy.text("resourceName");
        if !resources.insert(resource) {
            report.duplicate(&policy, resource);
        }
        for (field, words) in [
            ("resourceName", &["cpu", "memory"] as &'static [&'static str]),
            ("restartPolicy", &["NotRequired", "RestartContainer"]),
        ] {
            report.require_word(&policy.field(field).renamed(policies.named), words);
        }
    }
}

/// Rules on what restarts a container (`validateContainerRestartPolicy`).
const OF_RESTART_RULES: &Rules = &[("", MostItems(20)), ("", Each(OF_RESTART_RULE))];

const OF_RESTART_RULE: &Rules = &[
    ("action", Word(&["Restart", "RestartAllContainers"])),
    ("exitCodes", Fields(&[("operator", Word(&["In", "NotIn"])), ("values", MostItems(255))])),
    ("exitCodes", Required),
];

fn validate_restart_policy(container: &Node<'_>, is_init: bool, pod: &Pod<'_>, report: &mut Report<'_>) {
    let policy = container.field("restartPolicy");
    let rules = container.field("restartPolicyRules");
    if policy.exists() {
        report.check_word(&policy, &["Always", "Never", "OnFailure"]);
    } else if rules.len() > 0 {
        report.error(&policy, ValidationProblem::RequiredWith { other: "restartPolicyRules" });
        if is_init {
            return;
        }
    }
    apply(OF_RESTART_RULES, &rules, pod, report);
}
