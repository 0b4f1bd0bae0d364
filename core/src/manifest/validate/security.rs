use super::names::Names;
use super::node::Node;
use super::pod::Pod;
use super::report::Report;
use super::rules::Rule::{Each, Fields, Given, MostBytes, Range, Refused, Required, Shape, When, With, Word};
use super::rules::{Condition, Is, Rule, Rules, apply};
use super::template::visit_containers;
use super::{Syntax, ValidationProblem};

const PROFILES: &[&str] = &["Localhost", "RuntimeDefault", "Unconfined"];

/// Users and groups.
const ID: Rule = Range(&[0, i32::MAX as i64]);

/// `validatePodSpecSecurityContext`.
pub(super) const OF_POD_SECURITY: &Rules = &[
    ("fsGroup", ID),
    ("runAsUser", ID),
    ("runAsGroup", ID),
    ("supplementalGroups", Each(&[("", ID)])),
    ("", With(validate_shared_processes)),
    ("sysctls", With(validate_sysctls)),
    ("fsGroupChangePolicy", Given(&Word(&["Always", "OnRootMismatch"]))),
    ("supplementalGroupsPolicy", Given(&Word(&["Merge", "Strict"]))),
    ("seLinuxChangePolicy", Given(&With(validate_selinux_policy))),
    ("", With(validate_profiles)),
    ("windowsOptions", Fields(OF_WINDOWS)),
];

/// `ValidateSecurityContext`.
pub(super) const OF_CONTAINER_SECURITY: &Rules = &[
    ("runAsUser", ID),
    ("runAsGroup", ID),
    ("procMount", Given(&Word(&["Default", "Unmasked"]))),
    ("procMount", With(validate_unmasked)),
    ("", When(&[NO_ESCALATION, ("privileged", Is::True)], &Refused(&ValidationProblem::EscalationContradiction))),
    ("", When(&[NO_ESCALATION], &With(validate_added_capabilities))),
    ("", With(validate_profiles)),
    ("windowsOptions", Fields(OF_WINDOWS)),
];

/// `validateWindowsSecurityContextOptions`.
const OF_WINDOWS: &Rules = &[
    ("gmsaCredentialSpecName", Given(&Shape(Syntax::DnsSubdomain))),
    ("gmsaCredentialSpec", Given(&Required)),
    ("gmsaCredentialSpec", MostBytes(64 * 1024)),
    ("runAsUserName", Given(&Shape(Syntax::WindowsUserName))),
];

fn validate_shared_processes(context: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    if pod.spec.is_true("shareProcessNamespace") && pod.spec.is_true("hostPID") {
        // Reported as part of the security context, where it is not written.
        let named = context.named.field("shareProcessNamespace");
        let problem = ValidationProblem::NotWith { other: "hostPID: true" };
        report.error_at(&pod.spec.field("shareProcessNamespace"), &named, problem);
    }
}

fn validate_selinux_policy(policy: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    report.check_word(
        policy,
        if pod.allowance.any_selinux_policy { &["MountOption", "Recursive"] } else { &["Recursive"] },
    );
}

fn validate_sysctls(sysctls: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    let mut names = Names::default();
    for sysctl in sysctls.items() {
        let name = sysctl.field("name");
        let text = sysctl.text("name");
        report.require_and_check(&name, Syntax::SysctlName);
        if !names.insert(text) {
            report.duplicate(&name, text);
        }
        if let Some(other) = host_namespace_conflict(text, pod.spec).filter(|_| !pod.allowance.host_sysctls) {
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

fn validate_unmasked(proc_mount: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    if proc_mount.as_text() == "Unmasked" && pod.shares_users_with_host() {
        report.error(proc_mount, ValidationProblem::OnlyWith { other: "hostUsers: false" });
    }
}

const NO_ESCALATION: Condition = ("allowPrivilegeEscalation", Is::False);

fn validate_added_capabilities(context: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    for capability in context.field("capabilities").field("add").items() {
        if capability.as_text() == "CAP_SYS_ADMIN" {
            report.error_at(&capability, &context.named, ValidationProblem::EscalationContradiction);
        }
    }
}

const OF_SECCOMP_PATH: &Rules = &[("", Shape(Syntax::RelativePath)), ("", Shape(Syntax::PathWithoutBacksteps))];
const OF_APP_ARMOR_PATH: &Rules = &[("", Shape(Syntax::NotPadded)), ("", MostBytes(4095))];

/// Seccomp and `AppArmor` (`validateSeccompProfileField`, `ValidateAppArmorProfileField`).
fn validate_profiles(context: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    for (name, of_path) in [("seccompProfile", OF_SECCOMP_PATH), ("appArmorProfile", OF_APP_ARMOR_PATH)] {
        let profile = context.field(name);
        if !profile.exists() {
            continue;
        }
        let is_app_armor = name == "appArmorProfile";
        let (kind, path) = (profile.field("type"), profile.field("localhostProfile"));
        report.require_word(&kind, PROFILES);
        if kind.as_text() != "Localhost" {
            // Of a type that is no type, AppArmor says nothing more.
            if path.exists() && (!is_app_armor || PROFILES.contains(&kind.as_text())) {
                report.error(&path, ValidationProblem::OnlyWith { other: "type: Localhost" });
            }
        } else if !path.exists() || (is_app_armor && path.as_text().is_empty()) {
            report.error(&path, ValidationProblem::RequiredWith { other: "type: Localhost" });
        } else {
            apply(of_path, &path, pod, report);
        }
    }
}

/// Containers that are processes of the Windows host: all or none (`validateWindowsHostProcessPod`).
pub(super) fn validate_host_process(spec: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    let of_pod = spec.field("securityContext").field("windowsOptions").flag("hostProcess");
    let (mut all, mut on_host) = (0, 0);
    visit_containers(spec, |container| {
        let context = container.field("securityContext");
        let options = context.field("windowsOptions");
        let of_container = options.flag("hostProcess");
        if of_pod.zip(of_container).is_some_and(|(pod, container)| pod != container) {
            let other = "securityContext.windowsOptions.hostProcess of the pod";
            report.error_in(&options, "hostProcess", ValidationProblem::MustMatch { other });
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
            report.error_in(spec, "hostNetwork", problem);
        }
    }
}

/// A pod with users of its own shares nothing else with the node (`validateHostUsers`).
pub(super) fn validate_host_users(spec: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    if spec.flag("hostUsers") != Some(false) {
        return;
    }
    let problem = || ValidationProblem::NotWith { other: "hostUsers: false" };
    if spec.is_true("hostNetwork") && !pod.allowance.own_users_on_host_network {
        report.error_in(spec, "hostNetwork", problem());
    }
    for (field, named) in [("hostPID", "HostPID"), ("hostIPC", "HostIPC")] {
        if spec.is_true(field) {
            report.error_at(&spec.field(field), &spec.named.field(named), problem());
        }
    }
    if !pod.allowance.own_users_with_devices {
        visit_containers(spec, |container| {
            if container.field("volumeDevices").len() > 0 {
                report.error_in(container, "volumeDevices", problem());
            }
        });
    }
}
