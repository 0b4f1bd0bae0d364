//! Which objects are read, and how they are recognised.

use kube_core::{ApiResource, GroupVersionKind, TypeMeta};

use super::schema::is_probably;

/// A kind of object that is read; every other kind is counted and skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub enum ObjectKind {
    /// `apps/v1` DaemonSet.
    DaemonSet,
    /// `v1` Node.
    Node,
    /// `v1` Pod.
    Pod,
    /// `apps/v1` ControllerRevision.
    ControllerRevision,
    /// `scheduling.k8s.io/v1` `PriorityClass`.
    PriorityClass,
    /// `v1` Event.
    Event,
}

impl ObjectKind {
    /// Every kind that is read.
    pub const ALL: [Self; 6] =
        [Self::DaemonSet, Self::Node, Self::Pod, Self::ControllerRevision, Self::PriorityClass, Self::Event];

    /// The kind as it stands in `kind`.
    pub fn name(self) -> &'static str {
        match self {
            Self::DaemonSet => "DaemonSet",
            Self::Node => "Node",
            Self::Pod => "Pod",
            Self::ControllerRevision => "ControllerRevision",
            Self::PriorityClass => "PriorityClass",
            Self::Event => "Event",
        }
    }

    /// The one `apiVersion` that Kubernetes 1.36 has it in.
    pub fn api_version(self) -> &'static str {
        match self {
            Self::DaemonSet | Self::ControllerRevision => "apps/v1",
            Self::Node | Self::Pod | Self::Event => "v1",
            Self::PriorityClass => "scheduling.k8s.io/v1",
        }
    }

    /// `apiVersion` and `kind`.
    pub fn type_meta(self) -> TypeMeta {
        TypeMeta { api_version: self.api_version().to_owned(), kind: self.name().to_owned() }
    }

    /// Group, version and kind.
    pub fn group_version_kind(self) -> GroupVersionKind {
        let (group, version) = group_and_version(self.api_version());
        GroupVersionKind::gvk(group, version, self.name())
    }

    /// What a client needs to name it in a request.
    pub fn api_resource(self) -> ApiResource {
        ApiResource::from_gvk(&self.group_version_kind())
    }
}

/// What `apiVersion` and `kind` name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeIdentity {
    /// A kind that is read.
    Known(ObjectKind),
    /// A kind that is read, in a version that Kubernetes no longer has since the release named, or never had.
    WrongVersion {
        /// The kind.
        kind: ObjectKind,
        /// The release without it.
        removed_in: Option<&'static str>,
    },
    /// Almost the name of a kind that is read, in its version.
    Misspelt(ObjectKind),
    /// Another kind.
    Other,
}

/// Recognises an object by its `apiVersion` (empty when absent) and `kind`.
pub fn identify(api_version: &str, kind: &str) -> TypeIdentity {
    if let Some(known) = ObjectKind::ALL.into_iter().find(|known| known.name() == kind) {
        if api_version.is_empty() || api_version == known.api_version() {
            return TypeIdentity::Known(known);
        }
        let (group, version) = group_and_version(api_version);
        let removed_in = match (group, version) {
            ("extensions" | "apps", "v1beta1" | "v1beta2") => Some("1.16"),
            ("scheduling.k8s.io", "v1alpha1" | "v1beta1") => Some("1.22"),
            _ => None,
        };
        // A group with a dot is somebody's own: what it calls a DaemonSet is not Kubernetes'.
        let is_foreign = group.contains('.') && group != group_and_version(known.api_version()).0;
        return if is_foreign { TypeIdentity::Other } else { TypeIdentity::WrongVersion { kind: known, removed_in } };
    }
    // Of the other kinds of these groups none is near enough to be mistaken for one of ours.
    let in_group = || ObjectKind::ALL.into_iter().filter(|known| known.api_version() == api_version);
    let meant = in_group().find(|known| known.name().eq_ignore_ascii_case(kind)).or_else(|| {
        is_probably(kind, in_group().map(ObjectKind::name))
            .and_then(|name| in_group().find(|known| known.name() == name))
    });
    meant.map_or(TypeIdentity::Other, TypeIdentity::Misspelt)
}

/// The parts of an `apiVersion`; what is in no group has none.
fn group_and_version(api_version: &str) -> (&str, &str) {
    api_version.split_once('/').unwrap_or(("", api_version))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kinds_that_are_read_are_recognised() {
        for kind in ObjectKind::ALL {
            assert_eq!(identify(kind.api_version(), kind.name()), TypeIdentity::Known(kind));
            assert_eq!(kind.group_version_kind().api_version(), kind.api_version());
        }
        assert_eq!(ObjectKind::PriorityClass.api_resource().plural, "priorityclasses");
    }

    #[test]
    fn old_versions_are_told_from_foreign_kinds() {
        let kind = ObjectKind::DaemonSet;
        for version in ["extensions/v1beta1", "apps/v1beta1", "apps/v1beta2"] {
            assert_eq!(identify(version, "DaemonSet"), TypeIdentity::WrongVersion { kind, removed_in: Some("1.16") });
        }
        assert_eq!(identify("app/v1", "DaemonSet"), TypeIdentity::WrongVersion { kind, removed_in: None });
        assert_eq!(identify("apps.kruise.io/v1alpha1", "DaemonSet"), TypeIdentity::Other);
        assert_eq!(identify("v1", "Secret"), TypeIdentity::Other);
    }

    #[test]
    fn a_misspelt_kind_is_recognised() {
        for word in ["Daemonset", "daemonset", "DeamonSet", "DaemonSets"] {
            assert_eq!(identify("apps/v1", word), TypeIdentity::Misspelt(ObjectKind::DaemonSet), "{word}");
        }
        for word in ["Deployment", "StatefulSet", "ReplicaSet", "PodTemplate", "NodeList"] {
            assert_eq!(identify("apps/v1", word), TypeIdentity::Other, "{word}");
            assert_eq!(identify("v1", word), TypeIdentity::Other, "{word}");
        }
        for word in ["Binding", "ConfigMap", "Endpoints", "LimitRange", "Namespace", "Secret", "Service", "List"] {
            assert_eq!(identify("v1", word), TypeIdentity::Other, "{word}");
        }
    }
}
