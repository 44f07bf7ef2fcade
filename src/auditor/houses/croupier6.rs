//! `croupier-6`: delivery, play and the bank. Rows for a card come in the order in which they may claim it.

use crate::facts::View;
use crate::facts::found::{Effect, Finding, Found, Part};
use crate::houses::everywhere::{not_his_choice, wrong_total};
use crate::log::{Event, Kind, Place};
use crate::rows::{PLAY, Row, found_if, target};

pub(super) const ROWS: &[Row] = &[
    Row { provision: "K0", on: &[Kind::Decide], needs: &["decisions", "hands"], find: not_in_play },
    Row { provision: "K16", on: &[Kind::Decide, Kind::Ace], needs: &["decisions", "bets"], find: not_his_choice },
    Row { provision: "K10", on: &[Kind::Decide], needs: &["decisions", "hands"], find: no_such_choice },
    Row { provision: "K0", on: PLAY, needs: &["places", "hands"], find: not_dealt_to },
    Row { provision: "K0", on: GOES, needs: &["hands"], find: shoe_gone },
    Row { provision: "K15", on: &[Kind::Draw], needs: &["places", "hands"], find: bank_draws_on },
    Row {
        provision: "K5",
        on: &[Kind::Ask, Kind::Decide, Kind::Draw],
        needs: &["decisions", "hands"],
        find: out_of_turn,
    },
    Row { provision: "K0", on: &[Kind::Draw], needs: &["places", "hands"], find: bank_early },
    Row { provision: "K0", on: &[Kind::Draw], needs: &["places", "hands"], find: undue },
    Row { provision: "K9", on: &[Kind::Draw], needs: &["faces", "hands"], find: wrong_side },
    Row { provision: "K5", on: &[Kind::Draw], needs: &["places", "hands"], find: passed_over },
    Row { provision: "K9", on: &[Kind::Draw], needs: &["places", "hands"], find: out_of_round },
    Row {
        provision: "K15",
        on: &[Kind::Pay, Kind::Collect, Kind::Move, Kind::End],
        needs: &["hands"],
        find: bank_stops_short,
    },
    Row { provision: "K8", on: &[Kind::Announce], needs: &["announcements", "hands"], find: wrong_total },
];

/// How many of the two rounds are over for every hand.
fn rounds(view: &View) -> usize {
    dealt_to(view).map(|hand| view.dealt(hand).len()).min().unwrap_or(0)
}

/// The hands of the delivery: those that were not opened since.
fn dealt_to<'a>(view: &'a View) -> impl Iterator<Item = Place> + 'a {
    // a bet that the room ruled lost waits for nothing
    let is_out = |hand| view.is_split(hand) || view.is_ruled_lost(hand) || view.awaits_ruling(hand);
    view.playing().iter().copied().filter(move |hand| !is_out(*hand))
}

/// The hands that wait for a card of the delivery, those first that have none.
pub(super) fn waiting(view: &View) -> Vec<Place> {
    let round = rounds(view);
    let in_round = |hand: &Place| view.dealt(*hand).len() == round;
    if round < 2 { dealt_to(view).filter(in_round).collect() } else { Vec::new() }
}

/// Whether the delivery is over: two cards to every hand and one to the bank.
fn is_delivered(view: &View) -> bool {
    !view.dealt(Place::Bank).is_empty() && (rounds(view) >= 2 || play_began(view))
}

/// Where the next card belongs.
pub(super) fn due(view: &View) -> Option<Place> {
    let served = view.hands().iter().copied().chain([Place::Bank]).find(|place| view.is_asked_for(*place));
    let awaited = || view.playing().iter().copied().find(|hand| awaits_card(view, *hand));
    let is_bank_due = || view.dealt(Place::Bank).is_empty() && rounds(view) > 0;
    let bank = || (is_bank_due() || have_played(view) && !view.bank_is_final()).then_some(Place::Bank);
    served.or_else(|| waiting(view).first().copied()).or_else(awaited).or_else(bank)
}

/// Whether a hand is one of those that play.
fn plays(view: &View, hand: Place) -> bool {
    view.playing().contains(&hand) && !view.is_ruled_lost(hand)
}

/// Whether an event is one of play, about a hand that has cards.
fn is_play(view: &View) -> bool {
    view.is_play(view.now) && !view.dealt(target(view)).is_empty()
}

fn play_began(view: &View) -> bool {
    view.pass().any(|at| is_play(&view.at(at)))
}

/// A hand that has not stood, reached 21 or gone over, whatever was paid to it or collected of it.
pub(super) fn is_unfinished(view: &View, hand: Place) -> bool {
    let is_closed = view.is_doubled(hand) || view.surrendered(hand).is_some() || view.is_served_ace(hand);
    let is_open = !is_closed && view.may_be_below_21(hand);
    plays(view, hand) && !view.dealt(hand).is_empty() && is_open && !has_stood(view, hand) && !is_the_rooms(view, hand)
}

/// Whether a hand without its cards waits for the room.
fn is_the_rooms(view: &View, hand: Place) -> bool {
    // with what it has it plays no further, though the room has the pass go on
    let is_waiting = |found: &Finding| found.is_open() || found.goes_on();
    let is_about =
        |found: &Finding| found.what.place == Some(hand) && found.what.provision == "K0" && is_waiting(found);
    let is_short = |found: &Finding| {
        found.what.effect == Effect::Lost || found.what.effect == Effect::None && view.dealt(hand).len() < 2
    };
    view.found().any(|found| is_about(found) && is_short(found))
}

/// Whether a hand's cards were put away before their time.
pub(super) fn is_lost(view: &View, hand: Place) -> bool {
    view.found().any(|found| found.what.effect == Effect::Lost && found.what.place == Some(hand))
}

fn has_stood(view: &View, hand: Place) -> bool {
    let begun = view.first(|event| event.kind == Kind::Bet).unwrap_or(view.now);
    (begun..view.now).any(|at| view.events[at].says(Kind::Decide, hand, "stand") && !view.is_ignored(at))
}

fn awaits_card(view: &View, hand: Place) -> bool {
    let is_retired = view.settled_at(hand).is_some() && view.lying(hand).is_empty();
    let is_doubled = view.is_doubled(hand) && view.dealt(hand).len() == 2;
    let is_opened = view.is_split(hand) && view.dealt(hand).len() == 1;
    let is_awaited = view.decided(hand) == Some("hit") || is_doubled || is_opened;
    is_awaited && !has_stood(view, hand) && !view.is_over(hand) && !is_retired
}

/// Whether all have played: nobody waits for a card, and it is nobody's turn.
pub(super) fn have_played(view: &View) -> bool {
    let waits = view.playing().iter().copied().any(|hand| awaits_card(view, hand));
    is_delivered(view) && !waits && !view.playing().iter().copied().any(|hand| is_unfinished(view, hand))
}

/// Whether the card is one of the two rounds, or the bank's first.
fn is_delivery(view: &View) -> bool {
    let place = target(view);
    match place {
        Place::Bank => view.dealt(place).is_empty() && !view.playing().is_empty(),
        _ => plays(view, place) && view.dealt(place).len() < 2 && (!play_began(view) || is_left_short(view, place)),
    }
}

/// Whether play began without this hand's cards, and the room has not decided yet.
fn is_left_short(view: &View, hand: Place) -> bool {
    let is_about = |found: &Finding| found.what.place == Some(hand) && found.what.provision == "K0";
    let resumes = |found: &Finding| found.ruled.as_ref().is_some_and(|(word, _)| word == "resume");
    let waits = |found: &Finding| found.what.effect == Effect::None && (found.is_open() || resumes(found));
    view.found().any(|found| is_about(found) && waits(found))
}

/// A later hand gets its card of a round while an earlier one waits for its own.
fn passed_over(view: &View) -> Vec<Found> {
    let place = target(view);
    if !is_delivery(view) || place == Place::Bank {
        return Vec::new();
    }
    let has = view.dealt(place).len();
    // the bank's card closes the round in which it comes
    let has = if view.dealt(Place::Bank).is_empty() { has } else { rounds(view).min(has) };
    let last = view.last(|event| event.kind == Kind::Draw).and_then(|at| view.events[at].place);
    // another card came in between: the next round has begun
    let is_next = view.dealt(place).len() > rounds(view) && last != Some(place);
    let has = if is_next { rounds(view) } else { has };
    let is_told = |hand: Place| {
        let is_told = |at: usize| view.at(at).dealt(hand).len() == has;
        view.found().any(|found| found.what.provision == "K5" && found.what.place == Some(hand) && is_told(found.at))
    };
    let is_closed = has < view.dealt(place).len();
    let before = view.playing().iter().copied().take_while(|hand| is_closed || *hand != place);
    let waits = |hand: Place| plays(view, hand) && !view.awaits_ruling(hand) && view.dealt(hand).len() == has;
    let passed = before.filter(|hand| waits(*hand) && !is_told(*hand));
    passed.map(Found::at).collect()
}

/// The bank's card in the middle of a round, or a hand's second card while another waits for its first.
fn out_of_round(view: &View) -> Vec<Found> {
    let place = target(view);
    let round = rounds(view);
    let is_out = match place {
        Place::Bank => dealt_to(view).any(|hand| view.dealt(hand).len() != round) || round == 0,
        _ => {
            let last = view.last(|event| event.kind == Kind::Draw);
            view.dealt(place).len() > round && last.is_some_and(|at| view.events[at].place == Some(place))
        }
    };
    let is_told = |finding: &Finding| finding.what.provision == "K9" && view.events[finding.at].face_down != Some(true);
    found_if(is_delivery(view) && !play_began(view) && is_out && !view.found().any(is_told), Found::at(place).notice())
}

fn wrong_side(view: &View) -> Vec<Found> {
    let place = target(view);
    let belongs = match place {
        Place::Bank => view.dealt(place).len() < 2,
        _ => is_delivery(view),
    };
    let is_down = view.event().face_down == Some(true) && !view.belongs_down(place, view.dealt(place).len());
    found_if(belongs && !view.is_claimed() && is_down, Found::at(place))
}

/// A hand, or the bank, without its cards when play begins.
fn not_dealt_to(view: &View) -> Vec<Found> {
    if !is_play(view) || play_began(view) || view.playing().is_empty() {
        return Vec::new();
    }
    let with = |cards: usize| move |hand: &Place| view.dealt(*hand).len() == cards;
    let hands = view.playing().iter().copied().filter(with(0)).chain(view.playing().iter().copied().filter(with(1)));
    let is_told = view.is_found("K0", Place::Bank);
    let bank = (view.dealt(Place::Bank).is_empty() && !is_told).then_some(Place::Bank);
    let is_out = |place: Place| is_lost(view, place) || view.awaits_ruling(place) || view.is_ruled_lost(place);
    let left = hands.chain(bank).filter(|place| !is_out(*place));
    left.map(|place| Found::at(place).demands([Part::Rule])).collect()
}

/// The bank's second card before all have played.
fn bank_early(view: &View) -> Vec<Found> {
    // with a card that nobody knows nobody knows who has finished
    let is_unread = view.playing().iter().any(|hand| view.is_unread(*hand));
    let is_second = target(view) == Place::Bank && !is_delivery(view) && !view.playing().is_empty() && !is_unread;
    let has_card = |at: usize| !view.at(at).dealt(Place::Bank).is_empty();
    let is_settled = view.playing().iter().copied().all(|hand| view.settled_at(hand).is_some_and(has_card));
    let is_settled = is_settled && view.playing().iter().any(|hand| !view.is_over(*hand));
    found_if(
        is_second && !view.is_claimed() && (!have_played(view) || is_settled && !view.is_found("K15", Place::Bank)),
        Found::for_the_room(Place::Bank),
    )
}

fn bank_draws_on(view: &View) -> Vec<Found> {
    let is_final =
        target(view) == Place::Bank && !view.lying(Place::Bank).is_empty() && view.bank_is_final() && have_played(view);
    let is_final = is_final && view.playing().iter().copied().any(|hand| view.is_at_stake(hand));
    found_if(is_final, Found::for_the_room(Place::Bank))
}

/// Whether the bank's cards are seen to be too few.
fn bank_is_short(view: &View) -> bool {
    let bank = view.dealt(Place::Bank).len();
    bank == 1 && !view.is_doubtful(Place::Bank)
        || bank > 1 && view.total(Place::Bank).is_some() && !view.bank_is_final()
}

/// A bet settled against a bank below 17, or a pass that ends with one.
fn bank_stops_short(view: &View) -> Vec<Found> {
    let event = view.event();
    let is_about = match event.kind {
        Kind::End => {
            // chips that nobody sees may have paid a Black Jack early
            let is_paid = |hand| view.settled_at(hand).is_some() || !view.sees("bets") && view.may_be_paid_early(hand);
            have_played(view) && view.playing().iter().copied().any(|hand| view.is_at_stake(hand) && !is_paid(hand))
        }
        // where chips are not seen, cards put away tell that it was settled
        Kind::Move => {
            let is_cleared = event.to == Some(Place::Discard) && !view.lying(target(view)).is_empty();
            let depends =
                |hand: Place| view.is_at_stake(hand) && !view.may_be_paid_early(hand) && !view.is_unread(hand);
            let is_of_it = target(view) == Place::Bank || depends(target(view));
            let is_left = view.playing().iter().copied().any(|hand| view.is_at_stake(hand));
            !view.sees("bets") && is_cleared && have_played(view) && is_of_it && is_left
        }
        _ => {
            let hand = target(view);
            let is_out = view.is_ruled_lost(hand) || is_lost(view, hand);
            let depends = view.is_at_stake(hand) && !view.is_blackjack(hand) && !is_out;
            event.spot == "main" && depends && !view.is_unread(hand)
        }
    };
    let is_told = view.found().any(|found| found.what.provision == "K15" && found.what.effect == Effect::None);
    let is_found = is_about && bank_is_short(view) && !is_told;
    found_if(is_found, Found::at(Place::Bank).demands([Part::Serve(Place::Bank)]))
}

/// Each earlier hand that is unfinished while a later one is asked, decides or gets a card.
fn out_of_turn(view: &View) -> Vec<Found> {
    let hand = target(view);
    let is_card = view.event().kind == Kind::Draw && view.dealt(hand).len() >= 2 && is_delivered(view);
    if !(is_card || is_play(view)) || !plays(view, hand) || view.is_ignored(view.now) {
        return Vec::new();
    }
    let is_left = |other: &Place| {
        let is_told = |at: usize| view.at(at).dealt(*other).len() >= 2;
        let is_found = view
            .found()
            .any(|found| found.what.provision == "K5" && found.what.place == Some(*other) && is_told(found.at));
        view.dealt(*other).len() >= 2 && is_unfinished(view, *other) && !is_found
    };
    view.playing().iter().copied().take_while(|other| *other != hand).filter(is_left).map(Found::at).collect()
}

/// A choice for a hand that has no cards.
fn not_in_play(view: &View) -> Vec<Found> {
    let hand = target(view);
    let is_bare = view.dealt(hand).is_empty() && view.chips(hand, "main") == 0;
    let is_known = ["hit", "stand", "decline"].contains(&view.event().word.as_str());
    found_if(is_known && (view.lying(hand).is_empty() || is_bare), Found::at(hand).demands([Part::Rule]))
}

/// Whether the house has such a play: none but to stand or to draw, unless its settings say so.
pub(super) fn is_known(view: &View, play: &str) -> bool {
    match play {
        "double" => !view.house.is("double_on", "never"),
        "split" => view.house.figure("max_hands") > 1,
        "insure" | "insurance" => !view.house.is("insurance_when", "never"),
        "surrender" => !view.house.is("surrender", "never"),
        "even_money" => view.house.yes("even_money"),
        _ => true,
    }
}

/// A play that the house does not have, and drawing with a Black Jack or over 21.
fn no_such_choice(view: &View) -> Vec<Found> {
    let (event, hand) = (view.event(), target(view));
    let is_full = || view.total(hand) == Some(21) && !view.house.yes("hit_at_21");
    let may_not_draw = || view.is_over(hand) || view.is_blackjack(hand) || is_full();
    let is_wrong = if event.word == "hit" { may_not_draw() } else { !is_known(view, &event.word) };
    found_if(is_wrong && !view.is_ignored(view.now), Found::at(hand).with(Effect::Ignored))
}

/// A card that nothing asked for.
fn undue(view: &View) -> Vec<Found> {
    found_if(!(view.house.plan.is_due)(view) && !view.is_claimed(), Found::at(target(view)).misdealt(view))
}

/// Whether anything asks for the card. One to a late bet changes nothing.
pub(super) fn is_due(view: &View) -> bool {
    let place = target(view);
    let is_late = view.is_found("K7", place) && !plays(view, place) && view.chips(place, "main") > 0;
    let is_hand_due = plays(view, place) && awaits_card(view, place);
    // with every bet void nobody is wronged by the bank's card
    let nobody_is_left = !view.playing().iter().copied().any(|hand| view.is_at_stake(hand));
    let is_idle =
        nobody_is_left && have_played(view) || view.playing().is_empty() && view.has(|event| event.kind == Kind::Bet);
    let is_dealing = |event: &Event| event.kind == Kind::Draw && event.place != Some(Place::Burn);
    let is_clearing = view.has(|event| event.kind == Kind::Move && event.to == Some(Place::Discard));
    let has_begun = view.has(is_dealing) && !is_clearing;
    let is_bank_due = place == Place::Bank && (is_idle || have_played(view) && bank_is_short(view));
    is_late || is_delivery(view) || is_hand_due || is_bank_due || place == Place::Burn && !has_begun
}

/// When a shoe that is gone can leave somebody without a card.
const GOES: &[Kind] = &[Kind::Load, Kind::Device, Kind::Decide];

/// A shoe that runs out, or is changed, while a card is due; one that ran out when a card comes to be due.
fn shoe_gone(view: &View) -> Vec<Found> {
    let empties = |event: &Event| event.device.as_deref() == Some("shoe") && event.word == "empty";
    let is_gone = match view.event().kind {
        Kind::Device => empties(view.event()),
        Kind::Decide => view.since(view.loaded().unwrap_or(0), empties),
        _ => true,
    };
    let is_due = view.is_closed() && due(&view.then()).is_some();
    let is_so = |found: &Finding| found.what.provision == "K0" && found.what.place.is_none();
    let is_told = view.found().any(|found| is_so(found) && GOES.contains(&view.events[found.at].kind));
    found_if(is_gone && is_due && !is_told, Found::new().demands([Part::Rule]))
}
