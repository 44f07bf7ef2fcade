//! Whether the cards of many shoes came as well-shuffled ones do. Covered and unread cards are left out, which depends
//! on no card's value.

use sabot_law::table::card::DECK;

const KINDS: f64 = DECK as f64;
const RANKS: usize = 13;
/// Degrees of freedom of how often each of the 52 cards came.
const FREEDOM: f64 = KINDS - 1.0;
/// What chi-squared exceeds once in twenty times, as a normal deviate.
const ONCE_IN_20: f64 = 1.645;
/// What a normal deviate exceeds, either way, once in a hundred times.
const ONCE_IN_100: f64 = 2.576;

/// A sum of what is expected and what is counted, shoe after shoe.
#[derive(Debug, Default, Clone, Copy)]
struct Sum {
    more: f64,
    variance: f64,
}

impl Sum {
    fn add(&mut self, counted: f64, mean: f64, variance: f64) {
        self.more += counted - mean;
        self.variance += variance;
    }

    /// By how many standard deviations more is counted than is expected.
    fn deviate(self) -> f64 {
        if self.variance > 0.0 { self.more / self.variance.sqrt() } else { 0.0 }
    }
}

/// What shoes have shown.
#[derive(Debug)]
pub(super) struct Shoes {
    /// Shoes that showed a card.
    pub(super) count: u64,
    /// Cards that were seen.
    pub(super) cards: u64,
    /// Cards in the shoe in use, where it holds whole decks.
    held: Option<u32>,
    /// Its cards in order, by index; none for one that was not seen.
    drawn: Vec<Option<usize>>,
    /// How much oftener each card came than it was to.
    more: [f64; DECK],
    /// Of one card, the square by which that is to differ from 0.
    square: f64,
    /// Neighbours of a new deck that came one after the other.
    neighbours: Sum,
    /// Runs of ten-valued cards and of others.
    runs: Sum,
}

/// A test, and whether well-shuffled cards fail it seldom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tested {
    /// As a normal deviate.
    pub(super) deviate: f64,
    pub(super) passed: bool,
}

impl Default for Shoes {
    fn default() -> Self {
        let (neighbours, runs) = (Sum::default(), Sum::default());
        Self { count: 0, cards: 0, held: None, drawn: Vec::new(), more: [0.0; DECK], square: 0.0, neighbours, runs }
    }
}

impl Shoes {
    /// A shoe of so many cards is loaded: the one before is over.
    pub(super) fn load(&mut self, cards: u32) {
        self.end();
        self.held = Some(cards).filter(|cards| *cards > 0 && cards.is_multiple_of(DECK as u32));
    }

    /// A card came.
    pub(super) fn draw(&mut self, card: Option<usize>) {
        self.drawn.push(card);
    }

    /// No more is read.
    pub(super) fn end(&mut self) {
        let drawn = std::mem::take(&mut self.drawn);
        let Some(held) = self.held.map(f64::from) else { return };
        let seen: Vec<usize> = drawn.iter().copied().flatten().collect();
        let shown = seen.len() as f64;
        if seen.is_empty() || shown >= held {
            return;
        }
        (self.count, self.cards) = (self.count + 1, self.cards + seen.len() as u64);
        for (card, more) in self.more.iter_mut().enumerate() {
            let times = seen.iter().filter(|seen| **seen == card).count() as f64;
            *more += times - shown / KINDS;
        }
        self.square += shown / KINDS * (held - shown) / (held - 1.0);
        let pairs: Vec<(usize, usize)> = drawn.windows(2).filter_map(|pair| Some((pair[0]?, pair[1]?))).collect();
        let are = |(one, other): &&(usize, usize)| one.abs_diff(*other) == 1 && one / RANKS == other / RANKS;
        let (near, of) = (pairs.iter().filter(are).count() as f64, pairs.len() as f64);
        // in a suit twelve of thirteen cards have one above, and twelve one below
        let chance = 24.0 / 13.0 * (held / KINDS) / (held - 1.0);
        self.neighbours.add(near, of * chance, of * chance * (1.0 - chance));
        let tens: Vec<bool> = seen.iter().map(|card| card % RANKS >= 9).collect();
        let (ten, runs) = (tens.iter().filter(|ten| **ten).count() as f64, tens.windows(2).filter(|w| w[0] != w[1]));
        let twice = 2.0 * ten * (shown - ten);
        if twice > shown {
            let variance = twice * (twice - shown) / (shown * shown * (shown - 1.0));
            self.runs.add(1.0 + runs.count() as f64, 1.0 + twice / shown, variance);
        }
    }

    /// How often each card came: chi-squared, at 95 %.
    pub(super) fn composition(&self) -> Tested {
        let chi = self.more.iter().map(|more| more * more).sum::<f64>() / self.square.max(f64::MIN_POSITIVE);
        // Wilson and Hilferty: the cube root is close to normal
        let spread = 2.0 / (9.0 * FREEDOM);
        let deviate = ((chi / FREEDOM).cbrt() - (1.0 - spread)) / spread.sqrt();
        Tested { deviate, passed: deviate <= ONCE_IN_20 }
    }

    /// Neighbours of a new deck that came one after the other, at 99 %.
    pub(super) fn neighbours(&self) -> Tested {
        Self::at_99(self.neighbours)
    }

    /// Runs of ten-valued cards and of others, at 99 %.
    pub(super) fn runs(&self) -> Tested {
        Self::at_99(self.runs)
    }

    fn at_99(sum: Sum) -> Tested {
        let deviate = sum.deviate();
        Tested { deviate, passed: deviate.abs() <= ONCE_IN_100 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that follow from a seed (splitmix64).
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut x = self.0;
            x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((x ^ (x >> 31)) % bound as u64) as usize
        }

        fn shuffle(&mut self, cards: &mut [usize]) {
            (1..cards.len()).rev().for_each(|at| cards.swap(at, self.below(at + 1)));
        }
    }

    fn decks(count: usize) -> Vec<usize> {
        (0..count * DECK).map(|card| card % DECK).collect()
    }

    /// Deals some cards of a shoe, one in twelve unseen.
    fn deal(shoes: &mut Shoes, cards: &[usize]) {
        shoes.load(416);
        cards.iter().take(330).enumerate().for_each(|(at, card)| shoes.draw((at % 12 != 7).then_some(*card)));
    }

    #[test]
    fn well_shuffled_shoes_fail_each_test_as_seldom_as_it_says() {
        let (mut numbers, mut failed) = (Numbers(7), [0; 3]);
        for _ in 0..1000 {
            let mut shoes = Shoes::default();
            for _ in 0..4 {
                let mut cards = decks(8);
                numbers.shuffle(&mut cards);
                deal(&mut shoes, &cards);
            }
            shoes.end();
            assert_eq!(shoes.count, 4);
            let tested = [shoes.composition(), shoes.neighbours(), shoes.runs()];
            tested.iter().zip(&mut failed).for_each(|(tested, failed)| *failed += usize::from(!tested.passed));
        }
        assert!((30..=75).contains(&failed[0]), "{failed:?} of 1000, once in 20");
        assert!((2..=22).contains(&failed[1]) && (2..=22).contains(&failed[2]), "{failed:?} of 1000, once in 100");
    }

    #[test]
    fn a_missing_card_a_new_deck_and_tens_in_clumps_are_found_each_by_its_test() {
        let mut numbers = Numbers(9);
        let (mut fewer, mut new, mut clumps) = (Shoes::default(), Shoes::default(), Shoes::default());
        for _ in 0..20 {
            // all queens of spades are fours of hearts
            let mut cards: Vec<usize> = decks(8).into_iter().map(|card| if card == 11 { 16 } else { card }).collect();
            numbers.shuffle(&mut cards);
            deal(&mut fewer, &cards);
            deal(&mut new, &decks(8));
            let mut cards = decks(8);
            numbers.shuffle(&mut cards);
            cards.chunks_mut(26).for_each(|part| part.sort_unstable_by_key(|card| card % RANKS >= 9));
            deal(&mut clumps, &cards);
        }
        [&mut fewer, &mut new, &mut clumps].into_iter().for_each(Shoes::end);
        assert!(!fewer.composition().passed && fewer.runs().passed && fewer.neighbours().passed, "{fewer:?}");
        assert!(new.neighbours().deviate > 50.0, "{new:?}");
        assert!(clumps.runs().deviate < -20.0, "{clumps:?}");
    }
}
