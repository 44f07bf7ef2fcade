//! Tables that see less: a compliant log, with what such a table does not see taken out of it, gives no finding.

use sabot_handbook::examples;
use sabot_law::regulation::{self, Regulation, sala8::SALA_8};
use sabot_law::replay::Replay;
use sabot_law::table::Answer;
use sabot_law::table::answer::Lang;
use serde_json::{Value, json};

const SIGHTS: [&str; 5] = ["places", "faces", "asks", "decisions", "announcements"];

/// Each example of a house that is violating or is not: its name and log.
fn examples(house: &Regulation, violating: bool) -> Vec<(String, String)> {
    let cases = house.articles.iter().flat_map(|article| {
        let cases = examples::cases(article).unwrap().into_iter().filter(move |case| case.violating == violating);
        cases.map(|case| (format!("{} {}/{}", house.id, article.id, case.name), case.scenario.log()))
    });
    let cases: Vec<_> = cases.collect();
    assert!(!cases.is_empty(), "{} has no examples", house.id);
    cases
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
        Answer::Settle(s) => Some(format!(
            "{} {:?} {:?} {} {} {}",
            s.hand,
            s.spot,
            s.outcome,
            s.stake.unwrap_or(0),
            s.pay.unwrap_or(0),
            s.lost.unwrap_or(0)
        )),
        _ => None,
    };
    answers.iter().filter_map(settle).collect()
}

#[test]
fn no_table_however_little_it_sees_finds_anything_in_a_compliant_pass() {
    let mut told = String::new();
    let compliant: Vec<_> = regulation::ALL.iter().flat_map(|house| examples(house, false)).collect();
    for set in 0..1_u32 << SIGHTS.len() {
        let observes: Vec<&str> = (0..SIGHTS.len()).filter(|n| set >> n & 1 == 1).map(|n| SIGHTS[n]).collect();
        for (name, log) in &compliant {
            let whole: Vec<String> = log.lines().map(String::from).collect();
            let (seen, all) = (answers(&seen_by(log, &observes)), answers(&whole));
            let name = format!("{name} observing {observes:?}");
            for answer in seen.iter().filter(|answer| matches!(answer, Answer::Finding(_) | Answer::Breach { .. })) {
                told += &format!("{name}: {}\n", serde_json::to_string(answer).unwrap());
            }
            // who cannot tell whose card it was, nor who asked for one, cannot tell what was owed
            let decides = observes.contains(&"decisions");
            // nor who hears no choice that half was given up, or single pay taken
            let ended_in_words = log.contains(r#""surrender""#) || log.contains(r#""even_money""#);
            // nor, where the bank's card may come after either round, whose the second round's cards were
            let either_round = name.starts_with("croupier-6") && !observes.contains(&"places");
            let can_tell = !either_round && decides || (observes.contains(&"places") && !ended_in_words);
            if can_tell && settlements(&seen) != settlements(&all) {
                told += &format!("{name}: {:?} instead of {:?}\n", settlements(&seen), settlements(&all));
            }
        }
    }
    assert!(told.is_empty(), "{} lines\n{}", told.lines().count(), told);
}

/// Articles that cannot be judged without a sight. Without places C4, C5, C9 and C13 still can: cards are counted, and
/// one may come when none is due.
const NEEDS: [(&str, &str, &[&str]); 7] = [
    ("sala-8", "places", &["C6", "C10"]),
    ("sala-8", "faces", &["C7"]),
    ("sala-8", "asks", &["C8"]),
    ("sala-8", "decisions", &["D4", "D10"]),
    ("sala-8", "announcements", &[]),
    ("croupier-6", "decisions", &["K16"]),
    ("croupier-6", "announcements", &["K8"]),
];

#[test]
fn what_a_table_does_not_see_it_does_not_judge() {
    for (house, missing, articles) in NEEDS {
        let observes: Vec<&str> = SIGHTS.into_iter().filter(|sight| *sight != missing).collect();
        let mut told = 0;
        for (name, log) in examples(regulation::find(house).unwrap(), true) {
            let whole: Vec<String> = log.lines().map(String::from).collect();
            told += judged(&whole, articles).len();
            let seen = seen_by(&log, &observes);
            // written whole, but by a table that says it does not see this (a place or decision that is told is used)
            let mut claimed = whole.clone();
            claimed[0].clone_from(&seen[0]);
            for seen in
                [Some(seen), Some(claimed).filter(|_| ["faces", "asks"].contains(&missing))].into_iter().flatten()
            {
                let found = judged(&seen, articles);
                assert!(found.is_empty(), "{name} without {missing}: {found:?}");
            }
        }
        assert!(articles.is_empty() || told > 0, "no example breaks {articles:?} where all is seen");
    }
}

/// The articles among these that a log is found to break.
fn judged(log: &[String], articles: &[&str]) -> Vec<String> {
    let found = answers(log).into_iter().filter_map(|answer| match answer {
        Answer::Finding(finding) if articles.contains(&finding.provision) => Some(finding),
        _ => None,
    });
    found.map(|finding| format!("line {}: {}", finding.line, finding.text.en)).collect()
}

#[test]
fn a_table_that_hears_nothing_checks_no_total_and_waits_for_no_announcement() {
    let observes: Vec<&str> = SIGHTS.into_iter().filter(|sight| *sight != "announcements").collect();
    let log = |id: &str, name: &str| examples::case(SALA_8.article(id).unwrap(), name).unwrap().scenario.log();
    assert!(judged(&seen_by(&log("D9", "total"), &observes), &["D9"]).is_empty());
    let remedied = answers(&seen_by(&log("C13", "play-begun"), &observes));
    assert!(matches!(remedied[0], Answer::Finding(_)), "{remedied:?}");
    assert!(matches!(remedied[1], Answer::Cleared { .. }), "{remedied:?}");
}
