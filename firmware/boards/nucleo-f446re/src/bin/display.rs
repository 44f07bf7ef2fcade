//! The pit display: host on USART2, an OLED on SPI2, three lamps, a buzzer.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use sabot_board::uart::Uart;
use sabot_board::{RingMemory, ring, uart, unmask};
use sabot_firmware::display::{Display, Parts};
use sabot_firmware::oled_panel::{Memory, OledPanel};
use sabot_firmware::sabot_wire::message::Role;
use sabot_firmware::ssd0323::Ssd0323;
use sabot_nucleo_f446re::panel::Panel;
use sabot_nucleo_f446re::{Board, HostLine, Io, start};
use stm32f4xx_hal::gpio::{ErasedPin, Output};
use stm32f4xx_hal::pac::{Interrupt, interrupt};

uart!(HOST: USART2, HostLine, 256, 128);
ring!(EVENTS of Display);

type Pin = ErasedPin<Output>;
type PitDisplay = Display<OledPanel<'static, Panel, Pin>, Pin, Uart<HostLine, 256, 128>, RingMemory>;

// here and not in `main`, whose stack lasts: what is needed to put a device together is not needed to run it
#[inline(never)]
fn display(board: &mut Board, mut io: Io, picture: &'static mut Memory) -> PitDisplay {
    io.pc4.into_push_pull_output().set_high(); // the panel's voltage
    let (panel, dc) = io.panel.open(&mut io.clocks);
    let parts = Parts {
        panel: OledPanel::new(Ssd0323::new(panel, dc), picture),
        red: io.pc0.into_push_pull_output().erase(),
        amber: io.pc1.into_push_pull_output().erase(),
        green: io.pc2.into_push_pull_output().erase(),
        buzzer: io.pc3.into_push_pull_output().erase(),
    };
    Display::new(parts, HOST.open(io.host), board.session(Role::Display, &EVENTS))
}

#[entry]
fn main() -> ! {
    static mut PICTURE: Memory = Memory::new();
    let (mut board, io) = start(Role::Display);
    let mut display = display(&mut board, io, PICTURE);
    unmask(Interrupt::USART2);
    board.run(&mut display, |display, now_ms| {
        display.poll(now_ms);
        &mut display.link
    })
}
