//! Why a command could not answer, in words, and the exit code that says so to a script.

use std::io;
use std::path::PathBuf;

use rollcast_core::message::{Language, Telling, Words};
use rollcast_core::report::KindCount;
use rollcast_core::scenario::SCENARIO_KIND;
use rollcast_core::trace::TraceFault;

/// The answer holds something that needs attention.
pub const FINDINGS: u8 = 1;
/// The command line, or the choice of input, does not make sense.
pub const WRONG_USE: u8 = 2;
/// Something could not be read, opened or written.
pub const UNREADABLE: u8 = 3;
/// A fault in Rollcast itself (`EX_SOFTWARE` of sysexits).
pub const INTERNAL: u8 = 70;

/// The table of exit codes for `--help`.
pub const EXIT_CODES: &str = "\
Exit codes:
  0    answered, and nothing needs attention
  1    findings: errors in a manifest, a pod that would not fit, a rollout that
       would not finish or is stuck
  2    wrong use: an unknown flag, no DaemonSet in the input, several and none
       chosen
  3    something could not be read or written
  70   a fault in rollcast itself
  130  stopped by Ctrl-C; what was known by then is printed";

/// Why a command could not answer.
#[derive(Debug)]
pub enum Failure {
    /// A file, directory or standard input could not be read.
    Read { name: String, error: io::Error },
    /// A directory holds no file that looks like a manifest.
    NoManifests { directory: PathBuf, subdirectories: bool },
    /// No file, directory or `-` was named.
    NothingToRead,
    /// `-` was named more than once.
    StandardInputTwice,
    /// A text is neither YAML nor JSON; its problems have been printed.
    NotRead { name: String },
    /// There is no DaemonSet in what was given.
    NoDaemonSet { found: Vec<KindCount> },
    /// Several DaemonSets, and none was chosen.
    SeveralDaemonSets { names: Vec<String> },
    /// No DaemonSet of that name.
    UnknownDaemonSet { wanted: String, names: Vec<String> },
    /// At the end of a play the DaemonSet is gone.
    DaemonSetGone { daemon_set: String },
    /// No node of that name.
    UnknownNode { wanted: String, similar: Option<String>, count: usize },
    /// A label selector that no node has.
    NothingSelected { text: String, count: usize },
    /// What runs now selects other pods than it makes: every sync would make more.
    SelectorMismatch { daemon_set: String },
    /// Two pools of nodes with one name.
    PoolTwice { name: String },
    /// A label selector that cannot be read.
    Selector { text: String, error: String },
    /// A description of a node pool that cannot be read.
    Pool { text: String, error: String },
    /// A moment that cannot be read.
    Moment { text: String },
    /// There are no nodes, and without them there is no answer.
    NoNodes,
    /// The change cannot be made to what is there.
    Change { reason: String },
    /// A condition of `--fail-if` that cannot be read.
    Condition { text: String, at: u32, error: String },
    /// A deadline that cannot be met or read; whether it may be a moment.
    Deadline { text: String, error: String, or_moment: bool },
    /// The threads to play on could not be started.
    Threads { error: String },
    /// The page is not part of this binary, and no directory was named.
    #[cfg_attr(feature = "page", expect(dead_code, reason = "this binary has the page"))]
    NoPage,
    /// A directory without the page in it.
    NoPageIn { directory: PathBuf },
    /// The address could not be listened on.
    Listen { address: String, error: io::Error },
    /// A cluster from standard input that is too large for one scenario file.
    TooLargeToHold,
    /// The changed manifest holds no DaemonSet.
    NoChange { name: String, found: Vec<KindCount> },
    /// A directory where one file belongs.
    NotOneFile { directory: PathBuf },
    /// A scenario says itself what is changed.
    ScenarioAndChange { name: String },
    /// A trace where something else belongs; what is wrong with it besides.
    Trace { name: String, fault: Option<TraceFault> },
    /// A trace that cannot be used.
    UnusableTrace { name: String, fault: TraceFault },
    /// A file could not be written.
    WriteFile { name: String, error: io::Error },
    /// The output could not be written.
    Write(io::Error),
    /// Whoever read the output has gone; nothing is wrong.
    ClosedPipe,
}

impl Failure {
    /// The code that the process ends with.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NothingToRead
            | Self::StandardInputTwice
            | Self::NoDaemonSet { .. }
            | Self::SeveralDaemonSets { .. }
            | Self::UnknownDaemonSet { .. }
            | Self::UnknownNode { .. }
            | Self::NothingSelected { .. }
            | Self::Selector { .. }
            | Self::Pool { .. }
            | Self::PoolTwice { .. }
            | Self::Moment { .. }
            | Self::NoNodes
            | Self::Condition { .. }
            | Self::Deadline { .. }
            | Self::TooLargeToHold
            | Self::NoChange { .. }
            | Self::NotOneFile { .. }
            | Self::ScenarioAndChange { .. }
            | Self::Trace { .. }
            | Self::NoPage => WRONG_USE,
            Self::Change { .. } | Self::DaemonSetGone { .. } | Self::SelectorMismatch { .. } => FINDINGS,
            Self::Read { .. }
            | Self::NoManifests { .. }
            | Self::NotRead { .. }
            | Self::UnusableTrace { .. }
            | Self::NoPageIn { .. }
            | Self::Listen { .. }
            | Self::Threads { .. }
            | Self::WriteFile { .. }
            | Self::Write(_) => UNREADABLE,
            Self::ClosedPipe => 0,
        }
    }

    /// What the person can do about it, where there is something to say.
    pub fn help(&self, language: Language) -> Option<String> {
        let chinese = language == Language::Chinese;
        let text = match self {
            Self::Read { error, .. } | Self::WriteFile { error, .. }
                if error.kind() == io::ErrorKind::PermissionDenied =>
            {
                if chinese {
                    "请检查文件权限"
                } else {
                    "check the permissions of the file"
                }
            }
            Self::NoManifests { subdirectories: true, .. } => {
                if chinese {
                    "加上 -R 可读取子目录"
                } else {
                    "add -R to read the directories below it as well"
                }
            }
            Self::NoManifests { subdirectories: false, .. } => {
                if chinese {
                    "读取的扩展名为 .yaml、.yml 和 .json"
                } else {
                    "files ending in .yaml, .yml or .json are read"
                }
            }
            Self::NothingToRead => {
                if chinese {
                    "给出文件或目录，或用 - 表示标准输入"
                } else {
                    "name a file or directory, or - for standard input"
                }
            }
            Self::StandardInputTwice => {
                if chinese {
                    "只在一个 -f 中使用 -"
                } else {
                    "give `-` to one flag only"
                }
            }
            Self::NoDaemonSet { found } if found.iter().any(|it| it.kind == SCENARIO_KIND) => {
                if chinese {
                    "场景须单独给出：只用一个 -f 指出该文件，不用标准输入，也不加 --to；可用于 simulate、forecast、compare、advise 和 diagnose"
                } else {
                    "a scenario is given by itself: one -f that names the file, not standard input, and no --to; simulate, \
                     forecast, compare, advise and diagnose take one"
                }
            }
            Self::NoChange { .. } => {
                if chinese {
                    "--to 应为修改后的 DaemonSet 清单"
                } else {
                    "--to is the DaemonSet's manifest as you would apply it"
                }
            }
            Self::NotOneFile { .. } => {
                if chinese {
                    "给出其中的场景文件"
                } else {
                    "name the scenario's file in it"
                }
            }
            Self::ScenarioAndChange { .. } => {
                if chinese {
                    "把清单写入场景的 `change`，或以 --to 搭配清单与转储"
                } else {
                    "write the manifest under `change` in the scenario, or use --to with manifests and dumps"
                }
            }
            Self::Trace { .. } => {
                if chinese {
                    "给出推演所用的场景；rollcast simulate -f 场景 --expect 轨迹 会比较二者"
                } else {
                    "give the scenario that was played; rollcast simulate -f SCENARIO --expect TRACE compares the two"
                }
            }
            Self::UnusableTrace { .. } => {
                if chinese {
                    "重新写出：rollcast simulate -f 场景 --trace 轨迹"
                } else {
                    "write it anew: rollcast simulate -f SCENARIO --trace TRACE"
                }
            }
            Self::NoDaemonSet { .. } => {
                if chinese {
                    "用 -f 给出 DaemonSet 的清单，或：kubectl get nodes,ds,pods,controllerrevisions -A -o json | rollcast explain -f -"
                } else {
                    "give its manifest with -f, or: kubectl get nodes,ds,pods,controllerrevisions -A -o json | rollcast explain -f -"
                }
            }
            Self::SeveralDaemonSets { .. } | Self::UnknownDaemonSet { .. } => {
                if chinese {
                    "用 --daemonset 命名空间/名称 选择一个"
                } else {
                    "choose one with --daemonset NAMESPACE/NAME"
                }
            }
            Self::UnknownNode { similar: Some(similar), .. } => {
                return Some(if chinese {
                    format!("是否指 `{similar}`？")
                } else {
                    format!("did you mean `{similar}`?")
                });
            }
            Self::Selector { .. } => {
                if chinese {
                    "写法与 kubectl -l 相同，例如 zone=a,gpu!=yes,tier in (x,y)"
                } else {
                    "it is written as for kubectl -l: zone=a,gpu!=yes,tier in (x,y)"
                }
            }
            Self::SelectorMismatch { .. } => {
                if chinese {
                    "rollcast check 会指出所在的行"
                } else {
                    "rollcast check shows the line"
                }
            }
            Self::PoolTwice { .. } => {
                if chinese {
                    "为每个节点池取不同的名称：name=…"
                } else {
                    "give every pool a name of its own: name=…"
                }
            }
            Self::Pool { .. } => {
                if chinese {
                    "例如 --pool name=workers,count=3,cpu=4,memory=8Gi,label=zone=a,taint=dedicated=gpu:NoSchedule"
                } else {
                    "for example --pool name=workers,count=3,cpu=4,memory=8Gi,label=zone=a,taint=dedicated=gpu:NoSchedule"
                }
            }
            Self::Moment { .. } => {
                if chinese {
                    "写法如 2026-01-31T03:15:00Z"
                } else {
                    "it is written as 2026-01-31T03:15:00Z"
                }
            }
            Self::NoNodes => {
                if chinese {
                    "加上 kubectl get nodes -o yaml 的输出，或用 rollcast nodes 造一个集群"
                } else {
                    "add what `kubectl get nodes -o yaml` prints, or make a cluster with `rollcast nodes`"
                }
            }
            Self::TooLargeToHold => {
                if chinese {
                    "请把集群存成文件，再用 -f 给出该文件"
                } else {
                    "save the cluster in a file, and name the file with -f"
                }
            }
            Self::NoPage => {
                if chinese {
                    "用 --dir 指出页面的构建目录（web/dist），或以 --features page 编译"
                } else {
                    "name the built page with --dir (web/dist), or build with --features page"
                }
            }
            Self::NoPageIn { .. } => {
                if chinese {
                    "先构建页面：make page"
                } else {
                    "build the page first: make page"
                }
            }
            Self::Listen { error, .. } if error.kind() == io::ErrorKind::AddrInUse => {
                if chinese {
                    "--port 0 会选择一个空闲端口"
                } else {
                    "--port 0 takes a free port"
                }
            }
            Self::Condition { text, at, .. } => {
                let at = usize::try_from(*at).unwrap_or(usize::MAX).min(text.len());
                return Some(format!("{text}\n      {}^", " ".repeat(at)));
            }
            Self::Deadline { or_moment: false, .. } => {
                if chinese {
                    "例如 5m 或 1h30m"
                } else {
                    "for example 5m or 1h30m"
                }
            }
            Self::Deadline { or_moment: true, .. } => {
                if chinese {
                    "例如 10m、1h30m，或 2030-01-31T18:00:00Z 这样的时刻"
                } else {
                    "for example 10m, 1h30m, or a moment such as 2030-01-31T18:00:00Z"
                }
            }
            Self::Read { .. }
            | Self::NotRead { .. }
            | Self::Threads { .. }
            | Self::Change { .. }
            | Self::DaemonSetGone { .. }
            | Self::UnknownNode { similar: None, .. }
            | Self::NothingSelected { .. }
            | Self::Listen { .. }
            | Self::WriteFile { .. }
            | Self::Write(_)
            | Self::ClosedPipe => return None,
        };
        Some(text.to_owned())
    }
}

impl Words for Failure {
    fn tell(&self, to: &mut Telling) {
        to.text(&match to.language() {
            Language::English => self.english(),
            Language::Chinese => self.chinese(),
        });
    }
}

impl Failure {
    fn english(&self) -> String {
        match self {
            Self::Read { name, error } => format!("cannot read {name}: {}", io_error_words(error, Language::English)),
            Self::NoManifests { directory, .. } => format!("no manifests in directory `{}`", directory.display()),
            Self::NothingToRead => "there is nothing to read".to_owned(),
            Self::StandardInputTwice => "standard input can be read only once".to_owned(),
            Self::NotRead { name } => format!("{name} could not be understood; its problems are above"),
            Self::NoDaemonSet { found } if found.is_empty() => "the input is empty: no DaemonSet in it".to_owned(),
            Self::NoDaemonSet { found } => format!("no DaemonSet in the input, only {}", counted(found, ", ")),
            Self::NoChange { name, found } if found.is_empty() => format!("no DaemonSet in `{name}`"),
            Self::NoChange { name, found } => format!("no DaemonSet in `{name}`, only {}", counted(found, ", ")),
            Self::NotOneFile { directory } => {
                format!("`{}` is a directory, and a scenario is one file", directory.display())
            }
            Self::ScenarioAndChange { name } => {
                format!("`{name}` is a scenario, which says itself what is changed: --to cannot stand beside it")
            }
            Self::Trace { name, fault: None } => format!("`{name}` is the trace of a play, no input"),
            Self::Trace { name, fault: Some(fault) } => {
                format!(
                    "`{name}` is the trace of a play, no input, and damaged besides: {}",
                    fault.words(Language::English)
                )
            }
            Self::UnusableTrace { name, fault } => {
                format!("cannot use the trace `{name}`, {}", fault.words(Language::English))
            }
            Self::SeveralDaemonSets { names } => {
                format!("the input holds {} DaemonSets: {}", names.len(), first_names(names, ", ", "and", "more"))
            }
            Self::DaemonSetGone { daemon_set } => {
                format!("DaemonSet `{daemon_set}` is gone at the end of the play: there is nothing to diagnose")
            }
            Self::UnknownDaemonSet { wanted, names } => {
                format!("no DaemonSet `{wanted}` in the input; there is {}", first_names(names, ", ", "and", "more"))
            }
            Self::UnknownNode { wanted, count, .. } => {
                format!("no node `{wanted}` among the {count} in the input")
            }
            Self::NothingSelected { text, count } => {
                format!("none of the {count} nodes in the input has the labels `{text}`")
            }
            Self::SelectorMismatch { daemon_set } => format!(
                "the selector of DaemonSet `{daemon_set}` does not match its template's labels: pods would be made without end"
            ),
            Self::Selector { text, error } => format!("cannot read the selector `{text}`: {error}"),
            Self::Pool { text, error } => format!("cannot read the pool `{text}`: {error}"),
            Self::PoolTwice { name } => format!("two pools are named `{name}`, and so would their nodes be"),
            Self::Moment { text } => format!("cannot read the time `{text}`"),
            Self::NoNodes => "there are no nodes in the input".to_owned(),
            Self::Change { reason } => format!("the API server would refuse this change: {reason}"),
            Self::Condition { text, error, .. } => format!("cannot read the condition `{text}`, {error}"),
            Self::Deadline { text, error, .. } => format!("cannot use the deadline `{text}`: {error}"),
            Self::Threads { error } => format!("cannot start threads: {error}"),
            Self::NoPage => "this binary was built without the page".to_owned(),
            Self::NoPageIn { directory } => format!("there is no index.html in `{}`", directory.display()),
            Self::Listen { address, error } => {
                format!("cannot listen on {address}: {}", io_error_words(error, Language::English))
            }
            Self::TooLargeToHold => "the cluster is too large to be held in one scenario file".to_owned(),
            Self::WriteFile { name, error } => {
                format!("cannot write {name}: {}", io_error_words(error, Language::English))
            }
            Self::Write(error) => format!("cannot write the output: {}", io_error_words(error, Language::English)),
            Self::ClosedPipe => "the reader of the output has gone".to_owned(),
        }
    }

    fn chinese(&self) -> String {
        match self {
            Self::Read { name, error } => format!("无法读取 {name}：{}", io_error_words(error, Language::Chinese)),
            Self::NoManifests { directory, .. } => format!("目录 `{}` 中没有清单文件", directory.display()),
            Self::NothingToRead => "没有可读取的内容".to_owned(),
            Self::StandardInputTwice => "标准输入只能读取一次".to_owned(),
            Self::NotRead { name } => format!("无法理解 {name}，问题见上"),
            Self::NoDaemonSet { found } if found.is_empty() => "输入为空，其中没有 DaemonSet".to_owned(),
            Self::NoDaemonSet { found } => format!("输入中没有 DaemonSet，只有 {}", counted(found, "、")),
            Self::NoChange { name, found } if found.is_empty() => format!("`{name}` 中没有 DaemonSet"),
            Self::NoChange { name, found } => format!("`{name}` 中没有 DaemonSet，只有 {}", counted(found, "、")),
            Self::NotOneFile { directory } => format!("`{}` 是目录，而场景是一个文件", directory.display()),
            Self::ScenarioAndChange { name } => format!("`{name}` 是场景，其中已写明变更，不能再用 --to"),
            Self::Trace { name, fault: None } => format!("`{name}` 是推演的轨迹，不是输入"),
            Self::Trace { name, fault: Some(fault) } => {
                format!("`{name}` 是推演的轨迹，不是输入，而且已损坏：{}", fault.words(Language::Chinese))
            }
            Self::UnusableTrace { name, fault } => {
                format!("无法使用轨迹 `{name}`，{}", fault.words(Language::Chinese))
            }
            Self::SeveralDaemonSets { names } => {
                format!("输入中有 {} 个 DaemonSet：{}", names.len(), first_names(names, "、", "等，另有", "个"))
            }
            Self::DaemonSetGone { daemon_set } => format!("推演结束时 DaemonSet `{daemon_set}` 已不存在，无可诊断"),
            Self::UnknownDaemonSet { wanted, names } => {
                format!("输入中没有 DaemonSet `{wanted}`；现有 {}", first_names(names, "、", "等，另有", "个"))
            }
            Self::UnknownNode { wanted, count, .. } => format!("输入的 {count} 个节点中没有 `{wanted}`"),
            Self::NothingSelected { text, count } => format!("输入的 {count} 个节点都没有标签 `{text}`"),
            Self::SelectorMismatch { daemon_set } => {
                format!("DaemonSet `{daemon_set}` 的 selector 与其模板的标签不匹配：会无休止地创建 pod")
            }
            Self::Selector { text, error } => format!("无法理解选择器 `{text}`：{error}"),
            Self::Pool { text, error } => format!("无法理解节点池 `{text}`：{error}"),
            Self::PoolTwice { name } => format!("有两个节点池都名为 `{name}`，其节点会重名"),
            Self::Moment { text } => format!("无法理解时间 `{text}`"),
            Self::NoNodes => "输入中没有节点".to_owned(),
            Self::Change { reason } => format!("API server 会拒绝此变更：{reason}"),
            Self::Condition { text, error, .. } => format!("无法理解条件 `{text}`，{error}"),
            Self::Deadline { text, error, .. } => format!("无法使用期限 `{text}`：{error}"),
            Self::Threads { error } => format!("无法启动线程：{error}"),
            Self::NoPage => "此程序编译时未包含页面".to_owned(),
            Self::NoPageIn { directory } => format!("`{}` 中没有 index.html", directory.display()),
            Self::Listen { address, error } => {
                format!("无法监听 {address}：{}", io_error_words(error, Language::Chinese))
            }
            Self::TooLargeToHold => "集群过大，无法放入一个场景文件".to_owned(),
            Self::WriteFile { name, error } => {
                format!("无法写入 {name}：{}", io_error_words(error, Language::Chinese))
            }
            Self::Write(error) => format!("无法写出结果：{}", io_error_words(error, Language::Chinese)),
            Self::ClosedPipe => "输出的读取方已关闭".to_owned(),
        }
    }
}

impl From<io::Error> for Failure {
    /// Of a failed write: whether the reader has gone or something is wrong.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::ClosedPipe } else { Self::Write(error) }
    }
}

/// The operating system's words without Rust's `(os error 2)`.
fn io_error_words(error: &io::Error, language: Language) -> String {
    let known = match (error.kind(), language) {
        (io::ErrorKind::NotFound, Language::English) => "no such file or directory",
        (io::ErrorKind::NotFound, Language::Chinese) => "文件或目录不存在",
        (io::ErrorKind::PermissionDenied, Language::English) => "permission denied",
        (io::ErrorKind::PermissionDenied, Language::Chinese) => "没有权限",
        (io::ErrorKind::AddrInUse, Language::English) => "the port is taken",
        (io::ErrorKind::AddrInUse, Language::Chinese) => "端口已被占用",
        _ => {
            let text = error.to_string();
            return text.split(" (os error").next().unwrap_or(&text).to_owned();
        }
    };
    known.to_owned()
}

fn counted(kinds: &[KindCount], separator: &str) -> String {
    kinds.iter().map(|KindCount { kind, count }| format!("{count} {kind}")).collect::<Vec<_>>().join(separator)
}

fn first_names(names: &[String], separator: &str, and: &str, more: &str) -> String {
    const SHOWN: usize = 10;
    let shown = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(separator);
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        rest => format!("{shown} {and} {rest} {more}"),
    }
}
