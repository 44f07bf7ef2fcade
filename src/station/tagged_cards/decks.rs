//! Decks, held against the registry when the next shoe is loaded: at the end of a shoe, and so at a change of decks.
//! Without I/O.
//!
//! A shoe of so many decks has cards of so many decks: one more is foreign. A deck of which the registry has not 52
//! good cards is not whole. A card that is missing cannot be told from one that was not dealt in one shoe. But a card
//! that no antenna hears in shoe after shoe is there no more, or its tag is dead. For each tag it is asked how much
//! likelier that is if it cannot be heard; these ratios are carried on as Shiryaev-Roberts statistics, as those of the
//! cards' faces are, with the same bound: each is 1 in the mean where all cards are there and well shuffled, however
//! many were heard, so that the mean time to a false alarm is at least as many shoes as the bound says.
//!
//! Decks are told by name and number of cards, never a card: nobody learns from it what was burned, or not dealt.

use std::collections::{BTreeMap, HashMap, HashSet};

use sabot_law::table::Name;
use sabot_law::table::card::DECK;
use sabot_wire::message::ShoeSaw;
use smol_str::format_smolstr;

use crate::composition::ALARM;
use crate::registry::{DeckCard, Entry, Registry, State};

/// What speaks for it that a tag cannot be heard, and in how many shoes it was not.
#[derive(Clone, Copy, Default)]
struct Unheard {
    evidence: f64,
    shoes: u32,
}

/// The decks of a house, and what shoes have shown of them.
#[derive(Default)]
pub(super) struct Decks {
    /// The tags of each deck's good cards.
    good: HashMap<Name, Vec<u64>>,
    /// How many are in the shoe in use.
    pub(super) in_shoe: usize,
    unheard: HashMap<u64, Unheard>,
    found: Vec<Name>,
}

/// Identifiers are in no log.
impl std::fmt::Debug for Decks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Decks({})", self.good.len())
    }
}

impl Decks {
    /// Of a registry.
    pub(super) fn of(registry: &Registry<DeckCard>) -> Self {
        let mut decks = Self::default();
        decks.goes_by(registry);
        decks
    }

    /// The registry has changed. What shoes have shown stays.
    pub(super) fn goes_by(&mut self, registry: &Registry<DeckCard>) {
        let mut good: HashMap<Name, Vec<u64>> = HashMap::new();
        for (tag, Entry { what, state, .. }) in registry.entries() {
            if let (State::Valid, ShoeSaw::Drawn(_)) = (state, what.card) {
                good.entry(what.deck.clone()).or_default().push(tag);
            }
        }
        self.good = good;
    }

    /// The shoe is over, whose cards with these tags were heard; the next one has so many cards.
    pub(super) fn loaded(&mut self, cards: u32, heard: &HashSet<u64>) {
        let decks = std::mem::replace(&mut self.in_shoe, (cards as usize).div_ceil(DECK));
        let of_deck = |tags: &Vec<u64>| tags.iter().filter(|tag| heard.contains(tag)).count();
        let heard_of: BTreeMap<Name, usize> = (self.good.iter())
            .map(|(deck, tags)| (deck.clone(), of_deck(tags)))
            .filter(|(_, heard)| *heard > 0)
            .collect();
        if decks == 0 {
            return; // nobody saw it loaded
        }
        let mut fewest: Vec<(usize, &Name)> = heard_of.iter().map(|(deck, heard)| (*heard, deck)).collect();
        fewest.sort_unstable();
        let foreign = fewest.len().saturating_sub(decks);
        for (heard, deck) in fewest.into_iter().take(foreign) {
            self.found.push(format_smolstr!("deck {deck}: {heard} of its cards in a shoe of {decks} other decks"));
        }
        for deck in heard_of.keys() {
            let cards = self.good.get(deck).map_or(0, Vec::len);
            if cards != DECK {
                self.found.push(format_smolstr!("deck {deck}: {cards} good cards in the registry"));
            }
        }
        if heard_of.len() == decks {
            self.hear(&heard_of, heard);
        }
    }

    /// Goes on with what speaks for it that a tag of these decks, all in the shoe, cannot be heard.
    fn hear(&mut self, heard_of: &BTreeMap<Name, usize>, heard: &HashSet<u64>) {
        let tags = || heard_of.keys().filter_map(|deck| Some((deck, self.good.get(deck)?)));
        let all: usize = tags().map(|(_, tags)| tags.len()).sum();
        let silent = all.saturating_sub(heard_of.values().sum());
        let mut unheard = HashMap::new();
        let (mut sum, mut best) = (0.0, (0.0, None));
        for (deck, tag) in tags().flat_map(|(deck, tags)| tags.iter().map(move |tag| (deck, *tag))) {
            if heard.contains(&tag) {
                continue;
            }
            let Unheard { evidence, shoes } = self.unheard.get(&tag).copied().unwrap_or_default();
            let now = Unheard { evidence: (1.0 + evidence) * all as f64 / silent as f64, shoes: shoes + 1 };
            sum += now.evidence;
            if now.evidence > best.0 {
                best = (now.evidence, Some((deck.clone(), now.shoes)));
            }
            unheard.insert(tag, now);
        }
        self.unheard = unheard;
        if let (true, (_, Some((deck, shoes)))) = (sum / all as f64 >= ALARM, best) {
            self.found.push(format_smolstr!(
                "deck {deck}: a card of it was heard in none of the last {shoes} shoes: missing, or its tag is dead"
            ));
            self.unheard.clear();
        }
    }

    /// What is to be told, once.
    pub(super) fn take_found(&mut self) -> Vec<Name> {
        std::mem::take(&mut self.found)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::seq::SliceRandom;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::tagged_cards::of_tests::{registry, tag};

    const SHOE: u32 = 416;

    /// The tags of the first so many decks.
    fn tags(decks: u64) -> Vec<u64> {
        (0..decks).flat_map(|deck| (0..52).map(move |card| tag(deck, card))).collect()
    }

    /// The shoes until something is told, and what, where these tags can be heard and three of four cards are dealt.
    fn found_after(audible: &[u64], shoes: u32, seed: u64) -> Option<(u32, Vec<Name>)> {
        let (mut random, mut cards) = (ChaCha8Rng::seed_from_u64(seed), tags(8));
        let audible: HashSet<u64> = audible.iter().copied().collect();
        let mut decks = Decks::of(&registry());
        decks.loaded(SHOE, &HashSet::new());
        (1..=shoes).find_map(|shoe| {
            let (dealt, _) = cards.partial_shuffle(&mut random, 312);
            decks.loaded(SHOE, &dealt.iter().copied().filter(|tag| audible.contains(tag)).collect());
            Some((shoe, decks.take_found())).filter(|(_, found)| !found.is_empty())
        })
    }

    #[test]
    fn whole_decks_are_found_wrong_in_none_of_three_thousand_shoes() {
        assert_eq!(found_after(&tags(8), 3000, 1), None);
    }

    #[test]
    fn a_card_that_is_never_heard_is_found_by_its_deck_within_some_shoes() {
        for seed in 0..20 {
            let silent = tag(3, 11);
            let audible: Vec<u64> = tags(8).into_iter().filter(|tag| *tag != silent).collect();
            let (shoes, found) = found_after(&audible, 30, seed).unwrap();
            assert!((9..=16).contains(&shoes), "{shoes}");
            let told = format!(
                "deck D-3: a card of it was heard in none of the last {shoes} shoes: missing, or its tag is dead"
            );
            assert_eq!(found, [told]);
        }
    }

    #[test]
    fn the_deck_of_a_card_too_many_is_foreign_and_one_that_the_registry_lacks_cards_of_is_not_whole() {
        let mut registry = registry();
        let gone = registry.get(tag(2, 7)).unwrap().clone();
        registry.merge([(tag(2, 7), Entry { state: State::Cancelled, ..gone })]);
        let mut decks = Decks::of(&registry);
        decks.loaded(2 * 52, &HashSet::new());
        assert_eq!(decks.take_found(), [""; 0]);
        let mut heard: HashSet<u64> = (0..40).flat_map(|card| [tag(1, card), tag(4, card)]).collect();
        decks.loaded(2 * 52, &heard);
        assert_eq!(decks.take_found(), [""; 0]);
        heard.insert(tag(2, 9));
        decks.loaded(3 * 52, &heard);
        let told = ["deck D-2: 1 of its cards in a shoe of 2 other decks", "deck D-2: 51 good cards in the registry"];
        assert_eq!(decks.take_found(), told);
        decks.loaded(2 * 52, &heard);
        assert_eq!(decks.take_found(), ["deck D-2: 51 good cards in the registry"], "it was a shoe of three");
    }
}
