use super::names::Names;
use super::node::Node;
use super::pod::Pod;
use super::problem::Place;
use super::report::Report;
use super::rules::Rule::{Given, Refused, Set, Shape, When, Word};
use super::rules::{Condition, Is, Rules, SET, apply};
use super::volumes::Kind;
use super::{Syntax, ValidationProblem};

/// Checks where volumes appear in a container (`ValidateVolumeMounts`).
pub(super) fn validate_mounts(container: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    let mounts = container.field("volumeMounts");
    let devices = container.field("volumeDevices");
    let device_names = Names::of(&devices, "name");
    let device_paths = Names::of(&devices, "devicePath");
    let mut paths = Names::default();
    for mount in mounts.items() {
        let (name, path) = (mount.field("name"), mount.field("mountPath"));
        report.require(&name);
        let volume = mount.text("name");
        if pod.volume(volume).is_none() {
            report.not_found(&name, "volumes");
        }
        report.require(&path);
        if !paths.insert(path.as_text()) {
            report.duplicate(&path, path.as_text());
        }
        if device_names.contains(volume) {
            report.error(&name, ValidationProblem::NotWith { other: "volumeDevices" });
        }
        if device_paths.contains(mount.text("mountPath")) {
            report.error(&path, ValidationProblem::NotWith { other: "volumeDevices" });
        }
        apply(OF_MOUNT, &mount, pod, report);
        // The API server leaves the position out of the other paths.
        let mount = mount.renamed(mounts.named);
        apply(OF_PLACE_IN_VOLUME, &mount, pod, report);
        if !container.field("securityContext").is_true("privileged") {
            apply(OF_UNPRIVILEGED_MOUNT, &mount, pod, report);
        }
        apply(OF_RECURSIVE_READ_ONLY, &mount, pod, report);
    }
}

const OF_MOUNT: &Rules =
    &[("subPathExpr", When(&[("subPath", SET)], &Set(&Refused(&ValidationProblem::NotWith { other: "subPath" }))))];

const OF_PLACE_IN_VOLUME: &Rules = &[
    ("subPath", Shape(Syntax::RelativePath)),
    ("subPath", Shape(Syntax::PathWithoutBacksteps)),
    ("subPathExpr", Shape(Syntax::RelativePath)),
    ("subPathExpr", Shape(Syntax::PathWithoutBacksteps)),
    ("mountPropagation", Given(&Word(&["Bidirectional", "HostToContainer", "None"]))),
];

const OF_UNPRIVILEGED_MOUNT: &Rules = &[(
    "mountPropagation",
    When(
        &[("mountPropagation", Is::OneOf(&["Bidirectional"]))],
        &Refused(&ValidationProblem::NotIn { place: Place::UnprivilegedContainer }),
    ),
)];

const OF_RECURSIVE_READ_ONLY: &Rules = &[
    ("recursiveReadOnly", Given(&Word(&["Disabled", "Enabled", "IfPossible"]))),
    (
        "recursiveReadOnly",
        When(
            &[IS_RECURSIVE, ("readOnly", Is::NotTrue)],
            &Refused(&ValidationProblem::OnlyWith { other: "readOnly: true" }),
        ),
    ),
    (
        "recursiveReadOnly",
        When(
            &[IS_RECURSIVE, ("mountPropagation", Is::NoneOf(&["", "None"]))],
            &Refused(&ValidationProblem::OnlyWith { other: "mountPropagation: None" }),
        ),
    ),
];

const IS_RECURSIVE: Condition = ("recursiveReadOnly", Is::OneOf(&["Enabled", "IfPossible"]));

/// Checks which volumes appear as block devices (`ValidateVolumeDevices`).
pub(super) fn validate_devices(container: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    let devices = container.field("volumeDevices");
    let mounts = container.field("volumeMounts");
    let mount_names = Names::of(&mounts, "name");
    let mount_paths = Names::of(&mounts, "mountPath");
    let (mut names, mut paths) = (Names::default(), Names::default());
    for device in devices.items() {
        let (name, path) = (device.field("name"), device.field("devicePath"));
        let (volume, device_path) = (device.text("name"), device.text("devicePath"));
        report.require(&name);
        if !volume.is_empty() && !names.insert(volume) {
            report.duplicate(&name, volume);
        }
        match pod.volume(volume) {
            Some(Kind::Claim) => {}
            Some(Kind::Other) => {
                report.error(&name, ValidationProblem::OnlyWith { other: "persistentVolumeClaim" });
            }
            None => report.not_found(&name, "volumes"),
        }
        report.require(&path);
        report.check(&path, Syntax::PathWithoutBacksteps);
        if Syntax::PathWithoutBacksteps.matches(device_path) && !paths.insert(device_path) {
            report.duplicate(&path, device_path);
        }
        if mount_names.contains(volume) {
            report.error(&name, ValidationProblem::NotWith { other: "volumeMounts" });
        }
        if mount_paths.contains(device_path) {
            report.error(&path, ValidationProblem::NotWith { other: "volumeMounts" });
        }
    }
}
