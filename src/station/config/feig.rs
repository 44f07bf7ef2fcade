//! The keys of FEIG's chip readers in a table's configuration: `driver = "feig"`.

use std::collections::HashSet;
use std::path::Path;

use sabot_drivers::feig::{
    CardTags, ChipValues, DEFAULT_BAUD, DEFAULT_HOLD_MS, DEFAULT_POLL_MS, DEFAULT_TCP_PORT, FeigLine, Hysteresis,
    Place, Setup, Spot, Timing, Values, records::AntennaByte,
};
use sabot_drivers::saw::{Pad, Stake};
use sabot_law::table::Place as Lies;
use sabot_law::table::place::MAX_HANDS;
use sabot_wire::message::{BetSpot, Role};
use serde::Deserialize;
use toml::Spanned;

use super::key_examples::{TABLE, example};
use super::mistake::Fault;
use super::port_name;

/// Before the host and port of a reader on the network.
const TCP: &str = "tcp:";
/// A card is past the antenna of the shoe within a few tenths of a second.
const SHOE_POLL_MS: u64 = 20;
const MAX_POLL_MS: u64 = 1000;
const MAX_HOLD_MS: u64 = 60_000;

/// What only a FEIG reader has.
pub(super) struct RawFeig {
    pub(super) role: Role,
    pub(super) spots: Option<Spanned<Vec<Spanned<RawSpot>>>>,
    pub(super) buffered: Option<Spanned<bool>>,
    pub(super) value_block: Option<Spanned<u8>>,
    pub(super) poll_ms: Option<Spanned<u64>>,
    pub(super) hold_ms: Option<Spanned<u64>>,
    pub(super) multiplexer: Option<Spanned<bool>>,
    pub(super) presence: Option<Spanned<RawPresence>>,
}

/// When a tag lies there, and when it is gone: what is left out is as [`Hysteresis::DEFAULT`] has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPresence {
    rounds: Option<u32>,
    read: Option<u32>,
    missed: Option<u32>,
    missed_ms: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSpot {
    #[serde(rename = "box")]
    box_no: Option<u8>,
    hand: Option<u8>,
    spot: Option<BetSpot>,
    place: Option<CardPlace>,
    reader: Option<u8>,
    antenna: Option<u8>,
}

/// A place where nothing but cards lies.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum CardPlace {
    Bank,
    Burn,
    Discard,
}

impl From<CardPlace> for Pad {
    fn from(place: CardPlace) -> Self {
        Self::Cards(match place {
            CardPlace::Bank => Lies::Bank,
            CardPlace::Burn => Lies::Burn,
            CardPlace::Discard => Lies::Discard,
        })
    }
}

/// What of a table its readers' keys are held against.
#[derive(Clone, Copy)]
pub(super) struct Around {
    /// How many boxes it has.
    pub(super) boxes: u8,
    /// The house has a registry of chips.
    pub(super) knows_chips: bool,
    /// And one of decks.
    pub(super) knows_cards: bool,
}

impl RawFeig {
    /// The first key that stands here, for a device that has none of them.
    pub(super) fn stray(&self) -> Option<Fault> {
        let spans = [
            self.spots.as_ref().map(|key| ("spots", key.span())),
            self.buffered.as_ref().map(|key| ("buffered", key.span())),
            self.value_block.as_ref().map(|key| ("value_block", key.span())),
            self.poll_ms.as_ref().map(|key| ("poll_ms", key.span())),
            self.hold_ms.as_ref().map(|key| ("hold_ms", key.span())),
            self.multiplexer.as_ref().map(|key| ("multiplexer", key.span())),
            self.presence.as_ref().map(|key| ("presence", key.span())),
        ];
        let (key, span) = spans.into_iter().flatten().next()?;
        Some(Fault::at(
            span,
            format!("`{key}` is for a device with driver = \"feig\""),
            "remove it, or name the driver",
        ))
    }
}

/// Where a reader is: a serial port beside the file, or `tcp:` and a host, with the port where it is
/// another than 10001.
pub(super) fn place(port: &Path, baud: Option<u32>, folder: &Path) -> Place {
    match port.to_str().and_then(|port| port.strip_prefix(TCP)) {
        Some(host) if host.contains(':') && !host.ends_with(']') => Place::Tcp(host.to_owned()),
        Some(host) => Place::Tcp(format!("{host}:{DEFAULT_TCP_PORT}")),
        None => Place::Serial(port_name::name(port, folder), baud.unwrap_or(DEFAULT_BAUD)),
    }
}

/// The readers of a table. What chips are worth, and which tags are cards, is known once the registries are read.
pub(super) fn feig(
    raw: &RawFeig,
    place: Place,
    serial: Option<String>,
    around: Around,
    device: std::ops::Range<usize>,
) -> Result<FeigLine, Fault> {
    if raw.role == Role::Shoe {
        return at_the_shoe(raw, place, serial, around, device);
    }
    let Some(spots) = raw.spots.as_ref().filter(|spots| !spots.get_ref().is_empty()) else {
        let span = raw.spots.as_ref().map_or(device, Spanned::span);
        return Err(Fault::at(span, "the readers watch no spot", example(TABLE, "spots").replacen("write", "add", 1)));
    };
    let is_buffered = raw.buffered.as_ref().is_some_and(|key| *key.get_ref());
    let spots = checked_spots(spots.get_ref(), around, is_buffered)?;
    let sees_chips = spots.iter().any(|spot| matches!(spot.at, Pad::Stake(_)));
    let values = match &raw.value_block {
        None if around.knows_chips || !sees_chips => Values::Known(ChipValues::default()),
        None => {
            let what = "nothing says what the chips are worth";
            return Err(Fault::at(device, what, "name a registry above (chip_registry), or here a value_block"));
        }
        Some(key) if is_buffered => {
            let what = "a buffered reader is not asked for blocks";
            return Err(Fault::at(key.span(), what, "remove it, and name a registry above (chip_registry)"));
        }
        Some(block) => Values::Block(*block.get_ref()),
    };
    let timing = timing(&place);
    let setup = Setup {
        spots,
        values,
        cards: CardTags::default(),
        buffered: is_buffered,
        serial,
        poll_ms: bounded(&raw.poll_ms, "poll_ms", DEFAULT_POLL_MS, (10, MAX_POLL_MS))?,
        hold_ms: bounded(&raw.hold_ms, "hold_ms", DEFAULT_HOLD_MS, (500, MAX_HOLD_MS))?,
        antennas: antenna_byte(raw.multiplexer.as_ref(), is_buffered)?,
        hysteresis: hysteresis(raw.presence.as_ref(), Hysteresis::DEFAULT, is_buffered)?,
        timing,
    };
    Ok(FeigLine { place, setup })
}

/// One reader alone on its line, whose antenna each card passes that leaves the shoe.
fn at_the_shoe(
    raw: &RawFeig,
    place: Place,
    serial: Option<String>,
    around: Around,
    device: std::ops::Range<usize>,
) -> Result<FeigLine, Fault> {
    if !around.knows_cards {
        let what = "nothing says which card a tag is in";
        return Err(Fault::at(device, what, "name a registry above: deck_registry = \"decks.jsonl\""));
    }
    let of_felt = [
        raw.spots.as_ref().map(|key| ("spots", key.span())),
        raw.buffered.as_ref().map(|key| ("buffered", key.span())),
        raw.value_block.as_ref().map(|key| ("value_block", key.span())),
        raw.hold_ms.as_ref().map(|key| ("hold_ms", key.span())),
        raw.multiplexer.as_ref().map(|key| ("multiplexer", key.span())),
    ];
    if let Some((key, span)) = of_felt.into_iter().flatten().next() {
        let what = format!("`{key}` is for readers under the felt");
        return Err(Fault::at(span, what, "remove it: the reader at the shoe is alone on its line, and polled"));
    }
    let spots = vec![Spot { at: Pad::Cards(Lies::Shoe), reader: None, antenna: None }];
    let timing = timing(&place);
    let setup = Setup {
        spots,
        values: Values::Known(ChipValues::default()),
        cards: CardTags::default(),
        buffered: false,
        serial,
        poll_ms: bounded(&raw.poll_ms, "poll_ms", SHOE_POLL_MS, (10, MAX_POLL_MS))?,
        hold_ms: DEFAULT_HOLD_MS,
        antennas: AntennaByte::Number,
        hysteresis: hysteresis(raw.presence.as_ref(), Hysteresis::PASSING, false)?,
        timing,
    };
    Ok(FeigLine { place, setup })
}

const fn timing(place: &Place) -> Timing {
    match place {
        Place::Tcp(_) => Timing::TCP,
        Place::Serial(_, baud) => Timing::serial(*baud),
    }
}

fn bounded(key: &Option<Spanned<u64>>, name: &str, default: u64, (least, most): (u64, u64)) -> Result<u64, Fault> {
    match key {
        None => Ok(default),
        Some(ms) if (least..=most).contains(ms.get_ref()) => Ok(*ms.get_ref()),
        Some(ms) => {
            Err(Fault::at(ms.span(), format!("`{name}` is {least} to {most} milliseconds"), example(TABLE, name)))
        }
    }
}

fn antenna_byte(key: Option<&Spanned<bool>>, is_buffered: bool) -> Result<AntennaByte, Fault> {
    match key.filter(|key| *key.get_ref()) {
        None => Ok(AntennaByte::Number),
        Some(_) if is_buffered => Ok(AntennaByte::Bits),
        Some(key) => {
            let what = "a multiplexer is switched by a reader that watches by itself";
            Err(Fault::at(key.span(), what, "write `buffered = true` and set the reader up for it, or remove the key"))
        }
    }
}

fn hysteresis(key: Option<&Spanned<RawPresence>>, usual: Hysteresis, is_buffered: bool) -> Result<Hysteresis, Fault> {
    let Some(key) = key else { return Ok(usual) };
    let wrong = |what: &str| Err(Fault::at(key.span(), what, example(TABLE, "presence")));
    if is_buffered {
        return Err(Fault::at(key.span(), "a buffered reader tells no rounds", "remove it, and see `hold_ms`"));
    }
    let Hysteresis { rounds, appear, missed, vanish_ms } = usual;
    let raw = key.get_ref();
    let set = Hysteresis {
        rounds: raw.rounds.unwrap_or(rounds),
        appear: raw.read.unwrap_or(appear),
        missed: raw.missed.unwrap_or(missed),
        vanish_ms: raw.missed_ms.unwrap_or(vanish_ms),
    };
    match set {
        Hysteresis { rounds: 0 | 32.., .. } => wrong("`rounds` is 1 to 31"),
        Hysteresis { rounds, appear, .. } if appear == 0 || appear > rounds => wrong("`read` is 1 to `rounds`"),
        Hysteresis { missed: 0 | 101.., .. } => wrong("`missed` is 1 to 100"),
        Hysteresis { vanish_ms: 10_001.., .. } => wrong("`missed_ms` is 0 to 10000"),
        set => Ok(set),
    }
}

/// Spots that several lines watch.
pub(super) fn watched_twice(lines: &[&FeigLine]) -> Option<Pad> {
    let mut watched = HashSet::new();
    lines.iter().flat_map(|line| &line.setup.spots).map(|spot| spot.at).find(|at| !watched.insert(*at))
}

/// What a spot lies under.
fn pad(raw: &RawSpot, Around { boxes, knows_cards, .. }: Around) -> Result<Pad, (String, &'static str)> {
    let (box_no, hand) = match *raw {
        RawSpot { place: Some(place), box_no: None, hand: None, spot: None, .. } if knows_cards => {
            return Ok(place.into());
        }
        RawSpot { place: Some(_), box_no: None, hand: None, spot: None, .. } => {
            let what = "nothing says which card a tag is in".to_owned();
            return Err((what, "name a registry above: deck_registry = \"decks.jsonl\""));
        }
        RawSpot { place: None, box_no: Some(box_no), hand, .. } => (box_no, hand.unwrap_or(0)),
        _ => {
            let what = "a spot is of a box, or a place for cards".to_owned();
            return Err((what, "write for example `box = 1`, or `place = \"bank\"` and neither hand nor spot"));
        }
    };
    if !(1..=boxes).contains(&box_no) || usize::from(hand) >= MAX_HANDS {
        let last = MAX_HANDS - 1;
        let what = format!("box {box_no}, hand {hand}: this table has {boxes} boxes, of hands 0 to {last}");
        return Err((what, "name a box of this table"));
    }
    Ok(Stake { box_no, hand, spot: raw.spot.unwrap_or_default() }.into())
}

fn checked_spots(raw: &[Spanned<RawSpot>], around: Around, is_buffered: bool) -> Result<Vec<Spot>, Fault> {
    let (mut watched, mut watchers) = (HashSet::new(), HashSet::new());
    let mut spots = Vec::new();
    for spanned in raw {
        let RawSpot { reader, antenna, .. } = *spanned.get_ref();
        let wrong = |what: String, instead: &str| Err(Fault::at(spanned.span(), what, instead));
        let at = pad(spanned.get_ref(), around).map_err(|(what, instead)| Fault::at(spanned.span(), what, instead))?;
        if !watched.insert(at) {
            return wrong("this spot stands here twice".to_owned(), "remove one of them");
        }
        if antenna.is_some() && !is_buffered {
            let what = "only a buffered reader tells which antenna saw a chip".to_owned();
            return wrong(what, "write `buffered = true` and set the reader up for it, or give each spot a reader");
        }
        if !watchers.insert((reader, antenna)) {
            let what = "another spot has the same reader and antenna".to_owned();
            return wrong(what, "give each spot a reader of its own address, or where readers are buffered an antenna");
        }
        spots.push(Spot { at, reader, antenna });
    }
    if let Some(spanned) = raw.iter().find(|spanned| {
        let of = |other: &Spanned<RawSpot>| other.get_ref().reader;
        // address 255 reaches every reader: it can only be the one on the line
        let any = |reader: Option<u8>| reader.is_none_or(|address| address == u8::MAX);
        let alone = raw.iter().all(|other| of(other) == of(spanned));
        (any(of(spanned)) && !alone) || of(spanned) == Some(u8::MAX)
    }) {
        let what = "a spot without a reader's address, on a line with several readers";
        return Err(Fault::at(spanned.span(), what, "write for example `reader = 2`: addresses are 0 to 254"));
    }
    if let Some(spanned) = raw.iter().find(|spanned| {
        let RawSpot { reader, antenna, .. } = spanned.get_ref();
        antenna.is_none() && raw.iter().filter(|other| other.get_ref().reader == *reader).count() > 1
    }) {
        let what = "a spot without an antenna, of a reader with several";
        return Err(Fault::at(spanned.span(), what, "write for example `antenna = 1`"));
    }
    Ok(spots)
}

#[cfg(test)]
#[path = "feig_tests.rs"]
mod tests;
