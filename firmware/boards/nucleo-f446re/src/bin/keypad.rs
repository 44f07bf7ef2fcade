//! The dealer's keypad: host on USART2, a matrix of five rows and six columns, the lamp of what is refused.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use sabot_board::uart::Uart;
use sabot_board::{RingMemory, ring, uart, unmask};
use sabot_firmware::keypad::Keypad;
use sabot_firmware::keys::Keys;
use sabot_firmware::matrix::Matrix;
use sabot_firmware::sabot_wire::message::Role;
use sabot_nucleo_f446re::{Board, HostLine, start};
use stm32f4xx_hal::gpio::{ErasedPin, Input, Output};
use stm32f4xx_hal::pac::{Interrupt, interrupt};

uart!(HOST: USART2, HostLine, 256, 128);
ring!(EVENTS of Keypad);

type DealersKeys = Keys<ErasedPin<Output>, ErasedPin<Input>, ErasedPin<Output>>;

// here and not in `main`, whose stack lasts: what is needed to put a device together is not needed to run it
#[inline(never)]
fn keypad(
    board: &mut Board,
    host: HostLine,
    rows: [ErasedPin<Output>; 5],
    columns: [ErasedPin<Input>; 6],
    refused: ErasedPin<Output>,
) -> Keypad<DealersKeys, Uart<HostLine, 256, 128>, RingMemory> {
    let keys = Keys::new(Matrix::new(rows, columns), refused);
    Keypad::new(keys, HOST.open(host), board.session(Role::Keypad, &EVENTS))
}

#[entry]
fn main() -> ! {
    let (mut board, io) = start(Role::Keypad);
    let rows = [
        io.pc0.into_push_pull_output().erase(),
        io.pc1.into_push_pull_output().erase(),
        io.pc2.into_push_pull_output().erase(),
        io.pc3.into_push_pull_output().erase(),
        io.pc4.into_push_pull_output().erase(),
    ];
    let columns = [
        io.pc5.into_pull_down_input().erase(),
        io.pc6.into_pull_down_input().erase(),
        io.pc7.into_pull_down_input().erase(),
        io.pc8.into_pull_down_input().erase(),
        io.pc9.into_pull_down_input().erase(),
        io.pc10.into_pull_down_input().erase(),
    ];
    let mut keypad = keypad(&mut board, io.host, rows, columns, io.pa5.into_push_pull_output().erase());
    unmask(Interrupt::USART2);
    board.run(&mut keypad, |keypad, now_ms| {
        keypad.poll(now_ms);
        &mut keypad.link
    })
}
