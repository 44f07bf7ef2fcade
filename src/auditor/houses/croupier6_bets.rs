//! `croupier-6`: the shoe, who sits, and the bets.

use crate::facts::View;
use crate::facts::found::{Effect, Finding, Found, Part};
use crate::houses::croupier6::is_known;
use crate::houses::everywhere::{self, loads_what_was_shuffled, once_too_often};
use crate::log::Kind;
use crate::rows::{Row, found_if, target};

pub(super) const ROWS: &[Row] = &[
    Row { provision: "K1", on: &[Kind::Shuffle, Kind::Load], needs: &["shuffles"], find: other_decks },
    Row { provision: "K1", on: &[Kind::Draw, Kind::Reveal], needs: &["faces", "turns", "hands"], find: once_too_often },
    Row { provision: "K3", on: &[Kind::Seat], needs: &[], find: one_too_many },
    Row { provision: "K4", on: &[Kind::Bet], needs: &["bets"], find: anothers_place },
    Row { provision: "K3", on: &[Kind::Bet], needs: &["bets"], find: standing },
    Row { provision: "K7", on: &[Kind::Bet], needs: &["bets", "hands"], find: late_bet },
    Row { provision: "K10", on: &[Kind::Bet], needs: &["bets", "hands"], find: no_such_bet },
];

fn other_decks(view: &View) -> Vec<Found> {
    let (event, decks) = (view.event(), view.house.figure("min_decks")..=view.house.figure("max_decks"));
    let is_wrong = match event.kind {
        Kind::Shuffle => !decks.contains(&event.decks) || event.number != event.decks * 52,
        _ => !event.number.is_multiple_of(52) || !decks.contains(&(event.number / 52)),
    };
    found_if(is_wrong && !loads_what_was_shuffled(view), Found::new().demands([Part::Rule]))
}

fn one_too_many(view: &View) -> Vec<Found> {
    // who sat down and did not get up, another in his seat or not
    let mut sitting: Vec<&str> = Vec::new();
    for (at, event) in view.events[..=view.now].iter().enumerate() {
        let Some(player) = event.player.as_deref() else { continue };
        match event.kind {
            Kind::Leave if view.has_changed_seat(at) => {}
            Kind::Leave => sitting.retain(|sits| *sits != player),
            Kind::Seat if !sitting.contains(&player) => sitting.push(player),
            _ => {}
        }
    }
    let most = view.house.figure("max_seated");
    let is_no_seat = !(1..=most.max(7)).contains(&view.event().number);
    found_if(is_no_seat || sitting.len() as u64 > most, Found::new())
}

/// Whether chips on that place are refused already, and still lie there.
fn is_refused(provision: &str, view: &View) -> bool {
    let is_so = |found: &Finding| found.what.provision == provision && found.what.place == view.event().place;
    view.found().any(|found| is_so(found) && found.is_open())
}

fn standing(view: &View) -> Vec<Found> {
    let (event, place) = (view.event(), target(view));
    let Some(player) = event.player.as_deref().filter(|_| event.spot == "main") else { return Vec::new() };
    let lay = view.chips(place, "main");
    let seated = view.seated();
    let are_seats_told = view.events[..view.now].iter().any(|event| event.kind == Kind::Seat);
    let is_standing = are_seats_told && !seated.values().any(|sits| sits == player);
    let found = Found::at(place).demands([Part::ReturnBet(place, "main", lay, lay)]);
    let is_told = view.findings.iter().any(|found| found.at == view.now) || is_refused("K3", view);
    found_if(is_standing && event.number > lay && !is_told, found)
}

fn anothers_place(view: &View) -> Vec<Found> {
    let (event, place) = (view.event(), target(view));
    let Some(player) = event.player.as_deref().filter(|_| event.spot == "main") else { return Vec::new() };
    let lay = view.chips(place, "main");
    let is_anothers = view.stake(place) > 0 && view.bettor(place).is_some_and(|bettor| bettor != player);
    let found = Found::at(place).demands([Part::ReturnBet(place, "main", lay, lay)]);
    let is_found = is_anothers && event.number > lay;
    found_if(is_found, found)
}

/// Whether a bet of the pass is followed by "no more bets" or a card.
fn is_closed(view: &View) -> bool {
    let begun = view.first(|event| event.kind == Kind::Bet);
    begun.is_some_and(|at| view.since(at, |event| matches!(event.kind, Kind::CloseBets | Kind::Draw)))
}

/// Chips laid, added or taken off when the bets are closed. A late bet is void, another counts as it was.
fn late_bet(view: &View) -> Vec<Found> {
    let (event, place) = (view.event(), target(view));
    let was = view.on_spot(place, "main");
    if event.spot != "main" || !is_closed(view) || event.number == was || view.settled_at(place).is_some() {
        return Vec::new();
    }
    let found = Found::at(place).with(Effect::Ignored);
    if was == 0 {
        // where the house lets it, a card that is dealt to it all the same plays it
        let effect = if view.house.yes("late_bet_is_void") { Effect::Ignored } else { Effect::Refused };
        let found = found.with(effect);
        let late = event.number > view.chips(place, "main") && !is_refused("K7", view);
        return found_if(late, found.demands([Part::ReturnBet(place, "main", 0, 0)]));
    }
    // of one with a card that could not be read nobody knows whether it is over
    let is_collected = event.number == 0 && (view.is_over(place) || view.is_unread(place));
    found_if(!is_collected && !view.is_void(place) && !view.is_returned(), found)
}

fn no_such_bet(view: &View) -> Vec<Found> {
    let (event, place) = (view.event(), target(view));
    let spot = match event.spot.as_str() {
        "double" => "double",
        "split" => "split",
        "insurance" => "insurance",
        _ => return Vec::new(),
    };
    let found = Found::at(place).with(Effect::Ignored).demands([Part::ReturnBet(place, spot, 0, 0)]);
    let is_new = event.number > view.chips(place, spot) && !everywhere::is_refused(view, spot);
    found_if(!is_known(view, spot) && is_new, Found { refuses: Some((place, spot)), ..found })
}
