//! The uplink of `sabot run`: a table's record, shipped as its configuration says.

use sabot_floor::broker::Broker;
use sabot_floor::subjects::TableId;
use sabot_floor::uplink::{Settings, State, Uplink};
use sabot_journal::note::PublicKey;
use sabot_station::StationError;
use sabot_station::config::Config;
use sabot_station::shipping::Shipping;
use tokio::sync::watch;

/// Ships a table's record where its configuration says so.
///
/// # Errors
/// When a sink's key cannot be read, or the system gives no thread.
pub(super) fn uplink(config: &Config) -> Result<Option<Uplink>, StationError> {
    let Some(uplink) = &config.uplink else { return Ok(None) };
    let refused = StationError::Uplink;
    let sinks = uplink.sinks.iter().map(|file| PublicKey::read(file)).collect::<Result<_, _>>().map_err(refused)?;
    let table = TableId::new(&uplink.house, &uplink.pit, &uplink.table).map_err(|why| refused(why.to_string()))?;
    let broker = Broker {
        url: uplink.broker.clone(),
        credentials: uplink.credentials.clone(),
        authority: uplink.authority.clone(),
        certificate: uplink.certificate.clone(),
        domain: uplink.domain.clone(),
    };
    let settings = Settings { table, record: config.journal.clone(), broker, sinks };
    let uplink = Uplink::start(settings).map_err(|why| refused(why.to_string()))?;
    tokio::spawn(tell(uplink.state()));
    Ok(Some(uplink))
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
