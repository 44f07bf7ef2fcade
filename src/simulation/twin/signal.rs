//! Simulated signals: a PATLITE tower on a TCP port, a pole display on a pseudo-terminal. Each is the model of its
//! device's side of the protocol; here are its line and its levers.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
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

/// What a noisy line does to what passes.
const NOISE: Faults = Faults { flip: 20_000, lose: 10_000, noise: 10_000, delay: 0, ..Faults::STORM };
/// A display's port is looked at so often.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// Bytes that a display's noisy line holds: more than one reading of its port.
const LINE: usize = 1 << 16;

/// What is done to a simulated signal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lever {
    /// It answers nothing any more, and takes nothing.
    Mute,
    /// It is itself again.
    Speak,
    /// It waits so long before each answer, or each reading; 0 for not at all.
    Slow(Duration),
    /// Its line damages what passes, from this seed; `None`: it does no longer.
    Noise(Option<u64>),
    /// Its power goes and comes back: it is dark, and has forgotten everything.
    Restart,
    /// Its cable is pulled.
    Unplug,
    /// And put back.
    Plug,
    /// Somebody sets a tower by hand: red, amber, green, blue, white, buzzer.
    Set([u8; 6]),
}

/// A line that is no lever.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no lever; there are: mute, speak, slow MS, noise SEED, quiet, restart, unplug, plug, and for a tower set R A G B W BUZZER (0 to 4 each)"
)]
pub struct NoLever(String);

impl FromStr for Lever {
    type Err = NoLever;

    fn from_str(text: &str) -> Result<Self, NoLever> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let lever = match *words.as_slice() {
            ["mute"] => Some(Self::Mute),
            ["speak"] => Some(Self::Speak),
            ["slow", ms] => ms.parse().ok().map(Duration::from_millis).map(Self::Slow),
            ["noise", seed] => seed.parse().ok().map(|seed| Self::Noise(Some(seed))),
            ["quiet"] => Some(Self::Noise(None)),
            ["restart"] => Some(Self::Restart),
            ["unplug"] => Some(Self::Unplug),
            ["plug"] => Some(Self::Plug),
            ["set", ref lamps @ ..] => {
                let lamps: Option<Vec<u8>> =
                    lamps.iter().map(|lamp| lamp.parse().ok().filter(|lamp| *lamp <= 4)).collect();
                lamps.and_then(|lamps| lamps.try_into().ok()).map(Self::Set)
            }
            _ => None,
        };
        lever.ok_or_else(|| NoLever(text.to_owned()))
    }
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

/// How the levers stand.
#[derive(Debug, Default)]
struct Standing {
    mute: bool,
    slow: Duration,
    noise: Option<u64>,
}

impl Standing {
    /// Takes a lever that is about the line; gives back any other.
    fn pull(&mut self, lever: Lever) -> Option<Lever> {
        match lever {
            Lever::Mute => self.mute = true,
            Lever::Speak => self.mute = false,
            Lever::Slow(pause) => self.slow = pause,
            other => return Some(other),
        }
        None
    }

    fn faults(&self) -> (Faults, u64) {
        self.noise.map_or((Faults::NONE, 0), |seed| (NOISE, seed))
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
                    let (faults, seed) = self.standing.faults();
                    host = stream.map(|stream| Faulty::new(stream, faults, seed));
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
        match self.standing.pull(lever) {
            // a line gets its faults when it is opened
            Some(Lever::Noise(seed)) => {
                self.standing.noise = seed;
                *host = None;
            }
            Some(Lever::Restart) => {
                self.tower = TowerModel::new(self.tower.long);
                *host = None;
            }
            Some(Lever::Unplug) => (self.listener, *host) = (None, None),
            Some(Lever::Plug) if self.listener.is_none() => {
                self.listener = Some(Self::listen(self.address, false).await?).and_then(|again| again.listener);
            }
            Some(Lever::Set(lamps)) => self.tower.set(lamps),
            _ => {}
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
        match self.standing.pull(lever) {
            Some(Lever::Noise(seed)) => {
                self.standing.noise = seed;
                let (faults, seed) = self.standing.faults();
                (self.near, self.far) = line(faults, seed);
            }
            Some(Lever::Restart) => self.display = PoleModel::new(self.protocol),
            Some(Lever::Unplug) => self.pty = None,
            Some(Lever::Plug) if self.pty.is_none() => self.pty = Some(port(&self.link)?),
            _ => {}
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
