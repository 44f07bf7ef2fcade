//! What was sent of a table, held against what is kept of it. Chain, checkpoints and tree are the journal's own.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use sabot_journal::Chain;
use sabot_journal::checkpoint::{Checkpoint, origin};
use sabot_journal::days::beginning_of;
use sabot_journal::note::{Note, PrivateKey, PublicKey, Signed};
use sabot_journal::tree::{Hash, Tree, leaf};
use sabot_law::table::LineNo;
use sabot_law::table::line;
use serde::Deserialize;

use crate::store::{Advance, Head, KeptLine, Refusal, Store, StoreError};
use crate::subjects::TableId;

/// Lines that were sent a second time are compared in pieces of so many.
const PIECE: LineNo = 1000;

/// Something that came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sent {
    pub(super) epoch: u64,
    /// The first of its lines, or the lines of a checkpoint.
    pub(super) at: LineNo,
    pub(super) what: Thing,
    /// Lines, a line end between two, or a checkpoint.
    pub(super) text: Arc<str>,
    /// It has waited for minutes for what comes before it.
    pub(super) is_old: bool,
}

/// A line of it.
#[derive(Clone, Copy)]
struct Line<'a> {
    epoch: u64,
    at: LineNo,
    text: &'a str,
    is_old: bool,
}

/// Lines come before the checkpoint that covers them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Thing {
    Lines,
    Checkpoint,
}

/// What becomes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ruling {
    /// It is kept, or was before.
    Kept,
    /// Something before it has not come.
    Early,
    /// It contradicts what is kept.
    Refused,
}

/// A record as it is known.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) head: Head,
    /// As the store has it; none where it was begun here.
    before: Option<(LineNo, LineNo)>,
    /// The leaves of all lines after the last checkpoint; none where they have to be read.
    leaves: Option<Vec<Hash>>,
    lines: Vec<KeptLine>,
    checkpoints: Vec<(LineNo, String)>,
    /// Lines of the store from this number on, for those that come again.
    old: (LineNo, Vec<String>),
}

impl Known {
    fn of(head: Head, before: Option<(LineNo, LineNo)>, leaves: Option<Vec<Hash>>) -> Self {
        Self { head, before, leaves, lines: Vec::new(), checkpoints: Vec::new(), old: (0, Vec::new()) }
    }

    /// As it is once the store has taken it.
    fn taken(&mut self) {
        self.before = Some((self.head.lines, self.head.signed));
        self.lines.clear();
        self.checkpoints.clear();
    }

    /// What the store does not have yet; its lines and checkpoints are taken out.
    fn advance(&mut self, table: &TableId) -> Option<Advance> {
        let is_new = self.before != Some((self.head.lines, self.head.signed));
        is_new.then(|| Advance {
            table: table.clone(),
            before: self.before,
            head: self.head.clone(),
            lines: std::mem::take(&mut self.lines),
            checkpoints: std::mem::take(&mut self.checkpoints),
        })
    }
}

/// What is known of a table's records.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    records: BTreeMap<u64, Known>,
    /// The newest one was looked for.
    is_read: bool,
}

/// Brings to mind of many tables the newest record, and those of these epochs: the store is asked once.
pub(super) async fn meet<S: Store>(
    store: &mut S,
    tables: &mut HashMap<TableId, Table>,
    coming: &[(&TableId, BTreeSet<u64>)],
) -> Result<(), StoreError> {
    let mut wanted = Vec::new();
    for (id, epochs) in coming {
        let known = tables.entry((*id).clone()).or_default();
        let unknown = epochs.iter().filter(|epoch| !known.records.contains_key(epoch)).map(|epoch| Some(*epoch));
        wanted.extend((!known.is_read).then_some(None).into_iter().chain(unknown).map(|epoch| ((*id).clone(), epoch)));
    }
    if wanted.is_empty() {
        return Ok(());
    }
    let heads = store.heads(&wanted).await?;
    for ((id, _), head) in wanted.into_iter().zip(heads) {
        let known = tables.entry(id).or_default();
        known.is_read = true;
        if let Some(head) = head {
            let before = Some((head.lines, head.signed));
            known.records.entry(head.epoch).or_insert_with(|| Known::of(head, before, None));
        }
    }
    Ok(())
}

impl Table {
    /// The store has taken all of it: the newest record stays in mind.
    pub(super) fn taken(&mut self) {
        while self.records.len() > 1 {
            self.records.pop_first();
        }
        self.records.values_mut().for_each(Known::taken);
    }

    pub(super) fn head(&self, epoch: u64) -> Option<&Head> {
        self.records.get(&epoch).map(|known| &known.head)
    }

    pub(super) fn latest(&self) -> Option<&Head> {
        self.records.last_key_value().map(|(_, known)| &known.head)
    }

    pub(super) fn advances(&mut self, table: &TableId) -> Vec<Advance> {
        self.records.values_mut().filter_map(|known| known.advance(table)).collect()
    }
}

/// Who judges.
pub(super) struct Judge<'a, S> {
    pub(super) store: &'a mut S,
    pub(super) table: &'a TableId,
    /// The station's keys.
    pub(super) keys: &'a [PublicKey],
    pub(super) sink: &'a PrivateKey,
    pub(super) unix_seconds: u64,
    pub(super) known: &'a mut Table,
    pub(super) refusals: Vec<Refusal>,
}

#[derive(Deserialize)]
struct Short<'a> {
    #[serde(borrow)]
    ev: std::borrow::Cow<'a, str>,
    #[serde(default)]
    t: u64,
}

impl<S: Store> Judge<'_, S> {
    /// Judges what came, in the order of the record; the rulings are in the order in which it was given.
    pub(super) async fn all(&mut self, sent: &[&Sent]) -> Result<Vec<Ruling>, StoreError> {
        let mut order: Vec<usize> = (0..sent.len()).collect();
        order.sort_by_key(|&which| sent.get(which).map(|sent| (sent.epoch, sent.at, sent.what)));
        let mut rulings = vec![Ruling::Early; sent.len()];
        for which in order {
            let (Some(sent), Some(ruling)) = (sent.get(which), rulings.get_mut(which)) else { continue };
            *ruling = self.one(sent).await?;
        }
        Ok(rulings)
    }

    async fn one(&mut self, sent: &Sent) -> Result<Ruling, StoreError> {
        let &Sent { epoch, at, is_old, .. } = sent;
        if sent.what == Thing::Checkpoint {
            let ruled = self.checkpoint(sent).await?;
            return Ok(ruled.unwrap_or_else(|why| self.refuse((epoch, at), Chain::default(), &sent.text, why)));
        }
        // what comes after a line that is not kept is not kept either
        for (at, text) in (at..).zip(sent.text.split('\n')) {
            let line = Line { epoch, at, text, is_old };
            let is_begun = self.known.records.contains_key(&epoch);
            let ruled = if is_begun { self.line(line).await? } else { self.begin(line).await? };
            let said = || Chain::said(text.as_bytes()).unwrap_or_default();
            let ruling = ruled.unwrap_or_else(|why| self.refuse((epoch, at), said(), text, why));
            if ruling != Ruling::Kept {
                return Ok(ruling);
            }
        }
        Ok(Ruling::Kept)
    }

    fn refuse(&mut self, (epoch, line): (u64, LineNo), chain: Chain, text: &str, why: String) -> Ruling {
        let (table, text) = (self.table.clone(), text.as_bytes().to_vec());
        self.refusals.push(Refusal { table, epoch, line, chain, why, text });
        Ruling::Refused
    }

    /// The first line of a record that is not kept yet.
    async fn begin(&mut self, sent: Line<'_>) -> Result<Result<Ruling, String>, StoreError> {
        let (epoch, text) = (sent.epoch, sent.text.as_bytes());
        if sent.at != 1 {
            return Ok(Ok(Ruling::Early));
        }
        let (began, after) = beginning_of(text);
        let header = match line::header(text) {
            Ok(header) => header,
            Err(why) => return Ok(Err(format!("line 1 does not read: {why}"))),
        };
        if (began, header.table.as_str()) != (epoch, self.table.table()) {
            return Ok(Err(format!("the record is one of {}, begun {began}", header.table)));
        }
        if let Some(latest) = self.known.latest().cloned() {
            if latest.epoch > epoch {
                return Ok(Err(format!("the record is older than {}, which is kept already", latest.epoch)));
            }
            let follows =
                after.as_ref().is_some_and(|after| (after.lines, after.chain) == (latest.lines, latest.chain));
            if !follows && !self.store.is_accepted(self.table, epoch).await? {
                return Ok(match after {
                    // the record that it follows may still be on its way
                    Some(_) if !sent.is_old => Ok(Ruling::Early),
                    Some(_) => Err(format!(
                        "ANOTHER RECORD: it follows one that is not the {} lines of {} as they are kept: two stations claim \
                         this table, or it was set back to an old copy",
                        latest.lines, latest.epoch
                    )),
                    None => Err(format!(
                        "ANOTHER BEGINNING: {} lines of {} are kept, and this record follows nothing: two stations claim this \
                         table, or its record was begun anew; `sabot sink --accept {}/{epoch}` lets it",
                        latest.lines, latest.epoch, self.table
                    )),
                });
            }
        }
        let head = Head { epoch, lines: 0, chain: Chain::default(), signed: 0, tree: Tree::default() };
        let known = Known::of(head, None, Some(Vec::new()));
        self.known.records.insert(epoch, known);
        let ruled = self.append(sent);
        if ruled.is_err() {
            self.known.records.remove(&epoch);
        }
        Ok(ruled)
    }

    async fn line(&mut self, sent: Line<'_>) -> Result<Result<Ruling, String>, StoreError> {
        let is_newest = self.known.latest().is_some_and(|latest| latest.epoch == sent.epoch);
        let Some(known) = self.known.records.get(&sent.epoch) else { return Ok(Ok(Ruling::Early)) };
        let lines = known.head.lines;
        if sent.at <= lines {
            let is_it = self.kept(sent).await?.is_some_and(|kept| kept == sent.text);
            return Ok(if is_it {
                Ok(Ruling::Kept)
            } else {
                Err(format!("A FORK: another line {} is kept: {FORK}", sent.at))
            });
        }
        Ok(if !is_newest {
            Err(format!("A FORK: the record ended at line {lines}, where the next one was begun: {FORK}"))
        } else if sent.at > lines + 1 {
            Ok(Ruling::Early)
        } else {
            self.append(sent)
        })
    }

    /// A line as it is kept.
    async fn kept(&mut self, sent: Line<'_>) -> Result<Option<String>, StoreError> {
        let Some(known) = self.known.records.get_mut(&sent.epoch) else { return Ok(None) };
        let stored = known.before.map_or(0, |(lines, _)| lines);
        if let Some(fresh) = sent.at.checked_sub(stored + 1) {
            let fresh = usize::try_from(fresh).ok().and_then(|at| known.lines.get(at));
            return Ok(fresh.map(|line| line.text.to_string()));
        }
        let at = |(from, old): &(LineNo, Vec<String>)| {
            let at = usize::try_from(sent.at.checked_sub(*from)?).ok()?;
            old.get(at).cloned()
        };
        if let Some(text) = at(&known.old) {
            return Ok(Some(text));
        }
        let until = stored.min(sent.at + PIECE);
        known.old = (sent.at, self.store.lines(self.table, sent.epoch, sent.at..=until).await?);
        Ok(at(&known.old))
    }

    /// The line after the last one.
    fn append(&mut self, sent: Line<'_>) -> Result<Ruling, String> {
        let Some(known) = self.known.records.get_mut(&sent.epoch) else { return Ok(Ruling::Early) };
        let text = sent.text.as_bytes();
        let chain = known.head.chain.follow(text).map_err(|why| match sent.at {
            1 => why.to_string(),
            _ => format!(
                "A FORK, or a changed line: line {} does not follow line {} as it is kept: {FORK}",
                sent.at,
                sent.at - 1
            ),
        })?;
        let short: Short<'_> = serde_json::from_slice(text).map_err(|why| format!("line {}: {why}", sent.at))?;
        // a text of PostgreSQL cannot hold it
        if short.ev.contains('\0') {
            return Err(format!("line {}: its event has no name", sent.at));
        }
        known.head.chain = chain;
        known.head.lines += 1;
        if let Some(leaves) = known.leaves.as_mut().filter(|_| !self.keys.is_empty()) {
            leaves.push(leaf(text));
        }
        let at_ms = sent.epoch.saturating_add(short.t);
        known.lines.push(KeptLine { line: sent.at, at_ms, ev: short.ev.into_owned(), text: sent.text.into() });
        Ok(Ruling::Kept)
    }

    async fn checkpoint(&mut self, sent: &Sent) -> Result<Result<Ruling, String>, StoreError> {
        let (note, stated) = match self.signed(sent) {
            Ok(read) => read,
            Err(why) => return Ok(Err(why)),
        };
        let Some(known) = self.known.records.get_mut(&sent.epoch) else { return Ok(Ok(Ruling::Early)) };
        if stated.size > known.head.lines {
            return Ok(Ok(Ruling::Early));
        }
        let two = || Err(format!("A FORK: two checkpoints of {} lines have other roots: {FORK}", stated.size));
        if stated.size <= known.head.signed {
            let is_other = stated.size == known.head.signed && stated.root != known.head.tree.root();
            return Ok(if is_other { two() } else { Ok(Ruling::Kept) });
        }
        if known.leaves.is_none() {
            let stored = known.before.map_or(0, |(lines, _)| lines);
            let lines = self.store.lines(self.table, sent.epoch, known.head.signed + 1..=stored).await?;
            let fresh = known.lines.iter().map(|line| &*line.text);
            let all = lines.iter().map(String::as_str).chain(fresh);
            known.leaves = Some(all.map(|line| leaf(line.as_bytes())).collect());
        }
        let leaves = known.leaves.get_or_insert_default();
        let more = usize::try_from(stated.size - known.head.signed).unwrap_or(usize::MAX);
        let Some(covered) = leaves.get(..more) else {
            return Err(StoreError::Spoilt(format!("lines of {} {} are missing", self.table, sent.epoch)));
        };
        let mut tree = known.head.tree.clone();
        covered.iter().for_each(|leaf| tree.push(*leaf));
        if tree.root() != stated.root {
            let from = known.head.signed + 1;
            return Ok(Err(format!(
                "A FORK: lines {from} to {} as they are kept are not those that were signed",
                stated.size
            )));
        }
        leaves.drain(..more);
        (known.head.signed, known.head.tree) = (stated.size, tree);
        let mut note = note;
        note.signatures.push(self.sink.sign(&note.text, self.unix_seconds));
        known.checkpoints.push((stated.size, note.to_string()));
        Ok(Ok(Ruling::Kept))
    }

    /// Reads a checkpoint that a station's key has signed.
    fn signed(&self, sent: &Sent) -> Result<(Note, Checkpoint), String> {
        let size = sent.at;
        let note = Note::parse(&sent.text).ok_or(format!("the checkpoint of {size} lines does not read"))?;
        let stated = Checkpoint::parse(&note.text).ok_or(format!("the checkpoint of {size} lines does not read"))?;
        let station = self.keys.iter().find(|key| matches!(note.signed_by(key), Signed::Yes(_)));
        let station = station.ok_or_else(|| {
            let keys = if self.keys.is_empty() { "none is listed" } else { "it bears no good signature of one" };
            format!("the checkpoint of {size} lines is not by a key of this table: {keys}")
        })?;
        if (stated.size, &stated.origin) != (size, &origin(station, sent.epoch)) {
            return Err(format!("a checkpoint of {size} lines is one of {} lines of {}", stated.size, stated.origin));
        }
        Ok((note, stated))
    }
}

const FORK: &str = "two stations claim this table, or its record was set back to an old copy";
