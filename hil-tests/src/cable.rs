//! A cable between a device and a port of the station's: it can be pulled, it can have faults, and noise can be put on
//! it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sabot_drivers::transport::{Connect, FaultCounts, Faults, Faulty, MemoryPort, OpenError, SerialPort};
use sabot_simulation::twin::pty::make_link;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use crate::pseudo_terminal::PseudoTerminal;

/// How often a port that is not there is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(10);
const BAUD: u32 = 115_200;

/// Where a device is plugged in.
#[derive(Debug, Clone)]
pub enum Socket {
    /// At a port of the system.
    Port(PathBuf),
    /// In this process's memory.
    Memory(MemoryPort),
}

impl Socket {
    async fn connect(&mut self) -> Result<Box<dyn Stream>, OpenError> {
        Ok(match self {
            Self::Port(port) => Box::new(SerialPort::new(port.clone(), BAUD).connect().await?),
            Self::Memory(place) => Box::new(place.connect().await?),
        })
    }
}

trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

/// The cable. Dropping it pulls it for good.
#[derive(Debug)]
pub struct Cable {
    plugged: watch::Sender<bool>,
    noise: mpsc::UnboundedSender<Vec<u8>>,
    counts: Arc<Mutex<Vec<Arc<FaultCounts>>>>,
    outward: Arc<Mutex<Vec<u8>>>,
    inward: Arc<Mutex<Vec<u8>>>,
    task: JoinHandle<()>,
}

impl Cable {
    /// Joins the device with a new port, to which `station` becomes a link. Faults happen both ways; the seed is
    /// printed.
    #[must_use]
    pub fn between(device: Socket, station: &Path, faults: Faults, seed: u64) -> Self {
        let (plugged, plug) = watch::channel(true);
        let (noise, noises) = mpsc::unbounded_channel();
        let counts = Arc::default();
        let (outward, inward) = <(Arc<_>, Arc<_>)>::default();
        let cable = CableTask {
            device,
            station: station.to_path_buf(),
            faults,
            seed,
            counts: Arc::clone(&counts),
            outward: Arc::clone(&outward),
            inward: Arc::clone(&inward),
        };
        Self { plugged, noise, counts, outward, inward, task: tokio::spawn(cable.run(plug, noises)) }
    }

    /// Pulls the cable: the station's port is no longer there.
    pub fn pull(&self) {
        self.plugged.send_replace(false);
    }

    /// Plugs it again.
    pub fn plug(&self) {
        self.plugged.send_replace(true);
    }

    /// Puts bytes on the line towards the station, between two pieces of what the device sends.
    pub fn make_noise(&self, bytes: &[u8]) {
        // on a line that was dropped nobody hears it
        let _ = self.noise.send(bytes.to_vec());
    }

    /// Every byte that the station has put on the line so far.
    #[must_use]
    pub fn outward(&self) -> Vec<u8> {
        self.outward.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Every byte that came to the station so far.
    #[must_use]
    pub fn inward(&self) -> Vec<u8> {
        self.inward.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Faults so far that changed what passed.
    #[must_use]
    pub fn damage(&self) -> u64 {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.iter().map(|counts| counts.damage()).sum()
    }
}

impl Drop for Cable {
    fn drop(&mut self) {
        self.task.abort();
    }
}

struct CableTask {
    device: Socket,
    station: PathBuf,
    faults: Faults,
    seed: u64,
    counts: Arc<Mutex<Vec<Arc<FaultCounts>>>>,
    outward: Arc<Mutex<Vec<u8>>>,
    inward: Arc<Mutex<Vec<u8>>>,
}

impl CableTask {
    /// The device's end stays in the cable: a board's UART does not see that the other end is out, and talks to nobody.
    async fn run(mut self, mut plug: watch::Receiver<bool>, mut noise: mpsc::UnboundedReceiver<Vec<u8>>) {
        let mut held: Option<Box<dyn Stream>> = None;
        loop {
            let plugged = tokio::select! {
                plugged = plug.wait_for(|plugged| *plugged) => plugged.is_ok(),
                () = unheard(&mut held) => continue,
            };
            if !plugged {
                return;
            }
            let twin = match held.take() {
                Some(twin) => Ok(twin),
                None => self.device.connect().await,
            };
            let Ok(mut twin) = twin else {
                tokio::time::sleep(LOOK_EVERY).await;
                continue;
            };
            let end = tokio::select! {
                end = self.join(&mut twin, &mut noise) => Some(end),
                _ = plug.wait_for(|plugged| !*plugged) => None,
            };
            match end {
                None => held = Some(twin),
                Some(Ok(())) => {}
                Some(Err(_)) => tokio::time::sleep(LOOK_EVERY).await,
            }
        }
    }

    /// Passes bytes both ways until one end goes.
    async fn join<T>(&mut self, twin: &mut T, noise: &mut mpsc::UnboundedReceiver<Vec<u8>>) -> io::Result<()>
    where
        T: AsyncRead + AsyncWrite + Unpin,
    {
        self.seed += 1;
        let faulty = Faulty::new(twin, self.faults, self.seed);
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).push(faulty.counts());
        let PseudoTerminal { mut heard, mut said, name, _far } = PseudoTerminal::open()?;
        make_link(&name, &self.station)?;
        let _link = Link(self.station.clone());
        let (mut from_twin, mut to_twin) = tokio::io::split(faulty);
        let inward = &self.inward;
        let inwards = async {
            let mut buffer = [0; 1024];
            loop {
                tokio::select! {
                    count = from_twin.read(&mut buffer) => match count? {
                        0 => return Ok(()),
                        count => {
                            let bytes = buffer.get(..count).unwrap_or_default();
                            inward.lock().unwrap_or_else(PoisonError::into_inner).extend(bytes);
                            said.write_all(bytes).await?;
                        }
                    },
                    Some(bytes) = noise.recv() => said.write_all(&bytes).await?,
                }
            }
        };
        let outward = &self.outward;
        let outwards = async {
            let mut buffer = [0; 1024];
            loop {
                match heard.read(&mut buffer).await? {
                    0 => return Ok(()),
                    count => {
                        let bytes = buffer.get(..count).unwrap_or_default();
                        outward.lock().unwrap_or_else(PoisonError::into_inner).extend(bytes);
                        to_twin.write_all(bytes).await?;
                    }
                }
            }
        };
        tokio::select! {
            end = inwards => end,
            end = outwards => end,
        }
    }
}

/// A link that goes before the port to which it leads, whose number may soon be another's.
struct Link(PathBuf);

impl Drop for Link {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// What a device says while its cable is pulled; over when its port is gone.
async fn unheard(held: &mut Option<Box<dyn Stream>>) {
    let mut buffer = [0; 1024];
    match held {
        None => std::future::pending().await,
        Some(twin) => while matches!(twin.read(&mut buffer).await, Ok(1..)) {},
    }
    *held = None;
}
