//! How much of their stacks the images use.

use sabot_wire::message::Role;

use crate::desk::{Desk, board};

/// Bytes that must be left.
const SPARE: u32 = 256;

#[test]
#[ignore = "wants QEMU and the images"]
fn every_image_in_session_has_stack_to_spare() {
    for (role, stack) in
        [(Role::Shoe, 5632), (Role::Shuffler, 5632), (Role::Chips, 6400), (Role::Keypad, 5632), (Role::Display, 5376)]
    {
        let board = board(role, "ANY");
        Desk::open(&board).online();
        let used = board.stack(stack);
        println!("stack of the {role}: {used} of {stack} bytes");
        assert!(used + SPARE <= stack, "the {role} uses {used} of {stack} bytes of stack");
    }
}
