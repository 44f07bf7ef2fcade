//! A pass told step by step: lines of the record, and the felt after them.

use sabot_law::table::LineNo;

use crate::snapshot::Snapshot;

/// A step of the pass.
#[derive(Debug)]
pub struct Step {
    /// What happened, line by line.
    pub lines: Vec<StepLine>,
    /// The felt after that.
    pub picture: Snapshot,
}

/// A line of the pass.
#[derive(Debug)]
pub struct StepLine {
    /// Which.
    pub line: LineNo,
    /// When.
    pub at: String,
    /// What happened.
    pub what: String,
    /// What was answered.
    pub answers: Vec<String>,
}
