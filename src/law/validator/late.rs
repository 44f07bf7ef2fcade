//! Where what a device told late belongs among what happened while it was away: each told its own in order, and nobody
//! saw which came first.

use alloc::vec::Vec;

use super::Validator;
use super::course::{Course, Numbers};
use super::told::Told;
use crate::procedure::blindness::tells_of;
use crate::table::{Answer, Event};

/// The most places in which late lines and others are tried: beyond that they stay as told.
const MOST: usize = 2500;

/// As many ways of coming to a place are looked at, of those that differ.
const WAYS: usize = 4;

/// Some of the late lines and some of the others, in an order in which they may have happened.
#[derive(Debug, Clone)]
struct Way {
    course: Course,
    /// Findings and breaches that this order has.
    found: usize,
    /// By event: it is a late one.
    order: Vec<bool>,
}

impl Validator {
    /// Puts what the device told since it went away in the order that accuses the least: nobody is accused for an order
    /// that nobody saw.
    pub(super) fn place_late(&self, away: Vec<Told>, device: &str) -> Vec<Told> {
        let tells = |told: &Told| told.event.as_deref().is_some_and(|event| tells_of(device, event));
        // what a person put in after a line happened when that did
        let is_late = |told: &Told| {
            let line = self.window.told_at(told.line);
            away.iter().any(|told| told.line == line && tells(told))
        };
        let (late, live): (Vec<Told>, Vec<Told>) = away.iter().cloned().partition(is_late);
        let is_tried = late.len().saturating_mul(live.len()) <= MOST;
        let Some(best) = is_tried.then(|| self.order(&live, &late)).flatten() else { return away };
        let as_told = away.iter().fold(self.way(), |way, told| self.goes_on(way, told, is_late(told)));
        if as_told.accuses() < best.accuses() {
            return away;
        }
        let (mut late, mut live) = (late.into_iter(), live.into_iter());
        best.order.iter().filter_map(|&is_late| if is_late { late.next() } else { live.next() }).collect()
    }

    /// The order of both that accuses the least.
    fn order(&self, live: &[Told], late: &[Told]) -> Option<Way> {
        let mut row: Vec<Vec<Way>> = alloc::vec![alloc::vec![self.way()]];
        for told in late {
            let ways = row.last().map(|ways| self.with(ways, told, true))?;
            row.push(ways);
        }
        for told in live {
            let mut next: Vec<Vec<Way>> = Vec::with_capacity(row.len());
            for (n, ways) in row.iter().enumerate() {
                let ends_live = self.with(ways, told, false);
                let ends_late = match n.checked_sub(1) {
                    Some(before) => self.with(next.get(before)?, late.get(before)?, true),
                    None => Vec::new(),
                };
                let is_live_last = n.checked_sub(1).is_some_and(|before| lateness(told) > lateness(&late[before]));
                // the first is kept of ways that accuse alike
                next.push(best(if is_live_last { [ends_live, ends_late] } else { [ends_late, ends_live] }.concat()));
            }
            row = next;
        }
        row.pop()?.into_iter().min_by_key(Way::accuses)
    }

    /// None of the events yet.
    fn way(&self) -> Way {
        let course = self.course.to_go_on(self.course.found, Numbers::default());
        Way { course, found: 0, order: Vec::new() }
    }

    /// Each of these, and one event more.
    fn with(&self, ways: &[Way], told: &Told, is_late: bool) -> Vec<Way> {
        ways.iter().map(|way| self.goes_on(way.clone(), told, is_late)).collect()
    }

    /// One event more.
    fn goes_on(&self, mut way: Way, told: &Told, is_late: bool) -> Way {
        let mut answers = Vec::new();
        if let Some(event) = &told.event {
            way.course.step(&self.house, told.line, event, &mut answers);
        }
        let is_bad = |answer: &&Answer| matches!(answer, Answer::Finding(_) | Answer::Breach { .. });
        way.found += answers.iter().filter(is_bad).count();
        way.order.push(is_late);
        way
    }
}

impl Way {
    /// Findings and breaches of this order, what is left open counted as a breach to come.
    fn accuses(&self) -> usize {
        self.found + self.course.duties.open()
    }
}

/// What comes later where either order accuses alike. Cards come first: a choice that no card has followed waits for
/// the next one. A shuffle comes before it is cut. The cut card comes last: bets were laid and closed before it.
fn lateness(told: &Told) -> u8 {
    match told.event.as_deref() {
        Some(Event::Draw { .. } | Event::Shuffle { .. }) => 0,
        Some(Event::CutCard {}) => 2,
        _ => 1,
    }
}

/// The ways with the fewest findings, of those that come to the same facts one.
fn best(mut ways: Vec<Way>) -> Vec<Way> {
    ways.sort_by_key(|way| way.found);
    let mut kept: Vec<Way> = Vec::with_capacity(WAYS);
    for way in ways {
        if kept.len() < WAYS && !kept.iter().any(|other| other.course.state == way.course.state) {
            kept.push(way);
        }
    }
    kept
}
