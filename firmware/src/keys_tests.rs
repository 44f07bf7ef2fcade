//! Keys typed, entries made.

use super::*;
use crate::testing::FakePin;

extern crate std;
use std::vec::Vec;

/// Keys as people write them: a function's name, digits, `*` for NEXT, `#` for ENTER, `C` for CLEAR.
fn keys(text: &str) -> Vec<Key> {
    let (name, rest) =
        text.split_once(' ').unwrap_or((text.trim_end_matches('#'), if text.ends_with('#') { "#" } else { "" }));
    let functions = LAYOUT.iter().flatten().filter_map(|key| match key {
        Key::Function(function) => Some(*function),
        _ => None,
    });
    let named = |function: &Function| std::format!("{function:?}").to_uppercase().starts_with(name);
    let mut keys: Vec<_> =
        functions.into_iter().filter(named).take(usize::from(!name.is_empty())).map(Key::Function).collect();
    keys.extend(rest.chars().map(|letter| match letter {
        '*' => Key::Next,
        '#' => Key::Enter,
        'C' => Key::Clear,
        digit => Key::Digit(u8::try_from(digit.to_digit(10).expect("a digit")).expect("small")),
    }));
    keys
}

/// What comes of keys typed one after the other.
fn typed(text: &str) -> Typed {
    let mut typing = Typing::new();
    keys(text).into_iter().fold(Typed::Open, |_, key| typing.press(1, key))
}

#[test]
fn every_entry_can_be_typed() {
    use KeypadSaid as Said;
    let hand = |box_no, hand| Where::Hand(HandId { box_no, hand });
    let table = [
        ("HIT 3#", Said::Decide { box_no: 3, hand: 0, choice: Choice::Hit, by: None }),
        ("STAND 3*1#", Said::Decide { box_no: 3, hand: 1, choice: Choice::Stand, by: None }),
        ("DOUBLE 3**12#", Said::Decide { box_no: 3, hand: 0, choice: Choice::Double, by: Some(12) }),
        ("DECIDE 1*2#", Said::Decide { box_no: 2, hand: 0, choice: Choice::Hit, by: None }),
        ("DECIDE 2*2#", Said::Decide { box_no: 2, hand: 0, choice: Choice::Stand, by: None }),
        ("DECIDE 3*2#", Said::Decide { box_no: 2, hand: 0, choice: Choice::Double, by: None }),
        ("DECIDE 4*2#", Said::Decide { box_no: 2, hand: 0, choice: Choice::Split, by: None }),
        ("DECIDE 5*2**7#", Said::Decide { box_no: 2, hand: 0, choice: Choice::Insure, by: Some(7) }),
        ("DECIDE 6*2#", Said::Decide { box_no: 2, hand: 0, choice: Choice::Decline, by: None }),
        ("DECIDE 7*2#", Said::Decide { box_no: 2, hand: 0, choice: Choice::Surrender, by: None }),
        ("DECIDE 8*2#", Said::Decide { box_no: 2, hand: 0, choice: Choice::EvenMoney, by: None }),
        ("ASK 1**1#", Said::Ask { box_no: 1, hand: 0, about: Question::Insurance }),
        ("ASK 1*1*6#", Said::Ask { box_no: 1, hand: 1, about: Question::Surrender }),
        ("ACE 4**11#", Said::Ace { box_no: 4, hand: 0, value: 11 }),
        ("TOTAL 17#", Said::Total { place: Where::Bank, value: 17 }),
        ("TOTAL 20*5*1#", Said::Total { place: hand(5, 1), value: 20 }),
        ("CHOOSE 5**3#", Said::Choose { box_no: 5, hand: 0, option: Taken::Play }),
        ("CONSENT 6*1#", Said::Consent { box_no: 6, yes: true }),
        ("CONSENT 6*0#", Said::Consent { box_no: 6, yes: false }),
        ("PLAYER 1*2*300#", Said::Seat { seat: 2, player: 300 }),
        ("PLAYER 2*2*300#", Said::Leave { seat: 2, player: 300 }),
        ("PLAYER 3*7*300#", Said::Request { box_no: 7, player: 300 }),
        ("PLAYER 4*7*300#", Said::Bettor { box_no: 7, player: 300 }),
        ("CUT 150*12#", Said::Cut { depth: 150, player: 12 }),
        ("CUT 12#", Said::OfferCut { player: 12 }),
        ("CLOSE#", Said::CloseBets),
        ("END#", Said::EndPass),
        ("CARDS#", Said::NextCardsForBank),
        ("CARDS 1*2*10#", Said::CardIs { place: Where::Bank, card: Card::from_code(22) }),
        ("CARDS 1*1*1*3*1#", Said::CardIs { place: hand(3, 1), card: Card::from_code(0) }),
        ("CARDS 2*4*13*5#", Said::Dealt { card: Card::from_code(51), to: Some(hand(5, 0)), face: None }),
        ("CARDS 2*4*13*5*1*1#", Said::Dealt { card: Card::from_code(51), to: Some(hand(5, 1)), face: Some(Face::Up) }),
        ("CARDS 2*4*13***2#", Said::Dealt { card: Card::from_code(51), to: Some(Where::Bank), face: Some(Face::Down) }),
        ("CARDS 3*3*7#", Said::Dealt { card: Card::from_code(32), to: None, face: None }),
        ("CARDS 3*3*7*1#", Said::Dealt { card: Card::from_code(32), to: None, face: Some(Face::Up) }),
        ("AUTH 4*1*1#", Said::Authorize { badge: 4, role: Authority::Inspector, what: Permit::Shuffle }),
        ("RULE 9*3*1#", Said::Rule { badge: 9, role: Authority::Room, decision: Ruling::Void, finding: None }),
        (
            "RULE 9*2*4*12#",
            Said::Rule { badge: 9, role: Authority::TableChief, decision: Ruling::Resume, finding: Some(12) },
        ),
        (
            "RULE 4*1*5*2*317*3#",
            Said::Report { badge: 4, role: Authority::Inspector, note: 2, article: Some(317), box_no: Some(3) },
        ),
        ("RULE 4*3*5*1#", Said::Report { badge: 4, role: Authority::Room, note: 1, article: None, box_no: None }),
        ("RULE 4*1*6*41#", Said::Correct { badge: 4, role: Authority::Inspector, line: 41, how: Amend::Strike }),
        ("RULE 4*1*7*41#", Said::Correct { badge: 4, role: Authority::Inspector, line: 41, how: Amend::Instead }),
        ("RULE 4*1*8*41#", Said::Correct { badge: 4, role: Authority::Inspector, line: 41, how: Amend::After }),
        ("BANK 6#", Said::Bank { how: BankChange::Returned, player: None, by: None, amount: None }),
        (
            "BANK 5*4*3*500000#",
            Said::Bank { how: BankChange::Sold, player: Some(4), by: Some(3), amount: Some(500_000) },
        ),
        ("BANK 2*4**1#", Said::Bank { how: BankChange::Taken, player: Some(4), by: None, amount: Some(1) }),
        ("BANK 8*4*999999999999#", Said::Share { player: 4, what: Share::Advance, amount: MOST }),
        ("BANK 9*4*100#", Said::Share { player: 4, what: Share::Dividend, amount: 100 }),
        ("BANK 10*4*2*10#", Said::BankCard { player: 4, card: Card::from_code(22) }),
    ];
    for (text, said) in table {
        assert_eq!(typed(text), Typed::Entry(said), "{text}");
    }
}

#[test]
fn a_badge_and_a_pin_are_a_signature_and_zeros_before_it_count() {
    for (text, badge, digits, pin) in [
        ("AUTH 4*402913#", 4, 6, 402_913),
        ("AUTH 4*000913#", 4, 6, 913),
        ("AUTH 65535*0123456789#", 65_535, 10, 123_456_789),
        ("AUTH 4*999999999999#", 4, 12, MOST),
    ] {
        let Typed::Entry(said) = typed(text) else { panic!("{text}") };
        assert_eq!(said.signature(), Some(Signature { badge, digits, pin }), "{text}");
    }
    for text in ["AUTH 4*40291#", "AUTH 4*#", "AUTH *402913#", "AUTH 70000*402913#", "AUTH 4*0000000000001#"] {
        assert_eq!(typed(text), Typed::Refused, "{text}");
    }
    let Typed::Entry(share) = typed("BANK 8*4*999999999999#") else { panic!("a share") };
    assert_eq!(share.signature(), None, "no amount that can be typed is one");
}

#[test]
fn what_makes_no_entry_is_refused_and_leaves_nothing_behind() {
    for text in [
        "#",
        "*",
        "5",
        "HIT #",
        "HIT *1#",
        "HIT 300#",
        "HIT 3*0*70000#",
        "HIT 3*0*1*5#",
        "HIT 3*0*1*5*6*7*",
        "ASK 1**7#",
        "ASK 1**0#",
        "DECIDE 9*1#",
        "DECIDE 0*1#",
        "CONSENT 6*2#",
        "CONSENT 6#",
        "PLAYER 5*1*1#",
        "CLOSE 1#",
        "CUT #",
        "CUT 1*2*3#",
        "BANK 11*1#",
        "BANK 10*4*5*1#",
        "BANK 10*4*1*14#",
        "BANK 8*4*1000000000000",
        "RULE 9*4*1#",
        "RULE 9*1*9*1#",
        "RULE 9*1*0*1#",
        "RULE 9*1*6#",
        "RULE 9*1*5#",
        "CARDS 1#",
        "CARDS 1*2#",
        "CARDS 1*5*1#",
        "CARDS 1*0*1#",
        "CARDS 1*1*14#",
        "CARDS 1*1*1**1#",
        "CARDS 1*1*1*3*0*1#",
        "CARDS 2*1*1*3*0*3#",
        "CARDS 3*1*1*3#",
        "CARDS 4*1*1#",
        "CARDS **1#",
    ] {
        let text =
            if text.starts_with(|first: char| first.is_alphabetic()) { text.into() } else { std::format!(" {text}") };
        assert_eq!(typed(&text), Typed::Refused, "{text}");
    }
    let mut typing = Typing::new();
    let mut last = Typed::Open;
    for key in keys("HIT 300#").into_iter().chain(keys("STAND 2#")) {
        last = typing.press(1, key);
    }
    assert_eq!(last, Typed::Entry(KeypadSaid::Decide { box_no: 2, hand: 0, choice: Choice::Stand, by: None }));
}

#[test]
fn another_function_clear_and_half_a_minute_drop_what_was_typed() {
    assert_eq!(typed("HIT 3C#"), Typed::Refused);
    let mut typing = Typing::new();
    for key in keys("HIT 3") {
        typing.press(0, key);
    }
    assert_eq!(typing.press(ABANDONED_MS, Key::Enter), Typed::Refused);
    for key in keys("HIT 3") {
        typing.press(ABANDONED_MS, key);
    }
    assert_eq!(typing.press(ABANDONED_MS, Key::Function(Function::Close)), Typed::Open);
    assert_eq!(typing.press(ABANDONED_MS, Key::Enter), Typed::Entry(KeypadSaid::CloseBets));
}

#[test]
fn the_lamp_is_lit_for_what_is_refused_until_the_next_key_and_keys_wait_for_room() {
    let lamp = FakePin::default();
    let matrix = Matrix::new([(); ROWS].map(|()| FakePin::default()), [(); COLUMNS].map(|()| FakePin::default()));
    let mut pad = Keys::new(matrix, lamp.clone());
    pad.waiting.push_back((1, Key::Enter)).expect("room");
    assert_eq!((pad.next(), lamp.0.get()), (None, true));
    for key in [Key::Function(Function::Close), Key::Enter, Key::Function(Function::End), Key::Enter] {
        pad.waiting.push_back((2, key)).expect("room");
    }
    assert_eq!((pad.next(), lamp.0.get()), (Some(KeypadSaid::CloseBets), false));
    assert_eq!(pad.waiting.len(), 2, "the next entry is asked for when there is a place for it");
    assert_eq!((pad.next(), pad.next()), (Some(KeypadSaid::EndPass), None));
}
