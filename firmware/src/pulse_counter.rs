//! The shuffler's card counter as its box sees it: a pulse a card, counted by an interrupt, and a coded switch for the
//! number of decks.

use core::sync::atomic::{AtomicU32, Ordering};

use embedded_hal::digital::InputPin;

use crate::shuffler::CardCounter;

/// Pulses counted; a `static` that an interrupt handler and the main loop share. It needs no more of a processor than
/// whole reads and writes of a word, which the smallest have.
#[derive(Debug, Default)]
pub struct Pulses(AtomicU32);

impl Pulses {
    /// None yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    /// One more. For one interrupt handler alone.
    pub fn count(&self) {
        self.0.store(self.0.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    }
}

/// A card counter of pulses, and a switch of three pins whose binary number is one less than the decks: 0 one deck, 7
/// eight.
#[derive(Debug)]
pub struct PulseCounter<'a, I> {
    pulses: &'a Pulses,
    taken: u32,
    decks: [I; 3],
}

impl<'a, I> PulseCounter<'a, I> {
    /// A counter of the pulses from now on; the switch's pins, the lowest first, high for one.
    pub fn new(pulses: &'a Pulses, decks: [I; 3]) -> Self {
        Self { pulses, taken: pulses.0.load(Ordering::Relaxed), decks }
    }
}

impl<I: InputPin> CardCounter for PulseCounter<'_, I> {
    fn counted(&mut self) -> u16 {
        let new = self.pulses.0.load(Ordering::Relaxed).wrapping_sub(self.taken);
        let counted = u16::try_from(new).unwrap_or(u16::MAX);
        self.taken = self.taken.wrapping_add(counted.into());
        counted
    }

    fn decks(&mut self) -> u8 {
        // a pin that cannot be read counts as low: the wrong number of decks is a finding, none would be no shuffle
        let bit = |(at, pin): (usize, &mut I)| u8::from(pin.is_high().unwrap_or(false)) << at;
        1 + self.decks.iter_mut().enumerate().map(bit).sum::<u8>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::FakePin;
    use embedded_hal_mock::eh1::digital::{Mock, State, Transaction};

    #[test]
    fn every_pulse_is_counted_once_and_the_count_may_wrap() {
        let pulses = Pulses(AtomicU32::new(u32::MAX - 1));
        let mut counter = PulseCounter::new(&pulses, [(); 3].map(|()| FakePin::default()));
        assert_eq!(counter.counted(), 0);
        (0..3).for_each(|_| pulses.count());
        assert_eq!((counter.counted(), counter.counted()), (3, 0));
        (0..70_000).for_each(|_| pulses.count());
        assert_eq!((counter.counted(), counter.counted(), counter.counted()), (65_535, 4_465, 0));
    }

    #[test]
    fn the_switch_is_read_as_a_binary_number_of_decks() {
        let pulses = Pulses::new();
        for decks in 1..=8_u8 {
            let pin = |at: u8| {
                let state = if (decks - 1) >> at & 1 == 1 { State::High } else { State::Low };
                Mock::new(&[Transaction::get(state)])
            };
            let mut pins = [pin(0), pin(1), pin(2)];
            assert_eq!(PulseCounter::new(&pulses, pins.clone()).decks(), decks);
            pins.iter_mut().for_each(Mock::done);
        }
    }
}
