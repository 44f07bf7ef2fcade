//! Giving a device its key, and asking one what it keeps.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sabot_wire::host::{Expect, Host, Keyring};
use sabot_wire::message::{DeviceHello, Key, Role};
use sabot_wire::pairing::Code;
use sabot_wire::witness::Keeps;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, timeout_at};

use super::{Distrust, LinkReport, entropy, spawn_machine};
use crate::keys::KeyFile;
use crate::transport::{Connect, OpenError};

/// Reports that may wait.
const REPORTS: usize = 8;

/// Why a device is not in session after its pairing.
#[derive(Debug, thiserror::Error)]
pub enum PairError {
    /// It did not come, or does not answer.
    #[error("{0}")]
    Absent(String),
    /// Its port was never opened: nothing was asked.
    #[error("{0}")]
    Closed(String),
    /// It is another than the one to be paired, or says what no device may.
    #[error("{0}")]
    Refused(String),
    /// It keeps the key it has, or is another than the one to be paired.
    #[error("{0}; a device that has a key takes another one only while its pairing switch is held")]
    KeepsKey(String),
    /// It was told before to take a key, and has shown that it does not hold it.
    #[error("{0}")]
    NotTaken(String),
    /// It has no key, and took none: one that is paired by the code on its housing takes none in clear.
    #[error("{0}")]
    Keyless(String),
    /// It has taken its new key, which is the one that is kept of it now, and is refused for something else.
    #[error("{0}; it has taken its new key, and this station knows it by that: it need not be paired again")]
    Taken(String),
    /// The system gives no random numbers.
    #[error("{0}")]
    Random(String),
}

impl PairError {
    /// Of a device that is given a key and keeps the one that it has.
    fn of_pairing(self) -> Self {
        match self {
            Self::NotTaken(why) => Self::KeepsKey(why),
            Self::Keyless(why) => Self::Absent(why),
            other => other,
        }
    }
}

/// A place that notes whether it was ever opened.
struct Noted<C> {
    place: C,
    opened: Arc<AtomicBool>,
}

impl<C: Connect> Connect for Noted<C> {
    type Stream = C::Stream;

    async fn connect(&mut self) -> Result<Self::Stream, OpenError> {
        let stream = self.place.connect().await?;
        self.opened.store(true, Ordering::SeqCst);
        Ok(stream)
    }

    fn place(&self) -> String {
        self.place.place()
    }
}

/// Gives the device at `place` a key that both ends draw, by the code on its housing, within `patience`. Who taps the
/// cable learns nothing of it, and who stands in between must know the code. `keys` keeps the key beside the one that
/// is there before the device takes it, and instead of it once the device has proved that it holds it: whatever is lost
/// on the way, the station knows whichever key the device has. What the device had seen for the holder of its last key
/// is gone.
///
/// Must be called within a tokio runtime.
///
/// # Errors
/// When no device with this role and serial number is there in time, or it does not take the key.
pub async fn pair_by_code<C: Connect>(
    place: C,
    role: Role,
    serial: Option<heapless::String<16>>,
    code: Code,
    keys: KeyFile,
    patience: Duration,
) -> Result<DeviceHello, PairError> {
    let secret = entropy().map_err(PairError::Random)?;
    let (keys, took) = Noting::of(keys);
    let host = Host::new(Expect { role, serial }, keys, &entropy().map_err(PairError::Random)?, None);
    paired(place, role, host.pairing_by_code(code, secret), patience, &took).await.map_err(PairError::of_pairing)
}

/// Finds the device at `place` in session by a key that `keys` holds for it, within `patience`: its pairing was cut off
/// after it had taken the key, and is over with this.
///
/// Must be called within a tokio runtime.
///
/// # Errors
/// When no device with this role and serial number is there in time, it holds no such key, which is forgotten then, or
/// it holds it and is refused for something else.
pub async fn find_again<C: Connect>(
    place: C,
    role: Role,
    serial: Option<heapless::String<16>>,
    keys: KeyFile,
    patience: Duration,
) -> Result<DeviceHello, PairError> {
    let (keys, asked) = (Arc::new(keys), Arc::new(Mutex::new(None)));
    let (only, took) = Noting::of(OnlyNext { keys: Arc::clone(&keys), asked: Arc::clone(&asked) });
    let host = Host::new(Expect { role, serial }, only, &entropy().map_err(PairError::Random)?, None);
    let found = paired(place, role, host, patience, &took).await;
    let asked = asked.lock().unwrap_or_else(PoisonError::into_inner).take();
    // a key that may be the device's is kept: it is forgotten where the device has answered with another, or has none
    if let (Err(PairError::NotTaken(_) | PairError::Keyless(_)), Some(key)) = (&found, asked) {
        keys.forget_next(&key).map_err(|why| PairError::Refused(why.to_string()))?;
    }
    found
}

/// A keyring that notes whether the device has taken its new key.
#[derive(Debug)]
struct Noting<K> {
    keys: K,
    took: Arc<AtomicBool>,
}

impl<K> Noting<K> {
    fn of(keys: K) -> (Self, Arc<AtomicBool>) {
        let took = Arc::new(AtomicBool::new(false));
        (Self { keys, took: Arc::clone(&took) }, took)
    }
}

impl<K: Keyring> Keyring for Noting<K> {
    fn key(&self, serial: &str) -> Option<Key> {
        self.keys.key(serial)
    }

    fn next(&self, serial: &str) -> Option<Key> {
        self.keys.next(serial)
    }

    fn took_next(&self, serial: &str) {
        self.keys.took_next(serial);
        self.took.store(true, Ordering::SeqCst);
    }

    fn held_by(&self, serial: &str, role: Role) -> Option<Role> {
        self.keys.held_by(serial, role)
    }

    fn met(&self, serial: &str, role: Role) -> Option<Role> {
        self.keys.met(serial, role)
    }

    fn keeps(&self, serial: &str, key: &Key) -> bool {
        self.keys.keeps(serial, key)
    }
}

/// Those keys that devices were told to take, and were not heard to have taken.
#[derive(Debug)]
struct OnlyNext {
    keys: Arc<KeyFile>,
    /// The one that the device there is asked for.
    asked: Arc<Mutex<Option<Key>>>,
}

impl Keyring for OnlyNext {
    fn key(&self, serial: &str) -> Option<Key> {
        self.next(serial)
    }

    fn next(&self, serial: &str) -> Option<Key> {
        let next = Keyring::next(&*self.keys, serial);
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&next);
        next
    }

    fn took_next(&self, serial: &str) {
        Keyring::took_next(&*self.keys, serial);
    }
}

/// Gives the device at `place` the key and proves that it holds it, within `patience`. The key goes over the cable as
/// it is: only on a cable that nobody can tap. Events that the device holds stay with it. `keys` keeps the key before
/// the device hears it, and instead of the one it has once it has proved that it holds it.
///
/// Must be called within a tokio runtime.
///
/// # Errors
/// When no device with this role and serial number is there in time, or it does not take the key.
pub async fn pair<C: Connect>(
    place: C,
    role: Role,
    serial: Option<heapless::String<16>>,
    key: Key,
    keys: impl Keyring + Send + 'static,
    patience: Duration,
) -> Result<DeviceHello, PairError> {
    let entropy = entropy().map_err(PairError::Random)?;
    let (keys, took) = Noting::of(keys);
    let host = Host::new(Expect { role, serial }, keys, &entropy, None).pairing(key);
    paired(place, role, host, patience, &took).await.map_err(PairError::of_pairing)
}

async fn paired<C: Connect, K: Keyring + Send + 'static>(
    place: C,
    role: Role,
    host: Host<K>,
    patience: Duration,
    took: &AtomicBool,
) -> Result<DeviceHello, PairError> {
    let (sender, mut reports) = mpsc::channel(REPORTS);
    let (_stop, stopped) = watch::channel(false);
    let opened = Arc::new(AtomicBool::new(false));
    let place = Noted { place, opened: Arc::clone(&opened) };
    let _link = spawn_machine(place, role, host, sender, stopped);
    let until = Instant::now() + patience;
    let mut why = "no answer".to_owned();
    loop {
        match timeout_at(until, reports.recv()).await {
            Ok(Some((_, LinkReport::Online { hello, .. }))) => return Ok(hello),
            Ok(Some((_, LinkReport::Refused { why, .. }))) if took.load(Ordering::SeqCst) => {
                return Err(PairError::Taken(why));
            }
            Ok(Some((_, LinkReport::Refused { why, distrust: Some(Distrust::Swapped) }))) => {
                return Err(PairError::NotTaken(why));
            }
            Ok(Some((_, LinkReport::Refused { why, distrust: Some(Distrust::Unpaired) }))) => {
                return Err(PairError::Keyless(why));
            }
            Ok(Some((_, LinkReport::Refused { why, .. }))) => return Err(PairError::Refused(why)),
            Ok(Some((_, LinkReport::Absent(reason)))) => why = reason,
            Ok(Some(_)) => {}
            Ok(None) | Err(_) if opened.load(Ordering::SeqCst) => return Err(PairError::Absent(why)),
            Ok(None) | Err(_) => return Err(PairError::Closed(why)),
        }
    }
}

/// The device at `place`, in session by a key that `keys` holds for it, and the checkpoints of records that it keeps;
/// nothing where it has not said within `patience`, as one does not that keeps none ever. Its events stay with it.
///
/// Must be called within a tokio runtime.
///
/// # Errors
/// When no device with this role and serial number is there in time, or it holds no such key.
pub async fn kept<C: Connect>(
    place: C,
    role: Role,
    serial: Option<heapless::String<16>>,
    keys: KeyFile,
    patience: Duration,
) -> Result<(DeviceHello, Option<Keeps>), PairError> {
    let host = Host::new(Expect { role, serial }, keys, &entropy().map_err(PairError::Random)?, None);
    let (sender, mut reports) = mpsc::channel(REPORTS);
    let (_stop, stopped) = watch::channel(false);
    let link = spawn_machine(place, role, host, sender, stopped);
    let until = Instant::now() + patience;
    let (mut there, mut why) = (None, "no answer".to_owned());
    loop {
        match (timeout_at(until, reports.recv()).await, there.clone()) {
            (Ok(Some((_, LinkReport::Online { hello, .. }))), _) => {
                there = Some(hello);
                link.witness(None);
            }
            (Ok(Some((_, LinkReport::Keeps(kept)))), Some(hello)) => return Ok((hello, Some(kept))),
            (Ok(Some((_, LinkReport::Refused { why, .. }))), _) => return Err(PairError::Refused(why)),
            (Ok(Some((_, LinkReport::Absent(reason)))), _) => why = reason,
            (Ok(Some(_)), _) => {}
            (Ok(None) | Err(_), Some(hello)) => return Ok((hello, None)),
            (Ok(None) | Err(_), None) => return Err(PairError::Absent(why)),
        }
    }
}
