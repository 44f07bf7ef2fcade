//! Whether everything that a table's station needs is in order, before it is started and while it runs: each thing in a
//! line, with the way out where something is wrong.

mod files;
mod machine;
mod uplink;

use std::fmt::Display;
use std::path::Path;

use serde::Serialize;

use crate::about::now_ms;
use crate::commission;
use crate::config::{self, Config, Unseen};
use crate::house_time::HouseTime;
use crate::inventory::{self, Inventory, Patience, Survey};

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// In order.
    Ok,
    /// The station runs with it, and somebody should see to it.
    Warn,
    /// The station does not run with it, or does not do what it is for.
    Wrong,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// What was looked at: `configuration`, `program`, `page`, `device`, `user`, `clock`, `disk`, `record`, `keys`,
    /// `registry`, `staff`, `certificate`, `webhook`, `uplink`, or `file` for what else the configuration names.
    pub what: &'static str,
    /// How it is.
    pub state: State,
    /// Which: a file, a port, an address. Empty where there is only one.
    pub place: String,
    /// What was found.
    pub found: String,
    /// What to do, where something is to be done.
    pub way_out: Option<String>,
}

impl Line {
    fn ok(what: &'static str, place: impl Display, found: impl Into<String>) -> Self {
        Self { what, state: State::Ok, place: place.to_string(), found: found.into(), way_out: None }
    }

    fn warn(what: &'static str, place: impl Display, found: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self { state: State::Warn, way_out: Some(way_out.into()), ..Self::ok(what, place, found) }
    }

    fn wrong(what: &'static str, place: impl Display, found: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self { state: State::Wrong, way_out: Some(way_out.into()), ..Self::ok(what, place, found) }
    }

    /// An error as this program words it: what is wrong, and after `  = ` the way out.
    fn error(what: &'static str, place: impl Display, error: &dyn Display) -> Self {
        let text = error.to_string();
        let (found, way_out) = match text.rsplit_once("\n  = ").or_else(|| text.rsplit_once(" = ")) {
            Some((found, way_out)) => (found, way_out),
            None => (text.as_str(), "docs/station.toml explains every key"),
        };
        let place = place.to_string();
        let found = found.strip_prefix(&format!("{place}: ")).unwrap_or(found).trim_end();
        Self::wrong(what, place, found, way_out)
    }

    /// A file that is as it should be, or why it is not.
    fn of<T, E: Display>(
        what: &'static str,
        place: &Path,
        read: Result<T, E>,
        found: impl FnOnce(T) -> String,
    ) -> Self {
        match read {
            Ok(it) => Self::ok(what, place.display(), found(it)),
            Err(error) => Self::error(what, place.display(), &error),
        }
    }
}

/// Everything that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The table's name, where its configuration can be used.
    pub table: Option<String>,
    /// The worst of the lines.
    pub state: State,
    /// In the order in which somebody mends them.
    pub lines: Vec<Line>,
}

impl Report {
    fn of(table: Option<String>, lines: Vec<Line>) -> Self {
        let state = lines.iter().map(|line| line.state).max().unwrap_or(State::Ok);
        Self { table, state, lines }
    }
}

/// Looks at everything that the configuration at `path` names. `built_ms` is when the program was made, milliseconds
/// since 1970. Must be called within a tokio runtime.
///
/// A configuration that cannot be used is a line too; no table is named then.
pub async fn check(path: &Path, built_ms: Option<u64>) -> Report {
    let config = match Config::load(path) {
        Ok(config) => config,
        Err(error) => {
            let mut lines = vec![Line::error("configuration", path.display(), &error)];
            lines.extend(machine::clock(built_ms, &HouseTime::default()));
            return Report::of(None, lines);
        }
    };
    let inventory = Survey::new(Some(config.clone()), None).look(Patience::Wait).await;
    let of_files = config.clone();
    let table = config.header.table.to_string();
    let runs = inventory.station.is_some();
    let program = machine::program(&config);
    let mut lines = vec![files::configuration(path, &config), program, machine::page(&config, runs)];
    lines.extend(config::unseen(&config).into_iter().map(|unseen| sight(path, unseen)));
    let touches = config::unseen_touches(&config);
    lines.extend(touches.map(|unseen| Line::warn("configuration", path.display(), unseen.what(), unseen.way_out())));
    lines.extend(devices(&inventory));
    lines.extend(machine::user(&inventory));
    lines.extend(machine::clock(built_ms, &config.house));
    lines.extend(machine::clocks(&config.clocks).await);
    // the record is read whole, and certificates and disk are waited for
    lines.extend(untried(path, &config));
    let of_config = path.to_path_buf();
    let read = tokio::task::spawn_blocking(move || files::all(&of_files, &of_config, runs));
    lines.extend(read.await.unwrap_or_default());
    Report::of(Some(table), lines)
}

/// What the table counts on and no device of it sees.
fn sight(path: &Path, unseen: Unseen) -> Line {
    Line::warn("configuration", path.display(), unseen.what(), unseen.way_out())
}

/// The record is yet to begin, and the table was not tried to the end.
fn untried(path: &Path, config: &Config) -> Option<Line> {
    let untried = commission::untried(config)?;
    Some(Line::warn("record", config.journal.display(), untried.what(), untried.way_out(path)))
}

fn devices(inventory: &Inventory) -> Vec<Line> {
    let configured = inventory.devices.iter().filter(|device| device.role.is_some());
    configured
        .map(|device| {
            let place = format!("{} ({})", device.role.as_deref().unwrap_or_default(), device.port);
            let says = device.says.clone().unwrap_or_else(|| "there".to_owned());
            match device.state {
                inventory::State::Fine | inventory::State::Unused => Line::ok("device", place, says),
                inventory::State::Wrong | inventory::State::Asked => {
                    let found = if device.wrong.is_empty() { says } else { device.wrong.join("; ") };
                    Line::wrong(
                        "device",
                        place,
                        found,
                        "`sabot devices --config FILE --watch` shows it while you mend it",
                    )
                }
            }
        })
        .collect()
}

/// What the clock shows and when the program was made, where the clock shows less: no clock that is right does.
#[must_use]
pub fn before_build(built_ms: u64) -> Option<(u64, u64)> {
    let shows = now_ms();
    (shows < built_ms).then_some((shows, built_ms))
}

/// The report for people: a line a thing, and under it the way out.
#[must_use]
pub fn text(report: &Report) -> String {
    let width = report.lines.iter().map(|line| line.what.len()).max().unwrap_or(0);
    let mut text = String::new();
    for line in &report.lines {
        let state = match line.state {
            State::Ok => "ok   ",
            State::Warn => "warn ",
            State::Wrong => "WRONG",
        };
        let place = if line.place.is_empty() { String::new() } else { format!("{}: ", line.place) };
        let indented = |words: &str| words.replace('\n', &format!("\n{:1$}", "", width + 8));
        text += &format!("{state} {:width$}  {place}{}\n", line.what, indented(&line.found));
        if let Some(way_out) = &line.way_out {
            text += &format!("      {:width$}  = {}\n", "", indented(way_out));
        }
    }
    let count = |state| report.lines.iter().filter(|line| line.state == state).count();
    text + &format!("{} ok, {} to be seen to, {} wrong\n", count(State::Ok), count(State::Warn), count(State::Wrong))
}
