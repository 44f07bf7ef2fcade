//! What chips on a spot mean: a bet, or in settlement what was taken from it or laid to it.

use sabot_wire::message::{self as wire, Role};
use smol_str::format_smolstr;

use super::{Observer, SPOT, Table};
use crate::sourced_event::device_event;
use sabot_law::table::event::Chip;
use sabot_law::table::{BetSpot, Cents, Event, HandId};

impl Observer {
    /// What now lies on a spot: a bet, or in settlement what was taken from it or laid to it.
    pub(super) fn spot(
        &self,
        hand: HandId,
        spot: BetSpot,
        now: Cents,
        chips: &[wire::Chip],
        table: &impl Table,
    ) -> Event {
        let before = table.on_spot(hand, spot);
        // what a Black Jack is paid no bettor adds to his bet
        let pays_blackjack =
            || spot == BetSpot::Main && now > before && table.is_paid_blackjack(hand, now.saturating_sub(before));
        // a double that is taken back alone is its bettor's, who may have been offered that
        let must_settle = || matches!(spot, BetSpot::Main | BetSpot::Split) && table.bank_must_have_turned();
        if (table.is_settling(self.staked_hand(hand, spot)) || pays_blackjack() || must_settle())
            && let Some(event) = self.settlement(hand, spot, now, table)
        {
            return event;
        }
        // the field of a hand that was split off: its stake was bet beside the hand it came from
        let of_split = hand.hand > 0 && spot == BetSpot::Main && before == 0;
        if of_split || (now == 0 && before == 0) {
            return left_alone(hand, spot, now); // a bettor takes what was paid, after the end of the pass
        }
        // a badge is read before chips are laid; what is taken away was the bettor's, or is given back
        let player = if now > before { self.bettors.of(hand.box_no) } else { table.bettor(hand.box_no) };
        let chips =
            chips.iter().map(|chip| Chip { id: format_smolstr!("{:016X}", chip.uid), value: chip.value.into() });
        Event::Bet { hand, spot, amount: now, player, chips: chips.collect() }
    }

    /// The hand whose stake lies on a spot. The equal bet of a split is laid at the first hand, and is the second's.
    const fn staked_hand(&self, at: HandId, spot: BetSpot) -> HandId {
        if matches!(spot, BetSpot::Split) && at.hand == 0 { HandId { hand: 1, ..at } } else { at }
    }

    /// Chips taken from or laid to a stake in play; none where there was no stake, or it is a void bet's.
    fn settlement(&self, at: HandId, spot: BetSpot, now: Cents, table: &impl Table) -> Option<Event> {
        let hand = self.staked_hand(at, spot);
        // beside the first hand more may lie than counts as the second one's stake
        let lying = if spot == BetSpot::Split { table.on_spot(at, spot) } else { table.on_spot(hand, BetSpot::Main) };
        let main = match lying {
            0 => table.split_off(hand).unwrap_or(0),
            main => main,
        };
        let field = self.fields.get(&at).copied().filter(|_| spot == BetSpot::Main);
        let (bet, stake, before) = match spot {
            BetSpot::Insurance => {
                let lying = table.on_spot(hand, spot);
                (spot, if table.insured(hand) { lying } else { 0 }, lying)
            }
            BetSpot::Double => (BetSpot::Main, main + table.doubled(hand), table.on_spot(hand, spot)),
            BetSpot::Main | BetSpot::Split => (BetSpot::Main, main + table.doubled(hand), field.unwrap_or(main)),
        };
        if self.settled.contains(&(hand, bet)) {
            return Some(left_alone(at, spot, now));
        }
        if stake == 0 || !table.is_in_play(hand) || before == 0 {
            return None;
        }
        Some(match now {
            0 => Event::Collect { hand, amount: stake, spot: bet },
            _ if now > before => Event::Pay { hand, amount: now - before, spot: bet },
            _ if now < before => Event::Collect { hand, amount: before - now, spot: bet },
            _ => left_alone(at, spot, now),
        })
    }
}

/// Chips that were moved without meaning for the pass. Recorded all the same: a record without gaps in a device's
/// sequence numbers is one in which nothing is missing.
pub(super) fn left_alone(hand: HandId, spot: BetSpot, amount: Cents) -> Event {
    device_event(Role::Chips, SPOT, Some(format_smolstr!("{hand} {spot} {amount}")))
}

/// What such chips are worth, where they lie on the field of a hand that was split off.
pub(super) fn field(detail: &str) -> Option<(HandId, Cents)> {
    let mut words = detail.split(' ');
    let hand = words.next()?.parse().ok().filter(|hand: &HandId| hand.hand > 0)?;
    words.next().filter(|spot| *spot == BetSpot::Main.to_string())?;
    Some((hand, words.next()?.parse().ok()?))
}
