//! Cables pulled and put back: one device's cycles, and how long the station took to say so.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use sabot_wire::message::Role;

use super::SoakError;
use super::record_check::RecordCheck;
use crate::twin::Twin;

/// How long a device stays plugged in, milliseconds.
const PLUGGED_MS: std::ops::Range<u64> = 10..100;
/// How long it stays away once that is on record, milliseconds: mostly short …
const AWAY_MS: std::ops::Range<u64> = 5..120;
/// … and one time in twenty so long that the driver looks for it at its slowest pace.
const LONG_MS: std::ops::Range<u64> = 1000..2000;
const LONG: u32 = 20;
/// One time in eight its power goes too.
const POWER: u32 = 8;

/// How long the page took to show something, and the record to say it: each cycle.
#[derive(Debug, Clone, Default)]
pub struct Delays {
    /// On the page.
    pub shown: Vec<Duration>,
    /// On record, which waits for the disk.
    pub recorded: Vec<Duration>,
    /// When the longest of those on the page ended.
    pub longest_at: Option<Instant>,
}

impl Delays {
    fn add(&mut self, since: Instant, (shown, recorded): (Instant, Instant)) {
        let took = shown.saturating_duration_since(since);
        if self.shown.iter().all(|before| *before < took) {
            self.longest_at = Some(shown);
        }
        self.shown.push(took);
        self.recorded.push(recorded.saturating_duration_since(since));
    }

    /// The longest on the page, and when it ended.
    pub(super) fn longest(&self) -> Option<(Duration, Instant)> {
        Some((*self.shown.iter().max()?, self.longest_at?))
    }
}

/// From the cable pulled to the device gone, and from the cable put back to the device back.
#[derive(Debug, Clone, Default)]
pub struct CycleTimes {
    /// Gone.
    pub gone: Delays,
    /// Back.
    pub back: Delays,
}

impl CycleTimes {
    /// Adds those of another.
    pub fn add(&mut self, other: &Self) {
        for (all, more) in [(&mut self.gone, &other.gone), (&mut self.back, &other.back)] {
            all.shown.extend(&more.shown);
            all.recorded.extend(&more.recorded);
        }
    }
}

/// The cycles of one device, which go on from stage to stage.
#[derive(Debug)]
pub(super) struct CableCycles {
    pub(super) role: Role,
    pub(super) rng: ChaCha8Rng,
    pub(super) times: CycleTimes,
    /// The ring goes with the power.
    pub(super) loses_rings: bool,
}

impl CableCycles {
    /// Pulls and plugs until none of the cycles of all devices are `left`, or somebody stops it.
    pub(super) fn run(
        &mut self,
        twin: &Twin,
        check: &RecordCheck,
        left: &AtomicU64,
        stop: &AtomicBool,
    ) -> Result<(), SoakError> {
        let one_less = |left: u64| left.checked_sub(1);
        while !stop.load(Ordering::Relaxed) && left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok()
        {
            std::thread::sleep(Duration::from_millis(self.rng.random_range(PLUGGED_MS)));
            self.pull(twin, check)?;
            if self.rng.random_ratio(1, POWER) {
                self.cut_power(twin, check)?;
            }
            let away = if self.rng.random_ratio(1, LONG) { LONG_MS } else { AWAY_MS };
            std::thread::sleep(Duration::from_millis(self.rng.random_range(away)));
            self.plug(twin, check)?;
        }
        Ok(())
    }

    /// Its power goes and comes while it is unplugged.
    fn cut_power(&self, twin: &Twin, check: &RecordCheck) -> Result<(), SoakError> {
        if !self.loses_rings {
            twin.restart();
            return Ok(());
        }
        twin.restart_without_memory();
        let ring = twin.take_lost_ring(super::PATIENCE).ok_or(SoakError::Failed)?;
        check.lost(self.role, ring);
        Ok(())
    }

    /// Pulls the cable, and waits until that is on the page and on record.
    pub(super) fn pull(&mut self, twin: &Twin, check: &RecordCheck) -> Result<(), SoakError> {
        let before = check.presence(self.role);
        // a busy machine may have told it as gone just now: it is not told twice
        let is_gone = before.gone_at > before.back_at;
        let pulled = Instant::now();
        twin.unplug();
        let gone = check.wait(self.role, super::PATIENCE, |now| {
            let (there, shown) = now.shown?;
            let recorded = now.gone_at.filter(|_| now.gone > before.gone || is_gone)?;
            (!there).then_some((shown, recorded))
        });
        let gone = gone.ok_or(SoakError::NotMissed(self.role))?;
        if !is_gone {
            self.times.gone.add(pulled, gone);
        }
        Ok(())
    }

    /// Puts it back, and waits until that is on the page and on record.
    pub(super) fn plug(&mut self, twin: &Twin, check: &RecordCheck) -> Result<(), SoakError> {
        let before = check.presence(self.role).back;
        let plugged = Instant::now();
        twin.plug();
        let back = check.wait(self.role, super::PATIENCE, |now| {
            let (there, shown) = now.shown?;
            let recorded = now.back_at.filter(|_| now.back > before)?;
            there.then_some((shown, recorded))
        });
        self.times.back.add(plugged, back.ok_or(SoakError::NotResumed(self.role))?);
        Ok(())
    }
}
