//! "That is not how it was": the lines of the pass, what each should have said, what that changes, and a signature.

use std::collections::HashMap;

use askama::Template;
use axum::Router;
use axum::extract::{Form as Posted, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use sabot_law::table::{Event, LineNo};
use serde_json::{Map, Value};

use super::desk::{Asks, Second, Served, Sheet, drawn, with_lang};
use super::forms::{Form, FormModel, held};
use super::ui_text::Ui;
use crate::acts::Act;
use crate::amend::{Amendment, PassLine, Preview};
use sabot_web::PageLang;

/// Fields of a form that begin so are not the event's.
const STEP: &str = "_step";
/// The step that does it; any other shows what it would change.
const SIGN: &str = "sign";

pub(super) fn routes() -> Router<Served> {
    Router::new()
        .route("/correct", get(lines))
        .route("/correct/{line}", get(line))
        .route("/correct/{line}/{how}", get(kinds).post(struck))
        .route("/correct/{line}/{how}/{form}", get(form).post(filled_in))
}

/// What becomes of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Strike,
    Instead,
    After,
}

impl How {
    const ALL: [Self; 3] = [Self::Strike, Self::Instead, Self::After];

    const fn word(self) -> &'static str {
        match self {
            Self::Strike => "strike",
            Self::Instead => "instead",
            Self::After => "after",
        }
    }

    const fn title(self, ui: &Ui) -> &'static str {
        match self {
            Self::Strike => ui.did_not_happen,
            Self::Instead => ui.was_otherwise,
            Self::After => ui.missing_after,
        }
    }

    fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|how| how.word() == word)
    }
}

/// A line as a sheet shows it.
struct LineModel {
    line: LineNo,
    words: String,
}

impl LineModel {
    fn of(told: &PassLine, asks: &Asks) -> Self {
        let ui = Ui::of(asks.lang);
        let card = match &told.event {
            Event::Draw { card, .. } if !told.is_secret => format!(", {}", ui.card(*card)),
            Event::Reveal { card: Some(card), .. } => format!(", {}", ui.card(*card)),
            _ => String::new(),
        };
        Self { line: told.line, words: format!("{}{card}", told.words.get(asks.lang)) }
    }
}

#[derive(Template)]
#[template(path = "correct.html", config = "console/askama.toml")]
struct LinesSheet<'a> {
    s: Sheet<'a>,
    lines: Vec<LineModel>,
}

#[derive(Template)]
#[template(path = "correct_line.html", config = "console/askama.toml")]
struct LineSheet<'a> {
    s: Sheet<'a>,
    told: LineModel,
    /// What becomes of the line, where that is chosen.
    how: &'static str,
    how_title: &'static str,
    /// The form of what happened.
    form: Option<FormModel>,
    /// Forms to choose from.
    kinds: Vec<(&'static str, &'static str)>,
    /// What would change, in words, once that was asked.
    preview: Option<Vec<String>>,
    due: Option<String>,
    /// What is signed, once that may be: the names and values of its fields.
    sent: Option<Vec<(String, String)>>,
    players: Vec<String>,
}

/// What a sheet about one line shows beside the line.
#[derive(Default)]
struct Shown {
    how: Option<How>,
    form: Option<FormModel>,
    kinds: Vec<(&'static str, &'static str)>,
    preview: Option<Preview>,
    sent: Option<Vec<(String, String)>>,
    told: Option<String>,
}

impl Asks {
    async fn told(&self, line: LineNo) -> Result<PassLine, Response> {
        if let Some(nobody) = self.no_desk() {
            return Err(nobody);
        }
        let lines = self.pass_lines().await;
        lines.into_iter().find(|told| told.line == line).ok_or_else(|| self.lines_sheet(Vec::new(), Some(line)))
    }

    fn lines_sheet(&self, lines: Vec<PassLine>, missing: Option<LineNo>) -> Response {
        let ui = Ui::of(self.lang);
        let lines = lines.iter().rev().map(|told| LineModel::of(told, self)).collect();
        let told = missing.filter(|_| self.is_signed_in()).map(|line| format!("{} ({})", ui.no_such_line, line));
        let s = self.sheet(ui.correct, "/correct".to_owned(), told.clone());
        drawn(&told, &LinesSheet { s, lines })
    }

    fn line_sheet(&self, line: &PassLine, shown: Shown) -> Response {
        let ui = Ui::of(self.lang);
        let s = self.sheet(ui.correct, format!("/correct/{}", line.line), shown.told.clone());
        let due = shown.preview.as_ref().and_then(|preview| preview.due.as_ref());
        let due = due.map(|due| due.get(self.lang).to_owned());
        let words = |preview: Preview| preview.changes.iter().map(|one| one.get(self.lang).to_owned()).collect();
        let sheet = LineSheet {
            s,
            told: LineModel::of(line, self),
            how: shown.how.map_or("", How::word),
            how_title: shown.how.map_or("", |how| how.title(ui)),
            form: shown.form,
            kinds: shown.kinds,
            preview: shown.preview.map(words),
            due,
            sent: shown.sent,
            players: self.players(),
        };
        drawn(&shown.told, &sheet)
    }

    /// Shows what a correction would change, or does it where it is signed.
    async fn corrected(
        &self,
        line: &PassLine,
        amendment: Amendment,
        sent: &HashMap<String, String>,
        shown: Shown,
    ) -> Response {
        let act = Act::Correct(amendment);
        if sent.get(STEP).is_some_and(|step| step == SIGN) {
            let field = |name: &str| sent.get(name).cloned().unwrap_or_default();
            let second = Second { second: field("second"), second_pin: field("second_pin") };
            return match self.done_with(act, second).await {
                Ok(()) => Redirect::to(&with_lang("/correct", self.lang)).into_response(),
                Err(told) => self.line_sheet(line, Shown { told: Some(told), ..shown }),
            };
        }
        let fields = sent.iter().filter(|(name, _)| *name != STEP && !name.starts_with("second"));
        let sent = Some(fields.map(|(name, value)| (name.clone(), value.clone())).collect());
        match self.tried(act).await {
            Ok(preview) => self.line_sheet(line, Shown { preview: Some(preview), sent, ..shown }),
            Err((told, may_be_signed)) => {
                self.line_sheet(line, Shown { told: Some(told), sent: sent.filter(|_| may_be_signed), ..shown })
            }
        }
    }
}

/// An event as the log writes it.
fn written(event: &Event) -> Map<String, Value> {
    match serde_json::to_value(event) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

async fn lines(State(served): State<Served>, PageLang(lang): PageLang, headers: HeaderMap) -> Response {
    let asks = Asks::of(&served, lang, &headers);
    if let Some(nobody) = asks.no_desk() {
        return nobody;
    }
    let lines = asks.pass_lines().await;
    asks.lines_sheet(lines, None)
}

async fn line(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    Path(line): Path<LineNo>,
    headers: HeaderMap,
) -> Response {
    let asks = Asks::of(&served, lang, &headers);
    let told = match asks.told(line).await {
        Ok(told) => told,
        Err(why) => return why,
    };
    let fields = written(&told.event);
    let felt = &asks.snapshot.felt;
    let model = |form: &Form| form.model(felt, Ui::of(lang), |name| fields.get(name).map(held));
    let form = Form::of(&fields).map(model).filter(|form| !form.fields.is_empty());
    asks.line_sheet(&told, Shown { form, ..Shown::default() })
}

async fn kinds(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    Path((line, how)): Path<(LineNo, String)>,
    headers: HeaderMap,
) -> Response {
    let (asks, ui) = (Asks::of(&served, lang, &headers), Ui::of(lang));
    let Some(how) = How::named(&how) else { return nothing_here(ui) };
    match asks.told(line).await {
        Ok(told) => {
            let kinds = Form::of_corrections().map(|form| (form.name, form.title(ui))).collect();
            asks.line_sheet(&told, Shown { how: Some(how), kinds, ..Shown::default() })
        }
        Err(why) => why,
    }
}

async fn struck(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    Path((line, how)): Path<(LineNo, String)>,
    headers: HeaderMap,
    Posted(sent): Posted<HashMap<String, String>>,
) -> Response {
    let asks = Asks::of(&served, lang, &headers);
    let Some(How::Strike) = How::named(&how) else { return nothing_here(Ui::of(lang)) };
    match asks.told(line).await {
        Ok(told) => {
            let shown = Shown { how: Some(How::Strike), ..Shown::default() };
            asks.corrected(&told, Amendment::Strike(line), &sent, shown).await
        }
        Err(why) => why,
    }
}

async fn form(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    Path((line, how, form)): Path<(LineNo, String, String)>,
    headers: HeaderMap,
) -> Response {
    let (asks, ui) = (Asks::of(&served, lang, &headers), Ui::of(lang));
    let (Some(how), Some(form)) = (How::named(&how), Form::correcting(&form)) else { return nothing_here(ui) };
    match asks.told(line).await {
        Ok(told) => {
            let form = Some(form.model(&asks.snapshot.felt, ui, |_| None));
            asks.line_sheet(&told, Shown { how: Some(how), form, ..Shown::default() })
        }
        Err(why) => why,
    }
}

async fn filled_in(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    Path((line, how, form)): Path<(LineNo, String, String)>,
    headers: HeaderMap,
    Posted(sent): Posted<HashMap<String, String>>,
) -> Response {
    let (asks, ui) = (Asks::of(&served, lang, &headers), Ui::of(lang));
    let (Some(how), Some(form)) = (How::named(&how), Form::correcting(&form)) else { return nothing_here(ui) };
    let told = match asks.told(line).await {
        Ok(told) => told,
        Err(why) => return why,
    };
    let held = |name: &str| sent.get(name).cloned();
    let model = form.model(&asks.snapshot.felt, ui, held);
    let shown = Shown { how: Some(how), form: Some(model), ..Shown::default() };
    let before = written(&told.event);
    let is_same_kind = how == How::Instead && Form::of(&before).is_some_and(|of| of.name == form.name);
    let before = if is_same_kind { before } else { Map::new() };
    let amendment = match (form.event_from(before, ui, held), how) {
        (Ok(event), How::Instead) => Amendment::Instead(line, event),
        (Ok(event), How::After) => Amendment::After(line, event),
        (Ok(_), How::Strike) => return nothing_here(ui),
        (Err(wrong), _) => return asks.line_sheet(&told, Shown { told: Some(wrong), ..shown }),
    };
    asks.corrected(&told, amendment, &sent, shown).await
}

fn nothing_here(ui: &Ui) -> Response {
    (StatusCode::NOT_FOUND, ui.not_found).into_response()
}
