//! Doubling where it may not be (O1, T-X1 to T-X5, G12, G14).

use crate::procedure::hand::Hand;
use crate::regulation::prelude::*;
use crate::regulation::shared::turns;
use crate::table::event::Choice;

/// The hand to be doubled though it may not be; true where chips ask for it. Chips that follow a double chosen in words
/// are not refused.
pub(crate) fn refused(context: &Context<'_>) -> Option<(HandId, bool)> {
    let (id, chips) = asked(context)?;
    // who has stood doubles no more, but for chips that follow his word
    let has_stood = |hand: &Hand| !hand.doubled && turns::has_stood(hand, context);
    let is_over = context.state.pass.hand(id).is_some_and(has_stood);
    (is_over || !may_double(context, id, chips)).then_some((id, chips))
}

/// A hand's cards may be doubled, or it is doubled already.
fn may_double(context: &Context<'_>, id: HandId, chips: bool) -> bool {
    // of two cards that nobody has read, nobody knows whether they may be doubled
    let is_unknown = |hand: &Hand| hand.count() <= 2 && (hand.is_covered() || hand.is_unread());
    // a bet that was voided after its chips doubled it is doubled no more by the word that follows them
    let is_told_again = |hand: &Hand| hand.doubled && (!hand.void || !chips);
    let may_now = |hand: &Hand| !hand.void && (hand.may_be_doubled(context.settings) || is_unknown(hand));
    let may = |hand: &Hand| is_told_again(hand) || may_now(hand);
    context.state.pass.hand(id).is_some_and(may)
}

/// The hand on which chips to double lie that are not its stake.
pub(crate) fn wrong_amount(context: &Context<'_>) -> Option<HandId> {
    let (id, true) = asked(context)? else { return None };
    let Event::Bet { amount, .. } = context.event else { return None };
    let wrong = context.state.pass.hand(id).is_some_and(|hand| hand.stake != *amount);
    (wrong && may_double(context, id, true)).then_some(id)
}

/// The hand to be doubled; true where chips ask for it, false where words do.
pub(crate) fn asked(context: &Context<'_>) -> Option<(HandId, bool)> {
    match context.event {
        Event::Bet { hand, spot: BetSpot::Double, amount, .. }
            if *amount > 0 && *amount != context.state.pass.lies_on(*hand, BetSpot::Double) =>
        {
            Some((*hand, true))
        }
        Event::Decide { hand, choice: Choice::Double, .. } => Some((*hand, false)),
        _ => None,
    }
}

/// Chips that come after the double's card with none that counted before it, or after it was found that they were
/// missing: the same finding refuses them (Reading 24). False for all others.
pub(crate) fn refuse_late(case: &'static Case, context: &Context<'_>, findings: &mut Findings<'_>) -> bool {
    let Event::Bet { hand: id, spot: BetSpot::Double, amount, .. } = context.event else { return false };
    let has_card = |hand: &Hand| hand.has_double_card() && hand.is_unpaid_double();
    let is_known = findings.knows(case, Place::from(*id));
    let is_late = is_known || (*amount > 0 && context.state.pass.hand(*id).is_some_and(has_card));
    if is_known {
        findings.ignore_event();
    } else if is_late {
        refuse(case, *id, context, findings);
    }
    is_late
}

/// Raises a case where the double's card comes, or the next turn begins, before its chips lie there. Of chips that the
/// same article has returned the card says nothing more.
pub(crate) fn check_unpaid(case: &'static Case, context: &Context<'_>, findings: &mut Findings<'_>) {
    let (state, drawn) = (context.state, context.meaning.drawn);
    for id in state.pass.hands_with(Status::Doubling) {
        let is_unpaid = state.pass.hand(id).is_some_and(Hand::is_unpaid_double);
        if !is_unpaid {
            continue;
        }
        if drawn.is_some_and(|drawn| drawn.role == Role::Double && drawn.hand() == Some(id)) {
            if findings.knows_any(Place::from(id)) && is_returning(context, id, BetSpot::Double) {
                continue;
            }
            findings.raise(case, Place::from(id)).give_back(id, BetSpot::Double, 0);
        } else if has_passed(id, context) {
            findings.raise(case, Place::from(id)).give_back(id, BetSpot::Double, 0).effect(Effect::NotDoubled(id));
        }
    }
}

/// Whether the turn of a later hand, or the bank's, begins.
fn has_passed(id: HandId, context: &Context<'_>) -> bool {
    let to_bank = context.meaning.drawn.is_some_and(|drawn| drawn.place == Some(Place::Bank));
    let reveals = matches!(context.event, Event::Reveal { at: Place::Bank, .. });
    to_bank || reveals || context.meaning.plays.is_some_and(|plays| context.state.pass.plays_before(id, plays))
}

/// What an article on chips that are missing has to look at.
pub(crate) const UNPAID_ON: &[On] = &[
    On::Bet(BetSpot::Double),
    On::Event(Kind::Draw),
    On::Event(Kind::Ask),
    On::Event(Kind::Decide),
    On::Event(Kind::Ace),
    On::Event(Kind::Reveal),
];

/// Raises a case for what was put to double, and has it returned.
pub(crate) fn refuse(case: &'static Case, id: HandId, context: &Context<'_>, findings: &mut Findings<'_>) {
    findings.refuse_chips(case, context, id, BetSpot::Double, 0);
}

/// What an article on doubling has to look at.
pub(crate) const ON: &[On] = &[On::Bet(BetSpot::Double), On::Decide(Choice::Double)];
