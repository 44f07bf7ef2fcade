//! Devices that come and go in the middle of a pass: seen within a second, back within three, nothing lost or doubled.

use std::time::Duration;

use sabot_hil_tests::script::{BOXES, STAKE};
use sabot_hil_tests::{Bench, Need, Scenario, Spot, scenarios};
use sabot_stall_guard::Stopwatch;
use sabot_station::snapshot::DeviceState;
use sabot_wire::message::{Choice, Lamp, Role};

const SHOWN_WITHIN: Duration = Duration::from_secs(1);
const RESUMED_WITHIN: Duration = Duration::from_secs(3);

fn pulled(rig: &Bench, role: Role) {
    rig.unplug(role);
    let watch = Stopwatch::start();
    rig.expect_device(role, DeviceState::Absent);
    let took = watch.elapsed();
    assert!(took < SHOWN_WITHIN, "the {role} was shown as absent after {took:?}");
}

fn plugged(rig: &Bench, role: Role) {
    rig.plug(role);
    let watch = Stopwatch::start();
    rig.expect_device(role, DeviceState::Online);
    let took = watch.elapsed();
    assert!(took < RESUMED_WITHIN, "the {role} was resumed after {took:?}");
    // what it held comes now; what another device sees next comes after it, as it would at a table
    rig.settle();
}

fn a_shoe_pulled_in_the_middle_of_the_delivery_tells_every_card_and_its_place_when_it_is_back() {
    let rig = Bench::start();
    rig.up_to_the_delivery();
    rig.deliver(0..3);
    pulled(&rig, Role::Shoe);
    rig.deliver(3..6);
    plugged(&rig, Role::Shoe);
    rig.deliver(6..8);
    rig.play_out();
    assert_eq!(rig.journal().draws(), rig.delivered(1));
    rig.expect_no_finding();
    rig.expect_every_event_once_and_in_order();
}

fn a_keypad_killed_and_started_again_in_the_middle_of_the_play_keeps_its_entries() {
    let rig = Bench::start();
    rig.up_to_the_delivery();
    rig.deliver(0..8);
    rig.decide(1, Choice::Stand);
    pulled(&rig, Role::Keypad);
    // entered while nobody hears it, and then the power goes: what the ring holds outlives that
    rig.decide(2, Choice::Stand);
    rig.restart(Role::Keypad);
    rig.decide(3, Choice::Stand);
    plugged(&rig, Role::Keypad);
    rig.reveal_bank();
    rig.expect_no_finding_but_of_absence();
    let deciding: Vec<_> = rig.journal().events("decide").map(|line| line["box"].clone()).collect();
    assert_eq!(deciding, ["1", "2", "3"]);
    rig.expect_every_event_once_and_in_order();
}

fn every_device_killed_in_turn_during_passes_is_seen_gone_and_back_and_the_record_is_exact() {
    let rig = Bench::start();
    rig.open_the_shoe();
    rig.seat_and_bet(&BOXES, STAKE);
    for (pass, role) in (0..).zip(Role::ALL) {
        if pass > 0 {
            rig.bets(&BOXES, STAKE);
        }
        rig.close_bets();
        rig.deliver(0..5);
        pulled(&rig, role);
        rig.restart(role);
        plugged(&rig, role);
        rig.deliver(5..8);
        rig.play_out();
    }
    rig.expect_no_finding_but_of_absence();
    assert_eq!(rig.journal().draws(), rig.delivered(Role::ALL.len()));
    rig.expect_every_event_once_and_in_order();
}

fn a_restart_with_the_cable_in_place_loses_and_doubles_nothing() {
    let rig = Bench::start();
    rig.up_to_the_delivery();
    for card in 0..8 {
        rig.restart(Role::Chips);
        rig.restart(Role::Shoe);
        rig.deliver(card..card + 1);
    }
    assert_eq!(rig.journal().draws(), rig.delivered(1));
    rig.expect_no_finding_but_of_absence();
    rig.expect_every_event_once_and_in_order();
}

fn a_display_that_was_away_shows_what_was_found_meanwhile() {
    let rig = Bench::start();
    rig.up_to_the_delivery();
    rig.deliver(0..7);
    pulled(&rig, Role::Display);
    rig.deal("8D").to(Spot::Bank);
    let back = Stopwatch::start();
    plugged(&rig, Role::Display);
    rig.expect_display("C7");
    rig.expect_lamp(Lamp::Red);
    assert!(back.elapsed() < RESUMED_WITHIN);
}

pub(crate) fn all() -> Vec<Scenario> {
    scenarios! {
        a_shoe_pulled_in_the_middle_of_the_delivery_tells_every_card_and_its_place_when_it_is_back
            [Need::Places, Need::Restarts]
        a_keypad_killed_and_started_again_in_the_middle_of_the_play_keeps_its_entries [Need::Places, Need::Restarts]
        every_device_killed_in_turn_during_passes_is_seen_gone_and_back_and_the_record_is_exact
            [Need::Places, Need::Restarts]
        a_restart_with_the_cable_in_place_loses_and_doubles_nothing [Need::Places, Need::Restarts]
        a_display_that_was_away_shows_what_was_found_meanwhile [Need::Places, Need::Restarts]
    }
}
