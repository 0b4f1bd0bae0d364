//! Everything about one node at one second, in words.

use std::time::Duration;

use rollcast_core::api::{Node, Pod};
use rollcast_core::manifest::Path;
use rollcast_core::message::{Language, Words, duration};
use rollcast_core::placement::{Check as CoreCheck, CheckOutcome, PlacementRules, place, target_node_of, trace};
use rollcast_core::scheduling::{NodeUsage, PodAffinityState, PodIdentity};
use rollcast_core::sim::{DecisionKind, Tile, Timeline};

use super::play::Played;
use super::reading::{Reading, utf16};
use crate::model::{Check, Inspection, Mark, Place, PodLine, Tone};
use crate::protocol::Input;
use crate::words::inspection as say;

/// Labels that are shown beside the name.
const CHIPS: [&str; 3] =
    ["topology.kubernetes.io/zone", "node.kubernetes.io/instance-type", "cloud.google.com/gke-nodepool"];

/// What an inspection rests on.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    pub input: &'a Input,
    pub reading: &'a Reading,
    pub rules: &'a PlacementRules,
    pub played: &'a Played,
}

/// What there is to say about a node at a second; nothing when there is no such node.
pub fn inspect(subject: Subject<'_>, number: u32, at: u32, language: Language) -> Option<Box<Inspection>> {
    let Subject { reading, rules, played, .. } = subject;
    let node = reading.node(usize::try_from(number).ok()?)?;
    let timeline = &played.timeline;
    let now = Duration::from_secs(at.into());
    let moment = timeline.moment_at(now).unwrap_or_default();
    let state = timeline.state_at(moment);
    let tile = state.tile(number);
    let checks = checks(subject, node, language);
    let life = life(timeline, number, moment, now);
    let next = life.next.map_or_else(
        || say::nothing_next(tile, language).to_owned(),
        |(kind, after, reason)| say::next(kind, after, &reason.words(language), language),
    );
    let (used, limit) = crate::model::budget(&state.counters);
    let obstacle = || checks.iter().find(|check| check.mark == Mark::Failed).map(|check| check.name.clone());
    let explanation = match tile {
        Tile::NotEligible | Tile::Misscheduled => {
            let mut reasons = String::new();
            for reason in place(rules, node).exclusions() {
                reasons.push_str(if reasons.is_empty() { "" } else { say::and_also(language) });
                reasons.push_str(&reason.words(language));
            }
            reasons
        }
        Tile::Pending => obstacle().unwrap_or_default(),
        Tile::OldAvailable if life.next.is_some() => say::in_line(used, limit, language),
        Tile::OldAvailable => say::stays_old(language).to_owned(),
        _ => say::since(life.since, language),
    };
    let mut chips = Vec::new();
    for key in CHIPS {
        chips.extend(node.metadata.labels.get(key).map(ToString::to_string));
    }
    Some(Box::new(Inspection {
        node: number,
        name: node.metadata.name.to_string(),
        at,
        tone: tone(tile, life.next.is_some()),
        verdict: say::verdict(tile, life.next.is_some(), used >= limit, language).to_owned(),
        explanation,
        chips,
        checks,
        pods: pods(tile, life.since, language),
        next,
    }))
}

fn tone(tile: Tile, goes_on: bool) -> Tone {
    match tile {
        Tile::NewAvailable => Tone::Good,
        Tile::NotEligible | Tile::Gone => Tone::Neutral,
        Tile::OldAvailable if !goes_on => Tone::Neutral,
        Tile::OldAvailable | Tile::Surging | Tile::Terminating | Tile::NewStarting | Tile::NewReady | Tile::Missing => {
            Tone::Waiting
        }
        Tile::Pending | Tile::OldUnavailable | Tile::Failed | Tile::Misscheduled => Tone::Bad,
    }
}

/// What happened to a node, and what will.
struct Life<'a> {
    /// How long it has shown what it shows; absent when it always has.
    since: Option<Duration>,
    /// The next decision about it, how long from now, and why.
    next: Option<(DecisionKind, Duration, &'a rollcast_core::controller::Reason)>,
}

fn life(timeline: &Timeline, node: u32, moment: u32, now: Duration) -> Life<'_> {
    // In its first moment the change only makes what runs old.
    let changed = (1..=moment).rev().find(|&moment| timeline.changes(moment).any(|change| change.node == node));
    let next = (moment.saturating_add(1)..timeline.len()).find_map(|later| {
        let group = timeline.decisions(later).find(|group| group.nodes().any(|other| other == node))?;
        Some((group.kind, timeline.at(later).saturating_sub(now), group.reason))
    });
    Life { since: changed.map(|changed| now.saturating_sub(timeline.at(changed))), next }
}

fn pods(tile: Tile, since: Option<Duration>, language: Language) -> Vec<PodLine> {
    let line = |old: bool, words: String| PodLine { name: say::revision(old, language).to_owned(), description: words };
    let age = since.map(|since| duration(since, language)).unwrap_or_default();
    let described = |tile: Tile| {
        let words = say::pod_state(tile, language);
        if age.is_empty() { words.to_owned() } else { format!("{words} · {age}") }
    };
    match tile {
        Tile::NotEligible | Tile::Missing | Tile::Gone => Vec::new(),
        Tile::OldAvailable | Tile::OldUnavailable | Tile::Terminating | Tile::Misscheduled => {
            vec![line(true, described(tile))]
        }
        Tile::NewStarting | Tile::NewReady | Tile::NewAvailable | Tile::Pending | Tile::Failed => {
            vec![line(false, described(tile))]
        }
        Tile::Surging => {
            vec![
                line(true, say::pod_state(Tile::OldAvailable, language).to_owned()),
                line(false, described(Tile::NewStarting)),
            ]
        }
    }
}

fn checks(subject: Subject<'_>, node: &Node, language: Language) -> Vec<Check> {
    let Subject { reading, rules, .. } = subject;
    let (Some(after), Some(scenario)) = (&reading.after, &reading.scenario) else { return Vec::new() };
    let pods = &scenario.cluster.pods;
    let before = scenario.cluster.daemon_set(&scenario.daemon_set);
    let foreign = |pod: &&Pod| !before.is_some_and(|before| rollcast_core::ownership::is_own(before, pod));
    let name = node.metadata.name.as_str();
    let here = |pod: &&Pod| target_node_of(pod).is_some_and(|target| target == name);
    let usage = NodeUsage::of(name, pods.iter().filter(foreign).filter(here), rules.version());
    let identity = PodIdentity { namespace: &after.metadata.namespace, labels: after.spec.template.labels() };
    let placed = pods.iter().filter(foreign).filter_map(|pod| {
        let target = target_node_of(pod)?;
        let nodes = &reading.cluster.nodes;
        let node = nodes.binary_search_by(|node| node.metadata.name.cmp(target)).ok()?;
        Some((nodes.get(node)?, pod))
    });
    let others = PodAffinityState::of(rules.template().spec(), identity, placed);
    let mut lines = Vec::new();
    for check in &trace(rules, node, &usage, &others) {
        lines.push(line(subject, check, language));
    }
    lines
}

fn line(subject: Subject<'_>, check: &CoreCheck<'_>, language: Language) -> Check {
    let mark = match check.outcome {
        CheckOutcome::Passed => Mark::Passed,
        CheckOutcome::Failed => Mark::Failed,
        CheckOutcome::Indifferent => Mark::NotAsked,
    };
    let property = check.node_property.as_ref().filter(|_| mark == Mark::Failed).map(ToString::to_string);
    Check {
        mark,
        name: check.words(language),
        detail: property.map(|path| say::on_the_node(&path, language)).unwrap_or_default(),
        place: check.field.as_ref().and_then(|field| place_of(subject, field)),
    }
}

/// Where a field of the change stands in its document.
fn place_of(subject: Subject<'_>, field: &Path) -> Option<Place> {
    let Subject { reading, input, .. } = subject;
    let document = reading.written_in?;
    let index = crate::state::DocumentId::ALL.iter().position(|id| *id == document)?;
    let text = input.documents.get(index)?;
    let span = reading.written.as_ref()?.span_of(field);
    let offset = |offset: u32| utf16(text, usize::try_from(offset).unwrap_or(usize::MAX));
    Some(Place { document, line: span.start.line, from: offset(span.start.offset), to: offset(span.end.offset) })
}
