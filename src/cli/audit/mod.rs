//! `sabot audit`: the records of many tables, held against today's law or another regulation.

mod done;
mod judged;
#[cfg(feature = "floor")]
mod queue;
mod source;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use crate::out::say_err;
use clap::Args;
use sabot_journal::note::KeyFileError;
use sabot_law::replay::Over;
use sabot_law::table::answer::Lang;
use sabot_law::table::settings::Changes;
use sabot_station::config;
use sabot_station::config::own_regulation::{self, NotChosen};

use super::journal::period::Period;
use super::journal::reader_keys;
use super::journal::sheet::{Column, Kind, Sheet, Value};
use done::{Done, DoneError};
use judged::{Judged, Row, State};
use source::{Record, Source, SourceError};

/// Holds the records of many tables against today's law, or against a changed regulation: what would it have found?
///
/// Every record is replayed from its beginning, over all cores, and what is found today is set beside the answers that
/// the record tells: `same` was found then too, `new` is found today alone, `gone` was found then alone. Prints how
/// many of each, article by article; --out writes every one of them as a row. The records are those of a folder (.jsonl
/// and .jsonl.gz, closed days among them), or those that `sabot sink` keeps in a database or a file.
///
/// With --resume, records that are done are remembered in a file: an audit that was stopped goes on where it stood, and
/// one that is asked again next week reads only what is new. With --part, several machines share the work, each with a
/// part of the records; with --queue, through a work queue of the broker, as many as there are, whenever they come.
///
/// Exit status: 0 when all was read, 1 with --strict when there was anything new or gone, 2 when a record, an option or
/// the database could not be read (the others stand).
///
/// Example: sabot audit /var/lib/sabot --from 2026-01-01 --to 2027-01-01 --out year.parquet
/// Example: sabot audit --database "host=127.0.0.1 user=office dbname=sabot" --regulation house.toml --resume year.done
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct AuditArgs {
    /// A folder of records.
    #[cfg_attr(feature = "floor", arg(required_unless_present_any = ["database", "sqlite"]))]
    #[cfg_attr(not(feature = "floor"), arg(required = true))]
    folder: Option<PathBuf>,
    /// The database of `sabot sink`, as PostgreSQL's own programs take it; a login of the role sabot_reader will do.
    #[cfg(feature = "floor")]
    #[arg(long, value_name = "URL", conflicts_with_all = ["folder", "sqlite"])]
    database: Option<String>,
    /// The certificate of the authority that signed the database's, in PEM.
    #[cfg(feature = "floor")]
    #[arg(long, value_name = "FILE", requires = "database")]
    database_authority: Option<PathBuf>,
    /// The file of `sabot sink --sqlite`.
    #[cfg(feature = "floor")]
    #[arg(long, value_name = "FILE", conflicts_with = "folder")]
    sqlite: Option<PathBuf>,
    /// Regulation to hold the records against, instead of the ones that their headers name: one there is, or the TOML
    /// file of a house's own.
    #[arg(long, value_name = "ID|FILE")]
    regulation: Option<String>,
    /// TOML file with settings of the regulation to change, instead of those in the headers.
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    #[command(flatten)]
    time: Period,
    /// Private key of a reader of the records, which opens covered cards that the records themselves do not. May be
    /// given several times.
    #[arg(long, value_name = "FILE")]
    reader_key: Vec<PathBuf>,
    /// Language of the findings' texts.
    #[arg(long, value_name = "es|en", default_value = "es")]
    lang: Lang,
    /// Write every finding as a row to this file: Parquet where its name ends in .parquet, otherwise CSV.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Remember here which records are done, and go on from there. It is made where it is not there.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Records that are read at one time. Left out: as many as there are cores.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
    /// Read only this part of the records, such as 2/3: the second of three. Together the parts are all of them.
    #[arg(long, value_name = "K/N", value_parser = part, default_value = "1/1")]
    part: (usize, usize),
    #[cfg(feature = "floor")]
    #[command(flatten)]
    queue: queue::QueueArgs,
    /// Exit with status 1 when anything is found today that was not found then, or the other way round.
    #[arg(long)]
    strict: bool,
}

fn part(text: &str) -> Result<(usize, usize), &'static str> {
    let parts = text.split_once('/').and_then(|(which, of)| Some((which.parse().ok()?, of.parse().ok()?)));
    let is_one = |(which, of): &(usize, usize)| (1..=*of).contains(which);
    parts.filter(is_one).ok_or("a part reads 2/3: the second of three")
}

/// Why there is no audit.
#[derive(Debug, thiserror::Error)]
enum Stopped {
    #[error("--settings: {0}")]
    Settings(#[from] config::ConfigError),
    #[error("--regulation: {0}")]
    Regulation(#[from] NotChosen),
    #[error("--reader-key: {0}")]
    Key(#[from] KeyFileError),
    #[error("--resume: {0}")]
    Done(#[from] DoneError),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[cfg(feature = "floor")]
    #[error("--queue: {0}")]
    Queue(#[from] sabot_floor::queue::QueueError),
    #[error("{}: {why}", file.display())]
    Out { file: PathBuf, why: io::Error },
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// What every record is asked.
struct Question {
    over: Option<Over>,
    settings: Option<Changes>,
    from: u64,
    to: u64,
    lang: Lang,
    readers: Vec<PathBuf>,
}

impl Question {
    /// In words, so that answers to another question are not taken for answers to this one.
    fn words(&self) -> String {
        let Self { over, settings, from, to, lang, readers } = self;
        let version = super::version::short();
        format!("{version}; {over:?}; {settings:?}; {from} to {to}; {lang:?}; {} keys", readers.len())
    }
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &AuditArgs) -> ExitCode {
    match audit(args) {
        Ok(status) => ExitCode::from(status),
        Err(Stopped::Io(why)) if why.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(why) => {
            say_err!("sabot audit: {why}");
            ExitCode::from(2)
        }
    }
}

fn source(args: &AuditArgs) -> Result<Source, SourceError> {
    #[cfg(feature = "floor")]
    if let Some(url) = &args.database {
        return Source::postgres(url.clone(), args.database_authority.clone());
    }
    #[cfg(feature = "floor")]
    if let Some(file) = &args.sqlite {
        return Source::sqlite(file.clone());
    }
    Source::folder(args.folder.clone().unwrap_or_default())
}

fn audit(args: &AuditArgs) -> Result<u8, Stopped> {
    let chosen = args.regulation.as_deref().map(|text| own_regulation::choose(text, "".as_ref())).transpose()?;
    let (from, to) = args.time.bounds(&args.time.house.named());
    let question = Question {
        over: chosen.map(|chosen| Over { id: chosen.id, rules: chosen.rules }),
        settings: args.settings.as_deref().map(config::settings).transpose()?,
        from,
        to,
        lang: args.lang,
        readers: args.reader_key.clone(),
    };
    // a key that cannot be used is told once
    reader_keys(&question.readers)?;
    let source = source(args)?;
    let mut done = Done::open(args.resume.as_deref(), &question.words())?;
    let (which, of) = args.part;
    let records = source.records(to)?.into_iter().enumerate();
    let records: Vec<_> = records.filter(|(at, _)| at % of == which - 1).map(|(_, record)| record).collect();
    let (mut judged, open): (Vec<_>, Vec<_>) = records.iter().partition(|record| done.has(record));
    let mut all: Vec<Judged> = judged.drain(..).filter_map(|record| done.take(record)).collect();
    let again = all.len();
    let jobs = args.jobs.unwrap_or_else(|| thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN));
    let mut unread = 0;
    let mut came = |record: &Record, judged: Result<Judged, String>| match judged {
        Ok(judged) => {
            done.add(record, &judged)?;
            all.push(judged);
            Ok(())
        }
        Err(why) => {
            unread += 1;
            say_err!("sabot audit: {}: {why}", record.name);
            Ok(())
        }
    };
    #[cfg(feature = "floor")]
    let is_shared = args.queue.share((&question, &source, jobs.get()), &open, &mut came)?;
    #[cfg(not(feature = "floor"))]
    let is_shared = false;
    if !is_shared {
        here((&question, &source, jobs.get()), &open, &mut came)?;
    }
    all.sort_by(|one, other| one.record.cmp(&other.record));
    if let Some(file) = &args.out {
        written(&all, file).map_err(|why| Stopped::Out { file: file.clone(), why })?;
    }
    let differs = print(&all, again, unread)?;
    Ok(if unread > 0 { 2 } else { u8::from(args.strict && differs) })
}

/// Judges records over the cores of this machine, and tells what came of each.
fn here(
    (question, source, jobs): (&Question, &Source, usize),
    open: &[&Record],
    came: &mut impl FnMut(&Record, Result<Judged, String>) -> Result<(), Stopped>,
) -> Result<(), Stopped> {
    let (next, (send, read)) = (AtomicUsize::new(0), mpsc::channel());
    thread::scope(|scope| {
        for _ in 0..jobs.min(open.len()) {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                let mut reader = source.reader();
                while let Some(record) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let judged = reader.open(record).and_then(|lines| judged::judge(question, &record.name, lines));
                    if send.send((*record, judged.map_err(|why| why.to_string()))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        read.into_iter().try_for_each(|(record, judged)| came(record, judged))
    })
}

const COLUMNS: [Column; 15] = [
    ("record", Kind::Text),
    ("table", Kind::Text),
    ("regulation", Kind::Text),
    ("found", Kind::Text),
    ("pass", Kind::Number),
    ("line", Kind::Number),
    ("of_line", Kind::Number),
    ("at", Kind::Time),
    ("article", Kind::Text),
    ("box", Kind::Text),
    ("severity", Kind::Text),
    ("player", Kind::Text),
    ("owed", Kind::Number),
    ("done", Kind::Number),
    ("text", Kind::Text),
];

fn written(all: &[Judged], file: &std::path::Path) -> io::Result<()> {
    let mut sheet = Sheet::new(&COLUMNS);
    for judged in all {
        for row in &judged.rows {
            let Row { state, pass, line, of, at, article, place, severity, player, owed, done, text } = row;
            let known = |text: &Option<String>| text.as_ref().map_or(Value::None, Value::text);
            sheet.push([
                Value::text(&judged.record),
                Value::text(&judged.table),
                Value::text(&judged.regulation),
                Value::text(state.word()),
                (*pass).into(),
                (*line).into(),
                (*of).into(),
                Value::Time(*at),
                Value::text(article),
                known(place),
                known(severity),
                known(player),
                (*owed).into(),
                (*done).into(),
                Value::text(text),
            ]);
        }
    }
    let mut out = io::BufWriter::new(File::create(file)?);
    if file.extension().is_some_and(|end| end == "parquet") {
        sheet.parquet(&mut out).map_err(io::Error::other)?;
    } else {
        sheet.csv(&mut out)?;
    }
    out.flush()
}

/// Prints the sums; whether today's findings differ from those that the records tell.
fn print(all: &[Judged], again: usize, unread: usize) -> io::Result<bool> {
    let mut articles: BTreeMap<&str, [u64; 3]> = BTreeMap::new();
    for row in all.iter().flat_map(|judged| &judged.rows) {
        let counts = articles.entry(&row.article).or_default();
        if let Some(count) = counts.get_mut(row.state as usize) {
            *count += 1;
        }
    }
    let mut out = io::stdout().lock();
    writeln!(out, "{:12} {:>10} {:>10} {:>10} {:>10} {:>10}", "article", "then", "today", "same", "new", "gone")?;
    for (article, [same, new, gone]) in &articles {
        writeln!(out, "{article:12} {:>10} {:>10} {same:>10} {new:>10} {gone:>10}", same + gone, same + new)?;
    }
    let tables: BTreeSet<&str> = all.iter().map(|judged| judged.table.as_str()).collect();
    let lines: u64 = all.iter().map(|judged| judged.lines).sum();
    writeln!(out, "{} records of {} tables, {lines} lines in that time", all.len(), tables.len())?;
    if again > 0 {
        writeln!(out, "{again} of them were done before (--resume)")?;
    }
    if unread > 0 {
        writeln!(out, "{unread} records could not be read")?;
    }
    Ok(articles.values().any(|counts| counts[State::New as usize] + counts[State::Gone as usize] > 0))
}
