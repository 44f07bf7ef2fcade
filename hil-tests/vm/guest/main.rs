//! Runs inside the virtual machine of `tests/usb.rs`, as root and on a kernel of its own: USB devices that the kernel
//! plays (gadgets on `dummy_hcd`), and the station's drivers at the other end of the emulated cable.
//!
//! `usb-guest list` prints the scenarios' names. `usb-guest serve TTY` reads `run NAME` from a port, a line each, and
//! answers `NAME ok: …` or `NAME failed: why`. The others are helpers that a scenario runs as another process.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a scenario that cannot go on fails")]

#[cfg(target_os = "linux")]
mod away;
#[cfg(target_os = "linux")]
mod rig;
#[cfg(target_os = "linux")]
mod serial;
#[cfg(target_os = "linux")]
mod serve;
#[cfg(target_os = "linux")]
mod tower;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match *words.as_slice() {
        ["list"] => serve::list(),
        ["serve", tty] => serve::serve(tty),
        ["tower"] => away::tower(),
        ["port", path] => away::port(path),
        _ => {
            eprintln!("usb-guest list | serve TTY | tower | port PATH");
            std::process::ExitCode::from(2)
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn main() {}
