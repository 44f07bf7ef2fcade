//! PostgreSQL, 12 or newer.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::RangeInclusive;
use std::path::Path;
use std::pin::pin;
use std::time::{Duration, UNIX_EPOCH};

use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;
use sabot_law::table::LineNo;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::ToSql;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, NoTls, Row, Transaction};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::search::{self, By, Counted, Found, Wanted};
use super::told::{self, Told};
use super::{Advance, Head, KeptLine, Refusal, Store, StoreError, around, column, head, number, table, tree};
use crate::subjects::TableId;

/// The tables, version by version.
const MIGRATIONS: [&str; 2] = [include_str!("postgres_1.sql"), include_str!("postgres_2.sql")];
/// Of this version on, what lines tell is kept beside them.
const TELLS: i64 = 2;
const DAY_MS: u64 = 86_400_000;
/// The advisory locks of the sinks: each has the first one shared, and of the second the numbers of its shares. They
/// are gone with the connection.
const AT_WORK: i32 = 0x0005_AB07;
const SHARE: i32 = AT_WORK + 1;
/// A sink whose machine is gone without a word is noticed within half a minute.
const NOTICED: &str = "set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3";

/// A database of PostgreSQL.
#[derive(Debug)]
pub struct Postgres {
    db: Client,
    ids: HashMap<TableId, i32>,
    /// Days whose partition is there.
    days: HashSet<u64>,
    is_counted: bool,
    claimed: HashSet<u32>,
}

/// What PostgreSQL says, with what it says besides.
fn said(why: tokio_postgres::Error) -> StoreError {
    let words = match why.as_db_error() {
        Some(db) => format!("{} ({})", db.message(), db.code().code()),
        None => std::error::Error::source(&why).map_or_else(|| why.to_string(), |source| format!("{why}: {source}")),
    };
    StoreError::Postgres(words, why)
}

impl Postgres {
    /// No question takes longer than this from now on.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn within(self, most: Duration) -> Result<Self, StoreError> {
        let set = format!("set statement_timeout = {}", most.as_millis());
        self.db.batch_execute(&set).await.map_err(said)?;
        Ok(self)
    }

    /// Connects, and makes what is missing of the tables where this login may.
    ///
    /// # Errors
    /// When the database is not reached, or its tables are of a newer program.
    pub async fn open(url: &str, authority: Option<&Path>) -> Result<Self, StoreError> {
        let db = connect(url, authority).await?;
        db.batch_execute(NOTICED).await.map_err(said)?;
        let mut store =
            Self { db, ids: HashMap::new(), days: HashSet::new(), is_counted: false, claimed: HashSet::new() };
        store.migrate().await?;
        Ok(store)
    }

    async fn migrate(&mut self) -> Result<(), StoreError> {
        let version = "select version from sabot.version";
        // a login of the role sabot_sink may not make tables, and need not where they are of this version
        let known = self.db.query_opt(version, &[]).await.ok().flatten().map_or(0, |row| row.get::<_, i64>(0));
        if known != column(MIGRATIONS.len() as u64) {
            let transaction = self.db.transaction().await.map_err(said)?;
            let begin = "select pg_advisory_xact_lock(hashtext('sabot.version'));
                create schema if not exists sabot;
                create table if not exists sabot.version (version bigint not null);
                insert into sabot.version select 0 where not exists (select from sabot.version)";
            transaction.batch_execute(begin).await.map_err(said)?;
            let found: i64 = transaction.query_one(version, &[]).await.map_err(said)?.get(0);
            let missing = usize::try_from(found).ok().and_then(|found| MIGRATIONS.get(found..));
            let missing = missing.ok_or(StoreError::Newer { found, known: MIGRATIONS.len() })?;
            for script in missing {
                transaction.batch_execute(script).await.map_err(said)?;
            }
            if found < TELLS {
                tell(&transaction).await?;
            }
            let now = column(MIGRATIONS.len() as u64);
            transaction.execute("update sabot.version set version = $1", &[&now]).await.map_err(said)?;
            transaction.commit().await.map_err(said)?;
        }
        Ok(())
    }

    async fn id(&mut self, table: &TableId) -> Result<i32, StoreError> {
        let ids = self.ids(&[table]).await?;
        ids.first().copied().ok_or_else(|| StoreError::Spoilt(format!("no number of {table}")))
    }

    /// Their numbers, which are given to those that have none; asked of all at once.
    async fn ids(&mut self, tables: &[&TableId]) -> Result<Vec<i32>, StoreError> {
        let unknown: BTreeSet<&TableId> =
            tables.iter().copied().filter(|table| !self.ids.contains_key(*table)).collect();
        if !unknown.is_empty() {
            let names = |name: fn(&TableId) -> &str| unknown.iter().map(|table| name(table)).collect::<Vec<_>>();
            let (houses, pits, names) = (names(TableId::house), names(TableId::pit), names(TableId::table));
            let of: [&(dyn ToSql + Sync); 3] = [&houses, &pits, &names];
            // in one order, so that no two sinks wait for each other
            let insert = "insert into sabot.tables (house, pit, name)
                select * from unnest($1::text[], $2::text[], $3::text[]) u (house, pit, name)
                where not exists (select from sabot.tables t where (t.house, t.pit, t.name) = (u.house, u.pit, u.name))
                order by 1, 2, 3 on conflict do nothing";
            let select = "select house, pit, name, id from sabot.tables
                join unnest($1::text[], $2::text[], $3::text[]) u (house, pit, name) using (house, pit, name)";
            let is_known = |rows: &[Row]| rows.len() == unknown.len();
            let mut rows = self.db.query(select, &of).await.map_err(said)?;
            if !is_known(&rows) {
                self.db.execute(insert, &of).await.map_err(said)?;
                rows = self.db.query(select, &of).await.map_err(said)?;
            }
            for row in &rows {
                self.ids.insert(table(row.get(0), row.get(1), row.get(2))?, row.get(3));
            }
        }
        let id = |table: &TableId| self.ids.get(table).copied();
        let known: Option<Vec<i32>> = tables.iter().map(|table| id(table)).collect();
        known.ok_or_else(|| StoreError::Spoilt("tables without a number".to_owned()))
    }

    async fn partition(&mut self, epoch: u64) -> Result<(), StoreError> {
        if self.days.insert(epoch / DAY_MS) {
            let made = self.db.execute("select sabot.partition_of($1)", &[&column(epoch)]).await;
            made.inspect_err(|_| self.days.clear()).map_err(said)?;
        }
        Ok(())
    }
}

/// The connection is kept up by a task of its own, and is gone when that ends.
async fn connect(url: &str, authority: Option<&Path>) -> Result<Client, StoreError> {
    let lost = |why| tracing::warn!("the database: {why}");
    let Some(file) = authority else {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await.map_err(said)?;
        tokio::spawn(async move { connection.await.map_err(lost) });
        return Ok(client);
    };
    let refused = |why: String| StoreError::Certificate(format!("{}: {why}", file.display()));
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(file).map_err(|why| refused(why.to_string()))? {
        let certificate = certificate.map_err(|why| refused(why.to_string()))?;
        roots.add(certificate).map_err(|why| refused(why.to_string()))?;
    }
    let tls = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    let mut config: tokio_postgres::Config = url.parse().map_err(said)?;
    config.ssl_mode(tokio_postgres::config::SslMode::Require);
    let (client, connection) = config.connect(MakeRustlsConnect::new(tls)).await.map_err(said)?;
    tokio::spawn(async move { connection.await.map_err(lost) });
    Ok(client)
}

fn read(row: &Row, from: usize) -> Result<Head, StoreError> {
    head(row.get(from), row.get(from + 1), row.get(from + 2), row.get(from + 3), row.get(from + 4))
}

/// The columns of many records.
#[derive(Default)]
struct Columns {
    ids: Vec<i32>,
    epochs: Vec<i64>,
    lines: Vec<i64>,
    chains: Vec<String>,
    signed: Vec<i64>,
    trees: Vec<String>,
    lines_before: Vec<i64>,
    signed_before: Vec<i64>,
}

impl Columns {
    fn push(&mut self, id: i32, advance: &Advance) -> Result<(), StoreError> {
        let Head { epoch, lines, chain, signed, .. } = &advance.head;
        let (lines_before, signed_before) = advance.before.unwrap_or_default();
        self.ids.push(id);
        self.epochs.push(column(*epoch));
        self.lines.push(column(*lines));
        self.chains.push(chain.to_string());
        self.signed.push(column(*signed));
        self.trees.push(tree(&advance.head)?);
        self.lines_before.push(column(lines_before));
        self.signed_before.push(column(signed_before));
        Ok(())
    }
}

fn keys(rows: &[Row]) -> impl Iterator<Item = (i32, i64)> + '_ {
    rows.iter().map(|row| (row.get(0), row.get(1)))
}

/// Sets the heads; those that were still as they had been.
async fn heads(transaction: &Transaction<'_>, advances: &[(i32, &Advance)]) -> Result<HashSet<(i32, i64)>, StoreError> {
    let (mut begun, mut grown) = (Columns::default(), Columns::default());
    for (id, advance) in advances {
        if advance.before.is_none() { &mut begun } else { &mut grown }.push(*id, advance)?;
    }
    let mut done = HashSet::new();
    // no line is added to a record after which another one was begun
    if !grown.ids.is_empty() {
        let Columns { ids, epochs, lines, chains, signed, trees, lines_before, signed_before } = &grown;
        // in one order, so that no two sinks wait for each other
        let lock = "select r.table_id, r.epoch from sabot.records r
            join unnest($1::int[], $2::bigint[]) u (table_id, epoch) using (table_id, epoch)
            order by 1, 2 for update of r";
        transaction.execute(lock, &[ids, epochs]).await.map_err(said)?;
        let update = "update sabot.records r set lines = u.lines, chain = u.chain, signed = u.signed, tree = u.tree
            from unnest($1::int[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::bigint[],
                $8::bigint[]) u (table_id, epoch, lines, chain, signed, tree, lines_before, signed_before)
            where (r.table_id, r.epoch, r.lines, r.signed) = (u.table_id, u.epoch, u.lines_before, u.signed_before)
                and (u.lines = u.lines_before or not exists
                    (select from sabot.records n where n.table_id = r.table_id and n.epoch > r.epoch))
            returning r.table_id, r.epoch";
        let columns: [&(dyn ToSql + Sync); 8] =
            [ids, epochs, lines, chains, signed, trees, lines_before, signed_before];
        let rows = transaction.query(update, &columns).await.map_err(said)?;
        done.extend(keys(&rows));
    }
    if !begun.ids.is_empty() {
        let Columns { ids, epochs, lines, chains, signed, trees, .. } = &begun;
        let insert = "insert into sabot.records select * from
            unnest($1::int[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::text[]) order by 1, 2
            on conflict do nothing returning table_id, epoch";
        let rows = transaction.query(insert, &[ids, epochs, lines, chains, signed, trees]).await.map_err(said)?;
        done.extend(keys(&rows));
    }
    Ok(done)
}

/// Writes lines and checkpoints.
async fn write(transaction: &Transaction<'_>, advances: &[(i32, &Advance)]) -> Result<(), StoreError> {
    if advances.iter().any(|(_, advance)| !advance.lines.is_empty()) {
        let copy = transaction.copy_in("copy sabot.lines from stdin binary").await.map_err(said)?;
        let types = [Type::INT4, Type::INT8, Type::INT8, Type::TIMESTAMPTZ, Type::TEXT, Type::TEXT];
        let mut writer = pin!(BinaryCopyInWriter::new(copy, &types));
        for (id, advance) in advances {
            let epoch = column(advance.head.epoch);
            for kept in &advance.lines {
                let at = UNIX_EPOCH + Duration::from_millis(kept.at_ms);
                let row: [&(dyn ToSql + Sync); 6] = [id, &epoch, &column(kept.line), &at, &kept.ev, &&*kept.text];
                writer.as_mut().write(&row).await.map_err(said)?;
            }
        }
        writer.finish().await.map_err(said)?;
    }
    let of_advance = |(id, advance): &(i32, &Advance)| {
        let (id, epoch) = (*id, column(advance.head.epoch));
        advance.lines.iter().flat_map(told::of).map(move |told| (id, epoch, told)).collect::<Vec<_>>()
    };
    write_told(transaction, &advances.iter().flat_map(of_advance).collect::<Vec<_>>()).await?;
    let (mut ids, mut epochs, mut sizes, mut notes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (id, advance) in advances {
        for (size, note) in &advance.checkpoints {
            ids.push(*id);
            epochs.push(column(advance.head.epoch));
            sizes.push(column(*size));
            notes.push(note.as_str());
        }
    }
    if !ids.is_empty() {
        let insert = "insert into sabot.checkpoints
            select * from unnest($1::int[], $2::bigint[], $3::bigint[], $4::text[]) on conflict do nothing";
        transaction.execute(insert, &[&ids, &epochs, &sizes, &notes]).await.map_err(said)?;
    }
    Ok(())
}

/// Writes what lines tell.
async fn write_told(transaction: &Transaction<'_>, told: &[(i32, i64, Told)]) -> Result<(), StoreError> {
    const NUMBER: Type = Type::INT8;
    const WORD: Type = Type::TEXT;
    if told.is_empty() {
        return Ok(());
    }
    let copy = transaction.copy_in("copy sabot.told from stdin binary").await.map_err(said)?;
    let types = [Type::INT4, NUMBER, NUMBER, NUMBER, NUMBER, WORD, NUMBER, NUMBER, WORD, WORD, WORD, WORD, NUMBER];
    let mut writer = pin!(BinaryCopyInWriter::new(copy, &[&types[..], &[NUMBER, WORD]].concat()));
    for (id, epoch, told) in told {
        let Told { part, at, kind, n, pass, article, place, severity, person, owed, done, text, .. } = told;
        let row: [&(dyn ToSql + Sync); 15] = [
            id,
            epoch,
            &column(told.line),
            part,
            at,
            kind,
            n,
            pass,
            article,
            place,
            severity,
            person,
            owed,
            done,
            text,
        ];
        writer.as_mut().write(&row).await.map_err(said)?;
    }
    writer.finish().await.map_err(said)?;
    Ok(())
}

/// Writes what the lines tell that are kept already.
async fn tell(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    let cursor = "declare kept cursor for
        select table_id, epoch, line, (extract(epoch from at) * 1000)::bigint, ev, text from sabot.lines";
    transaction.batch_execute(cursor).await.map_err(said)?;
    loop {
        let rows = transaction.query("fetch 10000 from kept", &[]).await.map_err(said)?;
        let mut all = Vec::new();
        for row in &rows {
            let (line, at_ms, text) = (number(row.get(2))?, number(row.get(3))?, row.get::<_, String>(5).into());
            let of = told::of(&KeptLine { line, at_ms, ev: row.get(4), text });
            all.extend(of.into_iter().map(|told| (row.get(0), row.get(1), told)));
        }
        if rows.is_empty() {
            return transaction.batch_execute("close kept").await.map_err(said);
        }
        write_told(transaction, &all).await?;
    }
}

fn found(row: &Row) -> Result<Found, StoreError> {
    let (owed, done): (Option<i64>, Option<i64>) = (row.get(11), row.get(12));
    Ok(Found {
        table: table(row.get(0), row.get(1), row.get(2))?,
        epoch: number(row.get(3))?,
        line: number(row.get(4))?,
        at: number(row.get(5))?,
        n: row.get::<_, Option<i64>>(6).map(number).transpose()?,
        article: row.get(7),
        place: row.get(8),
        severity: row.get(9),
        person: row.get(10),
        money: owed.zip(done),
        text: row.get(13),
        became: row.get(14),
    })
}

impl Store for Postgres {
    async fn heads(&mut self, wanted: &[(TableId, Option<u64>)]) -> Result<Vec<Option<Head>>, StoreError> {
        let names = |name: fn(&TableId) -> &str| wanted.iter().map(|(table, _)| name(table)).collect::<Vec<_>>();
        let (houses, pits, names) = (names(TableId::house), names(TableId::pit), names(TableId::table));
        let epochs: Vec<Option<i64>> = wanted.iter().map(|(_, epoch)| epoch.map(column)).collect();
        let select = "select u.at, r.epoch, r.lines, r.chain, r.signed, r.tree
            from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) with ordinality u (house, pit, name, epoch, at)
            join sabot.tables t on (t.house, t.pit, t.name) = (u.house, u.pit, u.name)
            cross join lateral (select * from sabot.records r
                where r.table_id = t.id and (u.epoch is null or r.epoch = u.epoch) order by r.epoch desc limit 1) r";
        let rows = self.db.query(select, &[&houses, &pits, &names, &epochs]).await.map_err(said)?;
        let mut heads = vec![None; wanted.len()];
        for row in &rows {
            let at = usize::try_from(row.get::<_, i64>(0) - 1).unwrap_or(usize::MAX);
            if let Some(head) = heads.get_mut(at) {
                *head = Some(read(row, 1)?);
            }
        }
        Ok(heads)
    }

    async fn lines(
        &mut self,
        table: &TableId,
        epoch: u64,
        lines: RangeInclusive<LineNo>,
    ) -> Result<Vec<String>, StoreError> {
        let id = self.id(table).await?;
        let select = "select text from sabot.lines
            where table_id = $1 and epoch = $2 and line between $3 and $4 order by line";
        let (epoch, from, to) = (column(epoch), column(*lines.start()), column(*lines.end()));
        let rows = self.db.query(select, &[&id, &epoch, &from, &to]).await.map_err(said)?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    async fn commit(&mut self, advances: &[Advance]) -> Result<Vec<bool>, StoreError> {
        for advance in advances {
            self.partition(advance.head.epoch).await?;
        }
        let ids = self.ids(&advances.iter().map(|advance| &advance.table).collect::<Vec<_>>()).await?;
        let by_id: Vec<(i32, &Advance)> = ids.into_iter().zip(advances).collect();
        let transaction = self.db.transaction().await.map_err(said)?;
        let done = heads(&transaction, &by_id).await?;
        let is_done = |(id, advance): &(i32, &Advance)| done.contains(&(*id, column(advance.head.epoch)));
        let written: Vec<_> = by_id.iter().copied().filter(is_done).collect();
        write(&transaction, &written).await?;
        transaction.commit().await.map_err(said)?;
        Ok(by_id.iter().map(is_done).collect())
    }

    async fn refuse(&mut self, refusal: &Refusal) -> Result<(), StoreError> {
        let id = self.id(&refusal.table).await?;
        let Refusal { epoch, line, chain, why, text, .. } = refusal;
        let insert = "insert into sabot.refusals (table_id, epoch, line, chain, why, text)
            values ($1, $2, $3, $4, $5, $6) on conflict do nothing";
        let (epoch, line, chain) = (column(*epoch), column(*line), chain.to_string());
        self.db.execute(insert, &[&id, &epoch, &line, &chain, why, text]).await.map_err(said)?;
        Ok(())
    }

    async fn refusals(&mut self) -> Result<Vec<String>, StoreError> {
        let select = "select house || '/' || pit || '/' || name || ' ' || epoch || ' ' || line || ' ' || why
            from sabot.refusals join sabot.tables on id = table_id order by first_at, table_id, epoch, line";
        let rows = self.db.query(select, &[]).await.map_err(said)?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    async fn accept(&mut self, table: &TableId, epoch: u64) -> Result<(), StoreError> {
        let id = self.id(table).await?;
        let insert = "insert into sabot.accepted (table_id, epoch) values ($1, $2) on conflict do nothing";
        self.db.execute(insert, &[&id, &column(epoch)]).await.map_err(said)?;
        Ok(())
    }

    async fn is_accepted(&mut self, table: &TableId, epoch: u64) -> Result<bool, StoreError> {
        let id = self.id(table).await?;
        let select = "select from sabot.accepted where (table_id, epoch) = ($1, $2)";
        Ok(self.db.query_opt(select, &[&id, &column(epoch)]).await.map_err(said)?.is_some())
    }

    async fn sinks(&mut self) -> Result<u32, StoreError> {
        if !self.is_counted {
            self.db.execute("select pg_advisory_lock_shared($1, 0)", &[&AT_WORK]).await.map_err(said)?;
            self.is_counted = true;
        }
        let count = "select count(*) from pg_locks where locktype = 'advisory' and granted and classid::bigint = $1
            and database = (select oid from pg_database where datname = current_database())";
        let count: i64 = self.db.query_one(count, &[&i64::from(AT_WORK)]).await.map_err(said)?.get(0);
        Ok(u32::try_from(count).unwrap_or(1).max(1))
    }

    async fn claim(&mut self, share: u32) -> Result<bool, StoreError> {
        let lock = "select pg_try_advisory_lock($1, $2)";
        // a lock that is taken twice is to be given back twice
        let is_claimed = self.claimed.contains(&share)
            || self.db.query_one(lock, &[&SHARE, &share.cast_signed()]).await.map_err(said)?.get(0);
        self.claimed.extend(is_claimed.then_some(share));
        Ok(is_claimed)
    }

    async fn release(&mut self, share: u32) -> Result<(), StoreError> {
        if !self.claimed.remove(&share) {
            return Ok(());
        }
        let unlock = "select pg_advisory_unlock($1, $2)";
        self.db.execute(unlock, &[&SHARE, &share.cast_signed()]).await.map_err(said)?;
        Ok(())
    }

    async fn records(&mut self) -> Result<Vec<(TableId, Head)>, StoreError> {
        let select = "select house, pit, name, epoch, lines, chain, signed, tree
            from sabot.records join sabot.tables on id = table_id order by house, pit, name, epoch";
        let rows = self.db.query(select, &[]).await.map_err(said)?;
        rows.iter().map(|row| Ok((table(row.get(0), row.get(1), row.get(2))?, read(row, 3)?))).collect()
    }

    async fn found(&mut self, wanted: &Wanted, most: u64) -> Result<Vec<Found>, StoreError> {
        let Wanted { from, to, article, person, money, table } = wanted;
        let (from, to, money, most) = (column(*from), column(*to), money.map(column), column(most));
        let of: [&(dyn ToSql + Sync); 7] = [&from, &to, article, person, &money, table, &most];
        let rows = self.db.query(&search::found(wanted), &of).await.map_err(said)?;
        rows.iter().map(found).collect()
    }

    async fn counted(&mut self, wanted: &Wanted, by: By) -> Result<Vec<Counted>, StoreError> {
        let Wanted { from, to, article, person, money, table } = wanted;
        let (from, to, money) = (column(*from), column(*to), money.map(column));
        let of: [&(dyn ToSql + Sync); 6] = [&from, &to, article, person, &money, table];
        let rows = self.db.query(&search::counted(by), &of).await.map_err(said)?;
        let counted = |row: &Row| {
            let [passes, findings, money] = [1, 2, 3].map(|at| number(row.get(at)));
            Ok(Counted { what: row.get(0), passes: passes?, findings: findings?, money: money? })
        };
        rows.iter().map(counted).collect()
    }

    async fn pass_around(
        &mut self,
        table: &TableId,
        epoch: u64,
        line: LineNo,
    ) -> Result<Option<RangeInclusive<LineNo>>, StoreError> {
        let (house, pit, name) = (table.house(), table.pit(), table.table());
        let of: [&(dyn ToSql + Sync); 5] = [&house, &pit, &name, &column(epoch), &column(line)];
        let row = self.db.query_opt(search::PASS_AROUND, &of).await.map_err(said)?;
        let lines = |row: &Row| row.get::<_, Option<i64>>(2);
        let row = row.and_then(|row| lines(&row).map(|lines| (row, lines)));
        row.map(|(row, lines)| around(line, row.get(0), row.get(1), lines)).transpose()
    }
}
