//! Addresses, languages and headers.

use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRequestParts, Query, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::{Html, IntoResponse, Json, Response, Sse};
use axum::routing::get;
use serde::Deserialize;
use tokio::sync::{Semaphore, watch};

use super::ui_text::Ui;
use super::{Access, CSS, Desk, ICON, JS, MAX_LIVE, desk, door, live_page, metrics, render};
use crate::snapshot::{Face, Snapshot};
use sabot_law::table::answer::Lang;

/// Only this server's own files, and nothing in the page's text that runs.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

#[derive(Clone)]
pub(super) struct Console {
    pub(super) snapshots: watch::Receiver<Arc<Snapshot>>,
    shutdown: watch::Receiver<bool>,
    /// One for each live page.
    slots: Arc<Semaphore>,
    /// Where people act, where they can.
    pub(super) desk: Option<Arc<Desk>>,
}

pub(crate) fn router(
    snapshots: watch::Receiver<Arc<Snapshot>>,
    Access { hosts, desk }: Access,
    shutdown: watch::Receiver<bool>,
) -> Router {
    let slots = Arc::new(Semaphore::new(MAX_LIVE));
    let console = Console { snapshots, shutdown, slots, desk: desk.map(Arc::new) };
    Router::new()
        .route("/", get(page))
        .route("/events", get(events))
        .route("/api/snapshot", get(snapshot))
        .route("/metrics", get(scrape))
        .route("/healthz", get(health))
        .route("/assets/console.css", get(|| async { asset("text/css; charset=utf-8", CSS) }))
        .route("/assets/console.js", get(|| async { asset("text/javascript; charset=utf-8", JS) }))
        .route("/assets/icon.svg", get(|| async { asset("image/svg+xml", ICON) }))
        .merge(desk::routes())
        .fallback(|headers: HeaderMap| async move { (StatusCode::NOT_FOUND, accepted(&headers).not_found) })
        .with_state(console)
        .layer(from_fn_with_state(Arc::from(hosts), door::let_in))
        .layer(map_response(with_security_headers))
}

async fn page(State(console): State<Console>, PageLang(lang): PageLang) -> Response {
    let snapshot = Arc::clone(&console.snapshots.borrow());
    match render::page(&snapshot, lang) {
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
    if console.snapshots.has_changed().is_err() {
        return (StatusCode::SERVICE_UNAVAILABLE, Ui::of(lang).station_gone).into_response();
    }
    let Ok(slot) = console.slots.try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, Ui::of(lang).too_many).into_response();
    };
    let stream = live_page::stream(console.snapshots, console.shutdown, lang, slot);
    ([(header::CACHE_CONTROL, "no-store"), (HeaderName::from_static("x-accel-buffering"), "no")], Sse::new(stream))
        .into_response()
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

/// A file of the page; its address carries the version, so a browser may keep it.
fn asset(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "public, max-age=31536000, immutable")], text)
        .into_response()
}

async fn with_security_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The language of whoever asks: by the address, else by the browser, else Spanish. An unknown one in the address is
/// refused.
pub(super) struct PageLang(pub(super) Lang);

#[derive(Deserialize)]
struct LangQuery {
    lang: Option<String>,
}

impl<S: Sync> FromRequestParts<S> for PageLang {
    type Rejection = (StatusCode, String);

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let refused = |text: &str| {
            let words = accepted(&parts.headers).not_a_language;
            (StatusCode::BAD_REQUEST, format!("lang={text}: {words}\n"))
        };
        let Ok(Query(query)) = Query::<LangQuery>::try_from_uri(&parts.uri) else { return Err(refused("?")) };
        match query.lang {
            None => Ok(Self(preferred(&parts.headers))),
            Some(text) => text.parse().map(Self).map_err(|_| refused(&text)),
        }
    }
}

fn accepted(headers: &HeaderMap) -> &'static Ui {
    Ui::of(preferred(headers))
}

fn preferred(headers: &HeaderMap) -> Lang {
    headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).map_or(Lang::Es, by_browser)
}

/// The language of `Accept-Language` with the greatest weight; the first of equals, Spanish where there is none of
/// ours.
fn by_browser(accept: &str) -> Lang {
    let mut best = (0.0, Lang::Es);
    for range in accept.split(',') {
        let mut fields = range.split(';').map(str::trim);
        let tag = fields.next().unwrap_or_default().to_ascii_lowercase();
        let weight = fields.find_map(|field| field.strip_prefix("q=")).map_or(Ok(1.0), str::parse::<f32>);
        let Ok(lang) = tag.split('-').next().unwrap_or_default().parse::<Lang>() else { continue };
        if let Ok(weight) = weight
            && weight > best.0
        {
            best = (weight, lang);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_browsers_first_choice_of_our_languages_wins_and_spanish_otherwise() {
        let cases = [
            ("", Lang::Es),
            ("fr-FR, de", Lang::Es),
            ("en-GB,en;q=0.9", Lang::En),
            ("es-AR,es;q=0.9,en;q=0.8", Lang::Es),
            ("fr, es;q=0.3, en;q=0.7", Lang::En),
            ("en;q=0, es;q=0.1", Lang::Es),
            ("en;q=much", Lang::Es),
            ("en;q=NaN", Lang::Es),
            ("EN", Lang::En),
        ];
        for (accept, lang) in cases {
            assert_eq!(by_browser(accept), lang, "{accept}");
        }
    }
}
