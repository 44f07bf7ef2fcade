//! The thread of the twin: the readers' side of a line, with a pseudo-terminal or a TCP port for it.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::model::Bus;
use super::{FeigTwinError, Lever, Port};
use crate::simulate::twin::pty::Pty;

/// Between two looks at the line.
const LOOK: Duration = Duration::from_millis(1);

#[derive(Debug)]
enum Line {
    Pty { port: std::path::PathBuf, pty: Option<Pty> },
    Tcp { listener: TcpListener, stream: Option<TcpStream>, plugged: bool },
}

impl Line {
    fn open(port: &Port) -> Result<Self, FeigTwinError> {
        match port {
            Port::Serial(path) => {
                let pty = Pty::open(path).map_err(|source| FeigTwinError::Link { path: path.clone(), source })?;
                Ok(Self::Pty { port: path.clone(), pty: Some(pty) })
            }
            &Port::Tcp(address) => {
                let failed = |source| FeigTwinError::Listen { address, source };
                let listener = TcpListener::bind(address).map_err(failed)?;
                listener.set_nonblocking(true).map_err(failed)?;
                Ok(Self::Tcp { listener, stream: None, plugged: true })
            }
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
pub(super) struct Running {
    bus: Bus,
    line: Line,
    pulled: Receiver<Lever>,
    began: Instant,
    outgoing: VecDeque<(u64, Vec<u8>)>,
    muted: bool,
    slow_ms: u64,
    noise: u32,
    duplicate: bool,
    random: ChaCha8Rng,
}

impl Running {
    pub(super) fn open(port: &Port, readers: u8, seed: u64, pulled: Receiver<Lever>) -> Result<Self, FeigTwinError> {
        Ok(Self {
            bus: Bus::new(readers, matches!(port, Port::Serial(_))),
            line: Line::open(port)?,
            pulled,
            began: Instant::now(),
            outgoing: VecDeque::new(),
            muted: false,
            slow_ms: 0,
            noise: 0,
            duplicate: false,
            random: ChaCha8Rng::seed_from_u64(seed),
        })
    }

    pub(super) fn address(&self) -> Option<SocketAddr> {
        match &self.line {
            Line::Tcp { listener, .. } => listener.local_addr().ok(),
            Line::Pty { .. } => None,
        }
    }

    pub(super) fn run(&mut self) {
        loop {
            loop {
                match self.pulled.try_recv() {
                    Ok(Lever::Stop) | Err(TryRecvError::Disconnected) => return,
                    Ok(lever) => self.obey(lever),
                    Err(TryRecvError::Empty) => break,
                }
            }
            let now = self.now();
            let bytes = self.line.read();
            if !bytes.is_empty() {
                for reply in self.bus.receive(now, &bytes) {
                    self.send(now, reply);
                }
            }
            while let Some((_, reply)) = self.outgoing.pop_front_if(|(at, _)| *at <= now) {
                if self.line.write(&reply).is_err() {
                    self.outgoing.clear(); // nobody is there; what was sent is lost
                }
                self.bus.sent(now);
            }
            std::thread::sleep(LOOK);
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn obey(&mut self, lever: Lever) {
        match lever {
            Lever::Put { uid, reader, antenna, value } => {
                if !self.bus.put(reader, antenna, uid, value) {
                    eprintln!("there is no reader {reader} on this line");
                }
            }
            Lever::Take(uid) => self.bus.take(uid),
            Lever::Mute(mute) => self.muted = mute,
            Lever::Slow(ms) => self.slow_ms = ms,
            Lever::Noise(per_mille) => self.noise = per_mille,
            Lever::Duplicate(twice) => self.duplicate = twice,
            Lever::Restart => {
                self.outgoing.clear();
                self.bus.restart();
            }
            Lever::Ont(on) => self.bus.ont = on,
            Lever::Buffered(on) => self.bus.buffered = on,
            Lever::Status(status) => self.bus.status = status,
            Lever::Iso(on) => self.bus.iso_15693 = on,
            Lever::Alive => {
                let alive = self.bus.keep_alive();
                self.send(self.now(), alive);
            }
            Lever::Unplug => {
                self.outgoing.clear();
                self.line.plug(false);
            }
            Lever::Plug => self.line.plug(true),
            Lever::Stop => {}
        }
    }

    fn send(&mut self, now: u64, mut reply: Vec<u8>) {
        if self.muted {
            return;
        }
        for byte in &mut reply {
            if self.random.random_range(0..1000) < self.noise {
                *byte ^= 1 << self.random.random_range(0..8);
            }
        }
        if self.duplicate {
            self.outgoing.push_back((now + self.slow_ms, reply.clone()));
        }
        self.outgoing.push_back((now + self.slow_ms, reply));
    }
}
