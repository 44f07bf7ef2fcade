//! What the table's equipment sees, and what it has missed.

use super::View;
use crate::facts::found::Finding;
use crate::log::{Card, Event, Kind, Place};
use crate::unseen::UNSEEN;

/// A device's sights; that of the shoe is who has which cards.
const DEVICES: &[(&str, &[&str])] = &[
    ("shoe", &["hands", "cards"]),
    ("chips", &["bets", "places", "faces", "turns", "moves"]),
    ("keypad", &["asks", "decisions", "announcements"]),
    ("shuffler", &["shuffles"]),
];

/// After these a device has missed something.
const BLINDING: &[&str] = &["offline", "events_missed", "ring_lost"];

/// The devices that have sights.
pub fn devices() -> impl Iterator<Item = &'static str> {
    DEVICES.iter().map(|(device, _)| *device)
}

/// Whether a device sees anything that is judged.
pub fn has_sights(device: &str) -> bool {
    devices().any(|known| known == device)
}

impl Event {
    /// Whether a device of which this is told misses something from now on. What was told late is no miss.
    pub fn blinds(&self) -> bool {
        self.kind == Kind::Device && BLINDING.contains(&self.word.as_str()) && !self.complete
    }
}

impl View<'_> {
    /// Whether this is seen.
    pub fn sees(&self, sight: &str) -> bool {
        let is_blind = || DEVICES.iter().any(|(device, sights)| sights.contains(&sight) && self.is_blind(device));
        self.house.sees(sight) && !is_blind() && (sight != "hands" || !self.is_guess())
    }

    /// Whether a device has missed something of this pass: it lasts to the end of the pass in which it came back.
    pub fn is_blind(&self, device: &str) -> bool {
        self.known()
            .blind
            .get_or_init(|| devices().filter(|device| self.has_missed(device)).collect())
            .contains(&device)
    }

    /// The first event of the pass from which on it is not known who has which cards: something was missed, or they are
    /// a guess.
    pub fn unknown_from(&self) -> Option<usize> {
        self.pass().find(|at| self.events[*at].blinds() || self.at(*at).is_guess())
    }

    /// Whether a device may have missed something since an event, in whatever pass.
    pub fn may_have_missed(&self, device: &str, from: usize) -> bool {
        self.since(from, |event| event.blinds() && event.device.as_deref() == Some(device))
    }

    fn has_missed(&self, device: &str) -> bool {
        let is_its = |at: &usize| self.events[*at].device.as_deref() == Some(device);
        let comes_back = |at: &usize| is_its(at) && self.events[*at].word == "online";
        (0..self.now).filter(|at| self.events[*at].blinds() && is_its(at)).any(|from| {
            let is_away = self.events[from].word == "offline";
            let until = if is_away { (from..self.now).find(comes_back) } else { Some(from) };
            let is_let_be = until.is_some_and(|back| self.is_seen_again(device, from, back));
            !is_let_be
                && until
                    .is_none_or(|back| back >= self.pass().start && !(is_away && self.is_back_in_time(device, back)))
        })
    }

    /// Whether the room says of a device that is back that what stands in the log is all there was.
    fn is_seen_again(&self, device: &str, from: usize, back: usize) -> bool {
        let is_its = |found: &Finding| found.at >= from && found.what.device.as_deref() == Some(device);
        let resumes = |found: &Finding| {
            found.ruled.as_ref().is_some_and(|(word, at)| word == "resume" && (back..self.now).contains(at))
        };
        self.findings.iter().any(|found| is_its(found) && resumes(found))
    }

    /// Whether a device came back before this pass began with a bet. Between passes cards are shuffled and bets laid.
    fn is_back_in_time(&self, device: &str, back: usize) -> bool {
        let begins = |at: &usize| {
            let event = &self.events[*at];
            matches!(event.kind, Kind::Draw | Kind::End) || event.kind == Kind::Bet && event.number > 0
        };
        let first = self.pass().chain([self.now]).find(|at| *at < self.events.len() && begins(at));
        let is_laid = |event: &Event| match event.kind {
            Kind::Bet => event.word != UNSEEN,
            // a card before all bets is of no pass
            kind => kind == Kind::Draw && self.house.sees("bets"),
        };
        !matches!(device, "shuffler" | "chips")
            && first.is_none_or(|first| back < first && is_laid(&self.events[first]))
    }

    /// Whether it is a guess who has which cards: nobody saw where they went, and nothing else tells it.
    fn is_guess(&self) -> bool {
        let (bets, decisions) = (self.sees("bets"), self.sees("decisions"));
        // a pair that got another card may have been made two hands, until a card elsewhere tells that it was not
        let last = self.last(|event| event.kind == Kind::Draw).and_then(|at| self.events[at].place);
        let is_last = |hand: &Place| last.is_some_and(|last| last.number() == hand.number());
        let may_be_two = |hand: &Place| is_last(hand) && self.dealt(*hand).len() > 2 && self.may_be_opened(*hand);
        if self.sees("places") {
            return !bets && !decisions && self.hands().iter().any(|hand| may_be_two(hand) || self.is_any_of(*hand));
        }
        let is_draw = |at: &usize| self.events.get(*at).is_some_and(|event| event.kind == Kind::Draw);
        let is_beyond = |is_dealt: fn(&View) -> bool| {
            self.pass().chain([self.now]).filter(is_draw).any(|at| is_dealt(&self.at(at)))
        };
        // where all have played, a card is the bank's
        let is_played: fn(&View) -> bool = |view| view.is_dealt() && view.event().place != Some(Place::Bank);
        let is_round = |view: &View| view.playing().iter().all(|hand| !view.dealt(*hand).is_empty());
        let has_free_rounds = !self.house.yes("strict_rounds");
        !bets || has_free_rounds && is_beyond(is_round) || !decisions && is_beyond(is_played)
    }

    /// Whether one of several hands was opened again to make this one, or the card that tells of it tells of others
    /// too.
    fn is_any_of(&self, hand: Place) -> bool {
        let Place::Hand(number, 2..) = hand else { return false };
        let Some((_, opened)) = self.opened_from(hand) else { return false };
        let of_box = |other: &&Place| other.number() == Some(number);
        let then = self.at(opened);
        let may_be = then.hands().iter().filter(of_box).filter(|other| then.may_be_opened(**other)).count();
        let line = |at: usize| self.events[at].line;
        let others = self.hands().iter().filter(of_box).filter_map(|other| self.opened_from(*other));
        may_be != 1 || others.filter(|(_, at)| line(*at) == line(opened)).count() > 1
    }

    /// Whether the first two cards of a hand are a pair that this house opens.
    pub fn may_be_opened(&self, hand: Place) -> bool {
        let first: Vec<Card> = self.dealt(hand).iter().take(2).filter_map(|draw| self.card(*draw)).collect();
        self.house.figure("max_hands") > 1 && matches!(first[..], [one, other] if self.makes_pair(one, other))
    }

    /// Whether all have the cards of the two rounds.
    pub fn is_dealt(&self) -> bool {
        let has = if self.house.is("bank_second_card", "covered") { 2 } else { 1 };
        let has_two = |hand: &Place| self.dealt(*hand).len() >= 2 || self.is_split(*hand);
        self.dealt(Place::Bank).len() >= has && self.playing().iter().all(has_two)
    }
}
