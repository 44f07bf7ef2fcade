//! The box on a shuffler: its dry contacts and its card counter.

use embedded_hal::digital::InputPin;
use sabot_wire::device::Device;
use sabot_wire::message::{Observation, ShufflerSaw};
use sabot_wire::ring::Memory;

use crate::debounce::Contact;
use crate::link::{Link, Uart};

/// The shuffler's card counter and deck selector.
pub trait CardCounter {
    /// Cards counted since it was last asked. Counted in hardware: pulses are shorter than a poll.
    fn counted(&mut self) -> u16;
    /// Decks the machine is set to.
    fn decks(&mut self) -> u8;
}

/// What a shuffler's box is made of. Each contact is active while its pin is high.
#[derive(Debug)]
pub struct Parts<C, I> {
    /// Card counter and deck selector.
    pub counter: C,
    /// Active while the door is open.
    pub door_open: I,
    /// Active while the machine rests and can be used; inactive while it shuffles.
    pub ready: I,
    /// Active while the machine has stopped by itself.
    pub fault: I,
    /// Milliseconds a contact must rest.
    pub rest_ms: u32,
}

/// A shuffler's box.
#[derive(Debug)]
pub struct Shuffler<C, I, U, M> {
    counter: C,
    door_open: Contact<I>,
    ready: Contact<I>,
    fault: Contact<I>,
    /// Cards of the shuffle under way.
    cards: u16,
    /// The link to the host.
    pub link: Link<U, M>,
}

impl<C, I, U, M> Shuffler<C, I, U, M>
where
    C: CardCounter,
    I: InputPin,
    U: Uart,
    M: Memory,
{
    /// A box that has just started.
    pub fn new(parts: Parts<C, I>, uart: U, device: Device<M>) -> Self {
        Self {
            counter: parts.counter,
            door_open: Contact::new(parts.door_open, parts.rest_ms),
            ready: Contact::new_active(parts.ready, parts.rest_ms),
            fault: Contact::new(parts.fault, parts.rest_ms),
            cards: 0,
            link: Link::new(uart, device),
        }
    }

    /// One round: line in, contacts, line out. Never blocks.
    pub fn poll(&mut self, now_ms: u32) {
        self.link.receive(now_ms, |_| {});
        self.cards = self.cards.saturating_add(self.counter.counted());
        while self.link.ready() {
            let Some(saw) = self.sense(now_ms) else { break };
            let kept = self.link.observe(now_ms, &Observation::Shuffler(saw));
            debug_assert!(kept.is_ok(), "ready promises a place");
        }
        self.link.transmit(now_ms);
    }

    fn sense(&mut self, now_ms: u32) -> Option<ShufflerSaw> {
        if self.fault.poll(now_ms) == Some(true) {
            return Some(ShufflerSaw::Jam);
        }
        if let Some(open) = self.door_open.poll(now_ms) {
            return Some(if open { ShufflerSaw::DoorOpen } else { ShufflerSaw::DoorClosed });
        }
        match self.ready.poll(now_ms) {
            // A machine that becomes ready without a card counted has only been switched on or set.
            Some(true) if self.cards > 0 => {
                Some(ShufflerSaw::Done { decks: self.counter.decks(), cards: core::mem::take(&mut self.cards) })
            }
            // What was counted before a shuffle began is not of it.
            Some(false) => {
                self.cards = 0;
                None
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{FakePin, Feed, Rig, device};
    use sabot_wire::message::Role;

    impl CardCounter for Feed<u16> {
        fn counted(&mut self) -> u16 {
            self.take().unwrap_or_default()
        }

        fn decks(&mut self) -> u8 {
            8
        }
    }

    #[test]
    fn a_shuffle_is_what_was_counted_between_leaving_ready_and_being_ready_again() {
        let mut rig = Rig::new(Role::Shuffler);
        let (counter, door, ready, fault) = <(Feed<u16>, FakePin, FakePin, FakePin)>::default();
        ready.0.set(true);
        let parts = Parts {
            counter: counter.clone(),
            door_open: door.clone(),
            ready: ready.clone(),
            fault: fault.clone(),
            rest_ms: 5,
        };
        let mut shuffler = Shuffler::new(parts, rig.uart.clone(), device(Role::Shuffler));
        counter.put(3); // somebody tries the counter before the shuffle
        rig.run(0..10, |now| shuffler.poll(now));
        ready.0.set(false);
        rig.run(10..20, |now| shuffler.poll(now));
        (0..4).for_each(|_| counter.put(104));
        rig.run(20..22, |now| shuffler.poll(now));
        ready.0.set(true); // the contact bounces
        rig.run(22..24, |now| shuffler.poll(now));
        ready.0.set(false);
        rig.run(24..26, |now| shuffler.poll(now));
        ready.0.set(true);
        rig.run(26..40, |now| shuffler.poll(now));
        fault.0.set(true);
        door.0.set(true);
        rig.run(40..50, |now| shuffler.poll(now));
        fault.0.set(false);
        door.0.set(false);
        rig.run(50..60, |now| shuffler.poll(now));
        ready.0.set(false);
        rig.run(60..70, |now| shuffler.poll(now));
        ready.0.set(true); // set to other decks: nothing was counted, nothing was shuffled
        rig.run(70..80, |now| shuffler.poll(now));
        let expected = [
            ShufflerSaw::Done { decks: 8, cards: 416 },
            ShufflerSaw::Jam,
            ShufflerSaw::DoorOpen,
            ShufflerSaw::DoorClosed,
        ];
        assert_eq!(rig.seen, expected.map(Observation::Shuffler));
    }
}
