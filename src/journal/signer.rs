//! Signs checkpoints of a record while it is written: at the end of each pass, once a minute while lines come, when the
//! record is opened and when it is closed. Only lines that are on disk are signed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::blocks::BlockWriter;
use super::checkpoint::{Checkpoint, Stated, checkpoints_of, origin};
use super::claims::{Claims, LastOf, tells};
use super::clock::START;
use super::contradiction::Contradiction;
use super::fault::RecordFault;
use super::files::{self, PRIVATE, changed, sync_folder};
use super::mark::Mark;
use super::note::{Note, PrivateKey, PublicKey};
use super::seal::END_OF_PASS;
use super::tree::{Tree, leaf};
use sabot_law::table::LineNo;

/// How long a line waits for its signature at the most.
const AT_LATEST: Duration = Duration::from_mins(1);
/// How long after a failure signing is tried again.
const RETRY: Duration = Duration::from_secs(5);

/// Signs a record's checkpoints.
#[derive(Debug)]
pub(super) struct Signer {
    key: PrivateKey,
    path: PathBuf,
    file: File,
    /// Bytes of whole checkpoints in the file, and whether the last of them lacks its empty line.
    whole: (u64, bool),
    /// Lines of the last checkpoint in it; 0 while there is none.
    last: LineNo,
    /// When the file was last changed, as it was found after the station's own last write.
    changed: (i64, i64),
    origin: String,
    tree: Tree,
    /// Once it is known where the record is read from.
    blocks: Option<BlockWriter>,
    /// Lines of the last checkpoint.
    signed: u64,
    claims: Claims,
    due: Option<Instant>,
    failed: bool,
    /// A write has failed: what follows the last whole checkpoint is not known.
    unfinished: bool,
}

impl Signer {
    /// Opens the file of checkpoints beside the record at `record`. What it holds is left as it is.
    pub(super) fn open(record: &Path, key: PrivateKey) -> io::Result<Self> {
        let path = checkpoints_of(record);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(PRIVATE).open(&path)?;
        let LastOf { stated, whole } = LastOf::of(&file, key.public())?;
        let last = stated.map_or(0, |stated| stated.checkpoint.size);
        let changed = changed(&file.metadata()?);
        let claims = Claims::of(record, key.public())?;
        Ok(Self {
            key,
            path,
            file,
            whole,
            last,
            changed,
            origin: String::new(),
            tree: Tree::default(),
            blocks: None,
            signed: 0,
            claims,
            due: None,
            failed: false,
            unfinished: false,
        })
    }

    /// The last checkpoint that it has signed, as far as the record has not been held against it.
    pub(super) fn last(&self) -> Option<&Stated> {
        self.claims.last()
    }

    /// Goes on from a mark: the lines after it are taken next.
    pub(super) fn read_from(&mut self, record: &Path, mark: &Mark) -> io::Result<()> {
        self.tree = mark.tree.clone();
        self.claims.read_from(&self.tree);
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
    }

    /// Takes a line that the record held.
    pub(super) fn recall(&mut self, line: &[u8]) {
        self.take(line);
        self.claims.take(line, &self.tree);
    }

    /// Every line that the record held was taken; it was begun then. Whether it is the one that was signed.
    pub(super) fn recalled(&mut self, began_ms: u64) -> Result<(), Contradiction> {
        self.origin = origin(self.key.public(), began_ms);
        self.signed = self.claims.hold(self.tree.size(), self.key.public(), began_ms)?;
        Ok(())
    }

    /// Whose signature it is.
    pub(super) fn key(&self) -> &PublicKey {
        self.key.public()
    }

    /// How many lines are signed.
    pub(super) fn signed(&self) -> LineNo {
        self.signed
    }

    /// The record is the one that was signed: more of it can be. A record has its first checkpoint before its second
    /// line, so that one that has none was not signed, or has lost its checkpoints.
    pub(super) fn begins(&mut self) -> io::Result<()> {
        let (mut bytes, unended) = self.whole;
        if self.file.metadata()?.len() > bytes {
            let (aside, _) = files::put_aside(&self.path, &self.file, bytes, b"")?;
            let (path, aside) = (self.path.display(), aside.display());
            tracing::warn!("{path}: what follows the last whole checkpoint was put aside in {aside}");
        }
        self.file.seek(SeekFrom::Start(bytes))?;
        if unended {
            files::write(&self.file, b"\n")?;
            bytes += 1;
        }
        files::settle(&self.file, bytes.saturating_sub(UNSETTLED), bytes)?;
        sync_folder(&self.path)?;
        (self.whole, self.changed) = ((bytes, false), changed(&self.file.metadata()?));
        if self.signed == 0 {
            self.append()?;
            self.signed = self.tree.size();
        }
        self.blocks.iter_mut().for_each(BlockWriter::flush);
        if self.tree.size() > self.signed {
            self.due = Some(Instant::now());
        }
        Ok(())
    }

    /// The file is there and is what was written. One that was put back as it was is gone on with.
    pub(super) fn look(&mut self) -> Result<(), RecordFault> {
        if self.unfinished {
            return Ok(());
        }
        let own = self.file.metadata()?;
        let there = match fs::metadata(&self.path) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Err(self.rescue(own.nlink() == 0)?),
            there => there?,
        };
        let is_same = (there.dev(), there.ino()) == (own.dev(), own.ino());
        if is_same && changed(&there) == self.changed && there.len() == self.whole.0 {
            return Ok(());
        }
        let named = File::options().read(true).write(true).open(&self.path)?;
        let there = named.metadata()?;
        let is_what_was_written = there.len() == self.whole.0 && {
            let LastOf { stated, whole } = LastOf::of(&named, self.key.public())?;
            whole == self.whole && stated.map_or(0, |stated| stated.checkpoint.size) == self.last
        };
        if !is_what_was_written {
            return Err(RecordFault::Checkpoints("is not what the station wrote; put it back as it was"));
        }
        (self.changed, self.file) = (changed(&there), named);
        Ok(())
    }

    /// The file has no name any more. Where it was deleted, the station alone still has it, and writes it again.
    fn rescue(&mut self, is_deleted: bool) -> io::Result<RecordFault> {
        if !is_deleted {
            return Ok(RecordFault::Checkpoints("was moved; put it back under its name"));
        }
        let mut bytes = Vec::new();
        self.file.rewind()?;
        self.file.read_to_end(&mut bytes)?;
        let file = OpenOptions::new().read(true).write(true).create_new(true).mode(PRIVATE).open(&self.path)?;
        files::write(&file, &bytes)?;
        files::sync(&file)?;
        sync_folder(&self.path)?;
        (self.changed, self.file) = (changed(&file.metadata()?), file);
        tracing::error!("{} was deleted, and is written again", self.path.display());
        Ok(RecordFault::Checkpoints("was deleted, and is written again"))
    }

    /// Takes lines that have just come to be on disk, each with its line end.
    pub(super) fn took(&mut self, lines: &[u8], now: Instant) {
        for line in lines.split_inclusive(|&byte| byte == b'\n') {
            self.take(line.strip_suffix(b"\n").unwrap_or(line));
            let due = if line.starts_with(END_OF_PASS) || tells(line, START) { now } else { now + AT_LATEST };
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
        self.look().map_err(io::Error::other)?;
        self.unfinished = true;
        // what a failure before left behind goes first
        files::cut(&self.file, self.whole.0)?;
        self.file.seek(SeekFrom::Start(self.whole.0))?;
        files::write(&self.file, note.as_bytes())?;
        files::sync(&self.file)?;
        (self.whole.0, self.last) = (self.whole.0 + note.len() as u64, checkpoint.size);
        self.changed = changed(&self.file.metadata()?);
        self.unfinished = false;
        Ok(())
    }
}

/// More bytes of it than this are on disk: one checkpoint, which is synced before the next.
const UNSETTLED: u64 = 1 << 12;
