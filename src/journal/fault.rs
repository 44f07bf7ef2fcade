//! What keeps a record from growing, while a station writes it.

use std::io;

use sabot_law::table::LineNo;

/// What keeps a record from growing. Nothing is told durable meanwhile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordFault {
    /// The disk refuses: it is full, may only be read, or fails.
    #[error("the record cannot be written: {0}")]
    Disk(String),
    /// The disk takes a line and does not say that it is safe.
    #[error("the disk does not answer")]
    Silent,
    /// The file was deleted, or moved to another name.
    #[error("the record's file is gone: it was deleted or moved; put it back under its name")]
    Gone,
    /// Another file has its name.
    #[error("another file has the record's name; put the record's own file back under it")]
    Replaced,
    /// Bytes that were written are no longer there.
    #[error("the record was cut: {found} of its {written} bytes are there")]
    Shorter {
        /// Bytes written.
        written: u64,
        /// Bytes there.
        found: u64,
    },
    /// Somebody else has written after its end.
    #[error("somebody else writes into the record: {found} bytes are there, and the station wrote {written}")]
    Longer {
        /// Bytes written.
        written: u64,
        /// Bytes there.
        found: u64,
    },
    /// It was rewritten while it was open.
    #[error("the record was rewritten while the station keeps it: line {line}, or one before it, is another")]
    Changed {
        /// The first line that is not what was written, or one after it.
        line: LineNo,
    },
    /// The file of its checkpoints is not what the station wrote.
    #[error("the file of the record's checkpoints {0}")]
    Checkpoints(&'static str),
    /// A line cannot be written down; nothing after it is accepted.
    #[error("an event cannot be written down: {0}")]
    Event(String),
    /// A gaming day is over and cannot be put away; the next one is not begun.
    #[error("the gaming day cannot be closed: {0}")]
    NotClosed(String),
    /// The thread that writes is gone.
    #[error("the record's thread has ended: restart the station")]
    Ended,
}

impl From<io::Error> for RecordFault {
    fn from(why: io::Error) -> Self {
        Self::Disk(why.to_string())
    }
}
