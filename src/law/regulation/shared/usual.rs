//! The figures that every house begins with; its own are told in its folder.

use crate::table::event::Face;
use crate::table::settings::{
    self, BankAce, BankSecond, Banker, BurnedFirst, DoubleOn, FirstHand, Insured, LaterAce, LostCards, Misdealt, Pairs,
    Rate, Roles, RunOut, Settings, Side, Span, Surrender,
};

/// The bank gets its second card after play. No doubling, splitting, insurance or surrender. The house banks, and the
/// room decides on a misdealt card.
pub(crate) const USUAL: Settings = Settings {
    decks: settings::Decks { min: 1, max: u32::MAX },
    seating: settings::Seating { min_bets: 0, min_seated: 0, max_seated: 7 },
    shoe: settings::Shoe {
        cut_deeper_than: 0,
        behind_cut_card: Span(0, u32::MAX),
        behind_cut_card_each: 0,
        cards_run_out: RunOut::Room,
    },
    delivery: settings::Delivery {
        banker: Banker::House,
        first_hand_keeps_bank: FirstHand::EachBanker,
        first_box: Side::Left,
        bank_second_card: BankSecond::AfterPlay,
        strict_rounds: true,
        misdealt: Misdealt::Room,
        burned_first: BurnedFirst::Oldest,
    },
    bank: settings::Bank {
        stands: 17,
        hits_soft_17: false,
        ace: BankAce::Best,
        later_ace: LaterAce::Within21,
        draws_against_blackjacks: true,
    },
    play: settings::Play { ace_is_declared: false, hit_at_21: true },
    pays: settings::Pays {
        losers_first: false,
        blackjack: Rate { pays: 3, per: 2 },
        blackjack_at_once: false,
        blackjack_early: false,
        blackjack_beats_21: true,
        even_money: false,
        split_blackjack: true,
        split_ten_blackjack: Rate { pays: 3, per: 2 },
        split_ace_blackjack: Rate { pays: 1, per: 1 },
    },
    double: settings::Double { on: DoubleOn::Never, after_split: false, is_offered: false, card: Face::Up },
    split: settings::Split { pairs: Pairs::Value, max_hands: 1, aces_one_card: false, aces_again: true },
    insurance: settings::Insurance {
        when: Insured::Never,
        pays: Rate { pays: 2, per: 1 },
        part: Rate { pays: 1, per: 2 },
        may_be_less: false,
    },
    stakes: settings::Stakes {
        surrender: Surrender::Never,
        chip: 1,
        forgotten_bet: false,
        late_bet_is_void: false,
        bet_multiple: 1,
        insurance_multiple: 1,
        max_to_min: Span(1, u32::MAX),
        of_lost_cards: LostCards::Lose,
    },
    remedy: settings::Authorities {
        may_rule: Roles::of(&["room"]),
        may_correct: Roles::of(&["inspector", "table_chief", "room"]),
        late_entries: true,
    },
};
