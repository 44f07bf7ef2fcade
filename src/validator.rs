//! Holds events against a regulation: one event in, answers out.
//!
//! No clock, no randomness, no I/O: the same events give the same answers everywhere.

use alloc::vec::Vec;

use crate::table::{Answer, BetSpot, Cents, Event, Felt, HandId, Header, LineNo};

/// A table under a regulation.
#[derive(Debug)]
pub struct Validator {
    header: Header,
}

/// A regulation this crate does not know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no regulation `{0}`")]
pub struct UnknownRegulation(pub crate::table::Name);

impl Validator {
    /// A table as its log begins.
    ///
    /// # Errors
    /// When the header names a regulation this crate does not know.
    pub fn new(header: Header) -> Result<Self, UnknownRegulation> {
        Ok(Self { header })
    }

    /// The header.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Takes one event, the one on `line`, and adds what is answered.
    pub fn step(&mut self, _line: LineNo, _event: &Event, _answers: &mut Vec<Answer>) {}

    /// The log has ended: adds the summary.
    pub fn finish(&mut self, _answers: &mut Vec<Answer>) {}

    /// The felt as anyone may see it, and what is due.
    #[must_use]
    pub fn felt(&self) -> Felt {
        Felt::default()
    }

    /// What now lies on a spot, as the events so far say.
    #[must_use]
    pub fn on_spot(&self, _hand: HandId, _spot: BetSpot) -> Cents {
        0
    }
}
