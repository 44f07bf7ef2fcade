//! Which tags lie where, as the antennas last told. Without I/O; time is an argument.

use std::collections::HashMap;

/// A tag at two places for so long is two tags, milliseconds: longer than a slow reader needs to miss one that was
/// carried away. Of seven on a line, with a stack on each, it took more than ten seconds.
pub(super) const DOUBLED_MS: u64 = 30_000;

/// Where each tag lies, and since when.
pub(super) struct Lying<P>(HashMap<u64, Vec<(P, u64)>>);

impl<P> Default for Lying<P> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

/// Identifiers are in no log.
impl<P> std::fmt::Debug for Lying<P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Lying({})", self.0.len())
    }
}

impl<P: Copy + PartialEq> Lying<P> {
    /// A tag lies there now, wherever it lies besides.
    pub(super) fn lay(&mut self, tag: u64, at: P, now: u64) {
        let places = self.0.entry(tag).or_default();
        if !places.iter().any(|(place, _)| *place == at) {
            places.push((at, now));
        }
    }

    /// A tag lies there no more.
    pub(super) fn take(&mut self, tag: u64, at: P) {
        self.keep(|other, place| other != tag || place != at);
    }

    /// These tags lie there now, and no others.
    pub(super) fn only(&mut self, tags: &[u64], at: P, now: u64) {
        self.keep(|tag, place| place != at || tags.contains(&tag));
        tags.iter().for_each(|&tag| self.lay(tag, at, now));
    }

    fn keep(&mut self, stays: impl Fn(u64, P) -> bool) {
        for (&tag, places) in &mut self.0 {
            places.retain(|(place, _)| stays(tag, *place));
        }
        self.0.retain(|_, places| !places.is_empty());
    }

    /// Where each tag lies, in the order in which it came there: what is kept of it.
    pub(super) fn kept(&self) -> Vec<(u64, Vec<P>)> {
        let places = |places: &Vec<(P, u64)>| places.iter().map(|(place, _)| *place).collect();
        let mut kept: Vec<(u64, Vec<P>)> = self.0.iter().map(|(&tag, at)| (tag, places(at))).collect();
        kept.sort_unstable_by_key(|(tag, _)| *tag);
        kept
    }

    /// As it was kept, a time ago.
    pub(super) fn restored(kept: Vec<(u64, Vec<P>)>) -> Self {
        let places = |places: Vec<P>| places.into_iter().map(|place| (place, 0)).collect();
        Self(kept.into_iter().map(|(tag, at)| (tag, places(at))).collect())
    }

    /// Where everything lies.
    pub(super) fn all(&self) -> impl Iterator<Item = (u64, P)> {
        self.all_since().map(|(tag, place, _)| (tag, place))
    }

    /// The same, and since when.
    pub(super) fn all_since(&self) -> impl Iterator<Item = (u64, P, u64)> {
        self.0.iter().flat_map(|(&tag, places)| places.iter().map(move |&(place, since)| (tag, place, since)))
    }

    /// Where a tag came to lie last, and when.
    pub(super) fn last_of(&self, tag: u64) -> Option<(P, u64)> {
        self.0.get(&tag)?.iter().copied().max_by_key(|(_, since)| *since)
    }

    /// Tags that lie at two places: where each came to lie last, and when.
    pub(super) fn doubled(&self) -> impl Iterator<Item = (u64, P, u64)> {
        let twice = self.0.iter().filter(|(_, places)| places.len() > 1);
        twice.filter_map(|(&tag, _)| self.last_of(tag).map(|(place, at)| (tag, place, at)))
    }
}
