//! `sabot journal compare`: the answers that a record tells, against those of today and the auditor's.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufRead, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::out::say_err;
use clap::Args;
use sabot_auditor::AuditError;
use sabot_journal::{Unsealed, packed};
use sabot_law::replay::{Fault, Over, Replay, ReplayError};
use sabot_law::table::answer::Lang;
use sabot_law::table::answers_told::{self, by_line, without};
use sabot_law::table::header::FirstLine;
use sabot_law::table::settings::Changes;
use sabot_law::table::{Answer, Header, LineNo, line};
use sabot_law::validator::Validator;
use sabot_station::about::About;
use sabot_station::config::own_regulation::{self, NotChosen, between};
use sabot_station::config::{self, ConfigError};
use sabot_station::history::{NotRead, Record, Told, read};
use serde::Serialize;
use serde_json::Value;

use super::period::House;
use super::then::{NotAsked, Then};

/// Holds the answers that a record tells against those of today
///
/// A station records with each event what was answered to it. Here the events are judged anew, and each line is printed
/// at which the answers are others now, or are told in other words, with what explains that: another program, other
/// articles or settings. Where nothing explains it, an answer or an event was changed afterwards, or the program was
/// not the one that the record names. With --program the program that wrote the record is asked: whether it answers
/// what is recorded, and which articles are others since, in their text or in how they are judged. With --auditor the
/// second reading is asked too.
///
/// Whether the lines are those that the station wrote, `sabot journal verify` tells.
///
/// Exit status: 0 when all answers are the same, 1 when some are not, 2 when the record or an option cannot be read, or
/// no answers are recorded in it, as by stations before they did so.
///
/// Example: sabot journal compare BJ-07.jsonl --auditor --lang en
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct CompareArgs {
    /// The record.
    file: PathBuf,
    /// Regulation to judge by now, instead of the one that the record names: one there is, or the TOML file of a
    /// house's own.
    #[arg(long, value_name = "ID|FILE")]
    regulation: Option<String>,
    /// TOML file with settings of the regulation to change, instead of those in the record.
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// A program that wrote the record, as it was kept when it was replaced. It is run, to replay the record and to
    /// show articles. May be given several times; the record tells which one wrote a line.
    #[arg(long, value_name = "FILE")]
    program: Vec<PathBuf>,
    /// Ask the auditor too. It looks at the whole record at each event, so that a record of a night takes long.
    #[arg(long)]
    auditor: bool,
    /// Lines that differ to print.
    #[arg(long, value_name = "N", default_value_t = 20)]
    mismatches: usize,
    #[command(flatten)]
    house: House,
    /// Language of the findings' texts.
    #[arg(long, value_name = "es|en", default_value = "es")]
    lang: Lang,
    /// One JSON object a line that differs: line, at, pass, recorded, today, auditor, why.
    #[arg(long)]
    json: bool,
}

/// Why nothing could be compared.
#[derive(Debug, thiserror::Error)]
enum Stopped {
    #[error("--regulation: {0}")]
    Regulation(#[from] NotChosen),
    #[error("--settings: {0}")]
    Settings(#[from] ConfigError),
    #[error(transparent)]
    Record(#[from] NotRead),
    #[error("{}: the auditor: {why}", file.display())]
    Auditor { file: PathBuf, why: AuditError },
    #[error(transparent)]
    Program(#[from] NotAsked),
    #[error("{}: no answers are recorded in it: the stations that wrote it did not do so yet", .0.display())]
    NotRecorded(PathBuf),
    #[error("{0}")]
    Out(#[from] io::Error),
}

pub(super) fn run(args: &CompareArgs) -> ExitCode {
    match compare(args) {
        Ok(same) => ExitCode::from(u8::from(!same)),
        Err(Stopped::Out(why)) if why.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(stopped) => {
            say_err!("sabot journal compare: {stopped}");
            ExitCode::from(2)
        }
    }
}

fn compare(args: &CompareArgs) -> Result<bool, Stopped> {
    let chosen = args.regulation.as_deref().map(|text| own_regulation::choose(text, Path::new(""))).transpose()?;
    let over = chosen.map(|chosen| Over { id: chosen.id, rules: chosen.rules });
    let settings = args.settings.as_deref().map(config::settings).transpose()?;
    let first = header(&args.file)?;
    let now = under(&first, over.clone(), settings.clone());
    let mut comparison = Comparison {
        lang: args.lang,
        explains: Explains::of(&args.file, first, &now, asked(args)?)?,
        audited: args.auditor.then(|| audited(&args.file, &now)).transpose()?,
        both: BothAnswers::default(),
        lines: None,
        answers: 0,
        differences: Vec::new(),
    };
    let replay = Replay::new(args.lang, over).with_settings(settings);
    let record = Record::whole(&args.file).in_house(args.house.of(&args.file));
    read(&record, replay, |told, _| {
        comparison.take(&told);
        Ok(())
    })?;
    if comparison.lines.is_none() {
        return Err(Stopped::NotRecorded(args.file.clone()));
    }
    let report =
        if args.json { comparison.json().map_err(io::Error::from)? } else { super::shown(&comparison.text(args)) };
    io::stdout().write_all(report.as_bytes())?;
    Ok(comparison.differences.is_empty())
}

/// The programs that wrote the record, each with its answers.
fn asked(args: &CompareArgs) -> Result<Vec<Then>, NotAsked> {
    args.program.iter().map(|program| Then::ask(program, &args.file)).collect()
}

fn header(file: &Path) -> Result<Header, NotRead> {
    let failed = |why| NotRead::File { file: file.to_path_buf(), why };
    let mut first = Vec::new();
    packed::read(file).map_err(failed)?.read_until(b'\n', &mut first).map_err(failed)?;
    line::header(&first).map_err(|why| unread(file, Fault::Line(why)))
}

fn unread(file: &Path, why: Fault) -> NotRead {
    NotRead::Log { file: file.to_path_buf(), why: ReplayError { line: 1, why } }
}

fn under(header: &Header, over: Option<Over>, settings: Option<Changes>) -> Header {
    let mut header = header.clone();
    if let Some(Over { id, rules }) = over {
        (header.regulation, header.rules) = (id, rules);
    }
    header.settings = settings.unwrap_or(header.settings);
    header
}

/// The auditor's answers, in words, by line.
fn audited(file: &Path, header: &Header) -> Result<BTreeMap<LineNo, Vec<String>>, Stopped> {
    let failed = |why| NotRead::File { file: file.to_path_buf(), why };
    let mut log = serde_json::to_string(&FirstLine::of(header)).map_err(io::Error::from)?;
    let mut record = String::new();
    Unsealed::new(packed::whole_lines(file).map_err(failed)?).read_to_string(&mut record).map_err(failed)?;
    log.extend(record.find('\n').and_then(|end| record.get(end..)));
    let answers = sabot_auditor::audit(&log).map_err(|why| Stopped::Auditor { file: file.to_path_buf(), why })?;
    Ok(by_line(&answers))
}

/// What can make answers others than they were.
struct Explains {
    /// What the options change.
    options: Vec<String>,
    /// The program of today, and the regulation that the record's first line makes of it.
    today: About,
    /// The regulation that the record's first line names.
    regulation: String,
    /// Programs that wrote it.
    then: Vec<Then>,
}

impl Explains {
    fn of(file: &Path, first: Header, now: &Header, then: Vec<Then>) -> Result<Self, NotRead> {
        let held = Validator::new(now.clone()).map_err(|why| unread(file, why.into()))?;
        let (made, mut options) = (Validator::new(first.clone()), Vec::new());
        let today = About::now(made.as_ref().unwrap_or(&held));
        if first.regulation != now.regulation {
            options.push(format!("--regulation: the record was made under `{}`", first.regulation));
        } else if let Ok(made) = made {
            let (then, now) = ((made.regulation(), made.settings()), (held.regulation(), held.settings()));
            options.extend(between(then, now).into_iter().map(|change| format!("the options: {change}")));
        }
        Ok(Self { options, today, regulation: first.regulation.to_string(), then })
    }

    /// What explains that the answers of a station are others today.
    fn why(&mut self, of: LineNo, start: Option<&(LineNo, About)>, answers: (&[String], &[String])) -> Vec<String> {
        let (mut why, today) = (self.options.clone(), &self.today);
        let Some((line, then)) = start else { return why };
        let wrote = self.then.iter_mut().find(|program| program.is(&then.program));
        let same_regulation = then.regulation == today.regulation;
        if then.program != today.program {
            let regulation = if same_regulation { "the same" } else { "other" };
            why.push(format!(
                "another program: {} then (line {line}), {} today, with {regulation} articles and settings",
                program(then),
                program(today)
            ));
            why.extend(wrote.map(|program| program.explains(of, &self.regulation, answers)));
        } else if !same_regulation {
            why.push(format!(
                "the first line makes another regulation than the one that the station told of on line {line}, and the \
                 program is the same: the first line was changed"
            ));
        }
        if why.is_empty() {
            why.push(
                "nothing explains it: this program answers otherwise under this regulation. An answer or an event was \
                 changed, or the program was not the one that the record names: see `sabot journal verify`"
                    .to_owned(),
            );
        }
        why
    }
}

fn program(about: &About) -> String {
    let hash = about.program.get(..12).unwrap_or("unknown");
    format!("sabot {} ({hash})", about.version)
}

/// A line that is answered otherwise, with what each side answers to it.
#[derive(Debug, Serialize)]
struct Difference {
    line: LineNo,
    at: String,
    pass: u64,
    recorded: Vec<String>,
    today: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    auditor: Option<Vec<String>>,
    why: Vec<String>,
}

/// The answers that a record tells and those of today, while its lines go by.
#[derive(Default)]
pub(super) struct BothAnswers {
    /// The last start of the station.
    start: Option<(LineNo, About)>,
    recorded: answers_told::Told,
    today: answers_told::Told,
}

impl BothAnswers {
    /// Those to a line, in words, as the record tells them and as they are today; none where they are not recorded.
    pub(super) fn to(&mut self, told: &Told) -> Option<(Vec<String>, Vec<String>)> {
        self.start = About::told(&told.event).map(|about| (told.line, about)).or(self.start.take());
        let today: Vec<Value> = told.answers.iter().filter_map(|answer| serde_json::to_value(answer).ok()).collect();
        let tells = self.start.as_ref().is_some_and(|(_, about)| about.answers);
        // what was not recorded is named like today: later answers refer to it
        let recorded = if tells { &told.recorded } else { &today };
        let recorded = recorded.iter().map(|answer| self.recorded.in_words(answer)).collect();
        let today = today.iter().map(|answer| self.today.in_words(answer)).collect();
        tells.then_some((recorded, today))
    }
}

/// A record held against today.
struct Comparison {
    lang: Lang,
    explains: Explains,
    audited: Option<BTreeMap<LineNo, Vec<String>>>,
    both: BothAnswers,
    /// The first line whose answers are recorded, and the last.
    lines: Option<(LineNo, LineNo)>,
    /// Answers that are recorded.
    answers: usize,
    differences: Vec<Difference>,
}

impl Comparison {
    fn take(&mut self, told: &Told) {
        let Some((recorded, today)) = self.both.to(told) else { return };
        self.lines.get_or_insert((told.line, told.line)).1 = told.line;
        self.answers += recorded.len();
        let auditor = self.audited.as_mut().map(|audited| audited.remove(&told.line).unwrap_or_default());
        let (recorded, today, why) = if recorded != today {
            let why = self.explains.why(told.line, self.both.start.as_ref(), (&recorded, &today));
            (recorded, today, why)
        } else if auditor.as_ref().is_some_and(|auditor| *auditor != today) {
            (recorded, today, vec!["the two readings differ: `sabot score` shows by what".to_owned()])
        } else {
            let (then, now) = other_texts(&told.recorded, &told.answers, self.lang);
            if then.is_empty() {
                return;
            }
            let why = self.explains.why(told.line, self.both.start.as_ref(), (&recorded, &today));
            (then, now, why)
        };
        let (line, at, pass) = (told.line, told.second(), told.pass);
        self.differences.push(Difference { line, at, pass, recorded, today, auditor, why });
    }

    fn json(&self) -> Result<String, serde_json::Error> {
        self.differences.iter().map(|difference| Ok(serde_json::to_string(difference)? + "\n")).collect()
    }

    fn text(&self, args: &CompareArgs) -> String {
        let (file, differences) = (args.file.display(), &self.differences);
        let (from, to) = self.lines.unwrap_or_default();
        let auditor = if args.auditor { " and the auditor's" } else { "" };
        if differences.is_empty() {
            let answers = self.answers;
            return format!("{file}: the {answers} answers recorded on lines {from} to {to} are today's{auditor}\n");
        }
        let mut report = format!("{file}: {} of lines {from} to {to} are answered otherwise\n", differences.len());
        report.extend(differences.iter().take(args.mismatches).map(ToString::to_string));
        if let Some(more) = differences.len().checked_sub(args.mismatches).filter(|more| *more > 0) {
            report += &format!("and {more} more (--mismatches)\n");
        }
        report
    }
}

/// Of answers that are the same but for the words for people: the texts of those whose words are others, then and now.
fn other_texts(recorded: &[Value], today: &[Answer], lang: Lang) -> (Vec<String>, Vec<String>) {
    let texts = recorded.iter().zip(today).filter_map(|(recorded, today)| {
        let (Answer::Finding(finding), Some(then)) = (today, recorded["text"].as_str()) else { return None };
        let is_told = [Lang::Es, Lang::En].into_iter().any(|lang| finding.text.get(lang) == then);
        (!is_told).then(|| (then.to_owned(), finding.text.get(lang).to_owned()))
    });
    texts.unzip()
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, at, pass, recorded, today, auditor, why } = self;
        writeln!(f, "\nline {line}, pass {pass}, {at}")?;
        let others = if recorded == today { auditor.as_ref().unwrap_or(today) } else { today };
        answered(f, "recorded", recorded, others)?;
        answered(f, "today", today, if recorded == today { others } else { recorded })?;
        match auditor {
            Some(auditor) if auditor == recorded && auditor != today => writeln!(f, "  auditor:  as recorded")?,
            Some(auditor) if auditor == today => writeln!(f, "  auditor:  as today")?,
            Some(auditor) => answered(f, "auditor", auditor, today)?,
            None => {}
        }
        why.iter().try_for_each(|why| writeln!(f, "  = {why}"))
    }
}

/// What one side answers and the other does not; all of it where they differ in the order alone.
fn answered(f: &mut fmt::Formatter<'_>, side: &str, answers: &[String], others: &[String]) -> fmt::Result {
    let side = format!("{side}:");
    let alone = without(answers, others);
    let order = alone.is_empty() && answers.len() == others.len();
    let told = if order { answers } else { &alone };
    if told.is_empty() {
        return writeln!(f, "  {side:9} nothing of this");
    }
    told.iter().try_for_each(|answer| writeln!(f, "  {side:9} {}", answer.replacen(" # ", " ", 1)))
}
