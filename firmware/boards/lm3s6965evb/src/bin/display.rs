//! The pit display: host on UART0, the board's OLED on the SSI, three lamps, a buzzer.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use embedded_hal::digital::OutputPin;
use lm3s6965::{Interrupt, interrupt};
use sabot_board::uart::Uart;
use sabot_board::{RingMemory, ring, uart, unmask};
use sabot_firmware::display::{Display, Parts};
use sabot_firmware::oled_panel::{Memory, OledPanel};
use sabot_firmware::sabot_wire::message::Role;
use sabot_firmware::ssd0323::Ssd0323;
use sabot_lm3s6965evb::gpio::{Output, Pin, Port};
use sabot_lm3s6965evb::pl011::{Number, Parity, Pl011};
use sabot_lm3s6965evb::ssi::Ssi;
use sabot_lm3s6965evb::{Board, start};

uart!(HOST: UART0, Pl011, 256, 128);
ring!(EVENTS of Display);

/// What the OLED's controller takes at the most is 4 MHz.
const OLED_HZ: u32 = 3_500_000;

type PitDisplay = Display<OledPanel<'static, Ssi, Output>, Output, Uart<Pl011, 256, 128>, RingMemory>;

#[entry]
fn main() -> ! {
    static mut PICTURE: Memory = Memory::new();
    let mut board = start(Role::Display);
    let mut display = display(&mut board, PICTURE);
    unmask(Interrupt::UART0);
    board.run(&mut display, |display, now_ms| {
        display.poll(now_ms);
        &mut display.link
    })
}

/// The display, put together. What that needs of the stack is free again afterwards.
#[inline(never)]
fn display(board: &mut Board, picture: &'static mut Memory) -> PitDisplay {
    let Ok(()) = Pin::new(Port::D, 0).output().set_high(); // the memory card leaves the bus
    let Ok(()) = Pin::new(Port::C, 6).output().set_high(); // the OLED's 15 V
    let oled = Ssd0323::new(Ssi::open(OLED_HZ), Pin::new(Port::C, 7).output());
    let parts = Parts {
        panel: OledPanel::new(oled, picture),
        red: Pin::new(Port::B, 0).output(),
        amber: Pin::new(Port::B, 1).output(),
        green: Pin::new(Port::B, 2).output(),
        buzzer: Pin::new(Port::B, 3).output(),
    };
    Display::new(
        parts,
        HOST.open(Pl011::open(Number::Uart0, 115_200, Parity::None)),
        board.session(Role::Display, &EVENTS),
    )
}
