//! `talla`: delivery, play and the bank. Rows for a card come in the order in which they may claim it.

use crate::facts::View;
use crate::houses::{talla_bank, talla_bets, talla_money};
use crate::log::{Kind, Place};
use crate::rows::{Effect, Found, Part, Row};

/// The house's rows, those of bets first.
pub(super) fn rows() -> Vec<&'static Row> {
    [talla_bank::ROWS, talla_bets::ROWS, ROWS, talla_money::ROWS].into_iter().flatten().collect()
}

const ROWS: &[Row] = &[
    Row { provision: "T-Q2", on: &[Kind::Draw], needs: &["places"], find: passed_over },
    Row { provision: "T-Q2", on: &[Kind::Draw], needs: &["faces"], find: wrong_side },
    Row { provision: "T0", on: DELIVERED, needs: &["places"], find: not_dealt_to },
    Row { provision: "T-Q1", on: &[Kind::Draw], needs: &["places", "bets"], find: without_bet },
    Row { provision: "T-Q10", on: &[Kind::Draw], needs: &["places"], find: bank_early },
    Row { provision: "T-Q8", on: &[Kind::Draw], needs: &["places"], find: bank_draws_on },
    Row { provision: "T-Q8", on: &[Kind::Pay, Kind::Collect, Kind::End], needs: &[], find: bank_stops_short },
    Row { provision: "T-X4", on: &[Kind::Draw], needs: &["places"], find: card_after_double },
    Row { provision: "T-P4", on: &[Kind::Draw], needs: &["places"], find: card_to_split_ace },
    Row { provision: "T-Q3", on: &[Kind::Draw], needs: &["places", "decisions"], find: card_gone_back },
    Row { provision: "T-Q3", on: &[Kind::Ask, Kind::Decide, Kind::Draw], needs: &["decisions"], find: out_of_turn },
    Row { provision: "T0", on: &[Kind::Decide], needs: &["decisions"], find: not_his_choice },
    Row { provision: "", on: &[Kind::Decide], needs: &["decisions"], find: card_not_to_be_had },
    Row { provision: "T-R1", on: &[Kind::Decide], needs: &["decisions"], find: wrong_surrender },
    Row { provision: "T-S9", on: &[Kind::Decide], needs: &["decisions"], find: wrong_even_money },
    Row { provision: "T-S4", on: &[Kind::Ask], needs: &["asks"], find: insurance_offered_early },
    Row { provision: "T-S4", on: &[Kind::Draw], needs: &["asks"], find: insurance_not_offered },
    Row { provision: "", on: &[Kind::Announce], needs: &["announcements"], find: wrong_total },
    Row { provision: "T0", on: &[Kind::Draw], needs: &["places"], find: undue },
];

const DELIVERED: &[Kind] = &[Kind::Draw, Kind::Ask, Kind::Decide];

/// Where the next card belongs.
pub(super) fn due(view: &View) -> Option<Place> {
    let served = view.hands().into_iter().chain([Place::Bank]).find(|place| view.is_asked_for(*place));
    let awaited = || view.playing().into_iter().find(|hand| view.awaits_card(*hand));
    let is_needed = || view.playing().into_iter().any(|hand| view.is_at_stake(hand));
    let bank = || (view.turn().is_none() && !view.bank_is_final() && is_needed()).then_some(Place::Bank);
    served.or_else(|| view.waiting().first().copied()).or_else(awaited).or_else(bank)
}

pub(super) fn found_if(is_found: bool, found: Found) -> Vec<Found> {
    is_found.then_some(found).into_iter().collect()
}

pub(super) fn target(view: &View) -> Place {
    view.event().place.unwrap_or(Place::Shoe)
}

/// The card counts for nothing until the room lets it lie.
fn for_the_room(place: Place) -> Found {
    Found::at(place).with(Effect::Misdealt).demands([Part::Rule])
}

/// A card for the bank that is to be burned, and counts for nothing.
fn to_burn(view: &View) -> Found {
    Found::at(Place::Bank).with(Effect::Misdealt).demands([Part::Burn(Place::Bank, vec![view.now])])
}

/// Whether another row has this card already.
fn is_claimed(view: &View) -> bool {
    view.findings.iter().any(|found| found.at == view.now && found.what.effect == Effect::Misdealt)
}

/// Whether somebody has had a card in the round that is going on.
fn is_served(view: &View) -> bool {
    let has = usize::from(view.in_second()) + 1;
    view.playing().into_iter().any(|hand| view.dealt(hand).len() >= has)
}

/// Whether the card is one of the two rounds, for who waits for one.
fn is_delivery(view: &View) -> bool {
    view.waiting().contains(&target(view)) && (target(view) != Place::Bank || is_served(view))
}

/// Whether all have played: nobody waits for a card, and it is nobody's turn.
pub(super) fn have_played(view: &View) -> bool {
    let waits = |hand: Place| view.awaits_card(hand) && !view.is_over(hand);
    view.waiting().is_empty()
        && view.turn().is_none()
        && !view.playing().into_iter().any(waits)
        && !view.dealt(Place::Bank).is_empty()
}

fn passed_over(view: &View) -> Vec<Found> {
    if !is_delivery(view) || target(view) == Place::Bank {
        return Vec::new();
    }
    let begun = view.dealt(Place::Bank).first().copied().unwrap_or(0);
    let is_told = |place: Place| {
        let mut found = view.found().filter(|found| found.at > begun && found.what.provision == "T-Q2");
        found.any(|found| found.what.place == Some(place))
    };
    let before = view.waiting().into_iter().take_while(|place| *place != target(view));
    before.filter(|place| !is_told(*place)).map(|place| Found::at(place).notice()).collect()
}

fn wrong_side(view: &View) -> Vec<Found> {
    let is_dealt = matches!(target(view), Place::Hand(..) | Place::Bank);
    found_if(is_dealt && view.event().face_down == Some(true), Found::at(target(view)).notice())
}

/// A box left without its card when the round is over: at the bank's card, or when play begins.
fn not_dealt_to(view: &View) -> Vec<Found> {
    let is_bank = view.event().is(Kind::Draw, Place::Bank) && !view.in_second() && is_served(view);
    let is_play = view.is_play(view.now) && !view.play_began();
    if !is_bank && !is_play {
        return Vec::new();
    }
    let left = view.waiting().into_iter().filter(|place| *place != Place::Bank);
    left.map(|place| Found::at(place).demands([Part::Rule])).collect()
}

fn without_bet(view: &View) -> Vec<Found> {
    let has_bet = (1..=view.header.boxes).any(|number| view.chips(Place::Hand(number, 0), "main") > 0);
    found_if(!has_bet, for_the_room(target(view)))
}

fn bank_early(view: &View) -> Vec<Found> {
    let is_early =
        target(view) == Place::Bank && view.in_second() && !have_played(view) && !view.is_asked_for(Place::Bank);
    found_if(is_early && !is_claimed(view), to_burn(view))
}

fn bank_draws_on(view: &View) -> Vec<Found> {
    let is_final = target(view) == Place::Bank && view.bank_is_final() && have_played(view);
    found_if(is_final && !is_claimed(view), to_burn(view))
}

/// Whether the bank's cards are seen to be too few.
pub(super) fn bank_is_short(view: &View) -> bool {
    let stands = view.house.figure("bank_stands");
    let bank = view.dealt(Place::Bank).len();
    bank == 1 || bank > 1 && view.total(Place::Bank).is_some_and(|total| u64::from(total) < stands)
}

/// A bet settled against a bank below 17; a pass that ends with one. Without its second card the end is the room's.
fn bank_stops_short(view: &View) -> Vec<Found> {
    let event = view.event();
    let is_about = match event.kind {
        Kind::End => view.dealt(Place::Bank).len() > 1 && view.playing().into_iter().any(|hand| view.is_at_stake(hand)),
        _ => event.spot == "main" && event.place.is_some_and(|hand| view.is_at_stake(hand)),
    };
    let is_short = view.waiting().is_empty() && bank_is_short(view);
    let is_told = view.found().any(|found| found.what.provision == "T-Q8" && found.what.effect == Effect::None);
    found_if(is_about && is_short && !is_told, Found::at(Place::Bank).demands([Part::Serve(Place::Bank)]))
}

fn card_after_double(view: &View) -> Vec<Found> {
    let hand = target(view);
    found_if(view.is_doubled(hand) && view.dealt(hand).len() > 2, for_the_room(hand))
}

fn card_to_split_ace(view: &View) -> Vec<Found> {
    let hand = target(view);
    found_if(view.is_served_ace(hand), for_the_room(hand))
}

/// Whether a hand has stood: play that comes to it goes back.
fn is_gone_back(view: &View, hand: Place) -> bool {
    view.dealt(hand).len() >= 2 && view.decided(hand) == Some("stand")
}

fn card_gone_back(view: &View) -> Vec<Found> {
    let hand = target(view);
    let is_back = hand.number().is_some() && view.plays(hand) && is_gone_back(view, hand);
    found_if(is_back && !is_claimed(view), for_the_room(hand))
}

/// The first hand that is unfinished while a later one is asked, decides or gets a card.
fn out_of_turn(view: &View) -> Vec<Found> {
    let (event, hand) = (view.event(), target(view));
    let is_back = match event.kind {
        Kind::Decide => event.word == "hit",
        Kind::Ask => event.word != "insurance" && has_moved_on(view, hand),
        _ => false,
    };
    if is_back && is_gone_back(view, hand) {
        return vec![Found::at(hand).with(Effect::Ignored)];
    }
    let is_played = view.dealt(hand).len() >= 2 || view.is_split(hand);
    let is_later = is_played && (event.kind == Kind::Draw || view.is_play(view.now) && event.word != "even_money");
    if !is_later || !view.plays(hand) || is_claimed(view) {
        return Vec::new();
    }
    let is_left = |other: &Place| {
        let has_cards = view.dealt(*other).len() >= 2 || view.is_split(*other);
        has_cards && view.is_unfinished(*other) && !view.is_found("T-Q3", *other)
    };
    view.playing().into_iter().take_while(|other| *other != hand).filter(is_left).map(Found::at).collect()
}

fn not_his_choice(view: &View) -> Vec<Found> {
    let (by, bettor) = (view.event().by.as_deref(), view.bettor(target(view)));
    let is_anothers = by.is_some() && bettor.is_some() && by != bettor;
    found_if(is_anothers, Found::at(target(view)).with(Effect::Ignored).demands([Part::Rule]))
}

/// A card asked for by a hand that gets no more, each by its own provision.
fn card_not_to_be_had(view: &View) -> Vec<Found> {
    let hand = target(view);
    if view.event().word != "hit" || view.is_ignored(view.now) {
        return Vec::new();
    }
    let provision = match () {
        () if view.is_over(hand) => "T-Q6",
        () if view.is_doubled(hand) => "T-X4",
        () if view.is_served_ace(hand) => "T-P4",
        () if view.is_blackjack(hand) => "T-B10",
        () => return Vec::new(),
    };
    vec![Found { provision: provision.to_owned(), ..Found::at(hand).with(Effect::Ignored) }]
}

/// Whether play has moved on from a hand: a later one has been asked, has decided or has got a card.
fn has_moved_on(view: &View, hand: Place) -> bool {
    let later: Vec<Place> = view.hands().into_iter().skip_while(|other| *other != hand).skip(1).collect();
    let is_later = |at: usize| view.events[at].place.is_some_and(|place| later.contains(&place));
    let is_card = |at: usize| view.events[at].kind == Kind::Draw && view.at(at).waiting().is_empty();
    view.pass().any(|at| is_later(at) && (view.is_play(at) || is_card(at)))
}

fn wrong_surrender(view: &View) -> Vec<Found> {
    let hand = target(view);
    let may = view.dealt(hand).len() == 2
        && view.dealt(Place::Bank).len() < 2
        && !view.is_split(hand)
        && !view.is_blackjack(hand)
        && !view.is_doubled(hand)
        && !has_moved_on(view, hand);
    let is_wrong = view.event().word == "surrender" && !may && !view.is_ignored(view.now);
    found_if(is_wrong, Found::at(hand).with(Effect::Ignored))
}

/// Whether the bank's first card is an ace.
pub(super) fn bank_shows_ace(view: &View) -> bool {
    view.dealt(Place::Bank).first().and_then(|draw| view.card(*draw)).is_some_and(|card| card.rank == 1)
}

fn wrong_even_money(view: &View) -> Vec<Found> {
    let hand = target(view);
    let may = view.is_blackjack(hand)
        && !view.is_split(hand)
        && bank_shows_ace(view)
        && view.dealt(Place::Bank).len() == 1
        && view.on_spot(hand, "insurance") == 0;
    let is_wrong = view.event().word == "even_money" && !may && !view.is_ignored(view.now);
    found_if(is_wrong, Found::at(hand).with(Effect::Ignored))
}

fn insurance_offered_early(view: &View) -> Vec<Found> {
    let hand = target(view);
    if view.event().word != "insurance" || !view.plays(hand) {
        return Vec::new();
    }
    found_if(bank_shows_ace(view) && !have_played(view), Found::at(hand))
}

/// Hands that could have been insured and were not asked, at the bank's second card.
fn insurance_not_offered(view: &View) -> Vec<Found> {
    let is_second = target(view) == Place::Bank && view.dealt(Place::Bank).len() == 1 && have_played(view);
    if !is_second || !bank_shows_ace(view) || is_claimed(view) {
        return Vec::new();
    }
    let was_asked = |hand: Place| view.has(|event| event.says(Kind::Ask, hand, "insurance"));
    let is_left = |hand: &Place| view.is_at_stake(*hand) && !was_asked(*hand) && view.on_spot(*hand, "insurance") == 0;
    let left = view.playing().into_iter().filter(is_left);
    left.map(|hand| Found::at(hand).notice()).collect()
}

fn wrong_total(view: &View) -> Vec<Found> {
    let event = view.event();
    let Some((place, total)) = event.place.and_then(|place| Some((place, u64::from(view.total(place)?)))) else {
        return Vec::new();
    };
    let is_open =
        place != Place::Bank && view.cards(place).is_some_and(|cards| cards.iter().any(|card| card.rank == 1));
    let is_right = event.number == total || is_open && event.number + 10 == total;
    let provision = if place == Place::Bank { "T-Q9" } else { "T-Q6" }.to_owned();
    found_if(event.word == "total" && !is_right, Found { provision, ..Found::at(place) })
}

/// A card that nothing asked for and that no other row named.
fn undue(view: &View) -> Vec<Found> {
    let place = target(view);
    let is_hand_due = place.number().is_some() && view.plays(place) && view.awaits_card(place) && !view.is_over(place);
    let is_bank_due = place == Place::Bank && have_played(view) && !view.playing().is_empty();
    let is_burn_due = place == Place::Burn
        && view
            .found()
            .any(|found| found.is_open() && found.missing(view).iter().any(|part| matches!(part, Part::Burn(..))));
    let is_due = is_delivery(view) || view.is_asked_for(place) || is_hand_due || is_bank_due || is_burn_due;
    found_if(!is_due && !is_claimed(view), for_the_room(place))
}
