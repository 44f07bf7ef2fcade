//! The levers of a card scanner.

use crate::levers::{self, TwinLever, entry, on_off};

/// What a person does to the scanner itself.
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
}

type Entry = levers::Lever<TwinLever<Lever>>;

/// All of them.
pub const LEVERS: &[Entry] = &[
    // a symbol may hold spaces
    entry("scan SYMBOL", "a card with that symbol passes", |symbol| {
        (!symbol.is_empty()).then(|| TwinLever::Device(Lever::Scan(symbol.to_owned())))
    }),
    entry("noread", "a card passes that it cannot read", |rest| {
        rest.is_empty().then_some(TwinLever::Device(Lever::NoRead))
    }),
    entry("duplicate on|off", "every card is seen twice", |word| {
        Some(TwinLever::Device(Lever::Duplicate(on_off(word)?)))
    }),
    entry("trigger host|self", "who starts a scan (ssi)", |word| match word {
        "host" => Some(TwinLever::Device(Lever::ByHost(true))),
        "self" => Some(TwinLever::Device(Lever::ByHost(false))),
        _ => None,
    }),
    entry("deaf on|off", "it hears nothing of its host", |word| Some(TwinLever::Device(Lever::Deaf(on_off(word)?)))),
    Entry::MUTE,
    Entry::UNMUTE,
    Entry::SLOW,
    Entry::NOISE_PER_MILLE,
    Entry::RESTART,
    Entry::UNPLUG,
    Entry::PLUG,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levers::{LineLever, each_line, read};
    use sabot_drivers::transport::Faults;

    #[test]
    fn lines_are_levers() {
        assert_eq!(read(LEVERS, "scan A S-17"), Ok(TwinLever::Device(Lever::Scan("A S-17".to_owned()))));
        assert_eq!(read(LEVERS, "trigger host"), Ok(TwinLever::Device(Lever::ByHost(true))));
        let noise = LineLever::Noise(Faults { flip: 1_000_000, ..Faults::NONE }, None);
        assert_eq!(read(LEVERS, "noise 1000"), Ok(TwinLever::Line(noise)));
        for bad in ["scan", "noread now", "duplicate maybe", "noise 1001", "slow", "jump"] {
            let why = read(LEVERS, bad).unwrap_err().to_string();
            assert!(why.contains("deaf on|off, mute, unmute") && !why.contains(&format!("`{bad}`")), "{bad}: {why}");
        }
    }

    #[test]
    fn blank_lines_and_remarks_are_passed_over_and_wrong_ones_told_by_number() {
        let (mut pulled, mut wrong) = (Vec::new(), Vec::new());
        let pull = |line: &str| read(LEVERS, line).map(|lever| pulled.push(lever));
        each_line(&b"# rest\n\n noread \nscan\nplug\n"[..], pull, |line, _| wrong.push(line)).unwrap();
        assert_eq!(pulled, [TwinLever::Device(Lever::NoRead), TwinLever::Line(LineLever::Plug)]);
        assert_eq!(wrong, [4]);
    }
}
