//! The `sabot` command.

fn main() {}
