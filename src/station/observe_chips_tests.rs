use super::*;

#[test]
fn a_bet_is_all_that_lies_on_its_spot_and_is_named_by_the_badge_read_before() {
    let mut bench = Bench::new();
    bench
        .spot(1, BetSpot::Main, &[500])
        .tells(&[r#"{"ev":"bet","box":"1","amount":500,"chips":[{"id":"00000000E0040100","value":500}]} ch1"#]);
    bench.said(KeypadSaid::Bettor { box_no: 1, player: 7 });
    bench.tells(&[r#"{"ev":"device","device":"keypad","status":"bettor","detail":"1 P7"} ke1"#]);
    bench.spot(1, BetSpot::Double, &[]).tells(&[left("1 double 0", 2).as_str()]);
    bench.spot(1, BetSpot::Main, &[500, 250]);
    assert!(bench.felt.log[0].starts_with(r#"{"ev":"bet","box":"1","amount":750,"player":"P7","#));
    bench.felt.bettors.insert(1, Name::new("P3"));
    bench.spot(1, BetSpot::Main, &[]);
    assert!(
        bench.felt.log[1].starts_with(r#"{"ev":"bet","box":"1","amount":0,"player":"P3"}"#),
        "what is taken away was the bettor's"
    );
    bench.said(KeypadSaid::EndPass).felt.log.clear();
    bench.spot(1, BetSpot::Main, &[5]);
    assert!(!bench.felt.log[0].contains("player"), "the name holds to the end of the pass");
}

#[test]
fn a_bet_is_of_the_only_one_who_asked_for_its_box_where_no_badge_was_read() {
    let mut bench = Bench::new();
    let asks = |bench: &mut Bench, player: &str| {
        let event = Event::Request { hand: HandId::first(1), player: Name::new(player), t: None };
        bench.observer.person(event, None, bench.now, &mut bench.felt);
        bench.felt.log.clear();
    };
    let is_of = |bench: &mut Bench, amount, player: &str| {
        bench.spot(1, BetSpot::Main, &[amount]);
        let line = bench.felt.log.remove(0);
        assert_eq!(line.contains(&format!(r#""player":"{player}""#)), !player.is_empty(), "{line}");
        assert_eq!(line.contains("player"), !player.is_empty(), "{line}");
    };
    asks(&mut bench, "P2");
    asks(&mut bench, "P2");
    is_of(&mut bench, 100, "P2");
    asks(&mut bench, "P3");
    is_of(&mut bench, 200, "");
    bench.said(KeypadSaid::Bettor { box_no: 1, player: 7 }).felt.log.clear();
    is_of(&mut bench, 300, "P7");
    bench.said(KeypadSaid::EndPass).felt.log.clear();
    asks(&mut bench, "P3");
    is_of(&mut bench, 100, "P3");
}

/// Chips moved without meaning for the pass, as the log notes it.
fn left(detail: &str, seq: u32) -> String {
    format!(r#"{{"ev":"device","device":"chips","status":"spot","detail":"{detail}"}} ch{seq}"#)
}

/// Bets on boxes 1 (main 100, double 100), 2 (main 100, insurance 50) and 3 (main 100); the bank has finished.
fn settling() -> Bench {
    let mut bench = Bench::new();
    bench.spot(1, BetSpot::Main, &[100]).spot(1, BetSpot::Double, &[100]);
    bench.spot(2, BetSpot::Main, &[100]).spot(2, BetSpot::Insurance, &[50]);
    bench.spot(3, BetSpot::Main, &[100]);
    bench.felt.log.clear();
    bench.felt.settling = true;
    bench.seqs.clear();
    bench
}

#[test]
fn in_settlement_a_spot_that_falls_to_nothing_is_collected_whole() {
    let mut bench = settling();
    bench.spot(1, BetSpot::Main, &[]).tells(&[r#"{"ev":"collect","box":"1","amount":200} ch1"#]);
    bench.spot(1, BetSpot::Double, &[]).tells(&[left("1 double 0", 2).as_str()]);
}

#[test]
fn chips_laid_for_an_undue_double_are_no_part_of_the_stake_that_is_collected() {
    let mut bench = settling();
    bench.felt.undue_double = true;
    bench.spot(1, BetSpot::Main, &[]).tells(&[r#"{"ev":"collect","box":"1","amount":100} ch1"#]);
    bench.spot(1, BetSpot::Double, &[]).tells(&[left("1 double 0", 2).as_str()]);
}

#[test]
fn a_hand_decided_before_the_others_is_settled_while_they_play() {
    let mut bench = settling();
    bench.felt.settling = false;
    bench.felt.decided = Some(HandId::first(1));
    bench.spot(1, BetSpot::Main, &[]).tells(&[r#"{"ev":"collect","box":"1","amount":200} ch1"#]);
    bench.spot(3, BetSpot::Main, &[100, 100]);
    assert!(bench.felt.log.iter().any(|line| line.contains(r#""ev":"bet","box":"3","amount":200"#)), "a bet is raised");
}

#[test]
fn the_field_of_a_hand_that_was_split_off_shows_its_stake_and_is_no_bet() {
    let mut bench = Bench::new();
    bench.spot(1, BetSpot::Main, &[100]).spot(1, BetSpot::Split, &[100]);
    bench.felt.log.clear();
    let field = |hand: u8, chips: &[u32]| {
        let chips = chips.iter().zip(1..).map(|(&value, uid)| wire::Chip { uid, value }).collect();
        Observation::Chips(ChipsSaw::Spot { box_no: 1, hand, spot: BetSpot::Main, chips })
    };
    bench.saw(Role::Chips, field(1, &[100])).tells(&[left("1b main 100", 3).as_str()]);
    bench.felt.settling = true;
    bench.saw(Role::Chips, field(1, &[])).tells(&[r#"{"ev":"collect","box":"1b","amount":100} ch4"#]);
}

#[test]
fn a_stake_that_lies_in_part_on_the_field_of_its_hand_is_paid_what_comes_to_that() {
    let field = |chips: &[u32]| {
        let chips = chips.iter().zip(1..).map(|(&value, uid)| wire::Chip { uid, value }).collect();
        Observation::Chips(ChipsSaw::Spot { box_no: 1, hand: 1, spot: BetSpot::Main, chips })
    };
    let paid = [r#"{"ev":"pay","box":"1b","amount":100} ch4"#];
    for is_continued in [false, true] {
        let mut bench = Bench::new();
        bench.spot(1, BetSpot::Main, &[100]).saw(Role::Chips, field(&[40])).spot(1, BetSpot::Split, &[100]);
        bench.felt.log.clear();
        bench.felt.settling = true;
        if is_continued {
            bench.observer = Observer::new(&header(Observes::ALL), Duration::from_millis(WAIT));
            bench.observer.recall(&device_event(Role::Chips, "spot", Some("1b main 40".into())));
        }
        bench.saw(Role::Chips, field(&[40, 100])).tells(&paid);
    }
}

#[test]
fn once_the_bank_has_drawn_stakes_are_settled_and_a_double_that_is_taken_back_alone_is_none() {
    let mut bench = Bench::new();
    bench.spot(1, BetSpot::Main, &[100]).spot(2, BetSpot::Main, &[100]).spot(2, BetSpot::Double, &[100]);
    bench.felt.log.clear();
    bench.felt.bank_drew = true;
    bench.spot(1, BetSpot::Main, &[100, 100]).tells(&[r#"{"ev":"pay","box":"1","amount":100} ch4"#]);
    bench.spot(2, BetSpot::Double, &[]);
    assert!(bench.felt.log.iter().any(|line| line.contains(r#""spot":"double","amount":0"#)), "{:?}", bench.felt.log);
    bench.felt.log.clear();
    bench.spot(2, BetSpot::Main, &[]).tells(&[r#"{"ev":"collect","box":"2","amount":100} ch6"#]);
}

#[test]
fn what_a_black_jack_is_paid_while_others_play_is_no_bet_that_was_raised() {
    let mut bench = Bench::new();
    bench.spot(1, BetSpot::Main, &[100]).spot(2, BetSpot::Main, &[100]);
    bench.felt.log.clear();
    bench.felt.blackjack = Some(HandId::first(1));
    bench.spot(1, BetSpot::Main, &[100, 150]).tells(&[r#"{"ev":"pay","box":"1","amount":150} ch3"#]);
    bench.spot(2, BetSpot::Main, &[100, 150]);
    assert!(bench.felt.log.iter().any(|line| line.contains(r#""ev":"bet","box":"2","amount":250"#)), "it has none");
}

#[test]
fn in_settlement_a_spot_that_grows_is_paid_the_difference_and_then_left_alone_until_the_end() {
    let mut bench = settling();
    bench.spot(1, BetSpot::Main, &[100, 200]).tells(&[r#"{"ev":"pay","box":"1","amount":200} ch1"#]);
    bench.spot(1, BetSpot::Main, &[]).spot(1, BetSpot::Double, &[]);
    bench.tells(&[left("1 main 0", 2).as_str(), left("1 double 0", 3).as_str()]);
    bench.said(KeypadSaid::EndPass).tells(&[r#"{"ev":"end"} ke1"#]);
    bench.spot(3, BetSpot::Main, &[]).tells(&[left("3 main 0", 4).as_str()]);
    bench.spot(1, BetSpot::Main, &[100]);
    assert!(bench.felt.log[0].starts_with(r#"{"ev":"bet","box":"1","amount":100,"#), "the next pass");
}

#[test]
fn chips_taken_from_an_undue_insurance_in_the_settlement_go_back_to_the_bettor() {
    let mut bench = settling();
    bench.felt.undue_insurance = true;
    bench.spot(2, BetSpot::Insurance, &[]);
    bench.tells(&[r#"{"ev":"bet","box":"2","spot":"insurance","amount":0} ch1"#]);
}

#[test]
fn insurance_is_settled_apart_from_the_hand() {
    let mut bench = settling();
    bench.spot(2, BetSpot::Insurance, &[50, 100]);
    bench.tells(&[r#"{"ev":"pay","box":"2","amount":100,"spot":"insurance"} ch1"#]);
    bench.spot(2, BetSpot::Insurance, &[]).tells(&[left("2 insurance 0", 2).as_str()]);
    bench.spot(2, BetSpot::Main, &[]).tells(&[r#"{"ev":"collect","box":"2","amount":100} ch3"#]);
    let mut bench = settling();
    bench.spot(2, BetSpot::Insurance, &[]);
    bench.tells(&[r#"{"ev":"collect","box":"2","amount":50,"spot":"insurance"} ch1"#]);
}

#[test]
fn the_equal_bet_of_a_split_is_the_second_hands_stake() {
    let split = |values: &[u32], hand: u8, spot: BetSpot| {
        let mut bench = Bench::new();
        bench.spot(1, BetSpot::Main, &[100]).spot(1, BetSpot::Split, &[100]);
        bench.felt.settling = true;
        bench.felt.log.clear();
        let chips = values.iter().zip(1..).map(|(&value, uid)| wire::Chip { uid, value }).collect();
        bench.saw(Role::Chips, Observation::Chips(ChipsSaw::Spot { box_no: 1, hand, spot, chips }));
        bench.spot(1, BetSpot::Main, &[]);
        bench.felt.log
    };
    // reported where it was laid, or as the second hand's own
    for (hand, spot) in [(0, BetSpot::Split), (1, BetSpot::Main)] {
        let log = split(&[], hand, spot);
        assert_eq!(log[0], r#"{"ev":"collect","box":"1b","amount":100} ch3"#);
        assert_eq!(log[1], r#"{"ev":"collect","box":"1","amount":100} ch4"#);
        assert_eq!(split(&[100, 150], hand, spot)[0], r#"{"ev":"pay","box":"1b","amount":150} ch3"#);
    }
}

#[test]
fn half_taken_is_collected_half_and_a_void_bet_taken_back_is_no_collection() {
    let mut bench = settling();
    bench.spot(3, BetSpot::Main, &[50]).tells(&[r#"{"ev":"collect","box":"3","amount":50} ch1"#]);
    let mut bench = settling();
    bench.felt.void = Some(HandId::first(3));
    bench.spot(3, BetSpot::Main, &[]).tells(&[r#"{"ev":"bet","box":"3","amount":0} ch1"#]);
}

#[test]
fn chips_on_an_empty_spot_in_settlement_are_a_bet_to_be_judged() {
    let mut bench = settling();
    bench.spot(4, BetSpot::Main, &[10]).spot(3, BetSpot::Double, &[100]);
    assert!(bench.felt.log[0].starts_with(r#"{"ev":"bet","box":"4","amount":10,"#));
    assert!(bench.felt.log[1].starts_with(r#"{"ev":"bet","box":"3","spot":"double","amount":100,"#));
}

#[test]
fn what_was_settled_and_who_bets_is_known_again_when_a_record_is_continued() {
    let mut bench = settling();
    let mut continued = settling();
    bench.said(KeypadSaid::Bettor { box_no: 4, player: 9 }).spot(1, BetSpot::Main, &[]);
    for line in bench.felt.log.drain(..) {
        let json = line.rsplit_once(' ').unwrap().0;
        continued.observer.recall(&sabot_law::table::line::event(json.as_bytes()).unwrap());
    }
    continued.spot(1, BetSpot::Double, &[]).tells(&[left("1 double 0", 1).as_str()]);
    continued.spot(4, BetSpot::Main, &[10]);
    assert!(continued.felt.log[0].contains(r#""player":"P9""#), "{:?}", continued.felt.log);
}

#[test]
fn a_spot_that_cannot_be_read_is_missed_in_every_pass_until_it_is_read_again() {
    use sabot_drivers::saw::Unreadable;
    let at = Stake { box_no: 2, hand: 0, spot: BetSpot::Main };
    let stack = |values: u32| {
        let chips = (0..values).map(|uid| wire::Chip { uid: uid.into(), value: 100 }).collect();
        TagsSaw::Stack { at, chips }
    };
    let missed = r#"{"ev":"device","device":"chips","status":"events_missed","detail":"2 main"} "#;
    let mut bench = Bench::new();
    bench.tags(&stack(30));
    assert!(
        bench.felt.log[0].starts_with(r#"{"ev":"bet","box":"2","amount":3000,"#),
        "more than the link has room for"
    );
    bench.felt.log.clear();
    bench.tags(&TagsSaw::Unreadable { at: at.into(), why: Unreadable::TooMany });
    let told = r#"{"ev":"device","device":"chips","status":"read_error","detail":"2 main: more than 60 chips"} ch2"#;
    bench.tells(&[told, missed]);
    bench.said(KeypadSaid::EndPass).tells(&[r#"{"ev":"end"} ke1"#, missed]);
    bench.tags(&stack(3));
    assert!(bench.felt.log[0].starts_with(r#"{"ev":"bet","box":"2","amount":300,"#));
    bench.felt.log.clear();
    bench.said(KeypadSaid::EndPass).tells(&[r#"{"ev":"end"} ke2"#]);
}

#[test]
fn what_shoe_shuffler_and_antennas_see_is_told_one_to_one() {
    for (role, saw, line) in [
        (Role::Shoe, Observation::Shoe(ShoeSaw::CutCard), r#"{"ev":"cut_card"}"#),
        (Role::Shoe, Observation::Shoe(ShoeSaw::Empty), r#"{"ev":"device","device":"shoe","status":"empty"}"#),
        (
            Role::Shoe,
            Observation::Shoe(ShoeSaw::Loaded { cards: 416, cut_card: 52 }),
            r#"{"ev":"load","cards":416,"cut_card":52}"#,
        ),
        (
            Role::Shuffler,
            Observation::Shuffler(ShufflerSaw::Done { decks: 8, cards: 416 }),
            r#"{"ev":"shuffle","decks":8,"cards":416}"#,
        ),
        (
            Role::Shuffler,
            Observation::Shuffler(ShufflerSaw::Jam),
            r#"{"ev":"device","device":"shuffler","status":"jam"}"#,
        ),
        (
            Role::Chips,
            Observation::Chips(ChipsSaw::CardTurned { place: Place::Bank }),
            r#"{"ev":"reveal","at":"bank"}"#,
        ),
        (
            Role::Chips,
            Observation::Chips(ChipsSaw::CardsMoved { from: place(2), to: Place::Burn, cards: Some(2) }),
            r#"{"ev":"move","from":"2","to":"burn","cards":2}"#,
        ),
        (
            Role::Chips,
            Observation::Chips(ChipsSaw::CardsMoved { from: place(2), to: Place::Discard, cards: None }),
            r#"{"ev":"move","from":"2","to":"discard"}"#,
        ),
        (
            Role::Keypad,
            Observation::Device(DeviceState::Tamper),
            r#"{"ev":"device","device":"keypad","status":"tamper"}"#,
        ),
    ] {
        let mut bench = Bench::new();
        let origin = format!("{line} {}1", &role.name()[..2]);
        bench.saw(role, saw).tells(&[origin.as_str()]);
    }
}

#[test]
fn a_chip_that_is_told_twice_on_a_spot_cannot_be_and_is_no_stake() {
    let mut bench = Bench::new();
    let chips = [7, 8, 7].into_iter().map(|uid| wire::Chip { uid, value: 100 }).collect();
    bench.saw(Role::Chips, Observation::Chips(ChipsSaw::Spot { box_no: 1, hand: 0, spot: BetSpot::Main, chips }));
    assert!(bench.felt.log.iter().any(|line| line.contains(r#""status":"bad_report""#)), "{:?}", bench.felt.log);
    assert!(!bench.felt.log.iter().any(|line| line.contains(r#""ev":"bet""#)), "{:?}", bench.felt.log);
}

#[test]
fn what_cannot_be_is_told_as_a_bad_report_and_nothing_is_made_of_it() {
    for (role, saw) in [
        (Role::Keypad, Observation::Keypad(KeypadSaid::Request { box_no: 6, player: 1 })),
        (Role::Keypad, Observation::Keypad(KeypadSaid::Ace { box_no: 1, hand: 0, value: 7 })),
        (Role::Keypad, Observation::Keypad(KeypadSaid::Seat { seat: 0, player: 1 })),
        (Role::Keypad, Observation::Keypad(KeypadSaid::Leave { seat: 7, player: 1 })),
        (Role::Shoe, Observation::Shoe(ShoeSaw::Loaded { cards: 0, cut_card: 0 })),
        (Role::Shoe, Observation::Shoe(ShoeSaw::Loaded { cards: 416, cut_card: 417 })),
        (Role::Shoe, Observation::Shoe(ShoeSaw::Loaded { cards: 65_535, cut_card: 0 })),
        (Role::Keypad, Observation::Keypad(KeypadSaid::Total { place: place(1), value: 255 })),
        (Role::Keypad, Observation::Keypad(KeypadSaid::Total { place: Place::Shoe, value: 20 })),
        (Role::Chips, Observation::Chips(ChipsSaw::CardTurned { place: Place::Shoe })),
        (Role::Chips, Observation::Chips(ChipsSaw::CardsMoved { from: Place::Bank, to: Place::Bank, cards: None })),
        (Role::Chips, Observation::Chips(ChipsSaw::CardsMoved { from: place(1), to: Place::Bank, cards: Some(0) })),
        (Role::Keypad, Observation::Keypad(KeypadSaid::Bettor { box_no: 0, player: 1 })),
        (Role::Chips, Observation::Chips(ChipsSaw::CardArrived { place: place(0), face: None })),
        (Role::Chips, Observation::Chips(ChipsSaw::CardTurned { place: Place::Hand(HandId { box_no: 1, hand: 8 }) })),
        (Role::Keypad, Observation::Shoe(ShoeSaw::Drawn(Card::from_code(1)))),
        (Role::Display, Observation::Chips(ChipsSaw::CardArrived { place: place(1), face: None })),
    ] {
        let mut bench = Bench::new();
        bench.saw(role, saw.clone());
        let (line, missed) = bench.felt.log.split_first().unwrap();
        assert!(line.contains(r#""status":"bad_report""#), "{line}");
        // a reader whose words mean nothing has not seen what lies there
        let is_missed = |line: &String| line.contains(r#""status":"events_missed""#);
        assert_eq!((missed.len(), missed.iter().all(is_missed)), (usize::from(role == Role::Chips), true), "{saw:?}");
    }
}
