//! Whose turn it is, who waits for a card, and who sits and bets.

use std::collections::BTreeMap;

use crate::facts::View;
use crate::facts::found::{Effect, Finding, Part, State};
use crate::log::{Event, Kind, Place};

impl<'a> View<'a> {
    /// The last decision that counts for a hand since its last card.
    pub fn decided(&self, hand: Place) -> Option<&'a str> {
        let from = self.dealt(hand).last().map_or(self.pass().start, |draw| draw + 1);
        let is = |at: &usize| {
            self.events[*at].is(Kind::Decide, hand)
                && !matches!(self.events[*at].word.as_str(), "insure" | "decline" | "split")
                && !self.is_ignored(*at)
        };
        // who stood has finished, whatever is said or dealt after it
        let has_stood = self.pass().filter(is).any(|at| self.events[at].word == "stand");
        let last = || (from..self.now).rev().find(is).map(|at| self.events[at].word.as_str());
        if has_stood { Some("stand") } else { last() }
    }

    /// Whether a hand was heard to stand: it doubles and splits no more.
    pub fn has_stood(&self, hand: Place) -> bool {
        self.sees("decisions") && self.decided(hand) == Some("stand")
    }

    /// Whether a hand was doubled, by word or by chips.
    pub fn is_doubled(&self, hand: Place) -> bool {
        let by_word = |at: usize| self.events[at].says(Kind::Decide, hand, "double");
        let by_chips = |at: usize| {
            self.events[at].is(Kind::Bet, hand) && self.events[at].spot == "double" && self.events[at].number > 0
        };
        // chips that are taken back before the card give it up
        let is_given_up = |from: usize| {
            let is_off = |event: &Event| event.is(Kind::Bet, hand) && event.spot == "double" && event.number == 0;
            (from..self.now).any(|at| is_off(&self.events[at]) && self.at(at).dealt(hand).len() == 2)
        };
        // who has stood since doubles no more, though the room lets stand what he had said
        let has_stood = |from: usize| {
            let ruled = self.findings.iter().filter(|found| found.at == from).find_map(|found| found.ruled.as_ref());
            ruled.is_some_and(|(_, ruled)| (from..*ruled).any(|at| self.events[at].says(Kind::Decide, hand, "stand")))
        };
        let is = |at: usize| by_word(at) && !has_stood(at) || by_chips(at) && !is_given_up(at);
        self.pass().any(|at| is(at) && !self.is_ignored(at))
    }

    /// Whether what a hand asks for goes beyond the one card of its double. A double that chips told before may still
    /// be said, once.
    pub fn asks_beyond_double(&self, hand: Place) -> bool {
        let is_said = self.has(|event| event.says(Kind::Decide, hand, "double"));
        let is_late = self.event().word == "double" && !is_said;
        self.is_doubled(hand) && self.dealt(hand).len() > 2 && !is_late
    }

    /// Whether a hand waits for a card that was asked for.
    pub fn awaits_card(&self, hand: Place) -> bool {
        let cards = self.dealt(hand).len();
        let is_next = |at: &usize| self.events[*at].says(Kind::Choose, hand, "next_card") && self.is_offered(*at);
        let next = self.pass().rfind(is_next);
        let is_chosen = next.is_some_and(|at| self.dealt(hand).last().is_none_or(|draw| *draw < at));
        let consents = self.last(|event| event.is(Kind::Consent, hand));
        let is_completed = cards == 1 && consents.is_some_and(|at| self.events[at].yes);
        let is_opened = self.is_split(hand) && cards == 1;
        let is_doubled = cards == 2 && self.is_doubled(hand) && !self.has_lapsed(hand);
        is_chosen || is_completed || is_opened || is_doubled || self.decided(hand) == Some("hit")
    }

    /// Whether the shoe is empty and nobody can see or hear whether a card is lacking: the pass may be void.
    pub fn may_lack_card(&self) -> bool {
        let is_empty = |event: &Event| event.device.as_deref() == Some("shoe") && event.word == "empty";
        let is_unseen = !self.sees("decisions") || !self.sees("turns");
        is_unseen && self.has(|event| event.kind == Kind::Draw) && self.since(self.loaded().unwrap_or(0), is_empty)
    }

    /// Whether play has gone on past a double that was not paid for: that hand has stood.
    pub fn has_lapsed(&self, hand: Place) -> bool {
        let is_late = |found: &Finding| {
            let is_its = found.what.refuses == Some((hand, "double")) && found.what.effect == Effect::None;
            is_its && !self.events[found.at].is(Kind::Draw, hand) && !found.stands()
        };
        self.found().any(is_late)
    }

    /// Whether a hand was doubled with chips and has not got its card.
    pub fn waits_for_double(&self, hand: Place) -> bool {
        let is_paid = self.is_doubled(hand) && self.on_spot(hand, "double") > 0;
        is_paid && self.plays(hand) && self.dealt(hand).len() == 2 && self.settled_at(hand).is_none()
    }

    /// A hand that has not stood, doubled, been given up, reached 21 or gone over.
    pub fn is_unfinished(&self, hand: Place) -> bool {
        let is_done = self.decided(hand) == Some("stand")
            || self.is_doubled(hand)
            || self.surrendered(hand).is_some()
            || self.is_served_ace(hand)
            || self.is_ruled_lost(hand)
            || self.settled_at(hand).is_some()
            || self.is_without_stake(hand);
        // whose delivery may be completed has no turn before it is
        let is_left = self.is_left(hand);
        let is_dealt = !self.dealt(hand).is_empty();
        let may_draw = self.may_draw(hand) && !self.has_21(hand);
        self.plays(hand) && is_dealt && !is_left && !is_done && !self.has_no_claim(hand) && may_draw
    }

    /// A half of a pair for which no chips were laid.
    pub fn is_without_stake(&self, hand: Place) -> bool {
        self.opened_from(hand).is_some() && self.stake(hand) == 0
    }

    /// A hand with one card whose delivery may be completed.
    pub fn is_left(&self, hand: Place) -> bool {
        let is_open = |found: &Finding| {
            let is_ruled = found.stands() || found.goes_on() && self.burned_good_cards(found);
            found.what.place == Some(hand) && self.is_about_a_card_short(found) && !is_ruled
        };
        self.dealt(hand).len() == 1 && self.found().any(is_open)
    }

    /// Whether the room has not decided yet about good cards of a hand that were burned.
    pub fn awaits_ruling(&self, hand: Place) -> bool {
        let is_about = |found: &Finding| found.what.place == Some(hand) && self.burned_good_cards(found);
        self.found().any(|found| is_about(found) && found.ruled.is_none())
    }

    /// A finding that leaves a hand with one card: it was passed over (C4), or a good card of it was burned.
    pub fn is_about_a_card_short(&self, found: &Finding) -> bool {
        found.what.provision == "C4" || self.burned_good_cards(found)
    }

    fn burned_good_cards(&self, found: &Finding) -> bool {
        self.events[found.at].to == Some(Place::Burn) && found.what.remedy == [Part::Rule]
    }

    /// The room let lie what lies of the bank: it is dealt no more cards that were left out.
    pub fn bank_is_let_be(&self) -> bool {
        let is_burned = |found: &Finding| found.what.place == Some(Place::Bank) && self.burned_good_cards(found);
        let serves = |found: &Finding| found.what.remedy.contains(&Part::Serve(Place::Bank)) || is_burned(found);
        self.found().any(|found| found.at < self.now && serves(found) && found.stands())
    }

    /// The first unfinished hand: it is its turn.
    pub fn turn(&self) -> Option<Place> {
        self.playing().iter().copied().find(|hand| self.is_unfinished(*hand))
    }

    /// Whether an event is one of play: about a hand with cards.
    pub fn is_play(&self, at: usize) -> bool {
        let has_cards = |hand: Place| !self.at(at).lying(hand).is_empty();
        self.is_choice(at) && self.events[at].place.is_some_and(has_cards)
    }

    /// Whether an event is a question, choice or declaration that is not about insurance.
    pub fn is_choice(&self, at: usize) -> bool {
        let event = &self.events[at];
        let before = self.at(at);
        let Some(hand) = event.place.filter(|hand| before.hands().contains(hand)) else { return false };
        let about_insurance = || {
            let asked = before.last(|ask| ask.is(Kind::Ask, hand));
            let ace =
                || before.dealt(hand).first().and_then(|draw| before.card(*draw)).is_some_and(|card| card.rank == 1);
            asked.map_or_else(
                || !before.sees("asks") || before.dealt(hand).len() == 1 && ace(),
                |ask| self.events[ask].word == "insurance",
            )
        };
        match event.kind {
            Kind::Ask => event.word != "insurance",
            Kind::Decide if event.word == "decline" => !about_insurance(),
            Kind::Decide if event.word == "insure" => false,
            // where nobody may give up, saying so is a choice like any other
            Kind::Decide if event.word == "surrender" => self.house.is("surrender", "never"),
            Kind::Decide => event.word != "even_money" || !self.house.yes("even_money"),
            Kind::Ace => true,
            _ => false,
        }
    }

    /// Whether play has begun.
    pub fn play_began(&self) -> bool {
        self.pass().any(|at| self.is_play(at))
    }

    /// Whether bets are closed: by word or by the first card.
    pub fn is_closed(&self) -> bool {
        self.has(|event| event.kind == Kind::CloseBets) || self.is_dealing()
    }

    /// Whether the event, one that closes bets, closes those of the pass.
    pub fn closes(&self) -> bool {
        !self.is_closed() && self.has(|event| event.kind == Kind::Bet)
    }

    /// The boxes of the table.
    pub fn boxes(&self) -> impl Iterator<Item = Place> + use<> {
        (1..=self.header.boxes).map(|number| Place::Hand(number, 0))
    }

    /// Whether a card was drawn since the first bet.
    pub fn is_dealing(&self) -> bool {
        let bet = self.first(|event| event.kind == Kind::Bet);
        bet.is_some_and(|bet| self.since(bet, |event| event.kind == Kind::Draw))
    }

    /// Whether the bank's cards are uncovered and it may draw no more.
    pub fn bank_is_final(&self) -> bool {
        let is_dealt = self.dealt(Place::Bank).len() >= 2 || self.bank_is_let_be();
        is_dealt && self.bank_stands(false).is_some_and(|stands| stands || self.bank_may_stop())
    }

    /// The room let it be that the bank did not draw.
    pub fn bank_may_stop(&self) -> bool {
        let is_so = |found: &Finding| found.what.provision == "D12" && found.stands();
        self.found().any(|found| is_so(found) && found.what.remedy.contains(&Part::Serve(Place::Bank)))
    }

    /// Whether this is the bank's second card, which comes after play, before all have played.
    pub fn is_bank_early(&self) -> bool {
        let is_second = self.event().is(Kind::Draw, Place::Bank) && !self.dealt(Place::Bank).is_empty();
        is_second && self.house.is("bank_second_card", "after_play") && !(self.house.plan.have_played)(self)
    }

    /// Whether the second delivery has begun.
    pub fn in_second(&self) -> bool {
        // a card that was taken away since has been dealt all the same
        let first = |place: Place| self.pass().find(|&at| self.events[at].is(Kind::Draw, place) && self.counts(at));
        let others = self.playing().iter().copied().map(first);
        // a card that the bank got before everybody, and may keep, begins nothing
        let is_early = |bank: usize| others.clone().all(|draw| draw.is_none_or(|draw| draw > bank));
        let goes_on = |bank: usize| is_early(bank) && others.clone().any(|draw| draw.is_none());
        first(Place::Bank).is_some_and(|bank| !goes_on(bank)) || self.is_found("C13", Place::Bank)
    }

    /// The box or the bank for which the delivery has a card next, and those that wait after it.
    pub fn waiting(&self) -> Vec<Place> {
        let has = usize::from(self.in_second());
        let mut waiting = self.playing().to_vec();
        let let_in = |hand: &Place| {
            let is_burned = |found: &Finding| self.burned_good_cards(found) && !self.play_began();
            let left_out = |found: &Finding| found.what.provision == "C10" || is_burned(found);
            let is_so = |found: &Finding| left_out(found) && found.stands() && found.what.place == Some(*hand);
            self.dealt(*hand).is_empty() && self.found().any(is_so)
        };
        waiting.retain(|hand| {
            let is_next = self.dealt(*hand).len() == has || let_in(hand);
            let is_left = self.is_left(*hand) || self.awaits_ruling(*hand);
            let is_out = self.has_no_claim(*hand) || is_left || self.is_ruled_lost(*hand);
            is_next && !self.is_split(*hand) && !is_out
        });
        if !self.bank_is_let_be()
            && self.dealt(Place::Bank).len() <= has
            && (self.dealt(Place::Bank).is_empty() || self.house.is("bank_second_card", "covered"))
        {
            waiting.push(Place::Bank);
        }
        waiting
    }

    /// Whether a finding that is open asks for a card there.
    pub fn is_asked_for(&self, place: Place) -> bool {
        let asks = |finding: &&Finding| finding.missing(self).contains(&Part::Serve(place));
        self.found().filter(|finding| finding.is_open() && finding.at < self.now).any(|finding| asks(&finding))
    }

    /// Whether bringing a spot to this amount is what a finding asks for.
    pub fn is_returned(&self) -> bool {
        let event = self.event();
        let is_asked = |part: &Part| match *part {
            Part::ReturnBet(place, spot, least, most) => {
                let is_right = event.number == 0 || (least..=most).contains(&event.number);
                event.place == Some(place) && event.spot == spot && is_right
            }
            _ => false,
        };
        // what was put right is a bet like any other
        let is_left = |found: &Finding| found.state != State::Cleared && !found.stands();
        self.found().any(|found| is_left(found) && found.what.remedy.iter().any(is_asked))
    }

    /// Who bets on a box in this pass: who is named with the chips, else who sits there.
    pub fn bettor(&self, place: Place) -> Option<&'a str> {
        let at = self.first_bet(place)?;
        self.events[at].player.as_deref().or_else(|| self.sits_at(u64::from(place.number()?)))
    }

    /// The same where somebody is named with the chips.
    pub fn named_bettor(&self, place: Place) -> Option<&'a str> {
        self.events[self.first_bet(place)?].player.as_deref()
    }

    /// The bet that makes a box somebody's.
    fn first_bet(&self, place: Place) -> Option<usize> {
        let place = self.sees("bets").then(|| place.first_hand())?;
        let is_bet = |event: &Event| event.is(Kind::Bet, place) && event.spot == "main" && event.number > 0;
        let is_refused = |at: usize| self.found().any(|found| found.at == at && found.what.provision == "D3");
        // a box that was given up before the close is anybody's
        let is_given_up = |event: &Event| event.is(Kind::Bet, place) && event.spot == "main" && event.number == 0;
        let given_up = self.pass().rev().find(|&at| is_given_up(&self.events[at]) && !self.at(at).is_closed());
        let from = given_up.unwrap_or(self.pass().start);
        (from..self.now).find(|&at| is_bet(&self.events[at])).filter(|at| !is_refused(*at))
    }

    /// Who sits there.
    fn sits_at(&self, seat: u64) -> Option<&'a str> {
        let sat = self.events[..self.now].iter().rfind(|event| event.kind == Kind::Seat && event.number == seat)?;
        self.seated().values().any(|player| Some(player) == sat.player.as_ref()).then_some(sat.player.as_deref())?
    }

    /// Whether who got up had sat down at another seat since.
    pub fn has_changed_seat(&self, at: usize) -> bool {
        let up = &self.events[at];
        let is_his = |event: &&Event| event.player == up.player && matches!(event.kind, Kind::Seat | Kind::Leave);
        let own = || self.events[..at].iter().filter(is_his);
        let sits = own().rfind(|event| event.kind == Kind::Seat);
        let there = own().rfind(|event| event.number == up.number);
        there.is_some_and(|event| event.kind == Kind::Seat) && sits.is_some_and(|event| event.number != up.number)
    }

    /// Who is seated, by seat.
    pub fn seated(&self) -> BTreeMap<u64, String> {
        let mut seated = BTreeMap::new();
        for (at, event) in self.events[..self.now].iter().enumerate() {
            match (event.kind, &event.player) {
                (Kind::Seat, Some(player)) => {
                    seated.retain(|_, sits| sits != player);
                    seated.insert(event.number, player.clone());
                }
                (Kind::Leave, Some(player)) if !self.has_changed_seat(at) => seated.retain(|_, sits| sits != player),
                _ => {}
            }
        }
        seated
    }

    /// The event that loaded the shoe.
    pub fn loaded(&self) -> Option<usize> {
        self.last_in(0..self.now, |event| event.kind == Kind::Load)
    }
}
