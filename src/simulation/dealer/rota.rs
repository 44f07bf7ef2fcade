//! Who banks where the players do, and what is in a bank they own.

use sabot_law::table::{Cents, Event, Name, event::Share};

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
    pub(super) funds: Option<i64>,
    /// Who was to get the cut card when it came out last.
    pub(super) cut_card_to: Option<Name>,
    /// Who has advanced once more than the others.
    pub(super) ahead: Option<Name>,
    /// Who advances only when the bets are closed.
    pub(super) late: Vec<Name>,
    /// The bank has been passed on for the next shoe already.
    pub(super) turned: bool,
    /// Who banks does not leave.
    pub(super) stays: bool,
    /// No pass has ended since the bank was drawn for.
    pub(super) fresh: bool,
    /// In this pass the bank was drawn for as it should not be: nobody moves it at its end.
    pub(super) unclear: bool,
    /// Findings made in all passes before this one.
    pub(super) found_before: u64,
    /// Findings made up to the end of the last pass.
    pub(super) found_past: u64,
}

impl Rota {
    /// Whether that much is in the bank.
    pub(super) fn affords(&self, amount: Cents) -> bool {
        self.funds.is_none_or(|funds| i64::try_from(amount).is_ok_and(|amount| amount <= funds))
    }

    /// Chips go into the bank or out of it.
    pub(super) fn keep_account(&mut self, event: &Event) {
        let Some(funds) = &mut self.funds else { return };
        match event {
            Event::Collect { amount, .. } | Event::Share { what: Share::Advance, amount, .. } => {
                *funds = funds.saturating_add_unsigned(*amount);
            }
            Event::Pay { amount, .. } | Event::Share { what: Share::Dividend, amount, .. } => {
                *funds = funds.saturating_sub_unsigned(*amount);
            }
            _ => {}
        }
    }
}
