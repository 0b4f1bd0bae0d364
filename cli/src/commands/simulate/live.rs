use std::io::Write;
use std::time::{Duration, Instant};

use rollcast_core::message::{Language, duration};
use rollcast_core::sim::World;

use crate::interrupt::Interrupt;

/// Width of the bar, characters.
const BAR: usize = 40;

/// How long the view stands still.
const FRAME: Duration = Duration::from_millis(100);

/// Plays to the end, or to Ctrl-C, `speed` seconds in one, and shows how far it has come.
pub fn play(world: &mut World, speed: u32, interrupt: &Interrupt, language: Language) {
    // The future is known: the same play, once more, as fast as it goes.
    let end = world.clone().run_to_end().completed_at;
    let started = Instant::now();
    let mut view = View { lines: 0 };
    while !interrupt.is_requested() {
        let due = started.elapsed().saturating_mul(speed);
        world.run_until(due);
        view.show(&frame(world, due, end, language));
        if !world.run(0).partial {
            break;
        }
        std::thread::sleep(FRAME);
    }
}

/// The lines of one moment.
fn frame(world: &World, now: Duration, end: Option<Duration>, language: Language) -> [String; 2] {
    let timeline = world.timeline();
    let counters = timeline.state_at(timeline.len().saturating_sub(1)).counters;
    let (done, total) = (u64::from(counters.new_available), u64::from(counters.desired.max(1)));
    let filled = usize::try_from(done.saturating_mul(40) / total).unwrap_or(BAR).min(BAR);
    let bar = "█".repeat(filled) + &"░".repeat(BAR - filled);
    let elapsed = duration(now, language);
    let left = end.map(|end| duration(end.saturating_sub(now), language));
    let time = match (left, language) {
        (Some(left), Language::English) => format!("{elapsed} of the play, {left} to go"),
        (None, Language::English) => format!("{elapsed} of the play, which never finishes"),
        (Some(left), Language::Chinese) => format!("已推演 {elapsed}，还需 {left}"),
        (None, Language::Chinese) => format!("已推演 {elapsed}，永远不会完成"),
    };
    [
        format!("{bar} {done}/{}  {time}", counters.desired),
        format!(
            "DESIRED {}  CURRENT {}  READY {}  UP-TO-DATE {}  AVAILABLE {}",
            counters.desired, counters.current, counters.ready, counters.up_to_date, counters.available
        ),
    ]
}

/// Lines on standard error that are drawn over.
struct View {
    lines: usize,
}

impl View {
    fn show(&mut self, lines: &[String]) {
        let mut text = if self.lines > 0 { format!("\x1b[{}A", self.lines) } else { String::new() };
        for line in lines {
            text.push_str("\r\x1b[2K");
            text.push_str(line);
            text.push('\n');
        }
        self.lines = lines.len();
        // A terminal that cannot be written to loses a courtesy, nothing else.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}
