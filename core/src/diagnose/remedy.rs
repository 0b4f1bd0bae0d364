//! What can be done about a finding, and the command that does it.

use serde::Serialize;

use super::kubectl::Word::{self, Argument, Name, Names};
use super::kubectl::{cluster_wide, in_namespace, limit, list, object, patch_spec, string, toleration};
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
        let strategy = |member, json| patch_spec(daemon_set, "updateStrategy", object(&[(member, json)]));
        let rolling_update = |limits: &[(&str, String)]| strategy("rollingUpdate", object(limits));
        let own = Name(&daemon_set.name);
        let near = |line: &str, words: &[Word<'_>]| in_namespace(&daemon_set.namespace, line, words);
        match self {
            Self::RaiseLimit { field, to } => rolling_update(&[(field.as_str(), limit(to))]),
            Self::WriteLimit { field } => rolling_update(&[(field.as_str(), "1".to_owned())]),
            Self::ReplaceInsteadOfSurge { max_unavailable } => {
                rolling_update(&[("maxSurge", "0".to_owned()), ("maxUnavailable", limit(max_unavailable))])
            }
            Self::RollBack { to } => {
                near("rollout undo daemonset {} {}", &[own, Argument(&format!("--to-revision={to}"))])
            }
            Self::DeleteNodes { nodes } => cluster_wide("delete nodes {}", &[Names(nodes)]),
            Self::ForceDeletePods { pods, .. } => near("delete pods {} --force --grace-period=0", &[Names(pods)]),
            Self::DeletePod { pod } | Self::RemovePod { pod } => near("delete pod {}", &[Name(pod)]),
            Self::UseRollingUpdate => strategy("type", string("RollingUpdate")),
            Self::RemoveFinalizers { pod } => {
                near(r#"patch pod {} --type=merge -p '{"metadata":{"finalizers":null}}'"#, &[Name(pod)])
            }
            Self::Tolerate { tolerations, add } => {
                let tolerations: Vec<String> = tolerations.iter().map(toleration).collect();
                // A list that is there grows; one that is not is made.
                let (place, values) = if *add { ("/-", tolerations) } else { ("", vec![list(&tolerations)]) };
                let path = string(&["/spec/template/spec/tolerations", place].concat());
                let operation = |value| object(&[("op", string("add")), ("path", path.clone()), ("value", value)]);
                let operations = list(&values.into_iter().map(operation).collect::<Vec<_>>());
                near("patch daemonset {} --type=json -p {}", &[own, Argument(&operations)])
            }
            Self::RemoveTaint { node, taint } => {
                cluster_wide("taint nodes {} {}", &[Name(node), Argument(&[taint.as_str(), "-"].concat())])
            }
            Self::LabelNodes { nodes, key, value, overwrite } => {
                let label = [key.as_str(), "=", value].concat();
                let line = if *overwrite { "label nodes {} {} --overwrite" } else { "label nodes {} {}" };
                cluster_wide(line, &[Names(nodes), Name(&label)])
            }
            Self::LowerRequest { container, resource, to } => {
                let requests = ["--requests=", resource, "=", to].concat();
                near("set resources daemonset {} -c {} {}", &[own, Name(container), Argument(&requests)])
            }
            Self::MakeRoom { node } | Self::DescribeNode { node } => cluster_wide("describe node {}", &[Name(node)]),
            Self::FreePort { holder } => in_namespace(&holder.namespace, "describe pod {}", &[Name(&holder.name)]),
            Self::LowerMinReady { to } => patch_spec(daemon_set, "minReadySeconds", to.to_string()),
            Self::Restart => near("rollout restart daemonset {}", &[own]),
            Self::DescribePod { pod } => near("describe pod {}", &[Name(pod)]),
            Self::ReadLogs { pod, container, previous } => {
                let line = if *previous { "logs {} -c {} --previous" } else { "logs {} -c {}" };
                near(line, &[Name(pod), Name(container)])
            }
            Self::DescribeDaemonSet => near("describe daemonset {}", &[own]),
            Self::CheckController => {
                in_namespace("kube-system", "get lease kube-controller-manager -o 'jsonpath={.spec.renewTime}'", &[])
            }
            Self::CompareGenerations => {
                let both = "get daemonset {} -o 'jsonpath={.metadata.generation} {.status.observedGeneration}'";
                near(both, &[own])
            }
            Self::ShowFinalizers => near("get daemonset {} -o 'jsonpath={.metadata.finalizers}'", &[own]),
        }
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
