//! The game in which nothing lies covered: one card to every bet and one to the bank, a second to every bet, the play,
//! and only then the bank's second card and what it draws.
//!
//! The flow of a pass is one file a part: `opening` (people, shoe, bets), `deal`, `play`, `bank` (to the end).
//! [`Rules`] say what differs from house to house. At every [`Point`] the flow asks what the house has to do there of
//! its own, and does what breaks are shared (`acts`, `breaks`).

pub(super) mod acts;
mod bank;
mod breaks;
mod deal;
mod opening;
mod play;

use core::ops::{Deref, DerefMut};

pub(super) use super::act::{Act, Remedy};
use super::*;
pub(super) use crate::dealer::naive::open::{self as law, Pays, SplitBlackJack};
use sabot_law::table::Outcome;
use sabot_law::table::event::{Choice, Question, Ruling};
pub(super) use sabot_law::table::settings::{DoubleOn, Insured, Pairs, Side, Surrender};

/// What a house without a covered card goes by.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a rule of its own
pub(super) struct Rules {
    /// Decks in the shoe.
    pub(super) decks: u8,
    /// A pass for which the cards do not suffice is finished with those retired; else it is void.
    pub(super) refills: bool,
    /// Bets may not be changed once they are closed; else from the first card.
    pub(super) close_binds: bool,
    /// Cards behind the cut card, fewest and most.
    pub(super) behind: (usize, usize),
    /// Where delivery and play begin.
    pub(super) first_box: Side,
    /// What a Black Jack pays.
    pub(super) blackjack: Pays,
    /// Black Jacks are paid at once where the bank shows neither ace nor ten.
    pub(super) blackjack_at_once: bool,
    /// Which two cards may be doubled.
    pub(super) double_on: DoubleOn,
    /// Of a split too.
    pub(super) double_after_split: bool,
    /// Which two cards may be split.
    pub(super) pairs: Pairs,
    /// Hands of a box, split and split again; 1 where nothing may be split.
    pub(super) max_hands: usize,
    /// Whether a split ace may be split again.
    pub(super) aces_again: bool,
    /// When insurance is offered against the bank's ace.
    pub(super) insurance: Insured,
    /// It may be less than half.
    pub(super) insurance_may_be_less: bool,
    /// It is settled at the bank's second card, before it draws on.
    pub(super) insurance_at_once: bool,
    /// It is a multiple of this.
    pub(super) insurance_unit: Cents,
    /// Whether half may be given up on the first two cards.
    pub(super) surrender: Surrender,
    /// A Black Jack may take single pay against an ace.
    pub(super) even_money: bool,
    /// Whether a break is possible now, as far as only the house can tell.
    pub(super) possible: fn(&SimulatedDealer, Kind) -> bool,
    /// What the house does of its own at a point of the pass: whether that stands for what the flow does there.
    pub(super) at: fn(&mut Open<'_>, Point) -> Flow<bool>,
}

/// A point of the pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Point {
    /// People come and go.
    People,
    /// A shoe is prepared where one is needed.
    Shoe,
    /// Nobody has bet yet.
    BeforeBets,
    /// Everybody bets.
    Bets,
    /// The bets are made, not closed.
    BeforeClose,
    /// The bets are closed, no card is drawn.
    Closed,
    /// A hand's first card is due.
    First(usize),
    /// The bank's first card is due.
    BankFirst,
    /// A hand's second card is due.
    Second(usize),
    /// Both deliveries are done.
    Delivered,
    /// A hand's turn begins.
    Turn(usize),
    /// A hand was asked about insurance.
    Offered(usize),
    /// A hand is done with.
    TurnOver(usize),
    /// Everybody has played.
    Played,
    /// The bank stands.
    BankStands,
    /// That much is paid next.
    Pays(Cents),
    /// The cut card has come out where a card for that place was due.
    CutCard(Place),
    /// A card is due and none is left.
    Empty,
    /// A main bet is settled, or would be.
    Settle(usize),
    /// Every bet is settled.
    Settled,
    /// The felt is cleared.
    Clearing,
    /// The pass has ended.
    Ended,
}

/// A pass at a table of such a house.
pub(super) struct Open<'a> {
    table: &'a mut SimulatedDealer,
    pub(super) rules: &'static Rules,
    /// The hand a delivery has left out.
    pub(super) undealt: Option<(usize, Kind)>,
    /// The finding whose card should have gone back to the shoe.
    not_put_back: Option<usize>,
    /// What paying more than the bank holds is found as.
    pub(super) overdraws: Option<Kind>,
    /// What is found when another card comes out than was put back.
    pub(super) not_the_same: Option<Kind>,
    /// Findings the end of the pass must raise.
    pub(super) at_end: Vec<(Kind, Option<Place>)>,
    /// The pass ends as everything lies.
    pub(super) broken_off: bool,
    /// A hand left without what is due to it, until a later one gets its own.
    pub(super) passed_over: Option<Place>,
    /// Findings the first event of the play must raise.
    at_play: Vec<(Kind, Place)>,
}

impl Deref for Open<'_> {
    type Target = SimulatedDealer;

    fn deref(&self) -> &SimulatedDealer {
        self.table
    }
}

impl DerefMut for Open<'_> {
    fn deref_mut(&mut self) -> &mut SimulatedDealer {
        self.table
    }
}

impl<'a> Open<'a> {
    /// A pass that has not begun.
    pub(super) fn at(table: &'a mut SimulatedDealer, rules: &'static Rules) -> Self {
        Self {
            table,
            rules,
            undealt: None,
            not_put_back: None,
            overdraws: None,
            not_the_same: None,
            at_end: Vec::new(),
            broken_off: false,
            passed_over: None,
            at_play: Vec::new(),
        }
    }

    /// The whole pass, from the people to its end; the line of that.
    pub(super) fn pass(mut self) -> LineNo {
        if self.deal_pass().is_err() {
            if self.broken_off {
                self.tell_settled();
            } else {
                self.void_all();
            }
        }
        if !self.broken_off && !self.comes_to(Point::Clearing).unwrap_or(false) {
            self.clear_felt();
        }
        let end = self.emit(Event::End {});
        for (kind, place) in std::mem::take(&mut self.at_end) {
            let row = self.found(kind, place);
            if kind.plan().remedy == Remedy::Serve {
                self.left_open(row);
            }
        }
        self.rota.found_past = self.rota.found_before + self.truth.len() as u64;
        // whatever the house does here is no pass any more
        let _ = self.comes_to(Point::Ended);
        end
    }

    fn deal_pass(&mut self) -> Flow {
        self.open_table()?;
        self.deliver()?;
        self.play()?;
        self.bank_plays()?;
        self.settle()
    }

    /// Tells the house where the pass is; whether it has done there what the flow would.
    fn comes_to(&mut self, point: Point) -> Flow<bool> {
        (self.rules.at)(self, point)
    }

    /// The pass is broken off as everything lies, with the bank's first card alone: what nobody was given is told at
    /// the end, and the bank's card that is due.
    pub(super) fn break_off(&mut self) -> PassVoid {
        self.broken_off = true;
        let mut kinds = Vec::new();
        if let Some(kind) = self.kind_of(Act::BreakOff).filter(|_| self.any_in_play()) {
            kinds.push((kind, Some(Place::Bank)));
        }
        for hand in 0..self.hands.len() {
            let place = Place::from(self.hands[hand].id);
            if let Some(kind) = self.kind_of(Act::InsuranceUncollected).filter(|_| self.hands[hand].insurance > 0) {
                kinds.push((kind, Some(place)));
            }
            let owed = self.owed(hand);
            let act = match owed.outcome {
                Outcome::Win => Act::WinnerUnpaid,
                Outcome::Blackjack => Act::BlackJackUnpaid,
                Outcome::Lose if self.hands[hand].is_over() => Act::OverUncollected,
                Outcome::Lose => Act::LoserUncollected,
                _ => continue,
            };
            if let Some(kind) = self.kind_of(act).filter(|_| !self.hands[hand].settled) {
                kinds.push((kind, Some(place)));
            }
        }
        if let Some(kind) = self.kind_of(Act::LeftOnFelt) {
            kinds.push((kind, self.hands.first().map(|hand| hand.id.into())));
        }
        self.at_end.extend(kinds);
        PassVoid
    }

    pub(super) fn any_in_play(&self) -> bool {
        (0..self.hands.len()).any(|hand| self.is_in_play(hand))
    }

    /// Bets that came to nothing because the cards ran out.
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
    pub(super) fn draw(&mut self, to: Place, face: Face) -> Flow<Card> {
        if self.cut_card_comes_out() {
            self.comes_to(Point::CutCard(to))?;
        }
        let card = match self.next_card() {
            Some(card) => card,
            None => {
                self.comes_to(Point::Empty)?;
                self.next_card().ok_or(PassVoid)?
            }
        };
        self.lay(card, to, face);
        if let Some(row) = self.not_put_back.take() {
            self.breached(row);
        }
        if let Some(kind) = self.not_the_same.take() {
            self.room_rules_on(kind, Some(to));
        }
        let kind = self.armed.filter(|kind| kind.plan().when == When::Exhausted);
        if let Some(kind) = kind.filter(|_| self.shoe.out_of_nowhere) {
            self.does(kind);
            self.room_rules_on(kind, None);
        }
        Ok(card)
    }

    pub(super) fn draw_to_hand(&mut self, hand: usize, face: Face) -> Flow {
        let to = self.hands[hand].id.into();
        let card = self.draw(to, face)?;
        self.hands[hand].cards.push(card);
        Ok(())
    }

    pub(super) fn draw_to_bank(&mut self, face: Face) -> Flow {
        let card = self.draw(Place::Bank, face)?;
        self.bank.push(card);
        Ok(())
    }

    /// The break in hand, where it is that act; it is not done yet.
    pub(super) fn intends(&self, act: Act) -> Option<Kind> {
        self.armed.filter(|kind| kind.plan().act == act)
    }

    /// Does the break in hand where it is that act.
    pub(super) fn commits(&mut self, act: Act) -> Option<Kind> {
        let kind = self.intends(act)?;
        self.takes(kind).then_some(kind)
    }

    /// Does the break in hand where it is one of those acts.
    pub(super) fn commits_one(&mut self, acts: &[Act]) -> Option<Kind> {
        let kind = self.armed.filter(|kind| acts.contains(&kind.plan().act))?;
        self.takes(kind).then_some(kind)
    }

    /// Whether so many cards are left, with those retired where they would come again.
    pub(super) fn suffices(&self, cards: usize) -> bool {
        let again = if self.rules.refills { self.shoe.retired } else { 0 };
        self.shoe.left() + again >= cards
    }

    /// Whether the bank's first card is an ace.
    pub(super) fn bank_shows_ace(&self) -> bool {
        self.bank.first().is_some_and(|&card| naive::is_ace(card))
    }

    fn bank_total(&self) -> u8 {
        law::total(&self.bank)
    }
}
