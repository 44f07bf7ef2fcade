//! The chip reader: host on UART0, an ISO 15693 module on UART1, a multiplexer with one antenna a betting spot.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use lm3s6965::{Interrupt, interrupt};
use sabot_firmware::chips::{ChipReader, SETTLE_MS, Spot};
use sabot_firmware::module::{Module, Multiplexer};
use sabot_firmware::sabot_wire::message::{BetSpot, Role};
use sabot_lm3s6965evb::gpio::{Output, Pin, Port};
use sabot_lm3s6965evb::kept::{self, SPOTS};
use sabot_lm3s6965evb::uart::{Parity, Uart};
use sabot_lm3s6965evb::{Board, RingMemory, ring, uart, unmask};

uart!(HOST: UART0, Uart0, 128, 128);
ring!(EVENTS, 1024);
uart!(MODULE: UART1, Uart1, 64, 16);

/// The block of a chip that tells its value.
const VALUE_BLOCK: u8 = 4;

/// Where each antenna lies: four spots a box.
fn spots() -> [Spot; SPOTS] {
    const OF_A_BOX: [BetSpot; 4] = [BetSpot::Main, BetSpot::Double, BetSpot::Split, BetSpot::Insurance];
    core::array::from_fn(|at| Spot { box_no: (at / 4 + 1) as u8, hand: 0, spot: OF_A_BOX[at % 4] })
}

type Antennas = Module<Uart<64, 16>, Output, 5>;

// these and not `main`, whose stack lasts: what is needed to put a device together is not needed to run it
#[inline(never)]
fn module() -> Antennas {
    let multiplexer = Multiplexer([0, 1, 2, 3, 4].map(|number| Pin::new(Port::B, number).output()));
    Module::new(MODULE.open(38_400, Parity::Even), multiplexer, SPOTS, VALUE_BLOCK)
}

#[inline(never)]
fn reader<'a>(
    board: &mut Board,
    module: &'a mut Antennas,
) -> ChipReader<&'a mut Antennas, Uart<128, 128>, RingMemory<1024>, SPOTS> {
    let line = HOST.open(115_200, Parity::None);
    ChipReader::new(module, spots(), SETTLE_MS, kept::reported(), line, board.session(Role::Chips, &EVENTS))
}

#[entry]
fn main() -> ! {
    let mut board = Board::start(Role::Chips);
    let mut module = module();
    let mut reader = reader(&mut board, &mut module);
    unmask(Interrupt::UART0);
    unmask(Interrupt::UART1);
    board.run(&mut reader, |reader, now_ms| {
        reader.poll(now_ms);
        kept::keep_reported(reader.reported());
        reader.link_mut()
    })
}
