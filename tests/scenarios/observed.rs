//! Tables that see less: a compliant log, with what such a table does not see taken out of it, gives no finding.

use std::fs;
use std::path::PathBuf;

use sabot::replay::Replay;
use sabot::table::Answer;
use sabot::table::answer::Lang;
use serde_json::{Value, json};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/handbook/sala-8/examples");
const SIGHTS: [&str; 5] = ["places", "faces", "asks", "decisions", "announcements"];

fn compliant_logs() -> Vec<PathBuf> {
    let mut logs: Vec<PathBuf> = fs::read_dir(EXAMPLES)
        .unwrap()
        .flat_map(|provision| fs::read_dir(provision.unwrap().path()).unwrap())
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("compliant"))
        .collect();
    logs.sort();
    logs
}

/// The log as a table would write it that observes only these.
fn seen_by(log: &str, observes: &[&str]) -> Vec<String> {
    let sees = |what: &str| observes.contains(&what);
    log.lines()
        .filter_map(|line| {
            let mut event: Value = serde_json::from_str(line).unwrap();
            let fields = event.as_object_mut().unwrap();
            match fields["ev"].as_str().unwrap() {
                "table" => drop(fields.insert("observes".into(), json!(observes))),
                "ask" if !sees("asks") => return None,
                "decide" | "ace" if !sees("decisions") => return None,
                "announce" if !sees("announcements") => return None,
                "draw" => {
                    if !sees("places") {
                        fields.remove("to");
                    }
                    if !sees("faces") {
                        fields.remove("face");
                    }
                }
                _ => {}
            }
            Some(event.to_string())
        })
        .collect()
}

fn answers(log: &[String]) -> Vec<Answer> {
    let mut replay = Replay::new(Lang::En, None);
    let mut answers = Vec::new();
    for line in log {
        replay.feed(line.as_bytes(), &mut answers).unwrap();
    }
    answers
}

fn settlements(answers: &[Answer]) -> Vec<String> {
    let settle = |answer: &Answer| match answer {
        Answer::Settle(s) => Some(format!("{} {:?} {:?} {} {} {}", s.hand, s.spot, s.outcome, s.stake, s.pay, s.lost)),
        _ => None,
    };
    answers.iter().filter_map(settle).collect()
}

#[test]
fn no_table_however_little_it_sees_finds_anything_in_a_compliant_pass() {
    let mut told = String::new();
    for set in 0..1_u32 << SIGHTS.len() {
        let observes: Vec<&str> = (0..SIGHTS.len()).filter(|n| set >> n & 1 == 1).map(|n| SIGHTS[n]).collect();
        for path in compliant_logs() {
            let log = fs::read_to_string(&path).unwrap();
            let whole: Vec<String> = log.lines().map(String::from).collect();
            let (seen, all) = (answers(&seen_by(&log, &observes)), answers(&whole));
            let name = format!("{} observing {observes:?}", path.strip_prefix(EXAMPLES).unwrap().display());
            for answer in seen.iter().filter(|answer| matches!(answer, Answer::Finding(_) | Answer::Breach { .. })) {
                told += &format!("{name}: {}\n", serde_json::to_string(answer).unwrap());
            }
            // who cannot tell whose card it was, nor who asked for one, cannot tell what was owed
            let can_tell = observes.contains(&"places") || observes.contains(&"decisions");
            if can_tell && settlements(&seen) != settlements(&all) {
                told += &format!("{name}: {:?} instead of {:?}\n", settlements(&seen), settlements(&all));
            }
        }
    }
    assert!(told.is_empty(), "{} lines\n{}", told.lines().count(), told);
}
