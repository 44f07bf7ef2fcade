//! The devices' sides of the signals' protocols, written from their facts: what a simulator runs, and what the drivers
//! are tested against. Bytes in, bytes out.

pub mod lr6;
pub mod pole;
pub mod tower;

use std::fmt;

/// What is lit or sounds: "red, green pattern 2, buzzer", or "dark".
fn lit(f: &mut fmt::Formatter<'_>, names: &[&str], values: &[u8]) -> fmt::Result {
    let mut comma = "";
    for (name, value) in names.iter().zip(values) {
        match value {
            0 => continue,
            1 => write!(f, "{comma}{name}")?,
            pattern => write!(f, "{comma}{name} pattern {pattern}")?,
        }
        comma = ", ";
    }
    if comma.is_empty() { f.write_str("dark") } else { Ok(()) }
}
