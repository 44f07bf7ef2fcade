//! The table's devices as witnesses of its record: each keeps the last checkpoint that it was shown, and that of the
//! record before. It is asked for them when it comes, and is shown the next one only where the record bears them out.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sabot_drivers::{Link, LinkReport};
use sabot_journal::acknowledged::{Kept, Word};
use sabot_wire::message::Role;
use sabot_wire::witness::{Checkpoint, Keeps};
use tokio::sync::{mpsc, watch};

use super::config::Config;

/// How often it is looked whether more of the record is signed.
const LOOK: Duration = Duration::from_secs(1);
/// Of these, the most that pass before a record that could not be read is tried again.
const MOST_LOOKS: u32 = 64;

/// What a device has to do with that.
#[derive(Debug)]
enum Heard {
    /// It is in session: it is asked what it keeps.
    Here,
    /// It keeps this.
    Keeps(Keeps),
}

/// What the record is told of a device: a status, and its detail.
pub(super) type Told = (Role, &'static str, String);

/// Who hears what devices keep, and tells what the record says to it.
#[derive(Debug)]
pub(super) struct Witnessing {
    heard: mpsc::UnboundedSender<(Role, Heard)>,
    told: Option<mpsc::UnboundedReceiver<Told>>,
}

impl Witnessing {
    /// Of the devices of a table, where its record is signed, until the station stops.
    pub(super) fn of(config: &Config, links: &[(Role, Link)], shutdown: &watch::Receiver<bool>) -> Option<Self> {
        let _signed = config.journal_key.as_ref()?;
        Some(Self::spawn(config.journal.clone(), links.to_vec(), shutdown.clone()))
    }

    fn spawn(record: PathBuf, links: Vec<(Role, Link)>, mut shutdown: watch::Receiver<bool>) -> Self {
        let (heard, mut hears) = mpsc::unbounded_channel();
        let (tells, told) = mpsc::unbounded_channel();
        let (agreed, unread, told_of) = (BTreeSet::new(), BTreeSet::new(), BTreeMap::new());
        let mut witnesses =
            Witnesses { record, links, agreed, shown: None, told: told_of, unread, pause: 0, looks: 0, tells };
        tokio::spawn(async move {
            let mut looking = tokio::time::interval(LOOK);
            loop {
                tokio::select! {
                    heard = hears.recv() => match heard {
                        Some((role, Heard::Here)) => witnesses.asks(role),
                        Some((role, Heard::Keeps(kept))) => witnesses.compares(role, kept).await,
                        None => return,
                    },
                    _ = looking.tick() => {
                        witnesses.asks_again();
                        witnesses.shows().await;
                    }
                    () = async { drop(shutdown.wait_for(|stop| *stop).await) } => return,
                }
            }
        });
        Self { heard, told: Some(told) }
    }

    /// Takes what a link reports.
    pub(super) fn hears(&self, role: Role, report: &LinkReport) {
        let heard = match report {
            LinkReport::Online { .. } => Heard::Here,
            LinkReport::Keeps(kept) => Heard::Keeps(*kept),
            _ => return,
        };
        let _ = self.heard.send((role, heard));
    }

    /// What the record is to be told.
    pub(super) fn told(&mut self) -> Option<mpsc::UnboundedReceiver<Told>> {
        self.told.take()
    }
}

#[derive(Debug)]
struct Witnesses {
    record: PathBuf,
    links: Vec<(Role, Link)>,
    /// Devices whose checkpoint the record bears out, or that keep none: they are shown the next.
    agreed: BTreeSet<Role>,
    /// The last one that they were shown.
    shown: Option<Kept>,
    /// What was told already of what each keeps.
    told: BTreeMap<Role, Kept>,
    /// Those to be asked again: the record could not be read.
    unread: BTreeSet<Role>,
    /// How many looks pass before they are, the last time and this time.
    pause: u32,
    looks: u32,
    tells: mpsc::UnboundedSender<Told>,
}

impl Witnesses {
    fn link(&self, role: Role) -> Option<&Link> {
        self.links.iter().find(|(of, _)| *of == role).map(|(_, link)| link)
    }

    fn asks(&mut self, role: Role) {
        self.agreed.remove(&role);
        self.link(role).into_iter().for_each(|link| link.witness(None));
    }

    /// Asks those once more for whom the record could not be read, each time after twice as long.
    fn asks_again(&mut self) {
        self.looks = self.looks.saturating_sub(1);
        if self.looks == 0 {
            std::mem::take(&mut self.unread).into_iter().for_each(|role| self.asks(role));
        }
    }

    fn waits(&mut self) {
        if self.looks == 0 {
            self.pause = (self.pause * 2).clamp(1, MOST_LOOKS);
            self.looks = self.pause;
        }
    }

    /// A device that keeps another record than this, or more of it, keeps that: it is shown nothing further.
    async fn compares(&mut self, role: Role, kept: Keeps) {
        if self.agreed.contains(&role) {
            return;
        }
        let record = self.record.clone();
        let word = tokio::task::spawn_blocking(move || said_to(kept, &record)).await;
        let (status, word, kept) = match word {
            Ok(Ok((word @ Word::BorneOut, kept))) => (None, word, kept),
            Ok(Ok((word @ Word::Other, kept))) => (Some("checkpoint_other"), word, kept),
            Ok(Ok((word @ Word::Unread { .. }, kept))) => (Some("checkpoint_unread"), word, kept),
            Ok(Ok((word, kept))) => (Some("checkpoint_back"), word, kept),
            Ok(Err(why)) => {
                tracing::warn!(%role, %why, "the record cannot be held against what the device keeps of it");
                self.unread.insert(role);
                self.waits();
                return;
            }
            Err(_) => return,
        };
        self.pause = 0;
        // once a start: a cable that is pulled makes no new finding of it
        if let Some((status, kept)) = status.zip(kept)
            && self.told.insert(role, kept) != Some(kept)
        {
            tracing::warn!(%role, status, "{word}");
            let _ = self.tells.send((role, status, word.to_string()));
        }
        if status != Some("checkpoint_back") {
            self.agreed.insert(role);
            self.shown = None;
            self.shows().await;
        }
    }

    /// Shows what is signed, where that is news.
    async fn shows(&mut self) {
        if self.agreed.is_empty() {
            return;
        }
        let record = self.record.clone();
        let Ok(Ok(Some(last))) = tokio::task::spawn_blocking(move || Kept::last_of(&record)).await else { return };
        if self.shown == Some(last) {
            return;
        }
        self.shown = Some(last);
        tracing::debug!(lines = last.lines, "a checkpoint is shown");
        let Kept { record, lines, root } = last;
        for link in self.agreed.iter().filter_map(|role| self.link(*role)) {
            link.witness(Some(Checkpoint { record, lines, root }));
        }
    }
}

/// What a record says to what a device keeps, and of which of both.
///
/// # Errors
/// When the record cannot be read.
pub fn said_to(keeps: Keeps, record: &Path) -> io::Result<(Word, Option<Kept>)> {
    let read = |Checkpoint { record, lines, root }| Kept { record, lines, root };
    Kept::both_against(keeps.last.map(read), keeps.before.map(read), record)
}
