//! Which article a wrong payment or collection is broken under: one of them, and only one.

use alloc::vec::Vec;

use crate::regulation::prelude::*;
use crate::regulation::shared::money::{self, Mistake, Wrong};
use crate::table::{Cents, Outcome};

/// The articles that have to do with money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Under {
    /// A winning Black Jack; what a bank's Black Jack collects.
    B2,
    /// The bank's Black Jack wins.
    B3,
    /// Only a Black Jack ties with a Black Jack.
    B4,
    /// A split Black Jack pays single.
    B8,
    /// A split Black Jack ties with the bank's.
    B9,
    /// Single pay.
    S9,
    /// An insured Black Jack ties with the bank's.
    S10,
    /// Half of an even stake.
    R2,
    /// Half of an odd one.
    R3,
    /// A hand over 21.
    Q6,
    /// A tie without Black Jacks.
    Q7,
    /// No article of its own: T0.
    Room,
}

/// The mistakes an event makes with main bets that are broken under one article.
pub(super) fn mistakes<'a>(under: Under, context: &Context<'a>) -> Vec<Mistake<'a>> {
    let mut mistakes = money::mistakes(context);
    mistakes.retain(|mistake| self::under(context, mistake) == under);
    mistakes
}

fn under(context: &Context<'_>, mistake: &Mistake<'_>) -> Under {
    let Mistake { hand, owed, wrong, .. } = mistake;
    let bank = &context.state.pass.bank;
    let bank_has_blackjack = bank.had_blackjack || bank.is_blackjack();
    match owed.outcome {
        _ if hand.void || hand.lost => Under::Room,
        Outcome::Surrender if is_even(hand.at_stake(), owed.lost) => Under::R2,
        Outcome::Surrender => Under::R3,
        _ if hand.even_money => Under::S9,
        Outcome::Blackjack if *wrong == Wrong::Collected && bank.total() == Some(21) => Under::B4,
        Outcome::Blackjack if *wrong == Wrong::Collected => Under::Room,
        Outcome::Blackjack if hand.split => Under::B8,
        Outcome::Blackjack => Under::B2,
        Outcome::Push if bank_has_blackjack && hand.split => Under::B9,
        Outcome::Push if bank_has_blackjack && hand.insurance > 0 => Under::S10,
        Outcome::Push if bank_has_blackjack => Under::B4,
        Outcome::Push => Under::Q7,
        Outcome::Lose if hand.points().is_some_and(|points| points > 21) => match wrong {
            Wrong::Part => Under::Room,
            _ => Under::Q6,
        },
        Outcome::Lose if bank_has_blackjack => match wrong {
            Wrong::Part => Under::B2,
            Wrong::Unsettled if hand.points() == Some(21) => Under::B4,
            _ => Under::B3,
        },
        _ => Under::Room,
    }
}

/// Half a stake is exactly that: nothing had to be rounded.
fn is_even(stake: Cents, half: Cents) -> bool {
    half.saturating_mul(2) == stake
}

/// The cases of an article on what is paid and collected.
#[derive(Debug)]
pub(super) struct Cases {
    /// A payment is wrong.
    pub(super) paid: &'static Case,
    /// A collection is wrong.
    pub(super) collected: &'static Case,
    /// At the end of the pass neither was done.
    pub(super) unsettled: &'static Case,
}

/// Raises a case for each mistake under an article.
pub(super) fn check(under: Under, cases: &Cases, context: &Context<'_>, findings: &mut Findings<'_>) {
    for mistake in mistakes(under, context) {
        let case = match mistake.wrong {
            Wrong::Paid | Wrong::Amount => cases.paid,
            Wrong::Collected | Wrong::Part => cases.collected,
            Wrong::Unsettled => cases.unsettled,
        };
        findings.raise(case, mistake.place());
    }
}
