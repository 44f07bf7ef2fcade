//! Chips that a reader is not sure of when a pass ends: nobody is accused of anything that they may explain.

use sabot_drivers::saw::Pad;

use super::{Observer, Table, tags};

impl Observer {
    /// What lies there was not seen: nothing that hangs on chips is judged in this pass. Said once in it of each spot.
    pub(super) fn miss(&mut self, at: Pad, table: &mut impl Table) {
        if !self.missed.contains(&at) {
            self.missed.push(at);
            self.tell(tags::missed(at), None, table);
        }
    }

    /// The pass is about to end, and with it the cards are told that were cleared by then: nobody is to be accused of
    /// what a reader was too slow to tell, nor of what was cleared over it.
    pub(super) fn miss_doubtful(&mut self, table: &mut impl Table) {
        let left_over = self.left_over(table);
        for at in self.in_doubt.iter().copied().chain(left_over).collect::<Vec<_>>() {
            self.miss(at.into(), table);
        }
    }
}
