//! Addresses and headers.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use serde::Serialize;
use tokio::sync::watch;

use crate::page::{self, VERSION, Way};
use crate::tables::{Part, Tables, Told};
use crate::trouble::Trouble;
use sabot_law::table::felt::Words;
use sabot_station::console::{Ui, assets, openapi};
use sabot_web::live::Live;
use sabot_web::{Limits, PageLang, document, guarded, preferred};

pub(crate) fn router(
    shown: watch::Receiver<Arc<Tables>>,
    hosts: Vec<String>,
    limits: Limits,
    shutdown: watch::Receiver<bool>,
) -> Router {
    let draw = |tables: &Tables, way: &Way| Ok(page::draw(tables, way)?);
    let live = Live::new(shown, draw, |tables| tables.changes, limits.live, shutdown);
    let not_found =
        |headers: HeaderMap| async move { (StatusCode::NOT_FOUND, Ui::of(preferred(&headers)).pit_not_found) };
    let pages = Router::new()
        .route("/", get(shown_page))
        .route("/events", get(events))
        .route("/api/v1/tables", get(tables))
        .route("/api/v1/tables/events", get(table_events))
        .route("/api/v1/openapi.json", get(openapi))
        .route("/healthz", get(health))
        .merge(assets())
        .fallback(not_found)
        .with_state(live);
    guarded(pages, hosts)
}

type Watched = Live<Tables, Way>;

async fn shown_page(State(live): State<Watched>, PageLang(lang): PageLang, Query(part): Query<Part>) -> Response {
    let (ui, way) = (Ui::of(lang), Way { lang, part: part.asked() });
    document(live.drawn(&way).and_then(|drawn| Ok(page::page(&drawn, &way)?)), ui.code, ui.not_drawn)
}

async fn events(State(live): State<Watched>, PageLang(lang): PageLang, Query(part): Query<Part>) -> Response {
    live.pictures(&VERSION, Way { lang, part: part.asked() }, Ui::of(lang).too_many)
}

/// The tables that are asked for, worst first.
#[derive(Serialize)]
struct All<'a> {
    tables: Vec<Told<'a>>,
    /// Why there may be more of them.
    troubles: Vec<Words>,
}

impl<'a> All<'a> {
    fn of(tables: &'a Tables, part: &Part) -> Self {
        let asked = tables.worst_first().into_iter().filter(|(_, view)| part.has(view));
        let troubles = tables.troubles.iter().map(Trouble::words).collect();
        Self { tables: asked.map(|(_, view)| Told::of(view)).collect(), troubles }
    }
}

async fn tables(State(live): State<Watched>, Query(part): Query<Part>) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], Json(All::of(&live.now(), &part.asked()))).into_response()
}

async fn table_events(State(live): State<Watched>, PageLang(lang): PageLang, Query(part): Query<Part>) -> Response {
    let part = part.asked();
    live.news(Ui::of(lang).too_many, move |tables| {
        Ok(Some(Event::default().event("tables").data(serde_json::to_string(&All::of(tables, &part))?)))
    })
}

async fn health(State(live): State<Watched>) -> Response {
    let tables = live.now();
    let lost = tables
        .worst_first()
        .into_iter()
        .filter_map(|(_, view)| Some(format!("{}: {}\n", view.full_name(), view.why()?.en)));
    let troubles = tables.troubles.iter().map(|trouble| format!("{}\n", trouble.words().en));
    let lost: String = troubles.chain(lost).collect();
    if lost.is_empty() {
        (StatusCode::OK, "ok\n").into_response()
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, lost).into_response()
    }
}
