use super::telling::{Telling, tell};
use super::{Language, Words};
use crate::trace::{TRACE_VERSION, TraceFault, TraceProblem};

impl Words for TraceFault {
    fn tell(&self, to: &mut Telling) {
        let Self { line, problem } = self;
        tell!(to, "line {}: {}", "第 {} 行：{}", line, problem);
    }
}

impl Words for TraceProblem {
    fn tell(&self, to: &mut Telling) {
        to.text(&match to.language() {
            Language::English => english(self),
            Language::Chinese => chinese(self),
        });
    }
}

fn english(problem: &TraceProblem) -> String {
    match problem {
        TraceProblem::NotATrace => "this is no trace: its first line is not a header with `kind: Trace`".to_owned(),
        TraceProblem::OtherVersion { written } => {
            format!("traces of version `{written}` are not read here, those of `{TRACE_VERSION}` are")
        }
        TraceProblem::NotUtf8 => "this is not UTF-8".to_owned(),
        TraceProblem::BadLine { detail } => format!("this is no line of a trace: {detail}"),
        TraceProblem::BackInTime => "this moment lies before the one above it".to_owned(),
        TraceProblem::BehindTheEnd => "the trace has ended above this line".to_owned(),
        TraceProblem::CutShort => "the trace is cut short: it has no end".to_owned(),
        TraceProblem::MomentsMissing { written, found } => {
            format!("the trace should have {written} moments and has {found}")
        }
        TraceProblem::HashDiffers => "the lines above are not those that were written: their hash differs".to_owned(),
    }
}

fn chinese(problem: &TraceProblem) -> String {
    match problem {
        TraceProblem::NotATrace => "这不是轨迹文件：首行不是带有 `kind: Trace` 的文件头".to_owned(),
        TraceProblem::OtherVersion { written } => {
            format!("此处不读取 `{written}` 版本的轨迹，只读取 `{TRACE_VERSION}`")
        }
        TraceProblem::NotUtf8 => "此处不是 UTF-8".to_owned(),
        TraceProblem::BadLine { detail } => format!("这不是轨迹中的一行：{detail}"),
        TraceProblem::BackInTime => "此刻早于上一行的时刻".to_owned(),
        TraceProblem::BehindTheEnd => "轨迹在此行之前已经结束".to_owned(),
        TraceProblem::CutShort => "轨迹被截断：没有结尾".to_owned(),
        TraceProblem::MomentsMissing { written, found } => format!("轨迹应有 {written} 个时刻，实有 {found} 个"),
        TraceProblem::HashDiffers => "以上各行不是当初写下的内容：散列值不符".to_owned(),
    }
}
