//! A table's page: the felt, what is due and every finding, live in a browser, in Spanish and English.
//!
//! It only ever reads [`Snapshot`]s, in which a covered or burned card is not to be found, and the record as programs
//! may follow it. Where the station knows
//! people who may, they sign in and act on it. A page gets everything at once when it connects, then the regions that
//! change; one that is slow skips updates and never holds up the station.
//!
//! | address | what |
//! |---|---|
//! | `/` | the page; `?lang=es` or `?lang=en`, else by `Accept-Language`, else Spanish |
//! | `/events` | server-sent events: `picture` (changed regions as HTML in JSON) and `pulse` (every second of quiet) |
//! | `/api/snapshot` | the snapshot as JSON |
//! | `/api/v1/verdict`, `/api/v1/verdicts` | the table in brief, as JSON; as it changes, as server-sent events |
//! | `/api/v1/events` | the record's lines as they come, from any of the newest on, and the verdict, as server-sent events |
//! | `/checkpoint?old=N` | the last checkpoint of the record, with the proof that it goes on from one of N lines |
//! | `/api/v1/openapi.json` | what programs may ask for, as OpenAPI describes it |
//! | `/metrics` | figures of the table and its devices, in the text format of Prometheus |
//! | `/findings/N` | one finding, and what may be done about it |
//! | `/findings` | the record's findings, with search |
//! | `/passes/N` | a pass that is over, played back |
//! | `/moments/N` | the felt as it stood after a line of the record, in the pass that goes on too |
//! | `/shift`, `/shoe` | what happened in a time, in figures; the shoe and what it was loaded with |
//! | `/devices` | each device: how it is and since when, what is not seen for it, its key and firmware, its false alarms |
//! | `/log` | the record line by line, with search; what people enter into the table's book |
//! | `/regulation`, `/regulation/C7` | the articles, with search |
//! | `/silent` | findings that nobody at the table is told, for who may know of them |
//! | `/staff` | who is signed in |
//! | `/acts` | authorise, report; where the station knows people |
//! | `/dealer` | the dealer's screen: what may be entered now, and forms for everything else |
//! | `/correct`, `/correct/N` | the lines of the pass: what each should have said, and what that would change |
//! | `/sign-in`, `/sign-out` | for those who act |
//! | `/authority.crt` | who signed the station's certificate |
//! | `/healthz` | 200 while the station runs and its journal can be written, else 503 and why |

mod asked;
pub mod brief;
mod correct;
mod dealer;
mod desk;
mod devices;
pub mod dossier;
mod events;
mod forms;
mod log;
mod log_words;
mod metrics;
mod moments;
mod page_model;
mod past;
mod render;
pub mod report;
mod sessions;
mod ui_text;
mod untold;
pub(crate) mod web;

use std::sync::Arc;

use axum::Router;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::watch;

pub use render::{RenderError, page, version};
pub use ui_text::Ui;

use crate::acts::Acts;
use crate::pins::Pins;
use crate::record_feed::RecordFeed;
use crate::second::Seconds;
use crate::snapshot::Snapshot;
use sabot_web::tls::Tls;
use sabot_web::{Limits, asset};
use sessions::Sessions;

/// What programs may ask stations and the page of many tables for, as OpenAPI describes it.
pub(crate) const OPENAPI: &str = include_str!("assets/openapi.json");
const CSS: &str = include_str!("assets/console.css");
const JS: &str = include_str!("assets/console.js");
/// What the page of a moment needs beside it.
const MOMENTS_JS: &str = include_str!("assets/moments.js");
/// What pages need beside them of which parts are drawn anew.
const RENEWED_JS: &str = include_str!("assets/renewed.js");
/// What pages need beside it that are kept on paper.
const PAPER_CSS: &str = include_str!("assets/paper.css");
/// What a page looks like that becomes a PDF.
const PDF_CSS: &str = include_str!("assets/pdf.css");
const ICON: &str = include_str!("assets/icon.svg");

/// The files of the pages: what they look like, and what keeps them the same as what is shown.
pub fn assets<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/assets/console.css", get(|| async { asset("text/css; charset=utf-8", CSS) }))
        .route("/assets/paper.css", get(|| async { asset("text/css; charset=utf-8", PAPER_CSS) }))
        .route("/assets/console.js", get(|| async { asset("text/javascript; charset=utf-8", JS) }))
        .route("/assets/moments.js", get(|| async { asset("text/javascript; charset=utf-8", MOMENTS_JS) }))
        .route("/assets/renewed.js", get(|| async { asset("text/javascript; charset=utf-8", RENEWED_JS) }))
        .route("/assets/icon.svg", get(|| async { asset("image/svg+xml", ICON) }))
}

/// The document of the interfaces for programs.
pub async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")], OPENAPI).into_response()
}

/// Who is let in, and who may act.
#[derive(Debug, Default)]
pub struct Access {
    /// Names under which the station is asked for, beside its addresses and `localhost`.
    pub hosts: Vec<String>,
    /// Where people act. None: the pages only show.
    pub desk: Option<Desk>,
    /// What the page is served with. None: in clear.
    pub tls: Option<Arc<Tls>>,
    /// How many may ask at one time.
    pub limits: Limits,
    /// The record, where programs may follow it.
    pub record: Option<RecordFeed>,
}

/// Where people sign in and act.
#[derive(Debug)]
pub struct Desk {
    acts: Acts,
    sessions: Arc<Sessions>,
    /// Acts that a second person has to sign.
    seconds: Seconds,
}

impl Desk {
    /// For people who act on a table, some acts with a second person.
    #[must_use]
    pub fn new(people: Arc<Pins>, seconds: Seconds, acts: Acts) -> Self {
        Self { acts, sessions: Arc::new(Sessions::of(people)), seconds }
    }
}

/// Serves the page until `shutdown` turns true or its sender is gone. A connection that fails is only logged.
pub async fn serve(
    listener: TcpListener,
    snapshots: watch::Receiver<Arc<Snapshot>>,
    access: Access,
    shutdown: watch::Receiver<bool>,
) {
    let (tls, limits) = (access.tls.clone(), access.limits);
    sabot_web::serve(listener, web::router(snapshots, access, shutdown.clone()), tls, limits, shutdown).await;
}
