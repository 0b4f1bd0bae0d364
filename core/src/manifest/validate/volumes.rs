use super::allowance::Allowance;
use super::claim::validate_claim_template;
use super::container::validate_pull_policy;
use super::environment::{Downward, validate_field_reference, validate_resource_reference};
use super::names::Names;
use super::node::Node;
use super::projected::validate_projected;
use super::report::Report;
use super::volume_drivers::{validate_driver, validate_iscsi};
use super::{Syntax, ValidationProblem};
use crate::api::Text;

/// The largest mode of a file, `0777`.
const LARGEST_MODE: i64 = 0o777;

/// The kinds of volume in the order in which the API server looks for them: the first that is given is the one that
/// counts. The second name is the one in the paths of its problems, where that differs.
const SOURCES: [(&str, &str); 30] = [
    ("emptyDir", "emptyDir"),
    ("hostPath", "hostPath"),
    ("gitRepo", "gitRepo"),
    ("gcePersistentDisk", "gcePersistentDisk"),
    ("awsElasticBlockStore", "awsElasticBlockStore"),
    ("secret", "secret"),
    ("nfs", "nfs"),
    ("iscsi", "iscsi"),
    ("glusterfs", "glusterfs"),
    ("flocker", "flocker"),
    ("persistentVolumeClaim", "persistentVolumeClaim"),
    ("rbd", "rbd"),
    ("cinder", "cinder"),
    ("cephfs", "cephFS"),
    ("quobyte", "quobyte"),
    ("downwardAPI", "downwarAPI"),
    ("fc", "fc"),
    ("flexVolume", "flexVolume"),
    ("configMap", "configMap"),
    ("azureFile", "azureFile"),
    ("vsphereVolume", "vsphereVolume"),
    ("photonPersistentDisk", "photonPersistentDisk"),
    ("portworxVolume", "portworxVolume"),
    ("azureDisk", "azureDisk"),
    ("storageos", "storageos"),
    ("projected", "projected"),
    ("scaleIO", "scaleIO"),
    ("csi", "csi"),
    ("ephemeral", "ephemeral"),
    ("image", "image"),
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
pub(super) fn validate_volumes(volumes: &Node<'_>, allowance: &Allowance, report: &mut Report<'_>) -> Volumes {
    let mut found = Volumes::default();
    for volume in volumes.items() {
        let problems_before = report.attempts();
        validate_source(&volume, allowance, report);
        report.require_and_check(&volume.field("name"), Syntax::DnsLabel);
        let name = volume.text("name");
        if found.0.contains(name) {
            report.error(&volume.field("name"), ValidationProblem::Duplicate { value: Text::new(name) });
        }
        if report.attempts() == problems_before {
            let is_claim = volume.has("persistentVolumeClaim") || volume.has("ephemeral");
            found.0.set(name, u32::from(is_claim));
        }
    }
    found
}

fn validate_source(volume: &Node<'_>, allowance: &Allowance, report: &mut Report<'_>) {
    let mut given = SOURCES.iter().filter(|(source, _)| volume.has(source));
    let Some((first, _)) = given.next() else {
        report.error(
            volume,
            ValidationProblem::OneOfRequired { choices: &["hostPath", "emptyDir", "configMap", "secret"] },
        );
        return;
    };
    let source = volume.field(first);
    match *first {
        "emptyDir" => {
            let limit = source.field("sizeLimit");
            if limit.quantity().is_some_and(crate::api::Quantity::is_negative) {
                report.error(&limit, ValidationProblem::NegativeAmount);
            }
        }
        "hostPath" => validate_host_path(&source, report),
        "secret" => validate_key_volume(&source, "secretName", report),
        "configMap" => validate_key_volume(&source, "name", report),
        "downwardAPI" => {
            validate_mode(&source.field("defaultMode"), report);
            for file in source.field("items").items() {
                validate_downward_file(&file, &source, report);
            }
        }
        "projected" => validate_projected(&source, allowance, report),
        "iscsi" => validate_iscsi(volume, &source, report),
        "ephemeral" => validate_claim_template(&source.field("volumeClaimTemplate"), report),
        "image" => {
            if !allowance.image_volumes_without_reference {
                report.require(&source.field("reference"));
            }
            validate_pull_policy(&source.field("pullPolicy"), report);
        }
        driver => validate_driver(driver, volume, &source, report),
    }
    for (other, named) in given {
        report.error_at(&volume.field(other), &volume.named.field(named), ValidationProblem::MoreThanOne);
    }
}

fn validate_host_path(source: &Node<'_>, report: &mut Report<'_>) {
    let path = source.field("path");
    if path.as_text().is_empty() {
        report.error(&path, ValidationProblem::Required);
        return;
    }
    report.check(&path, Syntax::PathWithoutBacksteps);
    let kind = source.field("type");
    if kind.exists() {
        report.check_word(&kind, HOST_PATH_TYPES);
    }
}

const HOST_PATH_TYPES: &[&str] =
    &["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"];

fn validate_key_volume(source: &Node<'_>, name: &str, report: &mut Report<'_>) {
    report.require(&source.field(name));
    validate_mode(&source.field("defaultMode"), report);
    for item in source.field("items").items() {
        validate_key_to_path(&item, report);
    }
}

/// Checks which key becomes which file (`validateKeyToPath`).
pub(super) fn validate_key_to_path(item: &Node<'_>, report: &mut Report<'_>) {
    report.require(&item.field("key"));
    validate_file_path(&item.field("path"), &item.named, report);
    validate_mode(&item.field("mode"), report);
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
        let problem = ValidationProblem::Malformed { value: Text::new(text), syntax };
        report.error_at(path, &named.field("path"), problem);
    }
}

/// A file mode between 0 and 0777.
pub(super) fn validate_mode(mode: &Node<'_>, report: &mut Report<'_>) {
    report.check_range(mode, 0, LARGEST_MODE);
}

/// A file with a field of the pod; its paths lack the position in the list (`validateDownwardAPIVolumeFile`).
pub(super) fn validate_downward_file(file: &Node<'_>, source: &Node<'_>, report: &mut Report<'_>) {
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
    validate_mode(&file.field("mode"), report);
}
