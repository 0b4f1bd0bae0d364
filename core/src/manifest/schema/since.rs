use KubernetesVersion::{V1_26, V1_27, V1_28, V1_29, V1_30, V1_31, V1_32, V1_33, V1_34, V1_36};

use super::{TypeId, name_of};
use crate::KubernetesVersion;

/// The fields of a DaemonSet that are younger than the oldest release, by type and name, under the release that they
/// came with.
const YOUNGER: [(KubernetesVersion, &str); 10] = [
    (
        V1_26,
        "PodSpec.resourceClaims PodSpec.schedulingGates ResourceRequirements.claims \
         TypedObjectReference.namespace",
    ),
    (V1_27, "Container.resizePolicy EphemeralContainer.resizePolicy"),
    (V1_28, "Container.restartPolicy EphemeralContainer.restartPolicy"),
    (
        V1_29,
        "LifecycleHandler.sleep PersistentVolumeClaimSpec.volumeAttributesClassName \
         PodAffinityTerm.matchLabelKeys PodAffinityTerm.mismatchLabelKeys VolumeProjection.clusterTrustBundle",
    ),
    (V1_30, "PodSecurityContext.appArmorProfile SecurityContext.appArmorProfile VolumeMount.recursiveReadOnly"),
    (
        V1_31,
        "PodResourceClaim.resourceClaimName PodResourceClaim.resourceClaimTemplateName \
         PodSecurityContext.supplementalGroupsPolicy ResourceClaim.request Volume.image",
    ),
    (V1_32, "PodSecurityContext.seLinuxChangePolicy PodSpec.resources"),
    (V1_33, "Lifecycle.stopSignal"),
    (
        V1_34,
        "Container.restartPolicyRules EnvVarSource.fileKeyRef EphemeralContainer.restartPolicyRules \
         PodSpec.hostnameOverride VolumeProjection.podCertificate",
    ),
    (V1_36, "PodSpec.schedulingGroup"),
];

/// The first release that knows a field which `version` does not know yet.
pub(in crate::manifest) fn newer_than(
    version: KubernetesVersion,
    id: TypeId,
    field: &str,
) -> Option<KubernetesVersion> {
    let owner = name_of(id);
    let knows = |fields: &str| fields.split(' ').any(|younger| younger.split_once('.') == Some((owner, field)));
    let mut younger = YOUNGER.iter().filter(|(since, _)| *since > version);
    younger.find(|(_, fields)| knows(fields)).map(|(since, _)| *since)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::schema::{field, type_named};

    #[test]
    fn every_field_that_is_said_to_be_younger_is_one() {
        for (since, fields) in YOUNGER {
            for younger in fields.split(' ') {
                let (owner, name) = younger.split_once('.').expect(younger);
                let id = type_named(owner).expect(owner);
                assert!(field(id, name).is_some(), "{younger}");
                assert_eq!(newer_than(KubernetesVersion::V1_25, id, name), Some(since), "{younger}");
                assert_eq!(newer_than(since, id, name), None, "{younger}");
            }
        }
        assert!(YOUNGER.is_sorted());
        assert_eq!(newer_than(KubernetesVersion::V1_25, type_named("PodSpec").unwrap(), "containers"), None);
    }
}
