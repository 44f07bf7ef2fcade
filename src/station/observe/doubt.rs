//! Chips that a reader is not sure of: nobody is accused of anything that they may explain.
//!
//! While a reader is not sure of one stack, another may be read that was paid or collected after it. What would be
//! found of that waits, seconds, until the first is read, and is told after it. Where that takes too long, or something
//! else happens that must not wait, the first was not seen.

use sabot_drivers::saw::{Pad, Stake};
use sabot_law::table::event::Kind;
use sabot_law::table::{Event, LineNo, Name, Sight};
use sabot_wire::message as wire;

use super::{Observer, Table, entries, tags, timeline};
use crate::placement::is_before;
use crate::sourced_event::EventSource;
use sabot_journal::SeenAt;

/// So long at the most a stack waits for those in doubt, milliseconds.
const DOUBT_WAIT_MS: u64 = 10_000;

/// An advance to the bank, as it was told.
#[derive(Debug)]
pub(super) struct Advance {
    line: LineNo,
    event: Event,
    seen: Option<SeenAt>,
}

/// A stack that was read, and waits.
#[derive(Debug)]
pub(super) struct Waiting {
    at: Stake,
    chips: Vec<wire::Chip>,
    source: EventSource,
    until: u64,
    /// Its own reader is in doubt again.
    in_doubt_since: bool,
}

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
        self.miss_in_doubt(table);
        left_over.into_iter().for_each(|at| self.miss(at.into(), table));
    }

    /// What lies at the spots of which a reader is not sure was not seen.
    fn miss_in_doubt(&mut self, table: &mut impl Table) {
        self.in_doubt.clone().into_iter().for_each(|at| self.miss(at.into(), table));
    }

    /// A reader is not sure of a spot.
    pub(super) fn doubts(&mut self, at: Stake) {
        self.in_doubt.push(at);
        self.waiting.iter_mut().filter(|waiting| waiting.at == at).for_each(|waiting| waiting.in_doubt_since = true);
    }

    /// An advance is about to be told that something is found of: chips may have been paid before it of which a reader
    /// is not sure, and has not said so yet.
    pub(super) fn note_advance(&mut self, event: &Event, seen: Option<SeenAt>, table: &impl Table) {
        if matches!(event, Event::Share { .. }) && table.would_find(event) {
            self.advances.push(Advance { line: table.line() + 1, event: event.clone(), seen });
        }
    }

    /// A reader says that it has not been sure since then: what is found of advances since is not known, and they are
    /// told anew after that, where the house lets the station do so.
    pub(super) fn explains_advances(&mut self, since: Option<SeenAt>, table: &mut impl Table) {
        if !table.may_correct(timeline::STATION) {
            return;
        }
        let is_since = |advance: &mut Advance| !is_before(advance.seen, since, 0);
        let advances: Vec<Advance> = self.advances.extract_if(.., is_since).collect();
        if advances.is_empty() {
            return;
        }
        self.miss_in_doubt(table);
        let station = || Name::new_static(timeline::STATION);
        let missed = table.line();
        for Advance { line, event, .. } in advances {
            let (by, role) = (station(), station());
            self.tell(Event::Correct { by, role, line: Some(line), after: None, event: None }, None, table);
            let (by, role, event) = (station(), station(), Some(Box::new(event)));
            self.tell(Event::Correct { by, role, line: None, after: Some(missed), event }, None, table);
        }
    }

    /// When a stack has waited long enough.
    pub(super) fn waits_until(&self) -> Option<u64> {
        self.waiting.iter().map(|waiting| waiting.until).min()
    }

    /// All chips that now lie on a spot: told now, or once it is known what lies at others.
    pub(super) fn stack_in_turn(
        &mut self,
        at: Stake,
        chips: &[wire::Chip],
        source: EventSource,
        now: u64,
        table: &mut impl Table,
    ) {
        let has_waiting = self.waiting.iter().any(|waiting| waiting.at == at);
        if has_waiting || self.hangs_on_doubt(at, chips, &source, table) {
            let (chips, until) = (chips.to_vec(), now + DOUBT_WAIT_MS);
            self.waiting.push(Waiting { at, chips, source, until, in_doubt_since: false });
        } else {
            self.stack(at, chips, source.seen, source, now, table);
        }
        self.tell_waiting(now, table);
    }

    /// Whether something would be found of these chips that others may explain of which a reader is not sure.
    fn hangs_on_doubt(&self, at: Stake, chips: &[wire::Chip], source: &EventSource, table: &impl Table) -> bool {
        let may_explain = |other: &Stake| *other != at && !self.missed.contains(&Pad::Stake(*other));
        if !self.in_doubt.iter().any(may_explain) {
            return false;
        }
        let Ok(hand) = entries::hand(at.box_no, at.hand, self.header.boxes) else { return false };
        let event = self.means((at, hand), chips, &self.was(at, hand, table), source.seen, table);
        match meant(&event).kind() {
            Kind::Pay | Kind::Collect => table.would_find(&event),
            // of a shared pad nothing was seen, as something would be found whose ever it is
            _ => event == tags::missed(at.into()),
        }
    }

    /// Tells the stacks that wait no longer, in the order in which they were read; after `now` none waits any more.
    pub(super) fn tell_waiting(&mut self, now: u64, table: &mut impl Table) {
        if self.waits_until().is_some_and(|until| until <= now) {
            return self.wait_no_longer(now, table);
        }
        let may_go = |observer: &Self, nth: usize, table: &_| {
            let Waiting { at, chips, source, .. } = &observer.waiting[nth];
            let is_first = observer.waiting[..nth].iter().all(|waiting| waiting.at != *at);
            is_first && !observer.hangs_on_doubt(*at, chips, source, table)
        };
        while let Some(nth) = (0..self.waiting.len()).find(|nth| may_go(self, *nth, table)) {
            let waiting = self.waiting.remove(nth);
            self.tell_waited(waiting, now, table);
        }
    }

    /// Tells all stacks that wait. What they hang on was not seen.
    fn wait_no_longer(&mut self, now: u64, table: &mut impl Table) {
        for waiting in std::mem::take(&mut self.waiting) {
            if self.hangs_on_doubt(waiting.at, &waiting.chips, &waiting.source, table) {
                self.miss_in_doubt(table);
            }
            self.tell_waited(waiting, now, table);
        }
    }

    fn tell_waited(&mut self, waiting: Waiting, now: u64, table: &mut impl Table) {
        let Waiting { at, chips, source, in_doubt_since, .. } = waiting;
        self.stack(at, &chips, source.seen, source, now, table);
        if in_doubt_since {
            self.in_doubt.push(at);
        }
    }

    /// What must be told before something that is no chips: stacks that wait. Where somebody advances more to the bank
    /// and chips in doubt may be what it paid, they were not seen.
    pub(super) fn tell_before(&mut self, event: &Event, table: &mut impl Table) {
        let told = meant(event);
        if matches!(told.sight(), Some(Sight::Bets)) || matches!(told, Event::Device { .. }) {
            return;
        }
        if !self.waiting.is_empty() {
            let now = self.waiting.iter().map(|waiting| waiting.until - DOUBT_WAIT_MS).max().unwrap_or_default();
            self.wait_no_longer(now, table);
        }
        if matches!(event, Event::Share { .. }) && !self.in_doubt.is_empty() && table.would_find(event) {
            self.miss_in_doubt(table);
        }
    }
}

/// What an event tells, where the station puts it into its place.
fn meant(event: &Event) -> &Event {
    match event {
        Event::Correct { role, event: Some(event), .. } if role == timeline::STATION => event,
        event => event,
    }
}
