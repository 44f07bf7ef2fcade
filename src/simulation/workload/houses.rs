//! The houses that are dealt for, and the figures each deals by: what its text says, written down here a second time.

use sabot_law::table::event::Face;
use sabot_law::table::settings::{
    BankAce, BankSecond, Banker, Changes, DoubleOn, FirstHand, Insured, LaterAce, Pairs, Side, Span, Surrender,
};
use sabot_law::table::{Cents, Limits, Rate};

/// Figures by the names of the settings that change them.
macro_rules! book {
    ($($name:ident: $kind:ty = $usual:expr,)+) => {
        /// What a house deals by.
        #[derive(Debug, Clone, Copy)]
        #[allow(clippy::struct_excessive_bools)] // each is a rule of its own
        pub struct Book {
            $(pub(super) $name: $kind,)+
        }

        /// What the houses have in common.
        const USUAL: Book = Book { $($name: $usual,)+ };

        /// The settings of which another figure is dealt by.
        const DEALT_BY: &[&str] = &[$(stringify!($name)),+];

        impl Book {
            /// These figures with a house's changes.
            pub(super) fn changed(self, changes: &Changes) -> Self {
                Self { $($name: changes.$name.unwrap_or(self.$name),)+ }
            }
        }
    };
}

book! {
    min_decks: u32 = 6,
    max_decks: u32 = 6,
    min_bets: usize = 1,
    min_seated: usize = 1,
    max_seated: usize = 7,
    cut_deeper_than: u32 = 0,
    behind_cut_card: Span = Span(40, 64),
    behind_cut_card_each: u32 = 0,
    banker: Banker = Banker::House,
    first_hand_keeps_bank: FirstHand = FirstHand::EachBanker,
    first_box: Side = Side::Left,
    bank_second_card: BankSecond = BankSecond::AfterPlay,
    bank_stands: u8 = 17,
    bank_hits_soft_17: bool = false,
    bank_ace: BankAce = BankAce::Best,
    bank_later_ace: LaterAce = LaterAce::Within21,
    bank_draws_against_blackjacks: bool = true,
    ace_is_declared: bool = false,
    hit_at_21: bool = true,
    losers_first: bool = false,
    blackjack: Rate = Rate { pays: 3, per: 2 },
    blackjack_at_once: bool = false,
    blackjack_may_be_early: bool = false,
    blackjack_beats_21: bool = true,
    even_money: bool = false,
    split_blackjack: bool = true,
    split_ten_blackjack: Rate = Rate { pays: 3, per: 2 },
    split_ace_blackjack: Rate = Rate { pays: 1, per: 1 },
    double_on: DoubleOn = DoubleOn::Never,
    double_after_split: bool = false,
    double_card: Face = Face::Up,
    pairs: Pairs = Pairs::Value,
    max_hands: u8 = 1,
    split_aces_one_card: bool = false,
    split_aces_again: bool = true,
    insurance_when: Insured = Insured::Never,
    insurance: Rate = Rate { pays: 2, per: 1 },
    insurance_part: Rate = Rate { pays: 1, per: 2 },
    insurance_may_be_less: bool = false,
    surrender: Surrender = Surrender::Never,
    chip: Cents = 1,
    forgotten_bet: bool = false,
    bet_multiple: Cents = 1,
    insurance_multiple: Cents = 1,
}

/// Settings that change nothing about a pass by the book.
const IDLE: &[&str] = &[
    "strict_rounds",
    "misdealt",
    "burned_first",
    "double_is_offered",
    "late_bet_is_void",
    "max_to_min",
    "stake_of_lost_cards",
    "may_rule",
    "may_correct",
    "late_entries",
];

/// Settings that make another game of a house.
const FORM: &[&str] = &["banker", "bank_second_card", "insurance_when"];

/// A house that is dealt for.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a habit of its own
pub struct House {
    /// The identifier of its regulation.
    pub id: &'static str,
    /// Least and most of a main bet.
    pub(super) limits: Limits,
    /// Stakes are multiples of this.
    pub(super) unit: Cents,
    /// An inspector authorises every shuffle.
    pub(super) inspected: bool,
    /// Who sits bets on the own box in every pass.
    pub(super) everybody_bets: bool,
    /// And on no other.
    pub(super) own_box_only: bool,
    /// Of a hundred shuffles, how many are cut.
    pub(super) cuts: u32,
    /// Its figures.
    pub(super) book: Book,
}

/// Every house that is dealt for.
pub static ALL: &[&House] = &[&SALA_8, &TALLA, &CLUB, &CROUPIER_6];

/// Stakes as a casino has them.
const CASINO: Limits = Limits { min: 50_000, max: 5_000_000 };

static SALA_8: House = House {
    id: "sala-8",
    limits: CASINO,
    unit: 10_000,
    inspected: true,
    everybody_bets: true,
    own_box_only: false,
    cuts: 100,
    book: Book {
        min_decks: 8,
        max_decks: 10,
        min_bets: 3,
        min_seated: 3,
        cut_deeper_than: 50,
        bank_second_card: BankSecond::Covered,
        bank_ace: BankAce::Kept,
        ace_is_declared: true,
        hit_at_21: false,
        losers_first: true,
        double_on: DoubleOn::Eleven,
        double_card: Face::Down,
        max_hands: 2,
        insurance_when: Insured::OwnAce,
        ..USUAL
    },
};

static TALLA: House = House {
    id: "talla",
    limits: Limits { min: 100, max: 10_000 },
    unit: 100,
    inspected: false,
    everybody_bets: false,
    own_box_only: false,
    cuts: 70,
    book: Book {
        min_decks: 2,
        max_decks: 6,
        banker: Banker::OnBlackJack,
        first_box: Side::Right,
        blackjack: Rate { pays: 2, per: 1 },
        even_money: true,
        split_ten_blackjack: Rate { pays: 1, per: 1 },
        double_on: DoubleOn::Any,
        pairs: Pairs::Figures,
        max_hands: 4,
        split_aces_one_card: true,
        insurance_when: Insured::AfterPlay,
        surrender: Surrender::Early,
        chip: 100,
        forgotten_bet: true,
        ..USUAL
    },
};

static CLUB: House = House {
    id: "club",
    limits: Limits { min: 100, max: 5_000 },
    unit: 10,
    inspected: false,
    everybody_bets: true,
    own_box_only: true,
    cuts: 100,
    book: Book {
        min_decks: 2,
        max_decks: 2,
        behind_cut_card_each: 3,
        banker: Banker::ByTurn,
        first_box: Side::Right,
        blackjack_at_once: true,
        split_blackjack: false,
        split_ten_blackjack: Rate { pays: 1, per: 1 },
        double_on: DoubleOn::NineToEleven,
        double_after_split: true,
        max_hands: 8,
        split_aces_one_card: true,
        split_aces_again: false,
        insurance_when: Insured::BeforePlay,
        insurance_may_be_less: true,
        bet_multiple: 10,
        insurance_multiple: 5,
        ..USUAL
    },
};

static CROUPIER_6: House = House {
    id: "croupier-6",
    limits: CASINO,
    unit: 10_000,
    inspected: false,
    everybody_bets: false,
    own_box_only: false,
    cuts: 100,
    book: Book { blackjack_may_be_early: true, ..USUAL },
};

impl House {
    /// The house whose regulation bears that identifier.
    ///
    /// # Errors
    /// When nobody deals for it.
    pub fn named(id: &str) -> Result<&'static Self, UnknownHouse> {
        ALL.iter().copied().find(|house| house.id == id).ok_or_else(|| UnknownHouse(id.into()))
    }

    /// Its figures.
    #[must_use]
    pub const fn book(&self) -> &Book {
        &self.book
    }

    /// Whether the bank has its second card covered, from the delivery on.
    #[must_use]
    pub fn covers_bank(&self) -> bool {
        self.book.bank_second_card == BankSecond::Covered
    }

    /// Whether another figure of that setting is dealt by.
    #[must_use]
    pub fn heeds(&self, setting: &str) -> bool {
        IDLE.contains(&setting) || (DEALT_BY.contains(&setting) && !FORM.contains(&setting))
    }
}

/// An identifier of no house that is dealt for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no dealer deals under `{0}`; there is one for {list}", list = ids())]
pub struct UnknownHouse(String);

fn ids() -> String {
    ALL.iter().map(|house| house.id).collect::<Vec<_>>().join(", ")
}
