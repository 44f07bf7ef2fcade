//! The health checks of a board: its watchdog may be fed once every check has passed since it was last fed.

/// What a board's main loop checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// The milliseconds go on.
    Clock,
    /// The device was polled, and returned.
    Device,
    /// What the UART was given is going out.
    Line,
    /// The stack has not reached the end of its memory.
    Stack,
}

impl Check {
    /// Every check.
    pub const ALL: [Self; 4] = [Self::Clock, Self::Device, Self::Line, Self::Stack];

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The checks that have passed.
#[derive(Debug, Default)]
pub struct Checks {
    passed: u8,
    clock_ms: u32,
}

impl Checks {
    /// None yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { passed: 0, clock_ms: 0 }
    }

    /// A check has passed.
    pub const fn pass(&mut self, check: Check) {
        self.passed |= check.bit();
    }

    /// Checks the clock: it passes when it shows another time than before.
    pub const fn clock(&mut self, now_ms: u32) {
        if self.clock_ms != now_ms {
            self.clock_ms = now_ms;
            self.pass(Check::Clock);
        }
    }

    /// Whether every check has passed and the watchdog may be fed. The checks begin anew then.
    #[must_use = "the watchdog is to be fed"]
    pub fn all_passed(&mut self) -> bool {
        let all = Check::ALL.into_iter().fold(0, |all, check| all | check.bit());
        let passed = self.passed == all;
        if passed {
            self.passed = 0;
        }
        passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_check_that_has_not_passed_keeps_the_watchdog_hungry() {
        for missing in Check::ALL {
            let mut checks = Checks::new();
            Check::ALL.into_iter().filter(|check| *check != missing).for_each(|check| checks.pass(check));
            assert!(!checks.all_passed() && !checks.all_passed(), "{missing:?}");
            checks.pass(missing);
            assert!(checks.all_passed());
            assert!(!checks.all_passed(), "each check anew");
        }
    }

    #[test]
    fn a_clock_that_stands_still_is_no_clock() {
        let mut checks = Checks::new();
        [Check::Device, Check::Line, Check::Stack].into_iter().for_each(|check| checks.pass(check));
        checks.clock(0);
        assert!(!checks.all_passed());
        checks.clock(1);
        assert!(checks.all_passed());
        checks.clock(1);
        [Check::Device, Check::Line, Check::Stack].into_iter().for_each(|check| checks.pass(check));
        assert!(!checks.all_passed());
    }
}
