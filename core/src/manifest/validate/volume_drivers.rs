use super::node::Node;
use super::pod::Pod;
use super::report::Report;
use super::rules::Rule::{Absent, MostBytes, Refused, RequiredShape, When, With};
use super::rules::{Condition, Is, Rules};
use super::syntax::in_lower_case;
use super::volumes::BYTE;
use super::{Syntax, ValidationProblem};

pub(super) fn validate_flocker(source: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    const CHOICES: &[&str] = &["datasetName", "datasetUUID"];
    match CHOICES.iter().filter(|choice| !source.text(choice).is_empty()).count() {
        0 => report.error(source, ValidationProblem::OneOfRequired { choices: CHOICES }),
        1 => {}
        _ => report.error(source, ValidationProblem::MoreThanOne),
    }
    report.check(&source.field("datasetName"), Syntax::WithoutSlash);
}

pub(super) fn validate_quobyte(source: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    let registry = source.field("registry");
    if registry.as_text().is_empty() {
        report.error(&registry, ValidationProblem::Required);
    } else if source.text("tenant").len() > 64 {
        report.error_in(source, "tenant", ValidationProblem::TooLong { limit: 64 });
    } else {
        report.check(&registry, Syntax::HostPortPairs);
    }
}

pub(super) const OF_FIBRE_CHANNEL: &Rules = &[
    (
        "targetWWNs",
        When(
            &[("targetWWNs", Is::Empty), ("wwids", Is::Empty)],
            &Refused(&ValidationProblem::OneOfRequired { choices: &["targetWWNs", "wwids"] }),
        ),
    ),
    (
        "targetWWNs",
        When(&[HAS_TARGETS, ("wwids", Is::Filled)], &Refused(&ValidationProblem::NotWith { other: "wwids" })),
    ),
    ("lun", When(&[HAS_TARGETS], &BYTE)),
    ("lun", When(&[HAS_TARGETS], &Absent(&Refused(&ValidationProblem::RequiredWith { other: "targetWWNs" })))),
];

const HAS_TARGETS: Condition = ("targetWWNs", Is::Filled);

pub(super) fn validate_flex_options(options: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    for (key, value) in options.entries() {
        let namespace = key.split_once('/').map_or(key, |(namespace, _)| namespace);
        let normal = [".", &in_lower_case(namespace)].concat();
        if normal.ends_with(".kubernetes.io") || normal.ends_with(".k8s.io") {
            report.error(&value, ValidationProblem::ReservedNamespace);
        }
    }
}

pub(super) fn validate_azure_uri(source: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    let uri = source.field("diskURI");
    let (prefix, supported): (_, &'static [&'static str]) = match source.text("kind") {
        "Managed" => ("/subscriptions/", &["/subscriptions/…"]),
        _ => ("https://", &["https://…"]),
    };
    if !uri.as_text().starts_with(prefix) {
        let value = uri.as_text().into();
        report.error(&uri, ValidationProblem::NotSupported { value, supported, meant: None });
    }
}

pub(super) const OF_CSI: &Rules = &[
    ("driver", RequiredShape(Syntax::DnsSubdomainInAnyCase)),
    ("driver", MostBytes(63)),
    ("", With(validate_secret_for_publishing)),
];

fn validate_secret_for_publishing(source: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    let secret = source.field("nodePublishSecretRef");
    if secret.exists() {
        let name = secret.field("name");
        if name.as_text().is_empty() {
            report.error(&name, ValidationProblem::Required);
        } else {
            report.check(&name.renamed(source.named.field("name")), Syntax::DnsSubdomain);
        }
    }
}

/// A disk over the network asks who wants it (`validateISCSIVolumeSource`).
pub(super) fn validate_iscsi_secret(source: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    let asks = source.is_true("chapAuthDiscovery") || source.is_true("chapAuthSession");
    if asks && !source.has("secretRef") {
        report.error_in(source, "secretRef", ValidationProblem::RequiredWith { other: "chapAuthDiscovery" });
    }
}

/// Who asks for a disk over the network, in a name that the volume's own is part of (`validateISCSIVolumeSource`).
pub(super) fn validate_iscsi_name(volume: &Node<'_>, source: &Node<'_>, report: &mut Report<'_>) {
    let initiator = source.field("initiatorName");
    if initiator.exists() {
        report.check(&initiator.renamed(source.named.field("initiatorname")), Syntax::IscsiName);
        if volume.text("name").len() + 1 + source.text("targetPortal").len() > 64 {
            report.error_in(volume, "name", ValidationProblem::TooLong { limit: 64 });
        }
    }
}
