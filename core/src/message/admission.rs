use super::{Language, Words};
use crate::manifest::AdmissionWarning;

impl Words for AdmissionWarning {
    fn words(&self, language: Language) -> String {
        match language {
            Language::English => english(self),
            Language::Chinese => chinese(self),
        }
    }
}

fn english(warning: &AdmissionWarning) -> String {
    match warning {
        AdmissionWarning::DeprecatedNodeLabel { key, instead: Some(instead) } => {
            format!("node label `{key}` is deprecated; use `{instead}`")
        }
        AdmissionWarning::DeprecatedNodeLabel { key, instead: None } => format!("node label `{key}` is deprecated"),
        AdmissionWarning::NullSelector => "without a labelSelector no pod matches".to_owned(),
        AdmissionWarning::DeadAnnotation { instead } => {
            format!("this annotation does nothing any more; set `{instead}`")
        }
        AdmissionWarning::DeprecatedVolume => "this kind of volume is deprecated and may do nothing".to_owned(),
        AdmissionWarning::NoLabelValue { value } => format!("no label can have the value `{value}`"),
        AdmissionWarning::Repeated { value } => format!("`{value}` stands in this list before"),
        AdmissionWarning::EmptyName => "the name is empty".to_owned(),
        AdmissionWarning::FractionalBytes => {
            "a fraction of a byte; `m` means thousandths, `M` or `Mi` millions".to_owned()
        }
        AdmissionWarning::HidesVariable { name } => {
            format!("hides an earlier `{name}`, which may get lost when the manifest is applied")
        }
        AdmissionWarning::HostIpWithoutHostPort => "hostIP does nothing without hostPort".to_owned(),
        AdmissionWarning::SamePort { other } => format!("the same port as `{other}`"),
        AdmissionWarning::OverlappingPort { other } => format!("overlaps with the port `{other}`"),
        AdmissionWarning::SamePortName { other } => {
            format!("the same name as `{other}`; services and probes find only that one")
        }
        AdmissionWarning::NegativeGracePeriod => "below zero; it counts as 1 second".to_owned(),
        AdmissionWarning::UnusualAddress { canonical } => format!("the usual way to write it is `{canonical}`"),
        AdmissionWarning::OverlappingPaths { path, other } => {
            format!("two files of this volume overlap: `{path}` and `{other}`")
        }
        AdmissionWarning::EmptySource => "this source has nothing in it".to_owned(),
    }
}

fn chinese(warning: &AdmissionWarning) -> String {
    match warning {
        AdmissionWarning::DeprecatedNodeLabel { key, instead: Some(instead) } => {
            format!("节点标签 `{key}` 已弃用；请使用 `{instead}`")
        }
        AdmissionWarning::DeprecatedNodeLabel { key, instead: None } => format!("节点标签 `{key}` 已弃用"),
        AdmissionWarning::NullSelector => "没有 labelSelector，不会匹配任何 Pod".to_owned(),
        AdmissionWarning::DeadAnnotation { instead } => format!("此注解已不起作用；请设置 `{instead}`"),
        AdmissionWarning::DeprecatedVolume => "此类卷已弃用，可能不起作用".to_owned(),
        AdmissionWarning::NoLabelValue { value } => format!("标签不可能取值 `{value}`"),
        AdmissionWarning::Repeated { value } => format!("`{value}` 在列表中已出现过"),
        AdmissionWarning::EmptyName => "名称为空".to_owned(),
        AdmissionWarning::FractionalBytes => "字节数带小数；`m` 表示千分之一，百万应写 `M` 或 `Mi`".to_owned(),
        AdmissionWarning::HidesVariable { name } => format!("遮盖了前面的 `{name}`，应用清单时前者可能丢失"),
        AdmissionWarning::HostIpWithoutHostPort => "没有 hostPort 时 hostIP 不起作用".to_owned(),
        AdmissionWarning::SamePort { other } => format!("与 `{other}` 是同一端口"),
        AdmissionWarning::OverlappingPort { other } => format!("与端口 `{other}` 重叠"),
        AdmissionWarning::SamePortName { other } => format!("与 `{other}` 同名；服务和探针只会找到前者"),
        AdmissionWarning::NegativeGracePeriod => "小于零；按 1 秒处理".to_owned(),
        AdmissionWarning::UnusualAddress { canonical } => format!("通常写作 `{canonical}`"),
        AdmissionWarning::OverlappingPaths { path, other } => {
            format!("此卷中的两个文件路径重叠：`{path}` 与 `{other}`")
        }
        AdmissionWarning::EmptySource => "此来源为空".to_owned(),
    }
}
