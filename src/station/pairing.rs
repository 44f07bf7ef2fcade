//! Giving a device of ours its key, and the station the same.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sabot_drivers::LinkConfig;
use sabot_drivers::keys::{KeyFile, KeysError, random_key};
use sabot_drivers::link::pair::{PairError, pair as give};
use sabot_drivers::transport::SerialPort;
use sabot_wire::message::Role;

/// Why a device was not paired.
#[derive(Debug, thiserror::Error)]
pub enum NotPaired {
    /// The station's keys cannot be used.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// The device is not there, or takes no key.
    #[error("the {role} at {}: {why}", port.display())]
    Device {
        /// What it is for.
        role: Role,
        /// Where it was looked for.
        port: PathBuf,
        /// Why not.
        why: PairError,
    },
    /// The device has its key, and the station could not keep it.
    #[error(
        "the {role} {serial} holds its new key, and the station does not: {why}\n  = mend that, and pair it anew with its pairing switch held"
    )]
    Unkept {
        /// What it is for.
        role: Role,
        /// Which device.
        serial: String,
        /// Why not.
        why: KeysError,
    },
}

/// Draws a key, gives it to the device at `port`, has it prove that it holds it, and puts it into the file `keys`.
/// Gives the device's serial number. Must be called within a tokio runtime.
///
/// # Errors
/// When the device is not there within `patience`, is another, or takes no key, and when the key cannot be kept.
pub async fn pair(device: &LinkConfig, port: &Path, keys: &Path, patience: Duration) -> Result<String, NotPaired> {
    let (role, keys) = (device.role, KeyFile::new(keys.to_path_buf()));
    keys.can_add()?;
    let key = random_key()?;
    // the configuration lets none pass that is too long
    let serial = device.serial.as_deref().and_then(|serial| heapless::String::try_from(serial).ok());
    let paired = give(SerialPort::new(port, device.baud), role, serial, key.clone(), patience).await;
    let hello = paired.map_err(|why| NotPaired::Device { role, port: port.to_path_buf(), why })?;
    let serial = hello.serial.to_string();
    keys.add(&serial, &key).map_err(|why| NotPaired::Unkept { role, serial: serial.clone(), why })?;
    Ok(serial)
}
