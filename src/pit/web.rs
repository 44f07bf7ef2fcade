//! Addresses and headers.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::Event;
use axum::response::{Html, IntoResponse, Json, Response};
use axum::routing::get;
use sabot_law::table::answer::Lang;
use serde::Serialize;
use tokio::sync::{Semaphore, watch};

use crate::page::{self, VERSION};
use crate::tables::{Tables, Told};
use sabot_station::console::{Ui, assets};
use sabot_web::live::{self, NotSent, Pictures};
use sabot_web::{Limits, PageLang, guarded, preferred};

#[derive(Clone)]
struct Pit {
    shown: watch::Receiver<Arc<Tables>>,
    pictures: Arc<Pictures<Tables>>,
    shutdown: watch::Receiver<bool>,
    /// One for each live page.
    slots: Arc<Semaphore>,
}

pub(crate) fn router(
    shown: watch::Receiver<Arc<Tables>>,
    hosts: Vec<String>,
    limits: Limits,
    shutdown: watch::Receiver<bool>,
) -> Router {
    let pictures = Arc::new(Pictures::drawn_by(|tables, lang| Ok(page::draw(tables, lang)?)));
    let pit = Pit { shown, pictures, shutdown, slots: Arc::new(Semaphore::new(limits.live)) };
    let not_found =
        |headers: HeaderMap| async move { (StatusCode::NOT_FOUND, Ui::of(preferred(&headers)).pit_not_found) };
    let pages = Router::new()
        .route("/", get(shown_page))
        .route("/events", get(events))
        .route("/api/v1/tables", get(tables))
        .route("/api/v1/tables/events", get(table_events))
        .route("/healthz", get(health))
        .merge(assets())
        .fallback(not_found)
        .with_state(pit);
    guarded(pages, hosts)
}

impl Pit {
    fn tables(&self) -> Arc<Tables> {
        Arc::clone(&self.shown.borrow())
    }

    /// What is sent to who watches, while there is a place for him.
    fn watched(
        self,
        lang: Lang,
        next: impl FnMut(&Arc<Tables>) -> Result<Option<Event>, NotSent> + Send + 'static,
    ) -> Response {
        let Ok(slot) = self.slots.try_acquire_owned() else {
            return (StatusCode::SERVICE_UNAVAILABLE, Ui::of(lang).too_many).into_response();
        };
        live::stream(self.shown, self.shutdown, slot, |tables| tables.changes, next)
    }
}

async fn shown_page(State(pit): State<Pit>, PageLang(lang): PageLang) -> Response {
    let drawn = pit.pictures.of(&pit.tables(), lang).and_then(|drawn| Ok(page::page(&drawn, lang)?));
    match drawn {
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

async fn events(State(pit): State<Pit>, PageLang(lang): PageLang) -> Response {
    let pictures = live::pictures(Arc::clone(&pit.pictures), &VERSION, lang);
    pit.watched(lang, pictures)
}

/// Every table, worst first.
#[derive(Serialize)]
struct All<'a> {
    tables: Vec<Told<'a>>,
}

impl<'a> All<'a> {
    fn of(tables: &'a Tables) -> Self {
        Self { tables: tables.worst_first().into_iter().map(|(_, view)| Told::of(view)).collect() }
    }
}

async fn tables(State(pit): State<Pit>) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], Json(All::of(&pit.tables()))).into_response()
}

async fn table_events(State(pit): State<Pit>, PageLang(lang): PageLang) -> Response {
    pit.watched(lang, |tables| {
        Ok(Some(Event::default().event("tables").data(serde_json::to_string(&All::of(tables))?)))
    })
}

async fn health(State(pit): State<Pit>) -> Response {
    let tables = pit.tables();
    let lost =
        tables.worst_first().into_iter().filter_map(|(_, view)| Some(format!("{}: {}\n", view.name, view.why()?.en)));
    let lost: String = lost.collect();
    if lost.is_empty() {
        (StatusCode::OK, "ok\n").into_response()
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, lost).into_response()
    }
}
