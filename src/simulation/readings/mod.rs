//! Two readings of the law, the validator's and the auditor's, held against each other on a log.
//!
//! Answers are compared line by line, as told and in their order: every field but the text for people. A finding is
//! named by what it is about, so that one finding too many does not make all later numbers differ.

mod dealt;
mod shorten;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use sabot_law::table::LineNo;
use serde_json::Value;

pub use dealt::Deal;
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

/// Where the two readings differ, in the order of the lines.
///
/// # Errors
/// When one of them cannot read the log.
pub fn compare(log: &str, validator: Reading, auditor: Reading) -> Result<Vec<Difference>, String> {
    let validator = by_line(&validator(log).map_err(|why| format!("the validator: {why}"))?);
    let auditor = by_line(&auditor(log).map_err(|why| format!("the auditor: {why}"))?);
    let lines: BTreeSet<LineNo> = validator.keys().chain(auditor.keys()).copied().collect();
    let (none, mut differences) = (Vec::new(), Vec::new());
    for line in lines {
        let told = validator.get(&line).unwrap_or(&none);
        let audited = auditor.get(&line).unwrap_or(&none);
        if told != audited {
            let (mut validator, mut auditor) = (without(told, audited), without(audited, told));
            if validator.is_empty() && auditor.is_empty() {
                (validator, auditor) = (vec![told.join(" | ")], vec![audited.join(" | ")]);
            }
            differences.push(Difference { line, validator, auditor });
        }
    }
    Ok(differences)
}

/// Answers in words, by line; the summary, which only counts the others, stands nowhere.
fn by_line(answers: &[Value]) -> BTreeMap<LineNo, Vec<String>> {
    let mut names = BTreeMap::new();
    let mut lines: BTreeMap<LineNo, Vec<String>> = BTreeMap::new();
    for answer in answers.iter().filter(|answer| answer["out"] != "summary") {
        lines.entry(answer["line"].as_u64().unwrap_or_default()).or_default().push(in_words(answer, &mut names));
    }
    lines
}

/// An answer in words: its kind, then after `#` all that it says.
fn in_words(answer: &Value, names: &mut BTreeMap<u64, String>) -> String {
    let word = |name: &str| answer[name].as_str().unwrap_or_default();
    let number = |name: &str| answer[name].as_u64().unwrap_or_default();
    let place = answer["box"].as_str().or(answer["device"].as_str()).unwrap_or("-");
    match word("out") {
        "finding" => {
            let provision = word("provision");
            names.insert(number("n"), format!("{provision} # [{place}] of line {}", number("line")));
            format!("finding {provision} # [{place}]{}", said(answer, &["n", "provision", "box"]))
        }
        "settle" => {
            let outcome = format!("{} {}", word("spot"), word("outcome"));
            format!("settle {outcome} # [{place}]{}", said(answer, &["spot", "outcome", "box"]))
        }
        out => {
            let name = names.get(&number("finding")).map_or("of no finding #", String::as_str);
            format!("{out} {name}{}", said(answer, &["finding"]))
        }
    }
}

/// Its fields, but for the line, the text for people and those named.
fn said(answer: &Value, but: &[&str]) -> String {
    let told = |name: &str| !["out", "line", "text"].contains(&name) && !but.contains(&name);
    answer
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, _)| told(name))
        .map(|(name, value)| format!(" {name}={value}"))
        .collect()
}

fn without(answers: &[String], others: &[String]) -> Vec<String> {
    let (mut alone, mut others) = (answers.to_vec(), others.to_vec());
    alone.retain(|answer| match others.iter().position(|other| other == answer) {
        Some(index) => {
            others.swap_remove(index);
            false
        }
        None => true,
    });
    alone
}
