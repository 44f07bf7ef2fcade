//! Mistakes that a table which does not hear choices can only know by what is done about them.
//!
//! Where choices are not heard, a card tells that the hands before it have stood. A card that is burned or put back at
//! once tells nothing: it came by mistake. Where places are not seen, an undue card lies wherever it is burned from.

use alloc::borrow::Cow;
use alloc::boxed::Box;

use super::course::Course;
use crate::procedure::context::Drawn;
use crate::procedure::hand_index::Status;
use crate::procedure::known::Fact;
use crate::procedure::state::State;
use crate::table::settings::Misdealt;
use crate::table::{Event, Moved, Place};

/// The last card drawn, where hands were taken to have stood before it and nothing was found.
#[derive(Debug, Clone)]
pub(super) struct Unheard {
    /// The facts before it.
    pub(super) before: Box<State>,
    pub(super) drawn: Drawn,
}

impl Unheard {
    /// Whether an event takes that card back, and no other.
    fn is_taken_back(&self, event: &Event) -> bool {
        let Event::Move { from, to: to @ (Place::Burn | Place::Shoe), cards } = event else { return false };
        let goes_back = self.before.settings().delivery.misdealt == Misdealt::Back;
        let is_it = match cards {
            None => goes_back,
            Some(Moved::Count(count)) => *count == 1,
            Some(Moved::Cards(cards)) => cards[..] == [self.drawn.card],
        };
        is_it && self.drawn.place == Some(*from) && goes_back == (*to == Place::Shoe)
    }
}

impl Course {
    /// The facts before an event that takes back a card which came by mistake: nobody has stood for it.
    pub(super) fn take_back_unheard(&mut self, event: &Event) {
        if let Some(unheard) = self.unheard.take().filter(|unheard| unheard.is_taken_back(event)) {
            self.state = *unheard.before;
            self.state.draw_by_mistake(unheard.drawn);
        }
    }

    /// The facts before a draw that may tell of choices nobody heard.
    pub(super) fn before_unheard(&self, event: &Event) -> Option<Box<State>> {
        let is_draw = matches!(event, Event::Draw { .. });
        let may_tell = is_draw && !self.state.observes.decisions && self.state.pass.turn().is_some();
        may_tell.then(|| Box::new(self.state.clone()))
    }

    /// Whether hands are taken to have stood since.
    pub(super) fn tells(&self, before: &State) -> bool {
        let unfinished = |state: &State| state.pass.hands_with(Status::Unfinished);
        unfinished(before) != unfinished(&self.state)
    }

    /// Where a card is burned or put back from: an undue one that nobody saw lies where none of its cards is asked for.
    pub(super) fn where_it_lay<'a>(&self, event: &'a Event) -> Cow<'a, Event> {
        if let Event::Move { from: from @ (Place::Hand(_) | Place::Bank), to, cards } = event
            && self.state.unknown().has(Fact::Places)
            && self.duties.to_move(*from, *to) == 0
            && self.duties.to_move(Place::Shoe, *to) > 0
        {
            return Cow::Owned(Event::Move { from: Place::Shoe, to: *to, cards: cards.clone() });
        }
        Cow::Borrowed(event)
    }
}
