//! `sabot journal find`: findings and acts of a table's records by article, box, person and time.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use sabot_journal::clock::STATION;
use sabot_law::replay::Replay;
use sabot_law::table::act_words::described;
use sabot_law::table::answer::{Finding, Lang};
use sabot_law::table::{Answer, Event, LineNo, Place};
use serde::Serialize;
use serde_json::Value;

use super::history::{NotRead, Period, Told, read, second};

/// Finds findings and acts in records
///
/// What is asked for must all hold: an article, a box, a person, a time. A person is found where he acted (ruled,
/// authorised, corrected, entered, signed in, took or closed a finding), where he played, and in findings about those.
/// Without --person only findings are looked for. Each answer has the time on the wall (UTC), the pass, the line, and
/// of a finding what became of it; `sabot journal show` prints the pass. Covered cards are not shown.
///
/// Exit status: 0 when something was found, 1 when nothing was, 2 when a record or an option cannot be read.
///
/// Example: sabot journal find BJ-07.jsonl --article C5 --box 3 --from 2026-11-24T22:00 --to 2026-11-25
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct FindArgs {
    /// The records.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Findings under this article.
    #[arg(long, value_name = "ID")]
    article: Option<String>,
    /// At this box.
    #[arg(long = "box", value_name = "N")]
    box_no: Option<u8>,
    /// This person, as the record calls him.
    #[arg(long, value_name = "NAME")]
    person: Option<String>,
    #[command(flatten)]
    time: Period,
    /// Language.
    #[arg(long, value_name = "es|en", default_value = "es")]
    lang: Lang,
    /// One JSON object a line: at, table, pass, line, by (who acted), finding, article, box, text, state.
    #[arg(long)]
    json: bool,
}

/// What was found.
#[derive(Debug, Serialize)]
struct Item {
    at: String,
    table: String,
    pass: u64,
    line: LineNo,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    finding: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    article: Option<&'static str>,
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'static str>,
}

/// Runs the command.
pub(super) fn run(args: &FindArgs) -> ExitCode {
    let mut found = 0;
    for file in &args.files {
        let mut search = Search { args, items: Vec::new() };
        let read = read(file, Replay::new(args.lang, None), |told, _| {
            search.take(&told);
            Ok(())
        });
        let printed = read.and_then(|table| search.print(&table));
        match printed {
            Ok(count) => found += count,
            Err(NotRead::Out(why)) if why.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Err(why) => {
                eprintln!("sabot journal find: {why}");
                return ExitCode::from(2);
            }
        }
    }
    if found == 0 {
        eprintln!("sabot journal find: nothing is found");
    }
    ExitCode::from(u8::from(found == 0))
}

struct Search<'a> {
    args: &'a FindArgs,
    items: Vec<Item>,
}

impl Search<'_> {
    fn take(&mut self, told: &Told) {
        for answer in &told.answers {
            match answer {
                Answer::Finding(finding) if self.wants(told, finding) => self.items.push(self.finding(told, finding)),
                Answer::Cleared { finding, .. } => self.became(*finding, "cleared"),
                Answer::Breach { finding, .. } => self.became(*finding, "breach"),
                Answer::Withdrawn { finding, .. } => self.became(*finding, "withdrawn"),
                _ => {}
            }
        }
        let acts = self.args.person.as_ref().filter(|person| self.args.article.is_none() && is_by(told, person));
        if let Some(person) = acts.filter(|_| self.args.time.holds(told.at) && self.is_at_box(&told.event)) {
            self.items.push(Item {
                by: Some(person.clone()),
                finding: None,
                article: None,
                place: None,
                text: described(&told.event).get(self.args.lang).to_owned(),
                state: None,
                ..self.item(told)
            });
        }
    }

    fn wants(&self, told: &Told, finding: &Finding) -> bool {
        let FindArgs { article, box_no, person, .. } = self.args;
        let is_box = |number: &u8| matches!(finding.place, Some(Place::Hand(hand)) if hand.box_no == *number);
        article.as_ref().is_none_or(|article| article.eq_ignore_ascii_case(finding.provision))
            && box_no.as_ref().is_none_or(is_box)
            && person
                .as_ref()
                .is_none_or(|name| finding.details.player.as_deref() == Some(name.as_str()) || is_by(told, name))
            && self.args.time.holds(told.at)
    }

    fn is_at_box(&self, event: &Event) -> bool {
        self.args.box_no.is_none_or(|box_no| event.boxes().any(|(_, at)| at == box_no))
    }

    fn item(&self, told: &Told) -> Item {
        Item {
            at: second(told.at),
            table: String::new(),
            pass: told.pass,
            line: told.line,
            by: None,
            finding: None,
            article: None,
            place: None,
            text: String::new(),
            state: None,
        }
    }

    fn finding(&self, told: &Told, finding: &Finding) -> Item {
        Item {
            pass: finding.pass,
            line: finding.of.unwrap_or(finding.line),
            finding: Some(finding.n),
            article: Some(finding.provision),
            place: finding.place.map(|place| place.to_string()),
            text: finding.text.get(self.args.lang).to_owned(),
            state: Some(if finding.remedy.is_empty() { "noted" } else { "open" }),
            ..self.item(told)
        }
    }

    fn became(&mut self, finding: u64, state: &'static str) {
        for item in self.items.iter_mut().filter(|item| item.finding == Some(finding)) {
            item.state = Some(state);
        }
    }

    fn print(self, table: &str) -> Result<usize, NotRead> {
        let mut out = io::stdout().lock();
        let count = self.items.len();
        for item in self.items {
            let item = Item { table: table.to_owned(), ..item };
            if self.args.json {
                writeln!(out, "{}", serde_json::to_string(&item).map_err(io::Error::from)?)?;
            } else {
                let what = item.article.map_or_else(|| item.by.unwrap_or_default(), str::to_owned);
                let state = item.state.map(|state| format!("  [{state}]")).unwrap_or_default();
                let Item { at, table, pass, line, text, .. } = item;
                writeln!(out, "{at}  {table}  pass {pass}, line {line}  {what}: {text}{state}")?;
            }
        }
        Ok(count)
    }
}

/// Whether somebody acted, or played, in a line.
fn is_by(told: &Told, person: &str) -> bool {
    if let Event::Device { device, detail: Some(detail), .. } = &told.event
        && device == STATION
    {
        return detail.split([' ', ':']).any(|word| word == person);
    }
    let names = |written: &Value| ["by", "player"].iter().any(|field| written[*field] == person);
    let written = serde_json::to_value(&told.event).unwrap_or_default();
    told.entered.as_deref() == Some(person) || names(&written) || names(&written["event"])
}
