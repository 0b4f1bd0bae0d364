use serde_json::Value;

use super::node::Node;
use super::pod::Pod;
use super::report::Report;
use super::rules::apply;
use super::scheduling::OF_AFFINITY_BETWEEN_PODS;
use super::security::host_namespace_conflict;
use super::selector::{validate_copied_label_keys, validate_label_selector};
use super::template::{is_deletion_cost, visit_containers};
use super::{Syntax, template};
use crate::KubernetesVersion;
use crate::json::{any_at, value_at};
use crate::manifest::{Span, Tree, TreeValue};

/// What goes in this release, or may stay because the object that exists already has it: rules that came later than some
/// objects, and features that are off by default (`GetValidationOptionsFromPodTemplate`, Kubernetes 1.36).
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches, one a rule, as upstream has them")]
pub(super) struct Allowance {
    /// Values in label selectors that are no label values.
    pub bad_values_in_selectors: bool,
    /// Values in required node affinity that are no label values; before 1.33 they go.
    pub bad_values_in_node_affinity: bool,
    /// Label selectors of topology spread that are not valid.
    pub bad_spread_selectors: bool,
    /// Keys of topology spread that are also in its selector.
    pub conflicting_spread_keys: bool,
    /// A deletion cost that is no number.
    pub bad_deletion_cost: bool,
    /// Token files outside the volume.
    pub remote_token_paths: bool,
    /// Kernel parameters of what the pod shares with the node.
    pub host_sysctls: bool,
    /// Tolerations that compare numbers.
    pub comparing_tolerations: bool,
    /// Tolerations that compare numbers are not even known as switched off: before 1.35.
    pub unknown_comparing_tolerations: bool,
    /// Users of its own on the network of the node.
    pub own_users_on_host_network: bool,
    /// Users of its own and block devices.
    pub own_users_with_devices: bool,
    /// Any way of changing `SELinux` labels.
    pub any_selinux_policy: bool,
    /// Init containers that restart when resized.
    pub resize_restarts_init_containers: bool,
    /// Image volumes without a reference; before 1.37 they go.
    pub image_volumes_without_reference: bool,
}

impl Allowance {
    /// What this release allows, and what the object that exists has already.
    pub fn of(before: Option<&Value>, version: KubernetesVersion) -> Self {
        let mut allowance = before.map_or_else(Self::default, Self::kept);
        allowance.bad_values_in_node_affinity |= version < KubernetesVersion::V1_33;
        allowance.image_volumes_without_reference |= version < KubernetesVersion::V1_37;
        allowance.unknown_comparing_tolerations = version < KubernetesVersion::V1_35;
        allowance
    }

    fn kept(before: &Value) -> Self {
        let root = Node::root(before);
        let spec = root.field("spec");
        let template = spec.field("template");
        let pod = template.field("spec");
        let any = |way: &str, is_one: &dyn Fn(&Value) -> bool| any_at(pod.value, way, is_one);
        let nothing = Self::default();
        let affinity = pod.field("affinity");
        let spread = pod.field("topologySpreadConstraints");
        let own_users = pod.flag("hostUsers") == Some(false);
        let mut any_device = false;
        visit_containers(&pod, |container| any_device |= container.field("volumeDevices").len() > 0);
        Self {
            bad_values_in_selectors: any_at(before, "spec.selector.matchExpressions[].values[]", &is_no_label_value)
                || has_fault(&mut |report| {
                    let pod = Pod { spec: &pod, volumes: None, allowance: &nothing };
                    apply(OF_AFFINITY_BETWEEN_PODS, &affinity, &pod, report);
                }),
            bad_values_in_node_affinity: any(
                "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[]\
                 .matchExpressions[].values[]",
                &is_no_label_value,
            ),
            bad_spread_selectors: has_fault(&mut |report| {
                for constraint in spread.items() {
                    validate_label_selector(&constraint.field("labelSelector"), true, report);
                }
            }),
            conflicting_spread_keys: has_fault(&mut |report| {
                for constraint in spread.items() {
                    validate_copied_label_keys(&constraint, report);
                }
            }),
            bad_deletion_cost: value_at(template.value, "metadata.annotations")
                .and_then(|annotations| annotations.get(template::DELETION_COST))
                .and_then(Value::as_str)
                .is_some_and(|cost| !is_deletion_cost(cost)),
            remote_token_paths: any("volumes[].projected.sources[]", &|source| {
                let path = value_at(source, "serviceAccountToken.path").and_then(Value::as_str).unwrap_or("");
                let shapes = [Syntax::RelativePath, Syntax::PathWithoutBacksteps, Syntax::PathNotStartingWithDots];
                shapes.iter().any(|shape| !shape.matches(path))
            }),
            host_sysctls: any("securityContext.sysctls[].name", &|name| {
                host_namespace_conflict(name.as_str().unwrap_or(""), &pod).is_some()
            }),
            comparing_tolerations: any("tolerations[].operator", &|operator| operator == "Lt" || operator == "Gt"),
            unknown_comparing_tolerations: false,
            own_users_on_host_network: own_users && pod.is_true("hostNetwork"),
            own_users_with_devices: own_users && any_device,
            any_selinux_policy: pod.field("securityContext").has("seLinuxChangePolicy"),
            resize_restarts_init_containers: any("initContainers[]", &|container| {
                container.get("restartPolicy").is_none_or(|policy| policy != "Always")
                    && any_at(container, "resizePolicy[].restartPolicy", &|policy| policy == "RestartContainer")
            }),
            image_volumes_without_reference: any("volumes[].image", &|image| {
                !image.is_null() && image.get("reference").and_then(Value::as_str).unwrap_or("").is_empty()
            }),
        }
    }
}

fn is_no_label_value(value: &Value) -> bool {
    !Syntax::LabelValue.matches(value.as_str().unwrap_or(""))
}

/// Whether a rule finds anything.
fn has_fault(rule: &mut dyn FnMut(&mut Report<'_>)) -> bool {
    let nowhere = Tree { value: TreeValue::Null, span: Span::default() };
    let mut report = Report::new(&nowhere, 0, &[]);
    rule(&mut report);
    !report.is_empty()
}
