//! What can be done about a finding, and the command that does it.

use serde::Serialize;

use super::kubectl::{CommandLine, limit, list, object, string, toleration};
use super::problem::LimitField;
use crate::api::{IntOrString, ObjectKey, Text, Toleration};

/// Something that a person can do. Lists name what the command is about, in full.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum Remedy {
    /// Raise a limit.
    RaiseLimit {
        /// Which.
        field: LimitField,
        /// To what.
        to: IntOrString,
    },
    /// Write a limit that can be read.
    WriteLimit {
        /// Which.
        field: LimitField,
    },
    /// Replace pods instead of surging, so that the old one's room and ports are free first.
    ReplaceInsteadOfSurge {
        /// `maxUnavailable` from now on.
        max_unavailable: IntOrString,
    },
    /// Go back to an earlier version.
    RollBack {
        /// Its number.
        to: i64,
    },
    /// Remove nodes that do not come back.
    DeleteNodes {
        /// So many are enough.
        nodes: Vec<Text>,
    },
    /// Remove pods whose node is dead or gone without waiting for its kubelet.
    ForceDeletePods {
        /// So many are enough.
        pods: Vec<Text>,
        /// Whether the nodes are gone, so that nothing can run there.
        node_gone: bool,
    },
    /// Delete a pod, so that a new one is made.
    DeletePod {
        /// It.
        pod: Text,
    },
    /// Delete a pod that does not come back.
    RemovePod {
        /// It.
        pod: Text,
    },
    /// Let the controller replace pods.
    UseRollingUpdate,
    /// Take the finalizers off a pod.
    RemoveFinalizers {
        /// It.
        pod: Text,
    },
    /// Tolerate the taints.
    Tolerate {
        /// What is missing.
        tolerations: Vec<Toleration>,
        /// Whether the template has tolerations already.
        add: bool,
    },
    /// Take a taint off a node.
    RemoveTaint {
        /// The node.
        node: Text,
        /// The taint as kubectl writes it.
        taint: Text,
    },
    /// Label nodes as the template asks.
    LabelNodes {
        /// They.
        nodes: Vec<Text>,
        /// Label key.
        key: Text,
        /// Label value.
        value: Text,
        /// Whether the label has another value now.
        overwrite: bool,
    },
    /// Ask for less of a resource.
    LowerRequest {
        /// The container.
        container: Text,
        /// The resource.
        resource: Text,
        /// What fits.
        to: Text,
    },
    /// See what else is on a node, and move it or give this DaemonSet a higher priority. More nodes do not help: the
    /// pod is pinned.
    MakeRoom {
        /// The node.
        node: Text,
    },
    /// See who has the port; one of the two must take another.
    FreePort {
        /// The pod that has it.
        holder: ObjectKey,
    },
    /// Shorten `minReadySeconds`.
    LowerMinReady {
        /// To what.
        to: i32,
    },
    /// Replace all pods although the template is the same.
    Restart,
    /// See what the scheduler or the kubelet says about a pod.
    DescribePod {
        /// It.
        pod: Text,
    },
    /// See what a container said before it ended.
    ReadLogs {
        /// The pod.
        pod: Text,
        /// The container.
        container: Text,
        /// Whether the last run is meant, not the present one.
        previous: bool,
    },
    /// See why a node is down.
    DescribeNode {
        /// It.
        node: Text,
    },
    /// See what the API server answered to the controller.
    DescribeDaemonSet,
    /// See whether the controller manager is alive.
    CheckController,
    /// See whether the controller has caught up.
    CompareGenerations,
    /// See who holds the DaemonSet back.
    ShowFinalizers,
}

/// What a remedy costs or risks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Harm {
    /// The template changes: pods are replaced on every node.
    Rollout,
    /// The node has no pod until the new one is ready.
    Gap,
    /// A `Node` that still runs registers again; its pods are taken from it meanwhile.
    NodeForgotten,
    /// Where the node still runs, the old process does, too, beside a new one.
    MayStillRun,
    /// What the finalizer was to clean up is left.
    NotCleanedUp,
    /// The pod is not made again.
    PodLost,
    /// Other pods go where the taint kept them away.
    Untainted,
}

impl Remedy {
    /// The command; absent where there is none that says it all.
    pub fn command(&self, daemon_set: &ObjectKey) -> Option<String> {
        let strategy = |member, json| CommandLine::patch_spec(daemon_set, "updateStrategy", object(&[(member, json)]));
        let rolling_update = |limits: &[(&str, String)]| strategy("rollingUpdate", object(limits));
        let in_namespace = || CommandLine::in_namespace(&daemon_set.namespace);
        let line = match self {
            Self::RaiseLimit { field, to } => rolling_update(&[(field.as_str(), limit(to))]),
            Self::WriteLimit { field } => rolling_update(&[(field.as_str(), "1".to_owned())]),
            Self::ReplaceInsteadOfSurge { max_unavailable } => {
                rolling_update(&[("maxSurge", "0".to_owned()), ("maxUnavailable", limit(max_unavailable))])
            }
            Self::RollBack { to } => CommandLine::on(daemon_set, "rollout undo").plain(&format!("--to-revision={to}")),
            Self::DeleteNodes { nodes } => CommandLine::cluster_wide().plain("delete nodes").names(nodes),
            Self::ForceDeletePods { pods, .. } => {
                in_namespace().plain("delete pods").names(pods).plain("--force --grace-period=0")
            }
            Self::DeletePod { pod } | Self::RemovePod { pod } => in_namespace().plain("delete pod").name(pod),
            Self::UseRollingUpdate => strategy("type", string("RollingUpdate")),
            Self::RemoveFinalizers { pod } => in_namespace()
                .plain("patch pod")
                .name(pod)
                .plain("--type=merge -p")
                .argument(r#"{"metadata":{"finalizers":null}}"#),
            Self::Tolerate { tolerations, add } => {
                let tolerations: Vec<String> = tolerations.iter().map(toleration).collect();
                // A list that is there grows; one that is not is made.
                let (place, values) = if *add { ("/-", tolerations) } else { ("", vec![list(&tolerations)]) };
                let path = string(&["/spec/template/spec/tolerations", place].concat());
                let operation = |value| object(&[("op", string("add")), ("path", path.clone()), ("value", value)]);
                let operations = list(&values.into_iter().map(operation).collect::<Vec<_>>());
                CommandLine::on(daemon_set, "patch").plain("--type=json -p").argument(&operations)
            }
            Self::RemoveTaint { node, taint } => {
                CommandLine::cluster_wide().plain("taint nodes").name(node).argument(&format!("{taint}-"))
            }
            Self::LabelNodes { nodes, key, value, overwrite } => {
                let line = CommandLine::cluster_wide().plain("label nodes").names(nodes);
                let line = line.name(&format!("{key}={value}"));
                if *overwrite { line.plain("--overwrite") } else { line }
            }
            Self::LowerRequest { container, resource, to } => CommandLine::on(daemon_set, "set resources")
                .plain("-c")
                .name(container)
                .argument(&format!("--requests={resource}={to}")),
            Self::MakeRoom { node } | Self::DescribeNode { node } => {
                CommandLine::cluster_wide().plain("describe node").name(node)
            }
            Self::FreePort { holder } => {
                CommandLine::in_namespace(&holder.namespace).plain("describe pod").name(&holder.name)
            }
            Self::LowerMinReady { to } => CommandLine::patch_spec(daemon_set, "minReadySeconds", to.to_string()),
            Self::Restart => CommandLine::on(daemon_set, "rollout restart"),
            Self::DescribePod { pod } => in_namespace().plain("describe pod").name(pod),
            Self::ReadLogs { pod, container, previous } => {
                let line = in_namespace().plain("logs").name(pod).plain("-c").name(container);
                if *previous { line.plain("--previous") } else { line }
            }
            Self::DescribeDaemonSet => CommandLine::on(daemon_set, "describe"),
            Self::CheckController => CommandLine::in_namespace("kube-system")
                .plain("get lease kube-controller-manager -o")
                .argument("jsonpath={.spec.renewTime}"),
            Self::CompareGenerations => CommandLine::on(daemon_set, "get")
                .plain("-o")
                .argument("jsonpath={.metadata.generation} {.status.observedGeneration}"),
            Self::ShowFinalizers => {
                CommandLine::on(daemon_set, "get").plain("-o").argument("jsonpath={.metadata.finalizers}")
            }
        };
        line.finish()
    }

    /// What it costs or risks; absent where it only looks, or changes a number.
    pub const fn harm(&self) -> Option<Harm> {
        match self {
            Self::RollBack { .. } | Self::Tolerate { .. } | Self::LowerRequest { .. } | Self::Restart => {
                Some(Harm::Rollout)
            }
            Self::DeleteNodes { .. } => Some(Harm::NodeForgotten),
            Self::ForceDeletePods { node_gone: false, .. } => Some(Harm::MayStillRun),
            Self::DeletePod { .. } => Some(Harm::Gap),
            Self::RemovePod { .. } => Some(Harm::PodLost),
            Self::RemoveFinalizers { .. } => Some(Harm::NotCleanedUp),
            Self::RemoveTaint { .. } => Some(Harm::Untainted),
            Self::UseRollingUpdate
            | Self::RaiseLimit { .. }
            | Self::WriteLimit { .. }
            | Self::ReplaceInsteadOfSurge { .. }
            | Self::ForceDeletePods { node_gone: true, .. }
            | Self::LabelNodes { .. }
            | Self::MakeRoom { .. }
            | Self::FreePort { .. }
            | Self::LowerMinReady { .. }
            | Self::DescribePod { .. }
            | Self::ReadLogs { .. }
            | Self::DescribeNode { .. }
            | Self::DescribeDaemonSet
            | Self::CheckController
            | Self::CompareGenerations
            | Self::ShowFinalizers => None,
        }
    }
}
