//! What the twins of bought equipment share: a thread that keeps a model of the device on a line, which is a
//! pseudo-terminal or a TCP port, and the levers of that line.

use std::collections::VecDeque;
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

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

/// What is done to the line of a device, or to its power.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OfLine {
    /// The device sends nothing, or does again.
    Mute(bool),
    /// What it sends comes that much later, milliseconds.
    Slow(u64),
    /// Of a thousand bytes sent so many are damaged.
    Noise(u32),
    /// Everything is sent twice, or once.
    Double(bool),
    /// Its power goes and comes.
    Restart,
    /// The cable is pulled.
    Unplug,
    /// The cable is put back.
    Plug,
}

/// A device's side of its protocol: bytes in, bytes out, time an argument (milliseconds).
pub(super) trait Model: std::fmt::Debug + Send + 'static {
    /// What a person does to it, or to its line.
    type Lever: Send + 'static;
    /// The levers that are not the model's own.
    fn of_line(lever: &Self::Lever) -> Option<OfLine>;
    /// Any other lever; what is sent because of it.
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

/// A device that runs in a thread of its own until this is dropped.
#[derive(Debug)]
pub(super) struct ThirdPartyTwin<L> {
    // gone once the twin is to end
    levers: Option<Sender<L>>,
    thread: Option<std::thread::JoinHandle<()>>,
    address: Option<SocketAddr>,
}

impl<L: Send + 'static> ThirdPartyTwin<L> {
    /// Starts a device. What noise does follows from `seed`.
    pub(super) fn start(
        name: &str,
        port: &Port,
        model: impl Model<Lever = L>,
        seed: u64,
    ) -> Result<Self, ThirdPartyTwinError> {
        let (levers, pulled) = channel();
        let mut running = Running::open(port, model, seed, pulled)?;
        let address = running.line.address();
        let thread = std::thread::Builder::new().name(format!("twin-{name}")).spawn(move || running.run())?;
        Ok(Self { levers: Some(levers), thread: Some(thread), address })
    }

    /// Where it listens, on TCP.
    pub(super) const fn address(&self) -> Option<SocketAddr> {
        self.address
    }

    /// Pulls a lever. Returns at once.
    pub(super) fn pull(&self, lever: L) {
        if let Some(levers) = &self.levers {
            let _ = levers.send(lever); // a twin that has ended has no levers
        }
    }

    /// Pulls the levers that lines name, until they end; `complain` gets each line that names none.
    pub(super) fn obey<B>(
        &self,
        lines: impl BufRead,
        parse: impl Fn(&str) -> Result<Option<L>, B>,
        mut complain: impl FnMut(usize, B),
    ) -> Result<(), ThirdPartyTwinError> {
        for (nth, text) in lines.lines().enumerate() {
            match parse(&text?) {
                Ok(Some(lever)) => self.pull(lever),
                Ok(None) => {}
                Err(bad) => complain(nth + 1, bad),
            }
        }
        Ok(())
    }
}

impl<L> Drop for ThirdPartyTwin<L> {
    fn drop(&mut self) {
        self.levers = None;
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
                    *pty = Pty::open(port).inspect_err(|error| eprintln!("the cable cannot be put back: {error}")).ok();
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
    pulled: Receiver<M::Lever>,
    began: Instant,
    outgoing: VecDeque<(u64, Vec<u8>)>,
    muted: bool,
    slow_ms: u64,
    noise: u32,
    double: bool,
    random: ChaCha8Rng,
}

impl<M: Model> Running<M> {
    fn open(port: &Port, model: M, seed: u64, pulled: Receiver<M::Lever>) -> Result<Self, ThirdPartyTwinError> {
        Ok(Self {
            model,
            line: Line::open(port)?,
            pulled,
            began: Instant::now(),
            outgoing: VecDeque::new(),
            muted: false,
            slow_ms: 0,
            noise: 0,
            double: false,
            random: ChaCha8Rng::seed_from_u64(seed),
        })
    }

    fn run(&mut self) {
        loop {
            loop {
                match self.pulled.try_recv() {
                    Ok(lever) => self.obey(lever),
                    Err(TryRecvError::Disconnected) => return,
                    Err(TryRecvError::Empty) => break,
                }
            }
            let now = self.now();
            let bytes = self.line.read();
            let mut replies = if bytes.is_empty() { Vec::new() } else { self.model.receive(now, &bytes) };
            replies.extend(self.model.tick(now));
            self.send(now, replies);
            while let Some((_, reply)) = self.outgoing.pop_front_if(|(at, _)| *at <= now) {
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

    fn obey(&mut self, lever: M::Lever) {
        match M::of_line(&lever) {
            None => {
                let now = self.now();
                let sent = self.model.obey(now, lever);
                self.send(now, sent);
            }
            Some(OfLine::Mute(mute)) => self.muted = mute,
            Some(OfLine::Slow(ms)) => self.slow_ms = ms,
            Some(OfLine::Noise(per_mille)) => self.noise = per_mille,
            Some(OfLine::Double(twice)) => self.double = twice,
            Some(OfLine::Restart) => {
                self.outgoing.clear();
                self.model.restart();
            }
            Some(OfLine::Unplug) => {
                self.outgoing.clear();
                self.line.plug(false);
            }
            Some(OfLine::Plug) => self.line.plug(true),
        }
    }

    fn send(&mut self, now: u64, replies: Vec<Vec<u8>>) {
        for mut reply in replies {
            if self.muted {
                continue;
            }
            for byte in &mut reply {
                if self.random.random_range(0..1000) < self.noise {
                    *byte ^= 1 << self.random.random_range(0..8);
                }
            }
            if self.double {
                self.outgoing.push_back((now + self.slow_ms, reply.clone()));
            }
            self.outgoing.push_back((now + self.slow_ms, reply));
        }
    }
}
