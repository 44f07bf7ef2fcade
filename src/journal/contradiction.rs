//! How a record is not the one that its station had.

use sabot_law::table::LineNo;

/// How a record contradicts what its station signed, or knew to be on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Contradiction {
    /// Lines are gone.
    #[error("the station signed {signed} lines of it and {found} are there: lines were removed at the end")]
    Shorter {
        /// Lines signed.
        signed: u64,
        /// Lines there.
        found: u64,
    },
    /// Lines are others.
    #[error("its first {signed} lines are not those that the station signed: it was rewritten, with its chain")]
    Rewritten {
        /// Lines signed.
        signed: u64,
    },
    /// Lines that were on disk are gone.
    #[error("{written} lines of it were on disk and {found} are there: lines were removed at the end")]
    Missing {
        /// Lines that were on disk.
        written: u64,
        /// Lines there.
        found: u64,
    },
    /// Lines that were on disk are others.
    #[error("its first {written} lines are not those that were on disk: it was rewritten, with its chain")]
    Other {
        /// Lines that were on disk.
        written: u64,
    },
    /// The file of checkpoints is another record's.
    #[error("its checkpoints are those of another record: they belong where that record was moved to")]
    OtherRecord,
    /// A line stands where a station that has stopped writes none.
    #[error("line {line} was added after the station had stopped, and nothing has signed it")]
    AfterStop {
        /// Which.
        line: LineNo,
    },
}
