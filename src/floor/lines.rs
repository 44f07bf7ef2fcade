//! Lines of one record that follow one another go in one message: at a person's pace that is one, after weeks without a
//! network a hundred. A message costs broker and sink what a hundred lines cost them.

use std::mem;

use bytes::Bytes;
use sabot_journal::Chain;
use sabot_law::table::LineNo;

use crate::subjects::{TableId, line_id};

/// No line is added to a message that is as long, in bytes. Brokers take a megabyte.
const FULL: usize = 16 * 1024;

/// Lines that are gathered for a message.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// The record, and the first line.
    from: (u64, LineNo),
    /// The chain of the last one.
    chain: Chain,
    count: LineNo,
    text: Vec<u8>,
}

impl Lines {
    /// It belongs into the same message as those before it.
    pub(crate) fn takes(&self, epoch: u64, line: LineNo) -> bool {
        self.count == 0 || (self.from.0, self.from.1 + self.count) == (epoch, line) && self.text.len() < FULL
    }

    /// Adds a line, which stands in `text` without its line end.
    pub(crate) fn push(&mut self, epoch: u64, line: LineNo, chain: Chain, text: &[u8]) {
        if self.count == 0 {
            self.from = (epoch, line);
        } else {
            self.text.push(b'\n');
        }
        self.text.extend_from_slice(text);
        self.chain = chain;
        self.count += 1;
    }

    /// The message, with what the broker knows it by; none where there is no line.
    pub(crate) fn take(&mut self, table: &TableId) -> Option<(String, Bytes)> {
        let Self { from: (epoch, first), chain, count, text } = mem::take(self);
        (count > 0).then(|| (line_id(table, epoch, first, chain), text.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_follow_one_another_go_together_until_the_message_is_full() {
        let table = TableId::new("casino", "p1", "BJ-07").unwrap();
        let mut lines = Lines::default();
        assert!(lines.takes(7, 41) && lines.take(&table).is_none());
        lines.push(7, 41, Chain::default(), b"{1}");
        assert!(lines.takes(7, 42) && !lines.takes(7, 43) && !lines.takes(8, 42));
        let last = Chain::default().next(b"{2}");
        lines.push(7, 42, last, b"{2}");
        let (id, text) = lines.take(&table).unwrap();
        assert_eq!(id, format!("casino/p1/BJ-07/7/41-{}", &last.to_string()[..8]), "first line, chain of the last");
        assert_eq!(&text[..], b"{1}\n{2}");
        lines.push(7, 43, last, &[b' '; FULL]);
        assert!(!lines.takes(7, 44), "it is full");
    }
}
