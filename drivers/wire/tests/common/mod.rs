//! Shared by the tests of the link.

pub(crate) mod vectors;
