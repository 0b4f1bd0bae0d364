//! Commands for kubectl, quoted for a POSIX shell.

use serde_json::Value;

use crate::api::{ObjectKey, Text};

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

    /// `kubectl -n NAMESPACE patch daemonset NAME --type=merge -p PATCH`.
    pub(super) fn merge_patch(daemon_set: &ObjectKey, patch: &Value) -> Self {
        Self::on(daemon_set, "patch").plain("--type=merge -p").argument(&patch.to_string())
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
