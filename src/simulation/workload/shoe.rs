//! The cards that are drawn.

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use sabot_law::table::Card;
use sabot_law::table::card::DECK;

use super::cards::points;

/// A shoe in play, or none yet.
#[derive(Debug, Clone, Default)]
pub(super) struct Shoe {
    cards: Vec<Card>,
    next: usize,
    /// Cards behind the cut card.
    behind: usize,
    pub(super) cut_card_out: bool,
    /// Cards in the discard tray.
    pub(super) retired: usize,
}

impl Shoe {
    /// So many decks, shuffled, so many cards of them behind the cut card.
    pub(super) fn load(&mut self, rng: &mut ChaCha8Rng, decks: u32, behind: usize) {
        self.cards.clear();
        for _ in 0..decks {
            self.cards.extend((0..DECK as u8).filter_map(Card::from_index));
        }
        self.cards.shuffle(rng);
        *self = Self { cards: std::mem::take(&mut self.cards), behind, ..Self::default() };
    }

    /// The cards retired are put in again in the middle of a pass: of those that came out, all but those on the felt.
    pub(super) fn refill(&mut self, rng: &mut ChaCha8Rng, felt: impl Iterator<Item = Card>) {
        self.cards.truncate(self.next);
        for card in felt {
            if let Some(at) = self.cards.iter().position(|&one| one == card) {
                self.cards.swap_remove(at);
            }
        }
        self.cards.shuffle(rng);
        self.cards.truncate(self.retired);
        *self = Self { cards: std::mem::take(&mut self.cards), cut_card_out: true, ..Self::default() };
    }

    /// Cards left to draw.
    pub(super) fn left(&self) -> usize {
        self.cards.len() - self.next
    }

    /// It was never loaded, or its cut card has come out.
    pub(super) fn is_used_up(&self) -> bool {
        self.cards.is_empty() || self.cut_card_out
    }

    /// Whether the cut card lies before the next card.
    pub(super) fn cut_card_is_next(&self) -> bool {
        !self.cut_card_out && self.left() <= self.behind
    }

    /// The next card; `None` when it is empty.
    pub(super) fn draw(&mut self) -> Option<Card> {
        let card = *self.cards.get(self.next)?;
        self.next += 1;
        Some(card)
    }

    /// The like of a card out of the shoe: of its rank, or else of its points; the next one where there is none.
    pub(super) fn draw_like(&mut self, card: Card) -> Option<Card> {
        let left = || self.cards.iter().skip(self.next);
        let of_rank = left().position(|one| one.rank() == card.rank());
        let offset = of_rank.or_else(|| left().position(|&one| points(one) == points(card))).unwrap_or(0);
        if offset < self.left() {
            self.cards.swap(self.next, self.next + offset);
        }
        self.draw()
    }

    /// Brings cards that count one of these points to the front, one to each of these places after the next card. Any
    /// order of the cards is a shuffle's.
    pub(super) fn favour(&mut self, ahead: &[usize], points_of: &[u8]) {
        for &ahead in ahead {
            let at = self.next + ahead;
            let found = self.cards.iter().skip(at).position(|&card| points_of.contains(&points(card)));
            if let Some(offset) = found {
                self.cards.swap(at, at + offset);
            }
        }
    }
}
