//! What a log is expected to be answered with: one row a finding.

use serde::{Deserialize, Serialize};

use super::Kind;
use sabot_law::table::{LineNo, Place};

/// How a finding is expected to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ends", rename_all = "snake_case")]
pub enum Ends {
    /// Nothing has to be done about it.
    Noted,
    /// Its remedy was carried out.
    Cleared {
        /// The last part of it at this line.
        at: LineNo,
    },
    /// Its remedy was not carried out.
    Breach {
        /// The pass ended, or went on where it had to wait, at this line.
        at: LineNo,
    },
}

/// One finding that must be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Expected {
    /// At this line.
    pub line: LineNo,
    /// What was done to which provision, such as `C5/stood`.
    #[serde(rename = "clause")]
    pub kind: Kind,
    /// At this place, where the provision names one.
    #[serde(rename = "box", default)]
    pub place: Option<Place>,
    /// And how it goes on.
    #[serde(flatten)]
    pub ends: Ends,
}

impl Serialize for Expected {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Row {
            line: LineNo,
            provision: &'static str,
            #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
            place: Option<Place>,
            clause: Kind,
            #[serde(flatten)]
            ends: Ends,
        }
        let Self { line, kind, place, ends } = *self;
        Row { line, provision: kind.provision(), place, clause: kind, ends }.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dealer::HOUSES;

    #[test]
    fn a_row_reads_back_as_it_is_written() {
        for kind in HOUSES.iter().flat_map(|house| house.kinds) {
            let row = Expected { line: 17, kind: *kind, place: Some(Place::Bank), ends: Ends::Cleared { at: 19 } };
            let text = serde_json::to_string(&row).unwrap();
            assert_eq!(serde_json::from_str::<Expected>(&text).unwrap(), row, "{text}");
        }
    }
}
