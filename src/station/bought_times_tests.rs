//! How long bought readers take from the felt to the station, and signals from the station to whoever looks, on the
//! physics of their twins: the table in `docs/build/README.md`. Time is an argument, so that the figures are the same
//! on every machine.

use std::collections::BTreeSet;
use std::sync::Arc;

use sabot_drivers::Saw;
use sabot_drivers::feig::Timing;
use sabot_drivers::feig::session::Session;
use sabot_drivers::link::machine::{Machine, SessionReport};
use sabot_drivers::saw::{Pad, Stake, TagsSaw};
use sabot_drivers::signal::model::pole::PoleModel;
use sabot_drivers::signal::model::tower::TowerModel;
use sabot_drivers::signal::pns::Pns;
use sabot_drivers::signal::pole::{Pole, Protocol, Settings};
use sabot_drivers::signal::{Attention, Level, Look, Session as _, SignalContent};
use sabot_simulation::feig::{self, Lever};
use sabot_wire::message::BetSpot;

use super::bought_tests::{Wired, session};

const DOC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/build/README.md");
/// Each figure is of so many tries.
const TRIES: u64 = 20;
/// Longer than anything takes, milliseconds.
const LONGEST: u64 = 120_000;
const CHIP: u64 = 0xE004_0150_0000_0000;
const CARD: u64 = 0xE004_0100_0000_0000;

/// A line with so many readers, each with one spot, and so many chips on each but the last.
fn line(readers: u8, is_serial: bool, beside: u64, seed: u64) -> Wired<Session, Lever> {
    let at = |reader: u8| Stake { box_no: 1 + reader / 4, hand: 0, spot: BetSpot::ALL[usize::from(reader % 4)] };
    let pads: Vec<Pad> = (0..readers).map(|reader| Pad::Stake(at(reader))).collect();
    let values = Arc::new((0..10_000).map(|nth| (CHIP + nth * 977, 100)).collect());
    let timing = if is_serial { Timing::serial(38_400) } else { Timing::TCP };
    let session = session(&pads, &values, &std::iter::once(CARD).collect(), timing);
    let device = if is_serial { feig::bare_serial(readers, seed) } else { feig::bare(readers, seed) };
    let mut line = Wired::new(session, device);
    for reader in 0..readers - 1 {
        for nth in 0..beside {
            let uid = CHIP + (5000 + u64::from(reader) * 60 + nth) * 977;
            line.pull(0, Lever::Put { uid, reader, antenna: 1, value: 0 });
        }
    }
    line
}

/// When what is wanted is told, in milliseconds after `from`.
fn told_after<M: Machine, L: Send>(line: &mut Wired<M, L>, from: u64, is_it: impl Fn(&Saw) -> bool) -> u64 {
    for now in from..from + LONGEST {
        for report in line.step(now) {
            if let SessionReport::Saw { saw: Some(saw), .. } = report
                && is_it(&saw)
            {
                return now - from;
            }
        }
    }
    panic!("not told within {LONGEST} ms");
}

/// Time passes, and what is told in it is of no interest.
fn settles<M: Machine, L: Send>(line: &mut Wired<M, L>, until: u64) {
    (0..until).for_each(|now| drop(line.step(now)));
}

/// The mean and the longest of many tries, seconds.
fn row(what: &str, of: impl Fn(u64) -> u64) -> String {
    let times: Vec<u64> = (0..TRIES).map(of).collect();
    let mean = times.iter().sum::<u64>() / TRIES;
    let seconds = |ms: u64| format!("{}.{:02}", (ms + 5) / 1000, (ms + 5) % 1000 / 10);
    format!("| {what} | {} | {} |", seconds(mean), seconds(times.into_iter().max().unwrap_or_default()))
}

/// Chips laid on the last spot of a line, until all of them are told.
fn chips(readers: u8, is_serial: bool, count: u64, seed: u64) -> u64 {
    let mut line = line(readers, is_serial, 5, seed);
    let from = 20_000 + seed * 37;
    settles(&mut line, from);
    let uids: BTreeSet<u64> = (0..count).map(|nth| CHIP + (seed * 60 + nth) * 977).collect();
    for &uid in &uids {
        line.pull(from, Lever::Put { uid, reader: readers - 1, antenna: 1, value: 0 });
    }
    told_after(&mut line, from, |saw| match saw {
        Saw::Tags(TagsSaw::Stack { chips, .. }) => {
            chips.iter().filter(|chip| uids.contains(&chip.uid)).count() == uids.len()
        }
        _ => false,
    })
}

/// A card laid on a spot of a line, or taken from it again.
fn card(readers: u8, is_taken: bool, seed: u64) -> u64 {
    let mut line = line(readers, false, 5, seed);
    let from = 20_000 + seed * 37;
    settles(&mut line, from);
    line.pull(from, Lever::Put { uid: CARD, reader: readers - 1, antenna: 1, value: 0 });
    let comes = told_after(&mut line, from, |saw| matches!(saw, Saw::Tags(TagsSaw::Card { lies: true, .. })));
    if !is_taken {
        return comes;
    }
    let from = from + comes + 5000;
    (from - 5000..from).for_each(|now| drop(line.step(now)));
    line.pull(from, Lever::Take(Some(CARD)));
    told_after(&mut line, from, |saw| matches!(saw, Saw::Tags(TagsSaw::Card { lies: false, .. })))
}

/// A byte at 9600 baud, microseconds.
const BYTE_US: u64 = 1042;

/// What is shown from a finding on.
fn found(what: &str) -> SignalContent {
    SignalContent::new(Level::Irregularity, Attention::None, [what.to_owned()])
}

/// A finding, until a tower that is asked what it shows turns red.
fn tower(seed: u64) -> u64 {
    let (mut session, mut tower) = (Pns::new(Look::default()), TowerModel::new(false));
    session.opened(0);
    tower.connected();
    let from = 5000 + seed * 37;
    for now in 0..from + LONGEST {
        if now == from {
            session.show(&found("C7"));
        }
        let mut sent = Vec::new();
        session.transmit(now, &mut sent).unwrap();
        let answer = if sent.is_empty() { sent } else { tower.receive(&sent) };
        session.receive(now, &answer).unwrap();
        if tower.to_string().starts_with("red") {
            return now - from;
        }
    }
    panic!("the tower never turned red");
}

/// The same, until a pole display shows it; the line takes its time for each byte.
fn pole(protocol: Protocol, seed: u64) -> u64 {
    let (mut session, mut display) = (Pole::new(Settings::usual(protocol)), PoleModel::new(protocol));
    session.opened(0);
    let (mut on_line, mut free_us) = (std::collections::VecDeque::new(), 0);
    let from = 5000 + seed * 37;
    for now in 0..from + LONGEST {
        if now == from {
            session.show(&found("C7 banca"));
        }
        let mut sent = Vec::new();
        session.transmit(now, &mut sent).unwrap();
        for byte in sent {
            free_us = free_us.max(now * 1000) + BYTE_US;
            on_line.push_back((free_us, byte));
        }
        while on_line.front().is_some_and(|(at, _)| *at <= now * 1000) {
            display.receive(&[on_line.pop_front().unwrap().1]);
        }
        if display.rows().concat().contains("C7 banca") {
            return now - from;
        }
    }
    panic!("the display never showed it");
}

/// `cargo test -p sabot-station --lib bought_times -- --nocapture` prints the table.
#[test]
fn what_each_reader_takes_is_as_the_bill_of_materials_says() {
    let mut rows = Vec::new();
    for count in [1, 5, 20, 40, 60] {
        rows.push(row(&format!("chips, {count} on one reader alone"), |seed| chips(1, false, count, seed)));
    }
    for readers in [2, 4, 7, 14, 25] {
        rows.push(row(&format!("chips, 5 on one of {readers} readers, network"), |seed| {
            chips(readers, false, 5, seed)
        }));
    }
    for readers in [4, 7] {
        rows.push(row(&format!("chips, 5 on one of {readers} readers, RS-485"), |seed| chips(readers, true, 5, seed)));
    }
    for readers in [1, 4, 7] {
        rows.push(row(&format!("a card comes, {readers} readers"), |seed| card(readers, false, seed)));
        rows.push(row(&format!("a card goes, {readers} readers"), |seed| card(readers, true, seed)));
    }
    rows.push(row("a finding, tower on the network", tower));
    rows.push(row("a finding, pole display ESC/POS, 9600 baud", |seed| pole(Protocol::EscPos, seed)));
    rows.push(row("a finding, pole display CD5220, 9600 baud", |seed| pole(Protocol::Cd5220, seed)));
    let doc = std::fs::read_to_string(DOC).unwrap();
    let missing: Vec<&String> = rows.iter().filter(|row| !doc.contains(row.as_str())).collect();
    assert!(missing.is_empty(), "docs/build/README.md does not say\n{}", rows.join("\n"));
}
