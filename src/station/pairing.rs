//! Giving a device of ours its key, and the station the same.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sabot_drivers::LinkConfig;
use sabot_drivers::keys::{KeyFile, KeysError, random_key};
use sabot_drivers::link::pair::{PairError, find_again, kept as asked, pair as give, pair_by_code};
use sabot_drivers::transport::{PortName, SerialPort};
use sabot_wire::message::Role;
use sabot_wire::pairing::Code;
use sabot_wire::witness::Keeps;

/// A device whose pairing was cut off is looked for so long before it is paired anew.
const FOUND_WITHIN: Duration = Duration::from_secs(4);

/// How a device comes to its key.
#[derive(Debug)]
pub enum Way {
    /// Both ends draw it, by the code on the device's housing: who taps the cable learns nothing of it.
    ByCode(Code),
    /// It goes over the cable as it is.
    InClear,
}

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
    /// No device there answers to a code.
    #[error(
        "the {role} at {}: {why}\n  = it does not answer to a code: hold its pairing switch, where it has a key; a device \
         without a code on its housing takes its key with `sabot device pair --in-clear`, where nobody can tap the cable",
        port.display()
    )]
    Silent {
        /// What it is for.
        role: Role,
        /// Where it was looked for.
        port: PathBuf,
        /// Why not.
        why: PairError,
    },
    /// No device there takes a key in the clear.
    #[error(
        "the {role} at {}: {why}\n  = a device with a code on its housing takes no key in the clear: leave --in-clear out, \
         and type the code",
        port.display()
    )]
    SilentInClear {
        /// What it is for.
        role: Role,
        /// Where it was looked for.
        port: PathBuf,
        /// Why not.
        why: PairError,
    },
    /// No port of that name is there.
    #[error(
        "the {role} at {}: {why}\n  = `sabot devices` lists the ports that are there; --port names another one, as \
         /dev/ttyUSB1 or usb:SERIAL",
        port.display()
    )]
    NoPort {
        /// What it is for.
        role: Role,
        /// Where it was looked for.
        port: PathBuf,
        /// Why not.
        why: PairError,
    },
    /// The device has its key, and the station could not drop the one before.
    #[error(
        "the {role} {serial} holds its new key, and the old one cannot be dropped: {why}\n  = mend that; until then the station takes either"
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

/// Gives the device at `port` a key, has it prove that it holds it, and puts it into the file `keys`; the device's
/// serial number. Must be called within a tokio runtime.
///
/// # Errors
/// When the device is not there within `patience`, is another, or takes no key, and when the key cannot be kept.
pub async fn pair(
    device: &LinkConfig,
    port: &Path,
    keys: &Path,
    way: Way,
    patience: Duration,
) -> Result<String, NotPaired> {
    let (role, port, file) = (device.role, port.to_path_buf(), keys.to_path_buf());
    let keys = || KeyFile::new(file.clone()).for_role(role);
    keys().can_add()?;
    // the configuration lets none pass that is too long
    let serial = device.serial.as_deref().and_then(|serial| heapless::String::try_from(serial).ok());
    let place = || SerialPort::new(&port, device.baud);
    let is_by_code = matches!(way, Way::ByCode(_));
    let not_paired = |why| {
        let port = port.clone();
        match why {
            PairError::Closed(_) | PairError::Absent(_) if is_gone(&port) => NotPaired::NoPort { role, port, why },
            PairError::Absent(_) if is_by_code => NotPaired::Silent { role, port, why },
            PairError::Absent(_) => NotPaired::SilentInClear { role, port, why },
            _ => NotPaired::Device { role, port, why },
        }
    };
    // a pairing that was cut off after the device had taken its key is ended first
    if keys().waits()? {
        let found = find_again(place(), role, serial.clone(), keys(), patience.min(FOUND_WITHIN)).await;
        match found {
            Ok(hello) => {
                keys().took_next(&hello.serial)?;
                return Ok(hello.serial.to_string());
            }
            Err(why @ PairError::Taken(_)) => return Err(NotPaired::Device { role, port, why }),
            Err(_) => {}
        }
    }
    match way {
        Way::ByCode(code) => {
            let paired = pair_by_code(place(), role, serial, code, keys(), patience).await;
            let hello = paired.map_err(not_paired)?;
            let serial = hello.serial.to_string();
            // until this is written the station knows both
            keys().took_next(&serial)?;
            Ok(serial)
        }
        Way::InClear => {
            let key = random_key()?;
            let paired = give(place(), role, serial, key.clone(), keys(), patience).await;
            if matches!(paired, Err(PairError::Refused(_) | PairError::KeepsKey(_))) && keys().waits()? {
                keys().forget_next(&key)?;
            }
            let hello = paired.map_err(not_paired)?;
            let serial = hello.serial.to_string();
            keys().took_next(&serial).map_err(|why| NotPaired::Unkept { role, serial: serial.clone(), why })?;
            Ok(serial)
        }
    }
}

/// Whether nothing of that name is attached. A name of another kind than a path is looked up by who opens it, who says
/// so.
fn is_gone(port: &Path) -> bool {
    matches!(PortName::of(port), Ok(PortName::Path(path)) if !path.exists())
}

/// The serial number of the device at `port`, and the checkpoints of records that it keeps; none where it never says.
/// Must be called within a tokio runtime.
///
/// # Errors
/// When the device is not there within `patience`, or is another.
pub async fn kept(
    device: &LinkConfig,
    port: &Path,
    keys: &Path,
    patience: Duration,
) -> Result<(String, Option<Keeps>), NotPaired> {
    let (role, place, keys) = (device.role, SerialPort::new(port, device.baud), KeyFile::new(keys.to_path_buf()));
    keys.load()?;
    let serial = device.serial.as_deref().and_then(|serial| heapless::String::try_from(serial).ok());
    let said = asked(place, role, serial, keys, patience).await;
    let (hello, kept) = said.map_err(|why| NotPaired::Device { role, port: port.to_path_buf(), why })?;
    Ok((hello.serial.to_string(), kept))
}
