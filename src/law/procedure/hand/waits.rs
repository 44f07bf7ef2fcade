//! Which card a hand waits for.

use super::Hand;

impl Hand {
    /// Nothing says that it needs a card: none was asked for, and none has to come to it.
    #[must_use]
    pub fn asks_for_none(&self) -> bool {
        let has_to_get_one = self.waits_for_second() || self.doubled || self.served_again;
        !self.wants_card && !has_to_get_one
    }

    /// The half of a pair that has its first card alone, and gets its second when its turn comes (Reading 10).
    #[must_use]
    pub const fn waits_for_second(&self) -> bool {
        self.split && self.count() == 1 && !self.as_it_is
    }

    /// It was opened or doubled with its chips, and the card that it gets for that has not come.
    #[must_use]
    pub fn waits_for_card(&self) -> bool {
        let half = self.waits_for_second() && !self.is_ended() && !self.is_unpaid_half();
        half || (self.waits_for_double() && !self.is_unpaid_double())
    }

    /// Its cards are being cleared, or were, and what it is owed hung on the bank's.
    #[must_use]
    pub fn hung_on_bank(&self) -> bool {
        let is_decided = self.void | self.lost | self.is_closed() | self.settled.is_some();
        self.kept.is_some() && !is_decided && !self.went_over_seen()
    }

    /// It chose to double and its card has not come.
    #[must_use]
    pub fn waits_for_double(&self) -> bool {
        self.doubled && self.count() == 2 && !(self.void | self.lost | self.as_it_is | self.waits_for_room)
    }
}
