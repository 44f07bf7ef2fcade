//! What several tests use, with version 2 of the link.

pub(crate) mod ends;
pub(crate) mod pair;
pub(crate) mod vectors;

/// The version that both sides speak.
pub(crate) const VERSION: sabot_wire::Version = sabot_wire::Version::Two;
