//! The pictures of cards as a camera at the mouth of the shoe saw them.
//!
//! The camera sees the face of every card, and most are a secret for a while. A picture waits in memory alone: nothing
//! of it is on a disk before its card lies open. Once something is found in a pass, the pictures of those of its cards
//! that lie open are kept beside the record, the others as they are uncovered. Those of cards that were never uncovered
//! are forgotten with the end of the pass, and all others once the next one begins.

use std::collections::VecDeque;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use sabot_drivers::Picture;
use sabot_journal::days::pictures_of;
use sabot_journal::{Covering, Origin};
use sabot_law::table::{Answer, Card, Event, LineNo};

use super::config::{Config, Driver};
use super::live_table::Judged;

/// Pictures whose card the record has not been told yet, at the most: the oldest goes.
const WAITING: usize = 64;
/// Cards of a pass that are remembered, at the most.
const CARDS: usize = 512;
/// Pictures that may wait for the disk; what finds no room is lost, for no table waits for it. An order to forget
/// always finds room.
const UNWRITTEN: usize = 256;
const DAY: Duration = Duration::from_hours(24);
/// How often it is looked for those that are too old.
const HOUR: Duration = Duration::from_hours(1);
const SUFFIX: &str = ".jpg";

/// What the disk is asked for.
#[derive(Debug, PartialEq, Eq)]
enum Order {
    /// A picture is kept in that file.
    Keep(PathBuf, Picture),
    /// Those of a pass go from that folder.
    Forget(PathBuf, u64),
}

/// Who may see a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    ByAll,
    /// It lies covered, and may be uncovered.
    NotYet,
    /// It was not uncovered in its pass; or was not read, so that nobody knows which card it is; or somebody has said
    /// that the pass was otherwise than it was told.
    Never,
}

/// A card of the last pass.
#[derive(Debug)]
struct Drawn {
    origin: Origin,
    pass: u64,
    line: LineNo,
    seen: Seen,
    picture: Option<Picture>,
}

/// The pictures of the cards of the pass on the felt.
#[derive(Debug, Default)]
pub(super) struct CardPictures {
    /// Where they are kept; nowhere where there is no camera, or the house keeps none.
    disk: Option<Disk>,
    waiting: VecDeque<(Origin, Picture)>,
    cards: VecDeque<Drawn>,
    /// The last pass in which something was found.
    found: Option<u64>,
    /// The last line that was told.
    line: LineNo,
    /// Pictures to be kept, and the line that has to be on the disk before them.
    held: VecDeque<Held>,
    /// The last pass of which nothing more is kept: what was told of it was corrected.
    corrected: Option<u64>,
}

/// A picture that is kept once the record says on the disk that it may be.
#[derive(Debug)]
struct Held {
    line: LineNo,
    pass: u64,
    path: PathBuf,
    picture: Picture,
}

#[derive(Debug)]
struct Disk {
    orders: Sender<Order>,
    /// Pictures that wait for it.
    unwritten: Arc<AtomicUsize>,
    thread: Option<std::thread::JoinHandle<()>>,
    record: PathBuf,
    /// The folder of the day.
    folder: PathBuf,
}

/// Pictures of all days that are removed once they are so old.
#[derive(Debug)]
struct Ageing {
    folder: PathBuf,
    age: Duration,
}

impl CardPictures {
    /// Of a table's camera, beside a record that was begun then, milliseconds since 1970.
    pub(super) fn of(config: &Config, began: u64) -> Self {
        let has_camera = config.devices.iter().any(|device| matches!(device.driver, Driver::Camera(_)));
        let all = pictures_of(&config.journal, began).parent().map_or_else(PathBuf::new, Path::to_owned);
        if config.pictures_keep_days == Some(0)
            && let Err(why) = remove_older(&all, Duration::ZERO)
        {
            tracing::warn!("pictures that are no longer to be kept: {why}");
        }
        // those of a camera that is there no more grow old too
        if config.pictures_keep_days == Some(0) || !(has_camera || all.is_dir()) {
            return Self::default();
        }
        let days = config.pictures_keep_days.map(|days| u32::try_from(days).unwrap_or(u32::MAX));
        let ageing = days.map(|days| Ageing { folder: all, age: DAY.saturating_mul(days) });
        let (orders, ordered) = channel();
        let unwritten = Arc::new(AtomicUsize::new(0));
        let (log, written) = (tracing::dispatcher::get_default(Clone::clone), Arc::clone(&unwritten));
        let work = move || {
            tracing::dispatcher::with_default(&log, || works(&ordered, &written, (ageing.as_ref(), HOUR)));
        };
        let thread = std::thread::Builder::new().name("pictures".to_owned()).spawn(work);
        if let Err(why) = &thread {
            tracing::warn!("the pictures of findings' cards are not kept: {why}");
        }
        let (record, folder) = (config.journal.clone(), PathBuf::new());
        let disk = Disk { orders, unwritten, thread: thread.ok(), record, folder };
        let mut pictures = Self { disk: Some(disk), ..Self::default() };
        pictures.begun(began);
        pictures
    }

    /// The next record is begun.
    pub(super) fn begun(&mut self, began: u64) {
        if let Some(disk) = &mut self.disk {
            disk.folder = pictures_of(&disk.record, began);
        }
        // no line of it is on the disk before all of the one before
        self.held.iter_mut().for_each(|held| held.line = 1);
        // passes and lines are counted anew
        (self.found, self.corrected, self.line) = (None, None, 0);
        self.cards.clear();
    }

    /// A picture comes.
    pub(super) fn comes(&mut self, origin: Origin, picture: Picture) {
        if self.disk.is_none() {
            return;
        }
        if let Some(at) = self.cards.iter().position(|card| card.origin == origin) {
            self.has(at, picture);
        } else {
            self.waiting.push_back((origin, picture));
            if self.waiting.len() > WAITING {
                self.waiting.pop_front();
            }
        }
    }

    /// The record is told an event.
    pub(super) fn told(&mut self, line: LineNo, (event, origin): (&Event, Option<&Origin>), judged: &Judged) {
        if self.disk.is_none() {
            return;
        }
        let Judged { covering, answers, pass, shown, .. } = judged;
        self.line = line;
        self.cards.retain(|card| card.pass == *pass);
        if matches!(event, Event::Correct { .. }) {
            self.is_corrected(*pass);
        }
        if let (Event::Draw { card, .. }, Some(origin)) = (event, origin) {
            let seen = if self.corrected == Some(*pass) { Seen::Never } else { seen(*card, *shown, covering) };
            self.cards.push_back(Drawn { origin: origin.clone(), pass: *pass, line, seen, picture: None });
            if self.cards.len() > CARDS {
                self.cards.pop_front();
            }
            if let Some(at) = self.waiting.iter().position(|(of, _)| of == origin)
                && let Some((_, picture)) = self.waiting.remove(at)
            {
                self.has(self.cards.len() - 1, picture);
            }
        }
        let mut found = answers.iter().filter_map(|answer| match answer {
            Answer::Finding(finding) => Some(finding.pass),
            _ => None,
        });
        self.found = found.next_back().or(self.found);
        // the record tells with the end of a pass which cards were never uncovered: nobody at the table has seen them
        let is_end = matches!(event, Event::End {});
        for card in self.cards.iter_mut().filter(|card| card.seen == Seen::NotYet) {
            if is_end {
                (card.seen, card.picture) = (Seen::Never, None);
            } else if covering.uncovers.iter().any(|(line, _)| *line == card.line) {
                card.seen = Seen::ByAll;
            }
        }
        self.keep();
    }

    /// Which cards lie covered may be others than was thought, in this pass and in the one before, of which a
    /// correction may be too.
    fn is_corrected(&mut self, pass: u64) {
        self.corrected = Some(pass);
        self.cards.iter_mut().for_each(|card| (card.seen, card.picture) = (Seen::Never, None));
        let passes = pass.saturating_sub(1)..=pass;
        self.held.retain(|held| !passes.contains(&held.pass));
        if let Some(disk) = &self.disk {
            passes.for_each(|pass| disk.asks(Order::Forget(disk.folder.clone(), pass)));
        }
    }

    fn has(&mut self, at: usize, picture: Picture) {
        if let Some(card) = self.cards.get_mut(at).filter(|card| card.seen != Seen::Never) {
            card.picture = Some(picture);
        }
        self.keep();
    }

    fn keep(&mut self) {
        let Some(disk) = &self.disk else { return };
        let is_kept = |card: &&mut Drawn| card.seen == Seen::ByAll && self.found == Some(card.pass);
        for card in self.cards.iter_mut().filter(is_kept) {
            let Some(picture) = card.picture.take() else { continue };
            if self.held.len() >= UNWRITTEN {
                tracing::warn!("a picture of a finding's card is lost: the record does not keep up");
                continue;
            }
            let (pass, path) = (card.pass, disk.folder.join(name(card.pass, card.line)));
            self.held.push_back(Held { line: self.line, pass, path, picture });
        }
    }

    /// The record is on the disk as far as that line: a picture is never there before what it is of.
    pub(super) fn durable(&mut self, line: LineNo) {
        let Some(disk) = &self.disk else { return };
        while let Some(held) = self.held.pop_front_if(|held| held.line <= line) {
            disk.asks(Order::Keep(held.path, held.picture));
        }
    }

    /// Waits until what is to be kept is on the disk, now that the record is there as far as that line.
    pub(super) fn close(mut self, line: LineNo) {
        self.durable(line);
        let Some(Disk { orders, thread, .. }) = self.disk else { return };
        drop(orders);
        thread.map(std::thread::JoinHandle::join);
    }
}

/// Who may see a card that is drawn.
fn seen(card: Card, shown: bool, covering: &Covering) -> Seen {
    if card == Card::UNREAD {
        Seen::Never
    } else if shown || covering.covers.is_none() {
        Seen::ByAll
    } else {
        Seen::NotYet
    }
}

impl Disk {
    fn asks(&self, order: Order) {
        if matches!(order, Order::Keep(..)) && self.unwritten.fetch_add(1, Ordering::Relaxed) >= UNWRITTEN {
            self.unwritten.fetch_sub(1, Ordering::Relaxed);
            tracing::warn!("a picture of a finding's card is lost: the disk does not keep up");
            return;
        }
        // without its thread nothing is kept, which was told as it could not be begun
        let _ = self.orders.send(order);
    }
}

/// Does what it is asked for, until nobody asks any more, and each so often removes what is too old.
fn works(ordered: &Receiver<Order>, unwritten: &AtomicUsize, (ageing, each): (Option<&Ageing>, Duration)) {
    let mut removed = None;
    loop {
        if let Some(Ageing { folder, age }) = ageing
            && removed.is_none_or(|removed: Instant| removed.elapsed() >= each)
        {
            removed = Some(Instant::now());
            warn_of(folder, remove_older(folder, *age));
        }
        match ordered.recv_timeout(each.saturating_sub(removed.map_or(Duration::ZERO, |removed| removed.elapsed()))) {
            Ok(Order::Keep(path, picture)) => {
                warn_of(&path, write(&path, &picture));
                unwritten.fetch_sub(1, Ordering::Relaxed);
            }
            Ok(Order::Forget(folder, pass)) => warn_of(&folder, forget(&folder, pass)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn warn_of(path: &Path, done: io::Result<()>) {
    if let Err(why) = done {
        tracing::warn!("{}: {why}", path.display());
    }
}

fn forget(folder: &Path, pass: u64) -> io::Result<()> {
    lines(folder, pass)?.iter().try_for_each(|line| fs::remove_file(folder.join(name(pass, *line))))
}

/// A picture that stands under its name is whole, and nobody else on the machine reads it.
fn write(path: &Path, picture: &Picture) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let new = path.with_extension("new");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
    file.write_all(&picture.0)?;
    file.sync_all()?;
    fs::rename(&new, path)?;
    path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

/// Removes the pictures of every day that are older than that, and days without any.
fn remove_older(folder: &Path, age: Duration) -> io::Result<()> {
    let now = SystemTime::now();
    for day in entries(folder)?.into_iter().filter(|day| day.is_dir()) {
        for file in entries(&day)? {
            if now.duration_since(fs::metadata(&file)?.modified()?).unwrap_or_default() > age {
                fs::remove_file(&file)?;
            }
        }
        if entries(&day)?.is_empty() {
            fs::remove_dir(&day)?;
        }
    }
    Ok(())
}

/// What is in a folder; nothing where there is none.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        entries => entries?.map(|entry| entry.map(|entry| entry.path())).collect(),
    }
}

fn name(pass: u64, line: LineNo) -> String {
    format!("{pass}-{line}{SUFFIX}")
}

/// The lines of a pass whose card's picture is kept in a day's folder, in their order.
///
/// # Errors
/// When the folder cannot be read; without one there is none.
pub fn lines(folder: &Path, pass: u64) -> io::Result<Vec<LineNo>> {
    let line = |path: &PathBuf| {
        let (of, line) = path.file_name()?.to_str()?.strip_suffix(SUFFIX)?.split_once('-')?;
        (of.parse() == Ok(pass)).then(|| line.parse().ok()).flatten()
    };
    let mut lines: Vec<LineNo> = entries(folder)?.iter().filter_map(line).collect();
    lines.sort_unstable();
    Ok(lines)
}

/// The picture of a card, by its pass and the line that drew it: a JPEG.
///
/// # Errors
/// When there is none, or it cannot be read.
pub fn picture(folder: &Path, pass: u64, line: LineNo) -> io::Result<Vec<u8>> {
    fs::read(folder.join(name(pass, line)))
}

#[cfg(test)]
#[path = "card_pictures_tests.rs"]
pub(super) mod tests;
