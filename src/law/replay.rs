//! A table log, line by line: reading and validating in one; and the whole of `sabot replay`, a log's bytes in and its
//! answers' bytes out, as the command and the bare-metal build both run it.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use crate::table::answer::Lang;
use crate::table::line::{self, LineError};
use crate::table::settings::Changes;
use crate::table::{Answer, Header, LineNo, Name, Rules};
use crate::validator::{Moment, NoRegulation, Validator};

/// Why a log cannot be read on, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct ReplayError {
    /// Line, from 1.
    pub line: LineNo,
    /// What is wrong there.
    pub why: Fault,
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It cannot be read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// The header's regulation is not known, or its rules or settings cannot be.
    #[error(transparent)]
    Regulation(#[from] NoRegulation),
    /// A place the table does not have.
    #[error("field `{field}`: this table has boxes 1 to {boxes}, not {box_no}")]
    NoSuchBox {
        /// The field that names it.
        field: &'static str,
        /// The box named.
        box_no: u8,
        /// Boxes of the table.
        boxes: u8,
    },
    /// Time runs backwards.
    #[error("field `t`: {t} is before {last}, the time of an earlier line")]
    Backwards {
        /// The time given.
        t: u64,
        /// The latest before it.
        last: u64,
    },
    /// The log is empty.
    #[error("no header: a log begins with a line whose `ev` is \"table\"")]
    NoHeader,
    /// What is answered to it cannot be written as JSON.
    #[error("its answer cannot be written: {0}")]
    Answer(String),
}

/// A regulation to hold a log against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Over {
    /// Its identifier.
    pub id: Name,
    /// What it is, where it is a house's own.
    pub rules: Option<Rules>,
}

/// A log being replayed.
#[derive(Debug, Default)]
pub struct Replay {
    lang: Lang,
    over: Option<Over>,
    own: Option<Over>,
    settings: Option<Changes>,
    line: LineNo,
    t: u64,
    validator: Option<Validator>,
}

impl Replay {
    /// A log not begun yet; held against another regulation than its header's where there is one.
    #[must_use]
    pub fn new(lang: Lang, over: Option<Over>) -> Self {
        Self { lang, over, ..Self::default() }
    }

    /// With these changes of settings instead of the header's.
    #[must_use]
    pub fn with_settings(mut self, settings: Option<Changes>) -> Self {
        self.settings = settings;
        self
    }

    /// Goes on from a moment of a log, `t` being the time of its line, as if it had read all before it.
    ///
    /// # Errors
    /// When the header's regulation is not known.
    pub fn going_on(self, header: Header, moment: Moment, t: u64) -> Result<Self, NoRegulation> {
        let line = moment.line();
        let validator = Validator::restored(header, moment)?.in_language(self.lang);
        Ok(Self { line, t, validator: Some(validator), ..self })
    }

    /// The regulation the header names, where the log is held against another.
    #[must_use]
    pub const fn own(&self) -> Option<&Over> {
        self.own.as_ref()
    }

    /// The table, once the header has been read.
    #[must_use]
    pub const fn validator(&self) -> Option<&Validator> {
        self.validator.as_ref()
    }

    /// Lines read so far.
    #[must_use]
    pub const fn line(&self) -> LineNo {
        self.line
    }

    /// Takes the next line, without its end, and adds what is answered. A blank line counts and says nothing.
    ///
    /// # Errors
    /// When the line cannot be read; what was answered up to it stands.
    pub fn feed(&mut self, text: &[u8], answers: &mut Vec<Answer>) -> Result<(), ReplayError> {
        self.line += 1;
        if text.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        self.read(text, answers).map_err(|why| ReplayError { line: self.line, why })
    }

    /// The log has ended: adds the summary.
    ///
    /// # Errors
    /// When there was no header.
    pub fn finish(&mut self, answers: &mut Vec<Answer>) -> Result<(), ReplayError> {
        match &mut self.validator {
            Some(validator) => validator.finish(answers),
            None => return Err(ReplayError { line: self.line.max(1), why: Fault::NoHeader }),
        }
        Ok(())
    }

    fn read(&mut self, text: &[u8], answers: &mut Vec<Answer>) -> Result<(), Fault> {
        let Some(validator) = &mut self.validator else {
            let mut header = line::header(text)?;
            if let Some(over) = self.over.take() {
                self.own = Some(Over {
                    id: core::mem::replace(&mut header.regulation, over.id),
                    rules: core::mem::replace(&mut header.rules, over.rules),
                });
            }
            if let Some(settings) = self.settings.take() {
                header.settings = settings;
            }
            self.validator = Some(Validator::new(header)?.in_language(self.lang));
            return Ok(());
        };
        let (event, t) = line::timed(text)?;
        if let Some(t) = t {
            if t < self.t {
                return Err(Fault::Backwards { t, last: self.t });
            }
            self.t = t;
        }
        let boxes = validator.header().boxes;
        if let Some((field, box_no)) = event.boxes().find(|(_, box_no)| *box_no > boxes) {
            return Err(Fault::NoSuchBox { field, box_no, boxes });
        }
        validator.step(self.line, &event, answers);
        Ok(())
    }
}

/// A log being replayed as its bytes come: the answers are those of its lines, one JSON object a line.
///
/// It holds the line that has not ended yet and the table, and so does not grow with the log's length.
#[derive(Debug, Default)]
pub struct Stream {
    replay: Replay,
    line: Vec<u8>,
    answers: Vec<Answer>,
    findings: u64,
    tells_due: bool,
}

impl Stream {
    /// A log of which nothing has come yet.
    #[must_use]
    pub fn new(replay: Replay) -> Self {
        Self { replay, ..Self::default() }
    }

    /// After the answers to each event, also what is due.
    #[must_use]
    pub const fn with_due(mut self, tells_due: bool) -> Self {
        self.tells_due = tells_due;
        self
    }

    /// The log so far.
    #[must_use]
    pub const fn replay(&self) -> &Replay {
        &self.replay
    }

    /// Findings that stand so far: those withdrawn are none.
    #[must_use]
    pub const fn findings(&self) -> u64 {
        self.findings
    }

    /// Takes the next bytes, wherever they are cut, and adds the answers to the lines that end in them.
    ///
    /// # Errors
    /// With the first line that cannot be read; the answers up to it stand, and the log is at its end.
    pub fn feed(&mut self, mut bytes: &[u8], out: &mut Vec<u8>) -> Result<(), ReplayError> {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            let (head, rest) = bytes.split_at(end);
            bytes = rest.get(1..).unwrap_or_default();
            if self.line.is_empty() {
                self.take(head.trim_ascii_end(), out)?;
            } else {
                self.line.extend_from_slice(head);
                self.end_of_line(out)?;
            }
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    /// The log has ended: adds the answers to a last line without an end, and the summary.
    ///
    /// # Errors
    /// When that line cannot be read, or there was no header.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), ReplayError> {
        if !self.line.is_empty() {
            self.end_of_line(out)?;
        }
        let ended = self.replay.finish(&mut self.answers);
        self.tell(ended, out)
    }

    fn end_of_line(&mut self, out: &mut Vec<u8>) -> Result<(), ReplayError> {
        let mut line = core::mem::take(&mut self.line);
        let taken = self.take(line.trim_ascii_end(), out);
        line.clear();
        self.line = line;
        taken
    }

    /// Takes a whole line.
    fn take(&mut self, line: &[u8], out: &mut Vec<u8>) -> Result<(), ReplayError> {
        let has_header = self.replay.validator().is_some();
        let fed = self.replay.feed(line, &mut self.answers);
        self.tell(fed, out)?;
        match self.replay.validator() {
            Some(validator) if self.tells_due && has_header && !line.is_empty() => {
                self.write(&validator.due(self.replay.line), out)
            }
            _ => Ok(()),
        }
    }

    fn write(&self, answer: &impl serde::Serialize, out: &mut Vec<u8>) -> Result<(), ReplayError> {
        let json = serde_json::to_vec(answer)
            .map_err(|why| ReplayError { line: self.replay.line, why: Fault::Answer(why.to_string()) })?;
        out.extend_from_slice(&json);
        out.push(b'\n');
        Ok(())
    }

    /// Writes what was answered, also where the line then could not be read on.
    fn tell(&mut self, fed: Result<(), ReplayError>, out: &mut Vec<u8>) -> Result<(), ReplayError> {
        let mut answers = core::mem::take(&mut self.answers);
        for answer in answers.drain(..) {
            match answer {
                Answer::Finding(_) => self.findings += 1,
                Answer::Withdrawn { .. } => self.findings = self.findings.saturating_sub(1),
                _ => {}
            }
            self.write(&answer, out)?;
        }
        self.answers = answers;
        fed
    }
}

#[cfg(test)]
#[path = "replay_tests.rs"]
mod tests;
