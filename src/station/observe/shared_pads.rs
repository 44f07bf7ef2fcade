//! Pads that all hands of a box share: whose chips are those that come there, or go.
//!
//! Such an antenna tells how much lies there, and of several hands it may be any's. It is taken for that of a hand of
//! which nothing is found. Where something would be found whose ever it is, and more than one hand's it may be, the
//! antenna has not seen it: nothing that hangs on chips is judged in this pass, and nobody is accused.
//!
//! One reading may be of several hands that were settled since the last, and look like that of one. So before hands are
//! accused of not being settled, all that the pad told of the settlement counts: where what is left to pay to its hands
//! comes to what is left to collect of them, it lies there as if all of them had been settled.
//!
//! Cards of these hands lie over one antenna too. Where nobody hears who stands, a card goes to the hand that is due
//! one, and may have been the next hand's. Before anything is found after such a card, where it lies was not seen.

use sabot_drivers::saw::{Pad, Stake};
use sabot_journal::SeenAt;
use sabot_law::table::event::Kind;
use sabot_law::table::{BetSpot, Cents, Event, HandId, Place};
use sabot_wire::message as wire;

use super::stakes::left_alone;
use super::{Observer, Table, tags};

impl Observer {
    /// Its spots for chips, where bought readers see them.
    pub(crate) fn with_spots(self, spots: impl Iterator<Item = Stake>) -> Self {
        Self { spots: spots.collect(), ..self }
    }

    /// The hands whose chips may lie there, the likeliest first, where there is more than one.
    pub(super) fn sharing(&self, at: Stake, table: &impl Table) -> Option<Vec<HandId>> {
        let is_common = at.hand == 0 && at.spot != BetSpot::Main;
        let mut of_box = self.spots.iter().filter(|spot| spot.box_no == at.box_no).peekable();
        let is_shared = is_common && of_box.peek().is_some() && of_box.all(|spot| spot.hand == 0);
        is_shared.then(|| table.hands(at.box_no)).filter(|hands| hands.len() > 1)
    }

    /// Takes note of a card that may have been another hand's of its box.
    pub(super) fn note_shared_card(&mut self, event: &Event, table: &impl Table) {
        let Event::Draw { to: Some(Place::Hand(id)), .. } = event else { return };
        let pad = Stake { box_no: id.box_no, hand: 0, spot: BetSpot::Split };
        let may_be_anothers = !self.header.observes.decisions && table.may_have_stood(*id);
        if may_be_anothers && self.sharing(pad, table).is_some() {
            self.shared_cards.insert(id.box_no);
        }
    }

    /// Something is about to be told: where it would be found, it is not known whose cards those are.
    pub(super) fn miss_shared_cards(&mut self, event: &Event, table: &mut impl Table) {
        let is_judged = !matches!(event.kind(), Kind::Device | Kind::Correct);
        if is_judged && !self.shared_cards.is_empty() && table.would_find(event) {
            for box_no in std::mem::take(&mut self.shared_cards) {
                self.miss(Pad::Cards(HandId::first(box_no).into()), table);
            }
        }
    }

    /// Pads of stakes that were split off which told of the settlement of one hand, and whose other hands this would
    /// accuse of not being settled though all of them may have been.
    pub(super) fn settled_unseen(&self, event: &Event, table: &impl Table) -> Vec<Stake> {
        let pads = self.spots.iter().copied().filter(|at| at.spot == BetSpot::Split);
        let pads = pads.filter(|_| !matches!(event.kind(), Kind::Device | Kind::Correct));
        let has_told = |at: &Stake, hands: &[HandId]| {
            let is_settled = |hand: &HandId| hand.hand > 0 && self.settled.contains(&(*hand, BetSpot::Main));
            self.in_doubt.contains(at) || hands.iter().any(is_settled)
        };
        let pads = pads.filter(|at| self.sharing(*at, table).is_some_and(|hands| has_told(at, &hands)));
        pads.filter(|at| table.finds_unsettled(at.box_no, event)).collect()
    }

    /// Pads of stakes that were split off where more lies than all that was told leaves there: a double that went from
    /// its own pad was told as its hand's whole stake, and another hand's may be what lies there still.
    pub(super) fn left_over(&self, table: &impl Table) -> Vec<Stake> {
        let pads = self.lying.iter().filter(|(at, _)| at.spot == BetSpot::Split && self.sharing(**at, table).is_some());
        pads.filter(|(at, chips)| tags::worth(chips) > table.may_lie_split(at.box_no)).map(|(at, _)| *at).collect()
    }

    /// What lay there: the chips that were last read, else what all these hands have there.
    pub(super) fn lay(chips: Option<&[wire::Chip]>, at: Stake, hands: &[HandId], table: &impl Table) -> Cents {
        match chips {
            Some(chips) => tags::worth(chips),
            None => hands.iter().map(|hand| table.on_spot(*hand, at.spot)).sum(),
        }
    }

    /// What it means that so much lies there now, and so much lay there before; `is_as_before`: in the same chips, and
    /// nothing else was seen meanwhile.
    pub(super) fn of_some_hand(
        &self,
        at: Stake,
        hands: &[HandId],
        (before, now): (Cents, Cents),
        is_as_before: bool,
        since: Option<SeenAt>,
        table: &impl Table,
    ) -> Event {
        let changed = |lay: Cents| (lay + now).checked_sub(before);
        let (settling, playing): (Vec<HandId>, Vec<HandId>) =
            hands.iter().partition(|hand| table.is_settling(**hand) || table.bank_must_have_turned());
        let bet = if at.spot == BetSpot::Insurance { at.spot } else { BetSpot::Main };
        let is_settled = |hand: &HandId| self.settled.contains(&(*hand, bet));
        let first = HandId::first(at.box_no);
        // a double that was collected with its hand
        let goes_with = |hand: &HandId| is_settled(hand) && changed(table.on_spot(*hand, at.spot)).is_some();
        let goes = at.spot == BetSpot::Double && now < before && hands.iter().any(goes_with);
        let may_settle = |hand: &HandId| {
            let has_chips = match at.spot {
                BetSpot::Split => *hand != first,
                spot => table.on_spot(*hand, spot) > 0,
            };
            has_chips && !is_settled(hand)
        };
        let settling: Vec<HandId> = settling.into_iter().filter(may_settle).collect();
        // the stake of a hand that was collected by its double goes without another word
        let is_told = at.spot == BetSpot::Split && hands.iter().any(|hand| *hand != first && is_settled(hand));
        let may_lie = if is_told { table.may_lie_split(at.box_no) } else { before };
        if now < before && may_lie < before && now >= may_lie {
            return left_alone(first, at.spot, now);
        }
        let before = if now < before { before.min(may_lie) } else { before };
        let changed = |lay: Cents| (lay + now).checked_sub(before);
        if goes || (now == before && (is_as_before || settling.len() < 2)) {
            return left_alone(first, at.spot, now);
        }
        let settled = settling.iter().filter_map(|hand| {
            let (spot, lay) = match at.spot {
                BetSpot::Split => (BetSpot::Main, table.split_off(*hand).unwrap_or_default()),
                spot => (spot, table.on_spot(*hand, spot)),
            };
            Some(self.in_time(self.spot(*hand, spot, changed(lay)?, &[], table), false, since, table))
        });
        let played = playing.iter().filter_map(|hand| {
            let event = self.spot(*hand, at.spot, changed(table.on_spot(*hand, at.spot))?, &[], table);
            Some(self.in_time(event, now > before, since, table))
        });
        let mut may_be: Vec<Event> = settled.chain(played).collect();
        // of no hand's, only where they mean nothing of any
        may_be.sort_by_key(|event| matches!(event, Event::Device { .. }));
        if let Some(fits) = may_be.iter().find(|event| now != before && !table.would_find(event)) {
            return fits.clone();
        }
        let may_be_of_many = now.abs_diff(before) > table.on_spot(first, BetSpot::Main);
        match (settling.len(), playing.len()) {
            (0, 0) => left_alone(first, at.spot, now),
            (1, 0) | (0, _) if !may_be_of_many || settling.len() == 1 => {
                may_be.into_iter().next().unwrap_or_else(|| left_alone(first, at.spot, now))
            }
            _ => tags::missed(at.into()),
        }
    }
}
