//! A device on the bench, whatever it is: what its sensors can be made to see, and what can be done to it.

use std::time::Duration;

use sabot_simulation::twin::Screen;
use sabot_wire::message::{Lamp, Observation};

use crate::cable::Socket;

/// What a bench does for its verbs, on each kind of device.
pub(crate) trait Device: Send + Sync {
    /// Where the device is plugged in.
    fn end(&self) -> Socket;

    /// Its serial number.
    fn serial(&self) -> String;

    /// Its sensors see this, after what they were told to see before.
    ///
    /// # Panics
    /// When no sensor of it can be made to see it: a test that wants it says so in its needs.
    fn see(&self, saw: &Observation);

    /// Whether it has handed over everything, waited for so long; `None` where only the record can tell.
    fn hands_over(&self, within: Duration) -> Option<bool> {
        let _ = within;
        None
    }

    /// Its power goes and comes, or its reset button is pressed: only what it keeps is left.
    fn restart(&self);

    /// Pulls its cable, or plugs it; only of a device that has its own port to take away.
    fn plugged(&self, plugged: bool) {
        let _ = plugged;
    }

    /// What it shows, where that can be looked at.
    fn screen(&self) -> Option<Screen> {
        None
    }

    /// Its lamp of that colour is lit; `None` where nobody can look.
    fn lit(&self, lamp: Lamp) -> Option<bool> {
        let _ = lamp;
        None
    }

    /// The lamp "do not draw" is lit; `None` where nobody can look.
    fn do_not_draw(&self) -> Option<bool> {
        None
    }
}
