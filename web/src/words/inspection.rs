//! The inspector's own sentences. Reasons come from the core.

use std::time::Duration;

use rollcast_core::both;
use rollcast_core::message::{Language, Words, duration, said};
use rollcast_core::sim::{DecisionKind, Tile};

/// The verdict on a node, without a full stop.
pub fn verdict(tile: Tile, goes_on: bool, budget_used_up: bool, language: Language) -> &'static str {
    language.of(match tile {
        Tile::NotEligible => both!("Not eligible: no pod belongs here", "不符合条件：此处不应有 Pod"),
        Tile::Missing => both!("No pod yet: one is going to be created", "尚无 Pod：即将创建"),
        Tile::Pending => both!("Pending: the pod does not fit", "待调度：Pod 放不下"),
        Tile::OldAvailable if goes_on && budget_used_up => {
            both!("Waiting: the budget is used up", "等待中：预算已用完")
        }
        Tile::OldAvailable if goes_on => both!("Waiting for its turn", "等待轮到此节点"),
        Tile::OldAvailable => both!("Stays as it is", "保持不变"),
        Tile::OldUnavailable => both!("The old pod is not available", "旧 Pod 不可用"),
        Tile::Terminating => both!("The old pod is going", "旧 Pod 正在终止"),
        Tile::NewStarting => both!("The new pod is starting", "新 Pod 正在启动"),
        Tile::NewReady => both!("Ready, and not yet available", "已就绪，尚不可用"),
        Tile::NewAvailable => both!("Up to date", "已更新"),
        Tile::Surging => both!("The new pod starts beside the old one", "新 Pod 正在旧 Pod 旁启动"),
        Tile::Failed => both!("The pod has failed", "Pod 已失败"),
        Tile::Misscheduled => both!("A pod runs where none belongs", "不应有 Pod 的节点上有 Pod"),
        Tile::Gone => both!("There is no such node now", "此时没有这个节点"),
    })
}

/// Why an old pod that will be replaced is still there.
pub fn in_line(used: u32, limit: u32, language: Language) -> String {
    said(language, both!("{0} of {1} places of the budget are in use.", "预算共 {1}，已用 {0}。"), &[&used, &limit])
}

/// Why an old pod that will not be replaced is still there.
pub fn stays_old(language: Language) -> &'static str {
    language.of(both!("Nothing is going to happen here in this rollout.", "此次发布中这里不会再有变化。"))
}

/// How long it has been so; nothing when it always was.
pub fn since(since: Option<Duration>, language: Language) -> String {
    let Some(since) = since else { return String::new() };
    said(language, both!("For {0}.", "已持续 {0}。"), &[&duration(since, language)])
}

/// What the controller does here next, when, and why.
pub fn next(kind: DecisionKind, after: Duration, reason: &str, language: Language) -> String {
    said(
        language,
        both!("{0} in {1}: {2}", "{1}后{0}：{2}"),
        &[&kind.words(language), &duration(after, language), &reason],
    )
}

/// There is no next decision.
pub fn nothing_next(tile: Tile, language: Language) -> &'static str {
    match tile {
        Tile::NewStarting | Tile::NewReady | Tile::Surging | Tile::Terminating => {
            language.of(both!("nothing to decide; the pod takes its time", "无需决策，等待 Pod 完成"))
        }
        _ => language.of(both!("nothing", "无")),
    }
}

/// Joins reasons that all hold.
pub fn and_also(language: Language) -> &'static str {
    language.of(both!("; ", "；"))
}

/// Which revision a pod is of.
pub fn revision(old: bool, language: Language) -> &'static str {
    if old { language.of(both!("old revision", "旧版本")) } else { language.of(both!("new revision", "新版本")) }
}

/// What a pod does.
pub fn pod_state(tile: Tile, language: Language) -> &'static str {
    language.of(match tile {
        Tile::NewAvailable | Tile::OldAvailable => both!("available", "可用"),
        Tile::NewReady => both!("ready", "就绪"),
        Tile::NewStarting | Tile::Surging => both!("starting", "启动中"),
        Tile::Terminating => both!("terminating", "终止中"),
        Tile::Pending => both!("pending", "待调度"),
        Tile::Failed => both!("failed", "失败"),
        Tile::OldUnavailable => both!("not available", "不可用"),
        Tile::Misscheduled => both!("misscheduled", "位置不当"),
        Tile::NotEligible | Tile::Missing | Tile::Gone => both!("none", "无"),
    })
}

/// The node's side of a failed check.
pub fn on_the_node(path: &str, language: Language) -> String {
    said(language, both!("on the node: {0}", "节点上：{0}"), &[&path])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_is_translated_and_tells_its_tile() {
        let chinese = |text: &str| text.chars().any(|character| ('\u{4e00}'..='\u{9fff}').contains(&character));
        let mut seen = std::collections::BTreeSet::new();
        for tile in Tile::ALL {
            for goes_on in [false, true] {
                assert!(chinese(verdict(tile, goes_on, true, Language::Chinese)));
                assert!(!chinese(verdict(tile, goes_on, true, Language::English)));
            }
            assert!(chinese(pod_state(tile, Language::Chinese)) && chinese(nothing_next(tile, Language::Chinese)));
            seen.insert(verdict(tile, false, false, Language::English));
        }
        assert_eq!(seen.len(), Tile::ALL.len());
    }

    #[test]
    fn the_next_decision_says_what_when_and_why() {
        let next = next(DecisionKind::DeletePod, Duration::from_secs(160), "a place is free", Language::English);
        assert!(next.contains("2 min 40 s") && next.ends_with("a place is free"), "{next}");
    }
}
