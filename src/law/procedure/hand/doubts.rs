//! What a hand may be for all that was seen, read and heard of it.

use super::Hand;

impl Hand {
    /// A pair that got a card, and was perhaps opened: neither words nor chips could be seen to tell.
    #[must_use]
    pub const fn may_be_split(&self) -> bool {
        self.may_be_split
    }

    /// The bettor may have declared its ace without anybody hearing which value.
    #[must_use]
    pub const fn has_unheard_ace(&self) -> bool {
        self.may_be_declared && self.ace.is_none()
    }

    /// It may be over 21 for what could not be seen, read or heard of it.
    #[must_use]
    pub fn may_be_over(&self) -> bool {
        let tally = self.cards.tally();
        let has_third = tally.count > 2 || tally.doubted;
        let pair_went_over = self.may_be_split && self.went_over();
        pair_went_over || (self.has_unheard_ace() && tally.hard > 11) || (tally.is_unread() && has_third)
    }
}
