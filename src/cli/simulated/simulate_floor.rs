//! `sabot simulate-floor`: an evening of many tables, played through a broker into a store.

use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::out::say_err;
use clap::Args;
use sabot_floor::bare;
use sabot_floor::broker::Broker;
use sabot_floor::evening::{Dealt, Evening, Header as FirstLineOf, NotPlayed, Played, play};
use sabot_floor::sink::{self, SinkConfig};
use sabot_floor::store::StoreError;
use sabot_floor::store::postgres::Postgres;
use sabot_floor::store::sqlite::Sqlite;
use sabot_floor::subjects::TableId;
use sabot_journal::note::{KeyFileError, PrivateKey, Purpose};
use sabot_law::table::event::Face;
use sabot_law::table::header::FirstLine;
use sabot_law::table::settings::Changes;
use sabot_law::table::{Answer, Card, Event, Header};
use sabot_law::validator::{NoRegulation, Validator};
use sabot_simulation::demo_table::{Speed, pace_ms};
use sabot_simulation::workload::Settings;
use tokio::sync::watch;

use super::house_dealer::{HouseDealer, NoDealer};

/// So many tables are dealt; the others are dealt like one of them.
const DEALT: usize = 16;

/// Plays an evening of many tables through a broker into a database, and measures it
///
/// Each table has a record of its own, dealt by the simulated dealer, chained, signed, and sent as a station's uplink
/// sends it, at a person's pace or faster; sinks in this process verify, keep and sign. Prints what the bare broker and
/// the bare database do with as many of the same lines in the same run, and beside it the floor's lines a second, how
/// long each line waited until it was signed for (at half of the lines, at 99 of 100, at most), bytes a table and hour,
/// and the memory of this process a table. The broker should be one of its own: `nats-server -js -sd /tmp/floor`. What
/// it plays goes into the house simulated-TIME.
///
/// Exit status: 0 when every line was signed for, 1 when not, 2 when an option cannot be used.
///
/// Example: sabot simulate-floor --broker nats://127.0.0.1:4222 --sqlite /tmp/floor.sqlite --tables 100 --minutes 2
/// Example: sabot simulate-floor --broker nats://127.0.0.1:4222 --database "host=127.0.0.1" --tables 1000 --speed max
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct SimulateFloorArgs {
    /// The broker: nats://host:4222.
    #[arg(long, value_name = "URL")]
    broker: String,
    /// The database, as PostgreSQL's own programs take it.
    #[arg(long, value_name = "URL", required_unless_present = "sqlite")]
    database: Option<String>,
    /// A file of SQLite instead. It is made where it is not there.
    #[arg(long, value_name = "FILE", conflicts_with = "database")]
    sqlite: Option<PathBuf>,
    /// How many tables.
    #[arg(long, value_name = "N", default_value_t = NonZero::<usize>::MIN.saturating_add(99))]
    tables: NonZero<usize>,
    /// Minutes of each table's evening, and the pass that is not over then.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = super::count)]
    minutes: u64,
    /// How fast it is played: 1 is a person's pace, 60 an hour in a minute; max: as fast as it is signed for.
    #[arg(long, value_name = "N|max", default_value = "1")]
    speed: Speed,
    /// Sinks.
    #[arg(long, value_name = "N", default_value_t = NonZero::<usize>::MIN)]
    sinks: NonZero<usize>,
    /// What the tables are dealt by.
    #[arg(long, value_name = "ID|FILE", default_value = "sala-8")]
    regulation: String,
    /// The first table's seed.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = super::seed)]
    seed: u64,
}

/// Why it was not played.
#[derive(Debug, thiserror::Error)]
enum Stopped {
    #[error("--regulation: {0}")]
    NoDealer(#[from] NoDealer),
    #[error(transparent)]
    Regulation(#[from] NoRegulation),
    #[error("an event cannot be written: {0}")]
    Event(#[from] serde_json::Error),
    #[error(transparent)]
    Key(#[from] KeyFileError),
    #[error("{0}")]
    Config(#[from] sink::ConfigError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the bare broker: {0}")]
    Broker(Box<dyn std::error::Error + Send + Sync>),
    #[error("the bare database: {0}")]
    Database(String),
    #[error(transparent)]
    NotPlayed(#[from] NotPlayed),
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &SimulateFloorArgs) -> ExitCode {
    crate::log::to_stderr();
    match simulate(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Stopped::Io(why)) if why.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(why) => {
            say_err!("sabot simulate-floor: {why}");
            ExitCode::from(if matches!(why, Stopped::NoDealer(_)) { 2 } else { 1 })
        }
    }
}

/// The first line of a record.
#[derive(Debug)]
struct First(Header);

impl FirstLineOf for First {
    fn line(&self, table: &str, epoch: u64) -> String {
        let header = Header { table: table.into(), ..self.0.clone() };
        let line = serde_json::to_string(&FirstLine::of(&header)).unwrap_or_default();
        format!("{},\"began\":{epoch}}}", line.strip_suffix('}').unwrap_or_default())
    }
}

/// What a record tells of an event; a card that nobody may see is not in it.
fn told(event: &Event, t: u64, answers: &[Answer]) -> Result<String, serde_json::Error> {
    #[derive(serde::Serialize)]
    struct Line<'a> {
        #[serde(flatten)]
        event: &'a Event,
        t: u64,
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        answers: &'a [Answer],
    }
    // only of a card that lies open is it known here that everybody may see it
    let instead = match event {
        Event::Draw { to, face, .. } if *face != Some(Face::Up) => {
            Some(Event::Draw { card: Card::UNREAD, to: *to, face: *face })
        }
        // its time is that of its line, which is written once
        Event::Request { hand, player, .. } => Some(Event::Request { hand: *hand, player: player.clone(), t: None }),
        _ => None,
    };
    serde_json::to_string(&Line { event: instead.as_ref().unwrap_or(event), t, answers })
}

/// Deals so much of an evening.
fn dealt(args: &SimulateFloorArgs, seed: u64) -> Result<(Header, Vec<Dealt>), Stopped> {
    let dealing = HouseDealer::under(&args.regulation, Changes::default())?;
    let mut dealer = dealing.clone().dealer(Settings { seed, ..dealing.settings() });
    let header = dealer.header().clone();
    let mut validator = Validator::new(header.clone())?;
    let (mut lines, mut events, mut answers, mut t) = (Vec::new(), Vec::new(), Vec::new(), 0);
    while t < args.minutes * 60_000 {
        events.clear();
        dealer.next_pass(&mut events);
        for event in &events {
            answers.clear();
            t += pace_ms(event);
            validator.step(lines.len() as u64 + 2, event, &mut answers);
            let ends_pass = matches!(event, Event::End {});
            lines.push(Dealt { t, text: told(event, t, &answers)?, ends_pass });
        }
    }
    Ok((header, lines))
}

/// A sink in a thread of its own, until the sender is gone.
fn start(
    args: &SimulateFloorArgs,
    config: SinkConfig,
    stop: watch::Receiver<bool>,
) -> io::Result<thread::JoinHandle<()>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (sqlite, database) = (args.sqlite.clone(), args.database.clone().unwrap_or_default());
    let sink = move || {
        let Ok(key) = PrivateKey::load(&config.key, Purpose::Witness) else { return };
        match sqlite {
            Some(file) => runtime.block_on(sink::run(&config, &key, async || Sqlite::open(&file), stop)),
            None => runtime.block_on(sink::run(&config, &key, async || Postgres::open(&database, None).await, stop)),
        }
    };
    thread::Builder::new().name("sink".to_owned()).spawn(sink)
}

fn config(
    folder: &Path,
    args: &SimulateFloorArgs,
    tables: &[TableId],
    key: &PrivateKey,
) -> Result<SinkConfig, Stopped> {
    PrivateKey::create(&folder.join("sink.key"), "simulated.example/sink", Purpose::Witness)?;
    let broker = serde_json::to_string(&args.broker)?;
    let text = format!("broker = {broker}\nkey = \"sink.key\"\n");
    let mut config = SinkConfig::parse(&folder.join("sink.toml"), &text)?;
    config.tables = tables.iter().map(|table| (table.clone(), vec![key.public().clone()])).collect();
    Ok(config)
}

/// A folder that is gone when this is.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn simulate(args: &SimulateFloorArgs) -> Result<(), Stopped> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let epoch = u64::try_from(now.as_millis()).unwrap_or_default();
    let folder = Folder(std::env::temp_dir().join(format!("sabot-simulate-floor-{}-{epoch}", std::process::id())));
    std::fs::create_dir(&folder.0)?;
    let all: Vec<_> =
        (0..DEALT.min(args.tables.get())).map(|at| dealt(args, args.seed + at as u64)).collect::<Result<_, _>>()?;
    let (headers, all): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    let Some(header) = headers.into_iter().next().map(First) else { return Ok(()) };
    let house = format!("simulated-{epoch}");
    let name = |table| TableId::new(&house, "pit", &format!("T-{table:05}")).ok();
    let tables: Vec<TableId> = (1..=args.tables.get()).filter_map(name).collect();
    let key = PrivateKey::create(&folder.0.join("key"), "simulated.example/table", Purpose::Station)?;
    let config = config(&folder.0, args, &tables, &key)?;
    let broker = Broker { url: args.broker.clone(), ..Broker::default() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let lines: usize = (0..tables.len()).map(|at| all.get(at % all.len()).map_or(0, Vec::len) + 1).sum();
    let mut out = io::stdout();
    let evenings = (0..tables.len()).filter_map(|at| Some(all.get(at % all.len())?.last()?.t)).sum();
    writeln!(out, "{} tables, {lines} lines, {} sinks", tables.len(), args.sinks)?;
    let bare = runtime.block_on(bare(args, &broker, &all, lines))?;
    bare.iter().try_for_each(|(what, rate)| writeln!(out, "{what:18} {rate:>9.0} lines a second"))?;
    let before = memory();
    let (stop, stopped) = watch::channel(false);
    let sinks: Vec<_> =
        (0..args.sinks.get()).map(|_| start(args, config.clone(), stopped.clone())).collect::<Result<_, _>>()?;
    let speed = if let Speed::Times(times) = args.speed { Some(times) } else { None };
    let evening = Evening { broker: &broker, tables, header: &header, dealt: &all, key: &key, epoch, speed };
    let played = runtime.block_on(async {
        // the streams are there once a sink is
        tokio::time::sleep(Duration::from_secs(2)).await;
        play(&evening).await
    });
    let memory = memory().saturating_sub(before);
    stop.send_replace(true);
    for sink in sinks {
        let _ = sink.join();
    }
    report(&mut out, (args.tables.get() as u64, evenings), &played?, &bare, memory).map_err(Stopped::from)
}

async fn bare(
    args: &SimulateFloorArgs,
    broker: &Broker,
    all: &[Vec<Dealt>],
    lines: usize,
) -> Result<Vec<(&'static str, f64)>, Stopped> {
    let texts = all.iter().flatten().map(|dealt| dealt.text.clone() + &"-".repeat(75));
    let texts: Vec<String> = texts.collect::<Vec<_>>().into_iter().cycle().take(lines.min(200_000)).collect();
    let mut rates = vec![("the bare broker", bare::broker(broker, &texts).await.map_err(Stopped::Broker)?)];
    if let Some(url) = &args.database {
        let rate = bare::database(url, &texts).await.map_err(|why| Stopped::Database(why.to_string()))?;
        rates.push(("the bare database", rate));
    }
    Ok(rates)
}

/// Bytes that this process has in memory of its own.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kib =
        status.lines().find_map(|line| line.strip_prefix("RssAnon:")?.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or_default() * 1024
}

fn report(
    out: &mut impl Write,
    (tables, evenings_ms): (u64, u64),
    played: &Played,
    bare: &[(&str, f64)],
    memory: u64,
) -> io::Result<()> {
    let Played { lines, bytes, took, waited, behind } = played;
    let rate = *lines as f64 / took.as_secs_f64();
    writeln!(
        out,
        "{:18} {rate:>9.0} lines a second: {lines} lines signed for in {:.1} s",
        "the floor",
        took.as_secs_f64()
    )?;
    for (what, bare) in bare {
        writeln!(out, "{:18} {:>9.2} of {what}", "", rate / bare)?;
    }
    let at = |share: f64| {
        let at = (waited.len() as f64 * share) as usize;
        waited.get(at.min(waited.len().saturating_sub(1))).copied().unwrap_or_default().as_millis()
    };
    writeln!(out, "{:18} p50 {} ms, p99 {} ms, longest {} ms", "until signed for", at(0.5), at(0.99), at(1.0))?;
    writeln!(out, "{:18} {} ms behind its pace at most", "the player", behind.as_millis())?;
    let hour = bytes * 3_600_000 / evenings_ms.max(1);
    writeln!(out, "{:18} {} bytes a line, {hour} bytes a table and hour", "the records", bytes / lines.max(&1))?;
    writeln!(out, "{:18} {} bytes a table, player and sinks", "memory", memory / tables)
}
