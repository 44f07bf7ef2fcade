//! How much of a record is durable.

use super::chain::Chain;
use sabot_law::table::LineNo;

/// What is durable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) bytes: u64,
    pub(super) lines: LineNo,
    /// The chain of the last line.
    pub(super) chain: Chain,
}
