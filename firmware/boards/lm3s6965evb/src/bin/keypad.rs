//! The dealer's keypad: host on UART0, a matrix of five rows and six columns, the lamp of what is refused.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use lm3s6965::{Interrupt, interrupt};
use sabot_board::uart::Uart;
use sabot_board::{RingMemory, ring, uart, unmask};
use sabot_firmware::keypad::Keypad;
use sabot_firmware::keys::Keys;
use sabot_firmware::matrix::Matrix;
use sabot_firmware::sabot_wire::message::Role;
use sabot_lm3s6965evb::gpio::{Input, Output, Pin, Port};
use sabot_lm3s6965evb::pl011::{Number, Parity, Pl011};
use sabot_lm3s6965evb::{Board, start};

uart!(HOST: UART0, Pl011, 256, 128);
ring!(EVENTS of Keypad);

// here and not in `main`, whose stack lasts: what is needed to put a device together is not needed to run it
#[inline(never)]
fn keypad(board: &mut Board) -> Keypad<Keys<Output, Input, Output>, Uart<Pl011, 256, 128>, RingMemory> {
    let rows = [0, 1, 2, 3, 4].map(|number| Pin::new(Port::B, number).output());
    let columns = [(Port::C, 4), (Port::C, 5), (Port::C, 6), (Port::D, 4), (Port::D, 5), (Port::D, 6)];
    let matrix = Matrix::new(rows, columns.map(|(port, number)| Pin::new(port, number).input()));
    let keys = Keys::new(matrix, Pin::new(Port::F, 0).output());
    Keypad::new(
        keys,
        HOST.open(Pl011::open(Number::Uart0, 115_200, Parity::None)),
        board.session(Role::Keypad, &EVENTS),
    )
}

#[entry]
fn main() -> ! {
    let mut board = start(Role::Keypad);
    let mut keypad = keypad(&mut board);
    unmask(Interrupt::UART0);
    board.run(&mut keypad, |keypad, now_ms| {
        keypad.poll(now_ms);
        &mut keypad.link
    })
}
