//! `sabot journal checkpoint`, `prove` and `check-proof`: what is shown to others without the record itself.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use sabot_journal::blocks::Blocks;
use sabot_journal::checkpoint::{Checkpoints, Stated, checkpoints_of, witnessed_of};
use sabot_journal::clock::utc;
use sabot_journal::note::PublicKey;
use sabot_journal::proof::{Proof, ProofError};

/// Prints the last signed checkpoint of a record
///
/// It says how many lines the record has and what they hash to, and bears the station's signature. Kept somewhere else,
/// it shows later that lines were changed or removed: `sabot journal verify --checkpoints`. It tells no covered card.
///
/// Exit status: 0 when it was printed, 1 when there is none.
///
/// Example: sabot journal checkpoint BJ-07.jsonl > monday.checkpoint
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct CheckpointArgs {
    /// The record.
    file: PathBuf,
    /// The last one that a witness has cosigned.
    #[arg(long)]
    witnessed: bool,
}

/// Prints the proof that a line is in the signed record
///
/// Whoever has the line, the proof and the public keys can check it without the record: `sabot journal check-proof`, or
/// any program that reads c2sp.org/tlog-proof. The record itself is only read.
///
/// The hashes in it are of other lines. No covered card can be found from them; whoever knows how lines are written
/// could guess what lies open, such as a bet, by trying.
///
/// Exit status: 0 when it was printed, 1 when no checkpoint covers the line or the record is not the signed one.
///
/// Example: sabot journal prove BJ-07.jsonl 41 > 41.tlog-proof
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ProveArgs {
    /// The record.
    file: PathBuf,
    /// Which line, from 1.
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    line: u64,
    /// Up to the first checkpoint that a witness has cosigned and that covers the line.
    #[arg(long)]
    witnessed: bool,
}

/// Checks the proof that a line is in a signed record, without the record
///
/// The line comes on standard input, as it stands in the record.
///
/// Exit status: 0 when the line is in the record that the key has signed, 1 when that is not shown.
///
/// Example: sabot journal check-proof 41.tlog-proof --key BJ-07.vkey < line
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct CheckProofArgs {
    /// The proof.
    proof: PathBuf,
    /// The station's public key, or a file that holds it.
    #[arg(long, value_name = "VKEY", value_parser = super::public_key)]
    key: PublicKey,
    /// A witness's public key, or a file that holds it: it must have cosigned too. May be given several times.
    #[arg(long, value_name = "VKEY", value_parser = super::public_key)]
    witness: Vec<PublicKey>,
}

#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("{}: {why}", path.display())]
    Io { path: PathBuf, why: io::Error },
    #[error("{}: there is no checkpoint{}", path.display(), .line.map(|line| format!(" that covers line {line}")).unwrap_or_default())]
    None { path: PathBuf, line: Option<u64> },
    #[error("{}: {why}", path.display())]
    Proof { path: PathBuf, why: ProofError },
}

impl Refused {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |why| Self::Io { path: path.to_path_buf(), why }
    }
}

/// The last checkpoint of a record, or the first that covers a line.
fn stated(record: &Path, witnessed: bool, line: Option<u64>) -> Result<Stated, Refused> {
    let path = if witnessed { witnessed_of(record) } else { checkpoints_of(record) };
    let file = File::open(&path).map_err(Refused::io(&path))?;
    let mut covered = false;
    let wanted = |stated: &Stated| match line {
        None => true,
        // only the first one
        Some(line) => stated.checkpoint.size >= line && !std::mem::replace(&mut covered, true),
    };
    let found = Checkpoints::new(BufReader::new(file)).last(wanted).map_err(Refused::io(&path))?;
    found.ok_or(Refused::None { path, line })
}

pub(super) fn checkpoint(args: &CheckpointArgs) -> ExitCode {
    super::told("checkpoint", stated(&args.file, args.witnessed, None).map(|stated| stated.note.to_string()))
}

pub(super) fn prove(args: &ProveArgs) -> ExitCode {
    let proof = || {
        let stated = stated(&args.file, args.witnessed, Some(args.line))?;
        let record = File::open(&args.file).map_err(Refused::io(&args.file))?;
        let mut record = BufReader::with_capacity(1 << 16, record);
        let proof =
            Proof::make(&mut record, &Blocks::of(&args.file), args.line, &stated).map_err(Refused::io(&args.file))?;
        proof.map_err(|why| Refused::Proof { path: args.file.clone(), why })
    };
    super::told("prove", proof().map(|proof| proof.to_string()))
}

pub(super) fn check_proof(args: &CheckProofArgs) -> ExitCode {
    super::told("check-proof", checked(args))
}

fn checked(args: &CheckProofArgs) -> Result<String, Refused> {
    let text = fs::read_to_string(&args.proof).map_err(Refused::io(&args.proof))?;
    let mut line = Vec::new();
    io::stdin().lock().read_to_end(&mut line).map_err(Refused::io(Path::new("standard input")))?;
    let line = line.strip_suffix(b"\n").unwrap_or(&line);
    let refused = |why| Refused::Proof { path: args.proof.clone(), why };
    let proof = Proof::parse(&text).map_err(refused)?;
    let keys: Vec<PublicKey> = std::iter::once(&args.key).chain(&args.witness).cloned().collect();
    let times = proof.check(line, &keys).map_err(refused)?;
    let mut told = format!(
        "this is line {} of the record {}, of which {} has signed {} lines\n",
        proof.line,
        proof.checkpoint.origin,
        args.key.name(),
        proof.checkpoint.size
    );
    for (key, time) in keys.iter().zip(times) {
        if let Some(time) = time {
            told.push_str(&format!("  seen by {} at {}\n", key.name(), utc(time.saturating_mul(1000))));
        }
    }
    Ok(told)
}
