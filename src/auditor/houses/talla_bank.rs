//! `talla`: who has the bank, and who may move it.

use crate::facts::View;
use crate::facts::found::{Effect, Found};
use crate::houses::everywhere::first_broken;
use crate::log::{Card, Event, Kind, Place};
use crate::rows::{Row, found_if};

pub(super) const ROWS: &[Row] = &[
    Row { provision: "T-T1", on: &[Kind::Bank], needs: &[], find: wrongly_drawn },
    Row { provision: "T-B5", on: &[Kind::Bank], needs: &["bets", "places", "hands"], find: wrongly_moved },
    Row { provision: "T-B5", on: &[Kind::Bet], needs: &[], find: not_drawn_for },
];

/// The events that moved the bank, or left it where it is.
fn moves<'a>(view: &'a View) -> impl DoubleEndedIterator<Item = usize> + 'a {
    (0..view.now).filter(|&at| view.events[at].kind == Kind::Bank && !view.is_ignored(at))
}

fn is_move(word: &str) -> bool {
    ["drawn", "taken", "given", "sold"].contains(&word)
}

/// Whether nobody banks: the bank was returned to the deck, or nothing tells who has it.
fn is_returned(view: &View) -> Option<bool> {
    let last = moves(view).rfind(|&at| view.events[at].word != "left")?;
    Some(view.events[last].word == "returned")
}

/// The ace high, then hearts, diamonds, clubs and spades.
fn height(card: Card) -> (u8, usize) {
    (if card.rank == 1 { 14 } else { card.rank }, "SCDH".find(card.suit).unwrap_or(0))
}

fn wrongly_drawn(view: &View) -> Vec<Found> {
    if view.event().word != "drawn" {
        return Vec::new();
    }
    let from = moves(view).next_back().map_or(0, |at| at + 1);
    let drawn = || view.events[from..view.now].iter().filter(|event| event.kind == Kind::BankCard);
    let highest = drawn().filter_map(|event| event.card.map(height)).max();
    let is_high = |card: Card| highest == Some(height(card));
    let mut best = drawn().filter(|event| event.card.is_some_and(is_high));
    // nobody knows how high a card is that could not be read
    let is_his = |event: &&Event| event.player == view.event().player;
    let may_be = drawn().filter(is_his).any(|event| event.card.is_some_and(|card| card.rank == 0));
    let is_highest = highest.is_none() || may_be || best.any(|event| event.player == view.event().player);
    let is_free = is_returned(view) != Some(false);
    found_if(!is_highest || !is_free, Found::new().with(Effect::Ignored))
}

fn not_drawn_for(view: &View) -> Vec<Found> {
    let event = view.event();
    let is_first = event.spot == "main" && event.number > 0 && !view.has(|event| event.kind == Kind::Bet);
    found_if(is_first && is_returned(view) == Some(true), Found::new())
}

/// A hand of a player in the pass that `end` is, or will be, the end of.
fn hands_of<'a>(pass: &'a View, player: &'a str) -> impl Iterator<Item = Place> + 'a {
    pass.hands().iter().copied().filter(move |hand| pass.bettor(*hand) == Some(player))
}

/// The pass of whose Black Jacks the right comes: the one that is settled but not ended, or the last one before it.
fn last_pass<'a>(view: &View<'a>) -> Option<View<'a>> {
    let has_cards = view.has(|event| event.kind == Kind::Draw);
    if has_cards {
        return Some(view.at(view.now));
    }
    before(view)
}

/// The last pass before this one in which a card was dealt: bets that were taken off again are none.
fn before<'a>(view: &View<'a>) -> Option<View<'a>> {
    let ends = (0..view.pass().start).rev().filter(|at| view.events[*at].kind == Kind::End);
    ends.map(|end| view.at(end)).find(|pass| pass.has(|event| event.kind == Kind::Draw))
}

fn wrongly_moved(view: &View) -> Vec<Found> {
    let event = view.event();
    if event.word == "drawn" {
        return Vec::new();
    }
    let named = match event.word.as_str() {
        "taken" | "turn" => event.player.as_deref().or(event.by.as_deref()),
        _ => event.by.as_deref().or(event.player.as_deref()),
    };
    let player = named.unwrap_or_default();
    let last = last_pass(view);
    // given or sold by nobody who is named: somebody must have had the right
    let is_anybodys = ["given", "sold"].contains(&event.word.as_str()) && event.by.is_none();
    let of_player = |pass: &View| match is_anybodys {
        true => pass.hands().to_vec(),
        false => hands_of(pass, player).collect(),
    };
    let hands: Vec<Place> = last.iter().flat_map(of_player).collect();
    let blackjacks = |is_split: bool| {
        let of = |pass: &View, hand: &Place| pass.is_blackjack(*hand) && pass.is_split(*hand) == is_split;
        hands.iter().copied().find(|hand| last.as_ref().is_some_and(|pass| of(pass, hand)))
    };
    let sits = |pass: &View| hands_of(pass, player).next().filter(|_| !is_anybodys);
    let passes = [Some(view.at(view.now)), last_pass(view), before(view)];
    let sat = || passes.iter().flatten().find_map(sits);
    let place = blackjacks(false).or_else(|| blackjacks(true)).or_else(sat);
    let found =
        |provision: &str| Found { provision: provision.to_owned(), place, ..Found::new().with(Effect::Ignored) };
    // of a pass that was not seen from its beginning nobody knows who bet; of one not seen whole, who had which cards
    let is_unknown = |pass: &View| !pass.sees("hands") || !pass.has(|event| event.kind == Kind::Bet);
    if last.as_ref().is_some_and(is_unknown) {
        return Vec::new();
    }
    let is_playing = view.has(|event| event.kind == Kind::Draw) && !is_settled(view);
    let first = |pass: &View| pass.first(|event| event.kind == Kind::Draw);
    let begun = last.as_ref().and_then(first).unwrap_or(0);
    let is_used = moves(view).any(|at| {
        let other = &view.events[at];
        let is_own = other.by.as_deref().or(other.player.as_deref()) == Some(player);
        at >= begun && (is_own || other.word != "left" && other.word != "drawn")
    });
    let nobodys = |pass: &View| {
        pass.hands().iter().copied().any(|hand| pass.is_blackjack(hand) && pass.named_bettor(hand).is_none())
    };
    let may_be = |pass: &View| hands.iter().any(|hand| pass.is_unread(*hand) && pass.dealt(*hand).len() == 2);
    let may_have = last.as_ref().is_some_and(|pass| nobodys(pass) || may_be(pass));
    let has_none = blackjacks(false).is_none() && blackjacks(true).is_none();
    if has_none && may_have && !is_playing && event.word != "turn" {
        return Vec::new();
    }
    if event.word == "turn" || is_playing || has_none || is_used {
        return vec![found("T-B5")];
    }
    if event.word == "left" {
        return Vec::new();
    }
    if blackjacks(false).is_none() {
        return vec![found("T-B8")];
    }
    let had_too = last.as_ref().is_some_and(|pass| pass.is_blackjack(Place::Bank));
    let broken = first_broken(&[("T-B6", is_first_hand(view, begun)), ("T-B7", had_too)]);
    broken.map(found).into_iter().collect()
}

/// Whether every hand of the pass has its chips, all of them.
fn is_settled(view: &View) -> bool {
    let is_owed = |hand: &Place| crate::money::owed(view, *hand, "main").is_none_or(|account| account.owed() != 0);
    let gets = |hand: Place, spot: &str| {
        crate::money::owed(view, hand, spot).is_some_and(|account| account.owed() > view.done(hand, spot))
    };
    let lacks = |hand: &Place| view.is_money_open(*hand) && (gets(*hand, "main") || gets(*hand, "insurance"));
    !view.playing().iter().any(|hand| view.settled_at(*hand).is_none() && is_owed(hand) || lacks(hand))
}

/// Whether the pass that began there is the first that was dealt since the bank came to who has it.
fn is_first_hand(view: &View, begun: usize) -> bool {
    let is_each_bankers = view.house.is("first_hand_keeps_bank", "each_banker");
    let came = moves(view).rfind(|&at| is_each_bankers && is_move(&view.events[at].word)).unwrap_or(0);
    !view.events[came..begun.max(came)].iter().any(|event| event.kind == Kind::Draw)
}
