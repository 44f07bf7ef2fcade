//! A log put right by a correction against the log that never was wrong: from the correction on, both know the same and
//! are answered the same.
//!
//! Passes are dealt, with deviations of their own. One event of the pass told last is then left out, told twice or told
//! otherwise, and corrected some events later. `SABOT_CORRECTED=N` tries N such logs of each house, `SABOT_SEED` begins
//! elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sabot_handbook::scenario::write;
use sabot_law::table::answer::{Answer, Finding, Outcome};
use sabot_law::table::felt::Felt;
use sabot_law::table::{Event, Header, LineNo, Place, Remedy};
use sabot_law::validator::Validator;
use sabot_simulation::deviations::{Deviating, Deviation, Options};
use sabot_simulation::workload::{HOUSES, Settings};

use crate::logs::{log, number};

/// What has become of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Noted,
    Open,
    Cleared,
    Breached,
}

/// What is known of each finding, and the account of each bet.
type Standing = (BTreeMap<String, State>, BTreeMap<String, String>);

/// Everything answered to a log, by its lines, and what is known at its end.
struct Judged {
    answers: Vec<(LineNo, Answer)>,
    validator: Validator,
}

fn judge(header: &Header, events: &[Event]) -> Judged {
    let mut validator = Validator::new(header.clone()).unwrap();
    let (mut answers, mut told) = (Vec::new(), Vec::new());
    for (line, event) in (2..).zip(events) {
        validator.step(line, event, &mut told);
        answers.extend(told.drain(..).map(|answer| (line, answer)));
    }
    Judged { answers, validator }
}

fn what(finding: &Finding, line: impl Fn(LineNo) -> LineNo) -> String {
    let of = line(finding.of.unwrap_or(finding.line));
    format!("{of} {} {:?} {:?}", finding.provision, finding.place, finding.details.device)
}

impl Judged {
    /// Findings and accounts as they stand after a line, each line as the other log counts it.
    fn standing(&self, until: LineNo, line: impl Fn(LineNo) -> LineNo + Copy) -> Standing {
        let (mut findings, mut accounts, mut unread) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        for (_, answer) in self.answers.iter().filter(|(at, _)| *at <= until) {
            match answer {
                Answer::Finding(finding) => {
                    let state = if finding.remedy.is_empty() { State::Noted } else { State::Open };
                    if let [Remedy::Identify { .. }] = finding.remedy[..] {
                        unread.insert(finding.n);
                    }
                    findings.insert(finding.n, (what(finding, line), state));
                }
                // the correction says which card it was: who was never wrong read it at once
                Answer::Cleared { finding, line, .. } if *line == until && unread.contains(finding) => {
                    findings.remove(finding);
                }
                Answer::Cleared { finding, .. } => set(&mut findings, *finding, State::Cleared),
                Answer::Breach { finding, .. } => set(&mut findings, *finding, State::Breached),
                Answer::Withdrawn { finding, .. } => {
                    findings.remove(finding);
                }
                Answer::Settle(settle) => {
                    let key = format!("pass {} {:?} {:?}", settle.pass, settle.hand, settle.spot);
                    // so is a bet taken back that was never there
                    if (settle.outcome, settle.stake) == (Outcome::Void, Some(0)) {
                        accounts.remove(&key);
                        continue;
                    }
                    let (outcome, stake, pay, lost) = (settle.outcome, settle.stake, settle.pay, settle.lost);
                    accounts.insert(key, format!("{outcome:?} {stake:?} {pay:?} {lost:?}"));
                }
                Answer::Summary { .. } => {}
            }
        }
        (findings.into_values().collect(), accounts)
    }

    /// Whether the correction of that line had no effect.
    fn is_refused(&self, corrected: LineNo) -> bool {
        let there = self.answers.iter().filter(|(line, _)| *line == corrected);
        there.into_iter().any(|(_, answer)| matches!(answer, Answer::Finding(finding) if finding.of.is_none()))
    }

    /// What was withdrawn there.
    fn withdraws(&self, corrected: LineNo) -> bool {
        self.answers.iter().any(|(line, answer)| *line == corrected && matches!(answer, Answer::Withdrawn { .. }))
    }

    /// What is answered after a line, each line as the other log counts it.
    fn answered_after(&self, from: LineNo, line: impl Fn(LineNo) -> LineNo + Copy) -> Vec<String> {
        let mut names = BTreeMap::new();
        let mut all = Vec::new();
        for (at, answer) in &self.answers {
            if let Answer::Finding(finding) = answer {
                names.insert(finding.n, what(finding, line));
            }
            let name = |number| names.get(number).cloned().unwrap_or_default();
            let told = match answer {
                Answer::Finding(finding) => format!("{} {:?}", what(finding, line), finding.remedy),
                Answer::Cleared { finding, unseen, .. } => format!("cleared {} {unseen:?}", name(finding)),
                Answer::Breach { finding, missing, .. } => format!("breach {} {missing:?}", name(finding)),
                Answer::Withdrawn { finding, .. } => format!("withdrawn {}", name(finding)),
                Answer::Settle(settle) => format!("{:?} {:?} {:?}", settle.hand, settle.spot, settle.outcome),
                Answer::Summary { .. } => continue,
            };
            if *at > from {
                all.push(format!("{} {told}", line(*at)));
            }
        }
        // within a line the order is that of numbers, which a mistake changes
        all.sort();
        all
    }
}

fn set(findings: &mut BTreeMap<u64, (String, State)>, number: u64, state: State) {
    if let Some(known) = findings.get_mut(&number) {
        known.1 = state;
    }
}

/// A log that was never wrong, and the same with a mistake and its correction.
struct Trial {
    header: Header,
    right: Vec<Event>,
    told: Vec<Event>,
    /// Where the mistake is and where the correction, from 0.
    mistake: Mistake,
    at: usize,
    corrected: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mistake {
    LeftOut,
    Doubled,
    Otherwise,
}

impl Trial {
    fn new(house: usize, seed: u64) -> Option<Self> {
        let not = [Deviation::Rule, Deviation::PutRight, Deviation::Correct, Deviation::End];
        let mut options = Options::of(Settings { seed, boxes: 3, ..Settings::of(HOUSES[house]) });
        options.deviations.retain(|deviation| !not.contains(deviation));
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (header, right, last) = deal(options, rng.random_range(1..=2));
        let correctable = |at: &usize| {
            !matches!(right[*at], Event::Authorize { .. } | Event::Report { .. } | Event::Device { .. } | Event::End {})
        };
        let places: Vec<usize> = (last..right.len()).filter(correctable).collect();
        let at = *places.get(rng.random_range(0..places.len().max(1)))?;
        let other = right[*places.get(rng.random_range(0..places.len()))?].clone();
        let (by, role) = ("I-4".into(), "inspector".into());
        let (line, after) = (Some(at as LineNo + 2), Some(at as LineNo + 1));
        let (mut told, event) = (right.clone(), Some(Box::new(right[at].clone())));
        let (mistake, correct) = match rng.random_range(0..3) {
            0 => {
                told.remove(at);
                (Mistake::LeftOut, Event::Correct { by, role, line: None, after, event })
            }
            1 => {
                told.insert(at, other);
                (Mistake::Doubled, Event::Correct { by, role, line, after: None, event: None })
            }
            _ => {
                told[at] = other;
                (Mistake::Otherwise, Event::Correct { by, role, line, after: None, event })
            }
        };
        if after == Some(1) {
            return None;
        }
        let corrected = rng.random_range(at + usize::from(mistake != Mistake::LeftOut)..=told.len());
        told.insert(corrected, correct);
        Some(Self { header, right, told, mistake, at, corrected })
    }

    /// The line of the correction.
    fn line_told(&self) -> LineNo {
        self.corrected as LineNo + 2
    }

    /// Whether cards were taken away for a finding that the correction takes back: they stay away, and the room
    /// decides what is to be done.
    fn took_cards_away(&self, told: &Judged) -> bool {
        let away = |event: &Event| match event {
            Event::Move { to, .. } => *to != Place::Discard,
            Event::Draw { to, .. } => *to == Some(Place::Burn),
            _ => false,
        };
        told.withdraws(self.line_told()) && self.told[self.at..self.corrected].iter().any(away)
    }

    /// The line of the log that was never wrong, for one of the other.
    fn line(&self, told: LineNo) -> LineNo {
        let (at, corrected) = (self.at as LineNo + 2, self.line_told());
        if told == corrected {
            return at;
        }
        let without_correction = told - LineNo::from(told > corrected);
        match self.mistake {
            Mistake::LeftOut => without_correction + LineNo::from(without_correction >= at),
            Mistake::Doubled => without_correction - LineNo::from(without_correction > at),
            Mistake::Otherwise => without_correction,
        }
    }
}

/// Passes of a table that deviates, and where the last begins.
fn deal(options: Options, passes: usize) -> (Header, Vec<Event>, usize) {
    let mut table = Deviating::new(options);
    let header = table.header().clone();
    let mut validator = Validator::new(header.clone()).unwrap();
    let (mut events, mut last, mut answers) = (Vec::new(), 0, Vec::new());
    for _ in 0..passes {
        last = events.len();
        loop {
            let (_, event) = table.next_event();
            // both name what a mistake changes: numbers of findings, and lines
            if !matches!(event, Event::Rule { .. } | Event::Correct { .. }) {
                answers.clear();
                validator.step(events.len() as LineNo + 2, &event, &mut answers);
                table.answered(&answers);
                events.push(event);
            }
            if table.is_between_passes() {
                break;
            }
        }
    }
    (header, events, last)
}

/// What a device told late belongs elsewhere once that is corrected (talla).
const ORDER_CHANGES: u64 = 2579;

#[test]
fn a_correction_leaves_the_table_as_if_the_mistake_had_never_been_made() {
    let (trials, seed) = (number("SABOT_CORRECTED", 150), number("SABOT_SEED", 1));
    for (house, name) in HOUSES.iter().enumerate() {
        let mut tried = 0;
        for seed in (seed..seed + trials).chain([ORDER_CHANGES]) {
            let Some(trial) = Trial::new(house, seed) else { continue };
            tried += 1;
            check(&trial, &format!("{}: SABOT_SEED={seed} SABOT_CORRECTED=1", name.id));
        }
        assert!(tried > trials / 2, "{}: only {tried} of {trials} could be tried", name.id);
    }
}

fn check(trial: &Trial, replay: &str) {
    let (right, told) = (judge(&trial.header, &trial.right), judge(&trial.header, &trial.told));
    if told.is_refused(trial.line_told()) || trial.took_cards_away(&told) {
        return;
    }
    let line = |line| trial.line(line);
    let before = trial.line(trial.line_told() + 1) - 1;
    let shown = || format!("{replay}\n{}", write::scenario("corrected", &log(&trial.header, &trial.told)).unwrap());
    let ((told_findings, told_accounts), (findings, accounts)) =
        (told.standing(trial.line_told(), line), right.standing(before, |line| line));
    assert_eq!(told_findings.keys().collect::<Vec<_>>(), findings.keys().collect::<Vec<_>>(), "{}", shown());
    for (what, state) in findings {
        // no answer opens a finding again, or says that the same line offends the same article in another way
        assert!(
            matches!(state, State::Open | State::Noted) || told_findings[&what] == state,
            "{what}: {state:?}, {}",
            shown()
        );
    }
    assert_eq!(told_accounts, accounts, "{}", shown());
    let after = told.answered_after(trial.line_told(), line);
    assert_eq!(after, right.answered_after(before, |line| line), "{}", shown());
    assert_eq!(numberless(&told.validator), numberless(&right.validator), "{}", shown());
}

/// The felt without the findings' numbers: those withdrawn have taken some.
fn numberless(validator: &Validator) -> Felt {
    let mut felt = validator.felt();
    for remedy in &mut felt.remedies {
        remedy.finding = 0;
    }
    felt
}
