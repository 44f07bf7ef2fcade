//! Where the records of many tables are kept: PostgreSQL, or one file of SQLite for a single site.
//!
//! A store keeps lines as they stand in the record, once each: (table, epoch, line) is unique, the epoch being when the
//! record was begun. It judges nothing. [`Store::commit`] goes on from what its caller knew, or tells that another sink
//! was faster. What lines tell that is searched for is kept beside them, typed.

pub mod postgres;
pub mod search;
pub mod sqlite;
mod told;

use std::ops::RangeInclusive;
use std::sync::Arc;

use sabot_journal::Chain;
use sabot_journal::tree::Tree;
use sabot_law::table::LineNo;

use crate::subjects::TableId;
use search::{By, Counted, Found, Wanted};

/// How far a record is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// When it was begun, milliseconds since 1970.
    pub epoch: u64,
    /// Its lines.
    pub lines: LineNo,
    /// The chain of the last of them.
    pub chain: Chain,
    /// Lines of the last checkpoint that they bear out.
    pub signed: LineNo,
    /// The tree over those.
    pub tree: Tree,
}

/// A line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptLine {
    /// Its number.
    pub line: LineNo,
    /// When it was told, milliseconds since 1970, by the record.
    pub at_ms: u64,
    /// Its event.
    pub ev: String,
    /// The line as it stands in the record, without its line end.
    pub text: Arc<str>,
}

/// What a record gains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advance {
    /// Of which table.
    pub table: TableId,
    /// Lines, and signed ones, before; none of a record that is begun.
    pub before: Option<(LineNo, LineNo)>,
    /// How far it is kept then.
    pub head: Head,
    /// Its new lines.
    pub lines: Vec<KeptLine>,
    /// Its new checkpoints, cosigned, by their lines.
    pub checkpoints: Vec<(LineNo, String)>,
}

/// Something that contradicts what is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Of which table.
    pub table: TableId,
    /// Of which record.
    pub epoch: u64,
    /// Which line, or a checkpoint of so many.
    pub line: LineNo,
    /// The chain of the line; of a checkpoint zeros.
    pub chain: Chain,
    /// Why, in words.
    pub why: String,
    /// What was sent.
    pub text: Vec<u8>,
}

/// Why a store does not do what it should.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// PostgreSQL.
    #[error("the database: {0}")]
    Postgres(String, #[source] tokio_postgres::Error),
    /// SQLite.
    #[error("the file of SQLite: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// Something in it does not read.
    #[error("the store holds what no sink has written: {0}")]
    Spoilt(String),
    /// Its tables are of a newer program.
    #[error("the store's tables are of version {found}, this program knows {known}: use the newer program")]
    Newer {
        /// Of which version they are.
        found: i64,
        /// Which one is known.
        known: usize,
    },
    /// A certificate cannot be used.
    #[error("{0}")]
    Certificate(String),
}

/// A place where records are kept.
pub trait Store: Send {
    /// How far records are kept, each of the table's newest one where none is named. However many: asked at once.
    fn heads(
        &mut self,
        wanted: &[(TableId, Option<u64>)],
    ) -> impl Future<Output = Result<Vec<Option<Head>>, StoreError>> + Send;

    /// Lines of a record as they stand in it, in order.
    fn lines(
        &mut self,
        table: &TableId,
        epoch: u64,
        lines: RangeInclusive<LineNo>,
    ) -> impl Future<Output = Result<Vec<String>, StoreError>> + Send;

    /// Keeps all of it durably, each advance wholly or not at all: `false` of one where the record is no longer as it
    /// was before.
    fn commit(&mut self, advances: &[Advance]) -> impl Future<Output = Result<Vec<bool>, StoreError>> + Send;

    /// Writes down what was refused, once.
    fn refuse(&mut self, refusal: &Refusal) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// What was refused, the oldest first, as `HOUSE/PIT/TABLE EPOCH LINE WHY`.
    fn refusals(&mut self) -> impl Future<Output = Result<Vec<String>, StoreError>> + Send;

    /// Somebody has ruled that this record of the table begins anew, whatever was kept before.
    fn accept(&mut self, table: &TableId, epoch: u64) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Whether somebody has.
    fn is_accepted(&mut self, table: &TableId, epoch: u64) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// How many sinks work with this store, this one among them, as far as is known. To be asked every few seconds:
    /// who does not is given up, with what it has claimed.
    fn sinks(&mut self) -> impl Future<Output = Result<u32, StoreError>> + Send;

    /// Takes a share of the work for this sink, or goes on with one that it has; false where another one has it.
    fn claim(&mut self, share: u32) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Leaves a share to others.
    fn release(&mut self, share: u32) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Every record that is kept, by table and epoch.
    fn records(&mut self) -> impl Future<Output = Result<Vec<(TableId, Head)>, StoreError>> + Send;

    /// What is asked for over all records, the newest first, so many at most.
    fn found(&mut self, wanted: &Wanted, most: u64) -> impl Future<Output = Result<Vec<Found>, StoreError>> + Send;

    /// Passes and findings of what is asked for, by one thing.
    fn counted(&mut self, wanted: &Wanted, by: By) -> impl Future<Output = Result<Vec<Counted>, StoreError>> + Send;

    /// The lines of the pass in which a line is; none where there is no such record.
    fn pass_around(
        &mut self,
        table: &TableId,
        epoch: u64,
        line: LineNo,
    ) -> impl Future<Output = Result<Option<RangeInclusive<LineNo>>, StoreError>> + Send;
}

/// From the ends of passes before and after a line, and how many lines there are.
fn around(
    line: LineNo,
    before: Option<i64>,
    end: Option<i64>,
    lines: i64,
) -> Result<RangeInclusive<LineNo>, StoreError> {
    Ok(before.map_or(Ok(0), number)?.min(line) + 1..=end.map_or_else(|| number(lines), number)?)
}

/// A head as the columns of a table hold it.
fn head(epoch: i64, lines: i64, chain: &str, signed: i64, tree: &str) -> Result<Head, StoreError> {
    let spoilt = |what: &str| StoreError::Spoilt(format!("{what} of record {epoch}"));
    Ok(Head {
        epoch: number(epoch)?,
        lines: number(lines)?,
        chain: chain.parse().map_err(|_| spoilt("the chain"))?,
        signed: number(signed)?,
        tree: serde_json::from_str(tree).map_err(|_| spoilt("the tree"))?,
    })
}

fn number(column: i64) -> Result<u64, StoreError> {
    u64::try_from(column).map_err(|_| StoreError::Spoilt(format!("the number {column}")))
}

/// A number as both databases hold it. No record has as many lines, and no clock shows as many milliseconds.
fn column(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn tree(head: &Head) -> Result<String, StoreError> {
    serde_json::to_string(&head.tree).map_err(|why| StoreError::Spoilt(why.to_string()))
}

fn table(house: &str, pit: &str, table: &str) -> Result<TableId, StoreError> {
    TableId::new(house, pit, table).map_err(|_| StoreError::Spoilt(format!("the table {house}/{pit}/{table}")))
}
