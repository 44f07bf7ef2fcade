//! What is known of tags at the end of a pass, from the record alone, and is kept for the next start.

use std::collections::BTreeMap;

use sabot_law::table::{BetSpot, Card, HandId};
use serde::{Deserialize, Serialize};

/// What is kept of tags.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeptTags {
    /// Where each chip lies, by its tag.
    pub(crate) chips: Vec<(u64, Vec<(HandId, BetSpot)>)>,
    /// The cards that the shoe has told of.
    pub(crate) cards: KeptCards,
}

/// What is kept of cards with tags.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeptCards {
    /// Decks in the shoe.
    pub(crate) decks: usize,
    /// How often each card was drawn since it was loaded.
    pub(crate) told: Vec<(Card, usize)>,
    /// How many others were, which nobody may know.
    pub(crate) hidden: usize,
}

impl KeptCards {
    /// Without these cards, which nobody may know: what is kept is no place for them.
    pub(crate) fn hiding<'a>(self, secret: impl Iterator<Item = &'a Card>) -> Self {
        let (mut told, mut hidden) = (self.told.into_iter().collect::<BTreeMap<_, _>>(), self.hidden);
        for card in secret {
            if let Some(count) = told.get_mut(card) {
                *count = count.saturating_sub(1);
                hidden += 1;
            }
        }
        Self { told: told.into_iter().filter(|(_, count)| *count > 0).collect(), hidden, ..self }
    }
}
