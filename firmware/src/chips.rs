//! The chip reader: one antenna a betting spot, and cards where they carry tags.
//!
//! Chips are put down one by one and pushed about: a spot is reported once it has read the same for some milliseconds,
//! and only when it differs from what was last reported. What was last reported survives a reset beside the ring
//! ([`Reported`]), so that a power cycle repeats nothing and misses nothing that changed meanwhile.

use heapless::Vec;
use sabot_wire::device::Device;
use sabot_wire::frame::crc32c;
use sabot_wire::message::{BetSpot, Chip, ChipsSaw, DeviceState, Face, MAX_CHIPS, Observation, Place};
use sabot_wire::ring::Memory;

use crate::link::{Link, Uart};

/// Milliseconds a spot must read the same, where nothing else is configured.
pub const SETTLE_MS: u32 = 150;

/// A betting spot with an antenna.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// Betting box, from 1.
    pub box_no: u8,
    /// Hand within the box, from 0.
    pub hand: u8,
    /// Spot within the box.
    pub spot: BetSpot,
}

/// An antenna did not answer, or read garbage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadFault;

/// What the antennas for tagged cards have seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardSighting {
    /// A card came to lie at a place.
    Arrived(Place, Option<Face>),
    /// A covered card was turned up.
    Turned(Place),
    /// Cards left one place for another; none: all of them.
    Moved {
        /// Where they lay.
        from: Place,
        /// Where they lie.
        to: Place,
        /// How many; none: all of them.
        cards: Option<u8>,
    },
}

/// The antennas under the felt.
pub trait ChipAntenna {
    /// Goes on reading; called in every round. Antennas that read by themselves need nothing of it.
    fn scan(&mut self, now_ms: u32) {
        let _ = now_ms;
    }

    /// Whether there is a whole inventory of the `index`th spot since it was last asked for. Antennas that always have
    /// one say so.
    fn fresh(&mut self, index: usize) -> bool {
        let _ = index;
        true
    }

    /// Puts every chip on the `index`th spot into `chips`, which is empty. Returns at once: a slow reader gives its
    /// last whole inventory.
    ///
    /// # Errors
    /// When the antenna did not answer or read garbage.
    fn chips(&mut self, index: usize, chips: &mut Vec<Chip, MAX_CHIPS>) -> Result<(), ReadFault>;

    /// The next thing seen of tagged cards, each once. A felt without card antennas sees none.
    fn card(&mut self) -> Option<CardSighting> {
        None
    }
}

impl<A: ChipAntenna + ?Sized> ChipAntenna for &mut A {
    fn scan(&mut self, now_ms: u32) {
        (**self).scan(now_ms);
    }

    fn fresh(&mut self, index: usize) -> bool {
        (**self).fresh(index)
    }

    fn chips(&mut self, index: usize, chips: &mut Vec<Chip, MAX_CHIPS>) -> Result<(), ReadFault> {
        (**self).chips(index, chips)
    }

    fn card(&mut self) -> Option<CardSighting> {
        (**self).card()
    }
}

/// What lies on a spot, short enough to keep for every spot: 64 bits that differ where the chips do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Print {
    sum: u32,
    crc: u32,
}

impl Print {
    /// Of chips in the order of their UIDs.
    fn of(chips: &[Chip]) -> Self {
        let mut print = Self::default();
        for chip in chips {
            let mut bytes = [0; 16];
            bytes[..4].copy_from_slice(&print.crc.to_le_bytes());
            bytes[4..12].copy_from_slice(&chip.uid.to_le_bytes());
            bytes[12..].copy_from_slice(&chip.value.to_le_bytes());
            print.crc = crc32c(&bytes);
            // of the identifiers too: chips of one value differ in nothing else
            print.sum = print.sum.rotate_left(5) ^ chip.value ^ (chip.uid as u32) ^ ((chip.uid >> 32) as u32);
        }
        print
    }
}

/// What was last reported of each of `N` spots: plain data to be kept beside the ring through a reset.
#[derive(Debug, Clone)]
pub struct Reported<const N: usize> {
    prints: [Print; N],
    check: u32,
}

impl<const N: usize> Reported<N> {
    /// Every spot empty: a reader that starts for the first time.
    #[must_use]
    pub fn nothing() -> Self {
        let mut fresh = Self { prints: [Print::default(); N], check: 0 };
        fresh.check = fresh.reckon();
        fresh
    }

    /// This, or nothing where it does not hold together.
    #[must_use]
    pub fn restore(self) -> Self {
        if self.check == self.reckon() { self } else { Self::nothing() }
    }

    /// Copies this over another, without a third on the way.
    pub fn copy_to(&self, other: &mut Self) {
        other.prints.copy_from_slice(&self.prints);
        other.check = self.check;
    }

    fn reckon(&self) -> u32 {
        let mut check = 0;
        for print in &self.prints {
            let mut bytes = [0; 12];
            bytes[..4].copy_from_slice(&u32::to_le_bytes(check));
            bytes[4..8].copy_from_slice(&print.sum.to_le_bytes());
            bytes[8..].copy_from_slice(&print.crc.to_le_bytes());
            check = crc32c(&bytes);
        }
        check
    }

    fn set(&mut self, index: usize, print: Print) {
        if let Some(place) = self.prints.get_mut(index) {
            *place = print;
        }
        self.check = self.reckon();
    }
}

/// What a spot reads now and since when, where that differs from what was reported.
#[derive(Debug, Clone, Copy, Default)]
struct Changing {
    print: Print,
    since_ms: u32,
}

/// A chip reader with `N` spots.
#[derive(Debug)]
pub struct ChipReader<A, U, M, const N: usize> {
    antenna: A,
    spots: [Spot; N],
    settle_ms: u32,
    reported: Reported<N>,
    changing: [Changing; N],
    /// Spots that did not answer when last read.
    faults: [bool; N],
    /// Spots that read otherwise than was reported.
    differs: [bool; N],
    /// Spot to look at next: each gets its turn, however many change.
    turn: usize,
    /// The link to the host.
    pub link: Link<U, M>,
}

impl<A: ChipAntenna, U: Uart, M: Memory, const N: usize> ChipReader<A, U, M, N> {
    /// A reader that has just started. `reported` comes from before a reset, or is [`Reported::nothing`].
    // inlined: what it returns would else lie on a board's stack twice while it is put together
    #[inline(always)]
    pub fn new(
        antenna: A,
        spots: [Spot; N],
        settle_ms: u32,
        reported: Reported<N>,
        uart: U,
        device: Device<M>,
    ) -> Self {
        Self {
            antenna,
            spots,
            settle_ms,
            reported: reported.restore(),
            changing: [Changing::default(); N],
            differs: [false; N],
            faults: [false; N],
            turn: 0,
            link: Link::new(uart, device),
        }
    }

    /// One round: line in, every antenna once, line out. Never blocks.
    pub fn poll(&mut self, now_ms: u32) {
        self.link.receive(now_ms, |_| {});
        while self.link.ready() {
            let Some(saw) = self.antenna.card() else { break };
            self.observe(now_ms, &Observation::Chips(card(saw)));
        }
        self.antenna.scan(now_ms);
        for _ in 0..N {
            if !self.link.ready() {
                break; // this spot's turn comes when the ring has room
            }
            if self.antenna.fresh(self.turn) {
                self.look(now_ms, self.turn);
            }
            self.turn = (self.turn + 1) % N;
        }
        self.link.transmit(now_ms);
    }

    // never inlined: what it needs of the stack is not needed by what the loop calls beside it
    #[inline(never)]
    fn look(&mut self, now_ms: u32, index: usize) {
        let (Some(Spot { box_no, hand, spot }), Some(before)) =
            (self.spots.get(index).copied(), self.reported.prints.get(index).copied())
        else {
            return;
        };
        // read into the report itself: there is one copy of what may be twenty chips
        let mut report = Observation::Chips(ChipsSaw::Spot { box_no, hand, spot, chips: Vec::new() });
        let Observation::Chips(ChipsSaw::Spot { chips, .. }) = &mut report else { return };
        let read = self.antenna.chips(index, chips);
        let print = Print::of(sorted(chips));
        let (Some(changing), Some(differs), Some(fault)) =
            (self.changing.get_mut(index), self.differs.get_mut(index), self.faults.get_mut(index))
        else {
            return;
        };
        let news = read.is_err() && !*fault;
        *fault = read.is_err();
        if read.is_err() {
            if news {
                self.observe(now_ms, &Observation::Device(DeviceState::ReadError));
            }
            return;
        }
        let same = *differs && changing.print == print;
        *differs = print != before;
        if !same {
            *changing = Changing { print, since_ms: now_ms };
        }
        if !*differs || now_ms.wrapping_sub(changing.since_ms) < self.settle_ms {
            return;
        }
        *differs = false;
        self.observe(now_ms, &report);
        // after the ring: a reset between the two reports the spot twice rather than never
        self.reported.set(index, print);
    }

    fn observe(&mut self, now_ms: u32, saw: &Observation) {
        let kept = self.link.observe(now_ms, saw);
        debug_assert!(kept.is_ok(), "ready promises a place");
    }

    /// What was last reported of every spot, to be kept through a reset.
    pub const fn reported(&self) -> &Reported<N> {
        &self.reported
    }

    /// The link and what was last reported, as a power cycle leaves them.
    pub fn into_parts(self) -> (Link<U, M>, Reported<N>) {
        (self.link, self.reported)
    }
}

/// The chips in the order of their UIDs. They are few, and a board's memory is small: the plainest way.
fn sorted(chips: &mut [Chip]) -> &[Chip] {
    for end in 1..chips.len() {
        for at in (1..=end).rev() {
            if let Some([a, b]) = chips.get_mut(at - 1..=at)
                && a.uid > b.uid
            {
                core::mem::swap(a, b);
            }
        }
    }
    chips
}

const fn card(saw: CardSighting) -> ChipsSaw {
    match saw {
        CardSighting::Arrived(place, face) => ChipsSaw::CardArrived { place, face },
        CardSighting::Turned(place) => ChipsSaw::CardTurned { place },
        CardSighting::Moved { from, to, cards } => ChipsSaw::CardsMoved { from, to, cards },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{FakeUart, Feed, Rig, device};
    use sabot_wire::message::Role;

    extern crate std;
    use std::cell::RefCell;
    use std::rc::Rc;

    type Lies = Result<Vec<Chip, MAX_CHIPS>, ReadFault>;

    #[derive(Clone)]
    struct Felt {
        spots: Rc<RefCell<[Lies; 2]>>,
        cards: Feed<CardSighting>,
    }

    impl ChipAntenna for Felt {
        fn chips(&mut self, index: usize, chips: &mut Vec<Chip, MAX_CHIPS>) -> Result<(), ReadFault> {
            self.spots.borrow()[index].clone().map(|lies| *chips = lies)
        }

        fn card(&mut self) -> Option<CardSighting> {
            self.cards.take()
        }
    }

    impl Felt {
        fn new() -> Self {
            Self { spots: Rc::new(RefCell::new([Ok(Vec::new()), Ok(Vec::new())])), cards: Feed::default() }
        }

        fn lies(&self, index: usize, uids: &[u64]) {
            self.spots.borrow_mut()[index] = Ok(chips(uids));
        }
    }

    const SPOTS: [Spot; 2] =
        [Spot { box_no: 1, hand: 0, spot: BetSpot::Main }, Spot { box_no: 2, hand: 0, spot: BetSpot::Main }];

    fn chips(uids: &[u64]) -> Vec<Chip, MAX_CHIPS> {
        uids.iter().map(|uid| Chip { uid: *uid, value: 500 }).collect()
    }

    fn spot(box_no: u8, uids: &[u64]) -> Observation {
        Observation::Chips(ChipsSaw::Spot { box_no, hand: 0, spot: BetSpot::Main, chips: chips(uids) })
    }

    type Reader = ChipReader<Felt, FakeUart, std::vec::Vec<u8>, 2>;

    fn reader(felt: &Felt, rig: &Rig, reported: Reported<2>) -> Reader {
        ChipReader::new(felt.clone(), SPOTS, 100, reported, rig.uart.clone(), device(Role::Chips))
    }

    #[test]
    fn a_spot_is_reported_once_and_only_when_it_has_stopped_changing() {
        let (mut rig, felt) = (Rig::new(Role::Chips), Felt::new());
        let mut reader = reader(&felt, &rig, Reported::nothing());
        rig.run(0..50, |now| reader.poll(now));
        felt.lies(0, &[9]);
        rig.run(50..140, |now| reader.poll(now));
        felt.lies(0, &[9, 4]);
        rig.run(140..230, |now| reader.poll(now));
        assert_eq!(rig.seen, [], "it has not rested yet");
        rig.run(230..300, |now| reader.poll(now));
        felt.lies(0, &[4, 9]); // pushed about: the same chips
        rig.run(300..500, |now| reader.poll(now));
        assert_eq!(rig.seen, [spot(1, &[4, 9])]);
        felt.lies(0, &[]);
        rig.run(500..700, |now| reader.poll(now));
        assert_eq!(rig.seen[1..], [spot(1, &[])]);
    }

    #[test]
    fn chips_lifted_and_put_back_before_they_rest_are_no_event() {
        let (mut rig, felt) = (Rig::new(Role::Chips), Felt::new());
        let mut reader = reader(&felt, &rig, Reported::nothing());
        felt.lies(1, &[1]);
        rig.run(0..150, |now| reader.poll(now));
        felt.lies(1, &[]);
        rig.run(150..200, |now| reader.poll(now));
        felt.lies(1, &[1]);
        rig.run(200..400, |now| reader.poll(now));
        assert_eq!(rig.seen, [spot(2, &[1])]);
    }

    #[test]
    fn after_a_reset_only_what_changed_is_reported_and_a_damaged_memory_counts_as_none() {
        let (mut rig, felt) = (Rig::new(Role::Chips), Felt::new());
        let mut first = reader(&felt, &rig, Reported::nothing());
        felt.lies(0, &[1]);
        felt.lies(1, &[2]);
        rig.run(0..150, |now| first.poll(now));
        let mut reported = first.into_parts().1;
        for (damaged, expected) in [(false, std::vec![spot(2, &[3])]), (true, std::vec![spot(1, &[1]), spot(2, &[3])])]
        {
            if damaged {
                reported.prints[0].sum ^= 1;
            }
            let mut rig = Rig::new(Role::Chips);
            let mut second = reader(&felt, &rig, reported.clone());
            felt.lies(1, &[3]);
            rig.run(0..150, |now| second.poll(now));
            assert_eq!(rig.seen, expected);
        }
    }

    #[test]
    fn an_antenna_that_does_not_answer_is_reported_once_and_never_as_an_empty_spot() {
        let (mut rig, felt) = (Rig::new(Role::Chips), Felt::new());
        let mut reader = reader(&felt, &rig, Reported::nothing());
        felt.lies(0, &[1]);
        rig.run(0..150, |now| reader.poll(now));
        felt.spots.borrow_mut()[0] = Err(ReadFault);
        rig.run(150..400, |now| reader.poll(now));
        felt.lies(0, &[1]);
        rig.run(400..600, |now| reader.poll(now));
        assert_eq!(rig.seen, [spot(1, &[1]), Observation::Device(DeviceState::ReadError)]);
    }

    #[test]
    fn tagged_cards_are_reported_as_the_antennas_see_them() {
        let (mut rig, felt) = (Rig::new(Role::Chips), Felt::new());
        let mut reader = reader(&felt, &rig, Reported::nothing());
        felt.cards.put(CardSighting::Arrived(Place::Bank, Some(Face::Down)));
        felt.cards.put(CardSighting::Turned(Place::Bank));
        felt.cards.put(CardSighting::Moved { from: Place::Bank, to: Place::Discard, cards: None });
        rig.run(0..10, |now| reader.poll(now));
        let expected = [
            ChipsSaw::CardArrived { place: Place::Bank, face: Some(Face::Down) },
            ChipsSaw::CardTurned { place: Place::Bank },
            ChipsSaw::CardsMoved { from: Place::Bank, to: Place::Discard, cards: None },
        ];
        assert_eq!(rig.seen, expected.map(Observation::Chips));
    }
}
