//! A device for the tests: the firmware's own session over any stream, with levers.
#![allow(dead_code, reason = "each test file uses its part")]

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sabot_drivers::link::{Expected, LinkReport, Seen};
use sabot_drivers::transport::MemorySocket;
pub(crate) use sabot_stall_guard::PATIENCE;
use sabot_wire::device::{Device, Identity, Order};
use sabot_wire::frame::MAX_FRAME;
use sabot_wire::message::{Card, Image, Key, Observation, Role, ShoeSaw, Show, Started};
use sabot_wire::ring::Ring;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};

type Session = Device<Vec<u8>>;

/// A device whose memory outlives its cable.
pub(crate) struct TestDevice {
    role: Role,
    session: Arc<Mutex<Session>>,
    boots: AtomicU32,
    began: Instant,
    poll_ms: AtomicU32,
    pub(crate) shown: Arc<Mutex<Vec<Show>>>,
}

/// The key of the device and of its host.
pub(crate) fn key() -> Key {
    Key::new([0x5B; 16])
}

/// The device in this role, and nothing else of it, belongs there.
pub(crate) fn expected(role: Role) -> Expected<Key> {
    Expected { role, serial: None, keys: key() }
}

fn identity(role: Role, boots: u32) -> Identity {
    let serial = heapless::String::try_from("T-0001").unwrap();
    let (started, key, entropy) = (Started::Power, Some(key()), [boots as u8; 16]);
    Identity { role, serial, firmware: [0, 1, 0], image: Image([0x1A; 32]), boots, started, key, entropy }
}

impl TestDevice {
    pub(crate) fn new(role: Role, ring_bytes: usize) -> Arc<Self> {
        let (ring, _) = Ring::restore(vec![0; ring_bytes], 77).unwrap();
        Arc::new(Self {
            role,
            session: Arc::new(Mutex::new(Device::new(identity(role, 1), ring))),
            boots: AtomicU32::new(1),
            began: Instant::now(),
            poll_ms: AtomicU32::new(2),
            shown: Arc::default(),
        })
    }

    /// It looks at its ring only so often: for tests of hours.
    pub(crate) fn polls_every_ms(&self, ms: u32) {
        self.poll_ms.store(ms, Ordering::Relaxed);
    }

    fn now(&self) -> u32 {
        self.began.elapsed().as_millis() as u32
    }

    /// The sensors see the card of that number. False while the ring is full.
    pub(crate) fn sees(&self, card: u8) -> bool {
        let mut session = self.session.lock().unwrap();
        session.ready() && session.observe(self.now(), &draw(card)).is_ok()
    }

    pub(crate) fn held(&self) -> u32 {
        self.session.lock().unwrap().ring().len()
    }

    /// A power cycle: everything is forgotten but the ring's memory.
    pub(crate) fn restart(&self) {
        let mut session = self.session.lock().unwrap();
        let boots = self.boots.fetch_add(1, Ordering::Relaxed) + 1;
        let (empty, _) = Ring::restore(vec![0; 4096], 0).unwrap();
        let old = std::mem::replace(&mut *session, Device::new(identity(self.role, boots), empty));
        let (ring, _) = Ring::restore(old.into_memory(), 78).unwrap();
        *session = Device::new(identity(self.role, boots), ring);
    }

    /// Runs the device on a cable until the far end or this task goes.
    pub(crate) fn run_on<S>(self: &Arc<Self>, cable: S) -> tokio::task::JoinHandle<()>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let device = Arc::clone(self);
        tokio::spawn(async move {
            // a port that closes ends the device's run on it, as a pulled cable does
            let _ = device.run(cable).await;
        })
    }

    /// Runs the device at a place until this task goes: a link that hears nothing sensible for long closes its port and
    /// opens it again, and a real port has the same device behind it.
    pub(crate) fn stays_on(self: &Arc<Self>, socket: MemorySocket) -> tokio::task::JoinHandle<()> {
        let device = Arc::clone(self);
        tokio::spawn(async move {
            loop {
                let _ = device.run(socket.plug(4096)).await;
            }
        })
    }

    async fn run<S: AsyncRead + AsyncWrite + Unpin>(&self, cable: S) -> std::io::Result<()> {
        let (mut reader, mut writer) = tokio::io::split(cable);
        let mut buffer = [0; 512];
        let mut out = Vec::new();
        loop {
            if out.is_empty() {
                let mut session = self.session.lock().unwrap();
                let mut frame = [0; MAX_FRAME];
                while let Some(frame) = session.transmit(self.now(), &mut frame) {
                    out.extend_from_slice(frame);
                }
            }
            // a device polls its sensors: it looks at its ring every few milliseconds; and it listens while its UART is
            // busy
            let poll = Duration::from_millis(self.poll_ms.load(Ordering::Relaxed).into());
            let count = tokio::select! {
                count = reader.read(&mut buffer) => match count? {
                    0 => return Ok(()),
                    count => count,
                },
                count = writer.write(&out), if !out.is_empty() => {
                    out.drain(..count?);
                    0
                },
                () = tokio::time::sleep(poll) => 0,
            };
            let mut input = &buffer[..count];
            let mut session = self.session.lock().unwrap();
            while let Some(order) = session.receive(self.now(), &mut input) {
                if let Order::Show(show) = order {
                    self.shown.lock().unwrap().push(show);
                }
            }
        }
    }
}

pub(crate) fn draw(card: u8) -> Observation {
    Observation::Shoe(ShoeSaw::Drawn(Card::from_code(card)))
}

/// The station's end of the reports.
pub(crate) struct Inbox {
    pub(crate) reports: mpsc::Receiver<(Role, LinkReport)>,
}

impl Inbox {
    /// The next report. When a device has told what it kept depends on the machine's load: that is passed over.
    pub(crate) async fn next(&mut self) -> LinkReport {
        loop {
            match self.any().await {
                LinkReport::CaughtUp => {}
                report => return report,
            }
        }
    }

    pub(crate) async fn any(&mut self) -> LinkReport {
        let report = timeout(PATIENCE, self.reports.recv()).await.expect("no report came in time");
        report.expect("the link has ended").1
    }

    /// The next report for which `wanted` gives something; those before it are passed over.
    pub(crate) async fn until<T>(&mut self, mut wanted: impl FnMut(&LinkReport) -> Option<T>) -> T {
        loop {
            if let Some(found) = wanted(&self.next().await) {
                return found;
            }
        }
    }

    pub(crate) async fn online(&mut self) {
        self.until(|report| matches!(report, LinkReport::Online { .. }).then_some(())).await;
    }

    pub(crate) async fn absent(&mut self) -> String {
        self.until(|report| match report {
            LinkReport::Absent(why) => Some(why.clone()),
            _ => None,
        })
        .await
    }

    pub(crate) async fn seen(&mut self) -> Seen {
        self.until(|report| match report {
            LinkReport::Saw(seen) => Some(seen.clone()),
            _ => None,
        })
        .await
    }
}

/// Waits until something holds, looking every millisecond.
pub(crate) async fn eventually(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "still not so: {what}");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
