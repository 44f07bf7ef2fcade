//! What several tests use, with version 4 of the link.

#[path = "../common/ends.rs"]
pub(crate) mod ends;
#[path = "../common/pair.rs"]
pub(crate) mod pair;

/// The version that both sides speak.
pub(crate) const VERSION: sabot_wire::Version = sabot_wire::Version::Four;
