//! The `sabot` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    sabot_cli::main()
}
