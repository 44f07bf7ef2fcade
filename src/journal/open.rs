//! Opening a record: a new one is begun, one that exists is verified, read back and continued.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::chain::{Chain, Fault, Verified, verify, verify_from};
use super::checkpoint::checkpoints_of;
use super::claims::Claims;
use super::clock::{Anchor, utc};
use super::contradiction::Contradiction;
use super::days;
use super::files::{self, PRIVATE, sync_folder, unix_ms};
use super::guarded_file::GuardedFile;
use super::held::Held;
use super::mark::{Mark, believed};
use super::next_day;
use super::note::{PrivateKey, PublicKey};
use super::record::{AddedFields, Origin, header_line};
use super::seal::{BadOpening, Seals};
use super::sealer::{Sealer, Sealing, kept};
use super::signer::Signer;
use super::synced::{Known, Synced, synced_of};
use super::tree::{Tree, leaf};
use super::unseal::Unsealer;
use super::writer::{Journal, With, Writer};
use sabot_law::table::line::LineError;
use sabot_law::table::{Event, Header, LineNo, Name, line};

/// How long a record is waited for that somebody holds: one who is just ending holds it until he has ended, and so does
/// a program that he has started and that has not begun yet.
const GRACE: Duration = Duration::from_millis(500);
const GRACE_LOOK: Duration = Duration::from_millis(10);

/// Why a record cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file or its folder cannot be used.
    #[error("{}: {why}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// A pipe, a device or the like, from which nothing is read back.
    #[error("{}: this is no regular file; name a file on a disk as `journal`", .0.display())]
    NoFile(PathBuf),
    /// Another station has it open.
    #[error("{}: another station writes this record; stop it first, or name another `journal`", .0.display())]
    InUse(PathBuf),
    /// It is not what was written.
    #[error(
        "{}: {fault}\n  = the record is left as it is: keep the file for the inquiry, and name another `journal` to go on",
        path.display()
    )]
    Broken {
        /// Which.
        path: PathBuf,
        /// Where.
        fault: Fault,
    },
    /// It is not what its station signed, or had on disk.
    #[error(
        "{}: {why}\n  = keep this file and those beside it ({}, {}) for the inquiry, and name another `journal` to go on",
        path.display(), checkpoints_of(path).display(), synced_of(path).display()
    )]
    Contradicts {
        /// Which.
        path: PathBuf,
        /// How.
        why: Contradiction,
    },
    /// Nothing says that its lines were signed, and there is more than its beginning.
    #[error(
        "{}: {lines} lines, and no checkpoint of the key {key} is beside it: it was not signed, or its checkpoints were \
         removed\n  = put {} back; where it was begun without this key, start once with --accept-unsigned: then this \
         station signs all of it",
        path.display(), checkpoints_of(path).display()
    )]
    Unsigned {
        /// Which.
        path: PathBuf,
        /// Lines there.
        lines: LineNo,
        /// Whose signature is missing.
        key: String,
    },
    /// A day that was closed is the same or a later one.
    #[error(
        "{}: this record is older than {}, which was closed: a backup was put back over it\n  = put back the record that \
         follows the last closed day; where there is none, move this one and the files beside it, but not the closed \
         days, to another folder: the next start begins a new one",
        path.display(), day.display()
    )]
    Superseded {
        /// Which.
        path: PathBuf,
        /// What was closed.
        day: PathBuf,
    },
    /// It opens another card than was sealed.
    #[error("{}: {why}\n  = keep this file for the inquiry, and name another `journal` to go on", path.display())]
    Opened {
        /// Which file.
        path: PathBuf,
        /// What.
        why: BadOpening,
    },
    /// A line has a good chain but does not read.
    #[error("{}: line {number}: {why}\n  = name another `journal`, or use the version of sabot that wrote this one", path.display())]
    Line {
        /// Which file.
        path: PathBuf,
        /// Which line.
        number: LineNo,
        /// Why not.
        why: LineError,
    },
    /// The clock on the wall shows less than when the record was told of it last.
    #[error(
        "{}: the machine's clock shows {}, and the record was told {} before: one of the two was wrong\n  = set the clock \
         (`timedatectl` tells how it stands) and start again; if it is right now and was wrong then, start once with \
         --accept-clock",
        path.display(), utc(*shows), utc(*told)
    )]
    ClockBehind {
        /// Which file.
        path: PathBuf,
        /// What the clock shows, milliseconds since 1970.
        shows: u64,
        /// What the record was told last.
        told: u64,
    },
    /// It belongs to another table.
    #[error(
        "{}: this is the record of a table set up otherwise: {}\n  = name another `journal`, or set the table up as it was: \
         one record holds one table",
        path.display(), differences(found, wanted)
    )]
    OtherTable {
        /// Which file.
        path: PathBuf,
        /// Its first line.
        found: Box<Header>,
        /// What it should be.
        wanted: Box<Header>,
    },
}

/// What a record held when it was opened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovered {
    /// When it was begun, milliseconds since 1970.
    pub began: u64,
    /// Its lines, the header included.
    pub lines: LineNo,
    /// Its last `t`.
    pub last_t: u64,
    /// What its clock says now: milliseconds since it was begun, not less than `last_t`.
    pub now: u64,
    /// Of each device (by serial number) the last event it holds: epoch and sequence number.
    pub last: HashMap<Name, (u32, u32)>,
    /// Where bytes after the last whole line were put aside, and how many.
    pub torn: Option<(PathBuf, u64)>,
    /// Lines of the pass on the felt whose covered card is not known any more, the key of its shoe being lost.
    pub lost: Vec<LineNo>,
    /// What was kept of it, where the start went by that.
    pub kept: Option<(Mark, String)>,
    /// The first and the last line that nothing had signed when it was opened with a key.
    pub unsigned: Option<(LineNo, LineNo)>,
}

impl Recovered {
    fn saw(&mut self, origin: Option<Origin>) {
        if let Some(Origin(serial, epoch, seq)) = origin {
            self.last.insert(serial, (epoch, seq));
        }
    }
}

/// Who reads a record back.
pub trait Reader {
    /// Goes on from what was kept of it; false, and as new, where it cannot.
    fn restore(&mut self, state: &str) -> bool;
    /// Takes an event, with its line and its `t`.
    fn take(&mut self, line: LineNo, t: u64, event: &Event);
}

/// Reads everything.
pub(super) struct Each<F>(pub(super) F);

impl<F: FnMut(LineNo, u64, &Event)> Reader for Each<F> {
    fn restore(&mut self, _: &str) -> bool {
        false
    }

    fn take(&mut self, line: LineNo, t: u64, event: &Event) {
        (self.0)(line, t, event);
    }
}

/// Opens the record at `path`, or begins it with `header`. Every event it holds goes to `each`, in order, with its line
/// and its `t`.
///
/// # Errors
/// When the file cannot be used, is in use, is another table's, or its chain is broken. It is then left as it is.
pub fn open(
    path: &Path,
    header: &Header,
    each: impl FnMut(LineNo, u64, &Event),
) -> Result<(Journal, Recovered), JournalError> {
    open_signed(path, header, None, each)
}

/// [`open`], and with a key [checkpoints](super::checkpoint) are signed beside the record while it is written.
///
/// # Errors
/// As [`open`], and when the record is not the one that was signed before.
pub fn open_signed(
    path: &Path,
    header: &Header,
    key: Option<PrivateKey>,
    each: impl FnMut(LineNo, u64, &Event),
) -> Result<(Journal, Recovered), JournalError> {
    open_with(path, header, With { key, ..With::default() }, &mut Each(each))
}

/// [`open`], with more.
///
/// # Errors
/// As [`open`], and when the record is not the one that was signed before.
pub fn open_with(
    path: &Path,
    header: &Header,
    with: With,
    reader: &mut impl Reader,
) -> Result<(Journal, Recovered), JournalError> {
    let was_there = path.exists();
    let refused = opened(path, header, with, reader).inspect_err(|why| {
        let is_empty = || fs::metadata(path).is_ok_and(|file| file.len() == 0);
        // where files beside it tell of lines, an empty one in its place would look like a record
        if !was_there && matches!(why, JournalError::Contradicts { .. }) && is_empty() {
            let _ = fs::remove_file(path);
        }
    });
    let (writer, held) = refused?;
    let (so_far, syncs) = (writer.held, writer.syncs.clone());
    let journal = Journal::serving(&so_far, syncs, move |given| next_day::write(writer, given, begun))
        .map_err(|why| JournalError::Io { path: path.to_path_buf(), why })?;
    Ok((journal, held))
}

/// The one who writes a record that was just begun.
fn begun(path: &Path, header: &Header, with: With) -> io::Result<Writer<GuardedFile>> {
    opened(path, header, with, &mut Each(|_, _, _: &_| {})).map(|(writer, _)| writer).map_err(io::Error::other)
}

/// The one who writes the record, and what it held.
pub(super) fn opened(
    path: &Path,
    header: &Header,
    with: With,
    reader: &mut impl Reader,
) -> Result<(Writer<GuardedFile>, Recovered), JournalError> {
    let io = |why| JournalError::Io { path: path.to_path_buf(), why };
    let contradicts = |why| JournalError::Contradicts { path: path.to_path_buf(), why };
    let mut file = open_file(path)?;
    lock(&file, path)?;
    follows_its_days(path)?;
    let unsigned = |why| JournalError::Io { path: checkpoints_of(path), why };
    let mut signer = with.key.map(|key| Signer::open(path, key)).transpose().map_err(unsigned)?;
    let signed = signer.as_ref().map(Signer::last);
    let kept = match &with.program {
        Some(program) => believed(path, &file, header, program, signed).map_err(io)?,
        None => Err("nothing is kept"),
    };
    let kept = kept.inspect_err(|why| tracing::info!("{}: all of it is read: {why}", path.display()));
    let kept = kept.ok().filter(|(_, state)| reader.restore(state));
    let mark = kept.as_ref().map(|(mark, _)| mark.clone()).unwrap_or_default();
    if let Some(signer) = &mut signer {
        signer.read_from(path, &mark).map_err(unsigned)?;
    }
    let signed = signer.as_ref().and_then(Signer::last).map_or(0, |last| last.checkpoint.size);
    let mut known = Known::of(path, &mark).map_err(io)?;
    let seal_file = with.sealing.file(path);
    let mut back = Back::new(path, header, &seal_file, &mark, reader)?;
    let verified = back.read(&file, LineNo::MAX, |text| {
        known.take(text);
        signer.iter_mut().for_each(|signer| signer.recall(text));
    })?;
    let (mut held, began, anchor, seals) = back.end()?;
    if let Some((shows, told)) = behind(anchor).filter(|_| !with.accept_clock) {
        return Err(JournalError::ClockBehind { path: path.to_path_buf(), shows, told });
    }
    if let Some(fault) = verified.fault.filter(|fault| !known.may_tear(fault.line, signed)) {
        return Err(JournalError::Broken { path: path.to_path_buf(), fault });
    }
    known.recalled(verified.lines).map_err(contradicts)?;
    if let Some(signer) = &mut signer {
        signer.recalled(began).map_err(contradicts)?;
        held.unsigned = unsigned_of(path, signer.key(), signer.signed(), verified.lines, with.accept_unsigned)?;
    }
    if verified.torn > 0 || verified.fault.is_some() {
        held.torn = Some(files::put_aside(path, &file, verified.bytes, b"\n").map_err(io)?);
    }
    files::settle(&file, known.bytes().unwrap_or(verified.bytes), verified.bytes).map_err(io)?;
    let (chain, bytes) = if verified.lines == 0 {
        let (chain, first) = begin(path, &mut file, header, began).map_err(io)?;
        if let Some(signer) = &mut signer {
            signer.take(first.trim_ascii_end());
        }
        (chain, first.len() as u64)
    } else {
        (verified.chain, verified.bytes)
    };
    signer.iter_mut().try_for_each(Signer::begins).map_err(unsigned)?;
    (held.began, held.lines) = (began, verified.lines.max(1));
    held.now = anchor.continued(held.last_t, unix_ms());
    let written = Held { bytes, lines: held.lines, chain };
    let synced = Synced::begin(path, &written);
    let untold = |why: &io::Error| tracing::warn!("{}: how much of it is safe cannot be told: {why}", path.display());
    let synced = synced.inspect_err(untold).ok();
    let file = GuardedFile::new(file, path, bytes).map_err(io)?.unread(kept.is_some());
    held.kept = kept;
    let sealer = Sealer::new(seal_file, with.sealing.readers, seals);
    Ok((Writer::new(file, written).sealing(sealer).signing(signer).telling(synced), held))
}

/// The lines that nothing has signed; an error where nothing says that any of them was.
fn unsigned_of(
    path: &Path,
    key: &PublicKey,
    signed: LineNo,
    lines: LineNo,
    is_accepted: bool,
) -> Result<Option<(LineNo, LineNo)>, JournalError> {
    // a power cut may come between the first line and its checkpoint
    if signed == 0 && lines > 1 && !is_accepted {
        let key = key.name().to_owned();
        return Err(JournalError::Unsigned { path: path.to_path_buf(), lines, key });
    }
    Ok((lines > signed.max(1)).then_some((signed + 1, lines)))
}

/// Refuses a record that is older than a closed day beside it.
fn follows_its_days(path: &Path) -> Result<(), JournalError> {
    let day = days::superseding(path).map_err(|why| JournalError::Io { path: path.to_path_buf(), why })?;
    day.map_or(Ok(()), |day| Err(JournalError::Superseded { path: path.to_path_buf(), day }))
}

/// Holds a record against what its station has signed of it, as a start does; nothing is written.
///
/// # Errors
/// When a start refuses it for that.
pub fn bears_out(path: &Path, key: &PublicKey) -> Result<(), JournalError> {
    let io = |why| JournalError::Io { path: path.to_path_buf(), why };
    follows_its_days(path)?;
    let mut claims = Claims::of(path, key).map_err(io)?;
    let (mut tree, mut began) = (Tree::default(), 0);
    let verified = verify(BufReader::new(File::open(path).map_err(io)?), |number, text| {
        if number == 1 {
            began = days::beginning_of(text).0;
        }
        tree.push(leaf(text));
        claims.take(text, &tree);
        ControlFlow::Continue(())
    });
    let lines = verified.map_err(io)?.lines;
    let contradicts = |why| JournalError::Contradicts { path: path.to_path_buf(), why };
    let signed = claims.hold(lines, key, began).map_err(contradicts)?;
    unsigned_of(path, key, signed, lines, false).map(drop)
}

/// What the clock shows, and what the record was told last, where that is later: by more than a clock is set back that
/// follows others.
#[must_use]
pub fn behind(told: Anchor) -> Option<(u64, u64)> {
    const SET_BACK_MS: u64 = 60_000;
    let shows = unix_ms();
    (shows.saturating_add(SET_BACK_MS) < told.unix_ms).then_some((shows, told.unix_ms))
}

/// Reads a record that is being written, from a mark on up to and with a line; what is reached then.
///
/// # Errors
/// When it cannot be read, or is not what was written.
pub fn read_on(
    path: &Path,
    header: &Header,
    sealing: &Sealing,
    from: &Mark,
    until: LineNo,
    reader: &mut impl Reader,
) -> Result<Mark, JournalError> {
    let file = File::open(path).map_err(|why| JournalError::Io { path: path.to_path_buf(), why })?;
    let mut tree = from.tree.clone();
    let mut back = Back::new(path, header, &sealing.file(path), from, reader)?;
    let verified = back.read(&file, until, |text| tree.push(leaf(text)))?;
    let (held, began, anchor, _) = back.end()?;
    if let Some(fault) = verified.fault {
        return Err(JournalError::Broken { path: path.to_path_buf(), fault });
    }
    let Verified { lines, bytes, chain, .. } = verified;
    Ok(Mark { lines, bytes, chain, tree, began, t: held.last_t, anchor, last: held.last.into_iter().collect() })
}

/// The file of a record, made where it is not there.
fn open_file(path: &Path) -> Result<File, JournalError> {
    let io = |why| JournalError::Io { path: path.to_path_buf(), why };
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create(true).truncate(false).mode(PRIVATE).open(path).map_err(io)?;
    let kind = file.metadata().map_err(io)?;
    // reading a pipe, or a device such as /dev/full, never ends
    if !kind.is_file() {
        return Err(JournalError::NoFile(path.to_path_buf()));
    }
    let mode = kind.permissions().mode() & 0o777;
    if mode & !PRIVATE != 0 {
        let path = path.display();
        tracing::warn!(
            "{path} can be used by others (mode {mode:o}), and it tells of bets and people: chmod 600 {path}"
        );
    }
    Ok(file)
}

/// A record while it is read back, its covered cards opened.
struct Back<'a, R> {
    mark: &'a Mark,
    unsealer: Unsealer,
    reading: Reading<'a, R>,
}

impl<'a, R: Reader> Back<'a, R> {
    fn new(
        path: &'a Path,
        header: &'a Header,
        seal_file: &Path,
        mark: &'a Mark,
        reader: &'a mut R,
    ) -> Result<Self, JournalError> {
        let keys = kept(seal_file).map_err(|why| JournalError::Io { path: seal_file.to_path_buf(), why })?;
        let unsealer = Unsealer::with(Vec::new(), keys).after(mark.lines);
        Ok(Self { mark, unsealer, reading: Reading::new(path, header, mark, reader) })
    }

    /// Reads up to and with a line; each goes to `raw` as it stands.
    fn read(&mut self, file: &File, until: LineNo, mut raw: impl FnMut(&[u8])) -> Result<Verified, JournalError> {
        let path = self.reading.path;
        let io = |why| JournalError::Io { path: path.to_path_buf(), why };
        let mut lines = BufReader::new(file);
        lines.seek(SeekFrom::Start(self.mark.bytes)).map_err(io)?;
        let (unsealer, reading) = (&mut self.unsealer, &mut self.reading);
        verify_from(self.mark.verified(), lines, |number, text| {
            let opened = unsealer.take(text, |number, text| reading.take(number, text));
            if let Err(why) = opened {
                reading.refuse(JournalError::Opened { path: path.to_path_buf(), why });
            }
            raw(text);
            let ends = reading.refused.is_some() || number == until;
            if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .map_err(io)
    }

    /// No more is read.
    fn end(mut self) -> Result<(Recovered, u64, Anchor, Seals), JournalError> {
        let lost: Vec<LineNo> = self.unsealer.seals().unknown().collect();
        let seals = self.unsealer.finish(&lost, |number, text| self.reading.take(number, text));
        let Reading { mut held, began, anchor, refused, .. } = self.reading;
        held.lost = lost;
        refused.map_or(Ok((held, began, anchor, seals)), Err)
    }
}

/// Takes the lines of a record.
struct Reading<'a, R> {
    path: &'a Path,
    header: &'a Header,
    reader: &'a mut R,
    held: Recovered,
    began: u64,
    anchor: Anchor,
    /// Why it is read no further.
    refused: Option<JournalError>,
}

impl<'a, R: Reader> Reading<'a, R> {
    fn new(path: &'a Path, header: &'a Header, mark: &Mark, reader: &'a mut R) -> Self {
        let last = mark.last.clone().into_iter().collect();
        let held = Recovered { last_t: mark.t, last, ..Recovered::default() };
        let now = unix_ms();
        let (began, anchor) =
            if mark.lines == 0 { (now, Anchor { t: 0, unix_ms: now }) } else { (mark.began, mark.anchor) };
        Self { path, header, reader, held, began, anchor, refused: None }
    }

    fn refuse(&mut self, why: JournalError) {
        self.refused.get_or_insert(why);
    }

    fn take(&mut self, number: LineNo, text: &[u8]) {
        if self.refused.is_some() {
            return;
        }
        let added: AddedFields = serde_json::from_slice(text).unwrap_or_default();
        let read = if number == 1 {
            self.began = added.began;
            self.anchor.unix_ms = added.began;
            self.held.last.extend(added.after.into_iter().flat_map(|after| after.last));
            same_table(self.path, self.header, text)
        } else {
            let unread = |why| JournalError::Line { path: self.path.to_path_buf(), number, why };
            line::timed(text).map_err(unread).map(|(event, t)| {
                self.held.last_t = t.unwrap_or(self.held.last_t);
                self.anchor = Anchor::told(&event, self.held.last_t).unwrap_or(self.anchor);
                self.held.saw(added.origin);
                self.held.saw(added.paired);
                self.reader.take(number, self.held.last_t, &event);
            })
        };
        if let Err(why) = read {
            self.refuse(why);
        }
    }
}

fn lock(file: &File, path: &Path) -> Result<(), JournalError> {
    let until = Instant::now() + GRACE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < until => std::thread::sleep(GRACE_LOOK),
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse(path.to_path_buf())),
            Err(TryLockError::Error(why)) => return Err(JournalError::Io { path: path.to_path_buf(), why }),
        }
    }
}

fn same_table(path: &Path, header: &Header, text: &[u8]) -> Result<(), JournalError> {
    match line::header(text) {
        Ok(found) if found.is_same_table(header) => Ok(()),
        Ok(found) => Err(JournalError::OtherTable {
            path: path.to_path_buf(),
            found: Box::new(found),
            wanted: Box::new(header.clone()),
        }),
        Err(why) => Err(JournalError::Line { path: path.to_path_buf(), number: 1, why }),
    }
}

/// "boxes 7 there, 5 here": field by field what is not the same, as a log of version 2 writes it, which names all.
fn differences(there: &Header, here: &Header) -> String {
    let fields = |header: &Header| match serde_json::to_value(header.clone().in_version_2()) {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let (there, here) = (fields(there), fields(here));
    let names: std::collections::BTreeSet<&String> = there.keys().chain(here.keys()).collect();
    let value = |fields: &serde_json::Map<String, serde_json::Value>, name: &String| {
        fields.get(name).map_or_else(|| "none".to_owned(), ToString::to_string)
    };
    let differs = names.into_iter().filter(|name| there.get(*name) != here.get(*name));
    differs
        .map(|name| format!("{name} {} there, {} here", value(&there, name), value(&here, name)))
        .collect::<Vec<_>>()
        .join("; ")
}

fn begin(path: &Path, file: &mut File, header: &Header, began: u64) -> io::Result<(Chain, Vec<u8>)> {
    let mut first = Vec::new();
    let chain = Chain::default().append(&header_line(header, began, None)?, &mut first);
    Synced::begin(path, &Held::default())?;
    file.rewind()?;
    files::write(file, &first)?;
    files::sync(file)?;
    sync_folder(path)?;
    Ok((chain, first))
}
