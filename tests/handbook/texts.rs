//! What findings say to people.

use std::collections::BTreeMap;
use std::fs;

use sabot::regulation::sala8::SALA_8;
use sabot::replay::Replay;
use sabot::table::answer::{Finding, Lang};
use sabot::table::{Answer, Place, words};

use crate::examples::logs;

fn findings() -> Vec<(String, Finding)> {
    let mut findings = Vec::new();
    for path in logs() {
        let mut replay = Replay::new(Lang::Es, None);
        let mut answers = Vec::new();
        for line in fs::read_to_string(&path).unwrap().lines() {
            replay.feed(line.as_bytes(), &mut answers).unwrap();
        }
        replay.finish(&mut answers).unwrap();
        assert_summary(&answers);
        findings.extend(answers.into_iter().filter_map(|answer| match answer {
            Answer::Finding(finding) => Some((path.display().to_string(), finding)),
            _ => None,
        }));
    }
    findings
}

/// The summary counts what was found.
fn assert_summary(answers: &[Answer]) {
    let mut counted: BTreeMap<&str, u64> = BTreeMap::new();
    for answer in answers {
        if let Answer::Finding(finding) = answer {
            *counted.entry(finding.provision).or_default() += 1;
        }
    }
    let Some(Answer::Summary { findings, .. }) = answers.last() else { panic!("no summary at the end") };
    assert_eq!(*findings, counted);
}

#[test]
fn every_finding_speaks_both_languages_and_says_where() {
    for (log, finding) in findings() {
        let text = &finding.text;
        for (lang, words_of) in [(Lang::Es, &text.es), (Lang::En, &text.en)] {
            assert!(!words_of.is_empty() && !words_of.contains(['{', '}']), "{log}: {words_of}");
            assert!(!words_of.contains("  ") && !words_of.ends_with('.'), "{log}: {words_of}");
            // a person's report is worded by the article's title, and what lies in the tray needs no place
            if let Some(place) = finding.place.filter(|at| finding.provision != "C17" && *at != Place::Burn) {
                let name = words::place(place);
                assert!(words_of.contains(name.get(lang)), "{log}: `{words_of}` does not name {}", name.get(lang));
            }
        }
        assert_ne!(text.es, text.en, "{log}");
    }
}

#[test]
fn every_case_of_every_article_is_shown_by_an_example() {
    let found = findings();
    for article in SALA_8.articles.iter() {
        for case in article.cases {
            let said = |text: &str, place: Option<String>| {
                let filled =
                    place.map_or_else(|| case.en.replace(" ({place})", ""), |of| case.en.replace("{place}", &of));
                text == filled
            };
            let shown = found.iter().any(|(_, finding)| {
                let place = finding.place.map(|place| words::place(place).get(Lang::En).to_string());
                finding.provision == article.id && said(&finding.text.en, place)
            });
            assert!(shown, "{}: no example shows “{}”", article.id, case.en);
        }
    }
}

#[test]
fn every_reading_of_the_catalogue_stands_with_an_article() {
    for number in 1..=15 {
        let stands = SALA_8.articles.iter().any(|article| article.readings.iter().any(|of| of.number == number));
        assert!(stands, "reading {number}");
    }
}
