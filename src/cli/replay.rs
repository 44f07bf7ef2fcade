//! `sabot replay`: a table log in, the validator's answers out.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use crate::replay::{Over, Replay, ReplayError};
use crate::station::config;
use crate::station::house::{self, NotChosen};
use crate::table::Answer;
use crate::table::answer::Lang;

/// Holds a table log against its regulation and prints the answers, one JSON object a line
///
/// The same log gives the same answers, byte for byte, on every machine. docs/table-log.md describes both. The record
/// that a station keeps is such a log.
///
/// Exit status: 0 when the log was read whole, 1 with --strict when there were findings, 2 when the log, a line of it or
/// an option could not be read (the answers up to there stand).
///
/// Example: sabot replay BJ-07.jsonl --lang en --strict
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub struct ReplayArgs {
    /// The log, JSON Lines; `-` reads standard input.
    log: PathBuf,
    /// Language of the findings' texts.
    #[arg(long, value_name = "es|en", default_value = "es")]
    lang: Lang,
    /// Regulation to hold the log against, instead of the one its header names: one there is, or the TOML file of a
    /// house's own. Where that is not the one the log was made under, standard error tells.
    #[arg(long, value_name = "ID|FILE")]
    regulation: Option<String>,
    /// TOML file with settings of the regulation to change, instead of those in the log's header. `sabot regulation
    /// settings` lists them all.
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Exit with status 1 when there were findings.
    #[arg(long)]
    strict: bool,
}

/// Why a replay stopped.
#[derive(Debug, thiserror::Error)]
enum Stopped {
    #[error(transparent)]
    Log(#[from] ReplayError),
    #[error(transparent)]
    Settings(#[from] config::ConfigError),
    #[error(transparent)]
    Regulation(#[from] NotChosen),
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Runs the command.
#[must_use]
pub fn run(args: &ReplayArgs) -> ExitCode {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let read = open(&args.log).map_err(Stopped::from).and_then(|input| {
        let settings = args.settings.as_deref().map(config::settings).transpose()?;
        let chosen = args.regulation.as_deref().map(|text| house::chosen(text, Path::new(""))).transpose()?;
        let over = chosen.map(|chosen| Over { id: chosen.id, rules: chosen.rules });
        let replay = Replay::new(args.lang, over).with_settings(settings);
        stream(BufReader::with_capacity(1 << 16, input), replay, &mut out)
    });
    let flushed = out.flush();
    match read.and_then(|findings| flushed.map(|()| findings).map_err(Stopped::from)) {
        Ok(findings) => ExitCode::from(u8::from(args.strict && findings > 0)),
        Err(Stopped::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Stopped::Settings(error)) => {
            eprintln!("sabot replay: --settings: {error}");
            ExitCode::from(2)
        }
        Err(Stopped::Regulation(error)) => {
            eprintln!("sabot replay: --regulation: {error}");
            ExitCode::from(2)
        }
        Err(stopped) => {
            eprintln!("sabot replay: {}: {stopped}", args.log.display());
            ExitCode::from(2)
        }
    }
}

fn open(path: &std::path::Path) -> io::Result<Box<dyn Read>> {
    if path.as_os_str() == "-" { Ok(Box::new(io::stdin().lock())) } else { Ok(Box::new(File::open(path)?)) }
}

/// Replays a log as it is read: memory does not grow with its length. Gives the number of findings.
fn stream(mut input: impl BufRead, mut replay: Replay, out: &mut impl Write) -> Result<u64, Stopped> {
    let mut findings = 0;
    let mut line = Vec::new();
    let mut answers = Vec::new();
    loop {
        line.clear();
        let ended = input.read_until(b'\n', &mut line)? == 0;
        let fed = if ended { replay.finish(&mut answers) } else { replay.feed(line.trim_ascii_end(), &mut answers) };
        for answer in answers.drain(..) {
            findings += u64::from(matches!(answer, Answer::Finding(_)));
            serde_json::to_writer(&mut *out, &answer).map_err(io::Error::from)?;
            out.write_all(b"\n")?;
        }
        fed?;
        if replay.line() == 1 {
            house::differences(&replay).iter().for_each(|told| eprintln!("sabot replay: {told}"));
        }
        if ended {
            return Ok(findings);
        }
    }
}
