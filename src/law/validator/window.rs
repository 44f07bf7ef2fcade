//! The events that may still be corrected: those since the last `end` but one, until the next pass's first card.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::course::{Course, Identity, Unasked};
use crate::procedure::blindness::blinds;
use crate::table::answer::Settle;
use crate::table::{Answer, Event, HandId, LineNo};

/// An event as it was told, or as it was corrected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Told {
    /// The line that it stands on, or that put it in.
    pub(super) line: LineNo,
    /// What happened; nothing where it was struck. Apart, as most of it is as large as the largest event could be.
    pub(super) event: Option<Box<Event>>,
    /// It tells a card that the line told before as one that could not be read.
    pub(super) tells_unread: bool,
}

/// A finding that stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// Its number.
    pub(super) n: u64,
    /// What makes it the same.
    pub(super) identity: Identity,
    /// Something had to be done about it.
    pub(super) has_remedy: bool,
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
                let identity = (finding.provision, finding.place, finding.line);
                Self::Found(Found { n: finding.n, identity, has_remedy: !finding.remedy.is_empty() })
            }
            Answer::Cleared { finding, .. } => Self::Ended { finding: *finding, is_cleared: true },
            Answer::Breach { finding, .. } => Self::Ended { finding: *finding, is_cleared: false },
            Answer::Settle(settle) => Self::Account(*settle),
            Answer::Withdrawn { .. } | Answer::Summary { .. } => return None,
        })
    }
}

impl Told {
    /// An event on its line.
    pub(super) fn new(line: LineNo, event: Event) -> Self {
        Self { line, event: Some(Box::new(event)), tells_unread: false }
    }

    /// The same line as it should have read; without an event it did not happen.
    fn correct(&mut self, event: Option<Event>) {
        let was_unread = self.tells_unread || self.event.as_deref().is_some_and(Event::draws_unread);
        let is_read = |event: &Event| matches!(event, Event::Draw { .. }) && !event.draws_unread();
        self.tells_unread = was_unread && event.as_ref().is_some_and(is_read);
        self.event = event.map(Box::new);
    }
}

/// Events of a long pass with its shuffle, and answers to it: there is room for them from the beginning, so that memory
/// does not grow by and by.
const EVENTS: usize = 256;
const ANSWERS: usize = 32;

/// A moment between two passes.
#[derive(Debug, Clone)]
struct Moment {
    course: Arc<Course>,
    /// Events told before it.
    told: usize,
    /// What stood answered before it.
    stands: usize,
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
    /// The same with choices where they were told, where some were told late.
    pub(super) heard: Option<Vec<Told>>,
    /// The same in the order of their lines, where a device told some late.
    pub(super) raw: Option<Vec<Told>>,
    /// Corrections that changed an event, each with the line of that event.
    replaced: Vec<(LineNo, LineNo)>,
    /// Corrections that put an event in, each with the line it was put in after.
    inserted: Vec<(LineNo, LineNo)>,
    /// What stands answered.
    pub(super) stands: Vec<Stands>,
    /// The ends of passes among them.
    ends: Vec<Moment>,
}

impl Window {
    pub(super) fn new(start: Arc<Course>) -> Self {
        Self {
            start,
            before: None,
            told: Vec::with_capacity(EVENTS),
            heard: None,
            raw: None,
            replaced: Vec::new(),
            inserted: Vec::new(),
            stands: Vec::with_capacity(ANSWERS),
            ends: Vec::new(),
        }
    }

    /// The events that come after the end of a pass, on that line.
    pub(super) fn after(start: Arc<Course>, line: LineNo) -> Self {
        Self { before: Some(line), ..Self::new(start) }
    }

    /// The line before the first of them.
    pub(super) const fn before(&self) -> Option<LineNo> {
        self.before
    }

    /// The same with nothing told yet.
    pub(super) fn anew(&self) -> Self {
        Self {
            before: self.before,
            replaced: self.replaced.clone(),
            inserted: self.inserted.clone(),
            ..Self::new(self.start.clone())
        }
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
            self.ends.push(Moment {
                course: Arc::new(course.clone()),
                told: self.told.len(),
                stands: self.stands.len(),
            });
        }
    }

    /// What was answered to the event to come.
    pub(super) fn answered(&mut self, answers: &[Answer]) {
        self.stands.extend(answers.iter().filter_map(Stands::of));
    }

    /// The findings that stand.
    pub(super) fn found(&self) -> impl Iterator<Item = &Found> {
        self.stands.iter().filter_map(|stands| match stands {
            Stands::Found(found) => Some(found),
            _ => None,
        })
    }

    /// Whether that pass is over.
    pub(super) fn has_ended(&self, pass: u64) -> bool {
        self.ends.iter().any(|end| end.course.state.pass_no == pass)
    }

    /// Forgets what can no longer be corrected: what came before the last end but one, and before the last end once the
    /// next pass's first card has come.
    pub(super) fn trim(&mut self, is_dealt: bool) {
        let kept = usize::from(!is_dealt);
        if self.ends.len() <= kept {
            return;
        }
        let last = self.ends.len() - kept - 1;
        let Some(Moment { course, told, stands }) = self.ends.drain(..=last).next_back() else { return };
        self.start = course;
        if let Some(raw) = &mut self.raw {
            // what was told late may stand behind the end, and has happened before it
            let gone: BTreeSet<LineNo> = self.told[..told].iter().map(|told| told.line).collect();
            raw.retain(|told| !gone.contains(&told.line));
        }
        self.before = self.told.drain(..told).next_back().map(|told| told.line).or(self.before);
        if let Some(heard) = &mut self.heard {
            heard.drain(..told);
        }
        self.stands.drain(..stands);
        for end in &mut self.ends {
            end.told -= told;
            end.stands -= stands;
        }
        let first = self.told.first().map_or(LineNo::MAX, |told| told.line);
        self.replaced.retain(|(_, line)| *line >= first);
        self.inserted.retain(|(line, _)| *line >= first);
    }

    /// The events with one that should have read otherwise, or did not happen; `None` where it may not be corrected.
    pub(super) fn replace(&self, line: LineNo, event: Option<Event>) -> Option<Vec<Told>> {
        let mut told = self.raw().to_vec();
        let at = self.find(line).filter(|&at| told[at].event.as_deref().is_none_or(may_be_corrected))?;
        told[at].correct(event);
        Some(told)
    }

    /// The events with one more after a line, told on line `by`; `None` where that line is not among them.
    pub(super) fn insert(&self, after: LineNo, event: Event, by: LineNo) -> Option<Vec<Told>> {
        let mut told = self.raw().to_vec();
        let (line, mut at) = match self.find(after) {
            Some(found) => (told[found].line, found + 1),
            None => (self.before.filter(|&before| before == after)?, 0),
        };
        let mut follows = alloc::vec![line];
        let is_after = |next: &&Told, follows: &[LineNo]| {
            self.inserted.iter().any(|(line, after)| *line == next.line && follows.contains(after))
        };
        while let Some(next) = told.get(at).filter(|next| is_after(next, &follows)) {
            follows.push(next.line);
            at += 1;
        }
        told.insert(at, Told::new(by, event));
        Some(told)
    }

    /// The events with a choice told late, and what else was told of that hand since, before the card they ask for.
    pub(super) fn with_late(&self, choice: &Told, card: Unasked) -> Vec<Told> {
        let at = self.told.iter().position(|told| told.line == card.line).unwrap_or(self.told.len());
        let (mut told, since) = (self.told[..at].to_vec(), &self.told[at..]);
        let is_late = |told: &&Told| told.event.as_deref().is_some_and(|event| chooses_for(event, card.hand));
        told.extend(since.iter().filter(is_late).cloned());
        told.push(choice.clone());
        told.extend(since.iter().filter(|told| !is_late(told)).cloned());
        told
    }

    /// The line after which, in the end, an event was put in; its own where it was told.
    pub(super) fn told_at(&self, line: LineNo) -> LineNo {
        let mut line = line;
        while let Some((_, after)) = self.inserted.iter().find(|(by, _)| *by == line) {
            line = *after;
        }
        line
    }

    /// The events without a device's absence, which came to nothing: it is back, as told there, and has told everything
    /// that it saw meanwhile. Beside them where in their order it went away; `None` where it was not away.
    pub(super) fn without_absence(&self, device: &str, back: &Told) -> Option<(Vec<Told>, usize)> {
        let mut told = self.heard().to_vec();
        let is_away = |told: &Told| told.event.as_deref().and_then(blinds) == Some(device);
        let since = told.iter().rposition(|told| told.event.as_deref().is_some_and(|event| is_back(event, device)));
        let mut gone = None;
        for (at, told) in told.iter_mut().enumerate().skip(since.map_or(0, |at| at + 1)) {
            if is_away(told) {
                told.event = None;
                gone = gone.or(Some(at));
            }
        }
        told.push(back.clone());
        Some(told).zip(gone)
    }

    /// A correction on line `by` changed the event of a line, or put one in after it.
    pub(super) fn note(&mut self, by: LineNo, line: Option<LineNo>, after: Option<LineNo>) {
        if let Some(at) = line.and_then(|line| self.find(line)) {
            self.replaced.push((by, self.raw()[at].line));
        }
        if let Some(after) = after {
            let line = self.find(after).map_or(after, |at| self.raw()[at].line);
            self.inserted.push((by, line));
        }
    }

    /// The event that a line told, by its place in the order of lines: its own, or the one that a correction on it put
    /// in.
    fn find(&self, line: LineNo) -> Option<usize> {
        let meant = self.meant(line);
        self.raw().iter().position(|told| told.line == meant)
    }

    /// The line that a line stands for: its own, or the one that a correction on it changed.
    pub(super) fn meant(&self, line: LineNo) -> LineNo {
        self.replaced.iter().find(|(by, _)| *by == line).map_or(line, |(_, line)| *line)
    }
}

/// Whether it is a choice for a hand.
fn chooses_for(event: &Event, whose: HandId) -> bool {
    matches!(event, Event::Decide { hand, .. } | Event::Ace { hand, .. } if *hand == whose)
}

/// Whether a device is there again.
fn is_back(event: &Event, whose: &str) -> bool {
    matches!(event, Event::Device { device, status, .. } if device == whose && status == "online")
}

/// Authority is not corrected, and neither are reports, equipment and corrections that were refused.
pub(super) const fn may_be_corrected(event: &Event) -> bool {
    use Event::{Authorize, Correct, Device, Report, Rule};
    !matches!(event, Authorize { .. } | Rule { .. } | Report { .. } | Device { .. } | Correct { .. })
}
