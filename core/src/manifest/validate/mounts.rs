use super::names::Names;
use super::node::Node;
use super::pod::Pod;
use super::problem::Place;
use super::report::Report;
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
        // From here on the API server leaves the position out of the paths.
        if !mount.text("subPath").is_empty() && !mount.text("subPathExpr").is_empty() {
            report.error_in(&mount, "subPathExpr", ValidationProblem::NotWith { other: "subPath" });
        }
        for field in ["subPath", "subPathExpr"] {
            for syntax in [Syntax::RelativePath, Syntax::PathWithoutBacksteps] {
                report.check(&mount.field(field).renamed(mounts.named.field(field)), syntax);
            }
        }
        validate_propagation(&mount, &mounts, container, report);
        validate_recursive_read_only(&mount, &mounts, report);
    }
}

fn validate_propagation(mount: &Node<'_>, mounts: &Node<'_>, container: &Node<'_>, report: &mut Report<'_>) {
    let propagation = mount.field("mountPropagation");
    if !propagation.exists() {
        return;
    }
    let named = mounts.named.field("mountPropagation");
    report.check_word_at(&propagation, &named, &["Bidirectional", "HostToContainer", "None"]);
    if propagation.as_text() == "Bidirectional" && !container.field("securityContext").is_true("privileged") {
        report.error_at(&propagation, &named, ValidationProblem::NotIn { place: Place::UnprivilegedContainer });
    }
}

fn validate_recursive_read_only(mount: &Node<'_>, mounts: &Node<'_>, report: &mut Report<'_>) {
    let recursive = mount.field("recursiveReadOnly");
    let named = mounts.named.field("recursiveReadOnly");
    match recursive.as_text() {
        _ if !recursive.exists() => {}
        "Disabled" => {}
        "Enabled" | "IfPossible" => {
            if !mount.is_true("readOnly") {
                report.error_at(&recursive, &named, ValidationProblem::OnlyWith { other: "readOnly: true" });
            }
            if !matches!(mount.text("mountPropagation"), "" | "None") {
                report.error_at(&recursive, &named, ValidationProblem::OnlyWith { other: "mountPropagation: None" });
            }
        }
        _ => report.check_word_at(&recursive, &named, &["Disabled", "Enabled", "IfPossible"]),
    }
}

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
