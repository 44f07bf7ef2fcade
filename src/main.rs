//! The `sabot` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    let commit = Some(env!("SABOT_COMMIT")).filter(|commit| !commit.is_empty());
    sabot_cli::main(sabot_cli::Build { commit, committed: env!("SABOT_COMMITTED").parse().ok() })
}
