//! The facts of a table, part by part. What needs one part alone is asked of that part.

use super::account::Account;
use super::bankers::Bankers;
use super::pass::Pass;
use super::seating::Seating;
use super::shoe::Supply;
use crate::table::event::Permit;
use crate::table::settings::Banker;
use crate::table::{Header, Limits, Observes, Settings};

/// Authorisations given and not used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Permits([bool; 3]);

impl Permits {
    /// Given and unused.
    #[must_use]
    pub const fn has(self, what: Permit) -> bool {
        self.0[what as usize]
    }

    /// Given or used.
    pub const fn set(&mut self, what: Permit, given: bool) {
        self.0[what as usize] = given;
    }
}

/// Everything known of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    pub(super) settings: Settings,
    /// Stakes.
    pub limits: Limits,
    /// What the equipment sees.
    pub observes: Observes,
    /// Who sits where.
    pub seating: Seating,
    /// Unused authorisations.
    pub permits: Permits,
    /// The cards outside the felt.
    pub supply: Supply,
    /// Who banks, where players do.
    pub bankers: Bankers,
    /// What a bank owned in common holds.
    pub account: Account,
    /// Number of the pass begun last.
    pub pass_no: u64,
    /// The pass on the felt.
    pub pass: Pass,
}

impl State {
    /// A table as its log begins.
    #[must_use]
    pub fn new(header: &Header, settings: Settings) -> Self {
        Self {
            limits: header.limits,
            observes: header.observes,
            seating: Seating::default(),
            permits: Permits::default(),
            supply: Supply::default(),
            bankers: Bankers::default(),
            account: Account::default(),
            pass_no: 0,
            pass: Pass::new(header.boxes, &settings),
            settings,
        }
    }

    /// The figures in force.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Clears the felt.
    pub fn end_pass(&mut self) {
        if !self.pass.is_dealt() {
            self.seating.forget_requests();
        } else if self.settings.delivery.banker == Banker::OnBlackJack {
            self.claim_once();
        }
        self.bankers.clear_pass();
        self.pass.clear();
        self.supply.end_pass();
    }
}
