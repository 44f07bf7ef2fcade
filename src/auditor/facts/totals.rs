//! What cards are worth: which lie covered, what is declared, totals.

use crate::facts::View;
use crate::log::{Card, Kind, Place};

impl View<'_> {
    /// The second card of the bank's delivery lies down, and so does a doubled hand's card.
    pub fn belongs_down(&self, place: Place, before: usize) -> bool {
        match place {
            Place::Bank if self.bank_is_let_be() => false,
            Place::Bank => before == 1 && self.house.is("bank_second_card", "covered"),
            _ => before == 2 && self.house.is("double_card", "down") && self.is_doubled(place),
        }
    }

    /// Whether a card lies face down.
    pub fn is_covered(&self, draw: usize) -> bool {
        let event = &self.events[draw];
        let Some(place) = event.place else { return false };
        let before = || self.at(draw).dealt(place).len();
        let down = event.face_down.unwrap_or_else(|| self.at(draw).belongs_down(place, before()));
        // a `reveal` that names another card turns none
        let names_another = |at: usize| self.names().any(|(named, by)| by == at && named != draw);
        let turns = |at: usize| self.events[at].is(Kind::Reveal, place) && !names_another(at);
        down && !(draw + 1..self.now).any(turns)
    }

    /// Whether a card lies there that nobody knows.
    pub fn is_unread(&self, place: Place) -> bool {
        self.dealt(place).iter().any(|draw| self.card(*draw).is_none())
    }

    /// The cards of a hand, if all are known and uncovered.
    pub fn cards(&self, place: Place) -> Option<Vec<Card>> {
        let cards: Option<Vec<Card>> =
            self.dealt(place).iter().map(|&draw| self.card(draw).filter(|_| !self.is_covered(draw))).collect();
        cards.filter(|cards| !cards.is_empty())
    }

    /// The declaration that holds for a hand.
    pub fn declared(&self, hand: Place) -> Option<u64> {
        // nothing is declared of a card that has not come
        let first = *self.dealt(hand).first()?;
        let at = (first..self.now).find(|&at| self.events[at].is(Kind::Ace, hand) && !self.is_ignored(at))?;
        Some(self.events[at].number)
    }

    /// A place's total, if its cards are known and uncovered.
    pub fn total(&self, place: Place) -> Option<u8> {
        self.cards(place).map(|cards| self.worth(place, &cards))
    }

    /// A place's total with its covered cards turned, as `end` turns them.
    pub fn turned_total(&self, place: Place) -> Option<u8> {
        let cards: Option<Vec<Card>> = self.dealt(place).iter().map(|draw| self.card(*draw)).collect();
        cards.map(|cards| self.worth(place, &cards))
    }

    fn worth(&self, place: Place, cards: &[Card]) -> u8 {
        if place == Place::Bank { self.bank_value(cards) } else { self.value(place, cards) }
    }

    fn value(&self, hand: Place, cards: &[Card]) -> u8 {
        let low: u8 = cards.iter().map(|card| card.pips()).fold(0, u8::saturating_add);
        let (early, late) = cards.split_at(cards.len().min(2));
        let aces = |cards: &[Card]| cards.iter().any(|card| card.rank == 1);
        let declared = self
            .declared(hand)
            .filter(|_| self.house.yes("ace_is_declared") && aces(early) && !self.is_blackjack(hand));
        match declared {
            Some(11) => low + 10,
            Some(_) if !aces(late) => low,
            _ if low <= 11 && aces(cards) => low + 10,
            _ => low,
        }
    }

    fn bank_value(&self, cards: &[Card]) -> u8 {
        let low = |cards: &[Card]| cards.iter().map(|card| card.pips()).fold(0, u8::saturating_add);
        let has_ace = cards.iter().any(|card| card.rank == 1);
        if self.house.is("bank_ace", "best") {
            return if has_ace && low(cards) <= 11 { low(cards) + 10 } else { low(cards) };
        }
        let (early, late) = cards.split_at(cards.len().min(2));
        let stands = u8::try_from(self.house.figure("bank_stands")).unwrap_or(17);
        let mut total = low(early);
        if early.iter().any(|card| card.rank == 1) && total + 10 >= stands {
            total += 10;
        }
        for card in late {
            let high = total + 11;
            total += if card.rank == 1 && (stands..=21).contains(&high) { 11 } else { card.pips() };
        }
        total
    }

    /// An ace and a ten-value card, two cards, covered ones turned.
    pub fn is_blackjack(&self, place: Place) -> bool {
        let cards: Vec<Card> = self.dealt(place).iter().filter_map(|draw| self.card(*draw)).collect();
        let two = self.dealt(place).len() == 2
            && matches!(cards[..], [a, b] if (a.rank == 1 && b.pips() == 10) || (b.rank == 1 && a.pips() == 10));
        two && (!self.is_split(place) || self.house.yes("split_blackjack"))
    }

    /// Whether the bank's first card lets it have a Black Jack: an ace or a ten-value card.
    pub fn bank_may_have_blackjack(&self) -> bool {
        let first = self.dealt(Place::Bank).first().and_then(|draw| self.card(*draw));
        first.is_none_or(|card| card.rank == 1 || card.pips() == 10)
    }

    /// Whether a hand went over 21, as far as it is uncovered.
    pub fn is_over(&self, place: Place) -> bool {
        self.total(place).is_some_and(|total| total > 21)
    }
}
