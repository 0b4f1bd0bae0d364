use super::{Language, Words};
use crate::manifest::{Place, Syntax, Takes, ValidationProblem};

impl Words for ValidationProblem {
    fn words(&self, language: Language) -> String {
        match language {
            Language::English => english(self),
            Language::Chinese => chinese(self),
        }
    }
}

fn english(problem: &ValidationProblem) -> String {
    match problem {
        ValidationProblem::Required => "must have a value".to_owned(),
        ValidationProblem::RequiredWith { other } => format!("must have a value that goes with `{other}`"),
        ValidationProblem::OneOfRequired { choices } => format!("one of these must be set: {}", quoted(choices, ", ")),
        ValidationProblem::MoreThanOne => "only one of several may be set".to_owned(),
        ValidationProblem::Duplicate { value } => format!("`{value}` stands there before"),
        ValidationProblem::NotSupported { value, supported, meant } => {
            let known = if supported.is_empty() { String::new() } else { format!(": {}", quoted(supported, ", ")) };
            match meant {
                Some(meant) => format!("`{value}` is not one of the known values{known}; did you mean `{meant}`?"),
                None => format!("`{value}` is not one of the known values{known}"),
            }
        }
        ValidationProblem::NotFound { value, among } => format!("there is no `{value}` in `{among}`"),
        ValidationProblem::Malformed { value, syntax } => format!("`{value}` is no {}", shape_english(*syntax)),
        ValidationProblem::OutOfRange { value, minimum, maximum } => {
            format!("{value} is not between {minimum} and {maximum}")
        }
        ValidationProblem::BelowMinimum { value, minimum } => format!("{value} is less than {minimum}"),
        ValidationProblem::MustBe { only } => format!("must be {only}"),
        ValidationProblem::TooLong { limit } => format!("longer than {limit} bytes"),
        ValidationProblem::TooMany { limit } => format!("more than {limit} elements"),
        ValidationProblem::NotWith { other } => format!("cannot be set together with `{other}`"),
        ValidationProblem::OnlyWith { other } => format!("can only be set together with `{other}`"),
        ValidationProblem::MustBeWith { word, other } => format!("must be `{word}` when `{other}` is set"),
        ValidationProblem::NotIn { place } => format!("cannot be set in {}", place_english(*place)),
        ValidationProblem::MustMatch { other } => format!("must be the same as {}", backquoted_field(other)),
        ValidationProblem::NegativeAmount => {
            "the amount must be greater than zero, or zero where nothing is meant".to_owned()
        }
        ValidationProblem::FractionalAmount => "only whole numbers of it exist".to_owned(),
        ValidationProblem::RequestAboveLimit { resource, limit } => {
            format!("asks for more `{resource}` than its limit of {limit}")
        }
        ValidationProblem::RequestNotLimit { resource, limit } => {
            format!("`{resource}` cannot be shared: the request must equal the limit of {limit}")
        }
        ValidationProblem::LimitMissing { resource } => {
            format!("`{resource}` cannot be shared: it needs a limit equal to the request")
        }
        ValidationProblem::HugePagesAlone => "huge pages need cpu or memory beside them".to_owned(),
        ValidationProblem::NotWholePages { resource } => format!("no multiple of the page size of `{resource}`"),
        ValidationProblem::UnknownResource { resource } => format!("containers have no resource `{resource}`"),
        ValidationProblem::ContainersExceedPod { containers } => {
            format!("containers ask for {containers}, more than the pod")
        }
        ValidationProblem::SelectorMismatch => "the selector does not match these labels".to_owned(),
        ValidationProblem::EmptySelector => "an empty selector would match every pod".to_owned(),
        ValidationProblem::Immutable => "cannot change once the object exists".to_owned(),
        ValidationProblem::SurgeBesideUnavailable { by_default: true } => {
            "maxUnavailable is 1 when it is left out, and one of the two must be zero; set `maxUnavailable: 0`"
                .to_owned()
        }
        ValidationProblem::SurgeBesideUnavailable { by_default: false } => {
            "one of maxSurge and maxUnavailable must be zero".to_owned()
        }
        ValidationProblem::NothingMayChange => "maxUnavailable and maxSurge cannot both be zero".to_owned(),
        ValidationProblem::AboveHundredPercent => "more than 100 %".to_owned(),
        ValidationProblem::ValuesOfOperator { takes } => match takes {
            Takes::None => "this operator takes no values".to_owned(),
            Takes::One => "this operator takes exactly one value".to_owned(),
            Takes::Some => "this operator needs at least one value".to_owned(),
        },
        ValidationProblem::ReservedNamespace => "the domains kubernetes.io and k8s.io are reserved".to_owned(),
        ValidationProblem::ConflictingPath { path } => format!("two sources write to `{path}`"),
        ValidationProblem::BannedOwner => "an Event cannot own anything".to_owned(),
        ValidationProblem::MixedHostProcess => {
            "either all containers are processes of the Windows host, or none".to_owned()
        }
        ValidationProblem::EscalationContradiction => {
            "`allowPrivilegeEscalation: false` contradicts `privileged: true` and CAP_SYS_ADMIN".to_owned()
        }
        ValidationProblem::SleepOutOfRange { grace_period } => {
            format!("the sleep must take from 0 to terminationGracePeriodSeconds ({grace_period}) seconds")
        }
    }
}

fn chinese(problem: &ValidationProblem) -> String {
    match problem {
        ValidationProblem::Required => "必须有值".to_owned(),
        ValidationProblem::RequiredWith { other } => format!("必须有与 `{other}` 相配的值"),
        ValidationProblem::OneOfRequired { choices } => format!("必须设置其中之一：{}", quoted(choices, "、")),
        ValidationProblem::MoreThanOne => "几项中只能设置一项".to_owned(),
        ValidationProblem::Duplicate { value } => format!("`{value}` 重复"),
        ValidationProblem::NotSupported { value, supported, meant } => {
            let known = if supported.is_empty() { String::new() } else { format!("：{}", quoted(supported, "、")) };
            match meant {
                Some(meant) => format!("`{value}` 不在已知取值之中{known}；是否想写 `{meant}`？"),
                None => format!("`{value}` 不在已知取值之中{known}"),
            }
        }
        ValidationProblem::NotFound { value, among } => format!("`{among}` 中没有 `{value}`"),
        ValidationProblem::Malformed { value, syntax } => format!("`{value}` 不是{}", shape_chinese(*syntax)),
        ValidationProblem::OutOfRange { value, minimum, maximum } => {
            format!("{value} 不在 {minimum} 到 {maximum} 之间")
        }
        ValidationProblem::BelowMinimum { value, minimum } => format!("{value} 小于 {minimum}"),
        ValidationProblem::MustBe { only } => format!("必须为 {only}"),
        ValidationProblem::TooLong { limit } => format!("超过 {limit} 字节"),
        ValidationProblem::TooMany { limit } => format!("超过 {limit} 项"),
        ValidationProblem::NotWith { other } => format!("不能与 `{other}` 同时设置"),
        ValidationProblem::OnlyWith { other } => format!("只能与 `{other}` 同时设置"),
        ValidationProblem::MustBeWith { word, other } => format!("设置 `{other}` 时必须为 `{word}`"),
        ValidationProblem::NotIn { place } => format!("不能在{}中设置", place_chinese(*place)),
        ValidationProblem::MustMatch { other } => format!("必须与 {} 相同", backquoted_field(other)),
        ValidationProblem::NegativeAmount => "数量必须大于零，允许为零之处可为零".to_owned(),
        ValidationProblem::FractionalAmount => "只能是整数".to_owned(),
        ValidationProblem::RequestAboveLimit { resource, limit } => {
            format!("`{resource}` 的请求超过其限制 {limit}")
        }
        ValidationProblem::RequestNotLimit { resource, limit } => {
            format!("`{resource}` 不能共享：请求必须等于限制 {limit}")
        }
        ValidationProblem::LimitMissing { resource } => format!("`{resource}` 不能共享：需要与请求相等的限制"),
        ValidationProblem::HugePagesAlone => "使用大页时必须同时设置 cpu 或 memory".to_owned(),
        ValidationProblem::NotWholePages { resource } => format!("不是 `{resource}` 页大小的整数倍"),
        ValidationProblem::UnknownResource { resource } => format!("容器没有资源 `{resource}`"),
        ValidationProblem::ContainersExceedPod { containers } => format!("容器合计为 {containers}，超过 Pod 的数量"),
        ValidationProblem::SelectorMismatch => "selector 与这些标签不匹配".to_owned(),
        ValidationProblem::EmptySelector => "空的 selector 会匹配所有 Pod".to_owned(),
        ValidationProblem::Immutable => "对象创建后不能更改".to_owned(),
        ValidationProblem::SurgeBesideUnavailable { by_default: true } => {
            "省略 maxUnavailable 时其值为 1，而两者之一必须为零；请设置 `maxUnavailable: 0`".to_owned()
        }
        ValidationProblem::SurgeBesideUnavailable { by_default: false } => {
            "maxSurge 与 maxUnavailable 之一必须为零".to_owned()
        }
        ValidationProblem::NothingMayChange => "maxUnavailable 与 maxSurge 不能都为零".to_owned(),
        ValidationProblem::AboveHundredPercent => "超过 100 %".to_owned(),
        ValidationProblem::ValuesOfOperator { takes } => match takes {
            Takes::None => "此运算符不带值".to_owned(),
            Takes::One => "此运算符恰好带一个值".to_owned(),
            Takes::Some => "此运算符至少需要一个值".to_owned(),
        },
        ValidationProblem::ReservedNamespace => "kubernetes.io 与 k8s.io 域名是保留的".to_owned(),
        ValidationProblem::ConflictingPath { path } => format!("两个来源写入同一路径 `{path}`"),
        ValidationProblem::BannedOwner => "Event 不能拥有其他对象".to_owned(),
        ValidationProblem::MixedHostProcess => "要么所有容器都是 Windows 主机进程，要么都不是".to_owned(),
        ValidationProblem::EscalationContradiction => {
            "`allowPrivilegeEscalation: false` 与 `privileged: true`、CAP_SYS_ADMIN 相矛盾".to_owned()
        }
        ValidationProblem::SleepOutOfRange { grace_period } => {
            format!("休眠时间必须在 0 到 terminationGracePeriodSeconds（{grace_period}）秒之间")
        }
    }
}

fn quoted(words: &[&str], separator: &str) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(separator)
}

/// A field in backquotes; a phrase as it is.
fn backquoted_field(other: &str) -> String {
    if other.contains(' ') { other.to_owned() } else { format!("`{other}`") }
}

fn shape_english(syntax: Syntax) -> &'static str {
    match syntax {
        Syntax::DnsLabel => "DNS label: at most 63 lower-case letters, digits and `-`",
        Syntax::DnsSubdomain => "DNS name: at most 253 lower-case letters, digits, `-` and `.`",
        Syntax::DnsSubdomainWithUnderscore => "DNS name: lower-case letters, digits, `-`, `_` and `.`",
        Syntax::DnsSubdomainInAnyCase => "DNS name: letters, digits, `-` and `.`",
        Syntax::NamePrefix => "beginning of a DNS name: lower-case letters, digits, `-` and `.`",
        Syntax::LabelKey => "key: an optional domain and `/`, then at most 63 letters, digits, `-`, `_` and `.`",
        Syntax::LabelValue => {
            "label value: at most 63 letters, digits, `-`, `_` and `.`, a letter or digit at both ends"
        }
        Syntax::PortName => "port name: at most 15 lower-case letters, digits and single `-`, with at least one letter",
        Syntax::Percentage => "percentage such as `10%`",
        Syntax::HttpHeaderName => "name of an HTTP header: letters, digits and `-`",
        Syntax::EnvironmentVariableName => "variable name: printable ASCII characters without `=`",
        Syntax::ConfigMapKey => "key of a ConfigMap or Secret: at most 253 letters, digits, `-`, `_` and `.`",
        Syntax::SysctlName => "kernel parameter such as `net.core.somaxconn`",
        Syntax::RelativePath => "relative path: it starts with `/`",
        Syntax::AbsolutePath => "absolute path: it does not start with `/`",
        Syntax::PathWithoutBacksteps => "allowed path: it contains `..`",
        Syntax::PathNotStartingWithDots => "allowed path: it starts with `..`",
        Syntax::WithoutSlash => "allowed name: it contains `/`",
        Syntax::NotPadded => "allowed name: it has whitespace at an end",
        Syntax::IscsiName => "iSCSI name: `iqn.`, `eui.` or `naa.` and what belongs behind it",
        Syntax::DecimalInteger => "whole number of 64 bits in its shortest form",
        Syntax::SeccompAnnotation | Syntax::AppArmorAnnotation => {
            "profile: `runtime/default`, `unconfined` or `localhost/` and a path"
        }
        Syntax::FinalizerName => "finalizer: a domain, `/` and a name, or one that Kubernetes knows",
        Syntax::WindowsUserName => "Windows user: `user` or `domain\\user`",
        Syntax::IpAddress => "IP address",
        Syntax::HostPortPairs => "list of `host:port` with commas",
        Syntax::Int32 => "whole number of 32 bits",
    }
}

fn shape_chinese(syntax: Syntax) -> &'static str {
    match syntax {
        Syntax::DnsLabel => " DNS 标签：至多 63 个小写字母、数字和 `-`",
        Syntax::DnsSubdomain => " DNS 名称：至多 253 个小写字母、数字、`-` 和 `.`",
        Syntax::DnsSubdomainWithUnderscore => " DNS 名称：小写字母、数字、`-`、`_` 和 `.`",
        Syntax::DnsSubdomainInAnyCase => " DNS 名称：字母、数字、`-` 和 `.`",
        Syntax::NamePrefix => " DNS 名称的开头：小写字母、数字、`-` 和 `.`",
        Syntax::LabelKey => "键：可选的域名和 `/`，后接至多 63 个字母、数字、`-`、`_` 和 `.`",
        Syntax::LabelValue => "标签值：至多 63 个字母、数字、`-`、`_` 和 `.`，首尾须为字母或数字",
        Syntax::PortName => "端口名：至多 15 个小写字母、数字和单个 `-`，至少一个字母",
        Syntax::Percentage => "百分比，例如 `10%`",
        Syntax::HttpHeaderName => " HTTP 头名称：字母、数字和 `-`",
        Syntax::EnvironmentVariableName => "变量名：不含 `=` 的可打印 ASCII 字符",
        Syntax::ConfigMapKey => " ConfigMap 或 Secret 的键：至多 253 个字母、数字、`-`、`_` 和 `.`",
        Syntax::SysctlName => "内核参数，例如 `net.core.somaxconn`",
        Syntax::RelativePath => "相对路径：它以 `/` 开头",
        Syntax::AbsolutePath => "绝对路径：它不以 `/` 开头",
        Syntax::PathWithoutBacksteps => "允许的路径：它含有 `..`",
        Syntax::PathNotStartingWithDots => "允许的路径：它以 `..` 开头",
        Syntax::WithoutSlash => "允许的名称：它含有 `/`",
        Syntax::NotPadded => "允许的名称：首尾有空白",
        Syntax::IscsiName => " iSCSI 名称：`iqn.`、`eui.` 或 `naa.` 及其后应有的内容",
        Syntax::DecimalInteger => "最短写法的 64 位整数",
        Syntax::SeccompAnnotation | Syntax::AppArmorAnnotation => {
            "配置：`runtime/default`、`unconfined` 或 `localhost/` 加路径"
        }
        Syntax::FinalizerName => " finalizer：域名、`/` 和名称，或 Kubernetes 已知的名称",
        Syntax::WindowsUserName => " Windows 用户：`user` 或 `domain\\user`",
        Syntax::IpAddress => " IP 地址",
        Syntax::HostPortPairs => "以逗号分隔的 `host:port` 列表",
        Syntax::Int32 => " 32 位整数",
    }
}

fn place_english(place: Place) -> &'static str {
    match place {
        Place::DaemonSet => "a DaemonSet",
        Place::PodTemplate => "a pod template",
        Place::InitContainer => "an init container without `restartPolicy: Always`",
        Place::EphemeralContainer => "an ephemeral container",
        Place::LinuxPod => "a pod for Linux",
        Place::WindowsPod => "a pod for Windows",
        Place::UnprivilegedContainer => "a container that is not privileged",
        Place::ClaimTemplate => "the template of a claim",
        Place::PodResources => "the resources of a pod",
        Place::DefaultFeatures => "a cluster with Kubernetes' default features",
    }
}

fn place_chinese(place: Place) -> &'static str {
    match place {
        Place::DaemonSet => " DaemonSet ",
        Place::PodTemplate => " Pod 模板",
        Place::InitContainer => "没有 `restartPolicy: Always` 的初始化容器",
        Place::EphemeralContainer => "临时容器",
        Place::LinuxPod => " Linux Pod ",
        Place::WindowsPod => " Windows Pod ",
        Place::UnprivilegedContainer => "非特权容器",
        Place::ClaimTemplate => "声明模板",
        Place::PodResources => " Pod 的资源",
        Place::DefaultFeatures => "只启用默认特性的集群",
    }
}
