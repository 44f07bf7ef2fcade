//! What corrections leave in the summary.

use sabot_law::replay::Replay;
use sabot_law::table::Answer;
use sabot_law::table::answer::Lang;

use crate::scenarios::steps;

/// The summary of a log of sala-8, as it is written.
fn summary(lines: &str) -> String {
    let (mut replay, mut answers) = (Replay::new(Lang::En, None), Vec::new());
    for step in steps("sala-8", lines) {
        replay.feed(step.json.as_bytes(), &mut answers).unwrap();
    }
    replay.finish(&mut answers).unwrap();
    let summary = answers.into_iter().find(|answer| matches!(answer, Answer::Summary { .. }));
    serde_json::to_string(&summary.unwrap()).unwrap().replace('"', "")
}

#[test]
fn the_summary_is_that_of_the_facts_as_corrected() {
    let dealt = "open\nbets 1 2 3\nclose\ndeal 8H 5C TD 9S TC 9D QH 7D\nstand 1";
    let told = "{out:summary,passes:1,draws:";
    assert_eq!(summary(dealt), format!("{told}8,findings:{{}}}}"));
    assert_eq!(summary(&format!("{dealt}\ndraw 4S 2")), format!("{told}9,findings:{{C5:1}}}}"));
    // what is withdrawn is not counted, and what is newly found is
    assert_eq!(summary(&format!("{dealt}\ndraw 4S 2\nhit 2")), format!("{told}9,findings:{{}}}}"));
    assert_eq!(summary(&format!("{dealt}\ndraw 4S 2\nstrike 1")), format!("{told}8,findings:{{}}}}"));
    let struck = summary(&format!("{dealt}\nhit 2\ndraw 4S 2\nstrike 2"));
    assert_eq!(struck, format!("{told}9,findings:{{C5:1}}}}"));
    // a correction without effect is a finding
    assert_eq!(summary(&format!("{dealt}\nstrike 1 as dealer")), format!("{told}8,findings:{{C20:1}}}}"));
}
