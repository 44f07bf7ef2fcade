//! The gaming day ends while the table is played at: the record is closed between two passes, and the next one goes on.

use std::time::{SystemTime, UNIX_EPOCH};

use sabot_journal::clock::DAY_CLOSED;
use sabot_journal::{Durable, NextDay, Record};
use sabot_law::table::{Event, LineNo};
use sabot_law::validator::Validator;
use tokio::sync::{mpsc, watch};

use super::{About, Links, TableTask, about};
use crate::days::{Day, Keeping};
use crate::live_table::LiveTable;
use crate::recall::{self, Before};
use crate::snapshot::FindingState;
use crate::sourced_event::SourcedEvent;
use crate::table::Table;
use crate::unwritten::Unwritten;

/// Who says what is kept of the record for the next start: the hash, and how many lines.
pub(super) type Kept = Option<mpsc::UnboundedReceiver<(String, LineNo)>>;

impl<L: Links> TableTask<L> {
    /// Closes gaming days.
    pub(crate) fn closing(self, day: Day) -> Self {
        Self { day: Some(day), ..self }
    }

    /// Closes the gaming day where it is over and nothing of it is open; what tells from then on how far the record is
    /// safe, and what is kept of it.
    pub(super) fn next_day(&mut self) -> Option<(watch::Receiver<Durable>, Kept)> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let began = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        if self.day.as_ref()?.ends.is_none_or(|ends| began < ends) {
            return None;
        }
        let is_at_rest = self.is_at_rest();
        let day = self.day.as_mut()?;
        let config = day.config.clone();
        if !is_at_rest {
            if !std::mem::replace(&mut day.is_late, true) {
                tracing::warn!(
                    "{}: its gaming day is over, and a pass, something due or a finding is open: it goes on, and is \
                     closed at the first moment at which nothing is",
                    config.journal.display()
                );
            }
            return None;
        }
        // the same header made the table at the start
        let validator = Validator::new(config.header.clone()).ok()?.in_language(config.lang);
        let now = self.clock.now();
        self.journal.next_day(NextDay {
            last_line: Record::of(about::status(DAY_CLOSED), now.saturating_sub(self.began_at)),
            record: config.journal.clone(),
            header: config.header.clone(),
            began,
            devices: day.devices.clone(),
            sealing: day.sealing.clone(),
        });
        day.begun(began);
        self.pictures.begun(began);
        let durable = self.journal.durable();
        day.feed.iter().for_each(|feed| feed.is_open(durable.clone()));
        let serving: Vec<Event> = day.serving.lines().collect();
        let composition = self.table.composition_of_days();
        self.table = LiveTable::new(validator, recall::findings(&config)).knowing(composition.clone());
        self.unwritten = Unwritten::begun();
        (self.began_at, self.last_entry) = (now, None);
        self.shown.forget();
        let (keeps, kept) = mpsc::unbounded_channel();
        recall::keep(config.clone(), Before::Day(composition), durable.clone(), keeps);
        match Keeping::of(&config) {
            Ok(keeping) => drop(tokio::spawn(keeping.put_in_order(durable.clone()))),
            Err(why) => tracing::warn!("closed days are left as they are until the next start: {why}"),
        }
        self.say(About::start);
        for event in self.presence.day_begins().into_iter().chain(serving) {
            self.table.apply(SourcedEvent { event, source: None, paired: None, entered: None });
        }
        self.tell();
        self.refresh();
        Some((durable, Some(kept)))
    }

    /// Nothing lies on the felt, nothing is due, nobody has to see to anything, and all of it is on disk: a table that
    /// knows nothing of all this can go on from here.
    fn is_at_rest(&self) -> bool {
        self.observer.is_as_new()
            && self.table.unrecorded.is_empty()
            && self.unwritten.is_safe()
            && {
                let findings = &self.table.findings;
                findings.list().chain(findings.hidden()).all(|finding| finding.state != FindingState::Open)
            }
            && self.table.validator.moment(self.table.lines).is_some()
    }
}
