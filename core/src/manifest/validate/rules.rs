//! Rules that many fields share, as data, and the one function that walks them.

use serde_json::Value;

use super::node::Node;
use super::pod::Pod;
use super::problem::Place;
use super::report::Report;
use super::{AdmissionWarning, Syntax, ValidationProblem};
use crate::json::value_at;

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
    /// None of these fields.
    Without(&'static [&'static str], Place),
    /// No list, be it an empty one.
    NoList(Place),
    /// Nothing: a problem in any case, to be asked for under conditions.
    Refused(&'static ValidationProblem),
    /// Accepted with a warning in any case, to be asked for under conditions.
    WarnedAbout(&'static AdmissionWarning),
    /// What the rule says, when all this is so in the object that the rules are about.
    When(&'static [Condition], &'static Rule),
    /// What the rule says, when all this is so in the pod's spec.
    InPod(&'static [Condition], &'static Rule),
    /// What the rule says, when there is a value.
    Given(&'static Rule),
    /// What the rule says, when there is no value.
    Absent(&'static Rule),
    /// What the rule says, when there is text that is not empty.
    Set(&'static Rule),
    /// An object whose fields follow these rules, when there is one.
    Fields(&'static Rules),
    /// A list each element of which follows these rules.
    Each(&'static Rules),
    /// What a function finds.
    With(fn(&Node<'_>, &Pod<'_>, &mut Report<'_>)),
}

/// The way to a field, its steps joined by dots, and what is asked of it.
pub(super) type Condition = (&'static str, Is);

/// What a field may be.
#[derive(Clone, Copy)]
pub(super) enum Is {
    /// There is a value, be it an empty one.
    Given,
    /// True.
    True,
    /// Anything else than true.
    NotTrue,
    /// False.
    False,
    /// Text that is one of these; absent text is empty.
    OneOf(&'static [&'static str]),
    /// Text that is none of these; absent text is empty.
    NoneOf(&'static [&'static str]),
    /// A list or map with something in it.
    Filled,
    /// Anything else.
    Empty,
}

/// Text that is there.
pub(super) const SET: Is = Is::NoneOf(&[""]);

/// Whether all conditions hold of an object.
fn hold(conditions: &[Condition], object: &Node<'_>) -> bool {
    conditions.iter().all(|(way, is)| {
        let value = value_at(object.value, way).unwrap_or(&Value::Null);
        let text = || value.as_str().unwrap_or("");
        let is_filled = || match value {
            Value::Array(items) => !items.is_empty(),
            Value::Object(entries) => !entries.is_empty(),
            _ => false,
        };
        match is {
            Is::Given => !value.is_null(),
            Is::True => value.as_bool() == Some(true),
            Is::NotTrue => value.as_bool() != Some(true),
            Is::False => value.as_bool() == Some(false),
            Is::OneOf(words) => words.contains(&text()),
            Is::NoneOf(words) => !words.contains(&text()),
            Is::Filled => is_filled(),
            Is::Empty => !is_filled(),
        }
    })
}

/// Reports which fields of an object break their rules.
#[inline(never)]
pub(super) fn apply(rules: &Rules, owner: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    for (way, rule) in rules {
        apply_at(way, rule, owner, owner, pod, report);
    }
}

fn apply_at(way: &str, rule: &Rule, here: &Node<'_>, owner: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    if way.is_empty() {
        return check(rule, here, owner, pod, report);
    }
    let (step, rest) = way.split_once('.').unwrap_or((way, ""));
    apply_at(rest, rule, &here.field(step), owner, pod, report);
}

fn check(rule: &Rule, node: &Node<'_>, owner: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
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
        Rule::Without(fields, place) => report.forbid(node, fields, place),
        Rule::NoList(place) => {
            if report.has_list(node) {
                report.error(node, ValidationProblem::NotIn { place });
            }
        }
        Rule::Refused(problem) => report.error(node, problem.clone()),
        Rule::WarnedAbout(warning) => report.warning(node, warning.clone()),
        Rule::When(conditions, rule) => check_if(hold(conditions, owner), rule, node, owner, pod, report),
        Rule::InPod(conditions, rule) => check_if(hold(conditions, pod.spec), rule, node, owner, pod, report),
        Rule::Given(rule) => check_if(node.exists(), rule, node, owner, pod, report),
        Rule::Absent(rule) => check_if(!node.exists(), rule, node, owner, pod, report),
        Rule::Set(rule) => check_if(!node.as_text().is_empty(), rule, node, owner, pod, report),
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

fn check_if(applies: bool, rule: &Rule, node: &Node<'_>, owner: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    if applies {
        check(rule, node, owner, pod, report);
    }
}

fn exceeds(count: usize, limit: u32) -> bool {
    u32::try_from(count).map_or(true, |count| count > limit)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Rule::{
        Absent, Each, Fields, Given, InPod, MostItems, Range, RangeOrZero, Refused, Required, Set, When, With, Without,
        Word,
    };
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
        assert_eq!(found(RULES), ["word", "a.b", "list[0].n", "list[1].m", "list[1].k", "list", "a"]);
    }

    #[test]
    fn conditions_ask_the_object_that_the_rules_are_about() {
        const WRONG: &Rule = &Refused(&ValidationProblem::MoreThanOne);
        const RULES: &Rules = &[
            ("given", When(&[("a.b", Is::Given)], WRONG)),
            ("not.given", When(&[("a.c", Is::Given)], WRONG)),
            ("word", When(&[("word", Is::OneOf(&["Alway"])), ("a.c", Is::OneOf(&[""]))], WRONG)),
            ("no.word", When(&[("word", Is::NoneOf(&["Alway"]))], WRONG)),
            ("true", When(&[("yes", Is::True), ("no", Is::NotTrue), ("no", Is::False), ("a", Is::NotTrue)], WRONG)),
            ("false", When(&[("a", Is::False)], WRONG)),
            ("filled", When(&[("list", Is::Filled), ("a", Is::Filled), ("word", Is::Empty)], WRONG)),
            ("empty", When(&[("list", Is::Empty)], WRONG)),
            ("list", Each(&[("m", When(&[("k", Is::Given)], WRONG)), ("m", InPod(&[("yes", Is::True)], WRONG))])),
            ("list", Each(&[("m", Absent(WRONG)), ("", Without(&["m", "o"], Place::PodTemplate))])),
        ];
        let expected =
            ["given", "word", "true", "filled", "list[0].m", "list[0].m", "list[1].m", "list[0].m", "list[1].m"];
        assert_eq!(found(RULES), expected);
    }

    fn found(rules: &Rules) -> Vec<String> {
        let json = json!({
            "a": {"b": ""}, "list": [{"n": 5, "k": 1}, {"m": ""}], "word": "Alway", "yes": true, "no": false
        });
        let (root, nowhere) = (Node::root(&json), Tree { value: TreeValue::Null, span: Span::default() });
        let mut report = Report::new(&nowhere, 0, &[]);
        apply(rules, &root, &Pod { spec: &root, volumes: None, allowance: &Allowance::default() }, &mut report);
        report.into_problems().iter().map(|problem| problem.path.to_string()).collect()
    }
}
