//! The cards the simulated dealer draws from.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::dealer::naive;
use sabot_law::table::Card;
use sabot_law::table::card::DECK;

/// A shoe in play, or none yet.
#[derive(Debug)]
pub(super) struct Shoe {
    cards: Vec<Card>,
    next: usize,
    /// Cards behind the cut card.
    behind: usize,
    /// The cut card has come out.
    pub(super) cut_card_out: bool,
    /// The next card was put back: it has to come out again.
    pub(super) put_back: bool,
    /// The card that came out last had not been in it.
    pub(super) out_of_nowhere: bool,
    /// Cards in the discard tray.
    pub(super) retired: usize,
    decks: u8,
    come_out: [u8; DECK],
}

impl Default for Shoe {
    /// No shoe yet.
    fn default() -> Self {
        Self {
            cards: Vec::new(),
            next: 0,
            behind: 0,
            cut_card_out: false,
            put_back: false,
            out_of_nowhere: false,
            retired: 0,
            decks: 0,
            come_out: [0; DECK],
        }
    }
}

impl Shoe {
    /// A new shoe of `decks` decks of which the first `cards` are put in, with `behind` of them behind the cut card.
    pub(super) fn load(&mut self, rng: &mut ChaCha8Rng, decks: u8, cards: usize, behind: usize) {
        self.cards.clear();
        for _ in 0..decks {
            self.cards.extend((0..52).filter_map(Card::from_index));
        }
        self.cards.shuffle(rng);
        self.cards.truncate(cards);
        *self = Self { cards: std::mem::take(&mut self.cards), behind, decks, ..Self::default() };
    }

    /// The cards retired are put in again, in the middle of a pass: of those that came out, as many as lie in the tray
    /// and none that lies on the felt. It is shuffled for good when that pass is over.
    pub(super) fn refill(&mut self, rng: &mut ChaCha8Rng, felt: impl Iterator<Item = Card>) {
        let mut come_out = [0; DECK];
        self.cards.truncate(self.next);
        for card in felt {
            if let Some(at) = self.cards.iter().position(|&one| one == card) {
                self.cards.swap_remove(at);
            }
            if let Some(index) = card.index() {
                come_out[index] += 1;
            }
        }
        self.cards.shuffle(rng);
        self.cards.truncate(self.retired);
        *self = Self {
            cards: std::mem::take(&mut self.cards),
            cut_card_out: true,
            decks: self.decks,
            come_out,
            ..Self::default()
        };
    }

    /// Cards left to draw.
    pub(super) fn left(&self) -> usize {
        self.cards.len() - self.next
    }

    /// Cards drawn since it was loaded.
    pub(super) fn drawn(&self) -> usize {
        self.next
    }

    /// Decks in it.
    pub(super) fn decks(&self) -> u8 {
        self.decks
    }

    /// Whether a shoe was ever loaded.
    pub(super) fn is_loaded(&self) -> bool {
        !self.cards.is_empty()
    }

    /// Whether the cut card lies before the next card.
    pub(super) fn cut_card_is_next(&self) -> bool {
        !self.cut_card_out && self.left() <= self.behind
    }

    /// Cards before the cut card.
    pub(super) fn before_cut_card(&self) -> usize {
        self.left().saturating_sub(self.behind)
    }

    /// What the next card will be.
    pub(super) fn peek(&self) -> Option<Card> {
        self.cards.get(self.next).copied()
    }

    /// The card after the next.
    pub(super) fn peek_after(&self) -> Option<Card> {
        self.cards.get(self.next + 1).copied()
    }

    /// The next two cards change places.
    pub(super) fn swap_next(&mut self) {
        if self.left() > 1 {
            self.cards.swap(self.next, self.next + 1);
        }
    }

    /// The next card; `None` when it is empty.
    pub(super) fn draw(&mut self) -> Option<Card> {
        let card = *self.cards.get(self.next)?;
        self.next += 1;
        self.put_back = false;
        self.count(card);
        self.out_of_nowhere = false;
        Some(card)
    }

    /// The card drawn last goes back where it was.
    pub(super) fn put_back(&mut self, card: Card) {
        if self.next > 0 && self.cards[self.next - 1] == card {
            self.next -= 1;
            self.put_back = true;
            if let Some(index) = card.index() {
                self.come_out[index] -= 1;
            }
        }
    }

    /// Notes a card that came out without having been in the shoe.
    pub(super) fn count(&mut self, card: Card) {
        self.out_of_nowhere = true;
        if let Some(index) = card.index() {
            self.come_out[index] += 1;
        }
    }

    /// A card of which every deck's has come out already, where there is one.
    pub(super) fn exhausted(&self, rng: &mut ChaCha8Rng) -> Option<Card> {
        let from = rng.random_range(0..DECK);
        (0..DECK)
            .map(|step| (from + step) % DECK)
            .find(|&index| self.come_out[index] >= self.decks && self.decks > 0)
            .and_then(|index| Card::from_index(index as u8))
    }

    /// Brings a card of that many points to the place `ahead` of the next card, by exchange with a later one.
    pub(super) fn stack(&mut self, ahead: usize, points: u8) {
        self.stack_where(ahead, |card| naive::points(card) == points);
    }

    /// The same for a card of which more is asked.
    pub(super) fn stack_where(&mut self, ahead: usize, which: impl Fn(Card) -> bool) {
        if ahead == 0 && self.put_back {
            return;
        }
        let at = self.next + ahead;
        let found = self.cards.iter().skip(at).position(|&card| which(card));
        if let Some(offset) = found {
            self.cards.swap(at, at + offset);
        }
    }
}
