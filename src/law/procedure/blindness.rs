//! Devices that have missed something, and what is not known for it.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::known::{Fact, Facts};
use crate::table::{Event, Observes, Sight};

/// Devices whose sights the law knows.
const DEVICES: [(&str, &[Sight], Facts); 4] = [
    ("shoe", &[], Facts::of(&[Fact::Cards, Fact::Hands])),
    ("chips", &[Sight::Bets, Sight::Places, Sight::Faces, Sight::Turns, Sight::Moves], Facts::NONE),
    ("keypad", &[Sight::Asks, Sight::Decisions, Sight::Announcements], Facts::NONE),
    ("shuffler", &[], Facts::of(&[Fact::Shuffles])),
];

/// The devices whose sights the law knows, by name.
pub fn device_names() -> impl Iterator<Item = &'static str> {
    DEVICES.iter().map(|(name, ..)| *name)
}

/// Whether a device sees.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
enum Sees {
    #[default]
    All,
    /// Nothing until it is back.
    Nothing,
    /// It missed something of this pass, and sees the next.
    MissedSome,
    /// It came back between two passes: it sees, unless the next begins without a word of it.
    Between,
}

/// Which devices have missed something that this pass may hang on. It follows from the events about devices, and from
/// when passes begin and end: a sequence without those of one absence is one without its blindness.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Blindness([Sees; DEVICES.len()]);

impl Blindness {
    /// Every device sees nothing but those named.
    pub(crate) fn without(named: &[&str]) -> Self {
        Self(DEVICES.map(|(name, ..)| if named.contains(&name) { Sees::All } else { Sees::Nothing }))
    }

    /// The blind devices that tell such facts, not counting what sights tell.
    pub(crate) fn devices_of(&self, facts: Facts) -> Vec<&'static str> {
        self.blind().filter(|n| facts.meets(DEVICES[*n].2)).map(|n| DEVICES[n].0).collect()
    }

    /// A device has something to say of itself; `in_pass` where a pass is on the felt.
    pub(super) fn hear(&mut self, device: &str, status: &str, complete: bool, in_pass: bool) {
        let Some(n) = DEVICES.iter().position(|(name, ..)| *name == device) else { return };
        let sees = &mut self.0[n];
        *sees = match (status, *sees) {
            ("offline", _) => Sees::Nothing,
            ("events_missed" | "ring_lost", Sees::All | Sees::Between) => Sees::MissedSome,
            ("online", _) if complete => Sees::All,
            // between two passes cards are shuffled and bets are laid
            ("online", Sees::Nothing) if in_pass || matches!(device, "shuffler" | "chips") => Sees::MissedSome,
            ("online", Sees::Nothing) => Sees::Between,
            _ => return,
        };
    }

    /// The room has looked: a device has missed nothing that counts.
    pub(super) fn forgive(&mut self, device: &str) {
        let all = DEVICES.iter().zip(&mut self.0);
        all.filter(|((name, ..), _)| *name == device).for_each(|(_, sees)| *sees = Sees::All);
    }

    /// A device has missed something of this pass, which may be of before it said so.
    pub(super) fn has_missed(&self, device: &str) -> bool {
        DEVICES.iter().zip(self.0).any(|((name, ..), sees)| *name == device && sees == Sees::MissedSome)
    }

    /// A device is away now.
    #[must_use]
    pub fn is_away(&self, device: &str) -> bool {
        DEVICES.iter().zip(self.0).any(|((name, ..), sees)| *name == device && sees == Sees::Nothing)
    }

    /// Any device is away now.
    #[must_use]
    pub fn is_any_away(&self) -> bool {
        self.0.contains(&Sees::Nothing)
    }

    /// A card comes out, or a pass ends, and nobody sees bets: it may have begun before the devices that came back
    /// could see it. True where there are any.
    pub(super) fn begin_unseen(&mut self) -> bool {
        let mut any = false;
        for sees in self.0.iter_mut().filter(|sees| **sees == Sees::Between) {
            (*sees, any) = (Sees::MissedSome, true);
        }
        any
    }

    /// A pass is over, and with it what the devices that are back have missed of it.
    pub(super) fn end_pass(&mut self) {
        self.0.iter_mut().filter(|sees| **sees != Sees::Nothing).for_each(|sees| *sees = Sees::All);
    }

    /// The devices that have missed something, by name.
    pub fn devices(&self) -> impl Iterator<Item = &'static str> {
        self.blind().map(|n| DEVICES[n].0)
    }

    fn blind(&self) -> impl Iterator<Item = usize> {
        (0..DEVICES.len()).filter(|n| matches!(self.0[*n], Sees::Nothing | Sees::MissedSome))
    }

    /// What is not known for it, beside what sights tell.
    pub(crate) fn unknown(&self) -> Facts {
        self.blind().fold(Facts::NONE, |set, n| set.and(DEVICES[n].2))
    }

    /// What is left of the sights of a table.
    pub(crate) fn of(&self, named: Observes) -> Observes {
        let mut observes = named;
        self.blind().flat_map(|n| DEVICES[n].1).for_each(|sight| observes.set(*sight, false));
        observes
    }
}

/// Whether it is for a device to tell of an event.
#[must_use]
pub fn tells_of(device: &str, event: &Event) -> bool {
    let sights = DEVICES.iter().find(|(name, ..)| *name == device).map_or(&[][..], |(_, sights, _)| sights);
    match event.sight() {
        Some(sight) => sights.contains(&sight),
        None => match event {
            Event::Draw { .. } | Event::CutCard {} => device == "shoe",
            Event::Shuffle { .. } => device == "shuffler",
            _ => false,
        },
    }
}

/// Whether an event tells that a device has missed something.
#[must_use]
pub fn blinds(event: &Event) -> Option<&'static str> {
    let Event::Device { device, status, .. } = event else { return None };
    let tells = matches!(status.as_str(), "offline" | "events_missed" | "ring_lost");
    device_names().find(|name| tells && device == name)
}
