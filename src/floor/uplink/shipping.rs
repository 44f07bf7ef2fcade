//! What was sent and not signed for yet, and what follows from a receipt. Nothing here knows the broker.

use std::collections::VecDeque;
use std::path::PathBuf;

use sabot_journal::Chain;
use sabot_law::table::LineNo;

use super::source::{Item, Position, Source, SourceError};
use crate::kept_state;
use crate::receipt::{Receipt, Told};
use crate::subjects::TableId;

/// Lines and checkpoints that may be under way.
pub(super) const WINDOW: usize = 1000;

/// Something that was sent.
struct Sent {
    epoch: u64,
    /// The line, or the lines of a checkpoint.
    at: LineNo,
    /// The place after a line; none of a checkpoint.
    line: Option<Position>,
    done: bool,
}

/// What a receipt told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Heard {
    /// More is shipped than before.
    Progress,
    /// Nothing new.
    Nothing,
    /// Lines are to be sent again.
    Again,
    /// The sink keeps another line of that number: two stations claim this table, or the record is an old copy.
    Fork(LineNo),
    /// The sink keeps a line that is not here.
    Ahead(LineNo),
    /// The sink refuses a line or a checkpoint of this record.
    Refused(String),
    /// It refuses a line that somebody else sent for this table.
    Stranger(String),
}

/// A table's record on its way.
pub(super) struct Shipping {
    table: TableId,
    source: Source,
    /// All before it is signed for.
    position: Option<Position>,
    under_way: VecDeque<Sent>,
    state: PathBuf,
    /// Nothing is sent while the sink refuses what comes next.
    pub(super) is_refused: bool,
}

/// Where it is remembered how much of a record is shipped.
pub(super) fn state_of(record: &std::path::Path) -> PathBuf {
    let mut name = record.as_os_str().to_owned();
    name.push(".uplink");
    PathBuf::from(name)
}

impl Shipping {
    pub(super) fn new(table: TableId, record: PathBuf) -> Result<Self, SourceError> {
        let state = state_of(&record);
        let position = kept_state::read(&state);
        let mut source = Source::new(record);
        source.go(position.as_ref())?;
        Ok(Self { table, source, position, under_way: VecDeque::new(), state, is_refused: false })
    }

    /// Something was sent and is not signed for.
    pub(super) fn waits(&self) -> bool {
        !self.under_way.is_empty()
    }

    /// Lines of the record that is written which are signed for.
    pub(super) fn signed_for(&self) -> LineNo {
        let written = self.source.written();
        self.position.as_ref().filter(|here| Some(here.epoch) == written).map_or(0, |here| here.line)
    }

    /// The record's file of that beginning.
    pub(super) fn file_of(&self, epoch: u64) -> Result<Option<PathBuf>, SourceError> {
        self.source.file_of(epoch)
    }

    /// What is sent next, as far as the window goes.
    pub(super) fn next(&mut self) -> Result<Option<Item>, SourceError> {
        if self.is_refused || self.under_way.len() >= WINDOW {
            return Ok(None);
        }
        let item = self.source.next()?;
        self.under_way.extend(item.as_ref().map(|item| match item {
            Item::Line { after, .. } => {
                Sent { epoch: after.epoch, at: after.line, line: Some(after.clone()), done: false }
            }
            Item::Checkpoint { epoch, size, .. } => Sent { epoch: *epoch, at: *size, line: None, done: false },
        }));
        Ok(item)
    }

    /// What was sent since the last receipt is sent again.
    pub(super) fn rewind(&mut self) -> Result<(), SourceError> {
        self.under_way.clear();
        self.is_refused = false;
        self.source.go(self.position.as_ref())
    }

    /// Takes a receipt.
    pub(super) fn take(&mut self, receipt: &Receipt) -> Result<Heard, SourceError> {
        if receipt.table != self.table {
            return Ok(Heard::Nothing);
        }
        match &receipt.told {
            Told::Kept => self.kept(receipt),
            Told::Missing => self.missing(receipt),
            Told::Refused(why) => Ok(self.refused(receipt, why)),
        }
    }

    fn sent(&self, epoch: u64, line: LineNo) -> Option<Chain> {
        let lines = self.under_way.iter().filter_map(|sent| sent.line.as_ref());
        lines.filter(|after| (after.epoch, after.line) == (epoch, line)).map(|after| after.chain).next()
    }

    fn kept(&mut self, receipt: &Receipt) -> Result<Heard, SourceError> {
        let &Receipt { epoch, line, chain, signed, .. } = receipt;
        let reached = self.position.as_ref().map_or((0, 0), |position| (position.epoch, position.line));
        if line > 0 && (epoch, line) > reached {
            match self.sent(epoch, line) {
                Some(sent) if sent == chain => {}
                Some(_) => return Ok(Heard::Fork(line)),
                // signed for before this program was started
                None => match self.source.place(epoch, line)? {
                    Some(place) if place.chain == chain => return self.forward(Position { signed, ..place }),
                    Some(_) => return Ok(Heard::Fork(line)),
                    None => return Ok(Heard::Ahead(line)),
                },
            }
        } else if self
            .position
            .as_ref()
            .is_some_and(|here| (here.epoch, here.line) == (epoch, line) && here.chain != chain)
        {
            return Ok(Heard::Fork(line));
        }
        for sent in &mut self.under_way {
            sent.done |= match sent.line {
                Some(_) => (sent.epoch, sent.at) <= (epoch, line),
                None => sent.epoch == epoch && sent.at <= signed,
            };
        }
        Ok(self.drop_done())
    }

    /// Takes away what is done, as far as nothing is left before it.
    fn drop_done(&mut self) -> Heard {
        let before = self.position.clone();
        while let Some(Sent { epoch, at, line, .. }) = self.under_way.pop_front_if(|sent| sent.done) {
            match (line, &mut self.position) {
                (Some(after), position) => {
                    // what was signed is of this record alone
                    let signed =
                        position.as_ref().filter(|here| here.epoch == after.epoch).map_or(0, |here| here.signed);
                    *position = Some(Position { signed, ..after });
                }
                (None, Some(here)) if here.epoch == epoch => here.signed = here.signed.max(at),
                (None, _) => {}
            }
        }
        if before == self.position {
            return Heard::Nothing;
        }
        self.remember();
        Heard::Progress
    }

    fn remember(&self) {
        if let Err(why) = kept_state::write(&self.state, &self.position) {
            tracing::warn!("{}: how much is shipped cannot be remembered: {why}", self.state.display());
        }
    }

    fn forward(&mut self, to: Position) -> Result<Heard, SourceError> {
        self.position = Some(to);
        self.remember();
        self.rewind()?;
        Ok(Heard::Progress)
    }

    fn missing(&mut self, receipt: &Receipt) -> Result<Heard, SourceError> {
        let &Receipt { epoch, line, chain, signed, .. } = receipt;
        let heard = self.kept(receipt)?;
        if matches!(heard, Heard::Fork(_) | Heard::Ahead(_)) {
            return Ok(heard);
        }
        // the sink may keep less than it has signed for: its store was set back
        let reached = self.position.as_ref().map_or((0, 0), |position| (position.epoch, position.line));
        if (epoch, line) < reached {
            let Some(place) = self.source.place(epoch, line)? else { return Ok(Heard::Ahead(line)) };
            if place.chain != chain {
                return Ok(Heard::Fork(line));
            }
            self.position = Some(Position { signed, ..place });
            self.remember();
        }
        self.rewind()?;
        Ok(Heard::Again)
    }

    fn refused(&mut self, receipt: &Receipt, why: &str) -> Heard {
        let is_it = |sent: &&mut Sent| {
            (sent.epoch, sent.at) == (receipt.epoch, receipt.line)
                && sent.line.as_ref().map_or(Chain::default(), |after| after.chain) == receipt.chain
        };
        let Some(sent) = self.under_way.iter_mut().find(is_it) else { return Heard::Stranger(why.to_owned()) };
        // a checkpoint that is refused holds up no line
        sent.done = sent.line.is_none();
        self.is_refused |= sent.line.is_some();
        self.drop_done();
        Heard::Refused(why.to_owned())
    }
}
