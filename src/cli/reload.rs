//! SIGHUP: what a station reads again without a restart.

use std::path::PathBuf;

use sabot_station::acts::Acts;
use sabot_station::config::Config;
use sabot_station::reload::Reload;
use tokio::signal::unix::{SignalKind, signal};

/// Reads the configuration, and what it names, again at each SIGHUP, and has what was changed count from then on. Where
/// one file cannot be used all stays as it was, and log and record say so.
pub(crate) async fn at_hangup(file: PathBuf, config: Config, acts: Acts) {
    let Ok(mut hangs_up) = signal(SignalKind::hangup()) else { return };
    while hangs_up.recv().await.is_some() {
        let (of, from) = (config.clone(), file.clone());
        let read = match tokio::task::spawn_blocking(move || Reload::read(&from, &of)).await {
            Ok(read) => read,
            Err(why) => {
                tracing::error!("nothing was read again: {why}");
                continue;
            }
        };
        let (told, answered) = match read {
            Ok(reload) => (format!("read again: {}", reload.words()), acts.reload(Ok(reload)).await),
            Err(why) => {
                tracing::error!("{why}; the station goes on with what it had");
                (
                    format!("nothing was read again for the {} cannot be used", why.what()),
                    acts.reload(Err(why.what())).await,
                )
            }
        };
        let Ok(line) = answered else { return };
        tracing::warn!(line, "{told}");
    }
}
