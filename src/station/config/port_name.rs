//! How a table's file names a serial port: a path beside the file, or `usb:` and a USB serial number.

use std::path::{Path, PathBuf};

use sabot_drivers::transport::PortName;
use toml::Spanned;

use super::key_examples::{TABLE, example};
use super::mistake::Fault;

/// The port by the name drivers take; a path that is not absolute begins at `folder`.
pub(super) fn name(port: &Path, folder: &Path) -> PathBuf {
    match PortName::of(port) {
        Ok(PortName::Path(path)) => folder.join(path),
        _ => port.to_path_buf(),
    }
}

/// [`name`] of what stands in a file.
///
/// # Errors
/// When it is empty, or `usb:` and no serial number.
pub(super) fn named(port: &Spanned<PathBuf>, folder: &Path) -> Result<PathBuf, Fault> {
    if port.get_ref().as_os_str().is_empty() {
        return Err(Fault::at(port.span(), "the port has no name", example(TABLE, "port")));
    }
    if let Err(bad) = PortName::of(port.get_ref()) {
        return Err(Fault::at(port.span(), bad.to_string(), "write for example `port = \"usb:A10KZ4QP\"`"));
    }
    Ok(name(port.get_ref(), folder))
}
