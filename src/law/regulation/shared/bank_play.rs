//! The bank draws to its standing total and no further (D12, T-Q8, G10, K15).

use crate::procedure::hand::Hand;
use crate::procedure::pass::Milestone;
use crate::regulation::prelude::*;

/// The cases of an article on the bank's play.
#[derive(Debug)]
pub(crate) struct Cases {
    /// The bank draws though it stands.
    pub(crate) beyond: &'static Case,
    /// A bet against the bank is settled, or the pass ends, before it stands.
    pub(crate) below: &'static Case,
}

/// Raises a case where the bank draws too many cards or too few.
pub(crate) fn check(cases: &Cases, context: &Context<'_>, findings: &mut Findings<'_>) {
    let Cases { beyond, below } = cases;
    let is_below = || {
        let state = context.state;
        let bank = &state.pass.bank;
        // that a card of the bank is due an open finding may say already
        let is_asked_for = || context.duties.asks_for(Part::Serve(Place::Bank));
        // a covered card may not tell by a finding what it is
        let is_seen = bank.served > 0 && (bank.owed == 0 || !is_asked_for()) && !bank.is_covered();
        let short = is_seen && bank.must_draw() == Some(true) && state.bank_surely_has_to_draw();
        short && !state.pass.has(Milestone::Clearing) && !findings.knows(below, Place::Bank)
    };
    match context.event {
        // of cards it looks at those beyond alone
        Event::Draw { .. } => {
            findings.raise(beyond, Place::Bank).misdealt(context, Place::Bank);
        }
        Event::Collect { hand, spot, .. } | Event::Pay { hand, spot, .. }
            if *spot != BetSpot::Insurance
                && context.state.pass.hand(*hand).is_some_and(|hand| depends(context, hand))
                && is_below() =>
        {
            findings.raise(below, Place::Bank).serve(Place::Bank, 1).stands(Effect::BankDone);
        }
        // where chips are not seen, cards put away tell that it was settled
        Event::Move { from, to: Place::Discard, .. } if is_settled_unseen(context, *from) && is_below() => {
            findings.raise(below, Place::Bank).serve(Place::Bank, 1).stands(Effect::BankDone);
        }
        Event::End {} => {
            let state = context.state;
            // one with an unread card may have been a Black Jack, paid at once
            let may_be_settled = |hand: &Hand| hand.is_touched(BetSpot::Main) || !state.observes.bets;
            let is_early = |hand: &Hand| state.is_decided_early(hand) || (hand.is_unread() && may_be_settled(hand));
            let depends = |hand: &Hand| hand.count() >= 2 && !hand.is_retired() && !is_early(hand);
            let live = || state.pass.live_hands().any(|(_, hand)| depends(hand));
            if live() && is_below() {
                findings.raise(below, Place::Bank).serve(Place::Bank, 1);
            }
        }
        _ => {}
    }
}

/// What a hand is owed hangs on the bank. One with an unread card may be over 21, and one whose cards went to the
/// discard tray is the room's.
fn depends(context: &Context<'_>, hand: &Hand) -> bool {
    hand.is_live() && !hand.is_unread() && !hand.lacks_cards() && !context.state.is_decided_early(hand)
}

/// Cards of the bank, or of a hand that plays against it, are put away when all have played, and nobody sees chips.
fn is_settled_unseen(context: &Context<'_>, from: Place) -> bool {
    let state = context.state;
    let has_played = !state.observes.bets && state.delivered() && state.pass.turn().is_none();
    let is_of_it = match from {
        Place::Hand(id) => state.pass.hand(id).is_some_and(|hand| depends(context, hand)),
        _ => from == Place::Bank,
    };
    has_played && !context.settings.bank_is_covered() && context.meaning.removal.due > 0 && is_of_it
}

/// A Black Jack paid before the bank's second card though the bank may still match it (G7, K14).
pub(crate) fn blackjack_too_early(context: &Context<'_>) -> Option<HandId> {
    let Event::Pay { hand: id, spot: BetSpot::Main, .. } = context.event else { return None };
    let bank = &context.state.pass.bank;
    let rests = |hand: &&Hand| !hand.split && !hand.void && !hand.lost && !hand.even_money;
    context.state.pass.hand(*id).filter(|hand| hand.is_blackjack()).filter(rests)?;
    let waits = bank.served < 2 && bank.may_have_blackjack() && !bank.cards.tally().is_unread();
    waits.then_some(*id)
}

/// The pass ends with hands unfinished: the bank's turn had not come.
pub(crate) fn is_given_up(context: &Context<'_>) -> bool {
    matches!(context.event, Event::End {}) && context.state.has_unfinished_hands()
}

/// What an article on the bank's play has to look at.
pub(crate) const ON: &[On] = &[
    On::Card(Role::BankBeyond),
    On::Event(Kind::Collect),
    On::Event(Kind::Pay),
    On::Event(Kind::Move),
    On::Event(Kind::End),
];
