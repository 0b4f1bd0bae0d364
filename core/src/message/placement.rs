use super::{Language, Words};
use crate::KubernetesVersion;
use crate::api::{HostPort, ObjectKey, Quantity, Text};
use crate::placement::{Check, CheckOutcome, CheckSubject, Exclusion, Fit, Obstacle, Preemption};
use crate::scheduling::{EffectiveToleration, Malformed, NodeProperty, Refusal, Test, TolerationOrigin};

impl Words for Exclusion {
    fn words(&self, language: Language) -> String {
        match (self, language) {
            (Self::NodeName { wanted }, Language::English) => format!("`nodeName` of the template is `{wanted}`"),
            (Self::NodeName { wanted }, Language::Chinese) => format!("模板的 `nodeName` 是 `{wanted}`"),
            (Self::NodeSelector { key, wanted, found }, _) => node_selector(key, wanted, found.as_ref(), language),
            (Self::NodeAffinity { terms: 0 }, _) => affinity_without_terms(language).to_owned(),
            (Self::NodeAffinity { terms: 1 }, Language::English) => {
                "the one term of the required node affinity does not hold".to_owned()
            }
            (Self::NodeAffinity { terms: 1 }, Language::Chinese) => "必需的节点亲和性的唯一条件组不成立".to_owned(),
            (Self::NodeAffinity { terms }, Language::English) => {
                format!("none of the {terms} terms of the required node affinity holds")
            }
            (Self::NodeAffinity { terms }, Language::Chinese) => {
                format!("必需的节点亲和性的 {terms} 个条件组都不成立")
            }
            (Self::Taint(taint), Language::English) => format!("taint `{taint}` is not tolerated"),
            (Self::Taint(taint), Language::Chinese) => format!("污点 `{taint}` 未被容忍"),
        }
    }
}

impl Words for Obstacle {
    fn words(&self, language: Language) -> String {
        match (self, language) {
            (Self::NodeName { wanted }, _) => Exclusion::NodeName { wanted: wanted.clone() }.words(language),
            (Self::LabelMissing { key, wanted }, _) => node_selector(key, wanted, None, language),
            (Self::LabelDiffers { key, wanted }, Language::English) => {
                format!("nodeSelector asks for `{key}={wanted}`, the node has another value")
            }
            (Self::LabelDiffers { key, wanted }, Language::Chinese) => {
                format!("nodeSelector 要求 `{key}={wanted}`，节点是其他值")
            }
            (Self::NodeAffinity { terms }, _) => Exclusion::NodeAffinity { terms: *terms }.words(language),
            (Self::Taint(taint), _) => Exclusion::Taint(taint.clone()).words(language),
        }
    }
}

impl Words for Refusal {
    /// Kube-scheduler's words (1.36), then what it does not say: how much, which, by whom.
    fn words(&self, language: Language) -> String {
        let reason = self.reason(KubernetesVersion::default());
        let detail = match self {
            Self::Unschedulable | Self::NodeAffinity => return reason.into_owned(),
            Self::NodeName { wanted } => format!("`{wanted}`"),
            Self::Taint(taint) => format!("`{taint}`"),
            Self::HostPort { wanted, taken, holder } => port_taken(wanted, taken, holder, language),
            Self::TooManyPods { pods, allocatable } => pod_count(*pods, *allocatable, language),
            Self::Insufficient { resource, requested, used, allocatable } => {
                amounts(resource, *requested, *used, *allocatable, language)
            }
            Self::PodAffinity { term } | Self::PodAntiAffinity { term } => match language {
                Language::English => format!("term {term}"),
                Language::Chinese => format!("条件 {term}"),
            },
            Self::ExistingPodAntiAffinity { pod } => format!("{pod}"),
        };
        match language {
            Language::English => format!("{reason}: {detail}"),
            Language::Chinese => format!("{reason}：{detail}"),
        }
    }
}

impl Words for Preemption {
    fn words(&self, language: Language) -> String {
        match (self, language) {
            (Self::NotHelpful, Language::English) => {
                "Preemption is not helpful for scheduling: no pod on the node stands in the way".to_owned()
            }
            (Self::NotHelpful, Language::Chinese) => {
                "Preemption is not helpful for scheduling：阻碍并非来自节点上的 pod".to_owned()
            }
            (Self::NotAllowed, Language::English) => {
                "`preemptionPolicy: Never` keeps the pod from preempting others".to_owned()
            }
            (Self::NotAllowed, Language::Chinese) => "`preemptionPolicy: Never` 使该 pod 不会抢占其他 pod".to_owned(),
            (Self::NoVictims, Language::English) => {
                "No preemption victims found for incoming pod: nothing on the node has a lower priority".to_owned()
            }
            (Self::NoVictims, Language::Chinese) => {
                "No preemption victims found for incoming pod：节点上没有优先级更低的 pod".to_owned()
            }
            (Self::NotEnough(fit), Language::English) => {
                format!("even without every pod of lower priority: {}", refusals(fit, language))
            }
            (Self::NotEnough(fit), Language::Chinese) => {
                format!("即使驱逐所有优先级更低的 pod：{}", refusals(fit, language))
            }
            (Self::Victims(pods), Language::English) => {
                format!("pods of lower priority would be evicted: {}", listed(pods, ", "))
            }
            (Self::Victims(pods), Language::Chinese) => {
                format!("会驱逐优先级更低的 pod：{}", listed(pods, "、"))
            }
        }
    }
}

fn refusals(fit: &Fit, language: Language) -> String {
    fit.refusals.iter().map(|refusal| refusal.words(language)).collect::<Vec<_>>().join("; ")
}

impl Words for Check {
    fn words(&self, language: Language) -> String {
        let passed = self.outcome == CheckOutcome::Passed;
        match (&self.subject, language) {
            (CheckSubject::NodeName { wanted }, Language::English) => {
                format!("`nodeName` of the template is `{wanted}`")
            }
            (CheckSubject::NodeName { wanted }, Language::Chinese) => format!("模板的 `nodeName` 是 `{wanted}`"),
            (CheckSubject::NodeSelector { key, wanted, found }, _) => {
                node_selector(key, wanted, found.as_ref(), language)
            }
            (CheckSubject::AffinityWithoutTerms, _) => affinity_without_terms(language).to_owned(),
            (CheckSubject::AffinityTerm { term, requirements }, _) => {
                affinity_term(*term, *requirements, self.outcome, language)
            }
            (CheckSubject::AffinityRequirement { property, test, found, .. }, _) => {
                requirement(property, test, found.as_ref(), language)
            }
            (CheckSubject::Taint { taint, covered_by: Some(toleration) }, Language::English) => {
                format!("taint `{taint}` is tolerated {}", origin(toleration, language))
            }
            (CheckSubject::Taint { taint, covered_by: Some(toleration) }, Language::Chinese) => {
                format!("污点 `{taint}` 被容忍（{}）", origin(toleration, language))
            }
            (CheckSubject::Taint { taint, covered_by: None }, Language::English) => match self.outcome {
                CheckOutcome::Indifferent => format!("taint `{taint}` is only a preference"),
                _ => format!("taint `{taint}` is not tolerated"),
            },
            (CheckSubject::Taint { taint, covered_by: None }, Language::Chinese) => match self.outcome {
                CheckOutcome::Indifferent => format!("污点 `{taint}` 只是偏好"),
                _ => format!("污点 `{taint}` 未被容忍"),
            },
            (CheckSubject::Unschedulable, Language::English) => {
                "cordoned, which every pod of a DaemonSet tolerates".to_owned()
            }
            (CheckSubject::Unschedulable, Language::Chinese) => {
                "已封锁（cordon），DaemonSet 的 pod 一律容忍".to_owned()
            }
            (CheckSubject::HostPort { wanted, taken: Some((taken, holder)) }, _) => {
                port_taken(wanted, taken, holder, language)
            }
            (CheckSubject::HostPort { wanted, taken: None }, Language::English) => {
                format!("host port {} is free", port(wanted))
            }
            (CheckSubject::HostPort { wanted, taken: None }, Language::Chinese) => {
                format!("主机端口 {} 空闲", port(wanted))
            }
            (CheckSubject::PodCount { pods, allocatable }, _) => pod_count(*pods, *allocatable, language),
            (CheckSubject::Resource { resource, requested, used, allocatable }, _) => {
                let amounts = amounts(resource, *requested, *used, *allocatable, language);
                match language {
                    Language::English => format!("{resource}: {amounts}"),
                    Language::Chinese => format!("{resource}：{amounts}"),
                }
            }
            (CheckSubject::PodAffinity { topology_key, .. }, Language::English) => {
                let found = if passed { "a pod" } else { "no pod" };
                format!("{found} that podAffinity asks for is in the same `{topology_key}`")
            }
            (CheckSubject::PodAffinity { topology_key, .. }, Language::Chinese) => {
                let found = if passed { "有" } else { "没有" };
                format!("同一 `{topology_key}` 内{found} podAffinity 要求的 pod")
            }
            (CheckSubject::PodAntiAffinity { topology_key, .. }, Language::English) => {
                let found = if passed { "no pod" } else { "a pod" };
                format!("{found} that podAntiAffinity keeps apart from is in the same `{topology_key}`")
            }
            (CheckSubject::PodAntiAffinity { topology_key, .. }, Language::Chinese) => {
                let found = if passed { "没有" } else { "有" };
                format!("同一 `{topology_key}` 内{found} podAntiAffinity 要避开的 pod")
            }
            (CheckSubject::ExistingPodAntiAffinity { pod }, Language::English) => {
                format!("podAntiAffinity of {pod} keeps this pod away")
            }
            (CheckSubject::ExistingPodAntiAffinity { pod }, Language::Chinese) => {
                format!("{pod} 的 podAntiAffinity 排斥此 pod")
            }
        }
    }
}

impl Words for Malformed {
    fn words(&self, language: Language) -> String {
        match language {
            Language::English => match self {
                Self::Operator => "the operator is unknown here",
                Self::Key => "the key is no label key",
                Self::Value => "a value is no label value",
                Self::ValuesMissing => "`values` is empty",
                Self::ValuesNotAllowed => "`values` must be empty",
                Self::OneValueNeeded => "`values` must hold exactly one that fits the operator",
            },
            Language::Chinese => match self {
                Self::Operator => "此处不支持该 operator",
                Self::Key => "key 不是合法的标签键",
                Self::Value => "有的值不是合法的标签值",
                Self::ValuesMissing => "`values` 为空",
                Self::ValuesNotAllowed => "`values` 必须为空",
                Self::OneValueNeeded => "`values` 必须恰有一个适合该 operator 的值",
            },
        }
        .to_owned()
    }
}

fn node_selector(key: &Text, wanted: &Text, found: Option<&Text>, language: Language) -> String {
    let label = format!("{key}={wanted}");
    match (found, language) {
        (Some(found), _) if found == wanted => match language {
            Language::English => format!("label `{label}` is there"),
            Language::Chinese => format!("有标签 `{label}`"),
        },
        (Some(found), Language::English) => {
            format!("nodeSelector asks for `{label}`, the node has {}", value(found))
        }
        (Some(found), Language::Chinese) => format!("nodeSelector 要求 `{label}`，节点的值是 {}", value(found)),
        (None, Language::English) => format!("nodeSelector asks for `{label}`, the node has no such label"),
        (None, Language::Chinese) => format!("nodeSelector 要求 `{label}`，节点没有该标签"),
    }
}

fn affinity_without_terms(language: Language) -> &'static str {
    match language {
        Language::English => "required node affinity has no term, so that it selects no node",
        Language::Chinese => "必需的节点亲和性没有任何条件组，因此不选择任何节点",
    }
}

fn affinity_term(term: u32, requirements: u32, outcome: CheckOutcome, language: Language) -> String {
    match (outcome, language) {
        (CheckOutcome::Passed, Language::English) => format!("`nodeSelectorTerms[{term}]` holds"),
        (CheckOutcome::Passed, Language::Chinese) => format!("`nodeSelectorTerms[{term}]` 成立"),
        (_, Language::English) if requirements == 0 => {
            format!("`nodeSelectorTerms[{term}]` is empty and selects nothing")
        }
        (_, Language::Chinese) if requirements == 0 => format!("`nodeSelectorTerms[{term}]` 为空，不选择任何节点"),
        (CheckOutcome::Failed, Language::English) => format!("`nodeSelectorTerms[{term}]` does not hold"),
        (CheckOutcome::Failed, Language::Chinese) => format!("`nodeSelectorTerms[{term}]` 不成立"),
        (CheckOutcome::Indifferent, Language::English) => {
            format!("`nodeSelectorTerms[{term}]` does not hold, another one does")
        }
        (CheckOutcome::Indifferent, Language::Chinese) => format!("`nodeSelectorTerms[{term}]` 不成立，但另有成立的"),
    }
}

fn requirement(property: &NodeProperty, test: &Test, found: Option<&Text>, language: Language) -> String {
    let (NodeProperty::Label(name) | NodeProperty::Field(name)) = property;
    let asked = match test {
        Test::In(values) => format!("`{name} In [{}]`", values.join(", ")),
        Test::NotIn(values) => format!("`{name} NotIn [{}]`", values.join(", ")),
        Test::Exists => format!("`{name} Exists`"),
        Test::DoesNotExist => format!("`{name} DoesNotExist`"),
        Test::GreaterThan(bound) => format!("`{name} Gt {bound}`"),
        Test::LessThan(bound) => format!("`{name} Lt {bound}`"),
        Test::Malformed(fault) => {
            return match language {
                Language::English => format!("the requirement on `{name}` never holds: {}", fault.words(language)),
                Language::Chinese => format!("对 `{name}` 的要求永不成立：{}", fault.words(language)),
            };
        }
    };
    match (found, language) {
        (Some(found), Language::English) => format!("{asked}: the node has {}", value(found)),
        (Some(found), Language::Chinese) => format!("{asked}：节点的值是 {}", value(found)),
        (None, Language::English) => format!("{asked}: the node has no such label"),
        (None, Language::Chinese) => format!("{asked}：节点没有该标签"),
    }
}

fn origin(toleration: &EffectiveToleration, language: Language) -> String {
    match (toleration.origin, language) {
        (TolerationOrigin::Template(index), Language::English) => format!("by `tolerations[{index}]`"),
        (TolerationOrigin::Template(index), Language::Chinese) => format!("`tolerations[{index}]`"),
        (TolerationOrigin::Automatic { .. }, Language::English) => {
            "automatically, as by every DaemonSet pod".to_owned()
        }
        (TolerationOrigin::Automatic { .. }, Language::Chinese) => "DaemonSet 的 pod 自动带有".to_owned(),
    }
}

fn port_taken(wanted: &HostPort, taken: &HostPort, holder: &ObjectKey, language: Language) -> String {
    let also = if taken == wanted { String::new() } else { format!(" ({})", port(taken)) };
    match language {
        Language::English => format!("host port {} is taken by {holder}{also}", port(wanted)),
        Language::Chinese => format!("主机端口 {} 已被 {holder} 占用{also}", port(wanted)),
    }
}

fn pod_count(pods: i64, allocatable: i64, language: Language) -> String {
    match language {
        Language::English => format!("{pods} of {allocatable} pods are there"),
        Language::Chinese => format!("已有 {pods} 个 pod，上限 {allocatable} 个"),
    }
}

fn amounts(resource: &Text, requested: i64, used: i64, allocatable: i64, language: Language) -> String {
    let amount = |number: i64| match resource.as_str() {
        "cpu" => Quantity::from_millis(number),
        _ => Quantity::from_units(number),
    };
    let (wanted, all) = (amount(requested), amount(allocatable));
    let free = amount(allocatable.saturating_sub(used));
    match language {
        Language::English => format!("{wanted} requested, {free} of {all} free"),
        Language::Chinese => format!("请求 {wanted}，共 {all}，剩余 {free}"),
    }
}

/// `9100/TCP`, with the address where it is not every one.
fn port(port: &HostPort) -> String {
    let HostPort { protocol, host_ip, host_port } = port;
    match host_ip.as_str() {
        "0.0.0.0" => format!("{host_port}/{protocol}"),
        _ if host_ip.contains(':') => format!("[{host_ip}]:{host_port}/{protocol}"),
        _ => format!("{host_ip}:{host_port}/{protocol}"),
    }
}

fn value(text: &Text) -> String {
    if text.is_empty() { "`\"\"`".to_owned() } else { format!("`{text}`") }
}

fn listed(pods: &[ObjectKey], comma: &str) -> String {
    let mut text = String::new();
    for (position, pod) in pods.iter().enumerate() {
        if position > 0 {
            text.push_str(comma);
        }
        text.push_str(&pod.to_string());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{Taint, TaintEffect};

    fn both(words: &impl Words) -> [String; 2] {
        [words.words(Language::English), words.words(Language::Chinese)]
    }

    #[test]
    fn exclusions_name_what_is_asked_and_what_is_there() {
        let selector = |found: Option<&str>| Exclusion::NodeSelector {
            key: "role".into(),
            wanted: Text::default(),
            found: found.map(Text::new),
        };
        assert_eq!(
            both(&selector(Some("true"))),
            ["nodeSelector asks for `role=`, the node has `true`", "nodeSelector 要求 `role=`，节点的值是 `true`"]
        );
        assert_eq!(
            both(&selector(None)),
            ["nodeSelector asks for `role=`, the node has no such label", "nodeSelector 要求 `role=`，节点没有该标签"]
        );
        let taint = Taint { key: "k".into(), value: "v".into(), effect: TaintEffect::NoExecute };
        assert_eq!(
            both(&Exclusion::Taint(taint)),
            ["taint `k=v:NoExecute` is not tolerated", "污点 `k=v:NoExecute` 未被容忍"]
        );
    }

    #[test]
    fn obstacles_say_what_exclusions_do_without_what_the_node_has() {
        let (key, wanted) = (Text::new("role"), Text::new("worker"));
        assert_eq!(
            both(&Obstacle::LabelDiffers { key, wanted }),
            [
                "nodeSelector asks for `role=worker`, the node has another value",
                "nodeSelector 要求 `role=worker`，节点是其他值"
            ]
        );
        assert_eq!(
            both(&Obstacle::NodeAffinity { terms: 2 }),
            ["none of the 2 terms of the required node affinity holds", "必需的节点亲和性的 2 个条件组都不成立"]
        );
    }

    #[test]
    fn refusals_keep_the_schedulers_words_and_add_the_amounts() {
        let short_of_cpu =
            Refusal::Insufficient { resource: "cpu".into(), requested: 800, used: 400, allocatable: 1000 };
        assert_eq!(
            both(&short_of_cpu),
            ["Insufficient cpu: 800m requested, 600m of 1 free", "Insufficient cpu：请求 800m，共 1，剩余 600m"]
        );
        let every = HostPort { protocol: "TCP".into(), host_ip: "0.0.0.0".into(), host_port: 80 };
        let one = HostPort { host_ip: "::1".into(), ..every.clone() };
        let holder = ObjectKey { namespace: "other".into(), name: "web".into() };
        let refusal = Refusal::HostPort { wanted: every, taken: one, holder };
        assert_eq!(
            refusal.words(Language::English),
            "node(s) didn't have free ports for the requested pod ports: \
             host port 80/TCP is taken by other/web ([::1]:80/TCP)"
        );
    }

    #[test]
    fn requirements_read_as_they_are_written() {
        let text = |test: Test, found: Option<&str>| {
            let property = NodeProperty::Label("zone".into());
            requirement(&property, &test, found.map(Text::new).as_ref(), Language::English)
        };
        assert_eq!(text(Test::In(vec!["a".into(), "b".into()]), Some("c")), "`zone In [a, b]`: the node has `c`");
        assert_eq!(text(Test::DoesNotExist, Some("")), "`zone DoesNotExist`: the node has `\"\"`");
        assert_eq!(text(Test::GreaterThan(4), None), "`zone Gt 4`: the node has no such label");
        assert_eq!(
            text(Test::Malformed(Malformed::ValuesMissing), None),
            "the requirement on `zone` never holds: `values` is empty"
        );
    }
}
