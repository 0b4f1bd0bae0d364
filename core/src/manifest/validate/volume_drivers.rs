use super::node::Node;
use super::report::Report;
use super::syntax::in_lower_case;
use super::{Syntax, ValidationProblem};

/// Fields that a kind of volume must have.
const REQUIRED: [(&str, &[&str]); 16] = [
    ("gitRepo", &["repository"]),
    ("awsElasticBlockStore", &["volumeID"]),
    ("nfs", &["server", "path"]),
    ("glusterfs", &["endpoints", "path"]),
    ("persistentVolumeClaim", &["claimName"]),
    ("rbd", &["monitors", "image"]),
    ("cinder", &["volumeID"]),
    ("cephfs", &["monitors"]),
    ("quobyte", &["volume"]),
    ("flexVolume", &["driver"]),
    ("azureFile", &["secretName", "shareName"]),
    ("vsphereVolume", &["volumePath"]),
    ("photonPersistentDisk", &["pdID"]),
    ("portworxVolume", &["volumeID"]),
    ("azureDisk", &["diskName", "diskURI"]),
    ("scaleIO", &["gateway", "system", "volumeName"]),
];

/// Checks a volume that a driver for some storage provides (`validateVolumeSource` and the functions it calls).
pub(super) fn validate_driver(driver: &str, volume: &Node<'_>, source: &Node<'_>, report: &mut Report<'_>) {
    for (_, fields) in REQUIRED.iter().filter(|(name, _)| *name == driver) {
        for field in *fields {
            report.require(&source.field(field));
        }
    }
    match driver {
        "gitRepo" => {
            let directory = source.field("directory");
            report.check(&directory, Syntax::RelativePath);
            report.check(&directory, Syntax::PathWithoutBacksteps);
        }
        "gcePersistentDisk" => {
            // Its problems are reported under a name of long ago.
            let disk = source.renamed(volume.named.field("persistentDisk"));
            report.require(&disk.field("pdName"));
            report.check_range(&disk.field("partition"), 0, 255);
        }
        "awsElasticBlockStore" => report.check_range(&source.field("partition"), 0, 255),
        "nfs" => report.check(&source.field("path"), Syntax::AbsolutePath),
        "flocker" => validate_flocker(source, report),
        "cinder" => require_secret_name(source, report),
        "quobyte" => validate_quobyte(source, report),
        "fc" => validate_fibre_channel(source, report),
        "flexVolume" => validate_flex_options(&source.field("options"), report),
        "azureDisk" => validate_azure_disk(source, report),
        "storageos" => {
            report.require_and_check(&source.field("volumeName"), Syntax::DnsLabel);
            report.check_if_set(&source.field("volumeNamespace"), Syntax::DnsLabel);
            require_secret_name(source, report);
        }
        "csi" => validate_csi(source, report),
        _ => {}
    }
}

fn require_secret_name(source: &Node<'_>, report: &mut Report<'_>) {
    let secret = source.field("secretRef");
    if secret.exists() {
        report.require(&secret.field("name"));
    }
}

fn validate_flocker(source: &Node<'_>, report: &mut Report<'_>) {
    const CHOICES: &[&str] = &["datasetName", "datasetUUID"];
    let name = source.field("datasetName");
    match CHOICES.iter().filter(|choice| !source.text(choice).is_empty()).count() {
        0 => report.error(source, ValidationProblem::OneOfRequired { choices: CHOICES }),
        1 => {}
        _ => report.error(source, ValidationProblem::MoreThanOne),
    }
    if name.as_text().contains('/') {
        report
            .error(&name, ValidationProblem::Malformed { value: name.as_text().into(), syntax: Syntax::WithoutSlash });
    }
}

fn validate_quobyte(source: &Node<'_>, report: &mut Report<'_>) {
    let registry = source.field("registry");
    if registry.as_text().is_empty() {
        report.error(&registry, ValidationProblem::Required);
    } else if source.text("tenant").len() > 64 {
        report.error(&source.field("tenant"), ValidationProblem::TooLong { limit: 64 });
    } else {
        report.check(&registry, Syntax::HostPortPairs);
    }
}

fn validate_fibre_channel(source: &Node<'_>, report: &mut Report<'_>) {
    let targets = source.field("targetWWNs");
    match (targets.len(), source.field("wwids").len()) {
        (0, 0) => report.error(&targets, ValidationProblem::OneOfRequired { choices: &["targetWWNs", "wwids"] }),
        (0, _) => return,
        (_, 0) => {}
        _ => report.error(&targets, ValidationProblem::NotWith { other: "wwids" }),
    }
    if targets.len() > 0 {
        let lun = source.field("lun");
        if lun.exists() {
            report.check_range(&lun, 0, 255);
        } else {
            report.error(&lun, ValidationProblem::RequiredWith { other: "targetWWNs" });
        }
    }
}

fn validate_flex_options(options: &Node<'_>, report: &mut Report<'_>) {
    for (key, value) in options.entries() {
        let namespace = key.split_once('/').map_or(key, |(namespace, _)| namespace);
        let normal = format!(".{}", in_lower_case(namespace));
        if normal.ends_with(".kubernetes.io") || normal.ends_with(".k8s.io") {
            report.error(&value, ValidationProblem::ReservedNamespace);
        }
    }
}

fn validate_azure_disk(source: &Node<'_>, report: &mut Report<'_>) {
    report.check_word(&source.field("cachingMode"), &["None", "ReadOnly", "ReadWrite"]);
    let kind = source.field("kind");
    report.check_word(&kind, &["Dedicated", "Managed", "Shared"]);
    let uri = source.field("diskURI");
    let (prefix, supported): (_, &'static [&'static str]) = match kind.as_text() {
        "Managed" => ("/subscriptions/", &["/subscriptions/…"]),
        _ => ("https://", &["https://…"]),
    };
    if !uri.as_text().starts_with(prefix) {
        let value = uri.as_text().into();
        report.error(&uri, ValidationProblem::NotSupported { value, supported, meant: None });
    }
}

fn validate_csi(source: &Node<'_>, report: &mut Report<'_>) {
    let driver = source.field("driver");
    report.require_and_check(&driver, Syntax::DnsSubdomainInAnyCase);
    if driver.as_text().len() > 63 {
        report.error(&driver, ValidationProblem::TooLong { limit: 63 });
    }
    let secret = source.field("nodePublishSecretRef");
    if secret.exists() {
        let name = secret.field("name");
        if name.as_text().is_empty() {
            report.error(&name, ValidationProblem::Required);
        } else if !Syntax::DnsSubdomain.matches(name.as_text()) {
            let problem = ValidationProblem::Malformed { value: name.as_text().into(), syntax: Syntax::DnsSubdomain };
            report.error_at(&name, &source.named.field("name"), problem);
        }
    }
}

/// Checks a disk over the network (`validateISCSIVolumeSource`).
pub(super) fn validate_iscsi(volume: &Node<'_>, source: &Node<'_>, report: &mut Report<'_>) {
    report.require(&source.field("targetPortal"));
    report.require_and_check(&source.field("iqn"), Syntax::IscsiName);
    report.check_range(&source.field("lun"), 0, 255);
    let secret = source.field("secretRef");
    if (source.is_true("chapAuthDiscovery") || source.is_true("chapAuthSession")) && !secret.exists() {
        report.error(&secret, ValidationProblem::RequiredWith { other: "chapAuthDiscovery" });
    }
    let initiator = source.field("initiatorName");
    if initiator.exists() {
        if !Syntax::IscsiName.matches(initiator.as_text()) {
            let value = initiator.as_text().into();
            let problem = ValidationProblem::Malformed { value, syntax: Syntax::IscsiName };
            report.error_at(&initiator, &source.named.field("initiatorname"), problem);
        }
        let name = volume.field("name");
        if name.as_text().len() + 1 + source.text("targetPortal").len() > 64 {
            report.error(&name, ValidationProblem::TooLong { limit: 64 });
        }
    }
}
