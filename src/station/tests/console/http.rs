//! The page over a real loopback socket.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use sabot_stall_guard::{PATIENCE, Stopwatch};
use sabot_station::console;
use sabot_station::record_feed::RecordFeed;
use sabot_station::shipping::Shipping;
use sabot_station::snapshot::Snapshot;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::samples;

pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) snapshots: watch::Sender<Arc<Snapshot>>,
    shutdown: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Served {
    pub(crate) async fn start(snapshot: Snapshot) -> Self {
        Self::with(snapshot, console::Access::default()).await
    }

    pub(crate) async fn with(snapshot: Snapshot, access: console::Access) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (snapshots, pictures) = watch::channel(Arc::new(snapshot));
        let (shutdown, stop) = watch::channel(false);
        Self { address, snapshots, shutdown, task: tokio::spawn(console::serve(listener, pictures, access, stop)) }
    }

    pub(crate) async fn ask(&self, path: &str, headers: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        stream
    }

    /// The whole answer: head and body.
    pub(crate) async fn get(&self, path: &str, headers: &str) -> (String, String) {
        let mut stream = self.ask(path, headers).await;
        let mut answer = String::new();
        timeout(PATIENCE, stream.read_to_string(&mut answer)).await.unwrap().unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.to_ascii_lowercase(), body.to_string())
    }
}

/// A live page's stream of events.
pub(crate) struct Events(BufReader<TcpStream>);

impl Events {
    async fn open(served: &Served, lang: &str) -> Self {
        Self::of(served, &format!("/events?lang={lang}")).await
    }

    pub(crate) async fn of(served: &Served, path: &str) -> Self {
        Self(BufReader::new(served.ask(path, "").await))
    }

    async fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = timeout(PATIENCE, self.0.read_line(&mut line)).await.unwrap().unwrap();
        (read > 0).then(|| line.trim_end().to_string())
    }

    /// The next event: its name and data; `None` at the end of the stream.
    pub(crate) async fn next(&mut self) -> Option<(String, String)> {
        let mut name = String::new();
        loop {
            let line = self.line().await?;
            if let Some(event) = line.strip_prefix("event: ") {
                name = event.into();
            } else if let Some(data) = line.strip_prefix("data: ") {
                return Some((name, data.into()));
            }
        }
    }

    async fn picture(&mut self) -> Value {
        loop {
            let (name, data) = self.next().await.expect("the stream goes on");
            if name == "picture" {
                return serde_json::from_str(&data).unwrap();
            }
        }
    }
}

#[tokio::test]
async fn the_page_is_spanish_unless_the_address_or_the_browser_asks_for_english() {
    let served = Served::start(samples::rich_play()).await;
    for (path, headers, lang, word) in [
        ("/", "", "es", "Ahora"),
        ("/", "Accept-Language: fr\r\n", "es", "Ahora"),
        ("/", "Accept-Language: en-GB,en;q=0.9,es;q=0.5\r\n", "en", "Now"),
        ("/?lang=es", "Accept-Language: en\r\n", "es", "Ahora"),
        ("/?lang=en", "", "en", "Now"),
    ] {
        let (head, body) = served.get(path, headers).await;
        assert!(head.starts_with("http/1.1 200") && head.contains(&format!("content-language: {lang}")), "{head}");
        assert!(body.contains(&format!("<html lang=\"{lang}\">")) && body.contains(&format!("<h2>{word}</h2>")));
    }
}

#[tokio::test]
async fn an_unknown_language_or_address_is_an_answer_that_names_it_and_a_way_out() {
    let served = Served::start(samples::empty_table()).await;
    let (head, body) = served.get("/?lang=%3Cb%3Efr", "").await;
    assert!(head.starts_with("http/1.1 400") && head.contains("content-type: text/plain"), "{head}");
    assert!(body.contains("lang=<b>fr") && body.contains("es o en"), "{body}");
    assert!(served.get("/events?lang=fr", "Accept-Language: en\r\n").await.1.contains("es or en"));
    let (head, body) = served.get("/table/7", "").await;
    assert!(head.starts_with("http/1.1 404") && body.contains("La mesa está en /"), "{head} {body}");
}

#[tokio::test]
async fn every_answer_carries_a_policy_that_lets_nothing_foreign_or_inline_run() {
    let served = Served::start(samples::rich_play()).await;
    for path in
        ["/", "/api/snapshot", "/healthz", "/assets/console.css", "/assets/console.js", "/assets/icon.svg", "/no"]
    {
        let (head, _) = served.get(path, "").await;
        let policy = head.lines().find_map(|line| line.strip_prefix("content-security-policy: ")).expect(path);
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"), "{path}: {policy}");
        assert!(!policy.contains("unsafe") && head.contains("x-content-type-options: nosniff"), "{path}");
    }
    let (_, page) = served.get("/", "").await;
    for address in page.split("=\"/assets/").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        let (head, body) = served.get(&format!("/assets/{address}"), "").await;
        assert!(head.starts_with("http/1.1 200") && head.contains("immutable") && !body.is_empty(), "{address}");
    }
    assert!(!page.contains("http://") && !page.contains("https://"), "works without a network");
}

#[tokio::test]
async fn the_snapshot_is_json_as_the_station_tells_it() {
    let snapshot = samples::rich_play();
    let mut wanted = serde_json::to_value(&snapshot).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let record = Some(RecordFeed::of(&folder.path().join("record")));
    let served = Served::with(snapshot, console::Access { record, ..console::Access::default() }).await;
    let (head, body) = served.get("/api/snapshot", "").await;
    assert!(head.contains("content-type: application/json") && head.contains("cache-control: no-store"), "{head}");
    let told: Value = serde_json::from_str(&body).unwrap();
    // but for players, each of whom has another name there
    for (n, told) in told["felt"]["boxes"].as_array().unwrap().iter().enumerate() {
        for who in ["seated", "bettor"] {
            let player = &mut wanted["felt"]["boxes"][n][who];
            let is_named = told[who].as_str().is_some_and(|name| name.starts_with("p-"));
            assert_eq!(is_named, player.is_string(), "{told}");
            *player = told[who].clone();
        }
    }
    assert_eq!(told, wanted);
    assert_eq!(told["felt"]["boxes"][1]["hands"][0]["cards"], serde_json::json!(["5C", "6D", "##"]));
    assert_eq!(told["findings"][0]["provision"], "C7");
}

#[tokio::test]
async fn health_fails_with_the_reason_when_the_journal_or_the_station_does() {
    let served = Served::start(samples::empty_table()).await;
    assert!(served.get("/healthz", "").await.0.starts_with("http/1.1 200"));
    let fault = samples::worst_evening();
    served.snapshots.send_replace(Arc::new(fault));
    let (head, body) = served.get("/healthz", "").await;
    assert!(head.starts_with("http/1.1 503") && body.contains("no queda espacio"), "{head} {body}");
    let Served { address, snapshots, shutdown, task } = served;
    let (other, _keep) = watch::channel(Arc::new(Snapshot::default()));
    drop(snapshots);
    let served = Served { address, snapshots: other, shutdown, task };
    for path in ["/healthz", "/events", "/api/v1/verdicts"] {
        assert!(served.get(path, "").await.0.starts_with("http/1.1 503"), "{path}");
    }
}

#[tokio::test]
async fn the_way_to_the_floor_is_on_the_page_and_told_to_programs_and_makes_no_table_sick() {
    let shipping = |connected, trouble: Option<&str>| {
        let mut snapshot = samples::calm_delivery();
        snapshot.line = 120;
        snapshot.figures.shipping = Some(Shipping { connected, kept: 77, trouble: trouble.map(str::to_owned) });
        snapshot
    };
    for (snapshot, said, shown) in [
        (shipping(true, None), "uplink: the broker is reached; 43 lines wait for a sink's signature", "En línea"),
        (shipping(false, None), "uplink: the broker is not reached; 43 lines wait", "Ausente"),
        (shipping(true, Some("A FORK")), "uplink: A FORK; 43 lines wait", "Rechazado"),
    ] {
        let served = Served::start(snapshot).await;
        let (head, body) = served.get("/healthz", "").await;
        assert!(head.starts_with("http/1.1 200") && body.starts_with("ok\n"), "{head}{body}");
        assert!(body.contains(said), "{body}");
        let page = served.get("/?lang=es", "").await.1;
        let item = page.split("id=\"device-uplink\"").nth(1).expect("it stands among the devices");
        let item = item.split("</li>").next().unwrap();
        assert!(item.contains("Planta") && item.contains(shown) && item.contains("43 líneas por firmar"), "{item}");
    }
    let alone = Served::start(samples::calm_delivery()).await;
    assert_eq!(alone.get("/healthz", "").await.1, "ok\n", "a table that ships nothing says nothing of it");
    assert!(!alone.get("/?lang=es", "").await.1.contains("device-uplink"));
}

#[tokio::test]
async fn a_live_page_gets_all_at_once_then_only_what_changed_in_its_language() {
    let served = Served::start(samples::calm_delivery()).await;
    let (mut es, mut en) = (Events::open(&served, "es").await, Events::open(&served, "en").await);
    for events in [&mut es, &mut en] {
        let first = events.picture().await;
        let parts: Vec<&String> = first["parts"].as_object().unwrap().keys().collect();
        assert_eq!(parts, ["devices", "due", "fault", "felt", "findings", "offers", "settlement", "status"]);
    }
    let mut next = samples::calm_delivery();
    next.findings.insert(0, samples::c7(2, sabot_station::snapshot::FindingState::Open));
    served.snapshots.send_replace(Arc::new(next));
    for (events, words) in [(&mut es, "salió descubierta"), (&mut en, "came uncovered")] {
        let update = events.picture().await;
        let parts = update["parts"].as_object().unwrap();
        assert!(parts["findings"].as_str().unwrap().contains(words));
        assert!(!parts.contains_key("devices") && !parts.contains_key("status"), "{:?}", parts.keys());
        assert!(update["title"].as_str().unwrap().contains("C7"));
    }
}

#[tokio::test]
async fn a_quiet_table_pulses_so_that_a_dead_stream_is_noticed() {
    let served = Served::start(samples::empty_table()).await;
    let mut events = Events::open(&served, "es").await;
    events.picture().await;
    for _ in 0..2 {
        let watch = Stopwatch::start();
        let pulse = timeout(PATIENCE, events.next()).await.expect("a pulse in time");
        assert_eq!(pulse.unwrap().0, "pulse");
        assert!(watch.elapsed() < Duration::from_millis(1_500), "{:?}", watch.elapsed());
    }
}

#[tokio::test]
async fn a_page_that_does_not_read_holds_up_nobody_and_then_sees_the_newest() {
    const SENT: u64 = 20;
    // so large that the sockets' buffers hold only some of them
    let large = |pass| {
        let mut snapshot = samples::rich_play();
        let text = format!("{pass} ").repeat(300_000);
        snapshot.felt.due = vec![samples::due(&text, &text)];
        snapshot.felt.pass = pass;
        Arc::new(snapshot)
    };
    let shows = |update: &Value, pass: u64| {
        update["parts"]["status"].as_str().is_some_and(|status| status.contains(&format!("<b>{pass}</b>")))
    };
    let served = Served::start(samples::rich_play()).await;
    let mut slow = Events::open(&served, "es").await;
    slow.picture().await;
    let mut quick = Events::open(&served, "es").await;
    quick.picture().await;
    for pass in 101..=100 + SENT {
        served.snapshots.send_replace(large(pass));
        while !shows(&quick.picture().await, pass) {}
    }
    let mut pictures = 1;
    while !shows(&slow.picture().await, 100 + SENT) {
        pictures += 1;
    }
    assert!(pictures < SENT, "{pictures} pictures: those that nobody could see were skipped");
}

#[tokio::test]
async fn pages_beyond_the_bound_are_told_so_and_a_place_comes_free_when_one_closes() {
    let limits = sabot_web::Limits { live: 8, ..sabot_web::Limits::default() };
    let access = console::Access { limits, ..console::Access::default() };
    let served = Served::with(samples::empty_table(), access).await;
    let mut live = Vec::new();
    for _ in 0..limits.live {
        let mut events = Events::open(&served, "es").await;
        events.picture().await;
        live.push(events);
    }
    let (head, body) = served.get("/events?lang=en", "").await;
    assert!(head.starts_with("http/1.1 503") && body.contains("Too many pages"), "{head} {body}");
    assert!(served.get("/healthz", "").await.0.starts_with("http/1.1 200"));
    live.pop();
    let free = async {
        loop {
            let mut events = Events::open(&served, "es").await;
            if events.line().await.unwrap().contains("200") {
                return;
            }
        }
    };
    timeout(PATIENCE, free).await.expect("the place of a closed page comes free");
}

#[tokio::test]
async fn the_page_stops_when_told_and_ends_its_streams() {
    let served = Served::start(samples::empty_table()).await;
    let mut events = Events::open(&served, "es").await;
    events.picture().await;
    served.shutdown.send_replace(true);
    timeout(PATIENCE, served.task).await.expect("it stops").unwrap();
    while events.next().await.is_some() {}
}

#[tokio::test]
async fn nonsense_on_the_socket_stops_nothing() {
    let served = Served::start(samples::empty_table()).await;
    for nonsense in [
        &b"\0\0\0\0"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc",
        b"GET",
    ] {
        let mut stream = TcpStream::connect(served.address).await.unwrap();
        stream.write_all(nonsense).await.unwrap();
    }
    let (head, _) = served.get("/?lang=%ff", "Accept-Language: \u{1};;;q=,\r\n").await;
    assert!(head.starts_with("http/1.1 400"), "{head}");
    assert!(served.get("/", "").await.0.starts_with("http/1.1 200"));
}
