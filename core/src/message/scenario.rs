use super::{Language, Words};
use crate::scenario::{NodePool, PoolProblem};

impl Words for PoolProblem {
    fn words(&self, language: Language) -> String {
        match language {
            Language::English => english(self),
            Language::Chinese => chinese(self),
        }
    }
}

fn english(problem: &PoolProblem) -> String {
    match problem {
        PoolProblem::UnknownWord(word) => format!("`{word}` is neither key=value nor one of cordoned, notready"),
        PoolProblem::UnknownKey(key) => {
            format!(
                "unknown key `{key}`; known are name, count, cpu, memory, pods, label, taint and extended resources"
            )
        }
        PoolProblem::Count(count) => format!("count `{count}` is not a number from 1 to {}", NodePool::LARGEST),
        PoolProblem::Quantity { resource, value } => {
            format!("`{value}` is no amount of {resource}; amounts look like 500m, 4 or 8Gi")
        }
        PoolProblem::Label(label) => format!("label `{label}` is not KEY=VALUE"),
        PoolProblem::Taint(taint) => {
            format!("taint `{taint}` is not KEY[=VALUE]:EFFECT with NoSchedule, PreferNoSchedule or NoExecute")
        }
        PoolProblem::Name(name) => {
            format!("`{name}` cannot be part of a node's name: lower-case letters, digits, - and .")
        }
    }
}

fn chinese(problem: &PoolProblem) -> String {
    match problem {
        PoolProblem::UnknownWord(word) => format!("`{word}` 既不是 键=值，也不是 cordoned 或 notready"),
        PoolProblem::UnknownKey(key) => {
            format!("未知的键 `{key}`；可用的有 name、count、cpu、memory、pods、label、taint 以及扩展资源")
        }
        PoolProblem::Count(count) => format!("count `{count}` 不是 1 到 {} 之间的数", NodePool::LARGEST),
        PoolProblem::Quantity { resource, value } => {
            format!("`{value}` 不是 {resource} 的数量；数量的写法如 500m、4、8Gi")
        }
        PoolProblem::Label(label) => format!("标签 `{label}` 不是 键=值 的形式"),
        PoolProblem::Taint(taint) => {
            format!("污点 `{taint}` 不是 键[=值]:效果 的形式，效果为 NoSchedule、PreferNoSchedule 或 NoExecute")
        }
        PoolProblem::Name(name) => format!("`{name}` 不能作节点名：只能用小写字母、数字、- 和 ."),
    }
}
