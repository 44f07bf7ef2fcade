//! The session with FEIG readers: sound answers to what it asks, with any content, and any other bytes between.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sabot_drivers::feig::frame::{Decoder, Form, Frame};
use sabot_drivers::feig::session::Session;
use sabot_drivers::feig::records::AntennaByte;
use sabot_drivers::feig::{CardTags, ChipValues, Hysteresis, Setup, Spot, Timing, Values};
use sabot_drivers::link::machine::{Machine, SessionReport};
use sabot_fuzz::Script;
use sabot_wire::frame::MAX_FRAME;
use sabot_drivers::saw::{MAX_STACK, Pad, Saw, Stake, TagsSaw};
use sabot_wire::message::{BetSpot, HandId, Place};

fn setup(kind: u8) -> Setup {
    let at = |box_no| match box_no {
        3 if kind & 128 != 0 => Pad::Cards(Place::Bank),
        _ => Pad::Stake(Stake { box_no, hand: 0, spot: BetSpot::Main }),
    };
    let spot = |box_no, reader, antenna| Spot { at: at(box_no), reader, antenna };
    let buffered = kind & 1 == 1;
    let spots = match kind >> 1 & 3 {
        0 => vec![spot(1, None, None)],
        1 if buffered => vec![spot(1, Some(0), Some(1)), spot(2, Some(0), Some(2)), spot(3, Some(4), None)],
        _ => vec![spot(1, Some(0), None), spot(2, Some(1), None), spot(3, Some(7), None)],
    };
    let known = [(0xE004_0100_0000_0001, 50_000)].into_iter().collect::<ChipValues>();
    Setup {
        spots,
        values: if kind & 8 == 0 { Values::Known(known) } else { Values::Block(5) },
        cards: [0xE004_0100_0000_0002].into_iter().collect::<CardTags>(),
        buffered,
        serial: (kind & 16 != 0).then(|| "FEIG-00000001".to_owned()),
        poll_ms: 100,
        hold_ms: 2000,
        antennas: if kind & 64 == 0 { AntennaByte::Number } else { AntennaByte::Bits },
        hysteresis: Hysteresis { rounds: 2, appear: 1, missed: 2, vanish_ms: 300 },
        timing: if kind & 32 == 0 { Timing::serial(38_400) } else { Timing::TCP },
    }
}

/// What holds of whatever a session tells.
struct Told {
    seq: u32,
    spots: usize,
}

impl Told {
    fn hear(&mut self, said: &SessionReport) {
        let SessionReport::Saw { seq, saw, .. } = said else { return };
        assert_eq!(*seq, self.seq + 1, "events are numbered without gaps");
        self.seq = *seq;
        let place = match saw {
            Some(Saw::Tags(TagsSaw::Stack { at, .. } | TagsSaw::InDoubt { at })) => Pad::Stake(*at).place(),
            Some(Saw::Tags(TagsSaw::Unreadable { at, .. })) => at.place(),
            Some(Saw::Tags(TagsSaw::Card { at, .. } | TagsSaw::Readable { at })) => *at,
            _ => panic!("readers tell of tags alone"),
        };
        let is_of_setup = match place {
            Place::Hand(HandId { box_no, hand: 0 }) => (1..=self.spots).contains(&usize::from(box_no)),
            place => place == Place::Bank,
        };
        assert!(is_of_setup, "a place of the setup");
        if let Some(Saw::Tags(TagsSaw::Stack { chips, .. })) = saw {
            assert!(chips.len() <= MAX_STACK && chips.is_sorted_by(|a, b| a.uid < b.uid), "each chip once");
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let mut script = Script::new(data);
    let setup = setup(script.byte());
    let (mut told, mut session) = (Told { seq: 0, spots: setup.spots.len() }, Session::new(setup));
    let (mut now, mut asked, mut out) = (0, None, [0; MAX_FRAME]);
    session.opened(now);
    while !script.is_over() {
        now += script.pause_ms();
        if let Some(said) = session.tick(now) {
            told.hear(&said);
        }
        if let Some(request) = session.transmit(now, &mut out) {
            let mut decoder = Decoder::new(28);
            decoder.push(0, request);
            asked = decoder.next_frame().map(|frame| frame.expect("a session sends sound frames"));
        }
        let bytes = match script.byte() % 8 {
            0 => script.bytes().to_vec(),
            1 => {
                session.closed();
                session.opened(now);
                continue;
            }
            2 => {
                session.durable(script.word(), script.word());
                continue;
            }
            way => {
                let Some(asked) = &asked else { continue };
                let address = if way == 3 { script.byte() } else { asked.address };
                let form = if way == 4 { Form::Standard } else { Form::Advanced };
                let answer = Frame { form, address, command: asked.command, body: script.bytes().to_vec() };
                answer.encode().unwrap_or_default()
            }
        };
        let mut input = bytes.as_slice();
        while let Some(said) = session.receive(now, &mut input) {
            told.hear(&said);
        }
        assert!(input.is_empty(), "all that came is taken");
    }
    let _ = (session.wake_at(), session.online(), session.counters());
});
