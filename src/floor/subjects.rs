//! What is published where. `T` is `sabot.HOUSE.PIT.TABLE`.
//!
//! | subject | by | what |
//! |---|---|---|
//! | `T.line` | uplink | lines of the record that follow one another, as they stand there, a line end between two |
//! | `T.checkpoint` | uplink | a checkpoint of the record, a signed note |
//! | `T.receipt.kept`, `.missing`, `.refused` | sink | a [`Receipt`](crate::receipt::Receipt), a signed note |
//! | `T.receipt.witnessed` | sink | a checkpoint with the sink's signature under the station's |
//! | `T.verdict` | uplink | how the table stands, for those who listen now |
//!
//! Lines and checkpoints are in the stream `SABOT_RECORDS`, receipts in `SABOT_RECEIPTS`, of each subject the last
//! message. Verdicts are in none: they are old as soon as the next one comes.
//! `SABOT_RECORDS` puts a share of the work behind the subjects of what it holds: `T.line.7`.

use std::fmt;
use std::str::FromStr;

use async_nats::jetstream::stream::SubjectTransform;
use sabot_journal::Chain;
use sabot_law::table::LineNo;

/// The stream of lines and checkpoints.
pub const RECORDS: &str = "SABOT_RECORDS";
/// Its subjects.
pub const OF_RECORDS: [&str; 2] = ["sabot.*.*.*.line", "sabot.*.*.*.checkpoint"];
/// The stream of receipts.
pub const RECEIPTS: &str = "SABOT_RECEIPTS";
/// Its subjects.
pub const OF_RECEIPTS: &str = "sabot.*.*.*.receipt.*";
/// Into so many shares the broker divides the tables, by their names. One sink at a time works on a share: the lines of
/// a table would come to several out of their order.
pub const SHARES: u32 = 16;
/// The header by which the broker knows a message that it has already.
pub const ID: &str = "Nats-Msg-Id";

const ROOT: &str = "sabot";
/// Longer names are refused.
const LONGEST: usize = 64;

/// How the broker puts the share behind the subject.
#[must_use]
pub fn shared() -> SubjectTransform {
    let same: String = (1..=4).map(|token| format!("{{{{wildcard({token})}}}}.")).collect();
    SubjectTransform {
        source: format!("{ROOT}.*.*.*.*"),
        destination: format!("{ROOT}.{same}{{{{partition({SHARES},1,2,3)}}}}"),
    }
}

/// All that belongs to a share, as `SABOT_RECORDS` holds it.
#[must_use]
pub fn of_share(share: u32) -> String {
    format!("{ROOT}.*.*.*.*.{share}")
}

/// A subject as `SABOT_RECORDS` holds it: the one that was published, and its share.
#[must_use]
pub fn without_share(held: &str) -> Option<(&str, u32)> {
    let (subject, share) = held.rsplit_once('.')?;
    Some((subject, share.parse().ok()?))
}

/// Why a name cannot stand in a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("house, pit and table are told in subjects: one to {LONGEST} letters, digits, `-` or `_` each")]
pub struct BadName;

/// Whether a name can stand in a subject.
fn is_plain(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    !name.is_empty() && name.len() <= LONGEST && name.chars().all(plain)
}

/// A table of a pit of a house. Written `HOUSE/PIT/TABLE`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableId {
    house: String,
    pit: String,
    table: String,
}

impl TableId {
    /// The table of these names.
    ///
    /// # Errors
    /// When one of them cannot stand in a subject.
    pub fn new(house: &str, pit: &str, table: &str) -> Result<Self, BadName> {
        if ![house, pit, table].into_iter().all(is_plain) {
            return Err(BadName);
        }
        Ok(Self { house: house.to_owned(), pit: pit.to_owned(), table: table.to_owned() })
    }

    /// The house.
    #[must_use]
    pub fn house(&self) -> &str {
        &self.house
    }

    /// The pit.
    #[must_use]
    pub fn pit(&self) -> &str {
        &self.pit
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &str {
        &self.table
    }

    /// The subject of something of this table.
    #[must_use]
    pub fn subject(&self, what: What) -> String {
        format!("{ROOT}.{}.{}.{}.{}", self.house, self.pit, self.table, what.token())
    }

    /// All its receipts.
    #[must_use]
    pub fn receipts(&self) -> String {
        format!("{ROOT}.{}.{}.{}.receipt.*", self.house, self.pit, self.table)
    }

    /// Where all verdicts are told: of a house and a pit, where they are named.
    ///
    /// # Errors
    /// When a name cannot stand in a subject.
    pub fn verdicts(house: Option<&str>, pit: Option<&str>) -> Result<String, BadName> {
        let token = |name: Option<&str>| match name {
            Some(name) if is_plain(name) => Ok(name.to_owned()),
            Some(_) => Err(BadName),
            None => Ok("*".to_owned()),
        };
        Ok(format!("{ROOT}.{}.{}.*.{}", token(house)?, token(pit)?, What::Verdict.token()))
    }

    /// The table and kind of a subject; none of another one.
    #[must_use]
    pub fn of_subject(subject: &str) -> Option<(Self, What)> {
        let mut tokens = subject.splitn(5, '.');
        let (root, house, pit, table, what) =
            (tokens.next()?, tokens.next()?, tokens.next()?, tokens.next()?, tokens.next()?);
        let what = What::ALL.into_iter().find(|known| known.token() == what)?;
        (root == ROOT).then_some(())?;
        Some((Self::new(house, pit, table).ok()?, what))
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.house, self.pit, self.table)
    }
}

impl FromStr for TableId {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        match text.split('/').collect::<Vec<_>>()[..] {
            [house, pit, table] => Self::new(house, pit, table),
            _ => Err(BadName),
        }
    }
}

/// What is published of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A line.
    Line,
    /// A checkpoint.
    Checkpoint,
    /// So much is kept.
    Kept,
    /// Something is missing before what came.
    Missing,
    /// Something was refused.
    Refused,
    /// A cosigned checkpoint.
    Witnessed,
    /// How the table stands.
    Verdict,
}

impl What {
    const ALL: [Self; 7] =
        [Self::Line, Self::Checkpoint, Self::Kept, Self::Missing, Self::Refused, Self::Witnessed, Self::Verdict];

    const fn token(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Checkpoint => "checkpoint",
            Self::Kept => "receipt.kept",
            Self::Missing => "receipt.missing",
            Self::Refused => "receipt.refused",
            Self::Witnessed => "receipt.witnessed",
            Self::Verdict => "verdict",
        }
    }
}

/// By what the broker knows a message of lines: table, epoch (when the record was begun, milliseconds since 1970),
/// number of the first line, and the first digits of the chain of the last one. Two stations that tell another line of
/// one number are so both heard, and so are lines that are sent again with others after them.
#[must_use]
pub fn line_id(table: &TableId, epoch: u64, line: LineNo, chain: Chain) -> String {
    let chain = chain.to_string();
    format!("{table}/{epoch}/{line}-{}", chain.get(..8).unwrap_or_default())
}

/// By what it knows a checkpoint of so many lines.
#[must_use]
pub fn checkpoint_id(table: &TableId, epoch: u64, size: LineNo) -> String {
    format!("{table}/{epoch}/checkpoint-{size}")
}

/// Table, epoch and number of a message's id; that of a checkpoint is its lines.
#[must_use]
pub fn of_id(id: &str) -> Option<(TableId, u64, LineNo)> {
    let mut parts = id.rsplitn(3, '/');
    let (last, epoch, table) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let number = match last.strip_prefix("checkpoint-") {
        // what comes again has more after it
        Some(size) => size.split('-').next()?,
        None => last.split_once('-')?.0,
    };
    Some((table, epoch, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_in_a_subject_and_in_an_id_is_read_back() {
        let table = TableId::new("casino", "planta-1", "BJ-07").unwrap();
        for what in What::ALL {
            assert_eq!(TableId::of_subject(&table.subject(what)), Some((table.clone(), what)));
        }
        assert_eq!(table.subject(What::Line), "sabot.casino.planta-1.BJ-07.line");
        assert_eq!(TableId::verdicts(None, None).as_deref(), Ok("sabot.*.*.*.verdict"));
        assert_eq!(TableId::verdicts(Some("casino"), Some("p1")).as_deref(), Ok("sabot.casino.p1.*.verdict"));
        assert_eq!(TableId::verdicts(Some("casino.>"), None), Err(BadName));
        let id = line_id(&table, 1_795_493_375_749, 41, Chain::default());
        assert_eq!(id, "casino/planta-1/BJ-07/1795493375749/41-00000000");
        assert_eq!(of_id(&id), Some((table.clone(), 1_795_493_375_749, 41)));
        assert_eq!(of_id(&checkpoint_id(&table, 5, 80)), Some((table.clone(), 5, 80)));
        assert_eq!(of_id(&format!("{}-7-1", checkpoint_id(&table, 5, 80))), Some((table.clone(), 5, 80)));
        assert_eq!(of_id(&format!("{id}-7-1")), Some((table, 1_795_493_375_749, 41)));
    }

    #[test]
    fn the_broker_is_told_to_put_the_share_behind_the_subject() {
        let told = shared();
        assert_eq!(told.source, "sabot.*.*.*.*");
        let same = "{{wildcard(1)}}.{{wildcard(2)}}.{{wildcard(3)}}.{{wildcard(4)}}";
        assert_eq!(told.destination, format!("sabot.{same}.{{{{partition(16,1,2,3)}}}}"));
        assert_eq!(without_share("sabot.casino.p.T.line.7"), Some(("sabot.casino.p.T.line", 7)));
        assert_eq!(without_share("sabot.casino.p.T.line"), None);
        assert_eq!(of_share(7), "sabot.*.*.*.*.7");
    }

    #[test]
    fn a_name_that_would_be_another_subject_is_refused() {
        for name in ["", "a.b", "a b", "*", ">", "a/b", &"x".repeat(65)] {
            assert_eq!(TableId::new("casino", name, "BJ-07"), Err(BadName), "{name}");
        }
        for id in ["", "casino/p/T", "casino/p/T/x/1-0", "casino/p/T/1/one-0", "casino/p/T/1/1"] {
            assert_eq!(of_id(id), None, "{id}");
        }
        assert_eq!(TableId::of_subject("sabot.casino.p.T.line.more"), None);
        assert_eq!(TableId::of_subject("other.casino.p.T.line"), None);
    }
}
