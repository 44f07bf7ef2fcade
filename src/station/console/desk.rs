//! Where people sign in and act: pages that work without a script, and the forms that they send.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use cookie::{Cookie, SameSite};
use sabot_law::regulation;
use sabot_law::table::answer::Lang;
use sabot_law::table::event::{Permit, Ruling};
use sabot_law::table::{HandId, LineNo, Name, Phase, Place, words};
use serde::Deserialize;
use tokio::sync::watch;

use super::Desk;
use super::asked::{AskedModel, asked};
use super::page_model::{FindingModel, PageModel};
use super::render::VERSION;
use super::sessions::COOKIE;
use super::ui_text::Ui;
use crate::acts::{Act, Refused, Signed};
use crate::amend::{PassLine, Preview};
use crate::pins::NotKnown;
use crate::record_feed::RecordFeed;
use crate::second::Seconds;
use crate::snapshot::Snapshot;
use crate::staff::Person;
use sabot_web::PageLang;

/// What the sheets are drawn from and act through.
#[derive(Clone)]
pub(super) struct Served {
    snapshots: watch::Receiver<Arc<Snapshot>>,
    /// Where people act, where they can.
    desk: Option<Arc<Desk>>,
    /// The page is served over TLS.
    secure: bool,
    /// What has happened.
    pub(super) record: Option<RecordFeed>,
}

impl Served {
    pub(super) fn new(
        snapshots: watch::Receiver<Arc<Snapshot>>,
        desk: Option<Arc<Desk>>,
        secure: bool,
        record: Option<RecordFeed>,
    ) -> Self {
        Self { snapshots, desk, secure, record }
    }
}

pub(super) fn routes() -> Router<Served> {
    Router::new()
        .route("/findings/{n}", get(finding).post(act_on_finding))
        .route("/findings/{n}/cards/{line}", get(card_of_finding))
        .route("/acts", get(acts).post(act))
        .route("/sign-in", get(sign_in_form).post(sign_in))
        .route("/sign-out", post(sign_out))
}

/// What every sheet shows around what it is about.
pub(super) struct Sheet<'a> {
    pub(super) ui: &'static Ui,
    pub(super) table: &'a str,
    /// Whose clocks people read, by the name of the time zone.
    pub(super) zone: &'a str,
    pub(super) version: &'static str,
    pub(super) title: String,
    /// Where this sheet is.
    pub(super) here: String,
    /// Who is signed in.
    pub(super) who: Option<String>,
    /// There are people who can.
    pub(super) can_act: bool,
    /// He may know of findings that nobody at the table is told.
    pub(super) may_know: bool,
    /// What came of what was asked.
    pub(super) told: Option<String>,
    /// Acts that a second person has to sign.
    seconds: Seconds,
}

impl Sheet<'_> {
    /// Whether a second person is asked for.
    pub(super) fn asks_second(&self, what: &str) -> bool {
        what.parse().is_ok_and(|what| self.seconds.asks(what))
    }
}

/// The second person, as a form names him.
#[derive(Deserialize, Default)]
pub(super) struct Second {
    #[serde(default)]
    pub(super) second: String,
    #[serde(default)]
    pub(super) second_pin: String,
}

#[derive(Template)]
#[template(path = "sign_in.html", config = "console/askama.toml")]
struct SignInSheet<'a> {
    s: Sheet<'a>,
    next: String,
}

#[derive(Template)]
#[template(path = "finding.html", config = "console/askama.toml")]
struct FindingSheet<'a> {
    s: Sheet<'a>,
    f: &'a FindingModel,
    is_over: bool,
    asked: Vec<AskedModel>,
    /// How it may be decided: as forms send it, and in words.
    decisions: Vec<(&'static str, &'static str)>,
    /// The lines of its pass whose card's picture is kept.
    cards: Vec<LineNo>,
}

#[derive(Template)]
#[template(path = "acts.html", config = "console/askama.toml")]
struct ActsSheet<'a> {
    s: Sheet<'a>,
    permits: [(&'static str, &'static str); 3],
    articles: Vec<&'static str>,
    places: Vec<(String, String)>,
}

/// Whoever asks.
pub(super) struct Asks {
    pub(super) lang: Lang,
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) desk: Option<Arc<Desk>>,
    person: Option<Person>,
    /// He may know of findings that nobody at the table is told.
    pub(super) may_know: bool,
}

impl Asks {
    pub(super) fn of(served: &Served, lang: Lang, headers: &HeaderMap) -> Self {
        let desk = served.desk.clone();
        let person = desk.as_ref().and_then(|desk| desk.sessions.person(&token(headers)?));
        let is_told = |person: &Person| served.record.as_ref().is_some_and(|record| record.is_told_to(&person.roles));
        let may_know = person.as_ref().is_some_and(is_told);
        let snapshot = Arc::clone(&served.snapshots.borrow());
        let has_more = may_know && !snapshot.untold.findings.is_empty();
        let snapshot = if has_more { Arc::new(snapshot.told_all()) } else { snapshot };
        Self { lang, snapshot, desk, person, may_know }
    }

    pub(super) fn sheet(&self, title: &str, here: String, told: Option<String>) -> Sheet<'_> {
        Sheet {
            ui: Ui::of(self.lang),
            table: &self.snapshot.table,
            zone: self.snapshot.house.name(),
            version: &VERSION,
            title: title.to_owned(),
            here,
            who: self.person.as_ref().map(|person| person.name.to_string()),
            can_act: self.desk.is_some(),
            may_know: self.may_know,
            told,
            seconds: self.desk.as_ref().map(|desk| desk.seconds.clone()).unwrap_or_default(),
        }
    }

    /// The pass of a finding that he may know of.
    fn pass_of(&self, n: u64) -> Option<u64> {
        self.snapshot.findings.iter().find(|view| view.finding.n == n).map(|view| view.finding.pass)
    }

    async fn finding(&self, served: &Served, n: u64, told: Option<String>) -> Response {
        let cards = match (&served.record, self.pass_of(n)) {
            (Some(record), Some(pass)) => record.pictured(pass).await,
            _ => Vec::new(),
        };
        let ui = Ui::of(self.lang);
        let page = PageModel::of(&self.snapshot, self.lang);
        let Some(f) = page.findings.iter().find(|finding| finding.n == n) else {
            return (StatusCode::NOT_FOUND, ui.no_finding).into_response();
        };
        let title = format!("{} {}", f.article, f.place);
        let decisions = f.rulings.iter().map(|decision| (decision.word(), ui.ruling(*decision))).collect();
        drawn(
            &told,
            &FindingSheet {
                s: self.sheet(title.trim(), format!("/findings/{n}"), told.clone()),
                f,
                is_over: self.is_over(f.pass),
                asked: asked(&self.snapshot, n, self.lang),
                decisions,
                cards,
            },
        )
    }

    fn acts(&self, told: Option<String>) -> Response {
        let ui = Ui::of(self.lang);
        let permits = [
            ("shuffle", ui.permit_shuffle),
            ("next_cards_for_bank", ui.permit_next_cards),
            ("deck_change", ui.permit_deck_change),
        ];
        let boxes = self.snapshot.felt.boxes.iter().map(|one| Place::Hand(HandId::first(one.box_no)));
        let place = |place: Place| (place.to_string(), words::place(place).get(self.lang).to_owned());
        let places = boxes.chain([Place::Bank]).map(place).collect();
        let s = self.sheet(ui.acts, "/acts".to_owned(), told.clone());
        drawn(&told, &ActsSheet { s, permits, articles: articles(&self.snapshot.regulation), places })
    }

    fn sign_in(&self, next: &str, told: Option<String>) -> Response {
        let s = self.sheet(Ui::of(self.lang).sign_in, "/acts".to_owned(), told.clone());
        drawn(&told, &SignInSheet { s, next: own_path(next).to_owned() })
    }

    /// Hands an act to the table, signed.
    pub(super) async fn done(&self, act: Act) -> Result<(), String> {
        self.done_with(act, Second::default()).await
    }

    /// The same, with a second person, where one is named.
    pub(super) async fn done_with(&self, act: Act, by: Second) -> Result<(), String> {
        let (desk, mut signed) = self.signed(act)?;
        if !by.second.is_empty() {
            signed.second = Some(self.known(desk, by.second.trim(), by.second_pin).await?);
        }
        desk.acts.done(signed).await.map(drop).map_err(|refused| refused.words().get(self.lang).to_owned())
    }

    /// What a correction would change; else why it is not told, and whether it may be signed for all that.
    pub(super) async fn tried(&self, act: Act) -> Result<Preview, (String, bool)> {
        let (desk, signed) = self.signed(act).map_err(|told| (told, false))?;
        let refused =
            |refused: Refused| (refused.words().get(self.lang).to_owned(), matches!(refused, Refused::Uncovers));
        desk.acts.tried(signed).await.map_err(refused)
    }

    /// Whose name and PIN these are; else why nobody's, in words.
    async fn known(&self, desk: &Desk, name: &str, pin: String) -> Result<Person, String> {
        let known = desk.sessions.pins.named(name, pin).await;
        if known == Err(NotKnown::Locked { now: true }) {
            locked_out(desk).await;
        }
        known.map_err(|why| self.not_known(why).to_owned())
    }

    fn not_known(&self, why: NotKnown) -> &'static str {
        let ui = Ui::of(self.lang);
        match why {
            NotKnown::Wrong => ui.wrong_pin,
            NotKnown::NoStaff => ui.no_staff,
            NotKnown::Locked { .. } => ui.locked,
        }
    }

    fn signed(&self, act: Act) -> Result<(&Desk, Signed), String> {
        let (Some(desk), Some(person)) = (&self.desk, &self.person) else {
            return Err(Ui::of(self.lang).sign_in_first.to_owned());
        };
        Ok((desk, Signed { by: person.name.clone(), offices: person.roles.clone(), act, second: None }))
    }

    pub(super) const fn is_signed_in(&self) -> bool {
        self.person.is_some()
    }

    /// The lines of the pass that may be corrected, for who is signed in.
    pub(super) async fn pass_lines(&self) -> Vec<PassLine> {
        match &self.desk {
            Some(desk) if self.is_signed_in() => desk.acts.lines().await.unwrap_or_default(),
            _ => Vec::new(),
        }
    }

    /// Whether a pass is over: then it is played back.
    pub(super) fn is_over(&self, pass: u64) -> bool {
        let felt = &self.snapshot.felt;
        pass < felt.pass || (pass == felt.pass && felt.phase == Phase::Idle)
    }

    /// Who is signed in.
    pub(super) fn people(&self) -> Vec<Person> {
        self.desk.as_ref().map(|desk| desk.sessions.people()).unwrap_or_default()
    }

    /// Who sits at the table.
    pub(super) fn players(&self) -> Vec<String> {
        let seated = self.snapshot.felt.boxes.iter().filter_map(|one| one.seated.as_ref());
        let mut players: Vec<String> = seated.map(ToString::to_string).collect();
        players.sort();
        players.dedup();
        players
    }

    /// Nobody acts here.
    pub(super) fn no_desk(&self) -> Option<Response> {
        self.desk.is_none().then(|| (StatusCode::NOT_FOUND, Ui::of(self.lang).nobody_acts).into_response())
    }
}

/// Identifiers of the articles of a regulation that is built in; one of a house's own file is reported without.
fn articles(id: &str) -> Vec<&'static str> {
    regulation::find(id).map(|known| known.articles.iter().map(|article| article.id).collect()).unwrap_or_default()
}

pub(super) fn drawn(told: &Option<String>, sheet: &impl Template) -> Response {
    let status = if told.is_some() { StatusCode::CONFLICT } else { StatusCode::OK };
    match sheet.render() {
        Ok(text) => (status, [(header::CACHE_CONTROL, "no-store")], Html(text)).into_response(),
        Err(error) => {
            tracing::error!(%error, "a sheet");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// A path of this station; anything else is its list of acts.
fn own_path(next: &str) -> &str {
    let is_own =
        next.starts_with('/') && !next.starts_with("//") && !next.contains(|c: char| c == '\\' || c.is_control());
    if is_own { next } else { "/acts" }
}

fn token(headers: &HeaderMap) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut cookies = cookies.flat_map(Cookie::split_parse).filter_map(Result::ok);
    cookies.find(|cookie| cookie.name() == COOKIE).map(|cookie| cookie.value().to_owned())
}

pub(super) fn with_lang(path: &str, lang: Lang) -> String {
    let joint = if path.contains('?') { '&' } else { '?' };
    format!("{path}{joint}lang={}", Ui::of(lang).code)
}

async fn finding(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    Path(n): Path<u64>,
    headers: HeaderMap,
) -> Response {
    Asks::of(&served, lang, &headers).finding(&served, n, None).await
}

/// The picture of a card of the pass in which something was found, by the line that drew it.
async fn card_of_finding(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    Path((n, line)): Path<(u64, LineNo)>,
    headers: HeaderMap,
) -> Response {
    let pass = Asks::of(&served, lang, &headers).pass_of(n);
    let picture = match (&served.record, pass) {
        (Some(record), Some(pass)) => record.picture(pass, line).await,
        _ => None,
    };
    let Some(jpeg) = picture else { return (StatusCode::NOT_FOUND, Ui::of(lang).no_finding).into_response() };
    ([(header::CONTENT_TYPE, "image/jpeg"), (header::CACHE_CONTROL, "no-store")], jpeg).into_response()
}

async fn acts(State(served): State<Served>, PageLang(lang): PageLang, headers: HeaderMap) -> Response {
    let asks = Asks::of(&served, lang, &headers);
    asks.no_desk().unwrap_or_else(|| asks.acts(None))
}

#[derive(Deserialize)]
struct Next {
    #[serde(default)]
    next: String,
}

async fn sign_in_form(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    Query(Next { next }): Query<Next>,
    headers: HeaderMap,
) -> Response {
    let asks = Asks::of(&served, lang, &headers);
    asks.no_desk().unwrap_or_else(|| asks.sign_in(&next, None))
}

#[derive(Deserialize)]
struct SignIn {
    name: String,
    pin: String,
    #[serde(default)]
    next: String,
}

async fn sign_in(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    headers: HeaderMap,
    Form(SignIn { name, pin, next }): Form<SignIn>,
) -> Response {
    let (asks, ui) = (Asks::of(&served, lang, &headers), Ui::of(lang));
    let Some(desk) = &asks.desk else { return (StatusCode::NOT_FOUND, ui.nobody_acts).into_response() };
    match desk.sessions.sign_in(name.trim(), pin).await {
        Ok((person, token)) => {
            let signed = Signed { by: person.name, offices: person.roles, act: Act::SignIn, second: None };
            if let Err(refused) = desk.acts.done(signed).await {
                return asks.sign_in(&next, Some(refused.words().get(lang).to_owned()));
            }
            let cookie = Cookie::build((COOKIE, token)).path("/").http_only(true).same_site(SameSite::Strict);
            let cookie = cookie.secure(served.secure).build();
            let to = with_lang(own_path(&next), lang);
            ([(header::SET_COOKIE, cookie.to_string())], Redirect::to(&to)).into_response()
        }
        Err(why) => {
            if why == (NotKnown::Locked { now: true }) {
                locked_out(desk).await;
            }
            asks.sign_in(&next, Some(asks.not_known(why).to_owned()))
        }
    }
}

/// Too many PINs were wrong: the record is told.
async fn locked_out(desk: &Desk) {
    let locked = Signed { by: Name::new_static("-"), offices: Vec::new(), act: Act::LockedOut, second: None };
    let _ = desk.acts.done(locked).await;
}

async fn sign_out(State(served): State<Served>, PageLang(lang): PageLang, headers: HeaderMap) -> Response {
    let asks = Asks::of(&served, lang, &headers);
    if let (Some(desk), Some(token)) = (&asks.desk, token(&headers)) {
        if let Some(person) = &asks.person {
            let signed =
                Signed { by: person.name.clone(), offices: person.roles.clone(), act: Act::SignOut, second: None };
            let _ = desk.acts.done(signed).await;
        }
        desk.sessions.end(&token);
    }
    Redirect::to(&with_lang("/", lang)).into_response()
}

#[derive(Deserialize)]
struct Acted {
    act: String,
    #[serde(default)]
    note: String,
    #[serde(default)]
    provision: String,
    #[serde(default)]
    place: String,
    #[serde(flatten)]
    second: Second,
}

async fn act_on_finding(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    Path(finding): Path<u64>,
    headers: HeaderMap,
    Form(acted): Form<Acted>,
) -> Response {
    let asks = Asks::of(&served, lang, &headers);
    let act = match (acted.act.as_str(), acted.act.parse::<Ruling>()) {
        ("take", _) => Act::Take { finding },
        ("close", _) => Act::Close { finding, note: acted.note },
        (_, Ok(decision)) => Act::Rule { finding, decision },
        _ => return (StatusCode::BAD_REQUEST, Ui::of(lang).no_such_act).into_response(),
    };
    match asks.done_with(act, acted.second).await {
        Ok(()) => Redirect::to(&with_lang(&format!("/findings/{finding}"), lang)).into_response(),
        Err(told) => asks.finding(&served, finding, Some(told)).await,
    }
}

async fn act(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    headers: HeaderMap,
    Form(acted): Form<Acted>,
) -> Response {
    let (asks, ui) = (Asks::of(&served, lang, &headers), Ui::of(lang));
    let act = match (acted.act.as_str(), acted.act.parse::<Permit>()) {
        ("report", _) => {
            let place = if acted.place.is_empty() { Ok(None) } else { acted.place.parse().map(Some) };
            let Ok(place) = place else { return (StatusCode::BAD_REQUEST, ui.no_such_act).into_response() };
            let provision = Some(acted.provision).filter(|id| !id.is_empty()).map(Name::from);
            Act::Report { provision, place, note: acted.note }
        }
        (_, Ok(what)) => Act::Authorize { what },
        _ => return (StatusCode::BAD_REQUEST, ui.no_such_act).into_response(),
    };
    match asks.done_with(act, acted.second).await {
        Ok(()) => Redirect::to(&with_lang("/", lang)).into_response(),
        Err(told) => asks.acts(Some(told)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_signing_in_nobody_is_led_away_from_the_station() {
        for own in ["/findings/3", "/acts", "/"] {
            assert_eq!(own_path(own), own);
        }
        for foreign in ["", "//evil.example", "https://evil.example", "/\\evil.example", "x", "/a\r\nSet-Cookie: x"] {
            assert_eq!(own_path(foreign), "/acts", "{foreign}");
        }
    }
}
