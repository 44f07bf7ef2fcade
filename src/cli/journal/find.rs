//! `sabot journal find`: findings and acts of a table's records by article, box, person and time.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use crate::out::say_err;
use clap::Args;
use sabot_law::regulation;
use sabot_law::table::answer::Lang;
use sabot_station::history::findings::{Item, Wanted, found};
use sabot_station::history::{NotRead, Record};

use super::period::Period;

/// Finds findings and acts in records
///
/// What is asked for must all hold: an article, a box, a person, a time. A person is found where he acted (ruled,
/// authorised, corrected, entered, signed in, took or closed a finding), where he played, and in findings about those.
/// Without --person only findings are looked for. Each answer has the time on the wall (that of --time-zone), the pass,
/// the line, and of a finding what became of it; `sabot journal show` prints the pass. Covered cards are not shown.
///
/// What was found out of a record is kept beside it, in FILE.index, and grows with it. It can be deleted at any time.
/// It is sealed by a key of the user who made it (~/.local/state/sabot/index.key): where somebody else has changed it,
/// that is said, and the record is judged anew. With --anew it is in any case.
///
/// Exit status: 0 when something was found, 1 when nothing was, 2 when a record or an option cannot be read.
///
/// Example: sabot journal find BJ-07.jsonl --article C5 --box 3 --from 2026-11-24T22:00 --to 2026-11-25
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct FindArgs {
    /// The records.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Findings under this article.
    #[arg(long, value_name = "ID")]
    article: Option<String>,
    /// At this box.
    #[arg(long = "box", value_name = "N", value_parser = clap::value_parser!(u8).range(1..=7))]
    box_no: Option<u8>,
    /// This person, as the record calls him.
    #[arg(long, value_name = "NAME")]
    person: Option<String>,
    #[command(flatten)]
    time: Period,
    /// Judge the whole record again, whatever was found out before.
    #[arg(long)]
    anew: bool,
    /// Language.
    #[arg(long, value_name = "es|en", default_value = "es")]
    lang: Lang,
    /// One JSON object a line: at, table, pass, line, by (who acted), finding, article, box, text, state.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(args: &FindArgs) -> ExitCode {
    let FindArgs { article, person, box_no, .. } = args;
    let mut count = 0;
    for file in &args.files {
        let house = args.time.house.of(file);
        let (from, to) = args.time.bounds(&house);
        let wanted = Wanted { article: article.clone(), person: person.clone(), box_no: *box_no, from, to };
        let found = found(&Record::whole(file).in_house(house).judged_anew(args.anew), &wanted, args.lang);
        match found.and_then(|items| print(items, args.json)) {
            Ok(printed) => count += printed,
            Err(NotRead::Out(why)) if why.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Err(why) => {
                say_err!("sabot journal find: {why}");
                return ExitCode::from(2);
            }
        }
    }
    if count == 0 {
        let is_known = |id: &String| regulation::ALL.iter().any(|regulation| regulation.article(id).is_some());
        match article.as_ref().filter(|id| !is_known(id)) {
            Some(id) => say_err!(
                "sabot journal find: nothing is found; no regulation of this program has an article {id} (`sabot \
                 regulation list`)"
            ),
            None => say_err!("sabot journal find: nothing is found"),
        }
    }
    ExitCode::from(u8::from(count == 0))
}

fn print(items: Vec<Item>, as_json: bool) -> Result<usize, NotRead> {
    let mut out = io::stdout().lock();
    let count = items.len();
    for item in items {
        if as_json {
            writeln!(out, "{}", serde_json::to_string(&item).map_err(io::Error::from)?)?;
        } else {
            let what = item.article.or(item.by).unwrap_or_default();
            let state = item.state.map(|state| format!("  [{}]", state.name())).unwrap_or_default();
            let Item { at, table, pass, line, text, .. } = item;
            let told = format!("{at}  {table}  pass {pass}, line {line}  {what}: {text}{state}");
            writeln!(out, "{}", super::shown(&told))?;
        }
    }
    Ok(count)
}
