//! The command line: one file a subcommand.

pub mod replay;
pub mod score;
pub mod simulate;
