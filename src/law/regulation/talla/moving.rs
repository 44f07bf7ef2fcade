//! Whether a player may move the bank (T-B5 to T-B8).

use crate::procedure::bankers::Claim;
use crate::regulation::prelude::*;
use crate::table::Name;
use crate::table::event::BankChange;

/// Why the bank may not be moved; each is a case of one article.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WrongMove {
    ByTurn,
    WhileDealing,
    NoBlackjack,
    AlreadyUsed,
    BlackjackOnSplit,
    FirstPass,
    BankTied,
}

/// Raises a case of the article that is checked if the bank is moved though it may not be: at the player's box, where
/// he has one.
pub(super) fn check(own: &[(WrongMove, &'static Case)], context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some((wrong, place)) = refused(context)
        && let Some(case) = case_of(own, wrong)
    {
        findings.raise(case, place).no_effect();
    }
}

fn refused(context: &Context<'_>) -> Option<(WrongMove, Option<Place>)> {
    let Event::Bank { how, player, by, .. } = context.event else { return None };
    let who = match how {
        BankChange::Drawn => return None,
        BankChange::Taken | BankChange::Turn => player.as_ref().or(by.as_ref()),
        BankChange::Left | BankChange::Returned => by.as_ref().or(player.as_ref()),
        BankChange::Given | BankChange::Sold => by.as_ref(),
    };
    let state = context.state;
    let own = |claim: &&Claim| who.is_none() || claim.player.is_none() || claim.player.as_ref() == who;
    let all = state.claims();
    let claims = || all.iter().filter(own);
    let unsplit = || claims().filter(|claim| !claim.split);
    let moves = |claim: &Claim| !claim.split && !claim.first_pass && !claim.tied;
    let case = match how {
        BankChange::Turn => WrongMove::ByTurn,
        _ if !state.bank_may_move() => WrongMove::WhileDealing,
        _ if state.claims_are_guessed() || claims().any(|claim| claim.unsure) => return None,
        _ if claims().next().is_none() => WrongMove::NoBlackjack,
        _ if state.has_bank_moved() || claims().all(|claim| claim.waived) => WrongMove::AlreadyUsed,
        // who leaves the bank with the dealer does not move it
        BankChange::Left => return None,
        _ if claims().any(moves) => return None,
        _ if unsplit().next().is_none() => WrongMove::BlackjackOnSplit,
        _ if unsplit().all(|claim| claim.first_pass) => WrongMove::FirstPass,
        _ => WrongMove::BankTied,
    };
    let at = |box_no: u8| Place::from(HandId::first(box_no));
    let bets = |who: &Name| state.box_of(who);
    let place = claims().next().map(|claim| claim.box_no).filter(|_| case != WrongMove::WhileDealing);
    Some((case, place.or_else(|| who.and_then(bets)).map(at)))
}

/// What an article on moving the bank has to look at.
pub(super) const ON: &[On] = &[On::Event(Kind::Bank)];
