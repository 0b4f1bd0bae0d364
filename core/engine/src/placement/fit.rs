use std::borrow::Cow;

use super::PlacementRules;
use crate::KubernetesVersion;
use crate::api::{Node, ObjectKey, OwnerReference, Pod, Taint, Text};
use crate::order::sort_by;
use crate::scheduling::{
    NodeUsage, Plugin, PodAffinityState, PodIdentity, Refusal, lower_and_others, node_name, node_ports, node_resources,
    node_unschedulable, taint_toleration, victims,
};

/// What kube-scheduler says to a DaemonSet's pod for one node: it looks at that node only, because the pod is pinned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fit {
    /// Why not, all by the first plugin that refuses; empty when the pod fits.
    pub refusals: Vec<Refusal>,
}

impl Fit {
    /// Whether the pod gets its node.
    pub fn fits(&self) -> bool {
        self.refusals.is_empty()
    }

    /// The plugin that refuses.
    pub fn plugin(&self) -> Option<Plugin> {
        self.refusals.first().map(Refusal::plugin)
    }

    /// The reasons in this kube-scheduler's words and order.
    pub fn reasons(&self, version: KubernetesVersion) -> impl Iterator<Item = Cow<'static, str>> + '_ {
        self.refusals.iter().map(move |refusal| refusal.reason(version))
    }

    /// Whether it is a refusal that the absence of other pods could undo; one that it could not spoils all of them.
    /// It says nothing of whether there are pods that may be preempted.
    pub fn preemption_might_help(&self) -> bool {
        !self.fits() && self.refusals.iter().all(Refusal::preemption_might_help)
    }
}

/// Whether the pod fits on `node` beside those of `pods` that are on it.
///
/// The pod is the one that the controller makes for this node: pinned to it, so that the template's required node
/// affinity plays no part, and with the automatic tolerations. `namespace` is the DaemonSet's. Affinity to pods and
/// against them sees the pods on this node alone; [`fit_among`] can be told of others.
pub fn fits<'a>(
    rules: &PlacementRules,
    namespace: &Text,
    node: &Node,
    pods: impl IntoIterator<Item = &'a Pod, IntoIter: Clone>,
) -> Fit {
    let mut pods = pods.into_iter();
    fits_beside(rules, namespace, node, &mut pods.clone(), &mut pods)
}

/// The pods are gone through twice.
fn fits_beside<'a>(
    rules: &PlacementRules,
    namespace: &Text,
    node: &Node,
    pods: &mut dyn Iterator<Item = &'a Pod>,
    again: &mut dyn Iterator<Item = &'a Pod>,
) -> Fit {
    let usage = NodeUsage::seen_by(rules.demand(), &node.metadata.name, pods, rules.version());
    let identity = PodIdentity { namespace, labels: rules.template().labels() };
    let placed = again.map(|pod| (node, pod));
    fit_among(rules, node, &usage, &PodAffinityState::of(rules.template().spec(), identity, placed))
}

/// Whether the pod fits, asked with what was gathered before: what the node's pods take up, and what all placed pods
/// mean for its (anti-)affinity. Asks kube-scheduler's default filters in their order; the first that refuses ends it.
pub fn fit_among(rules: &PlacementRules, node: &Node, usage: &NodeUsage, others: &PodAffinityState) -> Fit {
    let tolerate = |taint: &Taint| rules.tolerate(taint);
    let refused = |refusal: Refusal| Fit { refusals: vec![refusal] };
    if let Some(refusal) = node_unschedulable(node, tolerate) {
        return refused(refusal);
    }
    if let Some(refusal) = node_name(rules.node_name(), node) {
        return refused(refusal);
    }
    if let Some(refusal) = taint_toleration(node, tolerate) {
        return refused(refusal);
    }
    // The pod's own required affinity is the pin to this node; `spec.nodeSelector` is kept.
    if !rules.requirements().node_selector_matches(&node.metadata.labels) {
        return refused(Refusal::NodeAffinity);
    }
    if let Some(refusal) = node_ports(rules.demand(), usage) {
        return refused(refusal);
    }
    let refusals = node_resources(rules.demand(), node, usage);
    if !refusals.is_empty() {
        return Fit { refusals };
    }
    others.refusal_on(node).map_or_else(Fit::default, refused)
}

/// The room for a DaemonSet's new pod on a node where its old one may still be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    /// After the DaemonSet's own pods are gone: how a pod is replaced without surge.
    pub after_old_pod: Fit,
    /// Beside them: what surge needs. A host port that the old pod holds is refused here.
    pub beside_old_pod: Fit,
}

/// Whether the new pod fits on `node` among `pods` without and with surge. Own pods are those that the DaemonSet
/// with the UID `daemon_set_uid` controls.
pub fn room_on<'a>(
    rules: &PlacementRules,
    daemon_set_uid: &Text,
    namespace: &Text,
    node: &Node,
    pods: impl IntoIterator<Item = &'a Pod>,
) -> Room {
    let pods: Vec<&Pod> = pods.into_iter().collect();
    let is_own =
        |pod: &Pod| pod.metadata.controller_owner().is_some_and(|OwnerReference { uid, .. }| uid == daemon_set_uid);
    let others: Vec<&Pod> = pods.iter().copied().filter(|pod| !is_own(pod)).collect();
    Room {
        after_old_pod: fits(rules, namespace, node, others.iter().copied()),
        beside_old_pod: fits(rules, namespace, node, pods),
    }
}

/// Whether other pods can be made to give way to a pod that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Preemption {
    /// Not this kind of refusal.
    NotHelpful,
    /// `preemptionPolicy: Never`.
    NotAllowed,
    /// No pod on the node has a lower priority.
    NoVictims,
    /// The pod would not fit for these reasons even if every pod of lower priority went.
    NotEnough(Fit),
    /// These would be evicted, the least important first.
    Victims(Vec<ObjectKey>),
}

/// What preemption would do for a pod of `priority` that does not fit on `node` beside those of `pods` that are on it
/// (`defaultpreemption`, Kubernetes 1.36). `PodDisruptionBudgets` are not looked at.
pub fn preemption<'a>(
    rules: &PlacementRules,
    priority: i32,
    namespace: &Text,
    node: &Node,
    pods: impl IntoIterator<Item = &'a Pod>,
    fit: &Fit,
) -> Preemption {
    preemption_of(rules, priority, namespace, node, &pods.into_iter().collect::<Vec<_>>(), fit)
}

fn preemption_of(
    rules: &PlacementRules,
    priority: i32,
    namespace: &Text,
    node: &Node,
    pods: &[&Pod],
    fit: &Fit,
) -> Preemption {
    if rules.template().spec().preemption_policy == "Never" {
        return Preemption::NotAllowed;
    }
    if !fit.preemption_might_help() {
        return Preemption::NotHelpful;
    }
    let (name, version) = (&node.metadata.name, rules.version());
    let (lower, kept) = lower_and_others(name, pods, priority);
    if lower.is_empty() {
        return Preemption::NoVictims;
    }
    let identity = PodIdentity { namespace, labels: rules.template().labels() };
    let fit_beside = |usage: &NodeUsage, kept: &[&Pod]| {
        let placed = kept.iter().map(|pod| (node, *pod));
        fit_among(rules, node, usage, &PodAffinityState::of(rules.template().spec(), identity, placed))
    };
    let usage = NodeUsage::of(name, kept.iter().copied(), version);
    let without_lower = fit_beside(&usage, &kept);
    if !without_lower.fits() {
        return Preemption::NotEnough(without_lower);
    }
    let victims = victims(usage, kept, lower, version, |usage, kept| fit_beside(usage, kept).fits());
    if victims.is_empty() {
        // What is in the way is on another node, or was not among the pods.
        return Preemption::NoVictims;
    }
    Preemption::Victims(victims.iter().map(|pod| pod.metadata.key()).collect())
}

/// The message with which this kube-scheduler leaves a pod `Pending` (`FitError.Error`, Kubernetes 1.36), for a pod
/// pinned to one of `node_count` nodes; `pinned` is that node's name and what is said there, absent when it does not
/// exist. Before 1.37 nothing is said of preemption that works.
pub fn unschedulable_message(
    node_count: u32,
    pinned: Option<(&str, &Fit)>,
    preemption: &Preemption,
    version: KubernetesVersion,
) -> String {
    let fit = pinned.map(|(_, fit)| fit);
    let elsewhere = node_count.saturating_sub(u32::from(fit.is_some()));
    let mut reasons: Vec<String> =
        fit.into_iter().flat_map(|fit| fit.reasons(version)).map(|reason| format!("1 {reason}")).collect();
    reasons.extend((elsewhere > 0).then(|| format!("{elsewhere} node(s) didn't satisfy plugin(s) [NodeAffinity]")));
    let here_and_elsewhere = |mut reasons: Vec<String>| {
        reasons.extend((elsewhere > 0).then(|| format!("{elsewhere} Preemption is not helpful for scheduling")));
        format!(" preemption: {}", counted(node_count, reasons))
    };
    let preemption_part = match (preemption, fit) {
        (Preemption::NotAllowed, _) => " preemption: not eligible due to preemptionPolicy=Never.".to_owned(),
        (Preemption::NoVictims, Some(_)) => {
            here_and_elsewhere(vec!["1 No preemption victims found for incoming pod".to_owned()])
        }
        (Preemption::NotEnough(fit), Some(_)) => {
            here_and_elsewhere(fit.reasons(version).map(|reason| format!("1 {reason}")).collect())
        }
        (Preemption::NotHelpful | Preemption::NoVictims | Preemption::NotEnough(_), _) => {
            let not_helpful = format!("{node_count} Preemption is not helpful for scheduling");
            format!(" preemption: {}", counted(node_count, vec![not_helpful]))
        }
        (Preemption::Victims(pods), Some(_)) if version >= KubernetesVersion::V1_37 => {
            let (node, count) = (pinned.map_or("", |(node, _)| node), pods.len());
            format!(" preemption: found a potential placement for pod on node {node}, preempting {count} victims")
        }
        (Preemption::Victims(_), _) => String::new(),
    };
    counted(node_count, reasons) + &preemption_part
}

fn counted(node_count: u32, mut reasons: Vec<String>) -> String {
    sort_by(&mut reasons, Ord::cmp);
    format!("0/{node_count} nodes are available: {}.", reasons.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::PodTemplate;
    use serde_json::{Value, json};

    const VERSION: KubernetesVersion = KubernetesVersion::V1_36;

    fn rules(spec: &Value) -> PlacementRules {
        PlacementRules::of(
            &PodTemplate::from_json(json!({"metadata": {"labels": {"app": "agent"}}, "spec": spec})).unwrap(),
            VERSION,
        )
    }

    fn node(cpu: &str, pods: &str) -> Node {
        serde_json::from_value(json!({"metadata": {"name": "a", "labels": {"kubernetes.io/hostname": "a"}},
            "status": {"allocatable": {"cpu": cpu, "memory": "4Gi", "pods": pods}}}))
        .unwrap()
    }

    fn pod(name: &str, spec: &Value) -> Pod {
        let mut spec = spec.clone();
        spec["nodeName"] = json!("a");
        let metadata = json!({"name": name, "namespace": "default", "labels": {"app": name}});
        serde_json::from_value(json!({"metadata": metadata, "spec": spec, "status": {"phase": "Running"}})).unwrap()
    }

    fn asking(cpu: &str) -> Value {
        json!({"containers": [{"resources": {"requests": {"cpu": cpu}}}]})
    }

    fn listening(port: i32) -> Value {
        json!({"containers": [{"ports": [{"containerPort": 80, "hostPort": port}]}]})
    }

    fn ask(rules: &PlacementRules, node: &Node, pods: &[Pod]) -> Fit {
        fits(rules, &"default".into(), node, pods)
    }

    fn reasons(fit: &Fit) -> Vec<String> {
        fit.reasons(VERSION).map(Cow::into_owned).collect()
    }

    #[test]
    fn a_full_node_has_no_room_and_an_equal_has_no_victims() {
        let (rules, node) = (rules(&asking("300m")), node("2", "110"));
        let pods = [pod("filler", &asking("1800m"))];
        let fit = ask(&rules, &node, &pods);
        assert_eq!((reasons(&fit), fit.preemption_might_help()), (vec!["Insufficient cpu".to_owned()], true));
        let outcome = preemption(&rules, 0, &"default".into(), &node, &pods, &fit);
        assert_eq!(outcome, Preemption::NoVictims);
        assert_eq!(
            unschedulable_message(3, Some(("a", &fit)), &outcome, VERSION),
            "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity]. \
             preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, \
             2 Preemption is not helpful for scheduling."
        );
        let outcome = preemption(&rules, 1000, &"default".into(), &node, &pods, &fit);
        assert_eq!(outcome, Preemption::Victims(vec![pods[0].metadata.key()]));
    }

    #[test]
    fn what_is_left_when_all_of_lower_priority_goes_may_still_be_too_much() {
        let (rules, node) = (rules(&asking("600m")), node("1", "110"));
        let (lower, mut higher) = (pod("lower", &asking("300m")), pod("higher", &asking("500m")));
        higher.spec.priority = Some(2000);
        let pods = [lower, higher];
        let fit = ask(&rules, &node, &pods);
        let outcome = preemption(&rules, 1000, &"default".into(), &node, &pods, &fit);
        assert!(matches!(&outcome, Preemption::NotEnough(fit) if reasons(fit) == ["Insufficient cpu"]), "{outcome:?}");
        assert_eq!(
            unschedulable_message(2, Some(("a", &fit)), &outcome, VERSION),
            "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't satisfy plugin(s) [NodeAffinity]. \
             preemption: 0/2 nodes are available: 1 Insufficient cpu, 1 Preemption is not helpful for scheduling."
        );
        let outcome = preemption(&rules, 3000, &"default".into(), &node, &pods, &fit);
        assert_eq!(
            outcome,
            Preemption::Victims(vec![pods[1].metadata.key()]),
            "the more important of the two frees it"
        );
    }

    #[test]
    fn a_pod_that_never_preempts_says_so() {
        let mut spec = asking("300m");
        spec["preemptionPolicy"] = json!("Never");
        let (rules, node, pods) = (rules(&spec), node("2", "110"), [pod("filler", &asking("2"))]);
        let fit = ask(&rules, &node, &pods);
        let outcome = preemption(&rules, 1000, &"default".into(), &node, &pods, &fit);
        assert_eq!(
            unschedulable_message(1, Some(("a", &fit)), &outcome, VERSION),
            "0/1 nodes are available: 1 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never."
        );
    }

    #[test]
    fn a_refusal_that_is_final_makes_preemption_unhelpful() {
        let (rules, node, pods) = (rules(&asking("3")), node("2", "1"), [pod("filler", &asking("1"))]);
        let fit = ask(&rules, &node, &pods);
        assert_eq!(reasons(&fit), ["Too many pods", "Insufficient cpu"]);
        assert!(!fit.preemption_might_help());
        let outcome = preemption(&rules, 1000, &"default".into(), &node, &pods, &fit);
        assert_eq!(
            unschedulable_message(1, Some(("a", &fit)), &outcome, VERSION),
            "0/1 nodes are available: 1 Insufficient cpu, 1 Too many pods. \
             preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
        );
    }

    #[test]
    fn a_pod_for_a_node_that_is_gone_fits_nowhere() {
        assert_eq!(
            unschedulable_message(2, None, &Preemption::NotHelpful, VERSION),
            "0/2 nodes are available: 2 node(s) didn't satisfy plugin(s) [NodeAffinity]. \
             preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."
        );
    }

    #[test]
    fn surge_is_refused_the_host_port_of_the_own_old_pod() {
        let (rules, node) = (rules(&listening(8080)), node("2", "110"));
        let mut old = pod("agent", &listening(8080));
        old.metadata.owner_references =
            vec![OwnerReference { uid: "ds".into(), controller: true, ..OwnerReference::default() }];
        let room = room_on(&rules, &"ds".into(), &"default".into(), &node, &[old.clone()]);
        assert!(room.after_old_pod.fits());
        assert_eq!(reasons(&room.beside_old_pod), ["node(s) didn't have free ports for the requested pod ports"]);
        let room = room_on(&rules, &"other".into(), &"default".into(), &node, &[old]);
        assert!(!room.after_old_pod.fits(), "not its own pod");
    }

    #[test]
    fn another_node_name_is_refused_before_taints() {
        let mut node = node("2", "110");
        node.spec.taints = serde_json::from_value(json!([{"key": "k", "effect": "NoSchedule"}])).unwrap();
        let fit = ask(&rules(&json!({"nodeName": "b"})), &node, &[]);
        assert_eq!((fit.plugin(), fit.preemption_might_help()), (Some(Plugin::NodeName), false));
        assert_eq!(reasons(&fit), ["node(s) didn't match the requested node name"]);
        assert_eq!(ask(&rules(&json!({"nodeName": "a"})), &node, &[]).plugin(), Some(Plugin::TaintToleration));
    }

    #[test]
    fn the_templates_node_affinity_plays_no_part_once_the_pod_is_pinned() {
        let affinity = json!({"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
            {"matchExpressions": [{"key": "gpu", "operator": "Exists"}]}]}}});
        assert!(ask(&rules(&json!({"affinity": affinity})), &node("2", "110"), &[]).fits());
        let fit = ask(&rules(&json!({"nodeSelector": {"gpu": "yes"}})), &node("2", "110"), &[]);
        assert_eq!(fit.plugin(), Some(Plugin::NodeAffinity));
    }

    #[test]
    fn anti_affinity_to_a_pod_of_lower_priority_can_be_preempted() {
        let against = json!({"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
            {"labelSelector": {"matchLabels": {"app": "noisy"}}, "topologyKey": "kubernetes.io/hostname"}]}});
        let (rules, node) = (rules(&json!({"affinity": against})), node("2", "110"));
        let pods = [pod("noisy", &asking("1"))];
        let fit = ask(&rules, &node, &pods);
        assert_eq!(reasons(&fit), ["node(s) didn't match pod anti-affinity rules"]);
        assert!(fit.preemption_might_help());
        assert_eq!(preemption(&rules, 0, &"default".into(), &node, &pods, &fit), Preemption::NoVictims);
        let outcome = preemption(&rules, 1, &"default".into(), &node, &pods, &fit);
        assert_eq!(outcome, Preemption::Victims(vec![pods[0].metadata.key()]));
    }
}
