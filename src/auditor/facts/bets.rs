//! What lies on the spots, what of it counts, and which bets are void, refused or settled.

use super::View;
use super::found::{Effect, Finding, Part, State};
use crate::log::{Kind, Place};

impl<'a> View<'a> {
    /// What lies on a spot for as long as that is to be accounted: refused changes left out.
    pub fn on_spot(&self, place: Place, spot: &str) -> u64 {
        let settled = self.settled_at(place).unwrap_or(self.now);
        let until = self.void_at(place).or_else(|| self.lost_at(place)).map_or(self.now, |at| at + 1);
        // what was paid or collected by mistake ends no hand that plays: it may still be doubled or opened
        let is_added = |at: usize| {
            let (then, is_beside) = (self.at(at), spot == "double" || spot == "split");
            let plays = || (self.house.plan.is_unfinished)(&then, place) || then.awaits_card(place);
            is_beside && self.events[at].number > 0 && plays()
        };
        let bet = (self.pass().start..until).rev().find(|&at| {
            let event = &self.events[at];
            let is_bet = event.is(Kind::Bet, place) && event.spot == spot && !self.is_ignored(at);
            is_bet
                && !self.is_taken_in_vain(at)
                && !self.is_too_late(at)
                && self.collected_half(at).is_none()
                && (at < settled || is_added(at))
        });
        bet.map_or(0, |at| self.events[at].number)
    }

    /// Whether chips are taken off that count as they were: a double's once its card has come, those of a hand that
    /// could withdraw until it says so, those of a tie, those of an insurance when they were lost.
    pub fn is_taken_in_vain(&self, at: usize) -> bool {
        let (event, before) = (&self.events[at], self.at(at));
        let Some(hand) = event.place.filter(|_| event.number == 0) else { return false };
        match event.spot.as_str() {
            "double" => before.dealt(hand).len() > 2,
            "main" => before.may_withdraw(hand) || before.bank_is_final() && before.is_tie(hand),
            "insurance" => (self.house.plan.account)(&before, hand, "insurance", false)
                .is_some_and(|account| account.outcome == "lose"),
            _ => false,
        }
    }

    /// Whether a hand ties with a bank that has played.
    fn is_tie(&self, hand: Place) -> bool {
        (self.house.plan.account)(self, hand, "main", false).is_some_and(|account| account.outcome == "push")
    }

    /// Whether chips come to an insurance that has been settled.
    fn is_too_late(&self, at: usize) -> bool {
        let event = &self.events[at];
        let settled = |hand| self.at(at).moved(hand, "insurance").next().is_some();
        event.spot == "insurance" && event.place.is_some_and(settled)
    }

    /// Whether a bettor was offered to withdraw and has not answered yet.
    pub fn may_withdraw(&self, hand: Place) -> bool {
        let offers =
            |part: &Part| matches!(part, Part::Offer(at, options) if *at == hand && options.contains(&"withdraw"));
        let is_answered = |found: &Finding| self.since(found.at, |event| event.is(Kind::Choose, hand));
        let mut found = self.found().filter(|found| found.at < self.now);
        found.any(|found| found.what.remedy.iter().any(offers) && !is_answered(found))
    }

    /// What lies on a spot now, refused or not.
    pub fn chips(&self, place: Place, spot: &str) -> u64 {
        self.last(|event| event.is(Kind::Bet, place) && event.spot == spot).map_or(0, |at| self.events[at].number)
    }

    /// A hand's stake without what was put to double it.
    pub fn stake(&self, hand: Place) -> u64 {
        self.known().stakes.of(hand, || self.staked(hand))
    }

    fn staked(&self, hand: Place) -> u64 {
        let Some((from, _)) = self.opened_from(hand) else { return self.on_spot(hand, "main") };
        if self.house.figure("max_hands") <= 2 {
            return self.on_spot(from, "split").max(self.on_spot(hand, "split"));
        }
        // the chips before a hand are those of all the hands opened from it
        let beside = || self.piles().opened.iter().filter(|(other, _, _)| *other == from);
        let each = self.on_spot(hand.first_hand(), "main");
        let earlier = beside().take_while(|(_, new, _)| *new != hand).count() as u64;
        let own = self.on_spot(from, "split").saturating_sub(each * earlier);
        if beside().next_back().is_some_and(|(_, new, _)| *new == hand) { own } else { own.min(each) }
    }

    /// A hand's stake with what was put to double it.
    pub fn whole_stake(&self, hand: Place) -> u64 {
        self.stake(hand) + self.on_spot(hand, "double")
    }

    /// The event at which a hand's bet became void or was withdrawn.
    pub fn void_at(&self, hand: Place) -> Option<usize> {
        self.known().void.of(hand, || self.voided_for(hand))
    }

    fn voided_for(&self, hand: Place) -> Option<usize> {
        let about = |finding: &&Finding| finding.what.place == Some(hand);
        let ruled = self.found().filter(about).find_map(|finding| match &finding.ruled {
            Some((word, at)) if word == "void" && self.had_bet(hand, *at) => Some(*at),
            _ => None,
        });
        let is_voided = |found: &&Finding| found.what.effect == Effect::Void && about(found) && !found.stands();
        let refused_at = self.refused(hand).map(|finding| finding.at);
        let voided = self.found().find(is_voided).map(|finding| finding.at).or_else(|| self.voided_at());
        let is_consent = |found: &&Finding| found.what.provision == "C4" && !found.stands();
        let refused = self.found().filter(about).find(is_consent);
        let refused = refused.and_then(|found| {
            (found.at..self.now).find(|&at| self.events[at].is(Kind::Consent, hand) && !self.events[at].yes)
        });
        let is_left = |finding: &&Finding| {
            finding.what.provision == "C4" && finding.state == State::Breached && self.dealt(hand).len() == 1
        };
        let left = self.found().filter(about).find(is_left).map(|finding| finding.at);
        // a play that does not start
        let unstarted = self.found().find(|found| found.what.provision == "G22" && !found.stands());
        let unstarted = unstarted.map(|found| found.at);
        let withdrawn =
            self.pass().find(|&at| self.events[at].says(Kind::Choose, hand, "withdraw") && self.is_offered(at));
        [ruled, voided, refused, refused_at, left, unstarted, withdrawn]
            .into_iter()
            .flatten()
            .filter(|at| *at < self.now)
            .min()
    }

    /// The event at which every bet of the pass became void: by D7, or by the room for a finding without a box.
    pub fn voided_at(&self) -> Option<usize> {
        *self.known().voided.get_or_init(|| self.all_voided())
    }

    fn all_voided(&self) -> Option<usize> {
        let whole = |finding: &&Finding| finding.what.place.is_none_or(|place| place.number().is_none());
        let voided = |finding: &Finding| match &finding.ruled {
            Some((word, at)) if word == "void" => Some(*at),
            _ => (finding.what.effect == Effect::Void && !finding.stands()).then_some(finding.at),
        };
        let bet = self.first(|event| event.kind == Kind::Bet)?;
        self.found().filter(whole).filter_map(voided).filter(|at| (bet..self.now).contains(at)).min()
    }

    /// Why a bet takes no part; dealt to all the same, it counts.
    pub fn refused(&self, hand: Place) -> Option<&'a Finding> {
        let is_so = |found: &&Finding| {
            found.what.effect == Effect::Refused && found.what.place == Some(hand) && found.state != State::Cleared
        };
        let found = self.found().filter(is_so).find(|found| found.ruled.is_none())?;
        (!self.has(|event| event.is(Kind::Draw, hand))).then_some(found)
    }

    /// Whether a hand's bet is without effect.
    pub fn is_void(&self, hand: Place) -> bool {
        self.void_at(hand).is_some()
    }

    /// Whether the chips of a split are taken off before either hand has got a card.
    pub fn gives_up_split(&self) -> bool {
        let event = self.event();
        let mut own = self.hands().iter().copied().filter(|hand| hand.number() == event.place.and_then(Place::number));
        event.spot == "split"
            && event.number == 0
            && own.clone().count() == 2
            && own.all(|hand| self.dealt(hand).len() == 1)
    }

    /// The half of a pair, over 21, whose stake an event takes off where it was laid to open it.
    pub fn collected_half(&self, at: usize) -> Option<Place> {
        let (event, then) = (&self.events[at], self.at(at));
        let from = event.place.filter(|_| event.kind == Kind::Bet && event.spot == "split")?;
        let taken = then.chips(from, "split").checked_sub(event.number).filter(|taken| *taken > 0)?;
        let is_it = |half: &Place| {
            let is_of_pair = then.opened_from(*half).is_some_and(|(other, _)| other == from);
            is_of_pair && then.is_over(*half) && then.stake(*half) == taken && then.settled_at(*half).is_none()
        };
        then.hands().iter().copied().find(is_it)
    }

    /// The first chips moved for a hand, the collection of one over 21 included.
    pub fn settled_at(&self, hand: Place) -> Option<usize> {
        self.known().settled.of(hand, || self.first_moved(hand))
    }

    fn first_moved(&self, hand: Place) -> Option<usize> {
        let first = self.first(|event| event.kind == Kind::Draw)?;
        let taken_off = || {
            let last = self.last(|event| event.is(Kind::Bet, hand) && event.spot == "main")?;
            (last > first && self.events[last].number == 0 && self.at(last).is_over(hand)).then_some(last)
        };
        let of_pair = || self.pass().find(|at| self.collected_half(*at) == Some(hand));
        self.moved(hand, "main").find(|at| *at > first).or_else(taken_off).or_else(of_pair)
    }
}
