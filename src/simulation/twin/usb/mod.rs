//! Twins on real USB: the kernel of a machine that can be a USB device (a board with a device port, or any Linux with
//! the module `dummy_hcd`, which is both ends of a cable) carries them, through its gadgets in configfs.

mod ffs;
pub mod gadget;
pub mod lr6;

use std::io;
use std::path::{Path, PathBuf};

/// Why a twin on USB could not be had.
#[derive(Debug, thiserror::Error)]
#[error("{} {what}: {source}; USB devices are simulated by a kernel with gadgets (`modprobe -a libcomposite usb_f_fs usb_f_acm`, and `dummy_hcd` where there is no device port), configfs, and root", path.display())]
pub struct UsbTwinError {
    what: &'static str,
    path: PathBuf,
    source: io::Error,
}

/// Puts the system's word into a sentence about a path.
fn at(path: &Path, what: &'static str) -> impl FnOnce(io::Error) -> UsbTwinError {
    move |source| UsbTwinError { what, path: path.to_owned(), source }
}
