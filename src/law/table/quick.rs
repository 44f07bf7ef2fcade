//! A quick reading of the lines a log is mostly made of: an object of plain strings and whole numbers, its fields in
//! any order. What no event has, as a record adds it, is passed over, lists and objects too. It reads less than JSON
//! and never judges: whatever else a line holds (an escape, a space, a fraction, a field of another event, a value that
//! does not parse) it gives up on, and serde_json reads the line or says what is wrong with it. Where it does read a
//! line, it reads the very same event.

use alloc::vec::Vec;
use core::str::FromStr;

use super::event::{Announcement, Chip, Event};
use super::{BetSpot, Cents, MOST_CENTS, Place};

/// How many lists and objects may lie in each other: in a record's answers there are four.
const DEEPEST: u8 = 8;

/// The fields of the events read here.
macro_rules! keys {
    ($($key:ident $word:literal,)+) => {
        #[derive(Debug, Clone, Copy)]
        enum Key { $($key,)+ }

        const KEYS: usize = [$(Key::$key),+].len();

        impl Key {
            /// By its name, which is shorter than eight bytes.
            #[allow(non_upper_case_globals)]
            const fn of(name: u64) -> Option<Self> {
                $(const $key: u64 = packed($word);)+
                Some(match name { $($key => Self::$key,)+ _ => return None })
            }
        }

        const _: () = { $(assert!($word.len() < 8, "told by fewer than eight bytes");)+ };
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
    Chips "chips",
    Device "device",
    Status "status",
    Detail "detail",
}

/// A value as it stands in the line.
#[derive(Debug, Clone, Copy)]
enum Value<'a> {
    Text(&'a str),
    Number(u64),
    /// A list or an object, as it is written.
    Nested(&'a str),
    /// A number below 0, which no field of an event holds.
    Below0,
}

/// The fields of a line; each is to be asked for.
struct Fields<'a> {
    /// By [`Key`].
    all: [Option<Value<'a>>; KEYS],
    /// How many nobody has asked for.
    left: usize,
}

/// The first eight bytes of a name as one number, by which names are told apart; fewer where it is shorter.
pub(super) const fn packed(name: &str) -> u64 {
    let (name, mut packed, mut n) = (name.as_bytes(), 0, 0);
    while n < name.len() && n < 8 {
        packed |= (name[n] as u64) << (8 * n);
        n += 1;
    }
    packed
}

/// Reads an event and its time, or gives up. `is_field` tells whether an event may have a field whose name begins so.
pub(super) fn timed(line: &[u8], is_field: impl Fn(u64) -> bool) -> Option<(Event, Option<u64>)> {
    let mut fields = Fields::of(line, is_field)?;
    let t = match fields.ask(Key::T) {
        None => None,
        Some(Value::Number(t)) => Some(t),
        Some(_) => return None,
    };
    let event = fields.event(t)?;
    // a field nobody asked for may be malformed
    if fields.left > 0 {
        return None;
    }
    Some((event, t))
}

impl<'a> Fields<'a> {
    fn of(line: &'a [u8], is_field: impl Fn(u64) -> bool) -> Option<Self> {
        // nothing escaped throughout; looked at whole, not up to the first that is, as that is many bytes at a time
        let plain = |byte: u8| (byte >= b' ') & (byte != b'\\');
        if !line.iter().fold(true, |all, &byte| all & plain(byte)) {
            return None;
        }
        let mut fields = Self { all: [None; KEYS], left: 0 };
        let mut rest = Rest { line: core::str::from_utf8(line).ok()?, at: 0 };
        rest.takes(b'{')?;
        loop {
            rest.takes(b'"')?;
            let key = rest.name()?;
            rest.takes(b':')?;
            let value = rest.value()?;
            match Key::of(key) {
                Some(key) => {
                    let is_given_twice = fields.all[key as usize].replace(value).is_some();
                    if is_given_twice {
                        return None;
                    }
                    fields.left += 1;
                }
                None if is_field(key) => return None,
                // what no event has is passed over
                None => {}
            }
            if rest.takes(b',').is_none() {
                rest.takes(b'}')?;
                return (rest.at == line.len()).then_some(fields);
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

    fn chips(&mut self) -> Option<Vec<Chip>> {
        match self.ask(Key::Chips) {
            None => Some(Vec::new()),
            Some(Value::Nested(list)) => Rest { line: list, at: 0 }.chips(),
            Some(_) => None,
        }
    }

    #[rustfmt::skip]
    fn event(&mut self, t: Option<u64>) -> Option<Event> {
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
                player: self.may(Key::Player)?, chips: self.chips()?,
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
            "device" => Event::Device {
                device: self.word(Key::Device)?, status: self.word(Key::Status)?, detail: self.may(Key::Detail)?,
                complete: false,
            },
            "request" => Event::Request { hand: self.word(Key::Box)?, player: self.word(Key::Player)?, t },
            "close_bets" => Event::CloseBets {},
            "end" => Event::End {},
            _ => return None,
        })
    }
}

/// What of a line is still to be read; it is known to hold no escapes.
struct Rest<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Rest<'a> {
    fn next(&mut self) -> Option<u8> {
        let byte = self.line.as_bytes().get(self.at)?;
        self.at += 1;
        Some(*byte)
    }

    /// That byte, where it is next.
    fn takes(&mut self, byte: u8) -> Option<()> {
        let is_it = self.line.as_bytes().get(self.at) == Some(&byte);
        self.at += usize::from(is_it);
        is_it.then_some(())
    }

    /// All of these.
    fn all(&mut self, bytes: &[u8]) -> Option<()> {
        bytes.iter().try_for_each(|byte| self.takes(*byte))
    }

    /// The name of a field, which has begun: its first bytes.
    fn name(&mut self) -> Option<u64> {
        if let Some(word) = self.line.as_bytes().get(self.at..)?.first_chunk() {
            let word = u64::from_le_bytes(*word);
            let quote = quotes(word).trailing_zeros();
            if quote < 64 {
                self.at += quote as usize / 8 + 1;
                return Some(word & ((1 << (quote / 8 * 8)) - 1));
            }
        }
        self.text().map(packed)
    }

    /// A string, which has begun.
    fn text(&mut self) -> Option<&'a str> {
        let end = self.at + to_quote(self.line.as_bytes().get(self.at..)?)?;
        let text = self.line.get(self.at..end)?;
        self.at = end + 1;
        Some(text)
    }

    fn value(&mut self) -> Option<Value<'a>> {
        let from = self.at;
        match self.next()? {
            b'"' => self.text().map(Value::Text),
            b'-' => self.below_0().map(|()| Value::Below0),
            open @ (b'[' | b'{') => {
                self.members(open, DEEPEST)?;
                self.line.get(from..self.at).map(Value::Nested)
            }
            first => self.number(first).map(Value::Number),
        }
    }

    /// The members of a list or an object, which has begun, so deep at the most.
    fn members(&mut self, open: u8, depth: u8) -> Option<()> {
        let (close, depth) = (if open == b'{' { b'}' } else { b']' }, depth.checked_sub(1)?);
        if self.takes(close).is_some() {
            return Some(());
        }
        loop {
            if open == b'{' {
                self.takes(b'"')?;
                self.text()?;
                self.takes(b':')?;
            }
            match self.next()? {
                b'"' => self.text().map(|_| ())?,
                b'-' => self.below_0()?,
                open @ (b'[' | b'{') => self.members(open, depth)?,
                first => self.number(first).map(|_| ())?,
            }
            if self.takes(b',').is_none() {
                return self.takes(close);
            }
        }
    }

    /// Chips as the station writes them.
    fn chips(&mut self) -> Option<Vec<Chip>> {
        let mut chips = Vec::new();
        self.takes(b'[')?;
        loop {
            self.all(br#"{"id":""#)?;
            let id = self.text()?.into();
            self.all(br#","value":"#)?;
            let first = self.next()?;
            let value = self.number(first).filter(|value| *value <= MOST_CENTS)?;
            self.takes(b'}')?;
            chips.push(Chip { id, value });
            if self.takes(b',').is_none() {
                return self.takes(b']').map(|()| chips);
            }
        }
    }

    /// The digits of a number below 0.
    fn below_0(&mut self) -> Option<()> {
        let first = self.next()?;
        self.number(first).map(|_| ())
    }

    /// A whole number that begins with this digit, short enough not to overflow.
    fn number(&mut self, first: u8) -> Option<u64> {
        let digit = |byte: u8| byte.is_ascii_digit().then(|| u64::from(byte - b'0'));
        let (mut number, mut digits) = (digit(first)?, 1);
        while let Some(next) = self.line.as_bytes().get(self.at).copied().and_then(digit) {
            number = number.wrapping_mul(10).wrapping_add(next);
            digits += 1;
            self.at += 1;
        }
        (digits == 1 || (digits <= 18 && first != b'0')).then_some(number)
    }
}

/// How many bytes stand before the next quotation mark: eight are looked at together.
fn to_quote(rest: &[u8]) -> Option<usize> {
    let (words, last) = rest.as_chunks();
    for (n, word) in words.iter().enumerate() {
        let quotes = quotes(u64::from_le_bytes(*word));
        if quotes != 0 {
            return Some(8 * n + quotes.trailing_zeros() as usize / 8);
        }
    }
    Some(8 * words.len() + last.iter().position(|&byte| byte == b'"')?)
}

/// The highest bit of each byte that is a quotation mark, up to the first of them.
const fn quotes(word: u64) -> u64 {
    const EACH: u64 = u64::from_ne_bytes([1; 8]);
    // a byte is 0 where the mark stands; what is borrowed from there on makes higher bytes uncertain
    let differs = word ^ (EACH * b'"' as u64);
    differs.wrapping_sub(EACH) & !differs & (EACH << 7)
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::super::line::{may_be_field, timed, timed_by_serde};

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
        r#"{"ev":"request","box":"3","player":"Peña","t":7}"#,
        r#"{"ev":"device","device":"keypad","status":"bettor","detail":"1 P2","t":7}"#,
        r#"{"ev":"bet","box":"1","amount":3,"chips":[{"id":"E0","value":1},{"id":"E1","value":2}]}"#,
        r#"{"ev":"end","answers":[{"n":1,"remedy":[],"text":"pagó"},{}],"seal":{"opens":[[9,"3H"]]}}"#,
        r#"{"ev":"draw","card":"5C","to":"2","t":38,"origin":["S-1",7,2],"seen":-3,"seen_within":12,"chain":"0af"}"#,
    ];

    #[test]
    fn the_lines_of_a_log_are_read_quickly_and_as_serde_reads_them() {
        for line in LINES {
            assert_eq!(super::timed(line.as_bytes(), may_be_field), timed_by_serde(line.as_bytes()).ok(), "{line}");
        }
    }

    #[test]
    fn a_line_damaged_anywhere_is_given_up_on_or_read_as_serde_reads_it() {
        let pieces: &[&str] = &[
            "", "0", "9", "\"", "\\", ",", "}", "{", "[", "]", ":", " ", "\u{e9}", "\n", ".5", "-", ",\"t\":1", "null",
        ];
        for line in LINES.iter().map(|line| line.as_bytes()) {
            for from in 0..=line.len() {
                for cut in 0..=(line.len() - from).min(3) {
                    for piece in pieces {
                        let damaged = [&line[..from], piece.as_bytes(), &line[from + cut..]].concat();
                        let (by_serde, shown) = (timed_by_serde(&damaged), String::from_utf8_lossy(&damaged));
                        if let Some(read) = super::timed(&damaged, may_be_field) {
                            assert_eq!(Ok(&read), by_serde.as_ref(), "{shown}");
                        }
                        assert_eq!(timed(&damaged), by_serde, "{shown}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_it_does_not_know_is_left_to_serde() {
        for line in [
            r#"{"ev":"draw","card":"8H","card":"8H"}"#,
            r#"{"ev":"end","origin":[[[[[[[[[7]]]]]]]]]}"#,
            r#"{"ev":"device","device":"shoe","status":"online","complete":true}"#,
            r#"{"ev":"bet","box":"1","amount":3,"chips":[{"value":1,"id":"E0"}]}"#,
            r#"{"ev":"end","amount":1}"#,
            r#"{"ev":"end","line":1}"#,
            r#"{"ev":"ask","box":"3","about":"insurance","card":"1X"}"#,
            r#"{"ev":"pay","box":"2","amount":007}"#,
            r#"{"ev":"pay","box":"2","amount":1000000000000001}"#,
            r#"{"ev":"move","from":"1","to":"burn","cards":2}"#,
            r#"{"ev":"seat","seat":1,"player":"P1"}"#,
            r#"{"ev":"bet","box":"1","amount":1,"player":"Pe\u00f1a"}"#,
        ] {
            assert!(super::timed(line.as_bytes(), may_be_field).is_none(), "{line}");
        }
    }
}
