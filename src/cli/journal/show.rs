//! `sabot journal show`: one pass, line by line.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use crate::out::say_err;
use clap::Args;
use sabot_law::table::answer::Lang;

use sabot_station::history::pass::lines_of;
use sabot_station::history::{NotRead, Record, Told, answered, happened};

use super::period::House;

/// Prints a pass: when what happened, who entered it, and what was found
///
/// Each line has the time on the wall (that of --time-zone, with its offset), the line's number and what happened;
/// under it what was answered: findings, whether they were remedied, what each bet was owed. Lines between two passes
/// belong to the one before. A card that was dealt covered is not shown, even where it was uncovered later.
///
/// Exit status: 0 when the pass was found, 1 when it was not, 2 when the record cannot be read.
///
/// Example: sabot journal show BJ-07.jsonl 412 --lang en
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ShowArgs {
    /// The record.
    file: PathBuf,
    /// The pass, counted from 1.
    pass: u64,
    #[command(flatten)]
    house: House,
    /// Language.
    #[arg(long, value_name = "es|en", default_value = "es")]
    lang: Lang,
}

pub(super) fn run(args: &ShowArgs) -> ExitCode {
    let mut out = io::stdout().lock();
    let mut shown = 0;
    let record = Record::whole(&args.file).in_house(args.house.of(&args.file));
    let read = lines_of(&record, args.pass, args.lang, |told| {
        shown += 1;
        show(told, args.lang, &mut out)
    });
    match read {
        Err(NotRead::Out(why)) if why.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(why) => {
            say_err!("sabot journal show: {why}");
            ExitCode::from(2)
        }
        Ok(_) if shown == 0 => {
            say_err!("sabot journal show: {}: it has no pass {}", args.file.display(), args.pass);
            ExitCode::FAILURE
        }
        Ok(_) => ExitCode::SUCCESS,
    }
}

fn show(told: &Told, lang: Lang, out: &mut impl Write) -> Result<(), NotRead> {
    let by = told.entered.as_ref().map(|by| format!("  [{by}]")).unwrap_or_default();
    let at = told.second();
    writeln!(out, "{at} {:>7}  {}", told.line, super::shown(&(happened(told, lang) + &by)))?;
    for answer in &told.answers {
        if let Some(text) = answered(answer, lang) {
            writeln!(out, "{:1$}{2}", "", at.len() + 10, super::shown(&text))?;
        }
    }
    Ok(())
}
