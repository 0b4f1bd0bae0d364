use super::Words;
use super::telling::{Telling, tell};
use crate::scheduling::SelectorFault;

impl Words for SelectorFault {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::Empty => tell!(to, "there is nothing between two commas", "两个逗号之间没有内容"),
            Self::Key(text) => tell!(to, "`{}` is no label key", "`{}` 不是标签键", text),
            Self::Value(text) => tell!(to, "`{}` is no label value", "`{}` 不是标签值", text),
            Self::Operator(text) => tell!(
                to,
                "`{}` has none of =, !=, in (…) and notin (…) behind its key",
                "`{}` 的键之后不是 =、!=、in (…) 或 notin (…)",
                text
            ),
            Self::Brackets(text) => {
                tell!(to, "`{}` needs its values in round brackets", "`{}` 的值应写在圆括号中", text);
            }
        }
    }
}
