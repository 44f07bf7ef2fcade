//! The host that runs the board, by ARM's semihosting: its command line, its files, its output, and the end.

use alloc::string::String;
use alloc::vec;
use core::ffi::CStr;

use cortex_m_semihosting::{nr, syscall};

/// Of a command line, bytes.
const LONGEST: usize = 4096;
/// What a host gives where it could not do what it was asked.
const FAILED: usize = usize::MAX;

/// The command line: the program's name, then what it was given, with spaces between. `None` when the host has none, or
/// it is over 4 KiB or no UTF-8.
#[must_use]
pub fn command_line() -> Option<String> {
    let mut text = vec![0_u8; LONGEST];
    let block = [text.as_mut_ptr() as usize, text.len()];
    // SAFETY: the block holds a buffer and its length, as the call wants them; the host writes no further
    let told = unsafe { cortex_m_semihosting::syscall(nr::GET_CMDLINE, &block) };
    let text = CStr::from_bytes_until_nul(&text).ok()?;
    (told == 0).then(|| text.to_str().ok().map(String::from)).flatten()
}

/// A file of the host, open for reading.
#[derive(Debug)]
pub struct File(usize);

impl File {
    /// Opens a file by its name on the host; `None` when that cannot be.
    #[must_use]
    pub fn open(path: &str) -> Option<Self> {
        let mut name = String::from(path);
        name.push('\0');
        // SAFETY: the name ends in a zero, its length is told without it, and the host only reads it
        let handle = unsafe { syscall!(OPEN, name.as_ptr(), nr::open::R_BINARY, path.len()) };
        (handle != FAILED).then_some(Self(handle))
    }

    /// Reads what comes next, at most as much as there is room for: empty at the end, `None` when it cannot be read.
    pub fn read<'a>(&mut self, room: &'a mut [u8]) -> Option<&'a [u8]> {
        // SAFETY: the host writes into the room, no further than its length
        let lacking = unsafe { syscall!(READ, self.0, room.as_mut_ptr(), room.len()) };
        // it tells how much of the room it left empty
        room.get(..room.len().checked_sub(lacking)?)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // SAFETY: the handle is this file's, which nothing uses afterwards
        let _ = unsafe { syscall!(CLOSE, self.0) };
    }
}

/// Ends the program with an exit status.
pub fn exit(status: u8) -> ! {
    const EXIT_EXTENDED: usize = 0x20;
    const APPLICATION_EXIT: usize = 0x20026;
    loop {
        // SAFETY: the block holds a reason and a status, as the call wants them
        unsafe { cortex_m_semihosting::syscall(EXIT_EXTENDED, &[APPLICATION_EXIT, usize::from(status)]) };
    }
}
