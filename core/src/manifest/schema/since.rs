use super::{TypeId, name_of};
use crate::KubernetesVersion;

/// The first release that knows a field: 1.25 for those that are older, or whose age changes nothing that is modelled.
pub fn known_since(id: TypeId, field: &str) -> KubernetesVersion {
    match (field, name_of(id)) {
        ("restartPolicy", "Container" | "EphemeralContainer") => KubernetesVersion::V1_28,
        ("resources", "PodSpec") => KubernetesVersion::V1_32,
        _ => KubernetesVersion::V1_25,
    }
}
