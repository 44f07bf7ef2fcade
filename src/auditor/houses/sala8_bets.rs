//! `sala-8`: the shoe, the bets before the cards, and what is laid for doubles, splits and insurances.

use crate::facts::View;
use crate::facts::found::{Effect, Found, Part};
use crate::facts::remedy::granted;
use crate::houses::club_bets;
use crate::houses::everywhere::{doubled_without_chips, not_his_choice, once_too_often, shuffle};
use crate::houses::sala8::plays_later;
use crate::log::{Event, Kind, Place};
use crate::money::takes_insurance;
use crate::rows::{CLOSE, Row, found_if, target};

const ACTS: &[Kind] = &[Kind::Draw, Kind::Ask, Kind::Decide, Kind::Ace];

pub(super) const ROWS: &[Row] = &[
    Row { provision: "M1", on: &[Kind::Shuffle, Kind::Load], needs: &["shuffles"], find: too_few_cards },
    Row { provision: "M1", on: &[Kind::Draw, Kind::Reveal], needs: &["faces", "turns", "hands"], find: once_too_often },
    Row { provision: "D1", on: CLOSE, needs: &["bets"], find: too_few_bets },
    Row { provision: "D2", on: CLOSE, needs: &["bets"], find: outside_limits },
    Row { provision: "D3", on: &[Kind::Bet], needs: &["bets"], find: not_his_box },
    Row { provision: "D4", on: &[Kind::Decide, Kind::Ace], needs: &["decisions", "bets"], find: not_his_choice },
    Row { provision: "D5", on: &[Kind::Shuffle, Kind::Load], needs: &["shuffles"], find: shuffled_unasked },
    Row { provision: "D6", on: &[Kind::Cut], needs: &[], find: shallow_cut },
    Row { provision: "D7", on: &[Kind::Load, Kind::CloseBets, Kind::Draw], needs: &[], find: cut_card },
    Row {
        provision: "D7",
        on: &[Kind::Device, Kind::Reveal, Kind::Decide, Kind::Consent, Kind::Choose, Kind::Rule],
        needs: &["hands"],
        find: shoe_empty,
    },
    Row { provision: "C1", on: CLOSE, needs: &["bets"], find: seated_without_bet },
    Row { provision: "C2", on: &[Kind::Bet], needs: &["bets"], find: asked_for_by_another },
    Row { provision: "C3", on: &[Kind::Bet], needs: &["bets", "hands"], find: late_bet },
    Row { provision: "C16", on: &[Kind::Bet], needs: &["bets"], find: changed_bet },
    Row { provision: "C16", on: &[Kind::Choose], needs: &["bets"], find: went_on_without_chips },
    Row { provision: "O1", on: &[Kind::Bet, Kind::Decide], needs: &["hands"], find: wrong_double },
    Row { provision: "O1", on: ACTS, needs: &["bets", "hands"], find: late_double },
    Row { provision: "O1", on: &[Kind::Draw, Kind::Reveal], needs: &["faces", "turns", "hands"], find: double_shown },
    Row { provision: "O2", on: &[Kind::Bet, Kind::Decide], needs: &["bets", "hands"], find: wrong_split },
    Row { provision: "O2", on: &[Kind::Draw], needs: &["bets", "hands"], find: late_split },
    Row { provision: "O4", on: &[Kind::Bet], needs: &["bets", "hands"], find: wrong_insurance },
    Row { provision: "C19", on: &[Kind::Shuffle, Kind::Load], needs: &["shuffles"], find: shoe_changed },
];

fn too_few_cards(view: &View) -> Vec<Found> {
    let (event, fewest) = (view.event(), view.house.figure("min_decks"));
    let is_short = match (event.kind, shuffle(view)) {
        (Kind::Shuffle, _) => event.decks < fewest,
        (_, Some(shuffled)) => event.number != shuffled.number,
        (_, None) => event.number < fewest * 52,
    };
    found_if(is_short, Found::new().integrity().demands([Part::Rule]))
}

fn too_few_bets(view: &View) -> Vec<Found> {
    let is_first = view.loaded().is_some_and(|loaded| !view.since(loaded, |event| event.kind == Kind::End));
    let bets = view.boxes().filter(|place| view.chips(*place, "main") > 0).count() as u64;
    let are_seats_told = view.events[..view.now].iter().any(|event| event.kind == Kind::Seat);
    let is_short = bets < view.house.figure("min_bets")
        || is_first && are_seats_told && (view.seated().len() as u64) < view.house.figure("min_seated");
    found_if(view.closes() && is_short, Found::new())
}

fn outside_limits(view: &View) -> Vec<Found> {
    let (least, most) = (view.header.limits.min, view.header.limits.max);
    let is_outside = |place: &Place| {
        let lies = view.chips(*place, "main");
        lies > 0 && !(least..=most).contains(&lies)
    };
    let found = |place| Found::at(place).with(Effect::Refused).demands([Part::ReturnBet(place, "main", least, most)]);
    view.boxes().filter(|_| view.closes()).filter(is_outside).map(found).collect()
}

fn not_his_box(view: &View) -> Vec<Found> {
    let (event, place) = (view.event(), target(view));
    let Some(player) = event.player.as_deref().filter(|_| event.number > 0) else { return Vec::new() };
    let is_seated = view.seated().is_empty() || view.seated().values().any(|seated| seated == player);
    let is_told =
        view.found().any(|found| found.what.provision == "D3" && found.is_open() && found.what.place == Some(place));
    let is_anothers = view.bettor(place).is_some_and(|bettor| bettor != player);
    let lay = view.chips(place, &event.spot);
    let spot = spot(event);
    let is_more = event.number > lay && !is_told;
    let effect = if spot == "main" && lay == 0 { Effect::Refused } else { Effect::Ignored };
    let found = Found::at(place).with(effect).demands([Part::ReturnBet(place, spot, lay, lay)]);
    found_if(is_more && (!is_seated || is_anothers), found)
}

fn spot(event: &Event) -> &'static str {
    match event.spot.as_str() {
        "double" => "double",
        "split" => "split",
        "insurance" => "insurance",
        _ => "main",
    }
}

fn shuffled_unasked(view: &View) -> Vec<Found> {
    if view.event().kind == Kind::Load {
        let from = view.loaded().unwrap_or(0);
        let shuffled = (from..view.now).rev().find(|&at| view.events[at].kind == Kind::Shuffle);
        let is_uncut = shuffled.is_some_and(|at| !view.since(at, |event| event.kind == Kind::Cut));
        return found_if(is_uncut, Found::new());
    }
    let granted: Vec<usize> = granted(view, "shuffle").collect();
    let unused = (0..view.now).fold(0_usize, |unused, at| match view.events[at].kind {
        Kind::Shuffle => unused.saturating_sub(1),
        _ => unused + usize::from(granted.contains(&at)),
    });
    found_if(unused == 0, Found::new())
}

fn shallow_cut(view: &View) -> Vec<Found> {
    found_if(view.event().number <= view.house.figure("cut_deeper_than"), Found::new())
}

fn cut_card(view: &View) -> Vec<Found> {
    if view.event().kind == Kind::Load {
        let (least, most) = view.house.range("behind_cut_card");
        return found_if(!(least..=most).contains(&view.event().behind), Found::new());
    }
    let loaded = view.loaded().unwrap_or(0);
    let is_out = (loaded..view.pass().start).any(|at| view.events[at].kind == Kind::CutCard);
    found_if(view.closes() && is_out, Found::new())
}

pub(super) fn shoe_empty(view: &View) -> Vec<Found> {
    let event = view.event();
    let empties = |event: &Event| event.device.as_deref() == Some("shoe") && event.word == "empty";
    let is_empty = match event.kind {
        Kind::Device => empties(event),
        kind => {
            let asks = ["hit", "double", "next_card"].contains(&event.word.as_str()) || event.yes;
            // the room has a card served again
            let resumes = kind == Kind::Rule && event.word == "resume";
            (asks || resumes || target(view) == Place::Bank) && view.since(view.loaded().unwrap_or(0), empties)
        }
    };
    // of a covered card nobody knows whether the bank must draw
    let then = view.then();
    let is_covered = then.dealt(Place::Bank).iter().any(|draw| then.is_covered(*draw));
    let due = (view.house.plan.due)(&then).filter(|place| *place != Place::Bank || !is_covered);
    // who may withdraw need not take it
    let due = due.filter(|place| !then.may_withdraw(*place));
    let is_due = view.is_closed() && view.voided_at().is_none() && due.is_some();
    let voided = view.playing().iter().copied().map(|hand| hand.first_hand());
    let mut voided: Vec<Part> = voided.map(Part::VoidBet).collect();
    voided.dedup();
    found_if(is_empty && is_due, Found::new().with(Effect::Void).demands(voided))
}

fn seated_without_bet(view: &View) -> Vec<Found> {
    let bets = || view.boxes().filter(|place| view.chips(*place, "main") > 0);
    if !view.closes() {
        return Vec::new();
    }
    let has_bet = |seat: u64, player: &str| {
        let is_own = |place: Place| place.number().map(u64::from) == Some(seat);
        bets().any(|place| view.bettor(place).map_or_else(|| is_own(place), |bettor| bettor == player))
    };
    let sat = |seat: &u64| view.events.iter().rposition(|event| event.kind == Kind::Seat && event.number == *seat);
    let mut idle: Vec<(u64, String)> = view.seated().into_iter().collect();
    idle.retain(|(seat, player)| !has_bet(*seat, player));
    idle.sort_by_key(|(seat, _)| sat(seat));
    idle.into_iter().map(|seated| Found { seated: Some(seated), ..Found::new() }).collect()
}

/// Who asked first for the box since it was last bet on; of those who asked at once, who sits nearest number one.
fn asked_for_by_another(view: &View) -> Vec<Found> {
    let (event, place) = (view.event(), target(view));
    let is_bet = |event: &Event| event.is(Kind::Bet, place) && event.spot == "main" && event.number > 0;
    if !is_bet(event) || event.player.is_none() || view.has(is_bet) || view.is_dealing() {
        return Vec::new();
    }
    let from = (0..view.now).rev().find(|&at| is_bet(&view.events[at])).map_or(0, |at| at + 1);
    let seated = view.seated();
    let seat =
        |player: &Option<String>| seated.iter().find(|(_, sits)| Some(*sits) == player.as_ref()).map(|(seat, _)| *seat);
    // where no seats are told anybody may have asked, in this pass
    let from = if seated.is_empty() { from.max(view.pass().start) } else { from };
    let may = |request: &&Event| seated.is_empty() || seat(&request.player).is_some();
    let asked = || view.events[from..view.now].iter().filter(|event| event.is(Kind::Request, place)).filter(may);
    let Some(first) = asked().next() else { return Vec::new() };
    let at_once = |request: &&Event| request.line == first.line || request.time.is_some() && request.time == first.time;
    let nearest = asked().filter(at_once);
    let first = nearest.min_by_key(|request| seat(&request.player)).and_then(|request| request.player.clone());
    let found = Found::at(place).with(Effect::Refused).demands([Part::ReturnBet(place, "main", 0, 0)]);
    found_if(first != event.player, found)
}

fn is_main_change(view: &View) -> bool {
    view.event().spot == "main" && view.is_dealing()
}

fn late_bet(view: &View) -> Vec<Found> {
    let (place, amount) = (target(view), view.event().number);
    let is_empty = view.chips(place, "main") == 0 && (view.is_void(place) || view.stake(place) == 0);
    let found = Found::at(place).with(Effect::Ignored).demands([Part::ReturnBet(place, "main", 0, 0)]);
    found_if(is_main_change(view) && amount > 0 && is_empty, found)
}

fn changed_bet(view: &View) -> Vec<Found> {
    let (place, amount) = (target(view), view.event().number);
    let was = view.stake(place);
    // where nobody sees the cards, a finding may have asked for it
    let is_answer = view.may_withdraw(place) || view.may_lack_card();
    let is_collected = amount == 0 && (view.is_over(place) || view.is_blind("shoe") || is_answer);
    let is_changed = was > 0 && amount != was && !view.is_void(place) && view.settled_at(place).is_none();
    let found = Found::at(place).with(Effect::Ignored);
    found_if(is_main_change(view) && is_changed && !view.is_returned() && !is_collected, found)
}

/// Who took his chips off while he could withdraw chooses something else.
fn went_on_without_chips(view: &View) -> Vec<Found> {
    let place = target(view);
    let is_gone = view.chips(place, "main") == 0 && view.stake(place) > 0 && view.settled_at(place).is_none();
    let goes_on = view.event().word != "withdraw" && view.may_withdraw(place);
    found_if(goes_on && is_gone && view.opened_from(place).is_none(), Found::at(place))
}

fn is_pair(view: &View, hand: Place) -> bool {
    view.lying(hand).len() >= 2 && view.is_pair(hand) != Some(false)
}

fn wrong_double(view: &View) -> Vec<Found> {
    let (event, hand) = (view.event(), target(view));
    let is_bet = event.kind == Kind::Bet && event.spot == "double" && event.number > 0;
    let is_seen = view.sees(if is_bet { "bets" } else { "decisions" });
    if !is_bet && event.word != "double" || !is_seen || view.is_ignored(view.now) {
        return Vec::new();
    }
    let is_late = view.is_doubled(hand) && view.dealt(hand).len() > 2 && view.on_spot(hand, "double") > 0;
    // by words that the room let be
    let is_said = is_bet && view.dealt(hand).len() == 2 && view.is_doubled(hand);
    let may = view.may_be_doubled(hand) != Some(false) && !view.has_stood(hand) || is_late || is_said;
    let is_equal = !is_bet || event.number == view.stake(hand);
    let most = if may { view.stake(hand) } else { 0 };
    let found = Found::at(hand).with(Effect::Ignored).demands([Part::ReturnBet(hand, "double", most, most)]);
    found_if(!may || !is_equal, Found { refuses: Some((hand, "double")), ..found })
}

fn late_double(view: &View) -> Vec<Found> {
    doubled_without_chips(view, plays_later)
}

fn double_shown(view: &View) -> Vec<Found> {
    let hand = target(view);
    let is_hand = hand.number().is_some() && view.is_doubled(hand);
    let is_shown = match view.event().kind {
        Kind::Draw => view.belongs_down(hand, view.dealt(hand).len()) && view.event().face_down == Some(false),
        _ => view.dealt(hand).iter().any(|draw| view.is_covered(*draw)) && !view.bank_is_final(),
    };
    let found = Found::at(hand).notice();
    found_if(is_hand && is_shown, found)
}

/// Named O3 where the pair is one of aces, else O2.
fn by_pair(found: Found, is_of_aces: bool) -> Found {
    Found { provision: if is_of_aces { "O3" } else { "O2" }.to_owned(), ..found }
}

fn wrong_split(view: &View) -> Vec<Found> {
    if view.house.figure("max_hands") > 2 {
        let cards = view.dealt(target(view)).first().and_then(|draw| view.card(*draw));
        let is_of_aces = cards.is_some_and(|card| card.rank == 1);
        return club_bets::wrong_split(view).into_iter().map(|found| by_pair(found, is_of_aces)).collect();
    }
    let (event, hand) = (view.event(), target(view));
    let is_bet = event.kind == Kind::Bet && event.spot == "split" && event.number > 0;
    if !is_bet && event.word != "split" || view.is_ignored(view.now) {
        return Vec::new();
    }
    let is_opened = view.is_split(hand);
    let is_past = view.is_past_chips(hand, "split");
    let awaits_chips = is_bet && is_opened && view.on_spot(hand, "split") == 0 && !is_past;
    let is_said_after = !is_bet && is_opened && !view.has(|event| event.says(Kind::Decide, hand, "split"));
    let may = is_pair(view, hand) && !is_opened && !view.has_stood(hand) || awaits_chips || is_said_after;
    let is_equal = !is_bet || event.number == view.stake(hand);
    let is_same = is_bet && is_opened && event.number == view.on_spot(hand, "split");
    let first = view.dealt(hand).first().and_then(|draw| view.card(*draw));
    let is_of_pair = is_pair(view, hand) || awaits_chips || is_said_after;
    let aces = is_of_pair && first.is_some_and(|card| card.rank == 1);
    let most = if may { view.stake(hand) } else { view.on_spot(hand, "split") };
    let provision = if aces { "O3" } else { "O2" }.to_owned();
    let found = Found::at(hand).with(Effect::Ignored).demands([Part::ReturnBet(hand, "split", most, most)]);
    let refuses = Some((hand, "split"));
    found_if(!is_same && (!may || !is_equal), Found { provision, refuses, ..found })
}

fn late_split(view: &View) -> Vec<Found> {
    let hand = target(view);
    if view.house.figure("max_hands") > 2 {
        let is_of_aces = view.pair_opened(hand) == Some(1);
        return club_bets::late_split(view).into_iter().map(|found| by_pair(found, is_of_aces)).collect();
    }
    let from = view.opened_from(hand).map_or(hand, |(from, _)| from);
    let is_first =
        view.is_split(hand) && !view.is_void(from) && view.dealt(hand).len() == 1 && view.on_spot(from, "split") == 0;
    let is_told = view.found().any(|found| {
        let is_about = |part: &Part| matches!(part, Part::ReturnBet(place, "split", ..) if *place == from);
        found.what.remedy.iter().any(is_about) && found.what.provision != "D3"
    });
    let provision = if view.pair_opened(hand) == Some(1) { "O3" } else { "O2" }.to_owned();
    let found = Found::at(from).demands([Part::ReturnBet(from, "split", 0, 0)]);
    found_if(is_first && !is_told, Found { provision, refuses: Some((from, "split")), ..found })
}

fn wrong_insurance(view: &View) -> Vec<Found> {
    let (event, hand) = (view.event(), target(view));
    let counts = view.on_spot(hand, "insurance");
    if event.spot != "insurance" || event.number == 0 || event.number == counts {
        return Vec::new();
    }
    let (part, whole) = view.house.ratio("insurance_part");
    let half = view.stake(hand).saturating_mul(part) / whole;
    let is_ace = |draw: &usize| !view.is_covered(*draw) && view.card(*draw).is_none_or(|card| card.rank == 1);
    let is_first = view.dealt(hand).len() == 1 && view.dealt(hand).first().is_some_and(is_ace);
    let may = is_first && !view.house.is("insurance_when", "never");
    let most = if may { half } else { counts };
    let found = Found::at(hand).with(Effect::Ignored).demands([Part::ReturnBet(hand, "insurance", most, most)]);
    let refuses = Some((hand, "insurance"));
    // what was refused stays refused when less of it lies
    let was_refused = view.found().any(|found| found.at < view.now && found.what.refuses == refuses);
    let is_wrong = !may || !takes_insurance(view, event.number, half);
    found_if(is_wrong && !(was_refused && view.is_ignored(view.now)), Found { refuses, ..found })
}

fn shoe_changed(view: &View) -> Vec<Found> {
    let is_shuffled = view.event().kind == Kind::Load && shuffle(view).is_some();
    let Some(loaded) = view.loaded().filter(|_| !is_shuffled) else { return Vec::new() };
    let is_out = view.since(loaded, |event| event.kind == Kind::CutCard) || view.may_have_missed("shoe", loaded);
    let may = granted(view, "deck_change").any(|at| at > loaded);
    found_if(!is_out && !may, Found::new())
}
