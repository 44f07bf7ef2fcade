//! What cards are worth: which lie covered, what is declared, totals.

use crate::facts::found::{Effect, Finding, Part};
use crate::facts::{Memo, View};
use crate::log::{Card, Kind, Place};

impl View<'_> {
    /// The second card of the bank's delivery lies down, and so does a doubled hand's card.
    pub fn belongs_down(&self, place: Place, before: usize) -> bool {
        match place {
            Place::Bank if self.bank_is_let_be() => false,
            // what takes the place of a lost card lies as that did
            Place::Bank if self.is_asked_for(place) && self.keeps_covered(place) => false,
            // nor is what the room has served again of cards that lay open
            Place::Bank if !self.is_asked_for(place) && self.was_turned(place) => false,
            Place::Bank => before == 1 && self.house.is("bank_second_card", "covered"),
            _ => before == 2 && self.house.is("double_card", "down") && self.is_doubled(place),
        }
    }

    /// Whether a place's two cards were turned up.
    fn was_turned(&self, place: Place) -> bool {
        self.pass().any(|at| self.events[at].is(Kind::Reveal, place) && self.at(at).dealt(place).len() >= 2)
    }

    /// Whether a card lies face down that was there before an open finding asked for another.
    fn keeps_covered(&self, place: Place) -> bool {
        let asks = |found: &Finding| found.is_open() && found.what.remedy.contains(&Part::Serve(place));
        let is_new = |draw: usize| self.found().any(|found| found.at < draw && asks(found));
        self.dealt(place).iter().any(|draw| self.is_covered(*draw) && !is_new(*draw))
    }

    /// Whether a card lies face down.
    pub fn is_covered(&self, draw: usize) -> bool {
        let event = &self.events[draw];
        let Some(place) = event.place else { return false };
        let before = || self.at(draw).dealt(place).len();
        // for a card that nothing asked for nothing is prescribed
        let belongs_down = || self.is_due_card(draw) && self.at(draw).belongs_down(place, before());
        let down = event.face_down.unwrap_or_else(belongs_down);
        // a `reveal` that names another card turns none
        let names_another = |at: usize| self.names().any(|(named, by)| by == at && named != draw);
        let turns = |at: usize| self.events[at].is(Kind::Reveal, place) && !names_another(at);
        down && !(draw + 1..self.now).any(turns)
    }

    fn is_due_card(&self, draw: usize) -> bool {
        !self.findings.iter().any(|found| found.at == draw && found.what.effect == Effect::Misdealt)
    }

    /// Whether a card lies there that nobody knows.
    pub fn is_unread(&self, place: Place) -> bool {
        self.dealt(place).iter().any(|draw| self.card(*draw).is_none()) || self.is_doubtful(place)
    }

    /// Whether a card was found undue there, and a device has said since that it lost something before: nobody knows
    /// whether it counts.
    pub fn is_doubtful(&self, place: Place) -> bool {
        let Some(lost) = self.last(|event| event.blinds() && event.word != "offline") else { return false };
        let is_open = |draw: usize| self.findings.iter().any(|found| found.at == draw && found.ruled.is_none());
        self.lying(place).iter().any(|draw| *draw < lost && !self.counts(*draw) && is_open(*draw))
    }

    /// What is so if the card of a draw was of another rank.
    pub fn with_rank<T>(&self, draw: usize, rank: u8, fact: impl FnOnce(&View) -> T) -> T {
        let mut events = self.events[..self.now].to_vec();
        events[draw].card = Some(Card { rank, suit: 'S' });
        fact(&View::new(self.house, self.header, &events, self.now, self.findings, &Memo::default()))
    }

    /// The cards of a hand, if all are known and uncovered.
    pub fn cards(&self, place: Place) -> Option<Vec<Card>> {
        let cards: Option<Vec<Card>> =
            self.dealt(place).iter().map(|&draw| self.card(draw).filter(|_| !self.is_covered(draw))).collect();
        cards.filter(|cards| !cards.is_empty() && !self.is_doubtful(place))
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
        self.known().totals.of(place, || self.cards(place).map(|cards| self.worth(place, &cards)))
    }

    /// Whether one of its first two cards is an ace that was perhaps declared, and nobody could hear it.
    pub fn has_unheard_ace(&self, hand: Place) -> bool {
        let early = self.dealt(hand).iter().take(2);
        let has_ace = early.filter_map(|draw| self.card(*draw)).any(|card| card.rank == 1);
        let is_declared = self.house.yes("ace_is_declared") && hand != Place::Bank && !self.is_blackjack(hand);
        is_declared && !self.sees("decisions") && has_ace && self.declared(hand).is_none()
    }

    /// Whether an ace that nobody heard declared may have taken a hand over 21.
    pub fn may_be_over(&self, hand: Place) -> bool {
        let low = self.cards(hand).map_or(0, |cards| cards.iter().map(|card| card.pips()).sum());
        self.has_unheard_ace(hand) && low + 10 > 21
    }

    /// Whether a hand has reached 21 or gone over, however an ace counts that nobody heard declared.
    pub fn has_21(&self, hand: Place) -> bool {
        let low = || self.cards(hand).map(|cards| cards.iter().map(|card| card.pips()).sum());
        let total = if self.has_unheard_ace(hand) { low() } else { self.total(hand) };
        total.is_some_and(|total| total >= 21)
    }

    /// Whether it is known that a hand may go on drawing. With a card that could not be read nobody knows, but for a
    /// bettor who asked for one more.
    pub fn may_draw(&self, hand: Place) -> bool {
        let is_opened = self.is_split(hand) && self.dealt(hand).len() == 1;
        !self.is_unread(hand) || is_opened || self.decided(hand) == Some("hit")
    }

    /// Whether a hand is below 21, or may be.
    pub fn may_be_below_21(&self, hand: Place) -> bool {
        self.total(hand).map_or_else(|| self.may_draw(hand), |total| total < 21)
    }

    /// A place's total with its covered cards turned, as `end` turns them.
    pub fn turned_total(&self, place: Place) -> Option<u8> {
        let cards: Option<Vec<Card>> = self.dealt(place).iter().map(|draw| self.card(*draw)).collect();
        cards.filter(|_| !self.is_doubtful(place)).map(|cards| self.worth(place, &cards))
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
        let mut total = low(early);
        if early.iter().any(|card| card.rank == 1) && total + 10 >= 17 {
            total += 10;
        }
        for card in late {
            let high = total + 11;
            let is_within = high <= 21 || self.house.is("bank_later_ace", "from_17");
            total += if card.rank == 1 && high >= 17 && is_within { 11 } else { card.pips() };
        }
        total
    }

    /// Whether the bank draws no more on its cards, if all are known: covered ones turned too, where that is asked.
    pub fn bank_stands(&self, turned: bool) -> Option<bool> {
        let total = if turned { self.turned_total(Place::Bank) } else { self.total(Place::Bank) }?;
        let low: u8 = self.dealt(Place::Bank).iter().filter_map(|draw| self.card(*draw)).map(Card::pips).sum();
        let is_soft_17 = total == 17 && low < total;
        let is_low = u64::from(total) < self.house.figure("bank_stands");
        let draws = is_low || is_soft_17 && self.house.yes("bank_hits_soft_17");
        Some(!draws)
    }

    /// Whether two cards of a hand, if they are known, may be doubled in this house.
    pub fn may_be_doubled(&self, hand: Place) -> Option<bool> {
        let is_two = self.dealt(hand).len() == 2;
        let is_whole = !self.is_split(hand) || self.house.yes("double_after_split") && !self.is_served_ace(hand);
        if !is_two || !is_whole || self.house.is("double_on", "never") {
            return Some(false);
        }
        let cards = self.cards(hand)?;
        let low: u8 = cards.iter().map(|card| card.pips()).sum();
        let has_ace = cards.iter().any(|card| card.rank == 1);
        Some(match self.house.word("double_on") {
            "eleven" => low == 11 && !has_ace,
            "nine_to_eleven" => (9..=11).contains(&low) && !(has_ace && low == 11),
            _ => !(has_ace && low == 11),
        })
    }

    /// Whether a hand's two cards, if they are known, are a pair in this house.
    pub fn is_pair(&self, hand: Place) -> Option<bool> {
        if self.dealt(hand).len() != 2 {
            return Some(false);
        }
        let cards = self.cards(hand)?;
        Some(self.makes_pair(cards[0], cards[1]))
    }

    /// Whether two cards are a pair in this house.
    pub fn makes_pair(&self, one: Card, other: Card) -> bool {
        let are_figures = one.rank > 10 && other.rank > 10;
        match self.house.word("pairs") {
            "figures" => one.rank == other.rank || are_figures,
            _ => one.pips() == other.pips(),
        }
    }

    /// Whether a hand's two cards are a Black Jack, or one could not be read and they may be.
    pub fn may_be_blackjack(&self, hand: Place) -> bool {
        let cards = || self.dealt(hand).iter().map(|draw| self.card(*draw));
        let fits = |card: Option<Card>| card.is_none_or(|card| card.rank == 1 || card.pips() == 10);
        let counts = !self.is_split(hand) || self.house.yes("split_blackjack");
        self.is_blackjack(hand) || self.is_unread(hand) && counts && cards().len() == 2 && cards().all(fits)
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
        let first = self.dealt(Place::Bank).first().filter(|draw| !self.is_covered(**draw));
        let first = first.and_then(|draw| self.card(*draw));
        first.is_none_or(|card| card.rank == 1 || card.pips() == 10)
    }

    /// Whether a Black Jack may be paid before the bank has played: the bank cannot match it any more.
    pub fn may_be_paid_early(&self, hand: Place) -> bool {
        let may = self.house.yes("blackjack_at_once") || self.house.yes("blackjack_may_be_early");
        let is_sure = !self.dealt(Place::Bank).is_empty() && !self.bank_may_have_blackjack();
        may && self.house.yes("blackjack_beats_21") && is_sure && self.is_blackjack(hand) && !self.is_split(hand)
    }

    /// The place whose total is announced otherwise than its cards make it; an ace that is not declared may be counted
    /// either way, and where no cards are there is no total.
    pub fn wrongly_announced(&self) -> Option<Place> {
        let event = self.event();
        let is_bet = |place: &Place| *place == Place::Bank || self.hands().contains(place);
        let place = event.place.filter(|place| event.word == "total" && is_bet(place))?;
        let none = self.dealt(place).is_empty().then_some(0);
        let total = u64::from(self.total(place).or(none)?);
        let mut early = self.dealt(place).iter().take(2).filter_map(|draw| self.card(*draw));
        let is_chosen = !self.house.yes("ace_is_declared") || early.any(|card| card.rank == 1);
        let is_open = place != Place::Bank && is_chosen && self.declared(place).is_none() && !self.is_blackjack(place);
        let low = || self.cards(place).map(|cards| cards.iter().map(|card| u64::from(card.pips())).sum::<u64>());
        // an ace declared unheard may have taken the hand over 21
        let high = || low().filter(|_| self.has_unheard_ace(place)).map(|low| low + 10);
        let is_right = event.number == total || is_open && [low(), high()].contains(&Some(event.number));
        (!is_right).then_some(place)
    }

    /// Whether a hand went over 21, as far as it is uncovered.
    pub fn is_over(&self, place: Place) -> bool {
        self.total(place).is_some_and(|total| total > 21)
    }
}
