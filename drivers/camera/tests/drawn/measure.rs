//! How often the reader is wrong, and how often it does not read: on designs that it was tuned by, and on others.
//!
//! `cargo test --release -p sabot-camera --test drawn measure:: -- --ignored --nocapture` prints the tables of
//! docs/build/card-head.md; `SABOT_FRAMES` is how many pictures of each design are read, `SABOT_SEED` which. What has
//! been measured is kept in the file `SABOT_MEASURED`, lot by lot: called again, it goes on where it was stopped.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use sabot_camera::drawn::{Design, Look, PER_MM, Scene, geometry, lesson};
use sabot_camera::{Reader, Seen, Shown};

use super::learnt;

/// Of the Debian package gnome-cards-data. By these the margins were set…
const TUNED: [&str; 3] = ["anglo", "paris", "simplistic"];
/// … and these were looked at afterwards alone.
const HELD_OUT: [&str; 4] = ["bellot", "dondorf", "neoclassical", "anglo_poker"];

/// How many pictures of a card were read as which: the card that was shown, and what was read, `UNREAD` if nothing.
type Confusion = BTreeMap<(String, String), u64>;

const UNREAD: &str = "??";

/// What came of a design's pictures.
#[derive(Default)]
struct Tally {
    readable: Confusion,
    /// Those of which nobody demands that they are read.
    others: Confusion,
    spent: Duration,
    worst: Duration,
}

fn count(pictures: &Confusion, of: impl Fn(&str, &str) -> bool) -> u64 {
    pictures.iter().filter(|((shown, read), _)| of(shown, read)).map(|(_, count)| count).sum()
}

fn unread(pictures: &Confusion) -> u64 {
    count(pictures, |_, read| read == UNREAD)
}

fn wrong(pictures: &Confusion) -> u64 {
    count(pictures, |shown, read| read != UNREAD && read != shown)
}

/// How long this thread was on a processor: what else the machine does does not count.
fn on_the_processor() -> Duration {
    let used = getrusage(UsageWho::RUSAGE_THREAD).unwrap();
    let micros = |time: nix::sys::time::TimeVal| (time.tv_sec() * 1_000_000 + time.tv_usec()) as u64;
    Duration::from_micros(micros(used.user_time()) + micros(used.system_time()))
}

/// Reads so many pictures, each of another card seen in another way.
fn tally(design: &Design, pictures: usize, seed: u64) -> Tally {
    let reader = Reader::new(&learnt(design)).unwrap();
    let cards: Vec<Shown> = Shown::all().filter(|what| matches!(what, Shown::Card(_))).collect();
    let (mut scene, mut tally) = (Scene::new(design, seed), Tally::default());
    for what in cards.iter().cycle().take(pictures) {
        let look = scene.chance();
        let picture = scene.picture(*what, &look);
        let began = on_the_processor();
        let seen = reader.read(&picture.frame).seen;
        let spent = on_the_processor().saturating_sub(began);
        tally.spent += spent;
        tally.worst = tally.worst.max(spent);
        let read = match seen {
            Seen::Card(card, _) => Shown::Card(card).to_string(),
            _ => UNREAD.to_owned(),
        };
        let pictures = if picture.readable { &mut tally.readable } else { &mut tally.others };
        *pictures.entry((what.to_string(), read)).or_default() += 1;
    }
    tally
}

/// A design of the package; nothing where it or the program that draws it is not here.
pub(super) fn of_package(name: &str) -> Option<Design> {
    let file = format!("/usr/share/aisleriot/cards/{name}.svgz");
    let drawn = Path::new(&file).exists().then(|| Command::new("rsvg-convert").args(["-w", "4095", &file]).output());
    let Some(Ok(drawn)) = drawn else {
        eprintln!("skipped: {name}: install gnome-cards-data and librsvg2-bin");
        return None;
    };
    Some(Design::of_sheet(&drawn.stdout).unwrap())
}

fn assert_read(tally: &Tally) {
    assert_eq!((wrong(&tally.readable), wrong(&tally.others)), (0, 0));
    let (unread, readable) = (unread(&tally.readable), count(&tally.readable, |_, _| true));
    assert!(unread * 60 <= readable, "{unread} of {readable}");
}

#[test]
fn our_own_cards_are_read_whatever_is_between_them_and_the_camera() {
    let tally = tally(&Design::own(), 260, 21);
    let readable = count(&tally.readable, |_, _| true);
    assert!(readable > 200, "{readable}");
    assert_read(&tally);
}

#[test]
fn a_card_is_read_by_what_a_thumb_leaves_of_it_and_never_as_another() {
    let design = Design::own();
    let reader = Reader::new(&learnt(&design)).unwrap();
    let mut scene = Scene::new(&design, 23);
    let (mut readable, mut unread) = (0, 0);
    for what in Shown::all().filter(|what| matches!(what, Shown::Card(_))) {
        for (across, down) in [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0), (0.0, 0.5), (1.0, 0.5)] {
            for deep in [1.0, 2.0, 4.0, 6.0] {
                let look = Look { thumb: Some(thumb_at(across, down, deep)), ..Look::at_rest() };
                let picture = scene.picture(what, &look);
                match reader.read(&picture.frame).seen {
                    Seen::Card(card, _) => assert_eq!(Shown::Card(card), what, "{across} {down} {deep}"),
                    _ => unread += u64::from(picture.readable),
                }
                readable += u64::from(picture.readable);
            }
        }
    }
    assert!(readable > 500, "{readable}");
    assert!(unread * 50 <= readable, "{unread} of {readable}");
}

/// A thumb of 6 mm that reaches so deep, in mm, into the index from a place of its edge.
fn thumb_at(across: f32, down: f32, deep: f32) -> ((f32, f32), f32) {
    let (index, radius) = (geometry().index, 6.0);
    let mm = |from: usize, side: usize, part: f32| (from as f32 + side as f32 * part) / PER_MM;
    let (x, y) = (mm(index.x, index.width, across), mm(index.y, index.height, down));
    let (dx, dy) = (across - 0.5, down - 0.5);
    let out = (radius - deep) / dx.hypot(dy);
    ((x + dx * out, y + dy * out), radius)
}

#[test]
fn cards_of_a_game_are_read_too() {
    let Some(design) = of_package(HELD_OUT[0]) else { return };
    let tally = tally(&design, 104, 22);
    assert_read(&tally);
}

/// Pictures of a lot: each card ten times. A lot's pictures follow from its seed alone.
const LOT: usize = 520;

/// What was measured before, and what is measured now.
#[derive(Default)]
struct Measured {
    lots: BTreeMap<(String, u64), Tally>,
    file: Option<File>,
}

impl Measured {
    fn begin() -> Self {
        let Ok(path) = std::env::var("SABOT_MEASURED") else { return Self::default() };
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        // a last line that was cut off is measured again
        let whole = before.rfind('\n').map_or("", |end| &before[..=end]);
        let mut file = File::create(&path).unwrap();
        file.write_all(whole.as_bytes()).unwrap();
        Self { lots: whole.lines().map(Tally::parse).collect(), file: Some(file) }
    }

    fn lot(&mut self, name: &str, design: &Design, seed: u64) {
        let key = (name.to_owned(), seed);
        if !self.lots.contains_key(&key) {
            let tally = tally(design, LOT, seed);
            self.file.iter_mut().for_each(|file| file.write_all(tally.line(&key).as_bytes()).unwrap());
            self.lots.insert(key, tally);
        }
    }

    fn sum(&self, of: impl Fn(&str) -> bool) -> Tally {
        let mut sum = Tally::default();
        self.lots.iter().filter(|((name, _), _)| of(name)).for_each(|(_, tally)| sum.add(tally));
        sum
    }
}

/// `9H>9Hx10 9H>??x1`: in one field of a line.
fn told(pictures: &Confusion) -> String {
    let pairs: Vec<String> = pictures.iter().map(|((shown, read), n)| format!("{shown}>{read}x{n}")).collect();
    pairs.join(" ")
}

fn parsed(field: &str) -> Confusion {
    let pair = |pair: &str| {
        let (cards, count) = pair.split_once('x').unwrap();
        let (shown, read) = cards.split_once('>').unwrap();
        ((shown.to_owned(), read.to_owned()), count.parse().unwrap())
    };
    field.split_whitespace().map(pair).collect()
}

impl Tally {
    /// One line: the design, the seed, the times in microseconds, the readable pictures and the others.
    fn line(&self, (name, seed): &(String, u64)) -> String {
        let (spent, worst) = (self.spent.as_micros(), self.worst.as_micros());
        format!("{name}\t{seed}\t{spent}\t{worst}\t{}\t{}\n", told(&self.readable), told(&self.others))
    }

    fn parse(line: &str) -> ((String, u64), Self) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, seed, spent, worst, readable, others] = fields[..] else { panic!("no line of ours: {line}") };
        let micros = |field: &str| Duration::from_micros(field.parse().unwrap());
        let (spent, worst) = (micros(spent), micros(worst));
        let tally = Self { readable: parsed(readable), others: parsed(others), spent, worst };
        ((name.to_owned(), seed.parse().unwrap()), tally)
    }

    fn add(&mut self, other: &Self) {
        for (sum, more) in [(&mut self.readable, &other.readable), (&mut self.others, &other.others)] {
            more.iter().for_each(|(pair, count)| *sum.entry(pair.clone()).or_default() += count);
        }
        self.spent += other.spent;
        self.worst = self.worst.max(other.worst);
    }

    fn row(&self, name: &str) -> String {
        let [readable, others] = [&self.readable, &self.others].map(|pictures| count(pictures, |_, _| true));
        let (unread, wrong_readable) = (unread(&self.readable), wrong(&self.readable));
        let ratio = 100.0 * unread as f64 / readable.max(1) as f64;
        let mean = 1000.0 * self.spent.as_secs_f64() / (readable + others).max(1) as f64;
        let worst = 1000.0 * self.worst.as_secs_f64();
        let (pictures, wrong_of_all) = (readable + others, wrong_readable + wrong(&self.others));
        let unread = format!("{unread} ({ratio:.2} %)");
        format!(
            "| {name} | {pictures} | {readable} | {unread} | {wrong_readable} | {wrong_of_all} | {mean:.1} | {worst:.1} |"
        )
    }
}

/// A table: what was shown, and as what readable pictures were read, by the part of a card's name that `of` takes.
fn matrix(title: &str, names: &str, pictures: &Confusion, of: fn(&str) -> char) -> String {
    let columns = names.chars().map(|name| format!(" {name} |")).collect::<String>();
    let mut table = format!("| {title} |{columns} unread |\n|---|{}---:|\n", "---:|".repeat(names.len()));
    for shown in names.chars() {
        let read_as = |read: char| count(pictures, |card, as_card| of(card) == shown && of(as_card) == read);
        let cells = names.chars().chain(['?']).map(|read| format!(" {} |", read_as(read))).collect::<String>();
        table += &format!("| {shown} |{cells}\n");
    }
    table
}

fn rank(card: &str) -> char {
    card.chars().next().unwrap_or_default()
}

fn suit(card: &str) -> char {
    card.chars().last().unwrap_or_default()
}

#[test]
fn what_was_measured_is_read_again_as_it_was() {
    let pair = |shown: &str, read: &str, count| ((shown.to_owned(), read.to_owned()), count);
    let readable = Confusion::from([pair("6S", "6S", 9), pair("6S", "8S", 3), pair("AH", UNREAD, 1)]);
    let others = Confusion::from([pair("TD", "TD", 2)]);
    let (spent, worst) = (Duration::from_micros(1_234_567), Duration::from_micros(8910));
    let tally = Tally { readable, others, spent, worst };
    assert_eq!(matrix("", "68", &tally.readable, rank).lines().nth(2), Some("| 6 | 9 | 3 | 0 |"));
    assert_eq!((wrong(&tally.readable), unread(&tally.readable)), (3, 1));
    let key = ("bellot, held out".to_owned(), 1007);
    let line = tally.line(&key);
    let (again, read) = Tally::parse(line.trim_end_matches('\n'));
    assert_eq!((again, read.line(&key)), (key, line));
}

#[test]
fn every_design_of_the_package_is_learnt() {
    for design in TUNED.iter().chain(&HELD_OUT).filter_map(|name| of_package(name)) {
        let reader = Reader::new(&learnt(&design)).unwrap();
        assert_eq!(reader.read(&lesson(&design, Shown::Back, 9)).seen, Seen::Back);
    }
}

#[test]
#[ignore = "minutes: prints the figures of docs/build/card-head.md"]
fn measure() {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse::<usize>().ok());
    let (pictures, seed) = (number("SABOT_FRAMES").unwrap_or(10_000), number("SABOT_SEED").unwrap_or(1000));
    let own = std::iter::once(("own".to_owned(), Some(Design::own())));
    let named = |kind: &'static str| move |name: &&str| (format!("{name}{kind}"), of_package(name));
    let designs = own.chain(TUNED.iter().map(named(""))).chain(HELD_OUT.iter().map(named(", held out")));
    let designs: Vec<(String, Design)> = designs.filter_map(|(name, design)| Some((name, design?))).collect();
    let mut measured = Measured::begin();
    for lot in 0..pictures.div_ceil(LOT) {
        // each design is seen in ways of its own
        for (nth, (name, design)) in designs.iter().enumerate() {
            measured.lot(name, design, ((seed + lot) * designs.len() + nth) as u64);
        }
    }
    println!(
        "| design | pictures | readable | unread of these | wrong of these | wrong of all | mean, ms | longest, ms |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    designs.iter().for_each(|(name, _)| println!("{}", measured.sum(|of| of == name).row(name)));
    let all = measured.sum(|_| true);
    println!("{}", all.row("all"));
    println!("\n{}", matrix("shown", "A23456789TJQK", &all.readable, rank));
    println!("{}", matrix("shown", "CDHS", &all.readable, suit));
    let confused = |pictures: &Confusion| {
        let wrong = pictures.iter().filter(|((shown, read), _)| read != UNREAD && shown != read);
        wrong.map(|(pair, count)| (pair.clone(), *count)).collect::<Confusion>()
    };
    println!("read as another card, readable: {}", told(&confused(&all.readable)));
    println!("read as another card, not readable: {}", told(&confused(&all.others)));
}
