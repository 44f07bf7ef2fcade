//! The covered cards of a pass: which lines drew them, and when each is a secret no more.

use sabot_journal::Covering;
use sabot_law::procedure::cards::Held;
use sabot_law::procedure::state::State;
use sabot_law::table::{Card, Event, LineNo, Place};

/// A card that nobody has seen.
#[derive(Clone)]
struct Covered {
    line: LineNo,
    card: Card,
    /// Where it was laid.
    place: Option<Place>,
    /// It is in the burn tray, or has to go there.
    burned: bool,
    /// Cards like it that lay open there while it was covered.
    open: usize,
}

/// The covered cards of the pass on the felt.
#[derive(Clone, Default)]
pub(super) struct CoveredCards(Vec<Covered>);

/// A covered card is told to nobody.
impl std::fmt::Debug for CoveredCards {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CoveredCards({})", self.0.len())
    }
}

impl CoveredCards {
    /// Takes an event, after which the facts are these: what it covers and uncovers. `shown`: the card that it draws is
    /// seen by everybody.
    ///
    /// A covered card is uncovered where it lies open afterwards, and all are with the end of the pass, but for those
    /// that were burned: one like it that lies open is another.
    pub(super) fn take(&mut self, line: LineNo, event: &Event, shown: bool, state: &State) -> Covering {
        let drawn = drawn(event).filter(|(card, _)| !shown && *card != Card::UNREAD);
        let drawn = drawn.map(|(card, to)| {
            let place = to.or(state.pass.last_card);
            Covered { line, card, place, burned: place == Some(Place::Burn), open: 0 }
        });
        let drawn = drawn.filter(|drawn| !drawn.lies_open(state));
        let covers = drawn.as_ref().map(|drawn| drawn.card);
        self.0.extend(drawn);
        if let Event::Move { from, to: Place::Burn, .. } = event {
            for covered in self.0.iter_mut().filter(|covered| covered.place == Some(*from)) {
                covered.burned |= covered.lies(state, |held| held.down).is_none();
            }
        }
        let ends = matches!(event, Event::End {});
        let mut uncovers = Vec::new();
        for covered in &mut self.0 {
            if let Some(held) = covered.lies(state, |held| held.down) {
                covered.burned |= held.misdealt;
                covered.open = covered.open_there(state);
            }
            if !covered.burned && (ends || covered.lies_open(state)) {
                uncovers.push((covered.line, covered.card));
            }
        }
        self.0.retain(|covered| !ends && !uncovers.iter().any(|(line, _)| *line == covered.line));
        Covering { covers, uncovers, lost: Vec::new() }
    }
}

impl Covered {
    /// The card where it was laid, if one like it lies there so.
    fn lies<'a>(&self, state: &'a State, so: impl Fn(&Held) -> bool) -> Option<&'a Held> {
        self.like_it(state).find(|held| so(held))
    }

    fn like_it<'a>(&self, state: &'a State) -> impl Iterator<Item = &'a Held> {
        let (card, lying) = (self.card, self.place.map_or(&[][..], |place| state.pass.lying_at(place)));
        lying.iter().filter(move |held| held.card == card)
    }

    fn open_there(&self, state: &State) -> usize {
        self.like_it(state).filter(|held| !held.down).count()
    }

    /// It lies open, and not only another one like it: a line that was struck uncovers nothing.
    fn lies_open(&self, state: &State) -> bool {
        self.lies(state, |held| held.down).is_none() && self.open_there(state) > self.open
    }
}

/// The card that an event has drawn, or a correction says was drawn, and where it says it went.
fn drawn(event: &Event) -> Option<(Card, Option<Place>)> {
    match event {
        Event::Draw { card, to, .. } => Some((*card, *to)),
        Event::Correct { event: Some(event), .. } => drawn(event),
        _ => None,
    }
}

#[cfg(test)]
#[path = "covered_tests.rs"]
mod tests;
