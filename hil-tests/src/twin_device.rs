//! The firmware's library on the bench.

use std::path::Path;
use std::time::Duration;

use sabot_simulation::twin::{Screen, Twin, serial};
use sabot_wire::message::{Key, Lamp, Observation, Role};

use crate::cable::Socket;
use crate::device::Device;
use crate::must;

/// The firmware's library in this process.
pub(crate) struct TwinDevice {
    twin: Twin,
    end: Socket,
}

impl TwinDevice {
    /// The device of a role, over a pseudo-terminal with that link to it.
    pub(crate) fn at(role: Role, link: &Path, key: Key) -> Self {
        Self { twin: must("the twin", Twin::start(role, link, Some(key))), end: Socket::Port(link.to_owned()) }
    }

    /// The device of a role, in memory.
    pub(crate) fn in_memory(role: Role, key: Key) -> Self {
        let (twin, place) = must("the twin", Twin::in_memory(role, Some(key)));
        Self { twin, end: Socket::Memory(place) }
    }
}

impl Device for TwinDevice {
    fn end(&self) -> Socket {
        self.end.clone()
    }

    fn serial(&self) -> String {
        serial(self.twin.role()).to_owned()
    }

    fn see(&self, saw: &Observation) {
        must("a sensor of the twin", self.twin.saw(saw.clone()));
    }

    fn hands_over(&self, within: Duration) -> Option<bool> {
        Some(self.twin.wait_idle(within))
    }

    fn restart(&self) {
        self.twin.restart();
    }

    fn plugged(&self, plugged: bool) {
        if plugged { self.twin.plug() } else { self.twin.unplug() }
    }

    fn screen(&self) -> Option<Screen> {
        Some(self.twin.screen())
    }

    fn lit(&self, lamp: Lamp) -> Option<bool> {
        Some(self.twin.screen().lamp == lamp)
    }

    fn do_not_draw(&self) -> Option<bool> {
        Some(self.twin.wait_do_not_draw(Duration::ZERO, true))
    }
}
