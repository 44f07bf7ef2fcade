//! Waypoints, from which a record can be read on without all that came before: what a table was at the end of a pass,
//! found while the record went by, and held against what all of it led to.

use sabot_journal::clock::{Anchor, station_line};
use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;
use sabot_law::table::{Event, Header, LineNo};
use sabot_law::validator::{Moment, Validator};

use super::service::deals;

/// Passes between two of them, at the least.
const APART: u64 = 16;

/// The end of a pass, from which on a record is read as it would be from its beginning.
#[derive(Debug, Clone)]
pub(crate) struct Waypoint {
    /// The table.
    pub(super) moment: Moment,
    /// Bytes of the record's text before the next line.
    pub(super) bytes: u64,
    /// The `t` of the line.
    pub(super) t: u64,
    /// What the wall showed last.
    pub(super) anchor: Anchor,
    /// From this line on the same is answered as from the beginning: no correction comes to what was before the
    /// waypoint.
    pub(super) from: From,
    /// Who deals there, as was said last.
    pub(super) dealer: String,
}

/// A line, and when it was.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct From {
    pub(super) line: LineNo,
    pub(super) pass: u64,
    /// Milliseconds since 1970.
    pub(super) at: u64,
}

/// What was read of a record with a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reached {
    /// Bytes up to the end of the line.
    pub(super) bytes: u64,
    pub(super) t: u64,
    pub(super) anchor: Anchor,
    pub(super) line: From,
}

/// Looks for waypoints while a record goes by.
pub(super) struct Waypoints {
    header: Header,
    /// The pass of the last one.
    last: u64,
    dealer: String,
    /// A place that nothing has borne out yet, and the lines after it.
    candidate: Option<(Waypoint, Vec<Vec<u8>>)>,
}

impl Waypoints {
    /// After a waypoint, or from the beginning.
    pub(super) fn after(header: Header, waypoint: Option<&Waypoint>) -> Self {
        let last = waypoint.map_or(0, |waypoint| waypoint.from.pass);
        let dealer = waypoint.map(|waypoint| waypoint.dealer.clone()).unwrap_or_default();
        Self { header, last, dealer, candidate: None }
    }

    /// Takes a line as it was judged, with the table after it; a waypoint that was found. Where the record's own seals
    /// have not told all cards up to here, none is.
    pub(super) fn take(
        &mut self,
        (text, event): (&[u8], &Event),
        reached: Reached,
        validator: &Validator,
        is_told: bool,
    ) -> Option<Waypoint> {
        if let Some((status, detail)) = station_line(event) {
            deals(&mut self.dealer, status, detail.unwrap_or_default());
        }
        if !is_told {
            self.candidate = None;
            return None;
        }
        let Reached { bytes, t, anchor, line } = reached;
        if let Some((waypoint, after)) = &mut self.candidate {
            after.push(text.to_vec());
            let is_settled = validator.settled() >= Some(waypoint.moment.line());
            if !is_settled {
                return None;
            }
            let (waypoint, after) = self.candidate.take()?;
            return leads_to(self.header.clone(), &waypoint, &after, validator).then(|| {
                self.last = line.pass;
                Waypoint { from: line, ..waypoint }
            });
        }
        if *event == (Event::End {}) && line.pass >= self.last + APART {
            let moment = validator.moment(line.line)?;
            self.candidate =
                Some((Waypoint { moment, bytes, t, anchor, from: line, dealer: self.dealer.clone() }, Vec::new()));
        }
        None
    }
}

/// Whether the lines after a waypoint lead from it to the same table.
fn leads_to(header: Header, waypoint: &Waypoint, lines: &[Vec<u8>], same: &Validator) -> bool {
    let begun = Replay::new(Lang::Es, None).going_on(header, waypoint.moment.clone(), waypoint.t);
    let Ok(mut replay) = begun else { return false };
    let mut answers = Vec::new();
    lines.iter().all(|text| replay.feed(text, &mut answers).is_ok())
        && replay.validator().is_some_and(|again| again.agrees_with(same))
}
