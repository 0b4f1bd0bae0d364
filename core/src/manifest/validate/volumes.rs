use super::claim::validate_claim_template;
use super::container::PULL_POLICIES;
use super::environment::{Downward, validate_field_reference, validate_resource_reference};
use super::names::Names;
use super::node::Node;
use super::pod::Pod;
use super::projected::validate_projected;
use super::report::Report;
use super::rules::Rule::{
    Each, Fields, Given, NotNegative, Range, Required, RequiredShape, RequiredWord, Set, Shape, When, With, Word,
};
use super::rules::{Rule, Rules, SET, apply};
use super::volume_drivers::{
    OF_CSI, OF_FIBRE_CHANNEL, validate_azure_uri, validate_flex_options, validate_flocker, validate_iscsi_name,
    validate_iscsi_secret, validate_quobyte,
};
use super::{Syntax, ValidationProblem};

/// A kind of volume.
struct Source {
    /// The field.
    field: &'static str,
    /// The field as problems name it, where that differs, when it is given beside another one.
    named: &'static str,
    rules: &'static Rules,
}

const fn source(field: &'static str, rules: &'static Rules) -> Source {
    Source { field, named: field, rules }
}

/// The kinds of volume in the order in which the API server looks for them: the first that is given is the one that
/// counts (`validateVolumeSource` and the functions it calls).
const SOURCES: &[Source] = &[
    source("emptyDir", &[("sizeLimit", NotNegative)]),
    source("hostPath", &[("path", Required), ("", When(&[("path", SET)], &Fields(OF_HOST_PATH)))]),
    source(
        "gitRepo",
        &[
            ("repository", Required),
            ("directory", Shape(Syntax::RelativePath)),
            ("directory", Shape(Syntax::PathWithoutBacksteps)),
        ],
    ),
    source("gcePersistentDisk", &[("pdName", Required), ("partition", BYTE)]),
    source("awsElasticBlockStore", &[("volumeID", Required), ("partition", BYTE)]),
    source("secret", &[("secretName", Required), ("defaultMode", MODE), ("items", Each(OF_KEY_TO_PATH))]),
    source("nfs", &[("server", Required), ("path", Required), ("path", Shape(Syntax::AbsolutePath))]),
    source(
        "iscsi",
        &[
            ("targetPortal", Required),
            ("iqn", RequiredShape(Syntax::IscsiName)),
            ("lun", BYTE),
            ("", With(validate_iscsi_secret)),
        ],
    ),
    source("glusterfs", &[("endpoints", Required), ("path", Required)]),
    source("flocker", &[("", With(validate_flocker))]),
    source("persistentVolumeClaim", &[("claimName", Required)]),
    source("rbd", &[("monitors", Required), ("image", Required)]),
    source("cinder", &[("volumeID", Required), ("secretRef", OF_SECRET)]),
    Source { named: "cephFS", ..source("cephfs", &[("monitors", Required)]) },
    source("quobyte", &[("volume", Required), ("", With(validate_quobyte))]),
    Source {
        named: "downwarAPI",
        ..source("downwardAPI", &[("defaultMode", MODE), ("", With(validate_downward_files))])
    },
    source("fc", OF_FIBRE_CHANNEL),
    source("flexVolume", &[("driver", Required), ("options", With(validate_flex_options))]),
    source("configMap", &[("name", Required), ("defaultMode", MODE), ("items", Each(OF_KEY_TO_PATH))]),
    source("azureFile", &[("secretName", Required), ("shareName", Required)]),
    source("vsphereVolume", &[("volumePath", Required)]),
    source("photonPersistentDisk", &[("pdID", Required)]),
    source("portworxVolume", &[("volumeID", Required)]),
    source(
        "azureDisk",
        &[
            ("diskName", Required),
            ("diskURI", Required),
            ("cachingMode", Word(&["None", "ReadOnly", "ReadWrite"])),
            ("kind", Word(&["Dedicated", "Managed", "Shared"])),
            ("", With(validate_azure_uri)),
        ],
    ),
    source(
        "storageos",
        &[
            ("volumeName", RequiredShape(Syntax::DnsLabel)),
            ("volumeNamespace", Set(&Shape(Syntax::DnsLabel))),
            ("secretRef", OF_SECRET),
        ],
    ),
    source("projected", &[("defaultMode", MODE), ("", With(validate_projected))]),
    source("scaleIO", &[("gateway", Required), ("system", Required), ("volumeName", Required)]),
    source("csi", OF_CSI),
    source("ephemeral", &[("volumeClaimTemplate", With(validate_claim_template))]),
    source("image", &[("reference", With(validate_image)), ("pullPolicy", RequiredWord(PULL_POLICIES))]),
];

pub(super) const BYTE: Rule = Range(&[0, 255]);

/// A file mode.
const MODE: Rule = Range(&[0, 0o777]);

const OF_SECRET: Rule = Fields(&[("name", Required)]);

/// Which key becomes which file (`validateKeyToPath`).
pub(super) const OF_KEY_TO_PATH: &Rules = &[
    ("key", Required),
    ("", With(|item, _, report| validate_file_path(&item.field("path"), &item.named, report))),
    ("mode", MODE),
];

/// The volumes without a fault, by name.
#[derive(Default)]
pub(super) struct Volumes(Names);

/// What matters of a volume to those who use it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A claim, which may be a block device.
    Claim,
    /// Anything else.
    Other,
}

impl Volumes {
    /// The kind of the volume of that name.
    pub fn kind(&self, name: &str) -> Option<Kind> {
        self.0.get(name).map(|is_claim| if is_claim == 0 { Kind::Other } else { Kind::Claim })
    }
}

/// Checks volumes; one with a fault is unknown to those who mount it (`ValidateVolumes`).
pub(super) fn validate_volumes(volumes: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) -> Volumes {
    let mut found = Volumes::default();
    for volume in volumes.items() {
        let problems_before = report.attempts();
        validate_source(&volume, pod, report);
        report.require_and_check(&volume.field("name"), Syntax::DnsLabel);
        let name = volume.text("name");
        if found.0.contains(name) {
            report.duplicate(&volume.field("name"), name);
        }
        if report.attempts() == problems_before {
            let is_claim = volume.has("persistentVolumeClaim") || volume.has("ephemeral");
            found.0.set(name, u32::from(is_claim));
        }
    }
    found
}

fn validate_source(volume: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    let mut counts = true;
    for Source { field, named, rules } in SOURCES.iter().filter(|source| volume.has(source.field)) {
        let source = volume.field(field);
        if !counts {
            report.error_at(&source, &volume.named.field(named), ValidationProblem::MoreThanOne);
            continue;
        }
        counts = false;
        // Its problems are reported under a name of long ago.
        let old_name = volume.named.field("persistentDisk");
        apply(rules, &if *field == "gcePersistentDisk" { source.renamed(old_name) } else { source }, pod, report);
        if *field == "iscsi" {
            validate_iscsi_name(volume, &source, report);
        }
    }
    if counts {
        let choices = &["hostPath", "emptyDir", "configMap", "secret"];
        report.error(volume, ValidationProblem::OneOfRequired { choices });
    }
}

const OF_HOST_PATH: &Rules = &[("path", Shape(Syntax::PathWithoutBacksteps)), ("type", Given(&Word(HOST_PATH_TYPES)))];

const HOST_PATH_TYPES: &[&str] =
    &["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"];

fn validate_image(reference: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    if !pod.allowance.image_volumes_without_reference {
        report.require(reference);
    }
}

/// A path inside the volume (`ValidateLocalNonReservedPath`), reported as `path` of `named`.
pub(super) fn validate_file_path(path: &Node<'_>, named: &super::At<'_>, report: &mut Report<'_>) {
    let text = path.as_text();
    if text.is_empty() {
        report.error_at(path, &named.field("path"), ValidationProblem::Required);
        return;
    }
    let shapes = [Syntax::RelativePath, Syntax::PathWithoutBacksteps, Syntax::PathNotStartingWithDots];
    if let Some(syntax) = shapes.into_iter().find(|syntax| !syntax.matches(text)) {
        report.check_text_at(path, &named.field("path"), text, syntax);
    }
}

fn validate_downward_files(source: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    for file in source.field("items").items() {
        validate_downward_file(&file, source, pod, report);
    }
}

/// A file with a field of the pod; its paths lack the position in the list (`validateDownwardAPIVolumeFile`).
pub(super) fn validate_downward_file(file: &Node<'_>, source: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    let file = file.renamed(source.named);
    validate_file_path(&file.field("path"), &file.named, report);
    let (field, resource) = (file.field("fieldRef"), file.field("resourceFieldRef"));
    if field.exists() {
        validate_field_reference(&field, Downward::File, report);
        if resource.exists() {
            report.error(&file, ValidationProblem::MoreThanOne);
        }
    } else if resource.exists() {
        validate_resource_reference(&resource, Downward::File, report);
    } else {
        report.error(&file, ValidationProblem::OneOfRequired { choices: &["fieldRef", "resourceFieldRef"] });
    }
    apply(&[("mode", MODE)], &file, pod, report);
}
