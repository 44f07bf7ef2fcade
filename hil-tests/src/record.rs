//! The station's record, read as an auditor would: from the file, knowing only its format.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use sabot_journal::Sealing;
use sabot_journal::failing_disk::opened;
use sabot_wire::message::Role;
use serde_json::Value;

use crate::must;

/// The lines of a record.
#[derive(Debug)]
pub struct Record {
    path: PathBuf,
    lines: Vec<Value>,
}

impl Record {
    /// Reads the whole lines of a record, covered cards by the keys that its station keeps.
    ///
    /// # Panics
    /// When it cannot be read, or a line is no JSON.
    #[must_use]
    pub fn read(path: &Path) -> Self {
        let text = must("the record", std::fs::read_to_string(path));
        let opened = opened(&text, 0, &Sealing::default().file(path));
        let whole = opened.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let lines = whole.map(|line| must("a line of the record", serde_json::from_str(line))).collect();
        Self { path: path.to_path_buf(), lines }
    }

    /// How many lines there are.
    pub(crate) const fn len(&self) -> usize {
        self.lines.len()
    }

    /// Every line of that kind, in order.
    pub fn events<'a>(&'a self, ev: &'a str) -> impl Iterator<Item = &'a Value> {
        self.lines.iter().filter(move |line| line["ev"] == ev)
    }

    /// Cards drawn and where each went, in order.
    #[must_use]
    pub fn draws(&self) -> Vec<(String, Option<String>)> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        self.events("draw").map(|draw| (text(&draw["card"]).unwrap_or_default(), text(&draw["to"]))).collect()
    }

    /// The chain holds over every line.
    ///
    /// # Panics
    /// When it does not.
    pub fn expect_whole(&self) {
        let file = must("the record", File::open(&self.path));
        let verified =
            must("the record", sabot_journal::verify(BufReader::new(file), |_, _| ControlFlow::Continue(())));
        assert!(verified.fault.is_none(), "the record's chain is broken: {:?}", verified.fault);
    }

    /// The device's observations are told as 1, 2 … `count` of one ring, each once.
    ///
    /// # Panics
    /// When they are not.
    pub fn expect_told(&self, role: Role, count: u32) {
        self.expect_told_from(Some(1), role, count);
    }

    /// The same from that number on, or from wherever the ring stood.
    pub(crate) fn expect_told_from(&self, first: Option<u32>, role: Role, count: u32) {
        let told = self.told();
        let serials = self.serials(role);
        let of: Vec<_> = told.iter().filter(|(serial, _)| serials.contains(serial)).collect();
        let [(serial, told)] = of.as_slice() else {
            assert!(count == 0 && of.is_empty(), "{count} events of the {role} are to be told by one device: {of:?}");
            return;
        };
        let epochs: Vec<u32> = told.iter().map(|(epoch, _)| *epoch).collect();
        assert!(epochs.windows(2).all(|pair| pair[0] == pair[1]), "the {role} {serial} lost its ring: {epochs:?}");
        let numbers: Vec<u32> = told.iter().map(|(_, number)| *number).collect();
        let first = first.or(numbers.first().copied()).unwrap_or(1);
        let wanted: Vec<u32> = (first..first + count).collect();
        assert_eq!(numbers, wanted, "events of the {role} {serial}, as told (left) and as seen (right)");
    }

    /// How many observations of the device with that serial number are told.
    #[must_use]
    pub fn count_told(&self, serial: &str) -> usize {
        self.told().get(serial).map_or(0, Vec::len)
    }

    /// Of each device (by serial number) the events told, in the order of the lines: epoch and number.
    fn told(&self) -> BTreeMap<String, Vec<(u32, u32)>> {
        let mut told: BTreeMap<String, Vec<(u32, u32)>> = BTreeMap::new();
        for line in &self.lines {
            for origin in ["origin", "paired"] {
                let origin = &line[origin];
                if let (Some(serial), Some(epoch), Some(seq)) =
                    (origin[0].as_str(), origin[1].as_u64(), origin[2].as_u64())
                {
                    let narrow = |wide: u64| must("a number of the record", u32::try_from(wide));
                    told.entry(serial.to_owned()).or_default().push((narrow(epoch), narrow(seq)));
                }
            }
        }
        told
    }

    /// Serial numbers of the devices that came online in that role.
    fn serials(&self, role: Role) -> Vec<String> {
        let online = self.events("device").filter(|line| line["device"] == role.name() && line["status"] == "online");
        let detail = online.filter_map(|line| line["detail"].as_str());
        detail.filter_map(|detail| detail.split(',').next()).map(str::to_owned).collect()
    }
}

/// The record without its chains, a line each.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, line) in (1..).zip(&self.lines) {
            let mut line = line.clone();
            if let Some(fields) = line.as_object_mut() {
                fields.remove("chain");
            }
            writeln!(f, "{number:4} {line}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(told: &[(&str, u32, u32)]) -> Record {
        let online = r#"{"ev":"device","device":"shoe","status":"online","detail":"S-1, firmware 0.1.0, start 1"}"#;
        let events = told.iter().map(|event| serde_json::json!({"ev": "draw", "card": "8H", "origin": event}));
        let lines = std::iter::once(serde_json::from_str(online).unwrap()).chain(events).collect();
        Record { path: PathBuf::new(), lines }
    }

    fn holds(told: &[(&str, u32, u32)], count: u32) -> bool {
        let record = record(told);
        std::panic::catch_unwind(|| record.expect_told(Role::Shoe, count)).is_ok()
    }

    #[test]
    fn a_missing_doubled_swapped_or_foreign_event_is_noticed() {
        let [first, second, third] = [("S-1", 7, 1), ("S-1", 7, 2), ("S-1", 7, 3)];
        assert!(holds(&[first, second, third], 3));
        assert!(holds(&[], 0));
        for told in [&[first, third][..], &[first, second, second, third], &[second, first, third], &[first, second]] {
            assert!(!holds(told, 3), "{told:?}");
        }
        assert!(!holds(&[first, second, third], 2), "an event that nobody saw");
        assert!(!holds(&[first, ("S-1", 8, 2), third], 3), "a lost ring");
        assert!(!holds(&[], 1), "nothing told at all");
    }
}
