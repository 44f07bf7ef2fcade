//! A table of parts that are bought, in time that is not the machine's: the drivers' own sessions speak with a scanner
//! and with FEIG readers under the felt, whose twins miss tags and take their time, and what they tell is judged.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sabot_drivers::Saw;
use sabot_drivers::feig::records::AntennaByte;
use sabot_drivers::feig::session::Session;
use sabot_drivers::feig::{CardTags, ChipValues, Hysteresis, Setup, Spot, Timing, Values};
use sabot_drivers::link::machine::{Frame, Machine, SessionReport};
use sabot_drivers::saw::{Pad, Stake};
use sabot_drivers::scanner::{self as of_scanner, Protocol, SsiSession, Symbols};
use sabot_handbook::parts::header_with_bought;
use sabot_journal::{Origin, SeenAt};
use sabot_law::table::answer::Finding;
use sabot_law::table::event::Kind;
use sabot_law::table::{Card, Event, Header, Name, Place};
use sabot_law::validator::Validator;
use sabot_simulation::bought_felt::{At, BoughtFelt, CARRIED_MS, chips, lines};
use sabot_simulation::deviations::{Deviating, Options};
use sabot_simulation::feig::{self, BareDevice};
use sabot_simulation::scanner;
use sabot_simulation::table_sensors::TableSensors;
use sabot_simulation::workload::{HOUSES, House, Settings};
use sabot_wire::frame::MAX_FRAME;
use sabot_wire::message::{ChipsSaw, Observation, Role, ShoeSaw};

use super::filmed_tests::Filmed;
use crate::findings::Findings;
use crate::live_table::LiveTable;
use crate::observe::Observer;
use crate::snapshot::{FindingState, FindingView};
use crate::sourced_event::EventSource;
use crate::tagged_cards::TaggedCards;
use crate::tagged_cards::of_tests::registry;

/// A drawn card waits so long for its antenna.
const PLACE_WAIT: Duration = Duration::from_millis(4000);
/// Lines are looked at so often, milliseconds.
const STEP: u64 = 10;
/// Readers have told by then what they are.
const SET_UP: u64 = 10_000;
/// A device at its driver's session, without a port.
pub(super) struct Wired<M, L: 'static> {
    session: M,
    device: BareDevice<L>,
    /// It was asked something, and has not answered yet.
    owes: bool,
}

impl<M: Machine, L: Send + 'static> Wired<M, L> {
    pub(super) fn new(mut session: M, device: BareDevice<L>) -> Self {
        session.opened(0);
        Self { session, device, owes: true }
    }

    pub(super) fn pull(&mut self, now: u64, lever: L) {
        self.device.pull(now, lever);
        self.owes = true;
    }

    pub(super) fn step(&mut self, now: u64) -> Vec<SessionReport> {
        if !self.owes && self.session.wake_at().is_some_and(|at| at > now) {
            return Vec::new();
        }
        let mut reports: Vec<SessionReport> = std::iter::from_fn(|| self.session.tick(now)).collect();
        let mut frame: Frame = [0; MAX_FRAME];
        let asked = self.session.transmit(now, &mut frame).map(<[u8]>::to_vec).unwrap_or_default();
        let answer = self.device.exchange(now, &asked);
        self.owes = (self.owes || !asked.is_empty()) && answer.is_empty();
        let mut answer = &answer[..];
        reports.extend(std::iter::from_fn(|| self.session.receive(now, &mut answer)));
        reports
    }
}

/// The table.
pub(super) struct Bought {
    pub(super) table: LiveTable,
    observer: Observer,
    sensors: TableSensors,
    pub(super) shoe: Shoe,
    readers: Vec<Wired<Session, feig::Lever>>,
    /// Whether a tag has come to a line yet.
    used: Vec<bool>,
    felt: BoughtFelt,
    /// What hands are about to do at the felt, and when.
    hands: Vec<(u64, usize, feig::Lever)>,
    /// They cover antennas while they do.
    hands_lie: bool,
    seqs: [u32; 5],
    now: u64,
    random: ChaCha8Rng,
}

pub(crate) fn session(pads: &[Pad], values: &ChipValues, cards: &CardTags, timing: Timing) -> Session {
    let spot = |(reader, at): (u8, &Pad)| Spot { at: *at, reader: Some(reader), antenna: None };
    Session::new(Setup {
        spots: (0..).zip(pads).map(spot).collect(),
        values: Values::Known(values.clone()),
        cards: cards.clone(),
        buffered: false,
        serial: None,
        poll_ms: 100,
        hold_ms: 2000,
        antennas: AntennaByte::Number,
        hysteresis: Hysteresis::DEFAULT,
        timing,
    })
}

const fn load(event: &Event) -> Option<(u32, u32)> {
    if let Event::Load { cards, cut_card } = event { Some((*cards, *cut_card)) } else { None }
}

/// The symbol of a way of loading.
fn load_symbol(cards: u32, cut_card: u32) -> String {
    format!("LOAD-{cards}-{cut_card}")
}

/// The scanner's session, and a twin whose cards say what they are; each way of loading in what will happen has a card.
fn scanner_line(events: &[Event]) -> Wired<SsiSession, scanner::Lever> {
    let mut symbols = Symbols::new(false);
    symbols.add("CUT", ShoeSaw::CutCard).unwrap();
    symbols.add("EMPTY", ShoeSaw::Empty).unwrap();
    let loads: BTreeSet<(u32, u32)> = events.iter().filter_map(load).collect();
    for (cards, cut_card) in loads {
        let loaded = ShoeSaw::Loaded { cards: cards as u16, cut_card: cut_card as u16 };
        symbols.add(&load_symbol(cards, cut_card), loaded).unwrap();
    }
    for card in (0..52).filter_map(Card::from_index) {
        symbols.add(&card.to_string(), ShoeSaw::Drawn(card)).unwrap();
    }
    let session = SsiSession::new(of_scanner::Setup {
        protocol: Protocol::Ssi,
        symbols: Arc::new(symbols),
        duplicate_ms: 400,
        no_read: Some("NR".to_owned()),
        serial: None,
        last: None,
    });
    Wired::new(session, scanner::bare(Protocol::Ssi))
}

/// What reads the cards as they are drawn.
pub(super) enum Shoe {
    Scanner(Box<Wired<SsiSession, scanner::Lever>>),
    Camera(Box<Filmed>),
}

impl Shoe {
    /// A card is drawn; none is the cut card.
    fn draws(&mut self, now: u64, card: Option<Card>) {
        match self {
            Self::Scanner(scanner) => scanner.pull(
                now,
                match card {
                    Some(Card::UNREAD) => scanner::Lever::NoRead,
                    Some(card) => scanner::Lever::Scan(card.to_string()),
                    None => scanner::Lever::Scan("CUT".to_owned()),
                },
            ),
            Self::Camera(camera) => camera.draws(card),
        }
    }

    /// A card for what is shown in place of words; false where the shoe reads none.
    fn is_shown(&mut self, now: u64, symbol: String) -> bool {
        if let Self::Scanner(scanner) = self {
            scanner.pull(now, scanner::Lever::Scan(symbol));
        }
        matches!(self, Self::Scanner(_))
    }

    fn step(&mut self, now: u64) -> Vec<SessionReport> {
        let scanner = match self {
            Self::Camera(camera) => return camera.step(now),
            Self::Scanner(scanner) => scanner,
        };
        let told = scanner.step(now);
        for report in &told {
            if let SessionReport::Saw { epoch, seq, .. } = report {
                scanner.session.durable(*epoch, *seq);
                scanner.owes = true;
            }
        }
        told
    }
}

impl Bought {
    /// A table that sees what bought parts see of what its header names; a box is split into so many hands at the most.
    pub(super) fn of(header: &Header, max_hands: u8, events: &[Event], seed: u64) -> Self {
        Self::with(Shoe::Scanner(Box::new(scanner_line(events))), header, max_hands, seed)
    }

    /// The same with that shoe.
    pub(super) fn with(shoe: Shoe, header: &Header, max_hands: u8, seed: u64) -> Self {
        let header = header_with_bought(header);
        let lines = lines(header.boxes);
        let places: HashSet<Place> = lines.iter().flatten().map(|pad| pad.place()).collect();
        let mut table = LiveTable::new(Validator::new(header.clone()).unwrap(), Findings::default());
        let cards = TaggedCards::new(registry(), &header, places, PLACE_WAIT);
        let spots = lines.iter().flatten().filter_map(|pad| if let Pad::Stake(at) = *pad { Some(at) } else { None });
        let mut observer = Observer::new(&header, PLACE_WAIT).with_tagged_cards(Some(cards)).with_spots(spots);
        Role::ALL.into_iter().for_each(|role| observer.device(role, "online", None, 0, &mut table));
        let (values, tags) = (chips().collect(), registry().tags().collect());
        let line = |(nth, pads): (u64, &Vec<Pad>)| {
            Wired::new(session(pads, &values, &tags, Timing::TCP), feig::bare(pads.len() as u8, seed * 100 + nth))
        };
        let readers = (0..).zip(&lines).map(line).collect();
        let mut bought = Self {
            sensors: TableSensors::sharing(max_hands),
            random: ChaCha8Rng::seed_from_u64(seed),
            shoe,
            hands: Vec::new(),
            hands_lie: false,
            seqs: [0; 5],
            now: 0,
            used: vec![false; lines.len()],
            felt: BoughtFelt::new(&lines),
            table,
            observer,
            readers,
        };
        bought.passes(10_000);
        bought
    }

    /// Readers of a table that is not well set up: each line misses up to a tenth of its tags, and more in high stacks,
    /// and hands lie over the antennas at which they work.
    fn is_hard_to_hear(&mut self) {
        for line in 0..self.readers.len() {
            let (miss, stack) = (self.random.random_range(0..=100), self.random.random_range(0..=3));
            self.readers[line].pull(self.now, feig::Lever::Miss(miss));
            self.readers[line].pull(self.now, feig::Lever::Stack(stack));
        }
        self.hands_lie = true;
    }

    /// A hand does something at the felt, so long from now.
    fn hand(&mut self, ms: u64, (line, reader): At, does: feig::Lever) {
        if self.hands_lie {
            // it covers the antenna as it comes, and until it is gone
            self.hands.push((self.now + ms.saturating_sub(CARRIED_MS / 2), line, feig::Lever::Hand(Some(reader))));
            self.hands.push((self.now + ms + CARRIED_MS / 2, line, feig::Lever::Hand(None)));
        }
        self.hands.push((self.now + ms, line, does));
    }

    /// A pass, or a part of one, goes over the felt.
    pub(super) fn plays(&mut self, events: &[Event]) {
        self.table.unrecorded.clear();
        events.iter().for_each(|event| self.happens(event));
        self.passes(10_000);
    }

    pub(super) fn happens(&mut self, event: &Event) {
        let mut seen = Vec::new();
        self.sensors.see(event, &mut seen);
        if let Some((from, to)) = self.sensors.opened() {
            self.felt.moves(from.into(), to.into(), Some(1));
        }
        let mut pause = self.random.random_range(900..1800);
        // a badge is read with chips, where there are readers of badges
        let is_entry = event.kind() != Kind::Bet;
        for saw in seen {
            match saw {
                Observation::Shoe(ShoeSaw::Drawn(card)) => self.draws(card),
                Observation::Shoe(ShoeSaw::CutCard) => self.shoe.draws(self.now, None),
                Observation::Chips(ChipsSaw::CardArrived { place, .. }) => self.felt.lays(place),
                Observation::Chips(ChipsSaw::CardsMoved { from, to, cards }) => self.felt.moves(from, to, cards),
                Observation::Chips(ChipsSaw::CardTurned { .. }) => {}
                Observation::Chips(ChipsSaw::Spot { box_no, hand, spot, chips }) => {
                    let amount = chips.iter().map(|chip| u64::from(chip.value)).sum();
                    self.felt.stack(Stake { box_no, hand, spot }, amount);
                    // readers need so long to be sure of a stack
                    pause = self.random.random_range(4000..6000);
                }
                Observation::Keypad(_) if is_entry => {
                    self.observer.give_way(self.now, &mut self.table);
                    self.observer.person(event.clone(), Some(Name::new_static("pad")), self.now, &mut self.table);
                }
                Observation::Shuffler(_) => {
                    self.observer.person(event.clone(), Some(Name::new_static("pad")), self.now, &mut self.table);
                }
                Observation::Shoe(ShoeSaw::Loaded { cards, cut_card }) => {
                    self.felt.load();
                    self.passes(10_000);
                    self.shows(load_symbol(cards.into(), cut_card.into()), &saw);
                }
                Observation::Shoe(ShoeSaw::Empty) => self.shows("EMPTY".to_owned(), &saw),
                // nobody reads a badge
                Observation::Keypad(_) | Observation::Device(_) => {}
            }
        }
        self.passes(pause);
    }

    /// A card that says this passes the shoe; where it reads none such, it tells by itself.
    fn shows(&mut self, symbol: String, saw: &Observation) {
        if !self.shoe.is_shown(self.now, symbol) {
            let source = self.source(Role::Shoe);
            self.observer.take(Role::Shoe, saw, source, self.now, &mut self.table);
        }
        self.passes(450);
    }

    fn draws(&mut self, card: Card) {
        self.felt.draws(card);
        self.shoe.draws(self.now, Some(card));
        self.passes(450);
    }

    fn source(&mut self, role: Role) -> EventSource {
        self.seqs[role as usize] += 1;
        EventSource { origin: Origin(Name::new(role.name()), 1, self.seqs[role as usize]), seen: None }
    }

    pub(super) fn passes(&mut self, ms: u64) {
        for handled in self.felt.handled().collect::<Vec<_>>() {
            self.hand(handled.ms, handled.at, handled.lever);
        }
        let until = self.now + ms;
        while self.now < until {
            self.now += STEP;
            let now = self.now;
            let (due, later) = self.hands.drain(..).partition(|(at, ..)| *at <= now);
            self.hands = later;
            for (_, line, lever) in Vec::into_iter(due) {
                self.used[line] |= matches!(lever, feig::Lever::Put { .. });
                self.readers[line].pull(now, lever);
            }
            if self.observer.deadline().is_some_and(|at| at <= now) {
                self.observer.tick(now, &mut self.table);
            }
            for report in self.shoe.step(now) {
                self.hears(Role::Shoe, report);
            }
            for line in 0..self.readers.len() {
                // of readers that have never had a tag nothing is told once they have been set up
                if now > SET_UP && !self.used[line] && !self.readers[line].owes {
                    continue;
                }
                let told = self.readers[line].step(now);
                told.into_iter().for_each(|report| self.hears(Role::Chips, report));
            }
        }
    }

    fn hears(&mut self, role: Role, report: SessionReport) {
        let (saw, age_ms) = match report {
            // a scanner has no clock
            SessionReport::Saw { saw, age_ms, .. } => (saw, age_ms.filter(|_| role == Role::Chips)),
            SessionReport::Refused { why, .. } | SessionReport::Silent(why) => panic!("{role}: {why}"),
            _ => (None, None),
        };
        let mut source = self.source(role);
        source.seen = age_ms.map(|age_ms| SeenAt { at_ms: self.now as i64 - i64::from(age_ms), error_ms: 1 });
        match saw {
            Some(Saw::Tags(saw)) => self.observer.tags(&saw, source, self.now, &mut self.table),
            Some(Saw::Link(saw)) => self.observer.take(role, &saw, source, self.now, &mut self.table),
            Some(Saw::Key(_)) | None => {}
        }
    }

    /// What the record was told since the last pass.
    pub(super) fn told(&self) -> String {
        let told: Vec<Event> = self.table.unrecorded.iter().map(|(told, _)| told.event.clone()).collect();
        written(&told)
    }

    /// What was found, and stands.
    pub(super) fn found(&self) -> impl Iterator<Item = &Finding> {
        let stands = |view: &&FindingView| view.state != FindingState::Withdrawn;
        self.table.findings.list().filter(stands).map(|view| &view.finding)
    }

    /// How many findings were taken back, as chips or a place that was told late explained them.
    fn withdrawn(&self) -> usize {
        self.table.findings.list().filter(|view| view.state == FindingState::Withdrawn).count()
    }
}

pub(super) fn written(events: &[Event]) -> String {
    events.iter().map(|event| serde_json::to_string(event).unwrap()).collect::<Vec<_>>().join("\n")
}

/// How many tables are dealt for one that usually is.
pub(super) fn times() -> u64 {
    std::env::var("SABOT_TIMES").ok().map_or(1, |text| text.parse().unwrap())
}

pub(super) fn options(house: &'static House, seed: u64, rate: f64) -> Options {
    let options = Options::seen_by_devices(Settings { seed, boxes: 3, ..Settings::of(house) });
    Options { rate, blind: 0.0, ..options }
}

/// Passes that are dealt at one table with each seed.
fn passes(seed: u64) -> u64 {
    if times() > 1 || SHOWED.contains(&seed) { 25 } else { 5 }
}

/// What is found is that the chip reader could not read, or was not sure when the pass ended: nobody is accused.
pub(super) fn is_unread(finding: &Finding) -> bool {
    finding.details.device.as_deref() == Some("chips")
}

/// As the dealer's screen offers it: the touch for a choice names nobody, and whose the bet is no part reads.
pub(super) fn touched(event: &Event) -> Event {
    match event {
        Event::Decide { hand, choice, .. } => Event::Decide { hand: *hand, choice: *choice, by: None },
        Event::Ace { hand, value, .. } => Event::Ace { hand: *hand, value: *value, by: None },
        event => event.clone(),
    }
}

/// Deals at a table of that house; how many findings were taken back, and in how many passes a reader was not sure.
fn deals(house: &'static House, seed: u64, passes: u64) -> (usize, usize) {
    let boxes = if seed % 4 == 1 { 7 } else { 3 };
    let options = options(house, seed, 0.0);
    let settings = Settings { boxes, ..options.settings.clone() };
    let mut dealt = Deviating::new(Options { settings, ..options });
    let mut judge = Validator::new(dealt.header().clone()).unwrap();
    let mut pass = || {
        let mut events = Vec::new();
        dealt.next_pass(&mut events, |line, event, answers| judge.step(line, event, answers));
        events
    };
    let all: Vec<Vec<Event>> = (0..passes).map(|_| pass()).collect();
    let mut bought = Bought::of(dealt.header(), dealt.max_hands(), &all.concat(), seed);
    bought.is_hard_to_hear();
    let mut unread = 0;
    for (pass, events) in all.iter().enumerate() {
        let entered: Vec<Event> = events.iter().map(touched).collect();
        bought.plays(&entered);
        let what = format!("{}, seed {seed}, pass {pass}", house.id);
        let told = bought.told();
        unread += usize::from(["in_doubt", "events_missed", "read_error"].iter().any(|word| told.contains(word)));
        let (notices, found): (Vec<_>, Vec<_>) = bought.found().partition(|finding| is_unread(finding));
        // that a spot could not be read is said beside what was not seen for it, of this pass and of the next
        assert!(
            found.is_empty() && notices.len() <= 3 * unread,
            "{what}: {found:?} {notices:?}\ndealt:\n{}\ntold:\n{told}",
            written(events),
        );
    }
    (bought.withdrawn(), bought.found().count())
}

/// Seeds that have shown a mistake: a stake of a second split that was taken for chips of a hand already settled; a
/// stack that was exchanged for a smaller one before the first card, and read after it; chips that were paid to one
/// hand, and collected from the next, before the reader of both was sure.
const SHOWED: [u64; 3] = [114, 201, 209];

/// `SABOT_TIMES=500` in a release build is 100,000 passes.
#[test]
fn a_table_of_bought_parts_finds_nothing_in_passes_by_the_book() {
    let first: u64 = std::env::var("SABOT_SEED").ok().map_or(0, |text| text.parse().unwrap());
    let sum = |(withdrawn, unread): (usize, usize), of: (usize, usize)| (withdrawn + of.0, unread + of.1);
    let seeds = || (first..first + 2 * times()).chain(SHOWED);
    let all = |house| seeds().map(|seed| deals(house, seed, passes(seed))).fold((0, 0), sum);
    let (withdrawn, unread) = std::thread::scope(|scope| {
        let houses: Vec<_> = HOUSES.iter().map(|&house| scope.spawn(move || all(house))).collect();
        let dealt = houses.into_iter().map(|house| house.join().unwrap_or_else(|why| std::panic::resume_unwind(why)));
        dealt.fold((0, 0), sum)
    });
    let dealt = HOUSES.len() as u64 * seeds().map(passes).sum::<u64>();
    println!(
        "{dealt} passes by the book, 0 false findings; {withdrawn} withdrawn again; chips not read by the end of {unread}"
    );
}

/// What one house's seed has shown, and the pass in which it did: a hand that was paid while the reader of an earlier
/// one was not sure of it, and could not read it in the end; a stake that was collected before another, and read after
/// it; a hand that was lost before the bank drew, and collected before that, and read after it; an advance to a bank
/// that had paid out what was not read; half a stake told as collected before the surrender that it was collected for;
/// an advance that was entered before the reader had said that it was not sure; a chip that was missed eight times; a
/// stake that was collected last, of which a reader was not sure that it had gone when the pass ended; a hand whose
/// antenna took seven seconds to be sure that its cards had gone; a bet that was lowered just before the bets closed,
/// and read so after it, twice.
const SHOWED_BY: [(&str, u64, u64); 11] = [
    ("club", 400389, 5),
    ("talla", 400405, 14),
    ("talla", 400529, 0),
    ("club", 400455, 14),
    ("talla", 400289, 8),
    ("club", 400200, 13),
    ("club", 400610, 22),
    ("croupier-6", 600013, 0),
    ("sala-8", 600809, 2),
    ("croupier-6", 600849, 16),
    ("croupier-6", 600925, 12),
];

/// `SABOT_ONE=talla:400405` deals 25 passes of that house and seed instead.
#[test]
fn passes_that_accused_somebody_once_do_so_no_more() {
    let house = |id: &str| HOUSES.iter().copied().find(|house| house.id == id).unwrap();
    if let Ok(one) = std::env::var("SABOT_ONE") {
        let (id, seed) = one.split_once(':').unwrap();
        println!("{:?}", deals(house(id), seed.parse().unwrap(), 25));
        return;
    }
    for (id, seed, pass) in SHOWED_BY {
        deals(house(id), seed, pass + 1);
    }
}
