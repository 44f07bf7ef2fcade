use proptest::prelude::*;
use sabot_wire::message::{Card, DeviceState, Observation, ShoeSaw};

use super::*;
use crate::scanner::Protocol;
use crate::scanner::packet::GAP_MS;
use crate::scanner::reads::tests::setup;

const ACE: Observation = Observation::Shoe(ShoeSaw::Drawn(Card::from_code(0)));
const TWO: Observation = Observation::Shoe(ShoeSaw::Drawn(Card::from_code(1)));
const UNREAD: Observation = Observation::Shoe(ShoeSaw::Drawn(Card::UNREAD));

/// A packet of the scanner.
fn from(opcode: u8, status: u8, data: &[u8]) -> Vec<u8> {
    Packet { opcode, source: SCANNER, status, data: data.to_vec() }.encode().unwrap()
}

fn read(text: &str, status: u8) -> Vec<u8> {
    from(opcode::DECODE_DATA, status, &[b"\x03", text.as_bytes()].concat())
}

fn revision() -> Vec<u8> {
    from(opcode::REPLY_REVISION, 0, b"NBRPUBAA-001-R00 0 17 1")
}

struct Bench {
    session: SsiSession,
    now: u64,
    said: Vec<SessionReport>,
}

impl Bench {
    fn new(setup: Setup) -> Self {
        let mut session = SsiSession::new(setup);
        session.opened(0);
        Self { session, now: 0, said: Vec::new() }
    }

    /// One that has come online.
    fn online() -> Self {
        let mut bench = Self::new(setup(Protocol::Ssi, false));
        bench.wait(WAKING_MS);
        bench.comes(&revision());
        assert!(bench.session.online());
        bench.said.clear();
        assert_eq!(bench.opcodes(), [opcode::START_SESSION]);
        bench.comes(&from(opcode::NAK, 0, &[cause::DENIED])); // it scans by itself
        bench
    }

    fn comes(&mut self, bytes: &[u8]) {
        let mut input = bytes;
        while let Some(said) = self.session.receive(self.now, &mut input) {
            self.said.push(said);
        }
        while let Some(said) = self.session.tick(self.now) {
            self.said.push(said);
        }
    }

    /// What goes out now: wake bytes, or packets.
    fn sent(&mut self) -> Vec<Vec<u8>> {
        let mut out = [0; sabot_wire::frame::MAX_FRAME];
        std::iter::from_fn(|| self.session.transmit(self.now, &mut out).map(<[u8]>::to_vec)).collect()
    }

    fn opcodes(&mut self) -> Vec<u8> {
        self.sent().iter().map(|packet| packet.get(1).copied().unwrap_or(WAKE)).collect()
    }

    /// Lets time pass, to the millisecond, and gives everything that goes out.
    fn wait(&mut self, ms: u64) -> Vec<u8> {
        let mut out = self.opcodes();
        for _ in 0..ms {
            self.now += 1;
            self.comes(&[]);
            out.extend(self.opcodes());
        }
        out
    }

    fn told(&mut self) -> Vec<Observation> {
        let saw = |said| if let SessionReport::Saw { saw, .. } = said { saw?.in_words_of_the_link() } else { None };
        self.said.drain(..).filter_map(saw).collect()
    }

    /// Everything told so far is on disk.
    fn durable(&mut self) {
        let epoch = self.session.reads.epoch();
        self.session.durable(epoch, u32::try_from(self.session.counters().events).unwrap());
    }
}

#[test]
fn it_is_asked_what_it_is_before_anything_else_and_woken_for_it() {
    let mut bench = Bench::new(setup(Protocol::Ssi, false));
    assert_eq!(bench.sent(), [[WAKE]]);
    bench.comes(&read("AS", 0));
    assert_eq!(bench.wait(WAKING_MS), [opcode::REQUEST_REVISION]);
    assert!(bench.said.is_empty() && !bench.session.online(), "what is not known is not believed");
    // asked again while nobody answers, for ever
    let asked = bench.wait(3 * (RESPONSE_MS + WAKING_MS));
    assert_eq!(asked, [WAKE, opcode::REQUEST_REVISION].repeat(3));
    bench.comes(&revision());
    let Some(SessionReport::Online { hello, .. }) = bench.said.first() else { panic!("{:?}", bench.said) };
    assert_eq!(hello.serial, "NBRPUBAA-001-R00");
}

#[test]
fn another_scanner_than_the_configured_one_is_refused_and_may_be_replaced() {
    let pinned = Setup { serial: Some("SSI-OTHER".to_owned()), ..setup(Protocol::Ssi, false) };
    let mut bench = Bench::new(pinned);
    bench.wait(WAKING_MS);
    bench.comes(&revision());
    assert!(matches!(&bench.said[..], [SessionReport::Refused { why, distrust: Some(Distrust::Swapped) }]
            if why.contains("NBRPUBAA-001-R00 answers where SSI-OTHER")));
    assert_eq!(bench.wait(REFUSED_MS), [opcode::REQUEST_REVISION], "and told nothing else");
    bench.comes(&from(opcode::REPLY_REVISION, 0, b"OTHER 1"));
    assert!(bench.session.online());
    let mut bench = Bench::new(setup(Protocol::Ssi, false));
    bench.wait(WAKING_MS);
    bench.comes(&from(opcode::NAK, 0, &[cause::DENIED]));
    assert!(matches!(&bench.said[..], [SessionReport::Refused { .. }]));
}

#[test]
fn what_is_read_is_acknowledged_when_it_is_on_disk_and_not_before() {
    let mut bench = Bench::online();
    bench.comes(&read("AS", 0));
    assert_eq!(bench.told(), [ACE]);
    assert!(bench.wait(1000).is_empty(), "and nothing else is asked meanwhile");
    bench.comes(&read("AS", AGAIN));
    assert!(bench.opcodes().is_empty() && bench.told().is_empty());
    bench.durable();
    assert_eq!(bench.opcodes(), [opcode::ACK]);
    bench.comes(&read("AS", AGAIN));
    assert_eq!((bench.opcodes(), bench.told()), (vec![opcode::ACK], vec![]), "it was not heard");
    bench.wait(500);
    bench.comes(&read("2S", 0));
    bench.durable();
    assert_eq!((bench.opcodes(), bench.told()), (vec![opcode::ACK], vec![TWO]));
}

#[test]
fn where_the_disk_does_not_take_it_the_scanner_is_stopped_and_started_again() {
    let mut bench = Bench::new(setup(Protocol::Ssi, false));
    bench.wait(WAKING_MS);
    bench.comes(&revision());
    assert_eq!(bench.opcodes(), [opcode::START_SESSION]);
    bench.comes(&from(opcode::ACK, 0, &[]));
    bench.comes(&read("AS", 0));
    assert!(bench.wait(STALLED_MS - 1).is_empty());
    assert_eq!(bench.wait(1), [opcode::STOP_SESSION]);
    bench.comes(&from(opcode::ACK, 0, &[]));
    assert_eq!(bench.wait(POLL_MS), [opcode::REQUEST_REVISION]);
    bench.comes(&revision());
    bench.durable();
    assert_eq!(bench.opcodes(), [opcode::ACK, opcode::START_SESSION]);
}

#[test]
fn a_damaged_packet_is_refused_at_once_and_becomes_no_card() {
    let mut bench = Bench::online();
    let mut damaged = read("AS", 0);
    damaged[5] ^= 0x40;
    bench.comes(&damaged);
    assert!(bench.opcodes().is_empty(), "not into what is still coming");
    bench.now += GAP_MS;
    bench.comes(&[]);
    assert_eq!(bench.sent(), [[0x05, 0xD1, 0x04, 0x00, 0x01, 0xFF, 0x25]]);
    bench.comes(&read("AS", AGAIN));
    assert_eq!((bench.told(), bench.session.counters().bad_frames), (vec![ACE], 1));
}

#[test]
fn what_comes_in_several_packets_is_refused_and_told_as_trouble_once() {
    let mut bench = Bench::online();
    bench.comes(&read("AS", CONTINUED));
    assert_eq!(bench.sent(), [Packet::from_host(opcode::NAK, 0, vec![cause::DENIED]).encode().unwrap()]);
    bench.comes(&read("AS", CONTINUED | AGAIN));
    assert_eq!(bench.told(), [Observation::Device(DeviceState::ReadError)]);
}

#[test]
fn no_reads_and_what_is_in_no_table_are_cards_unread() {
    let mut bench = Bench::online();
    for text in ["NR", "5X", ""] {
        bench.comes(&read(text, 0));
        bench.wait(1);
        assert_eq!(bench.told(), [UNREAD], "{text}");
    }
    bench.comes(&read("2S\r\n", 0));
    assert_eq!(bench.told(), [TWO], "the scanner may end its texts");
}

#[test]
fn a_scanner_that_says_nothing_is_gone_within_a_second_and_asked_for_ever() {
    let mut bench = Bench::online();
    bench.wait(1000);
    assert!(matches!(&bench.said[..], [SessionReport::Silent(_)]), "{:?}", bench.said);
    assert!(!bench.session.online());
    assert!(bench.wait(5000).iter().filter(|&&opcode| opcode == opcode::REQUEST_REVISION).count() >= 15);
    bench.comes(&revision());
    assert!(bench.session.online());
}

#[test]
fn a_scanner_that_is_given_up_is_not_told_of_what_it_sent_damaged() {
    let mut bench = Bench::online();
    let gone = POLL_MS + 3 * RESPONSE_MS + 2 * WAKING_MS;
    bench.wait(gone - GAP_MS);
    bench.comes(&[7]);
    bench.wait(GAP_MS - 1);
    assert!(bench.session.online());
    // its last chance to answer, and the silence behind the noise, end in the same millisecond
    assert_eq!(bench.wait(1), [WAKE]);
    assert!(!bench.session.online());
    assert_eq!(bench.wait(WAKING_MS), [opcode::REQUEST_REVISION]);
}

#[test]
fn what_the_line_gives_back_is_not_an_answer() {
    let mut bench = Bench::online();
    let echo = Packet::from_host(opcode::DECODE_DATA, 0, b"\x03AS".to_vec()).encode().unwrap();
    bench.comes(&echo);
    assert_eq!((bench.told(), bench.session.counters().ignored), (vec![], 1));
}

proptest! {
    /// Whatever comes, nothing panics, and nothing but what was sent becomes a card that is in the table.
    #[test]
    fn a_packet_damaged_in_one_byte_is_no_card(at in 0..9_usize, by in 1_u8.., again: bool) {
        let mut bench = Bench::online();
        let mut damaged = read("AS", u8::from(again));
        damaged[at] ^= by;
        bench.comes(&damaged);
        bench.wait(GAP_MS + 1);
        prop_assert_eq!(bench.told(), vec![]);
    }

    #[test]
    fn nothing_that_comes_makes_it_panic_or_stand_still(
        pieces in prop::collection::vec((0_u64..400, prop_oneof![
            any::<Vec<u8>>(), Just(revision()), Just(read("AS", 0)), Just(read("2S", 1)), Just(from(opcode::NAK, 0, &[1])),
        ]), 0..20)
    ) {
        let mut bench = Bench::new(setup(Protocol::Ssi, false));
        for (pause, bytes) in pieces {
            bench.now += pause;
            bench.comes(&bytes);
            bench.sent();
            bench.durable();
        }
        let asked = bench.wait(4000);
        prop_assert!(asked.contains(&opcode::REQUEST_REVISION) || asked.contains(&opcode::START_SESSION));
    }
}
