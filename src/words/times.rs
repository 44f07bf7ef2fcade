//! How long things took, counted by bounds, as a monitoring system takes it.

use serde::Serialize;

/// The bounds, microseconds. What took longer than the last is counted beside them.
pub const BOUNDS_US: [u64; 14] = [
    500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000,
    10_000_000,
];

/// A histogram.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Times {
    within: [u64; BOUNDS_US.len()],
    longer: u64,
    sum_us: u64,
}

impl Times {
    /// Something took so long, microseconds.
    pub fn took(&mut self, us: u64) {
        let first = BOUNDS_US.iter().position(|bound| us <= *bound);
        let count = first.and_then(|nth| self.within.get_mut(nth)).unwrap_or(&mut self.longer);
        *count += 1;
        self.sum_us = self.sum_us.saturating_add(us);
    }

    /// Both together.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.within.iter_mut().zip(other.within).for_each(|(count, more)| *count += more);
        self.longer += other.longer;
        self.sum_us = self.sum_us.saturating_add(other.sum_us);
        self
    }

    /// All of them together, microseconds.
    #[must_use]
    pub const fn sum_us(&self) -> u64 {
        self.sum_us
    }

    /// How many there were.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.within.iter().sum::<u64>() + self.longer
    }

    /// How many took at most so long, and longer than the bound before.
    pub fn within(&self) -> impl Iterator<Item = (u64, u64)> {
        BOUNDS_US.into_iter().zip(self.within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_time_is_counted_once_where_it_belongs() {
        let mut times = Times::default();
        for us in [0, 500, 501, 10_000_000, 10_000_001] {
            times.took(us);
        }
        let some: std::vec::Vec<(u64, u64)> = times.within().filter(|(_, count)| *count > 0).collect();
        assert_eq!(some, [(500, 2), (1_000, 1), (10_000_000, 1)]);
        assert_eq!((times.count(), times.sum_us()), (5, 20_001_002));
        let twice = times.and(&times);
        assert_eq!((twice.count(), twice.within().next()), (10, Some((500, 4))));
    }
}
