//! The page's own words, in both languages, in one place: a missing translation does not compile.
//!
//! What Kubernetes says, and every reason, comes from the core; Kubernetes' own names are never translated.

pub mod inspection;

use std::fmt::Display;

use rollcast_core::both;

use crate::model::Severity;
use crate::state::{DocumentId, Knob, Language};

/// The label by which nodes are grouped at first.
pub const ZONE_LABEL: &str = "topology.kubernetes.io/zone";

macro_rules! words {
    ($($(#[$note:meta])* $name:ident: $english:literal, $chinese:literal;)*) => {
        /// Something the page says.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Word { $($(#[$note])* $name,)* }

        impl Word {
            /// Every word of the page.
            #[cfg(test)]
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Every word on two lines, English and Chinese: references to each would cost as much as ten letters do.
            const LINES: &str = concat!($($english, "\n", $chinese, "\n",)*);

            /// The word in a language.
            pub fn in_language(self, language: Language) -> &'static str {
                Self::LINES.lines().nth(self as usize * 2 + language as usize).unwrap_or_default()
            }
        }
    };
}

words! {
    Change: "Change", "变更";
    Cluster: "Cluster", "集群";
    World: "World", "环境";
    Open: "Open…", "打开…";
    Save: "Save", "保存";
    SaveHelp: "Save all four documents as one scenario file", "把四个文档保存为一个场景文件";
    NoScenario: "This file is no scenario (`kind: Scenario`); nothing was changed.", "此文件不是场景（`kind: Scenario`）；未作任何改动。";
    Unnamed: "Scenario without a name", "未命名的场景";
    Documents: "Documents", "文档";
    Editor: "Editor", "编辑器";
    Map: "Nodes", "节点";
    Inspector: "Inspector", "详情";
    Panes: "Panes", "面板";
    Problems: "Problems", "问题";
    NoProblems: "Nothing wrong here.", "没有问题。";
    Error: "error", "错误";
    Warning: "warning", "警告";
    Note: "note", "提示";
    GroupBy: "Group by", "分组";
    NoGrouping: "nothing", "不分组";
    WithoutLabel: "without this label", "无此标签";
    ColourBy: "Colour by", "着色";
    ColourRevision: "revision", "版本";
    ColourState: "state", "状态";
    FindNode: "Find a node…", "查找节点…";
    Budget: "BUDGET", "预算";
    LegendNewAvailable: "new, available", "新版本，可用";
    LegendNewStarting: "new, starting", "新版本，启动中";
    LegendOld: "old", "旧版本";
    LegendSurging: "old, new one starting", "旧版本，新版本启动中";
    LegendTerminating: "terminating", "终止中";
    LegendMissing: "no pod", "无 Pod";
    LegendPending: "pending", "待调度";
    LegendUnavailable: "unavailable", "不可用";
    LegendNewReady: "new, ready, not yet available", "新版本，就绪但尚不可用";
    LegendMisscheduled: "pod where none belongs", "不应有 Pod 的节点上有 Pod";
    UpToDate: "up to date", "已更新";
    LegendFailed: "failed", "失败";
    LegendNotEligible: "not eligible", "不符合条件";
    LegendAvailable: "available", "可用";
    Legend: "Legend", "图例";
    MapHelp: "Arrow keys move between nodes, Escape lets go, plus and minus zoom.", "方向键在节点间移动，Escape 取消选择，加减号缩放。";
    ZoomIn: "Zoom in", "放大";
    ZoomOut: "Zoom out", "缩小";
    PickNode: "Click a node to see why it has a pod, or why not.", "点击一个节点，查看它为何有或没有 Pod。";
    PickNodeHelp: "Every check the controller and the scheduler make is listed, with the field that decides it.", "这里会列出控制器与调度器的每一项检查，以及起决定作用的字段。";
    Checks: "Checks", "检查";
    Pod: "Pod", "Pod";
    NoPod: "none", "无";
    Next: "Next", "下一步";
    Passed: "passed", "通过";
    Failed: "failed", "未通过";
    NotAsked: "not asked", "未检查";
    Play: "Play", "播放";
    Pause: "Pause", "暂停";
    StepBack: "One decision back", "上一个决策";
    StepForward: "One decision forward", "下一个决策";
    Speed: "Speed", "速度";
    Timeline: "Timeline", "时间线";
    TimelineHelp: "Left and right arrows move by decisions, Home and End to the ends.", "左右方向键按决策移动，Home 与 End 跳到两端。";
    More: "more", "更多";
    PodReady: "pod ready after", "Pod 就绪用时";
    PodReadyP95: "in one case of twenty, after", "二十次中有一次为";
    PodGone: "gone after", "删除用时";
    ImageSize: "image size", "镜像大小";
    Registry: "registry gives", "镜像仓库带宽";
    NeverReady: "never ready", "从不就绪";
    Settings: "Settings to try", "试用设置";
    AsWritten: "as written", "按文档";
    OpenDump: "Open a file…", "打开文件…";
    OpenDumpHelp: "Or paste `kubectl get nodes,pods -A -o json`, of any size.", "或粘贴任意大小的 `kubectl get nodes,pods -A -o json` 输出。";
    Remove: "Remove", "移除";
    Outlook: "How long, how risky", "多久，多大风险";
    FewPlays: "Few plays, because the cluster is large: the tails are rough.", "集群很大，推演次数少：尾部只是粗略估计。";
    Setting: "setting", "设置";
    Fewest: "fewest", "最少";
    Assumptions: "What this rests on", "推演依据";
    Stop: "Stop", "停止";
    Stopped: "stopped", "已停止";
    Why: "Why, and what to do", "原因与对策";
    WhatToDo: "What can be done", "可采取的措施";
    Copy: "Copy", "复制";
    Copied: "Copied", "已复制";
    Summary: "In this play", "这次推演";
    SummaryNote: "one of many", "多次之一";
    Finishes: "finishes after", "完成用时";
    NeverFinishes: "never finishes", "永远不会完成";
    StopsAt: "stops after", "停止于";
    FewestAvailable: "fewest available", "最少可用";
    MostPods: "most pods", "最多 Pod";
    Decisions: "decisions", "决策次数";
    NodesLeft: "nodes without an available new pod", "没有可用新 Pod 的节点";
    NothingHappens: "Nothing changes: the change rolls out no new revision.", "没有变化：此变更不会产生新版本。";
    Loading: "Loading…", "加载中…";
    Reading: "Reading the documents", "正在读取文档";
    Placing: "Placing pods", "正在放置 Pod";
    Playing: "Playing the rollout", "正在推演发布";
    NoDaemonSet: "No DaemonSet to show", "没有可展示的 DaemonSet";
    NoDaemonSetHelp: "Write or paste one on the left; problems are listed below the text.", "请在左侧编写或粘贴 DaemonSet；问题会列在文本下方。";
    Refused: "The API server would refuse this change", "API server 会拒绝此变更";
    RefusedHelp: "The problems are listed below the text on the left.", "问题列在左侧文本下方。";
    RefusedBefore: "The API server would refuse this change. What you see is from before.", "API server 会拒绝此变更。此处显示的是之前的结果。";
    Faulty: "The scenario has errors", "场景有错误";
    FaultyBefore: "The scenario has errors. What you see is from before.", "场景有错误。此处显示的是之前的结果。";
    NoNodes: "The cluster has no nodes", "集群中没有节点";
    NoNodesHelp: "Describe some in the Cluster tab, or paste `kubectl get nodes -o yaml`.", "请在“集群”标签页中描述节点，或粘贴 `kubectl get nodes -o yaml` 的输出。";
    TooBig: "This cluster is too big for the page", "集群过大，页面无法展示";
    TooBigHelp: "The command line reads clusters of any size: rollcast plan -f …", "命令行可以读取任意规模的集群：rollcast plan -f …";
    Fell: "Something went wrong inside and was restarted; nothing you wrote is lost.", "内部出错并已重新启动；您编写的内容没有丢失。";
    FellTwice: "This input made it fall twice. It stays off until you change something.", "此输入导致两次出错。在您作出修改之前不再重试。";
    Dismiss: "Dismiss", "关闭";
    Language: "Language", "语言";
    Theme: "Light or dark", "浅色或深色";
    Help: "Keys", "快捷键";
    HelpPlay: "play or pause", "播放或暂停";
    HelpStep: "one decision back, forward", "上一个、下一个决策";
    HelpEnds: "to the start, to the end", "跳到开头、结尾";
    HelpTabs: "DaemonSet, change, cluster, world", "DaemonSet、变更、集群、环境";
    HelpFiles: "open a scenario, save it", "打开场景、保存场景";
    HelpMap: "to the map; arrows move, Escape lets go", "转到节点图；方向键移动，Escape 取消";
    HelpFind: "find a node", "查找节点";
    HelpZoom: "zoom the map", "缩放节点图";
    HelpLanguage: "English or 中文", "English 或 中文";
    HelpTheme: "light or dark", "浅色或深色";
    HelpHelp: "these keys", "显示快捷键";
    HelpLeave: "out of the editor: Escape, then Tab", "离开编辑器：按 Escape，再按 Tab";
    Close: "Close", "关闭";
    Scenario: "Log agent on 288 nodes", "288 个节点上的日志代理";
    EditorFailed: "The editor could not be loaded.", "编辑器无法加载。";
    Line: "line", "行";
}

/// The title of a document's tab.
pub fn document(id: DocumentId, language: Language) -> &'static str {
    match id {
        DocumentId::DaemonSet => "DaemonSet",
        DocumentId::Change => Word::Change.in_language(language),
        DocumentId::Cluster => Word::Cluster.in_language(language),
        DocumentId::World => Word::World.in_language(language),
    }
}

/// The name of a knob: a field of the object where it is one.
pub fn knob(knob: Knob, language: Language) -> &'static str {
    match knob {
        Knob::MaxUnavailable => "maxUnavailable",
        Knob::MaxSurge => "maxSurge",
        Knob::MinReadySeconds => "minReadySeconds",
        Knob::ReadyAfter => Word::PodReady.in_language(language),
        Knob::ReadyP95 => Word::PodReadyP95.in_language(language),
        Knob::GoneAfter => Word::PodGone.in_language(language),
        Knob::ImageSize => Word::ImageSize.in_language(language),
        Knob::Registry => Word::Registry.in_language(language),
        Knob::NeverReady => Word::NeverReady.in_language(language),
        Knob::Version => "Kubernetes",
    }
}

/// A sentence in English and Chinese, with its parts where `{0}`, `{1}` and so on stand.
fn said(language: Language, sentence: &str, parts: &[&dyn Display]) -> String {
    rollcast_core::message::said(language.into(), sentence, parts)
}

/// How much of the budget is used, after the number that says how much.
pub fn budget_used(limit: u32, language: Language) -> String {
    said(language, both!("of {0} used", "共 {0}，已用"), &[&limit])
}

/// The label of the dashed line in the timeline.
pub fn floor(limit: u32, language: Language) -> String {
    said(language, both!("at least {0} available", "可用下限 {0}"), &[&limit])
}

/// What a screen reader says about the map.
pub fn map_summary(nodes: usize, eligible: u32, up_to_date: u32, available: u32, language: Language) -> String {
    let sentence = both!(
        "{0} nodes, {1} of them eligible; {2} have the new revision, {3} are available",
        "共 {0} 个节点，其中 {1} 个符合条件；{2} 个已更新，{3} 个可用"
    );
    said(language, sentence, &[&nodes, &eligible, &up_to_date, &available])
}

/// How far a group of nodes is: new pods that are available, eligible nodes, others.
pub fn group_progress(new: u32, eligible: u32, others: u32, language: Language) -> String {
    let sentence = match (eligible, others) {
        (0, _) => both!("{2} · not eligible", "{2} · 不符合条件"),
        (_, 0) => both!("{0} / {1}", "{0} / {1}"),
        _ => both!("{0} / {1} · {2} not eligible", "{0} / {1} · {2} 不符合条件"),
    };
    said(language, sentence, &[&new, &eligible, &others])
}

/// What was decided in a moment.
pub fn moment(created: u32, deleted: u32, language: Language) -> String {
    let sentence = match (created, deleted) {
        (0, 0) => both!("nothing decided", "没有决策"),
        (_, 0) => both!("create {0}", "创建 {0}"),
        (0, _) => both!("delete {1}", "删除 {1}"),
        _ => both!("create {0}, delete {1}", "创建 {0}，删除 {1}"),
    };
    said(language, sentence, &[&created, &deleted])
}

/// So many problems of one severity.
pub fn problems(count: usize, severity: Severity, language: Language) -> String {
    let word = severity_word(severity).in_language(language);
    let sentence = if count == 1 { both!("{0} {1}", "{0} 个{1}") } else { both!("{0} {1}s", "{0} 个{1}") };
    said(language, sentence, &[&count, &word])
}

/// The word for a severity.
pub fn severity_word(severity: Severity) -> Word {
    match severity {
        Severity::Error => Word::Error,
        Severity::Warning => Word::Warning,
        Severity::Info => Word::Note,
    }
}

fn size(bytes: u64) -> String {
    let tenths = bytes.div_ceil(100_000);
    format!("{}.{} MB", tenths / 10, tenths % 10)
}

/// A text is too large for its document.
pub fn too_large(bytes: u64, language: Language) -> String {
    let sentence = both!(
        "{0} are too much for this document, which takes 4 MiB; nothing was changed. A dump goes into the Cluster tab.",
        "{0} 超出此文档的上限 4 MiB；未作任何改动。导出内容请放入“集群”标签页。"
    );
    said(language, sentence, &[&size(bytes)])
}

/// A dump stands in for the cluster's text.
pub fn dump_given(bytes: u64, language: Language) -> String {
    let sentence = both!("A dump of {0} stands in for this text.", "已用 {0} 的导出内容代替此文本。");
    said(language, sentence, &[&size(bytes)])
}

/// So many plays of the rollout.
pub fn plays(count: u32, language: Language) -> String {
    let sentence = if count == 1 { both!("{0} play", "{0} 次推演") } else { both!("{0} plays", "{0} 次推演") };
    said(language, sentence, &[&count])
}

/// In how many plays the rollout does not finish.
pub fn unfinished(missed: u32, plays: u32, language: Language) -> String {
    let sentence = both!("does not finish in {0} of {1} plays", "{1} 次推演中有 {0} 次无法完成");
    said(language, sentence, &[&missed, &plays])
}

/// The odds that the rollout finishes, below a hundred percent when any play does not.
pub fn odds(finished: u32, plays: u32) -> String {
    format!("{} %", u64::from(finished) * 100 / u64::from(plays.max(1)))
}

/// Problems beyond those that are listed.
pub fn more_problems(count: usize, language: Language) -> String {
    said(language, both!("and {0} more", "另有 {0} 个"), &[&count])
}

/// A cluster that is too big, in figures.
pub fn too_big(nodes: u64, limit: u64, language: Language) -> String {
    let sentence = both!("{0} nodes; the page plays up to {1}.", "{0} 个节点；页面最多支持 {1} 个。");
    said(language, sentence, &[&nodes, &limit])
}

/// What the text editor itself says, in Chinese; its own words are English.
pub const EDITOR_PHRASES: &str = "\
Find=查找
Replace=替换为
next=下一个
previous=上一个
all=全部
match case=区分大小写
by word=整词
regexp=正则
replace=替换
replace all=全部替换
close=关闭
current match=当前匹配
on line=所在行
replaced match on line $=已替换第 $ 行的匹配
replaced $ matches=已替换 $ 处匹配
Go to line=跳转到行
go=跳转
Diagnostics=问题
No diagnostics=没有问题
Folded lines=已折叠的行
Unfolded lines=已展开的行
to=至
folded code=已折叠的代码
unfold=展开
Fold line=折叠此行
Unfold line=展开此行
Control character=控制字符
Selection deleted=已删除所选内容
";

#[cfg(test)]
mod tests {
    use super::*;

    fn is_chinese(text: &str) -> bool {
        text.chars().any(|character| ('\u{4e00}'..='\u{9fff}').contains(&character))
    }

    #[test]
    fn every_word_is_translated() {
        for word in Word::ALL {
            let (english, chinese) = (word.in_language(Language::English), word.in_language(Language::Chinese));
            assert!(!english.is_empty());
            // Kubernetes' own word.
            if *word != Word::Pod {
                assert!(is_chinese(chinese), "{word:?}: {chinese}");
                assert_ne!(english, chinese);
            }
        }
    }

    #[test]
    fn sentences_with_figures_are_translated_and_keep_the_figures() {
        for (english, chinese) in [Language::English, Language::Chinese]
            .map(|language| {
                [
                    budget_used(29, language),
                    floor(29, language),
                    map_summary(29, 29, 29, 29, language),
                    moment(29, 0, language),
                    moment(0, 29, language),
                    moment(29, 29, language),
                    more_problems(29, language),
                    problems(29, Severity::Error, language),
                    plays(29, language),
                    dump_given(29_000_000, language),
                    too_large(29_000_000, language),
                    unfinished(29, 29, language),
                    too_big(29, 29, language),
                ]
            })
            .into_iter()
            .reduce(|english, chinese| {
                std::array::from_fn(|index| format!("{}\u{1f}{}", english[index], chinese[index]))
            })
            .unwrap()
            .map(|pair| pair.split_once('\u{1f}').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap())
        {
            assert!(english.contains("29") && chinese.contains("29"));
            assert!(is_chinese(&chinese) && !is_chinese(&english), "{chinese}");
        }
    }

    #[test]
    fn the_editor_speaks_chinese_throughout() {
        for phrase in EDITOR_PHRASES.lines() {
            let (english, chinese) = phrase.split_once('=').unwrap();
            assert!(is_chinese(chinese) && !is_chinese(english));
        }
    }
}
