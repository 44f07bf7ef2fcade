//! Many tables on one page. Each is listened to by a task of its own, at its station or by the house's broker; one that
//! says nothing for two seconds, or nothing that can be understood, is not seen, whatever it said last.
//!
//! Nobody acts here: a tile leads to its station, where whoever acts signs in. What a station tells has no covered card
//! in it, and this crate asks for nothing else.
//!
//! | address | what |
//! |---|---|
//! | `/` | the page; `?lang=es` or `?lang=en`, else by `Accept-Language`, else Spanish |
//! | `/events` | server-sent events: `picture` and `pulse`, as of a station's page |
//! | `/api/v1/tables`, `/api/v1/tables/events` | the tables as JSON, worst first; as they change, as server-sent events |
//! | `/healthz` | 200 while every table is heard, else 503 and which are not |

mod events;
#[cfg(feature = "floor")]
mod history;
#[cfg(feature = "floor")]
mod live;
mod page;
mod reader;
mod tables;
mod trouble;
mod verdicts;
mod web;
mod witness;

use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

use sabot_journal::note::{KeyFileError, PublicKey};
pub use sabot_station::config::pit::PitConfig;
use sabot_web::Limits;
use sabot_web::tls::trust::Trust;
use sabot_web::tls::{Tls, TlsError};
use tables::Tables;
use witness::Witness;

/// Why a pit is not shown.
#[derive(Debug, thiserror::Error)]
pub enum PitError {
    /// A certificate cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The witness's own key cannot be used.
    #[error("`witness`: {0}")]
    WitnessKey(#[from] KeyFileError),
    /// The public key of a table's record cannot be used.
    #[error("`key`: {0}")]
    TableKey(String),
    /// Tables cannot be heard by the broker.
    #[cfg(feature = "floor")]
    #[error(transparent)]
    Live(#[from] live::LiveError),
    /// Neither the page of all records nor the broker is known here.
    #[cfg(not(feature = "floor"))]
    #[error("`history`, `live`: this program is built without the floor")]
    NoFloor,
}

/// Shows the tables, and at `history` all records that sinks keep, until `shutdown` turns true or its sender is gone.
///
/// # Errors
/// When a certificate or a key cannot be used.
pub async fn run(
    config: PitConfig,
    listener: TcpListener,
    history: Option<TcpListener>,
    shutdown: watch::Receiver<bool>,
) -> Result<(), PitError> {
    let tls = config.tls.as_deref().map(Tls::load).transpose()?.map(Arc::new);
    let trust = config.authority.as_deref().map(Trust::load).transpose()?;
    let witness = config.witness.as_ref().map(Witness::of).transpose()?;
    let (told, shown) = watch::channel(Arc::new(Tables::of(&config.tables)));
    let (told, limits) = (Arc::new(told), Limits::default().within_handles());
    // they end with the page
    let mut readers = JoinSet::new();
    for (index, table) in config.tables.into_iter().enumerate() {
        if let (Some(witness), Some(file)) = (&witness, &table.key) {
            let key = PublicKey::read(file).map_err(PitError::TableKey)?;
            readers.spawn(witness.clone().attends(table.clone(), key, trust.clone()));
        }
        readers.spawn(reader::listen(table, index, trust.clone(), Arc::clone(&told)));
    }
    #[cfg(feature = "floor")]
    if let Some(live) = config.live {
        readers.spawn(live::Hall::open(live, Arc::clone(&told))?.listen());
    }
    #[cfg(not(feature = "floor"))]
    if config.live.is_some() {
        return Err(PitError::NoFloor);
    }
    let pages = web::router(shown, config.hosts.clone(), limits, shutdown.clone());
    let tables = sabot_web::serve(listener, pages, tls.clone(), limits, shutdown.clone());
    match config.history.zip(history) {
        #[cfg(feature = "floor")]
        Some((history, listener)) => {
            let pages = history::router(history, config.hosts);
            let history = sabot_web::serve(listener, pages, tls, limits, shutdown);
            tokio::join!(tables, history);
        }
        #[cfg(not(feature = "floor"))]
        Some(_) => return Err(PitError::NoFloor),
        None => tables.await,
    }
    Ok(())
}
