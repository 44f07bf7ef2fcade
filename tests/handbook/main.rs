//! The handbook of a regulation: its examples give the answers written beside them, its pages are what the code says,
//! and no provision is missing anywhere.

#[path = "../notation/mod.rs"]
mod notation;

mod examples;
