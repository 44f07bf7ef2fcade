//! What has happened at the table, from its record: findings with search, passes played back, the shift in figures,
//! the shoe; and by what it is judged and by whom. All of it works without scripts.

use askama::Template;
use axum::Router;
use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use sabot_law::regulation::{Article, fill};
use sabot_law::table::answer::Lang;
use sabot_law::table::{Place, Settings, words};
use serde::Deserialize;

use super::desk::{Asks, Served, Sheet, drawn, with_lang};
use super::events::refused;
use super::page_model::PageModel;
use super::render::felt;
use super::ui_text::Ui;
use crate::acts::Act;
use crate::history::findings::{Item, Wanted, found};
use crate::history::log::LogLine;
use crate::history::pass::passed;
use crate::history::service::{Service, Serving, serving};
use crate::history::shift::Shift;
use crate::history::shoe::shoe;
use crate::history::step::{Step, StepLine};
use crate::history::{NotRead, Record, regulation};
use crate::record_feed::NotFollowed;
use crate::report::Report;
use crate::snapshot::FindingState;
use crate::staff::Office;
use sabot_web::PageLang;

/// Most findings on one page.
const FINDINGS: usize = 200;

pub(super) fn routes() -> Router<Served> {
    Router::new()
        .route("/findings", get(findings))
        .route("/passes/{pass}", get(pass))
        .route("/shift", get(shift))
        .route("/shoe", get(the_shoe))
        .route("/regulation", get(articles))
        .route("/regulation/{article}", get(article))
        .route("/staff", get(staff).post(serve))
}

/// Why there is no page.
pub(super) enum NoPage {
    Record(NotFollowed),
    /// The station has none.
    NoRecord,
    Nothing,
}

impl From<NotFollowed> for NoPage {
    fn from(why: NotFollowed) -> Self {
        Self::Record(why)
    }
}

impl NoPage {
    pub(super) fn response(&self, lang: Lang) -> Response {
        let ui = Ui::of(lang);
        match self {
            // in people's words; programs are told the rest
            Self::Record(why) => {
                let answer = refused(why);
                let is_starting = matches!(why, NotFollowed::Starting);
                (answer.status(), if is_starting { ui.record_starting } else { ui.record_unread }).into_response()
            }
            Self::NoRecord => (StatusCode::NOT_FOUND, ui.no_record).into_response(),
            Self::Nothing => (StatusCode::NOT_FOUND, ui.not_in_record).into_response(),
        }
    }
}

/// Reads the record, as far as who asks may know of it.
pub(super) async fn from_record<T: Send + 'static>(
    served: &Served,
    asks: &Asks,
    read: impl FnOnce(&Record) -> Result<T, NotRead> + Send + 'static,
) -> Result<T, NoPage> {
    let record = served.record.as_ref().ok_or(NoPage::NoRecord)?;
    let record = if asks.may_know { record.telling_all() } else { record.clone() };
    Ok(record.read(asks.snapshot.line, read).await?)
}

/// What is written in the address.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    q: String,
    state: String,
    step: Option<usize>,
    from: String,
    to: String,
}

#[derive(Template)]
#[template(path = "past_findings.html", config = "console/askama.toml")]
struct FindingsSheet<'a> {
    s: Sheet<'a>,
    q: String,
    states: Vec<(&'static str, &'static str, bool)>,
    items: Vec<ItemModel>,
    more: usize,
}

struct ItemModel {
    item: Item,
    place: String,
    state: &'static str,
    class: &'static str,
    /// Its pass is over.
    is_over: bool,
}

async fn findings(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let asks = Asks::of(&served, lang, &headers);
    let ui = Ui::of(lang);
    let all = from_record(&served, &asks, move |record| found(record, &Wanted::default(), lang)).await;
    let mut all = match all {
        Ok(all) => all,
        Err(why) => return why.response(lang),
    };
    all.reverse();
    let states = [FindingState::Open, FindingState::Breach, FindingState::Noted, FindingState::Cleared];
    let states = states.into_iter().chain([FindingState::Withdrawn]);
    let states = states.map(|state| (state.name(), ui.finding_state(state), asked.state == state.name())).collect();
    let model = |item: Item| {
        let state = item.state.unwrap_or(FindingState::Noted);
        let place = item.place.as_deref().and_then(|place| place.parse::<Place>().ok());
        let place = place.map(|place| words::place(place).get(lang).to_owned()).unwrap_or_default();
        let is_over = asks.is_over(item.pass);
        ItemModel { item, place, state: ui.finding_state(state), class: state.name(), is_over }
    };
    let is_wanted = |one: &ItemModel| {
        let ItemModel { item, place, state, class, .. } = one;
        let n = item.finding.unwrap_or_default();
        let text = format!(
            "{} {place} {} {state} {} {} {} {} {n} {}",
            item.article.as_deref().unwrap_or_default(),
            item.text,
            ui.pass,
            item.pass,
            item.at,
            ui.finding_number,
            item.line
        );
        holds(&text, &asked.q) && (asked.state.is_empty() || asked.state == *class)
    };
    let mut items: Vec<ItemModel> = all.into_iter().map(model).filter(is_wanted).collect();
    let more = items.len().saturating_sub(FINDINGS);
    items.truncate(FINDINGS);
    let s = asks.sheet(ui.findings, "/findings".to_owned(), None);
    drawn(&None, &FindingsSheet { s, q: asked.q, states, items, more })
}

/// Whether a text has every word of what is looked for, however it is accented.
pub(super) fn holds(text: &str, words: &str) -> bool {
    let text = bare(text);
    bare(words).split_whitespace().all(|word| text.contains(word))
}

/// Small letters without accents.
fn bare(text: &str) -> String {
    let letter = |letter: char| match letter {
        'á' => 'a',
        'é' => 'e',
        'í' => 'i',
        'ó' => 'o',
        'ú' | 'ü' => 'u',
        'ñ' => 'n',
        other => other,
    };
    text.to_lowercase().chars().map(letter).collect()
}

#[derive(Template)]
#[template(path = "passed.html", config = "console/askama.toml")]
struct PassSheet<'a> {
    s: Sheet<'a>,
    pass: u64,
    has_next: bool,
    /// The step that is shown, from 1, and how many there are; none where all are.
    at: Option<(usize, usize)>,
    steps: Vec<StepModel>,
}

struct StepModel {
    lines: Vec<StepLine>,
    picture: String,
}

async fn pass(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    Path(pass): Path<u64>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let asks = Asks::of(&served, lang, &headers);
    let told = from_record(&served, &asks, move |record| passed(record, pass, lang)).await;
    let told = match told.and_then(|told| told.ok_or(NoPage::Nothing)) {
        Ok(told) => told,
        Err(why) => return why.response(lang),
    };
    let count = told.steps.len();
    let at = asked.step.map(|step| (step.clamp(1, count), count));
    let model = |Step { lines, picture }: Step| {
        let picture = felt(&PageModel::of(&picture, lang)).unwrap_or_default();
        StepModel { lines, picture }
    };
    let (skipped, taken) = at.map_or((0, count), |(step, _)| (step - 1, 1));
    let steps = told.steps.into_iter().skip(skipped).take(taken).map(model).collect();
    let title = format!("{} {pass}", Ui::of(lang).pass);
    let s = asks.sheet(&title, format!("/passes/{pass}"), None);
    drawn(&None, &PassSheet { s, pass, has_next: told.has_next, at, steps })
}

#[derive(Template)]
#[template(path = "shift.html", config = "console/askama.toml")]
struct ShiftSheet<'a> {
    s: Sheet<'a>,
    from: String,
    to: String,
    r: Option<Report>,
}

async fn shift(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let asks = Asks::of(&served, lang, &headers);
    let (from, to) = (asked.from.clone(), asked.to.clone());
    let counted = from_record(&served, &asks, move |record| {
        let (from, to) = (record.house().parse(&from), record.house().parse(&to));
        let mut shift = Shift::default();
        shift.add(record, (from.unwrap_or(0), to.unwrap_or(u64::MAX))).map(|()| shift.report(lang))
    });
    let r = match counted.await {
        Ok(report) => report,
        Err(why) => return why.response(lang),
    };
    let s = asks.sheet(Ui::of(lang).shift, "/shift".to_owned(), None);
    drawn(&None, &ShiftSheet { s, from: asked.from, to: asked.to, r })
}

#[derive(Template)]
#[template(path = "shoe.html", config = "console/askama.toml")]
struct ShoeSheet<'a> {
    s: Sheet<'a>,
    drawn: u64,
    discarded: u64,
    cut_card_out: bool,
    lines: Vec<LogLine>,
}

async fn the_shoe(State(served): State<Served>, PageLang(lang): PageLang, headers: HeaderMap) -> Response {
    let asks = Asks::of(&served, lang, &headers);
    let lines = match from_record(&served, &asks, move |record| shoe(record, lang)).await {
        Ok(lines) => lines,
        Err(why) => return why.response(lang),
    };
    let felt = &asks.snapshot.felt;
    let (drawn_cards, discarded, cut_card_out) = (felt.drawn, felt.discarded, felt.cut_card_out);
    let s = asks.sheet(Ui::of(lang).shoe, "/shoe".to_owned(), None);
    drawn(&None, &ShoeSheet { s, drawn: drawn_cards, discarded, cut_card_out, lines })
}

#[derive(Template)]
#[template(path = "regulation.html", config = "console/askama.toml")]
struct RegulationSheet<'a> {
    s: Sheet<'a>,
    /// What is looked for; none on the page of one article.
    q: Option<String>,
    articles: Vec<ArticleModel>,
}

struct ArticleModel {
    id: &'static str,
    title: String,
    gist: String,
    raised: String,
    remedy: String,
    readings: Vec<&'static str>,
}

impl ArticleModel {
    fn of(article: &'static Article, settings: &Settings, lang: Lang) -> Self {
        let told = |words: &'static str| fill(words, settings, lang).into_owned();
        Self {
            id: article.id,
            title: told(article.title.get(lang)),
            gist: told(article.gist.get(lang)),
            raised: told(article.raised.get(lang)),
            remedy: told(article.remedy.get(lang)),
            readings: article.readings.iter().map(|reading| reading.words.get(lang)).collect(),
        }
    }

    fn holds(&self, words: &str) -> bool {
        let Self { id, title, gist, raised, remedy, readings } = self;
        holds(&format!("{id} {title} {gist} {raised} {remedy} {}", readings.join(" ")), words)
    }
}

async fn articles(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let here = "/regulation".to_owned();
    told_articles(&served, lang, &headers, (here, Some(asked.q.clone())), |article| article.holds(&asked.q)).await
}

async fn article(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    let is_it = |article: &ArticleModel| article.id.eq_ignore_ascii_case(&id);
    told_articles(&served, lang, &headers, (format!("/regulation/{id}"), None), is_it).await
}

async fn told_articles(
    served: &Served,
    lang: Lang,
    headers: &HeaderMap,
    (here, q): (String, Option<String>),
    is_told: impl Fn(&ArticleModel) -> bool,
) -> Response {
    let asks = Asks::of(served, lang, headers);
    let known = from_record(served, &asks, regulation).await.and_then(|known| known.ok_or(NoPage::Nothing));
    let (regulation, settings) = match known {
        Ok(known) => known,
        Err(why) => return why.response(lang),
    };
    let all = regulation.articles.iter().map(|article| ArticleModel::of(article, &settings, lang));
    let articles: Vec<ArticleModel> = all.filter(|article| is_told(article)).collect();
    if q.is_none() && articles.is_empty() {
        return NoPage::Nothing.response(lang);
    }
    let s = asks.sheet(regulation.title.get(lang), here, None);
    drawn(&None, &RegulationSheet { s, q, articles })
}

#[derive(Template)]
#[template(path = "staff.html", config = "console/askama.toml")]
struct StaffSheet<'a> {
    s: Sheet<'a>,
    serving: Serving,
    /// What may be said.
    services: [(&'static str, &'static str); 5],
    /// Who is signed in, each with the offices that he holds.
    people: Vec<(String, String)>,
}

async fn told_staff(served: &Served, asks: &Asks, told: Option<String>) -> Response {
    let ui = Ui::of(asks.lang);
    let (serving, people) = if asks.is_signed_in() {
        match from_record(served, asks, serving).await {
            Ok(serving) => (serving, asks.people()),
            Err(why) => return why.response(asks.lang),
        }
    } else {
        (Serving::default(), Vec::new())
    };
    let services = [
        (Service::Deals.word(), ui.i_deal),
        (Service::Inspects.word(), ui.i_inspect),
        (Service::Opens.word(), ui.open_table),
        (Service::Closes.word(), ui.close_table),
        (Service::Shift.word(), ui.begin_shift),
    ];
    let offices = |roles: &[Office]| roles.iter().map(|role| role.word()).collect::<Vec<_>>().join(", ");
    let people = people.iter().map(|person| (person.name.to_string(), offices(&person.roles))).collect();
    let s = asks.sheet(ui.staff, "/staff".to_owned(), told.clone());
    drawn(&told, &StaffSheet { s, serving, services, people })
}

async fn staff(State(served): State<Served>, PageLang(lang): PageLang, headers: HeaderMap) -> Response {
    let asks = Asks::of(&served, lang, &headers);
    match asks.no_desk() {
        Some(nobody) => nobody,
        None => told_staff(&served, &asks, None).await,
    }
}

/// What somebody says of his service.
#[derive(Debug, Deserialize)]
struct Said {
    act: String,
}

async fn serve(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    headers: HeaderMap,
    Form(Said { act }): Form<Said>,
) -> Response {
    let asks = Asks::of(&served, lang, &headers);
    let Ok(service) = act.parse() else {
        return (StatusCode::BAD_REQUEST, Ui::of(lang).no_such_act).into_response();
    };
    match asks.done(Act::Serve(service)).await {
        Ok(()) => Redirect::to(&with_lang("/staff", lang)).into_response(),
        Err(told) => told_staff(&served, &asks, Some(told)).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_looked_for_is_found_however_it_is_written() {
        let text = "C7 Banca la segunda carta salió DESCUBIERTA";
        assert!(holds(text, "c7 SALIO") && holds(text, "descubierta  carta") && holds(text, ""));
        assert!(!holds(text, "c7 casillero"));
    }
}
