use super::phrase::{amount, join, say};
use super::{Language, Words};
use crate::KubernetesVersion;
use crate::api::{HostPort, ObjectKey, Taint, Text};
use crate::placement::{Check, CheckOutcome, CheckSubject, Exclusion, Fit, Obstacle, Preemption};
use crate::scheduling::{Malformed, NodeProperty, Refusal, Test, TolerationOrigin};

impl Words for Exclusion {
    fn words(&self, language: Language) -> String {
        match self {
            Self::NodeName { wanted } => node_name(wanted, language),
            Self::NodeSelector { key, wanted, found } => node_selector(key, wanted, found.as_ref(), language),
            Self::NodeAffinity { terms } => node_affinity(*terms, language),
            Self::Taint(taint) => not_tolerated(taint, language),
        }
    }
}

impl Words for Obstacle {
    fn words(&self, language: Language) -> String {
        match self {
            Self::NodeName { wanted } => node_name(wanted, language),
            Self::LabelMissing { key, wanted } => node_selector(key, wanted, None, language),
            Self::LabelDiffers { key, wanted } => say!(
                language,
                "nodeSelector asks for `{}={}`, the node has another value",
                "nodeSelector 要求 `{}={}`，节点是其他值",
                key,
                wanted
            ),
            Self::NodeAffinity { terms } => node_affinity(*terms, language),
            Self::Taint(taint) => not_tolerated(taint, language),
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
            Self::PodAffinity { term } | Self::PodAntiAffinity { term } => {
                say!(language, "term {}", "条件 {}", term)
            }
            Self::ExistingPodAntiAffinity { pod } => pod.to_string(),
        };
        say!(language, "{}: {}", "{}：{}", reason, detail)
    }
}

impl Words for Preemption {
    fn words(&self, language: Language) -> String {
        match self {
            Self::NotHelpful => say!(
                language,
                "Preemption is not helpful for scheduling: no pod on the node stands in the way",
                "Preemption is not helpful for scheduling：阻碍并非来自节点上的 pod"
            ),
            Self::NotAllowed => say!(
                language,
                "`preemptionPolicy: Never` keeps the pod from preempting others",
                "`preemptionPolicy: Never` 使该 pod 不会抢占其他 pod"
            ),
            Self::NoVictims => say!(
                language,
                "No preemption victims found for incoming pod: nothing on the node has a lower priority",
                "No preemption victims found for incoming pod：节点上没有优先级更低的 pod"
            ),
            Self::NotEnough(fit) => say!(
                language,
                "even without every pod of lower priority: {}",
                "即使驱逐所有优先级更低的 pod：{}",
                refusals(fit, language)
            ),
            Self::Victims(pods) => say!(
                language,
                "pods of lower priority would be evicted: {}",
                "会驱逐优先级更低的 pod：{}",
                join(&mut pods.iter().map(ObjectKey::to_string), language.say(", ", "、"))
            ),
        }
    }
}

fn refusals(fit: &Fit, language: Language) -> String {
    join(&mut fit.refusals.iter().map(|refusal| refusal.words(language)), "; ")
}

impl Words for Check<'_> {
    fn words(&self, language: Language) -> String {
        let passed = self.outcome == CheckOutcome::Passed;
        match &self.subject {
            CheckSubject::NodeName { wanted } => node_name(wanted, language),
            CheckSubject::NodeSelector { key, wanted, found } => node_selector(key, wanted, *found, language),
            CheckSubject::AffinityWithoutTerms => node_affinity(0, language),
            CheckSubject::AffinityTerm { term, requirements } => {
                affinity_term(*term, *requirements, self.outcome, language)
            }
            CheckSubject::AffinityRequirement { property, test, found, .. } => {
                requirement(property, test, *found, language)
            }
            CheckSubject::Taint { taint, covered_by: Some(origin) } => say!(
                language,
                "taint `{}` is tolerated {}",
                "污点 `{}` 被容忍（{}）",
                taint,
                covered(*origin, language)
            ),
            CheckSubject::Taint { taint, covered_by: None } if self.outcome == CheckOutcome::Indifferent => {
                say!(language, "taint `{}` is only a preference", "污点 `{}` 只是偏好", taint)
            }
            CheckSubject::Taint { taint, covered_by: None } => not_tolerated(taint, language),
            CheckSubject::Unschedulable => say!(
                language,
                "cordoned, which every pod of a DaemonSet tolerates",
                "已封锁（cordon），DaemonSet 的 pod 一律容忍"
            ),
            CheckSubject::HostPort { wanted, taken: Some((taken, holder)) } => {
                port_taken(wanted, taken, holder, language)
            }
            CheckSubject::HostPort { wanted, taken: None } => {
                say!(language, "host port {} is free", "主机端口 {} 空闲", port(wanted))
            }
            CheckSubject::PodCount { pods, allocatable } => pod_count(*pods, *allocatable, language),
            CheckSubject::Resource { resource, requested, used, allocatable } => say!(
                language,
                "{}: {}",
                "{}：{}",
                resource,
                amounts(resource, *requested, *used, *allocatable, language)
            ),
            CheckSubject::PodAffinity { topology_key, .. } => say!(
                language,
                "{} that podAffinity asks for is in the same `{}`",
                "同一 `{1}` 内{0} podAffinity 要求的 pod",
                a_pod(passed, language),
                topology_key
            ),
            CheckSubject::PodAntiAffinity { topology_key, .. } => say!(
                language,
                "{} that podAntiAffinity keeps apart from is in the same `{}`",
                "同一 `{1}` 内{0} podAntiAffinity 要避开的 pod",
                a_pod(!passed, language),
                topology_key
            ),
            CheckSubject::ExistingPodAntiAffinity { pod } => {
                say!(language, "podAntiAffinity of {} keeps this pod away", "{} 的 podAntiAffinity 排斥此 pod", pod)
            }
        }
    }
}

impl Words for Malformed {
    fn words(&self, language: Language) -> String {
        match self {
            Self::Operator => say!(language, "the operator is unknown here", "此处不支持该 operator"),
            Self::Key => say!(language, "the key is no label key", "key 不是合法的标签键"),
            Self::Value => say!(language, "a value is no label value", "有的值不是合法的标签值"),
            Self::ValuesMissing => say!(language, "`values` is empty", "`values` 为空"),
            Self::ValuesNotAllowed => say!(language, "`values` must be empty", "`values` 必须为空"),
            Self::OneValueNeeded => say!(
                language,
                "`values` must hold exactly one that fits the operator",
                "`values` 必须恰有一个适合该 operator 的值"
            ),
        }
    }
}

fn node_name(wanted: &Text, language: Language) -> String {
    say!(language, "`nodeName` of the template is `{}`", "模板的 `nodeName` 是 `{}`", wanted)
}

fn node_selector(key: &Text, wanted: &Text, found: Option<&Text>, language: Language) -> String {
    match found {
        Some(found) if found == wanted => {
            say!(language, "label `{}={}` is there", "有标签 `{}={}`", key, wanted)
        }
        Some(found) => say!(
            language,
            "nodeSelector asks for `{}={}`, the node has {}",
            "nodeSelector 要求 `{}={}`，节点的值是 {}",
            key,
            wanted,
            value(found)
        ),
        None => say!(
            language,
            "nodeSelector asks for `{}={}`, the node has no such label",
            "nodeSelector 要求 `{}={}`，节点没有该标签",
            key,
            wanted
        ),
    }
}

fn node_affinity(terms: u32, language: Language) -> String {
    match terms {
        0 => say!(
            language,
            "required node affinity has no term, so that it selects no node",
            "必需的节点亲和性没有任何条件组，因此不选择任何节点"
        ),
        1 => say!(
            language,
            "the one term of the required node affinity does not hold",
            "必需的节点亲和性的唯一条件组不成立"
        ),
        terms => say!(
            language,
            "none of the {} terms of the required node affinity holds",
            "必需的节点亲和性的 {} 个条件组都不成立",
            terms
        ),
    }
}

fn not_tolerated(taint: &Taint, language: Language) -> String {
    say!(language, "taint `{}` is not tolerated", "污点 `{}` 未被容忍", taint)
}

fn affinity_term(term: u32, requirements: u32, outcome: CheckOutcome, language: Language) -> String {
    let fate = match outcome {
        CheckOutcome::Passed => language.say("holds", "成立"),
        _ if requirements == 0 => language.say("is empty and selects nothing", "为空，不选择任何节点"),
        CheckOutcome::Failed => language.say("does not hold", "不成立"),
        CheckOutcome::Indifferent => language.say("does not hold, another one does", "不成立，但另有成立的"),
    };
    format!("`nodeSelectorTerms[{term}]` {fate}")
}

fn requirement(property: &NodeProperty, test: &Test, found: Option<&str>, language: Language) -> String {
    let (NodeProperty::Label(name) | NodeProperty::Field(name)) = property;
    let asked = match test {
        Test::In(values) => format!("In [{}]", values.join(", ")),
        Test::NotIn(values) => format!("NotIn [{}]", values.join(", ")),
        Test::Exists => "Exists".to_owned(),
        Test::DoesNotExist => "DoesNotExist".to_owned(),
        Test::GreaterThan(bound) => format!("Gt {bound}"),
        Test::LessThan(bound) => format!("Lt {bound}"),
        Test::Malformed(fault) => {
            return say!(
                language,
                "the requirement on `{}` never holds: {}",
                "对 `{}` 的要求永不成立：{}",
                name,
                fault.words(language)
            );
        }
    };
    if let Some(found) = found {
        say!(language, "`{} {}`: the node has {}", "`{} {}`：节点的值是 {}", name, asked, value(found))
    } else {
        say!(language, "`{} {}`: the node has no such label", "`{} {}`：节点没有该标签", name, asked)
    }
}

fn covered(origin: TolerationOrigin, language: Language) -> String {
    match origin {
        TolerationOrigin::Template(index) => {
            say!(language, "by `tolerations[{}]`", "`tolerations[{}]`", index)
        }
        TolerationOrigin::Automatic { .. } => {
            say!(language, "automatically, as by every DaemonSet pod", "DaemonSet 的 pod 自动带有")
        }
    }
}

fn a_pod(is_there: bool, language: Language) -> &'static str {
    if is_there { language.say("a pod", "有") } else { language.say("no pod", "没有") }
}

fn port_taken(wanted: &HostPort, taken: &HostPort, holder: &ObjectKey, language: Language) -> String {
    let also = if taken == wanted { String::new() } else { format!(" ({})", port(taken)) };
    say!(language, "host port {} is taken by {}{}", "主机端口 {} 已被 {} 占用{}", port(wanted), holder, also)
}

fn pod_count(pods: i64, allocatable: i64, language: Language) -> String {
    say!(language, "{} of {} pods are there", "已有 {} 个 pod，上限 {} 个", pods, allocatable)
}

fn amounts(resource: &str, requested: i64, used: i64, allocatable: i64, language: Language) -> String {
    let (wanted, all) = (amount(resource, requested), amount(resource, allocatable));
    let free = amount(resource, allocatable.saturating_sub(used));
    say!(language, "{} requested, {} of {} free", "请求 {0}，共 {2}，剩余 {1}", wanted, free, all)
}

/// `9100/TCP`, with the address where it is not every one.
fn port(port: &HostPort) -> String {
    let HostPort { protocol, host_ip, host_port } = port;
    let address = match host_ip.as_str() {
        "0.0.0.0" => String::new(),
        _ if host_ip.contains(':') => format!("[{host_ip}]:"),
        _ => format!("{host_ip}:"),
    };
    format!("{address}{host_port}/{protocol}")
}

fn value(text: &str) -> String {
    if text.is_empty() { "`\"\"`".to_owned() } else { format!("`{text}`") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::TaintEffect;

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
            requirement(&property, &test, found, Language::English)
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
