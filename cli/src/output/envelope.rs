use serde::Serialize;

/// What an answer is; the `kind` of its envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Kind {
    /// `rollcast explain`.
    ExplainReport,
    /// `rollcast plan`.
    PlanReport,
    /// `rollcast forecast`.
    ForecastReport,
    /// `rollcast compare`.
    CompareReport,
    /// `rollcast advise`.
    AdviseReport,
    /// `rollcast check`.
    CheckReport,
    /// `rollcast diagnose`.
    DiagnosisReport,
    /// `rollcast simulate`.
    SimulateReport,
    /// `rollcast version`.
    Version,
}

/// The envelope around every answer, shaped like a Kubernetes object: whoever reads one knows what it is before reading
/// on. Fields are added within a version; one that changes its meaning or goes makes a new version.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Envelope<'a, T> {
    api_version: &'static str,
    kind: Kind,
    report: &'a T,
}

impl<'a, T> Envelope<'a, T> {
    pub fn new(kind: Kind, report: &'a T) -> Self {
        Self { api_version: "rollcast.dev/v1alpha1", kind, report }
    }
}
