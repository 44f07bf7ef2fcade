//! What has passed so far: a file beside the record, a line each, so that nothing need be tried twice.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What came of one thing that was tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Outcome {
    /// What was tried.
    pub(super) check: String,
    /// The devices that it says something of, by their serial numbers: of another device nothing has passed.
    pub(super) devices: String,
    pub(super) passed: bool,
    /// What was seen, or why it was left out, in words.
    pub(super) told: String,
    /// When, on the wall.
    pub(super) at: String,
}

/// The file, and what it holds.
#[derive(Debug)]
pub(super) struct Progress {
    path: PathBuf,
    outcomes: Vec<Outcome>,
}

impl Progress {
    /// Reads the file, where there is one. A line that makes no sense counts for nothing: what it told is tried again.
    pub(super) fn load(path: PathBuf) -> io::Result<Self> {
        let text = match std::fs::read_to_string(&path) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => String::new(),
            read => read?,
        };
        let outcomes = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        Ok(Self { path, outcomes })
    }

    /// Begins anew.
    pub(super) fn forget(&mut self) -> io::Result<()> {
        self.outcomes.clear();
        match std::fs::remove_file(&self.path) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => Err(why),
            _ => Ok(()),
        }
    }

    /// The last that came of this with these devices.
    pub(super) fn last(&self, check: &str, devices: &str) -> Option<&Outcome> {
        self.outcomes.iter().rev().find(|outcome| outcome.check == check && outcome.devices == devices)
    }

    /// Whether this has passed last, with whichever devices.
    pub(super) fn has_passed(&self, check: &str) -> bool {
        self.outcomes.iter().rev().find(|outcome| outcome.check == check).is_some_and(|outcome| outcome.passed)
    }

    /// Keeps what came of one thing; it is on disk then.
    pub(super) fn add(&mut self, outcome: Outcome) -> io::Result<()> {
        let mut file: File = OpenOptions::new().append(true).create(true).open(&self.path)?;
        let line = serde_json::to_string(&outcome)? + "\n";
        file.write_all(line.as_bytes())?;
        file.sync_data()?;
        self.outcomes.push(outcome);
        Ok(())
    }
}
