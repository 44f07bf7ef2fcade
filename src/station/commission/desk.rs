//! The technician's terminal: what is said there, and what he types.

use std::io::{self, Write};

use sabot_law::table::answer::Lang;
use sabot_wire::message::Role;
use sabot_wire::pairing::Code;
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

    /// The code on a device's housing; none where it has none.
    ///
    /// # Errors
    /// When the technician leaves.
    pub(super) async fn code(&mut self, role: Role) -> Result<Option<Code>, CommissionError> {
        let line = self.words(
            format!(
                "> el código en la caja de `{role}` (16 dígitos y letras); Intro solo si no tiene: su clave va entonces \
                 por el cable tal cual"
            ),
            format!(
                "> the code on the housing of the {role} (16 digits and letters); Enter alone where it has none: its key \
                 then goes over the cable as it is"
            ),
        );
        loop {
            self.say(&line)?;
            let typed = self.lines.recv().await.ok_or(CommissionError::Left)?;
            match typed.trim() {
                "" => return Ok(None),
                "stop" | "parar" => return Err(CommissionError::Left),
                typed => {
                    if let Some(code) = Code::typed(typed) {
                        return Ok(Some(code));
                    }
                }
            }
        }
    }

    /// Waits until the technician has done what he was asked to.
    ///
    /// # Errors
    /// When he leaves.
    pub(super) async fn done(&mut self) -> Result<(), CommissionError> {
        self.typed().await.map(drop)
    }
}
