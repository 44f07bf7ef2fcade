//! The box on a shuffler: host on UART0, three contacts, the pulses of its card counter, the switch of its decks.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use lm3s6965::{Interrupt, interrupt};
use sabot_board::uart::Uart;
use sabot_board::{RingMemory, ring, uart, unmask};
use sabot_firmware::debounce::DEBOUNCE_MS;
use sabot_firmware::pulse_counter::{PulseCounter, Pulses};
use sabot_firmware::sabot_wire::message::Role;
use sabot_firmware::shuffler::{Parts, Shuffler};
use sabot_lm3s6965evb::gpio::{Input, Pin, Port, heard};
use sabot_lm3s6965evb::pl011::{Number, Parity, Pl011};
use sabot_lm3s6965evb::{Board, start};

uart!(HOST: UART0, Pl011, 256, 128);
ring!(EVENTS of Shuffler);

static PULSES: Pulses = Pulses::new();
const COUNTER: Pin = Pin::new(Port::B, 3);

/// A card has passed the counter.
#[interrupt]
fn GPIOB() {
    heard(COUNTER);
    PULSES.count();
}

// here and not in `main`, whose stack lasts: what is needed to put a device together is not needed to run it
#[inline(never)]
fn shuffler(board: &mut Board) -> Shuffler<PulseCounter<'static, Input>, Input, Uart<Pl011, 256, 128>, RingMemory> {
    let input = |number| Pin::new(Port::B, number).input();
    COUNTER.input().listen();
    let parts = Parts {
        counter: PulseCounter::new(&PULSES, [input(4), input(5), input(6)]),
        door_open: input(0),
        ready: input(1),
        fault: input(2),
        rest_ms: DEBOUNCE_MS,
    };
    Shuffler::new(
        parts,
        HOST.open(Pl011::open(Number::Uart0, 115_200, Parity::None)),
        board.session(Role::Shuffler, &EVENTS),
    )
}

#[entry]
fn main() -> ! {
    let mut board = start(Role::Shuffler);
    let mut shuffler = shuffler(&mut board);
    unmask(Interrupt::UART0);
    unmask(Interrupt::GPIOB);
    board.run(&mut shuffler, |shuffler, now_ms| {
        shuffler.poll(now_ms);
        &mut shuffler.link
    })
}
