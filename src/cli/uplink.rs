//! The uplink of `sabot run`: a table's record, shipped as its configuration says.

use std::sync::Arc;

use sabot_floor::broker::Broker;
use sabot_floor::subjects::TableId;
use sabot_floor::uplink::{Settings, State, Uplink};
use sabot_floor::verdicts;
use sabot_journal::note::PublicKey;
use sabot_station::StationError;
use sabot_station::config::Config;
use sabot_station::config::broker::BrokerConfig;
use sabot_station::console::brief::{Brief, LiveVerdict};
use sabot_station::shipping::Shipping;
use sabot_station::snapshot::Snapshot;
use tokio::sync::watch;

/// Ships a table's record where its configuration says so, and tells there how the table stands.
///
/// # Errors
/// When a sink's key cannot be read, or the system gives no thread.
pub(super) fn uplink(
    config: &Config,
    snapshots: watch::Receiver<Arc<Snapshot>>,
) -> Result<Option<Uplink>, StationError> {
    let Some(uplink) = &config.uplink else { return Ok(None) };
    let refused = StationError::Uplink;
    let sinks = uplink.sinks.iter().map(|file| PublicKey::read(file)).collect::<Result<_, _>>().map_err(refused)?;
    let table = TableId::new(&uplink.house, &uplink.pit, &uplink.table).map_err(|why| refused(why.to_string()))?;
    let BrokerConfig { url, credentials, authority, certificate } = uplink.broker.clone();
    let broker = Broker { url, credentials, authority, certificate, domain: uplink.domain.clone() };
    let (verdict, told) = watch::channel(Vec::new());
    tokio::spawn(tell_verdict(uplink.page.as_ref().map(ToString::to_string), snapshots, verdict));
    tokio::spawn(verdicts::tell(broker.clone(), table.clone(), told));
    let settings = Settings { table, record: config.journal.clone(), broker, sinks };
    let uplink = Uplink::start(settings).map_err(|why| refused(why.to_string()))?;
    tokio::spawn(tell(uplink.state()));
    Ok(Some(uplink))
}

/// Gives anew how the table stands, with each picture of it, until the station stops. There is one each second while
/// the table's task lives.
async fn tell_verdict(
    page: Option<String>,
    mut snapshots: watch::Receiver<Arc<Snapshot>>,
    verdict: watch::Sender<Vec<u8>>,
) {
    loop {
        let snapshot = Arc::clone(&snapshots.borrow_and_update());
        if !snapshot.table.is_empty() {
            let told = LiveVerdict { page: page.clone(), verdict: Brief::of(&snapshot) };
            match serde_json::to_vec(&told) {
                Ok(told) => verdict.send_replace(told),
                Err(error) => return tracing::error!(%error, "the verdict is not told on the floor"),
            };
        }
        if snapshots.changed().await.is_err() {
            return;
        }
    }
}

/// Tells those who look after the station how it goes.
async fn tell(mut told: watch::Receiver<State>) {
    loop {
        let State { connected, kept, trouble } = told.borrow_and_update().clone();
        Shipping { connected, kept, trouble }.tell();
        if told.changed().await.is_err() {
            return;
        }
    }
}
