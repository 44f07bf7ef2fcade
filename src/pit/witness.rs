//! The pit's server as a witness of its tables' records: it asks each station for the last checkpoint that it has
//! signed, with the proof that the record still begins with all lines that were seen here, and cosigns it. What it saw
//! stands in a folder of its own, of which nobody at a table can take anything back.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use http_body_util::{BodyExt, Limited};
use sabot_journal::note::{KeyFileError, PrivateKey, PublicKey, Purpose};
use sabot_journal::offer::Offer;
use sabot_journal::witness::{WitnessError, Witnessed, cosign_offer, seen};
use sabot_station::config::pit::{PitTable, PitWitness};
use sabot_web::tls::trust::Trust;
use tokio::time::{sleep, timeout};

use crate::trouble::Trouble;
use crate::verdicts::ask;

/// A station signs at each pass's end and each minute.
const EVERY: Duration = Duration::from_secs(60);
/// Where nothing is known yet, or somebody did not answer.
const AGAIN: Duration = Duration::from_secs(5);
/// A station whose answer has not come whole after so long is silent.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes of an offer: a proof has some sixty hashes at the most.
const MOST: usize = 16 * 1024;
/// The witness's key in its folder.
const KEY: &str = "witness.key";

/// Whom a witness cosigns, and where it remembers that.
#[derive(Clone)]
pub(crate) struct Witness {
    folder: PathBuf,
    key: Arc<PrivateKey>,
}

/// Why a checkpoint was not cosigned.
#[derive(Debug)]
enum NotSeen {
    Trouble(Trouble),
    Refused(WitnessError),
}

impl Witness {
    /// The one of a folder, whose key is made where it has none.
    pub(crate) fn of(PitWitness { folder, name }: &PitWitness) -> Result<Self, KeyFileError> {
        let path = folder.join(KEY);
        let key = if path.exists() {
            PrivateKey::load(&path, Purpose::Witness)?
        } else {
            PrivateKey::create(&path, name, Purpose::Witness)?
        };
        tracing::info!("the pit is a witness of records: {}", key.public());
        Ok(Self { folder: folder.clone(), key: Arc::new(key) })
    }

    /// Cosigns what a station signs. Never ends by itself.
    pub(crate) async fn attends(self, table: PitTable, station: PublicKey, trust: Option<Trust>) {
        let name = &table.name;
        loop {
            let rest = match self.once(&table, &station, trust.as_ref()).await {
                Ok(Witnessed { stated, before }) => {
                    let lines = stated.checkpoint.size;
                    if before.is_none() {
                        tracing::info!(%name, lines, record = stated.checkpoint.origin, "a record is seen for the first time");
                    }
                    EVERY
                }
                Err(NotSeen::Refused(why)) => {
                    tracing::error!(%name, "THE RECORD IS NOT COSIGNED: {why}");
                    EVERY
                }
                Err(NotSeen::Trouble(why)) => {
                    tracing::debug!(%name, why = why.words().en, "no checkpoint");
                    AGAIN
                }
            };
            sleep(rest).await;
        }
    }

    async fn once(&self, table: &PitTable, station: &PublicKey, trust: Option<&Trust>) -> Result<Witnessed, NotSeen> {
        let refused = NotSeen::Refused;
        let offer = offered(table, trust, 0).await?;
        let had = seen(&self.folder, &offer, station, self.key.public()).map_err(refused)?;
        let offer = if had == 0 { offer } else { offered(table, trust, had).await? };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let (folder, station, key) = (self.folder.clone(), station.clone(), Arc::clone(&self.key));
        let cosigned = tokio::task::spawn_blocking(move || cosign_offer(offer, &folder, &station, &key, now)).await;
        cosigned.map_err(|why| NotSeen::Trouble(Trouble::not_understood(&why.to_string())))?.map_err(refused)
    }
}

/// What a station offers to who has seen so many lines.
async fn offered(table: &PitTable, trust: Option<&Trust>, seen: u64) -> Result<Offer, NotSeen> {
    let asked = async {
        let (answer, _connection) = ask(&table.at, trust, &format!("/checkpoint?old={seen}")).await?;
        match timeout(PATIENCE, Limited::new(answer.into_body(), MOST).collect()).await {
            Ok(body) => body.map_err(|why| Trouble::not_understood(&why.to_string())),
            Err(_) => Err(Trouble::Silent),
        }
    };
    let body = asked.await.map_err(NotSeen::Trouble)?;
    let text = String::from_utf8_lossy(&body.to_bytes()).into_owned();
    Offer::parse(&text).ok_or_else(|| NotSeen::Trouble(Trouble::not_understood("no checkpoint")))
}
