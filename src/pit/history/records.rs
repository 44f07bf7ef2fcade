//! The store of the records, opened when it is asked first, and again after it has failed.

use std::ops::RangeInclusive;
use std::time::Duration;

use sabot_floor::store::postgres::Postgres;
use sabot_floor::store::search::{By, Counted, Found, Wanted};
use sabot_floor::store::sqlite::Sqlite;
use sabot_floor::store::{Store, StoreError};
use sabot_floor::subjects::TableId;
use sabot_law::table::LineNo;
use sabot_station::config::pit::KeptIn;
use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio::task::block_in_place;

/// A question takes no longer than this.
const LONGEST: Duration = Duration::from_secs(30);

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotTold {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Opening a file would make it.
    #[error("{file}: {why}")]
    NoFile { file: String, why: std::io::Error },
}

enum Open {
    Postgres(Postgres),
    Sqlite(Sqlite),
}

/// The records that sinks keep.
pub(super) struct Records {
    kept: KeptIn,
    open: Mutex<Option<Open>>,
}

/// Asks the store; one that fails is opened anew by the next question.
macro_rules! asked {
    ($records:expr, $method:ident($($of:expr),*)) => {{
        let mut open = $records.open.lock().await;
        let mut store = match open.take() {
            Some(store) => store,
            None => $records.opened().await?,
        };
        let told = match &mut store {
            Open::Postgres(store) => store.$method($($of),*).await,
            // a file is read here and now: others are served by other threads meanwhile
            Open::Sqlite(store) => block_in_place(|| Handle::current().block_on(store.$method($($of),*))),
        };
        *open = told.is_ok().then_some(store);
        Ok(told?)
    }};
}

impl Records {
    pub(super) fn of(kept: KeptIn) -> Self {
        Self { kept, open: Mutex::new(None) }
    }

    async fn opened(&self) -> Result<Open, NotTold> {
        Ok(match &self.kept {
            KeptIn::Database { url, authority } => {
                let store = Postgres::open(url, authority.as_deref()).await?;
                Open::Postgres(store.within(LONGEST).await?)
            }
            KeptIn::Sqlite(file) => {
                let no_file = |why| NotTold::NoFile { file: file.display().to_string(), why };
                file.metadata().map_err(no_file)?;
                Open::Sqlite(Sqlite::open(file)?)
            }
        })
    }

    pub(super) async fn found(&self, wanted: &Wanted, most: u64) -> Result<Vec<Found>, NotTold> {
        asked!(self, found(wanted, most))
    }

    pub(super) async fn counted(&self, wanted: &Wanted, by: By) -> Result<Vec<Counted>, NotTold> {
        asked!(self, counted(wanted, by))
    }

    pub(super) async fn pass_around(
        &self,
        table: &TableId,
        epoch: u64,
        line: LineNo,
    ) -> Result<Option<RangeInclusive<LineNo>>, NotTold> {
        asked!(self, pass_around(table, epoch, line))
    }

    pub(super) async fn lines(
        &self,
        table: &TableId,
        epoch: u64,
        lines: RangeInclusive<LineNo>,
    ) -> Result<Vec<String>, NotTold> {
        asked!(self, lines(table, epoch, lines.clone()))
    }
}
