use super::*;
use smol_str::format_smolstr;

use crate::registry::{DeckCard, Entry, Registry, State};
use crate::tagged_cards::TaggedCards;

const BANK: Place = Place::Bank;
/// One that no registry has.
const FOREIGN: u64 = 0xE004_0100_0000_0001;

/// The tag of a card in one of two decks.
fn tag(deck: u64, card: u8) -> u64 {
    0xE004_0200_0000_0000 | deck << 8 | u64::from(card)
}

fn registry() -> Registry<DeckCard> {
    let mut registry = Registry::default();
    let cards = (1..=2).flat_map(|deck| (0..52).map(move |card| (deck, card)));
    registry.merge(cards.map(|(deck, card)| {
        let what = DeckCard { deck: format_smolstr!("D-{deck}"), card: ShoeSaw::Drawn(Card::from_code(card)) };
        let state = if (deck, card) == (2, 51) { State::Cancelled } else { State::Valid };
        let table = ((deck, card) == (2, 50)).then(|| Name::new("BJ-08"));
        (tag(deck, card), Entry { what, state, table })
    }));
    registry
}

/// A table whose antennas read tags: at each box, the bank and the trays, of box 5 at its second hand too.
fn by_tags() -> Bench {
    let second = Place::Hand(HandId { box_no: 5, hand: 1 });
    let pads = (1..=5).map(place).chain([second, BANK, Place::Burn, Place::Discard]).collect();
    let mut bench = Bench::new();
    let cards = TaggedCards::new(registry(), &header(Observes::ALL), pads, Duration::from_millis(WAIT));
    bench.observer = Observer::new(&header(Observes::ALL), Duration::from_millis(WAIT)).with_tagged_cards(Some(cards));
    for role in [Role::Shoe, Role::Chips, Role::Keypad] {
        bench.link(role, "online");
    }
    bench.felt.log.clear();
    bench
}

impl Bench {
    fn lies(&mut self, at: Place, tag: u64) -> &mut Self {
        self.tags(&TagsSaw::Card { at, tag, lies: true })
    }

    fn is_gone(&mut self, at: Place, tag: u64) -> &mut Self {
        self.tags(&TagsSaw::Card { at, tag, lies: false })
    }

    /// What was told, without the lines of the antennas themselves.
    fn told(&mut self) -> Vec<String> {
        let log = std::mem::take(&mut self.felt.log);
        log.into_iter().filter(|line| !line.contains("\"card_lies\"") && !line.contains("\"card_left\"")).collect()
    }
}

#[test]
fn cards_are_paired_with_their_antennas_by_what_they_are_in_whatever_order_these_speak() {
    let mut bench = by_tags();
    bench.drawn(TEN_OF_HEARTS).drawn(EIGHT_OF_SPADES).drawn(0);
    bench.lies(place(2), tag(1, EIGHT_OF_SPADES)).lies(BANK, tag(2, 0));
    bench.tells(&[
        r#"{"ev":"device","device":"chips","status":"card_lies","detail":"2"} ch1"#,
        r#"{"ev":"device","device":"chips","status":"card_lies","detail":"bank"} ch2"#,
    ]);
    bench.lies(place(1), tag(2, TEN_OF_HEARTS));
    assert_eq!(
        bench.told(),
        [
            r#"{"ev":"draw","card":"TH","to":"1"} sh1"#,
            r#"{"ev":"draw","card":"8S","to":"2"} sh2"#,
            r#"{"ev":"draw","card":"AS","to":"bank"} sh3"#
        ]
    );
    assert_eq!(bench.observer.deadline(), None);
}

#[test]
fn a_card_whose_antenna_is_deaf_goes_without_a_place_when_the_wait_is_over() {
    let mut bench = by_tags();
    bench.drawn(TEN_OF_HEARTS).after(WAIT - 1).drawn(0).lies(place(2), tag(1, 0));
    assert_eq!(bench.told(), [""; 0]);
    bench.after(1);
    assert_eq!(bench.told(), [r#"{"ev":"draw","card":"TH"} sh1"#, r#"{"ev":"draw","card":"AS","to":"2"} sh2"#]);
    bench.link(Role::Chips, "offline");
    bench.drawn(EIGHT_OF_SPADES);
    assert!(bench.told().contains(&r#"{"ev":"draw","card":"8S"} sh3"#.to_owned()), "nobody is there to be waited for");
}

#[test]
fn an_antenna_that_speaks_late_is_heard_where_the_card_lies_elsewhere_than_it_was_taken_to() {
    for (station_may, at, told) in [
        (false, place(1), ""),
        (false, place(2), r#"{"ev":"device","device":"chips","status":"late_place","detail":"2"} "#),
        (
            true,
            place(2),
            r#"{"ev":"correct","by":"station","role":"station","line":2,"event":{"ev":"draw","card":"TH","to":"2"}} "#,
        ),
    ] {
        let mut bench = by_tags();
        bench.felt.lines = 1;
        bench.felt.due = Some(place(1));
        bench.felt.may_correct = if station_may { vec!["station"] } else { Vec::new() };
        bench.drawn(TEN_OF_HEARTS).said(KeypadSaid::CloseBets);
        assert_eq!(bench.told(), [r#"{"ev":"draw","card":"TH"} sh1"#, r#"{"ev":"close_bets"} ke1"#]);
        bench.felt.due = None;
        bench.lies(at, tag(1, TEN_OF_HEARTS));
        assert_eq!(bench.told().join(" "), told);
    }
}

#[test]
fn where_the_shoe_has_an_antenna_of_two_cards_alike_each_goes_where_its_own_tag_lies() {
    let mut bench = by_tags();
    bench.felt.due = Some(place(1));
    for deck in [1, 2] {
        bench.tags(&TagsSaw::Passed { tag: tag(deck, TEN_OF_HEARTS) });
    }
    // the second one lies where a card is due
    bench.lies(place(1), tag(2, TEN_OF_HEARTS));
    assert_eq!(bench.told(), [""; 0], "the first waits for its own antenna");
    bench.lies(place(2), tag(1, TEN_OF_HEARTS));
    let origins = [1, 2].map(|nth| format!(r#"{{"ev":"draw","card":"TH","to":"{}"}} ch{nth}"#, 3 - nth));
    assert_eq!(bench.told(), origins);
}

#[test]
fn a_tag_that_the_house_does_not_have_or_has_withdrawn_is_found_as_it_leaves_the_shoe() {
    let mut bench = by_tags();
    bench.tags(&TagsSaw::Passed { tag: FOREIGN }).after(WAIT);
    assert_eq!(
        bench.told(),
        [r#"{"ev":"device","device":"shoe","status":"card_unknown"} "#, r#"{"ev":"draw","card":"??"} ch1"#]
    );
    bench.tags(&TagsSaw::Passed { tag: tag(2, 51) }).lies(place(1), tag(2, 51));
    let told = bench.told();
    assert!(told.contains(&r#"{"ev":"device","device":"shoe","status":"card_cancelled"} "#.to_owned()), "{told:?}");
    assert!(told.iter().any(|line| line.contains(r#""ev":"draw","card":"KC","to":"1""#)), "{told:?}");
}

#[test]
fn of_two_cards_alike_the_one_goes_where_a_card_is_due() {
    let mut bench = by_tags();
    bench.felt.due = Some(place(1));
    bench.drawn(TEN_OF_HEARTS).drawn(TEN_OF_HEARTS);
    bench.lies(BANK, tag(1, TEN_OF_HEARTS));
    assert_eq!(bench.told(), [""; 0], "it may be the second");
    bench.lies(place(1), tag(2, TEN_OF_HEARTS));
    assert_eq!(
        bench.told(),
        [r#"{"ev":"draw","card":"TH","to":"1"} sh1"#, r#"{"ev":"draw","card":"TH","to":"bank"} sh2"#]
    );
}

#[test]
fn where_one_antenna_sees_all_hands_of_a_box_a_card_there_is_for_the_hand_that_is_due_one() {
    let second = |box_no| Some(Place::Hand(HandId { box_no, hand: 1 }));
    let mut bench = by_tags();
    bench.felt.due = second(4);
    bench.drawn(0).lies(place(4), tag(1, 0));
    bench.felt.due = second(5);
    bench.drawn(1).lies(place(5), tag(1, 1)).drawn(2).lies(second(5).unwrap(), tag(1, 2));
    assert_eq!(
        bench.told(),
        [
            r#"{"ev":"draw","card":"AS","to":"4b"} sh1"#,
            r#"{"ev":"draw","card":"2S","to":"5"} sh2"#,
            r#"{"ev":"draw","card":"3S","to":"5b"} sh3"#
        ]
    );
}

#[test]
fn a_card_that_no_shoe_told_of_is_unexplained_until_it_does() {
    let mut bench = by_tags();
    bench.lies(place(3), tag(1, 0)).after(4999);
    assert_eq!(bench.told(), [""; 0]);
    bench.after(1);
    assert_eq!(bench.told(), [r#"{"ev":"device","device":"chips","status":"unexplained_card","detail":"3"} "#]);
    bench.after(60_000).drawn(0);
    assert_eq!(bench.told(), [r#"{"ev":"draw","card":"AS","to":"3"} sh1"#]);
}

#[test]
fn a_card_that_the_shoe_could_not_read_is_the_one_that_its_antenna_names() {
    let mut bench = by_tags();
    bench.drawn(255).drawn(0);
    bench.lies(place(2), tag(1, 0));
    assert_eq!(bench.told(), [""; 0]);
    bench.lies(place(1), tag(1, TEN_OF_HEARTS));
    assert_eq!(
        bench.told(),
        [r#"{"ev":"draw","card":"TH","to":"1"} sh1"#, r#"{"ev":"draw","card":"AS","to":"2"} sh2"#]
    );
}

#[test]
fn a_card_that_was_drawn_is_not_drawn_again_until_the_shoe_is_loaded() {
    let mut bench = by_tags();
    let load = ShoeSaw::Loaded { cards: 104, cut_card: 20 };
    bench.drawn(0).lies(place(1), tag(1, 0)).is_gone(place(1), tag(1, 0)).lies(place(1), tag(1, 0));
    bench.lies(Place::Discard, tag(1, 0)).drawn(0).after(WAIT);
    assert_eq!(bench.told(), [r#"{"ev":"draw","card":"AS","to":"1"} sh1"#, r#"{"ev":"draw","card":"AS"} sh2"#]);
    bench.said(KeypadSaid::EndPass).saw(Role::Shoe, Observation::Shoe(load)).told();
    bench.drawn(0).lies(place(2), tag(1, 0));
    assert_eq!(bench.told(), [r#"{"ev":"draw","card":"AS","to":"2"} sh4"#]);
}

#[test]
fn what_is_heard_first_in_a_tray_was_drawn_before_where_a_draw_without_an_antenna_accounts_for_it() {
    let mut bench = by_tags();
    bench.drawn(0).after(WAIT).drawn(0).lies(Place::Discard, tag(1, 0));
    assert_eq!(bench.told(), [r#"{"ev":"draw","card":"AS"} sh1"#], "the second waits for its own");
    bench.lies(place(2), tag(2, 0));
    assert_eq!(bench.told(), [r#"{"ev":"draw","card":"AS","to":"2"} sh2"#]);
    bench.drawn(1).lies(Place::Discard, tag(1, 1));
    assert_eq!(bench.told(), [r#"{"ev":"draw","card":"2S","to":"discard"} sh3"#], "dealt there");
}

#[test]
fn cards_that_lay_there_when_the_station_was_started_are_no_news() {
    let mut bench = by_tags();
    for card in [0, 1] {
        bench.observer.recall(&Event::Draw { card: Card::from_code(card), to: Some(place(1)), face: None });
    }
    bench.lies(place(1), tag(1, 0)).lies(place(1), tag(2, 1)).after(10_000);
    assert_eq!(bench.told(), [""; 0]);
    bench.lies(place(1), tag(2, 0)).after(5_000);
    assert_eq!(bench.told().len(), 1, "a second one there is none of them");
}

#[test]
fn unknown_cancelled_strange_and_doubled_cards_are_told_by_their_place_alone() {
    let told = |status: &str, at: &str| {
        format!(r#"{{"ev":"device","device":"chips","status":"card_{status}","detail":"{at}"}} "#)
    };
    let mut bench = by_tags();
    bench.lies(BANK, FOREIGN).lies(place(2), tag(2, 51)).lies(place(3), tag(2, 50));
    assert_eq!(bench.told(), [told("unknown", "bank"), told("cancelled", "2"), told("other_table", "3")]);
    bench.is_gone(BANK, FOREIGN).lies(BANK, FOREIGN);
    assert_eq!(bench.told(), [""; 0], "once a pass");
    // carried from the box to the tray: the antenna of the box misses it some seconds later
    bench.drawn(0).lies(place(1), tag(1, 0)).lies(Place::Discard, tag(1, 0)).after(29_000);
    bench.is_gone(place(1), tag(1, 0)).after(60_000).told();
    bench.drawn(1).lies(place(1), tag(1, 1)).lies(place(4), tag(1, 1)).told();
    bench.after(29_999);
    assert_eq!(bench.told(), [""; 0]);
    bench.after(1);
    assert_eq!(bench.told(), [told("doubled", "4")]);
}

#[test]
fn a_place_for_cards_that_is_not_read_is_missed_in_every_pass_until_it_is() {
    use sabot_drivers::saw::Unreadable;
    let mut bench = by_tags();
    let missed = r#"{"ev":"device","device":"chips","status":"events_missed","detail":"bank"} "#;
    bench.tags(&TagsSaw::Unreadable { at: Pad::Cards(BANK), why: Unreadable::Reader });
    assert_eq!(bench.told()[1], missed);
    bench.said(KeypadSaid::EndPass);
    assert_eq!(bench.told()[1], missed);
    bench.tags(&TagsSaw::Readable { at: BANK }).said(KeypadSaid::EndPass);
    let again = r#"{"ev":"device","device":"chips","status":"read_again","detail":"bank"} ch2"#;
    assert_eq!(bench.told(), [again, r#"{"ev":"end"} ke2"#]);
}

/// Cards dealt to boxes 3 and 4 and the bank, and heard there.
fn with_cards_on_the_felt() -> Bench {
    let mut bench = by_tags();
    for (card, at) in [(0, place(3)), (1, place(4)), (2, BANK)] {
        bench.drawn(card).lies(at, tag(1, card));
    }
    bench.after(1).told();
    bench
}

#[test]
fn a_card_that_rests_at_another_place_was_moved_there_and_one_that_is_carried_past_was_not() {
    let mut bench = with_cards_on_the_felt();
    bench.lies(place(4), tag(1, 0)).after(2000).is_gone(place(3), tag(1, 0)).after(3999);
    assert_eq!(bench.told(), [""; 0], "it may be on its way");
    bench.after(1);
    assert_eq!(bench.told(), [r#"{"ev":"move","from":"3","to":"4","cards":["AS"]} "#]);

    let mut bench = with_cards_on_the_felt();
    bench.lies(place(4), tag(1, 0)).after(500).lies(Place::Discard, tag(1, 0)).after(1500);
    bench.is_gone(place(3), tag(1, 0)).is_gone(place(4), tag(1, 0)).after(1499);
    assert_eq!(bench.told(), [""; 0], "its chips may have gone with it");
    bench.after(1);
    assert_eq!(bench.told(), [r#"{"ev":"move","from":"3","to":"discard","cards":["AS"]} "#]);
}

#[test]
fn a_card_that_its_antenna_misses_or_another_hears_too_has_not_moved() {
    let mut bench = with_cards_on_the_felt();
    bench.is_gone(place(3), tag(1, 0)).after(60_000).lies(place(3), tag(1, 0)).after(60_000);
    bench.lies(place(4), tag(1, 0)).after(9_000).is_gone(place(4), tag(1, 0)).after(60_000);
    assert_eq!(bench.told(), [""; 0]);
    assert_eq!(bench.observer.deadline(), None);
}

#[test]
fn where_a_card_is_to_be_burned_it_is_so_once_its_tray_hears_it_or_its_antenna_misses_it() {
    let burned = r#"{"ev":"move","from":"3","to":"burn","cards":["AS"]} "#;
    for heard in [true, false] {
        let mut bench = with_cards_on_the_felt();
        bench.felt.burns = Some(place(3));
        if heard {
            bench.lies(Place::Burn, tag(1, 0));
        } else {
            bench.is_gone(place(3), tag(1, 0));
        }
        assert_eq!(bench.told(), [burned], "{heard}");
        bench.felt.burns = None;
        bench.lies(Place::Burn, tag(1, 0)).is_gone(place(3), tag(1, 0)).after(60_000);
        assert_eq!(bench.told(), [""; 0], "once");
    }
}

#[test]
fn a_card_that_went_to_be_burned_unasked_is_told_before_the_one_that_lies_in_its_place() {
    let mut bench = with_cards_on_the_felt();
    bench.lies(Place::Burn, tag(1, 0)).after(500).drawn(5);
    assert_eq!(bench.told(), [""; 0], "it may be carried past");
    bench.lies(place(3), tag(1, 5));
    let moved = r#"{"ev":"move","from":"3","to":"burn","cards":["AS"]} "#;
    assert_eq!(bench.told(), [moved, r#"{"ev":"draw","card":"6S","to":"3"} sh4"#]);

    let mut bench = with_cards_on_the_felt();
    bench.felt.due = Some(place(3));
    bench.lies(Place::Burn, tag(1, 0)).after(500).drawn(5).lies(place(3), tag(1, 5));
    assert_eq!(bench.told(), [r#"{"ev":"draw","card":"6S","to":"3"} sh4"#], "where one is due no burning explains it");
}

#[test]
fn cards_of_a_hand_that_went_together_are_told_together() {
    let mut bench = with_cards_on_the_felt();
    bench.drawn(5).lies(place(3), tag(1, 5)).after(1).told();
    bench.lies(Place::Discard, tag(1, 0)).after(2000).lies(Place::Discard, tag(1, 5));
    bench.is_gone(place(3), tag(1, 0)).is_gone(place(3), tag(1, 5)).after(1000);
    assert_eq!(bench.told(), [r#"{"ev":"move","from":"3","to":"discard","cards":["AS","6S"]} "#]);
    bench.after(60_000);
    assert_eq!(bench.told(), [""; 0]);
}

#[test]
fn of_a_covered_card_it_is_told_that_it_went_and_not_which_it_is() {
    for (to, word) in [(Place::Discard, "discard"), (place(4), "4")] {
        let mut bench = with_cards_on_the_felt();
        bench.felt.bank_is_covered = true;
        bench.lies(to, tag(1, 2)).is_gone(BANK, tag(1, 2)).after(6000);
        assert_eq!(bench.told(), [format!(r#"{{"ev":"move","from":"bank","to":"{word}","cards":1}} "#)]);
    }
}

#[test]
fn places_are_cleared_in_their_order_whatever_order_antennas_tell_that_in() {
    let cleared = |from: &str| format!(r#"{{"ev":"move","from":"{from}","to":"discard"}} "#);
    let mut bench = with_cards_on_the_felt();
    // nobody hears this one
    bench.felt.due = Some(place(5));
    bench.drawn(3).after(WAIT).told();
    bench.felt.clears = true;
    bench.is_gone(BANK, tag(1, 2)).lies(Place::Discard, tag(1, 1));
    assert_eq!(bench.told(), [""; 0], "the first has its cards");
    bench.is_gone(place(3), tag(1, 0));
    assert_eq!(bench.told(), [cleared("3"), cleared("4"), cleared("5"), cleared("bank")]);
}

#[test]
fn at_the_end_of_a_pass_all_is_cleared_and_what_an_antenna_reads_long_after_was_not() {
    let cleared = |from: &str| format!(r#"{{"ev":"move","from":"{from}","to":"discard"}} "#);
    for (may_correct, told) in [
        (false, r#"{"ev":"device","device":"chips","status":"cards_left","detail":"4"} "#),
        (true, r#"{"ev":"correct","by":"station","role":"station","line":9} "#),
    ] {
        let mut bench = with_cards_on_the_felt();
        bench.felt.may_correct = if may_correct { vec!["station"] } else { Vec::new() };
        bench.felt.lines = 7;
        bench.felt.clears = true;
        bench.said(KeypadSaid::EndPass);
        let all = [cleared("3"), cleared("4"), cleared("bank"), r#"{"ev":"end"} ke1"#.to_owned()];
        assert_eq!(bench.told(), all);
        bench.after(4000).is_gone(place(3), tag(1, 0)).is_gone(BANK, tag(1, 2)).after(7999);
        assert_eq!(bench.told(), [""; 0]);
        bench.after(1);
        assert_eq!(bench.told(), [told]);
        bench.after(60_000);
        assert_eq!(bench.told(), [""; 0], "once");
    }
}

#[test]
fn chips_that_a_reader_is_not_sure_of_at_the_end_are_missed_before_cards_are_told_to_be_cleared_over_them() {
    let mut bench = with_cards_on_the_felt();
    bench.felt.clears = true;
    bench.tags(&TagsSaw::InDoubt { at: Stake { box_no: 4, hand: 0, spot: BetSpot::Main } });
    bench.told();
    bench.said(KeypadSaid::EndPass);
    let told = bench.told();
    let is = |nth: usize, word: &str| told[nth].contains(word);
    assert!(is(0, "events_missed") && is(1, "discard") && is(told.len() - 1, "\"end\""), "{told:?}");
}

#[test]
fn a_card_that_lay_in_a_tray_comes_back_to_the_felt() {
    let mut bench = with_cards_on_the_felt();
    bench.lies(Place::Discard, tag(1, 0)).is_gone(place(3), tag(1, 0)).after(3000).after(1).told();
    bench.is_gone(Place::Discard, tag(1, 0)).lies(place(4), tag(1, 0)).after(6000);
    assert_eq!(bench.told(), [r#"{"ev":"move","from":"discard","to":"4","cards":1} "#]);
}

#[test]
fn a_table_that_does_not_see_moves_tells_of_none() {
    let mut bench = with_cards_on_the_felt();
    let header = header(Observes { moves: false, ..Observes::ALL });
    let cards = TaggedCards::new(registry(), &header, HashSet::new(), Duration::from_millis(WAIT));
    bench.observer = Observer::new(&header, Duration::from_millis(WAIT)).with_tagged_cards(Some(cards));
    bench.drawn(3).lies(place(3), tag(1, 3)).lies(Place::Discard, tag(1, 3)).is_gone(place(3), tag(1, 3));
    bench.after(60_000).said(KeypadSaid::EndPass);
    assert!(bench.told().iter().all(|line| !line.contains("move")));
}

#[test]
fn when_the_next_shoe_is_loaded_decks_are_held_against_the_registry_and_told_without_a_card() {
    let load = |cards| Observation::Shoe(ShoeSaw::Loaded { cards, cut_card: 10 });
    let told = |what: &str| format!(r#"{{"ev":"device","device":"shoe","status":"composition","detail":"{what}"}} "#);
    let mut bench = by_tags();
    bench.saw(Role::Shoe, load(52)).told();
    for (deck, card) in [(1, 0), (1, 1), (2, 2)] {
        bench.drawn(card).lies(place(3), tag(deck, card));
    }
    bench.said(KeypadSaid::EndPass).told();
    bench.saw(Role::Shoe, load(104));
    let foreign = told("deck D-2: 1 of its cards in a shoe of 1 other decks");
    // one of its cards was withdrawn
    let lacks = told("deck D-2: 51 good cards in the registry");
    let loaded = r#"{"ev":"load","cards":104,"cut_card":10} sh5"#.to_owned();
    assert_eq!(bench.told(), [loaded, foreign, lacks]);
}

/// Chips on the first spot of box 1.
fn stack(values: &[u32]) -> TagsSaw {
    let at = Stake { box_no: 1, hand: 0, spot: BetSpot::Main };
    TagsSaw::Stack { at, chips: values.iter().zip(1..).map(|(&value, uid)| wire::Chip { uid, value }).collect() }
}

#[test]
fn chips_of_which_a_reader_was_sure_late_are_told_before_what_was_entered_or_drawn_since_they_lay() {
    let mut bench = by_tags();
    bench.felt.may_correct = vec!["station"];
    let close = |bench: &mut Bench| bench.observer.person(Event::CloseBets {}, None, bench.now, &mut bench.felt);
    bench.after(10_000).felt.lines = 7;
    close(&mut bench);
    bench.felt.lines = 8;
    bench.after(1000).drawn(TEN_OF_HEARTS).lies(place(1), tag(1, TEN_OF_HEARTS)).told();
    // they lay there before the bets were closed, for as long as a screen and a reader may be wrong
    bench.tags_ago(1202, &stack(&[500]));
    let chips = r#""chips":[{"id":"0000000000000001","value":500}]"#;
    let bet = format!(r#"{{"ev":"bet","box":"1","amount":500,{chips}}}"#);
    let correct = r#"{"ev":"correct","by":"station","role":"station""#;
    assert_eq!(bench.told(), [format!(r#"{correct},"after":7,"event":{bet}}} ch2"#)]);
    // and these before the card
    bench.tags_ago(300, &stack(&[501]));
    assert_eq!(bench.told(), [format!(r#"{correct},"after":9,"event":{}}} ch3"#, bet.replace("500", "501"))]);
    // these perhaps after it
    bench.tags_ago(201, &stack(&[502]));
    assert_eq!(bench.told(), [format!("{} ch4", bet.replace("500", "502"))]);
    // what is missed now may have been taken later than it was read last
    bench.tags_ago(5000, &stack(&[]));
    assert_eq!(bench.told(), [r#"{"ev":"bet","box":"1","amount":0} ch5"#]);
    bench.felt.may_correct.clear();
    bench.tags_ago(5000, &stack(&[500]));
    assert_eq!(bench.told(), [format!("{bet} ch6")], "the house lets nobody correct");
}

#[test]
fn a_stack_that_was_exchanged_for_a_smaller_one_has_come_too_and_one_of_which_a_chip_was_taken_has_not() {
    for (left, is_before) in [((9, 200), true), ((1, 200), false)] {
        let mut bench = by_tags();
        bench.felt.may_correct = vec!["station"];
        bench.tags(&stack(&[200, 300])).after(10_000).said(KeypadSaid::CloseBets);
        bench.drawn(TEN_OF_HEARTS).lies(place(1), tag(1, TEN_OF_HEARTS)).told();
        let at = Stake { box_no: 1, hand: 0, spot: BetSpot::Main };
        let chips = [wire::Chip { uid: left.0, value: left.1 }].into_iter().collect();
        bench.tags_ago(300, &TagsSaw::Stack { at, chips });
        let told = bench.told();
        let is_corrected = told.iter().any(|line| line.contains(r#""ev":"correct""#));
        assert!(is_corrected == is_before && told.concat().contains(r#""amount":200"#), "{left:?}: {told:?}");
    }
}

#[test]
fn of_a_bet_that_was_read_higher_while_it_could_be_lowered_nobody_is_told_that_it_was_lowered_late() {
    // a second and a half ago bets were closed, a reader may be wrong by 1 ms and a screen by 200
    for (ago, is_missed) in [(1702, true), (1701, false)] {
        let mut bench = by_tags();
        bench.tags(&stack(&[200, 300])).after(10_000);
        bench.observer.person(Event::CloseBets {}, None, bench.now, &mut bench.felt);
        bench.after(1500).felt.bets_stand = true;
        bench.told();
        bench.tags_ago(ago, &stack(&[200]));
        let told = bench.told();
        let missed = r#"{"ev":"device","device":"chips","status":"events_missed","detail":"1 main"} "#;
        assert_eq!(told.iter().any(|line| line == missed), is_missed, "{ago}: {told:?}");
        assert!(told.last().unwrap().starts_with(r#"{"ev":"bet","box":"1","amount":200"#), "{told:?}");
    }
}

#[test]
fn where_no_places_are_seen_chips_are_told_before_the_card_that_was_drawn_since_they_lay() {
    let mut bench = Bench::new();
    let header = header(Observes { places: false, moves: false, ..Observes::ALL });
    bench.observer = Observer::new(&header, Duration::from_millis(WAIT));
    bench.felt.may_correct = vec!["station"];
    bench.felt.lines = 3;
    bench.after(10_000).said(KeypadSaid::CloseBets);
    bench.felt.lines = 4;
    bench.drawn(TEN_OF_HEARTS);
    bench.after(1000).felt.log.clear();
    bench.tags_ago(1300, &stack(&[500]));
    assert!(bench.felt.log[0].contains(r#""after":4,"event":{"ev":"bet""#), "{:?}", bench.felt.log);
}

#[test]
fn chips_of_which_a_reader_is_not_sure_when_the_pass_ends_are_missed_of_it() {
    let mut bench = by_tags();
    let at = Stake { box_no: 1, hand: 0, spot: BetSpot::Main };
    let device = |status: &str| format!(r#"{{"ev":"device","device":"chips","status":"{status}","detail":"1 main"}} "#);
    bench.tags(&TagsSaw::InDoubt { at }).said(KeypadSaid::EndPass);
    let end = |seq| format!(r#"{{"ev":"end"}} ke{seq}"#);
    assert_eq!(bench.told(), [device("in_doubt") + "ch1", device("events_missed"), end(1)]);
    // it goes on so
    bench.said(KeypadSaid::EndPass);
    assert_eq!(bench.told(), [device("events_missed"), end(2)]);
    bench.tags(&stack(&[])).told();
    bench.said(KeypadSaid::EndPass);
    assert_eq!(bench.told(), [end(3)], "the reader is sure");
}

#[test]
fn chips_that_lay_before_a_card_was_taken_away_are_told_before_that_and_others_are_not() {
    for (ago, is_before) in [(6003, true), (6002, false)] {
        let mut bench = with_cards_on_the_felt();
        bench.felt.may_correct = vec!["station"];
        bench.lies(Place::Discard, tag(1, 0)).is_gone(place(3), tag(1, 0)).after(3000).after(1);
        assert!(bench.told().iter().any(|line| line.contains(r#""ev":"move","from":"3""#)));
        // a tray may hear a card three seconds after it was taken
        bench.tags_ago(ago, &stack(&[500]));
        let told = bench.told();
        assert_eq!(told.iter().any(|line| line.starts_with(r#"{"ev":"correct""#)), is_before, "{told:?}");
    }
}
