//! Gaming days: what is told on the next one, and what becomes of those that are closed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use sabot_journal::clock::station_line;
use sabot_journal::note::{PrivateKey, PublicKey, Purpose};
use sabot_journal::{Durable, JournalError, Origin, Sealing, days};
use sabot_law::table::{Event, Name};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use super::StationError;
use super::config::Config;
use super::history::service::Service;
use super::record_feed::RecordFeed;
use super::sourced_event::of_station;

/// The gaming day of a table while its station runs.
#[derive(Debug)]
pub(super) struct Day {
    pub(super) config: Arc<Config>,
    pub(super) sealing: Sealing,
    pub(super) feed: Option<RecordFeed>,
    /// When it ends, milliseconds since 1970; never where days are not closed.
    pub(super) ends: Option<u64>,
    /// It was told that the day is over and goes on.
    pub(super) is_late: bool,
    /// Of each device the last event that the record tells.
    pub(super) devices: BTreeMap<Name, (u32, u32)>,
    pub(super) serving: Serving,
}

impl Day {
    /// The day of a record that was begun then.
    pub(super) fn begun(&mut self, began_ms: u64) {
        self.ends = self.config.gaming_day.as_ref().and_then(|day| day.ends(began_ms));
        self.is_late = false;
    }

    /// A line tells of these.
    pub(super) fn told<'a>(&mut self, event: &Event, origins: impl IntoIterator<Item = &'a Origin>) {
        self.serving.told(event);
        self.devices.extend(origins.into_iter().map(|Origin(serial, epoch, seq)| (serial.clone(), (*epoch, *seq))));
    }
}

/// Who serves the table, as was said last: the next record says it again. The words of each change, and who said them.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Serving(BTreeMap<String, String>);

impl Serving {
    pub(super) fn told(&mut self, event: &Event) {
        let Some((status, detail)) = station_line(event) else { return };
        let Ok(service) = status.parse::<Service>() else { return };
        if service == Service::Closes {
            self.0.clear();
        } else if service == Service::Opens {
            self.0.remove(Service::Closes.word());
        }
        self.0.insert(status.to_owned(), detail.unwrap_or_default().to_owned());
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = Event> {
        let again =
            |(status, detail): (&String, &String)| Some(of_station(status.parse::<Service>().ok()?.word(), detail));
        self.0.iter().filter_map(again)
    }
}

/// How long closed days are kept, and whose word is needed to remove one.
#[derive(Debug)]
pub(super) struct Keeping {
    record: PathBuf,
    days: Option<u64>,
    stations: Vec<PublicKey>,
    witnesses: Vec<PublicKey>,
}

impl Keeping {
    pub(super) fn of(config: &Config) -> Result<Self, StationError> {
        let key = config.journal_key.as_deref().map(|path| PrivateKey::load(path, Purpose::Station)).transpose()?;
        let witness = |file: &PathBuf| {
            let refused = |why: String| StationError::JournalWitness { file: file.clone(), why };
            let text = std::fs::read_to_string(file).map_err(|why| refused(why.to_string()))?;
            text.parse().map_err(|why: sabot_journal::note::KeyError| refused(why.to_string()))
        };
        Ok(Self {
            record: config.journal.clone(),
            days: config.journal_keep_days,
            stations: key.iter().map(|key| key.public().clone()).collect(),
            witnesses: config.journal_witnesses.iter().map(witness).collect::<Result<_, _>>()?,
        })
    }

    /// Packs what is closed, and removes what is older than the house keeps it and a witness has seen whole.
    fn puts_in_order(&self) -> Result<(), JournalError> {
        let io = |why| JournalError::Io { path: days::days_of(&self.record), why };
        for day in days::closed(&self.record).map_err(io)? {
            if days::pack(&day).map_err(|why| JournalError::Io { path: day.clone(), why })? {
                tracing::info!("{}: packed", day.display());
            }
        }
        let Some(keep) = self.days else { return Ok(()) };
        for day in days::older(&self.record, keep).map_err(io)? {
            match days::remove(&day, &self.stations, &self.witnesses) {
                Ok(()) => tracing::info!("{}: removed, being older than {keep} days", day.display()),
                Err(why) => tracing::warn!("{}: kept, though it is older than {keep} days: {why}", day.display()),
            }
        }
        Ok(())
    }

    /// The same once the record is open, in a thread of its own: nobody waits for it, neither lines nor the end.
    pub(super) async fn put_in_order(self, mut durable: watch::Receiver<Durable>) {
        if durable.wait_for(|durable| durable.line > 0).await.is_err() {
            return;
        }
        let log = tracing::dispatcher::get_default(Clone::clone);
        let work = move || {
            tracing::dispatcher::with_default(&log, || {
                if let Err(why) = self.puts_in_order() {
                    tracing::warn!("closed days are left as they are until the next start: {why}");
                }
            });
        };
        if let Err(why) = std::thread::Builder::new().name("days".to_owned()).spawn(work) {
            tracing::warn!("closed days are left as they are until the next start: {why}");
        }
    }
}
