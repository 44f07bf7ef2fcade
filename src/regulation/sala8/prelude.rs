//! What the articles' files have in common.

pub(super) use crate::procedure::apply::Effect;
pub(super) use crate::procedure::duty::Part;
pub(super) use crate::procedure::marks::Mark;
pub(super) use crate::procedure::scene::{Role, Scene};
pub(super) use crate::regulation::{Article, Bi, Docket, Kind as Watched, On, Reading};
pub(super) use crate::table::event::Kind;
pub(super) use crate::table::{BetSpot, Event, HandId, Place, Severity};

/// Whether chips on a spot are still to be returned.
pub(super) fn returning(scene: &Scene<'_>, id: HandId, at: BetSpot) -> bool {
    let mut parts = scene.duties.iter().flat_map(|duty| &duty.parts);
    parts.any(|part| matches!(part, Part::Return { hand, spot, .. } if (*hand, *spot) == (id, at)))
}

/// The check of an article that gives no findings of its own.
pub(super) fn nothing(_: &Scene<'_>, _: &mut Docket<'_>) {}
