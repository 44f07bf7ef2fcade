//! A cable that damages frames, and somebody who damages frames to be taken for one.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sabot_wire::frame::MAX_FRAME;
use sabot_wire::host::Report;
use sabot_wire::message::{BetSpot, Chip, ChipsSaw, Observation};

use super::common::pair::{Pair, drawn};

/// What somebody at the cable does to a frame; whether it passes at all.
type Hand<'h> = dyn FnMut(u64, &mut Vec<u8>) -> bool + 'h;

/// What the host had told by the end.
#[derive(Debug, Default)]
struct Told {
    events: u64,
    damaged: u64,
    withheld: Vec<u64>,
    silent: u64,
}

/// Both sides talk every 10 milliseconds over a cable on which each frame goes through these hands.
fn talk(pair: &mut Pair, from: u64, to: u64, up: &mut Hand<'_>, down: &mut Hand<'_>) -> Told {
    let (mut told, mut out) = (Told::default(), [0; MAX_FRAME]);
    for now in (from..to).step_by(10) {
        if now % 400 == 0 && pair.shoe.ready() {
            pair.shoe.observe(now as u32, &seen(now / 400)).expect("room");
        }
        let mut reports: Vec<_> = pair.host.tick(now).into_iter().collect();
        while let Some(frame) = pair.shoe.transmit(now as u32, &mut out) {
            let mut frame = frame.to_vec();
            if up(now, &mut frame) {
                reports.extend(pair.host_gets(now, &frame));
            }
        }
        for report in &reports {
            match report {
                Report::Saw { epoch, seq, .. } => {
                    pair.host.durable(*epoch, *seq);
                    told.events += 1;
                }
                Report::Withheld(_) => told.withheld.push(now),
                Report::Silent | Report::Garbled => told.silent += 1,
                _ => {}
            }
        }
        while let Some(frame) = pair.host.transmit(now, &mut out) {
            let mut frame = frame.to_vec();
            if down(now, &mut frame) {
                pair.shoe_gets(now, &frame);
            }
        }
    }
    told.damaged = pair.host.counters().bad_frames;
    told
}

/// Nine cards, and a spot with as many chips as fit: the longest frame there is.
fn seen(n: u64) -> Observation {
    let chips = std::iter::repeat_n(Chip { uid: u64::MAX, value: u32::MAX }, 20).collect();
    match n % 10 {
        9 => Observation::Chips(ChipsSaw::Spot { box_no: 1, hand: 0, spot: BetSpot::Main, chips }),
        n => drawn(n as u8),
    }
}

/// Flips a bit in so many bytes of a million.
fn noise(per_million: u32, seed: u64) -> impl FnMut(u64, &mut Vec<u8>) -> bool {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    move |_, frame| {
        for byte in frame {
            if dice.random_range(0..1_000_000) < per_million {
                *byte ^= 1 << dice.random_range(0..8);
            }
        }
        true
    }
}

fn over_noise(per_million: u32, seed: u64, seconds: u64) -> Told {
    let (mut up, mut down) = (noise(per_million, seed), noise(per_million, !seed));
    talk(&mut Pair::new(), 0, seconds * 1000, &mut up, &mut down)
}

#[test]
fn a_cable_that_damages_a_byte_in_a_thousand_accuses_nobody() {
    for seed in 1..=4 {
        let told = over_noise(1000, seed, 300);
        assert!(told.withheld.is_empty() && told.events > 700 && told.damaged > 50, "seed {seed}: {told:?}");
    }
}

/// Answers pass, events do not; one frame in so many milliseconds comes damaged, so that the cable seems to be bad.
#[test]
fn whoever_damages_frames_to_hide_that_he_withholds_is_told_no_later() {
    for every in [100, 300, 900, 1000] {
        let mut pair = Pair::new();
        let calm = talk(&mut pair, 0, 2010, &mut |_, _| true, &mut |_, _| true);
        assert_eq!((calm.events, calm.withheld.len()), (6, 0));
        let (asked, mut damaged_at) = (&std::cell::Cell::new(false), 0);
        let mut up = |now: u64, frame: &mut Vec<u8>| {
            let is_answer = asked.take();
            if !is_answer && now >= damaged_at + every {
                damaged_at = now;
                frame[5] ^= 0xFF;
                return true;
            }
            is_answer
        };
        let mut down = |_, _: &mut Vec<u8>| {
            asked.set(true);
            true
        };
        let told = talk(&mut pair, 2010, 5000, &mut up, &mut down);
        let [at, ..] = told.withheld[..] else { panic!("every {every} ms: {told:?}") };
        assert!(at < 2400 + 2000 && told.damaged > 1, "the card of 2400, every {every} ms: {told:?}");
    }
}

/// How often an honest cable is taken for a thief: `SABOT_HOURS` on each kind of cable.
#[test]
fn how_often_an_honest_cable_accuses_somebody() {
    let hours: Option<u64> = std::env::var("SABOT_HOURS").ok().and_then(|hours| hours.parse().ok());
    let Some(hours) = hours else { return };
    for per_million in [100, 300, 1000, 2000, 3000, 5000] {
        let told = over_noise(per_million, 1, hours * 3600);
        let Told { events, damaged, withheld, silent } = told;
        println!(
            "{per_million:>5} bytes of a million, {hours} h: {events} events, {damaged} frames came damaged, \
             {} times withheld, {silent} times gone",
            withheld.len()
        );
    }
}
