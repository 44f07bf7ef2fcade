//! Opening a record: a new one is begun, one that exists is verified, read back and continued.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::chain::{Chain, Fault, verify};
use super::checkpoint::checkpoints_of;
use super::clock::Anchor;
use super::files::{PRIVATE, beside, sync_folder, unix_ms};
use super::guarded_file::GuardedFile;
use super::note::PrivateKey;
use super::record::{AddedFields, Origin, header_line};
use super::seal::BadOpening;
use super::sealer::{Sealer, Sealing, kept};
use super::signer::{Contradiction, Signer};
use super::unseal::Unsealer;
use super::writer::{Held, Journal, Writer};
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
    /// It is not what its station signed.
    #[error(
        "{}: {why}\n  = keep this file and {} for the inquiry, and name another `journal` to go on",
        path.display(), checkpoints_of(path).display()
    )]
    Contradicts {
        /// Which.
        path: PathBuf,
        /// How.
        why: Contradiction,
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
}

impl Recovered {
    fn saw(&mut self, origin: Option<Origin>) {
        if let Some(Origin(serial, epoch, seq)) = origin {
            self.last.insert(serial, (epoch, seq));
        }
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
    open_with(path, header, With { key, sealing: Sealing::default() }, each)
}

/// What a record is written with.
#[derive(Debug, Default)]
pub struct With {
    /// The key that signs it.
    pub key: Option<PrivateKey>,
    /// How its covered cards are sealed.
    pub sealing: Sealing,
}

/// [`open`], with more.
///
/// # Errors
/// As [`open`], and when the record is not the one that was signed before.
pub fn open_with(
    path: &Path,
    header: &Header,
    with: With,
    each: impl FnMut(LineNo, u64, &Event),
) -> Result<(Journal, Recovered), JournalError> {
    let io = |why| JournalError::Io { path: path.to_path_buf(), why };
    let mut file = open_file(path)?;
    lock(&file, path)?;
    let unsigned = |why| JournalError::Io { path: checkpoints_of(path), why };
    let mut signer = with.key.map(|key| Signer::open(path, key)).transpose().map_err(unsigned)?;
    let seal_file = with.sealing.file(path);
    let keys = kept(&seal_file).map_err(|why| JournalError::Io { path: seal_file.clone(), why })?;
    let mut reading = Reading::new(path, header, each);
    let mut unsealer = Unsealer::with(Vec::new(), keys);
    let verified = verify(BufReader::new(&file), |_, text| {
        let opened = unsealer.take(text, |number, text| reading.take(number, text));
        if let Err(why) = opened {
            reading.refuse(JournalError::Opened { path: path.to_path_buf(), why });
        }
        if let Some(signer) = &mut signer {
            signer.take(text);
        }
        if reading.refused.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .map_err(io)?;
    let lost: Vec<LineNo> = unsealer.seals().unknown().collect();
    let sealer = Sealer::new(seal_file, with.sealing.readers, unsealer.finish(&lost, |n, text| reading.take(n, text)));
    let Reading { mut held, began, anchor, refused, .. } = reading;
    if let Some(refused) = refused {
        return Err(refused);
    }
    if let Some(fault) = verified.fault {
        return Err(JournalError::Broken { path: path.to_path_buf(), fault });
    }
    held.lost = lost;
    if verified.torn > 0 {
        held.torn = Some((put_aside(path, &mut file, verified.bytes).map_err(io)?, verified.torn));
    }
    let (chain, bytes) = if verified.lines == 0 {
        let (chain, first) = begin(path, &mut file, header, began).map_err(io)?;
        if let Some(signer) = &mut signer {
            signer.take(first.trim_ascii_end());
        }
        (chain, first.len() as u64)
    } else {
        (verified.chain, verified.bytes)
    };
    if let Some(signer) = &mut signer {
        signer.recalled(began).map_err(|why| JournalError::Contradicts { path: path.to_path_buf(), why })?;
    }
    held.lines = verified.lines.max(1);
    held.now = anchor.continued(held.last_t, unix_ms());
    let written = Held { bytes, lines: held.lines, chain };
    let file = GuardedFile::new(file, path, bytes).map_err(io)?;
    let writer = Writer::new(file, written).sealing(sealer).signing(signer);
    Ok((Journal::start(writer).map_err(io)?, held))
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
struct Reading<'a, F> {
    path: &'a Path,
    header: &'a Header,
    each: F,
    held: Recovered,
    began: u64,
    anchor: Anchor,
    /// Why it is read no further.
    refused: Option<JournalError>,
}

impl<'a, F: FnMut(LineNo, u64, &Event)> Reading<'a, F> {
    fn new(path: &'a Path, header: &'a Header, each: F) -> Self {
        let began = unix_ms();
        let anchor = Anchor { t: 0, unix_ms: began };
        Self { path, header, each, held: Recovered::default(), began, anchor, refused: None }
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
            same_table(self.path, self.header, text)
        } else {
            let unread = |why| JournalError::Line { path: self.path.to_path_buf(), number, why };
            line::timed(text).map_err(unread).map(|(event, t)| {
                self.held.last_t = t.unwrap_or(self.held.last_t);
                self.anchor = Anchor::told(&event, self.held.last_t).unwrap_or(self.anchor);
                self.held.saw(added.origin);
                self.held.saw(added.paired);
                (self.each)(number, self.held.last_t, &event);
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
        Ok(found) if found == *header => Ok(()),
        Ok(found) => Err(JournalError::OtherTable {
            path: path.to_path_buf(),
            found: Box::new(found),
            wanted: Box::new(header.clone()),
        }),
        Err(why) => Err(JournalError::Line { path: path.to_path_buf(), number: 1, why }),
    }
}

/// "boxes 7 there, 5 here": field by field what is not the same, as the log writes it.
fn differences(there: &Header, here: &Header) -> String {
    let fields = |header: &Header| match serde_json::to_value(header) {
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

/// Moves what follows the last whole line to `<file>.torn`, durably, before it is cut off.
fn put_aside(path: &Path, file: &mut File, whole: u64) -> io::Result<PathBuf> {
    let aside = beside(path, ".torn");
    let mut torn = Vec::new();
    file.seek(SeekFrom::Start(whole))?;
    file.read_to_end(&mut torn)?;
    let mut kept = OpenOptions::new().append(true).create(true).mode(PRIVATE).open(&aside)?;
    kept.write_all(&torn)?;
    kept.write_all(b"\n")?;
    kept.sync_all()?;
    sync_folder(path)?;
    file.set_len(whole)?;
    file.sync_all()?;
    Ok(aside)
}

fn begin(path: &Path, file: &mut File, header: &Header, began: u64) -> io::Result<(Chain, Vec<u8>)> {
    let mut first = Vec::new();
    let chain = Chain::default().append(&header_line(header, began)?, &mut first);
    file.rewind()?;
    file.write_all(&first)?;
    file.sync_all()?;
    sync_folder(path)?;
    Ok((chain, first))
}
