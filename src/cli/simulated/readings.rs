//! The validator's and the auditor's reading of the same logs, and where they differ.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};

use super::sink::Unwritten;
use sabot_handbook::scenario::write;
use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;
use sabot_simulation::readings::{Compared, Difference, Found, Unread, compared, shortest};
use serde_json::Value;

pub(super) fn validator(log: &str) -> Result<Vec<Value>, String> {
    let (mut replay, mut answers) = (Replay::new(Lang::default(), None), Vec::new());
    for line in log.lines() {
        replay.feed(line.as_bytes(), &mut answers).map_err(|why| why.to_string())?;
    }
    replay.finish(&mut answers).map_err(|why| why.to_string())?;
    answers.iter().map(|answer| serde_json::to_value(answer).map_err(|why| why.to_string())).collect()
}

pub(super) fn auditor(log: &str) -> Result<Vec<Value>, String> {
    sabot_auditor::audit(log).map_err(|why| why.to_string())
}

/// Compares the readings of a log.
///
/// # Errors
/// When one of them cannot read it.
pub(super) fn of_log(log: &str) -> Result<Compared, Unread> {
    // what the validator cannot read is told in its words
    validator(log).map_err(Unread::Validator)?;
    compared(log, validator, auditor)
}

/// The shortest log that has the first difference of this one, as a scenario.
pub(super) fn minimised(log: &str) -> String {
    let short = shortest(log, validator, auditor);
    write::scenario("the shortest log that shows it, with the validator's answers", &short).unwrap_or(short)
}

/// Writes to standard output; whoever reads it may stop.
pub(super) fn told(text: &str) -> Result<(), Unwritten> {
    io::stdout().write_all(text.as_bytes()).map_err(|why| Unwritten { file: "-".into(), why })
}

/// What came of many logs.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) logs: u64,
    pub(super) passes: u64,
    pub(super) events: u64,
    /// Logs that differ.
    pub(super) differing: u64,
    /// Findings by provision.
    findings: BTreeMap<String, Found>,
    /// The first difference of each log that differs, by its kind.
    kinds: BTreeMap<String, u64>,
    /// Logs that are not compared, by what the auditor does not read.
    left_out: BTreeMap<String, u64>,
}

impl Tally {
    /// Counts a log in; its first difference, where it has one.
    pub(super) fn add(&mut self, log: &str, passes: u64) -> Result<Option<Difference>, Unread> {
        self.logs += 1;
        self.passes += passes;
        self.events += (log.lines().count() as u64).saturating_sub(1);
        let compared = match of_log(log) {
            Ok(compared) => compared,
            Err(Unread::Auditor(why)) => {
                *self.left_out.entry(why).or_default() += 1;
                return Ok(None);
            }
            Err(why) => return Err(why),
        };
        add(&mut self.findings, compared.findings);
        let first = compared.differences.into_iter().next();
        if let Some(first) = &first {
            self.differing += 1;
            *self.kinds.entry(first.kinds().into_iter().collect::<Vec<_>>().join(" · ")).or_default() += 1;
        }
        Ok(first)
    }

    /// Counts in what another has counted.
    pub(super) fn join(&mut self, other: Self) {
        let Self { logs, passes, events, differing, findings, kinds, left_out } = other;
        self.logs += logs;
        self.passes += passes;
        self.events += events;
        self.differing += differing;
        add(&mut self.findings, findings);
        for (all, more) in [(&mut self.kinds, kinds), (&mut self.left_out, left_out)] {
            more.into_iter().for_each(|(what, count)| *all.entry(what).or_default() += count);
        }
    }

    /// Whether nothing of any log was compared.
    pub(super) fn is_empty(&self) -> bool {
        self.left_out.values().sum::<u64>() == self.logs
    }
}

fn add(all: &mut BTreeMap<String, Found>, more: BTreeMap<String, Found>) {
    for (provision, found) in more {
        let sum = all.entry(provision).or_default();
        sum.both += found.both;
        sum.validator += found.validator;
        sum.auditor += found.auditor;
    }
}

/// The table of findings, what differs by kind, and what was not compared.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows: Vec<(&str, Found)> =
            self.findings.iter().map(|(provision, found)| (provision.as_str(), *found)).collect();
        let number = |id: &str| id.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(0_u32);
        rows.sort_by_key(|(id, _)| (id.trim_end_matches(|c: char| c.is_ascii_digit()), number(id)));
        let mut total = Found::default();
        for (_, found) in &rows {
            total.both += found.both;
            total.validator += found.validator;
            total.auditor += found.auditor;
        }
        writeln!(f, "{:9} {:>9} {:>15} {:>13}", "provision", "both", "validator only", "auditor only")?;
        for (provision, Found { both, validator, auditor }) in rows.into_iter().chain([("total", total)]) {
            writeln!(f, "{provision:9} {both:>9} {validator:>15} {auditor:>13}")?;
        }
        writeln!(f, "logs that differ: {}", self.differing)?;
        for (what, logs) in by_frequency(&self.kinds) {
            writeln!(f, "{logs:>6}  {what}")?;
        }
        if !self.left_out.is_empty() {
            writeln!(f, "not compared, as the auditor does not read it yet, of so many logs:")?;
        }
        for (what, logs) in by_frequency(&self.left_out) {
            writeln!(f, "{logs:>6}  {what}")?;
        }
        Ok(())
    }
}

fn by_frequency(counts: &BTreeMap<String, u64>) -> Vec<(&str, u64)> {
    let mut counts: Vec<(&str, u64)> = counts.iter().map(|(what, &count)| (what.as_str(), count)).collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    counts
}
