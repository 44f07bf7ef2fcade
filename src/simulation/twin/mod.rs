//! The devices' twins: the firmware libraries over pseudo-terminals or in memory, their sensors moved by the simulator.
//!
//! Nothing of a device is written twice: what a twin sends was decided by the same code that runs on a board. The
//! simulator only moves sensors ([`Twins::saw`]) and pulls levers: the cable, the power.

mod commands;
mod port;
mod powered_device;
pub mod pty;
mod sensors;
pub mod signal;
mod status;
mod thread;
mod uart;
#[cfg(target_os = "linux")]
pub mod usb;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sabot_drivers::transport::{MemoryPort, memory};
use sabot_wire::message::{ChipsSaw, DeviceState, Key, Observation, Role};
use sabot_wire::pairing::Code;

pub use commands::{Action, BadLine, LEVERS, run_commands};
use port::Socket;
pub use powered_device::serial;
use sabot_drivers::keys::{DEFAULT_KEYS, KeyFile, KeysError, random_key};
use status::TwinStatus;
pub use status::{RingLost, Screen};
use thread::{Command, Levers};

/// Why a twin could not be started or went away.
#[derive(Debug, thiserror::Error)]
pub enum TwinError {
    /// The link to the pseudo-terminal could not be made.
    #[error("the {role} twin cannot make the link {}: {source}; remove what is there or name another place", path.display())]
    Link {
        /// Whose.
        role: Role,
        /// Where.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The thread could not be started.
    #[error("no thread for the {role} twin: {source}")]
    Thread {
        /// Whose.
        role: Role,
        /// What the system said.
        source: std::io::Error,
    },
    /// A sensor no twin of that role has.
    #[error("the {role} has no sensor that sees this: {why}")]
    NoSensor {
        /// Whose.
        role: Role,
        /// What it has instead.
        why: &'static str,
    },
    /// The keys cannot be read or written.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// The commands could not be read.
    #[error("the commands for the {role} twin cannot be read: {source}")]
    Commands {
        /// Whose.
        role: Role,
        /// What the system said.
        source: std::io::Error,
    },
}

/// One device's twin, running in its own thread until it is dropped.
#[derive(Debug)]
pub struct Twin {
    role: Role,
    levers: Levers,
    thread: Mutex<Option<std::thread::JoinHandle<()>>>,
    status: Arc<TwinStatus>,
}

impl Twin {
    /// Starts a twin with a key, or one that is still to be paired, and makes `link`, a symbolic link to its port.
    ///
    /// # Errors
    /// When the pseudo-terminal, the link or the thread cannot be had.
    pub fn start(role: Role, link: &Path, key: Option<Key>) -> Result<Self, TwinError> {
        Self::start_on(role, Socket::Link(link.to_owned()), key, None, Arc::default())
    }

    /// The same, of a device with this code on its housing: it is paired by it, and takes no key in the clear.
    ///
    /// # Errors
    /// As [`Twin::start`].
    pub fn start_with_code(role: Role, link: &Path, key: Option<Key>, code: Code) -> Result<Self, TwinError> {
        Self::start_on(role, Socket::Link(link.to_owned()), key, Some(code), Arc::default())
    }

    /// The same, at a place in memory, which a station of this process can open.
    ///
    /// # Errors
    /// When the thread cannot be had.
    pub fn in_memory(role: Role, key: Option<Key>) -> Result<(Self, MemoryPort), TwinError> {
        let (place, socket) = memory();
        Ok((Self::start_on(role, Socket::Memory(socket), key, None, Arc::default())?, place))
    }

    fn start_on(
        role: Role,
        socket: Socket,
        key: Option<Key>,
        code: Option<Code>,
        status: Arc<TwinStatus>,
    ) -> Result<Self, TwinError> {
        let (levers, thread) = thread::spawn(role, socket, (key, code), Arc::clone(&status))?;
        Ok(Self { role, levers, thread: Mutex::new(Some(thread)), status })
    }

    /// What the device is.
    #[must_use]
    pub const fn role(&self) -> Role {
        self.role
    }

    /// The sensors see this, after everything they were told to see before. Returns at once.
    ///
    /// # Errors
    /// When a device of this role has no sensor for it.
    pub fn saw(&self, saw: Observation) -> Result<(), TwinError> {
        has_sensor(self.role, &saw).map_err(|why| TwinError::NoSensor { role: self.role, why })?;
        self.status.queued(self.role);
        self.levers.pull(Command::Saw(Box::new(saw)));
        Ok(())
    }

    /// Pulls the cable: the link and the port go.
    pub fn unplug(&self) {
        self.levers.pull(Command::Unplug);
    }

    /// Plugs the cable in: the link leads to a new port.
    pub fn plug(&self) {
        self.levers.pull(Command::Plug);
    }

    /// Takes the power away and gives it back: memory is lost but for the ring of unacknowledged events.
    pub fn restart(&self) {
        self.levers.pull(Command::Restart);
    }

    /// The same of a board whose memory goes with the power: the ring and the count of starts are lost, and what a chip
    /// reader told of its spots. The key stays.
    pub fn restart_without_memory(&self) {
        self.levers.pull(Command::LoseMemory);
    }

    /// Takes the power away and gives it back to a board with a ring of so many bytes, and an empty one. A twin has as
    /// many as a Nucleo where nobody says otherwise.
    pub fn restart_with_ring(&self, bytes: usize) {
        self.levers.pull(Command::HasRing(bytes));
    }

    /// Waits until a ring has gone with the power that was not taken here before, at most so long; what it was.
    #[must_use]
    pub fn take_lost_ring(&self, timeout: Duration) -> Option<RingLost> {
        self.status.take_lost(self.role, timeout)
    }

    /// Holds the pairing switch until the next restart: the twin takes another key than it has.
    pub fn allow_pairing(&self) {
        self.levers.pull(Command::AllowPairing);
    }

    /// Ends it, for good: afterwards port and link are gone.
    pub fn stop(&self) {
        self.levers.pull(Command::Stop);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }

    /// Whether everything the sensors saw has been acknowledged.
    #[must_use]
    pub fn idle(&self) -> bool {
        self.status.idle()
    }

    /// What its sensors were told to see and the host has not acknowledged.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.status.pending()
    }

    /// Waits until [`Twin::idle`], at most so long; gives whether it is.
    #[must_use]
    pub fn wait_idle(&self, timeout: Duration) -> bool {
        self.status.wait_idle(timeout)
    }

    /// Waits until the shoe's lamp "do not draw" is lit, or is not, at most so long; gives whether that is so. It is
    /// lit while the ring has no room for one more event.
    #[must_use]
    pub fn wait_do_not_draw(&self, timeout: Duration, lit: bool) -> bool {
        self.status.wait_do_not_draw(timeout, lit)
    }

    /// Waits until no more than `count` things that its sensors saw wait for the host, at most so long; gives whether
    /// that is so.
    #[must_use]
    pub fn wait_pending(&self, count: usize, timeout: Duration) -> bool {
        self.status.wait_pending(count, timeout)
    }

    /// What a display shows now; the next change is waited for with [`Twin::wait_screen`].
    #[must_use]
    pub fn screen(&self) -> Screen {
        self.status.screen()
    }

    /// Waits until the display shows what `wanted` accepts, at most so long.
    #[must_use]
    pub fn wait_screen(&self, timeout: Duration, wanted: impl FnMut(&Screen) -> bool) -> Option<Screen> {
        self.status.wait_screen(timeout, wanted)
    }
}

impl Drop for Twin {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The twins of a whole table.
#[derive(Debug)]
pub struct Twins {
    twins: Vec<Twin>,
    status: Arc<TwinStatus>,
    /// Held by who tells them what they see.
    telling: Mutex<()>,
}

impl Twins {
    /// Starts a twin of every role and makes `dir/shoe`, `dir/shuffler`, `dir/chips`, `dir/keypad` and `dir/display`:
    /// symbolic links to their ports. Their keys are in `dir/keys.toml`.
    ///
    /// # Errors
    /// When `dir` cannot be made, or a twin not started.
    pub fn start(dir: &Path) -> Result<Self, TwinError> {
        let status = Arc::new(TwinStatus::default());
        let start = |role: Role| {
            let path = dir.join(role.name());
            std::fs::create_dir_all(dir).map_err(|source| TwinError::Link { role, path: path.clone(), source })?;
            let key = paired_key(role, &dir.join(DEFAULT_KEYS))?;
            Twin::start_on(role, Socket::Link(path), Some(key), None, Arc::clone(&status))
        };
        let twins = Role::ALL.into_iter().map(start).collect::<Result<_, _>>()?;
        Ok(Self { twins, status, telling: Mutex::new(()) })
    }

    fn twin(&self, role: Role) -> Option<&Twin> {
        self.twins.iter().find(|twin| twin.role == role)
    }

    /// The sensors of the right device see this, in the order in which they are told. Returns at once. What a device
    /// says of itself is seen by the shoe, but for its ring: that is no sensor, and is not seen.
    pub fn saw(&self, saw: Observation) {
        self.saw_together([saw]);
    }

    /// The same of several things, with nothing that anybody else tells between them.
    pub fn saw_together(&self, seen: impl IntoIterator<Item = Observation>) {
        let _alone = self.telling.lock().unwrap_or_else(PoisonError::into_inner);
        for saw in seen {
            let role = role_of(&saw);
            if let Some(Err(error)) = self.twin(role).map(|twin| twin.saw(saw)) {
                tracing::warn!(%error, "a twin was told to see what it cannot");
            }
        }
    }

    /// Waits until everything every sensor saw has been acknowledged, at most so long; gives whether it has.
    #[must_use]
    pub fn wait_idle(&self, timeout: Duration) -> bool {
        self.status.wait_idle(timeout)
    }

    /// Waits until the display shows what `wanted` accepts, at most so long.
    #[must_use]
    pub fn wait_screen(&self, timeout: Duration, wanted: impl FnMut(&Screen) -> bool) -> Option<Screen> {
        self.status.wait_screen(timeout, wanted)
    }

    /// Pulls a device's cable: its link and port go. What is seen meanwhile is kept in its ring.
    pub fn unplug(&self, role: Role) {
        self.twin(role).into_iter().for_each(Twin::unplug);
    }
}

/// The key of a role's twin among a station's keys; a new one is put there where it has none.
///
/// # Errors
/// When the keys cannot be read or written.
pub fn paired_key(role: Role, keys: &Path) -> Result<Key, KeysError> {
    let (file, serial) = (KeyFile::new(keys.to_path_buf()), powered_device::serial(role));
    if let Some(key) = file.load()?.remove(serial) {
        return Ok(key);
    }
    let key = random_key()?;
    file.add(serial, &key)?;
    Ok(key)
}

/// The device whose sensors see it.
#[must_use]
pub const fn role_of(saw: &Observation) -> Role {
    match saw {
        Observation::Shoe(_) | Observation::Device(_) => Role::Shoe,
        Observation::Shuffler(_) => Role::Shuffler,
        Observation::Chips(_) => Role::Chips,
        Observation::Keypad(_) => Role::Keypad,
    }
}

/// Whether a device of this role has a sensor for this; why not, where it has none.
fn has_sensor(role: Role, saw: &Observation) -> Result<(), &'static str> {
    match (role, saw) {
        (_, Observation::Device(DeviceState::RingFull | DeviceState::RingFree)) => {
            Err("the state of the ring follows from what the host acknowledges")
        }
        (Role::Shoe, Observation::Shoe(_) | Observation::Device(_))
        | (Role::Shuffler, Observation::Shuffler(_))
        | (Role::Keypad, Observation::Keypad(_)) => Ok(()),
        (Role::Chips, Observation::Chips(ChipsSaw::Spot { box_no, hand, spot, .. })) => {
            let there = sensors::spot_index(*box_no, *hand, *spot).is_some();
            if there { Ok(()) } else { Err("its antennas lie under boxes 1 to 7, hands 0 to 7") }
        }
        (Role::Chips, Observation::Chips(_)) => Ok(()),
        (Role::Shoe, _) => Err("it sees Shoe and Device observations"),
        (Role::Shuffler, _) => Err("it sees Shuffler observations"),
        (Role::Chips, _) => Err("it sees Chips observations"),
        (Role::Keypad, _) => Err("it sees Keypad observations"),
        (Role::Display, _) => Err("it only shows"),
    }
}

#[cfg(test)]
mod tests;
