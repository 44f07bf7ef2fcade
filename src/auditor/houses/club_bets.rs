//! `club`: the cards in the shoe, the bets before the play, and what is laid for doubles, splits and insurances.

use crate::facts::View;
use crate::houses::club::{is_done_with, is_pair, may_be_insured, may_double, may_split};

use crate::facts::found::{Effect, Finding, Found, Part};
use crate::houses::everywhere::{
    bank_shows_ace, doubled_without_chips, first_broken, is_refused, loads_what_was_shuffled, once_too_often,
};
use crate::houses::talla_bets::plays_later;
use crate::log::{Event, Kind, Place};
use crate::money::takes_insurance;
use crate::rows::{CLOSE, Row, found_if, target};

pub(super) const ROWS: &[Row] = &[
    Row { provision: "G1", on: &[Kind::Shuffle, Kind::Load], needs: &["shuffles"], find: other_decks },
    Row { provision: "G21", on: &[Kind::Shuffle, Kind::Load, Kind::End], needs: &["shuffles"], find: not_completed },
    Row { provision: "G1", on: &[Kind::Draw, Kind::Reveal], needs: &["faces", "turns", "hands"], find: once_too_often },
    Row { provision: "A5", on: CLOSE, needs: &["bets"], find: wrong_stake },
    Row { provision: "A5", on: CLOSE, needs: &["bets"], find: wrong_limits },
    Row { provision: "G18", on: &[Kind::Bet], needs: &["bets", "hands"], find: late_bet },
    Row { provision: "G18", on: &[Kind::Bet], needs: &["bets", "hands"], find: changed_bet },
    Row { provision: "G12", on: &[Kind::Bet, Kind::Decide], needs: &["bets", "hands"], find: wrong_double },
    Row { provision: "G12", on: &[Kind::Draw, Kind::Ask, Kind::Decide], needs: &["bets", "hands"], find: late_double },
    Row { provision: "G13", on: &[Kind::Bet, Kind::Decide], needs: &["bets", "hands"], find: wrong_split },
    Row { provision: "G13", on: &[Kind::Draw], needs: &["bets", "hands"], find: late_split },
    Row { provision: "G16", on: &[Kind::Bet], needs: &["bets", "hands"], find: wrong_insurance },
    Row { provision: "G16", on: &[Kind::End], needs: &["bets", "hands"], find: insurance_undecided },
    Row { provision: "G16", on: &[Kind::Ask], needs: &["asks", "hands"], find: insurance_offered_without_ace },
];

/// Whether a shuffle or load completes a play whose cards ran out.
pub(super) fn completes_a_play(view: &View) -> bool {
    view.has_dealing()
}

fn other_decks(view: &View) -> Vec<Found> {
    let event = view.event();
    if completes_a_play(view) || loads_what_was_shuffled(view) {
        return Vec::new();
    }
    let (fewest, most) = (view.house.figure("min_decks"), view.house.figure("max_decks"));
    let told = (event.kind == Kind::Shuffle).then_some(event.decks);
    let is_few = told.is_some_and(|decks| decks < fewest) || event.number < fewest * 52;
    let is_many = told.is_some_and(|decks| decks > most) || event.number > most.saturating_mul(52);
    let broken = first_broken(&[("G1", is_few), ("A2", is_many)]);
    let found = |provision: &str| Found { provision: provision.to_owned(), ..Found::new().demands([Part::Rule]) };
    broken.map(found).into_iter().collect()
}

/// Whether the shoe has run empty: it said so, and no card came out of it or went into it since, or all that were
/// loaded have come out.
fn is_empty(view: &View) -> bool {
    let of_shoe = |event: &Event| match event.kind {
        Kind::Draw | Kind::Load => true,
        Kind::Move => event.to == Some(Place::Shoe),
        _ => event.device.as_deref() == Some("shoe") && event.word == "empty",
    };
    let says_so = view.events[..view.now].iter().rfind(|event| of_shoe(event)).map(|event| event.kind);
    let are_out = |loaded: usize| {
        let drawn = (loaded..view.now).filter(|at| view.events[*at].kind == Kind::Draw).count();
        let is_back = |at: &usize| view.events[*at].to == Some(Place::Shoe);
        let back: usize = (loaded..view.now).filter(is_back).map(|at| view.at(at).taken().len()).sum();
        let number = view.events[loaded].number;
        number > 0 && drawn as u64 >= number + back as u64
    };
    says_so == Some(Kind::Device) || view.loaded().is_some_and(are_out)
}

/// In the middle of a play: cards shuffled though it did not run out, or others than the retired ones; cards loaded
/// that were not shuffled; a play that ends with the shoe empty and a card due. Once a play and kind.
fn not_completed(view: &View) -> Vec<Found> {
    let event = view.event();
    let is_shuffled = view.since(view.loaded().unwrap_or(0), |event| event.kind == Kind::Shuffle);
    let is_wrong = match event.kind {
        Kind::Shuffle => !is_empty(view) || view.loaded().is_some_and(|loaded| event.number != retired(view, loaded)),
        Kind::Load => !is_shuffled,
        _ => is_empty(view) && (view.house.plan.due)(view).is_some(),
    };
    let is_so = |found: &Finding| found.what.provision == "G21" && view.events[found.at].kind == event.kind;
    found_if(view.has_dealing() && is_wrong && !view.found().any(is_so), Found::new())
}

/// How many cards were retired since an event.
fn retired(view: &View, from: usize) -> u64 {
    let retires = |at: &usize| view.events[*at].kind == Kind::Move && view.events[*at].to == Some(Place::Discard);
    (from..view.now).filter(retires).map(|at| view.at(at).taken().len() as u64).sum()
}

/// A bet outside the limits, or no multiple of what stakes are multiples of.
fn wrong_stake(view: &View) -> Vec<Found> {
    let (least, most, unit) =
        (view.header.limits.min, view.header.limits.max, view.house.figure("bet_multiple").max(1));
    let is_wrong = |place: &Place| {
        let lies = view.chips(*place, "main");
        lies > 0 && (!(least..=most).contains(&lies) || !lies.is_multiple_of(unit))
    };
    let found = |place| Found::at(place).with(Effect::Refused).demands([Part::ReturnBet(place, "main", least, most)]);
    view.boxes().filter(|_| view.closes()).filter(is_wrong).map(found).collect()
}

/// Limits of the table whose proportion is not one that the house allows, once a shoe.
fn wrong_limits(view: &View) -> Vec<Found> {
    let (least, most) = (view.header.limits.min.max(1), view.header.limits.max);
    let (fewest, most_times) = view.house.range("max_to_min");
    let is_wrong = most < least.saturating_mul(fewest) || most > least.saturating_mul(most_times);
    let is_fresh = view.loaded().is_some_and(|loaded| !view.since(loaded, |event| event.kind == Kind::Draw));
    found_if(view.closes() && is_wrong && is_fresh, Found::new())
}

/// A bet that comes when the play has begun.
fn late_bet(view: &View) -> Vec<Found> {
    let (event, place) = (view.event(), target(view));
    let is_late = event.spot == "main" && event.number > 0 && view.has_dealing() && view.stake(place) == 0;
    let found = Found::at(place).with(Effect::Ignored).demands([Part::ReturnBet(place, "main", 0, 0)]);
    found_if(is_late && view.chips(place, "main") == 0, found)
}

/// A bet that is touched when the play has begun: it counts as it was.
fn changed_bet(view: &View) -> Vec<Found> {
    let (event, place) = (view.event(), target(view));
    let was = view.on_spot(place, &event.spot);
    let is_open = event.spot == "insurance" && (may_be_insured(view) || view.is_taken_in_vain(view.now));
    let is_touched = if event.spot == "main" { view.has_dealing() } else { event.number < was && !is_open };
    let is_touched = is_touched && !view.gives_up_split();
    let is_collected = event.number == 0 && view.is_over(place) || view.collected_half(view.now).is_some();
    let is_changed = was > 0 && event.number != was && !view.is_void(place) && view.settled_at(place).is_none();
    found_if(is_touched && is_changed && !view.is_returned() && !is_collected, Found::at(place).with(Effect::Ignored))
}

/// Whether a hand has any other cards than its first two, or has stood.
fn is_past(view: &View, hand: Place) -> bool {
    view.dealt(hand).len() != 2 || view.decided(hand) == Some("stand") || is_done_with(view, hand)
}

fn wrong_double(view: &View) -> Vec<Found> {
    let (event, hand) = (view.event(), target(view));
    let is_bet = event.kind == Kind::Bet && event.spot == "double" && event.number > 0;
    let is_again = !is_bet && view.is_doubled(hand) && view.dealt(hand).len() > 2;
    if !is_bet && event.word != "double" || is_again || view.is_ignored(view.now) {
        return Vec::new();
    }
    let is_late = is_bet && view.is_doubled(hand) && view.dealt(hand).len() > 2 && view.on_spot(hand, "double") > 0;
    let may = may_double(view, hand) && !is_past(view, hand) || is_late;
    let most = if may { view.stake(hand) } else { 0 };
    let refuses = (!may).then_some((hand, "double"));
    let found = Found::at(hand).with(Effect::Ignored).demands([Part::ReturnBet(hand, "double", most, most)]);
    let provision = if view.is_served_ace(hand) { "G14" } else { "G12" }.to_owned();
    found_if(!may || is_bet && event.number != view.stake(hand), Found { refuses, provision, ..found })
}

fn late_double(view: &View) -> Vec<Found> {
    doubled_without_chips(view, plays_later)
}

pub(super) fn wrong_split(view: &View) -> Vec<Found> {
    let (event, hand) = (view.event(), target(view));
    let is_bet = event.kind == Kind::Bet && event.spot == "split" && event.number > 0;
    let is_said = event.kind == Kind::Decide && event.word == "split";
    if !is_bet && !is_said || view.is_ignored(view.now) {
        return Vec::new();
    }
    let each = view.stake(hand.first_hand());
    let (lies, opened) = (view.on_spot(hand, "split"), view.opened_beside(hand) as u64 * each);
    let is_paying = is_bet && lies < opened;
    if is_bet && !is_paying && event.number == lies {
        return Vec::new();
    }
    let due = if is_paying { opened } else { opened + each };
    let is_said_after =
        is_said && lies > 0 && lies == opened && !view.has(|event| event.says(Kind::Decide, hand, "split"));
    if is_said_after {
        return Vec::new();
    }
    let is_open = is_paying || may_split(view, hand) && !is_past(view, hand);
    let broken = first_broken(&[
        ("G14", !is_open && view.is_served_ace(hand) && is_pair(view, hand)),
        ("G13", !is_open || is_bet && event.number != due),
    ]);
    let Some(provision) = broken else { return Vec::new() };
    let most = if is_open { due } else { lies };
    let refuses = (!is_open).then_some((hand, "split"));
    let found = Found::at(hand).with(Effect::Ignored).demands([Part::ReturnBet(hand, "split", most, most)]);
    vec![Found { refuses, provision: provision.to_owned(), ..found }]
}

pub(super) fn late_split(view: &View) -> Vec<Found> {
    let hand = target(view);
    let from = view.opened_from(hand).map_or(hand, |(from, _)| from);
    let lies = view.on_spot(from, "split");
    let is_short = lies < view.opened_beside(from) as u64 * view.stake(from.first_hand());
    let is_first = view.is_split(hand) && view.dealt(hand).len() == 1 && is_short;
    let returns = |part: &Part| matches!(part, Part::ReturnBet(place, "split", ..) if *place == from);
    let is_told = view.found().any(|found| found.what.remedy.iter().any(returns));
    let found = Found::at(from).demands([Part::ReturnBet(from, "split", lies, lies)]);
    found_if(is_first && !is_told, Found { refuses: Some((from, "split")), ..found })
}

/// Offered while the bank shows its one card, which is no ace.
fn insurance_offered_without_ace(view: &View) -> Vec<Found> {
    let (hand, event) = (target(view), view.event());
    let is_insured = view.house.is("insurance_when", "before_play") || view.house.is("insurance_when", "after_play");
    let shows_another = view.dealt(Place::Bank).len() == 1 && !bank_shows_ace(view) && !view.is_unread(Place::Bank);
    let is_told = view.found().any(|found| {
        found.what.provision == "G16" && found.what.place == Some(hand) && view.events[found.at].kind == Kind::Ask
    });
    let is_offered = event.word == "insurance" && is_insured && view.plays(hand);
    found_if(is_offered && shows_another && !is_told, Found::at(hand))
}

/// An insurance that nothing decided when the play is over.
fn insurance_undecided(view: &View) -> Vec<Found> {
    let is_moved = |hand: Place| view.moved(hand, "insurance").next().is_some();
    let is_open = |hand: &Place| view.on_spot(*hand, "insurance") > 0 && !view.is_void(*hand) && !is_moved(*hand);
    let left = view.hands().iter().copied().filter(is_open);
    left.filter(|_| view.dealt(Place::Bank).len() < 2).map(Found::at).collect()
}

/// Up to half the bet, in the units of insurances, when the bank shows an ace and no further card has been dealt.
fn wrong_insurance(view: &View) -> Vec<Found> {
    let (event, hand) = (view.event(), target(view));
    let is_changed = event.number != view.chips(hand, "insurance") && event.number != view.on_spot(hand, "insurance");
    if event.spot != "insurance" || event.number == 0 || !is_changed || view.is_ignored(view.now) {
        return Vec::new();
    }
    let (part, whole) = view.house.ratio("insurance_part");
    let (most, unit) = (view.stake(hand).saturating_mul(part) / whole, view.house.figure("insurance_multiple").max(1));
    let may = may_be_insured(view) && view.plays(hand) && hand == hand.first_hand();
    let broken = first_broken(&[
        ("G16", !may || !takes_insurance(view, event.number, most)),
        ("A5", !event.number.is_multiple_of(unit)),
    ]);
    let Some(provision) = broken else { return Vec::new() };
    let most = if may { most } else { view.on_spot(hand, "insurance") };
    let found = Found::at(hand).with(Effect::Ignored).demands([Part::ReturnBet(hand, "insurance", 0, most)]);
    let refuses = Some((hand, "insurance"));
    found_if(!is_refused(view, "insurance"), Found { refuses, provision: provision.to_owned(), ..found })
}
