//! `sala-8`: what each bet is owed.

use crate::facts::View;
use crate::facts::found::{Finding, Part};
use crate::facts::house::Account;
use crate::log::{Kind, Place};
use crate::money::{blackjack, given_up, part, refused};

/// The account of a spot (`money::account`).
pub(super) fn account(view: &View, hand: Place, spot: &str, at_end: bool) -> Option<Account> {
    if spot == "insurance" {
        return insurance(view, hand, at_end);
    }
    let stake = view.whole_stake(hand);
    if stake == 0 {
        return refused(view, hand, "C3");
    }
    let about = |finding: &&Finding| finding.what.place == Some(hand);
    let is_ruled_void = |found: &Finding| found.ruled.as_ref().is_some_and(|(word, _)| word == "void");
    if view.is_ruled_lost(hand) {
        return Some(Account::new("lose", stake, 0, "D14"));
    }
    let has_claim = !view.has_no_claim(hand) || view.found().filter(about).any(is_ruled_void);
    if view.is_void(hand) && has_claim {
        return Some(Account::new("void", stake, 0, "D14"));
    }
    if view.has_no_claim(hand) {
        return Some(Account::new("lose", stake, 0, "D14"));
    }
    if view.may_lack_card() && view.chips(hand, "main") == 0 {
        return Some(Account::new("unknown", stake, 0, "C20"));
    }
    if let Some(half) = given_up(view, hand, stake, "D14", at_end) {
        return Some(half);
    }
    let total = if at_end { view.turned_total(hand) } else { view.total(hand) };
    let is_known = total.is_some_and(|total| total <= 21);
    let is_paid = |found: &Finding| found.what.remedy.contains(&Part::Collect(hand, "main", None));
    if is_known && view.found().filter(about).any(is_paid) {
        return Some(Account::new("win", stake, stake, "F2"));
    }
    // what was known when it was settled is not lost with the bank's cards
    let when_settled = || compared(&view.at(view.settled_at(hand)?), hand, stake, at_end);
    let known = compared(view, hand, stake, at_end).or_else(when_settled);
    Some(known.unwrap_or_else(|| Account::new("unknown", stake, 0, "C20")))
}

/// The comparison table (D14) and the payments (F1, F2, O3). A doubled hand's card must be uncovered.
fn compared(view: &View, hand: Place, stake: u64, at_end: bool) -> Option<Account> {
    // what the room let be of a delivery that was not completed, or of a double without its card
    let let_be = |is_so: &dyn Fn(&Finding) -> bool| {
        view.found().any(|found| is_so(found) && found.what.place == Some(hand) && found.stands())
    };
    let is_short_let_be = let_be(&|found| view.is_about_a_card_short(found));
    if view.dealt(hand).len() < 2 && !is_short_let_be && view.opened_from(hand).is_none() && !view.is_split(hand) {
        return Some(Account::new("void", stake, 0, "D14"));
    }
    let total_of = |place| if at_end { view.turned_total(place) } else { view.total(place) };
    let fewest = match view.on_spot(hand, "double") > 0 && view.is_doubled(hand) {
        _ if is_short_let_be => 1,
        true if !let_be(&|found| found.what.provision == "C9") => 3,
        _ => 2,
    };
    let total = total_of(hand).filter(|_| view.dealt(hand).len() >= fewest)?;
    let lose = Account::new("lose", stake, 0, "D14");
    if total > 21 {
        return Some(lose);
    }
    let is_dealt = view.dealt(Place::Bank).len() >= 2 || view.bank_is_let_be();
    let is_whole = is_dealt && view.bank_stands(at_end).is_some_and(|stands| stands || view.bank_may_stop());
    let beats = view.house.yes("blackjack_beats_21");
    let (ours, theirs) = (view.is_blackjack(hand), view.is_blackjack(Place::Bank));
    // two cards of the bank tell what a Black Jack is worth
    let bank = total_of(Place::Bank).filter(|_| ours && beats && is_dealt || is_whole)?;
    let even = Account::new("push", stake, 0, "D14");
    if !beats && total == bank {
        return Some(even);
    }
    if ours {
        let by = if view.pair_opened(hand) == Some(1) { "O3" } else { "F1" };
        return Some(if theirs { even } else { Account::new("blackjack", stake, blackjack(view, hand, stake), by) });
    }
    let bank = if bank > 21 { 0 } else { bank + u8::from(theirs) };
    Some(match total.cmp(&bank) {
        std::cmp::Ordering::Greater => Account::new("win", stake, stake, "F2"),
        std::cmp::Ordering::Equal => even,
        std::cmp::Ordering::Less => lose,
    })
}

/// The challenge (O4): the second card of a hand that begins with an ace is a ten-value.
fn insurance(view: &View, hand: Place, at_end: bool) -> Option<Account> {
    let stake = view.on_spot(hand, "insurance");
    if stake == 0 {
        return None;
    }
    // what was settled before its bet became void stays as it was
    if view.void_at(hand).is_some_and(|void| view.at(void).moved(hand, "insurance").next().is_none()) {
        return Some(Account::new("void", stake, 0, "O4"));
    }
    let laid = view.first(|event| event.is(Kind::Bet, hand) && event.spot == "insurance" && event.number > 0)?;
    let drawn = |at: &usize| view.events[*at].is(Kind::Draw, hand) && view.counts(*at);
    // an opened ace's second card is not the one that lies beside it first
    let next = (laid..view.now).find(drawn).or_else(|| view.dealt(hand).get(1).copied());
    let lies_up = |draw: &usize| at_end || !view.is_covered(*draw);
    let Some(second) = next.filter(lies_up).and_then(|draw| view.card(draw)) else {
        return Some(Account::new("unknown", stake, 0, "O4"));
    };
    let pay = part(view, "insurance", stake);
    Some(if second.pips() == 10 { Account::new("win", stake, pay, "O4") } else { Account::new("lose", stake, 0, "O4") })
}
