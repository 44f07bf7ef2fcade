//! A device on the bench, whatever it is: what its sensors can be made to see, and what can be done to it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sabot::simulate::twin::{Screen, Twin, serial};
use sabot_wire::message::{Key, Lamp, Observation, Role, ShoeSaw};

use crate::must;
use crate::plan::{Kind, Planned};
use crate::seat::Seat;
use crate::typing;

/// What a bench does for its verbs, on each kind of device.
pub(crate) trait Device: Send + Sync {
    /// Where the device's port is.
    fn port(&self) -> PathBuf;

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

/// Sets up the device of a role, with that key.
pub(crate) fn set_up(role: Role, planned: &Planned, link: &Path, key: Key) -> Box<dyn Device> {
    match (planned.kind, &planned.real) {
        (Kind::Port, Some((port, serial))) => Box::new(Hands { role, port: port.clone(), serial: serial.clone() }),
        (Kind::Qemu, _) => Box::new(Seat::start(role, key)),
        _ => Box::new(Library { twin: must("the twin", Twin::start(role, link, Some(key))), link: link.to_owned() }),
    }
}

/// The firmware's library in this process.
struct Library {
    twin: Twin,
    link: PathBuf,
}

impl Device for Library {
    fn port(&self) -> PathBuf {
        self.link.clone()
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

/// A device at a real port: a person does what the test asks for, and the record tells when it is done.
struct Hands {
    role: Role,
    port: PathBuf,
    serial: String,
}

impl Hands {
    fn ask(&self, what: &str) {
        eprintln!("bench: at the {}: {what}", self.role);
    }
}

impl Device for Hands {
    fn port(&self) -> PathBuf {
        self.port.clone()
    }

    fn serial(&self) -> String {
        self.serial.clone()
    }

    fn see(&self, saw: &Observation) {
        self.ask(&match saw {
            Observation::Keypad(said) => match typing::keys(said) {
                Some(keys) => format!("press {}", typing::words(&keys)),
                None => panic!("the keypad has no keys for {said:?}"),
            },
            Observation::Shoe(ShoeSaw::Drawn(code)) => {
                let card = sabot::table::Card::from_index(code.0);
                card.map_or("draw a card that cannot be read".to_owned(), |card| format!("draw {card}"))
            }
            other => format!("make it see {other:?}"),
        });
    }

    fn restart(&self) {
        self.ask("press its reset button");
    }
}
