//! Shared by the tests of the link.
#![allow(dead_code, reason = "each test uses what it needs of it")]

pub(crate) mod ends;
pub(crate) mod pair;
pub(crate) mod vectors;
