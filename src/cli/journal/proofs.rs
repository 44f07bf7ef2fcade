//! `sabot journal checkpoint`, `prove` and `check-proof`: what is shown to others without the record itself.

use std::fs::{self, File};
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use sabot_journal::blocks::Blocks;
use sabot_journal::checkpoint::{Checkpoint, Checkpoints, Stated, checkpoints_of, witnessed_of};
use sabot_journal::note::PublicKey;
use sabot_journal::proof::{Proof, ProofError};
use sabot_journal::{Fault, follows, packed};
use sabot_law::table::LineNo;

use super::period::House;

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
/// The line comes on standard input, as it stands in the record; or several that follow one another, as a dossier has
/// them: the proof is that of the last one, and the chain leads to it from the second. The first one is there for its
/// chain alone, unless it is line 1.
///
/// Exit status: 0 when all of it is in the record that the key has signed, 1 when that is not shown.
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
    #[command(flatten)]
    house: House,
}

/// Why there is no proof, or it proves nothing.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoProof {
    #[error("{}: {why}", path.display())]
    Io { path: PathBuf, why: io::Error },
    #[error("{}: there is no checkpoint{}", path.display(), .line.map(|line| format!(" that covers line {line}")).unwrap_or_default())]
    None { path: PathBuf, line: Option<u64> },
    #[error("{}: {why}", path.display())]
    Proof { path: PathBuf, why: ProofError },
    #[error("standard input: {0}")]
    Chain(Fault),
}

impl NoProof {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |why| Self::Io { path: path.to_path_buf(), why }
    }
}

/// The last checkpoint of a record, or the first that covers a line.
fn stated(record: &Path, witnessed: bool, line: Option<u64>) -> Result<Stated, NoProof> {
    let path = if witnessed { witnessed_of(record) } else { checkpoints_of(record) };
    let file = File::open(&path).map_err(NoProof::io(&path))?;
    let mut covered = false;
    let wanted = |stated: &Stated| match line {
        None => true,
        // only the first one
        Some(line) => stated.checkpoint.size >= line && !std::mem::replace(&mut covered, true),
    };
    let found = Checkpoints::new(BufReader::new(file)).last(wanted).map_err(NoProof::io(&path))?;
    found.ok_or(NoProof::None { path, line })
}

pub(super) fn checkpoint(args: &CheckpointArgs) -> ExitCode {
    super::told("checkpoint", stated(&args.file, args.witnessed, None).map(|stated| stated.note.to_string()))
}

pub(super) fn prove(args: &ProveArgs) -> ExitCode {
    let proof = || led_to(&args.file, args.line, &stated(&args.file, args.witnessed, Some(args.line))?);
    super::told("prove", proof().map(|proof| proof.to_string()))
}

/// The proof of a line of a record; none where no checkpoint covers it.
///
/// # Errors
/// When something cannot be read, or the record is not the signed one.
pub(super) fn proof(record: &Path, line: LineNo, witnessed: bool) -> Result<Option<Proof>, NoProof> {
    match stated(record, witnessed, Some(line)) {
        Err(NoProof::None { .. }) => Ok(None),
        Err(NoProof::Io { why, .. }) if why.kind() == io::ErrorKind::NotFound => Ok(None),
        stated => led_to(record, line, &stated?).map(Some),
    }
}

/// The proof of a line that leads to a checkpoint.
fn led_to(record: &Path, line: LineNo, stated: &Stated) -> Result<Proof, NoProof> {
    let proof = if packed::is_packed(record).map_err(NoProof::io(record))? {
        let mut lines = Vec::new();
        packed::read(record).and_then(|mut day| day.read_to_end(&mut lines)).map_err(NoProof::io(record))?;
        Proof::make(&mut Cursor::new(lines), &Blocks::default(), line, stated)
    } else {
        let file = File::open(record).map_err(NoProof::io(record))?;
        Proof::make(&mut BufReader::with_capacity(1 << 16, file), &Blocks::of(record), line, stated)
    };
    let proof = proof.map_err(NoProof::io(record))?;
    proof.map_err(|why| NoProof::Proof { path: record.to_path_buf(), why })
}

pub(super) fn check_proof(args: &CheckProofArgs) -> ExitCode {
    super::told("check-proof", checked(args))
}

fn checked(args: &CheckProofArgs) -> Result<String, NoProof> {
    let proof = fs::read_to_string(&args.proof).map_err(NoProof::io(&args.proof))?;
    let mut text = Vec::new();
    io::stdin().lock().read_to_end(&mut text).map_err(NoProof::io(Path::new("standard input")))?;
    let refused = |why| NoProof::Proof { path: args.proof.clone(), why };
    let lines: Vec<&[u8]> = text.strip_suffix(b"\n").unwrap_or(&text).split(|byte| *byte == b'\n').collect();
    let proof = Proof::parse(&proof).map_err(refused)?;
    let keys: Vec<PublicKey> = std::iter::once(&args.key).chain(&args.witness).cloned().collect();
    let times = proof.check(lines.last().copied().unwrap_or_default(), &keys).map_err(refused)?;
    let from = if lines.len() > 1 {
        let first = (proof.line + 1).checked_sub(lines.len() as LineNo).filter(|first| *first > 0);
        follows(first.ok_or_else(|| refused(ProofError::Line(proof.line)))?, &lines).map_err(NoProof::Chain)?
    } else {
        proof.line
    };
    let these = if from == proof.line {
        format!("this is line {from}")
    } else {
        format!("these are lines {from} to {}", proof.line)
    };
    let Checkpoint { origin, size, .. } = &proof.checkpoint;
    let mut told = format!("{these} of the record {origin}, of which {} has signed {size} lines\n", args.key.name());
    for (key, time) in keys.iter().zip(times) {
        if let Some(time) = time {
            let at = args.house.named().second(time.saturating_mul(1000));
            told.push_str(&format!("  seen by {} at {at}\n", key.name()));
        }
    }
    Ok(told)
}
