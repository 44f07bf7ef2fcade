//! Tables that see less: a compliant log, with what such a table does not see taken out of it, gives no finding.

use sabot_handbook::examples;
use sabot_law::regulation::{self, Regulation, sala8::SALA_8};
use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;
use sabot_law::table::header::FirstLine;
use sabot_law::table::{Answer, BetSpot, Header, Observes, Sight, line};

/// Each example of a house that is violating or is not: its name and log.
pub(super) fn examples(house: &Regulation, violating: bool) -> Vec<(String, String)> {
    let cases = house.articles.iter().flat_map(|article| {
        let cases = examples::cases(article).unwrap().into_iter().filter(move |case| case.violating == violating);
        cases.map(|case| (format!("{} {}/{}", house.id, article.id, case.name), case.scenario.log()))
    });
    let cases: Vec<_> = cases.collect();
    assert!(!cases.is_empty(), "{} has no examples", house.id);
    cases
}

/// The log as a table would write it that observes only these.
pub(super) fn seen_by(log: &str, observes: Observes) -> Vec<String> {
    let mut lines = log.lines();
    let header = line::header(lines.next().unwrap().as_bytes()).unwrap();
    let header = Header { v: 2, observes, ..header };
    let first = serde_json::to_string(&FirstLine::of(&header)).unwrap();
    let told = lines.filter_map(|text| observes.told(&line::event(text.as_bytes()).unwrap()));
    [first].into_iter().chain(told.map(|event| serde_json::to_string(&event).unwrap())).collect()
}

/// A table that sees everything but this.
fn without(sight: Sight) -> Observes {
    Observes::ALL.seen().filter(|other| *other != sight).collect()
}

pub(super) fn answers(log: &[String]) -> Vec<Answer> {
    let mut replay = Replay::new(Lang::En, None);
    let mut answers = Vec::new();
    for line in log {
        replay.feed(line.as_bytes(), &mut answers).unwrap();
    }
    answers
}

/// What bets were owed, as far as a table can tell that sees money or does not.
fn settlements(answers: &[Answer], sees_money: bool) -> Vec<String> {
    let settle = |answer: &Answer| match answer {
        Answer::Settle(s) if sees_money => {
            Some(format!("{} {:?} {:?} {:?} {:?} {:?}", s.hand, s.spot, s.outcome, s.stake, s.pay, s.lost))
        }
        Answer::Settle(s) if s.spot == BetSpot::Main => Some(format!("{} {:?}", s.hand, s.outcome)),
        _ => None,
    };
    answers.iter().filter_map(settle).collect()
}

#[test]
fn no_table_however_little_it_sees_finds_anything_in_a_compliant_pass() {
    let mut told = String::new();
    let compliant: Vec<_> = regulation::ALL.iter().flat_map(|house| examples(house, false)).collect();
    for observes in Observes::subsets() {
        for (name, log) in &compliant {
            let whole: Vec<String> = log.lines().map(String::from).collect();
            let (seen, all) = (answers(&seen_by(log, observes)), answers(&whole));
            let name = format!("{name} observing {:?}", observes.seen().collect::<Vec<_>>());
            for answer in seen.iter().filter(|answer| matches!(answer, Answer::Finding(_) | Answer::Breach { .. })) {
                told += &format!("{name}: {}\n", serde_json::to_string(answer).unwrap());
            }
            let money = seen.iter().any(|answer| matches!(answer, Answer::Settle(s) if s.stake.is_some()));
            if (money && !observes.bets)
                || (!observes.bets && !observes.places && !settlements(&seen, false).is_empty())
            {
                told += &format!("{name}: tells of bets it does not see\n");
            }
            // who cannot tell whose card it was, nor who asked for one, cannot tell what was owed, nor can who hears no
            // choice tell that half was given up, or single pay taken
            let ended_in_words = log.contains(r#""surrender""#) || log.contains(r#""even_money""#);
            // nor, where the bank's card may come after either round, whose the second round's cards were
            let either_round = name.starts_with("croupier-6") && !observes.places;
            let can_tell = !either_round
                && if observes.decisions {
                    observes.bets || observes.places
                } else {
                    observes.places && !ended_in_words
                };
            let (seen, all) = (settlements(&seen, observes.bets), settlements(&all, observes.bets));
            // where several hands may have been opened again unseen nobody can tell which was
            let is_lost =
                seen.iter().any(|account| account.ends_with("Unknown")) && !observes.decisions && !observes.bets;
            if can_tell && seen != all && !is_lost {
                told += &format!("{name}: {seen:?} instead of {all:?}\n");
            }
        }
    }
    assert!(told.is_empty(), "{} lines\n{}", told.lines().count(), told);
}

/// Articles that cannot be judged without a sight. Without places C4, C5, C9 and C13 still can: cards are counted, and
/// one may come when none is due.
const NEEDS: [(&str, Sight, &[&str]); 13] = [
    ("sala-8", Sight::Places, &["C6", "C10"]),
    ("sala-8", Sight::Faces, &["C7"]),
    ("sala-8", Sight::Asks, &["C8"]),
    ("sala-8", Sight::Decisions, &["D4", "D10"]),
    ("sala-8", Sight::Announcements, &[]),
    ("croupier-6", Sight::Decisions, &["K16"]),
    ("croupier-6", Sight::Announcements, &["K8"]),
    ("sala-8", Sight::Turns, &["C12"]),
    ("sala-8", Sight::Moves, &["C14", "C15"]),
    ("sala-8", Sight::Bets, &["C1", "C2", "C3", "C10", "C16", "D2", "D3", "D14", "F1", "F2", "O4"]),
    ("talla", Sight::Bets, &["T-N5", "T-Q1", "T-Q4", "T-Q5", "T-P2", "T-X2"]),
    ("club", Sight::Moves, &["G20"]),
    ("croupier-6", Sight::Bets, &["K4", "K6", "K7"]),
];

#[test]
fn what_a_table_does_not_see_it_does_not_judge() {
    for (house, missing, articles) in NEEDS {
        let observes = without(missing);
        let mut told = 0;
        for (name, log) in examples(regulation::find(house).unwrap(), true) {
            let whole: Vec<String> = log.lines().map(String::from).collect();
            told += judged(&whole, articles).len();
            let seen = seen_by(&log, observes);
            // written whole, but by a table that says it does not see this: what is told is used, and never judged
            let mut claimed = whole.clone();
            claimed[0].clone_from(&seen[0]);
            for seen in [seen, claimed] {
                let found = judged(&seen, articles);
                assert!(found.is_empty(), "{name} without {missing:?}: {found:?}");
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
    let observes = without(Sight::Announcements);
    let log = |id: &str, name: &str| examples::case(SALA_8.article(id).unwrap(), name).unwrap().scenario.log();
    assert!(judged(&seen_by(&log("D9", "total"), observes), &["D9"]).is_empty());
    let remedied = answers(&seen_by(&log("C13", "play-begun"), observes));
    assert!(matches!(remedied[0], Answer::Finding(_)), "{remedied:?}");
    assert!(matches!(remedied[1], Answer::Cleared { .. }), "{remedied:?}");
}
