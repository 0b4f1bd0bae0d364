//! What the worker has on its desk: one computation in pieces, and questions about the last one. Pure.

use rollcast_core::message::Language;
use rollcast_core::placement::PlacementRules;

use super::dump::Gathering;
use super::inspect::{Subject, inspect};
use super::play::{Play, Played};
use super::reading::{Reading, read};
use super::survey::Survey;
use crate::model::Rollout;
use crate::protocol::{Input, Nothing, Phase, Reply, Request};

/// Nodes that are surveyed before the clock is looked at again.
const SURVEYED: usize = 512;
/// More nodes than this are left to the command line.
const LARGEST: usize = 200_000;
/// Progress is told after so many pieces of play, or of a dump.
const TOLD_EVERY: u32 = 32;

/// An answer, and what it announces in bulk.
#[derive(Debug)]
pub struct Answer {
    pub head: Reply,
    pub body: Vec<u8>,
}

impl Answer {
    /// An answer without a body.
    pub fn plain(head: Reply) -> Self {
        Self { head, body: Vec::new() }
    }
}

/// The computation under way, what came of the last one, and what is asked about it.
#[derive(Default)]
pub struct Desk {
    generation: u32,
    language: Language,
    job: Job,
    done: Option<Done>,
    /// Only the last question of each kind counts.
    inspect: Option<(u32, u32)>,
    translate: Option<Translate>,
}

/// A translation says the problems first, then the summary.
#[derive(Clone, Copy)]
enum Translate {
    Problems,
    Summary,
}

#[derive(Default)]
enum Job {
    #[default]
    Idle,
    Read(Box<Input>),
    /// The cluster is a dump that is being read.
    Gather(Box<Input>, Box<Reading>, Gathering, u32),
    /// The problems have been told; the world is to be set up.
    SetUp(Box<Input>, Box<Reading>),
    Survey(Box<Input>, Box<Reading>, Box<Play>, Box<PlacementRules>, Survey, usize),
    Play(Box<Input>, Box<Reading>, Box<Play>, Box<PlacementRules>, u32),
}

/// What came of a computation.
struct Done {
    input: Box<Input>,
    reading: Box<Reading>,
    /// Absent when there was nothing to play.
    played: Option<(Box<PlacementRules>, Played)>,
}

impl Desk {
    /// Takes a request in. One of an older generation is dropped, and a computation drops the one under way.
    pub fn accept(&mut self, generation: u32, request: Request) {
        if generation < self.generation {
            return;
        }
        match request {
            Request::Compute(input) => {
                self.generation = generation;
                self.language = input.language.into();
                (self.inspect, self.translate) = (None, None);
                self.job = Job::Read(input);
            }
            Request::Inspect { node, at } if generation == self.generation => self.inspect = Some((node, at)),
            Request::Inspect { .. } => {}
            Request::Translate(language) => {
                self.language = language.into();
                self.translate = Some(Translate::Problems);
            }
            #[expect(clippy::panic, reason = "this is what the request asks for")]
            Request::Panic(text) => panic!("{text}"),
        }
    }

    /// The generation that answers belong to.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Whether nothing is left to do.
    pub fn is_idle(&self) -> bool {
        matches!(self.job, Job::Idle) && self.inspect.is_none() && self.translate.is_none()
    }

    /// Does a small piece of work; an answer when one is due.
    pub fn work(&mut self) -> Option<Answer> {
        match std::mem::take(&mut self.job) {
            Job::Idle => self.answer(),
            Job::Read(input) => {
                let mut reading = Box::new(read(&input));
                let [_, _, cluster] = &input.documents;
                let Some(gathering) = Gathering::of(cluster) else { return Some(self.have_read(input, reading)) };
                if let Some(mut done) = self.done.take().filter(|done| done.input.documents.last() == Some(cluster)) {
                    // Another knob or another DaemonSet on the same cluster.
                    reading.take_cluster(&mut done.reading);
                    return Some(self.have_read(input, reading));
                }
                self.job = Job::Gather(input, reading, gathering, 0);
                None
            }
            Job::Gather(input, reading, gathering, pieces) => self.gather(input, reading, gathering, pieces),
            Job::SetUp(input, reading) => self.set_up(input, reading),
            Job::Survey(input, reading, play, rules, survey, next) => {
                self.survey(input, reading, play, rules, survey, next)
            }
            Job::Play(input, reading, play, rules, pieces) => self.play(input, reading, play, rules, pieces),
        }
    }

    fn gather(
        &mut self,
        input: Box<Input>,
        mut reading: Box<Reading>,
        mut gathering: Gathering,
        pieces: u32,
    ) -> Option<Answer> {
        let [_, _, cluster] = &input.documents;
        let Some(read) = gathering.advance(cluster, &mut reading) else {
            gathering.finish(&mut reading);
            return Some(self.have_read(input, reading));
        };
        let (done, total) = (read as u64, cluster.len() as u64);
        self.job = Job::Gather(input, reading, gathering, pieces.wrapping_add(1));
        is_due(pieces).then(|| Answer::plain(Reply::Progress { phase: Phase::Reading, done, total }))
    }

    /// Everything has been read: the problems are told, and the world is to be set up.
    fn have_read(&mut self, input: Box<Input>, reading: Box<Reading>) -> Answer {
        let answer = problems(&reading, &input, self.language);
        self.job = Job::SetUp(input, reading);
        answer
    }

    fn set_up(&mut self, input: Box<Input>, mut reading: Box<Reading>) -> Option<Answer> {
        let nodes = reading.nodes.len();
        let nothing = match (&reading.after, nodes) {
            _ if reading.refused => Some(Nothing::Refused),
            (None, _) => Some(Nothing::NoDaemonSet),
            (_, 0) => Some(Nothing::NoNodes),
            (_, nodes) if nodes > LARGEST => Some(Nothing::TooBig { nodes: nodes as u64, limit: LARGEST as u64 }),
            _ => None,
        };
        if let Some(nothing) = nothing {
            self.done = Some(Done { input, reading, played: None });
            return Some(Answer::plain(Reply::Nothing(nothing)));
        }
        let play = Play::new(&reading, &input.knobs)?;
        let rules = Box::new(PlacementRules::of(&reading.after.as_ref()?.spec.template));
        // From here on nodes go by the numbers that the timeline gives them, which is the order of their names.
        reading.nodes.sort_unstable_by(|one, other| one.metadata.name.cmp(&other.metadata.name));
        reading.nodes.dedup_by(|next, kept| next.metadata.name == kept.metadata.name);
        self.job = Job::Survey(input, reading, Box::new(play), rules, Survey::default(), 0);
        Some(Answer::plain(Reply::Progress { phase: Phase::Placing, done: 0, total: nodes as u64 }))
    }

    fn survey(
        &mut self,
        input: Box<Input>,
        reading: Box<Reading>,
        play: Box<Play>,
        rules: Box<PlacementRules>,
        mut survey: Survey,
        next: usize,
    ) -> Option<Answer> {
        let rest = reading.nodes.get(next..).unwrap_or_default();
        for node in rest.iter().take(SURVEYED) {
            survey.add(node, &rules);
        }
        if rest.len() > SURVEYED {
            self.job = Job::Survey(input, reading, play, rules, survey, next + SURVEYED);
            return None;
        }
        self.job = Job::Play(input, reading, play, rules, 0);
        Some(Answer::plain(Reply::Fleet(survey.finish())))
    }

    fn play(
        &mut self,
        input: Box<Input>,
        reading: Box<Reading>,
        mut play: Box<Play>,
        rules: Box<PlacementRules>,
        pieces: u32,
    ) -> Option<Answer> {
        let (done, total, more) = play.advance();
        if more {
            self.job = Job::Play(input, reading, play, rules, pieces.wrapping_add(1));
            return is_due(pieces).then(|| Answer::plain(Reply::Progress { phase: Phase::Playing, done, total }));
        }
        let played = play.finish(&reading);
        let answer =
            Answer { head: Reply::Rollout(played.summary(self.language)), body: Rollout::to_bytes(&played.timeline) };
        self.done = Some(Done { input, reading, played: Some((rules, played)) });
        Some(answer)
    }

    /// Answers what is asked about the last computation.
    fn answer(&mut self) -> Option<Answer> {
        let done = self.done.as_ref();
        match self.translate {
            Some(Translate::Problems) => {
                self.translate = Some(Translate::Summary);
                let Done { input, reading, .. } = done?;
                return Some(problems(reading, input, self.language));
            }
            Some(Translate::Summary) => {
                self.translate = None;
                let (_, played) = done?.played.as_ref()?;
                return Some(Answer::plain(Reply::Words(played.summary(self.language))));
            }
            None => {}
        }
        let (node, at) = self.inspect.take()?;
        let Done { input, reading, played } = done?;
        let (rules, played) = played.as_ref()?;
        let subject = Subject { input, reading, rules, played };
        let inspection = inspect(subject, node, at, self.language)?;
        Some(Answer::plain(Reply::Inspection(Box::new(inspection))))
    }
}

/// Whether progress is told after a piece.
fn is_due(piece: u32) -> bool {
    piece % TOLD_EVERY == TOLD_EVERY - 1
}

fn problems(reading: &Reading, input: &Input, language: Language) -> Answer {
    let (documents, knobs) = (reading.problems(input, language), reading.knob_problems(language));
    Answer::plain(Reply::Problems { documents, knobs })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Ending, Mark, Tone};
    use crate::pack::{packed, unpacked};
    use crate::scenario;
    use crate::state::{self, Knobs};

    fn input() -> Box<Input> {
        Box::new(Input {
            documents: scenario::documents().map(|text| text.to_string()),
            knobs: Knobs::default(),
            language: state::Language::English,
        })
    }

    /// Works until the desk is empty; the heads of all answers, and the last rollout.
    fn finish(desk: &mut Desk) -> (Vec<Reply>, Option<Rollout>) {
        let (mut heads, mut rollout) = (Vec::new(), None);
        while !desk.is_idle() {
            if let Some(Answer { head, body }) = desk.work() {
                if let Reply::Rollout(summary) = &head {
                    rollout = Rollout::from_bytes(&body, summary.clone());
                }
                // What the page receives is what was said.
                assert_eq!(unpacked::<Reply>(&packed(&head)).as_ref(), Some(&head));
                heads.push(head);
            }
        }
        (heads, rollout)
    }

    fn computed(input: Box<Input>) -> (Desk, Vec<Reply>, Option<Rollout>) {
        let mut desk = Desk::default();
        desk.accept(1, Request::Compute(input));
        let (heads, rollout) = finish(&mut desk);
        (desk, heads, rollout)
    }

    /// The names that the timeline gives its numbers to.
    fn names(desk: &Desk) -> Vec<String> {
        let (_, played) = desk.done.as_ref().unwrap().played.as_ref().unwrap();
        played.timeline.node_names().iter().map(ToString::to_string).collect()
    }

    fn inspected(desk: &mut Desk, node: u32, at: u32) -> crate::model::Inspection {
        desk.accept(1, Request::Inspect { node, at });
        match finish(desk).0.pop() {
            Some(Reply::Inspection(inspection)) => *inspection,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_built_in_scenario_replaces_every_pod_within_its_budget() {
        let (desk, heads, rollout) = computed(input());
        let none = Reply::Problems { documents: [const { Vec::new() }; 3], knobs: [const { None }; 3] };
        assert_eq!(heads.first(), Some(&none));
        let rollout = rollout.unwrap();
        assert_eq!(rollout.summary.ending, Ending::Finished);
        assert_eq!(rollout.summary.floor, Some(259));
        assert_eq!(rollout.summary.fewest_available, 259);
        assert_eq!(rollout.summary.written, ["10%", "0", "10"].map(String::from));
        let end = rollout.counters(rollout.ends_at());
        assert_eq!((end.desired, end.up_to_date, end.available), (288, 288, 288));
        let fleet = heads.iter().find_map(|head| match head {
            Reply::Fleet(fleet) => Some(fleet),
            _ => None,
        });
        let fleet = fleet.unwrap();
        assert_eq!(fleet.names, names(&desk), "tiles and names go by the same numbers");
        assert_eq!(fleet.initials.matches('T').count(), 3);
    }

    #[test]
    fn a_newer_input_drops_what_is_under_way_and_an_older_one_is_not_heard() {
        let mut desk = Desk::default();
        desk.accept(5, Request::Compute(input()));
        for _ in 0..5 {
            desk.work();
        }
        let mut newer = input();
        newer.documents[2] = "name=n,count=3".into();
        desk.accept(6, Request::Compute(newer));
        desk.accept(5, Request::Compute(input()));
        desk.accept(5, Request::Inspect { node: 0, at: 0 });
        assert_eq!(desk.generation(), 6);
        let (heads, rollout) = finish(&mut desk);
        assert_eq!(rollout.unwrap().timeline.node_count(), 3);
        assert!(!heads.iter().any(|head| matches!(head, Reply::Inspection(_))));
    }

    #[test]
    fn an_inspection_says_why_and_what_comes_next() {
        let (mut desk, _, rollout) = computed(input());
        let rollout = rollout.unwrap();
        let names = names(&desk);
        let number = |name: &str| {
            let found = names.iter().position(|other| other == name);
            u32::try_from(found.unwrap()).unwrap()
        };
        let waiting = inspected(&mut desk, number("node-c-40"), 0);
        assert_eq!(waiting.tone, Tone::Waiting);
        assert!(waiting.explanation.contains("29 of 29"), "{}", waiting.explanation);
        assert!(waiting.next.contains("delete pod in"), "{}", waiting.next);
        assert!(waiting.checks.iter().all(|check| check.mark == Mark::Passed));
        let selector = waiting.checks.iter().find(|check| check.name.contains("kubernetes.io/os")).unwrap();
        let line = selector.place.as_ref().unwrap().line;
        assert!(input().documents[1].lines().nth(line as usize - 1).unwrap().contains("kubernetes.io/os: linux"));

        let excluded = inspected(&mut desk, number("control-plane-1"), 0);
        assert_eq!(excluded.tone, Tone::Neutral);
        assert!(excluded.explanation.contains("node-role.kubernetes.io/control-plane"), "{}", excluded.explanation);
        assert!(excluded.checks.iter().any(|check| check.mark == Mark::Failed));
        assert!(excluded.pods.is_empty());

        let done = inspected(&mut desk, number("node-a-01"), rollout.ends_at());
        assert_eq!((done.tone, done.next.as_str()), (Tone::Good, "nothing"));
    }

    #[test]
    fn a_rollout_that_stops_names_the_reason_and_the_nodes() {
        let mut input = input();
        // The new pod needs more than a node has.
        input.documents[1] =
            input.documents[1].replace("memory: 256Mi}", "memory: 1Ti}").replace("{memory: 512Mi}", "{memory: 1Ti}");
        let (mut desk, _, rollout) = computed(input);
        let rollout = rollout.unwrap();
        let Ending::Stopped { nodes, reason, .. } = &rollout.summary.ending else {
            panic!("{:?}", rollout.summary.ending)
        };
        assert_eq!(*nodes, 288);
        assert!(!reason.is_empty());
        let stuck = (0..rollout.timeline.node_count())
            .find(|node| rollout.timeline.state_at(u32::MAX).tile(*node) == rollcast_core::sim::Tile::Pending);
        let inspection = inspected(&mut desk, stuck.unwrap(), rollout.ends_at());
        assert_eq!(inspection.tone, Tone::Bad);
        assert!(inspection.explanation.contains("memory"), "{}", inspection.explanation);
    }

    #[test]
    fn what_cannot_be_shown_says_why() {
        let cases: [(&str, &str, Nothing); 3] = [
            ("", "name=n,count=3", Nothing::NoDaemonSet),
            (&scenario::documents()[0], "", Nothing::NoNodes),
            (
                &scenario::documents()[0],
                "name=a,count=200000\nname=b,count=1",
                Nothing::TooBig { nodes: 200_001, limit: 200_000 },
            ),
        ];
        for (daemon_set, cluster, expected) in cases {
            let mut input = input();
            input.documents = [daemon_set.into(), String::new(), cluster.into()];
            let (_, heads, _) = computed(input);
            assert_eq!(heads.last(), Some(&Reply::Nothing(expected)));
        }
        let mut input = input();
        input.documents[1] = input.documents[1].replace("image:", "imagee:");
        assert_eq!(computed(input).1.last(), Some(&Reply::Nothing(Nothing::Refused)));
    }

    #[test]
    fn the_same_is_said_in_chinese_without_playing_again() {
        let mut input = input();
        input.documents[1] += "  surprise: 1\n";
        let (mut desk, ..) = computed(input);
        desk.accept(1, Request::Translate(state::Language::Chinese));
        let Some(Answer { head: Reply::Problems { documents: [_, change, _], .. }, .. }) = desk.work() else {
            panic!("no problems")
        };
        assert!(change.iter().any(|problem| problem.message.chars().any(|character| character > '\u{4e00}')));
    }

    /// What kubectl prints of so many nodes, each with about two kilobytes beside what is read.
    fn dump(nodes: usize) -> String {
        let node = |number: usize| {
            let name = format!("node-{number:04}");
            let filler = "x".repeat(2_000);
            format!(
                r#"{{"apiVersion":"v1","kind":"Node","metadata":{{"name":"{name}","labels":{{"kubernetes.io/os":"linux"}},"annotations":{{"a":"{filler}"}}}},"status":{{"allocatable":{{"cpu":"4","memory":"8Gi","pods":"110"}},"conditions":[{{"type":"Ready","status":"True"}}]}}}}"#
            )
        };
        let items: Vec<String> = (0..nodes).map(node).collect();
        format!(r#"{{"apiVersion":"v1","kind":"List","items":[{}]}}"#, items.join(",\n"))
    }

    #[test]
    fn a_dump_that_is_too_large_for_a_document_is_read_in_pieces_and_once() {
        let mut input = input();
        input.documents[2] = dump(2_500);
        assert!(input.documents[2].len() > 5_000_000);
        let reads = |heads: &[Reply]| {
            heads.iter().filter(|head| matches!(head, Reply::Progress { phase: Phase::Reading, .. })).count()
        };
        let (mut desk, heads, rollout) = computed(input.clone());
        assert!(reads(&heads) > 1, "{}", reads(&heads));
        assert_eq!(rollout.unwrap().counters(0).desired, 2_500);
        input.knobs.max_unavailable = Some("50%".into());
        desk.accept(2, Request::Compute(input));
        let (heads, rollout) = finish(&mut desk);
        assert_eq!((reads(&heads), rollout.unwrap().summary.floor), (0, Some(1_250)));
    }

    #[test]
    fn what_is_wrong_in_a_dump_is_told_at_its_line() {
        let mut input = input();
        input.documents[2] = dump(2_500).replacen(r#""cpu":"4""#, r#""cpu":"中文""#, 1);
        let (_, heads, _) = computed(input.clone());
        let Some(Reply::Problems { documents: [_, _, problems], .. }) =
            heads.iter().find(|head| matches!(head, Reply::Problems { .. }))
        else {
            panic!("no problems")
        };
        let problem = problems.first().unwrap();
        let line = input.documents[2].lines().nth(problem.line as usize - 1).unwrap();
        assert!(line.contains("中文"), "{problem:?}");
        let text: Vec<u16> = input.documents[2].encode_utf16().collect();
        let marked = String::from_utf16(&text[problem.from as usize..problem.to as usize]).unwrap();
        assert!(marked.contains("中文"), "{marked}");
    }

    #[test]
    fn a_first_rollout_starts_from_nothing() {
        let mut input = input();
        input.documents[0].clear();
        let rollout = computed(input).2.unwrap();
        assert_eq!(rollout.summary.ending, Ending::Finished);
        assert_eq!(rollout.counters(rollout.ends_at()).up_to_date, 288);
    }

    #[test]
    #[should_panic(expected = "for a test")]
    fn a_panic_can_be_asked_for() {
        Desk::default().accept(1, Request::Panic("for a test".into()));
    }
}
