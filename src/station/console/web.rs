//! Addresses and headers.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::Event;
use axum::response::{Html, IntoResponse, Json, Response};
use axum::routing::get;
use sabot_law::table::answer::Lang;
use tokio::sync::{Semaphore, watch};

use super::brief::Brief;
use super::render::VERSION;
use super::ui_text::Ui;
use super::{Access, assets, brief, correct, dealer, desk, metrics, render};
use crate::snapshot::{Face, Snapshot};
use sabot_web::live::{self, NotSent, Pictures};
use sabot_web::tls::Tls;
use sabot_web::{PageLang, guarded, preferred};

/// Most bytes of a form.
const FORM_BYTES: usize = 8192;

#[derive(Clone)]
struct Console {
    snapshots: watch::Receiver<Arc<Snapshot>>,
    pictures: Arc<Pictures<Snapshot>>,
    shutdown: watch::Receiver<bool>,
    /// One for each live page.
    slots: Arc<Semaphore>,
    /// There are people who act.
    can_act: bool,
    /// What the page is served with.
    tls: Option<Arc<Tls>>,
}

pub(crate) fn router(
    snapshots: watch::Receiver<Arc<Snapshot>>,
    Access { hosts, desk, tls, limits }: Access,
    shutdown: watch::Receiver<bool>,
) -> Router {
    let slots = Arc::new(Semaphore::new(limits.live));
    let pictures = Arc::new(Pictures::drawn_by(|snapshot, lang| Ok(render::draw(snapshot, lang)?)));
    let can_act = desk.is_some();
    let served = desk::Served::new(snapshots.clone(), desk.map(Arc::new), tls.is_some());
    let sheets =
        desk::routes().merge(dealer::routes()).merge(correct::routes()).layer(DefaultBodyLimit::max(FORM_BYTES));
    let console = Console { snapshots, pictures, shutdown, slots, can_act, tls };
    let pages = Router::new()
        .route("/", get(page))
        .route("/events", get(events))
        .route("/api/snapshot", get(snapshot))
        .route("/api/v1/verdict", get(verdict))
        .route("/api/v1/verdicts", get(verdicts))
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
    let snapshot = Arc::clone(&console.snapshots.borrow());
    match render::page(&snapshot, lang, console.can_act) {
        Ok(page) => {
            let language = [(header::CONTENT_LANGUAGE, Ui::of(lang).code), (header::VARY, "Accept-Language")];
            (language, [(header::CACHE_CONTROL, "no-store")], Html(page)).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "the page");
            (StatusCode::INTERNAL_SERVER_ERROR, Ui::of(lang).not_drawn).into_response()
        }
    }
}

async fn events(State(console): State<Console>, PageLang(lang): PageLang) -> Response {
    let pictures = live::pictures(Arc::clone(&console.pictures), &VERSION, lang);
    watched(console, lang, pictures)
}

async fn verdicts(State(console): State<Console>, PageLang(lang): PageLang) -> Response {
    watched(console, lang, brief::briefs())
}

/// What is sent to who watches, while there is a place for him.
fn watched(
    console: Console,
    lang: Lang,
    next: impl FnMut(&Arc<Snapshot>) -> Result<Option<Event>, NotSent> + Send + 'static,
) -> Response {
    if console.snapshots.has_changed().is_err() {
        return (StatusCode::SERVICE_UNAVAILABLE, Ui::of(lang).station_gone).into_response();
    }
    let Ok(slot) = console.slots.try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, Ui::of(lang).too_many).into_response();
    };
    live::stream(console.snapshots, console.shutdown, slot, |snapshot| snapshot.line, next)
}

async fn verdict(State(console): State<Console>) -> Response {
    let brief = Brief::of(&console.snapshots.borrow());
    ([(header::CACHE_CONTROL, "no-store")], Json(brief)).into_response()
}

async fn snapshot(State(console): State<Console>) -> Response {
    let snapshot = Arc::clone(&console.snapshots.borrow());
    ([(header::CACHE_CONTROL, "no-store")], Json(&*snapshot)).into_response()
}

async fn scrape(State(console): State<Console>) -> Response {
    let snapshot = Arc::clone(&console.snapshots.borrow());
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
    if console.snapshots.has_changed().is_err() {
        return (StatusCode::SERVICE_UNAVAILABLE, "the station has stopped\n").into_response();
    }
    let verdict = &console.snapshots.borrow().verdict;
    if verdict.face != Face::Blind {
        return (StatusCode::OK, "ok\n").into_response();
    }
    let mut text = format!("{}\n", verdict.sentence().en);
    for unseen in &verdict.unseen {
        text.push_str(&unseen.what.en);
        text.push('\n');
    }
    (StatusCode::SERVICE_UNAVAILABLE, text).into_response()
}

/// The authority that signed the station's certificate: a tablet takes it once.
async fn authority(State(console): State<Console>, PageLang(lang): PageLang) -> Response {
    match console.tls.as_ref().and_then(|tls| tls.authority()) {
        Some(pem) => ([(header::CONTENT_TYPE, "application/x-x509-ca-cert")], pem).into_response(),
        None => (StatusCode::NOT_FOUND, Ui::of(lang).not_found).into_response(),
    }
}
