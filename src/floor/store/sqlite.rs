//! One file of SQLite, for a single site.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use sabot_law::table::LineNo;

use super::search::{self, By, Counted, Found, Wanted};
use super::told::{self, Told};
use super::{Advance, Head, KeptLine, Refusal, Store, StoreError, around, column, head, number, table, tree};
use crate::subjects::TableId;

/// The tables, version by version.
const MIGRATIONS: [&str; 3] =
    [include_str!("sqlite_1.sql"), include_str!("sqlite_2.sql"), include_str!("sqlite_3.sql")];
/// Of this version on, what lines tell is kept beside them.
const TELLS: i64 = 3;
/// Another sink writes no longer than this.
const BUSY: Duration = Duration::from_secs(30);
/// A sink of which nothing was heard for so long is given up.
const GONE: Duration = Duration::from_secs(10);
/// Sinks of this process, so that each has a name of its own.
static SINKS: AtomicU32 = AtomicU32::new(0);

/// A file of SQLite.
#[derive(Debug)]
pub struct Sqlite {
    db: Connection,
    /// Who this is among the sinks of the file.
    name: String,
}

fn unix_ms() -> i64 {
    column(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis().try_into().unwrap_or(u64::MAX))
}

impl Sqlite {
    /// Opens the file, which is made where it is not there.
    ///
    /// # Errors
    /// When it cannot be used, or is of a newer program.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut db = Connection::open(path)?;
        db.busy_timeout(BUSY)?;
        db.pragma_update(None, "journal_mode", "wal")?;
        // what is signed for survives a power cut
        db.pragma_update(None, "synchronous", "full")?;
        let migration = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let found: i64 = migration.pragma_query_value(None, "user_version", |row| row.get(0))?;
        let missing = usize::try_from(found).ok().and_then(|found| MIGRATIONS.get(found..));
        let missing = missing.ok_or(StoreError::Newer { found, known: MIGRATIONS.len() })?;
        for script in missing {
            migration.execute_batch(script)?;
        }
        if found < TELLS {
            tell(&migration)?;
        }
        migration.pragma_update(None, "user_version", column(MIGRATIONS.len() as u64))?;
        migration.commit()?;
        let which = SINKS.fetch_add(1, Ordering::Relaxed);
        Ok(Self { db, name: format!("{}-{which}-{}", std::process::id(), unix_ms()) })
    }

    fn id(db: &Connection, table: &TableId) -> Result<i64, StoreError> {
        let names = params![table.house(), table.pit(), table.table()];
        db.prepare_cached("insert into tables (house, pit, name) values (?, ?, ?) on conflict do nothing")?
            .execute(names)?;
        let mut select = db.prepare_cached("select id from tables where (house, pit, name) = (?, ?, ?)")?;
        Ok(select.query_row(names, |row| row.get(0))?)
    }
}

type Columns = (i64, i64, String, i64, String);

fn columns(row: &Row<'_>, from: usize) -> rusqlite::Result<Columns> {
    Ok((row.get(from)?, row.get(from + 1)?, row.get(from + 2)?, row.get(from + 3)?, row.get(from + 4)?))
}

fn read((epoch, lines, chain, signed, tree): &Columns) -> Result<Head, StoreError> {
    head(*epoch, *lines, chain, *signed, tree)
}

/// One advance; false where the record is no longer as it was.
fn advance(transaction: &Transaction<'_>, advance: &Advance) -> Result<bool, StoreError> {
    let id = Sqlite::id(transaction, &advance.table)?;
    let Head { epoch, lines, chain, signed, .. } = &advance.head;
    let (epoch, chain, tree) = (column(*epoch), chain.to_string(), tree(&advance.head)?);
    let (lines, signed) = (column(*lines), column(*signed));
    let done = match advance.before {
        None => transaction
            .prepare_cached("insert into records values (?, ?, ?, ?, ?, ?) on conflict do nothing")?
            .execute(params![id, epoch, lines, chain, signed, tree])?,
        Some((before, signed_before)) => transaction
            .prepare_cached(
                "update records set lines = ?1, chain = ?2, signed = ?3, tree = ?4 \
                 where (table_id, epoch, lines, signed) = (?5, ?6, ?7, ?8) and (?1 = ?7 or not exists \
                 (select 1 from records n where n.table_id = ?5 and n.epoch > ?6))",
            )?
            .execute(params![lines, chain, signed, tree, id, epoch, column(before), column(signed_before)])?,
    };
    if done == 0 {
        return Ok(false);
    }
    let mut insert = transaction.prepare_cached("insert into lines values (?, ?, ?, ?, ?, ?)")?;
    for kept in &advance.lines {
        insert.execute(params![id, epoch, column(kept.line), column(kept.at_ms), kept.ev, kept.text])?;
        write_told(transaction, (id, epoch), kept)?;
    }
    let mut insert =
        transaction.prepare_cached("insert into checkpoints values (?, ?, ?, ?) on conflict do nothing")?;
    for (size, note) in &advance.checkpoints {
        insert.execute(params![id, epoch, column(*size), note])?;
    }
    Ok(true)
}

/// Writes what a line tells.
fn write_told(db: &Connection, (id, epoch): (i64, i64), kept: &KeptLine) -> Result<(), StoreError> {
    for told in told::of(kept) {
        let Told { line, part, at, kind, n, pass, article, place, severity, person, owed, done, text } = told;
        let line = column(line);
        let of = params![id, epoch, line, part, at, kind, n, pass, article, place, severity, person, owed, done, text];
        let insert = "insert into told values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
        db.prepare_cached(insert)?.execute(of)?;
    }
    Ok(())
}

/// Writes what the lines tell that are kept already.
fn tell(db: &Connection) -> Result<(), StoreError> {
    let mut select = db.prepare("select table_id, epoch, line, at, ev, text from lines")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let (line, at_ms, text) = (number(row.get(2)?)?, number(row.get(3)?)?, row.get::<_, String>(5)?.into());
        write_told(db, (row.get(0)?, row.get(1)?), &KeptLine { line, at_ms, ev: row.get(4)?, text })?;
    }
    Ok(())
}

fn found(row: &Row<'_>) -> Result<Found, StoreError> {
    let (house, pit, name): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let (owed, done): (Option<i64>, Option<i64>) = (row.get(11)?, row.get(12)?);
    Ok(Found {
        table: table(&house, &pit, &name)?,
        epoch: number(row.get(3)?)?,
        line: number(row.get(4)?)?,
        at: number(row.get(5)?)?,
        n: row.get::<_, Option<i64>>(6)?.map(number).transpose()?,
        article: row.get(7)?,
        place: row.get(8)?,
        severity: row.get(9)?,
        person: row.get(10)?,
        money: owed.zip(done),
        text: row.get(13)?,
        became: row.get(14)?,
    })
}

fn counted(row: &Row<'_>) -> Result<Counted, StoreError> {
    let [passes, findings, money] = [row.get(1)?, row.get(2)?, row.get(3)?].map(number);
    Ok(Counted { what: row.get(0)?, passes: passes?, findings: findings?, money: money? })
}

impl Store for Sqlite {
    async fn heads(&mut self, wanted: &[(TableId, Option<u64>)]) -> Result<Vec<Option<Head>>, StoreError> {
        let mut select = self.db.prepare_cached(
            "select epoch, lines, chain, signed, tree from records join tables on id = table_id \
             where (house, pit, name) = (?1, ?2, ?3) and epoch = coalesce(?4, epoch) order by epoch desc limit 1",
        )?;
        let mut head = |(table, epoch): &(TableId, Option<u64>)| {
            let of = params![table.house(), table.pit(), table.table(), epoch.map(column)];
            let found = select.query_row(of, |row| columns(row, 0)).optional()?;
            found.as_ref().map(read).transpose()
        };
        wanted.iter().map(&mut head).collect()
    }

    async fn lines(
        &mut self,
        table: &TableId,
        epoch: u64,
        lines: RangeInclusive<LineNo>,
    ) -> Result<Vec<String>, StoreError> {
        let id = Self::id(&self.db, table)?;
        let mut select = self.db.prepare_cached(
            "select text from lines where table_id = ? and epoch = ? and line between ? and ? order by line",
        )?;
        let (from, to) = (column(*lines.start()), column(*lines.end()));
        let found = select.query_map(params![id, column(epoch), from, to], |row| row.get(0))?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    async fn commit(&mut self, advances: &[Advance]) -> Result<Vec<bool>, StoreError> {
        let transaction = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = advances.iter().map(|each| advance(&transaction, each)).collect::<Result<_, _>>()?;
        transaction.commit()?;
        Ok(done)
    }

    async fn refuse(&mut self, refusal: &Refusal) -> Result<(), StoreError> {
        let id = Self::id(&self.db, &refusal.table)?;
        let Refusal { epoch, line, chain, why, text, .. } = refusal;
        self.db.execute(
            "insert into refusals (table_id, epoch, line, chain, why, text) values (?, ?, ?, ?, ?, ?) on conflict do nothing",
            params![id, column(*epoch), column(*line), chain.to_string(), why, text],
        )?;
        Ok(())
    }

    async fn refusals(&mut self) -> Result<Vec<String>, StoreError> {
        let mut select = self.db.prepare_cached(
            "select house || '/' || pit || '/' || name || ' ' || epoch || ' ' || line || ' ' || why \
             from refusals join tables on id = table_id order by first_at, table_id, epoch, line",
        )?;
        let found = select.query_map([], |row| row.get(0))?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    async fn accept(&mut self, table: &TableId, epoch: u64) -> Result<(), StoreError> {
        let id = Self::id(&self.db, table)?;
        self.db.execute("insert into accepted values (?, ?) on conflict do nothing", params![id, column(epoch)])?;
        Ok(())
    }

    async fn is_accepted(&mut self, table: &TableId, epoch: u64) -> Result<bool, StoreError> {
        let id = Self::id(&self.db, table)?;
        let mut select = self.db.prepare_cached("select 1 from accepted where (table_id, epoch) = (?, ?)")?;
        Ok(select.exists(params![id, column(epoch)])?)
    }

    async fn sinks(&mut self) -> Result<u32, StoreError> {
        let now = unix_ms();
        let until = now + column(GONE.as_millis() as u64);
        let transaction = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute("delete from sinks where until < ?", [now])?;
        transaction.execute("insert or replace into sinks values (?, ?)", params![self.name, until])?;
        transaction.execute("delete from shares where sink not in (select name from sinks)", [])?;
        let sinks = transaction.query_row("select count(*) from sinks", [], |row| row.get(0))?;
        transaction.commit()?;
        Ok(sinks)
    }

    async fn claim(&mut self, share: u32) -> Result<bool, StoreError> {
        self.db.execute("insert into shares values (?, ?) on conflict do nothing", params![share, self.name])?;
        let mine = "select 1 from shares where (share, sink) = (?, ?)";
        Ok(self.db.prepare_cached(mine)?.exists(params![share, self.name])?)
    }

    async fn release(&mut self, share: u32) -> Result<(), StoreError> {
        self.db.execute("delete from shares where (share, sink) = (?, ?)", params![share, self.name])?;
        Ok(())
    }

    async fn records(&mut self) -> Result<Vec<(TableId, Head)>, StoreError> {
        let mut select = self.db.prepare_cached(
            "select house, pit, name, epoch, lines, chain, signed, tree from records join tables on id = table_id \
             order by house, pit, name, epoch",
        )?;
        let names = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, columns(row, 3)?));
        let mut records = Vec::new();
        for found in select.query_map([], names)? {
            let (house, pit, name, columns): (String, String, String, Columns) = found?;
            records.push((table(&house, &pit, &name)?, read(&columns)?));
        }
        Ok(records)
    }

    async fn found(&mut self, wanted: &Wanted, most: u64) -> Result<Vec<Found>, StoreError> {
        let Wanted { from, to, article, person, money, table } = wanted;
        let of = params![column(*from), column(*to), article, person, money.map(column), table, column(most)];
        let mut select = self.db.prepare_cached(&search::sqlite(&search::found(wanted)))?;
        select.query_and_then(of, found)?.collect()
    }

    async fn counted(&mut self, wanted: &Wanted, by: By) -> Result<Vec<Counted>, StoreError> {
        let Wanted { from, to, article, person, money, table } = wanted;
        let of = params![column(*from), column(*to), article, person, money.map(column), table];
        let mut select = self.db.prepare_cached(&search::sqlite(&search::counted(by)))?;
        select.query_and_then(of, counted)?.collect()
    }

    async fn pass_around(
        &mut self,
        table: &TableId,
        epoch: u64,
        line: LineNo,
    ) -> Result<Option<RangeInclusive<LineNo>>, StoreError> {
        let mut select = self.db.prepare_cached(&search::sqlite(search::PASS_AROUND))?;
        let of = params![table.house(), table.pit(), table.table(), column(epoch), column(line)];
        let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get::<_, Option<i64>>(2)?));
        let Some((before, end, Some(lines))) = select.query_row(of, row).optional()? else { return Ok(None) };
        around(line, before, end, lines).map(Some)
    }
}
