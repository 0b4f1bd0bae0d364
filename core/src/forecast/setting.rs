use crate::api::{IntOrString, RollingUpdate, Text, UpdateStrategy, UpdateStrategyType};

/// How pods are replaced, as one of the things that can be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// As the manifest has it.
    Own,
    /// `RollingUpdate` in place: so many nodes may be without an available pod.
    MaxUnavailable(IntOrString),
    /// `RollingUpdate` with so many second pods beside the old ones, and no node unavailable by choice.
    MaxSurge(IntOrString),
    /// `OnDelete`, and a person who deletes the pods of so many nodes, and of as many again once the new ones there are
    /// available.
    OnDelete {
        /// How many nodes at a time, as a count or a percentage of the nodes that should run the pod.
        batch: IntOrString,
    },
}

impl Setting {
    /// What is compared when nothing else is asked for: one, 5 %, 10 % and 25 % at a time, in place and with surge, and
    /// by hand in batches of 10 %.
    pub fn usual() -> Vec<Self> {
        let limits = [IntOrString::Int(1), percent(5), percent(10), percent(25)];
        let mut settings = Vec::new();
        for of in [Self::MaxUnavailable, Self::MaxSurge] {
            for limit in &limits {
                settings.push(of(limit.clone()));
            }
        }
        settings.push(Self::OnDelete { batch: percent(10) });
        settings
    }

    /// `spec.updateStrategy` under this setting, where the manifest has `own`.
    pub fn strategy(&self, own: &UpdateStrategy) -> UpdateStrategy {
        let rolling = |max_unavailable: &IntOrString, max_surge: &IntOrString| UpdateStrategy {
            strategy_type: UpdateStrategyType::RollingUpdate,
            rolling_update: RollingUpdate { max_unavailable: max_unavailable.clone(), max_surge: max_surge.clone() },
        };
        match self {
            Self::Own => own.clone(),
            Self::MaxUnavailable(limit) => rolling(limit, &IntOrString::Int(0)),
            Self::MaxSurge(limit) => rolling(&IntOrString::Int(0), limit),
            Self::OnDelete { .. } => {
                UpdateStrategy { strategy_type: UpdateStrategyType::OnDelete, ..UpdateStrategy::default() }
            }
        }
    }

    /// Whether the manifest says the same: no one deletes pods by hand in it.
    pub fn is_own(&self, own: &UpdateStrategy) -> bool {
        !matches!(self, Self::OnDelete { .. }) && self.strategy(own) == *own
    }
}

/// `10%`.
pub(super) fn percent(percent: u32) -> IntOrString {
    IntOrString::String(Text::from(format!("{percent}%")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strategy(json: &str) -> UpdateStrategy {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn the_manifests_own_strategy_is_recognised_among_the_usual_ones() {
        let own_among = |json: &str| -> Vec<Setting> {
            let own = strategy(json);
            Setting::usual().into_iter().filter(|setting| setting.is_own(&own)).collect()
        };
        assert_eq!(own_among("{}"), [Setting::MaxUnavailable(IntOrString::Int(1))]);
        let surge = r#"{"rollingUpdate": {"maxUnavailable": 0, "maxSurge": "10%"}}"#;
        assert_eq!(own_among(surge), [Setting::MaxSurge(percent(10))]);
        assert_eq!(own_among(r#"{"rollingUpdate": {"maxUnavailable": "11%"}}"#), []);
        assert_eq!(own_among(r#"{"type": "OnDelete"}"#), [], "nobody deletes anything there");
    }
}
