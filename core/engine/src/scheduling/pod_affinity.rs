use super::{Refusal, takes_room};
use crate::api::{LabelSelector, Labels, Node, ObjectKey, Pod, PodAffinityTerm, PodSpec, Text};
use crate::order::sort_by;

/// A topology key and a value of that label: the nodes that have it form a domain.
type Domain = (Text, Text);

/// What the pods that are already placed mean for the (anti-)affinity of one more pod, over all nodes at once
/// (`interpodaffinity` pre-filter, Kubernetes 1.36). It knows only the pods it is told about.
///
/// Namespaces are known by name alone: a `namespaceSelector` sees one label, `kubernetes.io/metadata.name`.
#[derive(Clone, Debug, Default)]
pub struct PodAffinityState {
    /// Per term of the pod's affinity: its topology key, and in order the domains that hold a pod which matches all
    /// terms.
    affinity: Vec<(Text, Vec<Text>)>,
    /// Whether the pod itself matches all terms of its affinity, and nothing placed does: then the first one may go
    /// anywhere.
    first_of_its_kind: bool,
    /// Per term of the pod's anti-affinity: its topology key, and in order the domains that hold a pod which matches it.
    anti_affinity: Vec<(Text, Vec<Text>)>,
    /// Domains that a placed pod's anti-affinity closes to this pod, in order, and the first such pod.
    closed: Vec<(Domain, ObjectKey)>,
}

/// The pod that is to be placed, as far as other pods' terms and its own look at it.
#[derive(Clone, Copy, Debug)]
pub struct PodIdentity<'a> {
    /// Its namespace.
    pub namespace: &'a Text,
    /// Its labels.
    pub labels: &'a Labels,
}

impl PodAffinityState {
    /// Gathers what matters from the placed pods, each with the node it is on.
    pub fn of<'a>(
        spec: &PodSpec,
        identity: PodIdentity<'_>,
        placed: impl IntoIterator<Item = (&'a Node, &'a Pod)>,
    ) -> Self {
        Self::gather(spec, identity, &mut placed.into_iter())
    }

    fn gather<'a>(
        spec: &PodSpec,
        identity: PodIdentity<'_>,
        placed: &mut dyn Iterator<Item = (&'a Node, &'a Pod)>,
    ) -> Self {
        let affinity_terms = &spec.affinity.pod_affinity.required;
        let anti_affinity_terms = &spec.affinity.pod_anti_affinity.required;
        let without_domains = |terms: &[PodAffinityTerm]| -> Vec<(Text, Vec<Text>)> {
            terms.iter().map(|term| (term.topology_key.clone(), Vec::new())).collect()
        };
        let mut state = Self {
            affinity: without_domains(affinity_terms),
            first_of_its_kind: false,
            anti_affinity: without_domains(anti_affinity_terms),
            closed: Vec::new(),
        };
        let asks_nothing = affinity_terms.is_empty() && anti_affinity_terms.is_empty();
        for (node, pod) in placed {
            let is_asked_nothing = pod.spec.affinity.pod_anti_affinity.required.is_empty();
            if asks_nothing && is_asked_nothing || !takes_room(pod, &node.metadata.name) {
                continue;
            }
            let other = PodIdentity { namespace: &pod.metadata.namespace, labels: &pod.metadata.labels };
            let value_of = |key: &Text| node.metadata.labels.get(key).cloned();
            if !affinity_terms.is_empty() && matches_all(affinity_terms, identity, other) {
                for (key, domains) in &mut state.affinity {
                    domains.extend(value_of(key));
                }
            }
            for (term, (key, domains)) in anti_affinity_terms.iter().zip(&mut state.anti_affinity) {
                if matches(term, identity, other) {
                    domains.extend(value_of(key));
                }
            }
            for term in &pod.spec.affinity.pod_anti_affinity.required {
                if matches(term, other, identity)
                    && let Some(value) = value_of(&term.topology_key)
                {
                    state.closed.push(((term.topology_key.clone(), value), pod.metadata.key()));
                }
            }
        }
        if asks_nothing && state.closed.is_empty() {
            return state;
        }
        for (_, domains) in state.affinity.iter_mut().chain(&mut state.anti_affinity) {
            sort_by(domains, Ord::cmp);
            domains.dedup();
        }
        // Of equal domains the first stays the first.
        sort_by(&mut state.closed, |(left, _), (right, _)| left.cmp(right));
        state.closed.dedup_by(|(domain, _), (before, _)| domain == before);
        state.first_of_its_kind = state.affinity.iter().all(|(_, domains)| domains.is_empty())
            && matches_all(affinity_terms, identity, identity);
        state
    }

    /// Why the pod may not go to `node`, if so; the first of kube-scheduler's three checks that fails.
    pub fn refusal_on(&self, node: &Node) -> Option<Refusal> {
        let affinity = self.affinity_on(node).find(|(_, holds)| !holds).map(|(term, _)| Refusal::PodAffinity { term });
        let against = || {
            let failed = self.anti_affinity_on(node).find(|(_, holds)| !holds);
            failed.map(|(term, _)| Refusal::PodAntiAffinity { term })
        };
        let closed = || self.closed_on(node).map(|pod| Refusal::ExistingPodAntiAffinity { pod: pod.clone() });
        affinity.or_else(against).or_else(closed)
    }

    /// Each term of the pod's affinity: its position, and whether it holds on `node`.
    pub fn affinity_on<'a>(&'a self, node: &'a Node) -> impl Iterator<Item = (u32, bool)> + 'a {
        (0u32..).zip(&self.affinity).map(|(term, (key, domains))| {
            let value = node.metadata.labels.get(key);
            (term, value.is_some_and(|value| domains.binary_search(value).is_ok() || self.first_of_its_kind))
        })
    }

    /// Each term of the pod's anti-affinity: its position, and whether it holds on `node`.
    pub fn anti_affinity_on<'a>(&'a self, node: &'a Node) -> impl Iterator<Item = (u32, bool)> + 'a {
        (0u32..).zip(&self.anti_affinity).map(|(term, (key, domains))| {
            (term, node.metadata.labels.get(key).is_none_or(|value| domains.binary_search(value).is_err()))
        })
    }

    /// A placed pod whose anti-affinity keeps this one off `node`.
    pub fn closed_on(&self, node: &Node) -> Option<&ObjectKey> {
        let labels = &node.metadata.labels;
        self.closed.iter().find(|((key, value), _)| labels.get(key) == Some(value)).map(|(_, pod)| pod)
    }
}

fn matches_all(terms: &[PodAffinityTerm], owner: PodIdentity<'_>, pod: PodIdentity<'_>) -> bool {
    terms.iter().all(|term| matches(term, owner, pod))
}

/// Whether a term of `owner` means `pod`.
fn matches(term: &PodAffinityTerm, owner: PodIdentity<'_>, pod: PodIdentity<'_>) -> bool {
    in_scope(term, owner.namespace, pod.namespace)
        && term.label_selector.as_ref().is_some_and(|selector| selector.matches(pod.labels) == Ok(true))
        && matches_keys(term, owner.labels, pod.labels)
}

/// Whether `pod` has what the owner's labels add to the selector of its term.
///
/// The API server writes them into the selector when it creates the pod (`applyMatchLabelKeysAndMismatchLabelKeys`,
/// Kubernetes 1.36); keys of labels that the pod does not have add nothing. Asked again of a pod that came from the API
/// server they say the same once more.
fn matches_keys(term: &PodAffinityTerm, owner: &Labels, pod: &Labels) -> bool {
    let is_same = |key: &Text| owner.get(key).map(|value| pod.get(key) == Some(value));
    term.match_label_keys.iter().all(|key| is_same(key) != Some(false))
        && term.mismatch_label_keys.iter().all(|key| is_same(key) != Some(true))
}

fn in_scope(term: &PodAffinityTerm, own: &Text, namespace: &Text) -> bool {
    let of_selector = |selector: &LabelSelector| {
        let labels: Labels = [("kubernetes.io/metadata.name", namespace.as_str())].into_iter().collect();
        selector.matches(&labels) == Ok(true)
    };
    match &term.namespace_selector {
        None if term.namespaces.is_empty() => namespace == own,
        None => term.namespaces.contains(namespace),
        Some(selector) => term.namespaces.contains(namespace) || of_selector(selector),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn node(name: &str, zone: &str) -> Node {
        let labels = json!({"kubernetes.io/hostname": name, "zone": zone});
        serde_json::from_value(json!({"metadata": {"name": name, "labels": labels}})).unwrap()
    }

    fn pod(node: &str, app: &str, affinity: &serde_json::Value) -> Pod {
        serde_json::from_value(json!({
            "metadata": {"name": app, "namespace": "default", "labels": {"app": app}},
            "spec": {"nodeName": node, "affinity": affinity}, "status": {"phase": "Running"}}))
        .unwrap()
    }

    fn term(app: &str, key: &str) -> serde_json::Value {
        json!({"requiredDuringSchedulingIgnoredDuringExecution": [
            {"labelSelector": {"matchLabels": {"app": app}}, "topologyKey": key}]})
    }

    /// Reason on node `a` (zone 1), with one pod of app `other` on node `b` of the given zone.
    fn reason(own: &serde_json::Value, others: &serde_json::Value, zone: &str) -> Option<Refusal> {
        let (here, there) = (node("a", "1"), node("b", zone));
        let other = pod("b", "other", others);
        let incoming = pod("", "agent", own);
        let identity = PodIdentity { namespace: &incoming.metadata.namespace, labels: &incoming.metadata.labels };
        PodAffinityState::of(&incoming.spec, identity, [(&there, &other)]).refusal_on(&here)
    }

    #[test]
    fn anti_affinity_looks_at_the_domain_of_its_key() {
        let by_zone = json!({"podAntiAffinity": term("other", "zone")});
        assert_eq!(reason(&by_zone, &json!({}), "1"), Some(Refusal::PodAntiAffinity { term: 0 }));
        assert_eq!(reason(&by_zone, &json!({}), "2"), None);
        let by_host = json!({"podAntiAffinity": term("other", "kubernetes.io/hostname")});
        assert_eq!(reason(&by_host, &json!({}), "1"), None);
        let by_missing_key = json!({"podAntiAffinity": term("other", "rack")});
        assert_eq!(reason(&by_missing_key, &json!({}), "1"), None);
    }

    #[test]
    fn a_placed_pod_may_not_want_the_new_one() {
        let unwilling = json!({"podAntiAffinity": term("agent", "zone")});
        let pod = ObjectKey { namespace: "default".into(), name: "other".into() };
        assert_eq!(reason(&json!({}), &unwilling, "1"), Some(Refusal::ExistingPodAntiAffinity { pod }));
        assert_eq!(reason(&json!({}), &unwilling, "2"), None);
    }

    #[test]
    fn affinity_needs_a_matching_pod_in_the_domain() {
        let to_other = json!({"podAffinity": term("other", "zone")});
        assert_eq!(reason(&to_other, &json!({}), "1"), None);
        assert_eq!(reason(&to_other, &json!({}), "2"), Some(Refusal::PodAffinity { term: 0 }));
    }

    #[test]
    fn the_first_pod_that_wants_its_own_kind_goes_anywhere_with_the_key() {
        let to_itself = |key: &str| json!({"podAffinity": term("agent", key)});
        assert_eq!(reason(&to_itself("zone"), &json!({}), "2"), None);
        assert_eq!(reason(&to_itself("rack"), &json!({}), "2"), Some(Refusal::PodAffinity { term: 0 }));
        let to_nobody = json!({"podAffinity": term("ghost", "zone")});
        assert_eq!(
            reason(&to_nobody, &json!({}), "2"),
            Some(Refusal::PodAffinity { term: 0 }),
            "it is not of that kind"
        );
        let either = json!({"matchExpressions": [{"key": "app", "operator": "In", "values": ["agent", "other"]}]});
        let to_either = json!({"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
            {"labelSelector": either, "topologyKey": "zone"}]}});
        assert_eq!(reason(&to_either, &json!({}), "2"), Some(Refusal::PodAffinity { term: 0 }), "it is not the first");
    }

    #[test]
    fn labels_that_a_term_names_count_with_the_value_of_the_pod_whose_term_it_is() {
        let labels = |pairs: &[(&str, &str)]| pairs.iter().copied().collect::<Labels>();
        let namespace = Text::from("default");
        let means = |keys: &str, owner: &[(&str, &str)], pod: &[(&str, &str)]| {
            let term = json!({"labelSelector": {}, "topologyKey": "zone", keys: ["tenant"]});
            let term = serde_json::from_value::<PodAffinityTerm>(term).unwrap();
            let (owner, pod) = (labels(owner), labels(pod));
            let identity = |labels| PodIdentity { namespace: &namespace, labels };
            matches(&term, identity(&owner), identity(&pod))
        };
        let (a, b, none) = ([("tenant", "a")], [("tenant", "b")], []);
        assert!(means("matchLabelKeys", &a, &a));
        assert!(!means("matchLabelKeys", &a, &b));
        assert!(!means("matchLabelKeys", &a, &none));
        assert!(!means("mismatchLabelKeys", &a, &a));
        assert!(means("mismatchLabelKeys", &a, &b));
        assert!(means("mismatchLabelKeys", &a, &none));
        for keys in ["matchLabelKeys", "mismatchLabelKeys"] {
            assert!(means(keys, &none, &a), "a label that the pod lacks adds nothing");
        }
    }

    #[test]
    fn a_daemon_pod_keeps_away_from_the_same_tenant_only() {
        let with_tenant = |mut pod: Pod, tenant: &str| {
            pod.metadata.labels = pod.metadata.labels.with("tenant", tenant);
            pod
        };
        let mut apart = term("other", "zone");
        apart["requiredDuringSchedulingIgnoredDuringExecution"][0]["matchLabelKeys"] = json!(["tenant"]);
        let incoming = with_tenant(pod("", "agent", &json!({"podAntiAffinity": apart})), "a");
        let identity = PodIdentity { namespace: &incoming.metadata.namespace, labels: &incoming.metadata.labels };
        let (here, there) = (node("a", "1"), node("b", "1"));
        let refusal = |tenant: &str| {
            let other = with_tenant(pod("b", "other", &json!({})), tenant);
            PodAffinityState::of(&incoming.spec, identity, [(&there, &other)]).refusal_on(&here)
        };
        assert_eq!(refusal("a"), Some(Refusal::PodAntiAffinity { term: 0 }));
        assert_eq!(refusal("b"), None);
    }

    #[test]
    fn terms_look_into_their_own_namespace_unless_they_say_otherwise() {
        let scoped = |scope: serde_json::Value| {
            let mut term = json!({"labelSelector": {}, "topologyKey": "zone"});
            term.as_object_mut().unwrap().extend(scope.as_object().unwrap().clone());
            serde_json::from_value::<PodAffinityTerm>(term).unwrap()
        };
        let labels = Labels::default();
        let sees = |scope, namespace: &str| {
            let namespace = Text::new(namespace);
            let owner = PodIdentity { namespace: &"own".into(), labels: &labels };
            matches(&scoped(scope), owner, PodIdentity { namespace: &namespace, labels: &labels })
        };
        assert!(sees(json!({}), "own"));
        assert!(!sees(json!({}), "else"));
        assert!(sees(json!({"namespaces": ["else"]}), "else"));
        assert!(!sees(json!({"namespaces": ["else"]}), "own"));
        assert!(sees(json!({"namespaceSelector": {}}), "else"));
        let by_name = json!({"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "else"}}});
        assert!(sees(by_name.clone(), "else"));
        assert!(!sees(by_name, "own"));
        assert!(!sees(json!({"labelSelector": null}), "own"), "no selector matches no pod");
    }
}
