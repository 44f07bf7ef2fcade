//! A table with a camera at the mouth of the shoe: the deck is learnt by the command, cards are dealt before a twin's
//! camera, and what the station finds is what was dealt.

use std::fs;
use std::path::Path;

use sabot_camera::Shown;
use sabot_camera::drawn::Design;
use sabot_simulation::camera::{CameraTwin, Lever, lessons};
use sabot_simulation::levers::LineLever;
use sabot_stall_guard::rerun_if_stalled;
use serde_json::Value;

use crate::process::{Process, recorded, recorded_until, run, sabot};

/// A deck, learnt from the pictures that a twin's camera takes of it.
fn learn(folder: &Path) {
    let pictures = folder.join("pictures");
    fs::create_dir_all(&pictures).unwrap();
    lessons(&Design::own(), &pictures, 3).unwrap();
    let learnt = run(&mut learning(folder));
    assert_eq!(learnt.status, 0, "{}", learnt.err);
}

fn learning(folder: &Path) -> std::process::Command {
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (from, deck) = (at("pictures"), at("deck.png"));
    sabot(["deck", "learn", "--from", &from, "--index", "57,47,54,117", "--mark", "8,84,30,30", "--deck", &deck])
}

/// A table, its camera and its station.
struct Table {
    folder: tempfile::TempDir,
    camera: CameraTwin,
    _station: Process,
}

impl Table {
    fn new(seed: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        learn(folder.path());
        let camera = CameraTwin::start(([127, 0, 0, 1], 0).into(), Design::own(), seed).unwrap();
        let config = format!(
            "table = \"T\"\nregulation = \"sala-8\"\nlimits = {{ min = 1, max = 100000000 }}\n\
             listen = \"127.0.0.1:0\"\njournal = \"record\"\nobserves = []\n[[device]]\nrole = \"shoe\"\ndriver = \"camera\"\n\
             port = \"tcp:{}\"\ndeck = \"deck.png\"\nout = \"up\"\n",
            camera.address().unwrap()
        );
        fs::write(folder.path().join("station.toml"), config).unwrap();
        let station = Self::station(folder.path());
        let table = Self { folder, camera, _station: station };
        table.until("the camera is there", |record| statuses(record).contains(&"online".to_owned()));
        table
    }

    fn station(folder: &Path) -> Process {
        let log = fs::File::options().create(true).append(true).open(folder.join("log")).unwrap();
        let config = folder.join("station.toml");
        let mut run = sabot(["run", "--config", config.to_str().unwrap()]);
        Process(run.env("RUST_LOG", "trace").stderr(log).spawn().unwrap())
    }

    fn file(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }

    fn record(&self) -> Vec<Value> {
        recorded(&self.folder.path().join("record"))
    }

    fn until(&self, what: &str, so: impl Fn(&[Value]) -> bool) {
        recorded_until(self.folder.path(), what, so);
    }

    fn draws(&self, what: &str) {
        self.camera.pull(Lever::Draw(Shown::named(what).unwrap()));
    }
}

/// What the record says of the devices.
fn statuses(record: &[Value]) -> Vec<String> {
    let status = |line: &Value| Some(line["status"].as_str()?.to_owned());
    record.iter().filter_map(status).collect()
}

/// What people were shown last, as the record has it.
fn face(record: &[Value]) -> &str {
    let shown = record.iter().rev().find(|line| line["device"] == "station" && line["status"] == "verdict");
    shown.and_then(|line| line["detail"].as_str()).unwrap_or_default()
}

/// The cards of the record, and `cut`.
fn cards(record: &[Value]) -> Vec<String> {
    let card = |line: &Value| match line["ev"].as_str()? {
        "draw" => Some(line["card"].as_str()?.to_owned()),
        "cut_card" => Some("cut".to_owned()),
        _ => None,
    };
    record.iter().filter_map(card).collect()
}

#[test]
fn cards_before_a_camera_come_into_the_record_once_each() {
    rerun_if_stalled("cards before a camera", || {
        let table = Table::new(5);
        let dealt = ["AS", "AS", "TD", "7H", "KC", "back", "cut", "2C", "9D"];
        dealt.iter().for_each(|card| table.draws(card));
        table.until("all were seen", |record| cards(record).len() == dealt.len());
        let meant = dealt.map(|card| if card == "back" { "??" } else { card });
        let told = cards(&table.record());
        // a station that does not come to look at every picture is in doubt, never wrong
        let wrong = told.iter().zip(meant).find(|(told, meant)| told != meant && *told != "??");
        assert_eq!(wrong, None, "{told:?}");
        assert!(told.iter().filter(|card| *card == "??").count() <= 4, "{told:?}");
        let log = table.file("log");
        let shows_a_card = |line: &&str| ["\"AS\"", "7H", "KC"].iter().any(|card| line.contains(card));
        assert_eq!(log.lines().find(shows_a_card), None, "no log line says which card it was");
    });
}

#[test]
fn a_camera_that_does_not_see_is_told_with_the_reason_while_no_face_is_green_and_is_back_when_it_does() {
    rerun_if_stalled("a camera that does not see", || {
        let table = Table::new(6);
        let gone = |says: &'static str, times: usize| {
            move |record: &[Value]| {
                let is_it = |line: &&Value| line["status"] == "offline" && line.to_string().contains(says);
                record.iter().filter(is_it).count() == times && face(record).starts_with("blind ")
            }
        };
        let back = |times: usize| {
            move |record: &[Value]| statuses(record).iter().filter(|status| *status == "online").count() == times
        };
        table.camera.pull(Lever::Cover(true));
        table.until("the covered lens is told", gone("too little light", 1));
        table.camera.pull(Lever::Cover(false));
        table.until("it sees again", back(2));
        table.camera.pull(Lever::Freeze(true));
        table.until("the frozen picture is told", gone("same picture", 1));
        table.camera.pull(Lever::Freeze(false));
        table.until("it moves again", back(3));
        table.camera.pull_line(LineLever::Mute(true));
        table.until("that no picture comes is told", gone("sends no pictures", 1));
        table.camera.pull_line(LineLever::Mute(false));
        table.until("pictures come again", back(4));
        table.camera.pull_line(LineLever::Unplug);
        table.until("the pulled cable is told", gone("", 4));
        table.camera.pull_line(LineLever::Plug);
        table.until("the cable is back", back(5));
        table.draws("QH");
        table.until("and a card is seen", |record| cards(record) == ["QH"]);
    });
}

#[test]
fn a_deck_that_lacks_a_card_is_not_learnt_and_the_card_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let pictures = folder.path().join("pictures");
    fs::create_dir_all(&pictures).unwrap();
    let told = run(&mut learning(folder.path()));
    assert_eq!(told.status, 2);
    assert!(told.err.contains("no picture") && told.err.contains("AS.jpg"), "{}", told.err);
    lessons(&Design::own(), &pictures, 3).unwrap();
    fs::remove_file(pictures.join("QC.jpg")).unwrap();
    let told = run(&mut learning(folder.path()));
    assert_eq!(told.status, 2);
    assert!(told.err.contains("not shown: QC"), "{}", told.err);
    fs::copy(pictures.join("QH.jpg"), pictures.join("QC.jpg")).unwrap();
    let told = run(&mut learning(folder.path()));
    assert!(told.err.contains("look alike") && told.err.contains("QC"), "{}", told.err);
    assert!(!folder.path().join("deck.png").exists());
}
