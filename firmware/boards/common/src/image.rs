//! What runs here, by its hash.

use sabot_firmware::sabot_wire::message::Image;

unsafe extern "C" {
    static __stext: u8;
    static __etext: u8;
    static __srodata: u8;
    static __erodata: u8;
    static __sidata: u8;
    static __sdata: u8;
    static __edata: u8;
}

/// The hash of code, constants and the variables' first values, as they lie in flash now. `firmware/build` prints it of
/// each image.
pub(crate) fn image() -> Image {
    let (text, rodata) = (&raw const __stext, &raw const __srodata);
    let to = |from: *const u8, end: *const u8| end as usize - from as usize;
    let parts = [
        (text, to(text, &raw const __etext)),
        (rodata, to(rodata, &raw const __erodata)),
        (&raw const __sidata, to(&raw const __sdata, &raw const __edata)),
    ];
    // SAFETY: the linker puts the symbols round what it lays into flash, which nobody writes while an image runs.
    Image::of(parts.map(|(from, length)| unsafe { core::slice::from_raw_parts(from, length) }))
}
