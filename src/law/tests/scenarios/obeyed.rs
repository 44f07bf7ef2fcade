//! Who serves the card that is due breaks nothing by it, wherever a scenario has come to.

use std::fmt::Write as _;

use sabot_law::replay::Replay;
use sabot_law::table::answer::{Finding, Lang};
use sabot_law::table::settings::Misdealt;
use sabot_law::table::{Answer, Event, Place, Remedy};
use sabot_law::validator::Validator;

use super::tables;

/// Where the next card is due that nobody has to be asked about before.
fn next_card(table: &Validator, replay: &Replay) -> Option<Place> {
    let due = serde_json::to_value(table.due(replay.line())).unwrap();
    let steps = due["due"].as_array().unwrap().iter();
    let waits = |step: &&serde_json::Value| {
        let what = step["do"].as_str().unwrap();
        !["authorize", "announce", "ask_consent", "offer", "rule"].contains(&what)
    };
    let step = steps.take_while(waits).find(|step| step["do"] == "serve")?;
    step["to"].as_str().unwrap().parse().ok()
}

/// What is found about a card that is drawn there and must go away again.
fn refused(table: &Validator, replay: &Replay, to: Place) -> Vec<Finding> {
    let (mut next, mut answers) = (table.clone(), Vec::new());
    let event = Event::Draw { card: "2C".parse().unwrap(), to: Some(to), face: None };
    next.step(replay.line() + 1, &event, &mut answers);
    let findings = answers.into_iter().filter_map(|answer| match answer {
        Answer::Finding(finding) => Some(*finding),
        _ => None,
    });
    let goes = |remedy: &Remedy| matches!(remedy, Remedy::Burn { .. } | Remedy::Rule);
    findings.filter(|finding| finding.remedy.iter().any(goes)).collect()
}

#[test]
fn the_card_that_is_due_is_none_that_must_go_away() {
    let (mut cards, mut told) = (0, String::new());
    for (file, scenarios) in tables() {
        for scenario in scenarios {
            let mut replay = Replay::new(Lang::En, None);
            for step in &scenario.steps {
                replay.feed(step.json.as_bytes(), &mut Vec::new()).unwrap();
                let table = replay.validator().unwrap();
                // of a card that was put back it is known which one comes next
                let goes_back = table.settings().delivery.misdealt == Misdealt::Back;
                let Some(to) = next_card(table, &replay).filter(|_| !goes_back) else { continue };
                cards += 1;
                for finding in refused(table, &replay, to) {
                    writeln!(told, "{file}:{} after `{}`: {to} {}", step.line, step.written, finding.provision)
                        .unwrap();
                }
            }
        }
    }
    assert!(cards > 2000, "{cards} cards");
    assert!(told.is_empty(), "of {cards} cards:\n{told}");
}
