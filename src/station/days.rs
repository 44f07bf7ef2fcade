//! Gaming days: a start after the house's hour closes the record of the day before, and what is old goes.

use std::sync::Arc;

use sabot_journal::clock::DAY_CLOSED;
use sabot_journal::days;
use sabot_journal::note::{PrivateKey, PublicKey, Purpose};
use sabot_journal::{JournalError, Record};

use super::config::Config;
use super::{Opened, StationError, about};

/// Closes the record that was opened, where the day in which it was begun is over and nothing of it is open any more.
/// The one that is open then.
pub(super) fn closed(
    config: &Arc<Config>,
    opened: Opened,
    anew: impl FnOnce() -> Result<Opened, StationError>,
) -> Result<Opened, StationError> {
    let io = |why| JournalError::Io { path: days::days_of(&config.journal), why };
    let (began, _) = days::beginning(&config.journal).map_err(io)?;
    if !config.gaming_day.is_some_and(|day| day.is_over(began)) {
        return Ok(opened);
    }
    let record = config.journal.display();
    if !opened.recalled.is_at_rest() {
        tracing::warn!(
            "{record}: its gaming day is over, and a pass, something due or a finding is open: it goes on, and the first \
             start at which nothing is closes it"
        );
        return Ok(opened);
    }
    let Opened { mut journal, held, .. } = opened;
    journal.append(Record::of(about::status(DAY_CLOSED), held.now));
    let end = journal.close();
    if let Some(why) = end.fault {
        return Err(StationError::Unwritten { line: end.line, why });
    }
    let day = days::close(&config.journal, &config.header, held.last.into_iter().collect()).map_err(io)?;
    tracing::info!("{record}: the gaming day is closed, its {} lines are in {}", end.line, day.display());
    anew()
}

/// Removes closed days that are older than the house keeps them, and that a witness has seen whole.
pub(super) fn remove_old(config: &Config) -> Result<(), StationError> {
    let Some(keep) = config.journal_keep_days else { return Ok(()) };
    let io = |why| JournalError::Io { path: days::days_of(&config.journal), why };
    let key = config.journal_key.as_deref().map(|path| PrivateKey::load(path, Purpose::Station)).transpose()?;
    let stations: Vec<PublicKey> = key.iter().map(|key| key.public().clone()).collect();
    let witness = |file: &std::path::PathBuf| {
        let refused = |why: String| StationError::JournalWitness { file: file.clone(), why };
        let text = std::fs::read_to_string(file).map_err(|why| refused(why.to_string()))?;
        text.parse().map_err(|why: sabot_journal::note::KeyError| refused(why.to_string()))
    };
    let witnesses = config.journal_witnesses.iter().map(witness).collect::<Result<Vec<_>, _>>()?;
    for day in days::older(&config.journal, keep).map_err(io)? {
        match days::remove(&day, &stations, &witnesses) {
            Ok(()) => tracing::info!("{}: removed, being older than {keep} days", day.display()),
            Err(why) => tracing::warn!("{}: kept, though it is older than {keep} days: {why}", day.display()),
        }
    }
    Ok(())
}
