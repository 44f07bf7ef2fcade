//! The facts of a table, part by part. What needs one part alone is asked of that part.

use serde::{Deserialize, Serialize};

use super::account::Account;
use super::bankers::Bankers;
use super::blindness::Blindness;
use super::known::Fact;
use super::pass::Pass;
use super::seating::Seating;
use super::shoe::Supply;
use crate::table::event::Permit;
use crate::table::settings::Banker;
use crate::table::{Header, Limits, Observes, Settings};

/// Authorisations given and not used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
    /// What the equipment sees now.
    pub observes: Observes,
    /// What it sees while no device is away.
    pub(super) named: Observes,
    /// Devices that have missed something.
    pub blindness: Blindness,
    /// A shoe was loaded or a bet made, or a card drawn before any of them.
    pub(super) has_begun: bool,
    /// The last pass ended with a shoe that had to be shuffled.
    pub(super) ended_over: bool,
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

/// What a table keeps from one pass to the next.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BetweenPasses {
    observes: Observes,
    blindness: Blindness,
    has_begun: bool,
    ended_over: bool,
    seating: Seating,
    permits: Permits,
    supply: Supply,
    bankers: Bankers,
    account: Account,
    pass_no: u64,
}

impl State {
    /// What has to be kept of it, the felt being clear; `None` where that is not all, or is not for everybody to read:
    /// a card that goes back to the shoe.
    #[must_use]
    pub fn kept(&self, header: &Header) -> Option<BetweenPasses> {
        let kept = BetweenPasses {
            observes: self.observes,
            blindness: self.blindness,
            has_begun: self.has_begun,
            ended_over: self.ended_over,
            seating: self.seating.clone(),
            permits: self.permits,
            supply: self.supply.clone(),
            bankers: self.bankers.clone(),
            account: self.account.clone(),
            pass_no: self.pass_no,
        };
        let is_all = Self::restored(header, self.settings.clone(), kept.clone()) == *self;
        (is_all && !self.supply.has_put_back()).then_some(kept)
    }

    /// A table as it was kept.
    #[must_use]
    pub fn restored(header: &Header, settings: Settings, kept: BetweenPasses) -> Self {
        let mut state = Self::new(header, settings);
        state.observes = kept.observes;
        state.blindness = kept.blindness;
        state.has_begun = kept.has_begun;
        state.ended_over = kept.ended_over;
        state.seating = kept.seating;
        state.permits = kept.permits;
        state.supply = kept.supply;
        state.bankers = kept.bankers;
        state.account = kept.account;
        state.pass_no = kept.pass_no;
        state
    }

    /// Whether the cards in a device are in use: a loaded shoe, or one that deals, until the next shuffle; a shuffler
    /// from the authorisation, or the first sign of a shuffle, to its end.
    #[must_use]
    pub fn is_in_use(&self, device: &str) -> bool {
        match device {
            "shoe" => self.supply.shoe_is_in_use(),
            "shuffler" => self.permits.has(Permit::Shuffle) || self.supply.is_being_shuffled(),
            _ => false,
        }
    }

    /// A table as its log begins.
    #[must_use]
    pub fn new(header: &Header, settings: Settings) -> Self {
        Self {
            limits: header.limits,
            observes: header.observes,
            named: header.observes,
            blindness: Blindness::default(),
            has_begun: false,
            ended_over: false,
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
        self.bankers.clear_pass(self.unknown().has(Fact::Hands));
        self.pass = Pass::new(*self.pass.box_numbers().end(), &self.settings);
        self.supply.end_pass();
        self.ended_over = self.supply.shoe_is_over();
        self.open_eyes();
    }
}
