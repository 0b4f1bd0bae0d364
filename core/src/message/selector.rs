use super::{Language, Words};
use crate::scheduling::SelectorFault;

impl Words for SelectorFault {
    fn words(&self, language: Language) -> String {
        match (self, language) {
            (Self::Empty, Language::English) => "there is nothing between two commas".to_owned(),
            (Self::Empty, Language::Chinese) => "两个逗号之间没有内容".to_owned(),
            (Self::Key(text), Language::English) => format!("`{text}` is no label key"),
            (Self::Key(text), Language::Chinese) => format!("`{text}` 不是标签键"),
            (Self::Value(text), Language::English) => format!("`{text}` is no label value"),
            (Self::Value(text), Language::Chinese) => format!("`{text}` 不是标签值"),
            (Self::Operator(text), Language::English) => {
                format!("`{text}` has none of =, !=, in (…) and notin (…) behind its key")
            }
            (Self::Operator(text), Language::Chinese) => format!("`{text}` 的键之后不是 =、!=、in (…) 或 notin (…)"),
            (Self::Brackets(text), Language::English) => format!("`{text}` needs its values in round brackets"),
            (Self::Brackets(text), Language::Chinese) => format!("`{text}` 的值应写在圆括号中"),
        }
    }
}
