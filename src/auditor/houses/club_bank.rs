//! `club`: who takes part, who banks, who cuts, and what belongs to all of them.

use crate::facts::View;

use crate::facts::found::{Effect, Found, Part};
use crate::houses::club::{banker, bettor};
use crate::houses::club_accounts::owed_now;
use crate::houses::club_bets::completes_a_play;
use crate::log::{Event, Kind, Place};
use crate::money::most;
use crate::rows::{CLOSE, Row, found_if, target};

pub(super) const ROWS: &[Row] = &[
    Row { provision: "A1", on: &[Kind::Bet], needs: &["bets"], find: takes_no_part },
    Row { provision: "A3", on: &[Kind::Load], needs: &[], find: misplaced_cut_card },
    Row { provision: "A4", on: &[Kind::Bank], needs: &[], find: not_his_turn },
    Row { provision: "A4", on: CLOSE, needs: &["bets", "shuffles"], find: bank_not_passed_on },
    Row { provision: "A6", on: &[Kind::Leave], needs: &[], find: left_early },
    Row { provision: "A6", on: CLOSE, needs: &["bets"], find: seated_without_bet },
    Row { provision: "A7", on: &[Kind::Share], needs: &["bets", "hands"], find: wrong_advance },
    Row { provision: "A7", on: &[Kind::Share], needs: &["bets"], find: wrong_dividend },
    Row { provision: "A7", on: CLOSE, needs: &["bets"], find: not_topped_up },
    Row { provision: "G17", on: &[Kind::OfferCut, Kind::Cut], needs: &["shuffles", "asks"], find: wrong_cutter },
    Row { provision: "G17", on: &[Kind::Load], needs: &["shuffles"], find: not_cut },
    Row { provision: "G17", on: CLOSE, needs: &["bets"], find: not_shuffled },
];

/// Where the session began: after the last dividends.
fn session(view: &View) -> usize {
    let is_dividend = |at: &usize| view.events[*at].kind == Kind::Share && view.events[*at].word == "dividend";
    (0..view.now).rev().find(is_dividend).map_or(0, |at| at + 1)
}

/// The turns of the session, as they count.
fn turns(view: &View) -> Vec<usize> {
    let is_turn = |at: &usize| view.events[*at].kind == Kind::Bank && view.events[*at].word == "turn";
    (session(view)..view.now).filter(is_turn).filter(|at| !view.is_ignored(*at)).collect()
}

/// Who takes part, counter-clockwise: from the highest seat to the lowest.
fn participants(view: &View) -> Vec<String> {
    let mut participants: Vec<String> = Vec::new();
    for player in view.seated().into_values().rev() {
        if !participants.contains(&player) {
            participants.push(player);
        }
    }
    participants
}

/// A bet of the banker, or of one more than may play beside him.
fn takes_no_part(view: &View) -> Vec<Found> {
    let (event, place) = (view.event(), target(view));
    if event.spot != "main" || event.number == 0 || event.player.is_none() {
        return Vec::new();
    }
    let player = event.player.as_deref();
    let is_banker = banker(view).is_some() && banker(view) == player;
    let found = Found::at(place).demands([Part::ReturnBet(place, "main", 0, 0)]);
    let is_told = view.found().any(|found| found.what.provision == "A1" && found.what.place == Some(place));
    let mut others: Vec<&str> = view.boxes().filter_map(|place| bettor(view, place)).collect();
    others.retain(|other| Some(*other) != player);
    others.sort_unstable();
    others.dedup();
    let is_one_more = others.len() as u64 >= view.house.figure("max_seated").max(1) - 1;
    found_if((is_banker || is_one_more) && !is_told && !view.has_dealing(), found)
}

fn seated_without_bet(view: &View) -> Vec<Found> {
    let banker = banker(view);
    if !view.closes() {
        return Vec::new();
    }
    let bets = || view.boxes().filter(|place| view.chips(*place, "main") > 0);
    let mut bettors: Vec<&str> = bets().filter_map(|place| bettor(view, place)).collect();
    bettors.sort_unstable();
    bettors.dedup();
    // as many bet as may: nobody else could have
    if bettors.len() as u64 + 1 >= view.house.figure("max_seated") {
        return Vec::new();
    }
    let has_bet = |seat: u64, player: &str| {
        let is_own = |place: Place| place.number().map(u64::from) == Some(seat);
        bets().any(|place| bettor(view, place).map_or_else(|| is_own(place), |bettor| bettor == player))
    };
    let is_idle = |(seat, player): &(u64, String)| !has_bet(*seat, player) && banker != Some(player.as_str());
    // where nobody is known to bank, one may be the banker
    let idle = view.seated().into_iter().filter(is_idle).skip(usize::from(banker.is_none()));
    idle.map(|seated| Found { seated: Some(seated), ..Found::new() }).collect()
}

fn misplaced_cut_card(view: &View) -> Vec<Found> {
    let (each, seated) = (view.house.figure("behind_cut_card_each"), participants(view));
    let due = each * seated.len() as u64;
    // of a banker without a seat nobody knows whether he counts
    let banker = turns(view).last().and_then(|at| view.events[*at].player.clone());
    let also = if banker.is_some_and(|banker| !seated.contains(&banker)) { each } else { 0 };
    let (least, most) = view.house.range("behind_cut_card");
    let is_due = match each {
        0 => (least..=most).contains(&view.event().behind),
        _ => due == 0 || [due, due + also].contains(&view.event().behind),
    };
    found_if(!is_due && !completes_a_play(view), Found::new())
}

/// The bank goes to the next counter-clockwise and in no other way; the first of a session may be anybody.
fn not_his_turn(view: &View) -> Vec<Found> {
    let event = view.event();
    let (turns, round) = (turns(view), participants(view));
    let next = turns.last().and_then(|last| {
        let last = view.events[*last].player.as_ref();
        let at = round.iter().position(|player| Some(player) == last)?;
        round.get((at + 1) % round.len())
    });
    // the bank passes when the cards are shuffled, or are to be
    let is_sign = |last: usize, at: usize| match view.events[at].kind {
        Kind::Shuffle => (last..at).any(|at| view.events[at].kind == Kind::Draw),
        kind => kind == Kind::CutCard,
    };
    let may_have = |last: usize| view.may_have_missed("shoe", last);
    let is_early = turns.last().is_some_and(|last| !may_have(*last) && !(*last..view.now).any(|at| is_sign(*last, at)));
    let is_round_over = turns.len() >= round.len() && !round.is_empty();
    let is_another = next.is_some() && next != event.player.as_ref();
    let is_wrong = event.word != "turn" || view.has_dealing() || is_another || is_early || is_round_over;
    found_if(is_wrong, Found::new())
}

/// A play that begins with cards shuffled since the last one, and the bank where it was.
fn bank_not_passed_on(view: &View) -> Vec<Found> {
    let is_turn = |at: &usize| view.events[*at].kind == Kind::Bank && view.events[*at].word == "turn";
    let Some(turn) = (0..view.now).rev().find(is_turn) else { return Vec::new() };
    let is_new = |at: &usize| view.events[*at].kind == Kind::Shuffle && !completes_a_play(&view.at(*at));
    let shuffled = (turn..view.now).rev().find(is_new);
    let has_played = |shuffled: usize| (turn..shuffled).any(|at| view.events[at].kind == Kind::Draw);
    found_if(view.closes() && shuffled.is_some_and(has_played), Found::new())
}

/// A play that begins after the cut card came out in an earlier one.
fn not_shuffled(view: &View) -> Vec<Found> {
    // cards that only completed a play are no new shoe
    let is_fresh = |at: &usize| view.events[*at].kind == Kind::Load && !completes_a_play(&view.at(*at));
    let loaded = (0..view.now).rfind(is_fresh).unwrap_or(0);
    let begun = view.first(|event| event.kind == Kind::Bet).unwrap_or(view.now);
    let is_out = (loaded..begun).any(|at| view.events[at].kind == Kind::CutCard);
    found_if(view.closes() && is_out, Found::new())
}

/// Who leaves before the round of banks is over.
fn left_early(view: &View) -> Vec<Found> {
    let has_begun = view.events[session(view)..view.now].iter().any(|event| event.kind == Kind::Draw);
    let event = view.event();
    let seated = event.player.clone().map(|player| (event.number, player));
    found_if(has_begun && !view.has_changed_seat(view.now), Found { seated, ..Found::new() })
}

/// The first advance of the session: before one there is nothing to divide.
fn first_advance(view: &View) -> Option<usize> {
    let advances = |at: &usize| view.events[*at].kind == Kind::Share && view.events[*at].word == "advance";
    let divides = |at: &usize| view.events[*at].kind == Kind::Share && view.events[*at].word == "dividend";
    let last = (0..view.now).rfind(advances)?;
    let from = (0..last).rfind(divides).map_or(0, |at| at + 1);
    (from..=last).find(advances)
}

/// What the bank holds, from what was advanced, collected, paid and divided in the session.
fn funds(view: &View) -> Option<i64> {
    let amount = |event: &Event| i64::try_from(event.number).unwrap_or(i64::MAX);
    let signed = |event: &Event| match (event.kind, event.word.as_str()) {
        (Kind::Collect, _) | (Kind::Share, "advance") => amount(event),
        (Kind::Pay, _) | (Kind::Share, "dividend") => -amount(event),
        _ => 0,
    };
    let from = first_advance(view).unwrap_or(view.now);
    // what moved unseen nobody knows
    let is_known = !view.may_have_missed("chips", from);
    is_known.then(|| view.events[from..view.now].iter().map(signed).fold(0, i64::saturating_add))
}

/// Shares of the bank: the last dividends, if the bank was divided since the last advance, or the session's advances.
fn shares(view: &View) -> (bool, Vec<usize>) {
    let is_share = |at: &usize| view.events[*at].kind == Kind::Share;
    let mut shares: Vec<usize> = (first_advance(view).unwrap_or(view.now)..view.now).filter(is_share).collect();
    let is_divided = shares.last().is_some_and(|at| view.events[*at].word == "dividend");
    let word = if is_divided { "dividend" } else { "advance" };
    let from = shares.iter().rposition(|at| view.events[*at].word != word).map_or(0, |at| at + 1);
    (is_divided, shares.split_off(from))
}

/// How many rounds of advances the session has had, the one that lasts included. One out of turn begins none.
fn rounds(view: &View) -> usize {
    let (is_divided, advances) = shares(view);
    let begins = |rounds: usize, at: &usize| {
        let begins = !view.is_ignored(*at) && times(&view.at(*at), view.events[*at].player.as_deref()) == rounds;
        rounds + usize::from(begins)
    };
    if is_divided { 0 } else { advances.iter().fold(0, begins) }
}

/// How often somebody has advanced in this session. What only fills up an advance that was too small counts with it.
fn times(view: &View, player: Option<&str>) -> usize {
    let (is_divided, advances) = shares(view);
    let share = advances.first().map_or(0, |first| view.events[*first].number);
    let own = advances.iter().map(|at| &view.events[*at]).filter(|event| event.player.as_deref() == player);
    let count = |(times, sum): (usize, u64), event: &Event| {
        let sum = sum + event.number;
        (times + usize::from(times == 0 || sum > share * times as u64), sum)
    };
    if is_divided { 0 } else { own.fold((0, 0), count).0 }
}

/// Who takes part and has not advanced as often as others.
fn behind(view: &View) -> usize {
    let rounds = rounds(view);
    participants(view).iter().filter(|player| times(view, Some(player)) < rounds).count()
}

/// The bank holds nothing, or less than a bet is still to be paid.
fn is_out_of_funds(view: &View) -> bool {
    let unpaid = |hand: Place, spot: &str| {
        let is_unknown = spot == "main" && view.is_unread(hand);
        let pay =
            if is_unknown { most(view, hand) } else { owed_now(view, hand, spot).map_or(0, |account| account.pay) };
        let pay = i64::try_from(pay).unwrap_or(i64::MAX);
        pay.saturating_sub(view.done(hand, spot).max(0))
    };
    let Some(funds) = funds(view) else { return true };
    let exceeds = |hand: Place| unpaid(hand, "main").max(unpaid(hand, "insurance")) > funds;
    funds <= 0 || view.hands().iter().copied().any(exceeds)
}

/// An advance of another amount than the first, or again though the bank is not out of funds.
fn wrong_advance(view: &View) -> Vec<Found> {
    let event = view.event();
    let (is_divided, shares) = shares(view);
    if event.word != "advance" {
        return Vec::new();
    }
    if is_divided {
        let has_part = |player: &String| shares.iter().any(|at| view.events[*at].player.as_ref() == Some(player));
        return found_if(!participants(view).iter().all(has_part), Found::new());
    }
    let rounds = rounds(view);
    let is_open = rounds == 0 || times(view, event.player.as_deref()) < rounds;
    if !is_open && (behind(view) > 0 || !is_out_of_funds(view)) {
        return vec![Found::new().with(Effect::Ignored)];
    }
    let is_other = shares.first().is_some_and(|first| view.events[*first].number != event.number);
    found_if(is_other, Found::new())
}

/// A part that is not an equal one; what is left over goes in single units to as many as it reaches.
fn wrong_dividend(view: &View) -> Vec<Found> {
    let event = view.event();
    let (is_divided, shares) = shares(view);
    if event.word != "dividend" || shares.is_empty() {
        return Vec::new();
    }
    let begun = if is_divided { view.at(shares[0]) } else { view.at(view.now) };
    let had: Vec<usize> = if is_divided { shares } else { Vec::new() };
    let among = participants(&begun);
    let Some(whole) = funds(&begun) else { return Vec::new() };
    let (whole, parts) = (u64::try_from(whole).unwrap_or(0), among.len().max(1) as u64);
    let part = whole / parts;
    let more = had.iter().filter(|at| view.events[**at].number > part).count() as u64;
    let is_equal = event.number == part || event.number == part + 1 && more < whole % parts;
    let has_had = had.iter().any(|at| view.events[*at].player == event.player);
    let takes_part = event.player.as_ref().is_some_and(|player| among.contains(player));
    found_if(!is_equal || has_had || !takes_part, Found::new())
}

/// A play that begins with the bank divided, with somebody who has not advanced, or with nothing in the bank.
fn not_topped_up(view: &View) -> Vec<Found> {
    let (is_divided, shares) = shares(view);
    if !view.closes() || shares.is_empty() {
        return Vec::new();
    }
    let behind = behind(view);
    let is_empty = is_divided || behind == 0 && funds(view).is_some_and(|funds| funds <= 0);
    (0..behind.max(usize::from(is_empty))).map(|_| Found::new()).collect()
}

/// Who takes part beside the banker.
fn others(view: &View) -> Vec<String> {
    let banker = banker(view);
    participants(view).into_iter().filter(|player| Some(player.as_str()) != banker).collect()
}

/// The banker's left: the lowest seat.
fn at_bankers_left(view: &View) -> Option<String> {
    others(view).pop()
}

/// Whom the cut is offered to: who drew the cut card last or, failing him, the banker's left.
fn cutter(view: &View) -> Option<String> {
    let out = (0..view.now).rev().find(|&at| view.events[at].kind == Kind::CutCard);
    // it may have come out unseen, or nobody heard whose turn it was
    let is_unseen = view.may_have_missed("shoe", view.loaded().unwrap_or(0));
    if is_unseen || out.is_some_and(|out| view.at(out).is_blind("keypad")) {
        return None;
    }
    let drew = out.and_then(|out| {
        let next = (out..view.now).find(|&at| matches!(view.events[at].kind, Kind::Draw | Kind::End))?;
        // where no card followed, it was the first box's
        let (pass, first) = (view.at(next), view.at(out).hands().first().copied());
        pass.bettor(if view.events[next].kind == Kind::Draw { view.events[next].place } else { first }?)
    });
    drew.map(str::to_owned).filter(|player| others(view).contains(player)).or_else(|| at_bankers_left(view))
}

/// The cut offered to another, or made by one to whom it was not offered; who declines it passes it to the left.
fn wrong_cutter(view: &View) -> Vec<Found> {
    let event = view.event();
    let from = view.loaded().unwrap_or(0);
    let Some(shuffled) = (from..view.now).rev().find(|&at| view.events[at].kind == Kind::Shuffle) else {
        return Vec::new();
    };
    // what was offered while the keypad was away nobody heard
    if view.at(shuffled).is_blind("keypad") || view.may_have_missed("keypad", shuffled) {
        return Vec::new();
    }
    let offered = || view.events[shuffled..view.now].iter().filter(|event| event.kind == Kind::OfferCut);
    let is_wrong = match event.kind {
        Kind::Cut => !offered().any(|offer| offer.player == event.by),
        _ => {
            let (first, left) = (cutter(view), at_bankers_left(view));
            let to: Vec<Option<&String>> = offered().map(|offer| offer.player.as_ref()).collect();
            let goes_to = |player: &Option<String>| player.is_some() && *player == event.player;
            match to[..] {
                _ if banker(view).is_none() || first.is_none() => false,
                [] => !goes_to(&first),
                // who declines passes it to the banker's left; offered to another, it may still go to whom it belongs
                [offered] if offered != left.as_ref() => {
                    !(goes_to(&left) || offered != first.as_ref() && goes_to(&first))
                }
                _ => false,
            }
        }
    };
    found_if(is_wrong, Found::new())
}

/// A shoe loaded without a shuffle since the last one was, or without a cut since the shuffle.
fn not_cut(view: &View) -> Vec<Found> {
    let from = view.loaded().map_or(0, |at| at + 1);
    let shuffled = (from..view.now).rev().find(|&at| view.events[at].kind == Kind::Shuffle);
    let is_uncut = shuffled.is_some_and(|at| !view.since(at, |event| event.kind == Kind::Cut));
    found_if(is_uncut || shuffled.is_none() && from > 0, Found::new())
}
