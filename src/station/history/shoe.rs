//! The shoe: when it was shuffled, cut and loaded, with what, and who allowed it.

use sabot_law::table::Event;
use sabot_law::table::answer::Lang;

use super::log::{LogLine, lines};
use super::{NotRead, Record};

/// What a record tells of shoe and shuffler, the newest first.
///
/// # Errors
/// When it does not read.
pub fn shoe(record: &Record, lang: Lang) -> Result<Vec<LogLine>, NotRead> {
    lines(record, lang, |told, _| is_about(&told.event)).map(|(lines, _)| lines)
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
