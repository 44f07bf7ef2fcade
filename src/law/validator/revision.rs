//! What is judged again: after a correction, or where a late telling explains what was found before it.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::Validator;
use super::course::{Before, Course, House, Numbers, Step, Unasked};
use super::told::Told;
use super::window::{Found, Late, Rest, Stands, Window, chooses, may_be_corrected};
use crate::procedure::blindness::blinds;
use crate::procedure::state::State;
use crate::table::answer::{Finding, Settle};
use crate::table::{Answer, BetSpot, Event, HandId, LineNo, Outcome, Place, Remedy, Severity};

/// What is answered anew, from some moment on.
#[derive(Clone)]
pub(super) struct Again {
    /// What stood answered before that moment.
    from: usize,
    /// What stood answered from there on.
    stood: Vec<Stands>,
    /// What is answered instead.
    answers: Vec<Answer>,
    /// The number of the newest finding that was told: those found since may yet come to nothing, and keep none.
    told: u64,
}

impl Again {
    /// From an earlier moment on, after which these stand now.
    fn reach(&mut self, from: usize, stand: &[Stands]) {
        if let Some(more) = self.from.checked_sub(from) {
            self.stood.splice(..0, stand[..more].iter().copied());
            self.from = from;
        }
        self.answers.truncate(from - self.from);
    }
}

impl Validator {
    /// Judges again where the event changes what was told before; false where it is an event like any other.
    pub(super) fn revise(&mut self, line: LineNo, event: &Event, answers: &mut Vec<Answer>) -> bool {
        let may_explain = match event {
            Event::Correct { role, line: of, after, event, .. } if self.settings().remedy.may_correct.has(role) => {
                return self.correct(line, *of, *after, event.as_deref(), answers);
            }
            // a choice explains nothing where no card came unasked
            Event::Decide { .. } | Event::Ace { .. } => self.course.unasked.is_some(),
            Event::Draw { .. } => self.course.state.begins_mid_pass(event),
            Event::End {} => self.course.state.ends_untold(event),
            Event::Device { complete, .. } => *complete,
            _ => false,
        };
        if !may_explain && self.window.late.is_none() {
            return false;
        }
        let told = Told::new(line, event.clone());
        let mut again = self.begin_again();
        let is_revised = self.told_late(&told, &mut again);
        if is_revised {
            self.adopt(&again, line, answers);
            // what is found at the event itself is told as at any other
            for answer in answers {
                if let Answer::Finding(finding) = answer {
                    finding.of = finding.of.filter(|of| *of != line);
                }
            }
        }
        is_revised
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
        let at = match (line, after, event) {
            (Some(line), _, _) => self.window.correctable(line),
            (None, Some(after), Some(_)) => self.window.place_after(after),
            _ => None,
        };
        let Some(at) = at else { return false };
        match after.filter(|_| line.is_none()) {
            Some(after) => self.window.note_inserted(by, after),
            None if event.is_some() => self.window.note_replaced(by, at),
            None => {}
        }
        let mut again = self.begin_again();
        let rest = self.go_back(at, &mut again);
        let at = at - rest.from;
        let mut events = rest.into_raw();
        match event.filter(|_| line.is_none()) {
            Some(event) => events.insert(at, Told::new(by, event.clone())),
            None => {
                let was = events[at].drawn();
                events[at].correct(event.cloned());
                if let (Some(was), Some((card, _))) = (was, events[at].drawn()) {
                    let _ = events[at + 1..].iter_mut().any(|told| told.renames(was, card));
                }
            }
        }
        events.into_iter().for_each(|told| self.hear_next(told, &mut again));
        self.adopt(&again, by, answers);
        true
    }

    /// The lines that may still be corrected, in the order in which they stand, as they read by now. What was struck is
    /// left out.
    pub fn correctable(&self) -> impl Iterator<Item = (LineNo, &Event)> {
        let told = self.window.raw().iter().filter(|told| !self.window.is_closed(told.line));
        told.filter_map(|told| Some((told.line, told.event.as_deref().filter(|event| may_be_corrected(event))?)))
    }

    /// The line that a line stands for: its own, or the one that a correction on it changed.
    #[must_use]
    pub fn meant(&self, line: LineNo) -> LineNo {
        self.window.meant(line)
    }

    /// Nothing is judged again yet.
    fn begin_again(&self) -> Again {
        Again { from: self.window.stands.len(), stood: Vec::new(), answers: Vec::new(), told: self.course.found }
    }

    /// What was judged again stands; what that changes is told at `line`.
    fn adopt(&mut self, again: &Again, line: LineNo, answers: &mut Vec<Answer>) {
        self.course.numbers = Numbers::default();
        let answered = answers.len();
        changes(again, (&self.window, self.course.state.pass_no), line, answers);
        let stood: BTreeMap<u64, &str> = found(&again.stood).map(|found| (found.n, found.identity.1)).collect();
        for answer in &answers[answered..] {
            if let Answer::Withdrawn { finding, .. } = answer
                && let Some(count) = stood.get(finding).and_then(|provision| self.counts.get_mut(provision))
            {
                *count = count.saturating_sub(1);
            }
        }
        self.counts.retain(|_, count| *count > 0);
        self.trim();
    }

    /// Goes back to a moment before the event at that place, and takes out what came since. Findings keep the numbers
    /// by which they were told.
    fn go_back(&mut self, at: usize, again: &mut Again) -> Rest {
        let left = core::mem::take(&mut self.course.numbers);
        let (told, stands, course) = self.window.moment(at);
        let stood = &self.window.stands[stands..];
        self.course = course.to_go_on(again.told.max(course.found), numbers(left, stood, again.told));
        again.reach(stands, stood);
        self.window.go_back((told, stands))
    }

    /// What the events so far come to where one that is told explains earlier ones, or comes after all that a device
    /// told late; false where it changes nothing of what was judged.
    fn told_late(&mut self, told: &Told, again: &mut Again) -> bool {
        self.explained(told, again)
            || self.placed(told, again)
            || self.placed_anew(told, again)
            || self.begun_before(told, again)
    }

    /// The log's first card tells that it begins in the middle of a pass, or so does the first `end` of one that begins
    /// while it is paid: what was told of that pass before is not judged either.
    fn begun_before(&mut self, told: &Told, again: &mut Again) -> bool {
        let Some(event) = told.event.as_deref() else { return false };
        let ends = self.course.state.ends_untold(event);
        let is = |told: &Told, what: fn(&Event) -> bool| told.event.as_deref().is_some_and(what);
        let is_settled = || self.window.heard().iter().any(|told| is(told, Event::is_of_settlement));
        let begins = self.course.state.begins_mid_pass(event) || (ends && is_settled());
        if !begins {
            return false;
        }
        let Some(at) = self.window.heard().iter().position(|told| is(told, Event::is_of_pass)) else { return false };
        let rest = self.go_back(at, again);
        let (before, events) = (at - rest.from, rest.into_raw());
        for (n, told) in events.into_iter().enumerate() {
            if n == before {
                self.course.state.is_begun_before_log();
            }
            self.hear_next(told, again);
        }
        judge_next(&self.house, &mut self.course, &mut self.window, told.clone(), &mut again.answers);
        if ends {
            self.course.state.end_pass();
        }
        true
    }

    /// A device is back and has told everything that it saw while it was away: what it told late is put in its place.
    fn placed(&mut self, back: &Told, again: &mut Again) -> bool {
        let Some(Event::Device { device, status, complete: true, .. }) = back.event.as_deref() else { return false };
        let Some(since) = self.window.away_since(device).filter(|_| status == "online") else { return false };
        let late = Late { device: device.clone(), since, back: back.line };
        let mut rest = self.go_back(since, again);
        let mut raw = rest.raw.take().unwrap_or_else(|| rest.heard.clone());
        let mut away = rest.heard.split_off(since - rest.from);
        rest.heard.into_iter().for_each(|told| self.hear_next(told, again));
        end_absence(&mut away, device);
        let placed = self.place_late(&away, &away, &late).unwrap_or(away);
        for told in placed.into_iter().chain([back.clone()]) {
            self.hear_next(told, again);
        }
        raw.push(back.clone());
        self.window.put_late(late, &raw);
        true
    }

    /// What a device told late has another place where somebody would be accused at what comes now for the order in
    /// which it stands.
    fn placed_anew(&mut self, told: &Told, again: &mut Again) -> bool {
        let Some(late) = self.window.late.clone().filter(|_| self.accuses(told)) else { return false };
        let (mut table, mut anew) = (self.clone(), again.clone());
        let mut rest = table.go_back(late.since, &mut anew);
        let at = late.since - rest.from;
        let mut stands = rest.heard.split_off(at);
        let mut raw = rest.raw.take().unwrap_or_else(|| [&rest.heard[..], &stands].concat());
        rest.heard.into_iter().for_each(|told| table.hear_next(told, &mut anew));
        stands.push(told.clone());
        raw.push(told.clone());
        let mut away = raw[at..].to_vec();
        end_absence(&mut away, &late.device);
        let Some(placed) = table.place_late(&away, &stands, &late) else { return false };
        placed.into_iter().for_each(|told| table.hear_next(told, &mut anew));
        table.window.put_late(late, &raw);
        (*self, *again) = (table, anew);
        true
    }

    /// A choice told after the card it asks for counts as made before it (`late_entries`); false where it explains
    /// nothing.
    fn explained(&mut self, told: &Told, again: &mut Again) -> bool {
        let Some(Event::Decide { hand, .. } | Event::Ace { hand, .. }) = told.event.as_deref() else { return false };
        let is_for = |card: &Unasked| card.hand == *hand && self.settings().remedy.late_entries;
        let may_ask = || self.course.state.may_ask_for_card(told.event.as_deref());
        let Some(mut card) = self.course.unasked.clone().filter(is_for).filter(|_| may_ask()) else { return false };
        let Some(at) = self.provides(told, &mut card) else {
            self.course.unasked = Some(card);
            return false;
        };
        let (mut course, (from, stands)) = self.again_from(at, again.told);
        let (mut window, mut answers) = (self.window.anew(), Vec::new());
        for told in self.window.with_late(from, at, told, card.hand) {
            judge_next(&self.house, &mut course, &mut window, told, &mut answers);
        }
        again.reach(stands, &self.window.stands[stands..]);
        again.answers.append(&mut answers);
        self.window.replace_since((from, stands), window, told);
        self.course = course;
        true
    }

    /// The course at the last moment before a place, to judge on from, and the events and answers before it; findings
    /// were `told` up to that number.
    fn again_from(&self, at: usize, told: u64) -> (Course, (usize, usize)) {
        let (from, stands, course) = self.window.moment(at);
        let numbers = numbers(self.course.numbers.clone(), &self.window.stands[stands..], told);
        (course.to_go_on(told.max(course.found), numbers), (from, stands))
    }

    /// The place of a card for which a choice provides, made before it with all that was chosen for its hand since:
    /// nothing is to be done about the card then but to name it. Chips that should have lain there are another matter.
    fn provides(&self, choice: &Told, card: &mut Unasked) -> Option<usize> {
        let told = &self.window.told;
        let mut before = match card.before.take() {
            Some(before) => Arc::unwrap_or_clone(before),
            None => self.before(card.identity.0)?,
        };
        let since = told[before.heard..].iter().filter(|told| chooses(told, card.hand));
        for told in since.chain([choice]) {
            judge(&self.house, &mut before.course, told, &mut Vec::new());
        }
        before.heard = told.len() + 1;
        let (at, mut course, mut answers) = (before.at, before.course.clone(), Vec::new());
        card.before = Some(Arc::new(before));
        judge(&self.house, &mut course, told.get(at)?, &mut answers);
        let place = Some(Place::from(card.hand));
        let is_about_it = |finding: &Finding| {
            let is_on_cards = |remedy: &Remedy| !matches!(remedy, Remedy::ReturnBet { .. });
            let has_remedy = finding.severity > Severity::Notice && finding.remedy.iter().any(is_on_cards);
            let (line, provision, at, _) = card.identity;
            (has_remedy && finding.place == place)
                || (finding.line, finding.provision, finding.place) == (line, provision, at)
        };
        (!answers.iter().filter_map(as_finding).any(is_about_it)).then_some(at)
    }

    /// The facts before the card of a line.
    fn before(&self, line: LineNo) -> Option<Before> {
        let at = self.window.told_on(line)?;
        let (mut course, (from, _)) = self.again_from(at, self.course.found);
        for told in &self.window.told[from..at] {
            judge(&self.house, &mut course, told, &mut Vec::new());
        }
        course.unasked = None;
        Some(Before { course, at, heard: at + 1 })
    }

    /// Judges one more event of those that are judged again. What explains an earlier one, and where a device's late
    /// lines belong, is found out anew: it may be otherwise now.
    pub(super) fn hear_next(&mut self, told: Told, again: &mut Again) {
        if self.told_late(&told, again) {
            return;
        }
        if let Some(device) = told.event.as_deref().and_then(|event| self.course.resumed(event)) {
            self.course.state = self.seen_again(&device);
        }
        judge_next(&self.house, &mut self.course, &mut self.window, told, &mut again.answers);
    }

    /// The facts of a pass that a device has not seen whole, once the room says that what stands in the log is all
    /// there was. What was found is not looked at again.
    pub(super) fn seen_again(&self, device: &str) -> State {
        let mut table = self.clone();
        let mut again = table.begin_again();
        let ends = |told: &Told| matches!(told.event.as_deref(), Some(Event::End {}));
        let begun = table.window.heard().iter().rposition(ends).map_or(0, |at| at + 1);
        let rest = table.go_back(begun, &mut again);
        let (before, pass) = rest.heard.split_at(begun - rest.from);
        before.iter().for_each(|told| table.hear_next(told.clone(), &mut again));
        let mut is_away = table.course.state.blindness.is_away(device);
        table.course.state.see_again(device);
        let blinds = |told: &&Told| told.event.as_deref().and_then(blinds) == Some(device);
        for told in pass {
            let tells = |status| {
                matches!(told.event.as_deref(), Some(Event::Device { device: whose, status: is, .. })
                if whose == device && is == status)
            };
            is_away = (is_away || tells("offline")) && !tells("online");
            if !blinds(&told) {
                table.hear_next(told.clone(), &mut again);
            }
        }
        if is_away {
            table.course.state.hear_device(device, "offline", false);
        }
        table.course.state
    }
}

/// The absence of a device came to nothing.
fn end_absence(away: &mut [Told], device: &str) {
    for told in away {
        if told.event.as_deref().and_then(blinds) == Some(device) {
            told.event = None;
        }
    }
}

/// Judges an event, and adds what is answered; keeps both in the window.
fn judge_next(house: &House, course: &mut Course, window: &mut Window, mut told: Told, answers: &mut Vec<Answer>) {
    let answered = answers.len();
    let step = judge(house, course, &told, answers);
    told.took(step.taken);
    window.answered(&answers[answered..]);
    window.add(told, course, step.ended);
}

/// Judges an event, and adds what is answered.
fn judge(house: &House, course: &mut Course, told: &Told, answers: &mut Vec<Answer>) -> Step {
    let asks = |from, to| course.duties.to_move(from, to) > 0;
    let step = match told.complete(asks) {
        Some(event) => course.step(house, told.line, &event, answers),
        None => Step::default(),
    };
    if told.tells_unread {
        course.tell_unread(house, told.line, answers);
    }
    step
}

/// The numbers of the findings among these that were told, and of those that have not come again yet.
fn numbers(left: Numbers, stood: &[Stands], told: u64) -> Numbers {
    let mut numbers = left;
    found(stood)
        .filter(|found| found.n <= told)
        .for_each(|found| numbers.insert_mut((found.identity, found.severity, found.n)));
    numbers
}

/// The findings among these.
fn found(stands: &[Stands]) -> impl Iterator<Item = &Found> {
    stands.iter().filter_map(|stands| match stands {
        Stands::Found(found) => Some(found),
        _ => None,
    })
}

/// Tells at `line` what other answers say than those that stand: what is withdrawn, found, cleared or breached, and the
/// accounts that differ.
fn changes(again: &Again, (window, last_pass): (&Window, u64), line: LineNo, answers: &mut Vec<Answer>) {
    let (before, after) = (Outcomes::of(&again.stood), Outcomes::of(&window.stands[again.from..]));
    let withdrawn = before.found.difference(&after.found);
    answers.extend(withdrawn.map(|&finding| Answer::Withdrawn { finding, line }));
    let new = again.answers.iter().filter_map(as_finding).filter(|finding| !before.found.contains(&finding.n));
    answers.extend(new.map(|finding| Answer::Finding(Box::new(told_late(finding, line, window)))));
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
        // a pass that goes on has its accounts once it ends
        if window.has_ended(*pass) || *pass > last_pass {
            answers.push(Answer::Settle(without_effect(settle, line)));
        }
    }
}

/// A finding told at a later line. It names no card that may have been burned since.
fn told_late(finding: &Finding, line: LineNo, window: &Window) -> Finding {
    let mut late = Finding { line, of: Some(finding.line), ..finding.clone() };
    if window.has_burned_since(finding.line) {
        late.cards.clear();
    }
    late
}

/// What answers come to: what was found, whether it was cleared or breached, and what every bet was owed.
struct Outcomes<'a> {
    found: BTreeSet<u64>,
    is_cleared: BTreeMap<u64, bool>,
    accounts: BTreeMap<(u64, HandId, BetSpot), &'a Settle>,
}

impl<'a> Outcomes<'a> {
    fn of(stands: &'a [Stands]) -> Self {
        let mut all = Self { found: BTreeSet::new(), is_cleared: BTreeMap::new(), accounts: BTreeMap::new() };
        for stands in stands {
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
