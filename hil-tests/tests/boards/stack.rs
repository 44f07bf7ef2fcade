//! How much of their stacks the images use.

use std::ops::DerefMut;

use sabot_hil_tests::wires::Wires;
use sabot_wire::message::Role;

use crate::desk::{Desk, board};
use crate::nucleo::{self, Nucleo};

/// Bytes that must be left.
const SPARE: u32 = 256;

/// Of the chip reader and the display; see `firmware/boards/common/image.x`.
fn reserved(role: Role) -> u32 {
    match role {
        Role::Chips => 6400,
        Role::Display => 5376,
        _ => 5632,
    }
}

fn expect_spare(image: &str, role: Role, mut wires: impl DerefMut<Target = Wires>) {
    let stack = reserved(role);
    let used = wires.stack(stack);
    println!("stack of {image}: {used} of {stack} bytes");
    assert!(used + SPARE <= stack, "{image} uses {used} of {stack} bytes of stack");
}

#[test]
#[ignore = "wants QEMU and the images"]
fn every_image_in_session_has_stack_to_spare() {
    for role in Role::ALL {
        let board = board(role, "ANY");
        Desk::open(&board).online();
        expect_spare(role.name(), role, board.wires());
    }
    for role in nucleo::IMAGES_OF {
        let mut board = Nucleo::start(role);
        Desk::at(role, board.port.clone()).online();
        expect_spare(&format!("nucleo-{role}"), role, &mut board.wires);
    }
}
