//! How duties fare as the pass goes on.

use super::context::{EventMeaning, Role};
use super::duty::{Deadline, Duty, Part, belonging};
use super::hand::Hand;
use super::known::Fact;
use super::state::State;
use crate::table::event::{Announcement, may_permit};
use crate::table::{BetSpot, Event, HandId, Place};

/// How a duty fared at an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fate {
    /// Something is left to do.
    Open,
    /// Every part was carried out.
    Cleared,
    /// The pass went on where it had to wait.
    Breach,
    /// It ends with the pass, and is no breach.
    Over,
}

/// Whether the bank's turn comes with an event: what had to be done before is late (Reading 19).
#[must_use]
pub fn begins_banks_turn(event: &Event, meaning: &EventMeaning, after: &State) -> bool {
    match event {
        Event::Reveal { at: Place::Bank, .. } => true,
        Event::Draw { .. } => {
            meaning.drawn.is_some_and(|drawn| drawn.place == Some(Place::Bank)) && !meaning.serves_bank()
        }
        Event::Collect { spot: BetSpot::Main, .. } | Event::Pay { spot: BetSpot::Main, .. } => {
            after.pass.turn().is_none()
        }
        _ => false,
    }
}

impl Duty {
    /// Whether nothing concerns it but cards that are moved or named, a ruling, the bank's turn and the end: there may
    /// be any number of such, and other events need not look at them.
    #[must_use]
    pub fn may_sleep(&self) -> bool {
        let waits = |part: &Part| matches!(part, Part::Burn { left: 1.., .. } | Part::Rule | Part::Identify(_));
        let is_far = matches!(self.deadline, Deadline::PassEnd | Deadline::BanksTurn);
        is_far && self.bet.is_none() && !self.parts.is_empty() && self.parts.iter().all(waits)
    }

    /// How many cards it has the bank served.
    #[must_use]
    pub fn bank_cards(&self) -> usize {
        self.parts.iter().filter(|part| **part == Part::Serve(Place::Bank)).count()
    }

    /// Cards that the room lets count as the bank's come in the place of those that it has served, and need no words.
    pub(crate) fn count_served(&mut self, cards: &mut usize) {
        if *cards == 0 || self.has_bank_draw_on() {
            return;
        }
        self.parts.retain(|part| {
            let is_served = *part == Part::Serve(Place::Bank) && *cards > 0;
            *cards -= usize::from(is_served);
            !is_served
        });
        if self.bank_cards() == 0 {
            self.parts.retain(|part| !matches!(part, Part::Authorize(_) | Part::Announce(_)));
        }
    }

    /// How many of the cards that an event moves or names it waits for.
    #[must_use]
    pub fn wants(&self, event: &Event) -> usize {
        let wanted = |part: &Part| match (event, *part) {
            (Event::Move { from, to, .. }, mut part) => {
                part.left_to_move(*from, belonging(*to)).map_or(0, |left| *left)
            }
            (Event::Reveal { at, .. }, part) => usize::from(part == Part::Identify(*at)),
            _ => 0,
        };
        self.parts.iter().map(wanted).sum()
    }

    /// Takes note of an event. `after` are the facts after it; `claimed` counts the cards that it gets of those that
    /// are moved or named.
    pub fn watch(&mut self, event: &Event, meaning: &EventMeaning, after: &State, claimed: usize) -> Fate {
        let mut fate = Fate::Open;
        match event {
            Event::Draw { .. } => fate = self.watch_draw(meaning),
            Event::Move { from, to, .. } => self.carry(*from, *to, claimed),
            Event::Bet { hand, spot, amount, .. } => self.parts.retain(|part| {
                !matches!(part, Part::Return { hand: h, spot: s, back }
                    if (h, s) == (hand, spot) && (amount <= back || after.pass.may_lie(*hand, *spot, *amount)))
            }),
            Event::Authorize { what, role, .. } if may_permit(*role, *what) => {
                self.parts.retain(|part| *part != Part::Authorize(*what))
            }
            Event::Announce { what: Announcement::NextCardsForBank, .. } => fate = self.watch_announcement(),
            Event::Consent { hand, yes } => self.consent(*hand, *yes, after),
            Event::Choose { hand, option } => self
                .parts
                .retain(|part| !matches!(part, Part::Offer(h, options) if h == hand && options.contains(option))),
            Event::Pay { hand, spot: BetSpot::Main, .. } => self.parts.retain(|part| *part != Part::Collect(*hand)),
            Event::Reveal { at, .. } if claimed > 0 => self.parts.retain(|part| *part != Part::Identify(*at)),
            Event::Rule { .. } if meaning.ruled == Some(self.finding) => self.parts.clear(),
            Event::End {} if after.pass.is_open() => {
                self.parts.retain(|part| {
                    !matches!(part, Part::Return { hand, spot, back }
                    if after.pass.lies_on(*hand, *spot) <= *back)
                });
                fate = if self.is_notice() { Fate::Over } else { Fate::Breach };
            }
            _ => {}
        }
        // a hand without claim, or whose bet is void, gets no card and chooses nothing any more; one whose good cards
        // were burned gets none unless the room has it served
        let is = |hand: &HandId, holds: fn(&Hand) -> bool| after.pass.hand(*hand).is_some_and(holds);
        let is_needless = self.has_bank_draw_on() && after.bank_draws_no_more();
        self.parts.retain(|part| match part {
            Part::Serve(Place::Bank) => !is_needless,
            // a lost bet is not returned
            Part::Return { hand, spot: BetSpot::Main, .. } => !is(hand, |hand| hand.lost),
            Part::AskConsent(hand) | Part::Offer(hand, _) => !is(hand, |hand| hand.lost || hand.void),
            Part::Collect(hand) => !is(hand, |hand| hand.void),
            Part::Serve(Place::Hand(hand)) => !is(hand, |hand| hand.lost || hand.void || hand.waits_for_room),
            _ => true,
        });
        self.watch_money(after, matches!(event, Event::End {}));
        match fate {
            _ if self.parts.is_empty() => Fate::Cleared,
            Fate::Open if self.is_late(event, meaning, after) => Fate::Breach,
            fate => fate,
        }
    }

    /// Whether what is left had to be done before this event.
    fn is_late(&self, event: &Event, meaning: &EventMeaning, after: &State) -> bool {
        match self.deadline {
            Deadline::PassEnd | Deadline::NextCard => false,
            Deadline::BanksTurn => begins_banks_turn(event, meaning, after),
            Deadline::TurnOf(id) => {
                let to_box = meaning.drawn.and_then(|drawn| drawn.hand()) == Some(id);
                to_box || meaning.plays.is_some_and(|plays| !after.pass.plays_before(plays, id))
            }
        }
    }

    /// What puts a bet right follows the sum as it now stands.
    fn watch_money(&mut self, after: &State, ends: bool) {
        // what nobody sees given puts nothing right until it counts as given
        let Some((id, at)) = self.bet.filter(|_| !after.unknown().has(Fact::Bets)) else { return };
        match after.to_give(id, at, ends) {
            Some(0) => self.parts.clear(),
            Some(to_give) => self.parts.iter_mut().for_each(|part| {
                if matches!(part, Part::Pay { .. } | Part::TakeBack { .. }) {
                    *part = Part::money(id, at, to_give);
                }
            }),
            None => {}
        }
    }

    /// A card that counts serves whom it was due to; authorize and announce come before serve, and serve before any
    /// other card.
    fn watch_draw(&mut self, meaning: &EventMeaning) -> Fate {
        let Some(drawn) = meaning.drawn else { return Fate::Open };
        // what is to go back in its place can do so only before the next card comes
        if self.parts.iter().any(|part| matches!(part, Part::PutBack { .. })) {
            return Fate::Breach;
        }
        let early = self.parts.iter().any(|part| matches!(part, Part::Authorize(_) | Part::Announce(_)));
        // one that lies wrong serves all the same, and is a finding of its own
        let counts = !matches!(
            drawn.role,
            Role::NotDue | Role::Idle | Role::Burned | Role::BankBeyond | Role::BankIdle | Role::BankEarly
        );
        let due = self.parts.iter().position(|part| drawn.place.is_some_and(|place| *part == Part::Serve(place)));
        match due {
            Some(n) if counts => {
                self.parts.remove(n);
                if self.deadline == Deadline::NextCard && early {
                    return Fate::Breach;
                }
            }
            // the card that completes a delivery is asked for by a finding of its own, and is due before
            _ if self.deadline == Deadline::NextCard && !meaning.completes => return Fate::Breach,
            _ => {}
        }
        Fate::Open
    }

    fn watch_announcement(&mut self) -> Fate {
        let Some(n) = self.parts.iter().position(|part| matches!(part, Part::Announce(_))) else { return Fate::Open };
        self.parts.remove(n);
        let authorized = !self.parts.iter().any(|part| matches!(part, Part::Authorize(_)));
        if authorized { Fate::Open } else { Fate::Breach }
    }

    /// Cards are burned, or put back; taken elsewhere, they are to be burned from there.
    fn carry(&mut self, from: Place, to: Place, claimed: usize) {
        let mut unclaimed = claimed;
        for left in self.parts.iter_mut().filter_map(|part| part.left_to_move(from, belonging(to))) {
            let now = (*left).min(unclaimed);
            *left -= now;
            unclaimed -= now;
        }
        if claimed > 0 && to != belonging(to) {
            self.parts.insert(0, Part::Burn { place: to, left: claimed });
        }
        self.parts.retain(|part| !matches!(part, Part::Burn { left: 0, .. } | Part::PutBack { left: 0, .. }));
    }

    fn consent(&mut self, id: HandId, yes: bool, facts: &State) {
        let Some(n) = self.parts.iter().position(|part| *part == Part::AskConsent(id)) else { return };
        match facts.pass.hand(id).map_or(0, Hand::count) {
            _ if yes => self.parts[n] = Part::Serve(id.into()),
            // its card was taken before the bettor was asked
            0 => drop(self.parts.remove(n)),
            left => self.parts[n] = Part::Burn { place: id.into(), left },
        }
    }
}
