//! A table whose antennas know cards by their tags: read late, out of order or not at all.

use std::collections::HashMap;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sabot_drivers::TagsSaw;
use sabot_wire::message::{ChipsSaw, Observation};

use super::of_tests::{DECKS, tag, tagged_cards};
use super::*;
use crate::findings::Findings;
use crate::live_table::LiveTable;
use crate::observe::Observer;
use sabot_journal::Origin;
use sabot_law::table::{HandId, Sight};
use sabot_law::validator::Validator;
use sabot_simulation::deviations::{Deviating, Options};
use sabot_simulation::table_sensors::TableSensors;
use sabot_simulation::twin::role_of;
use sabot_simulation::workload::{HOUSES, House, Settings};

/// A drawn card waits so long for its antenna.
const PLACE_WAIT: Duration = Duration::from_millis(1500);

/// How well antennas read.
#[derive(Clone, Copy)]
struct Antennas {
    /// A tag is told so many milliseconds after it came to lie there, at the most.
    late_ms: u64,
    /// Of a thousand cards so many are never read.
    deaf: u32,
}

/// A table with one antenna a box, one at the bank and one at each tray.
struct Tagged {
    dealt: Deviating,
    judge: Validator,
    table: LiveTable,
    observer: Observer,
    sensors: TableSensors,
    antennas: Antennas,
    random: ChaCha8Rng,
    /// The tags of each card that are in the shoe.
    in_shoe: HashMap<Card, Vec<u64>>,
    drawn: u64,
    /// Tags where they lie.
    lying: Vec<(Place, u64)>,
    /// What antennas have yet to tell, and when.
    unread: Vec<(u64, TagsSaw)>,
    seqs: [u32; 5],
    now: u64,
}

impl Tagged {
    fn new(options: Options, antennas: Antennas) -> Self {
        let seed = options.settings.seed;
        let dealt = Deviating::new(options);
        let sees = [Sight::Places, Sight::Moves, Sight::Bets, Sight::Decisions, Sight::Asks, Sight::Announcements];
        let header = Header { v: 2, observes: sees.into_iter().collect(), ..dealt.header().clone() };
        let mut table = LiveTable::new(Validator::new(header.clone()).unwrap(), Findings::default());
        let cards = tagged_cards(&header, PLACE_WAIT);
        let mut observer = Observer::new(&header, PLACE_WAIT).with_tagged_cards(Some(cards));
        Role::ALL.into_iter().for_each(|role| observer.device(role, "online", None, 0, &mut table));
        let judge = Validator::new(dealt.header().clone()).unwrap();
        let mut tagged = Self {
            sensors: TableSensors::of(dealt.max_hands()),
            dealt,
            judge,
            table,
            observer,
            antennas,
            random: ChaCha8Rng::seed_from_u64(seed),
            in_shoe: HashMap::new(),
            drawn: 0,
            lying: Vec::new(),
            unread: Vec::new(),
            seqs: [0; 5],
            now: 0,
        };
        tagged.load();
        tagged
    }

    /// Deals a pass; where each of its cards went, and where it was told to go.
    fn pass(&mut self) -> (Vec<Went>, Vec<Went>) {
        let mut events = Vec::new();
        self.dealt.next_pass(&mut events, |line, event, answers| self.judge.step(line, event, answers));
        self.table.unrecorded.clear();
        events.iter().for_each(|event| self.happens(event));
        self.passes(10_000);
        let told: Vec<Event> = self.table.unrecorded.iter().map(|(told, _)| told.event.clone()).collect();
        (draws(&events), draws(&told))
    }

    fn happens(&mut self, event: &Event) {
        let mut seen = Vec::new();
        self.sensors.see(event, &mut seen);
        for saw in seen {
            match &saw {
                Observation::Shoe(ShoeSaw::Loaded { .. }) => {
                    self.load();
                    self.passes(10_000);
                }
                Observation::Shoe(ShoeSaw::Drawn(card)) => {
                    // one that the shoe could not read has a tag all the same
                    let card = card.index().map_or(Card::from_index(0).unwrap(), |_| *card);
                    self.drawn = self.in_shoe.get_mut(&card).unwrap().pop().unwrap();
                }
                Observation::Chips(ChipsSaw::CardArrived { place, .. }) => {
                    self.lies(*place, self.drawn, 0);
                    continue;
                }
                Observation::Chips(ChipsSaw::CardsMoved { from, to, cards }) => {
                    self.moves(*from, *to, *cards);
                    continue;
                }
                Observation::Chips(ChipsSaw::CardTurned { .. }) => continue,
                _ => {}
            }
            let source = self.source(role_of(&saw));
            self.observer.take(role_of(&saw), &saw, source, self.now, &mut self.table);
        }
        let took = self.random.random_range(600..1500);
        self.passes(took);
    }

    /// Every card is put into the shoe but those on the felt.
    fn load(&mut self) {
        let (felt, trays) = self.lying.drain(..).partition(|(at, _)| matches!(at, Place::Hand(_) | Place::Bank));
        self.lying = felt;
        let in_tray = |saw: &TagsSaw| matches!(saw, TagsSaw::Card { at, lies: true, .. } if is_tray(*at));
        self.unread.retain(|(_, saw)| !in_tray(saw));
        let swept = Vec::into_iter(trays).map(|(at, tag)| (self.now, TagsSaw::Card { at, tag, lies: false }));
        self.unread.extend(swept);
        for card in 0..52 {
            let tags = (0..DECKS).map(|deck| tag(deck, u64::from(card)));
            let in_shoe = tags.filter(|tag| self.lying.iter().all(|(_, lying)| lying != tag)).collect();
            self.in_shoe.insert(Card::from_index(card).unwrap(), in_shoe);
        }
    }

    fn source(&mut self, role: Role) -> EventSource {
        self.seqs[role as usize] += 1;
        EventSource { origin: Origin(Name::new(role.name()), 1, self.seqs[role as usize]), seen: None }
    }

    /// A card is laid over the antenna of a place, so many milliseconds from now.
    fn lies(&mut self, place: Place, tag: u64, ms: u64) {
        self.lying.push((place, tag));
        if self.random.random_range(0..1000) >= self.antennas.deaf {
            let at = if let Place::Hand(hand) = place { HandId::first(hand.box_no).into() } else { place };
            let late = self.random.random_range(0..=self.antennas.late_ms);
            self.unread.push((self.now + ms + late, TagsSaw::Card { at, tag, lies: true }));
        }
    }

    /// The last cards of a place are taken elsewhere. The antenna there misses them after some seconds.
    fn moves(&mut self, from: Place, to: Place, cards: Option<u8>) {
        for _ in 0..cards.unwrap_or(u8::MAX) {
            let Some(nth) = self.lying.iter().rposition(|(place, _)| *place == from) else { return };
            let (_, tag) = self.lying.remove(nth);
            let at = if let Place::Hand(hand) = from { HandId::first(hand.box_no).into() } else { from };
            // one that was not heard there yet is not
            let (late, told) =
                self.unread.drain(..).partition(|(_, saw)| *saw == TagsSaw::Card { at, tag, lies: true });
            self.unread = told;
            if Vec::is_empty(&late) {
                let gone = self.now + self.random.random_range(1500..4000);
                self.unread.push((gone, TagsSaw::Card { at, tag, lies: false }));
            }
            self.lies(to, tag, 300);
        }
    }

    fn passes(&mut self, ms: u64) {
        let until = self.now + ms;
        loop {
            let read = self.unread.iter().map(|(at, _)| *at).min().filter(|at| *at <= until);
            let due = self.observer.deadline().filter(|at| *at <= until);
            let Some(next) = read.into_iter().chain(due).min() else { break };
            self.now = self.now.max(next);
            self.observer.tick(self.now, &mut self.table);
            while let Some(nth) = self.unread.iter().position(|(at, _)| *at <= self.now) {
                let (_, saw) = self.unread.remove(nth);
                let source = self.source(Role::Chips);
                self.observer.tags(&saw, source, self.now, &mut self.table);
            }
        }
        self.now = until;
    }

    fn found(&self) -> Vec<String> {
        self.table.findings.list().map(|view| format!("{:?}", view.finding)).collect()
    }
}

/// A card drawn, and where it went.
type Went = (Card, Option<Place>);

/// The cards that leave the shoe, with the box, or where else they go. One that the shoe could not read is the ace of
/// spades.
fn draws(events: &[Event]) -> Vec<Went> {
    let of_box = |place: Place| if let Place::Hand(hand) = place { HandId::first(hand.box_no).into() } else { place };
    let draw = |event: &Event| match event {
        Event::Draw { card, to, .. } => {
            let card = card.index().map_or(Card::from_index(0).unwrap(), |_| *card);
            Some((card, to.map(of_box)))
        }
        _ => None,
    };
    events.iter().filter_map(draw).collect()
}

fn is_bad_report(event: &Event) -> bool {
    matches!(event, Event::Device { status, .. } if status == "bad_report")
}

fn options(house: &'static House, seed: u64, rate: f64) -> Options {
    let options = Options::seen_by_devices(Settings { seed, boxes: 5, ..Settings::of(house) });
    Options { rate, blind: 0.0, ..options }
}

/// How many tables are dealt for one that usually is.
fn times() -> u64 {
    std::env::var("SABOT_TIMES").ok().map_or(1, |text| text.parse().unwrap())
}

#[test]
fn by_the_book_nothing_is_found_however_late_and_deaf_the_antennas_are() {
    for (late_ms, deaf) in [(100, 0), (900, 0), (1400, 20), (4000, 100)] {
        for (house, seed) in HOUSES.iter().flat_map(|house| (0..3 * times()).map(move |seed| (*house, seed))) {
            let mut tagged = Tagged::new(options(house, seed, 0.0), Antennas { late_ms, deaf });
            for pass in 0..40 {
                tagged.pass();
                let lines: Vec<String> = (tagged.table.unrecorded.iter())
                    .map(|(told, _)| serde_json::to_string(&told.event).unwrap())
                    .collect();
                let what = format!("{}, seed {seed}, pass {pass}, {late_ms} ms", house.id);
                assert_eq!(tagged.found(), [""; 0], "{what}\n{}", lines.join("\n"));
            }
        }
    }
}

#[test]
fn where_cards_are_dealt_astray_tags_tell_where_each_of_them_went() {
    for (house, seed) in HOUSES.iter().flat_map(|house| (0..10 * times()).map(move |seed| (*house, seed))) {
        let mut tagged = Tagged::new(options(house, seed, 1.0), Antennas { late_ms: 500, deaf: 0 });
        for pass in 0..10 {
            let (dealt, told) = tagged.pass();
            // a shoe that cannot have been loaded so has not been loaded, and its cards lay on the felt before
            if tagged.table.unrecorded.iter().any(|(told, _)| is_bad_report(&told.event)) {
                break;
            }
            assert_eq!(dealt, told, "{}, seed {seed}, pass {pass}", house.id);
        }
    }
}
