//! When something was seen: what a device kept through an absence carries the time of seeing, not that of coming back.

use std::thread::sleep;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sabot_hil_tests::script::DELIVERY;
use sabot_hil_tests::{Bench, Need, Scenario, scenarios};
use sabot_wire::message::{KeypadSaid, Role};
use serde_json::Value;

/// From what the test does until the twin's thread has seen it, on a busy machine.
const SENSED_MS: i64 = 250;
/// An estimate worth its name, over a pseudo-terminal on a busy machine.
const WITHIN_MS: i64 = 100;
/// How far the record's clock may be from the system's, by which the test goes.
const CLOCKS_MS: i64 = 50;

fn unix_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// The dealer enters that this player sits down; when that was.
fn sits_down(rig: &Bench, player: u16) -> i64 {
    let at = unix_ms();
    rig.says(KeypadSaid::Seat { seat: 1 + (player % 7) as u8, player });
    at
}

/// The line that tells of this player, and when the record was begun.
fn told(rig: &Bench, player: u16) -> (Value, i64) {
    let record = rig.journal();
    let began = record.events("table").find_map(|line| line["began"].as_i64());
    let name = format!("P{player}");
    let line = record.events("seat").find(|line| line["player"] == name.as_str());
    match (line, began) {
        (Some(line), Some(began)) => (line.clone(), began),
        found => panic!("nobody is told to sit down as {name}: {found:?}\n{record}"),
    }
}

/// The line carries the time of seeing; how long after it the station took it, milliseconds.
fn expect_seen(rig: &Bench, player: u16, at: i64) -> i64 {
    let (line, began) = told(rig, player);
    let (Some(t), Some(seen), Some(within)) = (line["t"].as_i64(), line["seen"].as_i64(), line["seen_within"].as_i64())
    else {
        panic!("player {player} is not dated: {line}")
    };
    let late = began + seen - at;
    println!("player {player}: seen {late} ms after it was entered, within {within} ms; taken {} ms later", t - seen);
    assert!(within <= WITHIN_MS, "player {player}: {line}");
    assert!((-within - CLOCKS_MS..=within + SENSED_MS).contains(&late), "player {player}, {late} ms off: {line}");
    t - seen
}

fn what_was_entered_while_the_cable_was_out_is_as_old_as_it_is() {
    let rig = Bench::start();
    let at = sits_down(&rig, 1);
    assert!(expect_seen(&rig, 1, at) < 1_000, "told at once");
    rig.unplug(Role::Keypad);
    let mut entered = Vec::new();
    for player in 2..=5 {
        entered.push((player, sits_down(&rig, player)));
        sleep(Duration::from_millis(900));
    }
    rig.plug(Role::Keypad);
    rig.settle();
    for (player, at) in entered {
        let waited = expect_seen(&rig, player, at);
        assert!(waited >= (6 - i64::from(player)) * 900 - SENSED_MS, "player {player} waited {waited} ms");
    }
    let at = sits_down(&rig, 6);
    assert!(expect_seen(&rig, 6, at) < 1_000, "told at once");
    rig.expect_every_event_once_and_in_order();
}

fn a_restart_in_the_absence_dates_what_came_before_it_and_two_leave_out_what_cannot_be_known() {
    let rig = Bench::start();
    rig.unplug(Role::Keypad);
    let before = sits_down(&rig, 1);
    sleep(Duration::from_millis(1_200));
    rig.restart(Role::Keypad);
    let after = sits_down(&rig, 2);
    sleep(Duration::from_millis(600));
    rig.plug(Role::Keypad);
    rig.settle();
    assert!(expect_seen(&rig, 1, before) >= 1_800 - SENSED_MS);
    assert!(expect_seen(&rig, 2, after) >= 600 - SENSED_MS);

    rig.unplug(Role::Keypad);
    for player in [3, 4] {
        sits_down(&rig, player);
        sleep(Duration::from_millis(500)); // seen before the power goes
        rig.restart(Role::Keypad);
    }
    let last = sits_down(&rig, 5);
    rig.plug(Role::Keypad);
    rig.settle();
    for player in [3, 4] {
        let (line, _) = told(&rig, player);
        assert!(line["seen"].is_null() && line["seen_within"].is_null(), "which start was it? {line}");
    }
    expect_seen(&rig, 5, last);
    rig.expect_every_event_once_and_in_order();
}

fn a_station_that_was_stopped_meanwhile_dates_what_the_device_kept() {
    let mut rig = Bench::start();
    sits_down(&rig, 1);
    rig.stop_station();
    let at = sits_down(&rig, 2);
    sleep(Duration::from_millis(1_500));
    rig.start_station();
    rig.settle();
    assert!(expect_seen(&rig, 2, at) >= 1_500 - SENSED_MS);
}

fn a_card_that_no_antenna_sees_costs_the_cards_after_it_nothing() {
    let rig = Bench::start();
    rig.up_to_the_delivery();
    rig.deliver(0..2);
    let mut delivered = rig.delivered(1);
    delivered.truncate(7);
    rig.deal(DELIVERY[2].0).unseen();
    delivered[2].1 = None;
    for (card, spot) in &DELIVERY[3..7] {
        rig.deal(card).by_hand(*spot);
    }
    rig.settle();
    let record = rig.journal();
    assert_eq!(record.draws(), delivered, "{record}");
    rig.expect_no_finding();
    rig.expect_every_event_once_and_in_order();
}

pub(crate) fn all() -> Vec<Scenario> {
    scenarios! {
        what_was_entered_while_the_cable_was_out_is_as_old_as_it_is [Need::PromptSensors, Need::Restarts]
        a_restart_in_the_absence_dates_what_came_before_it_and_two_leave_out_what_cannot_be_known
            [Need::PromptSensors, Need::Restarts]
        a_station_that_was_stopped_meanwhile_dates_what_the_device_kept [Need::PromptSensors, Need::Restarts]
        a_card_that_no_antenna_sees_costs_the_cards_after_it_nothing [Need::Places]
    }
}
