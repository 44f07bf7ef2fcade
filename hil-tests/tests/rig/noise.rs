//! Bad input on every port: the station stays up, makes no event that was not sent, loses none, and counts.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sabot_drivers::transport::Faults;
use sabot_hil_tests::script::{BOXES, DELIVERY, STAKE};
use sabot_hil_tests::{Bench, Need, Scenario, Setup, scenarios};
use sabot_wire::frame::{MAX_FRAME, encode};
use sabot_wire::message::{Card, DeviceHello, Observation, Role, ShoeSaw, ToHost};

/// No antennas see cards here: with lines so bad, a card and its place arrive too far apart to be one.
fn on_lines_with(faults: Faults, seed: u64) -> Bench {
    Bench::with(&Setup { places: false, cables: Some(faults), seed, ..Setup::default() })
}

fn expect_exact(rig: &Bench) {
    rig.expect_no_finding();
    expect_exact_record(rig);
}

fn expect_exact_record(rig: &Bench) {
    assert!(rig.station_runs());
    assert_eq!(rig.journal().draws(), rig.delivered(1));
    rig.expect_every_event_once_and_in_order();
}

fn flipped_lost_made_up_cut_doubled_and_swapped_bytes_make_no_event_and_lose_none() {
    let faults =
        Faults { flip: 3000, lose: 1000, noise: 1000, cut: 15_000, double: 40_000, swap: 15_000, ..Faults::NONE };
    for seed in [11, 12] {
        let rig = on_lines_with(faults, seed);
        rig.up_to_the_delivery();
        rig.deliver(0..8);
        rig.play_out();
        // with such lines a device may be away before it was ever there, and at the end
        rig.expect_no_finding_but_of_absence();
        expect_exact_record(&rig);
        assert!(rig.damage() > 20, "the lines were too good to prove anything: {}", rig.damage());
    }
}

fn random_bytes_on_every_port_are_counted_and_shown_and_the_pass_goes_on() {
    let rig = on_lines_with(Faults::NONE, 3);
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut random = ChaCha8Rng::seed_from_u64(0x5AB0_7001);
            while !over.load(Ordering::Relaxed) {
                for role in Role::ALL {
                    let mut bytes = vec![0; random.random_range(1..=400)];
                    random.fill(&mut bytes[..]);
                    rig.make_noise(role, &bytes);
                }
                // as fast as a table of chattering adapters, and not as fast as the processor
                thread::sleep(std::time::Duration::from_millis(5));
            }
        });
        rig.up_to_the_delivery();
        rig.deliver(0..8);
        rig.play_out();
        for role in Role::ALL {
            assert!(rig.expect_bad_frames(role) > 0);
        }
        over.store(true, Ordering::Relaxed);
    });
    expect_exact(&rig);
}

fn sound_frames_that_no_device_sent_now_make_no_event() {
    let rig = on_lines_with(Faults::NONE, 4);
    rig.up_to_the_delivery();
    let drawn = |seq| ToHost::Event { seq, at_ms: 1, saw: Observation::Shoe(ShoeSaw::Drawn(Card::from_code(0))) };
    for card in 0..DELIVERY.len() {
        // old events, and events from a future that does not come; of another device's kind, too
        for seq in [0, 1, 500, u32::MAX] {
            send(&rig, Role::Shoe, &drawn(seq));
            send(&rig, Role::Keypad, &drawn(seq));
        }
        send(&rig, Role::Shoe, &ToHost::Pong(7));
        rig.deliver(card..card + 1);
    }
    rig.play_out();
    expect_exact(&rig);
}

fn a_hello_of_another_role_on_the_line_does_not_end_the_station() {
    let rig = on_lines_with(Faults::NONE, 5);
    rig.open_the_shoe();
    let stranger = DeviceHello {
        protocol: 1,
        role: Role::Keypad,
        serial: heapless::String::try_from("STRANGER").unwrap(),
        firmware: [9, 9, 9],
        schema: sabot_wire::SCHEMA,
        boots: 1,
        epoch: 1,
        oldest: 1,
    };
    send(&rig, Role::Shoe, &ToHost::Hello(stranger));
    rig.seat_and_bet(&BOXES, STAKE);
    rig.close_bets();
    rig.deliver(0..8);
    rig.play_out();
    expect_exact(&rig);
}

fn send(rig: &Bench, role: Role, message: &ToHost) {
    let mut frame = [0; MAX_FRAME];
    rig.make_noise(role, encode(message, &mut frame).unwrap());
}

pub(crate) fn all() -> Vec<Scenario> {
    scenarios! {
        flipped_lost_made_up_cut_doubled_and_swapped_bytes_make_no_event_and_lose_none [Need::Places]
        random_bytes_on_every_port_are_counted_and_shown_and_the_pass_goes_on [Need::Places]
        sound_frames_that_no_device_sent_now_make_no_event [Need::Places]
        a_hello_of_another_role_on_the_line_does_not_end_the_station [Need::Places]
    }
}
