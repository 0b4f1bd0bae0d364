use super::{Language, Words};
use crate::manifest::{SyntaxFault, TextProblem, ValueKind};

impl Words for TextProblem {
    fn words(&self, language: Language) -> String {
        match language {
            Language::English => english(self),
            Language::Chinese => chinese(self),
        }
    }
}

fn english(problem: &TextProblem) -> String {
    match problem {
        TextProblem::TooLarge { bytes, limit } => format!("the text has {bytes} bytes; at most {limit} are read"),
        TextProblem::NotUtf8 { utf16: true } => "the text is UTF-16; save it as UTF-8".to_owned(),
        TextProblem::NotUtf8 { utf16: false } => "this byte is not UTF-8; save the text as UTF-8".to_owned(),
        TextProblem::ControlCharacter { code } => format!("the character U+{code:04X} is not allowed in YAML"),
        TextProblem::Nothing => "there is nothing but blank lines and comments here".to_owned(),
        TextProblem::TooManyDocuments { limit } => format!("only the first {limit} documents are read"),
        TextProblem::MoreProblems => "there are more problems, which are not shown".to_owned(),
        TextProblem::Syntax(fault) => english_fault(fault),
        TextProblem::Unrendered => {
            "this is a template, not YAML: render it first (for a Helm chart `helm template`) and give the result"
                .to_owned()
        }
        TextProblem::TooDeep { limit } => format!("values are nested more than {limit} levels deep"),
        TextProblem::TooManyAliases => "aliases would make this document many times as large as it is".to_owned(),
        TextProblem::AliasInsideItself => "this alias stands inside the very value it names".to_owned(),
        TextProblem::RepeatedKey { key, first_line, line } => {
            format!("`{key}` is given twice, in lines {first_line} and {line}; the last one counts")
        }
        TextProblem::MergeReplaces { key } => {
            format!("`<<` below brings `{key}` as well and replaces this one; put `<<` first to keep it")
        }
        TextProblem::MergeOfNoMap => "`<<` takes a map or a list of maps".to_owned(),
        TextProblem::UnusableKey { found } => format!("{} cannot be a key here", kind_in_english(*found)),
        TextProblem::NotFinite { text } => format!("`{text}` has no form in JSON; quote it if it is text"),
        TextProblem::TagMismatch { text, tag } => format!("`{text}` is not what its tag `{tag}` says"),
        TextProblem::NotBase64 => "`!!binary` takes base64".to_owned(),
    }
}

fn english_fault(fault: &SyntaxFault) -> String {
    match fault {
        SyntaxFault::Tab => "a tab stands where only spaces may indent".to_owned(),
        SyntaxFault::ColonInValue => {
            "a `key: value` cannot start here; quote the text if the colon is part of it".to_owned()
        }
        SyntaxFault::Indentation => "this line is indented unlike those it belongs to".to_owned(),
        SyntaxFault::MissingColon => "a key without its colon".to_owned(),
        SyntaxFault::OpenBracket { open } => format!("`{open}` is not closed, or a comma is missing before this"),
        SyntaxFault::MismatchedBracket { open, close } => format!("`{open}` is closed by `{close}`"),
        SyntaxFault::StrayBracket => "this bracket closes nothing".to_owned(),
        SyntaxFault::OpenQuote => "a quote is not closed".to_owned(),
        SyntaxFault::TextBehindQuote => "text goes on directly behind a closing quote; quote all of it".to_owned(),
        SyntaxFault::Escape => "this `\\` escape does not exist; double it, or use single quotes".to_owned(),
        SyntaxFault::UnknownAnchor => "this alias has no anchor before it; quote the text if it is no alias".to_owned(),
        SyntaxFault::AnchorName => "an anchor or alias without a name; quote the text if it is neither".to_owned(),
        SyntaxFault::Tag => "this tag is not well formed; quote the text if it is no tag".to_owned(),
        SyntaxFault::Directive => "this directive is not well formed".to_owned(),
        SyntaxFault::Comment => "a comment needs a space before it, and cannot interrupt a text".to_owned(),
        SyntaxFault::BlockHeader => "`|` and `>` take a digit, `+` or `-` and then a new line".to_owned(),
        SyntaxFault::Character { character } => {
            format!("`{}` cannot start a value; quote it", character.escape_default())
        }
        SyntaxFault::End => "the document ends in the middle of a value".to_owned(),
        SyntaxFault::Other => "this is not YAML".to_owned(),
    }
}

pub(super) fn kind_in_english(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Null => "nothing (`null`)",
        ValueKind::Bool => "a boolean",
        ValueKind::Number => "a number",
        ValueKind::String => "text",
        ValueKind::Sequence => "a list",
        ValueKind::Mapping => "a map",
    }
}

fn chinese(problem: &TextProblem) -> String {
    match problem {
        TextProblem::TooLarge { bytes, limit } => format!("文本有 {bytes} 字节；最多读取 {limit} 字节"),
        TextProblem::NotUtf8 { utf16: true } => "文本是 UTF-16；请另存为 UTF-8".to_owned(),
        TextProblem::NotUtf8 { utf16: false } => "此字节不是 UTF-8；请将文本另存为 UTF-8".to_owned(),
        TextProblem::ControlCharacter { code } => format!("YAML 不允许字符 U+{code:04X}"),
        TextProblem::Nothing => "这里只有空行和注释".to_owned(),
        TextProblem::TooManyDocuments { limit } => format!("只读取前 {limit} 个文档"),
        TextProblem::MoreProblems => "还有更多问题未显示".to_owned(),
        TextProblem::Syntax(fault) => chinese_fault(fault),
        TextProblem::Unrendered => {
            "这是模板，不是 YAML：请先渲染（Helm chart 用 `helm template`），再给出结果".to_owned()
        }
        TextProblem::TooDeep { limit } => format!("值的嵌套超过 {limit} 层"),
        TextProblem::TooManyAliases => "别名会使此文档膨胀许多倍".to_owned(),
        TextProblem::AliasInsideItself => "此别名位于它所指的值之内".to_owned(),
        TextProblem::RepeatedKey { key, first_line, line } => {
            format!("`{key}` 给出了两次，在第 {first_line} 行和第 {line} 行；以后者为准")
        }
        TextProblem::MergeReplaces { key } => {
            format!("下方的 `<<` 也带有 `{key}` 并会替换此处的值；要保留它，请把 `<<` 放在最前")
        }
        TextProblem::MergeOfNoMap => "`<<` 的值应为映射或映射的列表".to_owned(),
        TextProblem::UnusableKey { found } => format!("{}不能用作键", kind_in_chinese(*found)),
        TextProblem::NotFinite { text } => format!("`{text}` 无法用 JSON 表示；若是文本请加引号"),
        TextProblem::TagMismatch { text, tag } => format!("`{text}` 与其标签 `{tag}` 不符"),
        TextProblem::NotBase64 => "`!!binary` 的值应为 base64".to_owned(),
    }
}

fn chinese_fault(fault: &SyntaxFault) -> String {
    match fault {
        SyntaxFault::Tab => "只能用空格缩进，此处是制表符".to_owned(),
        SyntaxFault::ColonInValue => "此处不能开始 `key: value`；若冒号属于文本，请加引号".to_owned(),
        SyntaxFault::Indentation => "此行的缩进与所属内容不一致".to_owned(),
        SyntaxFault::MissingColon => "键后缺少冒号".to_owned(),
        SyntaxFault::OpenBracket { open } => format!("`{open}` 未闭合，或此前缺少逗号"),
        SyntaxFault::MismatchedBracket { open, close } => format!("`{open}` 被 `{close}` 闭合"),
        SyntaxFault::StrayBracket => "此括号没有对应的开括号".to_owned(),
        SyntaxFault::OpenQuote => "引号未闭合".to_owned(),
        SyntaxFault::TextBehindQuote => "闭引号之后紧接着文本；请将全部文本放入引号".to_owned(),
        SyntaxFault::Escape => "不存在此 `\\` 转义；请写两个反斜杠，或改用单引号".to_owned(),
        SyntaxFault::UnknownAnchor => "此别名之前没有对应的锚点；若不是别名，请加引号".to_owned(),
        SyntaxFault::AnchorName => "锚点或别名缺少名称；若两者都不是，请加引号".to_owned(),
        SyntaxFault::Tag => "标签格式不正确；若不是标签，请加引号".to_owned(),
        SyntaxFault::Directive => "指令格式不正确".to_owned(),
        SyntaxFault::Comment => "注释之前需要空格，且不能打断文本".to_owned(),
        SyntaxFault::BlockHeader => "`|` 和 `>` 之后只能是数字、`+` 或 `-`，然后换行".to_owned(),
        SyntaxFault::Character { character } => {
            format!("值不能以 `{}` 开头；请加引号", character.escape_default())
        }
        SyntaxFault::End => "文档在值的中间结束".to_owned(),
        SyntaxFault::Other => "这不是 YAML".to_owned(),
    }
}

pub(super) fn kind_in_chinese(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Null => "空值（`null`）",
        ValueKind::Bool => "布尔值",
        ValueKind::Number => "数字",
        ValueKind::String => "文本",
        ValueKind::Sequence => "列表",
        ValueKind::Mapping => "映射",
    }
}
