use super::Words;
use super::telling::{Telling, tell};
use crate::scenario::{NodePool, PoolProblem};

impl Words for PoolProblem {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::UnknownWord(word) => tell!(
                to,
                "`{0}` is neither key=value nor one of cordoned, notready",
                "`{0}` 既不是 键=值，也不是 cordoned 或 notready",
                word
            ),
            Self::UnknownKey(key) => tell!(
                to,
                "unknown key `{0}`; known are name, count, cpu, memory, pods, label, taint and extended resources",
                "未知的键 `{0}`；可用的有 name、count、cpu、memory、pods、label、taint 以及扩展资源",
                key
            ),
            Self::Count(count) => tell!(
                to,
                "count `{0}` is not a number from 1 to {1}",
                "count `{0}` 不是 1 到 {1} 之间的数",
                count,
                NodePool::LARGEST
            ),
            Self::Quantity { resource, value } => tell!(
                to,
                "`{1}` is no amount of {0}; amounts look like 500m, 4 or 8Gi",
                "`{1}` 不是 {0} 的数量；数量的写法如 500m、4、8Gi",
                resource,
                value
            ),
            Self::Label(label) => tell!(to, "label `{0}` is not KEY=VALUE", "标签 `{0}` 不是 键=值 的形式", label),
            Self::Taint(taint) => tell!(
                to,
                "taint `{0}` is not KEY[=VALUE]:EFFECT with NoSchedule, PreferNoSchedule or NoExecute",
                "污点 `{0}` 不是 键[=值]:效果 的形式，效果为 NoSchedule、PreferNoSchedule 或 NoExecute",
                taint
            ),
            Self::Name(name) => tell!(
                to,
                "`{0}` cannot be part of a node's name: lower-case letters, digits, - and .",
                "`{0}` 不能作节点名：只能用小写字母、数字、- 和 .",
                name
            ),
        }
    }
}
