//! What was handed to the record and is not known to be on disk, and what keeps it from getting there.

use std::collections::VecDeque;
use std::time::Duration;

use sabot_journal::{Journal, Origin, RecordFault};
use sabot_law::table::LineNo;
use sabot_wire::WINDOW;
use sabot_wire::message::Role;
use tokio::time::Instant;

use super::about;

/// How long a device may have told as much as it may before people are told: a slow disk is no news.
const HELD_UP: Duration = Duration::from_secs(1);
/// How long the disk may keep a line before it counts as silent. People are told within a second.
const SILENT: Duration = Duration::from_millis(750);

/// An event of a device whose line is not known to be on disk.
#[derive(Debug)]
pub(super) struct Awaited {
    line: LineNo,
    pub(super) role: Role,
    pub(super) epoch: u32,
    pub(super) seq: u32,
    since: Instant,
}

/// Why the record does not grow, and since when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hindrance {
    pub(super) fault: RecordFault,
    /// Universal time.
    pub(super) since: String,
}

/// What is not known to be on disk.
#[derive(Debug)]
pub(super) struct Unwritten {
    /// In the order of the lines.
    awaited: VecDeque<Awaited>,
    /// The last line handed over.
    handed: LineNo,
    /// The last line that is on disk.
    written: LineNo,
    /// When the disk last took a line, or was last without one to take.
    progress: Instant,
    hindrance: Option<Hindrance>,
}

impl Unwritten {
    pub(super) fn of(journal: &Journal) -> Self {
        let lines = journal.lines();
        Self { awaited: VecDeque::new(), handed: lines, written: lines, progress: Instant::now(), hindrance: None }
    }

    /// Of a record that is begun: its first line is handed over.
    pub(super) fn begun() -> Self {
        Self { awaited: VecDeque::new(), handed: 1, written: 0, progress: Instant::now(), hindrance: None }
    }

    /// All that was handed over is on disk, and nothing keeps more from it.
    pub(super) fn is_safe(&self) -> bool {
        self.written == self.handed && self.hindrance.is_none()
    }

    /// The last line that is on disk.
    pub(super) fn written(&self) -> LineNo {
        self.written
    }

    pub(super) fn hindrance(&self) -> Option<&Hindrance> {
        self.hindrance.as_ref()
    }

    /// A line was handed over; it tells these events of devices.
    pub(super) fn handed<'a>(&mut self, line: LineNo, tells: impl IntoIterator<Item = (Role, &'a Origin)>) {
        let since = Instant::now();
        if self.written == self.handed {
            self.progress = since;
        }
        self.handed = line;
        let awaited =
            |(role, Origin(_, epoch, seq)): (Role, &Origin)| Awaited { line, role, epoch: *epoch, seq: *seq, since };
        self.awaited.extend(tells.into_iter().map(awaited));
    }

    /// Lines are on disk: the events that they tell.
    pub(super) fn safe(&mut self, line: LineNo) -> impl Iterator<Item = Awaited> {
        if line > self.written {
            self.progress = Instant::now();
            self.written = line;
        }
        let safe = self.awaited.partition_point(|awaited| awaited.line <= line);
        self.awaited.drain(..safe)
    }

    /// Takes over what keeps the record from growing; what that was before, where it is news.
    pub(super) fn hindered(&mut self, fault: Option<RecordFault>) -> Option<Option<Hindrance>> {
        if self.hindrance.as_ref().map(|hindrance| &hindrance.fault) == fault.as_ref() {
            return None;
        }
        match &fault {
            Some(why) => tracing::error!("{why}"),
            None => tracing::warn!("the record is being written again"),
        }
        let before = self.hindrance.take();
        let since = before.as_ref().map_or_else(about::now, |before| before.since.clone());
        self.hindrance = fault.map(|fault| Hindrance { fault, since });
        Some(before)
    }

    /// When the disk counts as silent, if nothing comes from it until then.
    pub(super) fn silent_at(&self) -> Option<Instant> {
        (self.written < self.handed && self.hindrance.is_none()).then(|| self.progress + SILENT)
    }

    /// The device has told as much as it may before the record has it, and waits.
    pub(super) fn holds_up(&self, role: Role) -> bool {
        let mut of = self.awaited.iter().filter(|awaited| awaited.role == role);
        let is_long = of.next().is_some_and(|oldest| oldest.since.elapsed() >= HELD_UP);
        is_long && of.count() + 1 >= WINDOW as usize
    }
}
