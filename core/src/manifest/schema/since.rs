use KubernetesVersion::{V1_26, V1_27, V1_28, V1_29, V1_30, V1_31, V1_32, V1_33, V1_34, V1_36};

use super::{TypeId, name_of};
use crate::KubernetesVersion;

/// The fields of a DaemonSet that are younger than the oldest release, by type and name.
const YOUNGER: [(&str, &str, KubernetesVersion); 30] = [
    ("Container", "resizePolicy", V1_27),
    ("Container", "restartPolicy", V1_28),
    ("Container", "restartPolicyRules", V1_34),
    ("EnvVarSource", "fileKeyRef", V1_34),
    ("EphemeralContainer", "resizePolicy", V1_27),
    ("EphemeralContainer", "restartPolicy", V1_28),
    ("EphemeralContainer", "restartPolicyRules", V1_34),
    ("Lifecycle", "stopSignal", V1_33),
    ("LifecycleHandler", "sleep", V1_29),
    ("PersistentVolumeClaimSpec", "volumeAttributesClassName", V1_29),
    ("PodAffinityTerm", "matchLabelKeys", V1_29),
    ("PodAffinityTerm", "mismatchLabelKeys", V1_29),
    ("PodResourceClaim", "resourceClaimName", V1_31),
    ("PodResourceClaim", "resourceClaimTemplateName", V1_31),
    ("PodSecurityContext", "appArmorProfile", V1_30),
    ("PodSecurityContext", "seLinuxChangePolicy", V1_32),
    ("PodSecurityContext", "supplementalGroupsPolicy", V1_31),
    ("PodSpec", "hostnameOverride", V1_34),
    ("PodSpec", "resourceClaims", V1_26),
    ("PodSpec", "resources", V1_32),
    ("PodSpec", "schedulingGates", V1_26),
    ("PodSpec", "schedulingGroup", V1_36),
    ("ResourceClaim", "request", V1_31),
    ("ResourceRequirements", "claims", V1_26),
    ("SecurityContext", "appArmorProfile", V1_30),
    ("TypedObjectReference", "namespace", V1_26),
    ("Volume", "image", V1_31),
    ("VolumeMount", "recursiveReadOnly", V1_30),
    ("VolumeProjection", "clusterTrustBundle", V1_29),
    ("VolumeProjection", "podCertificate", V1_34),
];

/// The first release that knows a field which `version` does not know yet.
pub(in crate::manifest) fn newer_than(
    version: KubernetesVersion,
    id: TypeId,
    field: &str,
) -> Option<KubernetesVersion> {
    let mut younger = YOUNGER.iter().filter(|(_, _, since)| *since > version);
    younger.find(|(owner, name, _)| *name == field && *owner == name_of(id)).map(|(_, _, since)| *since)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::schema::{field, type_named};

    #[test]
    fn every_field_that_is_said_to_be_younger_is_one() {
        for (owner, name, since) in YOUNGER {
            let id = type_named(owner).expect(owner);
            assert!(field(id, name).is_some(), "{owner}.{name}");
            assert_eq!(newer_than(KubernetesVersion::V1_25, id, name), Some(since), "{owner}.{name}");
            assert_eq!(newer_than(since, id, name), None, "{owner}.{name}");
        }
        assert!(YOUNGER.is_sorted());
        assert_eq!(newer_than(KubernetesVersion::V1_25, type_named("PodSpec").unwrap(), "containers"), None);
    }
}
