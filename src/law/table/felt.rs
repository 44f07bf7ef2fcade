//! The felt as anyone may see it: what displays and pages show. A covered, burned or undealt card is not in it.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize, Serializer};

use super::due::OpenRemedy;
use super::{BetSpot, Card, Cents, HandId, Name, Outcome};

/// Part of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Between passes.
    #[default]
    Idle,
    /// Bets are being made.
    Bets,
    /// First or second delivery.
    Delivery,
    /// Bettors play.
    Play,
    /// The bank plays.
    Bank,
    /// Stakes are collected and paid, cards cleared.
    Settlement,
}

/// A card as it may be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Uncovered.
    Up(Card),
    /// Covered: nobody is told what it is.
    Covered,
}

/// Written `8H`, or `##` for a covered card.
impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Up(card) => card.serialize(serializer),
            Self::Covered => serializer.serialize_str("##"),
        }
    }
}

/// A line in both languages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Words {
    /// Spanish.
    pub es: String,
    /// English.
    pub en: String,
}

/// How a hand stands in the pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HandState {
    /// Waits for cards or for its turn.
    Waiting,
    /// It is its turn.
    Turn,
    /// Stood, or reached 21.
    Stood,
    /// Doubled.
    Doubled,
    /// Black Jack.
    Blackjack,
    /// Half of its stake was given up.
    Surrendered,
    /// Over 21.
    Over,
    /// Without effect.
    Void,
}

/// A hand of a box.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FeltHand {
    /// Which: `3`, `3b`.
    pub id: HandId,
    /// Its cards, in the order dealt.
    pub cards: Vec<Shown>,
    /// Its total, where all its cards are uncovered and known.
    pub total: Option<u8>,
    /// How it stands.
    pub state: HandState,
    /// What lies on its main spot, and what was added by doubling or splitting.
    pub stake: Cents,
    /// Its insurance.
    pub insurance: Cents,
}

/// A betting box.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FeltBox {
    /// Number, from 1.
    pub box_no: u8,
    /// Who sits at the seat of that number.
    pub seated: Option<Name>,
    /// Who bets here in this pass.
    pub bettor: Option<Name>,
    /// Its hands; none where there is no bet.
    pub hands: Vec<FeltHand>,
}

/// What a bet is owed as the bank settles, and what it was given so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FeltAccount {
    /// Which hand.
    pub hand: HandId,
    /// Which of its bets: the main one or the insurance.
    pub spot: BetSpot,
    /// How it ended, for all to see; none while a card is still to tell, or where none can.
    pub outcome: Option<Outcome>,
    /// What the bank gives, in cents: below 0 where it keeps so much of the stake. None as above, and where nobody sees
    /// chips.
    pub owed: Option<i64>,
    /// Paid so far.
    pub paid: Cents,
    /// Collected so far.
    pub collected: Cents,
    /// What is left to give, below 0 where it is to be taken back or collected; none where `owed` is.
    pub left: Option<i64>,
}

/// The whole felt.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Felt {
    /// Pass, from 1; 0 before the first.
    pub pass: u64,
    /// Where in the pass.
    pub phase: Phase,
    /// Every box of the table, in order.
    pub boxes: Vec<FeltBox>,
    /// The player who banks, where players do; none where the house does, or nobody yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub banker: Option<Name>,
    /// The bank's cards.
    pub bank: Vec<Shown>,
    /// The bank's total, where all its cards are uncovered and known.
    pub bank_total: Option<u8>,
    /// Cards in the burn tray in this pass.
    pub burned: usize,
    /// Cards in the discard tray since the shoe was loaded.
    pub discarded: u64,
    /// Cards drawn since the shoe was loaded.
    pub drawn: u64,
    /// Whether the cut card of this shoe has come out.
    pub cut_card_out: bool,
    /// The accounts of all bets while the bank settles, box by box, main bet then insurance; before that, of those that
    /// something was paid to or collected of.
    pub accounts: Vec<FeltAccount>,
    /// What is due now, the next thing first.
    pub due: Vec<Words>,
    /// The remedies of open findings as they stand now, in the order of attention.
    pub remedies: Vec<OpenRemedy>,
}
