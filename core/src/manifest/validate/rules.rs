//! Rules that many fields share, as data, and the one function that walks them.

use super::node::Node;
use super::pod::Pod;
use super::report::Report;
use super::{Syntax, ValidationProblem};

/// Rules on an object's fields in the order in which the API server applies them: the way to a field, its steps joined
/// by dots and empty for the object itself, and what stands there.
pub(super) type Rules = [(&'static str, Rule)];

/// What a field must be.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    /// A value that is not empty.
    Required,
    /// Text of this shape.
    Shape(Syntax),
    /// Text of this shape, which may not be empty.
    RequiredShape(Syntax),
    /// One of these words.
    Word(&'static [&'static str]),
    /// One of these words, none of which is empty.
    RequiredWord(&'static [&'static str]),
    /// A number from the first to the second, or none.
    Range(&'static [i64; 2]),
    /// A number from the first to the second; none counts as zero.
    RangeOrZero(&'static [i64; 2]),
    /// A number of at least this, or none.
    Minimum(i32),
    /// No amount below zero.
    NotNegative,
    /// Text of at most so many bytes.
    MostBytes(u32),
    /// A list of at most so many elements.
    MostItems(u32),
    /// What the rule says, when there is a value.
    Given(&'static Rule),
    /// What the rule says, when there is text that is not empty.
    Set(&'static Rule),
    /// An object whose fields follow these rules, when there is one.
    Fields(&'static Rules),
    /// A list each element of which follows these rules.
    Each(&'static Rules),
    /// What a function finds.
    With(fn(&Node<'_>, &Pod<'_>, &mut Report<'_>)),
}

/// Reports which fields of an object break their rules.
#[inline(never)]
pub(super) fn apply(rules: &Rules, owner: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    for (way, rule) in rules {
        apply_at(way, rule, owner, pod, report);
    }
}

fn apply_at(way: &str, rule: &Rule, owner: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    if way.is_empty() {
        return check(rule, owner, pod, report);
    }
    let (step, rest) = way.split_once('.').unwrap_or((way, ""));
    apply_at(rest, rule, &owner.field(step), pod, report);
}

fn check(rule: &Rule, node: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    match *rule {
        Rule::Required => report.require(node),
        Rule::Shape(syntax) => report.check(node, syntax),
        Rule::RequiredShape(syntax) => report.require_and_check(node, syntax),
        Rule::Word(words) => report.check_word(node, words),
        Rule::RequiredWord(words) => report.require_word(node, words),
        Rule::Range([minimum, maximum]) => report.check_range(node, node.value.as_i64(), *minimum, *maximum),
        Rule::RangeOrZero([minimum, maximum]) => report.check_range(node, Some(node.as_number()), *minimum, *maximum),
        Rule::Minimum(minimum) => report.check_minimum(node, node.value.as_i64(), minimum.into()),
        Rule::NotNegative => {
            if node.quantity().is_some_and(crate::api::Quantity::is_negative) {
                report.error(node, ValidationProblem::NegativeAmount);
            }
        }
        Rule::MostBytes(limit) => {
            if exceeds(node.as_text().len(), limit) {
                report.error(node, ValidationProblem::TooLong { limit });
            }
        }
        Rule::MostItems(limit) => {
            if exceeds(node.len(), limit) {
                report.error(node, ValidationProblem::TooMany { limit });
            }
        }
        Rule::Given(rule) => {
            if node.exists() {
                check(rule, node, pod, report);
            }
        }
        Rule::Set(rule) => {
            if !node.as_text().is_empty() {
                check(rule, node, pod, report);
            }
        }
        Rule::Fields(rules) => {
            if node.exists() {
                apply(rules, node, pod, report);
            }
        }
        Rule::Each(rules) => {
            for item in node.items() {
                apply(rules, &item, pod, report);
            }
        }
        Rule::With(rule) => rule(node, pod, report),
    }
}

fn exceeds(count: usize, limit: u32) -> bool {
    u32::try_from(count).map_or(true, |count| count > limit)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Rule::{Each, Fields, Given, MostItems, Range, RangeOrZero, Required, Set, With, Word};
    use super::*;
    use crate::manifest::validate::allowance::Allowance;
    use crate::manifest::{Span, Tree, TreeValue};

    #[test]
    fn rules_reach_what_is_there_in_their_order() {
        const RULES: &Rules = &[
            ("word", Set(&Word(&["Always"]))),
            ("no.word", Set(&Word(&["Always"]))),
            ("a.b", Required),
            ("list", Each(&[("n", Range(&[0, 3])), ("m", Given(&Required)), ("k", RangeOrZero(&[1, 3]))])),
            ("absent", Fields(&[("x", Required)])),
            ("list", MostItems(1)),
            ("a", With(|a, _, report| report.error(a, ValidationProblem::MoreThanOne))),
        ];
        let json = json!({"a": {"b": ""}, "list": [{"n": 5, "k": 1}, {"m": ""}], "word": "Alway"});
        let (root, nowhere) = (Node::root(&json), Tree { value: TreeValue::Null, span: Span::default() });
        let mut report = Report::new(&nowhere, 0, &[]);
        apply(RULES, &root, &Pod { spec: &root, volumes: None, allowance: &Allowance::default() }, &mut report);
        let paths: Vec<String> = report.into_problems().iter().map(|problem| problem.path.to_string()).collect();
        assert_eq!(paths, ["word", "a.b", "list[0].n", "list[1].m", "list[1].k", "list", "a"]);
    }
}
