//! The dealer's keypad: what was entered, in the order in which it was entered.

use sabot_wire::device::Device;
use sabot_wire::message::{KeypadSaid, Observation};
use sabot_wire::ring::Memory;

use crate::link::{Link, Uart};

/// Where entries come from: scanned keys, badge reader and key switches put together.
pub trait Entries {
    /// Looks at the keys; called in every round, whether or not an entry has a place. Sources that keep their entries
    /// themselves need not look.
    fn scan(&mut self, now_ms: u32) {
        let _ = now_ms;
    }

    /// The next entry, if there is one; each is given once. Returns at once.
    fn next(&mut self) -> Option<KeypadSaid>;
}

/// A keypad.
#[derive(Debug)]
pub struct Keypad<E, U, M> {
    entries: E,
    /// The link to the host.
    pub link: Link<U, M>,
}

impl<E: Entries, U: Uart, M: Memory> Keypad<E, U, M> {
    /// A keypad that has just started.
    pub fn new(entries: E, uart: U, device: Device<M>) -> Self {
        Self { entries, link: Link::new(uart, device) }
    }

    /// One round: line in, entries, line out. Never blocks.
    pub fn poll(&mut self, now_ms: u32) {
        self.link.receive(now_ms, |_| {});
        self.entries.scan(now_ms);
        while self.link.ready() {
            let Some(said) = self.entries.next() else { break };
            let kept = self.link.observe(now_ms, &Observation::Keypad(said));
            debug_assert!(kept.is_ok(), "ready promises a place");
        }
        self.link.transmit(now_ms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Feed, Rig, device};
    use sabot_wire::message::Role;

    impl Entries for Feed<KeypadSaid> {
        fn next(&mut self) -> Option<KeypadSaid> {
            self.take()
        }
    }

    #[test]
    fn entries_are_reported_in_order_and_wait_while_the_line_is_busy() {
        let mut rig = Rig::new(Role::Keypad);
        let entries = Feed::default();
        let mut keypad = Keypad::new(entries.clone(), rig.uart.clone(), device(Role::Keypad));
        rig.uart.0.borrow_mut().room = 0; // nothing goes out: polling must not block
        let said = [KeypadSaid::CloseBets, KeypadSaid::Ace { box_no: 1, hand: 0, value: 11 }, KeypadSaid::EndPass];
        said.iter().for_each(|said| entries.put(said.clone()));
        rig.run(0..10, |now| keypad.poll(now));
        assert!(rig.seen.is_empty() && keypad.link.device().ring().len() == 3);
        rig.uart.0.borrow_mut().room = usize::MAX;
        rig.run(10..20, |now| keypad.poll(now));
        assert_eq!(rig.seen, said.map(Observation::Keypad));
    }
}
