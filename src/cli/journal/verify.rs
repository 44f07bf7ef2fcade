//! `sabot journal verify`: holds a record against its chain, its checkpoints and its witnesses.

use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use sabot_journal::Verified;
use sabot_journal::audit::{AuditFault, Report, Trust, audit};
use sabot_journal::checkpoint::{checkpoints_of, witnessed_of};
use sabot_journal::days;
use sabot_journal::note::PublicKey;
use sabot_journal::packed;

use super::period::House;
use crate::out::{say, say_err};
use sabot_station::house_time::HouseTime;

/// Checks that a record is what was written, and names the lines that are not
///
/// Every line carries a hash of itself and of the line before it, so that a changed, removed, added or moved line
/// shows; every line must read, time must not go back, and each covered card that is opened must be the one sealed.
/// Whoever can write the file can chain it anew: with --key it is held against every checkpoint that the station
/// signed, with --witness against what others saw of it. Needed are the file, its checkpoints (FILE.checkpoints,
/// FILE.witnessed) and the public keys alone. The record is only read, also while a station writes it.
///
/// What is no fault of the record and still to be known is told beside: clocks that were wrong or set, starts without a
/// stop before them.
///
/// Lines after the last checkpoint are not signed yet; a station that has stopped leaves none (--closed).
///
/// Exit status: 0 when all holds, 1 when something does not, 2 when the file cannot be read.
///
/// Example: sabot journal verify BJ-07.jsonl --key BJ-07.vkey --witness stick.vkey
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct VerifyArgs {
    /// The record: the file that `journal` names in the table's configuration. Several, such as closed gaming days and
    /// the record after them: each must begin where the one before ends.
    #[arg(required = true)]
    file: Vec<PathBuf>,
    /// The station's public key, or a file that holds it. Several times, where it had another one before.
    #[arg(long, value_name = "VKEY", value_parser = super::public_key)]
    key: Vec<PublicKey>,
    /// A witness's public key, or a file that holds it: it must have seen the record. May be given several times.
    #[arg(long, value_name = "VKEY", value_parser = super::public_key, requires = "key")]
    witness: Vec<PublicKey>,
    /// More checkpoints to hold the record against, where it is one, such as what a witness keeps. May be given several
    /// times.
    #[arg(long, value_name = "FILE", requires = "key")]
    checkpoints: Vec<PathBuf>,
    /// The station has stopped: every line must be signed.
    #[arg(long, requires = "key")]
    closed: bool,
    /// A chain noted earlier, 64 hexadecimal digits: it must be found in the record.
    #[arg(long, value_name = "CHAIN", value_parser = chain)]
    noted: Option<String>,
    #[command(flatten)]
    house: House,
}

fn chain(text: &str) -> Result<String, &'static str> {
    let digits = text.len() == 64 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    if digits {
        Ok(text.to_ascii_lowercase())
    } else {
        Err("a chain is 64 hexadecimal digits, as this command prints it")
    }
}

/// Why a record is not accepted.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("{0}")]
    Read(#[from] io::Error),
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n  "))]
    Faults(Vec<AuditFault>),
    #[error("the record is empty")]
    Empty,
    #[error(
        "the noted chain is not in it: lines that were there when it was noted are missing, or it is another record"
    )]
    NotFound,
    #[error(
        "it does not go on where {} ends: a day between them is missing, or one of the two is another record",
        .0.display()
    )]
    NotAfter(PathBuf),
    #[error("--checkpoints are of one record: verify it alone")]
    OfOne,
}

pub(super) fn run(args: &VerifyArgs) -> ExitCode {
    let mut before: Option<(&Path, Verified)> = None;
    let mut found = args.noted.is_none();
    for file in &args.file {
        match verify(args, file, before) {
            Ok((verdict, verified, noted)) => {
                say!("{}: {}", file.display(), super::shown(&verdict));
                found |= noted;
                before = Some((file, verified));
            }
            Err(refused) => {
                say_err!("sabot journal verify: {}: {}", file.display(), super::shown(&refused.to_string()));
                return ExitCode::from(if matches!(refused, Refused::Read(_) | Refused::OfOne) { 2 } else { 1 });
            }
        }
    }
    if !found {
        say_err!("sabot journal verify: {}", Refused::NotFound);
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Holds a record against everything, the one before it too.
fn verify(
    args: &VerifyArgs,
    file: &Path,
    before: Option<(&Path, Verified)>,
) -> Result<(String, Verified, bool), Refused> {
    if args.file.len() > 1 && !args.checkpoints.is_empty() {
        return Err(Refused::OfOne);
    }
    for path in &args.checkpoints {
        File::open(path).map_err(|why| io::Error::new(why.kind(), format!("{}: {why}", path.display())))?;
    }
    let beside = [checkpoints_of(file), witnessed_of(file)];
    let checkpoints: Vec<PathBuf> = beside.into_iter().chain(args.checkpoints.iter().cloned()).collect();
    let trust = Trust { stations: args.key.clone(), witnesses: args.witness.clone(), closed: args.closed };
    let report = audit(file, &checkpoints, &trust)?;
    if report.verified.lines == 0 && report.verified.fault.is_none() {
        return Err(Refused::Empty);
    }
    if !report.faults.is_empty() {
        return Err(Refused::Faults(report.faults));
    }
    let (_, after) = days::beginning(file)?;
    if let Some((path, end)) = before
        && after.as_ref().map(|after| (after.lines, after.chain)) != Some((end.lines, end.chain))
    {
        return Err(Refused::NotAfter(path.to_path_buf()));
    }
    let noted = args.noted.as_deref().map(|noted| line_of(file, noted)).transpose()?.flatten();
    let mut verdict = verdict((args, &args.house.of(file)), &report, noted);
    if let Some(after) = after {
        let with = if before.is_some() { "that one" } else { "verify it before this one" };
        verdict
            .push_str(&format!("\n  goes on after a record of {} lines: {with}; chain {}", after.lines, after.chain));
    }
    Ok((verdict, report.verified, noted.is_some()))
}

/// The line whose chain was noted.
fn line_of(file: &Path, noted: &str) -> io::Result<Option<u64>> {
    let (end, mut found) = (format!("{noted}\"}}"), None);
    sabot_journal::verify(packed::read(file)?, |number, line| {
        found = line.ends_with(end.as_bytes()).then_some(number);
        if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(found)
}

fn verdict((args, house): (&VerifyArgs, &HouseTime), report: &Report, noted: Option<u64>) -> String {
    let verified = &report.verified;
    let mut verdict = format!("{} lines, the chain holds; last chain {}", verified.lines, verified.chain);
    if let Some(line) = noted {
        verdict.push_str(&format!("; the noted chain is that of line {line}"));
    }
    if verified.torn > 0 {
        let torn = verified.torn;
        verdict.push_str(&format!(
            "; {torn} bytes after it are no whole line: a write under way, cut short, or somebody else's. No command \
                           believes them"
        ));
    }
    if let Some(key) = args.key.first() {
        let (count, signed) = (report.checkpoints, report.signed);
        verdict.push_str(&format!("\n  signed by {}: lines 1 to {signed}, {count} checkpoints", key.name()));
        if signed < verified.lines {
            let (from, to) = (signed + 1, verified.lines);
            verdict.push_str(&format!(
                "\n  not signed yet: lines {from} to {to}; a station signs at each pass's end and within a minute"
            ));
        }
    } else {
        verdict.push_str("\n  signatures were not checked: whoever can write the file can chain it anew (--key)");
    }
    for (witness, seen) in &report.seen {
        if let Some((lines, time)) = seen {
            let at = house.second(time.saturating_mul(1000));
            verdict.push_str(&format!("\n  seen by {witness}: lines 1 to {lines}, at {at}"));
        }
    }
    let (sealed, opened) = report.covered;
    if sealed > 0 {
        verdict.push_str(&format!(
            "\n  {sealed} covered cards were sealed, {opened} of them are opened and are those that were sealed"
        ));
    }
    for remark in &report.remarks {
        verdict.push_str(&format!("\n  to be known: {}", remark.told(|at| house.second(at))));
    }
    verdict
}
