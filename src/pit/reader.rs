//! Listening to one station: what it says is believed for a while, and after that the table is not seen.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, timeout_at};

use sabot_station::config::pit::PitTable;
use sabot_web::tls::trust::Trust;

use crate::tables::{Tables, View, now_ms};
use crate::trouble::Trouble;
use crate::verdicts::{Said, Verdicts};

/// What a station says is believed for so long. It says something every 800 ms; two seconds of silence must be seen.
const BELIEVED: Duration = Duration::from_millis(1800);
/// Until a station that hung up is asked again, the first time and at most.
const REST: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(2));

/// Keeps a table the same as what its station says. Never ends by itself.
pub(crate) async fn listen(
    table: PitTable,
    index: usize,
    trust: Option<Trust>,
    tables: Arc<watch::Sender<Arc<Tables>>>,
) {
    let (saying, heard) = mpsc::channel(1);
    tokio::join!(ask(&table, trust.as_ref(), saying), believe(heard, &table.name, index, &tables));
}

/// Asks a station, again and again.
async fn ask(table: &PitTable, trust: Option<&Trust>, saying: mpsc::Sender<Result<Said, Trouble>>) {
    let mut rest = REST.0;
    loop {
        let trouble = match Verdicts::of(table, trust).await {
            Ok(mut verdicts) => loop {
                match verdicts.next().await {
                    Ok(said) => {
                        rest = REST.0;
                        if saying.send(Ok(said)).await.is_err() {
                            return;
                        }
                    }
                    Err(trouble) => break trouble,
                }
            },
            Err(trouble) => trouble,
        };
        if saying.send(Err(trouble)).await.is_err() {
            return;
        }
        sleep(rest).await;
        rest = (rest * 2).min(REST.1);
    }
}

/// Tells what is believed of a table.
pub(crate) async fn believe(
    mut heard: mpsc::Receiver<Result<Said, Trouble>>,
    name: &str,
    index: usize,
    tables: &watch::Sender<Arc<Tables>>,
) {
    let mut until: Option<Instant> = None;
    let (mut heard_at, mut trouble) = (now_ms(), Trouble::NotAsked);
    let tell = |view: &dyn Fn(&View) -> View| {
        tables.send_if_modified(|tables| {
            let changed = tables.with(index, view);
            changed.map(|changed| *tables = Arc::new(changed)).is_some()
        });
    };
    loop {
        let said = match until {
            Some(until) => timeout_at(until, heard.recv()).await,
            None => Ok(heard.recv().await),
        };
        match said {
            Ok(Some(Ok(said))) => {
                if until.is_none() {
                    tracing::info!(name, "the station is heard");
                }
                (until, heard_at, trouble) = (Some(Instant::now() + BELIEVED), now_ms(), Trouble::Silent);
                match said {
                    Said::Verdict(brief) => {
                        let brief = Arc::from(brief);
                        tell(&|view| view.says(&brief, heard_at));
                    }
                    #[cfg(feature = "floor")]
                    Said::OnFloor(brief, page) => {
                        let brief = Arc::from(brief);
                        tell(&|view| view.at(page.as_ref()).says(&brief, heard_at));
                    }
                    Said::Pulse => tell(&View::goes_on),
                }
                continue;
            }
            Ok(Some(Err(why))) => trouble = why,
            Ok(None) => return,
            Err(_) => {
                tracing::warn!(name, why = trouble.words().en, "the station is not heard");
                until = None;
            }
        }
        if until.is_none() {
            tell(&|view| view.lost(&trouble, heard_at));
        }
    }
}
