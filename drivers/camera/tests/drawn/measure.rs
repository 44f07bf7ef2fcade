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

/// What came of a design's pictures.
#[derive(Default)]
struct Tally {
    pictures: u64,
    readable: u64,
    unread: u64,
    /// A card read as another, in readable pictures and in all.
    wrong: u64,
    wrong_of_all: u64,
    spent: Duration,
    worst: Duration,
    confused: BTreeMap<(String, String), u64>,
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
        tally.pictures += 1;
        tally.readable += u64::from(picture.readable);
        match seen {
            Seen::Card(card, _) if Shown::Card(card) == *what => {}
            Seen::Card(card, _) => {
                tally.wrong_of_all += 1;
                tally.wrong += u64::from(picture.readable);
                *tally.confused.entry((what.to_string(), card.to_string())).or_default() += 1;
            }
            _ => tally.unread += u64::from(picture.readable),
        }
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

#[test]
fn our_own_cards_are_read_whatever_is_between_them_and_the_camera() {
    let tally = tally(&Design::own(), 260, 21);
    assert!(tally.readable > 200, "{}", tally.readable);
    assert_eq!(tally.wrong_of_all, 0);
    assert!(tally.unread * 60 <= tally.readable, "{} of {}", tally.unread, tally.readable);
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
    assert_eq!(tally.wrong_of_all, 0);
    assert!(tally.unread * 60 <= tally.readable, "{} of {}", tally.unread, tally.readable);
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

impl Tally {
    /// One line: the design, the seed, the numbers, and the pairs that were confused.
    fn line(&self, (name, seed): &(String, u64)) -> String {
        let Self { pictures, readable, unread, wrong, wrong_of_all, spent, worst, confused } = self;
        let pairs: Vec<String> = confused.iter().map(|((what, read), n)| format!("{what}>{read}x{n}")).collect();
        let (spent, worst, pairs) = (spent.as_micros(), worst.as_micros(), pairs.join(" "));
        format!(
            "{name}\t{seed}\t{pictures}\t{readable}\t{unread}\t{wrong}\t{wrong_of_all}\t{spent}\t{worst}\t{pairs}\n"
        )
    }

    fn parse(line: &str) -> ((String, u64), Self) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, numbers @ .., pairs] = &fields[..] else { panic!("no line of ours: {line}") };
        let numbers: Vec<u64> = numbers.iter().map(|number| number.parse().unwrap()).collect();
        let [seed, pictures, readable, unread, wrong, wrong_of_all, spent, worst] = numbers[..] else {
            panic!("no line of ours: {line}")
        };
        let pair = |pair: &str| {
            let (cards, count) = pair.split_once('x').unwrap();
            let (what, read) = cards.split_once('>').unwrap();
            ((what.to_owned(), read.to_owned()), count.parse().unwrap())
        };
        let confused = pairs.split_whitespace().map(pair).collect();
        let (spent, worst) = (Duration::from_micros(spent), Duration::from_micros(worst));
        let tally = Self { pictures, readable, unread, wrong, wrong_of_all, spent, worst, confused };
        (((*name).to_owned(), seed), tally)
    }

    fn add(&mut self, other: &Self) {
        self.pictures += other.pictures;
        self.readable += other.readable;
        self.unread += other.unread;
        self.wrong += other.wrong;
        self.wrong_of_all += other.wrong_of_all;
        self.spent += other.spent;
        self.worst = self.worst.max(other.worst);
        other.confused.iter().for_each(|(pair, count)| *self.confused.entry(pair.clone()).or_default() += count);
    }

    fn row(&self, name: &str) -> String {
        let Self { pictures, readable, unread, wrong, wrong_of_all, spent, worst, .. } = self;
        let ratio = 100.0 * *unread as f64 / (*readable).max(1) as f64;
        let mean = 1000.0 * spent.as_secs_f64() / (*pictures).max(1) as f64;
        let worst = 1000.0 * worst.as_secs_f64();
        let unread = format!("{unread} ({ratio:.2} %)");
        format!("| {name} | {pictures} | {readable} | {unread} | {wrong} | {wrong_of_all} | {mean:.1} | {worst:.1} |")
    }
}

#[test]
fn what_was_measured_is_read_again_as_it_was() {
    let confused = BTreeMap::from([(("6S".to_owned(), "8S".to_owned()), 3), (("AH".to_owned(), "4H".to_owned()), 1)]);
    let (spent, worst) = (Duration::from_micros(1_234_567), Duration::from_micros(8910));
    let tally = Tally { pictures: 520, readable: 487, unread: 2, wrong: 1, wrong_of_all: 4, spent, worst, confused };
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
    println!("read as another card: {:?}", all.confused);
}
