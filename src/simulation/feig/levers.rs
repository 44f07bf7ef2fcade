//! The levers as lines.

/// What a person does to the readers.
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
    /// The readers answer nothing, or do again.
    Mute(bool),
    /// Replies come that much later, milliseconds.
    Slow(u64),
    /// Of a thousand bytes sent so many are damaged.
    Noise(u32),
    /// Every reply comes twice, or once.
    Duplicate(bool),
    /// Their power goes and comes.
    Restart,
    /// A tag that was read stays silent until the field is reset, or does not.
    Ont(bool),
    /// The readers watch by themselves and keep records, or wait to be asked.
    Buffered(bool),
    /// Every request but the first question is answered with this status.
    Status(Option<u8>),
    /// They read ISO 15693 tags, or others.
    Iso(bool),
    /// A keep-alive is sent unasked.
    Alive,
    /// The cable is pulled.
    Unplug,
    /// The cable is put back.
    Plug,
}

/// A line that names no lever.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no lever; there are: put UID [reader N] [antenna N] [value N], take UID, take all, mute, unmute, slow MS, \
     noise PER_MILLE, duplicate on|off, restart, ont on|off, buffered on|off, status HEX|off, iso on|off, alive, unplug, plug"
)]
pub struct BadLever(String);

/// Reads a line; blank ones and those from # on are none.
pub(super) fn parse(text: &str) -> Result<Option<Lever>, BadLever> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.first() {
        None => Ok(None),
        Some(word) if word.starts_with('#') => Ok(None),
        Some(_) => lever(&words).map(Some).ok_or_else(|| BadLever(text.trim().to_owned())),
    }
}

fn lever(words: &[&str]) -> Option<Lever> {
    let on = |word: &str| match word {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    };
    Some(match *words {
        ["put", id, ref rest @ ..] => put(uid(id)?, rest)?,
        ["take", "all"] => Lever::Take(None),
        ["take", id] => Lever::Take(Some(uid(id)?)),
        ["mute"] => Lever::Mute(true),
        ["unmute"] => Lever::Mute(false),
        ["slow", ms] => Lever::Slow(ms.parse().ok()?),
        ["noise", per_mille] => Lever::Noise(per_mille.parse().ok().filter(|&n| n <= 1000)?),
        ["duplicate", word] => Lever::Duplicate(on(word)?),
        ["restart"] => Lever::Restart,
        ["ont", word] => Lever::Ont(on(word)?),
        ["buffered", word] => Lever::Buffered(on(word)?),
        ["status", "off"] => Lever::Status(None),
        ["status", code] => Lever::Status(Some(u8::from_str_radix(code, 16).ok()?)),
        ["iso", word] => Lever::Iso(on(word)?),
        ["alive"] => Lever::Alive,
        ["unplug"] => Lever::Unplug,
        ["plug"] => Lever::Plug,
        _ => return None,
    })
}

fn uid(text: &str) -> Option<u64> {
    u64::from_str_radix(text, 16).ok().filter(|_| text.len() == 16)
}

fn put(uid: u64, rest: &[&str]) -> Option<Lever> {
    let (mut reader, mut antenna, mut value) = (0, 1, 0);
    for pair in rest.chunks(2) {
        match *pair {
            ["reader", n] => reader = n.parse().ok()?,
            ["antenna", n] => antenna = n.parse().ok()?,
            ["value", n] => value = n.parse().ok()?,
            _ => return None,
        }
    }
    Some(Lever::Put { uid, reader, antenna, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_levers() {
        let put = Lever::Put { uid: 0xE004_0100_1234_5678, reader: 2, antenna: 3, value: 5000 };
        assert_eq!(parse("put E004010012345678 reader 2 antenna 3 value 5000"), Ok(Some(put)));
        assert_eq!(parse(" take all "), Ok(Some(Lever::Take(None))));
        assert_eq!(parse("status 83"), Ok(Some(Lever::Status(Some(0x83)))));
        assert_eq!((parse(""), parse("# rest")), (Ok(None), Ok(None)));
        for bad in ["put E0", "put E004010012345678 reader", "ont maybe", "noise 1001", "status XYZ", "jump"] {
            assert_eq!(parse(bad), Err(BadLever(bad.to_owned())), "{bad}");
        }
    }
}
