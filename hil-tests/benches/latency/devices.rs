//! Devices whose every byte has its time: the firmware's own session, on a thread that does nothing else.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use sabot_simulation::twin::pty::PtyPair;
use sabot_wire::device::{Device, Identity, Order};
use sabot_wire::frame::MAX_FRAME;
use sabot_wire::message::{Image, Key, Observation, Role, Show, Started};
use sabot_wire::ring::Ring;

pub(crate) const BAUD: u32 = 115_200;
const RING: usize = 1 << 16;

/// The key of the devices and of their station.
pub(crate) fn key() -> Key {
    Key::new([0x5B; 16])
}

/// A pseudo-terminal, from the device's side.
pub(crate) struct Pty {
    master: File,
    /// The station's side.
    pub(crate) port: PathBuf,
    // while it is open here, the port lives without the station
    _slave: OwnedFd,
}

impl Pty {
    pub(crate) fn open() -> io::Result<Self> {
        let PtyPair { master, slave, port } = PtyPair::open()?;
        Ok(Self { master: master.into(), port, _slave: slave })
    }

    pub(crate) fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        (&self.master).read(buffer)
    }

    pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<()> {
        (&self.master).write_all(bytes)
    }
}

/// Something the display was told to show, and when the first byte of its frame came.
pub(crate) struct Shown {
    pub(crate) began: Instant,
    pub(crate) show: Show,
}

/// A device in session, on a thread of its own.
pub(crate) struct DeviceThread {
    pub(crate) role: Role,
    pub(crate) port: PathBuf,
    device: Arc<Timed>,
}

struct Timed {
    pty: Pty,
    session: Mutex<Device<Vec<u8>>>,
    start: Instant,
}

impl DeviceThread {
    /// Starts it; what a display is told to show goes to `shows`.
    pub(crate) fn start(role: Role, shows: Option<Sender<Shown>>) -> Result<Self, Box<dyn std::error::Error>> {
        let pty = Pty::open()?;
        let port = pty.port.clone();
        let serial = heapless::String::try_from(format!("BENCH-{role}").as_str())?;
        let (ring, _) = Ring::restore(vec![0; RING], 1)?;
        let (started, key) = (Started::Power, Some(key()));
        let identity = Identity {
            role,
            serial,
            firmware: [0, 1, 0],
            image: Image([0x1A; 32]),
            boots: 1,
            started,
            key,
            entropy: [0; 16],
        };
        let session = Mutex::new(Device::new(identity, ring));
        let device = Arc::new(Timed { pty, session, start: Instant::now() });
        let thread = Arc::clone(&device);
        std::thread::Builder::new().name(format!("{role}")).spawn(move || thread.run(shows.as_ref()))?;
        Ok(Self { role, port, device })
    }

    /// The sensors see this, and its frame is written; the moment before that. Not the moment after: whoever waits for
    /// the frame may be given the processor before the writer has looked at the clock.
    pub(crate) fn sees(&self, saw: &Observation) -> Result<Instant, Box<dyn std::error::Error>> {
        let mut session = self.device.lock();
        session.observe(self.device.now_ms(), saw)?;
        Ok(self.device.send(&mut session)?)
    }
}

impl Timed {
    fn lock(&self) -> MutexGuard<'_, Device<Vec<u8>>> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now_ms(&self) -> u32 {
        u32::try_from(self.start.elapsed().as_millis()).unwrap_or(u32::MAX)
    }

    /// Sends every frame that is due; the moment before the last was written.
    fn send(&self, session: &mut Device<Vec<u8>>) -> io::Result<Instant> {
        let mut frame = [0; MAX_FRAME];
        let mut written = Instant::now();
        while let Some(frame) = session.transmit(self.now_ms(), &mut frame) {
            written = Instant::now();
            self.pty.write(frame)?;
        }
        Ok(written)
    }

    /// Answers the station until the port is gone.
    fn run(&self, shows: Option<&Sender<Shown>>) {
        let mut buffer = [0; 1024];
        let mut began = None;
        while let Ok(count @ 1..) = self.pty.read(&mut buffer) {
            let now = Instant::now();
            let mut session = self.lock();
            for mut piece in buffer.get(..count).unwrap_or_default().split_inclusive(|&byte| byte == 0) {
                // a zero alone begins a frame, or ends none: its time is that of what follows it
                let first = *began.get_or_insert(now);
                if piece.len() > 1 && piece.ends_with(&[0]) {
                    began = None;
                }
                while let Some(order) = session.receive(self.now_ms(), &mut piece) {
                    if let (Some(shows), Order::Show(show)) = (shows, order) {
                        // once the run is over nobody looks at the display
                        let _ = shows.send(Shown { began: first, show });
                    }
                }
            }
            if self.send(&mut session).is_err() {
                return;
            }
        }
    }
}
