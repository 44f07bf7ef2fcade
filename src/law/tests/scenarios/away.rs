//! A device that was away and has told everything since: what is answered in the end is what would have been answered
//! had it never gone. Lines told late are put elsewhere only where that accuses fewer, and nobody else.

use std::collections::BTreeMap;

use sabot_law::procedure::blindness::{device_names, tells_of};
use sabot_law::regulation;
use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;
use sabot_law::table::{Answer, LineNo, line};

use super::observed::examples;
use super::steps;

/// What is found in the end, by the line it concerns, and the last word on every bet.
#[derive(Debug, Default, PartialEq)]
struct End {
    found: Vec<String>,
    accounts: BTreeMap<String, String>,
}

/// What a log comes to; `line` gives each line the number that it has without the device's.
fn comes_to(lines: &[String], line: impl Fn(LineNo) -> LineNo) -> End {
    let (mut replay, mut answers) = (Replay::new(Lang::En, None), Vec::new());
    for text in lines {
        replay.feed(text.as_bytes(), &mut answers).unwrap();
    }
    let (mut found, mut accounts) = (BTreeMap::new(), BTreeMap::new());
    for answer in &answers {
        match answer {
            Answer::Finding(finding) => {
                let of = line(finding.of.unwrap_or(finding.line));
                let what = format!("{of} {} {:?} {:?}", finding.provision, finding.place, finding.severity);
                found.insert(finding.n, format!("{what} {}", finding.details.device.as_deref().unwrap_or_default()));
            }
            Answer::Withdrawn { finding, .. } => {
                found.remove(finding);
            }
            Answer::Settle(settle) => {
                let bet = format!("{} {:?} {:?}", settle.pass, settle.hand, settle.spot);
                let account = format!("{:?} {:?} {:?}", settle.outcome, settle.pay, settle.lost);
                // an account that is taken back is told as one of nothing
                if settle.stake == Some(0) && account == "Void Some(0) Some(0)" {
                    accounts.remove(&bet);
                } else {
                    accounts.insert(bet, account);
                }
            }
            _ => {}
        }
    }
    let mut found: Vec<String> = found.into_values().collect();
    found.sort();
    End { found, accounts }
}

#[test]
fn a_device_that_was_away_and_has_told_everything_might_as_well_have_stayed() {
    let mut seed = 7_u64;
    let mut chance = |of: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % of
    };
    let houses = || regulation::ALL.iter();
    let cases = [false, true].into_iter().flat_map(|bad| houses().flat_map(move |house| examples(house, bad)));
    let (mut alike, mut fewer) = (0, 0);
    // rulings and corrections name findings and lines by their numbers
    let counts = |log: &str| ["device", "rule", "correct"].iter().any(|ev| log.contains(&format!(r#""ev":"{ev}""#)));
    for (name, log) in cases.filter(|(_, log)| !counts(log)) {
        let told: Vec<String> = log.lines().map(str::to_owned).collect();
        let direct = comes_to(&told, |line| line);
        for device in device_names() {
            let from = 1 + chance(told.len() - 1);
            let to = from + 1 + chance(told.len() - from);
            let mut away = told.clone();
            let says = |status: &str| format!(r#"{{"ev":"device","device":"{device}","status":{status}}}"#);
            away.insert(to, says(r#""online","complete":true"#));
            away.insert(from, says(r#""offline""#));
            let number = |at: LineNo| {
                let line = usize::try_from(at).unwrap();
                at - LineNo::from(line > from) - LineNo::from(line > to + 1)
            };
            let end = comes_to(&away, number);
            let is_late = |text: &String| tells_of(device, &line::event(text.as_bytes()).unwrap());
            let stretch: Vec<bool> = told[from..to].iter().map(is_late).collect();
            let may_differ = !stretch.is_sorted_by(|before, after| before >= after);
            // what is told afterwards follows from the order that was taken
            let of = |found: &str| found.split(' ').next().unwrap().parse::<usize>().unwrap();
            let is_known = |found: &String| of(found) > to || direct.found.contains(found);
            let is_less = || end.found.iter().all(is_known);
            if end == direct {
                alike += 1;
            } else {
                assert!(may_differ && is_less(), "{name}: {device} away {from}..{to}: {end:?} and not {direct:?}");
                fewer += 1;
            }
        }
    }
    assert!(alike > 50 * fewer && fewer > 0, "{alike} alike, {fewer} explained by another order");
}

/// Passes by the book with many questions and choices, a house's or another's alike.
const PASSES: [(&str, &str); 2] = [
    (
        "sala-8",
        "bets 1 2 3\nclose\ndraw AH 1, 6C 2, TD 3, 9S bank\nask 1 insurance\ndecline 1\n\
         draw 8C 1, 5H 2, QH 3, 8D bank down\nask 1 ace\nace 1 11\nask 1 card\nstand 1\nask 2 double\nstand 2\n\
         ask 3 split\nask 3 card\nhit 3\ndraw 2S 3\nreveal bank\ncollect 2 50, 3 50\npay 1 50\n\
         discard 1, 2, 3, bank\nend\n",
    ),
    (
        "talla",
        "bets 1 2 3\nclose\ndraw AH 3, 6C 2, TD 1, 9S bank, 8C 3, 5H 2, QH 1\nask 3 card\nstand 3\n\
         ask 2 card\nhit 2\ndraw 2D 2\nask 2 card\nhit 2\ndraw 4D 2\ntotal 2 17\nask 2 card\nstand 2\n\
         ask 1 card\nhit 1\ndraw 2S 1\ncollect 1 50\ndraw 8D bank\npay 3 50\ndiscard 3, 2, 1, bank\nend\n",
    ),
];

#[test]
fn a_device_that_was_away_for_many_passes_has_its_lines_in_their_passes() {
    for (house, pass) in PASSES {
        let steps = steps(house, &format!("open\n{}", pass.repeat(6)));
        let told: Vec<String> = steps.into_iter().map(|step| step.json).collect();
        let direct = comes_to(&told, |line| line);
        assert_eq!(direct.found, Vec::<String>::new(), "{house}");
        let first = 1 + told.iter().position(|text| text.contains(r#""ev":"draw""#)).unwrap();
        for device in ["keypad", "shoe"] {
            let is_late = |text: &String| tells_of(device, &line::event(text.as_bytes()).unwrap());
            let says = |status: &str| format!(r#"{{"ev":"device","device":"{device}","status":{status}}}"#);
            let (late, live): (Vec<_>, Vec<_>) = told[first..].iter().cloned().partition(is_late);
            let (before, away, back) = (&told[..first], says(r#""offline""#), says(r#""online","complete":true"#));
            let away = [before, &[away], &live, &late, &[back]].concat();
            assert_eq!(comes_to(&away, |line| line), direct, "{house}: {device}");
        }
    }
}
