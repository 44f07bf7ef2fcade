//! Every example of the handbook is replayed and its answers held against those written beside its events, which
//! `UPDATE_HANDBOOK=1` writes anew and a person reads through.

use std::fmt::Write as _;
use std::fs;

use sabot_handbook::examples::{Case, read};
use sabot_handbook::verdict::answered;
use sabot_law::regulation::sala8::SALA_8;

use crate::houses::{self, File, files, short};

/// Columns that a line with its answers may take; more answers go below.
const WIDTH: usize = 110;

/// Where an example is not answered as written: the file, the line, and both.
fn difference(file: &str, case: &Case) -> String {
    let answers = match answered(&case.scenario) {
        Ok(answers) => answers,
        Err(error) => return format!("{file}: {}: {error}\n", case.scenario.name),
    };
    let mut text = String::new();
    for (step, got) in case.scenario.steps.iter().zip(&answers) {
        if step.expected != *got {
            writeln!(text, "{file}:{} {}: `{}` {}", step.line, case.scenario.name, step.written, step.json).unwrap();
            writeln!(text, "  - {}\n  + {}", step.expected.join(" | "), got.join(" | ")).unwrap();
        }
    }
    text
}

/// A line with its answers.
fn line(written: &str, answers: &[String]) -> String {
    let whole = format!("{written} => {}\n", answers.join(" | "));
    match answers {
        [] => format!("{written}\n"),
        _ if whole.chars().count() <= WIDTH + 1 => whole,
        _ => {
            let below = format!("\n{} | ", " ".repeat(written.chars().count() + 1));
            format!("{written} => {}\n", answers.join(&below))
        }
    }
}

/// The text with what its events are answered. A line of several events, of which not only the last is answered,
/// becomes several lines.
fn taken_down(text: &str, cases: &[Case]) -> String {
    let answers: Vec<_> = cases.iter().map(|case| answered(&case.scenario).unwrap()).collect();
    // the header stands at the line of the first event and is answered nothing
    let steps = || cases.iter().zip(&answers).flat_map(|(case, got)| case.scenario.steps.iter().zip(got).skip(1));
    let mut anew = String::new();
    let mut is_as_it_was = true;
    for (number, source) in (1..).zip(text.lines()) {
        let of_line: Vec<_> = steps().filter(|(step, _)| step.line == number).collect();
        if of_line.is_empty() {
            if is_as_it_was || !source.trim_start().starts_with('|') {
                anew += &format!("{source}\n");
            }
            continue;
        }
        is_as_it_was = of_line.iter().all(|(step, got)| step.expected == **got);
        let (last, before) = of_line.split_last().unwrap();
        if is_as_it_was {
            anew += &format!("{source}\n");
        } else if before.iter().all(|(_, got)| got.is_empty()) {
            anew += &line(source.split("=>").next().unwrap().trim(), last.1);
        } else {
            of_line.iter().for_each(|(step, got)| anew += &line(&step.written, got));
        }
    }
    anew
}

#[test]
fn every_example_is_answered_as_written_beside_it() {
    if houses::updates() {
        for File { path, text, cases, .. } in files() {
            fs::write(path, taken_down(&text, &cases)).unwrap();
        }
    }
    let mut count = 0;
    let mut differences = String::new();
    for file in files() {
        count += file.cases.len();
        file.cases.iter().for_each(|case| differences += &difference(&short(&file.path), case));
    }
    assert!(differences.is_empty(), "{count} examples, differing (- expected, + answered):\n{differences}");
}

#[test]
fn every_example_is_of_its_house() {
    for file in files() {
        let named = format!(r#""regulation":"{}""#, file.house.id);
        for case in &file.cases {
            let header = case.scenario.steps.first().map(|step| step.json.as_str());
            assert!(header.is_some_and(|header| header.contains(&named)), "{}: {}", short(&file.path), case.name);
        }
    }
}

#[test]
fn compliant_examples_play_whole_passes_without_a_finding_and_violating_ones_have_one() {
    for file in files() {
        for case in &file.cases {
            let name = format!("{}: {}", short(&file.path), case.name);
            let answers = answered(&case.scenario).unwrap().concat();
            let finding =
                |answer: &&String| !["settle ", "cleared ", "breach "].iter().any(|kind| answer.starts_with(kind));
            let findings = answers.iter().filter(finding).count();
            assert_eq!(findings > 0, case.violating, "{name}: {answers:?}");
            let last = case.scenario.steps.last().map(|step| step.json.as_str());
            assert!(case.violating || last == Some(r#"{"ev":"end"}"#), "{name} does not end its pass");
        }
    }
}

/// The file of an article of sala-8.
fn file(article: &str) -> String {
    fs::read_to_string(houses::examples(&SALA_8).join(format!("{article}.txt"))).unwrap()
}

#[test]
fn a_wrong_expectation_is_told_with_its_file_and_line() {
    let tampered = file("C4").replace("=> D8 2 notice", "=> D8 3 notice");
    let refused = read("C4.txt", "sala-8", &tampered).unwrap().into_iter().find(|case| case.name == "refused").unwrap();
    let at = 1 + tampered[..tampered.find("== violating: refused").unwrap()].lines().count();
    let told = difference("C4.txt", &refused);
    let line = refused.scenario.steps.iter().find(|step| !step.expected.is_empty()).unwrap().line;
    assert!(line > at && told.starts_with(&format!("C4.txt:{line} ")), "{told}");
    assert!(told.contains("  - D8 3 notice\n  + D8 2 notice\n") && told.contains(r#""card":"QH""#), "{told}");
}

#[test]
fn answers_taken_down_anew_are_those_agreed_upon() {
    let agreed = file("C4");
    let mut forgotten = String::new();
    for line in agreed.lines().filter(|line| !line.trim_start().starts_with('|')) {
        forgotten += &format!("{}\n", line.split(" =>").next().unwrap());
    }
    assert_ne!(forgotten, agreed);
    let anew = |text: &str| taken_down(text, &read("C4.txt", "sala-8", text).unwrap());
    assert_eq!(anew(&forgotten), agreed);
    assert_eq!(anew(&agreed), agreed);
    let joined = "== violating\nopen\nbets 1 2\nclose\ndraw 8H 1, 5C 2, 9S bank, TC 2, 9D 1\n";
    assert_ne!(anew(joined), joined);
    assert_eq!(anew(&anew(joined)), anew(joined), "{}", anew(joined));
    assert!(anew(joined).contains("\ndraw TC 2 => D8 1 notice\n"), "{}", anew(joined));
}
