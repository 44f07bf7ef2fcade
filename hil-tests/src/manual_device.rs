//! A device at a real port, and the hands that move its sensors.

use std::path::PathBuf;

use sabot_wire::message::{Card, Observation, Role, ShoeSaw};

use crate::cable::Socket;
use crate::device::Device;
use crate::keystrokes;

/// A device at a real port: a person does what the test asks for, and the record tells when it is done.
pub(crate) struct ManualDevice {
    pub(crate) role: Role,
    pub(crate) port: PathBuf,
    pub(crate) serial: String,
}

impl ManualDevice {
    fn ask(&self, what: &str) {
        eprintln!("bench: at the {}: {what}", self.role);
    }
}

impl Device for ManualDevice {
    fn end(&self) -> Socket {
        Socket::Port(self.port.clone())
    }

    fn serial(&self) -> String {
        self.serial.clone()
    }

    fn see(&self, saw: &Observation) {
        self.ask(&match saw {
            Observation::Keypad(said) => match keystrokes::keys(said) {
                Some(keys) => format!("press {}", keystrokes::words(&keys)),
                None => panic!("the keypad has no keys for {said:?}"),
            },
            Observation::Shoe(ShoeSaw::Drawn(Card::UNREAD)) => "draw a card that cannot be read".to_owned(),
            Observation::Shoe(ShoeSaw::Drawn(card)) => format!("draw {card}"),
            other => format!("make it see {other:?}"),
        });
    }

    fn restart(&self) {
        self.ask("press its reset button");
    }
}
