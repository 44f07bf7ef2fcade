//! Two readings of the law, the validator's and the auditor's, held against each other on a log.
//!
//! Answers are compared line by line, as told and in their order.

mod shorten;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use sabot_law::table::LineNo;
use sabot_law::table::answers_told::{by_line, without};
use serde_json::Value;

pub use shorten::shortest;

/// What one line is answered by one reading and not by the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The line of the log.
    pub line: LineNo,
    /// Answered by the validator alone.
    pub validator: Vec<String>,
    /// Answered by the auditor alone.
    pub auditor: Vec<String>,
}

impl Difference {
    /// What it is about, without the line: differences of one kind have one cause, more often than not.
    #[must_use]
    pub fn kinds(&self) -> BTreeSet<String> {
        let kind = |side: &str, answer: &String| format!("{side} {}", answer.split(" #").next().unwrap_or_default());
        let validator = self.validator.iter().map(|answer| kind("validator", answer));
        validator.chain(self.auditor.iter().map(|answer| kind("auditor", answer))).collect()
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (side, answers) in [("validator", &self.validator), ("auditor  ", &self.auditor)] {
            for answer in answers {
                writeln!(f, "line {}: only the {side}: {answer}", self.line)?;
            }
        }
        Ok(())
    }
}

/// A reading: the answers to a log, as values, or why it cannot be read.
pub type Reading = fn(&str) -> Result<Vec<Value>, String>;

/// Which reading cannot read a log, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    /// The validator's.
    #[error("the validator: {0}")]
    Validator(String),
    /// The auditor's.
    #[error("the auditor: {0}")]
    Auditor(String),
}

/// How many findings both readings made alike, and each alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Found {
    /// In every field.
    pub both: u64,
    /// By the validator alone, or otherwise than by the auditor.
    pub validator: u64,
    /// By the auditor alone, or otherwise than by the validator.
    pub auditor: u64,
}

/// What came of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Compared {
    /// Where the two differ, in the order of the lines.
    pub differences: Vec<Difference>,
    /// Findings by provision.
    pub findings: BTreeMap<String, Found>,
}

/// Where the two readings differ, in the order of the lines.
///
/// # Errors
/// When one of them cannot read the log.
pub fn compare(log: &str, validator: Reading, auditor: Reading) -> Result<Vec<Difference>, Unread> {
    compared(log, validator, auditor).map(|compared| compared.differences)
}

/// The same, with the findings that were made.
///
/// # Errors
/// When one of them cannot read the log.
pub fn compared(log: &str, validator: Reading, auditor: Reading) -> Result<Compared, Unread> {
    let validator = by_line(&validator(log).map_err(Unread::Validator)?);
    let auditor = by_line(&auditor(log).map_err(Unread::Auditor)?);
    let lines: BTreeSet<LineNo> = validator.keys().chain(auditor.keys()).copied().collect();
    let (none, mut compared) = (Vec::new(), Compared::default());
    for line in lines {
        let told = validator.get(&line).unwrap_or(&none);
        let audited = auditor.get(&line).unwrap_or(&none);
        let (mut validator, mut auditor) = (without(told, audited), without(audited, told));
        for provision in told.iter().filter_map(|answer| provision(answer)) {
            compared.findings.entry(provision.into()).or_default().both += 1;
        }
        for provision in validator.iter().filter_map(|answer| provision(answer)) {
            let found = compared.findings.entry(provision.into()).or_default();
            (found.both, found.validator) = (found.both - 1, found.validator + 1);
        }
        for provision in auditor.iter().filter_map(|answer| provision(answer)) {
            compared.findings.entry(provision.into()).or_default().auditor += 1;
        }
        if told != audited {
            if validator.is_empty() && auditor.is_empty() {
                (validator, auditor) = (vec![told.join(" | ")], vec![audited.join(" | ")]);
            }
            compared.differences.push(Difference { line, validator, auditor });
        }
    }
    Ok(compared)
}

/// Of a finding in words.
fn provision(answer: &str) -> Option<&str> {
    answer.strip_prefix("finding ")?.split(' ').next()
}
