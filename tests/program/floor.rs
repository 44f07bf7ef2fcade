//! The floor as a house has it: a station with an uplink, a broker, a sink that is killed, and what it kept.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use sabot_stall_guard::PATIENCE;
use serde_json::Value;
use tempfile::TempDir;

use crate::history::History;
use crate::process::{Ended, Process, dealt, run, sabot, station};

pub(crate) struct House {
    pub(crate) folder: TempDir,
    pub(crate) port: u16,
}

impl House {
    pub(crate) fn new() -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let house = Self { folder: tempfile::tempdir().unwrap(), port };
        let vkey = house.sabot(&["journal", "key", "key", "--name", "casino.example/BJ-07"]).out;
        let sink = format!(
            "broker = \"nats://127.0.0.1:{port}\"\nkey = \"sink.key\"\n[tables]\n\"casino/p1/BJ-07\" = [\"{}\"]\n",
            vkey.trim()
        );
        fs::write(house.path("sink.toml"), sink).unwrap();
        let sink = house.sabot(&["sink", "--config", "sink.toml", "--name", "casino.example/sink"]);
        assert_eq!(sink.status, 0, "{}", sink.err);
        fs::write(house.path("sink.vkey"), sink.out).unwrap();
        fs::write(house.path("station.vkey"), vkey).unwrap();
        let station = format!(
            "table = \"BJ-07\"\nregulation = \"sala-8\"\nlimits = {{ min = 1000, max = 100000 }}\n\
             listen = \"127.0.0.1:0\"\njournal = \"record\"\njournal_key = \"key\"\n\
             [uplink]\nbroker = \"nats://127.0.0.1:{port}\"\nhouse = \"casino\"\npit = \"p1\"\nsinks = [\"sink.vkey\"]\n\
             [[device]]\nrole = \"shoe\"\nport = \"shoe\"\n"
        );
        fs::write(house.path("station.toml"), station).unwrap();
        house
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn sabot(&self, args: &[&str]) -> Ended {
        run(sabot(args).current_dir(self.folder.path()))
    }

    pub(crate) fn broker(&self) -> Process {
        let mut command = Command::new("nats-server");
        command.args(["-js", "-a", "127.0.0.1", "-p", &self.port.to_string(), "-sd"]).arg(self.path("store"));
        let broker = Process::start(command.stdout(Stdio::null()).stderr(Stdio::null()));
        until("the broker", || TcpStream::connect(("127.0.0.1", self.port)).is_ok());
        broker
    }

    fn sink(&self) -> Process {
        let log = fs::File::options().append(true).create(true).open(self.path("sink.log")).unwrap();
        let mut command = sabot(["sink", "--config", "sink.toml", "--sqlite", "floor.sqlite"]);
        let mut sink = Process::start(command.current_dir(self.folder.path()).stdout(Stdio::piped()).stderr(log));
        assert_eq!(sink.lines().next().as_deref(), Some("sink casino.example/sink: 1 tables"));
        sink
    }

    /// Waits until all of the record is kept and signed.
    pub(crate) fn is_kept(&self) {
        until("what the sink keeps", || {
            let lines = fs::read_to_string(self.path("record")).unwrap_or_default().lines().count();
            let kept = format!(": {lines} lines, {lines} of them signed");
            lines > 0 && self.status().trim().ends_with(&kept)
        });
    }

    fn status(&self) -> String {
        let status = self.sabot(&["sink", "--config", "sink.toml", "--sqlite", "floor.sqlite", "--status"]);
        assert_eq!(status.status, 0, "{}", status.err);
        status.out
    }
}

fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = SystemTime::now();
    while !is_so() {
        assert!(began.elapsed().unwrap() < PATIENCE, "{what} never came");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

#[test]
#[ignore = "needs nats-server"]
fn a_record_is_kept_elsewhere_whoever_was_away_and_the_sink_is_its_witness() {
    let house = House::new();
    // the table is opened before anybody listens
    let (mut first, _) = station(&house.path("station.toml"), "warn");
    until("the record", || house.path("record").exists());
    first.signal("-TERM");
    assert!(first.ends().success());
    let _broker = house.broker();
    let mut sink = house.sink();
    let mut reader = Command::new("python3");
    reader.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples/floor.py"));
    reader.args([&format!("127.0.0.1:{}", house.port), "sabot.casino.*.*.line"]).stdout(Stdio::piped());
    let mut reader = Process::start(&mut reader);
    let mut read = reader.lines();
    assert_eq!(read.next().as_deref(), Some("listening"));
    let (mut second, _) = station(&house.path("station.toml"), "warn");
    let first: Vec<String> = read.by_ref().take(2).collect();
    assert_eq!(first, ["casino/p1/BJ-07 1 table", "casino/p1/BJ-07 2 device"], "programs of the house read along");
    until("the first lines", || house.status().contains("lines"));
    sink.kill();
    let _sink = house.sink();
    second.signal("-TERM");
    assert!(second.ends().success(), "{}", fs::read_to_string(house.path("log")).unwrap());
    // what was not signed for when the station stopped is shipped at its next start
    let (mut third, _) = station(&house.path("station.toml"), "warn");
    until("the third start", || fs::read_to_string(house.path("record")).unwrap().matches("\"start\"").count() == 3);
    third.signal("-TERM");
    assert!(third.ends().success());
    house.is_kept();
    let more: Vec<String> = read.take(2).collect();
    assert!(more.iter().all(|line| line.starts_with("casino/p1/BJ-07 ") || line.starts_with("  ")), "{more:?}");
    let verified = house.sabot(&["journal", "verify", "record", "--key", "station.vkey", "--witness", "sink.vkey"]);
    assert_eq!(verified.status, 0, "{}{}", verified.out, verified.err);
}

#[test]
#[ignore = "needs nats-server"]
fn an_evening_of_many_tables_is_played_to_its_last_receipt_and_read_again() {
    let house = House::new();
    let _broker = house.broker();
    let url = format!("nats://127.0.0.1:{}", house.port);
    let evening = ["simulate-floor", "--broker", &url, "--sqlite", "floor.sqlite", "--tables", "20", "--sinks", "2"];
    let played = house.sabot(&[&evening[..], &["--speed", "max"]].concat());
    assert_eq!(played.status, 0, "{}{}", played.out, played.err);
    let (said, done) = (played.out.lines().next().unwrap(), " lines signed for in ");
    let lines = said.strip_prefix("20 tables, ").and_then(|rest| rest.strip_suffix(" lines, 2 sinks")).unwrap();
    assert!(played.out.contains(&format!(": {lines}{done}")), "{}", played.out);
    assert!(played.out.contains(" of the bare broker") && played.out.contains("p99"), "{}", played.out);
    // every line is kept; each record is signed to its last pass
    let status = house.status();
    assert_eq!(status.lines().count(), 20, "{status}");
    assert!(!status.contains("refused") && !status.contains(", 0 of them"), "{status}");
    let kept: u64 = status.lines().map(|line| line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(kept.to_string(), lines);
    let audit = house.sabot(&["audit", "--sqlite", "floor.sqlite", "--jobs", "2"]);
    assert_eq!((audit.status, audit.err.as_str()), (0, ""));
    assert_eq!(audit.out.lines().last().unwrap(), format!("20 records of 20 tables, {} lines in that time", kept - 20));
    // and counted and read by the pass, in a browser's words
    let history = History::of("sqlite = \"floor.sqlite\"", house.folder.path());
    let report = history.page("/report?lang=en");
    assert!(report.contains("<td>Tables</td><td>20</td>") && report.contains("Passes by hour"), "{report}");
    let name = status.split(':').next().unwrap();
    let (table, epoch) = name.rsplit_once('/').unwrap();
    let pass = history.page(&format!("/pass?lang=en&table={table}&epoch={epoch}&line=2"));
    assert!(pass.contains("no more bets") && pass.contains("Pass after"), "{pass}");
    is_shared(&house, &url, &audit.out);
}

/// An audit is shared by whoever asks the same, one that is killed among them, and each tells all of it.
fn is_shared(house: &House, broker: &str, alone: &str) {
    let of = ["audit", "--sqlite", "floor.sqlite", "--jobs", "1", "--broker", broker];
    let ask = |more: &[&str]| {
        let mut command = sabot([&of[..], more].concat());
        command.current_dir(house.folder.path()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    };
    let mut killed = Process::start(&mut ask(&["--queue", "year"]));
    // wherever it is by then
    std::thread::sleep(std::time::Duration::from_secs(2));
    killed.kill();
    let mut together = Process::start(&mut ask(&["--queue", "year", "--out", "together.parquet"]));
    let told = run(&mut ask(&["--queue", "year"]));
    assert_eq!((told.status, told.out.as_str()), (0, alone), "{}", told.err);
    let said: Vec<String> = together.lines().collect();
    assert_eq!(said, alone.lines().collect::<Vec<_>>());
    assert!(together.ends().success());
    assert!(fs::read(house.path("together.parquet")).unwrap().ends_with(b"PAR1"));
    let later = run(&mut ask(&["--queue", "year"]));
    assert_eq!((later.status, later.out.as_str()), (0, alone), "what is done stays done: {}", later.err);
    let other = run(&mut ask(&["--queue", "year", "--lang", "en"]));
    assert!(other.status == 2 && other.err.contains("for another question"), "{}", other.err);
    let unnamed = run(&mut ask(&["--queue", "a.b"]));
    assert!(unnamed.status == 2 && unnamed.err.contains("names no queue"), "{}", unnamed.err);
}

#[test]
fn a_mistake_in_the_configuration_of_the_floor_is_told_with_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(at("s.toml"), "broker = \"nats://127.0.0.1:9\"\nkey = \"sink.key\"\n").unwrap();
    let nowhere = run(&mut sabot(["sink", "--config", &at("s.toml")]));
    assert!(nowhere.status == 2 && nowhere.err.contains("--sqlite FILE"), "{}", nowhere.err);
    let no_key = run(&mut sabot(["sink", "--config", &at("s.toml"), "--sqlite", &at("f")]));
    assert!(no_key.status == 1 && no_key.err.contains("--name"), "{}", no_key.err);
    fs::write(at("s.toml"), "brokr = 1\n").unwrap();
    let wrong = run(&mut sabot(["sink", "--config", &at("s.toml")]));
    assert!(wrong.status == 2 && wrong.err.contains("docs/sink.toml"), "{}", wrong.err);
    fs::write(at("k"), "no key").unwrap();
    let table = "table = \"T\"\nregulation = \"sala-8\"\nlimits = { min = 1, max = 9 }\nlisten = \"127.0.0.1:0\"\n\
                 journal = \"record\"\n[uplink]\nbroker = \"nats://127.0.0.1:9\"\nhouse = \"h\"\npit = \"p\"\nsinks = [\"k\"]\n\
                 [[device]]\nrole = \"shoe\"\nport = \"shoe\"\n";
    fs::write(at("t.toml"), table).unwrap();
    let refused = run(&mut sabot(["run", "--config", &at("t.toml")]));
    assert!(
        refused.status == 1 && refused.err.contains("`[uplink]`") && refused.err.contains("no key"),
        "{}",
        refused.err
    );
}

#[test]
fn what_is_documented_of_the_subjects_holds_every_line_of_a_record() {
    let folder = tempfile::tempdir().unwrap();
    dealt(folder.path(), &["--passes", "3", "--irregularity", "C7"]);
    let text = include_str!("../../docs/floor-asyncapi.json");
    let documented: Value = serde_json::from_str(text).unwrap();
    let schema = |name: &str| {
        let reference = format!("#/components/schemas/{name}");
        jsonschema::validator_for(&serde_json::json!({ "$ref": reference, "components": documented["components"] }))
    };
    let (line, headers) = (schema("line").unwrap(), schema("headers").unwrap());
    let record = fs::read_to_string(folder.path().join("record")).unwrap();
    assert!(record.lines().count() > 100 && record.contains("\"out\":\"finding\""));
    for text in record.lines() {
        line.validate(&serde_json::from_str(text).unwrap()).unwrap_or_else(|why| panic!("{why}: {text}"));
    }
    let unchained = serde_json::json!({ "ev": "end", "t": 4 });
    assert!(!line.is_valid(&unchained));
    // and every bookmark that the example makes of it
    let bookmark = schema("bookmark").unwrap();
    let python = "import json, sys; sys.path.insert(0, sys.argv[1]); from bookmarks import bookmark, findings\n\
                  for text in open(sys.argv[2]):\n line = json.loads(text)\n for finding in findings(line):\n  \
                  print(json.dumps(bookmark('casino', 'p1', 'BJ-07', 1795493375749, line, finding, 30000, 15000)))";
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples");
    let mut made = Command::new("python3");
    let made = run(made.args(["-B", "-c", python]).arg(examples).arg(folder.path().join("record")));
    assert!(made.status == 0 && made.out.lines().count() > 0, "{}", made.err);
    for text in made.out.lines() {
        let made: Value = serde_json::from_str(text).unwrap();
        bookmark.validate(&made).unwrap_or_else(|why| panic!("{why}: {text}"));
    }
    assert!(!bookmark.is_valid(&serde_json::json!({ "specversion": "1.0", "type": "sabot.bookmark" })));
    let id = |id: &str| serde_json::json!({ "Nats-Msg-Id": id });
    assert!(headers.is_valid(&id("casino/p1/BJ-07/1795493375749/41-3f9a12bc")));
    assert!(!headers.is_valid(&id("BJ-07/41")));
}
