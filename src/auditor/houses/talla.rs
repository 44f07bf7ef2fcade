//! `talla`: delivery, play and the bank. Rows for a card come in the order in which they may claim it.

use crate::facts::View;
use crate::facts::found::{Effect, Finding, Found, Part};
use crate::houses::everywhere::{self, bank_shows_ace, first_broken};
use crate::log::{Event, Kind, Place};
use crate::rows::{Row, found_if, target};

pub(super) const ROWS: &[Row] = &[
    Row { provision: "T-Q2", on: &[Kind::Draw], needs: &["places", "hands"], find: passed_over },
    Row { provision: "T-Q2", on: &[Kind::Draw], needs: &["faces", "hands"], find: wrong_side },
    Row { provision: "T0", on: DELIVERED, needs: &["places", "hands"], find: not_dealt_to },
    Row { provision: "T-Q1", on: &[Kind::Draw], needs: &["places", "bets", "hands"], find: without_bet },
    Row { provision: "T-Q10", on: &[Kind::Draw], needs: &["places", "hands"], find: bank_early },
    Row { provision: "T-Q8", on: &[Kind::Draw], needs: &["places", "hands"], find: bank_draws_on },
    Row { provision: "T-Q8", on: &[Kind::Pay, Kind::Collect, Kind::End], needs: &["hands"], find: bank_stops_short },
    Row { provision: "T-X4", on: &[Kind::Draw], needs: &["places", "hands"], find: card_after_double },
    Row { provision: "T-P4", on: &[Kind::Draw], needs: &["places", "hands"], find: card_to_split_ace },
    Row { provision: "T-Q3", on: &[Kind::Draw], needs: &["places", "decisions", "hands"], find: card_gone_back },
    Row {
        provision: "T-Q3",
        on: &[Kind::Ask, Kind::Decide, Kind::Draw],
        needs: &["decisions", "hands"],
        find: out_of_turn,
    },
    Row { provision: "T0", on: &[Kind::Draw], needs: &["places", "hands"], find: undue },
    Row { provision: "T0", on: &[Kind::Draw], needs: &["hands"], find: undue_nowhere },
    Row { provision: "T0", on: &[Kind::Decide], needs: &["decisions", "bets"], find: not_his_choice },
    Row { provision: "", on: &[Kind::Decide], needs: &["decisions", "hands"], find: card_not_to_be_had },
    Row {
        provision: "T0",
        on: &[Kind::Decide, Kind::Reveal],
        needs: &["decisions", "turns", "hands"],
        find: out_of_place,
    },
    Row { provision: "T-R1", on: &[Kind::Decide], needs: &["decisions", "hands"], find: wrong_surrender },
    Row { provision: "T-S9", on: &[Kind::Decide], needs: &["decisions", "hands"], find: wrong_even_money },
    Row { provision: "T-S4", on: &[Kind::Ask], needs: &["asks", "hands"], find: insurance_wrongly_offered },
    Row { provision: "T-S4", on: &[Kind::Draw], needs: &["asks", "hands"], find: insurance_not_offered },
    Row { provision: "", on: &[Kind::Announce], needs: &["announcements", "hands"], find: wrong_total },
];

const DELIVERED: &[Kind] = &[Kind::Draw, Kind::Ask, Kind::Decide, Kind::Ace];

/// Whether the bank has had its card of the first round.
pub(super) fn has_first(view: &View) -> bool {
    view.pass().any(|at| view.events[at].is(Kind::Draw, Place::Bank) && view.counts(at))
}

/// Whether the bank has had its card of the first round, or was left without it.
pub(super) fn in_second(view: &View) -> bool {
    has_first(view) || is_left_out(view, Place::Bank)
}

/// Whether the room has to decide on a place that was left without a card, or lost those that it had.
fn is_left_out(view: &View, place: Place) -> bool {
    let is_about = |found: &Finding| {
        let kind = view.events[found.at].kind;
        found.what.place == Some(place)
            && found.what.provision == "T0"
            && [Kind::Draw, Kind::Ask, Kind::Decide].contains(&kind)
    };
    view.found().any(|found| is_about(found) && found.what.effect != Effect::Ignored) || is_lost(view, place)
}

/// Who waits for a card of the two rounds, the bank after the boxes.
pub(super) fn waiting(view: &View) -> Vec<Place> {
    let has = usize::from(in_second(view));
    let mut waiting = view.playing().to_vec();
    waiting.retain(|hand| view.dealt(*hand).len() <= has && !view.is_split(*hand));
    if !has_first(view) {
        waiting.push(Place::Bank);
    }
    waiting
}

/// A place of which cards were taken away before their time: it is the room's.
pub(super) fn is_lost(view: &View, place: Place) -> bool {
    view.found().any(|found| found.what.effect == Effect::Lost && found.what.place == Some(place) && !found.stands())
}

/// A hand whose cards went to the discard tray before their time.
pub(super) fn is_discarded(view: &View, hand: Place) -> bool {
    let is_discard = |found: &Finding| view.events[found.at].to == Some(Place::Discard);
    let is_about = |found: &Finding| found.what.effect == Effect::Lost && found.what.place == Some(hand);
    view.found().any(|found| is_about(found) && is_discard(found) && !found.stands())
}

/// A hand that was left with less than its two cards.
pub(super) fn is_short(view: &View, hand: Place) -> bool {
    view.dealt(hand).len() < 2 && !view.is_split(hand) && is_left_out(view, hand)
}

/// A hand that may still play: it has not stood, doubled, been given up or paid single, reached 21 or gone over.
pub(super) fn is_unfinished(view: &View, hand: Place) -> bool {
    let is_gone = view.surrendered(hand).is_some() || view.took_even_money(hand).is_some();
    let is_out = is_gone || view.is_ruled_lost(hand);
    let is_done = view.decided(hand) == Some("stand") || view.is_doubled(hand) || view.is_served_ace(hand);
    let has_cards = view.dealt(hand).len() >= 2 || view.is_split(hand);
    let is_dealt = view.plays(hand) && has_cards && !is_discarded(view, hand);
    is_dealt && !is_out && !is_done && !view.is_without_stake(hand) && view.may_be_below_21(hand)
}

/// Whose turn it is.
fn turn(view: &View) -> Option<Place> {
    view.playing().iter().copied().find(|hand| is_unfinished(view, *hand))
}

/// Where the next card belongs.
pub(super) fn due(view: &View) -> Option<Place> {
    let served = view.hands().iter().copied().chain([Place::Bank]).find(|place| view.is_asked_for(*place));
    let awaited = || view.playing().iter().copied().find(|hand| view.awaits_card(*hand));
    let is_needed = || view.playing().iter().copied().any(|hand| view.is_at_stake(hand));
    let bank = || (turn(view).is_none() && !view.bank_is_final() && is_needed()).then_some(Place::Bank);
    served.or_else(|| waiting(view).first().copied()).or_else(awaited).or_else(bank)
}

/// Whether a box begins the second round though the bank had no card in the first.
fn begins_second(view: &View) -> bool {
    let place = target(view);
    !in_second(view)
        && waiting(view) == [Place::Bank]
        && view.plays(place)
        && view.dealt(place).len() == 1
        && !view.is_split(place)
}

/// Whether the bank has a card though no box has: a round begins with the boxes.
fn begins_with_bank(view: &View) -> bool {
    target(view) == Place::Bank && view.playing().iter().all(|hand| view.dealt(*hand).is_empty())
}

/// Whether the card is one of the two rounds, for who waits for one.
fn is_delivery(view: &View) -> bool {
    waiting(view).contains(&target(view)) && !begins_with_bank(view)
        || view.event().kind == Kind::Draw && begins_second(view)
}

/// Whether play has begun: a question, or a choice, for a hand that has cards.
fn play_began(view: &View) -> bool {
    view.pass()
        .any(|at| view.is_play(at) && !view.at(at).dealt(view.events[at].place.unwrap_or(Place::Shoe)).is_empty())
}

/// Whether all have played: nobody waits for a card, and it is nobody's turn.
pub(super) fn have_played(view: &View) -> bool {
    let has_stood = |hand: Place| view.decided(hand) == Some("stand");
    let is_out = |hand: Place| is_short(view, hand) || view.is_without_stake(hand);
    let is_past = |hand: Place| view.is_over(hand) || has_had_its_turn(view, hand);
    let is_done = |hand: Place| is_past(hand) || has_stood(hand) || is_out(hand);
    let waits = |hand: Place| view.awaits_card(hand) && !is_done(hand);
    let is_left = |place: &Place| play_began(view) && is_left_out(view, *place);
    let is_dealt = waiting(view).iter().all(is_left);
    is_dealt && turn(view).is_none() && !view.playing().iter().copied().any(waits)
}

/// Whether a hand at 21 can ask for no card any more: the bank has drawn for itself.
fn has_had_its_turn(view: &View, hand: Place) -> bool {
    view.has_21(hand) && view.dealt(Place::Bank).len() >= 2
}

fn passed_over(view: &View) -> Vec<Found> {
    let waiting = (view.house.plan.waiting)(view);
    let is_delivery = waiting.contains(&target(view)) || begins_second(view);
    if !is_delivery || target(view) == Place::Bank {
        return Vec::new();
    }
    let has = view.dealt(target(view)).len();
    let is_told = |place: Place| {
        let is_same = |at: usize| view.at(at).dealt(view.events[at].place.unwrap_or(Place::Shoe)).len() == has;
        let mut found = view.found().filter(|found| found.what.provision == "T-Q2" && is_same(found.at));
        found.any(|found| found.what.place == Some(place))
    };
    let waiting = if begins_second(view) { view.playing().to_vec() } else { waiting };
    if play_began(view) {
        return Vec::new();
    }
    let before = waiting.into_iter().take_while(|place| *place != target(view));
    let before = before.filter(|place| view.dealt(*place).len() == has && !view.awaits_ruling(*place));
    before.filter(|place| !is_told(*place)).map(Found::at).collect()
}

fn wrong_side(view: &View) -> Vec<Found> {
    let is_wrong = view.event().face_down == Some(true)
        && has_bets(view)
        && !view.belongs_down(target(view), view.dealt(target(view)).len());
    found_if(is_due(view) && is_wrong, Found::at(target(view)))
}

/// A box left without its card when the round is over: at the bank's card, or when play begins.
fn not_dealt_to(view: &View) -> Vec<Found> {
    let is_bank = view.event().is(Kind::Draw, Place::Bank) && !in_second(view) && !begins_with_bank(view);
    let is_second = view.event().kind == Kind::Draw && begins_second(view);
    let is_given_up = view.event().word == "surrender" && everywhere::not_his_choice(view).is_empty();
    let is_choice = view.is_play(view.now) || is_given_up;
    let is_play = is_choice && !view.dealt(target(view)).is_empty() && !play_began(view);
    if view.voided_at().is_some() || !is_bank && !is_play && !is_second {
        return Vec::new();
    }
    let mut left = waiting(view);
    if is_play && !in_second(view) {
        let of_second = view.playing().iter().copied().filter(|hand| view.dealt(*hand).len() == 1);
        left =
            left.iter().copied().filter(|place| *place != Place::Bank).chain(of_second).chain([Place::Bank]).collect();
    }
    let has_undue = |place: &Place| view.lying(*place).iter().any(|draw| !view.counts(*draw));
    let left = left.into_iter().filter(|place| *place != Place::Bank || !is_bank).filter(|place| !has_undue(place));
    let left = left.filter(|place| !is_left_out(view, *place));
    left.map(|place| Found::at(place).demands([Part::Rule])).collect()
}

fn has_bets(view: &View) -> bool {
    view.boxes().any(|place| view.chips(place, "main") > 0)
}

fn without_bet(view: &View) -> Vec<Found> {
    found_if(!has_bets(view), Found::for_the_room(target(view)))
}

fn bank_early(view: &View) -> Vec<Found> {
    let is_second = target(view) == Place::Bank && has_first(view) && view.house.is("bank_second_card", "after_play");
    let is_early = is_second && !(view.house.plan.have_played)(view);
    found_if(is_early && !view.is_claimed(), Found::at(Place::Bank).misdealt(view))
}

fn bank_draws_on(view: &View) -> Vec<Found> {
    let is_final = target(view) == Place::Bank && view.bank_is_final() && have_played(view) && !is_put_away(view);
    let is_final = is_final && view.playing().iter().copied().any(|hand| view.is_at_stake(hand));
    found_if(is_final && !view.is_claimed(), Found::at(Place::Bank).burned(view))
}

/// Whether the bank's cards are seen to be too few.
fn bank_is_short(view: &View) -> bool {
    let bank = view.dealt(Place::Bank).len();
    bank == 1 || bank > 1 && view.bank_stands(false) == Some(false)
}

/// A bet settled against a bank below 17; a pass that ends with one. Without its second card the end is the room's.
fn bank_stops_short(view: &View) -> Vec<Found> {
    let event = view.event();
    let is_spared = |hand: Place| view.is_blackjack(hand) && !view.house.yes("bank_draws_against_blackjacks");
    let is_at_stake = |hand: Place| view.is_at_stake(hand) && !view.may_be_paid_early(hand) && !is_spared(hand);
    // one with a card that could not be read may be over 21
    let is_about_one = |hand: Place| {
        let is_out = view.is_unread(hand) || view.is_ruled_lost(hand) || is_discarded(view, hand);
        view.hands().contains(&hand) && is_at_stake(hand) && !is_out
    };
    let is_about = match event.kind {
        Kind::End => view.dealt(Place::Bank).len() > 1 && view.playing().iter().copied().any(is_at_stake),
        _ => event.spot == "main" && event.place.is_some_and(is_about_one),
    };
    let is_short = bank_is_short(view);
    let is_told = view.found().any(|found| found.what.provision == "T-Q8" && found.what.effect == Effect::None);
    found_if(is_about && is_short && !is_told, Found::at(Place::Bank).demands([Part::Serve(Place::Bank)]))
}

/// Whether cards were put away already, as at the end of a pass.
fn is_put_away(view: &View) -> bool {
    view.playing().iter().copied().all(|hand| view.lying(hand).is_empty())
}

fn card_after_double(view: &View) -> Vec<Found> {
    let hand = target(view);
    found_if(view.is_doubled(hand) && view.dealt(hand).len() > 2, Found::for_the_room(hand))
}

fn card_to_split_ace(view: &View) -> Vec<Found> {
    let hand = target(view);
    found_if(view.is_served_ace(hand), Found::for_the_room(hand))
}

/// Whether a hand has stood: play that comes to it goes back. One whose double was not paid for has stood too.
fn is_gone_back(view: &View, hand: Place) -> bool {
    let cards = view.dealt(hand).len();
    cards >= 2 && view.decided(hand) == Some("stand") || cards == 2 && view.has_lapsed(hand)
}

fn card_gone_back(view: &View) -> Vec<Found> {
    let hand = target(view);
    let is_back = hand.number().is_some() && view.plays(hand) && is_gone_back(view, hand);
    found_if(is_back && !view.is_claimed(), Found::for_the_room(hand))
}

/// The first hand that is unfinished while a later one is asked, decides or gets a card.
fn out_of_turn(view: &View) -> Vec<Found> {
    let (event, hand) = (view.event(), target(view));
    let is_back = event.kind == Kind::Decide && event.word == "hit";
    if is_back && is_gone_back(view, hand) {
        return vec![Found::at(hand).with(Effect::Ignored)];
    }
    let is_played = view.dealt(hand).len() >= 2 || view.is_split(hand);
    let is_later = is_played && (event.kind == Kind::Draw || view.is_play(view.now) || event.word == "surrender");
    let is_dealing = !play_began(view) && !waiting(view).is_empty();
    if !is_later || is_dealing || !view.plays(hand) || !view.hands().contains(&hand) {
        return Vec::new();
    }
    let is_left = |other: &Place| {
        let has_cards = view.dealt(*other).len() >= 2 || view.is_split(*other);
        let is_waiting = is_unfinished(view, *other) || view.waits_for_double(*other);
        has_cards && is_waiting && !view.is_found("T-Q3", *other)
    };
    view.playing().iter().copied().take_while(|other| *other != hand).filter(is_left).map(Found::at).collect()
}

fn not_his_choice(view: &View) -> Vec<Found> {
    everywhere::not_his_choice(view).into_iter().map(|found| found.demands([Part::Rule])).collect()
}

/// A card asked for by a hand that gets no more, each by its own provision.
fn card_not_to_be_had(view: &View) -> Vec<Found> {
    let hand = target(view);
    let (is_hit, is_double) = (view.event().word == "hit", view.event().word == "double");
    if !(is_hit || is_double) || view.is_ignored(view.now) {
        return Vec::new();
    }
    let barred = [
        ("T-Q6", is_hit && view.is_over(hand)),
        ("T-X4", view.asks_beyond_double(hand)),
        ("T-P4", is_hit && view.is_served_ace(hand)),
        ("T-B10", is_hit && view.is_blackjack(hand) && view.cards(hand).is_some()),
    ];
    let found = |provision: &str| Found { provision: provision.to_owned(), ..Found::at(hand).with(Effect::Ignored) };
    first_broken(&barred).map(found).into_iter().collect()
}

/// Whether play has moved on from a hand that stood: another has been asked, has decided or has got a card.
fn has_moved_on(view: &View, hand: Place) -> bool {
    let is_own = |event: &Event| {
        let is_play = [Kind::Ask, Kind::Decide, Kind::Draw].contains(&event.kind);
        event.place == Some(hand) && is_play && event.word != "insurance"
    };
    let stood = view.last(is_own).unwrap_or(view.now);
    let is_other = |at: usize| view.events[at].place.is_some_and(|place| place != hand && place.number().is_some());
    let is_offer = |at: usize| view.events[at].kind == Kind::Ask && view.events[at].word == "insurance";
    (stood + 1..view.now)
        .any(|at| is_offer(at) || is_other(at) && (view.is_play(at) || view.events[at].kind == Kind::Draw))
}

fn wrong_surrender(view: &View) -> Vec<Found> {
    let hand = target(view);
    // a second card that lies covered is none yet
    let bank = view.dealt(Place::Bank);
    let may = view.dealt(hand).len() == 2
        && (bank.len() < 2 || bank.iter().any(|draw| view.is_covered(*draw)))
        && !view.is_split(hand)
        && !(view.is_blackjack(hand) && view.cards(hand).is_some())
        && !view.is_doubled(hand)
        && (view.decided(hand) != Some("stand") || !has_moved_on(view, hand));
    let is_wrong = view.event().word == "surrender" && !may && !view.is_ignored(view.now);
    found_if(is_wrong, Found::at(hand).with(Effect::Ignored))
}

fn wrong_even_money(view: &View) -> Vec<Found> {
    let hand = target(view);
    let may = view.may_be_blackjack(hand)
        && !view.dealt(hand).iter().any(|draw| view.is_covered(*draw))
        && !view.is_split(hand)
        && bank_shows_ace(view)
        && view.dealt(Place::Bank).len() == 1
        && view.on_spot(hand, "insurance") == 0;
    let is_wrong = view.event().word == "even_money" && !may && !view.is_ignored(view.now);
    found_if(is_wrong, Found::at(hand).with(Effect::Ignored))
}

/// Offered against no ace, to a hand that is out, or before all have played.
fn insurance_wrongly_offered(view: &View) -> Vec<Found> {
    let hand = target(view);
    if view.event().word != "insurance" || !view.plays(hand) || !view.house.is("insurance_when", "after_play") {
        return Vec::new();
    }
    let Some(why) = wrongly_offered(view, hand) else { return Vec::new() };
    let is_same = |at: usize| view.events[at].kind == Kind::Ask && wrongly_offered(&view.at(at), hand) == Some(why);
    let is_told =
        view.found().any(|found| found.what.provision == "T-S4" && found.what.place == Some(hand) && is_same(found.at));
    found_if(!is_told, Found::at(hand))
}

/// Why insurance may not be offered, where it may not.
fn wrongly_offered(view: &View, hand: Place) -> Option<&'static str> {
    let is_out = view.is_over(hand) || view.surrendered(hand).is_some();
    match view.dealt(Place::Bank).len() {
        0 => None,
        1 if view.is_unread(Place::Bank) => None,
        1 if !bank_shows_ace(view) => Some("no ace"),
        1 if is_out => Some("out of play"),
        1 => (!have_played(view)).then_some("early"),
        _ => Some("late"),
    }
}

/// Hands that could have been insured and were not asked, at the bank's second card.
fn insurance_not_offered(view: &View) -> Vec<Found> {
    let is_second = target(view) == Place::Bank && view.dealt(Place::Bank).len() == 1 && have_played(view);
    let is_offered = view.house.is("insurance_when", "after_play");
    if !is_second || !is_offered || !bank_shows_ace(view) || view.is_claimed() {
        return Vec::new();
    }
    let was_asked = |hand: Place| view.has(|event| event.says(Kind::Ask, hand, "insurance"));
    // nobody may have heard that a hand was given up
    let is_told = view.sees("decisions") || view.house.is("surrender", "never");
    let may_be_gone = |hand: Place| view.surrendered(hand).is_some() || !is_told && view.dealt(hand).len() == 2;
    let is_insurable = |hand: &Place| view.is_at_stake(*hand) && !may_be_gone(*hand);
    let is_left = |hand: &Place| is_insurable(hand) && !was_asked(*hand) && view.on_spot(*hand, "insurance") == 0;
    let left = view.playing().iter().copied().filter(is_left);
    left.map(Found::at).collect()
}

fn wrong_total(view: &View) -> Vec<Found> {
    let place = view.wrongly_announced();
    let provision = if place == Some(Place::Bank) { "T-Q9" } else { "T-Q6" };
    place.map(|place| Found { provision: provision.to_owned(), ..Found::at(place) }).into_iter().collect()
}

/// A choice where there is none to be made, a covered card turned where none lies.
fn out_of_place(view: &View) -> Vec<Found> {
    let (event, hand) = (view.event(), target(view));
    let is_told = view.findings.iter().any(|found| found.at == view.now && found.what.place == Some(hand));
    let is_bare = !view.lying(hand).iter().any(|draw| view.dealt(hand).contains(draw))
        || event.kind == Kind::Decide && !view.plays(hand);
    let has_own = event.word == "even_money" || event.word == "surrender" && view.hands().contains(&hand);
    found_if(
        is_bare && !is_told && !has_own && hand != Place::Bank && !view.is_void(hand),
        Found::at(hand).with(Effect::Ignored).demands([Part::Rule]),
    )
}

/// A card that nothing asked for and that no other row named.
fn undue(view: &View) -> Vec<Found> {
    found_if(!(view.house.plan.is_due)(view) && !view.is_claimed(), Found::for_the_room(target(view)))
}

/// A card that nothing asked for where nobody sees where cards go: it went nowhere.
fn undue_nowhere(view: &View) -> Vec<Found> {
    let is_nowhere = !view.sees("places") && view.event().place.is_none() && has_bets(view);
    let is_nowhere = is_nowhere && view.playing().iter().any(|hand| view.is_at_stake(*hand));
    found_if(is_nowhere && !is_due(view) && !view.is_claimed(), Found::at(Place::Shoe).burned(view))
}

/// Whether something asks for the card.
pub(super) fn is_due(view: &View) -> bool {
    let place = target(view);
    let is_hand_due = place.number().is_some()
        && view.plays(place)
        && view.awaits_card(place)
        && !view.is_over(place)
        && !has_had_its_turn(view, place)
        && view.settled_at(place).is_none_or(|at| !view.at(at).bank_is_final());
    let bank = view.dealt(Place::Bank);
    let is_low = bank.len() < 2 || bank_is_short(view) || bank.iter().any(|draw| view.card(*draw).is_none());
    let is_idle = !view.playing().iter().copied().any(|hand| view.is_at_stake(hand));
    let is_bank_due = place == Place::Bank && have_played(view) && (is_low || is_idle) && !view.playing().is_empty();
    let is_burn_due = place == Place::Burn
        && view
            .found()
            .any(|found| found.is_open() && found.missing(view).iter().any(|part| matches!(part, Part::Burn(..))));
    let is_refused = view.refused(place).is_some();
    is_refused || is_delivery(view) || view.is_asked_for(place) || is_hand_due || is_bank_due || is_burn_due
}
