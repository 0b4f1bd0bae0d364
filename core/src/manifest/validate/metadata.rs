use serde_json::Value;

use super::node::Node;
use super::pod::Pod;
use super::report::Report;
use super::rules::Rule::{Required, Set, Shape, When, With};
use super::rules::{Is, Rules, apply};
use super::syntax::in_lower_case;
use super::{Syntax, ValidationProblem};
use crate::api::Text;

/// All keys and values of an object's annotations together, bytes.
const MOST_ANNOTATION_BYTES: usize = 256 * 1024;

/// Checks the metadata of a new object (`validation.ValidateObjectMeta`).
pub(super) fn validate_new_metadata(metadata: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    apply(OF_NEW_METADATA, metadata, pod, report);
}

const OF_NEW_METADATA: &Rules = &[
    ("generateName", Set(&Shape(Syntax::NamePrefix))),
    ("name", Set(&Shape(Syntax::DnsSubdomain))),
    ("name", When(&[("generateName", Is::OneOf(&[""]))], &Required)),
    ("namespace", Set(&Shape(Syntax::DnsLabel))),
    ("", With(|metadata, _, report| validate_metadata(metadata, report))),
];

/// Checks that what identifies an object stays as it was (`rest.BeforeUpdate`,
/// `validation.ValidateObjectMetaUpdate`).
pub(super) fn validate_changed_metadata(metadata: &Node<'_>, before: &Value, report: &mut Report<'_>) {
    for field in ["name", "deletionTimestamp", "deletionGracePeriodSeconds"] {
        let node = metadata.field(field);
        // What is left out stays as it was.
        if node.exists() && before.get(field).unwrap_or(&Value::Null) != node.value {
            report.error(&node, ValidationProblem::Immutable);
        }
    }
    report.require(&metadata.field("name"));
    let prefix = metadata.field("generateName");
    if prefix.as_text().contains('%') {
        report.error(
            &prefix,
            ValidationProblem::Malformed { value: prefix.as_text().into(), syntax: Syntax::NamePrefix },
        );
    } else {
        report.check(&prefix, Syntax::WithoutSlash);
    }
    validate_metadata(metadata, report);
}

fn validate_metadata(metadata: &Node<'_>, report: &mut Report<'_>) {
    let labels = metadata.field("labels");
    validate_labels(&labels, &labels, report);
    let annotations = metadata.field("annotations");
    validate_annotations(&annotations, &annotations, report);
    validate_owners(&metadata.field("ownerReferences"), report);
    validate_finalizers(&metadata.field("finalizers"), report);
}

/// Checks labels, reporting under the path of `named` (`ValidateLabels`).
pub(super) fn validate_labels(labels: &Node<'_>, named: &Node<'_>, report: &mut Report<'_>) {
    for (key, value) in labels.entries() {
        report.check_text_at(&value, &named.named, key, Syntax::LabelKey);
        report.check_text_at(&value, &named.named, value.as_text(), Syntax::LabelValue);
    }
}

/// Checks annotations, reporting under the path of `named` (`ValidateAnnotations`).
pub(super) fn validate_annotations(annotations: &Node<'_>, named: &Node<'_>, report: &mut Report<'_>) {
    let mut bytes = 0;
    for (key, value) in annotations.entries() {
        bytes += key.len() + value.as_text().len();
        if !Syntax::LabelKey.matches(&in_lower_case(key)) {
            let problem = ValidationProblem::Malformed { value: Text::new(key), syntax: Syntax::LabelKey };
            report.error_at(&value, &named.named, problem);
        }
    }
    if bytes > MOST_ANNOTATION_BYTES {
        let limit = u32::try_from(MOST_ANNOTATION_BYTES).unwrap_or(u32::MAX);
        report.error_at(annotations, &named.named, ValidationProblem::TooLong { limit });
    }
}

/// Checks who owns the object; all paths lack the position (`ValidateOwnerReferences`).
fn validate_owners(owners: &Node<'_>, report: &mut Report<'_>) {
    let mut has_controller = false;
    for owner in owners.items() {
        let owner = owner.renamed(owners.named);
        if owner.text("apiVersion").ends_with('/') {
            report.error_in(&owner, "apiVersion", ValidationProblem::Required);
        }
        for field in ["apiVersion", "kind", "name", "uid"] {
            report.require(&owner.field(field));
        }
        if owner.text("apiVersion") == "v1" && owner.text("kind") == "Event" {
            report.error(&owner, ValidationProblem::BannedOwner);
        }
        if owner.is_true("controller") {
            if has_controller {
                report.error_at(&owner.field("controller"), &owners.named, ValidationProblem::MoreThanOne);
            }
            has_controller = true;
        }
    }
}

fn validate_finalizers(finalizers: &Node<'_>, report: &mut Report<'_>) {
    let (mut orphan, mut foreground) = (false, false);
    for finalizer in finalizers.items() {
        let name = finalizer.as_text();
        report.check_text_at(&finalizer, &finalizers.named, name, Syntax::LabelKey);
        if !name.contains('/') {
            report.check(&finalizer, Syntax::FinalizerName);
        }
        orphan |= name == "orphan";
        foreground |= name == "foregroundDeletion";
    }
    if orphan && foreground {
        report.error(finalizers, ValidationProblem::MoreThanOne);
    }
}
