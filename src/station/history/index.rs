//! The index of a record, in `FILE.index`: what it tells of findings and of people, and waypoints from which it can be
//! read on. So neither a search nor a page need judge all of it anew. It grows as the record does. It can be thrown
//! away at any time: where it is missing or damaged, or the program or the record is another, it is made anew.
//!
//! The file is a database of SQLite and a seal over it by a key of the user who made it. Whoever changes it without
//! that key hides nothing: it is read as a whole, and counts only where the seal is right.

use std::cell::Cell;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::about::program;
use crate::snapshot::FindingState;
use rusqlite::{Connection, OptionalExtension, Row, params};
use sabot_journal::clock::Anchor;
use sabot_journal::packed;
use sabot_law::table::LineNo;

use super::index_key::{BYTES, IndexKey};
use super::waypoints::{From, Waypoint};

/// The index is another's where its tables are others.
const FORMAT: u32 = 4;
/// A larger one is made anew.
const LARGEST: u64 = 1 << 30;
/// Bytes of a record's end that tell it from others: more than its last chain.
const END: u64 = 80;
/// What the last line has, where what comes before it cannot be changed without changing that.
const CHAIN: &[u8] = b"\"chain\":\"";
/// A longer line is none of a record.
const LONGEST: u64 = 1 << 20;

const TABLES: &str = "
    CREATE TABLE of (made TEXT, name TEXT, bytes INTEGER, ending BLOB);
    CREATE TABLE entry (id INTEGER PRIMARY KEY, told INTEGER, at INTEGER, pass INTEGER, line INTEGER, finding INTEGER,
        article TEXT, place TEXT, device TEXT, es TEXT, en TEXT, state TEXT);
    CREATE TABLE names (entry INTEGER, name TEXT);
    CREATE TABLE boxes (entry INTEGER, box INTEGER);
    CREATE TABLE waypoint (line INTEGER PRIMARY KEY, bytes INTEGER, t INTEGER, anchor_t INTEGER, anchor_ms INTEGER,
        from_line INTEGER, from_pass INTEGER, from_at INTEGER, dealer TEXT, moment TEXT);
    CREATE INDEX by_finding ON entry (finding) WHERE finding IS NOT NULL;
    CREATE INDEX by_told ON entry (told);
    CREATE INDEX by_article ON entry (article COLLATE NOCASE);
    CREATE INDEX by_name ON names (name, entry);
    CREATE INDEX by_entry ON names (entry);
    CREATE INDEX by_box ON boxes (entry, box);";

/// What a record has told after a line is told again.
const FORGET: [&str; 3] = [
    "DELETE FROM names WHERE entry IN (SELECT id FROM entry WHERE told > ?1)",
    "DELETE FROM boxes WHERE entry IN (SELECT id FROM entry WHERE told > ?1)",
    "DELETE FROM entry WHERE told > ?1",
];

const WAYPOINT: &str =
    "SELECT bytes, t, anchor_t, anchor_ms, from_line, from_pass, from_at, dealer, moment FROM waypoint";

/// Findings and acts that are asked for. Acts are where a person is asked for and no article.
const WANTED: &str = "
    SELECT at, pass, line, finding, article, place, device, es, en, state FROM entry
    WHERE (?1 IS NULL OR article = ?1 COLLATE NOCASE)
        AND (article IS NOT NULL OR ?2 IS NOT NULL)
        AND (?2 IS NULL OR id IN (SELECT entry FROM names WHERE name = ?2))
        AND (?3 IS NULL OR EXISTS (SELECT 1 FROM boxes WHERE entry = id AND box = ?3))
        AND at >= ?4 AND at < ?5
    ORDER BY id";

/// A finding, or what somebody did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// The line that told it.
    pub(super) told: LineNo,
    /// Milliseconds since 1970.
    pub(super) at: u64,
    pub(super) pass: u64,
    pub(super) line: LineNo,
    pub(super) finding: Option<u64>,
    pub(super) article: Option<String>,
    pub(super) place: Option<String>,
    pub(super) device: Option<String>,
    pub(super) es: String,
    pub(super) en: String,
    pub(super) state: Option<FindingState>,
    /// Who acted or played in it.
    pub(super) names: Vec<String>,
    /// At which boxes.
    pub(super) boxes: Vec<u8>,
}

/// What is asked for; all of it must hold.
#[derive(Debug)]
pub struct Wanted {
    /// Findings under this article.
    pub article: Option<String>,
    /// Findings that this person, as the record calls him, is part of, and what he did.
    pub person: Option<String>,
    /// At this box.
    pub box_no: Option<u8>,
    /// From when, milliseconds since 1970.
    pub from: u64,
    /// Before when, milliseconds since 1970.
    pub to: u64,
}

impl Default for Wanted {
    fn default() -> Self {
        Self { article: None, person: None, box_no: None, from: 0, to: u64::MAX }
    }
}

/// Why there is no index.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoIndex {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("{0}")]
    Sql(#[from] rusqlite::Error),
    /// It cannot be known to be of that record.
    #[error("only a record that is chained has one")]
    NoChain,
    /// Somebody has changed it, or it was made by another user or an older program.
    #[error("it is not as a program of this user has left it, and is made anew")]
    NotOurs,
}

/// From where on a record is read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Before {
    /// A pass is asked for.
    Pass(u64),
    /// The pass of a line.
    Line(LineNo),
    /// What was at a time and after it, milliseconds since 1970.
    Time(u64),
}

/// A record's entries, where they can be asked for.
pub(super) struct Index {
    entries: Connection,
    /// Where it is kept, and what seals it there; none where it is gone with the search.
    kept: Option<(PathBuf, IndexKey)>,
    /// Something is known that its file has not.
    is_news: Cell<bool>,
}

/// The file of a record's index.
pub(super) fn index_of(record: &Path) -> PathBuf {
    let mut name = record.as_os_str().to_owned();
    name.push(".index");
    PathBuf::from(name)
}

/// By whom, and of which file, an index is made. A packed one does not change any more.
fn made(record: &Path) -> io::Result<String> {
    let program = program().unwrap_or_default();
    let of = if packed::is_packed(record)? {
        let of = fs::metadata(record)?;
        format!("{} {}.{:09}", of.len(), of.mtime(), of.mtime_nsec())
    } else {
        "as it grows".to_owned()
    };
    Ok(format!("{FORMAT} {program} {of}"))
}

/// How far a record is whole lines, and its last bytes; a packed one is to its end.
pub(super) fn end_of(record: &Path, most: u64) -> Result<(u64, Vec<u8>), NoIndex> {
    if packed::is_packed(record)? {
        return Ok((u64::MAX, Vec::new()));
    }
    let (mut file, mut last) = (File::open(record)?, Vec::new());
    let most = file.metadata()?.len().min(most);
    let from = most.saturating_sub(LONGEST + END);
    file.seek(SeekFrom::Start(from))?;
    file.take(most - from).read_to_end(&mut last)?;
    let whole = last.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    last.truncate(whole);
    let ending = last.split_off(whole.saturating_sub(usize::try_from(END).unwrap_or(0)));
    if !ending.ends_with(b"\"}\n") || !ending.windows(CHAIN.len()).any(|part| part == CHAIN) {
        return Err(NoIndex::NoChain);
    }
    Ok((from + whole as u64, ending))
}

impl Index {
    /// That of a record, where there is one that is still good, and how far it goes.
    pub(super) fn open(record: &Path) -> Result<Option<(Self, u64)>, NoIndex> {
        let (path, made, key) = (index_of(record), made(record)?, IndexKey::of_user()?);
        let file = match File::open(&path) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let mut bytes = Vec::new();
        if file.metadata()?.is_file() {
            file.take(LARGEST).read_to_end(&mut bytes)?;
        }
        let seal = bytes.split_off(bytes.len().saturating_sub(BYTES));
        if !key.has_sealed(&bytes, &seal) {
            return Err(NoIndex::NotOurs);
        }
        let mut entries = Connection::open_in_memory()?;
        entries.deserialize_read_exact("main", bytes.as_slice(), bytes.len(), false)?;
        let index = Self { entries, kept: Some((path, key)), is_news: Cell::new(false) };
        let Some((by, bytes, ending)) = index.goes_to()? else { return Ok(None) };
        let is_of_it = bytes == u64::MAX || end_of(record, bytes).is_ok_and(|end| end == (bytes, ending));
        Ok((by == made && is_of_it).then_some((index, bytes)))
    }

    fn goes_to(&self) -> rusqlite::Result<Option<(String, u64, Vec<u8>)>> {
        let row = |row: &Row<'_>| Ok((row.get(0)?, row.get::<_, i64>(1)?, row.get(2)?));
        let of = self.entries.query_row("SELECT made, bytes, ending FROM of", [], row).optional()?;
        Ok(of.map(|(made, bytes, ending)| {
            (made, if bytes == i64::MAX { u64::MAX } else { bytes.unsigned_abs() }, ending)
        }))
    }

    /// Begins that of a record; it is kept once it is [ended](Self::end).
    pub(super) fn begin(record: &Path) -> Result<Self, NoIndex> {
        // without a key it could not be known again
        let kept = IndexKey::of_user().ok().map(|key| (index_of(record), key));
        Ok(Self { kept, ..Self::passing()? })
    }

    /// Begins one that is gone with this search.
    pub(super) fn passing() -> Result<Self, NoIndex> {
        let entries = Connection::open_in_memory()?;
        entries.execute_batch(TABLES)?;
        entries.execute_batch("BEGIN")?;
        Ok(Self { entries, kept: None, is_news: Cell::new(true) })
    }

    /// Goes on from its last waypoint.
    pub(super) fn go_on(&self) -> Result<Option<Waypoint>, NoIndex> {
        self.entries.execute_batch("BEGIN")?;
        let last = self.waypoint(" WHERE line > ?1 ORDER BY line DESC LIMIT 1", 0)?;
        let line = number(last.as_ref().map_or(0, |last| last.moment.line()));
        for forget in FORGET {
            self.entries.execute(forget, [line])?;
        }
        Ok(last)
    }

    /// Takes what the record tells next.
    pub(super) fn push(&self, of: &Entry) -> Result<(), NoIndex> {
        let Entry { article, place, device, es, en, .. } = of;
        let state = of.state.map(FindingState::name);
        let (at, finding) = (number(of.at), of.finding.map(number));
        let (told, pass, line) = (number(of.told), number(of.pass), number(of.line));
        let row = params![told, at, pass, line, finding, article, place, device, es, en, state];
        let id = self
            .entries
            .prepare_cached("INSERT INTO entry VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)")?
            .insert(row)?;
        for name in &of.names {
            self.entries.prepare_cached("INSERT INTO names VALUES (?1, ?2)")?.execute(params![id, name])?;
        }
        for at in &of.boxes {
            self.entries.prepare_cached("INSERT INTO boxes VALUES (?1, ?2)")?.execute(params![id, at])?;
        }
        Ok(())
    }

    /// A finding came to this state.
    pub(super) fn became(&self, finding: u64, state: FindingState) -> Result<(), NoIndex> {
        let mut update = self.entries.prepare_cached("UPDATE entry SET state = ?2 WHERE finding = ?1")?;
        update.execute(params![number(finding), state.name()])?;
        Ok(())
    }

    /// A waypoint was found.
    pub(super) fn passes(&self, waypoint: &Waypoint) -> Result<(), NoIndex> {
        let Waypoint { moment, bytes, t, anchor, from, dealer } = waypoint;
        let text = serde_json::to_string(moment).map_err(io::Error::from)?;
        let [line, bytes, t] = [moment.line(), *bytes, *t].map(number);
        let [anchor_t, anchor_ms] = [anchor.t, anchor.unix_ms].map(number);
        let [from_line, from_pass, at] = [from.line, from.pass, from.at].map(number);
        let row = params![line, bytes, t, anchor_t, anchor_ms, from_line, from_pass, at, dealer, text];
        self.entries
            .execute("INSERT OR REPLACE INTO waypoint VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)", row)?;
        self.is_news.set(true);
        Ok(())
    }

    /// The last waypoint from which what is asked for is read as from the beginning.
    pub(super) fn before(&self, what: Before) -> Result<Option<Waypoint>, NoIndex> {
        let (which, of) = match what {
            Before::Pass(pass) => (" WHERE from_pass < ?1 ORDER BY line DESC LIMIT 1", pass),
            // the pass of the line may have begun before the last one could be gone by
            Before::Line(line) => (" WHERE from_line <= ?1 ORDER BY line DESC LIMIT 1 OFFSET 1", line),
            Before::Time(at) => (" WHERE from_at < ?1 ORDER BY line DESC LIMIT 1", at),
        };
        self.waypoint(which, of)
    }

    fn waypoint(&self, which: &str, of: u64) -> Result<Option<Waypoint>, NoIndex> {
        let mut asked = self.entries.prepare(&format!("{WAYPOINT}{which}"))?;
        let row = |row: &Row<'_>| {
            let number = |at| row.get::<_, i64>(at).map(i64::unsigned_abs);
            let anchor = Anchor { t: number(2)?, unix_ms: number(3)? };
            let from = From { line: number(4)?, pass: number(5)?, at: number(6)? };
            Ok((number(0)?, number(1)?, anchor, from, row.get(7)?, row.get::<_, String>(8)?))
        };
        let found = asked.query_row([number(of)], row).optional()?;
        let Some((bytes, t, anchor, from, dealer, moment)) = found else { return Ok(None) };
        let moment = serde_json::from_str(&moment).map_err(io::Error::from)?;
        Ok(Some(Waypoint { moment, bytes, t, anchor, from, dealer }))
    }

    /// The record, of this table, was read as far as it is; `end` is how far that is, and its last bytes.
    pub(super) fn end(mut self, record: &Path, table: &str, (bytes, ending): (u64, Vec<u8>)) -> Result<Self, NoIndex> {
        self.entries.execute("DELETE FROM of", [])?;
        let row = params![made(record)?, table, number(bytes), ending];
        self.entries.execute("INSERT INTO of VALUES (?1, ?2, ?3, ?4)", row)?;
        self.entries.execute_batch("COMMIT")?;
        // what comes after the last waypoint is read again in any case
        if self.is_news.take()
            && let Some((path, key)) = &self.kept
            && let Err(why) = keep(&mut self.entries, path, key)
        {
            tracing::warn!("{}: cannot be kept: {why}", path.display());
        }
        Ok(self)
    }

    /// The name of its table.
    pub(super) fn table(&self) -> Result<String, NoIndex> {
        Ok(self.entries.query_row("SELECT name FROM of", [], |row| row.get(0))?)
    }

    /// What is asked for, in the order of the record.
    pub(super) fn find(&self, wanted: &Wanted) -> Result<Vec<Entry>, NoIndex> {
        let mut asked = self.entries.prepare(WANTED)?;
        let Wanted { article, person, box_no, from, to } = wanted;
        let of = params![article, person, box_no, number(*from), number(*to)];
        Ok(asked.query_map(of, entry)?.collect::<rusqlite::Result<_>>()?)
    }
}

/// Writes it, sealed, for its owner alone.
fn keep(entries: &mut Connection, path: &Path, key: &IndexKey) -> Result<(), NoIndex> {
    let bytes = entries.serialize("main")?;
    let new = path.with_extension(format!("index.{}.new", std::process::id()));
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
    let written = file.write_all(&bytes).and_then(|()| file.write_all(&key.seal(&bytes)?));
    written.and_then(|()| fs::rename(&new, path)).inspect_err(|_| drop(fs::remove_file(&new)))?;
    Ok(())
}

/// A number as SQLite has them.
fn number(of: u64) -> i64 {
    i64::try_from(of).unwrap_or(i64::MAX)
}

fn entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    let number = |at| row.get::<_, i64>(at).map(i64::unsigned_abs);
    Ok(Entry {
        at: number(0)?,
        pass: number(1)?,
        line: number(2)?,
        finding: row.get::<_, Option<i64>>(3)?.map(i64::unsigned_abs),
        article: row.get(4)?,
        place: row.get(5)?,
        device: row.get(6)?,
        es: row.get(7)?,
        en: row.get(8)?,
        state: row.get::<_, Option<String>>(9)?.as_deref().and_then(FindingState::named),
        ..Entry::default()
    })
}
