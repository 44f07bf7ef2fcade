//! From what pictures show to the cards that have passed: each one once, however long it lies before the lens.

use std::collections::VecDeque;

use sabot_words::Card;

use crate::reader::{At, Seen};

/// Pictures, one after the other, that show the same card before it is told.
const AGREE: u32 = 2;
/// The same where something else was read of it before, or where it is to be a second card without a gap.
const AGREE_IN_DOUBT: u32 = 4;
/// Pictures of the empty mouth between two cards.
const GAP: u32 = 2;
/// Something that was in so few pictures is none.
const FLICKER: u32 = 2;
/// So far back, in parts of an index, a card does not go: it is the next one.
const BACK: f32 = 0.5;
/// A card that was not read for so long is told as unread, milliseconds.
const UNREAD_AFTER_MS: u64 = 1500;

/// What has passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// A card.
    Card(Card),
    /// A card with its back to the lens, or one that could not be read.
    Unread,
    /// The cut card.
    CutCard,
    /// The card told next has come together with the one before, without a gap.
    Together,
}

/// The side of the picture that a card moves to as it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Out {
    /// The lower one.
    #[default]
    Down,
    /// The upper one.
    Up,
    /// The left one.
    Left,
    /// The right one.
    Right,
}

impl Out {
    const fn along(self, at: At) -> f32 {
        match self {
            Self::Down => at.y,
            Self::Up => -at.y,
            Self::Left => -at.x,
            Self::Right => at.x,
        }
    }
}

/// What is in the mouth.
#[derive(Debug, Default)]
struct Passage {
    since: u64,
    pictures: u32,
    /// The card read last, in how many pictures in a row, and how far it has come.
    last: Option<(Card, u32, f32)>,
    /// It has jumped back since it was told.
    is_next: bool,
    /// Different cards were read of it.
    in_doubt: bool,
    backs: u32,
    /// Pictures of a cut card; and those since that show something else.
    cuts: u32,
    after_cut: u32,
    /// It was plain, then not, then plain again.
    broken: bool,
    told: Option<Told>,
}

/// Follows pictures.
#[derive(Debug, Default)]
pub struct Passages {
    out: Out,
    passage: Option<Passage>,
    gap: u32,
    told: VecDeque<Told>,
}

impl Passages {
    /// Cards leave towards that side of the picture.
    #[must_use]
    pub fn new(out: Out) -> Self {
        Self { out, ..Self::default() }
    }

    /// Takes what the next picture shows, at `now_ms` of any clock that does not go back.
    pub fn take(&mut self, now_ms: u64, seen: Seen) {
        if seen == Seen::Nothing {
            self.gap += 1;
            if self.gap >= GAP {
                self.ends();
            }
            return;
        }
        self.gap = 0;
        let passage = self.passage.get_or_insert_with(|| Passage { since: now_ms, ..Passage::default() });
        passage.pictures += 1;
        match seen {
            Seen::Card(card, at) => passage.read(card, self.out.along(at), &mut self.told),
            Seen::CutCard => {
                passage.broken |= passage.after_cut > 0;
                passage.cuts += 1;
            }
            Seen::Back => passage.backs += 1,
            Seen::Unread | Seen::Nothing => {}
        }
        if seen != Seen::CutCard && passage.cuts > 0 {
            passage.after_cut += 1;
        }
        if passage.told.is_none() && now_ms.saturating_sub(passage.since) >= UNREAD_AFTER_MS {
            passage.tell(passage.guess(), &mut self.told);
        }
    }

    /// The pictures have ended: what is in the mouth is told as far as it was read, and does not count as the card of
    /// the next picture.
    pub fn ends(&mut self) {
        if let Some(mut passage) = self.passage.take()
            && passage.told.is_none()
            && passage.pictures >= FLICKER
        {
            passage.tell(passage.guess(), &mut self.told);
        }
    }

    /// Whether nothing is in the mouth, by the pictures that came.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.passage.is_none()
    }

    /// What has passed, the oldest first.
    pub fn next_told(&mut self) -> Option<Told> {
        self.told.pop_front()
    }
}

impl Passage {
    fn read(&mut self, card: Card, along: f32, told: &mut VecDeque<Told>) {
        let (same, run, furthest) = match self.last {
            Some((last, run, furthest)) if last == card => (true, run, furthest),
            Some(_) => {
                self.in_doubt |= self.told.is_none();
                (false, 0, along)
            }
            None => (false, 0, along),
        };
        let jumps = same && along < furthest - BACK;
        self.is_next |= jumps;
        let (run, furthest) = if jumps { (1, along) } else { (run + 1, furthest.max(along)) };
        self.last = Some((card, run, furthest));
        match self.told {
            None if run >= if self.in_doubt { AGREE_IN_DOUBT } else { AGREE } => self.tell(Told::Card(card), told),
            Some(Told::Card(before)) if (before != card || self.is_next) && run >= AGREE_IN_DOUBT => {
                told.push_back(Told::Together);
                self.tell(Told::Card(card), told);
            }
            _ => {}
        }
    }

    fn tell(&mut self, what: Told, told: &mut VecDeque<Told>) {
        self.is_next = false;
        self.told = Some(what);
        told.push_back(what);
    }

    /// What it was, where no card was read twice.
    fn guess(&self) -> Told {
        match self.last {
            Some((card, ..)) if !self.in_doubt => Told::Card(card),
            None if self.cuts >= FLICKER && self.backs == 0 && !self.broken => Told::CutCard,
            _ => Told::Unread,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(name: &str) -> Card {
        name.parse().unwrap()
    }

    fn shows(name: &str, y: f32) -> Seen {
        Seen::Card(card(name), At { x: 0.0, y })
    }

    /// What is told of these pictures, a hundred a second.
    fn told(pictures: &[Seen]) -> Vec<Told> {
        let mut passages = Passages::default();
        pictures.iter().enumerate().for_each(|(n, seen)| passages.take(10 * n as u64, *seen));
        std::iter::from_fn(|| passages.next_told()).collect()
    }

    const NO: Seen = Seen::Nothing;
    const Q: Seen = Seen::Unread;

    #[test]
    fn a_card_is_one_however_long_it_lies() {
        let mut pictures = vec![NO, Q];
        pictures.extend([shows("AS", 0.1); 900]);
        pictures.extend([Q, shows("AS", 0.1), shows("AS", -0.1), Q, NO, NO]);
        assert_eq!(told(&pictures), [Told::Card(card("AS"))]);
    }

    #[test]
    fn two_equal_cards_are_two_by_the_gap_or_by_the_slide() {
        let one = [Q, shows("7H", -0.3), shows("7H", 0.0), shows("7H", 0.3), Q];
        let gap = [&one[..], &[NO, NO], &one, &[NO, NO]].concat();
        assert_eq!(told(&gap), [Told::Card(card("7H")); 2]);
        let next = [-0.3, -0.2, -0.1, 0.0].map(|y| shows("7H", y));
        let slide = [&one[..], &next, &[NO, NO]].concat();
        assert_eq!(told(&slide), [Told::Card(card("7H")), Told::Together, Told::Card(card("7H"))]);
    }

    #[test]
    fn two_that_come_together_are_said_to_be_so() {
        let pictures = [[shows("7H", 0.0); 4], [shows("KD", 0.0); 4]].concat();
        assert_eq!(told(&pictures), [Told::Card(card("7H")), Told::Together, Told::Card(card("KD"))]);
    }

    #[test]
    fn a_card_that_is_read_now_as_one_and_now_as_another_is_unread() {
        let mut pictures = vec![shows("6S", 0.0), shows("8S", 0.0), shows("6S", 0.0), shows("8S", 0.0), Q, NO];
        assert_eq!(told(&pictures), []);
        pictures.push(NO);
        assert_eq!(told(&pictures), [Told::Unread]);
    }

    #[test]
    fn one_reading_is_enough_where_nothing_contradicts_it() {
        assert_eq!(told(&[Q, shows("6S", 0.0), Q, Q, NO, NO]), [Told::Card(card("6S"))]);
    }

    #[test]
    fn a_back_is_a_covered_card_and_a_flicker_is_none() {
        assert_eq!(told(&[Q, Seen::Back, Seen::Back, Q, NO, NO]), [Told::Unread]);
        assert_eq!(told(&[NO, Q, NO, NO]), []);
        assert_eq!(told(&[Seen::Back; 400]), [Told::Unread], "and once, however long it lies");
    }

    #[test]
    fn the_cut_card_is_plain_from_edge_to_edge() {
        let cut = Seen::CutCard;
        assert_eq!(told(&[Q, Q, cut, cut, cut, Q, NO, NO]), [Told::CutCard]);
        assert_eq!(told(&[Q, cut, cut, Q, cut, cut, NO, NO]), [Told::Unread], "paper between pips is plain too");
        assert_eq!(told(&[shows("AS", 0.0), shows("AS", 0.1), cut, cut, cut, NO, NO]), [Told::Card(card("AS"))]);
    }

    #[test]
    fn a_card_that_lies_unread_is_told_in_time_and_not_again() {
        let mut pictures = vec![Q; 200];
        pictures.extend([shows("AS", 0.0); 10]);
        pictures.extend([NO, NO]);
        assert_eq!(told(&pictures), [Told::Unread]);
    }
}
