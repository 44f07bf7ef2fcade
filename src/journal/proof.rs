//! The proof that a line is in a record (c2sp.org/tlog-proof): whoever has it, the line and the public key needs
//! nothing else. The record stays where it is.

use std::fmt;
use std::io::{self, BufRead, Seek, SeekFrom};

use base64ct::{Base64, Encoding};

use super::blocks::{Blocks, LEVEL, LINES};
use super::checkpoint::{Checkpoint, Stated};
use super::note::{Note, PublicKey, Signed};
use super::tree::{Hash, Prover, leaf, root_by_proof};
use sabot_law::table::LineNo;

const FIRST: &str = "c2sp.org/tlog-proof@v1\n";
/// A tree of more levels has no record.
const MOST_HASHES: usize = 64;

/// Why there is no proof, or a proof is none.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// The record cannot bear it.
    #[error(
        "the record does not lead to its checkpoint of {0} lines: `sabot journal verify` tells where it was changed"
    )]
    Record(LineNo),
    /// The text is none.
    #[error("this is no proof: it must begin with `c2sp.org/tlog-proof@v1`, as `sabot journal prove` writes it")]
    Form,
    /// Nobody known has signed it.
    #[error("its checkpoint bears no signature of the key {0}")]
    Stranger(String),
    /// A bad signature.
    #[error("the signature of {0} is not good: the proof was changed, or somebody signed in this name")]
    Forged(String),
    /// The line is another.
    #[error("this is not line {0} of the signed record: line or proof was changed")]
    Line(LineNo),
}

/// A line's proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// Which line, from 1.
    pub line: LineNo,
    /// What it leads to.
    pub checkpoint: Checkpoint,
    hashes: Vec<Hash>,
    note: Note,
}

impl Proof {
    /// The proof of `line` (from 1) in a record, up to a checkpoint that covers it. With the record's blocks only some
    /// hundred of its lines are read, without them all.
    ///
    /// # Errors
    /// When the record cannot be read, or is not the one that was signed.
    pub fn make(
        record: &mut (impl BufRead + Seek),
        blocks: &Blocks,
        line: LineNo,
        stated: &Stated,
    ) -> io::Result<Result<Self, ProofError>> {
        // blocks that are wrong lead elsewhere, or nowhere
        let made = match Self::by(record, blocks, line, stated) {
            Ok(Some(quick)) => Some(quick),
            Ok(None) | Err(_) => Self::by(record, &Blocks::default(), line, stated)?,
        };
        Ok(made.ok_or(ProofError::Record(stated.checkpoint.size)))
    }

    fn by(
        record: &mut (impl BufRead + Seek),
        blocks: &Blocks,
        line: LineNo,
        stated: &Stated,
    ) -> io::Result<Option<Self>> {
        let Stated { checkpoint, note, .. } = stated;
        let (index, size) = (line.saturating_sub(1), checkpoint.size);
        let (mut prover, mut proved, mut text, mut skipped) = (Prover::new(index, size), None, Vec::new(), true);
        for block in 0..size.div_ceil(LINES) {
            let (from, to) = (block * LINES, (block + 1) * LINES);
            if let Some(root) = blocks.root(block).filter(|_| to <= size && block != index / LINES) {
                prover.push_subtree(root, LEVEL);
                skipped = true;
                continue;
            }
            if let Some(start) = blocks.start(block).filter(|_| skipped) {
                record.seek(SeekFrom::Start(start))?;
                skipped = false;
            }
            for at in from..to.min(size) {
                text.clear();
                if record.read_until(b'\n', &mut text)? == 0 {
                    return Ok(None);
                }
                let hash = leaf(text.strip_suffix(b"\n").unwrap_or(&text));
                if at == index {
                    proved = Some(hash);
                }
                prover.push(hash);
            }
        }
        let proof = prover.proof().zip(proved).and_then(|(hashes, leaf)| {
            let root = root_by_proof(leaf, index, size, &hashes)?;
            (root == checkpoint.root).then_some(hashes)
        });
        Ok(proof.map(|hashes| Self { line, checkpoint: checkpoint.clone(), hashes, note: note.clone() }))
    }

    /// Reads a proof.
    ///
    /// # Errors
    /// When it is none.
    pub fn parse(text: &str) -> Result<Self, ProofError> {
        let read = || {
            let rest = text.strip_prefix(FIRST)?;
            let (head, note) = rest.split_once("\n\n")?;
            let mut head = head.split('\n').skip_while(|line| line.starts_with("extra "));
            let digits = head.next()?.strip_prefix("index ")?;
            let index: LineNo = digits.parse().ok().filter(|index: &LineNo| index.to_string() == digits)?;
            let hash = |line: &str| Base64::decode_vec(line).ok()?.try_into().ok();
            let hashes = head.map(hash).collect::<Option<Vec<Hash>>>().filter(|all| all.len() <= MOST_HASHES)?;
            let note = Note::parse(note)?;
            let checkpoint = Checkpoint::parse(&note.text)?;
            Some(Self { line: index.checked_add(1)?, checkpoint, hashes, note })
        };
        read().ok_or(ProofError::Form)
    }

    /// Whether `line` is the line that it speaks of. Each of the keys must have signed; of each witness the time at
    /// which it did, seconds since 1970.
    ///
    /// # Errors
    /// When it is not, or was not signed.
    pub fn check(&self, line: &[u8], keys: &[PublicKey]) -> Result<Vec<Option<u64>>, ProofError> {
        let times = keys.iter().map(|key| match self.note.signed_by(key) {
            Signed::Yes(time) => Ok(time),
            Signed::No => Err(ProofError::Stranger(key.name().to_owned())),
            Signed::Forged => Err(ProofError::Forged(key.name().to_owned())),
        });
        let times = times.collect::<Result<_, _>>()?;
        let root = root_by_proof(leaf(line), self.line - 1, self.checkpoint.size, &self.hashes);
        if root == Some(self.checkpoint.root) { Ok(times) } else { Err(ProofError::Line(self.line)) }
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST}index {}", self.line - 1)?;
        self.hashes.iter().try_for_each(|hash| writeln!(f, "{}", Base64::encode_string(hash)))?;
        write!(f, "\n{}", self.note)
    }
}
