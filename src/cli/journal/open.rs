//! `sabot journal open`: a record with its covered cards, for programs that know table logs and no seals.

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use crate::out::say_err;
use sabot_journal::note::KeyFileError;
use sabot_journal::{Unsealed, packed};
use sabot_law::table::line::{self, LineError};

/// Prints a record with its covered cards in their places, as far as they are opened
///
/// A station seals a covered card: its line says `"card":"??"` until a later line opens it, at the latest when the shoe
/// is over. This prints the record as a plain table log for any program that reads such logs. With a reader's private
/// key every card stands there, also those that are not opened yet; without, some card stands for each of these, and no
/// finding hangs on which. `sabot replay` and `sabot score` open records by themselves.
///
/// What is printed is no record any more: its chain does not hold where a card was put in.
///
/// Exit status: 0 when all was printed, 1 when the record cannot be read, opens another card than was sealed, or the
/// key cannot be used.
///
/// Example: sabot journal open BJ-07.jsonl --reader-key auditor.key > monday.jsonl
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct OpenArgs {
    /// The record.
    file: PathBuf,
    /// A reader's private key, as `sabot journal key --reader` makes it. May be given several times.
    #[arg(long, value_name = "FILE")]
    reader_key: Vec<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error(transparent)]
    Key(#[from] KeyFileError),
    #[error("{}: {why}", file.display())]
    Record { file: PathBuf, why: io::Error },
    #[error("{}: this is no table log: line 1: {why}", file.display())]
    NoLog { file: PathBuf, why: LineError },
    #[error("{0}")]
    Out(io::Error),
}

pub(super) fn run(args: &OpenArgs) -> ExitCode {
    match open(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Refused::Out(why)) if why.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(why) => {
            say_err!("sabot journal open: {why}");
            ExitCode::FAILURE
        }
    }
}

fn open(args: &OpenArgs) -> Result<(), Refused> {
    let refused = |why| Refused::Record { file: args.file.clone(), why };
    let readers = super::reader_keys(&args.reader_key)?;
    let mut file = packed::whole_lines(&args.file).map_err(refused)?;
    let first = file.fill_buf().map_err(refused)?;
    line::header(first.trim_ascii_end()).map_err(|why| Refused::NoLog { file: args.file.clone(), why })?;
    copy(&mut Unsealed::with(file, readers), &args.file)
}

fn copy(from: &mut Unsealed<impl BufRead>, file: &Path) -> Result<(), Refused> {
    let mut out = io::stdout().lock();
    loop {
        let ready = from.fill_buf().map_err(|why| Refused::Record { file: file.to_path_buf(), why })?;
        if ready.is_empty() {
            return out.flush().map_err(Refused::Out);
        }
        out.write_all(ready).map_err(Refused::Out)?;
        let read = ready.len();
        from.consume(read);
    }
}
