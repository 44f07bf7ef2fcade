//! What people enter into the table's book: work on its equipment, decks that were inspected, a card that was replaced.

use crate::second::Weighty;
use crate::staff::Office;

sabot_words::words! {
    "an entry of the table's book";
    /// What somebody enters, as the record has it.
    pub enum Book {
        /// He has worked on the equipment.
        Service = "service",
        /// The decks were inspected; somebody else has verified it.
        DecksInspected = "decks_inspected",
        /// A card that was not fit was replaced; somebody else has seen it.
        CardReplaced = "card_replaced",
    }
}

impl Book {
    /// The offices that may enter it.
    #[must_use]
    pub const fn offices(self) -> &'static [Office] {
        match self {
            Self::Service => &[Office::Technician],
            Self::DecksInspected => &[Office::Dealer, Office::Inspector],
            Self::CardReplaced => &[Office::Inspector, Office::TableChief],
        }
    }

    /// What a second person signs of it.
    pub(crate) const fn weighty(self) -> Option<Weighty> {
        match self {
            Self::Service => None,
            Self::DecksInspected => Some(Weighty::DecksInspected),
            Self::CardReplaced => Some(Weighty::CardReplaced),
        }
    }
}
