//! What the symbols printed on cards mean: a table that the house makes.

use std::collections::HashMap;
use std::fmt;

use sabot_wire::message::{Card, ShoeSaw};

/// The longest text of a symbol, bytes.
pub const MAX_SYMBOL: usize = 64;
/// Most symbols of a table: ten decks of cards that each have their own, and what else is scanned.
const MAX_SYMBOLS: usize = 600;

/// A text that cannot be a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadSymbol {
    /// It is empty or too long.
    #[error("a symbol has 1 to {MAX_SYMBOL} characters")]
    Length,
    /// It has letters that scanners do not send as they are.
    #[error("a symbol is of plain letters, digits and signs, without a space at either end")]
    Letters,
    /// It stands there already.
    #[error("this symbol stands in the table twice")]
    Twice,
    /// There are too many.
    #[error("a table has at most {MAX_SYMBOLS} symbols")]
    TooMany,
}

/// Symbols and what each says when it passes.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Symbols {
    means: HashMap<Box<str>, ShoeSaw>,
    unique: bool,
}

/// What the cards' symbols are is in no log.
impl fmt::Debug for Symbols {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Symbols({}, unique {})", self.means.len(), self.unique)
    }
}

impl Symbols {
    /// An empty table; `unique` where no two cards of the shoe have the same symbol.
    #[must_use]
    pub fn new(unique: bool) -> Self {
        Self { means: HashMap::new(), unique }
    }

    /// Adds a symbol.
    ///
    /// # Errors
    /// When it cannot be one, or is there already.
    pub fn add(&mut self, symbol: &str, means: ShoeSaw) -> Result<(), BadSymbol> {
        if symbol.is_empty() || symbol.len() > MAX_SYMBOL {
            return Err(BadSymbol::Length);
        }
        if !is_plain(symbol.as_bytes()) || symbol.trim() != symbol {
            return Err(BadSymbol::Letters);
        }
        if self.means.contains_key(symbol) {
            return Err(BadSymbol::Twice);
        }
        if self.means.len() >= MAX_SYMBOLS {
            return Err(BadSymbol::TooMany);
        }
        self.means.insert(symbol.into(), means);
        Ok(())
    }

    /// Whether no two cards of the shoe have the same symbol.
    #[must_use]
    pub const fn unique(&self) -> bool {
        self.unique
    }

    /// What a text says that a scanner sent; `None` where it is no symbol of the table.
    #[must_use]
    pub fn meaning(&self, text: &[u8]) -> Option<ShoeSaw> {
        self.means.get(std::str::from_utf8(text).ok()?).copied()
    }

    /// In how many bytes the two symbols differ that differ least and mean different things. Damage to fewer makes no
    /// symbol of another: 1 is too few where a line has no checksum. Symbols of different lengths differ in all.
    #[must_use]
    pub fn distance(&self) -> usize {
        let all: Vec<(&[u8], ShoeSaw)> = self.means.iter().map(|(text, means)| (text.as_bytes(), *means)).collect();
        let mut least = MAX_SYMBOL;
        for (n, (one, of_one)) in all.iter().enumerate() {
            for (other, of_other) in all.iter().skip(n + 1) {
                if of_one != of_other && one.len() == other.len() {
                    least = least.min(one.iter().zip(*other).filter(|(a, b)| a != b).count());
                }
            }
        }
        least
    }

    /// Cards without a symbol.
    #[must_use]
    pub fn without(&self) -> Vec<Card> {
        let has = |card| self.means.values().any(|means| *means == ShoeSaw::Drawn(card));
        (0..52).map(Card::from_code).filter(|&card| !has(card)).collect()
    }
}

/// Whether a text is of letters that can be printed.
pub(super) fn is_plain(text: &[u8]) -> bool {
    text.iter().all(|byte| (0x20..0x7F).contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_takes_plain_symbols_once_and_tells_what_is_missing() {
        let mut symbols = Symbols::new(false);
        assert_eq!(symbols.without().len(), 52);
        assert_eq!(symbols.add("AS", ShoeSaw::Drawn(Card::from_code(0))), Ok(()));
        assert_eq!(symbols.add("AS", ShoeSaw::CutCard), Err(BadSymbol::Twice));
        assert_eq!(symbols.add("", ShoeSaw::CutCard), Err(BadSymbol::Length));
        assert_eq!(symbols.add(&"x".repeat(65), ShoeSaw::CutCard), Err(BadSymbol::Length));
        for odd in [" AS", "A\tS", "Ñ", "A\u{1D}"] {
            assert_eq!(symbols.add(odd, ShoeSaw::CutCard), Err(BadSymbol::Letters), "{odd}");
        }
        assert_eq!(symbols.without().len(), 51);
        assert_eq!(symbols.meaning(b"AS"), Some(ShoeSaw::Drawn(Card::from_code(0))));
        assert_eq!((symbols.meaning(b"as"), symbols.meaning(b"\xFF")), (None, None));
        for n in 0..MAX_SYMBOLS - 1 {
            symbols.add(&format!("x{n}"), ShoeSaw::CutCard).unwrap();
        }
        assert_eq!(symbols.add("y", ShoeSaw::CutCard), Err(BadSymbol::TooMany));
        assert_eq!(format!("{symbols:?}"), "Symbols(600, unique false)");
    }

    #[test]
    fn symbols_are_told_apart_by_the_bytes_they_differ_in() {
        let mut symbols = Symbols::new(false);
        symbols.add("AS17", ShoeSaw::Drawn(Card::from_code(0))).unwrap();
        symbols.add("AS18", ShoeSaw::Drawn(Card::from_code(0))).unwrap();
        assert_eq!(symbols.distance(), MAX_SYMBOL, "symbols of one card may be alike");
        symbols.add("2S28", ShoeSaw::Drawn(Card::from_code(1))).unwrap();
        assert_eq!(symbols.distance(), 2);
        symbols.add("CUT", ShoeSaw::CutCard).unwrap();
        assert_eq!(symbols.distance(), 2);
    }
}
