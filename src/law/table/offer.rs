//! What a person at the table may enter next.

use alloc::vec::Vec;

use serde::Serialize;

use super::due::Who;
use super::felt::Words;
use super::{Event, Place};

/// What happens by one touch: an act, with those that go before it without saying. Where the act is an authority's, who
/// does it and as what is not filled in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// Who does it.
    pub who: Who,
    /// Its events, in order.
    pub events: Vec<Event>,
    /// It is due now, and not only possible.
    pub is_due: bool,
    /// Where it happens, when at one place.
    pub place: Option<Place>,
    /// What happens there.
    pub verb: Words,
    /// What it says before that: that hands stand whose turn was earlier, what an ace counts; mostly empty.
    pub before: Words,
}
