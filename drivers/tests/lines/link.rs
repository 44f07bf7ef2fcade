//! The link over pipes in memory and over real pseudo-terminals, against the firmware's own session.
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::device::{Inbox, TestDevice, draw, eventually, expected, key};
use sabot_drivers::keys::{KeyFile, Met};
use sabot_drivers::link::machine::Distrust;
use sabot_drivers::link::{Expected, Link, LinkConfig, LinkReport, Resume, spawn, spawn_over};
use sabot_drivers::transport::{Connect, Faults, FaultyPlace, OpenError, memory};
use sabot_stall_guard::Stopwatch;
use sabot_wire::frame::{Decoder, Got};
use sabot_wire::message::{Lamp, Role, Show, ToDevice};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::sync::{mpsc, watch};
use tokio_serial::{SerialPort as _, SerialStream};

/// A link to a shoe over `place`; dropping the second sender stops it.
fn shoe_on<C: Connect>(place: C, resume: Option<Resume>, room: usize) -> (Link, Inbox, watch::Sender<bool>) {
    let (sender, reports) = mpsc::channel(room);
    let (stop, stopped) = watch::channel(false);
    let link = spawn_over(place, expected(Role::Shoe), resume, sender, stopped);
    (link, Inbox { reports }, stop)
}

/// Takes `count` events, which must be the cards `from`, `from + 1` … in sequence, and acknowledges each.
async fn take(inbox: &mut Inbox, link: &Link, from: u32, count: u32) {
    for n in from..from + count {
        let seen = inbox.seen().await;
        assert_eq!((seen.seq, &seen.saw), (n + 1, &Some(draw((n % 52) as u8).into())));
        link.ack(seen.epoch, seen.seq);
    }
}

#[tokio::test]
async fn events_come_once_and_in_order_and_are_forgotten_only_when_acknowledged() {
    let (place, socket) = memory();
    let shoe = TestDevice::new(Role::Shoe, 4096);
    let (link, mut inbox, _stop) = shoe_on(place, None, 64);
    shoe.run_on(socket.plug(4096));
    inbox.online().await;
    assert!((0..5).all(|card| shoe.sees(card)));
    let mut last = None;
    for n in 0..5 {
        let seen = inbox.seen().await;
        assert_eq!(
            (seen.seq, seen.epoch, seen.serial.as_str(), &seen.saw),
            (n + 1, 77, "T-0001", &Some(draw(n as u8).into()))
        );
        last = Some(seen);
    }
    assert_eq!(shoe.held(), 5);
    let last = last.unwrap();
    link.ack(last.epoch, last.seq);
    eventually("the ring is empty", || shoe.held() == 0).await;
    assert_eq!(link.counters().events, 5);
}

#[tokio::test]
async fn a_pulled_cable_is_absent_at_once_and_resumed_within_three_seconds_without_loss() {
    let (place, socket) = memory();
    let shoe = TestDevice::new(Role::Shoe, 8192);
    let (link, mut inbox, _stop) = shoe_on(place, None, 64);
    let mut cable = shoe.run_on(socket.plug(4096));
    inbox.online().await;
    for round in 0..4 {
        assert!((0..10).all(|n| shoe.sees((round * 10 + n) % 52)));
        // half of them arrive, none of those is acknowledged yet, then the cable goes
        for n in 0..5 {
            assert_eq!(inbox.seen().await.seq, u32::from(round) * 10 + n + 1);
        }
        let pulled = Stopwatch::start();
        cable.abort();
        let mut later: Vec<u32> = Vec::new();
        inbox
            .until(|report| {
                if let LinkReport::Saw(seen) = report {
                    later.push(seen.seq);
                }
                matches!(report, LinkReport::Absent(_)).then_some(())
            })
            .await;
        assert!(pulled.elapsed() < Duration::from_secs(1));
        cable = shoe.run_on(socket.plug(4096));
        let plugged = Stopwatch::start();
        inbox.online().await;
        assert!(plugged.elapsed() < Duration::from_secs(3));
        for n in 5 + later.len()..10 {
            later.push(inbox.seen().await.seq);
            assert_eq!(later.len(), n - 4);
        }
        let end = u32::from(round) * 10 + 10;
        assert_eq!(later, (end - 4..=end).collect::<Vec<_>>());
        link.ack(77, end);
        eventually("the ring is empty", || shoe.held() == 0).await;
    }
    assert_eq!((link.counters().reconnects, link.counters().events), (4, 40));
    assert!(link.counters().repeats > 0, "what had come and was not acknowledged comes again, and is dropped");
}

#[tokio::test]
async fn a_copy_of_a_device_in_another_role_is_refused_in_words_and_the_first_stays() {
    let folder = tempfile::tempdir().unwrap();
    let (keys, met) = (folder.path().join("keys.toml"), Met::default());
    KeyFile::new(keys.clone()).add("T-0001", &key()).unwrap();
    let link_to = |role| {
        let ((place, socket), (sender, reports)) = (memory(), mpsc::channel(64));
        let (stop, stopped) = watch::channel(false);
        let keys = KeyFile::new(keys.clone()).among(met.clone());
        let link = spawn_over(place, Expected { role, serial: None, keys }, None, sender, stopped);
        (link, socket, Inbox { reports }, stop)
    };
    let (link, socket, mut of_shoe, _stop) = link_to(Role::Shoe);
    let shoe = TestDevice::new(Role::Shoe, 4096);
    shoe.run_on(socket.plug(4096));
    of_shoe.online().await;
    let (_keypad, socket, mut of_keypad, _stop) = link_to(Role::Keypad);
    TestDevice::new(Role::Keypad, 4096).run_on(socket.plug(4096));
    let (why, distrust) = of_keypad
        .until(|report| match report {
            LinkReport::Online { .. } => panic!("both are in session as T-0001"),
            LinkReport::Refused { why, distrust } => Some((why.clone(), *distrust)),
            _ => None,
        })
        .await;
    assert_eq!(distrust, Some(Distrust::Swapped));
    let words = "the shoe of this table calls itself T-0001 too, and has the same key: one is a copy of the other. Give \
                 this one a serial number of its own, and pair it";
    assert_eq!(why, words);
    assert!(shoe.sees(0));
    take(&mut of_shoe, &link, 0, 1).await;
}

#[tokio::test]
async fn a_restarted_device_goes_on_where_it_was() {
    let (place, socket) = memory();
    let shoe = TestDevice::new(Role::Shoe, 4096);
    let (link, mut inbox, _stop) = shoe_on(place, None, 64);
    let cable = shoe.run_on(socket.plug(4096));
    inbox.online().await;
    assert!(shoe.sees(0) && shoe.sees(1));
    take(&mut inbox, &link, 0, 1).await;
    cable.abort();
    shoe.restart();
    assert!(shoe.sees(2));
    shoe.run_on(socket.plug(4096));
    take(&mut inbox, &link, 1, 2).await;
    assert_eq!(link.counters().reconnects, 1);
}

#[tokio::test]
async fn over_a_stormy_line_every_event_comes_once_in_order_and_damage_is_counted() {
    for seed in [1000, 2000, 3000] {
        let (inner, socket) = memory();
        let place = FaultyPlace::new(inner, Faults::STORM, seed);
        let counts = place.counts();
        let shoe = TestDevice::new(Role::Shoe, 1 << 16);
        let (link, mut inbox, _stop) = shoe_on(place, None, 8);
        let cable = shoe.stays_on(socket);
        assert!((0..60).all(|n| shoe.sees((n % 52) as u8)));
        take(&mut inbox, &link, 0, 60).await;
        eventually("the ring is empty", || shoe.held() == 0).await;
        let damage = counts.damage();
        assert!(damage > 20, "the storm was too mild to prove anything: {damage}");
        cable.abort();
        assert!(link.counters().bad_frames > 0 && link.counters().repeats > 0, "{:?}", link.counters());
    }
}

#[tokio::test]
async fn a_slow_station_stops_the_reading_and_loses_nothing() {
    let (place, socket) = memory();
    let shoe = TestDevice::new(Role::Shoe, 1 << 16);
    let (link, mut inbox, _stop) = shoe_on(place, None, 1);
    // a cable that holds little: what is not read stays with the device
    shoe.run_on(socket.plug(256));
    inbox.online().await;
    assert!((0..400).all(|n| shoe.sees((n % 52) as u8)));
    // longer than the silence after which a device is gone: nobody listened, so it is not the device's silence
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert!(link.counters().events < 100, "reading went on: {:?}", link.counters());
    for n in 0..400 {
        match inbox.next().await {
            LinkReport::Saw(seen) => {
                assert_eq!(seen.seq, n + 1);
                link.ack(seen.epoch, seen.seq);
            }
            other => panic!("the device was taken for gone: {other:?}"),
        }
    }
    assert_eq!(link.counters().reconnects, 0);
}

#[tokio::test]
async fn a_silent_device_is_absent_within_a_second_and_back_when_it_speaks() {
    let (place, socket) = memory();
    let shoe = TestDevice::new(Role::Shoe, 4096);
    let (_link, mut inbox, _stop) = shoe_on(place, None, 64);
    let (near, middle) = tokio::io::duplex(4096);
    shoe.run_on(near);
    let relay = Relay::between(middle, socket.plug(4096));
    inbox.online().await;
    relay.mute();
    let muted = Stopwatch::start();
    let why = inbox.absent().await;
    assert!(why.starts_with("no answer"), "{why}");
    assert!(muted.elapsed() < Duration::from_secs(1), "{:?}", muted.elapsed());
    relay.unmute();
    let spoken = Stopwatch::start();
    match inbox.next().await {
        LinkReport::Online { .. } => assert!(spoken.elapsed() < Duration::from_secs(3)),
        other => panic!("an open port without a device is no news: {other:?}"),
    }
}

/// Two ends of a cable, joined, with a switch.
struct Relay {
    muted: watch::Sender<bool>,
}

impl Relay {
    fn between(mut one: DuplexStream, mut other: DuplexStream) -> Self {
        let (muted, mute) = watch::channel(false);
        tokio::spawn(async move {
            let (mut a, mut b) = ([0; 512], [0; 512]);
            loop {
                let (count, from_one) = tokio::select! {
                    count = one.read(&mut a) => (count.unwrap_or(0), true),
                    count = other.read(&mut b) => (count.unwrap_or(0), false),
                };
                if count == 0 {
                    return;
                }
                if *mute.borrow() {
                    continue;
                }
                let sent = if from_one { other.write_all(&a[..count]).await } else { one.write_all(&b[..count]).await };
                if sent.is_err() {
                    return;
                }
            }
        });
        Self { muted }
    }

    fn mute(&self) {
        self.muted.send_replace(true);
    }

    fn unmute(&self) {
        self.muted.send_replace(false);
    }
}

#[tokio::test]
async fn another_role_is_refused_in_words_and_is_sent_nothing_but_the_question() {
    let (place, socket) = memory();
    let (sender, reports) = mpsc::channel(64);
    let (_stop, stopped) = watch::channel(false);
    let link = spawn_over(place, expected(Role::Display), None, sender, stopped);
    link.show(Show::Lamp(Lamp::Red));
    let mut inbox = Inbox { reports };
    let keypad = TestDevice::new(Role::Keypad, 4096);
    keypad.run_on(socket.plug(4096));
    let why = inbox
        .until(|report| match report {
            LinkReport::Refused { why, .. } => Some(why.clone()),
            _ => None,
        })
        .await;
    assert!(why.contains("keypad") && why.contains("display"), "{why}");
    assert!(keypad.shown.lock().unwrap().is_empty());
    assert_eq!(link.counters().events, 0);
}

#[tokio::test]
async fn nothing_but_hellos_is_sent_before_the_device_has_said_who_it_is() {
    let (place, socket) = memory();
    let (link, mut inbox, _stop) = shoe_on(place, Some(resume(5)), 64);
    link.show(Show::Lamp(Lamp::Red));
    link.ack(77, 5);
    let mut cable = socket.plug(4096);
    let mut decoder = Decoder::new();
    let mut hellos = 0;
    let mut buffer = [0; 256];
    while hellos < 5 {
        let count = cable.read(&mut buffer).await.unwrap();
        let mut input = &buffer[..count];
        while let Some(message) = decoder.next::<ToDevice>(&mut input, None) {
            assert!(matches!(message, Got::Clear(ToDevice::Hello { .. })), "{message:?}");
            hellos += 1;
        }
    }
    assert_eq!(inbox.until(|report| (*report == LinkReport::Connecting).then_some(1)).await, 1);
    let why = inbox.absent().await;
    assert!(why.contains("power and cable"), "{why}");
    // noise instead of silence: the words point at the speed
    drop(cable);
    let mut cable = socket.plug(4096);
    cable.write_all(&[0x55, 0, 0x55, 0]).await.unwrap();
    let why = inbox.until(|report| match report {
        LinkReport::Absent(why) if why.starts_with("no answer") => Some(why.clone()),
        _ => None,
    });
    let why = why.await;
    assert!(why.contains("speed"), "{why}");
    assert_eq!(link.counters().bad_frames, 2);
}

fn resume(seq: u32) -> Resume {
    Resume { serial: "T-0001".to_owned(), epoch: 77, seq, boots: None }
}

#[tokio::test]
async fn a_station_that_starts_again_is_told_only_what_is_not_on_its_disk() {
    let shoe = TestDevice::new(Role::Shoe, 4096);
    assert!((0..10).all(|card| shoe.sees(card)));
    let (place, socket) = memory();
    let (link, mut inbox, stop) = shoe_on(place, None, 64);
    let cable = shoe.run_on(socket.plug(4096));
    // all ten are seen and six of them written, and no acknowledgement leaves before the station dies
    for n in 0..10 {
        assert_eq!(inbox.seen().await.seq, n + 1);
    }
    stop.send_replace(true);
    drop(link);
    cable.await.unwrap();
    assert_eq!(shoe.held(), 10);

    let (place, socket) = memory();
    let (link, mut inbox, _stop) = shoe_on(place, Some(resume(6)), 64);
    shoe.run_on(socket.plug(4096));
    take(&mut inbox, &link, 6, 4).await;
    eventually("the ring is empty", || shoe.held() == 0).await;
    assert_eq!(link.counters().events, 4);
}

#[tokio::test]
async fn what_a_display_shows_is_kept_while_it_is_away_and_only_the_newest() {
    let (place, socket) = memory();
    let (sender, reports) = mpsc::channel(64);
    let (_stop, stopped) = watch::channel(false);
    let link = spawn_over(place, expected(Role::Display), None, sender, stopped);
    let mut inbox = Inbox { reports };
    let line = |text: &str| Show::Line { row: 0, text: heapless::String::try_from(text).unwrap() };
    for n in 0..50 {
        link.show(line(&format!("old {n}")));
    }
    link.show(line("new"));
    let display = TestDevice::new(Role::Display, 4096);
    let cable = display.run_on(socket.plug(4096));
    inbox.online().await;
    eventually("the line is shown", || display.shown.lock().unwrap().contains(&line("new"))).await;
    assert_eq!(display.shown.lock().unwrap().iter().filter(|show| **show != line("new")).count(), 0);
    cable.abort();
    inbox.absent().await;
    display.shown.lock().unwrap().clear();
    display.run_on(socket.plug(4096));
    eventually("it is shown again", || display.shown.lock().unwrap().contains(&line("new"))).await;
}

/// A place that is never there, and how often it was asked for.
struct Nowhere(Arc<AtomicU64>);

impl Connect for Nowhere {
    type Stream = DuplexStream;

    async fn connect(&mut self) -> Result<DuplexStream, OpenError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Err(OpenError::Missing { place: self.place() })
    }

    fn place(&self) -> String {
        "nowhere".to_owned()
    }
}

#[tokio::test]
async fn an_absent_device_is_looked_for_often_enough_and_not_more() {
    let tries = Arc::new(AtomicU64::new(0));
    let (_link, mut inbox, _stop) = shoe_on(Nowhere(Arc::clone(&tries)), None, 64);
    assert!(inbox.absent().await.contains("no such port: nowhere"));
    tokio::time::sleep(Duration::from_secs(3)).await;
    let tries = tries.load(Ordering::Relaxed);
    assert!((6..=20).contains(&tries), "{tries} in three seconds");
    assert!(inbox.reports.try_recv().is_err(), "the same reason was told again");
}

#[tokio::test]
async fn a_link_ends_when_told_to_and_when_nobody_listens() {
    let (place, socket) = memory();
    let (_link, inbox, stop) = shoe_on(place, None, 4);
    let mut cable = socket.plug(64);
    eventually("the link has opened its place", || !socket.waits()).await;
    stop.send_replace(true);
    let mut rest = Vec::new();
    cable.read_to_end(&mut rest).await.unwrap();
    drop(inbox);

    let tries = Arc::default();
    let (_link, inbox, _stop) = shoe_on(Nowhere(Arc::clone(&tries)), None, 4);
    drop(inbox);
    eventually("the task has let go of its place", || Arc::strong_count(&tries) == 1).await;
}

#[tokio::test]
async fn a_pinned_serial_number_too_long_for_any_device_is_refused_in_words() {
    let (sender, reports) = mpsc::channel(4);
    let (_stop, stopped) = watch::channel(false);
    let pinned = Some("a serial number without end".to_owned());
    let expected = Expected { serial: pinned, ..expected(Role::Shoe) };
    let _link = spawn_over(Nowhere(Arc::default()), expected, None, sender, stopped);
    match (Inbox { reports }).next().await {
        LinkReport::Refused { why, .. } => assert!(why.contains("without end") && why.contains("16"), "{why}"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_pseudo_terminal_whose_other_end_closes_is_gone_at_once_and_found_again_by_its_link() {
    let dir = tempfile::tempdir().unwrap();
    let port = dir.path().join("shoe");
    let shoe = TestDevice::new(Role::Shoe, 4096);
    let plug = || {
        let (master, slave) = SerialStream::pair().unwrap();
        let target = slave.name().unwrap();
        let fresh = dir.path().join("fresh");
        std::os::unix::fs::symlink(target, &fresh).unwrap();
        std::fs::rename(&fresh, &port).unwrap();
        // the slave stays open here too, as in the twins: a terminal that nobody has open reads as closed at its master
        (shoe.run_on(master), slave)
    };
    let (sender, reports) = mpsc::channel(64);
    let (_stop, stopped) = watch::channel(false);
    let config = LinkConfig { role: Role::Shoe, port: port.clone(), baud: 115_200, serial: None, image: None };
    let link = spawn(config, key(), None, sender, stopped);
    let mut inbox = Inbox { reports };
    assert!(inbox.absent().await.contains("no such port"));
    let (cable, slave) = plug();
    inbox.online().await;
    assert!((0..20).all(|n| shoe.sees(n)));
    take(&mut inbox, &link, 0, 10).await;
    cable.abort();
    drop(slave);
    let pulled = Stopwatch::start();
    let mut came = 10;
    inbox
        .until(|report| {
            came += u32::from(matches!(report, LinkReport::Saw(_)));
            matches!(report, LinkReport::Absent(_)).then_some(())
        })
        .await;
    assert!(pulled.elapsed() < Duration::from_secs(1), "{:?}", pulled.elapsed());
    let replugged = Stopwatch::start();
    let _replugged = plug();
    inbox.online().await;
    assert!(replugged.elapsed() < Duration::from_secs(3), "{:?}", replugged.elapsed());
    take(&mut inbox, &link, came, 20 - came).await;
}

#[tokio::test]
async fn an_observation_is_told_as_it_was_seen() {
    let (place, socket) = memory();
    let shoe = TestDevice::new(Role::Shoe, 4096);
    let (_link, mut inbox, _stop) = shoe_on(place, None, 64);
    shoe.run_on(socket.plug(4096));
    assert!(shoe.sees(255));
    let seen = inbox.seen().await;
    assert_eq!(seen.role, Role::Shoe);
    assert_eq!(seen.saw, Some(draw(255).into()));
}
