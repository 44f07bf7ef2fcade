//! What a display is to show, as its host keeps it.

use heapless::String;

use crate::REFRESH_MS;
use crate::message::{DISPLAY_ROWS, LINE_BYTES, Lamp, Show};

/// What the display is to show, and which parts of it are still to be sent.
#[derive(Debug, Default)]
pub(crate) struct DisplayState {
    lines: [Option<String<LINE_BYTES>>; DISPLAY_ROWS],
    stale: [bool; DISPLAY_ROWS],
    lamp: Option<Lamp>,
    lamp_stale: bool,
    buzz: Option<u16>,
    /// When all of it was last sent.
    sent_at: u64,
}

impl DisplayState {
    pub(crate) fn set(&mut self, show: Show) {
        match show {
            Show::Line { row, text } => {
                let row = usize::from(row);
                if let (Some(line), Some(stale)) = (self.lines.get_mut(row), self.stale.get_mut(row)) {
                    *line = Some(text);
                    *stale = true;
                }
            }
            Show::Lamp(lamp) => {
                self.lamp = Some(lamp);
                self.lamp_stale = true;
            }
            Show::Buzz(ms) => self.buzz = Some(ms),
        }
    }

    pub(crate) fn send_all(&mut self, now_ms: u64) {
        self.sent_at = now_ms;
        for (stale, line) in self.stale.iter_mut().zip(&self.lines) {
            *stale = line.is_some();
        }
        self.lamp_stale = self.lamp.is_some();
    }

    pub(crate) fn refresh_at(&self) -> Option<u64> {
        let anything = self.lamp.is_some() || self.lines.iter().any(Option::is_some);
        anything.then_some(self.sent_at + REFRESH_MS)
    }

    /// The next part to send: the lamp and the buzzer first, they call people.
    pub(crate) fn next(&mut self, now_ms: u64) -> Option<Show> {
        if self.refresh_at().is_some_and(|at| at <= now_ms) {
            self.send_all(now_ms);
        }
        if self.lamp_stale {
            self.lamp_stale = false;
            return self.lamp.map(Show::Lamp);
        }
        if let Some(ms) = self.buzz.take() {
            return Some(Show::Buzz(ms));
        }
        let row = self.stale.iter().position(|stale| *stale)?;
        *self.stale.get_mut(row)? = false;
        let text = self.lines.get(row)?.clone()?;
        Some(Show::Line { row: u8::try_from(row).ok()?, text })
    }
}
