//! Keys of a numeric pad at the table: what the dealer's screen offers under them.

use sabot_drivers::saw::PadKey;
use sabot_law::table::{Felt, Name};

use super::{Links, TableTask};
use crate::acts::{Act, Refused, Signed};
use crate::entered::of_dealer;
use crate::staff::Office;

/// Whose entries they are in the record: nobody signs in at a pad.
const PAD: &str = "pad";
/// A key that comes so soon after the screen has changed was meant for what stood there before: a hand needs longer to
/// see what is offered, milliseconds. So a key that bounces enters once.
const SEEN_MS: u64 = 250;

impl<L: Links> TableTask<L> {
    /// Shows everybody the table, and notes when what is offered has changed.
    pub(super) fn publish(&mut self, felt: Felt) {
        let snapshot = self.snapshot(felt);
        if snapshot.offers != self.snapshots.borrow().offers {
            self.offered_at = self.clock.now();
        }
        self.snapshots.send_replace(snapshot);
    }

    /// A key was pressed.
    pub(super) fn key(&mut self, key: PadKey) {
        let refused = self.entered_by(key).err().map(|refused| refused.words());
        self.observer.refuse(refused);
        self.refresh();
    }

    fn entered_by(&mut self, key: PadKey) -> Result<(), Refused> {
        let act = if key == PadKey::TakeBack { Act::TakeBack } else { self.offered_under(key)? };
        self.act(Signed { by: Name::new_static(PAD), offices: vec![Office::Dealer], act, second: None }).map(drop)
    }

    fn offered_under(&self, key: PadKey) -> Result<Act, Refused> {
        let shown = self.snapshots.borrow();
        let mut offers = of_dealer(&shown.offers);
        let offer = match key {
            PadKey::Touch(number) => offers.nth(usize::from(number).wrapping_sub(1)),
            PadKey::Likely | PadKey::TakeBack => offers.next().filter(|offer| offer.is_due),
        };
        let is_seen = self.clock.now() >= self.offered_at + SEEN_MS;
        let offer = offer.filter(|_| is_seen).ok_or(Refused::NotOffered)?;
        Ok(Act::Enter { events: offer.events.clone(), is_offered: true })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sabot_drivers::{LinkReport, Saw, Seen};
    use sabot_wire::message::{BetSpot, Chip, ChipsSaw, Observation, Role};

    use super::*;
    use crate::table_task::tests::Bench;

    async fn presses(bench: &Bench, key: PadKey) {
        let seen =
            Seen { role: Role::Keypad, serial: "PAD".to_owned(), epoch: 1, seq: 1, at_ms: 0, saw: None, when: None };
        let seen = Seen { saw: Some(Saw::Key(key)), ..seen };
        bench.reports.send((Role::Keypad, LinkReport::Saw(seen))).await.unwrap();
    }

    #[tokio::test]
    async fn a_key_enters_what_is_under_it_and_nothing_that_nobody_can_have_seen() {
        let mut bench = Bench::start_telling(crate::table_task::tests::config(Duration::ZERO), |_, _| None).await;
        tokio::time::pause();
        let chips = std::iter::once(Chip { uid: 1, value: 5000 }).collect();
        let spot = ChipsSaw::Spot { box_no: 2, hand: 0, spot: BetSpot::Main, chips };
        bench.saw(Role::Chips, Observation::Chips(spot)).await;
        presses(&bench, PadKey::Likely).await;
        let lines = bench.until(|snapshot| snapshot.line >= 7).await.line;
        presses(&bench, PadKey::Touch(9)).await;
        presses(&bench, PadKey::TakeBack).await;
        tokio::time::advance(Duration::from_millis(SEEN_MS)).await;
        let offered = bench.snapshots.borrow().offers.clone();
        let first = of_dealer(&offered).next().unwrap().clone();
        presses(&bench, PadKey::Touch(0)).await;
        presses(&bench, PadKey::Touch(1)).await;
        presses(&bench, PadKey::Touch(1)).await;
        let told = bench.until(|snapshot| snapshot.last_entry.is_some()).await;
        let entered = told.last_entry.clone().unwrap();
        assert_eq!((entered.by.as_str(), entered.lines.len()), (PAD, first.events.len()));
        assert_eq!(told.line, lines + first.events.len() as u64, "no other key has entered anything");
        let (_, record) = bench.stop().await;
        let by_pad = record.iter().filter(|line| line.contains(r#""entered":"pad""#)).count();
        assert_eq!(by_pad, first.events.len(), "a key that bounces enters once: {record:?}");
    }
}
