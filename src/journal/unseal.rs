//! A record read with its covered cards, as far as they were opened: what a reader of table logs expects.
//!
//! A line whose card is sealed waits, and all after it, until a later line opens it: a pass as a rule, a shoe where the
//! card was burned. Where none does, some card stands in its place. It may be any: nothing is found that hangs on a
//! card before it is uncovered.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::mem;

use super::reader_key::ReaderKey;
use super::seal::{BadOpening, Became, Seals, ShoeKey};
use sabot_law::table::{Card, LineNo};

/// A longer line is none of a record, and goes by as it is.
const LONGEST: u64 = 1 << 20;
const CARD: &[u8] = b"\"card\":\"??\"";

/// The card that stands for one that was never opened.
fn any_card() -> Card {
    Card::from_index(0).unwrap_or(Card::UNREAD)
}

/// Opens the covered cards of a record while its lines go by.
#[derive(Debug, Default)]
pub(super) struct Unsealer {
    seals: Seals,
    /// Lines taken.
    lines: LineNo,
    waiting: VecDeque<(LineNo, Vec<u8>)>,
    told: Vec<(LineNo, Became)>,
}

impl Unsealer {
    /// What these keys open does not wait.
    pub(super) fn with(readers: Vec<ReaderKey>, keys: Vec<ShoeKey>) -> Self {
        Self { seals: Seals::with(readers, keys), ..Self::default() }
    }

    /// Goes on after so many lines.
    pub(super) fn after(self, lines: LineNo) -> Self {
        Self { lines, ..self }
    }

    /// Takes the next line, with or without its line end; the lines that wait for nothing go to `out`.
    pub(super) fn take(&mut self, text: &[u8], mut out: impl FnMut(LineNo, &[u8])) -> Result<(), BadOpening> {
        self.lines += 1;
        self.seals.take(self.lines, text, &mut self.told)?;
        if self.waiting.is_empty() && self.told.is_empty() && !self.seals.waits(self.lines) {
            out(self.lines, text);
            return Ok(());
        }
        self.waiting.push_back((self.lines, text.to_vec()));
        self.settle();
        while let Some((line, text)) = self.waiting.pop_front_if(|(line, _)| !self.seals.waits(*line)) {
            out(line, &text);
        }
        Ok(())
    }

    /// The record has ended: what waits goes to `out`. `lost` are lines whose card the reader should know and does not.
    pub(super) fn finish(mut self, lost: &[LineNo], mut out: impl FnMut(LineNo, &[u8])) -> Seals {
        let unopened = self.seals.waiting().filter(|line| !lost.contains(line));
        self.told.extend(unopened.map(|line| (line, Became::Unopened)));
        self.settle();
        self.waiting.drain(..).for_each(|(line, text)| out(line, &text));
        self.seals
    }

    /// Writes into the lines that wait what came of their cards.
    fn settle(&mut self) {
        let Some(first) = self.waiting.front().map(|(line, _)| *line) else { return self.told.clear() };
        for (line, became) in self.told.drain(..) {
            let card = match became {
                Became::Known(card) => card,
                Became::Unopened => any_card(),
                Became::Lost => continue,
            };
            let at = line.checked_sub(first).and_then(|at| usize::try_from(at).ok());
            if let Some((_, text)) = at.and_then(|at| self.waiting.get_mut(at)) {
                name(text, card);
            }
        }
    }

    pub(super) fn seals(&self) -> &Seals {
        &self.seals
    }
}

/// Writes the card into a line that does not name it.
fn name(text: &mut Vec<u8>, card: Card) {
    if let Some(at) = memchr::memmem::find(text, CARD) {
        text.splice(at..at + CARD.len(), format!("\"card\":\"{card}\"").into_bytes());
    }
}

/// A log that is read with its covered cards opened. One that has none sealed is read as it is.
#[derive(Debug)]
pub struct Unsealed<R> {
    input: R,
    unsealer: Unsealer,
    line: Vec<u8>,
    ready: Vec<u8>,
    read: usize,
    ended: bool,
}

impl<R: BufRead> Unsealed<R> {
    /// Reads it with what the log itself opens.
    pub fn new(input: R) -> Self {
        Self::with(input, Vec::new())
    }

    /// Reads it with what these keys open, too.
    pub fn with(input: R, readers: Vec<ReaderKey>) -> Self {
        let unsealer = Unsealer::with(readers, Vec::new());
        Self { input, unsealer, line: Vec::new(), ready: Vec::new(), read: 0, ended: false }
    }

    /// Reads on after so many lines, the last of which has ended a pass.
    #[must_use]
    pub fn after(self, lines: LineNo) -> Self {
        Self { unsealer: self.unsealer.after(lines), ..self }
    }

    /// The log has ended: cards that it has not opened are any in what comes now.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        self.ended
    }

    /// Reads on until something can be given out.
    fn read_on(&mut self) -> io::Result<()> {
        self.ready.clear();
        self.read = 0;
        while self.ready.is_empty() && !self.ended {
            self.input.by_ref().take(LONGEST).read_until(b'\n', &mut self.line)?;
            let line = mem::take(&mut self.line);
            let (ready, unsealer) = (&mut self.ready, &mut self.unsealer);
            if line.is_empty() {
                self.ended = true;
                mem::take(unsealer).finish(&[], |_, text| ready.extend_from_slice(text));
            } else {
                let taken = unsealer.take(&line, |_, text| ready.extend_from_slice(text));
                taken.map_err(|why| io::Error::new(io::ErrorKind::InvalidData, why))?;
            }
        }
        Ok(())
    }
}

impl<R: BufRead> BufRead for Unsealed<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read == self.ready.len() {
            self.read_on()?;
        }
        Ok(self.ready.get(self.read..).unwrap_or_default())
    }

    fn consume(&mut self, bytes: usize) {
        self.read = (self.read + bytes).min(self.ready.len());
    }
}

impl<R: BufRead> Read for Unsealed<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(to)?;
        self.consume(read);
        Ok(read)
    }
}
