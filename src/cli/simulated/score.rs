//! `sabot score`: two readings of a log.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::readings::{minimised, of_log, told};
use super::sink::Unwritten;
use crate::out::say_err;
use sabot_journal::Unsealed;
use sabot_law::table::header::FirstLine;
use sabot_law::table::line;
use sabot_simulation::readings::Unread;
use sabot_station::config::own_regulation::{self, Chosen, NotChosen};

/// Holds two readings of the regulation against each other: the validator's and the auditor's
///
/// The auditor is written from the catalogue alone and shares no code with the validator. LOG is any table log; every
/// answer but the words for people is compared, line by line. Prints the lines that are answered otherwise, and the
/// shortest log that still shows the first of them, as a scenario. A regulation that the auditor does not read yet is
/// said and not compared. It looks at the whole history at each event, so that a log of a night takes long.
/// `sabot simulate --score` does the same with logs that are dealt.
///
/// Exit status: 0 when both agree, 1 when they differ, 2 when the log cannot be read or one of them cannot read it.
///
/// Example: sabot score log.jsonl
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct ScoreArgs {
    /// The table log; `-` is standard input.
    log: PathBuf,
    /// Regulation to hold the log against, instead of the one its header names: one there is, or the TOML file of a
    /// house's own.
    #[arg(long, value_name = "ID|FILE")]
    regulation: Option<String>,
    /// Lines that differ to print.
    #[arg(long, value_name = "N", default_value_t = 20)]
    mismatches: usize,
}

/// Why nothing could be compared.
#[derive(Debug, thiserror::Error)]
enum Stopped {
    #[error("--regulation: {0}")]
    Regulation(#[from] NotChosen),
    #[error("{}: {why}", file.display())]
    Io { file: PathBuf, why: io::Error },
    #[error("{}: {why}", file.display())]
    Unread { file: PathBuf, why: Unread },
    #[error(transparent)]
    Unwritten(#[from] Unwritten),
    #[error("the header cannot be written: {0}")]
    Header(#[from] serde_json::Error),
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &ScoreArgs) -> ExitCode {
    match score(args) {
        Ok(agree) => ExitCode::from(u8::from(!agree)),
        Err(Stopped::Unwritten(why)) if why.is_broken_pipe() => ExitCode::SUCCESS,
        Err(stopped) => {
            say_err!("sabot score: {stopped}");
            ExitCode::from(2)
        }
    }
}

fn score(args: &ScoreArgs) -> Result<bool, Stopped> {
    let chosen = args.regulation.as_deref().map(|text| own_regulation::choose(text, Path::new(""))).transpose()?;
    let mut log = read(&args.log).map_err(|why| Stopped::Io { file: args.log.clone(), why })?;
    if let Some(chosen) = chosen {
        log = under(log, chosen)?;
    }
    let compared = of_log(&log).map_err(|why| Stopped::Unread { file: args.log.clone(), why })?;
    let differences = &compared.differences;
    if differences.is_empty() {
        let found: u64 = compared.findings.values().map(|found| found.both).sum();
        told(&format!("the readings agree on {found} findings\n"))?;
        return Ok(true);
    }
    let mut report = format!("the readings differ at {} lines\n", differences.len());
    report.extend(differences.iter().take(args.mismatches).map(ToString::to_string));
    let more = differences.len().saturating_sub(args.mismatches);
    if more > 0 {
        report += &format!("and {more} more\n");
    }
    told(&(report + &format!("\n{}\n", minimised(&log))))?;
    Ok(false)
}

/// The log, with the covered cards that a record opens.
fn read(file: &Path) -> io::Result<String> {
    let input: Box<dyn Read> =
        if file == Path::new("-") { Box::new(io::stdin().lock()) } else { Box::new(File::open(file)?) };
    let mut log = String::new();
    Unsealed::new(BufReader::new(input)).read_to_string(&mut log)?;
    Ok(log)
}

/// The log with the header of another regulation; as it is where its header cannot be read, which the readings tell.
fn under(log: String, Chosen { id, rules, .. }: Chosen) -> Result<String, serde_json::Error> {
    let Some((at, first)) = log.lines().enumerate().find(|(_, line)| !line.trim().is_empty()) else { return Ok(log) };
    let Ok(mut header) = line::header(first.as_bytes()) else { return Ok(log) };
    (header.regulation, header.rules) = (id, rules);
    let first = serde_json::to_string(&FirstLine::of(&header))?;
    Ok(log.lines().enumerate().map(|(n, line)| if n == at { &first } else { line }.to_owned() + "\n").collect())
}
