//! A quick reading of the lines a log is mostly made of: one flat object of plain strings and whole numbers, its fields
//! in any order. It reads less than JSON and never judges: whatever else a line holds (an escape, a space, a nested
//! value, a field too many, a value that does not parse) it gives up on, and serde_json reads the line or says what is
//! wrong with it. Where it does read a line, it reads the very same event.

use core::str::FromStr;

use super::event::{Announcement, Event};
use super::{BetSpot, Cents, MOST_CENTS, Place};

/// Fields of the longest event read here, its time included.
const MOST: usize = 6;

/// A value as it stands in the line.
#[derive(Debug, Clone, Copy)]
enum Value<'a> {
    Text(&'a [u8]),
    Number(u64),
}

/// The fields of a line; each is to be asked for.
struct Fields<'a> {
    all: [(&'a [u8], Value<'a>); MOST],
    len: usize,
    asked: usize,
}

/// Reads an event and its time, or gives up.
pub(super) fn timed(line: &[u8]) -> Option<(Event, Option<u64>)> {
    let mut fields = Fields::of(line)?;
    let t = match fields.ask("t") {
        None => None,
        Some(Value::Number(t)) => Some(t),
        Some(Value::Text(_)) => return None,
    };
    let event = fields.event()?;
    // a field nobody asked for may be unknown, malformed or given twice
    (fields.asked == fields.len).then_some((event, t))
}

impl<'a> Fields<'a> {
    fn of(line: &'a [u8]) -> Option<Self> {
        // plain ASCII throughout; looked at whole, not up to the first that is not, as that is many bytes at a time
        let plain = |byte: u8| (b' '..=b'~').contains(&byte) & (byte != b'\\');
        if !line.iter().fold(true, |all, &byte| all & plain(byte)) {
            return None;
        }
        let mut fields = Self { all: [(&[], Value::Number(0)); MOST], len: 0, asked: 0 };
        let [b'{', rest @ ..] = line else { return None };
        let mut rest = rest;
        loop {
            let (key, after) = text(rest)?;
            let [b':', after @ ..] = after else { return None };
            let (value, after) = value(after)?;
            *fields.all.get_mut(fields.len)? = (key, value);
            fields.len += 1;
            match after {
                [b',', next @ ..] => rest = next,
                [b'}'] => return Some(fields),
                _ => return None,
            }
        }
    }

    fn ask(&mut self, key: &str) -> Option<Value<'a>> {
        let (_, value) = self.all[..self.len].iter().find(|(name, _)| *name == key.as_bytes())?;
        self.asked += 1;
        Some(*value)
    }

    fn word<T: FromStr>(&mut self, key: &str) -> Option<T> {
        self.may(key)?
    }

    /// `Some(None)` where the field is not there.
    fn may<T: FromStr>(&mut self, key: &str) -> Option<Option<T>> {
        match self.ask(key) {
            None => Some(None),
            Some(Value::Text(text)) => core::str::from_utf8(text).ok()?.parse().ok().map(Some),
            Some(Value::Number(_)) => None,
        }
    }

    fn number<T: TryFrom<u64>>(&mut self, key: &str) -> Option<T> {
        match self.ask(key)? {
            Value::Number(number) => T::try_from(number).ok(),
            Value::Text(_) => None,
        }
    }

    fn amount(&mut self) -> Option<Cents> {
        self.number("amount").filter(|amount| *amount <= MOST_CENTS)
    }

    fn settled(&mut self) -> Option<BetSpot> {
        self.may("spot")?.or(Some(BetSpot::Main)).filter(|spot| spot.is_settled())
    }

    #[rustfmt::skip]
    fn event(&mut self) -> Option<Event> {
        let Value::Text(ev) = self.ask("ev")? else { return None };
        Some(match ev {
            b"draw" => Event::Draw { card: self.word("card")?, to: self.may("to")?, face: self.may("face")? },
            b"ask" => Event::Ask { hand: self.word("box")?, about: self.word("about")? },
            b"decide" => Event::Decide { hand: self.word("box")?, choice: self.word("choice")?, by: self.may("by")? },
            b"move" => Event::Move { from: self.word("from")?, to: self.word("to")?, cards: None },
            b"bet" => Event::Bet {
                hand: self.word("box")?, spot: self.may("spot")?.unwrap_or_default(), amount: self.amount()?,
                player: self.may("player")?, chips: [].into(),
            },
            b"collect" => Event::Collect {
                hand: self.word("box")?, amount: self.amount()?, spot: self.settled()?,
            },
            b"pay" => Event::Pay { hand: self.word("box")?, amount: self.amount()?, spot: self.settled()? },
            b"announce" => Event::Announce {
                what: self.word("what").filter(|what| *what == Announcement::Total)?,
                place: Some(self.word("box")?), value: Some(self.number("value")?),
            },
            b"reveal" => Event::Reveal {
                at: self.word("at").filter(Place::may_be_covered)?, card: self.may("card")?,
            },
            b"close_bets" => Event::CloseBets {},
            b"end" => Event::End {},
            _ => return None,
        })
    }
}

/// A string and what follows it; the line is known to hold no escapes.
fn text(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let [b'"', rest @ ..] = rest else { return None };
    let end = rest.iter().position(|&byte| byte == b'"')?;
    Some((rest.get(..end)?, rest.get(end + 1..)?))
}

/// A string, or a whole number short enough not to overflow, and what follows it.
fn value(rest: &[u8]) -> Option<(Value<'_>, &[u8])> {
    if let Some((text, rest)) = text(rest) {
        return Some((Value::Text(text), rest));
    }
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, rest) = rest.split_at(digits);
    let is_plain = (1..=18).contains(&digits) && (digits == 1 || number.first() != Some(&b'0'));
    let number = number.iter().fold(0_u64, |sum, digit| sum.wrapping_mul(10).wrapping_add(u64::from(digit - b'0')));
    is_plain.then_some((Value::Number(number), rest))
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
            r#"{"ev":"end","origin":1}"#,
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
