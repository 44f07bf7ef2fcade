//! What is entered on the dealer's keypad.

use serde::{Deserialize, Serialize};

use super::{Authority, BankChange, Card, Choice, Face, Permit, Place, Question, Ruling, Share, Taken};

/// What the dealer enters on the keypad. Players and badges are numbers; the station names them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeypadSaid {
    /// A player sat down.
    Seat {
        /// Seat, from 1.
        seat: u8,
        /// Player.
        player: u16,
    },
    /// A player got up.
    Leave {
        /// Seat, from 1.
        seat: u8,
        /// Player.
        player: u16,
    },
    /// A player asks for an empty box.
    Request {
        /// Betting box, from 1.
        box_no: u8,
        /// Player.
        player: u16,
    },
    /// A player's badge was read before chips were placed on a box.
    Bettor {
        /// Betting box, from 1.
        box_no: u8,
        /// Player.
        player: u16,
    },
    /// An authority's key was turned.
    Authorize {
        /// Badge.
        badge: u16,
        /// Rank.
        role: Authority,
        /// What for.
        what: Permit,
    },
    /// A bettor cut the cards.
    Cut {
        /// Cards from the top.
        depth: u16,
        /// Player.
        player: u16,
    },
    /// "No more bets".
    CloseBets,
    /// The dealer asked.
    Ask {
        /// Betting box, from 1.
        box_no: u8,
        /// Hand within the box, from 0.
        hand: u8,
        /// About what.
        about: Question,
    },
    /// A bettor decided.
    Decide {
        /// Betting box, from 1.
        box_no: u8,
        /// Hand within the box, from 0.
        hand: u8,
        /// What.
        choice: Choice,
        /// By whom, where somebody else than the bettor spoke.
        by: Option<u16>,
    },
    /// A bettor declared an ace, 1 or 11.
    Ace {
        /// Betting box, from 1.
        box_no: u8,
        /// Hand within the box, from 0.
        hand: u8,
        /// 1 or 11.
        value: u8,
    },
    /// The dealer announced a total.
    Total {
        /// Whose.
        place: Place,
        /// The total spoken.
        value: u8,
    },
    /// The dealer announced "next cards for the bank".
    NextCardsForBank,
    /// A bettor agreed (or not) to complete the delivery.
    Consent {
        /// Betting box, from 1.
        box_no: u8,
        /// Agreed.
        yes: bool,
    },
    /// A bettor took an offered option.
    Choose {
        /// Betting box, from 1.
        box_no: u8,
        /// Hand within the box, from 0.
        hand: u8,
        /// Which.
        option: Taken,
    },
    /// The room ruled.
    Rule {
        /// Badge.
        badge: u16,
        /// Rank.
        role: Authority,
        /// What it decided.
        decision: Ruling,
        /// On which finding; none: the only one that waits for a ruling.
        finding: Option<u32>,
    },
    /// The pass is over.
    EndPass,
    /// The bank changes hands.
    Bank {
        /// How.
        how: BankChange,
        /// Who banks now; none: nobody does, or it stays.
        player: Option<u16>,
        /// By whom, where it is another.
        by: Option<u16>,
        /// The price, in the smallest unit of the currency.
        amount: Option<u64>,
    },
    /// A card was dealt to a player to draw for the bank.
    BankCard {
        /// Player.
        player: u16,
        /// The card.
        card: Card,
    },
    /// A participant advanced to the bank, or was given his part of it.
    Share {
        /// Player.
        player: u16,
        /// Which of the two.
        what: Share,
        /// How much, in the smallest unit of the currency.
        amount: u64,
    },
    /// The cut was offered to a player.
    OfferCut {
        /// Player.
        player: u16,
    },
    /// A person reports what no sensor sees.
    Report {
        /// Badge.
        badge: u16,
        /// Rank.
        role: Authority,
        /// What, by its number in the station's list.
        note: u8,
        /// Under which article, by its number in the station's list: 317 is C17.
        article: Option<u16>,
        /// Betting box, from 1.
        box_no: Option<u8>,
    },
    /// The record should read otherwise. Unless a line is only struck, the next entry is what should stand there.
    Correct {
        /// Badge.
        badge: u16,
        /// Rank.
        role: Authority,
        /// The line of the record.
        line: u32,
        /// How it should read.
        how: Amend,
    },
    /// An uncovered card that could not be read is this one.
    CardIs {
        /// Where it lies.
        place: Place,
        /// The card.
        card: Card,
    },
    /// This card was dealt. It is entered after [`KeypadSaid::Correct`] alone: the shoe tells of the others.
    Dealt {
        /// The card.
        card: Card,
        /// Where to; none: where one was due.
        to: Option<Place>,
        /// Which way it lay; none: as prescribed.
        face: Option<Face>,
    },
}

/// What is corrected at a line of the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Amend {
    /// It did not happen.
    Strike,
    /// The next entry happened instead.
    Instead,
    /// The next entry happened after it, and was not told.
    After,
}

/// No amount that can be typed is so large: such a [`KeypadSaid::Share`] is a signature.
const SIGNATURE: u64 = 1_000_000_000_000;

/// Somebody signs what was entered before, with his PIN. It is nobody's to keep: no `Debug`, no name of a message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Signature {
    /// Badge.
    pub badge: u16,
    /// Digits of the PIN, 6 to 12: it may begin with zeros.
    pub digits: u8,
    /// The PIN as a number.
    pub pin: u64,
}

impl core::fmt::Debug for Signature {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Signature").field("badge", &self.badge).finish_non_exhaustive()
    }
}

impl Signature {
    /// As the keypad says it: a share of more than twelve digits, the first of which are how many the PIN has. `None`
    /// where it is no PIN.
    #[must_use]
    pub const fn said(self) -> Option<KeypadSaid> {
        if self.digits < 6 || self.digits > 12 || self.pin >= SIGNATURE {
            return None;
        }
        let amount = self.digits as u64 * SIGNATURE + self.pin;
        Some(KeypadSaid::Share { player: self.badge, what: Share::Advance, amount })
    }
}

impl KeypadSaid {
    /// The signature that this is, if it is one.
    #[must_use]
    pub fn signature(&self) -> Option<Signature> {
        let Self::Share { player: badge, amount, .. } = *self else { return None };
        let digits = u8::try_from(amount / SIGNATURE).unwrap_or(u8::MAX);
        (amount >= SIGNATURE).then_some(Signature { badge, digits, pin: amount % SIGNATURE })
    }
}
