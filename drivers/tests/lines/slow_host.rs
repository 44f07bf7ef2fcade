//! A host that is too slow, for minutes: the device stops accepting cards and says so, and never loses one. The minutes
//! are the runtime's, which stands still while there is something to do.
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use crate::device::{Inbox, TestDevice, draw, eventually, expected};
use sabot_drivers::Saw;
use sabot_drivers::link::{LinkReport, spawn_over};
use sabot_drivers::transport::memory;
use sabot_wire::message::{DeviceState, Observation, Role};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep};

/// From one card to the next, of a dealer faster than any.
const CARD_MS: u64 = 50;
/// Reports the station may leave unread.
const ROOM: usize = 8;
/// Events that one reading of the port may hold: 1024 bytes, of 10 and more each.
const ONE_READING: u64 = 1024 / 10;

/// What the dealer did.
#[derive(Default)]
struct Dealt {
    /// Cards that the shoe took.
    taken: AtomicU32,
    /// Times the shoe would take none: its lamp says "do not draw", and the dealer waits.
    waited: AtomicU32,
    over: AtomicBool,
}

#[tokio::test(start_paused = true)]
async fn minutes_of_cards_at_full_speed_to_a_host_that_is_slow_or_stands_come_once_and_in_order() {
    let (place, socket) = memory();
    let shoe = TestDevice::new(Role::Shoe, 4096);
    shoe.polls_every_ms(10);
    let (sender, reports) = mpsc::channel(ROOM);
    let (_stop, stopped) = watch::channel(false);
    let link = spawn_over(place, expected(Role::Shoe), None, sender, stopped);
    let mut inbox = Inbox { reports };
    shoe.run_on(socket.plug(512));
    inbox.online().await;

    let dealt = Arc::new(Dealt::default());
    let (dealer, its_shoe) = (Arc::clone(&dealt), Arc::clone(&shoe));
    let dealing = tokio::spawn(async move {
        while !dealer.over.load(Ordering::Relaxed) {
            let card = dealer.taken.load(Ordering::Relaxed) % 52;
            let counter = if its_shoe.sees(card as u8) { &dealer.taken } else { &dealer.waited };
            counter.fetch_add(1, Ordering::Relaxed);
            sleep(Duration::from_millis(CARD_MS)).await;
        }
    });

    let mut taken = Vec::new();
    let began = Instant::now();
    // the station stands for a minute, then takes two events a second for three, then is well again, and stands once
    // more
    for (pause_ms, events) in [(60_000, 1), (500, 360), (1, 2_000), (30_000, 1)] {
        for _ in 0..events {
            sleep(Duration::from_millis(pause_ms)).await;
            assert!(
                link.counters().events <= taken.len() as u64 + ROOM as u64 + ONE_READING,
                "the link goes on reading for a station that does not: {:?} of {}",
                link.counters(),
                taken.len()
            );
            assert!(shoe.held() <= 4096 / 10);
            take(inbox.next().await, &link, &mut taken);
        }
    }
    assert!(began.elapsed() > Duration::from_secs(4 * 60));
    dealt.over.store(true, Ordering::Relaxed);
    dealing.await.unwrap();
    while shoe.held() > 0 || !inbox.reports.is_empty() {
        take(inbox.next().await, &link, &mut taken);
        // an acknowledgement needs a moment to arrive before what is left is known
        for _ in 0..200 {
            if shoe.held() == 0 || !inbox.reports.is_empty() {
                break;
            }
            sleep(Duration::from_millis(5)).await;
        }
    }
    eventually("the ring is empty", || shoe.held() == 0).await;

    let cards: Vec<Observation> = (0..dealt.taken.load(Ordering::Relaxed)).map(|n| draw((n % 52) as u8)).collect();
    let state = |saw: &&Observation| matches!(saw, Observation::Device(_));
    let told: Vec<_> = taken.iter().filter(|saw| !state(saw)).cloned().collect();
    assert!(told == cards, "{} cards of {}, or not in order", told.len(), cards.len());
    assert!(cards.len() > 1_000, "{}", cards.len());
    // it said so: full and free in turn, and the dealer had to wait meanwhile
    let states: Vec<_> = taken.iter().filter(state).cloned().collect();
    assert!(!states.is_empty() && dealt.waited.load(Ordering::Relaxed) > 100, "the shoe was never full");
    let turns = [DeviceState::RingFull, DeviceState::RingFree].map(Observation::Device);
    assert!(states.iter().zip(turns.iter().cycle()).all(|(said, turn)| said == turn), "{states:?}");
    assert_eq!(link.counters().reconnects, 0);
    eprintln!(
        "{} cards, the shoe full {} times, the dealer waited {} times",
        cards.len(),
        states.len().div_ceil(2),
        dealt.waited.load(Ordering::Relaxed)
    );
}

/// Takes an event, which must be the next, and acknowledges it.
fn take(report: LinkReport, link: &sabot_drivers::Link, taken: &mut Vec<Observation>) {
    match report {
        LinkReport::Saw(seen) => {
            taken.extend(seen.saw.and_then(Saw::in_words_of_the_link));
            assert_eq!(seen.seq as usize, taken.len());
            link.ack(seen.epoch, seen.seq);
        }
        LinkReport::Quality(quality) => panic!("the line is blamed for the station: {quality:?}"),
        other => panic!("the device was taken for gone: {other:?}"),
    }
}
