//! Clients that ask for what Chromium asks for when it opens a table's page, and read what it reads: the page with its
//! headers, each file that the page names, over a connection that is kept, then the stream of events, each to its end.
//! They draw nothing: fifty browsers on one machine would take from the station the processor that each has for itself.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::Duration;

use sabot_stall_guard::PATIENCE;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::pixels::now;

/// What Chromium says of itself with each request.
const OF_ITSELF: &str = "Connection: keep-alive\r\n\
    User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36\r\n\
    Accept-Encoding: gzip, deflate, br, zstd\r\nAccept-Language: en-US,en;q=0.9\r\nSec-Fetch-Site: same-origin\r\n";
const OF_A_PAGE: &str = "Upgrade-Insecure-Requests: 1\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-User: ?1\r\n\
    Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8\r\n\
    Sec-Fetch-Dest: document\r\n";
const OF_A_FILE: &str = "Accept: */*\r\nSec-Fetch-Mode: no-cors\r\n";
const OF_A_STREAM: &str = "Accept: text/event-stream\r\nCache-Control: no-cache\r\nSec-Fetch-Mode: cors\r\n\
    Sec-Fetch-Dest: empty\r\n";

/// A picture that has come whole.
pub(super) struct Came {
    pub(super) watcher: usize,
    /// When its last byte was read, milliseconds since 1970.
    pub(super) at: f64,
    pub(super) data: String,
}

struct Connection {
    stream: TcpStream,
    read: Vec<u8>,
}

impl Connection {
    async fn open(address: &str) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, read: Vec::new() }
    }

    async fn more(&mut self) {
        let read = timeout(PATIENCE, self.stream.read_buf(&mut self.read)).await.expect("more comes in time").unwrap();
        assert!(read > 0, "the station goes on");
    }

    /// What stands before this, which is taken too.
    async fn up_to(&mut self, end: &[u8]) -> Vec<u8> {
        loop {
            if let Some(at) = self.read.windows(end.len()).position(|part| part == end) {
                let rest = self.read.split_off(at + end.len());
                let mut told = std::mem::replace(&mut self.read, rest);
                told.truncate(at);
                return told;
            }
            self.more().await;
        }
    }

    async fn bytes(&mut self, count: usize) -> Vec<u8> {
        while self.read.len() < count {
            self.more().await;
        }
        let rest = self.read.split_off(count);
        std::mem::replace(&mut self.read, rest)
    }

    /// The head of what is answered.
    async fn asks(&mut self, host: &str, path: &str, headers: &str) -> String {
        let ask = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{OF_ITSELF}{headers}\r\n");
        self.stream.write_all(ask.as_bytes()).await.unwrap();
        let head = String::from_utf8(self.up_to(b"\r\n\r\n").await).unwrap().to_ascii_lowercase();
        assert!(head.starts_with("http/1.1 200"), "{path}: {head}");
        head
    }

    /// The whole of what is answered.
    async fn gets(&mut self, host: &str, path: &str, headers: &str) -> String {
        let head = self.asks(host, path, headers).await;
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length = length.unwrap_or_else(|| panic!("{path} says how long it is: {head}")).trim().parse().unwrap();
        String::from_utf8(self.bytes(length).await).unwrap()
    }

    /// The next piece of an answer without a length.
    async fn chunk(&mut self) -> Vec<u8> {
        let length = String::from_utf8(self.up_to(b"\r\n").await).unwrap();
        let chunk = self.bytes(usize::from_str_radix(length.trim(), 16).unwrap()).await;
        self.up_to(b"\r\n").await;
        chunk
    }
}

/// What a page names in this attribute of its own station.
fn named<'a>(page: &'a str, attribute: &'a str) -> impl Iterator<Item = &'a str> {
    page.split(attribute).skip(1).filter_map(|rest| rest.split('"').next()).filter(|path| path.starts_with("/assets/"))
}

/// Opens the table's page as a browser does and reads its events for ever; tells each picture that has come.
pub(super) async fn watches(watcher: usize, host: String, came: mpsc::UnboundedSender<Came>) {
    let mut files = Connection::open(&host).await;
    let page = files.gets(&host, "/?lang=en", OF_A_PAGE).await;
    for path in named(&page, "href=\"").chain(named(&page, "src=\"")) {
        files.gets(&host, path, OF_A_FILE).await;
    }
    let path = page.split("data-events=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap().to_owned();
    let mut events = Connection::open(&host).await;
    events.asks(&host, &path, OF_A_STREAM).await;
    let mut text = Vec::new();
    loop {
        text.extend(events.chunk().await);
        while let Some(at) = text.windows(2).position(|part| part == b"\n\n") {
            let at_ms = now();
            let rest = text.split_off(at + 2);
            let event = String::from_utf8(std::mem::replace(&mut text, rest)).unwrap();
            let Some(data) = event.strip_prefix("event: picture\ndata: ") else { continue };
            if came.send(Came { watcher, at: at_ms, data: data.trim_end().to_owned() }).is_err() {
                return;
            }
        }
    }
}

/// When each of these watchers had the whole of the picture that tells a finding first, milliseconds since 1970.
pub(super) async fn all_told(coming: &mut mpsc::UnboundedReceiver<Came>, count: usize, finding: usize) -> Vec<f64> {
    let mark = format!("id=\"finding-{finding}\"");
    let mut told: Vec<Option<f64>> = vec![None; count];
    while told.iter().any(Option::is_none) {
        let Came { watcher, at, data } = timeout(PATIENCE, coming.recv()).await.expect("all are told").unwrap();
        let update: serde_json::Value = serde_json::from_str(&data).unwrap();
        let has_it = update["parts"]["findings"].as_str().is_some_and(|part| part.contains(&mark));
        if has_it {
            told[watcher].get_or_insert(at);
        }
    }
    told.into_iter().flatten().collect()
}

/// How long each thread of a process has had a processor, in nanoseconds, by its number.
pub(super) fn processor_times(pid: u32) -> BTreeMap<OsString, u64> {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap().map(|task| task.unwrap());
    let spent = tasks.filter_map(|task| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        Some((task.file_name(), text.split(' ').next()?.parse().ok()?))
    });
    spent.collect()
}

/// How long its threads have had a processor since then: those that still run.
pub(super) fn processor_time(pid: u32, before: &BTreeMap<OsString, u64>) -> Duration {
    let spent = |(task, now)| now - before.get(&task).unwrap_or(&0);
    Duration::from_nanos(processor_times(pid).into_iter().map(spent).sum())
}
