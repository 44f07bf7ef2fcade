//! Webhooks: the record told by HTTP, signed, in order and without a gap, and the verdict, to the example of a
//! receiver, over TLS too, and to receivers that fail, hang and come back.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use sabot_stall_guard::PATIENCE;
use sabot_wire::message::{Card, Observation, ShoeSaw};
use serde_json::Value;

use crate::acts::Desk;
use crate::door::resident_kib;
use crate::process::{Process, run, sabot, station};
use crate::processes::answered;

pub(crate) const SECRET: &str = "3f0c51d7a94be8826f1d0c7e5a93b2487d6e1f0a9c8b7a6d5e4f3c2b1a098f7e";

/// A file of the secret.
pub(crate) fn secret(folder: &Path, text: &str) -> std::path::PathBuf {
    let file = folder.join("surveillance.secret");
    fs::write(&file, format!("{text}\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    file
}

/// What stands at the end of a configuration.
pub(crate) fn webhook(to: &str, secret: &Path, profile: &str) -> String {
    let secret = secret.display();
    format!(
        "\n[[webhook]]\nname = \"watch\"\nurl = \"http://{to}/sabot?t=7\"\nsecret = \"{secret}\"\nprofile = \"{profile}\"\n"
    )
}

/// The example of a receiver, which takes more arguments: its address, and the lines that it prints.
fn example(secret: &Path, more: &[&str]) -> (Process, String, Receiver<Value>) {
    let mut python = Command::new("python3");
    python.arg("-B").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples/webhook.py"));
    python.arg("--secret").arg(secret).args(["--listen", "127.0.0.1:0"]).args(more);
    let mut python = Process::start(python.stdout(Stdio::piped()).stderr(Stdio::piped()));
    let mut told = python.error_lines();
    let first = told.next().unwrap();
    std::thread::spawn(move || told.for_each(drop));
    let (takes, lines) = channel();
    let out = python.lines();
    std::thread::spawn(move || {
        out.for_each(|line| drop(takes.send(serde_json::from_str(&line).unwrap())));
    });
    (python, first.trim_start_matches("listening on ").to_owned(), lines)
}

/// What a receiver printed until a line of the record.
fn until(lines: &Receiver<Value>, last: u64) -> Vec<Value> {
    let mut told = Vec::new();
    while told.last().is_none_or(|line: &Value| line["line"] != last) {
        told.push(lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("line {last} does not come: {told:?}")));
    }
    told
}

fn shoe_draws(desk: &mut Desk, cards: &[&str]) {
    for card in cards {
        desk.table.sees(&Observation::Shoe(ShoeSaw::Drawn(card.parse::<Card>().unwrap())));
    }
}

/// The last line of a record by now.
fn last(desk: &Desk) -> u64 {
    fs::read_to_string(desk.table.path("record")).unwrap().lines().count() as u64
}

#[test]
fn the_example_of_a_receiver_takes_every_line_in_order_and_none_that_somebody_else_signed() {
    let folder = tempfile::tempdir().unwrap();
    let key = secret(folder.path(), SECRET);
    let (_python, to, lines) = example(&key, &[]);
    let desk = Desk::in_play_with(&webhook(&to, &key, "lines"));
    let record = desk.record();
    let told = until(&lines, record.len() as u64);
    let numbers: Vec<u64> = told.iter().map(|line| line["line"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=record.len() as u64).collect::<Vec<_>>(), "each once, in order");
    for (line, stands) in told.iter().zip(&record).skip(1) {
        assert_eq!((&line["event"]["ev"], &line["t"]), (&stands["ev"], &stands["t"]), "{line}");
    }
    let draws: Vec<&Value> = told.iter().filter(|line| line["event"]["ev"] == "draw").collect();
    let covered = draws.iter().find(|line| line["event"]["face"] == "down").expect("the bank's second card");
    assert_eq!(covered["event"]["card"], "??");
    assert!(draws.len() == 8 && draws.iter().filter(|line| line["event"]["card"] == "??").count() == 1, "{draws:?}");
    let text = told.iter().map(Value::to_string).collect::<String>();
    assert!(!text.contains("\"seal\"") && !text.contains("\"chain\""), "{text}");

    let body = r#"{"table":"BJ-07","after":null,"lines":[{"id":"9-00000000","line":9}]}"#;
    for signature in ["", "t=1,v1=00", "t=x,v1=", &format!("t={},v1={}", 1_795_000_000, "0".repeat(64))] {
        let mut stream = TcpStream::connect(&to).unwrap();
        write!(
            stream,
            "POST / HTTP/1.1\r\nHost: {to}\r\nConnection: close\r\nSabot-Delivery: 9-00000000\r\n\
             Sabot-Signature: {signature}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.contains(" 401 "), "{signature}: {answer}");
    }
    let page = include_str!("../../docs/console.md");
    let documented = page.lines().find(|line| line.starts_with("curl ") && line.contains(":9000")).unwrap();
    let told = Command::new("sh").args(["-c", &documented.replace("127.0.0.1:9000", &to)]).output().unwrap();
    assert!(String::from_utf8_lossy(&told.stdout).contains(" 401 "), "{documented}: {told:?}");
    assert!(lines.recv_timeout(Duration::from_millis(50)).is_err(), "nothing of it was taken");
}

/// A delivery, as it came.
pub(crate) struct Delivery {
    pub(crate) head: String,
    pub(crate) body: Value,
}

/// Who comes next; a test whose delivery does not come ends.
fn accepted(listener: &TcpListener) -> TcpStream {
    let until = Instant::now() + PATIENCE;
    listener.set_nonblocking(true).unwrap();
    let stream = loop {
        match listener.accept() {
            Ok((stream, _)) => break stream,
            Err(why) => assert!(Instant::now() < until, "nothing is delivered: {why}"),
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    stream.set_nonblocking(false).unwrap();
    stream
}

/// The next delivery, which is answered so.
pub(crate) fn delivered(listener: &TcpListener, answer: &str) -> Delivery {
    let mut stream = BufReader::new(accepted(listener));
    let (mut head, mut line) = (String::new(), String::new());
    while line != "\r\n" {
        line.clear();
        stream.read_line(&mut line).unwrap();
        head.push_str(&line.to_ascii_lowercase());
    }
    let length = head.split("content-length: ").nth(1).and_then(|rest| rest.split('\r').next()).unwrap();
    let mut body = vec![0; length.parse().unwrap()];
    stream.read_exact(&mut body).unwrap();
    stream.get_mut().write_all(answer.as_bytes()).unwrap();
    Delivery { head, body: serde_json::from_slice(&body).unwrap() }
}

pub(crate) const TAKEN: &str = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n";
const FAILED: &str = "HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
/// It leads elsewhere, where nobody is told anything.
const ELSEWHERE: &str = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nConnection: close\r\n\r\n";

/// The numbers of the lines of a delivery.
fn numbers(delivery: &Delivery) -> Vec<u64> {
    delivery.body["lines"].as_array().unwrap().iter().map(|line| line["line"].as_u64().unwrap()).collect()
}

#[test]
fn what_was_not_taken_is_sent_again_and_after_a_start_it_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let key = secret(folder.path(), SECRET);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let to = listener.local_addr().unwrap().to_string();
    let mut desk = Desk::start(&webhook(&to, &key, "lines"));
    let first = delivered(&listener, FAILED);
    assert!(first.head.starts_with("post /sabot?t=7 http/1.1") && first.body["after"].is_null(), "{}", first.head);
    // it hangs up, answers nonsense, leads elsewhere: the same lines come again, signed anew each time
    for answer in ["", "nonsense\r\n\r\n", ELSEWHERE, TAKEN] {
        let again = delivered(&listener, answer);
        assert_eq!(again.body, first.body);
        assert!(again.head.contains("sabot-signature: t=") && again.head.contains(",v1="), "{}", again.head);
    }
    let mut told = numbers(&first);
    let take = |told: &mut Vec<u64>, until: u64| {
        while told.last() < Some(&until) {
            told.extend(numbers(&delivered(&listener, TAKEN)));
        }
    };
    shoe_draws(&mut desk, &["8H", "5C"]);
    desk.table.until("both cards", || desk.record().iter().filter(|line| line["ev"] == "draw").count() == 2);
    take(&mut told, last(&desk));
    desk.station.signal("-TERM");
    assert!(desk.station.ends().success());
    let before = last(&desk);
    let (station, address) = station(&desk.table.path("station.toml"), "info");
    (desk.station, desk.address) = (station, address);
    desk.table.until("it goes on", || last(&desk) > before);
    take(&mut told, before + 1);
    let end = *told.last().unwrap();
    assert_eq!(told, (1..=end).collect::<Vec<_>>(), "each once, over a start too");
}

#[test]
fn a_receiver_that_never_answers_holds_up_neither_the_table_nor_another_receiver() {
    let folder = tempfile::tempdir().unwrap();
    let key = secret(folder.path(), SECRET);
    let dead = TcpListener::bind("127.0.0.1:0").unwrap();
    let alive = TcpListener::bind("127.0.0.1:0").unwrap();
    let hook = |listener: &TcpListener| webhook(&listener.local_addr().unwrap().to_string(), &key, "findings");
    let more = hook(&dead) + &hook(&alive).replace("\"watch\"", "\"other\"");
    let desk = Desk::with_a_finding_and(&more);
    // who is told of findings is told this one first: not who sat where, and not what happened
    let delivery = delivered(&alive, TAKEN);
    let [line] = delivery.body["lines"].as_array().unwrap().as_slice() else { panic!("{}", delivery.body) };
    assert_eq!(line["answers"][0]["out"], "finding", "{line}");
    assert!(line.get("event").is_none() && line.get("entered").is_none(), "{line}");
    // the table goes on, and is not blind
    assert!(answered(&desk.address, "/healthz").starts_with("HTTP/1.1 200"));
    drop(accepted(&dead));
}

#[test]
fn over_tls_a_receiver_is_told_whose_certificate_the_house_has_signed_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let key = secret(folder.path(), SECRET);
    let made = |name: &str, whose: &str| {
        let path = folder.path().join(name);
        let ended = run(sabot(["tls", "make"]).arg(&path).args(["--for", whose]));
        assert_eq!(ended.status, 0, "{}", ended.err);
        path.display().to_string()
    };
    let (own, foreign, other) = (made("own", "127.0.0.1"), made("foreign", "127.0.0.1"), made("other", "10.20.0.9"));
    let receivers = [&own, &foreign, &other].map(|tls| example(&key, &["--tls", tls]));
    let hook = |(n, authority): (usize, &String)| {
        let to = &receivers[n].1;
        let over = webhook(to, &key, "lines").replace("http://", "https://").replace("\"watch\"", &format!("\"w{n}\""));
        format!("{over}authority = \"{authority}/authority.crt\"\n")
    };
    // the second shows a certificate of its own, the third one that is for another address
    let hooks = [(0, &own), (1, &own), (2, &other)].map(hook).concat();
    let desk = Desk::start(&hooks);
    let told = until(&receivers[0].2, 2);
    assert_eq!(told[0]["line"], 1, "{told:?}");
    for (name, why) in [("w1", "not signed by the house's authority"), ("w2", "is for another name")] {
        desk.table.until(why, || desk.table.log().lines().any(|line| line.contains(name) && line.contains(why)));
    }
    for (_, _, lines) in &receivers[1..] {
        assert!(lines.try_recv().is_err(), "nothing was said to a stranger");
    }
}

#[test]
fn the_verdict_is_sent_at_once_and_the_newest_in_the_place_of_one_that_was_not_taken() {
    let folder = tempfile::tempdir().unwrap();
    let key = secret(folder.path(), SECRET);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let to = listener.local_addr().unwrap().to_string();
    let mut desk = Desk::start(&webhook(&to, &key, "verdict"));
    let first = delivered(&listener, TAKEN);
    let verdict = |delivery: &Delivery| delivery.body["verdict"].clone();
    assert!(verdict(&first)["line"].as_u64() > Some(0) && first.head.contains(",v1="), "{}", first.body);
    let began = Instant::now();
    let until = |is: &dyn Fn(&Value) -> bool, answer: &str| loop {
        let delivery = delivered(&listener, answer);
        assert!(began.elapsed() < PATIENCE, "{}", delivery.body);
        if is(&verdict(&delivery)) {
            return verdict(&delivery);
        }
    };
    if verdict(&first)["face"] != "clear" {
        until(&|told| told["face"] == "clear", TAKEN);
    }
    desk.shoe_goes();
    let blind = until(&|told| told["face"] == "blind", FAILED);
    assert!(blind["stop"] == true && blind["unseen"][0]["stop"] == true, "{blind}");
    let taken = desk.posts("/findings/1", &desk.as_one("I-4"), "act=take");
    assert!(taken.starts_with("HTTP/1.1 303"), "{taken}");
    let newest = until(&|told| told["alarm"]["taken_by"] == "I-4", TAKEN);
    assert_eq!(newest["face"], "blind", "{newest}");
}

#[test]
fn a_delivery_is_a_cloud_event_where_that_is_asked_and_the_example_takes_it_as_any() {
    let folder = tempfile::tempdir().unwrap();
    let key = secret(folder.path(), SECRET);
    let schema: Value = serde_json::from_str(include_str!("../../docs/webhook-events.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    for profile in ["lines", "verdict"] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let to = listener.local_addr().unwrap().to_string();
        let hook = webhook(&to, &key, profile) + "format = \"cloudevents\"\n";
        let desk = Desk::start(&hook);
        let first = delivered(&listener, FAILED);
        let again = delivered(&listener, TAKEN);
        for event in [&first, &again] {
            assert!(event.head.contains("content-type: application/cloudevents+json\r\n"), "{}", event.head);
            assert!(event.head.contains(",v1="), "signed as any delivery: {}", event.head);
            assert!(schema.is_valid(&event.body), "{:?}: {}", schema.iter_errors(&event.body).next(), event.body);
            assert_eq!(event.body["source"], "/sabot/P/webhooks/watch");
            assert_eq!(event.body["type"], format!("sabot.{profile}"));
        }
        if profile == "lines" {
            assert_eq!(first.body, again.body, "it is the same event when it is sent again");
            assert_eq!(first.body["id"], first.body["data"]["lines"].as_array().unwrap().last().unwrap()["id"]);
        }
        drop(desk);
    }
    let (_python, to, lines) = example(&key, &[]);
    let desk = Desk::start(&(webhook(&to, &key, "lines") + "format = \"cloudevents\"\n"));
    desk.table.until("a record", || desk.table.path("record").exists() && last(&desk) > 0);
    let told = until(&lines, last(&desk));
    assert_eq!(told[0]["line"], 1, "{told:?}");
}

#[test]
fn receivers_that_never_answer_cost_no_more_memory_however_long_the_record_grows() {
    let folder = tempfile::tempdir().unwrap();
    let key = secret(folder.path(), SECRET);
    let dead = TcpListener::bind("127.0.0.1:0").unwrap();
    let to = dead.local_addr().unwrap().to_string();
    let hook = |n: usize| {
        let profile = ["lines", "findings", "verdict"][n % 3];
        webhook(&to, &key, profile).replace("\"watch\"", &format!("\"w{n}\""))
    };
    let mut desk = Desk::start(&(0..60).map(hook).collect::<String>());
    let mut drawn = 0;
    let mut draws = |desk: &mut Desk, count: usize| {
        drawn += count;
        for n in 0..count {
            desk.table.sees(&Observation::Shoe(ShoeSaw::Drawn(Card::from_code((n % 52) as u8))));
        }
        desk.table.until("all is recorded", || desk.table.written().matches("\"draw\"").count() == drawn);
    };
    draws(&mut desk, 300);
    let before = resident_kib(&desk.station);
    draws(&mut desk, 1500);
    let (with, bytes) = (resident_kib(&desk.station), desk.table.written().len());
    println!(
        "{before} KiB, {with} KiB after 1,500 cards more; 60 receivers that never answer, {bytes} bytes of record"
    );
    assert!(with < before + 8 * 1024, "{before} KiB, {with} KiB");
}

#[test]
fn a_secret_that_others_may_read_or_guess_is_refused_with_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let key = secret(folder.path(), "short");
    let table = "table = \"T\"\nregulation = \"sala-8\"\nlimits = { min = 1, max = 9 }\nlisten = \"127.0.0.1:0\"\n\
                 journal = \"record\"\n[[device]]\nrole = \"shoe\"\nport = \"shoe\"\n";
    let config = folder.path().join("station.toml");
    fs::write(&config, format!("{table}{}", webhook("127.0.0.1:9", &key, "lines"))).unwrap();
    let refused = || run(&mut sabot([Path::new("run").as_os_str(), "--config".as_ref(), config.as_os_str()]));
    let short = refused();
    assert!(
        short.status == 1 && short.err.contains("webhook `watch`") && short.err.contains("openssl"),
        "{}",
        short.err
    );
    fs::write(&key, SECRET).unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    let open = refused();
    assert!(open.status == 1 && open.err.contains("chmod 600"), "{}", open.err);
    assert!(!open.err.contains(SECRET) && !short.err.contains("short\n"), "{}", open.err);
}
