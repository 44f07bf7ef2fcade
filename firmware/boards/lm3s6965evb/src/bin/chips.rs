//! The chip reader: host on UART0, an ISO 15693 module on UART1, a multiplexer with one antenna a betting spot.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use lm3s6965::{Interrupt, interrupt};
use sabot_board::chips::{SPOTS, VALUE_BLOCK, spots};
use sabot_board::retained;
use sabot_board::uart::Uart;
use sabot_board::{RingMemory, ring, uart, unmask};
use sabot_firmware::chips::{ChipReader, SETTLE_MS};
use sabot_firmware::reader_module::{Multiplexer, ReaderModule};
use sabot_firmware::sabot_wire::message::Role;
use sabot_lm3s6965evb::gpio::{Output, Pin, Port};
use sabot_lm3s6965evb::pl011::{Number, Parity, Pl011};
use sabot_lm3s6965evb::{Board, start};

uart!(HOST: UART0, Pl011, 128, 128);
ring!(EVENTS of Chips);
uart!(MODULE: UART1, Pl011, 64, 16);

type Antennas = ReaderModule<Uart<Pl011, 64, 16>, Output, 5>;

// these and not `main`, whose stack lasts: what is needed to put a device together is not needed to run it
#[inline(never)]
fn module() -> Antennas {
    let multiplexer = Multiplexer([0, 1, 2, 3, 4].map(|number| Pin::new(Port::B, number).output()));
    ReaderModule::new(MODULE.open(Pl011::open(Number::Uart1, 38_400, Parity::Even)), multiplexer, SPOTS, VALUE_BLOCK)
}

#[inline(never)]
fn reader<'a>(
    board: &mut Board,
    module: &'a mut Antennas,
) -> ChipReader<&'a mut Antennas, Uart<Pl011, 128, 128>, RingMemory, SPOTS> {
    let line = HOST.open(Pl011::open(Number::Uart0, 115_200, Parity::None));
    ChipReader::new(module, spots(), SETTLE_MS, retained::reported(), line, board.session(Role::Chips, &EVENTS))
}

#[entry]
fn main() -> ! {
    let mut board = start(Role::Chips);
    let mut module = module();
    let mut reader = reader(&mut board, &mut module);
    unmask(Interrupt::UART0);
    unmask(Interrupt::UART1);
    board.run(&mut reader, |reader, now_ms| {
        reader.poll(now_ms);
        retained::keep_reported(reader.reported());
        &mut reader.link
    })
}
