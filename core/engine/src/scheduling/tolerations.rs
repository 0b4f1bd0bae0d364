use crate::api::{PodSpec, Taint, TaintEffect, Text, Toleration};
use crate::text::same;

/// A toleration of the pod that the controller makes, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffectiveToleration {
    /// The toleration.
    pub toleration: Toleration,
    /// Where it comes from.
    pub origin: TolerationOrigin,
}

/// Where a toleration of a daemon pod comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TolerationOrigin {
    /// `spec.tolerations` of the template, at this position.
    Template(u32),
    /// Every DaemonSet pod gets it.
    Automatic {
        /// The template's toleration at this position had the same key, operator, value and effect, and gave way:
        /// its `tolerationSeconds` is lost.
        replaces: Option<u32>,
    },
}

/// Whether a toleration covers a taint (`Toleration.ToleratesTaint`, api 1.36, without the gate
/// `TaintTolerationComparisonOperators`, so that `Gt` and `Lt` cover nothing). How long it does plays no part.
pub fn tolerates(toleration: &Toleration, taint: &Taint) -> bool {
    (toleration.effect == TaintEffect::Unset || toleration.effect == taint.effect)
        && (toleration.key.is_empty() || same(&toleration.key, &taint.key))
        && match toleration.operator.as_str() {
            "" | "Equal" => same(&toleration.value, &taint.value),
            "Exists" => true,
            _ => false,
        }
}

/// Whether a taint has a say in where new pods go: `NoSchedule` or `NoExecute`.
pub fn keeps_new_pods_away(taint: &Taint) -> bool {
    matches!(taint.effect, TaintEffect::NoSchedule | TaintEffect::NoExecute)
}

/// The taints that every DaemonSet pod tolerates, in the controller's order; the last one on the host network only.
static AUTOMATIC: [(&str, TaintEffect); 7] = [
    ("node.kubernetes.io/not-ready", TaintEffect::NoExecute),
    ("node.kubernetes.io/unreachable", TaintEffect::NoExecute),
    ("node.kubernetes.io/disk-pressure", TaintEffect::NoSchedule),
    ("node.kubernetes.io/memory-pressure", TaintEffect::NoSchedule),
    ("node.kubernetes.io/pid-pressure", TaintEffect::NoSchedule),
    ("node.kubernetes.io/unschedulable", TaintEffect::NoSchedule),
    ("node.kubernetes.io/network-unavailable", TaintEffect::NoSchedule),
];

fn automatic(host_network: bool) -> impl Iterator<Item = &'static (&'static str, TaintEffect)> {
    AUTOMATIC.iter().take(AUTOMATIC.len() - usize::from(!host_network))
}

/// The tolerations that every DaemonSet pod gets, in the controller's order (`util.AddOrUpdateDaemonPodTolerations`,
/// Kubernetes 1.36).
pub fn automatic_tolerations(host_network: bool) -> impl Iterator<Item = Toleration> {
    automatic(host_network).map(|(key, effect)| Toleration {
        key: Text::new_static(key),
        operator: Text::new_static("Exists"),
        effect: effect.clone(),
        ..Toleration::default()
    })
}

/// Whether a pod that the controller makes from a template tolerates a taint. An automatic toleration that takes the
/// place of the template's covers the same taints, so that the merged list need not be there.
pub fn daemon_pod_tolerates(spec: &PodSpec, taint: &Taint) -> bool {
    spec.tolerations.iter().any(|toleration| tolerates(toleration, taint))
        || automatic(spec.host_network).any(|(key, effect)| *effect == taint.effect && same(key, &taint.key))
}

/// The tolerations of the pod that the controller makes from a template: the template's own, with the automatic ones
/// merged in (`v1helper.AddOrUpdateTolerationInPodSpec`, Kubernetes 1.36).
///
/// An automatic toleration takes the place of one with the same key, operator, value and effect, otherwise it goes to
/// the end. Where the template has one that is equal in everything, the list stays as it is.
pub fn effective_tolerations(spec: &PodSpec) -> Vec<EffectiveToleration> {
    let mut merged = Vec::with_capacity(spec.tolerations.len() + AUTOMATIC.len());
    merged.extend((0u32..).zip(&spec.tolerations).map(|(index, toleration)| EffectiveToleration {
        toleration: toleration.clone(),
        origin: TolerationOrigin::Template(index),
    }));
    for automatic in automatic_tolerations(spec.host_network) {
        // No automatic toleration is like another: only the template's own are looked at.
        let own = merged.get_mut(..spec.tolerations.len()).unwrap_or_default();
        let like = |entry: &EffectiveToleration| is_like(&entry.toleration, &automatic);
        if own.iter().any(|entry| like(entry) && entry.toleration.toleration_seconds.is_none()) {
            continue;
        }
        let mut found_its_like = false;
        for entry in own.iter_mut().filter(|entry| like(entry)) {
            let replaces = match entry.origin {
                TolerationOrigin::Template(index) => Some(index),
                TolerationOrigin::Automatic { replaces } => replaces,
            };
            entry.toleration = automatic.clone();
            entry.origin = TolerationOrigin::Automatic { replaces };
            found_its_like = true;
        }
        if !found_its_like {
            merged.push(EffectiveToleration {
                toleration: automatic,
                origin: TolerationOrigin::Automatic { replaces: None },
            });
        }
    }
    merged
}

/// Whether two tolerations differ in nothing but their seconds. What differs most often is compared first.
fn is_like(left: &Toleration, right: &Toleration) -> bool {
    left.effect == right.effect
        && same(&left.operator, &right.operator)
        && same(&left.key, &right.key)
        && same(&left.value, &right.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn toleration(json: &serde_json::Value) -> Toleration {
        serde_json::from_value(json.clone()).unwrap()
    }

    fn taint(key: &str, value: &str, effect: TaintEffect) -> Taint {
        Taint { key: key.into(), value: value.into(), effect }
    }

    #[test]
    fn a_toleration_covers_a_taint_by_effect_key_and_value() {
        let gpu = taint("gpu", "yes", TaintEffect::NoSchedule);
        for (covers, json) in [
            (true, json!({"operator": "Exists"})),
            (true, json!({"key": "gpu", "operator": "Exists"})),
            (true, json!({"key": "gpu", "operator": "Exists", "value": "ignored"})),
            (true, json!({"key": "gpu", "value": "yes"})),
            (true, json!({"key": "gpu", "operator": "Equal", "value": "yes", "effect": "NoSchedule"})),
            (true, json!({"key": "gpu", "value": "yes", "tolerationSeconds": 5})),
            (true, json!({"value": "yes"})),
            (false, json!({"key": "gpu"})),
            (false, json!({"key": "gpu", "value": "no"})),
            (false, json!({"key": "gpu", "operator": "Exists", "effect": "NoExecute"})),
            (false, json!({"key": "cpu", "operator": "Exists"})),
            (false, json!({"key": "gpu", "operator": "exists"})),
        ] {
            assert_eq!(tolerates(&toleration(&json), &gpu), covers, "{json}");
        }
    }

    #[test]
    fn comparison_operators_cover_nothing_while_their_gate_is_off() {
        let level = taint("level", "5", TaintEffect::NoSchedule);
        for operator in ["Gt", "Lt"] {
            for value in ["4", "5", "6"] {
                let toleration = toleration(&json!({"key": "level", "operator": operator, "value": value}));
                assert!(!tolerates(&toleration, &level), "{operator} {value}");
            }
        }
    }

    #[test]
    fn network_unavailable_is_tolerated_on_the_host_network_only() {
        let key = "node.kubernetes.io/network-unavailable";
        assert!(!automatic_tolerations(false).any(|toleration| toleration.key == key));
        assert!(automatic_tolerations(true).any(|toleration| toleration.key == key));
    }

    #[test]
    fn an_automatic_toleration_replaces_its_like_in_place_and_drops_the_seconds() {
        let spec: PodSpec = serde_json::from_value(json!({"tolerations": [
            {"key": "a", "operator": "Exists"},
            {"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute",
             "tolerationSeconds": 30},
            {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "tolerationSeconds": 30},
            {"key": "node.kubernetes.io/pid-pressure", "operator": "Exists", "effect": "NoSchedule"}]}))
        .unwrap();
        let merged = effective_tolerations(&spec);
        let origins: Vec<_> = merged.iter().map(|entry| entry.origin).collect();
        let added = TolerationOrigin::Automatic { replaces: None };
        assert_eq!(
            origins,
            [
                TolerationOrigin::Template(0),
                TolerationOrigin::Automatic { replaces: Some(1) },
                TolerationOrigin::Template(2),
                TolerationOrigin::Template(3),
                added,
                added,
                added,
                added,
            ]
        );
        assert_eq!(merged[1].toleration.toleration_seconds, None);
        assert_eq!(merged[2].toleration.toleration_seconds, Some(30), "no effect named: not the same toleration");
        assert_eq!(merged[4].toleration.key, "node.kubernetes.io/not-ready");
    }

    #[test]
    fn what_a_daemon_pod_tolerates_is_what_some_toleration_of_the_merged_list_covers() {
        let keys = ["node.kubernetes.io/unreachable", "node.kubernetes.io/network-unavailable", "gpu", "other"];
        let effects = [TaintEffect::NoSchedule, TaintEffect::NoExecute, TaintEffect::Other("Never".into())];
        for host_network in [false, true] {
            let spec: PodSpec = serde_json::from_value(json!({"hostNetwork": host_network, "tolerations": [
                {"key": "gpu", "operator": "Exists", "effect": "NoSchedule"},
                {"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute",
                 "tolerationSeconds": 30}]}))
            .unwrap();
            let merged = effective_tolerations(&spec);
            let mut tolerated = 0;
            for (key, effect) in keys.iter().flat_map(|key| effects.iter().map(move |effect| (key, effect))) {
                let taint = taint(key, "", effect.clone());
                let covered = merged.iter().any(|entry| tolerates(&entry.toleration, &taint));
                assert_eq!(daemon_pod_tolerates(&spec, &taint), covered, "{taint}");
                tolerated += usize::from(covered);
            }
            assert_eq!(tolerated, 2 + usize::from(host_network));
        }
    }
}
