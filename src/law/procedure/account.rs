//! What the bank holds that the players own in common (A7).

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::table::{Cents, Name};

/// What the bank owned in common holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Account {
    advance: Option<Cents>,
    holds: i128,
    /// Chips may have gone into it or out of it unseen.
    is_unknown: bool,
    /// Who has advanced.
    advanced: Vec<Advanced>,
    /// How often each participant has to have advanced: once, and once more for every time the bank was out of funds.
    rounds: u32,
    division: Option<Division>,
}

/// What a participant has advanced.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Advanced {
    player: Name,
    /// How often; what only fills up an advance that was too small counts with it.
    times: u32,
    sum: Cents,
}

/// The bank is being divided.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Division {
    /// What it held.
    pot: Cents,
    /// The participants, the first in the order of play first.
    among: Vec<Name>,
    /// Who has had his part.
    had: Vec<Name>,
    /// Units that cannot be divided, and that nobody has had yet.
    left_over: Cents,
}

impl Division {
    /// How it is divided when nobody has had anything.
    fn of(pot: Cents, among: Vec<Name>) -> Self {
        let left_over = pot % (among.len() as Cents).max(1);
        Self { pot, among, had: Vec::new(), left_over }
    }

    /// Everybody's part, but for a unit more to some where it cannot be divided.
    #[must_use]
    pub fn part(&self) -> Cents {
        self.pot / (self.among.len() as Cents).max(1)
    }

    /// Whether a participant may be given so much: an equal part, or one unit more as long as some are left over; they
    /// have to go to those who are left.
    #[must_use]
    pub fn is_due(&self, player: &Name, amount: Cents) -> bool {
        let waits = self.among.contains(player) && !self.had.contains(player);
        let others = self.among.iter().filter(|name| *name != player && !self.had.contains(name)).count() as Cents;
        waits
            && match amount.checked_sub(self.part()) {
                Some(0) => self.left_over <= others,
                Some(1) => self.left_over > 0,
                _ => false,
            }
    }

    /// Somebody among them has not had his part.
    #[must_use]
    pub fn is_incomplete(&self) -> bool {
        self.among.iter().any(|name| !self.had.contains(name))
    }
}

impl Account {
    /// What each participant advances; `None` before the first has.
    #[must_use]
    pub const fn share(&self) -> Option<Cents> {
        self.advance
    }

    /// In the bank, in cents; below 0 where it paid what it did not have.
    #[must_use]
    pub const fn holds(&self) -> i128 {
        self.holds
    }

    /// Chips may have gone into it or out of it unseen since the session began.
    #[must_use]
    pub const fn is_unknown(&self) -> bool {
        self.is_unknown
    }

    /// What it holds is not known until another session begins.
    pub(super) const fn lose_count(&mut self) {
        self.is_unknown = true;
    }

    /// The bank is being divided, or has been.
    #[must_use]
    pub const fn is_divided(&self) -> bool {
        self.division.is_some()
    }

    /// Who has advanced, in order.
    pub fn advancers(&self) -> impl Iterator<Item = &Name> {
        self.advanced.iter().map(|advanced| &advanced.player)
    }

    /// A participant still has to advance what others have before him.
    #[must_use]
    pub fn is_behind(&self, player: &Name) -> bool {
        self.times(player) < self.rounds
    }

    /// A participant may advance without the bank being out of funds: first of all, or in a round that others began.
    #[must_use]
    pub fn is_open_to(&self, player: &Name) -> bool {
        self.rounds == 0 || self.is_divided() || self.is_behind(player)
    }

    /// How it is divided between its participants, or would be now.
    #[must_use]
    pub fn division(&self, participants: impl FnOnce() -> Vec<Name>) -> Division {
        self.division.clone().unwrap_or_else(|| Division::of(Cents::try_from(self.holds).unwrap_or(0), participants()))
    }

    /// A participant is paid his part.
    pub(super) fn divide(&mut self, division: Division, player: &Name, amount: Cents) {
        let division = self.division.get_or_insert(division);
        if amount > division.part() {
            division.left_over = division.left_over.saturating_sub(1);
        }
        division.had.push(player.clone());
        self.holds -= i128::from(amount);
    }

    /// How often a participant has advanced.
    fn times(&self, player: &Name) -> u32 {
        self.advanced.iter().find(|advanced| advanced.player == *player).map_or(0, |advanced| advanced.times)
    }

    /// Chips go into the bank or out of it.
    pub(super) fn settle(&mut self, collected: Cents, paid: Cents) {
        if self.advance.is_some() {
            self.holds += i128::from(collected) - i128::from(paid);
        }
    }

    /// An advance after the bank was divided is the first of another session; what was not divided stays in the bank,
    /// and what was paid without one is nobody's to make good.
    pub(super) fn advance(&mut self, player: &Name, amount: Cents, in_turn: bool) {
        if self.division.is_some() {
            let left = if self.is_unknown { 0 } else { self.holds.max(0) };
            *self = Self { holds: left, ..Self::default() };
        }
        // one out of turn begins no round: the others need not follow
        self.rounds += u32::from(in_turn && self.times(player) == self.rounds);
        let share = *self.advance.get_or_insert(amount);
        self.holds += i128::from(amount);
        match self.advanced.iter_mut().find(|advanced| advanced.player == *player) {
            Some(Advanced { times, sum, .. }) => {
                *sum = sum.saturating_add(amount);
                *times += u32::from(*sum > share.saturating_mul((*times).into()));
            }
            None => self.advanced.push(Advanced { player: player.clone(), times: 1, sum: amount }),
        }
    }
}
