//! Serial number and key, in two pages of flash. One of them holds them, and is erased only once the other does, so
//! that a power cut in between loses nothing.

use sabot_firmware::provision::{PAGE_BYTES, Page};

use crate::Hardware;

fn bytes(page: usize) -> [u8; PAGE_BYTES] {
    core::array::from_fn(|at| {
        // SAFETY: `Hardware` promises flash there, which is always there. Volatile, for it changes under commands.
        unsafe { ((page + at) as *const u8).read_volatile() }
    })
}

/// The page that holds, if one does, and its content.
fn holding<H: Hardware>() -> Option<(usize, Page)> {
    H::PAGES.into_iter().find_map(|page| Page::read(&bytes(page)).map(|content| (page, content)))
}

/// Serial number and key, where they were ever written.
pub(crate) fn read<H: Hardware>() -> Option<Page> {
    holding::<H>().map(|(_, content)| content)
}

/// Writes serial number and key; false where the flash does not take them.
pub(crate) fn write<H: Hardware>(hardware: &mut H, content: &Page) -> bool {
    let old = holding::<H>().map(|(page, _)| page);
    let [first, second] = H::PAGES;
    let new = if old == Some(first) { second } else { first };
    let content = content.write();
    cortex_m::interrupt::free(|_| {
        hardware.erase(new);
        hardware.program(new, &content);
        let sound = bytes(new) == content;
        if let Some(old) = old.filter(|_| sound) {
            hardware.erase(old);
        }
        sound
    })
}
