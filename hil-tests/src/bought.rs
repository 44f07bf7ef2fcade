//! A table of bought parts, with a station as it is: a scanner at the shoe, FEIG readers under the felt on lines of
//! their own, a numeric pad, a signal tower and a pole display, each its twin at a real port. A hand takes its time
//! there, and the readers theirs.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sabot_drivers::saw::{Pad, Stake};
use sabot_drivers::signal::pole::Protocol as Pole;
use sabot_handbook::examples::Case;
use sabot_handbook::parts::header_with_bought;
use sabot_law::table::event::Kind;
use sabot_law::table::{Card, Event, Header, Name, line};
use sabot_simulation::bought_felt::{BoughtFelt, DECKS, Handled, card_tag, chips, lines};
use sabot_simulation::feig::{FeigTwin, Port};
use sabot_simulation::levers::{LineLever, TwinLever};
use sabot_simulation::scanner::{Lever as Scanned, Protocol, ScannerTwin};
use sabot_simulation::table_sensors::TableSensors;
use sabot_station::acts::{Act, Acts, Signed};
use sabot_station::config::Config;
use sabot_station::entered::of_dealer;
use sabot_station::registry::{Chip, DeckCard, Entry, Kind as RegistryKind, Registry, State};
use sabot_station::snapshot::{DeviceState, Face, Snapshot};
use sabot_station::{StationError, With};
use sabot_wire::message::{ChipsSaw, Observation, ShoeSaw};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::record::Record;
use crate::seen_signal::SeenSignal;
use crate::station_log::StationLog;
use crate::{eventually, must};

/// Symbols of cards.
const CARDS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/cards.toml"));
/// The key of the pad under the number 1, by the kernel's code; those up to 9 and Enter.
const KEYS: [u16; 9] = [79, 80, 81, 75, 76, 77, 71, 72, 73];
/// From a card to the next thing a dealer does, and from chips: readers need so long to be sure of a stack.
const AFTER_A_CARD: Duration = Duration::from_millis(1300);
const AFTER_CHIPS: Duration = Duration::from_millis(4500);
/// He has seen what is offered.
const SEES_THE_SCREEN: Duration = Duration::from_millis(400);
/// By then the readers have told all, and a tray's card has slid away.
const AT_THE_END: Duration = Duration::from_secs(12);
/// How often hands are looked at.
const STEP: Duration = Duration::from_millis(10);

/// A part of the table that somebody may pull out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The scanner at the shoe.
    Scanner,
    /// A line of FEIG readers, from 0.
    Readers(usize),
    /// The numeric pad.
    Pad,
    /// The signal tower.
    Tower,
    /// The pole display.
    Pole,
}

/// The table. Dropping it stops everything on it.
pub struct BoughtBench {
    runtime: Runtime,
    stop: watch::Sender<bool>,
    task: Option<JoinHandle<Result<(), StationError>>>,
    snapshots: watch::Receiver<Arc<Snapshot>>,
    acts: Acts,
    log: StationLog,
    scanner: ScannerTwin,
    readers: Vec<FeigTwin>,
    /// None while it is pulled out.
    pad: Option<fs::File>,
    tower: SeenSignal,
    pole: SeenSignal,
    felt: BoughtFelt,
    sensors: TableSensors,
    hands: Vec<(Instant, Handled)>,
    /// How many entries were made by a key, and how many by a form of the dealer's screen.
    pub entered: (u32, u32),
    folder: TempDir,
}

/// An example of the handbook: its header, with as many boxes as it speaks of, and what happens.
///
/// # Panics
/// When it is no log.
#[must_use]
pub fn example(case: &Case) -> (Header, Vec<Event>) {
    let log = case.scenario.log();
    let mut text = log.lines();
    let header = must("its header", line::header(text.next().unwrap_or_default().as_bytes()));
    let events: Vec<Event> = text.map(|text| must("an event", line::event(text.as_bytes()))).collect();
    let boxes = events.iter().flat_map(Event::boxes).map(|(_, box_no)| box_no).max().unwrap_or(1);
    (Header { boxes: header.boxes.min(boxes), ..header }, events)
}

impl BoughtBench {
    /// A table of that header in session, whose boxes may be split into so many hands, with cards for each way of
    /// loading in what will be played.
    ///
    /// # Panics
    /// When something of it cannot be had.
    #[must_use]
    pub fn of(header: &Header, max_hands: u8, seed: u64, events: &[Event]) -> Self {
        let header = header_with_bought(header);
        let folder = must("a folder for the bench", tempfile::tempdir());
        let at = |name: &str| folder.path().join(name);
        let log = StationLog::default();
        let runtime = must("a runtime", crate::bench::runtime(&log));
        registries(folder.path(), events);
        let pads = lines(header.boxes);
        let address = Port::Tcp(([127, 0, 0, 1], 0).into());
        let reader = |(nth, pads): (u64, &Vec<Pad>)| {
            must("readers", FeigTwin::start(&address, u8::try_from(pads.len()).unwrap_or(u8::MAX), seed * 100 + nth))
        };
        let readers: Vec<FeigTwin> = (0..).zip(&pads).map(reader).collect();
        let scanner = must("the scanner", ScannerTwin::start(at("scanner"), Protocol::Ssi, seed));
        let pad = Some(pipe(folder.path()));
        let (tower, of_tower) = SeenSignal::tower(&runtime);
        let (pole, of_pole) = SeenSignal::pole(&runtime, Pole::EscPos, folder.path());
        let mut text = configuration(&header, folder.path());
        for (pads, twin) in pads.iter().zip(&readers) {
            text += &line_of_readers(pads, twin);
        }
        let file = at("station.toml");
        let mut config = must("the bench's configuration", Config::parse(&file, &(text + &of_tower + &of_pole)));
        config.header = header;
        let (stop, stopped) = watch::channel(false);
        let (told, snapshots) = watch::channel(Arc::default());
        let (acts, taking) = Acts::channel();
        let with = With { acts: Some(taking), ..With::default() };
        let task = Some(runtime.spawn(sabot_station::run_with(config, with, stopped, told)));
        let bench = Self {
            sensors: TableSensors::sharing(max_hands),
            felt: BoughtFelt::new(&pads),
            hands: Vec::new(),
            entered: (0, 0),
            runtime,
            stop,
            task,
            snapshots,
            acts,
            log,
            scanner,
            readers,
            pad,
            tower,
            pole,
            folder,
        };
        bench.is_there();
        bench
    }

    /// Every device is in session, and every spot has been looked at.
    fn is_there(&self) {
        self.are_online();
        std::thread::sleep(AFTER_CHIPS);
    }

    fn are_online(&self) {
        eventually("all devices are there", || {
            let snapshot = self.snapshots.borrow();
            let is_there = |device: &sabot_station::snapshot::DeviceView| device.state == DeviceState::Online;
            !snapshot.devices.is_empty() && snapshot.devices.iter().all(is_there)
        });
    }

    /// What happens goes over the felt, one thing after the other.
    pub fn plays(&mut self, events: &[Event]) {
        let mut rest = events;
        while let Some((event, _)) = rest.split_first() {
            let done = if is_entry(event) { self.enters(rest) } else { self.happens(event) };
            rest = rest.get(done..).unwrap_or_default();
        }
        self.passes(AT_THE_END);
    }

    /// What the sensors see of it is moved; how many events that were.
    fn happens(&mut self, event: &Event) -> usize {
        let mut seen = Vec::new();
        self.sensors.see(event, &mut seen);
        if let Some((from, to)) = self.sensors.opened() {
            self.felt.moves(from.into(), to.into(), Some(1));
        }
        let mut pause = AFTER_A_CARD;
        for saw in seen {
            match saw {
                Observation::Shoe(ShoeSaw::Drawn(card)) => {
                    self.felt.draws(card);
                    let is_read = card != Card::UNREAD;
                    self.scanner.pull(if is_read { Scanned::Scan(symbol(card)) } else { Scanned::NoRead });
                }
                Observation::Shoe(ShoeSaw::CutCard) => self.scanner.pull(Scanned::Scan("CUT".to_owned())),
                Observation::Shoe(ShoeSaw::Loaded { cards, cut_card }) => {
                    self.felt.load();
                    self.scanner.pull(Scanned::Scan(load_symbol(cards.into(), cut_card.into())));
                    pause = AT_THE_END;
                }
                Observation::Chips(ChipsSaw::CardArrived { place, .. }) => self.felt.lays(place),
                Observation::Chips(ChipsSaw::CardsMoved { from, to, cards }) => self.felt.moves(from, to, cards),
                Observation::Chips(ChipsSaw::Spot { .. }) => {
                    self.stacks(&saw);
                    pause = AFTER_CHIPS;
                }
                // which way a card lies nobody sees, nor a badge
                _ => {}
            }
        }
        self.passes(pause);
        1
    }

    fn stacks(&mut self, saw: &Observation) {
        if let Observation::Chips(ChipsSaw::Spot { box_no, hand, spot, chips }) = saw {
            let amount = chips.iter().map(|chip| u64::from(chip.value)).sum();
            self.felt.stack(Stake { box_no: *box_no, hand: *hand, spot: *spot }, amount);
        }
    }

    /// What the dealer enters next: by a key of the pad, where the screen offers it, and all of it that stands under
    /// one key; else by a form. How many events that were.
    fn enters(&mut self, events: &[Event]) -> usize {
        self.passes(SEES_THE_SCREEN);
        let Some(entry) = events.first() else { panic!("nothing is entered") };
        let snapshot = self.snapshots.borrow().clone();
        let is_next = |offered: &[Event]| events.get(..offered.len()) == Some(offered);
        let touch = of_dealer(&snapshot.offers).take(KEYS.len()).zip(KEYS).find(|(offer, _)| is_next(&offer.events));
        let done = match touch {
            Some((offer, key)) => {
                self.presses(key);
                eventually("the key is entered", || self.snapshots.borrow().line > snapshot.line);
                self.entered.0 += 1;
                offer.events.len()
            }
            None => {
                let signed = signed(entry);
                let done = self.runtime.block_on(self.acts.done(signed));
                if let Err(refused) = done {
                    panic!("{entry:?} is refused: {}", refused.words().en);
                }
                self.entered.1 += 1;
                1
            }
        };
        let mut seen = Vec::new();
        events.iter().take(done).for_each(|event| self.sensors.see(event, &mut seen));
        // at the end of a pass bettors take up their chips
        seen.iter().for_each(|saw| self.stacks(saw));
        self.passes(AFTER_A_CARD);
        done
    }

    /// A key of the pad goes down and up.
    fn presses(&mut self, key: u16) {
        let record = |kind: u16, code: u16, value: i32| {
            let time = [0; 2 * size_of::<usize>()];
            [&time[..], &kind.to_ne_bytes(), &code.to_ne_bytes(), &value.to_ne_bytes()].concat()
        };
        let records = [1, 0].map(|value| [record(1, key, value), record(0, 0, 0)].concat());
        let Some(pad) = &mut self.pad else { panic!("the pad is pulled out") };
        must("the pad", pad.write_all(&records.concat()));
    }

    /// Time passes, and hands do what they were about to do.
    fn passes(&mut self, time: Duration) {
        let now = Instant::now();
        self.hands.extend(self.felt.handled().map(|handled| (now + Duration::from_millis(handled.ms), handled)));
        let until = now + time;
        while Instant::now() < until {
            let now = Instant::now();
            for (_, Handled { at: (line, _), lever, .. }) in self.hands.extract_if(.., |(due, _)| *due <= now) {
                if let Some(twin) = self.readers.get(line) {
                    twin.pull(lever);
                }
            }
            std::thread::sleep(STEP);
        }
    }

    /// A part's plug is pulled.
    ///
    /// # Panics
    /// When it cannot be pulled.
    pub fn pulls(&mut self, part: Part) {
        match part {
            Part::Pad => {
                must("the pad", fs::remove_file(self.folder.path().join("pad")));
                self.pad = None;
            }
            other => self.pull_line(other, LineLever::Unplug),
        }
    }

    /// It is put back, and every device is in session again.
    ///
    /// # Panics
    /// When it does not come back in time.
    pub fn puts_back(&mut self, part: Part) {
        match part {
            Part::Pad => self.pad = Some(pipe(self.folder.path())),
            other => self.pull_line(other, LineLever::Plug),
        }
        self.are_online();
    }

    fn pull_line(&self, part: Part, lever: LineLever) {
        match part {
            Part::Scanner => self.scanner.pull_line(lever),
            Part::Readers(line) => self.readers.get(line).into_iter().for_each(|twin| twin.pull_line(lever)),
            Part::Tower => must("the tower", self.tower.pull.blocking_send(TwinLever::Line(lever))),
            Part::Pole => must("the pole display", self.pole.pull.blocking_send(TwinLever::Line(lever))),
            Part::Pad => {}
        }
    }

    /// What the table shows in one word.
    ///
    /// # Panics
    /// When it does not come to be so in time.
    pub fn expect_face(&self, face: Face) {
        let shown = || self.snapshots.borrow().verdict.face;
        eventually(&format!("the table is {}", face.name()), || shown() == face);
    }

    /// The articles found so far.
    #[must_use]
    pub fn found(&self) -> Vec<&'static str> {
        self.snapshots.borrow().findings.iter().map(|view| view.finding.provision).collect()
    }

    /// The tower before the table shows this.
    pub fn expect_tower(&self, lights: &str) {
        self.tower.shows(lights);
    }

    /// The tower before the table shows no such light.
    pub fn expect_tower_not(&self, light: &str) {
        self.tower.shows_not(light);
    }

    /// The pole display has begun to tell the newest finding: one that is remedied at once is not told to its end.
    ///
    /// # Panics
    /// When nothing was found, or it is not to be read in time.
    pub fn expect_pole_tells_the_finding(&self) {
        let words = self.snapshots.borrow().findings.first().map(|view| view.finding.text.en.clone());
        let words = words.unwrap_or_else(|| panic!("nothing was found"));
        self.pole.reads(&words.split(' ').take(4).collect::<Vec<_>>().join(" "));
    }

    /// The record is whole.
    pub fn expect_whole_record(&self) {
        Record::read(&self.folder.path().join("record")).expect_whole();
    }
}

impl Drop for BoughtBench {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if let Some(task) = self.task.take() {
            let _ = self.runtime.block_on(async { tokio::time::timeout(crate::PATIENCE, task).await });
        }
        if std::thread::panicking() {
            let record = self.folder.path().join("record");
            let record = if record.exists() { Record::read(&record).to_string() } else { "none".to_owned() };
            eprintln!("the log of the station:\n{}\nthe record:\n{record}", self.log.text());
        }
    }
}

/// Whether people enter it at this table: nothing sees what is said, and the shuffler is a person.
fn is_entry(event: &Event) -> bool {
    !matches!(
        event.kind(),
        Kind::Draw | Kind::CutCard | Kind::Load | Kind::Bet | Kind::Collect | Kind::Pay | Kind::Move | Kind::Reveal
    )
}

/// Who does it, and signs for it.
fn signed(event: &Event) -> Signed {
    let (by, office, act) = match event {
        Event::Authorize { by, role, what } => (by.clone(), role.word(), Act::Authorize { what: *what }),
        event => (Name::new_static("D-1"), "dealer", Act::Enter { events: vec![event.clone()], is_offered: false }),
    };
    Signed { by, offices: vec![must("an office", office.parse())], act, second: None }
}

fn load_symbol(cards: u32, cut_card: u32) -> String {
    format!("LOAD-{cards}-{cut_card}")
}

fn save<K: RegistryKind>(tags: impl Iterator<Item = (u64, K)>, file: &Path) {
    let mut registry = Registry::default();
    registry.merge(tags.map(|(uid, what)| (uid, Entry { what, state: State::Valid, table: None })));
    must("a registry", registry.save(file));
}

/// The house's cards and chips, and what the symbols say: on the cards, and on one for each way of loading.
fn registries(folder: &Path, events: &[Event]) {
    let of_deck = |deck: u64| {
        let name = Name::from(format!("D-{deck}"));
        let one = move |card: Card| DeckCard { deck: name.clone(), card: ShoeSaw::Drawn(card) };
        (0..52).filter_map(Card::from_index).map(move |card| (card_tag(deck, card.code().into()), one(card)))
    };
    save((0..DECKS).flat_map(of_deck), &folder.join("decks.jsonl"));
    save(chips().map(|(uid, value)| (uid, Chip { value })), &folder.join("chips.jsonl"));
    let load = |event: &Event| match *event {
        Event::Load { cards, cut_card } => Some((cards, cut_card)),
        _ => None,
    };
    let loads: BTreeSet<_> = events.iter().filter_map(load).collect();
    let one = |(cards, cut): (u32, u32)| {
        format!("\"{}\" = {{ cards = {cards}, cut_card = {cut} }}\n", load_symbol(cards, cut))
    };
    let loads: String = loads.into_iter().map(one).collect();
    let (_, cards) = CARDS.split_once("[cards]").unwrap_or_default();
    let symbols = format!("cut = \"CUT\"\n[load]\n{loads}[cards]\n{cards}");
    must("the symbols", fs::write(folder.join("cards.toml"), symbols));
}

/// What the symbol on a card says.
fn symbol(card: Card) -> String {
    let of_card = |line: &str| {
        let (symbol, known) = line.split_once(" = ")?;
        (known.trim_matches('"') == card.to_string()).then(|| symbol.trim_matches('"').to_owned())
    };
    CARDS.lines().find_map(of_card).unwrap_or_else(|| panic!("docs/cards.toml has no {card}"))
}

/// A named pipe in the place of the pad's device file.
fn pipe(folder: &Path) -> fs::File {
    let fresh = folder.join("pad.fresh");
    must("the pad", nix::unistd::mkfifo(&fresh, nix::sys::stat::Mode::S_IRWXU));
    // open for writing before the station finds it: else it would end at once
    let pipe = must("the pad", fs::File::options().read(true).write(true).open(&fresh));
    must("the pad", fs::rename(&fresh, folder.join("pad")));
    pipe
}

fn configuration(header: &Header, folder: &Path) -> String {
    let at = |name: &str| folder.join(name);
    format!(
        "table = \"bought\"\nregulation = \"{}\"\nboxes = {}\nlimits = {{ min = {}, max = {} }}\nlang = \"en\"\n\
         listen = \"127.0.0.1:0\"\njournal = {:?}\ndeck_registry = {:?}\nchip_registry = {:?}\nplace_wait_ms = 4000\n\
         [[device]]\nrole = \"shoe\"\ndriver = \"scanner\"\nport = {:?}\nprotocol = \"ssi\"\ncards = {:?}\n\
         [[device]]\nrole = \"keypad\"\ndriver = \"pad\"\nport = {:?}\n",
        header.regulation,
        header.boxes,
        header.limits.min,
        header.limits.max,
        at("record"),
        at("decks.jsonl"),
        at("chips.jsonl"),
        at("scanner"),
        at("cards.toml"),
        at("pad"),
    )
}

/// A line of readers in the station's file.
fn line_of_readers(pads: &[Pad], twin: &FeigTwin) -> String {
    let spot = |(reader, pad): (usize, &Pad)| match pad {
        Pad::Stake(Stake { box_no, hand, spot }) => {
            format!("{{ box = {box_no}, hand = {hand}, spot = \"{spot}\", reader = {reader} }}")
        }
        Pad::Cards(place) => format!("{{ place = \"{place}\", reader = {reader} }}"),
    };
    let spots: Vec<String> = pads.iter().enumerate().map(spot).collect();
    let address = twin.address().unwrap_or_else(|| panic!("readers on no network"));
    format!(
        "[[device]]\nrole = \"chips\"\ndriver = \"feig\"\nport = \"tcp:{address}\"\nspots = [{}]\n",
        spots.join(", ")
    )
}
