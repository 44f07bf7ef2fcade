//! What is judged again: after a correction, or where a late telling explains what was found before it.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::vec::Vec;

use super::Validator;
use super::course::{Course, Identity, Step, Unasked};
use super::window::{Found, Stands, Told, Window, may_be_corrected};
use crate::procedure::blindness::blinds;
use crate::procedure::state::State;
use crate::table::answer::{Finding, Settle};
use crate::table::{Answer, BetSpot, Event, HandId, LineNo, Outcome, Place};

impl Validator {
    /// Judges again where the event changes what was told before; false where it is an event like any other.
    pub(super) fn revise(&mut self, line: LineNo, event: &Event, answers: &mut Vec<Answer>) -> bool {
        match event {
            Event::Correct { role, line: of, after, event, .. } if self.settings().remedy.may_correct.has(role) => {
                self.correct(line, *of, *after, event.as_deref(), answers)
            }
            Event::Decide { .. } | Event::Ace { .. } | Event::Device { complete: true, .. } => {
                let told = Told::new(line, event.clone());
                let again = self.told_late(&self.course, &self.window, &told);
                again.is_some_and(|again| {
                    self.adopt(again, line, answers);
                    true
                })
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
        if event.is_some() {
            self.window.note(by, line, after);
        }
        let again = self.hear_again(told);
        self.adopt(again, by, answers);
        true
    }

    /// The lines that may still be corrected, in the order in which they stand, as they read by now. What was struck is
    /// left out.
    pub fn correctable(&self) -> impl Iterator<Item = (LineNo, &Event)> {
        let told = self.window.raw().iter();
        told.filter_map(|told| Some((told.line, told.event.as_deref().filter(|event| may_be_corrected(event))?)))
    }

    /// The line that a line stands for: its own, or the one that a correction on it changed.
    #[must_use]
    pub fn meant(&self, line: LineNo) -> LineNo {
        self.window.meant(line)
    }

    /// From now on the facts are those of this course; what that changes is told at `line`.
    fn adopt(&mut self, again: Judged, line: LineNo, answers: &mut Vec<Answer>) {
        let answered = answers.len();
        changes(&self.window, &again, line, answers);
        for answer in &answers[answered..] {
            if let Answer::Withdrawn { finding, .. } = answer {
                self.discount(*finding);
            }
        }
        self.course = again.course;
        self.window = again.window;
        self.window.trim(self.course.state.pass.is_dealt());
    }

    /// A finding is withdrawn: it counts no more.
    fn discount(&mut self, finding: u64) {
        let Some(found) = self.window.found().find(|found| found.n == finding) else { return };
        let (provision, ..) = found.identity;
        if let Some(count) = self.counts.get_mut(provision) {
            *count = count.saturating_sub(1);
        }
        self.counts.retain(|_, count| *count > 0);
    }

    /// What the events so far come to where one that is told explains earlier ones, or comes after all that a device
    /// told late.
    fn told_late(&self, course: &Course, window: &Window, told: &Told) -> Option<Judged> {
        self.explained(course, window, told).or_else(|| self.placed(window, told))
    }

    /// A device is back and has told everything that it saw while it was away: what it told late is put in its place.
    fn placed(&self, window: &Window, told: &Told) -> Option<Judged> {
        let Event::Device { device, status, complete: true, .. } = told.event.as_deref()? else { return None };
        let (heard, since) = window.without_absence(device, told).filter(|_| status == "online")?;
        let mut again = self.hear_again(self.place_late(window, heard, since, device));
        again.window.raw = Some(window.raw().iter().chain([told]).cloned().collect());
        Some(again)
    }

    /// A choice told after the card it asks for counts as made before it (`late_entries`); `None` where it explains
    /// nothing.
    fn explained(&self, course: &Course, window: &Window, told: &Told) -> Option<Judged> {
        let (Event::Decide { hand, .. } | Event::Ace { hand, .. }) = told.event.as_deref()? else { return None };
        let is_for = |card: &Unasked| card.hand == *hand && self.settings().remedy.late_entries;
        let card = course.unasked.filter(is_for).filter(|_| course.state.may_ask_for_card(told.event.as_deref()))?;
        let undue = window.found().find(|found| found.n == card.finding).map(|found| found.identity);
        let mut again = self.judge(window.with_late(told, card));
        let place = Some(Place::from(*hand));
        let is_about_it = |found: &Found| {
            let (_, at, line) = found.identity;
            found.has_remedy && (at, line) == (place, card.line)
        };
        if again.window.found().any(|found| undue == Some(found.identity) || is_about_it(found)) {
            return None;
        }
        let with_it = |order: &[Told]| order.iter().chain([told]).cloned().collect();
        again.window.heard = Some(with_it(window.heard()));
        again.window.raw = window.raw.as_deref().map(with_it);
        Some(again)
    }

    /// Judges events in the order told. What explains an earlier one, and where a device's late lines belong, is found
    /// out anew: it may be otherwise now.
    pub(super) fn hear_again(&self, heard: Vec<Told>) -> Judged {
        let mut judged = self.judge(Vec::new());
        judged.course.numbers = numbers(&self.window);
        heard.into_iter().for_each(|told| self.hear_next(&mut judged, told));
        judged.course.numbers.clear();
        judged
    }

    fn hear_next(&self, judged: &mut Judged, told: Told) {
        if let Some(again) = self.told_late(&judged.course, &judged.window, &told) {
            *judged = again;
            judged.course.numbers = self.numbers_beyond(&judged.window);
            return;
        }
        if let Some(device) = told.event.as_deref().and_then(|event| judged.course.resumed(event)) {
            judged.course.state = self.seen_again(judged.window.heard(), &device);
        }
        self.judge_next(judged, told);
    }

    /// The facts of a pass that a device has not seen whole, once the room says that what stands in the log is all
    /// there was. What was found is not looked at again.
    pub(super) fn seen_again(&self, heard: &[Told], device: &str) -> State {
        let ends = |told: &Told| matches!(told.event.as_deref(), Some(Event::End {}));
        let (before, pass) = heard.split_at(heard.iter().rposition(ends).map_or(0, |at| at + 1));
        let mut judged = self.hear_again(before.to_vec());
        let mut is_away = judged.course.state.blindness.is_away(device);
        judged.course.state.see_again(device);
        let blinds = |told: &&Told| told.event.as_deref().and_then(blinds) == Some(device);
        for told in pass {
            let tells = |status| {
                matches!(told.event.as_deref(), Some(Event::Device { device: whose, status: is, .. })
                if whose == device && is == status)
            };
            is_away = (is_away || tells("offline")) && !tells("online");
            if !blinds(&told) {
                self.hear_next(&mut judged, told.clone());
            }
        }
        if is_away {
            judged.course.state.hear_device(device, "offline", false);
        }
        judged.course.state
    }

    /// Judges the events that may be corrected from their start. Findings keep the numbers that they have.
    fn judge(&self, events: Vec<Told>) -> Judged {
        let window = self.window.anew();
        let mut course = window.start().clone();
        course.found = self.course.found;
        course.numbers = numbers(&self.window);
        let mut judged = Judged { course, window, answers: Vec::new() };
        events.into_iter().for_each(|told| self.judge_next(&mut judged, told));
        judged.course.numbers.clear();
        judged
    }

    fn judge_next(&self, judged: &mut Judged, told: Told) {
        let Judged { course, window, answers } = judged;
        let answered = answers.len();
        let step = match &told.event {
            Some(event) => course.step(&self.house, told.line, event, answers),
            None => Step::default(),
        };
        if told.tells_unread {
            course.tell_unread(&self.house, told.line, answers);
        }
        window.answered(&answers[answered..]);
        window.add(told, course, step.ended);
    }

    /// The numbers of findings that stand and have not come in this window.
    fn numbers_beyond(&self, window: &Window) -> BTreeMap<Identity, VecDeque<u64>> {
        let come: BTreeSet<u64> = window.found().map(|found| found.n).collect();
        let mut left = numbers(&self.window);
        left.values_mut().for_each(|numbers| numbers.retain(|n| !come.contains(n)));
        left
    }
}

/// Events judged again, with all that is answered to them.
pub(super) struct Judged {
    pub(super) course: Course,
    window: Window,
    answers: Vec<Answer>,
}

/// Tells at `line` what other answers say than those that stand: what is withdrawn, found, cleared or breached, and the
/// accounts that differ.
fn changes(stand: &Window, again: &Judged, line: LineNo, answers: &mut Vec<Answer>) {
    let (before, after) = (Outcomes::of(stand), Outcomes::of(&again.window));
    let withdrawn = before.found.difference(&after.found);
    answers.extend(withdrawn.map(|&finding| Answer::Withdrawn { finding, line }));
    let new = again.answers.iter().filter_map(as_finding).filter(|finding| !before.found.contains(&finding.n));
    answers.extend(
        new.map(|finding| Answer::Finding(Box::new(Finding { line, of: Some(finding.line), ..finding.clone() }))),
    );
    // the last word on each
    let ends: BTreeMap<u64, &Answer> =
        again.answers.iter().filter_map(|answer| Some((ended(answer)?, answer))).collect();
    let otherwise = |n: &u64| before.is_cleared.get(n) != after.is_cleared.get(n);
    answers.extend(ends.iter().filter(|(n, _)| otherwise(n)).map(|(_, ended)| at(line, ended)));
    for (account, settle) in &after.accounts {
        let same = |before: &&Settle| Settle { line, ..**before } == Settle { line, ..**settle };
        if !before.accounts.get(account).is_some_and(same) {
            answers.push(Answer::Settle(Settle { line, ..**settle }));
        }
    }
    for ((pass, ..), settle) in before.accounts.iter().filter(|(account, _)| !after.accounts.contains_key(*account)) {
        if again.window.has_ended(*pass) {
            answers.push(Answer::Settle(without_effect(settle, line)));
        }
    }
}

/// What answers come to: what was found, whether it was cleared or breached, and what every bet was owed.
struct Outcomes<'a> {
    found: BTreeSet<u64>,
    is_cleared: BTreeMap<u64, bool>,
    accounts: BTreeMap<(u64, HandId, BetSpot), &'a Settle>,
}

impl<'a> Outcomes<'a> {
    fn of(window: &'a Window) -> Self {
        let mut all = Self { found: BTreeSet::new(), is_cleared: BTreeMap::new(), accounts: BTreeMap::new() };
        for stands in &window.stands {
            match stands {
                Stands::Found(found) => {
                    all.found.insert(found.n);
                }
                Stands::Ended { finding, is_cleared } => {
                    all.is_cleared.insert(*finding, *is_cleared);
                }
                Stands::Account(settle) => {
                    all.accounts.insert((settle.pass, settle.hand, settle.spot), settle);
                }
            }
        }
        all
    }
}

/// The finding that an answer ends.
const fn ended(answer: &Answer) -> Option<u64> {
    match answer {
        Answer::Cleared { finding, .. } | Answer::Breach { finding, .. } => Some(*finding),
        _ => None,
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

fn as_finding(answer: &Answer) -> Option<&Finding> {
    match answer {
        Answer::Finding(finding) => Some(finding),
        _ => None,
    }
}

/// The numbers of findings that stand, by what makes each the same when it is judged again.
fn numbers(window: &Window) -> BTreeMap<Identity, VecDeque<u64>> {
    let mut numbers: BTreeMap<Identity, VecDeque<u64>> = BTreeMap::new();
    window.found().for_each(|found| numbers.entry(found.identity).or_default().push_back(found.n));
    numbers
}
