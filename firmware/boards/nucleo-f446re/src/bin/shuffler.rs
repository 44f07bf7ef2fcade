//! The box on a shuffler: host on USART2, three contacts, the pulses of its card counter, the switch of its decks.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use sabot_board::uart::Uart;
use sabot_board::{RingMemory, ring, uart, unmask};
use sabot_firmware::debounce::DEBOUNCE_MS;
use sabot_firmware::pulse_counter::{PulseCounter, Pulses};
use sabot_firmware::sabot_wire::message::Role;
use sabot_firmware::shuffler::{Parts, Shuffler};
use sabot_nucleo_f446re::{Board, HostLine, heard, start};
use stm32f4xx_hal::gpio::{ErasedPin, Input};
use stm32f4xx_hal::pac::{Interrupt, interrupt};

uart!(HOST: USART2, HostLine, 256, 128);
ring!(EVENTS of Shuffler);

static PULSES: Pulses = Pulses::new();

/// A card has passed the counter, at PC3.
#[interrupt]
fn EXTI3() {
    heard(3);
    PULSES.count();
}

type Box = Shuffler<PulseCounter<'static, ErasedPin<Input>>, ErasedPin<Input>, Uart<HostLine, 256, 128>, RingMemory>;

// here and not in `main`, whose stack lasts: what is needed to put a device together is not needed to run it
#[inline(never)]
fn shuffler(
    board: &mut Board,
    host: HostLine,
    [door_open, ready, fault]: [ErasedPin<Input>; 3],
    decks: [ErasedPin<Input>; 3],
) -> Box {
    let parts = Parts { counter: PulseCounter::new(&PULSES, decks), door_open, ready, fault, rest_ms: DEBOUNCE_MS };
    Shuffler::new(parts, HOST.open(host), board.session(Role::Shuffler, &EVENTS))
}

#[entry]
fn main() -> ! {
    let (mut board, mut io) = start(Role::Shuffler);
    io.edges.listen(&mut io.pc3.into_pull_down_input());
    let contacts = [
        io.pc0.into_pull_down_input().erase(),
        io.pc1.into_pull_down_input().erase(),
        io.pc2.into_pull_down_input().erase(),
    ];
    let decks = [
        io.pc4.into_pull_down_input().erase(),
        io.pc5.into_pull_down_input().erase(),
        io.pc6.into_pull_down_input().erase(),
    ];
    let mut shuffler = shuffler(&mut board, io.host, contacts, decks);
    unmask(Interrupt::USART2);
    unmask(Interrupt::EXTI3);
    board.run(&mut shuffler, |shuffler, now_ms| {
        shuffler.poll(now_ms);
        &mut shuffler.link
    })
}
