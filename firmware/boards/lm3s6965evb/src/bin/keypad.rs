//! The dealer's keypad: host on UART0, a matrix of five rows and six columns, the lamp of what is refused.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use lm3s6965::{Interrupt, interrupt};
use sabot_firmware::keypad::Keypad;
use sabot_firmware::keys::Keys;
use sabot_firmware::matrix::Matrix;
use sabot_firmware::sabot_wire::message::Role;
use sabot_lm3s6965evb::gpio::{Pin, Port};
use sabot_lm3s6965evb::uart::Parity;
use sabot_lm3s6965evb::{Board, uart, unmask};

uart!(HOST: UART0, Uart0, 256, 128);

#[entry]
fn main() -> ! {
    let board = Board::start(Role::Keypad);
    let rows = [0, 1, 2, 3, 4].map(|number| Pin::new(Port::B, number).output());
    let columns = [
        Pin::new(Port::C, 4),
        Pin::new(Port::C, 5),
        Pin::new(Port::C, 6),
        Pin::new(Port::D, 4),
        Pin::new(Port::D, 5),
        Pin::new(Port::D, 6),
    ];
    let matrix = Matrix::new(rows, columns.map(Pin::input));
    let keys = Keys::new(matrix, Pin::new(Port::F, 0).output());
    let mut keypad = Keypad::new(keys, HOST.open(115_200, Parity::None), board.session(Role::Keypad));
    unmask(Interrupt::UART0);
    board.run(&mut keypad, |keypad, now_ms| {
        keypad.poll(now_ms);
        keypad.link_mut()
    })
}
