//! The commissioning on a page in a browser: the same trial, told there and answered by buttons.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use askama::Template;
use axum::Router;
use axum::extract::{Form, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use sabot_law::table::answer::Lang;
use sabot_web::document;
use sabot_web::live::{Drawn, Live};
use serde::Deserialize;
use tokio::sync::{mpsc, watch};

use super::{Asked, CommissionError, Commissioned, Said, Teller, Wants, commission};
use crate::config::Config;
use crate::console::{Ui, version};
use crate::own_page::OwnPage;

/// So much of what was told last is shown.
const TOLD: usize = 60;
/// Pages that watch at one time.
const WATCHING: usize = 16;

static VERSION: LazyLock<String> = LazyLock::new(|| version(&[include_str!("../console/templates/commission.html")]));

/// What the page shows.
#[derive(Debug, Clone)]
struct Shown {
    lang: Lang,
    table: String,
    /// Where the page is served.
    path: String,
    /// Counts what was told and asked, over all trials: an answer says to which it belongs.
    nth: u64,
    asked: Option<Question>,
    told: VecDeque<Told>,
    end: Option<End>,
}

#[derive(Debug, Clone)]
struct Question {
    nth: u64,
    what: String,
    wants: Wants,
    /// Somebody has answered, and nothing came of it yet.
    is_answered: bool,
}

#[derive(Debug, Clone)]
struct Told {
    nth: u64,
    /// Its class on the page, and the mark before it.
    kind: (&'static str, &'static str),
    what: String,
}

/// How a trial has ended.
#[derive(Debug, Clone)]
struct End {
    words: String,
    is_good: bool,
    /// The sheet to be printed.
    sheet: Option<String>,
}

impl Shown {
    const fn new(lang: Lang, table: String, path: String) -> Self {
        Self { lang, table, path, nth: 0, asked: None, told: VecDeque::new(), end: None }
    }

    const fn es(&self) -> bool {
        matches!(self.lang, Lang::Es)
    }

    fn tell(&mut self, said: Said) {
        self.nth += 1;
        let nth = self.nth;
        if let Some(asked) = &mut self.asked {
            asked.is_answered = false;
        }
        let (kind, what) = match said {
            Said::Asked(what, wants) => {
                self.asked = Some(Question { nth, what, wants, is_answered: false });
                return;
            }
            Said::Good(what) => (("good", "✓"), what),
            Said::Wrong(what) => (("wrong", "✗"), what),
            Said::Aside(what) => (("aside", ""), what),
        };
        self.told.push_front(Told { nth, kind, what });
        self.told.truncate(TOLD);
    }

    /// The line that an answer is, where it answers what is asked now; once.
    fn line(&mut self, Answer { nth, say, more }: Answer) -> Option<String> {
        let more: String = more.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        if self.end.is_some() {
            return matches!(say.as_str(), ON | CLOSE).then_some(say);
        }
        let line = match say.as_str() {
            "skip" => format!("skip {more}"),
            "code" if more.trim().is_empty() => return None,
            "code" => more,
            "" | "y" | "n" | "stop" => say,
            _ => return None,
        };
        if line == "stop" {
            return Some(line);
        }
        let asked = self.asked.as_mut().filter(|asked| asked.nth == nth && !asked.is_answered)?;
        asked.is_answered = true;
        // after these the devices are looked for, and nothing is asked
        if matches!(asked.wants, Wants::Code | Wants::Word) {
            self.asked = None;
        }
        Some(line)
    }

    fn ends(&mut self, came: &Result<Commissioned, CommissionError>, config: &std::path::Path) {
        self.asked = None;
        let (words, is_good, sheet) = match came {
            Ok(done) => (done.words(self.lang, config), done.left_out == 0, Some(done.shown.clone())),
            Err(why) => (why.to_string(), false, None),
        };
        self.end = Some(End { words, is_good, sheet });
    }
}

/// Another trial begins: of what is missing.
const ON: &str = "on";
/// The page is no longer needed.
const CLOSE: &str = "close";

/// What somebody sends: a button, and what he has typed beside it.
#[derive(Debug, Deserialize)]
struct Answer {
    #[serde(default)]
    nth: u64,
    #[serde(default)]
    say: String,
    #[serde(default)]
    more: String,
}

/// Tells the technician on the page, which may be looked at by nobody just then.
struct OnPage(watch::Sender<Arc<Shown>>);

impl Teller for OnPage {
    fn tell(&mut self, said: Said) -> io::Result<()> {
        self.0.send_modify(|shown| Arc::make_mut(shown).tell(said));
        Ok(())
    }
}

#[derive(Clone)]
struct Served {
    live: Live<Shown>,
    shown: watch::Sender<Arc<Shown>>,
    answers: mpsc::UnboundedSender<String>,
}

/// Tries the table of a configuration file with a technician at this page, as often as he asks for it, until he closes
/// the page or `stop` becomes true; what came of it last. `before` stands above what is told. Must be called within a
/// tokio runtime.
///
/// # Errors
/// [`CommissionError`].
pub async fn on_page(
    (config, file): (&Config, PathBuf),
    (lang, mut again): (Lang, bool),
    before: Vec<String>,
    page: &OwnPage,
    stop: watch::Receiver<bool>,
) -> Result<Commissioned, CommissionError> {
    let mut shown = Shown::new(lang, config.header.table.to_string(), page.path());
    before.into_iter().rev().for_each(|line| shown.tell(Said::Aside(line)));
    let (shown, watched) = watch::channel(Arc::new(shown));
    let (answers, mut answered) = mpsc::unbounded_channel();
    let (stopper, shutdown) = watch::channel(false);
    let live = Live::new(watched, |shown, _| draw(shown), |shown| shown.nth, WATCHING, shutdown.clone());
    let served = Served { live, shown: shown.clone(), answers };
    let serving = tokio::spawn(page.serve(routes(served), shutdown)?);
    let came = loop {
        let (typed, lines) = mpsc::unbounded_channel();
        shown.send_modify(|shown| Arc::make_mut(shown).end = None);
        let asked = Asked { file: file.clone(), lang, again, teller: OnPage(shown.clone()), lines };
        again = false;
        // it may have been mended meanwhile
        let came = match Config::load(&file) {
            Ok(now) => tried(commission(&now, asked), &typed, &mut answered, stop.clone()).await,
            Err(why) => Err(why.into()),
        };
        shown.send_modify(|shown| Arc::make_mut(shown).ends(&came, &file));
        let goes_on = loop {
            let said = tokio::select! {
                said = answered.recv() => said,
                () = sabot_web::stopped(stop.clone()) => None,
            };
            match said.as_deref() {
                Some(ON) => break true,
                Some(CLOSE) | None => break false,
                // it was meant for the trial that is over
                Some(_) => {}
            }
        };
        if !goes_on {
            break came;
        }
        while answered.try_recv().is_ok() {}
    };
    stopper.send_replace(true);
    // the last answer is still on its way
    let _ = serving.await;
    came
}

/// What comes of a trial, while its technician's answers are handed on.
async fn tried(
    trial: impl Future<Output = Result<Commissioned, CommissionError>>,
    typed: &mpsc::UnboundedSender<String>,
    answered: &mut mpsc::UnboundedReceiver<String>,
    stop: watch::Receiver<bool>,
) -> Result<Commissioned, CommissionError> {
    let mut trial = std::pin::pin!(trial);
    let mut stopped = std::pin::pin!(sabot_web::stopped(stop));
    loop {
        tokio::select! {
            came = &mut trial => return came,
            Some(line) = answered.recv() => drop(typed.send(line)),
            () = &mut stopped => return Err(CommissionError::Left),
        }
    }
}

fn routes(served: Served) -> Router {
    let path = served.live.now().path.clone();
    Router::new()
        .route(&path, get(whole).post(answer))
        .route(&format!("{path}/events"), get(pictures))
        .route(&format!("{path}/sheet"), get(sheet))
        .with_state(served)
}

#[derive(Template)]
#[template(path = "commission.html", config = "console/askama.toml")]
struct Page<'a> {
    ui: &'a Ui,
    es: bool,
    table: &'a str,
    path: &'a str,
    version: &'a str,
    d: &'a Drawn,
}

#[derive(Template)]
#[template(path = "commission_asked.html", config = "console/askama.toml")]
struct AskedPart<'a> {
    es: bool,
    s: &'a Shown,
}

#[derive(Template)]
#[template(path = "commission_told.html", config = "console/askama.toml")]
struct ToldPart<'a> {
    s: &'a Shown,
}

fn draw(shown: &Shown) -> Result<Drawn, sabot_web::live::NotSent> {
    let asked = AskedPart { es: shown.es(), s: shown }.render()?;
    let told = ToldPart { s: shown }.render()?;
    Ok(Drawn { title: format!("sabot · {}", shown.table), parts: [("asked", asked), ("told", told)].into() })
}

async fn whole(State(served): State<Served>) -> Response {
    let shown = served.live.now();
    let ui = Ui::of(shown.lang);
    let page = draw(&shown).map_err(|why| why.to_string()).and_then(|d| {
        let page = Page { ui, es: shown.es(), table: &shown.table, path: &shown.path, version: &VERSION, d: &d };
        page.render().map_err(|why| why.to_string())
    });
    document(page, ui.code, ui.not_drawn)
}

async fn pictures(State(served): State<Served>) -> Response {
    let lang = served.live.now().lang;
    served.live.pictures(&VERSION, lang, Ui::of(lang).too_many)
}

async fn answer(State(served): State<Served>, Form(answer): Form<Answer>) -> Response {
    let mut line = None;
    served.shown.send_modify(|shown| line = Arc::make_mut(shown).line(answer));
    let is_last = line.as_deref() == Some(CLOSE);
    if let Some(line) = line {
        let _ = served.answers.send(line);
    }
    let shown = served.live.now();
    if is_last {
        return (StatusCode::OK, if shown.es() { "Terminado.\n" } else { "Finished.\n" }).into_response();
    }
    Redirect::to(&shown.path).into_response()
}

async fn sheet(State(served): State<Served>) -> Response {
    let shown = served.live.now();
    let ui = Ui::of(shown.lang);
    match shown.end.as_ref().and_then(|end| end.sheet.clone()) {
        Some(page) => document(Ok::<_, io::Error>(page), ui.code, ui.not_drawn),
        None => (StatusCode::NOT_FOUND, ui.not_found).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(nth: u64, say: &str, more: &str) -> Answer {
        Answer { nth, say: say.to_owned(), more: more.to_owned() }
    }

    #[test]
    fn an_answer_counts_once_for_what_it_was_given_to_and_is_one_line() {
        let mut shown = Shown::new(Lang::En, "T".to_owned(), String::new());
        assert_eq!(shown.line(answer(0, "y", "")), None, "nothing is asked");
        shown.tell(Said::Asked("is it red?".to_owned(), Wants::YesOrNo));
        let nth = shown.nth;
        assert_eq!(shown.line(answer(nth, "y", "")).as_deref(), Some("y"));
        assert_eq!(shown.line(answer(nth, "y", "")), None, "a second touch is not the answer to what comes next");
        shown.tell(Said::Wrong("look to its cable".to_owned()));
        assert_eq!(shown.line(answer(nth, "skip", "no\ncable")).as_deref(), Some("skip no cable"));
        shown.tell(Said::Asked("is it green?".to_owned(), Wants::YesOrNo));
        assert_eq!(shown.line(answer(nth, "y", "")), None, "that was asked before");
        assert_eq!(shown.line(answer(shown.nth, "rm", "")), None);
        assert_eq!(shown.line(answer(0, "stop", "")).as_deref(), Some("stop"), "leaving is no answer");
        assert_eq!(shown.line(answer(0, CLOSE, "")), None, "while it goes on");
    }
}
