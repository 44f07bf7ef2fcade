//! The technician's terminal: what is said there, and what he types.

use std::io::{self, Write};

use sabot_law::table::answer::Lang;
use tokio::sync::mpsc::UnboundedReceiver;

use super::CommissionError;

/// A line that the technician has typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Typed {
    /// An empty one.
    Again,
    /// It is so.
    Yes,
    /// It is not.
    No,
    /// This cannot be done now; why.
    Skip(String),
    /// Anything else.
    Other,
}

/// Both ways to the technician.
pub(super) struct Desk<W> {
    out: W,
    lines: UnboundedReceiver<String>,
    pub(super) lang: Lang,
}

impl<W: Write> Desk<W> {
    pub(super) const fn new(out: W, lines: UnboundedReceiver<String>, lang: Lang) -> Self {
        Self { out, lines, lang }
    }

    /// One of two, by the language.
    pub(super) fn words(&self, es: impl Into<String>, en: impl Into<String>) -> String {
        match self.lang {
            Lang::Es => es.into(),
            Lang::En => en.into(),
        }
    }

    /// Says it, on a line of its own.
    pub(super) fn say(&mut self, text: &str) -> Result<(), CommissionError> {
        let said = writeln!(self.out, "{text}").and_then(|()| self.out.flush());
        said.map_err(|why| if why.kind() == io::ErrorKind::BrokenPipe { CommissionError::Left } else { why.into() })
    }

    /// The next line that is typed. May be dropped before it comes.
    ///
    /// # Errors
    /// When the technician leaves.
    pub(super) async fn typed(&mut self) -> Result<Typed, CommissionError> {
        let line = self.lines.recv().await.ok_or(CommissionError::Left)?;
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Ok(match word.to_lowercase().as_str() {
            "" => Typed::Again,
            "stop" | "parar" => return Err(CommissionError::Left),
            "y" | "yes" | "s" | "sí" | "si" => Typed::Yes,
            "n" | "no" => Typed::No,
            "skip" | "omitir" => Typed::Skip(rest.trim().to_owned()),
            _ => Typed::Other,
        })
    }

    /// Waits until the technician has done what he was asked to.
    ///
    /// # Errors
    /// When he leaves.
    pub(super) async fn done(&mut self) -> Result<(), CommissionError> {
        self.typed().await.map(drop)
    }
}
