//! Readers that watch by themselves: what their records say, and when these may go.

use super::super::message::{ANY_READER, MAX_TAGS, ReplyFault, Unusable};
use super::super::records::{Sighting, sightings};
use super::super::spots::Watch;
use super::Session;

impl Session {
    /// Takes what the buffer holds: it stays there until what came of it is on disk.
    pub(super) fn records(&mut self, now: u64, data: &[u8]) -> Result<(), Unusable> {
        let records = sightings(data)?;
        let by_antenna = self.spots.iter().any(|watch| watch.antenna().is_some());
        if by_antenna && records.iter().any(|record| record.antenna.is_none()) {
            return Err(ReplyFault::NoAntenna.into());
        }
        for record in &records {
            self.sighted(now, record)?;
        }
        if let Some(reader) = self.readers.get_mut(self.turn) {
            reader.holds |= !records.is_empty();
        }
        self.evaluate(now);
        self.done(now);
        Ok(())
    }

    /// A tag was seen: on one spot, even where several antennas see it, and where it lay before if that is one of them.
    fn sighted(&mut self, now: u64, &Sighting { uid, antenna }: &Sighting) -> Result<(), Unusable> {
        let (Some(reader), antennas) = (self.readers.get_mut(self.turn), self.setup.antennas) else { return Ok(()) };
        let sees = |watch: &Watch| {
            let by = watch.antenna().is_none_or(|own| antenna.is_some_and(|byte| antennas.names(byte, own)));
            watch.reader() == reader.address && by
        };
        let mut seeing = self.spots.iter().enumerate().filter(|(_, watch)| sees(watch)).map(|(at, _)| at);
        let first = seeing.next();
        let before = first.into_iter().chain(seeing).find(|at| reader.seen.contains_key(&(*at, uid)));
        let Some(spot) = before.or(first) else { return Ok(()) };
        if reader.seen.len() >= MAX_TAGS && before.is_none() {
            return Err(Unusable::TooManyTags);
        }
        reader.seen.insert((spot, uid), now);
        Ok(())
    }

    /// Buffered: what lies on the spots is what was seen lately. Records may go once every spot of theirs is told.
    pub(super) fn evaluate(&mut self, now: u64) {
        let Some(reader) = self.readers.get_mut(self.turn) else { return };
        let hold = reader.pages.hold_ms(&self.setup);
        reader.seen.retain(|_, seen| now.saturating_sub(*seen) <= hold);
        let address = reader.address;
        let seen: Vec<(usize, u64)> = reader.seen.keys().copied().collect();
        let took_ms = now.saturating_sub(self.began_ms);
        for at in 0..self.spots.len() {
            let found: Vec<u64> = seen.iter().filter(|(spot, _)| *spot == at).map(|&(_, uid)| uid).collect();
            let Some(watch) = self.spots.get_mut(at).filter(|watch| watch.reader() == address) else { continue };
            watch.round(now, &found, took_ms);
            self.settle(now, at);
        }
        let is_told = self.spots.iter().filter(|watch| watch.reader() == address).all(Watch::is_settled);
        if let Some(reader) = self.readers.get_mut(self.turn).filter(|reader| reader.holds && is_told) {
            (reader.clear, reader.holds) = (Some((self.seq, now)), false);
        }
    }

    pub(super) fn cleared(&mut self, now: u64) {
        let Some(reader) = self.readers.get_mut(self.turn) else { return };
        if let Some((_, since)) = reader.clear.take() {
            let waited = now.saturating_sub(since);
            reader.seen.values_mut().for_each(|seen| *seen += waited);
        }
    }

    pub(super) fn overflowed(&mut self) {
        let address = self.readers.get(self.turn).map_or(ANY_READER, |reader| reader.address);
        tracing::warn!(reader = address, "the chip reader's buffer has overflowed");
    }
}
