use super::Words;
use super::telling::{Both, Telling, tell};
use crate::both;
use crate::manifest::{SyntaxFault, TextProblem, ValueKind};

impl Words for TextProblem {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::TooLarge { bytes, limit } => tell!(
                to,
                "the text has {0} bytes; at most {1} are read",
                "文本有 {0} 字节；最多读取 {1} 字节",
                bytes,
                limit
            ),
            Self::NotUtf8 { utf16: true } => {
                tell!(to, "the text is UTF-16; save it as UTF-8", "文本是 UTF-16；请另存为 UTF-8");
            }
            Self::NotUtf8 { utf16: false } => {
                tell!(to, "this byte is not UTF-8; save the text as UTF-8", "此字节不是 UTF-8；请将文本另存为 UTF-8");
            }
            Self::ControlCharacter { code } => {
                tell!(to, "the character U+{0} is not allowed in YAML", "YAML 不允许字符 U+{0}", format!("{code:04X}"));
            }
            Self::Nothing => {
                tell!(to, "there is nothing but blank lines and comments here", "这里只有空行和注释");
            }
            Self::TooManyDocuments { limit } => {
                tell!(to, "only the first {0} documents are read", "只读取前 {0} 个文档", limit);
            }
            Self::MoreProblems => {
                tell!(to, "there are more problems, which are not shown", "还有更多问题未显示");
            }
            Self::Syntax(fault) => fault.tell(to),
            Self::Unrendered => tell!(
                to,
                "this is a template, not YAML: render it first (for a Helm chart `helm template`) and give the result",
                "这是模板，不是 YAML：请先渲染（Helm chart 用 `helm template`），再给出结果"
            ),
            Self::TooDeep { limit } => {
                tell!(to, "values are nested more than {0} levels deep", "值的嵌套超过 {0} 层", limit);
            }
            Self::TooManyAliases => {
                tell!(to, "aliases would make this document many times as large as it is", "别名会使此文档膨胀许多倍");
            }
            Self::AliasInsideItself => {
                tell!(to, "this alias stands inside the very value it names", "此别名位于它所指的值之内");
            }
            Self::RepeatedKey { key, first_line, line } => tell!(
                to,
                "`{0}` is given twice, in lines {1} and {2}; the last one counts",
                "`{0}` 给出了两次，在第 {1} 行和第 {2} 行；以后者为准",
                key,
                first_line,
                line
            ),
            Self::MergeReplaces { key } => tell!(
                to,
                "`<<` below brings `{0}` as well and replaces this one; put `<<` first to keep it",
                "下方的 `<<` 也带有 `{0}` 并会替换此处的值；要保留它，请把 `<<` 放在最前",
                key
            ),
            Self::MergeOfNoMap => {
                tell!(to, "`<<` takes a map or a list of maps", "`<<` 的值应为映射或映射的列表");
            }
            Self::UnusableKey { found } => {
                tell!(to, "{0} cannot be a key here", "{0}不能用作键", Both(value_kind(*found)));
            }
            Self::NotFinite { text } => tell!(
                to,
                "`{0}` has no form in JSON; quote it if it is text",
                "`{0}` 无法用 JSON 表示；若是文本请加引号",
                text
            ),
            Self::TagMismatch { text, tag } => {
                tell!(to, "`{0}` is not what its tag `{1}` says", "`{0}` 与其标签 `{1}` 不符", text, tag);
            }
            Self::NotBase64 => tell!(to, "`!!binary` takes base64", "`!!binary` 的值应为 base64"),
        }
    }
}

impl Words for SyntaxFault {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::Tab => {
                tell!(to, "a tab stands where only spaces may indent", "只能用空格缩进，此处是制表符");
            }
            Self::ColonInValue => tell!(
                to,
                "a `key: value` cannot start here; quote the text if the colon is part of it",
                "此处不能开始 `key: value`；若冒号属于文本，请加引号"
            ),
            Self::Indentation => {
                tell!(to, "this line is indented unlike those it belongs to", "此行的缩进与所属内容不一致");
            }
            Self::MissingColon => tell!(to, "a key without its colon", "键后缺少冒号"),
            Self::OpenBracket { open } => tell!(
                to,
                "`{0}` is not closed, or a comma is missing before this",
                "`{0}` 未闭合，或此前缺少逗号",
                open
            ),
            Self::MismatchedBracket { open, close } => {
                tell!(to, "`{0}` is closed by `{1}`", "`{0}` 被 `{1}` 闭合", open, close);
            }
            Self::StrayBracket => tell!(to, "this bracket closes nothing", "此括号没有对应的开括号"),
            Self::OpenQuote => tell!(to, "a quote is not closed", "引号未闭合"),
            Self::TextBehindQuote => tell!(
                to,
                "text goes on directly behind a closing quote; quote all of it",
                "闭引号之后紧接着文本；请将全部文本放入引号"
            ),
            Self::Escape => tell!(
                to,
                "this `\\` escape does not exist; double it, or use single quotes",
                "不存在此 `\\` 转义；请写两个反斜杠，或改用单引号"
            ),
            Self::UnknownAnchor => tell!(
                to,
                "this alias has no anchor before it; quote the text if it is no alias",
                "此别名之前没有对应的锚点；若不是别名，请加引号"
            ),
            Self::AnchorName => tell!(
                to,
                "an anchor or alias without a name; quote the text if it is neither",
                "锚点或别名缺少名称；若两者都不是，请加引号"
            ),
            Self::Tag => tell!(
                to,
                "this tag is not well formed; quote the text if it is no tag",
                "标签格式不正确；若不是标签，请加引号"
            ),
            Self::Directive => tell!(to, "this directive is not well formed", "指令格式不正确"),
            Self::Comment => tell!(
                to,
                "a comment needs a space before it, and cannot interrupt a text",
                "注释之前需要空格，且不能打断文本"
            ),
            Self::BlockHeader => tell!(
                to,
                "`|` and `>` take a digit, `+` or `-` and then a new line",
                "`|` 和 `>` 之后只能是数字、`+` 或 `-`，然后换行"
            ),
            Self::Character { character } => tell!(
                to,
                "`{0}` cannot start a value; quote it",
                "值不能以 `{0}` 开头；请加引号",
                character.escape_default().to_string()
            ),
            Self::End => tell!(to, "the document ends in the middle of a value", "文档在值的中间结束"),
            Self::Other => tell!(to, "this is not YAML", "这不是 YAML"),
        }
    }
}

/// A kind of value where something else belongs.
pub(super) fn value_kind(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Null => both!("nothing (`null`)", "空值（`null`）"),
        ValueKind::Bool => both!("a boolean", "布尔值"),
        ValueKind::Number => both!("a number", "数字"),
        ValueKind::String => both!("text", "文本"),
        ValueKind::Sequence => both!("a list", "列表"),
        ValueKind::Mapping => both!("a map", "映射"),
    }
}
