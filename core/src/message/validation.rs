use super::Words;
use super::telling::{Both, DidYouMean, Quoted, Telling, part, tell};
use crate::both;
use crate::manifest::{Place, Syntax, Takes, ValidationProblem};

impl Words for ValidationProblem {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::Required => tell!(to, "must have a value", "必须有值"),
            Self::RequiredWith { other } => {
                tell!(to, "must have a value that goes with `{0}`", "必须有与 `{0}` 相配的值", other);
            }
            Self::OneOfRequired { choices } => {
                tell!(to, "one of these must be set: {0}", "必须设置其中之一：{0}", Quoted(choices));
            }
            Self::MoreThanOne => tell!(to, "only one of several may be set", "几项中只能设置一项"),
            Self::Duplicate { value } => tell!(to, "`{0}` stands there before", "`{0}` 重复", value),
            Self::NotSupported { value, supported, meant } => {
                let known = part(|to| {
                    if supported.is_empty() {
                        to.text("");
                    } else {
                        tell!(to, ": {0}", "：{0}", Quoted(supported));
                    }
                });
                tell!(
                    to,
                    "`{0}` is not one of the known values{1}{2}",
                    "`{0}` 不在已知取值之中{1}{2}",
                    value,
                    known,
                    DidYouMean(*meant)
                );
            }
            Self::NotFound { value, among } => {
                tell!(to, "there is no `{0}` in `{1}`", "`{1}` 中没有 `{0}`", value, among);
            }
            Self::Malformed { value, syntax } => {
                tell!(to, "`{0}` is no {1}", "`{0}` 不是{1}", value, Both(shape(*syntax)));
            }
            Self::OutOfRange { value, minimum, maximum } => {
                tell!(to, "{0} is not between {1} and {2}", "{0} 不在 {1} 到 {2} 之间", value, minimum, maximum);
            }
            Self::BelowMinimum { value, minimum } => {
                tell!(to, "{0} is less than {1}", "{0} 小于 {1}", value, minimum);
            }
            Self::MustBe { only } => tell!(to, "must be {0}", "必须为 {0}", only),
            Self::TooLong { limit } => tell!(to, "longer than {0} bytes", "超过 {0} 字节", limit),
            Self::TooMany { limit } => tell!(to, "more than {0} elements", "超过 {0} 项", limit),
            Self::NotWith { other } => {
                tell!(to, "cannot be set together with `{0}`", "不能与 `{0}` 同时设置", other);
            }
            Self::OnlyWith { other } => {
                tell!(to, "can only be set together with `{0}`", "只能与 `{0}` 同时设置", other);
            }
            Self::MustBeWith { word, other } => {
                tell!(to, "must be `{0}` when `{1}` is set", "设置 `{1}` 时必须为 `{0}`", word, other);
            }
            Self::NotIn { place } => {
                tell!(to, "cannot be set in {0}", "不能在{0}中设置", Both(where_in(*place)));
            }
            Self::MustMatch { other } => {
                tell!(to, "must be the same as {0}", "必须与 {0} 相同", backquoted_field(other));
            }
            Self::NegativeAmount => tell!(
                to,
                "the amount must be greater than zero, or zero where nothing is meant",
                "数量必须大于零，允许为零之处可为零"
            ),
            Self::FractionalAmount => tell!(to, "only whole numbers of it exist", "只能是整数"),
            Self::RequestAboveLimit { resource, limit } => {
                tell!(to, "asks for more `{0}` than its limit of {1}", "`{0}` 的请求超过其限制 {1}", resource, limit);
            }
            Self::RequestNotLimit { resource, limit } => tell!(
                to,
                "`{0}` cannot be shared: the request must equal the limit of {1}",
                "`{0}` 不能共享：请求必须等于限制 {1}",
                resource,
                limit
            ),
            Self::LimitMissing { resource } => tell!(
                to,
                "`{0}` cannot be shared: it needs a limit equal to the request",
                "`{0}` 不能共享：需要与请求相等的限制",
                resource
            ),
            Self::HugePagesAlone => {
                tell!(to, "huge pages need cpu or memory beside them", "使用大页时必须同时设置 cpu 或 memory");
            }
            Self::NotWholePages { resource } => {
                tell!(to, "no multiple of the page size of `{0}`", "不是 `{0}` 页大小的整数倍", resource);
            }
            Self::UnknownResource { resource } => {
                tell!(to, "containers have no resource `{0}`", "容器没有资源 `{0}`", resource);
            }
            Self::ContainersExceedPod { containers } => {
                tell!(to, "containers ask for {0}, more than the pod", "容器合计为 {0}，超过 Pod 的数量", containers);
            }
            Self::SelectorMismatch => {
                tell!(to, "the selector does not match these labels", "selector 与这些标签不匹配");
            }
            Self::EmptySelector => {
                tell!(to, "an empty selector would match every pod", "空的 selector 会匹配所有 Pod");
            }
            Self::Immutable => tell!(to, "cannot change once the object exists", "对象创建后不能更改"),
            Self::SurgeBesideUnavailable { by_default: true } => tell!(
                to,
                "maxUnavailable is 1 when it is left out, and one of the two must be zero; set `maxUnavailable: 0`",
                "省略 maxUnavailable 时其值为 1，而两者之一必须为零；请设置 `maxUnavailable: 0`"
            ),
            Self::SurgeBesideUnavailable { by_default: false } => {
                tell!(to, "one of maxSurge and maxUnavailable must be zero", "maxSurge 与 maxUnavailable 之一必须为零");
            }
            Self::NothingMayChange => {
                tell!(to, "maxUnavailable and maxSurge cannot both be zero", "maxUnavailable 与 maxSurge 不能都为零");
            }
            Self::AboveHundredPercent => tell!(to, "more than 100 %", "超过 100 %"),
            Self::ValuesOfOperator { takes } => to.both(values_taken(*takes)),
            Self::ReservedNamespace => {
                tell!(to, "the domains kubernetes.io and k8s.io are reserved", "kubernetes.io 与 k8s.io 域名是保留的");
            }
            Self::ConflictingPath { path } => {
                tell!(to, "two sources write to `{0}`", "两个来源写入同一路径 `{0}`", path);
            }
            Self::BannedOwner => tell!(to, "an Event cannot own anything", "Event 不能拥有其他对象"),
            Self::MixedHostProcess => tell!(
                to,
                "either all containers are processes of the Windows host, or none",
                "要么所有容器都是 Windows 主机进程，要么都不是"
            ),
            Self::EscalationContradiction => tell!(
                to,
                "`allowPrivilegeEscalation: false` contradicts `privileged: true` and CAP_SYS_ADMIN",
                "`allowPrivilegeEscalation: false` 与 `privileged: true`、CAP_SYS_ADMIN 相矛盾"
            ),
            Self::SleepOutOfRange { grace_period } => tell!(
                to,
                "the sleep must take from 0 to terminationGracePeriodSeconds ({0}) seconds",
                "休眠时间必须在 0 到 terminationGracePeriodSeconds（{0}）秒之间",
                grace_period
            ),
        }
    }
}

/// A field in backquotes; a phrase as it is.
fn backquoted_field(other: &str) -> String {
    if other.contains(' ') { other.to_owned() } else { format!("`{other}`") }
}

fn values_taken(takes: Takes) -> &'static str {
    match takes {
        Takes::None => both!("this operator takes no values", "此运算符不带值"),
        Takes::One => both!("this operator takes exactly one value", "此运算符恰好带一个值"),
        Takes::Some => both!("this operator needs at least one value", "此运算符至少需要一个值"),
    }
}

/// Behind `no`: what a text of this shape is, or what is wrong with one that has not.
fn shape(syntax: Syntax) -> &'static str {
    match syntax {
        Syntax::DnsLabel => {
            both!(
                "DNS label: at most 63 lower-case letters, digits and `-`",
                " DNS 标签：至多 63 个小写字母、数字和 `-`"
            )
        }
        Syntax::DnsSubdomain => both!(
            "DNS name: at most 253 lower-case letters, digits, `-` and `.`",
            " DNS 名称：至多 253 个小写字母、数字、`-` 和 `.`"
        ),
        Syntax::DnsSubdomainWithUnderscore => {
            both!(
                "DNS name: lower-case letters, digits, `-`, `_` and `.`",
                " DNS 名称：小写字母、数字、`-`、`_` 和 `.`"
            )
        }
        Syntax::DnsSubdomainInAnyCase => {
            both!("DNS name: letters, digits, `-` and `.`", " DNS 名称：字母、数字、`-` 和 `.`")
        }
        Syntax::NamePrefix => both!(
            "beginning of a DNS name: lower-case letters, digits, `-` and `.`",
            " DNS 名称的开头：小写字母、数字、`-` 和 `.`"
        ),
        Syntax::LabelKey => both!(
            "key: an optional domain and `/`, then at most 63 letters, digits, `-`, `_` and `.`",
            "键：可选的域名和 `/`，后接至多 63 个字母、数字、`-`、`_` 和 `.`"
        ),
        Syntax::LabelValue => both!(
            "label value: at most 63 letters, digits, `-`, `_` and `.`, a letter or digit at both ends",
            "标签值：至多 63 个字母、数字、`-`、`_` 和 `.`，首尾须为字母或数字"
        ),
        Syntax::PortName => both!(
            "port name: at most 15 lower-case letters, digits and single `-`, with at least one letter",
            "端口名：至多 15 个小写字母、数字和单个 `-`，至少一个字母"
        ),
        Syntax::Percentage => both!("percentage such as `10%`", "百分比，例如 `10%`"),
        Syntax::HttpHeaderName => {
            both!("name of an HTTP header: letters, digits and `-`", " HTTP 头名称：字母、数字和 `-`")
        }
        Syntax::EnvironmentVariableName => {
            both!("variable name: printable ASCII characters without `=`", "变量名：不含 `=` 的可打印 ASCII 字符")
        }
        Syntax::ConfigMapKey => both!(
            "key of a ConfigMap or Secret: at most 253 letters, digits, `-`, `_` and `.`",
            " ConfigMap 或 Secret 的键：至多 253 个字母、数字、`-`、`_` 和 `.`"
        ),
        Syntax::SysctlName => {
            both!("kernel parameter such as `net.core.somaxconn`", "内核参数，例如 `net.core.somaxconn`")
        }
        Syntax::RelativePath => both!("relative path: it starts with `/`", "相对路径：它以 `/` 开头"),
        Syntax::AbsolutePath => both!("absolute path: it does not start with `/`", "绝对路径：它不以 `/` 开头"),
        Syntax::PathWithoutBacksteps => both!("allowed path: it contains `..`", "允许的路径：它含有 `..`"),
        Syntax::PathNotStartingWithDots => both!("allowed path: it starts with `..`", "允许的路径：它以 `..` 开头"),
        Syntax::WithoutSlash => both!("allowed name: it contains `/`", "允许的名称：它含有 `/`"),
        Syntax::NotPadded => both!("allowed name: it has whitespace at an end", "允许的名称：首尾有空白"),
        Syntax::IscsiName => both!(
            "iSCSI name: `iqn.`, `eui.` or `naa.` and what belongs behind it",
            " iSCSI 名称：`iqn.`、`eui.` 或 `naa.` 及其后应有的内容"
        ),
        Syntax::DecimalInteger => both!("whole number of 64 bits in its shortest form", "最短写法的 64 位整数"),
        Syntax::SeccompAnnotation | Syntax::AppArmorAnnotation => both!(
            "profile: `runtime/default`, `unconfined` or `localhost/` and a path",
            "配置：`runtime/default`、`unconfined` 或 `localhost/` 加路径"
        ),
        Syntax::FinalizerName => both!(
            "finalizer: a domain, `/` and a name, or one that Kubernetes knows",
            " finalizer：域名、`/` 和名称，或 Kubernetes 已知的名称"
        ),
        Syntax::WindowsUserName => {
            both!("Windows user: `user` or `domain\\user`", " Windows 用户：`user` 或 `domain\\user`")
        }
        Syntax::IpAddress => both!("IP address", " IP 地址"),
        Syntax::HostPortPairs => both!("list of `host:port` with commas", "以逗号分隔的 `host:port` 列表"),
        Syntax::Int32 => both!("whole number of 32 bits", " 32 位整数"),
    }
}

/// Behind `in`: a place where something cannot be set.
fn where_in(place: Place) -> &'static str {
    match place {
        Place::DaemonSet => both!("a DaemonSet", " DaemonSet "),
        Place::PodTemplate => both!("a pod template", " Pod 模板"),
        Place::InitContainer => {
            both!("an init container without `restartPolicy: Always`", "没有 `restartPolicy: Always` 的初始化容器")
        }
        Place::EphemeralContainer => both!("an ephemeral container", "临时容器"),
        Place::LinuxPod => both!("a pod for Linux", " Linux Pod "),
        Place::WindowsPod => both!("a pod for Windows", " Windows Pod "),
        Place::UnprivilegedContainer => both!("a container that is not privileged", "非特权容器"),
        Place::ClaimTemplate => both!("the template of a claim", "声明模板"),
        Place::PodResources => both!("the resources of a pod", " Pod 的资源"),
        Place::DefaultFeatures => both!("a cluster with Kubernetes' default features", "只启用默认特性的集群"),
    }
}
