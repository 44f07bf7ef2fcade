//! Receipts: what a sink signs of a record, and by what a station knows what is shipped. A signed note (c2sp.org) of
//! the sink's key, with the time, as a witness signs:
//!
//! ```text
//! sabot-receipt/v1
//! HOUSE/PIT/TABLE/EPOCH
//! kept 1234              or: missing 1234, refused 1235 WHY
//! CHAIN                  of that line, 64 hexadecimal digits
//! 1200                   lines of the last checkpoint that was borne out
//! ```
//!
//! `kept N`: lines 1 to N of the record are in the store, durable. `missing N`: so are they, and later ones came before
//! line N+1. `refused N`: line N, of that chain, contradicts what is kept.

use std::fmt;

use sabot_journal::Chain;
use sabot_journal::note::{Note, PrivateKey, PublicKey, Signed};
use sabot_law::table::LineNo;

use crate::subjects::{TableId, What};

const FORM: &str = "sabot-receipt/v1";

/// What is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// All lines so far are kept.
    Kept,
    /// They are, and the next one has not come.
    Missing,
    /// It was refused.
    Refused(String),
}

/// A receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// Of which table.
    pub table: TableId,
    /// Of which of its records: when it was begun, milliseconds since 1970.
    pub epoch: u64,
    /// The line.
    pub line: LineNo,
    /// Its chain.
    pub chain: Chain,
    /// Lines of the last checkpoint that was borne out.
    pub signed: LineNo,
    /// What of it.
    pub told: Told,
}

impl fmt::Display for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table, epoch, line, chain, signed, told } = self;
        let (word, why) = match told {
            Told::Kept => ("kept", String::new()),
            Told::Missing => ("missing", String::new()),
            Told::Refused(why) => ("refused", format!(" {why}")),
        };
        write!(f, "{FORM}\n{table}/{epoch}\n{word} {line}{why}\n{chain}\n{signed}\n")
    }
}

impl Receipt {
    /// Where it is published.
    #[must_use]
    pub fn subject(&self) -> String {
        self.table.subject(match self.told {
            Told::Kept => What::Kept,
            Told::Missing => What::Missing,
            Told::Refused(_) => What::Refused,
        })
    }

    /// As it is published: signed.
    #[must_use]
    pub fn sign(&self, sink: &PrivateKey, unix_seconds: u64) -> String {
        let text = self.to_string();
        let signatures = vec![sink.sign(&text, unix_seconds)];
        Note { text, signatures }.to_string()
    }

    /// Reads a receipt; none where it is none, or none of these keys has signed it.
    #[must_use]
    pub fn read(note: &[u8], sinks: &[PublicKey]) -> Option<Self> {
        let note = Note::parse(std::str::from_utf8(note).ok()?)?;
        sinks.iter().any(|sink| matches!(note.signed_by(sink), Signed::Yes(_))).then_some(())?;
        Self::parse(&note.text)
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut lines = text.strip_suffix('\n')?.split('\n');
        (lines.next()? == FORM).then_some(())?;
        let (table, epoch) = lines.next()?.rsplit_once('/')?;
        let said = lines.next()?;
        let (word, rest) = said.split_once(' ')?;
        let (line, why) = rest.split_once(' ').unwrap_or((rest, ""));
        let told = match word {
            "kept" => Told::Kept,
            "missing" => Told::Missing,
            "refused" => Told::Refused(why.to_owned()),
            _ => return None,
        };
        let (chain, signed) = (lines.next()?.parse().ok()?, lines.next()?.parse().ok()?);
        let (table, epoch, line) = (table.parse().ok()?, epoch.parse().ok()?, line.parse().ok()?);
        lines.next().is_none().then_some(Self { table, epoch, line, chain, signed, told })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabot_journal::note::Purpose;

    fn receipt(told: Told) -> Receipt {
        let table = TableId::new("casino", "p1", "BJ-07").unwrap();
        Receipt { table, epoch: 1_795_493_375_749, line: 41, chain: Chain::default().next(b"x"), signed: 40, told }
    }

    #[test]
    fn a_receipt_is_read_back_by_those_who_know_its_key_alone() {
        let folder = tempfile::tempdir().unwrap();
        let key = |name: &str| PrivateKey::create(&folder.path().join(name), name, Purpose::Witness).unwrap();
        let (sink, other) = (key("sink"), key("other"));
        for told in [Told::Kept, Told::Missing, Told::Refused("line 41 is another one: two stations".to_owned())] {
            let receipt = receipt(told);
            let note = receipt.sign(&sink, 1_795_493_400);
            let read = |note: &str, key: &PrivateKey| Receipt::read(note.as_bytes(), &[key.public().clone()]);
            assert_eq!(read(&note, &sink), Some(receipt), "{note}");
            assert_eq!(read(&note, &other), None);
            assert_eq!(read(&note.replacen(" 41", " 42", 1), &sink), None, "another line than was signed");
            assert_eq!(read(&note.replacen("BJ-07", "BJ-08", 1), &sink), None);
        }
    }
}
