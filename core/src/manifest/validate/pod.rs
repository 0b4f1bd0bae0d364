use super::allowance::Allowance;
use super::container::{validate_containers, validate_ephemeral_containers, validate_init_containers};
use super::metadata::validate_labels;
use super::names::Names;
use super::network::{OF_HOST_ALIAS, validate_dns, validate_host_network_ports};
use super::node::Node;
use super::problem::Place;
use super::report::Report;
use super::resources::{validate_overhead, validate_pod_resources};
use super::rules::Rule::{
    Absent, Each, Fields, Given, InPod, MostBytes, NoList, Range, Refused, RequiredWord, Set, Shape, When, With,
    Without, Word,
};
use super::rules::{Is, Rule, Rules, apply};
use super::scheduling::{OF_AFFINITY, validate_scheduling_gates, validate_tolerations, validate_topology_spread};
use super::security::{OF_POD_SECURITY, validate_host_process, validate_host_users};
use super::template::visit_containers;
use super::volumes::{Kind, Volumes, validate_volumes};
use super::{Syntax, ValidationProblem};

/// What rules about parts of a pod need to know of it.
#[derive(Clone, Copy)]
pub(super) struct Pod<'a> {
    /// The pod's spec.
    pub spec: &'a Node<'a>,
    /// The volumes without a fault of their own, once they are known; a mount of another one is reported as unknown.
    pub volumes: Option<&'a Volumes>,
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

    /// The kind of a volume without a fault of its own.
    pub fn volume(&self, name: &str) -> Option<Kind> {
        self.volumes?.kind(name)
    }
}

/// `ValidatePodSpec`, Kubernetes 1.36.
const OF_POD: &Rules = &[
    ("resourceClaims", With(validate_resource_claims)),
    ("containers", With(validate_containers)),
    ("initContainers", With(validate_init_containers)),
    ("ephemeralContainers", With(validate_ephemeral_containers)),
    ("resources", Given(&With(validate_pod_resources))),
    ("", With(validate_host_network_ports)),
    ("restartPolicy", Word(&["Always", "OnFailure", "Never"])),
    ("dnsPolicy", Word(&["ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"])),
    ("nodeSelector", With(|labels, _, report| validate_labels(labels, labels, report))),
    ("securityContext", With(|context, pod, report| apply(OF_POD_SECURITY, context, pod, report))),
    ("affinity", Fields(OF_AFFINITY)),
    ("dnsConfig", With(validate_dns)),
    ("readinessGates", Each(&[("conditionType", Shape(Syntax::LabelKey))])),
    ("schedulingGates", With(validate_scheduling_gates)),
    ("topologySpreadConstraints", With(validate_topology_spread)),
    ("", With(validate_host_process)),
    ("", With(validate_host_users)),
    ("hostnameOverride", Fields(OF_HOSTNAME)),
    ("serviceAccountName", Set(&Shape(Syntax::DnsSubdomain))),
    ("nodeName", Set(&Shape(Syntax::DnsSubdomain))),
    ("hostname", Set(&Shape(Syntax::DnsLabel))),
    ("subdomain", Set(&Shape(Syntax::DnsLabel))),
    ("priorityClassName", Set(&Shape(Syntax::DnsSubdomain))),
    ("runtimeClassName", Given(&Shape(Syntax::DnsSubdomain))),
    ("schedulingGroup", Fields(OF_SCHEDULING_GROUP)),
    ("activeDeadlineSeconds", Range(&[1, i32::MAX as i64])),
    ("tolerations", With(validate_tolerations)),
    ("hostAliases", Each(OF_HOST_ALIAS)),
    ("preemptionPolicy", Given(&RequiredWord(&["PreemptLowerPriority", "Never"]))),
    ("overhead", With(validate_overhead)),
    ("os", Given(&With(validate_operating_system))),
    ("", With(validate_file_keys)),
];

/// Checks a pod's spec.
pub(super) fn validate_pod_spec(spec: &Node<'_>, allowance: &Allowance, report: &mut Report<'_>) {
    let pod = Pod { spec, volumes: None, allowance };
    let volumes = validate_volumes(&spec.field("volumes"), &pod, report);
    apply(OF_POD, spec, &Pod { volumes: Some(&volumes), ..pod }, report);
}

const CLAIM_SOURCES: &[&str] = &["resourceClaimName", "resourceClaimTemplateName"];

const OF_CLAIM_SOURCE: &Rules = &[
    ("resourceClaimName", Given(&Shape(Syntax::DnsSubdomain))),
    ("resourceClaimTemplateName", Given(&Shape(Syntax::DnsSubdomain))),
];

fn validate_resource_claims(claims: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    let mut names = Names::default();
    for claim in claims.items() {
        let name = claim.text("name");
        if !name.is_empty() && !names.insert(name) {
            report.duplicate(&claim.field("name"), name);
        } else {
            report.require_and_check(&claim.field("name"), Syntax::DnsLabel);
        }
        report.check_one_of(&claim, &claim.named, CLAIM_SOURCES);
        apply(OF_CLAIM_SOURCE, &claim, pod, report);
    }
}

const OF_SCHEDULING_GROUP: &Rules = &[
    ("podGroupName", Absent(&Refused(&ValidationProblem::Required))),
    ("podGroupName", Given(&Shape(Syntax::DnsSubdomain))),
];

const OF_HOSTNAME: &Rules = &[
    (
        "",
        InPod(
            &[("setHostnameAsFQDN", Is::True)],
            &Refused(&ValidationProblem::NotWith { other: "setHostnameAsFQDN: true" }),
        ),
    ),
    ("", InPod(&[("hostNetwork", Is::True)], &Refused(&ValidationProblem::NotWith { other: "hostNetwork: true" }))),
    ("", MostBytes(64)),
    ("", Shape(Syntax::DnsSubdomain)),
];

/// Fields that make no sense on the pod's operating system (`validateLinux`, `validateWindows`).
fn validate_operating_system(system: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    let name = system.field("name");
    match name.as_text() {
        "" => report.error(&name, ValidationProblem::Required),
        "linux" => apply(OF_LINUX_POD, pod.spec, pod, report),
        "windows" => apply(OF_WINDOWS_POD, pod.spec, pod, report),
        _ => report.check_word_at(&name, &system.named, &["linux", "windows"]),
    }
}

const OF_LINUX_POD: &Rules = &[
    ("securityContext", NOT_FOR_LINUX),
    ("initContainers", Each(&[("securityContext", NOT_FOR_LINUX)])),
    ("containers", Each(&[("securityContext", NOT_FOR_LINUX)])),
    ("ephemeralContainers", Each(&[("securityContext", NOT_FOR_LINUX)])),
];

const NOT_FOR_LINUX: Rule = Without(&["windowsOptions"], Place::LinuxPod);

const OF_WINDOWS_POD: &Rules = &[
    ("", Without(&["hostUsers", "shareProcessNamespace"], Place::WindowsPod)),
    ("hostPID", When(&[("hostPID", Is::True)], &REFUSED_ON_WINDOWS)),
    ("hostIPC", When(&[("hostIPC", Is::True)], &REFUSED_ON_WINDOWS)),
    ("securityContext", Without(NOT_FOR_WINDOWS_PODS, Place::WindowsPod)),
    ("securityContext.supplementalGroups", NoList(Place::WindowsPod)),
    ("initContainers", Each(OF_WINDOWS_CONTAINER)),
    ("containers", Each(OF_WINDOWS_CONTAINER)),
    ("ephemeralContainers", Each(OF_WINDOWS_CONTAINER)),
];

const OF_WINDOWS_CONTAINER: &Rules = &[("securityContext", Without(NOT_FOR_WINDOWS_CONTAINERS, Place::WindowsPod))];

const REFUSED_ON_WINDOWS: Rule = Refused(&ValidationProblem::NotIn { place: Place::WindowsPod });

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

/// A variable read from a file needs a volume that is empty at first (`validateFileKeyRefVolumes`).
fn validate_file_keys(spec: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
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
            match is_empty_dir.get(volume.as_text()) {
                None => report.not_found(&volume, "volumes"),
                Some(0) => report.error(&volume, ValidationProblem::OnlyWith { other: "emptyDir" }),
                Some(_) => {}
            }
        }
    });
}
