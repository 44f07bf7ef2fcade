//! `sabot replay LOG --watch`: a log played on the page, in its own time.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::out::say_err;
use clap::Args;
use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;
use sabot_station::console::{self, Access};
use sabot_station::history::playback::{Played, played};
use sabot_station::history::{NotRead, Record, house_of};
use sabot_station::house_time::HouseTime;
use sabot_station::snapshot::Snapshot;
use tokio::sync::watch;

use super::run::{RunError, serve_page};

/// A longer pause of the table is shortened to this.
const PAUSE: Duration = Duration::from_secs(10);
/// Between two lines of a log that tells no times.
const BEAT: Duration = Duration::from_secs(1);
/// How often it is seen to whether somebody has stopped it.
const LOOK: Duration = Duration::from_millis(50);

/// How a log is played.
#[derive(Debug, Args)]
pub(super) struct WatchArgs {
    /// Play the log on a page as the station's, in its own time, instead of printing the answers. Pauses longer than
    /// 10 s are shortened to that; a log without times has a line each second. Covered cards stay covered. It ends
    /// with Ctrl-C or SIGTERM.
    #[arg(long, conflicts_with_all = ["due", "strict", "jobs", "reader_key"])]
    pub(super) watch: bool,
    /// So many times as fast as it was.
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = factor, requires = "watch")]
    speed: f64,
    /// Begin with this pass; what was before is there at once.
    #[arg(long, value_name = "N", default_value = "0", requires = "watch")]
    from_pass: u64,
    /// Before each pass wait until Enter is pressed.
    #[arg(long, requires = "watch")]
    by_pass: bool,
    /// Address and port of the page; port 0 takes any that is free.
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8080", value_parser = super::address, requires = "watch")]
    listen: SocketAddr,
    /// Time zone in which times are told; a name of the IANA database, such as Europe/Madrid. Left out: that of the
    /// table, as the record tells it; else universal time.
    #[arg(long, value_name = "ZONE", requires = "watch")]
    time_zone: Option<HouseTime>,
}

fn factor(text: &str) -> Result<f64, &'static str> {
    let factor = text.parse().ok().filter(|factor: &f64| factor.is_finite() && *factor > 0.0);
    factor.ok_or("a factor is a number above 0, such as 1, 0.5 or 20")
}

/// Why nothing is played.
#[derive(Debug, thiserror::Error)]
enum NotPlayed {
    #[error("{}: --watch plays one log, which is a file", .0.display())]
    NoFile(PathBuf),
    #[error(transparent)]
    Record(#[from] NotRead),
    #[error(transparent)]
    Page(#[from] RunError),
}

/// Runs the command.
#[must_use]
pub(super) fn run(args: &WatchArgs, log: &Path, judge: (Replay, Lang)) -> ExitCode {
    match watch(args, log, judge) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            say_err!("sabot replay: {why}");
            ExitCode::from(2)
        }
    }
}

fn watch(args: &WatchArgs, log: &Path, judge: (Replay, Lang)) -> Result<(), NotPlayed> {
    if !log.is_file() {
        return Err(NotPlayed::NoFile(log.to_path_buf()));
    }
    let (tell, snapshots) = watch::channel(Arc::new(Snapshot::default()));
    let mut ended = Ok(());
    let what = format!("{} is played", log.display());
    serve_page(&what, args.listen, false, async |listener, mut shutdown| {
        let page = tokio::spawn(console::serve(listener, snapshots, Access::default(), shutdown.clone()));
        let player = Player::new(args, tell, shutdown.clone());
        let log = log.to_path_buf();
        let plays = tokio::task::spawn_blocking(move || player.play(&log, judge));
        let failed = |_| Err(io::Error::other("a part of the player has failed").into());
        tokio::select! {
            played = plays => ended = played.unwrap_or_else(failed),
            // it may wait for somebody at the keyboard
            _ = shutdown.wait_for(|stop| *stop) => {}
        }
        if ended.is_ok() {
            let _ = page.await;
        }
        Ok(())
    })?;
    Ok(ended?)
}

struct Player {
    speed: f64,
    from: u64,
    by_pass: bool,
    house: Option<HouseTime>,
    tell: watch::Sender<Arc<Snapshot>>,
    shutdown: watch::Receiver<bool>,
    /// When the last line was.
    last: Option<u64>,
    pass: Option<u64>,
}

impl Player {
    fn new(args: &WatchArgs, tell: watch::Sender<Arc<Snapshot>>, shutdown: watch::Receiver<bool>) -> Self {
        let WatchArgs { speed, from_pass: from, by_pass, time_zone: house, .. } = args;
        let (speed, from, by_pass, house) = (*speed, *from, *by_pass, house.clone());
        Self { speed, from, by_pass, house, tell, shutdown, last: None, pass: None }
    }

    /// Plays to the log's end, and lets the last picture stand until somebody stops it.
    fn play(mut self, log: &Path, judge: (Replay, Lang)) -> Result<(), NotRead> {
        let house = self.house.clone().or_else(|| house_of(log)).unwrap_or_default();
        let record = Record::whole(log).in_house(house);
        let from = self.from;
        match played(&record, judge, from, |line| self.line(line)) {
            Err(NotRead::Out(why)) if why.kind() == io::ErrorKind::Interrupted => return Ok(()),
            played => played?,
        }
        match self.last {
            Some(_) => say("it is played to its end")?,
            None if from == 0 => {
                let what = format!(
                    "{}: nothing happens in it that could be played\n  = name a log with more than its first line; \
                     `sabot demo --journal FILE` writes one",
                    log.display()
                );
                return Err(io::Error::new(io::ErrorKind::InvalidData, what).into());
            }
            None => say(&format!("it has no pass {from}"))?,
        }
        while !self.is_stopped() {
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    fn line(&mut self, Played { picture, pass, at, second }: Played) -> Result<(), NotRead> {
        let gap = match self.last.replace(at) {
            None => Duration::ZERO,
            Some(_) if at == 0 => BEAT,
            Some(before) => Duration::from_millis(at.saturating_sub(before)).min(PAUSE),
        };
        self.waits(gap.div_f64(self.speed))?;
        if self.pass.replace(pass) != Some(pass) {
            let when = if at == 0 { String::new() } else { format!(", {second}") };
            if self.by_pass {
                say(&format!("pass {pass}{when}: press Enter"))?;
                io::stdin().read_line(&mut String::new())?;
            } else {
                say(&format!("pass {pass}{when}"))?;
            }
        }
        self.tell.send_replace(Arc::new(picture));
        Ok(())
    }

    fn waits(&self, time: Duration) -> io::Result<()> {
        let until = Instant::now() + time;
        loop {
            if self.is_stopped() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            std::thread::sleep(left.min(LOOK));
        }
    }

    fn is_stopped(&self) -> bool {
        *self.shutdown.borrow()
    }
}

/// A reader that has gone away is no reason to end.
fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{line}").and_then(|()| out.flush()) {
        Err(why) if why.kind() != io::ErrorKind::BrokenPipe => Err(why),
        _ => Ok(()),
    }
}
