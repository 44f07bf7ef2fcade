//! The clock that the device shows, beside the host's.

use tokio::time::Instant;

use super::super::duties::Duty;
use super::super::told::is_before;
use super::{Examiner, Stop, wrong};
use crate::transport::Connect;

impl<C: Connect> Examiner<C> {
    /// The device's clock shows this.
    pub(super) fn shows(&mut self, at: Instant, at_ms: u32) -> Result<(), Stop> {
        let [first, last] = self.clock.unwrap_or([(at_ms, at); 2]);
        if is_before(at_ms, last.0) {
            let was = last.0;
            return Err(wrong(Duty::Monotonic, format!("its clock showed {at_ms} ms after it had shown {was} ms")));
        }
        self.holds(Duty::Monotonic);
        self.clock = Some([first, (at_ms, at)]);
        Ok(())
    }

    /// How far its clock and the host's have gone since the first answer, milliseconds.
    pub(crate) fn gone_ms(&self) -> Option<(u32, u64)> {
        let [first, last] = self.clock?;
        let here = u64::try_from((last.1 - first.1).as_millis()).unwrap_or(u64::MAX);
        Some((last.0.wrapping_sub(first.0), here))
    }

    /// What its clock showed first since it was last challenged from the beginning, and when.
    pub(crate) fn first_shown(&self) -> Option<(u32, Instant)> {
        self.clock.map(|[first, _]| first)
    }

    /// What its clock showed last.
    pub(crate) fn shown_ms(&self) -> u32 {
        self.clock.map_or(0, |[_, last]| last.0)
    }
}
