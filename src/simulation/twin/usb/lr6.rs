//! A PATLITE LR6-USB on real USB: a HID device whose reports the kernel hands to this program (functionfs).

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use sabot_drivers::signal::lr6::REPORT;
use sabot_drivers::signal::model::lr6::Lr6Model;
use sabot_drivers::signal::usb::{PRODUCT, VENDOR};
use tokio::sync::{mpsc, watch};

use super::ffs::{self, EVENT, Event, Setup};
use super::gadget::{Function, Gadget, Identity};
use super::{UsbTwinError, at};
use crate::levers::LineLever;
use crate::twin::signal::Lever;

/// What the tower says of itself.
pub const LR6: Identity<'static> =
    Identity { vendor: VENDOR, product: PRODUCT, maker: "PATLITE", what: "LR6-USB (simulated)", serial: "TWIN-LR6" };

/// What reports look like, for the host's HID driver: 8 bytes in, 8 bytes out, of the vendor's own meaning.
const REPORTS: [u8; 27] = [
    0x06, 0x00, 0xff, 0x09, 0x01, 0xa1, 0x01, 0x09, 0x02, 0x15, 0x00, 0x26, 0xff, 0x00, 0x75, 0x08, 0x95, 0x08, 0x81,
    0x02, 0x09, 0x03, 0x95, 0x08, 0x91, 0x02, 0xc0,
];
/// An interface of class HID with two endpoints, and its HID descriptor.
const INTERFACE: [u8; 18] =
    [9, 4, 0, 0, 2, 3, 0, 0, 0, /* HID 1.11 */ 9, 0x21, 0x11, 0x01, 0, 1, 0x22, REPORTS.len() as u8, 0];
/// Descriptors of a speed: interface, HID, endpoints.
const DESCRIPTORS: u32 = 4;
/// The host's request for the description of the reports.
const GET_REPORTS: (u8, u8, u16) = (0x81, 6, 0x2200);
/// The host's wish for silence while nothing changes.
const SET_IDLE: (u8, u8) = (0x21, 0x0a);
/// The control endpoint's thread looks whether it is to end, milliseconds.
const LOOK_MS: u8 = 50;

/// Interrupt endpoints 1 out and 1 in, of 8 bytes.
const fn endpoints(interval: u8) -> [u8; 14] {
    [7, 5, 0x01, 3, 8, 0, interval, 7, 5, 0x81, 3, 8, 0, interval]
}

#[derive(Debug, Default)]
struct Tower {
    model: Lr6Model,
    enabled: bool,
    mute: bool,
    ended: bool,
}

#[derive(Debug)]
struct Shared {
    tower: Mutex<Tower>,
    changed: Condvar,
    shows: watch::Sender<String>,
}

impl Shared {
    fn tower(&self) -> MutexGuard<'_, Tower> {
        self.tower.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Tower)) {
        let mut tower = self.tower();
        change(&mut tower);
        let now = tower.model.to_string();
        // told before another change can be made: the last word must be the newest
        self.shows.send_if_modified(|before| std::mem::replace(before, now.clone()) != now);
        drop(tower);
        self.changed.notify_all();
    }

    /// Waits until reports may be taken; false when it is time to end.
    fn wait_awake(&self, awake: impl Fn(&Tower) -> bool) -> bool {
        let asleep = |tower: &mut Tower| !tower.ended && !awake(tower);
        let tower = self.changed.wait_while(self.tower(), asleep).unwrap_or_else(PoisonError::into_inner);
        !tower.ended
    }
}

/// A tower; not plugged in at first.
#[derive(Debug)]
pub struct Lr6Twin {
    // fields drop in this order: the gadget goes before what its function is mounted at
    gadget: Gadget,
    _mounted: Mounted,
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl Lr6Twin {
    /// A dark tower under a gadget's name that no other has; `identity` is [`LR6`], or what it is to pretend.
    ///
    /// # Errors
    /// When the kernel has no gadgets, or the program may not make one.
    pub fn new(name: &str, identity: &Identity<'_>) -> Result<Self, UsbTwinError> {
        let gadget = Gadget::new(name, identity, Function::Program)?;
        let mounted = Mounted::new(name)?;
        let control = mounted.dir.join("ep0");
        let shared = Arc::new(Shared {
            tower: Mutex::default(),
            changed: Condvar::new(),
            shows: watch::channel(Lr6Model::default().to_string()).0,
        });
        let start = || -> io::Result<Vec<JoinHandle<()>>> {
            let mut ep0 = OpenOptions::new().read(true).write(true).open(&control)?;
            let speed = |interval| [&INTERFACE[..], &endpoints(interval)].concat();
            // every 8 ms at full speed, and at high speed, which counts in powers of two of 125 us
            ep0.write_all(&ffs::descriptors(DESCRIPTORS, &speed(8), &speed(7)))?;
            ep0.write_all(&ffs::no_strings())?;
            let reports = mounted.dir.join("ep1");
            let (asked, taking) = (Arc::clone(&shared), Arc::clone(&shared));
            let named = |name: &str| thread::Builder::new().name(format!("lr6-{name}"));
            let control = named("control").spawn(move || control_endpoint(&mut ep0, &asked))?;
            let taker = named("reports").spawn(move || take_reports(&reports, &taking))?;
            Ok(vec![control, taker])
        };
        let threads = start().map_err(at(&control, "does not take the tower"))?;
        Ok(Self { gadget, _mounted: mounted, shared, threads })
    }

    /// Plugs it into a device port: it gets power, and is dark.
    ///
    /// # Errors
    /// When the port has another device, or is not there.
    pub fn plug(&self, port: &str) -> Result<(), UsbTwinError> {
        self.shared.change(|tower| tower.model = Lr6Model::default());
        self.gadget.plug(port)
    }

    /// Pulls its plug: it is dark.
    pub fn unplug(&self) {
        self.gadget.unplug();
        self.shared.change(|tower| tower.model = Lr6Model::default());
    }

    /// It takes nothing any more, or does again. One report that its endpoint waits for already fills that.
    pub fn mute(&self, mute: bool) {
        self.shared.change(|tower| tower.mute = mute);
    }

    /// What somebody who looks at it sees.
    #[must_use]
    pub fn shows(&self) -> watch::Receiver<String> {
        self.shared.shows.subscribe()
    }

    /// Serves, plugged into a device port, until the levers' other end is gone. What somebody before it sees is told to
    /// `seen`.
    ///
    /// # Errors
    /// When it cannot be plugged in.
    pub async fn run(
        self,
        port: &str,
        mut levers: mpsc::Receiver<Lever>,
        seen: watch::Sender<String>,
    ) -> Result<(), UsbTwinError> {
        let mut shows = self.shows();
        self.plug(port)?;
        loop {
            let now = shows.borrow_and_update().clone();
            seen.send_if_modified(|before| std::mem::replace(before, now.clone()) != now);
            tokio::select! {
                lever = levers.recv() => match lever {
                    Some(Lever::Line(LineLever::Mute(mute))) => self.mute(mute),
                    Some(Lever::Line(LineLever::Unplug)) => self.unplug(),
                    Some(Lever::Line(LineLever::Plug)) => self.plug(port)?,
                    Some(Lever::Line(LineLever::Restart)) => {
                        self.unplug();
                        self.plug(port)?;
                    }
                    Some(other) => tracing::warn!(?other, "this tower has no such lever"),
                    None => return Ok(()),
                },
                // its other end lives as long as this
                _ = shows.changed() => {}
            }
        }
    }
}

impl Drop for Lr6Twin {
    fn drop(&mut self) {
        self.gadget.unplug();
        self.shared.change(|tower| tower.ended = true);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Functionfs, mounted in a directory of its own; both go when it is dropped.
#[derive(Debug)]
struct Mounted {
    dir: PathBuf,
}

impl Mounted {
    fn new(name: &str) -> Result<Self, UsbTwinError> {
        let dir = std::env::temp_dir().join(format!("functionfs-{name}"));
        fs::create_dir_all(&dir).map_err(at(&dir, "cannot be made"))?;
        let done = mount(Some(name), &dir, Some("functionfs"), MsFlags::empty(), None::<&str>);
        done.map_err(|error| at(&dir, "cannot have functionfs mounted")(error.into()))?;
        Ok(Self { dir })
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = umount2(&self.dir, MntFlags::MNT_DETACH);
        let _ = fs::remove_dir(&self.dir);
    }
}

/// Answers the host's questions until it is time to end.
fn control_endpoint(ep0: &mut File, shared: &Shared) {
    let mut bytes = [0; EVENT];
    while !shared.tower().ended {
        // an interrupted wait is a short one
        let came = poll(&mut [PollFd::new(ep0.as_fd(), PollFlags::POLLIN)], PollTimeout::from(LOOK_MS));
        if !came.is_ok_and(|count| count > 0) {
            continue;
        }
        match ep0.read(&mut bytes) {
            Ok(EVENT) => match ffs::event(&bytes) {
                Event::Enabled => shared.change(|tower| tower.enabled = true),
                Event::Disabled => shared.change(|tower| tower.enabled = false),
                // a host that has lost patience asks again
                Event::Asked(setup) => drop(answer(ep0, setup)),
                Event::Other => {}
            },
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => tracing::debug!(%error, "the control endpoint of the tower"),
        }
    }
}

/// Answers one. An operation against the request's direction refuses it.
fn answer(ep0: &mut File, setup: Setup) -> io::Result<usize> {
    let Setup { kind, request, value, length } = setup;
    if (kind, request, value) == GET_REPORTS {
        let wanted = REPORTS.get(..usize::from(length)).unwrap_or(&REPORTS);
        ep0.write(wanted)
    } else if (kind, request) == SET_IDLE || setup.to_host() {
        ep0.read(&mut [])
    } else {
        ep0.write(&[])
    }
}

/// Takes reports until it is time to end. A read waits for a report until the plug is pulled.
fn take_reports(path: &Path, shared: &Shared) {
    // no longer than a report: one of full length does not end a longer read
    let mut bytes = [0; REPORT];
    while shared.wait_awake(|tower| tower.enabled && !tower.mute) {
        let read = File::open(path).and_then(|mut endpoint| endpoint.read(&mut bytes));
        match read {
            Ok(count) => {
                if shared.wait_awake(|tower| !tower.mute) {
                    shared.change(|tower| tower.model.receive(bytes.get(..count).unwrap_or_default()));
                }
            }
            // unplugged: the event that says so may be on its way
            Err(error) => {
                tracing::debug!(%error, "the tower's endpoint");
                thread::sleep(std::time::Duration::from_millis(u64::from(LOOK_MS)));
            }
        }
    }
}
