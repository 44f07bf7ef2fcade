//! How often the reader is wrong, and how often it does not read: on designs that it was tuned by, and on others.
//!
//! `cargo test --release -p sabot-camera --test drawn measure -- --ignored --nocapture` prints the tables of
//! docs/build/card-head.md; `SABOT_FRAMES` is how many pictures of each design are read.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use sabot_camera::drawn::{Design, Scene, geometry, lesson};
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
    assert!(tally.unread * 12 <= tally.readable, "{} of {}", tally.unread, tally.readable);
}

#[test]
fn cards_of_a_game_are_read_too() {
    let Some(design) = of_package(HELD_OUT[0]) else { return };
    let tally = tally(&design, 104, 22);
    assert_eq!(tally.wrong_of_all, 0);
    assert!(tally.unread * 12 <= tally.readable, "{} of {}", tally.unread, tally.readable);
}

#[test]
#[ignore = "minutes: prints the figures of docs/build/card-head.md"]
fn measure() {
    let pictures = std::env::var("SABOT_FRAMES").ok().and_then(|count| count.parse().ok()).unwrap_or(10_000);
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
            let tally = tally(&design, pictures, 1000);
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
