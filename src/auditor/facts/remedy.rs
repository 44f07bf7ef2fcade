//! When what a finding demands is done.

use super::View;
use super::found::{Effect, Finding, Found, Part, State};
use crate::log::{Event, Kind, Place};

impl Finding {
    /// The parts that are to be done by now: a consent, once given or refused, is followed by others.
    pub fn parts(&self, view: &View) -> Vec<Part> {
        let said = |place: Place| {
            (self.at..view.now).find(|&at| view.events[at].is(Kind::Consent, place)).map(|at| view.events[at].yes)
        };
        let follow = |part: &Part| match *part {
            Part::AskConsent(place) => match said(place) {
                Some(true) => vec![Part::Serve(place)],
                Some(false) => vec![Part::Burn(place, view.at(self.at).lying(place).to_vec()), Part::VoidBet(place)],
                None => vec![part.clone()],
            },
            _ => vec![part.clone()],
        };
        self.what.remedy.iter().flat_map(follow).collect()
    }

    /// The parts of the remedy that are still to be done.
    pub fn missing(&self, view: &View) -> Vec<Part> {
        let mut served = 0;
        let let_lie = self.let_lie_for_the_bank(view);
        let mut is_left = |part: &Part| match *part {
            Part::Serve(place) => {
                served += 1;
                // neither a card that came too early, nor one that goes back or waits for the room, serves anybody
                let is_no_service = |at: usize| {
                    let goes_back = |part: &Part| matches!(part, Part::PutBack(..));
                    let is_undue = |what: &Found| {
                        let waits = what.effect == Effect::Misdealt && what.remedy == [Part::Rule];
                        what.provision == "T-Q10" || waits || what.remedy.iter().any(goes_back)
                    };
                    let at = |found: &&Finding| found.at == at;
                    view.findings.iter().filter(at).any(|found| is_undue(&found.what) && !found.stands())
                };
                let drawn = (self.at + 1..view.now).filter(|at| view.events[*at].is(Kind::Draw, place));
                // what an earlier finding still asked for is served first
                let drawn = drawn.filter(|at| !is_no_service(*at)).count();
                let let_lie = if place == Place::Bank { let_lie } else { 0 };
                served > drawn.saturating_sub(self.owed_before(view, place)) + let_lie
            }
            _ => !self.is_done(part, view),
        };
        let left = self.parts(view).into_iter();
        let left = left.filter(|part| is_left(part) && !self.is_moot(part, view) && !self.unseen.contains(part));
        left.map(|part| self.remaining(part, view)).collect()
    }

    /// Whether nothing is left of a part, as the room has ruled on another finding, or the hand has no claim.
    fn is_moot(&self, part: &Part, view: &View) -> bool {
        let is_since = |found: &Finding| found.ruled.as_ref().is_some_and(|(_, at)| *at > self.at);
        let is_ruled = || view.found().any(is_since);
        match *part {
            // a bank that has its total, or nobody to draw for, draws no more
            Part::Serve(Place::Bank) if !self.is_of_delivery() => {
                is_ruled() && (view.bank_is_final() || !view.bank_draws_for_somebody())
            }
            // its delivery is whole with what lies there: no words are needed
            Part::Authorize(_) | Part::Announce(_) if self.is_of_delivery() => {
                let asked = self.what.remedy.iter().filter(|part| **part == Part::Serve(Place::Bank)).count();
                asked <= self.let_lie_for_the_bank(view)
            }
            // a hand without claim gets no card and chooses nothing any more
            Part::AskConsent(hand) | Part::Offer(hand, _) | Part::Serve(hand)
                if view.has_no_claim(hand) || view.awaits_ruling(hand) =>
            {
                true
            }
            // nor does one whose bet is lost or void; it is not paid either
            Part::AskConsent(hand) | Part::Offer(hand, _) | Part::Serve(hand) | Part::Collect(hand, _, None) => {
                view.is_ruled_lost(hand) || is_ruled() && view.is_void(hand)
            }
            // what is lost is not returned
            Part::ReturnBet(hand, "main", ..) => view.is_ruled_lost(hand),
            _ => false,
        }
    }

    /// Whether it asks for a card of the bank's delivery.
    fn is_of_delivery(&self) -> bool {
        ["C7", "C13", "C14"].contains(&self.what.provision.as_str())
    }

    /// How many cards of the bank's delivery that came before this was found the room has let lie since.
    fn let_lie_for_the_bank(&self, view: &View) -> usize {
        let is_since = |found: &Finding| found.stands() && found.ruled.as_ref().is_some_and(|(_, at)| *at > self.at);
        let is_let_lie = |draw: usize| {
            let mut found = view.found().filter(|found| found.at == draw && found.what.effect == Effect::Misdealt);
            draw < self.at && found.any(is_since)
        };
        let dealt = view.dealt(Place::Bank).iter();
        if self.is_of_delivery() { dealt.filter(|draw| is_let_lie(**draw)).count() } else { 0 }
    }

    /// How many cards for a place earlier findings still asked for when this was found.
    fn owed_before(&self, view: &View, place: Place) -> usize {
        let lacks = |found: &Finding| {
            let asked = found.what.remedy.iter().filter(|part| **part == Part::Serve(place)).count();
            let drawn = (found.at + 1..=self.at).filter(|at| view.events[*at].is(Kind::Draw, place)).count();
            asked.saturating_sub(drawn)
        };
        let is_earlier =
            |found: &&Finding| found.at < self.at && found.state != State::Breached && found.ruled.is_none();
        view.found().filter(is_earlier).map(lacks).sum()
    }

    /// Cards that are still to be burned, and money that is still to be moved: some of it may have been by now.
    fn remaining(&self, part: Part, view: &View) -> Part {
        if let Part::Burn(place, cards) = &part {
            let left: Vec<usize> = cards.iter().copied().filter(|draw| !view.is_gone(*draw, Place::Burn)).collect();
            let is_elsewhere = left.first().is_some_and(|draw| view.is_taken_alone(*draw));
            return Part::Burn(if is_elsewhere { Place::Discard } else { *place }, left);
        }
        let (Part::Pay(place, spot, _) | Part::Collect(place, spot, Some(_)), Some((owed, _))) =
            (&part, self.what.money)
        else {
            return part;
        };
        let owed = view.let_lie(*place).filter(|_| *spot == "main").unwrap_or(owed);
        match owed - view.done(*place, spot) {
            less if less < 0 => Part::Collect(*place, spot, Some(-less)),
            more => Part::Pay(*place, spot, more),
        }
    }

    fn is_done(&self, part: &Part, view: &View) -> bool {
        let since = |is: &dyn Fn(&Event) -> bool| view.since(self.at, is);
        match *part {
            Part::Burn(_, ref cards) => cards
                .iter()
                .all(|draw| view.is_gone(*draw, Place::Burn) || view.events[*draw].place == Some(Place::Burn)),
            Part::PutBack(_, ref cards) => cards.iter().all(|draw| view.is_gone(*draw, Place::Shoe)),
            Part::VoidBet(_) => true,
            Part::ReturnBet(place, spot, least, most) => {
                let is_changed = |event: &Event| event.is(Kind::Bet, place) && event.spot == spot;
                // of a range only multiples may lie
                let unit = match spot {
                    "main" => view.house.figure("bet_multiple").max(1),
                    "insurance" => view.house.figure("insurance_multiple").max(1),
                    _ => 1,
                };
                let may_lie =
                    |left: u64| (least..=most).contains(&left) && (least == most || left.is_multiple_of(unit));
                let was = view.at(self.at + 1).chips(place, spot);
                let (was_wrong, left) = (was > 0 && !may_lie(was), view.chips(place, spot));
                let may_lie = |left| may_lie(left) && !(self.what.refuses.is_some() && view.is_past_chips(place, spot));
                (left == 0 || may_lie(left)) && (was_wrong || since(&is_changed))
            }
            Part::Serve(_) => false,
            Part::Authorize(what) => self.authorized(view, what).is_some(),
            Part::Announce(what) => {
                let granted = self.authorized(view, "next_cards_for_bank").unwrap_or(0);
                view.since(granted.max(self.at), |event| event.kind == Kind::Announce && event.word == what)
            }
            Part::AskConsent(_) => false,
            Part::Offer(place, _) => since(&|event| event.is(Kind::Choose, place)),
            Part::Collect(place, _, None) => since(&|event| event.is(Kind::Pay, place)),
            Part::Collect(place, spot, _) | Part::Pay(place, spot, _) => {
                // going back to what the room let lie is enough
                let done = view.done(place, spot);
                let is_let_be = spot == "main" && view.let_lie(place) == Some(done);
                is_let_be || self.what.money.is_some_and(|(owed, _)| done == owed)
            }
            Part::Identify(_) => view.names().any(|(draw, _)| draw == self.at),
            // money that was put right needs no decision
            Part::Rule => {
                let place = self.what.place.unwrap_or(Place::Bank);
                self.what.money.is_some_and(|(owed, _)| view.done(place, "main") == owed)
            }
        }
    }

    /// The authorisation that serves this finding: one given before it serves one finding alone, the earliest first;
    /// one given afterwards serves all that wait for it.
    fn authorized(&self, view: &View, what: &'static str) -> Option<usize> {
        // what was breached for lack of it has used none
        let lacked = |finding: &Finding| finding.missing.contains(&Part::Authorize(what));
        let asks = |finding: &&Finding| finding.what.remedy.contains(&Part::Authorize(what)) && !lacked(finding);
        let used = view.findings.iter().take_while(|finding| finding.n < self.n).filter(asks).count();
        let before = granted(view, what).nth(used).filter(|at| *at < self.at);
        before.or_else(|| granted(view, what).find(|at| *at > self.at))
    }
}

/// The events that authorise something, by who may.
pub fn granted<'a>(view: &'a View, what: &'a str) -> impl Iterator<Item = usize> + 'a {
    let may = move |role: &str| match what {
        "shuffle" => ["inspector", "table_chief", "room"].contains(&role),
        _ => ["inspector", "room"].contains(&role),
    };
    let is = move |event: &Event| event.kind == Kind::Authorize && event.word == what && may(&event.role);
    (0..view.now).filter(move |&at| is(&view.events[at]))
}
