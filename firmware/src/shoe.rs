//! The shoe: reads each card as it leaves, and says when nobody may draw.

use embedded_hal::digital::{InputPin, OutputPin};
use sabot_wire::device::Device;
use sabot_wire::message::{Card, DeviceState, Observation, ShoeSaw};
use sabot_wire::ring::Memory;

use crate::debounce::{Contact, DEBOUNCE_MS};
use crate::link::{Link, Uart};

/// What passed the reader at the mouth of the shoe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passed {
    /// A card; [`Card::UNREAD`] where it could not be read.
    Card(Card),
    /// The cut card.
    CutCard,
}

/// What is wrong with the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReaderFault {
    /// It cannot read: dirt, light, a sensor that does not answer.
    Unreadable,
    /// A card is stuck in the mouth.
    Stuck,
}

/// The reader at the mouth of the shoe.
pub trait CardReader {
    /// The next card that has passed, if one has; each is given once. Returns at once.
    ///
    /// # Errors
    /// A fault, once each time it arises.
    fn passed(&mut self) -> Result<Option<Passed>, ReaderFault>;
}

/// What counts the cards in the shoe: a load cell, or a scanner along the bed.
pub trait LoadSensor {
    /// Cards put in and how many of them lie behind the cut card, once the lid has closed over them; each load is given
    /// once. Returns at once.
    fn loaded(&mut self) -> Option<Load>;
}

/// Cards put into the shoe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// Cards in the shoe.
    pub cards: u16,
    /// Cards behind the cut card.
    pub cut_card: u16,
}

/// What a shoe's board is made of. Each input is active while its pin is high.
#[derive(Debug)]
pub struct Parts<R, L, I, O> {
    /// The reader at the mouth.
    pub reader: R,
    /// What counts the cards.
    pub load: L,
    /// Active while no card lies against the gate: nothing is left to draw.
    pub gate_open: I,
    /// Active while the lid is open.
    pub lid_open: I,
    /// Active while the housing is open.
    pub housing_open: I,
    /// The lamp "do not draw": high is lit.
    pub do_not_draw: O,
    /// Milliseconds a switch must rest; [`DEBOUNCE_MS`] suits most.
    pub rest_ms: u32,
}

impl<R, L, I, O> Parts<R, L, I, O> {
    /// The usual resting time of a switch, milliseconds.
    pub const REST_MS: u32 = DEBOUNCE_MS;
}

/// A shoe.
#[derive(Debug)]
pub struct Shoe<R, L, I, O, U, M> {
    reader: R,
    load: L,
    gate_open: Contact<I>,
    lid_open: Contact<I>,
    housing_open: Contact<I>,
    do_not_draw: O,
    /// The link to the host.
    pub link: Link<U, M>,
}

impl<R, L, I, O, U, M> Shoe<R, L, I, O, U, M>
where
    R: CardReader,
    L: LoadSensor,
    I: InputPin,
    O: OutputPin,
    U: Uart,
    M: Memory,
{
    /// A shoe that has just started.
    pub fn new(parts: Parts<R, L, I, O>, uart: U, device: Device<M>) -> Self {
        Self {
            reader: parts.reader,
            load: parts.load,
            gate_open: Contact::new(parts.gate_open, parts.rest_ms),
            lid_open: Contact::new(parts.lid_open, parts.rest_ms),
            housing_open: Contact::new(parts.housing_open, parts.rest_ms),
            do_not_draw: parts.do_not_draw,
            link: Link::new(uart, device),
        }
    }

    /// One round: line in, sensors, line out, lamp. Never blocks.
    pub fn poll(&mut self, now_ms: u32) {
        self.link.receive(now_ms, |_| {});
        // Each sensor is asked only while its answer has a place; cards last, for a lid that opens stops the draw.
        while self.link.ready() {
            let Some(saw) = self.sense(now_ms) else { break };
            let kept = self.link.observe(now_ms, &saw);
            debug_assert!(kept.is_ok(), "ready promises a place");
        }
        // A lamp that cannot be switched has no other way to be told; the host sees the ring fill.
        let _ = self.do_not_draw.set_state((!self.link.ready()).into());
        self.link.transmit(now_ms);
    }

    fn sense(&mut self, now_ms: u32) -> Option<Observation> {
        if self.housing_open.poll(now_ms) == Some(true) {
            return Some(Observation::Device(DeviceState::Tamper));
        }
        if let Some(open) = self.lid_open.poll(now_ms) {
            return Some(Observation::Device(if open { DeviceState::LidOpen } else { DeviceState::LidClosed }));
        }
        if let Some(Load { cards, cut_card }) = self.load.loaded() {
            return Some(Observation::Shoe(ShoeSaw::Loaded { cards, cut_card }));
        }
        match self.reader.passed() {
            Ok(Some(Passed::Card(card))) => return Some(Observation::Shoe(ShoeSaw::Drawn(card))),
            Ok(Some(Passed::CutCard)) => return Some(Observation::Shoe(ShoeSaw::CutCard)),
            Ok(None) => {}
            Err(ReaderFault::Unreadable) => return Some(Observation::Device(DeviceState::ReadError)),
            Err(ReaderFault::Stuck) => return Some(Observation::Device(DeviceState::Jam)),
        }
        // The gate after the reader: the last card has been reported before the shoe calls itself empty.
        (self.gate_open.poll(now_ms) == Some(true)).then_some(Observation::Shoe(ShoeSaw::Empty))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{FakePin, FakeUart, Feed, Rig, device};
    use embedded_hal_mock::eh1::digital::{Mock, State, Transaction};
    use sabot_wire::message::Role;

    extern crate std;
    use std::vec::Vec;

    impl CardReader for Feed<Result<Passed, ReaderFault>> {
        fn passed(&mut self) -> Result<Option<Passed>, ReaderFault> {
            self.take().transpose()
        }
    }

    impl LoadSensor for Feed<Load> {
        fn loaded(&mut self) -> Option<Load> {
            self.take()
        }
    }

    type Mouth = Feed<Result<Passed, ReaderFault>>;
    type TestShoe = Shoe<Mouth, Feed<Load>, FakePin, FakePin, FakeUart, Vec<u8>>;

    struct Bench {
        rig: Rig,
        shoe: TestShoe,
        mouth: Mouth,
        bed: Feed<Load>,
        gate: FakePin,
        lid: FakePin,
        lamp: FakePin,
    }

    fn bench() -> Bench {
        let rig = Rig::new(Role::Shoe);
        let (mouth, bed, gate, lid, lamp) = <(Mouth, Feed<Load>, FakePin, FakePin, FakePin)>::default();
        let parts = Parts {
            reader: mouth.clone(),
            load: bed.clone(),
            gate_open: gate.clone(),
            lid_open: lid.clone(),
            housing_open: FakePin::default(),
            do_not_draw: lamp.clone(),
            rest_ms: DEBOUNCE_MS,
        };
        let shoe = Shoe::new(parts, rig.uart.clone(), device(Role::Shoe));
        Bench { rig, shoe, mouth, bed, gate, lid, lamp }
    }

    fn drawn(card: u8) -> Observation {
        Observation::Shoe(ShoeSaw::Drawn(Card::from_code(card)))
    }

    #[test]
    fn a_load_a_draw_the_cut_card_and_the_end_are_reported_in_order() {
        let Bench { mut rig, mut shoe, mouth, bed, gate, lid, .. } = bench();
        lid.0.set(true);
        rig.run(0..40, |now| shoe.poll(now));
        lid.0.set(false);
        bed.put(Load { cards: 416, cut_card: 52 });
        rig.run(40..80, |now| shoe.poll(now));
        mouth.put(Ok(Passed::Card(Card::from_code(7))));
        mouth.put(Ok(Passed::CutCard));
        mouth.put(Err(ReaderFault::Unreadable));
        mouth.put(Err(ReaderFault::Stuck));
        mouth.put(Ok(Passed::Card(Card::UNREAD)));
        gate.0.set(true);
        rig.run(80..120, |now| shoe.poll(now));
        let expected = [
            Observation::Device(DeviceState::LidOpen),
            Observation::Shoe(ShoeSaw::Loaded { cards: 416, cut_card: 52 }),
            Observation::Device(DeviceState::LidClosed),
            drawn(7),
            Observation::Shoe(ShoeSaw::CutCard),
            Observation::Device(DeviceState::ReadError),
            Observation::Device(DeviceState::Jam),
            drawn(255),
            Observation::Shoe(ShoeSaw::Empty),
        ];
        assert_eq!(rig.seen, expected);
        assert!(shoe.link.device().ring().is_empty());
    }

    #[test]
    fn with_a_full_ring_the_lamp_is_lit_the_reader_is_left_alone_and_nothing_is_dropped() {
        let Bench { mut rig, mut shoe, mouth, lamp, .. } = bench();
        (0..200).for_each(|card| mouth.put(Ok(Passed::Card(Card::from_code(card % 52)))));
        shoe.poll(0);
        let waiting = mouth.0.borrow().len();
        assert!(lamp.0.get() && !shoe.link.ready() && waiting > 0 && waiting < 200);
        rig.run(1..50, |now| shoe.poll(now));
        assert!(!lamp.0.get());
        let states = |saw: &Observation| matches!(saw, Observation::Device(_));
        let said: Vec<_> = rig.seen.iter().filter(|saw| states(saw)).take(2).cloned().collect();
        assert_eq!(said, [DeviceState::RingFull, DeviceState::RingFree].map(Observation::Device));
        rig.seen.retain(|saw| !states(saw));
        assert_eq!(rig.seen, (0..200).map(|card| drawn(card % 52)).collect::<Vec<_>>());
    }

    #[test]
    fn the_pins_of_a_shoe_are_used_as_its_board_wires_them() {
        let level = |state, times: usize| (0..times).map(move |_| Transaction::get(state)).collect::<Vec<_>>();
        let mut gate = Mock::new(&level(State::Low, 2));
        let mut lid = Mock::new(&level(State::Low, 2));
        let mut housing = Mock::new(&level(State::Low, 2));
        let mut lamp = Mock::new(&[Transaction::set(State::Low), Transaction::set(State::Low)]);
        let parts = Parts {
            reader: Mouth::default(),
            load: Feed::<Load>::default(),
            gate_open: gate.clone(),
            lid_open: lid.clone(),
            housing_open: housing.clone(),
            do_not_draw: lamp.clone(),
            rest_ms: DEBOUNCE_MS,
        };
        let mut shoe = Shoe::new(parts, Rig::new(Role::Shoe).uart, device(Role::Shoe));
        shoe.poll(0);
        shoe.poll(1);
        [&mut gate, &mut lid, &mut housing, &mut lamp].into_iter().for_each(Mock::done);
    }
}
