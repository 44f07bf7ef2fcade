//! What the twins of bought equipment share: a thread that keeps a model of the device on a line, which is a
//! pseudo-terminal or a TCP port, and the levers of that line.

use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::Duration;

use sabot_drivers::transport::{FaultInjector, Faults};
use tokio::time::Instant;

use super::levers::{self, LineLever, NoLever, TwinLever};
use super::twin::pty::Pty;

/// Between two looks at the line.
const LOOK: Duration = Duration::from_millis(1);

/// Where a device is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Port {
    /// A pseudo-terminal, behind this symbolic link.
    Serial(PathBuf),
    /// A TCP port; 0 takes any that is free.
    Tcp(SocketAddr),
}

/// Why there is no twin.
#[derive(Debug, thiserror::Error)]
pub enum ThirdPartyTwinError {
    /// The pseudo-terminal or its link cannot be made.
    #[error("no port at {}: {source}; remove what is there or name another place", path.display())]
    Link {
        /// Where.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The TCP port is not to be had.
    #[error("{address} cannot be listened on: {source}")]
    Listen {
        /// Which.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// The thread could not be started, or the levers not be read.
    #[error("{0}")]
    System(#[from] io::Error),
}

/// A device's side of its protocol: bytes in, bytes out, time an argument (milliseconds).
pub(super) trait Model: std::fmt::Debug + Send + 'static {
    /// What a person does to it; not to its line.
    type Lever: Send + 'static;
    /// A lever is pulled; what is sent because of it.
    fn obey(&mut self, now: u64, lever: Self::Lever) -> Vec<Vec<u8>>;
    /// Takes what came over the line; what is answered.
    fn receive(&mut self, now: u64, bytes: &[u8]) -> Vec<Vec<u8>>;
    /// Time has passed; what is sent unasked.
    fn tick(&mut self, now: u64) -> Vec<Vec<u8>>;
    /// Something has gone out.
    fn sent(&mut self, now: u64);
    /// The power went and came: what was in memory is lost.
    fn restart(&mut self);
}

/// A device without a line or a thread: bytes and milliseconds in, bytes out. For time that is not the machine's.
#[derive(Debug)]
pub struct BareDevice<L: 'static>(Box<dyn Model<Lever = L>>);

impl<L: Send + 'static> BareDevice<L> {
    pub(super) fn new(model: impl Model<Lever = L>) -> Self {
        Self(Box::new(model))
    }

    /// Pulls a lever of the device.
    pub fn pull(&mut self, now: u64, lever: L) {
        self.0.obey(now, lever);
    }

    /// Takes what its host sends, and gives what it sends by then.
    pub fn exchange(&mut self, now: u64, bytes: &[u8]) -> Vec<u8> {
        let mut sent = if bytes.is_empty() { Vec::new() } else { self.0.receive(now, bytes) };
        sent.extend(self.0.tick(now));
        if !sent.is_empty() {
            self.0.sent(now);
        }
        sent.concat()
    }
}

/// A device with levers `L` of its own that runs in a thread of its own until this is dropped.
#[derive(Debug)]
pub struct ThirdPartyTwin<L: 'static> {
    // gone once the twin is to end
    pulled: Option<Sender<TwinLever<L>>>,
    thread: Option<std::thread::JoinHandle<()>>,
    address: Option<SocketAddr>,
    levers: &'static [levers::Lever<TwinLever<L>>],
}

impl<L: Send + 'static> ThirdPartyTwin<L> {
    /// Starts a device that has these levers. What noise does follows from `seed`.
    pub(super) fn run(
        name: &str,
        port: &Port,
        model: impl Model<Lever = L>,
        levers: &'static [levers::Lever<TwinLever<L>>],
        seed: u64,
    ) -> Result<Self, ThirdPartyTwinError> {
        let (pull, pulled) = channel();
        let mut running = Running::open(port, model, seed, pulled)?;
        let address = running.line.address();
        let thread = std::thread::Builder::new().name(format!("twin-{name}")).spawn(move || running.run())?;
        Ok(Self { pulled: Some(pull), thread: Some(thread), address, levers })
    }

    /// Where it listens, on TCP.
    #[must_use]
    pub const fn address(&self) -> Option<SocketAddr> {
        self.address
    }

    /// Pulls a lever of the device. Returns at once.
    pub fn pull(&self, lever: L) {
        self.send(TwinLever::Device(lever));
    }

    /// Pulls a lever of its line. Returns at once.
    pub fn pull_line(&self, lever: LineLever) {
        self.send(TwinLever::Line(lever));
    }

    fn send(&self, lever: TwinLever<L>) {
        if let Some(pulled) = &self.pulled {
            let _ = pulled.send(lever); // a twin that has ended has no levers
        }
    }

    /// Pulls the levers that lines name, until they end; `complain` gets the number of each line that names none.
    ///
    /// # Errors
    /// When the lines cannot be read.
    pub fn obey(&self, lines: impl BufRead, complain: impl FnMut(usize, NoLever)) -> io::Result<()> {
        levers::each_line(lines, |line| levers::read(self.levers, line).map(|lever| self.send(lever)), complain)
    }
}

impl<L> Drop for ThirdPartyTwin<L> {
    fn drop(&mut self) {
        self.pulled = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[derive(Debug)]
enum Line {
    Pty { port: PathBuf, pty: Option<Pty> },
    Tcp { listener: TcpListener, stream: Option<TcpStream>, plugged: bool },
}

impl Line {
    fn open(port: &Port) -> Result<Self, ThirdPartyTwinError> {
        match port {
            Port::Serial(path) => {
                let pty = Pty::open(path).map_err(|source| ThirdPartyTwinError::Link { path: path.clone(), source })?;
                Ok(Self::Pty { port: path.clone(), pty: Some(pty) })
            }
            &Port::Tcp(address) => {
                let failed = |source| ThirdPartyTwinError::Listen { address, source };
                let listener = TcpListener::bind(address).map_err(failed)?;
                listener.set_nonblocking(true).map_err(failed)?;
                Ok(Self::Tcp { listener, stream: None, plugged: true })
            }
        }
    }

    fn address(&self) -> Option<SocketAddr> {
        match self {
            Self::Tcp { listener, .. } => listener.local_addr().ok(),
            Self::Pty { .. } => None,
        }
    }

    fn plug(&mut self, plug: bool) {
        match self {
            Self::Pty { pty, .. } if !plug => *pty = None,
            Self::Pty { port, pty } => {
                if pty.is_none() {
                    *pty = Pty::open(port)
                        .inspect_err(|error| tracing::warn!(%error, "the cable cannot be put back"))
                        .ok();
                }
            }
            Self::Tcp { stream, plugged, .. } => {
                *plugged = plug;
                *stream = None;
            }
        }
    }

    /// What has come. A line that has failed is one that nobody is at.
    fn read(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self {
            Self::Pty { pty: Some(pty), .. } => {
                let _ = pty.read(|some| bytes.extend(some));
            }
            Self::Pty { pty: None, .. } => {}
            Self::Tcp { listener, stream, plugged } => {
                if let Ok((fresh, _)) = listener.accept()
                    && *plugged
                    && fresh.set_nonblocking(true).is_ok()
                    && fresh.set_nodelay(true).is_ok()
                {
                    *stream = Some(fresh);
                }
                let mut some = [0; 1024];
                match stream.as_mut().map(|stream| stream.read(&mut some)) {
                    Some(Ok(count)) if count > 0 => bytes.extend(some.get(..count).unwrap_or_default()),
                    Some(Err(error)) if error.kind() == ErrorKind::WouldBlock => {}
                    Some(_) => *stream = None,
                    None => {}
                }
            }
        }
        bytes
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Pty { pty: Some(pty), .. } => pty.write(bytes).map(drop),
            Self::Tcp { stream: Some(stream), .. } => stream.write_all(bytes),
            _ => Ok(()),
        }
    }
}

#[derive(Debug)]
struct Running<M: Model> {
    model: M,
    line: Line,
    pulled: Receiver<TwinLever<M::Lever>>,
    began: Instant,
    outgoing: FaultInjector,
    seed: u64,
    muted: bool,
    slow: Duration,
}

impl<M: Model> Running<M> {
    fn open(
        port: &Port,
        model: M,
        seed: u64,
        pulled: Receiver<TwinLever<M::Lever>>,
    ) -> Result<Self, ThirdPartyTwinError> {
        Ok(Self {
            model,
            line: Line::open(port)?,
            pulled,
            began: Instant::now(),
            outgoing: FaultInjector::new(Faults::NONE, seed),
            seed,
            muted: false,
            slow: Duration::ZERO,
        })
    }

    fn run(&mut self) {
        loop {
            loop {
                match self.pulled.try_recv() {
                    Ok(TwinLever::Line(lever)) => self.obey(lever),
                    Ok(TwinLever::Device(lever)) => {
                        let sent = self.model.obey(self.now(), lever);
                        self.send(sent);
                    }
                    Err(TryRecvError::Disconnected) => return,
                    Err(TryRecvError::Empty) => break,
                }
            }
            let now = self.now();
            let bytes = self.line.read();
            let mut replies = if bytes.is_empty() { Vec::new() } else { self.model.receive(now, &bytes) };
            replies.extend(self.model.tick(now));
            self.send(replies);
            while let Some(reply) = self.outgoing.pop(Instant::now()) {
                if self.line.write(&reply).is_err() {
                    self.outgoing.clear(); // nobody is there; what was sent is lost
                }
                self.model.sent(now);
            }
            std::thread::sleep(LOOK);
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn obey(&mut self, lever: LineLever) {
        match lever {
            LineLever::Mute(mute) => self.muted = mute,
            LineLever::Slow(pause) => self.slow = pause,
            LineLever::Noise(faults, seed) => {
                let double = self.outgoing.faults.double;
                self.outgoing = FaultInjector::new(Faults { double, ..faults }, seed.unwrap_or(self.seed));
            }
            LineLever::Duplicate(twice) => self.outgoing.faults.double = if twice { Faults::ALWAYS } else { 0 },
            LineLever::Restart => {
                self.outgoing.clear();
                self.model.restart();
            }
            LineLever::Unplug => {
                self.outgoing.clear();
                self.line.plug(false);
            }
            LineLever::Plug => self.line.plug(true),
        }
    }

    fn send(&mut self, replies: Vec<Vec<u8>>) {
        for reply in replies.iter().filter(|_| !self.muted) {
            self.outgoing.put_piece(reply, Instant::now() + self.slow);
        }
    }
}
