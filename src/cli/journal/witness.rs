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
    #[error("{}: this is no folder; make that folder first, or mount the stick", .0.display())]
    NoFolder(PathBuf),
    #[error("{}: this witness has its key; leave --name out, which makes one", .0.display())]
    HasKey(PathBuf),
    #[error("{}: {why}", file.display())]
    Witness { file: PathBuf, why: Box<WitnessError> },
}

pub(super) fn run(args: &WitnessArgs) -> ExitCode {
    super::told("witness", witness(args))
}

fn witness(args: &WitnessArgs) -> Result<String, Refused> {
    let path = args.dir.join(KEY);
    if !args.dir.is_dir() {
        return Err(Refused::NoFolder(args.dir.clone()));
    }
    if args.name.is_some() && path.exists() {
        return Err(Refused::HasKey(path));
    }
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
