//! Telling others of a table by HTTP, signed: of the record's lines, or of the verdict. The record on the disk is the
//! queue: a task for each receiver reads some lines, sends them, and goes on once they were taken; so a receiver that
//! never answers holds up nobody and costs no more memory than those lines. Where it was is kept beside the record. Of
//! verdicts the newest alone is sent.

mod post;
mod told;
mod verdict;

use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Bytes;
use sabot_journal::tail::NotThere;
use sabot_law::table::Name;
use sabot_web::tls::TlsError;
use sabot_web::tls::trust::Trust;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::StationError;
use crate::about::now_ms;
use crate::config::{Config, Format, Profile, WebhookConfig};
use crate::record_feed::{Follower, NotFollowed, RecordFeed};
use crate::snapshot::Snapshot;

/// Until lines that were not taken are sent again, the first time and at most.
const REST: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(60));
/// Bytes of a secret, at the least: it is guessed by who has seen one delivery.
const SECRET_BYTES: usize = 32;

/// What signs deliveries.
#[derive(Clone)]
pub(crate) struct Secret(Vec<u8>);

/// A secret is told to nobody.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// Why nobody is told.
#[derive(Debug, thiserror::Error)]
pub enum WebhookError {
    /// The secret cannot be read.
    #[error("{}: {why}", file.display())]
    Read {
        /// Its file.
        file: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// Others may read it.
    #[error("{}: others may read this secret\n  = write `chmod 600 {}`", .0.display(), .0.display())]
    Open(PathBuf),
    /// It is guessed.
    #[error("{}: a secret has {SECRET_BYTES} characters at the least\n  = make one with `openssl rand -hex 32`", .0.display())]
    Short(PathBuf),
    /// The authority's certificate cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
}

impl Secret {
    /// The one in a file that only its owner may read; the end of its line does not count.
    pub(crate) fn load(file: &Path) -> Result<Self, WebhookError> {
        let failed = |why| WebhookError::Read { file: file.to_path_buf(), why };
        if fs::metadata(file).map_err(failed)?.permissions().mode() & 0o077 != 0 {
            return Err(WebhookError::Open(file.to_path_buf()));
        }
        let mut bytes = fs::read(file).map_err(failed)?;
        bytes.truncate(bytes.trim_ascii_end().len());
        if bytes.len() < SECRET_BYTES {
            return Err(WebhookError::Short(file.to_path_buf()));
        }
        Ok(Self(bytes))
    }
}

/// Somebody who is told.
#[derive(Clone)]
struct Receiver {
    to: WebhookConfig,
    table: Name,
    secret: Secret,
    trust: Option<Trust>,
    /// The file that says which line he had last.
    place: PathBuf,
}

/// Everybody who is told.
pub(crate) struct Webhooks(Vec<Receiver>);

impl Webhooks {
    /// Those of a table's configuration.
    pub(crate) fn of(config: &Config) -> Result<Self, StationError> {
        let receiver = |to: &WebhookConfig| {
            let secret = Secret::load(&to.secret)?;
            let trust = to.authority.as_deref().map(Trust::load).transpose()?;
            let place = PathBuf::from(format!("{}.webhook-{}", config.journal.display(), to.name));
            Ok(Receiver { to: to.clone(), table: config.header.table.clone(), secret, trust, place })
        };
        let named =
            |to: &WebhookConfig| receiver(to).map_err(|why| StationError::Webhook { name: to.name.clone(), why });
        config.webhooks.iter().map(named).collect::<Result<_, _>>().map(Self)
    }

    /// Tells each of them, until the station stops.
    pub(crate) fn tell(
        self,
        record: &RecordFeed,
        shown: &watch::Receiver<Arc<Snapshot>>,
        shutdown: &watch::Receiver<bool>,
    ) {
        for receiver in self.0 {
            let (record, shown, shutdown) = (record.telling_all(), shown.clone(), shutdown.clone());
            let told = async move {
                match receiver.to.profile {
                    Profile::Verdict => receiver.told_of_verdicts(shown).await,
                    Profile::Lines | Profile::Findings => receiver.told(&record).await,
                }
            };
            tokio::spawn(async move {
                tokio::select! {
                    () = told => {}
                    () = sabot_web::stopped(shutdown) => {}
                }
            });
        }
    }
}

/// Sending that has failed so far.
struct Tries {
    /// Why it failed last.
    before: Option<String>,
    rest: Duration,
}

impl Default for Tries {
    fn default() -> Self {
        Self { before: None, rest: REST.0 }
    }
}

impl Receiver {
    /// Never ends by itself.
    async fn told(self, record: &RecordFeed) {
        let mut had = self.had().await;
        let mut rest = REST.0;
        loop {
            match self.follows(record, &mut had).await {
                Ok(follower) => {
                    rest = REST.0;
                    if let Err(why) = self.tells(follower, &mut had).await {
                        self.warn(&why);
                    }
                }
                Err(why) => self.warn(&why),
            }
            sleep(rest).await;
            rest = (rest * 2).min(REST.1);
        }
    }

    fn warn(&self, why: &NotFollowed) {
        tracing::warn!(webhook = self.to.name, %why, "the record is not read for now");
    }

    /// Follows the record after the line that he had last; where that is gone, after the nearest that is there.
    async fn follows(&self, record: &RecordFeed, had: &mut Option<String>) -> Result<Follower, NotFollowed> {
        let after = had.clone().unwrap_or_else(|| "0".to_owned()).parse()?;
        let (why, next) = match record.follow(Some(after)).await {
            Err(NotFollowed::NotThere(why @ (NotThere::Ahead { .. } | NotThere::Other { .. }))) => {
                (why, "0".to_owned())
            }
            Err(NotFollowed::NotThere(why @ NotThere::Behind { .. })) => {
                let NotThere::Behind { first, .. } = &why else { return Err(why.into()) };
                let first = first.to_string();
                (why, first)
            }
            other => return other,
        };
        tracing::warn!(webhook = self.to.name, %why, next, "lines were not sent and are not sent any more");
        *had = None;
        record.follow(Some(next.parse()?)).await
    }

    /// Sends what comes until it cannot be read any more.
    async fn tells(&self, mut follower: Follower, had: &mut Option<String>) -> Result<(), NotFollowed> {
        loop {
            let lines = follower.next().await?;
            let Some(last) = lines.last() else {
                if follower.grown().await {
                    continue;
                }
                return Ok(());
            };
            let last = last.id.clone();
            if let Some(body) = told::body(&self.table, had.as_deref(), &lines, self.to.profile) {
                drop(lines);
                self.delivers(&last, self.formatted(&last, body).into()).await;
            }
            self.keeps(&last).await;
            *had = Some(last);
        }
    }

    /// A body as the receiver is told it. It is the same each time that it is sent.
    fn formatted(&self, id: &str, body: String) -> String {
        match self.to.format {
            Format::Plain => body,
            Format::CloudEvents => told::cloud_event((&self.table, &self.to), id, now_ms(), &body).unwrap_or(body),
        }
    }

    /// Returns once it was taken.
    async fn delivers(&self, id: &str, body: Bytes) {
        let mut tries = Tries::default();
        while !self.takes(id, body.clone(), &mut tries).await {}
    }

    /// Sends a body once; where it is not taken, rests.
    async fn takes(&self, id: &str, body: Bytes, tries: &mut Tries) -> bool {
        let Err(why) = post::post(self, id, body).await else {
            if tries.before.is_some() {
                tracing::info!(webhook = self.to.name, line = id, "taken again");
            }
            *tries = Tries::default();
            return true;
        };
        let why = why.to_string();
        // the same again would fill the log
        if tries.before.as_ref() != Some(&why) {
            tracing::warn!(webhook = self.to.name, line = id, why, "not taken, and sent again");
        }
        tries.before = Some(why);
        sleep(tries.rest).await;
        tries.rest = (tries.rest * 2).min(REST.1);
        false
    }

    /// The id of the line that he had last, where he had any.
    async fn had(&self) -> Option<String> {
        let place = self.place.clone();
        let text = spawn_blocking(move || fs::read_to_string(place)).await.ok()?.ok()?;
        Some(text.trim().to_owned()).filter(|id| !id.is_empty())
    }

    /// Remembers it. Where that fails, the lines are sent again after a start.
    async fn keeps(&self, id: &str) {
        let (place, text) = (self.place.clone(), format!("{id}\n"));
        let write = move || {
            let fresh = PathBuf::from(format!("{}.new", place.display()));
            fs::write(&fresh, text).and_then(|()| fs::rename(&fresh, &place))
        };
        if let Ok(Err(why)) = spawn_blocking(write).await {
            tracing::warn!(webhook = self.to.name, %why, "which lines were taken is not remembered");
        }
    }
}
