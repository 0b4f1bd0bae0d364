use super::{Language, Words};
use crate::manifest::{DecodeProblem, Expected, Found};

impl Words for DecodeProblem {
    fn words(&self, language: Language) -> String {
        match language {
            Language::English => english(self),
            Language::Chinese => chinese(self),
        }
    }
}

fn english(problem: &DecodeProblem) -> String {
    match problem {
        DecodeProblem::UnknownField { name, meant, belongs_in, ignored } => {
            let consequence = if *ignored { "unknown field, the server drops it" } else { "unknown field" };
            match (meant, belongs_in) {
                (Some(meant), _) => format!("{consequence}: `{name}`; did you mean `{meant}`?"),
                (None, Some(way)) => format!("{consequence}: `{name}`; it belongs in `{way}`"),
                (None, None) => format!("{consequence}: `{name}`"),
            }
        }
        DecodeProblem::NewerField { since, ignored } => {
            let consequence = if *ignored { ", the server drops it" } else { "" };
            format!("unknown field before Kubernetes {since}{consequence}")
        }
        DecodeProblem::WrongType { expected, found } => {
            let hint = match (expected, found) {
                (Expected::String, Found::Bool | Found::Number) => "; put it in quotes",
                (Expected::Bool | Expected::Integer, Found::String) => "; leave out the quotes",
                _ => "",
            };
            format!("{} where {} belongs{hint}", found_english(*found), expected_english(*expected))
        }
        DecodeProblem::NotAWholeNumber { written, bits } => {
            format!("`{written}` is no whole number of {bits} bits")
        }
        DecodeProblem::NotAQuantity { written } => {
            format!("`{written}` is no quantity: a number and a suffix such as `100m`, `1.5`, `2Gi` or `1e3`")
        }
        DecodeProblem::NotATime { written } => {
            format!("`{written}` is no time such as `2026-01-31T12:00:00Z`")
        }
        DecodeProblem::WrongApiVersion { written } => {
            format!("there is no DaemonSet in `{written}`; the API version is `apps/v1`")
        }
        DecodeProblem::WrongKind { written } => {
            format!("`{written}` is no kind of `apps/v1`; did you mean `DaemonSet`?")
        }
        DecodeProblem::OtherNamespace { written, requested } => {
            format!("the object is in namespace `{written}`, the request goes to `{requested}`")
        }
    }
}

fn chinese(problem: &DecodeProblem) -> String {
    match problem {
        DecodeProblem::UnknownField { name, meant, belongs_in, ignored } => {
            let consequence = if *ignored { "未知字段，服务器会丢弃它" } else { "未知字段" };
            match (meant, belongs_in) {
                (Some(meant), _) => format!("{consequence}：`{name}`；是否想写 `{meant}`？"),
                (None, Some(way)) => format!("{consequence}：`{name}`；它属于 `{way}`"),
                (None, None) => format!("{consequence}：`{name}`"),
            }
        }
        DecodeProblem::NewerField { since, ignored } => {
            let consequence = if *ignored { "，服务器会丢弃它" } else { "" };
            format!("Kubernetes {since} 之前的未知字段{consequence}")
        }
        DecodeProblem::WrongType { expected, found } => {
            let hint = match (expected, found) {
                (Expected::String, Found::Bool | Found::Number) => "；请加引号",
                (Expected::Bool | Expected::Integer, Found::String) => "；请去掉引号",
                _ => "",
            };
            format!("此处应为{}，却是{}{hint}", expected_chinese(*expected), found_chinese(*found))
        }
        DecodeProblem::NotAWholeNumber { written, bits } => format!("`{written}` 不是 {bits} 位整数"),
        DecodeProblem::NotAQuantity { written } => {
            format!("`{written}` 不是资源量：应为数字加后缀，例如 `100m`、`1.5`、`2Gi` 或 `1e3`")
        }
        DecodeProblem::NotATime { written } => format!("`{written}` 不是时间，格式例如 `2026-01-31T12:00:00Z`"),
        DecodeProblem::WrongApiVersion { written } => {
            format!("`{written}` 中没有 DaemonSet；API 版本应为 `apps/v1`")
        }
        DecodeProblem::WrongKind { written } => {
            format!("`apps/v1` 中没有 `{written}` 这一类型；是否想写 `DaemonSet`？")
        }
        DecodeProblem::OtherNamespace { written, requested } => {
            format!("对象位于命名空间 `{written}`，而请求发往 `{requested}`")
        }
    }
}

fn expected_english(expected: Expected) -> &'static str {
    match expected {
        Expected::String => "text",
        Expected::Bool => "`true` or `false`",
        Expected::Integer => "a whole number",
        Expected::IntOrString => "a whole number or text",
        Expected::Quantity => "a quantity",
        Expected::Time => "a time",
        Expected::List => "a list",
        Expected::Map => "a map",
        Expected::Object => "an object",
    }
}

fn found_english(found: Found) -> &'static str {
    match found {
        Found::Bool => "a boolean",
        Found::Number => "a number",
        Found::String => "text",
        Found::List => "a list",
        Found::Map => "a map",
    }
}

fn expected_chinese(expected: Expected) -> &'static str {
    match expected {
        Expected::String => "文本",
        Expected::Bool => " `true` 或 `false`",
        Expected::Integer => "整数",
        Expected::IntOrString => "整数或文本",
        Expected::Quantity => "资源量",
        Expected::Time => "时间",
        Expected::List => "列表",
        Expected::Map => "映射",
        Expected::Object => "对象",
    }
}

fn found_chinese(found: Found) -> &'static str {
    match found {
        Found::Bool => "布尔值",
        Found::Number => "数字",
        Found::String => "文本",
        Found::List => "列表",
        Found::Map => "映射",
    }
}
