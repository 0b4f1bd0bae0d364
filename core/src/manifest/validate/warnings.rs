use super::address::canonical_address;
use super::allowance::Allowance;
use super::names::Names;
use super::node::Node;
use super::pod::Pod;
use super::report::Report;
use super::resources::is_fractional;
use super::rules::Rule::{Absent, Each, Fields, WarnedAbout, When, With};
use super::rules::{Is, Rule, Rules, apply};
use super::template::{APP_ARMOR_PREFIX, SECCOMP_CONTAINER_PREFIX, SECCOMP_POD, visit_containers};
use super::{AdmissionWarning, Syntax};
use crate::api::Text;

/// Node labels with a newer name.
const DEPRECATED_LABELS: [(&str, Option<&str>); 8] = [
    ("app.kubernetes.io/created-by", None),
    ("beta.kubernetes.io/arch", Some("kubernetes.io/arch")),
    ("beta.kubernetes.io/instance-type", Some("node.kubernetes.io/instance-type")),
    ("beta.kubernetes.io/os", Some("kubernetes.io/os")),
    ("failure-domain.beta.kubernetes.io/region", Some("topology.kubernetes.io/region")),
    ("failure-domain.beta.kubernetes.io/zone", Some("topology.kubernetes.io/zone")),
    ("node-role.kubernetes.io/master", Some("node-role.kubernetes.io/control-plane")),
    ("scheduler.alpha.kubernetes.io/preferAvoidPods", None),
];

const DEAD_ANNOTATIONS: [(&str, &str); 3] = [
    ("scheduler.alpha.kubernetes.io/critical-pod", "priorityClassName"),
    ("security.alpha.kubernetes.io/sysctls", "sysctls"),
    ("security.alpha.kubernetes.io/unsafe-sysctls", "sysctls"),
];

const DEPRECATED_VOLUMES: [&str; 9] =
    ["photonPersistentDisk", "gitRepo", "scaleIO", "flocker", "storageos", "quobyte", "glusterfs", "cephfs", "rbd"];

/// What the API server warns about in a pod template, in its order (`pod.GetWarningsForPodTemplate`).
const OF_TEMPLATE: &Rules = &[
    ("spec.nodeSelector", With(warn_about_node_labels)),
    ("spec.affinity", Fields(OF_AFFINITY)),
    ("spec.topologySpreadConstraints", Each(&[("topologyKey", With(warn_about_topology_key)), OF_SELECTOR])),
    ("spec.volumes", Each(&[("", With(warn_about_volume))])),
    ("spec.hostAliases", With(|aliases, _, report| warn_about_repeated(aliases, "ip", report))),
    ("spec.imagePullSecrets", With(|secrets, _, report| warn_about_repeated(secrets, "name", report))),
    (
        "spec.imagePullSecrets",
        Each(&[("name", When(&[("name", Is::OneOf(&[""]))], &WarnedAbout(&AdmissionWarning::EmptyName)))]),
    ),
    ("spec.overhead", With(warn_about_bytes)),
    ("metadata.annotations", With(warn_about_annotations)),
    ("spec.initContainers", Each(OF_CONTAINER)),
    ("spec.containers", Each(OF_CONTAINER)),
    ("spec.ephemeralContainers", Each(OF_CONTAINER)),
    ("spec", With(warn_about_ports)),
    ("spec.terminationGracePeriodSeconds", With(warn_about_grace_period)),
    ("spec.dnsConfig.nameservers", Each(&[("", With(warn_about_address))])),
    ("spec.hostAliases", Each(&[("ip", With(warn_about_address))])),
];

const OF_AFFINITY: &Rules = &[
    (
        "nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms",
        Each(&[("", With(|term, _, report| warn_about_node_term(term, false, report)))]),
    ),
    (
        "nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution",
        Each(&[("preference", With(|term, _, report| warn_about_node_term(term, true, report)))]),
    ),
    ("podAffinity", Fields(OF_POD_AFFINITY)),
    ("podAntiAffinity", Fields(OF_POD_AFFINITY)),
];

const OF_POD_AFFINITY: &Rules = &[
    ("requiredDuringSchedulingIgnoredDuringExecution", Each(&[OF_SELECTOR])),
    ("preferredDuringSchedulingIgnoredDuringExecution", Each(&[("podAffinityTerm.labelSelector", NULL_SELECTOR)])),
];

const OF_SELECTOR: (&str, Rule) = ("labelSelector", NULL_SELECTOR);

const NULL_SELECTOR: Rule = Absent(&WarnedAbout(&AdmissionWarning::NullSelector));

const OF_CONTAINER: &Rules = &[
    ("resources.limits", With(warn_about_bytes)),
    ("resources.requests", With(warn_about_bytes)),
    ("env", With(warn_about_variables)),
];

/// Finds what the API server warns about in a pod template that it accepts.
pub(super) fn warn_about_template(template: &Node<'_>, report: &mut Report<'_>) {
    let spec = template.field("spec");
    let pod = Pod { spec: &spec, volumes: None, allowance: &Allowance::default() };
    apply(OF_TEMPLATE, template, &pod, report);
}

fn warn_about_node_labels(selector: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    for (key, value) in selector.entries() {
        warn_about_node_label(key, &value, report);
    }
}

fn warn_about_topology_key(key: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    warn_about_node_label(key.as_text(), key, report);
}

fn warn_about_volume(volume: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    for kind in DEPRECATED_VOLUMES.iter().filter(|kind| volume.has(kind)) {
        report.warning(&volume.field(kind), AdmissionWarning::DeprecatedVolume);
    }
    warn_about_overlaps(volume, report);
}

fn warn_about_grace_period(seconds: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    if seconds.as_number() < 0 {
        report.warning(seconds, AdmissionWarning::NegativeGracePeriod);
    }
}

fn warn_about_node_label(key: &str, node: &Node<'_>, report: &mut Report<'_>) {
    if let Some((_, instead)) = DEPRECATED_LABELS.iter().find(|(deprecated, _)| *deprecated == key) {
        report.warning(node, AdmissionWarning::DeprecatedNodeLabel { key: Text::new(key), instead: *instead });
    }
}

fn warn_about_node_term(term: &Node<'_>, check_values: bool, report: &mut Report<'_>) {
    for requirement in term.field("matchExpressions").items() {
        warn_about_node_label(requirement.text("key"), &requirement.field("key"), report);
        if !check_values {
            continue;
        }
        for value in requirement.field("values").items() {
            if !Syntax::LabelValue.matches(value.as_text()) {
                report.warning(&value, AdmissionWarning::NoLabelValue { value: Text::new(value.as_text()) });
            }
        }
    }
}

fn warn_about_repeated(list: &Node<'_>, field: &str, report: &mut Report<'_>) {
    let mut seen = Names::default();
    for item in list.items() {
        if !seen.insert(item.text(field)) {
            report.warning(&item.field(field), AdmissionWarning::Repeated { value: Text::new(item.text(field)) });
        }
    }
}

fn warn_about_bytes(amounts: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    for (name, amount) in amounts.entries() {
        if matches!(name, "memory" | "ephemeral-storage") && amount.quantity().is_some_and(is_fractional) {
            report.warning(&amount, AdmissionWarning::FractionalBytes);
        }
    }
}

fn warn_about_annotations(annotations: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    let spec = pod.spec;
    let mut warn_about = |key: &str, instead: &'static str| {
        if annotations.has(key) {
            report.warning(&annotations.entry(key), AdmissionWarning::DeadAnnotation { instead });
        }
    };
    for (key, instead) in DEAD_ANNOTATIONS {
        warn_about(key, instead);
    }
    let context = spec.field("securityContext");
    if !context.has("seccompProfile") {
        warn_about(SECCOMP_POD, "securityContext.seccompProfile");
    }
    if annotations.len() == 0 {
        return;
    }
    let pod_profile = context.field("appArmorProfile");
    visit_containers(spec, |container| {
        let own = container.field("securityContext");
        if !own.has("seccompProfile") {
            let key = [SECCOMP_CONTAINER_PREFIX, container.text("name")].concat();
            warn_about(&key, "securityContext.seccompProfile");
        }
        let key = [APP_ARMOR_PREFIX, container.text("name")].concat();
        if !own.has("appArmorProfile") && !says_the_same(annotations.text(&key), &pod_profile) {
            warn_about(&key, "securityContext.appArmorProfile");
        }
    });
}

fn says_the_same(annotation: &str, profile: &Node<'_>) -> bool {
    match annotation {
        "runtime/default" => profile.text("type") == "RuntimeDefault",
        "unconfined" => profile.text("type") == "Unconfined",
        _ => annotation
            .strip_prefix("localhost/")
            .is_some_and(|path| profile.text("type") == "Localhost" && profile.text("localhostProfile") == path),
    }
}

fn warn_about_variables(variables: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    let mut seen = Names::default();
    for variable in variables.items() {
        let (name, value) = (variable.text("name"), variable.text("value"));
        if seen.insert(name) {
            continue;
        }
        let reference = ["$(", name, ")"].concat();
        // One that adds to the earlier one is meant.
        if variable.has("valueFrom") || value == reference || !value.contains(&reference) {
            report.warning(&variable, AdmissionWarning::HidesVariable { name: Text::new(name) });
        }
    }
}

/// Ports seen before: for each name and each part that another may share, the first that had it.
#[derive(Default)]
struct Seen {
    first: Names,
    paths: Vec<Text>,
}

impl Seen {
    fn path(&self, key: &str) -> Option<Text> {
        self.paths.get(usize::try_from(self.first.get(key)?).ok()?).cloned()
    }
}

fn warn_about_ports(spec: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    let mut seen = Seen::default();
    visit_containers(spec, |container| {
        for port in container.field("ports").items() {
            warn_about_port(&port, &mut seen, report);
        }
    });
}

fn warn_about_port(port: &Node<'_>, seen: &mut Seen, report: &mut Report<'_>) {
    let number = port.number("containerPort").unwrap_or(0);
    let host_port = port.number("hostPort").unwrap_or(0);
    let (protocol, address) = (port.text("protocol"), port.text("hostIP"));
    let path = Text::new(port.named.path().to_string());
    if !address.is_empty() && host_port == 0 {
        report.warning(port, AdmissionWarning::HostIpWithoutHostPort);
    }
    let any = [number.to_string().as_str(), "/", protocol].concat();
    let without_host_port = [any.as_str(), " inside"].concat();
    let at_host_port = [any.as_str(), " at ", &host_port.to_string()].concat();
    let exactly = [at_host_port.as_str(), "/", address].concat();
    // One on all addresses of the host, the other on one of them.
    let on_host = |one: bool| [at_host_port.as_str(), if one { " of one" } else { " of all" }].concat();
    if let Some(other) = seen.path(&exactly) {
        report.warning(port, AdmissionWarning::SamePort { other });
    } else if let Some(other) = seen.path(if host_port == 0 { &any } else { &without_host_port }) {
        report.warning(port, AdmissionWarning::OverlappingPort { other });
    } else if let Some(other) = seen.path(&on_host(address.is_empty())) {
        report.warning(port, AdmissionWarning::OverlappingPort { other });
    }
    let name = ["named ", port.text("name")].concat();
    let is_named = !port.text("name").is_empty();
    if let Some(other) = seen.path(&name).filter(|_| is_named) {
        report.warning(port, AdmissionWarning::SamePortName { other });
    }
    let number = u32::try_from(seen.paths.len()).unwrap_or(u32::MAX);
    seen.paths.push(path);
    for key in [&any, &exactly, &on_host(!address.is_empty()), &name] {
        seen.first.set_first(key, number);
    }
    if host_port == 0 {
        seen.first.set_first(&without_host_port, number);
    }
}

fn warn_about_address(node: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    let text = node.as_text();
    let canonical = canonical_address(text).filter(|canonical| canonical != text);
    if let Some(canonical) = canonical {
        report.warning(node, AdmissionWarning::UnusualAddress { canonical: Text::new(canonical) });
    }
}

fn warn_about_overlaps(volume: &Node<'_>, report: &mut Report<'_>) {
    for kind in ["configMap", "secret", "downwardAPI"] {
        let mut paths = Names::default();
        for item in volume.field(kind).field("items").items() {
            warn_about_path(item.text("path"), volume, &mut paths, report);
        }
    }
    let mut paths = Names::default();
    let projected = volume.field("projected");
    for source in projected.field("sources").items() {
        if source.len() == 0 {
            report.warning(&source, AdmissionWarning::EmptySource);
        }
        for kind in ["configMap", "secret", "downwardAPI"] {
            for item in source.field(kind).field("items").items() {
                warn_about_path(item.text("path"), volume, &mut paths, report);
            }
        }
        for kind in ["serviceAccountToken", "clusterTrustBundle"] {
            warn_about_path(source.field(kind).text("path"), volume, &mut paths, report);
        }
    }
}

/// Remembers a path; warns when it is one that was there before, lies in one, or holds one.
fn warn_about_path(path: &str, volume: &Node<'_>, paths: &mut Names, report: &mut Report<'_>) {
    let path = path.trim_end_matches('/');
    if path.is_empty() {
        return;
    }
    let mut above = path.match_indices('/').filter_map(|(end, _)| path.get(..end)).chain([path]);
    let inside = [path, "/"].concat();
    let other = above.find(|above| paths.contains(above)).map(Text::new);
    let other = other.or_else(|| paths.first_below(&inside).cloned());
    if let Some(other) = other {
        let warning = AdmissionWarning::OverlappingPaths { path: Text::new(path), other };
        report.warning(volume, warning);
    }
    paths.insert(path);
}
