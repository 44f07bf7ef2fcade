use super::*;
use crate::scanner::{Protocol, Symbols};

const ACE: ShoeSaw = ShoeSaw::Drawn(Card::from_code(0));
const TWO: ShoeSaw = ShoeSaw::Drawn(Card::from_code(1));
const UNREAD: ShoeSaw = ShoeSaw::Drawn(Card::UNREAD);

pub(in crate::scanner) fn setup(protocol: Protocol, unique: bool) -> Setup {
    let mut symbols = Symbols::new(unique);
    let load = ShoeSaw::Loaded { cards: 416, cut_card: 80 };
    for (symbol, means) in [("AS", ACE), ("AS2", ACE), ("2S", TWO), ("CUT", ShoeSaw::CutCard), ("LOAD", load)] {
        symbols.add(symbol, means).unwrap();
    }
    let duplicate_ms = if unique { 5000 } else { 400 };
    let no_read = Some("NR".to_owned());
    Setup { protocol, symbols: symbols.into(), duplicate_ms, no_read, serial: None, last: None }
}

fn reads(unique: bool) -> Reads {
    Reads::new(setup(Protocol::Ssi, unique))
}

/// What was told since.
pub(in crate::scanner) fn told(said: &mut VecDeque<SessionReport>) -> Vec<Observation> {
    let saw = |said| if let SessionReport::Saw { saw, .. } = said { saw?.in_words_of_the_link() } else { None };
    said.drain(..).filter_map(saw).collect()
}

fn shoe(saw: &[ShoeSaw]) -> Vec<Observation> {
    saw.iter().map(|&saw| Observation::Shoe(saw)).collect()
}

#[test]
fn symbols_are_cards_and_what_is_no_symbol_is_a_card_unread() {
    let mut reads = reads(false);
    for (n, text) in ["AS", "AS2", "CUT", "NR", "??", "LOAD"].iter().enumerate() {
        reads.take(n as u64 * 1000, text.as_bytes(), false);
    }
    let load = ShoeSaw::Loaded { cards: 416, cut_card: 80 };
    assert_eq!(told(&mut reads.said), shoe(&[ACE, ACE, ShoeSaw::CutCard, UNREAD, UNREAD, load]));
    assert!(!format!("{reads:?}").contains("AS"));
}

#[test]
fn the_same_symbol_within_the_window_is_the_same_card_for_as_long_as_it_is_seen() {
    let mut reads = reads(false);
    for now in [0, 300, 600, 900] {
        assert_eq!(reads.take(now, b"AS", false), 1);
    }
    assert_eq!(reads.take(1300, b"AS", false), 2, "an equal card, after the window");
    assert_eq!(reads.take(1400, b"2S", false), 3);
    assert_eq!(reads.take(1500, b"AS", false), 4, "another card was between");
    assert_eq!(told(&mut reads.said), shoe(&[ACE, ACE, TWO, ACE]));
    assert_eq!(reads.counters.repeats, 3);
}

#[test]
fn what_is_sent_again_is_the_same_card_as_long_as_the_scanner_may_send_it_again() {
    let mut reads = reads(false);
    assert_eq!(reads.take(0, b"AS", false), 1);
    assert_eq!(reads.take(60_000, b"AS", true), 1, "not acknowledged");
    reads.acknowledged(60_000);
    assert_eq!(reads.take(62_000, b"AS", true), 1, "the acknowledgement was not heard");
    reads.acknowledged(62_000);
    assert_eq!(reads.take(62_000 + HEARD_MS + 1, b"AS", true), 2, "it was: this is an equal card");
    assert_eq!(reads.take(70_000, b"AS", false), 3, "nor is what is sent first");
    reads.lost(71_000);
    assert_eq!(reads.take(71_000 + GIVE_UP_MS, b"AS", true), 3);
    reads.lost(78_000);
    assert_eq!(reads.take(78_001 + GIVE_UP_MS, b"AS", true), 4, "the scanner has given up the one before");
    reads.acknowledged(90_000);
    reads.lost(90_000 + HEARD_MS + 1);
    assert_eq!(reads.take(90_000 + HEARD_MS + 2, b"AS", true), 5, "the line was up long enough to hear it sent again");
}

#[test]
fn a_symbol_of_one_card_is_the_same_card_until_the_scanner_has_given_up() {
    let mut reads = reads(true);
    assert_eq!(reads.take(0, b"AS", false), 1);
    reads.acknowledged(0);
    assert_eq!(reads.take(GIVE_UP_MS, b"AS", true), 1, "neither the acknowledgement nor the first repeat was heard");
    assert_eq!(told(&mut reads.said), shoe(&[ACE]));
}

#[test]
fn after_a_start_what_is_on_record_and_is_sent_again_is_on_record() {
    let started = || Reads::new(Setup { last: Some(ACE), ..setup(Protocol::Ssi, false) });
    let mut reads = started();
    assert_eq!(reads.take(100, b"AS", true), 0);
    assert!(reads.is_durable(0), "acknowledged at once");
    assert_eq!(reads.take(200, b"AS", true), 0);
    assert_eq!(reads.take(5000, b"AS", false), 1, "this is another");
    assert_eq!(started().take(100, b"AS", false), 1);
    assert_eq!(started().take(100, b"2S", true), 1);
    assert_eq!(started().take(GIVE_UP_MS + 1, b"AS", true), 1);
}

#[test]
fn a_symbol_of_one_card_that_passes_twice_in_a_shoe_is_told_with_the_card() {
    let mut reads = reads(true);
    let trouble = Observation::Device(DeviceState::ReadError);
    let mut at = 0;
    let mut pass = |text: &str| {
        at += 10_000;
        reads.take(at, text.as_bytes(), false);
        told(&mut reads.said)
    };
    assert_eq!((pass("AS"), pass("AS2"), pass("2S")), (shoe(&[ACE]), shoe(&[ACE]), shoe(&[TWO])));
    assert_eq!(pass("AS"), [Observation::Shoe(ACE), trouble.clone()]);
    assert_eq!((pass("NR"), pass("CUT"), pass("NR"), pass("CUT")).3, shoe(&[ShoeSaw::CutCard]));
    pass("LOAD");
    assert_eq!((pass("AS"), pass("2S")), (shoe(&[ACE]), shoe(&[TWO])), "a fresh shoe");
}
