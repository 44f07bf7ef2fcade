//! `talla`: settlement, cards put away, and what the room decides.

use crate::facts::View;
use crate::facts::found::{Effect, Found, Part};
use crate::facts::house::Account;
use crate::houses::everywhere::{BOTH, above_most, nothing_moved, reported, wrong_money_by_now};
use crate::houses::talla::{has_first, have_played, is_discarded, is_short, is_unfinished, waiting};
use crate::log::{Event, Kind, Place};
use crate::money::owed;
use crate::rows::{MONEY, Row, difference, found_if, target};

const REPORTED: &[Kind] = &[Kind::Report, Kind::Device, Kind::Share, Kind::OfferCut, Kind::Choose, Kind::Consent];

pub(super) const ROWS: &[Row] = &[
    Row { provision: "", on: MONEY, needs: &["bets", "places", "hands"], find: |view| wrong_money_under(view, true) },
    Row { provision: "T-Q3", on: MONEY, needs: &["bets", "hands"], find: settled_out_of_order },
    Row {
        provision: "T0",
        on: MONEY,
        needs: &["bets", "places", "hands"],
        find: |view| wrong_money_under(view, false),
    },
    Row {
        provision: "",
        on: &[Kind::Draw, Kind::Reveal, Kind::Decide, Kind::Rule, Kind::End],
        needs: &["bets", "places", "hands"],
        find: |view| wrong_money_by_now(view, BOTH, owed, provision),
    },
    Row {
        provision: "T0",
        on: &[Kind::Pay, Kind::Draw, Kind::Reveal],
        needs: &["bets", "places", "hands"],
        find: |view| above_most(view, "T0", "T0"),
    },
    Row { provision: "T-S7", on: &[Kind::Draw], needs: &["bets", "hands"], find: insurance_left },
    Row { provision: "T0", on: &[Kind::Move], needs: &["moves", "hands"], find: put_away },
    Row { provision: "T0", on: &[Kind::End], needs: &["bets", "places", "hands"], find: ended_early },
    Row {
        provision: "",
        on: &[Kind::End],
        needs: &["bets", "places", "hands"],
        find: |view| nothing_moved(view, BOTH, provision),
    },
    Row { provision: "T0", on: REPORTED, needs: &[], find: reported },
];

/// The provision of a wrong payment, or of none at all.
fn provision(view: &View, hand: Place, _: &str, account: &Account, done: i64) -> String {
    let is_insured = account.outcome == "push" && view.on_spot(hand, "insurance") > 0 && view.is_blackjack(hand);
    let is_bank_blackjack = view.is_blackjack(Place::Bank) && account.outcome == "lose";
    let bank_has_21 = view.turned_total(Place::Bank) == Some(21);
    match account.by {
        "T-B4" if is_insured => "T-S10",
        "T-B4" | "T-B3" if done < 0 && is_bank_blackjack => "T-B2",
        "T-B4" if done > 0 && is_bank_blackjack => "T-B3",
        "T-B2" | "T-B8" if done < 0 && bank_has_21 => "T-B4",
        "T-B2" | "T-B8" if done < 0 => "T0",
        "T-Q6" if done < 0 => "T0",
        "T-Q9" | "T-Q1" => "T0",
        by => by,
    }
    .to_owned()
}

/// Those under an article on Black Jacks come before the order of settling, the rest after it.
fn wrong_money_under(view: &View, is_blackjack: bool) -> Vec<Found> {
    let mut found = wrong_money(view);
    found.retain(|found| found.provision.starts_with("T-B") == is_blackjack);
    found
}

/// What an event of money comes to, once it is decided what the spot is owed.
fn wrong_money(view: &View) -> Vec<Found> {
    let (event, hand) = (view.event(), target(view));
    let spot = if event.spot == "insurance" { "insurance" } else { "main" };
    let then = view.then();
    let done = then.done(hand, spot);
    let is_bet = |event: &Event| event.is(Kind::Bet, hand) && event.spot == "main" && event.number > 0;
    let has_bet = view.has(is_bet) || view.hands().contains(&hand);
    let is_out = is_discarded(view, hand) || view.surrendered(hand).is_some() || view.is_ruled_lost(hand);
    let is_bare = is_short(view, hand) && !is_out || view.stake(hand) == 0 && waiting(view).is_empty();
    let is_stopped = view.findings.iter().any(|found| found.at == view.now && found.what.provision == "T-Q8");
    let is_nothing_owed = spot == "main" && has_bet && is_bare && !is_stopped;
    let nothing = Account::new("unknown", 0, 0, "T0");
    let account = if is_nothing_owed { Some(nothing) } else { owed(view, hand, spot) };
    let Some(account) = account else { return early(view, hand, spot) };
    if event.number == 0 || done == account.owed() || view.is_money_open(hand) {
        return Vec::new();
    }
    let provision = provision(&then, hand, spot, &account, done);
    vec![Found { provision, ..difference(hand, spot, account.owed(), done) }]
}

/// Money moved where nothing is decided yet, or nothing was bet.
fn early(view: &View, hand: Place, spot: &str) -> Vec<Found> {
    let is_insurance = spot == "insurance" && view.on_spot(hand, "insurance") > 0;
    if is_insurance {
        let is_told = view.found().any(|found| {
            let is_so = found.what.provision == "T-S7" && found.what.place == Some(hand);
            is_so && MONEY.contains(&view.events[found.at].kind)
        });
        let is_early = view.dealt(Place::Bank).len() < 2 && !is_told;
        return found_if(is_early, Found { provision: "T-S7".to_owned(), ..Found::at(hand) });
    }
    let is_open = spot == "main" && has_first(view) && view.hands().contains(&hand) && view.is_at_stake(hand);
    found_if(!is_open && !view.puts_back() && !is_discarded(view, hand), Found::at(hand).demands([Part::Rule]))
}

/// Insurances are settled on the bank's second card, before its third.
fn insurance_left(view: &View) -> Vec<Found> {
    let is_third = target(view) == Place::Bank && view.dealt(Place::Bank).len() == 2;
    let is_left = |hand: &Place| {
        view.on_spot(*hand, "insurance") > 0
            && view.done(*hand, "insurance") == 0
            && owed(view, *hand, "insurance").is_some_and(|account| account.owed() != 0)
    };
    let left = view.hands().iter().copied().filter(|_| is_third).filter(is_left);
    left.map(Found::at).collect()
}

fn settled_out_of_order(view: &View) -> Vec<Found> {
    let (event, hand) = (view.event(), target(view));
    let is_told =
        view.found().any(|found| found.what.provision == "T-Q3" && MONEY.contains(&view.events[found.at].kind));
    let is_judged = event.spot == "main" && !view.house.yes("losers_first") && !view.gives_back();
    let sign = if event.kind == Kind::Pay { 1 } else { -1 };
    // who is paid and is owed nothing, or collected and does not lose, takes nobody's turn
    let is_due = owed(view, hand, "main").is_none_or(|account| account.owed().signum() == sign);
    if !is_judged || !is_due || is_told || !have_played(view) || !view.bank_is_final() || !view.hands().contains(&hand)
    {
        return Vec::new();
    }
    let is_left = |other: &Place| {
        let owes = owed(view, *other, "main").is_some_and(|account| account.owed() != 0);
        owes && view.settled_at(*other).is_none()
    };
    let before = view.hands().iter().copied().take_while(|other| *other != hand);
    let left = before.filter(is_left).take(1);
    left.map(Found::at).collect()
}

/// Whether a hand has its chips, or is owed none.
fn is_settled(view: &View, hand: Place) -> bool {
    let is_even = || owed(view, hand, "main").is_some_and(|account| account.owed() == 0);
    let is_unseen = || !view.sees("bets") && !is_unfinished(view, hand);
    view.moved(hand, "main").next().is_some() || is_even() || is_unseen() || is_let_go(view, hand)
}

/// A hand that lacks its cards and that the room has the pass go on without.
fn is_let_go(view: &View, hand: Place) -> bool {
    is_short(view, hand) && view.found().any(|found| found.what.place == Some(hand) && found.goes_on())
}

/// Whether cards that go to the discard tray now are cleared: every bet is settled, or play is over and settling goes
/// on, or there is nothing left to play.
fn clears(view: &View) -> bool {
    let playing = view.playing().to_vec();
    let settles = |at: usize| {
        let event = &view.events[at];
        let is_open = |hand| view.at(at).playing().contains(&hand) && view.at(at).is_at_stake(hand);
        MONEY.contains(&event.kind) && event.spot == "main" && event.place.is_some_and(is_open)
    };
    let is_taken = |hand: &Place| !view.lying(*hand).is_empty() && view.moved(*hand, "main").next().is_some();
    let is_defined = view.bank_is_final() || playing.iter().any(is_taken);
    let is_waiting = |hand: &Place| is_unfinished(view, *hand) && view.moved(*hand, "main").next().is_none();
    let nobody_is_left = !playing.iter().any(|hand| view.is_at_stake(*hand));
    playing.iter().all(|hand| is_settled(view, *hand))
        || !playing.iter().any(is_waiting) && is_defined && view.pass().any(settles)
        || have_played(view) && (view.bank_is_final() || nobody_is_left)
}

/// Whether the clearing has begun.
fn has_cleared(view: &View) -> bool {
    let is_cleared = |at: usize| view.events[at].kind == Kind::Move && view.events[at].to == Some(Place::Discard);
    view.pass().any(|at| is_cleared(at) && clears(&view.at(at)))
}

/// Cards put away before the clearing, or elsewhere than to the discard tray though nothing asks for it.
fn put_away(view: &View) -> Vec<Found> {
    let (place, to) = (target(view), view.event().to);
    let is_asked = |part: &Part| to == Some(Place::Burn) && matches!(part, Part::Burn(from, _) if *from == place);
    let is_remedy = view.found().any(|found| found.is_open() && found.missing(view).iter().any(is_asked));
    // what the room has to decide about may be burned meanwhile
    let is_good = view.taken().iter().any(|draw| view.counts(*draw));
    if is_remedy || view.lying(place).is_empty() || !is_good {
        return Vec::new();
    }
    let is_astray = to != Some(Place::Discard);
    let is_hand = place.number().is_some() && view.plays(place);
    let is_open = place == Place::Bank || is_hand && !is_settled(view, place);
    let is_early = is_open && !has_cleared(view) && !clears(view);
    let effect = if is_early || is_astray && is_open && place != Place::Bank { Effect::Lost } else { Effect::None };
    found_if(is_early || is_astray, Found::at(place).with(effect).demands([Part::Rule]))
}

/// A pass that ends in its delivery, or with hands in play against a bank without its two cards.
fn ended_early(view: &View) -> Vec<Found> {
    if !view.has(|event| event.kind == Kind::Bet) {
        return vec![Found::new().demands([Part::Rule])];
    }
    let is_left = view.playing().iter().copied().any(|hand| view.is_at_stake(hand) && !is_let_go(view, hand));
    let is_undefined = !waiting(view).is_empty() || view.dealt(Place::Bank).len() < 2;
    let is_dealt = view.has(|event| event.kind == Kind::Draw);
    found_if(is_dealt && is_left && is_undefined && !has_cleared(view), Found::new().demands([Part::Rule]))
}
