//! `sabot journal report`: what happened in a time at one table or more, in figures.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::out::say_err;
use clap::Args;
use sabot_law::table::answer::Lang;
use sabot_station::console::RenderError;
use sabot_station::console::report;
use sabot_station::history::shift::Shift;
use sabot_station::history::{NotRead, Record};

use super::pdf::{self, NotPut};
use super::period::Period;

/// Prints the report of a shift, or of any time: one HTML page that needs no station and no network
///
/// Passes and cards; findings by article, box, dealer (who was signed in as one) and hour; how they ended and how long
/// that took; what was withdrawn, as corrections explained it; how long a device was blind and the station down;
/// shuffles, changes of decks; and of all the shoes whether their cards came as well-shuffled ones do. Several records
/// are counted together. Times are the stations', in --time-zone. Covered cards are neither shown nor counted.
///
/// Exit status: 0 when it was printed, 1 when the records tell nothing of that time, 2 when one cannot be read or no
/// PDF can be made.
///
/// Example: sabot journal report BJ-0*.jsonl --from 2026-11-24T22:00 --to 2026-11-25T06:00 --lang en > night.html
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ReportArgs {
    /// The records.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    time: Period,
    /// Language.
    #[arg(long, value_name = "es|en", default_value = "es")]
    lang: Lang,
    /// Write the page as PDF/A-3 to this file, not the page to standard output: by WeasyPrint, to be installed.
    #[arg(long, value_name = "FILE")]
    pdf: Option<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
enum Stopped {
    #[error(transparent)]
    Record(#[from] NotRead),
    #[error("the records tell nothing of that time")]
    Nothing,
    #[error(transparent)]
    Page(#[from] RenderError),
    #[error(transparent)]
    Out(#[from] NotPut),
}

pub(super) fn run(args: &ReportArgs) -> ExitCode {
    match printed(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            say_err!("sabot journal report: {why}");
            ExitCode::from(if matches!(why, Stopped::Nothing) { 1 } else { 2 })
        }
    }
}

fn printed(args: &ReportArgs) -> Result<(), Stopped> {
    let mut shift = Shift::default();
    for file in super::once("report", &args.files) {
        let house = args.time.house.of(file);
        let time = args.time.bounds(&house);
        shift.add(&Record::whole(file).in_house(house), time)?;
    }
    let told = shift.report(args.lang).ok_or(Stopped::Nothing)?;
    let pdf = args.pdf.as_deref();
    let page = report::report(&told, args.lang, pdf::style(pdf))?;
    Ok(pdf::put(&page, pdf)?)
}
