//! Nouns of the table: what the log speaks of, and what is answered.

pub mod act_words;
pub mod answer;
pub mod answers_told;
pub mod bounds;
pub mod due;
pub mod event;
pub mod felt;
pub mod header;
pub mod line;
mod object;
pub mod offer;
mod quick;
pub mod rules;
pub mod settings;
mod sights;
pub mod words;

pub use answer::{Answer, Outcome, Remedy, Severity};
pub use event::{Event, Moved};
pub use felt::{Felt, Phase};
pub use header::{Header, Limits, Observes, Sight};
pub use rules::Rules;
pub use sabot_words::{BetSpot, Card, HandId, Place, Rank, Suit, card, place};
pub use settings::{Rate, Settings};

/// An amount, in the smallest unit of the currency (cents).
pub type Cents = u64;

/// The greatest amount that a log may tell: what it is worth at any odds can be reckoned.
pub const MOST_CENTS: Cents = 1_000_000_000_000_000;
/// A line of a log, from 1; the header is line 1.
pub type LineNo = u64;
/// The name of a person or a device, as the log writes it.
pub type Name = smol_str::SmolStr;
