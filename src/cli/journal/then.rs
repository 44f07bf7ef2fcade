//! The program that a record was made with, asked anew: whether it answers what is recorded, and whether its articles
//! read as today's do.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sabot_law::table::LineNo;
use sabot_law::table::answer::Lang;
use sabot_law::table::answers_told::{by_line, without};
use sabot_station::about;
use serde_json::Value;

/// What `sabot regulation show` says after the article's own text.
const AFTER_THE_TEXT: &str = "\n\n";
const NO_TEXT: [&str; 4] = ["In the code:", "En el código:", "Example", "Ejemplo"];

/// Why a program cannot be asked.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotAsked {
    #[error("--program: {}: {why}\n  = name a program `sabot` that this user may run", program.display())]
    Start { program: PathBuf, why: io::Error },
    #[error("--program: {}: {said}", program.display())]
    Said { program: PathBuf, said: String },
}

/// A program of another day.
pub(super) struct Then {
    program: PathBuf,
    hash: String,
    /// What it answers to the record, in words, by line.
    answers: BTreeMap<LineNo, Vec<String>>,
    /// Of each article that was asked for, whether it reads as today.
    same_text: BTreeMap<String, Option<bool>>,
}

impl Then {
    /// Has a program answer a record.
    pub(super) fn ask(program: &Path, record: &Path) -> Result<Self, NotAsked> {
        let hash = about::hash_of(program).map_err(|why| NotAsked::Start { program: program.to_path_buf(), why })?;
        let told = said(program, Command::new(program).arg("replay").arg(record))?;
        let answers: Result<Vec<Value>, _> = told.lines().map(serde_json::from_str).collect();
        let why = |why: serde_json::Error| NotAsked::Said {
            program: program.to_path_buf(),
            said: format!("{why}: what it says is no answer"),
        };
        let answers = by_line(&answers.map_err(why)?);
        Ok(Self { program: program.to_path_buf(), hash, answers, same_text: BTreeMap::new() })
    }

    /// Whether it is the program of that hash.
    pub(super) fn is(&self, hash: &str) -> bool {
        self.hash == hash
    }

    /// What it explains of a line that is recorded so and answered so today.
    pub(super) fn explains(
        &mut self,
        line: LineNo,
        regulation: &str,
        (recorded, today): (&[String], &[String]),
    ) -> String {
        let program = self.program.display().to_string();
        let answered = self.answers.get(&line).map_or(&[][..], Vec::as_slice);
        if answered != recorded {
            let as_today = if answered == today { " as today" } else { " otherwise still" };
            return format!(
                "the program does not explain it: {program}, which wrote it, answers{as_today}. An answer or an event was \
                 changed: see `sabot journal verify`"
            );
        }
        let changed: Vec<String> = concerned(recorded, today)
            .into_iter()
            .map(|article| match self.reads_alike(&article, regulation) {
                Some(true) => format!("{article} (the same text, judged otherwise)"),
                Some(false) => format!("{article} (its text was changed)"),
                None => article,
            })
            .collect();
        let changed = if changed.is_empty() { "the accounts".to_owned() } else { changed.join(", ") };
        format!("the program explains it: {program}, which wrote it, answers as recorded; changed since: {changed}")
    }

    /// Whether an article's text is today's; none where one of the two does not show it.
    fn reads_alike(&mut self, article: &str, regulation: &str) -> Option<bool> {
        if let Some(known) = self.same_text.get(article) {
            return *known;
        }
        let text = |program: &Path| {
            let shown = |lang: Lang| {
                let lang = if lang == Lang::Es { "es" } else { "en" };
                let args = ["regulation", "show", article, "--regulation", regulation, "--lang", lang];
                said(program, Command::new(program).args(args)).ok().map(|text| own_text(&text))
            };
            Some((shown(Lang::Es)?, shown(Lang::En)?))
        };
        let alike = std::env::current_exe().ok().and_then(|now| Some(text(&self.program)? == text(&now)?));
        self.same_text.insert(article.to_owned(), alike);
        alike
    }
}

/// The articles of the answers that one side gives and the other does not; of all where they differ in the words for
/// people alone.
fn concerned(recorded: &[String], today: &[String]) -> BTreeSet<String> {
    let others = |of: &[String]| if recorded == today { Vec::new() } else { of.to_vec() };
    let both = without(recorded, &others(today)).into_iter().chain(without(today, &others(recorded)));
    let article = |answer: String| {
        let mut words = answer.split(' ');
        let (out, article) = (words.next()?, words.next()?);
        (out != "settle" && article.starts_with(char::is_uppercase)).then(|| article.to_owned())
    };
    both.filter_map(article).collect()
}

/// An article's text without where it is in the code, and without examples.
fn own_text(shown: &str) -> String {
    let is_text = |part: &&str| !NO_TEXT.iter().any(|no| part.starts_with(no));
    shown.split(AFTER_THE_TEXT).take_while(is_text).collect()
}

/// What a program says.
fn said(program: &Path, command: &mut Command) -> Result<String, NotAsked> {
    let failed = |why| NotAsked::Start { program: program.to_path_buf(), why };
    let ended = command.stdin(Stdio::null()).output().map_err(failed)?;
    if ended.status.success() {
        return Ok(String::from_utf8_lossy(&ended.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&ended.stderr).trim().to_owned();
    Err(NotAsked::Said { program: program.to_path_buf(), said })
}
