//! From the felt to the pit display and back: what the rig is for, on the issue's own example.

use sabot_hil_tests::{Bench, Need, Scenario, Spot, place, scenarios};
use sabot_station::snapshot::FindingState;
use sabot_wire::message::Lamp;

fn a_pass_by_the_book_finds_nothing_and_the_lamp_is_green() {
    let rig = Bench::start();
    rig.up_to_the_delivery();
    rig.deliver(0..8);
    rig.play_out();
    rig.expect_no_finding();
    rig.expect_lamp(Lamp::Green);
    assert_eq!(rig.journal().draws(), rig.delivered(1));
    rig.expect_every_event_once_and_in_order();
}

fn the_banks_second_card_uncovered_is_c7_on_the_display_until_burned_and_replaced() {
    let rig = Bench::start();
    rig.up_to_the_delivery();
    rig.deliver(0..7);
    rig.deal("8D").to(Spot::Bank);
    let found = rig.expect_finding("C7", place("bank"));
    assert_eq!(found.state, FindingState::Open);
    rig.expect_display("C7");
    rig.expect_lamp(Lamp::Red);
    rig.burn(Spot::Bank, 1);
    rig.deal("2C").down().to(Spot::Bank);
    rig.expect_state("C7", FindingState::Cleared);
    rig.expect_lamp(Lamp::Green);
    rig.expect_every_event_once_and_in_order();
}

pub(crate) fn all() -> Vec<Scenario> {
    scenarios! {
        a_pass_by_the_book_finds_nothing_and_the_lamp_is_green [Need::Places]
        the_banks_second_card_uncovered_is_c7_on_the_display_until_burned_and_replaced [Need::Places]
    }
}
