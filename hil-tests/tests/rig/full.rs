//! A shoe that cannot hand over what it sees: it lets nobody draw and says so, and when the station is back every card
//! is told once, in order.

use sabot_hil_tests::{Bench, Need, Scenario, scenarios};
use sabot_wire::message::{Card, Observation, Role, ShoeSaw};

/// More cards than the shoe's ring holds.
const CARDS: u32 = 1000;

fn a_shoe_whose_ring_is_full_lights_its_lamp_and_every_card_it_took_is_recorded_once_and_in_order() {
    let rig = Bench::start();
    rig.open_the_shoe();
    rig.expect_do_not_draw(false);
    rig.unplug(Role::Shoe);
    for n in 0..CARDS {
        rig.saw(Observation::Shoe(ShoeSaw::Drawn(Card::from_code((n % 52) as u8))));
    }
    rig.expect_do_not_draw(true);
    assert!(rig.journal().draws().is_empty(), "nothing can have come");
    rig.plug(Role::Shoe);
    rig.settle();
    rig.expect_do_not_draw(false);

    let record = rig.journal();
    record.expect_whole();
    let said = |status: &str| record.events("device").filter(|line| line["status"] == status).count();
    let (full, free) = (said("ring_full"), said("ring_free"));
    assert!(full >= 1 && full == free, "{full} times full, {free} times free");
    // the load, the cards, and what the ring said of itself
    let told = 1 + CARDS + u32::try_from(full + free).unwrap_or(0);
    record.expect_told(Role::Shoe, told);
    let drawn: Vec<String> = record.draws().into_iter().map(|(card, _)| card).collect();
    let dealt: Vec<String> = (0..CARDS).map(|n| card(n % 52)).collect();
    assert_eq!(drawn, dealt);
    let shoe = &rig.snapshot().devices[0];
    assert!(shoe.full.is_none() && shoe.poor.is_none(), "{shoe:?}");
}

fn card(index: u32) -> String {
    sabot_law::table::Card::from_index(index as u8).map(|card| card.to_string()).unwrap_or_default()
}

pub(crate) fn all() -> Vec<Scenario> {
    scenarios! {
        a_shoe_whose_ring_is_full_lights_its_lamp_and_every_card_it_took_is_recorded_once_and_in_order [Need::LongRing]
    }
}
