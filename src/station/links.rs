//! The links of a table's devices, each by the driver that the configuration gives it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use sabot_drivers::camera;
use sabot_drivers::feig::{self, CardTags, ChipValues, FeigLine, ReaderLines, Values};
use sabot_drivers::keys::{KeyFile, Met};
use sabot_drivers::pad;
use sabot_drivers::scanner::{self, Setup};
use sabot_drivers::transport::MemoryPort;
use sabot_drivers::{Expected, Link, LinkReport, Resume};
use sabot_wire::message::{Role, ShoeSaw};
use tokio::sync::{mpsc, watch};

use super::config::{DeviceConfig, Driver};
use super::registry::Registries;
use sabot_law::table::Event;

/// The symbols of two cards differ in so many letters at the least, or the house is warned.
const SAFE_DISTANCE: usize = 3;

/// What the registries say to readers of tags.
#[derive(Debug, Clone, Default)]
pub(super) struct HouseTags {
    /// What each chip is worth.
    values: ChipValues,
    /// Which tags are in cards.
    cards: CardTags,
}

impl HouseTags {
    pub(super) fn of(registries: &Registries) -> Self {
        let tags = Self::default();
        tags.renew(registries);
        tags
    }

    /// The registries have changed. One that is not there leaves what was known.
    pub(super) fn renew(&self, Registries { chips, decks }: &Registries) {
        if let Some(chips) = chips {
            self.values.replace(chips.values());
        }
        if let Some(decks) = decks {
            self.cards.replace(decks.tags().collect());
        }
    }
}

/// Starts the links of a table's devices.
pub(super) struct LinkStarter {
    /// Where the keys of the devices are.
    pub(super) keys: PathBuf,
    pub(super) tags: HouseTags,
    /// What a scanner saw last before the start.
    pub(super) last_of_shoe: Option<ShoeSaw>,
    /// Devices of our own that are reached in memory.
    pub(super) in_memory: BTreeMap<Role, MemoryPort>,
    pub(super) reports: mpsc::Sender<(Role, LinkReport)>,
    pub(super) shutdown: watch::Receiver<bool>,
}

impl LinkStarter {
    /// The links of all devices, one a role.
    pub(super) fn start_all(
        &mut self,
        devices: &[DeviceConfig],
        resume: impl Fn(&DeviceConfig) -> Option<Resume>,
    ) -> Vec<(Role, Link)> {
        let mut links: Vec<(Role, Link)> = Vec::new();
        let met = (Met::default(), ReaderLines::default());
        for device in devices {
            if links.iter().all(|(role, _)| *role != device.role) {
                links.push((device.role, self.start(device, devices, resume(device), &met)));
            }
        }
        links
    }

    fn start(
        &mut self,
        device: &DeviceConfig,
        all: &[DeviceConfig],
        resume: Option<Resume>,
        (met, readers): &(Met, ReaderLines),
    ) -> Link {
        let keys = || KeyFile::new(self.keys.clone()).among(met.clone());
        let (reports, shutdown) = (self.reports.clone(), self.shutdown.clone());
        match &device.driver {
            Driver::Feig(_) => {
                // readers on several lines are one device
                let lines = all.iter().filter_map(|other| match &other.driver {
                    Driver::Feig(line) if other.role == device.role => Some(self.knowing_tags(line)),
                    _ => None,
                });
                feig::spawn(lines.collect(), readers, reports, shutdown)
            }
            Driver::Scanner(scanner) => {
                warn_of_alike_symbols(&scanner.setup);
                let mut scanner = scanner.clone();
                scanner.setup.last = self.last_of_shoe;
                scanner::spawn(scanner, reports, shutdown)
            }
            Driver::Camera(camera) => camera::spawn(camera, reports, shutdown),
            Driver::Pad(pad) => pad::spawn(pad.clone(), reports, shutdown),
            Driver::Own(link) => match self.in_memory.remove(&link.role) {
                None => sabot_drivers::spawn(link.clone(), keys(), resume, reports, shutdown),
                Some(port) => {
                    let expected = Expected { role: link.role, serial: link.serial.clone(), keys: keys() };
                    sabot_drivers::spawn_over(port, expected, resume, reports, shutdown)
                }
            },
        }
    }
}

impl LinkStarter {
    fn knowing_tags(&self, line: &FeigLine) -> FeigLine {
        let mut line = line.clone();
        if let Values::Known(known) = &mut line.setup.values {
            known.clone_from(&self.tags.values);
        }
        line.setup.cards.clone_from(&self.tags.cards);
        line
    }
}

/// What the shoe saw, where an event of the record tells that.
pub(super) fn seen_by_shoe(event: &Event) -> Option<ShoeSaw> {
    let count = |cards: u32| u16::try_from(cards).unwrap_or(u16::MAX);
    match event {
        Event::Draw { card, .. } => Some(ShoeSaw::Drawn(*card)),
        Event::CutCard {} => Some(ShoeSaw::CutCard),
        Event::Load { cards, cut_card } => Some(ShoeSaw::Loaded { cards: count(*cards), cut_card: count(*cut_card) }),
        _ => None,
    }
}

/// Warns the house where damage on the scanner's line could make one card of another.
fn warn_of_alike_symbols(setup: &Setup) {
    let distance = setup.symbols.distance();
    if distance < SAFE_DISTANCE {
        tracing::warn!(
            "symbols of different cards differ in {distance} of their letters: damage on the scanner's line may make one \
             card of another; docs/cards.toml has symbols that differ in {SAFE_DISTANCE}"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabot_law::table::Card;

    #[test]
    fn what_the_record_says_the_shoe_saw_is_what_it_saw() {
        let draw = |card| Event::Draw { card, to: None, face: None };
        assert_eq!(seen_by_shoe(&draw(Card::from_index(22).unwrap())), Some(ShoeSaw::Drawn(Card::from_code(22))));
        assert_eq!(seen_by_shoe(&draw(Card::UNREAD)), Some(ShoeSaw::Drawn(Card::UNREAD)));
        assert_eq!(seen_by_shoe(&Event::CutCard {}), Some(ShoeSaw::CutCard));
        let load = Event::Load { cards: 416, cut_card: 80 };
        assert_eq!(seen_by_shoe(&load), Some(ShoeSaw::Loaded { cards: 416, cut_card: 80 }));
        assert_eq!(seen_by_shoe(&Event::End {}), None);
    }
}
