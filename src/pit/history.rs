//! All records that sinks keep: searched, counted, and read pass by pass. Works without scripts. It is served apart
//! from the tables' page, for it names people.
//!
//! | address | what |
//! |---|---|
//! | `/` | findings by article, player, time, money and table, and what a person did; the newest first |
//! | `/report` | what happened in a time in figures, at one table, in a pit or in the house |
//! | `/pass` | the lines of a pass, in words |

mod records;
mod report;

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use sabot_floor::store::search::{Found, Wanted};
use sabot_floor::subjects::TableId;
use sabot_law::table::answer::Lang;
use sabot_law::table::{LineNo, Place, Severity, line, words};
use sabot_station::config::pit::PitHistory;
use sabot_station::console::{Ui, assets};
use sabot_station::history::in_words;
use sabot_station::house_time::HouseTime;
use sabot_station::report::Report;
use sabot_station::snapshot::FindingState;
use sabot_web::{PageLang, document, guarded, preferred};
use serde::Deserialize;
use serde_json::Value;

use crate::page::VERSION;
use records::{NotTold, Records};

/// Most findings on one page.
const FINDINGS: u64 = 200;
/// Most lines of a pass.
const LINES: LineNo = 500;

/// The records, and how times are read.
struct Served {
    records: Records,
    house: HouseTime,
}

type Serves = State<Arc<Served>>;

pub(crate) fn router(history: PitHistory, hosts: Vec<String>) -> Router {
    let served = Arc::new(Served { records: Records::of(history.kept), house: history.house });
    let not_found =
        |headers: HeaderMap| async move { (StatusCode::NOT_FOUND, Ui::of(preferred(&headers)).not_in_record) };
    let pages = Router::new()
        .route("/", get(found))
        .route("/report", get(counted))
        .route("/pass", get(pass))
        .merge(assets())
        .fallback(not_found)
        .with_state(served);
    guarded(pages, hosts)
}

/// What is written in the address.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Asked {
    article: String,
    person: String,
    from: String,
    to: String,
    money: String,
    table: String,
}

/// Why a page is not drawn.
enum NoPage {
    /// A field of the form cannot be used.
    Mistake(String),
    Nothing,
    Records(NotTold),
}

impl From<NotTold> for NoPage {
    fn from(why: NotTold) -> Self {
        Self::Records(why)
    }
}

impl NoPage {
    fn response(&self, lang: Lang) -> Response {
        let ui = Ui::of(lang);
        match self {
            Self::Mistake(what) => (StatusCode::BAD_REQUEST, what.clone()).into_response(),
            Self::Nothing => (StatusCode::NOT_FOUND, ui.not_in_record).into_response(),
            Self::Records(why) => {
                tracing::warn!("history: {why}");
                (StatusCode::SERVICE_UNAVAILABLE, ui.history_lost).into_response()
            }
        }
    }
}

impl Asked {
    fn wanted(&self, house: &HouseTime, ui: &Ui) -> Result<Wanted, NoPage> {
        let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let mistake = |text: String, what| NoPage::Mistake(format!("{text}: {what}"));
        let time = |text: &str, or| match given(text) {
            None => Ok(or),
            Some(text) => house.parse(&text).ok_or_else(|| mistake(text, ui.no_such_time)),
        };
        let cents = given(&self.money).map(|text| {
            let whole: Option<u64> = text.parse().ok();
            whole.and_then(|whole| whole.checked_mul(100)).ok_or_else(|| mistake(text, ui.no_such_amount))
        });
        Ok(Wanted {
            from: time(&self.from, 0)?,
            to: time(&self.to, u64::MAX)?,
            article: given(&self.article),
            person: given(&self.person),
            money: cents.transpose()?,
            table: given(&self.table),
        })
    }
}

/// What stands above every page.
struct Top<'a> {
    ui: &'a Ui,
    version: &'static str,
    title: &'a str,
    /// Its path and what is asked, without the language.
    here: String,
}

impl<'a> Top<'a> {
    fn of(ui: &'a Ui, title: &'a str, here: String) -> Self {
        Self { ui, version: &VERSION, title, here }
    }
}

fn drawn(ui: &Ui, page: &impl Template) -> Response {
    document(page.render(), ui.code, ui.not_drawn)
}

#[derive(Template)]
#[template(path = "found.html")]
struct FoundPage<'a> {
    s: Top<'a>,
    asked: Asked,
    items: Vec<Item>,
    is_cut: bool,
}

/// A finding or an act, every word chosen.
struct Item {
    table: String,
    /// Where the lines of its pass are told.
    pass: String,
    line: LineNo,
    at: String,
    n: Option<u64>,
    article: String,
    place: String,
    severity: &'static str,
    state: Option<FindingState>,
    state_word: &'static str,
    person: String,
    text: String,
    money: Option<(String, String)>,
}

/// Where the pass of a line is told.
fn pass_of(table: &TableId, epoch: u64, line: LineNo, ui: &Ui) -> String {
    format!("/pass?lang={}&table={}&epoch={epoch}&line={line}#line-{line}", ui.code, encoded(&table.to_string()))
}

/// A part of a query.
fn encoded(text: &str) -> String {
    sabot_web::in_address(text, b"/:")
}

/// A line of a record in words; what it is where it does not read.
fn told(text: &str, house: &HouseTime, lang: Lang) -> String {
    line::timed(text.as_bytes()).map_or_else(
        |_| {
            serde_json::from_str::<Value>(text)
                .ok()
                .and_then(|of| of["ev"].as_str().map(str::to_owned))
                .unwrap_or_default()
        },
        |(event, _)| in_words(&event, house, lang),
    )
}

impl Item {
    fn of(found: Found, house: &HouseTime, lang: Lang) -> Self {
        let ui = Ui::of(lang);
        let place = found.place.as_deref().and_then(|place| place.parse::<Place>().ok());
        let severity = found.severity.map(Value::String).and_then(|of| serde_json::from_value::<Severity>(of).ok());
        let state = found.became.as_deref().and_then(FindingState::named);
        let net = |cents: i64| {
            let what = if cents < 0 { ui.collected } else { ui.paid };
            if cents == 0 { ui.no_money.to_owned() } else { format!("{what} {}", ui.money(cents.unsigned_abs())) }
        };
        Self {
            pass: pass_of(&found.table, found.epoch, found.line, ui),
            table: found.table.to_string(),
            line: found.line,
            at: house.second(found.at),
            text: if found.n.is_some() { house.words(&found.text) } else { told(&found.text, house, lang) },
            n: found.n,
            article: found.article.unwrap_or_default(),
            place: place.map(|place| words::place(place).get(lang).to_owned()).unwrap_or_default(),
            severity: severity.map_or("", |severity| ui.severity(severity)),
            state_word: state.map_or("", |state| ui.finding_state(state)),
            state,
            person: found.person.unwrap_or_default(),
            money: found.money.filter(|(owed, done)| owed != done).map(|(owed, done)| (net(owed), net(done))),
        }
    }
}

/// What was asked, as it stands in the address of the other language.
fn query(fields: &[(&str, &str)]) -> String {
    let given = fields.iter().filter(|(_, value)| !value.is_empty());
    given.map(|(name, value)| format!("&{name}={}", encoded(value))).collect()
}

async fn found(State(served): Serves, PageLang(lang): PageLang, Query(asked): Query<Asked>) -> Response {
    let ui = Ui::of(lang);
    let page = async {
        let wanted = asked.wanted(&served.house, ui)?;
        let mut found = served.records.found(&wanted, FINDINGS + 1).await?;
        let is_cut = found.len() as u64 > FINDINGS;
        found.truncate(usize::try_from(FINDINGS).unwrap_or(usize::MAX));
        Ok::<_, NoPage>((found.into_iter().map(|found| Item::of(found, &served.house, lang)).collect(), is_cut))
    };
    let (items, is_cut) = match page.await {
        Ok(page) => page,
        Err(why) => return why.response(lang),
    };
    let Asked { article, person, from, to, money, table } = &asked;
    let fields =
        [("article", article), ("person", person), ("from", from), ("to", to), ("money", money), ("table", table)];
    let here = format!("/?{}", query(&fields.map(|(name, value)| (name, value.as_str()))));
    drawn(ui, &FoundPage { s: Top::of(ui, ui.history, here), asked, items, is_cut })
}

#[derive(Template)]
#[template(path = "house.html")]
struct ReportPage<'a> {
    s: Top<'a>,
    asked: Asked,
    r: Report,
}

async fn counted(State(served): Serves, PageLang(lang): PageLang, Query(asked): Query<Asked>) -> Response {
    let ui = Ui::of(lang);
    let page = async {
        let wanted = asked.wanted(&served.house, ui)?;
        Ok::<_, NoPage>(report::of(&served.records, &wanted, &served.house, lang).await?)
    };
    let r = match page.await {
        Ok(r) => r,
        Err(why) => return why.response(lang),
    };
    let title = if asked.table.trim().is_empty() { ui.house_report } else { ui.shift };
    let of = [("from", asked.from.as_str()), ("to", asked.to.as_str()), ("table", asked.table.as_str())];
    let here = format!("/report?{}", query(&of));
    drawn(ui, &ReportPage { s: Top::of(ui, title, here), asked, r })
}

/// Which pass.
#[derive(Debug, Deserialize)]
struct OfPass {
    table: String,
    epoch: u64,
    line: LineNo,
}

#[derive(Template)]
#[template(path = "lines.html")]
struct PassPage<'a> {
    s: Top<'a>,
    table: String,
    before: Option<String>,
    after: Option<String>,
    lines: Vec<LineModel>,
}

struct LineModel {
    line: LineNo,
    at: String,
    what: String,
    answers: Vec<String>,
}

impl LineModel {
    fn of((line, text): (LineNo, &String), epoch: u64, house: &HouseTime, lang: Lang) -> Self {
        let read: Value = serde_json::from_str(text).unwrap_or_default();
        let answer = |answer: &Value| {
            let (article, text) = (answer["provision"].as_str()?, answer["text"].as_str()?);
            Some(format!("! {article}: {}", house.words(text)))
        };
        let answers = read["answers"].as_array().into_iter().flatten().filter_map(answer).collect();
        let at = house.second(epoch.saturating_add(read["t"].as_u64().unwrap_or(0)));
        Self { line, at, what: told(text, house, lang), answers }
    }
}

async fn pass(State(served): Serves, PageLang(lang): PageLang, Query(asked): Query<OfPass>) -> Response {
    let ui = Ui::of(lang);
    let OfPass { table: name, epoch, line } = asked;
    let page = async {
        let table: TableId = name.parse().map_err(|_| NoPage::Nothing)?;
        let lines = served.records.pass_around(&table, epoch, line).await?.ok_or(NoPage::Nothing)?;
        let (first, last) = (*lines.start(), *lines.end());
        if line > last {
            return Err(NoPage::Nothing);
        }
        // a long pass stands on several pages
        let first = first + line.saturating_sub(first) / LINES * LINES;
        let until = last.min(first.saturating_add(LINES - 1));
        let texts = served.records.lines(&table, epoch, first..=until).await?;
        let model = |line: (LineNo, &String)| LineModel::of(line, epoch, &served.house, lang);
        let before = (first > 1).then(|| pass_of(&table, epoch, first - 1, ui));
        // the last pass goes on while it has no end
        let is_over = until < last || texts.last().is_some_and(|text| text.contains(r#""ev":"end""#));
        let after = is_over.then(|| pass_of(&table, epoch, until + 1, ui));
        Ok::<_, NoPage>((before, after, (first..).zip(&texts).map(model).collect::<Vec<_>>()))
    };
    let (before, after, lines) = match page.await {
        Ok((_, _, lines)) if lines.is_empty() => return NoPage::Nothing.response(lang),
        Ok(page) => page,
        Err(why) => return why.response(lang),
    };
    let here = format!("/pass?table={}&epoch={epoch}&line={line}", encoded(&name));
    drawn(ui, &PassPage { s: Top::of(ui, ui.pass, here), table: name, before, after, lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_is_read_as_the_house_writes_it_and_a_mistake_is_named() {
        let house: HouseTime = "Europe/Madrid".parse().unwrap();
        let asked = |money: &str, from: &str| Asked {
            money: money.into(),
            from: from.into(),
            person: " Ana ".into(),
            ..Asked::default()
        };
        let wanted = asked("12", "2026-11-24T22:41").wanted(&house, Ui::of(Lang::En)).ok().unwrap();
        assert_eq!((wanted.money, wanted.from, wanted.to), (Some(1200), 1_795_556_460_000, u64::MAX));
        assert_eq!((wanted.person.as_deref(), wanted.article), (Some("Ana"), None));
        for wrong in [asked("1,5", ""), asked("18446744073709551615", ""), asked("", "yesterday")] {
            assert!(matches!(wrong.wanted(&house, Ui::of(Lang::En)), Err(NoPage::Mistake(_))), "{wrong:?}");
        }
        assert_eq!(encoded("casino/p 1/Ñ&x=1"), "casino/p%201/%C3%91%26x%3D1");
    }
}
