//! Logs dealt for the comparison: a few passes of the workload, by the book or with deviations. The seed is all of it.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use sabot_law::table::header::FirstLine;

use crate::deviations::{Deviation, Done, Scene, apply};
use crate::workload::{Dealer, House, Settings};

/// What is dealt.
#[derive(Debug, Clone)]
pub struct Deal {
    /// Under whose regulation.
    pub house: &'static House,
    /// Passes in a log.
    pub passes: u64,
    /// At most so many deviations in a log, at least one where there may be any.
    pub most: usize,
    /// Which.
    pub ways: Vec<Deviation>,
}

impl Deal {
    /// One pass by the book.
    #[must_use]
    pub const fn of(house: &'static House) -> Self {
        Self { house, passes: 1, most: 0, ways: Vec::new() }
    }

    /// The log of a seed, and how it deviates; three to seven boxes.
    ///
    /// # Errors
    /// When an event cannot be written, which no event of a dealer is.
    pub fn log(&self, seed: u64) -> Result<(String, Vec<Done>), serde_json::Error> {
        let boxes = 3 + u8::try_from(seed % 5).unwrap_or_default();
        let mut dealer = Dealer::new(Settings { seed, boxes, ..Settings::of(self.house) });
        let (mut events, mut pass) = (Vec::new(), Vec::new());
        for _ in 0..self.passes {
            dealer.next_pass(&mut pass);
            events.append(&mut pass);
        }
        let (header, mut done) = (dealer.header(), Vec::new());
        if self.most > 0 && !self.ways.is_empty() {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let many = rng.random_range(1..=self.most);
            let ways: Vec<Deviation> = (0..many).map(|_| self.ways[rng.random_range(0..self.ways.len())]).collect();
            done = apply(&mut rng, &ways, Scene { header, first: 2, findings: 0 }, &mut events);
        }
        let mut log = serde_json::to_string(&FirstLine::of(header))? + "\n";
        for event in &events {
            log += &serde_json::to_string(event)?;
            log.push('\n');
        }
        Ok((log, done))
    }
}
