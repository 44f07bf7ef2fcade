//! Lines of a record in words, the newest first.

use std::collections::VecDeque;

use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;

use super::{NotRead, Record, Told, answered, happened, read};

/// Most lines that are told.
const LINES: usize = 200;

/// A line of the record.
#[derive(Debug)]
pub struct LogLine {
    /// When.
    pub at: String,
    /// Its number.
    pub line: u64,
    /// What happened.
    pub what: String,
    /// Who entered it; mostly empty.
    pub by: String,
    /// What was answered.
    pub answers: Vec<String>,
}

/// The newest lines that are wanted, and how many more there are.
///
/// # Errors
/// When the record does not read.
pub fn lines(
    record: &Record,
    lang: Lang,
    is_wanted: impl Fn(&Told, &LogLine) -> bool,
) -> Result<(Vec<LogLine>, usize), NotRead> {
    let (mut lines, mut more) = (VecDeque::new(), 0);
    read(record, Replay::new(lang, None), |told, _| {
        let answers = told.answers.iter().filter_map(|answer| answered(answer, lang)).collect();
        let by = told.entered.clone().unwrap_or_default();
        let line = LogLine { at: told.second(), line: told.line, what: happened(&told, lang), by, answers };
        if is_wanted(&told, &line) {
            lines.push_front(line);
        }
        if lines.len() > LINES {
            lines.pop_back();
            more += 1;
        }
        Ok(())
    })?;
    Ok((lines.into(), more))
}
