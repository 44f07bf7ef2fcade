//! Addresses and headers.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use sabot_law::table::LineNo;
use sabot_law::table::answer::Lang;
use serde::Deserialize;
use tokio::sync::watch;

use super::brief::Brief;
use super::events::{self, After};
use super::render::VERSION;
use super::ui_text::Ui;
use super::{Access, assets, brief, correct, dealer, desk, devices, log, metrics, moments, past, render, untold};
use crate::record_feed::RecordFeed;
use crate::snapshot::{Face, Snapshot};
use sabot_web::live::Live;
use sabot_web::tls::Tls;
use sabot_web::{PageLang, document, guarded, preferred};

/// Most bytes of a form.
const FORM_BYTES: usize = 8192;

#[derive(Clone)]
struct Console {
    live: Live<Snapshot>,
    /// What programs may follow.
    record: Option<RecordFeed>,
    /// There are people who act.
    can_act: bool,
    /// What the page is served with.
    tls: Option<Arc<Tls>>,
}

pub(crate) fn router(
    snapshots: watch::Receiver<Arc<Snapshot>>,
    Access { hosts, desk, tls, limits, record }: Access,
    shutdown: watch::Receiver<bool>,
) -> Router {
    let can_act = desk.is_some();
    let served = desk::Served::new(snapshots.clone(), desk.map(Arc::new), tls.is_some(), record.clone());
    let sheets = desk::routes()
        .merge(dealer::routes())
        .merge(correct::routes())
        .merge(past::routes())
        .merge(moments::routes())
        .merge(devices::routes())
        .merge(log::routes())
        .merge(untold::routes())
        .layer(DefaultBodyLimit::max(FORM_BYTES));
    let draw = |snapshot: &Snapshot, lang: &Lang| Ok(render::draw(snapshot, *lang)?);
    let live = Live::new(snapshots, draw, |snapshot| snapshot.line, limits.live, shutdown);
    let console = Console { live, record, can_act, tls };
    let pages = Router::new()
        .route("/", get(page))
        .route("/events", get(pictures))
        .route("/api/snapshot", get(snapshot))
        .route("/api/v1/verdict", get(verdict))
        .route("/api/v1/verdicts", get(verdicts))
        .route("/api/v1/events", get(events))
        .route("/api/v1/openapi.json", get(super::openapi))
        .route("/checkpoint", get(checkpoint))
        .route("/metrics", get(scrape))
        .route("/healthz", get(health))
        .route("/authority.crt", get(authority))
        .merge(assets())
        .fallback(|headers: HeaderMap| async move { (StatusCode::NOT_FOUND, Ui::of(preferred(&headers)).not_found) })
        .with_state(console)
        .merge(sheets.with_state(served));
    guarded(pages, hosts)
}

async fn page(State(console): State<Console>, PageLang(lang): PageLang) -> Response {
    let ui = Ui::of(lang);
    document(render::page(&console.live.now(), lang, console.can_act), ui.code, ui.not_drawn)
}

async fn pictures(State(console): State<Console>, PageLang(lang): PageLang) -> Response {
    watched(console, lang, |live, too_many| live.pictures(&VERSION, lang, too_many))
}

async fn verdicts(State(console): State<Console>, PageLang(lang): PageLang) -> Response {
    watched(console, lang, |live, too_many| live.news(too_many, brief::briefs()))
}

async fn events(
    State(console): State<Console>,
    PageLang(lang): PageLang,
    Query(after): Query<After>,
    headers: HeaderMap,
) -> Response {
    let Some(record) = &console.record else { return no_record() };
    match events::follow(record, after, &headers).await {
        Ok(follower) => watched(console, lang, |live, too_many| {
            live.events(too_many, |shown, page| events::tell(follower, shown, page))
        }),
        Err(why) => events::refused(&why),
    }
}

/// What is sent to who watches, while the station is there.
fn watched(console: Console, lang: Lang, send: impl FnOnce(Live<Snapshot>, &'static str) -> Response) -> Response {
    if console.live.has_ended() {
        return (StatusCode::SERVICE_UNAVAILABLE, Ui::of(lang).station_gone).into_response();
    }
    send(console.live, Ui::of(lang).too_many)
}

async fn verdict(State(console): State<Console>) -> Response {
    let snapshot = console.live.now();
    if !snapshot.has_told() {
        return told_nothing();
    }
    let brief = Brief::of(&snapshot);
    ([(header::CACHE_CONTROL, "no-store")], Json(brief)).into_response()
}

/// What stands in a picture before the first is no word of the table's.
fn told_nothing() -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, "this table has told nothing yet: it is starting\n").into_response()
}

async fn snapshot(State(console): State<Console>) -> Response {
    let Some(record) = &console.record else { return no_record() };
    let players = match record.players() {
        Ok(players) => players,
        Err(why) => return events::refused(&why),
    };
    let mut snapshot = Snapshot::clone(&console.live.now());
    players.hide_in_snapshot(&mut snapshot);
    ([(header::CACHE_CONTROL, "no-store")], Json(snapshot)).into_response()
}

/// What a witness has seen of the record.
#[derive(Debug, Deserialize)]
struct Seen {
    #[serde(default)]
    old: LineNo,
}

async fn checkpoint(State(console): State<Console>, Query(Seen { old }): Query<Seen>) -> Response {
    let Some(record) = &console.record else { return no_record() };
    match record.offer(old).await {
        Ok(Some(offer)) => ([(header::CACHE_CONTROL, "no-store")], offer.to_string()).into_response(),
        Ok(None) => {
            let why = "this record is not signed (`journal_key`), or does not lead to what is signed\n";
            (StatusCode::NOT_FOUND, why).into_response()
        }
        Err(why) => events::refused(&why),
    }
}

/// There is nothing by which programs could be told of players.
fn no_record() -> Response {
    (StatusCode::NOT_FOUND, "this station has no record that can be followed\n").into_response()
}

async fn scrape(State(console): State<Console>) -> Response {
    let snapshot = console.live.now();
    match metrics::metrics(snapshot) {
        Ok(text) => {
            ([(header::CONTENT_TYPE, metrics::CONTENT_TYPE), (header::CACHE_CONTROL, "no-store")], text).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "the metrics");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

async fn health(State(console): State<Console>) -> Response {
    if console.live.has_ended() {
        return (StatusCode::SERVICE_UNAVAILABLE, "the station has stopped\n").into_response();
    }
    let snapshot = console.live.now();
    if !snapshot.has_told() {
        return told_nothing();
    }
    let verdict = &snapshot.verdict;
    // the table deals on without the floor: what is the matter there is said, and is no reason for an alarm of its own
    let shipping = snapshot.figures.shipping.as_ref().map_or(String::new(), |shipping| {
        let how = match (&shipping.trouble, shipping.connected) {
            (Some(why), _) => why,
            (None, true) => "the broker is reached",
            (None, false) => "the broker is not reached",
        };
        format!("uplink: {how}; {} lines wait for a sink's signature\n", shipping.waiting(snapshot.line))
    });
    if verdict.face != Face::Blind {
        return (StatusCode::OK, format!("ok\n{shipping}")).into_response();
    }
    let since = verdict.since.as_ref().map_or(String::new(), |since| format!(" Since {since}."));
    let mut text = format!("{}{since}\n", verdict.sentence().en);
    for unseen in &verdict.unseen {
        text.push_str(&unseen.what.en);
        text.push('\n');
    }
    (StatusCode::SERVICE_UNAVAILABLE, text + &shipping).into_response()
}

/// The authority that signed the station's certificate: a tablet takes it once.
async fn authority(State(console): State<Console>, PageLang(lang): PageLang) -> Response {
    match console.tls.as_ref().and_then(|tls| tls.authority()) {
        Some(pem) => ([(header::CONTENT_TYPE, "application/x-x509-ca-cert")], pem).into_response(),
        None => (StatusCode::NOT_FOUND, Ui::of(lang).not_found).into_response(),
    }
}
