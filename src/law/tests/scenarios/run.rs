//! Runs the tables.

use std::fmt::Write as _;

use sabot_law::replay::Replay;
use sabot_law::table::Answer;
use sabot_law::table::answer::Lang;

use sabot_handbook::scenario::Scenario;
use sabot_handbook::verdict::answered;

use super::{read, tables};

/// Where a scenario is not answered as its table says.
fn differences(file: &str, scenario: &Scenario) -> String {
    let answers = answered(scenario).unwrap_or_else(|why| panic!("{file}: {}: {why}", scenario.name));
    let mut text = String::new();
    for (step, got) in scenario.steps.iter().zip(answers) {
        if got != step.expected {
            let (expected, got) = (step.expected.join(" | "), got.join(" | "));
            writeln!(text, "  {file}:{} `{}`\n    expected {expected}\n    answered {got}", step.line, step.written)
                .unwrap();
        }
    }
    if text.is_empty() { text } else { format!("{}\n{text}", scenario.name) }
}

#[test]
fn every_scenario_is_answered_as_its_table_says() {
    let mut count = 0;
    let mut text = String::new();
    for (file, scenarios) in tables() {
        count += scenarios.len();
        for scenario in &scenarios {
            text += &differences(&file, scenario);
        }
    }
    assert!(count >= 80, "{count} scenarios");
    assert!(text.is_empty(), "{count} scenarios, differing:\n{text}");
}

fn answers(lines: &[&str]) -> Vec<Answer> {
    let mut replay = Replay::new(Lang::Es, None);
    let mut answers = Vec::new();
    for line in lines {
        replay.feed(line.as_bytes(), &mut answers).unwrap();
    }
    answers
}

#[test]
fn a_log_cut_anywhere_gives_the_beginning_of_the_answers_of_the_whole() {
    for (file, scenarios) in tables() {
        for scenario in scenarios {
            let lines: Vec<&str> = scenario.steps.iter().map(|step| step.json.as_str()).collect();
            let whole = answers(&lines);
            for cut in 1..lines.len() {
                let head = answers(&lines[..cut]);
                assert_eq!(head, whole[..head.len()], "{file}: {} cut after line {cut}", scenario.name);
            }
        }
    }
}

#[test]
fn a_wrong_expectation_is_told_with_the_line_of_the_table() {
    let table = "== wrong\nopen\nbets 1 2 3\ndeal 8H 5C TD 9S TC 9D QH\ndraw 8D bank up => C5 bank burn\n";
    let told = differences("a.txt", &read("a.txt", table)[0]);
    assert!(
        told.contains("a.txt:5 `draw 8D bank up`\n    expected C5 bank burn\n    answered C7 bank burn serve"),
        "{told}"
    );
}
