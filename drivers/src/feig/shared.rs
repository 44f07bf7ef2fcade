//! What the house says of its tags. It may change while readers are read: whoever holds it sees the newest.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use super::{on_two_lines, own_serial};

/// One thing for all that hold it.
#[derive(Default)]
pub struct Shared<T>(Arc<RwLock<T>>);

/// The tags that are in cards. Any other over a betting spot is in a chip.
pub type CardTags = Shared<HashSet<u64>>;
/// What chips are worth, by the identifiers of their tags; a tag that is not here is worth nothing.
pub type ChipValues = Shared<HashMap<u64, u32>>;

/// The line on which each reader of a table answers, by its serial number.
pub type ReaderLines = Shared<HashMap<String, String>>;

impl<T> Shared<T> {
    fn read(&self) -> RwLockReadGuard<'_, T> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// All that hold it see this from now on.
    pub fn replace(&self, with: T) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = with;
    }
}

impl CardTags {
    pub(super) fn has(&self, tag: u64) -> bool {
        self.read().contains(&tag)
    }
}

impl ChipValues {
    pub(super) fn of(&self, tag: u64) -> u32 {
        self.read().get(&tag).copied().unwrap_or(0)
    }
}

impl ReaderLines {
    fn change<R>(&self, change: impl FnOnce(&mut HashMap<String, String>) -> R) -> R {
        change(&mut self.0.write().unwrap_or_else(PoisonError::into_inner))
    }

    /// A reader answers on a line: what is wrong, where one of its serial number already answers on another. Of a
    /// reader without a number nobody can tell.
    #[must_use]
    pub fn refuses(&self, serial: &str, line: &str) -> Option<String> {
        let serial = own_serial(serial)?;
        self.change(|lines| {
            let first = lines.entry(serial.to_owned()).or_insert_with(|| line.to_owned());
            (first != line).then(|| on_two_lines(serial, first, line))
        })
    }

    /// Nobody answers on a line any more.
    pub(super) fn is_silent(&self, line: &str) {
        self.change(|lines| lines.retain(|_, of| of != line));
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        // the same one is not locked twice
        Arc::ptr_eq(&self.0, &other.0) || *self.read() == *other.read()
    }
}

impl<T: Eq> Eq for Shared<T> {}

impl<A, T: FromIterator<A>> FromIterator<A> for Shared<T> {
    fn from_iter<I: IntoIterator<Item = A>>(all: I) -> Self {
        Self(Arc::new(RwLock::new(all.into_iter().collect())))
    }
}

/// Identifiers are in no log.
impl<T> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shared(..)")
    }
}
