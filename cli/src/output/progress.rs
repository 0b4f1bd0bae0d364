use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use rollcast_core::message::Language;

/// Says on standard error how far work has come, once it has taken over a second; only where someone watches.
pub struct Progress {
    what: &'static str,
    started: Instant,
    shown: Option<Instant>,
    watched: bool,
}

impl Progress {
    const PATIENCE: Duration = Duration::from_secs(1);
    const PERIOD: Duration = Duration::from_millis(100);

    pub fn new(english: &'static str, chinese: &'static str, language: Language) -> Self {
        let what = if language == Language::Chinese { chinese } else { english };
        Self { what, started: Instant::now(), shown: None, watched: std::io::stderr().is_terminal() }
    }

    /// Takes note of how far the work has come, such as `12 MiB`.
    pub fn at(&mut self, done: impl FnOnce() -> String) {
        if !self.watched {
            return;
        }
        let now = Instant::now();
        let due = self.shown.map_or(self.started + Self::PATIENCE, |shown| shown + Self::PERIOD);
        if now >= due {
            self.shown = Some(now);
            // A terminal that cannot be written to loses a courtesy, nothing else.
            let _ = write!(std::io::stderr(), "\r\x1b[2K{}… {}", self.what, done());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown.is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
        }
    }
}
