//! Going back through the pass that goes on, or any other: the felt as it stood after each line of the record, each
//! with an address of its own. It works without scripts.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use sabot_law::table::LineNo;
use serde::Deserialize;

use super::desk::{Asks, Served, Sheet, drawn, with_lang};
use super::events::refused;
use super::page_model::PageModel;
use super::render::{felt, settlement};
use super::ui_text::Ui;
use crate::history::moment::Moments;
use crate::history::step::StepLine;
use sabot_web::PageLang;

/// Moments that are listed on either side of the one that is shown.
const LISTED: usize = 12;

pub(super) fn routes() -> Router<Served> {
    Router::new().route("/moments", get(chosen)).route("/moments/{line}", get(moment))
}

#[derive(Template)]
#[template(path = "moment.html", config = "console/askama.toml")]
struct MomentSheet<'a> {
    s: Sheet<'a>,
    line: LineNo,
    pass: u64,
    is_over: bool,
    /// The first and the last moment of the pass.
    ends: (LineNo, LineNo),
    before: Option<LineNo>,
    after: Option<LineNo>,
    now: &'a StepLine,
    picture: String,
    /// What bets were owed then and had been given, while the bank settled.
    settlement: String,
    /// What was due then.
    due: Option<String>,
    /// Findings that were open then: their article and place.
    open: Vec<String>,
    about: Vec<&'a StepLine>,
}

/// The moment that a form names.
#[derive(Deserialize)]
struct Chosen {
    at: LineNo,
}

async fn chosen(PageLang(lang): PageLang, Query(Chosen { at }): Query<Chosen>) -> Redirect {
    Redirect::to(&with_lang(&format!("/moments/{at}"), lang))
}

async fn moment(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    Path(line): Path<LineNo>,
    headers: HeaderMap,
) -> Response {
    let (asks, ui) = (Asks::of(&served, lang, &headers), Ui::of(lang));
    let Some(record) = &served.record else { return (StatusCode::NOT_FOUND, ui.no_record).into_response() };
    let moments: Arc<Moments> = match record.moments(line, asks.snapshot.line, lang).await {
        Ok(Some(moments)) => moments,
        Ok(None) => return (StatusCode::NOT_FOUND, ui.no_moment).into_response(),
        Err(why) => return refused(&why),
    };
    let Some(at) = moments.place_of(line) else { return (StatusCode::NOT_FOUND, ui.no_moment).into_response() };
    let (steps, pass) = (&moments.steps, moments.pass);
    let line_at = |at: usize| steps.get(at).map(|step| step.picture.line);
    let (Some(now), Some(first), Some(last)) = (steps[at].lines.first(), line_at(0), line_at(steps.len() - 1)) else {
        return (StatusCode::NOT_FOUND, ui.no_moment).into_response();
    };
    let page = PageModel::of(&steps[at].picture, lang);
    let (Ok(picture), Ok(settlement)) = (felt(&page), settlement(&page)) else {
        return (StatusCode::INTERNAL_SERVER_ERROR, ui.not_drawn).into_response();
    };
    let open = page.findings.iter().filter(|finding| finding.state_class == "open");
    let open = open.map(|finding| format!("{} {}", finding.article, finding.place)).collect();
    let about = steps.iter().skip(at.saturating_sub(LISTED)).take(2 * LISTED + 1);
    let title = format!("{} {pass} · {} {line}", ui.pass, ui.finding_line);
    let sheet = MomentSheet {
        s: asks.sheet(&title, format!("/moments/{line}"), None),
        line,
        pass,
        is_over: asks.is_over(pass),
        ends: (first, last),
        before: at.checked_sub(1).and_then(line_at),
        after: line_at(at + 1),
        now,
        picture,
        settlement,
        due: page.due.map(str::to_owned),
        open,
        about: about.filter_map(|step| step.lines.first()).collect(),
    };
    drawn(&None, &sheet)
}
