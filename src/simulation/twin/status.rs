//! What the threads of the twins tell those who wait for them.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sabot_wire::message::{DISPLAY_ROWS, Lamp, Role};

/// What a display shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Screen {
    /// Text of each row, from the top.
    pub lines: Vec<String>,
    /// The lamp.
    pub lamp: Lamp,
    /// Whether the buzzer sounds.
    pub buzzer: bool,
    /// When it last changed.
    pub changed: Instant,
}

/// A ring that has gone with the power.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RingLost {
    /// Its epoch.
    pub epoch: u32,
    /// The last event of it that the host had acknowledged; 0: none.
    pub acknowledged: u32,
    /// The last event that it was given; 0: none.
    pub last: u32,
}

#[derive(Debug)]
struct State {
    /// By role: what sensors were told to see and have not seen yet.
    queued: [usize; Role::ALL.len()],
    /// By role: events in the ring.
    held: [usize; Role::ALL.len()],
    /// Rings that went with the power.
    lost: Vec<(Role, RingLost)>,
    screen: Screen,
    /// The shoe's lamp "do not draw" is lit.
    do_not_draw: bool,
}

/// Shared by the twins of a table.
#[derive(Debug)]
pub(super) struct TwinStatus {
    state: Mutex<State>,
    changed: Condvar,
}

impl Default for TwinStatus {
    fn default() -> Self {
        let lines = vec![String::new(); DISPLAY_ROWS];
        let screen = Screen { lines, lamp: Lamp::Off, buzzer: false, changed: Instant::now() };
        let (queued, held, lost) = ([0; Role::ALL.len()], [0; Role::ALL.len()], Vec::new());
        let state = State { queued, held, lost, screen, do_not_draw: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }
}

impl TwinStatus {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn queued(&self, role: Role) {
        self.state().queued[role as usize] += 1;
    }

    /// The ring holds `held` events now, and `seen` more of what was queued have been seen.
    pub(super) fn progress(&self, role: Role, held: usize, seen: usize) {
        let mut state = self.state();
        if seen == 0 && state.held[role as usize] == held {
            return;
        }
        state.held[role as usize] = held;
        state.queued[role as usize] = state.queued[role as usize].saturating_sub(seen);
        drop(state);
        self.changed.notify_all();
    }

    /// The ring has gone with the power.
    pub(super) fn loses(&self, role: Role, ring: RingLost) {
        self.state().lost.push((role, ring));
        self.changed.notify_all();
    }

    /// Waits until a ring of that device has gone that was not taken here, at most so long.
    pub(super) fn take_lost(&self, role: Role, timeout: Duration) -> Option<RingLost> {
        let is_of = |(of, _): &(Role, RingLost)| *of == role;
        let mut state = self.wait(timeout, |state| state.lost.iter().any(is_of));
        let at = state.lost.iter().position(is_of)?;
        Some(state.lost.remove(at).1)
    }

    pub(super) fn shows(&self, lines: &[String], lamp: Lamp, buzzer: bool) {
        let mut state = self.state();
        let screen = &mut state.screen;
        if screen.lines == lines && screen.lamp == lamp && screen.buzzer == buzzer {
            return;
        }
        *screen = Screen { lines: lines.to_vec(), lamp, buzzer, changed: Instant::now() };
        drop(state);
        self.changed.notify_all();
    }

    pub(super) fn lights_do_not_draw(&self, lit: bool) {
        let mut state = self.state();
        if state.do_not_draw == lit {
            return;
        }
        state.do_not_draw = lit;
        drop(state);
        self.changed.notify_all();
    }

    pub(super) fn wait_do_not_draw(&self, timeout: Duration, lit: bool) -> bool {
        self.wait(timeout, |state| state.do_not_draw == lit).do_not_draw == lit
    }

    pub(super) fn idle(&self) -> bool {
        self.pending() == 0
    }

    pub(super) fn pending(&self) -> usize {
        pending(&self.state())
    }

    pub(super) fn screen(&self) -> Screen {
        self.state().screen.clone()
    }

    fn wait(&self, timeout: Duration, mut done: impl FnMut(&State) -> bool) -> MutexGuard<'_, State> {
        self.changed
            .wait_timeout_while(self.state(), timeout, |state| !done(state))
            .unwrap_or_else(PoisonError::into_inner)
            .0
    }

    pub(super) fn wait_pending(&self, count: usize, timeout: Duration) -> bool {
        pending(&self.wait(timeout, |state| pending(state) <= count)) <= count
    }

    pub(super) fn wait_idle(&self, timeout: Duration) -> bool {
        self.wait_pending(0, timeout)
    }

    pub(super) fn wait_screen(&self, timeout: Duration, mut wanted: impl FnMut(&Screen) -> bool) -> Option<Screen> {
        let mut found = None;
        let state = self.wait(timeout, |state| {
            let done = wanted(&state.screen);
            if done {
                found = Some(state.screen.clone());
            }
            done
        });
        drop(state);
        found
    }
}

fn pending(state: &State) -> usize {
    state.queued.iter().chain(&state.held).sum()
}
