//! Devices that others wrote from the page alone, and wrote wrong: nothing that they see is lost without a word.

use std::cell::RefCell;
use std::rc::Rc;

use sabot_wire::Version;
use sabot_wire::frame::{Decoder, Got, MAX_FRAME, encode, encode_sealed};
use sabot_wire::host::{Host, Keyring, Missed, Refusal, Report, Resume};
use sabot_wire::message::{DeviceHello, Image, Key, Nonce, Ready, Role, ShoeSaw, Started, ToDevice, ToHost};
use sabot_wire::message::{Observation, Observation::Shoe};
use sabot_wire::seal::{Channel, Keys, Once, Parties};
use serde::Serialize;

use super::common::VERSION;
use super::common::ends::key;
use super::common::pair::{SERIAL, any_shoe, drawn, host_with, serial};

/// A shoe without a ring, a boot count or scruples: it says what it is told to say.
struct Stranger<K = Key> {
    host: Host<K>,
    channel: Option<Channel>,
    decoder: Decoder,
    boots: u32,
    epoch: u32,
    oldest: u32,
    fresh: u32,
    /// What it says of its start is no message.
    babbles: bool,
    /// It tells its clock, and never that it is ready.
    is_unready: bool,
    /// The role that it gives when it says that it is ready.
    runs_as: Role,
}

impl Stranger {
    fn new(resume: Option<Resume>) -> Self {
        Self::at(host_with(any_shoe(), key(1), 0, resume))
    }
}

impl<K: Keyring> Stranger<K> {
    fn at(host: Host<K>) -> Self {
        Self {
            host,
            channel: None,
            decoder: Decoder::new(),
            boots: 1,
            epoch: 100,
            oldest: 1,
            fresh: 1,
            babbles: false,
            is_unready: false,
            runs_as: Role::Shoe,
        }
    }

    fn hello(&self) -> DeviceHello {
        let &Self { boots, epoch, oldest, .. } = self;
        let (serial, firmware) = (serial(SERIAL), [0, 1, 0]);
        let (protocol, role, schema) = (VERSION.number(), Role::Shoe, VERSION.schema_of(Role::Shoe));
        DeviceHello { protocol, role, serial, firmware, schema, boots, epoch, oldest }
    }

    /// Says hello and goes through the handshake; what the host reports of it.
    fn joins(&mut self, now: u64, at_ms: u32) -> Vec<Report> {
        let mut reports = self.clear(now, &ToHost::Hello(self.hello()));
        let mut challenges = self.told(now).into_iter().filter_map(|message| match message {
            ToDevice::Challenge(challenge) => Some(challenge),
            _ => None,
        });
        let Some(challenge) = challenges.next_back() else { return reports };
        let answer = Nonce([7; 16]);
        let parties =
            Parties { version: VERSION, role: Role::Shoe, serial: SERIAL, challenge: &challenge, answer: &answer };
        let mut keys = Keys::of(&key(1), &parties);
        let proof = keys.proof();
        reports.extend(self.clear(now, &ToHost::Answer { to: challenge, nonce: answer, proof }));
        if VERSION == Version::Four {
            let Some(ToDevice::Exchange { share, .. }) = self.told(now).pop() else { panic!("no share") };
            let once = Once::new([6; 32]);
            keys = keys.exchanged([&share, &once.share()], &once.with(&share)).expect("a share");
            let exchange = ToHost::Exchange { to: answer, share: once.share(), proof: keys.proof() };
            reports.extend(self.clear(now, &exchange));
        }
        self.channel = Some(keys.device_end());
        if self.babbles {
            let tag = if VERSION == Version::Four { 9_u8 } else { 5 };
            reports.extend(self.says(now, &(tag, 4_u8, 9_u8)));
            return reports;
        }
        if self.is_unready {
            reports.extend(self.says(now, &ToHost::Clock { ping: 1, at_ms, newest: 0 }));
            return reports;
        }
        let (mut hello, fresh) = (self.hello(), self.fresh);
        hello.role = self.runs_as;
        let ready = Ready { hello, started: Started::Power, fresh, at_ms };
        let ready = match VERSION {
            Version::Four => ToHost::Running { ready, image: Image([0; 32]) },
            _ => ToHost::Ready(ready),
        };
        reports.extend(self.says(now, &ready));
        reports
    }

    fn clear(&mut self, now: u64, message: &ToHost) -> Vec<Report> {
        let mut out = [0; MAX_FRAME];
        let mut line = encode(message, &mut out).unwrap();
        std::iter::from_fn(|| self.host.receive(now, &mut line)).collect()
    }

    /// Sends anything, sealed.
    fn says<M: Serialize>(&mut self, now: u64, message: &M) -> Vec<Report> {
        let mut out = [0; MAX_FRAME];
        let mut line = encode_sealed(message, self.channel.as_mut().unwrap(), &mut out).unwrap();
        std::iter::from_fn(|| self.host.receive(now, &mut line)).collect()
    }

    fn event(&mut self, now: u64, seq: u32, at_ms: u32, card: u8) -> Vec<Report> {
        self.says(now, &ToHost::Event { seq, at_ms, saw: drawn(card) })
    }

    /// Falls silent until the host has noticed; when that is.
    fn falls_silent(&mut self, mut now: u64) -> u64 {
        loop {
            self.told(now);
            match self.host.tick(now) {
                Some(Report::Silent) => return now,
                _ => now += 50,
            }
        }
    }

    /// What the host says.
    fn told(&mut self, now: u64) -> Vec<ToDevice> {
        let mut said = Vec::new();
        let mut out = [0; MAX_FRAME];
        while let Some(frame) = self.host.transmit(now, &mut out) {
            let mut line = frame;
            while let Some(got) = self.decoder.next(&mut line, self.channel.as_mut()) {
                if let Got::Clear(message) | Got::Sealed(message) = got {
                    said.push(message);
                }
            }
        }
        said
    }

    fn acknowledged(&mut self, now: u64) -> Option<u32> {
        let mut acks = self.told(now).into_iter().filter_map(|message| match message {
            ToDevice::Ack { seq, .. } => Some(seq),
            _ => None,
        });
        acks.next_back()
    }
}

fn saw(reports: &[Report]) -> Vec<(u32, Option<&Observation>)> {
    let event = |report| match report {
        &Report::Saw { seq, ref saw, .. } => Some((seq, saw.as_ref())),
        _ => None,
    };
    reports.iter().filter_map(event).collect()
}

#[test]
fn an_event_that_means_nothing_is_told_by_its_number_and_the_device_goes_on() {
    let mut shoe = Stranger::new(None);
    shoe.joins(0, 0);
    assert_eq!(saw(&shoe.event(1, 1, 10, 5)), [(1, Some(&drawn(5)))]);
    // an observation of no kind there is, a card of no code there is, and bytes beyond the message's end
    assert_eq!(saw(&shoe.says(2, &(0_u8, 2_u32, 20_u32, 9_u8))), [(2, None)]);
    assert_eq!(saw(&shoe.says(3, &(0_u8, 3_u32, 30_u32, (0_u8, 0_u8, 77_u8)))), [(3, None)]);
    assert_eq!(saw(&shoe.says(4, &(0_u8, 4_u32, 40_u32, (0_u8, 0_u8, 7_u8, 1_u8)))), [(4, None)]);
    assert_eq!(saw(&shoe.says(5, &(0_u8, 4_u32, 40_u32, 9_u8))), [], "a repeat is one also where it means nothing");
    assert_eq!(saw(&shoe.event(6, 5, 50, 255)), [(5, Some(&Shoe(ShoeSaw::Drawn(sabot_wire::message::Card::UNREAD))))]);
    shoe.host.durable(100, 5);
    assert_eq!(shoe.acknowledged(7), Some(5));
    assert_eq!((shoe.host.counters().senseless, shoe.host.counters().bad_frames), (4, 0), "the cable is not blamed");
    // what is no event and no message has no number: counted
    assert_eq!(shoe.says(8, &99_u8), []);
    assert_eq!(shoe.host.counters().senseless, 5);
}

#[test]
fn a_device_that_numbers_from_0_is_refused_in_words_once_a_start() {
    let refused = [Report::Refused(Refusal::Numbers { serial: serial(SERIAL) })];
    let mut shoe = Stranger::new(None);
    shoe.oldest = 0;
    assert_eq!(shoe.joins(0, 0), refused, "what it says that it holds");
    shoe.oldest = 1;
    assert!(matches!(shoe.joins(1, 0)[..], [Report::Online { .. }]));
    assert_eq!(shoe.event(2, 0, 0, 5), refused, "what it sends");
    assert_eq!(shoe.joins(3, 0), [], "told once");
    shoe.boots = 2;
    assert!(matches!(shoe.joins(4, 0)[..], [Report::Online { .. }]), "mended, it has started again");
    let [Report::Refused(why)] = refused else { panic!("{refused:?}") };
    assert!(why.to_string().contains("numbers an event 0"));
}

#[test]
fn a_device_whose_running_is_no_message_is_refused_in_words_at_once_and_no_cable_is_blamed() {
    let refused = [Report::Refused(Refusal::Senseless { serial: serial(SERIAL) })];
    let mut shoe = Stranger::new(None);
    shoe.babbles = true;
    assert_eq!(shoe.joins(0, 0), refused);
    assert!(!shoe.host.online() && refused[0] != Report::Silent);
    assert_eq!((shoe.host.counters().senseless, shoe.host.counters().bad_frames), (1, 0));
    shoe.babbles = false;
    assert!(matches!(shoe.joins(5, 0)[..], [Report::Online { .. }]), "mended");
    // after a reset, while the session before still lives
    (shoe.boots, shoe.babbles) = (2, true);
    assert_eq!(shoe.joins(10, 0), refused);
    assert!(!shoe.host.online(), "the start before is over");
}

/// The key of before, and the one that is to be taken instead.
#[derive(Debug, Clone)]
struct Kept(Rc<RefCell<(Key, Option<Key>)>>);

impl Keyring for Kept {
    fn key(&self, _: &str) -> Option<Key> {
        Some(self.0.borrow().0.clone())
    }

    fn next(&self, _: &str) -> Option<Key> {
        self.0.borrow().1.clone()
    }

    fn keeps(&self, _: &str, key: &Key) -> bool {
        self.0.borrow_mut().1 = Some(key.clone());
        true
    }

    fn took_next(&self, _: &str) {
        let mut held = self.0.borrow_mut();
        held.0 = held.1.take().unwrap();
    }
}

#[test]
fn a_key_that_was_taken_is_the_devices_own_though_it_says_nothing_else_that_is_understood() {
    for (babbles, role) in [(true, Role::Shoe), (false, Role::Keypad), (false, Role::Shoe)] {
        let keys = Kept(Rc::new(RefCell::new((key(4), None))));
        let mut host = Host::new(any_shoe(), keys.clone(), &[5; 32], None).pairing(key(1));
        host.opened(0);
        let mut shoe = Stranger::at(host);
        (shoe.babbles, shoe.runs_as) = (babbles, role);
        let said = shoe.joins(0, 0);
        let refusal = match &said[..] {
            [Report::Refused(why)] => Some(why.clone()),
            [Report::Online { .. }] => None,
            other => panic!("{other:?}"),
        };
        let due = if babbles {
            Some(Refusal::Senseless { serial: serial(SERIAL) })
        } else {
            (role == Role::Keypad).then_some(Refusal::Role { expected: Role::Shoe, found: Role::Keypad })
        };
        assert_eq!((refusal, &*keys.0.borrow()), (due, &(key(1), None)));
    }
}

#[test]
fn a_key_that_was_taken_is_the_devices_own_whichever_frame_shows_it() {
    let keys = Kept(Rc::new(RefCell::new((key(4), None))));
    let mut host = Host::new(any_shoe(), keys.clone(), &[5; 32], None).pairing(key(1));
    host.opened(0);
    let mut shoe = Stranger::at(host);
    shoe.is_unready = true;
    assert_eq!((shoe.joins(0, 0), &*keys.0.borrow()), (Vec::new(), &(key(1), None)));
}

#[test]
fn the_last_number_there_is_comes_once_and_nothing_after_it() {
    for oldest in [u32::MAX - 1, u32::MAX] {
        let mut shoe = Stranger::new(None);
        (shoe.oldest, shoe.fresh) = (oldest, oldest);
        shoe.joins(0, 0);
        for seq in oldest..=u32::MAX {
            assert_eq!(saw(&shoe.event(1, seq, 10, 5)), [(seq, Some(&drawn(5)))]);
        }
        for seq in [u32::MAX, u32::MAX - 1, 1] {
            assert_eq!(shoe.event(2, seq, 10, 5), [], "{seq} has come before");
        }
        shoe.host.durable(100, u32::MAX);
        assert_eq!(shoe.acknowledged(3), Some(u32::MAX));
        shoe.oldest = u32::MAX; // there is no higher one to name
        let now = shoe.falls_silent(5);
        assert!(matches!(shoe.joins(now, 2000)[..], [Report::Online { missed: None, .. }]));
        assert_eq!(shoe.event(now, u32::MAX, 10, 5), []);
    }
}

/// Numbers at the ends of what they can be, from a device that holds the key.
#[test]
fn no_number_that_a_device_says_is_too_much_for_its_host() {
    use rand::{RngExt as _, SeedableRng as _};
    let mut dice = rand::rngs::SmallRng::seed_from_u64(7);
    let mut any = move || {
        let end = [0, 1, 31, 32, 33, u32::MAX / 2, u32::MAX - 32, u32::MAX - 1, u32::MAX][dice.random_range(0..9)];
        if dice.random_bool(0.2) { dice.random() } else { end }
    };
    let mut shoe = Stranger::new(None);
    let mut now = 0;
    for round in 0..20_000 {
        now += u64::from(any() % 300);
        if round % 20 == 0 {
            (shoe.boots, shoe.epoch, shoe.oldest, shoe.fresh) = (any(), any() % 3, any(), any());
            shoe.host.opened(now);
            shoe.joins(now, any());
        }
        let (seq, at_ms) = (any(), any());
        let said = match any() % 3 {
            0 => ToHost::Clock { ping: any(), at_ms, newest: seq },
            1 => ToHost::Event { seq, at_ms, saw: drawn(5) },
            _ => ToHost::Event { seq: shoe.oldest.wrapping_add(any() % 3), at_ms, saw: drawn(6) },
        };
        if shoe.channel.is_some() {
            shoe.says(now, &said);
        }
        shoe.host.durable(shoe.epoch, any());
        shoe.host.stood_still(now, any().into());
        shoe.told(now);
        shoe.host.tick(now);
        let _ = shoe.host.wake_at();
    }
}

#[test]
fn what_was_said_in_the_session_before_is_no_forgery_for_a_while() {
    let mut shoe = Stranger::new(None);
    shoe.joins(0, 0);
    let late: Vec<Vec<u8>> = (0..3)
        .map(|ping| {
            let said = ToHost::Clock { ping, at_ms: 5, newest: 0 };
            encode_sealed(&said, shoe.channel.as_mut().unwrap(), &mut [0; MAX_FRAME]).unwrap().to_vec()
        })
        .collect();
    let now = shoe.falls_silent(10);
    assert!(matches!(shoe.joins(now, 2000)[..], [Report::Online { .. }]));
    let mut hears = |at: u64, frame: &[u8]| {
        let mut line = frame;
        std::iter::from_fn(|| shoe.host.receive(at, &mut line)).collect::<Vec<_>>()
    };
    assert_eq!(hears(now + 10, &late[0]), []);
    assert_eq!(hears(now + 900, &late[1]), []);
    assert_eq!(hears(now + sabot_wire::HANDSHAKE_MS + 10, &late[2]), [Report::Forged], "and then it is one");
}

#[test]
fn what_waits_for_room_among_the_32_until_the_disk_is_free_is_not_late() {
    let mut shoe = Stranger::new(None);
    shoe.joins(0, 0);
    let is_late = |reports: &[Report]| reports.iter().any(|report| matches!(report, Report::Late { .. }));
    for seq in 1..=32 {
        assert!(!is_late(&shoe.event(seq.into(), seq, seq, 5)));
    }
    shoe.host.durable(100, 32);
    assert!(!is_late(&shoe.event(10_150, 33, 40, 6)), "the record held it up for ten seconds");
    assert!(!is_late(&shoe.event(10_200, 34, 10_200, 7)), "in time");
    assert!(is_late(&shoe.event(20_000, 35, 12_000, 8)), "and now nothing here does");
}

/// What is missed as the shoe joins once more after `before` did something to it.
fn missed_after(before: impl FnOnce(&mut Stranger), at_ms: u32) -> Option<Missed> {
    let mut shoe = Stranger::new(None);
    shoe.joins(0, 1000);
    for seq in 1..=4 {
        shoe.event(u64::from(seq), seq, 1000 + seq, 5);
    }
    before(&mut shoe);
    shoe.host.opened(500);
    let reports = shoe.joins(500, at_ms);
    let [Report::Online { missed, .. }] = reports[..] else { panic!("{reports:?}") };
    // the first event that follows is taken, whatever number it has
    let first = shoe.oldest.max(if missed.is_some() { 1 } else { 5 });
    assert_eq!(saw(&shoe.event(501, first, at_ms + 1, 9)), [(first, Some(&drawn(9)))]);
    missed
}

#[test]
fn an_epoch_that_is_used_a_second_time_is_a_lost_ring_and_no_card_is_taken_for_a_repeat() {
    let lost = Some(Missed::RingLost { epoch: 100, last: 4 });
    assert_eq!(missed_after(|_| (), 1500), None, "the same start");
    assert_eq!(missed_after(|shoe| (shoe.boots, shoe.fresh) = (2, 5), 0), None, "a start that kept the ring");
    assert_eq!(missed_after(|shoe| shoe.boots = 2, 0), lost, "a start that lost it");
    assert_eq!(missed_after(|shoe| (shoe.boots, shoe.fresh) = (2, 4), 0), lost, "an older ring came back");
    assert_eq!(missed_after(|_| (), 0), lost, "a start that was not counted: the clock went back");
    assert_eq!(missed_after(|shoe| shoe.fresh = 3, 1500), lost, "or the first event of the start is another");
}

#[test]
fn after_a_restart_of_the_host_the_same_start_goes_on() {
    let mut shoe = Stranger::new(Some(Resume { serial: serial(SERIAL), epoch: 100, seq: 4, boots: Some(1) }));
    let reports = shoe.joins(0, 1000);
    assert!(matches!(reports[..], [Report::Online { missed: None, .. }]), "{reports:?}");
    assert_eq!(saw(&shoe.event(1, 5, 1001, 9)), [(5, Some(&drawn(9)))]);
}

#[test]
fn a_count_of_starts_that_goes_back_is_told_once_and_no_card_is_taken_again_for_it() {
    let went_back = |from, to| Some(Missed::WentBack { from, to });
    let back = |reports: Vec<Report>| match &reports[..] {
        [Report::Online { missed: None, .. }] => None,
        [Report::Online { missed: None, .. }, Report::Missed(back)] => Some(*back),
        other => panic!("{other:?}"),
    };
    // it still holds the third and the fourth, which are durable: their acknowledgement was lost
    let resumed = |boots| {
        let mut shoe = Stranger::new(Some(Resume { serial: serial(SERIAL), epoch: 100, seq: 4, boots }));
        (shoe.boots, shoe.oldest, shoe.fresh) = (7, 3, 5);
        shoe
    };
    let mut shoe = resumed(None);
    assert_eq!(back(shoe.joins(0, 1000)), None);
    let silent_at = shoe.falls_silent(1);
    shoe.boots = 6;
    assert_eq!(back(shoe.joins(silent_at, 0)), went_back(7, 6), "while the host goes on");
    assert_eq!(saw(&shoe.event(silent_at + 1, 4, 10, 8)), [], "it came before");
    assert_eq!(saw(&shoe.event(silent_at + 1, 5, 10, 9)), [(5, Some(&drawn(9)))], "and it goes on");
    let mut shoe = resumed(Some(8));
    assert_eq!(back(shoe.joins(0, 1000)), went_back(8, 7), "while the host was away");
    let silent_at = shoe.falls_silent(1);
    assert_eq!(back(shoe.joins(silent_at, 2000)), None, "it was said");
    assert_eq!(back(resumed(Some(7)).joins(0, 1000)), None);
    assert_eq!(back(resumed(Some(6)).joins(0, 1000)), None, "it has started since");
}

#[test]
fn what_an_earlier_start_no_longer_holds_is_told_besides() {
    let mut shoe = Stranger::new(Some(Resume { serial: serial(SERIAL), epoch: 100, seq: 4, boots: Some(9) }));
    (shoe.boots, shoe.oldest, shoe.fresh) = (7, 8, 8);
    let gone = Missed::Forgotten { from: 5, to: 7 };
    match shoe.joins(0, 1000)[..] {
        [Report::Online { missed, .. }, Report::Missed(back)] => {
            assert_eq!((missed, back), (Some(gone), Missed::WentBack { from: 9, to: 7 }));
        }
        ref other => panic!("{other:?}"),
    }
}

#[test]
fn a_clock_that_goes_back_is_told_once_and_dates_nothing_until_the_next_start() {
    let mut shoe = Stranger::new(None);
    shoe.joins(0, 1000);
    let age = |reports: &[Report]| match reports.last() {
        Some(Report::Saw { age_ms, .. }) => *age_ms,
        other => panic!("{other:?}"),
    };
    assert_eq!(age(&shoe.event(100, 1, 1100, 5)), Some(0));
    let back = shoe.event(200, 2, 400, 6);
    assert!(matches!(back[..], [Report::ClockWentBack, Report::Saw { seq: 2, age_ms: None, .. }]), "{back:?}");
    assert_eq!((age(&shoe.event(300, 3, 1300, 7)), shoe.host.clock()), (None, None));
    (shoe.boots, shoe.fresh) = (2, 4);
    shoe.host.opened(400);
    shoe.joins(400, 0);
    assert_eq!(age(&shoe.event(500, 4, 100, 8)), Some(0));
}
