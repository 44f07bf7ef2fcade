//! Tables that a page of many hears by the house's broker: a real station, a real broker, and others that lie there.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::{Value, json};

use crate::floor::House;
use crate::pit::{HERE, Pit, verdict};
use crate::process::{Process, station};
use crate::processes::answered;

/// Somebody who tells verdicts at the broker, each again and again, until it is dropped.
struct Teller {
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Teller {
    /// Tells each of these: house/pit/table, and what is said for it.
    fn of(house: &House, told: Vec<(String, Vec<u8>)>) -> Self {
        let (ends, port) = (Arc::new(AtomicBool::new(false)), house.port);
        let ended = Arc::clone(&ends);
        let thread = thread::spawn(move || {
            let mut broker = TcpStream::connect(("127.0.0.1", port)).unwrap();
            broker.write_all(b"CONNECT {\"verbose\":false}\r\n").unwrap();
            while !ended.load(Ordering::Relaxed) {
                for (table, said) in &told {
                    let subject = format!("sabot.{}.verdict", table.replace('/', "."));
                    let head = format!("PUB {subject} {}\r\n", said.len());
                    broker.write_all(&[head.as_bytes(), said, b"\r\n"].concat()).unwrap();
                }
                thread::sleep(Duration::from_millis(300));
            }
        });
        Self { ends, thread: Some(thread) }
    }
}

impl Drop for Teller {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        let ended = self.thread.take().unwrap().join();
        assert!(thread::panicking() || ended.is_ok(), "the broker does not take what is told");
    }
}

fn told(table: &str, page: Option<&str>, face: &str) -> Vec<u8> {
    let mut verdict = verdict(table);
    verdict["face"] = json!(face);
    json!({ "page": page, "verdict": verdict }).to_string().into_bytes()
}

fn pit(house: &House, more: &str) -> Pit {
    let known = house.path("tables.known");
    let live = format!(
        "{HERE}\n[live]\nbroker = \"nats://127.0.0.1:{}\"\nknown = \"{}\"\n{more}",
        house.port,
        known.display()
    );
    Pit::start(&live, &[])
}

/// What programs are told of the tables that are asked for so, by name.
fn asked(pit: &Pit, query: &str) -> Vec<Value> {
    let answer = answered(&pit.address, &format!("/api/v1/tables?{query}"));
    let told: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
    told["tables"].as_array().unwrap().clone()
}

fn why(pit: &Pit, name: &str) -> String {
    pit.find(name).map_or_else(String::new, |table| table["why"]["en"].as_str().unwrap_or_default().to_owned())
}

/// A house whose station says where its page is.
fn house() -> House {
    let house = House::new();
    let config = fs::read_to_string(house.path("station.toml")).unwrap();
    let paged = config.replace("sinks =", "page = \"https://bj-07.casino.example:8443\"\nsinks =");
    fs::write(house.path("station.toml"), paged).unwrap();
    house
}

#[test]
#[ignore = "needs nats-server"]
fn a_station_is_heard_by_the_broker_and_missed_when_it_or_the_broker_is_gone() {
    let house = house();
    let broker = house.broker();
    let seen = pit(&house, "");
    assert!(seen.tables().is_empty(), "nobody has said anything");
    let (mut at_table, _) = station(&house.path("station.toml"), "warn");
    seen.until("the table is heard", |pit| pit.find("BJ-07").is_some_and(|table| table["heard"] == true));
    let table = seen.table("BJ-07");
    let documented: Value = serde_json::from_str(include_str!("../../docs/floor-asyncapi.json")).unwrap();
    let schema = json!({ "$ref": "#/components/schemas/verdict", "components": documented["components"] });
    let said = json!({ "page": table["address"], "verdict": table["verdict"] });
    jsonschema::validate(&schema, &said).unwrap_or_else(|why| panic!("{why}: {said}"));
    assert_eq!((&table["house"], &table["pit"]), (&json!("casino"), &json!("p1")));
    assert_eq!(table["address"], "https://bj-07.casino.example:8443");
    assert_eq!(
        (&table["face"], &table["verdict"]["table"]),
        (&json!("blind"), &json!("BJ-07")),
        "its shoe is not there"
    );
    let page = answered(&seen.address, "/?lang=en");
    assert!(page.contains("href=\"https://bj-07.casino.example:8443/"), "{page}");

    drop(broker);
    seen.until("the broker is missed", |pit| why(pit, "BJ-07").contains("the broker is not reached"));
    assert!(answered(&seen.address, "/healthz").contains("casino/p1/BJ-07: the broker is not reached"));
    let _broker = house.broker();
    seen.until("it is heard again", |pit| pit.table("BJ-07")["heard"] == true);

    at_table.signal("-TERM");
    assert!(at_table.ends().success());
    seen.until("the station is missed", |pit| why(pit, "BJ-07") == "the station says nothing");
    assert_eq!(seen.table("BJ-07")["verdict"]["table"], "BJ-07", "what it said last is told");
    drop(seen);
    let after = pit(&house, "");
    after.until("it is silent", |pit| why(pit, "BJ-07") == "the station says nothing");
    let table = after.table("BJ-07");
    assert_eq!((&table["heard"], &table["face"]), (&json!(false), &json!("blind")), "a start does not forget it");
}

#[test]
#[ignore = "needs nats-server"]
fn hundreds_of_tables_are_shown_worst_first_and_a_part_of_them_to_who_asks_for_it() {
    let house = House::new();
    let _broker = house.broker();
    let page = |pit: &str, n: usize| format!("https://{pit}-{n:03}.casino.example");
    let tables = |pit: &'static str, face: &'static str, count: usize| {
        (0..count).map(move |n| {
            let name = format!("{pit}-{n:03}");
            let said = told(&name, Some(&page(pit, n)), if n == 7 { face } else { "clear" });
            (format!("casino/{pit}/{name}"), said)
        })
    };
    let _teller = Teller::of(&house, tables("north", "act", 200).chain(tables("south", "blind", 100)).collect());
    let seen = pit(&house, "");
    seen.until("all are heard", |pit| pit.tables().iter().filter(|table| table["heard"] == true).count() == 300);
    let names = |query: &str| -> Vec<String> {
        asked(&seen, query).iter().map(|table| table["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("")[..3], ["south-007", "north-007", "north-000"], "the worst first, then by name");
    assert_eq!(names("of=South&lang=en").len(), 100, "a pit's");
    assert_eq!(names("of=casino/north/north-01").len(), 10);
    assert_eq!(names("only=attention"), ["south-007", "north-007"]);
    assert_eq!(names("only=attention&of=north"), ["north-007"]);
    assert_eq!(names("only=everything").len(), 300, "there is no such part");

    let page = answered(&seen.address, "/?lang=en&of=north&only=attention");
    assert_eq!(page.matches("class=\"tile ").count(), 1, "one table is asked for");
    assert!(page.contains("<b>299</b> not shown: <b>1</b> to be acted on or not seen"), "{page}");
    assert!(page.contains("data-events=\"/events?lang=en&amp;of=north&amp;only=attention\""), "{page}");
    let south = pit(&house, "pit = \"south\"\n");
    south.until("its own are heard", |pit| pit.tables().iter().filter(|table| table["heard"] == true).count() == 100);
    assert!(south.find("north-007").is_none(), "no other pit's are listened to");
}

#[test]
#[ignore = "needs nats-server"]
fn who_lies_at_the_broker_leads_nobody_anywhere_and_shows_nothing_that_is_no_verdict() {
    let house = House::new();
    let _broker = house.broker();
    let mut long = verdict("LONG");
    long["says"]["en"] = json!("x".repeat(1001));
    let said = [
        ("SCRIPT", told("SCRIPT", Some("javascript:alert(1)"), "clear")),
        ("NOWHERE", told("NOWHERE", None, "clear")),
        ("NO-TEXT", vec![0xff; 9]),
        ("LONG", json!({ "page": null, "verdict": long }).to_string().into_bytes()),
        ("HUGE", [told("HUGE", None, "clear"), vec![b' '; 40_000]].concat()),
    ];
    let said = said.into_iter().map(|(name, said)| (format!("casino/p1/{name}"), said));
    let teller = Teller::of(&house, said.collect());
    let seen = pit(&house, "");
    seen.until("both are heard", |pit| {
        ["SCRIPT", "NOWHERE"].iter().all(|name| pit.find(name).is_some_and(|table| table["heard"] == true))
    });
    for name in ["SCRIPT", "NOWHERE"] {
        assert_eq!(seen.table(name)["address"], Value::Null, "{name}");
    }
    let page = answered(&seen.address, "/?lang=en");
    assert!(!page.contains("javascript:") && page.contains("<span>SCRIPT</span>"), "{page}");
    drop(teller);
    let _others = Teller::of(
        &house,
        vec![
            ("casino/p1/NOWHERE".to_owned(), vec![0xff; 9]),
            ("casino/p1/SCRIPT".to_owned(), told("ANOTHER", None, "clear")),
        ],
    );
    seen.until("what is no verdict is told", |pit| why(pit, "NOWHERE").contains("is not understood"));
    seen.until("another table's is told", |pit| why(pit, "SCRIPT").contains("another table answers there: ANOTHER"));
    assert_eq!(seen.tables().len(), 2, "who never said what can be shown is no table");
    assert_eq!(fs::read_to_string(house.path("tables.known")).unwrap().lines().count(), 2);
}

#[test]
#[ignore = "needs nats-server"]
fn a_page_that_hears_nobody_says_so_though_it_knows_no_table() {
    let house = House::new();
    let seen = pit(&house, "");
    let health = |pit: &Pit| answered(&pit.address, "/healthz");
    assert!(health(&seen).contains("503") && health(&seen).contains("the broker is not reached"), "{}", health(&seen));
    let page = answered(&seen.address, "/?lang=es");
    assert!(page.contains("class=\"trouble blind\">no se llega al intermediario<"), "{page}");

    // a broker that lets everybody in, and lets nobody hear
    let config = format!(
        "listen: \"127.0.0.1:{}\"\nauthorization {{ users: [ {{ user: guest, password: guest, permissions: {{ \
         subscribe: [\"_INBOX.>\"] }} }} ] }}\nno_auth_user: guest\n",
        house.port
    );
    fs::write(house.path("deaf.conf"), config).unwrap();
    let mut command = Command::new("nats-server");
    let command = command.arg("-c").arg(house.path("deaf.conf")).stdout(Stdio::null()).stderr(Stdio::null());
    let deaf = Process::start(command);
    seen.until("the refusal is told", |pit| health(pit).contains("does not let the tables be heard"));
    drop(deaf);
    let _broker = house.broker();
    seen.until("all is well", |pit| health(pit).starts_with("HTTP/1.1 200"));
    assert!(!answered(&seen.address, "/?lang=es").contains("class=\"trouble"));
}
