//! The limits of a rolling update, resolved to counts of nodes.

use crate::api::{DaemonSetSpec, IntOrString, Text, UpdateStrategyType};

/// The two limits of a rolling update, resolved to counts of nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// How many nodes may have a second, newer pod.
    pub max_surge: u32,
    /// How many nodes may be without an available pod.
    pub max_unavailable: u32,
}

/// A limit that is neither a count nor a percentage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MalformedLimit(pub Text);

/// Resolves the limits against the number of nodes that should run the pod. Percentages round up; both zero with nodes
/// there makes one unavailable (`updatedDesiredNodeCounts`, Kubernetes 1.36).
pub fn budget(spec: &DaemonSetSpec, desired: u32) -> Result<Budget, MalformedLimit> {
    if spec.update_strategy.strategy_type != UpdateStrategyType::RollingUpdate {
        return Ok(Budget::default());
    }
    let limits = &spec.update_strategy.rolling_update;
    let max_surge = resolve(&limits.max_surge, desired)?;
    let max_unavailable = resolve(&limits.max_unavailable, desired)?;
    let neither = desired > 0 && max_surge == 0 && max_unavailable == 0;
    Ok(Budget { max_surge, max_unavailable: if neither { 1 } else { max_unavailable } })
}

/// Whether a node may have a second, newer pod at all (`util.AllowsSurge`, Kubernetes 1.36).
pub fn allows_surge(spec: &DaemonSetSpec) -> bool {
    budget(spec, 1).is_ok_and(|budget| budget.max_surge > 0)
}

/// A count as it is, or a percentage of `total` rounded up (`intstr.GetScaledValueFromIntOrPercent`).
pub fn resolve(limit: &IntOrString, total: u32) -> Result<u32, MalformedLimit> {
    match limit {
        IntOrString::Int(count) => Ok(u32::try_from(*count).unwrap_or(0)),
        IntOrString::String(text) => {
            let percent = text.strip_suffix('%').and_then(|digits| digits.parse::<i32>().ok());
            let percent = percent.ok_or_else(|| MalformedLimit(text.clone()))?;
            let scaled = u64::try_from(percent).unwrap_or(0).saturating_mul(u64::from(total)).div_ceil(100);
            Ok(u32::try_from(scaled).unwrap_or(u32::MAX))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(rolling_update: &str) -> DaemonSetSpec {
        serde_json::from_str(&format!(r#"{{"updateStrategy":{{"rollingUpdate":{rolling_update}}}}}"#)).unwrap()
    }

    #[test]
    fn percentages_round_up_and_counts_stay() {
        let resolved = |limits: &str, desired| {
            let budget = budget(&spec(limits), desired).unwrap();
            (budget.max_surge, budget.max_unavailable)
        };
        assert_eq!(resolved(r#"{"maxUnavailable":"10%"}"#, 288), (0, 29));
        assert_eq!(resolved(r#"{"maxUnavailable":"50%"}"#, 3), (0, 2));
        assert_eq!(resolved(r#"{"maxUnavailable":7}"#, 3), (0, 7));
        assert_eq!(resolved(r#"{"maxSurge":"50%","maxUnavailable":0}"#, 2), (1, 0));
        assert_eq!(resolved(r#"{"maxSurge":"100%","maxUnavailable":0}"#, 2), (2, 0));
        assert_eq!(resolved(r#"{"maxUnavailable":0}"#, 2), (0, 1));
        assert_eq!(resolved(r#"{"maxUnavailable":"0%"}"#, 0), (0, 0));
        assert_eq!(resolved(r#"{"maxUnavailable":"10%"}"#, 0), (0, 0));
        assert_eq!(budget(&spec(r#"{"maxUnavailable":"ten"}"#), 2), Err(MalformedLimit("ten".into())));
    }

    #[test]
    fn surge_is_allowed_by_any_share_above_nothing() {
        assert!(allows_surge(&spec(r#"{"maxSurge":"1%","maxUnavailable":0}"#)));
        assert!(!allows_surge(&spec(r#"{"maxSurge":"0%","maxUnavailable":1}"#)));
        let on_delete = r#"{"updateStrategy":{"type":"OnDelete","rollingUpdate":{"maxSurge":1}}}"#;
        assert!(!allows_surge(&serde_json::from_str(on_delete).unwrap()));
    }
}
