//! `croupier-6`: settlement, cards put away, and what the room decides.

use crate::facts::View;

use crate::facts::found::{Effect, Found, Part};
use crate::facts::house::Account;
use crate::houses::croupier6::{have_played, is_lost, is_unfinished};
use crate::houses::everywhere::{above_most, not_provided_for, nothing_moved, reported, wrong_money_by_now};
use crate::log::{Kind, Place};
use crate::money::{account, owed};
use crate::rows::{MONEY, Row, difference, found_if, target};

const REPORTED: &[Kind] = &[Kind::Report, Kind::Device, Kind::Bank, Kind::BankCard, Kind::Share, Kind::OfferCut];

const ELSE: &[Kind] = &[Kind::Choose, Kind::Reveal, Kind::Move, Kind::End];

pub(super) const ROWS: &[Row] = &[
    Row { provision: "K14", on: &[Kind::Pay], needs: &["bets", "places", "hands"], find: blackjack_paid_early },
    Row { provision: "", on: MONEY, needs: &["bets", "places", "hands"], find: wrong_money },
    Row {
        provision: "K2",
        on: &[Kind::Pay, Kind::Draw, Kind::Reveal],
        needs: &["bets", "places", "hands"],
        find: |view| above_most(view, "K2", "K2"),
    },
    Row {
        provision: "",
        on: &[Kind::Draw, Kind::Reveal, Kind::Move, Kind::Rule, Kind::End],
        needs: &["bets", "places", "hands"],
        find: |view| wrong_money_by_now(view, &["main"], |view, hand, _| owed_now(view, hand), provision),
    },
    Row { provision: "K0", on: MONEY, needs: &["bets", "places", "hands"], find: money_early },
    Row {
        provision: "",
        on: &[Kind::End],
        needs: &["bets", "places", "hands"],
        find: |view| nothing_moved(view, &["main"], provision),
    },
    Row { provision: "K0", on: &[Kind::Move], needs: &["moves", "hands"], find: put_away },
    Row { provision: "K0", on: &[Kind::End], needs: &["places", "hands"], find: ended_early },
    Row { provision: "K0", on: &[Kind::Consent], needs: &[], find: not_asked_for },
    Row { provision: "K0", on: REPORTED, needs: &[], find: reported },
    Row { provision: "K0", on: ELSE, needs: &["hands"], find: not_provided_for },
];

/// The provision of a wrong payment, or of none at all.
fn provision(_: &View, _: Place, _: &str, account: &Account, _: i64) -> String {
    account.by.to_owned()
}

/// What a hand is owed by now: a Black Jack at once where the bank cannot have one.
fn owed_now(view: &View, hand: Place) -> Option<Account> {
    let account = account(view, hand, "main", false)?;
    let is_sure = ["blackjack", "void"].contains(&account.outcome);
    owed(view, hand, "main").or(Some(account).filter(|_| is_sure))
}

fn blackjack_paid_early(view: &View) -> Vec<Found> {
    let hand = target(view);
    let is_early = view.dealt(Place::Bank).len() < 2 && view.plays(hand) && view.is_blackjack(hand);
    let may_be_matched = view.bank_may_have_blackjack() && view.took_even_money(hand).is_none();
    found_if(is_early && may_be_matched, Found::at(hand).notice())
}

/// What an event of money comes to, once it is decided what the hand is owed.
fn wrong_money(view: &View) -> Vec<Found> {
    let (event, hand) = (view.event(), target(view));
    let Some(account) = owed_now(view, hand).filter(|_| event.spot == "main") else { return Vec::new() };
    let (before, done) = (view.done(hand, "main"), view.then().done(hand, "main"));
    // taking back what was paid, or giving back what was taken, is no finding where that was wrong
    let is_back = before != 0 && (event.kind == Kind::Pay) == (before < 0);
    let is_answered = is_back && before != account.owed();
    if done == account.owed() || is_answered || view.is_money_open(hand) {
        return Vec::new();
    }
    vec![Found { provision: account.by.to_owned(), ..difference(hand, "main", account.owed(), done) }]
}

/// Money moved while a hand plays or waits, or where there is no bet.
fn money_early(view: &View) -> Vec<Found> {
    let hand = target(view);
    let is_first = view.dealt(Place::Bank).is_empty() && !view.puts_back() && !has_begun(view, hand);
    let is_early =
        view.event().spot != "main" || owed_now(view, hand).is_none() && (is_first || !view.playing().contains(&hand));
    found_if(is_early, Found::at(hand).demands([Part::Rule]))
}

/// Whether play has begun, or a hand's cards were put away.
fn has_begun(view: &View, hand: Place) -> bool {
    view.play_began() || is_lost(view, hand)
}

fn is_settled(view: &View, hand: Place) -> bool {
    let is_even = owed_now(view, hand).is_some_and(|account| account.owed() == 0);
    let is_unseen = !view.sees("bets") && !is_unfinished(view, hand);
    let is_out = view.is_over(hand) && have_played(view);
    !view.plays(hand) || view.settled_at(hand).is_some() || is_out || is_even || is_unseen
}

/// Cards put away before their hand is settled, or the bank's before all are.
fn put_away(view: &View) -> Vec<Found> {
    let place = target(view);
    let is_cleared = view.event().to == Some(Place::Discard) && !view.lying(place).is_empty();
    let is_early = match place {
        Place::Bank => view.playing().iter().copied().any(|hand| !is_settled(view, hand)),
        _ => place.number().is_some() && view.plays(place) && !is_settled(view, place),
    };
    found_if(
        is_cleared && is_early && !view.bank_is_final() && !view.is_found("K15", Place::Bank),
        Found::at(place).with(Effect::Lost).demands([Part::Rule]),
    )
}

/// A pass that ends with a hand unfinished.
fn ended_early(view: &View) -> Vec<Found> {
    let is_told =
        |hand: Place| view.found().any(|found| found.what.place == Some(hand) && found.what.provision == "K0");
    let is_bare = |hand: Place| view.plays(hand) && view.dealt(hand).is_empty() && !is_told(hand);
    let is_left =
        view.hands().iter().copied().any(|hand| view.is_unfinished(hand) || view.is_dealing() && is_bare(hand));
    found_if(is_left, Found::new().demands([Part::Rule]))
}

/// Nobody is asked for a consent here.
fn not_asked_for(view: &View) -> Vec<Found> {
    vec![Found::at(target(view)).demands([Part::Rule])]
}
