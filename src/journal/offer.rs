//! What a witness elsewhere is offered over a network: the last checkpoint, and the proof that the record still begins
//! with all lines that the witness saw. Its text is what C2SP's witnesses are given (c2sp.org/tlog-witness).

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::iter;
use std::ops::Range;
use std::path::Path;

use base64ct::{Base64, Encoding};

use super::blocks::{Blocks, LEVEL, LINES};
use super::checkpoint::{Checkpoint, Checkpoints, Stated, checkpoints_of};
use super::note::Note;
use super::tree::{Hash, Tree, consistency, is_consistent, leaf};
use sabot_law::table::LineNo;

/// Bytes at the end of the checkpoints among which the last one stands: one has some 300.
const LAST: u64 = 1 << 14;
/// A tree of more levels has no record.
const MOST_HASHES: usize = 64;

/// A checkpoint with the proof that it goes on from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// Lines of the older one; 0 where none is known.
    pub old: LineNo,
    hashes: Vec<Hash>,
    /// The newer one.
    pub checkpoint: Checkpoint,
    /// With its signatures.
    pub note: Note,
}

impl Offer {
    /// Of a record to who saw so many lines of it; none where nothing is signed, or the record does not lead to what
    /// is. Who saw more than is signed is offered no proof.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn of(record: &Path, old: LineNo) -> io::Result<Option<Self>> {
        let Some(Stated { checkpoint, note, .. }) = last(record)? else { return Ok(None) };
        if old == 0 || old > checkpoint.size {
            return Ok(Some(Self { old, hashes: Vec::new(), checkpoint, note }));
        }
        let wanted: Vec<Range<u64>> = iter::once(0..old).chain(consistency(old, checkpoint.size)).collect();
        let proven = |blocks: &Blocks| -> io::Result<Option<Vec<Hash>>> {
            let Some(roots) = roots(record, blocks, &wanted)? else { return Ok(None) };
            let Some((root, hashes)) = roots.split_first() else { return Ok(None) };
            let leads = is_consistent((old, *root), (checkpoint.size, checkpoint.root), hashes);
            Ok(leads.then(|| hashes.to_vec()))
        };
        // blocks that are wrong lead elsewhere, or nowhere
        let hashes = match proven(&Blocks::of(record)) {
            Ok(Some(hashes)) => Some(hashes),
            Ok(None) | Err(_) => proven(&Blocks::default())?,
        };
        Ok(hashes.map(|hashes| Self { old, hashes, checkpoint, note }))
    }

    /// Reads one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (head, note) = text.split_once("\n\n")?;
        let mut head = head.split('\n');
        let digits = head.next()?.strip_prefix("old ")?;
        let old: LineNo = digits.parse().ok().filter(|old: &LineNo| old.to_string() == digits)?;
        let hash = |line: &str| Base64::decode_vec(line).ok()?.try_into().ok();
        let hashes = head.map(hash).collect::<Option<Vec<Hash>>>().filter(|all| all.len() <= MOST_HASHES)?;
        let note = Note::parse(note)?;
        let checkpoint = Checkpoint::parse(&note.text)?;
        Some(Self { old, hashes, checkpoint, note })
    }

    /// Whether it proves that it begins with all lines of an older checkpoint.
    #[must_use]
    pub fn goes_on_from(&self, before: &Checkpoint) -> bool {
        let Checkpoint { size, root, .. } = self.checkpoint;
        self.old == before.size && is_consistent((before.size, before.root), (size, root), &self.hashes)
    }
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "old {}", self.old)?;
        self.hashes.iter().try_for_each(|hash| writeln!(f, "{}", Base64::encode_string(hash)))?;
        write!(f, "\n{}", self.note)
    }
}

/// The last checkpoint of a record.
pub(super) fn last(record: &Path) -> io::Result<Option<Stated>> {
    let file = match File::open(checkpoints_of(record)) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    let from = file.metadata()?.len().saturating_sub(LAST);
    let mut file = BufReader::new(file);
    if from > 0 {
        file.seek(SeekFrom::Start(from))?;
        Checkpoints::to_the_next(&mut file)?;
    }
    Checkpoints::new(file).last(|_| true)
}

/// The roots of subtrees of a record's lines; none where it has not so many, or the blocks lead nowhere.
fn roots(record: &Path, blocks: &Blocks, wanted: &[Range<u64>]) -> io::Result<Option<Vec<Hash>>> {
    let mut file = BufReader::new(File::open(record)?);
    let mut roots = Vec::new();
    for range in wanted {
        let Some(root) = root(&mut file, blocks, range.clone())? else { return Ok(None) };
        roots.push(root);
    }
    Ok(Some(roots))
}

fn root(file: &mut (impl BufRead + Seek), blocks: &Blocks, range: Range<u64>) -> io::Result<Option<Hash>> {
    let (mut tree, mut at, mut text) = (Tree::default(), range.start, Vec::new());
    // the next line to be read
    let mut stands: Option<u64> = None;
    while at < range.end {
        let block = at / LINES;
        let is_whole = at.is_multiple_of(LINES) && at + LINES <= range.end;
        if let Some(root) = blocks.root(block).filter(|_| is_whole) {
            tree.push_subtree(root, LEVEL);
            (at, stands) = (at + LINES, None);
            continue;
        }
        let mut line = match stands {
            Some(line) => line,
            None => {
                let (start, first) = blocks.start(block).map_or((0, 0), |start| (start, block * LINES));
                file.seek(SeekFrom::Start(start))?;
                first
            }
        };
        while line <= at {
            text.clear();
            if file.read_until(b'\n', &mut text)? == 0 {
                return Ok(None);
            }
            line += 1;
        }
        tree.push(leaf(text.strip_suffix(b"\n").unwrap_or(&text)));
        (at, stands) = (line, Some(line));
    }
    Ok(Some(tree.root()))
}
