use crate::api::{HostPort, Node, ObjectKey, PodAffinityTerm, PodSpec, Quantity, Taint, TaintEffect, Text};
use crate::path::Path;
use crate::placement::PlacementRules;
use crate::scheduling::{
    DeclaredHostPort, NodeProperty, NodeTerm, NodeUsage, PodAffinityState, Test, TolerationOrigin, allocatable,
    allocatable_pods, keeps_new_pods_away, tolerates,
};

/// One thing that was looked at to tell whether a pod runs on a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check<'a> {
    /// What was looked at, with what was found.
    pub subject: CheckSubject<'a>,
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
pub enum CheckSubject<'a> {
    /// `spec.nodeName` of the template.
    NodeName {
        /// The node it names.
        wanted: &'a Text,
    },
    /// One label of `spec.nodeSelector`.
    NodeSelector {
        /// Label key.
        key: &'a Text,
        /// The value asked for.
        wanted: &'a Text,
        /// The value the node has, if any.
        found: Option<&'a Text>,
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
        property: &'a NodeProperty,
        /// What must be true of it.
        test: &'a Test,
        /// What the node has there, if anything.
        found: Option<&'a str>,
    },
    /// One taint of the node.
    Taint {
        /// The taint.
        taint: &'a Taint,
        /// Where the toleration that covers it comes from; the first that does.
        covered_by: Option<TolerationOrigin>,
    },
    /// The node is cordoned (`spec.unschedulable`), which every pod of a DaemonSet tolerates.
    Unschedulable,
    /// One port of the node that the pod asks for.
    HostPort {
        /// The port.
        wanted: &'a HostPort,
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
        resource: &'a str,
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
        topology_key: &'a Text,
    },
    /// One term of the required affinity against pods.
    PodAntiAffinity {
        /// Position of the term.
        term: u32,
        /// The label whose equal values make a domain.
        topology_key: &'a Text,
    },
    /// A pod that is there does not want this one near.
    ExistingPodAntiAffinity {
        /// That pod.
        pod: ObjectKey,
    },
}

impl CheckSubject<'_> {
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
pub fn trace<'a>(
    rules: &'a PlacementRules,
    node: &'a Node,
    usage: &NodeUsage,
    others: &PodAffinityState,
) -> Vec<Check<'a>> {
    let mut trace = Trace { rules, node, checks: Vec::new() };
    trace.labels();
    trace.taints();
    trace.room(usage);
    trace.other_pods(others);
    trace.checks
}

struct Trace<'a> {
    rules: &'a PlacementRules,
    node: &'a Node,
    checks: Vec<Check<'a>>,
}

impl<'a> Trace<'a> {
    fn note(
        &mut self,
        subject: CheckSubject<'a>,
        outcome: CheckOutcome,
        field: Option<Path>,
        node_property: Option<Path>,
    ) {
        self.checks.push(Check { subject, outcome, field, node_property });
    }

    fn labels(&mut self) {
        let Self { rules, node, .. } = *self;
        let wanted = rules.node_name();
        if !wanted.is_empty() {
            let outcome = passed_if(rules.node_name_matches(&node.metadata.name));
            let (field, name) = (pod_spec("nodeName"), Path::of("metadata.name"));
            self.note(CheckSubject::NodeName { wanted }, outcome, Some(field), Some(name));
        }
        for (key, wanted) in rules.requirements().node_selector().iter() {
            let found = node.metadata.labels.get(key);
            let outcome = passed_if(found == Some(wanted));
            let field = pod_spec("nodeSelector").key(key);
            self.note(CheckSubject::NodeSelector { key, wanted, found }, outcome, Some(field), Some(label(key)));
        }
        let Some(terms) = rules.requirements().terms() else { return };
        let required =
            pod_spec("affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms");
        let otherwise =
            if terms.iter().any(|term| term.matches(node)) { CheckOutcome::Indifferent } else { CheckOutcome::Failed };
        for (position, term) in (0..).zip(terms) {
            self.term(position, term, &required.clone().index(position), otherwise);
        }
        if terms.is_empty() {
            self.note(CheckSubject::AffinityWithoutTerms, CheckOutcome::Failed, Some(required), None);
        }
    }

    /// `otherwise`: what it means when something does not hold.
    fn term(&mut self, term: u32, asked: &'a NodeTerm, path: &Path, otherwise: CheckOutcome) {
        let node = self.node;
        let outcome = |holds: bool| if holds { CheckOutcome::Passed } else { otherwise };
        let requirements = u32::try_from(asked.requirements().len()).unwrap_or(u32::MAX);
        let subject = CheckSubject::AffinityTerm { term, requirements };
        self.note(subject, outcome(asked.matches(node)), Some(path.clone()), None);
        for requirement in asked.requirements() {
            let (property, test, found) = (&requirement.property, &requirement.test, requirement.found(node));
            let (list, looked_at) = match property {
                NodeProperty::Label(key) => ("matchExpressions", label(key)),
                NodeProperty::Field(name) => ("matchFields", Path::of(name)),
            };
            let field = path.clone().field(list).index(requirement.index);
            let subject = CheckSubject::AffinityRequirement { term, property, test, found };
            self.note(subject, outcome(requirement.holds(node)), Some(field), Some(looked_at));
        }
    }

    fn taints(&mut self) {
        let node = self.node;
        let tolerations = self.rules.tolerations();
        let covering = |taint: &Taint| {
            let covering = tolerations.iter().find(|entry| tolerates(&entry.toleration, taint));
            covering.map(|entry| entry.origin)
        };
        for (position, taint) in (0..).zip(&node.spec.taints) {
            let covered_by = covering(taint);
            let outcome = match covered_by {
                Some(_) => CheckOutcome::Passed,
                None if keeps_new_pods_away(taint) => CheckOutcome::Failed,
                None => CheckOutcome::Indifferent,
            };
            let property = Path::of("spec.taints").index(position);
            let subject = CheckSubject::Taint { taint, covered_by };
            self.note(subject, outcome, toleration(covered_by), Some(property));
        }
        if node.spec.unschedulable {
            let covered_by = covering(&Taint {
                key: Text::new_static("node.kubernetes.io/unschedulable"),
                value: Text::default(),
                effect: TaintEffect::NoSchedule,
            });
            let property = Path::of("spec.unschedulable");
            let outcome = passed_if(covered_by.is_some());
            self.note(CheckSubject::Unschedulable, outcome, toleration(covered_by), Some(property));
        }
    }

    fn room(&mut self, usage: &NodeUsage) {
        let Self { rules, node, .. } = *self;
        let spec = rules.template().spec();
        for declared in &rules.demand().host_ports {
            let (wanted, taken) = (&declared.port, usage.holder_of(&declared.port).cloned());
            let outcome = passed_if(taken.is_none());
            self.note(CheckSubject::HostPort { wanted, taken }, outcome, Some(host_port(spec, declared)), None);
        }
        let allocatable_path = |resource: &str| Some(Path::of("status.allocatable").key(resource));
        let (pods, takes) = (usage.pods, allocatable_pods(node));
        let subject = CheckSubject::PodCount { pods, allocatable: takes };
        self.note(subject, passed_if(pods < takes), None, allocatable_path("pods"));
        for (resource, requested) in rules.demand().requests.iter().filter(|(_, requested)| *requested > 0) {
            let (used, allocatable) = (usage.requested.get(resource), allocatable(node, resource));
            let outcome = passed_if(requested <= allocatable.saturating_sub(used));
            let field = largest_request(spec, resource);
            let subject = CheckSubject::Resource { resource, requested, used, allocatable };
            self.note(subject, outcome, Some(field), allocatable_path(resource));
        }
    }

    fn other_pods(&mut self, others: &PodAffinityState) {
        let (node, affinity) = (self.node, &self.rules.template().spec().affinity);
        let (near, apart) = (&affinity.pod_affinity.required, &affinity.pod_anti_affinity.required);
        self.pod_terms("podAffinity", near, &mut others.affinity_on(node), |term, topology_key| {
            CheckSubject::PodAffinity { term, topology_key }
        });
        self.pod_terms("podAntiAffinity", apart, &mut others.anti_affinity_on(node), |term, topology_key| {
            CheckSubject::PodAntiAffinity { term, topology_key }
        });
        if let Some(pod) = others.closed_on(node) {
            let subject = CheckSubject::ExistingPodAntiAffinity { pod: pod.clone() };
            self.note(subject, CheckOutcome::Failed, None, None);
        }
    }

    /// `verdicts`: the position of each term, and whether it holds.
    fn pod_terms(
        &mut self,
        kind: &str,
        terms: &'a [PodAffinityTerm],
        verdicts: &mut dyn Iterator<Item = (u32, bool)>,
        subject: fn(u32, &'a Text) -> CheckSubject<'a>,
    ) {
        for (PodAffinityTerm { topology_key, .. }, (position, holds)) in terms.iter().zip(verdicts) {
            let required = pod_spec("affinity").field(kind).field("requiredDuringSchedulingIgnoredDuringExecution");
            let (field, property) = (required.index(position), label(topology_key));
            self.note(subject(position, topology_key), passed_if(holds), Some(field), Some(property));
        }
    }
}

/// The path of a field of the pod's spec in a DaemonSet.
fn pod_spec(names: &str) -> Path {
    Path::of("spec.template.spec").fields(names)
}

fn label(key: &str) -> Path {
    Path::of("metadata.labels").key(key)
}

fn passed_if(passed: bool) -> CheckOutcome {
    if passed { CheckOutcome::Passed } else { CheckOutcome::Failed }
}

/// The toleration that covers a taint, or where one would stand; absent when every DaemonSet pod gets it.
fn toleration(covered_by: Option<TolerationOrigin>) -> Option<Path> {
    let tolerations = pod_spec("tolerations");
    match covered_by {
        None => Some(tolerations),
        Some(TolerationOrigin::Template(index) | TolerationOrigin::Automatic { replaces: Some(index) }) => {
            Some(tolerations.index(index))
        }
        Some(TolerationOrigin::Automatic { replaces: None }) => None,
    }
}

fn host_port(spec: &PodSpec, declared: &DeclaredHostPort) -> Path {
    let (list, containers) = if declared.in_init_containers {
        ("initContainers", &spec.init_containers)
    } else {
        ("containers", &spec.containers)
    };
    let position = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    let written = containers
        .get(position(declared.container))
        .and_then(|container| container.ports.get(position(declared.index)))
        .is_some_and(|port| port.host_port != 0);
    let port = pod_spec(list).index(declared.container).field("ports").index(declared.index);
    // On the host network a port that names no host port is the node's all the same.
    port.field(if written { "hostPort" } else { "containerPort" })
}

/// The line that asks for the most of a resource: the pod's own, or that of the first container that does.
fn largest_request(spec: &PodSpec, resource: &str) -> Path {
    if spec.resources.as_ref().is_some_and(|pod| pod.requests.get(resource).is_some()) {
        return pod_spec("resources.requests").key(resource);
    }
    let mut largest: Option<(Quantity, &str, u32, &str)> = None;
    for (list, containers) in [("containers", &spec.containers), ("initContainers", &spec.init_containers)] {
        for (position, container) in (0..).zip(containers) {
            let (requests, limits) = (&container.resources.requests, &container.resources.limits);
            let asked = requests.get(resource).map(|amount| (amount, "requests"));
            let Some((amount, by)) = asked.or_else(|| limits.get(resource).map(|amount| (amount, "limits"))) else {
                continue;
            };
            if largest.is_none_or(|(most, ..)| amount > most) {
                largest = Some((amount, list, position, by));
            }
        }
    }
    let owner = match largest {
        Some((_, list, position, by)) => pod_spec(list).index(position).field("resources").field(by),
        None if spec.overhead.get(resource).is_some() => pod_spec("overhead"),
        None => pod_spec("resources.limits"),
    };
    owner.key(resource)
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
    fn traced<'a>(rules: &'a PlacementRules, node: &'a Node) -> Vec<Check<'a>> {
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

    fn written(checks: &[Check<'_>]) -> Vec<String> {
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
            let rules = with(required.clone());
            let checks = traced(&rules, &node);
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
        let rules = rules(&json!({"affinity": against}));
        let checks = traced(&rules, &node);
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
