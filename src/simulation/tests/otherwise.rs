//! How many logs the validator and the auditor, which share no code, answer otherwise, and in which ways.
//!
//! Each test of many logs counts them house by house, and its count may only fall. `SABOT_SHOWN=N` prints the N most
//! frequent ways of each house, each with the shortest of some of its logs; `SABOT_HOUSE=talla` counts one house alone.

use std::collections::BTreeMap;

use sabot_handbook::scenario::write;
use sabot_simulation::readings::{Difference, Unread, compare, shortest};
use serde_json::Value;

use crate::logs::{number, validator};

/// The auditor's answers to a log.
pub(crate) fn auditor(log: &str) -> Result<Vec<Value>, String> {
    sabot_auditor::audit(log).map_err(|why| why.to_string())
}

/// Where the readings differ.
pub(crate) fn differences(log: &str) -> Result<Vec<Difference>, Unread> {
    compare(log, validator, auditor)
}

/// Whether a house is one of those asked for.
pub(crate) fn is_asked_for(house: &str) -> bool {
    std::env::var("SABOT_HOUSE").map_or(true, |only| only == house)
}

/// Holds of each house asked for that no more of its logs, each with its name, are read otherwise than is known.
pub(crate) fn held<Logs, const N: usize>(
    what: &str,
    known: [(&'static str, usize); N],
    logs: impl Fn(&'static str) -> Logs,
) where
    Logs: IntoIterator<Item = (String, String)>,
{
    let asked_for = known.into_iter().filter(|(house, _)| is_asked_for(house));
    let more =
        asked_for.filter_map(|(house, most)| Otherwise::of(logs(house)).more_than(&format!("{house}, {what}"), most));
    let more: Vec<String> = more.collect();
    assert!(more.is_empty(), "{}", more.join("\n"));
}

/// The logs of one house that are read otherwise.
#[derive(Default)]
pub(crate) struct Otherwise {
    all: usize,
    names: Vec<String>,
    /// By what the first difference is about: how many, and of some the name and the log.
    ways: BTreeMap<String, (usize, Vec<(String, String)>)>,
}

impl Otherwise {
    /// Reads logs, each with its name.
    pub(crate) fn of(logs: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut otherwise = Self::default();
        for (name, log) in logs {
            otherwise.read(name, log);
        }
        otherwise
    }

    /// Reads one log more; one that neither reading can read counts nowhere.
    pub(crate) fn read(&mut self, name: String, log: String) {
        let way = match differences(&log) {
            Ok(differences) => differences.first().map(|first| Vec::from_iter(first.kinds()).join(", ")),
            Err(Unread::Validator(_)) if auditor(&log).is_err() => return,
            Err(why) => Some(why.to_string()),
        };
        self.all += 1;
        let Some(way) = way else { return };
        let way = self.ways.entry(way).or_default();
        way.0 += 1;
        if way.1.len() < 4 {
            way.1.push((name.clone(), log));
        }
        self.names.push(name);
    }

    /// How many were read, alike or not.
    pub(crate) fn all(&self) -> usize {
        self.all
    }

    /// Prints how many they are. What a test says that allows no more than `most`.
    pub(crate) fn more_than(&self, what: &str, most: usize) -> Option<String> {
        println!("{what}: {} of {}", self.names.len(), self.all);
        let shown = usize::try_from(number("SABOT_SHOWN", 0)).unwrap_or(usize::MAX);
        let mut ways: Vec<_> = self.ways.iter().collect();
        ways.sort_by_key(|(_, (many, _))| std::cmp::Reverse(*many));
        for (way, (many, logs)) in ways.into_iter().take(shown) {
            println!("\n{what}: {many} times {way}\n{}", shortest_of(logs));
        }
        (self.names.len() > most)
            .then(|| format!("{what}: {} and not {most}: {}", self.names.len(), self.names.join("\n")))
    }
}

/// The shortest log that still shows what the first difference of one of these is about, with its differences.
fn shortest_of(logs: &[(String, String)]) -> String {
    let shortened = logs.iter().map(|(name, log)| (name, shortest(log, validator, auditor)));
    let (name, log) = shortened.min_by_key(|(_, log)| log.lines().count()).unwrap();
    let told: String = differences(&log).iter().flatten().map(ToString::to_string).collect();
    format!("{told}{}", write::scenario(name, &log).unwrap_or(log))
}
