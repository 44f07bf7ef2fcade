//! Main bets paid or collected other than they are owed (D14, F1, F2, O3 and the like of every house).

use alloc::vec::Vec;

use crate::procedure::hand::{Hand, Owed};
use crate::procedure::settlement::is_done;
use crate::regulation::prelude::*;
use crate::table::Cents;

/// What is wrong with a payment or a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MistakeKind {
    /// Paid though nothing was owed to it.
    NothingOwed,
    /// Collected though nothing of it was lost.
    NothingLost,
    /// Paid another amount than was owed.
    WrongPayment,
    /// Collected another amount than was lost.
    WrongCollection,
    /// At the end, neither paid nor collected though it was owed or lost.
    Unsettled,
}

/// A main bet that did not get what it was owed.
#[derive(Debug)]
pub(crate) struct Mistake<'a> {
    /// Which.
    pub(crate) id: HandId,
    /// Its hand, before the event.
    pub(crate) hand: &'a Hand,
    /// What it was owed.
    pub(crate) owed: Owed,
    /// What was done instead.
    pub(crate) kind: MistakeKind,
}

impl Mistake<'_> {
    /// Where.
    pub(crate) fn place(&self) -> Place {
        Place::from(self.id)
    }
}

/// The mistakes an event makes with main bets: one at a payment or collection, any number at the end of a pass.
pub(crate) fn mistakes<'a>(context: &Context<'a>) -> Vec<Mistake<'a>> {
    match context.event {
        Event::End {} if !context.state.pass.guesses() => unsettled(context),
        _ => mistake(context).into_iter().collect(),
    }
}

/// The mistake a payment or collection makes.
fn mistake<'a>(context: &Context<'a>) -> Option<Mistake<'a>> {
    let (Event::Pay { hand: id, amount, spot } | Event::Collect { hand: id, amount, spot }) = context.event else {
        return None;
    };
    if *spot == BetSpot::Insurance || context.state.pass.guesses() {
        return None;
    }
    let (hand, owed) = (context.state.pass.hand(*id)?, context.meaning.owed?);
    let kind = kind_of(context.event, owed, hand.paid, hand.collected, *amount)?;
    Some(Mistake { id: *id, hand, owed, kind })
}

/// What is wrong with an amount paid or collected after what was paid and collected already.
fn kind_of(event: &Event, owed: Owed, paid: Cents, collected: Cents, amount: Cents) -> Option<MistakeKind> {
    let (due, done, not_due, wrong_amount) = match event {
        Event::Pay { .. } => (owed.pay, paid, MistakeKind::NothingOwed, MistakeKind::WrongPayment),
        _ => (owed.lost, collected, MistakeKind::NothingLost, MistakeKind::WrongCollection),
    };
    match due {
        0 => Some(not_due),
        due => (done.saturating_add(amount) != due).then_some(wrong_amount),
    }
}

/// A winning main bet that was paid something else than it is owed.
pub(crate) fn paid_wrongly<'a>(context: &Context<'a>) -> Option<Mistake<'a>> {
    mistake(context).filter(|mistake| mistake.kind == MistakeKind::WrongPayment)
}

fn unsettled<'a>(context: &Context<'a>) -> Vec<Mistake<'a>> {
    let state = context.state;
    let all = state.pass.hands().filter_map(|(id, hand)| {
        let owed = state.owed_as_it_lies(hand)?;
        // a wrong payment or collection was found when it was made
        let nothing_done = hand.paid == 0 && hand.collected == 0;
        (nothing_done && !is_done(owed, 0, 0)).then_some(Mistake { id, hand, owed, kind: MistakeKind::Unsettled })
    });
    all.collect()
}

/// What is wrong with an insurance that is paid or collected, or left at the end of a pass, against the bank.
pub(crate) fn insurance_mistakes(context: &Context<'_>) -> Vec<(HandId, MistakeKind)> {
    let state = context.state;
    if state.pass.guesses() {
        return Vec::new();
    }
    let owed = |id: &HandId| {
        state.pass.hand(*id).filter(|hand| hand.insurance > 0).map(|hand| (hand, state.insurance_owed(hand)))
    };
    match context.event {
        Event::Pay { hand: id, amount, spot: BetSpot::Insurance }
        | Event::Collect { hand: id, amount, spot: BetSpot::Insurance } => {
            let Some((hand, Some(owed))) = owed(id) else { return Vec::new() };
            let kind = kind_of(context.event, owed, hand.insurance_paid, hand.insurance_collected, *amount);
            kind.map(|kind| (*id, kind)).into_iter().collect()
        }
        Event::End {} => {
            let left = state
                .pass
                .hands()
                .filter(|(_, hand)| hand.insurance > 0 && hand.insurance_paid == 0 && hand.insurance_collected == 0);
            left.filter(|(_, hand)| state.insurance_owed(hand).is_some_and(|owed| !is_done(owed, 0, 0)))
                .map(|(id, _)| (id, MistakeKind::Unsettled))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The first hand in the order of play whose main bet is passed over by a payment or collection of a later one. There
/// is none before the bank is final.
pub(crate) fn settled_out_of_order(context: &Context<'_>) -> Option<HandId> {
    let (state, settings) = (context.state, context.settings);
    let (Event::Pay { hand: to, spot, .. } | Event::Collect { hand: to, spot, .. }) = context.event else {
        return None;
    };
    if *spot == BetSpot::Insurance || settings.pays.losers_first || !state.bank_is_final() || state.pass.guesses() {
        return None;
    }
    state.pass.hands_with(Status::InPlay).before(*to).find(|id| {
        // a hand that was paid or collected wrongly has had its turn
        let hand = state.pass.hand(*id).filter(|hand| hand.paid == 0 && hand.collected == 0);
        hand.and_then(|hand| state.owed(hand)).is_some_and(|owed| !is_done(owed, 0, 0))
    })
}

/// The events that move money.
pub(crate) const ON: &[On] = &[On::Event(Kind::Pay), On::Event(Kind::Collect), On::Event(Kind::End)];
