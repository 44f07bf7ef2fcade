//! `sabot score`: a log's answers against the auditor's, or against what is known to be true of it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::readings::{self, Asked, Compared, NotCompared};
use sabot_law::replay::{Over, Replay, ReplayError};
use sabot_law::table::LineNo;
use sabot_law::table::answer::Lang;
use sabot_simulation::dealer::Expected;
use sabot_simulation::deviations::Deviation;
use sabot_simulation::score::{Rows, Tally};
use sabot_station::config::own_regulation::{self, NotChosen};

/// Holds two readings of the regulation against each other: the validator's and the auditor's
///
/// The auditor is written from the catalogue alone and shares no code with the validator. LOG is any table log; every
/// answer but the words for people is compared, line by line, and the first difference is printed with the shortest log
/// that still shows it, as a scenario. The auditor looks at the whole history at each event, so that a log of a night
/// takes long. Without LOG, --passes N deals N logs of one pass each, by the book or with --deviations: the seed of
/// each that differs is printed, with the command that deals it again.
///
/// With TRUTH, as `sabot simulate` writes it, the validator alone is held against that: a finding counts as found at
/// its line under its provision; at another place, or with another ending, it is found and still a difference.
///
/// Exit status: 0 when everything agrees, 1 when anything differs, 2 when a line cannot be read.
///
/// Example: sabot score log.jsonl
/// Example: sabot score --passes 10000 --regulation sala-8 --deviations 1 --seed 1
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct ScoreArgs {
    /// The table log; `-` is standard input.
    #[arg(required_unless_present = "passes")]
    log: Option<PathBuf>,
    /// What must be found, by line.
    truth: Option<PathBuf>,
    /// Deal so many logs instead of reading one.
    #[arg(long, value_name = "N", conflicts_with_all = ["log", "truth"], value_parser = super::count)]
    passes: Option<u64>,
    /// With --passes: seed of the first; the next has the next.
    #[arg(long, value_name = "N", default_value = "1", value_parser = super::seed)]
    seed: u64,
    /// With --passes: at most so many deviations in a log, at least one; 0 deals by the book.
    #[arg(long, value_name = "N", default_value_t = 0)]
    deviations: usize,
    /// With --deviations: only this one; may be given several times.
    #[arg(long, value_name = "WAY")]
    only: Vec<Deviation>,
    /// With TRUTH: regulation to hold the log against, instead of the one its header names, one there is or the TOML
    /// file of a house's own. With --passes: whose passes are dealt (sala-8).
    #[arg(long, value_name = "ID|FILE")]
    regulation: Option<String>,
    /// One row a clause instead of one a provision.
    #[arg(long)]
    clauses: bool,
    /// Mismatches to print.
    #[arg(long, value_name = "N", default_value_t = 20)]
    mismatches: usize,
}

/// Why scoring stopped.
#[derive(Debug, thiserror::Error)]
enum Stopped {
    #[error("--regulation: {0}")]
    Regulation(#[from] NotChosen),
    #[error(transparent)]
    Readings(#[from] NotCompared),
    #[error("{}: {why}", file.display())]
    Io { file: PathBuf, why: io::Error },
    #[error("{}: {why}", file.display())]
    Log { file: PathBuf, why: ReplayError },
    #[error("{}: line {line}: {why}; a row is as `sabot simulate --truth` writes it", file.display())]
    Truth { file: PathBuf, line: u64, why: serde_json::Error },
    #[error("{}: line {line}: a row for line {of} after one for a later line: rows are ordered by line", file.display())]
    Order { file: PathBuf, line: u64, of: LineNo },
}

/// A file of lines, read one at a time.
struct Lines {
    file: PathBuf,
    input: BufReader<File>,
    text: Vec<u8>,
    line: u64,
}

impl Lines {
    fn open(file: &Path) -> Result<Self, Stopped> {
        let opened = File::open(file).map_err(|why| Stopped::Io { file: file.into(), why })?;
        Ok(Self { file: file.into(), input: BufReader::with_capacity(1 << 16, opened), text: Vec::new(), line: 0 })
    }

    /// The next line without its end; `None` at the end of the file.
    fn next(&mut self) -> Result<Option<&[u8]>, Stopped> {
        self.text.clear();
        let read = self.input.read_until(b'\n', &mut self.text);
        let read = read.map_err(|why| Stopped::Io { file: self.file.clone(), why })?;
        self.line += 1;
        Ok((read > 0).then(|| self.text.trim_ascii_end()))
    }
}

/// What must be found, one row ahead of the log.
struct Truth {
    lines: Lines,
    next: Option<Expected>,
}

impl Truth {
    fn open(file: &Path) -> Result<Self, Stopped> {
        let mut truth = Self { lines: Lines::open(file)?, next: None };
        truth.next = truth.read()?;
        Ok(truth)
    }

    fn read(&mut self) -> Result<Option<Expected>, Stopped> {
        let Some(text) = self.lines.next()? else { return Ok(None) };
        let row = serde_json::from_slice(text);
        row.map(Some).map_err(|why| Stopped::Truth { file: self.lines.file.clone(), line: self.lines.line, why })
    }

    /// Tells the tally every row up to and with this line of the log.
    fn tell(&mut self, tally: &mut Tally, line: LineNo) -> Result<(), Stopped> {
        while let Some(row) = self.next.filter(|row| row.line <= line) {
            tally.expect(row);
            self.next = self.read()?;
            if let Some(next) = self.next.filter(|next| next.line < row.line) {
                let (file, line) = (self.lines.file.clone(), self.lines.line);
                return Err(Stopped::Order { file, line, of: next.line });
            }
        }
        Ok(())
    }
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &ScoreArgs) -> ExitCode {
    let compared = match (&args.log, &args.truth) {
        (Some(log), Some(truth)) => {
            score(args, log, truth).map(|tally| Compared { report: tally.to_string(), agree: tally.differences() == 0 })
        }
        (Some(log), None) => readings::of_log(log).map_err(Stopped::from),
        _ => readings::of_passes(&Asked {
            passes: args.passes.unwrap_or(1),
            seed: args.seed,
            house: args.regulation.as_deref().unwrap_or("sala-8"),
            deviations: args.deviations,
            only: &args.only,
            mismatches: args.mismatches,
        })
        .map_err(Stopped::from),
    };
    let agree = compared.and_then(|compared| match io::stdout().write_all(compared.report.as_bytes()) {
        Err(why) if why.kind() != io::ErrorKind::BrokenPipe => Err(Stopped::Io { file: "-".into(), why }),
        _ => Ok(compared.agree),
    });
    match agree {
        Ok(agree) => ExitCode::from(u8::from(!agree)),
        Err(stopped) => {
            eprintln!("sabot score: {stopped}");
            ExitCode::from(2)
        }
    }
}

fn score(args: &ScoreArgs, log_file: &Path, truth: &Path) -> Result<Tally, Stopped> {
    let mut log = Lines::open(log_file)?;
    let mut truth = Truth::open(truth)?;
    let rows = if args.clauses { Rows::Clauses } else { Rows::Articles };
    let mut tally = Tally::new(rows, args.mismatches);
    let chosen = args.regulation.as_deref().map(|text| own_regulation::choose(text, Path::new(""))).transpose()?;
    let mut replay = Replay::new(Lang::default(), chosen.map(|chosen| Over { id: chosen.id, rules: chosen.rules }));
    let mut answers = Vec::new();
    let at = |why| Stopped::Log { file: log_file.into(), why };
    while let Some(text) = log.next()? {
        replay.feed(text, &mut answers).map_err(at)?;
        truth.tell(&mut tally, replay.line())?;
        for answer in answers.drain(..) {
            tally.answer(&answer);
        }
        tally.passed(replay.line());
    }
    replay.finish(&mut answers).map_err(at)?;
    truth.tell(&mut tally, LineNo::MAX)?;
    tally.finish();
    Ok(tally)
}
