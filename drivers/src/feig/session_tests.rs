use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sabot_wire::message::{BetSpot, Chip};

use super::super::frame::Form;
use super::super::records::AntennaByte;
use super::super::{CardTags, Spot, Timing};
use super::*;
use crate::saw::{MAX_STACK, Saw, Stake, Unreadable};

const UID: u64 = 0xE004_0100_1234_5678;

fn setup() -> Setup {
    Setup {
        spots: vec![Spot { at: main(1).into(), reader: None, antenna: None }],
        values: Values::Known([(UID, 5000), (UID + 1, 100)].into_iter().collect()),
        cards: CardTags::default(),
        buffered: false,
        serial: None,
        poll_ms: 100,
        hold_ms: 2000,
        antennas: AntennaByte::Number,
        hysteresis: Hysteresis { rounds: 2, appear: 2, missed: 2, vanish_ms: 0 },
        timing: Timing::serial(38_400),
    }
}

const fn main(box_no: u8) -> Stake {
    Stake { box_no, hand: 0, spot: BetSpot::Main }
}

/// A page of a reader that answers within a second, reads ISO 15693, keeps no tag silent and records each half second.
fn page(number: u8) -> Vec<u8> {
    let mut page = [0; 15];
    for (of, at, byte) in [(1, 7, 10), (3, 1, 8), (4, 4, 0x0B), (11, 0, 0x11), (12, 1, 5)] {
        if of == number {
            page[1 + at] = byte;
        }
    }
    page.to_vec()
}

/// The answer to the question for the device's number, 0000 12 and this byte.
fn id(last: u8) -> [u8; 17] {
    let mut body = [0; 17];
    (body[3], body[4]) = (0x12, last);
    body
}

/// A session, a clock, and what is answered to it.
struct Rig {
    session: Session,
    now: u64,
    said: Vec<SessionReport>,
}

impl Rig {
    fn new(setup: Setup) -> Self {
        let mut session = Session::new(setup);
        session.opened(0);
        Self { session, now: 0, said: Vec::new() }
    }

    fn online(setup: Setup) -> Self {
        let mut rig = Self::new(setup);
        rig.answer(0x66, &[0, 1, 4, 0, 0, 0x50, 0, 0x08]);
        rig.answer(0x66, &id(0x34));
        rig.pages();
        assert!(matches!(rig.said.first(), Some(SessionReport::Online { .. })), "{:?}", rig.said);
        rig.said.clear();
        rig
    }

    /// The next request, with the time it takes until it is sent.
    fn request(&mut self) -> Vec<u8> {
        let until = self.now + 10_000;
        while self.now < until {
            let mut out = [0; sabot_wire::frame::MAX_FRAME];
            if let Some(bytes) = self.session.transmit(self.now, &mut out) {
                return bytes.to_vec();
            }
            self.said.extend(self.session.tick(self.now));
            self.now += 1;
        }
        panic!("no request comes");
    }

    fn hear(&mut self, bytes: &[u8]) {
        let mut input = bytes;
        while let Some(said) = self.session.receive(self.now, &mut input) {
            self.said.push(said);
        }
    }

    fn reply(&mut self, command: u8, body: &[u8]) {
        let frame = Frame { form: Form::Advanced, address: 0, command, body: body.to_vec() };
        self.hear(&frame.encode().unwrap());
    }

    /// Waits for a request of that command and answers it.
    fn answer(&mut self, command: u8, body: &[u8]) -> Vec<u8> {
        let request = self.request();
        assert_eq!(request[4], command, "{request:02X?}");
        self.now += 7;
        self.reply(command, body);
        request
    }

    /// Answers the questions for the configuration.
    fn pages(&mut self) {
        let pages: &[u8] = if self.session.setup.buffered { &[1, 3, 4, 11, 12, 15] } else { &[1, 3, 4, 5] };
        for &number in pages {
            let request = self.answer(0x80, &page(number));
            assert_eq!(request[5], number);
        }
    }

    fn reset(&mut self) {
        self.answer(0x69, &[0]);
    }

    /// Answers an inventory, and the reset before it if there is one.
    fn inventory(&mut self, uids: &[u64]) -> Vec<u8> {
        let body = found(0, uids);
        let mut request = self.request();
        if request[4] == 0x69 {
            self.now += 7;
            self.reply(0x69, &[0]);
            request = self.request();
        }
        assert_eq!(request[4], 0xB0, "{request:02X?}");
        self.now += 7;
        self.reply(0xB0, if uids.is_empty() { &[1] } else { &body });
        request
    }

    fn observed(&mut self) -> Vec<TagsSaw> {
        let observation = |said| match said {
            SessionReport::Saw { saw: Some(Saw::Tags(saw)), .. } => Some(saw),
            _ => None,
        };
        self.said.drain(..).filter_map(observation).collect()
    }
}

fn found(status: u8, uids: &[u64]) -> Vec<u8> {
    let mut body = vec![status, uids.len() as u8];
    for uid in uids {
        body.extend([3, 0]);
        body.extend(uid.to_be_bytes());
    }
    body
}

fn spot(chips: &[(u64, u32)]) -> TagsSaw {
    let chips = chips.iter().map(|&(uid, value)| Chip { uid, value }).collect();
    TagsSaw::Stack { at: main(1), chips }
}

#[test]
fn a_reader_is_asked_what_it_is_before_anything_else() {
    let mut rig = Rig::new(setup());
    assert_eq!(rig.request(), Request::Info.encode(ANY_READER).unwrap());
    rig.reply(0x66, &[0, 1, 4, 0, 0, 0x50, 0, 0x01]);
    assert!(matches!(rig.said.as_slice(), [SessionReport::Refused { .. }]), "{:?}", rig.said);
    for _ in 0..3 {
        assert_eq!(rig.answer(0x66, &[0, 1, 4, 0, 0, 0x50, 0, 0x01])[5], 0);
    }
    assert_eq!(rig.said.len(), 1, "said once");
    let mut pinned = Rig::new(Setup { serial: Some("FEIG-00001234".to_owned()), ..setup() });
    pinned.answer(0x66, &[0, 1, 4, 0, 0, 0x50, 0, 0x08]);
    pinned.answer(0x66, &id(0x35));
    let said = pinned.said.as_slice();
    assert!(matches!(said, [SessionReport::Refused { distrust: Some(Distrust::Swapped), .. }]), "{said:?}");
    Rig::online(Setup { serial: Some("FEIG-00001234".to_owned()), ..setup() });
}

/// Asks a reader who it is, and answers with this last byte of its number, or that it knows no such question.
fn tells(session: Session, number: Option<u8>) -> Rig {
    let mut rig = Rig { session, now: 0, said: Vec::new() };
    rig.session.opened(0);
    rig.answer(0x66, &[0, 1, 4, 0, 0, 0x50, 0, 0x08]);
    match number {
        Some(number) => rig.answer(0x66, &id(number)),
        None => rig.answer(0x66, &[0x80]),
    };
    rig
}

#[test]
fn one_reader_on_two_lines_is_refused_on_the_later_and_taken_there_once_the_first_is_silent() {
    let known = ReaderLines::default();
    let on = |line: &str| Session::new(setup()).among(line.to_owned(), known.clone());
    let is_online = |rig: &Rig| matches!(rig.said.first(), Some(SessionReport::Online { .. }));
    let mut first = tells(on("/dev/one"), Some(0x34));
    first.pages();
    let mut other = tells(on("/dev/two"), Some(0x35));
    other.pages();
    assert!(is_online(&first) && is_online(&other), "{:?} {:?}", first.said, other.said);
    let mut copy = tells(on("/dev/three"), Some(0x34));
    let [SessionReport::Refused { why, distrust: Some(Distrust::Swapped) }] = copy.said.as_slice() else {
        panic!("{:?}", copy.said)
    };
    for what in ["FEIG-00001234", "/dev/one", "/dev/three", "of its own"] {
        assert!(why.contains(what), "{what}: {why}");
    }
    // the reader is plugged in where its copy was taken for
    first.session.closed();
    copy.said.clear();
    copy.answer(0x66, &[0, 1, 4, 0, 0, 0x50, 0, 0x08]);
    copy.answer(0x66, &id(0x34));
    copy.pages();
    assert!(is_online(&copy), "{:?}", copy.said);
    // of readers without a number nobody can tell, and each is taken
    for line in ["/dev/four", "/dev/five"] {
        let mut nameless = tells(on(line), None);
        nameless.pages();
        assert!(is_online(&nameless), "{:?}", nameless.said);
    }
}

#[test]
fn five_milliseconds_pass_between_a_reply_and_the_next_request() {
    let mut rig = Rig::new(setup());
    rig.answer(0x66, &[0, 1, 4, 0, 0, 0x50, 0, 0x08]);
    let heard = rig.now;
    rig.request();
    assert_eq!(rig.now - heard, 5);
}

#[test]
fn a_spot_is_told_when_its_tags_are_sure_and_again_only_when_it_changes() {
    let mut rig = Rig::online(setup());
    rig.reset();
    rig.inventory(&[]);
    rig.inventory(&[]);
    assert_eq!(rig.observed(), [spot(&[])]);
    rig.inventory(&[UID]);
    rig.inventory(&[UID + 1, UID]);
    assert_eq!(rig.observed(), [], "the second is not sure");
    for _ in 0..3 {
        rig.inventory(&[UID, UID + 1]);
    }
    assert_eq!(rig.observed(), [spot(&[(UID, 5000), (UID + 1, 100)])]);
    // one that is not in the registry is worth nothing
    rig.inventory(&[UID, UID + 1, 9]);
    rig.inventory(&[UID, UID + 1, 9]);
    assert_eq!(rig.observed(), [spot(&[(9, 0), (UID, 5000), (UID + 1, 100)])]);
    rig.inventory(&[UID + 1]);
    rig.inventory(&[UID + 1]);
    assert_eq!(rig.observed(), [spot(&[(UID + 1, 100)])]);
}

#[test]
fn what_does_not_fit_in_a_readers_configuration_is_told_once_it_is_there() {
    let mut rig = Rig::new(setup());
    rig.answer(0x66, &[0, 1, 4, 0, 0, 0x50, 0, 0x08]);
    rig.answer(0x66, &id(0x34));
    let mut slow = page(1);
    slow[1 + 7] = 30;
    rig.answer(0x80, &slow);
    rig.answer(0x80, &page(3));
    rig.answer(0x80, &page(4));
    rig.answer(0x80, &[0x15]); // it keeps this one to itself
    rig.session.tick(rig.now).into_iter().for_each(|said| rig.said.push(said));
    let [SessionReport::Online { .. }, SessionReport::Advice(what)] = rig.said.as_slice() else {
        panic!("{:?}", rig.said)
    };
    assert!(what.contains("TR-RESPONSE-TIME is 3.0 s"), "{what}");
    // three seconds and the time of a long answer; one that is not known to have ONT off is reset each time
    rig.reset();
    rig.request();
    let asked = rig.now;
    while rig.session.awaiting.is_some() {
        rig.session.tick(rig.now);
        rig.now += 1;
    }
    assert_eq!(rig.now - 1 - asked, 3000 + Timing::serial(38_400).answer_ms);
    let mut blind = Rig::new(setup());
    blind.answer(0x66, &[0, 1, 4, 0, 0, 0x50, 0, 0x08]);
    blind.answer(0x66, &id(0x34));
    blind.answer(0x80, &page(1));
    blind.answer(0x80, &[0; 15]);
    blind.answer(0x80, &page(4));
    blind.answer(0x80, &page(5));
    assert!(matches!(blind.said.as_slice(), [SessionReport::Refused { why, .. }] if why.contains("ISO 15693")));
}

#[test]
fn more_tags_than_fit_in_a_reply_are_asked_for_until_all_are_known() {
    let mut rig = Rig::online(setup());
    rig.reset();
    for _ in 0..2 {
        let first = rig.answer(0xB0, &found(0x94, &[UID]));
        assert_eq!(first, Request::Inventory { more: false }.encode(ANY_READER).unwrap());
        assert_eq!(rig.observed(), []);
        let second = rig.answer(0xB0, &found(0, &[UID + 1, UID]));
        assert_eq!(second, Request::Inventory { more: true }.encode(ANY_READER).unwrap());
    }
    assert_eq!(rig.observed(), [spot(&[(UID, 5000), (UID + 1, 100)])]);
    assert_eq!(rig.session.counters().repeats, 2);
}

#[test]
fn a_reader_that_says_more_without_end_cannot_read() {
    // the same tag again and again, or other tags so slowly that a round would take minutes
    for (other, took_ms) in [(0, 400), (1, MORE_MS / 4)] {
        let mut rig = Rig::online(setup());
        rig.reset();
        let mut observed = Vec::new();
        for n in 0..60 {
            rig.now += took_ms - 7;
            rig.answer(0xB0, &found(0x94, &[UID + other * n]));
            observed.extend(rig.observed());
        }
        assert_eq!(observed, [TagsSaw::Unreadable { at: main(1).into(), why: Unreadable::Reader }], "{took_ms}");
    }
}

#[test]
fn a_value_is_read_from_the_tag_once() {
    let mut rig = Rig::online(Setup { values: Values::Block(4), ..setup() });
    rig.reset();
    rig.inventory(&[UID]);
    rig.inventory(&[UID]);
    let request = rig.answer(0xB0, &[0, 1, 4, 0, 0, 0, 0xC3, 0x50]);
    assert_eq!(request, Request::ReadBlocks { uid: Some(UID), first: 4, count: 1 }.encode(ANY_READER).unwrap());
    assert_eq!(rig.observed(), [spot(&[(UID, 50_000)])]);
    rig.inventory(&[UID]);
    assert_eq!(rig.observed(), []);
}

#[test]
fn a_spot_whose_reader_does_not_read_is_not_known_and_never_the_old_amount() {
    let mut rig = Rig::online(setup());
    rig.reset();
    rig.inventory(&[UID]);
    rig.inventory(&[UID]);
    assert_eq!(rig.observed().len(), 1);
    for status in [0x83, 0x0F, 0x02, 0x84, 0x95, 0x80, 0x81] {
        let request = rig.request();
        rig.now += 300;
        rig.reply(request[4], &[status]);
    }
    assert_eq!(rig.observed(), [TagsSaw::Unreadable { at: main(1).into(), why: Unreadable::Reader }]);
    rig.inventory(&[UID]);
    rig.inventory(&[UID]);
    assert_eq!(rig.observed(), [spot(&[(UID, 5000)])], "told again, though nothing has changed");
}

#[test]
fn too_many_chips_for_a_spot_are_a_fault_and_no_wrong_sum() {
    let mut rig = Rig::online(setup());
    rig.reset();
    let many: Vec<u64> = (1..=MAX_STACK as u64 + 1).collect();
    for _ in 0..4 {
        rig.inventory(&many);
    }
    let unknown = TagsSaw::Unreadable { at: main(1).into(), why: Unreadable::TooMany };
    assert_eq!(rig.observed(), std::slice::from_ref(&unknown));
    rig.inventory(&many[..MAX_STACK]);
    rig.inventory(&many[..MAX_STACK]);
    assert!(matches!(rig.observed().as_slice(), [TagsSaw::Stack { chips, .. }] if chips.len() == MAX_STACK));
    for _ in 0..4 {
        rig.inventory(&many);
    }
    assert_eq!(rig.observed(), [unknown], "again, as it is another time");
}

#[test]
fn a_reader_that_no_longer_answers_is_silent_soon_after_its_own_time() {
    let mut rig = Rig::online(setup());
    rig.reset();
    rig.request();
    let since = rig.now;
    while rig.said.is_empty() {
        rig.request();
    }
    assert!(matches!(rig.said.as_slice(), [SessionReport::Silent(_)]), "{:?}", rig.said);
    let (own, asked) = (1000 + Timing::serial(38_400).answer_ms, 2 * (QUICK_MS + LATE_MS));
    assert!((own + asked..own + asked + 300).contains(&(rig.now - since)), "{}", rig.now - since);
    assert!(!rig.session.online());
    assert_eq!(rig.request(), Request::Info.encode(ANY_READER).unwrap());
}

#[test]
fn a_reader_that_answers_wrongly_is_silent_within_a_second() {
    let mut rig = Rig::online(setup());
    rig.reset();
    let since = rig.now;
    while rig.said.is_empty() {
        rig.request();
        if rig.session.awaiting.is_some() {
            rig.now += 5;
            rig.hear(&[2, 0, 9, 0, 0xB0, 0, 0, 1, 2]);
        }
    }
    assert!(matches!(rig.said.as_slice(), [SessionReport::Silent(_)]), "{:?}", rig.said);
    assert!((SILENCE_MS..SILENCE_MS + 200).contains(&(rig.now - since)), "{}", rig.now - since);
    assert!(rig.session.counters().bad_frames > 0);
}

#[test]
fn a_reader_that_is_there_and_does_not_read_in_its_own_time_leaves_its_spot_unknown() {
    let mut rig = Rig::online(setup());
    rig.reset();
    for _ in 0..faults::FAULTS {
        rig.request(); // an inventory, or the reset before it: never answered
        rig.answer(0x52, &[0]);
    }
    assert!(rig.session.online());
    assert_eq!(rig.observed(), [TagsSaw::Unreadable { at: main(1).into(), why: Unreadable::Reader }]);
}

#[test]
fn late_answers_and_keep_alives_are_no_answers() {
    let mut rig = Rig::online(setup());
    rig.reset();
    rig.inventory(&[UID]);
    rig.now += 1;
    rig.reply(0xB0, &found(0, &[UID + 1]));
    rig.reply(KEEP_ALIVE, &[0, 0, 0]);
    assert_eq!(rig.session.counters().ignored, 1);
    let request = rig.request();
    rig.reply(KEEP_ALIVE, &[0, 0, 0]);
    rig.reply(0x66, &[0, 1]);
    assert!(rig.session.awaiting.is_some(), "still waits for {request:02X?}");
    rig.reply(0xB0, &found(0, &[UID]));
    assert_eq!(rig.observed(), [spot(&[(UID, 5000)])]);
}

#[test]
fn each_reader_of_a_bus_sees_its_own_spot() {
    let of = |box_no, reader| Spot { at: main(box_no).into(), reader: Some(reader), antenna: None };
    let mut rig = Rig::new(Setup { spots: vec![of(1, 4), of(2, 3)], ..setup() });
    let reply = |rig: &mut Rig, address, command, body: &[u8]| {
        let request = rig.request();
        assert_eq!((request[3], request[4]), (address, command));
        let frame = |address| Frame { form: Form::Standard, address, command, body: body.to_vec() }.encode().unwrap();
        rig.hear(&frame(9)); // another reader's
        assert!(rig.session.awaiting.is_some());
        rig.hear(&frame(address));
    };
    reply(&mut rig, 3, 0x66, &[0, 1, 4, 0, 0, 0x50, 0, 0x08]);
    reply(&mut rig, 3, 0x66, &[0x80]);
    (1..=5).filter(|number| *number != 2).for_each(|number| reply(&mut rig, 3, 0x80, &page(number)));
    reply(&mut rig, 4, 0x66, &[0, 1, 4, 0, 0, 0x50, 0, 0x08]);
    (1..=5).filter(|number| *number != 2).for_each(|number| reply(&mut rig, 4, 0x80, &page(number)));
    let Some(SessionReport::Online { hello, .. }) = rig.said.first() else { panic!("{:?}", rig.said) };
    assert_eq!(hello.serial, "FEIG");
    for round in 0..2 {
        for (reader, uid) in [(3, UID), (4, UID + 1)] {
            if round == 0 {
                reply(&mut rig, reader, 0x69, &[0]);
            }
            reply(&mut rig, reader, 0xB0, &found(0, &[uid]));
        }
    }
    let seen = rig.observed();
    let TagsSaw::Stack { at, chips } = &seen[0] else { panic!("{seen:?}") };
    assert_eq!((seen.len(), at.box_no, chips[0].uid), (2, 2, UID));
    assert_eq!(seen[1], spot(&[(UID + 1, 100)]));
}

fn records(records: &[(u64, u8)]) -> Vec<u8> {
    let mut body = vec![0, 0x11];
    body.extend((records.len() as u16).to_be_bytes());
    for (uid, antenna) in records {
        body.extend([0, 14, 3, 0, 8]);
        body.extend(uid.to_be_bytes());
        body.push(*antenna);
    }
    body
}

#[test]
fn records_of_a_buffer_are_cleared_only_when_what_came_of_them_is_on_disk() {
    let of = |box_no, antenna| Spot { at: main(box_no).into(), reader: None, antenna: Some(antenna) };
    let mut rig = Rig::online(Setup { spots: vec![of(1, 1), of(2, 2)], buffered: true, ..setup() });
    let settle = |rig: &mut Rig| (0..4).for_each(|_| drop(rig.answer(0x22, &[0x92])));
    settle(&mut rig);
    assert_eq!(rig.observed().len(), 2, "both are empty");
    // the same records come again until they are cleared, and they are cleared once what came of them is told
    for _ in 0..4 {
        rig.answer(0x22, &records(&[(UID, 1), (UID, 1)]));
        assert_eq!(rig.observed(), []);
    }
    rig.answer(0x22, &records(&[(UID, 1), (UID, 1)]));
    let told = rig.said.last().cloned();
    assert_eq!(rig.observed(), [spot(&[(UID, 5000)])]);
    // while it is not on disk nothing is cleared, nor does the tag grow old
    for _ in 0..50 {
        rig.answer(0x52, &[0]);
    }
    let Some(SessionReport::Saw { epoch, seq, .. }) = told else { panic!("{told:?}") };
    rig.session.durable(epoch, seq);
    rig.answer(0x52, &[0]);
    rig.answer(0x32, &[0]);
    assert_eq!(rig.observed(), []);
    // a line that went in between: the same records come again, and tell nothing new
    rig.answer(0x22, &records(&[(UID, 1)]));
    rig.answer(0x32, &[0]);
    assert_eq!(rig.observed(), []);
    let seen = rig.now;
    while rig.said.is_empty() {
        rig.answer(0x22, &[0x92]);
    }
    assert!((2000..2300).contains(&(rig.now - seen)), "{}", rig.now - seen);
    assert_eq!(rig.observed(), [spot(&[])]);
}

#[test]
fn a_tag_that_several_antennas_see_lies_on_one_spot_and_stays_there() {
    let of = |box_no, antenna| Spot { at: main(box_no).into(), reader: None, antenna: Some(antenna) };
    let bits = Setup { spots: vec![of(1, 1), of(2, 2)], buffered: true, antennas: AntennaByte::Bits, ..setup() };
    let mut rig = Rig::online(bits);
    (0..4).for_each(|_| drop(rig.answer(0x22, &[0x92])));
    assert_eq!(rig.observed().len(), 2);
    let boxes = |rig: &mut Rig| -> Vec<u8> {
        let of = |saw| if let TagsSaw::Stack { at, .. } = saw { at.box_no } else { 0 };
        rig.observed().into_iter().map(of).collect()
    };
    (0..5).for_each(|_| drop(rig.answer(0x22, &records(&[(UID, 0b10)]))));
    assert_eq!(boxes(&mut rig), [2]);
    rig.session.acked = u32::MAX;
    rig.answer(0x52, &[0]);
    rig.answer(0x32, &[0]);
    rig.answer(0x22, &records(&[(UID, 0b11)]));
    assert_eq!(boxes(&mut rig), [], "both see it: it lies where it lay");
    // records without the antenna tell of no spot
    rig.answer(0x32, &[0]);
    rig.answer(0x22, &[0, 0x01, 0, 1, 0, 13, 3, 0, 8, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(rig.session.readers[0].faults, 1);
}

#[test]
fn whatever_comes_the_session_neither_panics_nor_grows() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let mut next = || random.random::<u8>();
    for buffered in [false, true] {
        let mut rig = Rig::online(Setup { buffered, ..setup() });
        for _ in 0..20_000 {
            let request = rig.request();
            let body: Vec<u8> = (0..next() % 40).map(|_| next()).collect();
            let mut body = if next() % 2 == 0 {
                body
            } else {
                [&[[0, 0x94, 0x93, 0x01][usize::from(next() % 4)]], &body[..]].concat()
            };
            if next() % 4 == 0 {
                body = found([0, 0x94][usize::from(next() % 2)], &[u64::from(next()); 3]);
            }
            rig.now += u64::from(next() % 20);
            rig.reply(request[4], &body);
            rig.said.clear();
            assert!(rig.session.found.len() <= MAX_TAGS + 255);
            assert!(rig.session.readers.iter().all(|reader| reader.seen.len() <= MAX_TAGS));
            assert!(rig.session.said.len() <= 4 && rig.session.values.len() <= MAX_VALUES);
        }
    }
}
