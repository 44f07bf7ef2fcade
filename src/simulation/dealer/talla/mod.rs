//! `talla`: a banker among the players, drawn by the highest card, and a bank that moves on a Black Jack; nothing
//! covered, everything from the dealer's right; doubles, splits, insurance after the play, and half a stake given up.

mod bets;
mod breaks;
pub mod kinds;
mod moves;

use rand::RngExt;

use super::open::{DoubleOn, Insured, Open, Pairs, Pays, Point, Remedy, Rules, Side, SplitBlackJack, Surrender, law};
use super::*;

/// The least chip.
const CHIP: Cents = 100;

/// `talla`.
pub static HOUSE: House = House {
    id: "talla",
    kinds: kinds::ALL,
    unit: CHIP,
    limits: Limits { min: CHIP, max: 100 * CHIP },
    game: Game::Open(&RULES),
    heeded: &[],
    can_break: house::any,
};

static RULES: Rules = Rules {
    // as many as the table likes: see `bets`
    decks: 4,
    refills: false,
    close_binds: false,
    behind: (40, 64),
    first_box: Side::Right,
    blackjack: Pays { pays: 2, per: 1, split: SplitBlackJack::Single },
    blackjack_at_once: false,
    double_on: DoubleOn::Any,
    double_after_split: false,
    pairs: Pairs::Figures,
    max_hands: 4,
    aces_again: true,
    insurance: Insured::AfterPlay,
    insurance_may_be_less: false,
    insurance_at_once: true,
    insurance_unit: CHIP,
    surrender: Surrender::Early,
    even_money: true,
    possible: moves::possible,
    at,
};

/// What the house does of its own at a point.
fn at(table: &mut Open<'_>, point: Point) -> Flow<bool> {
    match point {
        Point::People => {
            table.people_stay_with_the_bank();
            return Ok(true);
        }
        Point::Shoe => {
            table.shuffles_some_decks();
            return Ok(true);
        }
        Point::BeforeBets => table.bank_is_drawn_for(),
        Point::BeforeClose => table.break_first_stakes(),
        Point::First(0) => table.ten_and_figure(),
        Point::First(hand) => return table.bet_was_forgotten(hand),
        Point::BankFirst => {
            let hands = table.hands.len();
            table.bet_was_forgotten(hands)?;
        }
        Point::Second(_) => table.break_bet_too_late(),
        Point::Turn(hand) => return table.break_in_turn(hand),
        Point::TurnOver(hand) => table.break_after_playing(hand),
        Point::Offered(hand) => return Ok(table.break_offered(hand)),
        Point::Played => table.break_played()?,
        Point::BankStands => table.break_bank_stands(),
        Point::Settle(hand) => return Ok(table.break_settle(hand)),
        Point::Ended => table.bank_may_move(),
        _ => {}
    }
    Ok(false)
}
