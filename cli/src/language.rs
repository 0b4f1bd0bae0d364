//! Which language to speak.

use clap::ValueEnum;
use rollcast_core::message::Language;

/// The values of `--lang`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LanguageChoice {
    /// English
    En,
    /// 简体中文
    Zh,
}

impl From<LanguageChoice> for Language {
    fn from(choice: LanguageChoice) -> Self {
        match choice {
            LanguageChoice::En => Self::English,
            LanguageChoice::Zh => Self::Chinese,
        }
    }
}

/// The language of the locale: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set and not empty, as POSIX
/// orders them.
pub fn from_environment() -> Language {
    of_locale(["LC_ALL", "LC_MESSAGES", "LANG"].map(|name| std::env::var(name).ok()))
}

fn of_locale(variables: [Option<String>; 3]) -> Language {
    let locale = variables.into_iter().flatten().find(|value| !value.is_empty()).unwrap_or_default();
    let language = locale.split(['_', '.', '@', '-']).next().unwrap_or_default();
    if language.eq_ignore_ascii_case("zh") { Language::Chinese } else { Language::English }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_locale_variable_that_is_set_decides() {
        let locale = |all: &str, messages: &str, lang: &str| {
            of_locale([all, messages, lang].map(|value| Some(value.to_owned())))
        };
        assert_eq!(locale("", "", "zh_CN.UTF-8"), Language::Chinese);
        assert_eq!(locale("C", "", "zh_CN.UTF-8"), Language::English);
        assert_eq!(locale("", "zh_TW", "en_GB.UTF-8"), Language::Chinese);
        assert_eq!(locale("", "", "zha_CN"), Language::English);
        assert_eq!(of_locale([None, None, None]), Language::English);
    }
}
