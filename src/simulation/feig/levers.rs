//! The levers of FEIG readers.

use crate::levers::{self, TwinLever, entry, on_off};

/// What a person does to the readers themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lever {
    /// A chip is laid down.
    Put {
        /// Its tag.
        uid: u64,
        /// Over which reader, from 0.
        reader: u8,
        /// Over which antenna of it, from 1.
        antenna: u8,
        /// What is written in its tag.
        value: u32,
    },
    /// A chip is taken away; none: all.
    Take(Option<u64>),
    /// A tag that was read stays silent until the field is reset, or does not.
    Ont(bool),
    /// The readers watch by themselves and keep records, or wait to be asked.
    Buffered(bool),
    /// Every request but the first question is answered with this status.
    Status(Option<u8>),
    /// They read ISO 15693 tags, or others.
    Iso(bool),
    /// A byte of a page of the configuration.
    Cfg {
        /// The page, 0 to 63.
        page: u8,
        /// Which byte of it, from 0.
        at: u8,
        /// What stands there from now on.
        byte: u8,
    },
    /// Of a thousand times that a tag is to be read, it is missed so often.
    Miss(u32),
    /// For each tag over one antenna beyond twenty, every tag there is missed so often more, of a thousand times.
    Stack(u32),
    /// A hand lies on the spots of a reader, or on none: nine of ten tags are missed there.
    Hand(Option<u8>),
    /// Tags answer at the high data rate, or at the low one.
    HighRate(bool),
    /// A keep-alive is sent unasked.
    Alive,
}

type Entry = levers::Lever<TwinLever<Lever>>;

/// All of them.
pub const LEVERS: &[Entry] = &[
    entry("put UID [reader N] [antenna N] [value N]", "a chip is laid down; again: it has another value", put),
    entry("take UID", "a chip is taken away", |id| device(Lever::Take(Some(uid(id)?)))),
    entry("take all", "all chips are", |word| device((word == "all").then_some(Lever::Take(None))?)),
    Entry::MUTE,
    Entry::UNMUTE,
    Entry::SLOW,
    Entry::NOISE_PER_MILLE,
    Entry::DUPLICATE,
    Entry::RESTART,
    entry("ont on|off", "a tag that was read stays silent until the field is reset", |word| {
        device(Lever::Ont(on_off(word)?))
    }),
    entry("buffered on|off", "the readers watch by themselves and keep records", |word| {
        device(Lever::Buffered(on_off(word)?))
    }),
    entry("status HEX|off", "every request but the first question is answered with this status", status),
    entry("iso on|off", "they read ISO 15693 tags, or others", |word| device(Lever::Iso(on_off(word)?))),
    entry("cfg PAGE BYTE HEX", "a byte of a page of the configuration (0 to 63, 0 to 13)", cfg),
    entry("miss PER_MILLE", "a tag is missed so often (at the start 30)", |rate| device(Lever::Miss(per_mille(rate)?))),
    entry("stack PER_MILLE", "so much more often for each tag there beyond twenty (at the start 1)", |rate| {
        device(Lever::Stack(per_mille(rate)?))
    }),
    entry("hand READER|off", "a hand lies there: nine of ten tags are missed", |word| {
        device(Lever::Hand(if word == "off" { None } else { Some(word.parse().ok()?) }))
    }),
    entry("rate high|low", "the data rate of the tags (at the start high)", rate),
    entry("alive", "a keep-alive is sent unasked", |rest| device(rest.is_empty().then_some(Lever::Alive)?)),
    Entry::UNPLUG,
    Entry::PLUG,
];

#[expect(clippy::unnecessary_wraps, reason = "what the table's functions give")]
const fn device(lever: Lever) -> Option<TwinLever<Lever>> {
    Some(TwinLever::Device(lever))
}

fn uid(text: &str) -> Option<u64> {
    u64::from_str_radix(text, 16).ok().filter(|_| text.len() == 16)
}

fn status(text: &str) -> Option<TwinLever<Lever>> {
    let status = if text == "off" { None } else { Some(u8::from_str_radix(text, 16).ok()?) };
    device(Lever::Status(status))
}

fn per_mille(text: &str) -> Option<u32> {
    text.parse().ok().filter(|rate| *rate <= 1000)
}

fn rate(word: &str) -> Option<TwinLever<Lever>> {
    device(Lever::HighRate(match word {
        "high" => true,
        "low" => false,
        _ => return None,
    }))
}

fn cfg(text: &str) -> Option<TwinLever<Lever>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [page, at, byte] = words.as_slice() else { return None };
    let (page, at) = (page.parse().ok().filter(|page| *page < 64)?, at.parse().ok().filter(|at| *at < 14)?);
    device(Lever::Cfg { page, at, byte: u8::from_str_radix(byte, 16).ok()? })
}

fn put(text: &str) -> Option<TwinLever<Lever>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (id, rest) = words.split_first()?;
    let (mut reader, mut antenna, mut value) = (0, 1, 0);
    for pair in rest.chunks(2) {
        match *pair {
            ["reader", n] => reader = n.parse().ok()?,
            ["antenna", n] => antenna = n.parse().ok()?,
            ["value", n] => value = n.parse().ok()?,
            _ => return None,
        }
    }
    device(Lever::Put { uid: uid(id)?, reader, antenna, value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levers::read;

    #[test]
    fn lines_are_levers() {
        let own = |line| match read(LEVERS, line) {
            Ok(TwinLever::Device(lever)) => Some(lever),
            _ => None,
        };
        let put = Lever::Put { uid: 0xE004_0100_1234_5678, reader: 2, antenna: 3, value: 5000 };
        assert_eq!(own("put E004010012345678 reader 2 antenna 3 value 5000"), Some(put));
        assert_eq!(own("take  all"), Some(Lever::Take(None)));
        assert_eq!(own("take E004010012345678"), Some(Lever::Take(Some(0xE004_0100_1234_5678))));
        assert_eq!(own("status 83"), Some(Lever::Status(Some(0x83))));
        assert_eq!(own("cfg 12 1 0A"), Some(Lever::Cfg { page: 12, at: 1, byte: 0x0A }));
        assert_eq!(own("hand 3"), Some(Lever::Hand(Some(3))));
        assert_eq!((own("hand off"), own("miss 30")), (Some(Lever::Hand(None)), Some(Lever::Miss(30))));
        for bad in [
            "cfg 64 0 00",
            "cfg 1 14 00",
            "miss 1001",
            "rate",
            "put E0",
            "put E004010012345678 reader",
            "ont maybe",
            "noise 1001",
            "status XYZ",
            "jump",
        ] {
            let why = read(LEVERS, bad).unwrap_err().to_string();
            assert!(why.contains("take UID, take all, mute"), "{bad}: {why}");
        }
    }
}
