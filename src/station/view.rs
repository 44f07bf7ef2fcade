//! What the station tells its readers (page, display, metrics): one picture, whole, after every event.

use serde::{Deserialize, Serialize};

use crate::table::answer::Finding;
use crate::table::felt::Felt;
use crate::table::{LineNo, Remedy};

/// Where a finding stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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
}

/// A finding and where it stands.
#[derive(Debug, Clone, Serialize)]
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
}

/// Whether a device is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceState {
    /// Its port cannot be opened, or is gone.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeviceView {
    /// Its role, as the configuration writes it: shoe, shuffler, chips, keypad, display; of a signal its driver.
    pub role: String,
    /// Its port.
    pub port: String,
    /// Whether it is there.
    pub state: DeviceState,
    /// What it said of itself, or what is wrong, in words.
    pub detail: String,
    /// Frames that were damaged or made no sense, since the start.
    pub bad_frames: u64,
    /// Events that came twice and were dropped.
    pub repeats: u64,
}

/// Everything, at one moment.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Snapshot {
    /// Name of the table.
    pub table: String,
    /// Identifier of its regulation.
    pub regulation: String,
    /// Line of the journal this picture was taken after.
    pub line: LineNo,
    /// The felt and what is due.
    pub felt: Felt,
    /// The newest findings, newest first, at most 50; open ones are always among them.
    pub findings: Vec<FindingView>,
    /// Every configured device.
    pub devices: Vec<DeviceView>,
    /// What keeps the journal from being written, in words, where something does.
    pub journal_fault: Option<String>,
}
