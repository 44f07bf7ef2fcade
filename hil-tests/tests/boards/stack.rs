//! How much of their stacks the images use.

use std::ops::DerefMut;
use std::path::Path;

use object::{Object as _, ObjectSymbol as _};
use sabot_hil_tests::board::image;
use sabot_hil_tests::pins::BoardPins;
use sabot_wire::message::Role;

use crate::host::{Host, board};
use crate::nucleo::{self, Nucleo};

/// Bytes that must be left.
const SPARE: u32 = 256;

/// What an image reserves, as its layout says (`firmware/boards/common/image.x`).
fn reserved(image: &Path) -> u32 {
    let bytes = std::fs::read(image).unwrap();
    let elf = object::File::parse(&*bytes).unwrap();
    let address = |name: &str| elf.symbol_by_name(name).map(|symbol| symbol.address()).expect(name);
    u32::try_from(address("_stack_start") - address("_stack_end")).unwrap()
}

pub(crate) fn expect_spare(image: &Path, mut pins: impl DerefMut<Target = BoardPins>) {
    let stack = reserved(image);
    let used = pins.stack(stack);
    let name = image.file_name().unwrap().display();
    println!("stack of {name}: {used} of {stack} bytes");
    assert!(used + SPARE <= stack, "{name} uses {used} of {stack} bytes of stack");
}

#[test]
#[ignore = "wants QEMU and the images"]
fn every_image_in_session_has_stack_to_spare() {
    for role in Role::ALL {
        let board = board(role, "ANY");
        Host::open(&board).online();
        expect_spare(&image(role), board.pins());
        let mut board = Nucleo::start(role);
        Host::at(role, board.port.clone()).online();
        expect_spare(&nucleo::image(role), &mut board.pins);
    }
}
