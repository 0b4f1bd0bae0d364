use super::Words;
use super::telling::{Amount, Both, Telling, Told, part, tell};
use crate::KubernetesVersion;
use crate::api::{HostPort, ObjectKey, Taint, Text};
use crate::both;
use crate::placement::{Check, CheckOutcome, CheckSubject, Exclusion, Obstacle, Preemption};
use crate::scheduling::{Malformed, NodeProperty, Refusal, Test, TolerationOrigin};

impl Words for Exclusion {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::NodeName { wanted } => node_name(wanted, to),
            Self::NodeSelector { key, wanted, found } => node_selector(key, wanted, found.as_ref(), to),
            Self::NodeAffinity { terms } => node_affinity(*terms, to),
            Self::Taint(taint) => not_tolerated(taint, to),
        }
    }
}

impl Words for Obstacle {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::NodeName { wanted } => node_name(wanted, to),
            Self::LabelMissing { key, wanted } => node_selector(key, wanted, None, to),
            Self::LabelDiffers { key, wanted } => tell!(
                to,
                "nodeSelector asks for `{}={}`, the node has another value",
                "nodeSelector 要求 `{}={}`，节点是其他值",
                key,
                wanted
            ),
            Self::NodeAffinity { terms } => node_affinity(*terms, to),
            Self::Taint(taint) => not_tolerated(taint, to),
        }
    }
}

impl Words for Refusal {
    /// Kube-scheduler's words (1.36), then what it does not say: how much, which, by whom.
    fn tell(&self, to: &mut Telling) {
        to.text(&self.reason(KubernetesVersion::default()));
        match self {
            Self::Unschedulable | Self::NodeAffinity => return,
            Self::NodeName { wanted } => backquoted(wanted, to),
            Self::Taint(taint) => backquoted(taint, to),
            Self::HostPort { wanted, taken, holder } => port_taken(wanted, taken, holder, to),
            Self::TooManyPods { pods, allocatable } => pod_count(*pods, *allocatable, to),
            Self::Insufficient { resource, requested, used, allocatable } => {
                amounts(resource, *requested, *used, *allocatable, to);
            }
            Self::PodAffinity { term } | Self::PodAntiAffinity { term } => tell!(to, "term {}", "条件 {}", term),
            Self::ExistingPodAntiAffinity { pod } => pod.tell(to),
        }
        tell!(to, "{}: {}", "{}：{}", Told, Told);
    }
}

impl Words for Preemption {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::NotHelpful => tell!(
                to,
                "Preemption is not helpful for scheduling: no pod on the node stands in the way",
                "Preemption is not helpful for scheduling：阻碍并非来自节点上的 pod"
            ),
            Self::NotAllowed => tell!(
                to,
                "`preemptionPolicy: Never` keeps the pod from preempting others",
                "`preemptionPolicy: Never` 使该 pod 不会抢占其他 pod"
            ),
            Self::NoVictims => tell!(
                to,
                "No preemption victims found for incoming pod: nothing on the node has a lower priority",
                "No preemption victims found for incoming pod：节点上没有优先级更低的 pod"
            ),
            Self::NotEnough(fit) => tell!(
                to,
                "even without every pod of lower priority: {}",
                "即使驱逐所有优先级更低的 pod：{}",
                part(|to| to.list(&fit.refusals, "; ", Words::tell))
            ),
            Self::Victims(pods) => tell!(
                to,
                "pods of lower priority would be evicted: {}",
                "会驱逐优先级更低的 pod：{}",
                part(|to| to.list(pods, both!(", ", "、"), Words::tell))
            ),
        }
    }
}

impl Words for Check<'_> {
    fn tell(&self, to: &mut Telling) {
        let passed = self.outcome == CheckOutcome::Passed;
        match &self.subject {
            CheckSubject::NodeName { wanted } => node_name(wanted, to),
            CheckSubject::NodeSelector { key, wanted, found } => node_selector(key, wanted, *found, to),
            CheckSubject::AffinityWithoutTerms => node_affinity(0, to),
            CheckSubject::AffinityTerm { term, requirements } => affinity_term(*term, *requirements, self.outcome, to),
            CheckSubject::AffinityRequirement { property, test, found, .. } => requirement(property, test, *found, to),
            CheckSubject::Taint { taint, covered_by: Some(origin) } => {
                tell!(to, "taint `{}` is tolerated {}", "污点 `{}` 被容忍（{}）", taint, covered(*origin));
            }
            CheckSubject::Taint { taint, covered_by: None } if self.outcome == CheckOutcome::Indifferent => {
                tell!(to, "taint `{}` is only a preference", "污点 `{}` 只是偏好", taint);
            }
            CheckSubject::Taint { taint, covered_by: None } => not_tolerated(taint, to),
            CheckSubject::Unschedulable => tell!(
                to,
                "cordoned, which every pod of a DaemonSet tolerates",
                "已封锁（cordon），DaemonSet 的 pod 一律容忍"
            ),
            CheckSubject::HostPort { wanted, taken: Some((taken, holder)) } => port_taken(wanted, taken, holder, to),
            CheckSubject::HostPort { wanted, taken: None } => {
                tell!(to, "host port {} is free", "主机端口 {} 空闲", port(wanted));
            }
            CheckSubject::PodCount { pods, allocatable } => pod_count(*pods, *allocatable, to),
            CheckSubject::Resource { resource, requested, used, allocatable } => tell!(
                to,
                "{}: {}",
                "{}：{}",
                resource,
                part(|to| amounts(resource, *requested, *used, *allocatable, to))
            ),
            CheckSubject::PodAffinity { topology_key, .. } => tell!(
                to,
                "{} that podAffinity asks for is in the same `{}`",
                "同一 `{1}` 内{0} podAffinity 要求的 pod",
                a_pod(passed),
                topology_key
            ),
            CheckSubject::PodAntiAffinity { topology_key, .. } => tell!(
                to,
                "{} that podAntiAffinity keeps apart from is in the same `{}`",
                "同一 `{1}` 内{0} podAntiAffinity 要避开的 pod",
                a_pod(!passed),
                topology_key
            ),
            CheckSubject::ExistingPodAntiAffinity { pod } => {
                tell!(to, "podAntiAffinity of {} keeps this pod away", "{} 的 podAntiAffinity 排斥此 pod", pod);
            }
        }
    }
}

impl Words for Malformed {
    fn tell(&self, to: &mut Telling) {
        to.both(match self {
            Self::Operator => both!("the operator is unknown here", "此处不支持该 operator"),
            Self::Key => both!("the key is no label key", "key 不是合法的标签键"),
            Self::Value => both!("a value is no label value", "有的值不是合法的标签值"),
            Self::ValuesMissing => both!("`values` is empty", "`values` 为空"),
            Self::ValuesNotAllowed => both!("`values` must be empty", "`values` 必须为空"),
            Self::OneValueNeeded => both!(
                "`values` must hold exactly one that fits the operator",
                "`values` 必须恰有一个适合该 operator 的值"
            ),
        });
    }
}

fn node_name(wanted: &Text, to: &mut Telling) {
    tell!(to, "`nodeName` of the template is `{}`", "模板的 `nodeName` 是 `{}`", wanted);
}

fn node_selector(key: &Text, wanted: &Text, found: Option<&Text>, to: &mut Telling) {
    match found {
        Some(found) if found == wanted => {
            tell!(to, "label `{}={}` is there", "有标签 `{}={}`", key, wanted);
        }
        Some(found) => tell!(
            to,
            "nodeSelector asks for `{}={}`, the node has {}",
            "nodeSelector 要求 `{}={}`，节点的值是 {}",
            key,
            wanted,
            value(found)
        ),
        None => tell!(
            to,
            "nodeSelector asks for `{}={}`, the node has no such label",
            "nodeSelector 要求 `{}={}`，节点没有该标签",
            key,
            wanted
        ),
    }
}

fn node_affinity(terms: u32, to: &mut Telling) {
    match terms {
        0 => tell!(
            to,
            "required node affinity has no term, so that it selects no node",
            "必需的节点亲和性没有任何条件组，因此不选择任何节点"
        ),
        1 => {
            tell!(to, "the one term of the required node affinity does not hold", "必需的节点亲和性的唯一条件组不成立");
        }
        terms => tell!(
            to,
            "none of the {} terms of the required node affinity holds",
            "必需的节点亲和性的 {} 个条件组都不成立",
            terms
        ),
    }
}

fn not_tolerated(taint: &Taint, to: &mut Telling) {
    tell!(to, "taint `{}` is not tolerated", "污点 `{}` 未被容忍", taint);
}

fn affinity_term(term: u32, requirements: u32, outcome: CheckOutcome, to: &mut Telling) {
    let fate = match outcome {
        CheckOutcome::Passed => both!("holds", "成立"),
        _ if requirements == 0 => both!("is empty and selects nothing", "为空，不选择任何节点"),
        CheckOutcome::Failed => both!("does not hold", "不成立"),
        CheckOutcome::Indifferent => both!("does not hold, another one does", "不成立，但另有成立的"),
    };
    tell!(to, "`nodeSelectorTerms[{}]` {}", "`nodeSelectorTerms[{}]` {}", term, Both(fate));
}

fn requirement(property: &NodeProperty, test: &Test, found: Option<&str>, to: &mut Telling) {
    let (NodeProperty::Label(name) | NodeProperty::Field(name)) = property;
    tell!(to, "`{}", "`{}", name);
    match test {
        Test::In(values) => tell!(to, "{} In [{}]", "{} In [{}]", Told, listed(values)),
        Test::NotIn(values) => tell!(to, "{} NotIn [{}]", "{} NotIn [{}]", Told, listed(values)),
        Test::Exists => to.add(" Exists"),
        Test::DoesNotExist => to.add(" DoesNotExist"),
        Test::GreaterThan(bound) => tell!(to, "{} Gt {}", "{} Gt {}", Told, bound),
        Test::LessThan(bound) => tell!(to, "{} Lt {}", "{} Lt {}", Told, bound),
        Test::Malformed(fault) => {
            return tell!(to, "the requirement on {}` never holds: {}", "对 {}` 的要求永不成立：{}", Told, fault);
        }
    }
    if let Some(found) = found {
        tell!(to, "{}`: the node has {}", "{}`：节点的值是 {}", Told, value(found));
    } else {
        tell!(to, "{}`: the node has no such label", "{}`：节点没有该标签", Told);
    }
}

fn listed(values: &[Text]) -> impl Words {
    part(|to| to.list(values, ", ", Words::tell))
}

fn covered(origin: TolerationOrigin) -> impl Words {
    part(move |to| match origin {
        TolerationOrigin::Template(index) => tell!(to, "by `tolerations[{}]`", "`tolerations[{}]`", index),
        TolerationOrigin::Automatic { .. } => {
            tell!(to, "automatically, as by every DaemonSet pod", "DaemonSet 的 pod 自动带有");
        }
    })
}

fn a_pod(is_there: bool) -> Both {
    Both(if is_there { both!("a pod", "有") } else { both!("no pod", "没有") })
}

fn port_taken(wanted: &HostPort, taken: &HostPort, holder: &ObjectKey, to: &mut Telling) {
    let also = (taken != wanted).then(|| part(|to| tell!(to, " ({})", " ({})", port(taken))));
    tell!(to, "host port {} is taken by {}{}", "主机端口 {} 已被 {} 占用{}", port(wanted), holder, also);
}

fn pod_count(pods: i64, allocatable: i64, to: &mut Telling) {
    tell!(to, "{} of {} pods are there", "已有 {} 个 pod，上限 {} 个", pods, allocatable);
}

fn amounts(resource: &str, requested: i64, used: i64, allocatable: i64, to: &mut Telling) {
    let (wanted, all) = (Amount(resource, requested), Amount(resource, allocatable));
    let free = Amount(resource, allocatable.saturating_sub(used));
    tell!(to, "{} requested, {} of {} free", "请求 {0}，共 {2}，剩余 {1}", wanted, free, all);
}

/// `9100/TCP`, with the address where it is not every one.
fn port(port: &HostPort) -> impl Words {
    let HostPort { protocol, host_ip, host_port } = port;
    part(move |to| {
        match host_ip.as_str() {
            "0.0.0.0" => to.text(""),
            _ if host_ip.contains(':') => tell!(to, "[{}]:", "[{}]:", host_ip),
            _ => tell!(to, "{}:", "{}:", host_ip),
        }
        tell!(to, "{}{}/{}", "{}{}/{}", Told, host_port, protocol);
    })
}

fn backquoted(what: &dyn Words, to: &mut Telling) {
    tell!(to, "`{}`", "`{}`", what);
}

fn value(text: &str) -> impl Words {
    let text = if text.is_empty() { "\"\"" } else { text };
    part(move |to| backquoted(&text, to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::TaintEffect;
    use crate::message::Language;

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
            part(|to| requirement(&property, &test, found, to)).words(Language::English)
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
