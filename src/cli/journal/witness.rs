//! `sabot journal witness`: somebody who remembers the record, away from the station.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;

use sabot_journal::note::{KeyFileError, PrivateKey, PublicKey, Purpose};
use sabot_journal::witness::{WitnessError, Witnessed, cosign};

/// The witness's key in its folder.
const KEY: &str = "witness.key";

/// Holds a record against what a witness saw of it before, and cosigns its last checkpoint
///
/// DIR is the witness's folder, such as one on a USB stick that an inspector keeps: its key, made at the first call
/// with --name, and the last checkpoint it saw of each record. The witness cosigns only when the record still begins
/// with every line that it saw then; a shorter record and one that was rewritten and signed anew are refused and named.
/// The cosigned checkpoint is kept in DIR and added to FILE.witnessed, where `sabot journal verify --witness` finds it.
///
/// Exit status: 0 when it was cosigned, 1 when not.
///
/// Example: sabot journal witness BJ-07.jsonl /media/stick --key BJ-07.vkey
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct WitnessArgs {
    /// The record.
    file: PathBuf,
    /// The witness's folder.
    dir: PathBuf,
    /// The station's public key, or a file that holds it.
    #[arg(long, value_name = "VKEY", value_parser = super::public_key)]
    key: PublicKey,
    /// Name of the witness, without spaces, such as casino.example/stick-1. Makes its key; only for the first call.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error(transparent)]
    Key(#[from] KeyFileError),
    #[error("{}: {why}", file.display())]
    Witness { file: PathBuf, why: Box<WitnessError> },
}

pub(super) fn run(args: &WitnessArgs) -> ExitCode {
    super::told("witness", witness(args))
}

fn witness(args: &WitnessArgs) -> Result<String, Refused> {
    let path = args.dir.join(KEY);
    let key = match &args.name {
        Some(name) => PrivateKey::create(&path, name, Purpose::Witness)?,
        None => PrivateKey::load(&path, Purpose::Witness)?,
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let Witnessed { stated, before } = cosign(&args.file, &args.dir, &args.key, &key, now)
        .map_err(|why| Refused::Witness { file: args.file.clone(), why: Box::new(why) })?;
    let (size, origin) = (stated.checkpoint.size, &stated.checkpoint.origin);
    let since = match before {
        Some(before) => format!("which holds the {before} lines seen before"),
        None => "which this witness sees for the first time: is it the record that you expect?".to_owned(),
    };
    let (name, file) = (key.public().name(), args.file.display());
    Ok(format!("{file}: {name} has cosigned {size} lines of {origin}, {since}\n{}\n", key.public()))
}

/// Seconds since 1970 as a date and time, UTC.
pub(super) fn utc(unix_seconds: u64) -> String {
    let (mut days, seconds) = (unix_seconds / 86_400, unix_seconds % 86_400);
    // in eras of 400 years, whose year begins in March, so that a leap day is the last of one
    days += 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, january) = (day - (153 * month + 2) / 5 + 1, month >= 10);
    let month = if january { month - 9 } else { month + 3 };
    let year = era * 400 + year + u64::from(january);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02} UTC", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn seconds_are_told_as_the_calendar_has_them() {
        for (seconds, told) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_399, "2000-02-28 23:59:59 UTC"),
            (951_782_400, "2000-02-29 00:00:00 UTC"),
            (1_709_251_199, "2024-02-29 23:59:59 UTC"),
            (1_764_042_330, "2025-11-25 03:45:30 UTC"),
            (4_107_542_400, "2100-03-01 00:00:00 UTC"),
        ] {
            assert_eq!(utc(seconds), told);
        }
    }
}
