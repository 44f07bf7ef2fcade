//! Two tables that differ in nothing but a covered card send the same to every reader, byte for byte, until the event
//! that uncovers it: to who asks over the network, to the pit display, to other signals, to the devices, to the log.
//! Their records are the same but for keys and seals, and a station started from either sends the same, too: the one
//! that has kept its keys, and the one that has lost them.

use std::collections::BTreeSet;
use std::path::Path;

use axum::Router;
use hyper_util::service::TowerToHyperService;
use sabot_drivers::{LinkReport, Seen};
use sabot_wire::message::{Observation, ShoeSaw};
use tempfile::TempDir;

use self::sent::{Sent, answers, logged, masked, picture_of};
use super::tests::{config, first_line, online};
use super::*;
use crate::card_pictures::tests::Asked;
use crate::console::{Access, web};
use crate::findings::Findings;
use crate::record_feed::RecordFeed;
use crate::tagged_cards::of_tests::{TagReader, tagged_cards};
use sabot_journal::failing_disk::{Disk, on_sealing, opened};
use sabot_law::table::event::Face;
use sabot_law::table::{BetSpot, Card, Event, Header, Place, line};
use sabot_law::validator::Validator;
use sabot_simulation::deviations::{Deviating, Options};
use sabot_simulation::table_sensors::TableSensors;
use sabot_simulation::twin::role_of;
use sabot_simulation::workload::{HOUSES, House, Settings};

#[path = "table_task_sent_tests.rs"]
mod sent;

/// Everything that is read over the network. A live page's first picture is the whole of it.
const ADDRESSES: [&str; 37] = [
    "/?lang=es",
    "/?lang=en",
    "/events?lang=es",
    "/events?lang=en",
    "/api/snapshot",
    "/api/v1/verdict",
    "/api/v1/verdicts",
    "/api/v1/events?after={before}",
    "/api/v1/openapi.json",
    "/checkpoint?old=0",
    "/metrics",
    "/healthz",
    "/authority.crt",
    "/findings/{n}?lang=en",
    "/findings/{n}/cards/{line}",
    "/acts",
    "/dealer",
    "/dealer/more",
    "/dealer/more/{form}",
    "/correct",
    "/correct/{line}",
    "/correct/{line}/{how}",
    "/correct/{line}/{how}/{form}",
    "/sign-in",
    "/sign-out",
    "/findings",
    "/passes/{pass}",
    "/shift",
    "/shoe",
    "/devices",
    "/moments",
    "/moments/{before}",
    "/log",
    "/regulation",
    "/regulation/{article}",
    "/silent",
    "/staff",
];

/// Asked at every third line only, of those at which anything is: six tell the whole record again, the others nothing
/// of it.
const SELDOM: [&str; 9] = [
    "/findings",
    "/passes/{pass}",
    "/shift",
    "/shoe",
    "/devices",
    "/log",
    "/moments/{before}",
    "/regulation",
    "/regulation/{article}",
];

const RANKS: &str = "A23456789TJQK";

/// Everything is asked for once in so many moments.
const ASKED: usize = 8;

/// Of the ranks that might lie there, one in so many is tried: others at each card, and all with SABOT_TIMES=2 or more.
const TRIED: usize = 4;

/// Nothing waits for another device after it.
const LONG: Duration = Duration::from_secs(10);

/// A station whose devices are told what to see.
struct Station {
    task: TableTask<Sent>,
    sent: Sent,
    log: Sent,
    snapshots: watch::Receiver<Arc<Snapshot>>,
    pages: TowerToHyperService<Router>,
    disk: Disk,
    /// What of it is on the disk, for who follows the record.
    written: watch::Sender<Durable>,
    /// The last line of it that was asked for.
    followed: LineNo,
    /// The first line of it.
    first: String,
    folder: TempDir,
    seqs: [u32; 5],
    reader: Option<TagReader>,
    /// What the disk is asked to keep of the pictures of cards.
    pictures: Asked,
    _running: watch::Sender<bool>,
}

impl Station {
    fn start(header: &Header, by_tags: bool, log: &Sent) -> Self {
        let config = Config { header: header.clone(), ..config(LONG) };
        let (disk, sent) = (Disk::default(), Sent::default());
        let validator = Validator::new(header.clone()).unwrap().in_language(config.lang);
        let table = LiveTable::new(validator, Findings::new(config.lang));
        let observer = Observer::new(header, config.place_wait);
        let cards = by_tags.then(|| tagged_cards(header, config.place_wait));
        let observer = observer.with_tagged_cards(cards);
        let (told, snapshots) = watch::channel(Arc::default());
        let (running, stop) = watch::channel(false);
        let folder = tempfile::tempdir().unwrap();
        // players are called the same at each of them
        std::fs::write(folder.path().join("record.players"), [7; 32]).unwrap();
        let feed = RecordFeed::of(&folder.path().join("record"));
        let (written, durable) = watch::channel(Durable { line: 1, bytes: 0, fault: None });
        feed.is_open(durable);
        let access = Access { record: Some(feed), ..Access::default() };
        let pages = TowerToHyperService::new(web::router(snapshots.clone(), access, stop));
        let journal = (on_sealing(&disk, 1, &folder.path().join("keys")), Clock::starting_at(0));
        let mut task = TableTask::new(&config, table, observer, journal, sent.clone(), told);
        let (kept, pictures) = Asked::of_station();
        task = task.keeping(kept);
        for role in Role::ALL {
            task.report(role, online(role));
        }
        task.presence.at_one_time();
        let log = log.clone();
        Self {
            task,
            sent,
            log,
            snapshots,
            pages,
            disk,
            written,
            followed: 1,
            first: first_line(header),
            folder,
            seqs: [0; 5],
            reader: by_tags.then(TagReader::default),
            pictures,
            _running: running,
        }
    }

    fn sees(&mut self, saw: &Observation) {
        let (picture, role) = (picture_of(saw), role_of(saw));
        self.seqs[role as usize] += 1;
        let (serial, seq) = (role.name().to_owned(), self.seqs[role as usize]);
        let saw = self.reader.as_mut().map_or_else(|| saw.clone().into(), |reader| reader.sees(saw));
        let seen = Seen { role, serial, epoch: 1, seq, at_ms: 0, saw: Some(saw), when: None };
        self.task.report(role, LinkReport::Saw(seen));
        let serial = role.name().to_owned();
        let picture = picture.map(|jpeg| LinkReport::Picture { serial, epoch: 1, seq, jpeg });
        picture.into_iter().for_each(|report| self.task.report(role, report));
        self.sent.note(&self.log.take());
    }

    /// Time has passed: nothing waits any more, and the record is on disk.
    fn rests(&mut self) {
        self.task.tick();
        self.task.durable(Durable { line: self.task.journal.lines(), bytes: 0, fault: None });
        self.task.count();
        self.sent.note(&self.log.take());
    }

    /// All that it has sent, and the picture from which it draws every page; what it answers to anybody, where it is
    /// asked.
    async fn sends(&mut self, asked: bool) -> String {
        let wakes = self.snapshots.has_changed().unwrap();
        let mut picture = Snapshot::clone(&self.snapshots.borrow_and_update());
        // how long the disk took is the machine's, and no card's; nor is since when a station stands as it does
        picture.figures.syncs = sabot_words::Times::default();
        picture.verdict.since = None;
        let (unasked, waits) = (self.sent.take(), self.task.observer.deadline());
        let answers = if asked { self.answers().await } else { String::new() };
        let (log, kept) = (self.log.take(), self.pictures.take());
        format!("{unasked}{kept}pages are woken: {wakes}\nwaits until {waits:?}\n{answers}{log}\n{picture:?}")
    }

    async fn answers(&mut self) -> String {
        self.writes();
        let line = self.task.journal.lines();
        let before = std::mem::replace(&mut self.followed, line);
        answers(&self.pages, (before, line)).await
    }

    /// All that it has told is on the disk, where it is followed.
    fn writes(&self) {
        let lines = self.task.journal.lines();
        let durable = self.task.journal.durable();
        while durable.borrow().line < lines {
            std::thread::yield_now();
        }
        let text = [self.first.as_bytes(), &self.disk.with(|disk| disk.synced.clone())].concat();
        std::fs::write(self.folder.path().join("record"), &text).unwrap();
        self.written.send_replace(Durable { line: lines, bytes: text.len() as u64, fault: None });
    }

    /// Whether the card seen last lies covered at a place.
    fn lies_covered(&self, place: Place) -> bool {
        let pass = &self.task.table.validator.state().pass;
        place == Place::Burn || pass.lying_at(place).last().is_some_and(|held| held.down)
    }

    /// The lines of its record as they stand there, keys, seals and chains masked; and its events with every card.
    async fn record(self) -> (Vec<String>, Vec<Event>) {
        let Self { task, disk, folder, .. } = self;
        task.close().await;
        let text = disk.with(|disk| String::from_utf8(disk.synced.clone()).unwrap());
        let events = opened(&text, 1, &folder.path().join("keys"));
        let events = events.lines().map(|line| line::event(line.as_bytes()).unwrap()).collect();
        (text.lines().map(masked).collect(), events)
    }
}

/// What a station started from a record sends to who asks, and its log; where it has `kept` the keys of covered cards
/// or has not.
async fn restarted(header: &Header, events: &[Event], folder: &Path, kept: bool, log: &Sent) -> String {
    let config = Config { header: header.clone(), journal: folder.join("record"), devices: Vec::new(), ..config(LONG) };
    let keys = folder.join("record.seal");
    for before in [config.journal.clone(), folder.join("record.synced"), keys.clone()] {
        let _ = std::fs::remove_file(before);
    }
    let (mut journal, _) = sabot_journal::open(&config.journal, header, |_, _, _| {}).unwrap();
    let mut table = LiveTable::new(Validator::new(header.clone()).unwrap(), Findings::new(config.lang));
    for (t, event) in (0..).zip(events) {
        let Judged { covering, answers, .. } = table.step(journal.lines() + 1, event);
        journal.append(Record { covering, answers, ..Record::of(event.clone(), t) });
    }
    assert_eq!(journal.close().fault, None);
    if !kept {
        let _ = std::fs::remove_file(&keys);
    }
    let (told, snapshots) = watch::channel(Arc::default());
    let (_running, stop) = watch::channel(false);
    log.take();
    crate::run(config, stop.clone(), told).await.unwrap();
    let access = Access { record: Some(RecordFeed::of(&folder.join("record"))), ..Access::default() };
    let pages = TowerToHyperService::new(web::router(snapshots, access, stop));
    log.take() + &answers(&pages, (1, 1)).await
}

/// A log as the devices see it.
struct Log {
    name: String,
    header: Header,
    events: Vec<Event>,
    /// What is seen, and of which event.
    seen: Vec<(usize, Observation)>,
    /// Antennas read the cards' tags.
    by_tags: bool,
}

/// A card that nobody may know yet: where it is seen first, and where it may show.
struct Covered {
    at: usize,
    until: usize,
}

impl Log {
    fn of(name: String, header: &Header, max_hands: u8, events: Vec<Event>) -> Self {
        let (mut sensors, mut seen) = (TableSensors::of(max_hands), Vec::new());
        for (n, event) in events.iter().enumerate() {
            let mut of_event = Vec::new();
            sensors.see(event, &mut of_event);
            seen.extend(of_event.into_iter().map(|saw| (n, saw)));
        }
        Self { name, header: header.clone(), events, seen, by_tags: false }
    }

    fn is_last_of_event(&self, n: usize) -> bool {
        self.seen.get(n + 1).is_none_or(|(next, _)| *next != self.seen[n].0)
    }

    /// The cards that are drawn and lie covered; where `undealt`, every card from the shoe to the felt.
    async fn covered(&self, undealt: bool, log: &Sent) -> Vec<Covered> {
        let mut station = Station::start(&self.header, self.by_tags, log);
        let (mut all, mut drawn) = (Vec::new(), None);
        for (n, (of, saw)) in self.seen.iter().enumerate() {
            station.sees(saw);
            if let Observation::Shoe(ShoeSaw::Drawn(card)) = saw {
                drawn = Some(n).filter(|_| *card != Card::UNREAD);
            }
            if !self.is_last_of_event(n) {
                continue;
            }
            tokio::time::advance(LONG).await;
            station.rests();
            let Some(at) = drawn.take() else { continue };
            let Event::Draw { to: Some(place), .. } = self.events[*of] else { continue };
            if undealt {
                all.push(Covered { at, until: n });
            } else if station.lies_covered(place) {
                let later = &self.seen[n + 1..];
                let shown = later.iter().position(|(of, _)| uncovers(&self.events[*of], place));
                all.push(Covered { at, until: shown.map_or(self.seen.len(), |more| n + 1 + more) });
            }
        }
        all
    }

    /// The same with other ranks for a card, of the suit that is drawn least.
    fn others(&self, at: usize) -> Vec<Observation> {
        let tried = if times() > 1 { 1 } else { TRIED };
        let is = |saw: &Observation, card: Card| *saw == Observation::Shoe(ShoeSaw::Drawn(card));
        let drawn = |card: Card| self.seen.iter().filter(|(_, saw)| is(saw, card)).count();
        let card = |rank: char| {
            let suits = "SHDC".chars().map(|suit| format!("{rank}{suit}").parse::<Card>().unwrap());
            suits.min_by_key(|card| drawn(*card)).unwrap()
        };
        let Observation::Shoe(ShoeSaw::Drawn(own)) = self.seen[at].1 else { panic!("no card is drawn at {at}") };
        let ranks = RANKS.chars().skip(at % tried).step_by(tried);
        [own].into_iter().chain(ranks.map(card)).map(|card| Observation::Shoe(ShoeSaw::Drawn(card))).collect()
    }

    /// Where somebody is sent something that tells a card.
    async fn leak(&self, Covered { at, until }: Covered, folder: &Path, log: &Sent) -> Option<String> {
        let cards = self.others(at);
        let mut stations: Vec<Station> =
            cards.iter().map(|_| Station::start(&self.header, self.by_tags, log)).collect();
        for (n, (of, saw)) in self.seen[..until].iter().enumerate() {
            for (station, card) in stations.iter_mut().zip(&cards) {
                station.sees(if n == at { card } else { saw });
            }
            let mut differs = None;
            let is_asked = is_asked(n, at, until);
            if n >= at {
                differs = self.compared(&mut stations, &cards, is_asked).await;
            }
            if self.is_last_of_event(n) {
                tokio::time::advance(LONG).await;
                stations.iter_mut().for_each(Station::rests);
                if n >= at && differs.is_none() {
                    differs = self.compared(&mut stations, &cards, is_asked).await;
                }
            }
            if let Some(why) = differs {
                return Some(format!("{}: {:?} of {}, at {:?}: {why}", self.name, cards[0], at, self.events[*of]));
            }
            if n < at {
                stations.iter_mut().for_each(|station| drop(station.sent.take()));
            }
        }
        let (mut records, mut restarts, mut forgetful) = (Vec::new(), Vec::new(), Vec::new());
        let other = 1 + at % (cards.len() - 1); // another each time
        for (n, station) in stations.into_iter().enumerate() {
            let (lines, events) = station.record().await;
            records.push(lines.join("\n"));
            if n == 0 || n == other {
                restarts.push(restarted(&self.header, &events, folder, true, log).await);
                forgetful.push(restarted(&self.header, &events, folder, false, log).await);
            }
        }
        let of = [cards[0].clone(), cards[other].clone()];
        let restarts = difference(&restarts, &of).or_else(|| difference(&forgetful, &of));
        let differs = difference(&records, &cards).or(restarts);
        differs.map(|why| format!("{}: {:?} of {at}, in the end: {why}", self.name, cards[0]))
    }

    async fn compared(&self, stations: &mut [Station], cards: &[Observation], asked: bool) -> Option<String> {
        let mut texts = Vec::new();
        for station in stations {
            texts.push(station.sends(asked).await);
        }
        difference(&texts, cards)
    }
}

/// Whether all that is answered is compared then, and not only what all of it is drawn from: as the card is seen, at
/// the last moment before it may show, and at some between.
fn is_asked(n: usize, at: usize, until: usize) -> bool {
    n == at || n + 1 == until || (n + at).is_multiple_of(ASKED)
}

/// The first line that is not the same with another card.
fn difference(texts: &[String], cards: &[Observation]) -> Option<String> {
    let (at, other) = texts.iter().enumerate().find(|(_, text)| **text != texts[0])?;
    let mut pairs = texts[0].lines().zip(other.lines());
    let (one, two) = pairs.find(|(one, two)| one != two).unwrap_or(("more or less lines", ""));
    Some(format!("with {:?}\n    {one}\n    {two}", cards[at]))
}

/// Whether a card covered at a place may show from this event on.
fn uncovers(event: &Event, place: Place) -> bool {
    match event {
        Event::Reveal { at, .. } => *at == place,
        Event::End {} => place != Place::Burn,
        Event::Correct { .. } => true,
        _ => false,
    }
}

/// A table of three boxes that deviates so often.
fn table(house: &'static House, seed: u64, rate: f64) -> Deviating {
    let settings = Settings { seed, boxes: 3, seen_by_devices: true, ..Settings::of(house) };
    Deviating::new(Options { rate, blind: 0.0, ..Options::of(settings) })
}

/// The first passes of a table.
fn passes(house: &'static House, seed: u64, rate: f64, count: usize) -> (Header, u8, Vec<Event>) {
    let mut table = table(house, seed, rate);
    let mut judge = Validator::new(table.header().clone()).unwrap();
    let (mut events, mut answers) = (Vec::new(), Vec::new());
    for _ in 0..count {
        loop {
            let (line, event) = table.next_event();
            answers.clear();
            judge.step(line, &event, &mut answers);
            table.answered(&answers);
            events.push(event);
            if table.is_between_passes() {
                break;
            }
        }
    }
    (table.header().clone(), table.max_hands(), events)
}

/// How many logs are looked at for one that usually is.
fn times() -> u64 {
    std::env::var("SABOT_TIMES").ok().map_or(1, |text| text.parse().unwrap())
}

/// What tells a card in any of these logs, and how many cards were looked at.
async fn leaks(logs: Vec<Log>, undealt: bool) -> (usize, String) {
    let folder = tempfile::tempdir().unwrap();
    let (log, _logging) = logged();
    let (mut cards, mut text) = (0, String::new());
    for one in logs {
        for covered in one.covered(undealt, &log).await {
            cards += 1;
            text.extend(one.leak(covered, folder.path(), &log).await.map(|leak| leak + "\n"));
        }
    }
    (cards, text)
}

async fn assert_tight(logs: Vec<Log>, undealt: bool, least: usize) {
    let (cards, text) = leaks(logs, undealt).await;
    println!("{cards} cards");
    assert!(text.is_empty(), "{text}");
    assert!(cards >= least, "{cards} cards were looked at");
}

#[tokio::test(start_paused = true)]
async fn is_sent_to_nobody_in_passes_that_deviate() {
    let mut logs = Vec::new();
    for seed in 0..6 * times() {
        for &house in HOUSES {
            let (header, hands, events) = passes(house, seed, 1.0, 1);
            logs.push(Log::of(format!("{}, seed {seed}", house.id), &header, hands, events));
        }
    }
    assert_tight(logs, false, 6).await;
}

/// Passes by the book in which one card is covered that is not to be, each other one.
fn with_a_covered_card(house: &'static House, seed: u64, from: usize, step: usize) -> Vec<Log> {
    let (header, hands, events) = passes(house, seed, 0.0, 1);
    let draws = events.iter().enumerate().filter(|(_, event)| matches!(event, Event::Draw { .. })).map(|(n, _)| n);
    let covered = |at: usize| {
        let mut events = events.clone();
        if let Event::Draw { face, .. } = &mut events[at] {
            *face = Some(Face::Down);
        }
        Log::of(format!("{}, seed {seed}, covered at {at}", house.id), &header, hands, events)
    };
    draws.skip(from).step_by(step).map(covered).collect()
}

#[tokio::test(start_paused = true)]
async fn is_sent_to_nobody_where_any_card_is_dealt_covered() {
    let mut logs = Vec::new();
    for seed in 0..times() {
        for (n, &house) in HOUSES.iter().enumerate() {
            logs.extend(with_a_covered_card(house, seed, n % 3, 3));
        }
    }
    assert_tight(logs, false, 12).await;
}

#[tokio::test(start_paused = true)]
async fn is_sent_to_nobody_where_antennas_know_every_card_by_its_tag() {
    for (undealt, seeds, least) in [(false, 6, 8), (true, 1, 30)] {
        let of = |house: &'static House, seed| {
            let (header, hands, events) = passes(house, seed, 0.5, 1);
            Log { by_tags: true, ..Log::of(format!("{}, seed {seed}", house.id), &header, hands, events) }
        };
        let logs = HOUSES.iter().flat_map(|house| (0..seeds * times()).map(move |seed| of(house, seed)));
        assert_tight(logs.collect(), undealt, least).await;
    }
}

/// Passes by the book in which the chips of a bet are taken away, or more laid to them, while a card lies covered.
fn with_chips_touched(house: &'static House, seed: u64) -> Vec<Log> {
    let (header, hands, events) = passes(house, seed, 0.0, 1);
    let is_covered = |event: &Event| matches!(event, Event::Draw { face: Some(Face::Down), .. });
    let Some(from) = events.iter().position(is_covered) else { return Vec::new() };
    let until = events.iter().rposition(|event| matches!(event, Event::Reveal { .. })).unwrap_or(from);
    let bets = events.iter().filter_map(|event| match event {
        Event::Bet { hand, spot: BetSpot::Main, amount, .. } if *amount > 0 => Some((*hand, *amount)),
        _ => None,
    });
    let mut logs = Vec::new();
    for (n, (hand, amount)) in bets.enumerate() {
        let at = from + 1 + (n * 7) % (until - from).max(1);
        let spot = BetSpot::Main;
        for touched in [Event::Collect { hand, amount, spot }, Event::Pay { hand, amount, spot }] {
            let mut events = events.clone();
            events.insert(at, touched);
            logs.push(Log::of(format!("{}, seed {seed}, touched at {at}", house.id), &header, hands, events));
        }
    }
    logs
}

#[tokio::test(start_paused = true)]
async fn is_sent_to_nobody_where_chips_are_touched() {
    let houses = HOUSES.iter().flat_map(|house| (0..2 * times()).map(move |seed| (*house, seed)));
    let logs = houses.flat_map(|(house, seed)| with_chips_touched(house, seed)).collect();
    assert_tight(logs, false, 6).await;
}

#[tokio::test(start_paused = true)]
async fn is_sent_to_nobody_where_it_is_drawn_to_be_burned() {
    let mut logs = Vec::new();
    for seed in 0..times() {
        for &house in HOUSES {
            let (header, hands, events) = passes(house, seed, 0.0, 1);
            let after = events.iter().position(|event| matches!(event, Event::Load { .. })).unwrap() + 1;
            for at in (after..events.len()).step_by(9) {
                let mut events = events.clone();
                let card = "5C".parse().unwrap();
                events.insert(at, Event::Draw { card, to: Some(Place::Burn), face: Some(Face::Down) });
                logs.push(Log::of(format!("{}, seed {seed}, burned at {at}", house.id), &header, hands, events));
            }
        }
    }
    assert_tight(logs, false, 12).await;
}

#[tokio::test(start_paused = true)]
async fn is_sent_to_nobody_between_the_shoe_and_the_felt() {
    let mut logs = Vec::new();
    for seed in 0..times() {
        for &house in HOUSES {
            let (header, hands, events) = passes(house, seed, 0.5, 1);
            logs.push(Log::of(format!("{}, seed {seed}", house.id), &header, hands, events));
        }
    }
    assert_tight(logs, true, 30).await;
}

/// An address without what is asked for at it, and whatever is filled in.
fn form(address: &str) -> Vec<&str> {
    let path = address.split('?').next().unwrap_or_default();
    path.split('/').map(|part| if part.starts_with('{') { "{}" } else { part }).collect()
}

#[test]
fn is_looked_for_at_every_address() {
    let files = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("console")).unwrap();
    let files = files.map(|file| file.unwrap().path()).filter(|path| path.is_file());
    let texts: Vec<String> = files.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let routes = texts.iter().flat_map(|text| text.split(".route(\"").skip(1));
    for route in routes.map(|rest| rest.split('"').next().unwrap()).filter(|route| !route.starts_with("/assets/")) {
        assert!(ADDRESSES.iter().any(|address| form(address) == form(route)), "{route} is not asked");
    }
    let document: serde_json::Value = serde_json::from_str(crate::console::OPENAPI).unwrap();
    let described = document["paths"].as_object().unwrap().iter();
    let described = described.filter(|(_, item)| item["get"]["tags"][0] == "station").map(|(path, _)| path.as_str());
    let for_programs = ADDRESSES.iter().map(|address| address.split('?').next().unwrap());
    let for_programs: BTreeSet<&str> = for_programs.filter(|address| address.starts_with("/api/v1/")).collect();
    assert_eq!(described.collect::<BTreeSet<_>>(), for_programs, "what programs are told of, and what there is");
}
