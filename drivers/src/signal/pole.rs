//! Pole displays, two rows of twenty characters, over ESC/POS or CD5220: they take bytes and answer nothing.
//!
//! That a display shows what it was sent cannot be read back. So everything is sent again every few seconds, and in
//! such a way that a display which lost bytes, or its power, shows it right afterwards.

use super::codepage::CodePage;
use super::content::SignalContent;
use super::{DeviceFault, Session, Trouble};

/// Characters of a row.
pub const COLUMNS: usize = 20;
/// Rows.
pub const ROWS: usize = 2;
/// Speed where nothing is said, bits a second.
pub const BAUD: u32 = 9600;

/// What does not fit is shown in turn, each part for so long.
const TURN_MS: u64 = 2_500;
/// Everything is sent again after so long.
const AGAIN_MS: u64 = 5_000;
/// Every so many times the display is begun anew, which darkens it for a moment: what a damaged byte has set in it that
/// nothing else undoes is undone then.
const ANEW_EVERY: u32 = 12;
/// Parts that are shown in turn at the most.
const PARTS: usize = 8;

const ESC: u8 = 0x1b;
const US: u8 = 0x1f;
const CLEAR: u8 = 0x0c;
const CANCEL: u8 = 0x18;

/// What a display speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// Epson's.
    EscPos,
    /// That of the CD5220 and its kind.
    Cd5220,
}

impl Protocol {
    /// As the configuration writes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EscPos => "escpos",
            Self::Cd5220 => "cd5220",
        }
    }

    /// The letters it has where nothing is said: a CD5220 has no command to choose them, and is delivered with PC437.
    #[must_use]
    pub const fn usual_page(self) -> CodePage {
        match self {
            Self::EscPos => CodePage::Pc850,
            Self::Cd5220 => CodePage::Pc437,
        }
    }
}

/// How a display is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// What it speaks.
    pub protocol: Protocol,
    /// Its letters. Chosen on the display where it speaks ESC/POS.
    pub page: CodePage,
    /// 1 to 4.
    pub brightness: u8,
}

impl Settings {
    /// The usual settings of a protocol.
    #[must_use]
    pub const fn usual(protocol: Protocol) -> Self {
        Self { protocol, page: protocol.usual_page(), brightness: 4 }
    }
}

type Rows = [[u8; COLUMNS]; ROWS];

/// The host's side of one display.
#[derive(Debug)]
pub struct Pole {
    settings: Settings,
    /// Never empty.
    parts: Vec<Rows>,
    part: usize,
    turn_at: u64,
    again_at: u64,
    begun: bool,
    healed: u32,
    /// The part to be sent, or sent.
    fresh: bool,
    new_picture: bool,
}

impl Pole {
    /// A display.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let parts = vec![[[b' '; COLUMNS]; ROWS]];
        Self {
            settings,
            parts,
            part: 0,
            turn_at: 0,
            again_at: 0,
            begun: false,
            healed: 0,
            fresh: false,
            new_picture: false,
        }
    }

    /// Everything a display needs after its power was away.
    fn begin(&self, out: &mut Vec<u8>) {
        out.extend([ESC, b'@']);
        self.choose(out);
        out.push(CLEAR);
    }

    /// Its letters and its brightness.
    fn choose(&self, out: &mut Vec<u8>) {
        let brightness = self.settings.brightness.clamp(1, 4);
        match self.settings.protocol {
            Protocol::EscPos => {
                if let Some(page) = page_number(self.settings.page) {
                    out.extend([ESC, b't', page]);
                }
                out.extend([US, b'X', brightness]);
            }
            Protocol::Cd5220 => out.extend([ESC, b'*', brightness]),
        }
    }

    /// Brings a display back to where it takes commands, whatever it has lost.
    fn heal(&self, out: &mut Vec<u8>) {
        match self.settings.protocol {
            // a display in the middle of a command takes these bytes, harmless ones, for the rest of it
            Protocol::EscPos => self.choose(out),
            // and one that has begun a row takes no command but this; the first may be the rest of another
            Protocol::Cd5220 => out.extend([CANCEL, CANCEL]),
        }
        self.choose(out);
    }

    fn rows(&self, out: &mut Vec<u8>) {
        let Some(rows) = self.parts.get(self.part) else { return };
        for (row, text) in (1u8..).zip(rows) {
            match self.settings.protocol {
                Protocol::EscPos => out.extend([US, b'$', 1, row]),
                Protocol::Cd5220 => out.extend([ESC, b'l', 1, row]),
            }
            out.extend(text);
        }
    }
}

impl Session for Pole {
    fn opened(&mut self, now_ms: u64) {
        (self.begun, self.fresh) = (false, true);
        (self.again_at, self.turn_at) = (now_ms, now_ms + TURN_MS);
    }

    fn show(&mut self, picture: &SignalContent) {
        let parts = parts(picture, self.settings.page);
        if parts != self.parts {
            (self.parts, self.part) = (parts, 0);
            (self.fresh, self.new_picture) = (true, true);
        }
    }

    /// A display says nothing; what a bad line makes up is passed over.
    fn receive(&mut self, _: u64, _: &[u8]) -> Result<(), Trouble> {
        Ok(())
    }

    fn transmit(&mut self, now_ms: u64, out: &mut Vec<u8>) -> Result<(), Trouble> {
        if std::mem::take(&mut self.new_picture) {
            self.turn_at = now_ms + TURN_MS;
        }
        if self.parts.len() > 1 && now_ms >= self.turn_at {
            self.part = (self.part + 1) % self.parts.len();
            self.turn_at = now_ms + TURN_MS;
            self.fresh = true;
        }
        if !std::mem::replace(&mut self.begun, true) {
            self.begin(out);
            self.fresh = true;
            self.again_at = now_ms + AGAIN_MS;
        } else if now_ms >= self.again_at {
            self.heal(out);
            self.healed = self.healed.wrapping_add(1);
            if self.healed.is_multiple_of(ANEW_EVERY) {
                self.begin(out);
            }
            self.fresh = true;
            self.again_at = now_ms + AGAIN_MS;
        }
        if std::mem::take(&mut self.fresh) {
            self.rows(out);
        }
        Ok(())
    }

    fn wake_at(&self) -> u64 {
        if self.fresh {
            0
        } else if self.parts.len() > 1 {
            self.again_at.min(self.turn_at)
        } else {
            self.again_at
        }
    }

    /// Its port is open: nothing more can be known.
    fn there(&self) -> bool {
        self.begun
    }

    fn fault(&self) -> Option<DeviceFault> {
        None
    }

    fn corrected(&self) -> u64 {
        0
    }
}

const fn page_number(page: CodePage) -> Option<u8> {
    match page {
        CodePage::Pc437 => Some(0),
        CodePage::Pc850 => Some(2),
        CodePage::Ascii => None,
    }
}

/// A picture as a display shows it, two rows after two; each paragraph begins a row.
fn parts(picture: &SignalContent, page: CodePage) -> Vec<Rows> {
    let blank = [b' '; COLUMNS];
    let rows: Vec<_> = picture.paragraphs().iter().flat_map(|text| folded(text, page)).take(PARTS * ROWS).collect();
    let parts: Vec<Rows> =
        rows.chunks(ROWS).map(|rows| std::array::from_fn(|at| rows.get(at).copied().unwrap_or(blank))).collect();
    if parts.is_empty() { vec![[blank; ROWS]] } else { parts }
}

/// A text over as many rows as it needs, broken between words; a word longer than a row is broken too.
fn folded(text: &str, page: CodePage) -> Vec<[u8; COLUMNS]> {
    let mut rows = Vec::new();
    let mut row = Vec::with_capacity(COLUMNS);
    for word in text.split_whitespace() {
        let word: Vec<u8> = word.chars().map(|c| page.byte(c)).collect();
        for piece in word.chunks(COLUMNS) {
            if !row.is_empty() && row.len() + 1 + piece.len() > COLUMNS {
                rows.push(padded(&row));
                row.clear();
            }
            if !row.is_empty() {
                row.push(b' ');
            }
            row.extend(piece);
        }
    }
    if !row.is_empty() {
        rows.push(padded(&row));
    }
    rows
}

fn padded(row: &[u8]) -> [u8; COLUMNS] {
    std::array::from_fn(|at| row.get(at).copied().unwrap_or(b' '))
}

#[cfg(test)]
#[path = "pole_tests.rs"]
mod tests;
