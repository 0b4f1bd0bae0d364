//! The parts that forecasts, comparisons and advice share in Markdown.

use rollcast_core::report::{PlayAssumptions, UnfinishedLine};

use super::page::assumption_rows;
use crate::output::Markdown;

/// Why plays did not finish.
pub fn unfinished(markdown: &mut Markdown, title: &str, lines: &[UnfinishedLine]) {
    for line in lines {
        markdown.strong(&format!("{title}{}", line.ending.message));
        markdown.gap();
        for wait in &line.waiting_on {
            markdown.item(0, &wait.wait.message);
            if let Some(remedy) = &wait.remedy {
                markdown.item(1, remedy);
            }
        }
    }
}

/// What the answer rests on, folded away.
pub fn assumptions(markdown: &mut Markdown, assumptions: &PlayAssumptions) {
    let title = markdown.language.say("What this rests on", "以上结果基于").to_owned();
    markdown.fold(&title);
    for (name, value) in assumption_rows(assumptions, markdown.language) {
        let colon = if name.is_empty() { "" } else { markdown.language.say(": ", "：") };
        let item = format!("{name}{colon}{value}");
        markdown.item(0, &item);
    }
    markdown.unfold();
}
