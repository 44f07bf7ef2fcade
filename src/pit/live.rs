//! Tables that are heard by the house's broker: one for which a verdict is told there is on the page from then on.
//!
//! Who may speak for a table is the broker's to decide, by its accounts. What is said is believed as long as what a
//! station says of itself, and no longer.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
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

/// More tables than any page shows are somebody's invention.
const MOST: usize = 10_000;
/// News of all tables that wait to be looked at.
const NEWS: usize = 1024;
/// News of one table that wait. What finds no place comes again within a second.
const OF_ONE: usize = 8;

/// Why tables are not heard by the broker.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// The file of the tables that are known cannot be read.
    #[error("`known`: {}: {why}", file.display())]
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
    /// Where its page is, as it was told last.
    page: Option<String>,
}

/// All tables of the floor.
pub(crate) struct Hall {
    broker: Broker,
    subject: String,
    known: PathBuf,
    tables: Arc<watch::Sender<Arc<Tables>>>,
    ears: HashMap<TableId, Ear>,
    /// One a table. They end with this.
    readers: JoinSet<()>,
    is_full: bool,
}

impl Hall {
    /// The tables that were heard once, not heard yet.
    pub(crate) fn open(config: PitLive, tables: Arc<watch::Sender<Arc<Tables>>>) -> Result<Self, LiveError> {
        let PitLive { broker, house, pit, known } = config;
        let subject = TableId::verdicts(house.as_deref(), pit.as_deref())?;
        let BrokerConfig { url, credentials, authority, certificate } = broker;
        let broker = Broker { url, credentials, authority, certificate, domain: None };
        let (ears, readers, is_full) = (HashMap::new(), JoinSet::new(), false);
        let mut hall = Self { broker, subject, known, tables, ears, readers, is_full };
        let is_ours = |table: &TableId| {
            house.as_deref().is_none_or(|house| house == table.house())
                && pit.as_deref().is_none_or(|pit| pit == table.pit())
        };
        for table in read(&hall.known)?.into_iter().filter(is_ours) {
            hall.attend(table);
        }
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
            Heard::Verdict { table, said } => {
                if !self.ears.contains_key(&table) && !self.welcome(&table) {
                    return;
                }
                if let Some(ear) = self.ears.get_mut(&table) {
                    ear.hears(understood(&said));
                }
            }
            Heard::Away(why) => {
                let why = Trouble::no_broker(&why);
                self.ears.values().for_each(|ear| ear.tells(Err(why.clone())));
            }
        }
    }

    /// A table that nobody has heard before is remembered; false where there are too many.
    fn welcome(&mut self, table: &TableId) -> bool {
        if self.ears.len() >= MOST {
            if !self.is_full {
                tracing::error!("more than {MOST} tables are told of: those that come now are not shown");
            }
            self.is_full = true;
            return false;
        }
        if let Err(error) = remember(&self.known, table) {
            tracing::error!(file = %self.known.display(), %error, %table, "the table will not be missed after a start");
        }
        self.attend(table.clone());
        true
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
        self.ears.insert(table, Ear { saying, page: None });
    }
}

impl Ear {
    fn hears(&mut self, said: Result<LiveVerdict, Trouble>) {
        let verdict = said.map(|LiveVerdict { page, verdict }| {
            if page != self.page {
                self.tells(Ok(Said::Page(page.as_deref().and_then(StationAddress::of))));
                self.page = page;
            }
            Said::Verdict(Box::new(verdict))
        });
        self.tells(verdict);
    }

    fn tells(&self, said: Result<Said, Trouble>) {
        // who has not taken the last ones yet gets the next
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

/// The tables of a file, one a line; none where there is no file yet.
fn read(file: &Path) -> Result<Vec<TableId>, LiveError> {
    let text = match fs::read_to_string(file) {
        Err(why) if why.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.map_err(|why| LiveError::Known { file: file.to_owned(), why })?,
    };
    let lines = (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty());
    let table = |(line, text): (usize, &str)| {
        let no_table = |_| LiveError::NoTable { file: file.to_owned(), line, text: text.chars().take(80).collect() };
        text.trim().parse::<TableId>().map_err(no_table)
    };
    let mut tables: Vec<TableId> = lines.map(table).collect::<Result<_, _>>()?;
    tables.sort();
    tables.dedup();
    tables.truncate(MOST);
    Ok(tables)
}

fn remember(file: &Path, table: &TableId) -> io::Result<()> {
    writeln!(OpenOptions::new().create(true).append(true).open(file)?, "{table}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_remembered_once_each_and_what_is_none_is_told_with_its_line() {
        let folder = std::env::temp_dir().join(format!("sabot-known-{}", std::process::id()));
        let _ = fs::remove_file(&folder);
        assert_eq!(read(&folder).unwrap(), [], "there is no file yet");
        let table = |name| TableId::new("casino", "p1", name).unwrap();
        for name in ["B", "A", "B"] {
            remember(&folder, &table(name)).unwrap();
        }
        assert_eq!(read(&folder).unwrap(), [table("A"), table("B")]);
        fs::write(&folder, "casino/p1/A\n\ncasino/p1\n").unwrap();
        let told = read(&folder).unwrap_err().to_string();
        assert!(told.contains(":3: `casino/p1` is no table"), "{told}");
        fs::remove_file(&folder).unwrap();
    }

    #[test]
    fn what_is_no_verdict_or_too_long_is_not_understood() {
        for said in [&b"{"[..], b"{\"page\":null}", &[b' '; events::MOST + 1]] {
            assert!(matches!(understood(said), Err(Trouble::NotUnderstood(_))), "{} bytes", said.len());
        }
    }
}
