//! The index of a closed day, in `DAY.index` (SQLite): what it tells of findings and of people, so that a search need
//! not judge all of it anew. It can be thrown away at any time; it is made again by the next search, and whenever the
//! program or the day is another.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::about::program;
use crate::snapshot::FindingState;
use rusqlite::{Connection, OptionalExtension, Row, params};
use sabot_law::table::LineNo;

/// The index is another's where its tables are others.
const FORMAT: u32 = 1;

const TABLES: &str = "
    CREATE TABLE of (made TEXT, name TEXT);
    CREATE TABLE entry (id INTEGER PRIMARY KEY, at INTEGER, pass INTEGER, line INTEGER, finding INTEGER, article TEXT,
        place TEXT, es TEXT, en TEXT, state TEXT);
    CREATE TABLE names (entry INTEGER, name TEXT);
    CREATE TABLE boxes (entry INTEGER, box INTEGER);
    CREATE INDEX by_finding ON entry (finding) WHERE finding IS NOT NULL;";
const INDEXES: &str = "
    CREATE INDEX by_article ON entry (article COLLATE NOCASE);
    CREATE INDEX by_name ON names (name, entry);
    CREATE INDEX by_box ON boxes (entry, box);";

/// Findings and acts that are asked for. Acts are where a person is asked for and no article.
const WANTED: &str = "
    SELECT at, pass, line, finding, article, place, es, en, state FROM entry
    WHERE (?1 IS NULL OR article = ?1 COLLATE NOCASE)
        AND (article IS NOT NULL OR ?2 IS NOT NULL)
        AND (?2 IS NULL OR id IN (SELECT entry FROM names WHERE name = ?2))
        AND (?3 IS NULL OR EXISTS (SELECT 1 FROM boxes WHERE entry = id AND box = ?3))
        AND at >= ?4 AND at < ?5
    ORDER BY id";

/// A finding, or what somebody did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// Milliseconds since 1970.
    pub(super) at: u64,
    pub(super) pass: u64,
    pub(super) line: LineNo,
    pub(super) finding: Option<u64>,
    pub(super) article: Option<String>,
    pub(super) place: Option<String>,
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
}

/// A record's entries, where they can be asked for.
pub(super) struct Index(Connection);

/// The file of a day's index.
pub(super) fn index_of(day: &Path) -> PathBuf {
    let mut name = day.as_os_str().to_owned();
    name.push(".index");
    PathBuf::from(name)
}

fn new_of(day: &Path) -> PathBuf {
    index_of(day).with_extension("new")
}

/// By whom, and of which file, an index is made.
fn made(day: &Path) -> io::Result<String> {
    let of = fs::metadata(day)?;
    let program = program().unwrap_or_default();
    Ok(format!("{FORMAT} {program} {} {}.{:09}", of.len(), of.mtime(), of.mtime_nsec()))
}

impl Index {
    /// That of a day, where there is one that is still good.
    pub(super) fn open(day: &Path) -> Result<Option<Self>, NoIndex> {
        let (path, made) = (index_of(day), made(day)?);
        if !path.exists() {
            return Ok(None);
        }
        let index = Self(Connection::open(path)?);
        let by: Result<Option<String>, _> = index.0.query_row("SELECT made FROM of", [], |row| row.get(0)).optional();
        // what does not read as an index is made anew too
        Ok(by.ok().flatten().filter(|by| *by == made).map(|_| index))
    }

    /// Begins that of a day, in a file that takes its name when it is [ended](Self::end).
    pub(super) fn begin(day: &Path) -> Result<Self, NoIndex> {
        let new = new_of(day);
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
        Self::empty(&new)
    }

    /// Begins one that is gone with this search.
    pub(super) fn passing() -> Result<Self, NoIndex> {
        Self::empty(Path::new(""))
    }

    fn empty(path: &Path) -> Result<Self, NoIndex> {
        let index = Self(Connection::open(path)?);
        index.0.execute_batch(TABLES)?;
        index.0.execute_batch("BEGIN")?;
        Ok(index)
    }

    /// Takes what the record tells next.
    pub(super) fn push(&self, of: &Entry) -> Result<(), NoIndex> {
        let Entry { article, place, es, en, .. } = of;
        let state = of.state.map(FindingState::name);
        let (at, finding) = (number(of.at), of.finding.map(number));
        let row = params![at, number(of.pass), number(of.line), finding, article, place, es, en, state];
        let id = self
            .0
            .prepare_cached("INSERT INTO entry VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")?
            .insert(row)?;
        for name in &of.names {
            self.0.prepare_cached("INSERT INTO names VALUES (?1, ?2)")?.execute(params![id, name])?;
        }
        for at in &of.boxes {
            self.0.prepare_cached("INSERT INTO boxes VALUES (?1, ?2)")?.execute(params![id, at])?;
        }
        Ok(())
    }

    /// A finding came to this state.
    pub(super) fn became(&self, finding: u64, state: FindingState) -> Result<(), NoIndex> {
        let mut update = self.0.prepare_cached("UPDATE entry SET state = ?2 WHERE finding = ?1")?;
        update.execute(params![number(finding), state.name()])?;
        Ok(())
    }

    /// The record has ended, of this table; of a day the index takes its name.
    pub(super) fn end(self, day: Option<&Path>, table: &str) -> Result<Self, NoIndex> {
        let made = day.map(made).transpose()?;
        self.0.execute("INSERT INTO of VALUES (?1, ?2)", params![made, table])?;
        self.0.execute_batch(INDEXES)?;
        self.0.execute_batch("COMMIT")?;
        if let Some(day) = day {
            fs::rename(new_of(day), index_of(day))?;
        }
        Ok(self)
    }

    /// The name of its table.
    pub(super) fn table(&self) -> Result<String, NoIndex> {
        Ok(self.0.query_row("SELECT name FROM of", [], |row| row.get(0))?)
    }

    /// What is asked for, in the order of the record.
    pub(super) fn find(&self, wanted: &Wanted) -> Result<Vec<Entry>, NoIndex> {
        let mut asked = self.0.prepare(WANTED)?;
        let Wanted { article, person, box_no, from, to } = wanted;
        let of = params![article, person, box_no, number(*from), number(*to)];
        Ok(asked.query_map(of, entry)?.collect::<rusqlite::Result<_>>()?)
    }
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
        es: row.get(6)?,
        en: row.get(7)?,
        state: row.get::<_, Option<String>>(8)?.as_deref().and_then(FindingState::named),
        ..Entry::default()
    })
}
