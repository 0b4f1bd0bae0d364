use super::names::Names;
use super::node::Node;
use super::report::Report;
use super::resources::is_fractional;
use super::syntax::canonical_address;
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

/// Finds what the API server warns about in a pod template that it accepts.
pub(super) fn warn_about_template(template: &Node<'_>, report: &mut Report<'_>) {
    let spec = template.field("spec");
    for (key, value) in spec.field("nodeSelector").entries() {
        warn_about_node_label(key, &value, report);
    }
    warn_about_affinity(&spec.field("affinity"), report);
    for constraint in spec.field("topologySpreadConstraints").items() {
        warn_about_node_label(constraint.text("topologyKey"), &constraint.field("topologyKey"), report);
        warn_about_selector(&constraint, report);
    }
    for volume in spec.field("volumes").items() {
        for kind in DEPRECATED_VOLUMES.iter().filter(|kind| volume.has(kind)) {
            report.warning(&volume.field(kind), AdmissionWarning::DeprecatedVolume);
        }
        warn_about_overlaps(&volume, report);
    }
    warn_about_repeated(&spec.field("hostAliases"), "ip", report);
    warn_about_repeated(&spec.field("imagePullSecrets"), "name", report);
    for secret in spec.field("imagePullSecrets").items() {
        if secret.text("name").is_empty() {
            report.warning(&secret.field("name"), AdmissionWarning::EmptyName);
        }
    }
    warn_about_bytes(&spec.field("overhead"), report);
    let metadata = template.field("metadata");
    warn_about_annotations(&metadata.field("annotations"), &spec, report);
    visit_containers(&spec, |container| {
        let resources = container.field("resources");
        warn_about_bytes(&resources.field("limits"), report);
        warn_about_bytes(&resources.field("requests"), report);
        warn_about_variables(&container.field("env"), report);
    });
    warn_about_ports(&spec, report);
    if spec.number("terminationGracePeriodSeconds").is_some_and(|seconds| seconds < 0) {
        report.warning(&spec.field("terminationGracePeriodSeconds"), AdmissionWarning::NegativeGracePeriod);
    }
    for nameserver in spec.field("dnsConfig").field("nameservers").items() {
        warn_about_address(&nameserver, report);
    }
    for alias in spec.field("hostAliases").items() {
        warn_about_address(&alias.field("ip"), report);
    }
}

fn warn_about_node_label(key: &str, node: &Node<'_>, report: &mut Report<'_>) {
    if let Some((_, instead)) = DEPRECATED_LABELS.iter().find(|(deprecated, _)| *deprecated == key) {
        report.warning(node, AdmissionWarning::DeprecatedNodeLabel { key: Text::new(key), instead: *instead });
    }
}

fn warn_about_selector(owner: &Node<'_>, report: &mut Report<'_>) {
    if !owner.has("labelSelector") {
        report.warning(&owner.field("labelSelector"), AdmissionWarning::NullSelector);
    }
}

fn warn_about_affinity(affinity: &Node<'_>, report: &mut Report<'_>) {
    let node = affinity.field("nodeAffinity");
    let required = node.field("requiredDuringSchedulingIgnoredDuringExecution");
    for term in required.field("nodeSelectorTerms").items() {
        warn_about_node_term(&term, false, report);
    }
    for preferred in node.field("preferredDuringSchedulingIgnoredDuringExecution").items() {
        warn_about_node_term(&preferred.field("preference"), true, report);
    }
    for kind in ["podAffinity", "podAntiAffinity"] {
        let affinity = affinity.field(kind);
        for term in affinity.field("requiredDuringSchedulingIgnoredDuringExecution").items() {
            warn_about_selector(&term, report);
        }
        for preferred in affinity.field("preferredDuringSchedulingIgnoredDuringExecution").items() {
            warn_about_selector(&preferred.field("podAffinityTerm"), report);
        }
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

fn warn_about_bytes(amounts: &Node<'_>, report: &mut Report<'_>) {
    for (name, amount) in amounts.entries() {
        if matches!(name, "memory" | "ephemeral-storage") && amount.quantity().is_some_and(is_fractional) {
            report.warning(&amount, AdmissionWarning::FractionalBytes);
        }
    }
}

fn warn_about_annotations(annotations: &Node<'_>, spec: &Node<'_>, report: &mut Report<'_>) {
    for (key, instead) in DEAD_ANNOTATIONS {
        if annotations.has(key) {
            report.warning(&annotations.entry(key), AdmissionWarning::DeadAnnotation { instead });
        }
    }
    let context = spec.field("securityContext");
    if annotations.has(SECCOMP_POD) && !context.has("seccompProfile") {
        let instead = "securityContext.seccompProfile";
        report.warning(&annotations.entry(SECCOMP_POD), AdmissionWarning::DeadAnnotation { instead });
    }
    if annotations.len() == 0 {
        return;
    }
    let pod_profile = context.field("appArmorProfile");
    visit_containers(spec, |container| {
        let own = container.field("securityContext");
        let key = format!("{SECCOMP_CONTAINER_PREFIX}{}", container.text("name"));
        if annotations.has(&key) && !own.has("seccompProfile") {
            let instead = "securityContext.seccompProfile";
            report.warning(&annotations.entry(&key), AdmissionWarning::DeadAnnotation { instead });
        }
        let key = format!("{APP_ARMOR_PREFIX}{}", container.text("name"));
        if annotations.has(&key) && !own.has("appArmorProfile") && !says_the_same(annotations.text(&key), &pod_profile)
        {
            let instead = "securityContext.appArmorProfile";
            report.warning(&annotations.entry(&key), AdmissionWarning::DeadAnnotation { instead });
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

fn warn_about_variables(variables: &Node<'_>, report: &mut Report<'_>) {
    let mut seen = Names::default();
    for variable in variables.items() {
        let (name, value) = (variable.text("name"), variable.text("value"));
        if seen.insert(name) {
            continue;
        }
        let reference = format!("$({name})");
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

fn warn_about_ports(spec: &Node<'_>, report: &mut Report<'_>) {
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
    let any = format!("{number}/{protocol}");
    let without_host_port = format!("{any} inside");
    let exactly = format!("{any} at {host_port}/{address}");
    // One on all addresses of the host, the other on one of them.
    let on_host = |one: bool| format!("{any} at {host_port} of {one}");
    if let Some(other) = seen.path(&exactly) {
        report.warning(port, AdmissionWarning::SamePort { other });
    } else if let Some(other) = seen.path(if host_port == 0 { &any } else { &without_host_port }) {
        report.warning(port, AdmissionWarning::OverlappingPort { other });
    } else if let Some(other) = seen.path(&on_host(address.is_empty())) {
        report.warning(port, AdmissionWarning::OverlappingPort { other });
    }
    let name = format!("named {}", port.text("name"));
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

fn warn_about_address(node: &Node<'_>, report: &mut Report<'_>) {
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
    let inside = format!("{path}/");
    let other = above.find(|above| paths.contains(above)).map(Text::new);
    let other = other.or_else(|| paths.first_below(&inside).cloned());
    if let Some(other) = other {
        let warning = AdmissionWarning::OverlappingPaths { path: Text::new(path), other };
        report.warning(volume, warning);
    }
    paths.insert(path);
}
