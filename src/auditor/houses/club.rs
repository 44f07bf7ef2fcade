//! `club`: delivery, play and the bank. Rows for a card come in the order in which they may claim it.

use std::collections::BTreeMap;

use crate::facts::View;
use crate::facts::found::{Effect, Finding, Found, Part, Severity};
use crate::houses::club_accounts::{is_lost, is_play, owed_now, play_began};
use crate::houses::everywhere::{bank_shows_ace, first_broken, wrong_total};
use crate::log::{Event, Kind, Place};
use crate::rows::{PLAY, Row, found_if, is_served_again, target};

const TURN: &[Kind] = &[Kind::Ask, Kind::Decide, Kind::Draw];

pub(super) const ROWS: &[Row] = &[
    Row { provision: "", on: &[Kind::Draw], needs: &["places", "hands"], find: misdealt },
    Row { provision: "G24", on: &[Kind::Draw], needs: &["faces", "hands"], find: another_came },
    Row { provision: "G6", on: &[Kind::Draw], needs: &["faces", "hands"], find: wrong_side },
    Row { provision: "G6", on: &[Kind::Draw], needs: &["places", "hands"], find: passed_over },
    Row { provision: "G7", on: TURN, needs: &["bets", "places", "hands"], find: blackjack_not_paid },
    Row { provision: "G0", on: PLAY, needs: &["places", "hands"], find: not_dealt_to },
    Row { provision: "G0", on: &[Kind::Decide, Kind::Ace], needs: &["decisions", "bets"], find: not_his_choice },
    Row { provision: "G8", on: TURN, needs: &["decisions", "hands"], find: out_of_turn },
    Row { provision: "G12", on: &[Kind::Draw, Kind::Decide], needs: &["asks", "hands"], find: not_announced },
    Row { provision: "", on: &[Kind::Ask, Kind::Decide], needs: &["decisions", "hands"], find: card_not_to_be_had },
    Row { provision: "G2", on: &[Kind::Announce], needs: &["announcements", "hands"], find: wrong_total },
    Row { provision: "G10", on: &[Kind::Pay, Kind::Collect], needs: &["bets", "hands"], find: bank_stops_short },
];

impl View<'_> {
    /// Whether cards have been dealt in this pass, those dealt by mistake left out.
    pub(super) fn has_dealing(&self) -> bool {
        self.pass().any(|at| self.events[at].kind == Kind::Draw && self.counts(at))
    }
}

/// Whether a hand was settled when it was decided what it was owed, or when nobody could know that.
pub(super) fn is_done_with(view: &View, hand: Place) -> bool {
    let is_settled = |then: &View| then.is_unread(hand) || owed_now(then, hand, "main").is_some();
    view.moved(hand, "main").any(|at| is_settled(&view.at(at)))
}

/// A hand that is in play: not over 21, and not settled.
pub(super) fn is_in_play(view: &View, hand: Place) -> bool {
    view.is_at_stake(hand) && !is_done_with(view, hand)
}

/// Who waits for a card of the two rounds, the bank after the boxes of the first.
pub(super) fn waiting(view: &View) -> Vec<Place> {
    // when play begins the rounds are over, though the bank was left out
    let has = usize::from(!view.dealt(Place::Bank).is_empty() || play_began(view));
    let mut waiting = view.playing().to_vec();
    let is_out = |hand| view.is_split(hand) || view.is_ruled_lost(hand);
    waiting.retain(|hand| view.dealt(*hand).len() <= has && !is_out(*hand));
    let has_covered = view.house.is("bank_second_card", "covered") && view.dealt(Place::Bank).len() < 2;
    if view.dealt(Place::Bank).is_empty() || has_covered && waiting.is_empty() {
        waiting.push(Place::Bank);
    }
    waiting
}

/// Whether the two rounds are over: nobody waits, or play has begun.
pub(super) fn is_delivered(view: &View) -> bool {
    waiting(view).is_empty() || play_began(view)
}

/// Whether all have played: nobody waits for a card, and it is nobody's turn.
pub(super) fn have_played(view: &View) -> bool {
    let waits = |hand: Place| awaits_card(view, hand) && !view.is_without_stake(hand);
    is_delivered(view)
        && turn(view).is_none()
        && !view.playing().is_empty()
        && !view.playing().iter().copied().any(waits)
}

/// A hand that asked for a card and may have one.
fn awaits_card(view: &View, hand: Place) -> bool {
    let is_done = view.has_stood(hand) || view.is_over(hand) || is_done_with(view, hand) || is_lost(view, hand);
    view.awaits_card(hand) && !is_done
}

/// A hand that may still play: it has not stood or doubled, and is below 21.
pub(super) fn is_unfinished(view: &View, hand: Place) -> bool {
    let is_done = view.decided(hand) == Some("stand")
        || view.is_doubled(hand)
        || view.surrendered(hand).is_some()
        || view.is_served_ace(hand);
    let has_cards = !view.dealt(hand).is_empty() && !view.lying(hand).is_empty();
    let is_dealt = view.plays(hand) && has_cards && !is_lost(view, hand);
    is_dealt && !is_done && !view.is_without_stake(hand) && view.may_be_below_21(hand)
}

/// Whose turn it is.
fn turn(view: &View) -> Option<Place> {
    view.playing().iter().copied().find(|hand| is_unfinished(view, *hand))
}

/// Whether a bet is in play for which the bank takes a card; an insurance is one until the second.
pub(super) fn bank_is_needed(view: &View) -> bool {
    is_insured(view) || view.playing().iter().copied().any(|hand| is_in_play(view, hand))
}

fn is_insured(view: &View) -> bool {
    view.dealt(Place::Bank).len() < 2 && view.playing().iter().any(|hand| view.on_spot(*hand, "insurance") > 0)
}

/// Where the next card belongs.
pub(super) fn due(view: &View) -> Option<Place> {
    let is_served = |place: &Place| view.is_asked_for(*place) || is_served_again(view, *place);
    let served = view.hands().iter().copied().chain([Place::Bank]).find(is_served);
    let awaited = || view.playing().iter().copied().find(|hand| view.awaits_card(*hand));
    let bank = || (have_played(view) && !view.bank_is_final() && bank_is_needed(view)).then_some(Place::Bank);
    served.or_else(|| waiting(view).first().copied()).or_else(awaited).or_else(bank)
}

/// The card goes back to the shoe before the next one is drawn, and counts for nothing.
fn put_back(view: &View, provision: &str) -> Found {
    Found { provision: provision.to_owned(), ..Found::at(target(view)).misdealt(view) }
}

/// A card dealt by mistake, under the article that names it.
fn misdealt(view: &View) -> Vec<Found> {
    let place = target(view);
    let is_hand = place.number().is_some() && view.plays(place);
    let is_bank = place == Place::Bank && (view.house.plan.have_played)(view);
    let is_for_nobody = is_bank && !view.is_asked_for(place);
    // nobody may have seen insurance laid
    let may_be_insured = !view.sees("bets") && (bank_shows_ace(view) || !view.sees("decisions"));
    let broken = first_broken(&[
        ("G22", cut_card_came_first(view)),
        ("G23", place == Place::Bank && view.playing().is_empty() && view.has(|event| event.kind == Kind::Bet)),
        ("G24", is_for_nobody && !is_insured(view) && view.playing().iter().all(|hand| view.lying(*hand).is_empty())),
        ("G10", is_bank && view.bank_is_final()),
        ("G23", is_for_nobody && !may_be_insured && !bank_is_needed(view)),
        ("G14", is_hand && view.is_served_ace(place)),
        ("G12", is_hand && view.is_doubled(place) && view.dealt(place).len() > 2),
        ("G24", !(view.house.plan.is_due)(view)),
    ]);
    broken.map(|provision| put_back(view, provision)).into_iter().collect()
}

/// Whether anything asks for the card.
pub(super) fn is_due(view: &View) -> bool {
    let place = target(view);
    let is_awaited = place.number().is_some() && view.plays(place) && awaits_card(view, place);
    // the first card of a half waits for those of the hands before it
    let is_half = view.is_split(place) && view.dealt(place).len() == 1;
    let is_left =
        |other: &Place| is_unfinished(view, *other) && awaits_card(view, *other) || view.waits_for_double(*other);
    let is_awaited =
        is_awaited && !(is_half && view.playing().iter().take_while(|other| **other != place).any(is_left));
    let is_bank_due = place == Place::Bank && have_played(view) && bank_is_low(view);
    let is_refused = view.refused(place).is_some();
    is_refused || is_delivery(view) || is_delivered(view) && (is_awaited || is_bank_due || is_untold(view, place))
}

/// Whether it is the turn of a hand that may be doubled and was not told so: a card counts.
fn is_untold(view: &View, hand: Place) -> bool {
    let last = view.dealt(hand).last().copied().unwrap_or(0);
    let is_asked = || view.since(last, |event| event.says(Kind::Ask, hand, "double"));
    turn(view) == Some(hand) && view.may_be_doubled(hand) == Some(true) && !is_asked()
}

/// Cards that were put back, oldest first, and did not come out again: another that comes before them is wrong.
fn another_came(view: &View) -> Vec<Found> {
    let is_told = |at: usize| {
        let is_so = |found: &Finding| found.what.provision == "G24" && found.what.severity == Severity::Integrity;
        view.findings.iter().any(|found| is_so(found) && found.at > at)
    };
    let loaded = view.loaded().unwrap_or(0);
    // a card that comes out again keeps its place in the shoe: that of the draw in which it first came
    let (mut back, mut first_drawn): (Vec<usize>, BTreeMap<usize, usize>) = Default::default();
    for at in loaded..view.now {
        match view.events[at].kind {
            Kind::Move if view.events[at].to == Some(Place::Shoe) => {
                let taken = view.at(at).taken().into_iter().filter(|draw| !view.counts(*draw));
                back.extend(taken.map(|draw| first_drawn.get(&draw).copied().unwrap_or(draw)));
                back.sort_unstable();
            }
            Kind::Draw if !back.is_empty() => {
                let first = back.remove(0);
                if view.card(first) == view.card(at) {
                    first_drawn.insert(at, first);
                }
            }
            _ => {}
        }
    }
    let Some(first) = back.first().filter(|first| !is_told(**first)) else { return Vec::new() };
    // one that lies covered may be any
    let then = view.then();
    let seen = |draw: usize| then.card(draw).filter(|_| !then.is_covered(draw));
    let (expected, came) = (seen(*first), seen(view.now));
    let is_another = expected.is_some() && came.is_some() && expected != came;
    found_if(is_another, Found::at(target(view)).integrity().demands([Part::Rule]))
}

/// Whether the cut card came before the first card of the play.
pub(super) fn cut_card_came_first(view: &View) -> bool {
    let loaded = (!view.sees("bets")).then(|| view.loaded()).flatten();
    let bet = loaded.map(|load| load.max(view.pass().start)).or_else(|| view.first(|event| event.kind == Kind::Bet));
    let bet = bet.unwrap_or(view.now);
    let cut = (bet..view.now).find(|&at| view.events[at].kind == Kind::CutCard);
    let is_told = view.found().any(|found| found.what.provision == "G22");
    let drawn = (view.pass()).find(|&at| view.events[at].kind == Kind::Draw && view.counts(at));
    !is_told
        && cut.is_some_and(|cut| {
            drawn.is_none_or(|drawn| cut < drawn) && !view.since(cut, |event| event.kind == Kind::Load)
        })
}

/// Whether the bank's cards are seen to be too few.
pub(super) fn bank_is_low(view: &View) -> bool {
    let is_low = view.bank_stands(false) == Some(false);
    view.dealt(Place::Bank).len() < 2 || is_low || view.is_unread(Place::Bank)
}

/// Whether the card is one of the two rounds, for who waits for one; the bank's comes last.
fn is_delivery(view: &View) -> bool {
    let waiting = waiting(view);
    let is_first = || view.dealt(Place::Bank).is_empty() && play_began(view);
    let is_last = (waiting == [Place::Bank] || is_first()) && !view.playing().is_empty();
    if target(view) == Place::Bank { is_last } else { waiting.contains(&target(view)) }
}

/// A card that lies down.
fn wrong_side(view: &View) -> Vec<Found> {
    let is_wrong = view.event().face_down == Some(true)
        && !view.is_claimed()
        && !view.belongs_down(target(view), view.dealt(target(view)).len());
    found_if(is_wrong, Found::at(target(view)))
}

/// A hand gets its card of a round while one before it waits for its own.
fn passed_over(view: &View) -> Vec<Found> {
    let waiting = (view.house.plan.waiting)(view);
    let is_delivery = target(view) != Place::Bank && waiting.contains(&target(view));
    if view.is_claimed() || !is_delivery || play_began(view) {
        return Vec::new();
    }
    let has = view.dealt(target(view)).len();
    let is_told = |place: Place| {
        let is_told = |at: usize| view.at(at).dealt(place).len() == has && view.events[at].face_down != Some(true);
        view.found().any(|found| found.what.provision == "G6" && found.what.place == Some(place) && is_told(found.at))
    };
    let before = waiting.into_iter().take_while(|place| *place != target(view));
    before.filter(|place| !is_told(*place)).map(Found::at).collect()
}

/// Whether this event is the play's, or its card one beyond the delivery.
fn is_playing(view: &View) -> bool {
    let is_card = view.event().kind == Kind::Draw && is_delivered(view) && !view.is_claimed();
    is_card && !is_delivery(view) || is_play(view, view.now)
}

/// A Black Jack that is not paid when play begins, though the bank cannot have one.
fn blackjack_not_paid(view: &View) -> Vec<Found> {
    if !is_playing(view) || !is_delivered(view) || !view.house.yes("blackjack_at_once") {
        return Vec::new();
    }
    // a Black Jack that lies covered is nobody's business
    let is_seen = |hand: Place| view.cards(hand).is_some() && view.may_be_paid_early(hand);
    let is_left = |hand: &Place| is_seen(*hand) && view.settled_at(*hand).is_none() && !view.is_found("G7", *hand);
    view.playing().iter().copied().filter(is_left).map(Found::at).collect()
}

/// Whether the hand's two cards may be doubled, for all that is seen of them.
pub(super) fn may_double(view: &View, hand: Place) -> bool {
    view.may_be_doubled(hand) != Some(false)
}

/// Whether the hand's two cards are a pair, for all that is seen of them.
pub(super) fn is_pair(view: &View, hand: Place) -> bool {
    view.is_pair(hand) != Some(false)
}

/// Whether the hand may be split: a pair, no ace that was split, and fewer hands than a box may have.
pub(super) fn may_split(view: &View, hand: Place) -> bool {
    let hands = view.hands().iter().filter(|other| other.number() == hand.number()).count() as u64;
    let is_ace_again = view.pair_opened(hand) == Some(1) && !view.house.yes("split_aces_again");
    is_pair(view, hand) && !is_ace_again && hands < view.house.figure("max_hands")
}

/// Whether the bank shows an ace, and no further card has been dealt, one to a half included.
pub(super) fn may_be_insured(view: &View) -> bool {
    let may_show_ace = bank_shows_ace(view) || view.is_unread(Place::Bank);
    may_show_ace && view.dealt(Place::Bank).len() == 1 && !has_card_of_play(view)
}

/// Whether any hand has more cards than the two rounds bring.
fn has_card_of_play(view: &View) -> bool {
    view.hands().iter().any(|hand| view.dealt(*hand).len() > if view.is_split(*hand) { 1 } else { 2 })
}

/// A hand, or the bank, without its cards when play begins; of the first round before the second.
fn not_dealt_to(view: &View) -> Vec<Found> {
    if !is_play(view, view.now) || play_began(view) || view.voided_at().is_some() {
        return Vec::new();
    }
    let with = |cards: usize| {
        view.playing().iter().copied().filter(move |hand| view.dealt(*hand).len() == cards && !view.is_split(*hand))
    };
    let bank = view.dealt(Place::Bank).is_empty().then_some(Place::Bank);
    let has_undue = |place: Place| view.lying(place).iter().any(|draw| !view.counts(*draw));
    let is_gone = |found: &Finding, place: Place| found.what.effect == Effect::Lost && found.what.place == Some(place);
    let is_taken = |place: Place| view.found().any(|found| is_gone(found, place));
    let is_out = |place: Place| has_undue(place) || is_taken(place) || view.is_ruled_lost(place);
    let left = with(0).chain(with(1)).chain(bank).filter(|place| !is_out(*place));
    left.map(|place| Found::at(place).demands([Part::Rule])).collect()
}

fn not_his_choice(view: &View) -> Vec<Found> {
    let (by, bettor) = (view.event().by.as_deref(), bettor(view, target(view)));
    let is_anothers = by.is_some() && bettor.is_some() && by != bettor;
    found_if(is_anothers, Found::at(target(view)).with(Effect::Ignored).demands([Part::Rule]))
}

/// The choices that were open to a box and that the banker did not announce, at its first decision or card.
fn not_announced(view: &View) -> Vec<Found> {
    let (event, hand) = (view.event(), target(view));
    let is_card = event.kind == Kind::Draw && !view.is_claimed();
    let is_about = is_card || event.kind == Kind::Decide && event.word != "decline";
    if !is_about || view.is_ignored(view.now) || !is_delivered(view) || !view.plays(hand) || view.cards(hand).is_none()
    {
        return Vec::new();
    }
    let last = view.dealt(hand).last().copied().unwrap_or(0);
    let is_asked = |what: &str| view.since(last, |event| event.says(Kind::Ask, hand, what));
    // that it may be split again was announced with the first pair of the hand
    let is_split_asked = view.is_split(hand) && view.has(|event| event.says(Kind::Ask, hand, "split"));
    let is_insurable = !view.is_split(hand)
        && view.dealt(hand).len() == 2
        && bank_shows_ace(view)
        && !has_card_of_play(&view.at(last))
        && !view.dealt(Place::Bank).first().is_some_and(|draw| play_began(&view.at(*draw)))
        && view.house.is("insurance_when", "before_play");
    // announced when it can be laid no more it was not announced
    let is_in_time = |at: usize| view.events[at].says(Kind::Ask, hand, "insurance") && may_be_insured(&view.at(at));
    let is_insurance_asked = (last..view.now).any(is_in_time);
    // who may give a hand up, and does, plays no further
    let gives_up = event.word == "surrender" && !view.house.is("surrender", "never");
    let is_play = is_card || is_play(view, view.now) && !gives_up;
    let is_left = is_play && may_double(view, hand) && !is_asked("double")
        || is_play && may_split(view, hand) && !is_asked("split") && !is_split_asked
        || is_insurable && !is_insurance_asked && view.on_spot(hand, "insurance") == 0;
    let is_silent = |found: &Finding| found.what.remedy.is_empty() && found.what.place == Some(hand);
    let is_told = view.found().any(|found| found.what.provision == "G12" && is_silent(found));
    found_if(is_left && !is_told, Found::at(hand))
}

/// Each earlier hand that is unfinished while a later one is asked, decides or gets a card.
fn out_of_turn(view: &View) -> Vec<Found> {
    let hand = target(view);
    if !is_playing(view) || !is_delivered(view) || !view.plays(hand) {
        return Vec::new();
    }
    let is_left = |other: &Place| {
        // of a pair just opened the first hand alone
        let is_begun = view.dealt(*other).len() >= 2 || turn(view) == Some(*other);
        let is_waiting = is_unfinished(view, *other) || view.waits_for_double(*other);
        is_begun && is_waiting && !view.is_found("G8", *other)
    };
    view.playing().iter().copied().take_while(|other| *other != hand).filter(is_left).map(Found::at).collect()
}

/// A card asked for by, or offered to, a hand that gets no more.
fn card_not_to_be_had(view: &View) -> Vec<Found> {
    let (event, hand) = (view.event(), target(view));
    let is_choice = event.kind == Kind::Decide && ["hit", "double"].contains(&event.word.as_str());
    let is_about = is_choice || event.kind == Kind::Ask && event.word == "card";
    if !is_about || view.is_ignored(view.now) || !view.plays(hand) {
        return Vec::new();
    }
    let is_out = view.is_over(hand) || view.cards(hand).is_some() && view.is_blackjack(hand);
    let is_named = view.findings.iter().any(|found| found.at == view.now);
    let barred = [
        ("G12", view.asks_beyond_double(hand)),
        ("G14", event.word != "double" && view.is_served_ace(hand)),
        ("G0", event.word == "hit" && is_out && !is_named),
    ];
    let found = |provision: &str| {
        let rule = (provision == "G0").then_some(Part::Rule);
        Found { provision: provision.to_owned(), ..Found::at(hand).with(Effect::Ignored).demands(rule) }
    };
    first_broken(&barred).map(found).into_iter().collect()
}

/// A bet settled, or a play ended, with the bank below 17.
pub(super) fn bank_stops_short(view: &View) -> Vec<Found> {
    let (event, hand) = (view.event(), target(view));
    let is_seen = view.cards(hand).is_some() && view.is_blackjack(hand);
    let is_open = view.hands().contains(&hand) && is_in_play(view, hand) && owed_now(view, hand, "main").is_none();
    // what is collected of a Black Jack depends on the bank
    let is_final = have_played(view) || event.kind == Kind::Collect;
    // a hand with a card that could not be read may be over 21
    let is_known = !view.is_unread(hand) && !is_lost(view, hand) && !view.is_ruled_lost(hand);
    let is_about = event.spot == "main" && is_open && is_known && (!is_seen || is_final);
    let draws_for = |hand| view.house.yes("bank_draws_against_blackjacks") || !view.is_blackjack(hand);
    let is_left =
        |hand: Place| is_in_play(view, hand) && !is_lost(view, hand) && owed_now(view, hand, "main").is_none();
    let is_end = event.kind == Kind::End && have_played(view) && !is_lost(view, Place::Bank);
    let is_found = is_about || is_end && view.playing().iter().copied().any(is_left);
    let is_needed = view.playing().iter().copied().any(|hand| is_in_play(view, hand) && draws_for(hand));
    let is_short =
        !view.dealt(Place::Bank).is_empty() && bank_is_low(view) && (is_needed || view.dealt(Place::Bank).len() < 2);
    let is_told = view.found().any(|found| found.what.provision == "G10" && found.what.effect == Effect::None);
    found_if(
        is_found && !view.is_unread(Place::Bank) && is_short && !is_told,
        Found::at(Place::Bank).demands([Part::Serve(Place::Bank)]),
    )
}

/// Who banks.
pub(super) fn banker<'a>(view: &View<'a>) -> Option<&'a str> {
    let is_turn = |event: &&Event| event.kind == Kind::Bank && event.word == "turn";
    view.events[..view.now].iter().rfind(is_turn).and_then(|event| event.player.as_deref())
}

/// Who bets on a box; the banker's bet is refused, and nobody's.
pub(super) fn bettor<'a>(view: &View<'a>, place: Place) -> Option<&'a str> {
    view.bettor(place).filter(|bettor| banker(view) != Some(*bettor))
}
