//! `sabot upgrade-check`: what this program answers to a record otherwise than the one that runs now.

use std::io::{self, BufRead, BufReader, Lines, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitCode, Stdio};

use crate::out::say_err;
use clap::Args;
use serde_json::Value;

/// Most differences that are shown in full.
const SHOWN: u64 = 20;

/// Has this program and the one that runs now answer the same record, and lists where they differ
///
/// To be run with the new program before it takes the old one's place: both replay the record, line by line, with what
/// is due after each. Nothing is written. What differs is shown by the record's line: `-` what the old one answers, `+`
/// what the new one does. Covered cards that the record does not open stay covered for both.
///
/// Exit status: 0 when both answer alike, 1 when they differ, 2 when one of them could not read the record.
///
/// Example: ./new/usr/bin/sabot upgrade-check /usr/bin/sabot /var/lib/sabot/BJ-07.jsonl
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct UpgradeCheckArgs {
    /// The program that runs now.
    #[arg(value_name = "OLD_PROGRAM")]
    old: PathBuf,
    /// The record of the last shift, or any table log.
    #[arg(value_name = "RECORD")]
    record: PathBuf,
}

/// Why the two could not be compared.
#[derive(Debug, thiserror::Error)]
enum Uncompared {
    #[error("{}: {why}\n  = name a program `sabot` that this user may run", program.display())]
    Start { program: PathBuf, why: io::Error },
    #[error("{} replay: {said}", program.display())]
    Replay { program: PathBuf, said: String },
    #[error("{} replay: `{said}` is no answer\n  = name a program `sabot`", program.display())]
    NoAnswer { program: PathBuf, said: String },
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &UpgradeCheckArgs) -> ExitCode {
    match compare(args, &mut io::stdout().lock()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(Uncompared::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
        Err(why) => {
            say_err!("sabot upgrade-check: {why}");
            ExitCode::from(2)
        }
    }
}

/// A program that replays the record.
struct Replaying {
    program: PathBuf,
    child: Child,
    answers: Lines<BufReader<ChildStdout>>,
    says: ChildStderr,
    /// The first answer that was not taken yet, and the line of the record that it is to: none is the last of all.
    next: Option<(u64, String)>,
}

impl Replaying {
    fn start(program: &Path, record: &Path) -> Result<Self, Uncompared> {
        let failed = |why| Uncompared::Start { program: program.to_path_buf(), why };
        let mut command = Command::new(program);
        command.args(["replay", "--due"]).arg(record).stdin(Stdio::null());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(failed)?;
        let (Some(out), Some(says)) = (child.stdout.take(), child.stderr.take()) else {
            return Err(failed(io::ErrorKind::BrokenPipe.into()));
        };
        let answers = BufReader::new(out).lines();
        let mut begun = Self { program: program.to_path_buf(), child, answers, says, next: None };
        begun.read()?;
        Ok(begun)
    }

    fn read(&mut self) -> Result<(), Uncompared> {
        let read = self.answers.next().transpose()?.map(|text| match serde_json::from_str::<Value>(&text) {
            Ok(answer) => Ok((answer.get("line").and_then(Value::as_u64).unwrap_or(u64::MAX), text)),
            Err(_) => Err(Uncompared::NoAnswer { program: self.program.clone(), said: text }),
        });
        self.next = read.transpose()?;
        Ok(())
    }

    /// The line of the record that the next answer is to.
    fn line(&self) -> Option<u64> {
        self.next.as_ref().map(|(line, _)| *line)
    }

    /// The answers to a line of the record.
    fn answers_to(&mut self, line: u64) -> Result<Vec<String>, Uncompared> {
        let mut taken = Vec::new();
        while let Some((_, answer)) = self.next.take_if(|(to, _)| *to == line) {
            taken.push(answer);
            self.read()?;
        }
        Ok(taken)
    }

    /// How it ended.
    fn end(mut self) -> Result<(), Uncompared> {
        let mut said = String::new();
        self.says.read_to_string(&mut said)?;
        if self.child.wait()?.success() {
            return Ok(());
        }
        Err(Uncompared::Replay { program: self.program, said: said.trim().to_owned() })
    }
}

/// Tells what differs; on how many lines of the record.
fn compare(args: &UpgradeCheckArgs, out: &mut impl Write) -> Result<u64, Uncompared> {
    let mut old = Replaying::start(&args.old, &args.record)?;
    let mut new = Replaying::start(&std::env::current_exe()?, &args.record)?;
    let (mut alike, mut differ) = (0_u64, 0_u64);
    while let Some(line) = [old.line(), new.line()].into_iter().flatten().min() {
        let (before, now) = (old.answers_to(line)?, new.answers_to(line)?);
        if before == now {
            alike += 1;
            continue;
        }
        differ += 1;
        if differ <= SHOWN {
            writeln!(out, "line {line}:")?;
            before.iter().filter(|answer| !now.contains(answer)).try_for_each(|answer| writeln!(out, "- {answer}"))?;
            now.iter().filter(|answer| !before.contains(answer)).try_for_each(|answer| writeln!(out, "+ {answer}"))?;
        }
    }
    old.end()?;
    new.end()?;
    if differ > SHOWN {
        writeln!(out, "and {} lines more that are answered otherwise", differ - SHOWN)?;
    }
    writeln!(out, "{alike} lines of {} are answered alike, {differ} otherwise", args.record.display())?;
    Ok(differ)
}
