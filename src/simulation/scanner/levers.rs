//! The levers as lines.

/// What a person does to the scanner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lever {
    /// A card with this symbol passes.
    Scan(String),
    /// A card passes that it cannot read.
    NoRead,
    /// Every card is seen twice, or once.
    Duplicate(bool),
    /// Its host starts every scan (SSI), or it scans by itself.
    ByHost(bool),
    /// It hears nothing of what its host sends, or does again.
    Deaf(bool),
    /// It sends nothing, or does again.
    Mute(bool),
    /// What it sends comes that much later, milliseconds.
    Slow(u64),
    /// Of a thousand bytes sent so many are damaged.
    Noise(u32),
    /// Its power goes and comes.
    Restart,
    /// The cable is pulled.
    Unplug,
    /// The cable is put back.
    Plug,
}

/// A line that names no lever. What it said may be the symbol of a card, and is not repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "no lever; there are: scan SYMBOL, noread, duplicate on|off, trigger host|self, deaf on|off, mute, unmute, slow MS, noise PER_MILLE, \
     restart, unplug, plug"
)]
pub struct BadLever;

/// Reads a line; blank ones and those from # on are none.
pub(super) fn parse(text: &str) -> Result<Option<Lever>, BadLever> {
    let text = text.trim();
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    // a symbol may hold spaces
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let lever = match (word, rest.trim()) {
        ("scan", symbol) if !symbol.is_empty() => Lever::Scan(symbol.to_owned()),
        ("noread", "") => Lever::NoRead,
        ("duplicate", "on") => Lever::Duplicate(true),
        ("duplicate", "off") => Lever::Duplicate(false),
        ("deaf", "on") => Lever::Deaf(true),
        ("deaf", "off") => Lever::Deaf(false),
        ("trigger", "host") => Lever::ByHost(true),
        ("trigger", "self") => Lever::ByHost(false),
        ("mute", "") => Lever::Mute(true),
        ("unmute", "") => Lever::Mute(false),
        ("slow", ms) => Lever::Slow(ms.parse().map_err(|_| BadLever)?),
        ("noise", rate) => Lever::Noise(rate.parse().ok().filter(|&rate| rate <= 1000).ok_or(BadLever)?),
        ("restart", "") => Lever::Restart,
        ("unplug", "") => Lever::Unplug,
        ("plug", "") => Lever::Plug,
        _ => return Err(BadLever),
    };
    Ok(Some(lever))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_levers() {
        assert_eq!(parse(" scan A S-17 "), Ok(Some(Lever::Scan("A S-17".to_owned()))));
        assert_eq!(parse("trigger host"), Ok(Some(Lever::ByHost(true))));
        assert_eq!(parse("noise 1000"), Ok(Some(Lever::Noise(1000))));
        assert_eq!((parse(""), parse("# rest")), (Ok(None), Ok(None)));
        for bad in ["scan", "noread now", "duplicate maybe", "noise 1001", "slow", "jump"] {
            assert_eq!(parse(bad), Err(BadLever), "{bad}");
        }
    }
}
