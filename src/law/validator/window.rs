//! The events that may still be corrected: those since the last `end` but one, until the next pass's first card.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::course::{Course, Identity, Numbers, whom};
use super::told::Told;
use crate::procedure::blindness::blinds;
use crate::table::answer::{Settle, Severity};
use crate::table::{Answer, Event, HandId, LineNo, Name, Place};

/// The line of the header: what the log does not tell may have happened before all that it does.
const HEADER: LineNo = 1;

/// A finding that stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// Its number.
    pub(super) n: u64,
    /// What makes it the same.
    pub(super) identity: Identity,
    pub(super) severity: Severity,
}

/// An answer, as far as it tells whether another says the same: its words are never told again.
#[derive(Debug, Clone, Copy)]
pub(super) enum Stands {
    Found(Found),
    /// A finding was cleared, or else breached.
    Ended {
        finding: u64,
        is_cleared: bool,
    },
    Account(Settle),
}

impl Stands {
    fn of(answer: &Answer) -> Option<Self> {
        Some(match answer {
            Answer::Finding(finding) => {
                let identity = (finding.line, finding.provision, finding.place, whom(&finding.details));
                Self::Found(Found { n: finding.n, identity, severity: finding.severity })
            }
            Answer::Cleared { finding, .. } => Self::Ended { finding: *finding, is_cleared: true },
            Answer::Breach { finding, .. } => Self::Ended { finding: *finding, is_cleared: false },
            Answer::Settle(settle) => Self::Account(*settle),
            Answer::Withdrawn { .. } | Answer::Summary { .. } => return None,
        })
    }
}

/// Events of a long pass with its shuffle, and answers to it: there is room for them from the beginning, so that memory
/// does not grow by and by. A pass that is not longer is kept at its end alone.
const EVENTS: usize = 256;
const ANSWERS: usize = 32;

/// Of moments kept, the next older is at most so many times as far back: from each place on, what is judged again is
/// in proportion to what lies after it, and a long pass has few of them.
const FURTHER: usize = 4;

/// While a device is away, ended passes that it may yet tell of are kept, up to so many events in all.
pub(super) const MOST_AWAY: usize = 1024;

/// The facts as they were at some time, to judge on from.
#[derive(Debug, Clone)]
struct Moment {
    course: Arc<Course>,
    /// Events told before it.
    told: usize,
    /// What stood answered before it.
    stands: usize,
    /// A pass ended with the last of them.
    is_end: bool,
    /// What was told before it and what happened before it are the same events.
    is_told: bool,
}

/// A device that has told late what it saw while it was away.
#[derive(Debug, Clone)]
pub(super) struct Late {
    pub(super) device: Name,
    /// The place since which it was away.
    pub(super) since: usize,
    /// The line at which it was back.
    pub(super) back: LineNo,
}

/// The events that may still be corrected, and what was answered to them.
#[derive(Debug, Clone)]
pub(super) struct Window {
    /// The course before the first of them.
    start: Arc<Course>,
    /// The line before the first of them.
    before: Option<LineNo>,
    /// The events in the order in which they happened.
    pub(super) told: Vec<Told>,
    /// How many of them nobody may correct any more: they are kept for a device that may yet tell of them.
    closed: usize,
    /// The same with choices where they were told, where some were told late.
    heard: Option<Vec<Told>>,
    /// The same in the order of their lines, where a device told some late.
    raw: Option<Vec<Told>>,
    /// The device that was back last, until a pass ends: what comes may yet tell in which order its lines belong.
    pub(super) late: Option<Late>,
    /// Corrections that changed an event, each with the line of that event.
    replaced: BTreeMap<LineNo, LineNo>,
    /// Corrections that put an event in, each with the line it was put in after.
    inserted: BTreeMap<LineNo, LineNo>,
    /// What stands answered.
    pub(super) stands: Vec<Stands>,
    /// Ends of passes among them, and moments of a long pass.
    moments: Vec<Moment>,
}

/// Events from some moment on, taken out of the window to be judged again.
pub(super) struct Rest {
    /// How many came before them.
    pub(super) from: usize,
    /// With choices where they were told.
    pub(super) heard: Vec<Told>,
    /// In the order of their lines, where that is another.
    pub(super) raw: Option<Vec<Told>>,
}

impl Rest {
    /// In the order of their lines.
    pub(super) fn into_raw(self) -> Vec<Told> {
        self.raw.unwrap_or(self.heard)
    }
}

impl Window {
    pub(super) fn new(start: Arc<Course>) -> Self {
        Self {
            start,
            before: None,
            told: Vec::with_capacity(EVENTS),
            closed: 0,
            heard: None,
            raw: None,
            late: None,
            replaced: BTreeMap::new(),
            inserted: BTreeMap::new(),
            stands: Vec::with_capacity(ANSWERS),
            moments: Vec::new(),
        }
    }

    /// The events that come after the end of a pass, on that line.
    pub(super) fn after(start: Arc<Course>, line: LineNo) -> Self {
        Self { before: Some(line), ..Self::new(start) }
    }

    /// With nothing told yet.
    pub(super) fn anew(&self) -> Self {
        Self::new(self.start.clone())
    }

    /// The line before the first of them.
    pub(super) const fn before(&self) -> Option<LineNo> {
        self.before
    }

    /// The events with choices where they were told.
    pub(super) fn heard(&self) -> &[Told] {
        self.heard.as_ref().unwrap_or(&self.told)
    }

    /// The events in the order of their lines, inserted ones where they were put.
    pub(super) fn raw(&self) -> &[Told] {
        self.raw.as_deref().unwrap_or_else(|| self.heard())
    }

    /// The course before the first event.
    pub(super) fn start(&self) -> &Course {
        &self.start
    }

    /// An event was told and answered; `course` is what it led to, and whether a pass ended with it is told.
    pub(super) fn add(&mut self, told: Told, course: &Course, ended: bool) {
        for order in self.heard.iter_mut().chain(&mut self.raw) {
            order.push(told.clone());
        }
        self.told.push(told);
        if ended {
            self.late = None;
            self.keep(course, true);
        } else {
            self.keep_due(course);
        }
    }

    /// Keeps the moment, where the last is far back.
    fn keep_due(&mut self, course: &Course) {
        let since = self.told.len() - self.moments.last().map_or(0, |moment| moment.told);
        if since >= EVENTS {
            self.keep(course, false);
        }
    }

    /// Keeps the moment, and as few of a long pass as will do.
    fn keep(&mut self, course: &Course, is_end: bool) {
        let (told, stands) = (self.told.len(), self.stands.len());
        self.moments.push(Moment {
            course: Arc::new(course.to_go_on(course.found, Numbers::default())),
            told,
            stands,
            is_end,
            is_told: true,
        });
        let mut at = self.moments.len().saturating_sub(1);
        while at > 1 {
            at -= 1;
            let back = |moment: &Moment| told - moment.told;
            if !self.moments[at].is_end
                && back(&self.moments[at - 1]) <= FURTHER * back(&self.moments[at + 1]).max(EVENTS)
            {
                self.moments.remove(at);
            }
        }
    }

    /// What was answered to the event to come.
    pub(super) fn answered(&mut self, answers: &[Answer]) {
        self.stands.extend(answers.iter().filter_map(Stands::of));
    }

    /// Whether that pass is over.
    pub(super) fn has_ended(&self, pass: u64) -> bool {
        self.ends().any(|end| end.course.state.pass_no == pass)
    }

    fn ends(&self) -> impl DoubleEndedIterator<Item = &Moment> {
        self.moments.iter().filter(|moment| moment.is_end)
    }

    /// Closes what can no longer be corrected: what came before the last end but one, and before the last end once the
    /// next pass's first card has come. It is forgotten, but for the passes of which a device that `is_away` may yet
    /// tell.
    pub(super) fn trim(&mut self, is_dealt: bool, is_away: bool) {
        let kept = usize::from(!is_dealt);
        let ended = self.ends().rev().nth(kept).map_or(0, |end| end.told);
        if ended == 0 || (is_away && ended == self.closed) {
            return;
        }
        self.closed = ended;
        let is_long = self.told.len() > MOST_AWAY;
        let away = Some(()).filter(|()| is_away && !is_long).and_then(|()| self.told.iter().position(is_offline));
        self.forget(away.map_or(ended, |away| away.min(ended)));
    }

    /// Forgets the passes that ended before that place.
    fn forget(&mut self, before: usize) {
        let last = self.moments.iter().rposition(|moment| moment.is_end && moment.told <= before);
        let Some(Moment { course, told, stands, .. }) = last.and_then(|last| self.moments.drain(..=last).next_back())
        else {
            return;
        };
        self.start = course;
        if let Some(raw) = &mut self.raw {
            // what was told late may stand behind the end, and has happened before it
            let gone: BTreeSet<LineNo> = self.told[..told].iter().map(|told| told.line).collect();
            raw.retain(|told| !gone.contains(&told.line));
        }
        self.before = self.told.drain(..told).next_back().map(|told| told.line).or(self.before);
        self.closed -= told;
        self.late = self.late.take().filter(|late| late.since >= told);
        if let Some(late) = &mut self.late {
            late.since -= told;
        }
        if let Some(heard) = &mut self.heard {
            heard.drain(..told);
        }
        // one order is enough where they are the same
        self.raw = self.raw.take().filter(|raw| *raw != self.heard());
        self.heard = self.heard.take().filter(|heard| *heard != self.told);
        self.stands.drain(..stands);
        for moment in &mut self.moments {
            moment.told -= told;
            moment.stands -= stands;
        }
        let first = self.told.first().map_or(LineNo::MAX, |told| told.line);
        self.replaced.retain(|_, line| *line >= first);
        self.inserted.retain(|line, _| *line >= first);
    }

    /// The last moment kept before the event at that place: events and answers before it, and the course then.
    pub(super) fn moment(&self, at: usize) -> (usize, usize, &Course) {
        let is_before = |moment: &&Moment| moment.is_told && moment.told <= at;
        let moment = self.moments.iter().rev().find(is_before);
        moment.map_or((0, 0, &self.start), |moment| (moment.told, moment.stands, &moment.course))
    }

    /// Goes back to a moment: takes out what came after it.
    pub(super) fn go_back(&mut self, (told, stands): (usize, usize)) -> Rest {
        let since = self.told.split_off(told);
        self.late = self.late.take().filter(|late| late.since < told);
        self.stands.truncate(stands);
        self.moments.retain(|moment| moment.told <= told);
        let heard = match &mut self.heard {
            Some(heard) => heard.split_off(told),
            None => since,
        };
        Rest { from: told, heard, raw: self.raw.as_mut().map(|raw| raw.split_off(told)) }
    }

    /// What came after a moment was as another window tells it: a choice told late is in its place in it.
    pub(super) fn replace_since(&mut self, (told, stands): (usize, usize), since: Self, choice: &Told) {
        self.heard.get_or_insert_with(|| self.told.clone()).push(choice.clone());
        if let Some(raw) = &mut self.raw {
            raw.push(choice.clone());
        }
        self.told.truncate(told);
        self.stands.truncate(stands);
        self.moments.retain(|moment| moment.told <= told);
        self.told.extend(since.told);
        self.stands.extend(since.stands);
    }

    /// What a device told late has its place since an event, and stands in the order of lines as it was told.
    pub(super) fn put_late(&mut self, late: Late, rest: &[Told]) {
        let since = late.since;
        let from = self.told.len() - rest.len();
        let mut raw = match self.raw.take() {
            Some(raw) => raw,
            None => self.heard()[..from].to_vec(),
        };
        raw.truncate(from);
        raw.extend_from_slice(rest);
        self.raw = Some(raw);
        self.moments.retain(|moment| moment.is_end || moment.told <= since);
        for moment in self.moments.iter_mut().filter(|moment| moment.told > since) {
            moment.is_told = false;
        }
        self.late = Some(late);
    }

    /// The place of a line that may be corrected.
    pub(super) fn correctable(&self, line: LineNo) -> Option<usize> {
        let may_be = |at: &usize| {
            let told = &self.raw()[*at];
            told.event.as_deref().is_none_or(may_be_corrected) && !self.is_closed(told.line)
        };
        self.find(line).filter(may_be)
    }

    /// Nobody may correct that line any more, and none may be put in before the next one.
    pub(super) fn is_closed(&self, line: LineNo) -> bool {
        self.told[..self.closed].iter().any(|told| told.line == line)
    }

    /// The place of an event that comes after a line; `None` where that line is not among them.
    pub(super) fn place_after(&self, after: LineNo) -> Option<usize> {
        let raw = self.raw();
        let is_last = |line| self.told[..self.closed].last().is_some_and(|last| last.line == line);
        let (line, mut at) = match self.find(after) {
            Some(found) if self.is_closed(raw[found].line) && !is_last(raw[found].line) => return None,
            Some(found) => (raw[found].line, found + 1),
            None => (Some(self.before.unwrap_or(HEADER)).filter(|&before| before == after)?, 0),
        };
        let mut follows = BTreeSet::from([line]);
        while let Some(next) = raw.get(at).filter(|next| self.is_after(next.line, &follows)) {
            follows.insert(next.line);
            at += 1;
        }
        Some(at)
    }

    /// Whether an event was put in after one of these lines.
    fn is_after(&self, line: LineNo, lines: &BTreeSet<LineNo>) -> bool {
        self.inserted.get(&line).is_some_and(|after| lines.contains(after))
    }

    /// The events from a place on with a choice told late, and what else was told of that hand since, before the card
    /// they ask for, which is at another.
    pub(super) fn with_late(&self, from: usize, at: usize, choice: &Told, hand: HandId) -> Vec<Told> {
        let (mut told, since) = (self.told[from..at].to_vec(), &self.told[at..]);
        let is_late = |told: &&Told| chooses(told, hand);
        told.extend(since.iter().filter(is_late).cloned());
        told.push(choice.clone());
        told.extend(since.iter().filter(|told| !is_late(told)).cloned());
        told
    }

    /// The place of what happened on a line.
    pub(super) fn told_on(&self, line: LineNo) -> Option<usize> {
        self.told.iter().rposition(|told| told.line == line)
    }

    /// Whether cards were burned or put back after what happened on a line.
    pub(super) fn has_burned_since(&self, line: LineNo) -> bool {
        let burns =
            |told: &Told| matches!(told.event.as_deref(), Some(Event::Move { to: Place::Burn | Place::Shoe, .. }));
        self.told.iter().rev().take_while(|told| told.line != line).any(burns)
    }

    /// The line after which, in the end, an event was put in; its own where it was told.
    pub(super) fn told_at(&self, line: LineNo) -> LineNo {
        let mut line = line;
        while let Some(after) = self.inserted.get(&line) {
            line = *after;
        }
        line
    }

    /// Where a device went away that is back now, in the order in which choices were told; `None` where it was not.
    pub(super) fn away_since(&self, device: &str) -> Option<usize> {
        let is_told =
            |told: &Told, is: fn(&Event, &str) -> bool| told.event.as_deref().is_some_and(|event| is(event, device));
        let heard = self.heard();
        let back = heard.iter().rposition(|told| is_told(told, is_back)).map_or(0, |at| at + 1);
        // what was missed of a pass that is closed is over with it, but for who is still away
        let lasts = |at: usize| at >= self.closed || is_offline(&heard[at]);
        (back..heard.len()).find(|&at| is_told(&heard[at], is_away) && lasts(at))
    }

    /// A correction on line `by` changed the event of a line.
    pub(super) fn note_replaced(&mut self, by: LineNo, at: usize) {
        let line = self.raw()[at].line;
        self.replaced.insert(by, line);
    }

    /// A correction on line `by` put an event in after a line.
    pub(super) fn note_inserted(&mut self, by: LineNo, after: LineNo) {
        let line = self.find(after).map_or(after, |at| self.raw()[at].line);
        self.inserted.insert(by, line);
    }

    /// The event that a line told, by its place in the order of lines: its own, or the one that a correction on it put
    /// in.
    fn find(&self, line: LineNo) -> Option<usize> {
        let meant = self.meant(line);
        self.raw().iter().rposition(|told| told.line == meant)
    }

    /// The line that a line stands for: its own, or the one that a correction on it changed.
    pub(super) fn meant(&self, line: LineNo) -> LineNo {
        self.replaced.get(&line).copied().unwrap_or(line)
    }
}

/// Whether it is a choice for a hand.
pub(super) fn chooses(told: &Told, whose: HandId) -> bool {
    matches!(told.event.as_deref(), Some(Event::Decide { hand, .. } | Event::Ace { hand, .. }) if *hand == whose)
}

/// Whether a device is there again.
fn is_back(event: &Event, whose: &str) -> bool {
    matches!(event, Event::Device { device, status, .. } if device == whose && status == "online")
}

/// Whether a device is away from then on.
fn is_away(event: &Event, whose: &str) -> bool {
    blinds(event) == Some(whose)
}

/// Whether a device goes away of which the law knows what it sees.
fn is_offline(told: &Told) -> bool {
    let is = |event: &Event| matches!(event, Event::Device { status, .. } if status == "offline");
    told.event.as_deref().is_some_and(|event| is(event) && blinds(event).is_some())
}

/// Authority is not corrected, and neither are reports, equipment and corrections that were refused.
pub(super) const fn may_be_corrected(event: &Event) -> bool {
    use Event::{Authorize, Correct, Device, Report, Rule};
    !matches!(event, Authorize { .. } | Rule { .. } | Report { .. } | Device { .. } | Correct { .. })
}
