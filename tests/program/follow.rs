//! Programs follow a table's record: whoever is cut off comes back and misses nothing.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Take, Write};
use std::net::TcpStream;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use sabot_stall_guard::PATIENCE;
use sabot_wire::message::{Card, Observation, ShoeSaw};
use serde_json::Value;

use crate::acts::Desk;
use crate::door::{many_sockets, resident_kib};
use crate::process::{Process, sabot, station};
use crate::processes::{Table, asked, passes, stop};

const EVENTS: &str = "/api/v1/events";

/// A server-sent event, as a browser takes it.
#[derive(Debug, Default)]
struct Event {
    id: String,
    name: String,
    data: String,
}

/// Who follows, until he has read so many bytes.
struct Follower(BufReader<Take<TcpStream>>);

impl Follower {
    /// None where nobody answers.
    fn comes(address: &str, had: &str, most: u64) -> Option<Self> {
        let mut stream = TcpStream::connect(address).ok()?;
        let id = format!("Last-Event-ID: {had}");
        write!(stream, "GET {EVENTS} HTTP/1.0\r\nHost: {address}\r\n{id}\r\n\r\n").ok()?;
        Some(Self(BufReader::new(stream.take(most))))
    }

    /// None once he is cut off.
    fn next(&mut self) -> Option<Event> {
        let mut event = Event::default();
        loop {
            let mut line = String::new();
            self.0.read_line(&mut line).ok()?;
            let line = line.strip_suffix('\n')?;
            match line.split_once(": ") {
                Some(("id", id)) => id.clone_into(&mut event.id),
                Some(("event", name)) => name.clone_into(&mut event.name),
                Some(("data", data)) => data.clone_into(&mut event.data),
                _ if line.is_empty() && !event.name.is_empty() => return Some(event),
                _ => {}
            }
        }
    }
}

/// Takes lines until there are so many, and comes back each time that he is cut off.
fn follows(address: &str, wanted: &AtomicUsize) -> Vec<Value> {
    let (mut lines, mut had, mut most) = (Vec::new(), "0".to_owned(), 300);
    let until = Instant::now() + PATIENCE;
    while lines.len() < wanted.load(Ordering::Acquire) {
        assert!(Instant::now() < until, "{} lines, the last {had}", lines.len());
        let Some(mut follower) = Follower::comes(address, &had, most) else {
            thread::sleep(Duration::from_millis(20));
            continue;
        };
        // cut off after another number of bytes each time, in the middle of an event as a rule
        most = 300 + most * 7 % 9973;
        while let Some(event) = follower.next() {
            if event.name == "line" {
                lines.push(serde_json::from_str(&event.data).unwrap());
                had = event.id;
            }
            if lines.len() >= wanted.load(Ordering::Acquire) {
                break;
            }
        }
    }
    lines
}

/// What the record itself says that happened, without what it adds.
fn event_of(line: &str) -> Value {
    let mut event: Value = serde_json::from_str(line).unwrap();
    let fields = event.as_object_mut().unwrap();
    for added in ["t", "began", "origin", "paired", "seen", "seen_within", "seal", "entered", "answers", "chain"] {
        fields.remove(added);
    }
    event
}

/// Whether that is the word of the record, or for a player, as the keypad names one by a number, his other name.
fn is_called(told: &str, record: &str, names: &mut BTreeMap<String, String>) -> bool {
    if record.strip_prefix('P').is_none_or(|number| number.parse::<u16>().is_err()) {
        return told == record;
    }
    let name = names.entry(record.to_owned()).or_insert_with(|| told.to_owned());
    name == told && told.starts_with("p-")
}

/// Whether that is what the record says, with another name for each player.
fn tells(told: &Value, record: &Value, names: &mut BTreeMap<String, String>) -> bool {
    match (told, record) {
        (Value::Object(told), Value::Object(record)) => {
            let mut fields = told.iter().zip(record);
            told.len() == record.len() && fields.all(|(told, of)| told.0 == of.0 && tells(told.1, of.1, names))
        }
        (Value::String(told), Value::String(record)) => {
            let mut words = told.split(' ').zip(record.split(' '));
            told.split(' ').count() == record.split(' ').count() && words.all(|(told, of)| is_called(told, of, names))
        }
        (told, record) => told == record,
    }
}

#[test]
fn whoever_is_cut_off_comes_back_and_has_each_line_once_though_the_station_was_killed_meanwhile() {
    let mut table = Table::start();
    let (mut first, address) = table.station_at();
    let config = table.path("station.toml");
    let text = fs::read_to_string(&config).unwrap().replace("127.0.0.1:0", &address);
    fs::write(&config, text).unwrap();
    let wanted = AtomicUsize::new(usize::MAX);
    let (told, second) = thread::scope(|scope| {
        let follower = scope.spawn(|| follows(&address, &wanted));
        let seen = passes(4, 7);
        let (before, after) = seen.split_at(seen.len() / 2);
        before.iter().for_each(|saw| table.sees(saw));
        table.until("half of it is recorded", || table.written().matches('\n').count() > 100);
        first.kill();
        let (second, _) = station(&config, "info");
        after.iter().for_each(|saw| table.sees(saw));
        table.expect_all_acknowledged();
        wanted.store(table.written().matches('\n').count(), Ordering::Release);
        (follower.join().unwrap(), second)
    });
    stop(second);
    let written = table.written();
    let mut names = BTreeMap::new();
    for (n, (told, line)) in told.iter().zip(written.lines()).enumerate() {
        assert_eq!(told["line"], n + 1, "{told}");
        assert!(tells(&told["event"], &event_of(line), &mut names), "{told}\n{line}");
        assert!(told.get("seal").is_none() && told.get("chain").is_none(), "{told}");
    }
    assert!(names.len() > 1, "no player was named: {names:?}");
}

#[test]
fn a_covered_card_is_told_by_the_line_that_uncovers_it_and_by_none_before() {
    let folder = tempfile::tempdir().unwrap();
    let mut demo = sabot(["demo", "--listen", "127.0.0.1:0", "--speed", "max", "--seed", "7"]);
    let mut demo = Process::start(demo.env("TMPDIR", folder.path()).stdout(Stdio::piped()));
    let mut says = demo.lines();
    let address = says.next().unwrap().trim_start_matches("page     http://").trim_end_matches('/').to_owned();
    thread::spawn(move || says.for_each(drop));
    // as soon as its record is open
    let until = Instant::now() + PATIENCE;
    let (mut follower, first) = loop {
        let mut follower = Follower::comes(&address, "0", u64::MAX).unwrap();
        match follower.next() {
            Some(first) => break (follower, first),
            None => assert!(Instant::now() < until, "its record is not open"),
        }
    };
    assert_eq!(first.name, "verdict");
    let (mut cards, mut opened) = (BTreeMap::new(), 0);
    while opened < 3 {
        let event = follower.next().unwrap();
        if event.name != "line" {
            continue;
        }
        let told: Value = serde_json::from_str(&event.data).unwrap();
        for open in told["opens"].as_array().into_iter().flatten() {
            assert_eq!(cards.remove(&open["line"].to_string()), Some(Value::from("??")), "{told}");
            assert!(open["card"].as_str().is_some_and(|card| card.parse::<Card>().is_ok() && card != "??"), "{told}");
            opened += 1;
        }
        if told["event"]["ev"] == "draw" {
            cards.insert(told["line"].to_string(), told["event"]["card"].clone());
        }
    }
    assert!(cards.values().filter(|card| **card != "??").count() > 20, "the others are told when they are drawn");
}

#[test]
fn findings_and_the_verdict_are_told_as_they_come_and_a_line_that_is_not_there_is_refused() {
    let desk = Desk::with_a_finding();
    let mut follower = Follower::comes(&desk.address, "1", u64::MAX).unwrap();
    let verdict = follower.next().unwrap();
    assert_eq!((verdict.name.as_str(), verdict.id.as_str()), ("verdict", ""), "at once, and it is no line");
    assert_eq!(serde_json::from_str::<Value>(&verdict.data).unwrap()["table"], "P");
    let lines = std::iter::from_fn(|| follower.next()).filter(|event| event.name == "line");
    let found = lines.map(|line| (line.id, serde_json::from_str::<Value>(&line.data).unwrap()));
    let (id, found) = found.into_iter().find(|(_, line)| line["answers"][0]["out"] == "finding").unwrap();
    assert_eq!((&found["answers"][0]["n"], &found["event"]["ev"]), (&1.into(), &"report".into()), "{found}");
    let line = found["line"].as_u64().unwrap();
    assert!(id.starts_with(&format!("{line}-")), "{id}");
    let taken = desk.posts("/findings/1?lang=en", &desk.as_one("I-4"), "act=take");
    assert!(taken.starts_with("HTTP/1.1 303"), "{taken}");
    let is_taken = |event: &Event| event.name == "verdict" && event.data.contains("\"taken_by\":\"I-4\"");
    assert!(std::iter::from_fn(|| follower.next()).any(|event| is_taken(&event)), "the verdict has changed");
    let after = |had: &str| asked(&desk.address, &format!("{EVENTS}?after={had}"), "");
    let digit = if id.ends_with('0') { "1" } else { "0" };
    let other = format!("{}{digit}", &id[..id.len() - 1]);
    for (had, status, why) in [
        ("newest", "400", "is named by its number"),
        ("99999", "404", "has no line 99999: its last line on disk is"),
        (&other, "409", "is another one"),
    ] {
        let answer = after(had);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")) && answer.contains(why), "{had}: {answer}");
    }
    let header = asked(&desk.address, &format!("{EVENTS}?after=1"), "Last-Event-ID: x\r\n");
    assert!(header.starts_with("HTTP/1.1 400"), "what it had last goes before where it began: {header}");
}

#[test]
fn two_hundred_who_follow_and_never_read_take_bounded_memory_and_hold_up_nobody() {
    many_sockets();
    let mut table = Table::start();
    let (station, address) = table.station_at();
    for n in 0..1500_u32 {
        table.sees(&Observation::Shoe(ShoeSaw::Drawn(Card::from_code((n % 52) as u8))));
    }
    table.until("all is recorded", || table.written().matches("\"draw\"").count() == 1500);
    let before = resident_kib(&station);
    let silent: Vec<Follower> = (0..200).map(|_| Follower::comes(&address, "0", 1).unwrap()).collect();
    let wanted = AtomicUsize::new(1500);
    assert_eq!(follows(&address, &wanted).len(), 1500, "who reads gets all");
    let (with, bytes) = (resident_kib(&station), table.written().len());
    println!("{before} KiB, {with} KiB with {} who do not read a record of {bytes} bytes", silent.len());
    assert!(with < before + 200 * 128, "{before} KiB, {with} KiB");
}

#[test]
fn pages_and_programs_that_never_read_pictures_or_verdicts_take_bounded_memory_however_much_happens() {
    many_sockets();
    let mut table = Table::start();
    let (station, address) = table.station_at();
    let mut draws = |until: u32| {
        let told = table.written().matches("\"draw\"").count() as u32;
        for n in told..until {
            table.sees(&Observation::Shoe(ShoeSaw::Drawn(Card::from_code((n % 52) as u8))));
        }
        table.until("all is recorded", || table.written().matches("\"draw\"").count() as u32 == until);
    };
    draws(1000);
    let before = resident_kib(&station);
    let opened = |path: &&str| {
        let mut stream = TcpStream::connect(&address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
        stream
    };
    let silent: Vec<TcpStream> = ["/events", "/api/v1/verdicts"].repeat(100).iter().map(opened).collect();
    draws(2000);
    let with = resident_kib(&station);
    println!("{before} KiB, {with} KiB with {} who do not read 1000 changes", silent.len());
    assert!(with < before + 200 * 128, "{before} KiB, {with} KiB");
    assert!(asked(&address, "/healthz", "").starts_with("HTTP/1.1 "), "who asks is answered");
}

#[test]
fn the_examples_of_the_page_for_programs_give_what_it_says() {
    let desk = Desk::with_a_finding();
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/console.md")).unwrap();
    let examples: Vec<&str> = page.lines().filter(|line| line.starts_with("curl ") && line.contains(":8080")).collect();
    assert!(examples.len() >= 4, "{examples:?}");
    for example in examples {
        let command = example.replace("127.0.0.1:8080", &desk.address);
        let mut curl = Process::start(
            std::process::Command::new("sh").args(["-c", &format!("exec {command}")]).stdout(Stdio::piped()),
        );
        let told = curl.lines().find_map(|line| {
            let data = line.strip_prefix("data: ").unwrap_or(&line);
            serde_json::from_str::<Value>(data).ok().filter(Value::is_object)
        });
        assert!(told.is_some_and(|told| told["table"] == "P" || told["line"].is_u64()), "{example}");
    }
}
