//! What a person at the table enters on the keypad beside the dealer, a line each: reports, corrections, rulings.

use std::str::{FromStr, SplitWhitespace};

use sabot_wire::message::Observation;

use crate::levers::{self, Lever, NoLever};
use crate::table_sensors::entries;
use sabot_law::table::event::{Authority, NOTES, Ruling};
use sabot_law::table::{Event, HandId, Name, Place, line};

/// What is entered, one entry after the other with nothing between them.
pub type Entries = Vec<Observation>;

/// What a person may enter.
pub const LEVERS: &[Lever<Entries>] = &[
    Lever {
        usage: "report BADGE ROLE NOTE [ARTICLE] [BOX]",
        does: "what no sensor sees, NOTE by its number; without an article the room decides",
        read: |rest| entered(report(rest)?),
    },
    Lever {
        usage: "rule BADGE ROLE DECISION [FINDING]",
        does: "void, stands, lose or resume, on the finding of that number",
        read: |rest| entered(rule(rest)?),
    },
    Lever {
        usage: "strike BADGE ROLE LINE",
        does: "what stands on that line of the record did not happen",
        read: |rest| entered(correct(rest, |line| (Some(line), None), false)?),
    },
    Lever {
        usage: "replace BADGE ROLE LINE EVENT",
        does: "this happened instead",
        read: |rest| entered(correct(rest, |line| (Some(line), None), true)?),
    },
    Lever {
        usage: "insert BADGE ROLE LINE EVENT",
        does: "this happened after that line",
        read: |rest| entered(correct(rest, |line| (None, Some(line)), true)?),
    },
    Lever { usage: "enter EVENT", does: "a key is pressed", read: |rest| entered(event(rest)?) },
];

/// The entries of a line.
///
/// # Errors
/// When it is none of [`LEVERS`], or tells what the keypad cannot.
pub fn read(line: &str) -> Result<Entries, NoLever> {
    levers::read(LEVERS, line)
}

/// The levers for `--help`, with the notes by their numbers.
#[must_use]
pub fn help(title: &str) -> String {
    let notes: Vec<String> = (1..).zip(NOTES).map(|(number, note)| format!("{number} {note}")).collect();
    format!(
        "{}\n  ROLE is inspector, table_chief or room; NOTE {}.\n  EVENT is written as in the record, such as \
         {{\"ev\":\"decide\",\"box\":\"2\",\"choice\":\"stand\"}}.",
        levers::help(title, LEVERS),
        notes.join(", ")
    )
}

/// As the keypad says it, where it can.
fn entered(event: Event) -> Option<Entries> {
    let entries = entries(&event);
    let is_whole = entries.len() == 1 + usize::from(matches!(event, Event::Correct { event: Some(_), .. }));
    is_whole.then_some(entries)
}

fn next<T: FromStr>(words: &mut SplitWhitespace<'_>) -> Option<T> {
    words.next()?.parse().ok()
}

/// A word that may be left out; nothing where it is there and cannot be read.
#[allow(clippy::option_option, reason = "left out, unreadable and read are three things")]
fn last<T: FromStr>(words: &mut SplitWhitespace<'_>) -> Option<Option<T>> {
    let read = match words.next() {
        Some(word) => Some(word.parse().ok()?),
        None => None,
    };
    words.next().is_none().then_some(read)
}

/// Who enters it: a badge and a rank.
fn who(words: &mut SplitWhitespace<'_>) -> Option<(Name, Name)> {
    let (badge, role): (u16, Authority) = (next(words)?, next(words)?);
    Some((format!("I-{badge}").into(), role.word().into()))
}

fn report(rest: &str) -> Option<Event> {
    let mut words = rest.split_whitespace();
    let (by, role) = who(&mut words)?;
    let number: usize = next(&mut words)?;
    let note = NOTES.get(number.checked_sub(1)?)?;
    let is_article = |word: &str| word.starts_with(|first: char| first.is_ascii_alphabetic());
    let mut after = words.clone();
    let provision = after.next().filter(|word| is_article(word));
    if provision.is_some() {
        words = after;
    }
    let place = last::<HandId>(&mut words)?.map(Place::Hand);
    Some(Event::Report { by, role, provision: provision.map(Name::new), place, note: Name::new(note) })
}

fn rule(rest: &str) -> Option<Event> {
    let mut words = rest.split_whitespace();
    let (by, role) = who(&mut words)?;
    let decision: Ruling = next(&mut words)?;
    Some(Event::Rule { by, role, decision, finding: last(&mut words)? })
}

/// A correction of a line, with what should stand there where that is asked for.
fn correct(rest: &str, at: fn(u64) -> (Option<u64>, Option<u64>), has_event: bool) -> Option<Event> {
    let (head, told) = rest.split_at(rest.find('{').unwrap_or(rest.len()));
    let mut words = head.split_whitespace();
    let (by, role) = who(&mut words)?;
    let (line, after) = at(next(&mut words)?);
    let told = if told.is_empty() { None } else { Some(Box::new(event(told)?)) };
    let is_whole = words.next().is_none() && told.is_some() == has_event;
    is_whole.then_some(Event::Correct { by, role, line, after, event: told })
}

fn event(json: &str) -> Option<Event> {
    line::event(json.as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabot_wire::message::{Amend, Choice, KeypadSaid};

    fn said(line: &str) -> Vec<KeypadSaid> {
        let entry = |saw| if let Observation::Keypad(said) = saw { said } else { panic!("{saw:?}") };
        read(line).unwrap().into_iter().map(entry).collect()
    }

    #[test]
    fn a_person_reports_rules_and_corrects_in_the_keypads_own_words() {
        let (badge, role) = (4, Authority::Inspector);
        for (line, article, box_no) in [
            ("report 4 inspector 2 C17 3", Some(317), Some(3)),
            ("report 4 inspector 2 C17", Some(317), None),
            ("report 4 inspector 2 T-Q6", Some(1706), None),
            ("report 4 inspector 2 croupier-6/K1 3", Some(1101), Some(3)),
            ("report 4 inspector 2 3", None, Some(3)),
            ("report 4 inspector 2", None, None),
        ] {
            assert_eq!(said(line), [KeypadSaid::Report { badge, role, note: 2, article, box_no }], "{line}");
        }
        let rule = |finding| KeypadSaid::Rule { badge: 9, role: Authority::Room, decision: Ruling::Stands, finding };
        assert_eq!(said("rule 9 room stands 12"), [rule(Some(12))]);
        assert_eq!(said("rule 9 room stands"), [rule(None)]);
        let amend = |how| KeypadSaid::Correct { badge, role, line: 41, how };
        assert_eq!(said("strike 4 inspector 41"), [amend(Amend::Strike)]);
        let stand = KeypadSaid::Decide { box_no: 2, hand: 0, choice: Choice::Stand, by: None };
        let event = r#"{"ev":"decide","box":"2","choice":"stand"}"#;
        assert_eq!(said(&format!("replace 4 inspector 41 {event}")), [amend(Amend::Instead), stand.clone()]);
        assert_eq!(said(&format!("insert 4 inspector 41 {event}")), [amend(Amend::After), stand.clone()]);
        assert_eq!(said(&format!("enter {event}")), [stand]);
        let (card, box_3) = ("8H".parse().unwrap(), Place::Hand("3".parse().unwrap()));
        let dealt = |to| KeypadSaid::Dealt { card, to, face: None };
        let replace = |event: &str| said(&format!("replace 4 inspector 41 {event}"));
        assert_eq!(replace(r#"{"ev":"draw","card":"8H"}"#), [amend(Amend::Instead), dealt(None)]);
        assert_eq!(replace(r#"{"ev":"draw","card":"8H","to":"3"}"#), [amend(Amend::Instead), dealt(Some(box_3))]);
        let named = KeypadSaid::CardIs { place: box_3, card };
        assert_eq!(said(r#"enter {"ev":"reveal","at":"3","card":"8H"}"#), [named]);
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_what_there_is() {
        for line in [
            "",
            "report",
            "report 4 dealer 2 C17",
            "report 4 inspector 0",
            "report 4 inspector 7",
            "report 4 inspector 2 C17 3 3",
            "report 4 inspector 2 !",
            "report 4 inspector 2 C70000",
            "report 4 inspector 2 Clause",
            "rule 9 room maybe",
            "rule 9 room stands x",
            "strike 4 inspector x",
            "strike 4 inspector 41 {}",
            "replace 4 inspector 41",
            r#"replace 4 inspector 41 {"ev":"draw","card":"8H","to":"burn"}"#,
            r#"enter {"ev":"reveal","at":"burn","card":"8H"}"#,
            r#"enter {"ev":"draw","card":"8H"}"#,
            "cheat",
        ] {
            let refused = read(line).unwrap_err().to_string();
            assert!(refused.contains("report BADGE ROLE NOTE"), "{line}: {refused}");
        }
    }
}
