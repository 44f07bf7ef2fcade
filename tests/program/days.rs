//! Gaming days as a house has them: the station closes the record of the day before at the hour, or as soon as it can.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use sabot_journal::Chain;
use tempfile::TempDir;

use crate::process::{Ended, run, sabot, station, station_by};
use crate::processes::answered;

const DAY: Duration = Duration::from_hours(24);

/// A house whose table was played at three days ago, by a station that neither signed nor closed anything.
struct House(TempDir);

impl House {
    /// With so many lines of a pass.
    fn played(lines: usize) -> Self {
        let house = Self(tempfile::tempdir().unwrap());
        let key = house.journal(&["key", "key", "--name", "casino.example/BJ-07"]);
        fs::write(house.path("vkey"), key.out).unwrap();
        let config = "table = \"BJ-07\"\nregulation = \"sala-8\"\nlimits = { min = 1000, max = 100000 }\n\
                      listen = \"127.0.0.1:0\"\njournal = \"record\"\njournal_key = \"key\"\ngaming_day = \"06:00\"\n\
                      [[device]]\nrole = \"shoe\"\nport = \"shoe\"\n";
        fs::write(house.path("station.toml"), config).unwrap();
        let began = (SystemTime::now() - 3 * DAY).duration_since(UNIX_EPOCH).unwrap().as_millis();
        let (mut record, mut chain) = (Vec::new(), Chain::default());
        for (at, line) in include_str!("logs/worked-example.jsonl").lines().take(lines).enumerate() {
            let more = if at == 0 { format!("\"began\":{began}") } else { format!("\"t\":{at}") };
            chain = chain.append(format!("{},{more}}}", line.strip_suffix('}').unwrap()).as_bytes(), &mut record);
        }
        fs::write(house.path("record"), record).unwrap();
        house
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn journal(&self, args: &[&str]) -> Ended {
        run(sabot([&["journal"], args].concat()).current_dir(self.0.path()))
    }

    /// A start and a stop of the station; what its log says of them.
    fn opens(&self) -> String {
        self.opens_until("the record is open")
    }

    /// With a day to be closed.
    fn closes(&self) -> String {
        self.opens_until(": packed")
    }

    fn opens_until(&self, says: &str) -> String {
        fs::write(self.path("log"), "").unwrap();
        let (config, mut run) = (self.path("station.toml"), sabot(["run", "--accept-unsigned", "--config"]));
        let (mut station, _) = station_by(run.arg(&config).env("RUST_LOG", "debug"), &config);
        self.waits_for(says);
        station.signal("-TERM");
        assert!(station.ends().success(), "{}", self.log());
        self.log()
    }

    fn log(&self) -> String {
        fs::read_to_string(self.path("log")).unwrap()
    }

    fn waits_for(&self, says: &str) {
        let began = Instant::now();
        while !self.log().contains(says) {
            assert!(began.elapsed() < sabot_stall_guard::PATIENCE, "{}", self.log());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn record(&self) -> String {
        fs::read_to_string(self.path("record")).unwrap()
    }

    /// The closed days, by name.
    fn days(&self) -> Vec<String> {
        let Ok(folder) = fs::read_dir(self.path("record.days")) else { return Vec::new() };
        let names = folder.map(|entry| format!("record.days/{}", entry.unwrap().file_name().into_string().unwrap()));
        let mut days: Vec<String> = names.filter(|name| name.ends_with(".gz")).collect();
        days.sort();
        days
    }
}

fn zcat(day: &Path) -> String {
    String::from_utf8(Command::new("zcat").arg(day).output().unwrap().stdout).unwrap()
}

#[test]
fn an_old_record_is_closed_packed_and_gone_on_with_and_every_command_reads_the_closed_day() {
    let house = House::played(usize::MAX);
    let played = house.record();
    house.closes();
    let [day] = &house.days()[..] else { panic!("{:?}", house.days()) };
    let twice = house.journal(&["export", "passes", day, "record", day]);
    assert!(twice.err.contains(&format!("{day}: the same record as {day}: it counts once")), "{}", twice.err);
    assert_eq!(twice.out, house.journal(&["export", "passes", day, "record"]).out);
    let unpacked = zcat(&house.path(day));
    assert!(unpacked.starts_with(&played) && unpacked.ends_with("\n") && unpacked.contains("\"day_closed\""));
    let chain = unpacked.trim_end().rsplit_once("\"chain\":\"").unwrap().1.trim_end_matches("\"}").to_owned();
    let first = house.record().lines().next().unwrap().to_owned();
    assert!(first.contains(&format!("\"after\":{{\"lines\":{},\"chain\":\"{chain}\"", unpacked.lines().count())));

    let both = house.journal(&["verify", day, "record", "--key", "vkey", "--closed"]);
    assert_eq!(both.status, 0, "{}", both.err);
    assert!(both.out.contains("that one; chain"), "{}", both.out);
    let turned = house.journal(&["verify", "record", day, "--key", "vkey"]);
    assert!(turned.status == 1 && turned.err.contains("does not go on where record ends"), "{}", turned.err);
    assert_eq!(house.journal(&["verify", "record", "--key", "vkey"]).status, 0);

    let shown = house.journal(&["show", day, "1", "--lang", "en"]);
    assert!(shown.status == 0 && shown.out.contains("box 1: a card, 8H"), "{}{}", shown.out, shown.err);
    let replayed = |log: &str| run(sabot(["replay", log]).current_dir(house.0.path())).out;
    fs::write(house.path("unpacked"), &unpacked).unwrap();
    assert_eq!(replayed(day), replayed("unpacked"));
    let proof = house.journal(&["prove", day, "5"]);
    assert_eq!(proof.status, 0, "{}", proof.err);

    house.opens();
    let listed = house.journal(&["days", "nowhere"]);
    assert!(listed.status == 2 && listed.err.contains("nowhere"), "{}", listed.err);
    assert_eq!(house.days().len(), 1, "the day that has begun goes on");
    let both = house.journal(&["verify", day, "record", "--key", "vkey", "--closed"]);
    assert_eq!(both.status, 0, "{}", both.err);
}

#[test]
fn a_day_on_which_a_pass_is_still_on_the_felt_goes_on() {
    let house = House::played(20);
    let log = house.opens_until("its gaming day is over");
    assert!(log.contains("its gaming day is over, and a pass, something due or a finding is open"), "{log}");
    assert_eq!(house.days(), Vec::<String>::new());
    assert!(!house.record().contains("\"after\""));
}

#[test]
fn a_closed_day_is_removed_when_it_is_old_and_a_witness_has_seen_it_whole_and_not_before() {
    let house = House::played(usize::MAX);
    house.closes();
    let day = &house.days()[0];
    fs::create_dir(house.path("stick")).unwrap();
    let nowhere = house.journal(&["witness", "record", "nowhere", "--key", "vkey", "--name", "stick-1"]);
    assert!(nowhere.status == 1 && nowhere.err.contains("make that folder first"), "{}", nowhere.err);
    let made = house.journal(&["witness", "record", "stick", "--key", "vkey", "--name", "stick-1"]);
    assert_eq!(made.status, 0, "{}", made.err);
    let again = house.journal(&["witness", "record", "stick", "--key", "vkey", "--name", "stick-1"]);
    assert!(again.status == 1 && again.err.contains("leave --name out"), "{}", again.err);
    fs::write(house.path("stick.vkey"), house.journal(&["key", "stick/witness.key"]).out).unwrap();
    let days = |more: &[&str]| {
        house.journal(&[&["days", "record", "--key", "vkey", "--witness", "stick.vkey"][..], more].concat())
    };
    let kept = days(&["--remove-older", "0"]);
    assert!(kept.status == 1 && kept.err.contains("no witness has cosigned all of its 3"), "{}", kept.err);
    assert_eq!(house.days().len(), 1);

    let config = fs::read_to_string(house.path("station.toml")).unwrap();
    let keeps = "journal_keep_days = 0\njournal_witnesses = [\"stick.vkey\"]\n[[device]]";
    fs::write(house.path("station.toml"), config.replace("[[device]]", keeps)).unwrap();
    let log = house.opens_until("older than 0 days");
    assert!(log.contains("kept, though it is older than 0 days: no witness"), "{log}");

    assert_eq!(house.journal(&["witness", day, "stick", "--key", "vkey"]).status, 0);
    let listed = days(&["--time-zone", "Asia/Kathmandu"]);
    assert!(listed.out.contains("+05:45 record.days/"), "{}{}", listed.out, listed.err);
    assert!(days(&[]).out.contains("Z record.days/"));
    let verified =
        house.journal(&["verify", day, "--key", "vkey", "--witness", "stick.vkey", "--time-zone", "Asia/Kathmandu"]);
    assert!(
        verified.out.lines().any(|line| line.contains("seen by stick-1") && line.ends_with("+05:45")),
        "{verified:?}"
    );
    assert!(listed.out.contains("seen whole by stick-1"), "{}{}", listed.out, listed.err);
    let young = days(&["--remove-older", "30"]);
    assert_eq!((young.status, house.days().len()), (0, 1), "{}", young.err);
    fs::write(house.path(&format!("{day}.index")), "of that day").unwrap();
    let log = house.opens_until("older than 0 days");
    assert!(!house.path(&format!("{day}.index")).exists(), "what is known of it goes with it");
    assert!(log.contains("removed, being older than 0 days"), "{log}");
    assert_eq!(house.days(), Vec::<String>::new());
    assert!(house.path(&format!("{day}.witnessed")).exists(), "what others have seen is still shown");
    assert_eq!(house.journal(&["verify", "record", "--key", "vkey", "--closed"]).status, 0);
}

#[test]
fn a_closed_day_is_searched_by_an_index_that_can_be_thrown_away() {
    let house = House::played(usize::MAX);
    house.closes();
    let day = &house.days()[0];
    let index = house.path(&format!("{day}.index"));
    let asked =
        [&["--person", "P1"][..], &["--person", "P1", "--box", "1"], &["--article", "c5"], &["--person", "I-4"]];
    let found =
        |file: &str| asked.map(|of| house.journal(&[&["find", file, "--lang", "en", "--json"], of].concat()).out);
    fs::write(house.path("unpacked"), zcat(&house.path(day))).unwrap();
    let expected = found("unpacked");
    assert!(expected[0].lines().count() > expected[1].lines().count() && !expected[1].is_empty(), "{expected:?}");
    assert!(!index.exists());
    assert_eq!(found(day), expected);
    let made = fs::metadata(&index).unwrap().modified().unwrap();
    assert_eq!(found(day), expected, "by the index");
    assert_eq!(fs::metadata(&index).unwrap().modified().unwrap(), made);
    for other in [&b"no index"[..], b""] {
        fs::write(&index, other).unwrap();
        assert_eq!(found(day), expected, "it is made anew");
    }
    fs::remove_file(&index).unwrap();
    // nothing can take its name
    fs::create_dir(&index).unwrap();
    assert_eq!(found(day), expected, "without one");
}

#[test]
fn a_record_is_not_signed_where_something_beside_it_says_otherwise_and_the_way_out_is_told() {
    let house = House::played(usize::MAX);
    let start = |args: &[&str]| {
        run(sabot(["run", "--config", "station.toml"]).args(args).env("RUST_LOG", "warn").current_dir(house.0.path()))
    };
    let check = || run(sabot(["check", "station.toml"]).current_dir(house.0.path())).out;
    let refused = |says: &str| {
        let (start, check) = (start(&[]), check());
        assert!(start.status == 1 && start.err.contains(says) && check.contains(says), "{says}: {} {check}", start.err);
    };
    refused("start once with --accept-unsigned");
    let backup = house.record();
    house.closes();
    let day = house.path(&house.days()[0]);
    let closed = fs::read(&day).unwrap();

    // somebody adds lines while the station is down: after its stop, and as if it had started
    let stopped = house.record();
    let added = |lines: &[&str]| {
        let mut record = stopped.clone().into_bytes();
        let mut chain = Chain::said(stopped.lines().last().unwrap().as_bytes()).unwrap();
        lines.iter().for_each(|line| chain = chain.append(line.as_bytes(), &mut record));
        fs::write(house.path("record"), record).unwrap();
    };
    let report = r#"{"ev":"report","by":"I-4","role":"inspector","note":"x","t":90000000}"#;
    added(&[report]);
    refused("was added after the station had stopped");
    let verified = house.journal(&["verify", "record", "--key", "vkey"]);
    assert!(verified.status == 1 && verified.err.contains("this is no start of it"), "{}", verified.err);
    added(&[r#"{"ev":"device","device":"station","status":"start","t":90000000}"#]);
    let log = house.opens_until("were not signed when its station ended");
    assert!(house.record().contains("\"status\":\"signed_late\""), "{log}");
    let verified = house.journal(&["verify", "record", "--key", "vkey", "--closed"]);
    assert!(verified.out.contains("nothing says who wrote them"), "{}{}", verified.out, verified.err);

    // a backup of the day that was closed
    fs::write(house.path("record"), backup).unwrap();
    for beside in ["checkpoints", "synced", "state"] {
        let _ = fs::remove_file(house.path(&format!("record.{beside}")));
    }
    refused("a backup was put back over it");
    assert_eq!(fs::read(&day).unwrap(), closed);
}

#[test]
fn a_last_line_without_line_feed_is_told_by_no_command() {
    let house = House::played(20);
    house.opens_until("its gaming day is over");
    let asked = || {
        let find = house.journal(&["find", "record", "--person", "I-66"]).status;
        let replay = run(sabot(["replay", "record"]).current_dir(house.0.path())).out;
        let export = house.journal(&["export", "findings", "record"]).out;
        (find, replay, export, house.journal(&["open", "record"]).out)
    };
    let before = asked();
    let mut record = house.record().into_bytes();
    let report =
        br#"{"ev":"report","by":"I-66","role":"inspector","provision":"C17","box":"3","note":"x","t":90000000}"#;
    let chain = Chain::said(house.record().lines().last().unwrap().as_bytes()).unwrap();
    let _ = chain.append(report, &mut record);
    record.pop();
    fs::write(house.path("record"), record).unwrap();
    assert_eq!(asked(), before);
    let verified = house.journal(&["verify", "record", "--key", "vkey"]);
    assert!(verified.status == 0 && verified.out.contains("are no whole line"), "{}{}", verified.out, verified.err);
    assert_eq!(house.journal(&["verify", "record", "--key", "vkey", "--closed"]).status, 1);
}

/// What a program is told that follows the record from its first line, until somebody says that it is enough. While the
/// station is starting it asks again, as programs do.
fn followed(address: &str, is_enough: impl Fn(&str) -> bool) -> String {
    let mut told = String::new();
    let began = Instant::now();
    while !is_enough(&told) {
        assert!(told.is_empty() || told.starts_with("HTTP/1.0 503"), "{told}");
        assert!(began.elapsed() < sabot_stall_guard::PATIENCE, "{told}");
        told.clear();
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(sabot_stall_guard::PATIENCE)).unwrap();
        write!(stream, "GET /api/v1/events HTTP/1.0\r\nHost: {address}\r\nLast-Event-ID: 0\r\n\r\n").unwrap();
        let mut lines = BufReader::new(stream);
        while !is_enough(&told) && lines.read_line(&mut told).unwrap() > 0 {}
    }
    told
}

#[test]
fn a_running_station_closes_its_day_at_the_hour_of_the_house_and_goes_on_and_who_follows_is_told_all() {
    let house = House::played(usize::MAX);
    fs::remove_file(house.path("record")).unwrap();
    let unix = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    // Bogotá has no summer time: five hours behind. The minute after this one, or the one after that.
    let minute = ((unix + 5) / 60 + 1 + 19 * 60) % (24 * 60);
    let hour = format!("time_zone = \"America/Bogota\"\ngaming_day = \"{:02}:{:02}\"", minute / 60, minute % 60);
    let config = fs::read_to_string(house.path("station.toml")).unwrap();
    fs::write(house.path("station.toml"), config.replace("gaming_day = \"06:00\"", &hour)).unwrap();
    let (mut station, address) = station(&house.path("station.toml"), "debug");
    house.waits_for("the record is open");
    let told = followed(&address, |told| {
        told.split_once("day_closed").is_some_and(|(_, then)| then.contains("id: 2-") && then.ends_with("\n\n"))
    });
    let shift = answered(&address, "/shift?lang=en");
    assert!(shift.contains("-05:00 – 20"), "the page shows the house's times: {shift}");
    let (before, after) = told.split_once("day_closed").unwrap();
    assert!(before.contains("\"offline\"") && after.contains("id: 1-"), "{told}");
    let [day] = &house.days()[..] else { panic!("{:?}", house.days()) };
    let began = house.record();
    let began: u64 = began.split_once("\"began\":").unwrap().1.split(',').next().unwrap().parse().unwrap();
    let late = (began / 60_000 + 24 * 60 - (minute + 5 * 60) % (24 * 60)) % (24 * 60);
    assert!(late < 12 * 60, "it was closed before the hour: {began}");
    station.signal("-TERM");
    assert!(station.ends().success());
    let record = house.record();
    let said = ["\"after\"", "\"start\"", "\"offline\"", "\"stop\""].map(|what| record.find(what));
    assert!(said.is_sorted() && said[0].is_some(), "{record}");
    let both = house.journal(&["verify", day, "record", "--key", "vkey", "--closed"]);
    assert_eq!(both.status, 0, "{}", both.err);
}
