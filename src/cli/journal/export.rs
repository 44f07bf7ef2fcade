//! `sabot journal export`: passes, findings and settlements of records as tables for other programs.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::out::say_err;
use clap::{Args, ValueEnum};
use sabot_law::replay::Replay;
use sabot_law::table::answer::{Finding, Lang, Settle};
use sabot_law::table::{Answer, Event};
use serde::Serialize;

use super::period::Period;
use super::sheet::{Column, Kind, Sheet, Value};
use sabot_station::history::{NotRead, Record, Told, read};

/// Exports passes, findings or settlements of records as a table, CSV or Parquet
///
/// One row for each pass that has ended, each finding, or each bet that a pass has settled; several records, such as
/// closed gaming days, go into one table. docs/record.md lists the columns. What is not known is empty (null). Amounts
/// are in hundredths, times UTC; --time-zone is that of --from and --to. CSV is UTF-8 by RFC 4180, with a first line of
/// names. Covered cards are not in it.
///
/// Exit status: 0 when it was written, 2 when a record or an option cannot be read, or the table cannot be written.
///
/// Example: sabot journal export findings BJ-07.jsonl --from 2026-11-01 --to 2026-12-01 > findings.csv
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ExportArgs {
    /// Which table.
    what: What,
    /// The records.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    time: Period,
    /// Language of texts.
    #[arg(long, value_name = "es|en", default_value = "es")]
    lang: Lang,
    /// Write it to this file and not to standard output; one that ends in .parquet is written as Parquet.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    Passes,
    Findings,
    Settlements,
}

const RECORD: [Column; 2] = [("record", Kind::Text), ("table", Kind::Text)];

const PASSES: [Column; 10] = [
    RECORD[0],
    RECORD[1],
    ("pass", Kind::Number),
    ("began", Kind::Time),
    ("ended", Kind::Time),
    ("first_line", Kind::Number),
    ("last_line", Kind::Number),
    ("draws", Kind::Number),
    ("findings", Kind::Number),
    ("corrections", Kind::Number),
];

const FINDINGS: [Column; 17] = [
    RECORD[0],
    RECORD[1],
    ("finding", Kind::Number),
    ("pass", Kind::Number),
    ("line", Kind::Number),
    ("of_line", Kind::Number),
    ("at", Kind::Time),
    ("article", Kind::Text),
    ("box", Kind::Text),
    ("severity", Kind::Text),
    ("player", Kind::Text),
    ("device", Kind::Text),
    ("owed", Kind::Number),
    ("done", Kind::Number),
    ("text", Kind::Text),
    ("state", Kind::Text),
    ("state_at", Kind::Time),
];

const SETTLEMENTS: [Column; 11] = [
    RECORD[0],
    RECORD[1],
    ("pass", Kind::Number),
    ("line", Kind::Number),
    ("at", Kind::Time),
    ("box", Kind::Text),
    ("spot", Kind::Text),
    ("outcome", Kind::Text),
    ("stake", Kind::Number),
    ("pay", Kind::Number),
    ("lost", Kind::Number),
];

impl What {
    const fn columns(self) -> &'static [Column] {
        match self {
            Self::Passes => &PASSES,
            Self::Findings => &FINDINGS,
            Self::Settlements => &SETTLEMENTS,
        }
    }
}

pub(super) fn run(args: &ExportArgs) -> ExitCode {
    match exported(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(NotRead::Out(why)) if why.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(why) => {
            say_err!("sabot journal export: {why}");
            ExitCode::from(2)
        }
    }
}

fn exported(args: &ExportArgs) -> Result<(), NotRead> {
    let mut sheet = Sheet::new(args.what.columns());
    for file in super::once("export", &args.files) {
        let time = args.time.bounds(&args.time.house.of(file));
        let mut rows = Rows { args, time, rows: Vec::new(), pass: Pass::default(), findings: HashMap::new() };
        let table = read(&Record::whole(file), Replay::new(args.lang, None), |told, _| {
            rows.take(&told);
            Ok(())
        })?;
        let record = Value::text(file.display());
        for row in rows.rows {
            sheet.push([record.clone(), Value::text(&table)].into_iter().chain(row));
        }
    }
    let Some(path) = &args.out else { return Ok(sheet.csv(&mut io::stdout().lock())?) };
    let failed = |why| NotRead::File { file: path.clone(), why };
    written(&sheet, path).map_err(failed)
}

fn written(sheet: &Sheet, path: &Path) -> io::Result<()> {
    let mut file = io::BufWriter::new(File::create(path)?);
    if path.extension().is_some_and(|end| end == "parquet") {
        sheet.parquet(&mut file).map_err(io::Error::other)?;
    } else {
        sheet.csv(&mut file)?;
    }
    file.flush()
}

/// A pass while its lines come.
#[derive(Default)]
struct Pass {
    number: u64,
    began: u64,
    first: u64,
    draws: i64,
    findings: i64,
    corrections: i64,
}

/// The rows of a record; what names the record is put before them.
struct Rows<'a> {
    args: &'a ExportArgs,
    /// From when and before when.
    time: (u64, u64),
    rows: Vec<Vec<Value>>,
    pass: Pass,
    /// Of each finding its row.
    findings: HashMap<u64, usize>,
}

impl Rows<'_> {
    fn take(&mut self, told: &Told) {
        if told.pass != self.pass.number {
            self.pass = Pass { number: told.pass, began: told.at, first: told.line, ..Pass::default() };
        }
        self.pass.draws += i64::from(matches!(told.event, Event::Draw { .. }));
        self.pass.corrections += i64::from(matches!(told.event, Event::Correct { .. }));
        for answer in &told.answers {
            match answer {
                Answer::Finding(finding) => {
                    self.pass.findings += 1;
                    self.finding(told, finding);
                }
                Answer::Cleared { finding, .. } => self.became(told, *finding, "cleared"),
                Answer::Breach { finding, .. } => self.became(told, *finding, "breach"),
                Answer::Withdrawn { finding, .. } => self.became(told, *finding, "withdrawn"),
                Answer::Settle(settle) => self.settled(told, settle),
                Answer::Summary { .. } => {}
            }
        }
        if matches!(told.event, Event::End {}) {
            let Pass { number, began, first, draws, findings, corrections } = self.pass;
            let numbers = [first.into(), told.line.into(), draws.into(), findings.into(), corrections.into()];
            let times = [Value::Time(began), Value::Time(told.at)];
            self.row(What::Passes, told, [number.into()].into_iter().chain(times).chain(numbers));
        }
    }

    fn row(&mut self, what: What, told: &Told, row: impl IntoIterator<Item = Value>) {
        if self.args.what == what && (self.time.0..self.time.1).contains(&told.at) {
            self.rows.push(row.into_iter().collect());
        }
    }

    fn finding(&mut self, told: &Told, finding: &Finding) {
        let details = &finding.details;
        let state = if finding.remedy.is_empty() { "noted" } else { "open" };
        let before = self.rows.len();
        let row = [
            finding.n.into(),
            finding.pass.into(),
            finding.line.into(),
            finding.of.into(),
            Value::Time(told.at),
            Value::text(finding.provision),
            finding.place.map_or(Value::None, Value::text),
            word(finding.severity),
            details.player.as_ref().map_or(Value::None, Value::text),
            details.device.as_ref().map_or(Value::None, Value::text),
            details.owed.into(),
            details.done.into(),
            Value::text(finding.text.get(self.args.lang)),
            Value::text(state),
            Value::None,
        ];
        self.row(What::Findings, told, row);
        if self.rows.len() > before && self.args.what == What::Findings {
            self.findings.insert(finding.n, before);
        }
    }

    fn became(&mut self, told: &Told, finding: u64, state: &str) {
        let row = self.findings.get(&finding).and_then(|at| self.rows.get_mut(*at));
        if let Some([.., was, at]) = row.map(Vec::as_mut_slice) {
            (*was, *at) = (Value::text(state), Value::Time(told.at));
        }
    }

    fn settled(&mut self, told: &Told, settle: &Settle) {
        let row = [
            settle.pass.into(),
            settle.line.into(),
            Value::Time(told.at),
            Value::text(settle.hand),
            word(settle.spot),
            word(settle.outcome),
            settle.stake.into(),
            settle.pay.into(),
            settle.lost.into(),
        ];
        self.row(What::Settlements, told, row);
    }
}

/// As the log's answers write it.
fn word(of: impl Serialize) -> Value {
    match serde_json::to_value(of) {
        Ok(serde_json::Value::String(word)) => Value::Text(word),
        _ => Value::None,
    }
}
