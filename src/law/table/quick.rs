//! A quick reading of the lines a log is mostly made of: one flat object of plain strings and whole numbers, its fields
//! in any order. It reads less than JSON and never judges: whatever else a line holds (an escape, a space, a nested
//! value, a field too many, a value that does not parse) it gives up on, and serde_json reads the line or says what is
//! wrong with it. Where it does read a line, it reads the very same event.

use core::str::FromStr;

use super::event::{Announcement, Event};
use super::line::is_field;
use super::{BetSpot, Cents, MOST_CENTS, Place};

/// The fields of the events read here, the commonest first.
macro_rules! keys {
    ($($key:ident $word:literal,)+) => {
        #[derive(Debug, Clone, Copy)]
        enum Key { $($key,)+ }

        const KEYS: usize = [$(Key::$key),+].len();

        impl Key {
            fn of(word: &str) -> Option<Self> {
                Some(match word { $($word => Self::$key,)+ _ => return None })
            }
        }
    };
}

keys! {
    Ev "ev",
    Box "box",
    T "t",
    Card "card",
    To "to",
    Choice "choice",
    About "about",
    From "from",
    Amount "amount",
    What "what",
    Value "value",
    Player "player",
    Spot "spot",
    Face "face",
    By "by",
    At "at",
}

/// A value as it stands in the line.
#[derive(Debug, Clone, Copy)]
enum Value<'a> {
    Text(&'a str),
    Number(u64),
    /// What no field of an event read here holds: a list of such values, a number below 0.
    Other,
}

/// The fields of a line; each is to be asked for.
struct Fields<'a> {
    /// By [`Key`].
    all: [Option<Value<'a>>; KEYS],
    /// How many nobody has asked for.
    left: usize,
}

/// Reads an event and its time, or gives up.
pub(super) fn timed(line: &[u8]) -> Option<(Event, Option<u64>)> {
    let mut fields = Fields::of(line)?;
    let t = match fields.ask(Key::T) {
        None => None,
        Some(Value::Number(t)) => Some(t),
        Some(_) => return None,
    };
    let event = fields.event()?;
    // a field nobody asked for may be malformed
    (fields.left == 0).then_some((event, t))
}

impl<'a> Fields<'a> {
    fn of(line: &'a [u8]) -> Option<Self> {
        // plain ASCII throughout; looked at whole, not up to the first that is not, as that is many bytes at a time
        let plain = |byte: u8| (b' '..=b'~').contains(&byte) & (byte != b'\\');
        if !line.iter().fold(true, |all, &byte| all & plain(byte)) {
            return None;
        }
        let mut fields = Self { all: [None; KEYS], left: 0 };
        let mut rest = core::str::from_utf8(line).ok()?.strip_prefix('{')?;
        loop {
            let (key, after) = text(rest)?;
            let (value, after) = value(after.strip_prefix(':')?)?;
            match Key::of(key) {
                Some(key) => {
                    let given_twice = fields.all[key as usize].replace(value).is_some();
                    if given_twice {
                        return None;
                    }
                    fields.left += 1;
                }
                None if is_field(key) => return None,
                // what no event has is passed over
                None => {}
            }
            match after.as_bytes() {
                [b',', ..] => rest = after.get(1..)?,
                [b'}'] => return Some(fields),
                _ => return None,
            }
        }
    }

    fn ask(&mut self, key: Key) -> Option<Value<'a>> {
        let value = self.all[key as usize].take();
        self.left -= usize::from(value.is_some());
        value
    }

    fn word<T: FromStr>(&mut self, key: Key) -> Option<T> {
        self.may(key)?
    }

    /// `Some(None)` where the field is not there.
    fn may<T: FromStr>(&mut self, key: Key) -> Option<Option<T>> {
        match self.ask(key) {
            None => Some(None),
            Some(Value::Text(text)) => text.parse().ok().map(Some),
            Some(_) => None,
        }
    }

    fn number<T: TryFrom<u64>>(&mut self, key: Key) -> Option<T> {
        match self.ask(key)? {
            Value::Number(number) => T::try_from(number).ok(),
            _ => None,
        }
    }

    fn amount(&mut self) -> Option<Cents> {
        self.number(Key::Amount).filter(|amount| *amount <= MOST_CENTS)
    }

    fn settled(&mut self) -> Option<BetSpot> {
        self.may(Key::Spot)?.or(Some(BetSpot::Main)).filter(|spot| spot.is_settled())
    }

    #[rustfmt::skip]
    fn event(&mut self) -> Option<Event> {
        let Value::Text(ev) = self.ask(Key::Ev)? else { return None };
        Some(match ev {
            "draw" => Event::Draw {
                card: self.word(Key::Card)?, to: self.may(Key::To)?, face: self.may(Key::Face)?,
            },
            "ask" => Event::Ask { hand: self.word(Key::Box)?, about: self.word(Key::About)? },
            "decide" => Event::Decide {
                hand: self.word(Key::Box)?, choice: self.word(Key::Choice)?, by: self.may(Key::By)?,
            },
            "move" => Event::Move { from: self.word(Key::From)?, to: self.word(Key::To)?, cards: None },
            "bet" => Event::Bet {
                hand: self.word(Key::Box)?, spot: self.may(Key::Spot)?.unwrap_or_default(), amount: self.amount()?,
                player: self.may(Key::Player)?, chips: [].into(),
            },
            "announce" => Event::Announce {
                what: self.word(Key::What).filter(|what| *what == Announcement::Total)?,
                place: Some(self.word(Key::Box)?), value: Some(self.number(Key::Value)?),
            },
            "collect" => Event::Collect {
                hand: self.word(Key::Box)?, amount: self.amount()?, spot: self.settled()?,
            },
            "pay" => Event::Pay { hand: self.word(Key::Box)?, amount: self.amount()?, spot: self.settled()? },
            "reveal" => Event::Reveal {
                at: self.word(Key::At).filter(Place::may_be_covered)?, card: self.may(Key::Card)?,
            },
            "ace" => Event::Ace {
                hand: self.word(Key::Box)?, value: self.number(Key::Value).filter(|value| matches!(value, 1 | 11))?,
                by: self.may(Key::By)?,
            },
            "close_bets" => Event::CloseBets {},
            "end" => Event::End {},
            _ => return None,
        })
    }
}

/// A string and what follows it; the line is known to hold no escapes.
fn text(rest: &str) -> Option<(&str, &str)> {
    let rest = rest.strip_prefix('"')?;
    let end = memchr::memchr(b'"', rest.as_bytes())?;
    Some((rest.get(..end)?, rest.get(end + 1..)?))
}

/// A value, and what follows it.
fn value(rest: &str) -> Option<(Value<'_>, &str)> {
    match rest.as_bytes() {
        [b'"', ..] => text(rest).map(|(text, rest)| (Value::Text(text), rest)),
        [b'[', ..] => list(rest.get(1..)?).map(|rest| (Value::Other, rest)),
        [b'-', ..] => number(rest.get(1..)?).map(|(_, rest)| (Value::Other, rest)),
        _ => number(rest).map(|(number, rest)| (Value::Number(number), rest)),
    }
}

/// A whole number short enough not to overflow, and what follows it.
fn number(rest: &str) -> Option<(u64, &str)> {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = rest.split_at_checked(digits)?;
    let is_plain = (1..=18).contains(&digits) && (digits == 1 || !number.starts_with('0'));
    let value = number.bytes().fold(0_u64, |sum, digit| sum.wrapping_mul(10).wrapping_add(u64::from(digit - b'0')));
    is_plain.then_some((value, rest))
}

/// What follows a list of strings and numbers, which has begun.
fn list(mut rest: &str) -> Option<&str> {
    loop {
        let after = match rest.as_bytes() {
            [b'"', ..] => text(rest)?.1,
            _ => number(rest)?.1,
        };
        match after.as_bytes() {
            [b',', ..] => rest = after.get(1..)?,
            [b']', ..] => return after.get(1..),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::{timed, timed_by_serde};

    const LINES: &[&str] = &[
        r#"{"ev":"draw","card":"8H","to":"3b","face":"down","t":12}"#,
        r#"{"t":0,"ev":"ask","box":"3","about":"insurance"}"#,
        r#"{"ev":"decide","box":"3","choice":"hit","by":"P1"}"#,
        r#"{"ev":"move","from":"bank","to":"discard"}"#,
        r#"{"ev":"bet","box":"1","spot":"double","amount":5000,"player":"P1"}"#,
        r#"{"ev":"collect","box":"2","amount":100,"spot":"insurance"}"#,
        r#"{"ev":"pay","box":"2","amount":1000000000000000}"#,
        r#"{"ev":"announce","what":"total","box":"bank","value":17}"#,
        r#"{"ev":"reveal","at":"bank","card":"??"}"#,
        r#"{"ev":"close_bets"}"#,
        r#"{"ev":"end","t":99}"#,
        r#"{"ev":"ace","box":"3b","value":11,"by":"P1"}"#,
        r#"{"ev":"draw","card":"5C","to":"2","t":38,"origin":["S-1",7,2],"seen":-3,"seen_within":12,"chain":"0af"}"#,
    ];

    #[test]
    fn the_lines_of_a_log_are_read_quickly_and_as_serde_reads_them() {
        for line in LINES {
            assert_eq!(super::timed(line.as_bytes()), timed_by_serde(line.as_bytes()).ok(), "{line}");
        }
    }

    #[test]
    fn a_line_damaged_anywhere_is_given_up_on_or_read_as_serde_reads_it() {
        let pieces: &[&str] =
            &["", "0", "9", "\"", "\\", ",", "}", "{", ":", " ", "\u{e9}", "\n", ".5", "-", ",\"t\":1", "null"];
        for line in LINES {
            for from in 0..=line.len() {
                for cut in 0..=(line.len() - from).min(3) {
                    for piece in pieces {
                        let damaged = [&line[..from], piece, &line[from + cut..]].concat();
                        let by_serde = timed_by_serde(damaged.as_bytes());
                        if let Some(read) = super::timed(damaged.as_bytes()) {
                            assert_eq!(Ok(&read), by_serde.as_ref(), "{damaged}");
                        }
                        assert_eq!(timed(damaged.as_bytes()), by_serde, "{damaged}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_it_does_not_know_is_left_to_serde() {
        for line in [
            r#"{"ev":"draw","card":"8H","card":"8H"}"#,
            r#"{"ev":"end","origin":{"serial":1}}"#,
            r#"{"ev":"end","origin":[["S-1",7,2]]}"#,
            r#"{"ev":"end","amount":1}"#,
            r#"{"ev":"end","line":1}"#,
            r#"{"ev":"ask","box":"3","about":"insurance","card":"1X"}"#,
            r#"{"ev":"pay","box":"2","amount":007}"#,
            r#"{"ev":"pay","box":"2","amount":1000000000000001}"#,
            r#"{"ev":"move","from":"1","to":"burn","cards":2}"#,
            r#"{"ev":"seat","seat":1,"player":"P1"}"#,
            r#"{"ev":"bet","box":"1","amount":1,"player":"Pe\u00f1a"}"#,
        ] {
            assert!(super::timed(line.as_bytes()).is_none(), "{line}");
        }
    }
}
