//! What is attached to this machine, what each device says of itself, what the configuration makes of it, and what is
//! wrong with it, in words.
//!
//! A port is opened only when the configuration names it, and only while nobody has it: what a running station holds is
//! told by the station. Everything else is read from the system's files.

mod probe;
mod station_report;
pub mod text;

use std::collections::HashSet;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use sabot_drivers::feig::{self, ReaderLines};
use sabot_drivers::signal::usb::{self, Enumerated, UsbError};
use sabot_drivers::transport::sysfs::{self, Sysfs};
use sabot_drivers::transport::{Holder, PortName};
use serde::Serialize;

use crate::config::Config;
use crate::snapshot::DeviceState;
use probe::{Configured, Outcome, Probes};
use station_report::StationReport;

pub use probe::{Distrusted, Lacks, Patience, distrusted};
pub use station_report::page;

/// How a device is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Configured, there, and as the configuration has it.
    Fine,
    /// Configured, and not so.
    Wrong,
    /// Configured, and being asked.
    Asked,
    /// Attached, and in no role.
    Unused,
}

/// How a device is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A serial port.
    Serial,
    /// A pseudo-terminal.
    Pty,
    /// The network.
    Tcp,
    /// USB, without a serial port.
    Usb,
}

/// A USB device, as it describes itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Usb {
    /// Vendor and product number, `0403:6001`.
    pub id: String,
    /// Maker and product in its own words.
    pub name: String,
    /// Its serial number, where it has one.
    pub serial: Option<String>,
    /// Bus, and number on it.
    pub at: (u8, u8),
    /// The interface, of a serial port.
    pub interface: Option<u8>,
}

/// A process that has a port.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HolderView {
    /// Its number, where known.
    pub pid: Option<u32>,
    /// Its name, where known.
    pub name: Option<String>,
}

/// A device that is configured, or attached, or both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Device {
    /// The role that the configuration gives it; of a signal its driver.
    pub role: Option<String>,
    /// The driver that the configuration gives it.
    pub driver: Option<&'static str>,
    /// The port as the configuration names it, or as it could be named there.
    pub port: String,
    /// How it is reached.
    pub kind: Kind,
    /// The port behind that name now.
    pub at: Option<PathBuf>,
    /// The USB device it is, or is a port of.
    pub usb: Option<Usb>,
    /// How it is.
    pub state: State,
    /// What it says of itself.
    pub says: Option<String>,
    /// Who has it open.
    pub holder: Option<HolderView>,
    /// What is wrong with it, each with a way out.
    pub wrong: Vec<String>,
    /// What could be better.
    pub notes: Vec<String>,
    /// Nothing but this is wrong with it: it is to be paired.
    #[serde(skip)]
    pub lacks: Option<Lacks>,
}

/// Everything that is attached or configured, at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Inventory {
    /// Name of the table, where a configuration was given.
    pub table: Option<String>,
    /// Where the station of the table answers, if it runs.
    pub station: Option<SocketAddr>,
    /// What is to be known of the machine.
    pub notes: Vec<String>,
    /// The configured devices in the order of the file, then what else is attached.
    pub devices: Vec<Device>,
}

impl Inventory {
    /// Whether every configured device is as the configuration has it.
    #[must_use]
    pub fn is_fine(&self) -> bool {
        self.devices.iter().all(|device| matches!(device.state, State::Fine | State::Unused))
    }
}

/// Looks at the machine, as often as it is told to.
#[derive(Debug)]
pub struct Survey {
    sysfs: Sysfs,
    usb: fn() -> Result<Vec<Enumerated>, UsbError>,
    config: Option<Config>,
    station: Option<SocketAddr>,
    probes: Probes,
}

impl Survey {
    /// Of this machine. `station` is where the table's station serves its page, where the configuration does not say.
    #[must_use]
    pub fn new(config: Option<Config>, station: Option<SocketAddr>) -> Self {
        Self::of(Sysfs::default(), usb::enumerated, config, station)
    }

    /// Of a machine whose files and USB are these.
    #[must_use]
    pub fn of(
        sysfs: Sysfs,
        usb: fn() -> Result<Vec<Enumerated>, UsbError>,
        config: Option<Config>,
        station: Option<SocketAddr>,
    ) -> Self {
        let station = station.or(config.as_ref().map(|config| config.listen)).filter(|address| address.port() != 0);
        Self { probes: Probes::new(sysfs.clone()), sysfs, usb, config, station }
    }

    /// Looks. Must be called within a tokio runtime.
    pub async fn look(&mut self, patience: Patience) -> Inventory {
        let ports = self.sysfs.ports();
        let mut notes = Vec::new();
        let table = self.config.as_ref().map(|config| config.header.table.to_string());
        let report = match (self.station, &table) {
            (Some(address), Some(table)) => {
                let tls = self.config.as_ref().and_then(|config| config.tls.as_deref());
                station_report::fetch(address, tls, table, &mut notes).await
            }
            _ => None,
        };
        let configured = self.config.as_ref().map(probe::configured).unwrap_or_default();
        for one in &configured {
            if report.as_ref().and_then(|report| report.of(one)).is_none() {
                self.probes.begin(one);
            }
        }
        let (mut devices, readers) = (Vec::new(), ReaderLines::default());
        for one in &configured {
            devices.push(self.device(one, report.as_ref(), &ports, patience, &readers).await);
        }
        same_port_twice(&mut devices);
        let used: HashSet<PathBuf> = devices.iter().filter_map(|device| real(device.at.as_deref()?)).collect();
        let has_lr6 = configured.iter().any(Configured::is_lr6);
        devices.extend(ports.iter().filter(|port| !used.contains(&canonical(&port.path))).map(unused_port));
        devices.extend(self.unused_usb(&ports, has_lr6, &mut notes));
        Inventory { table, station: self.station.filter(|_| report.is_some()), notes, devices }
    }

    async fn device(
        &mut self,
        one: &Configured,
        report: Option<&StationReport>,
        ports: &[sysfs::Attached],
        patience: Patience,
        readers: &ReaderLines,
    ) -> Device {
        let at = one.serial_line().and_then(|(port, _)| PortName::of(port).ok()?.resolve(&self.sysfs).ok());
        let at = at.as_deref().and_then(real);
        let attached = at.as_ref().and_then(|at| ports.iter().find(|port| canonical(&port.path) == *at));
        let holder = at.as_deref().and_then(sabot_drivers::transport::lock_holder);
        let (mut lacks, mut nameless) = (None, None);
        let (state, says, wrong) = match report.and_then(|report| report.of(one)) {
            Some(view) => station_report::verdict(view),
            None => match self.probes.outcome(one, patience).await {
                Some(outcome) => {
                    let outcome = outcome.among(readers, &one.port);
                    let is_nameless =
                        outcome.reader.as_deref().is_some_and(|serial| feig::own_serial(serial).is_none());
                    nameless = is_nameless.then(|| feig::NO_SERIAL.to_owned());
                    lacks = outcome.lacks;
                    judged(outcome)
                }
                None => (State::Asked, None, Vec::new()),
            },
        };
        let wrong = match (&holder, report) {
            (Some(holder), None) if state == State::Wrong && holder.pid != Some(std::process::id()) => {
                self.held(holder, wrong)
            }
            _ => wrong,
        };
        Device {
            role: Some(one.role.clone()),
            driver: Some(one.driver()),
            port: one.port.clone(),
            kind: one.reached_by(at.as_deref()),
            usb: attached.and_then(usb_of_port),
            notes: attached
                .map(|port| notes_on(one, port))
                .into_iter()
                .flatten()
                .chain(one.crowded())
                .chain(nameless)
                .collect(),
            at,
            state,
            says,
            holder: holder.filter(|holder| holder.pid != Some(std::process::id())).map(HolderView::from),
            wrong,
            lacks,
        }
    }

    /// A port that a station may have which does not say so.
    fn held(&self, holder: &Holder, mut wrong: Vec<String>) -> Vec<String> {
        if holder.name.as_deref() == Some("sabot") {
            let asked = match self.station {
                Some(address) => format!("no station answers at {address}"),
                None => "the configuration leaves its page's port to the system".to_owned(),
            };
            wrong.push(format!("is that this table's station? {asked}: name where it serves its page with --listen"));
        }
        wrong
    }

    fn unused_usb(&self, ports: &[sysfs::Attached], has_lr6: bool, notes: &mut Vec<String>) -> Vec<Device> {
        let described = self.sysfs.usb_devices();
        let devices = match (self.usb)() {
            Ok(enumerated) => enumerated.into_iter().map(|found| named(found, &described)).collect(),
            Err(error) => {
                notes.push(format!("USB: {error}"));
                described
            }
        };
        let is_port = |device: &sysfs::UsbDevice| ports.iter().any(|port| port.usb.as_ref() == Some(device));
        let is_lr6 = |device: &sysfs::UsbDevice| (device.vendor, device.product) == (usb::VENDOR, usb::PRODUCT);
        let unused = devices.iter().filter(|device| !is_port(device) && (!has_lr6 || !is_lr6(device)));
        unused.map(unused_usb).collect()
    }
}

impl From<Holder> for HolderView {
    fn from(Holder { pid, name }: Holder) -> Self {
        Self { pid, name }
    }
}

fn judged(outcome: Outcome) -> (State, Option<String>, Vec<String>) {
    let state = if outcome.wrong.is_some() { State::Wrong } else { State::Fine };
    (state, outcome.says, outcome.wrong.into_iter().collect())
}

/// The texts of an enumerated device, where the system's files have them.
fn named(found: Enumerated, described: &[sysfs::UsbDevice]) -> sysfs::UsbDevice {
    let (vendor, product, bus, number) = (found.vendor, found.product, found.plug.bus, found.plug.device);
    let same = described.iter().find(|device| (device.bus, device.number) == (bus, number)).cloned();
    let bare = sysfs::UsbDevice { vendor, product, bus, number, serial: None, maker: None, name: None };
    same.unwrap_or(bare)
}

fn usb_view(device: &sysfs::UsbDevice, interface: Option<u8>) -> Usb {
    let own = [&device.maker, &device.name].into_iter().flatten().cloned().collect::<Vec<_>>().join(" ");
    let name = match (device.vendor, device.product) {
        (usb::VENDOR, usb::PRODUCT) => "PATLITE LR6-USB".to_owned(),
        (0xFFFF, 0x0035) => "Chafon CF-RH320U-93".to_owned(),
        _ if own.is_empty() => "without a name".to_owned(),
        _ => own,
    };
    let id = format!("{:04x}:{:04x}", device.vendor, device.product);
    Usb { id, name, serial: device.serial.clone(), at: (device.bus, device.number), interface }
}

fn usb_of_port(port: &sysfs::Attached) -> Option<Usb> {
    port.usb.as_ref().map(|device| usb_view(device, port.interface))
}

fn unused_port(port: &sysfs::Attached) -> Device {
    let holder = sabot_drivers::transport::holder_of(&canonical(&port.path));
    Device {
        role: None,
        driver: None,
        port: port.path.display().to_string(),
        kind: Kind::Serial,
        at: Some(port.path.clone()),
        usb: usb_of_port(port),
        state: State::Unused,
        says: None,
        holder: holder.map(HolderView::from),
        wrong: Vec::new(),
        notes: slow(port).into_iter().collect(),
        lacks: None,
    }
}

fn unused_usb(device: &sysfs::UsbDevice) -> Device {
    let usb = usb_view(device, None);
    Device {
        role: None,
        driver: None,
        port: format!("USB {}", usb.id),
        kind: Kind::Usb,
        at: None,
        usb: Some(usb),
        state: State::Unused,
        says: None,
        holder: None,
        wrong: Vec::new(),
        notes: Vec::new(),
        lacks: None,
    }
}

fn notes_on(one: &Configured, port: &sysfs::Attached) -> Vec<String> {
    let numbered = ["/dev/ttyUSB", "/dev/ttyACM"].iter().any(|prefix| one.port.starts_with(prefix));
    let serial = port.usb.as_ref().and_then(|usb| usb.serial.as_deref()).filter(|_| numbered);
    let by_serial = serial.map(|serial| {
        format!("numbers of ports change with the order of plugging: `port = \"usb:{serial}\"` names this one always")
    });
    by_serial.into_iter().chain(slow(port)).collect()
}

/// An adapter that makes every answer wait.
fn slow(port: &sysfs::Attached) -> Option<String> {
    let ms = port.latency_ms.filter(|&ms| ms > 1)?;
    Some(format!("its adapter holds bytes back for {ms} ms (latency_timer): packaging/udev/60-sabot.rules sets 1"))
}

/// Two names of one port.
fn same_port_twice(devices: &mut [Device]) {
    for at in 0..devices.len() {
        let (before, rest) = devices.split_at_mut(at);
        let Some(device) = rest.first_mut() else { return };
        let same = before.iter().find(|other| other.at.is_some() && other.at == device.at);
        if let Some(other) = same {
            let role = other.role.as_deref().unwrap_or_default();
            device.wrong.push(format!("this is the port of the {role} too ({}): name another", other.port));
            device.state = State::Wrong;
        }
    }
}

fn real(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

fn canonical(path: &Path) -> PathBuf {
    real(path).unwrap_or_else(|| path.to_path_buf())
}

#[cfg(test)]
mod tests;
#[cfg(test)]
#[path = "../../../drivers/src/transport/sysfs_tree.rs"]
mod tree;
