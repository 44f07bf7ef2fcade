//! Tables with real records, their uplinks, and sinks.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sabot_floor::broker::Broker;
use sabot_floor::sink::{self, SinkConfig};
use sabot_floor::store::Store;
use sabot_floor::store::sqlite::Sqlite;
use sabot_floor::subjects::TableId;
use sabot_floor::uplink::{Settings, Uplink};
use sabot_journal::note::{PrivateKey, PublicKey, Purpose};
use sabot_journal::{After, Journal, Reader, Record, With, days, open_with, packed, verify};
use sabot_law::table::{Event, Header, LineNo, line};
use tempfile::TempDir;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::engines::PATIENCE;

pub(crate) fn header(table: &str) -> Header {
    let text = format!(
        r#"{{"ev":"table","v":2,"table":"{table}","regulation":"sala-8","boxes":7,"limits":{{"min":100,"max":1000}},"observes":[]}}"#
    );
    line::header(text.as_bytes()).unwrap()
}

/// What a record has told is nothing to the floor.
struct Unread;

impl Reader for Unread {
    fn restore(&mut self, _: &str) -> bool {
        false
    }

    fn take(&mut self, _: LineNo, _: u64, _: &Event) {}
}

/// A station's record and its keys.
pub(crate) struct Station {
    pub(crate) folder: TempDir,
    pub(crate) id: TableId,
    journal: Option<Journal>,
    told: u64,
    /// How far its clock is ahead.
    ahead_ms: u64,
}

impl Station {
    pub(crate) fn new(table: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let name = format!("casino.example/{table}");
        PrivateKey::create(&folder.path().join("key"), &name, Purpose::Station).unwrap();
        let id = TableId::new("casino", "p1", table).unwrap();
        let mut station = Self { folder, id, journal: None, told: 0, ahead_ms: 0 };
        station.open();
        station
    }

    /// Another machine with a copy of all that this one has.
    pub(crate) fn copy(&mut self) -> Self {
        self.close();
        let folder = TempDir::new().unwrap();
        for entry in fs::read_dir(self.folder.path()).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
        }
        let mut copy = Self { folder, id: self.id.clone(), journal: None, told: self.told, ahead_ms: self.ahead_ms };
        self.open();
        copy.open();
        copy
    }

    fn key(&self) -> PrivateKey {
        PrivateKey::load(&self.folder.path().join("key"), Purpose::Station).unwrap()
    }

    pub(crate) fn record(&self) -> PathBuf {
        self.folder.path().join("t.jsonl")
    }

    pub(crate) fn open(&mut self) {
        // a clock that days were made to pass on is ahead of the wall's
        let with = With { key: Some(self.key()), accept_clock: self.ahead_ms > 0, ..With::default() };
        let opened = open_with(&self.record(), &header(self.id.table()), with, &mut Unread);
        self.journal = Some(opened.unwrap().0);
    }

    pub(crate) fn close(&mut self) {
        if let Some(journal) = self.journal.take() {
            assert!(journal.close().fault.is_none());
        }
    }

    /// So many lines more, the last of which ends a pass.
    pub(crate) fn deal(&mut self, lines: u64, what: &str) {
        let journal = self.journal.as_mut().unwrap();
        for line in 1..=lines {
            self.told += 1;
            let (device, detail) = ("shoe".into(), Some(format!("{what} {}", self.told).into()));
            let event = if line == lines {
                Event::End {}
            } else {
                Event::Device { device, status: "online".into(), detail, complete: false }
            };
            journal.append(Record::of(event, self.ahead_ms + self.told));
        }
    }

    /// Its lines so far, with the header; of the first gaming day.
    pub(crate) fn dealt(&self) -> u64 {
        self.told + 1
    }

    pub(crate) fn hours_pass(&mut self, hours: u64) {
        self.ahead_ms += hours * 3_600_000;
    }

    /// The gaming day is over.
    pub(crate) fn close_day(&mut self) {
        self.close();
        let whole = verify(packed::read(&self.record()).unwrap(), |_, _| ControlFlow::Continue(())).unwrap();
        let after = After { lines: whole.lines, chain: whole.chain, last: BTreeMap::new() };
        let began = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
        let header = header(self.id.table());
        days::close(&self.record(), &header, &after, self.ahead_ms + u64::try_from(began).unwrap()).unwrap();
        days::closed(&self.record()).unwrap().iter().for_each(|day| assert!(days::pack(day).is_ok()));
        self.open();
    }

    pub(crate) fn uplink(&self, broker: &str, sink: &PublicKey) -> Uplink {
        let broker = Broker { url: broker.to_owned(), ..Broker::default() };
        let settings = Settings { table: self.id.clone(), record: self.record(), broker, sinks: vec![sink.clone()] };
        Uplink::start(settings).unwrap()
    }

    /// All its lines, day after day.
    pub(crate) fn lines(&self) -> Vec<Vec<String>> {
        let records = days::closed(&self.record()).unwrap().into_iter().chain([self.record()]);
        let read = |path: PathBuf| {
            let lines = std::io::BufRead::lines(sabot_journal::packed::read(&path).unwrap());
            lines.collect::<Result<Vec<_>, _>>().unwrap()
        };
        records.map(read).collect()
    }
}

/// Who keeps the floor's records.
pub(crate) struct House {
    pub(crate) folder: TempDir,
    pub(crate) key: PublicKey,
    pub(crate) config: SinkConfig,
}

impl House {
    pub(crate) fn new(broker: &str, stations: &[&Station]) -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("sink.key");
        let key = PrivateKey::create(&path, "casino.example/sink", Purpose::Witness).unwrap().public().clone();
        let mut text = format!("broker = \"{broker}\"\nkey = \"sink.key\"\n[tables]\n");
        for station in stations {
            writeln!(text, "\"{}\" = [\"{}\"]", station.id, station.key().public()).unwrap();
        }
        let path = folder.path().join("sink.toml");
        fs::write(&path, text).unwrap();
        let config = SinkConfig::load(&path).unwrap();
        Self { folder, key, config }
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.folder.path().join("floor.sqlite")
    }

    pub(crate) fn sqlite(&self) -> Sqlite {
        Sqlite::open(&self.file()).unwrap()
    }

    /// A sink, which ends where it stands when it is aborted.
    pub(crate) fn sink<S: Store + 'static>(
        &self,
        open: impl AsyncFn() -> Result<S, sabot_floor::store::StoreError> + 'static,
    ) -> JoinHandle<()> {
        let config = self.config.clone();
        let key = PrivateKey::load(&config.key, Purpose::Witness).unwrap();
        tokio::task::spawn_local(async move {
            let (_stop, stopped) = watch::channel(false);
            sink::run(&config, &key, open, stopped).await;
        })
    }

    pub(crate) fn sqlite_sink(&self) -> JoinHandle<()> {
        let file = self.file();
        self.sink(async move || Sqlite::open(&file))
    }
}

/// What a store has of a table, record after record.
pub(crate) async fn kept(store: &mut impl Store, table: &TableId) -> Vec<Vec<String>> {
    let mut kept = Vec::new();
    for (of, head) in store.records().await.unwrap() {
        if of == *table {
            kept.push(store.lines(table, head.epoch, 1..=u64::MAX >> 1).await.unwrap());
        }
    }
    kept
}

/// Waits until the store has every line of the stations, once, and every checkpoint up to the last line.
pub(crate) async fn all_is_kept(store: &mut impl Store, stations: &[&Station]) {
    let began = tokio::time::Instant::now();
    let patience = PATIENCE + Duration::from_millis(200) * u32::try_from(stations.len()).unwrap();
    let wanted: Vec<Vec<Vec<String>>> = stations.iter().map(|station| station.lines()).collect();
    let length = |records: &[Vec<String>]| records.iter().map(Vec::len).sum::<usize>() as u64;
    let lines: u64 = wanted.iter().map(|records| length(records)).sum();
    loop {
        let records = store.records().await.unwrap();
        let mut is_so = records.iter().map(|(_, head)| head.lines).sum::<u64>() >= lines
            && records.iter().all(|(_, head)| head.signed == head.lines);
        for (station, wanted) in stations.iter().zip(&wanted) {
            is_so = is_so && kept(store, &station.id).await == *wanted;
        }
        if is_so {
            return;
        }
        if began.elapsed() > patience {
            for (station, wanted) in stations.iter().zip(&wanted) {
                let kept = kept(store, &station.id).await;
                eprintln!("{}: {} lines kept of {}", station.id, length(&kept), length(wanted));
            }
            panic!("{records:?} {:?}", store.refusals().await.unwrap());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
