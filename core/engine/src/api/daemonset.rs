use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::{LabelSelector, Labels, ObjectMeta, Pod, PodSpec, Text, is_default};
use crate::json::{Cursor, JsonError, Read, deserialize, fields};

/// A DaemonSet (`apps/v1`).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DaemonSet {
    /// Name, namespace, UID, generation, annotations.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: DaemonSetSpec,
    /// What the controller last reported.
    #[serde(skip_serializing_if = "is_default")]
    pub status: DaemonSetStatus,
}

impl DaemonSet {
    /// The annotation that holds the template's generation.
    pub const TEMPLATE_GENERATION_ANNOTATION: &str = "deprecated.daemonset.template.generation";

    /// The template's generation, when the annotation is there and is a number (`util.GetTemplateGeneration`).
    pub fn template_generation(&self) -> Option<i64> {
        self.metadata.annotations.get(Self::TEMPLATE_GENERATION_ANNOTATION)?.parse().ok()
    }
}

/// `spec` of a DaemonSet.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DaemonSetSpec {
    /// Which pods are its own.
    pub selector: LabelSelector,
    /// What its pods are made from.
    pub template: PodTemplate,
    /// How pods are replaced when the template changes.
    pub update_strategy: UpdateStrategy,
    /// How long a pod must have been ready to count as available, seconds.
    #[serde(skip_serializing_if = "is_default")]
    pub min_ready_seconds: i32,
    /// How many unused old revisions are kept; 10 when absent.
    #[serde(skip_serializing_if = "is_default")]
    pub revision_history_limit: Option<i32>,
}

/// `spec.updateStrategy`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UpdateStrategy {
    /// The kind of strategy.
    #[serde(rename = "type")]
    pub strategy_type: UpdateStrategyType,
    /// Read for `RollingUpdate` only.
    #[serde(skip_serializing_if = "is_default")]
    pub rolling_update: RollingUpdate,
}

/// `spec.updateStrategy.type`; absent is `RollingUpdate`, as `apps/v1` defaults it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(into = "Text")]
pub enum UpdateStrategyType {
    /// The controller replaces pods within a budget.
    #[default]
    RollingUpdate,
    /// A person deletes pods, the controller makes new ones.
    OnDelete,
    /// A word that Kubernetes does not know; nothing is replaced.
    Other(Text),
}

impl From<Text> for UpdateStrategyType {
    fn from(word: Text) -> Self {
        match word.as_str() {
            "" | "RollingUpdate" => Self::RollingUpdate,
            "OnDelete" => Self::OnDelete,
            _ => Self::Other(word),
        }
    }
}

impl From<UpdateStrategyType> for Text {
    fn from(strategy: UpdateStrategyType) -> Self {
        match strategy {
            UpdateStrategyType::RollingUpdate => Self::new_static("RollingUpdate"),
            UpdateStrategyType::OnDelete => Self::new_static("OnDelete"),
            UpdateStrategyType::Other(word) => word,
        }
    }
}

/// `spec.updateStrategy.rollingUpdate`; absent numbers are those `apps/v1` defaults: 1 and 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RollingUpdate {
    /// How many nodes may be without an available pod, as a count or a percentage of the nodes that should run one.
    pub max_unavailable: IntOrString,
    /// How many nodes may have a second, newer pod for a while.
    pub max_surge: IntOrString,
}

impl Default for RollingUpdate {
    fn default() -> Self {
        Self { max_unavailable: IntOrString::Int(1), max_surge: IntOrString::Int(0) }
    }
}

/// A count, or text such as `10%` (`intstr.IntOrString`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum IntOrString {
    /// A count.
    Int(i32),
    /// Text, a percentage when valid.
    String(Text),
}

impl Default for IntOrString {
    /// 0, as in Go.
    fn default() -> Self {
        Self::Int(0)
    }
}

impl std::fmt::Display for IntOrString {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(count) => count.fmt(formatter),
            Self::String(text) => text.fmt(formatter),
        }
    }
}

/// `status` of a DaemonSet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DaemonSetStatus {
    /// CURRENT: nodes that should run the pod and have at least one.
    pub current_number_scheduled: i32,
    /// Nodes that should not run the pod and have at least one.
    pub number_misscheduled: i32,
    /// DESIRED: nodes that should run the pod.
    pub desired_number_scheduled: i32,
    /// READY: nodes that should run the pod and whose first pod is ready.
    pub number_ready: i32,
    /// The generation that the controller last acted upon.
    #[serde(skip_serializing_if = "is_default")]
    pub observed_generation: i64,
    /// UP-TO-DATE: nodes that should run the pod and whose first pod is of the newest template.
    #[serde(skip_serializing_if = "is_default")]
    pub updated_number_scheduled: i32,
    /// AVAILABLE: nodes that should run the pod and whose first pod is available.
    #[serde(skip_serializing_if = "is_default")]
    pub number_available: i32,
    /// Nodes that should run the pod and whose first pod is not available.
    #[serde(skip_serializing_if = "is_default")]
    pub number_unavailable: i32,
    /// How often two templates' revision names collided; part of the next hash.
    #[serde(skip_serializing_if = "is_default")]
    pub collision_count: Option<i32>,
}

/// A pod template: what rules read, and the whole of it verbatim. Clones in constant time.
#[derive(Clone, Debug, Default)]
pub struct PodTemplate(Arc<PodTemplateParts>);

impl PartialEq for PodTemplate {
    fn eq(&self, other: &Self) -> bool {
        // A copy is the common case, and the JSON is long.
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

#[derive(Debug, Default, PartialEq)]
struct PodTemplateParts {
    labels: Labels,
    annotations: Labels,
    finalizers: Box<[Text]>,
    spec: PodSpec,
    json: serde_json::Value,
}

#[derive(Default)]
struct NarrowTemplate {
    metadata: ObjectMeta,
    spec: PodSpec,
}

/// The JSON is no pod template: a field has another type than the API gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a field of the pod template has another type than the API gives it")]
pub struct MalformedTemplate;

impl PodTemplate {
    /// Reads a template from JSON as the API server stores it.
    pub fn from_json(json: serde_json::Value) -> Result<Self, MalformedTemplate> {
        let mut narrow = NarrowTemplate::default();
        crate::json::read_json(&json, &mut narrow).map_err(|_| MalformedTemplate)?;
        let NarrowTemplate { metadata: ObjectMeta { labels, annotations, finalizers, .. }, spec } = narrow;
        Ok(Self(Arc::new(PodTemplateParts { labels, annotations, finalizers, spec, json })))
    }

    /// What rules read of a pod that exists, as if it were a template; nothing is kept verbatim.
    pub fn of_pod(pod: &Pod) -> Self {
        let (labels, spec) = (pod.metadata.labels.clone(), pod.spec.clone());
        Self(Arc::new(PodTemplateParts { labels, spec, ..PodTemplateParts::default() }))
    }

    /// Labels of the pods.
    pub fn labels(&self) -> &Labels {
        &self.0.labels
    }

    /// Annotations of the pods.
    pub fn annotations(&self) -> &Labels {
        &self.0.annotations
    }

    /// Who must agree before a pod, once it is deleted, is gone.
    pub fn finalizers(&self) -> &[Text] {
        &self.0.finalizers
    }

    /// What rules read of the pods' spec.
    pub fn spec(&self) -> &PodSpec {
        &self.0.spec
    }

    /// The whole template, verbatim.
    pub fn json(&self) -> &serde_json::Value {
        &self.0.json
    }
}

impl Serialize for PodTemplate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.json.serialize(serializer)
    }
}

impl Read for PodTemplate {
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
        *self = Self::from_json(cursor.value()?).map_err(|_| JsonError::Unfit)?;
        Ok(())
    }
}

impl Read for UpdateStrategyType {
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
        *self = Text::new(cursor.text()?).into();
        Ok(())
    }
}

impl Read for IntOrString {
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
        if cursor.peek()? == b'"' {
            *self = Self::String(Text::new(cursor.string()?));
            return Ok(());
        }
        let mut count = 0;
        i32::read(&mut count, cursor)?;
        *self = Self::Int(count);
        Ok(())
    }
}

deserialize!(PodTemplate, UpdateStrategyType, IntOrString);

fields! {
    DaemonSet { metadata: "metadata", spec: "spec", status: "status" }
    DaemonSetSpec {
        selector: "selector", template: "template", update_strategy: "updateStrategy",
        min_ready_seconds: "minReadySeconds", revision_history_limit: "revisionHistoryLimit",
    }
    UpdateStrategy { strategy_type: "type", rolling_update: "rollingUpdate" }
    RollingUpdate { max_unavailable: "maxUnavailable", max_surge: "maxSurge" }
    DaemonSetStatus {
        current_number_scheduled: "currentNumberScheduled", number_misscheduled: "numberMisscheduled",
        desired_number_scheduled: "desiredNumberScheduled", number_ready: "numberReady",
        observed_generation: "observedGeneration", updated_number_scheduled: "updatedNumberScheduled",
        number_available: "numberAvailable", number_unavailable: "numberUnavailable",
        collision_count: "collisionCount",
    }
    NarrowTemplate { metadata: "metadata", spec: "spec" }
}
