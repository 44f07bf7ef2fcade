//! The station stopped and killed in the middle of a pass, and started again on the same record.

use sabot_hil_tests::script::DELIVERY;
use sabot_hil_tests::{Bench, Need, Scenario, Spot, place, scenarios};
use sabot_station::snapshot::FindingState;

fn at_the_delivery() -> Bench {
    let rig = Bench::start();
    rig.up_to_the_delivery();
    rig
}

fn a_station_stopped_in_the_middle_of_a_pass_goes_on_where_it_was() {
    let mut rig = at_the_delivery();
    rig.deliver(0..5);
    let before = rig.snapshot().felt.clone();
    rig.stop_station();
    rig.start_station();
    assert_eq!(rig.snapshot().felt, before, "the felt is read back from the record");
    rig.deliver(5..8);
    rig.play_out();
    rig.expect_no_finding();
    assert_eq!(rig.journal().draws(), rig.delivered(1));
    rig.expect_every_event_once_and_in_order();
}

fn a_station_killed_at_every_card_of_the_delivery_loses_and_doubles_nothing() {
    let mut rig = at_the_delivery();
    for card in 0..DELIVERY.len() {
        // the card is under way when the station dies: on the line, in its hands or on its disk
        rig.deliver_unwatched(card);
        rig.kill_station();
        rig.start_station();
    }
    rig.expect_every_event_once_and_in_order();
    assert_eq!(rig.journal().draws(), rig.delivered(1));
    rig.expect_no_finding();
}

fn what_happens_while_the_station_is_down_is_told_when_it_is_up() {
    let mut rig = at_the_delivery();
    rig.deliver(0..7);
    rig.stop_station();
    rig.deal("8D").to(Spot::Bank);
    rig.start_station();
    rig.expect_finding("C7", place("bank"));
    rig.expect_display("C7");
    rig.expect_every_event_once_and_in_order();
}

fn an_open_duty_is_still_open_after_a_restart_and_can_be_cleared() {
    let mut rig = at_the_delivery();
    rig.deliver(0..7);
    rig.deal("8D").to(Spot::Bank);
    rig.expect_finding("C7", place("bank"));
    rig.stop_station();
    rig.start_station();
    rig.expect_state("C7", FindingState::Open);
    rig.expect_display("C7");
    rig.burn(Spot::Bank, 1);
    rig.deal("2C").down().to(Spot::Bank);
    rig.expect_state("C7", FindingState::Cleared);
    rig.expect_every_event_once_and_in_order();
}

pub(crate) fn all() -> Vec<Scenario> {
    scenarios! {
        a_station_stopped_in_the_middle_of_a_pass_goes_on_where_it_was [Need::Places]
        a_station_killed_at_every_card_of_the_delivery_loses_and_doubles_nothing []
        what_happens_while_the_station_is_down_is_told_when_it_is_up [Need::Places]
        an_open_duty_is_still_open_after_a_restart_and_can_be_cleared [Need::Places]
    }
}
