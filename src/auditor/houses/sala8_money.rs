//! `sala-8`: settlement, cards put away, and what the room decides.

use crate::facts::View;
use crate::houses::sala8::is_settled;
use crate::judge::reached;
use crate::log::{Kind, Place};
use crate::money::{account, owed};
use crate::rows::{Effect, Finding, Found, Part, Row, Severity};

const MONEY: &[Kind] = &[Kind::Pay, Kind::Collect];
const REPORTED: &[Kind] = &[Kind::Report, Kind::Device, Kind::Bank, Kind::BankCard, Kind::Share, Kind::OfferCut];

pub(super) const ROWS: &[Row] = &[
    Row {
        provision: "D14",
        on: &[Kind::Pay, Kind::Collect, Kind::Reveal, Kind::Draw, Kind::End],
        needs: &["bets", "places"],
        find: wrong_money,
    },
    Row { provision: "D14", on: &[Kind::End], needs: &["bets", "places"], find: nothing_moved },
    Row { provision: "O4", on: MONEY, needs: &["bets", "places"], find: wrong_insurance_money },
    Row { provision: "D9", on: MONEY, needs: &["bets", "decisions"], find: settled_early },
    Row { provision: "D9", on: &[Kind::Pay], needs: &["bets"], find: paid_before_collected },
    Row { provision: "C14", on: &[Kind::Move], needs: &["moves"], find: bank_put_away },
    Row { provision: "C15", on: &[Kind::Move], needs: &["moves", "bets"], find: hand_put_away },
    Row { provision: "D9", on: &[Kind::Move], needs: &["moves", "bets"], find: cleared_early },
    Row { provision: "D9", on: &[Kind::Move], needs: &["moves"], find: cleared_out_of_order },
    Row { provision: "D9", on: &[Kind::End], needs: &["moves"], find: left_on_table },
    Row { provision: "C20", on: REPORTED, needs: &[], find: reported },
    Row { provision: "C20", on: &[Kind::Rule], needs: &[], find: ruled_in_vain },
];

fn found_if(is_found: bool, found: Found) -> Vec<Found> {
    is_found.then_some(found).into_iter().collect()
}

fn target(view: &View) -> Place {
    view.event().place.unwrap_or(Place::Shoe)
}

/// What a spot lacks or has too much of.
fn difference(hand: Place, spot: &'static str, owed: i64, done: i64) -> Found {
    let part =
        if owed > done { Part::Pay(hand, spot, owed - done) } else { Part::Collect(hand, spot, Some(done - owed)) };
    Found { money: Some((owed, done)), ..Found::at(hand).demands([part]) }
}

fn is_money_open(view: &View, hand: Place) -> bool {
    let is_open = |found: &Finding| found.is_open() && found.what.place == Some(hand) && found.what.money.is_some();
    view.found().any(is_open)
}

/// A hand's money, at the event that moves it or, where it was not yet decided then, at the one that decides it.
fn wrong_money(view: &View) -> Vec<Found> {
    let (event, is_end) = (view.event(), view.event().kind == Kind::End);
    let is_money = MONEY.contains(&event.kind);
    let then = if is_end { view.at(view.now) } else { view.then() };
    let concerns = |hand: &Place| {
        let is_about = event.place == Some(*hand) && event.spot == "main";
        let is_late = !is_about && then.settled_at(*hand).is_some() && owed(view, *hand, "main").is_none();
        is_money && is_about || is_late
    };
    let judged = |hand: Place| {
        let account = if is_end { account(&then, hand, "main", true) } else { owed(&then, hand, "main") }?;
        let done = then.done(hand, "main");
        let is_wrong = if done > 0 { done != account.owed() } else { done < 0 && account.owed() >= 0 };
        let is_answered = is_money && (event.kind == Kind::Pay) != (done > 0);
        if !is_wrong || is_answered || is_money_open(view, hand) || account.outcome == "unknown" {
            return None;
        }
        let provision = if account.owed() > 0 && done > 0 { account.by } else { "D14" };
        Some(Found { provision: provision.to_owned(), ..difference(hand, "main", account.owed(), done) })
    };
    let mut hands = view.hands();
    hands.extend(event.place.filter(|place| is_money && !hands.contains(place)));
    hands.into_iter().filter(concerns).filter_map(judged).collect()
}

fn nothing_moved(view: &View) -> Vec<Found> {
    let unmoved = view.hands().into_iter().filter(|hand| view.settled_at(*hand).is_none());
    let due = |hand: Place| {
        let account = account(view, hand, "main", true).filter(|account| account.outcome != "unknown")?;
        let is_collected = view.is_over(hand) && view.chips(hand, "main") == 0;
        (account.owed() != 0 && !is_collected).then(|| Found { money: Some((account.owed(), 0)), ..Found::at(hand) })
    };
    unmoved.filter_map(due).collect()
}

fn wrong_insurance_money(view: &View) -> Vec<Found> {
    let hand = target(view);
    if view.event().spot != "insurance" || is_money_open(view, hand) {
        return Vec::new();
    }
    let (due, done) =
        (owed(view, hand, "insurance").map_or(0, |account| account.owed()), view.then().done(hand, "insurance"));
    found_if(view.event().kind == Kind::Pay && done != due, difference(hand, "insurance", due, done))
}

fn settled_early(view: &View) -> Vec<Found> {
    let (event, hand) = (view.event(), target(view));
    let is_told = view.found().any(|found| found.what.provision == "D9" && MONEY.contains(&view.events[found.at].kind));
    let is_paid_loser = event.kind == Kind::Pay && (view.is_over(hand) || view.is_void(hand));
    let is_early = view.turn().is_some() && !view.bank_is_final() && event.spot == "main" && view.plays(hand);
    let is_habit =
        event.kind == Kind::Collect && view.is_over(hand) || event.kind == Kind::Pay && view.is_blackjack(hand);
    let found = Found::at(hand);
    found_if(is_early && !is_told && !is_paid_loser, if is_habit { found.notice() } else { found })
}

/// Whether a hand that loses was not collected.
fn has_loser(view: &View) -> bool {
    let loses = |hand: &Place| owed(view, *hand, "main").is_some_and(|account| account.owed() < 0);
    let is_taken =
        |hand: &Place| view.settled_at(*hand).is_some() || view.is_over(*hand) && view.chips(*hand, "main") == 0;
    view.playing().iter().any(|hand| loses(hand) && !is_taken(hand))
}

fn paid_before_collected(view: &View) -> Vec<Found> {
    let hand = target(view);
    let told = view.found().any(|found| found.what.provision == "D9" && view.events[found.at].kind == Kind::Pay);
    let is_owed = owed(view, hand, "main").is_some_and(|account| account.owed() > 0);
    let is_settling = view.event().spot == "main" && view.turn().is_none();
    found_if(is_settling && is_owed && !told && has_loser(view), Found::at(hand))
}

fn is_cleared(view: &View) -> bool {
    view.event().to == Some(Place::Discard) && !view.lying(target(view)).is_empty()
}

fn unsettled(view: &View) -> bool {
    view.playing().into_iter().any(|hand| !is_settled(view, hand))
}

fn bank_put_away(view: &View) -> Vec<Found> {
    if target(view) != Place::Bank || !is_cleared(view) || !unsettled(view) {
        return Vec::new();
    }
    let lost = view.dealt(Place::Bank).len() - view.then().lying(Place::Bank).len().min(view.dealt(Place::Bank).len());
    let words = [Part::Authorize("next_cards_for_bank"), Part::Announce("next_cards_for_bank")];
    let serve = std::iter::repeat_n(Part::Serve(Place::Bank), lost);
    vec![Found::at(Place::Bank).with(Effect::Lost).demands(words).demands(serve)]
}

fn hand_put_away(view: &View) -> Vec<Found> {
    let hand = target(view);
    let is_early = hand.number().is_some() && is_cleared(view) && view.plays(hand) && !is_settled(view, hand);
    found_if(is_early, Found::at(hand).with(Effect::NoClaim))
}

fn cleared_early(view: &View) -> Vec<Found> {
    let hand = target(view);
    let is_told = view.found().any(|found| found.what.provision == "D9" && view.events[found.at].kind == Kind::Move);
    let settled = view.settled_at(hand);
    let is_habit = settled.is_some_and(|at| !view.at(at).bank_is_final());
    let is_early = hand.number().is_some() && is_cleared(view) && settled.is_some() && unsettled(view);
    found_if(is_early && !is_told && !is_habit, Found::at(hand))
}

fn cleared_out_of_order(view: &View) -> Vec<Found> {
    let place = target(view);
    let told = view.found().any(|found| found.what.provision == "D9" && view.events[found.at].kind == Kind::Move);
    let before = view.hands().into_iter().take_while(|hand| *hand != place);
    let is_left = before.filter(|hand| view.plays(*hand)).any(|hand| !view.lying(hand).is_empty());
    let is_end = is_cleared(view) && !unsettled(view);
    found_if(is_end && is_left && !told, Found::at(place))
}

fn left_on_table(view: &View) -> Vec<Found> {
    let is_left = view.hands().into_iter().chain([Place::Bank]).any(|place| !view.lying(place).is_empty());
    found_if(is_left, Found::new())
}

/// What a person or the equipment tells, under the article for what is not provided for.
pub(super) fn reported(view: &View) -> Vec<Found> {
    let event = view.event();
    let told = Found { place: event.place, note: event.note.clone(), ..Found::new() };
    match (event.kind, event.provision.as_deref()) {
        (Kind::Report, Some(named)) if named != view.house.silent => {
            vec![Found { provision: named.to_owned(), ..told.notice() }]
        }
        (Kind::Device, _) => equipment(view),
        _ => vec![told.demands([Part::Rule])],
    }
}

fn equipment(view: &View) -> Vec<Found> {
    let event = view.event();
    let Some(device) = event.device.clone() else { return Vec::new() };
    let is_forgery =
        ["tamper", "forged", "unpaired", "swapped", "downgraded", "withheld"].contains(&event.word.as_str());
    let opened = ["door_open", "lid_open"].contains(&event.word.as_str());
    let last = |kind: Kind| (0..view.now).rev().find(|&at| view.events[at].kind == kind);
    let guarded = match device.as_str() {
        "shoe" => last(Kind::Load).or_else(|| last(Kind::Draw)) > last(Kind::Shuffle),
        "shuffler" => last(Kind::Authorize).filter(|&at| view.events[at].word == "shuffle") > last(Kind::Shuffle),
        _ => false,
    };
    let is_told = view.findings.iter().any(|found| {
        let event = &view.events[found.at];
        found.is_open() && event.device.as_ref() == Some(&device) && event.word == view.event().word
    });
    let found = |severity| Found { device: Some(device.clone()), severity, ..Found::new() };
    match event.word.as_str() {
        "jam" | "read_error" => vec![found(Severity::Notice)],
        _ if (is_forgery || opened && guarded) && !is_told => vec![found(Severity::Integrity).demands([Part::Rule])],
        _ => Vec::new(),
    }
}

pub(super) fn ruled_in_vain(view: &View) -> Vec<Found> {
    let named = view.event().finding.and_then(|n| view.findings.iter().find(|finding| finding.n == n));
    let is_bare = named.is_some_and(|finding| finding.what.remedy.is_empty() && finding.ruled.is_none());
    let may = view.house.list("may_rule").contains(&view.event().role);
    let has_ruled = view.findings.iter().any(|found| found.ruled.as_ref().is_some_and(|(_, at)| *at == view.now));
    let reaches = may && (is_bare || reached(view).is_some());
    found_if(!has_ruled && !reaches, Found::new().notice())
}
