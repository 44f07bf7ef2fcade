//! What a row of a house is, and what rows find in the same words.

use crate::facts::View;
use crate::facts::found::{Effect, Finding, Found, Part, State};
use crate::log::{Kind, Place};

/// What moves chips between a bet and the bank.
pub const MONEY: &[Kind] = &[Kind::Pay, Kind::Collect];
/// Questions, choices and declarations.
pub const PLAY: &[Kind] = &[Kind::Ask, Kind::Decide, Kind::Ace];
/// What closes the bets of a pass.
pub const CLOSE: &[Kind] = &[Kind::CloseBets, Kind::Draw];

/// One clause of a regulation.
pub struct Row {
    /// Its identifier in the catalogue; where it and what is found name none, the article for what is not provided for.
    pub provision: &'static str,
    /// The kinds of events at which it can be broken.
    pub on: &'static [Kind],
    /// The sights without which it is not judged.
    pub needs: &'static [&'static str],
    /// What an event breaks of it, from the history before the event.
    pub find: fn(&View) -> Vec<Found>,
}

impl Found {
    /// The drawn card counts for nothing until the room lets it lie.
    pub fn for_the_room(place: Place) -> Self {
        Self::at(place).with(Effect::Misdealt).demands([Part::Rule])
    }

    /// The drawn card counts for nothing, and is to go where the house has such cards go.
    pub fn misdealt(self, view: &View) -> Self {
        let (place, card) = (target(view), vec![view.now]);
        let goes = match view.house.word("misdealt") {
            "burn" => Part::Burn(place, card),
            "back" => Part::PutBack(place, card),
            _ => Part::Rule,
        };
        let is_before_the_next = matches!(goes, Part::PutBack(..));
        let found = self.with(Effect::Misdealt).demands([goes]);
        if is_before_the_next { Self { breaks: |view, _| view.event().kind == Kind::Draw, ..found } } else { found }
    }

    /// The drawn card is to be burned, and counts for nothing.
    pub fn burned(self, view: &View) -> Self {
        let place = target(view);
        self.with(Effect::Misdealt).demands([Part::Burn(place, vec![view.now])])
    }
}

/// This finding, or none.
pub fn found_if(is_found: bool, found: Found) -> Vec<Found> {
    is_found.then_some(found).into_iter().collect()
}

/// What a spot lacks or has too much of.
pub fn difference(hand: Place, spot: &'static str, owed: i64, done: i64) -> Found {
    let part =
        if owed > done { Part::Pay(hand, spot, owed - done) } else { Part::Collect(hand, spot, Some(done - owed)) };
    Found { money: Some((owed, done)), ..Found::at(hand).demands([part]) }
}

/// The place that the event is about; the shoe where it names none.
pub fn target(view: &View) -> Place {
    view.event().place.unwrap_or(Place::Shoe)
}

/// Whether the room has a card served again that was burned, or put back, because of a finding that is withdrawn.
pub fn is_served_again(view: &View, place: Place) -> bool {
    let resumed = |found: &Finding| {
        let (decision, at) = found.ruled.as_ref()?;
        let is_taken = matches!(view.events[found.at].to, Some(Place::Burn | Place::Shoe));
        let is_card = is_taken && found.what.remedy == [Part::Rule];
        (decision == "resume" && is_card && found.what.place == Some(place)).then_some(*at)
    };
    view.found().filter_map(resumed).any(|at| !view.since(at, |event| event.is(Kind::Draw, place)))
}

/// The number of the finding that a ruling decides.
pub fn reached(view: &View) -> Option<usize> {
    let event = view.event();
    let is_undecided = |finding: &&Finding| finding.is_open() && finding.ruled.is_none();
    let waits = |finding: &&Finding| finding.what.remedy.contains(&Part::Rule);
    let open = || view.findings.iter().filter(is_undecided);
    let only = |mut found: Box<dyn Iterator<Item = &Finding> + '_>| match (found.next(), found.next()) {
        (Some(finding), None) => Some(finding.clone()),
        _ => None,
    };
    let meant = match event.finding {
        Some(n) => {
            // what was done with when its pass ended is decided no more
            let is_past = |finding: &Finding| finding.state != State::Open && finding.at < view.pass().start;
            let is_it = |finding: &&Finding| finding.n == n && finding.ruled.is_none() && !is_past(finding);
            view.findings.iter().find(is_it).cloned()
        }
        None if open().any(|finding| waits(&finding)) => only(Box::new(open().filter(waits))),
        None => only(Box::new(open())),
    }?;
    let is_remedied = !meant.what.remedy.is_empty() && !waits(&&meant);
    let applies = match event.word.as_str() {
        // a bet that is not there is neither returned nor lost
        "void" | "lose" if meant.what.place.is_some_and(|place| place.number().is_some()) => {
            meant.what.place.is_some_and(|place| view.has_bet_to_rule_on(place))
        }
        "lose" => false,
        "resume" => !is_remedied,
        _ => true,
    };
    applies.then_some(meant.n)
}
