//! The single truth about the page. Only [`reduce`] and [`receive`] change it, by what a person does and by what the worker
//! says: same state and message in, same state and effects out.

use std::rc::Rc;

use crate::model::{Fleet, Inspection, Outlook, Place, Problem, Rollout};
use crate::pack::{pack_enum, pack_struct};
use crate::protocol::{Input, Nothing, Phase, Request};

mod reduce;
#[cfg(test)]
mod tests;

pub use reduce::{receive, reduce};

/// The language of everything but Kubernetes' own words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    #[default]
    English,
    Chinese,
}

pack_enum!(Language { 0 => English, 1 => Chinese });

impl From<Language> for rollcast_core::message::Language {
    fn from(language: Language) -> Self {
        match language {
            Language::English => Self::English,
            Language::Chinese => Self::Chinese,
        }
    }
}

/// Light or dark, or whatever the system asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

/// One of the four texts, which together are a scenario.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DocumentId {
    /// As it runs now.
    #[default]
    DaemonSet,
    /// What it will become.
    Change,
    Cluster,
    /// How long things take and what happens on the way: all the rest of a scenario.
    World,
}

pack_enum!(DocumentId { 0 => DaemonSet, 1 => Change, 2 => Cluster, 3 => World });

impl DocumentId {
    /// The documents in the order of their tabs.
    pub const ALL: [Self; 4] = [Self::DaemonSet, Self::Change, Self::Cluster, Self::World];
}

/// A text and what is wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    pub text: Rc<str>,
    pub problems: Rc<Vec<Problem>>,
}

/// A dump that was given in place of the cluster's text. What it holds stays with the page's root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dump {
    /// Tells one dump from the next.
    pub number: u32,
    pub bytes: u64,
    /// The name of its file, or of the one that a scenario file would name.
    pub name: String,
}

pack_struct!(Dump { number, bytes, name });

/// What colours the tiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColourBy {
    /// Old or new, and how far.
    #[default]
    Revision,
    /// Available or not, whatever the revision.
    State,
}

/// Which pane is seen where there is room for one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pane {
    Editor,
    #[default]
    Map,
    Inspector,
}

impl Pane {
    /// The panes in the order of their tabs.
    pub const ALL: [Self; 3] = [Self::Editor, Self::Map, Self::Inspector];
}

/// Settings that try something without editing the change. `None`: as the change says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Knobs {
    pub max_unavailable: Option<String>,
    pub max_surge: Option<String>,
    pub min_ready_seconds: Option<String>,
}

pack_struct!(Knobs { max_unavailable, max_surge, min_ready_seconds });

/// One of the knobs. The first three try a setting, the others edit the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knob {
    MaxUnavailable,
    MaxSurge,
    MinReadySeconds,
    ReadyAfter,
    ReadyP95,
    GoneAfter,
    ImageSize,
    Registry,
    NeverReady,
    Version,
}

/// The knobs of the world, in their order on the page.
pub const WORLD_KNOBS: [Knob; 7] = [
    Knob::ReadyAfter,
    Knob::ReadyP95,
    Knob::GoneAfter,
    Knob::ImageSize,
    Knob::Registry,
    Knob::NeverReady,
    Knob::Version,
];

/// Speeds of playing, in seconds of the rollout per second.
pub const SPEEDS: [u32; 6] = [1, 4, 8, 16, 60, 240];

/// Where the playhead is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playback {
    /// Seconds since the change was applied.
    pub at: f64,
    pub playing: bool,
    pub speed: u32,
}

impl Playback {
    /// The whole second that is shown.
    pub fn second(&self) -> u32 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates, and seconds fit")]
        let second = self.at.floor() as u32;
        second
    }
}

/// What the worker is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Work {
    /// The worker is being started.
    Starting,
    Running {
        phase: Phase,
        done: u64,
        total: u64,
    },
    Done,
    /// There is nothing to show, and why.
    Nothing(Nothing),
    /// The worker fell twice on the same input and is left alone until the input changes.
    Stopped,
}

/// The page fell over something; the person is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fall {
    /// The generation of the input on which it fell.
    pub generation: u32,
    pub text: Rc<str>,
}

/// A wish that the editor show a place; the number tells one wish from the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jump {
    pub number: u32,
    pub place: Place,
}

/// Something a person is told once, about something that was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// A text of so many bytes was too large for its document.
    TooLarge(u64),
    /// What was opened is no scenario.
    NoScenario,
}

/// Everything the page shows follows from this.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a thing of its own that is so or not")]
pub struct State {
    pub language: Language,
    pub theme: Theme,
    /// The system prefers dark.
    pub system_dark: bool,
    pub documents: [Document; 4],
    /// The world holds a whole scenario that has not been taken apart yet, or cannot be.
    pub whole: bool,
    /// A scenario was opened in place of the built-in one.
    pub opened: bool,
    /// What the scenario is called; may be empty.
    pub name: Rc<str>,
    pub dump: Option<Dump>,
    /// How many were given so far.
    pub dumps_given: u32,
    pub tab: DocumentId,
    pub pane: Pane,
    pub knobs: Knobs,
    /// What a person is writing into a knob and has not said yet.
    pub knob_draft: Option<(Knob, Rc<str>)>,
    /// What is wrong with the first three knobs.
    pub knob_problems: [Option<String>; 3],
    /// What the world says about each of [`WORLD_KNOBS`].
    pub world: Vec<String>,
    /// And what holds where it says nothing.
    pub holding: Vec<String>,
    pub group_by: Option<Rc<str>>,
    pub colour_by: ColourBy,
    pub selected: Option<u32>,
    pub playback: Playback,
    /// Grows with everything that changes what is computed; answers to an older input are dropped.
    pub generation: u32,
    pub work: Work,
    pub fleet: Option<Rc<Fleet>>,
    pub rollout: Option<Rc<Rollout>>,
    pub inspection: Option<Box<Inspection>>,
    /// Many plays of the rollout, as far as they have been played.
    pub outlook: Option<Box<Outlook>>,
    /// The command that was copied last.
    pub copied: Option<Rc<str>>,
    pub fall: Option<Fall>,
    /// The person has closed the notice about the fall.
    pub fall_seen: bool,
    pub note: Option<Note>,
    pub jump: Option<Jump>,
    pub help: bool,
    pub search: Rc<str>,
}

impl State {
    /// A page with four documents, about to compute them.
    pub fn new(documents: [Rc<str>; 4], language: Language, theme: Theme) -> Self {
        Self {
            language,
            theme,
            system_dark: false,
            documents: documents.map(|text| Document { text, problems: Rc::default() }),
            whole: false,
            opened: false,
            name: Rc::from(""),
            dump: None,
            dumps_given: 0,
            tab: DocumentId::Change,
            pane: Pane::default(),
            knobs: Knobs::default(),
            knob_draft: None,
            knob_problems: [const { None }; 3],
            world: Vec::new(),
            holding: Vec::new(),
            group_by: None,
            colour_by: ColourBy::default(),
            selected: None,
            playback: Playback { at: 0.0, playing: false, speed: 8 },
            generation: 1,
            work: Work::Starting,
            fleet: None,
            rollout: None,
            inspection: None,
            outlook: None,
            copied: None,
            fall: None,
            fall_seen: false,
            note: None,
            jump: None,
            help: false,
            search: Rc::from(""),
        }
    }

    /// Whether the page is dark.
    pub fn is_dark(&self) -> bool {
        match self.theme {
            Theme::Light => false,
            Theme::Dark => true,
            Theme::System => self.system_dark,
        }
    }

    /// A document by its name.
    pub fn document(&self, id: DocumentId) -> &Document {
        let [daemon_set, change, cluster, world] = &self.documents;
        match id {
            DocumentId::DaemonSet => daemon_set,
            DocumentId::Change => change,
            DocumentId::Cluster => cluster,
            DocumentId::World => world,
        }
    }

    fn document_mut(&mut self, id: DocumentId) -> &mut Document {
        let [daemon_set, change, cluster, world] = &mut self.documents;
        match id {
            DocumentId::DaemonSet => daemon_set,
            DocumentId::Change => change,
            DocumentId::Cluster => cluster,
            DocumentId::World => world,
        }
    }

    /// What the worker computes from; a restarted worker is rebuilt from this alone.
    pub fn input(&self) -> Input {
        Input {
            documents: DocumentId::ALL.map(|id| self.document(id).text.to_string()),
            knobs: self.knobs.clone(),
            language: self.language,
            dump: self.dump.clone(),
            whole: self.whole,
        }
    }
}

/// Something that happened on the page.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// The person typed.
    Edited(DocumentId, Rc<str>),
    /// A text that may be a scenario was opened, dropped or pasted.
    Opened(Rc<str>),
    /// A text of so many bytes was given to a document that takes less.
    TooLarge(u64),
    NoteDismissed,
    /// The person wants the scenario as a file.
    SaveAsked,
    /// So many bytes were given in place of the cluster's text, under this name.
    DumpGiven(u64, Rc<str>),
    DumpRemoved,
    TabChosen(DocumentId),
    PaneChosen(Pane),
    /// English to Chinese and back.
    LanguageToggled,
    /// Light to dark and back, from what is in force.
    ThemeToggled,
    /// The system prefers dark, or no longer does.
    SystemThemeSeen {
        dark: bool,
    },
    GroupingChosen(Option<Rc<str>>),
    ColouringChosen(ColourBy),
    NodeChosen(Option<u32>),
    Searched(Rc<str>),
    /// The person writes into a knob.
    KnobWritten(Knob, Rc<str>),
    KnobTurned(Knob, Rc<str>),
    PlaceChosen(Place),
    PlayToggled,
    SpeedChosen(u32),
    /// So many milliseconds have passed while playing.
    Ticked(f64),
    ScrubbedTo(f64),
    StepForward,
    StepBack,
    JumpToStart,
    JumpToEnd,
    HelpToggled,
    NoticeDismissed,
    /// The person has seen enough plays.
    OutlookStopped,
    /// The person asks why the rollout stops: its diagnosis stands where no node is.
    WhyAsked,
    CopyAsked(Rc<str>),
    Copied(Rc<str>),
    /// The worker has panicked, or could not be started, with this text.
    WorkerFell(Rc<str>),
}

/// What the outside world must do after a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Send to the worker at once.
    Send(u32, Request),
    /// Compute the state's input when the person has paused typing.
    ComputeSoon,
    /// Throw the worker away and start another; its first word is [`Reply::Ready`](crate::protocol::Reply::Ready).
    RestartWorker,
    /// Show language and theme on the document, and remember them for the next visit.
    Remember,
    /// Show language and theme on the document.
    Dress,
    /// Hand a scenario file out.
    Save(String),
    /// Put a text on the clipboard; [`Message::Copied`] says that it is there.
    Copy(Rc<str>),
    /// Ask for the next frame.
    Animate,
}
