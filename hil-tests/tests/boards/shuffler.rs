//! The shuffler's box: contacts, pulses, decks.

use std::time::Duration;

use sabot_hil_tests::board::pin;
use sabot_wire::message::{Observation, Role, ShufflerSaw};

use crate::desk::{Desk, board};

/// Edges of port B that no interrupt has taken yet.
const PORT_B_EDGES: u32 = 0x4000_5414;

#[test]
#[ignore = "wants QEMU and the images"]
fn a_shuffle_is_counted_pulse_by_pulse_and_the_contacts_are_told() {
    let board = board(Role::Shuffler, "MX-0001");
    let [door, ready, fault, counter] = [0, 1, 2, 3].map(|number| pin('B', number));
    board.set(ready, true);
    for decks in [4, 5, 6] {
        board.set(pin('B', decks), true); // 7 + 1 decks
    }
    let mut desk = Desk::open(&board);
    desk.online();
    desk.expect_nothing(Duration::from_millis(300));
    board.set(door, true);
    desk.expect([Observation::Shuffler(ShufflerSaw::DoorOpen)]);
    board.set(door, false);
    desk.expect([Observation::Shuffler(ShufflerSaw::DoorClosed)]);
    board.set(ready, false);
    board.wait_ms(200);
    for _ in 0..416 {
        board.set(counter, true);
        board.set(counter, false);
        // machines count a card every few milliseconds; the test goes on when the interrupt has taken the last
        while board.read(PORT_B_EDGES) != 0 {}
    }
    board.set(ready, true);
    desk.expect([Observation::Shuffler(ShufflerSaw::Done { decks: 8, cards: 416 })]);
    board.set(fault, true);
    desk.expect([Observation::Shuffler(ShufflerSaw::Jam)]);
}
