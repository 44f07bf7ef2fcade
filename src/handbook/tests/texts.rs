//! What findings say to people.

use std::collections::{BTreeMap, BTreeSet};

use sabot_law::regulation::{self, Article, Regulation};
use sabot_law::replay::Replay;
use sabot_law::table::answer::{Finding, Lang};
use sabot_law::table::{Answer, Place, words};

use crate::houses;

fn findings(regulation: &'static Regulation) -> Vec<(String, Finding)> {
    let mut findings = Vec::new();
    for file in houses::files_of(regulation) {
        for case in &file.cases {
            let mut replay = Replay::new(Lang::Es, None);
            let mut answers = Vec::new();
            for step in &case.scenario.steps {
                replay.feed(step.json.as_bytes(), &mut answers).unwrap();
            }
            replay.finish(&mut answers).unwrap();
            assert_summary(&answers);
            findings.extend(answers.into_iter().filter_map(|answer| match answer {
                Answer::Finding(finding) => Some((format!("{}/{}", file.article(), case.name), *finding)),
                _ => None,
            }));
        }
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
    for regulation in regulation::ALL {
        for (log, finding) in findings(regulation) {
            let text = &finding.text;
            for (lang, words_of) in [(Lang::Es, &text.es), (Lang::En, &text.en)] {
                assert!(!words_of.is_empty() && !words_of.contains(['{', '}']), "{log}: {words_of}");
                assert!(!words_of.contains("  ") && !words_of.ends_with('.'), "{log}: {words_of}");
                // what lies in the tray needs no place
                if let Some(place) = finding.place.filter(|at| *at != Place::Burn) {
                    let name = words::place(place);
                    assert!(words_of.contains(name.get(lang)), "{log}: `{words_of}` does not name {}", name.get(lang));
                }
            }
            assert_ne!(text.es, text.en, "{log}");
        }
    }
}

/// The cases of an article that no finding shows.
fn not_shown(regulation: &Regulation, article: &Article, found: &[(String, Finding)]) -> Vec<&'static str> {
    let shows = |case: &regulation::Case, finding: &Finding| {
        let place = finding.place.map(|place| words::place(place).get(Lang::En).to_string());
        let words_of = regulation::fill(case.en, &regulation.settings, Lang::En);
        let filled = match place {
            Some(place) => words_of.replace("{place}", &place),
            None => words_of.replace(" ({place})", "").replace("{place}", "—"),
        };
        finding.provision == article.id && finding.text.en == filled
    };
    let cases = article.cases.iter().filter(|case| !found.iter().any(|(_, finding)| shows(case, finding)));
    cases.map(|case| case.en).collect()
}

#[test]
fn every_case_of_every_article_is_shown_by_an_example() {
    for regulation in regulation::ALL {
        let found = findings(regulation);
        for article in regulation.articles.iter().filter(|article| !houses::is_open(regulation, article.id)) {
            let missing = not_shown(regulation, article, &found);
            assert!(missing.is_empty(), "{} {}: no example shows {missing:?}", regulation.id, article.id);
        }
    }
    assert!(!not_shown(regulation::ALL[0], regulation::ALL[0].not_provided_for, &[]).is_empty());
}

#[test]
fn every_text_of_every_article_is_there_in_both_languages() {
    for (regulation, article) in regulation::ALL.iter().flat_map(|one| one.articles.iter().map(move |of| (*one, *of))) {
        assert!(!article.title.es.is_empty() && !article.title.en.is_empty(), "{}: no title", article.id);
        for (name, words) in [("gist", article.gist), ("raised", article.raised), ("remedy", article.remedy)] {
            for (text, lang) in [(words.es, Lang::Es), (words.en, Lang::En)] {
                let text = regulation::fill(text, &regulation.settings, lang);
                assert!(text.ends_with(['.', '»', ')']) && text.trim() == text, "{} {name}: {text}", article.id);
            }
            assert_ne!(words.es, words.en, "{} {name}", article.id);
        }
        for case in article.cases {
            assert!(!case.es.ends_with('.') && !case.en.ends_with('.'), "{}: {}", article.id, case.es);
            assert_eq!(case.es.contains("{place}"), case.en.contains("{place}"), "{}: {}", article.id, case.es);
        }
    }
}

/// The numbers of a house's readings, each once, in order.
fn readings(regulation: &Regulation) -> Vec<u8> {
    let all = regulation.articles.iter().flat_map(|article| article.readings);
    all.map(|reading| reading.number).collect::<BTreeSet<u8>>().into_iter().collect()
}

#[test]
fn every_reading_of_the_catalogue_stands_with_an_article() {
    assert_eq!(readings(regulation::find("sala-8").unwrap())[..29], (1..=29).collect::<Vec<u8>>());
}

#[test]
fn the_readings_of_a_house_are_numbered_without_gaps() {
    for regulation in regulation::ALL.iter().filter(|regulation| houses::is_whole(regulation)) {
        let numbers = readings(regulation);
        assert_eq!(numbers, (1..).take(numbers.len()).collect::<Vec<u8>>(), "{}", regulation.id);
    }
}

#[test]
fn every_setting_an_article_names_is_one() {
    for regulation in regulation::ALL {
        let known = regulation.settings.list();
        for article in regulation.articles.iter() {
            for name in article.settings {
                assert!(known.iter().any(|(setting, ..)| setting == name), "{}: `{name}`", article.id);
            }
        }
    }
}
