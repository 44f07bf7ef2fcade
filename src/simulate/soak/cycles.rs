//! Cables pulled and put back: one device's cycles, and how long the station took to say so.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use sabot_wire::message::Role;

use super::SoakError;
use super::ledger::Ledger;
use crate::simulate::twin::Twin;

/// How long a device stays plugged in, milliseconds.
const PLUGGED_MS: std::ops::Range<u64> = 10..100;
/// How long it stays away once that is on record, milliseconds: mostly short …
const AWAY_MS: std::ops::Range<u64> = 5..120;
/// … and one time in twenty so long that the driver looks for it at its slowest pace.
const LONG_MS: std::ops::Range<u64> = 1000..2000;
const LONG: u32 = 20;
/// One time in eight its power goes too.
const POWER: u32 = 8;

/// How long the record took to say that a device is gone, and that it is back.
#[derive(Debug, Clone, Default)]
pub struct Delays {
    /// From the cable pulled to the line in the record, each cycle.
    pub gone: Vec<Duration>,
    /// From the cable put back to the line in the record, each cycle.
    pub back: Vec<Duration>,
}

impl Delays {
    /// Adds those of another.
    pub fn add(&mut self, other: &Self) {
        self.gone.extend(&other.gone);
        self.back.extend(&other.back);
    }
}

/// The cycles of one device, which go on from stage to stage.
#[derive(Debug)]
pub(super) struct Cycles {
    pub(super) role: Role,
    pub(super) rng: ChaCha8Rng,
    pub(super) delays: Delays,
}

impl Cycles {
    /// Pulls and plugs until none of the cycles of all devices are `left`, or somebody stops it.
    pub(super) fn run(
        &mut self,
        twin: &Twin,
        ledger: &Ledger,
        left: &AtomicU64,
        stop: &AtomicBool,
    ) -> Result<(), SoakError> {
        let one_less = |left: u64| left.checked_sub(1);
        while !stop.load(Ordering::Relaxed) && left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok()
        {
            std::thread::sleep(Duration::from_millis(self.rng.random_range(PLUGGED_MS)));
            self.pull(twin, ledger)?;
            if self.rng.random_ratio(1, POWER) {
                twin.restart();
            }
            let away = if self.rng.random_ratio(1, LONG) { LONG_MS } else { AWAY_MS };
            std::thread::sleep(Duration::from_millis(self.rng.random_range(away)));
            self.plug(twin, ledger)?;
        }
        Ok(())
    }

    /// Pulls the cable, and waits until that is on record.
    pub(super) fn pull(&mut self, twin: &Twin, ledger: &Ledger) -> Result<(), SoakError> {
        let before = ledger.presence(self.role).gone;
        let pulled = Instant::now();
        twin.unplug();
        let gone = ledger.wait(self.role, super::PATIENCE, |now| now.gone_at.filter(|_| now.gone > before));
        self.delays.gone.push(gone.ok_or(SoakError::NotMissed(self.role))?.saturating_duration_since(pulled));
        Ok(())
    }

    /// Puts it back, and waits until that is on record.
    pub(super) fn plug(&mut self, twin: &Twin, ledger: &Ledger) -> Result<(), SoakError> {
        let before = ledger.presence(self.role).back;
        let plugged = Instant::now();
        twin.plug();
        let back = ledger.wait(self.role, super::PATIENCE, |now| now.back_at.filter(|_| now.back > before));
        self.delays.back.push(back.ok_or(SoakError::NotResumed(self.role))?.saturating_duration_since(plugged));
        Ok(())
    }
}
