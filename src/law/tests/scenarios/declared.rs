//! What each case declares that must be seen, held against the examples of the handbook: with a sight taken out of a
//! log, a case that can do without it is found in one of its examples all the same, and one that cannot in none.

use std::collections::BTreeMap;

use sabot_handbook::examples;
use sabot_law::regulation::{self, Article, fill};
use sabot_law::regulation::{Equipment, Judged};
use sabot_law::table::answer::{Finding, Lang};
use sabot_law::table::{Answer, LineNo, Observes, Settings, line, words};

use super::observed::{answers, seen_by};

/// A log, the lines it has of the whole one, and what is found in it.
struct Seen {
    kept: Vec<LineNo>,
    findings: Vec<Finding>,
}

impl Seen {
    fn of(log: &str, observes: Observes) -> Self {
        let told = |text: &str| observes.told(&line::event(text.as_bytes()).unwrap()).is_some();
        let kept = (1..).zip(log.lines()).filter(|(n, text)| *n == 1 || told(text)).map(|(n, _)| n).collect();
        let findings = answers(&seen_by(log, observes)).into_iter().filter_map(|answer| match answer {
            Answer::Finding(finding) => Some(*finding),
            _ => None,
        });
        Self { kept, findings: findings.collect() }
    }

    /// The line of the whole log.
    fn line(&self, finding: &Finding) -> LineNo {
        self.kept[usize::try_from(finding.line).unwrap() - 1]
    }

    /// The same was found, at the same line or at a later one that tells it.
    fn finds(&self, article: &Article, settings: &Settings, wanted: &Finding) -> bool {
        self.findings.iter().any(|found| {
            case_of(article, settings, found) == case_of(article, settings, wanted)
                && (found.place == wanted.place || found.place.is_none())
                && self.line(found) >= wanted.line
        })
    }
}

/// Which case of an article a finding tells.
fn case_of(article: &Article, settings: &Settings, finding: &Finding) -> Option<usize> {
    article.cases.iter().position(|case| {
        let words_of = fill(case.en, settings, Lang::En);
        finding.provision == article.id
            && finding.text.en
                == match finding.place {
                    Some(place) => words_of.replace("{place}", words::place(place).get(Lang::En)),
                    None => words_of.replace(" ({place})", "").replace("{place}", "—"),
                }
    })
}

#[test]
fn each_case_is_found_without_a_sight_that_it_does_not_declare_and_never_without_one_that_it_does() {
    let mut told = String::new();
    for house in regulation::ALL {
        for article in house.articles.iter() {
            let mut found_without = BTreeMap::new();
            for example in examples::cases(article).unwrap().into_iter().filter(|example| example.violating) {
                let log = example.scenario.log();
                let header = line::header(log.lines().next().unwrap().as_bytes()).unwrap();
                let settings = house.settings.clone().changed(&header.settings);
                let whole = Seen::of(&log, header.observes);
                for (finding, nth) in whole.findings.iter().filter_map(|f| Some((f, case_of(article, &settings, f)?))) {
                    let needs = article.needs_for(article.cases[nth]);
                    for sight in header.observes.seen() {
                        let observes: Observes = header.observes.seen().filter(|other| *other != sight).collect();
                        let found = Seen::of(&log, observes).finds(article, &settings, finding);
                        match Equipment::seeing(observes).judges(needs, &settings) {
                            Judged::Throughout => *found_without.entry((nth, sight.word())).or_insert(false) |= found,
                            Judged::No if found => {
                                let (name, words) = (&example.name, &finding.text.en);
                                told += &format!("{}/{name}: found without {sight}: {words}\n", article.id);
                            }
                            Judged::No | Judged::UntilGuess => {}
                        }
                    }
                }
            }
            for ((nth, sight), _) in found_without.into_iter().filter(|(_, found)| !found) {
                told += &format!("{} needs {sight}: {}\n", article.id, article.cases[nth].en);
            }
        }
    }
    assert!(told.is_empty(), "{told}");
}
