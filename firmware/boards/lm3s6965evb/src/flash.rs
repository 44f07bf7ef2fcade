//! The last two pages of flash: serial number and key. One of them holds them, and is erased only once the other does, so
//! that a power cut in between loses nothing.

use sabot_firmware::provision::{PAGE_BYTES, Page};

use crate::reg::Reg;
use crate::system::CLOCK_HZ;

/// 1 KiB each, the last of 256 KiB; no image is that long.
const PAGES: [usize; 2] = [0x3_F800, 0x3_FC00];

const ADDRESS: Reg = Reg::at(0x400F_D000);
const DATA: Reg = Reg::at(0x400F_D004);
const CONTROL: Reg = Reg::at(0x400F_D008);
const MICROSECOND: Reg = Reg::at(0x400F_E140);
const UNLOCK: u32 = 0xA442 << 16;
const WRITE: u32 = 1;
const ERASE: u32 = 1 << 1;
/// Reads of the control register in which a page is erased: that takes 20 ms.
const PATIENCE: u32 = 5_000_000;

fn command(address: usize, what: u32) {
    ADDRESS.write(address as u32);
    CONTROL.write(UNLOCK | what);
    // a command that does not end leaves a page that is not sound, which whoever reads it sees
    let _ended = (0..PATIENCE).any(|_| CONTROL.read() & what == 0);
}

fn bytes(page: usize) -> [u8; PAGE_BYTES] {
    core::array::from_fn(|at| {
        // SAFETY: both pages are in the part's flash, which is always there. Volatile, for it changes under commands.
        unsafe { ((page + at) as *const u8).read_volatile() }
    })
}

/// The page that holds, if one does, and its content.
fn holding() -> Option<(usize, Page)> {
    PAGES.into_iter().find_map(|page| Page::read(&bytes(page)).map(|content| (page, content)))
}

/// Serial number and key, where they were ever written.
pub(crate) fn read() -> Option<Page> {
    holding().map(|(_, content)| content)
}

/// Writes serial number and key; false where the flash does not take them.
pub(crate) fn write(content: &Page) -> bool {
    let old = holding().map(|(page, _)| page);
    let [first, second] = PAGES;
    let new = if old == Some(first) { second } else { first };
    cortex_m::interrupt::free(|_| {
        MICROSECOND.write(CLOCK_HZ / 1_000_000 - 1);
        command(new, ERASE);
        let written = content.write();
        for (at, word) in written.as_chunks::<4>().0.iter().enumerate() {
            DATA.write(u32::from_le_bytes(*word));
            command(new + 4 * at, WRITE);
        }
        let sound = bytes(new) == written;
        if let Some(old) = old.filter(|_| sound) {
            command(old, ERASE);
        }
        sound
    })
}
