//! What the pit display shows, 8 rows of 40 characters, a lamp and a buzzer:
//!
//! - from the top, what is due: the next thing first, over as many rows as it needs, then what follows it;
//! - above even that, what keeps anybody from dealing on: a device is not there, the record cannot be written, the shoe
//!   is full;
//! - at the bottom, the open finding that wants attention first: provision, place and how many more there are; what
//!   was left undone; what happened, in words. What its remedy asks for is what is due, and stands at the top. Where
//!   nothing is to be told and players bank: who does.
//!
//! Only what changed is sent; the link keeps it, and shows all of it again to a display that comes back.

use sabot_wire::message::{DISPLAY_ROWS, LINE_BYTES, LINE_CHARS, Lamp, Show};

use super::findings::Findings;
use super::snapshot::{FindingState, FindingView};
use sabot_law::table::answer::Lang;
use sabot_law::table::felt::Words;
use sabot_law::table::{Felt, Severity, words};

/// Rows that what is due keeps beside a finding with many words.
const DUE_ROWS: usize = 3;

/// Things due that are shown at the most: now, and what follows.
const DUE_SHOWN: usize = 4;

const SHORT_BUZZ_MS: u16 = 200;
const LONG_BUZZ_MS: u16 = 800;

const DOTS: &str = "...";

type Line = heapless::String<LINE_BYTES>;
type Rows = [Line; DISPLAY_ROWS];

/// The display as it was last sent.
#[derive(Debug)]
pub(super) struct PitDisplay {
    lang: Lang,
    rows: Rows,
    lamp: Option<Lamp>,
}

impl PitDisplay {
    pub(super) fn new(lang: Lang) -> Self {
        Self { lang, rows: Rows::default(), lamp: None }
    }

    /// Sends what changed. `news` is the gravest finding raised since the last time, `urgent` what comes before
    /// anything else.
    pub(super) fn update(
        &mut self,
        (felt, findings, lamp): (&Felt, &Findings, Lamp),
        news: Option<Severity>,
        urgent: &[Words],
        mut show: impl FnMut(Show),
    ) {
        if self.lamp.replace(lamp) != Some(lamp) {
            show(Show::Lamp(lamp));
        }
        if let Some(severity) = news {
            show(Show::Buzz(if severity == Severity::Notice { SHORT_BUZZ_MS } else { LONG_BUZZ_MS }));
        }
        let rows = self.rows(felt, findings, urgent);
        for (row, (now, before)) in (0u8..).zip(rows.iter().zip(&self.rows)) {
            if now != before {
                show(Show::Line { row, text: now.clone() });
            }
        }
        self.rows = rows;
    }

    /// A lamp that changes every second stands for a table that is not seen or not recorded.
    pub(super) fn alternate(&mut self, show: impl FnOnce(Show)) {
        let lamp = if self.lamp == Some(Lamp::Red) { Lamp::Amber } else { Lamp::Red };
        self.lamp = Some(lamp);
        show(Show::Lamp(lamp));
    }

    fn rows(&self, felt: &Felt, findings: &Findings, urgent: &[Words]) -> Rows {
        let above: Vec<_> = self.above(felt, urgent).iter().map(|text| folded(text)).collect();
        let below: Vec<_> = self.below(felt, findings).iter().flat_map(|text| folded(text)).collect();
        let kept = above.iter().map(Vec::len).sum::<usize>().min(DUE_ROWS);
        let below = cut(below, DISPLAY_ROWS - kept);
        let mut rows = Rows::default();
        let (top, bottom) = rows.split_at_mut(DISPLAY_ROWS - below.len());
        bottom.clone_from_slice(&below);
        let mut free = top.iter_mut();
        for (index, lines) in above.into_iter().enumerate() {
            // what follows is told whole or not at all
            if index > 0 && lines.len() > free.len() {
                break;
            }
            let lines = cut(lines, free.len());
            free.by_ref().zip(lines).for_each(|(row, line)| *row = line);
        }
        rows
    }

    /// All of it as texts for signals that show little, the most important first: where a finding is to be looked at,
    /// it comes before what is due.
    pub(super) fn texts(&self, felt: &Felt, findings: &Findings, urgent: &[Words]) -> Vec<String> {
        let (mut above, mut below) = (self.above(felt, urgent), self.below(felt, findings));
        if findings.current(felt.pass).next().is_none() {
            above.append(&mut below);
            return above;
        }
        let due = above.split_off(urgent.len());
        above.append(&mut below);
        above.extend(due);
        above
    }

    /// What comes before anything else, and what is due.
    fn above(&self, felt: &Felt, urgent: &[Words]) -> Vec<String> {
        let all = urgent.iter().chain(felt.due.iter().take(DUE_SHOWN));
        all.map(|words| words.get(self.lang).to_owned()).collect()
    }

    /// The finding that comes first, where one is to be looked at; who banks, where players do and nothing is told.
    fn below(&self, felt: &Felt, findings: &Findings) -> Vec<String> {
        let mut current = findings.current(felt.pass);
        let Some(view) = current.next() else {
            let banker = felt.banker.as_ref().map(|banker| match self.lang {
                Lang::Es => format!("banca: {banker}"),
                Lang::En => format!("bank: {banker}"),
            });
            return banker.into_iter().collect();
        };
        let mut texts = vec![self.title(view, current.count())];
        if view.state == FindingState::Breach {
            texts.push(words::remedies(&view.missing).get(self.lang).to_owned());
        }
        texts.push(view.finding.text.get(self.lang).to_owned());
        texts
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

/// A text over as many rows as it needs, broken between words; a word longer than a row is broken too.
pub(super) fn folded(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = fitting(rest, 0);
        let broken = if end == rest.len() {
            end
        } else {
            let room = rest.get(..=end).or(rest.get(..end)).unwrap_or(rest);
            room.rfind(' ').filter(|&space| space > 0).unwrap_or(end)
        };
        let (now, later) = rest.split_at(broken);
        let mut line = Line::new();
        let _ = line.push_str(now.trim_end());
        lines.push(line);
        rest = later.trim_start();
    }
    lines
}

/// The first `rows` of them; where that is not all, the last one ends in three dots.
fn cut(mut lines: Vec<Line>, rows: usize) -> Vec<Line> {
    if lines.len() > rows {
        lines.truncate(rows);
        if let Some(last) = lines.last_mut() {
            let whole = last.clone();
            last.clear();
            let _ = last.push_str(whole[..fitting(&whole, DOTS.len())].trim_end());
            let _ = last.push_str(DOTS);
        }
    }
    lines
}

/// Bytes of the longest beginning of `text` that fits in a row with `spare` characters left.
fn fitting(text: &str, spare: usize) -> usize {
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    ends.take(LINE_CHARS - spare).take_while(|end| *end <= LINE_BYTES - spare).last().unwrap_or(0)
}

#[cfg(test)]
#[path = "pit_display_tests.rs"]
mod tests;
