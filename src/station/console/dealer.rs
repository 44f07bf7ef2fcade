//! The dealer's screen: what he may enter now, the likeliest in the largest letters; a form for everything else.

use std::collections::HashMap;

use askama::Template;
use axum::Router;
use axum::extract::{Form as Posted, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use sabot_law::table::line;
use serde_json::Value;

use super::desk::{Asks, Served, Sheet, drawn, with_lang};
use super::forms::{FORMS, Form, FormModel};
use super::render;
use super::ui_text::Ui;
use crate::acts::Act;
use sabot_law::table::Event;
use sabot_law::table::answer::Lang;
use sabot_web::PageLang;
use sabot_web::live::Drawn;

/// The value of the button that takes back what was entered last.
const TAKE_BACK: &str = "take_back";

pub(super) fn routes() -> Router<Served> {
    Router::new()
        .route("/dealer", get(screen).post(touched))
        .route("/dealer/more", get(more))
        .route("/dealer/more/{form}", get(form).post(filled_in))
}

#[derive(Template)]
#[template(path = "dealer.html", config = "console/askama.toml")]
struct DealerPage<'a> {
    s: Sheet<'a>,
    d: &'a Drawn,
}

#[derive(Template)]
#[template(path = "more.html", config = "console/askama.toml")]
struct MoreSheet<'a> {
    s: Sheet<'a>,
    forms: Vec<FormModel>,
}

#[derive(Template)]
#[template(path = "form.html", config = "console/askama.toml")]
struct FormSheet<'a> {
    s: Sheet<'a>,
    form: FormModel,
    players: Vec<String>,
}

impl Asks {
    fn dealer(&self, told: Option<String>) -> Response {
        let ui = Ui::of(self.lang);
        match render::draw(&self.snapshot, self.lang) {
            Ok(d) => {
                let s = self.sheet(ui.dealers_screen, "/dealer".to_owned(), told.clone());
                drawn(&told, &DealerPage { s, d: &d })
            }
            Err(error) => {
                tracing::error!(%error, "the dealer's screen");
                (StatusCode::INTERNAL_SERVER_ERROR, ui.not_drawn).into_response()
            }
        }
    }

    fn form(&self, form: &Form, told: Option<String>) -> Response {
        let model = form.model(&self.snapshot.felt, Ui::of(self.lang), |_| None);
        let here = format!("/dealer/more/{}", form.name);
        let players = self.players();
        drawn(&told, &FormSheet { s: self.sheet(model.title, here, told.clone()), form: model, players })
    }
}

async fn screen(State(served): State<Served>, PageLang(lang): PageLang, headers: HeaderMap) -> Response {
    let asks = Asks::of(&served, lang, &headers);
    asks.no_desk().unwrap_or_else(|| asks.dealer(None))
}

async fn more(State(served): State<Served>, PageLang(lang): PageLang, headers: HeaderMap) -> Response {
    let asks = Asks::of(&served, lang, &headers);
    let (felt, ui) = (&asks.snapshot.felt, Ui::of(lang));
    let forms = FORMS.iter().map(|form| form.model(felt, ui, |_| None)).collect();
    let s = asks.sheet(ui.more, "/dealer/more".to_owned(), None);
    asks.no_desk().unwrap_or_else(|| drawn(&None, &MoreSheet { s, forms }))
}

async fn form(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    let asks = Asks::of(&served, lang, &headers);
    let Some(form) = Form::named(&name) else { return no_such_form(lang) };
    asks.no_desk().unwrap_or_else(|| asks.form(form, None))
}

fn no_such_form(lang: Lang) -> Response {
    (StatusCode::NOT_FOUND, Ui::of(lang).not_found).into_response()
}

/// The events of a button, as they stand in it.
fn events(value: &str) -> Option<Vec<Event>> {
    let all: Vec<Value> = serde_json::from_str(value).ok()?;
    all.iter().map(|one| line::event(one.to_string().as_bytes()).ok()).collect()
}

async fn touched(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    headers: HeaderMap,
    Posted(fields): Posted<HashMap<String, String>>,
) -> Response {
    let asks = Asks::of(&served, lang, &headers);
    let value = fields.get("act").map(String::as_str).unwrap_or_default();
    let act = match (value, events(value)) {
        (TAKE_BACK, _) => Act::TakeBack,
        (_, Some(events)) => Act::Enter { events, is_offered: true },
        _ => return (StatusCode::BAD_REQUEST, Ui::of(lang).no_such_act).into_response(),
    };
    match asks.done(act).await {
        Ok(()) => Redirect::to(&with_lang("/dealer", lang)).into_response(),
        Err(told) => asks.dealer(Some(told)),
    }
}

async fn filled_in(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    Path(name): Path<String>,
    headers: HeaderMap,
    Posted(fields): Posted<HashMap<String, String>>,
) -> Response {
    let asks = Asks::of(&served, lang, &headers);
    let Some(form) = Form::named(&name) else { return no_such_form(lang) };
    let event = match form.event(Ui::of(lang), |field| fields.get(field).cloned()) {
        Ok(event) => event,
        Err(wrong) => return asks.form(form, Some(wrong)),
    };
    match asks.done(Act::Enter { events: vec![event], is_offered: false }).await {
        Ok(()) => Redirect::to(&with_lang("/dealer", lang)).into_response(),
        Err(told) => asks.form(form, Some(told)),
    }
}
