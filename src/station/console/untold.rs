//! Findings that nobody at the table is told, for who may know of them: what is left to be done, and the way to act.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::desk::{Asks, Served, Sheet, drawn};
use super::page_model::{FindingModel, PageModel};
use super::ui_text::Ui;
use sabot_web::PageLang;

pub(super) fn routes() -> Router<Served> {
    Router::new().route("/silent", get(untold))
}

#[derive(Template)]
#[template(path = "untold.html", config = "console/askama.toml")]
struct UntoldSheet<'a> {
    s: Sheet<'a>,
    /// The open ones first, in the order of attention.
    findings: Vec<FindingModel>,
}

async fn untold(State(served): State<Served>, PageLang(lang): PageLang, headers: HeaderMap) -> Response {
    let (asks, ui) = (Asks::of(&served, lang, &headers), Ui::of(lang));
    if !asks.may_know {
        // the same as of an address that there is not
        return (StatusCode::NOT_FOUND, ui.not_found).into_response();
    }
    let is_untold = |n: u64| asks.snapshot.untold.findings.iter().any(|view| view.finding.n == n);
    let page = PageModel::of(&asks.snapshot, lang);
    let findings = page.findings.into_iter().filter(|finding| is_untold(finding.n)).collect();
    drawn(&None, &UntoldSheet { s: asks.sheet(ui.untold, "/silent".to_owned(), None), findings })
}
