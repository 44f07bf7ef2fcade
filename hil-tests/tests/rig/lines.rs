//! What may come to the lines and the devices on them in the middle of a pass: each board reset, the cable pulled,
//! noise, a device of an older protocol.

use std::sync::atomic::{AtomicBool, Ordering};

use sabot_drivers::transport::Faults;
use sabot_hil_tests::script::BOXES;
use sabot_hil_tests::{Bench, Need, Scenario, Setup, eventually, scenarios};
use sabot_station::snapshot::DeviceState;
use sabot_wire::message::{Choice, Role};

fn expect_one_pass_by_the_book(rig: &Bench) {
    rig.expect_no_finding();
    assert_eq!(rig.journal().draws(), rig.delivered(1));
    rig.expect_every_event_once_and_in_order();
}

fn every_device_reset_in_the_middle_of_a_pass_loses_and_doubles_nothing() {
    let rig = Bench::start();
    rig.up_to_the_delivery();
    for (card, role) in (0..).zip(Role::ALL) {
        rig.deliver(card..card + 1);
        rig.restart(role);
    }
    rig.deliver(5..8);
    rig.decide(1, Choice::Stand);
    rig.restart(Role::Keypad);
    rig.decide(2, Choice::Stand);
    rig.decide(3, Choice::Stand);
    rig.reveal_bank();
    rig.expect_no_finding_but_of_absence();
    assert_eq!(rig.journal().draws(), rig.delivered(1));
    rig.expect_every_event_once_and_in_order();
}

fn a_cable_pulled_and_put_back_costs_nothing() {
    let rig = Bench::start();
    rig.up_to_the_delivery();
    rig.deliver(0..8);
    rig.unplug(Role::Keypad);
    rig.expect_device(Role::Keypad, DeviceState::Absent);
    for box_no in BOXES {
        rig.decide(box_no, Choice::Stand); // nobody hears it yet
    }
    assert_eq!(rig.journal().events("decide").count(), 0);
    rig.plug(Role::Keypad);
    rig.expect_device(Role::Keypad, DeviceState::Online);
    rig.settle();
    assert_eq!(rig.journal().events("decide").count(), BOXES.len());
    rig.reveal_bank();
    expect_one_pass_by_the_book(&rig);
}

fn noise_on_the_line_is_counted_and_makes_no_event() {
    let rig = Bench::with(&Setup { cables: Some(Faults::NONE), ..Setup::default() });
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut byte = 0x5A_u8;
            while !over.load(Ordering::Relaxed) {
                for role in Role::ALL {
                    byte = byte.wrapping_mul(29).wrapping_add(71);
                    rig.make_noise(role, &[byte, 0, !byte, byte >> 1, 0]);
                }
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
        });
        let pass = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            rig.up_to_the_delivery();
            rig.deliver(0..8);
            for role in Role::ALL {
                assert!(rig.expect_bad_frames(role) > 0);
            }
        }));
        over.store(true, Ordering::Relaxed);
        if let Err(failure) = pass {
            std::panic::resume_unwind(failure);
        }
    });
    expect_one_pass_by_the_book(&rig);
}

fn a_device_of_an_older_protocol_is_refused_as_downgraded_and_the_pass_goes_on_with_its_own() {
    let rig = Bench::with(&Setup { cables: Some(Faults::NONE), ..Setup::default() });
    rig.up_to_the_delivery();
    rig.deliver(0..8);
    let older = rig.older_device(Role::Keypad, 1);
    rig.expect_device(Role::Keypad, DeviceState::Refused);
    rig.expect_provision("C20"); // what the rules do not provide for: the room decides
    let told = |status: &str| rig.journal().events("device").filter(|line| line["status"] == status).count();
    eventually("the record tells of it", || told("downgraded") == 1);
    drop(older);
    rig.plug(Role::Keypad);
    rig.expect_device(Role::Keypad, DeviceState::Online);
    rig.decide(1, Choice::Stand);
    assert_eq!(rig.journal().draws(), rig.delivered(1));
    rig.expect_every_event_once_and_in_order();
}

pub(crate) fn all() -> Vec<Scenario> {
    scenarios! {
        every_device_reset_in_the_middle_of_a_pass_loses_and_doubles_nothing [Need::Restarts]
        a_cable_pulled_and_put_back_costs_nothing []
        noise_on_the_line_is_counted_and_makes_no_event []
        a_device_of_an_older_protocol_is_refused_as_downgraded_and_the_pass_goes_on_with_its_own []
    }
}
