use sabot_wire::message::{Card, DeviceState, Observation, ShoeSaw};

use super::*;
use crate::saw::Saw;
use crate::scanner::Protocol;
use crate::scanner::reads::tests::setup;

const ACE: Observation = Observation::Shoe(ShoeSaw::Drawn(Card::from_code(0)));
const TWO: Observation = Observation::Shoe(ShoeSaw::Drawn(Card::from_code(1)));
const UNREAD: Observation = Observation::Shoe(ShoeSaw::Drawn(Card::UNREAD));
const TROUBLE: Observation = Observation::Device(DeviceState::ReadError);

struct Bench(TextSession);

impl Bench {
    fn new(ack: bool) -> Self {
        let mut session = TextSession::new(setup(Protocol::Lines { ack }, false), ack);
        session.opened(0);
        Self(session)
    }

    /// What is told and sent when this comes, and everything told is on disk at once where it is to be.
    fn at(&mut self, now: u64, bytes: &[u8], durable: bool) -> (Vec<Observation>, Vec<u8>) {
        let (mut input, mut told, mut sent) = (bytes, Vec::new(), Vec::new());
        let mut take = |session: &mut TextSession, said: SessionReport| {
            if let SessionReport::Saw { epoch, seq, saw, .. } = said {
                told.extend(saw.and_then(Saw::in_words_of_the_link));
                if durable {
                    session.durable(epoch, seq);
                }
            }
        };
        while let Some(said) = self.0.receive(now, &mut input) {
            take(&mut self.0, said);
        }
        while let Some(said) = self.0.tick(now) {
            take(&mut self.0, said);
        }
        let mut out = [0; sabot_wire::frame::MAX_FRAME];
        while let Some(bytes) = self.0.transmit(now, &mut out) {
            sent.extend(bytes);
        }
        (told, sent)
    }
}

#[test]
fn a_line_is_a_card_and_nothing_is_ever_sent() {
    let mut bench = Bench::new(false);
    assert_eq!(bench.at(10, b"AS\r\n2S\rA", true), (vec![ACE, TWO], vec![]));
    assert_eq!(bench.at(20, b"S2\n", true), (vec![ACE], vec![]));
    assert_eq!(bench.at(30, b"xx\nNR\n\x00\n", true), (vec![UNREAD; 3], vec![]));
    assert_eq!(bench.0.counters().bad_frames, 1);
}

#[test]
fn a_scanner_is_there_when_its_port_stays_open_or_it_says_something() {
    let mut bench = Bench::new(false);
    assert_eq!((bench.0.tick(OPEN_MS - 1), bench.0.online(), bench.0.wake_at()), (None, false, Some(OPEN_MS)));
    let Some(SessionReport::Online { hello, .. }) = bench.0.tick(OPEN_MS) else { panic!("not there") };
    assert_eq!((hello.serial.as_str(), bench.0.online(), bench.0.wake_at()), (NAME, true, None));
    bench.0.closed();
    assert!(!bench.0.online());
    bench.0.opened(5000);
    assert!(matches!(bench.0.receive(5001, &mut &b"AS\n"[..]), Some(SessionReport::Online { .. })));
}

#[test]
fn a_line_without_an_end_is_told_as_trouble() {
    let mut bench = Bench::new(false);
    assert_eq!(bench.at(0, b"AS", true), (vec![], vec![]));
    assert_eq!(bench.at(999, b"", true), (vec![], vec![]));
    assert_eq!(bench.at(1000, b"", true), (vec![TROUBLE], vec![]));
    assert_eq!(bench.at(1001, b"2S\n", true), (vec![TWO], vec![]));
}

#[test]
fn a_line_is_acknowledged_when_it_is_on_disk_and_what_comes_again_meanwhile_is_one() {
    let mut bench = Bench::new(true);
    assert_eq!(bench.at(0, b"AS\n", false), (vec![ACE], vec![]));
    assert_eq!(bench.at(1000, b"AS\n", false), (vec![], vec![]), "sent again");
    let epoch = bench.0.reads.epoch();
    bench.0.durable(epoch, 1);
    assert_eq!(bench.at(1001, b"", false), (vec![], vec![ACK]));
    assert_eq!(bench.at(1100, b"AS\n", true), (vec![], vec![ACK]), "seen twice");
    assert_eq!(bench.at(3000, b"AS\n", true), (vec![ACE], vec![ACK]), "an equal card");
}

#[test]
fn what_says_nothing_is_to_be_sent_again_until_it_says_the_same_twice() {
    let mut bench = Bench::new(true);
    assert_eq!(bench.at(0, b"A\x01\n", true), (vec![], vec![NAK]));
    assert_eq!(bench.at(50, b"AS\n", true), (vec![ACE], vec![ACK]), "damaged once");
    assert_eq!(bench.at(1000, b"??\n", true), (vec![], vec![NAK]));
    assert_eq!(bench.at(1050, b"??\n", true), (vec![UNREAD], vec![ACK]), "that is what it read");
    assert_eq!(bench.at(2000, b"NR\n", true), (vec![UNREAD], vec![ACK]), "and this is known");
    for text in [b"a\n", b"b\n", b"c\n"] {
        assert_eq!(bench.at(3000, text, true), (vec![], vec![NAK]));
    }
    assert_eq!(bench.at(3000, b"d\n", true), (vec![UNREAD], vec![ACK]), "asked enough");
    assert_eq!(bench.at(4000, b"zz\n", true), (vec![], vec![NAK]));
    assert_eq!(bench.at(4000 + AGAIN_MS, b"", true), (vec![TROUBLE], vec![]), "it does not send again");
}
