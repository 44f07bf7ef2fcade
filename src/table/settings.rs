//! The figures a regulation goes by, and its readings of what the text leaves open. A house may change each by name.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Cents;

/// A proportion, written `"3:2"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// Paid for …
    pub pays: u64,
    /// … so much staked; not 0.
    pub per: u64,
}

impl Rate {
    /// What a stake is paid, whole units only.
    #[must_use]
    pub const fn of(self, stake: Cents) -> Cents {
        stake.saturating_mul(self.pays) / self.per
    }
}

impl FromStr for Rate {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once(':').map(|(pays, per)| (pays.trim().parse(), per.trim().parse()));
        match parts {
            Some((Ok(pays), Ok(per))) if per > 0 => Ok(Self { pays, per }),
            _ => Err("no proportion: write it such as \"3:2\""),
        }
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.pays, self.per)
    }
}

impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        super::text::parsed(deserializer)
    }
}

/// A number of cards, fewest and most, written `[40, 64]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span(pub u32, pub u32);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.0, self.1)
    }
}

super::event::words! {
    /// When a later ace of the bank counts 11 (Reading 5).
    #[derive(Default)]
    LaterAce, "a reading of the bank's later ace" {
        /// Where the sum then lies in 17 to 21.
        #[default]
        Within21 = "within_21",
        /// Wherever the sum is then 17 or more, over 21 included.
        From17 = "from_17",
    }
}
super::event::words! {
    /// What becomes of the stake of a hand whose cards went astray (Reading 8).
    Astray, "a reading of a hand whose cards went astray" {
        /// It is lost.
        Lose = "lose",
        /// It is returned.
        Void = "void",
    }
}

/// Settings, and the changes a house makes to them.
macro_rules! settings {
    ($($(#[doc = $doc:literal])+ $name:ident: $kind:ty,)+) => {
        /// The figures in force.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Settings {
            $($(#[doc = $doc])+ pub $name: $kind,)+
        }

        /// Settings a house changes, by name; those left out stay as its regulation has them.
        #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Changes {
            $($(#[doc = $doc])+ #[serde(skip_serializing_if = "Option::is_none")] pub $name: Option<$kind>,)+
        }

        impl Settings {
            /// Every setting: its name, what it says, and its value as a file writes it.
            #[must_use]
            pub fn list(&self) -> alloc::vec::Vec<(&'static str, &'static str, String)> {
                alloc::vec![$((stringify!($name), concat!($($doc),+), self.$name.shown())),+]
            }

            /// These settings with a house's changes.
            #[must_use]
            pub fn changed(mut self, changes: &Changes) -> Self {
                $(if let Some(value) = &changes.$name { self.$name = *value; })+
                self
            }
        }

        impl Changes {
            /// Nothing is changed.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                $(self.$name.is_none())&&+
            }
        }
    };
}

settings! {
    /// Fewest decks in the shoe (M1).
    min_decks: u32,
    /// Fewest bets in a pass (D1).
    min_bets: usize,
    /// Fewest seated players in the first pass of a shoe (D1).
    min_seated: usize,
    /// The cut must be deeper than this, in cards (D6, Reading 9).
    cut_deeper_than: u32,
    /// Cards behind the cut card, fewest and most (D7, Reading 9).
    behind_cut_card: Span,
    /// The bank stands from here (D12).
    bank_stands: u8,
    /// When the bank's ace, third card or later, counts 11 (D13, Reading 5).
    bank_later_ace: LaterAce,
    /// Whether the bank draws when only Black Jacks are left in play (D12, Reading 11).
    bank_draws_against_blackjacks: bool,
    /// A Black Jack pays (F1).
    blackjack: Rate,
    /// A Black Jack after opening a pair of ten-values pays (O2, Reading 7).
    split_ten_blackjack: Rate,
    /// A Black Jack on a split ace pays (O3).
    split_ace_blackjack: Rate,
    /// Whether a split hand of eleven may be doubled, and must be asked (O1, Reading 10).
    double_after_split: bool,
    /// Insurance pays (O4).
    insurance: Rate,
    /// Insurance is this part of the stake (O4).
    insurance_part: Rate,
    /// What becomes of the stake of a hand whose cards went to the discard tray (C15, Reading 8).
    stake_of_lost_cards: Astray,
}

/// A value as a TOML file writes it.
trait Shown {
    fn shown(&self) -> String;
}

macro_rules! shown {
    ($($kind:ty),* ; quoted $($quoted:ty),*) => {
        $(impl Shown for $kind { fn shown(&self) -> String { self.to_string() } })*
        $(impl Shown for $quoted { fn shown(&self) -> String { format!("\"{self}\"") } })*
    };
}
shown!(u32, usize, u8, bool, Span; quoted Rate, LaterAce, Astray);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_read_as_it_is_written() {
        assert_eq!("3:2".parse(), Ok(Rate { pays: 3, per: 2 }));
        for nonsense in ["", "3", "3:0", "3:2:1", "-3:2", "a:b"] {
            assert!(nonsense.parse::<Rate>().is_err(), "{nonsense}");
        }
    }

    #[test]
    fn changes_touch_only_what_they_name_and_refuse_names_there_are_not() {
        let changes: Changes = serde_json::from_str(r#"{"cut_deeper_than":60,"blackjack":"6:5"}"#).unwrap();
        let before = crate::regulation::sala8::SALA_8.settings.clone();
        let after = before.clone().changed(&changes);
        assert_eq!((after.cut_deeper_than, after.blackjack), (60, Rate { pays: 6, per: 5 }));
        assert_eq!(Settings { cut_deeper_than: 50, blackjack: before.blackjack, ..after }, before);
        assert!(serde_json::from_str::<Changes>(r#"{"cut":60}"#).is_err());
    }
}
