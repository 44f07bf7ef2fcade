//! The devices of a table, as libraries: no_std, no allocation, over embedded-hal and embedded-io traits.
//!
//! Each device is a struct over its sensors and its UART with one method that matters, `poll(now_ms)`: it never blocks,
//! reads what came over the line, looks at the sensors, and sends. A board's main loop does nothing else; the simulator
//! runs the same libraries over a pseudo-terminal.
//!
//! | module | device | sensors and outputs |
//! |---|---|---|
//! | [`shoe`] | the shoe | card reader, load cell, gate, lid and housing switches, "do not draw" lamp |
//! | [`scanner_head`] | the shoe | its scanner head, which sends lines on a UART |
//! | [`shuffler`] | the shuffler's box | door, ready and fault contacts, card counter |
//! | [`pulse_counter`] | the shuffler | its card counter and the switch of its decks |
//! | [`chips`] | the chip reader | one antenna a betting spot, tagged cards |
//! | [`reader_module`] | the chip reader | a reader module and the multiplexer of its antennas |
//! | [`keypad`] | the dealer's keypad | entries |
//! | [`matrix`], [`keys`] | the keypad | its keys, and what they mean |
//! | [`display`] | the pit display | text panel, lamps, buzzer |
//! | [`oled_panel`], [`ssd0323`] | the pit display's panel | an OLED of 128 by 64 points on SPI |
//! | [`link`] | all of them | the UART and the session of `sabot-wire` |
//! | [`debounce`] | switches and contacts | |
//! | [`retained`] | all of them | count of starts and reasons of resets, in RAM that a reset does not clear |
//! | [`fram`] | all of them | memory on SPI that outlives the power, for the ring |
//! | [`health`] | all of them | the checks after which the watchdog may be fed |
//! | [`provision`] | all of them | serial number and key, in a page of flash |
//!
//! A sensor is only read while its observation has a place in the ring of unacknowledged events: what was read is kept
//! until the host has it on disk.
#![no_std]

pub use {embedded_graphics, embedded_hal, embedded_io, sabot_wire};

use sabot_wire::message::Role;

pub mod chips;
pub mod debounce;
pub mod display;
pub mod fram;
pub mod health;
pub mod keypad;
pub mod keys;
pub mod link;
pub mod matrix;
pub mod oled_panel;
pub mod provision;
pub mod pulse_counter;
pub mod reader_module;
pub mod retained;
pub mod scanner_head;
pub mod shoe;
pub mod shuffler;
pub mod ssd0323;

#[cfg(test)]
mod testing;

/// Bytes of RAM for the ring of a device of that role, on a board with no memory that outlives the power: some hundred
/// drawn cards.
///
/// The chip reader's has to lie beside the chips that it knows by heart, the display has nothing to say but its state.
#[must_use]
pub const fn ring_bytes(role: Role) -> usize {
    match role {
        Role::Chips => 992,
        Role::Display => 1024,
        Role::Shoe | Role::Shuffler | Role::Keypad => 1536,
    }
}

/// Bytes of memory for the ring of any device on a Nucleo, as in its twin: what its backup SRAM of 4 KiB has beside the
/// count of starts. Some 300 drawn cards.
pub const LASTING_RING: usize = 4096 - 64;

/// Version of these libraries, as the hello says it.
pub const FIRMWARE: [u8; 3] = [0, 1, 0];
