//! What becomes of an answer that says nothing, or does not come.

use super::super::message::{ANY_READER, Unusable};
use super::{LATE_MS, QUICK_MS, Session, State, Step, named};
use crate::link::machine::SessionReport;
use crate::saw::{TagsSaw, Unreadable};

/// Without an answer for so long the reader is gone, milliseconds…
pub(super) const SILENCE_MS: u64 = 900;
/// … and as many requests.
const MISSES: u32 = 3;
/// Faults in a row after which its spots are not known any more, …
pub(super) const FAULTS: u32 = 5;
/// … where they go on for so long, milliseconds: on a bad cable five damaged answers take a quarter of that.
const UNREAD_MS: u64 = 1500;

impl Session {
    pub(super) fn unusable(&mut self, now: u64, why: Unusable) {
        if matches!(why, Unusable::Reply(_)) {
            self.counters.bad_frames += 1;
        }
        if self.state != State::Online {
            // not as a reader should answer the first question: asked again, no sooner than it would time out
            (self.turn, self.step) = (0, Step::Info);
            self.advice.clear();
            self.next_ms = now + QUICK_MS;
            return;
        }
        self.fault(now, &why.to_string());
        self.pass_on(now);
    }

    /// The reader whose turn it is has not read. Where it goes on so, what lies on its spots is not known.
    pub(super) fn fault(&mut self, now: u64, why: &str) {
        let Some(reader) = self.readers.get_mut(self.turn) else { return };
        if reader.faults == 0 {
            reader.faults_since = now;
        }
        reader.faults = reader.faults.saturating_add(1);
        reader.reset = reader.ont;
        let goes_on = reader.faults >= FAULTS && now.saturating_sub(reader.faults_since) >= UNREAD_MS;
        if !goes_on || std::mem::replace(&mut reader.is_unread, true) {
            return;
        }
        let address = reader.address;
        tracing::warn!(reader = address, why, "the chip reader cannot read");
        let of_it = self.spots.iter_mut().filter(|watch| watch.reader() == address);
        let told: Vec<TagsSaw> = of_it.filter_map(|watch| watch.unreadable(Unreadable::Reader)).collect();
        told.into_iter().for_each(|saw| self.saw(now, 0, saw));
    }

    /// The request was not answered, or not so that it could be understood.
    pub(super) fn missed(&mut self, now: u64, is_damaged: bool) {
        let pause_ms = if is_damaged { self.setup.timing.gap_ms + self.setup.timing.idle_ms } else { LATE_MS };
        let next_ms = now + pause_ms;
        self.awaiting = None;
        self.counters.gaps += 1;
        self.next_ms = next_ms;
        let online = self.state == State::Online;
        let Some(reader) = self.readers.get_mut(self.turn) else { return };
        reader.misses += 1;
        let misses = reader.misses;
        let silent = now.saturating_sub(reader.good_ms);
        if online && misses >= MISSES && silent >= SILENCE_MS {
            let address = reader.address;
            let which = if address == ANY_READER { String::new() } else { format!(" of reader{}", named(address)) };
            let why = format!("no sound answer{which} for {silent} ms, though the line is open: check power and cable");
            self.said.push_back(SessionReport::Silent(why));
            self.ask(now);
            self.next_ms = next_ms;
        } else if online {
            // what is not read in the reader's own time is a fault of its field; one that is there says so at once
            if self.step != Step::Alive {
                self.fault(now, if is_damaged { "damaged answers" } else { "no answer in its own time" });
            }
            self.begin(now, self.turn);
            if !is_damaged || misses > 1 {
                self.step = Step::Alive;
            }
        } else if misses >= MISSES {
            reader.misses = 0;
            (self.turn, self.step) = (0, Step::Info);
        }
        // otherwise the same question again: on a line with faults nine in a row are seldom answered
    }
}
