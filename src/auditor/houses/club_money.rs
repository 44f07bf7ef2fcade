//! `club`: settlement, cards put away, and what the room decides.

use crate::facts::View;
use crate::facts::found::{Effect, Found, Part};
use crate::facts::house::Account;
use crate::houses::club::{bank_is_low, bank_is_needed, bank_stops_short, have_played, is_delivered, is_unfinished};
use crate::houses::club_accounts::{awaits_room, is_lost, owed_now, play_began};
use crate::houses::everywhere::{
    BOTH, above_most, is_claim, is_put_back, not_provided_for, nothing_moved, reported, wrong_money_by_now,
};
use crate::log::{Kind, Place};
use crate::rows::{MONEY, Row, difference, found_if, target};

const REPORTED: &[Kind] = &[Kind::Report, Kind::Device, Kind::BankCard, Kind::Consent];
const ELSE: &[Kind] = &[Kind::Decide, Kind::Choose, Kind::Reveal, Kind::End];

pub(super) const ROWS: &[Row] = &[
    Row { provision: "", on: MONEY, needs: &["bets", "places", "hands"], find: wrong_money },
    Row {
        provision: "G4",
        on: &[Kind::Pay, Kind::Draw, Kind::Reveal],
        needs: &["bets", "places", "hands"],
        find: |view| above_most(view, "G4", "G4"),
    },
    Row { provision: "G5", on: &[Kind::Pay], needs: &["bets", "hands"], find: paid_out_of_order },
    Row { provision: "", on: MONEY, needs: &["bets", "places", "hands"], find: money_early },
    Row {
        provision: "",
        on: &[Kind::Draw, Kind::Reveal, Kind::Rule, Kind::End],
        needs: &["bets", "places", "hands"],
        find: |view| wrong_money_by_now(view, BOTH, owed_now, provision),
    },
    Row { provision: "G0", on: &[Kind::Move], needs: &["moves", "hands"], find: put_away_early },
    Row { provision: "", on: &[Kind::Move], needs: &["moves", "hands"], find: into_the_shoe },
    Row { provision: "G20", on: &[Kind::Move], needs: &["moves", "hands"], find: out_of_order },
    Row { provision: "G19", on: &[Kind::End], needs: &["bets", "places", "hands"], find: given_up },
    Row {
        provision: "",
        on: &[Kind::End],
        needs: &["bets", "places", "hands"],
        find: |view| nothing_moved(view, BOTH, provision),
    },
    Row { provision: "G10", on: &[Kind::End], needs: &["bets", "hands"], find: bank_stops_short },
    Row { provision: "G0", on: REPORTED, needs: &[], find: reported },
    Row { provision: "G0", on: ELSE, needs: &["hands"], find: not_provided_for },
    Row { provision: "G25", on: &[Kind::Rule], needs: &[], find: claim_on_earlier_play },
];

/// The provision of a wrong payment.
fn provision(view: &View, hand: Place, spot: &str, account: &Account, done: i64) -> String {
    let cards = view.cards(hand).unwrap_or_default();
    let is_ace_ten = matches!(cards[..], [a, b] if a.pips().min(b.pips()) == 1 && a.pips().max(b.pips()) == 10);
    match account.by {
        _ if spot == "insurance" => "G16",
        "G4" | "G11"
            if view.is_split(hand)
                && account.stake > 0
                && is_ace_ten
                && account.outcome != "lose"
                && done > account.owed() =>
        {
            "G15"
        }
        "G3" if done == 0 => "G4",
        _ if done < 0 && ["lose", "void"].contains(&account.outcome) => "G0",
        "G11" if done >= 0 => "G4",
        by => by,
    }
    .to_owned()
}

fn spot_of(view: &View) -> &'static str {
    if view.event().spot == "insurance" { "insurance" } else { "main" }
}

/// What an event of money comes to, once it is decided what the spot is owed.
fn wrong_money(view: &View) -> Vec<Found> {
    let (hand, spot) = (target(view), spot_of(view));
    let Some(account) = owed_now(view, hand, spot) else { return Vec::new() };
    let done = view.then().done(hand, spot);
    let is_answer = (view.event().kind == Kind::Pay) != (done > 0) && view.done(hand, spot) != account.owed();
    if done == account.owed() || is_answer || view.event().number == 0 || view.is_money_open(hand) {
        return Vec::new();
    }
    let provision = provision(&view.then(), hand, spot, &account, done);
    vec![Found { provision, ..difference(hand, spot, account.owed(), done) }]
}

/// A bet is paid while one nearer to the right waits to be paid.
fn paid_out_of_order(view: &View) -> Vec<Found> {
    let (event, hand) = (view.event(), target(view));
    let is_told = view.found().any(|found| found.what.provision == "G5");
    let is_due = owed_now(view, hand, "main").is_none_or(|account| account.owed() > 0);
    let has_turn = event.spot == "main" && !view.gives_back() && is_due;
    // before the bank's hand is complete only Black Jacks are paid, those further to the right first
    let is_early = !view.bank_is_final();
    let is_at_once = |other: Place| view.plays(other) && view.cards(other).is_some() && view.may_be_paid_early(other);
    if !has_turn || is_told || !view.hands().contains(&hand) || is_early && !is_at_once(hand) {
        return Vec::new();
    }
    let is_left = |other: &Place| {
        let is_owed = || owed_now(view, *other, "main").is_some_and(|account| account.owed() > 0);
        (if is_early { is_at_once(*other) } else { is_owed() }) && view.settled_at(*other).is_none()
    };
    let before = view.hands().iter().copied().take_while(|other| *other != hand);
    before.filter(is_left).take(1).map(Found::at).collect()
}

/// A Black Jack settled before the bank's second card, where the bank may have one too; money where no bet is.
fn money_early(view: &View) -> Vec<Found> {
    let (hand, spot) = (target(view), spot_of(view));
    if owed_now(view, hand, spot).is_some() || view.findings.iter().any(|found| found.at == view.now) {
        return Vec::new();
    }
    if spot == "insurance" && view.on_spot(hand, spot) > 0 {
        if view.dealt(Place::Bank).len() >= 2 && view.is_unread(Place::Bank) {
            return Vec::new();
        }
        return vec![Found { provision: "G16".to_owned(), ..Found::at(hand) }];
    }
    let may_be_matched = view.bank_may_have_blackjack() && !view.is_unread(Place::Bank);
    let is_early = view.event().kind == Kind::Pay && is_delivered(view) && !have_played(view);
    let is_blackjack = view.is_blackjack(hand) && may_be_matched && is_early;
    let is_bet = view.on_spot(hand, spot) > 0 || spot == "main" && view.hands().contains(&hand);
    let provision = if is_blackjack { "G7" } else { "G0" }.to_owned();
    let found = if is_blackjack { Found::at(hand) } else { Found::at(hand).demands([Part::Rule]) };
    let is_first = view.dealt(Place::Bank).is_empty() && !view.puts_back() && !play_began(view);
    found_if(is_blackjack || !is_bet || is_first, Found { provision, ..found })
}

/// Whether a hand has its chips, or is owed none.
fn is_settled(view: &View, hand: Place) -> bool {
    let is_even = || owed_now(view, hand, "main").is_some_and(|account| account.owed() == 0);
    let is_unseen = || !view.sees("bets") && !is_unfinished(view, hand);
    view.settled_at(hand).is_some() || is_even() || is_unseen()
}

/// Whether all have played and the bank has what it needs, or chips have moved since all had played.
fn is_clearing(view: &View) -> bool {
    let is_defined = |view: &View| have_played(view) && (view.bank_is_final() || !bank_is_needed(view));
    // what is collected of a hand over 21 is no settling
    let is_over = |at: usize| view.events[at].place.is_some_and(|hand| view.at(at).is_over(hand));
    let settles = |at: usize| MONEY.contains(&view.events[at].kind) && have_played(&view.at(at)) && !is_over(at);
    is_defined(view) || have_played(view) && view.pass().any(settles)
}

/// Cards that leave their place before the bets that hang on them are settled, or by the burn tray.
fn put_away_early(view: &View) -> Vec<Found> {
    let (place, to) = (target(view), view.event().to);
    let is_used = view.taken().iter().any(|draw| view.counts(*draw));
    let is_astray = to == Some(Place::Burn);
    let is_waiting = |hand: Place| view.plays(hand) && !is_settled(view, hand);
    let is_open = if place == Place::Bank { view.playing().iter().copied().any(is_waiting) } else { is_waiting(place) };
    let is_early = to == Some(Place::Discard) && is_open && !is_clearing(view);
    let effect = if is_early || is_astray && is_open { Effect::Lost } else { Effect::None };
    found_if(is_used && (is_early || is_astray), Found::at(place).with(effect).demands([Part::Rule]))
}

/// A used hand that goes into the shoe. Of a hand in play some of its cards: that is the room's affair.
fn into_the_shoe(view: &View) -> Vec<Found> {
    let place = target(view);
    let used = view.taken().iter().filter(|draw| view.counts(**draw)).count();
    let is_shoe = view.event().to == Some(Place::Shoe);
    let is_retired = place == Place::Discard && !view.taken().iter().any(|draw| is_put_back(view, *draw));
    let is_left = place.number().is_some() && used < view.dealt(place).len() && !is_settled(view, place);
    let (provision, rule) = if is_left { ("G0", Some(Part::Rule)) } else { ("G20", None) };
    // a hand that has none left once the bank has its card is out of the play
    let is_out = is_shoe && !is_left && view.plays(place) && !is_settled(view, place) && !is_lost(view, place);
    let effect = if is_out && !view.dealt(Place::Bank).is_empty() { Effect::Void } else { Effect::None };
    let found = Found { provision: provision.to_owned(), ..Found::at(place).with(effect).demands(rule) };
    // the card before, which came past somebody who waits for his, is a mistake that is taken back
    let is_last = view.taken() == view.pass().rfind(|at| view.events[*at].kind == Kind::Draw).as_slice();
    let has = view.dealt(place).len();
    let is_past = |hand: &Place| view.dealt(*hand).len() + 1 == has && view.order(*hand) < view.order(place);
    let is_taken_back = is_last && has <= 2 && place.number().is_some() && view.playing().iter().any(is_past);
    let is_delivery = view.dealt(Place::Bank).len() + 2 > has && !view.play_began();
    // and so is one that came out of turn
    let is_told = |at: usize| view.findings.iter().any(|found| found.at == at && found.what.provision == "G8");
    let is_passed_over = |hand: &Place| view.is_found("G8", *hand) && view.waits_for_double(*hand);
    let is_at_once = view.now.checked_sub(1).is_some_and(|at| view.events[at].kind == Kind::Draw);
    let passes_over = |at: usize| is_told(at) || view.playing().iter().any(is_passed_over);
    let is_out_of_turn = is_last && is_at_once && passes_over(view.now - 1);
    if is_taken_back && is_delivery || is_out_of_turn {
        return Vec::new();
    }
    let is_out_again = is_retired && view.event().to != Some(Place::Discard);
    found_if(is_out_again || is_shoe && used > 0, found)
}

/// Cards retired while others before them still lie.
fn out_of_order(view: &View) -> Vec<Found> {
    let place = target(view);
    let is_told = |hand: Place| view.is_found("G20", hand);
    if view.event().to != Some(Place::Discard) || view.lying(place).is_empty() || !is_clearing(view) {
        return Vec::new();
    }
    let hands = view.hands();
    let others = |number: u8| (0..8).map(move |hand| Place::Hand(number, hand)).filter(|hand| !hands.contains(hand));
    let mut numbers: Vec<u8> = (1..=view.header.boxes).collect();
    numbers.sort_by_key(|number| view.order(Place::Hand(*number, 0)));
    let in_order = numbers.into_iter().flat_map(|number| {
        let own = view.hands().iter().copied().filter(move |hand| hand.number() == Some(number));
        own.chain(others(number)).collect::<Vec<_>>()
    });
    let before = in_order.take_while(|hand| *hand != place);
    // one over 21 may wait for its collection
    let waits = |hand: Place| view.sees("bets") && view.is_over(hand) && view.settled_at(hand).is_none();
    let left = before.filter(|hand| !view.lying(*hand).is_empty() && !is_told(*hand)).take(1);
    let left = left.filter(|hand| !waits(*hand));
    left.map(Found::at).collect()
}

/// A play given up: a hand is left in play against a bank that has not finished, or was put away in its turn.
fn given_up(view: &View) -> Vec<Found> {
    let is_in_play = |hand: Place| view.is_at_stake(hand) && view.settled_at(hand).is_none();
    let is_left = view.hands().iter().copied().any(|hand| is_in_play(hand) && !is_lost(view, hand));
    let is_short = bank_is_low(view) && !is_lost(view, Place::Bank);
    let is_put_away = |hand: Place| {
        let has_stood = |then: &View| then.decided(hand) == Some("stand") || then.is_doubled(hand);
        let is_unfinished = |then: &View| !has_stood(then) && then.total(hand).is_some_and(|total| total < 21);
        let mut moves = view.pass().filter(|at| view.events[*at].is(Kind::Move, hand));
        let is_the_rooms = awaits_room(view, hand) && !has_stood(view);
        is_the_rooms && moves.any(|at| is_unfinished(&view.at(at)))
    };
    let is_given_up = view.hands().iter().copied().any(|hand| is_in_play(hand) && is_put_away(hand));
    found_if(view.has_dealing() && (is_left && is_short && !have_played(view) || is_given_up), Found::new())
}

fn claim_on_earlier_play(view: &View) -> Vec<Found> {
    found_if(is_claim(view), Found::new())
}
