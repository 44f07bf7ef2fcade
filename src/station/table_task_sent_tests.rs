//! What leaves a station without being asked for: to its devices, its display, its signals and its log. And what it
//! answers to whoever asks over the network.

use std::io::Write;
use std::sync::{Arc, Mutex, Once};

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use sabot_drivers::signal::SignalContent;
use sabot_drivers::{LineState, Picture};
use sabot_law::table::LineNo;
use sabot_wire::message::{Observation, Role, ShoeSaw, Show};

use super::super::Links;
use super::{ADDRESSES, SELDOM};
use crate::snapshot::DeviceView;

/// What leaves a station without being asked for, one line each.
#[derive(Debug, Clone, Default)]
pub(super) struct Sent(Arc<Mutex<String>>);

impl Sent {
    pub(super) fn note(&self, line: &str) {
        let mut text = self.0.lock().unwrap();
        text.push_str(line);
        text.push('\n');
    }

    pub(super) fn take(&self) -> String {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl Links for Sent {
    fn ack(&self, role: Role, epoch: u32, seq: u32) {
        self.note(&format!("to {role}: up to {epoch} {seq}"));
    }

    fn show(&self, show: Show) {
        self.note(&format!("to the display: {show:?}"));
    }

    fn signal(&self, picture: &SignalContent) {
        self.note(&format!("to the signals: {picture:?}"));
    }

    fn signals(&self) -> Vec<DeviceView> {
        Vec::new()
    }

    fn renew(&mut self, _: &crate::reload::Reload) {}

    fn line(&self, _: Role) -> Option<LineState> {
        None
    }
}

/// The log of the program, at its finest.
impl Write for Sent {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().push_str(&String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Keeps the log of this thread from now on, without times.
///
/// A place in the program asks once who listens, and one that asks while a listener comes may miss him for good: so
/// somebody listens from the first on.
pub(super) fn logged() -> (Sent, tracing::subscriber::DefaultGuard) {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        let finest = tracing_subscriber::filter::LevelFilter::TRACE;
        tracing_subscriber::fmt().with_max_level(finest).with_writer(std::io::sink).init();
    });
    let log = Sent::default();
    let to = log.clone();
    let kept = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .without_time()
        .with_ansi(false)
        .with_writer(move || to.clone());
    (log, tracing::subscriber::set_default(kept.finish()))
}

/// An address with something for each part that it leaves open.
fn filled_in(address: &str, before: LineNo) -> String {
    let before = before.to_string();
    let parts = [
        ("{n}", "1"),
        ("{pass}", "1"),
        ("{article}", "C7"),
        ("{form}", "card"),
        ("{line}", "12"),
        ("{how}", "instead"),
        ("{before}", &before),
    ];
    parts.iter().fold(address.to_owned(), |address, (part, with)| address.replace(part, with))
}

/// The next event of a stream.
async fn next(body: &mut Body) -> String {
    let event = body.frame().await.unwrap().unwrap().into_data().unwrap();
    String::from_utf8_lossy(&event).into_owned()
}

/// The verdict, and the lines after one up to another; their chains, which seals are part of, masked.
async fn followed(body: &mut Body, (before, line): (LineNo, LineNo)) -> String {
    let mut text = next(body).await;
    while line > before && !text.contains(&format!("\nid: {line}-")) {
        let event = next(body).await;
        let (id, rest) = event.strip_prefix("id: ").and_then(|event| event.split_once('\n')).unwrap();
        text.push_str(&format!("\nid: {}-#\n{rest}", id.split('-').next().unwrap()));
    }
    text
}

/// Metrics but for how long the disk took and how often it was asked: that is the machine's, and no card's.
fn without_the_disk(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.starts_with("sabot_journal_sync_seconds")).collect()
}

/// All that is answered over the network; of the record the lines after one up to another.
pub(super) async fn answers(pages: &TowerToHyperService<Router>, (before, line): (LineNo, LineNo)) -> String {
    let mut text = String::new();
    let is_asked = |address: &&str| line.is_multiple_of(3) || !SELDOM.contains(address);
    for address in ADDRESSES.into_iter().filter(is_asked) {
        let answer = pages.call(Request::get(filled_in(address, before)).body(Body::empty()).unwrap()).await.unwrap();
        let (mut head, mut body) = answer.into_parts();
        let body = if address.starts_with("/api/v1/events") && head.status.is_success() {
            followed(&mut body, (before, line)).await
        } else if address.starts_with("/events") || address == "/api/v1/verdicts" {
            next(&mut body).await
        } else {
            let whole = body.collect().await.unwrap().to_bytes();
            unclocked(&without_the_disk(&String::from_utf8_lossy(&whole)))
        };
        if address == "/metrics" {
            head.headers.remove("content-length");
        }
        text.push_str(&format!("{address}: {} {:?}\n{address}: {body}\n", head.status, head.headers));
    }
    undated(&text)
}

/// What is answered without the times on the wall of this year: since when a table stands as it does is no card's.
fn undated(text: &str) -> String {
    let year = &crate::about::now()[..5];
    let mut parts = text.split(year);
    let first = parts.next().unwrap_or_default().to_owned();
    let is_of_time = |c: char| c.is_ascii_digit() || "-:.TZ".contains(c);
    parts.fold(first, |text, part| text + part.trim_start_matches(is_of_time))
}

/// A line with `#` for each hash and key: 64 hexadecimal digits.
pub(super) fn masked(line: &str) -> String {
    let is_hash = |part: &&str| part.len() == 64 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    line.split('"').map(|part| if is_hash(&part) { "#" } else { part }).collect::<Vec<_>>().join("\"")
}

/// What a camera at the shoe tells of a card beside which it is, once it has left.
pub(super) fn picture_of(saw: &Observation) -> Option<Picture> {
    let Observation::Shoe(ShoeSaw::Drawn(card)) = saw else { return None };
    Some(Picture(format!("a picture of {card}").into_bytes()))
}

/// A page without the hour at which it was drawn: that is the machine's, and no card's.
fn unclocked(page: &str) -> String {
    let mut parts = page.split("a esta hora: ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('<').map_or(part, |(_, rest)| rest))
}
