//! A device of an older protocol at a port: all it says is who it is.

use std::path::PathBuf;
use std::time::Duration;

use sabot_drivers::transport::Faults;
use sabot_wire::frame::{MAX_FRAME, encode};
use sabot_wire::message::{DeviceHello, Role, ToHost};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::task::JoinHandle;

use crate::bench::Bench;
use crate::pseudo_terminal::PseudoTerminal;
use crate::{eventually, must};

/// How often it says hello: as often as a device that is not answered.
const HELLO_EVERY: Duration = Duration::from_millis(200);

/// The device. Dropping it takes it off the bench.
pub struct OldProtocolDevice {
    at: PathBuf,
    task: JoinHandle<()>,
}

impl Bench {
    /// In the place of a device, whose cable is pulled, comes one with the same serial number and a protocol of that
    /// version. It goes when it is dropped; then plug the real one again.
    ///
    /// # Panics
    /// When no pseudo-terminal can be had, or the bench has no cables: see [`Setup::cables`](crate::Setup).
    #[must_use]
    pub fn older_device(&self, role: Role, protocol: u8) -> OldProtocolDevice {
        assert!(!self.lines.is_empty(), "no cable to pull; start the bench with `cables: Some({:?})`", Faults::NONE);
        self.unplug(role);
        let at = self.port(role);
        eventually("the port of the pulled cable is gone", || !at.is_symlink());
        let hello = DeviceHello {
            protocol,
            role,
            serial: must("a serial number", self.device(role).serial().as_str().try_into()),
            firmware: [0, 0, 1],
            schema: sabot_wire::SCHEMA,
            boots: 1,
            epoch: 1,
            oldest: 1,
        };
        let mut frame = [0; MAX_FRAME];
        let frame = must("a hello", encode(&ToHost::Hello(hello), &mut frame)).to_vec();
        let _inside = self.cables.enter();
        let terminal = must("a pseudo-terminal", PseudoTerminal::open());
        must("the port", std::os::unix::fs::symlink(&terminal.name, &at));
        OldProtocolDevice { at, task: tokio::spawn(say(frame, terminal)) }
    }
}

/// Says hello over and over, and hears nothing of what is said to it.
async fn say(hello: Vec<u8>, mut terminal: PseudoTerminal) {
    let mut heard = [0; 256];
    let mut every = tokio::time::interval(HELLO_EVERY);
    loop {
        tokio::select! {
            _ = every.tick() => if terminal.said.write_all(&hello).await.is_err() { return },
            _ = terminal.heard.read(&mut heard) => {}
        }
    }
}

impl Drop for OldProtocolDevice {
    fn drop(&mut self) {
        self.task.abort();
        // the bench's folder may be gone
        let _ = std::fs::remove_file(&self.at);
    }
}
