//! What the articles' files have in common.

pub(crate) use crate::procedure::apply::Effect;
pub(crate) use crate::procedure::context::{Context, Role};
pub(crate) use crate::procedure::duty::Part;
pub(crate) use crate::procedure::hand_index::Status;
pub(crate) use crate::procedure::known::Facts;
pub(crate) use crate::procedure::mistakes::{Mistake, MistakeKind};
#[rustfmt::skip]
pub(crate) use crate::procedure::known::Fact::{
    Announcements, Asks, Bets, Cards, Choices, CutCard, Decisions, Faces, Hands, Moves, Offers, Places, Retired, Shoe,
    Shuffles, Turns,
};
pub(crate) use crate::regulation::{Article, Bi, Case, Findings, On, Reading};
pub(crate) use crate::table::event::Kind;
pub(crate) use crate::table::{BetSpot, Event, HandId, Place, Severity};

/// Whether chips on a spot are still to be returned.
pub(crate) fn is_returning(context: &Context<'_>, id: HandId, at: BetSpot) -> bool {
    let mut parts = context.duties.parts_awake();
    parts.any(|part| matches!(part, Part::Return { hand, spot, .. } if (*hand, *spot) == (id, at)))
}

/// The case that an article has of what several articles look at together: `own` is its part of that.
pub(crate) fn case_of<K: PartialEq>(own: &[(K, &'static Case)], kind: K) -> Option<&'static Case> {
    own.iter().find(|(known, _)| *known == kind).map(|(_, case)| *case)
}

/// Several lists of what an article has to look at, as one.
macro_rules! on {
    ($($list:expr),+ $(,)?) => {{
        const LISTS: &[&[On]] = &[$($list),+];
        const ALL: [On; $crate::regulation::prelude::length(LISTS)] = $crate::regulation::prelude::joined(LISTS);
        &ALL
    }};
}
pub(crate) use on;

/// How many they are together.
pub(crate) const fn length(lists: &[&[On]]) -> usize {
    let (mut sum, mut n) = (0, 0);
    while n < lists.len() {
        sum += lists[n].len();
        n += 1;
    }
    sum
}

/// All of them, in order; `N` is their [`length`].
pub(crate) const fn joined<const N: usize>(lists: &[&[On]]) -> [On; N] {
    let mut all = [On::Close; N];
    let (mut at, mut n) = (0, 0);
    while n < lists.len() {
        let mut m = 0;
        while m < lists[n].len() {
            all[at] = lists[n][m];
            (at, m) = (at + 1, m + 1);
        }
        n += 1;
    }
    all
}
