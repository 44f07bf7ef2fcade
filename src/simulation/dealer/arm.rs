//! Which break is in hand, and the rows of truth it leaves.

use super::kind::{Mood, Plan, When};
use super::*;

impl SimulatedDealer {
    /// Chooses whether and how this pass is broken: the kind broken least so far among those possible now.
    pub(super) fn arm(&mut self) {
        self.owing |= match self.settings.rhythm {
            Rhythm::Chance(chance) => chance > 0.0 && self.rng.random_bool(chance.min(1.0)),
            Rhythm::Alternate => !self.pass.is_multiple_of(2),
        };
        let mut least = u64::MAX;
        let mut ties = 0;
        let mut chosen = None;
        if self.owing {
            for index in 0..self.counts.len() {
                let (kind, count) = (self.settings.kinds[index], self.counts[index]);
                if count > least || !self.is_possible(kind) {
                    continue;
                }
                if count < least {
                    (least, ties) = (count, 0);
                }
                ties += 1;
                if self.rng.random_ratio(1, ties) {
                    chosen = Some(kind);
                }
            }
        }
        self.armed = chosen;
        self.says_faces = chosen.is_some() || self.pass.is_multiple_of(2);
        self.owing = self.settings.rhythm == Rhythm::Alternate && self.owing && chosen.is_none();
        self.plan = chosen.map_or_else(|| self.mood_of_the_day(), Kind::plan);
        self.unremedied = chosen.is_some() && self.rng.random_bool(self.settings.unremedied.clamp(0.0, 1.0));
    }

    pub(super) fn mood_of_the_day(&mut self) -> Plan {
        let mood = match self.rng.random_range(0..100) {
            0..4 => Mood::StandPat,
            4..6 => Mood::Reckless,
            _ => Mood::Usual,
        };
        Plan { mood, ..Plan::default() }
    }

    pub(super) fn is_possible(&mut self, kind: Kind) -> bool {
        let plan = kind.plan();
        let boxes = usize::from(self.header.boxes);
        if plan.bets.is_some_and(|(least, _)| least > boxes) || plan.seats.is_some_and(|(least, _)| least > boxes) {
            return false;
        }
        // a pass has three bets or more
        if plan.empty_box && boxes < 4 {
            return false;
        }
        let (possible, refills): (bool, bool) = match self.settings.house.game {
            Game::Covered => (true, false),
            Game::Open(rules) => ((rules.possible)(self, kind), rules.refills),
        };
        if !possible {
            return false;
        }
        let fresh = self.shoe.is_loaded() && self.shoe.drawn() < 40;
        match plan.when {
            When::Any | When::Own | When::Later => true,
            When::NewShoe => self.needs_shoe() || fresh,
            When::MidShoe => !self.needs_shoe() && self.shoe.drawn() > 0,
            When::AfterCutCard => self.shoe.cut_card_out && self.shoe.left() >= if refills { 1 } else { 36 },
            When::CutCardNear => !self.needs_shoe() && self.shoe.before_cut_card() < 14 && self.shoe.drawn() > 0,
            When::Exhausted => !self.needs_shoe() && self.shoe.exhausted(&mut self.rng).is_some(),
        }
    }

    pub(super) fn needs_shoe(&self) -> bool {
        !self.shoe.is_loaded() || self.shoe.cut_card_out
    }

    /// Whether the break in hand is this one; then it is done, once.
    pub(super) fn takes(&mut self, kind: Kind) -> bool {
        if self.armed != Some(kind) || self.next_card_matters() {
            return false;
        }
        self.does(kind);
        true
    }

    /// The break in hand is done.
    pub(super) fn does(&mut self, kind: Kind) {
        self.armed = None;
        self.owing = false;
        if let Some(index) = self.settings.kinds.iter().position(|&one| one == kind) {
            self.counts[index] += 1;
        }
    }

    /// Where it matters for whom the cut card comes out, or that no card is left: then nothing but that happens.
    pub(super) fn next_card_matters(&self) -> bool {
        match self.settings.house.game {
            Game::Covered => false,
            Game::Open(rules) => {
                rules.refills
                    && self.shoe.is_loaded()
                    && (self.shoe.cut_card_is_next() || (self.shoe.left() == 0 && !self.hands.is_empty()))
            }
        }
    }

    /// As [`Self::takes`], for the first of several.
    pub(super) fn takes_one(&mut self, kinds: &[Kind]) -> Option<Kind> {
        let kind = self.armed.filter(|kind| kinds.contains(kind))?;
        self.takes(kind).then_some(kind)
    }

    /// The event just told must raise this finding; the row's number.
    pub(super) fn found(&mut self, kind: Kind, place: Option<Place>) -> usize {
        self.truth.push(Expected { line: self.line, kind, place, ends: Ends::Noted });
        self.truth.len() - 1
    }

    /// The event just told ends the remedy of a finding.
    pub(super) fn cleared(&mut self, row: usize) {
        self.truth[row].ends = Ends::Cleared { at: self.line };
    }

    /// The event just told goes on where it had to wait.
    pub(super) fn breached(&mut self, row: usize) {
        self.truth[row].ends = Ends::Breach { at: self.line };
    }

    /// The remedy is never carried out: the pass ends with it.
    pub(super) fn left_open(&mut self, row: usize) {
        self.truth[row].ends = Ends::Breach { at: 0 };
    }

    /// Words without chips: nothing lies there to give back when the pass ends.
    pub(super) fn nothing_to_return(&mut self, row: usize) {
        self.truth[row].ends = Ends::Cleared { at: 0 };
    }
}
