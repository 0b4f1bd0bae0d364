//! On which nodes a pod should run, and may stay.

use rollcast_core::api::{
    Node, NodeSelectorRequirement, NodeSelectorTerm, PodTemplate, Taint, TaintEffect, Toleration,
};

/// The two booleans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Eligible {
    /// A pod belongs here.
    pub should_run: bool,
    /// A pod that is here may stay.
    pub should_continue_running: bool,
}

/// Whether a pod of this template should run on this node, and may stay there.
pub fn eligibility(template: &PodTemplate, node: &Node) -> Eligible {
    let spec = template.spec();
    let no = Eligible { should_run: false, should_continue_running: false };
    if !spec.node_name.is_empty() && spec.node_name != node.metadata.name {
        return no;
    }
    let selected = spec
        .node_selector
        .iter()
        .all(|(key, value)| node.metadata.labels.get(key.as_str()).is_some_and(|found| found == value));
    let near = match &spec.affinity.node_affinity.required {
        None => true,
        Some(selector) => selector.node_selector_terms.iter().any(|term| term_matches(term, node)),
    };
    if !selected || !near {
        return no;
    }

    let mut tolerations = spec.tolerations.clone();
    tolerations.extend(automatic_tolerations(spec.host_network));
    let untolerated = |effect: &TaintEffect| {
        let mut taints = node.spec.taints.iter().filter(|taint| taint.effect == *effect);
        taints.any(|taint| !tolerations.iter().any(|toleration| tolerates(toleration, taint)))
    };
    let (new_pods_refused, running_pods_refused) =
        (untolerated(&TaintEffect::NoSchedule), untolerated(&TaintEffect::NoExecute));
    Eligible { should_run: !new_pods_refused && !running_pods_refused, should_continue_running: !running_pods_refused }
}

/// What every daemon pod tolerates besides its own tolerations.
fn automatic_tolerations(host_network: bool) -> Vec<Toleration> {
    let mut list = vec![
        ("node.kubernetes.io/not-ready", TaintEffect::NoExecute),
        ("node.kubernetes.io/unreachable", TaintEffect::NoExecute),
        ("node.kubernetes.io/disk-pressure", TaintEffect::NoSchedule),
        ("node.kubernetes.io/memory-pressure", TaintEffect::NoSchedule),
        ("node.kubernetes.io/pid-pressure", TaintEffect::NoSchedule),
        ("node.kubernetes.io/unschedulable", TaintEffect::NoSchedule),
    ];
    if host_network {
        list.push(("node.kubernetes.io/network-unavailable", TaintEffect::NoSchedule));
    }
    let toleration = |(key, effect): (&str, TaintEffect)| Toleration {
        key: key.into(),
        operator: "Exists".into(),
        effect,
        ..Toleration::default()
    };
    list.into_iter().map(toleration).collect()
}

fn tolerates(toleration: &Toleration, taint: &Taint) -> bool {
    let effect = toleration.effect == TaintEffect::Unset || toleration.effect == taint.effect;
    let key = toleration.key.is_empty() || toleration.key == taint.key;
    let value = match toleration.operator.as_str() {
        "" | "Equal" => toleration.value == taint.value,
        "Exists" => true,
        _ => false,
    };
    effect && key && value
}

/// A term without requirements selects nothing; one with a malformed requirement neither.
fn term_matches(term: &NodeSelectorTerm, node: &Node) -> bool {
    let (expressions, fields) = (&term.match_expressions, &term.match_fields);
    if expressions.is_empty() && fields.is_empty() {
        return false;
    }
    expressions.iter().all(|requirement| label_requirement(requirement, node).unwrap_or(false))
        && fields.iter().all(|requirement| field_requirement(requirement, node).unwrap_or(false))
        && expressions.iter().all(|requirement| label_requirement(requirement, node).is_some())
        && fields.iter().all(|requirement| field_requirement(requirement, node).is_some())
}

/// None when it is malformed.
fn label_requirement(requirement: &NodeSelectorRequirement, node: &Node) -> Option<bool> {
    let values = &requirement.values;
    if !is_label_key(&requirement.key) || !values.iter().all(|value| is_label_value(value)) {
        return None;
    }
    let found = node.metadata.labels.get(requirement.key.as_str());
    match requirement.operator.as_str() {
        "In" if !values.is_empty() => Some(found.is_some_and(|value| values.contains(value))),
        "NotIn" if !values.is_empty() => Some(!found.is_some_and(|value| values.contains(value))),
        "Exists" if values.is_empty() => Some(found.is_some()),
        "DoesNotExist" if values.is_empty() => Some(found.is_none()),
        "Gt" | "Lt" if values.len() == 1 => {
            let limit: i64 = values[0].parse().ok()?;
            let Some(value) = found.and_then(|value| value.parse::<i64>().ok()) else { return Some(false) };
            Some(if requirement.operator == "Gt" { value > limit } else { value < limit })
        }
        _ => None,
    }
}

/// Only the node's name is a field; an unknown one reads as empty text. None when the requirement is malformed.
fn field_requirement(requirement: &NodeSelectorRequirement, node: &Node) -> Option<bool> {
    let [value] = requirement.values.as_slice() else { return None };
    let found = if requirement.key == "metadata.name" { node.metadata.name.as_str() } else { "" };
    match requirement.operator.as_str() {
        "In" => Some(found == value),
        "NotIn" => Some(found != value),
        _ => None,
    }
}

fn is_label_value(value: &str) -> bool {
    value.is_empty() || is_qualified(value)
}

fn is_label_key(key: &str) -> bool {
    match key.split_once('/') {
        None => is_qualified(key),
        Some((prefix, name)) => {
            let label = |part: &str| {
                let inner = part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
                !part.is_empty() && inner && !part.starts_with('-') && !part.ends_with('-')
            };
            prefix.len() <= 253 && prefix.split('.').all(label) && is_qualified(name)
        }
    }
}

/// At most 63 letters, digits, `-`, `_`, `.`; a letter or digit at both ends.
fn is_qualified(text: &str) -> bool {
    let ends = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    text.len() <= 63
        && ends(text.bytes().next())
        && ends(text.bytes().last())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}
