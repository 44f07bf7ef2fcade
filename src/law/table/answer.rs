//! What the validator answers, as the log format writes it.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize, Serializer};

use super::event::{Permit, Taken};
use super::{BetSpot, Card, Cents, HandId, LineNo, Name, Place};

/// How grave a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// To be known; nothing to be done.
    Notice,
    /// The procedure was broken.
    Irregularity,
    /// The equipment or the cards cannot be trusted.
    Integrity,
}

/// One part of what has to be done about a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Remedy {
    /// Cards go to the burn tray.
    Burn {
        /// From where.
        place: Place,
        /// How many.
        cards: usize,
    },
    /// Cards go back to the shoe, in their previous position.
    PutBack {
        /// From where.
        place: Place,
        /// How many.
        cards: usize,
    },
    /// The bet is without effect; needs no event of its own.
    VoidBet {
        /// Of this box.
        #[serde(rename = "box")]
        hand: HandId,
    },
    /// The chips go back to the bettor.
    ReturnBet {
        /// Of this box.
        #[serde(rename = "box")]
        hand: HandId,
        /// From this spot: for the words and for what is due, a finding does not write it.
        #[serde(skip)]
        spot: BetSpot,
    },
    /// A card is due.
    Serve {
        /// To this place.
        to: Place,
    },
    /// An authorisation is needed.
    Authorize {
        /// For this.
        what: Permit,
    },
    /// Words must be spoken.
    Announce {
        /// These.
        what: Permit,
    },
    /// The bettor must be asked whether the delivery may be completed.
    AskConsent {
        /// Of this box.
        #[serde(rename = "box")]
        hand: HandId,
    },
    /// The bettor has a choice.
    Offer {
        /// Of this hand.
        #[serde(rename = "box")]
        hand: HandId,
        /// Between these.
        options: [Taken; 2],
    },
    /// Chips are taken back from the bettor.
    Collect {
        /// Of this hand.
        #[serde(rename = "box")]
        hand: HandId,
        /// How much; left out where the bettor collects what his bet is owed.
        #[serde(skip_serializing_if = "Option::is_none")]
        amount: Option<Cents>,
        /// Of the main bet, or of the insurance: for the words and for what is due, a finding does not write it.
        #[serde(skip)]
        spot: BetSpot,
    },
    /// Chips are given to the bettor.
    Pay {
        /// Of this hand.
        #[serde(rename = "box")]
        hand: HandId,
        /// How much.
        amount: Cents,
        /// For the main bet, or for the insurance: for the words and for what is due, a finding does not write it.
        #[serde(skip)]
        spot: BetSpot,
    },
    /// Somebody says which card it is.
    Identify {
        /// Where it lies.
        place: Place,
    },
    /// The room must decide.
    Rule,
}

impl Remedy {
    /// On which spot, where that is not the main one.
    #[must_use]
    pub fn side_spot(&self) -> Option<BetSpot> {
        match self {
            Self::ReturnBet { spot, .. } | Self::Collect { spot, .. } | Self::Pay { spot, .. } => Some(*spot),
            _ => None,
        }
        .filter(|spot| *spot != BetSpot::Main)
    }

    /// The same on that spot, where it moves chips.
    #[must_use]
    pub const fn on(mut self, at: BetSpot) -> Self {
        if let Self::ReturnBet { spot, .. } | Self::Collect { spot, .. } | Self::Pay { spot, .. } = &mut self {
            *spot = at;
        }
        self
    }

    /// What is done.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Burn { .. } => "burn",
            Self::PutBack { .. } => "put_back",
            Self::VoidBet { .. } => "void_bet",
            Self::ReturnBet { .. } => "return_bet",
            Self::Serve { .. } => "serve",
            Self::Authorize { .. } => "authorize",
            Self::Announce { .. } => "announce",
            Self::AskConsent { .. } => "ask_consent",
            Self::Offer { .. } => "offer",
            Self::Collect { .. } => "collect",
            Self::Pay { .. } => "pay",
            Self::Identify { .. } => "identify",
            Self::Rule => "rule",
        }
    }
}

/// How a bet ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Won with a Black Jack.
    Blackjack,
    /// Won.
    Win,
    /// Lost.
    Lose,
    /// A tie.
    Push,
    /// Without effect: returned whole.
    Void,
    /// Given up by half.
    Surrender,
    /// It cannot be known.
    Unknown,
}

/// One line of output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "out", rename_all = "snake_case")]
#[rustfmt::skip]
pub enum Answer {
    /// A provision was breached.
    Finding(Box<Finding>),
    /// Every part of a finding's remedy was carried out.
    Cleared { /// Its number.
        finding: u64, /// At which line.
        line: LineNo, /// Parts that nobody could see, by what is done.
        #[serde(skip_serializing_if = "Vec::is_empty")] unseen: Vec<&'static str> },
    /// The facts as corrected or explained do not bear a finding.
    Withdrawn { /// Its number.
        finding: u64, /// At which line.
        line: LineNo },
    /// The pass ended or went on with the remedy not carried out.
    Breach { /// Its number.
        finding: u64, /// At which line.
        line: LineNo, /// What was still to do.
        missing: Vec<Remedy> },
    /// What a bet was owed when the pass ended.
    Settle(Settle),
    /// Once, at the end of the log.
    Summary { /// Passes begun.
        passes: u64, /// Cards drawn.
        draws: u64, /// Findings by provision.
        findings: BTreeMap<&'static str, u64> },
}

/// A provision was breached at a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Number, from 1.
    pub n: u64,
    /// Line of the event it was found at.
    pub line: LineNo,
    /// Line that it concerns, where a correction or a late telling brought it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<LineNo>,
    /// Pass, from 1; 0 before the first.
    pub pass: u64,
    /// Identifier of the provision.
    pub provision: &'static str,
    /// Where.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// How grave.
    pub severity: Severity,
    /// Uncovered cards concerned; never a covered or burned one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cards: Vec<Card>,
    /// What must be done.
    pub remedy: Vec<Remedy>,
    /// What else it names.
    #[serde(flatten)]
    pub details: Details,
    /// In words.
    pub text: Text,
}

/// What a finding names beside a place and cards.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Details {
    /// A device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<Name>,
    /// A seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// A player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<Name>,
    /// What the bank was to give, net: paid less collected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owed: Option<i64>,
    /// What it gave, net.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub done: Option<i64>,
    /// What a person reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<Name>,
}

/// What a finding says, in both languages; the log's answer carries the one asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// Spanish.
    pub es: String,
    /// English.
    pub en: String,
    /// Which of them is written to the log's answers.
    pub lang: Lang,
}

/// A language people read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Lang {
    /// Spanish.
    #[default]
    Es,
    /// English.
    En,
}

impl Text {
    /// The words in one language.
    #[must_use]
    pub fn get(&self, lang: Lang) -> &str {
        match lang {
            Lang::Es => &self.es,
            Lang::En => &self.en,
        }
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.get(self.lang))
    }
}

impl core::str::FromStr for Lang {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "es" => Ok(Self::Es),
            "en" => Ok(Self::En),
            _ => Err("not a language: es or en"),
        }
    }
}

/// What one bet was owed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Settle {
    /// Line of the `end`.
    pub line: LineNo,
    /// Pass.
    pub pass: u64,
    /// Which hand.
    #[serde(rename = "box")]
    pub hand: HandId,
    /// Which bet: main or insurance.
    pub spot: BetSpot,
    /// How it ended.
    pub outcome: Outcome,
    /// What was at stake, a doubled stake included; left out where bets are not seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stake: Option<Cents>,
    /// What the bank gives on top of the stake; left out where that cannot be known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pay: Option<Cents>,
    /// What the bank keeps of it; left out where that cannot be known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<Cents>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_named_by_two_letters() {
        assert_eq!(("es".parse(), "en".parse()), (Ok(Lang::Es), Ok(Lang::En)));
        assert!("de".parse::<Lang>().is_err());
    }

    #[test]
    fn a_remedy_is_named_as_the_log_writes_it() {
        let (hand, place, amount) = (HandId::first(2), Place::Bank, 5);
        for remedy in [
            Remedy::Burn { place, cards: 1 },
            Remedy::PutBack { place, cards: 1 },
            Remedy::VoidBet { hand },
            Remedy::ReturnBet { hand, spot: BetSpot::Main },
            Remedy::Serve { to: place },
            Remedy::Authorize { what: Permit::Shuffle },
            Remedy::Announce { what: Permit::NextCardsForBank },
            Remedy::AskConsent { hand },
            Remedy::Offer { hand, options: [Taken::Withdraw, Taken::Play] },
            Remedy::Collect { hand, amount: None, spot: BetSpot::Main },
            Remedy::Pay { hand, amount, spot: BetSpot::Main },
            Remedy::Identify { place },
            Remedy::Rule,
        ] {
            assert_eq!(serde_json::to_value(remedy).unwrap()["do"], remedy.name());
        }
    }
}
