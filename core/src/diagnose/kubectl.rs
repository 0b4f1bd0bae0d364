//! Commands for kubectl, quoted for a POSIX shell.

use crate::api::{IntOrString, ObjectKey, Text, Toleration};
use crate::json::to_text;

/// A command line that grows word by word. A name that no object can have spoils it: then there is no command.
#[derive(Debug)]
pub(super) struct CommandLine {
    text: String,
    spoilt: bool,
}

impl CommandLine {
    /// `kubectl`, about something that has no namespace.
    pub(super) fn cluster_wide() -> Self {
        Self { text: "kubectl".to_owned(), spoilt: false }
    }

    /// `kubectl -n NAMESPACE`.
    pub(super) fn in_namespace(namespace: &str) -> Self {
        let line = Self::cluster_wide();
        if namespace.is_empty() { line } else { line.plain("-n").name(namespace) }
    }

    /// `kubectl -n NAMESPACE VERB daemonset NAME`.
    pub(super) fn on(daemon_set: &ObjectKey, verb: &str) -> Self {
        Self::in_namespace(&daemon_set.namespace).plain(verb).plain("daemonset").name(&daemon_set.name)
    }

    /// `kubectl -n NAMESPACE patch daemonset NAME --type=merge -p PATCH`; the patch has this member of `spec`.
    pub(super) fn patch_spec(daemon_set: &ObjectKey, member: &str, json: String) -> Self {
        let patch = object(&[("spec", object(&[(member, json)]))]);
        Self::on(daemon_set, "patch").plain("--type=merge -p").argument(&patch)
    }

    /// Words that are written in this crate: they need no quotes.
    pub(super) fn plain(mut self, words: &str) -> Self {
        self.text.push(' ');
        self.text.push_str(words);
        self
    }

    /// One word, in quotes where the shell would read something else.
    pub(super) fn argument(mut self, word: &str) -> Self {
        self.spoilt |= word.chars().any(char::is_control);
        self.text.push(' ');
        self.text.push_str(&quoted(word));
        self
    }

    /// The name of an object, which kubectl must not take for a flag.
    pub(super) fn name(mut self, name: &str) -> Self {
        self.spoilt |= name.is_empty() || name.starts_with('-');
        self.argument(name)
    }

    /// The names of objects, at least one.
    pub(super) fn names(mut self, names: &[Text]) -> Self {
        self.spoilt |= names.is_empty();
        for name in names {
            self = self.name(name);
        }
        self
    }

    /// The line, if it means what it says.
    pub(super) fn finish(self) -> Option<String> {
        (!self.spoilt).then_some(self.text)
    }
}

/// An object of JSON, whose members' values are JSON already.
pub(super) fn object(members: &[(&str, String)]) -> String {
    let members: Vec<String> = members.iter().map(|(name, value)| [&string(name), ":", value].concat()).collect();
    ["{", &members.join(","), "}"].concat()
}

/// A list of JSON.
pub(super) fn list(items: &[String]) -> String {
    ["[", &items.join(","), "]"].concat()
}

/// Text as JSON.
pub(super) fn string(text: &str) -> String {
    to_text(&text.into())
}

/// A limit as JSON.
pub(super) fn limit(limit: &IntOrString) -> String {
    match limit {
        IntOrString::Int(count) => count.to_string(),
        IntOrString::String(text) => string(text),
    }
}

/// A toleration as JSON.
pub(super) fn toleration(toleration: &Toleration) -> String {
    let Toleration { key, operator, value, effect, toleration_seconds } = toleration;
    let text = |name, text: &str| (!text.is_empty()).then(|| (name, string(text)));
    let members = [
        text("effect", effect.as_str()),
        text("key", key),
        text("operator", operator),
        toleration_seconds.map(|seconds| ("tolerationSeconds", seconds.to_string())),
        text("value", value),
    ];
    object(&members.into_iter().flatten().collect::<Vec<_>>())
}

/// A word as a POSIX shell reads it back.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_./:=@%+,-".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_the_shell_would_read_something_else() {
        assert_eq!(quoted("agent-x.y:1/2=3@4%"), "agent-x.y:1/2=3@4%");
        assert_eq!(quoted(r#"{"a":1}"#), r#"'{"a":1}'"#);
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("*"), "'*'");
    }

    #[test]
    fn a_name_that_reads_as_a_flag_or_moves_the_cursor_makes_no_command() {
        let line = |name: &str| CommandLine::in_namespace("ns").plain("delete pod").name(name).finish();
        assert_eq!(line("agent-x").as_deref(), Some("kubectl -n ns delete pod agent-x"));
        assert_eq!(line("; rm -rf /").as_deref(), Some("kubectl -n ns delete pod '; rm -rf /'"));
        assert_eq!(line("--all"), None);
        assert_eq!(line("a\nb"), None);
        assert_eq!(line(""), None);
        assert_eq!(CommandLine::cluster_wide().plain("delete nodes").names(&[]).finish(), None);
    }
}
