use super::Forecast;
use crate::api::{Quantity, Text};
use crate::manifest::schema::is_probably;
use crate::scenario::parse_duration;
use crate::time::micros;

/// A sentence about a forecast that holds or does not, such as `p95 > 10m` or `fewestAvailable < 95%`.
///
/// A field, a comparison (`<`, `<=`, `>`, `>=`, `==`, `!=`), a value. A time is a duration as Go writes it (`1h30m`); a
/// number of nodes is a count or a percentage of the nodes that should run the pod; cpu and bytes are amounts as in a
/// manifest (`500m`, `2Gi`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    text: Text,
    field: ConditionField,
    comparison: Comparison,
    value: Value,
}

/// What a condition can be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionField {
    /// When half of all plays have finished; one that never does counts as later than any time.
    P50,
    /// When nine in ten of all plays have.
    P90,
    /// When nineteen in twenty of all plays have.
    P95,
    /// When all plays have.
    Latest,
    /// The share of plays that finish.
    FinishOdds,
    /// The fewest pods available in any play.
    FewestAvailable,
    /// The fewest pods available: that few or fewer in one play of twenty.
    FewestAvailableP5,
    /// The longest time that one node is without an available pod.
    LongestGap,
    /// Half of those times are no longer.
    GapP50,
    /// Nineteen in twenty of those times are no longer.
    GapP95,
    /// Node-time without an available pod in the worst play.
    Outage,
    /// Pods beyond those at the start.
    ExtraPods,
    /// CPU requested beyond that at the start.
    ExtraCpu,
    /// Memory requested beyond that at the start.
    ExtraMemory,
    /// The most that is pulled from the registry in a second.
    RegistryPeak,
    /// All that is pulled from the registry.
    RegistryTotal,
    /// Writes to the API server.
    ApiWrites,
}

/// What a value of a field looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionUnit {
    /// A length of time: `10m`.
    Time,
    /// A count of nodes, or a percentage of those that should run the pod.
    Nodes,
    /// A percentage.
    Percent,
    /// A whole number.
    Count,
    /// An amount of CPU: `500m`.
    Cpu,
    /// An amount of bytes: `2Gi`.
    Bytes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    /// In the unit of the field: microseconds, thousandths of CPU, bytes, a count.
    Plain(u64),
    /// Thousandths of a percent.
    Percent(u64),
}

/// Why a condition cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionProblem {
    /// Where, in characters from the start.
    pub at: u32,
    /// What is wrong there.
    pub kind: ConditionProblemKind,
}

/// What is wrong with a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConditionProblemKind {
    /// There is no field of that name.
    UnknownField {
        /// What stands there; empty where nothing does.
        written: Text,
        /// What was most likely meant.
        meant: Option<&'static str>,
    },
    /// A comparison has to stand there.
    NoComparison,
    /// The value is not what the field asks for.
    Value {
        /// What stands there; empty where nothing does.
        written: Text,
        /// What is asked for.
        unit: ConditionUnit,
    },
}

/// Longest first, so that `<=` is not read as `<`.
const COMPARISONS: [(&str, Comparison); 7] = [
    ("<=", Comparison::LessOrEqual),
    (">=", Comparison::GreaterOrEqual),
    ("==", Comparison::Equal),
    ("!=", Comparison::NotEqual),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
    ("=", Comparison::Equal),
];

const PERCENT: u64 = 1000;

impl ConditionField {
    /// Every field.
    pub const ALL: [Self; 17] = [
        Self::P50,
        Self::P90,
        Self::P95,
        Self::Latest,
        Self::FinishOdds,
        Self::FewestAvailable,
        Self::FewestAvailableP5,
        Self::LongestGap,
        Self::GapP50,
        Self::GapP95,
        Self::Outage,
        Self::ExtraPods,
        Self::ExtraCpu,
        Self::ExtraMemory,
        Self::RegistryPeak,
        Self::RegistryTotal,
        Self::ApiWrites,
    ];

    /// As it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::P50 => "p50",
            Self::P90 => "p90",
            Self::P95 => "p95",
            Self::Latest => "latest",
            Self::FinishOdds => "finishOdds",
            Self::FewestAvailable => "fewestAvailable",
            Self::FewestAvailableP5 => "fewestAvailableP5",
            Self::LongestGap => "longestGap",
            Self::GapP50 => "gapP50",
            Self::GapP95 => "gapP95",
            Self::Outage => "outage",
            Self::ExtraPods => "extraPods",
            Self::ExtraCpu => "extraCpu",
            Self::ExtraMemory => "extraMemory",
            Self::RegistryPeak => "registryPeak",
            Self::RegistryTotal => "registryTotal",
            Self::ApiWrites => "apiWrites",
        }
    }

    /// What its values look like.
    pub const fn unit(self) -> ConditionUnit {
        match self {
            Self::P50
            | Self::P90
            | Self::P95
            | Self::Latest
            | Self::LongestGap
            | Self::GapP50
            | Self::GapP95
            | Self::Outage => ConditionUnit::Time,
            Self::FinishOdds => ConditionUnit::Percent,
            Self::FewestAvailable | Self::FewestAvailableP5 => ConditionUnit::Nodes,
            Self::ExtraPods | Self::ApiWrites => ConditionUnit::Count,
            Self::ExtraCpu => ConditionUnit::Cpu,
            Self::ExtraMemory | Self::RegistryPeak | Self::RegistryTotal => ConditionUnit::Bytes,
        }
    }

    /// How much it is, in the unit of the field; absent: beyond every value.
    fn measure(self, forecast: &Forecast) -> Option<u64> {
        let time = micros;
        let gap = |percent| time(forecast.gaps.percentile(percent).unwrap_or_default());
        Some(match self {
            Self::P50 => time(forecast.finished_by(50)?),
            Self::P90 => time(forecast.finished_by(90)?),
            Self::P95 => time(forecast.finished_by(95)?),
            Self::Latest => time(forecast.finished_by(100)?),
            Self::FinishOdds => u64::from(forecast.finished),
            Self::FewestAvailable => u64::from(forecast.fewest_available.worst),
            Self::FewestAvailableP5 => u64::from(forecast.fewest_available.p5),
            Self::LongestGap => forecast.longest_gap.as_ref().map_or(0, |gap| time(gap.length)),
            Self::GapP50 => gap(50),
            Self::GapP95 => gap(95),
            Self::Outage => time(forecast.outage.worst),
            Self::ExtraPods => u64::from(forecast.extra.pods),
            Self::ExtraCpu => forecast.extra.cpu_millis,
            Self::ExtraMemory => forecast.extra.memory_bytes,
            Self::RegistryPeak => forecast.registry.peak_bytes_per_second,
            Self::RegistryTotal => forecast.registry.total_bytes,
            Self::ApiWrites => forecast.api_writes,
        })
    }
}

impl Condition {
    /// Reads a condition.
    pub fn parse(text: &str) -> Result<Self, ConditionProblem> {
        let problem = |rest: &str, kind| ConditionProblem { at: characters(text, rest), kind };
        let start = text.trim_start();
        let end = start.find(|next: char| !next.is_ascii_alphanumeric()).unwrap_or(start.len());
        let (name, rest) = start.split_at_checked(end).unwrap_or((start, ""));
        let field = ConditionField::ALL.into_iter().find(|field| field.as_str().eq_ignore_ascii_case(name));
        let Some(field) = field else {
            let meant = is_probably(name, ConditionField::ALL.into_iter().map(ConditionField::as_str));
            return Err(problem(start, ConditionProblemKind::UnknownField { written: Text::new(name), meant }));
        };
        let rest = rest.trim_start();
        let found = COMPARISONS.iter().find_map(|(sign, comparison)| Some((*comparison, rest.strip_prefix(sign)?)));
        let Some((comparison, rest)) = found else { return Err(problem(rest, ConditionProblemKind::NoComparison)) };
        let rest = rest.trim_start();
        let written = rest.trim_end();
        let Some(value) = value(written, field.unit()) else {
            let kind = ConditionProblemKind::Value { written: Text::new(written), unit: field.unit() };
            return Err(problem(rest, kind));
        };
        Ok(Self { text: Text::new(text.trim()), field, comparison, value })
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What it is about.
    pub fn field(&self) -> ConditionField {
        self.field
    }

    /// Whether it holds of a forecast; of one without any play it does not.
    pub fn holds(&self, forecast: &Forecast) -> bool {
        if forecast.plays == 0 {
            return false;
        }
        let Some(measured) = self.field.measure(forecast) else {
            // Never is later than any time.
            return matches!(self.comparison, Comparison::Greater | Comparison::GreaterOrEqual | Comparison::NotEqual);
        };
        let whole = match self.field {
            ConditionField::FinishOdds => forecast.plays,
            _ => forecast.eligible,
        };
        let (left, right) = match self.value {
            Value::Plain(value) => (u128::from(measured), u128::from(value)),
            Value::Percent(value) => {
                (u128::from(measured) * u128::from(100 * PERCENT), u128::from(value) * u128::from(whole))
            }
        };
        match self.comparison {
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
        }
    }
}

fn value(written: &str, unit: ConditionUnit) -> Option<Value> {
    let amount = |written: &str| Quantity::parse(written).ok().filter(|amount| !amount.is_negative());
    match unit {
        ConditionUnit::Time => {
            let time = parse_duration(written).ok()?;
            u64::try_from(time.as_micros()).ok().map(Value::Plain)
        }
        ConditionUnit::Nodes => written.parse().map(Value::Plain).ok().or_else(|| percent(written)),
        ConditionUnit::Percent => percent(written),
        ConditionUnit::Count => written.parse().ok().map(Value::Plain),
        ConditionUnit::Cpu => u64::try_from(amount(written)?.millis_rounded_up()).ok().map(Value::Plain),
        ConditionUnit::Bytes => u64::try_from(amount(written)?.units_rounded_up()).ok().map(Value::Plain),
    }
}

/// `95%`, `99.5%`: up to three decimals, at most 100.
fn percent(written: &str) -> Option<Value> {
    let number = written.strip_suffix('%')?.trim_end();
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || fraction.len() > 3 {
        return None;
    }
    let fraction: u64 = format!("{fraction:0<3}").parse().ok()?;
    let thousandths = whole.parse::<u64>().ok()?.checked_mul(PERCENT)?.checked_add(fraction)?;
    (thousandths <= 100 * PERCENT).then_some(Value::Percent(thousandths))
}

/// How many characters stand before the rest of a text.
fn characters(text: &str, rest: &str) -> u32 {
    let before = text.len().saturating_sub(rest.len());
    let count = text.get(..before).map_or(0, |before| before.chars().count());
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::forecast::FewestAvailable;

    fn forecast() -> Forecast {
        Forecast {
            plays: 20,
            finished: 19,
            finishes: (1..=19).map(Duration::from_mins).collect(),
            eligible: 200,
            fewest_available: FewestAvailable { worst: 189, p5: 191 },
            ..Forecast::default()
        }
    }

    fn holds(text: &str) -> bool {
        Condition::parse(text).unwrap().holds(&forecast())
    }

    #[test]
    fn conditions_compare_times_counts_and_percentages() {
        assert!(holds("p50 == 10m") && holds("p95 > 18m59s") && !holds("p95 > 19m"));
        assert!(holds("fewestAvailable < 95%") && !holds("fewestAvailable < 94.5%") && holds("fewestAvailable<190"));
        assert!(!holds("fewestAvailableP5 <= 95%"));
        assert!(holds("finishOdds < 100%") && !holds("finishOdds < 95%"));
        assert!(holds("apiWrites = 0") && !holds("extraMemory >= 1Mi") && holds("extraCpu <= 500m"));
    }

    #[test]
    fn a_play_that_never_finishes_is_later_than_any_time() {
        assert!(holds("latest > 1h") && !holds("latest < 8000h") && holds("latest != 20m"));
    }

    #[test]
    fn of_nothing_no_condition_holds() {
        assert!(!Condition::parse("latest > 1s").unwrap().holds(&Forecast::default()));
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_place() {
        use ConditionProblemKind::{NoComparison, UnknownField, Value};
        let problem = |text: &str| {
            let problem = Condition::parse(text).unwrap_err();
            (problem.at, problem.kind)
        };
        let written = |text: &str| Text::new(text);
        let field = |text: &str, meant| UnknownField { written: written(text), meant };
        assert_eq!(problem("fewestAvailble < 3"), (0, field("fewestAvailble", Some("fewestAvailable"))));
        assert_eq!(problem(""), (0, field("", None)));
        assert_eq!(problem("p95"), (3, NoComparison));
        assert_eq!(problem("p95 is 10m"), (4, NoComparison));
        let time = ConditionUnit::Time;
        assert_eq!(problem("p95 > "), (6, Value { written: written(""), unit: time }));
        assert_eq!(problem(" p95 > 10 "), (7, Value { written: written("10"), unit: time }));
        assert_eq!(problem("p95 > 95%"), (6, Value { written: written("95%"), unit: time }));
        let nodes = ConditionUnit::Nodes;
        assert_eq!(problem("fewestAvailable < 101%"), (18, Value { written: written("101%"), unit: nodes }));
        assert_eq!(problem("finishOdds > 3").1, Value { written: written("3"), unit: ConditionUnit::Percent });
        assert_eq!(problem("extraPods > 1.5").1, Value { written: written("1.5"), unit: ConditionUnit::Count });
        assert_eq!(problem("extraCpu > -1").1, Value { written: written("-1"), unit: ConditionUnit::Cpu });
    }

    #[test]
    fn every_field_is_read_by_its_name() {
        for field in ConditionField::ALL {
            let value = match field.unit() {
                ConditionUnit::Time => "1h",
                ConditionUnit::Nodes | ConditionUnit::Percent => "50%",
                ConditionUnit::Count | ConditionUnit::Cpu | ConditionUnit::Bytes => "1",
            };
            let condition = Condition::parse(&format!("{} > {value}", field.as_str())).unwrap();
            assert_eq!(condition.field(), field);
        }
    }
}
