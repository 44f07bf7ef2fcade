//! Who banks where the players do, and what is in a bank they own.

use crate::table::{Cents, Event, Name, event::Share};

/// Who banks, who has, and what the bank holds.
#[derive(Debug, Clone, Default)]
pub(super) struct Rota {
    /// Who banks.
    pub(super) banker: Option<Name>,
    /// Who has banked in this session.
    pub(super) banked: Vec<Name>,
    /// What each participant advances; 0 between sessions.
    pub(super) advance: Cents,
    /// What the bank holds, where the players own it.
    pub(super) funds: Option<Cents>,
    /// Who was to get the cut card when it came out last.
    pub(super) cut_card_to: Option<Name>,
    /// Findings made in all passes before this one.
    pub(super) found_before: u64,
}

impl Rota {
    /// Chips go into the bank or out of it.
    pub(super) fn keep_account(&mut self, event: &Event) {
        let Some(funds) = &mut self.funds else { return };
        match event {
            Event::Collect { amount, .. } | Event::Share { what: Share::Advance, amount, .. } => *funds += amount,
            Event::Pay { amount, .. } | Event::Share { what: Share::Dividend, amount, .. } => {
                *funds = funds.saturating_sub(*amount);
            }
            _ => {}
        }
    }
}
