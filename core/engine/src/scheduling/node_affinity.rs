use super::{is_label_value, is_qualified_name};
use crate::api::{Labels, Node, NodeSelectorRequirement, PodSpec, Text};

/// What a pod asks of a node's labels and name, read once (`nodeaffinity.GetRequiredNodeAffinity`, component-helpers
/// 1.36): `spec.nodeSelector` and the required part of `spec.affinity.nodeAffinity`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeRequirements {
    node_selector: Labels,
    terms: Option<Vec<NodeTerm>>,
}

/// One of the terms of which one must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeTerm {
    requirements: Vec<NodeRequirement>,
    usable: bool,
}

/// One requirement of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeRequirement {
    /// What is looked at.
    pub property: NodeProperty,
    /// What must be true of it.
    pub test: Test,
    /// Position in `matchExpressions`, or in `matchFields`, of the term.
    pub index: u32,
}

/// A property of a node that a requirement looks at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeProperty {
    /// The label with this key (`matchExpressions`).
    Label(Text),
    /// The field of this name (`matchFields`); only `metadata.name` exists, every other one reads as empty text.
    Field(Text),
}

/// What must be true of a label or field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// There, and one of these.
    In(Vec<Text>),
    /// None of these; a label that is not there passes.
    NotIn(Vec<Text>),
    /// There, with any value.
    Exists,
    /// Not there.
    DoesNotExist,
    /// A whole number above this one.
    GreaterThan(i64),
    /// A whole number below this one.
    LessThan(i64),
    /// Not well formed: its whole term never holds.
    Malformed(Malformed),
}

/// Why a requirement makes its whole term unusable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Malformed {
    /// The operator is none that Kubernetes knows here.
    Operator,
    /// The key is not a label key.
    Key,
    /// A value is not a label value.
    Value,
    /// `In` or `NotIn` without values.
    ValuesMissing,
    /// `Exists` or `DoesNotExist` with values.
    ValuesNotAllowed,
    /// `Gt` or `Lt` without exactly one whole number; `In` or `NotIn` on a field without exactly one value.
    OneValueNeeded,
}

impl NodeRequirements {
    /// Reads what a pod's spec asks for.
    pub fn of(spec: &PodSpec) -> Self {
        let required = spec.affinity.node_affinity.required.as_ref();
        let term = |term: &crate::api::NodeSelectorTerm| {
            let expressions = (0u32..).zip(&term.match_expressions).map(|(index, requirement)| NodeRequirement {
                property: NodeProperty::Label(requirement.key.clone()),
                test: label_test(requirement),
                index,
            });
            let fields = (0u32..).zip(&term.match_fields).map(|(index, requirement)| NodeRequirement {
                property: NodeProperty::Field(requirement.key.clone()),
                test: field_test(requirement),
                index,
            });
            let requirements: Vec<_> = expressions.chain(fields).collect();
            let usable = !requirements.is_empty()
                && !requirements.iter().any(|requirement| matches!(requirement.test, Test::Malformed(_)));
            NodeTerm { requirements, usable }
        };
        Self {
            node_selector: spec.node_selector.clone(),
            terms: required.map(|required| required.node_selector_terms.iter().map(term).collect()),
        }
    }

    /// `spec.nodeSelector`: every label must be there with exactly that value.
    pub fn node_selector(&self) -> &Labels {
        &self.node_selector
    }

    /// The terms of the required node affinity; absent when it asks for nothing, and then every node is fine.
    pub fn terms(&self) -> Option<&[NodeTerm]> {
        self.terms.as_deref()
    }

    /// Whether a node has what is asked for.
    pub fn match_node(&self, node: &Node) -> bool {
        self.node_selector_matches(&node.metadata.labels) && self.affinity_matches(node)
    }

    /// Whether `spec.nodeSelector` alone is satisfied.
    pub fn node_selector_matches(&self, labels: &Labels) -> bool {
        self.node_selector.iter().all(|(key, value)| labels.get(key) == Some(value))
    }

    /// Whether the required node affinity alone is satisfied: nothing asked, or one term holds.
    pub fn affinity_matches(&self, node: &Node) -> bool {
        self.terms.as_ref().is_none_or(|terms| terms.iter().any(|term| term.matches(node)))
    }
}

impl NodeTerm {
    /// The requirements: those on labels, then those on fields.
    pub fn requirements(&self) -> &[NodeRequirement] {
        &self.requirements
    }

    /// Whether the term can hold at all: it has a requirement, and none is malformed.
    pub fn is_usable(&self) -> bool {
        self.usable
    }

    /// Whether every requirement holds on `node`.
    pub fn matches(&self, node: &Node) -> bool {
        self.usable && self.requirements.iter().all(|requirement| requirement.holds(node))
    }
}

impl NodeRequirement {
    /// Whether this requirement holds on `node`; a malformed one never does.
    pub fn holds(&self, node: &Node) -> bool {
        self.test.passes(self.found(node))
    }

    /// What the node has at the property looked at.
    pub fn found<'node>(&self, node: &'node Node) -> Option<&'node str> {
        match &self.property {
            NodeProperty::Label(key) => node.metadata.labels.get(key).map(Text::as_str),
            NodeProperty::Field(name) if name == NodeProperty::NAME => Some(&node.metadata.name),
            NodeProperty::Field(_) => Some(""),
        }
    }
}

impl NodeProperty {
    /// The only field that `matchFields` can look at.
    pub const NAME: &str = "metadata.name";
}

impl Test {
    /// Whether a value, or its absence, passes.
    pub fn passes(&self, found: Option<&str>) -> bool {
        match self {
            Self::In(values) => found.is_some_and(|found| values.iter().any(|value| value == found)),
            Self::NotIn(values) => found.is_none_or(|found| values.iter().all(|value| value != found)),
            Self::Exists => found.is_some(),
            Self::DoesNotExist => found.is_none(),
            Self::GreaterThan(bound) => found.and_then(whole_number).is_some_and(|number| number > *bound),
            Self::LessThan(bound) => found.and_then(whole_number).is_some_and(|number| number < *bound),
            Self::Malformed(_) => false,
        }
    }
}

/// A number as `Gt` and `Lt` read a label: decimal, signed, 64 bits, leading zeros allowed.
pub(crate) fn whole_number(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// Reads a requirement on labels (`labels.NewRequirement`, apimachinery 1.36).
fn label_test(requirement: &NodeSelectorRequirement) -> Test {
    let values = &requirement.values;
    if !is_qualified_name(&requirement.key) {
        return Test::Malformed(Malformed::Key);
    }
    let number = || match values.as_slice() {
        [value] => whole_number(value).ok_or(Malformed::OneValueNeeded),
        _ => Err(Malformed::OneValueNeeded),
    };
    let test = match (requirement.operator.as_str(), values.is_empty()) {
        ("In", false) => Ok(Test::In(values.clone())),
        ("NotIn", false) => Ok(Test::NotIn(values.clone())),
        ("In" | "NotIn", true) => Err(Malformed::ValuesMissing),
        ("Exists", true) => Ok(Test::Exists),
        ("DoesNotExist", true) => Ok(Test::DoesNotExist),
        ("Exists" | "DoesNotExist", false) => Err(Malformed::ValuesNotAllowed),
        ("Gt", _) => number().map(Test::GreaterThan),
        ("Lt", _) => number().map(Test::LessThan),
        _ => Err(Malformed::Operator),
    };
    match test {
        Ok(_) if !values.iter().all(|value| is_label_value(value)) => Test::Malformed(Malformed::Value),
        Ok(test) => test,
        Err(fault) => Test::Malformed(fault),
    }
}

/// Reads a requirement on fields (`nodeSelectorRequirementsAsFieldSelector`, component-helpers 1.36).
fn field_test(requirement: &NodeSelectorRequirement) -> Test {
    match (requirement.operator.as_str(), requirement.values.len()) {
        ("In", 1) => Test::In(requirement.values.clone()),
        ("NotIn", 1) => Test::NotIn(requirement.values.clone()),
        ("In" | "NotIn", _) => Test::Malformed(Malformed::OneValueNeeded),
        _ => Test::Malformed(Malformed::Operator),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn node(labels: &[(&str, &str)]) -> Node {
        let mut node = Node::default();
        node.metadata.name = "node-1".into();
        node.metadata.labels = labels.iter().copied().collect();
        node
    }

    fn required(terms: &serde_json::Value) -> NodeRequirements {
        let affinity = json!({"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}});
        NodeRequirements::of(&serde_json::from_value(json!({ "affinity": affinity })).unwrap())
    }

    fn one(operator: &str, values: &[&str]) -> NodeRequirements {
        required(&json!({"nodeSelectorTerms": [
            {"matchExpressions": [{"key": "size", "operator": operator, "values": values}]}]}))
    }

    #[test]
    fn each_operator_on_a_present_and_on_a_missing_label() {
        let (present, missing) = (node(&[("size", "5")]), node(&[]));
        for (operator, values, on_present, on_missing) in [
            ("In", &["4", "5"][..], true, false),
            ("In", &["4"], false, false),
            ("NotIn", &["4"], true, true),
            ("NotIn", &["5"], false, true),
            ("Exists", &[], true, false),
            ("DoesNotExist", &[], false, true),
            ("Gt", &["4"], true, false),
            ("Gt", &["5"], false, false),
            ("Lt", &["6"], true, false),
            ("Lt", &["5"], false, false),
        ] {
            let requirements = one(operator, values);
            assert_eq!(requirements.match_node(&present), on_present, "{operator} {values:?} on a present label");
            assert_eq!(requirements.match_node(&missing), on_missing, "{operator} {values:?} on a missing label");
        }
    }

    #[test]
    fn numbers_on_the_node_may_be_negative_or_padded_but_not_in_the_requirement() {
        assert!(one("Lt", &["1"]).match_node(&node(&[("size", "-3")])));
        assert!(one("Gt", &["6"]).match_node(&node(&[("size", "007")])));
        assert!(!one("Gt", &["-5"]).match_node(&node(&[("size", "7")])));
        assert!(!one("Gt", &["1"]).match_node(&node(&[("size", "many")])));
        assert!(!one("Gt", &["1"]).match_node(&node(&[("size", "9223372036854775808")])));
    }

    #[test]
    fn a_malformed_requirement_spoils_its_term_and_no_other() {
        let node = node(&[("size", "5")]);
        for (operator, values, fault) in [
            ("In", &[][..], Malformed::ValuesMissing),
            ("NotIn", &[], Malformed::ValuesMissing),
            ("Exists", &["5"], Malformed::ValuesNotAllowed),
            ("DoesNotExist", &["5"], Malformed::ValuesNotAllowed),
            ("Gt", &["1", "2"], Malformed::OneValueNeeded),
            ("Gt", &["x"], Malformed::OneValueNeeded),
            ("In", &["5", "not a value"], Malformed::Value),
            ("in", &["5"], Malformed::Operator),
        ] {
            let requirements = one(operator, values);
            assert!(!requirements.match_node(&node), "{operator} {values:?}");
            let test = &requirements.terms().unwrap()[0].requirements()[0].test;
            assert_eq!(test, &Test::Malformed(fault), "{operator} {values:?}");
        }
        let with_a_good_term = required(&json!({"nodeSelectorTerms": [
            {"matchExpressions": [{"key": "size", "operator": "In"}, {"key": "size", "operator": "Exists"}]},
            {"matchExpressions": [{"key": "bad key", "operator": "Exists"}]},
            {"matchExpressions": [{"key": "size", "operator": "Exists"}]}]}));
        assert!(with_a_good_term.match_node(&node));
    }

    #[test]
    fn no_affinity_asks_for_nothing_and_affinity_without_a_usable_term_matches_nothing() {
        assert!(NodeRequirements::default().match_node(&node(&[])));
        assert!(!required(&json!({})).match_node(&node(&[])));
        assert!(!required(&json!({"nodeSelectorTerms": []})).match_node(&node(&[])));
        assert!(!required(&json!({"nodeSelectorTerms": [{}]})).match_node(&node(&[])));
        let after_an_empty_term = required(&json!({"nodeSelectorTerms": [
            {}, {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-1"]}]}]}));
        assert!(after_an_empty_term.match_node(&node(&[])));
    }

    #[test]
    fn fields_are_the_name_alone_and_take_one_value() {
        let field = |key: &str, operator: &str, values: &[&str]| {
            required(&json!({"nodeSelectorTerms": [
                {"matchFields": [{"key": key, "operator": operator, "values": values}]}]}))
            .match_node(&node(&[("metadata.name", "label")]))
        };
        assert!(field("metadata.name", "In", &["node-1"]));
        assert!(!field("metadata.name", "In", &["node-2"]));
        assert!(field("metadata.name", "NotIn", &["node-2"]));
        assert!(!field("metadata.name", "NotIn", &["node-1"]));
        assert!(!field("metadata.name", "In", &["node-1", "node-2"]));
        assert!(!field("metadata.name", "Exists", &[]));
        assert!(!field("metadata.uid", "In", &["node-1"]));
        assert!(field("metadata.uid", "NotIn", &["node-1"]));
    }

    #[test]
    fn a_term_with_a_malformed_field_says_what_is_wrong_and_is_not_usable() {
        let term = |operator: &str, values: &[&str]| {
            let fields = json!([{"key": "metadata.name", "operator": operator, "values": values}]);
            let requirements = required(&json!({"nodeSelectorTerms": [{"matchFields": fields}]}));
            let term = requirements.terms().unwrap()[0].clone();
            (term.is_usable(), term.requirements()[0].test.clone())
        };
        assert_eq!(term("In", &["node-1"]), (true, Test::In(vec!["node-1".into()])));
        assert_eq!(term("NotIn", &["a", "b"]), (false, Test::Malformed(Malformed::OneValueNeeded)));
        assert_eq!(term("In", &[]), (false, Test::Malformed(Malformed::OneValueNeeded)));
        assert_eq!(term("Exists", &[]), (false, Test::Malformed(Malformed::Operator)));
    }

    #[test]
    fn a_term_needs_all_and_the_terms_need_one() {
        let requirements = required(&json!({"nodeSelectorTerms": [
            {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}],
             "matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-2"]}]},
            {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["b"]},
                                  {"key": "gpu", "operator": "DoesNotExist"}]}]}));
        assert!(!requirements.match_node(&node(&[("zone", "a")])));
        assert!(requirements.match_node(&node(&[("zone", "b")])));
        assert!(!requirements.match_node(&node(&[("zone", "b"), ("gpu", "")])));
    }

    #[test]
    fn the_node_selector_compares_values_literally() {
        let selector = |value: &str| {
            NodeRequirements::of(&serde_json::from_value(json!({"nodeSelector": {"role": value}})).unwrap())
        };
        assert!(selector("").match_node(&node(&[("role", "")])));
        assert!(!selector("").match_node(&node(&[("role", "true")])));
        assert!(!selector("").match_node(&node(&[])));
    }
}
