//! What people do about a finding.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::Scene;
use crate::workload::House;
use sabot_law::table::event::{Announcement, Authority, Face, Permit, Ruling, Taken};
use sabot_law::table::{BetSpot, Card, Cents, Event, HandId, LineNo, Moved, Place, Remedy};

/// The events that carry out what a finding asks for, all of it or a part. `remedies` are told by its answer or by what
/// is due, `told` are the events of the pass so far. Where the room has a say, it decides anything.
pub fn carry_out(
    rng: &mut ChaCha8Rng,
    finding: u64,
    remedies: &[Remedy],
    scene: Scene<'_>,
    told: &[Event],
    fully: bool,
) -> Vec<Event> {
    let mut events = Vec::new();
    for &remedy in remedies {
        if fully || rng.random_ratio(1, 2) {
            part(rng, finding, remedy, scene, told, &mut events);
        }
    }
    events
}

fn part(rng: &mut ChaCha8Rng, finding: u64, remedy: Remedy, scene: Scene<'_>, told: &[Event], events: &mut Vec<Event>) {
    let moved = |from, to, cards| Event::Move { from, to, cards: Some(Moved::Count(cards)) };
    match remedy {
        Remedy::Burn { place, cards } => events.push(moved(place, Place::Burn, cards)),
        Remedy::PutBack { place, cards } => events.push(moved(place, Place::Shoe, cards)),
        Remedy::VoidBet { hand } => {
            if rng.random_ratio(1, 4) {
                events.push(bet(hand, BetSpot::Main, 0));
            }
        }
        Remedy::ReturnBet { hand, .. } => {
            let (spot, before) = last_bet(told, hand);
            let keeps = spot != BetSpot::Main || rng.random_ratio(1, 4);
            events.push(bet(hand, spot, if keeps { before } else { 0 }));
        }
        Remedy::Serve { to } => events.push(drawn(rng, to, scene, told)),
        Remedy::Authorize { what } => {
            events.push(Event::Authorize { by: "I-4".into(), role: Authority::Inspector, what });
        }
        Remedy::Announce { what: Permit::NextCardsForBank } => {
            events.push(Event::Announce { what: Announcement::NextCardsForBank, place: None, value: None });
        }
        Remedy::Announce { .. } => {}
        Remedy::AskConsent { hand } => {
            let yes = rng.random_ratio(1, 2);
            events.push(Event::Consent { hand, yes });
            events.push(if yes { drawn(rng, hand.into(), scene, told) } else { moved(hand.into(), Place::Burn, 1) });
        }
        Remedy::Offer { hand, options } => {
            let option = options[usize::from(rng.random_ratio(1, 2))];
            events.push(Event::Choose { hand, option });
            match option {
                Taken::NextCard => events.push(drawn(rng, hand.into(), scene, told)),
                Taken::Withdraw if rng.random_ratio(1, 3) => events.push(bet(hand, BetSpot::Main, 0)),
                _ => {}
            }
        }
        Remedy::Collect { hand, amount: Some(amount), .. } => {
            events.push(Event::Collect { hand, amount, spot: settled_last(told, hand) });
        }
        // the bettor collects what his bet is owed: as much as it was
        Remedy::Collect { hand, amount: None, .. } => {
            events.push(Event::Pay { hand, amount: stake(told, hand), spot: BetSpot::Main });
        }
        Remedy::Pay { hand, amount, .. } => events.push(Event::Pay { hand, amount, spot: settled_last(told, hand) }),
        Remedy::Identify { place } => events.extend(identified(rng, place, scene.first, told)),
        Remedy::Rule => {
            let decision = Ruling::ALL[rng.random_range(0..Ruling::ALL.len())];
            let finding = rng.random_ratio(3, 4).then_some(finding);
            events.push(Event::Rule { by: "I-1".into(), role: "room".into(), decision, finding });
        }
    }
}

fn bet(hand: HandId, spot: BetSpot, amount: Cents) -> Event {
    Event::Bet { hand, spot, amount, player: None, chips: Vec::new() }
}

fn any_card(rng: &mut ChaCha8Rng) -> Card {
    Card::from_index(rng.random_range(0..52)).unwrap_or(Card::UNREAD)
}

/// A card is served, often the like of the last one there, so that the pass goes on as it would have.
fn drawn(rng: &mut ChaCha8Rng, to: Place, scene: Scene<'_>, told: &[Event]) -> Event {
    let draws = told.iter().filter_map(|event| match event {
        Event::Draw { card, to: Some(place), .. } if *place == to => Some(*card),
        _ => None,
    });
    let (last, drawn) = (draws.clone().next_back(), draws.count());
    let card = last.filter(|_| rng.random_ratio(2, 3)).unwrap_or_else(|| any_card(rng));
    // the bank's second card is covered where it has one before the play
    let taken = told.iter().filter(|event| matches!(event, Event::Move { from, .. } if *from == to)).count();
    let second = to == Place::Bank && drawn > 0 && drawn <= 2 + taken;
    let shown = told.iter().any(|event| matches!(event, Event::Reveal { at: Place::Bank, .. }));
    let base = scene.header.rules.as_ref().map_or(&scene.header.regulation, |rules| &rules.base);
    let covers = House::named(base).is_ok_and(House::covers_bank);
    Event::Draw { card, to: Some(to), face: (covers && second && !shown).then_some(Face::Down) }
}

/// The hand for which nothing more is dealt once that was done, as its bet is void or gone.
pub(super) fn is_out(remedies: &[Remedy], events: &[Event]) -> Option<HandId> {
    let voided = remedies.iter().find_map(|remedy| match remedy {
        Remedy::VoidBet { hand } => Some(*hand),
        _ => None,
    });
    let left = events.iter().find_map(|event| match event {
        Event::Bet { hand, spot: BetSpot::Main, amount: 0, .. }
        | Event::Choose { hand, option: Taken::Withdraw }
        | Event::Consent { hand, yes: false } => Some(*hand),
        _ => None,
    });
    voided.or(left)
}

/// Every change of a hand's spots, the last first.
fn bets(told: &[Event], of: HandId) -> impl Iterator<Item = (BetSpot, Cents)> + '_ {
    told.iter().rev().filter_map(move |event| match event {
        Event::Bet { hand, spot, amount, .. } if *hand == of => Some((*spot, *amount)),
        _ => None,
    })
}

/// The spot of a hand that was changed last, and what lay there before.
fn last_bet(told: &[Event], hand: HandId) -> (BetSpot, Cents) {
    let mut bets = bets(told, hand);
    let Some((spot, _)) = bets.next() else { return (BetSpot::Main, 0) };
    (spot, bets.find(|&(other, _)| other == spot).map_or(0, |(_, amount)| amount))
}

fn stake(told: &[Event], hand: HandId) -> Cents {
    let main = bets(told, HandId::first(hand.box_no)).find(|&(spot, _)| spot == BetSpot::Main);
    main.map_or(0, |(_, amount)| amount)
}

/// The bet of a hand that chips moved for last.
fn settled_last(told: &[Event], of: HandId) -> BetSpot {
    let spot = told.iter().rev().find_map(|event| match event {
        Event::Collect { hand, spot, .. } | Event::Pay { hand, spot, .. } if *hand == of => Some(*spot),
        _ => None,
    });
    spot.unwrap_or_default()
}

/// A correction of the draw that could not be read, or the card turned up.
fn identified(rng: &mut ChaCha8Rng, place: Place, first: LineNo, told: &[Event]) -> Option<Event> {
    let card = any_card(rng);
    if place.may_be_covered() && rng.random_ratio(1, 3) {
        return Some(Event::Reveal { at: place, card: Some(card) });
    }
    let unread =
        |event: &Event| matches!(event, Event::Draw { card, to, .. } if *card == Card::UNREAD && *to == Some(place));
    let at = told.iter().rposition(unread)?;
    let mut event = told[at].clone();
    if let Event::Draw { card: read, .. } = &mut event {
        *read = card;
    }
    let line = Some(first + at as LineNo);
    Some(Event::Correct { by: "I-4".into(), role: "inspector".into(), line, after: None, event: Some(Box::new(event)) })
}
