//! Commands for kubectl, quoted for a POSIX shell.

use crate::api::{IntOrString, ObjectKey, Text, Toleration};
use crate::json::to_text;

/// What stands for a `{}` of a command line.
#[derive(Clone, Copy, Debug)]
pub(super) enum Word<'a> {
    /// One word, in quotes where the shell would read something else.
    Argument(&'a str),
    /// The name of an object, which kubectl must not take for a flag.
    Name(&'a str),
    /// The names of objects, at least one.
    Names(&'a [Text]),
}

/// `kubectl LINE`, about something that has no namespace.
pub(super) fn cluster_wide(line: &str, words: &[Word<'_>]) -> Option<String> {
    in_namespace("", line, words)
}

/// `kubectl -n NAMESPACE LINE`: the line is written in this crate, and each `{}` in it stands for the next word. Absent
/// when a name that no object can have spoils it.
pub(super) fn in_namespace(namespace: &str, line: &str, words: &[Word<'_>]) -> Option<String> {
    let mut command = "kubectl".to_owned();
    if !namespace.is_empty() {
        command.push_str(" -n");
        push_name(&mut command, namespace)?;
    }
    let mut words = words.iter();
    for part in line.split(' ') {
        if part != "{}" {
            command.extend([" ", part]);
            continue;
        }
        match *words.next()? {
            Word::Argument(word) => push(&mut command, word)?,
            Word::Name(name) => push_name(&mut command, name)?,
            Word::Names([]) => return None,
            Word::Names(names) => names.iter().try_for_each(|name| push_name(&mut command, name))?,
        }
    }
    Some(command)
}

/// `kubectl -n NAMESPACE patch daemonset NAME --type=merge -p PATCH`; the patch has this member of `spec`.
pub(super) fn patch_spec(daemon_set: &ObjectKey, member: &str, json: String) -> Option<String> {
    let patch = object(&[("spec", object(&[(member, json)]))]);
    let words = [Word::Name(&daemon_set.name), Word::Argument(&patch)];
    in_namespace(&daemon_set.namespace, "patch daemonset {} --type=merge -p {}", &words)
}

fn push_name(line: &mut String, name: &str) -> Option<()> {
    if name.is_empty() || name.starts_with('-') { None } else { push(line, name) }
}

/// Adds a word as a POSIX shell reads it back, unless it would move the cursor.
fn push(line: &mut String, word: &str) -> Option<()> {
    if word.chars().any(char::is_control) {
        return None;
    }
    line.extend([" ", &quoted(word)]);
    Some(())
}

/// An object of JSON, whose members' values are JSON already; those without one are left out.
pub(super) fn object(members: &[(&str, String)]) -> String {
    let mut json = String::new();
    for (name, value) in members.iter().filter(|(_, value)| !value.is_empty()) {
        json.push_str(if json.is_empty() { "{" } else { "," });
        json.extend([&string(name), ":", value]);
    }
    json.push('}');
    json
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
    let text = |text: &str| if text.is_empty() { String::new() } else { string(text) };
    object(&[
        ("effect", text(effect.as_str())),
        ("key", text(key)),
        ("operator", text(operator)),
        ("tolerationSeconds", toleration_seconds.map(|seconds| seconds.to_string()).unwrap_or_default()),
        ("value", text(value)),
    ])
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
        let line = |name: &str| in_namespace("ns", "delete pod {}", &[Word::Name(name)]);
        assert_eq!(line("agent-x").as_deref(), Some("kubectl -n ns delete pod agent-x"));
        assert_eq!(line("; rm -rf /").as_deref(), Some("kubectl -n ns delete pod '; rm -rf /'"));
        assert_eq!(line("--all"), None);
        assert_eq!(line("a\nb"), None);
        assert_eq!(line(""), None);
        assert_eq!(cluster_wide("delete nodes {}", &[Word::Names(&[])]), None);
    }
}
