//! `sala-8`: delivery, play and the bank. Rows for a card come in the order in which they may claim it.

use crate::facts::View;
use crate::facts::found::{Effect, Finding, Found, Part};
use crate::houses::everywhere::wrong_total;
use crate::log::{Kind, Place};
use crate::money::owed;
use crate::rows::{MONEY, PLAY, Row, found_if, is_served_again, target};

const AUTHORIZED: [Part; 2] = [Part::Authorize("next_cards_for_bank"), Part::Announce("next_cards_for_bank")];

pub(super) const ROWS: &[Row] = &[
    Row { provision: "D9", on: &[Kind::End], needs: &["moves", "hands"], find: left_on_table },
    Row { provision: "D8", on: &[Kind::Draw], needs: &["places", "hands"], find: passed_over },
    Row { provision: "D8", on: &[Kind::Draw], needs: &["faces", "hands"], find: wrong_side },
    Row { provision: "C10", on: &[Kind::Draw], needs: &["bets", "hands"], find: without_card },
    Row { provision: "C4", on: &[Kind::Draw, Kind::Ask, Kind::Decide, Kind::Ace], needs: &["hands"], find: one_card },
    Row { provision: "C13", on: &[Kind::Draw, Kind::Ask, Kind::Decide, Kind::Ace], needs: &["hands"], find: no_bank },
    Row { provision: "C6", on: &[Kind::Draw], needs: &["places", "hands"], find: third_card },
    Row { provision: "C7", on: &[Kind::Draw], needs: &["faces", "hands"], find: bank_face_up },
    Row { provision: "C8", on: &[Kind::Draw], needs: &["asks", "hands"], find: not_asked },
    Row { provision: "C9", on: &[Kind::Draw], needs: &["places", "hands"], find: doubled_without_card },
    Row { provision: "C9", on: MONEY, needs: &["places", "bets", "hands"], find: settled_without_double },
    Row { provision: "C18", on: &[Kind::Draw], needs: &["hands"], find: nobody_left },
    Row {
        provision: "D12",
        on: &[Kind::Draw],
        needs: &["hands"],
        find: |view| bank_draws(view, |view| view.bank_is_final()),
    },
    Row {
        provision: "D12",
        on: &[Kind::Pay, Kind::Collect, Kind::End],
        needs: &["turns", "hands"],
        find: bank_not_defined,
    },
    Row {
        provision: "C11",
        on: &[Kind::Draw, Kind::Pay, Kind::Collect],
        needs: &["decisions", "hands"],
        find: not_dealt_on,
    },
    Row { provision: "C12", on: &[Kind::Reveal], needs: &["turns", "decisions", "hands"], find: uncovered_early },
    Row {
        provision: "D9",
        on: &[Kind::Ask, Kind::Decide, Kind::Draw],
        needs: &["decisions", "hands"],
        find: out_of_turn,
    },
    Row { provision: "D9", on: &[Kind::Decide], needs: &["decisions", "hands"], find: hit_at_21 },
    Row { provision: "D9", on: &[Kind::Announce], needs: &["announcements", "hands"], find: wrong_total },
    Row { provision: "D10", on: &[Kind::Decide, Kind::Ace], needs: &["decisions", "hands"], find: ace_undeclared },
    Row { provision: "C5", on: &[Kind::Draw], needs: &["hands"], find: undue },
];

/// Where the next card belongs.
pub(super) fn due(view: &View) -> Option<Place> {
    let is_served = |place: &Place| view.is_asked_for(*place) || is_served_again(view, *place);
    let served = view.hands().iter().copied().chain([Place::Bank]).find(is_served);
    let awaited = || view.playing().iter().copied().find(|hand| view.awaits_card(*hand));
    let bank = || (view.turn().is_none() && !view.bank_is_final() && !view.playing().is_empty()).then_some(Place::Bank);
    served.or_else(|| view.waiting().first().copied()).or_else(awaited).or_else(bank)
}

/// Whether somebody has had a card in the delivery that is going on.
fn is_served(view: &View) -> bool {
    let has = usize::from(!view.dealt(Place::Bank).is_empty()) + 1;
    let came = |number| {
        view.pass().filter(move |at| {
            let event = &view.events[*at];
            event.kind == Kind::Draw && event.place.and_then(Place::number) == Some(number) && view.counts(*at)
        })
    };
    (1..=view.header.boxes).any(|number| came(number).count() >= has)
}

/// Whether the card is one of the delivery, for who waits for one.
fn is_delivery(view: &View) -> bool {
    view.waiting().contains(&target(view)) && (target(view) != Place::Bank || is_served(view))
}

/// Whether the bank's second card comes, or the first event of play: the second delivery closes.
fn closes_delivery(view: &View) -> bool {
    let is_play = view.is_play(view.now) && !view.play_began();
    is_play || target(view) == Place::Bank && view.dealt(Place::Bank).len() == 1 && is_served(view)
}

fn passed_over(view: &View) -> Vec<Found> {
    if begins_second(view) {
        let earlier = view.playing().iter().copied().take_while(|hand| *hand != target(view));
        return earlier.map(|hand| Found::at(hand).notice()).collect();
    }
    if !is_delivery(view) {
        return Vec::new();
    }
    let begun = if view.in_second() { view.dealt(Place::Bank).first().copied().unwrap_or(0) } else { 0 };
    let is_told = |place: Place| {
        let mut found = view.found().filter(|found| found.at > begun && found.what.provision == "D8");
        found.any(|found| found.what.place == Some(place))
    };
    if view.dealt(target(view)).is_empty() && view.in_second() {
        return Vec::new();
    }
    // who gets no card before the bank's is C10's or C4's
    let before = view.waiting().into_iter().take_while(|place| *place != target(view));
    let before = before.filter(|_| target(view) != Place::Bank);
    before.filter(|place| !is_told(*place)).map(|place| Found::at(place).notice()).collect()
}

fn wrong_side(view: &View) -> Vec<Found> {
    let drawn = view.pass().filter(|&at| view.events[at].is(Kind::Draw, target(view)) && view.counts(at)).count();
    let lies = if view.is_asked_for(target(view)) { view.dealt(target(view)).len() } else { drawn };
    let belongs_up = !view.belongs_down(target(view), lies);
    let is_wrong = is_delivery(view) && belongs_up && view.event().face_down == Some(true);
    is_wrong.then(|| Found::at(target(view))).into_iter().collect()
}

fn without_card(view: &View) -> Vec<Found> {
    if !view.dealt(Place::Bank).is_empty() || target(view) != Place::Bank || !is_served(view) {
        return Vec::new();
    }
    let demands = |place| [Part::ReturnBet(place, "main", 0, 0)];
    let is_out = |hand: Place| view.is_ruled_lost(hand) || view.awaits_ruling(hand);
    let has_none = |hand: &Place| view.dealt(*hand).is_empty() && !is_out(*hand);
    let found = view.playing().iter().copied().filter(has_none);
    found.map(|place| Found::at(place).with(Effect::Void).demands(demands(place))).collect()
}

/// A second card to a box when the bank alone waits for its first.
fn begins_second(view: &View) -> bool {
    // where bets are not seen, others may wait for their first while one is served twice running
    let is_draw = |at: &usize| view.events[*at].kind == Kind::Draw;
    let is_to_same = |at: usize| view.events[at].place == Some(target(view));
    view.event().kind == Kind::Draw
        && view.waiting() == [Place::Bank]
        && !view.in_second()
        && is_served(view)
        && view.dealt(target(view)).len() == 1
        && view.plays(target(view))
        && (view.house.sees("bets") || view.pass().rfind(is_draw).is_none_or(|at| !is_to_same(at)))
}

fn no_bank(view: &View) -> Vec<Found> {
    let asks = |found: &Finding| found.is_open() && found.what.remedy.contains(&Part::Serve(Place::Bank));
    let is_asked_for = view.found().any(asks);
    let due = if view.house.is("bank_second_card", "covered") { 2 } else { 1 };
    let begins_second = view.sees("places") && begins_second(view);
    let begins_play = view.is_play(view.now)
        && !view.play_began()
        && view.dealt(Place::Bank).len() < due
        && view.hands().iter().any(|hand| !view.dealt(*hand).is_empty());
    if is_asked_for || view.bank_is_let_be() || view.playing().is_empty() || !(begins_second || begins_play) {
        return Vec::new();
    }
    let many = if begins_second { 1 } else { due - view.dealt(Place::Bank).len() };
    let serve = std::iter::repeat_n(Part::Serve(Place::Bank), many);
    let found = Found::at(Place::Bank).demands(AUTHORIZED).demands(serve);
    vec![Found { breaks: served_without_words, ..found }]
}

/// A card elsewhere, or to the bank without the words; the words without the authorisation.
pub(super) fn served_without_words(view: &View, finding: &Finding) -> bool {
    let event = view.event();
    let is_announced = event.kind == Kind::Announce && event.word == "next_cards_for_bank";
    match event.kind {
        Kind::Draw if event.place == Some(Place::Bank) => {
            // an older finding that asks for it needs no words
            let is_older = |found: &Finding| found.at < finding.at && found.is_open();
            let serves = |found: &Finding| found.missing(view).contains(&Part::Serve(Place::Bank));
            let is_its = !view.found().any(|found| is_older(found) && serves(found));
            is_its && finding.missing(view).iter().any(|part| AUTHORIZED.contains(part))
        }
        // who agreed to be completed may be
        Kind::Draw => !view.is_asked_for(target(view)),
        _ => is_announced && finding.missing(view).contains(&AUTHORIZED[0]),
    }
}

fn one_card(view: &View) -> Vec<Found> {
    if !closes_delivery(view) {
        return Vec::new();
    }
    let waits = |hand: &Place| view.dealt(*hand).len() == 1 && !view.is_split(*hand) && !view.has_no_claim(*hand);
    let is_told =
        |place: &Place| view.found().any(|found| found.what.place == Some(*place) && view.is_about_a_card_short(found));
    // a late bet that the room lets lie is dealt on to when the bank has its own, or goes without
    let is_let_in = |place: &Place| {
        let is_late = |found: &Finding| ["C3", "C10"].contains(&&*found.what.provision) && found.stands();
        let is_its = |found: &Finding| found.what.place == Some(*place) && is_late(found);
        view.dealt(Place::Bank).len() >= 2 && view.found().any(is_its)
    };
    let fresh = view.playing().iter().copied().filter(waits).filter(|place| !is_told(place) && !is_let_in(place));
    let goes_on: fn(&View, &Finding) -> bool = |view, finding| {
        let Some(place) = finding.what.place else { return false };
        let is_later =
            || view.hands().iter().copied().skip_while(|hand| *hand != place).any(|hand| hand == target(view));
        let is_play = view.is_play(view.now) && view.plays(target(view));
        view.event().is(Kind::Draw, place) || is_play && is_later()
    };
    fresh.map(|place| Found { breaks: goes_on, ..Found::at(place).demands([Part::AskConsent(place)]) }).collect()
}

fn third_card(view: &View) -> Vec<Found> {
    let place = target(view);
    let is_third = view.plays(place) && view.dealt(place).len() == 2 && !view.has_no_claim(place);
    if !is_third || view.play_began() || view.is_doubled(place) || eleven_unasked(view, place) {
        return Vec::new();
    }
    let cards = view.dealt(place).iter().copied().chain([view.now]).collect();
    let found = Found::at(place).with(Effect::Void);
    vec![found.demands([Part::VoidBet(place), Part::Burn(place, cards)])]
}

fn bank_face_up(view: &View) -> Vec<Found> {
    let is_second =
        target(view) == Place::Bank && is_served(view) && view.belongs_down(Place::Bank, view.dealt(Place::Bank).len());
    if !is_second || view.event().face_down != Some(false) {
        return Vec::new();
    }
    let bank_turn: fn(&View, &Finding) -> bool = |view, finding| {
        let event = view.event();
        let is_served = !finding.missing(view).contains(&Part::Serve(Place::Bank));
        let is_settling = MONEY.contains(&event.kind) || is_served && event.is(Kind::Draw, Place::Bank);
        event.is(Kind::Reveal, Place::Bank) || is_settling && view.turn().is_none()
    };
    vec![Found { breaks: bank_turn, ..Found::at(Place::Bank).burned(view).demands([Part::Serve(Place::Bank)]) }]
}

/// An eleven in two cards about which nobody asked, once the delivery is over.
fn eleven_unasked(view: &View, hand: Place) -> bool {
    view.house.yes("double_is_offered")
        && view.may_be_doubled(hand) == Some(true)
        && view.waiting().is_empty()
        && !view.is_doubled(hand)
        && !view.has_stood(hand)
        && !view.has(|event| event.says(Kind::Ask, hand, "double"))
}

fn not_asked(view: &View) -> Vec<Found> {
    let hand = target(view);
    let first = view.dealt(hand).first().and_then(|draw| view.card(*draw));
    let is_ace = first.is_some_and(|card| card.rank == 1) && view.dealt(hand).len() == 1;
    let is_uninsured = is_ace
        && view.house.is("insurance_when", "own_ace")
        && (is_delivery(view) || begins_second(view))
        && !view.has(|event| event.says(Kind::Ask, hand, "insurance"));
    let is_hand = hand.number().is_some() && view.plays(hand);
    let is_found = is_hand && (is_uninsured || eleven_unasked(view, hand));
    is_found.then(|| Found::at(hand).notice()).into_iter().collect()
}

fn doubled_without_card(view: &View) -> Vec<Found> {
    // who serves what another finding asks for passes nobody over
    if view.is_asked_for(target(view)) {
        return Vec::new();
    }
    let is_told = |hand: Place| {
        let is_so = |found: &Finding| found.what.provision == "C9" && found.what.place == Some(hand);
        view.found().any(|found| is_so(found) && !view.since(found.at, |event| event.is(Kind::Choose, hand)))
    };
    let waits = |hand: &Place| {
        view.is_doubled(*hand) && view.dealt(*hand).len() == 2 && *hand != target(view) && !is_told(*hand)
    };
    let waiting = view.playing().iter().copied().filter(waits);
    waiting.map(|hand| Found::at(hand).demands([Part::Offer(hand, &["withdraw", "next_card"])])).collect()
}

/// Settlement begins against a bank that is defined, and a doubled hand has not got its card.
fn settled_without_double(view: &View) -> Vec<Found> {
    let waits = |hand: &Place| {
        let is_paid_in = view.on_spot(*hand, "double") > 0;
        let is_settled = view.settled_at(*hand).is_some();
        is_paid_in
            && !is_settled
            && view.dealt(*hand).len() == 2
            && view.is_doubled(*hand)
            && !view.is_found("C9", *hand)
    };
    if !begins_settlement(view) || !view.bank_is_final() || view.turn().is_some() {
        return Vec::new();
    }
    let waiting = view.playing().iter().copied().filter(waits);
    waiting.map(|hand| Found::at(hand).demands([Part::Offer(hand, &["withdraw", "next_card"])])).collect()
}

/// A card for the bank that it may not have.
fn bank_draws(view: &View, is_forbidden: fn(&View) -> bool) -> Vec<Found> {
    let is_bank = target(view) == Place::Bank
        && !view.lying(Place::Bank).is_empty()
        && !view.is_claimed()
        && !view.is_asked_for(Place::Bank);
    (is_bank && is_forbidden(view)).then(|| Found::at(Place::Bank).burned(view)).into_iter().collect()
}

fn nobody_left(view: &View) -> Vec<Found> {
    bank_draws(view, |view| {
        let hands = view.hands();
        !hands.is_empty()
            && view.waiting().iter().all(|place| *place == Place::Bank)
            && hands.iter().all(|hand| !view.plays(*hand) || view.is_over(*hand))
    })
}

/// Whether chips move for a bet, and not as a finding about it asks for.
fn begins_settlement(view: &View) -> bool {
    view.event().spot == "main" && !view.is_money_open(target(view))
}

fn bank_not_defined(view: &View) -> Vec<Found> {
    let event = view.event();
    let is_paid = |hand: Place| view.may_be_paid_early(hand) && view.settled_at(hand).is_some();
    let may_be_out = |hand: Place| view.is_unread(hand) || view.may_be_over(hand);
    let in_play =
        |hand: Place| view.is_at_stake(hand) && !may_be_out(hand) && !view.has_no_claim(hand) && !is_paid(hand);
    let is_about = match (event.kind, event.place) {
        (Kind::End, _) => view.playing().iter().copied().any(in_play),
        (_, Some(hand)) => in_play(hand) && event.spot == "main",
        _ => false,
    };
    let is_told = view.found().any(|found| found.what.provision == "D12" && found.what.effect == Effect::None);
    let bank = view.dealt(Place::Bank);
    let is_covered = bank.iter().any(|draw| view.is_covered(*draw));
    let rules = |found: &Finding| found.is_open() && found.what.remedy.contains(&Part::Rule);
    let is_undecided = view.found().any(|found| found.what.place == Some(Place::Bank) && rules(found));
    let draws_for =
        |hand| in_play(hand) && (view.house.yes("bank_draws_against_blackjacks") || !view.is_blackjack(hand));
    let is_low =
        view.total(Place::Bank).is_some() && !view.bank_is_final() && view.playing().iter().copied().any(draws_for);
    let is_delivered = view.waiting().iter().all(|place| *place == Place::Bank);
    // an end tells that all have played, where nobody heard it
    let have_played = view.turn().is_none() || event.kind == Kind::End && !view.sees("decisions");
    let is_due = is_covered && have_played
        || is_low && is_delivered && (bank.len() >= 2 || view.play_began() || event.kind == Kind::End);
    if !is_about || is_told || bank.is_empty() || is_undecided || !is_due {
        return Vec::new();
    }
    let serve = is_low.then_some(Part::Serve(Place::Bank));
    vec![Found::at(Place::Bank).demands(serve)]
}

fn not_dealt_on(view: &View) -> Vec<Found> {
    let then = view.then();
    if !then.bank_is_final() || MONEY.contains(&view.event().kind) && !begins_settlement(view) {
        return Vec::new();
    }
    let is_over = then.is_over(Place::Bank);
    let is_unfinished = |hand: Place| view.is_unfinished(hand) || !is_over && is_completing(view, hand);
    let is_left = |hand: &Place| is_unfinished(*hand) && !view.is_found("C11", *hand);
    let left = view.playing().iter().copied().filter(is_left);
    let demand = |hand| match is_over {
        true => Part::Collect(hand, "main", None),
        false => Part::Offer(hand, &["play", "withdraw"]),
    };
    let found = |hand| Found::at(hand).demands([demand(hand)]);
    let is_drawn = target(view) == Place::Bank && (view.dealt(Place::Bank).len() >= 2 || view.bank_is_let_be());
    if view.event().kind == Kind::Draw && !is_drawn {
        return Vec::new();
    }
    left.map(found).collect()
}

fn uncovered_early(view: &View) -> Vec<Found> {
    let is_covered = view.dealt(Place::Bank).iter().any(|draw| view.is_covered(*draw));
    let then = view.then();
    let names_another = then.names().any(|(draw, at)| at == view.now && !view.is_covered(draw));
    let is_bank = target(view) == Place::Bank && is_covered && !names_another;
    let is_unfinished = |hand: &Place| view.is_unfinished(*hand) || is_completing(view, *hand);
    let first = view.playing().iter().copied().find(is_unfinished);
    first.filter(|_| is_bank).map(|hand| Found::at(hand).notice()).into_iter().collect()
}

/// A box with one card whose bettor is asked whether he wants the other, or has agreed and waits for it.
fn is_completing(view: &View, hand: Place) -> bool {
    let asks = |part: &Part| *part == Part::AskConsent(hand) || *part == Part::Serve(hand);
    let waits =
        |found: &Finding| found.what.provision == "C4" && found.is_open() && found.missing(view).iter().any(asks);
    view.dealt(hand).len() == 1 && view.found().any(|found| found.what.place == Some(hand) && waits(found))
}

fn out_of_turn(view: &View) -> Vec<Found> {
    let event = view.event();
    let is_played = view.dealt(target(view)).len() >= 2 || view.is_split(target(view));
    let is_completing = view.dealt(target(view)).len() == 1 && !view.is_split(target(view));
    let is_drawn = view.play_began() && !is_completing || is_played && view.waiting().is_empty();
    let is_delivered = view.waiting().is_empty() && view.dealt(Place::Bank).len() >= 2 || view.play_began();
    let is_given_up = event.kind == Kind::Decide && event.word == "surrender";
    let is_later =
        if event.kind == Kind::Draw { is_drawn } else { (view.is_choice(view.now) || is_given_up) && is_delivered };
    let is_third = view.findings.iter().any(|found| found.at == view.now && found.what.provision == "C6");
    if !is_later || is_third || !view.plays(target(view)) || !view.hands().contains(&target(view)) {
        return Vec::new();
    }
    let earlier = view.playing().iter().copied().take_while(|hand| *hand != target(view));
    let is_told = |hand: Place| {
        let is_so = |found: &Finding| found.what.provision == "D9" && found.what.place == Some(hand);
        view.found().any(|found| {
            is_so(found) && (PLAY.contains(&view.events[found.at].kind) || view.events[found.at].kind == Kind::Draw)
        })
    };
    let is_left = |hand: &Place| {
        let has_cards = view.dealt(*hand).len() >= 2 || view.is_split(*hand);
        has_cards && view.is_unfinished(*hand) && !is_told(*hand)
    };
    earlier.filter(is_left).map(Found::at).collect()
}

fn hit_at_21(view: &View) -> Vec<Found> {
    let is_hit = view.event().word == "hit" && view.total(target(view)) == Some(21) && !view.house.yes("hit_at_21");
    is_hit.then(|| Found::at(target(view))).into_iter().collect()
}

fn ace_undeclared(view: &View) -> Vec<Found> {
    let (event, hand) = (view.event(), target(view));
    if view.is_ignored(view.now) || !view.house.yes("ace_is_declared") || !view.plays(hand) {
        return Vec::new();
    }
    let declared = view.declared(hand);
    if event.kind == Kind::Ace {
        let is_changed = declared.is_some_and(|value| value != event.number);
        return is_changed.then(|| Found::at(hand).with(Effect::Ignored)).into_iter().collect();
    }
    let mut early = view.dealt(hand).iter().take(2).filter_map(|draw| view.card(*draw));
    let has_ace = early.any(|card| card.rank == 1) && view.dealt(hand).len() >= 2 && !view.is_blackjack(hand);
    let is_choice = matches!(event.word.as_str(), "hit" | "stand" | "double");
    let is_told = view.is_found("D10", hand);
    let is_known = view.cards(hand).is_some();
    (is_choice && has_ace && is_known && declared.is_none() && !is_told).then(|| Found::at(hand)).into_iter().collect()
}

/// A card that nothing asked for and that no other row named.
fn undue(view: &View) -> Vec<Found> {
    let named = ["C6", "C7", "C8", "C13", "C18", "D12"];
    let names = |found: &Finding| view.is_bank_early() || named.contains(&found.what.provision.as_str());
    let is_named = view.findings.iter().any(|found| found.at == view.now && names(found));
    // a place that nobody saw accuses nobody
    let is_seen = view.sees("places") || view.event().place.is_none();
    // where questions are not seen, nobody knows whether it was asked (C8)
    let may_be_unasked = !view.sees("asks") && view.is_unfinished(target(view)) && eleven_unasked(view, target(view));
    let is_found = is_seen && !(view.house.plan.is_due)(view) && !is_named && !may_be_unasked;
    is_found.then(|| Found::at(target(view)).misdealt(view)).into_iter().collect()
}

/// Whether anything asks for the card.
pub(super) fn is_due(view: &View) -> bool {
    let place = target(view);
    let is_hand_due = place.number().is_some()
        && view.plays(place)
        && !view.dealt(place).is_empty()
        && !view.has_no_claim(place)
        && view.awaits_card(place)
        && !view.has_21(place);
    let is_covered = view.dealt(Place::Bank).iter().any(|draw| view.is_covered(*draw));
    let least = if view.house.is("bank_second_card", "after_play") { 1 } else { 2 };
    let is_bank_due = place == Place::Bank
        && (least == 2 || view.turn().is_none())
        && (view.bank_is_let_be() || view.dealt(Place::Bank).len() >= least && !view.lying(Place::Bank).is_empty())
        && !is_covered
        && !view.playing().is_empty();
    let is_left = is_served_again(view, place) || view.is_found("C4", place) && view.dealt(place).len() == 1;
    is_left
        || view.refused(place).is_some()
        || is_delivery(view)
        || view.is_asked_for(place)
        || is_hand_due
        || is_bank_due
}

/// Whether all have played: nobody waits for a card, and it is nobody's turn.
pub(super) fn have_played(view: &View) -> bool {
    view.waiting().is_empty() && view.turn().is_none() && !view.playing().iter().any(|hand| view.awaits_card(*hand))
}

/// The events of play and settlement, for rows of other files.
pub(super) fn is_settled(view: &View, hand: Place) -> bool {
    // a card that nobody sees being turned may make a tie
    let may_tie = |hand: Place| !view.sees("turns") && view.dealt(hand).iter().any(|draw| view.is_covered(*draw));
    let is_even = |hand: Place| may_tie(hand) || owed(view, hand, "main").is_some_and(|account| account.owed() == 0);
    // chips that nobody sees may have moved once the hand is over
    let is_unseen = |hand: Place| !view.sees("bets") && !view.is_unfinished(hand);
    let moved = |hand: Place| {
        is_unseen(hand)
            || !view.plays(hand)
            || view.is_left(hand)
            || view.is_without_stake(hand)
            || view.settled_at(hand).is_some()
            || view.moved(hand, "main").next().is_some()
    };
    // what nobody can know is not waited for
    let is_unknown = |hand: Place| view.is_unread(hand) && view.bank_is_final();
    let waits = |hand: Place| !moved(hand) && !is_even(hand) && !is_unknown(hand);
    moved(hand) || is_even(hand) && !view.playing().iter().copied().any(waits)
}

/// Whether this event is one of play for the row of a hand's chips.
pub(super) fn plays_later(view: &View, hand: Place) -> bool {
    let is_choice = PLAY.contains(&view.event().kind) && (view.is_play(view.now) || view.event().word == "surrender");
    let is_play = is_choice || view.event().kind == Kind::Draw;
    is_play
        && view.hands().iter().copied().skip_while(|other| *other != hand).skip(1).any(|other| other == target(view))
}

/// Whether a hand is still to be settled whose cards are there.
pub(super) fn unsettled(view: &View) -> bool {
    let waits = |hand: Place| !is_settled(view, hand) && !view.has_no_claim(hand) && !view.is_unread(hand);
    !hangs_on_unread_bank(view) && view.playing().iter().copied().any(waits)
}

/// Whether all have played and nobody knows a card of the bank's, or whether it lacks one.
pub(super) fn hangs_on_unread_bank(view: &View) -> bool {
    view.turn().is_none() && view.is_unread(Place::Bank) || view.may_lack_card()
}

pub(super) fn left_on_table(view: &View) -> Vec<Found> {
    found_if(view.places().next().is_some(), Found::new())
}
