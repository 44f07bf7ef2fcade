use super::*;
use crate::second::{Seconds, Weighty};
use crate::staff::Office;

#[test]
fn what_the_dealer_enters_is_told_one_to_one() {
    for (said, line) in [
        (KeypadSaid::Seat { seat: 1, player: 7 }, r#"{"ev":"seat","seat":1,"player":"P7"}"#),
        (KeypadSaid::Leave { seat: 1, player: 7 }, r#"{"ev":"leave","seat":1,"player":"P7"}"#),
        (KeypadSaid::Request { box_no: 5, player: 7 }, r#"{"ev":"request","box":"5","player":"P7","t":250}"#),
        (
            KeypadSaid::Authorize { badge: 4, role: Authority::Inspector, what: Permit::NextCardsForBank },
            r#"{"ev":"authorize","by":"I-4","role":"inspector","what":"next_cards_for_bank"}"#,
        ),
        (KeypadSaid::Cut { depth: 150, player: 1 }, r#"{"ev":"cut","depth":150,"by":"P1"}"#),
        (KeypadSaid::CloseBets, r#"{"ev":"close_bets"}"#),
        (
            KeypadSaid::Ask { box_no: 2, hand: 1, about: Question::Insurance },
            r#"{"ev":"ask","box":"2b","about":"insurance"}"#,
        ),
        (
            KeypadSaid::Decide { box_no: 2, hand: 0, choice: Choice::EvenMoney, by: Some(3) },
            r#"{"ev":"decide","box":"2","choice":"even_money","by":"P3"}"#,
        ),
        (KeypadSaid::Ace { box_no: 2, hand: 0, value: 11 }, r#"{"ev":"ace","box":"2","value":11}"#),
        (
            KeypadSaid::Total { place: Place::Bank, value: 17 },
            r#"{"ev":"announce","what":"total","box":"bank","value":17}"#,
        ),
        (KeypadSaid::NextCardsForBank, r#"{"ev":"announce","what":"next_cards_for_bank"}"#),
        (KeypadSaid::Consent { box_no: 2, yes: false }, r#"{"ev":"consent","box":"2","yes":false}"#),
        (
            KeypadSaid::Choose { box_no: 2, hand: 0, option: Taken::NextCard },
            r#"{"ev":"choose","box":"2","option":"next_card"}"#,
        ),
        (
            KeypadSaid::Rule { badge: 9, role: Authority::Room, decision: Ruling::Void, finding: Some(3) },
            r#"{"ev":"rule","by":"I-9","role":"room","decision":"void","finding":3}"#,
        ),
        (KeypadSaid::EndPass, r#"{"ev":"end"}"#),
        (
            KeypadSaid::Bank { how: wire::BankChange::Sold, player: Some(4), by: Some(3), amount: Some(5000) },
            r#"{"ev":"bank","how":"sold","player":"P4","by":"P3","amount":5000}"#,
        ),
        (
            KeypadSaid::Bank { how: wire::BankChange::Returned, player: None, by: Some(3), amount: None },
            r#"{"ev":"bank","how":"returned","by":"P3"}"#,
        ),
        (
            KeypadSaid::BankCard { player: 3, card: Card::from_code(13) },
            r#"{"ev":"bank_card","player":"P3","card":"AH"}"#,
        ),
        (
            KeypadSaid::Share { player: 3, what: wire::Share::Advance, amount: 5000 },
            r#"{"ev":"share","player":"P3","what":"advance","amount":5000}"#,
        ),
        (KeypadSaid::OfferCut { player: 1 }, r#"{"ev":"offer_cut","player":"P1"}"#),
    ] {
        is_told(said, line);
    }
}

#[test]
fn what_a_person_reports_or_corrects_is_told_one_to_one() {
    for (said, line) in [
        (
            KeypadSaid::Report { badge: 4, role: Authority::Inspector, note: 2, article: Some(317), box_no: Some(3) },
            r#"{"ev":"report","by":"I-4","role":"inspector","provision":"C17","box":"3","note":"apuestas entre jugadores"}"#,
        ),
        (
            KeypadSaid::Report { badge: 4, role: Authority::Room, note: 0, article: None, box_no: None },
            r#"{"ev":"report","by":"I-4","role":"room","note":"visto por una persona"}"#,
        ),
        (
            KeypadSaid::Correct { badge: 4, role: Authority::Inspector, line: 41, how: wire::Amend::Strike },
            r#"{"ev":"correct","by":"I-4","role":"inspector","line":41}"#,
        ),
        (
            KeypadSaid::Correct { badge: 4, role: Authority::Inspector, line: 41, how: wire::Amend::After },
            r#"{"ev":"device","device":"keypad","status":"correcting","detail":"after 41 I-4 inspector"}"#,
        ),
    ] {
        is_told(said, line);
    }
}

#[test]
fn a_number_that_is_no_articles_or_notes_is_kept_and_told_until_the_next_entry() {
    let report = |note, article| KeypadSaid::Report {
        badge: 4,
        role: Authority::Room,
        note,
        article: Some(article),
        box_no: None,
    };
    let mut bench = Bench::new();
    let refused = |bench: &Bench| bench.observer.refused().map(|words| (words.es.clone(), words.en.clone()));
    for (said, provision, note, told) in [
        (report(2, 318), "C18", "apuestas entre jugadores", None),
        (report(2, 321), "321", "apuestas entre jugadores", Some(("no hay artículo 321", "no article 321"))),
        (report(2, 1801), "1801", "apuestas entre jugadores", Some(("no hay artículo 1801", "no article 1801"))),
        (report(7, 318), "C18", "visto por una persona", Some(("no hay nota 7", "no note 7"))),
        (report(1, 318), "C18", "visto por una persona", None),
    ] {
        bench.said(said);
        let line = bench.felt.log.pop().unwrap();
        assert!(line.contains(&format!(r#""provision":"{provision}","note":"{note}"#)), "{line}");
        match (refused(&bench), told) {
            (Some((es, en)), Some(told)) => assert!(es.starts_with(told.0) && en.starts_with(told.1), "{es} {en}"),
            (None, None) => {}
            (found, _) => panic!("{line}: {found:?}"),
        }
    }
}

/// What was entered is told in that line, and the table log reads it.
fn is_told(said: KeypadSaid, line: &str) {
    let mut bench = Bench::new();
    bench.said(said).tells(&[format!("{line} ke1").as_str()]);
    assert!(sabot_law::table::line::event(line.as_bytes()).is_ok(), "{line}");
}

#[test]
fn what_is_entered_after_a_correction_is_what_should_stand_there() {
    let correct = |how| KeypadSaid::Correct { badge: 4, role: Authority::Inspector, line: 41, how };
    let mut bench = Bench::new();
    bench.said(correct(wire::Amend::Instead));
    bench.said(KeypadSaid::Decide { box_no: 2, hand: 0, choice: Choice::Stand, by: None });
    bench.said(KeypadSaid::CloseBets).tells(&[
        r#"{"ev":"device","device":"keypad","status":"correcting","detail":"instead 41 I-4 inspector"} ke1"#,
        r#"{"ev":"correct","by":"I-4","role":"inspector","line":41,"event":{"ev":"decide","box":"2","choice":"stand"}} ke2"#,
        r#"{"ev":"close_bets"} ke3"#,
    ]);
}

fn card_is(place: Place) -> KeypadSaid {
    KeypadSaid::CardIs { place, card: Card::from_code(TEN_OF_HEARTS) }
}

fn dealt(to: Option<Place>, face: Option<Face>) -> KeypadSaid {
    KeypadSaid::Dealt { card: Card::from_code(TEN_OF_HEARTS), to, face }
}

#[test]
fn a_card_that_could_not_be_read_is_named_and_a_misread_one_replaced() {
    let mut bench = Bench::new();
    bench.felt.unread = Some(place(3));
    bench.said(card_is(place(3)));
    bench.said(KeypadSaid::Correct { badge: 4, role: Authority::Inspector, line: 41, how: wire::Amend::Instead });
    bench.said(dealt(Some(place(3)), Some(Face::Up))).tells(&[
        r#"{"ev":"reveal","at":"3","card":"TH"} ke1"#,
        r#"{"ev":"device","device":"keypad","status":"correcting","detail":"instead 41 I-4 inspector"} ke2"#,
        r#"{"ev":"correct","by":"I-4","role":"inspector","line":41,"event":{"ev":"draw","card":"TH","to":"3","face":"up"}} ke3"#,
    ]);
}

#[test]
fn a_covered_cards_value_is_not_taken_nor_kept_and_the_correction_waits() {
    let bank = Some(Place::Bank);
    let covered = "bank: a card is covered; it is turned up first";
    let elsewhere = "cards are covered; say where, or that it lies face up";
    let mut bench = Bench::new();
    bench.felt.bank_is_covered = true;
    bench.said(card_is(Place::Bank));
    bench.said(dealt(bank, Some(Face::Up)));
    bench.said(KeypadSaid::Correct { badge: 4, role: Authority::Inspector, line: 41, how: wire::Amend::After });
    bench.felt.log.remove(2);
    bench
        .said(card_is(Place::Bank))
        .said(dealt(bank, None))
        .said(dealt(bank, Some(Face::Down)))
        .said(dealt(None, None));
    let corrects = "a dealt card corrects a line (RULE 7, 8)";
    let told = [covered, corrects, covered, covered, covered, elsewhere];
    assert_eq!(bench.felt.log.len(), told.len());
    for (line, told) in bench.felt.log.drain(..).zip(told) {
        let bad = format!(r#"{{"ev":"device","device":"keypad","status":"bad_report","detail":"{told}"}} ke"#);
        assert!(line.starts_with(&bad) && !line.contains("TH"), "{line}");
    }
    assert!(bench.observer.refused().is_some_and(|words| words.es.starts_with("hay cartas cubiertas")));
    bench.felt.bank_is_covered = false;
    bench.said(dealt(bank, Some(Face::Down))).tells(&[
        r#"{"ev":"correct","by":"I-4","role":"inspector","after":41,"event":{"ev":"draw","card":"TH","to":"bank","face":"down"}} ke8"#,
    ]);
}

#[test]
fn a_card_that_is_none_or_lies_nowhere_or_was_read_is_not_taken() {
    let mut bench = Bench::new();
    bench.felt.unread = Some(place(2));
    for (said, told) in [
        (card_is(place(3)), "box 3: no unread card"),
        (card_is(Place::Burn), "that card does not lie on the felt"),
        (card_is(place(9)), "box 9, hand 0: this table has 5 boxes"),
        (
            card_is(Place::Hand(sabot_law::table::HandId { box_no: 1, hand: 8 })),
            "box 1, hand 8: a box has hands 0 to 7",
        ),
        (KeypadSaid::CardIs { place: place(2), card: Card::UNREAD }, "it is not said which card it is"),
    ] {
        bench.said(said);
        let line = bench.felt.log.pop().unwrap();
        assert!(line.contains(&format!(r#""status":"bad_report","detail":"{told}""#)), "{line}");
    }
}

#[test]
fn what_cannot_be_corrected_leaves_the_correction_waiting() {
    let mut bench = Bench::new();
    bench.said(KeypadSaid::Correct { badge: 4, role: Authority::Room, line: 7, how: wire::Amend::After });
    bench.said(KeypadSaid::Authorize { badge: 4, role: Authority::Inspector, what: Permit::Shuffle });
    bench.said(KeypadSaid::CloseBets).tells(&[
        r#"{"ev":"device","device":"keypad","status":"correcting","detail":"after 7 I-4 room"} ke1"#,
        r#"{"ev":"authorize","by":"I-4","role":"inspector","what":"shuffle"} ke2"#,
        r#"{"ev":"correct","by":"I-4","role":"room","after":7,"event":{"ev":"close_bets"}} ke3"#,
    ]);
}

#[test]
fn a_correction_that_was_begun_is_shown_and_can_be_left() {
    let correct = |line, how| KeypadSaid::Correct { badge: 4, role: Authority::Inspector, line, how };
    let mut bench = Bench::new();
    let shown = |bench: &Bench| bench.observer.correcting().map(|correcting| correcting.at_the_table().en);
    for (how, words) in [(wire::Amend::Instead, "instead of line 41"), (wire::Amend::After, "after line 41")] {
        bench.said(correct(41, how));
        let told = shown(&bench).unwrap();
        assert!(told.contains(words) && told.contains("RULE 6, line 0"), "{told}");
    }
    bench.felt.log.clear();
    bench.said(correct(0, wire::Amend::Strike));
    assert_eq!(shown(&bench), None);
    bench.said(KeypadSaid::CloseBets).tells(&[
        r#"{"ev":"device","device":"keypad","status":"correcting","detail":"none 0 I-4 inspector"} ke3"#,
        r#"{"ev":"close_bets"} ke4"#,
    ]);
}

fn hits(box_no: u8) -> Observation {
    Observation::Keypad(KeypadSaid::Decide { box_no, hand: 0, choice: Choice::Hit, by: None })
}

#[test]
fn a_key_that_was_pressed_before_a_card_was_drawn_comes_before_it_and_the_card_keeps_its_place() {
    let mut bench = Bench::new();
    bench.drawn_ago(100, TEN_OF_HEARTS).saw_ago(200, Role::Keypad, hits(2));
    bench.tells(&[r#"{"ev":"decide","box":"2","choice":"hit"} ke1"#]);
    bench.arrived_ago(0, 2).tells(&[r#"{"ev":"draw","card":"TH","to":"2"} sh1+ch1"#]);
    // pressed after it, or nobody knows: the card does not wait any longer
    for (ms, seen) in [(50, "ke2"), (101, "ke3")] {
        bench.drawn_ago(100, TEN_OF_HEARTS).saw_ago(ms, Role::Keypad, hits(2));
        let told = std::mem::take(&mut bench.felt.log);
        assert!(told[0].contains("draw") && told[1].ends_with(seen), "{ms} ms ago: {told:?}");
    }
    bench.drawn_ago(100, TEN_OF_HEARTS).saw(Role::Keypad, hits(2));
    assert!(bench.felt.log[0].contains("draw"), "{:?}", bench.felt.log);
}

/// What is told of a key that the cable tells after a card, pressed so long ago; the card was drawn 100 ms ago.
fn told_after_its_card(may_correct: &[&'static str], saw: Observation, ms: Option<i64>) -> String {
    let mut bench = Bench::seeing(Observes { places: false, ..Observes::ALL });
    bench.felt.may_correct = may_correct.to_vec();
    bench.said(KeypadSaid::CloseBets);
    bench.drawn_ago(100, TEN_OF_HEARTS);
    match ms {
        Some(ms) => bench.saw_ago(ms, Role::Keypad, saw),
        None => bench.saw(Role::Keypad, saw),
    };
    assert_eq!(bench.felt.log.len(), 3, "{:?}", bench.felt.log);
    bench.felt.log.remove(2)
}

#[test]
fn a_key_that_its_cable_told_after_the_card_is_put_before_it_where_the_house_lets_the_station_correct() {
    let plain = r#"{"ev":"decide","box":"2","choice":"hit"} ke2"#;
    let station = &[timeline::STATION][..];
    // four devices came on lines 1 to 4, bets were closed on 5, the card is line 6
    let put = r#"{"ev":"correct","by":"station","role":"station","after":5,"event":{"ev":"decide","box":"2","choice":"hit"}} ke2"#;
    assert_eq!(told_after_its_card(station, hits(2), Some(200)), put);
    for ms in [Some(50), Some(103), None] {
        assert_eq!(told_after_its_card(station, hits(2), ms), plain, "{ms:?}");
    }
    assert_eq!(told_after_its_card(&["room"], hits(2), Some(200)), plain);
    let ends = Observation::Keypad(KeypadSaid::EndPass);
    assert_eq!(told_after_its_card(station, ends, Some(200)), r#"{"ev":"end"} ke2"#, "no word of the dealer's");
}

#[test]
fn keys_told_late_one_after_the_other_are_each_put_before_their_own_card() {
    let mut bench = Bench::seeing(Observes { places: false, ..Observes::ALL });
    bench.felt.may_correct = vec![timeline::STATION];
    bench.said(KeypadSaid::CloseBets).felt.log.clear();
    bench.drawn_ago(500, TEN_OF_HEARTS).drawn_ago(300, EIGHT_OF_SPADES);
    bench.saw_ago(600, Role::Keypad, hits(2)).saw_ago(400, Role::Keypad, hits(3));
    let after = |line: &String| line.split(r#""after":"#).nth(1).map(|rest| rest[..1].to_owned());
    let lines: Vec<_> = bench.felt.log.iter().map(after).collect();
    assert_eq!(lines, [None, None, Some("5".into()), Some("6".into())], "{:?}", bench.felt.log);
    // a card after a correction: the line before it is that of the card before
    bench.felt.log.clear();
    bench.drawn_ago(100, TEN_OF_HEARTS).saw_ago(200, Role::Keypad, hits(3));
    assert_eq!(after(&bench.felt.log[1]), Some("7".into()), "{:?}", bench.felt.log);
}

#[test]
fn where_nobody_is_known_an_office_counts_for_nothing_and_what_the_dealer_enters_goes_on() {
    let said = [
        KeypadSaid::Authorize { badge: 4, role: Authority::Inspector, what: Permit::Shuffle },
        KeypadSaid::Rule { badge: 59_999, role: Authority::Room, decision: Ruling::Void, finding: Some(3) },
        KeypadSaid::Report { badge: 4, role: Authority::Inspector, note: 2, article: Some(317), box_no: None },
        KeypadSaid::Correct { badge: 4, role: Authority::Inspector, line: 9, how: wire::Amend::Strike },
        KeypadSaid::Correct { badge: 4, role: Authority::Inspector, line: 9, how: wire::Amend::Instead },
    ];
    for said in said {
        let mut bench = Bench::new();
        bench.observer = bench.observer.refusing_badges();
        bench.said(said.clone());
        let [told] = bench.felt.log.as_slice() else { panic!("{said:?}: {:?}", bench.felt.log) };
        assert!(told.contains("bad_report") && told.contains("nobody is known"), "{said:?}: {told}");
        assert!(bench.observer.refused().is_some() && bench.observer.correcting().is_none(), "{said:?}");
        bench.said(KeypadSaid::CloseBets);
        assert!(bench.felt.log[1].contains(r#""ev":"close_bets""#), "{:?}", bench.felt.log);
    }
}

/// A bench whose people are I-4, an inspector with badge 4, and S-1 of the room with badge 5.
fn with_people(seconds: Seconds) -> (tempfile::TempDir, Bench) {
    use crate::staff::{PinHash, StaffFile, entry};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("staff.toml");
    let (four, five) = (PinHash::of("402913").unwrap(), PinHash::of("771204").unwrap());
    let people = [entry("I-4", &[Office::Inspector], &four, Some(4)), entry("S-1", &[Office::Room], &five, Some(5))];
    std::fs::write(&path, people.join("\n")).unwrap();
    let mut bench = Bench::new();
    bench.observer = bench.observer.with_people(StaffFile::at(path), seconds);
    (folder, bench)
}

fn known(folder: &tempfile::TempDir, name: &str) -> crate::staff::Person {
    crate::staff::Staff::load(&folder.path().join("staff.toml")).unwrap().named(name).unwrap().clone()
}

fn signs(bench: &mut Bench, badge: u16) {
    bench.said(wire::Signature { badge, digits: 6, pin: 402_913 }.said().unwrap());
}

#[test]
fn a_pin_signs_what_was_entered_before_it_and_nothing_that_comes_while_it_is_tried() {
    let (folder, mut bench) = with_people(Seconds::default());
    let authorize = KeypadSaid::Authorize { badge: 4, role: Authority::Inspector, what: Permit::Shuffle };
    let correct = KeypadSaid::Correct { badge: 4, role: Authority::Inspector, line: 9, how: wire::Amend::Strike };
    bench.said(authorize);
    signs(&mut bench, 4);
    assert!(bench.observer.take_signature().is_some() && bench.observer.take_signature().is_none(), "tried once");
    bench.said(correct);
    signs(&mut bench, 4);
    assert!(bench.observer.take_signature().is_none(), "one at a time");
    let (now, person) = (bench.now, known(&folder, "I-4"));
    bench.observer.signed(4, Ok(person.clone()), now, &mut bench.felt);
    bench.observer.signed(4, Ok(person), now, &mut bench.felt);
    let told = bench.felt.log.join("\n");
    let count = |what: &str| told.matches(what).count();
    assert_eq!((count(r#""ev":"authorize","by":"I-4""#), count(r#""ev":"correct""#)), (1, 0), "{told}");
    assert_eq!((count(r#""status":"claims""#), count("402913")), (2, 0), "{told}");
}

#[test]
fn a_pin_that_does_not_come_in_a_minute_signs_nothing_and_who_leaves_the_list_neither() {
    let (folder, mut bench) = with_people(Seconds::default());
    let rule = KeypadSaid::Rule { badge: 5, role: Authority::Room, decision: Ruling::Void, finding: Some(3) };
    bench.said(rule.clone());
    bench.now = bench.observer.deadline().unwrap();
    bench.observer.tick(bench.now, &mut bench.felt);
    signs(&mut bench, 5);
    assert!(bench.observer.take_signature().is_none() && bench.observer.asks_for_pin().is_none());
    bench.said(rule);
    signs(&mut bench, 5);
    let person = known(&folder, "S-1");
    std::fs::write(folder.path().join("staff.toml"), "").unwrap();
    bench.observer.signed(5, Ok(person), bench.now, &mut bench.felt);
    let told = bench.felt.log.join("\n");
    assert!(!told.contains(r#""ev":"rule""#) && told.contains(r#""status":"unsigned""#), "{told}");
    assert!(told.contains("badge 5 belongs to no room"), "{told}");
}

#[test]
fn where_a_second_person_is_asked_for_an_act_waits_for_both() {
    let (folder, mut bench) = with_people(Seconds([(Weighty::Rule, vec![Office::Inspector])].into()));
    let rule = KeypadSaid::Rule { badge: 5, role: Authority::Room, decision: Ruling::Void, finding: Some(3) };
    bench.said(rule);
    for (badge, name) in [(5, "S-1"), (5, "S-1"), (4, "I-4")] {
        signs(&mut bench, badge);
        if bench.observer.take_signature().is_some() {
            bench.observer.signed(badge, Ok(known(&folder, name)), bench.now, &mut bench.felt);
        }
        let is_done = bench.felt.log.iter().any(|line| line.contains(r#""ev":"rule","by":"S-1""#));
        assert_eq!(is_done, badge == 4, "{name}: {:?}", bench.felt.log);
    }
    let told = bench.felt.log.join("\n");
    assert!(told.contains(r#""status":"seconded","detail":"rule by S-1: I-4 inspector""#), "{told}");
}

/// A table at which I-4 has begun a correction of line 41 and signed that.
fn with_a_correction() -> (tempfile::TempDir, Bench) {
    let (folder, mut bench) = with_people(Seconds::default());
    bench.said(KeypadSaid::Correct { badge: 4, role: Authority::Inspector, line: 41, how: wire::Amend::Instead });
    signed(&folder, &mut bench, 4, "I-4");
    assert!(bench.felt.log.last().unwrap().contains("instead 41 I-4 inspector"), "{:?}", bench.felt.log);
    bench.felt.log.clear();
    (folder, bench)
}

/// A PIN is entered, and is right.
fn signed(folder: &tempfile::TempDir, bench: &mut Bench, badge: u16, name: &str) {
    signs(bench, badge);
    if bench.observer.take_signature().is_some() {
        bench.observer.signed(badge, Ok(known(folder, name)), bench.now, &mut bench.felt);
    }
}

const CLAIMED: &str = r#"{"ev":"device","device":"keypad","status":"claims","detail":"correct I-4 inspector"}"#;
const UNSIGNED: &str = r#"{"ev":"device","device":"keypad","status":"unsigned","detail":"I-4"}"#;
const LEFT: &str = r#"{"ev":"device","device":"keypad","status":"correcting","detail":"none 0 I-4 inspector"}"#;

fn stands(box_no: u8) -> KeypadSaid {
    KeypadSaid::Decide { box_no, hand: 0, choice: Choice::Stand, by: None }
}

#[test]
fn what_is_entered_after_a_signed_correction_is_its_event_once_the_same_person_signs_that_too() {
    let (folder, mut bench) = with_a_correction();
    bench.said(stands(2));
    assert!(bench.felt.log.last().unwrap().starts_with(CLAIMED), "{:?}", bench.felt.log);
    assert!(bench.observer.asks_for_pin().unwrap().en.contains("AUTH 4"), "it is said at the table");
    signed(&folder, &mut bench, 5, "S-1");
    assert!(!bench.felt.log.iter().any(|line| line.contains(r#""ev":"correct""#)), "not his: {:?}", bench.felt.log);
    signed(&folder, &mut bench, 4, "I-4");
    let corrected = r#"{"ev":"correct","by":"I-4","role":"inspector","line":41,"event":{"ev":"decide","box":"2","choice":"stand"}}"#;
    assert!(bench.felt.log.last().unwrap().starts_with(corrected), "{:?}", bench.felt.log);
    bench.said(stands(3));
    assert!(bench.felt.log.last().unwrap().starts_with(r#"{"ev":"decide","box":"3""#), "{:?}", bench.felt.log);
    assert_eq!(bench.observer.deadline(), None, "nothing waits");
}

#[test]
fn an_entry_that_nobody_signs_corrects_nothing_and_the_next_one_is_an_entry_like_any_other() {
    // a minute goes by
    let (_folder, mut bench) = with_a_correction();
    bench.said(stands(2));
    while let Some(until) = bench.observer.deadline() {
        bench.now = until;
        bench.observer.tick(bench.now, &mut bench.felt);
    }
    let told = bench.felt.log.join("\n");
    assert!(told.contains(UNSIGNED) && told.contains(LEFT) && !told.contains(r#""choice""#), "{told}");
    assert!(bench.observer.refused().unwrap().en.contains("not carried out"), "it is said at the table");
    // another entry comes
    let (_folder, mut bench) = with_a_correction();
    bench.said(stands(2));
    bench.said(stands(3));
    let told = bench.felt.log.join("\n");
    assert!(told.contains(UNSIGNED) && told.contains(LEFT) && !told.contains(r#""ev":"correct""#), "{told}");
    assert!(bench.felt.log.last().unwrap().starts_with(r#"{"ev":"decide","box":"3""#), "{told}");
}

#[test]
fn a_correction_to_which_nothing_is_entered_is_left_after_a_minute() {
    let (_folder, mut bench) = with_a_correction();
    bench.now = bench.observer.deadline().unwrap();
    bench.observer.tick(bench.now, &mut bench.felt);
    let told = bench.felt.log.join("\n");
    assert!(told.contains(LEFT) && bench.observer.deadline().is_none(), "{told}");
    bench.said(stands(2));
    assert!(bench.felt.log.last().unwrap().starts_with(r#"{"ev":"decide","box":"2""#), "{told}");
}
