use super::{Eligibility, Exclusion, Placement};
use crate::KubernetesVersion;
use crate::api::{Node, PodTemplate, Taint, TaintEffect, Text};
use crate::scheduling::{
    EffectiveToleration, NodeRequirements, PodDemand, daemon_pod_tolerates, effective_tolerations, keeps_new_pods_away,
};

/// What a template says about where its pods go, read once, so that asking about a node allocates nothing.
#[derive(Clone, Debug)]
pub struct PlacementRules {
    template: PodTemplate,
    requirements: NodeRequirements,
    demand: PodDemand,
    version: KubernetesVersion,
}

impl PlacementRules {
    /// Reads the rules of a template as this release does. Who is eligible is the same in all of them; what a pod takes
    /// up on its node, and in what words kube-scheduler refuses it, is not.
    pub fn of(template: &PodTemplate, version: KubernetesVersion) -> Self {
        let spec = template.spec();
        Self {
            template: template.clone(),
            requirements: NodeRequirements::of(spec),
            demand: PodDemand::of(spec, version),
            version,
        }
    }

    /// The template that the rules were read from.
    pub fn template(&self) -> &PodTemplate {
        &self.template
    }

    /// `spec.nodeName` of the template; empty for any node. Its pods skip the scheduler.
    pub fn node_name(&self) -> &Text {
        &self.template.spec().node_name
    }

    /// What is asked of a node's labels and name.
    pub fn requirements(&self) -> &NodeRequirements {
        &self.requirements
    }

    /// The tolerations of the pods, the automatic ones among them: a list made for who looks at each of them.
    pub fn tolerations(&self) -> Vec<EffectiveToleration> {
        effective_tolerations(self.template.spec())
    }

    /// What a pod takes up on a node.
    pub fn demand(&self) -> &PodDemand {
        &self.demand
    }

    /// The release whose rules these are.
    pub const fn version(&self) -> KubernetesVersion {
        self.version
    }

    /// Whether `spec.nodeName` of the template, if any, is this node's name.
    pub fn node_name_matches(&self, name: &str) -> bool {
        self.node_name().is_empty() || self.node_name() == name
    }

    /// Whether some toleration covers `taint`.
    pub fn tolerate(&self, taint: &Taint) -> bool {
        daemon_pod_tolerates(self.template.spec(), taint)
    }
}

/// Whether a node should run the pod, and whether a pod that is there may stay (`NodeShouldRunDaemonPod`, Kubernetes
/// 1.36). Readiness, `spec.unschedulable`, room and other pods play no part: they are the scheduler's.
pub fn eligibility(rules: &PlacementRules, node: &Node) -> Eligibility {
    if !rules.node_name_matches(&node.metadata.name) || !rules.requirements.match_node(node) {
        return Eligibility { should_run: false, should_continue_running: false };
    }
    let mut eligibility = Eligibility { should_run: true, should_continue_running: true };
    for taint in node.spec.taints.iter().filter(|taint| keeps_new_pods_away(taint)) {
        if !rules.tolerate(taint) {
            eligibility.should_run = false;
            eligibility.should_continue_running &= taint.effect != TaintEffect::NoExecute;
        }
    }
    eligibility
}

/// Where a node stands, with every obstacle named, also those behind the first one.
pub fn place(rules: &PlacementRules, node: &Node) -> Placement {
    let mut exclusions = Vec::new();
    if !rules.node_name_matches(&node.metadata.name) {
        exclusions.push(Exclusion::NodeName { wanted: rules.node_name().clone() });
    }
    for (key, wanted) in rules.requirements.node_selector().iter() {
        let found = node.metadata.labels.get(key);
        if found != Some(wanted) {
            let (key, wanted, found) = (key.clone(), wanted.clone(), found.cloned());
            exclusions.push(Exclusion::NodeSelector { key, wanted, found });
        }
    }
    if !rules.requirements.affinity_matches(node) {
        let terms = rules.requirements.terms().map_or(0, <[_]>::len);
        exclusions.push(Exclusion::NodeAffinity { terms: u32::try_from(terms).unwrap_or(u32::MAX) });
    }
    let mut may_stay = exclusions.is_empty();
    for taint in node.spec.taints.iter().filter(|taint| keeps_new_pods_away(taint) && !rules.tolerate(taint)) {
        may_stay &= taint.effect != TaintEffect::NoExecute;
        exclusions.push(Exclusion::Taint(taint.clone()));
    }
    match (exclusions.is_empty(), may_stay) {
        (true, _) => Placement::Run,
        (false, true) => Placement::KeepRunning(exclusions),
        (false, false) => Placement::Exclude(exclusions),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rules(spec: &serde_json::Value) -> PlacementRules {
        PlacementRules::of(&PodTemplate::from_json(json!({ "spec": spec })).unwrap(), KubernetesVersion::V1_36)
    }

    fn node(json: &serde_json::Value) -> Node {
        serde_json::from_value(json.clone()).unwrap()
    }

    fn tainted(taints: &serde_json::Value) -> Node {
        node(&json!({"metadata": {"name": "a"}, "spec": {"taints": taints}}))
    }

    /// `place` and `eligibility` must agree; returns the two booleans.
    fn pair(rules: &PlacementRules, node: &Node) -> (bool, bool) {
        let eligibility = eligibility(rules, node);
        assert_eq!(place(rules, node).eligibility(), eligibility);
        (eligibility.should_run, eligibility.should_continue_running)
    }

    #[test]
    fn only_untolerated_no_schedule_taints_let_a_pod_stay() {
        let plain = rules(&json!({}));
        assert_eq!(pair(&plain, &tainted(&json!([]))), (true, true));
        assert_eq!(pair(&plain, &tainted(&json!([{"key": "k", "effect": "NoSchedule"}]))), (false, true));
        assert_eq!(pair(&plain, &tainted(&json!([{"key": "k", "effect": "NoExecute"}]))), (false, false));
        assert_eq!(pair(&plain, &tainted(&json!([{"key": "k", "effect": "PreferNoSchedule"}]))), (true, true));
        assert_eq!(
            pair(&plain, &tainted(&json!([{"key": "k", "effect": "NoSchedule"}, {"key": "l", "effect": "NoExecute"}]))),
            (false, false)
        );
    }

    #[test]
    fn a_dead_node_keeps_its_pod_and_gets_no_new_one() {
        let dead = tainted(&json!([
            {"key": "node.kubernetes.io/unreachable", "effect": "NoSchedule"},
            {"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"}]));
        assert_eq!(pair(&rules(&json!({})), &dead), (false, true));
    }

    #[test]
    fn cordons_and_pressure_are_tolerated() {
        let node = tainted(&json!([
            {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"},
            {"key": "node.kubernetes.io/disk-pressure", "effect": "NoSchedule"},
            {"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"}]));
        assert_eq!(pair(&rules(&json!({})), &node), (true, true));
    }

    #[test]
    fn another_node_name_excludes() {
        let node = node(&json!({"metadata": {"name": "a", "labels": {"l": "1"}}}));
        assert_eq!(pair(&rules(&json!({"nodeName": "b"})), &node), (false, false));
        assert_eq!(pair(&rules(&json!({"nodeName": "a", "nodeSelector": {"l": "1"}})), &node), (true, true));
        assert_eq!(pair(&rules(&json!({"nodeName": "a", "nodeSelector": {"l": "2"}})), &node), (false, false));
    }

    #[test]
    fn every_obstacle_is_named() {
        let key = "node-role.kubernetes.io/control-plane";
        let node = node(&json!({"metadata": {"name": "cp1", "labels": {key: "true"}},
            "spec": {"taints": [{"key": key, "effect": "NoSchedule"}]}}));
        let placement = place(&rules(&json!({"nodeSelector": {key: ""}})), &node);
        let taint = node.spec.taints[0].clone();
        let selector = Exclusion::NodeSelector { key: key.into(), wanted: Text::default(), found: Some("true".into()) };
        assert_eq!(placement, Placement::Exclude(vec![selector, Exclusion::Taint(taint)]));
    }
}
