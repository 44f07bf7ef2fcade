//! Whether a player may move the bank (T-B5 to T-B8).

use crate::procedure::bankers::Claim;
use crate::regulation::prelude::*;
use crate::table::Name;
use crate::table::event::BankChange;

/// Why the bank does not move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// It moves by no turn here.
    Turn,
    /// A pass is being dealt.
    Dealing,
    /// He had no Black Jack in the pass that ended last.
    NoBlackjack,
    /// He left it with the dealer, or another has used his right.
    Used,
    /// His only Black Jack came on a split.
    Split,
    /// It came in the first pass since the bank was drawn for.
    FirstPass,
    /// The bank had a Black Jack too.
    Tied,
}

/// Raises a case at the player's box, where he has one, if the bank is moved though it may not be for that reason.
pub(super) fn check(why: Why, case: &'static Case, context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some((found, place)) = refused(context)
        && found == why
    {
        findings.raise(case, place).no_effect();
    }
}

fn refused(context: &Context<'_>) -> Option<(Why, Option<Place>)> {
    let Event::Bank { how, player, by, .. } = context.event else { return None };
    let who = match how {
        BankChange::Drawn => return None,
        BankChange::Taken | BankChange::Turn => player.as_ref().or(by.as_ref()),
        BankChange::Left | BankChange::Returned => by.as_ref().or(player.as_ref()),
        BankChange::Given | BankChange::Sold => by.as_ref(),
    };
    let state = context.state;
    let own = |claim: &&Claim| who.is_none() || claim.player.is_none() || claim.player.as_ref() == who;
    let claims = || state.bankers.claims.iter().filter(own);
    let unsplit = || claims().filter(|claim| !claim.split);
    let moves = |claim: &Claim| !claim.split && !claim.first_pass && !claim.tied;
    let why = match how {
        BankChange::Turn => Why::Turn,
        _ if state.pass.dealing => Why::Dealing,
        _ if claims().next().is_none() => Why::NoBlackjack,
        _ if state.bankers.moved || claims().all(|claim| claim.waived) => Why::Used,
        // to leave it with the dealer moves nothing
        BankChange::Left => return None,
        _ if claims().any(moves) => return None,
        _ if unsplit().next().is_none() => Why::Split,
        _ if unsplit().all(|claim| claim.first_pass) => Why::FirstPass,
        _ => Why::Tied,
    };
    let at = |box_no: u8| Place::from(HandId::first(box_no));
    let bets = |who: &Name| state.box_of(who);
    let place = claims().next().map(|claim| claim.box_no).filter(|_| why != Why::Dealing);
    Some((why, place.or_else(|| who.and_then(bets)).map(at)))
}

/// What an article on moving the bank has to look at.
pub(super) const ON: &[On] = &[On::Event(Kind::Bank)];
