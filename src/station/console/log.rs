//! The table's log: what its record tells, line by line, with search; and what people enter into its book.

use askama::Template;
use axum::Router;
use axum::extract::{Form, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use serde::Deserialize;

use super::desk::{Asks, Second, Served, Sheet, drawn, with_lang};
use super::past::{from_record, holds};
use super::ui_text::Ui;
use crate::acts::Act;
use crate::book::Book;
use crate::history::log::{LogLine, lines};
use sabot_web::PageLang;

pub(super) fn routes() -> Router<Served> {
    Router::new().route("/log", get(log).post(enter))
}

/// What is looked for.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    q: String,
}

/// What may be entered into the book.
struct EntryModel {
    word: &'static str,
    title: &'static str,
    /// It is about a device.
    has_device: bool,
}

#[derive(Template)]
#[template(path = "log.html", config = "console/askama.toml")]
struct LogSheet<'a> {
    s: Sheet<'a>,
    q: String,
    lines: Vec<LogLine>,
    more: usize,
    entries: [EntryModel; 3],
    /// Roles of the devices.
    devices: Vec<&'a str>,
}

async fn log(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    Query(Asked { q }): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let asks = Asks::of(&served, lang, &headers);
    told(&served, &asks, q, None).await
}

async fn told(served: &Served, asks: &Asks, q: String, told: Option<String>) -> Response {
    let (ui, words, lang) = (Ui::of(asks.lang), q.clone(), asks.lang);
    let is_wanted = move |LogLine { at, line, what, by, answers }: &LogLine| {
        holds(&format!("{at} {line} {what} {by} {}", answers.join(" ")), &words)
    };
    let read = from_record(served, asks, move |record| lines(record, lang, |_, line| is_wanted(line))).await;
    let (lines, more) = match read {
        Ok(read) => read,
        Err(why) => return why.response(lang),
    };
    let entry = |entry: Book, title| EntryModel { word: entry.word(), title, has_device: entry == Book::Service };
    let entries = [
        entry(Book::Service, ui.book_service),
        entry(Book::DecksInspected, ui.book_decks),
        entry(Book::CardReplaced, ui.book_card),
    ];
    let devices = asks.snapshot.devices.iter().map(|device| device.role.as_str()).collect();
    let s = asks.sheet(ui.log, "/log".to_owned(), told.clone());
    drawn(&told, &LogSheet { s, q, lines, more, entries, devices })
}

#[derive(Deserialize)]
struct Entered {
    act: String,
    #[serde(default)]
    about: String,
    note: String,
    #[serde(flatten)]
    second: Second,
}

async fn enter(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    headers: HeaderMap,
    Form(Entered { act, about, note, second }): Form<Entered>,
) -> Response {
    let asks = Asks::of(&served, lang, &headers);
    let is_there = about.is_empty() || asks.snapshot.devices.iter().any(|device| device.role == about);
    let (Ok(entry), true) = (act.parse(), is_there) else {
        return (StatusCode::BAD_REQUEST, Ui::of(lang).no_such_act).into_response();
    };
    match asks.done_with(Act::Book { entry, about, note }, second).await {
        Ok(()) => Redirect::to(&with_lang("/log", lang)).into_response(),
        Err(why) => told(&served, &asks, String::new(), Some(why)).await,
    }
}
