//! What the station tells: an event, and which observations it tells.

use sabot_wire::message::Role;

use sabot_journal::{Origin, Sighted};
use sabot_law::table::{Event, Name};

/// Where an observation comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Which event of which device.
    pub origin: Origin,
    /// When the device saw it, where that is known.
    pub seen: Option<Sighted>,
}

/// An event, and which observations it tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// What happened.
    pub event: Event,
    /// The observation; none where the station itself saw it.
    pub source: Option<Source>,
    /// A second observation told by the same event.
    pub paired: Option<Origin>,
}

/// What is recorded of a device, and means nothing for the pass.
pub(super) fn device_event(role: Role, status: &str, detail: Option<Name>) -> Event {
    Event::Device { device: Name::new_static(role.name()), status: Name::new(status), detail }
}
