//! What no article names: the room decides (C20, T0, G0, K0).

use crate::procedure::cards::Held;
use crate::procedure::hand::Hand;
use crate::procedure::pass::Milestone;
use crate::regulation::Raised;
use crate::regulation::prelude::*;
use crate::table::Card;
use crate::table::event::Choice;
use crate::table::settings::{Banker, Misdealt, Surrender};

/// The cases that an article on the unforeseen has in every house.
#[derive(Debug)]
pub(crate) struct Cases {
    /// Something happens that no article names.
    pub(crate) not_provided_for: &'static Case,
    /// A person reports something without naming an article.
    pub(crate) reported: &'static Case,
}

/// Where the bank's first card ends a delivery that no article keeps free of payments (D9 does).
pub(crate) static MONEY_IN_DELIVERY: Case = Case {
    es: "fichas pagadas o retiradas antes de la primera carta de la banca ({place}): decide la sala",
    en: "chips paid or collected before the bank's first card ({place}): the room decides",
};

/// Raises it for a bet that is paid or collected before the bank has a card to hold it against.
pub(crate) fn check_money_in_delivery(context: &Context<'_>, findings: &mut Findings<'_>) {
    // chips put back are no finding of their own
    if let Some(id) = money_in_delivery(context).filter(|_| findings.raised.is_empty())
        && let Some(raised) = findings.raise_once(&MONEY_IN_DELIVERY, Place::from(id))
    {
        raised.part(Part::Rule);
    }
}

fn money_in_delivery(context: &Context<'_>) -> Option<HandId> {
    let (Event::Pay { hand: id, spot, amount } | Event::Collect { hand: id, spot, amount }) = context.event else {
        return None;
    };
    let state = context.state;
    // one whose cards were put away is the room's already, and so is a delivery that play has closed without the bank
    let counts = |hand: &&Hand| !hand.void && !hand.lost && !hand.lacks_cards();
    let hand = state.pass.hand(*id).filter(counts)?;
    let lacks_bank = state.pass.is_dealt() && !state.delivered() && state.pass.bank.served == 0;
    let is_early = lacks_bank && !state.is_decided_early(hand);
    (is_early && *spot == BetSpot::Main && *amount > 0).then_some(*id)
}

/// Raises a case for what no other article names, unless another was raised by the event, and for a report that names
/// no article.
pub(crate) fn check(cases: &Cases, context: &Context<'_>, findings: &mut Findings<'_>) {
    if findings.raised.is_empty()
        && let Some(place) = not_provided_for(context)
    {
        let raised = findings.raise(cases.not_provided_for, place).part(Part::Rule);
        // what the bank has lost is owed to it as soon as it is taken
        if burns_good_cards(context) || takes_back_some(context) {
            match place {
                Some(Place::Hand(id)) => {
                    raised
                        .effect(Effect::WaitsForRoom(id))
                        .stands(Effect::AsItIs(id))
                        .resumes(Effect::ServedAgain(id.into()));
                }
                Some(Place::Bank) => drop(raised.stands(Effect::BankAsItIs)),
                _ => {}
            }
        }
        if let Some(place) = cleared_early(context) {
            lets_go_on(raised, place);
        }
        if matches!(context.event, Event::Bank { .. } | Event::BankCard { .. } | Event::Share { .. }) {
            raised.no_effect();
        }
    }
    if let Event::Report { provision: None, place, note, .. } = context.event {
        findings.raise(cases.reported, *place).note(note).part(Part::Rule);
    }
}

/// Whether a `move` burns cards that count and that nothing asks to burn.
fn burns_good_cards(context: &Context<'_>) -> bool {
    let Event::Move { from, to: Place::Burn, .. } = context.event else { return false };
    let removal = context.meaning.removal;
    let may_lie_up = *from == Place::Bank && removal.count() == 1 && context.state.bank_card_may_lie_up();
    removal.due > removal.asked && !may_be_refused(context, *from) && !may_lie_up
}

/// Whether some of the cards of a hand in play, or of the bank, go back to the shoe though nothing asks for it: they
/// are still needed.
pub(crate) fn takes_back_some(context: &Context<'_>) -> bool {
    let Event::Move { from, to: to @ Place::Shoe, .. } = context.event else { return false };
    let (taken, pass) = (context.meaning.removal.due, &context.state.pass);
    let keeps_some = match from {
        Place::Hand(id) => pass.hand(*id).is_some_and(|hand| taken < hand.count() && !context.state.is_settled(hand)),
        Place::Bank => {
            taken < pass.bank.cards.tally().count && !pass.has(Milestone::Clearing) && !context.state.all_settled()
        }
        _ => false,
    };
    keeps_some && taken > context.duties.to_move(*from, *to)
}

/// Whether the last card goes back to the shoe that came to a box while an earlier one waits: the dealer takes his own
/// mistake back.
pub(crate) fn takes_back_last(context: &Context<'_>) -> bool {
    let Event::Move { from: from @ Place::Hand(id), to: Place::Shoe, .. } = context.event else { return false };
    let (state, pass) = (context.state, &context.state.pass);
    let waiting = match pass.hand(*id).map_or(0, Hand::count) {
        _ if state.delivered() => state.not_complete(),
        1 => pass.hands_with(Status::First),
        2 => pass.hands_with(Status::Second),
        _ => return false,
    };
    let is_last = pass.last_card == Some(*from) && context.meaning.removal.count() == 1;
    is_last && !waiting.before(*id).is_empty()
}

/// Whether it has one card though the deliveries are over, and its bettor may refuse the other: unheard, or where that
/// was to be burned earlier (C4).
fn may_be_refused(context: &Context<'_>, from: Place) -> bool {
    let Place::Hand(id) = from else { return false };
    let has_one = |hand: &Hand| hand.count() == 1 && !(hand.split | hand.as_it_is | hand.dealt_next);
    let state = context.state;
    let may_refuse = !state.observes.decisions || context.settings.bank_is_covered();
    may_refuse && state.delivered() && state.pass.hand(id).is_some_and(has_one)
}

/// What an article on the unforeseen has to look at.
pub(crate) const ON: &[On] = &[
    On::Event(Kind::Reveal),
    On::Event(Kind::Move),
    On::Event(Kind::Collect),
    On::Event(Kind::Pay),
    On::Event(Kind::Decide),
    On::Event(Kind::Choose),
    On::Event(Kind::Report),
    On::Event(Kind::Bank),
    On::Event(Kind::BankCard),
    On::Event(Kind::Share),
    On::Event(Kind::OfferCut),
    On::Event(Kind::End),
];

/// Where cards that counted went to the discard tray before what they decide was settled, in a house that has no
/// article on that.
pub(crate) fn cleared_early(context: &Context<'_>) -> Option<Place> {
    let Event::Move { from, to: Place::Discard, .. } = context.event else { return None };
    let state = context.state;
    let has_articles = context.settings.bank_is_covered();
    // that the bank lacks a card for it is told already
    let is_told = !state.observes.bets && context.duties.asks_for(Part::Serve(Place::Bank));
    if has_articles
        || is_told
        || !state.pass.is_open()
        || context.meaning.clearing
        || context.meaning.removal.due == 0
        || state.unknown().has(Choices)
    {
        return None;
    }
    let is_open = match from {
        Place::Bank => true,
        Place::Hand(id) => state.pass.hand(*id).is_some_and(|hand| !hand.lost && !state.is_settled(hand)),
        _ => false,
    };
    is_open.then_some(*from)
}

/// What a ruling makes of cards that went to the discard tray early: they count still, or the pass goes on without.
pub(crate) fn lets_go_on(raised: &mut Raised, place: Place) {
    match place {
        Place::Hand(id) => raised.stands(Effect::Claims(id)).resumes(Effect::GoesWithout(id)),
        _ => raised.stands(Effect::BankAsItIs),
    };
}

/// A consent that nothing asks for.
pub(crate) fn unasked_consent(context: &Context<'_>) -> Option<Place> {
    match context.event {
        Event::Consent { hand, .. } if !context.meaning.offered => Some(Place::from(*hand)),
        _ => None,
    }
}

/// Where something happened that no other article names: `Some(None)` where that is no place.
fn not_provided_for(context: &Context<'_>) -> Option<Option<Place>> {
    let (state, settings) = (context.state, context.settings);
    let at = |place: Place, unforeseen: bool| unforeseen.then_some(Some(place));
    match context.event {
        Event::Decide { hand, choice, .. } => {
            if state.pass.is_late_bet(*hand) {
                return None;
            }
            let unknown = match choice {
                Choice::Surrender => settings.stakes.surrender == Surrender::Never,
                Choice::EvenMoney => !settings.pays.even_money,
                _ => false,
            };
            let has_none = || state.pass.hand(*hand).is_none_or(|hand| hand.count() == 0 && !hand.void);
            at(Place::from(*hand), unknown || has_none())
        }
        Event::Pay { hand, .. } | Event::Collect { hand, .. } => at(Place::from(*hand), is_unexpected_money(context)),
        Event::Choose { hand, .. } => at(Place::from(*hand), !context.meaning.offered),
        Event::Reveal { at: place, card } => {
            at(*place, context.meaning.turns_up && is_unexpected_reveal(context, *place, *card))
        }
        Event::Move { from, to, .. } => {
            // where misdealt cards go back to the shoe, they may go back late
            let goes_back = *to == Place::Shoe && settings.delivery.misdealt == Misdealt::Back;
            if goes_back && takes_back_last(context) {
                return None;
            }
            let taken = if goes_back { context.meaning.removal.due } else { context.meaning.removal.count() };
            let back = !matches!(to, Place::Burn | Place::Discard) && taken > context.duties.may_move(*from, *to);
            at(*from, back || burns_good_cards(context) || cleared_early(context).is_some())
        }
        Event::End {} if !state.pass.is_open() => state.observes.bets.then_some(None),
        Event::Bank { .. } if settings.delivery.banker == Banker::House => Some(None),
        Event::BankCard { .. } if settings.delivery.banker != Banker::OnBlackJack => Some(None),
        Event::Share { .. } | Event::OfferCut { .. } if settings.delivery.banker != Banker::ByTurn => Some(None),
        _ => None,
    }
}

/// Whether money moves for a bet that is not there.
fn is_unexpected_money(context: &Context<'_>) -> bool {
    let pass = &context.state.pass;
    let (Event::Pay { hand, spot, .. } | Event::Collect { hand, spot, .. }) = context.event else { return false };
    // what was paid or collected before any card is put right there too
    let is_there = |hand: &&Hand| pass.is_dealt() || hand.is_wrong(*spot);
    let Some(hand) = pass.bet(*hand).filter(is_there) else { return true };
    *spot == BetSpot::Insurance && hand.insurance == 0
}

/// Whether a card is turned up where none lies, or is none of those that lie covered.
fn is_unexpected_reveal(context: &Context<'_>, place: Place, card: Option<Card>) -> bool {
    let state = context.state;
    let lying = state.pass.lying_at(place);
    let is_empty = matches!(place, Place::Hand(_)) && lying.is_empty();
    is_empty || card.is_some_and(|card| contradicts(lying, card))
}

/// Whether cards lie covered and none of them is this one.
fn contradicts(lying: &[Held], card: Card) -> bool {
    let mut covered = lying.iter().filter(|held| held.down).peekable();
    covered.peek().is_some() && covered.all(|held| held.card != card && held.card != Card::UNREAD)
}
