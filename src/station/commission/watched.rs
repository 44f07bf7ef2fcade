//! The table's devices while they are tried: what they see is told to the technician, and kept by nobody. Each event is
//! acknowledged as it comes, so that the record does not begin with cards and chips of the trial.

use std::collections::{BTreeMap, HashMap, HashSet};

use sabot_drivers::saw::{Pad, PadKey, Saw, Stake, TagsSaw, Unreadable};
use sabot_drivers::signal::{Attention, Level, Signal, SignalContent};
use sabot_drivers::{Distrust, Link, LinkReport};
use sabot_law::table::{Card, Place};
use sabot_wire::message::{
    Chip as TagOfChip, ChipsSaw, DISPLAY_ROWS, DeviceState, KeypadSaid, Lamp, Observation, Role, ShoeSaw, Show,
    ShufflerSaw,
};
use tokio::sync::{mpsc, watch};

use crate::config::{Config, DeviceConfig};
use crate::described;
use crate::links::{HouseTags, LinkStarter};
use crate::pit_display::folded;
use crate::registry::{Chip, DeckCard, Kind, Registries, Registry, State};

/// Reports that may wait.
const REPORTS: usize = 64;

/// What a device has told.
#[derive(Debug)]
pub(super) enum Seen {
    /// It is in session.
    Here(Role),
    /// It is not there; why.
    Away(Role, String),
    /// It is refused; why, and whether a new key would help.
    Refused(Role, String, bool),
    /// Its own setting does not fit; what to change.
    Advice(Role, String),
    /// A card has left the shoe.
    Card(Card),
    /// The cut card has.
    CutCard,
    /// Somebody has pressed a key, or made an entry.
    Entry(String),
    /// The shuffler's door.
    Door { open: bool },
    /// A card lies there; which, where that is known.
    Lies(Place, Option<Card>),
    /// What lies there is not the house's.
    Foreign(Place),
    /// What lies on a spot.
    Chips { at: Stake, chips: usize, amount: u64, foreign: usize },
    /// An antenna is not read.
    Unreadable(Pad, Unreadable),
    /// What the device says of itself.
    Says(Role, DeviceState),
}

/// The devices and signals of a table, in session.
pub(super) struct Watched {
    links: Vec<(Role, Link)>,
    reports: mpsc::Receiver<(Role, LinkReport)>,
    stop: watch::Sender<bool>,
    pub(super) signals: Vec<Signal>,
    chips: Option<Registry<Chip>>,
    decks: Option<Registry<DeckCard>>,
    /// What each device in session says of itself: its serial number, and all of it.
    here: BTreeMap<Role, (String, String)>,
    /// The cards that antennas read now, by tag.
    lying: HashSet<(Place, u64)>,
    /// The chips that lie on each spot now.
    stakes: HashMap<Stake, usize>,
}

impl Watched {
    /// Starts all of them. Must be called within a tokio runtime.
    pub(super) fn start(config: &Config, registries: Registries) -> Self {
        let (stop, shutdown) = watch::channel(false);
        let (sender, reports) = mpsc::channel(REPORTS);
        let mut starter = LinkStarter {
            keys: config.keys.clone(),
            tags: HouseTags::of(&registries),
            last_of_shoe: None,
            in_memory: BTreeMap::new(),
            reports: sender,
            shutdown: shutdown.clone(),
        };
        let links = starter.start_all(&config.devices, |_: &DeviceConfig| None);
        let signals = config.signals.iter().map(|signal| sabot_drivers::signal::spawn(signal, shutdown.clone()));
        Self {
            links,
            reports,
            stop,
            signals: signals.collect(),
            chips: registries.chips,
            decks: registries.decks,
            here: BTreeMap::new(),
            lying: HashSet::new(),
            stakes: HashMap::new(),
        }
    }

    /// Lets go of all ports.
    pub(super) fn stop(&self) {
        self.stop.send_replace(true);
    }

    /// What is told next.
    pub(super) async fn next(&mut self) -> Option<Seen> {
        loop {
            let (role, report) = self.reports.recv().await?;
            if let Some(seen) = self.take(role, report) {
                return Some(seen);
            }
        }
    }

    /// Serial number of a device that is in session, and all that it says of itself.
    pub(super) fn of(&self, role: Role) -> Option<(&str, &str)> {
        self.here.get(&role).map(|(serial, says)| (serial.as_str(), says.as_str()))
    }

    /// Whether there is a device of that role in session.
    pub(super) fn are_here(&self) -> bool {
        self.links.iter().all(|(role, _)| self.here.contains_key(role))
    }

    /// Whether chips lie on a spot.
    pub(super) fn has_chips(&self, at: Stake) -> bool {
        self.stakes.get(&at).is_some_and(|&chips| chips > 0)
    }

    /// Places where chips or tags of cards lie.
    pub(super) fn occupied(&self) -> Vec<Pad> {
        let chips = self.stakes.iter().filter(|(_, chips)| **chips > 0).map(|(&at, _)| Pad::Stake(at));
        let cards: HashSet<Place> = self.lying.iter().map(|&(place, _)| place).collect();
        let mut pads: Vec<Pad> = chips.chain(cards.into_iter().map(Pad::Cards)).collect();
        pads.sort_by_key(ToString::to_string);
        pads
    }

    /// The pit display and every signal show these texts and this lamp.
    pub(super) fn show(&self, lamp: Lamp, texts: &[String]) {
        let rows = texts.iter().flat_map(|text| folded(text)).chain(std::iter::repeat_with(Default::default));
        self.display(Show::Lamp(lamp));
        for (row, text) in (0_u8..).zip(rows.take(DISPLAY_ROWS)) {
            self.display(Show::Line { row, text });
        }
        let level = match lamp {
            Lamp::Red => Level::Irregularity,
            Lamp::Amber => Level::Notice,
            Lamp::Green | Lamp::Off => Level::Calm,
        };
        for signal in &self.signals {
            signal.show(SignalContent::new(level, Attention::None, texts.iter().cloned()));
        }
    }

    /// The pit display shows this.
    pub(super) fn display(&self, show: Show) {
        for (_, link) in self.links.iter().filter(|(role, _)| *role == Role::Display) {
            link.show(show.clone());
        }
    }

    fn take(&mut self, role: Role, report: LinkReport) -> Option<Seen> {
        match report {
            LinkReport::Online { hello, started, .. } => {
                self.here.insert(role, (hello.serial.to_string(), described(&hello, &started)));
                Some(Seen::Here(role))
            }
            LinkReport::Absent(why) => {
                self.here.remove(&role);
                Some(Seen::Away(role, why))
            }
            LinkReport::Refused { why, distrust } => {
                self.here.remove(&role);
                let is_keyless = matches!(distrust, Some(Distrust::Unpaired | Distrust::Swapped));
                Some(Seen::Refused(role, why, is_keyless))
            }
            LinkReport::Advice(what) => Some(Seen::Advice(role, what)),
            LinkReport::Saw(seen) => {
                for (_, link) in self.links.iter().filter(|(of, _)| *of == role) {
                    link.ack(seen.epoch, seen.seq);
                }
                self.saw(role, seen.saw?)
            }
            LinkReport::Connecting
            | LinkReport::CaughtUp
            | LinkReport::Missed(_)
            | LinkReport::Forged
            | LinkReport::Withheld(_)
            | LinkReport::Late { .. }
            | LinkReport::ClockWentBack
            | LinkReport::Keeps(_)
            | LinkReport::Picture { .. }
            | LinkReport::Quality(_) => None,
        }
    }

    fn saw(&mut self, role: Role, saw: Saw) -> Option<Seen> {
        match saw {
            Saw::Link(Observation::Shoe(ShoeSaw::Drawn(card))) => Some(Seen::Card(card)),
            Saw::Link(Observation::Shoe(ShoeSaw::CutCard)) => Some(Seen::CutCard),
            Saw::Link(Observation::Shoe(ShoeSaw::Empty | ShoeSaw::Loaded { .. })) => None,
            Saw::Link(Observation::Shuffler(ShufflerSaw::DoorOpen)) => Some(Seen::Door { open: true }),
            Saw::Link(Observation::Shuffler(ShufflerSaw::DoorClosed)) => Some(Seen::Door { open: false }),
            Saw::Link(Observation::Shuffler(ShufflerSaw::Done { .. } | ShufflerSaw::Jam)) => None,
            Saw::Link(Observation::Keypad(said)) => Some(Seen::Entry(entry(&said))),
            Saw::Link(Observation::Chips(saw)) => self.saw_chips(saw),
            Saw::Link(Observation::Device(state)) => Some(Seen::Says(role, state)),
            Saw::Key(key) => Some(Seen::Entry(match key {
                PadKey::Touch(touch) => touch.to_string(),
                PadKey::Likely => "Enter".to_owned(),
                PadKey::TakeBack => "Backspace".to_owned(),
            })),
            Saw::Tags(TagsSaw::Stack { at, chips }) => Some(self.stack(at, &chips)),
            Saw::Tags(TagsSaw::Passed { tag }) => match self.decks.as_ref().and_then(|decks| good(decks, tag)) {
                Some(DeckCard { card: ShoeSaw::Drawn(card), .. }) => Some(Seen::Card(*card)),
                Some(DeckCard { card: ShoeSaw::CutCard, .. }) => Some(Seen::CutCard),
                Some(_) => None,
                None => Some(Seen::Foreign(Place::Shoe)),
            },
            Saw::Tags(TagsSaw::Card { at, tag, lies }) => {
                if !lies {
                    self.lying.remove(&(at, tag));
                    return None;
                }
                self.lying.insert((at, tag));
                match self.decks.as_ref().and_then(|decks| good(decks, tag)) {
                    Some(DeckCard { card: ShoeSaw::Drawn(card), .. }) => Some(Seen::Lies(at, Some(*card))),
                    Some(_) => None,
                    None => Some(Seen::Foreign(at)),
                }
            }
            Saw::Tags(TagsSaw::Unreadable { at, why }) => Some(Seen::Unreadable(at, why)),
            Saw::Tags(TagsSaw::Readable { .. } | TagsSaw::InDoubt { .. }) => None,
        }
    }

    fn saw_chips(&mut self, saw: ChipsSaw) -> Option<Seen> {
        match saw {
            ChipsSaw::Spot { box_no, hand, spot, chips } => Some(self.stack(Stake { box_no, hand, spot }, &chips)),
            ChipsSaw::CardArrived { place, .. } => Some(Seen::Lies(place, None)),
            ChipsSaw::CardTurned { .. } | ChipsSaw::CardsMoved { .. } => None,
        }
    }

    fn stack(&mut self, at: Stake, chips: &[TagOfChip]) -> Seen {
        self.stakes.insert(at, chips.len());
        let is_foreign = |chip: &&TagOfChip| self.chips.as_ref().is_some_and(|chips| good(chips, chip.uid).is_none());
        let foreign = chips.iter().filter(is_foreign).count();
        let amount = chips.iter().map(|chip| u64::from(chip.value)).sum();
        Seen::Chips { at, chips: chips.len(), amount, foreign }
    }
}

/// What a registry says of a good tag.
fn good<K: Kind>(registry: &Registry<K>, tag: u64) -> Option<&K> {
    registry.get(tag).filter(|entry| entry.state == State::Valid).map(|entry| &entry.what)
}

/// What an entry is called: its kind alone, for it may name people.
fn entry(said: &KeypadSaid) -> String {
    let debug = format!("{said:?}");
    debug.chars().take_while(char::is_ascii_alphanumeric).collect()
}
