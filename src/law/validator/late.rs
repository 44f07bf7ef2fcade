//! Where what a device told late belongs among what happened while it was away: as it was told, unless that accuses
//! somebody for an order that nobody saw, at once or by what follows in its pass.

use alloc::vec::Vec;

use super::Validator;
use super::course::{Course, Identity, Numbers, whom};
use super::told::Told;
use super::window::{Late, MOST_AWAY, may_be_corrected};
use crate::procedure::blindness::tells_of;
use crate::procedure::state::State;
use crate::table::{Answer, Card, Event};

/// Of the ways to come to an event, so many go on: those that accuse the least.
const MOST: usize = 64;

/// With more places than that for late lines an order with more findings than a few is given up, and none is looked for
/// again at what comes later: a long pass of nonsense would be looked through at each of its lines.
const PLACES: usize = 2500;
const FEW: usize = 3;

/// As many ways of coming to a place are looked at, of those that differ.
const WAYS: usize = 4;

/// Some of the late lines and some of the others, in an order in which they may have happened.
#[derive(Debug, Clone)]
struct Way {
    course: Course,
    /// What this order bears, which makes each finding the same as another's.
    found: Vec<Identity>,
    /// Findings that were breached.
    breached: usize,
    /// Cuts that a shuffle undid, where the load to come would lack one, and cards turned up where none lay covered.
    undone: usize,
    /// By event: it is a late one.
    order: Vec<bool>,
}

/// Another event, and how many late ones were told before it.
struct Live<'a> {
    told: &'a Told,
    after: usize,
}

impl Validator {
    /// What was told since a device went away, in another order than `stands`, in which it is judged: where that bears
    /// a finding, and some of the device's lines put before others bear fewer, and none but those. Nobody is accused
    /// for an order that nobody saw, and nobody instead of another.
    pub(super) fn place_late(&self, away: &[Told], stands: &[Told], late: &Late) -> Option<Vec<Told>> {
        let as_told = stands.iter().fold(self.way(), |way, told| self.goes_on(way, told, false));
        if as_told.bears() == 0 {
            return None;
        }
        let tells = |told: &Told| told.event.as_deref().is_some_and(|event| tells_of(&late.device, event));
        // what a person put in after a line happened when that did
        let is_late = |told: &Told| {
            let line = self.window.told_at(told.line);
            line < late.back && away.iter().any(|told| told.line == line && tells(told))
        };
        let comes_later = away.last().is_some_and(|told| told.line > late.back);
        let (mut late, mut live): (Vec<&Told>, Vec<Live>) = (Vec::new(), Vec::new());
        for told in away {
            if is_late(told) {
                late.push(told);
            } else {
                live.push(Live { told, after: late.len() });
            }
        }
        if away.len() > MOST_AWAY || (comes_later && is_long(&live, &late)) {
            return None;
        }
        let way = self.order(&live, &late, &as_told.found).filter(|way| way.accuses() < as_told.accuses())?;
        let (mut late, mut live) = (late.into_iter(), live.into_iter());
        let next = |&is_late: &bool| if is_late { late.next() } else { live.next().map(|live| live.told) };
        Some(way.order.iter().filter_map(next).cloned().collect())
    }

    /// Whether somebody is accused at an event that comes now.
    pub(super) fn accuses(&self, told: &Told) -> bool {
        self.goes_on(self.way(), told, false).bears() > 0
    }

    /// The order of both that accuses the least, and of nothing but what was found as told. A device tells nothing
    /// before it happens: its lines may have their place before others, and not after those that followed them.
    fn order(&self, live: &[Live], late: &[&Told], found: &[Identity]) -> Option<Way> {
        let is_long = is_long(live, late);
        let is_hopeless = |way: &Way| is_long && way.bears() > FEW;
        let with = |ways: &[Way], told: &Told, is_late: bool| -> Vec<Way> {
            let ways = ways.iter().map(|way| self.goes_on(way.clone(), told, is_late));
            ways.filter(|way| !is_hopeless(way) && way.found.iter().all(|finding| found.contains(finding))).collect()
        };
        let mut row: Vec<Vec<Way>> = alloc::vec![alloc::vec![self.way()]];
        for told in late {
            let ways = row.last().map(|ways| with(ways, told, true))?;
            row.push(ways);
        }
        for Live { told, after } in live {
            let mut next: Vec<Vec<Way>> = Vec::with_capacity(row.len());
            for (n, ways) in row.iter().enumerate() {
                let ends_live = if n < *after { Vec::new() } else { with(ways, told, false) };
                let ends_late = match n.checked_sub(1) {
                    Some(before) => with(next.get(before)?, late.get(before)?, true),
                    None => Vec::new(),
                };
                let is_live_last = n.checked_sub(1).is_some_and(|before| lateness(told) > lateness(late[before]));
                // the first is kept of ways that accuse alike
                next.push(best(if is_live_last { [ends_live, ends_late] } else { [ends_late, ends_live] }.concat()));
            }
            keep_best(&mut next);
            row = next;
        }
        row.pop()?.into_iter().min_by_key(Way::accuses)
    }

    /// None of the events yet.
    fn way(&self) -> Way {
        let course = self.course.to_go_on(self.course.found, Numbers::default());
        Way { course, found: Vec::new(), breached: 0, undone: 0, order: Vec::new() }
    }

    /// One event more. What equipment and people say of themselves hangs on no order.
    fn goes_on(&self, mut way: Way, told: &Told, is_late: bool) -> Way {
        let mut answers = Vec::new();
        if let Some(event) = &told.event {
            let undoes = undoes(&way.course.state, event);
            way.undone += usize::from(undoes);
            way.course.step(&self.house, told.line, event, &mut answers);
        }
        let is_said = told.event.as_deref().is_some_and(|event| !may_be_corrected(event));
        for answer in &answers {
            match answer {
                Answer::Finding(finding) if !is_said && finding.details.device.is_none() => {
                    way.found.push((finding.line, finding.provision, finding.place, whom(&finding.details)));
                }
                Answer::Breach { .. } => way.breached += 1,
                _ => {}
            }
        }
        way.order.push(is_late);
        way
    }
}

fn is_long(live: &[Live], late: &[&Told]) -> bool {
    late.len().saturating_mul(live.len()) > PLACES
}

/// Whether an event undoes a cut, or turns up what is not there to be turned.
fn undoes(state: &State, event: &Event) -> bool {
    match event {
        Event::Shuffle { .. } => state.supply.is_cut(),
        Event::Reveal { at, .. } => !state.pass.lying_at(*at).iter().any(|held| held.down || held.card == Card::UNREAD),
        _ => false,
    }
}

impl Way {
    /// Findings and breaches of this order, and what it will bear.
    fn bears(&self) -> usize {
        self.found.len() + self.breached + self.undone
    }

    /// The same, what is left open counted as a breach to come.
    fn accuses(&self) -> usize {
        self.bears() + self.course.duties.open()
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

/// As many of the ways to all places as may go on: those with the fewest findings; of these the first to each place
/// before others, and those with the fewest late lines. What should have come before is found at once where it has not;
/// what comes too early, in an earlier pass even, is found late or never.
fn keep_best(row: &mut [Vec<Way>]) {
    let rank = |n, nth, way: &Way| (way.bears(), nth, n);
    let mut ranks = Vec::new();
    for (n, ways) in row.iter().enumerate() {
        ranks.extend(ways.iter().enumerate().map(|(nth, way)| rank(n, nth, way)));
    }
    ranks.sort_unstable();
    let Some(limit) = ranks.get(MOST) else { return };
    for (n, ways) in row.iter_mut().enumerate() {
        let kept = ways.iter().enumerate().take_while(|(nth, way)| rank(n, *nth, way) < *limit).count();
        ways.truncate(kept);
    }
}

/// The ways with the fewest findings, of those that come to the same facts one.
fn best(mut ways: Vec<Way>) -> Vec<Way> {
    ways.sort_by_key(Way::bears);
    let mut kept: Vec<Way> = Vec::with_capacity(WAYS);
    for way in ways {
        if kept.len() < WAYS && !kept.iter().any(|other| other.course.state == way.course.state) {
            kept.push(way);
        }
    }
    kept
}
