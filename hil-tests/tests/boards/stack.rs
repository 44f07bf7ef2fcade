//! How much of their stacks the images use.

use sabot_wire::message::Role;

use crate::desk::{Desk, board};

/// Bytes that must be left.
const SPARE: u32 = 256;

/// Bytes there are, as the board's `memory.x` gives them.
const fn stack(role: Role) -> u32 {
    if matches!(role, Role::Display) { 4864 } else { 5632 }
}

#[test]
#[ignore = "wants QEMU and the images"]
fn every_image_in_session_has_stack_to_spare() {
    for role in Role::ALL {
        let stack = stack(role);
        let board = board(role, "ANY");
        Desk::open(&board).online();
        let used = board.stack(stack);
        println!("stack of the {role}: {used} of {stack} bytes");
        assert!(used + SPARE <= stack, "the {role} uses {used} of {stack} bytes of stack");
    }
}
