//! Switches and contacts that bounce.

use embedded_hal::digital::InputPin;

/// Milliseconds a contact must rest before it counts, where nothing else is configured.
pub const DEBOUNCE_MS: u32 = 20;

/// A contact behind a pin. It counts as changed once it has rested in its new position for some milliseconds.
#[derive(Debug)]
pub struct Contact<P> {
    pin: P,
    rest_ms: u32,
    /// What was last reported.
    active: bool,
    /// Since when it reads otherwise.
    changing_since_ms: Option<u32>,
}

impl<P: InputPin> Contact<P> {
    /// A contact that is active while its pin is high and counts as inactive until it has been read: one that is active
    /// from the start is a change.
    #[must_use]
    pub const fn new(pin: P, rest_ms: u32) -> Self {
        Self { pin, rest_ms, active: false, changing_since_ms: None }
    }

    /// A contact like [`Contact::new`] that counts as active until it has been read.
    #[must_use]
    pub const fn new_active(pin: P, rest_ms: u32) -> Self {
        Self { pin, rest_ms, active: true, changing_since_ms: None }
    }

    /// The new position, once, when it has rested there. A pin that cannot be read has not changed.
    pub fn poll(&mut self, now_ms: u32) -> Option<bool> {
        let Ok(high) = self.pin.is_high() else { return None };
        if high == self.active {
            self.changing_since_ms = None;
            return None;
        }
        let since = *self.changing_since_ms.get_or_insert(now_ms);
        if now_ms.wrapping_sub(since) < self.rest_ms {
            return None;
        }
        self.changing_since_ms = None;
        self.active = high;
        Some(high)
    }

    /// The position last reported.
    #[must_use]
    pub const fn active(&self) -> bool {
        self.active
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use embedded_hal_mock::eh1::digital::{Mock, State, Transaction};

    fn read(contact: &mut Contact<Mock>, times_ms: &[u32]) -> std::vec::Vec<Option<bool>> {
        times_ms.iter().map(|now| contact.poll(*now)).collect()
    }

    extern crate std;

    #[test]
    fn a_bounce_is_no_change_and_a_rest_is_exactly_one() {
        use State::{High, Low};
        let levels = [High, Low, High, High, High, High];
        let expected: std::vec::Vec<_> = levels.into_iter().map(Transaction::get).collect();
        let mut pin = Mock::new(&expected);
        let mut contact = Contact::new(pin.clone(), 20);
        assert_eq!(read(&mut contact, &[0, 5, 10, 29, 30, 50]), [None, None, None, None, Some(true), None]);
        pin.done();
    }

    #[test]
    fn the_clock_may_wrap_while_a_contact_rests() {
        let mut pin = Mock::new(&[Transaction::get(State::High), Transaction::get(State::High)]);
        let mut contact = Contact::new(pin.clone(), 20);
        assert_eq!(read(&mut contact, &[u32::MAX - 9, 10]), [None, Some(true)]);
        pin.done();
    }

    #[test]
    fn a_pin_that_cannot_be_read_has_not_changed() {
        let broken =
            Transaction::get(State::Low).with_error(embedded_hal_mock::eh1::MockError::Io(std::io::ErrorKind::Other));
        let mut pin = Mock::new(&[broken]);
        let mut contact = Contact::new_active(pin.clone(), 0);
        assert_eq!((contact.poll(0), contact.active()), (None, true));
        pin.done();
    }
}
