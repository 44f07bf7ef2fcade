//! How often the reader is wrong, and how often it does not read: on designs that it was tuned by, and on others.
//!
//! `cargo test --release -p sabot-camera --test drawn measure -- --ignored --nocapture` prints the tables of
//! docs/build/card-head.md; `SABOT_FRAMES` is how many pictures of each design are read, `SABOT_SEED` which.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use sabot_camera::drawn::{Design, Look, PER_MM, Scene, geometry, lesson};
use sabot_camera::{Lessons, Reader, Seen, Shown};

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

/// Reads so many pictures, each of another card seen in another way.
fn tally(design: &Design, pictures: usize, seed: u64) -> Tally {
    let reader = Reader::new(&learnt(design)).unwrap();
    let cards: Vec<Shown> = Shown::all().filter(|what| matches!(what, Shown::Card(_))).collect();
    let (mut scene, mut tally) = (Scene::new(design, seed), Tally::default());
    for what in cards.iter().cycle().take(pictures) {
        let look = scene.chance();
        let picture = scene.picture(*what, &look);
        let began = Instant::now();
        let seen = reader.read(&picture.frame).seen;
        tally.spent += began.elapsed();
        tally.worst = tally.worst.max(began.elapsed());
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
fn of_package(name: &str) -> Option<Design> {
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

#[test]
#[ignore = "minutes: prints the figures of docs/build/card-head.md"]
fn measure() {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let (pictures, seed) = (number("SABOT_FRAMES").unwrap_or(10_000), number("SABOT_SEED").unwrap_or(1000));
    println!(
        "| design | pictures | readable | unread of these | wrong of these | wrong of all | mean, ms | longest, ms |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let own = std::iter::once(("own".to_owned(), Some(Design::own())));
    let named = |kind: &'static str| move |name: &&str| (format!("{name}{kind}"), of_package(name));
    let designs = own.chain(TUNED.iter().map(named(""))).chain(HELD_OUT.iter().map(named(", held out")));
    let mut confused = BTreeMap::new();
    for (name, design) in designs {
        let Some(design) = design else { continue };
        let mut lessons = Lessons::new(geometry());
        Shown::all().for_each(|what| lessons.show(what, lesson(&design, what, 5)).unwrap());
        if let Err(why) = lessons.learnt() {
            println!("| {name} | not learnt: {why} | | | | | | |");
            continue;
        }
        let Tally { readable, unread, wrong, wrong_of_all, spent, worst, .. } = {
            let tally = tally(&design, pictures, seed as u64);
            tally.confused.iter().for_each(|(pair, count)| *confused.entry(pair.clone()).or_insert(0) += count);
            tally
        };
        let ratio = 100.0 * unread as f64 / readable.max(1) as f64;
        let mean = 1000.0 * spent.as_secs_f64() / pictures.max(1) as f64;
        let worst = 1000.0 * worst.as_secs_f64();
        println!(
            "| {name} | {pictures} | {readable} | {unread} ({ratio:.2} %) | {wrong} | {wrong_of_all} | {mean:.1} | \
             {worst:.1} |"
        );
    }
    println!("read as another card: {confused:?}");
}
