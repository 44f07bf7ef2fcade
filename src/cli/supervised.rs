//! What the system's manager is told of a station: that it serves, that it is alive, that it stops. Where nobody asks
//! (`Type=notify` and `WatchdogSec=` of systemd), nothing is told.

use std::sync::Arc;
use std::time::Duration;

use sabot_station::snapshot::Snapshot;
use sd_notify::NotifyState;
use tokio::sync::watch;

/// Tells until the table's task is gone. It is alive while it draws new pictures, which it does each second
/// though nothing happens; a task that hangs draws none, and the manager starts the station anew.
pub(crate) async fn tell(mut seen: watch::Receiver<Arc<Snapshot>>, mut shutdown: watch::Receiver<bool>) {
    let is_first = |picture: &Arc<Snapshot>| !picture.table.is_empty();
    let Ok(mut last) = seen.wait_for(is_first).await.map(|picture| Arc::clone(&picture)) else { return };
    say(&[NotifyState::Ready, NotifyState::Status(&format!("table {}", last.table))]);
    let every = sd_notify::watchdog_enabled().map_or(Duration::MAX, |most| most / 4);
    loop {
        tokio::select! {
            _ = shutdown.wait_for(|stop| *stop) => break,
            () = tokio::time::sleep(every) => {}
        }
        // the picture before is held, so that a new one lies elsewhere
        let now = Arc::clone(&seen.borrow());
        if !Arc::ptr_eq(&now, &last) {
            say(&[NotifyState::Watchdog]);
        }
        last = now;
    }
    say(&[NotifyState::Stopping]);
}

fn say(what: &[NotifyState<'_>]) {
    if let Err(why) = sd_notify::notify(what) {
        tracing::warn!("the system's manager cannot be told that the station is alive: {why}");
    }
}
