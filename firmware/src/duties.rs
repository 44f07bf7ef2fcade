//! When a watchdog may be fed: only once every duty of a board has run since it was last fed.

/// What a board's main loop must have done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duty {
    /// The milliseconds have gone on.
    Clock,
    /// The device was polled to its end.
    Device,
    /// What the UART was given is going out.
    Line,
    /// The stack has not reached the end of its memory.
    Stack,
}

impl Duty {
    /// Every duty.
    pub const ALL: [Self; 4] = [Self::Clock, Self::Device, Self::Line, Self::Stack];

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The duties that have run.
#[derive(Debug, Default)]
pub struct Duties {
    done: u8,
    clock_ms: u32,
}

impl Duties {
    /// None yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { done: 0, clock_ms: 0 }
    }

    /// A duty has run.
    pub const fn done(&mut self, duty: Duty) {
        self.done |= duty.bit();
    }

    /// The clock as it is now: its duty has run once it differs from what it was.
    pub const fn clock(&mut self, now_ms: u32) {
        if self.clock_ms != now_ms {
            self.clock_ms = now_ms;
            self.done(Duty::Clock);
        }
    }

    /// Whether the watchdog may be fed: true once every duty has run, and then they begin anew.
    #[must_use = "the watchdog is to be fed"]
    pub fn all_done(&mut self) -> bool {
        let all = Duty::ALL.into_iter().fold(0, |all, duty| all | duty.bit());
        let fed = self.done == all;
        if fed {
            self.done = 0;
        }
        fed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_duty_that_has_not_run_keeps_the_watchdog_hungry() {
        for missing in Duty::ALL {
            let mut duties = Duties::new();
            Duty::ALL.into_iter().filter(|duty| *duty != missing).for_each(|duty| duties.done(duty));
            assert!(!duties.all_done() && !duties.all_done(), "{missing:?}");
            duties.done(missing);
            assert!(duties.all_done());
            assert!(!duties.all_done(), "each duty anew");
        }
    }

    #[test]
    fn a_clock_that_stands_still_is_no_clock() {
        let mut duties = Duties::new();
        [Duty::Device, Duty::Line, Duty::Stack].into_iter().for_each(|duty| duties.done(duty));
        duties.clock(0);
        assert!(!duties.all_done());
        duties.clock(1);
        assert!(duties.all_done());
        duties.clock(1);
        [Duty::Device, Duty::Line, Duty::Stack].into_iter().for_each(|duty| duties.done(duty));
        assert!(!duties.all_done());
    }
}
