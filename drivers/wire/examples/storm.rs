//! A storm on the line: damaged frames, as many as asked for, into the decoder; none may become a message that was not
//! sent.
//!
//! ```text
//! cargo run --release -p sabot-wire --example storm -- FRAMES [SEED]
//! ```
//!
//! Each frame is damaged in one of the ways below, chosen at random; every message that the decoder takes out of it must
//! be one of those that went in. A sound frame follows now and then and must be taken, so that a decoder that takes
//! nothing at all is noticed. Exit status 1 when a message came that nobody sent, or a sound one did not come.
#![allow(clippy::expect_used, reason = "a tool that stops at what it does not expect")]

use std::process::ExitCode;

use sabot_wire::frame::{Decoder, Got, MAX_FRAME, encode};
use sabot_wire::heapless::Vec as Bounded;
use sabot_wire::message::{
    BetSpot, CardCode, Chip, ChipsSaw, Choice, DeviceHello, Face, KeypadSaid, MAX_CHIPS, Observation, Place, Role,
    ShoeSaw, ShufflerSaw, ToHost,
};
use sabot_wire::{PROTOCOL, SCHEMA};

const WAYS: [&str; 10] = [
    "one to three bits flipped",
    "a burst of up to 32 bits",
    "bytes overwritten",
    "cut short",
    "beginning lost",
    "bytes lost inside",
    "bytes put in",
    "two bytes swapped",
    "the halves of two frames joined",
    "nothing but noise",
];
/// A sound frame follows after so many damaged ones.
const SOUND_EVERY: u64 = 64;

/// Numbers from a seed (SplitMix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// 0 to `end`, `end` left out.
    fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    fn byte(&mut self) -> u8 {
        self.next() as u8
    }
}

fn message(dice: &mut Dice) -> ToHost {
    let (box_no, hand) = (1 + dice.below(7) as u8, dice.below(2) as u8);
    let saw = match dice.below(10) {
        0..=3 => Observation::Shoe(ShoeSaw::Drawn(CardCode(dice.below(52) as u8))),
        4 => Observation::Chips(ChipsSaw::CardArrived { place: Place::Hand { box_no, hand }, face: Some(Face::Down) }),
        5 => {
            let mut chips = Bounded::new();
            for _ in 0..dice.below(MAX_CHIPS + 1) {
                let _ = chips.push(Chip { uid: dice.next(), value: dice.below(10_000_000) as u32 });
            }
            Observation::Chips(ChipsSaw::Spot { box_no, hand, spot: BetSpot::Main, chips })
        }
        6 => {
            Observation::Keypad(KeypadSaid::Decide { box_no, hand, choice: Choice::Hit, by: Some(dice.byte().into()) })
        }
        7 => Observation::Shuffler(ShufflerSaw::Done { decks: 8, cards: 416 }),
        8 => return ToHost::Pong(dice.next() as u32),
        _ => {
            let serial = "SH-0001".try_into().expect("short");
            return ToHost::Hello(DeviceHello {
                protocol: PROTOCOL,
                role: Role::Shoe,
                serial,
                firmware: [0, 1, 0],
                schema: SCHEMA,
                boots: dice.next() as u32,
                epoch: dice.next() as u32,
                oldest: dice.next() as u32,
            });
        }
    };
    ToHost::Event { seq: dice.next() as u32 >> dice.below(32), at_ms: dice.next() as u32 >> dice.below(32), saw }
}

/// Damages `frame` in that way; `other` is a second frame.
fn damage(way: usize, frame: &mut Vec<u8>, other: &[u8], dice: &mut Dice) {
    let length = frame.len();
    let at = dice.below(length);
    let few = 1 + dice.below(4.min(length));
    match way {
        0 => (0..few.min(3)).for_each(|_| frame[dice.below(length)] ^= 1 << dice.below(8)),
        1 => {
            let flips = dice.next() as u32 | 1;
            let flips = flips.to_le_bytes();
            frame.iter_mut().skip(at).zip(flips).for_each(|(byte, flip)| *byte ^= flip);
        }
        2 => frame.iter_mut().skip(at).take(few).for_each(|byte| *byte = dice.byte()),
        3 => frame.truncate(at),
        4 => drop(frame.drain(..at)),
        5 => drop(frame.drain(at..(at + few).min(length))),
        6 => (0..few).for_each(|_| frame.insert(at, dice.byte())),
        7 => frame.swap(at, dice.below(length)),
        8 => {
            frame.truncate(at);
            frame.extend(&other[dice.below(other.len())..]);
        }
        _ => frame.iter_mut().for_each(|byte| *byte = dice.byte()),
    }
}

struct Storm {
    dice: Dice,
    decoder: Decoder,
    /// Damaged frames, by way.
    damaged: [u64; WAYS.len()],
    /// The damage took nothing away: noise outside the frame, a byte put where it was.
    harmless: u64,
    sound: u64,
}

impl Storm {
    /// One damaged frame, and now and then a sound one; what came that nobody sent, or did not come.
    fn gust(&mut self, n: u64) -> Result<(), String> {
        let dice = &mut self.dice;
        let (mut one, mut two) = ([0; MAX_FRAME], [0; MAX_FRAME]);
        let sent = [message(dice), message(dice)];
        let other = encode(&sent[1], &mut two).expect("it fits");
        let mut frame = encode(&sent[0], &mut one).expect("it fits").to_vec();
        let way = dice.below(WAYS.len());
        damage(way, &mut frame, other, dice);
        frame.push(0);
        self.damaged[way] += 1;
        let mut input = frame.as_slice();
        while let Some(told) = self.decoder.next::<ToHost>(&mut input, None) {
            if !matches!(&told, Got::Clear(told) if sent.contains(told)) {
                return Err(format!("{}: {frame:02x?} became {told:?}; sent was {sent:?}", WAYS[way]));
            }
            self.harmless += 1;
        }
        if n.is_multiple_of(SOUND_EVERY) {
            let mut input = other;
            if self.decoder.next::<ToHost>(&mut input, None) != Some(Got::Clear(sent[1].clone())) {
                return Err(format!("{other:02x?} was not taken: {:?}", sent[1]));
            }
            self.sound += 1;
        }
        Ok(())
    }
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let (Some(Ok(frames)), Ok(seed)) = (arguments.next(), arguments.next().unwrap_or(Ok(1))) else {
        eprintln!("usage: storm FRAMES [SEED]");
        return ExitCode::from(2);
    };
    let mut storm = Storm { dice: Dice(seed), decoder: Decoder::new(), damaged: [0; 10], harmless: 0, sound: 0 };
    for n in 1..=frames {
        if let Err(why) = storm.gust(n) {
            eprintln!("seed {seed}, frame {n}: {why}");
            return ExitCode::FAILURE;
        }
    }
    for (way, count) in WAYS.iter().zip(storm.damaged) {
        println!("{count:>12}  {way}");
    }
    println!("{:>12}  frames shed by the decoder", storm.decoder.bad());
    println!("{:>12}  came through whole, the damage was outside of them or undid itself", storm.harmless);
    println!("{:>12}  sound frames between, all taken", storm.sound);
    println!("seed {seed}: {frames} damaged frames, no message that was not sent");
    ExitCode::SUCCESS
}
