//! `sabot score`: a log's answers against what is known to be true of it.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use sabot_law::replay::{Over, Replay, ReplayError};
use sabot_law::table::LineNo;
use sabot_law::table::answer::Lang;
use sabot_simulation::dealer::Expected;
use sabot_simulation::score::{Rows, Tally};
use sabot_station::config::own_regulation::{self, NotChosen};

/// Runs the validator over a table log and compares its findings with what must be found
///
/// LOG and TRUTH are as `sabot simulate` writes them; both are read side by side and memory does not grow with their
/// length. A finding counts as found at its line under its provision; at another place, or with another ending (cleared
/// or breach, and where), it is found and still a difference. Prints precision and recall a provision, the totals and
/// the first mismatches.
///
/// Exit status: 0 when everything agrees, 1 when anything differs, 2 when a line cannot be read.
///
/// Example: sabot score log.jsonl truth.jsonl --clauses
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct ScoreArgs {
    /// The table log.
    log: PathBuf,
    /// What must be found, by line.
    truth: PathBuf,
    /// Regulation to hold the log against, instead of the one its header names: one there is, or the TOML file of a
    /// house's own.
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
    match score(args) {
        Ok(tally) => {
            print!("{tally}");
            ExitCode::from(u8::from(tally.differences() > 0))
        }
        Err(stopped) => {
            eprintln!("sabot score: {stopped}");
            ExitCode::from(2)
        }
    }
}

fn score(args: &ScoreArgs) -> Result<Tally, Stopped> {
    let mut log = Lines::open(&args.log)?;
    let mut truth = Truth::open(&args.truth)?;
    let rows = if args.clauses { Rows::Clauses } else { Rows::Articles };
    let mut tally = Tally::new(rows, args.mismatches);
    let chosen = args.regulation.as_deref().map(|text| own_regulation::choose(text, Path::new(""))).transpose()?;
    let mut replay = Replay::new(Lang::default(), chosen.map(|chosen| Over { id: chosen.id, rules: chosen.rules }));
    let mut answers = Vec::new();
    let at = |why| Stopped::Log { file: args.log.clone(), why };
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
