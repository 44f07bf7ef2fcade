//! What an observer knows of tags, kept for the next start.

use sabot_law::table::Card;

use super::Observer;
use crate::chip_tracker::ChipTracker;
use crate::kept_tags::KeptTags;
use crate::tagged_cards::TaggedCards;

impl Observer {
    /// What is to be kept of tags; nothing of these cards, which nobody may know.
    pub(crate) fn kept_tags<'a>(&self, secret: impl Iterator<Item = &'a Card>) -> KeptTags {
        KeptTags {
            chips: self.chip_tracker.as_ref().map(ChipTracker::kept).unwrap_or_default(),
            cards: self.tagged_cards.as_ref().map(TaggedCards::kept).unwrap_or_default().hiding(secret),
        }
    }

    /// Goes on from what was kept.
    pub(crate) fn restore(&mut self, KeptTags { chips, cards }: KeptTags) {
        if let Some(tracker) = &mut self.chip_tracker {
            tracker.restore(chips);
        }
        if let Some(tagged_cards) = &mut self.tagged_cards {
            tagged_cards.restore(cards);
        }
    }
}
