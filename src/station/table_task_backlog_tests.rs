//! A station that comes back in the middle of a pass: each device tells its ring as a whole, one after the other.

use sabot_wire::message::DeviceState as Says;

use super::*;
use crate::presence::LastSeen;
use crate::sourced_event::device_event;
use sabot_law::table::felt::Phase;

/// How the devices were when the record was left.
fn last() -> LastSeen {
    let mut last = LastSeen::default();
    for role in Role::ALL {
        let detail = format!("{}, firmware 1.2.3, start 4, image {}", role.name(), "42".repeat(32));
        last.recall(&device_event(role, "online", Some(Name::new(&detail))));
    }
    last
}

/// What each device saw, in the order in which it happened, a quarter of a second between any two.
fn a_pass() -> Vec<(Role, Observation)> {
    let said = |said| (Role::Keypad, Observation::Keypad(said));
    let chips = |saw| (Role::Chips, Observation::Chips(saw));
    let hand = |box_no| Place::Hand(HandId { box_no, hand: 0 });
    let stake = |box_no: u8, stakes: u64| {
        let chips = (0..stakes).map(|nth| wire::Chip { uid: u64::from(box_no) * 10 + nth, value: 5000 }).collect();
        ChipsSaw::Spot { box_no, hand: 0, spot: BetSpot::Main, chips }
    };
    let mut pass = vec![
        said(KeypadSaid::Seat { seat: 1, player: 1 }),
        said(KeypadSaid::Seat { seat: 2, player: 2 }),
        said(KeypadSaid::Seat { seat: 3, player: 3 }),
        said(KeypadSaid::Authorize { badge: 4, role: Authority::Inspector, what: Permit::Shuffle }),
        (Role::Shuffler, Observation::Shuffler(wire::ShufflerSaw::Done { decks: 8, cards: 416 })),
        said(KeypadSaid::Cut { depth: 150, player: 1 }),
        (Role::Shoe, Observation::Shoe(ShoeSaw::Loaded { cards: 416, cut_card: 52 })),
        chips(stake(1, 1)),
        chips(stake(2, 1)),
        chips(stake(3, 1)),
        said(KeypadSaid::CloseBets),
    ];
    let bank = Place::Bank;
    let cards = ["8H", "9C", "TD", "9S", "TC", "TS", "QH", "8D"];
    for (card, at) in cards.into_iter().zip([hand(1), hand(2), hand(3), bank].into_iter().cycle()) {
        let code: sabot_law::table::Card = card.parse().unwrap();
        let code = Card::from_code(u8::try_from(code.index().unwrap()).unwrap());
        pass.push((Role::Shoe, Observation::Shoe(ShoeSaw::Drawn(code))));
        let face = if card == "8D" { Face::Down } else { Face::Up };
        pass.push(chips(ChipsSaw::CardArrived { place: at, face: Some(face) }));
    }
    for box_no in [1, 2, 3] {
        pass.push(said(KeypadSaid::Decide { box_no, hand: 0, choice: wire::Choice::Stand, by: None }));
    }
    pass.push(chips(ChipsSaw::CardTurned { place: bank }));
    pass.extend([1, 2, 3].map(|box_no| chips(stake(box_no, 2))));
    pass.extend(
        [hand(1), hand(2), hand(3), bank]
            .map(|from| chips(ChipsSaw::CardsMoved { from, to: Place::Discard, cards: None })),
    );
    pass.extend([1, 2, 3].map(|box_no| chips(stake(box_no, 0))));
    pass.push(said(KeypadSaid::EndPass));
    pass
}

impl Bench {
    /// Each device tells all it saw of the pass, one device after the other.
    async fn tell_rings(&mut self, order: &[Role], pass: &[(Role, Observation)], is_dated: impl Fn(Role) -> bool) {
        let (now, of_pass) = (Instant::now(), u32::try_from(pass.len()).unwrap());
        for role in order {
            self.comes(*role).await;
            for (nth, (_, saw)) in pass.iter().enumerate().filter(|(_, (of, _))| of == role) {
                let age_ms = (of_pass - u32::try_from(nth).unwrap()) * 250;
                self.when = is_dated(*role).then_some(When { received: now, age_ms, error_ms: 4 });
                self.saw(*role, saw.clone()).await;
            }
            self.reports.send((*role, LinkReport::CaughtUp)).await.unwrap();
        }
    }
}

fn kinds(lines: &[String]) -> Vec<String> {
    let of = |line: &String| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        line["ev"].as_str().filter(|ev| *ev != "device").map(str::to_owned)
    };
    lines.iter().filter_map(of).collect()
}

const ROLES: [Role; 4] = [Role::Shoe, Role::Shuffler, Role::Keypad, Role::Chips];

#[tokio::test]
async fn what_was_kept_while_no_station_was_there_is_told_in_the_order_in_which_it_was_seen() {
    for order in [ROLES, [Role::Chips, Role::Keypad, Role::Shoe, Role::Shuffler]] {
        let mut bench = Bench::begin(&config(LONG), None, Some(&last()));
        bench.tell_rings(&order, &a_pass(), |_| true).await;
        let snapshot = bench.until(|snapshot| snapshot.felt.pass == 1 && snapshot.felt.phase == Phase::Idle).await;
        assert!(snapshot.findings.is_empty(), "{order:?}: {:?}", snapshot.findings);
        let (_, lines) = bench.stop().await;
        let told = kinds(&lines);
        assert_eq!(told.last().map(String::as_str), Some("end"), "{told:?}");
        assert_eq!(told.iter().filter(|kind| *kind == "pay").count(), 3, "{told:?}");
    }
}

#[tokio::test]
async fn a_device_that_says_not_when_it_saw_what_it_kept_is_blind_and_nobody_is_accused() {
    let mut bench = Bench::begin(&config(LONG), None, Some(&last()));
    bench.tell_rings(&ROLES, &a_pass(), |role| role != Role::Chips).await;
    let seq = bench.seqs[Role::Chips as usize];
    bench.until_did(|did| did.contains(&Did::Ack(Role::Chips, 1, seq))).await;
    let snapshot = bench.snapshots.borrow().clone();
    let accused: Vec<_> = snapshot.findings.iter().filter(|view| view.finding.details.device.is_none()).collect();
    assert!(accused.is_empty(), "{accused:?}");
    let (_, lines) = bench.stop().await;
    assert!(lines.iter().any(|line| line.contains("cannot be put in order")), "{lines:#?}");
}

#[tokio::test(start_paused = true)]
async fn a_device_that_never_comes_does_not_hold_the_table() {
    let mut bench = Bench::begin(&config(LONG), None, Some(&last()));
    bench.comes(Role::Keypad).await;
    bench.when = Some(When { received: Instant::now(), age_ms: 10, error_ms: 1 });
    bench.said(KeypadSaid::Seat { seat: 1, player: 1 }).await;
    let told = bench.until_did(|did| did.contains(&Did::Ack(Role::Keypad, 1, 1))).await;
    assert!(!told.is_empty());
}

#[tokio::test]
async fn who_takes_no_more_sees_nothing_until_it_has_room_again() {
    let mut bench = Bench::start(LONG).await;
    bench.deal().await;
    let line = bench.until(|snapshot| snapshot.line == 24).await.line;
    bench.saw(Role::Keypad, Observation::Device(Says::RingFull)).await;
    let full = bench.until(|snapshot| snapshot.findings.len() == 1).await;
    assert_eq!(full.findings[0].finding.details.device.as_deref(), Some("keypad"));
    assert_eq!(full.verdict.face, crate::snapshot::Face::Blind);
    bench.drawn("8D").await;
    bench.arrives(Place::Bank, Face::Down).await;
    bench.dealt("3D", 1).await; // asked for by a key that the keypad did not take
    bench.saw(Role::Keypad, Observation::Device(Says::RingFree)).await;
    let snapshot = bench.until(|snapshot| snapshot.line >= line + 6).await;
    assert_eq!(snapshot.findings.len(), 1, "{:?}", snapshot.findings);
    assert_eq!(snapshot.verdict.face, crate::snapshot::Face::Blind, "it has not seen all of this pass");
    let (_, lines) = bench.stop().await;
    let at = |what: &str| lines.iter().position(|line| line.contains(what)).unwrap_or_else(|| panic!("{what}"));
    assert!(at("ring_full") < at("what it would see now is lost"));
    assert!(at("ring_free") < lines.len() - 1 && lines[lines.len() - 1].contains(r#""status":"online""#), "{lines:#?}");
}

#[tokio::test]
async fn a_keypad_that_started_anew_has_not_seen_all_of_the_pass() {
    let mut bench = Bench::start(LONG).await;
    bench.deal().await;
    let hello = DeviceHello { boots: 5, ..hello(Role::Keypad) };
    let online = LinkReport::Online { hello, started: Started::Watchdog, image: None, keeps: true };
    bench.reports.send((Role::Keypad, online)).await.unwrap();
    bench.reports.send((Role::Keypad, LinkReport::CaughtUp)).await.unwrap();
    bench.drawn("8D").await;
    bench.arrives(Place::Bank, Face::Down).await;
    bench.dealt("3D", 1).await;
    let snapshot = bench
        .until(|snapshot| {
            snapshot.felt.boxes.iter().any(|of| of.hands.first().is_some_and(|hand| hand.cards.len() == 3))
        })
        .await;
    let found: Vec<_> = snapshot.findings.iter().map(|view| view.finding.details.device.as_deref()).collect();
    assert_eq!(found, [Some("keypad")], "{:?}", snapshot.findings);
}

#[tokio::test]
async fn an_end_waits_for_cards_whose_frame_had_to_be_sent_again_and_is_one_where_it_was_touched_twice() {
    let mut bench = Bench::begin(&config(LONG), None, None);
    for role in Role::ALL {
        bench.comes(role).await;
    }
    let mut pass = a_pass();
    let end = pass.pop().unwrap();
    pass.truncate(pass.len() - 3); // players take their chips when they like
    let cleared = pass.pop().unwrap();
    let ms = |ago| Some(When { received: Instant::now(), age_ms: ago, error_ms: 2 });
    bench.when = ms(1000);
    for (role, saw) in pass {
        bench.saw(role, saw).await;
    }
    bench.when = ms(500);
    bench.saw(end.0, end.1.clone()).await;
    bench.when = ms(600);
    bench.saw(cleared.0, cleared.1).await; // its frame was lost, and is sent again
    bench.when = ms(300);
    let seq = bench.saw(end.0, end.1).await;
    bench.until_did(|did| did.contains(&Did::Ack(Role::Keypad, 1, seq))).await;
    let (_, lines) = bench.stop().await;
    assert_eq!(kinds(&lines).iter().filter(|kind| *kind == "end").count(), 1);
    assert!(lines.iter().any(|line| line.contains("touched_twice")), "{lines:#?}");
    assert!(!lines.iter().any(|line| line.contains(r#""out":"finding""#)), "{lines:#?}");
}
