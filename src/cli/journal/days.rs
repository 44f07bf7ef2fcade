//! `sabot journal days`: the closed gaming days of a record, and removing old ones.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use sabot_journal::audit::{Trust, audit};
use sabot_journal::checkpoint::{checkpoints_of, witnessed_of};
use sabot_journal::days;
use sabot_journal::note::PublicKey;

use super::period::House;
use crate::out::{say, say_err};

/// Lists the closed gaming days of a record, and removes those that are old
///
/// Where `gaming_day` is configured, the station closes the record of the day before at that hour, or as soon after as
/// nothing lies on the felt, and packs it into FILE.days, with its checkpoints. Every command here reads a packed day
/// as it is; `zcat` unpacks it. Each day's line says when it was begun, its lines, its bytes packed, and with --witness
/// which of them has seen it whole.
///
/// --remove-older removes days that ended so many days ago, each only when a witness has cosigned all of its lines. Its
/// checkpoints stay, and bear out copies of it elsewhere.
///
/// Exit status: 0 when all was done, 1 when a day that is older is kept, 2 when a file cannot be read.
///
/// Example: sabot journal days BJ-07.jsonl --key BJ-07.vkey --witness stick.vkey --remove-older 400
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct DaysArgs {
    /// The record: the file that `journal` names in the table's configuration.
    file: PathBuf,
    /// The station's public key, or a file that holds it. Several times, where it had another one before.
    #[arg(long, value_name = "VKEY", value_parser = super::public_key)]
    key: Vec<PublicKey>,
    /// A witness's public key, or a file that holds it. May be given several times.
    #[arg(long, value_name = "VKEY", value_parser = super::public_key, requires = "key")]
    witness: Vec<PublicKey>,
    /// Remove days that ended so many days ago.
    #[arg(long, value_name = "DAYS", requires = "witness")]
    remove_older: Option<u64>,
    #[command(flatten)]
    house: House,
}

pub(super) fn run(args: &DaysArgs) -> ExitCode {
    match list(args) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(why) => {
            say_err!("sabot journal days: {}: {why}", args.file.display());
            ExitCode::from(2)
        }
    }
}

/// Lists them, and removes what is to be removed; how many could not be.
fn list(args: &DaysArgs) -> io::Result<u32> {
    if !days::days_of(&args.file).exists() {
        fs::metadata(&args.file)?;
    }
    let old = args.remove_older.map(|days| days::older(&args.file, days)).transpose()?.unwrap_or_default();
    let mut kept = 0;
    for day in days::closed(&args.file)? {
        say!("{}", super::shown(&told(args, &day)?));
        if old.contains(&day) {
            match days::remove(&day, &args.key, &args.witness) {
                Ok(()) => say!("  removed"),
                Err(why) => {
                    kept += 1;
                    say_err!("sabot journal days: {}: kept: {why}", day.display());
                }
            }
        }
    }
    Ok(kept)
}

fn told(args: &DaysArgs, day: &Path) -> io::Result<String> {
    let trust = Trust { stations: args.key.clone(), witnesses: args.witness.clone(), closed: false };
    let report = audit(day, &[checkpoints_of(day), witnessed_of(day)], &trust)?;
    let (lines, bytes) = (report.verified.lines, fs::metadata(day)?.len());
    let seen = report.seen.iter().filter(|(_, seen)| seen.is_some_and(|(seen, _)| seen == lines));
    let seen: Vec<&str> = seen.map(|(name, _)| name.as_str()).collect();
    let seen = if seen.is_empty() { String::new() } else { format!(", seen whole by {}", seen.join(", ")) };
    let began = args.house.of(day).second(days::beginning(day)?.0);
    Ok(format!("{began} {}: {lines} lines, {bytes} bytes{seen}", day.display()))
}
