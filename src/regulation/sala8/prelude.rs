//! What the articles' files have in common.

pub(super) use crate::procedure::apply::Effect;
pub(super) use crate::procedure::scene::{Role, Scene};
pub(super) use crate::regulation::{Article, Bi, Docket, Kind as Watched, Reading};
pub(super) use crate::table::event::Kind;
pub(super) use crate::table::{BetSpot, Event, HandId, Place, Severity};

/// The check of an article that gives no findings of its own.
pub(super) fn nothing(_: &Scene<'_>, _: &mut Docket<'_>) {}
