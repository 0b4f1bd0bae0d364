use super::Words;
use super::problem_text::value_kind;
use super::telling::{Both, Telling, tell};
use crate::manifest::ObjectProblem;

impl Words for ObjectProblem {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::NotAnObject { found } => tell!(
                to,
                "{0} where an object of Kubernetes belongs",
                "此处应为 Kubernetes 对象，却是{0}",
                Both(value_kind(*found))
            ),
            Self::MissingType { api_version: true, kind: true } => tell!(
                to,
                "`apiVersion` and `kind` are missing: this is no object of Kubernetes",
                "缺少 `apiVersion` 和 `kind`：这不是 Kubernetes 对象"
            ),
            Self::MissingType { api_version: true, kind: false } => {
                tell!(to, "`apiVersion` is missing", "缺少 `apiVersion`");
            }
            Self::MissingType { .. } => tell!(to, "`kind` is missing", "缺少 `kind`"),
            Self::WrongVersion { kind, written, removed_in: Some(release) } => tell!(
                to,
                "Kubernetes {0} removed `{1}`; {2} is in `{3}` now",
                "Kubernetes {0} 已移除 `{1}`；{2} 现在位于 `{3}`",
                release,
                written,
                kind.name(),
                kind.api_version()
            ),
            Self::WrongVersion { kind, written, removed_in: None } => tell!(
                to,
                "there is no {0} in `{1}`; it is in `{2}`",
                "`{1}` 中没有 {0}；它位于 `{2}`",
                kind.name(),
                written,
                kind.api_version()
            ),
            Self::MisspeltKind { written, meant } => tell!(
                to,
                "there is no kind `{0}`; did you mean `{1}`?",
                "没有 `{0}` 这种 kind；是否想写 `{1}`？",
                written,
                meant.name()
            ),
            Self::ForeignDaemonSet { api_version } => tell!(
                to,
                "the DaemonSet of `{0}` is another project's, run by its own controller; it is skipped",
                "`{0}` 的 DaemonSet 属于其他项目，由其自己的控制器运行；已跳过",
                api_version
            ),
            Self::ItemsNotAList { found } => {
                tell!(to, "{0} where the list `items` belongs", "`items` 应为列表，却是{0}", Both(value_kind(*found)));
            }
            Self::Unfit => {
                tell!(to, "this value is not of the type that the field takes", "此值与字段的类型不符");
            }
            Self::BrokenItem => {
                tell!(to, "this item cannot be read; nothing behind it was read", "此项无法读取；其后的内容均未读取");
            }
            Self::ItemTooLarge { limit } => {
                tell!(to, "this item has more than {0} bytes and was not read", "此项超过 {0} 字节，未读取", limit);
            }
            Self::CutOff => tell!(to, "the text ends in the middle; was it cut off?", "文本在中途结束；是否被截断？"),
        }
    }
}
