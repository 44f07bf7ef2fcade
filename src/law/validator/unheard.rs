//! Mistakes that a table which does not hear choices can only know by what is done about them.
//!
//! Where choices are not heard, a card tells that the hands before it have stood. A card that is burned or put back at
//! once tells nothing: it came by mistake. Where places are not seen, an undue card lies wherever it is burned from.

use alloc::borrow::Cow;
use alloc::boxed::Box;

use crate::procedure::context::Drawn;
use crate::procedure::duties::Duties;
use crate::procedure::hand_index::Status;
use crate::procedure::known::Fact;
use crate::procedure::state::State;
use crate::table::settings::Misdealt;
use crate::table::{Event, Moved, Place};

/// The last card drawn, where hands were taken to have stood before it and nothing was found.
#[derive(Debug, Clone)]
pub(super) struct Unheard {
    /// The facts before it.
    before: Box<State>,
    drawn: Drawn,
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

    /// The facts before a draw that may tell of choices nobody heard.
    pub(super) fn before(state: &State, event: &Event) -> Option<Box<State>> {
        let is_draw = matches!(event, Event::Draw { .. });
        let may_tell = is_draw && !state.observes.decisions && state.pass.turn().is_some();
        may_tell.then(|| Box::new(state.clone()))
    }

    /// The card of such a draw, where hands are taken to have stood since.
    pub(super) fn after(before: Option<Box<State>>, state: &State, drawn: Option<Drawn>) -> Option<Self> {
        let unfinished = |state: &State| state.pass.hands_with(Status::Unfinished);
        let before = before.filter(|before| unfinished(before) != unfinished(state))?;
        Some(Self { before, drawn: drawn? })
    }

    /// The facts as they are where an event takes that card back: it came by mistake, and nobody has stood for it.
    pub(super) fn taken_back(mut self, event: &Event) -> Option<State> {
        if !self.is_taken_back(event) {
            return None;
        }
        self.before.draw_by_mistake(self.drawn);
        Some(*self.before)
    }
}

/// Where a card is burned or put back from: an undue one that nobody saw lies where none of its cards is asked for.
pub(super) fn where_it_lay<'a>(state: &State, duties: &Duties, event: &'a Event) -> Cow<'a, Event> {
    if let Event::Move { from: from @ (Place::Hand(_) | Place::Bank), to, cards } = event
        && state.unknown().has(Fact::Places)
        && duties.to_move(*from, *to) == 0
        && duties.to_move(Place::Shoe, *to) > 0
    {
        return Cow::Owned(Event::Move { from: Place::Shoe, to: *to, cards: cards.clone() });
    }
    Cow::Borrowed(event)
}
