//! `club`: two decks, nothing covered, a bank that passes from participant to participant at every shuffle and belongs
//! to all of them; a card dealt by mistake goes back where it was.

mod breaks;
pub mod kinds;
mod session;
mod shuffle;

use super::open::{DoubleOn, Insured, Open, Pairs, Pays, Point, Rules, Side, SplitBlackJack, Surrender, law};
use super::*;

/// Stakes are multiples of this.
const UNIT: Cents = 10;

/// `club`.
pub static HOUSE: House = House {
    id: "club",
    kinds: kinds::ALL,
    unit: UNIT,
    limits: Limits { min: 100, max: 5_000 },
    game: Game::Open(&RULES),
    heeded: &[],
    can_break: house::any,
};

static RULES: Rules = Rules {
    decks: 2,
    refills: true,
    close_binds: false,
    // as many as there are participants, three each: see `shuffle`
    behind: (6, 21),
    first_box: Side::Right,
    blackjack: Pays { pays: 3, per: 2, split: SplitBlackJack::TwentyOne },
    blackjack_at_once: true,
    double_on: DoubleOn::NineToEleven,
    double_after_split: true,
    pairs: Pairs::Value,
    max_hands: 8,
    aces_again: false,
    insurance: Insured::BeforePlay,
    insurance_may_be_less: true,
    insurance_at_once: false,
    insurance_unit: 5,
    surrender: Surrender::Never,
    even_money: false,
    possible: breaks::possible,
    at,
};

/// What the house does of its own at a point.
fn at(table: &mut Open<'_>, point: Point) -> Flow<bool> {
    match point {
        Point::People => {
            table.session_begins();
            return Ok(true);
        }
        Point::Shoe => {
            table.prepare_shoe();
            return Ok(true);
        }
        Point::BeforeBets => table.break_between_plays(),
        Point::Bets => {
            table.all_but_the_banker_bet();
            return Ok(true);
        }
        Point::BeforeClose => table.break_stakes(),
        Point::Closed => table.advance_late(),
        Point::First(0) => table.first_card_is_no_cut_card()?,
        Point::Pays(amount) => table.bank_holds(amount),
        Point::CutCard(place) => table.cut_card_was_for(place),
        Point::Empty => table.shuffle_the_retired()?,
        Point::Turn(hand) => table.break_turn(hand)?,
        Point::TurnOver(hand) => table.break_turn_over(hand),
        Point::Ended => table.round_may_be_over(),
        _ => {}
    }
    Ok(false)
}

impl Open<'_> {
    /// Everybody has to play every hand, on the own box; who banks does not bet.
    fn all_but_the_banker_bet(&mut self) {
        let mut idle = None;
        if self.takes(kinds::A6_IDLE) {
            self.at_close.push((kinds::A6_IDLE, None));
            let banker = self.rota.banker.clone();
            idle = self.seated_player(banker.as_ref());
        }
        for seat in 0..self.seats.len() {
            let player = self.seats[seat].clone().filter(|player| {
                let who = Some(player);
                who != self.rota.banker.as_ref() && who != idle.as_ref()
            });
            if let Some(player) = player {
                self.bet_on(seat as u8 + 1, player, true);
            }
        }
    }

    /// A play whose first card would be the cut card does not begin.
    fn first_card_is_no_cut_card(&mut self) -> Flow {
        if !self.shoe.cut_card_is_next() {
            return Ok(());
        }
        let first = Place::from(self.hands[0].id);
        self.cut_card_comes_out();
        self.cut_card_was_for(first);
        if self.takes(kinds::G22_BEGUN) {
            let card = self.draw(first, Face::Up)?;
            let row = self.found(kinds::G22_BEGUN, Some(first));
            if self.unremedied {
                self.left_open(row);
                self.hands[0].stray += 1;
            } else {
                self.take_cards(first, Place::Shoe, Some(1));
                self.shoe.put_back(card);
                self.cleared(row);
            }
        } else if self.chance(50) {
            for hand in std::mem::take(&mut self.hands) {
                self.put(hand.id, BetSpot::Main, 0, None);
            }
        }
        Err(PassVoid)
    }
}
