//! How much of their stacks the images use.

use sabot_wire::message::Role;

use crate::desk::{Desk, board};

/// Bytes that must be left.
const SPARE: u32 = 256;
const STACK: u32 = 0x1600;

#[test]
#[ignore = "wants QEMU and the images"]
fn every_image_in_session_has_stack_to_spare() {
    for role in [Role::Shoe, Role::Shuffler, Role::Chips, Role::Keypad] {
        let board = board(role, "ANY");
        Desk::open(&board).online();
        let used = board.stack(STACK);
        println!("stack of the {role}: {used} of {STACK} bytes");
        assert!(used + SPARE <= STACK, "the {role} uses {used} of {STACK} bytes of stack");
    }
}
