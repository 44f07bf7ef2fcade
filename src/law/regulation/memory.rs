//! What was found in a pass, in the order in which it was; asked again and again by articles that find a thing once.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use crate::procedure::apply::Effect;
use crate::table::{Name, Place};

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

type Key = (Address, Option<Place>);

/// The findings of a pass.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    known: Vec<Known>,
    numbers: BTreeMap<u64, usize>,
    cases: BTreeSet<Key>,
    articles: BTreeSet<Key>,
    /// Those that name a device.
    devices: Vec<usize>,
}

impl Memory {
    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Keeps a finding in mind.
    pub fn add(&mut self, known: Known) {
        let n = self.known.len();
        self.numbers.insert(known.finding, n);
        self.cases.insert((known.case, known.place));
        self.articles.insert((known.article, known.place));
        if known.status.is_some() {
            self.devices.push(n);
        }
        self.known.push(known);
    }

    /// How many findings.
    #[must_use]
    pub fn count(&self) -> usize {
        self.known.len()
    }

    /// A finding by its number.
    #[must_use]
    pub fn finding(&self, number: u64) -> Option<&Known> {
        self.known.get(*self.numbers.get(&number)?)
    }

    /// A finding by its number, to change it.
    pub fn finding_mut(&mut self, number: u64) -> Option<&mut Known> {
        self.known.get_mut(*self.numbers.get(&number)?)
    }

    /// Whether a case was found at a place.
    #[must_use]
    pub fn has_case(&self, case: Address, place: Option<Place>) -> bool {
        self.cases.contains(&(case, place))
    }

    /// Whether a case was found anywhere.
    #[must_use]
    pub fn has_case_anywhere(&self, case: Address) -> bool {
        self.cases.range((case, None)..).next().is_some_and(|(found, _)| *found == case)
    }

    /// Whether any case of an article was found at a place.
    #[must_use]
    pub fn has_article(&self, article: Address, place: Option<Place>) -> bool {
        self.articles.contains(&(article, place))
    }

    /// The findings about a device in one status.
    pub fn of_device<'a>(&'a self, device: &'a Name, status: &'a Name) -> impl Iterator<Item = &'a Known> {
        let all = self.devices.iter().filter_map(|&n| self.known.get(n));
        all.filter(move |known| known.status.as_ref().is_some_and(|(one, other)| (one, other) == (device, status)))
    }
}
