//! Which article a wrong payment or collection is broken under: one of them, and only one.

use alloc::vec::Vec;

use super::{
    b02_what_a_blackjack_pays, b03_the_banks_blackjack, b04_what_ties_with_a_blackjack, b08_blackjack_on_a_split,
    b09_a_split_blackjack_ties, q06_over_21, q07_ties, r02_half_is_given_up, r03_odd_halves, s09_single_pay,
    s10_both_blackjack, t00_the_room_decides,
};
use crate::regulation::prelude::*;
use crate::regulation::shared::money::{self, Mistake, MistakeKind};
use crate::table::{Cents, Outcome};

/// The mistakes an event makes with main bets that are broken under an article.
pub(super) fn mistakes<'a>(article: &Article, context: &Context<'a>) -> Vec<Mistake<'a>> {
    let mut mistakes = money::mistakes(context);
    mistakes.retain(|mistake| article_of(context, mistake) == article);
    mistakes
}

/// The one article that a mistake is broken under. T0 has what no other names.
fn article_of(context: &Context<'_>, mistake: &Mistake<'_>) -> &'static Article {
    let Mistake { hand, owed, kind, .. } = mistake;
    let bank = &context.state.pass.bank;
    let bank_has_blackjack = bank.had_blackjack || bank.is_blackjack();
    match owed.outcome {
        _ if hand.void || hand.lost => &t00_the_room_decides::ARTICLE,
        Outcome::Surrender if is_even(hand.at_stake(), owed.lost) => &r02_half_is_given_up::ARTICLE,
        Outcome::Surrender => &r03_odd_halves::ARTICLE,
        _ if hand.even_money => &s09_single_pay::ARTICLE,
        Outcome::Blackjack if *kind == MistakeKind::NothingLost && bank.total() == Some(21) => {
            &b04_what_ties_with_a_blackjack::ARTICLE
        }
        Outcome::Blackjack if *kind == MistakeKind::NothingLost => &t00_the_room_decides::ARTICLE,
        Outcome::Blackjack if hand.split => &b08_blackjack_on_a_split::ARTICLE,
        Outcome::Blackjack => &b02_what_a_blackjack_pays::ARTICLE,
        Outcome::Push if bank_has_blackjack && hand.split => &b09_a_split_blackjack_ties::ARTICLE,
        Outcome::Push if bank_has_blackjack && hand.insurance > 0 => &s10_both_blackjack::ARTICLE,
        Outcome::Push if bank_has_blackjack => &b04_what_ties_with_a_blackjack::ARTICLE,
        Outcome::Push => &q07_ties::ARTICLE,
        Outcome::Lose if hand.points().is_some_and(|points| points > 21) => match kind {
            MistakeKind::WrongCollection => &t00_the_room_decides::ARTICLE,
            _ => &q06_over_21::ARTICLE,
        },
        Outcome::Lose if bank_has_blackjack => match kind {
            MistakeKind::WrongCollection => &b02_what_a_blackjack_pays::ARTICLE,
            MistakeKind::Unsettled if hand.points() == Some(21) => &b04_what_ties_with_a_blackjack::ARTICLE,
            _ => &b03_the_banks_blackjack::ARTICLE,
        },
        _ => &t00_the_room_decides::ARTICLE,
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

/// Raises a case for each mistake under the article that is checked.
pub(super) fn check(cases: &Cases, context: &Context<'_>, findings: &mut Findings<'_>) {
    for mistake in mistakes(findings.article(), context) {
        let case = match mistake.kind {
            MistakeKind::NothingOwed | MistakeKind::WrongPayment => cases.paid,
            MistakeKind::NothingLost | MistakeKind::WrongCollection => cases.collected,
            MistakeKind::Unsettled => cases.unsettled,
        };
        findings.raise(case, mistake.place());
    }
}
