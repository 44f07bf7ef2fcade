//! What chips that come or go mean while stakes are settled.

use sabot_law::table::{BetSpot, Cents, Event, HandId};

use super::{Observer, Table, left_alone};

impl Observer {
    /// The hand whose stake lies on a spot. The equal bet of a split is laid at the first hand, and is the second's.
    pub(super) const fn staked_hand(&self, at: HandId, spot: BetSpot) -> HandId {
        if matches!(spot, BetSpot::Split) && at.hand == 0 { HandId { hand: 1, ..at } } else { at }
    }

    /// Chips taken from or laid to a stake in play; none where there was no stake, or it is a void bet's.
    pub(super) fn settlement(&self, at: HandId, spot: BetSpot, now: Cents, table: &impl Table) -> Option<Event> {
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
