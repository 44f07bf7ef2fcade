//! A record has lines of the station's own among the table's: its starts, its clock. Every example of every house is
//! answered with such a line after each of its lines as it is without.

use sabot_handbook::examples;
use sabot_handbook::verdict::{Verdicts, answered};
use sabot_law::regulation::ALL;
use sabot_law::replay::Replay;
use serde_json::Value;

/// What stands on line `n` stands on line `2n - 1` when every line is followed by another.
fn moved(json: &str) -> String {
    let mut line: Value = serde_json::from_str(json).unwrap();
    for field in ["line", "after"] {
        if let Some(number) = line.get(field).and_then(Value::as_u64) {
            line[field] = (2 * number - 1).into();
        }
    }
    line.to_string()
}

#[test]
fn lines_of_the_station_change_no_answer() {
    let (mut examples, mut lines) = (0, 0);
    for article in ALL.iter().flat_map(|regulation| regulation.articles.iter()) {
        for case in examples::cases(article).unwrap() {
            let (mut verdicts, mut replay) = (Verdicts::default(), Replay::default());
            let wanted = answered(&case.scenario).unwrap();
            for (at, (step, wanted)) in case.scenario.steps.iter().zip(wanted).enumerate() {
                let told = format!("{} {}, event {at}: {}", article.id, case.name, step.json);
                assert_eq!(verdicts.feed(&mut replay, &moved(&step.json)).unwrap(), wanted, "{told}");
                let status = ["start", "clock", "stop"][at % 3];
                let own = format!(
                    r#"{{"ev":"device","device":"station","status":"{status}","detail":"sabot 0 at 2026-11-24T04:20:11.532Z"}}"#
                );
                assert_eq!(verdicts.feed(&mut replay, &own).unwrap(), Vec::<String>::new(), "{status} after {told}");
                lines += 1;
            }
            examples += 1;
        }
    }
    assert!(examples > 300 && lines > 5000, "{examples} examples of {lines} lines");
}
