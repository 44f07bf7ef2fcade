//! Who sits where, and who asked for which box.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::table::Name;
use crate::table::settings::Side;

/// Someone asked for an empty box.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Request {
    /// Which box.
    pub box_no: u8,
    /// Who.
    pub player: Name,
    /// When, where known.
    pub t: Option<u64>,
}

/// The seats of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Seating {
    taken: Vec<(u8, Name)>,
    is_told: bool,
    requests: Vec<Request>,
}

impl Seating {
    /// A `seat` has been told: from then on whoever has no seat stands.
    #[must_use]
    pub const fn is_told(&self) -> bool {
        self.is_told
    }

    /// Seats with who sits there, in the order taken.
    #[must_use]
    pub fn taken(&self) -> &[(u8, Name)] {
        &self.taken
    }

    /// Who asked for which box, in the order asked.
    #[must_use]
    pub fn requests(&self) -> &[Request] {
        &self.requests
    }

    /// The seat a player has.
    #[must_use]
    pub fn seat_of(&self, player: &str) -> Option<u8> {
        self.taken.iter().find(|(_, name)| name == player).map(|(seat, _)| *seat)
    }

    /// The player at a seat.
    #[must_use]
    pub fn at(&self, seat: u8) -> Option<&Name> {
        self.taken.iter().find(|(taken, _)| *taken == seat).map(|(_, name)| name)
    }

    /// Everybody seated, each once, beginning on that side.
    #[must_use]
    pub fn in_order(&self, first: Side) -> Vec<Name> {
        let mut seats: Vec<&(u8, Name)> = self.taken.iter().collect();
        seats.sort_by_key(|(seat, _)| *seat);
        if first == Side::Right {
            seats.reverse();
        }
        let mut names: Vec<Name> = Vec::new();
        for (_, name) in seats {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    /// Who banks after a player, counter-clockwise: the next lower seat, or the highest after the lowest (A4).
    #[must_use]
    pub fn banks_after(&self, player: &Name) -> Option<&Name> {
        let seat = self.seat_of(player)?;
        let lower = self.taken.iter().filter(|(other, _)| *other < seat).max_by_key(|(other, _)| *other);
        lower.or_else(|| self.taken.iter().max_by_key(|(other, _)| *other)).map(|(_, name)| name)
    }

    /// Who sits at a player's left, where he banks: the lowest seat that is not his own (G17).
    #[must_use]
    pub fn at_left_of(&self, banker: &Name) -> Option<&Name> {
        let others = self.taken.iter().filter(|(_, name)| name != banker);
        others.min_by_key(|(seat, _)| *seat).map(|(_, name)| name)
    }

    pub(super) fn sit(&mut self, seat: u8, player: &Name) {
        self.taken.retain(|(taken, _)| *taken != seat);
        self.taken.push((seat, player.clone()));
        self.is_told = true;
    }

    pub(super) fn leave(&mut self, seat: u8, player: &Name) {
        // who has taken another seat before keeps that
        let has_it = self.at(seat) == Some(player);
        self.taken.retain(|(taken, name)| *taken != seat && (has_it || name != player));
        if self.seat_of(player).is_none() {
            self.requests.retain(|request| request.player != *player);
        }
    }

    pub(super) fn request(&mut self, box_no: u8, player: &Name, t: Option<u64>) {
        self.requests.push(Request { box_no, player: player.clone(), t });
    }

    pub(super) fn forget_requests(&mut self) {
        self.requests.clear();
    }
}
