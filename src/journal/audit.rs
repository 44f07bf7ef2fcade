//! A record held against what its station signed and what witnesses saw: from the file, the checkpoints and public keys
//! alone, in one pass, in memory that does not grow.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::chain::{self, Verified, verify};
use super::checkpoint::{Checkpoints, Next, Stated, origin};
use super::note::{Note, PublicKey, Signed};
use super::packed;
use super::record::AddedFields;
use super::seal::{BadOpening, Seals};
use super::tree::{Tree, leaf};
use super::watch::{Misorder, Remark, Watch};
use sabot_law::table::LineNo;
use sabot_law::table::line::{self, LineError};

/// More faults than these are not told.
const MOST_FAULTS: usize = 20;

/// A station signs within a minute; what is read meanwhile may be this much longer, milliseconds.
const OVERDUE_MS: u64 = 300_000;

/// Whom the auditor trusts.
#[derive(Debug, Clone, Default)]
pub struct Trust {
    /// The station's keys: the one it signs with, and those it had before.
    pub stations: Vec<PublicKey>,
    /// Witnesses, each of which must have seen the record.
    pub witnesses: Vec<PublicKey>,
    /// The station has stopped, so that every line must be signed.
    pub closed: bool,
}

/// What is wrong with a record.
#[derive(Debug, thiserror::Error)]
pub enum AuditFault {
    /// The chain.
    #[error("{0}")]
    Chain(#[from] chain::Fault),
    /// A line does not read.
    #[error("line {line}: {why}")]
    Line {
        /// Which.
        line: LineNo,
        /// Why not.
        why: LineError,
    },
    /// From one line to the next.
    #[error("{0}")]
    Misorder(#[from] Misorder),
    /// A covered card is opened as another.
    #[error("{0}")]
    Opening(#[from] BadOpening),
    /// A checkpoint.
    #[error("{}, line {at}: {why}", path.display())]
    Checkpoint {
        /// In which file.
        path: PathBuf,
        /// At which line of it.
        at: u64,
        /// What is wrong.
        why: CheckpointFault,
    },
    /// There is none.
    #[error("it has no checkpoint of the key {0}: it was not signed, or its checkpoints were removed")]
    Unsigned(String),
    /// Lines are not signed.
    #[error("lines {from} to {to} are not signed")]
    Tail {
        /// The first.
        from: LineNo,
        /// The last.
        to: LineNo,
    },
    /// Lines should have been signed since.
    #[error(
        "lines {from} to {to} tell of {minutes} minutes and are not signed: checkpoints were removed, or could not be \
         written, which the station's log says"
    )]
    Overdue {
        /// The first.
        from: LineNo,
        /// The last.
        to: LineNo,
        /// From the one to the other.
        minutes: u64,
    },
    /// It ends in the middle of a line.
    #[error("{0} bytes after its last line are no whole line, where none can be under way")]
    Torn(u64),
    /// A witness has not seen it.
    #[error("the witness {0} has cosigned no checkpoint of it")]
    Unwitnessed(String),
}

/// What is wrong with a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointFault {
    /// It does not read.
    #[error("this is no checkpoint")]
    Unreadable,
    /// By somebody else.
    #[error("this checkpoint bears no signature of a key that was given")]
    Stranger,
    /// A bad signature.
    #[error("the signature of {0} is not good: the checkpoint was changed, or somebody signed in this name")]
    Forged(String),
    /// Of another record.
    #[error("this is a checkpoint of another record, {0}")]
    OtherRecord(String),
    /// It has fewer lines than the one before.
    #[error("this checkpoint has fewer lines than the one before it")]
    Order,
    /// The lines are others.
    #[error("lines {from} to {to} of the record are not those that were signed: one of them at least was changed")]
    Root {
        /// The first line that no good checkpoint covers.
        from: LineNo,
        /// Lines of this checkpoint.
        to: LineNo,
    },
    /// Lines are missing.
    #[error("{signed} lines were signed, and the record ends at line {found}: lines were removed at its end")]
    Beyond {
        /// Lines of this checkpoint.
        signed: LineNo,
        /// Lines there.
        found: LineNo,
    },
}

/// What an audit found out.
#[derive(Debug)]
pub struct Report {
    /// The chain.
    pub verified: Verified,
    /// Checkpoints that the lines bear out, and that a key has signed.
    pub checkpoints: u64,
    /// Lines of the last of them.
    pub signed: LineNo,
    /// Of each witness the lines of the last checkpoint it saw, and when it saw it, seconds since 1970.
    pub seen: Vec<(String, Option<(LineNo, u64)>)>,
    /// What is wrong, in the order in which it was found.
    pub faults: Vec<AuditFault>,
    /// What is to be known of it, and is no fault.
    pub remarks: Vec<Remark>,
    /// Starts of the station that it tells of.
    pub starts: u64,
    /// Covered cards that were sealed, and how many of them were opened.
    pub covered: (u64, u64),
}

/// A file of checkpoints, read beside the record.
struct Source<R> {
    path: PathBuf,
    file: Checkpoints<R>,
    next: Option<Held>,
}

/// A checkpoint whose signatures are good.
struct Held {
    stated: Stated,
    signers: Signers,
}

/// Who has signed a checkpoint.
struct Signers {
    /// Which station's key.
    station: usize,
    /// Which witnesses, and when, seconds since 1970.
    witnesses: Vec<(usize, u64)>,
}

struct Auditor<'a, R> {
    trust: &'a Trust,
    sources: Vec<Source<R>>,
    tree: Tree,
    origins: Vec<String>,
    watch: Watch,
    /// The time of the first line that no checkpoint covers so far.
    unsigned_since: Option<u64>,
    seals: Seals,
    report: Report,
}

/// Holds the record against every checkpoint in `checkpoints`, files that may be missing.
///
/// # Errors
/// When a file cannot be read.
pub fn audit(record: &Path, checkpoints: &[PathBuf], trust: &Trust) -> io::Result<Report> {
    let mut sources = Vec::new();
    for path in checkpoints {
        let file = match File::open(path) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => continue,
            file => file?,
        };
        // what is appended from now on is left out: the record is read later, and holds what was signed until now
        let length = file.metadata()?.len();
        sources.push((path.clone(), BufReader::new(file.take(length))));
    }
    let mut report = audit_of(packed::read(record)?, sources, trust)?;
    let torn = report.verified.torn;
    if torn > 0 && (trust.closed || packed::is_packed(record)?) {
        report.faults.push(AuditFault::Torn(torn));
    }
    Ok(report)
}

/// [`audit`], of what was opened; checkpoints each with what its file is called.
///
/// # Errors
/// When something cannot be read.
pub fn audit_of<R: BufRead>(
    record: impl BufRead,
    checkpoints: impl IntoIterator<Item = (PathBuf, R)>,
    trust: &Trust,
) -> io::Result<Report> {
    let mut auditor = Auditor {
        trust,
        sources: Vec::new(),
        tree: Tree::default(),
        origins: Vec::new(),
        watch: Watch::new(0),
        unsigned_since: None,
        seals: Seals::default(),
        report: Report {
            verified: Verified { lines: 0, bytes: 0, chain: chain::Chain::default(), torn: 0, fault: None },
            checkpoints: 0,
            signed: 0,
            seen: trust.witnesses.iter().map(|witness| (witness.name().to_owned(), None)).collect(),
            faults: Vec::new(),
            remarks: Vec::new(),
            starts: 0,
            covered: (0, 0),
        },
    };
    // without a key nobody's checkpoints say anything
    for (path, file) in checkpoints.into_iter().filter(|_| !trust.stations.is_empty()) {
        let mut source = Source { path, file: Checkpoints::new(file), next: None };
        auditor.advance(&mut source)?;
        auditor.sources.push(source);
    }
    let mut failed = Ok(());
    let verified = verify(record, |number, text| {
        failed = auditor.line(number, text);
        if failed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    failed?;
    auditor.end(verified)
}

impl<R: BufRead> Auditor<'_, R> {
    fn fault(&mut self, fault: AuditFault) {
        if self.report.faults.len() < MOST_FAULTS {
            self.report.faults.push(fault);
        }
    }

    fn wrong(&mut self, path: &Path, at: u64, why: CheckpointFault) {
        self.fault(AuditFault::Checkpoint { path: path.to_path_buf(), at, why });
    }

    /// Reads on to the next checkpoint that a station's key has signed.
    fn advance(&mut self, source: &mut Source<R>) -> io::Result<()> {
        let before = source.next.take().map_or(0, |held| held.stated.checkpoint.size);
        loop {
            let stated = match source.file.next()? {
                Next::Stated(stated) => *stated,
                Next::Wrong(at) => {
                    self.wrong(&source.path, at, CheckpointFault::Unreadable);
                    continue;
                }
                Next::Torn | Next::End => return Ok(()),
            };
            let signers =
                if stated.checkpoint.size < before { Err(CheckpointFault::Order) } else { self.signers(&stated.note) };
            match signers {
                Ok(signers) => {
                    source.next = Some(Held { stated, signers });
                    return Ok(());
                }
                Err(why) => self.wrong(&source.path, stated.at, why),
            }
        }
    }

    fn signers(&self, note: &Note) -> Result<Signers, CheckpointFault> {
        let (mut station, mut witnesses) = (None, Vec::new());
        let forged = |key: &PublicKey| Err(CheckpointFault::Forged(key.name().to_owned()));
        for (which, key) in self.trust.stations.iter().enumerate() {
            match note.signed_by(key) {
                Signed::Yes(_) => station = station.or(Some(which)),
                Signed::Forged => return forged(key),
                Signed::No => {}
            }
        }
        for (which, key) in self.trust.witnesses.iter().enumerate() {
            match note.signed_by(key) {
                Signed::Yes(time) => witnesses.extend(time.map(|time| (which, time))),
                Signed::Forged => return forged(key),
                Signed::No => {}
            }
        }
        station.map(|station| Signers { station, witnesses }).ok_or(CheckpointFault::Stranger)
    }

    fn line(&mut self, number: LineNo, text: &[u8]) -> io::Result<()> {
        let added = serde_json::from_slice(text).unwrap_or_else(|_| AddedFields::default());
        let read = if number == 1 {
            self.origins = self.trust.stations.iter().map(|key| origin(key, added.began)).collect();
            self.watch = Watch::new(added.began);
            line::header(text).map(drop)
        } else {
            line::timed(text).map(|event| {
                let (wrong, remarks) = self.watch.line(number, &event, added);
                wrong.into_iter().for_each(|wrong| self.fault(wrong.into()));
                let room = MOST_FAULTS.saturating_sub(self.report.remarks.len());
                self.report.remarks.extend(remarks.into_iter().take(room));
            })
        };
        if let Err(why) = read {
            self.fault(AuditFault::Line { line: number, why });
        }
        if let Err(why) = self.seals.take(number, text, &mut Vec::new()) {
            self.fault(why.into());
        }
        if self.sources.is_empty() {
            return Ok(());
        }
        self.tree.push(leaf(text));
        let mut sources = std::mem::take(&mut self.sources);
        for source in &mut sources {
            while let Some(held) = source.next.as_ref().filter(|next| next.stated.checkpoint.size <= self.tree.size()) {
                if self.hold(&source.path, held) {
                    self.advance(source)?;
                } else {
                    // what follows rests on the same lines
                    source.next = None;
                }
            }
        }
        self.sources = sources;
        let is_signed = self.report.signed >= number;
        self.unsigned_since = (!is_signed).then(|| self.unsigned_since.unwrap_or_else(|| self.watch.time()));
        Ok(())
    }

    /// Holds the lines so far against the checkpoint of so many lines. False: they are others.
    fn hold(&mut self, path: &Path, held: &Held) -> bool {
        if let Some(why) = self.contradiction(held) {
            self.wrong(path, held.stated.at, why);
            return false;
        }
        self.report.checkpoints += 1;
        self.report.signed = held.stated.checkpoint.size;
        for &(which, time) in &held.signers.witnesses {
            if let Some((_, seen)) = self.report.seen.get_mut(which) {
                *seen = Some((self.report.signed, time));
            }
        }
        true
    }

    fn contradiction(&self, held: &Held) -> Option<CheckpointFault> {
        let checkpoint = &held.stated.checkpoint;
        if self.origins.get(held.signers.station) != Some(&checkpoint.origin) {
            return Some(CheckpointFault::OtherRecord(checkpoint.origin.clone()));
        }
        let found = self.tree.size();
        if checkpoint.size > found {
            Some(CheckpointFault::Beyond { signed: checkpoint.size, found })
        } else if (checkpoint.size, checkpoint.root) != (found, self.tree.root()) {
            Some(CheckpointFault::Root { from: self.report.signed + 1, to: checkpoint.size })
        } else {
            None
        }
    }

    fn end(mut self, verified: Verified) -> io::Result<Report> {
        let found = verified.lines;
        if let Some(fault) = verified.fault {
            self.fault(fault.into());
        } else {
            for Source { path, next, .. } in std::mem::take(&mut self.sources) {
                if let Some((held, why)) = next.and_then(|next| self.contradiction(&next).map(|why| (next, why))) {
                    self.wrong(&path, held.stated.at, why);
                }
            }
        }
        if let Some(key) = self.trust.stations.first() {
            if self.report.checkpoints == 0 {
                self.fault(AuditFault::Unsigned(key.name().to_owned()));
            } else if self.report.signed < found {
                let (from, to) = (self.report.signed + 1, found);
                let last = self.watch.time();
                let waited = last.saturating_sub(self.unsigned_since.unwrap_or(last));
                if self.trust.closed {
                    self.fault(AuditFault::Tail { from, to });
                } else if waited > OVERDUE_MS {
                    self.fault(AuditFault::Overdue { from, to, minutes: waited / 60_000 });
                }
            }
        }
        let unseen: Vec<String> =
            self.report.seen.iter().filter(|(_, seen)| seen.is_none()).map(|(name, _)| name.clone()).collect();
        unseen.into_iter().for_each(|name| self.fault(AuditFault::Unwitnessed(name)));
        self.report.verified = verified;
        self.report.starts = self.watch.starts;
        self.report.covered = (self.seals.sealed, self.seals.opened);
        Ok(self.report)
    }
}
