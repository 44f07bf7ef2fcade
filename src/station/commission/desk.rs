//! Both ways to the technician: what he is told, at a terminal or on a page, and what he types.

use std::io::{self, Write};

use sabot_law::table::answer::Lang;
use sabot_wire::message::Role;
use sabot_wire::pairing::Code;
use tokio::sync::mpsc::UnboundedReceiver;

use super::CommissionError;

/// What the technician is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// He is to do this, or to answer it.
    Asked(String, Wants),
    /// It is as it must be.
    Good(String),
    /// It is not; why, and a way out.
    Wrong(String),
    /// Something beside that.
    Aside(String),
}

/// What answers a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wants {
    /// Something done at the felt: the devices see it.
    Deed,
    /// The same, without which nothing goes on.
    Must,
    /// Yes or no.
    YesOrNo,
    /// The code on a housing, or nothing.
    Code,
    /// His word that it is done.
    Word,
}

/// Tells the technician.
pub trait Teller {
    /// Tells him this.
    ///
    /// # Errors
    /// When he cannot be told; a broken pipe is somebody who has left.
    fn tell(&mut self, said: Said) -> io::Result<()>;
}

/// A terminal, where questions are answered by a line.
#[derive(Debug)]
pub struct Terminal<W> {
    /// Where it writes.
    pub out: W,
    /// In which language keys are named.
    pub lang: Lang,
}

impl<W: Write> Teller for Terminal<W> {
    fn tell(&mut self, said: Said) -> io::Result<()> {
        let line = match said {
            Said::Asked(what, wants) => format!("> {what}{}", wants.keys(self.lang)),
            Said::Good(what) => format!("ok {what}"),
            Said::Wrong(what) => format!("NO: {what}"),
            Said::Aside(what) => format!("   {what}"),
        };
        writeln!(self.out, "{line}").and_then(|()| self.out.flush())
    }
}

impl Wants {
    /// Whether the trial goes on without it.
    pub(super) const fn may_be_left_out(self) -> bool {
        matches!(self, Self::Deed | Self::YesOrNo)
    }

    /// How it is answered at a keyboard.
    const fn keys(self, lang: Lang) -> &'static str {
        match (self, lang) {
            (Self::Deed | Self::Must, _) => "",
            (Self::YesOrNo, Lang::Es) => " (s/n)",
            (Self::YesOrNo, Lang::En) => " (y/n)",
            (Self::Code, Lang::Es) => "; Intro solo si no tiene",
            (Self::Code, Lang::En) => "; Enter alone where it has none",
            (Self::Word, Lang::Es) => ", y pulse Intro (`parar` lo deja para luego)",
            (Self::Word, Lang::En) => ", and press Enter (`stop` leaves it for later)",
        }
    }
}

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
pub(super) struct Desk<T> {
    teller: T,
    lines: UnboundedReceiver<String>,
    pub(super) lang: Lang,
}

impl<T: Teller> Desk<T> {
    pub(super) const fn new(teller: T, lines: UnboundedReceiver<String>, lang: Lang) -> Self {
        Self { teller, lines, lang }
    }

    /// One of two, by the language.
    pub(super) fn words(&self, es: impl Into<String>, en: impl Into<String>) -> String {
        match self.lang {
            Lang::Es => es.into(),
            Lang::En => en.into(),
        }
    }

    /// Asks for it.
    pub(super) fn ask(&mut self, what: String, wants: Wants) -> Result<(), CommissionError> {
        self.say(Said::Asked(what, wants))
    }

    /// It is as it must be.
    pub(super) fn good(&mut self, what: String) -> Result<(), CommissionError> {
        self.say(Said::Good(what))
    }

    /// It is not.
    pub(super) fn wrong(&mut self, what: String) -> Result<(), CommissionError> {
        self.say(Said::Wrong(what))
    }

    /// Something beside that.
    pub(super) fn aside(&mut self, what: String) -> Result<(), CommissionError> {
        self.say(Said::Aside(what))
    }

    fn say(&mut self, said: Said) -> Result<(), CommissionError> {
        let told = self.teller.tell(said);
        told.map_err(|why| if why.kind() == io::ErrorKind::BrokenPipe { CommissionError::Left } else { why.into() })
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
        let ask = self.words(
            format!("el código en la caja de `{role}` (16 dígitos y letras); sin él la clave va por el cable tal cual"),
            format!(
                "the code on the housing of the {role} (16 digits and letters); without it its key goes over the cable \
                 as it is"
            ),
        );
        loop {
            self.ask(ask.clone(), Wants::Code)?;
            let typed = self.lines.recv().await.ok_or(CommissionError::Left)?;
            match typed.trim() {
                "" => return Ok(None),
                "stop" | "parar" => return Err(CommissionError::Left),
                typed => {
                    if let Some(code) = Code::typed(typed) {
                        return Ok(Some(code));
                    }
                    let line = self.words("no es un código", "that is no code");
                    self.wrong(line)?;
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
