use super::allowance::Allowance;
use super::names::Names;
use super::node::Node;
use super::pod::Pod;
use super::report::Report;
use super::template::visit_containers;
use super::{Syntax, ValidationProblem};
use crate::api::Text;

const PROFILES: &[&str] = &["Localhost", "RuntimeDefault", "Unconfined"];
const LARGEST_ID: i64 = i32::MAX as i64;
/// `gmsaCredentialSpec` may be this long, bytes.
const LONGEST_CREDENTIALS: usize = 64 * 1024;
/// A path may be this long, bytes.
const LONGEST_PROFILE: usize = 4095;

/// Checks `securityContext` of a pod (`validatePodSpecSecurityContext`).
pub(super) fn validate_pod_security(spec: &Node<'_>, allowance: &Allowance, report: &mut Report<'_>) {
    let context = spec.field("securityContext");
    for id in ["fsGroup", "runAsUser", "runAsGroup"] {
        report.check_range(&context.field(id), 0, LARGEST_ID);
    }
    for group in context.field("supplementalGroups").items() {
        report.check_range(&group, 0, LARGEST_ID);
    }
    if spec.is_true("shareProcessNamespace") && spec.is_true("hostPID") {
        // Reported as part of the security context, where it is not written.
        let named = context.named.field("shareProcessNamespace");
        report.error_at(
            &spec.field("shareProcessNamespace"),
            &named,
            ValidationProblem::NotWith { other: "hostPID: true" },
        );
    }
    validate_sysctls(&context.field("sysctls"), spec, allowance, report);
    for (field, words) in [
        ("fsGroupChangePolicy", &["Always", "OnRootMismatch"][..]),
        ("supplementalGroupsPolicy", &["Merge", "Strict"][..]),
        (
            "seLinuxChangePolicy",
            if allowance.any_selinux_policy { &["MountOption", "Recursive"][..] } else { &["Recursive"][..] },
        ),
    ] {
        if context.has(field) {
            report.check_word(&context.field(field), words);
        }
    }
    validate_profiles(&context, report);
    validate_windows_options(&context.field("windowsOptions"), report);
}

fn validate_sysctls(sysctls: &Node<'_>, spec: &Node<'_>, allowance: &Allowance, report: &mut Report<'_>) {
    let mut names = Names::default();
    for sysctl in sysctls.items() {
        let name = sysctl.field("name");
        let text = sysctl.text("name");
        report.require_and_check(&name, Syntax::SysctlName);
        if !names.insert(text) {
            report.error(&name, ValidationProblem::Duplicate { value: Text::new(text) });
        }
        if let Some(other) = host_namespace_conflict(text, spec).filter(|_| !allowance.host_sysctls) {
            report.error(&name, ValidationProblem::NotWith { other });
        }
    }
}

/// What shares with the node the very thing that a kernel parameter would set (`ValidateHostSysctl`).
pub(super) fn host_namespace_conflict(sysctl: &str, spec: &Node<'_>) -> Option<&'static str> {
    const IPC: [&str; 10] = [
        "kernel.msg",
        "kernel.msgmax",
        "kernel.msgmnb",
        "kernel.msgmni",
        "kernel.sem",
        "kernel.shm",
        "kernel.shm_rmid_forced",
        "kernel.shmall",
        "kernel.shmmax",
        "kernel.shmmni",
    ];
    let with_dots = match sysctl.find(['.', '/']) {
        Some(first) if sysctl.get(first..).is_some_and(|rest| rest.starts_with('/')) => sysctl
            .chars()
            .map(|character| match character {
                '.' => '/',
                '/' => '.',
                other => other,
            })
            .collect(),
        _ => sysctl.to_owned(),
    };
    let name = with_dots.split('*').next().unwrap_or("");
    if name.starts_with("net.") && spec.is_true("hostNetwork") {
        Some("hostNetwork: true")
    } else if (IPC.contains(&name) || name.starts_with("fs.mqueue.")) && spec.is_true("hostIPC") {
        Some("hostIPC: true")
    } else {
        None
    }
}

/// Checks `securityContext` of a container (`ValidateSecurityContext`).
pub(super) fn validate_container_security(context: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    for id in ["runAsUser", "runAsGroup"] {
        report.check_range(&context.field(id), 0, LARGEST_ID);
    }
    let proc_mount = context.field("procMount");
    if proc_mount.exists() {
        report.check_word(&proc_mount, &["Default", "Unmasked"]);
        if proc_mount.as_text() == "Unmasked" && pod.shares_users_with_host() {
            report.error(&proc_mount, ValidationProblem::OnlyWith { other: "hostUsers: false" });
        }
    }
    if context.flag("allowPrivilegeEscalation") == Some(false) {
        if context.is_true("privileged") {
            report.error(context, ValidationProblem::EscalationContradiction);
        }
        let added = context.field("capabilities");
        for capability in added.field("add").items() {
            if capability.as_text() == "CAP_SYS_ADMIN" {
                report.error_at(&capability, &context.named, ValidationProblem::EscalationContradiction);
            }
        }
    }
    validate_profiles(context, report);
    validate_windows_options(&context.field("windowsOptions"), report);
}

/// Seccomp and `AppArmor` (`validateSeccompProfileField`, `ValidateAppArmorProfileField`).
fn validate_profiles(context: &Node<'_>, report: &mut Report<'_>) {
    for name in ["seccompProfile", "appArmorProfile"] {
        let profile = context.field(name);
        if !profile.exists() {
            continue;
        }
        let (kind, path) = (profile.field("type"), profile.field("localhostProfile"));
        report.require_word(&kind, PROFILES);
        let is_local = kind.as_text() == "Localhost";
        if !is_local {
            // Of a type that is no type, AppArmor says nothing more.
            if path.exists() && (name == "seccompProfile" || PROFILES.contains(&kind.as_text())) {
                report.error(&path, ValidationProblem::OnlyWith { other: "type: Localhost" });
            }
        } else if !path.exists() || (name == "appArmorProfile" && path.as_text().is_empty()) {
            report.error(&path, ValidationProblem::RequiredWith { other: "type: Localhost" });
        } else if name == "seccompProfile" {
            report.check(&path, Syntax::RelativePath);
            report.check(&path, Syntax::PathWithoutBacksteps);
        } else {
            report.check(&path, Syntax::NotPadded);
            if path.as_text().len() > LONGEST_PROFILE {
                report.error(&path, ValidationProblem::TooLong { limit: 4095 });
            }
        }
    }
}

/// `validateWindowsSecurityContextOptions`.
fn validate_windows_options(options: &Node<'_>, report: &mut Report<'_>) {
    let name = options.field("gmsaCredentialSpecName");
    if name.exists() {
        report.check(&name, Syntax::DnsSubdomain);
    }
    let credentials = options.field("gmsaCredentialSpec");
    if credentials.exists() {
        report.require(&credentials);
        if credentials.as_text().len() > LONGEST_CREDENTIALS {
            report.error(&credentials, ValidationProblem::TooLong { limit: 65_536 });
        }
    }
    let user = options.field("runAsUserName");
    if user.exists() {
        report.check(&user, Syntax::WindowsUserName);
    }
}

/// Containers that are processes of the Windows host: all or none (`validateWindowsHostProcessPod`).
pub(super) fn validate_host_process(spec: &Node<'_>, report: &mut Report<'_>) {
    let of_pod = spec.field("securityContext").field("windowsOptions").flag("hostProcess");
    let (mut all, mut on_host) = (0, 0);
    visit_containers(spec, |container| {
        let context = container.field("securityContext");
        let options = context.field("windowsOptions");
        let of_container = options.flag("hostProcess");
        if of_pod.zip(of_container).is_some_and(|(pod, container)| pod != container) {
            let other = "securityContext.windowsOptions.hostProcess of the pod";
            report.error(&options.field("hostProcess"), ValidationProblem::MustMatch { other });
        }
        all += 1;
        on_host += u32::from(of_container.or(of_pod) == Some(true));
    });
    if on_host > 0 {
        if on_host != all {
            report.error(spec, ValidationProblem::MixedHostProcess);
        }
        if !spec.is_true("hostNetwork") {
            let problem = ValidationProblem::RequiredWith { other: "windowsOptions.hostProcess: true" };
            report.error(&spec.field("hostNetwork"), problem);
        }
    }
}

/// A pod with users of its own shares nothing else with the node (`validateHostUsers`).
pub(super) fn validate_host_users(spec: &Node<'_>, allowance: &Allowance, report: &mut Report<'_>) {
    if spec.flag("hostUsers") != Some(false) {
        return;
    }
    let problem = ValidationProblem::NotWith { other: "hostUsers: false" };
    if spec.is_true("hostNetwork") && !allowance.own_users_on_host_network {
        report.error(&spec.field("hostNetwork"), problem.clone());
    }
    for (field, named) in [("hostPID", "HostPID"), ("hostIPC", "HostIPC")] {
        if spec.is_true(field) {
            report.error_at(&spec.field(field), &spec.named.field(named), problem.clone());
        }
    }
    if !allowance.own_users_with_devices {
        visit_containers(spec, |container| {
            let devices = container.field("volumeDevices");
            if devices.len() > 0 {
                report.error(&devices, problem.clone());
            }
        });
    }
}
