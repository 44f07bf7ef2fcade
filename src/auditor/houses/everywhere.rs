//! Clauses that the houses share: decks, chips of a double, equipment, and what no row provides for.

use crate::facts::found::{Effect, Finding, Found, Part, Severity};
use crate::facts::house::Account;
use crate::facts::sight::{devices, has_sights};
use crate::facts::{Memo, View};
use crate::log::{Event, Kind, Place};
use crate::money::{account, accounted, most};
use crate::rows::{MONEY, Row, difference, found_if, reached, target};

/// What every house leaves to the room, under its article for what is not provided for.
pub(super) const ROWS: &[Row] = &[
    Row { provision: "", on: &[Kind::Draw], needs: &[], find: unread },
    Row { provision: "", on: &[Kind::Draw], needs: &[], find: still_blind },
    Row { provision: "", on: &[Kind::Rule], needs: &[], find: ruled_in_vain },
    // a correction that may be made is none of the events
    Row { provision: "", on: &[Kind::Correct], needs: &[], find: |_| vec![Found::new().notice()] },
];

/// Whether a load is of what was shuffled for it.
pub(super) fn loads_what_was_shuffled(view: &View) -> bool {
    view.event().kind == Kind::Load && shuffle(view).is_some_and(|shuffled| shuffled.number == view.event().number)
}

/// The shuffle of the shoe that is being loaded.
pub(super) fn shuffle<'a>(view: &View<'a>) -> Option<&'a Event> {
    let from = view.loaded().map_or(0, |at| at + 1);
    view.events[from..view.now].iter().rfind(|event| event.kind == Kind::Shuffle)
}

/// Cards that have been seen as often as there are decks.
pub(super) fn once_too_often(view: &View) -> Vec<Found> {
    let completes = |at: usize| view.house.has("G21") && view.at(at).is_dealing();
    let is_fresh = |at: &usize| view.events[*at].kind == Kind::Load && !completes(*at);
    let Some(fresh) = (0..view.now).rfind(is_fresh) else { return Vec::new() };
    let (loaded, last) = (fresh, view.loaded().unwrap_or(fresh));
    // what was put back, or retired and shuffled again, may come out again
    let is_back = |draw: usize| {
        let end = (draw..view.now).find(|at| view.events[*at].kind == Kind::End).unwrap_or(view.now);
        let until = end.min(if draw < last { last.max(draw + 1) } else { end });
        view.at(end).is_gone(draw, Place::Shoe) || last > fresh && view.at(until).is_gone(draw, Place::Discard)
    };
    let then = view.then();
    let shown = match view.event().kind {
        Kind::Draw => vec![view.now],
        _ => view.dealt(target(view)).iter().copied().filter(|draw| view.is_covered(*draw)).collect(),
    };
    let is_too_often = |draw: &usize| {
        let Some(card) = then.card(*draw).filter(|_| !then.is_covered(*draw)) else { return false };
        let is_copy = |at: &usize| view.events[*at].kind == Kind::Draw && view.card(*at) == Some(card);
        let others = (fresh..view.now).filter(is_copy).filter(|at| at != draw && !view.is_covered(*at));
        let seen = others.filter(|at| !is_back(*at)).count();
        let shuffled = view.events[..loaded].iter().rfind(|event| event.kind == Kind::Shuffle);
        let loaded = view.events[loaded].number / 52;
        seen as u64 >= shuffled.map_or(loaded, |event| loaded.max(event.decks).max(event.number / 52))
    };
    // what is found at a draw names that card in any case
    let turned = |draw: usize| then.card(draw).filter(|_| view.event().kind == Kind::Reveal);
    let found = |draw| Found {
        cards: turned(draw).into_iter().collect(),
        ..Found::at(target(view)).integrity().demands([Part::Rule])
    };
    shown.into_iter().filter(is_too_often).map(found).collect()
}

/// Another player than the bettor of the box chooses for it.
pub(super) fn not_his_choice(view: &View) -> Vec<Found> {
    let (by, bettor) = (view.event().by.as_deref(), view.bettor(target(view)));
    let is_anothers = by.is_some() && bettor.is_some() && by != bettor;
    found_if(is_anothers, Found::at(target(view)).with(Effect::Ignored))
}

/// Doubled hands whose card is drawn, or the next hand's turn begun, before the chips lie there.
pub(super) fn doubled_without_chips(view: &View, plays_later: fn(&View, Place) -> bool) -> Vec<Found> {
    // a stranger's chips are none of the double's (D3)
    let is_told = |hand: Place| {
        let returns = |part: &Part| matches!(part, Part::ReturnBet(place, "double", ..) if *place == hand);
        view.found().any(|found| found.what.remedy.iter().any(returns) && found.what.provision != "D3")
    };
    let is_late = |hand: &Place| {
        view.is_doubled(*hand)
            && view.dealt(*hand).len() == 2
            && view.on_spot(*hand, "double") == 0
            && !is_told(*hand)
            && (view.event().is(Kind::Draw, *hand) || plays_later(view, *hand))
    };
    let late = view.playing().iter().copied().filter(is_late);
    let found = |hand| Found::at(hand).demands([Part::ReturnBet(hand, "double", 0, 0)]);
    late.map(|hand| Found { refuses: Some((hand, "double")), ..found(hand) }).collect()
}

/// The first of these provisions that is broken.
pub(super) fn first_broken<'a>(clauses: &[(&'a str, bool)]) -> Option<&'a str> {
    clauses.iter().find(|(_, is_broken)| *is_broken).map(|(provision, _)| *provision)
}

/// Whether the bank's first card is an ace.
pub(super) fn bank_shows_ace(view: &View) -> bool {
    let first = view.dealt(Place::Bank).first().filter(|draw| !view.is_covered(**draw));
    first.and_then(|draw| view.card(*draw)).is_some_and(|card| card.rank == 1)
}

/// What was paid above the most that a hand could be owed whose account nobody can know, by the provision of a
/// winner's, or of a loser's, payment.
pub(super) fn above_most(view: &View, winner: &str, loser: &str) -> Vec<Found> {
    let (event, then) = (view.event(), view.then());
    let concerns = |hand: &Place| match MONEY.contains(&event.kind) {
        true => event.place == Some(*hand) && event.spot == "main",
        false => view.done(*hand, "main") > 0,
    };
    let judged = |hand: Place| {
        let is_known = !then.is_unread(hand) && !then.is_unread(Place::Bank);
        if is_known || view.is_void(hand) || view.is_money_open(hand) {
            return None;
        }
        let (most, done) = (i64::try_from(most(&then, hand)).unwrap_or(i64::MAX), then.done(hand, "main"));
        let provision = if most == 0 { loser } else { winner }.to_owned();
        (done > most).then(|| Found { provision, is_at_most: true, ..difference(hand, "main", most, done) })
    };
    view.hands().iter().copied().filter(concerns).filter_map(judged).collect()
}

/// What a person or the equipment tells, under the article for what is not provided for.
pub(super) fn reported(view: &View) -> Vec<Found> {
    let event = view.event();
    let told = Found { place: event.place, note: event.note.clone(), ..Found::new() };
    match (event.kind, event.provision.as_deref()) {
        (Kind::Report, Some(named)) if named != view.house.silent && view.house.has(named) => {
            vec![Found { provision: named.to_owned(), ..told.notice() }]
        }
        (Kind::Device, _) => equipment(view),
        _ => vec![told.demands([Part::Rule])],
    }
}

fn equipment(view: &View) -> Vec<Found> {
    let event = view.event();
    let Some(device) = event.device.clone() else { return Vec::new() };
    let is_forgery = ["tamper", "forged", "unpaired", "swapped", "downgraded", "withheld", "checkpoint_back"]
        .contains(&event.word.as_str());
    let opened = ["door_open", "lid_open"].contains(&event.word.as_str());
    let last = |kind: Kind| (0..view.now).rev().find(|&at| view.events[at].kind == kind);
    let guarded = match device.as_str() {
        "shoe" => last(Kind::Load).or_else(|| last(Kind::Draw)) > last(Kind::Shuffle),
        "shuffler" => {
            let is_sign = |event: &Event| match event.kind {
                Kind::Authorize => event.word == "shuffle",
                _ => event.device.as_deref() == Some("shuffler") && event.word == "started",
            };
            (0..view.now).rev().find(|&at| is_sign(&view.events[at])) > last(Kind::Shuffle)
        }
        _ => false,
    };
    let is_told = view.findings.iter().any(|found| {
        let event = &view.events[found.at];
        found.is_open() && event.device.as_ref() == Some(&device) && event.word == view.event().word
    });
    let found = |severity| Found { device: Some(device.clone()), severity, ..Found::new() };
    if event.blinds() {
        let is_new = has_sights(&device) && !view.is_blind(&device);
        return found_if(is_new, found(Severity::Integrity));
    }
    match event.word.as_str() {
        "jam" | "read_error" => vec![found(Severity::Notice)],
        "composition" if device == "shoe" => {
            vec![Found { note: event.note.clone(), ..found(Severity::Integrity).demands([Part::Rule]) }]
        }
        "chip_unknown" | "chip_cancelled" | "chip_doubled" | "chip_value" | "card_unknown" | "card_cancelled"
        | "card_doubled"
            if device == "chips" =>
        {
            let place = event.note.as_deref().and_then(|note| Place::parse(note.split(' ').next()?));
            vec![Found { place, ..found(Severity::Integrity).demands([Part::Rule]) }]
        }
        _ if (is_forgery || opened && guarded) && !is_told => vec![found(Severity::Integrity).demands([Part::Rule])],
        _ => Vec::new(),
    }
}

/// At the first card of each further pass that a device misses something of.
fn still_blind(view: &View) -> Vec<Found> {
    let is_first = !view.has(|event| event.kind == Kind::Draw);
    let is_told = |device: &str| view.found().any(|found| found.what.device.as_deref() == Some(device));
    let blind = devices().filter(|device| is_first && view.is_blind(device) && !is_told(device));
    blind.map(|device| Found { device: Some(device.to_owned()), ..Found::new().integrity() }).collect()
}

/// Whether somebody rules about an earlier play when the next has begun, which the house names by itself (G25).
pub(super) fn is_claim(view: &View) -> bool {
    let named = view.event().finding.and_then(|n| view.findings.iter().find(|finding| finding.n == n));
    let is_earlier = named.is_some_and(|finding| finding.at < view.pass().start);
    view.house.has("G25") && is_earlier && view.is_dealing()
}

/// A ruling that reaches nothing.
fn ruled_in_vain(view: &View) -> Vec<Found> {
    let named = view.event().finding.and_then(|n| view.findings.iter().find(|finding| finding.n == n));
    let is_bare = named.is_some_and(|finding| finding.what.remedy.is_empty() && finding.ruled.is_none());
    let may = view.house.list("may_rule").contains(&view.event().role);
    let has_ruled = view.findings.iter().any(|found| found.ruled.as_ref().is_some_and(|(_, at)| *at == view.now));
    let reaches = may && (is_bare || reached(view).is_some());
    found_if(!has_ruled && !reaches && !is_claim(view), Found::new().notice())
}

/// A card that could not be read.
fn unread(view: &View) -> Vec<Found> {
    let place = target(view);
    let is_unread = view.event().card.is_some_and(|card| card.rank == 0);
    let is_undue = view.findings.iter().any(|found| found.at == view.now && found.what.hides_cards());
    found_if(is_unread && !is_undue, Found::at(place).notice().demands([Part::Identify(place)]))
}

/// What no row above names: chips or cards of a bet that is not there, a choice that nobody has, cards taken elsewhere.
pub(super) fn not_provided_for(view: &View) -> Vec<Found> {
    let (event, place) = (view.event(), target(view));
    let is_named = view.findings.iter().any(|found| found.at == view.now);
    let is_bare = view.lying(place).iter().all(|draw| !view.counts(*draw)) && !view.is_void(place);
    let is_unforeseen = match event.kind {
        Kind::Decide => {
            let is_surrender = event.word == "surrender" && view.house.is("surrender", "never");
            is_surrender || event.word == "even_money" && !view.house.yes("even_money") || is_bare
        }
        Kind::Pay | Kind::Collect => {
            let is_dealt = view.has(|event| event.kind == Kind::Draw);
            let is_open = view.is_money_open(place);
            let is_bet = is_open
                || match event.spot.as_str() {
                    "main" => view.hands().contains(&place),
                    spot => view.on_spot(place, spot) > 0,
                };
            !is_dealt || !is_bet
        }
        Kind::Choose => !view.is_offered(view.now),
        Kind::Reveal => {
            let names = view.then().names().any(|(_, at)| at == view.now);
            place.number().is_some() && view.lying(place).is_empty() || !names && is_another_card(view, place)
        }
        Kind::Move => match event.to {
            Some(Place::Discard) => false,
            Some(Place::Burn) => burns_good_cards(view, place),
            Some(Place::Shoe) => view.taken().iter().any(|draw| !is_put_back(view, *draw)),
            _ => !view.taken().is_empty(),
        },
        _ => !view.has(|event| event.kind == Kind::Bet),
    };
    let about = if event.kind == Kind::End { Found::new() } else { Found::at(place) };
    let effect = if event.kind == Kind::Decide { Effect::Ignored } else { Effect::None };
    found_if(is_unforeseen && !is_named, about.with(effect).demands([Part::Rule]))
}

/// Whether cards lie covered, and the one that is named is none of them.
fn is_another_card(view: &View, place: Place) -> bool {
    let mut covered = view.lying(place).iter().filter(|draw| view.is_covered(**draw)).peekable();
    let is_other = |card| move |draw: &usize| view.card(*draw).is_some_and(|covered| covered != card);
    view.event().card.is_some_and(|card| covered.peek().is_some() && covered.all(is_other(card)))
}

/// Whether a finding asks for a card to be put back.
pub(super) fn is_put_back(view: &View, draw: usize) -> bool {
    let puts = |part: &Part| matches!(part, Part::PutBack(_, cards) if cards.contains(&draw));
    view.found().filter(|found| found.is_open()).any(|found| found.missing(view).iter().any(puts))
}

/// Whether cards that count are burned and nothing asks for it.
fn burns_good_cards(view: &View, place: Place) -> bool {
    // what was to be burned may be burned though the pass is void, or the room has done with the bet
    let is_ruled = |found: &Finding| found.ruled.is_some() && !found.stands();
    let asks = |found: &&Finding| found.is_open() || is_ruled(found) || view.voided_at().is_some();
    let asked: Vec<Part> = view.found().filter(asks).flat_map(|found| found.missing(view)).collect();
    let is_asked = |draw: &usize| {
        let burns = |part: &Part| matches!(part, Part::Burn(_, cards) if cards.contains(draw));
        asked.iter().any(burns) || asked.contains(&Part::AskConsent(place))
    };
    // he with one card may have refused the other unheard, and what was to be burned for it may be burned late
    let agrees = view.has(|event| event.is(Kind::Consent, place) && event.yes);
    let may_be_refused = view.is_found("C4", place) && view.dealt(place).len() == 1 && !agrees;
    !may_be_refused && view.taken().iter().any(|draw| view.dealt(place).contains(draw) && !is_asked(draw))
}

/// A total announced that is not the one of the cards.
pub(super) fn wrong_total(view: &View) -> Vec<Found> {
    view.wrongly_announced().map(Found::at).into_iter().collect()
}

/// A hand's bet and its insurance.
pub(super) const BOTH: &[&str] = &["main", "insurance"];

/// The provision of a wrong payment for a spot, or of none at all: from what it was owed and what was done.
pub(super) type Provision = fn(&View, Place, &str, &Account, i64) -> String;

/// What a spot is owed by now, if that is decided.
pub(super) type Owed = fn(&View, Place, &str) -> Option<Account>;

/// At the end, what spots were owed and nothing was moved for.
pub(super) fn nothing_moved(view: &View, spots: &[&str], provision: Provision) -> Vec<Found> {
    let due = |hand: Place, spot: &str| {
        let account = account(view, hand, spot, true).filter(|account| account.outcome != "unknown")?;
        let is_main = spot == "main";
        let is_moved = is_main && view.settled_at(hand).is_some() || view.done(hand, spot) != 0;
        let is_collected = is_main && view.is_over(hand) && view.chips(hand, "main") == 0;
        let found = || Found {
            provision: provision(view, hand, spot, &account, 0),
            money: Some((account.owed(), 0)),
            ..Found::at(hand)
        };
        (account.owed() != 0 && !is_moved && !is_collected).then(found)
    };
    let mut hands = view.hands().to_vec();
    hands.extend(accounted(view).into_iter().filter(|hand| !view.hands().contains(hand)));
    hands.into_iter().flat_map(|hand| spots.iter().filter_map(move |spot| due(hand, spot))).collect()
}

/// Whether the ruling now changes what a hand was owed, or loses a bet of which a wrong amount was moved; one that
/// voids the whole pass leaves nothing due.
pub(super) fn is_ruled_otherwise(view: &View, hand: Place, owed: Owed) -> bool {
    let is_ruled = |found: &Finding| found.ruled.as_ref().is_some_and(|(_, at)| *at == view.now);
    let mut ruled = view.found().filter(|found| is_ruled(found)).peekable();
    if view.event().kind != Kind::Rule || view.then().voided_at().is_some() || ruled.peek().is_none() {
        return false;
    }
    let mut findings = view.findings.to_vec();
    findings.iter_mut().filter(|found| is_ruled(found)).for_each(|found| found.ruled = None);
    let memo = Memo::default();
    let was = View::new(view.house, view.header, view.events, view.now, &findings, &memo);
    let owed = |view: &View| owed(view, hand, "main").map(|account| account.owed());
    let is_about_money = |found: &Finding| found.what.place == Some(hand) && found.what.money.is_some();
    owed(&was) != owed(&view.then()) || view.event().word == "lose" && ruled.any(is_about_money)
}

/// Money moved for a spot before it was decided what it was owed, at the event that decides it.
pub(super) fn wrong_money_by_now(view: &View, spots: &[&'static str], owed: Owed, provision: Provision) -> Vec<Found> {
    let is_end = view.event().kind == Kind::End;
    let then = if is_end { view.at(view.now) } else { view.then() };
    let known = |view: &View, hand, spot| owed(view, hand, spot).filter(|account| account.outcome != "unknown");
    let judged = |hand: Place, spot: &'static str| {
        let account = if is_end { account(&then, hand, spot, true) } else { known(&then, hand, spot) }?;
        let done = then.done(hand, spot);
        let was_open = then.moved(hand, spot).next().is_some() && known(view, hand, spot).is_none();
        let is_ruled = || spot == "main" && is_ruled_otherwise(view, hand, owed);
        let is_wrong = done != 0 && (was_open || is_ruled()) && account.outcome != "unknown" && done != account.owed();
        let provision = || provision(&then, hand, spot, &account, done);
        (is_wrong && !view.is_money_open(hand))
            .then(|| Found { provision: provision(), ..difference(hand, spot, account.owed(), done) })
    };
    let judged = &judged;
    view.hands().iter().flat_map(|hand| spots.iter().filter_map(move |spot| judged(*hand, spot))).collect()
}

/// Whether chips on that spot are refused already, and still lie there.
pub(super) fn is_refused(view: &View, spot: &str) -> bool {
    let place = view.event().place;
    let returns = |part: &Part| matches!(part, Part::ReturnBet(at, on, ..) if Some(*at) == place && *on == spot);
    view.found().any(|found| found.is_open() && found.what.remedy.iter().any(returns))
}
