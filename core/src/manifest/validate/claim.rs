use super::metadata::{validate_annotations, validate_labels};
use super::node::Node;
use super::problem::Place;
use super::report::Report;
use super::resources::is_fractional;
use super::selector::validate_label_selector;
use super::{Syntax, ValidationProblem};
use crate::api::Quantity;

const ACCESS_MODES: &[&str] = &["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/// Checks the template of a claim that lives as long as the pod (`ValidatePersistentVolumeClaimTemplate`).
pub(super) fn validate_claim_template(template: &Node<'_>, report: &mut Report<'_>) {
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
            report.error(&metadata.field(field), ValidationProblem::NotIn { place: Place::ClaimTemplate });
        }
    }
    validate_claim(&template.field("spec"), report);
}

fn validate_claim(spec: &Node<'_>, report: &mut Report<'_>) {
    validate_access_modes(&spec.field("accessModes"), report);
    validate_label_selector(&spec.field("selector"), true, report);
    validate_storage(spec, report);
    report.check_if_set(&spec.field("storageClassName"), Syntax::DnsSubdomain);
    let mode = spec.field("volumeMode");
    if mode.exists() {
        report.check_word(&mode, &["Block", "Filesystem"]);
    }
    let (source, reference) = (spec.field("dataSource"), spec.field("dataSourceRef"));
    for reference in [&source, &reference] {
        if reference.exists() {
            validate_data_source(reference, report);
        }
    }
    // A namespace in the reference is a feature that is off by default: the server drops it.
    if source.exists()
        && reference.exists()
        && ["apiGroup", "kind", "name"].iter().any(|field| source.value.get(field) != reference.value.get(field))
    {
        report.error_at(&source, &spec.named, ValidationProblem::MustMatch { other: "dataSourceRef" });
    }
    report.check_if_set(&spec.field("volumeAttributesClassName"), Syntax::DnsSubdomain);
}

fn validate_access_modes(modes: &Node<'_>, report: &mut Report<'_>) {
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

fn validate_storage(spec: &Node<'_>, report: &mut Report<'_>) {
    let resources = spec.field("resources");
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

fn validate_data_source(source: &Node<'_>, report: &mut Report<'_>) {
    report.require(&source.field("name"));
    report.require(&source.field("kind"));
    let group = source.field("apiGroup");
    if group.as_text().is_empty() {
        if source.text("kind") != "PersistentVolumeClaim" {
            report.error(source, ValidationProblem::OnlyWith { other: "apiGroup" });
        }
    } else {
        report.check(&group, Syntax::DnsSubdomain);
    }
}
