//! A betting box: whose bet, whether it takes part, and its hands.

use super::hand::Hand;
use crate::table::Name;
use crate::table::place::MAX_HANDS;

/// Whether a box takes part in the pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Standing {
    /// No bet.
    #[default]
    None,
    /// A bet that counts.
    In,
    /// Chips that were refused and lie there until they are returned; dealt to all the same, they count again.
    Refused,
    /// Out of this pass: without effect.
    Out,
}

/// A betting box.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct BettingBox {
    /// Whose bet it is.
    pub bettor: Option<Name>,
    /// Whether it takes part.
    pub standing: Standing,
    /// Its hands; those beyond `hands_in_play` are blank.
    pub hands: [Hand; MAX_HANDS],
    /// 0 without a bet, 1, and one more for each split.
    pub hands_in_play: usize,
    /// Splits chosen in words.
    pub splits_chosen: usize,
    /// Splits chosen by placing chips.
    pub splits_paid: usize,
    /// The hand that was split last.
    pub split_last: usize,
}

impl BettingBox {
    pub(super) fn clear(&mut self) {
        for hand in &mut self.hands {
            if !hand.is_blank() {
                hand.clear();
            }
        }
        self.bettor = None;
        self.standing = Standing::None;
        self.hands_in_play = 0;
        self.splits_chosen = 0;
        self.splits_paid = 0;
        self.split_last = 0;
    }

    /// Its hands in play.
    #[must_use]
    pub fn in_play(&self) -> &[Hand] {
        &self.hands[..self.hands_in_play]
    }

    /// Splits made.
    #[must_use]
    pub const fn splits(&self) -> usize {
        self.hands_in_play.saturating_sub(1)
    }

    /// Its only hand before any split.
    #[must_use]
    pub fn first(&self) -> &Hand {
        &self.hands[0]
    }
}
