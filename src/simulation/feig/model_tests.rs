//! The driver's session against the twin, in simulated time: what lies still is told once, however deaf the reader is.

use sabot_drivers::TagsSaw;
use sabot_drivers::feig::records::AntennaByte;
use sabot_drivers::feig::session::Session;
use sabot_drivers::feig::{CardTags, ChipValues, Hysteresis, Setup, Spot, Timing, Values};
use sabot_drivers::link::machine::{Machine, SessionReport};
use sabot_drivers::saw::{Pad, Saw, Stake, Unreadable};
use sabot_wire::message::BetSpot;

use super::*;

const UID: u64 = 0xE004_0100_0000_0000;

const fn main(box_no: u8) -> Pad {
    Pad::Stake(Stake { box_no, hand: 0, spot: BetSpot::Main })
}

fn setup() -> Setup {
    let spots = vec![Spot { at: main(1), reader: None, antenna: None }];
    Setup {
        spots,
        values: Values::Known(ChipValues::default()),
        cards: CardTags::default(),
        buffered: false,
        serial: None,
        poll_ms: 100,
        hold_ms: 2000,
        antennas: AntennaByte::Number,
        hysteresis: Hysteresis::DEFAULT,
        timing: Timing::serial(38_400),
    }
}

/// A session and the readers it speaks with, on a line without faults.
struct Bench {
    session: Session,
    bus: Bus,
    now: u64,
    said: Vec<SessionReport>,
}

impl Bench {
    fn new(setup: Setup, seed: u64) -> Self {
        let mut session = Session::new(setup);
        session.opened(0);
        Self { session, bus: Bus::new(1, true, seed), now: 0, said: Vec::new() }
    }

    fn pull(&mut self, lever: Lever) {
        self.bus.obey(self.now, lever);
    }

    /// Tags with identifiers at random, as a maker gives them.
    fn put(&mut self, tags: u64) {
        for n in 0..tags {
            let uid = UID | n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 24;
            self.pull(Lever::Put { uid, reader: 0, antenna: 1, value: 0 });
        }
    }

    /// Lets time pass up to that moment; with `acked`, what is told is on disk at once.
    fn run_to(&mut self, until: u64) {
        let mut out = [0; sabot_wire::frame::MAX_FRAME];
        while self.now < until {
            let sent = self.session.transmit(self.now, &mut out).map(<[u8]>::to_vec);
            if let Some(bytes) = sent {
                self.now += bytes.len() as u64 * BYTE_US / 1000;
                self.bus.receive(self.now, &bytes);
            }
            for bytes in self.bus.tick(self.now) {
                self.bus.sent(self.now);
                let mut input = bytes.as_slice();
                while let Some(said) = self.session.receive(self.now, &mut input) {
                    self.said.push(said);
                }
            }
            while let Some(said) = self.session.tick(self.now) {
                self.said.push(said);
            }
            if let Some(SessionReport::Saw { epoch, seq, .. }) = self.said.last() {
                self.session.durable(*epoch, *seq);
            }
            let next = self.bus.answers.front().map(|(at, _)| *at);
            let wake = next.into_iter().chain(self.session.wake_at()).min().unwrap_or(self.now + 1);
            self.now = wake.max(self.now + 1).min(until);
        }
    }

    fn run_for(&mut self, ms: u64) {
        self.run_to(self.now + ms);
    }

    /// What was told since: the number of chips, or that they cannot be read.
    fn told(&mut self) -> Vec<Result<usize, Unreadable>> {
        let tags = |said| match said {
            SessionReport::Saw { saw: Some(Saw::Tags(TagsSaw::Stack { chips, .. })), .. } => Some(Ok(chips.len())),
            SessionReport::Saw { saw: Some(Saw::Tags(TagsSaw::Unreadable { why, .. })), .. } => Some(Err(why)),
            _ => None,
        };
        self.said.drain(..).filter_map(tags).collect()
    }
}

const HOUR: u64 = 3_600_000;

/// At 97 % a tag and round, stacks that lie still for hours change nothing. Two equal inventories, as a rule before,
/// would have lost a chip every few minutes.
#[test]
fn a_stack_that_lies_still_is_told_once_in_hours_however_many_tags_are_missed() {
    for (tags, seed) in [(20, 1), (20, 2), (60, 3), (60, 4)] {
        let mut bench = Bench::new(setup(), seed);
        bench.pull(Lever::Miss(30));
        bench.pull(Lever::Stack(0));
        bench.put(tags);
        bench.run_for(20_000);
        assert_eq!(bench.told(), [Ok(tags as usize)], "{tags} tags, seed {seed}");
        bench.run_for(4 * HOUR);
        assert_eq!(bench.told(), [], "{tags} tags, seed {seed}: false changes in four hours");
        let rate = bench.session.read_rates()[0];
        let missed = (rate.tries - rate.reads) as f64 / rate.tries as f64;
        assert!((0.029..0.031).contains(&missed), "the twin was as deaf as it should be: {missed}");
        eprintln!("{tags} tags, seed {seed}: {} rounds in 4 h, {} ms each", rate.tries / tags, rate.inventory_ms);
        assert_eq!(bench.session.counters().gaps, 0, "no inventory was given up");
        // and it is told when it is taken away
        bench.pull(Lever::Take(None));
        bench.run_for(8_000);
        assert_eq!(bench.told(), [Ok(0)], "{tags} tags, seed {seed}");
    }
}

#[test]
fn a_stack_laid_down_is_told_whole_and_never_in_part() {
    let mut partly = 0;
    for seed in 0..200 {
        let mut bench = Bench::new(setup(), seed);
        bench.run_for(3_000);
        assert_eq!(bench.told(), [Ok(0)]);
        bench.put(20);
        bench.run_for(10_000);
        partly += usize::from(bench.told() != [Ok(20)]);
    }
    assert_eq!(partly, 0, "of 200 stacks");
}

#[test]
fn a_stack_over_the_limit_or_under_a_hand_is_not_known_and_never_the_old_amount() {
    let mut bench = Bench::new(setup(), 1);
    bench.put(5);
    bench.run_for(5_000);
    assert_eq!(bench.told(), [Ok(5)]);
    bench.put(61);
    bench.run_for(20_000);
    assert_eq!(bench.told(), [Err(Unreadable::TooMany)]);
    bench.pull(Lever::Take(None));
    bench.put(5);
    bench.run_for(20_000);
    assert_eq!(bench.told(), [Ok(5)], "told again, though it is the old one");
    // a reader that may look for no longer than a stack needs says so
    bench.pull(Lever::Cfg { page: 1, at: 7, byte: 2 });
    bench.put(50);
    bench.run_for(20_000);
    assert_eq!(bench.told(), [Err(Unreadable::Reader)]);
    bench.pull(Lever::Cfg { page: 1, at: 7, byte: 10 });
    bench.run_for(20_000);
    assert_eq!(bench.told(), [Ok(50)]);
    bench.pull(Lever::Take(None));
    bench.put(3);
    bench.run_for(8_000);
    assert_eq!(bench.told(), [Ok(3)]);
    // a hand for a second changes nothing
    bench.pull(Lever::Hand(Some(0)));
    bench.run_for(1_000);
    bench.pull(Lever::Hand(None));
    bench.run_for(20_000);
    assert_eq!(bench.told(), []);
}

#[test]
fn a_reader_of_low_data_rate_and_sixty_chips_is_waited_for() {
    let mut bench = Bench::new(setup(), 1);
    bench.pull(Lever::HighRate(false));
    bench.pull(Lever::Cfg { page: 1, at: 7, byte: 30 });
    bench.put(60);
    bench.run_for(60_000);
    assert_eq!(bench.told(), [Ok(60)]);
    assert!(bench.session.read_rates()[0].inventory_ms > 1500);
    assert_eq!(bench.session.counters().gaps, 0);
}

#[test]
fn a_buffered_reader_with_a_long_valid_time_takes_no_chip_away() {
    let spot = |box_no| Spot { at: main(box_no), reader: None, antenna: Some(box_no) };
    let buffered = Setup { spots: vec![spot(1), spot(2)], buffered: true, antennas: AntennaByte::Bits, ..setup() };
    let mut bench = Bench::new(buffered, 1);
    bench.pull(Lever::Buffered(true));
    bench.pull(Lever::Cfg { page: 15, at: 0, byte: 1 });
    // as readers leave the factory: 5.5 s
    bench.pull(Lever::Cfg { page: 12, at: 1, byte: 0x37 });
    bench.pull(Lever::Put { uid: UID, reader: 0, antenna: 2, value: 0 });
    bench.run_for(5_000);
    let advice = bench
        .said
        .iter()
        .any(|said| matches!(said, SessionReport::Advice(what) if what.contains("VALID-TIME is 5.5 s")));
    assert!(advice, "{:?}", bench.said);
    assert_eq!(bench.told(), [Ok(0), Ok(1)]);
    bench.run_for(HOUR);
    assert_eq!(bench.told(), []);
    bench.pull(Lever::Take(None));
    bench.run_for(10_000);
    assert_eq!(bench.told(), [Ok(0)]);
}
