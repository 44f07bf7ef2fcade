//! Reading lines of a table log. A malformed line gives an error that names the field and what it should hold.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use serde::de::{Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_path_to_error::Path;

use super::event::{Announcement, Authority, BankChange, Chip, Choice, Face, Permit, Question, Ruling, Share, Taken};
use super::quick::packed;
use super::{BetSpot, Card, Cents, Event, HandId, Header, LineNo, MOST_CENTS, Moved, Name, Place};

/// What is wrong with a line, with the name of the field where one is to blame.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LineError(String);

impl LineError {
    fn field(name: &str, why: impl fmt::Display) -> Self {
        Self(format!("field `{name}`: {why}"))
    }

    fn json(error: &serde_json::Error) -> Self {
        let text = error.to_string();
        let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
        Self(format!("{} (column {})", plain(what), error.column()))
    }

    /// The same of what stands at a path in the line, such as `settings.bank_stands`.
    fn json_at(path: &Path, error: &serde_json::Error) -> Self {
        let Self(why) = Self::json(error);
        let lacks = why.strip_prefix("missing field `").and_then(|rest| rest.split_once('`'));
        if let Some((name, _)) = lacks {
            let inside = path.iter().next().map(|_| format!("{path}.")).unwrap_or_default();
            return Self::field(&(inside + name), "missing");
        }
        match path.iter().next() {
            Some(_) if !why.starts_with("field `") => Self::field(&path.to_string(), why),
            _ => Self(why),
        }
    }
}

const BYTE_ORDER_MARK: &[u8] = &[0xEF, 0xBB, 0xBF];

/// What is quoted of a line at the most, in characters.
const QUOTED: usize = 40;

/// The reader's words, without the names of this program's types, and with what it quotes of the line cut short.
fn plain(what: &str) -> String {
    let mut why = what;
    // of an event in a correction both fields are named
    while let Some((_, rest)) = why.strip_prefix("field `").and_then(|named| named.split_once("`: ")) {
        why = rest;
    }
    let field = &what[..what.len() - why.len()];
    let why = match why.strip_prefix("invalid type: ").or_else(|| why.strip_prefix("invalid value: ")) {
        Some(said) => match said.split_once(", expected ") {
            Some((found, "u8" | "u16" | "u32" | "u64" | "usize")) => {
                format!("{found} where a whole number belongs, not negative and not too great")
            }
            Some((found, expected)) => format!("{found} where {expected} belongs"),
            None => said.to_string(),
        },
        None if why.starts_with("EOF") => format!("the line ends too soon: {why}"),
        None if why.starts_with("invalid unicode") => "no UTF-8 text".to_string(),
        None => why.to_string(),
    };
    let mut text = field.to_string();
    for (index, part) in why.split('`').enumerate() {
        if index > 0 {
            text.push('`');
        }
        text.extend(part.chars().take(if index % 2 == 1 { QUOTED } else { usize::MAX }));
        if index % 2 == 1 && part.chars().count() > QUOTED {
            text.push_str("...");
        }
    }
    text
}

/// Versions of the format that are read.
const VERSIONS: core::ops::RangeInclusive<u32> = 1..=2;

/// Reads line 1 of a log.
///
/// # Errors
/// When the line is no header of this format, names no boxes this crate knows, or has limits the wrong way round.
pub fn header(line: &[u8]) -> Result<Header, LineError> {
    #[derive(Deserialize)]
    struct Tag {
        #[serde(default)]
        ev: Name,
    }
    if line.starts_with(BYTE_ORDER_MARK) {
        return Err(LineError("it begins with a byte order mark: save the log as UTF-8 without one".to_string()));
    }
    let Tag { ev } = serde_json::from_slice(line).map_err(|error| LineError::json(&error))?;
    if ev != "table" {
        return Err(LineError::field("ev", "no header: a log begins with a line whose `ev` is \"table\""));
    }
    let mut read = serde_json::Deserializer::from_slice(line);
    let header: Header =
        serde_path_to_error::deserialize(&mut read).map_err(|error| LineError::json_at(error.path(), error.inner()))?;
    if !VERSIONS.contains(&header.v) {
        return Err(LineError::field(
            "v",
            format_args!("version {} of the format is not known; it is 1 or 2", header.v),
        ));
    }
    if header.boxes == 0 || usize::from(header.boxes) > super::place::MAX_BOXES {
        return Err(LineError::field("boxes", format_args!("{} is not 1 to 7", header.boxes)));
    }
    within("limits.min", header.limits.min)?;
    within("limits.max", header.limits.max)?;
    if header.limits.min > header.limits.max {
        return Err(LineError::field("limits", "min is greater than max"));
    }
    Ok(header)
}

/// Reads one event of a log; unknown fields are passed over.
///
/// # Errors
/// When the line is no JSON object, its `ev` is unknown, or a field is missing, malformed or given twice.
pub fn event(line: &[u8]) -> Result<Event, LineError> {
    timed(line).map(|(event, _)| event)
}

/// Reads one event and its time `t`, where it has one (milliseconds since the log began).
///
/// # Errors
/// As [`event`].
#[inline]
pub fn timed(line: &[u8]) -> Result<(Event, Option<u64>), LineError> {
    match super::quick::timed(line, may_be_field) {
        Some(read) => Ok(read),
        None => timed_by_serde(line),
    }
}

/// The same through `serde_json` alone: what [`timed`] gives, and what its speed is measured against.
///
/// # Errors
/// As [`event`].
pub fn timed_by_serde(line: &[u8]) -> Result<(Event, Option<u64>), LineError> {
    let raw: Raw = serde_json::from_slice(line).map_err(|error| LineError::json(&error))?;
    let t = raw.t;
    raw.event().map(|event| (event, t))
}

/// `cards` is a number in some events and a list in others.
enum Cards {
    Count(u32),
    List(Vec<Card>),
}

impl<'de> Deserialize<'de> for Cards {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Cards;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of cards or a list of them")
            }
            fn visit_u64<E: serde::de::Error>(self, n: u64) -> Result<Cards, E> {
                u32::try_from(n).map(Cards::Count).map_err(|_| E::custom("too many cards"))
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Cards, E> {
                text.parse().map(|card| Cards::List([card].into())).map_err(E::custom)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Cards, A::Error> {
                let mut cards = Vec::new();
                while let Some(card) = seq.next_element()? {
                    cards.push(card);
                }
                Ok(Cards::List(cards))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

/// Every field any event has, read in one pass over the line.
macro_rules! raw {
    ($($field:ident $key:literal : $kind:ty,)+) => {
        #[derive(Default)]
        struct Raw { $($field: Option<$kind>,)+ }

        #[allow(non_camel_case_types)]
        enum Key { $($field,)+ Other }

        /// Whether an event has a field whose name begins so.
        #[allow(non_upper_case_globals)]
        pub(super) const fn may_be_field(name: u64) -> bool {
            $(const $field: u64 = packed($key);)+
            matches!(name, $($field)|+)
        }

        impl<'de> Deserialize<'de> for Key {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct AsKey;
                impl Visitor<'_> for AsKey {
                    type Value = Key;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str("a field")
                    }
                    fn visit_str<E>(self, text: &str) -> Result<Key, E> {
                        Ok(match text { $($key => Key::$field,)+ _ => Key::Other })
                    }
                }
                deserializer.deserialize_identifier(AsKey)
            }
        }

        impl<'de> Deserialize<'de> for Raw {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Fields;
                impl<'de> Visitor<'de> for Fields {
                    type Value = Raw;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str("a JSON object")
                    }
                    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Raw, A::Error> {
                        let mut raw = Raw::default();
                        while let Some(key) = map.next_key::<Key>()? {
                            match key {
                                $(Key::$field => fill(&mut raw.$field, $key, &mut map)?,)+
                                Key::Other => { map.next_value::<IgnoredAny>()?; }
                            }
                        }
                        Ok(raw)
                    }
                }
                deserializer.deserialize_map(Fields)
            }
        }
    };
}

fn fill<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    slot: &mut Option<T>,
    key: &str,
    map: &mut A,
) -> Result<(), A::Error> {
    if slot.is_some() {
        return Err(A::Error::custom(format_args!("field `{key}`: given twice")));
    }
    let value = map.next_value().map_err(|why| A::Error::custom(format_args!("field `{key}`: {why}")))?;
    *slot = Some(value);
    Ok(())
}

raw! {
    ev "ev": Name,
    t "t": u64,
    seat "seat": u8,
    player "player": Name,
    hand "box": Place,
    by "by": Name,
    role "role": Name,
    what "what": What,
    decks "decks": u32,
    cards "cards": Cards,
    depth "depth": u32,
    cut_card "cut_card": u32,
    spot "spot": BetSpot,
    amount "amount": Cents,
    chips "chips": Vec<Chip>,
    card "card": Card,
    to "to": Place,
    face "face": Face,
    about "about": Question,
    choice "choice": Choice,
    value "value": u32,
    at "at": Place,
    from "from": Place,
    yes "yes": bool,
    option "option": Taken,
    decision "decision": Ruling,
    finding "finding": u64,
    provision "provision": Name,
    note "note": Name,
    device "device": Name,
    status "status": Name,
    detail "detail": Name,
    how "how": BankChange,
    line "line": LineNo,
    after "after": LineNo,
    event "event": Box<Raw>,
    complete "complete": bool,
}

/// `what` of an authorisation, an announcement or a share. Another word is an error of the event that it stands in.
#[derive(Clone, Copy)]
enum What {
    Permit(Permit),
    Share(Share),
    Total,
    Other,
}

impl<'de> Deserialize<'de> for What {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Word(What);
        impl FromStr for Word {
            type Err = &'static str;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    "total" => Ok(Self(What::Total)),
                    other => match other.parse() {
                        Ok(share) => Ok(Self(What::Share(share))),
                        Err(_) => Ok(Self(other.parse().map_or(What::Other, What::Permit))),
                    },
                }
            }
        }
        sabot_words::text::parsed(deserializer).map(|Word(what)| what)
    }
}

fn need<T>(value: Option<T>, name: &str) -> Result<T, LineError> {
    value.ok_or_else(|| LineError::field(name, "missing"))
}

/// An amount that can be reckoned with.
fn within(field: &str, amount: Cents) -> Result<Cents, LineError> {
    match amount {
        0..=MOST_CENTS => Ok(amount),
        _ => Err(LineError::field(field, format_args!("{amount} is more than {MOST_CENTS}, the greatest amount"))),
    }
}

impl Raw {
    fn hand(&self) -> Result<HandId, LineError> {
        match need(self.hand, "box")? {
            Place::Hand(hand) => Ok(hand),
            other => Err(LineError::field("box", format_args!("`{other}` is {}", super::place::NotAHand))),
        }
    }

    fn count(self) -> Result<u32, LineError> {
        match need(self.cards, "cards")? {
            Cards::Count(cards) => Ok(cards),
            Cards::List(_) => Err(LineError::field("cards", "here a number of cards")),
        }
    }

    fn may_amount(&self) -> Result<Option<Cents>, LineError> {
        self.amount.map(|amount| within("amount", amount)).transpose()
    }

    fn amount(&self) -> Result<Cents, LineError> {
        need(self.may_amount()?, "amount")
    }

    fn chips(&mut self) -> Result<Vec<Chip>, LineError> {
        let chips = self.chips.take().unwrap_or_default();
        chips.into_iter().map(|chip| within("chips", chip.value).map(|_| chip)).collect()
    }

    fn permit(&self) -> Result<Permit, LineError> {
        match need(self.what, "what")? {
            What::Permit(permit) => Ok(permit),
            _ => Err(LineError::field("what", "to be authorized are shuffle, next_cards_for_bank or deck_change")),
        }
    }

    fn share(&self) -> Result<Share, LineError> {
        match need(self.what, "what")? {
            What::Share(share) => Ok(share),
            _ => Err(LineError::field("what", "a share is an advance or a dividend")),
        }
    }

    /// What is paid to, or collected of: a hand with all that is at stake on it, or its insurance.
    fn settled(&self) -> Result<BetSpot, LineError> {
        let spot = Some(self.spot.unwrap_or_default()).filter(|spot| spot.is_settled());
        spot.ok_or_else(|| LineError::field("spot", "a hand is settled as a whole: main, or insurance by itself"))
    }

    fn uncovered(&self) -> Result<Place, LineError> {
        let at = Some(need(self.at, "at")?).filter(Place::may_be_covered);
        at.ok_or_else(|| LineError::field("at", "a card is turned up at the bank or at a box"))
    }

    fn ace_value(&self) -> Result<u8, LineError> {
        match need(self.value, "value")? {
            1 => Ok(1),
            11 => Ok(11),
            other => Err(LineError::field("value", format_args!("an ace is 1 or 11, not {other}"))),
        }
    }

    #[rustfmt::skip]
    fn event(mut self) -> Result<Event, LineError> {
        let ev = need(self.ev.take(), "ev")?;
        Ok(match ev.as_str() {
            "draw" => Event::Draw { card: need(self.card, "card")?, to: self.to, face: self.face },
            "decide" => Event::Decide { hand: self.hand()?, choice: need(self.choice, "choice")?, by: self.by },
            "ask" => Event::Ask { hand: self.hand()?, about: need(self.about, "about")? },
            "bet" => Event::Bet {
                hand: self.hand()?, spot: self.spot.unwrap_or_default(), amount: self.amount()?,
                chips: self.chips()?, player: self.player,
            },
            "announce" => self.announce()?,
            "move" => Event::Move {
                from: need(self.from, "from")?, to: need(self.to, "to")?,
                cards: self.cards.map(|cards| match cards {
                    Cards::Count(n) => Moved::Count(n as usize),
                    Cards::List(list) => Moved::Cards(list),
                }),
            },
            "collect" => {
                let (hand, amount) = (self.hand()?, self.amount()?);
                Event::Collect { hand, amount, spot: self.settled()? }
            }
            "pay" => {
                let (hand, amount) = (self.hand()?, self.amount()?);
                Event::Pay { hand, amount, spot: self.settled()? }
            }
            "reveal" => Event::Reveal { at: self.uncovered()?, card: self.card },
            "ace" => Event::Ace { hand: self.hand()?, value: self.ace_value()?, by: self.by },
            "end" => Event::End {},
            "close_bets" => Event::CloseBets {},
            "seat" => Event::Seat { seat: need(self.seat, "seat")?, player: need(self.player, "player")? },
            "leave" => Event::Leave { seat: need(self.seat, "seat")?, player: need(self.player, "player")? },
            "request" => Event::Request { hand: self.hand()?, player: need(self.player, "player")?, t: self.t },
            "authorize" => Event::Authorize { what: self.permit()?, role: self.authority()?, by: need(self.by, "by")? },
            "shuffle" => Event::Shuffle { decks: need(self.decks, "decks")?, cards: self.count()? },
            "cut" => Event::Cut { depth: need(self.depth, "depth")?, by: need(self.by, "by")? },
            "load" => Event::Load { cut_card: need(self.cut_card, "cut_card")?, cards: self.count()? },
            "cut_card" => Event::CutCard {},
            "consent" => Event::Consent { hand: self.hand()?, yes: need(self.yes, "yes")? },
            "choose" => Event::Choose { hand: self.hand()?, option: need(self.option, "option")? },
            "rule" => Event::Rule {
                by: need(self.by, "by")?, role: need(self.role, "role")?,
                decision: need(self.decision, "decision")?, finding: self.finding,
            },
            "report" => Event::Report {
                by: need(self.by, "by")?, role: need(self.role, "role")?, provision: self.provision,
                place: self.hand, note: need(self.note, "note")?,
            },
            "correct" => self.correct()?,
            "bank_card" => Event::BankCard { player: need(self.player, "player")?, card: need(self.card, "card")? },
            "bank" => Event::Bank { how: need(self.how, "how")?, amount: self.may_amount()?, player: self.player, by: self.by },
            "share" => Event::Share { what: self.share()?, amount: self.amount()?, player: need(self.player, "player")? },
            "offer_cut" => Event::OfferCut { player: need(self.player, "player")? },
            "device" => Event::Device {
                device: need(self.device, "device")?, status: need(self.status, "status")?, detail: self.detail,
                complete: self.complete.unwrap_or(false),
            },
            "table" => return Err(LineError::field("ev", "a second header: one log holds one table")),
            other => return Err(LineError::field("ev", plain(&format!("`{other}` is no event of this format; docs/table-log.md tells them all")))),
        })
    }

    fn authority(&self) -> Result<Authority, LineError> {
        let role = need(self.role.as_ref(), "role")?;
        role.parse().map_err(|why| LineError::field("role", format_args!("`{role}` is {why}")))
    }

    fn correct(mut self) -> Result<Event, LineError> {
        // a header is put in nowhere: such a correction is of the header's own line, which nobody may correct
        if self.event.take_if(|event| event.ev.as_deref() == Some("table")).is_some() {
            (self.line, self.after) = (Some(1), None);
        }
        let event = self.event.map(|raw| raw.event()).transpose();
        let event = event.map_err(|LineError(why)| LineError::field("event", why))?.map(Box::new);
        match (self.line, self.after, &event) {
            (Some(_), None, _) | (None, Some(_), Some(_)) => {}
            (None, Some(_), None) => return Err(LineError::field("event", "missing: what happened after that line")),
            (Some(_), Some(_), _) => return Err(LineError::field("after", "either `line` or `after`, not both")),
            (None, None, _) => return Err(LineError::field("line", "missing, and `after` too")),
        }
        let (by, role) = (need(self.by, "by")?, need(self.role, "role")?);
        Ok(Event::Correct { by, role, line: self.line, after: self.after, event })
    }

    fn announce(self) -> Result<Event, LineError> {
        let what = match need(self.what, "what")? {
            What::Total => Announcement::Total,
            What::Permit(Permit::NextCardsForBank) => Announcement::NextCardsForBank,
            _ => return Err(LineError::field("what", "announced are total or next_cards_for_bank")),
        };
        if what == Announcement::Total {
            need(self.hand, "box")?;
            need(self.value, "value")?;
        }
        Ok(Event::Announce { what, place: self.hand, value: self.value })
    }
}

#[cfg(test)]
#[path = "line_tests.rs"]
mod tests;
