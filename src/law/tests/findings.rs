//! What a finding says of itself: how grave it is, and which card was drawn.

use std::collections::BTreeMap;

use sabot_handbook::examples;
use sabot_law::procedure::known::Fact;
use sabot_law::regulation::{self, Kind};
use sabot_law::table::answer::{Finding, Remedy};
use sabot_law::table::event::Face;
use sabot_law::table::{Answer, Card, Event, Place, Severity, line};
use sabot_law::validator::Validator;

use crate::scenarios::{steps, tables};

use Severity::{Integrity, Notice};

/// The articles of which a finding is something else than an irregularity, how many of their cases are, and what says
/// so.
const OTHERWISE: [(&str, Severity, usize, &str); 12] = [
    ("M1", Integrity, 3, "its row"),
    ("D8", Notice, 2, "reading 1, of who is passed over"),
    ("D9", Notice, 1, "reading 17"),
    ("O1", Notice, 2, "its second row, and reading 27"),
    ("C8", Notice, 2, "its row"),
    ("C12", Notice, 1, "its row"),
    ("G1", Integrity, 1, "the row of M1"),
    ("G24", Integrity, 1, "the row of M1"),
    ("T0", Integrity, 1, "the row of M1"),
    ("K1", Integrity, 1, "the row of M1"),
    ("K9", Notice, 1, "the questions of croupier-6 that are settled"),
    ("K14", Notice, 1, "the questions of croupier-6 that are settled"),
];

#[test]
fn a_finding_is_an_irregularity_unless_something_says_otherwise() {
    let mut otherwise = BTreeMap::new();
    for article in regulation::ALL.iter().flat_map(|house| house.articles.iter()) {
        for severity in article.cases.iter().map(|case| article.severity_of(case)) {
            if severity != Severity::Irregularity {
                *otherwise.entry((article.id, severity)).or_insert(0) += 1;
            }
        }
        let is_reported = article.kind == Kind::Reported;
        assert!(!is_reported || article.severity == Notice, "{}: a report of an article is a notice", article.id);
    }
    let told = OTHERWISE.iter().map(|(id, severity, count, _)| ((*id, *severity), *count)).collect::<BTreeMap<_, _>>();
    assert_eq!(otherwise, told);
}

/// The logs of the examples and of the scenario tables, each with its name.
fn logs() -> impl Iterator<Item = (String, String)> {
    let of_examples = regulation::ALL.iter().flat_map(|house| house.articles.iter()).flat_map(|article| {
        let cases = examples::cases(article).unwrap().into_iter();
        cases.map(|case| (format!("{}/{}", article.id, case.name), case.scenario.log()))
    });
    let of_tables = tables().into_iter().flat_map(|(file, scenarios)| {
        scenarios.into_iter().map(move |scenario| (format!("{file}: {}", scenario.name), scenario.log()))
    });
    of_examples.chain(of_tables)
}

/// All that is found in them.
fn found() -> impl Iterator<Item = (String, Finding)> {
    logs().flat_map(|(name, log)| {
        let mut lines = log.lines();
        let mut table = Validator::new(line::header(lines.next().unwrap().as_bytes()).unwrap()).unwrap();
        let mut answers = Vec::new();
        for (number, text) in (2..).zip(lines) {
            table.step(number, &line::event(text.as_bytes()).unwrap(), &mut answers);
        }
        let found = |answer| if let Answer::Finding(found) = answer { Some(*found) } else { None };
        answers.into_iter().filter_map(found).map(move |finding| (name.clone(), finding))
    })
}

#[test]
fn a_notice_asks_for_nothing_but_which_card_it_was() {
    let mut asked = 0;
    for (name, finding) in found().filter(|(_, finding)| finding.severity == Notice) {
        let is_identify = |part: &Remedy| matches!(part, Remedy::Identify { .. });
        assert!(finding.remedy.iter().all(is_identify), "{name}: {finding:?}");
        asked += finding.remedy.len();
    }
    assert!(asked > 0, "some card could not be read");
}

/// Whether cards go away for it that nobody may learn.
fn hides_cards(finding: &Finding) -> bool {
    finding.remedy.iter().any(|part| matches!(part, Remedy::Burn { .. } | Remedy::PutBack { .. }))
}

/// What the findings of an event are to name, as far as that can be told from outside.
fn named(table: &Validator, event: &Event, found: &[&Finding]) -> Option<Vec<Card>> {
    let Event::Draw { card, to: Some(place), face } = event else { return None };
    let is_told_up = *face == Some(Face::Up) && table.state().observes.faces;
    let is_guess = table.state().pass.is_open() && table.state().unknown().has(Fact::Hands);
    if !is_told_up && is_guess {
        return Some(Vec::new());
    }
    let lies_up = table.state().pass.lying_at(*place).last().is_some_and(|held| !held.down);
    let is_named =
        lies_up && !found.iter().any(|finding| hides_cards(finding)) && *place != Place::Burn && *card != Card::UNREAD;
    Some(if is_named { vec![*card] } else { Vec::new() })
}

#[test]
fn what_is_found_at_a_card_names_it_where_it_lies_up_for_all_to_see_and_stays() {
    let (mut with, mut without) = (0, 0);
    for (name, log) in logs() {
        let mut lines = log.lines();
        let mut table = Validator::new(line::header(lines.next().unwrap().as_bytes()).unwrap()).unwrap();
        for (number, text) in (2..).zip(lines) {
            let (event, mut answers) = (line::event(text.as_bytes()).unwrap(), Vec::new());
            table.step(number, &event, &mut answers);
            let found = answers
                .iter()
                .filter_map(|answer| if let Answer::Finding(found) = answer { Some(&**found) } else { None });
            let (late, found): (Vec<&Finding>, Vec<&Finding>) = found.partition(|finding| finding.of.is_some());
            assert!(
                late.iter().all(|finding| !hides_cards(finding) || finding.cards.is_empty()),
                "{name}: line {number}"
            );
            let Some(named) = named(&table, &event, &found) else { continue };
            for finding in found {
                assert_eq!(finding.cards, named, "{name}: line {number}: {text}: {}", finding.text.en);
                *(if named.is_empty() { &mut without } else { &mut with }) += 1;
            }
        }
    }
    assert!(with > 200 && without > 100, "{with} findings name a card, {without} do not");
}

/// The cards that the last line's findings name.
fn named_at_last(lines: &str) -> Vec<Vec<Card>> {
    let steps = steps("sala-8", lines);
    let mut table = Validator::new(line::header(steps[0].json.as_bytes()).unwrap()).unwrap();
    let mut answers = Vec::new();
    for (number, step) in (2..).zip(&steps[1..]) {
        answers.clear();
        table.step(number, &line::event(step.json.as_bytes()).unwrap(), &mut answers);
    }
    answers
        .into_iter()
        .filter_map(|answer| if let Answer::Finding(found) = answer { Some(found.cards) } else { None })
        .collect()
}

#[test]
fn what_is_found_late_names_no_card_that_may_have_been_burned_since() {
    let dealt = "open\nbets 1 2 3\nclose\ndraw 8H 1, 5C 2, 9C 2\n";
    let nine: Card = "9C".parse().unwrap();
    // with the first two cards struck the third passes box 1 over
    assert_eq!(named_at_last(&format!("{dealt}strike 2\nstrike 4")), [vec![nine]]);
    assert_eq!(named_at_last(&format!("{dealt}burn 2 1\nstrike 3\nstrike 5")), [vec![]]);
}

#[test]
fn where_nobody_knows_who_has_which_cards_only_a_card_that_was_told_to_lie_up_is_named() {
    let blind = "open\nbets 1 2 3\nclose\ndraw 8H 1\ndevice shoe offline\nend\nbets 1 2 3\nclose\n";
    let eight: Card = "8H".parse().unwrap();
    assert_eq!(named_at_last(&format!("{blind}draw 8H 1 up")), [vec![eight]]);
    assert_eq!(named_at_last(&format!("{blind}draw 8H 1")), [vec![]]);
}
