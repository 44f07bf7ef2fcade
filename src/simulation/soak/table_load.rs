//! What the devices see all the time: passes by the book, at a steady pace, whether or not a cable is out.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sabot_wire::message::{Observation, Role, ShoeSaw, ShufflerSaw};

use super::SoakError;
use super::record_check::RecordCheck;
use crate::table_sensors::TableSensors;
use crate::twin::{Twin, role_of};
use crate::workload::{Dealer, HOUSES, Settings};
use sabot_law::table::{Card, Header};

/// Between two observations.
const PACE: Duration = Duration::from_millis(8);
/// The shuffler jams after so many observations: it has little else to tell. (Not its door: a device that is given
/// power tells again that it stands open.)
const JAM: u64 = 25;
/// Observations that one device may hold; with more the table waits for it.
const BACKLOG: usize = 200;

/// A table that goes on and on.
#[derive(Debug)]
pub(super) struct TableLoad {
    dealer: Dealer,
    sensors: TableSensors,
    told: u64,
    /// By role: what the sensors were told to see.
    pub(super) seen: [u32; Role::ALL.len()],
}

impl TableLoad {
    pub(super) fn new(seed: u64) -> Self {
        let dealer = Dealer::new(Settings { seed, seen_by_devices: true, ..Settings::of(HOUSES[0]) });
        let sensors = TableSensors::of(dealer.max_hands());
        Self { dealer, sensors, told: 0, seen: [0; Role::ALL.len()] }
    }

    pub(super) fn header(&self) -> &Header {
        self.dealer.header()
    }

    /// What is seen of the next pass, in order.
    pub(super) fn pass(&mut self) -> Vec<Observation> {
        let (mut events, mut seen) = (Vec::new(), Vec::new());
        self.dealer.next_pass(&mut events);
        events.iter().for_each(|event| self.sensors.see(event, &mut seen));
        seen
    }

    /// The twins see passes, whole ones, until `ended`.
    pub(super) fn flow(&mut self, twins: &[Twin], check: &RecordCheck, ended: &AtomicBool) -> Result<(), SoakError> {
        while !ended.load(Ordering::Relaxed) {
            for saw in self.pass() {
                self.show(twins, check, saw)?;
                self.told += 1;
                if self.told.is_multiple_of(JAM) {
                    self.show(twins, check, Observation::Shuffler(ShufflerSaw::Jam))?;
                }
                std::thread::sleep(PACE);
            }
        }
        Ok(())
    }

    /// The right twin sees it, once it holds few enough.
    pub(super) fn show(&mut self, twins: &[Twin], check: &RecordCheck, saw: Observation) -> Result<(), SoakError> {
        let role = role_of(&saw);
        let Some(twin) = twins.iter().find(|twin| twin.role() == role) else { return Ok(()) };
        if !twin.wait_pending(BACKLOG, super::PATIENCE) {
            return Err(SoakError::Stuck(role));
        }
        if let Observation::Shoe(ShoeSaw::Drawn(card)) = saw
            && card != Card::UNREAD
        {
            check.drawn(card);
        }
        check.sees(role);
        twin.saw(saw)?;
        check.is_told(role);
        self.seen[role as usize] += 1;
        Ok(())
    }
}
