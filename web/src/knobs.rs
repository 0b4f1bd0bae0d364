//! The knobs of the world: what its text says, and how it says something else when one is turned. The text is the only
//! place where any of it is kept.

use rollcast_core::KubernetesVersion;
use rollcast_core::json::number_text;
use rollcast_core::manifest::{Tree, TreeValue};
use rollcast_core::scenario::{duration_text, parse_duration};
use rollcast_core::sim::{Distribution, Images, Latencies, Options};
use serde_json::Value;

use crate::edit::{find, set, set_below, tree_of};
use crate::state::{Knob, Knobs, WORLD_KNOBS};

/// Fields of the change that its knobs stand for: `maxUnavailable`, `maxSurge` and `minReadySeconds`.
pub const FIELDS: [&[&str]; 3] = [
    &["spec", "updateStrategy", "rollingUpdate", "maxUnavailable"],
    &["spec", "updateStrategy", "rollingUpdate", "maxSurge"],
    &["spec", "minReadySeconds"],
];

/// Where the world says what its knobs stand for.
const fn way(knob: Knob) -> &'static [&'static str] {
    match knob {
        Knob::ReadyAfter | Knob::ReadyP95 => &["timings", "podReadyAfter"],
        Knob::GoneAfter => &["timings", "podGoneAfter"],
        Knob::ImageSize => &["images", "bytes"],
        Knob::Registry => &["images", "registryBytesPerSecond"],
        Knob::NeverReady => &["events"],
        _ => &["kubernetesVersion"],
    }
}

/// Bytes of a megabyte, as registries count.
const MEGABYTE: u64 = 1_000_000;
/// Digits behind the point of a megabyte.
const DIGITS: usize = 6;

/// The fields of the change that are to say something else, and what: a number, or text.
pub fn turned(knobs: &Knobs) -> Vec<(&'static [&'static str], Value)> {
    let wishes = [&knobs.max_unavailable, &knobs.max_surge, &knobs.min_ready_seconds];
    let mut turned = Vec::new();
    for (field, wish) in FIELDS.into_iter().zip(wishes) {
        if let Some(wish) = wish {
            turned.push((field, wish.parse::<i64>().map_or_else(|_| Value::from(wish.as_str()), Value::from)));
        }
    }
    turned
}

/// The release that the text names, or the one that everything is measured against.
pub fn version(text: &str) -> KubernetesVersion {
    let written = tree_of(text).and_then(|tree| scalar(find(&tree, way(Knob::Version))?));
    written.and_then(|written| KubernetesVersion::parse(&written)).unwrap_or_default()
}

/// What the text says about each of [`WORLD_KNOBS`]; empty where it says nothing.
pub fn values(text: &str) -> Vec<String> {
    let Some(tree) = tree_of(text) else { return vec![String::new(); WORLD_KNOBS.len()] };
    WORLD_KNOBS.into_iter().map(|knob| value(&tree, knob).unwrap_or_default()).collect()
}

fn value(tree: &Tree, knob: Knob) -> Option<String> {
    match knob {
        Knob::ReadyAfter => ready(tree).map(|(_, [ready, _])| ready),
        Knob::ReadyP95 => ready(tree).map(|(_, [_, p95])| p95),
        Knob::NeverReady => scalar(find(never_ready(tree)?, &["permille"])?).filter(|permille| permille != "0"),
        _ => {
            let written = scalar(find(tree, way(knob))?)?;
            let is_size = matches!(knob, Knob::ImageSize | Knob::Registry);
            if is_size { written.parse().ok().map(megabytes) } else { Some(written) }
        }
    }
}

/// What holds where the text says nothing, for each of [`WORLD_KNOBS`].
pub fn holding(options: &Options) -> Vec<String> {
    let Latencies { pod_ready_after, pod_gone_after, .. } = options.latencies;
    let none = || "–".to_owned();
    let megabytes =
        |bytes: fn(&Images) -> u64| options.images.as_ref().map_or_else(none, |images| megabytes(bytes(images)));
    let longest = match pod_ready_after {
        Distribution::Constant(_) => none(),
        Distribution::Uniform { most: long, .. } | Distribution::LogNormal { p95: long, .. } => duration_text(long),
    };
    WORLD_KNOBS
        .into_iter()
        .map(|knob| match knob {
            Knob::ReadyAfter => duration_text(pod_ready_after.median()),
            Knob::ReadyP95 => longest.clone(),
            Knob::GoneAfter => duration_text(pod_gone_after.median()),
            Knob::ImageSize => megabytes(|images| images.bytes),
            Knob::Registry => megabytes(|images| images.registry_bytes_per_second),
            Knob::NeverReady => "0".to_owned(),
            _ => options.version.as_str().to_owned(),
        })
        .collect()
}

/// The text with a knob turned; none where the wish is no value, or the text is laid out so that it has to be edited by hand.
pub fn turn(text: &str, knob: Knob, wish: &str) -> Option<String> {
    let value = match knob {
        Knob::ReadyAfter | Knob::ReadyP95 => {
            let (keys, [mut ready, mut p95]) = ready(&tree_of(text)?).unwrap_or_default();
            *if knob == Knob::ReadyAfter { &mut ready } else { &mut p95 } = seconds(wish)?;
            ready_text(keys, &ready, &p95)
        }
        Knob::NeverReady => return turn_never_ready(text, if wish.is_empty() { "0" } else { wish }),
        _ if wish.is_empty() => String::new(),
        Knob::GoneAfter => seconds(wish)?,
        Knob::ImageSize | Knob::Registry => of_megabytes(wish)?.to_string(),
        _ => ["\"", wish, "\""].concat(),
    };
    set(text, way(knob), (!value.is_empty()).then_some(&value))
}

/// The keys of a spread, and from when to when pods are ready.
type Ready = ([&'static str; 2], [String; 2]);

fn ready(tree: &Tree) -> Option<Ready> {
    let tree = find(tree, way(Knob::ReadyAfter))?;
    let spread = [["median", "p95"], ["least", "most"]].into_iter().find(|[from, _]| tree.get(from).is_some());
    match spread {
        Some(keys) => Some((keys, keys.map(|key| tree.get(key).and_then(scalar).unwrap_or_default()))),
        None => Some((["median", "p95"], [scalar(tree)?, String::new()])),
    }
}

/// A time, or a spread where the second is longer.
fn ready_text([from, to]: [&str; 2], ready: &str, p95: &str) -> String {
    // What holds where nothing is said.
    let ready = if ready.is_empty() { "10s" } else { ready };
    match (parse_duration(ready), parse_duration(p95)) {
        (Ok(shorter), Ok(longer)) if longer > shorter => ["{", from, ": ", ready, ", ", to, ": ", p95, "}"].concat(),
        _ => ready.to_owned(),
    }
}

/// What the event says by which some pods never become ready: from the start, and on all nodes.
fn never_ready(tree: &Tree) -> Option<&Tree> {
    let TreeValue::Sequence(events) = &tree.get("events")?.value else { return None };
    events.iter().filter_map(|event| event.get("behave")).find(|behave| {
        let says = |key: &str, value: &str| behave.get(key).and_then(scalar).is_some_and(|written| written == value);
        behave.get("permille").is_some()
            && says("readyAfter", "Never")
            && behave.get("node").or(behave.get("nodes")).is_none()
    })
}

fn turn_never_ready(text: &str, wish: &str) -> Option<String> {
    let permille = wish.parse::<u16>().ok().filter(|permille| *permille <= 1_000)?.to_string();
    let tree = tree_of(text)?;
    if let Some(behave) = never_ready(&tree) {
        return set_below(text, behave, &["permille"], Some(&permille));
    }
    if permille == "0" {
        return None;
    }
    let event = ["{at: 0s, behave: {readyAfter: Never, permille: ", &permille, "}}"].concat();
    let first = match tree.get("events").map(|events| &events.value) {
        Some(TreeValue::Sequence(events)) => events.first(),
        _ => None,
    };
    let Some(first) = first else { return set(text, way(Knob::NeverReady), Some(&["[", &event, "]"].concat())) };
    let start = usize::try_from(first.span.start.offset).ok()?;
    let line = text.get(..start)?.rfind('\n').map_or(0, |newline| newline + 1);
    let lead = text.get(line..start)?;
    // Before the first of a block, or the first between brackets.
    let added = if lead.trim() == "-" { [lead, &event, "\n", lead].concat() } else { [lead, &event, ", "].concat() };
    Some([text.get(..line)?, &added, text.get(start..)?].concat())
}

fn scalar(tree: &Tree) -> Option<String> {
    match &tree.value {
        TreeValue::String(text) => Some(text.clone()),
        TreeValue::Number(number) => Some(number_text(number)),
        _ => None,
    }
}

/// A length of time as the scenario takes it; a bare number is seconds. Nothing stays nothing.
fn seconds(wish: &str) -> Option<String> {
    if wish.is_empty() {
        return Some(String::new());
    }
    let wish = if wish.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        [wish, "s"].concat()
    } else {
        wish.to_owned()
    };
    parse_duration(&wish).is_ok().then_some(wish)
}

/// Bytes in megabytes, no digit more than needed.
fn megabytes(bytes: u64) -> String {
    let text = [(bytes / MEGABYTE).to_string(), format!("{:06}", bytes % MEGABYTE)].join(".");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn of_megabytes(wish: &str) -> Option<u64> {
    let (whole, fraction) = wish.split_once('.').unwrap_or((wish, ""));
    let mut digits = fraction.to_owned();
    while digits.len() < DIGITS {
        digits.push('0');
    }
    let fraction: u64 = digits.get(..DIGITS)?.parse().ok()?;
    whole.parse::<u64>().ok()?.checked_mul(MEGABYTE)?.checked_add(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORLD: &str = "# the world\nkubernetesVersion: \"1.36\"\ntimings:\n  podReadyAfter: {median: 20s, p95: 40s} # slow\n  podGoneAfter: 10s\n";

    fn value_in(text: &str, knob: Knob) -> String {
        let place = WORLD_KNOBS.iter().position(|other| *other == knob).unwrap();
        values(text)[place].clone()
    }

    /// Turns a knob, and says what else stands in the text then.
    fn turned(text: &str, knob: Knob, wish: &str) -> String {
        let changed = turn(text, knob, wish).unwrap();
        assert!(changed.contains("# the world"), "{changed}");
        changed
    }

    #[test]
    fn knobs_say_what_the_text_says() {
        assert_eq!(values(WORLD), ["20s", "40s", "10s", "", "", "", "1.36"]);
        assert_eq!(values("timings: ["), [""; 7]);
        assert_eq!(value_in("timings: {podReadyAfter: {least: 1s, most: 1m}}", Knob::ReadyP95), "1m");
        assert_eq!(value_in("images: {bytes: 1500000}", Knob::ImageSize), "1.5");
        assert_eq!(value_in("images: {bytes: 480000000}", Knob::ImageSize), "480");
    }

    #[test]
    fn where_the_text_says_nothing_knobs_show_what_holds() {
        let mut options = Options::starting_at(rollcast_core::time::Timestamp::default());
        assert_eq!(holding(&options), ["10s", "–", "5s", "–", "–", "0", "1.36"]);
        options.images = Some(Images::default());
        let (least, most) = (std::time::Duration::from_secs(1), std::time::Duration::from_secs(3));
        options.latencies.pod_ready_after = Distribution::Uniform { least, most };
        assert_eq!(holding(&options)[..5], ["2s", "3s", "5s", "200", "1250"]);
    }

    #[test]
    fn a_turned_knob_is_an_edit_of_the_text_that_keeps_the_rest() {
        assert_eq!(turned(WORLD, Knob::ReadyAfter, "25"), WORLD.replace("20s", "25s"));
        assert_eq!(turned(WORLD, Knob::ReadyP95, "1m30s"), WORLD.replace("40s", "1m30s"));
        assert_eq!(turned(WORLD, Knob::ReadyP95, ""), WORLD.replace("{median: 20s, p95: 40s}", "20s"));
        assert_eq!(
            turned(WORLD, Knob::ReadyAfter, "50"),
            WORLD.replace("{median: 20s, p95: 40s}", "50s"),
            "no spread is left"
        );
        assert_eq!(turned(WORLD, Knob::GoneAfter, ""), WORLD.replace("  podGoneAfter: 10s\n", ""));
        assert_eq!(turned(WORLD, Knob::Version, "1.30"), WORLD.replace("1.36", "1.30"));
        let large = turned(WORLD, Knob::ImageSize, "1500");
        assert_eq!(large, format!("{WORLD}images: {{bytes: 1500000000}}\n"));
        let both = turned(&large, Knob::Registry, "0.5");
        assert_eq!((value_in(&both, Knob::Registry), value_in(&both, Knob::ImageSize)), ("0.5".into(), "1500".into()));
        assert_eq!(turned(&turned(&both, Knob::Registry, ""), Knob::ImageSize, ""), WORLD);
    }

    #[test]
    fn pods_that_never_become_ready_are_an_event_at_the_start() {
        let odds = turned(WORLD, Knob::NeverReady, "20");
        assert_eq!(odds, format!("{WORLD}events: [{{at: 0s, behave: {{readyAfter: Never, permille: 20}}}}]\n"));
        assert_eq!(turned(&odds, Knob::NeverReady, "5"), odds.replace("20}", "5}"));
        assert_eq!(value_in(&turned(&odds, Knob::NeverReady, ""), Knob::NeverReady), "");
        let block = format!("{WORLD}events:\n  # a node\n  - at: 1m\n    cordon: {{node: a}}\n");
        let odds = turned(&block, Knob::NeverReady, "20");
        assert!(odds.ends_with("permille: 20}}\n  - at: 1m\n    cordon: {node: a}\n"), "{odds}");
        assert_eq!(value_in(&odds, Knob::NeverReady), "20");
        let flow = turned(&format!("{WORLD}events: [{{at: 1m, cordon: {{node: a}}}}]\n"), Knob::NeverReady, "20");
        assert!(flow.ends_with("permille: 20}}, {at: 1m, cordon: {node: a}}]\n"), "{flow}");
    }

    #[test]
    fn what_is_no_value_changes_nothing() {
        for (knob, wish) in [
            (Knob::ReadyAfter, "soon"),
            (Knob::GoneAfter, "-1s"),
            (Knob::ImageSize, "much"),
            (Knob::Registry, "1.2.3"),
            (Knob::NeverReady, "1001"),
            (Knob::NeverReady, ""),
        ] {
            assert_eq!(turn(WORLD, knob, wish), None, "{knob:?}");
        }
        assert_eq!(turn("timings: [", Knob::GoneAfter, "1s"), None);
    }
}
