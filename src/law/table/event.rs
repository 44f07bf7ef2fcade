//! What happens on the felt. Each variant is an `ev` of the table log; see `docs/table-log.md`.

use alloc::boxed::Box;
use alloc::vec::Vec;

use serde::{Deserialize, Deserializer, Serialize};

use super::object::object;
use super::{BetSpot, Card, Cents, HandId, LineNo, Name, Place};

pub use sabot_words::{
    Authority, BankChange, Choice, Face, NOTES, NOTES_IN_ENGLISH, Permit, Question, Ruling, Share, Taken, keypad_number,
};

sabot_words::words! {
    "an announcement";
    /// What the dealer announces.
    pub enum Announcement {
        /// A hand's total.
        Total = "total",
        /// "Next cards for the bank".
        NextCardsForBank = "next_cards_for_bank",
    }
}

/// Whether an authority of that role may give that permit: a shuffle any (D5), the bank's next cards and a change of
/// decks the inspector (C13, C14, C19), or the room above him.
#[must_use]
pub const fn may_permit(role: Authority, what: Permit) -> bool {
    matches!((what, role), (Permit::Shuffle, _) | (_, Authority::Inspector | Authority::Room))
}

/// A chip, where its tag was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Chip {
    /// UID of the tag.
    pub id: Name,
    /// Value.
    pub value: Cents,
}

impl<'de> Deserialize<'de> for Chip {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Written {
            id: Name,
            value: Cents,
        }
        let Written { id, value } = object(deserializer)?;
        Ok(Self { id, value })
    }
}

/// Which cards a `move` takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Moved {
    /// That many, the last ones dealt there.
    Count(usize),
    /// These.
    Cards(Vec<Card>),
}

/// One event of the table log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "ev", rename_all = "snake_case")]
#[rustfmt::skip]
pub enum Event {
    /// A player sits down.
    Seat { /// Seat, from 1.
        seat: u8, /// Who.
        player: Name },
    /// A player gets up.
    Leave { /// Seat, from 1.
        seat: u8, /// Who.
        player: Name },
    /// A player asks for an empty box.
    Request { /// The box.
        #[serde(rename = "box")] hand: HandId, /// Who.
        player: Name, /// When, milliseconds since the log began: requests of one moment are made at once.
        #[serde(skip_serializing_if = "Option::is_none")] t: Option<u64> },
    /// An authorisation, before the act.
    Authorize { /// Who.
        by: Name, /// In which office.
        role: Authority, /// What for.
        what: Permit },
    /// A shuffle has finished.
    Shuffle { /// Decks.
        decks: u32, /// Cards.
        cards: u32 },
    /// The cut.
    Cut { /// Cards from the top.
        depth: u32, /// By which player.
        by: Name },
    /// The shoe is loaded.
    Load { /// Cards in it.
        cards: u32, /// Cards behind the cut card.
        cut_card: u32 },
    /// What now lies on a spot, in all.
    Bet { /// The box.
        #[serde(rename = "box")] hand: HandId, /// Where in it.
        #[serde(skip_serializing_if = "is_main")] spot: BetSpot, /// How much.
        amount: Cents, /// Whose, where known.
        #[serde(skip_serializing_if = "Option::is_none")] player: Option<Name>, /// The chips, where read.
        #[serde(skip_serializing_if = "Vec::is_empty")] chips: Vec<Chip> },
    /// "No more bets".
    CloseBets {},
    /// A card leaves the shoe.
    Draw { /// Which.
        card: Card, /// Where to, where seen.
        #[serde(skip_serializing_if = "Option::is_none")] to: Option<Place>, /// How it lies; left out: as prescribed.
        #[serde(skip_serializing_if = "Option::is_none")] face: Option<Face> },
    /// The cut card comes out.
    CutCard {},
    /// The dealer asks.
    Ask { /// Whom.
        #[serde(rename = "box")] hand: HandId, /// About what.
        about: Question },
    /// A bettor chooses.
    Decide { /// For which hand.
        #[serde(rename = "box")] hand: HandId, /// What.
        choice: Choice, /// Who spoke, where known.
        #[serde(skip_serializing_if = "Option::is_none")] by: Option<Name> },
    /// A bettor declares an ace.
    Ace { /// For which hand.
        #[serde(rename = "box")] hand: HandId, /// 1 or 11.
        value: u8, /// Who spoke, where known.
        #[serde(skip_serializing_if = "Option::is_none")] by: Option<Name> },
    /// Words spoken by the dealer.
    Announce { /// What.
        what: Announcement, /// Of which place.
        #[serde(rename = "box", skip_serializing_if = "Option::is_none")] place: Option<Place>, /// The total.
        #[serde(skip_serializing_if = "Option::is_none")] value: Option<u32> },
    /// A covered card is turned up.
    Reveal { /// Where.
        at: Place, /// Which card it is.
        #[serde(skip_serializing_if = "Option::is_none")] card: Option<Card> },
    /// Cards are taken from a place.
    Move { /// From.
        from: Place, /// To.
        to: Place, /// Which; left out: all.
        #[serde(skip_serializing_if = "Option::is_none")] cards: Option<Moved> },
    /// The bettor agrees to completing the delivery, or not.
    Consent { /// The box.
        #[serde(rename = "box")] hand: HandId, /// Agreed.
        yes: bool },
    /// The bettor takes an offered option.
    Choose { /// The hand.
        #[serde(rename = "box")] hand: HandId, /// Which option.
        option: Taken },
    /// Chips taken from a hand.
    Collect { /// The hand.
        #[serde(rename = "box")] hand: HandId, /// How much.
        amount: Cents, /// Which bet.
        #[serde(skip_serializing_if = "is_main")] spot: BetSpot },
    /// Chips paid to a hand.
    Pay { /// The hand.
        #[serde(rename = "box")] hand: HandId, /// How much.
        amount: Cents, /// Which bet.
        #[serde(skip_serializing_if = "is_main")] spot: BetSpot },
    /// The pass is over.
    End {},
    /// The room decides.
    Rule { /// Who.
        by: Name, /// In which office, in the house's word for it.
        role: Name, /// What.
        decision: Ruling, /// On which finding.
        #[serde(skip_serializing_if = "Option::is_none")] finding: Option<u64> },
    /// A person reports what no sensor sees.
    Report { /// Who.
        by: Name, /// In which office, in the house's word for it.
        role: Name, /// Under which provision.
        #[serde(skip_serializing_if = "Option::is_none")] provision: Option<Name>, /// Concerning which box.
        #[serde(rename = "box", skip_serializing_if = "Option::is_none")] place: Option<Place>, /// What.
        note: Name },
    /// A person says what really happened.
    Correct { /// Who.
        by: Name, /// In which office, in the house's word for it.
        role: Name, /// The line that did not happen, or should have read `event`.
        #[serde(skip_serializing_if = "Option::is_none")] line: Option<LineNo>, /// The line after which `event` happened.
        #[serde(skip_serializing_if = "Option::is_none")] after: Option<LineNo>, /// What happened.
        #[serde(skip_serializing_if = "Option::is_none")] event: Option<Box<Event>> },
    /// A card dealt to a player to draw for the bank; none of the shoe's count.
    BankCard { /// To whom.
        player: Name, /// Which.
        card: Card },
    /// The bank changes hands.
    Bank { /// How.
        how: BankChange, /// Who banks from now on.
        #[serde(skip_serializing_if = "Option::is_none")] player: Option<Name>, /// Who decided it; left out: `player`.
        #[serde(skip_serializing_if = "Option::is_none")] by: Option<Name>, /// The price, where it was sold.
        #[serde(skip_serializing_if = "Option::is_none")] amount: Option<Cents> },
    /// A participant advances to the bank, or gets his part of it.
    Share { /// Who.
        player: Name, /// Which.
        what: Share, /// How much.
        amount: Cents },
    /// The cut is offered to a player.
    OfferCut { /// To whom.
        player: Name },
    /// Equipment.
    Device { /// Which.
        device: Name, /// How it is.
        status: Name, /// More.
        #[serde(skip_serializing_if = "Option::is_none")] detail: Option<Name>, /// Everything seen while it was away has been told.
        #[serde(skip_serializing_if = "core::ops::Not::not")] complete: bool },
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde calls it so
fn is_main(spot: &BetSpot) -> bool {
    *spot == BetSpot::Main
}

/// Which event it is, without what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // each is the event of the same name
pub enum Kind {
    Seat,
    Leave,
    Request,
    Authorize,
    Shuffle,
    Cut,
    Load,
    Bet,
    CloseBets,
    Draw,
    CutCard,
    Ask,
    Decide,
    Ace,
    Announce,
    Reveal,
    Move,
    Consent,
    Choose,
    Collect,
    Pay,
    End,
    Rule,
    Report,
    Correct,
    BankCard,
    Bank,
    Share,
    OfferCut,
    Device,
}

impl Kind {
    /// Every kind, in order.
    pub const ALL: [Self; 30] = [
        Self::Seat,
        Self::Leave,
        Self::Request,
        Self::Authorize,
        Self::Shuffle,
        Self::Cut,
        Self::Load,
        Self::Bet,
        Self::CloseBets,
        Self::Draw,
        Self::CutCard,
        Self::Ask,
        Self::Decide,
        Self::Ace,
        Self::Announce,
        Self::Reveal,
        Self::Move,
        Self::Consent,
        Self::Choose,
        Self::Collect,
        Self::Pay,
        Self::End,
        Self::Rule,
        Self::Report,
        Self::Correct,
        Self::BankCard,
        Self::Bank,
        Self::Share,
        Self::OfferCut,
        Self::Device,
    ];
}

impl Event {
    /// Whether it is of the play, settlement, clearing or end of a pass.
    #[must_use]
    pub const fn is_of_pass(&self) -> bool {
        matches!(self, Self::Ask { .. } | Self::Decide { .. } | Self::Ace { .. } | Self::Reveal { .. })
            || matches!(self, Self::Announce { .. } | Self::Consent { .. } | Self::Choose { .. })
            || matches!(self, Self::Collect { .. } | Self::Pay { .. } | Self::Move { .. } | Self::End {})
    }

    /// Whether bets are paid or collected by it, or cards put away.
    #[must_use]
    pub const fn is_of_settlement(&self) -> bool {
        matches!(self, Self::Collect { .. } | Self::Pay { .. } | Self::Move { .. })
    }

    /// It is the draw of a card that could not be read.
    #[must_use]
    pub fn draws_unread(&self) -> bool {
        matches!(self, Self::Draw { card, .. } if *card == Card::UNREAD)
    }

    /// Which event it is.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Seat { .. } => Kind::Seat,
            Self::Leave { .. } => Kind::Leave,
            Self::Request { .. } => Kind::Request,
            Self::Authorize { .. } => Kind::Authorize,
            Self::Shuffle { .. } => Kind::Shuffle,
            Self::Cut { .. } => Kind::Cut,
            Self::Load { .. } => Kind::Load,
            Self::Bet { .. } => Kind::Bet,
            Self::CloseBets { .. } => Kind::CloseBets,
            Self::Draw { .. } => Kind::Draw,
            Self::CutCard { .. } => Kind::CutCard,
            Self::Ask { .. } => Kind::Ask,
            Self::Decide { .. } => Kind::Decide,
            Self::Ace { .. } => Kind::Ace,
            Self::Announce { .. } => Kind::Announce,
            Self::Reveal { .. } => Kind::Reveal,
            Self::Move { .. } => Kind::Move,
            Self::Consent { .. } => Kind::Consent,
            Self::Choose { .. } => Kind::Choose,
            Self::Collect { .. } => Kind::Collect,
            Self::Pay { .. } => Kind::Pay,
            Self::End { .. } => Kind::End,
            Self::Rule { .. } => Kind::Rule,
            Self::Report { .. } => Kind::Report,
            Self::Correct { .. } => Kind::Correct,
            Self::BankCard { .. } => Kind::BankCard,
            Self::Bank { .. } => Kind::Bank,
            Self::Share { .. } => Kind::Share,
            Self::OfferCut { .. } => Kind::OfferCut,
            Self::Device { .. } => Kind::Device,
        }
    }

    /// The shoe reports that nothing is left to draw.
    #[must_use]
    pub fn empties_shoe(&self) -> bool {
        matches!(self, Self::Device { device, status, .. } if device == "shoe" && status == "empty")
    }

    /// The players that the event names. Who acts in an office is none.
    pub fn players(&mut self) -> [Option<&mut Name>; 2] {
        match self {
            Self::Seat { player, .. }
            | Self::Leave { player, .. }
            | Self::Request { player, .. }
            | Self::Cut { by: player, .. }
            | Self::BankCard { player, .. }
            | Self::Share { player, .. }
            | Self::OfferCut { player } => [Some(player), None],
            Self::Bet { player, .. } | Self::Decide { by: player, .. } | Self::Ace { by: player, .. } => {
                [player.as_mut(), None]
            }
            Self::Bank { player, by, .. } => [player.as_mut(), by.as_mut()],
            Self::Correct { event: Some(event), .. } => event.players(),
            // each is named: a new event has to say whom it names
            Self::Authorize { .. }
            | Self::Shuffle { .. }
            | Self::Load { .. }
            | Self::CloseBets {}
            | Self::Draw { .. }
            | Self::CutCard {}
            | Self::Ask { .. }
            | Self::Announce { .. }
            | Self::Reveal { .. }
            | Self::Move { .. }
            | Self::Consent { .. }
            | Self::Choose { .. }
            | Self::Collect { .. }
            | Self::Pay { .. }
            | Self::End {}
            | Self::Rule { .. }
            | Self::Report { .. }
            | Self::Correct { event: None, .. }
            | Self::Device { .. } => [None, None],
        }
    }

    /// Every box the event names, with the field that names it.
    pub fn boxes(&self) -> impl Iterator<Item = (&'static str, u8)> + use<> {
        let of = |place: &Place| match place {
            Place::Hand(hand) => Some(hand.box_no),
            _ => None,
        };
        let (first, second) = match self {
            Self::Request { hand, .. }
            | Self::Bet { hand, .. }
            | Self::Ask { hand, .. }
            | Self::Decide { hand, .. }
            | Self::Ace { hand, .. }
            | Self::Consent { hand, .. }
            | Self::Choose { hand, .. }
            | Self::Collect { hand, .. }
            | Self::Pay { hand, .. } => (Some(("box", hand.box_no)), None),
            Self::Announce { place, .. } | Self::Report { place, .. } => {
                (place.as_ref().and_then(of).map(|n| ("box", n)), None)
            }
            Self::Draw { to, .. } => (to.as_ref().and_then(of).map(|n| ("to", n)), None),
            Self::Reveal { at, .. } => (of(at).map(|n| ("at", n)), None),
            Self::Move { from, to, .. } => (of(from).map(|n| ("from", n)), of(to).map(|n| ("to", n))),
            Self::Correct { event: Some(event), .. } => return event.boxes(),
            _ => (None, None),
        };
        first.into_iter().chain(second)
    }
}
