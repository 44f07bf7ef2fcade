//! `talla`: what each bet is owed.

use crate::facts::View;
use crate::facts::found::{Effect, Finding};
use crate::facts::house::Account;
use crate::houses::talla::{is_discarded, is_short};
use crate::log::Place;
use crate::money::{against_blackjack, blackjack, given_up, refused};

/// The account of a spot (`money::account`).
pub(super) fn account(view: &View, hand: Place, spot: &str, at_end: bool) -> Option<Account> {
    if spot == "insurance" {
        return against_blackjack(view, hand, at_end, "T-S8");
    }
    let stake = view.whole_stake(hand);
    if stake == 0 {
        return refused(view, hand, "T-Q1");
    }
    if view.is_void(hand) {
        return Some(Account::new("void", stake, 0, "T0"));
    }
    if view.is_ruled_lost(hand) {
        return Some(Account::new("lose", stake, 0, "T0"));
    }
    if let Some(half) = given_up(view, hand, stake, "T-R2", at_end) {
        return Some(half);
    }
    if view.took_even_money(hand).is_some() {
        return Some(Account::new("blackjack", stake, stake, "T-S9"));
    }
    let goes_on =
        |found: &Finding| found.what.effect == Effect::Lost && found.what.place == Some(hand) && found.goes_on();
    if is_discarded(view, hand) && !view.found().any(goes_on) {
        return Some(Account::new("unknown", stake, 0, "T0"));
    }
    if is_short(view, hand) {
        return Some(Account::new("void", stake, 0, "T0"));
    }
    Some(compared(view, hand, stake, at_end).unwrap_or_else(|| Account::new("unknown", stake, 0, "T0")))
}

fn compared(view: &View, hand: Place, stake: u64, at_end: bool) -> Option<Account> {
    let total_of = |place| if at_end { view.turned_total(place) } else { view.total(place) };
    let total = total_of(hand).filter(|_| view.dealt(hand).len() >= 2)?;
    if total > 21 {
        return Some(Account::new("lose", stake, 0, "T-Q6"));
    }
    if view.may_be_paid_early(hand) {
        return Some(Account::new("blackjack", stake, blackjack(view, hand, stake), "T-B2"));
    }
    let beats = view.house.yes("blackjack_beats_21");
    let (ours, theirs) = (view.is_blackjack(hand), view.is_blackjack(Place::Bank));
    let is_defined = || view.bank_stands(at_end) == Some(true) || ours && beats;
    let bank = total_of(Place::Bank).filter(|_| view.dealt(Place::Bank).len() >= 2 && is_defined())?;
    if !beats && total == bank {
        return Some(Account::new("push", stake, 0, "T-Q7"));
    }
    let is_split = view.is_split(hand);
    Some(match (ours, theirs) {
        (true, true) => Account::new("push", stake, 0, if is_split { "T-B9" } else { "T-B4" }),
        (true, false) if is_split => Account::new("blackjack", stake, blackjack(view, hand, stake), "T-B8"),
        (true, false) => Account::new("blackjack", stake, blackjack(view, hand, stake), "T-B2"),
        (false, true) => Account::new("lose", stake, 0, if total == 21 { "T-B4" } else { "T-B3" }),
        (false, false) if bank > 21 || total > bank => Account::new("win", stake, stake, "T-Q9"),
        (false, false) if total == bank => Account::new("push", stake, 0, "T-Q7"),
        (false, false) => Account::new("lose", stake, 0, "T-Q9"),
    })
}
