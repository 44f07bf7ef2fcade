//! Every example log of the handbook is replayed and its answers held against those written beside it, which
//! `UPDATE_HANDBOOK=1` writes anew and a person reads through.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use sabot_law::replay::Replay;
use sabot_law::table::Answer;
use sabot_law::table::answer::Lang;

use crate::houses::{self, logs, short};
use crate::notation::Scribe;

/// The answers to a log, one line each, as `.expected` files write them.
fn answered(log: &str) -> Result<Vec<String>, String> {
    let mut replay = Replay::new(Lang::En, None);
    let mut answers = Vec::new();
    for line in log.lines() {
        replay.feed(line.as_bytes(), &mut answers).map_err(|error| error.to_string())?;
    }
    replay.finish(&mut answers).map_err(|error| error.to_string())?;
    let mut scribe = Scribe::default();
    Ok(answers
        .iter()
        .filter_map(|answer: &Answer| scribe.write(answer))
        .map(|(line, text)| format!("{line} {text}"))
        .collect())
}

/// Where the answers to an example are not those expected: the file, the line, and both.
fn difference(path: &Path) -> Option<String> {
    let log = fs::read_to_string(path).unwrap();
    let expected = fs::read_to_string(path.with_extension("expected")).unwrap_or_default();
    let got = match answered(&log) {
        Ok(got) => got,
        Err(error) => return Some(format!("{}: {error}\n", short(path))),
    };
    let expected: Vec<&str> = expected.lines().collect();
    let mut text = String::new();
    let line = |answer: &str| answer.split(' ').next().and_then(|n| n.parse::<usize>().ok()).unwrap_or(0);
    for (sign, answer) in
        missing(&expected, &got).map(|answer| ('-', answer)).chain(missing(&got, &expected).map(|answer| ('+', answer)))
    {
        let event = log.lines().nth(line(&answer).saturating_sub(1)).unwrap_or("");
        writeln!(text, "  {sign} {answer:<50} {event}").unwrap();
    }
    if text.is_empty() && expected != got {
        writeln!(text, "  the same answers in another order: {got:?}").unwrap();
    }
    (!text.is_empty()).then(|| format!("{}:\n{text}", short(path)))
}

fn missing<'a>(of: &'a [impl AsRef<str>], from: &'a [impl AsRef<str>]) -> impl Iterator<Item = String> + 'a {
    let mut left: Vec<&str> = from.iter().map(AsRef::as_ref).collect();
    of.iter().map(AsRef::as_ref).filter_map(move |answer| match left.iter().position(|other| *other == answer) {
        Some(at) => {
            left.swap_remove(at);
            None
        }
        None => Some(answer.to_string()),
    })
}

#[test]
fn every_example_is_answered_as_written_beside_it() {
    let logs = logs();
    if houses::updates() {
        for (_, path) in &logs {
            let lines = answered(&fs::read_to_string(path).unwrap()).unwrap();
            let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
            fs::write(path.with_extension("expected"), text).unwrap();
        }
    }
    let differences: Vec<String> = logs.iter().filter_map(|(_, path)| difference(path)).collect();
    assert!(
        differences.is_empty(),
        "{} of {} examples differ (- expected, + answered):\n{}",
        differences.len(),
        logs.len(),
        differences.concat()
    );
}

#[test]
fn every_example_is_of_its_house_and_every_answer_of_an_example() {
    for (regulation, path) in logs() {
        let log = fs::read_to_string(&path).unwrap();
        let named = format!(r#""regulation":"{}""#, regulation.id);
        assert!(log.lines().next().is_some_and(|header| header.contains(&named)), "{}", short(&path));
        for file in fs::read_dir(path.parent().unwrap()).unwrap().map(|file| file.unwrap().path()) {
            assert!(file.with_extension("jsonl").exists(), "{}: the answers to no log", short(&file));
        }
    }
}

#[test]
fn compliant_examples_play_whole_passes_without_a_finding_and_violating_ones_have_one() {
    for (_, path) in logs() {
        let log = fs::read_to_string(&path).unwrap();
        let answers = answered(&log).unwrap();
        let findings = answers
            .iter()
            .filter(|answer| !["settle", "cleared", "breach"].contains(&answer.split(' ').nth(1).unwrap()))
            .count();
        if short(&path).contains("/compliant") {
            assert_eq!(findings, 0, "{}: {answers:?}", short(&path));
            assert!(log.trim_end().ends_with(r#"{"ev":"end"}"#), "{} does not end its pass", short(&path));
        } else {
            assert_ne!(findings, 0, "{}", short(&path));
        }
    }
}

#[test]
fn a_wrong_expectation_is_told_with_its_file_and_line() {
    let (log, dir) = (
        fs::read_to_string(houses::examples("sala-8").join("C4/violating-refused.jsonl")).unwrap(),
        tempfile::tempdir(),
    );
    let path = dir.as_ref().unwrap().path().join("tampered.jsonl");
    fs::write(&path, log).unwrap();
    fs::write(path.with_extension("expected"), "18 D8 3 notice\n").unwrap();
    let told = difference(&path).unwrap();
    assert!(told.contains("tampered.jsonl"), "{told}");
    assert!(told.contains("- 18 D8 3 notice"), "{told}");
    assert!(told.contains("+ 18 D8 2 notice") && told.contains(r#""card":"QH""#), "{told}");
}
