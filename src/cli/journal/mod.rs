//! `sabot journal`: looks after the record of a table.

mod compare;
mod days;
mod dossier;
mod export;
mod find;
mod keys;
mod open;
mod pdf;
pub(crate) mod period;
mod proofs;
mod report;
pub(crate) mod sheet;
mod show;
mod then;
mod verify;
mod witness;

use std::fs;
use std::io::{BufRead, Read};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::out::say_err;
use sabot_journal::note::{KeyFileError, PublicKey};
use sabot_journal::reader_key::ReaderKey;
use sabot_journal::{Chain, packed};

/// More bytes of a first line are not read.
const FIRST_LINE: u64 = 1 << 20;

/// Checks the record of a table, and shows to others that nobody rewrote it.
#[derive(Debug, Args)]
pub(crate) struct JournalArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Verify(verify::VerifyArgs),
    Compare(compare::CompareArgs),
    Dossier(dossier::DossierArgs),
    Report(report::ReportArgs),
    Export(export::ExportArgs),
    Key(keys::KeyArgs),
    Find(find::FindArgs),
    Show(show::ShowArgs),
    Open(open::OpenArgs),
    Checkpoint(proofs::CheckpointArgs),
    Prove(proofs::ProveArgs),
    CheckProof(proofs::CheckProofArgs),
    Witness(witness::WitnessArgs),
    Days(days::DaysArgs),
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &JournalArgs) -> ExitCode {
    super::log::to_stderr();
    match &args.command {
        Command::Verify(args) => verify::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Dossier(args) => dossier::run(args),
        Command::Report(args) => report::run(args),
        Command::Export(args) => export::run(args),
        Command::Key(args) => keys::run(args),
        Command::Find(args) => find::run(args),
        Command::Show(args) => show::run(args),
        Command::Open(args) => open::run(args),
        Command::Checkpoint(args) => proofs::checkpoint(args),
        Command::Prove(args) => proofs::prove(args),
        Command::CheckProof(args) => proofs::check_proof(args),
        Command::Witness(args) => witness::run(args),
        Command::Days(args) => days::run(args),
    }
}

/// These records, each once: the same one given again, packed or not, would count twice. Standard error says so.
fn once<'a>(command: &str, files: &'a [PathBuf]) -> Vec<&'a PathBuf> {
    let mut seen: Vec<(Vec<u8>, &PathBuf)> = Vec::new();
    let mut counted = Vec::new();
    for file in files {
        let mut first = Vec::new();
        let read = packed::read(file).and_then(|record| record.take(FIRST_LINE).read_until(b'\n', &mut first));
        let is_record = read.is_ok() && Chain::said(first.trim_ascii_end()).is_ok();
        match seen.iter().find(|(line, _)| is_record && *line == first) {
            Some((_, other)) => {
                let (file, other) = (file.display(), other.display());
                say_err!("sabot journal {command}: {file}: the same record as {other}: it counts once");
            }
            None => {
                seen.push((first, file));
                counted.push(file);
            }
        }
    }
    counted
}

/// What a record tells, as a terminal may show it: what would steer the terminal, or turn text round, stands there as
/// its number.
fn shown(text: &str) -> String {
    let steers = |c: char| {
        c.is_control() && c != '\n'
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if steers(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    shown
}

/// Ends a subcommand: its text on standard output, or why not, with status 1.
fn told(command: &str, told: Result<String, impl std::fmt::Display>) -> ExitCode {
    match told {
        Ok(text) => {
            crate::out::write(format_args!("{}", shown(&text)));
            ExitCode::SUCCESS
        }
        Err(why) => {
            say_err!("sabot journal {command}: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Readers' private keys in these files.
///
/// # Errors
/// When one cannot be used.
pub(crate) fn reader_keys(files: &[PathBuf]) -> Result<Vec<ReaderKey>, KeyFileError> {
    files.iter().map(|file| ReaderKey::load(file)).collect()
}

/// A public key on the command line: itself, or a file that holds it.
fn public_key(text: &str) -> Result<PublicKey, String> {
    if text.contains('+') {
        return text.parse().map_err(|why| format!("{why}"));
    }
    let held = fs::read_to_string(text).map_err(|why| format!("{text}: {why}; a key reads NAME+NUMBER+BASE64"))?;
    held.parse().map_err(|why| format!("{text}: {why}"))
}
