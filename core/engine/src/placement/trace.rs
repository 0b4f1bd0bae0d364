use super::PlacementRules;
use crate::api::{Container, HostPort, Node, ObjectKey, PodSpec, Taint, TaintEffect, Text};
use crate::path::Path;
use crate::scheduling::{
    DeclaredHostPort, EffectiveToleration, NodeProperty, NodeRequirement, NodeTerm, NodeUsage, PodAffinityState, Test,
    TolerationOrigin, allocatable, allocatable_pods, keeps_new_pods_away, tolerates,
};

/// One thing that was looked at to tell whether a pod runs on a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What was looked at, with what was found.
    pub subject: CheckSubject,
    /// What came of it.
    pub outcome: CheckOutcome,
    /// The field of the DaemonSet that asks for it, or where the remedy would stand; absent when no field does.
    pub field: Option<Path>,
    /// The field of the node that was looked at.
    pub node_property: Option<Path>,
}

/// What came of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub enum CheckOutcome {
    /// No obstacle.
    Passed,
    /// An obstacle.
    Failed,
    /// It does not hold, and that is no obstacle: another term does, or the taint is a preference.
    Indifferent,
}

/// What a check looks at, in the order in which Kubernetes does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckSubject {
    /// `spec.nodeName` of the template.
    NodeName {
        /// The node it names.
        wanted: Text,
    },
    /// One label of `spec.nodeSelector`.
    NodeSelector {
        /// Label key.
        key: Text,
        /// The value asked for.
        wanted: Text,
        /// The value the node has, if any.
        found: Option<Text>,
    },
    /// Required node affinity is there and has no term, so that no node will do.
    AffinityWithoutTerms,
    /// One term of the required node affinity; its requirements follow.
    AffinityTerm {
        /// Position of the term.
        term: u32,
        /// How many requirements it has; without any it selects nothing.
        requirements: u32,
    },
    /// One requirement of a term. When it fails the term does.
    AffinityRequirement {
        /// Position of the term.
        term: u32,
        /// What is looked at.
        property: NodeProperty,
        /// What must be true of it.
        test: Test,
        /// What the node has there, if anything.
        found: Option<Text>,
    },
    /// One taint of the node.
    Taint {
        /// The taint.
        taint: Taint,
        /// The toleration that covers it; the first that does.
        covered_by: Option<EffectiveToleration>,
    },
    /// The node is cordoned (`spec.unschedulable`), which every pod of a DaemonSet tolerates.
    Unschedulable,
    /// One port of the node that the pod asks for.
    HostPort {
        /// The port.
        wanted: HostPort,
        /// The port in use that conflicts with it, and the pod that uses it.
        taken: Option<(HostPort, ObjectKey)>,
    },
    /// The number of pods.
    PodCount {
        /// Pods on the node.
        pods: i64,
        /// How many it takes.
        allocatable: i64,
    },
    /// One resource that the pod asks for.
    Resource {
        /// The resource.
        resource: Text,
        /// What the pod asks for: thousandths of cpu, whole units of anything else.
        requested: i64,
        /// What pods on the node asked for already.
        used: i64,
        /// What pods may ask for on the node in all.
        allocatable: i64,
    },
    /// One term of the required affinity to pods.
    PodAffinity {
        /// Position of the term.
        term: u32,
        /// The label whose equal values make a domain.
        topology_key: Text,
    },
    /// One term of the required affinity against pods.
    PodAntiAffinity {
        /// Position of the term.
        term: u32,
        /// The label whose equal values make a domain.
        topology_key: Text,
    },
    /// A pod that is there does not want this one near.
    ExistingPodAntiAffinity {
        /// That pod.
        pod: ObjectKey,
    },
}

impl CheckSubject {
    /// Whether the DaemonSet controller looks at it, to decide whether there should be a pod. The rest is
    /// kube-scheduler's: the pod is there and waits.
    pub const fn decides_whether_there_is_a_pod(&self) -> bool {
        match self {
            Self::NodeName { .. }
            | Self::NodeSelector { .. }
            | Self::AffinityWithoutTerms
            | Self::AffinityTerm { .. }
            | Self::AffinityRequirement { .. }
            | Self::Taint { .. } => true,
            Self::Unschedulable
            | Self::HostPort { .. }
            | Self::PodCount { .. }
            | Self::Resource { .. }
            | Self::PodAffinity { .. }
            | Self::PodAntiAffinity { .. }
            | Self::ExistingPodAntiAffinity { .. } => false,
        }
    }
}

/// Everything that is looked at for one node, in Kubernetes' order: node name, node selector by key, node affinity by
/// term and requirement, taints, cordon, and then whether it fits: host ports, pod count, each resource that is asked
/// for, affinity to pods and against them. Goes on behind obstacles; what asks for nothing is left out.
pub fn trace(rules: &PlacementRules, node: &Node, usage: &NodeUsage, others: &PodAffinityState) -> Vec<Check> {
    let mut checks = Vec::new();
    trace_labels(rules, node, &mut checks);
    trace_taints(rules, node, &mut checks);
    trace_room(rules, node, usage, &mut checks);
    trace_other_pods(rules, node, others, &mut checks);
    checks
}

fn trace_labels(rules: &PlacementRules, node: &Node, checks: &mut Vec<Check>) {
    let name_path = Path::default().field("metadata").field("name");
    if !rules.node_name().is_empty() {
        checks.push(Check {
            subject: CheckSubject::NodeName { wanted: rules.node_name().clone() },
            outcome: passed_if(rules.node_name_matches(&node.metadata.name)),
            field: Some(pod_spec().field("nodeName")),
            node_property: Some(name_path.clone()),
        });
    }
    for (key, wanted) in rules.requirements().node_selector().iter() {
        let found = node.metadata.labels.get(key);
        checks.push(Check {
            outcome: passed_if(found == Some(wanted)),
            subject: CheckSubject::NodeSelector { key: key.clone(), wanted: wanted.clone(), found: found.cloned() },
            field: Some(pod_spec().field("nodeSelector").key(key)),
            node_property: Some(label_path(key)),
        });
    }
    let Some(terms) = rules.requirements().terms() else { return };
    let required = pod_spec()
        .field("affinity")
        .field("nodeAffinity")
        .field("requiredDuringSchedulingIgnoredDuringExecution")
        .field("nodeSelectorTerms");
    if terms.is_empty() {
        checks.push(Check {
            subject: CheckSubject::AffinityWithoutTerms,
            outcome: CheckOutcome::Failed,
            field: Some(required.clone()),
            node_property: None,
        });
    }
    let some_term_holds = terms.iter().any(|term| term.matches(node));
    for (position, term) in terms.iter().enumerate() {
        trace_term(position, term, &required.index(position), some_term_holds, node, checks);
    }
}

fn trace_term(
    position: usize,
    term: &NodeTerm,
    path: &Path,
    some_term_holds: bool,
    node: &Node,
    checks: &mut Vec<Check>,
) {
    let number = saturated(position);
    let otherwise = if some_term_holds { CheckOutcome::Indifferent } else { CheckOutcome::Failed };
    checks.push(Check {
        subject: CheckSubject::AffinityTerm { term: number, requirements: saturated(term.requirements().len()) },
        outcome: if term.matches(node) { CheckOutcome::Passed } else { otherwise },
        field: Some(path.clone()),
        node_property: None,
    });
    for requirement in term.requirements() {
        let NodeRequirement { property, test, index } = requirement;
        let (list, node_property) = match property {
            NodeProperty::Label(key) => ("matchExpressions", label_path(key)),
            NodeProperty::Field(name) => {
                let path = name.split('.').fold(Path::default(), |path, part| path.field(part));
                ("matchFields", path)
            }
        };
        checks.push(Check {
            subject: CheckSubject::AffinityRequirement {
                term: number,
                property: property.clone(),
                test: test.clone(),
                found: requirement.found(node).map(Text::new),
            },
            outcome: if requirement.holds(node) { CheckOutcome::Passed } else { otherwise },
            field: Some(path.field(list).index(usize::try_from(*index).unwrap_or(usize::MAX))),
            node_property: Some(node_property),
        });
    }
}

fn trace_taints(rules: &PlacementRules, node: &Node, checks: &mut Vec<Check>) {
    let tolerations = rules.tolerations();
    let covering = |taint: &Taint| tolerations.iter().find(|entry| tolerates(&entry.toleration, taint));
    let path_of = |entry: Option<&EffectiveToleration>| match entry.map(|entry| entry.origin) {
        None => Some(pod_spec().field("tolerations")),
        Some(TolerationOrigin::Template(index) | TolerationOrigin::Automatic { replaces: Some(index) }) => {
            Some(pod_spec().field("tolerations").index(usize::try_from(index).unwrap_or(usize::MAX)))
        }
        Some(TolerationOrigin::Automatic { replaces: None }) => None,
    };
    for (position, taint) in node.spec.taints.iter().enumerate() {
        let covered_by = covering(taint);
        let otherwise = if keeps_new_pods_away(taint) { CheckOutcome::Failed } else { CheckOutcome::Indifferent };
        checks.push(Check {
            subject: CheckSubject::Taint { taint: taint.clone(), covered_by: covered_by.cloned() },
            outcome: if covered_by.is_some() { CheckOutcome::Passed } else { otherwise },
            field: path_of(covered_by),
            node_property: Some(Path::default().field("spec").field("taints").index(position)),
        });
    }
    if node.spec.unschedulable {
        let cordon = Taint {
            key: Text::new_static("node.kubernetes.io/unschedulable"),
            value: Text::default(),
            effect: TaintEffect::NoSchedule,
        };
        let covered_by = covering(&cordon);
        checks.push(Check {
            subject: CheckSubject::Unschedulable,
            outcome: passed_if(covered_by.is_some()),
            field: path_of(covered_by),
            node_property: Some(Path::default().field("spec").field("unschedulable")),
        });
    }
}

fn trace_room(rules: &PlacementRules, node: &Node, usage: &NodeUsage, checks: &mut Vec<Check>) {
    let spec = rules.template().spec();
    for declared in &rules.demand().host_ports {
        let taken = usage.holder_of(&declared.port);
        checks.push(Check {
            outcome: passed_if(taken.is_none()),
            subject: CheckSubject::HostPort { wanted: declared.port.clone(), taken: taken.cloned() },
            field: Some(host_port_path(spec, declared)),
            node_property: None,
        });
    }
    let allocatable_path = |resource: &str| Path::default().field("status").field("allocatable").key(resource);
    let takes = allocatable_pods(node);
    checks.push(Check {
        subject: CheckSubject::PodCount { pods: usage.pods, allocatable: takes },
        outcome: passed_if(usage.pods < takes),
        field: None,
        node_property: Some(allocatable_path("pods")),
    });
    for (resource, requested) in rules.demand().requests.iter().filter(|(_, requested)| *requested > 0) {
        let (used, allocatable) = (usage.requested.get(resource), allocatable(node, resource));
        checks.push(Check {
            outcome: passed_if(requested <= allocatable.saturating_sub(used)),
            field: Some(largest_request_path(spec, resource)),
            node_property: Some(allocatable_path(resource)),
            subject: CheckSubject::Resource { resource: Text::new(resource), requested, used, allocatable },
        });
    }
}

fn trace_other_pods(rules: &PlacementRules, node: &Node, others: &PodAffinityState, checks: &mut Vec<Check>) {
    let affinity = &rules.template().spec().affinity;
    let terms =
        |kind: &str| pod_spec().field("affinity").field(kind).field("requiredDuringSchedulingIgnoredDuringExecution");
    for ((term, holds), asked) in others.affinity_on(node).zip(&affinity.pod_affinity.required) {
        let topology_key = asked.topology_key.clone();
        checks.push(Check {
            outcome: passed_if(holds),
            field: Some(terms("podAffinity").index(usize::try_from(term).unwrap_or(usize::MAX))),
            node_property: Some(label_path(&topology_key)),
            subject: CheckSubject::PodAffinity { term, topology_key },
        });
    }
    for ((term, holds), asked) in others.anti_affinity_on(node).zip(&affinity.pod_anti_affinity.required) {
        let topology_key = asked.topology_key.clone();
        checks.push(Check {
            outcome: passed_if(holds),
            field: Some(terms("podAntiAffinity").index(usize::try_from(term).unwrap_or(usize::MAX))),
            node_property: Some(label_path(&topology_key)),
            subject: CheckSubject::PodAntiAffinity { term, topology_key },
        });
    }
    if let Some(pod) = others.closed_on(node) {
        checks.push(Check {
            subject: CheckSubject::ExistingPodAntiAffinity { pod: pod.clone() },
            outcome: CheckOutcome::Failed,
            field: None,
            node_property: None,
        });
    }
}

/// The path of the pod's spec in a DaemonSet.
fn pod_spec() -> Path {
    Path::default().field("spec").field("template").field("spec")
}

fn label_path(key: &str) -> Path {
    Path::default().field("metadata").field("labels").key(key)
}

fn passed_if(passed: bool) -> CheckOutcome {
    if passed { CheckOutcome::Passed } else { CheckOutcome::Failed }
}

fn saturated(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn host_port_path(spec: &PodSpec, declared: &DeclaredHostPort) -> Path {
    let position = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    let (list, containers) = if declared.in_init_containers {
        ("initContainers", &spec.init_containers)
    } else {
        ("containers", &spec.containers)
    };
    let written = containers
        .get(position(declared.container))
        .and_then(|container| container.ports.get(position(declared.index)))
        .is_some_and(|port| port.host_port != 0);
    let port =
        pod_spec().field(list).index(position(declared.container)).field("ports").index(position(declared.index));
    // On the host network a port that names no host port is the node's all the same.
    port.field(if written { "hostPort" } else { "containerPort" })
}

/// The line that asks for the most of a resource: the pod's own, or that of one container.
fn largest_request_path(spec: &PodSpec, resource: &str) -> Path {
    let line = |owner: &Path, in_requests: bool| {
        owner.field("resources").field(if in_requests { "requests" } else { "limits" }).key(resource)
    };
    let asks = |resources: &crate::api::ResourceRequirements| {
        let requested = resources.requests.get(resource).map(|amount| (amount, true));
        requested.or_else(|| resources.limits.get(resource).map(|amount| (amount, false)))
    };
    if spec.resources.as_ref().is_some_and(|pod| pod.requests.get(resource).is_some()) {
        return line(&pod_spec(), true);
    }
    let of_list = |list: &'static str, containers: &[Container]| {
        let largest = containers
            .iter()
            .enumerate()
            .filter_map(|(position, container)| asks(&container.resources).map(|(amount, by)| (amount, position, by)))
            .max_by_key(|(amount, position, _)| (*amount, std::cmp::Reverse(*position)));
        largest.map(|(amount, position, by)| (amount, line(&pod_spec().field(list).index(position), by)))
    };
    let main = of_list("containers", &spec.containers);
    let init = of_list("initContainers", &spec.init_containers);
    match (main, init) {
        (Some((main, path)), Some((init, _))) if main >= init => path,
        (_, Some((_, path))) | (Some((_, path)), None) => path,
        (None, None) if spec.overhead.get(resource).is_some() => pod_spec().field("overhead").key(resource),
        (None, None) => line(&pod_spec(), false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::PodTemplate;
    use crate::placement::{fit_among, place};
    use crate::scheduling::PodIdentity;
    use serde_json::{Value, json};

    fn rules(spec: &Value) -> PlacementRules {
        PlacementRules::of(&PodTemplate::from_json(json!({ "spec": spec })).unwrap(), crate::KubernetesVersion::V1_36)
    }

    fn node(json: &Value) -> Node {
        serde_json::from_value(json.clone()).unwrap()
    }

    /// The trace on an otherwise empty node, checked against the verdicts.
    fn traced(rules: &PlacementRules, node: &Node) -> Vec<Check> {
        let usage = NodeUsage::default();
        let identity = PodIdentity { namespace: &Text::default(), labels: rules.template().labels() };
        let others = PodAffinityState::of(rules.template().spec(), identity, []);
        let checks = trace(rules, node, &usage, &others);
        let failed = |of_controller: bool| {
            checks.iter().any(|check| {
                check.outcome == CheckOutcome::Failed && check.subject.decides_whether_there_is_a_pod() == of_controller
            })
        };
        assert_eq!(failed(true), !place(rules, node).exclusions().is_empty());
        if !failed(true) {
            assert_eq!(failed(false), !fit_among(rules, node, &usage, &others).fits());
        }
        checks
    }

    fn written(checks: &[Check]) -> Vec<String> {
        let path = |path: &Option<Path>| path.as_ref().map_or("-".to_owned(), ToString::to_string);
        let short = |path: String| path.replace("spec.template.spec.", "…");
        checks
            .iter()
            .map(|check| format!("{:?} {} {}", check.outcome, short(path(&check.field)), path(&check.node_property)))
            .collect()
    }

    #[test]
    fn the_trace_goes_in_kubernetes_order_and_names_both_fields() {
        let rules = rules(&json!({
            "nodeName": "a",
            "nodeSelector": {"role": "worker"},
            "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                {"matchExpressions": [{"key": "gpu", "operator": "Exists"}]},
                {"matchExpressions": [{"key": "role", "operator": "In", "values": ["worker"]}],
                 "matchFields": [{"key": "metadata.name", "operator": "NotIn", "values": ["b"]}]}]}}},
            "tolerations": [{"key": "mine", "operator": "Exists"}],
            "hostNetwork": true,
            "containers": [{"ports": [{"containerPort": 9100}], "resources": {"requests": {"cpu": "100m"}}},
                           {"ports": [{"containerPort": 80, "hostPort": 80}], "resources": {"limits": {"cpu": "2"}}}]}));
        let node = node(&json!({
            "metadata": {"name": "a", "labels": {"role": "worker"}},
            "spec": {"unschedulable": true, "taints": [
                {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"},
                {"key": "mine", "effect": "NoExecute"},
                {"key": "soft", "effect": "PreferNoSchedule"}]},
            "status": {"allocatable": {"cpu": "2", "pods": "10"}}}));
        let required = "…affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";
        assert_eq!(
            written(&traced(&rules, &node)),
            [
                "Passed …nodeName metadata.name".to_owned(),
                "Passed …nodeSelector[role] metadata.labels[role]".to_owned(),
                format!("Indifferent {required}[0] -"),
                format!("Indifferent {required}[0].matchExpressions[0] metadata.labels[gpu]"),
                format!("Passed {required}[1] -"),
                format!("Passed {required}[1].matchExpressions[0] metadata.labels[role]"),
                format!("Passed {required}[1].matchFields[0] metadata.name"),
                "Passed - spec.taints[0]".to_owned(),
                "Passed …tolerations[0] spec.taints[1]".to_owned(),
                "Indifferent …tolerations spec.taints[2]".to_owned(),
                "Passed - spec.unschedulable".to_owned(),
                "Passed …containers[0].ports[0].containerPort -".to_owned(),
                "Passed …containers[1].ports[0].hostPort -".to_owned(),
                "Passed - status.allocatable[pods]".to_owned(),
                "Failed …containers[1].resources.limits[cpu] status.allocatable[cpu]".to_owned(),
            ]
        );
    }

    #[test]
    fn an_untolerated_taint_points_to_the_tolerations() {
        let node = node(&json!({"spec": {"taints": [{"key": "k", "effect": "NoSchedule"}]},
            "status": {"allocatable": {"pods": "1"}}}));
        assert_eq!(
            written(&traced(&rules(&json!({})), &node)),
            ["Failed …tolerations spec.taints[0]", "Passed - status.allocatable[pods]"]
        );
    }

    #[test]
    fn affinity_without_terms_or_with_terms_that_cannot_hold_fails() {
        let with = |required: Value| {
            rules(&json!({"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}}))
        };
        let node = node(&json!({"metadata": {"labels": {"a": "1"}}, "status": {"allocatable": {"pods": "1"}}}));
        for required in [
            json!({"nodeSelectorTerms": []}),
            json!({"nodeSelectorTerms": [{}]}),
            json!({"nodeSelectorTerms": [{"matchExpressions": [
                {"key": "a", "operator": "Exists"}, {"key": "a", "operator": "Gt", "values": ["-1"]}]}]}),
        ] {
            let checks = traced(&with(required.clone()), &node);
            assert_eq!(checks[0].outcome, CheckOutcome::Failed, "{required}");
        }
    }

    #[test]
    fn pods_that_do_not_want_each_other_are_checked_last() {
        let against = json!({"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
            {"labelSelector": {}, "topologyKey": "zone"}]},
            "podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
            {"labelSelector": {"matchLabels": {"app": "x"}}, "topologyKey": "zone"}]}});
        let node = node(&json!({"metadata": {"labels": {"zone": "1"}}, "status": {"allocatable": {"pods": "1"}}}));
        let checks = traced(&rules(&json!({"affinity": against})), &node);
        let required = "requiredDuringSchedulingIgnoredDuringExecution[0]";
        assert_eq!(
            written(&checks)[1..],
            [
                format!("Failed …affinity.podAffinity.{required} metadata.labels[zone]"),
                format!("Passed …affinity.podAntiAffinity.{required} metadata.labels[zone]"),
            ]
        );
    }
}
