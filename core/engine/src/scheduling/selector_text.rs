use kube_core::Expression;

use super::{is_label_value, is_qualified_name};
use crate::api::{Labels, Text};

/// Why the text of a label selector cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectorFault {
    /// Nothing between two commas.
    Empty,
    /// What stands for a key is none.
    Key(Text),
    /// What stands for a value is none.
    Value(Text),
    /// Neither `=`, `==`, `!=`, `in (…)` nor `notin (…)` follows the key.
    Operator(Text),
    /// `in` or `notin` without values in round brackets.
    Brackets(Text),
}

/// Reads a label selector as `kubectl -l` takes it (`labels.Parse`, apimachinery 1.36), but for `<` and `>`, which no
/// label query of the API server's own needs.
///
/// # Errors
/// The first part that cannot be read.
pub fn parse_selector(text: &str) -> Result<Vec<Expression>, SelectorFault> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    parts(text).map(|part| parse_part(part.trim())).collect()
}

/// The parts between commas that stand outside round brackets.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_u32;
    text.split(move |character| {
        match character {
            '(' => depth = depth.saturating_add(1),
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0
    })
}

fn parse_part(part: &str) -> Result<Expression, SelectorFault> {
    if part.is_empty() {
        return Err(SelectorFault::Empty);
    }
    if let Some(rest) = part.strip_prefix('!') {
        return Ok(Expression::DoesNotExist(key(rest)?));
    }
    if let Some((left, right)) = part.split_once("!=") {
        return Ok(Expression::NotEqual(key(left)?, value(right)?));
    }
    if let Some((left, right)) = part.split_once('=') {
        return Ok(Expression::Equal(key(left)?, value(right.strip_prefix('=').unwrap_or(right))?));
    }
    let Some((left, right)) = part.split_once(|character: char| character.is_whitespace() || character == '(') else {
        return Ok(Expression::Exists(key(part)?));
    };
    // The bracket may follow the operator at once: put back what was split off.
    let right = part.get(left.len()..).unwrap_or(right).trim_start();
    let key = key(left)?;
    let (operator, list) = right.split_once('(').map_or((right, None), |(operator, list)| (operator, Some(list)));
    let list = || {
        let list = list.and_then(|list| list.trim_end().strip_suffix(')'));
        let list = list.ok_or_else(|| SelectorFault::Brackets(Text::new(part)))?;
        list.split(',').map(value).collect::<Result<_, _>>()
    };
    match operator.trim() {
        "in" => Ok(Expression::In(key, list()?)),
        "notin" => Ok(Expression::NotIn(key, list()?)),
        _ => Err(SelectorFault::Operator(Text::new(part))),
    }
}

fn key(text: &str) -> Result<String, SelectorFault> {
    let text = text.trim();
    if is_qualified_name(text) { Ok(text.to_owned()) } else { Err(SelectorFault::Key(Text::new(text))) }
}

fn value(text: &str) -> Result<String, SelectorFault> {
    let text = text.trim();
    if is_label_value(text) { Ok(text.to_owned()) } else { Err(SelectorFault::Value(Text::new(text))) }
}

/// Whether labels satisfy every expression (`labels.Requirement.Matches`, apimachinery 1.36).
pub fn selects(expressions: &[Expression], labels: &Labels) -> bool {
    expressions.iter().all(|expression| match expression {
        Expression::Equal(key, value) => labels.get(key).is_some_and(|found| found == value),
        Expression::NotEqual(key, value) => labels.get(key).is_none_or(|found| found != value),
        Expression::In(key, values) => labels.get(key).is_some_and(|found| values.contains(found.as_str())),
        Expression::NotIn(key, values) => labels.get(key).is_none_or(|found| !values.contains(found.as_str())),
        Expression::Exists(key) => labels.get(key).is_some(),
        Expression::DoesNotExist(key) => labels.get(key).is_none(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_that_kubectl_takes_is_read() {
        let labels: Labels = [("zone", "a"), ("example.com/gpu", "yes"), ("empty", "")].into_iter().collect();
        for text in [
            "",
            "zone",
            "zone=a",
            "zone==a",
            "zone = a",
            "zone!=b",
            "missing!=b",
            "!missing",
            "empty=",
            "zone in (a,b)",
            "zone in(a)",
            "zone notin (b, c)",
            "zone in (a),example.com/gpu=yes, !missing",
        ] {
            assert!(selects(&parse_selector(text).unwrap(), &labels), "{text}");
        }
        for text in ["zone=b", "missing", "zone!=a", "!zone", "zone in (b)", "zone notin (a,b)", "zone=a,zone=b"] {
            assert!(!selects(&parse_selector(text).unwrap(), &labels), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (text, fault) in [
            ("a,,b", SelectorFault::Empty),
            ("-a=b", SelectorFault::Key("-a".into())),
            ("a=b c", SelectorFault::Value("b c".into())),
            ("a within (b)", SelectorFault::Operator("a within (b)".into())),
            ("a in b", SelectorFault::Operator("a in b".into())),
            ("a in", SelectorFault::Brackets("a in".into())),
            ("a in (b", SelectorFault::Brackets("a in (b".into())),
        ] {
            assert_eq!(parse_selector(text), Err(fault), "{text}");
        }
    }
}
