//! PATLITE LR6-USB: reports of eight bytes on an interrupt endpoint. The tower answers nothing; that USB has delivered
//! a report, and that the tower is enumerated, is all that can be known of it.

use super::content::{Light, Look, SignalContent};
use super::{DeviceFault, Session, Trouble};

/// Bytes of a report.
pub const REPORT: usize = 8;

/// The tower keeps what it does.
const KEEP: u8 = 0xf;
/// The note of the buzzer, of thirteen from 1760 to 3520 Hz.
const NOTE: u8 = 6;
/// What is not changed is looked at after so long; nothing is sent then.
const IDLE_MS: u64 = 60_000;

/// What a report asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Report {
    /// Red, yellow, green, blue, white: 0 off, 1 on, 2 to 5 patterns, 15 as before.
    pub lamps: [u8; 5],
    /// 0 off, 1 on, 2 to 5 patterns, 15 as before.
    pub buzzer: u8,
    /// How often the pattern sounds; 0 for ever.
    pub count: u8,
    /// Its two notes, 0 for none.
    pub notes: [u8; 2],
}

impl Report {
    /// Changes nothing.
    pub const KEEP: Self = Self { lamps: [KEEP; 5], buzzer: KEEP, count: 0, notes: [0; 2] };

    /// Its bytes. Of each number the lower half counts.
    #[must_use]
    pub const fn bytes(&self) -> [u8; REPORT] {
        const fn pair(high: u8, low: u8) -> u8 {
            high << 4 | low & 0xf
        }
        let [red, yellow, green, blue, white] = self.lamps;
        let [a, b] = self.notes;
        [0, 0, pair(self.count, self.buzzer), pair(a, b), pair(red, yellow), pair(green, blue), pair(white, 0), 0]
    }

    fn of(look: &Look, picture: &SignalContent) -> Self {
        let (lights, sounds) = look.of(picture);
        let lamps = lights.in_order().map(|light| match light {
            Light::Off => 0,
            Light::On => 1,
            Light::Blink => 2,
        });
        let (buzzer, notes) = if sounds { (1, [NOTE, 0]) } else { (0, [0; 2]) };
        Self { lamps, buzzer, count: 0, notes }
    }
}

/// The host's side of the tower.
#[derive(Debug)]
pub struct Lr6 {
    look: Look,
    wanted: Report,
    sent: Option<Report>,
    looked_at: u64,
}

impl Lr6 {
    /// A tower that shows pictures so.
    #[must_use]
    pub fn new(look: Look) -> Self {
        Self { look, wanted: Report::of(&look, &SignalContent::default()), sent: None, looked_at: 0 }
    }
}

impl Session for Lr6 {
    fn opened(&mut self, now_ms: u64) {
        self.sent = None;
        self.looked_at = now_ms;
    }

    fn show(&mut self, picture: &SignalContent) {
        self.wanted = Report::of(&self.look, picture);
    }

    fn receive(&mut self, _: u64, _: &[u8]) -> Result<(), Trouble> {
        Ok(())
    }

    fn transmit(&mut self, now_ms: u64, out: &mut Vec<u8>) -> Result<(), Trouble> {
        self.looked_at = now_ms;
        // not sent again where nothing changed: the buzzer would begin anew
        if self.sent != Some(self.wanted) {
            out.extend(self.wanted.bytes());
            self.sent = Some(self.wanted);
        }
        Ok(())
    }

    fn wake_at(&self) -> u64 {
        self.looked_at + IDLE_MS
    }

    fn there(&self) -> bool {
        self.sent.is_some()
    }

    fn fault(&self) -> Option<DeviceFault> {
        None
    }

    fn corrected(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::{Attention, Buzzer, Level};

    #[test]
    fn red_on_and_the_rest_kept_is_the_vector() {
        let report = Report { lamps: [1, KEEP, KEEP, KEEP, KEEP], ..Report::KEEP };
        assert_eq!(report.bytes(), [0x00, 0x00, 0x0F, 0x00, 0x1F, 0xFF, 0xF0, 0x00]);
    }

    #[test]
    fn a_picture_is_sent_once_and_again_to_a_tower_that_was_plugged_anew() {
        let mut tower = Lr6::new(Look { buzzer: Buzzer::UntilEntry, ..Look::default() });
        let sent = |tower: &mut Lr6, now| {
            let mut out = Vec::new();
            tower.transmit(now, &mut out).unwrap();
            out
        };
        tower.opened(0);
        assert_eq!(sent(&mut tower, 0), [0, 0, 0, 0, 0x00, 0x10, 0, 0], "green at the beginning");
        assert_eq!(sent(&mut tower, 1), []);
        let alarm = SignalContent::new(Level::Integrity, Attention::New, []);
        tower.show(&alarm);
        assert_eq!(sent(&mut tower, 2), [0, 0, 0x01, 0x60, 0x20, 0x00, 0, 0], "red blinks, the buzzer sounds");
        tower.show(&alarm);
        assert_eq!(sent(&mut tower, 3), []);
        tower.opened(4);
        assert_eq!(sent(&mut tower, 4).len(), REPORT);
    }
}
