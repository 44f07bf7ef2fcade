//! What a station knows of its table from the record: read back at a start, and kept for the next one.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use sabot_drivers::feig::FeigLine;
use sabot_drivers::saw::Pad;
use sabot_journal::{self as journal, Durable, JournalError, Mark, Reader};
use sabot_law::table::{Card, Event, LineNo, Place};
use sabot_law::validator::{Moment, NoRegulation, Validator};
use sabot_wire::message::ShoeSaw;
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, watch};

use super::chip_tracker::ChipTracker;
use super::composition::{Composition, KeptComposition};
use super::config::{Config, DeviceConfig, Driver};
use super::days::Serving;
use super::findings::{Findings, KeptFindings};
use super::kept_tags::KeptTags;
use super::links;
use super::live_table::{Judged, LiveTable};
use super::observe::Observer;
use super::presence::LastSeen;
use super::registry::Registries;
use super::tagged_cards::TaggedCards;
use super::{StationError, about, sealing, staff};
use sabot_wire::message::Role;

/// After so many lines what was read is kept anew: so many, and those of the passes that may still be corrected, a
/// start reads at the most.
const EVERY: LineNo = 8192;

/// A table as its record tells it.
pub(super) struct Recalled {
    config: Arc<Config>,
    pub(super) table: LiveTable,
    pub(super) observer: Observer,
    pub(super) seen: LastSeen,
    /// What the shoe has seen last.
    pub(super) last_of_shoe: Option<ShoeSaw>,
    /// The line of that, where it is a card that nobody has seen.
    secret: Option<LineNo>,
    /// Cards of the shoe that nobody has seen, by the lines that drew them.
    hidden: BTreeMap<LineNo, Card>,
    /// Who serves the table, as far as was read.
    pub(super) serving: Serving,
}

/// What is kept of it at the end of a pass.
#[derive(Serialize, Deserialize)]
struct Kept {
    moment: Moment,
    findings: KeptFindings,
    seen: LastSeen,
    last_of_shoe: Option<ShoeSaw>,
    serving: Serving,
    composition: KeptComposition,
    tags: KeptTags,
}

impl Recalled {
    /// A table whose record has its header only.
    pub(super) fn new(config: Arc<Config>, registries: Registries) -> Result<Self, NoRegulation> {
        let validator = Validator::new(config.header.clone())?.in_language(config.lang);
        let table = LiveTable::new(validator, findings(&config));
        let observer = observer(&config, registries);
        let (seen, serving) = (LastSeen::default(), Serving::default());
        Ok(Self { config, table, observer, seen, last_of_shoe: None, secret: None, hidden: BTreeMap::new(), serving })
    }

    /// What has to be kept of it, its last event having ended a pass; none where that would not do.
    fn kept(&self, line: LineNo) -> Option<String> {
        let moment =
            self.table.validator.moment(line).filter(|_| self.observer.is_as_new() && self.secret.is_none())?;
        let (findings, seen, serving) = (self.table.findings.kept(), self.seen.clone(), self.serving.clone());
        let (last_of_shoe, composition) = (self.last_of_shoe, self.table.composition().kept());
        let tags = self.tags();
        serde_json::to_string(&Kept { moment, findings, seen, last_of_shoe, serving, composition, tags }).ok()
    }

    /// What is known of tags, without cards that nobody may know.
    fn tags(&self) -> KeptTags {
        self.observer.kept_tags(self.hidden.values())
    }

    /// Whether both know the same.
    fn agrees_with(&self, other: &Self) -> bool {
        self.table.validator.agrees_with(&other.table.validator)
            && self.table.findings == other.table.findings
            && self.table.composition() == other.table.composition()
            && (&self.seen, &self.last_of_shoe, &self.serving) == (&other.seen, &other.last_of_shoe, &other.serving)
            && self.observer.settled() == other.observer.settled()
            && self.tags() == other.tags()
    }
}

impl Reader for Recalled {
    fn restore(&mut self, state: &str) -> bool {
        let Ok(kept) = serde_json::from_str(state) else { return false };
        let Kept { moment, findings: kept, seen, last_of_shoe, serving, composition, tags } = kept;
        let line = moment.line();
        let Ok(validator) = Validator::restored(self.config.header.clone(), moment) else { return false };
        let Some(findings) = findings(&self.config).restored(kept, validator.regulation()) else { return false };
        let Some(composition) = Composition::restored(composition) else { return false };
        let table = LiveTable::new(validator.in_language(self.config.lang), findings);
        self.table = table.after(line).knowing(composition);
        (self.seen, self.last_of_shoe, self.serving) = (seen, last_of_shoe, serving);
        self.observer.restore(tags);
        true
    }

    fn take(&mut self, line: LineNo, _: u64, event: &Event) {
        let Judged { covering, .. } = self.table.step(line, event);
        self.secret = self.secret.filter(|secret| !covering.uncovers.iter().any(|(line, _)| line == secret));
        self.hidden.retain(|drawn, _| !covering.uncovers.iter().any(|(line, _)| line == drawn));
        if matches!(event, Event::Load { .. }) {
            self.hidden.clear(); // what was burned is opened
        }
        if let (Event::Draw { card, .. }, true) = (event, covering.covers.is_some()) {
            self.hidden.insert(line, *card);
        }
        if let Some(saw) = links::seen_by_shoe(event) {
            self.last_of_shoe = Some(saw);
            self.secret = covering.covers.map(|_| line);
        }
        self.observer.recall(event);
        self.seen.recall(event);
        self.serving.told(event);
    }
}

pub(super) fn findings(config: &Config) -> Findings {
    let findings = Findings::new(config.lang).without(config.silent.clone());
    if config.staff.is_some() { findings.closable() } else { findings }
}

fn observer(config: &Config, Registries { chips, decks }: Registries) -> Observer {
    // FEIG's readers know a card by the registry of decks alone
    let sees_cards = |driver: &Driver| match driver {
        Driver::Own(link) => link.role == Role::Chips,
        Driver::Feig(line) => decks.is_some() && line.setup.role() == Role::Chips,
        Driver::Scanner(_) | Driver::Camera(_) | Driver::Pad(_) => false,
    };
    let antennas = config.devices.iter().any(|device: &DeviceConfig| sees_cards(&device.driver));
    let place_wait = if antennas { config.place_wait } else { std::time::Duration::ZERO };
    let observes = config.header.observes;
    let has_keypad = config.devices.iter().any(|device| device.role == Role::Keypad);
    let ends_passes = !has_keypad && !observes.decisions && observes.bets && observes.moves;
    let mut observer = Observer::new(&config.header, place_wait).ending_passes(ends_passes);
    if let Some(registry) = chips {
        observer = observer.with_chip_tracker(ChipTracker::new(registry, config.header.table.clone()));
    }
    let lines: Vec<&FeigLine> = config.devices.iter().filter_map(DeviceConfig::feig_line).collect();
    // where cards lie: one that passes the antenna of the shoe lies nowhere yet
    let pads: HashSet<Place> =
        lines.iter().flat_map(|line| line.places()).filter(|place| *place != Place::Shoe).collect();
    let tagged = decks.filter(|_| !lines.is_empty());
    let tagged = tagged.map(|registry| TaggedCards::new(registry, &config.header, pads, place_wait));
    let spots = lines.iter().flat_map(|line| &line.setup.spots).filter_map(|spot| match spot.at {
        Pad::Stake(stake) => Some(stake),
        Pad::Cards(_) => None,
    });
    observer = observer.with_tagged_cards(tagged).with_spots(spots);
    match &config.staff {
        Some(staff) => observer.with_people(staff::StaffFile::at(staff.clone()), config.second_person.clone()),
        None if config.believes_badges() => observer,
        None => observer.refusing_badges(),
    }
}

/// Who comes to the same from the same lines: the program, and the configuration.
pub(super) fn reads_alike(config: &Config) -> Option<String> {
    about::program().map(|program| format!("{program} {}", config.digest))
}

/// What is known before the lines that are read.
pub(super) enum Before {
    /// Of a record from its first line on: what the shoes of the days before it have shown.
    Day(Composition),
    /// What was kept of it, and up to where.
    Kept(Mark, String),
}

impl Before {
    /// What was kept of a record, where anything was.
    pub(super) fn of(kept: Option<(Mark, String)>) -> Self {
        kept.map_or_else(|| Self::Day(Composition::default()), |(mark, state)| Self::Kept(mark, state))
    }

    fn mark(&self) -> Mark {
        if let Self::Kept(mark, _) = self { mark.clone() } else { Mark::default() }
    }
}

/// Keeps what the record has told, each time it has grown by so much, and says what to tell the record of that: the
/// hash, and the lines.
///
/// It takes a few megabytes each time, and an allocator keeps such room for the thread that had it. So it is one thread
/// for all of them; any thread of the runtime would come to have that room, one after the other.
pub(super) fn keep(
    config: Arc<Config>,
    before: Before,
    durable: watch::Receiver<Durable>,
    told: mpsc::UnboundedSender<(String, LineNo)>,
) {
    let (runtime, log) = (tokio::runtime::Handle::current(), tracing::dispatcher::get_default(Clone::clone));
    let keeps = move || {
        tracing::dispatcher::with_default(&log, || runtime.block_on(keep_as_it_grows(&config, before, durable, told)));
    };
    if let Err(why) = std::thread::Builder::new().name("keeping".to_owned()).spawn(keeps) {
        tracing::warn!("nothing of the record is kept for the next start: {why}");
    }
}

async fn keep_as_it_grows(
    config: &Arc<Config>,
    mut before: Before,
    mut durable: watch::Receiver<Durable>,
    told: mpsc::UnboundedSender<(String, LineNo)>,
) {
    let mut next = before.mark().lines + EVERY;
    loop {
        let Ok(until) = durable.wait_for(|durable| durable.line >= next).await.map(|durable| durable.line) else {
            return;
        };
        let made = keep_once(config, &before, until);
        next = until + EVERY / 8;
        match made {
            Ok(Some((mark, state, hash))) => {
                next = mark.lines + EVERY;
                let sent = told.send((hash, mark.lines));
                before = Before::Kept(mark, state);
                if sent.is_err() {
                    return;
                }
            }
            Ok(None) => {}
            Err(why) => tracing::warn!("what was read of the record is not kept for the next start: {why}"),
        }
    }
}

/// Reads the record on up to a line, and keeps what can be: that from which its last lines lead to the same.
fn keep_once(
    config: &Arc<Config>,
    before: &Before,
    until: LineNo,
) -> Result<Option<(Mark, String, String)>, StationError> {
    let Some(program) = reads_alike(config) else { return Ok(None) };
    let from = before.mark();
    let sealing = sealing(config)?;
    let new = || Recalled::new(config.clone(), Registries::unread(config));
    let begin = || -> Result<Recalled, StationError> {
        let mut recalled = new()?;
        match before {
            Before::Day(composition) => recalled.table = recalled.table.knowing(composition.clone()),
            Before::Kept(_, state) => _ = recalled.restore(state),
        }
        Ok(recalled)
    };
    let read = |recalled: &mut Recalled, from: &Mark, until: LineNo| -> Result<Mark, JournalError> {
        journal::read_on(&config.journal, &config.header, &sealing, from, until, recalled)
    };
    let mut whole = begin()?;
    read(&mut whole, &from, until)?;
    let Some(line) = whole.table.validator.settled().filter(|line| *line > from.lines) else { return Ok(None) };
    let mut part = begin()?;
    let mark = read(&mut part, &from, line)?;
    let Some(state) = part.kept(line) else { return Ok(None) };
    drop(part);
    let mut again = new()?;
    again.restore(&state);
    read(&mut again, &mark, until)?;
    if !again.agrees_with(&whole) {
        return Ok(None);
    }
    let kept = journal::keep(&config.journal, &program, mark.clone(), state.clone());
    let io = |why| JournalError::Io { path: journal::state_of(&config.journal), why };
    Ok(Some((mark, state, kept.map_err(io)?)))
}

#[cfg(test)]
#[path = "recall_tests.rs"]
pub(crate) mod tests;
