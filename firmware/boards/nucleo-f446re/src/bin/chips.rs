//! The chip reader: host on USART2, an ISO 15693 module on USART1, a multiplexer with one antenna a betting spot.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use sabot_board::chips::{SPOTS, VALUE_BLOCK, spots};
use sabot_board::retained;
use sabot_board::uart::Uart;
use sabot_board::{RingMemory, ring, uart, unmask};
use sabot_firmware::chips::{ChipReader, SETTLE_MS};
use sabot_firmware::reader_module::{Multiplexer, ReaderModule};
use sabot_firmware::sabot_wire::message::Role;
use sabot_nucleo_f446re::{Board, HostLine, Sensor, SensorLine, start};
use stm32f4xx_hal::gpio::{ErasedPin, Output};
use stm32f4xx_hal::pac::{Interrupt, interrupt};
use stm32f4xx_hal::prelude::*;
use stm32f4xx_hal::rcc::Rcc;
use stm32f4xx_hal::serial::config::Config;

uart!(HOST: USART2, HostLine, 128, 128);
ring!(EVENTS of Chips);
uart!(MODULE: USART1, SensorLine, 64, 16);

type Antennas = ReaderModule<Uart<SensorLine, 64, 16>, ErasedPin<Output>, 5>;

// these and not `main`, whose stack lasts: what is needed to put a device together is not needed to run it
#[inline(never)]
fn module(sensor: Sensor, clocks: &mut Rcc, multiplexer: [ErasedPin<Output>; 5]) -> Antennas {
    // the part counts the parity bit among a word's
    let line = sensor.open(Config::default().baudrate(38_400.bps()).wordlength_9().parity_even(), clocks);
    ReaderModule::new(MODULE.open(line), Multiplexer(multiplexer), SPOTS, VALUE_BLOCK)
}

#[inline(never)]
fn reader<'a>(
    board: &mut Board,
    host: HostLine,
    module: &'a mut Antennas,
) -> ChipReader<&'a mut Antennas, Uart<HostLine, 128, 128>, RingMemory, SPOTS> {
    let session = board.session(Role::Chips, &EVENTS);
    ChipReader::new(module, spots(), SETTLE_MS, retained::reported(), HOST.open(host), session)
}

#[entry]
fn main() -> ! {
    let (mut board, mut io) = start(Role::Chips);
    let multiplexer = [
        io.pc0.into_push_pull_output().erase(),
        io.pc1.into_push_pull_output().erase(),
        io.pc2.into_push_pull_output().erase(),
        io.pc3.into_push_pull_output().erase(),
        io.pc4.into_push_pull_output().erase(),
    ];
    let mut module = module(io.sensor, &mut io.clocks, multiplexer);
    let mut reader = reader(&mut board, io.host, &mut module);
    unmask(Interrupt::USART2);
    unmask(Interrupt::USART1);
    board.run(&mut reader, |reader, now_ms| {
        reader.poll(now_ms);
        retained::keep_reported(reader.reported());
        &mut reader.link
    })
}
