//! The figures a regulation goes by, and its readings of what the text leaves open. A house may change each by name.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Cents;
use super::event::Face;
use super::object::given;

/// A proportion, written `"3:2"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
        sabot_words::text::parsed(deserializer)
    }
}

/// Least and most of something, written `[40, 64]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(expecting = "a list `[least, most]`")]
pub struct Span(pub u32, pub u32);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.0, self.1)
    }
}

/// Words for the offices that may do something, written as a list: `["room"]`. At most 6, each of at most 24 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Roles([[u8; Self::LONGEST]; Self::MOST]);

impl Roles {
    const LONGEST: usize = 24;
    const MOST: usize = 6;

    /// Those words.
    ///
    /// # Panics
    /// Where there are too many, or one is too long: at compile time, as they are built in.
    #[must_use]
    pub const fn of(words: &[&str]) -> Self {
        let mut roles = Self([[0; Self::LONGEST]; Self::MOST]);
        let mut n = 0;
        while n < words.len() {
            let (head, _) = roles.0[n].split_at_mut(words[n].len());
            head.copy_from_slice(words[n].as_bytes());
            n += 1;
        }
        roles
    }

    /// Whether a word is among them.
    #[must_use]
    pub fn has(&self, role: &str) -> bool {
        self.words().any(|word| word == role)
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        let used = |word: &[u8; Self::LONGEST]| word.iter().position(|&byte| byte == 0).unwrap_or(Self::LONGEST);
        let text = move |word| core::str::from_utf8(&<[u8; Self::LONGEST]>::as_slice(word)[..used(word)]).unwrap_or("");
        self.0.iter().map(text).filter(|word| !word.is_empty())
    }
}

impl fmt::Debug for Roles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.words()).finish()
    }
}

impl fmt::Display for Roles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl Serialize for Roles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.words())
    }
}

impl<'de> Deserialize<'de> for Roles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let words = alloc::vec::Vec::<super::Name>::deserialize(deserializer)?;
        let fits = |word: &super::Name| (1..=Self::LONGEST).contains(&word.len()) && !word.contains('\0');
        if words.len() > Self::MOST || !words.iter().all(fits) {
            let why = "an office is a word of at most 24 bytes, and at most 6 are named";
            return Err(serde::de::Error::custom(why));
        }
        let words: alloc::vec::Vec<&str> = words.iter().map(super::Name::as_str).collect();
        Ok(Self::of(&words))
    }
}

sabot_words::words! {
    "a reading of the bank's later ace";
    /// When a later ace of the bank counts 11 (Reading 5).
    #[derive(Default)]
    pub enum LaterAce {
        /// Where the sum then lies in 17 to 21.
        #[default]
        Within21 = "within_21",
        /// Wherever the sum is then 17 or more, over 21 included.
        From17 = "from_17",
    }
}
sabot_words::words! {
    "a reading of a hand whose cards went astray";
    /// What becomes of the stake of a hand whose cards went astray (Reading 8).
    pub enum LostCards {
        /// It is lost.
        Lose = "lose",
        /// It is returned.
        Void = "void",
    }
}

sabot_words::words! {
    "a banker";
    /// Who banks.
    pub enum Banker {
        /// The house.
        House = "house",
        /// A player, until a Black Jack moves the bank.
        OnBlackJack = "on_blackjack",
        /// The players by turn, at every new shoe.
        ByTurn = "by_turn",
    }
}
sabot_words::words! {
    "a time for the bank's second card";
    /// When the bank is served its second card.
    pub enum BankSecond {
        /// In the second delivery, covered.
        Covered = "covered",
        /// Uncovered, when every hand has been played.
        AfterPlay = "after_play",
    }
}
sabot_words::words! {
    "a side";
    /// Where delivery and play begin, as the dealer sees it: box 1 lies at his left.
    pub enum Side {
        /// With the lowest box.
        Left = "left",
        /// With the highest box.
        Right = "right",
    }
}
sabot_words::words! {
    "a reading of the bank's aces";
    /// How the bank counts its aces.
    pub enum BankAce {
        /// As D13 lists it, and once counted for good.
        Kept = "kept",
        /// 11 unless that goes over 21, seen anew with each card.
        Best = "best",
    }
}
sabot_words::words! {
    "a rule of doubling";
    /// Which two cards may be doubled.
    pub enum DoubleOn {
        /// None.
        Never = "never",
        /// Eleven without an ace.
        Eleven = "eleven",
        /// 9, 10 or 11, an ace taken as 1 or 11; no Black Jack.
        NineToEleven = "nine_to_eleven",
        /// Any but a Black Jack.
        Any = "any",
    }
}
sabot_words::words! {
    "a rule of pairs";
    /// Which two cards are a pair.
    pub enum Pairs {
        /// Equal in value, tens and figures alike.
        Value = "value",
        /// Equal in number; figures pair with figures, a ten with a ten.
        Figures = "figures",
    }
}
sabot_words::words! {
    "a rule of insurance";
    /// What insurance is against, and when it may be placed.
    pub enum Insured {
        /// There is none.
        Never = "never",
        /// A bettor's first card, an ace: against his own second card, before that comes.
        OwnAce = "own_ace",
        /// The bank's ace: against its Black Jack, after the delivery and before the first card of play.
        BeforePlay = "before_play",
        /// The bank's ace: against its Black Jack, when all have played and before its second card.
        AfterPlay = "after_play",
    }
}
sabot_words::words! {
    "a rule of surrender";
    /// Whether half a stake may be given up.
    pub enum Surrender {
        /// No.
        Never = "never",
        /// On two cards, whatever the bank turns out to have.
        Early = "early",
        /// On two cards; a Black Jack of the bank takes the whole stake all the same.
        Late = "late",
    }
}
sabot_words::words! {
    "a first hand";
    /// Whose first hand moves no bank (T-B6).
    pub enum FirstHand {
        /// The first of everybody who gets the bank.
        EachBanker = "each_banker",
        /// The first of all.
        Session = "session",
    }
}
sabot_words::words! {
    "a rule of misdealt cards";
    /// What becomes of a card dealt by mistake.
    pub enum Misdealt {
        /// It is burned.
        Burn = "burn",
        /// It goes back to the shoe, in its previous position.
        Back = "back",
        /// The room decides.
        Room = "room",
    }
}

sabot_words::words! {
    "an order of undue cards";
    /// Which undue card goes to the burn tray first where only their number is told.
    pub enum BurnedFirst {
        /// The one that has been there longest.
        Oldest = "oldest",
        /// The last one dealt.
        Last = "last",
    }
}

sabot_words::words! {
    "a rule of a shoe that runs out";
    /// What is done when the cards do not suffice to finish a pass.
    pub enum RunOut {
        /// The pass is void.
        Void = "void",
        /// Those cleared are shuffled anew, and the pass is finished with them.
        Reshuffle = "reshuffle",
        /// The room decides.
        Room = "room",
    }
}

/// Settings by group, and the changes a house makes to them. A group's field is followed by its name in files.
macro_rules! settings {
    ($($(#[doc = $about:literal])+ $group:ident: $of:ident {
        $($(#[doc = $doc:literal])+ $field:ident = $name:ident: $kind:ty,)+
    })+) => {
        $($(#[doc = $about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $of {
            $($(#[doc = $doc])+ pub $field: $kind,)+
        })+

        /// The figures in force.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Settings {
            $($(#[doc = $about])+ pub $group: $of,)+
        }

        /// Settings a house changes, by name; those left out stay as its regulation has them.
        #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Changes {
            $($($(#[doc = $doc])+ #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "given")] pub $name: Option<$kind>,)+)+
        }

        impl Settings {
            /// Every setting: its name, what it says, and its value as a file writes it.
            #[must_use]
            pub fn list(&self) -> alloc::vec::Vec<(&'static str, &'static str, String)> {
                alloc::vec![$($((stringify!($name), concat!($($doc),+), self.$group.$field.shown())),+),+]
            }

            /// The names of all of them.
            pub const NAMES: &'static [&'static str] = &[$($(stringify!($name)),+),+];

            /// A setting's value as a file writes it, by its name.
            #[must_use]
            pub fn value(&self, name: &str) -> Option<String> {
                match name {
                    $($(stringify!($name) => Some(self.$group.$field.shown()),)+)+
                    _ => None,
                }
            }

            /// These settings with a house's changes.
            #[must_use]
            pub fn changed(mut self, changes: &Changes) -> Self {
                $($(if let Some(value) = &changes.$name { self.$group.$field = *value; })+)+
                self
            }
        }

        impl Changes {
            /// These changes and, over them, others.
            #[must_use]
            pub fn then(&self, other: &Self) -> Self {
                Self { $($($name: other.$name.or(self.$name),)+)+ }
            }

            /// Nothing is changed.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                $($(self.$name.is_none())&&+)&&+
            }

            /// The names of the settings that are changed.
            #[must_use]
            pub fn names(&self) -> alloc::vec::Vec<&'static str> {
                let all = [$($((stringify!($name), self.$name.is_some())),+),+];
                all.into_iter().filter(|(_, changed)| *changed).map(|(name, _)| name).collect()
            }
        }
    };
}

settings! {
    /// The decks of a shoe.
    decks: Decks {
        /// Fewest decks in the shoe (M1).
        min = min_decks: u32,
        /// Most decks in the shoe (K1, A2).
        max = max_decks: u32,
    }
    /// Who sits and bets.
    seating: Seating {
        /// Fewest bets in a pass (D1).
        min_bets = min_bets: usize,
        /// Fewest seated players in the first pass of a shoe (D1).
        min_seated = min_seated: usize,
        /// Most people at the table, a banker among them included (K3, A1).
        max_seated = max_seated: usize,
    }
    /// How a shoe is cut, and how it ends.
    shoe: Shoe {
        /// The cut must be deeper than this, in cards (D6, Reading 9).
        cut_deeper_than = cut_deeper_than: u32,
        /// Cards behind the cut card, fewest and most (D7, Reading 9).
        behind_cut_card = behind_cut_card: Span,
        /// Cards behind the cut card for each participant; 0 where `behind_cut_card` says it (A3).
        behind_cut_card_each = behind_cut_card_each: u32,
        /// What is done when the cards do not suffice to finish a pass (D7, G21).
        cards_run_out = cards_run_out: RunOut,
    }
    /// Who deals to whom, and in which order.
    delivery: Delivery {
        /// Who banks (T-B5, A4).
        banker = banker: Banker,
        /// Whose first hand moves no bank (T-B6).
        first_hand_keeps_bank = first_hand_keeps_bank: FirstHand,
        /// Where delivery and play begin: with the box at the dealer's left, or at his right (D8, T-Q2, G6).
        first_box = first_box: Side,
        /// When the bank is served its second card (D8, T-Q2, G6, K9).
        bank_second_card = bank_second_card: BankSecond,
        /// Whether a card of the delivery out of its round is misdealt; else it counts, and is told (T-Q2, G6, K9).
        strict_rounds = strict_rounds: bool,
        /// What becomes of a card dealt by mistake (C5, T-Q10, G24, K0).
        misdealt = misdealt: Misdealt,
        /// Which undue card is burned first where only their number is told (C5, T-Q10).
        burned_first = burned_first: BurnedFirst,
    }
    /// How the bank plays.
    bank: Bank {
        /// The bank stands from here (D12).
        stands = bank_stands: u8,
        /// Whether the bank draws on a 17 in which an ace counts 11 (T-Q8, G10).
        hits_soft_17 = bank_hits_soft_17: bool,
        /// How the bank counts its aces (D13, T-Q9).
        ace = bank_ace: BankAce,
        /// When the bank's ace, third card or later, counts 11 (D13, Reading 5).
        later_ace = bank_later_ace: LaterAce,
        /// Whether the bank draws when only Black Jacks are left in play (D12, Reading 11).
        draws_against_blackjacks = bank_draws_against_blackjacks: bool,
    }
    /// How bettors play.
    play: Play {
        /// Whether a bettor declares an ace among his first two cards, for good (D10).
        ace_is_declared = ace_is_declared: bool,
        /// Whether a bettor may ask for a card at 21 (K10, G9).
        hit_at_21 = hit_at_21: bool,
    }
    /// What bets are paid, and when.
    pays: Pays {
        /// Whether losing stakes are collected before any bet is paid (D9); else each hand is settled in its turn
        /// (T-Q3, G5).
        losers_first = losers_first: bool,
        /// A Black Jack pays (F1).
        blackjack = blackjack: Rate,
        /// Whether it is paid at once where the bank cannot have one (G7).
        blackjack_at_once = blackjack_at_once: bool,
        /// Whether it may be paid before the bank plays where the bank cannot have one (G7, K14).
        blackjack_early = blackjack_may_be_early: bool,
        /// Whether it beats a 21 of more cards, a bank's likewise; else the two tie (M2, T-B1, G4, K13).
        blackjack_beats_21 = blackjack_beats_21: bool,
        /// Whether it may be paid single before the bank's second card, where the bank shows an ace (T-S9).
        even_money = even_money: bool,
        /// Whether an ace with a ten-value card is Black Jack in a split hand too (T-B9, G15).
        split_blackjack = split_blackjack: bool,
        /// A Black Jack after opening a pair of ten-values pays (O2, Reading 7).
        split_ten_blackjack = split_ten_blackjack: Rate,
        /// A Black Jack on a split ace pays (O3).
        split_ace_blackjack = split_ace_blackjack: Rate,
    }
    /// Doubling.
    double: Double {
        /// Which two cards may be doubled (O1, T-X3, G12).
        on = double_on: DoubleOn,
        /// Whether a split hand may be doubled, and must be asked (O1, Reading 10).
        after_split = double_after_split: bool,
        /// Whether the dealer asks about doubling wherever it may be, and a card that comes unasked is valid (C8, G12).
        is_offered = double_is_offered: bool,
        /// Which way the double's card lies (O1).
        card = double_card: Face,
    }
    /// Splitting.
    split: Split {
        /// Which two cards are a pair (O2, T-P5, G13).
        pairs = pairs: Pairs,
        /// Most hands a box may be split into, 1 to 8 (O2, T-P3, G13).
        max_hands = max_hands: u8,
        /// Whether a split ace gets one card only (T-P4, G14).
        aces_one_card = split_aces_one_card: bool,
        /// Whether a split ace that gets another ace may be split again (T-P4, G14).
        aces_again = split_aces_again: bool,
    }
    /// Insurance, or challenge.
    insurance: Insurance {
        /// What insurance is against, and when it may be placed (O4, T-S4, G16).
        when = insurance_when: Insured,
        /// Insurance pays (O4).
        pays = insurance: Rate,
        /// Insurance is this part of the stake (O4).
        part = insurance_part: Rate,
        /// Whether it may be less (O4, T-S2, G16).
        may_be_less = insurance_may_be_less: bool,
    }
    /// Stakes, and what is given up of them.
    stakes: Stakes {
        /// Whether half a stake may be given up (T-R1).
        surrender = surrender: Surrender,
        /// One chip, to which odd halves are rounded up and which who forgot to bet may place; in cents (T-S3, T-R3,
        /// T-Q4).
        chip = chip: Cents,
        /// Whether who forgot to bet may place one chip after the first card (T-Q4).
        forgotten_bet = forgotten_bet: bool,
        /// Whether a bet that comes too late is void whatever is dealt to it (K7); else one refused before the first
        /// card and dealt to all the same plays.
        late_bet_is_void = late_bet_is_void: bool,
        /// Main bets are multiples of this (A5).
        bet_multiple = bet_multiple: Cents,
        /// Insurances are multiples of this (A5).
        insurance_multiple = insurance_multiple: Cents,
        /// The greatest bet is so many times the least, at least and at most (A5).
        max_to_min = max_to_min: Span,
        /// What becomes of the stake of a hand whose cards went to the discard tray (C15, Reading 8).
        of_lost_cards = stake_of_lost_cards: LostCards,
    }
    /// Who may put right what happened, and how.
    remedy: Authorities {
        /// Roles that may rule on a finding (C20, Reading 22).
        may_rule = may_rule: Roles,
        /// Roles that may correct the log.
        may_correct = may_correct: Roles,
        /// Whether a choice told after its card counts as made before it.
        late_entries = late_entries: bool,
    }
}

impl Settings {
    /// Half a stake as it is given up: an odd half is rounded up to a whole chip, but never beyond the stake (T-R3).
    #[must_use]
    pub const fn half(&self, stake: Cents) -> Cents {
        self.part(stake, Rate { pays: 1, per: 2 })
    }

    /// What insures a stake: its part, rounded up in the same way (T-S3).
    #[must_use]
    pub const fn insured(&self, stake: Cents) -> Cents {
        self.part(stake, self.insurance.part)
    }

    /// Whether an amount insures what may be insured with `most`: that and, where it may be, less.
    #[must_use]
    pub const fn takes_insurance(&self, amount: Cents, most: Cents) -> bool {
        amount == most || (self.insurance.may_be_less && amount < most)
    }

    const fn part(&self, stake: Cents, part: Rate) -> Cents {
        let chip = if self.stakes.chip == 0 { 1 } else { self.stakes.chip };
        let rounded = stake.saturating_mul(part.pays).div_ceil(part.per).div_ceil(chip).saturating_mul(chip);
        if rounded > stake { stake } else { rounded }
    }

    /// The bank is served its second card in the delivery, covered.
    #[must_use]
    pub const fn bank_is_covered(&self) -> bool {
        matches!(self.delivery.bank_second_card, BankSecond::Covered)
    }

    /// How many cards the bank gets before play.
    #[must_use]
    pub const fn bank_cards_before_play(&self) -> u8 {
        if self.bank_is_covered() { 2 } else { 1 }
    }

    /// Cards that run out in a pass are shuffled anew, and it is finished with them.
    #[must_use]
    pub const fn reshuffles(&self) -> bool {
        matches!(self.shoe.cards_run_out, RunOut::Reshuffle)
    }

    /// Insurance is against the bank's Black Jack.
    #[must_use]
    pub const fn insures_against_bank(&self) -> bool {
        matches!(self.insurance.when, Insured::BeforePlay | Insured::AfterPlay)
    }
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
shown!(Roles, u32, usize, u8, u64, bool, Span;
    quoted Rate, LaterAce, LostCards, Face, Banker, BankSecond, Side, BankAce, DoubleOn, Pairs, Insured, Surrender,
    FirstHand, Misdealt, BurnedFirst, RunOut);

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
