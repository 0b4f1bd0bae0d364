use super::problem_text::{kind_in_chinese, kind_in_english};
use super::{Language, Words};
use crate::manifest::ObjectProblem;

impl Words for ObjectProblem {
    fn words(&self, language: Language) -> String {
        match language {
            Language::English => english(self),
            Language::Chinese => chinese(self),
        }
    }
}

fn english(problem: &ObjectProblem) -> String {
    match problem {
        ObjectProblem::NotAnObject { found } => {
            format!("{} where an object of Kubernetes belongs", kind_in_english(*found))
        }
        ObjectProblem::MissingType { api_version: true, kind: true } => {
            "`apiVersion` and `kind` are missing: this is no object of Kubernetes".to_owned()
        }
        ObjectProblem::MissingType { api_version: true, kind: false } => "`apiVersion` is missing".to_owned(),
        ObjectProblem::MissingType { .. } => "`kind` is missing".to_owned(),
        ObjectProblem::WrongVersion { kind, written, removed_in: Some(release) } => {
            format!("Kubernetes {release} removed `{written}`; {} is in `{}` now", kind.name(), kind.api_version())
        }
        ObjectProblem::WrongVersion { kind, written, removed_in: None } => {
            format!("there is no {} in `{written}`; it is in `{}`", kind.name(), kind.api_version())
        }
        ObjectProblem::MisspeltKind { written, meant } => {
            format!("there is no kind `{written}`; did you mean `{}`?", meant.name())
        }
        ObjectProblem::ForeignDaemonSet { api_version } => {
            format!("the DaemonSet of `{api_version}` is another project's, run by its own controller; it is skipped")
        }
        ObjectProblem::ItemsNotAList { found } => format!("{} where the list `items` belongs", kind_in_english(*found)),
        ObjectProblem::Unfit => "this value is not of the type that the field takes".to_owned(),
        ObjectProblem::BrokenItem => "this item cannot be read; nothing behind it was read".to_owned(),
        ObjectProblem::ItemTooLarge { limit } => format!("this item has more than {limit} bytes and was not read"),
        ObjectProblem::CutOff => "the text ends in the middle; was it cut off?".to_owned(),
    }
}

fn chinese(problem: &ObjectProblem) -> String {
    match problem {
        ObjectProblem::NotAnObject { found } => format!("此处应为 Kubernetes 对象，却是{}", kind_in_chinese(*found)),
        ObjectProblem::MissingType { api_version: true, kind: true } => {
            "缺少 `apiVersion` 和 `kind`：这不是 Kubernetes 对象".to_owned()
        }
        ObjectProblem::MissingType { api_version: true, kind: false } => "缺少 `apiVersion`".to_owned(),
        ObjectProblem::MissingType { .. } => "缺少 `kind`".to_owned(),
        ObjectProblem::WrongVersion { kind, written, removed_in: Some(release) } => {
            format!("Kubernetes {release} 已移除 `{written}`；{} 现在位于 `{}`", kind.name(), kind.api_version())
        }
        ObjectProblem::WrongVersion { kind, written, removed_in: None } => {
            format!("`{written}` 中没有 {}；它位于 `{}`", kind.name(), kind.api_version())
        }
        ObjectProblem::MisspeltKind { written, meant } => {
            format!("没有 `{written}` 这种 kind；是否想写 `{}`？", meant.name())
        }
        ObjectProblem::ForeignDaemonSet { api_version } => {
            format!("`{api_version}` 的 DaemonSet 属于其他项目，由其自己的控制器运行；已跳过")
        }
        ObjectProblem::ItemsNotAList { found } => format!("`items` 应为列表，却是{}", kind_in_chinese(*found)),
        ObjectProblem::Unfit => "此值与字段的类型不符".to_owned(),
        ObjectProblem::BrokenItem => "此项无法读取；其后的内容均未读取".to_owned(),
        ObjectProblem::ItemTooLarge { limit } => format!("此项超过 {limit} 字节，未读取"),
        ObjectProblem::CutOff => "文本在中途结束；是否被截断？".to_owned(),
    }
}
