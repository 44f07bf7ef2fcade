//! What is known of the pass on the felt: what the equipment sees at the moment, less what went by unseen. A case is
//! judged where everything it needs is known.

use super::known::{Fact, Facts};
use super::pass::Stage;
use super::state::State;
use crate::table::Event;

impl State {
    /// What is not known: neither seen at the moment, nor was it in this pass.
    #[must_use]
    pub fn unknown(&self) -> Facts {
        Facts::unknown_to(self.observes).and(self.blindness.unknown()).and(self.pass.unknown).and(self.supply.missed())
    }

    /// Whether an event may be judged: what comes all the same at a table that is not to see it tells facts alone. What
    /// a person reports is heard in every pass.
    #[must_use]
    pub fn observes_event(&self, event: &Event) -> bool {
        event.sight().is_none_or(|sight| self.observes.sees(sight))
            && (matches!(event, Event::Report { .. }) || !(self.pass.is_mid_pass() || self.begins_mid_pass(event)))
    }

    /// The log begins with this card in the middle of a pass: bets are seen, and none was, nor a shoe loaded.
    #[must_use]
    pub const fn begins_mid_pass(&self, event: &Event) -> bool {
        matches!(event, Event::Draw { .. }) && !self.has_begun && self.named.bets
    }

    /// The log's first pass ends with this, and none of its bets or cards was told.
    #[must_use]
    pub fn ends_untold(&self, event: &Event) -> bool {
        matches!(event, Event::End {}) && !self.has_begun && self.named.bets && !self.pass.is_mid_pass()
    }

    /// What comes now is of a pass that began before the log did.
    pub fn is_begun_before_log(&mut self) {
        self.pass.forget(Facts::ALL);
    }

    /// The pass on the felt had begun before the log did: nothing of it is known.
    pub(super) fn begin_mid_pass(&mut self) {
        self.has_begun = true;
        self.pass.advance(Stage::FirstDelivery);
        self.pass.forget(Facts::ALL);
    }

    /// A device has something to say of itself.
    pub fn hear_device(&mut self, device: &str, status: &str, complete: bool) {
        self.blindness.hear(device, status, complete, self.pass.is_open());
        self.observes = self.blindness.of(self.named);
        if self.blindness.has_missed(device) && self.delivered() {
            // a card of the bank hangs on what others did only where it plays after them, and is not final
            let hangs = !self.settings.bank_is_covered() && self.pass.bank.must_draw() != Some(false);
            self.pass.doubt_misdealt(hangs);
        }
        self.supply.miss(self.blind());
        self.doubt_covered();
        if self.named.bets && !self.observes.bets {
            self.account.lose_count();
        }
        if self.named.decisions && !self.observes.decisions && self.settings.play.ace_is_declared {
            self.doubt_aces();
        }
    }

    /// What outlasts the pass in which a device has missed it: the shoe goes on without what was not seen of it.
    pub(super) fn blind(&self) -> Facts {
        let lost = |is_lost: bool, facts: &[Fact]| if is_lost { Facts::of(facts) } else { Facts::NONE };
        lost(self.blindness.unknown().has(Fact::Cards), &[Fact::Shoe, Fact::CutCard, Fact::Retired])
            .and(lost(self.named.moves && !self.observes.moves, &[Fact::Retired]))
            .and(lost(self.named.asks && !self.observes.asks, &[Fact::Offers]))
    }

    /// What a device has missed is known from elsewhere.
    pub fn see_again(&mut self, device: &str) {
        self.blindness.forgive(device);
        self.observes = self.blindness.of(self.named);
    }

    /// What devices that are back have missed is over with the pass.
    pub(super) fn open_eyes(&mut self) {
        self.blindness.end_pass();
        self.observes = self.blindness.of(self.named);
    }
}
