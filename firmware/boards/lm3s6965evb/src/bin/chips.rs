//! The chip reader: host on UART0, an ISO 15693 module on UART1, a multiplexer with one antenna a betting spot.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use lm3s6965::{Interrupt, interrupt};
use sabot_firmware::chips::{ChipReader, SETTLE_MS, Spot};
use sabot_firmware::module::{Module, Multiplexer};
use sabot_firmware::sabot_wire::message::{BetSpot, Role};
use sabot_lm3s6965evb::gpio::{Pin, Port};
use sabot_lm3s6965evb::kept::{self, SPOTS};
use sabot_lm3s6965evb::uart::Parity;
use sabot_lm3s6965evb::{Board, uart, unmask};

uart!(HOST: UART0, Uart0, 256, 128);
uart!(MODULE: UART1, Uart1, 64, 16);

/// The block of a chip that tells its value.
const VALUE_BLOCK: u8 = 4;

/// Where each antenna lies: four spots a box.
fn spots() -> [Spot; SPOTS] {
    const OF_A_BOX: [BetSpot; 4] = [BetSpot::Main, BetSpot::Double, BetSpot::Split, BetSpot::Insurance];
    core::array::from_fn(|at| Spot { box_no: (at / 4 + 1) as u8, hand: 0, spot: OF_A_BOX[at % 4] })
}

#[entry]
fn main() -> ! {
    let board = Board::start(Role::Chips);
    let multiplexer = Multiplexer([0, 1, 2, 3, 4].map(|number| Pin::new(Port::B, number).output()));
    let mut module = Module::new(MODULE.open(38_400, Parity::Even), multiplexer, SPOTS, VALUE_BLOCK);
    let line = HOST.open(115_200, Parity::None);
    let session = board.session(Role::Chips);
    let mut reader = ChipReader::new(&mut module, spots(), SETTLE_MS, kept::reported(), line, session);
    unmask(Interrupt::UART0);
    unmask(Interrupt::UART1);
    board.run(&mut reader, |reader, now_ms| {
        reader.poll(now_ms);
        kept::keep_reported(reader.reported());
        reader.link_mut()
    })
}
