//! Events told or done otherwise: elsewhere, by somebody else, another card, another key, another amount.

use rand::RngExt;
use rand::seq::SliceRandom;

use super::Deviation;
use super::operators::Pass;
use sabot_law::table::event::{Choice, Face, Permit, Question};
use sabot_law::table::{BetSpot, Card, Cents, Event, HandId};

impl Pass<'_> {
    /// Changes an event that the deviation can change; which.
    pub(super) fn changes(&mut self, deviation: Deviation) -> Option<usize> {
        let mut order: Vec<usize> = (0..self.events.len()).collect();
        order.shuffle(self.rng);
        for at in order {
            let event = self.events[at].clone();
            if let Some(event) = self.changed(deviation, event) {
                self.events[at] = event;
                return Some(at);
            }
        }
        None
    }

    /// An event as a sensor or a key would tell it wrongly.
    pub(super) fn mistold(&mut self, event: &Event) -> Option<Event> {
        let mut ways = [Deviation::Misplace, Deviation::MisKey, Deviation::MisPay, Deviation::Misread];
        ways.shuffle(self.rng);
        ways.into_iter().find_map(|way| self.changed(way, event.clone()))
    }

    /// The event as the deviation has it, where it can change such a one.
    fn changed(&mut self, deviation: Deviation, event: Event) -> Option<Event> {
        match deviation {
            Deviation::Misplace => self.misplaced(event),
            Deviation::MisKey | Deviation::Misspeak => self.mis_keyed(deviation, event),
            Deviation::MisPay => self.mis_paid(&event),
            Deviation::ChangeBet => self.another_bet(event),
            Deviation::Stranger => self.by_a_stranger(event),
            Deviation::Miscount => self.miscounted(event),
            Deviation::Flip | Deviation::Misread | Deviation::Authorize => self.misread(deviation, event),
            _ => None,
        }
    }

    fn misplaced(&mut self, mut event: Event) -> Option<Event> {
        match &mut event {
            Event::Draw { to, .. } => *to = Some(if self.chance(85) { self.place() } else { self.tray() }),
            Event::Move { from, .. } if self.chance(50) => *from = self.place(),
            Event::Move { to, .. } => *to = self.tray(),
            Event::Reveal { at, card } => {
                *at = self.place();
                *card = self.chance(50).then(|| self.card());
            }
            _ => return None,
        }
        Some(event)
    }

    fn misread(&mut self, deviation: Deviation, mut event: Event) -> Option<Event> {
        match (deviation, &mut event) {
            (Deviation::Flip, Event::Draw { face, .. }) => {
                *face = Some(if *face == Some(Face::Down) { Face::Up } else { Face::Down });
            }
            (Deviation::Misread, Event::Draw { card, .. }) if self.chance(50) => *card = Card::UNREAD,
            (Deviation::Misread, Event::Draw { card, .. }) => *card = self.card(),
            (Deviation::Authorize, Event::Authorize { role, .. }) if self.chance(50) => *role = self.authority(),
            (Deviation::Authorize, Event::Authorize { what, .. }) => *what = self.one_of(Permit::ALL)?,
            _ => return None,
        }
        Some(event)
    }

    fn mis_keyed(&mut self, deviation: Deviation, mut event: Event) -> Option<Event> {
        match &mut event {
            Event::Announce { value: Some(value), .. } if self.chance(75) => {
                *value = value.saturating_add_signed(self.rng.random_range(-10..=10));
            }
            Event::Announce { place: Some(place), .. } => *place = self.place(),
            _ if deviation == Deviation::Misspeak => return None,
            Event::Ask { hand, .. } | Event::Decide { hand, .. } | Event::Ace { hand, .. } if self.chance(40) => {
                *hand = self.hand();
            }
            Event::Ask { about, .. } => *about = self.one_of(Question::ALL)?,
            Event::Decide { choice, .. } => *choice = self.one_of(Choice::ALL)?,
            Event::Ace { value, .. } => *value = 12 - *value,
            _ => return None,
        }
        Some(event)
    }

    fn mis_paid(&mut self, event: &Event) -> Option<Event> {
        let (mut paid, hand, amount, spot) = match event {
            Event::Pay { hand, amount, spot } => (true, *hand, *amount, *spot),
            Event::Collect { hand, amount, spot } => (false, *hand, *amount, *spot),
            _ => return None,
        };
        let (mut to, mut sum, mut on): (HandId, Cents, BetSpot) = (hand, amount, spot);
        match self.rng.random_range(0..10) {
            0..5 => sum = self.other_amount(amount),
            5 => to = self.hand(),
            6 => on = if spot == BetSpot::Main { BetSpot::Insurance } else { BetSpot::Main },
            _ => paid = !paid,
        }
        Some(match paid {
            true => Event::Pay { hand: to, amount: sum, spot: on },
            false => Event::Collect { hand: to, amount: sum, spot: on },
        })
    }

    fn another_bet(&mut self, mut event: Event) -> Option<Event> {
        let Event::Bet { amount, .. } = &mut event else { return None };
        *amount = self.other_amount(*amount);
        Some(event)
    }

    fn by_a_stranger(&mut self, mut event: Event) -> Option<Event> {
        match &mut event {
            Event::Seat { player, .. }
            | Event::Leave { player, .. }
            | Event::Request { player, .. }
            | Event::OfferCut { player }
            | Event::Share { player, .. }
            | Event::BankCard { player, .. }
            | Event::Cut { by: player, .. } => *player = self.player(),
            Event::Bet { player: who, .. } | Event::Decide { by: who, .. } | Event::Ace { by: who, .. } => {
                *who = Some(self.player());
            }
            Event::Bank { player: Some(who), .. } | Event::Bank { by: Some(who), .. } => *who = self.player(),
            _ => return None,
        }
        Some(event)
    }

    fn miscounted(&mut self, mut event: Event) -> Option<Event> {
        match &mut event {
            Event::Shuffle { decks, cards } => {
                *decks = self.rng.random_range(1..=10);
                *cards = if self.chance(70) { *decks * 52 } else { *cards };
            }
            Event::Load { cut_card, .. } if self.chance(50) => *cut_card = self.rng.random_range(0..100),
            Event::Load { cards, .. } => *cards = self.rng.random_range(1..=10) * 52,
            Event::Cut { depth, .. } => *depth = self.rng.random_range(0..80),
            Event::Share { amount, .. } => *amount = self.other_amount(*amount),
            _ => return None,
        }
        Some(event)
    }
}
