//! The inventory for people: aligned columns, or a line a change.

use std::fmt::Write as _;
use std::path::Path;

use super::{Device, HolderView, Inventory, State};

const HEAD: [&str; 3] = ["ROLE", "STATE", "PORT"];
/// Longest name of a port that the next column waits for.
const MAX_WIDTH: usize = 40;

/// The whole inventory. `config` is the file it was held against.
#[must_use]
pub fn table(inventory: &Inventory, config: Option<&Path>) -> String {
    let mut text = heading(inventory, config);
    let (unused, configured): (Vec<&Device>, Vec<&Device>) =
        inventory.devices.iter().partition(|device| device.state == State::Unused);
    if !configured.is_empty() {
        text.push_str(&rows(&configured, true));
        text.push('\n');
    }
    match (unused.is_empty(), config) {
        (true, Some(_)) => text.push_str("Nothing else is attached.\n"),
        (true, None) => {
            text.push_str("Nothing is attached: no serial port with hardware behind it, and no USB device.\n")
        }
        (false, Some(_)) => text.push_str("Attached, and in no role:\n"),
        (false, None) => text.push_str("Attached:\n"),
    }
    text.push_str(&rows(&unused, false));
    for note in &inventory.notes {
        let _ = writeln!(text, "Note: {note}");
    }
    text
}

fn heading(inventory: &Inventory, config: Option<&Path>) -> String {
    let (Some(table), Some(config)) = (&inventory.table, config) else { return String::new() };
    let station = match inventory.station {
        Some(address) => format!("its station runs (http://{address}/) and tells of what it holds"),
        None => "its station does not answer: devices were asked".to_owned(),
    };
    format!("Table {table} ({}); {station}\n\n", config.display())
}

fn rows(devices: &[&Device], is_configured: bool) -> String {
    let cells: Vec<[String; 3]> = devices.iter().map(|device| cells(device)).collect();
    let width = |at: usize| {
        let head = if is_configured { HEAD[at].len() } else { 0 };
        cells.iter().map(|cells| cells[at].chars().count().min(MAX_WIDTH)).max().unwrap_or(0).max(head)
    };
    let widths = if is_configured { [width(0), width(1), width(2)] } else { [0, 0, width(2)] };
    let mut text = String::new();
    if is_configured {
        line(&mut text, HEAD.map(str::to_owned), widths, "WHAT IT SAYS, AND WHAT IS WRONG");
    }
    for (device, cells) in devices.iter().zip(cells) {
        let mut said = said(device).into_iter();
        line(&mut text, cells, widths, &said.next().unwrap_or_default());
        said.for_each(|more| line(&mut text, [String::new(), String::new(), String::new()], widths, &more));
    }
    text
}

fn line(text: &mut String, cells: [String; 3], widths: [usize; 3], last: &str) {
    let mut line = String::new();
    for (cell, width) in cells.iter().zip(widths) {
        let _ = write!(line, "{cell:width$}  ");
    }
    let _ = writeln!(text, "{}", (line + last).trim_end());
}

fn cells(device: &Device) -> [String; 3] {
    let role = device.role.clone().unwrap_or_default();
    let state = if device.state == State::Unused { "" } else { state(device.state) };
    [role, state.to_owned(), device.port.clone()]
}

const fn state(state: State) -> &'static str {
    match state {
        State::Fine => "fine",
        State::Wrong => "WRONG",
        State::Asked => "asked",
        State::Unused => "unused",
    }
}

/// What is to be said of a device, a line each; the most important first.
fn said(device: &Device) -> Vec<String> {
    let mut said = device.wrong.clone();
    match (&device.says, device.wrong.is_empty()) {
        (Some(says), true) => said.push(says.clone()),
        (Some(says), false) => said.push(format!("it says: {says}")),
        (None, _) => {}
    }
    said.extend(behind_the_port(device));
    if let Some(holder) = &device.holder {
        said.push(format!("open in {}", process(holder)));
    }
    said.extend(device.notes.iter().map(|note| format!("note: {note}")));
    said
}

/// What is behind the name.
fn behind_the_port(device: &Device) -> Option<String> {
    let at = device.at.as_ref().map(|at| at.display().to_string()).filter(|at| *at != device.port);
    let usb = device.usb.as_ref().map(|usb| {
        let serial = match (&usb.serial, device.state) {
            (Some(serial), State::Unused) if device.at.is_some() => {
                let interface = usb.interface.filter(|&no| no > 0).map(|no| format!("#{no}")).unwrap_or_default();
                format!("; to use it: port = \"usb:{serial}{interface}\"")
            }
            (Some(serial), _) => format!(", serial number {serial}"),
            (None, _) => ", no serial number".to_owned(),
        };
        let id = format!("USB {}", usb.id);
        let id = if device.port == id { String::new() } else { id + " " };
        format!("{id}{}{serial}", usb.name)
    });
    match (at, usb) {
        (Some(at), Some(usb)) => Some(format!("{at}, {usb}")),
        (at, usb) => at.or(usb),
    }
}

fn process(holder: &HolderView) -> String {
    match (&holder.name, holder.pid) {
        (Some(name), Some(pid)) => format!("`{name}` (process {pid})"),
        (None, Some(pid)) => format!("process {pid}"),
        (_, None) => "another process".to_owned(),
    }
}

/// What has changed between two inventorys, a line each.
#[must_use]
pub fn changes(before: &Inventory, now: &Inventory) -> Vec<String> {
    let same =
        |one: &Device, other: &Device| (&one.role, &one.port, &one.usb) == (&other.role, &other.port, &other.usb);
    let mut lines = Vec::new();
    if before.station != now.station {
        lines.push(match now.station {
            Some(address) => format!("station: runs (http://{address}/)"),
            None => "station: no longer answers; devices are asked".to_owned(),
        });
    }
    let by_name = |one: &Device, other: &Device| (&one.role, &one.port) == (&other.role, &other.port);
    for device in &now.devices {
        let known = before.devices.iter().find(|other| match device.state {
            State::Unused => same(device, other),
            _ => by_name(device, other),
        });
        match known {
            Some(known) if known == device => {}
            None if device.state == State::Unused => lines.push(line_of(device, "attached")),
            _ => lines.push(line_of(device, state(device.state))),
        }
    }
    let gone = |device: &&Device| device.state == State::Unused && !now.devices.iter().any(|other| same(device, other));
    lines
        .extend(before.devices.iter().filter(gone).map(|device| format!("{}: no longer unused, or gone", device.port)));
    lines.extend(now.notes.iter().filter(|note| !before.notes.contains(note)).map(|note| format!("note: {note}")));
    lines
}

fn line_of(device: &Device, state: &str) -> String {
    let name = device.role.as_ref().map_or_else(|| device.port.clone(), |role| format!("{role} ({})", device.port));
    let said = said(device).join("; ");
    if said.is_empty() { format!("{name}: {state}") } else { format!("{name}: {state}: {said}") }
}
