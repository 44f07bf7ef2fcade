//! Percentiles of what was measured, and how they are told.

use std::time::Duration;

/// How long trips took.
#[derive(Default)]
pub(crate) struct Trips(Vec<Duration>);

impl Trips {
    pub(crate) fn push(&mut self, trip: Duration) {
        self.0.push(trip);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The trip than which so many of a hundred are no longer (nearest rank); zero where there are none.
    pub(crate) fn percentile(&mut self, percent: usize) -> Duration {
        self.0.sort_unstable();
        let rank = (self.0.len() * percent).div_ceil(100).max(1);
        self.0.get(rank - 1).copied().unwrap_or_default()
    }
}

/// Prints both paths and what the station adds.
pub(crate) fn report(station: &mut Trips, bare: &mut Trips) {
    let us = |trip: Duration| trip.as_secs_f64() * 1e6;
    println!("{:32} {:>10} {:>10} {:>10}", "", "p50", "p99", "longest");
    for (name, trips) in [("through the station", &mut *station), ("through two bare terminals", &mut *bare)] {
        let [p50, p99, longest] = [50, 99, 100].map(|percent| us(trips.percentile(percent)));
        println!("{name:32} {p50:7.0} us {p99:7.0} us {longest:7.0} us");
    }
    let of = |trips: &mut Trips| [50, 99].map(|percent| us(trips.percentile(percent)));
    let ([station_p50, station_p99], [bare_p50, bare_p99]) = (of(station), of(bare));
    let (p50, p99) = (station_p50 - bare_p50, station_p99 - bare_p99);
    println!("{:32} {p50:7.0} us {p99:7.0} us", "the station adds");
    println!("{:32} {:9.1}x {:9.1}x", "ratio", station_p50 / bare_p50, station_p99 / bare_p99);
    let verdict = if p99 < 1000.0 { "reached" } else { "missed" };
    println!("aim, less than 1000 us added at p99: {verdict}");
}
