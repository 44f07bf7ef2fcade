//! SIGHUP: what a station reads again without a restart.

use sabot_station::acts::Acts;
use sabot_station::config::Config;
use sabot_station::registry::Registries;
use tokio::signal::unix::{SignalKind, signal};

/// Reads the registry of chips again at each SIGHUP. One that cannot be used leaves the one before; the table's task
/// goes on meanwhile. People, the devices' keys and the certificate need no signal: they are read again when they
/// change.
pub(crate) async fn at_hangup(config: Config, acts: Acts) {
    let Ok(mut hangs_up) = signal(SignalKind::hangup()) else { return };
    while hangs_up.recv().await.is_some() {
        let of = config.clone();
        match tokio::task::spawn_blocking(move || Registries::of(&of)).await {
            Ok(Ok(Registries { chips: Some(chips), .. })) => {
                let cancelled = chips.cancelled();
                let Ok(known) = acts.chips(chips).await else { return };
                tracing::warn!("the registry of chips was read again: {known} chips, {cancelled} cancelled");
            }
            Ok(Ok(_)) => {
                tracing::warn!("SIGHUP: the configuration names no registry of chips, and nothing was read again")
            }
            Ok(Err(why)) => tracing::error!("{why}; the station goes on with the registry before"),
            Err(why) => tracing::error!("the registry of chips was not read: {why}"),
        }
    }
}
