use serde_json::{Map, Value, json};

use super::PlacementRules;
use crate::api::{
    Affinity, DaemonSet, Labels, NodeAffinity, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, ObjectMeta,
    OwnerReference, Pod, Text,
};
use crate::json::take_out;
use crate::scheduling::{NodeProperty, TolerationOrigin};

/// A pod that the controller makes (`util.CreatePodTemplate`, `ReplaceDaemonSetPodNodeNameNodeAffinity`, Kubernetes
/// 1.36). The template is a revision's, which need not be the DaemonSet's newest.
#[derive(Clone, Copy, Debug)]
pub struct NewPod<'a> {
    /// Whose pod it is.
    pub daemon_set: &'a DaemonSet,
    /// What it is made from, read.
    pub rules: &'a PlacementRules,
    /// The node that it is pinned to.
    pub node: &'a str,
    /// Its name; empty leaves the choice to the API server.
    pub name: &'a str,
    /// `controller-revision-hash` of the revision.
    pub revision_hash: &'a str,
    /// `pod-template-generation`, when the DaemonSet's annotation says so and the template is the newest.
    pub template_generation: Option<i64>,
}

impl NewPod<'_> {
    /// What rules read of the pod, before the scheduler has seen it.
    pub fn narrow(&self) -> Pod {
        let template = self.rules.template();
        let mut spec = template.spec().clone();
        spec.affinity.node_affinity.required = Some(pin(self.node));
        spec.tolerations = self.rules.tolerations().into_iter().map(|entry| entry.toleration).collect();
        let metadata = ObjectMeta {
            name: Text::new(self.name),
            generate_name: Text::new(self.generate_name()),
            namespace: self.daemon_set.metadata.namespace.clone(),
            labels: self.labels(),
            annotations: template.annotations().clone(),
            finalizers: template.finalizers().into(),
            owner_references: vec![self.owner()],
            ..ObjectMeta::default()
        };
        Pod { metadata, spec, ..Pod::default() }
    }

    /// The whole pod as it is sent to the API server: everything in the template, verbatim but for what the
    /// controller sets.
    pub fn json(&self) -> Value {
        let template = self.rules.template().json();
        let part = |name: &str| template.get(name).and_then(Value::as_object).cloned().unwrap_or_default();

        let mut metadata = Map::new();
        if !self.name.is_empty() {
            metadata.insert("name".into(), self.name.into());
        }
        metadata.insert("generateName".into(), self.generate_name().into());
        metadata.insert("namespace".into(), self.daemon_set.metadata.namespace.as_str().into());
        metadata.insert("labels".into(), to_json(&self.labels()));
        let of_template = part("metadata");
        for kept in ["annotations", "finalizers"] {
            if let Some(value) = of_template.get(kept).filter(|value| !value.is_null()) {
                metadata.insert(kept.into(), value.clone());
            }
        }
        metadata.insert("ownerReferences".into(), to_json(&[self.owner()]));

        let mut spec = part("spec");
        let written = spec.get("tolerations").and_then(Value::as_array).cloned().unwrap_or_default();
        let tolerations = self.rules.tolerations().into_iter().map(|entry| match entry.origin {
            TolerationOrigin::Template(index) => {
                let verbatim = usize::try_from(index).ok().and_then(|index| written.get(index)).cloned();
                verbatim.unwrap_or_else(|| to_json(&entry.toleration))
            }
            TolerationOrigin::Automatic { .. } => to_json(&entry.toleration),
        });
        let tolerations: Vec<Value> = tolerations.collect();
        spec.insert("tolerations".into(), tolerations.into());
        edit_object(&mut spec, "affinity", |affinity| {
            edit_object(affinity, "nodeAffinity", |node_affinity| {
                node_affinity.insert("requiredDuringSchedulingIgnoredDuringExecution".into(), to_json(&pin(self.node)));
            });
        });

        json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec})
    }

    fn generate_name(&self) -> String {
        format!("{}-", self.daemon_set.metadata.name)
    }

    fn labels(&self) -> Labels {
        let mut labels = self.rules.template().labels().clone();
        if !self.revision_hash.is_empty() {
            labels = labels.with(Pod::REVISION_HASH_LABEL, self.revision_hash);
        }
        match self.template_generation {
            Some(generation) => labels.with(Pod::TEMPLATE_GENERATION_LABEL, &generation.to_string()),
            None => labels,
        }
    }

    fn owner(&self) -> OwnerReference {
        OwnerReference {
            api_version: Text::new_static("apps/v1"),
            kind: Text::new_static("DaemonSet"),
            name: self.daemon_set.metadata.name.clone(),
            uid: self.daemon_set.metadata.uid.clone(),
            controller: true,
            block_owner_deletion: true,
        }
    }
}

/// The required node affinity that ties a pod to one node.
fn pin(node: &str) -> NodeSelector {
    let requirement = NodeSelectorRequirement {
        key: Text::new_static(NodeProperty::NAME),
        operator: Text::new_static("In"),
        values: vec![Text::new(node)],
    };
    let term = NodeSelectorTerm { match_fields: vec![requirement], ..NodeSelectorTerm::default() };
    NodeSelector { node_selector_terms: vec![term] }
}

/// The node that a pod is on, or is pinned to (`util.GetTargetNodeName`, Kubernetes 1.36): `spec.nodeName`, else the
/// one value of the first `In` requirement on `metadata.name` in its required node affinity. Absent when that
/// requirement has not exactly one value, or there is none: such a pod plays no part in planning.
pub fn target_node_of(pod: &Pod) -> Option<&Text> {
    if !pod.spec.node_name.is_empty() {
        return Some(&pod.spec.node_name);
    }
    let Affinity { node_affinity: NodeAffinity { required }, .. } = &pod.spec.affinity;
    let mut fields = required.iter().flat_map(|required| &required.node_selector_terms).flat_map(|t| &t.match_fields);
    let pinned = fields.find(|field| field.key == NodeProperty::NAME && field.operator == "In")?;
    match pinned.values.as_slice() {
        [node] => Some(node),
        _ => None,
    }
}

/// Edits the object at `key`, made where there is none.
fn edit_object(map: &mut Map<String, Value>, key: &str, edit: impl FnOnce(&mut Map<String, Value>)) {
    let mut object = match take_out(map, key) {
        Some(Value::Object(object)) => object,
        _ => Map::new(),
    };
    edit(&mut object);
    map.insert(key.to_owned(), Value::Object(object));
}

fn to_json<T: serde::Serialize + ?Sized>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::PodTemplate;

    fn daemon_set() -> DaemonSet {
        serde_json::from_value(json!({"metadata": {"name": "agent", "namespace": "system", "uid": "u"}})).unwrap()
    }

    fn template() -> PodTemplate {
        PodTemplate::from_json(json!({
            "metadata": {"creationTimestamp": null, "labels": {"app": "agent"}, "annotations": {"note": "1"},
                         "finalizers": ["example.com/keep"]},
            "spec": {
                "containers": [{"name": "main", "image": "x:1", "env": [{"name": "A", "value": "b"}]}],
                "dnsPolicy": "ClusterFirst",
                "nodeSelector": {"role": "worker"},
                "tolerations": [
                    {"key": "mine", "operator": "Exists", "unknownToUs": 1},
                    {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute",
                     "tolerationSeconds": 5}],
                "affinity": {"nodeAffinity": {
                    "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                        {"matchExpressions": [{"key": "zone", "operator": "Exists"}]}]},
                    "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "preference": {}}]}}}}))
        .unwrap()
    }

    struct Fixture {
        daemon_set: DaemonSet,
        rules: PlacementRules,
    }

    impl Fixture {
        fn new() -> Self {
            Self { daemon_set: daemon_set(), rules: PlacementRules::of(&template(), crate::KubernetesVersion::V1_36) }
        }

        fn pod(&self) -> NewPod<'_> {
            NewPod {
                daemon_set: &self.daemon_set,
                rules: &self.rules,
                node: "node-1",
                name: "agent-x",
                revision_hash: "abc",
                template_generation: Some(7),
            }
        }
    }

    #[test]
    fn the_whole_pod_and_what_rules_read_of_it_are_the_same_pod() {
        let fixture = Fixture::new();
        let pod = fixture.pod();
        assert_eq!(serde_json::from_value::<Pod>(pod.json()).unwrap(), pod.narrow());
    }

    #[test]
    fn the_pod_is_the_template_with_pin_labels_tolerations_and_owner() {
        let pod = Fixture::new().pod().json();
        assert_eq!(pod["metadata"]["generateName"], "agent-");
        assert_eq!(pod["metadata"]["finalizers"], json!(["example.com/keep"]));
        assert_eq!(
            pod["metadata"]["labels"],
            json!({"app": "agent", "controller-revision-hash": "abc", "pod-template-generation": "7"})
        );
        assert_eq!(
            pod["metadata"]["ownerReferences"],
            json!([{"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "agent", "uid": "u", "controller": true,
                    "blockOwnerDeletion": true}])
        );
        let spec = &pod["spec"];
        assert_eq!(spec["containers"][0]["env"][0]["value"], "b");
        assert_eq!(spec["dnsPolicy"], "ClusterFirst");
        assert_eq!(spec["tolerations"][0]["unknownToUs"], 1);
        assert_eq!(spec["tolerations"][1].get("tolerationSeconds"), None);
        assert_eq!(spec["tolerations"].as_array().unwrap().len(), 7);
        let affinity = &spec["affinity"]["nodeAffinity"];
        assert_eq!(
            affinity["requiredDuringSchedulingIgnoredDuringExecution"],
            json!({"nodeSelectorTerms": [
                {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-1"]}]}]})
        );
        assert_eq!(affinity["preferredDuringSchedulingIgnoredDuringExecution"][0]["weight"], 1);
        assert_eq!(spec.get("nodeName"), None);
    }

    #[test]
    fn a_pod_from_an_older_revision_carries_no_template_generation() {
        let fixture = Fixture::new();
        let labels = NewPod { template_generation: None, ..fixture.pod() }.narrow().metadata.labels;
        assert_eq!(labels.get(Pod::TEMPLATE_GENERATION_LABEL), None);
    }

    #[test]
    fn a_new_pod_is_for_the_node_it_is_pinned_to() {
        let mut pod = Fixture::new().pod().narrow();
        assert_eq!(target_node_of(&pod).unwrap(), "node-1");
        pod.spec.node_name = "bound".into();
        assert_eq!(target_node_of(&pod).unwrap(), "bound");
    }

    #[test]
    fn a_pod_that_is_pinned_to_no_or_several_nodes_has_no_target() {
        assert_eq!(target_node_of(&Pod::default()), None);
        let field = |operator: &str, values: &[&str]| json!({"matchFields": [{"key": "metadata.name", "operator": operator, "values": values}]});
        let target = |terms: &Value| {
            let required = json!({"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}});
            let pod = json!({"spec": {"affinity": {"nodeAffinity": required}}});
            target_node_of(&serde_json::from_value(pod).unwrap()).map(ToString::to_string)
        };
        assert_eq!(target(&json!([field("In", &["a", "b"]), field("In", &["c"])])), None);
        assert_eq!(target(&json!([field("NotIn", &["a"]), {}, field("In", &["c"])])).unwrap(), "c");
    }
}
