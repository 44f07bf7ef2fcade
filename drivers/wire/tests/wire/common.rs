//! Shared by the tests of the link.
pub(crate) mod ends;
pub(crate) mod pair;
pub(crate) mod vectors;
