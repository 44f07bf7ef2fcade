//! `croupier-6`: what each bet is owed.

use crate::facts::View;
use crate::facts::found::{Effect, Finding};
use crate::facts::house::Account;
use crate::log::{Kind, Place};
use crate::money::{blackjack, given_up, refused};

/// The account of a spot (`money::account`).
pub(super) fn account(view: &View, hand: Place, spot: &str, at_end: bool) -> Option<Account> {
    if spot != "main" {
        return None;
    }
    let stake = view.whole_stake(hand);
    if stake == 0 {
        return refused(view, hand, "K7");
    }
    if view.is_void(hand) {
        return Some(Account::new("void", stake, 0, "K2"));
    }
    let about = |finding: &&Finding| finding.what.place == Some(hand);
    if view.is_ruled_lost(hand) || view.has_no_claim(hand) {
        return Some(Account::new("lose", stake, 0, "K2"));
    }
    let is_lost = |found: &Finding| found.what.effect == Effect::Lost && !found.stands() && !found.goes_on();
    // cards put away before the bank has played, where nobody sees chips, tell of no account
    let is_put_away = |at: usize| {
        let (event, then) = (&view.events[at], view.at(at));
        let is_cleared = event.is(Kind::Move, hand) && event.to == Some(Place::Discard);
        let is_short = || view.findings.iter().any(|found| found.at == at && found.what.provision == "K15");
        let is_early = !then.bank_is_final() || is_short();
        is_cleared && is_early && then.is_at_stake(hand) && !then.may_be_paid_early(hand)
    };
    let is_gone = !view.sees("bets") && view.pass().any(is_put_away);
    if is_gone || view.found().filter(about).any(is_lost) {
        return Some(Account::new("unknown", stake, 0, "K0"));
    }
    if let Some(half) = given_up(view, hand, stake, "K2", at_end) {
        return Some(half);
    }
    if view.dealt(hand).len() < 2 && !view.is_split(hand) && (at_end || view.bank_is_final()) {
        return Some(Account::new("void", stake, 0, "K2"));
    }
    Some(compared(view, hand, stake, at_end).unwrap_or_else(|| Account::new("unknown", stake, 0, "K0")))
}

fn compared(view: &View, hand: Place, stake: u64, at_end: bool) -> Option<Account> {
    let total_of = |place| if at_end { view.turned_total(place) } else { view.total(place) };
    let is_whole = |place| view.dealt(place).len() >= 2;
    let total = total_of(hand).filter(|_| is_whole(hand))?;
    if total > 21 {
        return Some(Account::new("lose", stake, 0, "K11"));
    }
    let (ours, theirs) = (view.is_blackjack(hand), view.is_blackjack(Place::Bank));
    let beats = view.house.yes("blackjack_beats_21");
    // two cards of the bank tell what a Black Jack is worth that beats every 21
    let is_told = ours && beats && (at_end || !view.house.yes("bank_draws_against_blackjacks"));
    // nor does the bank draw on, where only Black Jacks are left and it need not
    let is_spared = ours && at_end && !view.house.yes("bank_draws_against_blackjacks");
    let is_defined = is_told || is_spared || view.bank_stands(at_end) == Some(true);
    let pays = blackjack(view, hand, stake);
    if view.may_be_paid_early(hand) {
        return Some(Account::new("blackjack", stake, pays, "K13"));
    }
    let bank = total_of(Place::Bank).filter(|_| is_defined && is_whole(Place::Bank))?;
    Some(match (ours, theirs) {
        (true, true) => Account::new("push", stake, 0, "K14"),
        (true, false) if beats || bank != 21 => Account::new("blackjack", stake, pays, "K13"),
        (true, false) => Account::new("push", stake, 0, "K13"),
        (false, true) if beats || total != 21 => Account::new("lose", stake, 0, "K2"),
        _ if bank > 21 || total > bank => Account::new("win", stake, stake, "K2"),
        _ if total == bank => Account::new("push", stake, 0, "K12"),
        _ => Account::new("lose", stake, 0, "K2"),
    })
}
