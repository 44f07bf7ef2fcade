//! What was found in a pass; asked again and again by articles that find a thing once.

use alloc::vec::Vec;

use rpds::{RedBlackTreeMapSync, RedBlackTreeSetSync};

use crate::procedure::apply::Effect;
use crate::table::{Card, Name, Place};

/// A finding of the pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Number of the finding.
    pub finding: u64,
    /// Its article.
    pub article: Address,
    /// Which of its cases.
    pub case: Address,
    /// Where.
    pub place: Option<Place>,
    /// What letting what lies be makes of the facts.
    pub stands: Vec<Effect>,
    /// What going on makes of the facts.
    pub resumes: Option<Effect>,
    /// Its remedy is the room's decision, or there is none.
    pub is_for_room: bool,
    /// It has been decided.
    pub is_decided: bool,
    /// The device it is about, and how that was.
    pub status: Option<(Name, Name)>,
}

/// Where a case or an article stands, which tells it from every other. It is looked up, and never put in order for
/// anybody to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address(usize);

impl Address {
    /// Of a case or an article.
    pub fn of<T>(it: &'static T) -> Self {
        Self(core::ptr::from_ref(it).addr())
    }
}

/// The findings of a pass. Copies share what they have in common.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// By number.
    known: RedBlackTreeMapSync<u64, Known>,
    /// Cases and articles, and where they were found.
    found: RedBlackTreeSetSync<(Address, Option<Place>)>,
    /// The newest finding about a device in one status.
    devices: RedBlackTreeMapSync<(Name, Name), u64>,
    /// Undue cards where they were left, and the findings about them.
    cards: RedBlackTreeSetSync<(Place, Card, u64)>,
}

impl Memory {
    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Keeps a finding in mind.
    pub fn add(&mut self, known: Known) {
        for address in [known.case, known.article] {
            self.found.insert_mut((address, known.place));
        }
        if let Some(status) = &known.status {
            self.devices.insert_mut(status.clone(), known.finding);
        }
        for effect in &known.stands {
            if let Effect::Counts(place, card) = effect {
                self.cards.insert_mut((*place, *card, known.finding));
            }
        }
        self.known.insert_mut(known.finding, known);
    }

    /// The findings about undue cards that were left at a place, and are such cards.
    #[must_use]
    pub fn of_cards(&self, place: Place, cards: &[Card]) -> Vec<u64> {
        let of = |card: &Card| self.cards.range((place, *card, 0)..=(place, *card, u64::MAX));
        cards.iter().flat_map(of).map(|(.., finding)| *finding).collect()
    }

    /// A finding by its number.
    #[must_use]
    pub fn finding(&self, number: u64) -> Option<&Known> {
        self.known.get(&number)
    }

    /// A finding by its number, to change it.
    pub fn finding_mut(&mut self, number: u64) -> Option<&mut Known> {
        self.known.get_mut(&number)
    }

    /// Whether a case, or any case of an article, was found at a place.
    #[must_use]
    pub fn has(&self, of: Address, place: Option<Place>) -> bool {
        self.found.contains(&(of, place))
    }

    /// Whether a case was found anywhere.
    #[must_use]
    pub fn has_anywhere(&self, of: Address) -> bool {
        self.found.range((of, None)..).next().is_some_and(|(found, _)| *found == of)
    }

    /// The newest finding about a device in one status.
    #[must_use]
    pub fn of_device(&self, device: &Name, status: &Name) -> Option<u64> {
        self.devices.get(&(device.clone(), status.clone())).copied()
    }
}
