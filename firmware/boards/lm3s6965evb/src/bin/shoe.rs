//! The shoe: host on UART0, scanner head on UART1, three switches, one lamp.
#![no_std]
#![no_main]

use core::cell::RefCell;

use cortex_m_rt::entry;
use lm3s6965::{Interrupt, interrupt};
use sabot_board::uart::Uart;
use sabot_board::{RingMemory, ring, uart, unmask};
use sabot_firmware::debounce::DEBOUNCE_MS;
use sabot_firmware::sabot_wire::message::Role;
use sabot_firmware::scanner_head::ScannerHead;
use sabot_firmware::shoe::{Parts, Shoe};
use sabot_lm3s6965evb::gpio::{Input, Output, Pin, Port};
use sabot_lm3s6965evb::pl011::{Number, Parity, Pl011};
use sabot_lm3s6965evb::{Board, start};

uart!(HOST: UART0, Pl011, 256, 128);
ring!(EVENTS of Shoe);
uart!(HEAD: UART1, Pl011, 256, 16);

type CardScanner = ScannerHead<Uart<Pl011, 256, 16>>;

// here and not in `main`, whose stack lasts: what is needed to put a device together is not needed to run it
#[inline(never)]
fn shoe<'a>(
    board: &mut Board,
    head: &'a RefCell<CardScanner>,
) -> Shoe<&'a RefCell<CardScanner>, &'a RefCell<CardScanner>, Input, Output, Uart<Pl011, 256, 128>, RingMemory> {
    let parts = Parts {
        reader: head,
        load: head,
        gate_open: Pin::new(Port::B, 0).input(),
        lid_open: Pin::new(Port::B, 1).input(),
        housing_open: Pin::new(Port::B, 2).input(),
        do_not_draw: Pin::new(Port::F, 0).output(),
        rest_ms: DEBOUNCE_MS,
    };
    Shoe::new(parts, HOST.open(Pl011::open(Number::Uart0, 115_200, Parity::None)), board.session(Role::Shoe, &EVENTS))
}

#[entry]
fn main() -> ! {
    let mut board = start(Role::Shoe);
    let head = RefCell::new(ScannerHead::new(HEAD.open(Pl011::open(Number::Uart1, 9600, Parity::None))));
    let mut shoe = shoe(&mut board, &head);
    unmask(Interrupt::UART0);
    unmask(Interrupt::UART1);
    board.run(&mut shoe, |shoe, now_ms| {
        shoe.poll(now_ms);
        &mut shoe.link
    })
}
