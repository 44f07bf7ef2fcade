//! One line of the record, before it is chained.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::chain::Chain;
use super::seal::SealField;
use sabot_law::table::{Answer, Card, Event, Header, LineNo, Name};

/// Which event of which device: serial number, epoch of its ring, sequence number.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Origin(pub Name, pub u32, pub u32);

/// When a device saw something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenAt {
    /// Milliseconds since the record was begun; negative before that.
    pub at_ms: i64,
    /// How wrong that may be, milliseconds either way.
    pub error_ms: u32,
}

impl SeenAt {
    /// The same by the count of a record that was begun later.
    #[must_use]
    pub fn since(self, began: u64) -> Self {
        Self { at_ms: self.at_ms.saturating_sub_unsigned(began), ..self }
    }
}

/// Which cards an event covers and uncovers.
#[derive(Default, Clone, PartialEq, Eq)]
pub struct Covering {
    /// The card it names lies covered: it is sealed.
    pub covers: Option<Card>,
    /// Cards that lay covered and are no secret from this event on, each with the line that sealed it.
    pub uncovers: Vec<(LineNo, Card)>,
    /// Lines whose card the station no longer knows.
    pub lost: Vec<LineNo>,
}

/// A covered card is told to nobody.
impl fmt::Debug for Covering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Covering(..)")
    }
}

/// An event as it is recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// What happened.
    pub event: Event,
    /// Milliseconds since the record was begun.
    pub t: u64,
    /// The device's event it tells; none for what the station itself saw.
    pub origin: Option<Origin>,
    /// A second device's event told by the same line.
    pub paired: Option<Origin>,
    /// When the device saw what `origin` tells, where that is known.
    pub seen: Option<SeenAt>,
    /// Which cards it covers and uncovers.
    pub covering: Covering,
    /// Who entered it, where somebody did who is signed in.
    pub entered: Option<Name>,
    /// What was answered to it.
    pub answers: Vec<Answer>,
}

/// The event without the card that it names.
fn without_card(event: &Event) -> Event {
    match event.clone() {
        Event::Draw { to, face, .. } => Event::Draw { card: Card::UNREAD, to, face },
        Event::Correct { by, role, line, after, event } => {
            Event::Correct { by, role, line, after, event: event.map(|event| Box::new(without_card(&event))) }
        }
        event => event,
    }
}

impl Record {
    /// An event that no device told and nobody entered, answered by nothing.
    #[must_use]
    pub fn of(event: Event, t: u64) -> Self {
        let (covering, answers) = (Covering::default(), Vec::new());
        Self { event, t, origin: None, paired: None, seen: None, covering, entered: None, answers }
    }

    /// The line with what is sealed and opened on it, without chain and line end.
    pub(super) fn to_line(&self, seal: &SealField) -> Result<Vec<u8>, serde_json::Error> {
        #[derive(Serialize)]
        struct Line<'a> {
            #[serde(flatten)]
            event: &'a Event,
            t: u64,
            #[serde(skip_serializing_if = "Option::is_none")]
            origin: Option<&'a Origin>,
            #[serde(skip_serializing_if = "Option::is_none")]
            paired: Option<&'a Origin>,
            #[serde(skip_serializing_if = "Option::is_none")]
            seen: Option<i64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            seen_within: Option<u32>,
            #[serde(skip_serializing_if = "SealField::is_empty")]
            seal: &'a SealField,
            #[serde(skip_serializing_if = "Option::is_none")]
            entered: Option<&'a Name>,
            #[serde(skip_serializing_if = "<[_]>::is_empty")]
            answers: &'a [Answer],
        }
        // an event that tells its own time tells that of its line, which is written once
        let told = match &self.event {
            Event::Request { hand, player, .. } => {
                Some(Event::Request { hand: *hand, player: player.clone(), t: None })
            }
            event => self.covering.covers.map(|_| without_card(event)),
        };
        let event = told.as_ref().unwrap_or(&self.event);
        let (seen, seen_within) = self.seen.map(|seen| (seen.at_ms, seen.error_ms)).unzip();
        let (origin, paired) = (self.origin.as_ref(), self.paired.as_ref());
        let (entered, answers) = (self.entered.as_ref(), self.answers.as_slice());
        let line = Line { event, t: self.t, origin, paired, seen, seen_within, seal, entered, answers };
        serde_json::to_vec(&line)
    }
}

/// How the record before this one ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct After {
    /// Its lines.
    pub lines: LineNo,
    /// The chain of the last of them.
    pub chain: Chain,
    /// Of each device the last event that it tells: epoch and sequence number.
    pub last: BTreeMap<Name, (u32, u32)>,
}

/// The first line, without chain and line end.
pub(super) fn header_line(header: &Header, began_ms: u64, after: Option<&After>) -> Result<Vec<u8>, serde_json::Error> {
    #[derive(Serialize)]
    struct Line<'a> {
        ev: &'static str,
        #[serde(flatten)]
        header: &'a Header,
        began: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        after: Option<&'a After>,
    }
    serde_json::to_vec(&Line { ev: "table", header, began: began_ms, after })
}

/// What the record adds to an event, read back.
#[derive(Default, Deserialize)]
pub(super) struct AddedFields {
    #[serde(default)]
    pub(super) began: u64,
    #[serde(default)]
    pub(super) after: Option<After>,
    #[serde(default)]
    pub(super) origin: Option<Origin>,
    #[serde(default)]
    pub(super) paired: Option<Origin>,
}
