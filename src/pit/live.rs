//! Tables that are heard by the house's broker: one for which a verdict is told there is on the page from then on.
//!
//! Who may speak for a table is the broker's to decide, by its accounts. What is said is believed as long as what a
//! station says of itself, and no longer.

use std::collections::{BTreeSet, HashMap};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;

use sabot_floor::broker::Broker;
use sabot_floor::subjects::{BadName, TableId};
use sabot_floor::verdicts::{Heard, hear};
use sabot_law::table::Name;
use sabot_station::config::broker::BrokerConfig;
use sabot_station::config::pit::{PitLive, StationAddress};
use sabot_station::console::brief::{Brief, LiveVerdict};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use crate::events;
use crate::reader::believe;
use crate::tables::{Tables, View, now_ms};
use crate::trouble::Trouble;
use crate::verdicts::{Said, believed};

/// More tables than a page shows in one place are somebody's invention.
const MOST: usize = 2_000;
/// News of all tables that wait to be looked at.
const NEWS: usize = 1024;
/// News of one table that wait. What finds no place comes again within a second.
const OF_ONE: usize = 1;

/// Why tables are not heard by the broker.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// The file of the tables that are known cannot be read, or written to.
    #[error("`known`: {}: {why} (name a file that this program may write)", file.display())]
    Known {
        /// Which.
        file: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// It holds what is no table.
    #[error("`known`: {}:{line}: `{text}` is no table: write HOUSE/PIT/TABLE, or remove the line", file.display())]
    NoTable {
        /// Which.
        file: PathBuf,
        /// On which line, from 1.
        line: usize,
        /// What stands there.
        text: String,
    },
    /// A name cannot stand in a subject.
    #[error("`live`: {0}")]
    Name(#[from] BadName),
}

/// A table that is heard.
struct Ear {
    saying: mpsc::Sender<Result<Said, Trouble>>,
    /// How the first who spoke for it calls it: another name is another station's.
    name: Option<Name>,
}

/// All tables of the floor.
pub(crate) struct Hall {
    broker: Broker,
    subject: String,
    known: Known,
    tables: Arc<watch::Sender<Arc<Tables>>>,
    ears: HashMap<TableId, Ear>,
    /// One a table. They end with this.
    readers: JoinSet<()>,
    /// Why the broker tells of nobody.
    deaf: Option<Trouble>,
    is_full: bool,
}

impl Hall {
    /// The tables that were heard once, not heard yet.
    pub(crate) fn open(config: PitLive, tables: Arc<watch::Sender<Arc<Tables>>>) -> Result<Self, LiveError> {
        let PitLive { broker, house, pit, known } = config;
        let subject = TableId::verdicts(house.as_deref(), pit.as_deref())?;
        let BrokerConfig { url, credentials, authority, certificate } = broker;
        let broker = Broker { url, credentials, authority, certificate, domain: None };
        let is_ours = |table: &TableId| {
            house.as_deref().is_none_or(|house| house == table.house())
                && pit.as_deref().is_none_or(|pit| pit == table.pit())
        };
        let (known, before) = Known::open(known)?;
        let (ears, readers) = (HashMap::new(), JoinSet::new());
        let (deaf, is_full) = (Some(Trouble::NoBroker), false);
        let mut hall = Self { broker, subject, known, tables, ears, readers, deaf, is_full };
        for table in before.into_iter().filter(is_ours) {
            if !hall.has_room() {
                break;
            }
            hall.attend(table);
        }
        hall.tell_troubles();
        Ok(hall)
    }

    /// Never ends by itself.
    pub(crate) async fn listen(mut self) {
        let (telling, mut told) = mpsc::channel(NEWS);
        let hears = hear(self.broker.clone(), self.subject.clone(), telling);
        let takes = async {
            while let Some(heard) = told.recv().await {
                self.take(heard);
            }
        };
        tokio::join!(hears, takes);
    }

    fn take(&mut self, heard: Heard) {
        match heard {
            Heard::Verdict { table, said } => self.verdict(table, &said),
            Heard::Here => self.hears(None),
            Heard::Away => self.hears(Some(Trouble::NoBroker)),
            Heard::Refused => self.hears(Some(Trouble::BrokerRefuses)),
        }
    }

    /// Why nobody is heard from now on; whoever is silent though the broker is there is silent himself.
    fn hears(&mut self, deaf: Option<Trouble>) {
        let why = deaf.clone().unwrap_or(Trouble::Silent);
        self.ears.values().for_each(|ear| ear.tells(Err(why.clone())));
        self.deaf = deaf;
        self.tell_troubles();
    }

    fn verdict(&mut self, table: TableId, said: &[u8]) {
        let said = understood(said);
        if !self.ears.contains_key(&table) {
            // only who says what can be shown is a table
            if said.is_err() || !self.has_room() {
                return;
            }
            if let Err(error) = self.known.add(&table) {
                tracing::error!(%error, %table, "the table will not be missed after a start");
            }
            self.attend(table.clone());
        }
        if let Some(ear) = self.ears.get_mut(&table) {
            ear.hears(said);
        }
    }

    fn has_room(&mut self) -> bool {
        let has_room = self.ears.len() < MOST;
        if !has_room && !self.is_full {
            tracing::error!("more than {MOST} tables are told of: the others are not shown");
            self.is_full = true;
            self.tell_troubles();
        }
        has_room
    }

    fn tell_troubles(&self) {
        let full = self.is_full.then_some(Trouble::TooMany(MOST));
        let troubles: Vec<Trouble> = self.deaf.clone().into_iter().chain(full).collect();
        self.tables
            .send_if_modified(|tables| tables.troubled(troubles).map(|changed| *tables = Arc::new(changed)).is_some());
    }

    fn attend(&mut self, table: TableId) {
        let (saying, heard) = mpsc::channel(OF_ONE);
        let name = Name::from(table.table());
        let of = (Name::from(table.house()), Name::from(table.pit()));
        let view = View::unheard(name, Some(of), now_ms());
        let full_name = view.full_name();
        let mut index = 0;
        self.tables.send_modify(|tables| {
            let (more, at) = tables.and(view);
            (*tables, index) = (Arc::new(more), at);
        });
        let tables = Arc::clone(&self.tables);
        self.readers.spawn(async move { believe(heard, &full_name, index, &tables).await });
        self.ears.insert(table, Ear { saying, name: None });
    }
}

impl Ear {
    fn hears(&mut self, said: Result<LiveVerdict, Trouble>) {
        let said = said.and_then(|said| self.own(said));
        self.tells(said);
    }

    /// What the station of this table says; what another one says under its name is another table's.
    fn own(&mut self, LiveVerdict { page, verdict }: LiveVerdict) -> Result<Said, Trouble> {
        let name = self.name.get_or_insert_with(|| verdict.table.clone());
        if *name != verdict.table {
            return Err(Trouble::other_table(&verdict.table));
        }
        let page = page.as_deref().and_then(StationAddress::of).filter(StationAddress::is_private);
        Ok(Said::OnFloor(Box::new(verdict), page))
    }

    fn tells(&self, said: Result<Said, Trouble>) {
        if self.saying.try_send(said).is_err() {
            tracing::debug!("a table's news come faster than they are taken");
        }
    }
}

/// A verdict that can be shown.
fn understood(said: &[u8]) -> Result<LiveVerdict, Trouble> {
    if said.len() > events::MOST {
        return Err(Trouble::not_understood(&format!("more than {} bytes", events::MOST)));
    }
    let LiveVerdict { page, verdict } =
        serde_json::from_slice(said).map_err(|error| Trouble::not_understood(&error.to_string()))?;
    let verdict: Brief = believed(verdict, None)?;
    Ok(LiveVerdict { page, verdict })
}

/// The file of the tables that were heard once: HOUSE/PIT/TABLE a line.
struct Known(File);

impl Known {
    /// Opens it, or makes it; and what it holds. A last line without an end was cut off while it was written, and is
    /// taken off.
    fn open(file: PathBuf) -> Result<(Self, BTreeSet<TableId>), LiveError> {
        let refused = |why| LiveError::Known { file: file.clone(), why };
        let mut known = OpenOptions::new().create(true).read(true).append(true).open(&file).map_err(refused)?;
        let mut text = String::new();
        known.read_to_string(&mut text).map_err(refused)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let (whole, torn) = text.split_at(whole);
        if !torn.is_empty() {
            tracing::warn!(file = %file.display(), torn, "the last line was cut off, and is left out");
            known.set_len(whole.len() as u64).map_err(refused)?;
        }
        let lines = (1..).zip(whole.lines()).filter(|(_, text)| !text.trim().is_empty());
        let table = |(line, text): (usize, &str)| {
            let no_table = |_| LiveError::NoTable { file: file.clone(), line, text: text.chars().take(80).collect() };
            text.trim().parse::<TableId>().map_err(no_table)
        };
        let tables = lines.map(table).collect::<Result<_, _>>()?;
        Ok((Self(known), tables))
    }

    fn add(&mut self, table: &TableId) -> io::Result<()> {
        // in one piece, so that two programs on one file do not mix
        self.0.write_all(format!("{table}\n").as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_remembered_once_each_a_torn_line_is_left_out_and_what_is_none_is_told_with_its_line() {
        let folder = std::env::temp_dir().join(format!("sabot-known-{}", std::process::id()));
        let opened = || Known::open(folder.clone());
        let table = |name| TableId::new("casino", "p1", name).unwrap();
        let (mut known, before) = opened().unwrap();
        assert!(before.is_empty(), "there was no file yet");
        for name in ["B", "A", "B"] {
            known.add(&table(name)).unwrap();
        }
        known.0.write_all(b"casino/p1/").unwrap();
        let (mut known, before) = opened().unwrap();
        assert_eq!(before, BTreeSet::from([table("A"), table("B")]));
        known.add(&table("C")).unwrap();
        assert_eq!(opened().unwrap().1.len(), 3, "what was cut off spoils no line after it");
        known.0.write_all(b"\ncasino/p1\n").unwrap();
        let told = opened().err().unwrap().to_string();
        assert!(told.contains(":6: `casino/p1` is no table"), "{told}");
        std::fs::remove_file(&folder).unwrap();
    }

    #[test]
    fn what_is_no_verdict_or_too_long_is_not_understood() {
        let verdict = serde_json::json!({
            "table": "A", "regulation": "sala-8", "line": 1, "pass": 1, "phase": "play", "face": "clear",
            "says": { "es": "a", "en": "b" }, "stop": false, "unseen": [], "due": null, "open": 0, "alarm": null,
        });
        let whole = serde_json::json!({ "page": null, "verdict": verdict }).to_string();
        let padded = |length: usize| format!("{whole:<length$}");
        assert!(understood(padded(events::MOST).as_bytes()).is_ok());
        for said in ["{", "{\"page\":null}", &padded(events::MOST + 1)] {
            assert!(matches!(understood(said.as_bytes()), Err(Trouble::NotUnderstood(_))), "{} bytes", said.len());
        }
    }
}
