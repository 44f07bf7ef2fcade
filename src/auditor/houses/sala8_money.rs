//! `sala-8`: settlement, cards put away, and what the room decides.

use crate::facts::View;
use crate::facts::found::{Effect, Finding, Found, Part};
use crate::facts::house::Account;
use crate::houses::everywhere::{above_most, is_ruled_otherwise, not_provided_for, nothing_moved, reported};
use crate::houses::sala8::{hangs_on_unread_bank, is_settled, served_without_words, unsettled};
use crate::houses::sala8_bets::shoe_empty;
use crate::log::{Event, Kind, Place};
use crate::money::{account, owed};
use crate::rows::{MONEY, Row, difference, found_if, target};

const REPORTED: &[Kind] = &[Kind::Report, Kind::Device, Kind::Bank, Kind::BankCard, Kind::Share, Kind::OfferCut];

const ELSE: &[Kind] = &[Kind::Decide, Kind::Choose, Kind::Pay, Kind::Collect, Kind::Reveal, Kind::Move, Kind::End];

pub(super) const ROWS: &[Row] = &[
    Row {
        provision: "D14",
        on: &[Kind::Pay, Kind::Collect, Kind::Reveal, Kind::Draw, Kind::Rule, Kind::End],
        needs: &["bets", "places", "hands"],
        find: wrong_money,
    },
    Row {
        provision: "F2",
        on: &[Kind::Pay, Kind::Draw, Kind::Reveal],
        needs: &["bets", "places", "hands"],
        find: |view| above_most(view, "F2", "D14"),
    },
    Row {
        provision: "D14",
        on: &[Kind::End],
        needs: &["bets", "places", "hands"],
        find: |view| nothing_moved(view, &["main"], provision),
    },
    Row { provision: "O4", on: MONEY, needs: &["bets", "places", "hands"], find: wrong_insurance_money },
    Row { provision: "D9", on: MONEY, needs: &["bets", "decisions", "hands"], find: settled_early },
    Row { provision: "D9", on: &[Kind::Bet], needs: &["bets", "decisions", "hands"], find: collected_early },
    Row { provision: "D9", on: &[Kind::Pay], needs: &["bets", "hands"], find: paid_before_collected },
    Row { provision: "C14", on: &[Kind::Move], needs: &["moves", "hands"], find: bank_put_away },
    Row { provision: "D7", on: &[Kind::Move], needs: &["moves", "hands"], find: lost_with_shoe_empty },
    Row { provision: "C15", on: &[Kind::Move], needs: &["moves", "bets", "hands"], find: hand_put_away },
    Row { provision: "D9", on: &[Kind::Move], needs: &["moves", "bets", "hands"], find: cleared_early },
    Row { provision: "D9", on: &[Kind::Move], needs: &["moves", "hands"], find: cleared_out_of_order },
    Row { provision: "C20", on: REPORTED, needs: &[], find: reported },
    Row { provision: "C20", on: ELSE, needs: &["hands"], find: not_provided_for },
];

/// The provision of what was not moved at all.
fn provision(_: &View, _: Place, _: &str, account: &Account, _: i64) -> String {
    if account.outcome == "surrender" { account.by } else { "D14" }.to_owned()
}

/// What is owed where nothing was bet.
fn nothing() -> Account {
    Account { outcome: "push", stake: 0, pay: 0, lost: 0, by: "D14" }
}

/// A hand's money, at the event that moves it or, where it was not yet decided then, at the one that decides it.
fn wrong_money(view: &View) -> Vec<Found> {
    let (event, is_end) = (view.event(), view.event().kind == Kind::End);
    let is_money = MONEY.contains(&event.kind);
    let then = if is_end { view.at(view.now) } else { view.then() };
    let concerns = |hand: &Place| {
        let is_about = is_money && event.place == Some(*hand) && event.spot == "main";
        let was_decided = || owed(view, *hand, "main").is_some();
        let is_late = !is_about && then.moved(*hand, "main").next().is_some();
        is_about || is_late && (is_ruled_otherwise(view, *hand, owed) || !was_decided())
    };
    let judged = |hand: Place| {
        let account = match is_end {
            _ if then.is_without_stake(hand) => Some(nothing()),
            true => account(&then, hand, "main", true),
            false => owed(&then, hand, "main"),
        }?;
        let done = then.done(hand, "main");
        // what was right and is taken back
        let is_back = (event.kind == Kind::Pay) == (account.owed() < 0);
        let was_right = is_money && is_back && account.owed() != 0 && view.done(hand, "main") == account.owed();
        let is_let_be = view.let_lie(hand) == Some(done);
        let is_wrong = (done != 0 || was_right) && done != account.owed() && !is_let_be;
        let is_answered = is_money && !was_right && (event.kind == Kind::Pay) != (done > 0);
        if !is_wrong || is_answered || view.is_money_open(hand) || account.outcome == "unknown" {
            return None;
        }
        let is_unforeseen =
            done < 0 && !was_right && event.kind != Kind::Rule && ["lose", "void"].contains(&account.outcome);
        let is_named = account.outcome == "surrender" || account.owed() > 0 && done > 0 && !was_right;
        let provision = if is_named { account.by } else { "D14" };
        // what the room let lie is gone back to
        let back_to = view.let_lie(hand).unwrap_or(account.owed());
        let remedy = difference(hand, "main", back_to, done).remedy;
        let found = Found { remedy, ..difference(hand, "main", account.owed(), done) };
        Some(match is_unforeseen {
            true => Found { provision: "C20".to_owned(), remedy: vec![Part::Rule], ..found },
            false => Found { provision: provision.to_owned(), ..found },
        })
    };
    let mut hands = view.hands().to_vec();
    hands.extend(event.place.filter(|place| is_money && !hands.contains(place)));
    let mut found: Vec<Found> = hands.into_iter().filter(concerns).filter_map(judged).collect();
    found.sort_by_key(|found| (found.provision == "C20", found.provision.clone()));
    found
}

fn wrong_insurance_money(view: &View) -> Vec<Found> {
    let hand = target(view);
    if view.event().spot != "insurance" || view.on_spot(hand, "insurance") == 0 || view.is_money_open(hand) {
        return Vec::new();
    }
    if account(view, hand, "insurance", false).is_some_and(|account| account.outcome == "unknown") {
        return Vec::new();
    }
    let (due, done) =
        (owed(view, hand, "insurance").map_or(0, |account| account.owed()), view.then().done(hand, "insurance"));
    found_if(done != due, difference(hand, "insurance", due, done))
}

fn settled_early(view: &View) -> Vec<Found> {
    let (event, hand) = (view.event(), target(view));
    let about_money = |kind: Kind| MONEY.contains(&kind) || kind == Kind::Bet;
    let is_told = view.found().any(|found| found.what.provision == "D9" && about_money(view.events[found.at].kind));
    let is_wrong = |found: &Finding| found.at < view.now && found.is_open() && found.what.money.is_some();
    let puts_right = view.found().any(|found| is_wrong(found) && found.what.place == Some(hand));
    let is_paid_loser = event.kind == Kind::Pay && view.is_over(hand);
    let is_dealt = view.has(|event| event.kind == Kind::Draw);
    let is_left = || view.playing().iter().copied().any(|hand| view.is_left(hand));
    let waits = || is_left() || view.waiting().iter().any(|place| *place != Place::Bank);
    let plays = || view.playing().iter().copied().any(|hand| view.is_unfinished(hand));
    let is_black_jack = event.kind == Kind::Pay && view.is_blackjack(hand) && view.turn().is_some();
    let may_be_paid = view.house.yes("blackjack_at_once") || view.house.yes("blackjack_may_be_early");
    let is_early = is_dealt
        && !(is_black_jack && may_be_paid)
        && (plays() || waits())
        && !view.bank_is_final()
        && event.spot == "main";
    let found = Found::at(hand);
    let found = if is_habit(view, hand) { found.notice() } else { found };
    found_if(is_early && !is_told && !is_paid_loser && !puts_right, found)
}

/// A hand over 21 whose chips are taken off while others play.
fn collected_early(view: &View) -> Vec<Found> {
    let event = view.event();
    let is_taken = event.spot == "main" && event.number == 0 && view.is_over(target(view)) && view.plays(target(view));
    if is_taken { settled_early(view) } else { Vec::new() }
}

/// A hand over 21 collected, or a Black Jack paid, at once while others play.
fn is_habit(view: &View, hand: Place) -> bool {
    let is_collected = matches!(view.event().kind, Kind::Collect | Kind::Bet) && view.is_over(hand);
    view.turn().is_some() && (is_collected || view.event().kind == Kind::Pay && view.is_blackjack(hand))
}

/// Whether a hand that loses was not settled: nothing was collected of it, nor paid by mistake (Reading 17).
fn has_loser(view: &View) -> bool {
    let lies = |hand: &Place| {
        let is_about = |found: &Finding| found.what.provision == "D14" && found.what.place == Some(*hand);
        view.found().any(|found| is_about(found) && found.stands())
    };
    let loses = |hand: &Place| {
        let loses = owed(view, *hand, "main").is_some_and(|account| account.outcome == "lose");
        loses && !view.is_unfinished(*hand) && !lies(hand)
    };
    let is_given = |hand: &Place, spot: &str| {
        let moves = |event: &Event| event.is(Kind::Collect, *hand) || event.is(Kind::Pay, *hand);
        view.has(|event| moves(event) && event.spot == spot)
    };
    let is_taken = |hand: &Place| is_given(hand, "main") || view.is_over(*hand) && view.chips(*hand, "main") == 0;
    let lost = |hand: &Place| {
        let is_lost = owed(view, *hand, "insurance").is_some_and(|account| account.owed() < 0);
        is_lost && !is_given(hand, "insurance")
    };
    view.playing().iter().any(|hand| loses(hand) && !is_taken(hand) || lost(hand))
}

fn paid_before_collected(view: &View) -> Vec<Found> {
    let hand = target(view);
    let told = view.found().any(|found| found.what.provision == "D9" && view.events[found.at].kind == Kind::Pay);
    let loses = owed(view, hand, "main").is_some_and(|account| account.outcome == "lose");
    let is_settling = view.house.yes("losers_first") && view.event().spot == "main" && view.turn().is_none();
    found_if(is_settling && !loses && !told && !view.gives_back() && has_loser(view), Found::at(hand))
}

fn is_cleared(view: &View) -> bool {
    view.event().to == Some(Place::Discard) && !view.lying(target(view)).is_empty()
}

fn bank_put_away(view: &View) -> Vec<Found> {
    let lost = view.taken().iter().filter(|draw| view.counts(**draw)).count();
    if target(view) != Place::Bank || !is_cleared(view) || !unsettled(view) || lost == 0 {
        return Vec::new();
    }
    let words = [Part::Authorize("next_cards_for_bank"), Part::Announce("next_cards_for_bank")];
    let serve = std::iter::repeat_n(Part::Serve(Place::Bank), lost);
    let found = Found::at(Place::Bank).with(Effect::Lost).demands(words).demands(serve);
    vec![Found { breaks: served_without_words, ..found }]
}

/// What the bank lost comes out of an empty shoe no more.
fn lost_with_shoe_empty(view: &View) -> Vec<Found> {
    let is_lost = view.findings.iter().any(|found| found.at == view.now && found.what.provision == "C14");
    if is_lost { shoe_empty(view) } else { Vec::new() }
}

fn hand_put_away(view: &View) -> Vec<Found> {
    let hand = target(view);
    let is_good = view.taken().iter().any(|draw| view.counts(*draw));
    let is_known = hand.number().is_some() && is_good && !view.is_unread(hand) && !hangs_on_unread_bank(view);
    // one whose delivery may be completed loses its claim while others are still to be settled
    let is_open = if view.is_left(hand) { unsettled(view) } else { !is_settled(view, hand) };
    let is_early = is_known && is_cleared(view) && view.plays(hand) && is_open;
    found_if(is_early && !view.is_found("C15", hand), Found::at(hand).with(Effect::NoClaim))
}

fn cleared_early(view: &View) -> Vec<Found> {
    let hand = target(view);
    let is_told = view.found().any(|found| found.what.provision == "D9" && view.events[found.at].kind == Kind::Move);
    let settled = view.settled_at(hand);
    let is_habit = settled.is_some_and(|at| is_habit(&view.at(at), hand));
    let is_early = hand.number().is_some()
        && is_cleared(view)
        && (settled.is_some() || view.is_without_stake(hand))
        && unsettled(view);
    found_if(is_early && !is_told && !is_habit, Found::at(hand))
}

fn cleared_out_of_order(view: &View) -> Vec<Found> {
    let place = target(view);
    let told = view.found().any(|found| found.what.provision == "D9" && view.events[found.at].kind == Kind::Move);
    let is_left = view.places().any(|left| view.order(left) < view.order(place));
    let is_lost = view.has_no_claim(place);
    let is_end =
        is_cleared(view) && !is_lost && !unsettled(view) && (place == Place::Bank || view.hands().contains(&place));
    found_if(is_end && is_left && !told, Found::at(place))
}
