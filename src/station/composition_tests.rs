use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

const DECKS: u32 = 8;
/// Cards of a shoe that come to lie face up: some three quarters of it.
const SHOWN: usize = 300;
/// The queen of spades.
const QUEEN: usize = 11;

/// Eight decks of which so many copies of the queen of spades are another card.
fn cards(replaced: usize) -> Vec<u8> {
    let mut cards: Vec<u8> = (0..DECKS).flat_map(|_| 0..DECK as u8).collect();
    let queens = cards.iter_mut().filter(|card| usize::from(**card) == QUEEN);
    queens.take(replaced).for_each(|card| *card = 0);
    cards
}

/// The shoe as it is shown when it is over; cards of one kind that come more than eight times are not, as M1 has it.
fn shown(cards: &mut [u8], random: &mut ChaCha8Rng) -> [u16; DECK] {
    let some = SHOWN + random.random_range(0..20);
    let (first, _) = cards.partial_shuffle(random, some);
    let mut seen = [0; DECK];
    for &card in first.iter() {
        let times = &mut seen[usize::from(card)];
        *times = (*times + 1).min(DECKS as u16);
    }
    seen
}

/// Shoes until the alarm, and what it says; none within so many.
fn alarm_after(replaced: usize, shoes: u32, seed: u64) -> Option<(u32, Name)> {
    let (mut random, mut cards) = (ChaCha8Rng::seed_from_u64(seed), cards(replaced));
    let mut composition = Composition::default();
    (1..=shoes).find_map(|shoe| {
        composition.shoe_is_over(DECKS, &shown(&mut cards, &mut random));
        composition.take_alarm().map(|what| (shoe, what))
    })
}

#[test]
fn the_ratios_are_those_of_counting_all_ways() {
    let mut composition = Composition::default();
    composition.begin(1);
    // of 52 cards 13 are shown; without any copy 1, with one the chance that it is not among them
    assert!((composition.ratio(0, 13, 0) - 52.0 / 39.0).abs() < 1e-9);
    assert!(composition.ratio(0, 13, 1).abs() < 1e-12, "it cannot come");
    // two copies instead of one, one of them shown: 2 * (13/52) * (39/51) against 13/52
    assert!((composition.ratio(2, 13, 1) - 2.0 * 39.0 / 51.0).abs() < 1e-9);
    // in the mean over what the right cards show, each ratio is 1 at the most
    composition.begin(8);
    let chance = |times: u32| {
        let ways = composition.ln_choose(8, times)? + composition.ln_choose(408, 300 - times)?;
        Some((ways - composition.ln_choose(416, 300)?).exp())
    };
    for Alternative { copies, .. } in &composition.alternatives {
        let mean: f64 = (0..=8).map(|times| chance(times).unwrap() * composition.ratio(*copies, 300, times)).sum();
        assert!(mean < 1.0 + 1e-9 && (*copies > 8 || mean > 1.0 - 1e-9), "{copies}: {mean}");
    }
}

/// Seven of eight queens of spades replaced: 1,100 of 1,250 of them, as a record once showed and nobody saw.
#[test]
fn queens_that_are_replaced_are_found_in_a_few_shoes() {
    for (replaced, median_at_most, within) in [(8, 5, 20), (7, 6, 40), (4, 20, 150), (2, 60, 500), (1, 250, 1500)] {
        let mut after: Vec<u32> = (0..31)
            .map(|seed| {
                let (shoes, what) = alarm_after(replaced, within, seed).expect("it is not found");
                // the card that came in their place may show first
                assert!(what.starts_with("QS: fewer") || what.starts_with("AS: more"), "{replaced}: {what}");
                shoes
            })
            .collect();
        after.sort_unstable();
        let (median, worst) = (after[after.len() / 2], after[after.len() - 1]);
        eprintln!(
            "{replaced} of 8 replaced: found after {median} shoes in the middle, {worst} at the worst of 31 seeds"
        );
        assert!(median <= median_at_most, "{replaced}: {median}");
    }
}

/// The bound promises one false alarm in ten table-years at the most, in the mean.
#[test]
fn with_the_right_cards_there_is_no_more_than_one_alarm_in_ten_years_of_a_table() {
    let decades: u32 = std::env::var("SABOT_DECADES").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let (mut random, mut cards) = (ChaCha8Rng::seed_from_u64(7), cards(0));
    let mut composition = Composition::default();
    let mut alarms = 0;
    for _ in 0..decades * ALARM as u32 {
        composition.shoe_is_over(DECKS, &shown(&mut cards, &mut random));
        alarms += u32::from(composition.take_alarm().is_some());
    }
    eprintln!("{alarms} false alarms in {} table-years", 10 * decades);
    // of a mean of one at the most: four or more once in fifty times
    assert!(alarms <= decades + 2 * decades.isqrt().max(1), "{alarms}");
}

#[test]
fn a_shoe_counts_when_the_next_is_loaded_and_an_alarm_is_told_once() {
    let mut composition = Composition::default();
    let load = Event::Load { cards: 416, cut_card: 52 };
    composition.hear(&load, None);
    assert!(composition.alternatives.is_empty(), "there was no shoe before");
    let mut seen = [6; DECK];
    seen[QUEEN] = 0;
    (0..20).for_each(|_| composition.shoe_is_over(DECKS, &seen));
    assert_eq!(composition.alarm.as_deref(), Some("QS: fewer than 8 in the shoes of late"));
    // read back from a record that has it
    let told = super::super::sourced_event::device_event(sabot_wire::message::Role::Shoe, STATUS, None);
    composition.hear(&told, None);
    assert_eq!(composition.take_alarm(), None);
    // a shoe of other decks begins anew, one that cannot be is passed over
    composition.shoe_is_over(6, &[4; DECK]);
    composition.shoe_is_over(200, &[4; DECK]);
    assert!(composition.alternatives.is_empty());
}

/// Evidence of some shoes, short of an alarm.
pub(crate) fn of_some_shoes(seed: u64) -> Composition {
    let (mut random, mut cards) = (ChaCha8Rng::seed_from_u64(seed), cards(0));
    let mut composition = Composition::default();
    (0..3).for_each(|_| composition.shoe_is_over(DECKS, &shown(&mut cards, &mut random)));
    composition
}

#[test]
fn what_is_kept_of_it_is_all_of_it_to_the_last_bit() {
    for seed in 0..20 {
        let composition = of_some_shoes(seed);
        assert!(composition.alternatives.iter().any(|one| one.evidence.iter().any(|evidence| *evidence > 1.0)));
        let text = serde_json::to_string(&composition.kept()).unwrap();
        assert_eq!(Composition::restored(serde_json::from_str(&text).unwrap()), Some(composition));
    }
    let none = Composition::default();
    assert_eq!(Composition::restored(none.kept()), Some(none), "no shoe is over yet");
    let mut kept = of_some_shoes(0).kept();
    kept.evidence.pop();
    assert_eq!(Composition::restored(kept), None, "it holds other numbers of copies against the right one");
}
