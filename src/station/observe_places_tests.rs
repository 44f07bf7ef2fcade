//! Cards and the antennas that see where they lie.

use super::*;

#[test]
fn a_drawn_card_and_its_antenna_make_one_draw() {
    let mut bench = Bench::new();
    bench.drawn(TEN_OF_HEARTS).tells(&[]);
    assert_eq!(bench.observer.deadline(), Some(SKEW_MS + WAIT));
    bench.arrives(place(2)).tells(&[r#"{"ev":"draw","card":"TH","to":"2","face":"up"} sh1+ch1"#]);
    assert_eq!(bench.observer.deadline(), None);
    bench.drawn(255).arrives(Place::Burn).tells(&[r#"{"ev":"draw","card":"??","to":"burn","face":"up"} sh2+ch2"#]);
}

#[test]
fn a_card_no_antenna_speaks_of_goes_without_a_place_when_the_wait_is_over() {
    let mut bench = Bench::new();
    bench.drawn(TEN_OF_HEARTS).after(WAIT - 1).tells(&[]);
    bench.after(1).tells(&[r#"{"ev":"draw","card":"TH"} sh1"#]);
}

#[test]
fn any_other_observation_ends_the_wait_and_comes_after_the_card() {
    let mut bench = Bench::new();
    bench.drawn(TEN_OF_HEARTS).drawn(EIGHT_OF_SPADES).tells(&[r#"{"ev":"draw","card":"TH"} sh1"#]);
    bench.said(KeypadSaid::CloseBets).tells(&[r#"{"ev":"draw","card":"8S"} sh2"#, r#"{"ev":"close_bets"} ke1"#]);
    bench.after(WAIT + LATE_MS).drawn(TEN_OF_HEARTS).spot(1, BetSpot::Main, &[5]);
    assert!(bench.felt.log[0].starts_with(r#"{"ev":"draw","card":"TH"} "#));
    assert!(bench.felt.log[1].starts_with(r#"{"ev":"bet""#));
}

#[test]
fn cards_of_a_backlog_wait_for_a_chip_reader_that_comes_just_after_the_shoe() {
    let mut bench = Bench::new();
    bench.link(Role::Chips, "offline");
    bench.link(Role::Shoe, "online");
    bench.felt.log.clear();
    bench.drawn(TEN_OF_HEARTS).drawn(EIGHT_OF_SPADES).tells(&[]);
    bench.link(Role::Chips, "online");
    bench.felt.log.clear();
    bench.arrives(place(1)).tells(&[r#"{"ev":"draw","card":"TH","to":"1","face":"up"} sh1+ch1"#]);
    bench.arrives(place(2)).tells(&[r#"{"ev":"draw","card":"8S","to":"2","face":"up"} sh2+ch2"#]);
}

#[test]
fn a_late_antenna_is_told_and_not_taken_for_the_next_cards() {
    let mut bench = Bench::new();
    bench.drawn(TEN_OF_HEARTS).drawn(EIGHT_OF_SPADES).tells(&[r#"{"ev":"draw","card":"TH"} sh1"#]);
    bench.arrives(place(1)).tells(&[r#"{"ev":"device","device":"chips","status":"late_place","detail":"1"} ch1"#]);
    bench.arrives(place(2)).tells(&[r#"{"ev":"draw","card":"8S","to":"2","face":"up"} sh2+ch2"#]);
}

#[test]
fn an_antenna_that_never_speaks_costs_only_its_own_card_its_place() {
    let mut bench = Bench::new();
    bench.drawn(TEN_OF_HEARTS).after(WAIT).after(WAIT + 1).felt.log.clear();
    bench
        .drawn(EIGHT_OF_SPADES)
        .arrives(place(2))
        .tells(&[r#"{"ev":"draw","card":"8S","to":"2","face":"up"} sh1+ch1"#.replace("sh1", "sh2").as_str()]);
}

#[test]
fn cards_dealt_quickly_keep_their_places_after_one_that_no_antenna_saw() {
    let mut bench = Bench::new();
    bench
        .drawn_ago(0, TEN_OF_HEARTS)
        .after(1000)
        .drawn_ago(0, EIGHT_OF_SPADES)
        .tells(&[r#"{"ev":"draw","card":"TH"} sh1"#]);
    bench.after(300).arrived_ago(0, 2).tells(&[r#"{"ev":"draw","card":"8S","to":"2"} sh2+ch1"#]);
    bench.after(700).drawn_ago(0, TEN_OF_HEARTS).after(300).arrived_ago(0, 3);
    bench.tells(&[r#"{"ev":"draw","card":"TH","to":"3"} sh3+ch2"#]);
    // two in a row
    bench.after(700).drawn_ago(0, TEN_OF_HEARTS).after(1000).drawn_ago(0, TEN_OF_HEARTS);
    bench.after(1000).drawn_ago(0, EIGHT_OF_SPADES).after(300).felt.log.clear();
    bench.arrived_ago(0, 5).tells(&[r#"{"ev":"draw","card":"8S","to":"5"} sh6+ch3"#]);
}

#[test]
fn a_late_report_of_what_an_antenna_saw_in_time_is_the_first_cards() {
    let mut bench = Bench::new();
    bench.drawn_ago(0, TEN_OF_HEARTS).after(1000).drawn_ago(0, EIGHT_OF_SPADES).after(300).felt.log.clear();
    bench.arrived_ago(900, 1).arrived_ago(0, 2).tells(&[
        r#"{"ev":"device","device":"chips","status":"late_place","detail":"1"} ch1"#,
        r#"{"ev":"draw","card":"8S","to":"2"} sh2+ch2"#,
    ]);
}

#[test]
fn an_antenna_faster_than_the_shoes_port_waits_for_its_card() {
    let mut bench = Bench::new();
    bench.arrives(place(3)).tells(&[]);
    bench.drawn(TEN_OF_HEARTS).tells(&[r#"{"ev":"draw","card":"TH","to":"3","face":"up"} sh1+ch1"#]);
}

#[test]
fn a_card_no_shoe_has_told_of_is_reported_and_not_paired_later() {
    let mut bench = Bench::new();
    bench.arrives(place(3)).after(EARLY_MS);
    bench.tells(&[r#"{"ev":"device","device":"chips","status":"unexplained_card","detail":"3"} ch1"#]);
    bench.drawn(TEN_OF_HEARTS).tells(&[]);
}

#[test]
fn a_card_that_is_told_of_too_late_lies_where_an_antenna_saw_one_after_it_was_drawn() {
    let mut bench = Bench::new();
    bench.arrived_ago(0, 3).after(EARLY_MS).felt.log.clear();
    bench.drawn_ago(1000, TEN_OF_HEARTS).tells(&[r#"{"ev":"draw","card":"TH","to":"3"} sh1"#]);
    // and costs the cards after it nothing
    bench.drawn_ago(0, EIGHT_OF_SPADES).arrived_ago(0, 4).tells(&[r#"{"ev":"draw","card":"8S","to":"4"} sh2+ch2"#]);
}

#[test]
fn a_card_drawn_after_an_antenna_saw_one_is_not_that_one() {
    let mut bench = Bench::new();
    bench.arrived_ago(0, 3).after(EARLY_MS).felt.log.clear();
    bench.drawn_ago(0, TEN_OF_HEARTS).arrived_ago(0, 1).tells(&[r#"{"ev":"draw","card":"TH","to":"1"} sh1+ch2"#]);
    // nor where the antenna still waits for its card
    bench.arrived_ago(0, 3).after(600).drawn_ago(0, EIGHT_OF_SPADES).arrived_ago(0, 2).tells(&[
        r#"{"ev":"device","device":"chips","status":"unexplained_card","detail":"3"} ch3"#,
        r#"{"ev":"draw","card":"8S","to":"2"} sh2+ch4"#,
    ]);
    // nor where its report is late
    bench.after(1000).drawn_ago(0, TEN_OF_HEARTS).arrived_ago(800, 5).arrived_ago(0, 4).tells(&[
        r#"{"ev":"device","device":"chips","status":"unexplained_card","detail":"5"} ch5"#,
        r#"{"ev":"draw","card":"TH","to":"4"} sh3+ch6"#,
    ]);
}

/// Whoever holds reports back on the line has them as long as the link lets him; the station does not add its own wait:
/// 1.85 s in all, of which the two milliseconds by which a device's clock may err are taken off.
#[test]
fn what_was_held_back_on_its_way_is_on_record_within_two_seconds() {
    let mut bench = Bench::new();
    bench.after(5000).arrived_ago(1700, 3).after(147).tells(&[]);
    bench.after(1).tells(&[r#"{"ev":"device","device":"chips","status":"unexplained_card","detail":"3"} ch1"#]);
    // so it is beside a shoe whose cable comes and goes
    bench.arrived_ago(0, 4).felt.log.clear();
    for _ in 0..5 {
        bench.after(480).link(Role::Shoe, "offline");
        bench.after(480).link(Role::Shoe, "online");
    }
    let told = |bench: &Bench| bench.felt.log.iter().any(|line| line.contains("unexplained_card"));
    assert!(!told(&bench), "{:?}", bench.felt.log);
    bench.after(200);
    assert!(told(&bench), "{:?}", bench.felt.log);
}

#[test]
fn a_drawn_card_that_was_held_back_waits_for_its_antenna_within_two_seconds() {
    let mut bench = Bench::new();
    let held = i64::try_from(WAIT).unwrap();
    bench.after(5000).drawn_ago(1848 - held / 2, TEN_OF_HEARTS).after(WAIT / 2 - 1).tells(&[]);
    bench.after(1).tells(&[r#"{"ev":"draw","card":"TH"} sh1"#]);
}

#[test]
fn a_card_waits_for_slow_antennas_as_long_as_is_configured() {
    let mut bench = Bench::new();
    bench.observer = Observer::new(&header(Observes::ALL), Duration::from_secs(10));
    for role in [Role::Shoe, Role::Chips] {
        bench.link(role, "online");
    }
    bench.felt.log.clear();
    bench.after(20_000).drawn_ago(0, TEN_OF_HEARTS).after(9_997).tells(&[]);
    bench.arrived_ago(500, 3).tells(&[r#"{"ev":"draw","card":"TH","to":"3"} sh1+ch1"#]);
}

#[test]
fn what_lay_there_unexplained_is_forgotten_with_the_pass() {
    let mut bench = Bench::new();
    bench.arrived_ago(0, 3).after(EARLY_MS).said(KeypadSaid::EndPass).felt.log.clear();
    bench.drawn_ago(2000, TEN_OF_HEARTS).tells(&[]);
}

#[test]
fn cards_dealt_while_the_shoes_cable_is_out_find_their_places_in_order_when_it_is_back() {
    let mut bench = Bench::new();
    bench.link(Role::Shoe, "offline");
    bench.arrives(place(1)).after(1000).arrives(place(2)).after(1000);
    bench.link(Role::Shoe, "online");
    bench.felt.log.clear();
    bench.drawn(TEN_OF_HEARTS).drawn(EIGHT_OF_SPADES).tells(&[
        r#"{"ev":"draw","card":"TH","to":"1","face":"up"} sh1+ch1"#,
        r#"{"ev":"draw","card":"8S","to":"2","face":"up"} sh2+ch2"#,
    ]);
}

#[test]
fn a_devices_events_are_told_in_its_own_order() {
    let mut bench = Bench::new();
    bench.link(Role::Shoe, "offline");
    bench.felt.log.clear();
    bench.arrives(place(1)).spot(2, BetSpot::Main, &[5]);
    assert!(bench.felt.log[0].ends_with("ch1") && bench.felt.log[1].ends_with("ch2"), "{:?}", bench.felt.log);
}

#[test]
fn cards_drawn_while_the_chip_reader_is_away_go_without_a_place_and_its_backlog_is_late() {
    let mut bench = Bench::new();
    bench.drawn(TEN_OF_HEARTS);
    bench.link(Role::Chips, "offline");
    bench.drawn(EIGHT_OF_SPADES).after(60_000);
    bench.link(Role::Chips, "online");
    bench.felt.log.retain(|line| !line.contains("line\""));
    bench.tells(&[r#"{"ev":"draw","card":"TH"} sh1"#, r#"{"ev":"draw","card":"8S"} sh2"#]);
    bench.arrives(place(1)).arrives(place(2)).drawn(TEN_OF_HEARTS).arrives(place(3)).tells(&[
        r#"{"ev":"device","device":"chips","status":"late_place","detail":"1"} ch1"#,
        r#"{"ev":"device","device":"chips","status":"late_place","detail":"2"} ch2"#,
        r#"{"ev":"draw","card":"TH","to":"3","face":"up"} sh3+ch3"#,
    ]);
}

#[test]
fn a_card_waits_for_a_chip_reader_that_is_just_coming_back() {
    let mut bench = Bench::new();
    bench.link(Role::Chips, "offline");
    bench.drawn(TEN_OF_HEARTS).after(WAIT / 2);
    bench.link(Role::Chips, "online");
    bench.felt.log.clear();
    bench.arrives(place(2)).tells(&[r#"{"ev":"draw","card":"TH","to":"2","face":"up"} sh1+ch1"#]);
}

#[test]
fn a_table_that_does_not_see_places_does_not_wait() {
    let mut bench = Bench::seeing(Observes { places: false, ..Observes::ALL });
    bench.drawn(TEN_OF_HEARTS).tells(&[r#"{"ev":"draw","card":"TH"} sh1"#]);
}

#[test]
fn an_antenna_that_spoke_after_the_station_restarted_is_late_and_not_taken_for_the_next_cards() {
    let mut bench = Bench::new();
    // as it is when a record is continued: long after it was begun, and before any device has said hello
    bench.now = 3_600_000;
    bench.observer = Observer::new(&header(Observes::ALL), Duration::from_millis(WAIT));
    bench.observer.recall(&Event::Draw { card: Card::UNREAD, to: None, face: None });
    bench.link(Role::Chips, "online");
    bench.felt.log.clear();
    bench.arrives(place(1)).drawn(TEN_OF_HEARTS).arrives(place(2)).tells(&[
        r#"{"ev":"device","device":"chips","status":"late_place","detail":"1"} ch1"#,
        r#"{"ev":"draw","card":"TH","to":"2","face":"up"} sh1+ch2"#,
    ]);
}
