use super::Words;
use super::telling::{Both, DidYouMean, Telling, part, tell};
use crate::both;
use crate::manifest::{DecodeProblem, Expected, Found};

impl Words for DecodeProblem {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::UnknownField { name, meant, belongs_in, ignored } => {
                let hint = part(|to| match (meant, belongs_in) {
                    (None, Some(way)) => tell!(to, "; it belongs in `{0}`", "；它属于 `{0}`", way),
                    (meant, _) => DidYouMean(meant.as_deref()).tell(to),
                });
                tell!(to, "unknown field{0}: `{1}`{2}", "未知字段{0}：`{1}`{2}", dropped(*ignored), name, hint);
            }
            Self::NewerField { since, ignored } => tell!(
                to,
                "unknown field before Kubernetes {0}{1}",
                "Kubernetes {0} 之前的未知字段{1}",
                since,
                dropped(*ignored)
            ),
            Self::WrongType { expected, found } => {
                let hint = match (expected, found) {
                    (Expected::String, Found::Bool | Found::Number) => both!("; put it in quotes", "；请加引号"),
                    (Expected::Bool | Expected::Integer, Found::String) => {
                        both!("; leave out the quotes", "；请去掉引号")
                    }
                    _ => both!("", ""),
                };
                let (found, expected) = (found_words(*found), expected_words(*expected));
                tell!(
                    to,
                    "{0} where {1} belongs{2}",
                    "此处应为{1}，却是{0}{2}",
                    Both(found),
                    Both(expected),
                    Both(hint)
                );
            }
            Self::NotAWholeNumber { written, bits } => {
                tell!(to, "`{0}` is no whole number of {1} bits", "`{0}` 不是 {1} 位整数", written, bits);
            }
            Self::NotAQuantity { written } => tell!(
                to,
                "`{0}` is no quantity: a number and a suffix such as `100m`, `1.5`, `2Gi` or `1e3`",
                "`{0}` 不是资源量：应为数字加后缀，例如 `100m`、`1.5`、`2Gi` 或 `1e3`",
                written
            ),
            Self::NotATime { written } => tell!(
                to,
                "`{0}` is no time such as `2026-01-31T12:00:00Z`",
                "`{0}` 不是时间，格式例如 `2026-01-31T12:00:00Z`",
                written
            ),
            Self::WrongApiVersion { written } => tell!(
                to,
                "there is no DaemonSet in `{0}`; the API version is `apps/v1`",
                "`{0}` 中没有 DaemonSet；API 版本应为 `apps/v1`",
                written
            ),
            Self::WrongKind { written } => tell!(
                to,
                "`{0}` is no kind of `apps/v1`; did you mean `DaemonSet`?",
                "`apps/v1` 中没有 `{0}` 这一类型；是否想写 `DaemonSet`？",
                written
            ),
            Self::OtherNamespace { written, requested } => tell!(
                to,
                "the object is in namespace `{0}`, the request goes to `{1}`",
                "对象位于命名空间 `{0}`，而请求发往 `{1}`",
                written,
                requested
            ),
        }
    }
}

/// What becomes of an unknown field that is no error.
fn dropped(ignored: bool) -> Both {
    Both(if ignored { both!(", the server drops it", "，服务器会丢弃它") } else { "" })
}

/// What belongs there.
fn expected_words(expected: Expected) -> &'static str {
    match expected {
        Expected::String => both!("text", "文本"),
        Expected::Bool => both!("`true` or `false`", " `true` 或 `false`"),
        Expected::Integer => both!("a whole number", "整数"),
        Expected::IntOrString => both!("a whole number or text", "整数或文本"),
        Expected::Quantity => both!("a quantity", "资源量"),
        Expected::Time => both!("a time", "时间"),
        Expected::List => both!("a list", "列表"),
        Expected::Map => both!("a map", "映射"),
        Expected::Object => both!("an object", "对象"),
    }
}

/// What stands there.
fn found_words(found: Found) -> &'static str {
    match found {
        Found::Bool => both!("a boolean", "布尔值"),
        Found::Number => both!("a number", "数字"),
        Found::String => both!("text", "文本"),
        Found::List => both!("a list", "列表"),
        Found::Map => both!("a map", "映射"),
    }
}
