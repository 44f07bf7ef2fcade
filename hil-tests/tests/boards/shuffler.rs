//! The shuffler's box: contacts, pulses, decks.

use std::time::Duration;

use sabot_hil_tests::wires::pin;
use sabot_wire::message::{Observation, Role, ShufflerSaw};

use crate::desk::{Desk, board};

#[test]
#[ignore = "wants QEMU and the images"]
fn a_shuffle_is_counted_pulse_by_pulse_and_the_contacts_are_told() {
    let board = board(Role::Shuffler, "MX-0001");
    let [door, ready, fault, counter] = [0, 1, 2, 3].map(|number| pin('B', number));
    board.wires().set(ready, true);
    for decks in [4, 5, 6] {
        board.wires().set(pin('B', decks), true); // 7 + 1 decks
    }
    let mut desk = Desk::open(&board);
    desk.online();
    desk.expect_nothing(Duration::from_millis(300));
    board.wires().set(door, true);
    desk.expect([Observation::Shuffler(ShufflerSaw::DoorOpen)]);
    board.wires().set(door, false);
    desk.expect([Observation::Shuffler(ShufflerSaw::DoorClosed)]);
    board.wires().set(ready, false);
    board.wait_ms(200);
    for _ in 0..416 {
        board.wires().pulse(counter);
        board.wait_ms(1); // machines count a card every few milliseconds
    }
    board.wires().set(ready, true);
    desk.expect([Observation::Shuffler(ShufflerSaw::Done { decks: 8, cards: 416 })]);
    board.wires().set(fault, true);
    desk.expect([Observation::Shuffler(ShufflerSaw::Jam)]);
}
