//! The shoe: host on USART2, scanner head on USART1, three switches, one lamp.
#![no_std]
#![no_main]

use core::cell::RefCell;

use cortex_m_rt::entry;
use sabot_board::uart::Uart;
use sabot_board::{RingMemory, ring, uart, unmask};
use sabot_firmware::debounce::DEBOUNCE_MS;
use sabot_firmware::sabot_wire::message::Role;
use sabot_firmware::scanner_head::ScannerHead;
use sabot_firmware::shoe::{Parts, Shoe};
use sabot_nucleo_f446re::{Board, HostLine, SensorLine, start};
use stm32f4xx_hal::gpio::{ErasedPin, Input, Output};
use stm32f4xx_hal::pac::{Interrupt, interrupt};
use stm32f4xx_hal::prelude::*;
use stm32f4xx_hal::serial::config::Config;

uart!(HOST: USART2, HostLine, 256, 128);
ring!(EVENTS of Shoe);
uart!(HEAD: USART1, SensorLine, 256, 16);

type CardScanner = ScannerHead<Uart<SensorLine, 256, 16>>;
type CardShoe<'a> = Shoe<
    &'a RefCell<CardScanner>,
    &'a RefCell<CardScanner>,
    ErasedPin<Input>,
    ErasedPin<Output>,
    Uart<HostLine, 256, 128>,
    RingMemory,
>;

// here and not in `main`, whose stack lasts: what is needed to put a device together is not needed to run it
#[inline(never)]
fn shoe<'a>(
    board: &mut Board,
    host: HostLine,
    head: &'a RefCell<CardScanner>,
    [gate_open, lid_open, housing_open]: [ErasedPin<Input>; 3],
    do_not_draw: ErasedPin<Output>,
) -> CardShoe<'a> {
    let parts =
        Parts { reader: head, load: head, gate_open, lid_open, housing_open, do_not_draw, rest_ms: DEBOUNCE_MS };
    Shoe::new(parts, HOST.open(host), board.session(Role::Shoe, &EVENTS))
}

#[entry]
fn main() -> ! {
    let (mut board, mut io) = start(Role::Shoe);
    let line = io.sensor.open(Config::default().baudrate(9600.bps()), &mut io.clocks);
    let head = RefCell::new(ScannerHead::new(HEAD.open(line)));
    let switches = [
        io.pc0.into_pull_down_input().erase(),
        io.pc1.into_pull_down_input().erase(),
        io.pc2.into_pull_down_input().erase(),
    ];
    let mut shoe = shoe(&mut board, io.host, &head, switches, io.pa5.into_push_pull_output().erase());
    unmask(Interrupt::USART2);
    unmask(Interrupt::USART1);
    board.run(&mut shoe, |shoe, now_ms| {
        shoe.poll(now_ms);
        &mut shoe.link
    })
}
