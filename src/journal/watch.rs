//! What a reader of a record looks for from line to line: time that goes back, clocks that were set, observations of
//! devices that are missing or told twice, starts without a stop.

use std::collections::HashMap;

use super::clock::{Anchor, SIGNED_LATE, START, STOP, station_line};
use super::record::{AddedFields, Origin};
use sabot_law::table::{Event, LineNo, Name};

/// A clock that is wrong by less is right, milliseconds.
const RIGHT_MS: u64 = 2000;

/// What is wrong from one line to the next.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Misorder {
    /// Time goes back.
    #[error("line {line}: its time is {t} ms, and the line before is of {before} ms")]
    Back {
        /// Which line.
        line: LineNo,
        /// Its time, milliseconds since the record was begun.
        t: u64,
        /// That of the line before.
        before: u64,
    },
    /// Observations are not there.
    #[error(
        "line {line}: between events {from} and {to} of the device {serial} some are missing, and no line says why"
    )]
    Missing {
        /// Which line.
        line: LineNo,
        /// Whose.
        serial: Name,
        /// The last one before.
        from: u32,
        /// The one that this line tells.
        to: u32,
    },
    /// A line stands where a station that has stopped writes none.
    #[error("line {line}: the station had stopped, and this is no start of it: somebody else has added it")]
    AfterStop {
        /// Which line.
        line: LineNo,
    },
    /// An observation comes again.
    #[error("line {line}: event {seq} of the device {serial} was told before")]
    Again {
        /// Which line.
        line: LineNo,
        /// Whose.
        serial: Name,
        /// Which.
        seq: u32,
    },
}

/// What an auditor should know, and is no fault of the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remark {
    /// The clock on the wall shows less than it should.
    Back {
        /// Which line says so.
        line: LineNo,
        /// What it shows, milliseconds since 1970.
        shows: u64,
        /// What it should show.
        should: u64,
    },
    /// The clock on the wall shows more than it should.
    Ahead {
        /// Which line says so.
        line: LineNo,
        /// What it shows, milliseconds since 1970.
        shows: u64,
        /// What it should show.
        should: u64,
    },
    /// The station starts, and had not stopped: a power cut, or somebody ended it.
    Unstopped {
        /// The line of the start.
        line: LineNo,
    },
    /// A start has found lines that nothing had signed, and has signed them.
    Late {
        /// The line that says so.
        line: LineNo,
        /// Which, as the record tells it.
        which: String,
    },
}

impl Remark {
    /// In words, with times as `clock` shows them, which is given milliseconds since 1970.
    #[must_use]
    pub fn told(&self, clock: impl Fn(u64) -> String) -> String {
        let apart = |more: &u64, less: &u64| more.saturating_sub(*less) / 1000;
        match self {
            Self::Back { line, shows, should } => format!(
                "line {line}: the station's clock shows {}, {} s less than it should; times on the wall before this line \
                 may be wrong",
                clock(*shows),
                apart(should, shows)
            ),
            Self::Ahead { line, shows, should } => format!(
                "line {line}: the station's clock was set forward by {} s while the station ran, to {}",
                apart(shows, should),
                clock(*shows)
            ),
            Self::Unstopped { line } => {
                format!("line {line}: the station starts, and had not stopped: a power cut, or somebody ended it")
            }
            Self::Late { line, which } => {
                format!(
                    "line {line}: {which} were not signed when the station had ended, and nothing says who wrote them"
                )
            }
        }
    }
}

/// Where a device stood: epoch, number, and how often devices had said that events are lost.
type Stood = (u32, u32, u64);

/// Reads a record from line to line.
#[derive(Debug)]
pub(super) struct Watch {
    t: u64,
    anchor: Anchor,
    runs: bool,
    has_stopped: bool,
    losses: u64,
    stood: HashMap<Name, Stood>,
    /// Starts of the station.
    pub(super) starts: u64,
}

impl Watch {
    /// From the header on.
    pub(super) fn new(began_ms: u64) -> Self {
        let anchor = Anchor { t: 0, unix_ms: began_ms };
        Self { t: 0, anchor, runs: false, has_stopped: false, losses: 0, stood: HashMap::new(), starts: 0 }
    }

    /// The time of the last line, milliseconds since the record was begun.
    pub(super) fn time(&self) -> u64 {
        self.t
    }

    /// Takes a line: what is wrong with it, and what is to be known.
    pub(super) fn line(
        &mut self,
        line: LineNo,
        (event, t): &(Event, Option<u64>),
        added: AddedFields,
    ) -> (Vec<Misorder>, Vec<Remark>) {
        let (mut wrong, mut remarks) = (Vec::new(), Vec::new());
        let (t, before) = (t.unwrap_or(self.t), self.t);
        if t < before {
            wrong.push(Misorder::Back { line, t, before });
        }
        self.t = t;
        // a spot that could not be read is missed too, and no number of an event
        if let Event::Device { status, detail, .. } = event
            && (status == "ring_lost"
                || (status == "events_missed" && detail.as_ref().is_none_or(|detail| detail.contains(" to "))))
        {
            self.losses += 1;
        }
        wrong.extend([added.origin, added.paired].into_iter().flatten().filter_map(|origin| self.saw(line, origin)));
        let said = station_line(event);
        if std::mem::take(&mut self.has_stopped) && said.is_none_or(|(status, _)| status != START) {
            wrong.push(Misorder::AfterStop { line });
        }
        if let Some(said) = said {
            remarks.extend(self.station(line, event, said));
        }
        (wrong, remarks)
    }

    fn saw(&mut self, line: LineNo, Origin(serial, epoch, seq): Origin) -> Option<Misorder> {
        let before = self.stood.insert(serial.clone(), (epoch, seq, self.losses));
        let (from, losses) = before.filter(|stood| stood.0 == epoch).map(|(_, from, losses)| (from, losses))?;
        // a device that has lost its ring may begin again under an epoch that it has used
        if seq <= from && losses == self.losses {
            Some(Misorder::Again { line, serial, seq })
        } else if seq > from.saturating_add(1) && losses == self.losses {
            Some(Misorder::Missing { line, serial, from, to: seq })
        } else {
            None
        }
    }

    fn station(&mut self, line: LineNo, event: &Event, (status, detail): (&str, Option<&str>)) -> Vec<Remark> {
        let mut remarks = Vec::new();
        let starts = status == START;
        if status == SIGNED_LATE {
            let which = detail.unwrap_or_default().split(" at ").next().unwrap_or_default().to_owned();
            remarks.push(Remark::Late { line, which });
        }
        if starts && self.runs {
            remarks.push(Remark::Unstopped { line });
        }
        self.starts += u64::from(starts);
        self.runs = status != STOP;
        self.has_stopped = status == STOP;
        if let Some(told) = Anchor::told(event, self.t) {
            let (shows, should) = (told.unix_ms, self.anchor.wall_at(self.t));
            // while the station stood still, the clock itself told how long
            if shows.saturating_add(RIGHT_MS) < should {
                remarks.push(Remark::Back { line, shows, should });
            } else if shows > should.saturating_add(RIGHT_MS) && !starts {
                remarks.push(Remark::Ahead { line, shows, should });
            }
            self.anchor = told;
        }
        remarks
    }
}
