//! Commands to the part's flash.

use sabot_firmware::provision::PAGE_BYTES;

use crate::reg::Reg;
use crate::system::CLOCK_HZ;

/// 1 KiB each, the last of 256 KiB; no image is that long.
pub(crate) const PAGES: [usize; 2] = [0x3_F800, 0x3_FC00];

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
    MICROSECOND.write(CLOCK_HZ / 1_000_000 - 1);
    ADDRESS.write(address as u32);
    CONTROL.write(UNLOCK | what);
    // a command that does not end leaves a page that is not sound, which whoever reads it sees
    let _ended = (0..PATIENCE).any(|_| CONTROL.read() & what == 0);
}

pub(crate) fn erase(page: usize) {
    command(page, ERASE);
}

pub(crate) fn program(page: usize, content: &[u8; PAGE_BYTES]) {
    for (at, word) in content.as_chunks::<4>().0.iter().enumerate() {
        DATA.write(u32::from_le_bytes(*word));
        command(page + 4 * at, WRITE);
    }
}
