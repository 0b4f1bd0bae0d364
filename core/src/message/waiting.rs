use super::phrase::{grouped, names, nodes};
use super::{Language, Words};
use crate::api::{IntOrString, Text};
use crate::decision::WaitingOn;
use crate::status::RolloutStatus;

impl Words for WaitingOn {
    fn words(&self, language: Language) -> String {
        match language {
            Language::English => wait_in_english(self),
            Language::Chinese => wait_in_chinese(self),
        }
    }
}

fn wait_in_english(wait: &WaitingOn) -> String {
    let english = Language::English;
    let on = |list: &[Text], count: u32| names(list, count, english);
    match wait {
        WaitingOn::EmptySelector => "the selector is empty, so that the DaemonSet is ignored".to_owned(),
        WaitingOn::BeingDeleted => "the DaemonSet is being deleted".to_owned(),
        WaitingOn::Expectations { creations, deletions } => {
            format!("{} creations and {} deletions have not been seen yet", creations.max(&0), deletions.max(&0))
        }
        WaitingOn::UnavailableBudget { unavailable, limit, written, desired, nodes: list, waiting } => format!(
            "`maxUnavailable` is used up: {}; {} unavailable ({}); {} with an available old pod must wait",
            arithmetic(written, *limit, *desired, english),
            are(*unavailable),
            on(list, *unavailable),
            nodes(*waiting, english),
        ),
        WaitingOn::SurgeBudget { under_way, limit, written, desired, nodes: list, waiting } => format!(
            "`maxSurge` is used up: {}; {} under way ({}); {} with an available old pod must wait",
            arithmetic(written, *limit, *desired, english),
            are(*under_way),
            on(list, *under_way),
            nodes(*waiting, english),
        ),
        WaitingOn::LostNodes { nodes: list, count } => format!(
            "old pods are bound to nodes that are gone ({}): no rolling update until the pods are, too",
            on(list, *count)
        ),
        WaitingOn::MalformedLimit { limit } => {
            format!("`{limit}` is neither a count nor a percentage: no rolling update")
        }
        WaitingOn::Terminating { nodes: list, count } => format!(
            "pods on {} are being deleted ({}); their successors come when they are gone",
            nodes(*count, english),
            on(list, *count)
        ),
        WaitingOn::NewPods { nodes: list, count } => {
            format!("new pods on {} are not available yet ({})", nodes(*count, english), on(list, *count))
        }
        WaitingOn::FailedPods { nodes: list, count } => format!(
            "failed pods on {} are left until their back-off is over ({})",
            nodes(*count, english),
            on(list, *count)
        ),
        WaitingOn::Deletion { nodes: list, count } => format!(
            "strategy `OnDelete`: old pods on {} stay until someone deletes them ({})",
            nodes(*count, english),
            on(list, *count)
        ),
    }
}

fn wait_in_chinese(wait: &WaitingOn) -> String {
    let chinese = Language::Chinese;
    let on = |list: &[Text], count: u32| names(list, count, chinese);
    match wait {
        WaitingOn::EmptySelector => "选择器为空，因此忽略此 DaemonSet".to_owned(),
        WaitingOn::BeingDeleted => "此 DaemonSet 正在删除".to_owned(),
        WaitingOn::Expectations { creations, deletions } => {
            format!("{} 个创建和 {} 个删除尚未被观察到", creations.max(&0), deletions.max(&0))
        }
        WaitingOn::UnavailableBudget { unavailable, limit, written, desired, nodes: list, waiting } => format!(
            "`maxUnavailable` 已用尽：{}；{}不可用（{}）；另有{}的旧 pod 可用，须等待",
            arithmetic(written, *limit, *desired, chinese),
            nodes(*unavailable, chinese),
            on(list, *unavailable),
            nodes(*waiting, chinese),
        ),
        WaitingOn::SurgeBudget { under_way, limit, written, desired, nodes: list, waiting } => format!(
            "`maxSurge` 已用尽：{}；{}正在更新（{}）；另有{}的旧 pod 可用，须等待",
            arithmetic(written, *limit, *desired, chinese),
            nodes(*under_way, chinese),
            on(list, *under_way),
            nodes(*waiting, chinese),
        ),
        WaitingOn::LostNodes { nodes: list, count } => {
            format!("旧 pod 所在节点已不存在（{}）：这些 pod 消失之前不进行滚动更新", on(list, *count))
        }
        WaitingOn::MalformedLimit { limit } => format!("`{limit}` 既不是数量也不是百分比：不进行滚动更新"),
        WaitingOn::Terminating { nodes: list, count } => {
            format!("{}上的 pod 正在删除（{}）；删除完成后才会创建新的 pod", nodes(*count, chinese), on(list, *count))
        }
        WaitingOn::NewPods { nodes: list, count } => {
            format!("{}上的新 pod 尚不可用（{}）", nodes(*count, chinese), on(list, *count))
        }
        WaitingOn::FailedPods { nodes: list, count } => {
            format!("{}上失败的 pod 保留到退避时间结束（{}）", nodes(*count, chinese), on(list, *count))
        }
        WaitingOn::Deletion { nodes: list, count } => {
            format!("策略为 `OnDelete`：{}上的旧 pod 须由人删除（{}）", nodes(*count, chinese), on(list, *count))
        }
    }
}

fn are(count: u32) -> String {
    format!("{} {}", grouped(count), if count == 1 { "is" } else { "are" })
}

/// How a limit comes about: `10% of 288 nodes is 28.8, rounded up to 29`.
fn arithmetic(written: &IntOrString, limit: u32, desired: u32, language: Language) -> String {
    let percent = match written {
        IntOrString::String(text) => text.strip_suffix('%').and_then(|digits| digits.parse::<u32>().ok()),
        IntOrString::Int(_) => None,
    };
    let limit_text = grouped(limit);
    let Some(percent) = percent else {
        // Written as 0, or both limits came to 0.
        let as_written = *written == IntOrString::Int(i32::try_from(limit).unwrap_or(i32::MAX));
        return match (as_written, language) {
            (true, Language::English) => format!("it allows {}", nodes(limit, language)),
            (true, Language::Chinese) => format!("允许{}", nodes(limit, language)),
            (false, Language::English) => format!("it is {written}, and one node is allowed all the same"),
            (false, Language::Chinese) => format!("其值为 {written}，但仍允许一个节点"),
        };
    };
    let hundredths = u64::from(percent) * u64::from(desired);
    let of = nodes(desired, language);
    match (hundredths.is_multiple_of(100), hundredths.div_ceil(100) == u64::from(limit), language) {
        (_, false, Language::English) => format!("{percent}% of {of} is nothing, and one node is allowed all the same"),
        (_, false, Language::Chinese) => format!("{of}的 {percent}% 为零，但仍允许一个节点"),
        (true, true, Language::English) => format!("{percent}% of {of} is {limit_text}"),
        (true, true, Language::Chinese) => format!("{of}的 {percent}% 为 {limit_text}"),
        (false, true, Language::English) => {
            format!("{percent}% of {of} is {}, rounded up to {limit_text}", decimal(hundredths))
        }
        (false, true, Language::Chinese) => {
            format!("{of}的 {percent}% 为 {}，向上取整为 {limit_text}", decimal(hundredths))
        }
    }
}

/// Hundredths without trailing zeros: `28.8`.
fn decimal(hundredths: u64) -> String {
    let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    text.trim_end_matches('0').to_owned()
}

impl Words for RolloutStatus {
    /// What `kubectl rollout status` finds, without the DaemonSet's name.
    fn words(&self, language: Language) -> String {
        match (self, language) {
            (Self::Unsupported, Language::English) => {
                "rollout status is only available for RollingUpdate strategy type".to_owned()
            }
            (Self::Unsupported, Language::Chinese) => "rollout status 仅适用于 RollingUpdate 策略".to_owned(),
            (Self::NotObserved, Language::English) => "Waiting for daemon set spec update to be observed".to_owned(),
            (Self::NotObserved, Language::Chinese) => "等待控制器观察到新的 spec".to_owned(),
            (Self::Updating { updated, desired }, Language::English) => {
                format!("{updated} out of {desired} new pods have been updated")
            }
            (Self::Updating { updated, desired }, Language::Chinese) => {
                format!("{desired} 个新 pod 中已更新 {updated} 个")
            }
            (Self::BecomingAvailable { available, desired }, Language::English) => {
                format!("{available} of {desired} updated pods are available")
            }
            (Self::BecomingAvailable { available, desired }, Language::Chinese) => {
                format!("{desired} 个已更新的 pod 中 {available} 个可用")
            }
            (Self::Complete, Language::English) => "successfully rolled out".to_owned(),
            (Self::Complete, Language::Chinese) => "已全部更新完成".to_owned(),
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
        let told = |written: &IntOrString, limit, desired| arithmetic(written, limit, desired, Language::English);
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
