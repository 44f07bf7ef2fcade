//! A log in the notation: what a difference found by machine is shown in, ready to become a test.

use std::fmt::Write;

use sabot_law::replay::{Replay, ReplayError};
use sabot_law::table::LineNo;
use sabot_law::table::answer::Lang;
use serde_json::Value;

use super::event;
use crate::verdict::Verdicts;

/// The words of the events whose fields follow in this order; a field that the log may leave out stands at the end.
const FIELDS: [(&str, &str, &[&str]); 18] = [
    ("seat", "seat", &["seat", "player"]),
    ("leave", "leave", &["seat", "player"]),
    ("request", "request", &["box", "player", "t"]),
    ("shuffle", "shuffle", &["decks", "cards"]),
    ("cut", "cut", &["depth", "by"]),
    ("offer_cut", "offer_cut", &["player"]),
    ("load", "load", &["cards", "cut_card"]),
    ("bank_card", "bank_card", &["player", "card"]),
    ("share", "share", &["player", "what", "amount"]),
    ("bet", "bet", &["box", "spot", "amount", "player"]),
    ("close_bets", "close", &[]),
    ("draw", "draw", &["card", "to", "face"]),
    ("cut_card", "cut_card", &[]),
    ("ask", "ask", &["box", "about"]),
    ("ace", "ace", &["box", "value", "by"]),
    ("reveal", "reveal", &["at", "card"]),
    ("choose", "choose", &["box", "option"]),
    ("end", "end", &[]),
];

/// A log as a scenario of that name, each event with what it is answered.
///
/// # Errors
/// With the first line of the log that cannot be read.
pub fn scenario(name: &str, log: &str) -> Result<String, ReplayError> {
    let (mut replay, mut verdicts, mut answers) = (Replay::new(Lang::default(), None), Verdicts::default(), Vec::new());
    let mut text = format!("== {name}\n");
    for (line, json) in (1..).zip(log.lines()) {
        replay.feed(json.as_bytes(), &mut answers)?;
        let value: Value = serde_json::from_str(json).unwrap_or_default();
        text += &if line == 1 { header(&value) } else { words(&value, json, line) };
        for (index, answer) in answers.drain(..).filter_map(|answer| verdicts.write(&answer)).enumerate() {
            let _ = write!(text, "{}{answer}", if index == 0 { " => " } else { "\n     | " });
        }
        text.push('\n');
    }
    Ok(text)
}

fn header(value: &Value) -> String {
    let mut text = format!("table v={} regulation={}", value["v"], bare(&value["regulation"]));
    let _ = write!(text, " limits={}-{}", value["limits"]["min"], value["limits"]["max"]);
    if let Some(sights) = value["observes"].as_array() {
        let named: Vec<String> = sights.iter().map(bare).collect();
        let _ = write!(text, " observes={}", if named.is_empty() { "nothing".into() } else { named.join(",") });
    }
    for (name, value) in value["settings"].as_object().into_iter().flatten() {
        let _ = write!(text, " set={name}:{value}");
    }
    text
}

/// An event in words, or as the log has it where the notation has no words for all that it says.
fn words(value: &Value, json: &str, line: LineNo) -> String {
    let written = in_words(value, line);
    // a correction names its line by counting back, which its own line alone does not tell
    let correction = value["ev"] == "correct";
    let same = |written: &String| {
        correction
            || event::event(written).ok().and_then(|event| serde_json::to_value(event).ok()).as_ref() == Some(value)
    };
    written.filter(same).unwrap_or_else(|| json.to_string())
}

fn in_words(value: &Value, line: LineNo) -> Option<String> {
    let joined = |verb: &str, fields: &[&str]| {
        let said = fields.iter().map(|field| bare(&value[*field])).filter(|word| !word.is_empty());
        std::iter::once(verb.to_string()).chain(said).collect::<Vec<_>>().join(" ")
    };
    let ev = value["ev"].as_str()?;
    if let Some((_, verb, fields)) = FIELDS.iter().find(|(name, ..)| *name == ev) {
        return Some(joined(verb, fields));
    }
    let by = format!("by={}", bare(&value["by"]));
    Some(match ev {
        "decide" => joined(value["choice"].as_str()?, &["box", "by"]),
        "pay" | "collect" => joined(ev, &["box", "amount", "spot"]),
        "announce" if value["what"] == "total" => joined("total", &["box", "value"]),
        "announce" => "say next".to_string(),
        "move" => match value["to"].as_str()? {
            verb @ ("burn" | "discard") => joined(verb, &["from", "cards"]),
            _ => joined("move", &["from", "to", "cards"]),
        },
        "consent" => format!("consent {} {}", bare(&value["box"]), if value["yes"] == true { "yes" } else { "no" }),
        "authorize" => {
            let what = bare(&value["what"]);
            format!("authorize {} {} {by}", what.replace("next_cards_for_bank", "next"), bare(&value["role"]))
        }
        "rule" => format!("{} {by}", joined("rule", &["decision", "finding", "role"])),
        "device" if value["complete"] == true => joined("device_complete", &["device", "status", "detail"]),
        "device" => joined("device", &["device", "status", "detail"]),
        "correct" => {
            let told = value["line"].as_u64().or(value["after"].as_u64())?;
            let verb = match (value["line"].is_null(), value["event"].is_null()) {
                (true, _) => "insert",
                (false, true) => "strike",
                (false, false) => "correct",
            };
            let event = if value["event"].is_null() { String::new() } else { in_words(&value["event"], line)? };
            format!("{verb} {} as {} {event} {by}", line.checked_sub(told)?, bare(&value["role"])).replace("  ", " ")
        }
        _ => return None,
    })
}

/// A value without quotes; nothing for none.
fn bare(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
