//! How good the line to a device is, judged from what its session counts: a warning before the line fails.
//!
//! Numbers and milliseconds in, a verdict out. What counts as bad stands in [`RULES`]. A rule that has complained is
//! calm again only over a longer time and at a much lower rate than the one it complained at, so that a line that is
//! just so bad does not come and go.

use std::collections::VecDeque;
use std::fmt;

use super::Counters;

/// Counts are kept by pieces of time so long, milliseconds; a verdict changes at the end of one.
const SLOT_MS: u64 = 10_000;
/// Pieces that are kept: the longest time any rule looks back.
const SLOTS: usize = 180;

const MINUTE_MS: u64 = 60_000;

/// What goes wrong on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Trouble {
    /// Frames come that are sound and not of this device and session: replayed, or put in.
    Forged,
    /// The device goes and comes back.
    Reconnects,
    /// Frames come damaged.
    Damaged,
    /// Whole frames are missing between others.
    Lost,
    /// Events come again though they were acknowledged: what is sent to the device does not arrive.
    Unheard,
}

/// When a trouble is a bad line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Which.
    pub trouble: Trouble,
    /// How far back it looks, milliseconds.
    pub over_ms: u64,
    /// It complains from so many times on …
    pub count: u64,
    /// … that are at least so much of the frames received, in parts of a thousand; 0: however many were received.
    pub per_mille: u64,
    /// How far back it looks to be calm again, milliseconds.
    pub calm_over_ms: u64,
    /// It is calm at so much of the frames received, in parts of a thousand, or less; never with a time the less, where
    /// `per_mille` is 0.
    pub calm_per_mille: u64,
    /// It is calm only when so many frames were received meanwhile: a line that is not there proves nothing.
    pub calm_frames: u64,
}

/// The rules, the most serious trouble first: the first that complains is told.
///
/// A device in session is heard at least four times a second, so that a minute holds some 240 frames.
pub const RULES: [Rule; 6] = [
    Rule { count: 3, ..Rule::any(Trouble::Forged, MINUTE_MS, 10 * MINUTE_MS) },
    Rule { count: 4, ..Rule::any(Trouble::Reconnects, 10 * MINUTE_MS, 10 * MINUTE_MS) },
    Rule { count: 6, ..Rule::share(Trouble::Damaged, MINUTE_MS, 10 * MINUTE_MS, (15, 3)) },
    Rule { count: 12, ..Rule::share(Trouble::Damaged, 10 * MINUTE_MS, 30 * MINUTE_MS, (4, 1)) },
    Rule { count: 6, ..Rule::share(Trouble::Lost, MINUTE_MS, 10 * MINUTE_MS, (15, 3)) },
    Rule { count: 6, ..Rule::share(Trouble::Unheard, MINUTE_MS, 10 * MINUTE_MS, (15, 3)) },
];

impl Rule {
    const fn any(trouble: Trouble, over_ms: u64, calm_over_ms: u64) -> Self {
        Self::share(trouble, over_ms, calm_over_ms, (0, 0))
    }

    const fn share(trouble: Trouble, over_ms: u64, calm_over_ms: u64, (per_mille, calm_per_mille): (u64, u64)) -> Self {
        Self { trouble, over_ms, count: 1, per_mille, calm_over_ms, calm_per_mille, calm_frames: 300 }
    }
}

/// What is wrong with a line, and the figures it is told by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Complaint {
    /// Which trouble.
    pub trouble: Trouble,
    /// How often.
    pub count: u64,
    /// Frames received meanwhile, sound or not.
    pub frames: u64,
    /// In the last so many milliseconds.
    pub over_ms: u64,
}

impl Complaint {
    /// How often in parts of a thousand of the frames received.
    #[must_use]
    pub fn per_mille(&self) -> u64 {
        (self.count * 1000).checked_div(self.frames).unwrap_or(0)
    }

    /// How many minutes the figures are of.
    #[must_use]
    pub const fn minutes(&self) -> u64 {
        self.over_ms / MINUTE_MS
    }
}

/// What is likely, then the figures.
impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, .. } = self;
        let (percent, tenth) = (self.per_mille() / 10, self.per_mille() % 10);
        match self.trouble {
            Trouble::Damaged => {
                write!(f, "the cable or its plug is going bad: {percent}.{tenth} % of frames damaged")?;
            }
            Trouble::Lost => {
                write!(f, "the adapter or its hub drops data: frames missing {count} times")?;
            }
            Trouble::Unheard => {
                write!(f, "the wire to the device is going bad: {count} events sent again though acknowledged")?;
            }
            Trouble::Reconnects => write!(f, "a plug is loose or the power unsteady: gone and back {count} times")?,
            Trouble::Forged => {
                write!(f, "something else speaks on the line: {count} frames that are not this device's")?;
            }
        }
        match self.minutes() {
            0 | 1 => f.write_str(" in the last minute"),
            minutes => write!(f, " in the last {minutes} minutes"),
        }
    }
}

/// The verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Quality {
    /// Nothing to complain of.
    #[default]
    Good,
    /// Something should be done before it fails.
    Poor(Complaint),
}

impl Quality {
    /// Whether there is nothing to complain of.
    #[must_use]
    pub const fn is_good(&self) -> bool {
        matches!(self, Self::Good)
    }
}

/// What came in a piece of time.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    frames: u64,
    damaged: u64,
    lost: u64,
    unheard: u64,
    forged: u64,
    reconnects: u64,
}

impl Slot {
    const fn of(&self, trouble: Trouble) -> u64 {
        match trouble {
            Trouble::Forged => self.forged,
            Trouble::Reconnects => self.reconnects,
            Trouble::Damaged => self.damaged,
            Trouble::Lost => self.lost,
            Trouble::Unheard => self.unheard,
        }
    }
}

/// The judge of one line.
#[derive(Debug)]
pub struct Judge {
    /// The newest last.
    slots: VecDeque<Slot>,
    slot: Option<u64>,
    counted: Counters,
    /// The last piece of time at whose end each rule would have complained, while it does.
    complains: [Option<u64>; RULES.len()],
    quality: Quality,
}

impl Default for Judge {
    fn default() -> Self {
        let slots = VecDeque::with_capacity(SLOTS);
        Self { slots, slot: None, counted: Counters::default(), complains: [None; RULES.len()], quality: Quality::Good }
    }
}

impl Judge {
    /// Takes what was counted so far, at a time of any clock that does not go back; milliseconds. Gives the verdict
    /// where it has turned.
    pub fn take(&mut self, now_ms: u64, counters: &Counters) -> Option<Quality> {
        let now = now_ms / SLOT_MS;
        let ended = *self.slot.get_or_insert(now);
        if self.slots.is_empty() {
            self.slots.push_back(Slot::default());
        }
        let was_good = self.quality.is_good();
        if now > ended {
            self.slot = Some(now);
            self.judge(now);
            // what was missed while nobody asked is empty, and no more than is kept
            for _ in 0..(now - ended).min(SLOTS as u64) {
                if self.slots.len() == SLOTS {
                    self.slots.pop_front();
                }
                self.slots.push_back(Slot::default());
            }
        }
        self.count(counters);
        (self.quality.is_good() != was_good).then_some(self.quality)
    }

    /// The verdict, with the newest figures.
    #[must_use]
    pub const fn quality(&self) -> Quality {
        self.quality
    }

    fn count(&mut self, now: &Counters) {
        let before = std::mem::replace(&mut self.counted, *now);
        let Some(slot) = self.slots.back_mut() else { return };
        slot.frames += now.frames.saturating_sub(before.frames);
        slot.damaged += (now.bad_frames - now.senseless).saturating_sub(before.bad_frames - before.senseless);
        slot.lost += now.lost.saturating_sub(before.lost);
        slot.unheard += now.unheard.saturating_sub(before.unheard);
        slot.forged += now.forged.saturating_sub(before.forged);
        slot.reconnects += now.reconnects.saturating_sub(before.reconnects);
    }

    fn over(&self, trouble: Trouble, over_ms: u64) -> Complaint {
        let slots = usize::try_from(over_ms / SLOT_MS).unwrap_or(SLOTS);
        let newest = self.slots.iter().rev().take(slots);
        let (count, frames) =
            newest.fold((0, 0), |(count, frames), slot| (count + slot.of(trouble), frames + slot.frames));
        Complaint { trouble, count, frames, over_ms }
    }

    fn judge(&mut self, now: u64) {
        let mut quality = Quality::Good;
        for (n, rule) in RULES.iter().enumerate() {
            let found = self.over(rule.trouble, rule.over_ms);
            let calm = self.over(rule.trouble, rule.calm_over_ms);
            let Some(complains) = self.complains.get_mut(n) else { continue };
            if found.count >= rule.count && found.count * 1000 >= found.frames * rule.per_mille {
                *complains = Some(now);
            }
            let Some(last) = *complains else { continue };
            let proven = (now - last) * SLOT_MS >= rule.calm_over_ms && calm.frames >= rule.calm_frames;
            if proven && calm.count * 1000 <= calm.frames * rule.calm_per_mille {
                *complains = None;
            } else if quality.is_good() {
                // on its way to calm it is told by what it still has to outlive
                quality = Quality::Poor(if found.count >= rule.count { found } else { calm });
            }
        }
        self.quality = quality;
    }
}

#[cfg(test)]
#[path = "quality_tests.rs"]
mod tests;
