//! Devices at the far end of pseudo-terminals: the device's side of the link, in a thread each.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use sabot_wire::device::{Device, Identity};
use sabot_wire::frame::MAX_FRAME;
use sabot_wire::message::{Observation, Role, Show};
use sabot_wire::ring::Ring;

/// What is known of a device from outside.
#[derive(Default)]
pub(crate) struct Outside {
    /// Observations entered, and those acknowledged.
    pub(crate) entered: u32,
    pub(crate) acknowledged: u32,
    /// What it was told to show, and when the bytes came.
    pub(crate) shows: Vec<(Instant, Show)>,
    /// When the last byte of the last event left.
    pub(crate) sent: Option<Instant>,
}

enum Order {
    Bytes(Vec<u8>, Instant),
    Saw(Observation),
}

/// A device on a port of its own.
pub(crate) struct Port {
    orders: Sender<Order>,
    outside: Arc<(Mutex<Outside>, Condvar)>,
    // the port stays while nobody has it open
    _slave: OwnedFd,
}

/// A pseudo-terminal that changes nothing; its slave's end is linked to `link`.
pub(crate) fn raw_pty(link: &Path) -> (File, OwnedFd) {
    use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
    let pty = nix::pty::openpty(None, None).unwrap();
    let mut termios = tcgetattr(&pty.slave).unwrap();
    cfmakeraw(&mut termios);
    tcsetattr(&pty.slave, SetArg::TCSANOW, &termios).unwrap();
    let name = std::fs::read_link(format!("/proc/self/fd/{}", pty.slave.as_raw_fd())).unwrap();
    std::os::unix::fs::symlink(name, link).unwrap();
    (File::from(pty.master), pty.slave)
}

impl Port {
    pub(crate) fn plug(folder: &Path, role: Role) -> Self {
        let (master, slave) = raw_pty(&folder.join(role.name()));
        let (orders, todo) = mpsc::channel();
        let outside = Arc::new((Mutex::new(Outside::default()), Condvar::new()));
        let mut from_host = master.try_clone().unwrap();
        let bytes = orders.clone();
        std::thread::spawn(move || {
            let mut buffer = [0; 512];
            while let Ok(n @ 1..) = from_host.read(&mut buffer) {
                if bytes.send(Order::Bytes(buffer[..n].to_vec(), Instant::now())).is_err() {
                    return;
                }
            }
        });
        let shared = Arc::clone(&outside);
        std::thread::spawn(move || serve(role, master, &todo, &shared));
        Self { orders, outside, _slave: slave }
    }

    pub(crate) fn saw(&self, saw: Observation) {
        self.outside.0.lock().unwrap().entered += 1;
        self.orders.send(Order::Saw(saw)).unwrap();
    }

    /// Waits until it is so, at most ten seconds.
    pub(crate) fn until<T>(&self, mut reached: impl FnMut(&mut Outside) -> Option<T>) -> T {
        let (lock, changed) = &*self.outside;
        let mut outside = lock.lock().unwrap();
        let limit = Instant::now() + Duration::from_secs(10);
        loop {
            if let Some(found) = reached(&mut outside) {
                return found;
            }
            let left = limit.checked_duration_since(Instant::now()).expect("what was waited for never came");
            outside = changed.wait_timeout(outside, left).unwrap().0;
        }
    }

    /// Waits until the station has acknowledged everything.
    pub(crate) fn idle(&self) {
        self.until(|outside| (outside.acknowledged == outside.entered).then_some(()));
    }
}

fn serve(role: Role, mut line: File, todo: &Receiver<Order>, outside: &(Mutex<Outside>, Condvar)) {
    let serial = heapless::String::try_from(format!("{}-1", role.name()).as_str()).unwrap();
    let identity = Identity { role, serial, firmware: [1, 0, 0], boots: 1 };
    let (ring, _) = Ring::restore(vec![0u8; 8192], 7).unwrap();
    let mut device = Device::new(identity, ring);
    let start = Instant::now();
    let mut out = [0; MAX_FRAME];
    loop {
        let order = match todo.recv_timeout(Duration::from_millis(20)) {
            Ok(order) => Some(order),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let now = u32::try_from(start.elapsed().as_millis()).unwrap();
        let mut shows = Vec::new();
        match order {
            Some(Order::Bytes(bytes, at)) => {
                let mut input = bytes.as_slice();
                while let Some(show) = device.receive(now, &mut input) {
                    shows.push((at, show));
                }
            }
            Some(Order::Saw(saw)) => {
                device.observe(now, &saw).unwrap();
            }
            None => {}
        }
        let mut sent = None;
        while let Some(frame) = device.transmit(now, &mut out) {
            line.write_all(frame).unwrap();
            sent = Some(Instant::now());
        }
        let mut outside_now = outside.0.lock().unwrap();
        outside_now.shows.extend(shows);
        outside_now.acknowledged = device.ring().oldest() - 1;
        outside_now.sent = sent.or(outside_now.sent);
        outside.1.notify_all();
    }
}
