//! Gaming days as a house has them: a station that is started on the next one closes the record of the day before.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sabot_journal::Chain;
use tempfile::TempDir;

use crate::process::{Ended, run, sabot, station};

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
        fs::write(self.path("log"), "").unwrap();
        let (mut station, _) = station(&self.path("station.toml"), "info");
        let log = || fs::read_to_string(self.path("log")).unwrap();
        let began = SystemTime::now();
        while !log().contains("the record is open") {
            assert!(began.elapsed().unwrap() < sabot_stall_guard::PATIENCE, "{}", log());
            std::thread::sleep(Duration::from_millis(5));
        }
        station.signal("-TERM");
        assert!(station.ends().success(), "{}", log());
        log()
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
    house.opens();
    let [day] = &house.days()[..] else { panic!("{:?}", house.days()) };
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
    assert_eq!(house.days().len(), 1, "the day that has begun goes on");
    let both = house.journal(&["verify", day, "record", "--key", "vkey", "--closed"]);
    assert_eq!(both.status, 0, "{}", both.err);
}

#[test]
fn a_day_on_which_a_pass_is_still_on_the_felt_goes_on() {
    let house = House::played(20);
    let log = house.opens();
    assert!(log.contains("its gaming day is over, and a pass, something due or a finding is open"), "{log}");
    assert_eq!(house.days(), Vec::<String>::new());
    assert!(!house.record().contains("\"after\""));
}

#[test]
fn a_closed_day_is_removed_when_it_is_old_and_a_witness_has_seen_it_whole_and_not_before() {
    let house = House::played(usize::MAX);
    house.opens();
    let day = &house.days()[0];
    fs::create_dir(house.path("stick")).unwrap();
    let made = house.journal(&["witness", "record", "stick", "--key", "vkey", "--name", "stick-1"]);
    assert_eq!(made.status, 0, "{}", made.err);
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
    let log = house.opens();
    assert!(log.contains("kept, though it is older than 0 days: no witness"), "{log}");

    assert_eq!(house.journal(&["witness", day, "stick", "--key", "vkey"]).status, 0);
    let listed = days(&[]);
    assert!(listed.out.contains("seen whole by stick-1"), "{}{}", listed.out, listed.err);
    let young = days(&["--remove-older", "30"]);
    assert_eq!((young.status, house.days().len()), (0, 1), "{}", young.err);
    let log = house.opens();
    assert!(log.contains("removed, being older than 0 days"), "{log}");
    assert_eq!(house.days(), Vec::<String>::new());
    assert!(house.path(&format!("{day}.witnessed")).exists(), "what others have seen is still shown");
    assert_eq!(house.journal(&["verify", "record", "--key", "vkey", "--closed"]).status, 0);
}

#[test]
fn a_closed_day_is_searched_by_an_index_that_can_be_thrown_away() {
    let house = House::played(usize::MAX);
    house.opens();
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
    // the index is written there before it takes its name
    fs::create_dir(index.with_extension("new")).unwrap();
    assert_eq!(found(day), expected, "without one");
}
