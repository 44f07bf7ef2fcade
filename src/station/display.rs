//! What the pit display shows, 8 rows of 40 characters, a lamp and a buzzer:
//!
//! | rows | what |
//! |---|---|
//! | 0, 1 | what is due now and next |
//! | 2 | the newest open finding: provision, place, and how many more there are |
//! | 3 to 5 | what happened, in words |
//! | 6, 7 | what to do about it |
//!
//! Only what changed is sent; the link keeps it, and shows all of it again to a display that comes back.

use sabot_wire::message::{DISPLAY_ROWS, LINE_BYTES, LINE_CHARS, Lamp, Show};

use super::findings::Findings;
use super::view::{FindingState, FindingView};
use crate::table::answer::Lang;
use crate::table::{Felt, Severity, words};

const DUE: std::ops::Range<usize> = 0..2;
const TITLE: usize = 2;
const TEXT: std::ops::Range<usize> = 3..6;
const REMEDY: std::ops::Range<usize> = 6..8;

const SHORT_BUZZ_MS: u16 = 200;
const LONG_BUZZ_MS: u16 = 800;

const DOTS: &str = "...";

type Line = heapless::String<LINE_BYTES>;
type Rows = [Line; DISPLAY_ROWS];

/// The display as it was last sent.
#[derive(Debug)]
pub(super) struct Display {
    lang: Lang,
    rows: Rows,
    lamp: Option<Lamp>,
}

impl Display {
    pub(super) fn new(lang: Lang) -> Self {
        Self { lang, rows: Rows::default(), lamp: None }
    }

    /// Sends what changed. `news` is the gravest finding raised since the last time, `fault` what keeps the record from
    /// being written.
    pub(super) fn update(
        &mut self,
        felt: &Felt,
        findings: &Findings,
        news: Option<Severity>,
        fault: Option<&str>,
        mut show: impl FnMut(Show),
    ) {
        let lamp = lamp(felt, findings, fault.is_some());
        if self.lamp.replace(lamp) != Some(lamp) {
            show(Show::Lamp(lamp));
        }
        if let Some(severity) = news {
            show(Show::Buzz(if severity == Severity::Notice { SHORT_BUZZ_MS } else { LONG_BUZZ_MS }));
        }
        let rows = self.picture(felt, findings, fault);
        // the finding first: it is what somebody has to act on
        for row in (TITLE..DISPLAY_ROWS).chain(DUE) {
            if rows[row] != self.rows[row] {
                show(Show::Line { row: u8::try_from(row).unwrap_or(u8::MAX), text: rows[row].clone() });
            }
        }
        self.rows = rows;
    }

    fn picture(&self, felt: &Felt, findings: &Findings, fault: Option<&str>) -> Rows {
        let mut rows = Rows::default();
        for (row, due) in rows[DUE].iter_mut().zip(&felt.due) {
            fill(std::slice::from_mut(row), due.get(self.lang));
        }
        if fault.is_some() {
            let words = match self.lang {
                Lang::Es => "REGISTRO: el disco no escribe",
                Lang::En => "RECORD: the disk does not write",
            };
            fill(&mut rows[1..2], words);
        }
        let mut current = findings.current(felt.pass);
        if let Some(view) = current.next() {
            fill(&mut rows[TITLE..=TITLE], &self.title(view, current.count()));
            fill(&mut rows[TEXT], view.finding.text.get(self.lang));
            let parts = if view.state == FindingState::Breach { &view.missing } else { &view.finding.remedy };
            fill(&mut rows[REMEDY], words::remedies(parts).get(self.lang));
        }
        rows
    }

    fn title(&self, view: &FindingView, more: usize) -> String {
        let mut title = view.finding.provision.to_owned();
        if let Some(place) = view.finding.place {
            title.push(' ');
            title.push_str(&words::place(place).get(self.lang).to_uppercase());
        }
        if view.state == FindingState::Breach {
            title.push_str(match self.lang {
                Lang::Es => ": SIN CUMPLIR",
                Lang::En => ": NOT DONE",
            });
        }
        if more > 0 {
            title.push_str(&format!(" (+{more})"));
        }
        title
    }
}

fn lamp(felt: &Felt, findings: &Findings, fault: bool) -> Lamp {
    match findings.current(felt.pass).map(|view| view.finding.severity).max() {
        Some(Severity::Irregularity | Severity::Integrity) => Lamp::Red,
        Some(Severity::Notice) => Lamp::Amber,
        None if fault => Lamp::Amber,
        None => Lamp::Green,
    }
}

/// Lays a text out over rows, breaking it between words; what does not fit ends in three dots.
fn fill(rows: &mut [Line], text: &str) {
    let mut rest = text.trim();
    let count = rows.len();
    for (index, row) in rows.iter_mut().enumerate() {
        row.clear();
        let last = index + 1 == count;
        let end = fitting(rest, 0);
        let cut = if end == rest.len() {
            end
        } else if last {
            fitting(rest, DOTS.len())
        } else {
            // a word longer than a row is broken
            let room = rest.get(..=end).or(rest.get(..end)).unwrap_or(rest);
            room.rfind(' ').filter(|&space| space > 0).unwrap_or(end)
        };
        let (now, later) = rest.split_at(cut);
        let _ = row.push_str(now.trim_end());
        if last && !later.is_empty() {
            let _ = row.push_str(DOTS);
        }
        rest = later.trim_start();
    }
}

/// Bytes of the longest beginning of `text` that fits in a row with `spare` characters left.
fn fitting(text: &str, spare: usize) -> usize {
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    ends.take(LINE_CHARS - spare).take_while(|end| *end <= LINE_BYTES - spare).last().unwrap_or(0)
}

#[cfg(test)]
#[path = "display_tests.rs"]
mod tests;
