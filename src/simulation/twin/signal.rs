//! Simulated signals: a PATLITE tower on a TCP port, a pole display on a pseudo-terminal. Each is the model of its
//! device's side of the protocol; here are its line and its levers.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sabot_drivers::signal::model::pole::PoleModel;
use sabot_drivers::signal::model::tower::TowerModel;
use sabot_drivers::signal::pole::Protocol;
use sabot_drivers::transport::{Faults, Faulty};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::time::{interval, sleep};

use super::pty::Pty;
use crate::levers::{self, LineLever, TwinLever};

/// A display's port is looked at so often.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// Bytes that a display's noisy line holds: more than one reading of its port.
const LINE: usize = 1 << 16;

/// Somebody sets a tower by hand: red, amber, green, blue, white, buzzer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetLamps(pub [u8; 6]);

/// What is done to a simulated signal.
pub type Lever = TwinLever<SetLamps>;

type Entry = levers::Lever<Lever>;

const ALL: &[Entry] = &[
    Entry::MUTE,
    Entry::SPEAK,
    Entry::RESTART,
    Entry::UNPLUG,
    Entry::PLUG,
    Entry::SLOW,
    Entry::NOISE_SEED,
    Entry::QUIET,
    Entry { usage: "set R A G B W BUZZER", does: "somebody else sets it (0 to 4 each)", read: set },
];

/// The levers of a tower that listens.
pub const TOWER_LEVERS: &[Entry] = ALL;
/// Those of a display.
pub const POLE_LEVERS: &[Entry] = ALL.split_at(8).0;
/// Those of a tower on USB, whose line the kernel keeps.
pub const LR6_LEVERS: &[Entry] = ALL.split_at(5).0;

fn set(lamps: &str) -> Option<Lever> {
    let lamp = |word: &str| word.parse().ok().filter(|lamp| *lamp <= 4);
    let lamps: Option<Vec<u8>> = lamps.split_whitespace().map(lamp).collect();
    Some(TwinLever::Device(SetLamps(lamps?.try_into().ok()?)))
}

/// Why a simulated signal could not be had.
#[derive(Debug, thiserror::Error)]
pub enum SignalTwinError {
    /// Nothing can listen there.
    #[error("nothing can listen at {address}: {source}; name another address with --listen")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// The port could not be made, or went away.
    #[error("no pseudo-terminal at {}: {source}; remove what is there or name another place", path.display())]
    Pty {
        /// Where its link was to be.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// How the levers of the line stand.
#[derive(Debug, Default)]
struct Standing {
    mute: bool,
    slow: Duration,
    faults: Faults,
    seed: u64,
}

impl Standing {
    /// Takes a lever; true where the line must be opened anew, because its faults are others.
    fn pull(&mut self, lever: LineLever) -> bool {
        match lever {
            LineLever::Mute(mute) => self.mute = mute,
            LineLever::Slow(pause) => self.slow = pause,
            LineLever::Noise(faults, seed) => {
                (self.faults, self.seed) = (faults, seed.unwrap_or(0));
                return true;
            }
            // no message of a signal has a number by which a second one would be known
            LineLever::Duplicate(_) | LineLever::Restart | LineLever::Unplug | LineLever::Plug => {}
        }
        false
    }
}

/// A tower that listens: one connection at a time, the newest.
#[derive(Debug)]
pub struct TowerTwin {
    address: SocketAddr,
    listener: Option<TcpListener>,
    tower: TowerModel,
    standing: Standing,
}

impl TowerTwin {
    /// A dark tower at an address; `long` for the models that answer with more than their state.
    ///
    /// # Errors
    /// When nothing can listen there.
    pub async fn listen(address: SocketAddr, long: bool) -> Result<Self, SignalTwinError> {
        let failed = |source| SignalTwinError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self { address, listener: Some(listener), tower: TowerModel::new(long), standing: Standing::default() })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until the levers' other end is gone. What somebody before it sees is told to `seen`.
    ///
    /// # Errors
    /// When its port cannot be had again after its cable was put back.
    pub async fn run(
        mut self,
        mut levers: mpsc::Receiver<Lever>,
        seen: watch::Sender<String>,
    ) -> Result<(), SignalTwinError> {
        let mut host: Option<Faulty<TcpStream>> = None;
        let mut bytes = [0; 256];
        loop {
            let now = self.tower.to_string();
            seen.send_if_modified(|before| std::mem::replace(before, now.clone()) != now);
            tokio::select! {
                lever = levers.recv() => match lever {
                    Some(lever) => self.pull(lever, &mut host).await?,
                    None => return Ok(()),
                },
                stream = accept(self.listener.as_ref()) => {
                    host = stream.map(|stream| Faulty::new(stream, self.standing.faults, self.standing.seed));
                    self.tower.connected();
                }
                read = read(host.as_mut(), &mut bytes) => match read {
                    Some(count) => {
                        let answer = self.tower.receive(bytes.get(..count).unwrap_or_default());
                        sleep(self.standing.slow).await;
                        if !self.standing.mute && let Some(to) = &mut host && to.write_all(&answer).await.is_err() {
                            host = None;
                        }
                    }
                    None => host = None,
                },
            }
        }
    }

    async fn pull(&mut self, lever: Lever, host: &mut Option<Faulty<TcpStream>>) -> Result<(), SignalTwinError> {
        match lever {
            Lever::Line(LineLever::Restart) => {
                self.tower = TowerModel::new(self.tower.long);
                *host = None;
            }
            Lever::Line(LineLever::Unplug) => (self.listener, *host) = (None, None),
            Lever::Line(LineLever::Plug) => {
                if self.listener.is_none() {
                    self.listener = Self::listen(self.address, false).await?.listener;
                }
            }
            Lever::Line(lever) => {
                if self.standing.pull(lever) {
                    *host = None;
                }
            }
            Lever::Device(SetLamps(lamps)) => self.tower.set(lamps),
        }
        Ok(())
    }
}

async fn accept(listener: Option<&TcpListener>) -> Option<TcpStream> {
    match listener {
        // a connection that has gone before it was taken is none
        Some(listener) => listener.accept().await.ok().map(|(stream, _)| stream),
        None => std::future::pending().await,
    }
}

/// Bytes that came; `None` at the end of the line.
async fn read(host: Option<&mut Faulty<TcpStream>>, bytes: &mut [u8]) -> Option<usize> {
    match host {
        Some(host) => host.read(bytes).await.ok().filter(|count| *count > 0),
        None => std::future::pending().await,
    }
}

/// A display on a pseudo-terminal.
#[derive(Debug)]
pub struct PoleTwin {
    link: PathBuf,
    pty: Option<Pty>,
    protocol: Protocol,
    display: PoleModel,
    standing: Standing,
    near: DuplexStream,
    far: Faulty<DuplexStream>,
}

impl PoleTwin {
    /// A blank display; `link` becomes a symbolic link to its port.
    ///
    /// # Errors
    /// When the pseudo-terminal or the link cannot be had.
    pub fn open(protocol: Protocol, link: &Path) -> Result<Self, SignalTwinError> {
        let pty = Some(port(link)?);
        let (near, far) = line(Faults::NONE, 0);
        let (display, standing) = (PoleModel::new(protocol), Standing::default());
        Ok(Self { link: link.to_owned(), pty, protocol, display, standing, near, far })
    }

    /// Shows what comes until the levers' other end is gone. What somebody before it reads is told to `seen`.
    ///
    /// # Errors
    /// When its port cannot be read, or not be had again after its cable was put back.
    pub async fn run(
        mut self,
        mut levers: mpsc::Receiver<Lever>,
        seen: watch::Sender<String>,
    ) -> Result<(), SignalTwinError> {
        let mut look = interval(LOOK_EVERY);
        let mut bytes = [0; 1024];
        loop {
            let now = self.display.rows().map(|row| format!("|{row}|")).join("\n");
            seen.send_if_modified(|before| std::mem::replace(before, now.clone()) != now);
            tokio::select! {
                lever = levers.recv() => match lever {
                    Some(lever) => self.pull(lever)?,
                    None => return Ok(()),
                },
                _ = look.tick(), if !self.standing.mute => self.take_in().await?,
                read = self.far.read(&mut bytes) => if let Ok(count) = read {
                    self.display.receive(bytes.get(..count).unwrap_or_default());
                },
            }
        }
    }

    /// Reads the port, and puts what came on the line.
    async fn take_in(&mut self) -> Result<(), SignalTwinError> {
        let Some(pty) = &mut self.pty else { return Ok(()) };
        let mut came = Vec::new();
        let read = pty.read(|bytes| came.extend_from_slice(bytes));
        read.map_err(|source| SignalTwinError::Pty { path: self.link.clone(), source })?;
        if !came.is_empty() {
            sleep(self.standing.slow).await;
            // what a line does not hold is lost, as on a display whose own memory is full
            let held = came.get(..came.len().min(LINE / 2)).unwrap_or_default();
            let _ = self.near.write_all(held).await;
        }
        Ok(())
    }

    fn pull(&mut self, lever: Lever) -> Result<(), SignalTwinError> {
        match lever {
            Lever::Line(LineLever::Restart) => self.display = PoleModel::new(self.protocol),
            Lever::Line(LineLever::Unplug) => self.pty = None,
            Lever::Line(LineLever::Plug) => {
                if self.pty.is_none() {
                    self.pty = Some(port(&self.link)?);
                }
            }
            Lever::Line(lever) => {
                if self.standing.pull(lever) {
                    (self.near, self.far) = line(self.standing.faults, self.standing.seed);
                }
            }
            // no lamp is on it
            Lever::Device(SetLamps(_)) => {}
        }
        Ok(())
    }
}

fn port(link: &Path) -> Result<Pty, SignalTwinError> {
    Pty::open(link).map_err(|source| SignalTwinError::Pty { path: link.to_owned(), source })
}

fn line(faults: Faults, seed: u64) -> (DuplexStream, Faulty<DuplexStream>) {
    let (near, far) = tokio::io::duplex(LINE);
    (near, Faulty::new(far, faults, seed))
}

#[cfg(test)]
#[path = "signal_tests.rs"]
mod tests;
