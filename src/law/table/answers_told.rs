//! Answers as a log tells them, so that two sets of them can be held against each other: every field but the line and
//! the text for people. A finding is named by what it is about, so that one finding too many does not make all later
//! numbers differ.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::LineNo;

/// Answers in words, by line; the summary, which only counts the others, stands nowhere.
#[must_use]
pub fn by_line(answers: &[Value]) -> BTreeMap<LineNo, Vec<String>> {
    let (mut told, mut lines) = (Told::default(), BTreeMap::<LineNo, Vec<String>>::new());
    for answer in answers.iter().filter(|answer| answer["out"] != "summary") {
        lines.entry(answer["line"].as_u64().unwrap_or_default()).or_default().push(told.in_words(answer));
    }
    lines
}

/// What a log has been answered so far.
#[derive(Debug, Default)]
pub struct Told {
    /// What each finding is about, by its number.
    findings: BTreeMap<u64, String>,
}

impl Told {
    /// The next answer in words: its kind, then after `#` all that it says.
    pub fn in_words(&mut self, answer: &Value) -> String {
        let word = |name: &str| answer[name].as_str().unwrap_or_default();
        let number = |name: &str| answer[name].as_u64().unwrap_or_default();
        let place = answer["box"].as_str().or(answer["device"].as_str()).unwrap_or("-");
        match word("out") {
            "finding" => {
                let provision = word("provision");
                self.findings.insert(number("n"), format!("{provision} # [{place}] of line {}", number("line")));
                format!("finding {provision} # [{place}]{}", said(answer, &["n", "provision", "box"]))
            }
            "settle" => {
                let outcome = format!("{} {}", word("spot"), word("outcome"));
                format!("settle {outcome} # [{place}]{}", said(answer, &["spot", "outcome", "box"]))
            }
            out => {
                let name = self.findings.get(&number("finding")).map_or("of no finding #", String::as_str);
                format!("{out} {name}{}", said(answer, &["finding"]))
            }
        }
    }
}

/// Its fields, but for the line, the text for people and those named.
fn said(answer: &Value, but: &[&str]) -> String {
    let told = |name: &str| !["out", "line", "text"].contains(&name) && !but.contains(&name);
    let fields = answer.as_object().into_iter().flatten().filter(|(name, _)| told(name));
    fields.map(|(name, value)| format!(" {name}={value}")).collect()
}

/// The answers that are not among others.
#[must_use]
pub fn without(answers: &[String], others: &[String]) -> Vec<String> {
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
