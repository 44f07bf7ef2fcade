//! Holds a validator's answers against what the simulated dealer knows it did.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt;

use super::dealer::{Ends, Expected, HOUSES, Kind, Settled};
use sabot_law::table::answer::{Finding, Settle};
use sabot_law::table::{Answer, BetSpot, HandId, LineNo, Outcome, Place};

/// What the rows of the table are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rows {
    /// One row a provision.
    #[default]
    Articles,
    /// One row a way of breaking it.
    Clauses,
}

/// One difference between truth and answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// Line of the finding, expected or made.
    pub line: LineNo,
    /// What was broken; for a finding nobody expected, its provision.
    pub clause: &'static str,
    /// How they differ.
    pub what: Difference,
}

/// How truth and answers differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// Expected and not found.
    Missed(Option<Place>),
    /// Found and not expected.
    Unexpected(Option<Place>),
    /// Found at another place than expected.
    Elsewhere {
        /// Expected.
        expected: Option<Place>,
        /// Found.
        found: Option<Place>,
    },
    /// Found, and ended otherwise.
    Ending {
        /// Expected.
        expected: Ends,
        /// How it ended; `None`: it never did.
        found: Option<Ends>,
    },
    /// A bet was reckoned otherwise when the pass ended.
    Settlement {
        /// Which.
        hand: HandId,
        /// Main or insurance.
        spot: BetSpot,
        /// Outcome and payment the simulated dealer knows; `None`: no such bet.
        expected: Option<(Outcome, u64)>,
        /// What was answered; `None`: nothing.
        found: Option<(Outcome, u64)>,
    },
}

fn at(place: Option<Place>) -> String {
    place.map_or_else(|| "no place".into(), |place| format!("at {place}"))
}

fn ending(ends: Option<Ends>) -> String {
    match ends {
        Some(Ends::Noted) => "nothing left to do".into(),
        Some(Ends::Cleared { at }) => format!("cleared at line {at}"),
        Some(Ends::Breach { at }) => format!("breach at line {at}"),
        None => "still open".into(),
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}: ", self.line, self.clause)?;
        match &self.what {
            Difference::Missed(place) => write!(f, "not found ({})", at(*place)),
            Difference::Unexpected(place) => write!(f, "found and not expected ({})", at(*place)),
            Difference::Elsewhere { expected, found } => {
                write!(f, "found {}, expected {}", at(*found), at(*expected))
            }
            Difference::Ending { expected, found } => {
                write!(f, "ended with {}, expected {}", ending(*found), ending(Some(*expected)))
            }
            Difference::Settlement { hand, spot, expected, found } => {
                write!(f, "hand {hand} {spot:?}: reckoned {found:?}, expected {expected:?}")
            }
        }
    }
}

/// Counts of one row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// Findings that must be made.
    pub expected: u64,
    /// Findings made where they must be.
    pub found: u64,
    /// Findings not expected.
    pub unexpected: u64,
    /// Found, but at another place.
    pub elsewhere: u64,
    /// Found, but ended otherwise.
    pub ending: u64,
}

impl Count {
    fn add(&mut self, other: Self) {
        self.expected += other.expected;
        self.found += other.found;
        self.unexpected += other.unexpected;
        self.elsewhere += other.elsewhere;
        self.ending += other.ending;
    }

    /// Of the findings made, how many had to be; `None` where none was made.
    #[must_use]
    pub fn precision(self) -> Option<f64> {
        ratio(self.found, self.found + self.unexpected)
    }

    /// Of the findings that had to be made, how many were; `None` where none had to be.
    #[must_use]
    pub fn recall(self) -> Option<f64> {
        ratio(self.found, self.expected)
    }
}

#[allow(clippy::cast_precision_loss)] // counts far below 2^52
fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Adds up what agrees and what does not, as a log is read. It holds no more than the findings still open.
#[derive(Debug, Default)]
pub struct Tally {
    rows: Rows,
    keep: usize,
    counts: BTreeMap<&'static str, Count>,
    /// Expected and not found yet, by line.
    waiting: VecDeque<Expected>,
    /// Found, their end still to come, by their number.
    open: HashMap<u64, Expected>,
    mismatches: Vec<Mismatch>,
    differences: u64,
    settles: u64,
}

impl Tally {
    /// Keeps the first `keep` mismatches in words, and counts them all.
    #[must_use]
    pub fn new(rows: Rows, keep: usize) -> Self {
        Self { rows, keep, ..Self::default() }
    }

    /// A finding that must be made, told before its line is answered; lines do not decrease.
    pub fn expect(&mut self, row: Expected) {
        self.count(row.kind).expected += 1;
        self.waiting.push_back(row);
    }

    /// An answer. Nothing is done with the summary and with settlements (see [`Self::settled`]).
    pub fn answer(&mut self, answer: &Answer) {
        match answer {
            Answer::Finding(finding) => self.finding(finding),
            Answer::Cleared { finding, line, .. } => self.ended(*finding, Ends::Cleared { at: *line }),
            Answer::Breach { finding, line, .. } => self.ended(*finding, Ends::Breach { at: *line }),
            Answer::Withdrawn { .. } | Answer::Settle(_) | Answer::Summary { .. } => {}
        }
    }

    /// Everything up to and with this line has been answered: what was expected there and not found is missed.
    pub fn passed(&mut self, line: LineNo) {
        while let Some(row) = self.waiting.front().copied().filter(|row| row.line <= line) {
            self.waiting.pop_front();
            self.differ(row.line, row.kind.clause(), Difference::Missed(row.place));
        }
    }

    /// Compares what the bets of a pass were owed: each the simulated dealer knows of must be answered alike, and none
    /// that is answered may be owed anything the simulated dealer does not know of.
    pub fn settled(&mut self, expected: &[Settled], answers: &[Answer]) {
        let settles = || {
            answers.iter().filter_map(|answer| match answer {
                Answer::Settle(settle) => Some(settle),
                _ => None,
            })
        };
        let line = settles().next().map_or(0, |settle| settle.line);
        for one in expected {
            let same = |settle: &&Settle| settle.hand == one.hand && settle.spot == one.spot;
            let found = settles().find(same);
            let agree = found.is_some_and(|found| {
                let owed = one.owed;
                // a void bet may have been taken back already
                let stake = owed.outcome == Outcome::Void || found.stake == Some(owed.stake);
                stake && (found.outcome, found.pay, found.lost) == (owed.outcome, Some(owed.pay), Some(owed.lost))
            });
            self.settles += 1;
            if !agree {
                let (expected, found) = (
                    Some((one.owed.outcome, one.owed.pay)),
                    found.map(|found| (found.outcome, found.pay.unwrap_or(0))),
                );
                self.differ(line, "settle", Difference::Settlement { hand: one.hand, spot: one.spot, expected, found });
            }
        }
        for found in settles().filter(|settle| settle.outcome != Outcome::Void) {
            if !expected.iter().any(|one| (one.hand, one.spot) == (found.hand, found.spot)) {
                let (hand, spot) = (found.hand, found.spot);
                let found = Some((found.outcome, found.pay.unwrap_or(0)));
                self.differ(line, "settle", Difference::Settlement { hand, spot, expected: None, found });
            }
        }
    }

    /// The log has ended.
    pub fn finish(&mut self) {
        self.passed(LineNo::MAX);
        let mut open: Vec<Expected> = std::mem::take(&mut self.open).into_values().collect();
        open.sort_by_key(|row| row.line);
        for row in open {
            self.ends_otherwise(row, None);
        }
    }

    /// The counts, in the order of the provisions.
    #[must_use]
    pub fn counts(&self) -> Vec<(&'static str, Count)> {
        let all = || HOUSES.iter().flat_map(|house| house.kinds);
        let order =
            |name: &str| all().position(|kind| kind.clause() == name || kind.provision() == name).unwrap_or(usize::MAX);
        let mut counts: Vec<_> = self.counts.iter().map(|(&name, &count)| (name, count)).collect();
        counts.sort_by_key(|&(name, _)| (order(name), name));
        counts
    }

    /// The first mismatches.
    #[must_use]
    pub fn mismatches(&self) -> &[Mismatch] {
        &self.mismatches
    }

    /// How many mismatches there were.
    #[must_use]
    pub const fn differences(&self) -> u64 {
        self.differences
    }

    /// How many bets were compared at the end of their pass.
    #[must_use]
    pub const fn settles(&self) -> u64 {
        self.settles
    }

    fn name(&self, kind: Kind) -> &'static str {
        match self.rows {
            Rows::Articles => kind.provision(),
            Rows::Clauses => kind.clause(),
        }
    }

    fn count(&mut self, kind: Kind) -> &mut Count {
        let name = self.name(kind);
        self.counts.entry(name).or_default()
    }

    fn differ(&mut self, line: LineNo, clause: &'static str, what: Difference) {
        self.differences += 1;
        if self.mismatches.len() < self.keep {
            self.mismatches.push(Mismatch { line, clause, what });
        }
    }

    fn finding(&mut self, finding: &Finding) {
        self.passed(finding.line.saturating_sub(1));
        let of = |row: &Expected| row.line == finding.line && row.kind.provision() == finding.provision;
        let exact = self.waiting.iter().position(|row| of(row) && row.place == finding.place);
        let Some(row) = exact.or_else(|| self.waiting.iter().position(of)).and_then(|index| self.waiting.remove(index))
        else {
            self.counts.entry(finding.provision).or_default().unexpected += 1;
            self.differ(finding.line, finding.provision, Difference::Unexpected(finding.place));
            return;
        };
        self.count(row.kind).found += 1;
        if row.place != finding.place {
            self.count(row.kind).elsewhere += 1;
            let (expected, found) = (row.place, finding.place);
            self.differ(row.line, row.kind.clause(), Difference::Elsewhere { expected, found });
        }
        match row.ends {
            Ends::Noted if finding.remedy.is_empty() => {}
            _ if finding.remedy.is_empty() => self.ends_otherwise(row, Some(Ends::Noted)),
            _ => {
                self.open.insert(finding.n, row);
            }
        }
    }

    fn ended(&mut self, finding: u64, ends: Ends) {
        let Some(row) = self.open.remove(&finding) else { return };
        // a remedy with nothing left to do may be said to be carried out at once
        let at_once = row.ends == Ends::Noted && ends == (Ends::Cleared { at: row.line });
        if row.ends != ends && !at_once {
            self.ends_otherwise(row, Some(ends));
        }
    }

    fn ends_otherwise(&mut self, row: Expected, found: Option<Ends>) {
        self.count(row.kind).ending += 1;
        self.differ(row.line, row.kind.clause(), Difference::Ending { expected: row.ends, found });
    }
}

fn percent(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "-".into(), |ratio| format!("{:.2}", ratio * 100.0))
}

/// The table, its totals, and the first mismatches.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.counts();
        let wide = counts.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max(9);
        writeln!(
            f,
            "{:wide$} {:>9} {:>9} {:>9} {:>10} {:>9} {:>9} {:>11} {:>9}",
            "provision", "expected", "found", "missed", "unexpected", "elsewhere", "ending", "precision %", "recall %"
        )?;
        let mut total = Count::default();
        counts.iter().for_each(|&(_, count)| total.add(count));
        for (name, count) in counts.into_iter().chain([("total", total)]) {
            let Count { expected, found, unexpected, elsewhere, ending } = count;
            let missed = expected.saturating_sub(found);
            let (precision, recall) = (percent(count.precision()), percent(count.recall()));
            writeln!(
                f,
                "{name:wide$} {expected:>9} {found:>9} {missed:>9} {unexpected:>10} {elsewhere:>9} {ending:>9} {precision:>11} {recall:>9}"
            )?;
        }
        if self.settles > 0 {
            writeln!(f, "bets compared at the end of their pass: {}", self.settles)?;
        }
        writeln!(f, "differences: {}", self.differences)?;
        for mismatch in &self.mismatches {
            writeln!(f, "  {mismatch}")?;
        }
        let more = self.differences - self.mismatches.len() as u64;
        if more > 0 { writeln!(f, "  and {more} more") } else { Ok(()) }
    }
}
