//! Signs checkpoints of a record while it is written: at the end of each pass, once a minute while lines come, when the
//! record is opened and when it is closed. Only lines that are on disk are signed.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::blocks::BlockWriter;
use super::checkpoint::{Checkpoint, Checkpoints, Stated, checkpoints_of, origin};
use super::files::{self, PRIVATE, sync_folder};
use super::mark::Mark;
use super::note::{Note, PrivateKey, PublicKey, Signed};
use super::seal::END_OF_PASS;
use super::tree::{Tree, leaf};

/// How long a line waits for its signature at the most.
const AT_LATEST: Duration = Duration::from_mins(1);
/// How long after a failure signing is tried again.
const RETRY: Duration = Duration::from_secs(5);

/// How a record contradicts what its station signed, or knew to be on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Contradiction {
    /// Lines are gone.
    #[error("the station signed {signed} lines of it and {found} are there: lines were removed at the end")]
    Shorter {
        /// Lines signed.
        signed: u64,
        /// Lines there.
        found: u64,
    },
    /// Lines are others.
    #[error("its first {signed} lines are not those that the station signed: it was rewritten, with its chain")]
    Rewritten {
        /// Lines signed.
        signed: u64,
    },
    /// Lines that were on disk are gone.
    #[error("{written} lines of it were on disk and {found} are there: lines were removed at the end")]
    Missing {
        /// Lines that were on disk.
        written: u64,
        /// Lines there.
        found: u64,
    },
    /// Lines that were on disk are others.
    #[error("its first {written} lines are not those that were on disk: it was rewritten, with its chain")]
    Other {
        /// Lines that were on disk.
        written: u64,
    },
    /// The file of checkpoints is another record's.
    #[error("its checkpoints are those of another record: they belong where that record was moved to")]
    OtherRecord,
}

/// Signs a record's checkpoints.
#[derive(Debug)]
pub(super) struct Signer {
    key: PrivateKey,
    path: PathBuf,
    file: File,
    /// Bytes of whole checkpoints in the file.
    bytes: u64,
    origin: String,
    tree: Tree,
    /// Once it is known where the record is read from.
    blocks: Option<BlockWriter>,
    /// Lines of the last checkpoint.
    signed: u64,
    /// The last checkpoint that the file held, and whether the record bears it out.
    last: Option<Stated>,
    bears_out: bool,
    due: Option<Instant>,
    failed: bool,
}

impl Signer {
    /// Opens the file of checkpoints beside the record at `record`.
    pub(super) fn open(record: &Path, key: PrivateKey) -> io::Result<Self> {
        let path = checkpoints_of(record);
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(PRIVATE).open(&path)?;
        let (last, (mut bytes, unended)) = last_of(&file, key.public())?;
        if file.metadata()?.len() > bytes {
            tracing::warn!(
                "{}: the last checkpoint was torn and is cut off; the next one stands for it",
                path.display()
            );
            files::cut(&file, bytes)?;
        }
        file.seek(SeekFrom::Start(bytes))?;
        if unended {
            files::write(&file, b"\n")?;
            bytes += 1;
        }
        files::settle(&file, bytes.saturating_sub(UNSETTLED), bytes)?;
        sync_folder(&path)?;
        let (tree, blocks, origin) = (Tree::default(), None, String::new());
        Ok(Self {
            key,
            path,
            file,
            bytes,
            origin,
            tree,
            blocks,
            signed: 0,
            last,
            bears_out: false,
            due: None,
            failed: false,
        })
    }

    /// The last checkpoint that it has signed, as far as the record has not been held against it.
    pub(super) fn last(&self) -> Option<&Stated> {
        self.last.as_ref()
    }

    /// Goes on from a mark: the lines after it are taken next.
    pub(super) fn read_from(&mut self, record: &Path, mark: &Mark) -> io::Result<()> {
        self.tree = mark.tree.clone();
        self.blocks = Some(BlockWriter::open(record, &mark.tree, mark.bytes)?);
        Ok(())
    }

    /// Takes the last lines of a record, and signs it to its end.
    pub(super) fn ends(&mut self, lines: &[u8]) {
        self.took(lines, Instant::now());
        self.sign();
    }

    /// Signs no more of this record.
    pub(super) fn into_key(self) -> PrivateKey {
        self.key
    }

    /// Takes a line that is on disk, without its line end.
    pub(super) fn take(&mut self, line: &[u8]) {
        let hash = leaf(line);
        self.tree.push(hash);
        if let Some(blocks) = &mut self.blocks {
            blocks.take(hash, line.len() as u64 + 1);
        }
        if let Some(Stated { checkpoint, .. }) =
            self.last.as_ref().filter(|last| last.checkpoint.size == self.tree.size())
        {
            self.bears_out = checkpoint.root == self.tree.root();
        }
    }

    /// Every line that the record held was taken; it was begun then. Whether it is the one that was signed.
    pub(super) fn recalled(&mut self, began_ms: u64) -> Result<(), Contradiction> {
        self.origin = origin(self.key.public(), began_ms);
        let found = self.tree.size();
        if let Some(Stated { checkpoint, .. }) = self.last.take() {
            let signed = checkpoint.size;
            if checkpoint.origin != self.origin {
                return Err(Contradiction::OtherRecord);
            } else if signed > found {
                return Err(Contradiction::Shorter { signed, found });
            } else if !self.bears_out {
                return Err(Contradiction::Rewritten { signed });
            }
            self.signed = signed;
        }
        self.blocks.iter_mut().for_each(BlockWriter::flush);
        if found > self.signed {
            self.due = Some(Instant::now());
        }
        Ok(())
    }

    /// Takes lines that have just come to be on disk, each with its line end.
    pub(super) fn took(&mut self, lines: &[u8], now: Instant) {
        for line in lines.split_inclusive(|&byte| byte == b'\n') {
            self.take(line.strip_suffix(b"\n").unwrap_or(line));
            let due = if line.starts_with(END_OF_PASS) { now } else { now + AT_LATEST };
            self.due = Some(self.due.map_or(due, |before| before.min(due)));
        }
    }

    /// How long until something is to be signed; none while nothing is.
    pub(super) fn due_in(&self, now: Instant) -> Option<Duration> {
        self.due.map(|due| due.saturating_duration_since(now))
    }

    /// Signs, if the time has come.
    pub(super) fn sign_what_is_due(&mut self, now: Instant) {
        if self.due.is_some_and(|due| due <= now) {
            self.sign();
        }
    }

    /// Signs what is not signed yet. A failure is told, and tried again later: the record itself goes on.
    pub(super) fn sign(&mut self) {
        self.due = None;
        if self.tree.size() == self.signed {
            return;
        }
        match self.append() {
            Ok(()) => {
                self.signed = self.tree.size();
                self.blocks.iter_mut().for_each(BlockWriter::flush);
                if std::mem::take(&mut self.failed) {
                    tracing::warn!("{}: checkpoints are written again", self.path.display());
                }
            }
            Err(why) => {
                self.due = Some(Instant::now() + RETRY);
                if !std::mem::replace(&mut self.failed, true) {
                    tracing::error!("{}: a checkpoint cannot be written: {why}", self.path.display());
                }
            }
        }
    }

    fn append(&mut self) -> io::Result<()> {
        let checkpoint = Checkpoint { origin: self.origin.clone(), size: self.tree.size(), root: self.tree.root() };
        let text = checkpoint.to_string();
        let signatures = vec![self.key.sign(&text, 0)];
        let note = format!("{}\n", Note { text, signatures });
        // what a failure before left behind goes first
        files::cut(&self.file, self.bytes)?;
        self.file.seek(SeekFrom::Start(self.bytes))?;
        files::write(&self.file, note.as_bytes())?;
        files::sync(&self.file)?;
        self.bytes += note.len() as u64;
        Ok(())
    }
}

/// More bytes of it than this are on disk: one checkpoint, which is synced before the next.
const UNSETTLED: u64 = 1 << 12;
/// What the file is read back from its end, bytes.
const END: u64 = 1 << 18;

/// The last checkpoint in a file that this key has signed; and how many bytes of it are whole checkpoints, and whether
/// the last of them lacks its empty line. Read from the end, where that is enough.
fn last_of(file: &File, key: &PublicKey) -> io::Result<(Option<Stated>, (u64, bool))> {
    let by_key = |stated: &Stated| stated.note.signed_by(key) == Signed::Yes(None);
    let mut file = BufReader::new(file);
    let from = file.get_ref().metadata()?.len().saturating_sub(END);
    if from > 0 {
        file.seek(SeekFrom::Start(from))?;
        let skipped = Checkpoints::to_the_next(&mut file)?;
        let mut held = Checkpoints::new(&mut file);
        if let Some(last) = held.last(by_key)? {
            let (bytes, unended) = held.whole();
            return Ok((Some(last), (from + skipped + bytes, unended)));
        }
        file.rewind()?;
    }
    let mut held = Checkpoints::new(file);
    let last = held.last(by_key)?;
    Ok((last, held.whole()))
}
