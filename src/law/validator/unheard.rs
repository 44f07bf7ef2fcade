//! Mistakes that a table which lacks a sight can only know by what is done about them.
//!
//! Where choices are not heard, a card tells that its hand asked for it and those before have stood; where bets are not
//! seen, that the box plays, or that no other does; where places are not seen, it goes where one is due. A card that is
//! burned or put back at once tells nothing: it came by mistake, to where it is taken from. Where places are not seen,
//! an undue card lies wherever it is burned from. Who is asked next though the card told that he had stood had not: it
//! came too early.

use alloc::borrow::Cow;
use alloc::boxed::Box;

use crate::procedure::context::{Drawn, Role};
use crate::procedure::duties::Duties;
use crate::procedure::hand_index::Status;
use crate::procedure::known::Fact;
use crate::procedure::state::State;
use crate::table::event::Question;
use crate::table::settings::Misdealt;
use crate::table::{Event, Moved, Place};

/// The last card drawn, where it told something that nobody saw or heard.
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
            None => goes_back || self.before.pass.lying_at(*from).is_empty(),
            Some(Moved::Count(count)) => *count == 1,
            Some(Moved::Cards(cards)) => matches!(cards[..], [card] if card.may_be(self.drawn.card)),
        };
        let lies_there = self.drawn.place == Some(*from) || self.is_elsewhere(*from);
        is_it && lies_there && goes_back == (*to == Place::Shoe)
    }

    /// Whether an event goes on with a hand that only that card told to have stood.
    fn is_gone_back_on(&self, event: &Event, state: &State) -> bool {
        let (Event::Ask { hand: id, .. } | Event::Decide { hand: id, .. } | Event::Ace { hand: id, .. }) = event else {
            return false;
        };
        let is_insurance = matches!(event, Event::Ask { about: Question::Insurance, .. });
        let stood = |state: &State| state.pass.hand(*id).is_some_and(|hand| hand.stood);
        !is_insurance && !self.before.observes.decisions && stood(state) && !stood(&self.before)
    }

    /// Nobody saw where it went, and it may as well be there.
    fn is_elsewhere(&self, place: Place) -> bool {
        let is_guess = self.drawn.inferred && !self.before.observes.places;
        is_guess && matches!(place, Place::Hand(_) | Place::Bank)
    }

    /// The facts before a draw that may tell what nobody saw or heard.
    pub(super) fn before(state: &State, event: &Event) -> Option<Box<State>> {
        let is_draw = matches!(event, Event::Draw { .. });
        let observes = state.observes;
        let is_unheard = !observes.decisions && state.pass.turn().is_some();
        let may_tell = is_draw && (is_unheard || !observes.places || !observes.bets);
        may_tell.then(|| Box::new(state.clone()))
    }

    /// The card of such a draw, where hands are taken to have stood since, its box to play or no other, its hand to
    /// have asked for it, or it to lie where one was due.
    pub(super) fn after(before: Option<Box<State>>, state: &State, drawn: Option<Drawn>) -> Option<Self> {
        let (before, drawn) = (before?, drawn?);
        let hands_with = |status, state: &State| state.pass.hands_with(status);
        let has_told = |status| hands_with(status, &before) != hands_with(status, state);
        let is_guess = !before.observes.places;
        let hand = || drawn.hand().and_then(|id| state.pass.hand(id));
        let is_asked_unheard = || drawn.role == Role::Hit && hand().is_some_and(|hand| !hand.wants_card);
        // where bets are not seen, who has no card when the first round is over does not play
        let ends_round = matches!(drawn.role, Role::BankFirst | Role::Second) && before.is_in_first_delivery();
        let is_round_told = ends_round && !before.observes.bets;
        let has_told = has_told(Status::Unfinished) || has_told(Status::InPlay) || is_round_told;
        let tells = is_guess || has_told || is_asked_unheard();
        tells.then_some(Self { before, drawn })
    }

    /// The facts as they are where an event takes that card back: it came by mistake, to where it is taken from, and
    /// tells nothing.
    pub(super) fn taken_back(mut self, event: &Event, state: &State) -> Option<State> {
        if self.is_gone_back_on(event, state) {
            self.before.draw_too_early(self.drawn);
            return Some(*self.before);
        }
        if !self.is_taken_back(event) {
            return None;
        }
        if let Event::Move { from, .. } = event {
            self.drawn.place = Some(*from);
        }
        self.before.draw_by_mistake(self.drawn);
        Some(*self.before)
    }
}

/// Whether so many cards as are moved went nobody saw where, the last one drawn among them.
fn are_unplaced(state: &State, cards: Option<&Moved>) -> bool {
    let count = match cards {
        Some(Moved::Count(count)) => *count,
        Some(Moved::Cards(cards)) => cards.len(),
        None => return false,
    };
    state.pass.last_card.is_none() && (1..=state.pass.unplaced).contains(&count)
}

/// Where a card is burned or put back from: an undue one that nobody saw lies where none of its cards is asked for.
pub(super) fn where_it_lay<'a>(state: &State, duties: &Duties, event: &'a Event) -> Cow<'a, Event> {
    if let Event::Move { from: from @ (Place::Hand(_) | Place::Bank), to: to @ (Place::Burn | Place::Shoe), cards } =
        event
        && state.unknown().has(Fact::Places)
        && duties.to_move(*from, *to) == 0
        && (duties.to_move(Place::Shoe, *to) > 0 || are_unplaced(state, cards.as_ref()))
    {
        return Cow::Owned(Event::Move { from: Place::Shoe, to: *to, cards: cards.clone() });
    }
    Cow::Borrowed(event)
}
