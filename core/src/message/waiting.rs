use super::phrase::decimal;
use super::telling::{Grouped, Names, Nodes, Telling, WithVerb, part, tell};
use super::{Language, Words};
use crate::api::IntOrString;
use crate::decision::WaitingOn;
use crate::status::RolloutStatus;

impl Words for WaitingOn {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::EmptySelector => {
                tell!(
                    to,
                    "the selector is empty, so that the DaemonSet is ignored",
                    "选择器为空，因此忽略此 DaemonSet"
                );
            }
            Self::BeingDeleted => tell!(to, "the DaemonSet is being deleted", "此 DaemonSet 正在删除"),
            Self::Expectations { creations, deletions } => tell!(
                to,
                "{} creations and {} deletions have not been seen yet",
                "{} 个创建和 {} 个删除尚未被观察到",
                creations.max(&0),
                deletions.max(&0)
            ),
            Self::UnavailableBudget { unavailable, limit, written, desired, nodes: list, waiting } => tell!(
                to,
                "`maxUnavailable` is used up: {}; {} unavailable ({}); {} with an available old pod must wait",
                "`maxUnavailable` 已用尽：{}；{}不可用（{}）；另有{}的旧 pod 可用，须等待",
                part(|to| arithmetic(written, *limit, *desired, to)),
                they_are(*unavailable),
                Names(list, *unavailable),
                Nodes(*waiting)
            ),
            Self::SurgeBudget { under_way, limit, written, desired, nodes: list, waiting } => tell!(
                to,
                "`maxSurge` is used up: {}; {} under way ({}); {} with an available old pod must wait",
                "`maxSurge` 已用尽：{}；{}正在更新（{}）；另有{}的旧 pod 可用，须等待",
                part(|to| arithmetic(written, *limit, *desired, to)),
                they_are(*under_way),
                Names(list, *under_way),
                Nodes(*waiting)
            ),
            Self::LostNodes { nodes: list, count } => tell!(
                to,
                "old pods are bound to nodes that are gone ({}): no rolling update until the pods are, too",
                "旧 pod 所在节点已不存在（{}）：这些 pod 消失之前不进行滚动更新",
                Names(list, *count)
            ),
            Self::MalformedLimit { limit } => tell!(
                to,
                "`{}` is neither a count nor a percentage: no rolling update",
                "`{}` 既不是数量也不是百分比：不进行滚动更新",
                limit
            ),
            Self::Terminating { nodes: list, count } => tell!(
                to,
                "pods on {} are being deleted ({}); their successors come when they are gone",
                "{}上的 pod 正在删除（{}）；删除完成后才会创建新的 pod",
                Nodes(*count),
                Names(list, *count)
            ),
            Self::NewPods { nodes: list, count } => tell!(
                to,
                "new pods on {} are not available yet ({})",
                "{}上的新 pod 尚不可用（{}）",
                Nodes(*count),
                Names(list, *count)
            ),
            Self::FailedPods { nodes: list, count } => tell!(
                to,
                "failed pods on {} are left until their back-off is over ({})",
                "{}上失败的 pod 保留到退避时间结束（{}）",
                Nodes(*count),
                Names(list, *count)
            ),
            Self::Deletion { nodes: list, count } => tell!(
                to,
                "strategy `OnDelete`: old pods on {} stay until someone deletes them ({})",
                "策略为 `OnDelete`：{}上的旧 pod 须由人删除（{}）",
                Nodes(*count),
                Names(list, *count)
            ),
        }
    }
}

/// `29 are`; in Chinese the nodes are named as such.
fn they_are(count: u32) -> impl Words {
    part(move |to| match to.language() {
        Language::English => WithVerb(Grouped(count), count, ["is", "are"]).tell(to),
        Language::Chinese => Nodes(count).tell(to),
    })
}

/// How a limit comes about: `10% of 288 nodes is 28.8, rounded up to 29`.
fn arithmetic(written: &IntOrString, limit: u32, desired: u32, to: &mut Telling) {
    let percent = match written {
        IntOrString::String(text) => text.strip_suffix('%').and_then(|digits| digits.parse::<u32>().ok()),
        IntOrString::Int(_) => None,
    };
    let Some(percent) = percent else {
        // Written as 0, or both limits came to 0.
        let as_written = *written == IntOrString::Int(i32::try_from(limit).unwrap_or(i32::MAX));
        if as_written {
            tell!(to, "it allows {}", "允许{}", Nodes(limit));
        } else {
            tell!(to, "it is {}, and one node is allowed all the same", "其值为 {}，但仍允许一个节点", written);
        }
        return;
    };
    let hundredths = u64::from(percent) * u64::from(desired);
    let (of, limit_text) = (Nodes(desired), Grouped(limit));
    if hundredths.div_ceil(100) != u64::from(limit) {
        tell!(
            to,
            "{}% of {} is nothing, and one node is allowed all the same",
            "{1}的 {0}% 为零，但仍允许一个节点",
            percent,
            of
        );
    } else if hundredths.is_multiple_of(100) {
        tell!(to, "{}% of {} is {}", "{1}的 {0}% 为 {2}", percent, of, limit_text);
    } else {
        tell!(
            to,
            "{}% of {} is {}, rounded up to {}",
            "{1}的 {0}% 为 {2}，向上取整为 {3}",
            percent,
            of,
            decimal(hundredths),
            limit_text
        );
    }
}

impl Words for RolloutStatus {
    /// What `kubectl rollout status` finds, without the DaemonSet's name.
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::Unsupported => tell!(
                to,
                "rollout status is only available for RollingUpdate strategy type",
                "rollout status 仅适用于 RollingUpdate 策略"
            ),
            Self::NotObserved => {
                tell!(to, "Waiting for daemon set spec update to be observed", "等待控制器观察到新的 spec");
            }
            Self::Updating { updated, desired } => {
                tell!(to, "{} out of {} new pods have been updated", "{1} 个新 pod 中已更新 {0} 个", updated, desired);
            }
            Self::BecomingAvailable { available, desired } => {
                tell!(
                    to,
                    "{} of {} updated pods are available",
                    "{1} 个已更新的 pod 中 {0} 个可用",
                    available,
                    desired
                );
            }
            Self::Complete => tell!(to, "successfully rolled out", "已全部更新完成"),
        }
    }
}

/// The line that `kubectl rollout status` prints about a DaemonSet (kubectl 1.37).
pub fn kubectl_rollout_status(status: RolloutStatus, daemon_set: &str) -> String {
    let words = status.words(Language::English);
    match status {
        RolloutStatus::Unsupported => format!("error: {words}"),
        RolloutStatus::NotObserved => format!("{words}..."),
        RolloutStatus::Updating { .. } | RolloutStatus::BecomingAvailable { .. } => {
            format!("Waiting for daemon set \"{daemon_set}\" rollout to finish: {words}...")
        }
        RolloutStatus::Complete => format!("daemon set \"{daemon_set}\" {words}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn percent(text: &str) -> IntOrString {
        IntOrString::String(text.into())
    }

    #[test]
    fn a_used_up_budget_is_told_with_its_arithmetic() {
        let wait = WaitingOn::UnavailableBudget {
            unavailable: 29,
            limit: 29,
            written: percent("10%"),
            desired: 288,
            nodes: vec!["a".into(), "b".into()],
            waiting: 1,
        };
        assert_eq!(
            wait.words(Language::English),
            "`maxUnavailable` is used up: 10% of 288 nodes is 28.8, rounded up to 29; 29 are unavailable (a, b and 27 \
             more); 1 node with an available old pod must wait"
        );
        assert_eq!(
            wait.words(Language::Chinese),
            "`maxUnavailable` 已用尽：288 个节点的 10% 为 28.8，向上取整为 29；29 个节点不可用（a、b 及另外 27 个）；另有1 \
             个节点的旧 pod 可用，须等待"
        );
    }

    #[test]
    fn the_arithmetic_of_every_kind_of_limit_is_told() {
        let told = |written: &IntOrString, limit, desired| {
            part(|to| arithmetic(written, limit, desired, to)).words(Language::English)
        };
        assert_eq!(told(&percent("50%"), 5, 10), "50% of 10 nodes is 5");
        assert_eq!(told(&percent("33%"), 1, 1), "33% of 1 node is 0.33, rounded up to 1");
        assert_eq!(told(&percent("0%"), 1, 10), "0% of 10 nodes is nothing, and one node is allowed all the same");
        assert_eq!(told(&IntOrString::Int(3), 3, 10), "it allows 3 nodes");
        assert_eq!(told(&IntOrString::Int(0), 1, 10), "it is 0, and one node is allowed all the same");
    }

    #[test]
    fn rollout_status_is_told_in_kubectls_words() {
        let told = |status| kubectl_rollout_status(status, "agent");
        assert_eq!(told(RolloutStatus::NotObserved), "Waiting for daemon set spec update to be observed...");
        assert_eq!(
            told(RolloutStatus::Updating { updated: 1, desired: 2 }),
            "Waiting for daemon set \"agent\" rollout to finish: 1 out of 2 new pods have been updated..."
        );
        assert_eq!(
            told(RolloutStatus::BecomingAvailable { available: 1, desired: 2 }),
            "Waiting for daemon set \"agent\" rollout to finish: 1 of 2 updated pods are available..."
        );
        assert_eq!(told(RolloutStatus::Complete), "daemon set \"agent\" successfully rolled out");
        assert_eq!(
            told(RolloutStatus::Unsupported),
            "error: rollout status is only available for RollingUpdate strategy type"
        );
    }
}
