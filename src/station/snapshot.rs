//! The snapshot of a table: what page, displays and metrics are drawn from. It is made whole after every event.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use sabot_law::table::answer::Finding;
use sabot_law::table::due::{OpenRemedy, attention};
use sabot_law::table::event::Ruling;
use sabot_law::table::felt::{Felt, Words};
use sabot_law::table::offer::Offer;
use sabot_law::table::{LineNo, Name, Remedy, Severity};
use sabot_words::Times;

use super::clocks::Clock;
use super::entered::LastEntry;
use super::house_time::HouseTime;
use super::shipping::Shipping;

/// Where a finding stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingState {
    /// Nothing has to be done about it.
    Noted,
    /// Its remedy is not carried out yet.
    Open,
    /// Every part was carried out.
    Cleared,
    /// The pass went on or ended without.
    Breach,
    /// The facts as corrected do not bear it.
    Withdrawn,
}

impl FindingState {
    const ALL: [Self; 5] = [Self::Noted, Self::Open, Self::Cleared, Self::Breach, Self::Withdrawn];

    /// The one of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// Its name in what programs are told.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Noted => "noted",
            Self::Open => "open",
            Self::Cleared => "cleared",
            Self::Breach => "breach",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// Who sees to a finding.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Attention {
    /// Nobody yet.
    #[default]
    New,
    /// Somebody.
    Taken {
        /// Who.
        by: Name,
    },
    /// Nobody any more.
    Closed {
        /// Who closed it.
        by: Name,
        /// What became of it.
        note: String,
    },
}

/// A finding and where it stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FindingView {
    /// The finding (its `text` in the station's language).
    #[serde(flatten)]
    pub finding: Finding,
    /// Its words in Spanish.
    pub es: String,
    /// Its words in English.
    pub en: String,
    /// Where it stands.
    pub state: FindingState,
    /// What was still to do when it became a breach.
    pub missing: Vec<Remedy>,
    /// Who sees to it.
    pub attention: Attention,
    /// How it may still be decided, in the picture of a table that goes on.
    pub rulings: Vec<Ruling>,
    /// The verdict is what it is for this one too.
    #[serde(skip)]
    pub stands: bool,
}

impl FindingView {
    /// As it is found.
    #[must_use]
    pub fn new(finding: Finding) -> Self {
        let state = if finding.remedy.is_empty() { FindingState::Noted } else { FindingState::Open };
        let (es, en) = (finding.text.es.clone(), finding.text.en.clone());
        let (missing, attention, rulings) = (Vec::new(), Attention::New, Vec::new());
        Self { finding, es, en, state, missing, attention, rulings, stands: false }
    }

    /// What is open comes first, then what else stands, of both the gravest and of equal ones the oldest; then what is
    /// over, the newest first.
    fn order(&self) -> impl Ord + use<> {
        let Finding { severity, n, .. } = self.finding;
        let is_open = self.state == FindingState::Open;
        let first = (is_open || self.stands).then(|| attention(severity, n));
        (first.is_none(), !is_open, first, Reverse(n))
    }
}

/// Findings in the order in which they stand everywhere.
pub(crate) fn in_order(findings: impl IntoIterator<Item = FindingView>) -> Vec<FindingView> {
    let mut findings: Vec<_> = findings.into_iter().collect();
    findings.sort_by_cached_key(FindingView::order);
    findings
}

/// Findings that one line has brought about stand together, at the place of the first of them: each with the number of
/// that first one, where it is another.
pub(crate) fn by_cause<'a>(
    findings: impl IntoIterator<Item = &'a FindingView>,
) -> impl Iterator<Item = (&'a FindingView, Option<u64>)> {
    let cause = |view: &FindingView| view.finding.of.unwrap_or(view.finding.line);
    let mut groups: Vec<Vec<&FindingView>> = Vec::new();
    for view in findings {
        match groups.iter_mut().find(|group| cause(group[0]) == cause(view)) {
            Some(group) => group.push(view),
            None => groups.push(vec![view]),
        }
    }
    groups.into_iter().flat_map(|group| {
        let first = group[0].finding.n;
        group.into_iter().map(move |view| (view, Some(first).filter(|first| *first != view.finding.n)))
    })
}

/// Whether a device is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceState {
    /// Its port cannot be opened, or is gone.
    #[default]
    Absent,
    /// The port is open; the device has not said hello yet.
    Connecting,
    /// In session.
    Online,
    /// Answers, but not as what the configuration names (role, protocol, schema).
    Refused,
    /// Answers, and reports a fault of its own.
    Faulty,
}

/// A device as the pit sees it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DeviceView {
    /// Its role, as the configuration writes it: shoe, shuffler, chips, keypad, display; of a signal its driver.
    pub role: String,
    /// Its port.
    pub port: String,
    /// Whether it is there.
    pub state: DeviceState,
    /// What it said of itself, or what is wrong, in words.
    pub detail: String,
    /// Since when it is not there, is open or takes no more, while it is so: universal time, as in
    /// `2026-11-24T03:04:05.678Z`.
    pub since: Option<String>,
    /// Its lid or a door of it is open.
    pub open: bool,
    /// Frames that were damaged or made no sense, since the start.
    pub bad_frames: u64,
    /// Events that came twice and were dropped.
    pub repeats: u64,
    /// What is likely wrong with its line, while that is poor though it still works.
    pub poor: Option<Words>,
    /// That it takes no more, or keeps what it sees, and why.
    pub full: Option<Words>,
    /// Which one it is, and how far it is to be believed.
    pub about: DeviceAbout,
    /// What else is counted and measured; changes of it alone are no news.
    pub figures: DeviceFigures,
}

/// Which device it is and how far it is to be believed, as far as it was heard since the station started.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DeviceAbout {
    /// Since when it is in its state, universal time; none where nothing was heard of it.
    pub since: Option<String>,
    /// Its serial number.
    pub serial: Option<String>,
    /// The version of its firmware.
    pub firmware: Option<String>,
    /// Which of its starts it is.
    pub start: Option<u32>,
    /// The hash of what it runs, where it tells that.
    pub image: Option<String>,
    /// The hash of what it is to run, where the configuration names it.
    pub pinned: Option<String>,
    /// Its key.
    pub key: KeyState,
    /// How often something that it had said it has did not come, and what it was last.
    pub withheld: u64,
    /// What that was last.
    pub withheld_last: Option<Words>,
    /// How often it told so late that its times say little.
    pub late: u64,
    /// Its clock went back within one start: its times are not used until the next.
    pub clock_back: bool,
}

/// The key by which a device and the station know each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyState {
    /// Its maker's protocol has none: who is on its line can speak as this device.
    #[default]
    None,
    /// Nothing was heard of it since the station started.
    Unheard,
    /// What it says is sealed with the key that the station knows.
    Sealed,
    /// It was never given a key that the station knows.
    Unpaired,
    /// It is another than the one that belongs there, or does not hold its key.
    Swapped,
    /// It speaks an older version of the link, which is not sealed.
    Downgraded,
}

/// What is counted and measured of a device since the station started. Of a signal nothing is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DeviceFigures {
    /// Events taken.
    pub events: u64,
    /// Frames received, sound or not.
    pub frames: u64,
    /// Events that came before their turn and were dropped.
    pub gaps: u64,
    /// Times frames were missing between others.
    pub lost: u64,
    /// Events that came again though they were acknowledged.
    pub unheard: u64,
    /// Frames that were whole and not of this device and session.
    pub forged: u64,
    /// Sealed frames that never came.
    pub missing: u64,
    /// Frames that came once more, byte for byte.
    pub replayed: u64,
    /// Times it came back into session.
    pub reconnects: u64,
    /// Its clock, where it has one and something is known of it.
    pub clock: Option<ClockView>,
    /// How well it reads the tags of each spot, where it does.
    pub read_rates: Vec<ReadRateView>,
    /// How long it took each time to ask every reader, where there are any.
    pub rounds: Option<Times>,
}

/// How well the tags of a spot are read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadRateView {
    /// The box, and which hand of it.
    pub place: String,
    /// The spot there: main, double, split, insurance.
    pub spot: String,
    /// Tags that lie there.
    pub tags: u32,
    /// Times that tags which lay there were to be read, since the start.
    pub tries: u64,
    /// Times of these that they were.
    pub reads: u64,
    /// How long the last inventory took, milliseconds.
    pub inventory_ms: u64,
}

/// A device's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ClockView {
    /// By how much the link's clock, which begins with the station, is ahead of it, milliseconds.
    pub offset_ms: i64,
    /// How wrong that may be, milliseconds either way.
    pub error_ms: u32,
    /// The round trip it was learnt from, milliseconds.
    pub round_trip_ms: u32,
}

/// What is counted of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct TableFigures {
    /// The last line of the journal that is on disk.
    pub written: LineNo,
    /// Something keeps the journal from growing.
    pub unwritable: bool,
    /// Findings in the journal by severity: notices, irregularities, integrity.
    pub findings: [u64; 3],
    /// The same by article, of those of which there is one.
    pub by_article: Vec<(&'static str, u64)>,
    /// How many that nobody has closed stand in the record alone, as more of them were left than are kept.
    pub let_go: u64,
    /// Whether the machine's clock is synchronised, where anybody says.
    pub synchronised: Option<bool>,
    /// The house's clocks as they were found last.
    pub clocks: Vec<Clock>,
    /// How far the record is shipped, where it is.
    pub shipping: Option<Shipping>,
    /// From when a device saw what raised a finding to when the displays were told.
    #[serde(skip)]
    pub alerts: Times,
    /// How long the disk took each time until what was written was safe.
    #[serde(skip)]
    pub syncs: Times,
}

/// What people have to know first, the calmest first. A table that has told nothing yet is not seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Face {
    /// All is seen and recorded, and nothing is to be looked at.
    Clear,
    /// Something is to be looked at; nobody has to do anything.
    Look,
    /// Somebody has to act.
    Act,
    /// Something is not seen, or not recorded.
    #[default]
    Blind,
}

impl Face {
    /// Every face, the calmest first.
    pub const ALL: [Self; 4] = [Self::Clear, Self::Look, Self::Act, Self::Blind];

    /// Its name in metrics and on the page.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clear => "clear",
            Self::Look => "look",
            Self::Act => "act",
            Self::Blind => "blind",
        }
    }
}

/// Something that is not seen or not recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unseen {
    /// The role of the device; none where it is the record, and for who hears of it from afar.
    #[serde(skip)]
    pub device: Option<String>,
    /// Which device, or that it is the record; and why.
    pub what: Words,
    /// Since when, universal time, where it is known.
    pub since: Option<String>,
    /// Articles that cannot be judged for it, or not throughout.
    pub not_judged: Vec<Name>,
    /// Dealing has to stop.
    pub stop: bool,
}

/// The verdict.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// What people have to know first.
    pub face: Face,
    /// What is not seen or not recorded, what stops the dealing first.
    pub unseen: Vec<Unseen>,
    /// The gravest finding that is to be looked at.
    pub severity: Option<Severity>,
    /// Since when it has this face, universal time; none before anything is known.
    pub since: Option<String>,
    /// Why something is to be looked at where no finding is, in the words of the record.
    #[serde(skip)]
    pub others: Vec<String>,
}

/// Findings that are not shown at the table.
#[derive(Debug, Clone, Default)]
pub struct Untold {
    /// The newest of them, in the same order.
    pub findings: Vec<FindingView>,
    /// What is left to be done about those that are open.
    pub remedies: Vec<OpenRemedy>,
}

/// Everything, at one moment.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Snapshot {
    /// Name of the table.
    pub table: String,
    /// The house whose clocks people read.
    #[serde(skip)]
    pub house: HouseTime,
    /// Identifier of its regulation.
    pub regulation: String,
    /// Line of the journal after which this was taken.
    pub line: LineNo,
    /// What people have to know first.
    pub verdict: Verdict,
    /// The felt and what is due.
    pub felt: Felt,
    /// What people may enter next, the likeliest first.
    pub offers: Vec<Offer>,
    /// What was entered last on a screen, while nothing has followed it.
    pub last_entry: Option<LastEntry>,
    /// The newest findings, at most 50, and all that are open or nobody has closed, in the order of attention; then
    /// what is over, newest first.
    pub findings: Vec<FindingView>,
    /// Those that only some are told.
    #[serde(skip)]
    pub untold: Untold,
    /// Every configured device.
    pub devices: Vec<DeviceView>,
    /// What is counted; changes of it alone are no news.
    pub figures: TableFigures,
}

impl Snapshot {
    /// Whether the table has told anything since its station started.
    pub(crate) fn has_told(&self) -> bool {
        !self.table.is_empty()
    }

    /// The same as those see it who may know of every finding.
    pub(crate) fn told_all(&self) -> Self {
        let mut all = self.clone();
        all.findings = in_order(all.findings.into_iter().chain(self.untold.findings.iter().cloned()));
        all.felt.remedies.extend_from_slice(&self.untold.remedies);
        all
    }
}
