//! An event as it was told, or as it was corrected.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::table::{Card, Event, LineNo, Moved, Place};

/// An event as it was told, or as it was corrected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Told {
    /// The line that it stands on, or that put it in.
    pub(super) line: LineNo,
    /// What happened; nothing where it was struck. Apart, as most of it is as large as the largest event could be.
    pub(super) event: Option<Box<Event>>,
    /// It tells a card that the line told before as one that could not be read.
    pub(super) tells_unread: bool,
    /// What it took where it does not say so, once that was judged. What was burned stays burned, whatever is found
    /// out later.
    taken: Option<Taken>,
}

/// What a `move` took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Taken {
    /// All that lay there.
    All,
    /// These of several.
    Some(Vec<Card>),
}

impl Told {
    /// An event on its line.
    pub(super) fn new(line: LineNo, event: Event) -> Self {
        Self { line, event: Some(Box::new(event)), tells_unread: false, taken: None }
    }

    /// It was judged, and took that.
    pub(super) fn took(&mut self, taken: Option<Taken>) {
        self.taken = self.taken.take().or(taken);
    }

    /// What happened, with what it took, unless something asks for cards from there: it took those.
    pub(super) fn complete(&self, asks: impl FnOnce(Place, Place) -> bool) -> Option<Cow<'_, Event>> {
        let event = self.event.as_deref()?;
        let (Some(taken), Event::Move { from, to, cards: None }) = (&self.taken, event) else {
            return Some(Cow::Borrowed(event));
        };
        if asks(*from, *to) {
            return Some(Cow::Borrowed(event));
        }
        let cards = match taken {
            Taken::All => Moved::Count(usize::MAX),
            Taken::Some(cards) => Moved::Cards(cards.clone()),
        };
        Some(Cow::Owned(Event::Move { from: *from, to: *to, cards: Some(cards) }))
    }

    /// The same line as it should have read; without an event it did not happen.
    pub(super) fn correct(&mut self, event: Option<Event>) {
        let was_unread = self.tells_unread || self.event.as_deref().is_some_and(Event::draws_unread);
        let is_read = |event: &Event| matches!(event, Event::Draw { .. }) && !event.draws_unread();
        self.tells_unread = was_unread && event.as_ref().is_some_and(is_read);
        self.event = event.map(Box::new);
        self.taken = None;
    }

    /// The card of a draw, and where it went if that is told.
    pub(super) fn drawn(&self) -> Option<(Card, Option<Place>)> {
        match self.event.as_deref() {
            Some(Event::Draw { card, to, .. }) => Some((*card, *to)),
            _ => None,
        }
    }

    /// The card of a draw is another than was told: what took it from there took the card that it is. True where it
    /// did.
    pub(super) fn renames(&mut self, (old, place): (Card, Option<Place>), new: Card) -> bool {
        let Some(Event::Move { from, cards, .. }) = self.event.as_deref_mut() else { return false };
        if place.is_some_and(|place| place != *from) {
            return false;
        }
        let named = match (cards, &mut self.taken) {
            (Some(Moved::Cards(cards)), _) | (None, Some(Taken::Some(cards))) => cards.iter_mut(),
            _ => return false,
        };
        let Some(card) = named.into_iter().find(|card| **card == old) else { return false };
        *card = new;
        true
    }
}
