//! What is judged again: after a correction, or where a late telling explains what was found before it.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::vec::Vec;
use core::mem;

use super::Validator;
use super::course::{Course, Identity, Step, Unasked};
use super::window::{Told, Window, may_be_corrected};
use crate::table::answer::{Finding, Settle};
use crate::table::{Answer, BetSpot, Event, HandId, LineNo, Outcome};

impl Validator {
    /// Judges again where the event changes what was told before; false where it is an event like any other.
    pub(super) fn revise(&mut self, line: LineNo, event: &Event, answers: &mut Vec<Answer>) -> bool {
        match event {
            Event::Correct { role, line: of, after, event, .. } if self.settings().remedy.may_correct.has(role) => {
                self.correct(line, *of, *after, event.as_deref(), answers)
            }
            Event::Decide { .. } | Event::Ace { .. } if self.settings().remedy.late_entries => {
                self.explain(line, event, answers)
            }
            Event::Device { device, status, complete: true, .. } if status == "online" => {
                let told = self.window.without_absence(device, line, event);
                told.is_some_and(|told| self.hold_again(told, line, answers))
            }
            _ => false,
        }
    }

    /// A person says what really happened; false where that may not be corrected.
    fn correct(
        &mut self,
        by: LineNo,
        line: Option<LineNo>,
        after: Option<LineNo>,
        event: Option<&Event>,
        answers: &mut Vec<Answer>,
    ) -> bool {
        if event.is_some_and(|event| !may_be_corrected(event)) {
            return false;
        }
        let told = match (line, after, event) {
            (Some(line), _, event) => self.window.replace(line, event.cloned()),
            (None, Some(after), Some(event)) => self.window.insert(after, event.clone(), by),
            _ => None,
        };
        let Some(told) = told else { return false };
        self.hold_again(told, by, answers);
        if event.is_some() {
            self.window.note(by, line, after);
        }
        true
    }

    /// From now on the facts are those of these events, in the order told; what that changes is told at `line`.
    fn hold_again(&mut self, heard: Vec<Told>, line: LineNo, answers: &mut Vec<Answer>) -> bool {
        let again = self.hear_again(heard);
        self.adopt(again, line, answers);
        true
    }

    /// A choice told late changes what was found; false where it explains nothing.
    fn explain(&mut self, line: LineNo, event: &Event, answers: &mut Vec<Answer>) -> bool {
        let told = Told::new(line, event.clone());
        let explained = self.explained(&self.course, &self.window, &told);
        explained.is_some_and(|again| {
            self.adopt(again, line, answers);
            true
        })
    }

    /// From now on the facts are those of this course; what that changes is told at `line`.
    fn adopt(&mut self, (course, window): (Course, Window), line: LineNo, answers: &mut Vec<Answer>) {
        changes(&self.window, &window, line, answers);
        self.course = course;
        self.window = window;
        self.window.trim(self.course.state.pass.is_dealt());
    }

    /// A choice told after the card it asks for counts as made before it (`late_entries`); `None` where it explains
    /// nothing.
    fn explained(&self, course: &Course, window: &Window, told: &Told) -> Option<(Course, Window)> {
        let (Event::Decide { hand, .. } | Event::Ace { hand, .. }) = told.event.as_deref()? else { return None };
        let is_for = |card: &Unasked| card.hand == *hand && self.settings().remedy.late_entries;
        let card = course.unasked.filter(is_for)?;
        let mut findings = window.answers.iter().filter_map(as_finding);
        let undue = findings.find(|finding| finding.n == card.finding).map(identity);
        let (course, mut again) = self.judge(window.with_late(told, card));
        let is_found = |finding: &Finding| undue == Some(identity(finding)) || finding.is_about(card.line, *hand);
        if again.answers.iter().filter_map(as_finding).any(is_found) {
            return None;
        }
        again.heard = Some(window.heard().iter().chain([told]).cloned().collect());
        Some((course, again))
    }

    /// Judges events in the order told. What explains an earlier one is found out anew: it may explain nothing now.
    fn hear_again(&self, heard: Vec<Told>) -> (Course, Window) {
        let (mut course, mut window) = self.judge(Vec::new());
        course.numbers = numbers(&self.window.answers);
        for told in heard {
            match self.explained(&course, &window, &told) {
                Some(again) => {
                    (course, window) = again;
                    course.numbers = self.numbers_beyond(&window);
                }
                None => self.judge_next(&mut course, &mut window, told),
            }
        }
        course.numbers.clear();
        (course, window)
    }

    /// Judges the events that may be corrected from their start. Findings keep the numbers that they have.
    fn judge(&self, events: Vec<Told>) -> (Course, Window) {
        let mut window = self.window.anew();
        let mut course = window.start().clone();
        course.found = self.course.found;
        course.numbers = numbers(&self.window.answers);
        events.into_iter().for_each(|told| self.judge_next(&mut course, &mut window, told));
        course.numbers.clear();
        (course, window)
    }

    fn judge_next(&self, course: &mut Course, window: &mut Window, told: Told) {
        let step = match &told.event {
            Some(event) => course.step(&self.house, told.line, event, &mut window.answers),
            None => Step::default(),
        };
        window.add(told, course, step.ended);
    }

    /// The numbers of findings that stand and have not come in this window.
    fn numbers_beyond(&self, window: &Window) -> BTreeMap<Identity, VecDeque<u64>> {
        let come: BTreeSet<u64> = window.answers.iter().filter_map(as_finding).map(|finding| finding.n).collect();
        let mut left = numbers(&self.window.answers);
        left.values_mut().for_each(|numbers| numbers.retain(|n| !come.contains(n)));
        left
    }
}

/// Tells at `line` what other answers say than those that stand: what is withdrawn, found, cleared or breached, and the
/// accounts that differ.
fn changes(stand: &Window, other: &Window, line: LineNo, answers: &mut Vec<Answer>) {
    let (before, after) = (Outcomes::of(&stand.answers), Outcomes::of(&other.answers));
    let withdrawn = before.found.difference(&after.found);
    answers.extend(withdrawn.map(|&finding| Answer::Withdrawn { finding, line }));
    let new = other.answers.iter().filter_map(as_finding).filter(|finding| !before.found.contains(&finding.n));
    answers.extend(
        new.map(|finding| Answer::Finding(Box::new(Finding { line, of: Some(finding.line), ..finding.clone() }))),
    );
    for (n, ended) in &after.ended {
        if before.ended.get(n).is_none_or(|before| mem::discriminant(*before) != mem::discriminant(*ended)) {
            answers.push(at(line, ended));
        }
    }
    for (account, settle) in &after.accounts {
        let same = |before: &&Settle| Settle { line, ..**before } == Settle { line, ..**settle };
        if !before.accounts.get(account).is_some_and(same) {
            answers.push(Answer::Settle(Settle { line, ..**settle }));
        }
    }
    for ((pass, ..), settle) in before.accounts.iter().filter(|(account, _)| !after.accounts.contains_key(*account)) {
        if other.has_ended(*pass) {
            answers.push(Answer::Settle(without_effect(settle, line)));
        }
    }
}

/// What answers come to: what was found, how that ended, and what every bet was owed.
struct Outcomes<'a> {
    found: BTreeSet<u64>,
    /// The last word on each: cleared or breached.
    ended: BTreeMap<u64, &'a Answer>,
    accounts: BTreeMap<(u64, HandId, BetSpot), &'a Settle>,
}

impl<'a> Outcomes<'a> {
    fn of(answers: &'a [Answer]) -> Self {
        let mut all = Self { found: BTreeSet::new(), ended: BTreeMap::new(), accounts: BTreeMap::new() };
        for answer in answers {
            match answer {
                Answer::Finding(finding) => {
                    all.found.insert(finding.n);
                }
                Answer::Cleared { finding, .. } | Answer::Breach { finding, .. } => {
                    all.ended.insert(*finding, answer);
                }
                Answer::Settle(settle) => {
                    all.accounts.insert((settle.pass, settle.hand, settle.spot), settle);
                }
                Answer::Withdrawn { .. } | Answer::Summary { .. } => {}
            }
        }
        all
    }
}

/// The same answer at another line.
fn at(line: LineNo, answer: &Answer) -> Answer {
    let mut answer = answer.clone();
    if let Answer::Cleared { line: told, .. } | Answer::Breach { line: told, .. } = &mut answer {
        *told = line;
    }
    answer
}

/// The account of a bet that, as is known now, was never there.
const fn without_effect(settle: &Settle, line: LineNo) -> Settle {
    Settle { line, outcome: Outcome::Void, stake: Some(0), pay: Some(0), lost: Some(0), ..*settle }
}

impl Finding {
    /// Whether something has to be done about what a line brought to a hand.
    fn is_about(&self, line: LineNo, hand: HandId) -> bool {
        self.line == line && self.place == Some(hand.into()) && !self.remedy.is_empty()
    }
}

fn as_finding(answer: &Answer) -> Option<&Finding> {
    match answer {
        Answer::Finding(finding) => Some(finding),
        _ => None,
    }
}

/// What makes a finding the same when it is judged again.
const fn identity(finding: &Finding) -> Identity {
    (finding.provision, finding.place, finding.line)
}

/// The numbers of findings, by what makes each the same when it is judged again.
fn numbers(answers: &[Answer]) -> BTreeMap<Identity, VecDeque<u64>> {
    let mut numbers: BTreeMap<Identity, VecDeque<u64>> = BTreeMap::new();
    for finding in answers.iter().filter_map(as_finding) {
        numbers.entry(identity(finding)).or_default().push_back(finding.n);
    }
    numbers
}
