//! The shuffler's box: contacts, pulses, decks.

use std::time::Duration;

use sabot_hil_tests::pins::pin;
use sabot_wire::message::{Observation, Role, ShufflerSaw};

use crate::host::{Host, board};

#[test]
#[ignore = "wants QEMU and the images"]
fn a_shuffle_is_counted_pulse_by_pulse_and_the_contacts_are_told() {
    let board = board(Role::Shuffler, "MX-0001");
    let [door, ready, fault, counter] = [0, 1, 2, 3].map(|number| pin('B', number));
    board.pins().set(ready, true);
    for decks in [4, 5, 6] {
        board.pins().set(pin('B', decks), true); // 7 + 1 decks
    }
    let mut host = Host::open(&board);
    host.online();
    host.expect_nothing(Duration::from_millis(300));
    board.pins().set(door, true);
    host.expect([Observation::Shuffler(ShufflerSaw::DoorOpen)]);
    board.pins().set(door, false);
    host.expect([Observation::Shuffler(ShufflerSaw::DoorClosed)]);
    board.pins().set(ready, false);
    board.wait_ms(200);
    for _ in 0..416 {
        board.pins().pulse(counter);
        board.wait_ms(1); // machines count a card every few milliseconds
    }
    board.pins().set(ready, true);
    host.expect([Observation::Shuffler(ShufflerSaw::Done { decks: 8, cards: 416 })]);
    board.pins().set(fault, true);
    host.expect([Observation::Shuffler(ShufflerSaw::Jam)]);
}
