//! What lines tell that is searched for later: findings and what became of them, ends of passes, and who acted.

use sabot_law::table::LineNo;
use serde_json::Value;

use super::KeptLine;

/// A finding.
pub(super) const FINDING: &str = "finding";
/// Somebody acted, or played.
pub(super) const ACT: &str = "act";
/// The end of a pass.
pub(super) const PASS: &str = "pass";
/// What becomes of a finding.
const BECAME: [&str; 3] = ["cleared", "breach", "withdrawn"];
/// A line without any of it tells nothing of the kind.
const SIGNS: [&str; 4] = ["\"answers\":", "\"by\":", "\"player\":", "\"entered\":"];
/// Longer names are cut: an index of PostgreSQL takes no more than 2,700 bytes.
const LONGEST: usize = 200;
/// Amounts beyond this are none: their sums would leave the column.
const MOST: i64 = 1_000_000_000_000;

/// Without what a text of PostgreSQL cannot hold.
fn clean(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

/// A name, as long as an index takes it.
fn name(text: &str) -> String {
    clean(text).chars().take(LONGEST).collect()
}

/// Something that a line tells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) line: LineNo,
    /// Which of those that the line tells.
    pub(super) part: i64,
    /// Milliseconds since 1970.
    pub(super) at: i64,
    pub(super) kind: &'static str,
    /// The finding.
    pub(super) n: Option<i64>,
    pub(super) pass: Option<i64>,
    pub(super) article: Option<String>,
    pub(super) place: Option<String>,
    pub(super) severity: Option<String>,
    pub(super) person: Option<String>,
    pub(super) owed: Option<i64>,
    pub(super) done: Option<i64>,
    /// The words of a finding.
    pub(super) text: Option<String>,
}

/// What a line tells.
pub(super) fn of(kept: &KeptLine) -> Vec<Told> {
    let (line, at) = (kept.line, super::column(kept.at_ms));
    let mut told = Vec::new();
    if kept.ev == "end" {
        told.push(Told { kind: PASS, ..Told::default() });
    }
    let may_tell = SIGNS.iter().any(|sign| kept.text.contains(sign));
    let read: Option<Value> = may_tell.then(|| serde_json::from_str(&kept.text).ok()).flatten();
    if let Some(read) = read {
        let answers = read["answers"].as_array().into_iter().flatten();
        told.extend(answers.filter_map(answer));
        for person in people(&read) {
            told.push(Told { kind: ACT, person: Some(name(person)), ..Told::default() });
        }
    }
    (0..).zip(told).map(|(part, told)| Told { line, part, at, ..told }).collect()
}

/// A word or a number, as it is read by people.
fn word(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(clean(text)),
        other => Some(other.to_string()),
    }
}

fn answer(answer: &Value) -> Option<Told> {
    let out = answer["out"].as_str()?;
    let number = |key: &str| answer[key].as_i64().filter(|of| *of >= 0);
    let amount = |key: &str| answer[key].as_i64().filter(|of| (-MOST..=MOST).contains(of));
    if out == FINDING {
        return Some(Told {
            kind: FINDING,
            n: number("n"),
            pass: number("pass"),
            article: word(&answer["provision"]).map(|of| name(&of)),
            place: word(&answer["box"]),
            severity: word(&answer["severity"]),
            person: word(&answer["player"]).map(|of| name(&of)),
            owed: amount("owed"),
            done: amount("done"),
            text: word(&answer["text"]),
            ..Told::default()
        });
    }
    let kind = BECAME.into_iter().find(|became| *became == out)?;
    Some(Told { kind, n: number("finding"), ..Told::default() })
}

/// Who acted or played in a line, each once; a correction names who stands in what it puts in its place.
fn people(read: &Value) -> Vec<&str> {
    let named = [read, &read["event"]].into_iter().flat_map(|of| [&of["by"], &of["player"]]);
    let mut people: Vec<&str> = named.chain([&read["entered"]]).filter_map(Value::as_str).collect();
    people.sort_unstable();
    people.dedup();
    people
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(ev: &str, text: &str) -> Vec<Told> {
        of(&KeptLine { line: 7, at_ms: 42, ev: ev.to_owned(), text: text.into() })
    }

    #[test]
    fn a_line_tells_findings_what_became_of_them_passes_and_people() {
        let text = r#"{"ev":"pay","by":"I-4","event":{"player":"P1"},"entered":"I-4","answers":[
            {"out":"finding","n":3,"pass":2,"provision":"C7","box":2,"severity":"irregularity","player":"P2","owed":500,
             "done":-100,"text":"x"},{"out":"cleared","finding":1},{"out":"settle"},{"out":7}]}"#;
        let finding = Told {
            line: 7,
            at: 42,
            kind: FINDING,
            n: Some(3),
            pass: Some(2),
            article: Some("C7".into()),
            place: Some("2".into()),
            severity: Some("irregularity".into()),
            person: Some("P2".into()),
            owed: Some(500),
            done: Some(-100),
            text: Some("x".into()),
            ..Told::default()
        };
        let cleared = Told { line: 7, part: 1, at: 42, kind: "cleared", n: Some(1), ..Told::default() };
        let act = |part, person: &str| Told {
            line: 7,
            part,
            at: 42,
            kind: ACT,
            person: Some(person.to_owned()),
            ..Told::default()
        };
        assert_eq!(told("pay", text), [finding, cleared, act(2, "I-4"), act(3, "P1")]);
        assert_eq!(told("end", r#"{"ev":"end"}"#), [Told { line: 7, at: 42, kind: PASS, ..Told::default() }]);
        assert_eq!(told("draw", r#"{"ev":"draw","card":"8H"}"#), []);
        assert_eq!(told("end", r#"{"ev":"end","answers":"#).len(), 1, "what does not read tells no more than its kind");
    }
}
