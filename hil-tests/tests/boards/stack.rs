//! How much of their stacks the images use.

use std::ops::DerefMut;
use std::path::Path;

use sabot_hil_tests::board::{address_of, image};
use sabot_hil_tests::wires::Wires;
use sabot_wire::message::Role;

use crate::desk::{Desk, board};
use crate::nucleo::{self, Nucleo};

/// Bytes that must be left.
const SPARE: u32 = 256;

/// What an image reserves, as its layout says (`firmware/boards/common/image.x`).
fn reserved(image: &Path) -> u32 {
    address_of(image, "_stack_start") - address_of(image, "_stack_end")
}

fn expect_spare(image: &Path, mut wires: impl DerefMut<Target = Wires>) {
    let stack = reserved(image);
    let used = wires.stack(stack);
    let name = image.file_name().unwrap().display();
    println!("stack of {name}: {used} of {stack} bytes");
    assert!(used + SPARE <= stack, "{name} uses {used} of {stack} bytes of stack");
}

#[test]
#[ignore = "wants QEMU and the images"]
fn every_image_in_session_has_stack_to_spare() {
    for role in Role::ALL {
        let board = board(role, "ANY");
        Desk::open(&board).online();
        expect_spare(&image(role), board.wires());
        let mut board = Nucleo::start(role);
        Desk::at(role, board.port.clone()).online();
        expect_spare(&nucleo::image(role), &mut board.wires);
    }
}
