//! `sabot demo`: a whole table on this machine: twins of the devices, a simulated dealer, and the station on their
//! ports.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Weak};
use std::time::Duration;

use clap::Args;
use tokio::signal::unix::SignalKind;
use tokio::sync::{mpsc, watch};

use super::demo_judge::{DemoJudge, NotWanted};
use super::demo_output::DemoOutput;
use super::house_dealer::{HouseDealer, NoDealer};
use crate::out::say_err;
use crate::run::{RunError, listen, stop_signal};
use sabot_drivers::keys::DEFAULT_KEYS;
use sabot_law::table::Header;
use sabot_law::table::answer::Lang;
use sabot_law::table::settings::Changes;
use sabot_law::validator::NoRegulation;
use sabot_simulation::demo_table::{DemoTable, Progress, Speed};
use sabot_simulation::deviations::{Deviating, Deviation, Options};
use sabot_simulation::twin::{TwinError, Twins};
use sabot_simulation::workload::Settings;
use sabot_simulation::{levers, person};
use sabot_station::StationError;
use sabot_station::config::{Config, ConfigError};
use sabot_station::record_feed::RecordFeed;
use sabot_station::snapshot::{DeviceState, Snapshot};
use sabot_station::{self as station, console};

/// Above what a person may enter, in `--help`.
const ENTRIES_TITLE: &str = "With --keypad, a line each on standard input";

/// How long the devices may take to come online.
const COMING: Duration = Duration::from_secs(15);

/// Shows a whole simulated table: devices, a simulated dealer who deals, the station and its page
///
/// The devices are their own firmware on pseudo-terminals; the station reads them as it reads those of a real table.
/// Prints the page's address first: open it in a browser. Then one line a pass, and for each finding its article,
/// place, words and remedy, what the pit display shows, and how it ends (cleared, or breach). Ctrl-C ends it; with
/// --passes it ends by itself with a summary. Exit status: 0 when it ended as asked, 1 when it could not go on, 2 when
/// an option makes no sense.
///
/// With --keypad a person works the keypad beside the dealer, a line on standard input each: reports of what no sensor
/// sees (C17, C20), rulings on a finding by the number told with it, corrections of a line of the record.
///
/// Example: sabot demo --speed 5 --irregularity C7
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_long_help = person::help(ENTRIES_TITLE))]
pub(crate) struct DemoArgs {
    /// End after so many passes, with a summary.
    #[arg(long, value_name = "N", value_parser = super::count, allow_negative_numbers = true)]
    passes: Option<u64>,
    /// How fast is dealt: 1 is a human dealer (about a minute a pass), 10 ten times as fast, max as fast as the table
    /// takes it in.
    #[arg(long, value_name = "TIMES", default_value = "1", allow_negative_numbers = true)]
    speed: Speed,
    /// Seed of everything the simulated dealer does.
    #[arg(long, value_name = "N", default_value = "7", value_parser = super::seed, allow_negative_numbers = true)]
    seed: u64,
    /// Break this provision (C7) in every second pass, from the first; given several times, one a pass, those first
    /// that came least. All there are: sabot regulation list
    #[arg(long, value_name = "ID")]
    irregularity: Vec<String>,
    /// Depart from the book in this way, such as extra-card, in every second pass from the first, whatever is found;
    /// with --irregularity, in no other way. May be given several times.
    #[arg(long, value_name = "WAY")]
    deviation: Vec<Deviation>,
    /// Where the page is served; port 0 takes any that is free.
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8080", value_parser = crate::address)]
    listen: SocketAddr,
    /// Regulation dealt under: one there is, or the TOML file of a house's own (docs/house.toml is an example).
    #[arg(long, value_name = "ID|FILE", default_value = "sala-8")]
    regulation: String,
    /// Keep the table's record in this new file; without it the record goes with the demo.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Sign the record with this private key, which `sabot journal key` makes.
    #[arg(long, value_name = "FILE", requires = "journal")]
    journal_key: Option<PathBuf>,
    /// Read from standard input what a person enters on the keypad, a line each: `report 4 inspector 2 C17 3`.
    #[arg(long)]
    keypad: bool,
    /// Language of findings and pit display; the page has a switch of its own.
    #[arg(long, value_name = "es|en", default_value = "es")]
    lang: Lang,
}

/// Why there is no demo.
#[derive(Debug, thiserror::Error)]
enum DemoError {
    #[error("--regulation: {0}")]
    NoDealer(#[from] NoDealer),
    #[error("--irregularity: {0}")]
    NotWanted(#[from] NotWanted),
    #[error("--deviation: no device of the table can tell of `{0}`; they can of {list}", list = seen())]
    Unseen(Deviation),
    #[error(transparent)]
    Regulation(#[from] NoRegulation),
    #[error("--journal: {} is there already: name a new file", .0.display())]
    Exists(PathBuf),
    #[error("--journal: there is no folder {}: make it, or name a file in another one", .0.display())]
    NoFolder(PathBuf),
    #[error("no folder for the devices' ports at {}: {why}; TMPDIR names where it is made", path.display())]
    Folder { path: PathBuf, why: io::Error },
    #[error("{}: {why}", path.display())]
    File { path: PathBuf, why: io::Error },
    #[error(transparent)]
    Twins(#[from] TwinError),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Station(#[from] StationError),
    #[error("the devices' twins did not come online in {seconds} seconds: {missing}", seconds = COMING.as_secs())]
    Offline { missing: String },
    #[error("the station ended by itself")]
    Ended,
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &DemoArgs) -> ExitCode {
    match perform(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say_err!("sabot demo: {error}");
            let mistake = matches!(
                error,
                DemoError::NoDealer(_)
                    | DemoError::NotWanted(_)
                    | DemoError::Unseen(_)
                    | DemoError::Exists(_)
                    | DemoError::NoFolder(_)
            );
            ExitCode::from(if mistake { 2 } else { 1 })
        }
    }
}

fn perform(args: &DemoArgs) -> Result<(), DemoError> {
    let table = table(args)?;
    let judge = DemoJudge::new(table.header(), &args.irregularity)?;
    crate::log::to_stderr();
    args.journal.as_deref().map(new_file).transpose()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(RunError::from)?;
    // before anything is there that would stay behind; a terminal that is closed ends the demo too
    let interrupted = {
        let _in_runtime = runtime.enter();
        stop_signal(&[SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()])
            .map_err(RunError::from)?
    };
    let folder = Folder::new()?;
    let twins = Arc::new(Twins::start(&folder.0.join("ports"))?);
    let config = configuration(args, table.header(), &folder.0)?;
    let done = runtime.block_on(show(args, config, (table, judge), twins, interrupted));
    runtime.shutdown_background();
    done
}

/// A file that is not there yet can be made at `path`.
fn new_file(path: &Path) -> Result<(), DemoError> {
    if path.exists() {
        return Err(DemoError::Exists(path.to_path_buf()));
    }
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => Err(DemoError::NoFolder(folder.into())),
        _ => Ok(()),
    }
}

/// The simulated table, which deviates in the ways that were asked for or in any that its devices can tell of.
fn table(args: &DemoArgs) -> Result<Deviating, DemoError> {
    let dealing = HouseDealer::under(&args.regulation, Changes::default())?;
    let seen = Options::seen_by_devices(Settings { seed: args.seed, ..dealing.settings() });
    if let Some(unseen) = args.deviation.iter().find(|way| !seen.deviations.contains(way)) {
        return Err(DemoError::Unseen(*unseen));
    }
    let asked = !args.deviation.is_empty();
    let deviations = if asked { args.deviation.clone() } else { seen.deviations.clone() };
    Ok(dealing.deviating(Options { deviations, ..seen }))
}

fn seen() -> String {
    Deviation::SEEN_BY_DEVICES.iter().map(|way| way.word()).collect::<Vec<_>>().join(", ")
}

/// A folder of the demo's own, gone with it.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, DemoError> {
        let base = std::env::temp_dir();
        let mut number = 0;
        loop {
            let path = base.join(format!("sabot-demo-{}-{number}", std::process::id()));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(why) if why.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(why) => return Err(DemoError::Folder { path, why }),
            }
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The station's configuration, written and read as any other.
fn configuration(args: &DemoArgs, header: &Header, folder: &Path) -> Result<Config, DemoError> {
    let path = folder.join("station.toml");
    let absolute =
        |path: &PathBuf| std::path::absolute(path).map_err(|why| DemoError::File { path: path.clone(), why });
    let journal = args.journal.as_ref().map_or_else(|| Ok(folder.join("journal.jsonl")), absolute)?;
    let lang = if args.lang == Lang::En { "en" } else { "es" };
    let text = |path: &Path| toml::Value::from(path.to_string_lossy().as_ref()).to_string();
    let regulation = match header.rules {
        Some(_) => absolute(&PathBuf::from(&args.regulation))?,
        None => PathBuf::from(&args.regulation),
    };
    let mut toml = format!(
        "table = \"{}\"\ntest_mode = true\nregulation = {}\nboxes = {}\nlimits = {{ min = {}, max = {} }}\nlang = \"{lang}\"\nlisten = \"{}\"\njournal = {}\nkeys = {}\n",
        header.table,
        text(&regulation),
        header.boxes,
        header.limits.min,
        header.limits.max,
        args.listen,
        text(&journal),
        text(&folder.join("ports").join(DEFAULT_KEYS)),
    );
    if let Some(key) = &args.journal_key {
        toml.push_str(&format!("journal_key = {}\n", text(&absolute(key)?)));
    }
    for role in sabot_wire::message::Role::ALL {
        let port = folder.join("ports").join(role.name());
        toml.push_str(&format!("\n[[device]]\nrole = \"{}\"\nport = {}\n", role.name(), text(&port)));
    }
    fs::write(&path, toml).map_err(|why| DemoError::File { path: path.clone(), why })?;
    Ok(Config::load(&path)?)
}

/// The table runs until the passes are dealt or somebody stops it.
async fn show(
    args: &DemoArgs,
    config: Config,
    (table_dealt, judge): (Deviating, DemoJudge),
    twins: Arc<Twins>,
    mut interrupted: watch::Receiver<bool>,
) -> Result<(), DemoError> {
    let (listener, address) = listen(config.listen).await?;
    let mut terminal = DemoOutput::new(args.lang);
    terminal.opening(&format!("http://{address}/"), &config, args.seed, args.speed);
    let (stop, shutdown) = watch::channel(false);
    let mut done = None;
    let (tell, mut snapshots) = watch::channel(Arc::new(Snapshot::default()));
    let record = Some(RecordFeed::of(&config.journal).in_house(config.house.clone()).without(config.silent.clone()));
    let access = console::Access { record: record.clone(), ..console::Access::default() };
    let page = tokio::spawn(console::serve(listener, snapshots.clone(), access, shutdown.clone()));
    let with = station::With { record, ..station::With::default() };
    let mut table = tokio::spawn(station::run_with(config, with, shutdown, tell));
    let shown = async {
        tokio::select! {
            online = devices_online(&mut snapshots) => online?,
            _ = interrupted.wait_for(|stop| *stop) => return Ok(()),
        }
        if args.keypad {
            read_entries(Arc::downgrade(&twins)).map_err(RunError::from)?;
        }
        let (progress, mut dealt) = mpsc::unbounded_channel();
        let deviates = !args.irregularity.is_empty() || !args.deviation.is_empty();
        let dealt_at = DemoTable::new(table_dealt, Box::new(judge), Arc::clone(&twins), args.speed);
        let stop_dealing = start(dealt_at, args.passes, deviates, progress).map_err(RunError::from)?;
        let told = loop {
            tokio::select! {
                biased;
                _ = interrupted.wait_for(|stop| *stop) => break Ok(()),
                ended = &mut table => {
                    done = Some(ended);
                    break Err(DemoError::Ended);
                }
                changed = snapshots.changed() => {
                    if changed.is_err() {
                        break Err(DemoError::Ended);
                    }
                    let snapshot = snapshots.borrow_and_update().clone();
                    terminal.findings(&snapshot, &twins).await;
                }
                news = dealt.recv() => match news {
                    Some(Progress::Pass(pass)) => terminal.pass(&pass),
                    Some(Progress::Waits) => terminal.waits(),
                    None => break Ok(()),
                },
            }
        };
        drop(stop_dealing);
        told
    };
    let shown = shown.await;
    stop.send_replace(true);
    let _ = page.await;
    let ended = match done {
        Some(ended) => ended,
        None => table.await,
    };
    let last = snapshots.borrow_and_update().clone();
    terminal.findings(&last, &twins).await;
    ended.map_err(|_| DemoError::Ended)??;
    terminal.summary(&last, args.journal.as_deref());
    shown
}

/// Waits until every device is in session.
async fn devices_online(snapshots: &mut watch::Receiver<Arc<Snapshot>>) -> Result<(), DemoError> {
    let online = |snapshot: &Arc<Snapshot>| {
        !snapshot.devices.is_empty() && snapshot.devices.iter().all(|device| device.state == DeviceState::Online)
    };
    let waited = tokio::time::timeout(COMING, snapshots.wait_for(online)).await.map(|seen| seen.map(|_| ()));
    match waited {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(DemoError::Ended),
        Err(_) => {
            let snapshot = snapshots.borrow().clone();
            let missing = snapshot.devices.iter().filter(|device| device.state != DeviceState::Online);
            let words: Vec<String> = missing.map(|device| format!("{} {}", device.role, device.detail)).collect();
            Err(DemoError::Offline { missing: words.join("; ") })
        }
    }
}

/// Enters on the keypad what comes from standard input. Not waited for at the end: it may be reading a terminal.
fn read_entries(twins: Weak<Twins>) -> io::Result<()> {
    let enter = move |line: &str| {
        let entries = person::read(line)?;
        // a demo that has ended has no keypad
        twins.upgrade().into_iter().for_each(|twins| twins.saw_together(entries.clone()));
        Ok(())
    };
    let complain = |line, why: levers::NoLever| say_err!("sabot demo: line {line}: {why}");
    let read = move || {
        if let Err(why) = levers::each_line(io::stdin().lock(), enter, complain) {
            say_err!("sabot demo: standard input: {why}");
        }
    };
    std::thread::Builder::new().name("keypad".into()).spawn(read).map(drop)
}

/// Starts the dealer; dealing ends when what is given back is dropped, or after the passes.
fn start(
    table: DemoTable,
    passes: Option<u64>,
    deviates: bool,
    progress: mpsc::UnboundedSender<Progress>,
) -> io::Result<Sender<()>> {
    let (stop, stopped): (Sender<()>, Receiver<()>) = channel();
    std::thread::Builder::new().name("dealer".into()).spawn(move || {
        table.deal(passes, deviates, &stopped, |news| {
            // nobody listens any more when the demo ends
            let _ = progress.send(news);
        });
    })?;
    Ok(stop)
}
