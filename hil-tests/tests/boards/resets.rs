//! What a board keeps through a reset, and what it says of how the last start ended.

use std::io::Write as _;

use sabot_hil_tests::board::Board;
use sabot_wire::message::{CardCode, Observation, Role, ShoeSaw};

use crate::desk::Desk;

fn drawn(card: u8) -> Observation {
    Observation::Shoe(ShoeSaw::Drawn(CardCode(card)))
}

#[test]
#[ignore = "wants QEMU and the images"]
fn a_reset_keeps_the_ring_and_counts_the_start() {
    let board = Board::start(Role::Shoe, "SH-0001", None);
    board.sensor().write_all(b"AS\r2S\r3S\r").unwrap();
    // nobody is there yet: the cards wait in the ring, through two resets
    let held = Desk::open(&board).online();
    for _ in 0..2 {
        board.reset();
    }
    let mut desk = Desk::open(&board);
    let hello = desk.online();
    assert_eq!((hello.epoch, hello.boots), (held.epoch, 3));
    desk.expect([drawn(0), drawn(1), drawn(2)]);
    board.sensor().write_all(b"4S\r").unwrap();
    desk.expect([drawn(3)]);
}
