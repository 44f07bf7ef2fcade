//! Opening a pair where it may not be opened (O2, O3, T-P1 to T-P5, G13).

use crate::procedure::hand::Hand;
use crate::regulation::prelude::*;
use crate::regulation::shared::turns;
use crate::table::Cents;
use crate::table::event::Choice;

/// Why a split may not be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    /// Its cards are no pair.
    NoPair,
    /// It is a split ace, and such are not split again.
    SplitAce,
    /// The box is split into as many hands as it may be.
    Limit,
    /// The chips are not another equal stake.
    Amount,
}

/// A split that may not be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Refused {
    /// Which hand.
    pub(crate) id: HandId,
    /// Why.
    pub(crate) reason: Reason,
    /// What may go on lying on the spot.
    stays: Cents,
    /// A pair of aces, or one just split.
    pub(crate) aces: bool,
}

impl Refused {
    /// Raises a case for it, and has the chips returned.
    pub(crate) fn raise(&self, case: &'static Case, context: &Context<'_>, findings: &mut Findings<'_>) {
        findings.refuse_chips(case, context, self.id, BetSpot::Split, self.stays);
    }
}

/// A split chosen in words or by placing chips.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked {
    /// Which hand.
    pub(crate) id: HandId,
    /// What then lies on its spot, where chips are placed.
    pub(crate) chips: Option<Cents>,
    /// The split was made already, by the word that these chips follow or by the chips that this word follows.
    pub(crate) follows: bool,
}

impl Asked {
    /// This split, as one whose chips come after its card.
    fn late(self, context: &Context<'_>) -> Refused {
        self.refused(Reason::Amount, context)
    }

    /// This split, as one that may not be.
    pub(crate) fn refused(self, reason: Reason, context: &Context<'_>) -> Refused {
        let hand = context.state.pass.hand(self.id);
        let is_pair = |hand: &Hand| hand.is_pair(context.settings.split.pairs);
        let aces = hand.is_some_and(|hand| hand.begins_with_ace() && (is_pair(hand) || self.follows));
        Refused { id: self.id, reason, stays: context.state.pass.counted(self.id, BetSpot::Split), aces }
    }
}

/// The split that an event asks for, by chips on the split spot or in words.
pub(crate) fn asked(context: &Context<'_>) -> Option<Asked> {
    let state = context.state;
    let (id, chips) = match context.event {
        Event::Bet { hand, spot: BetSpot::Split, amount, .. }
            if *amount > 0 && *amount != state.pass.lies_on(*hand, BetSpot::Split) =>
        {
            (*hand, Some(*amount))
        }
        Event::Decide { hand, choice: Choice::Split, .. } => (*hand, None),
        _ => return None,
    };
    let betting_box = state.pass.betting_box(id.box_no)?;
    let said = if chips.is_some() { betting_box.splits_paid } else { betting_box.splits_chosen };
    let follows = betting_box.is_opened(usize::from(id.hand), said);
    Some(Asked { id, chips, follows })
}

/// A split asked for where it may not be.
pub(crate) fn refused(context: &Context<'_>) -> Option<Refused> {
    let (state, settings) = (context.state, context.settings);
    let asked = asked(context)?;
    let hand = state.pass.hand(asked.id);
    let in_play = state.pass.betting_box(asked.id.box_no)?.hands_in_play;
    let opens = hand.is_some_and(|hand| {
        let is_over = hand.void || turns::has_stood(hand, context);
        !is_over && (hand.is_pair(settings.split.pairs) || hand.is_covered() || hand.is_unread())
    });
    let reason = match asked.chips {
        _ if asked.follows => None,
        _ if !opens => Some(Reason::NoPair),
        _ if !settings.split.aces_again && hand.is_some_and(Hand::is_split_ace) => Some(Reason::SplitAce),
        _ if in_play >= usize::from(settings.split.max_hands) => Some(Reason::Limit),
        _ => None,
    };
    let added = |amount: Cents| amount.saturating_sub(hand.map_or(0, |hand| hand.split_by));
    let wrong_amount = || {
        asked.chips.is_some_and(|amount| Some(added(amount)) != hand.map(|hand| hand.stake)).then_some(Reason::Amount)
    };
    Some(asked.refused(reason.or_else(wrong_amount)?, context))
}

/// A split opened in words of which a card comes before its chips lie there (Reading 24).
pub(crate) fn unpaid(context: &Context<'_>) -> Option<Refused> {
    let id = context.meaning.drawn.filter(|drawn| drawn.role == Role::SplitSecond)?.hand()?;
    let betting_box = context.state.pass.betting_box(id.box_no)?;
    let opened = HandId { box_no: id.box_no, hand: u8::try_from(betting_box.split_last).ok()? };
    let is_unpaid = betting_box.in_play().iter().any(Hand::is_unpaid_half);
    let asked = Asked { id: opened, chips: None, follows: true };
    is_unpaid.then(|| asked.late(context))
}

/// Chips for a split chosen in words of which one hand has got a card already.
fn comes_late(asked: Asked, context: &Context<'_>) -> bool {
    let halves = context.state.pass.betting_box(asked.id.box_no).map_or(&[][..], |betting_box| betting_box.in_play());
    let has_card =
        |(n, half): (usize, &Hand)| half.count() > 1 && (half.is_unpaid_half() || n == usize::from(asked.id.hand));
    asked.follows && halves.iter().any(Hand::is_unpaid_half) && halves.iter().enumerate().any(has_card)
}

/// Raises a case where a card comes to an opened hand before its chips lie there. Chips that come later are refused by
/// the same finding.
pub(crate) fn check_unpaid(
    case: &'static Case,
    is_its: impl Fn(&Refused) -> bool,
    context: &Context<'_>,
    findings: &mut Findings<'_>,
) {
    let chips = asked(context).filter(|asked| asked.chips.is_some());
    if chips.is_some_and(|asked| findings.knows(case, Place::from(asked.id))) {
        findings.ignore_event();
    } else if let Some(refused) = chips.filter(|asked| comes_late(*asked, context)).map(|asked| asked.late(context)) {
        if is_its(&refused) {
            refused.raise(case, context, findings);
        }
    } else if let Some(refused) = unpaid(context).filter(is_its)
        && !findings.knows(case, Place::from(refused.id))
        && !(findings.knows_any(Place::from(refused.id)) && is_returning(context, refused.id, BetSpot::Split))
    {
        findings.raise(case, Place::from(refused.id)).give_back(refused.id, BetSpot::Split, refused.stays);
    }
}

/// What an article on splitting has to look at.
pub(crate) const ON: &[On] = &[On::Bet(BetSpot::Split), On::Decide(Choice::Split)];

/// What an article on chips that are missing has to look at.
pub(crate) const UNPAID_ON: &[On] = &[On::Bet(BetSpot::Split), On::Decide(Choice::Split), On::Card(Role::SplitSecond)];
