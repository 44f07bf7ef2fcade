//! Who sits, who bets, and the cards a break needs: the table before the first card.

use super::kind::At;
use super::*;

impl SimulatedDealer {
    /// People leave and sit down between passes, `least` to `most` of them.
    pub(super) fn seat_and_leave(&mut self, least: usize, most: usize) {
        while self.seated() > most || (self.seated() > least && self.chance(8)) {
            let stays = self.rota.stays.then(|| self.rota.banker.clone()).flatten();
            let Some(seat) = self.seat_where(|seat| seat.is_some() && *seat != stays) else { break };
            if let Some(player) = self.seats[seat].take() {
                self.emit(Event::Leave { seat: seat as u8 + 1, player });
            }
        }
        while self.seated() < least || (self.seated() < most && self.chance(20)) {
            let Some(seat) = self.seat_where(Option::is_none) else { break };
            let player = self.somebody();
            self.seats[seat] = Some(player.clone());
            self.emit(Event::Seat { seat: seat as u8 + 1, player });
        }
    }

    /// A person not at the table yet.
    pub(super) fn somebody(&mut self) -> Name {
        self.people = self.people % 9_999 + 1;
        smol_str::format_smolstr!("P{}", self.people)
    }

    pub(super) fn seat_where(&mut self, which: impl Fn(&Option<Name>) -> bool) -> Option<usize> {
        let boxes = usize::from(self.header.boxes);
        let from = self.rng.random_range(0..boxes);
        (0..boxes).map(|step| (from + step) % boxes).find(|&seat| which(&self.seats[seat]))
    }

    /// Somebody who sits, other than `not`.
    pub(super) fn seated_player(&mut self, not: Option<&Name>) -> Option<Name> {
        let from = self.rng.random_range(0..self.seats.len());
        let seats = self.seats.iter().cycle().skip(from).take(self.seats.len());
        seats.flatten().find(|&player| Some(player) != not).cloned()
    }

    /// A box with no bet on it, at random.
    pub(super) fn empty_box(&mut self) -> Option<u8> {
        let boxes = self.header.boxes;
        let from = self.rng.random_range(0..boxes);
        (0..boxes)
            .map(|step| (from + step) % boxes + 1)
            .find(|&box_no| !self.hands.iter().any(|hand| hand.id.box_no == box_no))
    }

    pub(super) fn request(&mut self, hand: HandId, player: Name, t: Option<u64>) {
        self.emit(Event::Request { hand, player, t });
    }

    /// A time later than every earlier one.
    pub(super) fn moment(&self) -> Option<u64> {
        Some(self.line * 700)
    }

    pub(super) fn bet_on(&mut self, box_no: u8, player: Name, own: bool) {
        let id = HandId::first(box_no);
        let named = if own && self.chance(10) { None } else { Some(player.clone()) };
        if self.chance(4) {
            let first = self.stake();
            self.put(id, BetSpot::Main, first, named.clone());
        }
        let stake = self.stake();
        self.put(id, BetSpot::Main, stake, named);
        self.hands.push(Hand::new(box_no, player, stake));
    }

    /// A stake within the limits.
    pub(super) fn stake(&mut self) -> Cents {
        let Limits { min, max } = self.header.limits;
        let unit = self.settings.house.unit;
        match self.rng.random_range(0..20) {
            0 => min,
            1 => max,
            2..6 => min + self.rng.random_range(0..=(max - min) / unit) * unit,
            _ => (min + self.rng.random_range(0..20) * unit).min(max),
        }
    }

    /// Brings the cards the break needs to where the deal will find them; whether the bank has its second card in the
    /// delivery, or after the play.
    pub(super) fn stack_shoe(&mut self, bank_in_delivery: bool) {
        if self.armed.is_none() {
            return;
        }
        let hands = self.hands.len();
        let dealt = 2 * hands + if bank_in_delivery { 2 } else { 1 };
        let ahead = |at| match at {
            At::Hand(hand, round) => round * (hands + 1) + hand,
            At::Last(round) => round * (hands + 1) + hands - 1,
            At::Bank(0) => hands,
            At::Bank(_) if bank_in_delivery => 2 * hands + 1,
            At::Bank(card) => dealt + card - 1,
            At::Next(card) => dealt + card,
        };
        let mut wishes: Vec<(usize, u8)> = self.plan.stack.iter().map(|&(at, points)| (ahead(at), points)).collect();
        wishes.sort_unstable();
        for (ahead, points) in wishes {
            self.shoe.stack(ahead, points);
        }
    }
}
