//! The questions of [`super`] as one page in a browser, until the answers are taken once.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Form, State};
use axum::response::Response;
use axum::routing::get;
use sabot_law::table::answer::Lang;
use sabot_web::document;
use tokio::sync::{Mutex, watch};

use super::{Answers, FIELDS, Kind, Member, NotSetUp, Place, Written, member};
use crate::console::Ui;
use crate::own_page::OwnPage;
use crate::staff::Office;

/// So many people may be named; more are added by `sabot staff add`.
const PEOPLE: usize = 4;

struct Row {
    key: &'static str,
    words: &'static str,
    value: String,
    is_port: bool,
}

struct PersonRow {
    nth: usize,
    name: String,
    role: String,
}

#[derive(Template)]
#[template(path = "setup.html", config = "console/askama.toml")]
struct SetupPage<'a> {
    lang: &'static str,
    is_en: bool,
    rows: Vec<Row>,
    people: Vec<PersonRow>,
    roles: Vec<&'static str>,
    ports: &'a [String],
    refused: Option<String>,
    written: Option<&'a Written>,
    next: Option<&'a str>,
    nobody: &'static str,
}

struct Served {
    place: Place,
    lang: Lang,
    ports: Vec<String>,
    /// Where it goes on, once the table is written.
    path: Option<String>,
    /// What was written, once it is.
    written: Mutex<Option<Written>>,
    done: watch::Sender<bool>,
}

/// Serves the page until its answers were taken, or `stop` becomes true; what was written then. `ports` are those that
/// are attached, to choose from; where `goes_on`, another page follows at the same address. Must be called within a
/// tokio runtime.
///
/// # Errors
/// When it cannot be served.
pub async fn serve(
    page: &OwnPage,
    (place, lang): (Place, Lang),
    ports: Vec<String>,
    goes_on: bool,
    mut stop: watch::Receiver<bool>,
) -> io::Result<Option<Written>> {
    let (done, mut is_done) = watch::channel(false);
    let path = page.path();
    let served =
        Arc::new(Served { place, lang, ports, path: goes_on.then(|| path.clone()), written: Mutex::new(None), done });
    let pages = Router::new().route(&path, get(asked).post(answered)).with_state(served.clone());
    let (stopper, shutdown) = watch::channel(false);
    let serving = page.serve(pages, shutdown)?;
    let ends = async {
        tokio::select! {
            _ = is_done.wait_for(|done| *done) => {}
            _ = stop.wait_for(|stop| *stop) => {}
        }
        // the last answer is still on its way
        stopper.send_replace(true);
        std::future::pending::<()>().await;
    };
    tokio::select! {
        () = serving => {}
        () = ends => {}
    }
    Ok(served.written.lock().await.take())
}

async fn asked(State(served): State<Arc<Served>>) -> Response {
    served.page(&Answers::default(), &BTreeMap::new(), None, None)
}

async fn answered(State(served): State<Arc<Served>>, Form(typed): Form<BTreeMap<String, String>>) -> Response {
    let mut answers = Answers::default();
    for field in &FIELDS {
        // a port that is left empty is a device that is not there
        let typed = typed.get(field.key).map_or("", String::as_str);
        answers.set(field, if field.kind == Kind::Port && typed.trim().is_empty() { "-" } else { typed });
    }
    let mut written = served.written.lock().await;
    let place = served.place.clone();
    let people = people(&typed);
    let taken = match people {
        Ok(people) => tokio::task::spawn_blocking(move || answers_written(answers, &place, &people)).await,
        Err(why) => return served.page(&answers, &typed, Some(why.words(&answers, served.lang)), None),
    };
    match taken {
        Ok((_, Ok(done))) => {
            let page = served.page(&Answers::default(), &BTreeMap::new(), None, Some(&done));
            *written = Some(done);
            served.done.send_replace(true);
            page
        }
        Ok((answers, Err(why))) => {
            let why = why.words(&answers, served.lang);
            served.page(&answers, &typed, Some(why), None)
        }
        Err(why) => served.page(&Answers::default(), &typed, Some(why.to_string()), None),
    }
}

fn answers_written(answers: Answers, place: &Place, people: &[Member]) -> (Answers, Result<Written, NotSetUp>) {
    let written = answers.write(place, people);
    (answers, written)
}

fn people(typed: &BTreeMap<String, String>) -> Result<Vec<Member>, NotSetUp> {
    let of = |key: String| typed.get(&key).map_or("", |typed| typed.trim());
    let named = (0..PEOPLE).filter(|nth| !of(format!("name{nth}")).is_empty());
    named.map(|nth| member(of(format!("name{nth}")), of(format!("role{nth}")), of(format!("pin{nth}")))).collect()
}

impl Served {
    fn page(
        &self,
        answers: &Answers,
        typed: &BTreeMap<String, String>,
        refused: Option<String>,
        written: Option<&Written>,
    ) -> Response {
        let ui = Ui::of(self.lang);
        let row = |field: &super::Field| Row {
            key: field.key,
            words: field.words(self.lang),
            value: answers.of(field).to_owned(),
            is_port: field.kind == Kind::Port,
        };
        let of = |key: String| typed.get(&key).cloned().unwrap_or_default();
        let page = SetupPage {
            lang: ui.code,
            is_en: self.lang == Lang::En,
            rows: FIELDS.iter().map(row).collect(),
            people: (0..PEOPLE)
                .map(|nth| PersonRow { nth, name: of(format!("name{nth}")), role: of(format!("role{nth}")) })
                .collect(),
            roles: Office::ALL.iter().map(|office| office.word()).collect(),
            ports: &self.ports,
            refused,
            written,
            next: self.path.as_deref(),
            nobody: super::nobody(self.lang),
        };
        document(page.render(), ui.code, ui.not_drawn)
    }
}
