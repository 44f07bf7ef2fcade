//! `sala-8`: the game with a covered bank card.
//!
//! The flow of a pass is one file a part: `opening` (people, shoe, bets), `deal`, `play`, `bank` (to the end). At named
//! points it asks whether the break in hand belongs there; what is done then stands under `breaks/`, in files of the
//! same names.

mod bank;
mod book;
mod breaks;
mod deal;
pub mod kinds;
mod opening;
mod play;

use core::ops::{Deref, DerefMut};

use self::book::Book;
use self::book::HEEDED;
use super::*;
use crate::dealer::naive::sala8 as law;

/// `sala-8`.
pub static HOUSE: House = House {
    id: "sala-8",
    kinds: kinds::ALL,
    unit: STEP,
    limits: house::LIMITS,
    game: Game::Covered,
    heeded: HEEDED,
    can_break,
};

/// Whether a house with those changes can be broken so.
fn can_break(kind: Kind, changes: &Changes) -> bool {
    Book::of(changes).allows(kind)
}

/// A pass at a table of the house.
pub(super) struct Sala8<'a> {
    table: &'a mut SimulatedDealer,
    book: Book,
    bank_shown: bool,
    /// The bank's second card was left out and nobody has noticed.
    bank_short: bool,
    /// A bettor was asked something other than about insurance.
    play_begun: bool,
    /// The hand that doubled and was not given its card.
    passed_double: Option<(usize, Kind)>,
    /// The hand that was not asked what it should have been, until a card shows it.
    unasked: Option<(usize, Kind)>,
    /// The hand a delivery has left out.
    undealt: Option<(usize, Kind)>,
    /// The hand that was not played when the bank began.
    forgotten: Option<usize>,
    /// Where cards are left at the end, and whether the bet is too.
    left_at_end: Option<(Place, bool)>,
    /// The shoe is said to be empty after so many more cards.
    empty_after: Option<usize>,
}

impl Deref for Sala8<'_> {
    type Target = SimulatedDealer;

    fn deref(&self) -> &SimulatedDealer {
        self.table
    }
}

impl DerefMut for Sala8<'_> {
    fn deref_mut(&mut self) -> &mut SimulatedDealer {
        self.table
    }
}

impl<'a> Sala8<'a> {
    /// A pass that has not begun.
    pub(super) fn at(table: &'a mut SimulatedDealer) -> Self {
        Self {
            book: Book::of(&table.settings.changes),
            table,
            bank_shown: false,
            bank_short: false,
            play_begun: false,
            passed_double: None,
            unasked: None,
            undealt: None,
            forgotten: None,
            left_at_end: None,
            empty_after: None,
        }
    }

    /// The whole pass, from the people to its end; the line of that.
    pub(super) fn pass(mut self) -> LineNo {
        if self.deal_pass().is_err() {
            self.void_all();
        }
        self.clear_felt();
        let end = self.emit(Event::End {});
        self.break_at_end();
        end
    }

    fn deal_pass(&mut self) -> Flow {
        self.people_come_and_go();
        self.prepare_shoe();
        self.break_between_passes()?;
        self.take_bets();
        self.stack_shoe(true);
        self.close_bets();
        self.first_delivery()?;
        self.second_delivery()?;
        self.play()?;
        self.bank_plays()?;
        self.settle()
    }

    /// A void pass has nothing left to play or settle; its cards are cleared all the same.
    fn void_all(&mut self) {
        for hand in 0..self.hands.len() {
            let Hand { id, insurance, .. } = self.hands[hand];
            let main = Owed::void(self.hands[hand].at_stake());
            self.settled.push(Settled { hand: id, spot: BetSpot::Main, owed: main });
            if insurance > 0 {
                self.settled.push(Settled { hand: id, spot: BetSpot::Insurance, owed: Owed::void(insurance) });
            }
        }
    }

    /// Draws a card to a place, the cut card before it where it lies there.
    fn draw(&mut self, to: Place, face: Face) -> Flow<Card> {
        if self.cut_card_comes_out() {
            self.break_after_cut_card();
        }
        self.break_when_empty()?;
        let Some(card) = self.next_card() else { return self.runs_empty() };
        self.lay(card, to, face);
        self.break_after_draw(to)?;
        Ok(card)
    }

    fn draw_to_hand(&mut self, hand: usize, face: Face) -> Flow {
        let to = self.hands[hand].id.into();
        let card = self.draw(to, face)?;
        self.hands[hand].cards.push(card);
        Ok(())
    }

    fn draw_to_bank(&mut self, face: Face) -> Flow {
        let card = self.draw(Place::Bank, face)?;
        self.bank.push(card);
        Ok(())
    }
}
