use serde::Serialize;

use super::{Labels, Text, is_default};
use crate::json::fields;

/// A query over labels (`metav1.LabelSelector`): everything in it must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LabelSelector {
    /// Labels that must be there with exactly these values.
    #[serde(skip_serializing_if = "is_default")]
    pub match_labels: Labels,
    /// Requirements.
    #[serde(skip_serializing_if = "is_default")]
    pub match_expressions: Vec<LabelSelectorRequirement>,
}

/// One requirement of a [`LabelSelector`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LabelSelectorRequirement {
    /// Label key.
    pub key: Text,
    /// `In`, `NotIn`, `Exists` or `DoesNotExist`.
    pub operator: Text,
    /// Values for `In` and `NotIn`.
    #[serde(skip_serializing_if = "is_default")]
    pub values: Vec<Text>,
}

/// A requirement that is not well formed: the whole selector is unusable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MalformedRequirement;

impl LabelSelector {
    /// Whether nothing is asked for; such a selector matches everything.
    pub fn is_empty(&self) -> bool {
        self.match_labels.is_empty() && self.match_expressions.is_empty()
    }

    /// Whether `labels` satisfy every requirement (`metav1.LabelSelectorAsSelector`, apimachinery 1.36).
    pub fn matches(&self, labels: &Labels) -> Result<bool, MalformedRequirement> {
        let mut matches = self.match_labels.iter().all(|(key, value)| labels.get(key) == Some(value));
        for requirement in &self.match_expressions {
            let found = labels.get(&requirement.key);
            let listed = || found.is_some_and(|value| requirement.values.contains(value));
            matches &= match (requirement.operator.as_str(), requirement.values.is_empty()) {
                ("In", false) => listed(),
                ("NotIn", false) => !listed(),
                ("Exists", true) => found.is_some(),
                ("DoesNotExist", true) => found.is_none(),
                _ => return Err(MalformedRequirement),
            };
        }
        Ok(matches)
    }
}

fields! {
    LabelSelector { match_labels: "matchLabels", match_expressions: "matchExpressions" }
    LabelSelectorRequirement { key: "key", operator: "operator", values: "values" }
}
