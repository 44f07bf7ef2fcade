//! An event with its source: the observations of devices that it tells.

use sabot_wire::message::Role;

use sabot_journal::clock::STATION;
use sabot_journal::{Origin, SeenAt};
use sabot_law::table::{Event, Name};

/// The observation that an event tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventSource {
    /// Which event of which device.
    pub origin: Origin,
    /// When the device saw it, where that is known.
    pub seen: Option<SeenAt>,
}

/// An event, and the observations that it tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcedEvent {
    /// What happened.
    pub event: Event,
    /// The observation; none where the station itself saw it.
    pub source: Option<EventSource>,
    /// A second observation told by the same event.
    pub paired: Option<Origin>,
    /// Who entered it on a screen.
    pub entered: Option<Name>,
}

/// The status of a device whose lid or door is open.
pub(super) const DOOR_OPEN: &str = "door_open";
/// The status of a device whose lid or door is closed again.
pub(super) const DOOR_CLOSED: &str = "door_closed";

/// The status of a device that takes no more, and of one that does again.
pub(super) const RING_FULL: &str = "ring_full";
pub(super) const RING_FREE: &str = "ring_free";

/// What is recorded of a device, and means nothing for the pass.
pub(super) fn device_event(role: Role, status: &str, detail: Option<Name>) -> Event {
    Event::Device { device: Name::new_static(role.name()), status: Name::new(status), detail, complete: false }
}

/// Something that is told of the station itself.
pub(super) fn of_station(status: &'static str, detail: &str) -> Event {
    Event::Device {
        device: Name::new_static(STATION),
        status: Name::new_static(status),
        detail: Some(detail).filter(|detail| !detail.is_empty()).map(Name::new),
        complete: false,
    }
}
