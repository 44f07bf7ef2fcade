//! Many tables on one page: real stations, and others that lie.

use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use sabot_stall_guard::PATIENCE;
use serde_json::Value;

use crate::acts::Desk;
use crate::door::{Table, resident_kib};
use crate::process::{Process, run, sabot, station_by};
use crate::processes::answered;

/// The page of some tables.
pub(crate) struct Pit {
    folder: tempfile::TempDir,
    process: Process,
    pub(crate) address: String,
}

impl Pit {
    /// `more` stands at the beginning of its configuration; a table is its name and its station's address.
    pub(crate) fn start(more: &str, tables: &[(&str, &str)]) -> Self {
        let folder = configured(more, tables);
        let config = folder.path().join("pit.toml");
        let (process, address) = station_by(sabot(["pit"]).arg(&config), &config);
        Self { folder, process, address }
    }

    /// What it tells programs, worst first.
    pub(crate) fn tables(&self) -> Vec<Value> {
        let answer = answered(&self.address, "/api/v1/tables");
        let told: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
        told["tables"].as_array().unwrap().clone()
    }

    pub(crate) fn find(&self, name: &str) -> Option<Value> {
        self.tables().into_iter().find(|table| table["name"] == name)
    }

    pub(crate) fn table(&self, name: &str) -> Value {
        self.find(name).unwrap()
    }

    pub(crate) fn until(&self, what: &str, is: impl Fn(&Self) -> bool) {
        let until = Instant::now() + PATIENCE;
        while !is(self) {
            let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            assert!(Instant::now() < until, "still not so: {what}; {:#?} {log}", self.tables());
            thread::sleep(Duration::from_millis(20));
        }
    }

    pub(crate) fn until_heard(&self, names: &[&str]) {
        self.until("all are heard", |pit| names.iter().all(|name| pit.table(name)["heard"] == true));
    }
}

/// A public key in a file, of a private one that is made there.
fn key(folder: &Path, name: &str) -> (String, String) {
    let (private, public) = (folder.join(name), folder.join(format!("{name}.vkey")));
    let made = run(sabot(["journal", "key"]).arg(&private).args(["--name", "casino.example/P"]));
    assert_eq!(made.status, 0, "{}", made.err);
    fs::write(&public, made.out).unwrap();
    (private.display().to_string(), public.display().to_string())
}

#[test]
fn a_pit_remembers_what_each_station_has_signed_and_cosigns_nothing_under_another_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let ((signs, public), (_, other)) = (key(folder.path(), "key"), key(folder.path(), "other"));
    let desk = Desk::starting(&format!("journal_key = \"{signs}\""), "");
    let witness = |name: &str, public: &str| {
        fs::create_dir(path(name)).unwrap();
        let more = format!("{HERE}\n[witness]\nfolder = \"{}\"\nname = \"casino.example/pit\"\n", path(name).display());
        Pit::start(&more, &[("P", &format!("http://{}\"\nkey = \"{public}", desk.address))])
    };
    let kept = |name: &str| {
        let files = fs::read_dir(path(name)).unwrap().map(|file| file.unwrap().path());
        files.filter(|file| file.extension().is_some_and(|end| end == "checkpoint")).collect::<Vec<_>>()
    };
    let pit = witness("seen", &public);
    pit.until("it has seen the record", |_| kept("seen").len() == 1);
    let shown = run(sabot(["journal", "key"]).arg(path("seen/witness.key")));
    fs::write(path("pit.vkey"), shown.out).unwrap();
    let verified = run(sabot(["journal", "verify"])
        .arg(desk.table.path("record"))
        .args(["--key", &public, "--witness"])
        .arg(path("pit.vkey"))
        .arg("--checkpoints")
        .arg(&kept("seen")[0]));
    assert_eq!(verified.status, 0, "{}{}", verified.out, verified.err);
    assert!(verified.out.contains("seen by casino.example/pit: lines 1 to"), "{}", verified.out);

    let stranger = witness("strange", &other);
    stranger.until_heard(&["P"]);
    let log = || fs::read_to_string(stranger.folder.path().join("log")).unwrap_or_default();
    stranger.until("it is refused", |_| log().contains("THE RECORD IS NOT COSIGNED"));
    assert!(kept("strange").is_empty(), "nothing is remembered of it");
}

fn configured(more: &str, tables: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut config = format!("{more}\n");
    for (name, address) in tables {
        config.push_str(&format!("[[table]]\nname = \"{name}\"\naddress = \"{address}\"\n"));
    }
    fs::write(folder.path().join("pit.toml"), config).unwrap();
    folder
}

pub(crate) const HERE: &str = "listen = \"127.0.0.1:0\"";

#[test]
fn the_worst_table_comes_first_with_who_must_act_and_the_way_there() {
    let desk = Desk::with_a_finding();
    let blind = Table::with(HERE);
    let (_station, blind_at) = blind.starts();
    let (desk_at, blind_at) = (format!("http://{}", desk.address), format!("http://{blind_at}"));
    let pit = Pit::start(HERE, &[("P", &desk_at), ("BJ-07", &blind_at)]);
    pit.until_heard(&["P", "BJ-07"]);
    let tables = pit.tables();
    assert_eq!([&tables[0]["name"], &tables[1]["name"]], ["BJ-07", "P"], "what is not seen comes first: {tables:#?}");
    assert_eq!([&tables[0]["face"], &tables[1]["face"]], ["blind", "act"]);
    let own = answered(&desk.address, "/api/v1/verdict");
    let own: Value = serde_json::from_str(own.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert_eq!(tables[1]["verdict"], own, "it is told as the station tells it");
    for (lang, who, place) in [("es", "sala", "Abierto"), ("en", "room", "Open")] {
        let page = answered(&pit.address, &format!("/?lang={lang}"));
        let tile = page.split("<li id=\"table-0\"").nth(1).unwrap().split("</li>").next().unwrap();
        assert!(tile.starts_with(" class=\"tile act\""), "{tile}");
        assert!(tile.contains(&format!("href=\"{desk_at}/findings/1?lang={lang}\"")), "{tile}");
        assert!(tile.contains(&format!("<p class=\"lead\">{who}</p>")) && tile.contains(place), "{tile}");
        assert!(page.find("table-1").unwrap() < page.find("table-0").unwrap(), "the page has the same order");
    }
    assert!(answered(&pit.address, "/healthz").starts_with("HTTP/1.1 200"));
    let mut events = TcpStream::connect(&pit.address).unwrap();
    write!(events, "GET /api/v1/tables/events HTTP/1.1\r\nHost: {}\r\n\r\n", pit.address).unwrap();
    let mut lines = BufReader::new(events).lines().map(Result::unwrap);
    let told = lines.by_ref().skip_while(|line| line != "event: tables").nth(1).unwrap();
    let told: Value = serde_json::from_str(told.strip_prefix("data: ").unwrap()).unwrap();
    assert_eq!(told["tables"][0]["name"], "BJ-07", "programs are told the same: {told}");
    assert!(lines.any(|line| line == "event: pulse"));
    // the same act, sent to the station and signed there, is seen from here
    let taken = desk.posts("/findings/1?lang=en", &desk.as_one("I-4"), "act=take");
    assert!(taken.starts_with("HTTP/1.1 303"), "{taken}");
    pit.until("it is taken", |pit| pit.table("P")["verdict"]["alarm"]["taken_by"] == "I-4");
}

#[test]
fn a_station_that_stands_still_or_is_gone_is_not_seen_with_what_it_said_last_and_comes_back() {
    let mut desk = Desk::with_a_finding();
    let address = format!("http://{}", desk.address);
    let pit = Pit::start(HERE, &[("P", &address)]);
    let is_lost = |pit: &Pit, why: &str| {
        let table = pit.table("P");
        let told = table["why"]["en"].as_str().unwrap_or_default().contains(why);
        table["heard"] == false && table["face"] == "blind" && told && table["verdict"]["alarm"]["finding"] == 1
    };
    pit.until_heard(&["P"]);
    desk.station.signal("-STOP");
    pit.until("it stands still", |pit| is_lost(pit, "says nothing"));
    let health = answered(&pit.address, "/healthz");
    assert!(health.starts_with("HTTP/1.1 503") && health.contains("P: the station says nothing"), "{health}");
    let page = answered(&pit.address, "/?lang=es");
    assert!(page.contains("class=\"tile blind old\"") && page.contains("SIN CONTACTO"), "{page}");
    desk.station.signal("-CONT");
    pit.until("it goes on", |pit| pit.table("P")["heard"] == true && pit.table("P")["face"] == "act");
    desk.station.kill();
    pit.until("it is gone", |pit| is_lost(pit, "is not reached"));
    // a station comes back where it was
    let config = desk.table.path("station.toml");
    let text = fs::read_to_string(&config).unwrap().replace("127.0.0.1:0", &desk.address);
    fs::write(&config, text).unwrap();
    (desk.station, desk.address) = crate::process::station(&config, "info");
    pit.until("it is back", |pit| pit.table("P")["heard"] == true && pit.table("P")["face"] == "act");
}

/// Somebody who answers so whatever he is asked.
fn liar(answer: impl Fn(&mut TcpStream) -> std::io::Result<()> + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let answer = Arc::new(answer);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let answer = Arc::clone(&answer);
            thread::spawn(move || {
                let mut stream = stream.unwrap();
                let _ = stream.read(&mut [0; 4096]);
                let ended = answer(&mut stream).map_err(|error| error.kind());
                assert!(matches!(ended, Ok(()) | Err(ErrorKind::BrokenPipe | ErrorKind::ConnectionReset)), "{ended:?}");
            });
        }
    });
    address
}

const STREAM: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";

/// Says something and hangs up.
fn says(text: String) -> String {
    liar(move |stream| stream.write_all(text.as_bytes()))
}

/// Says the beginning, and then the rest for ever.
fn says_for_ever(beginning: &'static str, rest: &'static [u8]) -> String {
    let rest = rest.repeat(1 + 65_536 / rest.len());
    liar(move |stream| {
        stream.write_all(beginning.as_bytes())?;
        loop {
            stream.write_all(&rest)?;
        }
    })
}

/// A verdict that nothing is wrong with, of a table of that name.
pub(crate) fn verdict(table: &str) -> Value {
    serde_json::json!({
        "table": table, "regulation": "sala-8", "line": 9, "pass": 1, "phase": "play", "face": "clear",
        "says": { "es": "todo se ve", "en": "all is seen" }, "stop": false, "unseen": [], "due": null, "open": 0,
        "alarm": null,
    })
}

fn event(verdict: &Value) -> String {
    format!("event: verdict\ndata: {verdict}\n\n")
}

#[test]
fn a_station_that_lies_is_told_as_one_that_is_not_understood_and_costs_bounded_memory() {
    let mut wordy = verdict("F");
    wordy["says"]["es"] = "x".repeat(2000).into();
    let mut faceless = verdict("G");
    faceless["face"] = "perfect".into();
    let liars = [
        ("A", says_for_ever(STREAM, b"x"), "not understood: it does not end"),
        ("B", says_for_ever(STREAM, b": nothing\n"), "not understood: it does not end"),
        ("C", says_for_ever("HTTP/1.1 200 OK\r\n", b"X: y\r\n"), "not understood"),
        ("D", says(format!("{STREAM}event: verdict\ndata: <html>\n\n")), "not understood: expected value"),
        ("E", says(format!("{STREAM}{}", event(&verdict("BJ-99")))), "another table answers there: BJ-99"),
        ("F", says(format!("{STREAM}{}", event(&wordy))), "not understood: more than 1000 letters"),
        ("G", says(format!("{STREAM}{}", event(&faceless))), "not understood: unknown variant `perfect`"),
        ("H", says(format!("{STREAM}event: pulse\ndata: 1\n\n")), "not understood: a pulse before a verdict"),
        (
            "I",
            says("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n".into()),
            "answers 302",
        ),
        ("J", says("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".into()), "answers 404"),
        ("K", says("SSH-2.0-OpenSSH_9.2\r\n".into()), "not understood"),
        ("L", says_for_ever(STREAM, b"event: later\ndata: 1\n\n"), "says nothing"),
        (
            "M",
            liar(|_| {
                thread::sleep(PATIENCE);
                Ok(())
            }),
            "says nothing",
        ),
        ("N", says(format!("{STREAM}{}", event(&verdict("")))), "is starting"),
    ];
    let honest = liar(|stream| {
        stream.write_all(format!("{STREAM}{}", event(&verdict("<b>O</b>"))).as_bytes())?;
        loop {
            thread::sleep(Duration::from_millis(300));
            stream.write_all(b"event: pulse\ndata: 9\n\n")?;
        }
    });
    let flood = says_for_ever(STREAM, event(&verdict("Q")).leak().as_bytes());
    let mut tables: Vec<(&str, &str)> = liars.iter().map(|(name, at, _)| (*name, at.as_str())).collect();
    tables.extend([("<b>O</b>", honest.as_str()), ("Q", flood.as_str())]);
    let pit = Pit::start(HERE, &tables);
    pit.until_heard(&["<b>O</b>", "Q"]);
    for (name, _, why) in &liars {
        pit.until(&format!("{name}: {why}"), |pit| {
            let table = pit.table(name);
            assert_eq!((&table["heard"], &table["face"]), (&false.into(), &"blind".into()), "{table}");
            table["why"]["en"].as_str().unwrap_or_default().contains(why)
        });
    }
    let order = pit.tables();
    let last: Vec<&Value> = order.iter().rev().take(2).map(|table| &table["face"]).collect();
    assert_eq!(last, ["clear", "clear"], "those that are heard come last: {order:#?}");
    let page = answered(&pit.address, "/");
    assert!(!page.contains("<b>O</b>") && page.contains("O&"), "a name is no markup");
    let kib = resident_kib(&pit.process);
    println!("{kib} KiB with {} tables", tables.len());
    assert!(kib < 100 * 1024, "{kib} KiB");
}

#[test]
fn a_pit_whose_configuration_has_a_mistake_or_that_would_speak_in_clear_does_not_start() {
    let starts = |more: &str, tables: &[(&str, &str)], args: &[&str]| {
        let folder = configured(more, tables);
        run(sabot(["pit"]).arg(folder.path().join("pit.toml")).args(args))
    };
    let here = [("A", "http://127.0.0.1:1")];
    for (more, tables, args, told) in [
        (HERE, &[("A", "http://10.20.0.7:8080")][..], &[][..], ["pit.toml:4", "in clear from 10.20.0.7:8080"]),
        (HERE, &[("A", "https://10.20.0.7")], &[], ["pit.toml:4", "authority = \"authority.crt\""]),
        (HERE, &[], &[], ["pit.toml:2", "[[table]]"]),
        ("listen = \"0.0.0.0:0\"", &here, &[], ["pit.toml:1", "sabot tls make"]),
        (HERE, &here, &["--listen", "0.0.0.0:0"], ["--listen", "sabot tls make"]),
        ("listne = \"x\"", &here, &[], ["unknown key `listne`", "write `listen`"]),
    ] {
        let ended = starts(more, tables, args);
        assert_eq!((ended.status, ended.out.as_str()), (2, ""), "{}", ended.err);
        assert!(told.iter().all(|told| ended.err.contains(told)), "{told:?}: {}", ended.err);
    }
    let none = run(&mut sabot(["pit", "/nowhere/pit.toml"]));
    assert!(none.status == 2 && none.err.contains("docs/pit.toml"), "{}", none.err);
    let no_authority = starts("authority = \"a.crt\"", &[("A", "https://127.0.0.1")], &["--listen", "127.0.0.1:0"]);
    assert!(no_authority.status == 1 && no_authority.err.contains("a.crt"), "{}", no_authority.err);
}

#[test]
fn a_page_is_asked_for_by_its_own_names_alone() {
    let pit = Pit::start("listen = \"127.0.0.1:0\"\nhosts = [\"pit.casino.example\"]", &[("A", "http://127.0.0.1:1")]);
    let page = format!("http://{}/", pit.address);
    let by = |name: &str| {
        run(Command::new("curl").args(["-s", "-w", "%{http_code}", "-H", &format!("Host: {name}"), &page]))
    };
    assert!(by("pit.casino.example").out.ends_with("200"));
    let foreign = by("evil.example").out;
    assert!(foreign.ends_with("421") && !foreign.contains("tile"), "{foreign}");
}

#[test]
fn a_station_over_tls_is_heard_where_the_houses_authority_has_signed_and_no_other_is() {
    let table = Table::with("listen = \"127.0.0.1:0\"\ntls = \"tls\"");
    table.makes(&["--for", "127.0.0.1"]);
    let (_station, address) = table.starts();
    let port = address.rsplit(':').next().unwrap();
    let (named, numbered) = (format!("https://localhost:{port}"), format!("https://{address}"));
    let other = Table::with(HERE);
    other.makes(&["--for", "127.0.0.1"]);
    let start = |authority: &Table, at: &str| {
        let authority = authority.path("tls/authority.crt");
        Pit::start(&format!("{HERE}\nauthority = \"{}\"", authority.display()), &[("BJ-07", at)])
    };
    let told = |pit: &Pit| pit.table("BJ-07")["why"]["en"].as_str().unwrap_or_default().to_owned();
    start(&table, &numbered).until_heard(&["BJ-07"]);
    start(&other, &numbered).until("another's", |pit| told(pit).contains("not signed by the house's authority"));
    start(&table, &named).until("another name", |pit| told(pit).contains("for another name"));
    // and its own page is served as a station's is
    let (tls, authority) = (table.path("tls"), table.path("tls/authority.crt"));
    let more = format!("{HERE}\ntls = \"{}\"\nauthority = \"{}\"", tls.display(), authority.display());
    let pit = Pit::start(&more, &[("BJ-07", &numbered)]);
    let page = table.curl(&[&format!("https://{}/?lang=en", pit.address)]);
    assert!(page.out.contains("<html lang=\"en\">") && page.out.contains("BJ-07"), "{} {}", page.out, page.err);
    let in_clear = says("HTTP/1.1 200 OK\r\n\r\n".into()).replace("http:", "https:");
    start(&table, &in_clear).until("no TLS", |pit| told(pit).contains("is not reached"));
}
