//! Rules of this repository that no compiler holds, as tests: `cargo test -p sabot-house-rules`.
//!
//! Each rule is a function from the tree of files to what is wrong in it. It is held twice: against the repository,
//! where it must find nothing, and against a small sample, where it must find what is wrong there.

#[cfg(test)]
mod arrows;
#[cfg(test)]
mod circles;
#[cfg(test)]
mod commands;
#[cfg(test)]
mod dead;
#[cfg(test)]
mod markdown;
#[cfg(test)]
mod promises;
#[cfg(test)]
mod provisions;
#[cfg(test)]
mod shape;
#[cfg(test)]
mod source;
#[cfg(test)]
mod tree;
