use super::Words;
use super::telling::{Telling, tell};
use crate::manifest::AdmissionWarning;

impl Words for AdmissionWarning {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::DeprecatedNodeLabel { key, instead: Some(instead) } => tell!(
                to,
                "node label `{0}` is deprecated; use `{1}`",
                "节点标签 `{0}` 已弃用；请使用 `{1}`",
                key,
                instead
            ),
            Self::DeprecatedNodeLabel { key, instead: None } => {
                tell!(to, "node label `{0}` is deprecated", "节点标签 `{0}` 已弃用", key);
            }
            Self::NullSelector => {
                tell!(to, "without a labelSelector no pod matches", "没有 labelSelector，不会匹配任何 Pod");
            }
            Self::DeadAnnotation { instead } => {
                tell!(
                    to,
                    "this annotation does nothing any more; set `{0}`",
                    "此注解已不起作用；请设置 `{0}`",
                    instead
                );
            }
            Self::DeprecatedVolume => {
                tell!(to, "this kind of volume is deprecated and may do nothing", "此类卷已弃用，可能不起作用");
            }
            Self::NoLabelValue { value } => {
                tell!(to, "no label can have the value `{0}`", "标签不可能取值 `{0}`", value);
            }
            Self::Repeated { value } => {
                tell!(to, "`{0}` stands in this list before", "`{0}` 在列表中已出现过", value);
            }
            Self::EmptyName => tell!(to, "the name is empty", "名称为空"),
            Self::FractionalBytes => tell!(
                to,
                "a fraction of a byte; `m` means thousandths, `M` or `Mi` millions",
                "字节数带小数；`m` 表示千分之一，百万应写 `M` 或 `Mi`"
            ),
            Self::HidesVariable { name } => tell!(
                to,
                "hides an earlier `{0}`, which may get lost when the manifest is applied",
                "遮盖了前面的 `{0}`，应用清单时前者可能丢失",
                name
            ),
            Self::HostIpWithoutHostPort => {
                tell!(to, "hostIP does nothing without hostPort", "没有 hostPort 时 hostIP 不起作用");
            }
            Self::SamePort { other } => {
                tell!(to, "the same port as `{0}`", "与 `{0}` 是同一端口", other);
            }
            Self::OverlappingPort { other } => {
                tell!(to, "overlaps with the port `{0}`", "与端口 `{0}` 重叠", other);
            }
            Self::SamePortName { other } => tell!(
                to,
                "the same name as `{0}`; services and probes find only that one",
                "与 `{0}` 同名；服务和探针只会找到前者",
                other
            ),
            Self::NegativeGracePeriod => {
                tell!(to, "below zero; it counts as 1 second", "小于零；按 1 秒处理");
            }
            Self::UnusualAddress { canonical } => {
                tell!(to, "the usual way to write it is `{0}`", "通常写作 `{0}`", canonical);
            }
            Self::OverlappingPaths { path, other } => tell!(
                to,
                "two files of this volume overlap: `{0}` and `{1}`",
                "此卷中的两个文件路径重叠：`{0}` 与 `{1}`",
                path,
                other
            ),
            Self::EmptySource => tell!(to, "this source has nothing in it", "此来源为空"),
        }
    }
}
