//! `club`: what each bet is owed.

use crate::facts::View;
use crate::facts::found::{Effect, Finding};
use crate::facts::house::Account;
use crate::log::Place;
use crate::money::{against_blackjack, blackjack, given_up, owed, refused};
use crate::rows::PLAY;

/// The account of a spot (`money::account`).
pub(super) fn account(view: &View, hand: Place, spot: &str, at_end: bool) -> Option<Account> {
    if spot == "insurance" {
        return against_blackjack(view, hand, at_end, "G16");
    }
    let stake = view.whole_stake(hand);
    if stake == 0 {
        let half = view.opened_from(hand).map(|_| Account::new("push", 0, 0, "G4")).filter(|_| !at_end);
        return refused(view, hand, "G0").or(half);
    }
    if view.is_void(hand) || !view.has_dealing() || is_short(view, hand, at_end) {
        return Some(Account::new("void", stake, 0, "G0"));
    }
    if view.is_ruled_lost(hand) {
        return Some(Account::new("lose", stake, 0, "G0"));
    }
    if view.took_even_money(hand).is_some() {
        return Some(Account::new("blackjack", stake, stake, "G4"));
    }
    if let Some(half) = given_up(view, hand, stake, "G4", at_end) {
        return Some(half);
    }
    let known = compared(view, hand, stake, at_end).filter(|_| !awaits_room(view, hand));
    Some(known.unwrap_or_else(|| Account::new("unknown", stake, 0, "G0")))
}

fn compared(view: &View, hand: Place, stake: u64, at_end: bool) -> Option<Account> {
    let total_of = |place| if at_end { view.turned_total(place) } else { view.total(place) };
    let total = total_of(hand).filter(|_| view.dealt(hand).len() >= 2)?;
    if total > 21 {
        return Some(Account::new("lose", stake, 0, "G3"));
    }
    let (ours, theirs) = (view.is_blackjack(hand), view.is_blackjack(Place::Bank));
    let pays = blackjack(view, hand, stake);
    let beats = view.house.yes("blackjack_beats_21");
    if view.may_be_paid_early(hand) {
        return Some(Account::new("blackjack", stake, pays, "G4"));
    }
    let is_defined = || view.bank_stands(at_end) == Some(true) || ours && beats;
    let bank = total_of(Place::Bank).filter(|_| view.dealt(Place::Bank).len() >= 2 && is_defined())?;
    if !beats && total == bank {
        return Some(Account::new("push", stake, 0, "G4"));
    }
    Some(match (ours, theirs) {
        (true, true) => Account::new("push", stake, 0, "G4"),
        (true, false) => Account::new("blackjack", stake, pays, "G4"),
        (false, true) => Account::new("lose", stake, 0, "G4"),
        _ if bank > 21 => Account::new("win", stake, stake, "G11"),
        _ if total > bank => Account::new("win", stake, stake, "G4"),
        _ if total == bank => Account::new("push", stake, 0, "G4"),
        _ => Account::new("lose", stake, 0, "G4"),
    })
}

/// What a spot is owed by now: a Black Jack at once where the bank cannot have one, or by its second card.
pub(super) fn owed_now(view: &View, hand: Place, spot: &str) -> Option<Account> {
    let is_sure = |account: &Account| match account.outcome {
        "blackjack" | "push" => view.is_blackjack(hand) || account.stake == 0,
        outcome => outcome == "void",
    };
    if !view.has_dealing() {
        return None;
    }
    owed(view, hand, spot)
        .or_else(|| account(view, hand, spot, false).filter(|account| spot == "main" && is_sure(account)))
}

/// Whether this event is one of play, for a hand that has cards.
pub(super) fn is_play(view: &View, at: usize) -> bool {
    view.is_play(at) && view.events[at].place.is_some_and(|hand| !view.at(at).dealt(hand).is_empty())
}

pub(super) fn play_began(view: &View) -> bool {
    view.pass().any(|at| is_play(view, at))
}

/// A place of which cards went to the discard tray before their time: it is the room's.
pub(super) fn is_lost(view: &View, place: Place) -> bool {
    let is_about = |found: &Finding| found.what.effect == Effect::Lost && found.what.place == Some(place);
    view.found().any(|found| is_about(found) && view.events[found.at].to == Some(Place::Discard) && !found.stands())
}

/// The same where the room has not had the pass go on without them.
pub(super) fn awaits_room(view: &View, place: Place) -> bool {
    let goes_on =
        |found: &Finding| found.what.effect == Effect::Lost && found.what.place == Some(place) && found.goes_on();
    is_lost(view, place) && !view.found().any(goes_on)
}

/// Whether the room has to decide on a place that was left without a card of the delivery.
pub(super) fn is_left_out(view: &View, place: Place) -> bool {
    let is_about = |found: &Finding| PLAY.contains(&view.events[found.at].kind) && found.what.place == Some(place);
    view.found().any(|found| found.what.provision == "G0" && found.what.effect == Effect::None && is_about(found))
}

/// A hand that was left with less than its two cards: the room has to decide, or the play is over.
pub(super) fn is_short(view: &View, hand: Place, at_end: bool) -> bool {
    let is_few = view.dealt(hand).len() < 2 && !view.is_split(hand) && !awaits_room(view, hand);
    is_few && (at_end && play_began(view) || is_left_out(view, hand))
}
