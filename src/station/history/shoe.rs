//! The shoe: when it was shuffled, cut and loaded, with what, and who allowed it.

use sabot_law::replay::Replay;
use sabot_law::table::Event;
use sabot_law::table::answer::Lang;

use super::{NotRead, Record, answered, happened, read};

/// Most lines that are told.
const LINES: usize = 200;

/// Something that concerns the shoe.
#[derive(Debug)]
pub struct ShoeLine {
    /// When.
    pub at: String,
    /// Number of its line.
    pub line: u64,
    /// What happened.
    pub what: String,
    /// What was answered.
    pub answers: Vec<String>,
}

/// What a record tells of shoe and shuffler, the newest first.
///
/// # Errors
/// When it does not read.
pub fn shoe(record: &Record, lang: Lang) -> Result<Vec<ShoeLine>, NotRead> {
    let mut lines = Vec::new();
    read(record, Replay::new(lang, None), |told, _| {
        if is_about(&told.event) {
            let answers = told.answers.iter().filter_map(|answer| answered(answer, lang)).collect();
            lines.push(ShoeLine { at: told.second(), line: told.line, what: happened(&told, lang), answers });
        }
        Ok(())
    })?;
    lines.reverse();
    lines.truncate(LINES);
    Ok(lines)
}

fn is_about(event: &Event) -> bool {
    match event {
        Event::Shuffle { .. }
        | Event::Cut { .. }
        | Event::Load { .. }
        | Event::CutCard {}
        | Event::OfferCut { .. }
        | Event::Authorize { .. } => true,
        Event::Device { device, .. } => device == "shoe" || device == "shuffler",
        _ => false,
    }
}
