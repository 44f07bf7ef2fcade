//! `talla`: the bets before the cards, and what is laid for doubles, splits and insurances.

use crate::facts::View;
use crate::facts::found::{Effect, Found, Part};
use crate::houses::everywhere::{bank_shows_ace, doubled_without_chips, first_broken, is_refused, once_too_often};
use crate::houses::talla::{have_played, in_second};
use crate::log::{Kind, Place};
use crate::money::{chips_of, owed, takes_insurance};
use crate::rows::{Row, found_if, target};

pub(super) const ROWS: &[Row] = &[
    Row { provision: "T0", on: &[Kind::Draw, Kind::Reveal], needs: &["faces", "turns", "hands"], find: once_too_often },
    Row { provision: "T-Q5", on: &[Kind::CloseBets, Kind::Draw], needs: &["bets"], find: above_the_most },
    Row { provision: "T-Q1", on: &[Kind::Bet], needs: &["bets", "hands"], find: late_bet },
    Row { provision: "T-N5", on: &[Kind::Bet], needs: &["bets", "hands"], find: touched_bet },
    Row { provision: "T-X1", on: &[Kind::Bet, Kind::Decide], needs: &["bets", "hands"], find: wrong_double },
    Row { provision: "T-X2", on: &[Kind::Draw, Kind::Ask, Kind::Decide], needs: &["bets", "hands"], find: late_double },
    Row { provision: "T-P1", on: &[Kind::Bet, Kind::Decide], needs: &["bets", "hands"], find: wrong_split },
    Row { provision: "T-P2", on: &[Kind::Draw], needs: &["bets", "hands"], find: late_split },
    Row { provision: "T-S2", on: &[Kind::Bet], needs: &["bets", "hands"], find: wrong_insurance },
];

fn above_the_most(view: &View) -> Vec<Found> {
    if view.is_closed() {
        return Vec::new();
    }
    let most = view.header.limits.max;
    let above = view.boxes().filter(|place| view.chips(*place, "main") > most);
    above
        .map(|place| Found::at(place).with(Effect::Refused).demands([Part::ReturnBet(place, "main", 0, most)]))
        .collect()
}

/// Whether the bets of the pass are closed, in words or by the first card after one.
fn are_closed(view: &View) -> bool {
    let first = view.first(|event| event.kind == Kind::Bet).unwrap_or(view.now);
    view.since(first, |event| matches!(event.kind, Kind::CloseBets | Kind::Draw))
}

/// A bet that comes when the cards are being dealt: of who forgot it one chip, while the first round lasts.
fn late_bet(view: &View) -> Vec<Found> {
    let (event, place) = (view.event(), target(view));
    let is_late = are_closed(view) && event.spot == "main" && event.number > 0;
    // what was void and is taken off does not come back
    let is_gone = view.is_void(place) && view.chips(place, "main") == 0;
    if !is_late || view.stake(place) > 0 && !is_gone {
        return Vec::new();
    }
    let may = view.house.yes("forgotten_bet") && !in_second(view);
    let most = if may { view.house.figure("chip") } else { 0 };
    let provision = if may { "T-Q4" } else { "T-Q1" }.to_owned();
    let found = Found::at(place).with(Effect::Ignored).demands([Part::ReturnBet(place, "main", 0, most)]);
    let is_one_chip = event.chips == Some(1) || event.number <= most;
    let refuses = Some((place, "main"));
    found_if((!may || !is_one_chip) && !is_refused(view, "main"), Found { provision, refuses, ..found })
}

fn touched_bet(view: &View) -> Vec<Found> {
    let (event, place) = (view.event(), target(view));
    let was = view.on_spot(place, &event.spot);
    let is_touched = match event.spot.as_str() {
        "main" => are_closed(view),
        // before its card has come a double or an insurance may be given up
        "double" => event.number == 0 && view.dealt(place).len() > 2,
        "insurance" => event.number < was && view.dealt(Place::Bank).len() > 1 && !view.is_taken_in_vain(view.now),
        _ => event.number < was && !view.gives_up_split(),
    };
    // over 21 it is collected, and of a tie it is given back
    let is_even = || owed(view, place, "main").is_some_and(|account| account.owed() == 0);
    let is_off = event.number == 0 && (view.is_over(place) || is_even());
    let is_collected = is_off || view.collected_half(view.now).is_some();
    let is_changed = was > 0 && event.number != was && !view.is_void(place) && view.settled_at(place).is_none();
    found_if(is_touched && is_changed && !view.is_returned() && !is_collected, Found::at(place).with(Effect::Ignored))
}

/// Whether a hand has any other cards than its first two, has stood, was given up or took single pay.
fn is_past(view: &View, hand: Place) -> bool {
    let is_out = view.surrendered(hand).is_some() || view.took_even_money(hand).is_some();
    view.dealt(hand).len() != 2 || view.decided(hand) == Some("stand") || is_out
}

fn wrong_double(view: &View) -> Vec<Found> {
    let (event, hand) = (view.event(), target(view));
    let is_bet = event.kind == Kind::Bet && event.spot == "double" && event.number > 0;
    if !is_bet && event.word != "double" || view.is_ignored(view.now) {
        return Vec::new();
    }
    let is_late = view.is_doubled(hand) && view.dealt(hand).len() > 2 && view.on_spot(hand, "double") > 0;
    let stake = view.stake(hand);
    let is_past = is_past(view, hand);
    // who said so before his card lays them too late
    let is_unpaid = is_bet && view.is_doubled(hand) && view.dealt(hand).len() > 2;
    let broken = first_broken(&[
        ("T-X2", is_unpaid && !is_late),
        ("T-X5", view.is_split(hand) && !view.house.yes("double_after_split")),
        ("T-B10", view.is_blackjack(hand)),
        ("T-X1", is_past && !is_late),
        ("T-X2", is_bet && event.number != stake),
    ]);
    let Some(provision) = broken else { return Vec::new() };
    let most = if provision == "T-X2" && (is_late || !is_unpaid) { stake } else { 0 };
    let found = Found::at(hand).with(Effect::Ignored).demands([Part::ReturnBet(hand, "double", most, most)]);
    // of two cards that have stood the amount is looked at too
    let is_other = provision == "T-X1" && is_bet && event.number != stake && view.dealt(hand).len() == 2;
    let also = Found { provision: "T-X2".to_owned(), ..found.clone() };
    let found = vec![Found { refuses: Some((hand, "double")), provision: provision.to_owned(), ..found }];
    found.into_iter().chain(found_if(is_other, also)).collect()
}

/// Whether this event is one of play for a later hand.
pub(super) fn plays_later(view: &View, hand: Place) -> bool {
    let is_play = view.event().kind == Kind::Draw || view.is_play(view.now);
    let later = view.hands().iter().copied().skip_while(|other| *other != hand).skip(1).chain([Place::Bank]);
    is_play && later.into_iter().any(|other| other == target(view))
}

fn late_double(view: &View) -> Vec<Found> {
    doubled_without_chips(view, plays_later)
}

fn wrong_split(view: &View) -> Vec<Found> {
    let (event, hand) = (view.event(), target(view));
    let is_bet = event.kind == Kind::Bet && event.spot == "split" && event.number > 0;
    if !is_bet && event.word != "split" || view.is_ignored(view.now) {
        return Vec::new();
    }
    let lies = view.on_spot(hand, "split");
    let opened = view.opened_beside(hand) as u64 * view.stake(hand.first_hand());
    let is_paying = is_bet && lies < opened;
    let is_ten_value = |view: &View| view.cards(hand).is_some_and(|cards| cards.iter().all(|card| card.pips() == 10));
    let hands = view.hands().iter().filter(|other| other.number() == hand.number()).count() as u64;
    let is_past = is_past(view, hand);
    let due = if is_paying { opened } else { opened + view.stake(hand.first_hand()) };
    let said = view.pass().filter(|at| view.events[*at].says(Kind::Decide, hand, "split")).count();
    let is_said_after = !is_bet && lies >= opened && said < view.opened_beside(hand);
    if is_bet && !is_paying && event.number == lies || is_said_after {
        return Vec::new();
    }
    let is_ace_again = view.pair_opened(hand) == Some(1) && !view.house.yes("split_aces_again");
    let broken = first_broken(&[
        ("T-P1", is_past && !is_paying),
        ("T-P4", is_ace_again && !is_paying),
        ("T-P5", view.is_pair(hand) == Some(false) && is_ten_value(view) && !is_paying),
        ("T-P1", view.is_pair(hand) == Some(false) && !is_paying),
        ("T-P3", hands >= view.house.figure("max_hands") && !is_paying),
        ("T-P2", is_bet && event.number != due),
    ]);
    let Some(provision) = broken else { return Vec::new() };
    let most = if provision == "T-P2" { opened.max(view.stake(hand.first_hand())) } else { lies };
    let found = Found::at(hand).with(Effect::Ignored).demands([Part::ReturnBet(hand, "split", most, most)]);
    vec![Found { refuses: Some((hand, "split")), provision: provision.to_owned(), ..found }]
}

fn late_split(view: &View) -> Vec<Found> {
    let hand = target(view);
    let from = view.opened_from(hand).map_or(hand, |(from, _)| from);
    let is_short =
        |from: Place| view.on_spot(from, "split") < view.opened_beside(from) as u64 * view.stake(from.first_hand());
    let is_first = view.is_split(hand) && view.dealt(hand).len() == 1 && is_short(from);
    let lies = view.on_spot(from, "split");
    let found = Found::at(from).demands([Part::ReturnBet(from, "split", lies, lies)]);
    found_if(is_first && !view.is_found("T-P2", from), Found { refuses: Some((from, "split")), ..found })
}

fn wrong_insurance(view: &View) -> Vec<Found> {
    let (event, hand) = (view.event(), target(view));
    let is_changed = event.number != view.chips(hand, "insurance") && event.number != view.on_spot(hand, "insurance");
    let is_settled = view.moved(hand, "insurance").next().is_some();
    if event.spot != "insurance" || event.number == 0 || !is_changed || is_settled || view.is_ignored(view.now) {
        return Vec::new();
    }
    let half_stake = chips_of(view, view.stake(hand), view.house.ratio("insurance_part"));
    let (part, whole) = view.house.ratio("insurance_part");
    let is_odd = half_stake.saturating_mul(whole) != view.stake(hand).saturating_mul(part);
    let is_late = view.dealt(Place::Bank).len() >= 2;
    let is_out_of_time = is_late || !have_played(view) || view.plays(hand) && !view.is_at_stake(hand);
    let broken = first_broken(&[
        ("T-S5", !bank_shows_ace(view) && !view.is_unread(Place::Bank)),
        ("T-S9", view.took_even_money(hand).is_some()),
        ("T-S4", is_out_of_time),
        ("T-S3", is_odd && !takes_insurance(view, event.number, half_stake)),
        ("T-S2", !takes_insurance(view, event.number, half_stake)),
    ]);
    let Some(provision) = broken else { return Vec::new() };
    let most = if ["T-S2", "T-S3"].contains(&provision) { half_stake } else { 0 };
    let found = Found::at(hand).with(Effect::Ignored).demands([Part::ReturnBet(hand, "insurance", most, most)]);
    let refuses = Some((hand, "insurance"));
    found_if(!is_refused(view, "insurance"), Found { refuses, provision: provision.to_owned(), ..found })
}
