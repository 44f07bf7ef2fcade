//! What nobody sees and must have happened before an event: it is put into the history as a fact, and nothing is found
//! at it.

use crate::facts::View;
use crate::facts::found::Part;
use crate::facts::house::Account;
use crate::log::{Event, Kind, MISTAKE, Place};
use crate::money::{chips_of, owed};

/// More events than this are never missing before one: every hand of every box may have stood.
pub const MOST: usize = 7 * 8 * 2;

/// What a draw says of which it was told since that a bettor asked for its card, or had opened his pair before it,
/// where chips are not seen.
pub const WAYS: [&str; 2] = ["split", "hit"];

/// The first event that is missing before the one that happens.
pub fn before(view: &View) -> Option<Event> {
    if view.event().word == MISTAKE {
        return None;
    }
    let missing = |sight: &str, find: fn(&View) -> Option<Event>| (!view.sees(sight)).then(|| find(view)).flatten();
    is_another_pass(view)
        .then(|| event(view, Kind::End, Place::Shoe, UNSEEN))
        .or_else(|| missing("bets", bet))
        .or_else(|| missing("decisions", choice))
        .or_else(|| missing("turns", turn))
        .or_else(|| missing("moves", clearing))
        .or_else(|| missing("decisions", ace))
        .or_else(|| missing("decisions", ace_over))
}

/// Whether another pass begins though nobody told that this one was over: with the first bet after a load, where all
/// of it was settled by then.
fn is_another_pass(view: &View) -> bool {
    let happens = view.event();
    let is_bet = happens.kind == Kind::Bet && happens.spot == "main" && happens.number > 0;
    let begins = is_bet && happens.place.is_some_and(|place| place == place.first_hand());
    begins && view.pass().any(|at| view.events[at].kind == Kind::Load && is_settled_up(&view.at(at)))
}

/// Whether everybody has played, and every bet was given what it was owed.
fn is_settled_up(view: &View) -> bool {
    // chips that nobody sees are given once all have played
    let is_unseen = !view.house.sees("bets");
    let is_given = |hand: &Place| {
        let given = |spot| owed(view, *hand, spot).is_none_or(|account| account.owed() == view.done(*hand, spot));
        let is_owed = view.is_void(*hand) || owed(view, *hand, "main").is_some();
        is_unseen || view.is_money_open(*hand) || is_owed && given("main") && given("insurance")
    };
    let is_voided = view.voided_at().is_some();
    view.has(|event| event.kind == Kind::Draw)
        && (is_voided || is_finished(view) && (view.house.plan.due)(view).is_none())
        && view.hands().iter().all(is_given)
}

/// An event at the line of the one that happens.
fn event(view: &View, kind: Kind, place: Place, word: &str) -> Event {
    Event { word: word.to_owned(), ..Event::new(view.event().line, kind, place) }
}

/// What a bet, or an end, that nobody saw says.
pub const UNSEEN: &str = "unseen";

/// Chips that nobody saw, so many stakes of their box.
fn chips(view: &View, hand: Place, spot: &str, many: u64) -> Event {
    let number = many * view.stake(hand.first_hand()).max(1);
    Event { spot: spot.to_owned(), number, ..event(view, Kind::Bet, hand, if spot == "main" { UNSEEN } else { "" }) }
}

/// Who gets a card in the first delivery plays; who doubled or split has laid chips for it.
fn bet(view: &View) -> Option<Event> {
    let has_two = |hand: &Place| view.dealt(*hand).len() >= 2;
    let is_first = |place: Place| {
        // where a box may get two cards running, one that comes after all that have cards may still get its first
        let is_last = || {
            !view.house.yes("strict_rounds") && view.hands().iter().all(|hand| view.order(*hand) < view.order(place))
        };
        view.dealt(Place::Bank).is_empty() && (!view.hands().iter().any(has_two) || is_last())
    };
    let place = view.event().place.filter(|place| view.event().kind == Kind::Draw && *place == place.first_hand());
    let plays = place.filter(|place| place.number().is_some() && view.chips(*place, "main") == 0 && is_first(*place));
    let way = if view.event().kind == Kind::Draw { view.event().word.as_str() } else { "" };
    let is_pair = |hand: &Place| view.may_be_opened(*hand) && view.dealt(*hand).len() == 2;
    let is_turn = |hand: &Place| view.turn() == Some(*hand) && view.is_dealt();
    if let Some(pair) = view.event().place.filter(|hand| way == "split" && is_turn(hand) && is_pair(hand)) {
        return Some(chips(view, pair, "split", view.opened_beside(pair) as u64 + 1));
    }
    let opened = |hand: &Place| {
        view.chips(*hand, "split") < view.opened_beside(*hand) as u64 * view.stake(hand.first_hand()).max(1)
    };
    let doubled = |hand: &Place| view.is_doubled(*hand) && view.chips(*hand, "double") == 0;
    // a card that nobody asked for in words, for the hand whose turn it is, as a double's lies
    let is_doubling = |hand: &Place| {
        let lies = view.event().face_down.is_none_or(|is_down| is_down == view.house.is("double_card", "down"));
        let is_next = view.event().is(Kind::Draw, *hand) && view.turn() == Some(*hand) && view.is_dealt();
        view.sees("decisions")
            && way.is_empty()
            && is_next
            && lies
            && !view.awaits_card(*hand)
            && view.may_be_doubled(*hand) == Some(true)
    };
    let asked = view.event().place.filter(|hand| way == "hit" && !view.awaits_card(*hand));
    let of = |is: &dyn Fn(&Place) -> bool| view.hands().iter().copied().find(|hand| is(hand));
    plays
        .map(|hand| chips(view, hand, "main", 1))
        .or_else(|| of(&opened).map(|hand| chips(view, hand, "split", view.opened_beside(hand) as u64)))
        .or_else(|| asked.map(|hand| event(view, Kind::Decide, hand, "hit")))
        .or_else(|| of(&is_doubling).map(|hand| chips(view, hand, "double", 1)))
        .or_else(|| of(&doubled).map(|hand| chips(view, hand, "double", 1)))
}

/// Whether nobody may still play or waits for a card.
fn is_finished(view: &View) -> bool {
    let plays =
        |hand: &Place| (view.house.plan.is_unfinished)(view, *hand) || view.awaits_card(*hand) && !view.is_over(*hand);
    view.is_dealt() && !view.playing().iter().any(plays)
}

/// A card is a hit or makes two hands, chips tell of who gave up or took single pay, and going on is a stand.
fn choice(view: &View) -> Option<Event> {
    let happens = view.event();
    let (hand, is_main) = (happens.place?, happens.spot == "main");
    let decided = |hand: Place, word: &str| Some(event(view, Kind::Decide, hand, word));
    if let Some(answer) = answer(view, hand) {
        return Some(answer);
    }
    if !view.is_dealt() && !view.play_began() {
        return None;
    }
    let is_gone =
        view.surrendered(hand).is_some() || view.took_even_money(hand).is_some() || view.settled_at(hand).is_some();
    let is_given_up = is_main && happens.kind == Kind::Collect && is_given_up(view, hand);
    if !is_gone && (is_given_up || is_put_away(view, hand)) {
        return decided(hand, "surrender");
    }
    if happens.kind == Kind::Pay && is_main && !is_gone && view.house.yes("even_money") {
        let is_single = view.is_blackjack(hand) && view.bank_may_have_blackjack() && view.dealt(Place::Bank).len() == 1;
        if is_single && happens.number == view.whole_stake(hand) {
            return decided(hand, "even_money");
        }
    }
    // too much of single pay, put right before the bank's second card
    let is_put_right = || {
        let left = view.done(hand, "main") - i64::try_from(happens.number).unwrap_or(i64::MAX);
        left > 0 && i64::try_from(view.whole_stake(hand)) == Ok(left) && view.took_even_money(hand).is_none()
    };
    if happens.kind == Kind::Collect && is_main && view.house.yes("even_money") && is_put_right() {
        let is_ace = |draw: &usize| view.card(*draw).is_some_and(|card| card.rank == 1);
        let is_single = view.is_blackjack(hand) && matches!(view.dealt(Place::Bank), [first] if is_ace(first));
        if is_single && view.on_spot(hand, "insurance") == 0 {
            return decided(hand, "even_money");
        }
    }
    let hands = view.playing();
    let is_new = hand.number().is_some() && !view.hands().contains(&hand);
    if happens.kind == Kind::Draw && is_new && !view.sees("bets") {
        let pair = hands.iter().rfind(|other| other.number() == hand.number() && view.may_be_opened(**other));
        return pair.map(|pair| chips(view, *pair, "split", view.opened_beside(*pair) as u64 + 1));
    }
    // who was heard to ask for a card waits for it
    let is_left = |other: &&Place| {
        (view.house.plan.is_unfinished)(view, **other) && (**other == hand || view.decided(**other) != Some("hit"))
    };
    let stands = |hand: &Place| decided(*hand, "stand");
    if let Some(left) =
        before_whom(view).and_then(|until| hands.iter().take_while(|other| Some(**other) != until).find(is_left))
    {
        return stands(left);
    }
    let is_hit = happens.kind == Kind::Draw && hands.contains(&hand) && !view.awaits_card(hand);
    if is_hit && is_left(&&hand) { decided(hand, "hit") } else { None }
}

/// Whether half of a stake is collected, and is not what the hand lost. Where half is the whole of one chip and it is a
/// guess whose the cards are, the hand may as well have gone over 21.
fn is_given_up(view: &View, hand: Place) -> bool {
    let (amount, stake) = (view.event().number, view.whole_stake(hand));
    // of a stake that nobody saw any part may be half
    let may_be_half = !view.sees("bets") && view.dealt(Place::Bank).len() == 1 && view.dealt(hand).len() == 2;
    let is_half = (may_be_half || amount == chips_of(view, stake, (1, 2))) && !view.house.is("surrender", "never");
    let is_known = view.sees("hands");
    let may = view.dealt(hand).len() == 2 && !view.is_over(hand) && !view.is_blackjack(hand);
    let is_lost = || owed(view, hand, "main").is_some_and(|account| account.lost == amount);
    let may_be_whole = amount < stake || is_known || may_be_half;
    is_half && may_be_whole && !view.is_split(hand) && !view.is_doubled(hand) && (may || !is_known) && !is_lost()
}

/// Whether two cards are cleared before the bank's second, where a hand may be given up and nobody sees the chips.
fn is_put_away(view: &View, hand: Place) -> bool {
    let clears = view.event().kind == Kind::Move && view.event().to == Some(Place::Discard) && !view.sees("bets");
    let may = view.house.is("surrender", "early") && view.dealt(Place::Bank).len() == 1 && view.plays(hand);
    clears && may && view.dealt(hand).len() == 2 && !view.is_split(hand) && !view.is_blackjack(hand)
}

/// What chips tell of an ace that nobody heard declared: a hand was owed what is done to it, if any value of its ace
/// says so.
fn ace(view: &View) -> Option<Event> {
    let happens = view.event();
    let is_money = matches!(happens.kind, Kind::Pay | Kind::Collect) && happens.spot == "main";
    let is_about = |hand: &Place| happens.kind == Kind::End || is_money && happens.place == Some(*hand);
    let is_told = view.sees("bets") && view.house.yes("ace_is_declared");
    let unheard = view.hands().iter().copied().filter(|hand| is_about(hand) && view.has_unheard_ace(*hand));
    unheard.filter(|_| is_told).find_map(|hand| {
        let moved = |kind: Kind| {
            let is_so = |at: usize| view.events[at].kind == kind;
            is_money && happens.kind == kind || view.moved(hand, "main").any(is_so)
        };
        let (is_paid, is_collected) = (moved(Kind::Pay), moved(Kind::Collect));
        let fits = |account: Option<Account>| {
            account.is_some_and(|account| (account.pay > 0, account.lost > 0) == (is_paid, is_collected))
        };
        if fits(owed(view, hand, "main")) {
            return None;
        }
        let declared = [1, 11].map(|number| Event { number, ..event(view, Kind::Ace, hand, "") });
        declared.into_iter().find(|ace| fits(view.with(ace, |then| owed(then, hand, "main"))))
    })
}

/// Whose stake is taken off its spot went over 21, if an ace that nobody heard declared 11 says so.
fn ace_over(view: &View) -> Option<Event> {
    let happens = view.event();
    let is_off = happens.kind == Kind::Bet && happens.spot == "main" && happens.number == 0;
    let hand = happens.place.filter(|hand| is_off && view.has_unheard_ace(*hand) && !view.is_over(*hand))?;
    let eleven = Event { number: 11, ..event(view, Kind::Ace, hand, "") };
    let is_over = view.sees("bets") && view.settled_at(hand).is_none() && view.with(&eleven, |then| then.is_over(hand));
    is_over.then_some(eleven)
}

/// Up to which hand all have finished, as this event tells; all of them where it is the bank's or settlement.
fn before_whom(view: &View) -> Option<Option<Place>> {
    let event = view.event();
    let hand = event.place.filter(|place| place.number().is_some());
    let is_out = |hand: Place| view.surrendered(hand).is_some() || view.took_even_money(hand).is_some();
    let is_early = |hand: Place| view.is_over(hand) || view.is_blackjack(hand) || is_out(hand);
    let after_play = view.house.is("insurance_when", "after_play");
    let lies_seen_covered = || {
        let is_covered = |draw: &usize| view.is_covered(*draw);
        view.sees("turns") && view.sees("faces") && view.dealt(Place::Bank).iter().any(is_covered)
    };
    match event.kind {
        // a card to a bet without effect is nobody's turn, nor is one for the bank while its own lies covered
        Kind::Draw if hand.is_some_and(|hand| !view.plays(hand)) || hand.is_none() && lies_seen_covered() => None,
        Kind::Draw | Kind::Ace => Some(hand),
        Kind::Ask if event.word != "insurance" => Some(hand),
        Kind::Ask => after_play.then_some(None),
        Kind::Bet if event.spot == "insurance" => after_play.then_some(None),
        Kind::Bet if event.spot != "main" => Some(hand),
        Kind::Pay | Kind::Collect => {
            let tells_nothing = |hand: Place| is_early(hand) || !view.plays(hand);
            (event.spot == "main" && !hand.is_some_and(tells_nothing)).then_some(None)
        }
        // where chips are seen, cards cleared while the bank's lies covered were lost by accident
        Kind::Move if event.to == Some(Place::Discard) && view.sees("bets") && lies_seen_covered() => None,
        Kind::Move if event.to == Some(Place::Discard) => {
            (!hand.is_some_and(|hand| view.settled_at(hand).is_some() || is_early(hand))).then_some(None)
        }
        Kind::Reveal if event.place == Some(Place::Bank) => {
            view.dealt(Place::Bank).iter().any(|draw| view.is_covered(*draw)).then_some(None)
        }
        _ => None,
    }
}

/// The bank's covered card is up at the first event that can only come after that, a doubled hand's when it is
/// settled.
fn turn(view: &View) -> Option<Event> {
    let happens = view.event();
    let is_end = happens.kind == Kind::End;
    let settles = match happens.kind {
        Kind::Pay | Kind::Collect => happens.spot == "main",
        Kind::Move => happens.to == Some(Place::Discard),
        _ => is_end,
    };
    let is_bank_draw = happens.is(Kind::Draw, Place::Bank);
    let is_covered = |place: &Place| view.dealt(*place).iter().any(|draw| view.is_covered(*draw));
    let bank = Some(Place::Bank).filter(|_| is_end || (settles || is_bank_draw) && is_finished(view));
    let hands = view.hands().iter().copied().filter(|hand| settles && (is_end || happens.place == Some(*hand)));
    // one that came to a hand the wrong way up is up when the hand is played
    let is_played = matches!(happens.kind, Kind::Ask | Kind::Decide | Kind::Ace);
    let played = happens.place.filter(|hand| is_played && view.turn() == Some(*hand) && !view.is_doubled(*hand));
    bank.into_iter().chain(hands).chain(played).find(is_covered).map(|place| event(view, Kind::Reveal, place, ""))
}

/// At the end every place is cleared.
fn clearing(view: &View) -> Option<Event> {
    let left = view.places().find(|_| view.event().kind == Kind::End)?;
    Some(Event { to: Some(Place::Discard), ..event(view, Kind::Move, left, "") })
}

/// What somebody must have answered whose box gets a card, or loses its card or its chips.
fn answer(view: &View, hand: Place) -> Option<Event> {
    let happens = view.event();
    let asks = |is: &dyn Fn(&Part) -> bool| {
        let mut open = view.found().filter(|found| found.is_open());
        open.any(|found| found.missing(view).iter().any(is))
    };
    let is_asked = || asks(&|part| *part == Part::AskConsent(hand));
    let chosen = |option: &'static str| {
        let offers =
            |part: &Part| matches!(part, Part::Offer(place, options) if *place == hand && options.contains(&option));
        let is_let_pass = || view.found().any(|found| found.unseen.iter().any(offers));
        (asks(&offers) || is_let_pass()).then(|| event(view, Kind::Choose, hand, option))
    };
    let consent = |yes| is_asked().then(|| Event { yes, ..event(view, Kind::Consent, hand, "") });
    match happens.kind {
        Kind::Draw => consent(true).or_else(|| chosen("next_card")),
        Kind::Move if happens.to == Some(Place::Burn) && view.taken().iter().any(|draw| view.counts(*draw)) => {
            consent(false)
        }
        Kind::Bet if happens.spot == "main" && happens.number == 0 => chosen("withdraw"),
        _ => None,
    }
}
