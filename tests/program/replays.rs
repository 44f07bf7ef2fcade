//! A folder of logs is replayed at once, and a log is played on the page.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use sabot_stall_guard::PATIENCE;
use serde_json::Value;

use crate::process::{Ended, Process, dealt, run, sabot};
use crate::processes::answered;

#[test]
fn what_was_found_in_every_log_of_a_folder_is_told_in_the_order_of_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("logs/b.jsonl.days")).unwrap();
    dealt(folder.path(), &["--passes", "2", "--irregularity", "C7"]);
    fs::rename(at("record"), at("logs/b.jsonl.days/1.jsonl")).unwrap();
    fs::write(at("logs/a.jsonl"), include_str!("logs/worked-example.jsonl")).unwrap();
    fs::write(at("logs/notes.txt"), "no log").unwrap();
    let replay = |args: &[&str]| run(sabot(["replay"]).args(args).current_dir(folder.path()));
    let objects =
        |ended: &Ended| -> Vec<Value> { ended.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect() };
    let many = replay(&["logs", "--jobs", "2"]);
    assert_eq!((many.status, many.err.as_str()), (0, ""));
    let found = objects(&many);
    assert_eq!(found.iter().map(|found| &found["log"]).collect::<Vec<_>>(), ["a.jsonl", "b.jsonl.days/1.jsonl"]);
    for (found, log) in found.iter().zip(["logs/a.jsonl", "logs/b.jsonl.days/1.jsonl"]) {
        let one = replay(&[log]);
        let findings = one.out.lines().filter(|line| line.contains("\"out\":\"finding\"")).count();
        assert_eq!(found["findings"], findings, "{log}");
    }
    assert!(found[1]["articles"]["C7"].as_u64().is_some_and(|count| count > 0), "{}", many.out);
    assert_eq!(replay(&["logs", "--jobs", "1"]).out, many.out);
    assert_eq!(replay(&["logs", "--strict"]).status, 1);

    fs::write(at("logs/a.jsonl"), "{\"ev\":\"table\"\n").unwrap();
    let broken = replay(&["logs"]);
    assert_eq!(broken.status, 2);
    assert!(broken.err.starts_with("sabot replay: a.jsonl: ") && objects(&broken)[1] == found[1], "{}", broken.err);
    fs::create_dir(at("empty")).unwrap();
    let empty = replay(&["empty"]);
    assert!(empty.status == 2 && empty.err.contains("there is no log in it"), "{}", empty.err);
    assert_eq!(replay(&["logs", "--jobs", "0"]).status, 2);
}

/// A log that is played on the page.
struct Played {
    process: Process,
    said: Box<dyn Iterator<Item = String>>,
    address: String,
}

impl Played {
    fn start(folder: &Path, args: &[&str]) -> Self {
        let mut play = sabot(["replay", "record", "--watch", "--listen", "127.0.0.1:0", "--speed", "100000"]);
        play.args(args).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = Process::start(&mut play);
        let mut said = Box::new(process.lines());
        let first = said.next().unwrap();
        let (what, address) = first.split_once(": http://").unwrap();
        assert_eq!(what, "record is played");
        Self { address: address.trim_end_matches('/').to_owned(), said, process }
    }

    /// What the page's verdict is once it has come so far.
    fn verdict(&self, is_there: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + PATIENCE;
        loop {
            let answer = answered(&self.address, "/api/v1/verdict");
            let verdict: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
            if is_there(&verdict) {
                return verdict;
            }
            assert!(Instant::now() < until, "{verdict}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn stops(mut self) {
        self.process.signal("-TERM");
        assert_eq!(self.process.ends().code(), Some(0));
    }
}

#[test]
fn a_record_is_played_on_the_page_pass_by_pass_with_its_findings_and_covered_cards_stay_covered() {
    let folder = tempfile::tempdir().unwrap();
    dealt(folder.path(), &["--passes", "3", "--irregularity", "C7"]);
    let record = fs::read_to_string(folder.path().join("record")).unwrap();
    let lines = record.lines().count();

    let mut played = Played::start(folder.path(), &["--by-pass", "--time-zone", "Asia/Kathmandu"]);
    let mut enter = played.process.stdin();
    let mut findings = 0;
    for pass in 0..=3 {
        let begins = played.said.next().unwrap();
        assert!(begins.starts_with(&format!("pass {pass}, ")) && begins.ends_with("+05:45: press Enter"), "{begins}");
        if pass > 1 {
            // the pass before stands to its end while nobody presses Enter
            let verdict = played.verdict(|now| now["phase"] == "idle" || now["pass"] == pass - 1);
            assert_eq!(verdict["pass"], pass - 1, "{verdict}");
            let page = answered(&played.address, "/?lang=en");
            assert!(page.starts_with("HTTP/1.1 200") && page.contains("C7"), "{page}");
            findings += 1;
        }
        enter.write_all(b"\n").unwrap();
    }
    assert_eq!(findings, 2);
    assert_eq!(played.said.next().unwrap(), "it is played to its end");
    let end = played.verdict(|now| now["line"] == lines);
    assert_eq!((&end["pass"], &end["table"]), (&Value::from(3), &Value::from("BJ-01")));
    assert!(answered(&played.address, "/healthz").starts_with("HTTP/1.1 "), "it is served");
    assert!(answered(&played.address, "/api/v1/events").starts_with("HTTP/1.1 404"), "there is nothing to follow");
    played.stops();

    // from a pass on, without anybody at the keyboard
    let mut played = Played::start(folder.path(), &["--from-pass", "3"]);
    assert!(played.said.next().unwrap().starts_with("pass 3, 20"), "what was before is there at once");
    assert_eq!(played.said.next().unwrap(), "it is played to its end");
    played.stops();
    let mut played = Played::start(folder.path(), &["--from-pass", "9"]);
    assert_eq!(played.said.next().unwrap(), "it has no pass 9");
    played.stops();
}

#[test]
fn what_lay_covered_is_covered_while_it_is_played() {
    let folder = tempfile::tempdir().unwrap();
    // the bank's covered card is turned up in the record, after it lay covered
    let log = include_str!("logs/worked-example.jsonl");
    let reveal = log.lines().position(|line| line.contains("\"reveal\"")).unwrap();
    let until: String = log.split_inclusive('\n').take(reveal).collect();
    fs::write(folder.path().join("record"), &until).unwrap();
    let mut played = Played::start(folder.path(), &[]);
    while played.said.next().unwrap() != "it is played to its end" {}
    let page = answered(&played.address, "/?lang=en");
    let bank = page.split("id=\"felt\"").nth(1).unwrap().split("</section>").next().unwrap();
    assert!(bank.contains("9 of spades") && bank.contains("covered card"), "{bank}");
    assert!(!bank.contains("8 of diamonds") && !bank.contains("8D"), "{bank}");
    played.stops();
}

#[test]
fn what_cannot_be_played_is_refused_with_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let play = |args: &[&str]| {
        run(sabot(["replay", "--watch", "--listen", "127.0.0.1:0"]).args(args).current_dir(folder.path()))
    };
    let no_file = play(&["-"]);
    assert!(no_file.status == 2 && no_file.err.contains("plays one log, which is a file"), "{}", no_file.err);
    fs::write(folder.path().join("broken"), "{\"ev\":\"table\"\n").unwrap();
    let broken = play(&["broken"]);
    assert!(broken.status == 2 && broken.err.contains("broken: line 1"), "{}", broken.err);
    // nobody waits before a page that stays blank
    let header = include_str!("logs/worked-example.jsonl").lines().next().unwrap();
    for nothing in ["", "\n", header] {
        fs::write(folder.path().join("nothing"), nothing).unwrap();
        let nothing = play(&["nothing"]);
        let is_told = nothing.err.contains("nothing: nothing happens in it that could be played\n");
        assert!(nothing.status == 2 && is_told, "{}", nothing.err);
    }
    let speed = play(&["broken", "--speed", "0"]);
    assert!(speed.status == 2 && speed.err.contains("a number above 0"), "{}", speed.err);
    let alone = run(sabot(["replay", "broken", "--by-pass"]).current_dir(folder.path()));
    assert!(alone.status == 2 && alone.err.contains("--watch"), "{}", alone.err);
}
