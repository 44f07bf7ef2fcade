//! `sabot manuals`: what a package installs beside the program and is drawn from the commands themselves.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::out::say_err;
use clap::Args;
use clap_complete::{Shell, generate_to};

/// Writes the manual pages and the completions of bash, zsh and fish into a folder
///
/// FOLDER/man1/sabot.1 and a page for each subcommand, FOLDER/completions/sabot.bash, _sabot and sabot.fish. The
/// package is built with them (packaging/deb).
///
/// Example: sabot manuals target/package
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct ManualsArgs {
    /// Where they go; made where it is not there.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &ManualsArgs) -> ExitCode {
    match write(&args.folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            say_err!("sabot manuals: {}: {why}\n  = name a folder that this user can write", args.folder.display());
            ExitCode::FAILURE
        }
    }
}

fn write(folder: &Path) -> io::Result<()> {
    let mut command = super::command();
    // a hash a regulation is nothing for a page's foot
    command = command.long_version(super::version::short()).disable_help_subcommand(true);
    command.build();
    let (pages, completions) = (folder.join("man1"), folder.join("completions"));
    fs::create_dir_all(&pages)?;
    fs::create_dir_all(&completions)?;
    clap_mangen::generate_to(command.clone(), &pages)?;
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        generate_to(shell, &mut command, "sabot", &completions)?;
    }
    Ok(())
}
