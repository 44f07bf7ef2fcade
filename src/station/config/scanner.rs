//! The keys of a card scanner in a table's configuration, `driver = "scanner"`, and the table of symbols it names.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use sabot_drivers::LinkConfig;
use sabot_drivers::scanner::{
    DEFAULT_BAUD, DEFAULT_DUPLICATE_MS, DEFAULT_DUPLICATE_UNIQUE_MS, NO_READ_LINES, NO_READ_SSI, Protocol,
    ScannerConfig, Setup, Symbols,
};
use sabot_wire::message::ShoeSaw;
use serde::Deserialize;
use toml::Spanned;

use super::key_examples::{CARDS, TABLE, example};
use super::mistake::{ConfigError, Fault, FileKind, NotConfigured, SourceFile, utf8};
use sabot_law::table::Card;
use sabot_law::table::card::DECK;

/// The longest time for which a symbol may be that of the card before, milliseconds.
const MAX_DUPLICATE_MS: u64 = 60_000;

/// What only a scanner has.
pub(super) struct RawScanner {
    pub(super) protocol: Option<Spanned<RawProtocol>>,
    pub(super) cards: Option<Spanned<PathBuf>>,
    pub(super) duplicate_ms: Option<Spanned<u64>>,
    pub(super) no_read: Option<Spanned<String>>,
    pub(super) ack: Option<Spanned<bool>>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum RawProtocol {
    Lines,
    Ssi,
}

impl RawScanner {
    /// The first key that stands here, for a device that has none of them.
    pub(super) fn stray(&self) -> Option<Fault> {
        let spans = [
            self.protocol.as_ref().map(|key| ("protocol", key.span())),
            self.cards.as_ref().map(|key| ("cards", key.span())),
            self.duplicate_ms.as_ref().map(|key| ("duplicate_ms", key.span())),
            self.no_read.as_ref().map(|key| ("no_read", key.span())),
            self.ack.as_ref().map(|key| ("ack", key.span())),
        ];
        let (key, span) = spans.into_iter().flatten().next()?;
        let what = format!("`{key}` is for a device with driver = \"scanner\"");
        Some(Fault::at(span, what, "remove it, or name the driver"))
    }
}

/// The scanner of a device that is otherwise described; `device` is where it stands in the file.
pub(super) fn scanner(
    raw: &RawScanner,
    link: &LinkConfig,
    baud: Option<u32>,
    folder: &Path,
    device: Range<usize>,
) -> Result<ScannerConfig, NotConfigured> {
    let Some(protocol) = &raw.protocol else {
        let instead = example(TABLE, "protocol").replacen("write", "add", 1);
        return Err(Fault::at(device, "nothing says what the scanner speaks", instead).into());
    };
    let Some(cards) = &raw.cards else {
        let instead = example(TABLE, "cards").replacen("write", "add", 1) + "; docs/cards.toml is one to copy";
        return Err(Fault::at(device, "nothing says what the symbols on the cards mean", instead).into());
    };
    let protocol = match (protocol.get_ref(), &raw.ack) {
        (RawProtocol::Ssi, Some(ack)) => {
            let what = "`ack` is for lines: what speaks ssi is always answered";
            return Err(Fault::at(ack.span(), what, "remove it").into());
        }
        (RawProtocol::Ssi, None) => Protocol::Ssi,
        (RawProtocol::Lines, _) if link.serial.is_some() => {
            let what = "a scanner that sends lines cannot say which one it is";
            return Err(Fault::at(device, what, "remove `serial`").into());
        }
        (RawProtocol::Lines, ack) => Protocol::Lines { ack: ack.as_ref().is_some_and(|ack| *ack.get_ref()) },
    };
    if link.port.to_string_lossy().contains("tcp:") {
        return Err(Fault::at(device, "a scanner is on a serial port", example(TABLE, "port")).into());
    }
    let symbols = load(&folder.join(cards.get_ref())).map_err(|error| NotConfigured::unread(error, cards.span()))?;
    let duplicate_ms = match &raw.duplicate_ms {
        Some(ms) if *ms.get_ref() > MAX_DUPLICATE_MS => {
            let what = format!("`duplicate_ms` is 0 to {MAX_DUPLICATE_MS} milliseconds");
            return Err(Fault::at(ms.span(), what, example(TABLE, "duplicate_ms")).into());
        }
        Some(ms) => *ms.get_ref(),
        None if symbols.unique() => DEFAULT_DUPLICATE_UNIQUE_MS,
        None => DEFAULT_DUPLICATE_MS,
    };
    let no_read = match &raw.no_read {
        Some(text) if symbols.meaning(text.get_ref().as_bytes()).is_some() => {
            let what = "the text for a card that could not be read is a symbol of the cards' table";
            return Err(Fault::at(text.span(), what, example(TABLE, "no_read")).into());
        }
        Some(text) => text.get_ref().as_str(),
        None if protocol == Protocol::Ssi => NO_READ_SSI,
        None => NO_READ_LINES,
    };
    let no_read = Some(no_read.to_owned()).filter(|text| !text.is_empty());
    let setup =
        Setup { protocol, symbols: symbols.into(), duplicate_ms, no_read, serial: link.serial.clone(), last: None };
    Ok(ScannerConfig { port: link.port.clone(), baud: baud.unwrap_or(DEFAULT_BAUD), setup })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCards {
    #[serde(default)]
    unique: bool,
    cut: Option<Spanned<String>>,
    empty: Option<Spanned<String>>,
    cards: Spanned<BTreeMap<Spanned<String>, Spanned<String>>>,
    #[serde(default)]
    load: BTreeMap<Spanned<String>, RawLoad>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLoad {
    cards: u16,
    cut_card: u16,
}

/// Reads a table of symbols.
fn load(path: &Path) -> Result<Symbols, ConfigError> {
    let bytes = std::fs::read(path).map_err(|why| ConfigError::ReadCards { path: path.to_path_buf(), why })?;
    let text = utf8(path, &bytes)?;
    let file = SourceFile { path, text, kind: FileKind::Cards };
    let raw = toml::from_str::<RawCards>(text).map_err(|error| file.mistake(file.from_toml(&error)))?;
    symbols(&raw).map_err(|fault| file.mistake(fault))
}

fn symbols(raw: &RawCards) -> Result<Symbols, Fault> {
    let mut symbols = Symbols::new(raw.unique);
    let mut counts = [0_u32; DECK];
    let mut add = |symbol: &Spanned<String>, means| {
        let bad = |bad: sabot_drivers::scanner::BadSymbol| {
            Fault::at(symbol.span(), bad.to_string(), "write each symbol as the scanner sends it, once")
        };
        symbols.add(symbol.get_ref(), means).map_err(bad)
    };
    for (symbol, card) in raw.cards.get_ref() {
        let known = card.get_ref().parse::<Card>().unwrap_or(Card::UNREAD);
        let Some(count) = known.index().and_then(|index| counts.get_mut(index)) else {
            let what = format!("`{}` is no card", card.get_ref());
            let instead = "write rank and suit: A 2 3 4 5 6 7 8 9 T J Q K, and S H D C, as in \"TH\"";
            return Err(Fault::at(card.span(), what, instead));
        };
        *count += 1;
        add(symbol, ShoeSaw::Drawn(known))?;
    }
    for (symbol, means) in [(&raw.cut, ShoeSaw::CutCard), (&raw.empty, ShoeSaw::Empty)] {
        symbol.as_ref().map_or(Ok(()), |symbol| add(symbol, means))?;
    }
    for (symbol, &RawLoad { cards, cut_card }) in &raw.load {
        if cards == 0 || cut_card >= cards {
            let what = format!("{cut_card} of {cards} cards behind the cut card");
            return Err(Fault::at(symbol.span(), what, example(CARDS, "load")));
        }
        add(symbol, ShoeSaw::Loaded { cards, cut_card })?;
    }
    let names = |few: &dyn Fn(u32) -> bool| {
        let cards = (0..).zip(counts).filter(|(_, count)| few(*count)).filter_map(|(n, _)| Card::from_index(n));
        cards.map(|card| card.to_string()).collect::<Vec<_>>().join(", ")
    };
    let head = raw.cards.span();
    let missing = names(&|count| count == 0);
    if !missing.is_empty() {
        let what = format!("cards without a symbol: {missing}");
        return Err(Fault::at(head, what, "add a line for each: \"SYMBOL\" = \"AS\""));
    }
    let decks = counts.into_iter().max().unwrap_or(0);
    let fewer = names(&|count| count < decks);
    if raw.unique && !fewer.is_empty() {
        let what = format!("cards with fewer symbols than the {decks} that others have: {fewer}");
        return Err(Fault::at(head, what, "give every card of every deck a symbol, or write `unique = false`"));
    }
    if raw.unique && raw.load.is_empty() {
        let what =
            "where symbols are unique the table must have one for a shoe that is loaded: all may pass again then";
        return Err(Fault::at(head, what, example(CARDS, "load")));
    }
    Ok(symbols)
}

#[cfg(test)]
#[path = "scanner_tests.rs"]
mod tests;
