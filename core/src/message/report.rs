use super::telling::{Nodes, Telling, tell};
use super::{Language, Words};
use crate::both;
use crate::report::{NodeGroup, Obstacle, Verdict};

impl Words for Obstacle {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::Excluded(exclusion) => exclusion.tell(to),
            Self::Refused(refusal) => refusal.tell(to),
        }
    }
}

impl Words for Verdict {
    /// What it means for one node: `runs the pod`.
    fn tell(&self, to: &mut Telling) {
        to.both(match self {
            Self::Run => both!("runs the pod", "运行此 pod"),
            Self::NoRoomToSurge => both!(
                "runs the pod, and has no room for a second one beside it",
                "运行此 pod，但放不下与之并存的第二个"
            ),
            Self::NoRoomForSuccessor => {
                both!("runs the pod, and a new one would not fit in its place", "运行此 pod，但新的 pod 放不进它的位置")
            }
            Self::NoRoom => both!(
                "should run the pod, which does not fit and stays Pending",
                "应运行此 pod，但放不下，pod 将一直 Pending"
            ),
            Self::KeepRunning => {
                both!("gets no new pod; one that is there stays", "不会得到新的 pod；已有的会留下")
            }
            Self::Exclude => both!("gets no pod", "不运行此 pod"),
        });
    }
}

impl Words for NodeGroup {
    /// What it means for the nodes of the group: `3 nodes run the pod`.
    fn tell(&self, to: &mut Telling) {
        let fate = match to.language() {
            Language::English => english(self),
            Language::Chinese => chinese(self),
        };
        tell!(to, "{} {}", "{}{}", Nodes(self.nodes.count), fate);
    }
}

fn english(group: &NodeGroup) -> String {
    let (count, with_pod) = (group.nodes.count, group.with_pod);
    let (run, get, have) = if count == 1 { ("runs", "gets", "has") } else { ("run", "get", "have") };
    let those = |fate: &str, plural_fate: &str| match (count, with_pod) {
        (1, _) => format!("the one that is there {fate}"),
        _ => format!("those on {with_pod} of them {plural_fate}"),
    };
    match group.verdict {
        Verdict::Run if with_pod == 0 || with_pod == count => format!("{run} the pod"),
        Verdict::Run => format!("{run} the pod; {with_pod} of them already"),
        Verdict::NoRoomToSurge => {
            format!("{run} the pod, and {have} no room for a second one beside it, which maxSurge needs")
        }
        Verdict::NoRoomForSuccessor => format!("{run} the pod, and a new one would not fit in its place"),
        Verdict::NoRoom => format!("should run the pod, but {have} no room for it: it stays Pending"),
        Verdict::KeepRunning | Verdict::Exclude if with_pod == 0 => format!("{get} no pod"),
        Verdict::KeepRunning => format!("{get} no new pod; {} (misscheduled)", those("stays", "stay")),
        Verdict::Exclude => format!("{get} no pod; {}", those("is deleted", "are deleted")),
    }
}

fn chinese(group: &NodeGroup) -> String {
    let (count, with_pod) = (group.nodes.count, group.with_pod);
    let those = |fate: &str| match (count, with_pod) {
        (1, _) => format!("已有的{fate}"),
        _ => format!("其中 {with_pod} 个上已有的{fate}"),
    };
    match group.verdict {
        Verdict::Run if with_pod == 0 || with_pod == count => "运行此 pod".to_owned(),
        Verdict::Run => format!("运行此 pod，其中 {with_pod} 个已在运行"),
        Verdict::NoRoomToSurge => "运行此 pod，但放不下 maxSurge 所需的第二个".to_owned(),
        Verdict::NoRoomForSuccessor => "运行此 pod，但新的 pod 放不进它的位置".to_owned(),
        Verdict::NoRoom => "应运行此 pod，但放不下：pod 将一直 Pending".to_owned(),
        Verdict::KeepRunning | Verdict::Exclude if with_pod == 0 => "不运行此 pod".to_owned(),
        Verdict::KeepRunning => format!("不会得到新的 pod；{}（misscheduled）", those("会留下")),
        Verdict::Exclude => format!("不运行此 pod；{}", those("会被删除")),
    }
}
