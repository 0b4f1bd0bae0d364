use super::allowance::Allowance;
use super::container::{validate_containers, validate_ephemeral_containers, validate_init_containers};
use super::metadata::validate_labels;
use super::names::Names;
use super::network::{validate_dns, validate_host_aliases, validate_host_network_ports};
use super::node::Node;
use super::problem::Place;
use super::report::Report;
use super::resources::{validate_overhead, validate_pod_resources};
use super::scheduling::{validate_affinity, validate_scheduling_gates, validate_tolerations, validate_topology_spread};
use super::security::{validate_host_process, validate_host_users, validate_pod_security};
use super::template::visit_containers;
use super::volumes::{Volumes, validate_volumes};
use super::{Syntax, ValidationProblem};
use crate::api::Text;

/// What rules about containers need to know of their pod.
#[derive(Clone, Copy)]
pub(super) struct Pod<'a> {
    /// The pod's spec.
    pub spec: &'a Node<'a>,
    /// The volumes without a fault of their own; a mount of another one is reported as unknown.
    pub volumes: &'a Volumes,
    /// What an object that exists may keep.
    pub allowance: &'a Allowance,
}

impl Pod<'_> {
    /// Whether the pod's users are those of the node.
    pub fn shares_users_with_host(&self) -> bool {
        self.spec.flag("hostUsers") != Some(false)
    }

    /// `terminationGracePeriodSeconds`.
    pub fn grace_period(&self) -> i64 {
        self.spec.number("terminationGracePeriodSeconds").unwrap_or(30)
    }
}

/// Checks a pod's spec (`ValidatePodSpec`, Kubernetes 1.36).
pub(super) fn validate_pod_spec(spec: &Node<'_>, allowance: &Allowance, report: &mut Report<'_>) {
    let volumes_node = spec.field("volumes");
    let volumes = validate_volumes(&volumes_node, allowance, report);
    let pod = Pod { spec, volumes: &volumes, allowance };
    validate_resource_claims(&spec.field("resourceClaims"), report);
    validate_containers(&pod, report);
    validate_init_containers(&pod, report);
    validate_ephemeral_containers(&pod, report);
    validate_pod_resources(&pod, report);
    validate_host_network_ports(spec, report);
    report.check_word(&spec.field("restartPolicy"), &["Always", "OnFailure", "Never"]);
    report.check_word(&spec.field("dnsPolicy"), &["ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"]);
    let node_selector = spec.field("nodeSelector");
    validate_labels(&node_selector, &node_selector, report);
    validate_pod_security(spec, allowance, report);
    validate_affinity(&spec.field("affinity"), allowance, report);
    validate_dns(spec, report);
    for gate in spec.field("readinessGates").items() {
        report.check(&gate.field("conditionType"), Syntax::LabelKey);
    }
    validate_scheduling_gates(&spec.field("schedulingGates"), report);
    validate_topology_spread(&spec.field("topologySpreadConstraints"), allowance, report);
    validate_host_process(spec, report);
    validate_host_users(spec, allowance, report);
    validate_hostname(spec, report);
    validate_names(spec, report);
    report.check_range(&spec.field("activeDeadlineSeconds"), 1, i64::from(i32::MAX));
    validate_tolerations(&spec.field("tolerations"), allowance, report);
    validate_host_aliases(&spec.field("hostAliases"), report);
    let preemption = spec.field("preemptionPolicy");
    if preemption.exists() {
        report.require_word(&preemption, &["PreemptLowerPriority", "Never"]);
    }
    validate_overhead(&spec.field("overhead"), report);
    validate_operating_system(spec, report);
    validate_file_keys(spec, report);
}

const CLAIM_SOURCES: &[&str] = &["resourceClaimName", "resourceClaimTemplateName"];

fn validate_resource_claims(claims: &Node<'_>, report: &mut Report<'_>) {
    let mut names = Names::default();
    for claim in claims.items() {
        let name = claim.field("name");
        let text = claim.text("name");
        if !text.is_empty() && !names.insert(text) {
            report.error(&name, ValidationProblem::Duplicate { value: Text::new(text) });
        } else {
            report.require_and_check(&name, Syntax::DnsLabel);
        }
        match CLAIM_SOURCES.iter().filter(|source| claim.has(source)).count() {
            0 => report.error(&claim, ValidationProblem::OneOfRequired { choices: CLAIM_SOURCES }),
            1 => {}
            _ => report.error(&claim, ValidationProblem::MoreThanOne),
        }
        for source in CLAIM_SOURCES {
            if claim.has(source) {
                report.check(&claim.field(source), Syntax::DnsSubdomain);
            }
        }
    }
}

fn validate_names(spec: &Node<'_>, report: &mut Report<'_>) {
    for (field, syntax) in [
        ("serviceAccountName", Syntax::DnsSubdomain),
        ("nodeName", Syntax::DnsSubdomain),
        ("hostname", Syntax::DnsLabel),
        ("subdomain", Syntax::DnsLabel),
        ("priorityClassName", Syntax::DnsSubdomain),
    ] {
        report.check_if_set(&spec.field(field), syntax);
    }
    let runtime_class = spec.field("runtimeClassName");
    if runtime_class.exists() {
        report.check(&runtime_class, Syntax::DnsSubdomain);
    }
    let group = spec.field("schedulingGroup");
    if group.exists() {
        let name = group.field("podGroupName");
        if name.exists() {
            report.check(&name, Syntax::DnsSubdomain);
        } else {
            report.error(&name, ValidationProblem::Required);
        }
    }
}

fn validate_hostname(spec: &Node<'_>, report: &mut Report<'_>) {
    let name = spec.field("hostnameOverride");
    if !name.exists() {
        return;
    }
    if spec.is_true("setHostnameAsFQDN") {
        report.error(&name, ValidationProblem::NotWith { other: "setHostnameAsFQDN: true" });
    }
    if spec.is_true("hostNetwork") {
        report.error(&name, ValidationProblem::NotWith { other: "hostNetwork: true" });
    }
    if name.as_text().len() > 64 {
        report.error(&name, ValidationProblem::TooLong { limit: 64 });
    }
    report.check(&name, Syntax::DnsSubdomain);
}

/// Fields that make no sense on the pod's operating system (`validateLinux`, `validateWindows`).
fn validate_operating_system(spec: &Node<'_>, report: &mut Report<'_>) {
    let system = spec.field("os");
    if !system.exists() {
        return;
    }
    let name = system.field("name");
    match name.as_text() {
        "" => report.error(&name, ValidationProblem::Required),
        "linux" => {
            forbid(&spec.field("securityContext"), &["windowsOptions"], Place::LinuxPod, report);
            visit_containers(spec, |container| {
                forbid(&container.field("securityContext"), &["windowsOptions"], Place::LinuxPod, report);
            });
        }
        "windows" => {
            forbid(spec, &["hostUsers", "shareProcessNamespace"], Place::WindowsPod, report);
            for field in ["hostPID", "hostIPC"] {
                if spec.is_true(field) {
                    report.error(&spec.field(field), ValidationProblem::NotIn { place: Place::WindowsPod });
                }
            }
            let context = spec.field("securityContext");
            forbid(&context, NOT_FOR_WINDOWS_PODS, Place::WindowsPod, report);
            let groups = context.field("supplementalGroups");
            if report.has_list(&groups) {
                report.error(&groups, ValidationProblem::NotIn { place: Place::WindowsPod });
            }
            visit_containers(spec, |container| {
                forbid(&container.field("securityContext"), NOT_FOR_WINDOWS_CONTAINERS, Place::WindowsPod, report);
            });
        }
        _ => report.check_word_at(&name, &system.named, &["linux", "windows"]),
    }
}

const NOT_FOR_WINDOWS_PODS: &[&str] = &[
    "appArmorProfile",
    "seLinuxOptions",
    "seccompProfile",
    "fsGroup",
    "fsGroupChangePolicy",
    "sysctls",
    "runAsUser",
    "runAsGroup",
    "supplementalGroupsPolicy",
    "seLinuxChangePolicy",
];

const NOT_FOR_WINDOWS_CONTAINERS: &[&str] = &[
    "appArmorProfile",
    "seLinuxOptions",
    "seccompProfile",
    "capabilities",
    "readOnlyRootFilesystem",
    "privileged",
    "allowPrivilegeEscalation",
    "procMount",
    "runAsUser",
    "runAsGroup",
];

fn forbid(owner: &Node<'_>, fields: &[&str], place: Place, report: &mut Report<'_>) {
    for field in fields.iter().filter(|field| owner.has(field)) {
        report.error(&owner.field(field), ValidationProblem::NotIn { place });
    }
}

/// A variable read from a file needs a volume that is empty at first (`validateFileKeyRefVolumes`).
fn validate_file_keys(spec: &Node<'_>, report: &mut Report<'_>) {
    let volumes = spec.field("volumes");
    // Of volumes with the same name the last one counts.
    let mut is_empty_dir = Names::default();
    for volume in volumes.items() {
        is_empty_dir.set(volume.text("name"), u32::from(volume.has("emptyDir")));
    }
    visit_containers(spec, |container| {
        for variable in container.field("env").items() {
            let source = variable.field("valueFrom");
            let key = source.field("fileKeyRef");
            if !key.exists() {
                continue;
            }
            let volume = key.field("volumeName");
            let name = volume.as_text();
            match is_empty_dir.get(name) {
                None => report.error(&volume, ValidationProblem::NotFound { value: Text::new(name), among: "volumes" }),
                Some(0) => report.error(&volume, ValidationProblem::OnlyWith { other: "emptyDir" }),
                Some(_) => {}
            }
        }
    });
}
