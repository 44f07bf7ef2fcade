//! `sabot replay`: a table log in, the validator's answers out.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::journal::reader_keys;
use super::replay_watch::{self, WatchArgs};
use crate::out::say_err;
use sabot_journal::note::KeyFileError;
use sabot_journal::{Unsealed, packed};
use sabot_law::replay::{Over, Replay, ReplayError, Stream};
use sabot_law::table::answer::Lang;
use sabot_station::config;
use sabot_station::config::own_regulation::{self, NotChosen};

/// Holds a table log against its regulation and prints the answers, one JSON object a line
///
/// The same log gives the same answers, byte for byte, on every machine. docs/table-log.md describes both. The record
/// that a station keeps is such a log; its covered cards are taken from where it opens them.
///
/// Where LOG is a folder, every log in it and below (.jsonl and .jsonl.gz, closed days among them) is replayed over all
/// cores, and a JSON object a log tells the findings by article, in the order of names: with --regulation, what another
/// one would have found.
///
/// With --watch a log is played on the page, with its findings, what was due and the devices that were away: to go
/// through a night with the people concerned.
///
/// Exit status: 0 when the log was read whole, 1 with --strict when there were findings, 2 when the log, a line of it
/// or an option could not be read (the answers up to there stand).
///
/// Example: sabot replay BJ-07.jsonl --lang en --strict
/// Example: sabot replay BJ-07.jsonl --watch --speed 4 --from-pass 412 --by-pass
/// Example: sabot replay /var/lib/sabot --regulation house.toml --jobs 4
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct ReplayArgs {
    /// The log, JSON Lines; `-` reads standard input. Or a folder of logs.
    pub(super) log: PathBuf,
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
    /// Private key of a reader of the record, which opens covered cards that the record itself does not. May be given
    /// several times.
    #[arg(long, value_name = "FILE")]
    reader_key: Vec<PathBuf>,
    /// After the answers to each event, also what is due and who has to do it.
    #[arg(long)]
    due: bool,
    /// Exit with status 1 when there were findings.
    #[arg(long)]
    pub(super) strict: bool,
    /// Logs of a folder that are replayed at one time. Left out: as many as there are cores.
    #[arg(long, value_name = "N")]
    pub(super) jobs: Option<NonZero<usize>>,
    #[command(flatten)]
    pub(super) watch: WatchArgs,
}

/// Why a replay stopped.
#[derive(Debug, thiserror::Error)]
pub(super) enum Stopped {
    #[error(transparent)]
    Log(#[from] ReplayError),
    #[error(transparent)]
    Settings(#[from] config::ConfigError),
    #[error(transparent)]
    Regulation(#[from] NotChosen),
    #[error(transparent)]
    Key(#[from] KeyFileError),
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &ReplayArgs) -> ExitCode {
    if args.watch.watch {
        let judged = judge(args).map(|replay| replay_watch::run(&args.watch, &args.log, (replay, args.lang)));
        return judged.unwrap_or_else(|why| refused(args, &why));
    }
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let read = replay(args, &args.log, "", &mut out);
    let flushed = out.flush();
    match read.and_then(|findings| flushed.map(|()| findings).map_err(Stopped::from)) {
        Ok(findings) => ExitCode::from(u8::from(args.strict && findings > 0)),
        Err(Stopped::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(why) => refused(args, &why),
    }
}

fn refused(args: &ReplayArgs, why: &Stopped) -> ExitCode {
    match why {
        Stopped::Settings(error) => say_err!("sabot replay: --settings: {error}"),
        Stopped::Regulation(error) => say_err!("sabot replay: --regulation: {error}"),
        Stopped::Key(error) => say_err!("sabot replay: --reader-key: {error}"),
        why => say_err!("sabot replay: {}: {why}", args.log.display()),
    }
    ExitCode::from(2)
}

/// Replays a log as the options say; what is told of it begins with `name`. Gives the number of findings.
pub(super) fn replay(args: &ReplayArgs, log: &Path, name: &str, out: &mut impl Write) -> Result<u64, Stopped> {
    let input = open(log)?;
    let replay = judge(args)?;
    let readers = reader_keys(&args.reader_key)?;
    let input = Unsealed::with(BufReader::with_capacity(1 << 16, input), readers);
    stream(input, Stream::new(replay).with_due(args.due), name, out)
}

/// Who judges a log, as the options say.
fn judge(args: &ReplayArgs) -> Result<Replay, Stopped> {
    let settings = args.settings.as_deref().map(config::settings).transpose()?;
    let chosen = args.regulation.as_deref().map(|text| own_regulation::choose(text, Path::new(""))).transpose()?;
    let over = chosen.map(|chosen| Over { id: chosen.id, rules: chosen.rules });
    Ok(Replay::new(args.lang, over).with_settings(settings))
}

fn open(path: &std::path::Path) -> io::Result<Box<dyn Read>> {
    if path.as_os_str() == "-" { Ok(Box::new(io::stdin().lock())) } else { Ok(Box::new(packed::whole_lines(path)?)) }
}

/// Replays a log as it is read: memory does not grow with its length. Gives the number of findings.
fn stream(mut input: impl BufRead, mut stream: Stream, name: &str, out: &mut impl Write) -> Result<u64, Stopped> {
    let mut answers = Vec::new();
    let mut begun = false;
    loop {
        let bytes = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            bytes => bytes?,
        };
        let read = bytes.len();
        let fed = if read == 0 { stream.finish(&mut answers) } else { stream.feed(bytes, &mut answers) };
        input.consume(read);
        if !begun && stream.replay().validator().is_some() {
            begun = true;
            own_regulation::differences(stream.replay()).iter().for_each(|told| say_err!("sabot replay: {name}{told}"));
        }
        out.write_all(&answers)?;
        answers.clear();
        fed?;
        if read == 0 {
            return Ok(stream.findings());
        }
    }
}
