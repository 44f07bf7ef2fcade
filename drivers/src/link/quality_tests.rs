use super::*;

/// Frames a second of a device with nothing to tell.
const IDLE: u64 = 4;
const HOUR_S: u64 = 3600;

/// A line on which each frame is damaged with some chance, from a seed.
struct Line {
    /// Xorshift.
    random: u64,
    counters: Counters,
    now_ms: u64,
    judge: Judge,
    turns: Vec<(u64, Quality)>,
}

impl Line {
    fn new(seed: u64) -> Self {
        eprintln!("a line with damaged frames, seed {seed}");
        let random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Self { random, counters: Counters::default(), now_ms: 0, judge: Judge::default(), turns: Vec::new() }
    }

    /// So many seconds pass, with so many frames in each, damaged so often in a million.
    fn pass(&mut self, seconds: u64, frames: u64, damaged_ppm: u64) -> &mut Self {
        for _ in 0..seconds {
            self.now_ms += 1000;
            for _ in 0..frames {
                self.counters.frames += 1;
                self.counters.bad_frames += u64::from(self.chance() < damaged_ppm);
            }
            self.look();
        }
        self
    }

    fn chance(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 20) % 1_000_000
    }

    fn look(&mut self) {
        if let Some(quality) = self.judge.take(self.now_ms, &self.counters) {
            self.turns.push((self.now_ms / 1000, quality));
        }
    }

    fn said(&self) -> String {
        match self.judge.quality() {
            Quality::Good => "good".to_owned(),
            Quality::Poor(why) => why.to_string(),
        }
    }
}

#[test]
fn a_line_without_damage_or_nearly_so_is_never_complained_of() {
    for seed in 1..=3 {
        for ppm in [0, 10, 100, 300] {
            let mut line = Line::new(seed);
            line.pass(24 * HOUR_S, IDLE, ppm);
            assert_eq!(line.turns, [], "{ppm} of a million damaged, seed {seed}");
        }
    }
}

#[test]
fn a_line_going_bad_is_told_within_a_minute_in_words_and_stays_told_while_it_is_bad() {
    for seed in 1..=5 {
        for (ppm, within_s) in [(40_000, 90), (100_000, 40), (300_000, 20)] {
            let mut line = Line::new(seed);
            line.pass(HOUR_S, IDLE, 0).pass(8 * HOUR_S, IDLE, ppm);
            let [(at, Quality::Poor(why))] = line.turns[..] else { panic!("seed {seed}, {ppm}: {:?}", line.turns) };
            assert!(at - HOUR_S <= within_s, "told after {} s, seed {seed}, {ppm}", at - HOUR_S);
            assert_eq!(why.trouble, Trouble::Damaged);
            let words = why.to_string();
            assert!(words.starts_with("the cable or its plug is going bad: ") && words.ends_with("minute"), "{words}");
        }
    }
}

#[test]
fn a_line_that_is_just_so_bad_does_not_come_and_go() {
    let mut most = 0;
    for seed in 1..=5 {
        for ppm in [1_000, 2_000, 3_000, 5_000, 8_000, 12_000, 15_000, 20_000, 30_000] {
            for (frames, hours) in [(IDLE, 24), (20, 6)] {
                let mut line = Line::new(seed);
                line.pass(hours * HOUR_S, frames, ppm);
                most = most.max(line.turns.len());
                assert!(line.turns.len() <= 6, "seed {seed}, {ppm} of a million, {frames} a second: {:?}", line.turns);
            }
        }
    }
    eprintln!("turned {most} times in a day at the most");
}

#[test]
fn a_mended_line_is_good_again_after_minutes_of_proof_and_not_by_silence() {
    for seed in 1..=5 {
        let mut line = Line::new(seed);
        line.pass(600, IDLE, 50_000);
        assert!(!line.judge.quality().is_good());
        line.turns.clear();
        // the device is away: nothing came, so nothing is known
        line.pass(HOUR_S, 0, 0);
        assert_eq!(line.turns, [], "seed {seed}");
        line.pass(HOUR_S, IDLE, 0);
        let [(_, Quality::Good)] = line.turns[..] else { panic!("seed {seed}: {:?}", line.turns) };
        line.pass(24 * HOUR_S, IDLE, 0);
        assert_eq!(line.turns.len(), 1, "seed {seed}");
    }
}

#[test]
fn other_troubles_are_told_by_what_is_likely_and_a_slow_table_is_none() {
    type Happens = fn(&mut Counters);
    let cases: [(Happens, &str); 4] = [
        (|counters| counters.lost += 1, "the adapter or its hub drops data: frames missing 6 times in the last minute"),
        (
            |counters| counters.unheard += 1,
            "the wire to the device is going bad: 6 events sent again though acknowledged in the last minute",
        ),
        (
            |counters| counters.forged += 1,
            "something else speaks on the line: 3 frames that are not this device's in the last minute",
        ),
        (
            |counters| counters.reconnects += 1,
            "a plug is loose or the power unsteady: gone and back 4 times in the last 10 minutes",
        ),
    ];
    for (happens, words) in cases {
        let mut line = Line::new(1);
        line.pass(60, IDLE, 0);
        for _ in 0..20 {
            happens(&mut line.counters);
            line.pass(10, IDLE, 0);
            if line.turns.len() == 1 {
                break;
            }
        }
        assert_eq!(line.said(), words);
    }
    let mut line = Line::new(1);
    for _ in 0..HOUR_S {
        // a disk that stands still: everything comes again, and nothing of it was acknowledged
        line.counters.repeats += 30;
        line.pass(1, 30, 0);
    }
    assert_eq!(line.said(), "good");
}

#[test]
fn what_was_long_ago_is_not_held_against_a_line_and_memory_is_bounded() {
    let mut line = Line::new(1);
    line.counters.bad_frames = 5;
    line.counters.frames = 5;
    line.look();
    line.now_ms += 7 * 24 * HOUR_S * 1000;
    line.look();
    assert!(line.turns.is_empty());
    assert_eq!(line.judge.slots.len(), SLOTS);
    assert!(RULES.iter().all(|rule| rule.over_ms.max(rule.calm_over_ms) <= SLOTS as u64 * SLOT_MS));
}
