use super::metadata::{validate_annotations, validate_labels};
use super::node::Node;
use super::pod::Pod;
use super::problem::Place;
use super::report::Report;
use super::resources::is_fractional;
use super::rules::Rule::{Fields, Given, Refused, Required, Set, Shape, When, With, Word};
use super::rules::{Is, Rules, apply};
use super::selector::validate_label_selector;
use super::{Syntax, ValidationProblem};
use crate::api::Quantity;

const ACCESS_MODES: &[&str] = &["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/// Checks the template of a claim that lives as long as the pod (`ValidatePersistentVolumeClaimTemplate`).
pub(super) fn validate_claim_template(template: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    if !template.exists() {
        report.error(template, ValidationProblem::Required);
        return;
    }
    let metadata = template.field("metadata");
    let (labels, annotations) = (metadata.field("labels"), metadata.field("annotations"));
    validate_labels(&labels, &labels, report);
    validate_annotations(&annotations, &annotations, report);
    if let Some(fields) = metadata.value.as_object() {
        for field in fields.keys().filter(|field| !matches!(field.as_str(), "labels" | "annotations")) {
            report.error_in(&metadata, field, ValidationProblem::NotIn { place: Place::ClaimTemplate });
        }
    }
    apply(OF_CLAIM, &template.field("spec"), pod, report);
}

/// `ValidatePersistentVolumeClaimSpec`.
const OF_CLAIM: &Rules = &[
    ("accessModes", With(validate_access_modes)),
    ("selector", With(|selector, _, report| validate_label_selector(selector, true, report))),
    ("resources", With(validate_storage)),
    ("storageClassName", Set(&Shape(Syntax::DnsSubdomain))),
    ("volumeMode", Given(&Word(&["Block", "Filesystem"]))),
    ("dataSource", Fields(OF_DATA_SOURCE)),
    ("dataSourceRef", Fields(OF_DATA_SOURCE)),
    ("", With(validate_same_data_source)),
    ("volumeAttributesClassName", Set(&Shape(Syntax::DnsSubdomain))),
];

const OF_DATA_SOURCE: &Rules = &[
    ("name", Required),
    ("kind", Required),
    // Without a group only another claim can be the source.
    (
        "",
        When(
            &[("apiGroup", Is::OneOf(&[""])), ("kind", Is::NoneOf(&["PersistentVolumeClaim"]))],
            &Refused(&ValidationProblem::OnlyWith { other: "apiGroup" }),
        ),
    ),
    ("apiGroup", Set(&Shape(Syntax::DnsSubdomain))),
];

/// A namespace in the reference is a feature that is off by default: the server drops it.
fn validate_same_data_source(spec: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    let (source, reference) = (spec.field("dataSource"), spec.field("dataSourceRef"));
    if source.exists()
        && reference.exists()
        && ["apiGroup", "kind", "name"].iter().any(|field| source.value.get(field) != reference.value.get(field))
    {
        report.error_at(&source, &spec.named, ValidationProblem::MustMatch { other: "dataSourceRef" });
    }
}

fn validate_access_modes(modes: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    if modes.len() == 0 {
        report.error(modes, ValidationProblem::Required);
    }
    let (mut one_pod, mut others) = (false, false);
    for mode in modes.items() {
        report.check_word_at(&mode, &modes.named, ACCESS_MODES);
        let is_one_pod = mode.as_text() == "ReadWriteOncePod";
        one_pod |= is_one_pod;
        others |= !is_one_pod && ACCESS_MODES.contains(&mode.as_text());
    }
    if one_pod && others {
        report.error(modes, ValidationProblem::MoreThanOne);
    }
}

fn validate_storage(resources: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    let requests = resources.field("requests");
    let storage = requests.field("storage");
    let named = resources.named.key("storage");
    match storage.quantity() {
        None => report.error_at(&storage, &named, ValidationProblem::Required),
        Some(amount) if amount <= Quantity::ZERO => {
            report.error_at(&storage, &named, ValidationProblem::NegativeAmount);
        }
        Some(_) => {}
    }
    for list in ["requests", "limits"] {
        let list = resources.field(list);
        let storage = list.entry("storage");
        if storage.quantity().is_some_and(is_fractional) {
            report.warning(&storage, super::AdmissionWarning::FractionalBytes);
        }
    }
}
